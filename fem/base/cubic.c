// SPDX-License-Identifier: BSD-3-Clause
// cubic.c: the C² cubic spline through points.
//
// Between points, M_i the second derivatives there, h_i = t_{i+1} − t_i, d_i the slopes between
// points, b = (x − t_i)/h_i, a = 1 − b:
//   y = a y_i + b y_{i+1} + h_i²/6 ((a³ − a) M_i + (b³ − b) M_{i+1})                          (1)
//   h_{i−1} M_{i−1} + 2 (h_{i−1} + h_i) M_i + h_i M_{i+1} = 6 (d_i − d_{i−1})                 (2)
// at a resting end  2 h M_0 + h M_1 = 6 d_0. (2) is diagonally dominant: elimination without
// pivots. de Boor, A Practical Guide to Splines, 1978, chapter IV.
#include "base/cubic.h"

void mw_cubic_bend(int n, const double *t, const double *y, bool rest, double *M, double *work)
{
  double before = 0.0, d_before = 0.0;  // h and d of the interval before
  for (int i = 0; i < n; i++) {
    double h = i < n - 1 ? t[i + 1] - t[i] : 0.0, d = i < n - 1 ? (y[i + 1] - y[i]) / h : 0.0;
    bool end = i == 0 || i == n - 1;
    double diagonal = 2.0 * (before + h), right = 6.0 * (d - d_before), up = h, down = before;
    if (end && !rest) diagonal = 1.0, right = up = down = 0.0;
    diagonal -= i > 0 ? down * work[i - 1] : 0.0;
    work[i] = up / diagonal;
    M[i] = (right - (i > 0 ? down * M[i - 1] : 0.0)) / diagonal;
    before = h;
    d_before = d;
  }
  for (int i = n - 2; i >= 0; i--) M[i] -= work[i] * M[i + 1];
}

void mw_cubic_at(const double *t, const double *y, const double *M, int i, double x, double r[3])
{
  double h = t[i + 1] - t[i], b = (x - t[i]) / h, a = 1.0 - b;
  r[0] = a * y[i] + b * y[i + 1] +
         h * h / 6.0 * ((a * a - 1.0) * a * M[i] + (b * b - 1.0) * b * M[i + 1]);
  r[1] = (y[i + 1] - y[i]) / h -
         h / 6.0 * ((3.0 * a * a - 1.0) * M[i] - (3.0 * b * b - 1.0) * M[i + 1]);
  r[2] = a * M[i] + b * M[i + 1];
}
