// SPDX-License-Identifier: BSD-3-Clause
// universal.c: rotation about A3(a), fixed to a, and about A3(b), fixed to b, which stay perpendicular (Hooke's joint).
//
//   g = [ x_b − x_a ; A3(a)·A3(b) ]                                                 4 rows: 3 in m, 1 without unit
//   J, γ as in revolute.c
//   coordinate: the angle of A3(b) about A3(a), or that of b about A3(b) (coord.c)
#include "mech/mech_layer.h"

void mw_joint_universal_rows(const mw_joint *j, mw_row_list *l)
{
  mw_row_add(l, j, MW_ROW_POINT, 0, 0);
  mw_row_add(l, j, MW_ROW_AXES, 2, 2);
}
