// SPDX-License-Identifier: BSD-3-Clause
// certificate_weight.c: frequencies of the reduced model as it runs, under the weight, against
// those of the bodies' whole bases.
//
//   error = max |√(λ_rom / λ) − 1| ,   λ_rom of K − H_g of the tables,  λ of K + K_g (loaded.c) (1)
// All other frequencies that are compared are those of the elastic machine, on both sides: columns
// on which K_g is projected too stiff or too soft show in none of them. At the corners of the work
// space, where weights act on the longest arms, at Halton points, and where a sample's frequencies
// err most without the weight: what tables interpolate badly shows in both. A λ below zero: the
// machine buckles under its weight, and the model, whatever it says, is of a machine that has
// fallen. The same under each declared input that is a force at a frame, both ways, beside the
// weight, at the corners and three points more: λ_rom of K − H_g ∓ u Y. Forces on joint coordinates
// and what rates and accelerations press are not among them. Models without H_g and Y (inertia:
// first_order, leading) are compared with the same mechanism: what they leave out is in (1).
// Cost: an eigenanalysis on bases a point, the elements under stress some four times; likewise a
// direction of an input.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "certificate_layer.h"
#include "second/weight_layer.h"
#include "table/rigid_table_layer.h"
#include "work/offline_layer.h"

enum { SPREAD = 8, FEW = 2, SPARE = 3 };

// Places of a certificate, theta [n × s] from mem: corners first, then `spread` Halton points, then
// the worst sample of c
static mw_code own_places(const mw_reduction *r, const mw_certificate *c, int spread, mw_arena *mem,
                          mw_places *out, mw_error *err)
{
  int corners = 1 << r->s, s = r->s, n = corners + spread;
  bool worst = c->n > 0 && c->theta && c->worst >= 0;
  double *theta = mw_arena_f64(mem, (size_t)(n + 1) * (size_t)s);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < corners * s; i++)
    theta[i] = (i / s) >> (i % s) & 1 ? r->hi[i % s] : r->lo[i % s];
  mw_points_halton(r, 0, spread, theta + corners * s);
  if (worst) memcpy(theta + n * s, c->theta + c->worst * s, (size_t)s * sizeof *theta);
  *out = (mw_places){ .n = n + worst, .theta = theta };
  return MW_OK;
}

// The k lowest λ_rom; K, V [m × m], w [m]; under u of a drive, -1: none
static mw_code of_tables(const mw_rom *rom, const double *theta, int drive, double u, double *value,
                         double *K, double *V, double *w, mw_error *err)
{
  int m = rom->m;
  mw_rom_info info = { 0 };
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  if (mw_rom_fields(rom, theta, value, NULL, &info) != MW_ROM_OK)
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "a certificate point lies outside the grid");
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++) K[i * m + j] = K[j * m + i] = value[L.K + i * (i + 1) / 2 + j];
  for (int k = 0; drive >= 0 && k < rom->n_Y; k++)
    for (int i = 0; rom->Y_field[k] == rom->u_field[drive] && i < m; i++)
      for (int j = 0; j <= i; j++) {
        K[i * m + j] -= u * value[L.Y + (k * (m + 1) * m) / 2 + i * (i + 1) / 2 + j];
        K[j * m + i] = K[i * m + j];
      }
  return mw_eig_sym(m, K, w, V, err);
}

// The k lowest λ
static mw_code of_bases(const mw_reduction *r, const double *theta, const mw_weight_push *push,
                        int k, double *lambda, mw_error *err)
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
  if (rc == MW_OK) rc = mw_weight_at(r, sys, &q, push, &w, err);
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

typedef struct trial {  // one model, and scratch
  const mw_reduction *r;
  const mw_rom_file *f;
  mw_certificate *c;
  double *value, *K, *V, *w, *lambda;
  mw_arena mem;
} trial;

static mw_code trial_init(trial *t, mw_error *err)
{
  size_t m = (size_t)t->r->m;
  t->value = mw_arena_f64(&t->mem, (size_t)t->f->rom.n_field);
  t->K = mw_arena_f64(&t->mem, m * m);
  t->V = mw_arena_f64(&t->mem, m * m);
  t->w = mw_arena_f64(&t->mem, m);
  t->lambda = mw_arena_f64(&t->mem, (size_t)t->c->n_freq);
  return mw_arena_check(&t->mem, err);
}

