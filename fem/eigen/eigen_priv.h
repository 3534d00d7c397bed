// SPDX-License-Identifier: BSD-3-Clause
// eigen_priv.h: what the parts of the program modeway-eigen share. Every function is called by all
// ranks together unless it says otherwise; all of them return the same code.
//
//   K x = λ M x ,   A = K − σM ,   OP = A⁻¹ M ,   OP x = ν x ,   ν = 1/(λ − σ)                  (1)
//
// Vectors are cut into slices of rows, one a rank, in the order of the ranks; [n_loc] below means
// such a slice.
#ifndef MW_FEM_EIGEN_PRIV_H
#define MW_FEM_EIGEN_PRIV_H

#include "base/csc.h"
#include "base/wholefile.h"
#include "format_layer.h"

typedef struct slices {
  int rank, size;
  int n, n_loc;  // unknowns; of this rank
  int *first;    // [size + 1]  rank r has the rows first[r] … first[r+1] − 1
  int *count;    // [size]
} slices;

typedef struct job {
  eigen_job_head head;
  eigen_job_place at;
  slices s;
  mw_csc K,
      M;    // [n × n_loc]  own columns, lower triangle: column j is first[rank] + j of the whole
  FILE *f;  // rank 0
  mw_arena mem;
} job;

// team.c
// The first trouble among the ranks becomes everybody's; err is not NULL, a failed rank has filled
// it.
MW_MUST_USE mw_code team_agree(mw_code rc, mw_error *err);
double team_sum(double x);
void team_sums(int n, double *x);                                       // in place
void team_gather(const slices *s, const double *x_loc, double *x);      // x [n] at rank 0
void team_scatter(const slices *s, const double *x, double *x_loc);     // x [n] at rank 0
void team_gather_all(const slices *s, const double *x_loc, double *x);  // x [n] everywhere
MW_MUST_USE mw_code team_slices(int n, mw_arena *mem, slices *out, mw_error *err);
int team_owner(const slices *s, int i);                                // of row i; alone
void team_say(const slices *s, const char *fmt, ...) MW_PRINTF(2, 3);  // line on rank 0's stderr

// eigen_read.c
MW_MUST_USE mw_code job_read(const char *path, job *out, mw_error *err);
MW_MUST_USE mw_code job_rhs(const job *j, int from, int rows, double *B, mw_error *err);  // rank 0
void job_free(job *j);

// mass.c: y = M x
typedef struct mass mass;
MW_MUST_USE mw_code mass_build(const job *j, mass **out, mw_error *err);
void mass_mul(mass *m, const double *x, double *y);  // [n_loc]
void mass_free(mass *m);

// solver.c: A = K − shift M by MUMPS, one factor at a time
enum { SOLVE_AT_ONCE = 16 };
typedef struct solver solver;
MW_MUST_USE mw_code solver_build(const job *j, solver **out, mw_error *err);
MW_MUST_USE mw_code solver_factor(solver *f, double shift, mw_error *err);
double solver_shift(const solver *f);  // of the factor there is
int solver_negative(const solver *f);  // eigenvalues below the shift
// Solves in place, X := A⁻¹ X for rows <= SOLVE_AT_ONCE: X [rows × n_loc]; the second takes X [rows
// × n] at rank 0.
MW_MUST_USE mw_code solver_solve(solver *f, int rows, double *X, mw_error *err);
MW_MUST_USE mw_code solver_solve_whole(solver *f, int rows, double *X, mw_error *err);
void solver_free(solver *f);

// Modes found so far, in no order
typedef struct modes {
  int n, cap;
  double *lambda;   // [cap]          (rad/s)²
  double *X;        // [cap × n_loc]  M-orthonormal
  double *MX;       // [cap × n_loc]
  double residual;  // largest |OP x − ν x|_M / |ν|
  mw_arena mem;
} modes;

// Adds the `want` modes nearest to the solver's shift that are M-orthogonal to those in x: fewer
// where PARPACK finds fewer, at least one (lanczos.c).
MW_MUST_USE mw_code lanczos_add(const job *j, solver *f, mass *m, int want, modes *x,
                                mw_error *err);

// Finds modes until an inertia count proves that none is missing; order [n_modes] lists those
// nearest to sigma by ascending λ (search.c).
MW_MUST_USE mw_code search_modes(const job *j, solver *f, mass *m, modes *x, int *order,
                                 int *rounds, mw_error *err);
void modes_free(modes *x);

// Watches at rank 0: ends the job when modeway is gone or the launcher is told to stop, and removes
// the file task, what is made of the result, and their folder. SIGTERM is held back before MPI
// makes threads, and let through again on the other ranks (watch.c).
void watch_hold(bool back);
void watch_start(const char *task, const mw_wholefile *result);

#endif
