// SPDX-License-Identifier: BSD-3-Clause
// compare_time.c: what of a difference from the full path is the full path's own error in time.
//
// y_1, y_2, y_4: the full path by the steps h, h/2, h/4. Of each quantity
//   p = log2(max_t |y_1 − y_2| / max_t |y_2 − y_4|) ,  kept within 1/2 and 4                      (1)
//   y* = y_4 + (y_4 − y_2)/(2^p − 1)                                                              (2)
//   own   = max_t |y_1 − y*|                what the full path errs by
//   known = max_t |y_4 − y*|                differences from y* below it mean nothing
//   rest  = max_t |y − y*|                  of every other path
// (2) is Richardson's extrapolation by the order that was measured: the error of y_4 falls by 2^p a
// halving. Its own error is of higher order where (1) has settled, so that known is a bound there;
// where it has not (p at 1/2), known exceeds the last change. Cost: that of six runs by h.
#include <math.h>

#include "compare_priv.h"

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

// y*, [n_t × 6]
static void extrapolate(const mw_comparison *q, const mw_quantity *a, double p, double *star)
{
  double weight = 1.0 / (pow(2.0, p) - 1.0);
  for (int t = 0; t < q->n_t; t++) {
    int n;
    const double *y2 = mw_quantity_at(&q->run[q->halved], a, t, &n);
    const double *y4 = mw_quantity_at(&q->run[q->halved + 1], a, t, &n);
    for (int k = 0; k < n; k++) star[6 * t + k] = y4[k] + weight * (y4[k] - y2[k]);
  }
}

// max_t |y − y*|, NaN where the path does not have the quantity
static double off(const mw_comparison *q, const mw_quantity *a, int i, const double *star)
{
  double most = 0.0;
  for (int t = 0; t < q->n_t; t++) {
    int n;
    double d[6];
    const double *y = mw_quantity_at(&q->run[i], a, t, &n);
    if (!y) return (double)NAN;
    for (int k = 0; k < n; k++) d[k] = y[k] - star[6 * t + k];
    double e = mw_quantity_length(&q->run[q->full], a, d);
    if (!(e <= most)) most = e;
  }
  return most;
}

mw_code mw_comparison_time(mw_comparison *q, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *star = mw_arena_f64(&tmp, 6 * (size_t)q->n_t);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int k = 0; rc == MW_OK && k < q->n_quantity; k++) {
    mw_quantity *a = &q->quantity[k];
    double coarse = largest(q, a, q->full, q->halved),
           fine = largest(q, a, q->halved, q->halved + 1), p = ORDER;
    if (fine > a->still && coarse > a->still)
      p = a->order = fmin(fmax(log2(coarse / fine), LOWEST), HIGHEST);
    extrapolate(q, a, p, star);
    a->own = off(q, a, q->full, star);
    a->known = off(q, a, q->halved + 1, star);
    for (int i = 0; i < q->n_path; i++)
      q->rest[(size_t)i * (size_t)q->n_quantity + (size_t)k] = off(q, a, i, star);
  }
  mw_arena_free(&tmp);
  return rc;
}
