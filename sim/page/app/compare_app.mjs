// SPDX-License-Identifier: BSD-3-Clause
// compare_app.mjs: recorded runs side by side: values and differences over time, all numbers at an instant.

const COLORS = { rigid: "#999999", body: "#e69f00", gmp: "var(--curve)", full: "var(--ink)", full_halved: "#cc79a7", full_quartered: "#d55e00",
  gmp_halved: "#56b4e9", gmp_quartered: "#009e73" };
const WIDE = innerWidth < 640 ? 520 : 1000, HIGH = 300, LEFT = 90, RIGHT = 20, TOP = 15, FOOT = 40;

// 0xrrggbb of a path, as the page's style has it now.
function colorOf(label) {
  const probe = document.createElement("span");
  probe.style.color = COLORS[label] ?? "#009e73";
  document.body.append(probe);
  const [r, g, b] = getComputedStyle(probe).color.match(/\d+/g).map(Number);
  probe.remove();
  return r << 16 | g << 8 | b;
}

const number = (v) => v === null ? "–" : v !== 0 && Math.abs(v) < 1e-3 ? v.toExponential(3).replace(/\.?0+e/, "e") : Number(v.toPrecision(6)).toString();

// Round numbers from lo to hi, some five.
function ticks(lo, hi) {
  const raw = (hi - lo) / 5 || 1, power = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].find((k) => k * power >= raw) * power;
  const list = [];
  for (let k = Math.ceil(lo / step); k * step <= hi + 1e-9 * step; k++) list.push(k * step);
  return list;
}

// Curves over time with a mark at instant `at`: [[label, values], …]; log: of sizes, from a millionth of the largest on.
function picture(time, curves, unit, at, what, log = false) {
  const all = curves.flatMap(([, y]) => y.filter((v) => v !== null));
  let lo = Math.min(...all, 0), hi = Math.max(...all, 0);
  if (!(lo < hi)) hi = lo + 1;
  const low = Math.floor(Math.log10(Math.min(...all.filter((v) => v > 1e-6 * hi), hi))), to = (v) => log ? Math.log10(Math.max(v, 10 ** low)) : v;
  if (log) [lo, hi] = [low, Math.max(Math.ceil(to(hi)), low + 1)];
  const end = time[time.length - 1] || 1, X = (t) => LEFT + (WIDE - LEFT - RIGHT) * t / end;
  const Y = (v) => TOP + (HIGH - TOP - FOOT) * (hi - to(v)) / (hi - lo);
  const text = (x, y, s, anchor) => `<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="13" fill="var(--ink)">${s}</text>`;
  const marks = log ? Array.from({ length: hi - lo + 1 }, (_, k) => 10 ** (lo + k)) : ticks(lo, hi);
  const rows = marks.map((v) => `<path d="M${LEFT} ${Y(v).toFixed(1)}H${WIDE - RIGHT}" stroke="var(--line)"/>${text(LEFT - 6, Y(v) + 4, number(v), "end")}`);
  const columns = ticks(0, end).map((t) => text(X(t), HIGH - FOOT + 18, number(t), "middle"));
  const lines = curves.map(([label, y]) => `<path fill="none" stroke="${COLORS[label] ?? "#009e73"}" stroke-width="${label === "full" ? 3.5 : 1.8}"${
    label === "gmp" ? ` stroke-dasharray="7 4"` : ""} d="${
    y.map((v, k) => v === null ? "" : `${k > 0 && y[k - 1] !== null ? "L" : "M"}${X(time[k]).toFixed(1)} ${Y(v).toFixed(1)}`).join("")}"/>`);
  return `<svg viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label="${what}">${rows.join("")}${columns.join("")}${lines.join("")}<path d="M${
    X(time[at]).toFixed(1)} ${TOP}V${HIGH - FOOT}" stroke="var(--ink)" stroke-dasharray="3 3"/>${text(LEFT, HIGH - 5, `${unit} over s`, "start")}</svg>`;
}

