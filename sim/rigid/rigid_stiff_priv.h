// SPDX-License-Identifier: BSD-3-Clause
// rigid_stiff_priv.h: Newton's matrix of implicit adaptive methods, of what springs, dampers and
// friction make stiff.
#ifndef MW_SIM_RIGID_STIFF_PRIV_H
#define MW_SIM_RIGID_STIFF_PRIV_H

#include "rigid_path_layer.h"

// Factors at a state, with a work of their own: they live on while accelerations are evaluated.
typedef struct mw_rigid_stiff {
  const mw_rigid_sim *s;  // borrowed
  mw_rigid_work *w;
  bool friction;                 // some joint rubs by its reaction
  double t, *q;                  // s, [n_q]  where the factors were made
  double *v;                     // [n_q]     scratch
  double *uq, *uv, *f;           // [n_u]
  double *row, *row0, *lam;      // [n_row]   J u; J 0
  double *soft, *soft0, *soft2;  // [n_soft]  Js u; Js 0; scratch
  mw_arena mem;
} mw_rigid_stiff;

// Borrows s. Released by mw_rigid_stiff_free, to which {0} is fine.
MW_MUST_USE mw_code mw_rigid_stiff_build(const mw_rigid_sim *s, mw_rigid_stiff *out, mw_error *err);
void mw_rigid_stiff_free(mw_rigid_stiff *p);
// Takes the coordinates last accepted by the work of the simulation.
void mw_rigid_stiff_begin(mw_rigid_stiff *p);
// Keeps the coordinates at q [n_q] as the accepted ones.
void mw_rigid_stiff_accept(mw_rigid_stiff *p, const double *q);
// Factors (1) of rigid_stiff.c at t (s), y = (q, v) [2 n_q] for gamma (s).
void mw_rigid_stiff_factor(mw_rigid_stiff *p, double t, const double *y, double gamma);
// z = (1 − gamma ∂f/∂y)⁻¹ r of y = (q, v), both [2 n_q], by the factors for this gamma (s); z may
// be r.
void mw_rigid_stiff_solve(mw_rigid_stiff *p, double gamma, const double *r, double *z);

#endif
