// SPDX-License-Identifier: BSD-3-Clause
// angular_velocity.c: angular velocity of a frame, ground axes, rad/s, from the rates of its three
// points (turned.c).
#include "fem/output.h"
#include "turned_priv.h"

static void see(const mw_observed_in *o, const mw_seen *x, const double *before, double *y)
{
  int row = mw_output_row(x->m->model, o->of);
  (void)before;
  mw_turned_velocity(x->y + row, x->y_dot + row, y);
}

extern const mw_output_class mw_output_angular_velocity;
const mw_output_class mw_output_angular_velocity = {
  .width = 3,
  .axis = { "x", "y", "z" },
  .n_part = 1,
  .part = { { "", "rad/s", 0, 3 } },
  .doc = "angular velocities of frames, ground axes",
  .of = MW_OF_ORIENTATION,
  .needs = MW_SEES_RATE,
  .see = see,
  .rows = MW_ROWS_SPIN,
};
