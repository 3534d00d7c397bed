// SPDX-License-Identifier: BSD-3-Clause
// page_browser.mjs: what page_run.c does, by a page in Chromium without a network: node page_browser.mjs CHROMIUM PAGE FOLDER [DARK.png WIDTH]
//
// Prints the state's words as page_run.c does; on stderr what a slider costs until the response is drawn anew. Exit status 1:
// the page reports an error, or asks for anything outside. FOLDER: for Chromium's profile.
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [chromium, page, folder, picture, width] = process.argv.slice(2);
const browser = spawn(chromium, ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
  `--user-data-dir=${folder}`, "--remote-debugging-pipe"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const [, , , to, from] = browser.stdio;
const waiting = new Map();
const errors = [];
let id = 0;
let buffer = "";

from.on("data", (chunk) => {
  const messages = (buffer + chunk).split("\0");
  buffer = messages.pop();
  for (const message of messages) {
    const { id: answer, result, error, method, params } = JSON.parse(message);
    if (answer) waiting.get(answer)?.(error ? Promise.reject(new Error(error.message)) : result);
    if (method === "Runtime.exceptionThrown") errors.push(params.exceptionDetails.exception?.description ?? "exception");
    if (method === "Runtime.consoleAPICalled" && params.type === "error") errors.push("console.error");
    if (method === "Log.entryAdded" && params.entry.level === "error") errors.push(params.entry.text);
    if (method === "Network.requestWillBeSent" && !/^(file|data|blob):/.test(params.request.url)) errors.push(params.request.url);
  }
});

const call = (method, params = {}, sessionId = undefined) => new Promise((resolve) => {
  waiting.set(++id, resolve);
  to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
});

async function evaluate(session, expression) {
  const { result, exceptionDetails } = await call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true },
    session);
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

const STEPS = `(async () => {
  while (!globalThis.modewayPage) await new Promise((done) => setTimeout(done, 20));
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
// Deflection of output tool by what is drawn against that of the model, a small amplitude of each column, off the grid: the worst
// over the largest deflection drawn of the column. Drawn columns leave out a thousandth in the norm of the mass, a node more.
const DRAWN = `(() => {
  const { model, machine } = modewayPage, s = model.n.theta, k = model.yNames.indexOf("tool.x"), was = model.state();
  const at = [0.37, 0.61, 0.43].slice(0, s).map((share, i) => model.lo[i] + share * (model.hi[i] - model.lo[i]));
  const outputs = (delta) => {
    model.x.fill(0);
    model.x.set(at);
    model.x.set(delta, s);
    return Float64Array.from(model.outputs()).slice(k, k + 3);
  };
  const zero = new Float64Array(model.n.delta), y0 = outputs(zero), q = machine.marks;
  machine.place(at);
  machine.locate(q, 0);
  const rest = q.x.slice(), far = (j) => Math.hypot(...[0, 1, 2].map((i) => rest[3 * j + i] - y0[i]));
  let j = 0, worst = 0;
  for (let i = 1; i < q.n; i++) if (far(i) < far(j)) j = i;
  for (let a = 0; a < model.n.delta; a++) {
    const delta = zero.slice();
    delta[a] = 1e-6;
    const y = outputs(delta), most = machine.deflect(delta);
    machine.locate(q, 1);
    worst = Math.max(worst, Math.hypot(...[0, 1, 2].map((i) => y[i] - y0[i] - q.x[3 * j + i] + rest[3 * j + i])) / most);
  }
  model.setState(was);
  return [far(j), worst];
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

try {
  const { targetId } = await call("Target.createTarget", { url: "about:blank" });
  const { sessionId: session } = await call("Target.attachToTarget", { targetId, flatten: true });
  for (const domain of ["Runtime", "Log", "Network", "Page"]) await call(`${domain}.enable`, {}, session);
  if (width) {
    await call("Emulation.setDeviceMetricsOverride", { width: Number(width), height: 1400, deviceScaleFactor: 1, mobile: false },
      session);
    await call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] }, session);
  }
  await call("Page.navigate", { url: pathToFileURL(page).href }, session);
  await new Promise((done) => setTimeout(done, 300));
  console.log(await evaluate(session, STEPS));
  process.stderr.write(`${(await evaluate(session, DRAG)).toFixed(2)} ms from slider to response\n`);
  const [apart, worst] = await evaluate(session, DRAWN);
  process.stderr.write(`output tool is ${apart.toExponential(1)} m from a drawn point, whose deflection is off by ${worst.toExponential(1)}\n`);
  if (!(apart < 1e-5 && worst < 1e-2)) errors.push("what is drawn does not move with the outputs");
  const { least, median, rate } = await evaluate(session, SWING);
  process.stderr.write(`a picture of a mode: ${least.toFixed(1)} ms, median ${median.toFixed(1)} ms; ${rate} a second\n`);
  if (!(rate > 0)) errors.push("modes do not move");
  const live = await evaluate(session, LIVE);
  process.stderr.write(`after half a second of running: ${live}\n`);
  if (!/^t = 0\.[0-9]*[1-9]/.test(live)) errors.push(`the model does not run: ${live}`);
  if (picture) {
    const { data } = await call("Page.captureScreenshot", {}, session);
    await writeFile(picture, Buffer.from(data, "base64"));
  }
} catch (e) {
  errors.push(e.message);
}
for (const e of errors) process.stderr.write(`error of the page: ${e}\n`);
process.exitCode = errors.length > 0 ? 1 : 0;
browser.kill();
