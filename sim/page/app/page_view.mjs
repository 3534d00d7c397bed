// SPDX-License-Identifier: BSD-3-Clause
// page_view.mjs: the machine at a place, on a canvas: triangles from far to near, then lines and marks.

class View {
  constructor(canvas, machine, model) {
    this.canvas = canvas;
    this.model = model;
    this.angle = -0.75;
    this.tilt = 0.5;
    this.zoom = 1;
    this.machine = machine;
    if (machine) {
      this.tri = Float64Array.from(machine.tri).subarray(1);
      this.line = Float64Array.from(machine.line).subarray(1);
      this.dot = Float64Array.from(machine.dot).subarray(1);
      this.frames = Float64Array.from(machine.frames).subarray(1);
      this.size = this.frames.length / machine.n.reduce((a, b) => a * b, 1);
      this.p = new Float64Array(this.size);
      this.#extent();
    }
    this.#listen();
  }

  // Frames at theta: cubics through the four nearest points of the grid along each axis.
  place(theta) {
    const { n } = this.machine, { lo, hi } = this.model, s = n.length;
    const first = [], weight = [];
    for (let i = 0; i < s; i++) {
      let share = (theta[i] - lo[i]) / (hi[i] - lo[i]);
      share = Math.min(Math.max(share, 0), 1) * (n[i] - 1);
      const k = Math.min(4, n[i]), from = Math.min(Math.max(Math.floor(share) - 1, 0), n[i] - k);
      first.push(from);
      weight.push(Array.from({ length: k }, (_, a) => {
        let w = 1;
        for (let b = 0; b < k; b++) if (b !== a) w *= (share - from - b) / (a - b);
        return w;
      }));
    }
    this.p.fill(0);
    const walk = (i, at, w) => {
      if (i === s) {
        for (let k = 0; k < this.size; k++) this.p[k] += w * this.frames[at * this.size + k];
        return;
      }
      for (let a = 0; a < weight[i].length; a++) walk(i + 1, at * n[i] + first[i] + a, w * weight[i][a]);
    };
    walk(0, 0, 1);
  }

  point(body, a, k) {
    const p = this.p, o = 12 * body, x = a[k], y = a[k + 1], z = a[k + 2];
    return [p[o] + p[o + 3] * x + p[o + 4] * y + p[o + 5] * z, p[o + 1] + p[o + 6] * x + p[o + 7] * y + p[o + 8] * z,
      p[o + 2] + p[o + 9] * x + p[o + 10] * y + p[o + 11] * z];
  }

