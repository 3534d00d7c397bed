// SPDX-License-Identifier: BSD-3-Clause
// usable.c: the largest acceleration that drives give a tool at rest in every direction.
//
//   ẍ = ẍ₀ + P n ,  n⁻ ≤ n ≤ n⁺        ẍ₀: no forces of drives; P_j: what a unit of drive j adds
// is a set whose facets are across d − 1 columns of P, d directions (facets as in region.c, (1));
// the largest ball about 0 in it:
//   min over w of (wᵀẍ₀ + Σ_j max(w_j n_j⁻, w_j n_j⁺))/|w| ,  w_j = wᵀP_j                       (1)
#include "usable_priv.h"

#include <math.h>

#include "analyze/region_layer.h"
#include "base/dense.h"

double mw_usable(int d, int n, const double *x0, const double *P, const double *lo,
                 const double *hi)
{
  static const double ONE[3] = { 1.0, 1.0, 1.0 };
  double best = INFINITY, w[3];
  int col[3] = { 0, 1, 2 };
  if (d < 1 || n < d) return 0.0;
  do {
    if (!mw_across(d, n, P, ONE, col, w)) continue;
    double up = mw_dot(d, w, x0), down = -up, norm = sqrt(mw_dot(d, w, w));
    for (int j = 0, next = 0; j < n; j++) {
      double x = 0.0;
      if (next < d - 1 && col[next] == j) {
        next++;
        continue;
      }
      for (int i = 0; i < d; i++) x += w[i] * P[i * n + j];
      up += fmax(x * lo[j], x * hi[j]);
      down += fmax(-x * lo[j], -x * hi[j]);
    }
    best = fmin(best, fmin(up, down) / norm);
  } while (mw_next_choice(d, n, col));
  return isinf(best) ? 0.0 : fmax(best, 0.0);
}
