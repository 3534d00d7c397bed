// SPDX-License-Identifier: BSD-3-Clause
// spherical.c: rotation about a point.
//
//   g = x_b − x_a                                                                   3 rows in m
//   J v = ẋ_b − ẋ_a ,   γ = −[ω_b×(ω_b×r_b) − ω_a×(ω_a×r_a)] ,   r = E X
#include "keys/key_layer.h"
#include "mech/mech_layer.h"

static void rows(const mw_joint *j, mw_row_list *l) { mw_row_add(l, j, MW_ROW_POINT, 0, 0); }

const mw_key mw_joint_spherical_keys[] = {
  PAIR,
  { .name = NULL },
};

const mw_joint_class mw_joint_spherical = {
  .rows = rows,
  .gap = mw_joint_gap_point,
};
