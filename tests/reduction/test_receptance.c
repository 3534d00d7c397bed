// SPDX-License-Identifier: BSD-3-Clause
// test_receptance.c: receptances of samples, and the energy that loads leave, against closed forms
// and dense algebra.
#include "reduction/certificate.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/dense.h"
#include "fixture_sample.h"
#include "mw_test.h"
#include "reduction/reduce.h"

static const double PI = 3.14159265358979323846;

// H_ij of a receptance at hz
static double complex value(const mw_receptance *r, int i, int j, double hz)
{
  mw_error err = { 0 };
  int n_pair = r->n_io * (r->n_io + 1) / 2, p = i * (i + 1) / 2 + j;
  double *H = calloc(2 * (size_t)n_pair, sizeof *H), *E = calloc((size_t)r->n_io, sizeof *E);
  double complex h = NAN;
  if (MW_OKAY(mw_receptance_eval(r, 1, &hz, H, E, &err))) h = H[p] + H[n_pair + p] * I;
  free(H), free(E);
  return h;
}

// ---- receptances --------------------------------------------------------------------------------

// Simply supported, EI = ρA = L = 1, a mass m in the middle: with β⁴ = ω² the beam alone gives
// α = (tan(β/2) − tanh(β/2)) / (4 β³) there, with the mass α / (1 − ω² m α).
static void receptance_of_a_beam_with_a_mass_is_the_closed_form(void)
{
  fixture_sample b;
  mw_error err = { 0 };
  mw_sample z;
  mw_receptance r;
  enum { N = 24 };
  if (fixture_sample_open("SS", 24, 5, NULL, &b) && fixture_sample_place(&b, 0.5)) {
    b.in.k = 6;
    int i = fixture_sample_load(&b, "mid", 2);
    if (MW_OKAY(mw_sample_build(b.sys, &b.in, &z, &b.mem, &err)) &&
        MW_OKAY(mw_receptance_of(&z, 0.0, &r, &b.mem, &err)) && MW_CHECK(i >= 0))
      for (int k = 1; k <= 40; k++) {
        double omega = 0.9 * k, beta = sqrt(omega), x = 0.5 * beta;  // rad/s, two modes below 36
        double alpha = (tan(x) - tanh(x)) / (4.0 * beta * beta * beta);
        double want = alpha / (1.0 - 0.5 * omega * omega * alpha);
        // λ of cubic elements errs by (β/N)⁴/720, which moves H by λ H²/(its residue) <= λ H² / F0
        // at most; the terms for modes not computed err by ω⁴/λ_k² of F0 (receptance.c)
        double xi = beta / N, lam = omega * omega;
        double tol = 2.0 * (lam * want * want * 48.0 + fabs(want)) * xi * xi * xi * xi / 720.0 +
                     lam * lam / (z.lambda[z.k - 1] * z.lambda[z.k - 1]) / 48.0 + 1e-9;
        MW_NEAR(creal(value(&r, i, i, omega / (2.0 * PI))), want, tol);
      }
  }
  fixture_sample_close(&b);
}

// All modes of the constrained mechanism by dense algebra: G = flexibility matrix, M = L Lᵀ,
// eigenvalues 1/λ of Lᵀ G L.
static mw_receptance all_modes(fixture_sample *b, double zeta)
{
  mw_error err = { 0 };
  int n = mw_blocks_size(b->blocks), n_io = mw_sample_unit_loads(&b->f.mech, b->locked, NULL);
  size_t nn = (size_t)n * (size_t)n;
  double *G = mw_arena_f64(&b->mem, nn), *M = mw_arena_f64(&b->mem, nn);
  double *T = mw_arena_f64(&b->mem, nn), *V = mw_arena_f64(&b->mem, nn);
  double *w = mw_arena_f64(&b->mem, (size_t)n), *F = mw_arena_f64(&b->mem, 64 * (size_t)n);
  mw_receptance r = { .n_io = n_io, .zeta = zeta };
  r.lambda = mw_arena_f64(&b->mem, (size_t)n);
  r.b = mw_arena_f64(&b->mem, (size_t)n * (size_t)n_io);
  for (int i = 0; i < n; i++) G[i * n + i] = 1.0;
  for (int i = 0; i < n; i++) mw_system_mul_M(b->sys, G + i * n, M + i * n);
  if (!MW_OKAY(mw_system_solve_many(b->sys, n, G, G, &err)) || !MW_OKAY(mw_chol_factor(n, M, &err)))
    return r;
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) M[i * n + j] = 0.0;
  mw_gemm('n', 'n', n, n, n, 1.0, G, M, 0.0, T);
  mw_gemm('t', 'n', n, n, n, 1.0, M, T, 0.0, G);
  if (!MW_OKAY(mw_eig_sym(n, G, w, V, &err))) return r;
  mw_gemm('n', 'n', n, n, n, 1.0, T, V, 0.0, G);  // columns ν φ
  // loads: their work on each mode, by the functionals of the fields
  mw_unit_load list[32];
  (void)mw_sample_unit_loads(&b->f.mech, b->locked, list);
  for (int i = 0; i < n_io && MW_CHECK(n_io <= 32); i++) {
    const mw_output_in *o = &b->f.model.output[list[i].output];
    double e[3] = { list[i].axis == 0, list[i].axis == 1, list[i].axis == 2 };
    mw_system_load_point(b->sys, o->ref, o->x, e, F + i * n);
  }
  for (int t = n - 1; t >= 0; t--) {
    if (w[t] < 1e-13 * w[n - 1]) continue;  // what the joints hold
    for (int i = 0; i < n_io; i++)
      for (int k = 0; k < n; k++) r.b[r.n_term * n_io + i] += F[i * n + k] * G[k * n + t] / w[t];
    r.lambda[r.n_term++] = 1.0 / w[t];
  }
  return r;
}

