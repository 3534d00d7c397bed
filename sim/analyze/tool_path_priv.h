// SPDX-License-Identifier: BSD-3-Clause
// tool_path_priv.h: what a path says at a value of its parameter.
#ifndef MW_SIM_TOOL_PATH_PRIV_H
#define MW_SIM_TOOL_PATH_PRIV_H

#include "sim/accessible.h"

// y [n_part × 3]: values of the parts at p and their first two derivatives.
void mw_tool_path_eval(const mw_tool_path *path, double p, double *y);

#endif
