// SPDX-License-Identifier: BSD-3-Clause
// turn_layer.h: how far body b is turned against body a, as springs measure it; for the elastic
// rows and for the rigid ones.
#ifndef MW_FEM_JOINT_TURN_LAYER_H
#define MW_FEM_JOINT_TURN_LAYER_H

#include "fem/mech.h"

typedef struct mw_turn {
  double g;     // rad, the row (SPIN: 0, its rate alone is known)
  double W[9];  // ∂g/∂P_ij, row-major; SPIN: ġ = Σ W_ij Ṗ_ij
  double bend;  // rad/s², Σ Ẇ_ij Ṗ_ij (0 without Ṗ, and of SPIN)
} mw_turn;

// Row r (one of MW_ROW_TURN … MW_ROW_SPIN) of direction cosines P_ij = A_i(a)·A_j(b) [9],
// row-major, and of their rates Pd [9] (1/s; NULL: at rest).
void mw_turn_eval(const mw_row *r, const double P[9], const double *Pd, mw_turn *out);

#endif
