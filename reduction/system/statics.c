// SPDX-License-Identifier: BSD-3-Clause
// statics.c: the static patterns of the full mechanism at one configuration, θ held.
//
//   x_j = K⁻¹ f_j ,   compliance f_jᵀ x_j = x_jᵀ K x_j        f_j: patterns_list.c              (1)
//
// Cost: a factorization of each body, a solution a load.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "reduce_layer.h"

bool mw_load_is_held(const mw_mech *m, double lambda, double compliance, bool angle)
{
  static const double ROUNDING = 1e-12;
  double mass = 0.0, J = 0.0;
  for (int i = 0; i < m->n_body; i++) {
    mass += m->body[i].m;
    J += m->body[i].J[0] + m->body[i].J[4] + m->body[i].J[8];
  }
  return fabs(compliance) * (angle ? J : mass) * lambda <= ROUNDING;
}

static int joint_of(const mw_reduction *r, const mw_pattern *c)
{
  if (c->kind == MW_PATTERN_DRIVE) return r->model->drive[c->index].joint;
  return c->kind == MW_PATTERN_OUTPUT ? -1 : -2;
}

static mw_code solve_all(mw_reduction *r, const mw_patterns *p, const mw_config *q, mw_arena *mem,
                         mw_statics *s, mw_error *err)
{
  mw_system *sys = NULL;
  size_t n = (size_t)r->n, k = (size_t)p->n;
  s->n = p->n;
  s->name = mw_arena_alloc(mem, k, sizeof *s->name);
  s->joint = mw_arena_int(mem, k);
  s->x = mw_arena_f64(mem, k * n);
  s->compliance = mw_arena_f64(mem, k);
  s->lambda = mw_arena_f64(mem, k * (size_t)r->mech->n_row);
  s->p = mw_arena_f64(mem, 12 * (size_t)r->mech->n_body);
  s->s = mw_arena_f64(mem, (size_t)r->mech->n_coord);
  double *Kx = mw_arena_f64(&r->mem, n);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_arena_check(&r->mem, err);
  if (rc == MW_OK) rc = mw_system_build(r->blocks, r->locked, false, q->p, q->s, &sys, err);
  if (rc == MW_OK) rc = mw_patterns_forces(r, p, sys, q, s->x, s->lambda, err);
  for (size_t j = 0; rc == MW_OK && j < k; j++) {
    mw_system_mul_K(sys, s->x + j * n, Kx);
    s->compliance[j] = mw_dot(r->n, s->x + j * n, Kx);
    s->joint[j] = joint_of(r, &p->list[j]);
    s->name[j] = mw_arena_str(mem, p->list[j].name);
  }
  if (rc == MW_OK) memcpy(s->p, q->p, 12 * (size_t)r->mech->n_body * sizeof *s->p);
  if (rc == MW_OK && r->mech->n_coord > 0)
    memcpy(s->s, q->s, (size_t)r->mech->n_coord * sizeof *s->s);
  mw_system_free(sys);
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}

mw_code mw_direct_statics_at(const mw_model *model, const mw_mech *mech, int n, const double *theta,
                             mw_arena *mem, mw_statics *out, mw_error *err)
{
  mw_reduction r = { 0 };
  mw_patterns p = { 0 };
  mw_config q;
  mw_blocks *bl = NULL;
  mw_code rc = mw_reduction_init(model, mech, NULL, &r, err);
  if (rc != MW_OK) return rc;
  rc = mw_blocks_build(mech, 0.0, false, &bl, err);
  if (rc == MW_OK) {
    r.blocks = bl;
    r.n = mw_blocks_size(bl);
  }
  for (int k = 0; rc == MW_OK && k < n; k++) {
    mw_statics s = { 0 };
    rc = mw_config_at(mech, r.locked, r.s, r.coord, theta + k * r.s, NULL, &r.mem, &q, err);
    if (rc == MW_OK && k == 0) rc = mw_patterns_list(&r, mw_config_turns(mech, r.s, &q), &p, err);
    if (rc == MW_OK) rc = solve_all(&r, &p, &q, mem, &s, err);
    if (rc == MW_OK) out[k] = s;
  }
  mw_patterns_clear(&p);
  mw_reduction_free(&r);
  mw_blocks_free(bl);
  return rc;
}

mw_code mw_direct_statics(const mw_model *model, const mw_mech *mech, const double *theta,
                          mw_arena *mem, mw_statics *out, mw_error *err)
{
  return mw_direct_statics_at(model, mech, 1, theta, mem, out, err);
}
