// SPDX-License-Identifier: BSD-3-Clause
// rigid_step_priv.h: what the fixed-step methods of the rigid path share.
//
// Mixed coordinates y [n_u] of rates: ȯ of the centre of mass in ground axes, ω in body axes,
// rotors. In them M is constant and translation needs no rotation; the engine's tangent vectors û
// have Eᵀȯ instead.
#ifndef MW_SIM_RIGID_STEP_PRIV_H
#define MW_SIM_RIGID_STEP_PRIV_H

#include <stdbool.h>

#include "rigid_path_layer.h"

enum { MW_RIGID_STAGES = 3 };

struct mw_rigid_scratch {
  double start;                // s, when the method started
  bool friction;               // some joint has dry friction
  unsigned char *rate;         // [n_row]   1: a row on velocities alone
  double *q, *v, *a;           // [n_q]     end of the step
  double *qs, *vs, *as;        // [n_q]     a stage, or the middle of the step
  double *sum_q, *sum_v;       // [n_q]     sums over the stages
  double *y0, *y, *d0, *d;     // [n_u]     mixed rates and their derivatives, start and end
  double *aux0, *aux;          // [n_u]     auxiliary accelerations, start and end
  double *X;                   // [n_u]     increment of the step: Δo, rotation vector, rotors
  double *u, *f, *r, *x, *x2;  // [n_u]     twist, forces, residual, corrections
  double *g, *gd, *c, *dl,
      *l;      // [n_row]   gaps, their rates, right-hand side, correction, multipliers
  double *mu;  // [n_row]   kg·m by row, multipliers of velocities (stabilized form)
  double *gs, *gsd, *gs0, *ls;  // [n_soft]  the same of soft rows, gaps at the start, forces
  double *cs, *dls;             // [n_soft]  zero, unused correction
  double *keep;                 // the state before the step
  double *S;                    // [n_body × 9]  stretch of the body in the middle of the step
};

// ---- rates in mixed coordinates -----------------------------------------------------------------

// y of natural rates v at q; of accelerations alike.
void mw_rigid_mixed(const mw_rigid_sim *s, const double *q, const double *v, double *y);
// v = q̇ of y:  Ė = E ω~
void mw_rigid_natural(const mw_rigid_sim *s, const double *q, const double *y, double *v);
// a = q̈ of y and ẏ:  Ë = E (ω̇~ + ω~ ω~)
void mw_rigid_natural2(const mw_rigid_sim *s, const double *q, const double *y, const double *y_dot,
                       double *a);
// û of y (to_body) or y of û at q; dst may be src
void mw_rigid_axes_turn(const mw_rigid_sim *s, const double *q, const double *src, bool to_body,
                        double *dst);
// E ← E₀ R, made orthonormal to rounding
void mw_rigid_rotate(const double E0[9], const double R[9], double E[9]);

// ---- Newton's method ----------------------------------------------------------------------------

enum { MW_NEWTON_MAX = 30 };

typedef struct mw_rigid_newton {
  double floor;       // see mw_rigid_newton_init
  int i;              // corrections so far
  double last;        // size of the last one
  double theta;       // contraction
  double least;       // smallest size so far
  int stuck;          // corrections since it was halved
  bool done, failed;  // small enough, or growing
} mw_rigid_newton;

// floor: corrections below it that do not shrink any more are rounding (amplified near singular
// positions).
mw_rigid_newton mw_rigid_newton_init(double floor);
// Is the matrix to be renewed before the next correction?
bool mw_rigid_newton_slow(const mw_rigid_newton *n);
// Takes a correction of this size, 1 (m over the mechanism's size, or rad); tol: what may be left;
// motion: size of the step's motion, which the contraction is like: the first ratio of two
// corrections flatters.
void mw_rigid_newton_take(mw_rigid_newton *n, double size, double motion, double tol);
// Size of a correction x [n_u], 1
double mw_rigid_newton_size(const mw_rigid_sim *s, const double *x);
mw_code mw_rigid_newton_fail(const mw_rigid_newton *n, mw_error *err);

// ---- methods ------------------------------------------------------------------------------------

// Both leave the end of the step in the scratch: q, v, a, and aux, l, ls where they have them.
MW_MUST_USE mw_code mw_rigid_alpha(mw_rigid_sim *s, double h, mw_error *err);
MW_MUST_USE mw_code mw_rigid_midpoint(mw_rigid_sim *s, double h, mw_error *err);

#endif
