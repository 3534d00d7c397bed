// SPDX-License-Identifier: BSD-3-Clause
// dae_start.c: where a run starts.
//
//   frames, s   rigid kinematics with the given coordinates held (mech_rigid.c)
//   statics     f_int(u) + gravity + Jᵀ λ = 0 with these coordinates held (dae_static.c)
//   v           J v = 0 and ṡ = given, first by the frames alone (u̇ = 0, least norm);
//       what then remains of the constraints is
//               corrected in the metric of the Newton block, elastic rates included
//   a, λ        dae_first.c
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "dae_priv.h"
#include "fem/control.h"

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
  return false;
}

// Adds coordinates to held as long as each leaves less free. What then still moves is neutral (a
// wheel that may spin), or settled by the elastic bodies themselves, or has no equilibrium: the
// iteration tells.
static mw_code hold_enough(mw_dae *d, unsigned char *held, mw_error *err)
{
  mw_arena tmp = { 0 };
  const mw_mech *m = d->m;
  const double *s = d->q + d->col_s;
  int now = 0, then = 0;
  double *p = mw_arena_f64(&tmp, 12 * (size_t)m->n_body);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++)
    memcpy(p + 12 * b, mw_dae_frame(d, d->q, b), 12 * sizeof(double));
  if (rc == MW_OK) rc = mw_mech_freedom(m, held, p, s, &now, err);
  for (int c = 0; rc == MW_OK && now > 0 && c < m->n_coord; c++) {
    if (held[c]) continue;
    held[c] = 1;
    rc = mw_mech_freedom(m, held, p, s, &then, err);
    if (then < now)
      now = then;
    else
      held[c] = 0;
  }
  mw_arena_free(&tmp);
  return rc;
}

static void set_hold(mw_dae *d, const unsigned char *held)
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
  set_hold(d, held);
  return mw_dae_equilibrium(d, err);
}

// ---- velocities ---------------------------------------------------------------------------------

// Least-norm rates of frames and coordinates with u̇ = 0: rigid-body rows, joint rows with a
// stiffness but those of springs that the given coordinates stretch, given rates.
static mw_code frame_velocities(mw_dae *d, const unsigned char *held, const double *rate,
                                mw_error *err)
{
  const mw_mech *m = d->m;
  mw_arena tmp = { 0 };
  int *col = mw_arena_int(&tmp, (size_t)m->n_body), n = 0, row = 0, rank = 0;
  unsigned char *left_out = mw_arena_alloc(&tmp, (size_t)m->n_joint, 1);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_mech_loose_springs(m, held, left_out, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    col[b] = d->moving[b] ? n : -1;
    n += d->moving[b] ? 12 : 0;
  }
  int col_s = n, rows = n / 2 + m->n_row + m->n_coord;
  n += m->n_coord;
  size_t N = (size_t)n;
  double *J = mw_arena_f64(&tmp, (size_t)rows * N), *b0 = mw_arena_f64(&tmp, (size_t)rows),
         *x = mw_arena_f64(&tmp, N);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++)
    for (int c = 0; d->moving[b] && c < 6; c++, row++) {
      J[(size_t)row * N + (size_t)(col[b] + 3 + 3 * mw_dae_pair[c][0] + mw_dae_pair[c][1])] = 1.0;
      J[(size_t)row * N + (size_t)(col[b] + 3 + 3 * mw_dae_pair[c][1] + mw_dae_pair[c][0])] = 1.0;
    }
  for (int j = 0; rc == MW_OK && j < m->n_joint; j++) {
    const mw_joint *jt = &m->joint[j];
    for (int i = 0; i < jt->n_row; i++) {
      if (!(jt->k[i] > 0.0) || left_out[j] >> i & 1u) continue;
      double *r = J + (size_t)row++ * N;
      if (d->moving[jt->a]) mw_axpy(12, 1.0, d->e[j].Ja + 12 * i, r + col[jt->a]);
      if (d->moving[jt->b]) mw_axpy(12, 1.0, d->e[j].Jb + 12 * i, r + col[jt->b]);
      if (jt->coord >= 0) r[col_s + jt->coord] = d->e[j].Js[i];
    }
  }
  for (int c = 0; rc == MW_OK && c < m->n_coord; c++)
    if (held[c]) {
      J[(size_t)row * N + (size_t)(col_s + c)] = 1.0;
      b0[row++] = rate[c];
    }
  if (rc == MW_OK) rc = mw_lstsq(row, n, J, b0, 1e-10, x, &rank, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    if (!d->moving[b]) continue;
    const double *E = mw_dae_frame(d, d->q, b) + 3, *xb = x + col[b];
    double *v = d->v + d->col[b];
    mw_mul33v(E, xb, v);
    mw_mul33(E, xb + 3, v + 3);
  }
  for (int c = 0; rc == MW_OK && c < m->n_coord; c++) d->v[d->col_s + c] = x[col_s + c];
  mw_arena_free(&tmp);
  return rc;
}

