// SPDX-License-Identifier: BSD-3-Clause
// test_axis_smooth.c: axes whose points crowd at the ends: the polynomial through them, on the
// table the spline through them that is the nearest to it.
//
// Rounding: C solves m + n equations, m functions and n points, whose entries are sums of up to
// SAMPLES · 4 products below 1; the table's weights, below 4 in all, carry its errors to values.
#include <float.h>
#include <math.h>

#include "mw_test.h"
#include "reduction/axis.h"
#include "rom/rom.h"

enum { MOST = 32, PLACES = 300 };
static const double EPS = DBL_EPSILON, LO = -0.7, HI = 1.1;
static const int COUNTS[] = { 5, 7, 9, 13, 17 };
enum { N_COUNT = sizeof COUNTS / sizeof *COUNTS };

static double cubic(double x) { return 1.0 - 2.0 * x + 0.5 * x * x + 3.0 * x * x * x; }
static double steep(double x) { return 1.0 / (1.35 - x) + sin(3.0 * x); }

// Value of the table's spline at theta
static double eval(const mw_axis *a, const double *coef, double theta)
{
  double w[4], dw[4], value = 0.0;
  int cell;
  mw_rom_basis(a->n_table, a->lo, a->hi, theta, &cell, w, dw);
  for (int k = 0; k < 4; k++) value += w[k] * coef[cell + k];
  return value;
}

static void fit(const mw_axis *a, double (*f)(double), double *data, double *coef)
{
  mw_error err = { 0 };
  for (int k = 0; k < a->n; k++) data[k] = f(mw_axis_theta(a, k));
  MW_OKAY(mw_axis_fit(1, a, 1, data, coef, &err));
}

// Of values up to `size`: the header
static double rounding(const mw_axis *a, double size)
{
  return 4.0 * size * (a->n + a->n_table + 2) * EPS;
}

static void splines_go_through_the_points_and_hold_cubics(void)
{
  for (int c = 0; c < N_COUNT; c++) {
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_axis a;
    double data[MOST], coef[MOST];
    if (!MW_OKAY(mw_axis_smooth(LO, HI, COUNTS[c], &mem, &a, &err))) return;
    MW_CHECK(a.n == COUNTS[c] && a.n_table >= a.n && mw_axis_theta(&a, 0) == LO &&
             mw_axis_theta(&a, a.n - 1) == HI);
    fit(&a, steep, data, coef);
    for (int k = 0; k < a.n; k++)  // below 4.3
      MW_NEAR(eval(&a, coef, mw_axis_theta(&a, k)), data[k], rounding(&a, 4.3));
    fit(&a, cubic, data, coef);
    for (int k = 0; k <= PLACES; k++) {
      double x = LO + (HI - LO) * k / PLACES;
      MW_NEAR(eval(&a, coef, x), cubic(x), rounding(&a, 6.0));  // |f| < 6
    }
    mw_arena_free(&mem);
  }
}

// D of x^k, k < n, in the closed form. Its entries grow with n² at the ends, (2 (n − 1)² + 1) / 3
// over half the width for the largest, and lose what differences of positions round by: 2⁻²⁴ of
// the width is exact in both.
static void derivatives_are_those_of_the_polynomial(void)
{
  for (int c = 0; c < N_COUNT; c++) {
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_axis a;
    double D[MOST * MOST];
    if (!MW_OKAY(mw_axis_smooth(0.0, 1.0, COUNTS[c], &mem, &a, &err)) ||
        !MW_OKAY(mw_axis_derivative(&a, D, &err)))
      return;
    int n = a.n;
    double largest = (4.0 * (n - 1) * (n - 1) + 2.0) / 3.0;
    for (int power = 0; power < n; power++)
      for (int k = 0; k < n; k++) {
        double slope = 0.0, x = mw_axis_theta(&a, k);
        for (int j = 0; j < n; j++) slope += D[k * n + j] * pow(mw_axis_theta(&a, j), power);
        MW_NEAR(slope, power > 0 ? power * pow(x, power - 1) : 0.0, largest * n * EPS);
      }
    mw_arena_free(&mem);
  }
}

static void weights_and_local_functions_are_the_tables_spline(void)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_axis a;
  double data[MOST], coef[MOST], w[MOST], C[MOST * MOST];
  if (!MW_OKAY(mw_axis_smooth(LO, HI, 9, &mem, &a, &err)) ||
      !MW_OKAY(mw_axis_local_matrix(&a, C, &err)))
    return;
  fit(&a, steep, data, coef);
  for (int k = 0; k <= PLACES; k++) {
    double x = LO + (HI - LO) * k / PLACES, v = 0.0, sum = 0.0, local = 0.0, l[4];
    MW_OKAY(mw_axis_weights(&a, x, w, &err));
    int first = mw_axis_local(&a, x, l);
    MW_CHECK(first >= 0 && first + 4 <= mw_axis_n_local(&a));
    for (int j = 0; j < a.n; j++) {
      v += w[j] * data[j];
      sum += w[j];
      for (int i = 0; i < 4; i++) local += l[i] * C[(first + i) * a.n + j] * data[j];
    }
    MW_NEAR(v, eval(&a, coef, x), rounding(&a, 4.3));
    MW_NEAR(local, eval(&a, coef, x), rounding(&a, 4.3));
    MW_NEAR(sum, 1.0, rounding(&a, 1.0));
  }
  MW_FAILS(mw_axis_weights(&a, HI + 1e-6, w, &err), MW_ERR_RANGE);
  mw_arena_free(&mem);
}

