// SPDX-License-Identifier: BSD-3-Clause
// page_parameter.mjs: parameters that the reduced model keeps, set on the page.
//
//   c(p) = c(middle) + sum_r a_r u_r,  a_r = sum_g l_g(p) v_gr, l as in reduction/component/kept.c     (pagekept.c (2))
// Masses change the columns' amplitudes: those that are drawn are delta = W eta with
//   W'W = 1 - sum (p - p_made) mass y1 y1', W lower triangular (reduction/table/payload.c (2), read backwards).

export class Parameters {
  /** list, share: what pagekept.c says of them, v; bytes: u. */
  constructor({ parameters: list, share }, bytes, model) {
    Object.assign(this, { list, share, model, made: list.map((p) => p.value), values: list.map((p) => p.value) });
    this.u = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);
    this.middle = model.coefficients().map((c) => c.slice());
  }

  // Lagrange's polynomials of parameter k at p.
  #lagrange({ node }, p) {
    const at = node.indexOf(p);
    if (at >= 0) return node.map((_, j) => Number(j === at));
    const part = node.map((x, j) => (j % 2 ? -1 : 1) * (j === 0 || j === node.length - 1 ? 0.5 : 1) / (p - x));
    const sum = part.reduce((a, b) => a + b, 0);
    return part.map((x) => x / sum);
  }

  // a_r at values.
  #shares(values) {
    const { list, share } = this, l = list.map((p, k) => this.#lagrange(p, values[k])), nodes = list[0].node.length;
    const all = nodes ** list.length, rank = share.length / all, a = new Float64Array(rank);
    for (let g = 0; g < all; g++) {
      let by = 1;
      for (let k = list.length - 1, rest = g; k >= 0; k--, rest = Math.floor(rest / nodes)) by *= l[k][rest % nodes];
      for (let r = 0; r < rank; r++) a[r] += by * share[g * rank + r];
    }
    return a;
  }

  /** Puts the table at these values into the model. */
  set(values) {
    const a = this.#shares(values), { u } = this;
    let from = 0;
    this.model.coefficients().forEach((c, k) => {
      c.set(this.middle[k]);
      for (const by of a) {
        for (let i = 0; by !== 0 && i < c.length; i++) c[i] += by * u[from + i];
        from += c.length;
      }
    });
    this.values = Array.from(values);
  }

  /** Do columns have other amplitudes than the drawn ones? */
  get turned() {
    return this.list.some((p, k) => p.mass !== 0 && this.values[k] !== this.made[k]);
  }

  /** W [m x m] by columns C [n.y x m] of the outputs here (Model.linear). */
  drawn(C) {
    const m = this.model.n.delta, W = new Float64Array(m * m);
    for (let i = 0; i < m; i++) W[i * m + i] = 1;
    this.list.forEach((p, k) => {
      const mass = (this.values[k] - this.made[k]) * p.mass;
      for (let c = 0; mass !== 0 && c < 3; c++) {
        const y = C.subarray((p.field + c) * m, (p.field + c + 1) * m);
        for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) W[i * m + j] -= mass * y[i] * y[j];
      }
    });
    for (let i = m - 1; i >= 0; i--) {
      for (let k = i + 1; k < m; k++) for (let j = 0; j <= i; j++) W[i * m + j] -= W[k * m + i] * W[k * m + j];
      const d = Math.sqrt(W[i * m + i]);
      for (let j = 0; j <= i; j++) W[i * m + j] /= d;
      for (let j = i + 1; j < m; j++) W[i * m + j] = 0;
    }
    return W;
  }

  /** Amplitudes of the drawn columns for those of the model. */
  amplitudes(W, eta) {
    const m = eta.length;
    return Float64Array.from(eta, (_, i) => {
      let sum = 0;
      for (let j = 0; j <= i; j++) sum += W[i * m + j] * eta[j];
      return sum;
    });
  }
}
