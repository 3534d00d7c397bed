// SPDX-License-Identifier: BSD-3-Clause
// page_run.mjs: what page_run.c does, by the exported WebAssembly: node page_run.mjs FOLDER NAME
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [folder, name] = process.argv.slice(2);
const { open } = await import(pathToFileURL(`${folder}/modeway_rom.mjs`));
const [code_bytes, table] = [await readFile(`${folder}/modeway_rom.wasm`), await readFile(`${folder}/${name}.table`)];
const model = await open(code_bytes, table);
let k = 0, code = 0;

function run(model) {
  for (let i = 0; i < model.n.theta; i++) model.x[i] = model.lo[i] + 0.4 * (model.hi[i] - model.lo[i]);
  for (k = 0, code = 0; k < 2000 && code === 0; k++) {
    for (let i = 0; i < model.n.u; i++) model.u[i] = (k % 400 < 200 ? 2 : -2) * (i + 1);
    try {
      model.step(5e-4);
    } catch (e) {
      code = e.code;
    }
  }
}

run(await open(code_bytes, table)); // compiles what the other is timed with
const start = process.hrtime.bigint();
run(model);
process.stderr.write(`${(Number(process.hrtime.bigint() - start) / 1e3 / k).toFixed(2)} us a step\n`);
console.log(`steps ${k}, code ${code}`);
const words = new BigUint64Array(model.state().buffer);
for (const word of words) console.log(word.toString(16).padStart(16, "0"));
