// SPDX-License-Identifier: BSD-3-Clause
// mech_free_priv.h: names what still moves with every coordinate of the reduction held.
#ifndef MW_MECH_FREE_PRIV_H
#define MW_MECH_FREE_PRIV_H

#include "fem/mech.h"

// Fails with MW_ERR_INPUT. p [n_body × 12]: frames; v [n_body × 6]: their twists in own axes, m/s
// and rad/s, of what moves.
MW_MUST_USE mw_code mw_mech_name_free(const mw_mech *m, const double *p, const double *v,
                                      mw_error *err);

#endif
