// SPDX-License-Identifier: BSD-3-Clause
// page_app.mjs: the page of a reduced model: sliders, frequencies, response, the model running.

const about = JSON.parse($("about").textContent);

// Bytes that stand as mw_page_planes puts them, in their order.
function whole(planes) {
  const n = Math.floor(planes.length / 8), out = planes.slice();
  for (let k = 0; k < 8; k++) for (let i = 0; i < n; i++) out[8 * i + k] = planes[k * n + i];
  return out;
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
  const step = round(hz[hz.length - 1] / 4);
  for (let f = 0; f <= hz[hz.length - 1]; f += step) {
    s += `<text x="${X(f)}" y="266" text-anchor="middle" font-size="12" fill="var(--ink)">${Number(f.toPrecision(3))}</text>`;
  }
  s += `<text x="267" y="282" text-anchor="middle" font-size="12" fill="var(--ink)">Hz</text>`;
  return `${s}<path fill="none" stroke="var(--curve)" stroke-width="1.8" d="M${Array.from(hz, (f, k) => `${X(f).toFixed(1)} ${Y(size[k]).toFixed(1)}`).join("L")}"/></svg>`;
}

// Stable depth over speed; where none is found the curve stops.
function lobeChart(rpm, depth, top) {
  const n = rpm.length - 1, X = (i) => 62 + 420 * i / n, Y = (b) => 225 - 205 * Math.min(b / top, 1);
  const text = (x, y, s, anchor) => `<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="12" fill="var(--ink)">${s}</text>`;
  let s = "", pen = "M";
  for (let i = 0; i <= n; i++) {
    if (Number.isFinite(depth[i])) s += `${pen}${X(i).toFixed(1)} ${Y(depth[i]).toFixed(1)}`;
    pen = Number.isFinite(depth[i]) ? "L" : "M";
  }
  return `<svg viewBox="0 0 500 260" role="img" aria-label="Stable depth of cut over spindle speed"><path d="M62 15V225H482" fill="none" stroke="var(--line)"/>${
    text(57, 24, length(top), "end")}${text(57, 229, "0", "end")}${text(62, 241, rpm[0].toFixed(0), "start")}${text(482, 241, rpm[n].toFixed(0), "end")}${
    text(272, 256, "1/min", "middle")}<path fill="none" stroke="var(--curve)" stroke-width="1.8" d="${s}"/></svg>`;
}

