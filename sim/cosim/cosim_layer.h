// SPDX-License-Identifier: BSD-3-Clause
// cosim_layer.h: the functional mock-up units of a scenario, for the run loop and the paths.
#ifndef MW_SIM_COSIM_LAYER_H
#define MW_SIM_COSIM_LAYER_H

#include "fem/control.h"
#include "sim/run.h"

typedef struct mw_cosim mw_cosim;

// Opens the units of sc, which is borrowed; a scenario without them gives NULL. MW_ERR_INPUT, at
// the place in the model file: a file that is no unit of FMI 2.0 or 3.0 with co-simulation, one
// without a binary for this machine, a variable that it does not have or not as is asked for.
MW_MUST_USE mw_code mw_cosim_open(const mw_scenario *sc, mw_cosim **out, mw_error *err);
// The same units once more, to begin anew; closed with c. c NULL: NULL.
MW_MUST_USE mw_code mw_cosim_another(mw_cosim *c, mw_cosim **out, mw_error *err);
void mw_cosim_close(mw_cosim *c);  // NULL is fine
// What mw_control steps units by; c NULL: nothing. Borrows c.
mw_units mw_cosim_units(mw_cosim *c);
// Notes on inputs that nothing sets and on messages of units.
MW_MUST_USE mw_code mw_cosim_tell(const mw_cosim *c, mw_run *r, mw_error *err);

// Checks the files and variables of sc as mw_cosim_open does, without running anything of them.
MW_MUST_USE mw_code mw_cosim_check(const mw_scenario *sc, mw_error *err);

#endif
