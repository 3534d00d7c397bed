// SPDX-License-Identifier: BSD-3-Clause
// velocity.c: rate of a position, ground axes, m/s.
#include "fem/output.h"

static void see(const mw_observed_in *o, const mw_seen *x, const double *before, double *y)
{
  const double *v = x->y_dot + mw_output_row(x->m->model, o->of);
  (void)before;
  for (int i = 0; i < 3; i++) y[i] = v[i];
}

extern const mw_output_class mw_output_velocity;
const mw_output_class mw_output_velocity = {
  .width = 3,
  .axis = { "x", "y", "z" },
  .n_part = 1,
  .part = { { "", "m/s", 0, 3 } },
  .doc = "velocities of positions, ground axes",
  .of = MW_OF_POSITION,
  .needs = MW_SEES_RATE,
  .see = see,
  .rows = MW_ROWS_RATE,
};