// What is rounded or not smooth is magnified no more than by splines through equidistant points, by
// 3.3 (test_axis.c)
static void weights_stay_small(void)
{
  for (int c = 0; c < N_COUNT; c++) {
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_axis a;
    double w[MOST], most = 0.0;
    if (!MW_OKAY(mw_axis_smooth(LO, HI, COUNTS[c], &mem, &a, &err))) return;
    for (int k = 0; k <= PLACES; k++) {
      double sum = 0.0;
      MW_OKAY(mw_axis_weights(&a, LO + (HI - LO) * k / PLACES, w, &err));
      for (int j = 0; j < a.n; j++) sum += fabs(w[j]);
      most = fmax(most, sum);
    }
    MW_CHECK(most < 3.4);
    mw_arena_free(&mem);
  }
}

static double largest_error(const mw_axis *a, double (*f)(double))
{
  double data[MOST], coef[MOST], most = 0.0;
  fit(a, f, data, coef);
  for (int k = 0; k <= PLACES; k++) {
    double x = LO + (HI - LO) * k / PLACES;
    most = fmax(most, fabs(eval(a, coef, x) - f(x)));
  }
  return most;
}

// A pole beyond an end is what splines err by in their last interval.
static void fewer_points_do_than_equidistant_ones(void)
{
  for (int c = 1; c < N_COUNT; c++) {
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_axis a, even;
    if (!MW_OKAY(mw_axis_smooth(LO, HI, COUNTS[c], &mem, &a, &err)) ||
        !MW_OKAY(mw_axis_uniform(LO, HI, false, COUNTS[c] * 4 / 3, 1, &mem, &even, &err)))
      return;
    MW_CHECK(largest_error(&a, steep) < largest_error(&even, steep));
    mw_arena_free(&mem);
  }
}

static void some_of_the_points_are_an_axis_of_the_same_kind(void)
{
  static const int every_other[] = { 0, 2, 4, 6, 8, 10, 12 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_axis a, seven, some, even, half;
  double data[MOST], coef[MOST], want[MOST];
  if (!MW_OKAY(mw_axis_smooth(LO, HI, 13, &mem, &a, &err)) ||
      !MW_OKAY(mw_axis_smooth(LO, HI, 7, &mem, &seven, &err)) ||
      !MW_OKAY(mw_axis_pick(&a, 7, every_other, &mem, &some, &err)) ||
      !MW_OKAY(mw_axis_uniform(LO, HI, false, 13, 1, &mem, &even, &err)) ||
      !MW_OKAY(mw_axis_pick(&even, 7, every_other, &mem, &half, &err)))
    return;
  MW_CHECK(some.n == 7 && some.n_table == seven.n_table && half.n == 7 && half.n_table == 13);
  for (int k = 0; k < 7; k++) {
    MW_CHECK(mw_axis_theta(&some, k) == mw_axis_theta(&a, every_other[k]));
    MW_CHECK(mw_axis_theta(&half, k) == mw_axis_theta(&even, every_other[k]));
  }
  // cos(2 π k / 12) = cos(π k / 6): the seven points themselves
  fit(&seven, steep, data, want);
  fit(&some, steep, data, coef);
  for (int k = 0; k < seven.n_table + 2; k++) MW_NEAR(coef[k], want[k], rounding(&a, 4.3));
  MW_FAILS(mw_axis_smooth(LO, HI, 3, &mem, &a, &err), MW_ERR_INPUT);
  MW_FAILS(mw_axis_smooth(HI, LO, 9, &mem, &a, &err), MW_ERR_INPUT);
  MW_CHECK(a.n == 13);
  mw_arena_free(&mem);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "splines_go_through_the_points_and_hold_cubics",
      splines_go_through_the_points_and_hold_cubics },
    { "derivatives_are_those_of_the_polynomial", derivatives_are_those_of_the_polynomial },
    { "weights_and_local_functions_are_the_tables_spline",
      weights_and_local_functions_are_the_tables_spline },
    { "weights_stay_small", weights_stay_small },
    { "fewer_points_do_than_equidistant_ones", fewer_points_do_than_equidistant_ones },
    { "some_of_the_points_are_an_axis_of_the_same_kind",
      some_of_the_points_are_an_axis_of_the_same_kind },
  };
  return mw_test_run("axis_smooth", cases, (int)(sizeof cases / sizeof *cases));
}
