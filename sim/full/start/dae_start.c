// SPDX-License-Identifier: BSD-3-Clause
// dae_start.c: where a run starts.
//
//   frames, s   rigid kinematics with the given coordinates held (mech_rigid.c)
//   statics     f_int(u) + gravity + Jᵀ λ = 0 with these coordinates held (dae_static.c), under
//               what bends it at the start besides (dae_bent.c)
//   v           J v = 0 and ṡ = given (dae_rates.c)
//   a, λ        dae_first.c
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/control.h"
#include "full/dae_layer.h"

// ---- positions ----------------------------------------------------------------------------------

// Coordinates the scenario gives: held [n_coord], their values into q, their rates into rate
// [n_coord].
static void given_coordinates(mw_dae *d, unsigned char *held, double *rate)
{
  const mw_scenario *sc = d->sc;
  const mw_mech *m = d->m;
  for (int k = 0; k < sc->n_start; k++) {
    int c = m->joint[sc->start_joint[k]].coord;
    if (c < 0) continue;
    held[c] = 1;
    d->q[d->col_s + c] = sc->start_s[k];
    rate[c] = sc->start_v[k];
  }
  for (int k = 0; k < sc->n_action; k++) {
    int j = m->model->drive[sc->action[k].drive].joint, c = j >= 0 ? m->joint[j].coord : -1;
    double y[3];
    if (c < 0 || !mw_control_prescribed(sc, sc->action[k].drive, 0.0, y)) continue;
    held[c] = 1;
    d->q[d->col_s + c] = y[0];
    rate[c] = y[1];
  }
}

// Frames by rigid kinematics, from the reference configuration to the given coordinates.
static mw_code rigid_positions(mw_dae *d, const unsigned char *held, mw_error *err)
{
  mw_arena tmp = { 0 };
  const mw_mech *m = d->m;
  size_t nb = (size_t)m->n_body, nc = (size_t)m->n_coord;
  double *p = mw_arena_f64(&tmp, 12 * nb), *given = mw_arena_f64(&tmp, nc), *s = d->q + d->col_s;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    memcpy(p, m->p0, 12 * nb * sizeof(double));
    memcpy(given, s, nc * sizeof(double));
    memcpy(s, m->s0, nc * sizeof(double));
    rc = mw_mech_rigid_solve(m, held, given, p, s, err);
  }
  for (int b = 0; rc == MW_OK && b < m->n_body; b++)
    if (d->moving[b]) memcpy(d->q + d->col[b], p + 12 * b, 12 * sizeof(double));
  mw_arena_free(&tmp);
  return rc;
}

// ---- statics ------------------------------------------------------------------------------------

static bool has_elasticity(const mw_mech *m)
{
  for (int b = 0; b < m->n_body; b++)
    if (m->body[b].n_u > 0) return true;
  for (int j = 0; j < m->n_joint; j++)
    for (int i = 0; i < m->joint[j].n_row; i++)
      if (isfinite(m->joint[j].k[i])) return true;
  for (int k = 0; k < m->model->n_component; k++)
    if (m->model->component[k].size.springs) return true;
  return false;
}

// The iteration tells whether what then still moves is held by something.
static mw_code hold_enough(mw_dae *d, unsigned char *held, mw_error *err)
{
  mw_arena tmp = { 0 };
  const mw_mech *m = d->m;
  double *p = mw_arena_f64(&tmp, 12 * (size_t)m->n_body);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++)
    memcpy(p + 12 * b, mw_dae_frame(d, d->q, b), 12 * sizeof(double));
  if (rc == MW_OK) rc = mw_mech_hold_enough(m, p, d->q + d->col_s, held, err);
  mw_arena_free(&tmp);
  return rc;
}

void mw_dae_set_hold(mw_dae *d, const unsigned char *held)
{
  d->n_hold = 0;
  for (int c = 0; c < d->m->n_coord; c++) {
    if (!held[c]) continue;
    d->hold_drive[d->n_hold] = -1;
    d->target[3 * d->n_hold] = d->q[d->col_s + c];
    d->hold[d->n_hold++] = c;
  }
  d->n_all = d->m->n_row + d->n_hold;
  d->rows_known = false;
  memset(d->lambda + d->m->n_row, 0, (size_t)d->m->n_coord * sizeof(double));
}

// Prescribed coordinates alone.
static void set_prescribed(mw_dae *d)
{
  const mw_scenario *sc = d->sc;
  d->n_hold = 0;
  for (int k = 0; k < sc->n_action; k++) {
    int j = d->m->model->drive[sc->action[k].drive].joint;
    if (sc->action[k].kind != MW_ACTION_POSITION || j < 0) continue;
    d->hold_drive[d->n_hold] = sc->action[k].drive;
    d->hold[d->n_hold++] = d->m->joint[j].coord;
  }
  d->n_all = d->m->n_row + d->n_hold;
  d->rows_known = false;
  memset(d->lambda + d->m->n_row, 0, (size_t)d->m->n_coord * sizeof(double));
  mw_dae_targets(d, 0.0);
}

static mw_code statics(mw_dae *d, unsigned char *held, mw_error *err)
{
  mw_code rc = hold_enough(d, held, err);
  if (rc != MW_OK) return rc;
  mw_dae_set_hold(d, held);
  return mw_dae_equilibrium(d, err);
}

void mw_dae_clear_residuals(mw_dae *d)
{
  for (int b = 0; b < d->m->n_body; b++)
    memset(d->r[b], 0, (size_t)d->block[b].n_y * sizeof(double));
  memset(d->r_s, 0, (size_t)d->m->n_coord * sizeof(double));
  mw_dae_components_rest(d);
}

// ---- all of it ----------------------------------------------------------------------------------

static bool seeks_rest(const mw_dae *d)
{
  return (d->sc->static_start || d->lean) && has_elasticity(d->m);
}

// Coordinates are those given. Statics that need their blocks more than once are not foreseen.
static double cost(mw_dae *d)
{
  double blocks = 0.0;
  for (int b = 0; b < d->m->n_body; b++) blocks += mw_dae_block_cost(&d->m->body[b], d->moving[b]);
  return (seeks_rest(d) ? 2.0 : 1.0) * blocks + mw_dae_modal_cost(d);
}

mw_code mw_dae_start(mw_dae *d, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t nc = (size_t)d->m->n_coord;
  unsigned char *held = mw_arena_alloc(&tmp, nc, 1), *fixed = mw_arena_alloc(&tmp, nc, 1);
  double *rate = mw_arena_f64(&tmp, nc);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    memcpy(d->q + d->col_s, d->m->s0, nc * sizeof(double));
    given_coordinates(d, held, rate);
    rc = rigid_positions(d, held, err);
  }
  if (rc == MW_OK) rc = mw_dae_bent(d, err);
  if (rc == MW_OK) rc = mw_dae_components_check_start(d, err);
  if (rc == MW_OK) mw_progress_start_late(d->progress, "start", cost(d));
  if (rc == MW_OK && seeks_rest(d)) {
    memcpy(fixed, held, nc);
    rc = statics(d, fixed, err);
  }
  d->lean = NULL;
  if (rc == MW_OK) rc = mw_dae_blocks(d, false, err);
  if (rc == MW_OK) rc = mw_dae_velocities(d, held, rate, err);
  if (rc == MW_OK) {
    set_prescribed(d);
    rc = mw_dae_sample(d, 0.0, err);
    mw_dae_forces(d, 0.0);
    if (rc == MW_OK) rc = mw_dae_first(d, err);
  }
  mw_progress_end(d->progress);
  mw_arena_free(&tmp);
  return rc;
}