void mw_dae_clear_residuals(mw_dae *d)
{
  for (int b = 0; b < d->m->n_body; b++)
    memset(d->r[b], 0, (size_t)d->block[b].n_y * sizeof(double));
  memset(d->r_s, 0, (size_t)d->m->n_coord * sizeof(double));
}

// What the frames alone left of J v = 0, corrected with the elastic rates.
static mw_code elastic_velocities(mw_dae *d, const unsigned char *held, const double *rate,
                                  mw_error *err)
{
  const mw_mech *m = d->m;
  static const double GOOD = 1e-12;  // of the largest rate
  mw_code rc = MW_OK;
  set_hold(d, held);
  d->no_elastic = true;
  for (int i = 0; rc == MW_OK && i < 3; i++) {
    double worst = 0.0, v_max = 0.0;
    mw_dae_rows_mul(d, d->v, d->gd);
    for (int j = 0; j < m->n_joint; j++)
      for (int k = 0; k < m->joint[j].n_row; k++) {
        int row = m->joint[j].row0 + k;
        d->rho[row] = isinf(m->joint[j].k[k]) ? d->gd[row] : 0.0;
        worst = fmax(worst, fabs(d->rho[row]));
      }
    for (int k = 0; k < d->n_hold; k++) {
      d->rho[m->n_row + k] = d->v[d->col_s + d->hold[k]] - rate[d->hold[k]];
      worst = fmax(worst, fabs(d->rho[m->n_row + k]));
    }
    for (int k = 0; k < d->n_q; k++) v_max = fmax(v_max, fabs(d->v[k]));
    if (worst <= GOOD * v_max) break;
    mw_dae_clear_residuals(d);
    rc = mw_dae_joint_build(d, err);
    if (rc == MW_OK) rc = mw_dae_solve(d, err);
    if (rc == MW_OK) (void)mw_dae_update(d, 0.0, 1.0, 0.0);
  }
  // the multipliers of this projection are no forces
  d->no_elastic = false;
  memset(d->lambda, 0, (size_t)(m->n_row + m->n_coord) * sizeof(double));
  memset(d->lam, 0, 12 * (size_t)m->n_body * sizeof(double));
  return rc;
}

static mw_code velocities(mw_dae *d, const unsigned char *held, const double *rate, mw_error *err)
{
  bool moves = false;
  for (int c = 0; c < d->m->n_coord; c++) moves |= held[c] && rate[c] != 0.0;
  if (!moves) return MW_OK;
  mw_code rc = mw_dae_rows(d, err);
  if (rc == MW_OK) rc = frame_velocities(d, held, rate, err);
  return rc == MW_OK ? elastic_velocities(d, held, rate, err) : rc;
}

// ---- all of it ----------------------------------------------------------------------------------

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
  if (rc == MW_OK && d->sc->static_start && has_elasticity(d->m)) {
    memcpy(fixed, held, nc);
    rc = statics(d, fixed, err);
  }
  if (rc == MW_OK) rc = mw_dae_blocks(d, false, err);
  if (rc == MW_OK) rc = velocities(d, held, rate, err);
  if (rc == MW_OK) {
    set_prescribed(d);
    mw_dae_sample(d, 0.0);
    mw_dae_forces(d, 0.0);
    rc = mw_dae_first(d, err);
  }
  mw_arena_free(&tmp);
  return rc;
}
