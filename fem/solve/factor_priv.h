// SPDX-License-Identifier: BSD-3-Clause
// factor_priv.h: L D Lᵀ of indefinite matrices, behind factor.h.
#ifndef MW_FEM_FACTOR_PRIV_H
#define MW_FEM_FACTOR_PRIV_H

#include "fem/factor.h"

// A small matrix, dense.
typedef struct mw_dense_ldl mw_dense_ldl;

enum { MW_DENSE_LDL_MOST = 300 };  // unknowns

// A of order 0 < n <= MW_DENSE_LDL_MOST. MW_ERR_NUMERIC: a pivot's sign is not known.
MW_MUST_USE mw_code mw_dense_ldl_build(const mw_csc *A, mw_dense_ldl **out, mw_error *err);
// X := A⁻¹ X, k rows of n, ld apart
MW_MUST_USE mw_code mw_dense_ldl_solve(const mw_dense_ldl *f, int k, size_t ld, double *X,
                                       mw_error *err);
int mw_dense_ldl_negative(const mw_dense_ldl *f);
size_t mw_dense_ldl_bytes(const mw_dense_ldl *f);
void mw_dense_ldl_free(mw_dense_ldl *f);

// Any other.
typedef struct mw_ldl mw_ldl;

// A of order n > 0. MW_ERR_NUMERIC: singular.
MW_MUST_USE mw_code mw_ldl_build(const mw_csc *A, mw_ldl **out, mw_error *err);
// Negative pivots alone; the factor is not kept.
MW_MUST_USE mw_code mw_ldl_count(const mw_csc *A, int *count, mw_error *err);
// X := A⁻¹ X, k rows of n, ld apart
MW_MUST_USE mw_code mw_ldl_solve(mw_ldl *f, int k, size_t ld, double *X, mw_error *err);
int mw_ldl_negative(const mw_ldl *f);
size_t mw_ldl_bytes(const mw_ldl *f);
void mw_ldl_free(mw_ldl *f);

#endif
