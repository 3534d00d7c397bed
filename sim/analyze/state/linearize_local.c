// SPDX-License-Identifier: BSD-3-Clause
// linearize_local.c: the elastic mechanism linearized while coordinates go on: by its reduction at
// a few configurations around the position alone.
//
// Mass, stiffness, and the forces of second degree in rates, are integrals over the bodies' meshes
// (reduction/table); of how modes and patterns change with θ first and second derivatives are
// needed, which splines through POINTS configurations have, PART of the range of a coordinate
// apart: with errors of the third and fourth order in that. The position is one of them, or between
// them where the range ends.
#include <math.h>
#include <string.h>

#include "reduction/reduce.h"
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

mw_code mw_linearize_full_moving(const mw_mech *m, const double *theta, const double *rate,
                                 unsigned held, int n_mode, mw_arena *mem, mw_state_space *out,
                                 mw_error *err)
{
  mw_model model = *m->model;
  mw_mech mech = *m;
  mw_rom_file f = { 0 };
  int n = model.reduction.n_coordinate;
  mw_coordinate_in *c = mw_arena_alloc(mem, (size_t)n, sizeof *c);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK && !model.reduction.present)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "%.80s has no reduction, whose coordinates go on at rates; expected one",
                 model.name);
  for (int i = 0; rc == MW_OK && i < n; i++)
    rc = narrow(&model.reduction.coordinate[i], theta[i], &c[i], err);
  if (rc != MW_OK) return rc;
  mech.model = &model;
  model.reduction.coordinate = c;
  ask(&model.reduction, n_mode);
  rc = mw_reduce(&model, &mech, NULL, &f, err);
  if (rc == MW_OK) rc = mw_linearize_reduced(&f, theta, rate, held, mem, out, err);
  mw_rom_file_free(&f);
  return rc;
}
