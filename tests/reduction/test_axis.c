// SPDX-License-Identifier: BSD-3-Clause
// test_axis.c: splines through points of a table that are not equidistant, exactly on the table;
// cyclic axes; more points.
#include "reduction/axis.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mw_test.h"
#include "reduction/spline.h"
#include "rom/rom.h"

static const double EPS = DBL_EPSILON;
enum { MOST = 512 };

// Widths of neighbouring intervals, in table intervals.
static mw_axis axis_of(int n_width, const int *width, double lo, double hi, bool cyclic, int *at)
{
  mw_axis a = { .lo = lo, .hi = hi, .cyclic = cyclic, .n = n_width + 1, .at = at };
  at[0] = 0;
  for (int k = 0; k < n_width; k++) at[k + 1] = at[k] + width[k];
  a.n_table = at[n_width] + 1;
  return a;
}

static const int GRADED[] = { 4, 4, 2, 1, 1, 2, 2, 4, 8, 4 };
enum { N_GRADED = sizeof GRADED / sizeof *GRADED };

// Value, derivative and third derivative of a table's spline at theta.
static double eval(const mw_axis *a, const double *coef, double theta, double *slope, double *third)
{
  double w[4], dw[4], value = 0.0, h = (a->hi - a->lo) / (a->n_table - 1);
  int cell;
  mw_rom_basis(a->n_table, a->lo, a->hi, theta, &cell, w, dw);
  const double *c = coef + cell;
  if (slope) *slope = 0.0;
  for (int k = 0; k < 4; k++) {
    value += w[k] * c[k];
    if (slope) *slope += dw[k] * c[k];
  }
  if (third) *third = (c[3] - 3.0 * c[2] + 3.0 * c[1] - c[0]) / (h * h * h);
  return value;
}

static void fit(const mw_axis *a, double (*f)(double), double *data, double *coef)
{
  mw_error err = { 0 };
  for (int k = 0; k < a->n; k++) data[k] = f(mw_axis_theta(a, k));
  MW_OKAY(mw_axis_fit(1, a, 1, data, coef, &err));
}

static double cubic(double x) { return 1.0 - 2.0 * x + 0.5 * x * x + 3.0 * x * x * x; }
static double cubic_slope(double x) { return -2.0 + x + 9.0 * x * x; }
static double quartic(double x) { return x * x * x * x - x * x; }
static double wave(double x) { return sin(5.0 * x + 0.4); }

// ---- one axis -----------------------------------------------------------------------------------

static void cubics_are_reproduced_on_any_points(void)
{
  static const int few[] = { 3, 1, 2 }, five[] = { 1, 2, 4, 3 }, six[] = { 4, 2, 1, 2, 4 };
  static const struct {
    int n;
    const int *width;
  } grid[] = { { 3, few }, { 4, five }, { 5, six }, { N_GRADED, GRADED } };
  int at[MOST];
  double data[64], coef[64], D[32 * 32];
  mw_error err = { 0 };
  for (size_t g = 0; g < sizeof grid / sizeof *grid; g++) {
    mw_axis a = axis_of(grid[g].n, grid[g].width, -0.7, 1.1, false, at);
    fit(&a, cubic, data, coef);
    // |f| < 6, divided differences weigh values by up to 24 (2 · 8)^4 of the widths' powers, which
    //   the elimination gives back
    // with factors below 10 for ratios of at most 2 to 4: 1000 roundings
    double tol = 1000 * 6 * EPS, h = 1.8 / (a.n_table - 1);
    for (int k = 0; k <= 200; k++) {
      double x = -0.7 + 1.8 * k / 200.0, slope;
      MW_NEAR(eval(&a, coef, x, &slope, NULL), cubic(x), tol);
      MW_NEAR(slope, cubic_slope(x), tol / h);
    }
    MW_OKAY(mw_axis_derivative(&a, D, &err));
    for (int k = 0; k < a.n; k++) {
      double d = 0.0, one = 0.0;
      for (int j = 0; j < a.n; j++) {
        d += D[k * a.n + j] * data[j];
        one += D[k * a.n + j];
      }
      MW_NEAR(d, cubic_slope(mw_axis_theta(&a, k)), tol / h);
      MW_NEAR(one, 0.0, tol / (6 * h));  // the same of f = 1
    }
  }
}

