// SPDX-License-Identifier: BSD-3-Clause
// test_small_motions.c: the small motions, modes and receptances that pages compute, by the C that
// they run, against the model's Jacobians, LAPACK, sums over modes and closed forms.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "export/wasm/small_motions_layer.h"
#include "mw_test.h"
#include "reduction/rom_synthetic.h"

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

// Entries of got [rows × n] and of want, whose rows are `stride` apart. Both solve with I + E of
// three columns, whose entries are E < 1/2 here, and sum m terms: a few ε of the largest each.
static void compare(int rows, int n, const double *got, const double *want, int stride, double sign)
{
  double most = 0.0;
  for (int i = 0; i < rows * n; i++) most = fmax(most, fabs(got[i]));
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++)
      MW_WITHIN(got[i * n + j], sign * want[i * stride + j], 4.0 * n * EPS * most,
                "sums and eliminations in two orders, at worst");
}

static void motions_about_rest_are_the_models_jacobians(void)
{
  enum { S = 2, M = 7, N = S + M, Y = SYN_N_Y, U = SYN_N_U };
  static double x[2 * N], out[2 * M * M + M + Y * M + Y], acc[N], acc_x[N * 2 * N], acc_u[N * U];
  static double y[3 * Y], y_x[3 * Y * 2 * N];
  const double u[U] = { 0 }, theta[2][S] = { { 0.31, -0.57 }, { -0.83, 0.12 } };
  const mw_rom_outputs_sens sens = { .Y = y, .Y_x = y_x };
  synthetic z;
  if (!MW_CHECK(synthetic_make_second(S, M, 5, 30.0, 400.0, 0.01, 0.05, &z))) return;
  size_t n = (mw_rom_sens_bytes(&z.rom) + 63) / 64 * 64;
  double *work = aligned_alloc(64, n);
  mw_rom_opt opt = mw_rom_opt_default();
  opt.prescribed = 3;
  for (int q = 0; work && q < 2; q++) {
    mw_rom_call call = { .rom = &z.rom, .opt = &opt, .u = u, .work = work };
    const double *K = out, *D = K + M * M, *B = D + M * M, *C = B + M;
    int load = z.rom.u_field[0];
    MW_CHECK(modeway_rom_rest(&z.rom, &opt, theta[q], load, x, out, work) == MW_ROM_OK);
    MW_CHECK(mw_rom_jacobian(&call, x, acc, acc_x, acc_u) == MW_ROM_OK);
    MW_CHECK(mw_rom_outputs_jacobian(&call, x, &sens) == MW_ROM_OK);
    compare(M, M, K, acc_x + S * 2 * N + S, 2 * N, -1.0);
    compare(M, M, D, acc_x + S * 2 * N + N + S, 2 * N, -1.0);
    compare(M, 1, B, acc_u + S * U, U, 1.0);
    compare(Y, M, C, y_x + S, 2 * N, 1.0);
    compare(1, Y, C + Y * M, y, Y, 1.0);
  }
  free(work);
  synthetic_free(&z);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "modes_are_those_of_lapack", modes_are_those_of_lapack },
    { "modes_of_a_diagonal_are_sorted_and_exact", modes_of_a_diagonal_are_sorted_and_exact },
    { "receptances_are_sums_over_modes", receptances_are_sums_over_modes },
    { "motions_about_rest_are_the_models_jacobians", motions_about_rest_are_the_models_jacobians },
    { "one_coordinate_is_an_oscillator", one_coordinate_is_an_oscillator },
  };
  return mw_test_run("small_motions", cases, (int)(sizeof cases / sizeof *cases));
}
