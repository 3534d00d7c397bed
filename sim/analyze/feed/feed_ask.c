// SPDX-License-Identifier: BSD-3-Clause
// feed_ask.c: the motion that drives of a scenario follow, coordinate by coordinate of a reduction.
#include <math.h>

#include "base/arena.h"
#include "feed_priv.h"
#include "fem/control.h"

int mw_feed_drive_of(const mw_mech *m, const mw_rom_file *rom, int i)
{
  int c = mw_mech_coord(m, rom->coordinate[i]);
  for (int d = 0; d < m->model->n_drive; d++) {
    int joint = m->model->drive[d].joint;
    if (joint >= 0 && m->joint[joint].coord == c) return d;
  }
  return -1;
}

mw_code mw_feed_instants(const mw_scenario *sc, double most, int *n, double *step, mw_error *err)
{
  enum { MOST = 200000 };
  static const double ROUNDING = 1e-12;
  double parts = ceil(sc->store / fmin(sc->step, most) * (1.0 - ROUNDING)),
         all = nearbyint(sc->duration / sc->store) * parts + 1.0;
  if (!(all <= MOST) || all < MW_FEED_PLACES)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "the scenario has %.0f instants of at most a hundredth of the lowest period, "
                   "expected %d to %d",
                   all, MW_FEED_PLACES, MOST);
  *n = (int)all;
  *step = sc->store / parts;
  return MW_OK;
}

// The action that guides coordinate i of the reduction
static mw_code action_of(const mw_mech *m, const mw_rom_file *rom, const mw_scenario *sc, int i,
                         const mw_action **out, mw_error *err)
{
  const char *name = rom->coordinate[i];
  if (mw_feed_drive_of(m, rom, i) < 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "coordinate %s of the reduction has no drive: expected one of each, whose "
                   "forces are looked for",
                   name);
  for (int k = 0; k < sc->n_action; k++) {
    const mw_action *a = &sc->action[k];
    int joint = m->model->drive[a->drive].joint;
    if (joint < 0 || m->joint[joint].coord != mw_mech_coord(m, name) || !mw_action_guides(a))
      continue;
    *out = a;
    return MW_OK;
  }
  return mw_fail(err, MW_ERR_INPUT, sc->at,
                 "no drive of the scenario follows a motion of %s, a coordinate of the reduction; "
                 "expected all of them",
                 name);
}

// Column k of motor as its mean over o->mean before each instant, at rest before the first (3). Its
// integral by values and slopes at instants: order 4.
static mw_code average(const mw_feed_forward *o, int k, double *const motor[3], mw_error *err)
{
  static const double NONE = 1e-9;
  mw_arena tmp = { 0 };
  int n = o->n, s = o->s, back = (int)nearbyint(o->mean / o->t[1]);
  double *x[3], h = o->t[1], T = back * h, most = 0.0;
  for (int j = 0; j < 3; j++) x[j] = mw_arena_f64(&tmp, (size_t)n);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    const double *y = motor[0] + i * s + k, *dy = motor[1] + i * s + k;
    x[1][i] = *y;
    x[2][i] = *dy;
    most = fmax(most, fabs(*dy));
    if (i > 0) x[0][i] = x[0][i - 1] + 0.5 * h * (y[0] + y[-s]) - h * h / 12.0 * (dy[0] - dy[-s]);
  }
  if (rc == MW_OK && fabs(x[2][0]) > NONE * most)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--rise: the motion begins at a rate of %.6g, expected from rest", x[2][0]);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    int from = i - back;
    double before = from < 0 ? from * h * x[1][0] : x[0][from];
    motor[0][i * s + k] = (x[0][i] - before) / T;
    motor[1][i * s + k] = (x[1][i] - x[1][from < 0 ? 0 : from]) / T;
    motor[2][i * s + k] = (x[2][i] - (from < 0 ? 0.0 : x[2][from])) / T;
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_feed_sample(const mw_mech *m, const mw_rom_file *rom, const mw_scenario *sc,
                       const mw_feed_forward *o, double *const motor[3], mw_error *err)
{
  for (int k = 0; k < sc->n_action; k++)
    if (!mw_action_guides(&sc->action[k]))
      return mw_fail(err, MW_ERR_INPUT, sc->action[k].at,
                     "found a force of %s, expected positions that drives follow: their forces are "
                     "what is looked for",
                     m->model->drive[sc->action[k].drive].name);
  for (int k = 0; k < o->s; k++) {
    const mw_action *a = NULL;
    mw_code rc = action_of(m, rom, sc, k, &a, err);
    if (rc != MW_OK) return rc;
    for (int i = 0; i < o->n; i++) {
      size_t at = (size_t)i * (size_t)o->s + (size_t)k;
      mw_signal_eval(&a->signal, o->t[i], &motor[0][at], &motor[1][at], &motor[2][at]);
    }
    if (o->mean > 0.0) rc = average(o, k, motor, err);
    if (rc != MW_OK) return rc;
  }
  return MW_OK;
}