const H = 5e-4;  // s, steps under the sliders; up to eight times as long where they take more than half of their own time
const AT_ONCE = 20;  // ms of a picture that steps may take
const HUES = ["var(--curve)", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

// What controllers are off by over the time of a scenario, m or rad.
function trace(scenario, names) {
  const { errors, sampled, samples, length: end } = scenario;
  const most = Math.max(...errors.map((e) => Math.max(...e.subarray(0, sampled).map(Math.abs))), 1e-12);
  const top = round(most) * (round(most) < most ? Math.ceil(most / round(most)) : 1);
  const X = (n) => 62 + 420 * n / (samples - 1), Y = (v) => 70 - 55 * v / top;
  const text = (x, y, s, more = "") => `<text x="${x}" y="${y}" font-size="12" fill="var(--ink)" ${more}>${s}</text>`;
  const curves = errors.map((e, c) => `<path fill="none" stroke="${HUES[c % HUES.length]}" stroke-width="1.6" d="M${
    Array.from(e.subarray(0, sampled), (v, n) => `${X(n).toFixed(1)} ${Y(v).toFixed(1)}`).join("L")}"/>${
    text(62 + 130 * c, 158, names[c].replace(/[<&"]/g, ""), `style="fill: ${HUES[c % HUES.length]}"`)}`);
  return `<svg viewBox="0 0 500 165" role="img" aria-label="What the drives are off by over time"><path d="M62 15V125H482M62 70H482" fill="none" stroke="var(--line)"/>${
    text(57, 19, top.toPrecision(2), `text-anchor="end"`)}${text(57, 74, "0", `text-anchor="end"`)}${text(57, 129, (-top).toPrecision(2), `text-anchor="end"`)
    }${text(68, 22, "off by, m or rad")}${text(62, 140, "0 s")}${text(482, 140, `${Number(end.toPrecision(4))} s`, `text-anchor="end"`)}${curves.join("")}</svg>`;
}

async function start() {
  const model = await open(await unpack("wasm"), whole(await unpack("table")));
  const machine = $("machine") ? new Machine(JSON.parse(new TextDecoder().decode(await unpack("machine"))),
    $("shapes") ? await unpack("shapes") : null, model) : null;
  const view = new View($("view"), machine);
  const scenarios = $("scenarios") ? JSON.parse(new TextDecoder().decode(await unpack("scenarios"))) : { run: [], not: [], cutting: [] };
  const s = model.n.theta, target = model.lo.map((a, i) => 0.5 * (a + model.hi[i]));
  const parameters = $("kept") ? new Parameters(about, whole(await unpack("kept")), model) : null, values = parameters?.made.slice() ?? [];
  // The address: coordinates, parameters, then what is shown by name.
  const SHOWN = ["from", "to", "process"], [numbers, ...others] = location.hash.slice(1).split("&"), asked = new URLSearchParams(others.join("&"));
  const keep = () => {
    const shown = new URLSearchParams(SHOWN.map((id) => [id, $(id).selectedOptions[0]?.text ?? ""]));
    if ($("cutting").open) shown.set("lobes", 1);
    location.replace(`#${[...target, ...values].map((v) => v.toPrecision(6)).join(",")}&${shown}`);
  };
  const within = (v, lo, hi) => numbers !== "" && v >= lo && v <= hi;
  numbers.split(",").map(Number).forEach((v, i) => {
    const p = about.parameters[i - s];
    if (i < s && within(v, model.lo[i], model.hi[i])) target[i] = v;
    if (parameters && p && within(v, p.node[0], p.node.at(-1))) values[i - s] = v;
  });
  parameters?.set(values);
  const out = positions(model);
  let drawn = null, linear = null, modes = null, mode = -1, running = false, time = 0, scenario = null, pulling = null, stride = 1, pace = 1;
  model.linear(target);  // takes its memory, before views of x are kept

  $("drawn").textContent = machine
    ? `${machine.drawn ? "" : "The reduced model has no shapes to draw: bodies stand without deflection; modeway reduce makes it anew with them. "
      }Drag to turn, drag a named mark to pull it; +, − and the wheel zoom.`
    : `The machine is not drawn: ${about.why ?? "its model is not at hand"}.`;
  $("stands").textContent = [...about.stands, ...scenarios.not.map((why) => `Not to be started here: scenario ${why}.`)].join(" ");
  scenarios.run.forEach(({ name }, k) => $("scenario").add(new Option(`scenario ${name}`, k)));
  for (const id of ["from", "to"]) model.yNames.forEach((name, k) => {
    if (id === "to" || about.forces[k]) $(id).add(new Option(name, k));
  });
  for (const id of ["feed", "normal"]) model.yNames.forEach((name, k) => {
    if (about.forces[k] === "N") $(id).add(new Option(name));
  });

  // Processes of scenarios, as entries of the lobes.
  const fields = model.yNames.map((name, k) => about.forces[k] === "N" ? name : null), processes = [];
  for (const process of scenarios.cutting) {
    const entries = entriesOf(process, fields);
    if (entries.why) $("stands").textContent += ` Not to be entered here: the cutting of scenario ${process.name}: ${entries.why}.`;
    else $("process").add(new Option(`scenario ${process.name}`, processes.push(entries) - 1));
  }
  function enter(k) {
    for (const [id, value] of Object.entries(processes[k] ?? {})) {
      const own = $(id).options && [...$(id).options].some((o) => o.value === value);
      if ($(id).options && !own) $(id).add(new Option(value));  // a sum of fields
      if (id === "down") $(id).checked = value;
      else $(id).value = value;
    }
  }

  const magnify = () => Number($("magnify").value) || 1;

  // Colours by deflection: to the largest since the model was last put to rest; of a mode as far as it swings.
  let peak = 0;
  if (machine?.drawn) view.layers = [() => $("colour").value === "bodies" ? {} : { values: machine.measure(), top: peak || 1 }];
  function tell(what) {
    $("scale").hidden = $("colour").value === "bodies";
    if (!$("scale").hidden && $("scale").dataset.what !== what) $("scale").innerHTML = scaleBar($("scale").dataset.what = what);
  }

  // Outputs without deflection at theta, which stay until it changes.
  let undeflected = { theta: [NaN], y: null };
  // Amplitudes of what is drawn.
  const amplitudes = (theta, row) => parameters?.turned ? parameters.amplitudes(parameters.drawn(small(theta, Number($("from").value)).C), row) : row;
  function stiff(x) {
    if (undeflected.theta.some((v, i) => v !== x[i])) {
      model.setState(x.map((v, i) => i < s ? v : 0));
      undeflected = { theta: Array.from(x.subarray(0, s)), y: Float64Array.from(model.outputs(false)) };
      model.setState(x);
    }
    return undeflected.y;
  }

  // Outputs y that are positions, displacements enlarged.
  function marks(x, y) {
    const y0 = stiff(x);
    return out.map(([name, k]) => ({ name, x: [0, 1, 2].map((i) => y0[k + i] + magnify() * (y[k + i] - y0[k + i])) }));
  }

  function show() {
    const x = model.state(), y = Float64Array.from(model.outputs(false));
    let most = 0;
    if (machine) {
      machine.place(x.slice(0, s));
      most = machine.deflect(amplitudes(x.slice(0, s), x.subarray(s, s + model.n.delta)));
      peak = running ? Math.max(peak, most) : most;
      tell(length(peak));
    }
    view.draw(marks(x, y), magnify());
    $("shown").textContent = machine?.drawn ? `Largest deflection ${length(most)}, drawn ${magnify()} times.` : "";
    $("errors").innerHTML = scenario?.controllers.length > 0 ? trace(scenario, scenario.controllers.map((a) => model.uNames[a.drive])) : "";
    $("live").textContent = `t = ${time.toFixed(3)} s\n${out.map(([name, k]) =>
      `${name}: ${[0, 1, 2].map((i) => y[k + i].toFixed(6).replace(/^-(0\.0+)$/, "$1")).join(", ")} m`).join("\n")}${
      pulling ? `\n${out[pulling.mark][0]} pulled by ${pulling.force.map((f) => Math.abs(f) < 1e-9 * Math.hypot(...pulling.force) ? "0" : f.toPrecision(3)).join(", ")} N` : ""}${
      running && pace < 0.9 ? `\n${Math.round(100 * pace)} % of real time` : ""}`;
  }

  // Mode `mode` at the sliders' place, a twenty-fifth of the machine's size, one swing in a second and a half.
  function swing(now) {
    const row = modes.rows.subarray(mode * modes.hz.length, (mode + 1) * modes.hz.length);
    machine.place(target);
    peak = machine.deflect(amplitudes(target, row));
    tell("the mode's largest");
    const by = 0.08 * view.radius / (peak || 1) * Math.sin(2 * Math.PI * now / 1500);
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

  // Small motions at theta, which stay until it or the force changes.
  let kept = { theta: [NaN], load: -1, linear: null };
  function small(theta, load) {
    if (kept.load !== load || kept.theta.some((v, i) => v !== theta[i])) kept = { theta: Array.from(theta), load, linear: model.linear(theta, load) };
    return kept.linear;
  }

  function respond() {
    const load = Number($("from").value), to = Number($("to").value), theta = running ? model.state().slice(0, s) : target;
    linear = small(theta, load);
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
    cut();
    drawn = { hz, h };
    return drawn;
  }

  // Receptance between sums of fields at hz: motion of one, a force along the other.
  function between(theta, load, motion, hz) {
    const sum = { re: new Float64Array(hz.length), im: new Float64Array(hz.length) };
    for (const [v, along] of load) {
      const at = model.linear(theta, along);
      for (const [w, k] of motion) {
        const h = model.receptance(at, k, hz);
        for (let i = 0; i < hz.length; i++) {
          sum.re[i] += v * w * h.re[i];
          sum.im[i] += v * w * h.im[i];
        }
      }
    }
    return sum;
  }

  // Lobes here, while they are shown.
  function cut() {
    if (!$("cutting").open) return;
    const number = (id) => Number($(id).value), other = $("normal").value;
    const feed = termsOf($("feed").value, fields), normal = other === "" ? null : termsOf(other, fields);
    const share = Math.acos(1 - 2 * Math.min(Math.max(number("immersion"), 0.01), 1)), down = $("down").checked;
    const process = { force: number("cutforce"), radial: number("radial"), teeth: other === "" ? 0 : Math.max(Math.round(number("teeth")), 1),
      entry: down ? Math.PI - share : 0, exit: down ? Math.PI : share };
    const theta = running ? model.state().slice(0, s) : target, lo = Math.max(number("slow"), 1), hi = Math.max(number("fast"), 1.01 * lo);
    const top = about.band > 0 ? 1.25 * about.band : 1.5 * modes.hz[Math.min(2, modes.hz.length - 1)];
    // evenly, and closer together the nearer to a mode
    const near = Array.from(modes.hz).filter((f) => f < top).slice(0, 12).flatMap((f) =>
      Array.from({ length: 201 }, (_, i) => f * (1 + 0.1 * ((i - 100) / 100) ** 3)));
    const even = Array.from({ length: 2000 }, (_, k) => top * (k + 1) / 2000);
    const hz = Float64Array.from([...even, ...near.filter((f) => f <= top)]).sort(), rpm = Float64Array.from({ length: 400 }, (_, k) => lo + (hi - lo) * k / 399);
    const ends = other === "" ? [[feed, feed]] : [[feed, feed], [feed, normal], [normal, feed], [normal, normal]];
    const { depth, any } = depths(process, hz, branches(process, ends.map(([k, load]) => between(theta, load, k, hz)), hz.length), rpm);
    const found = Number.isFinite(any) && process.force > 0;
    $("lobes").innerHTML = found ? lobeChart(rpm, depth, 10 * any) : "";
    $("depth").textContent = found ? `${process.teeth ? "Milling by mean forces (zero order)" : "Turning"}, coordinates held; stable below ${
      length(any)} at any speed. Chatter is looked for up to ${top.toPrecision(3)} Hz; modeway lobes takes the forces as they change.`
      : "Stable at any depth, as far as the band tells.";
  }

  function rest() {
    if (scenario) return scenario.reset();
    linear = small(target, Number($("from").value));
    model.setState(linear.x);
  }

  // Gains of a scenario's controllers, from a tenth to ten times what the model says.
  function offer() {
    $("gains").replaceChildren();
    for (const a of scenario?.controllers ?? []) for (const key of ["kp", "kd", "ki"]) {
      if (!(a[key] > 0)) continue;
      const own = a[key], label = document.createElement("label"), value = document.createElement("output"), input = document.createElement("input");
      const write = () => (value.textContent = `${model.uNames[a.drive]} ${key} ${Number(a[key].toPrecision(4))}`);
      Object.assign(input, { type: "range", min: -1, max: 1, step: 0.01, value: 0 });
      input.setAttribute("aria-label", `${key} of ${model.uNames[a.drive]}`);
      input.addEventListener("input", () => {
        a[key] = own * 10 ** Number(input.value);
        write();
      });
      write();
      label.className = "gain";
      label.append(value, input);
      $("gains").append(label);
    }
  }

  // A step of h: coordinates go to the sliders as a critically damped oscillator of 1.5 Hz would.
  function advance() {
    const load = pulling ? out[pulling.mark][1] : Number($("from").value);
    const force = pulling ? pulling.force : Number($("force").value) || 0;
    if (scenario) {
      if (!scenario.over) scenario.step(load, force);
      time = scenario.t;
      if (scenario.over && running) $("run").click();
      return;
    }
    const h = H * stride, w = 2 * Math.PI * 1.5, n = model.n.acc;
    const acc = target.map((to, i) => w * w * (to - model.x[i]) - 2 * w * model.x[n + i]);
    model.driven(h, load, force, 2 ** s - 1, acc);
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
    input.addEventListener("change", keep);
    label.append(value, input);
    $("sliders").append(label);
  });
  // Parameters: another table, and nothing that was computed of the last one stays.
  function set(k, v) {
    values[k] = v;
    parameters.set(values);
    kept.theta = undeflected.theta = [NaN];
    if (!running) rest();
    respond();
    showSoon();
  }
  for (const [k, p] of (parameters?.list ?? []).entries()) {
    const label = document.createElement("label"), input = document.createElement("input"), value = document.createElement("output");
    Object.assign(input, { type: "range", min: p.node[0], max: p.node.at(-1), step: "any", value: values[k] });
    input.setAttribute("aria-label", p.name);
    const write = () => (value.textContent = `${p.name} = ${Number(values[k].toPrecision(4))}`);
    write();
    input.addEventListener("input", () => guarded(() => {
      set(k, Number(input.value));
      write();
    }));
    input.addEventListener("change", keep);
    label.className = "gain";
    label.append(value, input);
    $("parameters").append(label);
  }
  // The slider's ends: what would, at rest, deflect the field by a twentieth of the machine as drawn.
  const limit = () => {
    const load = Number($("from").value), give = Math.abs(model.receptance(small(target, load), load, [0]).re[0]);
    const most = round(Math.max(0.1 * (view.radius ?? 1) / (magnify() * give), 1e-9));
    Object.assign($("push"), { min: -most, max: most, step: most / 100, value: Number($("force").value) || 0 });
  };
  $("push").addEventListener("input", () => ($("force").value = Number(Number($("push").value).toPrecision(3))));
  $("force").addEventListener("input", () => ($("push").value = Number($("force").value) || 0));
  $("from").addEventListener("change", () => guarded(limit));
  for (const id of ["from", "to"]) $(id).addEventListener("change", () => guarded(respond));
  for (const id of SHOWN) $(id).addEventListener("change", keep);
  $("cutting").addEventListener("toggle", () => {
    guarded(cut);
    keep();
  });
  for (const input of $("cutting").querySelectorAll("input, select")) input.addEventListener("change", () => guarded(() => {
    if (input.id === "process") enter(input.value);
    else $("process").value = "";
    cut();
  }));
  $("scenario").addEventListener("change", () => guarded(() => {
    if (running) $("run").click();
    if (mode >= 0) choose(mode);
    const k = $("scenario").value;
    scenario = k === "" ? null : new Scenario(model, structuredClone(scenarios.run[k]));
    model.u.fill(0);
    time = 0;
    offer();
    rest();
    show();
  }));
  $("coloured").hidden = !machine?.drawn;
  for (const id of ["magnify", "colour"]) $(id).addEventListener("change", () => guarded(show));
  $("step").addEventListener("click", () => guarded(() => {
    if (mode >= 0) choose(mode);
    advance();
    show();
  }));
  $("reset").addEventListener("click", () => guarded(() => {
    time = 0;
    if (mode >= 0) choose(mode);
    rest();
    show();
  }));
  let last = 0, owed = 0;
  function frame(now) {
    if (!running) return;
    const start = performance.now(), h = scenario ? scenario.data.h : H * stride;
    let steps = 0;
    owed += Math.min(now - last, 50) * 1e-3;
    guarded(() => {
      for (; running && owed >= h && performance.now() - start < AT_ONCE; steps++, owed -= h) advance();
      const took = 1e-3 * (performance.now() - start);
      if (steps > 0 && !scenario && took > 0.5 * steps * h && stride < 8) stride *= 2;
      if (now > last) pace += 0.05 * (Math.min(1e3 * steps * h / (now - last), 1) - pace);
      owed = Math.min(owed, h);  // what is not done in time is left
      show();
    });
    last = now;
    requestAnimationFrame(frame);
  }

  // A mark pulled by the mouse: by the force that would hold it, at rest, where it is pulled to as drawn.
  if (machine) view.onpull = (mark, by) => guarded(() => {
    if (by === null) pulling = null;
    else {
      const k = out[mark][1], softest = pulling?.softest ?? Math.max(...[0, 1, 2].map((i) =>
        Math.abs(model.receptance(model.linear(target, k + i), k + i, [0]).re[0])));
      pulling = { mark, softest, force: by.map((d) => d / (magnify() * softest)) };
      if (!running) $("run").click();
    }
  });
  $("run").addEventListener("click", () => {
    if (mode >= 0) choose(mode);
    running = !running;
    if (running && scenario?.over) scenario.reset();
    $("run").textContent = running ? "Pause" : "Run";
    $("status").textContent = "";
    last = performance.now();
    [owed, pace] = [0, 1];
    if (running) requestAnimationFrame(frame);
  });
  offerTables(["modes"]);
  offerCopy($("peak"), "these numbers", () => `Hz\treal\timaginary\n${Array.from(drawn.hz, (f, k) => [f, drawn.h.re[k], drawn.h.im[k]].join("\t")).join("\n")}`);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => view.draw());
  addEventListener("resize", () => view.draw());
  guarded(() => {
    const own = model.yNames.map((_, k) => about.forces[k] ? Math.abs(model.receptance(model.linear(target, k), k, [0]).re[0]) : 0);
    for (const id of ["from", "to"]) $(id).value = own.indexOf(Math.max(...own));  // what gives way most to a force of its own
    const along = own.map((v, k) => fields[k] ? v : 0);
    $("feed").value = fields[along.indexOf(Math.max(...along))] ?? "";
    if (processes.length > 0) enter($("process").value = 0);
    for (const id of SHOWN) for (const o of $(id).options) if (o.text === asked.get(id)) $(id).value = o.value;
    if (asked.has("process")) enter($("process").value);
    $("cutting").open = asked.has("lobes");
    rest();
    respond();
    if (machine?.drawn) {  // what is bent at rest is drawn as a thirtieth of the machine's size
      machine.place(target);
      const sag = machine.deflect(amplitudes(target, linear.x.subarray(s, s + model.n.delta)));
      if (sag > 0) $("magnify").value = Math.max(round(0.06 * view.radius / sag), 1);
    }
    limit();
    show();
    $("status").textContent = "";
  });
  globalThis.modewayPage = { model, machine, view, respond, target, show, scenarios, Scenario, parameters, set, amplitudes, positions: out, scenario: () => scenario, modes: () => modes };
}

start().catch((e) => {
  $("status").textContent = `The model cannot run here: ${e.message}`;
});
