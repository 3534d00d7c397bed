// SPDX-License-Identifier: BSD-3-Clause
// rom_packs.h: scalar products of fields with products of delta and deld; by packs, sums over the
// matrix fields.
//
// Packs want long rows: products of delta and deld are laid out whole like a packed lower triangle,
// and each field is one scalar product with them. Without packs, and in lanes: rom_rows.h, the same
// sums in the same order. Written in `real`; part of rom_terms.c.
#ifndef MW_ROM_PACKS_H
#define MW_ROM_PACKS_H

#include "core/rom_layer.h"

ROM_INLINE void clear_pack(real *x) { ROM_PUT(x) = (rom_pack){ 0 }; }

// Is there an e_i that changes with another coordinate than theta_i?
ROM_INLINE int needs_vd(const mw_rom *rom, const int s)
{
  for (int k = 0; k < s; k++)
    for (int i = 0; i < s; i++)
      if (i != k && !(rom->flat >> k & 1u) && !(rom->zero_e >> i & 1u)) return 1;
  return 0;
}

// Weights that turn quadratic forms in packed matrices into scalar products. Rows are written
// whole; what is beyond their end is the next one's or, behind the last, 0.
ROM_INLINE void set_products(const int m, int full, int with_vd, rom_work *w)
{
  const int mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  const real *restrict del = w->del, *restrict deld = w->deld;
  real *restrict dd = w->dd, *restrict dv = w->dv, *restrict vd = w->vd;
  for (int i = 0; i < m; i++) {
    const real one = del[i], twice = 2.0 * one, rate = deld[i], twice_rate = 2.0 * rate;
    for (int j = 0; j <= i; j += ROM_PAD) {
      rom_pack q = ROM_GET(del + j);
      ROM_PUT(dd + j) = twice * q;
      if (!full) continue;
      rom_pack ij = twice * ROM_GET(deld + j), ji = twice_rate * q;
      ROM_PUT(dv + j) = ij + ji;
      if (with_vd) ROM_PUT(vd + j) = ji - ij;
    }
    dd[i] = one * one;
    dv[i] = twice * rate;
    dd += i + 1;
    dv += i + 1;
    vd += i;
  }
  clear_pack(w->dd + mm);
  clear_pack(w->dv + mm);
  clear_pack(w->vd + mk);
}

// f·weight without packs: entry k is added to partial sum k mod 8, as with them.
ROM_INLINE real weigh_one(const int n, const real *restrict f, const real *restrict weight)
{
  real part[8];
  for (int l = 0; l < 8; l++) part[l] = rom_set(0.0);
  for (int k = 0; k < n; k++) part[k & 7] += f[k] * weight[k];
  return rom_total(part);
}

// Entry q of pair, NULL: all in their order.
ROM_INLINE int nth(const int *pair, int q) { return pair ? pair[q] : q; }

// sum[q] = f_p·weight, p = pair[q] (NULL: q), f_p [n] at f + p n, q < count <= ROM_MAX_PAIR; weight
// is 0 behind n.
ROM_INLINE void weigh(const int n, const int count, const int *pair, const real *f,
                      const real *weight, real *sum)
{
  for (int p = 0; ROM_PAD == 1 && p < count; p++)
    sum[p] = weigh_one(n, f + nth(pair, p) * n, weight);
  if (ROM_PAD == 1) return;
  real part[ROM_MAX_PAIR][8];
  for (int l = 0; l < 8; l += ROM_PAD) {
    rom_pack acc[ROM_MAX_PAIR];
    ROM_UNROLL
    for (int p = 0; p < count; p++) acc[p] = (rom_pack){ 0 };
    for (int k = l; k < n; k += 8) {
      rom_pack weights = ROM_GET(weight + k);
      ROM_UNROLL
      for (int p = 0; p < count; p++) acc[p] += ROM_GET(f + nth(pair, p) * n + k) * weights;
    }
    ROM_UNROLL
    for (int p = 0; p < count; p++) ROM_PUT(&part[p][l]) = acc[p];
  }
  for (int p = 0; p < count; p++) sum[p] = rom_total(part[p]);
}

