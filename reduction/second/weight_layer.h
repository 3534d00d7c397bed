// SPDX-License-Identifier: BSD-3-Clause
// weight_layer.h: the stiffness K_g of the weight at a configuration as an operator, and modes of
// the mechanism under it.
//
//   K_g = K_σ(σ(P_g)) + Σ_k λ_k(P_g) Φ_k,qq − g·x_qq          (1) of second_layer.h, f = M g, θ
//                                                             held
//
// second.c has the same projected on given columns. As an operator it says what columns would have
// to hold, K⁻¹K_g ψ, and what frequencies are under the weight whatever columns there are.
#ifndef MW_REDUCTION_WEIGHT_LAYER_H
#define MW_REDUCTION_WEIGHT_LAYER_H

#include "reduce_layer.h"
#include "reduction/basis.h"

typedef struct mw_weight_column {  // one number that the rows of a joint see
  enum { MW_WEIGHT_TWIST, MW_WEIGHT_FUNCTIONAL, MW_WEIGHT_COORD } kind;
  int body, i;
} mw_weight_column;

typedef struct mw_weight_joint {
  int joint, n;
  mw_weight_column *column;  // [n]
  double *Q;                 // [n × n]  Σ λ Φ_qq on them
} mw_weight_joint;

typedef struct mw_weight_push {  // a force at a frame's origin, beside the weight
  mw_ref on;
  double f[3];  // N, ground axes
} mw_weight_push;

typedef struct mw_weight {
  mw_system *sys;         // borrowed
  const mw_mech *full;    // bodies on their meshes
  const mw_basis *basis;  // [n_body] of the mechanism of sys, NULL: it is full
  bool stress;            // false: strain: linear
  double *g;              // [n_body × 3]  gravity in body axes, 0 of bodies that it leaves alone
  double **u;             // [n_body][n_u of the mesh]  elastic part of P_g, NULL: no stress
  bool pushed;
  int push_body, push_z;       // of the push; its functional, -1: rigid
  double push[3], push_at[3];  // N, m, body axes
  int n_joint;
  mw_weight_joint *joint;  // [n_joint]  those that are loaded
  mw_arena mem;
} mw_weight;

// Builds K_g of the weight at q, θ held in sys. Where bodies are on bases, their T are in memory.
// push: NULL, or what acts beside the weight. Released by mw_weight_free.
MW_MUST_USE mw_code mw_weight_build(mw_system *sys, const mw_config *q, const mw_mech *full,
                                    const mw_basis *basis, const mw_weight_push *push,
                                    mw_weight *out, mw_error *err);
void mw_weight_free(mw_weight *w);
// Y := X K_g, rows [k × n]
MW_MUST_USE mw_code mw_weight_mul(const mw_weight *w, int k, const double *X, double *Y,
                                  mw_error *err);

// Builds the operator at a configuration on the bases of r (patterns_weight.c).
MW_MUST_USE mw_code mw_weight_at(const mw_reduction *r, mw_system *sys, const mw_config *q,
                                 const mw_weight_push *push, mw_weight *out, mw_error *err);

// ---- loaded.c -----------------------------------------------------------------------------------

typedef struct mw_ritz {  // K + K_g on a space V
  mw_system *sys;
  const mw_weight *w;
  int n, cap, size;     // unknowns; room and size of V
  double *V, *MV, *AV;  // [cap × n]  M-orthonormal rows, V M, V (K + K_g)
  double *A, *X,
      *val;  // [cap × cap], [size × size] eigenvectors by columns, [cap] eigenvalues, ascending
  mw_arena mem;
} mw_ritz;

MW_MUST_USE mw_code mw_ritz_init(mw_system *sys, const mw_weight *w, int cap, mw_ritz *out,
                                 mw_error *err);
void mw_ritz_free(mw_ritz *z);
// Adds the k rows of X [k × n] to V, as far as they are more than rounding, and solves it.
MW_MUST_USE mw_code mw_ritz_extend(mw_ritz *z, int k, const double *X, mw_error *err);
// Finds the k lowest eigenvalues (rad/s)² of K + K_g, ascending, V going on from what it holds
// until they stay; k <= size. Below zero: it buckles. Cost: k solutions and products a step, some
// three steps.
MW_MUST_USE mw_code mw_ritz_lowest(mw_ritz *z, int k, double *lambda, mw_error *err);
enum { MW_RITZ_STEPS = 8 };  // at most, of k vectors each
// Does all of it, from the rows Phi [n_phi × n], n_phi >= k.
MW_MUST_USE mw_code mw_loaded_modes(mw_system *sys, const mw_weight *w, int k, int n_phi,
                                    const double *Phi, double *lambda, mw_error *err);

#endif