// Equidistant points: coefficients and derivatives of spline.c, here by another system of
// equations.
static void equidistant_points_give_the_spline_of_a_uniform_grid(void)
{
  double data[40], coef[128], want[42], D[40 * 40], want_D[40 * 40];
  mw_error err = { 0 };
  for (int n = 4; n <= 40; n++) {
    mw_arena mem = { 0 };
    mw_axis a = { 0 };
    double lo = -0.2, hi = 1.3, h = (hi - lo) / (n - 1);
    MW_OKAY(mw_axis_uniform(lo, hi, false, n, 1, &mem, &a, &err));
    fit(&a, wave, data, coef);
    MW_OKAY(mw_spline_fit(1, &n, 1, data, want, &err));
    // values up to 1, the outermost coefficients weigh them by 70 in all; ten roundings
    for (int k = 0; k < n + 2; k++) MW_NEAR(coef[k], want[k], 70 * 10 * EPS);
    MW_OKAY(mw_axis_derivative(&a, D, &err));
    MW_CHECK(mw_spline_derivative_matrix(n, lo, hi, want_D) == MW_OK);
    // zeros stand for entries below 64 eps of a row's largest, itself below 70/(2h)
    for (int k = 0; k < n * n; k++) MW_NEAR(D[k], want_D[k], 70 * (64 + 10) / (2.0 * h) * EPS);
    // a finer table: the same function
    MW_OKAY(mw_axis_uniform(lo, hi, false, n, 3, &mem, &a, &err));
    fit(&a, wave, data, coef);
    for (int k = 0; k <= 100; k++) {
      double x = lo + (hi - lo) * k / 100.0, v;
      MW_CHECK(mw_spline_eval(1, &n, &lo, &hi, 1, want, &x, &v, NULL) == MW_OK);
      MW_NEAR(eval(&a, coef, x, NULL, NULL), v, 70 * 20 * EPS);
    }
    mw_arena_free(&mem);
  }
}

// What makes a cubic spline on the grid: it takes the values, second derivatives are continuous at
// all points of the table (its basis has no others), and third derivatives jump at grid points
// only.
static void the_spline_on_the_table_has_knots_at_grid_points_alone(void)
{
  int at[MOST];
  double data[64], coef[64];
  mw_axis a = axis_of(N_GRADED, GRADED, 0.0, 1.0, false, at);
  fit(&a, wave, data, coef);
  double h = 1.0 / (a.n_table - 1), least = INFINITY;
  for (int k = 0, j = 0; j + 1 < a.n_table; j++) {
    double before, after;
    double v = eval(&a, coef, (j + 0.5) * h, NULL, &after);
    MW_CHECK(isfinite(v));
    if (j == at[k]) {  // a grid point
      MW_NEAR(eval(&a, coef, j * h, NULL, NULL), data[k], 20 * EPS);
      if (k > 0) {
        eval(&a, coef, (j - 0.5) * h, NULL, &before);
        least = fmin(least, fabs(after - before));
      }
      k++;
      continue;
    }
    eval(&a, coef, (j - 0.5) * h, NULL, &before);
    // coefficients below 2 with some 5 roundings each, 16 of them in two third differences
    MW_NEAR(after, before, 16 * 2 * 5 * EPS / (h * h * h));
  }
  MW_CHECK(least > 1e3 * 16 * 2 * 5 * EPS / (h * h * h));  // and there they do jump
}

