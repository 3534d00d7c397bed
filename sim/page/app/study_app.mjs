// SPDX-License-Identifier: BSD-3-Clause
// study_app.mjs: a study as parallel coordinates, with ranges that are kept, points that none beats, and a table that sorts.

const HIGH = 340, TOP = 50, FOOT = 40, MOST = 200;  // px; rows of the table

const number = (v) => v === null ? "–" : v !== 0 && Math.abs(v) < 1e-3 ? v.toExponential(3) : Number(v.toPrecision(5)).toString();
const plain = (s) => s.replace(/[<&"]/g, (c) => `&#${c.charCodeAt(0)};`);

function begin({ parameters, criteria, units, points }) {
  const names = [...parameters, ...criteria.map((c, k) => units[k] ? `${c}, ${units[k]}` : c)], n = names.length, first = parameters.length;
  const ends = names.map((_, k) => {
    const all = points.map((p) => p[k]).filter((v) => v !== null);
    const lo = Math.min(...all), hi = Math.max(...all);
    const wide = Math.max(Math.abs(lo), Math.abs(hi)) || 1;  // what differs by rounding alone is the same
    return hi - lo > 1e-9 * wide ? [lo, hi] : [lo - 0.1 * wide, hi + 0.1 * wide];
  });
  const kept = names.map(() => null), aims = criteria.map(() => 0);
  let sorted = first, up = true;

  criteria.forEach((c, k) => {
    $("by").add(new Option(names[first + k], first + k));
    const label = document.createElement("label"), select = document.createElement("select");
    ["any", "small", "large"].forEach((text, v) => select.add(new Option(text, v)));
    select.addEventListener("change", () => {
      aims[k] = [0, 1, -1][select.value];
      draw();
    });
    label.append(`${c} `, select, " ");
    $("aims").append(label);
  });

  // No other point is as good in all aims and better in one.
  function unbeaten(list) {
    const goals = aims.flatMap((a, k) => a ? [[a, first + k]] : []);
    if (goals.length === 0) return list;
    return list.filter((p) => !list.some((q) => q !== p && goals.every(([a, k]) => a * q[k] <= a * p[k]) && goals.some(([a, k]) => a * q[k] < a * p[k])));
  }

  const wide = () => Math.max(140 * n, $("lines").clientWidth || 900), X = (k) => 70 + (wide() - 140) * k / Math.max(n - 1, 1);
  const Y = (k, v) => TOP + (HIGH - TOP - FOOT) * (ends[k][1] - v) / (ends[k][1] - ends[k][0]);

  function draw() {
    const whole = points.filter((p) => p.every((v) => v !== null)), by = Number($("by").value);
    let list = whole.filter((p) => kept.every((r, k) => !r || (p[k] >= r[0] && p[k] <= r[1])));
    if ($("best").checked) list = unbeaten(list);
    const inside = new Set(list), hue = (p) => `hsl(${240 - 240 * (p[by] - ends[by][0]) / (ends[by][1] - ends[by][0])}, 75%, 50%)`;
    const path = (p) => `M${p.map((v, k) => `${X(k).toFixed(1)} ${Y(k, v).toFixed(1)}`).join("L")}`;
    const text = (x, y, s, more = "") => `<text x="${x}" y="${y}" text-anchor="middle" font-size="12" fill="var(--ink)" ${more}>${s}</text>`;
    $("lines").innerHTML = `<svg viewBox="0 0 ${wide()} ${HIGH}" style="width: ${wide()}px" role="img" aria-label="Parallel coordinates">${
      whole.filter((p) => !inside.has(p)).map((p) => `<path fill="none" stroke="var(--grey)" d="${path(p)}"/>`).join("")}${
      list.map((p) => `<path fill="none" stroke="${hue(p)}" stroke-width="1.4" d="${path(p)}"/>`).join("")}${
      names.map((name, k) => `<path d="M${X(k)} ${TOP}V${HIGH - FOOT}" stroke="var(--ink)"/>${kept[k] ? `<rect x="${X(k) - 6}" y="${Y(k, kept[k][1])}" width="12" height="${
        Math.max(Y(k, kept[k][0]) - Y(k, kept[k][1]), 1)}" fill="var(--curve)" opacity="0.5"/>` : ""}${text(X(k), k % 2 ? 16 : 32, plain(name))}${
        text(X(k), HIGH - FOOT + 16, number(ends[k][0]))}${text(X(k), TOP - 4, number(ends[k][1]))}`).join("")}</svg>`;
    $("count").textContent = `${list.length} of ${points.length} points.${list.length > MOST ? ` The table has the first ${MOST}.` : ""}`;
    list.sort((a, b) => (up ? 1 : -1) * (a[sorted] - b[sorted]));
    $("points").tHead.rows[0].innerHTML = names.map((name, k) => `<th><button data-k="${k}">${plain(name)}${k === sorted ? (up ? " ▲" : " ▼") : ""}</button></th>`).join("");
    $("points").tBodies[0].innerHTML = list.slice(0, MOST).map((p) => `<tr>${p.map((v) => `<td>${number(v)}</td>`).join("")}</tr>`).join("");
  }

  // The axis and the value at a place of the picture.
  function at(e) {
    const box = $("lines").firstChild.getBoundingClientRect(), x = e.clientX - box.left, y = (e.clientY - box.top) * HIGH / box.height;
    const k = names.reduce((best, _, i) => Math.abs(X(i) - x) < Math.abs(X(best) - x) ? i : best, 0);
    return [k, ends[k][1] - (y - TOP) / (HIGH - TOP - FOOT) * (ends[k][1] - ends[k][0]), y];
  }
  let from = null;
  $("lines").addEventListener("pointerdown", (e) => (from = at(e)));
  $("lines").addEventListener("pointerup", (e) => {
    if (!from) return;
    const [k, v, y] = from, [, to, end] = at(e);
    kept[k] = Math.abs(end - y) < 4 ? null : [Math.min(v, to), Math.max(v, to)];
    from = null;
    draw();
  });
  $("points").addEventListener("click", (e) => {
    const k = e.target.dataset.k;
    if (k === undefined) return;
    up = Number(k) !== sorted || !up;
    sorted = Number(k);
    draw();
  });
  for (const id of ["by", "best"]) $(id).addEventListener("change", draw);
  addEventListener("resize", draw);
  draw();
  offerCopy($("points"), "all points", () => [names, ...points].map((row) => row.join("\t")).join("\n"));
  $("status").textContent = "";
}

unpack("study").then((bytes) => begin(JSON.parse(new TextDecoder().decode(bytes)))).catch((e) => {
  $("status").textContent = `The study cannot be shown here: ${e.message}`;
});
