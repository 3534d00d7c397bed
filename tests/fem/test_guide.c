// SPDX-License-Identifier: BSD-3-Clause
// test_guide.c: weights of a guide: what they reproduce, how smooth they are, their derivatives. Of
// displacements across beams: test_guide_beam.c.
#include <float.h>
#include <math.h>
#include <string.h>

#include "fixture_body.h"
#include "mw_test.h"

enum { N_MAX = 80 };

static const double EPS = DBL_EPSILON, PI = 3.14159265358979323846;

// A guide over two members: na elements on 0.5 m, then nb on 0.7 m.
static const mw_guide *make_guide(int na, int nb, mw_arena *mem, mw_body *b)
{
  fixture_body f;
  mw_error err = { 0 };
  fixture_init(&f);
  int p = fixture_point(&f, "p", 0.1, 0.2, 0.3), q = fixture_point(&f, "q", 0.6, 0.2, 0.3),
      r = fixture_point(&f, "r", 1.3, 0.2, 0.3);
  fixture_member(&f, p, q, na);
  fixture_member(&f, q, r, nb);
  fixture_guide(&f, "rail", p, r);
  if (!MW_OKAY(mw_body_build(&f.model, 0, mem, b, &err))) return NULL;
  return &b->guide[0];
}

// Rounding of what is summed in one weight: |W| <= 1 + h²/6 · 0.4 · Σ|spline|, with a spline from
// a matrix of condition 3. Of slopes twice over h, of curvatures once over h².
static double rounding(const mw_guide *g)
{
  double most = 0.0;
  for (int j = 0; j < g->n; j++) {
    double sum = 0.0, h = g->length / (g->n - 1);
    for (int i = 0; i < g->n; i++) sum += fabs(g->spline[j * g->n + i]);
    most = fmax(most, sum * h * h);
  }
  return mw_test_rounding(g->n, 3.0 * (1.0 + most));
}

static double apply(const mw_guide *g, const double *W, double (*u)(double))
{
  double sum = 0.0;
  for (int j = 0; j < g->n; j++) sum += W[j] * u(g->s[j]);
  return sum;
}

static double one(double s) { return 1.0 + 0.0 * s; }
static double line(double s) { return s; }
static double cubic(double s) { return 0.3 - 1.1 * s + 0.7 * s * s - 2.0 * s * s * s; }
static double cubic1(double s) { return -1.1 + 1.4 * s - 6.0 * s * s; }
static double cubic2(double s) { return 1.4 - 12.0 * s; }
static double wave(double s) { return sin(2.0 * PI * s / 1.2); }

static void constant_and_linear_data_are_exact(void)
{
  mw_arena mem = { 0 };
  mw_body b;
  mw_error err = { 0 };
  double W[N_MAX], W1[N_MAX], W2[N_MAX];
  const mw_guide *g = make_guide(6, 5, &mem, &b);
  for (int k = 0; g != NULL && k <= 60; k++)
    for (int l = 0; l < 3; l++) {
      double s = g->length * k / 60.0, tol = rounding(g), h = g->length / g->n;
      MW_OKAY(mw_guide_weights(g, s, 0.1 * l, W, W1, W2, &err));
      MW_NEAR(apply(g, W, one), 1.0, tol);
      MW_NEAR(apply(g, W, line), s, tol);
      MW_NEAR(apply(g, W1, one), 0.0, 2.0 * tol / h);
      MW_NEAR(apply(g, W1, line), 1.0, 2.0 * tol / h);
      MW_NEAR(apply(g, W2, line), 0.0, tol / (h * h));
    }
  mw_arena_free(&mem);
}

