// SPDX-License-Identifier: BSD-3-Clause
// swing_priv.h: how a mode's frequency changes as it swings further, at a configuration, θ held.
#ifndef MW_REDUCTION_SWING_PRIV_H
#define MW_REDUCTION_SWING_PRIV_H

#include "reduce_priv.h"

typedef struct mw_swing_in {
  const mw_reduction *r;
  mw_system *sys;  // over the meshes, θ held
  const mw_config *q;
  const double *x;  // [n]  the mode, of any size
  const double
      *strained;    // [n]  K⁻¹b of the strains of bodies that are quadratic in x (large.c, 1)
  const double *b;  // [n]
  double quartic;   // ½ηᵀDη of all bodies, J
  double mass, stiffness;  // xᵀMx, kg m²; of the reduced model, with the weight's, N m
} mw_swing_in;

typedef struct mw_swing {
  double e1, e2;  // mass · (1 + e1 h + e2 h²) at h x
  double v1, v2;  // ½ stiffness · h² (1 + v1 h + v2 h²)
  double moves;   // m, displacement of the output that moves most, for h = 1
  double third;   // h² third of it is not in y0 + y1·δ + ½δᵀYδ
} mw_swing;

MW_MUST_USE mw_code mw_swing_at(const mw_swing_in *in, mw_swing *out, mw_error *err);
// Relative change of the frequency over h² at amplitude h (1 of swing.c); linear: without what a model knows that has the change
// of mass to first order (G).
double mw_swing_shift(const mw_swing *z, bool linear);
// The same of small swings about h, to second order in it.
double mw_swing_shift_about(const mw_swing *z, double h, bool linear);

#endif
