// SPDX-License-Identifier: BSD-3-Clause
// linearize_priv.h: what linearizations on a motion share.
#ifndef MW_SIM_LINEARIZE_PRIV_H
#define MW_SIM_LINEARIZE_PRIV_H

#include "fem/model.h"

// The stored instant of a scenario that t (s) is. MW_ERR_INPUT: it is none.
MW_MUST_USE mw_code mw_linearize_instant(const mw_scenario *sc, double t, int *k, mw_error *err);

#endif