  #extent() {
    const lo = [Infinity, Infinity, Infinity], hi = [-Infinity, -Infinity, -Infinity];
    const see = (x) => x.forEach((v, i) => {
      lo[i] = Math.min(lo[i], v);
      hi[i] = Math.max(hi[i], v);
    });
    for (const share of [0, 0.5, 1]) {
      this.place(this.model.lo.map((a, i) => a + share * (this.model.hi[i] - a)));
      for (let t = 0; t < this.tri.length; t += 11) for (let k = 2; k < 11; k += 3) see(this.point(this.tri[t], this.tri, t + k));
      for (let t = 0; t < this.line.length; t += 10) {
        see(this.point(this.line[t], this.line, t + 4));
        see(this.point(this.line[t + 1], this.line, t + 7));
      }
    }
    this.centre = lo.map((a, i) => 0.5 * (a + hi[i]));
    this.radius = Math.max(0.5 * Math.hypot(...hi.map((a, i) => a - lo[i])), 1e-9);
  }

  #listen() {
    const turn = (a, b) => {
      this.angle += a;
      this.tilt = Math.min(Math.max(this.tilt + b, -1.5), 1.5);
      this.draw();
    };
    this.canvas.addEventListener("pointerdown", (e) => this.canvas.setPointerCapture(e.pointerId));
    this.canvas.addEventListener("pointermove", (e) => e.buttons && turn(-0.01 * e.movementX, 0.01 * e.movementY));
    this.canvas.addEventListener("keydown", (e) => {
      const by = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[e.key];
      if (by) turn(...by);
      else if (e.key === "+" || e.key === "-") {
        this.zoom *= e.key === "+" ? 1.1 : 1 / 1.1;
        this.draw();
      } else return;
      e.preventDefault();
    });
  }

  #eye() {
    const ca = Math.cos(this.angle), sa = Math.sin(this.angle), ct = Math.cos(this.tilt), st = Math.sin(this.tilt);
    const scale = 0.62 * this.zoom * Math.min(this.canvas.width, this.canvas.height * 1.2) / this.radius;
    const [cx, cy, cz] = this.centre, w = 0.5 * this.canvas.width, h = 0.5 * this.canvas.height;
    return ([x, y, z]) => {
      const a = ca * (x - cx) + sa * (y - cy), b = -sa * (x - cx) + ca * (y - cy), c = z - cz;
      return [w + scale * a, h - scale * (ct * c + st * b), ct * b - st * c];  // px, px, depth
    };
  }

  /** marks: points in ground axes with a name. */
  draw(theta = this.theta, marks = this.marks ?? []) {
    this.theta = theta;
    this.marks = marks;
    const g = this.canvas.getContext("2d"), style = getComputedStyle(this.canvas);
    const wide = Math.round(this.canvas.clientWidth * devicePixelRatio), high = Math.round(this.canvas.clientHeight * devicePixelRatio);
    if (this.canvas.width !== wide || this.canvas.height !== high) Object.assign(this.canvas, { width: wide, height: high });
    g.clearRect(0, 0, wide, high);
    if (!this.machine) return;
    this.place(theta);
    const eye = this.#eye(), all = [], tri = this.tri;
    for (let t = 0; t < tri.length; t += 11) {
      const q = [2, 5, 8].map((k) => this.point(tri[t], tri, t + k));
      const u = q[1].map((v, i) => v - q[0][i]), v = q[2].map((z, i) => z - q[0][i]);
      const nx = u[1] * v[2] - u[2] * v[1], ny = u[2] * v[0] - u[0] * v[2], nz = u[0] * v[1] - u[1] * v[0];
      const light = 0.55 + 0.45 * Math.abs(0.35 * nx - 0.45 * ny + 0.82 * nz) / (Math.hypot(nx, ny, nz) || 1);
      const [a, b, c] = q.map(eye);
      all.push([a[2] + b[2] + c[2], a, b, c, tri[t + 1], light]);
    }
    all.sort((a, b) => b[0] - a[0]);
    for (const [, a, b, c, rgb, light] of all) {
      g.fillStyle = g.strokeStyle = `rgb(${(rgb >> 16) * light | 0},${(rgb >> 8 & 255) * light | 0},${(rgb & 255) * light | 0})`;
      g.beginPath();
      g.moveTo(a[0], a[1]);
      g.lineTo(b[0], b[1]);
      g.lineTo(c[0], c[1]);
      g.closePath();
      g.fill();
      g.stroke();
    }
    const line = this.line;
    for (let t = 0; t < line.length; t += 10) {
      if (line[t + 2] < 2) continue;  // edges of blocks would shine through
      const a = eye(this.point(line[t], line, t + 4)), b = eye(this.point(line[t + 1], line, t + 7)), rgb = line[t + 3];
      g.strokeStyle = `rgb(${rgb >> 16},${rgb >> 8 & 255},${rgb & 255})`;
      g.lineWidth = line[t + 2] * devicePixelRatio * 0.7;
      g.beginPath();
      g.moveTo(a[0], a[1]);
      g.lineTo(b[0], b[1]);
      g.stroke();
    }
    g.lineWidth = 1;
    const colors = ["", "#777", "#d00", "#080"];
    for (let t = 0; t < this.dot.length; t += 5) {
      const color = colors[this.dot[t + 1]], a = eye(this.point(this.dot[t], this.dot, t + 2));
      if (!color) continue;
      g.fillStyle = color;
      g.fillRect(a[0] - 2, a[1] - 2, 4, 4);
    }
    g.fillStyle = style.color;
    g.font = `${13 * devicePixelRatio}px sans-serif`;
    for (const { x, name } of this.marks) {
      const [a, b] = eye(x);
      g.beginPath();
      g.arc(a, b, 5 * devicePixelRatio, 0, 7);
      g.fill();
      g.fillText(name, a + 9 * devicePixelRatio, b - 4 * devicePixelRatio);
    }
  }
}
