// SPDX-License-Identifier: BSD-3-Clause
// attitude.h: attitudes as angles, quaternions, rotation vectors.
#ifndef MW_BASE_ATTITUDE_H
#define MW_BASE_ATTITUDE_H

#include <stdbool.h>

#include "base/api.h"

MW_API_BEGIN

// R maps body axes to ground axes.
typedef enum mw_attitude {
  MW_ATTITUDE_CARDAN,      // a b c, rad      R = Rx(a) Ry(b) Rz(c)
  MW_ATTITUDE_ZXZ,         // a b c, rad      R = Rz(a) Rx(b) Rz(c)
  MW_ATTITUDE_QUATERNION,  // w x y z         of any length but 0
  MW_ATTITUDE_VECTOR,      // x y z, rad      R = exp(r~)
  MW_ATTITUDE_AXIS,        // x y z, angle    the axis of any length but 0; rad
  MW_N_ATTITUDE
} mw_attitude;
enum { MW_ATTITUDE_SIZE = 4 };  // of the longest

int mw_attitude_size(mw_attitude form);
// R [9] row-major of x [size]; false: a quaternion or an axis of length 0.
bool mw_attitude_matrix(mw_attitude form, const double *x, double *R);
// x [size] of a unit quaternion q [4]. before [size]: the one at the instant before, which x
// follows (angles beyond a turn, the other of two triples, quaternions and axes the other way
// round); NULL: angles a, c in (−π, π], b of CARDAN in [−π/2, π/2], of ZXZ in [0, π], turns in
// [0, π], w >= 0.
// Where a and c are one (b = ±π/2; 0, π), c is that before, else 0.
void mw_attitude_of(mw_attitude form, const double *q, const double *before, double *x);

MW_API_END

#endif
