// SPDX-License-Identifier: BSD-3-Clause
// law.h: dry friction and end stops, or play, of a joint's coordinate s, a force -F(v) - S(s, v)
// along it, v = ds/dt:
//
//   F = (coulomb + (stiction - coulomb)/(1 + (v/stribeck)²)) v/√(v² + smooth²)                  (1)
//   S = stiffness (d_hi (1 + damping v) − d_lo (1 − damping v)) ,  d = (p + √(p² + soft²))/2    (2)
//       p = s − hi, lo − s: how far beyond the stop
//   V = ¼ stiffness Σ (p² + p √(p² + soft²) + soft² asinh(p/soft)) ,  dV/dp = stiffness d       (3)
//
// F v >= 0, and so is the power that damping takes, stiffness damping (d_hi + d_lo) v². Below
// coulomb the drive creeps at about smooth · force/coulomb. V is zero at p = 0, and falls like -½
// stiffness soft² log(-p/soft) away from the stop. The reduced model has the same law in rom.h (8),
// (9), where nothing but + - * / sqrt may be used.
#ifndef MW_FEM_LAW_H
#define MW_FEM_LAW_H

#include "base/api.h"
#include "fem/model.h"

MW_API_BEGIN

// f = { force, its derivative by s, by v }: N, N/m, N·s/m (N·m, rad)
void mw_law_force(const mw_law *l, double s, double v, double f[3]);
// V of (3), J, and the power friction and damping take, W; either may be NULL
void mw_law_energy(const mw_law *l, double s, double v, double *V, double *lost);
// What an implicit step puts into its matrix, never negative: k = -df/ds, c = -df/dv where these
// are
void mw_law_tangent(const mw_law *l, double s, double v, double *k, double *c);

// Friction in proportion to a normal force N >= 0, N: f = { force along the coordinate at rate v,
// its derivative by v }
void mw_friction_force(const mw_friction_in *in, double N, double v, double f[2]);
// What an implicit step puts into its matrix, never negative: -df/dv where it is, N·s/m
double mw_friction_slope(const mw_friction_in *in, double N, double v);

// What is left of l where motions are small: of play the spring about its middle, taken up as by a
// load; nothing of friction and stops.
mw_law mw_law_taken_up(const mw_law *l);

MW_API_END

#endif
