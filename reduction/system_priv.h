// SPDX-License-Identifier: BSD-3-Clause
// system_priv.h: inside of mw_blocks and mw_system.
#ifndef MW_REDUCTION_SYSTEM_PRIV_H
#define MW_REDUCTION_SYSTEM_PRIV_H

#include "fem/factor.h"
#include "reduction/system.h"

typedef struct mw_block {  // one elastic body
  mw_factor *factor;       // of S = K − σM (+ grounding)
  int n_f;                 // functionals: n_z of the body, then n_ground grounded unknowns
  int n_ground;
  int ground[6];    // grounded unknowns of the body
  double kappa[6];  // their springs
  double *X;        // [n_f × n_u]  rows S⁻¹ Pᵀ e_i
  double *F;        // [n_f × n_f]  P S⁻¹ Pᵀ
  double *PP;       // [n_f × n_f]  P Pᵀ, for finding redundant rows (grounded unknowns: zero)
} mw_block;

struct mw_blocks {
  const mw_mech *m;
  double sigma;
  bool indefinite;
  int n;            // unknowns
  int *offset;      // [n_body]
  mw_block *block;  // [n_body]
  double *M6;       // [n_body × 36]  mass of rigid moving bodies
  double *RMR;      // [n_body × 36]  lower Cholesky factor of Rᵀ M R of free elastic bodies
  mw_arena mem;
};

struct mw_system {
  const mw_blocks *bl;
  const double *p, *s;  // copies
  unsigned char *locked;
  int n_mu;               // joint rows kept
  double *k_row, *c_row;  // [n_mu]  stiffness and damping of the rows
  double **C;      // [n_body]  [n_mu × n_f]  (elastic) or [n_mu × 6] (rigid moving), NULL: none
  double **coord;  // [n_body]  [n_coord × n_f or 6]  derivative of the joint coordinates
  int n_small;     // unknowns of the dense system: μ, rigid bodies, grounding
  int *
      small_body;  // [n_body]  first unknown of the body's 6 (rigid) or n_ground in the dense system, −1
  double *D;  // [n_small × n_small]  dense system (before factorization)
  double *LU;
  double *scale;  // [n_small]  equilibration
  int *piv;
  double *rhs, *zf;  // [n_small], [largest n_f]
  double *work;      // [3 n]
  // rows C X of the joint rows that touch an elastic body: made by the first solve, dropped by mw_system_rest
  int *n_act, **act;    // [n_body], [n_act]  joint rows
  double **XC;          // [n_body]  [n_act × n_u]
  mw_arena mem, quick;  // quick: of XC
};

// Displacement of a frame's point along dir as a row over the body's functionals (elastic) or (v, ω) (rigid moving).
void mw_system_point_row(const mw_system *sys, mw_ref ref, const double offset[3],
                         const double dir[3], double *row);

#endif
