// SPDX-License-Identifier: BSD-3-Clause
// rom_linear.c: the little linear algebra that the online half needs, with a fixed order of
// summation.
//
// Square matrices are row-major with rows padded to mp = 8 ceil(m/8). Packed matrices are rows of
// the lower triangle. Cost: O(m²), the inverse m³. Called by rom_rhs.c and rom_step.c.
#include "rom_layer.h"

void rom_packed_sym_add(int m, const double *X, const double *v, double *y)
{
  for (int i = 0; i < m; X += ++i) {
    double sum = 0.0, vi = v[i];
    for (int j = 0; j < i; j++) {
      sum += X[j] * v[j];
      y[j] += X[j] * vi;
    }
    y[i] += sum + X[i] * vi;
  }
}

void rom_packed_skew_add(int m, const double *E, const double *v, double *y)
{
  for (int i = 0; i < m; E += i++) {
    double sum = 0.0, vi = v[i];
    for (int j = 0; j < i; j++) {
      sum += E[j] * v[j];
      y[j] -= E[j] * vi;
    }
    y[i] += sum;
  }
}

void rom_symv(int m, int mp, const double *restrict A, const double *restrict x, double *restrict y)
{
  for (int i = 0; i < mp; i++) y[i] = 0.0;
  for (int j = 0; j < m; j++) rom_add_row(mp, x[j], A + j * mp, y);
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
      rom_add_row(mp, -f, row, ri);
    }
  }
  return 1;
}

// H = A - B W' on the free rows, unit rows on the prescribed ones, solved by H = L D L'.
ROM_INLINE mw_rom_code solve(const int s, const int m, const rom_work *w, const double *W,
                             unsigned prescribed, const double *res_theta, const double *g,
                             double *a, double *d)
{
  double H[MW_ROM_MAX_S][MW_ROM_MAX_S];
  for (int i = 0; i < s; i++) {
    int given = (int)(prescribed >> i & 1u);
    a[i] = given ? 0.0 : res_theta[i] - rom_dot_rows(m, w->B + i * rom_padded(m), g);
    for (int j = 0; j <= i; j++)
      H[i][j] =
          given || (prescribed >> j & 1u)
              ? (i == j ? 1.0 : 0.0)
              : w->A[i * s + j] - rom_dot_rows(m, w->B + i * rom_padded(m), W + j * rom_padded(m));
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
    for (int k = 0; k < m; k++) d[k] -= W[i * rom_padded(m) + k] * a[i];
  return MW_ROM_OK;
}

// Sizes that loops are laid out for.
mw_rom_code rom_solve(int s, int m, const rom_work *w, const double *W, unsigned prescribed,
                      const double *res_theta, const double *g, double *a, double *d)
{
  return ROM_OF_SIZE(solve, s, m, w, W, prescribed, res_theta, g, a, d);
}
