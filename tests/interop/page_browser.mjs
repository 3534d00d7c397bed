// SPDX-License-Identifier: BSD-3-Clause
// page_browser.mjs: what page_run.c does, by a page in Chromium without a network: node page_browser.mjs CHROMIUM PAGE FOLDER [DARK.png WIDTH]
//
// Prints the state's words as page_run.c does; on stderr what a slider costs until the response is drawn anew. Exit status 1:
// the page reports an error, or asks for anything outside. FOLDER: for Chromium's profile.
import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { browse, tab } from "./page_chromium.mjs";

const [chromium, page, folder, picture, width] = process.argv.slice(2);
const { call, evaluate: evaluateIn, errors, close } = browse(chromium, folder);
const evaluate = (session, expression) => evaluateIn(expression, session);

const STEPS = `(async () => {
  for (let k = 0; !globalThis.modewayPage; k++) {
    if (k > 1000) throw new Error("the page does not start");
    await new Promise((done) => setTimeout(done, 20));
  }
  const { model } = modewayPage;
  const was = model.state();
  model.x.fill(0);
  for (let i = 0; i < model.n.theta; i++) model.x[i] = model.lo[i] + 0.4 * (model.hi[i] - model.lo[i]);
  let code = 0, k = 0;
  for (; k < 2000 && code === 0; k++) {
    for (let i = 0; i < model.n.u; i++) model.u[i] = (k % 400 < 200 ? 2 : -2) * (i + 1);
    try { model.step(5e-4); } catch (e) { code = e.code; }
  }
  const words = Array.from(new BigUint64Array(model.state().buffer), (w) => w.toString(16).padStart(16, "0"));
  model.u.fill(0);
  model.setState(was);
  return ["steps " + k + ", code " + code, ...words].join("\\n");
})()`;
// median of 60 drags, ms, with the layout that follows
const DRAG = `(async () => {
  const slider = document.querySelector("input[type=range]"), took = [];
  for (let k = 0; k < 60; k++) {
    slider.value = Number(slider.min) + (slider.max - slider.min) * (k + 1) / 62;
    const start = performance.now();
    slider.dispatchEvent(new Event("input"));
    document.body.getBoundingClientRect();
    took.push(performance.now() - start);
    await new Promise((done) => setTimeout(done, 0));
  }
  return took.sort((a, b) => a - b)[30];
})()`;
// Deflections of outputs that are positions by what is drawn against those of the model, a small amplitude of each column, off the
// grid, with parameters at their ends: the worst over the largest deflection drawn of the column, or a tenth of the largest of all columns, of which shapes are rounded
// to an 8,192nd each (machine.c). Drawn columns leave out a thousandth in the norm of the mass, a node more. Outputs farther than 1e-5 m from any mark stand on no frame: they are left out, and counted.
const DRAWN = `(() => {
  const { model, machine, positions } = modewayPage, s = model.n.theta, was = model.state();
  const at = [0.37, 0.61, 0.43].slice(0, s).map((share, i) => model.lo[i] + share * (model.hi[i] - model.lo[i]));
  const outputs = (delta) => {
    model.x.fill(0);
    model.x.set(at);
    model.x.set(delta, s);
    return Float64Array.from(model.outputs());
  };
  const zero = new Float64Array(model.n.delta), y0 = outputs(zero), q = machine.marks;
  machine.place(at);
  machine.locate(q, 0);
  const rest = q.x.slice(), far = (j, k) => Math.hypot(...[0, 1, 2].map((i) => rest[3 * j + i] - y0[k + i]));
  const of = positions.map(([name, k]) => {
    let j = 0;
    for (let i = 1; i < q.n; i++) if (far(i, k) < far(j, k)) j = i;
    return [name, k, j];
  }), seen = of.filter(([, k, j]) => far(j, k) < 1e-5);
  const unit = (a) => zero.map((_, k) => k === a ? 1e-6 : 0), deflect = (a) => machine.deflect(modewayPage.amplitudes(at, unit(a)));
  const each = Array.from(zero, (_, a) => deflect(a));
  const least = 0.1 * Math.max(...each);
  let worst = 0, blame = "";
  for (let a = 0; a < model.n.delta; a++) {
    const y = outputs(unit(a)), most = Math.max(deflect(a), least);
    machine.locate(q, 1);
    for (const [name, k, j] of seen) {
      const off = Math.hypot(...[0, 1, 2].map((i) => y[k + i] - y0[k + i] - q.x[3 * j + i] + rest[3 * j + i])) / most;
      if (off > worst) [worst, blame] = [off, name];
    }
  }
  model.setState(was);
  return { worst, blame, seen: seen.map(([name]) => name), left: of.length - seen.length };
})()`;
// parameters at the ends of their ranges, the last first, and back; lobes shown, turning and milling: what the page says of them
const SETTINGS = `(async () => {
  const { parameters, set } = modewayPage, cutting = document.getElementById("cutting"), normal = document.getElementById("normal");
  cutting.open = true;
  cutting.dispatchEvent(new Event("toggle"));
  const said = [document.getElementById("depth").textContent];
  if (normal.options.length > 2) {
    normal.value = normal.options[2].value;
    normal.dispatchEvent(new Event("change"));
    said.push(document.getElementById("depth").textContent);
  }
  cutting.open = false;
  for (const [k, p] of (parameters?.list ?? []).entries()) set(k, p.node.at(-1));
  return said.map((t) => t.split(",")[0] + (/NaN|undefined/.test(t) ? " " + t : "")).join("; ") + document.getElementById("status").textContent;
})()`;
// a mode in motion for two seconds: what a picture costs at least and in the middle, ms, and pictures a second
const SWING = `(async () => {
  document.querySelector("#modes button").click();
  const { view } = modewayPage, draw = view.draw, took = [];
  view.draw = function (...list) {
    const start = performance.now();
    draw.apply(view, list);
    took.push(performance.now() - start);
  };
  await new Promise((done) => setTimeout(done, 2000));
  delete view.draw;
  document.querySelector("#modes button").click();
  took.sort((a, b) => a - b);
  return { least: took[0], median: took[took.length >> 1], rate: took.length / 2 };
})()`;
// half a second of it running under a force; the text it ends with
const LIVE = `(async () => {
  document.getElementById("force").value = 20;
  document.getElementById("run").click();
  await new Promise((done) => setTimeout(done, 500));
  document.getElementById("run").click();
  return document.getElementById("status").textContent + document.getElementById("live").textContent.split("\\n")[0];
})()`;
// the first named mark pulled by the mouse for half a second, then let go: what the page says of it, and where it refused
const PULL = `(async () => {
  const { view, positions } = modewayPage, canvas = document.getElementById("view"), box = canvas.getBoundingClientRect();
  if (positions.length === 0) return "none";
  const { eye, shift, marks: [{ x }] } = view, at = [0, 1].map((i) => (shift[i] + [0, 1, 2].reduce((a, k) => a + eye[3 * i + k] * x[k], 0)) / 2);
  const send = (type, by) => canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: box.left + at[0] + by, clientY: box.top + at[1] }));
  canvas.setPointerCapture = () => {};
  send("pointerdown", 0);
  send("pointermove", 6);
  await new Promise((done) => setTimeout(done, 500));
  const text = document.getElementById("live").textContent.split("\\n").find((line) => line.includes("pulled")) ?? "not pulled";
  send("pointerup", 6);
  document.getElementById("run").click();
  document.getElementById("reset").click();
  delete canvas.setPointerCapture;
  return document.getElementById("status").textContent + text;
})()`;
// the first scenario run to its end, waiting three times as long at most; the text it ends with, and a controller's last error
const SCENARIO = `(async () => {
  const { scenarios } = modewayPage, choice = document.getElementById("scenario"), run = document.getElementById("run");
  if (scenarios.run.length === 0) return "";
  const { steps, h } = scenarios.run[0];
  choice.value = "0";
  choice.dispatchEvent(new Event("change"));
  run.click();
  for (let k = 0; k < 300 * steps * h + 200 && run.textContent === "Pause"; k++) await new Promise((done) => setTimeout(done, 10));
  const curves = document.querySelectorAll("#errors path").length - 1, sliders = document.querySelectorAll("#gains input").length;
  return [scenarios.run[0].name, steps * h, document.getElementById("live").textContent.split("\\n")[0], curves, sliders,
    document.getElementById("status").textContent].join("; ");
})()`;