// The same points on a table three times as fine.
static void a_finer_table_holds_the_same_function(void)
{
  int at[MOST], fine_at[MOST], width[N_GRADED];
  double data[64], coef[64], fine[128];
  mw_axis a = axis_of(N_GRADED, GRADED, 0.0, 1.0, false, at);
  for (int k = 0; k < N_GRADED; k++) width[k] = 3 * GRADED[k];
  mw_axis b = axis_of(N_GRADED, width, 0.0, 1.0, false, fine_at);
  fit(&a, wave, data, coef);
  fit(&b, wave, data, fine);
  for (int k = 0; k <= 300; k++) {
    double x = k / 300.0, slope, fine_slope;
    double v = eval(&a, coef, x, &slope, NULL), u = eval(&b, fine, x, &fine_slope, NULL);
    MW_NEAR(u, v, 40 * EPS);  // values below 2, 4 weights each, 5 roundings in each coefficient
    MW_NEAR(fine_slope, slope, 40 * EPS * 2.0 * (b.n_table - 1));
  }
}

// The ends: a quartic on points that go on with the first and last width for 40 intervals on either
// side, after which the ends' influence is 0.27^40 = 1e-23, gives the same spline between.
static void quartics_are_interpolated_as_if_there_was_no_end(void)
{
  enum { MORE = 40 };
  int at[MOST], long_at[MOST], width[N_GRADED + 2 * MORE];
  static double data[128], coef[1024], long_coef[1024];
  mw_axis a = axis_of(N_GRADED, GRADED, 0.0, 1.0, false, at);
  double h = 1.0 / (a.n_table - 1);
  for (int k = 0; k < N_GRADED + 2 * MORE; k++) {
    int j = k - MORE;
    width[k] = GRADED[j < 0 ? 0 : j < N_GRADED ? j : N_GRADED - 1];
  }
  int left = MORE * GRADED[0], right = MORE * GRADED[N_GRADED - 1];
  mw_axis b = axis_of(N_GRADED + 2 * MORE, width, -left * h, 1.0 + right * h, false, long_at);
  fit(&a, quartic, data, coef);
  fit(&b, quartic, data, long_coef);
  double error = 0.0;
  for (int k = 0; k <= 400; k++) {
    double x = k / 400.0, v = eval(&a, coef, x, NULL, NULL);
    // values up to 1800 far out, 10 roundings of those where they are of size 1: the grid points'
    // places, rounded to eps · 6, move the values on (0, 1) by 2 · 6 eps; ends as in
    // cubics_are_reproduced
    MW_NEAR(v, eval(&b, long_coef, x, NULL, NULL), 1000 * EPS);
    error = fmax(error, fabs(v - quartic(x)));
  }
  MW_CHECK(error > 1e-6);  // it is not reproduced
}

// Largest error inside the outer intervals [0], elsewhere [1].
static void wave_errors(const mw_axis *a, double error[2])
{
  static double data[1024], coef[4096];
  fit(a, wave, data, coef);
  error[0] = error[1] = 0.0;
  double first = mw_axis_theta(a, 1), last = mw_axis_theta(a, a->n - 2);
  for (int k = 0; k <= 4000; k++) {
    double x = k / 4000.0, e = fabs(eval(a, coef, x, NULL, NULL) - wave(x));
    int in = x > first && x < last;
    error[in] = fmax(error[in], e);
  }
}

static void errors_fall_with_order_four_up_to_the_ends(void)
{
  int at[MOST];
  double before[2] = { 0.0 }, error[2] = { 0.0 };
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  unsigned char all[512];
  memset(all, 1, sizeof all);
  mw_axis a = axis_of(N_GRADED, GRADED, 0.0, 1.0, false, at);
  for (int level = 0; level < 5; level++) {
    int *from;
    memcpy(before, error, sizeof before);
    wave_errors(&a, error);
    if (level < 4) MW_OKAY(mw_axis_split(&a, all, &mem, &a, &from, &err));
  }
  // widest interval 8/32/16 of the length, 5 rad a unit: the next term of the error is 0.08 of the
  // first, log2 1.08 = 0.1; the ends' next term has the stencil's 6 points in it: 6 · 0.08, log2
  // 1.5 = 0.6
  MW_NEAR(log2(before[1] / error[1]), 4.0, 0.1);
  MW_CHECK(log2(before[0] / error[0]) > 4.0 - 0.6);
  // the outer intervals, 4 wide, are not worse than the widest one inside, 8 wide
  MW_CHECK(error[0] < error[1]);
  mw_arena_free(&mem);
}

