// SPDX-License-Identifier: BSD-3-Clause
// limits_layer.h: limits of joint coordinates, at which a run of any path ends.
#ifndef MW_SIM_LIMITS_LAYER_H
#define MW_SIM_LIMITS_LAYER_H

#include "fem/mech.h"

typedef struct mw_limit {
  int coord, joint;  // coordinate of the mechanism, its joint
  double lo, hi;     // m or rad; ±INFINITY: open
  double slack;      // m or rad: outside by less is inside
  bool angle;        // coordinate in rad
  bool ends[2];      // lo, hi is the end of a guide or curve, not a limit the user gave
} mw_limit;

// Limits of the mechanism's coordinates into limit [n_coord], those that have any; their number.
// size: m.
int mw_limits_of(const mw_mech *m, double size, mw_limit *limit);
// First limit of n outside of which coordinates s [n_coord] are, 2 i (lo) or 2 i + 1 (hi), -1:
// none.
int mw_limits_outside(const mw_limit *limit, int n, const double *s);
// Value of limit g, as mw_limits_outside names it.
double mw_limit_value(const mw_limit *limit, int g);
// "joint x reached its limit 0.5 m at t = 1.25 s"
const char *mw_limit_text(const mw_mech *m, const mw_limit *limit, int g, double t, mw_arena *mem);
// MW_ERR_INPUT when s [n_coord], where scenario sc starts, is outside.
MW_MUST_USE mw_code mw_limits_check(const mw_mech *m, const mw_scenario *sc, const mw_limit *limit,
                                    int n, const double *s, mw_error *err);

#endif
