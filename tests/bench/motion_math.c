// SPDX-License-Identifier: BSD-3-Clause
// motion_math.c: see motion_math.h.
#include "motion_math.h"

#include <math.h>
#include <string.h>

void motion_legendre(int n, double x, double *p, double *d, double *dd)
{
  // (k+1) P_{k+1} = (2k+1) x P_k − k P_{k−1} ;  P'_{k+1} = P'_{k−1} + (2k+1) P_k, P'' alike
  for (int k = 0; k < n; k++) {
    p[k] = k == 0 ? 1.0 : k == 1 ? x : ((2 * k - 1) * x * p[k - 1] - (k - 1) * p[k - 2]) / k;
    if (d) d[k] = k == 0 ? 0.0 : (k > 1 ? d[k - 2] : 0.0) + (2 * k - 1) * p[k - 1];
    if (d && dd) dd[k] = k == 0 ? 0.0 : (k > 1 ? dd[k - 2] : 0.0) + (2 * k - 1) * d[k - 1];
  }
}

void motion_gauss(int n, double *x, double *w)
{
  enum { MAX = 128, STEPS = 100 };
  double p[MAX + 1], d[MAX + 1];
  const double pi = acos(-1.0);
  for (int i = 0; i < n; i++) {
    double z = -cos(pi * (i + 0.75) / (n + 0.5)), step = 1.0;
    for (int k = 0; k < STEPS && fabs(step) > 1e-15; k++) {
      motion_legendre(n + 1, z, p, d, NULL);
      step = p[n] / d[n];
      z -= step;
    }
    motion_legendre(n + 1, z, p, d, NULL);
    x[i] = z;
    w[i] = 2.0 / ((1.0 - z * z) * d[n] * d[n]);
  }
}

int motion_zeros(double (*f)(double x, const void *arg), const void *arg, double lo, double hi,
                 int cells, int max, double *root)
{
  enum { HALVINGS = 80 };
  int n = 0;
  double h = (hi - lo) / cells, left = f(lo, arg);
  for (int i = 0; i < cells && n < max; i++) {
    double a = lo + i * h, b = a + h, fa = left, fb = f(b, arg);
    left = fb;
    if (!(fa * fb < 0.0)) continue;
    double size = fmin(fabs(fa), fabs(fb));
    for (int k = 0; k < HALVINGS; k++) {
      double c = 0.5 * (a + b), fc = f(c, arg);
      if (fa * fc <= 0.0) {
        b = c;
      } else {
        a = c;
        fa = fc;
      }
    }
    if (fabs(fa) <= size) root[n++] = 0.5 * (a + b);
  }
  return n;
}

void motion_rk4(motion_rate f, const void *arg, double t, double h, int n, double *y, double *work)
{
  const double c[4] = { 0.0, 0.5, 0.5, 1.0 };
  double *z = work + 4 * n, *sum = work + 5 * n;
  memset(sum, 0, (size_t)n * sizeof *sum);
  for (int r = 0; r < 4; r++) {
    double *k = work + r * n;
    for (int j = 0; j < n; j++) z[j] = y[j] + (r > 0 ? c[r] * h * k[j - n] : 0.0);
    f(t + c[r] * h, z, k, arg);
    for (int j = 0; j < n; j++) sum[j] += (r == 1 || r == 2 ? 2.0 : 1.0) * k[j];
  }
  for (int j = 0; j < n; j++) y[j] += h / 6.0 * sum[j];
}
