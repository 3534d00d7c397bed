// SPDX-License-Identifier: BSD-3-Clause
// axis_angle.c: axis and angle of a frame, ground axes.  R = exp(angle axis~)  (base/attitude.h)
#include "orientation_priv.h"

static void see(const mw_observed_in *o, const mw_seen *x, const double *before, double *y)
{
  mw_orientation_as(MW_ATTITUDE_AXIS, o, x, before, y);
}

extern const mw_output_class mw_output_axis_angle;
const mw_output_class mw_output_axis_angle = {
  .width = 4,
  .axis = { "x", "y", "z", "angle" },
  .n_part = 2,
  .part = { { "axis", "1", 0, 3 }, { "angle", "rad", 3, 1 } },
  .doc = "axes and angles of turn of frames, ground axes",
  .of = MW_OF_ORIENTATION,
  .travel = true,
  .see = see,
  .not_exported = MW_ORIENTATION_NOT_EXPORTED,
};
