// SPDX-License-Identifier: BSD-3-Clause
// page_view.mjs: the machine on a canvas: triangles, lines and marks with depths, seen from far away; names over them.
//
// The raster has two samples a pixel of the page each way and its own depths: no graphics processor is needed, and every browser
// draws the same.

const length = (x) => x >= 1 ? `${x.toPrecision(3)} m` : x >= 1e-3 ? `${(1e3 * x).toPrecision(3)} mm` : `${(1e6 * x).toPrecision(3)} µm`;

// 1, 2 or 5 times a power of ten, at most x.
function round(x) {
  const power = 10 ** Math.floor(Math.log10(x)), share = x / power;
  return power * (share >= 5 ? 5 : share >= 2 ? 2 : 1);
}

// Colours from the least value to the largest, as those of maps (draw/plot_cells.c); 0xrrggbb.
const PALETTE = [0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725];
function hue(share) {
  const at = Math.min(Math.max(share, 0), 1) * (PALETTE.length - 1), k = Math.min(Math.floor(at), PALETTE.length - 2), t = at - k;
  const part = (shift) => Math.round((1 - t) * (PALETTE[k] >> shift & 255) + t * (PALETTE[k + 1] >> shift & 255)) << shift;
  return part(16) | part(8) | part(0);
}

/** A bar of these colours from 0 to what `text` says, as SVG. */
function scaleBar(text) {
  const css = (share) => `#${hue(share).toString(16).padStart(6, "0")}`;
  const cells = Array.from({ length: 40 }, (_, k) => `<rect x="${20 + 6 * k}" y="2" width="6.5" height="12" fill="${css((k + 0.5) / 40)}"/>`);
  return `<svg viewBox="0 0 500 18" style="max-width: 500px" role="img" aria-label="Colours from 0 to ${text}">${cells.join("")
    }<text x="14" y="13" text-anchor="end" font-size="12" fill="var(--ink)">0</text><text x="266" y="13" font-size="12" fill="var(--ink)">${text}</text></svg>`;
}

class View {
  constructor(canvas, machine) {
    this.canvas = canvas;
    this.machine = machine;
    this.angle = -0.75;
    this.tilt = 0.5;
    this.zoom = 1;
    this.by = 1;
    this.marks = [];
    this.pulled = null;  // the mark that is pulled, and where to, samples
    this.layers = null;  // functions that pose the machine and say how it is painted, null: as it stands, in the colours of its bodies
    this.onturn = () => this.draw();
    this.onpull = null;  // (mark, distance in ground axes as drawn, m; null: let go)
    if (machine) {
      Object.assign(this, machine.extent());
      this.#fit();
    }
    this.#listen();
  }

