// SPDX-License-Identifier: BSD-3-Clause
// state_space_priv.h: memory of a linear system.
#ifndef MW_SIM_STATE_SPACE_PRIV_H
#define MW_SIM_STATE_SPACE_PRIV_H

#include "sim/linearize.h"

// Zeroed matrices, vectors and names of o->n_x states, n_u inputs and n_y outputs. Memory from mem.
MW_MUST_USE mw_code mw_state_space_init(mw_state_space *o, mw_arena *mem, mw_error *err);

#endif
