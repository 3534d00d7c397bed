// SPDX-License-Identifier: BSD-3-Clause
// test_spline.c: cubic B-splines through gridded data.
#include <float.h>
#include <math.h>

#include "mw_test.h"
#include "reduction/spline.h"
#include "rom/rom.h"

enum { MAX = 12 * 12 * 12 * 4 };

static double data[MAX], coef[MAX];

// A cubic in each of three coordinates.
static double cubic3(const double t[3])
{
  return (1.0 - t[0] + 2.0 * t[0] * t[0] * t[0]) * (0.5 + t[1] * t[1] - t[1] * t[1] * t[1]) *
         (1.0 + 0.3 * t[2] - t[2] * t[2]);
}

static void cubics_are_reproduced_in_one_to_three_coordinates(void)
{
  const int n[3] = { 4, 7, 5 };
  const double lo[3] = { -1.0, 0.0, 0.2 }, hi[3] = { 1.0, 1.5, 1.0 };
  for (int s = 1; s <= 3; s++) {
    int size[3] = { 1, 1, 1 };
    for (int i = 0; i < s; i++) size[i] = n[i];
    for (int g = 0; g < size[0] * size[1] * size[2]; g++) {
      int at[3] = { g / (size[1] * size[2]), g / size[2] % size[1], g % size[2] };
      double t[3] = { 0.0, 0.0, 0.0 };
      for (int i = 0; i < s; i++) t[i] = lo[i] + (hi[i] - lo[i]) * at[i] / (n[i] - 1);
      data[2 * g] = cubic3(t);
      data[2 * g + 1] = 3.0;
    }
    mw_error err = { 0 };
    MW_OKAY(mw_spline_fit(s, n, 2, data, coef, &err));
    // the outermost coefficients add up to 70 |f| in 4 roundings, on each of s axes; |f| < 6;
    // Lebesgue constant < 3
    double tol = 4 * 70 * 6 * pow(3.0, s) * s * DBL_EPSILON;
    for (int k = 0; k <= 20; k++) {
      double t[3] = { 0.0, 0.0, 0.0 }, value[2], gradient[6];
      for (int i = 0; i < s; i++)
        t[i] = lo[i] + (hi[i] - lo[i]) * fmod(k * (0.05 + 0.13 * i), 1.0000001);
      MW_CHECK(mw_spline_eval(s, n, lo, hi, 2, coef, t, value, gradient) == MW_OK);
      MW_WITHIN(value[0], cubic3(t), tol, "worst of data and roundings, by Lebesgue's constant");
      MW_WITHIN(value[1], 3.0, tol, "worst of data and roundings, by Lebesgue's constant");
    }
  }
}

static double wave(double x) { return sin(5.0 * x + 0.4); }

// Largest error of the value between and of the derivative at n grid points of [0, 1].
static void wave_errors(int n, double *value, double *derivative)
{
  static double D[81 * 81];
  double lo = 0.0, hi = 1.0;
  mw_error err = { 0 };
  for (int g = 0; g < n; g++) data[g] = wave((double)g / (n - 1));
  MW_OKAY(mw_spline_fit(1, &n, 1, data, coef, &err));
  MW_CHECK(mw_spline_derivative_matrix(n, lo, hi, D) == MW_OK);
  *value = *derivative = 0.0;
  for (int k = 0; k <= 1000; k++) {
    double x = k / 1000.0, v = 0.0;
    MW_CHECK(mw_spline_eval(1, &n, &lo, &hi, 1, coef, &x, &v, NULL) == MW_OK);
    *value = fmax(*value, fabs(v - wave(x)));
  }
  for (int g = 0; g < n; g++) {
    double d = 0.0;
    for (int k = 0; k < n; k++) d += D[g * n + k] * data[k];
    *derivative = fmax(*derivative, fabs(d - 5.0 * cos(5.0 * g / (n - 1) + 0.4)));
  }
}

static void values_converge_with_order_four_derivatives_with_three_or_more(void)
{
  double v1, v2, d1, d2;
  wave_errors(41, &v1, &d1);
  wave_errors(81, &v2, &d2);
  // the next term of the error is of relative order h: 5/40; log2 of (1 ± 1/8)/(1 ± 1/16) is below
  // 0.3
  MW_NEAR(log2(v1 / v2), 4.0, 0.3);
  MW_CHECK(log2(d1 / d2) > 3.0 - 0.3);
}

