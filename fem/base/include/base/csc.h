// SPDX-License-Identifier: BSD-3-Clause
// csc.h: sparse matrices by compressed columns, and the triplets they are made of.
#ifndef MW_BASE_CSC_H
#define MW_BASE_CSC_H

#include <stdbool.h>

#include "base/api.h"
#include "base/arena.h"

MW_API_BEGIN

// Row indices sorted in each column, no duplicates. sym: only the lower triangle (row >= col) is
// stored.
typedef struct mw_csc {
  int n_row, n_col;
  bool sym;
  int *ptr;     // [n_col + 1]
  int *row;     // [ptr[n_col]]
  double *val;  // [ptr[n_col]]
} mw_csc;

// Growing list of entries; duplicates are summed when compressed, in the order they were added.
typedef struct mw_triplets {
  int n, cap;
  int *row, *col;
  double *val;
  int failed;  // 1 after an allocation failed
} mw_triplets;

void mw_triplets_add(mw_triplets *t, int row, int col, double val);
void mw_triplets_free(mw_triplets *t);

// Compresses triplets into out (memory from a). With sym, entries above the diagonal are skipped
// (the caller adds a full symmetric matrix); exact zeros are kept so that patterns are predictable.
MW_MUST_USE mw_code mw_csc_build(const mw_triplets *t, int n_row, int n_col, bool sym, mw_arena *a,
                                 mw_csc *out, mw_error *err);
// out := Aᵀ of a matrix that is not sym (memory from a).
MW_MUST_USE mw_code mw_csc_transpose(const mw_csc *A, mw_arena *a, mw_csc *out, mw_error *err);
MW_MUST_USE mw_code mw_csc_check(const mw_csc *A, mw_error *err);

// Index into row and val of the entry (i, j), which is in the pattern, by bisection. near: index of
// an entry above it in column j, tried first, or −1.
int mw_csc_place(const mw_csc *A, int i, int j, int near);

// y := alpha A x + beta y.  x [n_col], y [n_row]; beta 0 overwrites y (NaN in y does not matter).
void mw_csc_mul(const mw_csc *A, double alpha, const double *x, double beta, double *y);
// y := alpha Aᵀ x + beta y.  x [n_row], y [n_col]
void mw_csc_mul_t(const mw_csc *A, double alpha, const double *x, double beta, double *y);
// The same for k vectors, row-major X [n × k], Y [n × k].
void mw_csc_mul_many(const mw_csc *A, int k, double alpha, const double *X, double beta, double *Y);

MW_API_END

#endif
