// SPDX-License-Identifier: BSD-3-Clause
// axis_smooth.c: points that crowd at the ends of an axis, and the polynomial through them.
//
//   x_k = lo + (hi − lo) (1 − cos(π k / (n − 1))) / 2 ,  k < n                                  (1)
//   p(x) = Σ_k ℓ_k(x) f_k ,  ℓ_k(x) = (w_k / (x − x_k)) / Σ_j (w_j / (x − x_j)) ,
//       1 / w_k = Π_{j≠k} (x_k − x_j)                                                           (2)
//   D_kj = ℓ_j'(x_k) = (w_j / w_k) / (x_k − x_j) ,  D_kk = −Σ_{j≠k} D_kj                        (3)
//   c = C f :  B(x_k) c = f_k ,  Σ_q (B(x_q) c − p(x_q))² smallest over SAMPLES points a table
//       interval                                                                                (4)
//
// What is smooth over the whole axis, p knows far better than splines through as many points (its
// error falls by a factor with every point, not as h⁴), and nearly all of the splines' error lies
// in their outermost intervals. p is as good as any polynomial of its degree within 1 + Λ, Λ < 3
// up to 17 points. On the table stands of the cubic splines through the points the one that is the
// nearest to p (4): cubics exactly. It has a quarter more points than the axis, or else splines
// through points that crowd within an interval at the ends swing between them (by 15 in the place
// of 1 + Λ, 17 points on a table of 17; by 3.3 on 21). Where records change within less than an
// interval, splines are better. Positions are kept in parts of the axis' width, 2⁻²⁴ of it.
// Berrut, Trefethen, Barycentric Lagrange interpolation, SIAM Review 46, 2004 ((2), (3), Λ).
// Cost: C O(n³), once.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "reduction/axis.h"
#include "rom/rom.h"

enum { PARTS = 1 << 24, SAMPLES = 8, LEAST = 4 };

// x_k of (1) in the axis' width
static double place(const mw_axis *a, int k) { return (double)a->at[k] / a->at[a->n - 1]; }

// w [n] of (2), scaled
static void barycentric(const mw_axis *a, double *w)
{
  for (int k = 0; k < a->n; k++) {
    w[k] = 1.0;
    for (int j = 0; j < a->n; j++)  // 4: points lie in an interval of length 4 times its capacity
      if (j != k) w[k] /= 4.0 * (place(a, k) - place(a, j));
  }
}

// l [n]: ℓ_k of (2) at x, in the axis' width
static void cardinal(const mw_axis *a, const double *w, double x, double *l)
{
  double sum = 0.0;
  int same = -1;
  for (int k = 0; k < a->n; k++) {
    double d = x - place(a, k);
    if (d == 0.0) same = k;
    l[k] = d == 0.0 ? 0.0 : w[k] / d;
    sum += l[k];
  }
  for (int k = 0; k < a->n; k++) l[k] = same >= 0 ? k == same : l[k] / sum;
}

// [BᵀB, B_kᵀ; B_k, 0] of (4), and its right sides; m functions
static void optimality(const mw_axis *a, int m, const double *w, const double *B, const double *L,
                       double *A, double *rhs)
{
  int n = a->n, size = m + n, n_sample = (a->n_table - 1) * SAMPLES + 1;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      for (int q = 0; q < n_sample; q++) A[i * size + j] += B[q * m + i] * B[q * m + j];
  mw_gemm('t', 'n', m, n, n_sample, 1.0, B, L, 0.0, rhs);
  for (int k = 0; k < n; k++) {
    double b[4], db[4];
    int cell;
    mw_rom_basis(a->n_table, 0.0, 1.0, place(a, k), &cell, b, db);
    for (int i = 0; i < 4; i++) A[(m + k) * size + cell + i] = A[(cell + i) * size + m + k] = b[i];
    cardinal(a, w, place(a, k), rhs + (size_t)(m + k) * (size_t)n);
  }
}

