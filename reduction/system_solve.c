// SPDX-License-Identifier: BSD-3-Clause
// system_solve.c: solutions of the linear mechanism, bodies first, then joints; the dense system is that of system.c.
//
//   x_b = S_b⁻¹ f_b ,   D [μ; x_r; y] = [ −Σ C x_b ; f_r ; −P_g x_b ] ,   x_b −= X_bᵀ (Cᵀ μ + y) ,  X_b = P S_b⁻¹
//
// k right-hand sides go through a body's factor together: reading it is what a solve costs. C has a few rows, X_b one
// for all a joint can ever touch (hundreds along a guide): C X_b is made once for all solves at a configuration.
#include <string.h>

#include "base/dense.h"
#include "system_priv.h"

// rhs of the dense system from x = S⁻¹ f of the elastic bodies and f of the rigid ones (in x)
static void small_rhs(mw_system *sys, const double *x)
{
  const mw_blocks *bl = sys->bl;
  const mw_mech *m = bl->m;
  size_t nmu = (size_t)sys->n_mu;
  double *rhs = sys->rhs;
  memset(rhs, 0, (size_t)sys->n_small * sizeof *rhs);
  for (int b = 0; b < m->n_body; b++) {
    int o = bl->offset[b];
    if (m->body[b].n_u == 0) {
      if (sys->small_body[b] >= 0) memcpy(rhs + sys->small_body[b], x + o, 6 * sizeof *rhs);
      continue;
    }
    const mw_block *k = &bl->block[b];
    for (int g = 0; g < k->n_ground; g++) rhs[sys->small_body[b] + g] = -x[o + k->ground[g]];
    if (m->body[b].n_z == 0 || nmu == 0) continue;
    mw_csc_mul(&m->body[b].P, 1.0, x + o, 0.0, sys->zf);
    for (int g = 0; g < k->n_ground; g++) sys->zf[m->body[b].n_z + g] = 0.0;  // own rows, above
    for (size_t i = 0; i < nmu; i++)
      rhs[i] -= mw_dot(k->n_f, sys->C[b] + i * (size_t)k->n_f, sys->zf);
  }
}

// C X of body b
static mw_code quick_body(mw_system *sys, int b, mw_error *err)
{
  const mw_block *k = &sys->bl->block[b];
  size_t nf = (size_t)k->n_f, nu = (size_t)sys->bl->m->body[b].n_u;
  mw_arena tmp = { 0 };
  sys->act[b] = mw_arena_int(&sys->quick, (size_t)sys->n_mu);
  double *CA = mw_arena_f64(&tmp, (size_t)sys->n_mu * nf);
  mw_code rc = mw_arena_check(&sys->quick, err);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < sys->n_mu; i++) {
    const double *row = sys->C[b] + (size_t)i * nf;
    bool any = false;
    for (size_t c = 0; c < nf && !any; c++) any = row[c] != 0.0;
    if (!any) continue;
    memcpy(CA + (size_t)sys->n_act[b] * nf, row, nf * sizeof *CA);
    sys->act[b][sys->n_act[b]++] = i;
  }
  int n = sys->n_act[b];
  if (rc == MW_OK) {
    sys->XC[b] = mw_arena_f64(&sys->quick, (size_t)n * nu);
    rc = mw_arena_check(&sys->quick, err);
  }
  if (rc == MW_OK && n > 0) mw_gemm('n', 'n', n, (int)nu, (int)nf, 1.0, CA, k->X, 0.0, sys->XC[b]);
  mw_arena_free(&tmp);
  return rc;
}

static mw_code quicken(mw_system *sys, mw_error *err)
{
  const mw_mech *m = sys->bl->m;
  size_t nb = (size_t)m->n_body;
  if (sys->XC || sys->n_mu == 0) return MW_OK;
  sys->n_act = mw_arena_int(&sys->quick, nb);
  sys->act = mw_arena_alloc(&sys->quick, nb, sizeof *sys->act);
  sys->XC = mw_arena_alloc(&sys->quick, nb, sizeof *sys->XC);
  mw_code rc = mw_arena_check(&sys->quick, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++)
    if (m->body[b].n_u > 0 && m->body[b].n_z > 0) rc = quick_body(sys, b, err);
  if (rc != MW_OK) mw_system_rest(sys);
  return rc;
}

void mw_system_rest(mw_system *sys)
{
  if (!sys) return;
  mw_arena_free(&sys->quick);
  sys->n_act = NULL;
  sys->act = NULL;
  sys->XC = NULL;
}

// x −= X_bᵀ (Cᵀ μ + y), and the rigid bodies' motions, from the solution sys->rhs
static void correct(const mw_system *sys, double *x)
{
  const mw_blocks *bl = sys->bl;
  const mw_mech *m = bl->m;
  const double *y = sys->rhs;
  for (int b = 0; b < m->n_body; b++) {
    int o = bl->offset[b];
    if (m->body[b].n_u == 0) {
      if (sys->small_body[b] >= 0) memcpy(x + o, y + sys->small_body[b], 6 * sizeof *x);
      continue;
    }
    const mw_block *k = &bl->block[b];
    size_t nu = (size_t)m->body[b].n_u, nz = (size_t)m->body[b].n_z;
    for (int a = 0; sys->XC && a < sys->n_act[b]; a++)
      mw_axpy((int)nu, -y[sys->act[b][a]], sys->XC[b] + (size_t)a * nu, x + o);
    for (int g = 0; g < k->n_ground; g++)
      mw_axpy((int)nu, -y[sys->small_body[b] + g], k->X + (nz + (size_t)g) * nu, x + o);
  }
}

mw_code mw_system_solve_many(mw_system *sys, int k, const double *F, double *X, mw_error *err)
{
  const mw_blocks *bl = sys->bl;
  const mw_mech *m = bl->m;
  size_t n = (size_t)bl->n;
  double *y = sys->rhs;
  mw_code rc = quicken(sys, err);
  if (rc != MW_OK) return rc;
  if (F != X) memcpy(X, F, (size_t)k * n * sizeof *X);
  for (int b = 0; b < m->n_body; b++) {
    if (m->body[b].n_u == 0) continue;
    double *Xb = X + bl->offset[b];
    rc = mw_factor_solve_ld(bl->block[b].factor, k, n, Xb, Xb, err);
    if (rc != MW_OK) return rc;
  }
  for (int i = 0; i < k && sys->n_small > 0; i++) {
    double *x = X + (size_t)i * n;
    small_rhs(sys, x);
    for (int j = 0; j < sys->n_small; j++) y[j] *= sys->scale[j];
    mw_lu_solve(sys->n_small, sys->LU, sys->piv, 1, y);
    for (int j = 0; j < sys->n_small; j++) y[j] *= sys->scale[j];
    correct(sys, x);
  }
  return MW_OK;
}

mw_code mw_system_solve(mw_system *sys, const double *f, double *x, mw_error *err)
{
  return mw_system_solve_many(sys, 1, f, x, err);
}
