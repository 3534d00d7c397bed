// SPDX-License-Identifier: BSD-3-Clause
// spring.c: a bushing: stiffness and damping along and about the axes of a.
//
//   g_i = A_i(a)·(x_b − x_a) and the three orientation rows, those with a stiffness or a damper
//   reaction λ_i = k_i g_i + c_i ġ_i ,   zero in the reference configuration
#include "../mech_priv.h"

void mw_joint_spring_rows(const mw_joint *j, mw_row_list *l)
{
  static const int axes[3][2] = { { 2, 1 }, { 0, 2 }, { 1, 0 } };
  for (int i = 0; i < 6; i++) {
    if (j->in->stiffness[i] <= 0.0 && j->in->damping[i] <= 0.0) continue;
    mw_row *r = i < 3 ? mw_row_add(l, j, MW_ROW_ALONG, i, 0)
                      : mw_row_add(l, j, MW_ROW_AXES, axes[i - 3][0], axes[i - 3][1]);
    r->k = j->in->stiffness[i];
    r->d = j->in->damping[i];
  }
}
