// SPDX-License-Identifier: BSD-3-Clause
// rom_turn.h: the exponential step's linear part where something turns: what joins K̂ and Ĉ,
// rom_exp.c (4), and LU of matrices that are not symmetric. Written in `real`; part of rom_exp.c.
#ifndef MW_ROM_TURN_H
#define MW_ROM_TURN_H

#include "core/rom_layer.h"

// Do the terms (4) go into the linear part? Of the model and the settings alone, never of the
// state.
ROM_INLINE int rom_turns(const mw_rom *rom, const mw_rom_opt *opt)
{
  if (rom_parts(rom) & (MW_ROM_CE | MW_ROM_CC)) return 1;
  for (int k = 0; rom->n_Y > 0 && k < rom->n_u; k++)
    if (rom_curvature(rom, rom->u_field[k]) >= 0) return 1;
  for (int i = 0; opt->inertia == MW_ROM_FULL && i < rom->s; i++) {
    const int ii = i * (i + 3) / 2;
    if (rom->slow >> i & 1u) continue;
    if (!(rom->zero_e >> i & 1u) || !(rom->zero_c >> ii & 1u) || rom_has_H(rom, i)) return 1;
  }
  return 0;
}

// g_i = sum_j v_j (b_ij + 2 c_ij delta): the part of Ĉ that couples coordinate i with delta.
ROM_INLINE void add_coriolis(const mw_rom *rom, const int s, const int m, const real *v,
                             rom_work *w)
{
  const int n = s + m, np = rom_row(n), mm = m * (m + 1) / 2;
  const real *value = w->value;
  for (int i = 0; i < s; i++) {
    real *row = w->Ct + i * np;
    for (int j = 0; j < s; j++) {
      const int p = i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
      const real *b = value + w->lay.b + p * m, *c = value + w->lay.c + p * mm;
      for (int a = 0; a < m; a++) row[s + a] += v[j] * b[a];
      if (rom->zero_c >> p & 1u) continue;
      const real v2 = 2.0 * v[j];
      for (int a = 0; a < m; c += ++a) {
        real sum = rom_set(0.0);
        for (int k = 0; k < a; k++) {
          sum += c[k] * w->del[k];
          row[s + k] += v2 * (c[k] * w->del[a]);
        }
        row[s + a] += v2 * (sum + c[a] * w->del[a]);
      }
    }
    for (int a = 0; a < m; a++) w->Ct[(s + a) * np + i] -= row[s + a];
  }
}

// Convective damping in K̂ and Ĉ.
ROM_INLINE void add_convection(const mw_rom *rom, const int s, const int m, const real *v,
                               rom_work *w)
{
  const int n = s + m, np = rom_row(n), mm = m * (m + 1) / 2;
  for (int i = 0; (rom_parts(rom) & MW_ROM_CE) && i < s; i++) {
    const real *CE = w->value + w->lay.CE + i * m * m;
    for (int a = 0; a < m; a++) {
      real *K = w->Kt + (s + a) * np + s, sum = rom_set(0.0);
      for (int b = 0; b < m; b++) {
        K[b] += v[i] * CE[a * m + b];
        sum += CE[a * m + b] * w->del[b];
      }
      w->Ct[i * np + s + a] += sum;
      w->Ct[(s + a) * np + i] += sum;
    }
  }
  for (int i = 0, p = 0; (rom_parts(rom) & MW_ROM_CC) && i < s; i++)
    for (int j = 0; j <= i; j++, p++) {
      const real *X = w->value + w->lay.CC + p * mm;
      real form = rom_set(0.0);
      for (int a = 0; a < m; X += ++a) {
        real sum = rom_set(0.0);
        for (int b = 0; b < a; b++) sum += X[b] * w->del[b];
        form += (2.0 * sum + X[a] * w->del[a]) * w->del[a];
      }
      w->Ct[i * np + j] += form;
      if (i != j) w->Ct[j * np + i] += form;
    }
}

// Kt, Ct: what (4) adds at the state that w holds the terms of; they join K̂, Ĉ and K̂ v0.
ROM_INLINE void add_turning(const mw_rom *rom, const int s, const int m, const mw_rom_opt *opt,
                            const real *z, const real *u, const real *x0, rom_work *w)
{
  const int n = s + m, np = rom_row(n), mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  const int full = opt->inertia == MW_ROM_FULL;
  const real *v = z + n, *v0 = x0 + n;
  for (int i = 0; i < n * np; i++) w->Kt[i] = w->Ct[i] = rom_set(0.0);
  const real *S = w->sym, *E = w->skew;
  for (int a = 0; full && a < m; E += a, S += ++a) {
    real *row = w->Kt + (s + a) * np + s;
    for (int b = 0; b < a; b++) {
      row[b] = -(S[b] + E[b]);
      w->Kt[(s + b) * np + s + a] = E[b] - S[b];
    }
    row[a] = -S[a];
  }
  for (int i = 0; full && i < s; i++) {
    if (rom->zero_e >> i & 1u) continue;
    const real *e = w->value + w->lay.e + i * mk, v2 = 2.0 * v[i];
    for (int a = 0; a < m; e += a++)
      for (int b = 0; b < a; b++) {
        w->Ct[(s + a) * np + s + b] += v2 * e[b];
        w->Ct[(s + b) * np + s + a] -= v2 * e[b];
      }
  }
  for (int k = 0; rom->n_Y > 0 && k < rom->n_u; k++) {
    const int q = rom_curvature(rom, rom->u_field[k]);
    const real *Y = w->value + w->lay.Y + q * mm;
    for (int a = 0; q >= 0 && a < m; Y += ++a)
      for (int b = 0; b <= a; b++) {
        real load = u[k] * Y[b];
        w->Kt[(s + a) * np + s + b] -= load;
        if (b < a) w->Kt[(s + b) * np + s + a] -= load;
      }
  }
  if (full) add_coriolis(rom, s, m, v, w);
  if (rom_parts(rom) & (MW_ROM_CE | MW_ROM_CC)) add_convection(rom, s, m, v, w);
  for (int i = 0; i < n; i++) {
    real sum = rom_set(0.0);
    for (int j = 0; j < n; j++) {
      w->K[i * np + j] += w->Kt[i * np + j];
      w->C[i * np + j] += w->Ct[i * np + j];
      sum += w->Kt[i * np + j] * v0[j];
    }
    w->kv[i] += sum;
  }
}

