// SPDX-License-Identifier: BSD-3-Clause
// factor_sparse.c: P A Q = L U of sparse matrices of any sign, by UMFPACK with partial pivoting.
//
// Entries come scaled: UMFPACK's own scaling and its iterative refinement, which would keep A, are
// off. A symmetric indefinite A is taken for one without symmetry: where half of its diagonal is
// zero, as that of joint rows, diagonal pivots are of no use. Unlike MUMPS it may be called by
// several threads at a time.
// Davis, Algorithm 832: UMFPACK V4.3, ACM Trans. Math. Softw. 30 (2004) 196.
#include <math.h>
#include <stdlib.h>
#include <umfpack.h>

#include "fem/factor.h"

struct mw_sparse_lu {
  int n;
  void *numeric;
  double control[UMFPACK_CONTROL];
  double *x, *w;  // [n], [n]
  int *wi;        // [n]
};

static mw_code failed(int n, int status, mw_error *err)
{
  if (status == UMFPACK_WARNING_singular_matrix)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "sparse matrix of order %d is singular", n);
  return mw_fail(err, status == UMFPACK_ERROR_out_of_memory ? MW_ERR_MEMORY : MW_ERR_NUMERIC,
                 MW_NOWHERE, "factorization of order %d failed (UMFPACK status %d)", n, status);
}

mw_code mw_sparse_lu_build(const mw_csc *A, mw_sparse_lu **out, double *ratio, mw_error *err)
{
  int n = A->n_col;
  *out = NULL;
  for (int e = 0; e < A->ptr[n]; e++)
    if (!isfinite(A->val[e]))
      return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                     "sparse matrix of order %d has an entry that is not finite", n);
  mw_sparse_lu *f = calloc(1, sizeof *f);
  if (!f) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a factorization");
  f->n = n;
  f->x = malloc((size_t)n * sizeof *f->x);
  f->w = malloc((size_t)n * sizeof *f->w);
  f->wi = malloc((size_t)n * sizeof *f->wi);
  void *symbolic = NULL;
  double info[UMFPACK_INFO];
  int status = UMFPACK_ERROR_out_of_memory;
  if (f->x && f->w && f->wi) {
    umfpack_di_defaults(f->control);
    f->control[UMFPACK_SCALE] = UMFPACK_SCALE_NONE;
    f->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_UNSYMMETRIC;
    f->control[UMFPACK_IRSTEP] = 0.0;
    status = umfpack_di_symbolic(n, n, A->ptr, A->row, A->val, &symbolic, f->control, info);
  }
  if (status == UMFPACK_OK)
    status = umfpack_di_numeric(A->ptr, A->row, A->val, symbolic, &f->numeric, f->control, info);
  umfpack_di_free_symbolic(&symbolic);
  if (status == UMFPACK_OK) {
    if (ratio) *ratio = info[UMFPACK_RCOND];
    *out = f;
    return MW_OK;
  }
  mw_sparse_lu_free(f);
  return failed(n, status, err);
}

void mw_sparse_lu_solve(mw_sparse_lu *f, double *b)
{
  // nothing can fail here: no refinement, no memory of its own
  (void)umfpack_di_wsolve(UMFPACK_A, NULL, NULL, NULL, f->x, b, f->numeric, f->control, NULL, f->wi,
                          f->w);
  for (int i = 0; i < f->n; i++) b[i] = f->x[i];
}

void mw_sparse_lu_free(mw_sparse_lu *f)
{
  if (!f) return;
  umfpack_di_free_numeric(&f->numeric);
  free(f->x);
  free(f->w);
  free(f->wi);
  free(f);
}
