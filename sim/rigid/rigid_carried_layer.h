// SPDX-License-Identifier: BSD-3-Clause
// rigid_carried_layer.h: coordinates that only deflections inside of a component let move.
#ifndef MW_SIM_RIGID_CARRIED_LAYER_H
#define MW_SIM_RIGID_CARRIED_LAYER_H

#include "base/arena.h"
#include "fem/mech.h"
#include "sim/run.h"

// Judges the drives of a scenario beside components by reduced models, in the reference
// configuration. MW_ERR_INPUT, at the action: its reference turns a component farther than its
// columns may (MW_FLEXIBLE_FAR), named. *text, from mem: the first drive that moves one along none
// of its coordinates, which the scenario does not say how far; NULL: none does.
MW_MUST_USE mw_code mw_rigid_carried(const mw_mech *m, const mw_scenario *sc, mw_arena *mem,
                                     const char **text, mw_error *err);
// The same for a run, which notes the text.
MW_MUST_USE mw_code mw_rigid_carried_note(const mw_mech *m, const mw_scenario *sc, mw_run *r,
                                          mw_error *err);

#endif
