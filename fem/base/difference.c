// SPDX-License-Identifier: BSD-3-Clause
// difference.c: derivatives of smooth functions by extrapolated differences.
//
//   D_0(h) = (y(h) − y(−h))/(2h) ,  D_k(h) = D_{k−1}(h) + (D_{k−1}(h) − D_{k−1}(2h))/(4ᵏ − 1)   (1)
// D_k errs by h^{2k+2}, and by rounding that grows as 1/h. Of all D_k(h/2ʲ) each component takes
// the one that differs least from its two predecessors, and this difference as its error. Cost: 14
// evaluations.
// [Ridders1982] C. J. F. Ridders, Advances in Engineering Software 4 (1982) 75-76.
#include "base/difference.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"

enum { LEVELS = 7 };

static mw_code evaluate(const mw_curve_at *f, double h, double *lo, double *D, mw_error *err)
{
  mw_code rc = f->eval(f->ctx, h, D, err);
  if (rc == MW_OK) rc = f->eval(f->ctx, -h, lo, err);
  for (int i = 0; rc == MW_OK && i < f->n; i++) D[i] = (D[i] - lo[i]) / (2.0 * h);
  return rc;
}

// Rows of (1) for one component: D [LEVELS × n] differences, column i.
static double extrapolate(const double *D, int n, int i, double *error)
{
  double row[LEVELS], before[LEVELS], best = D[i];
  *error = INFINITY;
  before[0] = D[i];
  for (int j = 1; j < LEVELS; j++) {
    double power = 1.0;
    row[0] = D[j * n + i];
    for (int k = 1; k <= j; k++) {
      power *= 4.0;
      row[k] = row[k - 1] + (row[k - 1] - before[k - 1]) / (power - 1.0);
      double e = fmax(fabs(row[k] - row[k - 1]), fabs(row[k] - before[k - 1]));
      if (!(e < *error)) continue;
      *error = e;
      best = row[k];
    }
    memcpy(before, row, sizeof row);
  }
  return best;
}

mw_code mw_difference(const mw_curve_at *f, double h, double *d, double *error, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *D = mw_arena_f64(&tmp, LEVELS * (size_t)f->n), *lo = mw_arena_f64(&tmp, (size_t)f->n);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int j = 0; rc == MW_OK && j < LEVELS; j++)
    rc = evaluate(f, ldexp(h, -j), lo, D + j * f->n, err);
  for (int i = 0; rc == MW_OK && i < f->n; i++) d[i] = extrapolate(D, f->n, i, &error[i]);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_difference_within(const mw_curve_at *f, double h, double *d, double *error,
                             mw_error *err)
{
  enum { NARROWER = 6 };
  mw_code rc = mw_difference(f, h, d, error, err);
  for (int i = 0; rc == MW_ERR_NUMERIC && i < NARROWER; i++)
    rc = mw_difference(f, h /= 8.0, d, error, err);
  return rc;
}
