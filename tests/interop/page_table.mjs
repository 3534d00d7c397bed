// SPDX-License-Identifier: BSD-3-Clause
// page_table.mjs: the table that a page carries, as a file: node page_table.mjs PAGE TABLE
import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";

const [page, table] = process.argv.slice(2);
const text = /<script type="application\/gzip" id="table">([^<]*)</.exec(await readFile(page, "utf8"))[1];
const planes = gunzipSync(Buffer.from(text, "base64")), n = Math.floor(planes.length / 8), out = Buffer.from(planes);
for (let i = 0; i < n; i++) for (let k = 0; k < 8; k++) out[8 * i + k] = planes[k * n + i];
await writeFile(table, out);
