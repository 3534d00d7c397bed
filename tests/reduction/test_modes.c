// SPDX-License-Identifier: BSD-3-Clause
// test_modes.c: block Lanczos against closed forms, dense eigenproblems and ARPACK.
#include <arpack/arpack.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "reduction/system.h"

// A clamped beam of n elements, width b and height h (m), κ = 0; unknowns 6 n.
static bool cantilever(int n, double b, double h, mw_fixture *f)
{
  char text[1024];
  snprintf(
      text, sizeof text,
      "modeway: 1\nname: cantilever\nmaterials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
      "sections: { bar: { rectangle: { width: %g, height: %g }, shear: false, rotary: false } }\n"
      "bodies:\n  beam:\n    ground: true\n    beams:\n"
      "      points: { a: [0, 0, 0], b: [1, 0, 0] }\n"
      "      members: [ { from: a, to: b, section: bar, material: steel, elements: %d, "
      "up: [0, 0, 1] } ]\n"
      "    supports: [ { nodes: a } ]\n",
      b, h, n);
  return MW_CHECK(mw_fixture_text(text, f));
}

typedef struct problem {  // the mechanism of a fixture where it stands, locked
  mw_fixture f;
  mw_blocks *bl;
  mw_system *sys;
  int n;
  unsigned char *locked;
} problem;

static bool pose(problem *p, double sigma)
{
  mw_error err = { 0 };
  p->locked = malloc((size_t)p->f.mech.n_coord + 1);
  memset(p->locked, 1, (size_t)p->f.mech.n_coord + 1);
  bool good = MW_OKAY(mw_blocks_build(&p->f.mech, sigma, false, &p->bl, &err));
  good = good && MW_OKAY(mw_system_build(p->bl, p->locked, false, p->f.mech.p0, p->f.mech.s0,
                                         &p->sys, &err));
  p->n = good ? mw_blocks_size(p->bl) : 0;
  return good;
}

static void drop(problem *p)
{
  mw_system_free(p->sys);
  mw_blocks_free(p->bl);
  free(p->locked);
  mw_fixture_free(&p->f);
}

// The lowest k eigenvalues by ARPACK, one vector at a time.
static bool by_arpack(const problem *p, double sigma, int k, double *lambda)
{
  int n = p->n, ncv = 2 * k + 12 < n ? 2 * k + 12 : n, lworkl = ncv * (ncv + 8);
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  double *resid = mw_arena_f64(&mem, (size_t)n), *V = mw_arena_f64(&mem, (size_t)(n * ncv)),
         *workd = mw_arena_f64(&mem, 3 * (size_t)n), *workl = mw_arena_f64(&mem, (size_t)lworkl),
         *D = mw_arena_f64(&mem, (size_t)ncv), *Mx = mw_arena_f64(&mem, (size_t)n);
  int *select = mw_arena_int(&mem, (size_t)ncv), ido = 0, info = 1, ipntr[14] = { 0 };
  int iparam[11] = { 1, 0, 3000, 1, 0, 0, 3 };
  for (int i = 0; i < n; i++) Mx[i] = sin(1.0 + i);
  mw_system_mul_M(p->sys, Mx, resid);
  bool good = MW_OKAY(mw_system_solve(p->sys, resid, resid, &err));
  while (good && ido != 99) {
    dsaupd_c(&ido, "G", n, "LM", k, 0.0, resid, ncv, V, n, iparam, ipntr, workd, workl, lworkl,
             &info);
    double *x = workd + ipntr[0] - 1, *y = workd + ipntr[1] - 1;
    if (ido == 2) mw_system_mul_M(p->sys, x, y);
    if (ido == -1) mw_system_mul_M(p->sys, x, Mx);
    if (ido == 1 || ido == -1)
      good = MW_OKAY(mw_system_solve(p->sys, ido == 1 ? workd + ipntr[2] - 1 : Mx, y, &err));
  }
  if (good)
    dseupd_c(0, "A", select, D, V, n, sigma, "G", n, "LM", k, 0.0, resid, ncv, V, n, iparam, ipntr,
             workd, workl, lworkl, &info);
  good = MW_CHECK(good && info == 0);
  for (int i = 0; good && i < k; i++) {  // ascending
    int j = i;
    for (; j > 0 && lambda[j - 1] > D[i]; j--) lambda[j] = lambda[j - 1];
    lambda[j] = D[i];
  }
  mw_arena_free(&mem);
  return good;
}

