// SPDX-License-Identifier: BSD-3-Clause
// page_block.mjs: what pages carry packed: bytes of the element with an id.

const $ = (id) => document.getElementById(id);

async function unpack(id) {
  const text = $(id).textContent.replace(/\s/g, "");
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
