// SPDX-License-Identifier: BSD-3-Clause
// flank_layer.h: where teeth would have to pull: their row has the line of contact of one flank
// (fem/joint/wheels.c, rack.c), that of the sense of the moment which the model file names.
#ifndef MW_SIM_FLANK_LAYER_H
#define MW_SIM_FLANK_LAYER_H

#include "fem/mech.h"
#include "sim/run.h"

// r->flank, where a joint has teeth whose flanks lean: zero
MW_MUST_USE mw_code mw_run_init_flanks(mw_run *r, const mw_mech *m, mw_error *err);
// Keeps the largest moments that the teeth of joint j put on its body b: y [6] its force and moment
// there at t, p [12] the frame of its body a, ground axes.
void mw_run_flank(mw_run *r, const mw_joint *j, int index, double t, const double p[12],
                  const double y[6]);
bool mw_run_has_flank(const mw_run *r, const mw_joint *j);
// A warning for each joint whose teeth would have had to pull.
void mw_run_warn_flanks(mw_run *r, const mw_mech *m);

#endif
