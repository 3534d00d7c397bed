// SPDX-License-Identifier: BSD-3-Clause
// orientation.c: quaternion (w, x, y, z) of a frame, from its body's axes to ground axes, by its
// three points (turned.c).
//
// Of the two quaternions that stand for a turn it is the one that is nearer to the one before, at
// the start, and in exports, which know no instant before, the one whose first component that is
// not 0 is positive.
#include <math.h>

#include "fem/output.h"
#include "orientation_priv.h"
#include "turned_priv.h"

static void see(const mw_observed_in *o, const mw_seen *x, const double *before, double *y)
{
  double along = 0.0;
  mw_turned_quaternion(x->y + mw_output_row(x->m->model, o->of), NULL, y, NULL);
  for (int i = 0; before && i < 4; i++) along += before[i] * y[i];
  if (along == 0.0) mw_turned_sign(y, NULL);
  for (int i = 0; along < 0.0 && i < 4; i++) y[i] = -y[i];
}

void mw_orientation_as(mw_attitude form, const mw_observed_in *o, const mw_seen *x,
                       const double *before, double *y)
{
  double q[4];
  mw_turned_quaternion(x->y + mw_output_row(x->m->model, o->of), NULL, q, NULL);
  mw_attitude_of(form, q, before, y);
}

// rad, angle of the turn between two quaternions:  |d| = 2 sin(φ/4)
static double length(const double *d)
{
  double sum = 0.0;
  for (int i = 0; i < 4; i++) sum += d[i] * d[i];
  return 4.0 * asin(fmin(1.0, 0.5 * sqrt(sum)));
}

extern const mw_output_class mw_output_orientation;
const mw_output_class mw_output_orientation = {
  .width = 4,
  .axis = { "w", "x", "y", "z" },
  .n_part = 1,
  .part = { { "", "rad", 0, 4 } },
  .doc = "quaternions of frames, from their bodies' axes to ground axes",
  .of = MW_OF_FRAME,
  .travel = true,
  .see = see,
  .rows = MW_ROWS_QUATERNION,
  .length = length,
};