async function begin(data) {
  let moving = null;
  const { time, paths, quantities, full } = data, shown = new Set(paths.map((_, i) => i));
  const asked = new URLSearchParams(location.hash.slice(1));
  const escape = (s) => s.replace(/[<&"]/g, (c) => `&#${c.charCodeAt(0)};`);
  quantities.forEach(({ name }, k) => $("quantity").add(new Option(name, k)));
  paths.forEach(({ label }, i) => {
    const box = document.createElement("label"), input = document.createElement("input"), dot = document.createElement("span");
    Object.assign(input, { type: "checkbox", checked: true });
    Object.assign(dot, { textContent: "■ ", style: `color: ${COLORS[label] ?? "#009e73"}` });
    input.addEventListener("change", () => {
      if (input.checked) shown.add(i);
      else shown.delete(i);
      draw();
      moving?.arrange();
    });
    box.append(input, dot, `${label} `);
    $("paths").append(box);
  });
  $("time").max = time.length - 1;

  function offer() {
    const q = quantities[$("quantity").value], n = q.value[0].length;
    $("component").replaceChildren(...Array.from({ length: n }, (_, c) => new Option(n === 3 ? "xyz"[c] : n === 1 ? "all" : `${c + 1}`, c)));
    // what moves most on the reference
    const size = (y) => Math.max(0, ...y.map((v) => Math.abs(v ?? 0))), of = q.value[full >= 0 ? full : 0].map(size);
    $("component").value = of.indexOf(Math.max(...of));
  }

  function draw() {
    const k = Number($("quantity").value), c = Number($("component").value), at = Number($("time").value), q = quantities[k];
    const order = [...shown].sort((a, b) => (b === full) - (a === full));
    $("title").textContent = `${q.name}, ${q.what}`;
    $("values").innerHTML = picture(time, order.map((i) => [paths[i].label, q.value[i][c]]), q.unit, at, "Values over time");
    $("from").textContent = full >= 0 ? "Differences from the path full" : "No path full, no differences";
    $("differences").innerHTML = full >= 0 ? picture(time, order.filter((i) => i !== full).map((i) => [paths[i].label, q.difference[i]]), q.unit, at,
      "Differences over time", $("log").checked) : "";
    $("instant").textContent = `t = ${number(time[at])} s`;
    moving?.paint();
    $("numbers").tBodies[0].innerHTML = paths.map(({ label, unknowns, steps, step }, i) => `<tr><th>${escape(label)}</th>${
      [q.value[i][c][at], q.difference[i][at], q.difference[i].some((v) => v !== null) ? Math.max(...q.difference[i].map((v) => v ?? 0)) : null].map((v) =>
        `<td>${number(v)}${v === null ? "" : ` ${escape(q.unit)}`}</td>`).join("")}<td>${unknowns}</td><td>${steps}</td><td>${number(step)}</td></tr>`).join("");
    history.replaceState(null, "", `#${new URLSearchParams({ quantity: q.name, component: c, instant: at })}`);
  }

  const named = quantities.findIndex(({ name }) => name === asked.get("quantity"));
  $("quantity").value = Math.max(named, 0);
  offer();
  if (named >= 0 && Number(asked.get("component")) < quantities[named].value[0].length) $("component").value = Number(asked.get("component"));
  $("time").value = asked.get("instant") ?? 0;
  $("quantity").addEventListener("change", () => {
    offer();
    draw();
  });
  for (const id of ["component", "time", "log"]) $(id).addEventListener("input", draw);
  for (const id of ["values", "differences"]) $(id).addEventListener("click", (e) => {
    const box = $(id).getBoundingClientRect(), x = (e.clientX - box.left) / box.width * WIDE, t = (x - LEFT) / (WIDE - LEFT - RIGHT) * time[time.length - 1];
    $("time").value = time.reduce((best, v, k) => Math.abs(v - t) < Math.abs(time[best] - t) ? k : best, 0);
    draw();
  });
  draw();
  offerTables(["numbers"]);
  offerCopy($("values"), "these numbers", () => {
    const q = quantities[$("quantity").value], c = $("component").value;
    return [["s", ...paths.map(({ label }) => label)], ...time.map((t, k) => [t, ...q.value.map((y) => y[c][k])])].map((row) => row.join("\t")).join("\n");
  });
  if (data.undrawn) $("undrawn").textContent = data.undrawn;
  if (data.motion) moving = await offerMotion(data, shown, () => time[Number($("time").value)]);
  $("status").textContent = "";
  globalThis.modewayRuns = { data, moving };
}

unpack("runs").then((bytes) => begin(JSON.parse(new TextDecoder().decode(bytes)))).catch((e) => {
  $("status").textContent = `The runs cannot be shown here: ${e.message}`;
});
