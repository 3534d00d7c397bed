// SPDX-License-Identifier: BSD-3-Clause
// solver.c: A = K − shift M factored by MUMPS over all ranks.
//
//   P A Pᵀ = L D Lᵀ ,   eigenvalues of K x = λ M x below the shift = negative eigenvalues of D  (1)
//
// The matrix goes in as it is distributed: MUMPS adds up the entries of one place, K's and M's.
// Right-hand sides and solutions pass through rank 0: n numbers each, nothing beside a factor of
// some hundred entries an unknown.
// One instance: the ordering is kept, a new factor takes the place of the old one.
// Amestoy, Duff, L'Excellent, Koster, SIAM J. Matrix Anal. Appl. 23 (2001) 15.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "eigen_priv.h"
#include "solve/mumps_layer.h"

// 1-based numbers of MUMPS's documentation
#define ICNTL(i)  icntl[(i)-1]
#define INFOG(i)  infog[(i)-1]
#define RINFOG(i) rinfog[(i)-1]

struct solver {
  DMUMPS_STRUC_C s;
  bool started, analysed;
  const job *j;
  double shift;
  int *row, *col;  // [nnz of K and of M here]  1-based
  double *val;
  double *rhs;  // [SOLVE_AT_ONCE × n]  rank 0
  mw_arena mem;
};

static mw_code judge(const solver *f, int status, mw_error *err)
{
  if (mw_mumps_singular(&f->s, status))
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "K - sigma M of order %d is singular at sigma = %.9g", f->j->s.n, f->shift);
  if (status < 0)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE,
                   "factorization of order %d on %d processes failed (MUMPS status %d, %d)",
                   f->j->s.n, f->j->s.size, status, f->s.INFOG(2));
  return MW_OK;
}

// Entries of K, then of M; values are set for each shift.
static void place(const mw_csc *A, int lo, int *row, int *col)
{
  for (int c = 0; c < A->n_col; c++)
    for (int k = A->ptr[c]; k < A->ptr[c + 1]; k++) {
      row[k] = A->row[k] + 1;
      col[k] = lo + c + 1;
    }
}

mw_code solver_build(const job *j, solver **out, mw_error *err)
{
  const slices *s = &j->s;
  size_t nk = (size_t)j->K.ptr[s->n_loc], nm = (size_t)j->M.ptr[s->n_loc];
  solver *f = calloc(1, sizeof *f);
  mw_code rc = MW_OK;
  if (f) {
    f->j = j;
    f->row = mw_arena_int(&f->mem, nk + nm);
    f->col = mw_arena_int(&f->mem, nk + nm);
    f->val = mw_arena_f64(&f->mem, nk + nm);
    if (s->rank == 0) f->rhs = mw_arena_f64(&f->mem, SOLVE_AT_ONCE * (size_t)s->n);
    rc = mw_arena_check(&f->mem, err);
  } else {
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  }
  rc = team_agree(rc, err);
  if (rc == MW_OK) {
    place(&j->K, s->first[s->rank], f->row, f->col);
    place(&j->M, s->first[s->rank], f->row + nk, f->col + nk);
    int status = mw_mumps_begin(&f->s, (int)MPI_Comm_c2f(MPI_COMM_WORLD));
    f->started = status >= 0;
    if (!f->started) rc = judge(f, status, err);
  }
  if (rc == MW_OK) {
    f->s.ICNTL(18) = 3;  // every rank hands in its own entries
    f->s.ICNTL(28) = 1;  // ordering on one rank: the same for every number of them
    f->s.n = s->n;
    f->s.nnz_loc = (MUMPS_INT8)(nk + nm);
    f->s.irn_loc = f->row;
    f->s.jcn_loc = f->col;
    f->s.a_loc = f->val;
    *out = f;
  } else {
    solver_free(f);
  }
  return rc;
}

mw_code solver_factor(solver *f, double shift, mw_error *err)
{
  const job *j = f->j;
  size_t nk = (size_t)j->K.ptr[j->s.n_loc], nm = (size_t)j->M.ptr[j->s.n_loc];
  double t = mw_wall_time();
  f->shift = shift;
  memcpy(f->val, j->K.val, nk * sizeof *f->val);
  for (size_t k = 0; k < nm; k++) f->val[nk + k] = -shift * j->M.val[k];
  int status = mw_mumps_factor(&f->s, f->analysed);
  f->analysed = f->analysed || status >= 0;
  mw_code rc = judge(f, status, err);
  if (rc == MW_OK)
    team_say(&j->s, "order %d, shift %.6g: factor on %d processes in %.1f s, %.2g flop", j->s.n,
             shift, j->s.size, mw_wall_time() - t, f->s.RINFOG(3));
  return rc;
}

double solver_shift(const solver *f) { return f->shift; }
int solver_negative(const solver *f) { return mw_mumps_negative(&f->s); }

mw_code solver_solve_whole(solver *f, int rows, double *X, mw_error *err)
{
  int status = mw_mumps_solve(&f->s, rows, f->j->s.n, X);
  if (status >= 0) return MW_OK;
  return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "solve failed (MUMPS status %d, %d)", status,
                 f->s.INFOG(2));
}

mw_code solver_solve(solver *f, int rows, double *X, mw_error *err)
{
  const slices *s = &f->j->s;
  size_t n = (size_t)s->n, n_loc = (size_t)s->n_loc;
  for (size_t i = 0; i < (size_t)rows; i++)
    team_gather(s, X + i * n_loc, f->rhs ? f->rhs + i * n : NULL);
  mw_code rc = solver_solve_whole(f, rows, f->rhs, err);
  for (size_t i = 0; rc == MW_OK && i < (size_t)rows; i++)
    team_scatter(s, f->rhs ? f->rhs + i * n : NULL, X + i * n_loc);
  return rc;
}

void solver_free(solver *f)
{
  if (!f) return;
  if (f->started) mw_mumps_end(&f->s);
  mw_arena_free(&f->mem);
  free(f);
}
