// SPDX-License-Identifier: BSD-3-Clause
// page_runs.mjs: the machine on a page of recorded runs moves as its outputs did: node page_runs.mjs CHROMIUM PAGE FOLDER OUTPUT
//
// The mark that stands on OUTPUT is where each run's recorded position is, at all kept instants; differences from the path full
// likewise. Then what people do with the page. Exit status 1: not so, the page reports an error, or asks for anything outside.
import { pathToFileURL } from "node:url";
import { browse, tab } from "./page_chromium.mjs";

const [chromium, page, folder, output] = process.argv.slice(2);
const { call, evaluate, errors, close } = browse(chromium, folder);

const READY = `(async () => {
  for (let k = 0; !globalThis.modewayRuns; k++) {
    if (k > 1000) throw new Error("the page does not start: " + document.getElementById("status").textContent);
    await new Promise((done) => setTimeout(done, 20));
  }
})()`;
// worst of each path: deflection over the largest of full, difference over its own largest; that over the deflection
const MARKS = `(() => {
  const { data, moving: { motion } } = modewayRuns, { machine } = motion, q = machine.marks;
  const { value, difference } = data.quantities.find(({ name }) => name === ${JSON.stringify(output)}), n = machine.n[0];
  const at = (t, i, by, off = false) => {
    motion.deflect(t, i, off);
    machine.locate(q, by);
    return q.x.slice();
  };
  // the mark whose displacement is nearest to the recorded one, when this is largest
  const sizes = data.time.map((_, k) => Math.hypot(...[0, 1, 2].map((c) => value[data.full][c][k])));
  const top = sizes.indexOf(Math.max(...sizes)), a = at(data.time[top], data.full, 1), b = at(data.time[top], data.full, 0);
  const far = (j) => Math.hypot(...[0, 1, 2].map((c) => a[3 * j + c] - b[3 * j + c] - value[data.full][c][top]));
  let mark = 0;
  for (let j = 1; j < q.n; j++) if (far(j) < far(mark)) mark = j;
  return data.paths.map(({ label }, i) => {
    let worst = 0, off = 0;
    const whole = sizes[top], most = Math.max(...difference[i]);
    for (let g = 0; g < n; g++) {
      const t = motion.motion.end * g / (n - 1), k = data.time.findIndex((s) => Math.abs(s - t) < 1e-9);
      if (k < 0) throw new Error("an instant that was not stored");
      const rest = at(t, i, 0), moved = at(t, i, 1), apart = at(t, i, 1, true);
      worst = Math.max(worst, Math.hypot(...[0, 1, 2].map((c) => moved[3 * mark + c] - rest[3 * mark + c] - value[i][c][k])));
      off = Math.max(off, Math.abs(Math.hypot(...[0, 1, 2].map((c) => apart[3 * mark + c] - rest[3 * mark + c])) - difference[i][k]));
    }
    return { label, worst: worst / whole, off: i === data.full ? 0 : off / most, share: most / whole, instants: n };
  });
})()`;
// what goes wrong when runs are arranged, coloured, played, turned by keys, left out
const HANDS = `(async () => {
  const wrong = [], expect = (good, what) => good || wrong.push(what), $ = (id) => document.getElementById(id);
  const wait = (ms) => new Promise((done) => setTimeout(done, ms)), { data } = modewayRuns;
  const set = (id, v) => {
    $(id).value = v;
    for (const event of ["input", "change"]) $(id).dispatchEvent(new Event(event));
  };
  const canvases = () => [...document.querySelectorAll("#machines canvas")];
  const colours = () => canvases().map((c) => new Set(new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer)).size);
  expect(canvases().length === data.paths.length, "a picture a path");
  set("time", Math.floor(data.time.length / 10));
  for (const by of ["bodies", "deflection", "difference"]) {
    set("colour", by);
    expect(colours().every((n) => n > 5), "nothing is drawn by " + by);
    expect($("scale").hidden === (by === "bodies"), "a scale of colours by " + by);
  }
  canvases()[0].dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", cancelable: true }));
  const angles = [...modewayRuns.moving.views.values()].map((v) => v.angle);
  expect(angles.every((a) => a === angles[0] && a > -0.75), "pictures do not turn together");
  set("arranged", "over");
  expect(canvases().length === 1 && colours()[0] > 5, "runs over each other");
  const box = document.querySelector("#paths input");
  box.click();
  expect(document.querySelector("figcaption").textContent.split(";").length === data.paths.length - 1, "a run left out is drawn");
  box.click();
  set("arranged", "beside");
  const before = Number($("time").value);
  $("play").click();
  await wait(600);
  $("play").click();
  const after = Number($("time").value);
  expect(after > before, "nothing plays");
  await wait(100);
  expect(after === Number($("time").value), "a pause goes on");
  for (const e of document.querySelectorAll("svg, canvas")) expect(e.getAttribute("role") === "img" && e.getAttribute("aria-label"), "a picture without a text");
  for (const e of document.querySelectorAll("input, select")) expect(e.getAttribute("aria-label") || e.labels?.[0]?.textContent.trim(), "an entry without a name: " + e.id);
  expect(document.documentElement.scrollWidth <= innerWidth, "wider than the window");
  return wrong;
})()`;

try {
  const session = await tab(call);
  await call("Page.navigate", { url: pathToFileURL(page).href }, session);
  await new Promise((done) => setTimeout(done, 300));
  await evaluate(READY, session);
  for (const { label, worst, off, share, instants } of await evaluate(MARKS, session)) {
    process.stderr.write(`${label}: ${output} as drawn at ${instants} instants is off by ${worst.toExponential(1)} of the deflection, ${
      off.toExponential(1)} of its difference from full\n`);
    // shapes leave a thousandth of a column in the sum of squares over the nodes, at one node a few times that; rounding of 30
    // shapes to 8,192nds, 4e-4. The drawn columns of path gmp err by a thousandth of the deflection, each;
    // differences below a ten-thousandth of the deflection by a thousandth of that, a node a few times as much
    if (!(worst < 1e-2 && off * share <= 1e-2 * share + (label === "gmp" ? 2e-3 : 1e-6))) errors.push(`${label} is not drawn as it moved`);
  }
  errors.push(...await evaluate(HANDS, session));
} catch (e) {
  errors.push(e.message);
}
close();