// |K x − λ M x − reactions| : K x − λ M x has no component along motions that keep the joints, here
//   OP applied to x
//   OP x = x / (λ − σ) ,  measured in M
static double residual(const problem *p, double sigma, double lambda, const double *x)
{
  mw_error err = { 0 };
  size_t n = (size_t)p->n;
  double *y = calloc(n, sizeof *y), *z = calloc(n, sizeof *z);
  mw_system_mul_M(p->sys, x, y);
  MW_OKAY(mw_system_solve(p->sys, y, y, &err));
  for (size_t i = 0; i < n; i++) y[i] = y[i] * (lambda - sigma) - x[i];
  mw_system_mul_M(p->sys, y, z);
  double r = sqrt(fmax(mw_dot(p->n, y, z), 0.0));
  free(y);
  free(z);
  return r;
}

// Modes against ARPACK: eigenvalues, residuals and M-orthonormality. Both work with the same
// factors, OP's own rounding is c ε ν_1 with c = 1000 for some hundred unknowns: δν ≤ c ε ν_1,
// hence δλ = (λ − σ)² δν. Blocks are orthonormal and residuals small to 1e-13 ν by the iteration's
// own tolerance, times ten for the sums over the basis.
static void agrees_with_arpack(problem *p, double sigma, int k)
{
  mw_error err = { 0 };
  double *lambda = calloc((size_t)k, sizeof *lambda), *other = calloc((size_t)k, sizeof *other),
         *X = calloc((size_t)k * (size_t)p->n, sizeof *X), *MX = calloc((size_t)p->n, sizeof *MX);
  if (MW_OKAY(mw_system_modes(p->sys, k, lambda, X, &err)) && by_arpack(p, sigma, k, other))
    for (int i = 0; i < k; i++) {
      const double *x = X + (size_t)i * (size_t)p->n;
      double rounding = 1e3 * DBL_EPSILON * (other[i] - sigma) / (other[0] - sigma);
      MW_NEAR(lambda[i], other[i], rounding * (other[i] - sigma));
      MW_NEAR(residual(p, sigma, lambda[i], x), 0.0, 1e-12 + rounding);
      mw_system_mul_M(p->sys, x, MX);
      for (int j = 0; j <= i; j++)
        MW_NEAR(mw_dot(p->n, X + (size_t)j * (size_t)p->n, MX), i == j, 1e-12);
    }
  free(lambda);
  free(other);
  free(X);
  free(MX);
}

