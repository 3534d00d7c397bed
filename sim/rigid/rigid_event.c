// SPDX-License-Identifier: BSD-3-Clause
// rigid_event.c: limits of joint coordinates as root finders of adaptive methods see them.
#include <math.h>

#include "rigid_path_layer.h"

void mw_rigid_events_eval(const mw_rigid_sim *s, const mw_rigid_events *e, const double *q,
                          double *g)
{
  static const double FAR = 1e300;  // stands for an open side
  if (e->n_limit == 0) return;
  mw_rigid_coords(s->r, s->w, q, NULL, e->s, NULL);
  for (int i = 0; i < e->n_limit; i++) {
    const mw_limit *l = &e->limit[i];
    double x = e->s[l->coord];
    g[2 * i] = isfinite(l->lo) ? x - l->lo + l->slack : FAR;
    g[2 * i + 1] = isfinite(l->hi) ? l->hi - x + l->slack : FAR;
  }
}

int mw_rigid_events_found(const mw_rigid_events *e, const int *root)
{
  for (int i = 0; i < 2 * e->n_limit; i++)
    if (root[i] != 0) return i;
  return -1;
}