// not-a-knot: cubics are reproduced; the mean over l adds u'' l²/24
static void cubic_data_are_exact(void)
{
  mw_arena mem = { 0 };
  mw_body b;
  mw_error err = { 0 };
  double W[N_MAX], W1[N_MAX], W2[N_MAX];
  const mw_guide *g = make_guide(4, 7, &mem, &b);
  for (int k = 0; g != NULL && k <= 60; k++)
    for (int l = 0; l < 3; l++) {
      double s = g->length * k / 60.0, len = 0.12 * l, tol = 4.0 * rounding(g),  // |cubic| < 4

          h = g->length / g->n;
      MW_OKAY(mw_guide_weights(g, s, len, W, W1, W2, &err));
      MW_NEAR(apply(g, W, cubic), cubic(s) + cubic2(s) * len * len / 24.0, tol);
      MW_NEAR(apply(g, W1, cubic), cubic1(s) - 12.0 * len * len / 24.0, 2.0 * tol / h);
      MW_NEAR(apply(g, W2, cubic), cubic2(s), tol / (h * h));
    }
  mw_arena_free(&mem);
}

// largest third derivative of the weights, and so the Lipschitz constant of W''
static double third_derivative(const mw_guide *g)
{
  double most = 0.0;
  for (int j = 0; j + 1 < g->n; j++)
    for (int i = 0; i < g->n; i++)
      most = fmax(most, fabs(g->spline[(j + 1) * g->n + i] - g->spline[j * g->n + i]) /
                            (g->s[j + 1] - g->s[j]));
  return most;
}

// W2 changes by no more than 2 δ max|W'''| between s_j − δ and s_j + δ (a kink would change it by
// 1/h²)
static void second_derivative_is_continuous_across_nodes(void)
{
  mw_arena mem = { 0 };
  mw_body b;
  mw_error err = { 0 };
  double A[3][N_MAX], B[3][N_MAX], delta = 1e-7;
  const mw_guide *g = make_guide(6, 5, &mem, &b);
  double w3 = g != NULL ? third_derivative(g) : 0.0;
  for (int j = 1; g != NULL && j + 1 < g->n; j++)
    for (int l = 0; l < 2; l++) {
      double worst = 0.0, h = g->length / g->n;
      MW_OKAY(mw_guide_weights(g, g->s[j] - delta, 0.1 * l, A[0], A[1], A[2], &err));
      MW_OKAY(mw_guide_weights(g, g->s[j] + delta, 0.1 * l, B[0], B[1], B[2], &err));
      for (int i = 0; i < g->n; i++) worst = fmax(worst, fabs(A[2][i] - B[2][i]));
      MW_NEAR(worst, 0.0, 2.0 * delta * w3 + rounding(g) / (h * h));
    }
  mw_arena_free(&mem);
}

// central differences: truncation δ²/6 |W'''|max for W', δ |W'''|max for W'' (W''' jumps),
// rounding/δ
static void derivatives_match_finite_differences(void)
{
  mw_arena mem = { 0 };
  mw_body b;
  mw_error err = { 0 };
  double W[N_MAX], W1[N_MAX], W2[N_MAX], P[2][N_MAX], M[2][N_MAX], delta = 1e-5;
  const mw_guide *g = make_guide(6, 5, &mem, &b);
  double w3 = g != NULL ? third_derivative(g) : 0.0;
  for (int k = 1; g != NULL && k < 40; k++)
    for (int l = 0; l < 3; l++) {
      double s = g->length * k / 40.0, e1 = 0.0, e2 = 0.0, tol = rounding(g), h = g->length / g->n;
      MW_OKAY(mw_guide_weights(g, s, 0.15 * l, W, W1, W2, &err));
      MW_OKAY(mw_guide_weights(g, s + delta, 0.15 * l, P[0], P[1], NULL, &err));
      MW_OKAY(mw_guide_weights(g, s - delta, 0.15 * l, M[0], M[1], NULL, &err));
      for (int i = 0; i < g->n; i++) {
        e1 = fmax(e1, fabs((P[0][i] - M[0][i]) / (2.0 * delta) - W1[i]));
        e2 = fmax(e2, fabs((P[1][i] - M[1][i]) / (2.0 * delta) - W2[i]));
      }
      MW_NEAR(e1, 0.0, delta * delta / 6.0 * w3 + tol / delta);
      MW_NEAR(e2, 0.0, delta * w3 + 10.0 * tol / (h * delta));
    }
  mw_arena_free(&mem);
}

