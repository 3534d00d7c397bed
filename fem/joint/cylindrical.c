// SPDX-License-Identifier: BSD-3-Clause
// cylindrical.c: translation along the axis A3 and rotation about it.
//
//   g = [ A1(a)·d ; A2(a)·d ; A1(a)·A3(b) ; A2(a)·A3(b) ] ,   d = x_b − x_a         4 rows: 2 in m,
//       2 without unit
//   J, γ as in prismatic.c and revolute.c
//   coordinate: A3(a)·d or the angle from A1(a) to A1(b) (coord.c)
#include "keys/key_layer.h"
#include "mech/mech_layer.h"

void mw_joint_cylindrical_rows(const mw_joint *j, mw_row_list *l)
{
  mw_row_add(l, j, MW_ROW_ALONG, 0, 0);
  mw_row_add(l, j, MW_ROW_ALONG, 1, 0);
  mw_row_add(l, j, MW_ROW_AXES, 0, 2);
  mw_row_add(l, j, MW_ROW_AXES, 1, 2);
}

const mw_key mw_joint_cylindrical_keys[] = {
  PAIR, AXIS, AXIS_B, ZEROS, { .name = NULL },
};

const mw_joint_class mw_joint_cylindrical = {
  .measure = { MW_MEASURE_TRAVEL, MW_MEASURE_ANGLE },
  .rows = mw_joint_cylindrical_rows,
  .gap = mw_joint_gap_axis,
};
