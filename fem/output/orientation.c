// SPDX-License-Identifier: BSD-3-Clause
// orientation.c: quaternion (w, x, y, z) of a frame, from its body's axes to ground axes.
//
//   e_x, e_y   directions from the frame's point to the points along x and y
//   d± = (e_x ± e_y)/|e_x ± e_y| ,   R = [ (d₊ + d₋)/√2 ,  (d₊ − d₋)/√2 ,  d₋ × d₊ ]      (1)
// d± are perpendicular where |e_x| = |e_y|; reduced models keep that to second order of their
// deflections, R takes e_x and e_y alike. Of the two quaternions that stand for R it is the one
// that is nearer to the one before, at the start the one whose first component that is not 0 is
// positive.
#include <math.h>

#include "base/vec3.h"
#include "fem/output.h"

// (1), R [9] row-major
static void axes_of(const double *points, double R[9])
{
  double d[2][3], n[2] = { 0.0, 0.0 };
  for (int i = 0; i < 3; i++) {
    double ex = points[3 + i] - points[i], ey = points[6 + i] - points[i];
    d[0][i] = ex + ey;
    d[1][i] = ex - ey;
  }
  for (int k = 0; k < 2; k++) n[k] = mw_norm3(d[k]);
  for (int i = 0; i < 3; i++) {
    double plus = d[0][i] / n[0], minus = d[1][i] / n[1];
    R[3 * i] = sqrt(0.5) * (plus + minus);
    R[3 * i + 1] = sqrt(0.5) * (plus - minus);
  }
  const double x[3] = { R[0], R[3], R[6] }, y[3] = { R[1], R[4], R[7] };
  double z[3];
  mw_cross3(x, y, z);
  double most = mw_norm3(z);
  for (int i = 0; i < 3; i++) R[3 * i + 2] = z[i] / most;
}

// Quaternion of R, by the largest of its components.
static void quaternion_of(const double R[9], double q[4])
{
  double trace = R[0] + R[4] + R[8], square[4] = { trace, R[0], R[4], R[8] };
  int k = 0;
  for (int i = 1; i < 4; i++)
    if (square[i] > square[k]) k = i;
  // 4 q_k² = 1 + 2 square_k − trace ,  of w: 1 + trace
  double big = 0.5 * sqrt(k == 0 ? 1.0 + trace : 1.0 + 2.0 * square[k] - trace), by = 0.25 / big;
  const double skew[3] = { R[7] - R[5], R[2] - R[6], R[3] - R[1] };
  q[k] = big;
  if (k == 0) {
    for (int i = 0; i < 3; i++) q[1 + i] = by * skew[i];
    return;
  }
  int a = k - 1;
  q[0] = by * skew[a];
  for (int b = 0; b < 3; b++)
    if (b != a) q[1 + b] = by * (R[3 * a + b] + R[3 * b + a]);
}

static void see(const mw_observed_in *o, const mw_seen *x, const double *before, double *y)
{
  static const double ZERO = 1e-6;  // above rounding: paths agree in the sign
  double R[9], along = 0.0;
  axes_of(x->y + mw_output_row(x->m->model, o->of), R);
  quaternion_of(R, y);
  for (int i = 0; before && i < 4; i++) along += before[i] * y[i];
  for (int i = 0; along == 0.0 && i < 4; i++) along = fabs(y[i]) > ZERO ? y[i] : 0.0;
  for (int i = 0; along < 0.0 && i < 4; i++) y[i] = -y[i];
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
  .not_exported = "the positions of its three points are there",
  .length = length,
};
