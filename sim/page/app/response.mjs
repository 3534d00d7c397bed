// SPDX-License-Identifier: BSD-3-Clause
// response.mjs: frequencies and receptances of small motions z'' + D z' + K z = B f, outputs C z (Model.linear).

/** Eigenvalues of the symmetric K [m × m], ascending, by Jacobi's rotations. */
export function eigenvalues(K, m) {
  const A = K.slice();
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0, size = 0;
    for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) if (i !== j) off += A[i * m + j] ** 2; else size += A[i * m + i] ** 2;
    if (off <= 1e-30 * size) break;
    for (let p = 0; p < m; p++) for (let q = p + 1; q < m; q++) {
      const apq = A[p * m + q];
      if (apq === 0) continue;
      const tau = (A[q * m + q] - A[p * m + p]) / (2 * apq);
      const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.sqrt(1 + tau * tau));
      const c = 1 / Math.sqrt(1 + t * t), s = t * c;
      for (let k = 0; k < m; k++) {
        const x = A[k * m + p], y = A[k * m + q];
        A[k * m + p] = c * x - s * y;
        A[k * m + q] = s * x + c * y;
      }
      for (let k = 0; k < m; k++) {
        const x = A[p * m + k], y = A[q * m + k];
        A[p * m + k] = c * x - s * y;
        A[q * m + k] = s * x + c * y;
      }
    }
  }
  return Array.from({ length: m }, (_, i) => A[i * m + i]).sort((a, b) => a - b);
}

/** Natural frequencies without damping, Hz; NaN where K is not positive. */
export function frequencies(linear) {
  return eigenvalues(linear.K, linear.m).map((k) => Math.sqrt(k) / (2 * Math.PI));
}

/**
 * Receptance of output k under the force of `linear` at frequencies hz: { re, im }, by elimination with pivots of
 * (K − ω² + iωD) z = B at each.
 */
export function receptance(linear, k, hz) {
  const { m, K, D, B, C } = linear;
  const re = new Float64Array(hz.length), im = new Float64Array(hz.length);
  const R = new Float64Array(m * m), I = new Float64Array(m * m), x = new Float64Array(m), y = new Float64Array(m);
  for (let f = 0; f < hz.length; f++) {
    const w = 2 * Math.PI * hz[f];
    for (let i = 0; i < m * m; i++) {
      R[i] = K[i];
      I[i] = w * D[i];
    }
    for (let i = 0; i < m; i++) {
      R[i * m + i] -= w * w;
      x[i] = B[i];
      y[i] = 0;
    }
    solve(m, R, I, x, y);
    for (let i = 0; i < m; i++) {
      re[f] += C[k * m + i] * x[i];
      im[f] += C[k * m + i] * y[i];
    }
  }
  return { re, im };
}

// (R + iI) (x + iy) in place, partial pivoting.
function solve(m, R, I, x, y) {
  for (let p = 0; p < m; p++) {
    let best = p, most = -1;
    for (let i = p; i < m; i++) {
      const size = Math.abs(R[i * m + p]) + Math.abs(I[i * m + p]);
      if (size > most) [best, most] = [i, size];
    }
    if (best !== p) {
      for (let j = p; j < m; j++) {
        [R[p * m + j], R[best * m + j]] = [R[best * m + j], R[p * m + j]];
        [I[p * m + j], I[best * m + j]] = [I[best * m + j], I[p * m + j]];
      }
      [x[p], x[best]] = [x[best], x[p]];
      [y[p], y[best]] = [y[best], y[p]];
    }
    const a = R[p * m + p], b = I[p * m + p], over = 1 / (a * a + b * b);
    for (let i = p + 1; i < m; i++) {
      const u = R[i * m + p], v = I[i * m + p];
      const s = (u * a + v * b) * over, t = (v * a - u * b) * over;
      for (let j = p + 1; j < m; j++) {
        R[i * m + j] -= s * R[p * m + j] - t * I[p * m + j];
        I[i * m + j] -= s * I[p * m + j] + t * R[p * m + j];
      }
      x[i] -= s * x[p] - t * y[p];
      y[i] -= s * y[p] + t * x[p];
    }
  }
  for (let i = m - 1; i >= 0; i--) {
    let s = x[i], t = y[i];
    for (let j = i + 1; j < m; j++) {
      s -= R[i * m + j] * x[j] - I[i * m + j] * y[j];
      t -= R[i * m + j] * y[j] + I[i * m + j] * x[j];
    }
    const a = R[i * m + i], b = I[i * m + i], over = 1 / (a * a + b * b);
    x[i] = (s * a + t * b) * over;
    y[i] = (t * a - s * b) * over;
  }
}
