// SPDX-License-Identifier: BSD-3-Clause
// hold.c: which loaded directions the set of Craig and Bampton fixes.
//
// Modes with directions fixed are smooth functions of θ only where these are independent of each
// other and of the joints. A carriage's own direction vanishes over a support; beside an output it
// runs past it becomes the same one, and the modes then fix a slope a little before and none right
// there: no grid resolves that. So a direction is fixed for all of θ or left free:
//   E_g = Fᵀ K⁻¹ F at many θ_g, all loads free ;  fixed: one after the other the load with
//   the largest min_g (what is left of E_g,jj beside those fixed) / max_g E_g,jj , while LEAST  (1)
// What is left free has its static pattern as all loads have. Cost: a configuration and a few
// solves at POINTS and all grid points.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "fem/output.h"
#include "reduce_layer.h"
#include "sample/sample_layer.h"

enum { POINTS = 64, MOST_LOADS = 64 };
static const double LEAST = 0.05;

typedef struct hold {
  mw_reduction *r;
  int n, n_at;      // loads, configurations
  double *E, *top;  // [n_at × n × n], [n]
  mw_arena mem;
} hold;

static mw_output_in *output_of(const hold *h, int l)
{
  return l < 3 * h->r->model->n_output ? &h->r->model->output[l / 3] : NULL;
}

// Load l of system.h's list into f; false: there is none (stresses; drives of coordinates that are
// held).
static bool load(const hold *h, mw_system *sys, int l, double *f)
{
  const mw_reduction *r = h->r;
  const double none[3] = { 0.0, 0.0, 0.0 }, e[3] = { l % 3 == 0, l % 3 == 1, l % 3 == 2 };
  const mw_output_in *o = output_of(h, l);
  if (o && mw_output_is_gauge(o)) return false;
  if (o) {
    mw_system_load_point(sys, o->ref, o->x, e, f);
    return true;
  }
  const mw_drive_in *d = &r->model->drive[l - 3 * r->model->n_output];
  if (d->joint < 0) {
    mw_system_load_point(sys, d->on, none, d->dir, f);
    return true;
  }
  int c = r->mech->joint[d->joint].coord;
  if (!r->locked[c]) mw_system_load_coord(sys, c, f);
  return !r->locked[c];
}

static mw_code energies(hold *h, const double *theta, const mw_config *near, double *E,
                        mw_error *err)
{
  mw_reduction *r = h->r;
  mw_arena tmp = { 0 };
  mw_system *sys = NULL;
  mw_config q;
  size_t n = (size_t)r->n, nl = (size_t)h->n;
  double *F = mw_arena_f64(&tmp, nl * n), *X = mw_arena_f64(&tmp, nl * n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK)
    rc = mw_config_at(r->mech, r->locked, r->s, r->coord, theta, near, &tmp, &q, err);
  if (rc == MW_OK) rc = mw_system_build(r->blocks, r->locked, 0, q.p, q.s, &sys, err);
  for (int l = 0; rc == MW_OK && l < h->n; l++)
    if (!load(h, sys, l, F + (size_t)l * n)) memset(F + (size_t)l * n, 0, n * sizeof *F);
  if (rc == MW_OK) rc = mw_system_solve_many(sys, h->n, F, X, err);
  if (rc == MW_OK) mw_gemm('n', 't', h->n, h->n, r->n, 1.0, F, X, 0.0, E);
  for (int l = 0; rc == MW_OK && l < h->n; l++) h->top[l] = fmax(h->top[l], E[l * h->n + l]);
  mw_system_free(sys);
  mw_arena_free(&tmp);
  return rc;
}

