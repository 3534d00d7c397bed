// SPDX-License-Identifier: BSD-3-Clause
// dae_rates.c: velocities a run starts with: J v = 0 and ṡ = given.
//
//   by the frames alone, u̇ = 0, least kinetic energy:  min ½ p̂'ᵀ M_pp p̂'   with   Φ p̂' = 0 ,
//       Ĵ p̂' + Js ṡ = 0 ,  as the rigid path (rigid_start.c)                              (1)
//   rates of modes that the scenario starts with are added (dae_bent.c)
//   what then remains of the constraints is corrected in the metric of the Newton block, elastic
//   rates included
// (1) is (2) of dae_joint.c with bodies that do not bend and coordinates without stiffness; rows
// with a stiffness hold as constraints do. O(N) along chains and trees.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "full/dae_layer.h"

// ---- frames alone -------------------------------------------------------------------------------

// The block of a body that does not bend: its masses, undeformed. rigid: where that body is kept
static mw_code frame_block(const mw_body *b, bool moving, mw_body *rigid, mw_dae_block *out,
                           mw_error *err)
{
  *rigid = *b;
  rigid->n_u = 0;
  mw_code rc = mw_dae_block_build(rigid, moving, 1.0, 0.0, NULL, NULL, NULL, out, err);
  out->body = b;
  return rc;
}

static void frames_free(mw_dae *k)
{
  for (int b = 0; k->block && b < k->m->n_body; b++) mw_dae_block_free(&k->block[b]);
  mw_arena_free(&k->mem);
}

// d with all bodies rigid, its joint system built; k->mem holds what is its own.
static mw_code frames_init(const mw_dae *d, const unsigned char *left_out, mw_dae *k, mw_error *err)
{
  const mw_mech *m = d->m;
  size_t nb = (size_t)m->n_body;
  *k = *d;
  k->mem = (mw_arena){ 0 };
  k->sys = (mw_dae_system){ 0 };
  k->drag = (mw_dae_drag){ 0 };
  k->n_law = 0;
  k->left_out = left_out;
  k->rows_known = false;
  k->block = mw_arena_alloc(&k->mem, nb, sizeof *k->block);
  k->keep = mw_arena_alloc(&k->mem, (size_t)m->n_row, 1);
  k->active = mw_arena_alloc(&k->mem, (size_t)m->n_row, 1);
  mw_body *rigid = mw_arena_alloc(&k->mem, nb, sizeof *rigid);
  mw_code rc = mw_arena_check(&k->mem, err);
  for (size_t b = 0; rc == MW_OK && b < nb; b++)
    rc = frame_block(&m->body[b], d->moving[b], &rigid[b], &k->block[b], err);
  if (rc == MW_OK) rc = mw_dae_graph_build(k, err);
  return rc == MW_OK ? mw_dae_joint_build(k, err) : rc;
}

// v += the least change of frames and coordinates that closes the rows; *worst: what they lacked
static void close_rates(mw_dae *k, const double *rate, double *worst)
{
  const mw_mech *m = k->m;
  *worst = 0.0;
  mw_dae_rows_mul(k, k->v, k->gd);
  for (int j = 0; j < m->n_joint; j++)
    for (int i = 0; i < m->joint[j].n_row; i++) {
      int row = m->joint[j].row0 + i;
      k->rho[row] = isinf(mw_dae_row_stiffness(k, j, i)) ? k->gd[row] : 0.0;
      if (k->keep[row]) *worst = fmax(*worst, fabs(k->rho[row]));
    }
  for (int h = 0; h < k->n_hold; h++) {
    k->rho[m->n_row + h] = k->v[k->col_s + k->hold[h]] - rate[k->hold[h]];
    *worst = fmax(*worst, fabs(k->rho[m->n_row + h]));
  }
  memset(k->r_s, 0, (size_t)m->n_coord * sizeof(double));
  mw_dae_clear_interfaces(k);
  mw_dae_clear_residuals(k);
  *worst = fmax(*worst, mw_dae_components_rates(k, k->v, 1.0));
  for (int i = 0; i < k->n_component; i++) mw_dae_component_free(k, &k->component[i]);
  mw_dae_rows_solve(k, k->rho, k->r_s, k->dlam, k->ds);
  for (int b = 0; b < m->n_body; b++) {
    double x[12], W[9], *v = k->v + k->col[b];
    if (!k->moving[b]) continue;
    const mw_dae_component *c = mw_dae_component_of(k, b);
    if (c)
      for (int i = 0; i < 12; i++) x[i] = -k->y[b][i] - c->move[12 * (b - c->first) + i];
    else
      mw_gemm('n', 'n', 12, 1, 12, -1.0, k->block[b].G, k->sys.f[b], 0.0, x);
    const double *E = mw_dae_frame(k, k->q, b) + 3;
    double o[3];
    mw_mul33v(E, x, o);
    mw_mul33(E, x + 3, W);
    mw_axpy(3, 1.0, o, v);
    mw_axpy(9, 1.0, W, v + 3);
  }
  mw_axpy(m->n_coord, 1.0, k->ds, k->v + k->col_s);
}

// (1), with springs but those that the given coordinates stretch
static mw_code frame_velocities(mw_dae *d, const unsigned char *held, const double *rate,
                                mw_error *err)
{
  enum { REFINE = 3 };
  static const double GOOD = 1e-14;  // of the largest rate
  mw_arena tmp = { 0 };
  mw_dae k = { 0 };
  unsigned char *left_out = mw_arena_alloc(&tmp, (size_t)d->m->n_joint, 1);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_mech_loose_springs(d->m, held, left_out, err);
  if (rc == MW_OK) rc = frames_init(d, left_out, &k, err);
  for (int i = 0; rc == MW_OK && i < REFINE; i++) {
    double worst, v_max = 0.0;
    close_rates(&k, rate, &worst);
    for (int n = 0; n < d->n_q; n++) v_max = fmax(v_max, fabs(d->v[n]));
    if (worst <= GOOD * v_max) break;
  }
  frames_free(&k);
  mw_arena_free(&tmp);
  return rc;
}

// ---- elastic rates ------------------------------------------------------------------------------

// What the frames alone left of J v = 0, corrected with the elastic rates.
static mw_code elastic_velocities(mw_dae *d, const double *rate, mw_error *err)
{
  const mw_mech *m = d->m;
  static const double GOOD = 1e-12;  // of the largest rate
  mw_code rc = MW_OK;
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
    mw_dae_clear_residuals(d);
    worst = fmax(worst, mw_dae_components_rates(d, d->v, 1.0));
    if (worst <= GOOD * v_max) break;
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

mw_code mw_dae_velocities(mw_dae *d, const unsigned char *held, const double *rate, mw_error *err)
{
  bool moves = false;
  for (int c = 0; c < d->m->n_coord; c++) moves |= held[c] && rate[c] != 0.0;
  for (int i = 0; d->ring && i < d->n_q; i++) moves |= d->ring[i] != 0.0;
  if (!moves) return MW_OK;
  mw_code rc = mw_dae_rows(d, err);
  mw_dae_set_hold(d, held);
  if (rc == MW_OK) rc = frame_velocities(d, held, rate, err);
  if (rc == MW_OK && d->ring) mw_axpy(d->n_q, 1.0, d->ring, d->v);
  return rc == MW_OK ? elastic_velocities(d, rate, err) : rc;
}
