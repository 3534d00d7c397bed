// SPDX-License-Identifier: BSD-3-Clause
// drive_force.c: force of a drive, N or N·m.
#include "fem/output.h"

static void see(const mw_observed_in *o, const mw_seen *x, const double *before, double *y)
{
  (void)before;
  y[0] = x->force[o->of];
}

extern const mw_output_class mw_output_drive_force;
const mw_output_class mw_output_drive_force = {
  .width = 1,
  .axis = { "" },
  .n_part = 1,
  .part = { { "", NULL, 0, 1 } },
  .doc = "forces (N) and moments (N m) of drives",
  .of = MW_OF_DRIVE,
  .see = see,
  .rows = MW_ROWS_FORCE,
};
