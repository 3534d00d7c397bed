// SPDX-License-Identifier: BSD-3-Clause
// run_wasi.mjs: runs a program compiled to WebAssembly, its output on stdout: node run_wasi.mjs FILE.wasm
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", returnOnExit: true });
const module = await WebAssembly.compile(await readFile(process.argv[2]));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
