// SPDX-License-Identifier: BSD-3-Clause
// stroke.c: the stiffness of a spring over a stroke, (1) of stroke.h.
//
// c = 1/f between two points, with x = s − s_i, h = s_{i+1} − s_i, from the second derivatives M:
//   c = c_i + x c'_i + x² M_i/2 + x³ (M_{i+1} − M_i)/(6 h) ,
//   c'_i = (c_{i+1} − c_i)/h − h (2 M_i + M_{i+1})/6                                          (1)
//   h_{i−1} M_{i−1} + 2 (h_{i−1} + h_i) M_i + h_i M_{i+1} = 6 (Δc_i/h_i − Δc_{i−1}/h_{i−1})   (2)
// A rod that is held at one end gives way in proportion to its free length: c is then exact.
#include "fem/stroke.h"

#include <math.h>

void mw_stroke_spline(int n, const double *s, const double *c, double *c2, double *work)
{
  c2[0] = c2[n - 1] = work[0] = 0.0;
  for (int i = 1; i < n - 1; i++) {
    double a = s[i] - s[i - 1], b = s[i + 1] - s[i], p = 2.0 * (a + b) - a * work[i - 1];
    double jump = 6.0 * ((c[i + 1] - c[i]) / b - (c[i] - c[i - 1]) / a);
    work[i] = b / p;
    c2[i] = (jump - a * c2[i - 1]) / p;
  }
  for (int i = n - 2; i > 0; i--) c2[i] -= work[i] * c2[i + 1];
}

// c and c' at s in piece i
static double compliance(const mw_stroke *k, int i, double s, double *slope)
{
  double x = s - k->s[i], h = k->s[i + 1] - k->s[i], M = k->c2[i], jerk = (k->c2[i + 1] - M) / h;
  double c1 = (k->c[i + 1] - k->c[i]) / h - h * (2.0 * M + k->c2[i + 1]) / 6.0;
  *slope = c1 + x * (M + 0.5 * x * jerk);
  return k->c[i] + x * (c1 + x * (0.5 * M + x * jerk / 6.0));
}

double mw_stroke_eval(const mw_stroke *k, double s, double *slope)
{
  double end = fmin(fmax(s, k->s[0]), k->s[k->n - 1]), c1;
  int i = 0;
  while (i < k->n - 2 && end >= k->s[i + 1]) i++;
  double c = compliance(k, i, end, &c1);
  if (end != s) {
    double grown = exp(c1 / c * (s - end));
    c *= grown;
    c1 *= grown;
  }
  if (slope) *slope = -0.5 * c1 / (c * sqrt(c));
  return 1.0 / sqrt(c);
}
