// SPDX-License-Identifier: BSD-3-Clause
// rotation_vector.c: rotation vector of a frame, ground axes.  R = exp(r~)    (base/attitude.h)
#include "orientation_priv.h"

static void see(const mw_observed_in *o, const mw_seen *x, const double *before, double *y)
{
  mw_orientation_as(MW_ATTITUDE_VECTOR, o, x, before, y);
}

extern const mw_output_class mw_output_rotation_vector;
const mw_output_class mw_output_rotation_vector = {
  .width = 3,
  .axis = { "x", "y", "z" },
  .n_part = 1,
  .part = { { "", "rad", 0, 3 } },
  .doc = "rotation vectors of frames, ground axes",
  .of = MW_OF_ORIENTATION,
  .travel = true,
  .see = see,
  .not_exported = MW_ORIENTATION_NOT_EXPORTED,
};
