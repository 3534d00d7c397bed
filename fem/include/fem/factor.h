// SPDX-License-Identifier: BSD-3-Clause
// factor.h: sparse factorizations of symmetric matrices by CHOLMOD and MUMPS, and of others by
// UMFPACK, kept and used again.
#ifndef MW_FEM_FACTOR_H
#define MW_FEM_FACTOR_H

#include "base/api.h"
#include "base/csc.h"

MW_API_BEGIN

typedef struct mw_factor mw_factor;

// Factors symmetric A (lower, n × n). definite: supernodal L Lᵀ, MW_ERR_NUMERIC if A is not
// positive definite; otherwise L D Lᵀ with pivots of order one and two, MW_ERR_NUMERIC if A is
// singular. *out is NULL on error.
MW_MUST_USE mw_code mw_factor_build(const mw_csc *A, bool definite, mw_factor **out, mw_error *err);
// X := A⁻¹ B for k right-hand sides, each contiguous: B, X [k × n]; B == X allowed. n = 0 is
// allowed. Reading the factor costs more than using it: 32 at a time are several times cheaper than
// one by one. One thread at a time: f keeps the workspaces of its solutions.
MW_MUST_USE mw_code mw_factor_solve(mw_factor *f, int k, const double *B, double *X, mw_error *err);
// The same with right-hand sides ld >= n apart: B, X [k × ld], only the first n of each row
// touched.
MW_MUST_USE mw_code mw_factor_solve_ld(mw_factor *f, int k, size_t ld, const double *B, double *X,
                                       mw_error *err);
// Number of negative pivots (L D Lᵀ; 0 for L Lᵀ): the eigenvalues of A below zero (Sylvester).
int mw_factor_negative(const mw_factor *f);
// The same of symmetric A by a factorization that is not kept: its memory is that of the largest
// fronts (boom of 150,000 unknowns: 0.27 GB instead of 1.53).
MW_MUST_USE mw_code mw_factor_count(const mw_csc *A, int *count, mw_error *err);
size_t mw_factor_bytes(const mw_factor *f);  // of the factor's entries and indices
// Entries of L, its diagonal included: a solution takes 4 of them less 2 n operations. Of L D Lᵀ by
// MUMPS an estimate from its memory.
double mw_factor_entries(const mw_factor *f);
void mw_factor_free(mw_factor *f);

// P A Q = L U of a square matrix that need not be symmetric (not sym: all entries are there) or
// definite. *ratio (NULL: not wanted): smallest over largest pivot. MW_ERR_NUMERIC if A is exactly
// singular. Threads may work on different ones at a time.
typedef struct mw_sparse_lu mw_sparse_lu;
MW_MUST_USE mw_code mw_sparse_lu_build(const mw_csc *A, mw_sparse_lu **out, double *ratio,
                                       mw_error *err);
void mw_sparse_lu_solve(mw_sparse_lu *f, double *b);  // b := A⁻¹ b, b [n]
void mw_sparse_lu_free(mw_sparse_lu *f);

// out := a A + b B, two symmetric matrices of one size (patterns may differ).
MW_MUST_USE mw_code mw_csc_add(double a, const mw_csc *A, double b, const mw_csc *B, mw_arena *mem,
                               mw_csc *out, mw_error *err);

MW_API_END

#endif
