// SPDX-License-Identifier: BSD-3-Clause
// dense.h: small dense linear algebra, row-major A[i*n + j], on LAPACK and BLAS.
#ifndef MW_BASE_DENSE_H
#define MW_BASE_DENSE_H

#include <stddef.h>

#include "base/api.h"
#include "base/error.h"

MW_API_BEGIN

// C [m × n] := alpha op(A) op(B) + beta C, with inner length k; ta/tb 'n' or 't'. Row-major (BLAS
// dgemm).
void mw_gemm(char ta, char tb, int m, int n, int k, double alpha, const double *A, const double *B,
             double beta, double *C);
double mw_dot(int n, const double *x, const double *y);
void mw_axpy(int n, double alpha, const double *x, double *y);
// y [n] += Σ_i alpha_i X_i, rows of X [k] that begin `apart` numbers from each other: the same bits
// as one mw_axpy after the other, y passed over once for four of them
void mw_axpy_rows(int n, int k, const double *alpha, const double *X, size_t apart, double *y);

// LU with partial pivoting of a row-major square matrix, in place; piv [n].
MW_MUST_USE mw_code mw_lu_factor(int n, double *A, int *piv, mw_error *err);
// Solves A X = B in place, B row-major [n × k].
void mw_lu_solve(int n, const double *LU, const int *piv, int k, double *B);

// Lower Cholesky A = L Lᵀ in place (upper triangle untouched). MW_ERR_NUMERIC when not positive
// definite.
MW_MUST_USE mw_code mw_chol_factor(int n, double *A, mw_error *err);
void mw_chol_solve(int n, const double *L, int k, double *B);  // A X = B, B row-major [n × k]

// Eigenvalues ascending w [n] and eigenvectors as columns of V (row-major [n × n]) of symmetric A
// (destroyed). V NULL: the eigenvalues alone.
MW_MUST_USE mw_code mw_eig_sym(int n, double *A, double *w, double *V, mw_error *err);
// A x = lambda B x, B positive definite; V is B-orthonormal. A and B are destroyed.
MW_MUST_USE mw_code mw_eig_gen(int n, double *A, double *B, double *w, double *V, mw_error *err);
// Eigenvalues re + i im [n] of any A [n × n], which is destroyed.
MW_MUST_USE mw_code mw_eig_any(int n, double *A, double *re, double *im, mw_error *err);
// Singular values sv [min(m,n)] descending, U [m × min], Vt [min × n], row-major; A destroyed; U,
// Vt may be NULL.
MW_MUST_USE mw_code mw_svd(int m, int n, double *A, double *sv, double *U, double *Vt,
                           mw_error *err);
// Least-norm least-squares solution by SVD with relative cut-off rcond; A [m × n] destroyed, b [m],
// x [n]; rank out.
MW_MUST_USE mw_code mw_lstsq(int m, int n, double *A, const double *b, double rcond, double *x,
                             int *rank, mw_error *err);
// E = exp(A) of any A [n × n], all [n × n]; E is not A.
MW_MUST_USE mw_code mw_exp_any(int n, const double *A, double *E, mw_error *err);
// P S A S Pᵀ = U D Uᵀ of a symmetric A [n × n] (lower; destroyed: the factor), by the pivots of
// order one and two of Bunch and Kaufman; S = diag(scale) of powers of two. scale, piv [n]; numbers
// of negative and of zero eigenvalues: with *n_zero > 0 it must not be solved with.
MW_MUST_USE mw_code mw_sym_factor(int n, double *A, double *scale, int *piv, int *n_neg,
                                  int *n_zero, mw_error *err);
// X := A⁻¹ X, k rows of n, ld apart
void mw_sym_solve(int n, const double *A, const double *scale, const int *piv, int k, int ld,
                  double *X);
// Inertia of a symmetric matrix (Bunch-Kaufman, A destroyed): numbers of negative and of zero
// eigenvalues.
MW_MUST_USE mw_code mw_inertia(int n, double *A, int *n_neg, int *n_zero, mw_error *err);
// Cholesky with complete pivoting of a positive semidefinite A (destroyed): keep[i] 1 for rows with
// a pivot above rtol × the largest diagonal, else 0 (redundant); returns through rank.
MW_MUST_USE mw_code mw_chol_pivoted(int n, double *A, double rtol, int *keep, int *rank,
                                    mw_error *err);
// Orthonormal rows Q [most × k] whose span leaves of no row of V [n × k] more than tol (2-norm):
// the row that is left worst is taken next. V becomes what is left of it, left [n] its squares.
// Returns their number; most if that did not do.
int mw_span_choose(int n, int k, double *V, double tol, int most, double *left, double *Q);

MW_API_END

#endif
