// SPDX-License-Identifier: BSD-3-Clause
// page_machine.mjs: where the points of the machine are: x = o + E (X + scale u), with frames o, E and columns over theta.

// Points of a uniform grid (n an axis, from lo to hi) and their weights at theta: cubics through the four nearest an axis.
function around(theta, lo, hi, n) {
  let list = [[0, 1]];
  for (let i = 0; i < n.length; i++) {
    const k = Math.min(4, n[i]), share = Math.min(Math.max((theta[i] - lo[i]) / (hi[i] - lo[i]), 0), 1) * (n[i] - 1);
    const from = Math.min(Math.max(Math.floor(share) - 1, 0), n[i] - k), next = [];
    for (const [at, w] of list) for (let a = 0; a < k; a++) {
      let v = w;
      for (let b = 0; b < k; b++) if (b !== a) v *= (share - from - b) / (a - b);
      next.push([at * n[i] + from + a, v]);
    }
    list = next;
  }
  return list;
}

// Points of records that each begin with `head` numbers and go on with `count` points x, y, z, node.
function points(record, head, count, bodyOf) {
  const size = head + 4 * count, n = record.length / size * count;
  const p = { n, body: new Int32Array(n), X: new Float64Array(3 * n), node: new Int32Array(n), x: new Float64Array(3 * n) };
  for (let k = 0; k < n; k++) {
    const r = Math.floor(k / count) * size, at = r + head + 4 * (k % count);
    p.body[k] = record[r + bodyOf[k % count]];
    p.X.set(record.subarray(at, at + 3), 3 * k);
    p.node[k] = record[at + 3];
  }
  return p;
}

export class Machine {
  /** data: what machine.c wrote; shapes: its bytes of the columns, null where there are none; model: lo, hi, n.delta. */
  constructor(data, shapes, model) {
    const list = (key) => Float64Array.from(data[key]).subarray(1);
    [this.tri, this.line, this.dot, this.frames] = ["tri", "line", "dot", "frames"].map(list);
    Object.assign(this, { n: data.n, lo: model.lo, hi: model.hi, m: model.n.delta });
    this.p = new Float64Array(this.frames.length / data.n.reduce((a, b) => a * b, 1));
    this.corners = points(this.tri, 2, 3, [0, 0, 0]);
    this.ends = points(this.line, 4, 2, [0, 1]);
    this.marks = points(this.dot, 2, 1, [0]);
    this.drawn = data.drawn && shapes ? this.#unpack(data.drawn, shapes) : null;
    this.u = new Float64Array(this.drawn ? 3 * this.drawn.nodes.reduce((a, b) => a + b, 0) : 0);
    this.turn = new Float64Array(this.p.length / 2);  // v, omega of rigid bodies
    this.d = new Float64Array(3);
    this.theta = null;
    this.shares = [0, 0.5, 1];  // of the ranges, where it is looked at to see how much room it takes
  }