static void bending_modes_are_those_of_euler_and_bernoulli(void)
{
  // β_k of cos β cosh β = −1; ω = β² √(EI/ρA)/L². Two planes: every mode of a square bar is double
  static const double beta[4] = { 1.8751040687119611, 4.6940911329741746, 7.8547574382376126,
                                  10.995540734875467 };
  mw_fixture f;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  double *hz = NULL, *shape = NULL, b = 0.01;
  if (!cantilever(40, b, b, &f)) return;
  if (MW_OKAY(mw_direct_modes(&f.mech, NULL, 8, 0, &mem, &hz, &shape, NULL, &err)))
    for (int k = 0; k < 8; k++) {
      double w = beta[k / 2] * beta[k / 2] * sqrt(210e9 * b * b / 12.0 / 7850.0);
      // Hermite elements of length l: relative error of ω (β l)⁴/1440 = 4e-6 at the fourth, and as
      // much again for safety
      double bl = beta[k / 2] / 40.0;
      MW_NEAR(hz[k], w / (2.0 * acos(-1.0)), 2.0 * pow(bl, 4.0) / 1440.0 * hz[k] + 1e-9 * hz[k]);
    }
  // both of a pair, to rounding: ε times the condition of K at their eigenvalue, 10 (80/β)⁴
  for (int k = 0; hz && k < 8; k += 2)
    MW_NEAR(hz[k + 1], hz[k], 10.0 * pow(80.0 / beta[k / 2], 4.0) * DBL_EPSILON * hz[k]);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

static void modes_are_those_of_arpack(void)
{
  problem p = { 0 };
  if (cantilever(60, 0.02, 0.03, &p.f) && pose(&p, 0.0)) agrees_with_arpack(&p, 0.0, 20);
  drop(&p);
}

static void modes_of_a_mechanism_are_those_of_arpack(void)
{
  problem p = { 0 };
  if (MW_CHECK(mw_fixture_machine(NULL, &p.f)) && pose(&p, 0.0)) agrees_with_arpack(&p, 0.0, 12);
  drop(&p);
}

static void a_far_shift_takes_many_restarts_and_gives_the_same_modes(void)
{
  // σ = −1e5 λ_1: ν of the first modes lie within 1e-3 of each other, the basis of 3 × 4 + 32 is
  // filled many times
  problem p = { 0 }, q = { 0 };
  mw_error err = { 0 };
  double near[4], *X = NULL;
  if (cantilever(60, 0.02, 0.03, &p.f) && pose(&p, 0.0)) {
    X = calloc((size_t)(4 * p.n), sizeof *X);
    MW_OKAY(mw_system_modes(p.sys, 4, near, X, &err));
    double sigma = -1e5 * near[0], far[4];
    if (cantilever(60, 0.02, 0.03, &q.f) && pose(&q, sigma) &&
        MW_OKAY(mw_system_modes(q.sys, 4, far, X, &err)))
      // λ = σ + 1/ν: ε |σ| times the condition of K − σM over |σ|
      for (int k = 0; k < 4; k++) MW_NEAR(far[k], near[k], 1e-11 * fabs(sigma));
  }
  free(X);
  drop(&p);
  drop(&q);
}

static void all_modes_of_a_small_body_equal_dense_ones(void)
{
  problem p = { 0 };
  mw_error err = { 0 };
  if (cantilever(3, 0.02, 0.03, &p.f) && pose(&p, 0.0)) {
    size_t n = (size_t)p.n, N = n * n;
    double *K = calloc(N, sizeof *K), *M = calloc(N, sizeof *M), *V = calloc(N, sizeof *V),
           *w = calloc(n, sizeof *w), *lambda = calloc(n, sizeof *lambda),
           *e = calloc(n, sizeof *e);
    for (size_t j = 0; j < n; j++) {
      e[j] = 1.0;
      mw_system_mul_K(p.sys, e, K + j * n);
      mw_system_mul_M(p.sys, e, M + j * n);
      e[j] = 0.0;
    }
    MW_OKAY(mw_eig_gen(p.n, K, M, w, V, &err));
    for (int k = 1; k <= p.n; k++) {
      MW_OKAY(mw_system_modes(p.sys, k, lambda, V, &err));
      // dense: ε |K| against each eigenvalue
      for (int i = 0; i < k; i++)
        MW_NEAR(lambda[i], w[i], 100.0 * DBL_EPSILON * w[n - 1] + 1e-10 * w[i]);
    }
    MW_FAILS(mw_system_modes(p.sys, p.n + 1, lambda, V, &err), MW_ERR_INPUT);
    free(K);
    free(M);
    free(V);
    free(w);
    free(lambda);
    free(e);
  }
  drop(&p);
}

static void two_runs_give_the_same_bits(void)
{
  enum { K = 9 };
  double lambda[2][K], *X[2] = { NULL, NULL };
  int n = 0;
  for (int r = 0; r < 2; r++) {
    problem p = { 0 };
    mw_error err = { 0 };
    if (MW_CHECK(mw_fixture_machine(NULL, &p.f)) && pose(&p, 0.0)) {
      n = p.n;
      X[r] = calloc((size_t)(K * n), sizeof(double));
      MW_OKAY(mw_system_modes(p.sys, K, lambda[r], X[r], &err));
    }
    drop(&p);
  }
  if (MW_CHECK(X[0] && X[1])) {
    MW_SAME_BITS(lambda[0], lambda[1], K);
    MW_SAME_BITS(X[0], X[1], K * n);
  }
  free(X[0]);
  free(X[1]);
}

static void several_right_hand_sides_equal_one_by_one(void)
{
  enum { K = 5 };
  problem p = { 0 };
  mw_error err = { 0 };
  if (MW_CHECK(mw_fixture_machine(NULL, &p.f)) && pose(&p, 0.0)) {
    size_t n = (size_t)p.n;
    double *F = calloc(K * n, sizeof *F), *X = calloc(K * n, sizeof *X), *x = calloc(n, sizeof *x),
           *work = calloc(2 * K * n, sizeof *work);
    for (size_t i = 0; i < K * n; i++) F[i] = cos(0.3 * (double)i);
    MW_OKAY(mw_system_solve_many(p.sys, K, F, X, &err));
    for (size_t k = 0; k < K; k++) {
      double big = 0.0;
      MW_OKAY(mw_system_solve(p.sys, F + k * n, x, &err));
      for (size_t i = 0; i < n; i++) big = fmax(big, fabs(x[i]));
      // the same factor, products in another order
      for (size_t i = 0; i < n; i++)
        MW_WITHIN(X[k * n + i], x[i], 1e7 * DBL_EPSILON * big,
                  "worst of a solve, of condition 1e7");
    }
    mw_system_mul_M_many(p.sys, K, F, X, work);
    for (size_t k = 0; k < K; k++) {
      mw_system_mul_M(p.sys, F + k * n, x);
      double big = 0.0;
      for (size_t i = 0; i < n; i++) big = fmax(big, fabs(x[i]));
      // sums of at most 100 terms in another order
      for (size_t i = 0; i < n; i++) MW_NEAR(X[k * n + i], x[i], 200.0 * DBL_EPSILON * big);
    }
    free(F);
    free(X);
    free(x);
    free(work);
  }
  drop(&p);
}

static void factors_at_hand_give_the_same_modes(void)
{
  enum { WANT = 6 };
  mw_fixture f;
  mw_error err = { 0 };
  mw_blocks *bl = NULL;
  if (!MW_CHECK(mw_fixture_machine(NULL, &f))) return;
  const mw_coordinate_in *c = &f.model.reduction.coordinate[0];
  bool good = MW_CHECK(f.model.reduction.n_coordinate == 2) &&
              MW_OKAY(mw_blocks_build(&f.mech, 0.0, false, &bl, &err));
  for (int i = 0; good && i < 3; i++) {
    mw_arena mem = { 0 };
    double *hz[2], *x[2], theta[2];
    int n[2] = { WANT, WANT };
    for (int k = 0; k < 2; k++) theta[k] = c[k].lo + 0.5 * i * (c[k].hi - c[k].lo);
    good =
        MW_OKAY(mw_held_modes(bl, theta, &n[0], &mem, &hz[0], &x[0], &err)) &&
        MW_OKAY(mw_direct_modes_loaded(&f.mech, theta, &n[1], MW_MODES_UNPROVED | MW_MODES_AT_MOST,
                                       &mem, &hz[1], NULL, &x[1], NULL, &err)) &&
        MW_CHECK(n[0] == WANT && n[1] == WANT);
    if (good) MW_SAME_BITS(hz[0], hz[1], WANT);
    if (good) MW_SAME_BITS(x[0], x[1], (size_t)WANT * (size_t)mw_blocks_size(bl));
    mw_arena_free(&mem);
  }
  mw_blocks_free(bl);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "bending_modes_are_those_of_euler_and_bernoulli",
      bending_modes_are_those_of_euler_and_bernoulli },
    { "modes_are_those_of_arpack", modes_are_those_of_arpack },
    { "modes_of_a_mechanism_are_those_of_arpack", modes_of_a_mechanism_are_those_of_arpack },
    { "a_far_shift_takes_many_restarts_and_gives_the_same_modes",
      a_far_shift_takes_many_restarts_and_gives_the_same_modes },
    { "all_modes_of_a_small_body_equal_dense_ones", all_modes_of_a_small_body_equal_dense_ones },
    { "two_runs_give_the_same_bits", two_runs_give_the_same_bits },
    { "factors_at_hand_give_the_same_modes", factors_at_hand_give_the_same_modes },
    { "several_right_hand_sides_equal_one_by_one", several_right_hand_sides_equal_one_by_one },
  };
  return mw_test_run("modes", cases, (int)(sizeof cases / sizeof *cases));
}
