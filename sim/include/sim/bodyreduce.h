// SPDX-License-Identifier: BSD-3-Clause
// bodyreduce.h: component mode synthesis body by body, as other programs reduce, for comparison.
#ifndef MW_SIM_BODYREDUCE_H
#define MW_SIM_BODYREDUCE_H

#include "base/api.h"
#include "base/progress.h"
#include "fem/body.h"

MW_API_BEGIN

// Craig-Bampton basis of one elastic body: static modes of all its interface functionals (every
// guide node, every frame) and n_modes modes with the interface fixed (fixed nodes for ground
// bodies). truncated: of all static modes only those that an SVD of the interface
// compliance keeps to 1e-3, the usual way to limit their number.
// T, if not NULL: the basis [n_u × out->n_u] row-major in mem, NULL for a rigid body.
// The result shares names, frames and guides with `full`, which must outlive it. A rigid body is
// copied.
MW_MUST_USE mw_code mw_body_basis(const mw_body *full, int n_modes, bool truncated, mw_arena *mem,
                                  mw_body *out, double **T, mw_error *err);

// The same with options; progress, if not NULL, announces the cost before the work begins and
// reports how far it is.
typedef struct mw_basis_opt {
  int n_modes;
  bool truncated;
  mw_progress *progress;
} mw_basis_opt;
MW_MUST_USE mw_code mw_body_basis_by(const mw_body *full, const mw_basis_opt *opt, mw_arena *mem,
                                     mw_body *out, double **T, mw_error *err);

MW_API_END

#endif
