// SPDX-License-Identifier: BSD-3-Clause
// feed_derive.c: derivatives of series at even instants, of order 6 and 5 inside, 6 and 5 less at
// the ends: of the polynomial through seven instants.
#include <string.h>

#include "feed_priv.h"

// Fornberg 1988, Generation of finite difference formulas on arbitrarily spaced grids: derivatives
// 0 to 2 at `at` of the polynomial through 0, 1, … n − 1.
static void fornberg(int n, double at, double c[3][MW_FEED_PLACES])
{
  double c1 = 1.0, c4 = -at;
  memset(c, 0, 3 * sizeof *c);
  c[0][0] = 1.0;
  for (int i = 1; i < n; i++) {
    double c2 = 1.0, c5 = c4;
    c4 = i - at;
    for (int j = 0; j < i; j++) {
      double c3 = i - j;
      c2 *= c3;
      if (j == i - 1) {
        for (int k = 2; k > 0; k--) c[k][i] = c1 * (k * c[k - 1][i - 1] - c5 * c[k][i - 1]) / c2;
        c[0][i] = -c1 * c5 * c[0][i - 1] / c2;
      }
      for (int k = 2; k > 0; k--) c[k][j] = (c4 * c[k][j] - k * c[k - 1][j]) / c3;
      c[0][j] = c4 * c[0][j] / c3;
    }
    c1 = c2;
  }
}

void mw_feed_weigh(mw_feed_weights *out)
{
  double c[3][MW_FEED_PLACES];
  for (int at = 0; at < MW_FEED_PLACES; at++) {
    fornberg(MW_FEED_PLACES, at, c);
    memcpy(out->w[at][0], c[1], sizeof c[1]);
    memcpy(out->w[at][1], c[2], sizeof c[2]);
  }
}

void mw_feed_derive(const mw_feed_weights *w, int n, int k, double step, const double *x,
                    double *d1, double *d2)
{
  enum { HALF = MW_FEED_PLACES / 2 };
  for (int i = 0; i < n; i++) {
    int from = i - HALF < 0 ? 0 : i - HALF > n - MW_FEED_PLACES ? n - MW_FEED_PLACES : i - HALF;
    const double(*weight)[MW_FEED_PLACES] = w->w[i - from];
    for (int j = 0; j < k; j++) {
      double a = 0.0, b = 0.0;
      for (int p = 0; p < MW_FEED_PLACES; p++) {
        double y = x[(size_t)(from + p) * (size_t)k + (size_t)j];
        a += weight[0][p] * y;
        b += weight[1][p] * y;
      }
      d1[(size_t)i * (size_t)k + (size_t)j] = a / step;
      d2[(size_t)i * (size_t)k + (size_t)j] = b / (step * step);
    }
  }
}