// Largest error of row i over its E at f, of all rows that count.
static double row_error(const mw_receptance *a, const mw_receptance *b, const unsigned char *skip,
                        double hz)
{
  mw_error err = { 0 };
  double error[32] = { 0 }, worst = 0.0;
  MW_OKAY(mw_receptance_compare(a, b, skip, 1, &hz, error, &err));
  for (int i = 0; i < a->n_io; i++) worst = fmax(worst, error[i]);
  return worst;
}

// Few modes and the statics of the rest against all modes there are; what is missing stays below
// the bound, which is not far from it where it matters.
static void modes_and_two_moments_of_the_rest_stay_within_the_bound(void)
{
  fixture_sample b;
  mw_error err = { 0 };
  if (fixture_sample_open("SS", 10, 5, NULL, &b) && fixture_sample_place(&b, 0.37)) {
    mw_receptance all = all_modes(&b, 0.02), r;
    mw_sample z;
    unsigned char skip[32] = { 0 };
    mw_unit_load list[32];
    double tightest = 0.0, largest[32];
    (void)mw_sample_unit_loads(&b.f.mech, b.locked, list);
    b.in.k = 3;
    b.in.rest = 1.0;  // as few modes as may be
    if (MW_OKAY(mw_sample_build(b.sys, &b.in, &z, &b.mem, &err)) &&
        MW_OKAY(mw_receptance_of(&z, 0.02, &r, &b.mem, &err))) {
      mw_receptance_largest(1, &z, list, largest);
      mw_receptance_negligible(&z, largest, skip);
      double end = sqrt(z.lambda[z.k - 1]) / (2.0 * PI);
      for (int k = 1; k < 60; k++) {
        double hz = end * k / 60.0, bound = NAN, e = row_error(&all, &r, skip, hz);
        MW_OKAY(mw_receptance_bound(&z, 0.02, 1, &hz, skip, &bound, &err));
        MW_CHECK(e <= bound + 1e-9);  // rounding as below
        if (bound > 1e-6) tightest = fmax(tightest, e / bound);
      }
      printf("receptance: %d of %d modes, error over its bound up to %.2f\n", z.k, all.n_term,
             tightest);
      MW_CHECK(tightest > 0.01);
      // nothing is left open of statics: two moments are exact
      MW_WITHIN(row_error(&all, &r, skip, 0.0), 0.0, 1e6 * DBL_EPSILON,
                "worst of two dense eigenproblems, of condition 1e6");
    }
  }
  fixture_sample_close(&b);
}

static void samples_take_as_many_modes_as_the_bound_asks_for(void)
{
  fixture_sample b;
  mw_error err = { 0 };
  int k[3] = { 0 };
  if (fixture_sample_open("SS", 16, 5, NULL, &b) && fixture_sample_place(&b, 0.37))
    for (int i = 0; i < 3; i++) {
      mw_sample z;
      unsigned char skip[32] = { 0 };
      double bound = NAN, largest[32];
      mw_unit_load list[32];
      b.in.rest = i == 0 ? 1e-1 : (i == 1 ? 1e-3 : 1e-5);
      b.in.band = 15.0;
      if (!MW_OKAY(mw_sample_build(b.sys, &b.in, &z, &b.mem, &err))) continue;
      (void)mw_sample_unit_loads(&b.f.mech, b.locked, list);
      mw_receptance_largest(1, &z, list, largest);
      mw_receptance_negligible(&z, largest, skip);
      MW_OKAY(mw_receptance_bound(&z, 0.02, 1, &b.in.band, skip, &bound, &err));
      MW_CHECK(bound <= b.in.rest);
      k[i] = z.k;
    }
  printf("modes of a sample for 1e-1, 1e-3, 1e-5: %d %d %d\n", k[0], k[1], k[2]);
  MW_CHECK(k[0] < k[2] && k[0] <= k[1]);
  fixture_sample_close(&b);
}

