// SPDX-License-Identifier: BSD-3-Clause
// small.c: the symmetric indefinite system of joint rows, rigid bodies and grounding.
//
//   S A S y = S b ,  x = S y        S diagonal: three sweeps of 1/√(largest entry of a row)     (1)
//
// Up to FROM unknowns, or where more than a SHARE of the entries is there, A is dense and factored
// by LAPACK, O(n³). A chain of bodies has some twenty entries a row: beyond that a sparse LU
// (UMFPACK) costs O(n). Chains of joints of six rows, processor time of a factorization and of
// eight solutions, ms:
//   n              120           240          480          960          1920
//   dense      0.15  0.03    0.78  0.09    4.2  0.34    26.4  1.4    144.4  6.9
//   sparse     0.15  0.02    0.32  0.05    0.67 0.10     1.4  0.22     2.8  0.43
// Inertia has a dense copy in both cases.
#include "small_layer.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"

enum { FROM = 200, SHARE = 12, SWEEPS = 3 };

mw_code mw_small_init(int n, size_t entries, mw_small *out, mw_error *err)
{
  size_t N = (size_t)n;
  mw_small z = { .n = n, .sparse = n >= FROM && entries <= N * N / SHARE };
  z.scale = mw_arena_f64(&z.mem, N);
  if (z.sparse) {
    z.one = mw_arena_f64(&z.mem, N);
  } else {
    z.A = mw_arena_f64(&z.mem, N * N);
    z.LU = mw_arena_f64(&z.mem, N * N);
    z.piv = mw_arena_int(&z.mem, N);
  }
  mw_code rc = mw_arena_check(&z.mem, err);
  if (rc == MW_OK)
    *out = z;
  else
    mw_arena_free(&z.mem);
  return rc;
}

void mw_small_free(mw_small *z)
{
  mw_sparse_lu_free(z->lu);
  mw_triplets_free(&z->entry);
  mw_arena_free(&z->columns);
  mw_arena_free(&z->mem);
  *z = (mw_small){ 0 };
}

void mw_small_clear(mw_small *z)
{
  z->entry.n = 0;
  if (!z->sparse) memset(z->A, 0, (size_t)z->n * (size_t)z->n * sizeof *z->A);
}

// ---- equilibration ------------------------------------------------------------------------------

static double largest_of_row(const mw_small *z, int i)
{
  double r = 0.0;
  if (z->sparse) {
    for (int e = z->S.ptr[i]; e < z->S.ptr[i + 1]; e++) {  // of the column: A is symmetric
      double x = fabs(z->S.val[e]) * z->scale[z->S.row[e]];
      r = x > r ? x : r;
    }
    return r;
  }
  const double *row = z->A + (size_t)i * (size_t)z->n;
  for (int j = 0; j < z->n; j++) {
    double x = fabs(row[j]) * z->scale[j];
    r = x > r ? x : r;  // fmax is a call
  }
  return r;
}

// S of (1), and what it makes of the entries: in z->S, or in LU [n × n]
static mw_code equilibrate(mw_small *z, double *LU, mw_error *err)
{
  size_t n = (size_t)z->n;
  mw_code rc = MW_OK;
  if (z->sparse) {
    mw_arena_free(&z->columns);
    rc = mw_csc_build(&z->entry, z->n, z->n, false, &z->columns, &z->S, err);
  }
  if (rc != MW_OK) return rc;
  for (size_t i = 0; i < n; i++) z->scale[i] = 1.0;
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (int i = 0; i < z->n; i++) {
      double r = largest_of_row(z, i);
      if (r > 0.0) z->scale[i] /= sqrt(r * z->scale[i]);
    }
  const double *s = z->scale;
  for (int j = 0; z->sparse && j < z->n; j++)
    for (int e = z->S.ptr[j]; e < z->S.ptr[j + 1]; e++)
      z->S.val[e] = s[z->S.row[e]] * z->S.val[e] * s[j];
  for (size_t i = 0; !z->sparse && i < n; i++)
    for (size_t j = 0; j < n; j++) LU[i * n + j] = s[i] * z->A[i * n + j] * s[j];
  return MW_OK;
}

// ---- solutions ----------------------------------------------------------------------------------

mw_code mw_small_factor(mw_small *z, double *ratio, mw_error *err)
{
  size_t n = (size_t)z->n;
  double lo = INFINITY, hi = 0.0;
  mw_code rc = equilibrate(z, z->LU, err);
  if (ratio) *ratio = 1.0;
  if (rc != MW_OK || n == 0) return rc;
  if (z->sparse) {
    mw_sparse_lu_free(z->lu);
    z->lu = NULL;
    return mw_sparse_lu_build(&z->S, &z->lu, ratio, err);
  }
  rc = mw_lu_factor(z->n, z->LU, z->piv, err);
  for (size_t i = 0; rc == MW_OK && i < n; i++) {
    double d = fabs(z->LU[i * n + i]);
    lo = fmin(lo, d);
    hi = fmax(hi, d);
  }
  if (rc == MW_OK && ratio) *ratio = lo / hi;
  return rc;
}

void mw_small_solve(mw_small *z, int k, double *Y)
{
  size_t n = (size_t)z->n, w = (size_t)k;
  if (n == 0) return;
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < w; c++) Y[i * w + c] *= z->scale[i];
  for (size_t c = 0; z->sparse && c < w; c++) {
    for (size_t i = 0; i < n; i++) z->one[i] = Y[i * w + c];
    mw_sparse_lu_solve(z->lu, z->one);
    for (size_t i = 0; i < n; i++) Y[i * w + c] = z->one[i];
  }
  if (!z->sparse) mw_lu_solve(z->n, z->LU, z->piv, k, Y);
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < w; c++) Y[i * w + c] *= z->scale[i];
}

mw_code mw_small_inertia(mw_small *z, int *n_neg, int *n_zero, mw_error *err)
{
  size_t n = (size_t)z->n;
  mw_arena tmp = { 0 };
  double *D = mw_arena_f64(&tmp, n * n);
  mw_code rc = mw_arena_check(&tmp, err);
  *n_neg = *n_zero = 0;
  if (rc == MW_OK) rc = equilibrate(z, D, err);
  for (size_t j = 0; rc == MW_OK && z->sparse && j < n; j++)
    for (int e = z->S.ptr[j]; e < z->S.ptr[j + 1]; e++)
      D[(size_t)z->S.row[e] * n + j] = z->S.val[e];
  if (rc == MW_OK && n > 0) rc = mw_inertia(z->n, D, n_neg, n_zero, err);
  mw_arena_free(&tmp);
  return rc;
}