static mw_code sample_all(hold *h, mw_error *err)
{
  mw_reduction *r = h->r;
  double *theta = mw_arena_f64(&h->mem, (size_t)POINTS * (size_t)r->s);
  mw_code rc = mw_arena_check(&h->mem, err);
  if (rc == MW_OK) mw_points_halton(r, 0, POINTS, theta);
  size_t nn = (size_t)h->n * (size_t)h->n;
  for (int k = 0; rc == MW_OK && k < h->n_at; k++) {
    int g = k - POINTS;
    const mw_config *near = &r->point[g < 0 ? 0 : g].q;
    rc = energies(h, g < 0 ? theta + k * r->s : near->theta, near, h->E + (size_t)k * nn, err);
  }
  return rc;
}

// The next load to fix by (1), −1: none.
static int next(const hold *h, uint64_t held)
{
  int best = -1;
  double most = LEAST, big[2] = { 0.0 };  // of outputs and drives: what is rounding is no load
  for (int l = 0; l < h->n; l++) big[!output_of(h, l)] = fmax(big[!output_of(h, l)], h->top[l]);
  for (int l = 0; l < h->n; l++) {
    double least = INFINITY;
    if (held >> l & 1u || !(h->top[l] > 1e-9 * big[!output_of(h, l)])) continue;
    for (int k = 0; k < h->n_at; k++)
      least = fmin(least, h->E[((size_t)k * (size_t)h->n + (size_t)l) * (size_t)h->n + (size_t)l]);
    if (least / h->top[l] < most) continue;
    most = least / h->top[l];
    best = l;
  }
  return best;
}

// Takes load l out of all energies: Schur complement.
static void take_out(const hold *h, int l)
{
  size_t n = (size_t)h->n;
  for (int k = 0; k < h->n_at; k++) {
    double *E = h->E + (size_t)k * n * n, pivot = E[(size_t)l * n + (size_t)l];
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n && i != (size_t)l; j++)
        if (j != (size_t)l) E[i * n + j] -= E[i * n + (size_t)l] * E[(size_t)l * n + j] / pivot;
  }
}

// Names of the fixed loads into r->fixed, and one line: what is left free although it is loaded.
static mw_code tell(const hold *h, uint64_t held, mw_error *err)
{
  mw_reduction *r = h->r;
  const mw_model *m = r->model;
  const char *names = NULL;
  char text[320];
  for (int l = 0; l < h->n; l++) {
    if (!(held >> l & 1u)) continue;
    const char *before = names ? names : "", *comma = names ? ", " : "";
    names = output_of(h, l) ? mw_arena_printf(&r->mem, "%s%s%s.%c", before, comma,
                                              output_of(h, l)->name, "xyz"[l % 3])
                            : mw_arena_printf(&r->mem, "%s%s%s", before, comma,
                                              m->drive[l - 3 * m->n_output].name);
    if (!names) break;
  }
  r->fixed = names;
  snprintf(text, sizeof text,
           "craig-bampton: fixed %.200s; other loads, not independent everywhere, free",
           names ? names : "nothing");
  mw_progress_note(r->progress, text);
  return mw_arena_check(&r->mem, err);
}

mw_code mw_hold_loads(mw_reduction *r, mw_error *err)
{
  hold h = { .r = r, .n = 3 * r->model->n_output + r->model->n_drive };
  uint64_t held = 0;
  r->hold = 0;
  r->fixed = NULL;
  if (!r->model->reduction.craig_bampton) return MW_OK;
  if (h.n > MOST_LOADS) h.n = MOST_LOADS;
  h.n_at = POINTS + r->n_point;
  h.E = mw_arena_f64(&h.mem, (size_t)h.n_at * (size_t)h.n * (size_t)h.n);
  h.top = mw_arena_f64(&h.mem, (size_t)h.n);
  mw_code rc = mw_arena_check(&h.mem, err);
  if (rc == MW_OK) rc = sample_all(&h, err);
  for (int l; rc == MW_OK && (l = next(&h, held)) >= 0;) {
    held |= (uint64_t)1 << l;
    take_out(&h, l);
  }
  if (rc == MW_OK) rc = tell(&h, held, err);
  if (rc == MW_OK) r->hold = held;
  mw_arena_free(&h.mem);
  return rc;
}
