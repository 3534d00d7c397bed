// SPDX-License-Identifier: BSD-3-Clause
// test_small.c: the small system of joint rows and rigid bodies, dense and sparse, against closed
// forms of a chain of N masses m on springs k, its first one fixed.
//
//   rows      x_i − x_{i−1} − μ_i/k = 0            bodies     μ_i − μ_{i+1} − σ m x_i = f_i
//   σ = 0, f of the last one alone:  μ_i = f ,  x_i = (i + 1) f/k                               (1)
//   eigenvalues   4 k/m sin²((2 j − 1) π/(4 N + 2)) ,  j = 1 … N ;  below σ: neg − N            (2)
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "mw_test.h"
#include "system/small_layer.h"

static const double K = 3e5, M = 0.7, PULL = 11.0;
enum { LONGEST = 400, N_LENGTH = 4 };
static const int length[N_LENGTH] = { 1, 40, 150, LONGEST };  // the last two are sparse

static size_t entries_of(int n_mass) { return 6 * (size_t)n_mass; }

// Both halves of entry (i, j)
static void pair(mw_small *z, int i, int j, double v)
{
  mw_small_add(z, i, j, v);
  mw_small_add(z, j, i, v);
}

static void chain(mw_small *z, int n_mass, double sigma)
{
  mw_small_clear(z);
  for (int i = 0; i < n_mass; i++) {
    mw_small_add(z, i, i, -1.0 / K);
    mw_small_add(z, n_mass + i, n_mass + i, -0.5 * sigma * M);
    mw_small_add(z, n_mass + i, n_mass + i, -0.5 * sigma * M);  // in two parts, which add up
    pair(z, i, n_mass + i, 1.0);
    if (i > 0) pair(z, i, n_mass + i - 1, -1.0);
  }
}

static void long_systems_are_sparse_and_crowded_ones_are_dense(void)
{
  mw_small z;
  mw_error err;
  for (int l = 0; l < N_LENGTH; l++) {
    if (!MW_OKAY(mw_small_init(2 * length[l], entries_of(length[l]), &z, &err))) return;
    MW_CHECK(z.sparse == (length[l] >= 150));
    mw_small_free(&z);
  }
  size_t n = 2 * LONGEST;
  if (!MW_OKAY(mw_small_init((int)n, n * n / 4, &z, &err))) return;
  MW_CHECK(!z.sparse);
  mw_small_free(&z);
}

static void a_pulled_chain_is_stretched_spring_by_spring(void)
{
  enum { MANY = 3 };
  for (int l = 0; l < N_LENGTH; l++) {
    int n = length[l];
    double *Y = calloc(2 * MANY * (size_t)n, sizeof *Y), ratio = 0.0;
    mw_small z;
    mw_error err;
    if (!MW_OKAY(mw_small_init(2 * n, entries_of(n), &z, &err))) return;
    chain(&z, n, 0.0);
    MW_OKAY(mw_small_factor(&z, &ratio, &err));
    MW_CHECK(ratio > 0.0 && ratio <= 1.0);
    for (int c = 0; c < MANY; c++) Y[(size_t)(2 * n - 1) * MANY + (size_t)c] = PULL * (c + 1);
    mw_small_solve(&z, MANY, Y);
    for (int c = 0; c < MANY; c++) {
      double mu = 0.0, x = 0.0, f = PULL * (c + 1);
      for (int i = 0; i < n; i++) {
        mu = fmax(mu, fabs(Y[(size_t)i * MANY + (size_t)c] - f));
        x = fmax(x, fabs(Y[(size_t)(n + i) * MANY + (size_t)c] - (i + 1) * f / K));
      }
      // elimination goes along the chain: sums of up to 2 n terms, those of x scaled and back
      MW_WITHIN(mu, 0.0, mw_test_rounding(2.0 * n, f), "rows of ones may hand a force on exactly");
      MW_NEAR(x, 0.0, mw_test_rounding(2.0 * n, n * f / K));
    }
    free(Y);
    mw_small_free(&z);
  }
}

