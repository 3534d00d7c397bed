// SPDX-License-Identifier: BSD-3-Clause
// fixed.c: no relative motion.
//
//   g = [ x_b − x_a ; A3(a)·A2(b) ; A1(a)·A3(b) ; A2(a)·A1(b) ]                     6 rows: 3 in m,
//                                                                                   3 without unit
//   J, γ: those of the primitives (rigid_rows.c)
#include "keys/key_layer.h"
#include "mech/mech_layer.h"

static void rows(const mw_joint *j, mw_row_list *l)
{
  mw_row_add(l, j, MW_ROW_POINT, 0, 0);
  mw_row_add_orientation(l, j);
}

const mw_key mw_joint_fixed_keys[] = {
  PAIR,
  { .name = NULL },
};

const mw_joint_class mw_joint_fixed = {
  .rows = rows,
  .gap = mw_joint_gap_point,
};
