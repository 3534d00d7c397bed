// SPDX-License-Identifier: BSD-3-Clause
// elastic.c: elastic part alone of a position, ground axes, m: what it is off the undeformed
// mechanism at the same coordinates θ of the reduction.
#include "fem/output.h"

static void see(const mw_observed_in *o, const mw_seen *x, const double *before, double *y)
{
  int row = mw_output_row(x->m->model, o->of);
  (void)before;
  for (int i = 0; i < 3; i++) y[i] = x->y[row + i] - x->y_rest[row + i];
}

extern const mw_output_class mw_output_elastic;
const mw_output_class mw_output_elastic = {
  .width = 3,
  .axis = { "x", "y", "z" },
  .n_part = 1,
  .part = { { "", "m", 0, 3 } },
  .doc = "elastic parts of positions, ground axes",
  .of = MW_OF_POSITION,
  .needs = MW_SEES_REST,
  .see = see,
  .rows = MW_ROWS_ELASTIC,
};
