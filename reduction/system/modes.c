// SPDX-License-Identifier: BSD-3-Clause
// modes.c: constrained eigenmodes of the mechanism at one configuration: block Lanczos (lanczos.c)
// or ARPACK (arpack.c) on the block solver.
//
//   (K − σM)⁻¹ M x = ν x ,   λ = σ + 1/ν
//
// Completeness is proved elsewhere, prove.c.
#include <math.h>
#include <string.h>

#include "arpack_layer.h"
#include "base/dense.h"
#include "system_layer.h"

static void mul_M(void *ctx, int k, const double *X, double *Y, double *work)
{
  mw_system_mul_M_many(ctx, k, X, Y, work);
}

static mw_code solve(void *ctx, int k, const double *F, double *X, mw_error *err)
{
  return mw_system_solve_many(ctx, k, F, X, err);
}

static void swap(int n, double *a, double *b)
{
  for (int i = 0; i < n; i++) {
    double t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

// Ascending order; rows of X M-normalised with the largest entry positive. Mx [n]
static void sort_modes(const mw_system *sys, int n, int k, double *lambda, double *X, double *Mx)
{
  for (int i = 1; i < k; i++)
    for (int j = i; j > 0 && lambda[j] < lambda[j - 1]; j--) {
      swap(1, lambda + j, lambda + j - 1);
      swap(n, X + (size_t)j * (size_t)n, X + (size_t)(j - 1) * (size_t)n);
    }
  for (int i = 0; i < k; i++) {
    double *x = X + (size_t)i * (size_t)n, big = 0.0;
    mw_system_mul_M(sys, x, Mx);
    double norm = sqrt(mw_dot(n, x, Mx));
    for (int l = 0; l < n; l++)
      if (fabs(x[l]) > fabs(big) * (1.0 + 1e-6)) big = x[l];
    for (int l = 0; l < n; l++) x[l] /= big < 0.0 ? -norm : norm;
  }
}

int mw_system_motions(const mw_system *sys)
{
  int n = sys->bl->n;
  for (int i = 0; i < sys->n_mu; i++) n -= isinf(sys->k_row[i]) != 0;
  return n;
}

int mw_system_modes_most(const mw_system *sys)
{
  int motions = mw_system_motions(sys), half = sys->bl->n / 2;
  bool elastic = false;
  for (int b = 0; b < sys->bl->m->n_body; b++) elastic = elastic || sys->bl->m->body[b].n_u > 0;
  return elastic && half < motions ? half : motions;
}

mw_code mw_system_modes(mw_system *sys, int n_modes, double *lambda, double *X, mw_error *err)
{
  int n = sys->bl->n, found = 0;
  mw_arena mem = { 0 };
  double *nu = NULL, *V = NULL, *Mx = mw_arena_f64(&mem, (size_t)n);
  mw_operator op = { .n = n, .ctx = sys, .mul_M = mul_M, .solve = solve };
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = mw_lanczos(&op, n_modes, 0.0, &mem, &found, &nu, &V, err);
  if (rc == MW_OK && found < n_modes)
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "%d modes asked for, %d are found", n_modes,
                 found);
  if (rc == MW_OK) {
    memcpy(X, V, (size_t)n_modes * (size_t)n * sizeof *X);
    for (int i = 0; i < n_modes; i++) lambda[i] = sys->bl->sigma + 1.0 / nu[i];
    sort_modes(sys, n, n_modes, lambda, X, Mx);
  }
  mw_arena_free(&mem);
  return rc;
}

mw_code mw_system_modes_arpack(mw_system *sys, int want, int round, int *n_known, double *lambda,
                               double *X, mw_arpack_end *end, mw_error *err)
{
  int n = sys->bl->n, found = 0;
  mw_arena mem = { 0 };
  double *nu = NULL, *V = NULL, *Mx = mw_arena_f64(&mem, (size_t)n);
  mw_operator op = { .n = n, .ctx = sys, .mul_M = mul_M, .solve = solve };
  mw_arpack_in in = {
    .want = want, .dim = n - sys->n_mu, .n_known = *n_known, .X = X, .round = round
  };
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = mw_arpack(&op, &in, &mem, &found, &nu, &V, end, err);
  if (rc == MW_OK && found > 0) {
    memcpy(X + (size_t)*n_known * (size_t)n, V, (size_t)found * (size_t)n * sizeof *X);
    for (int i = 0; i < found; i++) lambda[*n_known + i] = sys->bl->sigma + 1.0 / nu[i];
    *n_known += found;
    sort_modes(sys, n, *n_known, lambda, X, Mx);
  }
  mw_arena_free(&mem);
  return rc;
}
