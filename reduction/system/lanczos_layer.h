// SPDX-License-Identifier: BSD-3-Clause
// lanczos_layer.h: block Lanczos for the constrained mechanism at a configuration and for a body
// alone.
#ifndef MW_REDUCTION_LANCZOS_LAYER_H
#define MW_REDUCTION_LANCZOS_LAYER_H

#include "base/arena.h"

typedef struct mw_operator {
  int n;  // unknowns
  void *ctx;
  // Y := X M for k vectors, X, Y [k × n]; work [2 k n]
  void (*mul_M)(void *ctx, int k, const double *X, double *Y, double *work);
  // X := (K − σM)⁻¹ F on the space that constraints leave, F, X [k × n]
  mw_code (*solve)(void *ctx, int k, const double *F, double *X, mw_error *err);
} mw_operator;

// Eigenpairs of OP = solve ∘ M by descending |ν|, deterministic: `want` of them; with nu_least > 0
// as many as needed so that all above it are there and one below, at least `want`. nu [n_found] and
// X [n_found × n], M-orthonormal, from mem.
MW_MUST_USE mw_code mw_lanczos(const mw_operator *op, int want, double nu_least, mw_arena *mem,
                               int *n_found, double **nu, double **X, mw_error *err);

#endif
