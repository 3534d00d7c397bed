// SPDX-License-Identifier: BSD-3-Clause
// observe_layer.h: observed outputs of a run (fem/output.h): what a path hands for them, and where
// they are stored.
#ifndef MW_SIM_OBSERVE_LAYER_H
#define MW_SIM_OBSERVE_LAYER_H

#include "base/part.h"
#include "fem/output.h"
#include "sim/run.h"

// The undeformed mechanism at given coordinates of the reduction; each solution starts from the one
// before.
typedef struct mw_rest {
  const mw_mech *m;
  unsigned char *locked;  // [n_coord]
  double *p, *s;          // [n_body × 12], [n_coord]
} mw_rest;

MW_MUST_USE mw_code mw_rest_init(const mw_mech *m, mw_arena *mem, mw_rest *out, mw_error *err);
// p and s at the coordinates s [n_coord] of a path. Errors of mw_mech_rigid_solve.
MW_MUST_USE mw_code mw_rest_at(mw_rest *z, const double *s, mw_error *err);

typedef struct mw_observing {
  unsigned needs;  // MW_SEES_…, 0 as well without observed outputs
  bool on;         // there are observed outputs
  // [rows of all fields], what a path fills in as it is needed; reaction [n_joint × 6]
  double *y, *y_dot, *y_ddot, *y_rest, *reaction;
  mw_rest rest;
} mw_observing;

MW_MUST_USE mw_code mw_observing_init(const mw_mech *m, mw_arena *mem, mw_observing *out,
                                      mw_error *err);
// What it remembers at a stored instant, into part [MW_OBSERVING_PARTS]; their number.
enum { MW_OBSERVING_PARTS = 2 };
int mw_observing_parts(mw_observing *z, mw_part *part);
// Fills y_rest by the undeformed mechanism at the coordinates s [n_coord].
MW_MUST_USE mw_code mw_observing_rest(mw_observing *z, const double *s, mw_error *err);
// Stores the observed outputs of instant k: of the observer's rows, r->s and r->force; reaction
// [n_joint × 6], NULL: the path has none.
void mw_observing_put(const mw_observing *z, int k, const double *reaction, mw_run *r);

#endif