// The same with two weights, and target = - start + sum_p factor[p] f_p, start NULL: 0, which packs
// alone ask for (weigh_c_twice; else rom_rows.h).
ROM_INLINE void weigh_twice(const int n, const int count, const int *pair, const real *f,
                            const real *weight1, const real *weight2, const real *factor,
                            real *sum1, real *sum2, const real *start, real *target)
{
  for (int p = 0; ROM_PAD == 1 && p < count; p++) {
    const int at = nth(pair, p);
    const real *restrict x = f + at * n;
    sum1[p] = weigh_one(n, x, weight1);
    sum2[p] = weigh_one(n, x, weight2);
    for (int k = 0; k < n; k++) target[k] = (p > 0 ? target[k] : -start[k]) + factor[at] * x[k];
  }
  if (ROM_PAD == 1) return;
  real part1[ROM_MAX_PAIR][8], part2[ROM_MAX_PAIR][8];
  for (int l = 0; l < 8; l += ROM_PAD) {
    rom_pack acc1[ROM_MAX_PAIR], acc2[ROM_MAX_PAIR];
    ROM_UNROLL
    for (int p = 0; p < count; p++) acc1[p] = acc2[p] = (rom_pack){ 0 };
    for (int k = l; k < n; k += 8) {
      rom_pack weights1 = ROM_GET(weight1 + k), weights2 = ROM_GET(weight2 + k);
      rom_pack to = { 0 };
      if (start) to = -ROM_GET(start + k);
      ROM_UNROLL
      for (int p = 0; p < count; p++) {
        int at = nth(pair, p);
        rom_pack x = ROM_GET(f + at * n + k);
        acc1[p] += x * weights1;
        acc2[p] += x * weights2;
        to += factor[at] * x;
      }
      ROM_PUT(target + k) = to;
    }
    ROM_UNROLL
    for (int p = 0; p < count; p++) {
      ROM_PUT(&part1[p][l]) = acc1[p];
      ROM_PUT(&part2[p][l]) = acc2[p];
    }
  }
  for (int p = 0; p < count; p++) {
    sum1[p] = rom_total(part1[p]);
    sum2[p] = rom_total(part2[p]);
  }
}

// Pairs ij whose c_ij is not 0; as many as there are pairs where none is.
typedef struct live {
  int n, pair[ROM_MAX_PAIR];
} live;

ROM_INLINE void set_live(const mw_rom *rom, const int s, live *c)
{
  c->n = 0;
  for (int p = 0; p < s * (s + 1) / 2; p++)
    if (!(rom->zero_c >> p & 1u)) c->pair[c->n++] = p;
}

ROM_INLINE void spread(const int ss, const live *c, const real *some, real *sum)
{
  if (c->n < ss)
    for (int p = 0; p < ss; p++) sum[p] = rom_set(0.0);
  for (int q = 0; q < c->n; q++) sum[c->pair[q]] = some[q];
}

// weigh of the c_ij at f, into sum [ss]. Laid out for all of them and for up to three.
ROM_INLINE void weigh_c(const int s, const int mm, const live *c, const real *f, const real *weight,
                        real *sum)
{
  const int ss = s * (s + 1) / 2;
  real some[ROM_MAX_PAIR];
  if (c->n == ss)
    weigh(mm, ss, NULL, f, weight, some);
  else if (c->n == 1)
    weigh(mm, 1, c->pair, f, weight, some);
  else if (c->n == 2)
    weigh(mm, 2, c->pair, f, weight, some);
  else if (c->n == 3)
    weigh(mm, 3, c->pair, f, weight, some);
  else
    weigh(mm, c->n, c->pair, f, weight, some);
  spread(ss, c, some, sum);
}

// weigh_twice of the c_ij, into sum1 and sum2.
ROM_INLINE void weigh_c_twice(const int s, const int mm, const live *c, const real *f,
                              const real *weight1, const real *weight2, const real *factor,
                              real *sum1, real *sum2, const real *start, real *target)
{
  const int ss = s * (s + 1) / 2;
  real some1[ROM_MAX_PAIR], some2[ROM_MAX_PAIR];
  if (c->n == ss)
    weigh_twice(mm, ss, NULL, f, weight1, weight2, factor, some1, some2, start, target);
  else if (c->n == 1)
    weigh_twice(mm, 1, c->pair, f, weight1, weight2, factor, some1, some2, start, target);
  else if (c->n == 2)
    weigh_twice(mm, 2, c->pair, f, weight1, weight2, factor, some1, some2, start, target);
  else if (c->n == 3)
    weigh_twice(mm, 3, c->pair, f, weight1, weight2, factor, some1, some2, start, target);
  else
    weigh_twice(mm, c->n, c->pair, f, weight1, weight2, factor, some1, some2, start, target);
  spread(ss, c, some1, sum1);
  spread(ss, c, some2, sum2);
}