// Under u of a drive into c->push_…
static mw_code push(trial *t, const double *theta, int drive, double u, mw_error *err)
{
  const mw_drive_in *d = &t->r->model->drive[drive];
  mw_certificate *c = t->c;
  mw_weight_push p = { .on = d->on, .f = { u * d->dir[0], u * d->dir[1], u * d->dir[2] } };
  mw_code rc = of_tables(&t->f->rom, theta, drive, u, t->value, t->K, t->V, t->w, err);
  if (rc == MW_OK) rc = of_bases(t->r, theta, &p, c->n_freq, t->lambda, err);
  for (int k = 0; rc == MW_OK && k < c->n_freq; k++) {
    bool buckles = !(t->lambda[k] > 0.0);
    double e = buckles || !(t->w[k] > 0.0) ? 1.0 : fabs(sqrt(t->w[k] / t->lambda[k]) - 1.0);
    if (c->push_buckles || !(buckles || e > c->push_error)) continue;
    c->push_error = e;
    c->push_buckles = buckles;
    c->push_input = d->name;
    memcpy(c->push_theta, theta, (size_t)t->r->s * sizeof *theta);
  }
  return rc;
}

mw_code mw_certificate_push(const mw_reduction *r, const mw_rom_file *f, const mw_places *at,
                            mw_certificate *c, mw_arena *mem, mw_error *err)
{
  const mw_model *model = r->model;
  trial t = { .r = r, .f = f, .c = c };
  int n = 0;
  mw_places own = { 0 };
  for (int d = 0; d < model->n_drive; d++) {
    double u = model->reduction.max_input[d];
    n += model->drive[d].joint < 0 && u > 0.0 && isfinite(u);
  }
  if (n == 0 || c->n_freq == 0) return MW_OK;
  mw_code rc = at ? MW_OK : own_places(r, c, FEW, &t.mem, &own, err);
  if (rc == MW_OK) rc = trial_init(&t, err);
  if (!at) at = &own;
  c->push_theta = mw_arena_f64(mem, (size_t)r->s);
  c->n_push = at->n;
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  mw_progress_start(r->progress, "frequencies under declared inputs", c->n_push);
  for (int i = 0; rc == MW_OK && i < c->n_push; i++) {
    const double *theta = at->theta + i * r->s;
    for (int d = 0; rc == MW_OK && d < model->n_drive; d++) {
      double u = model->reduction.max_input[d];
      if (model->drive[d].joint >= 0 || !(u > 0.0) || !isfinite(u)) continue;
      rc = push(&t, theta, d, u, err);
      if (rc == MW_OK) rc = push(&t, theta, d, -u, err);
    }
    mw_progress_step(r->progress, i + 1);
  }
  mw_progress_end(r->progress);
  mw_arena_free(&t.mem);
  return rc;
}

typedef struct places_of {  // their spectra, one after the other
  const mw_reduction *r;
  const mw_places *at;
  int k;
  double *lambda;  // [n × k]
} places_of;

static mw_code place_of_bases(void *ctx, int i, mw_error *err)
{
  places_of *z = ctx;
  return of_bases(z->r, z->at->theta + i * z->r->s, NULL, z->k, z->lambda + i * z->k, err);
}

mw_code mw_certificate_weight(const mw_reduction *r, const mw_rom_file *f, const mw_places *at,
                              mw_certificate *c, mw_arena *mem, mw_error *err)
{
  if (!mw_rest_loads(r) || c->n_freq == 0) return MW_OK;
  trial t = { .r = r, .f = f, .c = c };
  mw_places own = { 0 };
  mw_code rc = at ? MW_OK : own_places(r, c, SPREAD, &t.mem, &own, err);
  if (rc == MW_OK) rc = trial_init(&t, err);
  if (!at) at = &own;
  c->weight_theta = mw_arena_f64(mem, (size_t)r->s);
  c->n_weight = at->n;
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  mw_progress_start(r->progress, "frequencies under the weight", c->n_weight);
  places_of all = { .r = r, .at = at, .k = c->n_freq };
  all.lambda = mw_arena_f64(&t.mem, (size_t)at->n * (size_t)c->n_freq);
  if (rc == MW_OK) rc = mw_arena_check(&t.mem, err);
  if (rc == MW_OK) rc = mw_offline_shapes(r->offline, &r->offline->fine, err);
  if (rc == MW_OK) rc = mw_parallel(r->work, at->n, place_of_bases, &all, err);
  for (int i = 0; rc == MW_OK && i < c->n_weight; i++) {
    const double *theta = at->theta + i * r->s;
    rc = of_tables(&f->rom, theta, -1, 0.0, t.value, t.K, t.V, t.w, err);
    if (rc == MW_OK) compare(c, r->s, theta, t.w, all.lambda + i * c->n_freq);
    mw_progress_step(r->progress, i + 1);
  }
  mw_progress_end(r->progress);
  mw_arena_free(&t.mem);
  return rc;
}