static void weights_are_the_spline_and_sum_to_one(void)
{
  int at[MOST];
  double data[64], coef[64], w[64], most = 0.0;
  mw_error err = { 0 };
  mw_axis a = axis_of(N_GRADED, GRADED, -1.0, 1.0, false, at);
  fit(&a, wave, data, coef);
  for (int k = 0; k <= 100; k++) {
    double x = -1.0 + 2.0 * k / 100.0, v = 0.0, sum = 0.0, size = 0.0;
    MW_OKAY(mw_axis_weights(&a, x, w, &err));
    for (int j = 0; j < a.n; j++) {
      v += w[j] * data[j];
      sum += w[j];
      size += fabs(w[j]);
    }
    most = fmax(most, size);  // bounded for ratios of neighbouring widths up to 2
    // values and their weights below 3 in all, 40 roundings on the way through (1), ends as in
    // cubics_are_reproduced
    MW_NEAR(sum, 1.0, 1000 * EPS);
    MW_NEAR(v, eval(&a, coef, x, NULL, NULL), 1000 * EPS);
  }
  // what is rounded or not smooth is magnified no more than twice as much as by the 3.3 of
  // equidistant points
  MW_CHECK(most < 2.0 * 3.3);
  for (int k = 0; k < a.n; k++) {
    MW_OKAY(mw_axis_weights(&a, mw_axis_theta(&a, k), w, &err));
    for (int j = 0; j < a.n; j++) MW_NEAR(w[j], j == k, 10 * EPS);
  }
  w[0] = 7.0;
  MW_FAILS(mw_axis_weights(&a, 1.0 + 3e-9, w, &err), MW_ERR_RANGE);
  MW_FAILS(mw_axis_weights(&a, NAN, w, &err), MW_ERR_RANGE);
  MW_CHECK(w[0] == 7.0);
}

// ---- cyclic axes --------------------------------------------------------------------------------

static double pi(void) { return acos(-1.0); }

static double turn(double x) { return exp(cos(x)) * sin(x + 0.3); }
static double turn_slope(double x) { return exp(cos(x)) * (cos(x + 0.3) - sin(x) * sin(x + 0.3)); }

// Four local functions, not negative, that sum to one, with coefficients that are sums of grid
// values are the spline of the weights, found in another way (second derivatives).
// Error: that of C, whose equations have N rows of four entries that sum to one and the weights on
// the right: N eps (1 + |C|), |C| the largest sum of a row's magnitudes.
static void local_functions_are_the_spline(void)
{
  enum { PLACES = 200 };
  for (int cyclic = 0; cyclic < 2; cyclic++) {
    int at[N_GRADED + 1];
    mw_axis a = axis_of(N_GRADED, GRADED, -0.3, 1.1, cyclic, at);
    double C[(N_GRADED + 3) * (N_GRADED + 1)], w[N_GRADED + 1], most = 0.0;
    mw_error err = { 0 };
    int n = a.n, rows = n + 2;
    if (!MW_OKAY(mw_axis_local_matrix(&a, C, &err))) return;
    for (int j = 0; j < rows; j++) {
      double sum = 0.0;
      for (int i = 0; i < n; i++) sum += fabs(C[j * n + i]);
      most = fmax(most, sum);
    }
    for (int p = 0; p <= PLACES; p++) {
      double theta = p == PLACES ? a.hi : a.lo + (a.hi - a.lo) * p / PLACES, b[4], sum = 0.0;
      int first = mw_axis_local(&a, theta, b);
      if (!MW_CHECK(first >= 0 && first + 4 <= rows)) return;
      for (int k = 0; k < 4; k++) {
        MW_CHECK(b[k] >= -4.0 * EPS);
        sum += b[k];
      }
      MW_NEAR(sum, 1.0, 16.0 * EPS);
      MW_OKAY(mw_axis_weights(&a, theta, w, &err));
      for (int i = 0; i < n; i++) {
        double x = 0.0;
        for (int k = 0; k < 4; k++) x += b[k] * C[(first + k) * n + i];
        MW_NEAR(x, w[i], rows * EPS * (1.0 + most));
      }
    }
  }
}

