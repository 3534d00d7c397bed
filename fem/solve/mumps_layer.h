// SPDX-License-Identifier: BSD-3-Clause
// mumps_layer.h: MUMPS on symmetric indefinite matrices, for factor_mumps.c and modeway-eigen.
//
// Statuses are those of MUMPS, INFOG(1): negative ones are failures.
#ifndef MW_FEM_MUMPS_LAYER_H
#define MW_FEM_MUMPS_LAYER_H

#include <dmumps_c.h>
#include <stdbool.h>

// Begins an instance on a communicator, Fortran's number of it, with settings by which signs of
// pivots are counted; s is zero before. Matrices are set by the caller: n, entries, ICNTL(18).
int mw_mumps_begin(DMUMPS_STRUC_C *s, int comm);
// Orders and factors the matrix; analysed: an ordering of the same places is there.
int mw_mumps_factor(DMUMPS_STRUC_C *s, bool analysed);
// Did the factorization with this status find the matrix singular?
bool mw_mumps_singular(const DMUMPS_STRUC_C *s, int status);
int mw_mumps_negative(const DMUMPS_STRUC_C *s);  // pivots
// X := A⁻¹ X, k right-hand sides, ld apart; on rank 0.
int mw_mumps_solve(DMUMPS_STRUC_C *s, int k, int ld, double *X);
void mw_mumps_end(DMUMPS_STRUC_C *s);

#endif
