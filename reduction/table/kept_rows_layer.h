// SPDX-License-Identifier: BSD-3-Clause
// kept_rows_layer.h: springs, runners and dampers that follow a parameter of the reduced model.
#ifndef MW_REDUCTION_KEPT_ROWS_LAYER_H
#define MW_REDUCTION_KEPT_ROWS_LAYER_H

#include "reduce_layer.h"

// Does the parameter change stiffness, or damping, of rows?
bool mw_kept_has(const mw_kept_in *k, bool stiff);
// What a unit of kept parameter k adds to the stiffness or to the damping of rows, by [n_row].
MW_MUST_USE mw_code mw_kept_rows(const mw_reduction *r, int k, bool stiff, double *by,
                                 mw_error *err);
// What a unit of kept parameter k adds to the strain energy of the columns, energy
// [n_point × n_start] as records for starts (romfile.h); zero before.
MW_MUST_USE mw_code mw_kept_stiffness(const mw_reduction *r, int k, int n_start, double *energy,
                                      mw_error *err);

#endif
