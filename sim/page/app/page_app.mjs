// SPDX-License-Identifier: BSD-3-Clause
// page_app.mjs: the page of a reduced model: sliders, frequencies, response, the model running.

const $ = (id) => document.getElementById(id);
const about = JSON.parse($("about").textContent);

async function unpack(id) {
  const text = $(id).textContent.replace(/\s/g, "");
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Three fields NAME.x, .y, .z that are a position: [[name, first], …].
function positions(model) {
  const found = [];
  model.yNames.forEach((name, k) => {
    if (name.endsWith(".x") && model.yNames[k + 1] === `${name.slice(0, -2)}.y` && model.yNames[k + 2] === `${name.slice(0, -2)}.z`
      && about.units[k] === "m") found.push([name.slice(0, -2), k]);
  });
  return found;
}

function chart(hz, size, to) {
  const low = Math.floor(Math.log10(Math.min(...size))), high = Math.max(Math.ceil(Math.log10(Math.max(...size))), low + 1);
  const X = (f) => 52 + 430 * f / hz[hz.length - 1], Y = (v) => 250 - 235 * (Math.log10(v) - low) / (high - low);
  let s = `<svg viewBox="0 0 500 285" role="img" aria-label="Receptance of ${to} over frequency">`;
  if (about.band > 0 && about.band < hz[hz.length - 1])
    s += `<rect x="${X(about.band)}" y="15" width="${482 - X(about.band)}" height="235" fill="var(--grey)"/>`;
  for (let d = low; d <= high; d++)
    s += `<path d="M52 ${Y(10 ** d)}H482" stroke="var(--line)"/><text x="47" y="${Y(10 ** d) + 4}" text-anchor="end" font-size="12" fill="var(--ink)">1e${d}</text>`;
  for (let k = 0; k <= 4; k++) {
    const f = hz[hz.length - 1] * k / 4;
    s += `<text x="${X(f)}" y="266" text-anchor="middle" font-size="12" fill="var(--ink)">${Number(f.toPrecision(3))}</text>`;
  }
  s += `<text x="267" y="282" text-anchor="middle" font-size="12" fill="var(--ink)">Hz</text>`;
  return `${s}<path fill="none" stroke="var(--curve)" stroke-width="1.8" d="M${Array.from(hz, (f, k) => `${X(f).toFixed(1)} ${Y(size[k]).toFixed(1)}`).join("L")}"/></svg>`;
}

const length = (x) => x >= 1 ? `${x.toPrecision(3)} m` : x >= 1e-3 ? `${(1e3 * x).toPrecision(3)} mm` : `${(1e6 * x).toPrecision(3)} µm`;

// 1, 2 or 5 times a power of ten, at most x.
function round(x) {
  const power = 10 ** Math.floor(Math.log10(x)), share = x / power;
  return power * (share >= 5 ? 5 : share >= 2 ? 2 : 1);
}

async function start() {
  const model = await open(await unpack("wasm"), await unpack("table"));
  const machine = $("machine") ? new Machine(JSON.parse(new TextDecoder().decode(await unpack("machine"))),
    $("shapes") ? await unpack("shapes") : null, model) : null;
  const view = new View($("view"), machine);
  const s = model.n.theta, target = model.lo.map((a, i) => 0.5 * (a + model.hi[i]));
  location.hash.slice(1).split(",").map(Number).forEach((v, i) => {
    if (i < s && v >= model.lo[i] && v <= model.hi[i] && location.hash.length > 1) target[i] = v;
  });
  const out = positions(model);
  let linear = null, modes = null, mode = -1, running = false, time = 0;
  model.linear(target);  // takes its memory, before views of x are kept

  $("drawn").textContent = machine
    ? `${machine.drawn ? "" : "The reduced model has no shapes to draw: bodies stand without deflection; modeway reduce makes it anew with them. "
      }Drag to turn; +, − and the wheel zoom.`
    : `The machine is not drawn: ${about.why ?? "its model is not at hand"}.`;
  $("stands").textContent = about.stands.join(" ");
  for (const id of ["from", "to"]) model.yNames.forEach((name, k) => {
    if (id === "to" || about.forces[k]) $(id).add(new Option(name, k));
  });

  const magnify = () => Number($("magnify").value) || 1;

  // Outputs that are positions, displacements enlarged.
  function marks() {
    const y = Float64Array.from(model.outputs()), x = model.state();
    const stiff = Float64Array.from(x);
    stiff.fill(0, s);
    model.setState(stiff);
    const y0 = Float64Array.from(model.outputs());
    model.setState(x);
    return out.map(([name, k]) => ({ name, x: [0, 1, 2].map((i) => y0[k + i] + magnify() * (y[k + i] - y0[k + i])) }));
  }

  function show() {
    const x = model.state();
    let most = 0;
    if (machine) {
      machine.place(x.slice(0, s));
      most = machine.deflect(x.subarray(s, s + model.n.delta));
    }
    view.draw(marks(), magnify());
    const y = model.outputs();
    $("shown").textContent = machine?.drawn ? `Largest deflection ${length(most)}, drawn ${magnify()} times.` : "";
    $("live").textContent = `t = ${time.toFixed(3)} s\n${out.map(([name, k]) =>
      `${name}: ${[0, 1, 2].map((i) => y[k + i].toFixed(6)).join(", ")} m`).join("\n")}`;
  }

  // Mode `mode` at the sliders' place, a twenty-fifth of the machine's size, one swing in a second and a half.
  function swing(now) {
    const row = modes.rows.subarray(mode * modes.hz.length, (mode + 1) * modes.hz.length);
    machine.place(target);
    const by = 0.08 * view.radius / (machine.deflect(row) || 1) * Math.sin(2 * Math.PI * now / 1500);
    view.draw([], by);
    $("shown").textContent = `Mode ${mode + 1}, ${modes.hz[mode].toFixed(2)} Hz, slowed down; largest deflection drawn as ${
      length(0.08 * view.radius)}.`;
  }

  function choose(k) {
    if (running) $("run").click();
    const was = mode;
    mode = k === mode ? -1 : k;
    for (const b of $("modes").querySelectorAll("button")) b.setAttribute("aria-pressed", Number(b.value) === mode);
    if (mode < 0) show();
    else if (was < 0) requestAnimationFrame(swinging);
  }

  function swinging(now) {
    if (mode < 0) return;
    guarded(() => swing(now));
    requestAnimationFrame(swinging);
  }

  // Draws the machine with the next frame, once however often it is asked for.
  let soon = false;
  function showSoon() {
    if (soon || running || mode >= 0) return;
    soon = true;
    requestAnimationFrame(() => {
      soon = false;
      guarded(show);
    });
  }

  // Frequencies in the certificate's band; the table is made anew where their number changes alone, so that it keeps the focus.
  function tabulate(f) {
    const n = about.band > 0 ? f.filter((v) => v <= about.band).length : f.length, rows = $("modes").tBodies[0].rows;
    if (mode >= n) mode = -1;
    while (rows.length > n) rows[rows.length - 1].remove();
    while (rows.length < n) {
      const k = rows.length, row = $("modes").tBodies[0].insertRow();
      row.innerHTML = `<th>${k + 1}</th><td></td>${machine?.drawn
        ? `<td><button value="${k}" aria-pressed="false" aria-label="Show mode ${k + 1}">Show</button></td>` : ""}`;
      row.querySelector("button")?.addEventListener("click", () => guarded(() => choose(k)));
    }
    for (let k = 0; k < n; k++) rows[k].cells[1].textContent = f[k].toFixed(3);
  }

  function respond() {
    const load = Number($("from").value), to = Number($("to").value), theta = running ? model.state().slice(0, s) : target;
    linear = model.linear(theta, load);
    modes = model.modes(linear);
    const f = modes.hz, top = about.band > 0 ? 1.25 * about.band : 1.5 * f[Math.min(2, f.length - 1)];
    const hz = Float64Array.from({ length: 401 }, (_, k) => top * (k + 1) / 401);
    const h = model.receptance(linear, to, hz), size = Array.from(hz, (_, k) => Math.max(Math.hypot(h.re[k], h.im[k]), 1e-300));
    $("chart").innerHTML = chart(hz, size, model.yNames[to].replace(/[<&"]/g, ""));
    const at = size.indexOf(Math.max(...size));
    $("peak").textContent = `${about.units[to]}/${about.forces[load]}, coordinates held; largest ${size[at].toExponential(3)} at ${hz[at].toFixed(1)} Hz.`
      + (about.band > 0 ? ` Grey: beyond ${about.band.toPrecision(4)} Hz, up to which the certificate judges.` : "")
      + (about.left_out ? ` ${about.left_out}` : "");
    $("unit").textContent = about.forces[load];
    tabulate(f);
    return { hz, h };
  }

  function rest() {
    linear = model.linear(target, Number($("from").value));
    model.setState(linear.x);
  }

  // A step of h: coordinates go to the sliders as a critically damped oscillator of 1.5 Hz would.
  function advance(h) {
    const w = 2 * Math.PI * 1.5, n = model.n.acc;
    const acc = target.map((to, i) => w * w * (to - model.x[i]) - 2 * w * model.x[n + i]);
    model.driven(h, Number($("from").value), Number($("force").value) || 0, 2 ** s - 1, acc);
    time += h;
  }

  function guarded(work) {
    try {
      work();
    } catch (e) {
      if (!(e instanceof ModewayError)) throw e;
      running = false;
      $("run").textContent = "Run";
      $("status").textContent = `The model refuses: ${e.message}.`;
    }
  }

  about.coordinates.forEach(({ name, unit }, i) => {
    const label = document.createElement("label"), input = document.createElement("input"), value = document.createElement("output");
    Object.assign(input, { type: "range", min: model.lo[i], max: model.hi[i], step: "any", value: target[i] });
    input.setAttribute("aria-label", `${name}, ${unit}`);
    const write = () => (value.textContent = `${name} = ${target[i].toFixed(4)} ${unit}`);
    write();
    input.addEventListener("input", () => guarded(() => {
      target[i] = Number(input.value);
      write();
      if (!running) rest();
      respond();
      showSoon();
    }));
    input.addEventListener("change", () => location.replace(`#${target.map((v) => v.toPrecision(6)).join(",")}`));
    label.append(value, input);
    $("sliders").append(label);
  });
  for (const id of ["from", "to"]) $(id).addEventListener("change", () => guarded(respond));
  $("magnify").addEventListener("change", () => guarded(show));
  $("step").addEventListener("click", () => guarded(() => {
    if (mode >= 0) choose(mode);
    advance(5e-4);
    show();
  }));
  $("reset").addEventListener("click", () => guarded(() => {
    time = 0;
    if (mode >= 0) choose(mode);
    rest();
    show();
  }));
  let last = 0;
  function frame(now) {
    if (!running) return;
    guarded(() => {
      const steps = Math.min(Math.round((now - last) / 0.5), 100);
      for (let k = 0; k < steps; k++) advance(5e-4);
      show();
    });
    last = now;
    requestAnimationFrame(frame);
  }
  $("run").addEventListener("click", () => {
    if (mode >= 0) choose(mode);
    running = !running;
    $("run").textContent = running ? "Pause" : "Run";
    $("status").textContent = "";
    last = performance.now();
    if (running) requestAnimationFrame(frame);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => view.draw());
  addEventListener("resize", () => view.draw());
  guarded(() => {
    const own = model.yNames.map((_, k) => about.forces[k] ? Math.abs(model.receptance(model.linear(target, k), k, [0]).re[0]) : 0);
    for (const id of ["from", "to"]) $(id).value = own.indexOf(Math.max(...own));  // what gives way most to a force of its own
    rest();
    respond();
    if (machine?.drawn) {  // what is bent at rest is drawn as a thirtieth of the machine's size
      machine.place(target);
      const sag = machine.deflect(linear.x.subarray(s, s + model.n.delta));
      if (sag > 0) $("magnify").value = Math.max(round(0.06 * view.radius / sag), 1);
    }
    show();
    $("status").textContent = "";
  });
  globalThis.modewayPage = { model, machine, view, respond, target, show };
}

start().catch((e) => {
  $("status").textContent = `The model cannot run here: ${e.message}`;
});
