// SPDX-License-Identifier: BSD-3-Clause
// inverse_priv.h: how drives share what a motion needs.
#ifndef MW_SIM_INVERSE_PRIV_H
#define MW_SIM_INVERSE_PRIV_H

#include "sim/analyze.h"

// Forces tau [n_drive of the model] with B tau = Q as far as they can, B [k × n_drive], by `how`;
// the rank of B into *rank. MW_ERR_INPUT: limits are missing, or do not hold 0, where that matters;
// MW_ERR_NUMERIC: not within limits, says how far beyond.
MW_MUST_USE mw_code mw_share_forces(const mw_model *m, int k, const double *B, const double *Q,
                                    const mw_sharing *how, double *tau, int *rank, mw_error *err);

#endif
