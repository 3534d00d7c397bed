// SPDX-License-Identifier: BSD-3-Clause
// page_scenario.mjs: a scenario as pages run it beside a run of modeway simulate: node page_scenario.mjs PAGE FOLDER NAME SCENARIO OUTPUT
//
// On stdin what ncdump -p 17 -v position prints of that run, which has one output and stores every step. Prints the largest
// difference of a position; exit status 1 where it is more than rounding.
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { pathToFileURL } from "node:url";
import { Scenario } from "../../sim/page/app/page_scenario.mjs";

const [page, folder, name, wanted, output] = process.argv.slice(2);
const { open } = await import(pathToFileURL(`${folder}/modeway_rom.mjs`));
const model = await open(await readFile(`${folder}/modeway_rom.wasm`), await readFile(`${folder}/${name}.table`));
const text = /<script type="application\/gzip" id="scenarios">([^<]*)</.exec(await readFile(page, "utf8"))[1];
const { run } = JSON.parse(gunzipSync(Buffer.from(text, "base64")).toString());
const scenario = new Scenario(model, run.find((s) => s.name === wanted)), first = model.yNames.indexOf(`${output}.x`);

let printed = "";
for await (const chunk of process.stdin) printed += chunk;
const position = printed.slice(printed.indexOf("position =", printed.indexOf("data:"))).match(/-?\d[\d.e+-]*/g).map(Number);
let worst = 0;
for (let k = 0; ; k++) {
  const y = model.outputs();
  for (let i = 0; i < 3; i++) worst = Math.max(worst, Math.abs(y[first + i] - position[3 * k + i]));
  if (scenario.over) break;
  scenario.step(0, 0);
}
// a stable closed loop does not let the rounding of its steps grow: of positions of 1 m no more than that of 1,000 steps,
// some roundings of 2e-16 m each
const bound = 1e-12;
console.log(`${scenario.k} steps of scenario ${wanted}: positions differ by ${worst.toExponential(1)} m at most`);
if (!(worst <= bound) || scenario.k !== scenario.data.steps) process.exit(1);
