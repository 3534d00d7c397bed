// SPDX-License-Identifier: BSD-3-Clause
// rom_linear.c: the little linear algebra that the online half needs, with a fixed order of
// summation.
//
// Square matrices are row-major with rows padded to mp = 8 ceil(m/8). Packed matrices are rows of
// the lower triangle. Cost: O(m²), the inverse m³. Called by rom_rhs.c and rom_step.c.
#include "rom_priv.h"

// Eight partial sums, so that a compiler may use vector registers and still add in this order.
double rom_dot(int n, const double *a, const double *b)
{
  double p[8] = { 0 };
  int k = 0;
  for (; k + 8 <= n; k += 8)
    for (int l = 0; l < 8; l++) p[l] = rom_madd(a[k + l], b[k + l], p[l]);
  double rest = 0.0;
  for (; k < n; k++) rest = rom_madd(a[k], b[k], rest);
  return (((p[0] + p[4]) + (p[1] + p[5])) + ((p[2] + p[6]) + (p[3] + p[7]))) + rest;
}

void rom_packed_sym_add(int m, const double *X, const double *v, double *y)
{
  for (int i = 0; i < m; X += ++i) {
    double sum = 0.0, vi = v[i];
    for (int j = 0; j < i; j++) {
      sum = rom_madd(X[j], v[j], sum);
      y[j] = rom_madd(X[j], vi, y[j]);
    }
    y[i] += sum + X[i] * vi;
  }
}

void rom_packed_skew_add(int m, const double *E, const double *v, double *y)
{
  for (int i = 0; i < m; E += i++) {
    double sum = 0.0, vi = v[i];
    for (int j = 0; j < i; j++) {
      sum = rom_madd(E[j], v[j], sum);
      y[j] = rom_madd(E[j], -vi, y[j]);
    }
    y[i] += sum;
  }
}

// y[l] += a x[l] over rows of n, a multiple of 8.
static void add_row(int n, double a, const double *restrict x, double *restrict y)
{
  for (int k = 0; k < n; k += 8)
    for (int l = 0; l < 8; l++) y[k + l] = rom_madd(a, x[k + l], y[k + l]);
}

void rom_symv(int m, int mp, const double *restrict A, const double *restrict x, double *restrict y)
{
  for (int i = 0; i < mp; i++) y[i] = 0.0;
  for (int j = 0; j < m; j++) add_row(mp, x[j], A + j * mp, y);
}

// Gauss-Jordan without pivoting, stable for positive definite A: each pivot is a Schur complement
// and must be > 0.
//   A_ij -= A_ip A_pj / A_pp ,  row p /= A_pp ,  column p /= -A_pp ,  A_pp = 1/A_pp
int rom_invert(int m, int mp, double *A)
{
  for (int p = 0; p < m; p++) {
    double *row = A + p * mp;
    if (!(row[p] > 0.0)) return 0;
    double inv = 1.0 / row[p];
    row[p] = 1.0;
    for (int j = 0; j < mp; j++) row[j] *= inv;
    for (int i = 0; i < m; i++) {
      double *ri = A + i * mp, f = ri[p];
      if (i == p) continue;
      ri[p] = 0.0;
      add_row(mp, -f, row, ri);
    }
  }
  return 1;
}

// H = A - B W' on the free rows, unit rows on the prescribed ones, solved by H = L D L'.
mw_rom_code rom_solve(int s, int m, const rom_work *w, const double *W, unsigned prescribed,
                      const double *res_theta, const double *g, double *a, double *d)
{
  double H[MW_ROM_MAX_S][MW_ROM_MAX_S] = { { 0 } };
  for (int i = 0; i < s; i++) {
    H[i][i] = 1.0;
    a[i] = 0.0;
    if (prescribed >> i & 1u) continue;
    a[i] = res_theta[i] - rom_dot(m, w->B + i * w->mp, g);
    for (int j = 0; j <= i; j++)
      if (!(prescribed >> j & 1u))
        H[i][j] = w->A[i * s + j] - rom_dot(m, w->B + i * w->mp, W + j * w->mp);
  }
  for (int j = 0; j < s; j++) {
    if (!(H[j][j] > 0.0)) return MW_ROM_SINGULAR;
    for (int i = j + 1; i < s; i++) {
      double l = H[i][j] / H[j][j];
      for (int k = j + 1; k <= i; k++) H[i][k] -= l * H[k][j];
      a[i] -= l * a[j];
      H[j][i] = l;  // upper triangle: L'
    }
  }
  for (int i = s - 1; i >= 0; i--) {
    a[i] /= H[i][i];
    for (int j = i + 1; j < s; j++) a[i] -= H[i][j] * a[j];
  }
  // d = g - W' a
  for (int k = 0; k < m; k++) d[k] = g[k];
  for (int i = 0; i < s; i++)
    for (int k = 0; k < m; k++) d[k] -= W[i * w->mp + k] * a[i];
  return MW_ROM_OK;
}