// skew = - sum_ij thd_i thd_j de_i/dtheta_j
ROM_INLINE void set_skew(const mw_rom *rom, const int s, const int m, const mw_rom_layout *l,
                         const real *v, int full, rom_work *w)
{
  const int mk = m * (m - 1) / 2;
  real *restrict skew = w->skew;
  int n = 0;  // terms so far
  for (int j = 0; full && j < s; j++) {
    if (rom->flat >> j & 1u) continue;
    const real *e_j = w->gradient + (size_t)j * (size_t)rom->n_field + l->e;
    for (int i = 0; i < s; i++) {
      if (rom->zero_e >> i & 1u) continue;
      const real *restrict e = e_j + i * mk;
      real vij = v[i] * v[j];
      for (int a = 0; n == 0 && a < mk; a += ROM_PAD) ROM_PUT(skew + a) = -(vij * ROM_GET(e + a));
      for (int a = 0; n > 0 && a < mk; a += ROM_PAD) ROM_PUT(skew + a) -= vij * ROM_GET(e + a);
      n++;
    }
  }
  for (int a = 0; n == 0 && a < mk; a += ROM_PAD) clear_pack(skew + a);
}

// sym -= sum_ik thd_i thd_k dH_i/dtheta_k, and the sums with 2 delta deld.
ROM_INLINE void pack_H(const mw_rom *rom, const int s, const int m, const mw_rom_layout *l,
                       const real *v, rom_work *w, rom_sums *q)
{
  const int mm = m * (m + 1) / 2;
  real *restrict sym = w->sym;
  for (int k = 0; k < s; k++) {
    if (rom->flat >> k & 1u) continue;
    const real *H_k = w->gradient + (size_t)k * (size_t)rom->n_field + l->H;
    for (int i = 0; i < s; i++) {
      if (!rom_has_H(rom, i)) continue;
      const real *restrict H = H_k + i * mm;
      real vik = v[i] * v[k];
      for (int a = 0; a < mm; a += ROM_PAD) ROM_PUT(sym + a) -= vik * ROM_GET(H + a);
      if (i != k) weigh(mm, 1, NULL, H, w->dv, &q->H_k[k][i]);
    }
  }
}

// The sums of rom_rows.h by packs, from products that are laid out; on the way sym = - start + what
// c_ij brings.
ROM_INLINE void pack_sums(const mw_rom *rom, const int s, const int m, const mw_rom_layout *l,
                          const real *v, int full, int with_H, const real *start, rom_work *w,
                          rom_sums *q)
{
  const int mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  live c = { 0 };
  set_live(rom, s, &c);
  real vv[ROM_MAX_PAIR];
  if (full) {
    for (int i = 0, p = 0; i < s; i++)
      for (int j = 0; j <= i; j++, p++) vv[p] = i == j ? v[i] * v[j] : 2.0 * (v[i] * v[j]);
    weigh_c_twice(s, mm, &c, w->value + l->c, w->dd, w->dv, vv, q->c, q->c_w, start, w->sym);
  } else {
    for (int a = 0; start && a < mm; a += ROM_PAD) ROM_PUT(w->sym + a) = -ROM_GET(start + a);
  }
  for (int k = 0; k < s; k++) {
    if (rom->flat >> k & 1u) continue;
    const real *f = w->gradient + (size_t)k * (size_t)rom->n_field;
    weigh(mm, 1, NULL, f + l->K, w->dd, &q->K_k[k]);
    if (full) weigh_c(s, mm, &c, f + l->c, w->dd, q->c_k[k]);
    for (int i = 0; full && i < s; i++)
      if (i != k && !(rom->zero_e >> i & 1u))
        weigh(mk, 1, NULL, f + l->e + i * mk, w->vd, &q->e_k[k][i]);
  }
  if (with_H) pack_H(rom, s, m, l, v, w, q);
}

#endif
