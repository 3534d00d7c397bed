// SPDX-License-Identifier: BSD-3-Clause
// solver.c: A = K − shift M factored by MUMPS over all ranks.
//
//   P A Pᵀ = L D Lᵀ ,   eigenvalues of K x = λ M x below the shift = negative eigenvalues of D  (1)
//
// The matrix goes in as it is distributed: MUMPS adds up the entries of one place, K's and M's.
// Right-hand sides and solutions pass through rank 0: n numbers each, nothing beside a factor of
// some hundred entries an unknown. The ScaLAPACK root, which would hide its pivots' signs, is off.
// One instance: the ordering is kept, a new factor takes the place of the old one.
// Amestoy, Duff, L'Excellent, Koster, SIAM J. Matrix Anal. Appl. 23 (2001) 15.
#include <dmumps_c.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "eigen_priv.h"

// 1-based numbers of MUMPS's documentation
#define ICNTL(i)  icntl[(i)-1]
#define INFOG(i)  infog[(i)-1]
#define RINFOG(i) rinfog[(i)-1]

enum { INIT = -1, END = -2, ANALYSE = 1, FACTOR = 2, SOLVE = 3 };

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

static int call(solver *f, int what)
{
  f->s.job = what;
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
  s->ICNTL(18) = 3;   // every rank hands in its own entries
  s->ICNTL(24) = 1;   // vanishing pivots are found, not divided by
  s->ICNTL(28) = 1;   // ordering on one rank: the same for every number of them
}

static mw_code judge(const solver *f, int status, mw_error *err)
{
  enum { STRUCTURE = -6, NUMERIC = -10 };
  int null = f->s.INFOG(28);
  if (status == STRUCTURE || status == NUMERIC || (status >= 0 && null > 0))
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
    f->s.sym = 2;
    f->s.par = 1;
    f->s.comm_fortran = (int)MPI_Comm_c2f(MPI_COMM_WORLD);
    int status = call(f, INIT);
    f->started = status >= 0;
    if (!f->started) rc = judge(f, status, err);
  }
  if (rc == MW_OK) {
    settings(&f->s);
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

// More room when pivots were delayed more often than foreseen.
static int factor(solver *f)
{
  enum { NO_ROOM_INDEX = -8, NO_ROOM = -9, TRIES = 5 };
  int status = f->analysed ? 0 : call(f, ANALYSE);
  if (status < 0) return status;
  f->analysed = true;
  for (int t = 0; t < TRIES; t++) {
    status = call(f, FACTOR);
    if (status != NO_ROOM && status != NO_ROOM_INDEX) break;
    f->s.ICNTL(14) *= 2;
  }
  return status;
}

mw_code solver_factor(solver *f, double shift, mw_error *err)
{
  const job *j = f->j;
  size_t nk = (size_t)j->K.ptr[j->s.n_loc], nm = (size_t)j->M.ptr[j->s.n_loc];
  double t = mw_wall_time();
  f->shift = shift;
  memcpy(f->val, j->K.val, nk * sizeof *f->val);
  for (size_t k = 0; k < nm; k++) f->val[nk + k] = -shift * j->M.val[k];
  mw_code rc = judge(f, factor(f), err);
  if (rc == MW_OK)
    team_say(&j->s, "order %d, shift %.6g: factor on %d processes in %.1f s, %.2g flop", j->s.n,
             shift, j->s.size, mw_wall_time() - t, f->s.RINFOG(3));
  return rc;
}

double solver_shift(const solver *f) { return f->shift; }
int solver_negative(const solver *f) { return f->s.INFOG(12); }

mw_code solver_solve_whole(solver *f, int rows, double *X, mw_error *err)
{
  f->s.rhs = X;
  f->s.nrhs = rows;
  f->s.lrhs = f->j->s.n;
  int status = call(f, SOLVE);
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
  if (f->started) call(f, END);
  mw_arena_free(&f->mem);
  free(f);
}
