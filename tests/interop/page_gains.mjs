// SPDX-License-Identifier: BSD-3-Clause
// page_gains.mjs: a scenario on a page whose gains are moved by their sliders, beside a run of modeway simulate with those gains:
// node page_gains.mjs CHROMIUM PAGE FOLDER SCENARIO OUTPUT "DRIVE KEY SHARE" …
//
// SHARE: power of ten of the model's gain. On stdin what ncdump -p 17 -v position prints of that run, which has one output and
// stores every step. Exit status 1: a position differs by more than rounding, or the page reports an error.
import { pathToFileURL } from "node:url";
import { browse, tab } from "./page_chromium.mjs";

const [chromium, page, folder, wanted, output, ...gains] = process.argv.slice(2);
const { call, evaluate, errors, close } = browse(chromium, folder);
let printed = "";
for await (const chunk of process.stdin) printed += chunk;
const position = printed.slice(printed.indexOf("position =", printed.indexOf("data:"))).match(/-?\d[\d.e+-]*/g).map(Number);

const RUN = `(async () => {
  for (let k = 0; !globalThis.modewayPage; k++) {
    if (k > 1000) throw new Error("the page does not start");
    await new Promise((done) => setTimeout(done, 20));
  }
  const { model, scenarios } = modewayPage, choice = document.getElementById("scenario");
  choice.value = scenarios.run.findIndex(({ name }) => name === ${JSON.stringify(wanted)});
  choice.dispatchEvent(new Event("change"));
  for (const [drive, key, share] of ${JSON.stringify(gains.map((g) => g.split(" ")))}) {
    const slider = [...document.querySelectorAll("#gains input")].find((e) => e.getAttribute("aria-label") === key + " of " + drive);
    slider.value = share;
    slider.dispatchEvent(new Event("input"));
  }
  const scenario = modewayPage.scenario(), first = model.yNames.indexOf(${JSON.stringify(`${output}.x`)}), y = [];
  for (;;) {
    y.push(...model.outputs().slice(first, first + 3));
    if (scenario.over) return y;
    scenario.step(0, 0);
  }
})()`;

try {
  const session = await tab(call);
  await call("Page.navigate", { url: pathToFileURL(page).href }, session);
  await new Promise((done) => setTimeout(done, 300));
  const y = await evaluate(RUN, session), worst = Math.max(...y.map((v, i) => Math.abs(v - position[i])));
  console.log(`${y.length / 3 - 1} steps of scenario ${wanted} with ${gains.join(", ")}: positions differ by ${worst.toExponential(1)} m at most`);
  // as of page_scenario.mjs: rounding of 1,000 steps of positions of 1 m
  if (!(worst <= 1e-12 && y.length > 6)) errors.push("the gains on the page are not those of the run");
} catch (e) {
  errors.push(e.message);
}
close();
