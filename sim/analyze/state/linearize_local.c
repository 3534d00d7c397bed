// SPDX-License-Identifier: BSD-3-Clause
// linearize_local.c: the elastic mechanism linearized while coordinates go on: by its reduction at
// a few configurations around the position alone.
//
// Mass, stiffness, and the forces of second degree in rates, are integrals over the bodies' meshes
// (reduction/table); of how modes and patterns change with θ first and second derivatives are
// needed, which splines through POINTS configurations have, PART of the range of a coordinate
// apart: with errors of the third and fourth order in that. The position is one of them, or between
// them where the range ends.
//
// Of a run of path full: coordinates, rates and forces of drives are the run's, accelerations
// differences of rates over a step on either side (of prescribed coordinates: exact); columns are
// where these put them, without what swings.
#include <math.h>
#include <string.h>

#include "linearize_priv.h"
#include "lpv/linear_layer.h"
#include "reduction/reduce.h"
#include "sim/dae.h"
#include "sim/linearize.h"

enum { POINTS = 5 };
static const double PART = 0.01;

// A range of POINTS about theta within the one of the reduction
static mw_code narrow(const mw_coordinate_in *c, double theta, mw_coordinate_in *to, mw_error *err)
{
  double half = 0.5 * (POINTS - 1) * PART * (c->hi - c->lo), middle = theta;
  if (!c->cyclic && !(theta >= c->lo && theta <= c->hi))
    return mw_fail(err, MW_ERR_INPUT, c->at, "%s = %.9g is outside of the reduction's %g to %g",
                   c->name, theta, c->lo, c->hi);
  if (!c->cyclic) middle = fmin(fmax(theta, c->lo + half), c->hi - half);
  *to = *c;
  to->lo = middle - half;
  to->hi = middle + half;
  to->n_grid = POINTS;
  to->refine = 1;
  to->cyclic = to->symmetric = false;
  return MW_OK;
}

// Modes by their number alone; nothing is certified.
static void ask(mw_reduction_in *in, int n_mode)
{
  in->n_modes = n_mode;
  in->count_given = true;
  in->modes_below = in->modes_band = 0.0;
  in->grid_auto = false;
  in->table = MW_TABLE_FULL;
  in->inertia = MW_INERTIA_FULL;
  in->n_certificate = 1;
  in->n_sample = 1;
  in->receptance = in->band = 0.0;
  in->n_judge = 0;
}

// The mechanism reduced around theta [s] in n_mode modes and its patterns.
static mw_code reduce_around(const mw_mech *m, const double *theta, int n_mode, mw_arena *mem,
                             mw_rom_file *f, mw_error *err)
{
  mw_model model = *m->model;
  mw_mech mech = *m;
  int n = model.reduction.n_coordinate;
  mw_coordinate_in *c = mw_arena_alloc(mem, (size_t)n, sizeof *c);
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < n; i++)
    rc = narrow(&model.reduction.coordinate[i], theta[i], &c[i], err);
  if (rc != MW_OK) return rc;
  mech.model = &model;
  model.reduction.coordinate = c;
  ask(&model.reduction, n_mode);
  return mw_reduce(&model, &mech, NULL, f, err);
}

static mw_code has_reduction(const mw_mech *m, mw_error *err)
{
  if (m->model->reduction.present) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "%.80s has no reduction, whose coordinates go on at rates; expected one",
                 m->model->name);
}

mw_code mw_linearize_full_moving(const mw_mech *m, const double *theta, const double *rate,
                                 unsigned held, int n_mode, mw_arena *mem, mw_state_space *out,
                                 mw_error *err)
{
  mw_rom_file f = { 0 };
  mw_code rc = has_reduction(m, err);
  if (rc == MW_OK) rc = reduce_around(m, theta, n_mode, mem, &f, err);
  if (rc == MW_OK) rc = mw_linearize_reduced(&f, theta, rate, held, mem, out, err);
  mw_rom_file_free(&f);
  return rc;
}

// ---- at an instant of a run ---------------------------------------------------------------------

typedef struct instant {
  double theta[MW_ROM_MAX_S], rate[MW_ROM_MAX_S], thdd[MW_ROM_MAX_S];
  double *force;  // [n_drive]
} instant;

// State of the reduction's coordinates at instant k of r, whose instants are h (s) apart.
static void take(const mw_mech *m, const mw_run *r, int k, double h, instant *out)
{
  const mw_reduction_in *in = &m->model->reduction;
  size_t nc = (size_t)r->n_coord, at = (size_t)k * nc;
  for (int i = 0; i < in->n_coordinate; i++) {
    size_t c = (size_t)m->joint[in->coordinate[i].joint].coord;
    const double *v = r->s_dot + at + c;
    out->theta[i] = r->s[at + c];
    out->rate[i] = v[0];
    out->thdd[i] = k > 0 ? (v[nc] - *(v - nc)) / (2.0 * h)
                         : (-3.0 * v[0] + 4.0 * v[nc] - v[2 * nc]) / (2.0 * h);
  }
  memcpy(out->force, r->force + (size_t)k * (size_t)r->n_drive,
         (size_t)r->n_drive * sizeof *out->force);
}

// The run up to t, stored at each step, and what it is there.
static mw_code run_to(const mw_mech *m, const mw_scenario *sc, double t, int n_mode, instant *out,
                      mw_error *err)
{
  mw_scenario cut = *sc;
  mw_dae_opt opt = mw_dae_opt_default();
  mw_run r = { 0 };
  double h = sc->store / ceil(sc->store / sc->step * (1.0 - 1e-9));
  int k = (int)lround(t / h);
  cut.store = cut.step = h;
  cut.duration = (k > 0 ? k + 1 : 2) * h;
  opt.n_modal = m->model->modal > 0.0 ? n_mode : 0;
  mw_code rc = mw_dae_run(m, &cut, "full", &opt, NULL, &r, err);
  if (rc == MW_OK && r.event)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the motion ends before %g s: %s", t + h, r.event);
  if (rc == MW_OK) take(m, &r, k, h, out);
  mw_run_free(&r);
  return rc;
}

mw_code mw_linearize_full_motion(const mw_mech *m, const mw_scenario *sc, double t,
                                 const unsigned char *held, int n_mode, mw_arena *mem,
                                 mw_state_space *out, mw_error *err)
{
  const mw_reduction_in *in = &m->model->reduction;
  mw_rom_file f = { 0 };
  mw_linear w = { 0 };
  instant at = { .force = mw_arena_f64(mem, (size_t)m->model->n_drive) };
  unsigned hold = 0;
  int k;
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = has_reduction(m, err);
  if (rc == MW_OK) rc = mw_linearize_instant(sc, t, &k, err);
  if (rc == MW_OK) rc = run_to(m, sc, t, n_mode, &at, err);
  if (rc == MW_OK) rc = reduce_around(m, at.theta, n_mode, mem, &f, err);
  if (rc == MW_OK) rc = mw_linear_open(&f, 0, NULL, &w, err);
  if (rc == MW_OK) {
    for (int i = 0; i < in->n_coordinate; i++)
      if (held && held[m->joint[in->coordinate[i].joint].coord]) hold |= 1u << i;
    hold |= mw_linearize_prescribed(m, &f, sc, t, at.thdd);
    memcpy(w.u, at.force, (size_t)m->model->n_drive * sizeof *w.u);
    rc = mw_linear_driven(&w, at.theta, at.rate, at.thdd, hold, err);
  }
  if (rc == MW_OK) rc = mw_linearize_take(&f, &w, hold, NULL, mem, out, err);
  mw_linear_close(&w);
  mw_rom_file_free(&f);
  return rc;
}