// One mode λ = 1, b = (1, 2), whose frequency errs by ε: H_ij is b_i b_j h, so that every row has
// the error
// |h − h_ε| / |h|, whatever its size.
static void receptance_error_is_relative_to_what_each_row_is_made_of(void)
{
  double lambda[2] = { 1.0, 1.002 }, b[2] = { 1.0, 2.0 }, zeta = 0.02;
  unsigned char skip[2] = { 0, 0 };
  mw_receptance direct = { .n_io = 2, .n_term = 1, .zeta = zeta, .lambda = lambda, .b = b };
  mw_receptance rom = { .n_io = 2, .n_term = 1, .zeta = zeta, .lambda = lambda + 1, .b = b };
  mw_error err = { 0 };
  for (int k = 0; k < 5; k++) {
    double omega = 0.5 * k, hz = omega / (2.0 * PI), error[2];
    double complex h[2];
    for (int i = 0; i < 2; i++)
      h[i] = 1.0 / (lambda[i] - omega * omega + 2.0 * I * zeta * omega * sqrt(lambda[i]));
    double want = cabs(h[1] - h[0]) / cabs(h[0]);
    MW_OKAY(mw_receptance_compare(&direct, &rom, skip, 1, &hz, error, &err));
    // a difference of numbers of size 1/(2ζ)
    MW_NEAR(error[0], want, 100 * DBL_EPSILON);
    MW_NEAR(error[1], want, 100 * DBL_EPSILON);
  }
  skip[1] = 1;
  double hz = 1.0, error[2];
  MW_OKAY(mw_receptance_compare(&direct, &rom, skip, 1, &hz, error, &err));
  MW_CHECK(error[0] > 0.0 && error[1] == 0.0);
}

// ---- energy left --------------------------------------------------------------------------------

static void energy_left_is_the_worst_combination(void)
{
  mw_error err = { 0 };
  double left = NAN;
  const double one[3] = { 2.0, 2.0, 2.0 };
  // of two independent loads the worse; too soft counts as too stiff does
  double F0[4] = { 2.0, 0.0, 0.0, 1.0 }, stiff[4] = { 1.5, 0.0, 0.0, 1.0 },
         soft[4] = { 2.0, 0.0, 0.0, 1.5 };
  MW_OKAY(mw_energy_left(2, F0, stiff, one, &left, &err));
  MW_NEAR(left, 0.25, 4 * DBL_EPSILON);
  MW_OKAY(mw_energy_left(2, F0, soft, one, &left, &err));
  MW_NEAR(left, 0.5, 4 * DBL_EPSILON);
  // two loads that each miss a hundredth, in opposite ways: their difference, energy 2(1 − 0.9),
  // misses 0.04/0.2
  double near0[4] = { 1.0, 0.9, 0.9, 1.0 }, near[4] = { 0.99, 0.91, 0.91, 0.99 };
  MW_OKAY(mw_energy_left(2, near0, near, one, &left, &err));
  MW_NEAR(left, 0.2, 100 * DBL_EPSILON);  // condition 1.9/0.1
  // a load that is the sum of the others, and one that does nothing: no trouble
  double dep0[9] = { 1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 2.0 }, dep[9];
  for (int i = 0; i < 9; i++) dep[i] = 0.9 * dep0[i];
  MW_OKAY(mw_energy_left(3, dep0, dep, one, &left, &err));
  MW_NEAR(left, 0.1, 10 * DBL_EPSILON);
  double none0[4] = { 1.0, 0.0, 0.0, 0.0 }, none[4] = { 0.8, 0.0, 0.0, 0.0 };
  MW_OKAY(mw_energy_left(2, none0, none, one, &left, &err));
  MW_NEAR(left, 0.2, 4 * DBL_EPSILON);
  // far smaller than another of its kind it takes no part, of another kind it does
  double small0[4] = { 1.0, 0.0, 0.0, 1e-6 }, small[4] = { 1.0, 0.0, 0.0, 0.0 };
  const double like[2] = { 1.0, 1.0 }, two[2] = { 1.0, 1e-6 };
  MW_OKAY(mw_energy_left(2, small0, small, like, &left, &err));
  MW_NEAR(left, 0.0, 0.0);
  MW_OKAY(mw_energy_left(2, small0, small, two, &left, &err));
  MW_NEAR(left, 1.0, 4 * DBL_EPSILON);
  // nor where it does so little that it did far more at another point
  const double elsewhere[2] = { 1.0, 1.0 };
  MW_OKAY(mw_energy_left(1, small0 + 3, small + 3, elsewhere, &left, &err));
  MW_NEAR(left, 0.0, 0.0);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "receptance_of_a_beam_with_a_mass_is_the_closed_form",
      receptance_of_a_beam_with_a_mass_is_the_closed_form },
    { "modes_and_two_moments_of_the_rest_stay_within_the_bound",
      modes_and_two_moments_of_the_rest_stay_within_the_bound },
    { "samples_take_as_many_modes_as_the_bound_asks_for",
      samples_take_as_many_modes_as_the_bound_asks_for },
    { "receptance_error_is_relative_to_what_each_row_is_made_of",
      receptance_error_is_relative_to_what_each_row_is_made_of },
    { "energy_left_is_the_worst_combination", energy_left_is_the_worst_combination },
  };
  return mw_test_run("receptance", cases, (int)(sizeof cases / sizeof *cases));
}
