// SPDX-License-Identifier: BSD-3-Clause
// certificate_weight.c: frequencies of the reduced model as it runs, under the weight, against those of the bodies' whole bases.
//
//   error = max |√(λ_rom / λ) − 1| ,   λ_rom of K − H_g of the tables,  λ of K + K_g (loaded.c)                  (1)
// All other frequencies that are compared are those of the elastic machine, on both sides: columns on which K_g is projected too
// stiff or too soft show in none of them. At the corners of the work space, where weights act on the longest arms, and at Halton
// points. A λ below zero: the machine buckles under its weight, and the model, whatever it says, is of a machine that has fallen.
// Cost: an eigenanalysis on bases a point, the elements under stress some four times.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "certificate_priv.h"
#include "motion_priv.h"
#include "weight_priv.h"

enum { SPREAD = 8, SPARE = 3 };

// Number i of the points: corners first
static void place(const mw_reduction *r, int i, double *theta)
{
  int corners = 1 << r->s;
  if (i >= corners) {
    mw_points_halton(r, i - corners, 1, theta);
    return;
  }
  for (int k = 0; k < r->s; k++) theta[k] = (i >> k) & 1 ? r->hi[k] : r->lo[k];
}

// The k lowest λ_rom; K, V [m × m], w [m]
static mw_code of_tables(const mw_rom *rom, const double *theta, double *value, double *K,
                         double *V, double *w, mw_error *err)
{
  int m = rom->m;
  mw_rom_info info = { 0 };
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  if (mw_rom_fields(rom, theta, value, NULL, &info) != MW_ROM_OK)
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "a certificate point lies outside the grid");
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++) K[i * m + j] = K[j * m + i] = value[L.K + i * (i + 1) / 2 + j];
  return mw_eig_sym(m, K, w, V, err);
}

// The k lowest λ
static mw_code of_bases(const mw_reduction *r, const double *theta, int k, double *lambda,
                        mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_system *sys = NULL;
  mw_weight w = { 0 };
  mw_config q;
  double *elastic = NULL, *X = NULL;
  int n = 0;
  mw_code rc =
      mw_config_at(r->full, r->locked, r->s, r->coord, theta, &r->point[0].q, &tmp, &q, err);
  if (rc == MW_OK) rc = mw_system_build(r->blocks, r->locked, 0, q.p, q.s, &sys, err);
  if (rc == MW_OK) {
    int most = mw_system_modes_most(sys);
    n = k + SPARE < most ? k + SPARE : most;
    elastic = mw_arena_f64(&tmp, (size_t)n);
    X = mw_arena_f64(&tmp, (size_t)n * (size_t)r->n);
    rc = mw_arena_check(&tmp, err);
  }
  if (rc == MW_OK) rc = mw_system_modes(sys, n, elastic, X, err);
  if (rc == MW_OK) rc = mw_weight_at(r, sys, &q, &w, err);
  if (rc == MW_OK) rc = mw_loaded_modes(sys, &w, k, n, X, lambda, err);
  mw_weight_free(&w);
  mw_system_free(sys);
  mw_arena_free(&tmp);
  return rc;
}

// (1) of a point into c; w [m], lambda [n_freq]
static void compare(mw_certificate *c, int s, const double *theta, const double *w,
                    const double *lambda)
{
  for (int k = 0; k < c->n_freq; k++) {
    bool buckles = !(lambda[k] > 0.0);
    double e = buckles || !(w[k] > 0.0) ? 1.0 : fabs(sqrt(w[k] / lambda[k]) - 1.0);
    if (c->weight_buckles || !(buckles || e > c->weight_error)) continue;
    c->weight_error = e;
    c->weight_buckles = buckles;
    memcpy(c->weight_theta, theta, (size_t)s * sizeof *theta);
  }
}

mw_code mw_certificate_weight(const mw_reduction *r, const mw_rom_file *f, mw_certificate *c,
                              mw_arena *mem, mw_error *err)
{
  if (!mw_weight_counts(r->model) || c->n_freq == 0) return MW_OK;
  mw_arena tmp = { 0 };
  size_t m = (size_t)r->m;
  double *value = mw_arena_f64(&tmp, (size_t)f->rom.n_field), *K = mw_arena_f64(&tmp, m * m),
         *V = mw_arena_f64(&tmp, m * m), *w = mw_arena_f64(&tmp, m),
         *lambda = mw_arena_f64(&tmp, (size_t)c->n_freq);
  c->weight_theta = mw_arena_f64(mem, (size_t)r->s);
  c->n_weight = (1 << r->s) + SPREAD;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  mw_progress_start(r->progress, "frequencies under the weight", c->n_weight);
  for (int i = 0; rc == MW_OK && i < c->n_weight; i++) {
    double theta[MW_ROM_MAX_S];
    place(r, i, theta);
    rc = of_tables(&f->rom, theta, value, K, V, w, err);
    if (rc == MW_OK) rc = of_bases(r, theta, c->n_freq, lambda, err);
    if (rc == MW_OK) compare(c, r->s, theta, w, lambda);
    mw_progress_step(r->progress, i + 1);
  }
  mw_progress_end(r->progress);
  mw_arena_free(&tmp);
  return rc;
}