// cos(p k h) at equidistant points: c_{k+1} = 6 cos(p k h) / (4 + 2 cos(p h)), from c_k + 4 c_{k+1}
// + c_{k+2} = 6 f.
static void a_cosine_on_a_cyclic_axis_has_coefficients_in_closed_form(void)
{
  double data[64], coef[64];
  mw_error err = { 0 };
  for (int n = 4; n <= 33; n += 29) {
    mw_arena mem = { 0 };
    mw_axis a = { 0 };
    MW_OKAY(mw_axis_uniform(0.0, 2.0 * pi(), true, n, 1, &mem, &a, &err));
    double h = 2.0 * pi() / (n - 1);
    for (int k = 0; k < n; k++) data[k] = cos(k * h);
    MW_OKAY(mw_axis_fit(1, &a, 1, data, coef, &err));
    // below 3, conditioned by 3, ten roundings
    for (int k = 0; k < n + 2; k++)
      MW_NEAR(coef[k], 6.0 * cos((k - 1) * h) / (4.0 + 2.0 * cos(h)), 3 * 3 * 10 * EPS);
    mw_arena_free(&mem);
  }
}

static const int ROUND[] = { 4, 4, 2, 1, 1, 2, 2, 4, 8, 8, 4, 4 };
enum { N_ROUND = sizeof ROUND / sizeof *ROUND };

// One turn of many, on an axis with ends that are far: 0.27^36 = 3e-21.
static void a_cyclic_spline_is_one_turn_of_a_long_one(void)
{
  enum { TURNS = 7 };
  int at[MOST], long_at[MOST], width[TURNS * N_ROUND];
  static double data[128], coef[128], long_coef[1024], D[1024], w[128];
  mw_error err = { 0 };
  mw_axis a = axis_of(N_ROUND, ROUND, 0.0, 2.0 * pi(), true, at);
  for (int k = 0; k < TURNS * N_ROUND; k++) width[k] = ROUND[k % N_ROUND];
  mw_axis b = axis_of(TURNS * N_ROUND, width, -6.0 * pi(), 8.0 * pi(), false, long_at);
  fit(&b, turn, data, long_coef);
  fit(&a, turn, data, coef);
  MW_OKAY(mw_axis_derivative(&a, D, &err));
  // values below 3; places of the long axis rounded to 25 eps, times slopes below 3; 40 roundings
  double tol = (25 * 3 + 3 * 40) * EPS, h = 2.0 * pi() / (a.n_table - 1);
  for (int k = 0; k <= 200; k++) {
    double x = 2.0 * pi() * k / 200.0, slope, want, v = 0.0;
    MW_NEAR(eval(&a, coef, x, &slope, NULL), eval(&b, long_coef, x, &want, NULL), tol);
    MW_NEAR(slope, want, tol / h);
    MW_OKAY(mw_axis_weights(&a, x - 6.0 * pi(), w, &err));  // any theta
    for (int j = 0; j < a.n; j++) v += w[j] * data[j];
    MW_NEAR(v, eval(&b, long_coef, x, NULL, NULL), tol);
  }
  for (int k = 0; k < a.n; k++) {
    double d = 0.0, slope;
    for (int j = 0; j < a.n; j++) d += D[k * a.n + j] * data[j];
    eval(&a, coef, mw_axis_theta(&a, k), &slope, NULL);
    MW_NEAR(d, slope, 2.0 * tol / h);
  }
  // the table is periodic: coefficients repeat after a turn
  for (int k = 0; k < 3; k++) MW_NEAR(coef[k + a.n_table - 1], coef[k], tol);
}