  // Half width and height of all that is drawn, at all ends of the ranges, as it is seen at first, m.
  #fit() {
    Object.assign(this, { wide: 1, high: 1, half: [0.46, 0.46] });
    this.#aim();
    this.half = [1e-9, 1e-9];
    for (const x of this.box) for (let i = 0; i < 2; i++) {
      const [a, b, c] = [0, 1, 2].map((k) => this.eye[3 * i + k] * (x[k] - this.centre[k]));
      this.half[i] = Math.max(this.half[i], Math.abs(a + b + c));
    }
    this.wide = 0;
  }

  #listen() {
    const turn = (a, b) => {
      this.angle += a;
      this.tilt = Math.min(Math.max(this.tilt + b, -1.5), 1.5);
      this.onturn();
    };
    const zoom = (by) => {
      this.zoom = Math.min(Math.max(this.zoom * by, 0.2), 50);
      this.onturn();
    };
    const at = new Map();
    const pull = (e) => {
      const box = this.canvas.getBoundingClientRect(), dot = [0, 0, 0];
      this.#see(this.marks[this.pulled.mark].x, 0, dot, 0);
      const right = 2 * (e.clientX - box.left), down = 2 * (e.clientY - box.top);
      this.pulled.to = [right, down];
      const by = this.eye.slice(0, 6).map((v, i) => v * (i < 3 ? right - dot[0] : down - dot[1])), per = this.scale * this.scale;
      this.onpull?.(this.pulled.mark, [0, 1, 2].map((i) => (by[i] + by[3 + i]) / per));
    };
    const span = () => {
      const [a, b] = [...at.values()];
      return Math.hypot(a.x - b.x, a.y - b.y);
    };
    this.canvas.addEventListener("pointerdown", (e) => {
      this.canvas.setPointerCapture(e.pointerId);
      const mark = at.size === 0 && this.onpull ? this.#mark(e) : -1;
      if (mark >= 0) this.pulled = { mark, to: null };
      at.set(e.pointerId, { x: e.clientX, y: e.clientY });
    });
    for (const end of ["pointerup", "pointercancel"]) this.canvas.addEventListener(end, (e) => {
      at.delete(e.pointerId);
      if (this.pulled) this.onpull(this.pulled.mark, null);
      this.pulled = null;
    });
    this.canvas.addEventListener("pointermove", (e) => {
      const was = at.get(e.pointerId);
      if (!at.size) this.canvas.style.cursor = this.onpull && this.#mark(e) >= 0 ? "grab" : "";
      if (!was) return;
      if (this.pulled) return pull(e);
      const before = at.size === 2 ? span() : 0;
      at.set(e.pointerId, { x: e.clientX, y: e.clientY });
      if (at.size === 2) zoom(span() / before);
      else turn(-0.01 * (e.clientX - was.x), 0.01 * (e.clientY - was.y));
    });
    this.canvas.addEventListener("wheel", (e) => {
      if (document.activeElement !== this.canvas) return;  // else it scrolls the page
      e.preventDefault();
      zoom(1.001 ** -e.deltaY);
    }, { passive: false });
    this.canvas.addEventListener("keydown", (e) => {
      const by = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[e.key];
      if (by) turn(...by);
      else if (e.key === "+" || e.key === "-") zoom(e.key === "+" ? 1.1 : 1 / 1.1);
      else return;
      e.preventDefault();
    });
  }

  // The mark within 16 pixels of the pointer, -1: none.
  #mark(e) {
    const box = this.canvas.getBoundingClientRect(), a = [0, 0, 0];
    let found = -1, least = 32;
    this.marks.forEach(({ x }, k) => {
      this.#see(x, 0, a, 0);
      const far = Math.hypot(a[0] - 2 * (e.clientX - box.left), a[1] - 2 * (e.clientY - box.top));
      if (far < least) [found, least] = [k, far];
    });
    return found;
  }

  // Samples and depth of a point: x right, y down, depth away from the eye.
  #aim() {
    const ca = Math.cos(this.angle), sa = Math.sin(this.angle), ct = Math.cos(this.tilt), st = Math.sin(this.tilt);
    const scale = 0.46 * this.zoom * Math.min(this.wide / this.half[0], this.high / this.half[1]), [cx, cy, cz] = this.centre;
    this.scale = scale;
    // rows: sample x, sample y, depth
    this.eye = [scale * ca, scale * sa, 0, scale * st * sa, -scale * st * ca, -scale * ct, -ct * sa, ct * ca, -st];
    const e = this.eye;
    this.shift = [0.5 * this.wide - e[0] * cx - e[1] * cy, 0.5 * this.high - e[3] * cx - e[4] * cy - e[5] * cz,
      -e[6] * cx - e[7] * cy - e[8] * cz];
  }

  #see(x, k, out, at) {
    const e = this.eye, s = this.shift;
    for (let i = 0; i < 3; i++) out[at + i] = s[i] + e[3 * i] * x[k] + e[3 * i + 1] * x[k + 1] + e[3 * i + 2] * x[k + 2];
  }

  #size() {
    const wide = Math.round(2 * this.canvas.clientWidth), high = Math.round(2 * this.canvas.clientHeight);
    if (this.wide === wide && this.high === high) return;
    Object.assign(this, { wide, high });
    Object.assign(this.canvas, { width: wide, height: high });
    this.image = this.canvas.getContext("2d").createImageData(Math.max(wide, 1), Math.max(high, 1));
    this.pixel = new Uint32Array(this.image.data.buffer);
    this.depth = new Float32Array(this.pixel.length);
  }

  // A triangle between the samples (x, y, depth) at s[i], rows from top to bottom: one end on the long edge, one on the short ones.
  #fill(s, i, color) {
    let ax = s[i], ay = s[i + 1], bx = s[i + 3], by = s[i + 4], cx = s[i + 6], cy = s[i + 7], h;
    const az = s[i + 2], bz = s[i + 5], cz = s[i + 8];
    const { wide, high, depth, pixel } = this, det = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    if (!(Math.abs(det) > 1e-9)) return;
    const dx = ((bz - az) * (cy - ay) - (cz - az) * (by - ay)) / det, dy = ((cz - az) * (bx - ax) - (bz - az) * (cx - ax)) / det;
    const z0 = az - dx * ax - dy * ay;
    if (by < ay) h = ax, ax = bx, bx = h, h = ay, ay = by, by = h;
    if (cy < ay) h = ax, ax = cx, cx = h, h = ay, ay = cy, cy = h;
    if (cy < by) h = bx, bx = cx, cx = h, h = by, by = cy, cy = h;
    const top = Math.max(Math.ceil(ay - 0.5), 0), end = Math.min(Math.floor(cy - 0.5), high - 1);
    if (end < top) return;
    const long = (cx - ax) / (cy - ay), up = by > ay ? (bx - ax) / (by - ay) : 0, down = cy > by ? (cx - bx) / (cy - by) : 0;
    for (let row = top; row <= end; row++) {
      const y = row + 0.5, p = ax + long * (y - ay), q = y < by ? ax + up * (y - ay) : bx + down * (y - by);
      const from = Math.max(Math.ceil((p < q ? p : q) - 0.5), 0), to = Math.min(Math.floor((p < q ? q : p) - 0.5), wide - 1);
      let z = z0 + dx * (from + 0.5) + dy * y;
      for (let at = row * wide + from, last = row * wide + to; at <= last; at++, z += dx)
        if (z < depth[at]) {
          depth[at] = z;
          pixel[at] = color;
        }
    }
  }

  // A line of samples a, `lift` nearer to the eye: a column or a row of `width` samples a step.
  #stroke(a, width, lift, color) {
    const { wide, high, depth, pixel } = this, flat = Math.abs(a[3] - a[0]) > Math.abs(a[4] - a[1]);
    const n = Math.ceil(Math.max(Math.abs(a[3] - a[0]), Math.abs(a[4] - a[1]), 1)), w = Math.max(Math.round(width), 1);
    if (n > 20 * (wide + high)) return;
    const step = flat ? wide : 1, most = flat ? high : wide;
    for (let k = 0; k <= n; k++) {
      const t = k / n, x = a[0] + t * (a[3] - a[0]), y = a[1] + t * (a[4] - a[1]), z = a[2] + t * (a[5] - a[2]) - lift;
      const along = Math.floor(flat ? x : y), from = Math.round((flat ? y : x) - 0.5 * w);
      if (along < 0 || along >= (flat ? wide : high)) continue;
      let at = (flat ? along : along * wide) + Math.max(from, 0) * step;
      for (let c = Math.max(from, 0); c < Math.min(from + w, most); c++, at += step)
        if (z < depth[at]) {
          depth[at] = z;
          pixel[at] = color;
        }
    }
  }

  // A square mark at a.
  #dot(a, width, lift, color) {
    for (let k = 0; k < width; k++) this.#stroke([a[0] - 0.5 * width, a[1] + k - 0.5 * width, a[2], a[0] + 0.5 * width,
      a[1] + k - 0.5 * width, a[2]], 1, lift, color);
  }

  // values: {"corners", "ends"} of all points, painted from 0 to top; tint: one colour for all of it.
  #paint({ tint = null, values = null, top = 1 } = {}) {
    const { machine } = this, { tri, line, dot, corners, ends, marks } = machine, a = new Float64Array(9);
    const rgb = (c, by = 1) => 0xff000000 | (c & 255) * by << 16 | (c >> 8 & 255) * by << 8 | (c >> 16) * by;
    for (const q of [corners, ends, marks]) machine.locate(q, this.by);
    const x = corners.x, see = this.seen = this.seen ?? new Float64Array(x.length), e = this.eye, [ex, ey, ez] = this.shift;
    for (let i = 0; i < x.length; i += 3) {
      see[i] = ex + e[0] * x[i] + e[1] * x[i + 1] + e[2] * x[i + 2];
      see[i + 1] = ey + e[3] * x[i] + e[4] * x[i + 1] + e[5] * x[i + 2];
      see[i + 2] = ez + e[6] * x[i] + e[7] * x[i + 1] + e[8] * x[i + 2];
    }
    for (let i = 0, t = 1; i < x.length; i += 9, t += 14) {
      const ux = x[i + 3] - x[i], uy = x[i + 4] - x[i + 1], uz = x[i + 5] - x[i + 2];
      const vx = x[i + 6] - x[i], vy = x[i + 7] - x[i + 1], vz = x[i + 8] - x[i + 2];
      const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
      const light = 0.55 + 0.45 * Math.abs(0.35 * nx - 0.45 * ny + 0.82 * nz) / (Math.sqrt(nx * nx + ny * ny + nz * nz) || 1);
      const v = values?.corners, k = i / 3, color = v ? hue((v[k] + v[k + 1] + v[k + 2]) / (3 * top)) : tint ?? tri[t];
      this.#fill(see, i, rgb(v && Number.isNaN(v[k] + v[k + 1] + v[k + 2]) ? 0x999999 : color, light));
    }
    for (let k = 0; k < ends.n; k += 2) {
      const at = k / 2 * 12, width = line[at + 2], edge = width < 2;
      for (let c = 0; c < 2; c++) this.#see(ends.x, 3 * (k + c), a, 3 * c);
      this.#stroke(a, edge ? 2 : 1.6 * width, (edge ? 0.004 : 0.1) * this.radius,
        rgb(values && !edge ? hue((values.ends[k] + values.ends[k + 1]) / (2 * top)) : !edge && tint !== null ? tint : line[at + 3]));
    }
    const colors = [0, 0x777777, 0xdd0000, 0x008800];
    for (let k = 0; k < marks.n; k++) {
      const color = colors[dot[6 * k + 1]];
      if (!color) continue;
      this.#see(marks.x, 3 * k, a, 0);
      this.#dot(a, 8, 0.01 * this.radius, rgb(color));
    }
  }

  /** marks: points in ground axes with a name; by: what displacements are drawn times. */
  draw(marks = this.marks, by = this.by) {
    Object.assign(this, { marks, by });
    if (!this.machine) return;
    this.#size();
    this.#aim();
    this.pixel.fill(0);
    this.depth.fill(Infinity);
    for (const pose of this.layers ?? [() => ({})]) this.#paint(pose());
    const g = this.canvas.getContext("2d"), a = [0, 0, 0];
    g.putImageData(this.image, 0, 0);
    g.fillStyle = getComputedStyle(this.canvas).color;
    g.font = "26px sans-serif";
    const named = [];
    for (const { x, name } of marks) {
      this.#see(x, 0, a, 0);
      let y = a[1] - 8;
      while (named.some(([u, v]) => Math.abs(u - a[0]) < 120 && Math.abs(v - y) < 28)) y += 28;  // names keep clear of each other
      named.push([a[0], y]);
      g.beginPath();
      g.arc(a[0], a[1], 9, 0, 7);
      g.fill();
      g.fillText(name, a[0] + 16, y);
    }
    if (!this.pulled?.to) return;
    this.#see(marks[this.pulled.mark].x, 0, a, 0);
    g.strokeStyle = g.fillStyle;
    g.lineWidth = 3;
    g.beginPath();
    g.moveTo(a[0], a[1]);
    g.lineTo(...this.pulled.to);
    g.stroke();
  }
}
