// SPDX-License-Identifier: BSD-3-Clause
// lockup_layer.h: names dead points of coordinates, for errors of runs and reductions that they
// end.
#ifndef MW_SIM_LOCKUP_LAYER_H
#define MW_SIM_LOCKUP_LAYER_H

#include "fem/mech.h"

// "; x has a dead point at …, it can drive from … to …" where a coordinate that the scenario
// prescribes at t has come to one with the mechanism at p [n_body × 12], s [n_coord], else "". What
// bodies bend by is taken away: joints are closed near p.
void mw_lockup_of_scenario(const mw_mech *m, const mw_scenario *sc, double t, const double *p,
                           const double *s, char *text, size_t size);
// The same of a coordinate of the reduction whose range goes beyond a dead point, from the
// reference configuration on, the others held there.
void mw_lockup_of_range(const mw_mech *m, char *text, size_t size);
// Appends it to the message of err where there is room for it; rc.
mw_code mw_lockup_append(mw_code rc, const char *text, mw_error *err);

#endif
