// SPDX-License-Identifier: BSD-3-Clause
// page_lobes.mjs: stable depths as pages have them beside those of modeway lobes (CSV on stdin):
//
//   node page_lobes.mjs FOLDER NAME HI THETA,… FEED NORMAL|- < LOBES.csv
//
// of 2e9 N/m²; with NORMAL milling by 4 teeth, radial share 0.3, half the diameter, up. HI: highest chatter frequency, Hz. A page
// goes straight between frequencies: what that leaves falls by four when they are twice as many, so that it is seen by
// comparing 24,000 with 48,000, twice as much allowed.
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { branches, depths, entriesOf, termsOf } from "../../sim/page/app/page_lobes.mjs";

const [folder, name, hi, theta, feed, normal] = process.argv.slice(2);
const { open } = await import(pathToFileURL(`${folder}/modeway_rom.mjs`));
const model = await open(await readFile(`${folder}/modeway_rom.wasm`), await readFile(`${folder}/${name}.table`));
const rows = readFileSync(0, "utf8").trim().split("\n").filter((l) => !l.startsWith("#")).map((l) => l.split(","));
const head = rows.shift().map((t) => t.replace(/"/g, "")), column = (word) => head.findIndex((t) => word.test(t));
const [speed, deep] = [column(/speed|rpm/i), column(/^depth/i)], rpm = Float64Array.from(rows, (r) => Number(r[speed]));
if (speed < 0 || deep < 0) throw new Error(`found columns ${head.join(" ")}`);
const [x, y] = [feed, normal].map((end) => model.yNames.indexOf(end)), at = theta.split(",").map(Number);
const cut = { force: 2e9, radial: 0.3, teeth: normal === "-" ? 0 : 4, entry: 0, exit: Math.PI / 2 };
const ends = normal === "-" ? [[x, x]] : [[x, x], [x, y], [y, x], [y, y]];
const found = (n) => {
  const hz = Float64Array.from({ length: n }, (_, k) => hi * (k + 1) / n);
  return depths(cut, hz, branches(cut, ends.map(([k, load]) => model.receptance(model.linear(at, load), k, hz)), n), rpm).depth;
};
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b), names = ["a.x", "a.x-b", null, "c"];
const mill = { to: "a.x, 0.5*a.x-2e1*c", from: "", force: 3, radial: 0.1, teeth: 2, immersion: 0.2, down: true, rpm: [5, 6] };
const entries = { feed: "a.x", normal: "0.5*a.x-2e1*c", cutforce: 3, down: true, radial: 0.1, teeth: 2, immersion: 0.2, slow: 5, fast: 6 };
// the longest name that is there, whatever signs it has
if (!same(termsOf("a.x-b-c", names), [[1, 1], [-1, 3]]) || !same(termsOf("-c + 0.5*a.x", names), [[-1, 3], [0.5, 0]]) || termsOf("a.x*c", names)
  || termsOf("d", names) || termsOf("", names) || !same(entriesOf(mill, names), entries) || !entriesOf({ ...mill, to: "d" }, names).why
  || !entriesOf({ ...mill, from: "c" }, names).why) throw new Error("processes are not entered as they are written");
const [coarse, fine] = [found(24000), found(48000)];
// what pages draw: up to ten times the least
const most = 10 * Math.min(...rows.map((r) => Number(r[deep])));
let worst = 0, allowed = 0;
rows.forEach((r, i) => {
  const want = Number(r[deep]);
  if (!(want <= most)) return;
  worst = Math.max(worst, Math.abs(fine[i] / want - 1));
  allowed = Math.max(allowed, 2 * Math.abs(coarse[i] / fine[i] - 1));
});
console.log(`${rows.length} depths of ${cut.teeth ? "milling" : "turning"}: off by ${worst.toExponential(1)}, allowed ${allowed.toExponential(1)}`);
process.exitCode = rows.length > 0 && worst <= allowed && allowed < 0.01 ? 0 : 1;
