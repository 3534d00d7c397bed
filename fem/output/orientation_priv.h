// SPDX-License-Identifier: BSD-3-Clause
// orientation_priv.h: an orientation output in another form.
#ifndef MW_FEM_ORIENTATION_PRIV_H
#define MW_FEM_ORIENTATION_PRIV_H

#include "base/attitude.h"
#include "fem/output.h"

// y [size of the form] of the orientation output that o names.
void mw_orientation_as(mw_attitude form, const mw_observed_in *o, const mw_seen *x,
                       const double *before, double *y);

#define MW_ORIENTATION_NOT_EXPORTED "its orientation output is exported, as a quaternion"

#endif
