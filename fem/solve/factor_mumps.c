// SPDX-License-Identifier: BSD-3-Clause
// factor_mumps.c: L D Lᵀ of symmetric indefinite matrices by MUMPS, with 1 × 1 and 2 × 2 pivots.
//
//   P A Pᵀ = L D Lᵀ ,   negative eigenvalues of A = negative eigenvalues of D                   (1)
//
// Partial pivoting inside the fronts keeps (1) right to rounding: the inertia is that of A + E, |E|
// of the order of ε |A| times the growth of the pivots (below 1/0.01). MUMPS's ScaLAPACK root,
// which would hide its pivots' signs, is off (ICNTL(13)). Cost as CHOLMOD's, about 1.4 times its
// time.
// Amestoy, Duff, L'Excellent, Koster, SIAM J. Matrix Anal. Appl. 23 (2001) 15.
#include <dmumps_c.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "factor_priv.h"
#include "fem/mpi.h"

// 1-based numbers of MUMPS's documentation
#define ICNTL(i) icntl[(i)-1]
#define INFOG(i) infog[(i)-1]

enum { INIT = -1, END = -2, ANALYSE = 1, FACTOR = 2, SOLVE = 3 };

struct mw_ldl {
  DMUMPS_STRUC_C s;
  int started;
};

static int call(mw_ldl *f, int job)
{
  f->s.job = job;
  dmumps_c(&f->s);
  return f->s.INFOG(1);
}

static void settings(DMUMPS_STRUC_C *s)
{
  s->ICNTL(1) = s->ICNTL(2) = s->ICNTL(3) = -1;  // no messages
  s->ICNTL(4) = 0;
  s->ICNTL(6) = 0;    // no exchange of columns
  s->ICNTL(7) = 7;    // ordering by what fits the size
  s->ICNTL(12) = 1;   // of the whole graph
  s->ICNTL(13) = 1;   // all pivots counted
  s->ICNTL(14) = 25;  // percent of room for delayed pivots
  s->ICNTL(24) = 1;   // vanishing pivots are found, not divided by
}

// Factorization; more room when pivots were delayed more often than foreseen.
static int factor(mw_ldl *f)
{
  enum { NO_ROOM_INDEX = -8, NO_ROOM = -9, TRIES = 5 };
  int status = call(f, ANALYSE);
  if (status < 0) return status;
  for (int t = 0; t < TRIES; t++) {
    status = call(f, FACTOR);
    if (status != NO_ROOM && status != NO_ROOM_INDEX) break;
    f->s.ICNTL(14) *= 2;
  }
  return status;
}

static mw_code judge(const mw_ldl *f, int n, int status, mw_error *err)
{
  enum { STRUCTURE = -6, NUMERIC = -10 };
  int null = f->s.INFOG(28);
  if (status == STRUCTURE || status == NUMERIC || (status >= 0 && null > 0))
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "matrix of order %d is singular", n);
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
    f->s.sym = 2;
    f->s.par = 1;
    f->s.comm_fortran = mw_mpi_self();
    status = call(f, INIT);
    f->started = status >= 0;
    if (f->started) {
      settings(&f->s);
      f->s.ICNTL(31) = keep ? 0 : 1;  // fronts are thrown away once they are done
      f->s.n = n;
      f->s.nnz = A->ptr[n];
      f->s.irn = row;
      f->s.jcn = col;
      f->s.a = A->val;  // MUMPS reads only
      status = factor(f);
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
    f->s.rhs = X + (size_t)i * ld;
    f->s.nrhs = k - i < AT_ONCE ? k - i : AT_ONCE;
    f->s.lrhs = (int)ld;
    int status = call(f, SOLVE);
    if (status < 0)
      return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "solve failed (MUMPS status %d)", status);
  }
  return MW_OK;
}

int mw_ldl_negative(const mw_ldl *f) { return f->s.INFOG(12); }

size_t mw_ldl_bytes(const mw_ldl *f)
{
  int n = f->s.INFOG(29);  // entries, or if negative millions of them
  return (n < 0 ? (size_t)(-(long)n) * 1000000 : (size_t)n) * sizeof(double);
}

void mw_ldl_free(mw_ldl *f)
{
  if (!f) return;
  if (f->started) call(f, END);
  free(f);
}