// what people do with a page besides; what went wrong: keys, one step, pause, sorting, copying, names of all pictures and entries
const HANDS = `(async () => {
  const wrong = [], expect = (good, what) => good || wrong.push(what), $ = (id) => document.getElementById(id);
  const { view, model } = modewayPage, wait = (ms) => new Promise((done) => setTimeout(done, ms));
  if (modewayPage.machine) {
    const key = (k) => $("view").dispatchEvent(new KeyboardEvent("keydown", { key: k, cancelable: true })), { angle, zoom } = view;
    key("ArrowLeft");
    key("+");
    expect(view.angle !== angle && view.zoom > zoom, "keys do not turn and zoom the view");
  }
  $("scenario").value = "";
  $("scenario").dispatchEvent(new Event("change"));
  $("reset").click();
  $("step").click();
  const first = $("live").textContent.split("\\n")[0];
  $("step").click();
  expect(/^t = 0\\.001 s/.test($("live").textContent) || first !== $("live").textContent.split("\\n")[0], "one step is none: " + first);
  $("run").click();
  await wait(200);
  $("run").click();
  const paused = Array.from(model.state());
  await wait(100);
  expect(paused.every((v, i) => v === model.x[i]), "a paused model goes on");
  const table = [...document.querySelectorAll("table")].find((t) => t.querySelector(".sort") && t.rows.length > 3);
  if (table) for (const [sense, sign] of [["ascending", 1], ["descending", -1]]) {
    table.querySelector(".sort").click();
    const texts = [...table.rows].slice(1).map((r) => r.cells[0].textContent.trim()).filter((t) => Number.isNaN(parseFloat(t)));
    expect(table.rows[0].cells[0].getAttribute("aria-sort") === sense && texts.every((t, i) => !i || sign * texts[i - 1].localeCompare(t) <= 0), "not sorted " + sense);
  }
  let copied = "";
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async (t) => (copied = t) } });
  document.querySelector("#peak + .copy").click();
  await wait(20);
  const rows = copied.split("\\n").map((r) => r.split("\\t"));
  expect(rows.length === 402 && rows[0].join() === "Hz,real,imaginary" && rows.slice(1).flat().every((v) => Number.isFinite(Number(v))), "numbers are not copied");
  for (const e of document.querySelectorAll("svg, canvas"))
    expect(e.getAttribute("role") === "img" && e.getAttribute("aria-label"), "a picture without a text");
  for (const e of document.querySelectorAll("input, select"))
    expect(e.getAttribute("aria-label") || e.labels?.[0]?.textContent.trim(), "an entry without a name: " + e.id);
  $("to").selectedIndex = $("to").options.length - 1;
  $("to").dispatchEvent(new Event("change"));
  expect(document.documentElement.scrollWidth <= innerWidth, "wider than the window: " + document.documentElement.scrollWidth);
  return { wrong, address: location.href, to: $("to").selectedOptions[0].text, x: $("sliders").querySelector("input").value };
})()`;
const LINKED = `(async () => {
  for (let k = 0; !globalThis.modewayPage; k++) {
    if (k > 1000) throw new Error("the page does not start");
    await new Promise((done) => setTimeout(done, 20));
  }
  return { to: document.getElementById("to").selectedOptions[0].text, x: document.querySelector("#sliders input").value };
})()`;

