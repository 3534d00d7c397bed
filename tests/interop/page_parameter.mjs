// SPDX-License-Identifier: BSD-3-Clause
// page_parameter.mjs: receptances of a page whose parameters are set beside those of modeway frf --set (CSV on stdin):
//
//   node page_parameter.mjs PAGE FOLDER FIELD THETA,… VALUE,… < FRF.csv
//
// The page's table errs by what it says of the scales of coefficients, or by a tenth of 1e-4 where it is whole (pagekept.c): how far
// receptances may be off is seen by stiffnesses K_ab that are off by so much of the root of K_aa K_bb, with random signs. Back in the middle the table is what it was, bit for bit.
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { pathToFileURL } from "node:url";
import { Parameters } from "../../sim/page/app/page_parameter.mjs";

const [page, folder, field, theta, values] = process.argv.slice(2);
const { open } = await import(pathToFileURL(`${folder}/modeway_rom.mjs`)), text = await readFile(page, "utf8");
const whole = (id) => {
  const planes = gunzipSync(Buffer.from(new RegExp(`id="${id}">([^<]*)<`).exec(text)[1], "base64"));
  const n = Math.floor(planes.length / 8), out = Uint8Array.from(planes);
  for (let i = 0; i < n; i++) for (let k = 0; k < 8; k++) out[8 * i + k] = planes[k * n + i];
  return out;
};
const about = JSON.parse(/id="about">([^<]*)</.exec(text)[1]);
const model = await open(await readFile(`${folder}/modeway_rom.wasm`), whole("table"));
const made = model.coefficients().map((c) => c.slice()), parameters = new Parameters(about, whole("kept"), model);
const rows = readFileSync(0, "utf8").trim().split("\n").filter((l) => !l.startsWith("#")).map((l) => l.split(","));
const head = rows.shift().map((t) => t.replace(/"/g, "")), column = (word) => head.findIndex((t) => word.test(t));
const [f, re, im] = [column(/hz/i), column(/re(?!q)/i), column(/im/i)], hz = rows.map((r) => Number(r[f]));
const k = model.yNames.indexOf(field), at = theta.split(",").map(Number);

const before = model.receptance(model.linear(at, k), k, hz);
parameters.set(values.split(",").map(Number));
const linear = model.linear(at, k), h = model.receptance(linear, k, hz), m = linear.m;
const far = (a, b) => Math.max(...hz.map((_, i) => Math.hypot(a.re[i] - b.re[i], a.im[i] - b.im[i])));
const want = { re: rows.map((r) => Number(r[re])), im: rows.map((r) => Number(r[im])) };
let seed = 1, allowed = 0;
const sign = () => (seed = Math.imul(seed, 1664525) + 1013904223 | 0) < 0 ? -1 : 1, size = Math.max(about.tolerance, 1e-5);
for (let draw = 0; draw < 20; draw++) {
  const K = linear.K.slice();
  for (let i = 0; i < m; i++) for (let j = 0; j <= i; j++) {
    const e = size * Math.sqrt(linear.K[i * m + i] * linear.K[j * m + j]) * sign();
    K[i * m + j] += e;
    if (j < i) K[j * m + i] += e;
  }
  allowed = Math.max(allowed, far(model.receptance({ ...linear, K }, k, hz), h));
}
const off = far(h, want), moved = far(before, want);
console.log(`${rows.length} receptances at parameters ${values}: off by ${off.toExponential(1)}, allowed ${allowed.toExponential(1)}; ${
  moved.toExponential(1)} from those of the page at first`);
parameters.set(parameters.made);
const same = model.coefficients().every((c, k) => c.every((v, i) => Object.is(v, made[k][i])));
if (!same) console.log("the table is not what it was");
process.exitCode = rows.length > 0 && off <= allowed && moved > 10 * off && same ? 0 : 1;
