// SPDX-License-Identifier: BSD-3-Clause
// cardan.c: Cardan angles of a frame, about its x axis, its new y axis, its new z axis.
//   R = Rx(a) Ry(b) Rz(c) ,  base/attitude.h
#include "orientation_priv.h"

static void see(const mw_observed_in *o, const mw_seen *x, const double *before, double *y)
{
  mw_orientation_as(MW_ATTITUDE_CARDAN, o, x, before, y);
}

extern const mw_output_class mw_output_cardan;
const mw_output_class mw_output_cardan = {
  .width = 3,
  .axis = { "a", "b", "c" },
  .n_part = 1,
  .part = { { "", "rad", 0, 3 } },
  .doc = "Cardan angles of frames, x, new y, new z",
  .of = MW_OF_ORIENTATION,
  .travel = true,
  .see = see,
  .not_exported = MW_ORIENTATION_NOT_EXPORTED,
};
