// SPDX-License-Identifier: BSD-3-Clause
// linearize_priv.h: what linearizations on a motion share.
#ifndef MW_SIM_LINEARIZE_PRIV_H
#define MW_SIM_LINEARIZE_PRIV_H

#include "fem/mech.h"
#include "lpv/linear_layer.h"
#include "sim/linearize.h"

// The stored instant of a scenario that t (s) is. MW_ERR_INPUT: it is none.
MW_MUST_USE mw_code mw_linearize_instant(const mw_scenario *sc, double t, int *k, mw_error *err);
// Bits of coordinates of f that drives of sc prescribe at t (s), with accelerations thdd [s].
unsigned mw_linearize_prescribed(const mw_mech *m, const mw_rom_file *f, const mw_scenario *sc,
                                 double t, double *thdd);
// Matrices and names of what w is linearized at, coordinates with a bit in held left out; rest [s]:
// accelerations that are left, NULL: none. Memory from mem.
MW_MUST_USE mw_code mw_linearize_take(const mw_rom_file *f, const mw_linear *w, unsigned held,
                                      const double *rest, mw_arena *mem, mw_state_space *out,
                                      mw_error *err);

#endif
