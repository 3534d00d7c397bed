// SPDX-License-Identifier: BSD-3-Clause
// coordinate.c: a joint coordinate, m or rad.
#include "fem/output.h"

static void see(const mw_observed_in *o, const mw_seen *x, const double *before, double *y)
{
  (void)before;
  y[0] = x->s[x->m->joint[o->of].coord];
}

extern const mw_output_class mw_output_coordinate;
const mw_output_class mw_output_coordinate = {
  .width = 1,
  .axis = { "" },
  .n_part = 1,
  .part = { { "", NULL, 0, 1 } },
  .variable = "joint_coordinate",
  .doc = "joint coordinates, m or rad",
  .of = MW_OF_COORDINATE,
  .travel = true,
  .see = see,
  .rows = MW_ROWS_VALUE,
};
