// SPDX-License-Identifier: BSD-3-Clause
// page_colours.mjs: colours by deflection of the lowest mode on a page, beside the shape on the mesh that modeway modes --vtk writes:
// node page_colours.mjs CHROMIUM PAGE FOLDER SHAPE.vtu NAME THETA
//
// At every node of the mesh that the page draws: the length of the displacement over the largest of these. Exit status 1: they
// differ by more than 1e-2, or what the page paints does not have the colours of these numbers.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { browse, tab } from "./page_chromium.mjs";

const [chromium, page, folder, vtu, name, theta] = process.argv.slice(2);
const { call, evaluate, errors, close } = browse(chromium, folder);

// The array whose name begins so, of a file with appended raw data (VTK's description of its XML formats).
const raw = await readFile(vtu), first = raw.indexOf("_", raw.indexOf('<AppendedData encoding="raw">')) + 1, head = raw.toString("latin1", 0, first);
function array(wanted) {
  const tag = head.match(/<DataArray [^>]*>/g).find((t) => t.includes(`Name="${wanted}`)), at = first + Number(/offset="(\d+)"/.exec(tag)[1]);
  const bytes = Number(raw.readBigUInt64LE(at)), wide = /type="Float64"/.test(tag);
  return Array.from({ length: bytes / (wide ? 8 : 4) }, (_, k) => wide ? raw.readDoubleLE(at + 8 + 8 * k) : raw.readFloatLE(at + 8 + 4 * k));
}
const points = array("points"), shape = array(name);

// of the points that are drawn: place, number; and what colours the canvas has
const DRAWN = `(async () => {
  for (let k = 0; !globalThis.modewayPage; k++) {
    if (k > 1000) throw new Error("the page does not start");
    await new Promise((done) => setTimeout(done, 20));
  }
  const { model, machine, modes, target, amplitudes, view } = modewayPage, at = [${theta}], $ = (id) => document.getElementById(id);
  [...document.querySelectorAll("#sliders input")].forEach((slider, i) => {
    slider.value = at[i];
    slider.dispatchEvent(new Event("input"));
  });
  $("colour").value = "deflection";
  $("colour").dispatchEvent(new Event("change"));
  const { rows, hz } = modes();
  machine.place(at);
  machine.deflect(amplitudes(at, rows.subarray(0, hz.length)));
  const { corners } = machine.measure(), q = machine.corners;
  machine.locate(q, 0);
  const elastic = Array.from(q.node, (n, k) => n >= 0 ? k : -1).filter((k) => k >= 0);
  const x = elastic.flatMap((k) => Array.from(q.x.subarray(3 * k, 3 * k + 3))), far = elastic.map((k) => corners[k]);
  document.querySelector("#modes button").click();
  await new Promise((done) => setTimeout(done, 300));
  const seen = new Set(new Uint32Array(view.image.data.buffer)).size, scale = !$("scale").hidden;
  document.querySelector("#modes button").click();
  return { x, far, seen, scale };
})()`;

try {
  const session = await tab(call);
  await call("Page.navigate", { url: pathToFileURL(page).href }, session);
  await new Promise((done) => setTimeout(done, 300));
  const { x, far, seen, scale } = await evaluate(DRAWN, session), place = new Map(), key = (a, k) => [0, 1, 2].map((i) => Math.round(1e4 * a[k + i])).join();
  for (let k = 0; k < points.length; k += 3) place.set(key(points, k), k);
  const pairs = far.map((v, k) => [v, place.get(key(x, 3 * k))]).filter(([, at]) => at !== undefined)
    .map(([v, at]) => [v, Math.hypot(shape[at], shape[at + 1], shape[at + 2])]), nodes = pairs.length;
  const [a, b] = [0, 1].map((i) => Math.max(...pairs.map((p) => p[i]))), worst = Math.max(...pairs.map(([v, w]) => Math.abs(v / a - w / b)));
  console.log(`colours by deflection at ${nodes} corners of the mesh: off by ${worst.toExponential(1)} of the largest; ${seen} colours painted`);
  // columns and modes are certified to 1e-3, drawn columns leave another thousandth in the norm of the mass, a node a few times that
  if (!(worst < 1e-2 && nodes > 20)) errors.push("colours are not those of the shape on the mesh");
  if (!(seen > 20 && scale)) errors.push("the colours are not painted, or no scale tells them");
} catch (e) {
  errors.push(e.message);
}
close();
