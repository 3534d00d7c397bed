// SPDX-License-Identifier: BSD-3-Clause
// still_priv.h: Newton's method for equilibria, at a load factor or along a path of them.
#ifndef MW_SIM_STILL_PRIV_H
#define MW_SIM_STILL_PRIV_H

#include "chart_priv.h"
#include "sim/statics.h"

typedef struct mw_still {
  const mw_statics_in *in;
  mw_model model;  // the mechanism's, with the weight times the factor
  mw_mech mech;
  mw_chart c;
  double gravity[3];  // m/s², of the mechanism
  double scale;       // of the factor, for steps
  double factor;
  int column;          // of the differences
  double *z;           // [n_u]
  double *J;           // [n_u × n_u]  ∂z̈/∂ζ, ζ = z over its units, at the chart's state
  double *r, *by, *e;  // [n_u]  z̈; ∂z̈/∂(factor/scale); errors of J
  double *t;           // [n_u]  tangent of the path: twists over their units, turned with bodies
  double tf;           // its part of the factor
  double *A, *x, *b, *q, *s;  // scratch
} mw_still;

// Borrows m and in; at in->at. Release with mw_still_close, also after an error.
MW_MUST_USE mw_code mw_still_open(const mw_mech *m, const mw_statics_in *in, mw_still *out,
                                  mw_error *err);
void mw_still_close(mw_still *s);
void mw_still_load(mw_still *s, double factor);
// Sets r, J, by at the chart's state.
MW_MUST_USE mw_code mw_still_eval(mw_still *s, mw_error *err);
// To the equilibrium at the factor (along false), or to the one on the path, across its tangent;
// then r, J, by are those there. *step: the last one. MW_ERR_NUMERIC: none found.
MW_MUST_USE mw_code mw_still_find(mw_still *s, bool along, double *step, mw_error *err);
// Moves the state by x [k], in units, from where it is.
MW_MUST_USE mw_code mw_still_move(mw_still *s, const double *x, mw_error *err);
// Tangent of the path of equilibria at the state, on from the tangent before.
MW_MUST_USE mw_code mw_still_tangent(mw_still *s, mw_error *err);
// Rates of z over units [k] that the tangent's twists are at the state.
void mw_still_rates(const mw_still *s, double *x);
// Eigenvalues mu [k] of −∂z̈/∂z, rising by real part; *least of those in modulus; stability.
MW_MUST_USE mw_code mw_still_judge(mw_still *s, mw_equilibrium *o, double *near, mw_error *err);
// Rates of joint coordinates [n_coord] along the direction of least stiffness, the largest ±1.
MW_MUST_USE mw_code mw_still_mode(mw_still *s, double *mode, mw_error *err);

#endif
