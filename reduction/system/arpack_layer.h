// SPDX-License-Identifier: BSD-3-Clause
// arpack_layer.h: modes of the constrained mechanism by ARPACK-NG, which shares no code with the
// iteration of lanczos.c.
#ifndef MW_REDUCTION_ARPACK_LAYER_H
#define MW_REDUCTION_ARPACK_LAYER_H

#include "lanczos_layer.h"
#include "reduction/system.h"

// Version of the library that the program was built with, "3.8.0"; "": not known.
const char *mw_arpack_version(void);

// A run: pairs of largest |ν| of OP = solve ∘ M on the M-orthogonal complement of the known
// vectors.
typedef struct mw_arpack_in {
  int want;         // pairs, at least 1
  int dim;          // of the space that constraints leave, known vectors included
  int n_known;      // vectors to stay away from
  const double *X;  // [n_known × n]  M-orthonormal
  int round;        // 0, 1, …: of a search, each with a start vector and a basis of its own
} mw_arpack_in;

typedef enum mw_arpack_end {
  MW_ARPACK_DONE,       // found <= want pairs converged
  MW_ARPACK_TOO_FEW,    // no basis fits: too few unknowns for so many pairs
  MW_ARPACK_EXHAUSTED,  // the basis became an invariant space, where ARPACK goes on at random
} mw_arpack_end;

// nu [found] by descending |ν|, X [found × n] M-orthonormal, from mem. The same bits whatever the
// process did before. MW_ERR_NUMERIC: no pair converged, ARPACK's own codes.
MW_MUST_USE mw_code mw_arpack(const mw_operator *op, const mw_arpack_in *in, mw_arena *mem,
                              int *found, double **nu, double **X, mw_arpack_end *end,
                              mw_error *err);

// Adds the lowest `in->want` modes of sys, its blocks' shift being 0, to lambda and X, which have
// room for them behind the known ones: (rad/s)², M-orthonormal. All of them, known ones included,
// are in ascending order on return.
MW_MUST_USE mw_code mw_system_modes_arpack(mw_system *sys, int want, int round, int *n_known,
                                           double *lambda, double *X, mw_arpack_end *end,
                                           mw_error *err);

#endif
