// SPDX-License-Identifier: BSD-3-Clause
// factor.c: sparse factorizations of symmetric matrices by CHOLMOD, kept and used again.
//
//   A = P' L L' P   (definite, supernodal)      A = P' L D L' P   (otherwise, simplicial; D's signs are A's inertia)
//
// Cost: one factorization O(fill), one solve O(nnz(L)). Chen, Davis, Hager, Rajamanickam, Algorithm 887: CHOLMOD,
// ACM Trans. Math. Softw. 35 (2008) 22.
#include "fem/factor.h"

#include <cholmod.h>
#include <stdlib.h>
#include <string.h>

struct mw_factor {
  int n;
  cholmod_common common;
  cholmod_factor *L;
  cholmod_dense *X, *Y, *E;  // workspaces of cholmod_l_solve2, kept between calls
};

// A as a CHOLMOD matrix with 64-bit indices (copied); NULL without memory.
static cholmod_sparse *to_cholmod(const mw_csc *A, cholmod_common *c)
{
  size_t n = (size_t)A->n_col, nnz = (size_t)A->ptr[A->n_col];
  cholmod_sparse *S = cholmod_l_allocate_sparse(n, n, nnz, 1, 1, -1, CHOLMOD_REAL, c);
  if (!S) return NULL;
  SuiteSparse_long *p = S->p, *i = S->i;
  for (size_t k = 0; k <= n; k++) p[k] = A->ptr[k];
  for (size_t k = 0; k < nnz; k++) i[k] = A->row[k];
  if (nnz > 0) memcpy(S->x, A->val, nnz * sizeof(double));
  return S;
}

mw_code mw_factor_build(const mw_csc *A, bool definite, mw_factor **out, mw_error *err)
{
  *out = NULL;
  mw_factor *f = calloc(1, sizeof *f);
  if (!f) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a factorization");
  f->n = A->n_col;
  cholmod_l_start(&f->common);
  f->common.print = 0;
  f->common.supernodal = definite ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
  f->common.quick_return_if_not_posdef = 1;
  cholmod_sparse *S = f->n > 0 ? to_cholmod(A, &f->common) : NULL;
  if (S) f->L = cholmod_l_analyze(S, &f->common);
  int ok = f->n == 0 || (f->L && cholmod_l_factorize(S, f->L, &f->common));
  int status = f->common.status;
  cholmod_l_free_sparse(&S, &f->common);
  bool singular = f->n > 0 && f->L && (status == CHOLMOD_NOT_POSDEF || f->L->minor < f->L->n);
  if (ok && !singular) {
    *out = f;
    return MW_OK;
  }
  size_t minor = f->L ? f->L->minor : 0;
  mw_factor_free(f);
  if (singular)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "matrix of order %d is %s at pivot %zu",
                   A->n_col, definite ? "not positive definite" : "singular", minor);
  return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE,
                 "factorization of order %d failed (CHOLMOD status %d)", A->n_col, status);
}

mw_code mw_factor_solve(mw_factor *f, int k, const double *B, double *X, mw_error *err)
{
  if (f->n == 0 || k == 0) return MW_OK;
  size_t n = (size_t)f->n, cols = (size_t)k;
  cholmod_dense rhs = { .nrow = n,
                        .ncol = cols,
                        .nzmax = n * cols,
                        .d = n,
                        .xtype = CHOLMOD_REAL,
                        .dtype = CHOLMOD_DOUBLE };
  double *copy = NULL;
  if (B == X) {
    // cholmod does not write into its right-hand side, but wants a pointer without const
    rhs.x = X;
  } else {
    copy = malloc(n * cols * sizeof(double));
    if (!copy) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a right-hand side");
    memcpy(copy, B, n * cols * sizeof(double));
    rhs.x = copy;
  }
  int ok = cholmod_l_solve2(CHOLMOD_A, f->L, &rhs, NULL, &f->X, NULL, &f->Y, &f->E, &f->common);
  free(copy);
  if (!ok)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "solve failed (CHOLMOD status %d)",
                   f->common.status);
  memcpy(X, f->X->x, n * cols * sizeof(double));
  return MW_OK;
}

int mw_factor_negative(const mw_factor *f)
{
  if (f->n == 0 || f->L->is_ll) return 0;
  // simplicial L D L': the first entry of each column is D
  const SuiteSparse_long *p = f->L->p;
  const double *x = f->L->x;
  int neg = 0;
  for (size_t j = 0; j < f->L->n; j++)
    if (x[p[j]] < 0.0) neg++;
  return neg;
}

void mw_factor_free(mw_factor *f)
{
  if (!f) return;
  cholmod_l_free_factor(&f->L, &f->common);
  cholmod_l_free_dense(&f->X, &f->common);
  cholmod_l_free_dense(&f->Y, &f->common);
  cholmod_l_free_dense(&f->E, &f->common);
  cholmod_l_finish(&f->common);
  free(f);
}

mw_code mw_csc_add(double a, const mw_csc *A, double b, const mw_csc *B, mw_arena *mem, mw_csc *out,
                   mw_error *err)
{
  int n = A->n_col;
  *out = (mw_csc){ .n_row = A->n_row, .n_col = n, .sym = A->sym };
  out->ptr = mw_arena_int(mem, (size_t)n + 1);
  out->row = mw_arena_int(mem, (size_t)A->ptr[n] + (size_t)B->ptr[n]);
  out->val = mw_arena_f64(mem, (size_t)A->ptr[n] + (size_t)B->ptr[n]);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  // merge of two sorted columns
  int k = 0;
  for (int j = 0; j < n; j++) {
    int p = A->ptr[j], q = B->ptr[j];
    while (p < A->ptr[j + 1] || q < B->ptr[j + 1]) {
      int rp = p < A->ptr[j + 1] ? A->row[p] : A->n_row,
          rq = q < B->ptr[j + 1] ? B->row[q] : B->n_row;
      double v = 0.0;
      if (rp <= rq) v += a * A->val[p++];
      if (rq <= rp) v += b * B->val[q++];
      out->row[k] = rp < rq ? rp : rq;
      out->val[k++] = v;
    }
    out->ptr[j + 1] = k;
  }
  return MW_OK;
}