static void derivatives_of_a_cyclic_spline_converge_with_order_four_at_equidistant_points(void)
{
  double data[129], D[129 * 129], error[2] = { 0.0 };
  mw_error err = { 0 };
  for (int level = 0; level < 2; level++) {
    int n = level == 0 ? 33 : 65;
    mw_arena mem = { 0 };
    mw_axis a = { 0 };
    MW_OKAY(mw_axis_uniform(0.0, 2.0 * pi(), true, n, 1, &mem, &a, &err));
    for (int k = 0; k < n; k++) data[k] = turn(mw_axis_theta(&a, k));
    MW_OKAY(mw_axis_derivative(&a, D, &err));
    for (int k = 0; k < n; k++) {
      double d = 0.0;
      for (int j = 0; j < n; j++) d += D[k * n + j] * data[j];
      error[level] = fmax(error[level], fabs(d - turn_slope(mw_axis_theta(&a, k))));
    }
    mw_arena_free(&mem);
  }
  // s' − f' = −h⁴ f⁽⁵⁾/180 + O(h⁶), relative (h p)²/8 with the highest wave p = 6 or so that
  // counts: 0.17, log2 = 0.25
  MW_NEAR(log2(error[0] / error[1]), 4.0, 0.25);
}

// ---- several axes -------------------------------------------------------------------------------

// A product of cubics in up to six coordinates, one of them cyclic (a cosine, by its closed form).
static void products_are_fitted_axis_by_axis_in_six_coordinates(void)
{
  static const int width[6][5] = { { 1, 2, 1 }, { 2, 1, 1 }, { 1, 1, 1, 1 },
                                   { 1, 1, 2 }, { 1, 1, 1 }, { 1, 2, 2 } };
  static const int n_width[6] = { 3, 3, 4, 3, 3, 3 };
  int at[6][8];
  mw_axis a[6];
  mw_error err = { 0 };
  for (int s = 1; s <= 6; s++) {
    for (int i = 0; i < s; i++) {
      a[i] = axis_of(n_width[i], width[i], -0.5, 0.5 + 0.1 * i, i == 2, at[i]);
      if (i == 2) a[i].hi = a[i].lo + 2.0 * pi();
    }
    size_t n_data = 2, n_coef = mw_axis_n_coef(s, a, 2);
    for (int i = 0; i < s; i++) n_data *= (size_t)a[i].n;
    double *data = malloc(n_data * sizeof *data), *coef = malloc(n_coef * sizeof *coef);
    if (!MW_CHECK(data && coef)) return;
    for (size_t g = 0; g < n_data / 2; g++) {
      double f = 1.0;
      size_t rest = g;
      for (int i = s - 1; i >= 0; i--) {
        double x = mw_axis_theta(&a[i], (int)(rest % (size_t)a[i].n));
        f *= i == 2 ? cos(x - a[i].lo) : 1.0 + x * x - x * x * x / (i + 1);
        rest /= (size_t)a[i].n;
      }
      data[2 * g] = f;
      data[2 * g + 1] = 2.0;
    }
    MW_OKAY(mw_axis_fit(s, a, 2, data, coef, &err));
    // coefficients of the product: products of coefficients; each axis up to 3 with 50 roundings
    for (size_t c = 0; c < n_coef / 2; c++) {
      double f = 1.0;
      size_t rest = c;
      for (int i = s - 1; i >= 0; i--) {
        int k = (int)(rest % ((size_t)a[i].n_table + 2)) - 1;
        double h = (a[i].hi - a[i].lo) / (a[i].n_table - 1), x = a[i].lo + h * k;
        // of a cubic: f(x) − h² f''(x) / 6
        f *= i == 2 ? 6.0 * cos(h * k) / (4.0 + 2.0 * cos(h))
                    : 1.0 + x * x - x * x * x / (i + 1) - h * h * (2.0 - 6.0 * x / (i + 1)) / 6.0;
        rest /= (size_t)a[i].n_table + 2;
      }
      MW_NEAR(coef[2 * c], f, s * pow(3.0, s) * 50 * EPS);
      MW_NEAR(coef[2 * c + 1], 2.0, s * pow(3.0, s) * 50 * EPS);
    }
    free(data);
    free(coef);
  }
}

