// SPDX-License-Identifier: BSD-3-Clause
// factor_mumps.c: L D Lᵀ of symmetric indefinite matrices by MUMPS, with 1 × 1 and 2 × 2 pivots.
//
//   P A Pᵀ = L D Lᵀ ,   negative eigenvalues of A = negative eigenvalues of D                   (1)
//
// Partial pivoting inside the fronts keeps (1) right to rounding: the inertia is that of A + E, |E|
// of the order of ε |A| times the growth of the pivots (below 1/0.01). Cost as CHOLMOD's, about 1.4
// times its time.
// Amestoy, Duff, L'Excellent, Koster, SIAM J. Matrix Anal. Appl. 23 (2001) 15.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "factor_priv.h"
#include "fem/mpi.h"
#include "mumps_layer.h"

// 1-based numbers of MUMPS's documentation
#define ICNTL(i) icntl[(i)-1]
#define INFOG(i) infog[(i)-1]

struct mw_ldl {
  DMUMPS_STRUC_C s;
  int started;
};

static mw_code judge(const mw_ldl *f, int n, int status, mw_error *err)
{
  enum { NO_MEMORY = -13 };
  if (mw_mumps_singular(&f->s, status))
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "matrix of order %d is singular", n);
  if (status == NO_MEMORY)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE,
                   "out of memory: a factorization of order %d (MUMPS status %d, %d)", n, status,
                   f->s.INFOG(2));
  if (status < 0)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE,
                   "factorization of order %d failed (MUMPS status %d, %d)", n, status,
                   f->s.INFOG(2));
  return MW_OK;
}

// Places of the entries, 1-based; NULL without memory.
static int *places(const mw_csc *A, int **col)
{
  size_t nnz = (size_t)A->ptr[A->n_col];
  int *row = malloc((nnz + 1) * sizeof *row);
  *col = malloc((nnz + 1) * sizeof **col);
  if (!row || !*col) {
    free(row);
    free(*col);
    *col = NULL;
    return NULL;
  }
  for (int j = 0; j < A->n_col; j++)
    for (int k = A->ptr[j]; k < A->ptr[j + 1]; k++) {
      row[k] = A->row[k] + 1;
      (*col)[k] = j + 1;
    }
  return row;
}

// keep: the factor is wanted, not its signs alone
static mw_code build(const mw_csc *A, bool keep, mw_ldl **out, mw_error *err)
{
  int n = A->n_col, *col = NULL, *row = places(A, &col), status = 0;
  *out = NULL;
  mw_ldl *f = calloc(1, sizeof *f);
  mw_code rc = MW_OK;
  if (!f || !row)
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a factorization");
  else if (A->ptr[n] == 0)
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "matrix of order %d is zero", n);
  if (rc == MW_OK) {
    status = mw_mumps_begin(&f->s, mw_mpi_self());
    f->started = status >= 0;
    if (f->started) {
      f->s.ICNTL(31) = keep ? 0 : 1;  // fronts are thrown away once they are done
      f->s.n = n;
      f->s.nnz = A->ptr[n];
      f->s.irn = row;
      f->s.jcn = col;
      f->s.a = A->val;  // MUMPS reads only
      status = mw_mumps_factor(&f->s, false);
      f->s.irn = f->s.jcn = NULL;
      f->s.a = NULL;
    }
    rc = judge(f, n, status, err);
  }
  free(row);
  free(col);
  if (rc == MW_OK)
    *out = f;
  else
    mw_ldl_free(f);
  return rc;
}

mw_code mw_ldl_build(const mw_csc *A, mw_ldl **out, mw_error *err)
{
  return build(A, true, out, err);
}

mw_code mw_ldl_count(const mw_csc *A, int *count, mw_error *err)
{
  mw_ldl *f = NULL;
  mw_code rc = build(A, false, &f, err);
  if (rc == MW_OK) *count = mw_ldl_negative(f);
  mw_ldl_free(f);
  return rc;
}

mw_code mw_ldl_solve(mw_ldl *f, int k, size_t ld, double *X, mw_error *err)
{
  enum { AT_ONCE = 32 };
  if (ld > INT_MAX)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "right-hand sides %zu apart are too many", ld);
  for (int i = 0; i < k; i += AT_ONCE) {
    int n = k - i < AT_ONCE ? k - i : AT_ONCE;
    int status = mw_mumps_solve(&f->s, n, (int)ld, X + (size_t)i * ld);
    if (status < 0)
      return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "solve failed (MUMPS status %d)", status);
  }
  return MW_OK;
}

int mw_ldl_negative(const mw_ldl *f) { return mw_mumps_negative(&f->s); }

size_t mw_ldl_bytes(const mw_ldl *f)
{
  int n = f->s.INFOG(29);  // entries, or if negative millions of them
  return (n < 0 ? (size_t)(-(long)n) * 1000000 : (size_t)n) * sizeof(double);
}

void mw_ldl_free(mw_ldl *f)
{
  if (!f) return;
  if (f->started) mw_mumps_end(&f->s);
  free(f);
}
