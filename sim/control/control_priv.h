// SPDX-License-Identifier: BSD-3-Clause
// control_priv.h: what the observer, the plan and the controller share.
#ifndef MW_SIM_CONTROL_PRIV_H
#define MW_SIM_CONTROL_PRIV_H

#include "rom/rom.h"

// Fields [n_ref] of a model at x with their derivatives: y, y_dot [n_ref], J [n_ref × n] =
// dy/d(theta, delta) = dy_dot/d(thd, deld), J_dot [n_ref × n] = dy_dot/d(theta, delta) but for
// second derivatives along theta. value [n_field], gradient [s × n_field]: workspace.
mw_rom_code mw_mpc_fields(const mw_rom *rom, const double *x, int n_ref, const int *field,
                          double *y, double *y_dot, double *J, double *J_dot, double *value,
                          double *gradient);

// C [m × n] := A [m × k] B [k × n] of row lengths a, b, c; C overlaps neither.
void mw_mpc_mul(int m, int n, int k, const double *A, int a, const double *B, int b, double *C,
                int c);

#endif
