// SPDX-License-Identifier: BSD-3-Clause
// romfile_slow.c: coordinates whose gyroscopic and centrifugal terms are small at the largest rates
// a model is meant for.
//
// With v_i = rate_max[i], ω_a² = K_aa and everything at a few hundred points of the table,
// coordinate i is slow (rom.h) when
//   2 v_i |e_iab| <= SMALL √(ω_a ω_b)          gyroscopic, against frequencies
//   v_i |b_ija| <= SMALL √(a_jj) ω_a           Coriolis between the coordinates and the columns,
//                                              every j
//   v_i v_j |c_ijab|, v_i v_j |H_iab,j| <= SMALL² ω_a ω_b                                       (1)
// The exponential step then takes them by its evaluations at the mid-point: they add SMALL⁴ (h
// ω)⁴/8 at most to the growth of a mode a step, 1e-7 at h ω = 0.3, which is below its numerical
// damping (h ω)⁶/7200. A coordinate without a declared rate is never slow. Cost: milliseconds, when
// a model is made or read.
#include <math.h>

#include "reduction/romfile.h"

static const double SMALL = 0.1;

typedef struct slow {
  const mw_rom *rom;
  mw_rom_layout l;
  double *value, *gradient;   // [n_field], [s × n_field]
  double rate[MW_ROM_MAX_S];  // INFINITY: not declared
  // of the left sides of (1) over the right ones without SMALL, squares by their roots
  double largest[MW_ROM_MAX_S];
} slow;

static void take(double x, double *largest) { *largest = fmax(*largest, isnan(x) ? INFINITY : x); }

// (1) of coordinate i at the fields in q.
static void judge(slow *q, int i)
{
  const mw_rom *r = q->rom;
  int s = r->s, m = r->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  const double *K = q->value + q->l.K, *e = q->value + q->l.e + i * mk;
  for (int a = 0; a < m; a++) {
    double wa = sqrt(fmax(K[a * (a + 3) / 2], 0.0));
    for (int j = 0; j < s; j++) {
      int p = i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
      double b = q->value[q->l.b + p * m + a], mass = sqrt(q->value[q->l.a + j * (j + 3) / 2]);
      if (b != 0.0) take(q->rate[i] * fabs(b) / (mass * wa), &q->largest[i]);
    }
    for (int c = 0; c <= a; c++) {
      double wc = sqrt(fmax(K[c * (c + 3) / 2], 0.0));
      if (c < a && *e != 0.0) take(2.0 * q->rate[i] * fabs(*e) / sqrt(wa * wc), &q->largest[i]);
      e += c < a;
      for (int j = 0; j < s; j++) {
        int p = i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i, ac = a * (a + 1) / 2 + c;
        double x = fabs(q->value[q->l.c + p * mm + ac]);
        if ((r->parts & MW_ROM_H) && !(r->flat >> j & 1u))
          x = fmax(x, fabs(q->gradient[j * r->n_field + q->l.H + i * mm + ac]));
        if (x != 0.0) take(sqrt(q->rate[i] * q->rate[j] * x / (wa * wc)), &q->largest[i]);
      }
    }
  }
}

mw_code mw_rom_file_note_slow(mw_rom_file *f, mw_error *err)
{
  mw_rom *r = &f->rom;
  mw_arena mem = { 0 };
  slow q = { .rom = r, .l = mw_rom_layout_of(mw_rom_shape_of(r)) };
  q.value = mw_arena_f64(&mem, (size_t)r->n_field);
  q.gradient = mw_arena_f64(&mem, (size_t)r->s * (size_t)r->n_field);
  mw_code rc = mw_arena_check(&mem, err);
  int each = r->s < 3 ? 15 : r->s < 5 ? 5 : 3, count = 1;
  for (int i = 0; i < r->s; i++) {
    q.rate[i] = r->rate_max ? r->rate_max[i] : INFINITY;
    count *= each;
  }
  for (int k = 0; rc == MW_OK && r->rate_max && k < count; k++) {
    double theta[MW_ROM_MAX_S];
    for (int i = 0, rest = k; i < r->s; i++, rest /= each)
      theta[i] = r->lo[i] + (r->hi[i] - r->lo[i]) * (0.5 + rest % each) / each;
    if (mw_rom_fields(r, theta, q.value, q.gradient, NULL) != MW_ROM_OK) continue;
    for (int i = 0; i < r->s; i++) judge(&q, i);
  }
  r->slow = 0;
  for (int i = 0; i < r->s; i++)
    if (q.rate[i] < INFINITY && q.largest[i] <= SMALL) r->slow |= 1u << i;
  mw_arena_free(&mem);
  return rc;
}
