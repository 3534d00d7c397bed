// SPDX-License-Identifier: BSD-3-Clause
// control_linear.c: a sample of the controllers of a scenario as a linear map.
//
//   f = F_y y + F_m m ,  m⁺ = M_y y + M_m m                                                  (1)
//
// Samples are linear but for references, constant forces and limits: without these the columns of
// (1) are the samples of unit vectors. Limits are left out because they keep what grows bounded,
// not from growing.
#include <string.h>

#include "fem/control.h"

enum { INTEGRALS = 4 };  // numbers of a memory before those of its filters

static int memory_of(const mw_action *a)
{
  return a->kind == MW_ACTION_CONTROL && !a->unit ? INTEGRALS + 2 * a->n_filter : 0;
}

static double *entry(mw_control_memory *m, int i)
{
  double *integral[INTEGRALS] = { &m->error, &m->outer, &m->lag, &m->inner };
  return i < INTEGRALS ? integral[i] : &m->state[(i - INTEGRALS) / 2][(i - INTEGRALS) % 2];
}

// A copy of the controllers whose samples are linear; sc is its scenario.
static mw_code bare(const mw_control *c, mw_arena *mem, mw_scenario *sc, mw_control *out,
                    mw_error *err)
{
  size_t n = (size_t)c->sc->n_action;
  *sc = *c->sc;
  sc->action = mw_arena_alloc(mem, n, sizeof *sc->action);
  mw_code rc = mw_control_copy(c, mem, out, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  for (size_t k = 0; rc == MW_OK && k < n; k++) {
    mw_action *a = &sc->action[k];
    *a = c->sc->action[k];
    a->signal = (mw_signal){ .kind = MW_SIGNAL_CONSTANT };
    a->gravity = a->max_force = a->max_speed = a->max_power = 0.0;
  }
  sc->n_unit = 0;
  out->sc = sc;
  out->units = (mw_units){ NULL, NULL };
  out->feed = NULL;
  return rc;
}

// Samples unit j of y, then m; F, M: the column of the two maps, of this width.
static mw_code take_column(mw_control *c, int j, double *F, double *M, int width, mw_error *err)
{
  int nd = c->model->n_drive, at = 4 * nd, row = 0;
  double *seen[] = { c->s, c->s_dot, c->e, c->e_dot };
  for (int i = 0; i < 4 * nd; i++) seen[i / nd][i % nd] = i == j ? 1.0 : 0.0;
  for (int k = 0; k < c->sc->n_action; k++) {
    c->loop[k].now = (mw_control_memory){ 0 };
    for (int i = 0; i < memory_of(&c->sc->action[k]); i++, at++)
      *entry(&c->loop[k].now, i) = at == j ? 1.0 : 0.0;
  }
  c->n_sample = 1;  // homed, at zero
  c->t = 0.0;
  mw_code rc = mw_control_sample(c, c->period, err);
  for (int d = 0; d < nd; d++) F[d * width] = c->force[d];
  for (int k = 0; k < c->sc->n_action; k++)
    for (int i = 0; i < memory_of(&c->sc->action[k]); i++, row++)
      M[row * width] = *entry(&c->loop[k].now, i);
  return rc;
}

mw_code mw_control_linearize(const mw_control *c, mw_arena *mem, mw_control_linear *out,
                             mw_error *err)
{
  mw_scenario sc;
  mw_control one;
  int nd = c->model->n_drive, ny = 4 * nd, nm = 0;
  for (int k = 0; c->sc && k < c->sc->n_action; k++) nm += memory_of(&c->sc->action[k]);
  *out = (mw_control_linear){ .n_m = nm,
                              .F_y = mw_arena_f64(mem, (size_t)nd * (size_t)ny),
                              .F_m = mw_arena_f64(mem, (size_t)nd * (size_t)nm),
                              .M_y = mw_arena_f64(mem, (size_t)nm * (size_t)ny),
                              .M_m = mw_arena_f64(mem, (size_t)nm * (size_t)nm) };
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK && nm > 0) rc = bare(c, mem, &sc, &one, err);
  if (rc != MW_OK || nm == 0) return rc;
  memset(one.force, 0, (size_t)nd * sizeof *one.force);
  for (int j = 0; rc == MW_OK && j < ny; j++)
    rc = take_column(&one, j, out->F_y + j, out->M_y + j, ny, err);
  for (int j = 0; rc == MW_OK && j < nm; j++)
    rc = take_column(&one, ny + j, out->F_m + j, out->M_m + j, nm, err);
  return rc;
}
