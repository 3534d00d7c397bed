// SPDX-License-Identifier: BSD-3-Clause
// attitude.c: attitudes as angles, quaternions, rotation vectors.
//
//   CARDAN   R_02 = sin b ,  R_12 = −sin a cos b ,  R_22 = cos a cos b ;  cos b = 0:
//            R_21 = sin(a ± c) ,  R_11 = cos(a ± c) , ± that of b
//   ZXZ      R_22 = cos b ,  R_02 = sin a sin b ,  R_12 = −cos a sin b ;  sin b = 0:
//            R_10 = sin(a ± c) ,  R_00 = cos(a ± c) , ± that of cos b
//   the same R  (a + π, π − b, c + π) of CARDAN, (a + π, −b, c + π) of ZXZ
//   QUATERNION  w = cos φ/2 ,  (x, y, z) = e sin φ/2 ;  VECTOR φ e ;  AXIS e, φ
#include "base/attitude.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

static const double PI = 3.14159265358979323846;
static const double LOCKED = 1e-9;  // cos b or sin b, below which rounding alone tells a from c

int mw_attitude_size(mw_attitude form)
{
  return form == MW_ATTITUDE_QUATERNION || form == MW_ATTITUDE_AXIS ? 4 : 3;
}

// ---- to a matrix --------------------------------------------------------------------------------

// R := R Rk(a), k the axis
static void turn_about(int k, double a, double R[9])
{
  int i = (k + 1) % 3, j = (k + 2) % 3;
  double c = cos(a), s = sin(a);
  for (int r = 0; r < 9; r += 3) {
    double x = R[r + i], y = R[r + j];
    R[r + i] = c * x + s * y;
    R[r + j] = c * y - s * x;
  }
}

static void of_quaternion(const double q[4], double R[9])
{
  double w = q[0], x = q[1], y = q[2], z = q[3];
  const double m[9] = { 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z),
                        2.0 * (x * z + w * y),       2.0 * (x * y + w * z),
                        1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
                        2.0 * (x * z - w * y),       2.0 * (y * z + w * x),
                        1.0 - 2.0 * (x * x + y * y) };
  memcpy(R, m, sizeof m);
}

bool mw_attitude_matrix(mw_attitude form, const double *x, double *R)
{
  static const int about[2][3] = { { 0, 1, 2 }, { 2, 0, 2 } };
  double q[4], length, r[3];
  for (int i = 0; i < 9; i++) R[i] = i % 4 == 0;
  switch (form) {
  case MW_ATTITUDE_CARDAN:
  case MW_ATTITUDE_ZXZ:
    for (int i = 0; i < 3; i++) turn_about(about[form][i], x[i], R);
    return true;
  case MW_ATTITUDE_QUATERNION:
    length = sqrt(x[0] * x[0] + mw_dot3(x + 1, x + 1));
    for (int i = 0; i < 4; i++) q[i] = x[i] / length;
    if (length > 0.0) of_quaternion(q, R);
    return length > 0.0;
  case MW_ATTITUDE_AXIS:
    length = mw_norm3(x);
    for (int i = 0; i < 3; i++) r[i] = x[3] * x[i] / length;
    return length > 0.0 && mw_attitude_matrix(MW_ATTITUDE_VECTOR, r, R);
  default:
    for (int k = 0; k < 3; k++) {
      const double e[3] = { k == 0, k == 1, k == 2 };
      double y[3];
      mw_turn3(x, e, y);
      for (int i = 0; i < 3; i++) R[3 * i + k] = y[i];
    }
    return true;
  }
}

// ---- from a quaternion --------------------------------------------------------------------------

static double near(double x, double before)
{
  return x + 2.0 * PI * nearbyint((before - x) / (2.0 * PI));
}

// a by its own entries, or where a and c are one such that c = c0; b and c of what a leaves, which
// keeps R to rounding however badly a is known.
static void angles(mw_attitude form, const double R[9], double c0, double x[3])
{
  bool cardan = form == MW_ATTITUDE_CARDAN;
  double sine = cardan ? -R[5] : R[2], cosine = cardan ? R[8] : -R[5];
  double both = cardan ? atan2(R[7], R[4]) : atan2(R[3], R[0]);
  if (hypot(sine, cosine) > LOCKED)
    x[0] = atan2(sine, cosine);
  else
    x[0] = (cardan ? R[2] : R[8]) > 0.0 ? both - c0 : both + c0;
  double c = cos(x[0]), s = sin(x[0]);
  if (cardan) {  // Rx(−a) R = Ry(b) Rz(c)
    x[1] = atan2(R[2], c * R[8] - s * R[5]);
    x[2] = atan2(c * R[3] + s * R[6], c * R[4] + s * R[7]);
  } else {  // Rz(−a) R = Rx(b) Rz(c)
    x[1] = atan2(s * R[2] - c * R[5], R[8]);
    x[2] = atan2(-(c * R[1] + s * R[4]), c * R[0] + s * R[3]);
  }
}

static void follow_angles(mw_attitude form, const double *before, double x[3])
{
  double best = INFINITY, first[3];
  memcpy(first, x, sizeof first);
  for (int k = 0; k < 2; k++) {
    double y[3] = { first[0] + k * PI, first[1], first[2] + k * PI }, far = 0.0;
    if (k == 1) y[1] = form == MW_ATTITUDE_CARDAN ? PI - y[1] : -y[1];
    for (int i = 0; i < 3; i++) {
      y[i] = near(y[i], before[i]);
      far = fmax(far, fabs(y[i] - before[i]));
    }
    if (far < best) memcpy(x, y, sizeof y);
    best = fmin(best, far);
  }
}

// Angle and axis e; before [4]: an axis and an angle before
static double turn(const double *q, const double *before, double e[3])
{
  double s = mw_norm3(q + 1), angle = 2.0 * atan2(s, fabs(q[0]));
  for (int i = 0; i < 3; i++)
    e[i] = s > 0.0 ? copysign(1.0, q[0]) * q[1 + i] / s : before ? before[i] : i == 0;
  if (!before) return angle;
  if (mw_dot3(e, before) < 0.0) {
    for (int i = 0; i < 3; i++) e[i] = -e[i];
    angle = -angle;
  }
  return near(angle, before[3]);
}

void mw_attitude_of(mw_attitude form, const double *q, const double *before, double *x)
{
  double R[9], e[4] = { 1.0, 0.0, 0.0, 0.0 };
  if (form == MW_ATTITUDE_CARDAN || form == MW_ATTITUDE_ZXZ) {
    of_quaternion(q, R);
    angles(form, R, before ? before[2] : 0.0, x);
    if (before) follow_angles(form, before, x);
  } else if (form == MW_ATTITUDE_QUATERNION) {
    double along = before ? q[0] * before[0] + mw_dot3(q + 1, before + 1) : q[0];
    for (int i = 0; i < 4; i++) x[i] = along < 0.0 ? -q[i] : q[i];
  } else if (form == MW_ATTITUDE_AXIS) {
    double axis[3];
    x[3] = turn(q, before, axis);
    memcpy(x, axis, sizeof axis);
  } else {
    double length = before ? mw_norm3(before) : 0.0;
    for (int i = 0; i < 3 && length > 0.0; i++) e[i] = before[i] / length;
    e[3] = length;
    double axis[3], angle = turn(q, length > 0.0 ? e : NULL, axis);
    for (int i = 0; i < 3; i++) x[i] = angle * axis[i];
  }
}
