// SPDX-License-Identifier: BSD-3-Clause
// page_lobes.mjs: stability lobes of turning and milling (zero order) from receptances, equations (1), (2) of sim/lobes.h and (1)
// of sim/frf/lobes.c: with G of a branch, where Re G < 0,
//   b = -1/(2 K Re G),  n = 60 w/(N (2 pi j + eps)),  eps = 3 pi + 2 arg G,  arg in (-3 pi/2, -pi/2),  j = 0, 1, 2, …

/** Terms [[weight, field], …] of an end: "tool.x", "0.6*tool.x-table.x" (sim/frf/frf_ends.c); null: it is none of fields. */
export function termsOf(text, fields) {
  const terms = [];
  for (let rest = text.trim(), first = true; rest || first; first = false) {
    const [, sign, factor, name] = /^([+-]?)\s*(?:([\d.]+(?:[eE][+-]?\d+)?)\s*\*)?\s*(.*)$/.exec(rest);
    const field = fields.reduce((best, f, k) => f && name.startsWith(f) && !(best >= 0 && fields[best].length >= f.length) ? k : best, -1);
    if (field < 0 || (!first && !sign)) return null;
    terms.push([(sign === "-" ? -1 : 1) * Number(factor ?? 1), field]);
    rest = name.slice(fields[field].length).trim();
  }
  return terms;
}

/**
 * What the entries of the page are for a process of a scenario (pagescenarios.c), ends as text; or { why } they cannot be it.
 * fields: names of those that a force pushes, null of others.
 */
export function entriesOf(process, fields) {
  const ends = process.to.split(",").map((end) => end.trim()), other = ends.find((end) => !termsOf(end, fields));
  if (other !== undefined) return { why: `its end ${other} is none of this model` };
  if (process.from && process.from !== process.to) return { why: `its force acts against ${process.from}` };
  const { force, radial, teeth, immersion, down, rpm } = process;
  return { feed: ends[0], normal: ends[1] ?? "", cutforce: force, down, ...(teeth > 0 ? { radial, teeth, immersion } : {}),
    ...(rpm[0] > 0 ? { slow: rpm[0], fast: rpm[1] } : {}) };
}

const pairOf = (h, k) => [h.re[k], h.im[k]];
const times = ([a, b], [c, d]) => [a * c - b * d, a * d + b * c];

// Square root of a complex number, Re >= 0.
function rootOf([a, b]) {
  const size = Math.hypot(a, b), re = Math.sqrt(Math.max(0.5 * (size + a), 0));
  return [re, (b < 0 ? -1 : 1) * Math.sqrt(Math.max(0.5 * (size - a), 0))];
}

// Mean of the directional forces over a revolution, N/m²; angles in rad.
function meanForce({ force, radial, teeth, entry, exit }) {
  const at = (phi) => [0.5 * phi - 0.25 * Math.sin(2 * phi), 0.5 * phi + 0.25 * Math.sin(2 * phi), -0.25 * Math.cos(2 * phi)];
  const [ss, cc, sc] = at(exit).map((v, i) => (v - at(entry)[i]) * force * teeth / (2 * Math.PI));
  return [sc + radial * ss, cc + radial * sc, -ss + radial * sc, -sc + radial * cc];
}

/**
 * Branches G, each [re, im] at every frequency: turning (teeth 0) of H = [G], milling the eigenvalues of mean force times
 * H = [xx, xy, yx, yy], receptances { re, im } (motion, force) along feed x and normal y.
 */
export function branches(cut, H, n) {
  if (cut.teeth === 0) return [Array.from({ length: n }, (_, k) => pairOf(H[0], k))];
  const W = meanForce(cut), out = [[], []];
  for (let k = 0; k < n; k++) {
    const h = H.map((e) => pairOf(e, k));
    const A = (i, j) => [0, 1].map((c) => W[2 * i] * h[j][c] + W[2 * i + 1] * h[2 + j][c]);
    const [a, b, c, d] = [A(0, 0), A(0, 1), A(1, 0), A(1, 1)], half = [0.5 * (a[0] + d[0]), 0.5 * (a[1] + d[1])];
    const ad = times(a, d), bc = times(b, c), square = times(half, half);
    const root = rootOf([square[0] - ad[0] + bc[0], square[1] - ad[1] + bc[1]]);
    const pair = [1, -1].map((s) => [half[0] + s * root[0], half[1] + s * root[1]]);
    const far = (x, y) => Math.hypot(x[0] - y[0], x[1] - y[1]);
    if (k > 0 && far(pair[0], out[1][k - 1]) + far(pair[1], out[0][k - 1]) < far(pair[0], out[0][k - 1]) + far(pair[1], out[1][k - 1]))
      pair.reverse();
    out[0].push(pair[0]);
    out[1].push(pair[1]);
  }
  return out;
}

// A branch and its frequencies with a point more where Re G changes its sign, just below 0.
function ended(branch, hz) {
  const out = [], at = [];
  branch.forEach(([re, im], k) => {
    const [r, i] = branch[k - 1] ?? [re, im];
    if ((r < 0) !== (re < 0)) {
      const share = r / (r - re), least = -1e-9 * Math.max(Math.abs(r), Math.abs(re));
      out.push([least, i + share * (im - i)]);
      at.push(hz[k - 1] + share * (hz[k] - hz[k - 1]));
    }
    out.push([re, im]);
    at.push(hz[k]);
  });
  return [out, at];
}

/** Smallest unstable depth, m, at each speed of rpm (ascending), and at any speed; Infinity: none within the band. */
export function depths(cut, all, G, rpm) {
  const depth = new Float64Array(rpm.length).fill(Infinity), teeth = Math.max(cut.teeth, 1), K = cut.teeth === 0 ? cut.force : 1;
  let any = Infinity;
  for (const [branch, hz] of G.map((g) => ended(g, all))) {
    const b = branch.map(([re]) => re < 0 ? -0.5 / (K * re) : Infinity);
    const turn = branch.map(([re, im]) => {
      const a = Math.atan2(im, re);
      return 3 * Math.PI + 2 * (a > 0 ? a - 2 * Math.PI : a);
    });
    for (let k = 0; k < b.length; k++) any = Math.min(any, b[k]);
    for (let k = 0; k + 1 < b.length; k++) {
      if (!Number.isFinite(b[k] + b[k + 1])) continue;
      const speed = (i, j) => 60 * 2 * Math.PI * hz[i] / (teeth * (2 * Math.PI * j + turn[i]));
      const most = Math.ceil(60 * hz[k + 1] / (teeth * rpm[0])) + 1;
      for (let j = 0; j <= most; j++) {
        const n0 = speed(k, j), n1 = speed(k + 1, j), lo = Math.min(n0, n1), hi = Math.max(n0, n1);
        if (lo > rpm[rpm.length - 1]) continue;
        if (hi < rpm[0]) break;
        const step = (rpm[rpm.length - 1] - rpm[0]) / (rpm.length - 1);
        for (let i = Math.max(Math.ceil((lo - rpm[0]) / step), 0); i < rpm.length && rpm[i] <= hi; i++) {
          const share = n1 === n0 ? 0 : (rpm[i] - n0) / (n1 - n0);
          depth[i] = Math.min(depth[i], 1 / (1 / b[k] + share * (1 / b[k + 1] - 1 / b[k])));
        }
      }
    }
  }
  return { depth, any };
}
