// SPDX-License-Identifier: BSD-3-Clause
// zxz.c: Euler angles of a frame, about its z axis, its new x axis, its new z axis.
//   R = Rz(a) Rx(b) Rz(c) ,  base/attitude.h
#include "orientation_priv.h"

static void see(const mw_observed_in *o, const mw_seen *x, const double *before, double *y)
{
  mw_orientation_as(MW_ATTITUDE_ZXZ, o, x, before, y);
}

extern const mw_output_class mw_output_zxz;
const mw_output_class mw_output_zxz = {
  .width = 3,
  .axis = { "a", "b", "c" },
  .n_part = 1,
  .part = { { "", "rad", 0, 3 } },
  .doc = "Euler angles of frames, z, new x, new z",
  .of = MW_OF_ORIENTATION,
  .travel = true,
  .see = see,
  .not_exported = MW_ORIENTATION_NOT_EXPORTED,
};
