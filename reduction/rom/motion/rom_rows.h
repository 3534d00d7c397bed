// SPDX-License-Identifier: BSD-3-Clause
// rom_rows.h: sums over the matrix fields where there are no packs: c_ij, K,k, e_i,k, H_i,k read
// once, side by side.
//
// Quadratic forms are scalar products of packed lower triangles with a packed product of delta and
// deld (rom_terms.c). Here the product of each entry is made, used by every field, and forgotten:
// for lanes arrays of products, of sym and of skew are more than the first-level cache holds, and
// one short loop keeps the code within its own. Sums are those of packs: entry k goes to partial
// sum k mod 8. Written in `real`; part of rom_terms.c.
#ifndef MW_ROM_ROWS_H
#define MW_ROM_ROWS_H

#include "core/rom_layer.h"

// Entry k of the symmetric fields: product dd, and dv of delta and deld; part: sums of c, their
// rates, g, then t at t_part. Returns that of sym.
ROM_INLINE real rom_rows_entry(const int n_c, const int n_g, const int n_h, const int n_t,
                               const rom_rows *r, int k, real dd, real dv, real (*restrict part)[8],
                               real (*restrict t_part)[8])
{
  real to = rom_set(0.0);
  if (r->start) to = -r->start[k];
  for (int p = 0; p < n_c; p++) {
    real x = r->c[p][k];
    part[p][k & 7] += x * dd;
    part[n_c + p][k & 7] += x * dv;
    to += r->c_factor[p] * x;
  }
  for (int p = 0; p < n_h; p++) to -= r->h_factor[p] * r->h[p][k];
  for (int p = 0; p < n_g; p++) part[2 * n_c + p][k & 7] += r->g[p][k] * dd;
  for (int p = 0; p < n_t; p++) t_part[p][k & 7] += r->t[p][k] * dv;
  return to;
}

// y = (sym + skew) delta [m], and the parts of all sums: of c, their rates, g, v, t. keep: sym and
// skew themselves.
ROM_INLINE void rom_rows_walk(const int m, const int n_c, const int n_e, const int n_g,
                              const int n_v, const int n_h, const int n_t, const int keep,
                              const real *restrict del, const real *restrict deld,
                              const rom_rows *r, real (*restrict part)[8], real *restrict y)
{
  real(*restrict v_part)[8] = part + 2 * n_c + n_g, (*restrict t_part)[8] = v_part + n_v;
  for (int p = 0; p < 2 * n_c + n_g + n_v + n_t; p++)
    for (int l = 0; l < 8; l++) part[p][l] = rom_set(0.0);
  int k = 0, h = 0;  // entries of symmetric and of skew fields so far
  for (int i = 0; i < m; i++) {
    const real one = del[i], twice = 2.0 * one, rate = deld[i], twice_rate = 2.0 * rate;
    real sum = rom_set(0.0);
    for (int j = 0; j < i; j++) {
      real d = del[j], ij = twice * deld[j], ji = twice_rate * d;
      real S = rom_rows_entry(n_c, n_g, n_h, n_t, r, k, twice * d, ij + ji, part, t_part),
           E = rom_set(0.0);
      for (int p = 0; p < n_e; p++) {
        real term = r->e_factor[p] * r->e[p][h];
        E = p == 0 ? -term : E - term;
      }
      for (int p = 0; p < n_v; p++) v_part[p][h & 7] += r->v[p][h] * (ji - ij);
      if (keep) {
        r->sym[k] = S;
        r->skew[h] = E;
      }
      sum += (S + E) * d;
      y[j] += (S - E) * one;
      k++;
      h++;
    }
    real S = rom_rows_entry(n_c, n_g, n_h, n_t, r, k, one * one, twice * rate, part, t_part);
    if (keep) r->sym[k] = S;
    y[i] = sum + S * one;
    k++;
  }
}

