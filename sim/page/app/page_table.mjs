// SPDX-License-Identifier: BSD-3-Clause
// page_table.mjs: tables of a page: sorted by the button in a heading, copied as text with tabulators.

/** Order of rows by the texts of a column: numbers by value, before what is none. */
export function order(texts, up) {
  const value = texts.map((t) => parseFloat(t)), sign = up ? 1 : -1;
  return texts.map((_, i) => i).sort((i, j) => {
    const [a, b] = [value[i], value[j]];
    if (Number.isNaN(a) !== Number.isNaN(b)) return Number.isNaN(a) ? 1 : -1;
    return (sign * (Number.isNaN(a) ? texts[i].localeCompare(texts[j]) : a - b)) || i - j;
  });
}

/** Puts text on the clipboard; without one that pages may write to, by a field that is selected. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

/** A button behind `place` that copies what text() gives, and says so. */
export function offerCopy(place, what, text) {
  const button = document.createElement("button");
  button.textContent = `Copy ${what}`;
  button.className = "copy";
  button.addEventListener("click", async () => {
    await copy(text());
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = `Copy ${what}`), 1500);
  });
  place.after(button);
}

const cells = (row) => Array.from(row.cells, (c) => c.textContent.trim());

function offerSort(table, head) {
  const rows = Array.from(table.rows).filter((r) => r !== head), body = rows[0]?.parentNode;
  Array.from(head.cells).forEach((cell, k) => {
    const button = document.createElement("button");
    button.textContent = cell.textContent;
    button.className = "sort";
    cell.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = cell.getAttribute("aria-sort") !== "ascending";
      for (const c of head.cells) c.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", up ? "ascending" : "descending");
      const now = Array.from(table.rows).filter((r) => r !== head);
      for (const i of order(now.map((r) => r.cells[k]?.textContent.trim() ?? ""), up)) body.append(now[i]);
    });
  });
}

/** All tables of the page: those that scripts do not fill anew (live: their ids) are sorted, too. */
export function offerTables(live) {
  for (const table of document.querySelectorAll("table")) {
    const head = table.rows[0];
    if (!live.includes(table.id) && head && Array.from(head.cells).every((c) => c.tagName === "TH")) offerSort(table, head);
    offerCopy(table, "this table", () => Array.from(table.rows, (r) => cells(r).join("\t")).join("\n"));
  }
}
