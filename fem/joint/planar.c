// SPDX-License-Identifier: BSD-3-Clause
// planar.c: b moves in the plane normal to A3(a) through a's point and turns about A3.
//
//   g = [ A3(a)·d ; A1(a)·A3(b) ; A2(a)·A3(b) ] ,   d = x_b − x_a    3 rows: 1 in m, 2 without unit
//   J, γ as in prismatic.c and revolute.c
//   coordinate: the angle from A1(a) to A1(b) about A3 (coord.c)
#include <math.h>

#include "keys/key_layer.h"
#include "mech/mech_layer.h"

static void rows(const mw_joint *j, mw_row_list *l)
{
  mw_row_add(l, j, MW_ROW_ALONG, 2, 0);
  mw_row_add(l, j, MW_ROW_AXES, 0, 2);
  mw_row_add(l, j, MW_ROW_AXES, 1, 2);
}

static double gap(const mw_joint *j, const double d[3])
{
  (void)j;
  return fabs(d[2]);
}

const mw_key mw_joint_planar_keys[] = {
  PAIR,
  { "normal", REQUIRED, AXIS_VECTOR, NULL,
    "of the plane through a's frame, in the axes of a's body" },
  { "normal_b", 0, AXIS_VECTOR, NULL,
    "the same in the axes of b's body; default: as the bodies lie in the reference configuration" },
  ZEROS,
  { .name = NULL },
};

const mw_joint_class mw_joint_planar = {
  .measure = { MW_MEASURE_ANGLE },
  .rows = rows,
  .gap = gap,
};