static void negative_eigenvalues_are_rows_and_modes_below_the_shift(void)
{
  const double pi = acos(-1.0);
  for (int l = 0; l < N_LENGTH; l++) {
    int n = length[l], neg, zero;
    mw_small z;
    mw_error err;
    if (!MW_OKAY(mw_small_init(2 * n, entries_of(n), &z, &err))) return;
    for (int below = 0; below <= n; below += n < 5 ? 1 : n / 5) {
      double s = sin((2.0 * below + (below == 0 ? 0.5 : 0.0)) * pi / (4.0 * n + 2.0));
      double sigma = 4.0 * K / M * s * s;  // between mode `below` and the next (2)
      chain(&z, n, sigma);
      MW_OKAY(mw_small_inertia(&z, &neg, &zero, &err));
      MW_CHECK(neg == n + below && zero == 0);
    }
    mw_small_free(&z);
  }
}

// Two shifts by the same object: nothing of the first is left.
static void a_system_is_used_again(void)
{
  for (int l = 0; l < N_LENGTH; l++) {
    int n = length[l];
    double *Y = calloc(4 * (size_t)n, sizeof *Y);
    mw_small z, fresh;
    mw_error err;
    if (!MW_OKAY(mw_small_init(2 * n, entries_of(n), &z, &err))) return;
    if (!MW_OKAY(mw_small_init(2 * n, entries_of(n), &fresh, &err))) return;
    chain(&z, n, 1.7 * K / M);
    MW_OKAY(mw_small_factor(&z, NULL, &err));
    chain(&z, n, 0.3 * K / M);
    chain(&fresh, n, 0.3 * K / M);
    MW_OKAY(mw_small_factor(&z, NULL, &err));
    MW_OKAY(mw_small_factor(&fresh, NULL, &err));
    for (int i = 0; i < 2 * n; i++) Y[i] = Y[2 * n + i] = sin(1.0 + i);
    mw_small_solve(&z, 1, Y);
    mw_small_solve(&fresh, 1, Y + 2 * n);
    MW_SAME_BITS(Y, Y + 2 * n, 2 * n);
    free(Y);
    mw_small_free(&z);
    mw_small_free(&fresh);
  }
}

static void what_nothing_holds_is_singular(void)
{
  for (int l = 0; l < N_LENGTH; l++) {
    int n = length[l];
    double ratio = 1.0;
    mw_small z;
    mw_error err = { 0 };
    if (!MW_OKAY(mw_small_init(2 * n, entries_of(n), &z, &err))) return;
    chain(&z, n, 0.0);
    mw_small_add(&z, 0, n, -1.0);  // the first spring lets go
    mw_small_add(&z, n, 0, -1.0);
    mw_code rc = mw_small_factor(&z, &ratio, &err);
    MW_CHECK(rc == MW_ERR_NUMERIC || (rc == MW_OK && ratio < 1e-14));
    chain(&z, n, 0.0);
    mw_small_add(&z, 0, 0, (double)NAN);
    MW_FAILS(mw_small_factor(&z, NULL, &err), MW_ERR_NUMERIC);
    mw_small_free(&z);
  }
}

static const mw_test_case cases[] = {
  { "long_systems_are_sparse_and_crowded_ones_are_dense",
    long_systems_are_sparse_and_crowded_ones_are_dense },
  { "a_pulled_chain_is_stretched_spring_by_spring", a_pulled_chain_is_stretched_spring_by_spring },
  { "negative_eigenvalues_are_rows_and_modes_below_the_shift",
    negative_eigenvalues_are_rows_and_modes_below_the_shift },
  { "a_system_is_used_again", a_system_is_used_again },
  { "what_nothing_holds_is_singular", what_nothing_holds_is_singular },
};

int main(void) { return mw_test_run("small", cases, (int)(sizeof cases / sizeof *cases)); }
