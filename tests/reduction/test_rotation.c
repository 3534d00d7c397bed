// SPDX-License-Identifier: BSD-3-Clause
// test_rotation.c: logarithm and exponential of rotations against closed forms and each other.
#include "align/rotation_priv.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "mw_test.h"

enum { MOST = 6 };

static double random_of(unsigned *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / (1 << 23) - 1.0;
}

// Skew, largest angle `angle`: its square has the eigenvalues −angle².
static void random_skew(int n, unsigned *state, double angle, double *L)
{
  double A[MOST * MOST], w[MOST], V[MOST * MOST];
  mw_error err = { 0 };
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      L[i * n + j] = i == j ? 0.0 : random_of(state);
      L[j * n + i] = -L[i * n + j];
    }
  mw_gemm('n', 'n', n, n, n, 1.0, L, L, 0.0, A);
  MW_OKAY(mw_eig_sym(n, A, w, V, &err));
  for (int i = 0; i < n * n; i++) L[i] *= angle / sqrt(-w[0]);
}

static void an_exponential_is_the_plane_rotation_and_rodrigues_formula(void)
{
  mw_error err = { 0 };
  double R[9];
  for (int k = -20; k <= 20; k++) {
    double phi = 0.9 * k, c = cos(phi), s = sin(phi);
    MW_OKAY(mw_rotation_exp(2, phi, (double[]){ 0.0, -1.0, 1.0, 0.0 }, R, &err));
    // at most 8 squarings, which double the error of some 20 roundings each time
    double tol = 256 * 20 * DBL_EPSILON;
    MW_NEAR(R[0], c, tol);
    MW_NEAR(R[1], -s, tol);
    MW_NEAR(R[2], s, tol);
    const double x = 2.0 / 3.0, y = -1.0 / 3.0, z = 2.0 / 3.0;
    MW_OKAY(mw_rotation_exp(3, phi, (double[]){ 0, -z, y, z, 0, -x, -y, x, 0 }, R, &err));
    MW_NEAR(R[0], c + x * x * (1 - c), tol);
    MW_NEAR(R[1], x * y * (1 - c) - z * s, tol);
    MW_NEAR(R[5], y * z * (1 - c) - x * s, tol);
  }
}

static void a_logarithm_undoes_the_exponential(void)
{
  mw_error err = { 0 };
  unsigned state = 5;
  for (int n = 1; n <= MOST; n++)
    for (int k = 0; k < 20; k++) {
      double L[MOST * MOST], R[MOST * MOST], back[MOST * MOST], angle = 3.1 * (k + 1) / 20.0;
      bool half_turn;
      if (n > 1)
        random_skew(n, &state, angle, L);
      else
        L[0] = 0.0;
      MW_OKAY(mw_rotation_exp(n, 1.0, L, R, &err));
      MW_OKAY(mw_rotation_log(n, R, back, &half_turn, &err));
      MW_CHECK(!half_turn);
      // 2^5 times the rounding of five roots of size [n × n], the first divided by cos(angle/2) =
      // 0.02 at least
      for (int i = 0; i < n * n; i++)
        MW_NEAR(back[i], L[i], 32 * 10 * n * DBL_EPSILON / cos(0.5 * angle));
    }
}

static void half_turns_have_a_logarithm_and_are_reported(void)
{
  mw_error err = { 0 };
  double H[16] = { -1, 0, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, -1, 0, 0 }, L[16], R[16];
  bool half_turn;
  MW_OKAY(mw_rotation_log(4, H, L, &half_turn, &err));
  MW_CHECK(half_turn);
  MW_OKAY(mw_rotation_exp(4, 1.0, L, R, &err));
  for (int i = 0; i < 16; i++) MW_NEAR(R[i], H[i], 32 * 40 * DBL_EPSILON);
  for (int i = 0; i < 16; i++) MW_NEAR(L[i], -L[i % 4 * 4 + i / 4], 0.0);
  H[0] = 1.0;
  double before[16];
  memcpy(before, L, sizeof before);
  MW_FAILS(mw_rotation_log(4, H, L, &half_turn, &err), MW_ERR_NUMERIC);
  MW_SAME_BITS(L, before, 16);
}

static void determinants_follow_permutations_and_products(void)
{
  mw_error err = { 0 };
  double det, A[9] = { 0, 2, 0, 0, 0, 3, 4, 0, 0 }, B[9] = { 1, 2, 3, 4, 5, 6, 7, 8, 10 };
  MW_OKAY(mw_rotation_det(3, A, &det, &err));
  MW_NEAR(det, 24.0, 0.0);
  MW_OKAY(mw_rotation_det(3, B, &det, &err));
  MW_NEAR(det, -3.0, 3 * 2 * 3 * 60 * DBL_EPSILON);  // products up to 60, three eliminations
  MW_OKAY(mw_rotation_det(3, (double[9]){ 0 }, &det, &err));
  MW_NEAR(det, 0.0, 0.0);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "an_exponential_is_the_plane_rotation_and_rodrigues_formula",
      an_exponential_is_the_plane_rotation_and_rodrigues_formula },
    { "a_logarithm_undoes_the_exponential", a_logarithm_undoes_the_exponential },
    { "half_turns_have_a_logarithm_and_are_reported",
      half_turns_have_a_logarithm_and_are_reported },
    { "determinants_follow_permutations_and_products",
      determinants_follow_permutations_and_products },
  };
  return mw_test_run("rotation", cases, (int)(sizeof cases / sizeof *cases));
}
