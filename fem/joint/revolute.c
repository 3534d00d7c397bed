// SPDX-License-Identifier: BSD-3-Clause
// revolute.c: rotation about the axis A3.
//
//   g = [ x_b − x_a ; A1(a)·A3(b) ; A2(a)·A3(b) ]                                   5 rows: 3 in m,
//                                                                                   2 without unit
//   J v = [ ẋ_b − ẋ_a ; Ȧ_i(a)·A3(b) + A_i(a)·Ȧ3(b) ]
//   γ = −[ centripetal parts of ẍ_b − ẍ_a ; 2 Ȧ_i(a)·Ȧ3(b) + (those of Ä_i(a))·A3(b) +
//     A_i(a)·(those of Ä3(b)) ]
//   coordinate: the angle from A1(a) to A1(b) about A3 (coord.c)
#include "keys/key_layer.h"
#include "mech/mech_layer.h"

static void rows(const mw_joint *j, mw_row_list *l)
{
  mw_row_add(l, j, MW_ROW_POINT, 0, 0);
  mw_row_add(l, j, MW_ROW_AXES, 0, 2);
  mw_row_add(l, j, MW_ROW_AXES, 1, 2);
}

const mw_key mw_joint_revolute_keys[] = {
  PAIR, AXIS, AXIS_B, ZEROS, { .name = NULL },
};

const mw_joint_class mw_joint_revolute = {
  .measure = { MW_MEASURE_ANGLE },
  .rows = rows,
  .gap = mw_joint_gap_point,
};