  #unpack({ n, shapes, nodes }, bytes) {
    const total = shapes.reduce((a, b) => a + b, 0), elastic = shapes.reduce((a, k, b) => a + (nodes[b] > 0 ? k : 0), 0);
    const points = n.reduce((a, b) => a * b, 1), all = this.m * total, units = 4 * (all + elastic);
    const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const steps = new Int16Array(data, units, points * all), amplitude = new Int16Array(points * all);
    for (let k = 0, from = 0; k < all; k++)
      for (let p = 0, v = 0; p < points; p++) amplitude[p * all + k] = v += steps[from++];
    return { n, shapes, nodes, total, amplitude, step: new Float32Array(data, 0, all), unit: new Float32Array(data, 4 * all, elastic),
      shape: new Int16Array(data, units + 2 * points * all), here: new Float64Array(all) };
  }

  /** Frames, and columns, at theta. */
  place(theta) {
    if (this.theta && theta.every((v, i) => v === this.theta[i])) return;
    this.theta = Array.from(theta);
    this.p.fill(0);
    for (const [at, w] of around(theta, this.lo, this.hi, this.n))
      for (let k = 0, from = at * this.p.length; k < this.p.length; k++) this.p[k] += w * this.frames[from + k];
    if (!this.drawn) return;
    const { n, here, amplitude, step } = this.drawn;
    here.fill(0);
    for (const [at, w] of around(theta, this.lo, this.hi, n))
      for (let k = 0, from = at * here.length; k < here.length; k++) here[k] += w * amplitude[from + k];
    for (let k = 0; k < here.length; k++) here[k] *= step[k];
  }

  /** Displacements of nodes and rigid bodies for amplitudes delta [m], in body axes; returns the largest of a node, m. */
  deflect(delta) {
    if (!this.drawn) return 0;
    const { shapes, nodes, total, here, unit, shape } = this.drawn, eta = new Float64Array(total);
    for (let a = 0; a < this.m; a++) for (let k = 0; k < total; k++) eta[k] += delta[a] * here[a * total + k];
    this.u.fill(0);
    let k = 0, at = 0, first = 0, scale = 0, most = 0;
    shapes.forEach((count, b) => {
      const size = 3 * nodes[b];
      if (size === 0) for (let i = 0; i < count; i++) this.turn[6 * b + i] = eta[k + i];
      else for (let i = 0; i < count; i++, at += size) {
        const by = eta[k + i] * unit[scale++];
        for (let j = 0; j < size; j++) this.u[first + j] += by * shape[at + j];
      }
      k += count;
      first += size;
    });
    for (let i = 0; i < this.u.length; i += 3) most = Math.max(most, Math.hypot(this.u[i], this.u[i + 1], this.u[i + 2]));
    for (let i = 0; i < this.turn.length; i += 6) most = Math.max(most, Math.hypot(this.turn[i], this.turn[i + 1], this.turn[i + 2]));
    return most;
  }

  // Displacement of point k of q in body axes, m: into d.
  #shift(q, k) {
    const { u, turn, d } = this, node = 3 * q.node[k];
    if (node >= 0) for (let i = 0; i < 3; i++) d[i] = u[node + i];
    else {
      const t = 6 * q.body[k], [a, b, c] = [q.X[3 * k], q.X[3 * k + 1], q.X[3 * k + 2]];
      d[0] = turn[t] + turn[t + 4] * c - turn[t + 5] * b;
      d[1] = turn[t + 1] + turn[t + 5] * a - turn[t + 3] * c;
      d[2] = turn[t + 2] + turn[t + 3] * b - turn[t + 4] * a;
    }
  }

  /** Puts the points of q (corners, ends or marks) where they are, displacements times `by`: q.x, ground axes. */
  locate(q, by) {
    const { p, d } = this;
    for (let k = 0; k < q.n; k++) {
      const o = 12 * q.body[k];
      this.#shift(q, k);
      const x = q.X[3 * k] + by * d[0], y = q.X[3 * k + 1] + by * d[1], z = q.X[3 * k + 2] + by * d[2];
      q.x[3 * k] = p[o] + p[o + 3] * x + p[o + 4] * y + p[o + 5] * z;
      q.x[3 * k + 1] = p[o + 1] + p[o + 6] * x + p[o + 7] * y + p[o + 8] * z;
      q.x[3 * k + 2] = p[o + 2] + p[o + 9] * x + p[o + 10] * y + p[o + 11] * z;
    }
  }

  /** How far corners and ends are displaced, m. */
  measure() {
    const far = (q) => Float64Array.from({ length: q.n }, (_, k) => {
      this.#shift(q, k);
      return Math.sqrt(this.d[0] * this.d[0] + this.d[1] * this.d[1] + this.d[2] * this.d[2]);
    });
    return { corners: far(this.corners), ends: far(this.ends) };
  }

  /** Centre and radius of all that is drawn at these shares of the ranges, undeflected, and its points then. */
  extent() {
    const box = [], lo = [Infinity, Infinity, Infinity], hi = [-Infinity, -Infinity, -Infinity];
    for (const share of this.shares) {
      this.place(this.lo.map((a, i) => a + share * (this.hi[i] - a)));
      for (const q of [this.corners, this.ends]) {
        this.locate(q, 0);
        for (let k = 0; k < 3 * q.n; k++) {
          lo[k % 3] = Math.min(lo[k % 3], q.x[k]);
          hi[k % 3] = Math.max(hi[k % 3], q.x[k]);
          if (k % 3 === 2) box.push([q.x[k - 2], q.x[k - 1], q.x[k]]);
        }
      }
    }
    return { box, centre: lo.map((a, i) => 0.5 * (a + hi[i])), radius: Math.max(0.5 * Math.hypot(...hi.map((a, i) => a - lo[i])), 1e-9) };
  }
}
