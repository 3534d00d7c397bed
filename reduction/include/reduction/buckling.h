// SPDX-License-Identifier: BSD-3-Clause
// buckling.h: factors of a load at which a mechanism with elastic bodies buckles.
#ifndef MW_REDUCTION_BUCKLING_H
#define MW_REDUCTION_BUCKLING_H

#include <stdbool.h>

#include "base/api.h"
#include "base/arena.h"
#include "fem/mech.h"

MW_API_BEGIN

// Forces at frames' origins (ground axes, they keep their directions), with the weight if `weight`,
// are times the factor; springs that the configuration loads, and else the weight, are not.
typedef struct mw_buckling_in {
  const double *p, *s;        // [n_body × 12], [n_coord]  a closed rigid configuration
  const unsigned char *held;  // [n_coord]  coordinates that do not move; no rigid motion is left
  int n_force;
  const mw_ref *on;     // [n_force]
  const double *force;  // [n_force × 3]  N
  bool weight;
} mw_buckling_in;

typedef struct mw_buckling {
  int n;           // factors above 0 that were found, at most as many as asked for
  int n_unknown;   // unknowns of the linear system
  double *factor;  // [n]  rising
  // what another step would have moved 1/factor by, of the lowest factor's, where directions that
  // are left were rounding; 0: less than 1e-11
  double left;
  // [n × n_unknown]  as the shapes of mw_direct_modes, xᵀ(K + K_g0) x = 1
  double *shape;
  double *y;  // [n × 3 n_output]  what outputs that are positions move by, ground axes, the largest
              // of all 1; of other outputs 0
} mw_buckling;

// The lowest `most` factors of (K + K_g0) x = −factor K_g1 x, K_g by the linear stresses, reactions
// and forces of the undeformed configuration. MW_ERR_NUMERIC: it buckles under what has no factor.
MW_MUST_USE mw_code mw_buckling_find(const mw_mech *m, const mw_buckling_in *in, int most,
                                     mw_arena *mem, mw_buckling *out, mw_error *err);

MW_API_END

#endif
