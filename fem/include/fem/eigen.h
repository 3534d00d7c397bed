// SPDX-License-Identifier: BSD-3-Clause
// eigen.h: modes and static patterns of bodies too large for one process: the program modeway-eigen
// on many of them.
//
//   K x = λ M x ,  the n_modes eigenvalues nearest to sigma ;      Y = (K − σM)⁻¹ B             (1)
//
// The matrices travel in a file, so do the results; the caller waits. PARPACK and MUMPS do the work
// (fem/eigen/).
#ifndef MW_FEM_EIGEN_H
#define MW_FEM_EIGEN_H

#include "base/api.h"
#include "base/csc.h"

MW_API_BEGIN

typedef struct mw_eigen_opt {
  int ranks;  // processes, 1 … 100000; 0: not wanted, the functions below refuse
  // launcher with its options, split at blanks, NULL: mpirun; "-n RANKS" follows
  const char *mpirun;
  const char *folder;  // for the job's files, the same on every machine, NULL: $TMPDIR, else /tmp
  bool quiet;          // no progress on stderr
} mw_eigen_opt;

// From the environment: ranks from MODEWAY_EIGEN_RANKS (0 without), mpirun from MODEWAY_MPIRUN.
// Borrows the environment. MW_ERR_INPUT if the former is no such number.
MW_MUST_USE mw_code mw_eigen_opt_read(mw_eigen_opt *out, mw_error *err);

typedef struct mw_eigen_job {
  const mw_csc *K, *M;  // [n × n] symmetric, lower; K in N/m, M in kg, positive definite
  double sigma;         // (rad/s)², no eigenvalue; below zero where the body is free
  int n_modes, k;       // either may be 0; n_modes + 8 <= n/2
  const double *B;      // [k × n]  N, rows: right-hand sides
} mw_eigen_job;

typedef struct mw_eigen_result {
  double *lambda;   // [n_modes]      (rad/s)², ascending; the caller's, as the next two
  double *X;        // [n_modes × n]  rows: modes, M-orthonormal, 1/√kg
  double *Y;        // [k × n]        rows: patterns, m
  int below;        // eigenvalues below sigma, by inertia
  int rounds;       // runs of PARPACK; above one where the first missed modes
  double residual;  // largest |OP x − ν x|_M / |ν|, OP = (K − σM)⁻¹ M, ν = 1/(λ − σ)
} mw_eigen_result;

// (1); that no mode is missing is proved by inertia counts. The program is $MODEWAY_EIGEN, else
// beside the running one, else in its build tree, else in $PATH.
// MW_ERR_INPUT: program or launcher missing, inside an MPI job, too few unknowns; MW_ERR_NUMERIC: K
// − σM is singular, modes missing, the program died.
MW_MUST_USE mw_code mw_eigen_run(const mw_eigen_job *job, const mw_eigen_opt *opt,
                                 mw_eigen_result *out, mw_error *err);

// Number of eigenvalues below sigma: one factorization.
MW_MUST_USE mw_code mw_eigen_count_below(const mw_csc *K, const mw_csc *M, double sigma,
                                         const mw_eigen_opt *opt, int *count, mw_error *err);

MW_API_END

#endif
