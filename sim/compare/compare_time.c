// SPDX-License-Identifier: BSD-3-Clause
// compare_time.c: what of a difference from the full path is the paths' own error in time.
//
// y_1, y_2, y_4: a path by the steps h, h/2, h/4, the full one and the reduced one. Of each
// quantity
//   p = log2(max_t |y_1 − y_2| / max_t |y_2 − y_4|) ,  kept within 1/2 and 4                    (1)
//   y* = y_4 + (y_4 − y_2)/(2^p − 1)                                                            (2)
//   own   = max_t |y_1 − y*|                what the path errs by in time
//   known = max_t |y_4 − y*|                differences from y* below it mean nothing
//   rest  = max_t |y*_gmp − y*_full|        of the reduced path: what the reduction errs by
//   rest  = max_t |y − y*_full|             of every other path
// (2) is Richardson's extrapolation by the order that was measured: the error of y_4 falls by 2^p a
// halving. Its own error is of higher order where (1) has settled, so that known is a bound there;
// where it has not (p at 1/2), known exceeds the last change. Cost: that of six runs by h of
// either.
#include <math.h>

#include "compare_layer.h"

static const double LOWEST = 0.5, HIGHEST = 4.0;  // of p
static const double ORDER = 2.0;                  // of the method, where differences are rounding

// Length of y_i − y_j of quantity a, largest over the stored instants.
static double largest(const mw_comparison *q, const mw_quantity *a, int i, int j)
{
  double most = 0.0;
  for (int t = 0; t < q->n_t; t++) {
    int n;
    double d[6];
    const double *x = mw_quantity_at(&q->run[i], a, t, &n);
    const double *y = mw_quantity_at(&q->run[j], a, t, &n);
    for (int k = 0; k < n; k++) d[k] = x[k] - y[k];
    most = fmax(most, mw_quantity_length(&q->run[q->full], a, d));
  }
  return most;
}

// (2) of the path whose half step is run i, [n_t × 6]
static void extrapolate(const mw_comparison *q, const mw_quantity *a, int i, double p, double *star)
{
  double weight = 1.0 / (pow(2.0, p) - 1.0);
  for (int t = 0; t < q->n_t; t++) {
    int n;
    const double *y2 = mw_quantity_at(&q->run[i], a, t, &n);
    const double *y4 = mw_quantity_at(&q->run[i + 1], a, t, &n);
    for (int k = 0; k < n; k++) star[6 * t + k] = y4[k] + weight * (y4[k] - y2[k]);
  }
}

// max_t |y − y*|, y of run i or, where it is given, [n_t × 6]; NaN where the path does not have the
// quantity
static double off(const mw_comparison *q, const mw_quantity *a, int i, const double *given,
                  const double *star)
{
  double most = 0.0;
  for (int t = 0; t < q->n_t; t++) {
    int n;
    double d[6];
    const double *y = mw_quantity_at(&q->run[i], a, t, &n);
    if (!y) return (double)NAN;
    if (given) y = given + 6 * t;
    for (int k = 0; k < n; k++) d[k] = y[k] - star[6 * t + k];
    double e = mw_quantity_length(&q->run[q->full], a, d);
    if (!(e <= most)) most = e;
  }
  return most;
}

// Own error of a path that was run by parts of its step, and y* of it
static void own_error(const mw_comparison *q, int halved, mw_quantity *a, double *star)
{
  int i = mw_comparison_halved_path(q, halved), j = q->halved[halved];
  double coarse = largest(q, a, i, j), fine = largest(q, a, j, j + 1), p = ORDER;
  mw_own_error *e = &a->time[halved];
  if (fine > a->still && coarse > a->still)
    p = e->order = fmin(fmax(log2(coarse / fine), LOWEST), HIGHEST);
  extrapolate(q, a, j, p, star);
  e->own = off(q, a, i, NULL, star);
  e->known = off(q, a, j + 1, NULL, star);
}

mw_code mw_comparison_time(mw_comparison *q, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *star[MW_HALVED];
  for (int h = 0; h < MW_HALVED; h++) star[h] = mw_arena_f64(&tmp, 6 * (size_t)q->n_t);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int k = 0; rc == MW_OK && k < q->n_quantity; k++) {
    mw_quantity *a = &q->quantity[k];
    int n, gmp = q->halved[MW_HALVED_GMP] > 0 ? mw_comparison_path(q, "gmp") : -1;
    if (gmp >= 0 && !mw_quantity_at(&q->run[gmp], a, 0, &n)) gmp = -1;
    own_error(q, MW_HALVED_FULL, a, star[MW_HALVED_FULL]);
    if (gmp >= 0) own_error(q, MW_HALVED_GMP, a, star[MW_HALVED_GMP]);
    for (int i = 0; i < q->n_path; i++)
      q->rest[(size_t)i * (size_t)q->n_quantity + (size_t)k] =
          off(q, a, i, i == gmp ? star[MW_HALVED_GMP] : NULL, star[MW_HALVED_FULL]);
  }
  mw_arena_free(&tmp);
  return rc;
}

double mw_comparison_known(const mw_comparison *q, int k)
{
  const mw_own_error *e = q->quantity[k].time;
  double reduced = e[MW_HALVED_GMP].known;
  return e[MW_HALVED_FULL].known + (isnan(reduced) ? 0.0 : reduced);
}
