// SPDX-License-Identifier: BSD-3-Clause
// acceleration.c: second derivative of a position by time, ground axes, m/s².
#include "fem/output.h"

static void see(const mw_observed_in *o, const mw_seen *x, const double *before, double *y)
{
  const double *a = x->y_ddot + mw_output_row(x->m->model, o->of);
  (void)before;
  for (int i = 0; i < 3; i++) y[i] = a[i];
}

extern const mw_output_class mw_output_acceleration;
const mw_output_class mw_output_acceleration = {
  .width = 3,
  .axis = { "x", "y", "z" },
  .n_part = 1,
  .part = { { "", "m/s2", 0, 3 } },
  .doc = "accelerations of positions, ground axes",
  .of = MW_OF_POSITION,
  .needs = MW_SEES_ACCELERATION,
  .see = see,
  .rows = MW_ROWS_ACCELERATION,
};
