// SPDX-License-Identifier: BSD-3-Clause
// reaction.c: force and moment of a joint on its body b at its point there, ground axes, N and N·m.
#include <math.h>

#include "fem/output.h"

static void see(const mw_observed_in *o, const mw_seen *x, const double *before, double *y)
{
  (void)before;
  for (int i = 0; i < 6; i++) y[i] = x->reaction ? x->reaction[6 * o->of + i] : (double)NAN;
}

extern const mw_output_class mw_output_reaction;
const mw_output_class mw_output_reaction = {
  .width = 6,
  .axis = { "Fx", "Fy", "Fz", "Mx", "My", "Mz" },
  .n_part = 2,
  .part = { { "force", "N", 0, 3 }, { "moment", "N m", 3, 3 } },
  .variable = "joint_reaction",
  .doc =
      "force (N) and moment (N m) of joints on their bodies b at their points there, ground axes",
  .of = MW_OF_JOINT,
  .needs = MW_SEES_REACTION,
  .see = see,
  .not_exported = "the columns of a reduced model keep the joints",
};
