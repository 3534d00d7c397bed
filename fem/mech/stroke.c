// SPDX-License-Identifier: BSD-3-Clause
// stroke.c: the stiffness of a spring over a stroke, (1) of stroke.h.
//
// c = 1/f between points is a natural cubic spline (base/cubic.h). A rod that is held at one end
// gives way in proportion to its free length: c is then exact.
#include "fem/stroke.h"

#include <math.h>

#include "base/cubic.h"

double mw_stroke_eval(const mw_stroke *k, double s, double *slope)
{
  double end = fmin(fmax(s, k->s[0]), k->s[k->n - 1]), r[3];
  int i = 0;
  while (i < k->n - 2 && end >= k->s[i + 1]) i++;
  mw_cubic_at(k->s, k->c, k->c2, i, end, r);
  double c = r[0], c1 = r[1];
  if (end != s) {
    double grown = exp(c1 / c * (s - end));
    c *= grown;
    c1 *= grown;
  }
  if (slope) *slope = -0.5 * c1 / (c * sqrt(c));
  return 1.0 / sqrt(c);
}
