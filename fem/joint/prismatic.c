// SPDX-License-Identifier: BSD-3-Clause
// prismatic.c: translation along the axis A3.
//
//   g = [ A1(a)·d ; A2(a)·d ; orientation ] ,   d = x_b − x_a        5 rows: 2 in m, 3 without unit
//   J v = A_i·ḋ + Ȧ_i·d ,   γ = −[ 2 Ȧ_i·ḋ + (centripetal Ä_i)·d + A_i·(centripetal d̈) ]
//   coordinate: A3(a)·d (coord.c)
#include "keys/key_layer.h"
#include "mech/mech_layer.h"

static void rows(const mw_joint *j, mw_row_list *l)
{
  mw_row_add(l, j, MW_ROW_ALONG, 0, 0);
  mw_row_add(l, j, MW_ROW_ALONG, 1, 0);
  mw_row_add_orientation(l, j);
}

const mw_key mw_joint_prismatic_keys[] = {
  PAIR, AXIS, AXIS_B, ZEROS, { .name = NULL },
};

const mw_joint_class mw_joint_prismatic = {
  .measure = { MW_MEASURE_TRAVEL },
  .rows = rows,
  .gap = mw_joint_gap_axis,
};
