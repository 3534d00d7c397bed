// SPDX-License-Identifier: BSD-3-Clause
// test_small_motions.c: the modes and receptances that pages compute, by the C that they run,
// against LAPACK, sums over modes and closed forms.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "export/wasm/small_motions_layer.h"
#include "mw_test.h"

enum { MOST = 24 };
static const double EPS = DBL_EPSILON;

static double noise(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (double)(1u << 24) - 0.5;
}

static double norm(int n, const double *x) { return sqrt(mw_dot(n, x, x)); }

static void symmetric(int m, unsigned *seed, double *K)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++) K[i * m + j] = K[j * m + i] = noise(seed);
}

// A rotation rounds two rows and two columns by 6 ε of what is in them, an entry meets 2 m of them
// a sweep, and there are 10 sweeps at most (4 more than have been seen at these sizes).
static double rounding(int m, const double *K) { return 120.0 * m * EPS * norm(m * m, K); }

static void modes_are_those_of_lapack(void)
{
  unsigned seed = 7;
  for (int m = 1; m <= MOST; m += 1 + m / 3) {
    double K[MOST * MOST], A[MOST * MOST], V[MOST * MOST], W[MOST * MOST], square[MOST], w[MOST];
    mw_error err = { 0 };
    symmetric(m, &seed, K);
    memcpy(A, K, sizeof(double) * (size_t)(m * m));
    double tol = rounding(m, K);
    MW_CHECK(modeway_rom_modes(m, A, square, V) == 0);
    memcpy(A, K, sizeof(double) * (size_t)(m * m));
    if (!MW_OKAY(mw_eig_sym(m, A, w, W, &err))) return;
    for (int k = 0; k < m; k++) {
      double x[MOST];
      MW_NEAR(square[k], w[k], tol);  // Weyl
      for (int i = 0; i < m; i++) x[i] = mw_dot(m, K + i * m, V + k * m) - square[k] * V[k * m + i];
      MW_NEAR(norm(m, x), 0.0, tol);
      for (int j = 0; j <= k; j++)
        MW_NEAR(mw_dot(m, V + k * m, V + j * m), j == k ? 1.0 : 0.0, 120.0 * m * EPS);
    }
  }
}

static void modes_of_a_diagonal_are_sorted_and_exact(void)
{
  double K[9] = { 3.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 2.0 }, square[3], V[9];
  double none[4] = { 0 };
  static const double want[3] = { -1.0, 2.0, 3.0 };
  static const double rows[9] = { 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0 };
  MW_CHECK(modeway_rom_modes(3, K, square, V) == 0);
  MW_SAME_BITS(square, want, 3);
  MW_SAME_BITS(V, rows, 9);
  MW_CHECK(modeway_rom_modes(2, none, square, V) == 0);
  MW_CHECK(square[0] == 0.0 && square[1] == 0.0);
}

// K = Φ diag(ω²) Φᵀ, D = Φ diag(2ζω) Φᵀ: h = Σ_k (c·φ_k)(b·φ_k) / (ω_k² − ω² + 2iζω_kω).
// Elimination with pivots solves a neighbouring system: of entries wrong by 8 m ε of the largest
// (its pivots grow by a few), which the inverse, 1 over the least modulus, turns into h.
static void receptances_are_sums_over_modes(void)
{
  enum { M = 9, N = 40 };
  unsigned seed = 3;
  double A[M * M], P[M * M], W[M], K[M * M] = { 0 }, D[M * M] = { 0 }, B[M], C[M];
  double hz[N], h[2 * N], work[2 * M * M + 2 * M];
  mw_error err = { 0 };
  symmetric(M, &seed, A);
  if (!MW_OKAY(mw_eig_sym(M, A, W, P, &err))) return;
  for (int k = 0; k < M; k++) B[k] = noise(&seed), C[k] = noise(&seed), W[k] = 20.0 + 37.0 * k;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++)
      for (int k = 0; k < M; k++) {
        K[i * M + j] += P[i * M + k] * P[j * M + k] * W[k] * W[k];
        D[i * M + j] += P[i * M + k] * P[j * M + k] * 0.04 * W[k];
      }
  for (int f = 0; f < N; f++) hz[f] = 1.3 * f;
  modeway_rom_receptance(M, K, D, B, C, N, hz, h, work);
  for (int f = 0; f < N; f++) {
    double w = 2.0 * acos(-1.0) * hz[f], re = 0.0, im = 0.0, least = INFINITY, most = 0.0;
    for (int k = 0; k < M; k++) {
      double b = 0.0, c = 0.0, x = W[k] * W[k] - w * w, y = 0.04 * W[k] * w;
      for (int i = 0; i < M; i++) b += P[i * M + k] * B[i], c += P[i * M + k] * C[i];
      re += b * c * x / (x * x + y * y);
      im -= b * c * y / (x * x + y * y);
      least = fmin(least, hypot(x, y));
      most = fmax(most, hypot(x, y));
    }
    double tol = 8.0 * M * EPS * most / least * norm(M, B) * norm(M, C) / least;
    MW_NEAR(h[2 * f], re, tol);
    MW_NEAR(h[2 * f + 1], im, tol);
  }
}

static void one_coordinate_is_an_oscillator(void)
{
  const double K = 400.0, D = 0.8, B = 2.0, C = 3.0, hz = 5.0;
  double h[2], work[4], w = 2.0 * acos(-1.0) * hz, x = K - w * w, y = w * D;
  modeway_rom_receptance(1, &K, &D, &B, &C, 1, &hz, h, work);
  // K − ω² loses what its terms are larger than it: ω² rounds by 3 ε
  double tol = 8.0 * EPS * B * C * (K + w * w) / (x * x + y * y);
  MW_NEAR(h[0], B * C * x / (x * x + y * y), tol);
  MW_NEAR(h[1], -B * C * y / (x * x + y * y), tol);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "modes_are_those_of_lapack", modes_are_those_of_lapack },
    { "modes_of_a_diagonal_are_sorted_and_exact", modes_of_a_diagonal_are_sorted_and_exact },
    { "receptances_are_sums_over_modes", receptances_are_sums_over_modes },
    { "one_coordinate_is_an_oscillator", one_coordinate_is_an_oscillator },
  };
  return mw_test_run("small_motions", cases, (int)(sizeof cases / sizeof *cases));
}
