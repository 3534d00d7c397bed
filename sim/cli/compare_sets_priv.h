// SPDX-License-Identifier: BSD-3-Clause
// compare_sets_priv.h: modeway compare --sets.
#ifndef MW_SIM_COMPARE_SETS_PRIV_H
#define MW_SIM_COMPARE_SETS_PRIV_H

#include "cmd_layer.h"
#include "compare/compare_layer.h"

// Reduces the model by each mode set of --sets and compares its run with the full path's.
MW_MUST_USE mw_code mw_compare_sets(const mw_args *a, const mw_case *c, const mw_scenario *sc,
                                    mw_path_opt *opt, mw_error *err);

#endif
