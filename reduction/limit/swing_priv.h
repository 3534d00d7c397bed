// SPDX-License-Identifier: BSD-3-Clause
// swing_priv.h: how a mode's frequency changes as it swings further, at a configuration, θ held but
// for free coordinates.
#ifndef MW_REDUCTION_SWING_PRIV_H
#define MW_REDUCTION_SWING_PRIV_H

#include "reduce_layer.h"

typedef struct mw_swing_in {
  const mw_reduction *r;
  mw_system *sys;  // over the meshes, θ held
  const mw_config *q;
  const double *x;  // [n]  the mode, of any size
  const double
      *strained;  // [n]  K⁻¹b of the strains of bodies that are quadratic in x (large_shapes.c, 1)
  const double *b;  // [n]
  // [n_row]  what rows carry at rest; of it what springs have before anything deflects
  const double *lambda, *preload;
  double quartic;  // ½ηᵀDη of all bodies, J
  // xᵀMx, less what free coordinates carry, kg m²; of the reduced model, with the weight's, N m
  double mass, stiffness;
  unsigned free;           // coordinates that are, as bits
  bool linear, quadratic;  // what the model knows: G; B2 of what is free
  // what bends it to `amplitude` x and stays, NULL: nothing. Rates and accelerations [s] that are
  // held
  const double *rate, *acceleration;
  double amplitude;
  bool cubic, square;  // what the model knows of their inertia: A3, B2
} mw_swing_in;

typedef struct mw_swing {
  double e1, e2;              // mass · (1 + e1 h + e2 h²) at h x
  double known[2];            // what the model has of e1, e2
  double v1, v2;              // ½ stiffness · h² (1 + v1 h + v2 h²)
  double moves;               // m, displacement of the output that moves most, for h = 1
  double bends;               // m, the same with all coordinates held
  double third;               // h² third of it is not in y0 + y1·δ + ½δᵀYδ
  double rate[MW_ROM_MAX_S];  // of free coordinates for h' = 1, 0 of held ones
  // share of what outputs move by at the amplitude that they err by where it is bent and stays
  double stays;
} mw_swing;

MW_MUST_USE mw_code mw_swing_at(const mw_swing_in *in, mw_swing *out, mw_error *err);
// Relative change of the frequency over h² at amplitude h (1 of swing.c), without what the model
// knows.
double mw_swing_shift(const mw_swing *z);
// The same of small swings about h, to second order in it.
double mw_swing_shift_about(const mw_swing *z, double h);

// swing_free.c
typedef struct mw_swing_modes_in {
  const mw_rom *rom;
  const double *value, *K;  // [n_field], [m × m]
  unsigned free;            // coordinates, as bits
} mw_swing_modes_in;
// w2 [m] ascending, modes as columns of V [m × m], and what projects on them, P = M V, VᵀP = 1.
// MW_ERR_NUMERIC: the columns have no mass beside the coordinates.
MW_MUST_USE mw_code mw_swing_modes(const mw_swing_modes_in *z, double *w2, double *V, double *P,
                                   mw_error *err);
// F [m] := forces −dᵀa⁻¹Q on the columns as free coordinates at rest are let go, Q = −∂U0/∂θ what
// accelerates them: what it bends at rest is what swings then. gradient [s × n_field]
MW_MUST_USE mw_code mw_swing_let_go(const mw_swing_modes_in *z, const double *gradient, double *F,
                                    mw_error *err);

// swing_lost.c
typedef struct mw_swing_lost_in {
  const mw_reduction *r;
  mw_system *sys;  // over the meshes, θ held
  const mw_config *q;
  int m;
  const double *X;  // [m × n]  the columns there, of any size
  unsigned free;    // coordinates, as bits; some are
} mw_swing_lost_in;
// shift [k] := what the lowest k frequencies of the columns err by, relative, for what these leave
// out. MW_ERR_NUMERIC: the columns have no mass beside the coordinates.
MW_MUST_USE mw_code mw_swing_lost(const mw_swing_lost_in *in, int k, double *shift, mw_error *err);

// Of n free coordinates at h x, A = A_0 + A_1 h + A_2 h², and with h', b = b_0 + b_1 h + b_2 h²
typedef struct mw_swing_inertia {
  int n;
  double A[3][MW_ROM_MAX_S * MW_ROM_MAX_S], b[3][MW_ROM_MAX_S];
} mw_swing_inertia;
// Takes bᵀA⁻¹b off the coefficients of h and h² in e, and without b_2 (unless quadratic) off known;
// u0 [n] = A_0⁻¹b_0.
MW_MUST_USE mw_code mw_swing_carry(const mw_swing_inertia *z, bool quadratic, double e[2],
                                   double known[2], double *u0, mw_error *err);

#endif