// C of (4)
static mw_code table_matrix(mw_axis *a, mw_arena *mem, mw_error *err)
{
  int n = a->n, m = a->n_table + 2, size = m + n, n_sample = (a->n_table - 1) * SAMPLES + 1;
  mw_arena tmp = { 0 };
  double *w = mw_arena_f64(&tmp, (size_t)n), *L = mw_arena_f64(&tmp, (size_t)n_sample * (size_t)n);
  double *B = mw_arena_f64(&tmp, (size_t)n_sample * (size_t)m);
  double *A = mw_arena_f64(&tmp, (size_t)size * (size_t)size);
  double *rhs = mw_arena_f64(&tmp, (size_t)size * (size_t)n);
  double *C = mw_arena_f64(mem, (size_t)m * (size_t)n);
  int *pivot = mw_arena_int(&tmp, (size_t)size);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc == MW_OK) barycentric(a, w);
  for (int q = 0; rc == MW_OK && q < n_sample; q++) {
    double x = (double)q / (n_sample - 1), b[4], db[4];
    int cell;
    mw_rom_basis(a->n_table, 0.0, 1.0, x, &cell, b, db);
    for (int i = 0; i < 4; i++) B[q * m + cell + i] = b[i];
    cardinal(a, w, x, L + (size_t)q * (size_t)n);
  }
  if (rc == MW_OK) {
    optimality(a, m, w, B, L, A, rhs);
    rc = mw_lu_factor(size, A, pivot, err);
  }
  if (rc == MW_OK) {
    mw_lu_solve(size, A, pivot, n, rhs);
    memcpy(C, rhs, (size_t)m * (size_t)n * sizeof *C);
  }
  mw_arena_free(&tmp);
  a->C = C;
  return rc;
}

// Points of the table of n
static int table_points(int n) { return n + n / 4; }

mw_code mw_axis_smooth(double lo, double hi, int n, mw_arena *mem, mw_axis *out, mw_error *err)
{
  mw_axis a = { .lo = lo, .hi = hi, .n = n, .n_table = table_points(n) };
  if (n < LEAST || !(hi > lo))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "%d points from %g to %g, expected at least %d and an axis that ascends", n, lo,
                   hi, LEAST);
  a.at = mw_arena_int(mem, (size_t)n);
  mw_code rc = mw_arena_check(mem, err);
  double pi = acos(-1.0);
  for (int k = 0; rc == MW_OK && k < n; k++)
    a.at[k] = (int)lround(0.5 * PARTS * (1.0 - cos(pi * k / (n - 1))));
  if (rc == MW_OK) rc = table_matrix(&a, mem, err);
  if (rc == MW_OK) *out = a;
  return rc;
}

mw_code mw_axis_pick(const mw_axis *a, int n, const int *kept, mw_arena *mem, mw_axis *out,
                     mw_error *err)
{
  mw_axis b = *a;
  b.n = n;
  b.at = mw_arena_int(mem, (size_t)n);
  mw_code rc = mw_arena_check(mem, err);
  for (int k = 0; rc == MW_OK && k < n; k++) b.at[k] = a->at[kept[k]];
  if (rc == MW_OK && a->C) {
    b.n_table = table_points(n);
    rc = table_matrix(&b, mem, err);
  }
  if (rc == MW_OK) *out = b;
  return rc;
}

void mw_axis_smooth_weights(const mw_axis *a, double x, double *w)
{
  double b[4], db[4];
  int cell;
  mw_rom_basis(a->n_table, a->lo, a->hi, x, &cell, b, db);
  for (int k = 0; k < a->n; k++) {
    w[k] = 0.0;
    for (int i = 0; i < 4; i++) w[k] += b[i] * a->C[(size_t)(cell + i) * (size_t)a->n + (size_t)k];
  }
}

mw_code mw_axis_smooth_derivative(const mw_axis *a, double *D, mw_error *err)
{
  int n = a->n;
  mw_arena tmp = { 0 };
  double *w = mw_arena_f64(&tmp, (size_t)n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) barycentric(a, w);
  for (int k = 0; rc == MW_OK && k < n; k++) {
    double *d = D + (size_t)k * (size_t)n, sum = 0.0;
    for (int j = 0; j < n; j++) {
      if (j == k) continue;
      d[j] = w[j] / w[k] / (place(a, k) - place(a, j)) / (a->hi - a->lo);
      sum += d[j];
    }
    d[k] = -sum;
  }
  mw_arena_free(&tmp);
  return rc;
}