// The fields that are not 0, and the factors of thd v [s]. full: of inertia FULL; start: of sym.
ROM_INLINE void rom_rows_of(const mw_rom *rom, const int s, const int m, const mw_rom_layout *l,
                            const rom_work *w, const real *v, int full, int with_H,
                            const real *start, rom_rows *r)
{
  const int ss = s * (s + 1) / 2, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  const size_t nf = (size_t)rom->n_field;
  r->start = start;
  r->n_c = r->n_e = r->n_g = r->n_v = r->n_h = r->n_t = 0;
  for (int i = 0, p = 0; full && i < s; i++)
    for (int j = 0; j <= i; j++, p++) {
      if (rom->zero_c >> p & 1u) continue;
      real vij = v[i] * v[j];
      r->c[r->n_c] = w->value + l->c + p * mm;
      r->c_factor[r->n_c++] = i == j ? vij : 2.0 * vij;
    }
  for (int k = 0; k < s; k++) {
    if (rom->flat >> k & 1u) continue;
    const real *g = w->gradient + (size_t)k * nf;
    r->g[r->n_g++] = g + l->K;
    for (int p = 0; full && p < ss; p++)
      if (!(rom->zero_c >> p & 1u)) r->g[r->n_g++] = g + l->c + p * mm;
    for (int i = 0; full && i < s; i++) {
      if (rom->zero_e >> i & 1u) continue;
      const real *e = g + l->e + i * mk;
      r->e[r->n_e] = e;
      r->e_factor[r->n_e++] = v[i] * v[k];
      if (i != k) r->v[r->n_v++] = e;
    }
    for (int i = 0; with_H && i < s; i++) {
      if (!rom_has_H(rom, i)) continue;
      const real *h = g + l->H + i * mm;
      r->h[r->n_h] = h;
      r->h_factor[r->n_h++] = v[i] * v[k];
      if (i != k) r->t[r->n_t++] = h;
    }
  }
}

// The totals, in the order of rom_rows_of.
ROM_INLINE void rom_rows_totals(const mw_rom *rom, const int s, int full, int with_H,
                                const rom_rows *r, real (*part)[8], rom_sums *sums)
{
  const int ss = s * (s + 1) / 2;
  real(*rate_part)[8] = part + r->n_c, (*g_part)[8] = rate_part + r->n_c,
  (*v_part)[8] = g_part + r->n_g, (*t_part)[8] = v_part + r->n_v;
  for (int p = 0; full && p < ss; p++) {
    const int is_live = !(rom->zero_c >> p & 1u);
    sums->c[p] = is_live ? rom_total(*part++) : rom_set(0.0);
    sums->c_w[p] = is_live ? rom_total(*rate_part++) : rom_set(0.0);
  }
  for (int k = 0; k < s; k++) {
    if (rom->flat >> k & 1u) continue;
    sums->K_k[k] = rom_total(*g_part++);
    for (int p = 0; full && p < ss; p++)
      sums->c_k[k][p] = rom->zero_c >> p & 1u ? rom_set(0.0) : rom_total(*g_part++);
    for (int i = 0; full && i < s; i++)
      if (i != k && !(rom->zero_e >> i & 1u)) sums->e_k[k][i] = rom_total(*v_part++);
    for (int i = 0; with_H && i < s; i++)
      if (i != k && rom_has_H(rom, i)) sums->H_k[k][i] = rom_total(*t_part++);
  }
}

// All sums, and w->both = (sym + skew) delta. Laid out for tables whose coordinates are all alike,
// and for one coordinate that bodies slide along, beside others that only translate.
ROM_INLINE void rom_rows_sums(const mw_rom *rom, const int s, const int m, const mw_rom_layout *l,
                              const real *v, int full, int with_H, int keep, const real *start,
                              rom_work *w, rom_sums *sums)
{
  const int ss = s * (s + 1) / 2;
  real(*part)[8] = (real(*)[8])(void *)w->columns;
  rom_rows *r = &w->rows;
  rom_rows_of(rom, s, m, l, w, v, full, with_H, start, r);
  r->sym = w->sym;
  r->skew = w->skew;
  if (keep)
    rom_rows_walk(m, r->n_c, r->n_e, r->n_g, r->n_v, r->n_h, r->n_t, 1, w->del, w->deld, r, part,
                  w->both);
  else if (!with_H && r->n_c == 1 && r->n_e == 1 && r->n_v == 0)  // one axis: g of K and c
    rom_rows_walk(m, 1, 1, 2, 0, 0, 0, 0, w->del, w->deld, r, part, w->both);
  else if (!with_H && s == 2 && r->n_c == ss && r->n_e == 4)  // all of two axes
    rom_rows_walk(m, 3, 4, 8, 2, 0, 0, 0, w->del, w->deld, r, part, w->both);
  else
    rom_rows_walk(m, r->n_c, r->n_e, r->n_g, r->n_v, r->n_h, r->n_t, 0, w->del, w->deld, r, part,
                  w->both);
  rom_rows_totals(rom, s, full, with_H, r, part, sums);
}

#endif
