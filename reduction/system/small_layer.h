// SPDX-License-Identifier: BSD-3-Clause
// small_layer.h: the symmetric indefinite system that joints, rigid bodies and grounding leave of a
// mechanism: entries added one by one, factored dense or sparse.
#ifndef MW_REDUCTION_SMALL_LAYER_H
#define MW_REDUCTION_SMALL_LAYER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/csc.h"
#include "fem/factor.h"

typedef struct mw_small {
  int n;
  bool sparse;    // large, and most of it zero
  double *A;      // [n × n]  dense, else NULL
  double *LU;     // [n × n]  dense
  int *piv;       // [n]  dense
  double *scale;  // [n]  equilibration: scale A scale has largest entries of some 1 in each row
  // sparse: entries as they came, and summed up and scaled
  mw_triplets entry;
  mw_csc S;
  double *one;  // [n]  a right-hand side
  mw_sparse_lu *lu;
  mw_arena mem, columns;  // columns: S
} mw_small;

// Room for n unknowns, which some `entries` calls of mw_small_add will fill. Free with
// mw_small_free; {0} is an empty one.
MW_MUST_USE mw_code mw_small_init(int n, size_t entries, mw_small *out, mw_error *err);
void mw_small_free(mw_small *z);
void mw_small_clear(mw_small *z);  // all entries := 0

// A[i, j] += v; the mirror image is another call.
static inline void mw_small_add(mw_small *z, int i, int j, double v)
{
  if (!z->sparse)
    z->A[(size_t)i * (size_t)z->n + (size_t)j] += v;
  else if (v != 0.0)
    mw_triplets_add(&z->entry, i, j, v);
}

// Factors what was added. *ratio (NULL: not wanted): smallest over largest pivot.
// MW_ERR_NUMERIC: singular.
MW_MUST_USE mw_code mw_small_factor(mw_small *z, double *ratio, mw_error *err);
// Y := A⁻¹ Y, Y [n × k]
void mw_small_solve(mw_small *z, int k, double *Y);
// Eigenvalues of A below zero, and those that are zero to rounding; needs no factor.
MW_MUST_USE mw_code mw_small_inertia(mw_small *z, int *n_neg, int *n_zero, mw_error *err);

#endif
