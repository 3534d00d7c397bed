// SPDX-License-Identifier: BSD-3-Clause
// system_solve.c: solutions of the linear mechanism, bodies first, then joints; the small system is
// that of system.c.
//
//   x_b = S_b⁻¹ f_b ,   D [μ; x_r; y] = [ −Σ B x_b ; f_r ; −P_g x_b ] ,   x_b −= X_bᵀ μ + X_gᵀ y
//
// k right-hand sides go through a body's factor together: reading it is what a solve costs.
#include <string.h>

#include "base/dense.h"
#include "system_layer.h"

enum { AT_ONCE = 16 };  // rows of B, a multiple of four (mw_axpy_rows)

// rhs of the small system from x = S⁻¹ f of the elastic bodies and f of the rigid ones (in x)
static void small_rhs(mw_system *sys, const double *x)
{
  const mw_blocks *bl = sys->bl;
  const mw_mech *m = bl->m;
  double *rhs = sys->rhs;
  memset(rhs, 0, (size_t)sys->n_small * sizeof *rhs);
  for (int b = 0; b < m->n_body; b++) {
    int o = bl->offset[b], nu = m->body[b].n_u;
    if (nu == 0) {
      if (sys->small_body[b] >= 0) memcpy(rhs + sys->small_body[b], x + o, 6 * sizeof *rhs);
      continue;
    }
    const mw_block *k = &bl->block[b];
    for (int g = 0; g < k->n_ground; g++) rhs[sys->small_body[b] + g] = -x[o + k->ground[g]];
    for (int a = 0; sys->B[b] && a < sys->n_act[b]; a++)
      rhs[sys->act[b][a]] -= mw_dot(nu, sys->B[b] + (size_t)a * (size_t)nu, x + o);
  }
}

// x −= X_bᵀ μ of an elastic body; where S is diagonal S⁻¹ (B_bᵀ μ)
static void correct_body(const mw_system *sys, int b, double *x)
{
  const double *y = sys->rhs, *diag = sys->bl->block[b].diag;
  int nu = sys->bl->m->body[b].n_u;
  double *f = diag ? sys->work : x;
  const double *rows = diag ? sys->B[b] : sys->X[b];
  if (!rows) return;
  if (diag) memset(f, 0, (size_t)nu * sizeof *f);
  for (int from = 0, n; from < sys->n_act[b]; from += n) {
    double minus[AT_ONCE];
    n = sys->n_act[b] - from < AT_ONCE ? sys->n_act[b] - from : AT_ONCE;
    for (int a = 0; a < n; a++) minus[a] = -y[sys->act[b][from + a]];
    mw_axpy_rows(nu, n, minus, rows + (size_t)from * (size_t)nu, (size_t)nu, f);
  }
  for (int j = 0; diag && j < nu; j++) x[j] += f[j] / diag[j];
}

// x −= X_bᵀ μ + X_gᵀ y, and the rigid bodies' motions, from the solution sys->rhs
static void correct(const mw_system *sys, double *x)
{
  const mw_blocks *bl = sys->bl;
  const mw_mech *m = bl->m;
  const double *y = sys->rhs;
  for (int b = 0; b < m->n_body; b++) {
    int o = bl->offset[b], nu = m->body[b].n_u;
    if (nu == 0) {
      if (sys->small_body[b] >= 0) memcpy(x + o, y + sys->small_body[b], 6 * sizeof *x);
      continue;
    }
    const mw_block *k = &bl->block[b];
    correct_body(sys, b, x + o);
    for (int g = 0; g < k->n_ground; g++)
      mw_axpy(nu, -y[sys->small_body[b] + g], k->X + (size_t)g * (size_t)nu, x + o);
  }
}

// lambda [n_row of the mechanism] from the solution sys->rhs
static void row_forces(const mw_system *sys, double *lambda)
{
  for (int i = 0; i < sys->n_mu; i++)
    if (sys->mech_row[i] >= 0) lambda[sys->mech_row[i]] = sys->rhs[i];
}

// sys->many [n_small × k] := solutions of the small system for x = S⁻¹ f of k vectors.
static void solve_small(mw_system *sys, int k, const double *X)
{
  int n = sys->n_small;
  double *Y = sys->many;
  for (int c = 0; c < k; c++) {
    small_rhs(sys, X + (size_t)c * (size_t)sys->bl->n);
    for (int j = 0; j < n; j++) Y[j * k + c] = sys->rhs[j];
  }
  mw_small_solve(&sys->small, k, Y);
}

mw_code mw_system_solve_forces(mw_system *sys, int k, const double *F, double *X, double *lambda,
                               mw_error *err)
{
  const mw_blocks *bl = sys->bl;
  const mw_mech *m = bl->m;
  size_t n = (size_t)bl->n;
  double *y = sys->rhs;
  mw_code rc = MW_OK;
  if (F != X) memcpy(X, F, (size_t)k * n * sizeof *X);
  if (lambda) memset(lambda, 0, (size_t)k * (size_t)m->n_row * sizeof *lambda);
  for (int b = 0; b < m->n_body; b++) {
    if (m->body[b].n_u == 0) continue;
    double *Xb = X + bl->offset[b];
    rc = mw_block_solve(&bl->block[b], m->body[b].n_u, k, n, Xb, err);
    if (rc != MW_OK) return rc;
  }
  for (int i = 0, many; i < k && sys->n_small > 0; i += many) {
    many = k - i < MW_SYSTEM_MANY ? k - i : MW_SYSTEM_MANY;
    solve_small(sys, many, X + (size_t)i * n);
    for (int c = 0; c < many; c++) {
      for (int j = 0; j < sys->n_small; j++) y[j] = sys->many[j * many + c];
      correct(sys, X + (size_t)(i + c) * n);
      if (lambda) row_forces(sys, lambda + (size_t)(i + c) * (size_t)m->n_row);
    }
  }
  return MW_OK;
}

void mw_system_solve_gaps(mw_system *sys, const double *gap, double *x)
{
  double *y = sys->rhs;
  memset(x, 0, (size_t)sys->bl->n * sizeof *x);
  memset(y, 0, (size_t)sys->n_small * sizeof *y);
  for (int i = 0; i < sys->n_mu; i++)
    if (sys->mech_row[i] >= 0) y[i] = gap[sys->mech_row[i]];
  if (sys->n_small == 0) return;
  mw_small_solve(&sys->small, 1, y);
  correct(sys, x);
}

mw_code mw_system_solve_many(mw_system *sys, int k, const double *F, double *X, mw_error *err)
{
  return mw_system_solve_forces(sys, k, F, X, NULL, err);
}

mw_code mw_system_solve(mw_system *sys, const double *f, double *x, mw_error *err)
{
  return mw_system_solve_many(sys, 1, f, x, err);
}