// halving the elements divides the error of a smooth line by 2⁴, by 12 at least where h⁵ still
// counts
static void interpolation_is_of_fourth_order(void)
{
  double error[3] = { 0 };
  for (int level = 0; level < 3; level++) {
    mw_arena mem = { 0 };
    mw_body b;
    mw_error err = { 0 };
    double W[N_MAX];
    int n = 8 << level;
    const mw_guide *g = make_guide(n, n, &mem, &b);
    for (int k = 0; g != NULL && k <= 400; k++) {
      double s = g->length * k / 400.0;
      MW_OKAY(mw_guide_weights(g, s, 0.0, W, NULL, NULL, &err));
      error[level] = fmax(error[level], fabs(apply(g, W, wave) - wave(s)));
    }
    mw_arena_free(&mem);
  }
  MW_CHECK(error[0] > 12.0 * error[1]);
  MW_CHECK(error[1] > 12.0 * error[2]);
  MW_CHECK(error[2] < 1e-6);
}

static void contact_beyond_the_end_is_refused(void)
{
  mw_arena mem = { 0 };
  mw_body b;
  mw_error err = { 0 };
  double W[N_MAX];
  const mw_guide *g = make_guide(6, 5, &mem, &b);
  if (g != NULL) {
    double L = g->length;
    MW_OKAY(mw_guide_weights(g, -0.5e-9 * L, 0.0, W, NULL, NULL, &err));
    MW_OKAY(mw_guide_weights(g, L, 0.1, W, NULL, NULL, &err));
    MW_FAILS(mw_guide_weights(g, -2e-9 * L, 0.0, W, NULL, NULL, &err), MW_ERR_RANGE);
    MW_FAILS(mw_guide_weights(g, 1.001 * L, 0.0, W, NULL, NULL, &err), MW_ERR_RANGE);
    MW_FAILS(mw_guide_weights(g, (double)NAN, 0.0, W, NULL, NULL, &err), MW_ERR_RANGE);
    MW_CHECK(strstr(err.msg, "'rail'") != NULL);
  }
  mw_arena_free(&mem);
}

static void axes_are_orthonormal_and_nodes_ascend(void)
{
  mw_arena mem = { 0 };
  mw_body b;
  const mw_guide *g = make_guide(6, 5, &mem, &b);
  if (g != NULL) {
    MW_CHECK(g->n == 12 && g->rot);
    MW_NEAR(g->length, 1.2, 4.0 * EPS);
    for (int j = 1; j < g->n; j++) MW_CHECK(g->s[j] > g->s[j - 1]);
    // the line runs along x, the normal was given as [0.3, 0.1, 1]
    double n = sqrt(1.01);
    MW_NEAR(g->n1[1], 0.1 / n, 4.0 * EPS);
    MW_NEAR(g->n1[2], 1.0 / n, 4.0 * EPS);
    MW_NEAR(g->n2[1], -1.0 / n, 4.0 * EPS);
    MW_NEAR(g->n2[2], 0.1 / n, 4.0 * EPS);
  }
  mw_arena_free(&mem);
}

static const mw_test_case cases[] = {
  { "constant_and_linear_data_are_exact", constant_and_linear_data_are_exact },
  { "cubic_data_are_exact", cubic_data_are_exact },
  { "second_derivative_is_continuous_across_nodes", second_derivative_is_continuous_across_nodes },
  { "derivatives_match_finite_differences", derivatives_match_finite_differences },
  { "interpolation_is_of_fourth_order", interpolation_is_of_fourth_order },
  { "contact_beyond_the_end_is_refused", contact_beyond_the_end_is_refused },
  { "axes_are_orthonormal_and_nodes_ascend", axes_are_orthonormal_and_nodes_ascend },
};

int main(void) { return mw_test_run("guide", cases, (int)(sizeof cases / sizeof *cases)); }