// ---- points -------------------------------------------------------------------------------------

static void intervals_are_halved_and_wide_neighbours_follow(void)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_axis a = { 0 }, b = { 0 };
  int *from = NULL;
  MW_OKAY(mw_axis_uniform(0.0, 1.0, false, 6, 2, &mem, &a, &err));
  // widths 2 2 2 2 2 → 2 2 1 1 2 2 on the same table
  unsigned char split[64] = { [2] = 1 };
  MW_OKAY(mw_axis_split(&a, split, &mem, &b, &from, &err));
  static const int want_at[] = { 0, 2, 4, 5, 6, 8, 10 }, want_from[] = { 0, 1, 2, -1, 3, 4, 5 };
  if (MW_CHECK(b.n == 7 && b.n_table == 11))
    MW_CHECK(memcmp(b.at, want_at, sizeof want_at) == 0 &&
             memcmp(from, want_from, sizeof want_from) == 0);
  // again: 1 becomes two halves, the table doubles, and the interval of 2 beside it has to follow
  memset(split, 0, sizeof split);
  split[2] = 1;
  MW_OKAY(mw_axis_split(&b, split, &mem, &a, &from, &err));
  static const int next_at[] = { 0, 4, 6, 8, 9, 10, 12, 16, 20 };
  if (MW_CHECK(a.n == 9 && a.n_table == 21)) MW_CHECK(memcmp(a.at, next_at, sizeof next_at) == 0);
  mw_axis c = { 0 };  // every interval in three
  MW_OKAY(mw_axis_subdivide(&b, 3, &mem, &c, &err));
  if (MW_CHECK(c.n == 19 && c.n_table == 31))
    for (int k = 0; k < c.n; k++) {
      double x = mw_axis_theta(&b, k / 3), next = k % 3 > 0 ? mw_axis_theta(&b, k / 3 + 1) : x;
      MW_NEAR(mw_axis_theta(&c, k), x + k % 3 * (next - x) / 3.0, EPS);
    }
  for (int k = 0, old = 0; k < a.n; k++)
    if (from[k] >= 0) {
      MW_CHECK(from[k] == old++);
      MW_NEAR(mw_axis_theta(&a, k), mw_axis_theta(&b, from[k]), EPS);
    }
  mw_arena_free(&mem);
}

// The first interval alone is halved again and again: widths stay within 2 of each other, the last
// interval's too on a cyclic axis, where it is the neighbour of the first.
static void widths_of_neighbours_differ_by_two_at_most(void)
{
  mw_error err = { 0 };
  for (int cyclic = 0; cyclic < 2; cyclic++) {
    mw_arena mem = { 0 };
    mw_axis a = { 0 };
    MW_OKAY(mw_axis_uniform(0.0, 1.0, cyclic, 6, 1, &mem, &a, &err));
    for (int level = 0; level < 6; level++) {
      int *from;
      unsigned char split[128] = { 1 };
      MW_OKAY(mw_axis_split(&a, split, &mem, &a, &from, &err));
      for (int k = 0; k + 1 < a.n - !cyclic; k++) {
        int w = a.at[k + 1] - a.at[k], l = (k + 1) % (a.n - 1), v = a.at[l + 1] - a.at[l];
        MW_CHECK(w <= 2 * v && v <= 2 * w);
      }
    }
    MW_CHECK(a.n_table == 5 * 64 + 1 && a.at[1] == 1);
    MW_CHECK(cyclic == (a.n_table - 1 - a.at[a.n - 2] <= 2));
    mw_arena_free(&mem);
  }
}

