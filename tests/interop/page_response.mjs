// SPDX-License-Identifier: BSD-3-Clause
// page_response.mjs: receptances of the WebAssembly beside those of modeway frf (CSV on stdin):
//
//   node page_response.mjs FOLDER NAME FIELD THETA… < FRF.csv
//
// Both solve the same equations in 53 bits: of m columns each sum has m terms, elimination or the poles' m products round each,
// and next to a resonance of damping ratio ζ what is wrong grows by 1/(2ζ): m² 2⁻⁵² /(2ζ) of the largest, ζ 0.5 % or more here.
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [folder, name, field, ...theta] = process.argv.slice(2);
const { open } = await import(pathToFileURL(`${folder}/modeway_rom.mjs`));
const model = await open(await readFile(`${folder}/modeway_rom.wasm`), await readFile(`${folder}/${name}.table`));
const rows = readFileSync(0, "utf8").trim().split("\n").filter((l) => !l.startsWith("#")).map((l) => l.split(","));
const head = rows.shift().map((t) => t.replace(/"/g, ""));
const at = (word) => head.findIndex((t) => t.toLowerCase().includes(word));
const [f, re, im] = [at("hz"), head.findIndex((t) => /re/i.test(t) && !/freq/i.test(t)), at("im")];
if (f < 0 || re < 0 || im < 0) throw new Error(`found columns ${head.join(" ")}`);
const hz = rows.map((r) => Number(r[f])), k = model.yNames.indexOf(field);
const h = model.receptance(model.linear(theta.map(Number), k), k, hz);
let worst = 0, most = 0;
rows.forEach((r, i) => {
  worst = Math.max(worst, Math.hypot(Number(r[re]) - h.re[i], Number(r[im]) - h.im[i]));
  most = Math.max(most, Math.hypot(h.re[i], h.im[i]));
});
console.log(`${rows.length} receptances of ${field}: off by ${(worst / most).toExponential(2)} of the largest`);
const bound = model.n.delta ** 2 * 2 ** -52 / (2 * 0.005);
// three forces at once, two of them 0, are the one: the same state, for what is added is 0
const theta0 = new Float64Array(model.n.theta), held = 2 ** model.n.theta - 1, first = model.linear(theta.map(Number), k).x;
const after = (load, force) => {
  model.setState(first);
  for (let i = 0; i < 20; i++) model.driven(5e-4, load, force, held, theta0);
  return model.state();
};
const same = [0, 1, 2].every((i) => {
  const one = after(k + i, 2), three = after(k, [0, 1, 2].map((j) => i === j ? 2 : 0));
  return one.every((v, j) => v === three[j]) && one.some((v, j) => v !== first[j]);
});
if (!same) console.log("three forces at once are not the one");
process.exitCode = rows.length > 0 && worst <= bound * most && same ? 0 : 1;
