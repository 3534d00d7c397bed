// SPDX-License-Identifier: BSD-3-Clause
// test_rigid_radau.c: the implicit Runge-Kutta method of the rigid path: conditions of order, its
// triangle, error estimate, and runs of what is stiff against a closed form.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "rigid/rigid_radau_priv.h"
#include "sim/rigidrun.h"

enum { N = MW_RADAU_STAGES };
static const double PI = 3.14159265358979323846, G = 9.81;
// sums of four products of numbers below 11
static const double ROUNDED = 4.0 * 11.0 * DBL_EPSILON;

// ---- coefficients -------------------------------------------------------------------------------

static double integral(const double *weight, int power)
{
  double sum = 0.0;
  for (int j = 0; j < N; j++) sum += weight[j] * pow(mw_radau_c[j], power);
  return sum;
}

// y' = tᵖ: stages to their order 3, the step to 5 and not to 6.
static void stages_and_weights_integrate_polynomials(void)
{
  for (int p = 0; p < 5; p++) {
    for (int i = 0; p < N && i < N; i++)
      MW_NEAR(integral(mw_radau_a[i], p), pow(mw_radau_c[i], p + 1) / (p + 1), ROUNDED);
    MW_NEAR(integral(mw_radau_a[N - 1], p), 1.0 / (p + 1), ROUNDED);
  }
  MW_CHECK(fabs(integral(mw_radau_a[N - 1], 5) - 1.0 / 6.0) > 1e-4);
}

// Unknown entries of U follow from the rows above: A = T U with ones on U's diagonal.
static void triangle_times_one_with_a_diagonal_of_ones_is_the_matrix(void)
{
  double U[N][N] = { { 0.0 } };
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double x = mw_radau_a[i][j];
      for (int k = 0; k < i; k++) x -= mw_radau_t[i][k] * U[k][j];
      U[i][j] = x / mw_radau_t[i][i];
      // divided by at least 0.19
      if (j <= i) MW_NEAR(U[i][j], j == i ? 1.0 : 0.0, 6.0 * ROUNDED);
      if (j > i) MW_CHECK(mw_radau_t[i][j] == 0.0);
    }
}

// h f(y_0) + Σ e_i Z_i of y' = tᵖ, h = 1
static void error_estimate_is_of_order_three(void)
{
  for (int p = 0; p <= N; p++) {
    double sum = p == 0 ? 1.0 : 0.0;
    for (int i = 0; i < N; i++) sum += mw_radau_e[i] * pow(mw_radau_c[i], p + 1) / (p + 1);
    if (p < N)
      MW_NEAR(sum, 0.0, ROUNDED);
    else
      MW_CHECK(fabs(sum) > 1e-3);
  }
}

static void gamma_is_an_eigenvalue_of_the_matrix(void)
{
  double B[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) B[i][j] = mw_radau_a[i][j] - (i == j ? mw_radau_gamma : 0.0);
  double det = B[0][0] * (B[1][1] * B[2][2] - B[1][2] * B[2][1]) -
               B[0][1] * (B[1][0] * B[2][2] - B[1][2] * B[2][0]) +
               B[0][2] * (B[1][0] * B[2][1] - B[1][1] * B[2][0]);
  MW_WITHIN(det, 0.0, 6.0 * DBL_EPSILON, "six products, whose roundings may cancel");
}

// ---- a stiff run --------------------------------------------------------------------------------

static bool run_by(const mw_fixture *f, mw_method method, double tolerance, mw_run *r)
{
  mw_error err = { 0 };
  mw_rigid_run_opt opt = mw_rigid_run_opt_default(&f->model.scenario[0]);
  opt.rigid.method = method;
  opt.rigid.tolerance = tolerance;
  return MW_OKAY(mw_rigid_run(&f->mech, &f->model.scenario[0], &opt, NULL, r, &err));
}

// ẇ = −b w + A sin ωt − g from rest: w = A (b sin ωt − ω cos ωt)/(b² + ω²) − g/b + C e^(−bt).
static double driven(double t)
{
  const double b = 1e5, A = 1e5, w = 2.0 * PI, d = b * b + w * w;
  double C = A * w / d + G / b;
  return A * (b * (1.0 - cos(w * t)) / w - sin(w * t)) / d - G / b * t + C * -expm1(-b * t) / b;
}

// 2 kg on a damper of 2e5 N s/m, pushed by 2e5 N sin 2πt: what decays at 1e5 1/s limits no step,
// and places between steps are as close as their ends.
static void steps_of_a_driven_damper_follow_its_motion_alone(void)
{
  static const char text[] =
      "modeway: 1\ngravity: [0, 0, -9.81]\n"
      "bodies: { block: { rigid: { mass: 2, inertia: [0.02, 0.03, 0.04, 0, 0, 0] } } }\n"
      "joints: { way: { prismatic: { a: ground, b: block, axis: [0, 0, 1] }, coordinate: z,\n"
      "  damping: 2e5 } }\n"
      "drives: { push: { coordinate: z } }\n"
      "outputs: { block: { body: block } }\n"
      "scenarios: { run: { initial: undeformed, duration: 1, step: 0.01, store: 0.0125,\n"
      "  drives: { push: { force: { sine: { amplitude: 2e5, frequency: 1 } } } } } }\n";
  static const double tolerance[] = { 1e-6, 1e-9 };
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  for (int i = 0; i < 2; i++) {
    mw_run r = { 0 };
    double worst = 0.0;
    if (run_by(&f, MW_METHOD_RADAU, tolerance[i], &r)) {
      for (int k = 0; k < r.n_t; k++) worst = fmax(worst, fabs(r.s[k] - driven(r.t[k])));
      printf("tolerance %.0e: %d steps, %d iterations, off by %.2e m, energy %.2e\n", tolerance[i],
             r.steps, r.iterations, worst, r.energy_drift);
      // explicit steps end at 6/b: 2e4 of them
      MW_CHECK(r.steps < 200);
      // errors of steps, below the tolerance by two orders in h, decay
      MW_WITHIN(worst, 0.0, tolerance[i], "the tolerance of the method");
    }
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "stages_and_weights_integrate_polynomials", stages_and_weights_integrate_polynomials },
    { "triangle_times_one_with_a_diagonal_of_ones_is_the_matrix",
      triangle_times_one_with_a_diagonal_of_ones_is_the_matrix },
    { "error_estimate_is_of_order_three", error_estimate_is_of_order_three },
    { "gamma_is_an_eigenvalue_of_the_matrix", gamma_is_an_eigenvalue_of_the_matrix },
    { "steps_of_a_driven_damper_follow_its_motion_alone",
      steps_of_a_driven_damper_follow_its_motion_alone },
  };
  return mw_test_run("rigid_radau", cases, (int)(sizeof cases / sizeof *cases));
}
