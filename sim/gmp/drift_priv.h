// SPDX-License-Identifier: BSD-3-Clause
// drift_priv.h: how far coordinates that run free drift by what forces along them err by at rest.
#ifndef MW_SIM_DRIFT_PRIV_H
#define MW_SIM_DRIFT_PRIV_H

#include "modal_priv.h"
#include "sim/run.h"

typedef struct mw_drift {
  const mw_modal *modal;  // borrowed; NULL: nothing is looked at
  unsigned free;          // coordinates that no drive holds, as bits
  const int *row;         // [3 n_out]  borrowed, fields of the outputs
  int n_out;
  // of (1) of drift.c: [i][0 cos, 1 sin][j] of coordinate j by the wave along i; m/s and m, rad/s
  // and rad
  double v[MW_ROM_MAX_S][2][MW_ROM_MAX_S], d[MW_ROM_MAX_S][2][MW_ROM_MAX_S];
  double *value, *gradient;  // [n_field], [s × n_field]  scratch
  double peak;               // m, largest deflection of an output
  double error, when;        // m, what the output that errs most errs by; s
  int worst;                 // coordinate by which it does
} mw_drift;

// free: bits of coordinates of theta. modal, row and mem outlive z.
MW_MUST_USE mw_code mw_drift_init(mw_drift *z, const mw_modal *modal, unsigned free, int n_out,
                                  const int *row, mw_arena *mem, mw_error *err);
// What brings the free coordinates back at theta [s]: K [s × s] of (1), 0 of others.
void mw_drift_stiffness(mw_drift *z, const double *theta, double *K);
void mw_drift_end(mw_drift *z, const double *K, double h);   // z->modal's part, of h s
void mw_drift_look(mw_drift *z, const double *x, double t);  // x [2 (s + m)] at t
// What it remembers of the parts before, into part; their number.
int mw_drift_parts(mw_drift *z, mw_part *part);
// A warning where outputs err by more than runs may; nothing is promised then.
MW_MUST_USE mw_code mw_drift_warn(const mw_drift *z, mw_run *r, mw_error *err);

#endif
