// SPDX-License-Identifier: BSD-3-Clause
// difference.h: derivatives of smooth functions by extrapolated differences.
#ifndef MW_BASE_DIFFERENCE_H
#define MW_BASE_DIFFERENCE_H

#include "base/api.h"
#include "base/error.h"

MW_API_BEGIN

// Evaluates y [n] a distance x away.
typedef struct mw_curve_at {
  mw_code (*eval)(void *ctx, double x, double *y, mw_error *err);
  void *ctx;
  int n;
} mw_curve_at;

// dy/dx [n] at 0 from evaluations up to h away; error [n]: estimated, of each. Errors of eval.
MW_MUST_USE mw_code mw_difference(const mw_curve_at *f, double h, double *d, double *error,
                                  mw_error *err);
// The same from as far as evaluations are to be had: h, or an eighth of it as often as one of them
// is MW_ERR_NUMERIC, six times at most.
MW_MUST_USE mw_code mw_difference_within(const mw_curve_at *f, double h, double *d, double *error,
                                         mw_error *err);

MW_API_END

#endif
