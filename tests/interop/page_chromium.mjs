// SPDX-License-Identifier: BSD-3-Clause
// page_chromium.mjs: Chromium without a window, driven through a pipe, and what goes wrong in its pages.
import { spawn } from "node:child_process";

/** errors: exceptions, console.error, requests to anything outside; close() prints them and sets the exit status. */
export function browse(chromium, folder) {
  const browser = spawn(chromium, ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    `--user-data-dir=${folder}`, "--remote-debugging-pipe"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const [, , , pipe, from] = browser.stdio, waiting = new Map(), errors = [];
  let id = 0, buffer = "";
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
    pipe.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
  });
  const evaluate = async (expression, session) => {
    const { result, exceptionDetails } = await call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true }, session);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const close = () => {
    for (const e of errors) process.stderr.write(`error of the page: ${e}\n`);
    process.exitCode = errors.length > 0 ? 1 : 0;
    browser.kill();
  };
  return { call, evaluate, errors, close };
}

/** A tab whose errors are seen. */
export async function tab(call) {
  const { targetId } = await call("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
  for (const domain of ["Runtime", "Log", "Network", "Page"]) await call(`${domain}.enable`, {}, sessionId);
  return sessionId;
}