static void bad_axes_are_refused_and_leave_the_output(void)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_axis a = { .n = -1 };
  double data[8] = { 0.0 }, coef[16] = { 7.0 };
  MW_FAILS(mw_axis_uniform(0.0, 1.0, false, 3, 1, &mem, &a, &err), MW_ERR_INPUT);
  MW_FAILS(mw_axis_uniform(0.0, 1.0, false, 4, 0, &mem, &a, &err), MW_ERR_INPUT);
  MW_FAILS(mw_axis_uniform(1.0, 1.0, false, 4, 1, &mem, &a, &err), MW_ERR_INPUT);
  MW_FAILS(mw_axis_uniform(0.0, NAN, false, 4, 1, &mem, &a, &err), MW_ERR_INPUT);
  MW_CHECK(a.n == -1);
  int at[4] = { 0, 2, 2, 3 };
  a = (mw_axis){ .hi = 1.0, .n = 4, .n_table = 4, .at = at };
  MW_FAILS(mw_axis_fit(1, &a, 1, data, coef, &err), MW_ERR_INPUT);
  at[1] = 1;
  MW_FAILS(mw_axis_fit(0, &a, 1, data, coef, &err), MW_ERR_INPUT);
  MW_FAILS(mw_axis_fit(MW_ROM_MAX_S + 1, &a, 1, data, coef, &err), MW_ERR_INPUT);
  MW_CHECK(coef[0] == 7.0);
  MW_OKAY(mw_axis_fit(1, &a, 1, data, coef, &err));
  mw_arena_free(&mem);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "cubics_are_reproduced_on_any_points", cubics_are_reproduced_on_any_points },
    { "equidistant_points_give_the_spline_of_a_uniform_grid",
      equidistant_points_give_the_spline_of_a_uniform_grid },
    { "the_spline_on_the_table_has_knots_at_grid_points_alone",
      the_spline_on_the_table_has_knots_at_grid_points_alone },
    { "a_finer_table_holds_the_same_function", a_finer_table_holds_the_same_function },
    { "quartics_are_interpolated_as_if_there_was_no_end",
      quartics_are_interpolated_as_if_there_was_no_end },
    { "errors_fall_with_order_four_up_to_the_ends", errors_fall_with_order_four_up_to_the_ends },
    { "weights_are_the_spline_and_sum_to_one", weights_are_the_spline_and_sum_to_one },
    { "local_functions_are_the_spline", local_functions_are_the_spline },
    { "a_cosine_on_a_cyclic_axis_has_coefficients_in_closed_form",
      a_cosine_on_a_cyclic_axis_has_coefficients_in_closed_form },
    { "a_cyclic_spline_is_one_turn_of_a_long_one", a_cyclic_spline_is_one_turn_of_a_long_one },
    { "derivatives_of_a_cyclic_spline_converge_with_order_four_at_equidistant_points",
      derivatives_of_a_cyclic_spline_converge_with_order_four_at_equidistant_points },
    { "products_are_fitted_axis_by_axis_in_six_coordinates",
      products_are_fitted_axis_by_axis_in_six_coordinates },
    { "intervals_are_halved_and_wide_neighbours_follow",
      intervals_are_halved_and_wide_neighbours_follow },
    { "widths_of_neighbours_differ_by_two_at_most", widths_of_neighbours_differ_by_two_at_most },
    { "bad_axes_are_refused_and_leave_the_output", bad_axes_are_refused_and_leave_the_output },
  };
  return mw_test_run("axis", cases, (int)(sizeof cases / sizeof *cases));
}
