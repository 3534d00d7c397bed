// SPDX-License-Identifier: BSD-3-Clause
// spline.c: cubic B-spline coefficients of gridded data.
//
// One axis, grid points g = 0 … n-1, coefficients c_0 … c_{n+1}:
//   interpolation     c_g + 4 c_{g+1} + c_{g+2} = 6 f_g                                         (1)
//   ends              c_2 = f_1 - h² s''_1 / 6 ,  h² s''_1 = δ²f_1 - (2 δ⁴f_2 - δ⁴f_3)/6        (2)
// and the same at the other end. h² s'' of the spline on an unbounded grid is δ²f - δ⁴f/6 to sixth
// order, and (2) extrapolates δ⁴: the end cells are then as accurate as the others, where
// not-a-knot
// (h² s''_1 = δ²f_1, used below 6 points) is about 15 times worse. Both reproduce cubics. Between
// them (1) is a diagonally dominant tridiagonal system; c_1, c_0, c_n, c_{n+1} follow from (1) one
// by one. Several axes: one after the other, each as one sweep over contiguous rows. Cost: O(s ×
// size of coef). Called by the reduction to fill the rom; evaluation is the rom's own.
#include "reduction/spline.h"

#include "base/arena.h"
#include "rom/rom.h"

enum { FEW = 6 };  // grid points from which on the ends of (2) can be had

// Rows of `len` doubles: c[0 … n+1] from f[0 … n-1]; factor [n] scratch.
static void fit_axis(int n, size_t len, const double *f, double *c, double *factor)
{
  size_t last = (size_t)n - 1;
#define F(g)    f[(size_t)(g)*len + i]
#define COEF(k) c[(size_t)(k)*len + i]
  for (size_t i = 0; i < len; i++) {
    COEF(2) = (8.0 * F(1) - F(0) - F(2)) / 6.0;
    COEF(last) = (8.0 * F(last - 1) - F(last) - F(last - 2)) / 6.0;
    if (n < FEW) continue;
    COEF(2) += (2.0 * F(0) - 9.0 * F(1) + 16.0 * F(2) - 14.0 * F(3) + 6.0 * F(4) - F(5)) / 36.0;
    COEF(last) += (2.0 * F(last) - 9.0 * F(last - 1) + 16.0 * F(last - 2) - 14.0 * F(last - 3) +
                   6.0 * F(last - 4) - F(last - 5)) /
                  36.0;
  }
  // rows k = 3 … n-2 of (1), eliminated downwards: c_k = rhs_k - factor_k c_{k+1}
  factor[2] = 0.0;
  for (size_t k = 3; k + 1 <= last; k++) {
    double pivot = 4.0 - factor[k - 1];
    factor[k] = 1.0 / pivot;
    for (size_t i = 0; i < len; i++) COEF(k) = (6.0 * F(k - 1) - COEF(k - 1)) / pivot;
  }
  for (size_t k = last - 1; k >= 3; k--)
    for (size_t i = 0; i < len; i++) COEF(k) -= factor[k] * COEF(k + 1);
  // ends
  for (size_t i = 0; i < len; i++) {
    COEF(1) = 6.0 * F(1) - 4.0 * COEF(2) - COEF(3);
    COEF(0) = 6.0 * F(0) - 4.0 * COEF(1) - COEF(2);
    COEF(last + 1) = 6.0 * F(last - 1) - 4.0 * COEF(last) - COEF(last - 1);
    COEF(last + 2) = 6.0 * F(last) - 4.0 * COEF(last + 1) - COEF(last);
  }
#undef F
#undef COEF
}

size_t mw_spline_n_coef(int s, const int n[], int n_field)
{
  size_t size = (size_t)n_field;
  for (int i = 0; i < s; i++) size *= (size_t)n[i] + 2;
  return size;
}

mw_code mw_spline_fit(int s, const int n[], int n_field, const double *data, double *coef,
                      mw_error *err)
{
  if (s < 1 || s > MW_ROM_MAX_S)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "spline in %d coordinates, must be 1 to %d", s,
                   MW_ROM_MAX_S);
  int n_max = 0;
  for (int i = 0; i < s; i++) {
    if (n[i] < 4)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "spline axis %d has %d grid points, needs at least 4", i, n[i]);
    n_max = n[i] > n_max ? n[i] : n_max;
  }
  mw_arena arena = { 0 };
  double *factor = mw_arena_f64(&arena, (size_t)n_max);
  double *spare = mw_arena_f64(&arena, s > 1 ? mw_spline_n_coef(s, n, n_field) : 0);
  mw_code rc = mw_arena_check(&arena, err);

  // before axis i: outer = coefficients of the axes in front, inner = grid points behind × n_field
  size_t outer = 1;
  const double *from = data;
  for (int i = 0; rc == MW_OK && i < s; i++) {
    double *to = (s - 1 - i) % 2 ? spare : coef;  // the last axis writes coef
    size_t inner = (size_t)n_field, n_i = (size_t)n[i];
    for (int j = i + 1; j < s; j++) inner *= (size_t)n[j];
    for (size_t o = 0; o < outer; o++)
      fit_axis(n[i], inner, from + o * n_i * inner, to + o * (n_i + 2) * inner, factor);
    outer *= n_i + 2;
    from = to;
  }
  mw_arena_free(&arena);
  return rc;
}

mw_code mw_spline_derivative_matrix(int n, double lo, double hi, double *D)
{
  if (n < 4 || !(hi > lo)) return MW_ERR_INPUT;
  size_t nn = (size_t)n;
  mw_arena arena = { 0 };
  double *unit = mw_arena_f64(&arena, nn * nn), *coef = mw_arena_f64(&arena, (nn + 2) * nn);
  mw_code rc = mw_arena_check(&arena, NULL);
  if (rc == MW_OK) {
    for (size_t g = 0; g < nn; g++) unit[g * nn + g] = 1.0;
    rc = mw_spline_fit(1, &n, n, unit, coef, NULL);
  }
  // at a grid point f' = (c_{g+2} - c_g) / (2 h)
  double per = (n - 1) / (hi - lo);
  for (size_t k = 0; rc == MW_OK && k < nn * nn; k++)
    D[k] = 0.5 * per * (coef[k + 2 * nn] - coef[k]);
  mw_arena_free(&arena);
  return rc;
}

mw_code mw_spline_eval(int s, const int n[], const double lo[], const double hi[], int n_field,
                       const double *coef, const double *theta, double *value, double *gradient)
{
  mw_rom rom = { .s = s, .n_field = n_field, .coef = coef };
  for (int i = 0; i < s; i++) {
    rom.n_grid[i] = n[i];
    rom.lo[i] = lo[i];
    rom.hi[i] = hi[i];
  }
  return mw_rom_fields(&rom, theta, value, gradient, NULL) == MW_ROM_OK ? MW_OK : MW_ERR_RANGE;
}
