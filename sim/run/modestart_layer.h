// SPDX-License-Identifier: BSD-3-Clause
// modestart_layer.h: what a scenario's mode starts mean for the modes that a path has.
#ifndef MW_SIM_MODESTART_LAYER_H
#define MW_SIM_MODESTART_LAYER_H

#include "fem/mech.h"

// Modes of a path at the start, in ascending order.
typedef struct mw_start_modes {
  int n;
  const double *hz;  // [n]
  const double *y;   // [n × rows of all fields]  displacements of positions by each of unit mass
} mw_start_modes;

// How many modes a path needs for the scenario; 0: none.
int mw_mode_start_count(const mw_scenario *sc);
// MW_ERR_INPUT: a mode start beyond the n modes there are.
MW_MUST_USE mw_code mw_mode_start_check(const mw_scenario *sc, int n, mw_error *err);
// What each mode takes part in mode start i, as a factor of its amplitude and rate: share [n].
MW_MUST_USE mw_code mw_mode_start_share(const mw_mech *mech, const mw_scenario *sc, int i,
                                        const mw_start_modes *modes, double *share, mw_error *err);

#endif