// Start of the whole chunk that column i lies in: what is left of the diagonal there is never read.
ROM_INLINE int chunk(int i) { return i / ROM_PAD * ROM_PAD; }

// Right-hand sides of the poles and what becomes of them, [n] each.
typedef struct sides {
  real *z0, *zr, *zi;
} sides;

// ---- LU, for matrices that are not symmetric ----------------------------------------------------
//
// Row p of U stands in S, l_ip in L0 and so on at row i, column p, 1/u_pp on their diagonal; a
// right-hand side is column n.

// Row i less l times row p, columns from `from` on.
ROM_INLINE void lu_subtract(const int n, const int np, int from, int p, int i, rom_work *w)
{
  const real l0 = w->S0[i * np + p] * w->L0[p * np + p], sr = w->Sr[i * np + p],
             si = w->Si[i * np + p], ir = w->Lr[p * np + p], ii = w->Li[p * np + p];
  const real lr = sr * ir - si * ii, li = sr * ii + si * ir;
  const real *u0 = w->S0 + p * np, *ur = w->Sr + p * np, *ui = w->Si + p * np;
  real *s0 = w->S0 + i * np, *xr = w->Sr + i * np, *xi = w->Si + i * np;
  for (int c = from; c <= n; c += ROM_PAD) {
    rom_pack yr = ROM_GET(ur + c), yi = ROM_GET(ui + c);
    ROM_PUT(s0 + c) -= l0 * ROM_GET(u0 + c);
    ROM_PUT(xr + c) -= lr * yr - li * yi;
    ROM_PUT(xi + c) -= lr * yi + li * yr;
  }
  w->L0[i * np + p] = l0;
  w->Lr[i * np + p] = lr;
  w->Li[i * np + p] = li;
}

// And z := L⁻¹ x.
ROM_INLINE void lu_factor(const int n, const int np, const sides *x, const sides *z, rom_work *w)
{
  for (int i = 0; i < n; i++) {
    w->S0[i * np + n] = x->z0[i];
    w->Sr[i * np + n] = x->zr[i];
    w->Si[i * np + n] = x->zi[i];
  }
  for (int p = 0; p < n; p++) {
    const real ur = w->Sr[p * np + p], ui = w->Si[p * np + p];
    real per = 1.0 / (ur * ur + ui * ui);
    w->L0[p * np + p] = 1.0 / w->S0[p * np + p];
    w->Lr[p * np + p] = ur * per;
    w->Li[p * np + p] = -(ui * per);
    for (int i = p + 1; i < n; i++) lu_subtract(n, np, chunk(p + 1), p, i, w);
  }
  for (int i = 0; i < n; i++) {
    z->z0[i] = w->S0[i * np + n];
    z->zr[i] = w->Sr[i * np + n];
    z->zi[i] = w->Si[i * np + n];
  }
}

// z := L⁻¹ z of lu_factor.
ROM_INLINE void lu_forward(const int n, const int np, const rom_work *w, const sides *z)
{
  real *z0 = z->z0, *zr = z->zr, *zi = z->zi;
  for (int p = 0; p < n; p++)
    for (int i = p + 1; i < n; i++) {
      const real lr = w->Lr[i * np + p], li = w->Li[i * np + p];
      z0[i] -= w->L0[i * np + p] * z0[p];
      zr[i] -= lr * zr[p] - li * zi[p];
      zi[i] -= lr * zi[p] + li * zr[p];
    }
}

// z := U⁻¹ z.
ROM_INLINE void lu_backward(const int n, const int np, const rom_work *w, const sides *z)
{
  real *z0 = z->z0, *zr = z->zr, *zi = z->zi;
  for (int p = n - 1; p >= 0; p--) {
    const real *u0 = w->S0 + p * np, *ur = w->Sr + p * np, *ui = w->Si + p * np;
    const real ir = w->Lr[p * np + p], ii = w->Li[p * np + p];
    real s0 = z0[p], sr = zr[p], si = zi[p];
    for (int i = n - 1; i > p; i--) {
      real yr = zr[i], yi = zi[i];
      s0 -= u0[i] * z0[i];
      sr -= ur[i] * yr - ui[i] * yi;
      si -= ur[i] * yi + ui[i] * yr;
    }
    z0[p] = s0 * w->L0[p * np + p];
    zr[p] = sr * ir - si * ii;
    zi[p] = sr * ii + si * ir;
  }
}

#endif