try {
  const session = await tab(call);
  if (width) {
    await call("Emulation.setDeviceMetricsOverride", { width: Number(width), height: 1400, deviceScaleFactor: 1, mobile: false },
      session);
    await call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] }, session);
  }
  await call("Page.navigate", { url: pathToFileURL(page).href }, session);
  await new Promise((done) => setTimeout(done, 300));
  console.log(await evaluate(session, STEPS));
  process.stderr.write(`${(await evaluate(session, DRAG)).toFixed(2)} ms from slider to response\n`);
  const settings = await evaluate(session, SETTINGS);
  process.stderr.write(`lobes: ${settings}\n`);
  if (!/^(Turning|Stable)[^;]*(; (Milling|Stable)[^;]*)?$/.test(settings)) errors.push(`lobes are not found: ${settings}`);
  const drawn = await evaluate(session, "Boolean(modewayPage.machine)");
  if (drawn) {
    const { worst, blame, seen, left } = await evaluate(session, DRAWN);
    process.stderr.write(`drawn deflections of ${seen.join(", ")} are off by ${worst.toExponential(1)} (${blame}); ${left} outputs stand on no mark\n`);
    if (!(worst < 1e-2 && seen.length > 0)) errors.push("what is drawn does not move with the outputs");
  }
  const { least, median, rate } = drawn ? await evaluate(session, SWING) : { least: 0, median: 0, rate: 1 };
  process.stderr.write(`a picture of a mode: ${least.toFixed(1)} ms, median ${median.toFixed(1)} ms; ${rate} a second\n`);
  if (!(rate > 0)) errors.push("modes do not move");
  const live = await evaluate(session, LIVE);
  process.stderr.write(`after half a second of running: ${live}\n`);
  if (!/^t = 0\.[0-9]*[1-9]/.test(live)) errors.push(`the model does not run: ${live}`);
  const pulled = drawn ? await evaluate(session, PULL) : "none";
  process.stderr.write(`pulled by six pixels: ${pulled}\n`);
  if (!/^(none|[^ ]+ pulled by .* N)$/.test(pulled)) errors.push(`marks are not pulled: ${pulled}`);
  const scenario = await evaluate(session, SCENARIO);
  process.stderr.write(`scenario: ${scenario || "none"}\n`);
  const [, end, ended, , , refused] = scenario.split("; ");
  if (scenario && (ended !== `t = ${Number(end).toFixed(3)} s` || refused)) errors.push(`the scenario does not run to its end: ${scenario}`);
  const { wrong, address, to, x } = await evaluate(session, HANDS);
  errors.push(...wrong);
  const pdf = await call("Page.printToPDF", { printBackground: true }, session);
  if (!(pdf.data.length > 20000)) errors.push("the page is not printed");
  await call("Page.navigate", { url: "about:blank" }, session);
  await call("Page.navigate", { url: address }, session);
  await new Promise((done) => setTimeout(done, 300));
  const linked = await evaluate(session, LINKED);
  if (linked.to !== to || Math.abs(linked.x - x) > 1e-5 * (1 + Math.abs(x))) errors.push(`the address ${address} does not bring the page back`);
  process.stderr.write(`keys, steps, pause, sorting, copying, texts, address, print (${Math.round(pdf.data.length * 0.75e-3)} kB): ${wrong.length} wrong\n`);
  if (picture) {
    const { data } = await call("Page.captureScreenshot", {}, session);
    await writeFile(picture, Buffer.from(data, "base64"));
  }
} catch (e) {
  errors.push(e.message);
}
close();
