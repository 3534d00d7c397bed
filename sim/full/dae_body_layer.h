// SPDX-License-Identifier: BSD-3-Clause
// dae_body_layer.h: forces of one body, and its constant Newton block.
#ifndef MW_SIM_DAE_BODY_LAYER_H
#define MW_SIM_DAE_BODY_LAYER_H

#include "base/arena.h"
#include "base/progress.h"
#include "fem/factor.h"
#include "fem/mech.h"

enum { MW_DAE_BORDER = 24 };  // most border unknowns: 12 frame, 6 rigid-body, 6 reference rows

// ---- dae_body.c ---------------------------------------------------------------------------------

// One body; p, pd, pdd [12] in ground axes, u, ud, udd [n_u]; NULL rates count as zero.
typedef struct mw_dae_motion {
  const double *p, *pd, *pdd, *u, *ud, *udd;
} mw_dae_motion;

// Inertial, gravity, damping and elastic forces of a body: what joints and drives must balance.
//   g [3] gravity in ground axes; f [12] along (ô, Ê), only for moving bodies; fu [n_u];
//   work [13 n_u]
void mw_dae_body_force(const mw_body *b, bool moving, const double g[3], const mw_dae_motion *x,
                       double *f, double *fu, double *work);
// Moments of the deformed body: mX + S u, J(u), and hM [9 × n_u], row 3β+α: h_αβ + M_βα u.
void mw_dae_body_moments(const mw_body *b, const double *u, double mX[3], double J[9], double *hM);
// Kinetic and potential energy (elastic and gravity, zero at the ground origin), J; power lost in
// Rayleigh damping, W, without α of bodies that move (dae_modal.c).
void mw_dae_body_energy(const mw_body *b, bool moving, const double g[3], const mw_dae_motion *x,
                        double *T, double *V, double *lost, double *work);

// ---- dae_tilt.c ---------------------------------------------------------------------------------

// Adds to f [12] and fu [n_u], or returns as T (J), what moments of inertia carried by frames of a
// moving elastic body have to
// second order in the frames' elastic rotation.  V = EᵀĖ, W = EᵀË, row-major
void mw_dae_tilt_force(const mw_body *b, const mw_dae_motion *x, const double V[9],
                       const double W[9], double f[12], double *fu);
double mw_dae_tilt_energy(const mw_body *b, const mw_dae_motion *x, const double V[9]);

// ---- dae_block.c --------------------------------------------------------------------------------

typedef struct mw_dae_block {
  const mw_body *body;
  bool moving;
  int n_u, n_d, n_ref;          // elastic unknowns, border, reference rows
  int n_f, n_y;                 // functionals (12 of the frame, n_z), unknowns n_d + n_u
  double beta, gamma, elastic;  // block β' M + γ' C + elastic K, 1/s², 1/s, 1
  double c_phi, c_ref;          // scales of the rigid-body and reference rows
  double *Q;                    // [n_ref × n_u]  reference rows Q u = 0, Q M⁻¹ Qᵀ = 1
  mw_factor *S;
  double *B, *X;  // [n_d × n_u]  border and S⁻¹ border
  double *D;      // [n_d × n_d]  LU
  int piv[MW_DAE_BORDER];
  double *W;     // [n_f × n_y]  P̂ S_b⁻¹
  double *G;     // [n_f × n_f]  P̂ S_b⁻¹ P̂ᵀ
  double L[36];  // of a rigid body: G = N L Lᵀ Nᵀ, N τ the frame's rates of a twist τ = (v, ω)
  mw_arena mem;
} mw_dae_block;

// T: stiffness in place of K, values at the pattern of K, with the moments at u; NULL: K,
// undeformed. progress may be NULL.
MW_MUST_USE mw_code mw_dae_block_build(const mw_body *b, bool moving, double beta, double gamma,
                                       const double *T, const double *u, mw_progress *progress,
                                       mw_dae_block *out, mw_error *err);
double mw_dae_block_cost(const mw_body *b, bool moving);  // of that, as progress counts it
void mw_dae_block_free(mw_dae_block *k);
// y := S_b⁻¹ r of n right-hand sides;  r, y [n × n_y], may be the same
MW_MUST_USE mw_code mw_dae_block_solve(mw_dae_block *k, int n, const double *r, double *y,
                                       mw_error *err);

#endif
