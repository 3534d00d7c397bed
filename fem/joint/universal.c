// SPDX-License-Identifier: BSD-3-Clause
// universal.c: rotation about A3(a), fixed to a, and about A3(b), fixed to b, which stay
// perpendicular (Hooke's joint).
//
//   g = [ x_b − x_a ; A3(a)·A3(b) ]                                                 4 rows: 3 in m,
//                                                                                   1 without unit
//   J, γ as in revolute.c
//   coordinate: the angle of A3(b) about A3(a), or that of b about A3(b) (coord.c)
#include <math.h>

#include "base/vec3.h"
#include "keys/key_layer.h"
#include "mech/mech_layer.h"

static void rows(const mw_joint *j, mw_row_list *l)
{
  mw_row_add(l, j, MW_ROW_POINT, 0, 0);
  mw_row_add(l, j, MW_ROW_AXES, 2, 2);
}

// The bare angle as it is.
static void place(const mw_mech *m, mw_joint *j, const double d[3], double *s0)
{
  double A[9], B[9];
  (void)d;
  (void)s0;
  mw_mul33(m->p0 + 12 * j->a + 3, j->Fa, A);
  mw_mul33(m->p0 + 12 * j->b + 3, j->Fb, B);
  double x = A[0] * B[2] + A[3] * B[5] + A[6] * B[8], y = A[1] * B[2] + A[4] * B[5] + A[7] * B[8];
  if (j->in->measure == MW_MEASURE_SECOND) {
    x = B[0] * A[2] + B[3] * A[5] + B[6] * A[8];
    y = -(B[1] * A[2] + B[4] * A[5] + B[7] * A[8]);
  }
  j->phi0 = atan2(y, x);
}

const mw_key mw_joint_universal_keys[] = {
  PAIR,
  { "axis", REQUIRED, AXIS_VECTOR, NULL, "first axis, in the axes of a's body" },
  { "axis_b", REQUIRED, AXIS_VECTOR, NULL, "second axis, perpendicular, in the axes of b's body" },
  { .name = NULL },
};

const mw_joint_class mw_joint_universal = {
  .measure = { MW_MEASURE_ANGLE, MW_MEASURE_SECOND },
  .crossed = true,
  .rows = rows,
  .gap = mw_joint_gap_point,
  .place = place,
};
