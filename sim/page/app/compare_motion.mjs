// SPDX-License-Identifier: BSD-3-Clause
// compare_motion.mjs: the machine as it moved in recorded runs, beside each other or in one picture; colours of deflections and differences.

/** The drawn machine of all runs; motion: what comparepage.c says of it ("end" s, "column", "largest" and "off" m of each path). */
export class Motion {
  constructor(data, shapes, motion) {
    const n = Math.max(...motion.column) + 1;
    Object.assign(this, { motion, machine: new Machine(data, shapes, { lo: [0], hi: [motion.end], n: { delta: n } }) });
    this.delta = new Float64Array(n);
    this.machine.shares = [0, 0.25, 0.5, 0.75, 1];
  }

  /** Displacements of path i at t, or with `difference` what it differs from the reference by; the largest of a node, m. */
  deflect(t, i, difference = false) {
    const { machine, motion, delta } = this, column = motion.column[i];
    delta.fill(0);
    if (!difference) delta[0] = motion.size[0];
    if (column > 0) delta[column] = motion.size[column];
    machine.place([Math.min(t, motion.end)]);
    return machine.deflect(delta);
  }
}

/** Fills #machines by a picture of each path in `drawn` and keeps them at time(); returns what draws them anew. */
async function offerMotion(data, shown, time) {
  const motion = new Motion(JSON.parse(new TextDecoder().decode(await unpack("machine"))), await unpack("shapes"), data.motion);
  const drawn = data.paths.map((_, i) => i).filter((i) => data.motion.column[i] >= 0), views = new Map();
  const size = Math.max(...data.motion.largest, 1e-300), differs = data.motion.off;
  const compared = data.motion.reference === data.full, { reference } = data.motion;
  let playing = 0;

  // A picture whose layers are runs: [[path, colour of all of it, null: of its bodies], …].
  function add(layers, text) {
    const figure = document.createElement("figure"), canvas = document.createElement("canvas"), caption = document.createElement("figcaption");
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `The machine, ${text}. Arrow keys turn it, + and - zoom.`);
    caption.textContent = text;
    figure.append(canvas, caption);
    $("machines").append(figure);
    const view = new View(canvas, motion.machine);
    const pose = (i, tint) => () => {
      const by = $("colour").value, difference = by === "difference";
      let values = null;  // of the reference run differences are none
      if (by !== "bodies") {
        motion.deflect(time(), i, difference);
        values = motion.machine.measure();
      }
      motion.deflect(time(), i);
      return { tint, values, top: difference ? differs[i] || 1 : size };
    };
    const say = ([i]) => {
      const { label } = data.paths[i], far = length(motion.deflect(time(), i)), off = length(motion.deflect(time(), i, true));
      return `${label}: deflected by ${far}${!compared || i === reference ? "" : `, ${off} off the path full, ${length(differs[i])} at most`}`;
    };
    view.layers = layers.map(([i, tint]) => pose(i, tint));
    view.onturn = () => {
      for (const other of views.values()) {
        Object.assign(other, { angle: view.angle, tilt: view.tilt, zoom: view.zoom });
        other.draw();
      }
    };
    view.caption = () => (caption.textContent = layers.map(say).join("; "));
    views.set(text, view);
  }

  const paint = () => {
    const by = Number($("magnify").value) || 1;
    for (const view of views.values()) {
      view.draw([], by);
      view.caption();
    }
    const what = { deflection: length(size), difference: "each run's largest difference" }[$("colour").value];
    $("scale").hidden = !what;
    if (what) $("scale").innerHTML = scaleBar(what);
  };

  function arrange() {
    $("machines").replaceChildren();
    const old = [...views.values()][0], order = drawn.filter((i) => shown.has(i));
    views.clear();
    if ($("arranged").value === "over") add(order.map((i) => [i, colorOf(data.paths[i].label)]), order.map((i) => data.paths[i].label).join(", "));
    else for (const i of order) add([[i, null]], data.paths[i].label);
    $("machines").className = views.size > 1 ? "two" : "";
    if (old) for (const view of views.values()) Object.assign(view, { angle: old.angle, tilt: old.tilt, zoom: old.zoom });
    paint();
  }

  // At a tenth of real time or slower, so that a run takes four seconds at least.
  function play(last) {
    if (!playing) return;
    const now = performance.now(), range = $("time"), to = Number(range.max);
    playing += (now - last) / Math.max(4000, 10000 * data.motion.end) * to;
    if (playing > to) playing = 1e-9;
    if (Math.floor(playing) !== Number(range.value)) {
      range.value = Math.floor(playing);
      range.dispatchEvent(new Event("input"));
    }
    requestAnimationFrame(() => play(now));
  }

  $("magnify").value = Math.max(round(0.06 * motion.machine.extent().radius / size), 1);
  if (!compared) $("colour").querySelector("[value=difference]").remove();
  for (const id of ["arranged", "colour"]) $(id).addEventListener("change", arrange);
  $("magnify").addEventListener("input", paint);
  addEventListener("resize", paint);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", arrange);
  $("play").addEventListener("click", () => {
    playing = playing ? 0 : Number($("time").value) + 1e-9;
    $("play").textContent = playing ? "Pause" : "Play";
    if (playing) play(performance.now());
  });
  $("kept").textContent = `Drawn at ${motion.machine.n[0]} instants up to ${Number(data.motion.end.toPrecision(6))} s, by cubics between them.`;
  $("motion").hidden = false;
  arrange();
  return { motion, views, arrange, paint };
}
