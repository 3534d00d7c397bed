// SPDX-License-Identifier: BSD-3-Clause
// output.h: the rows of the model's outputs: three of a position, six of a stress or strain.
//
// All outputs of a model stand below each other: row mw_output_row(m, k) is the first of output k.
#ifndef MW_FEM_OUTPUT_H
#define MW_FEM_OUTPUT_H

#include "fem/mech.h"

bool mw_output_is_gauge(const mw_output_in *o);            // stress or strain
int mw_output_width(const mw_output_in *o);                // 3 or 6
int mw_output_row(const mw_model *m, int k);               // k = n_output: number of all rows
const char *mw_output_axis(const mw_output_in *o, int i);  // "x" …, "xx" "yy" "zz" "xy" "yz" "zx"
const char *mw_output_unit(const mw_output_in *o);         // "m", "Pa", "1"

// y [rows of all outputs]: rows of the stresses and strains on body b for its unknowns u [n_u]; the
// other rows are left alone. A rigid body has none.
void mw_mech_gauges(const mw_mech *m, int b, const double *u, double *y);

// von Mises stress (Pa) of a stress, equivalent strain (1) of a strain with engineering shear; s
// [6].
//   σ_v = √(3/2 dev σ : dev σ) ,  ε_v = √(2/3 dev ε : dev ε)
double mw_output_equivalent(mw_output_kind kind, const double s[6]);

#endif
