// SPDX-License-Identifier: BSD-3-Clause
// factor_dense.c: L D Lᵀ of small symmetric indefinite matrices by LAPACK, with 1 × 1 and 2 × 2
// pivots.
//
// A beam's hundred or two unknowns are factored in a millisecond or two without their zeros being
// known, while MUMPS needs MPI, whose start takes a hundred times as long. Cost n³/3.
// Bunch, Kaufman, Math. Comp. 31 (1977) 163.
#include <limits.h>
#include <stdlib.h>

#include "base/dense.h"
#include "factor_priv.h"

struct mw_dense_ldl {
  int n, negative;
  double *A;      // [n × n]  the factor
  double *scale;  // [n]
  int *piv;       // [n]
};

mw_code mw_dense_ldl_build(const mw_csc *A, mw_dense_ldl **out, mw_error *err)
{
  size_t n = (size_t)A->n_col;
  int zero = 0;
  *out = NULL;
  mw_dense_ldl *f = calloc(1, sizeof *f);
  if (f) {
    *f = (mw_dense_ldl){ .n = A->n_col,
                         .A = calloc(n * n, sizeof *f->A),
                         .scale = malloc(n * sizeof *f->scale),
                         .piv = malloc(n * sizeof *f->piv) };
  }
  mw_code rc = MW_OK;
  if (!f || !f->A || !f->scale || !f->piv)
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a factorization");
  for (int j = 0; rc == MW_OK && j < A->n_col; j++)
    for (int k = A->ptr[j]; k < A->ptr[j + 1]; k++)
      f->A[(size_t)A->row[k] * n + (size_t)j] = A->val[k];
  if (rc == MW_OK) rc = mw_sym_factor(f->n, f->A, f->scale, f->piv, &f->negative, &zero, err);
  if (rc == MW_OK && zero > 0)
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "matrix of order %d is singular", f->n);
  if (rc == MW_OK)
    *out = f;
  else
    mw_dense_ldl_free(f);
  return rc;
}

mw_code mw_dense_ldl_solve(const mw_dense_ldl *f, int k, size_t ld, double *X, mw_error *err)
{
  if (ld > INT_MAX)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "right-hand sides %zu apart are too many", ld);
  mw_sym_solve(f->n, f->A, f->scale, f->piv, k, (int)ld, X);
  return MW_OK;
}

int mw_dense_ldl_negative(const mw_dense_ldl *f) { return f->negative; }

size_t mw_dense_ldl_bytes(const mw_dense_ldl *f)
{
  size_t n = (size_t)f->n;
  return n * n * sizeof *f->A + n * (sizeof *f->scale + sizeof *f->piv);
}

void mw_dense_ldl_free(mw_dense_ldl *f)
{
  if (!f) return;
  free(f->A);
  free(f->scale);
  free(f->piv);
  free(f);
}