static void derivative_matrix_is_exact_for_cubics_and_kills_constants(void)
{
  enum { N = 9 };
  double D[N * N], lo = -0.5, hi = 1.5, h = (hi - lo) / (N - 1);
  MW_CHECK(mw_spline_derivative_matrix(N, lo, hi, D) == MW_OK);
  // entries are at most 70/(2h) with 4 roundings each, N of them, values below 4
  double tol = N * 4 * 70 / (2.0 * h) * 4.0 * DBL_EPSILON;
  for (int g = 0; g < N; g++) {
    double x = lo + g * h, d = 0.0, one = 0.0;
    for (int k = 0; k < N; k++) {
      double t = lo + k * h;
      d += D[g * N + k] * (t * t * t - t);
      one += D[g * N + k];
    }
    MW_NEAR(d, 3.0 * x * x - 1.0, tol);
    MW_NEAR(one, 0.0, tol);
  }
  MW_CHECK(mw_spline_derivative_matrix(3, lo, hi, D) == MW_ERR_INPUT);
  MW_CHECK(mw_spline_derivative_matrix(N, hi, lo, D) == MW_ERR_INPUT);
}

// Derivative at three points of a cell gives, it being quadratic, value and slope at any other t of
// the cell.
static void quadratic_at(const double g[3], double t, double *value, double *slope)
{
  double a = 8.0 * (g[0] - 2.0 * g[1] + g[2]), b = 2.0 * (g[2] - g[0]);  // g at t = 1/4, 1/2, 3/4
  *value = g[1] + b * (t - 0.5) + a * (t - 0.5) * (t - 0.5);
  *slope = b + 2.0 * a * (t - 0.5);
}

static void first_and_second_derivatives_are_continuous_at_grid_points(void)
{
  int n = 8;
  double lo = 0.0, hi = 7.0;  // cells of width 1
  mw_error err = { 0 };
  for (int g = 0; g < n; g++) data[g] = cos(2.5 * g * g);
  MW_OKAY(mw_spline_fit(1, &n, 1, data, coef, &err));
  for (int g = 1; g < n - 1; g++) {
    double d[2], dd[2];
    for (int side = 0; side < 2; side++) {
      double grad[3], v;
      for (int k = 0; k < 3; k++) {
        double x = g - 1 + side + 0.25 * (k + 1);
        MW_CHECK(mw_spline_eval(1, &n, &lo, &hi, 1, coef, &x, &v, &grad[k]) == MW_OK);
      }
      quadratic_at(grad, side == 0 ? 1.0 : 0.0, &d[side], &dd[side]);
    }
    // |gradient| < 70, combined with factors that add to 34 for the slope; 8 roundings
    double tol = 70 * 34 * 8 * DBL_EPSILON;
    MW_WITHIN(d[0], d[1], tol, "worst of data and roundings, by Lebesgue's constant");
    MW_NEAR(dd[0], dd[1], tol);
  }
}

static void bad_axes_and_points_are_refused_and_leave_the_output(void)
{
  mw_error err = { 0 };
  int n[2] = { 5, 3 }, four = 4;
  double lo = 0.0, hi = 1.0, x = 1.1, v = 7.0;
  coef[0] = 7.0;
  MW_FAILS(mw_spline_fit(2, n, 1, data, coef, &err), MW_ERR_INPUT);
  MW_FAILS(mw_spline_fit(0, n, 1, data, coef, &err), MW_ERR_INPUT);
  MW_FAILS(mw_spline_fit(MW_ROM_MAX_S + 1, n, 1, data, coef, &err), MW_ERR_INPUT);
  MW_CHECK(coef[0] == 7.0);
  MW_FAILS(mw_spline_eval(1, &four, &lo, &hi, 1, coef, &x, &v, NULL), MW_ERR_RANGE);
  x = NAN;
  MW_FAILS(mw_spline_eval(1, &four, &lo, &hi, 1, coef, &x, &v, NULL), MW_ERR_RANGE);
  MW_CHECK(v == 7.0);
}

static const mw_test_case cases[] = {
  { "cubics_are_reproduced_in_one_to_three_coordinates",
    cubics_are_reproduced_in_one_to_three_coordinates },
  { "values_converge_with_order_four_derivatives_with_three_or_more",
    values_converge_with_order_four_derivatives_with_three_or_more },
  { "derivative_matrix_is_exact_for_cubics_and_kills_constants",
    derivative_matrix_is_exact_for_cubics_and_kills_constants },
  { "first_and_second_derivatives_are_continuous_at_grid_points",
    first_and_second_derivatives_are_continuous_at_grid_points },
  { "bad_axes_and_points_are_refused_and_leave_the_output",
    bad_axes_and_points_are_refused_and_leave_the_output },
};

int main(void) { return mw_test_run("spline", cases, (int)(sizeof cases / sizeof *cases)); }
