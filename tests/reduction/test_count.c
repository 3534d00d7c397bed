// SPDX-License-Identifier: BSD-3-Clause
// test_count.c: the number of modes that receptances need, beside dense Galerkin projections of
// small chains.
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "fixture.h"
#include "mw_test.h"
#include "pass_layer.h"
#include "reduction/certificate.h"

enum { N = 24, HELD = 23, LOADS = 3, FREQ = 200 };  // HELD: modes in a sample
static const double ZETA = 0.02, HZ = 0.2;

// A chain of N masses on springs, fixed at one end; loads F [LOADS × N]: unit forces on two masses
// (the first two are the unit loads of the sample), and a weight on all of them.
typedef struct chain {
  double K[N * N], M[N * N], F[LOADS * N];
  double lambda[N], Phi[N * N];  // all modes by LAPACK, as columns
  mw_sample z;
  double B[N * LOADS], F0[LOADS * LOADS], F1[LOADS * LOADS];
} chain;

static void chain_init(chain *c)
{
  *c = (chain){ 0 };
  for (int i = 0; i < N; i++) {
    double below = 1.0 + 0.5 * sin(1.0 + i), above = i + 1 < N ? 1.0 + 0.5 * sin(2.0 + i) : 0.0;
    c->M[i * N + i] = 1.0 + 0.3 * cos(0.7 * i);
    c->K[i * N + i] += below + above;
    if (i + 1 < N) c->K[i * N + i + 1] = c->K[(i + 1) * N + i] = -above;
    if (i > 0) {
      c->K[i * N + i] -= below;  // the spring below is the one above of the last
      c->K[i * N + i] += -c->K[i * N + i - 1];
    }
  }
  c->F[0 * N + N - 1] = c->F[1 * N + N / 3] = 1.0;
  for (int i = 0; i < N; i++) c->F[2 * N + i] = c->M[i * N + i];
}

// x := K⁻¹ f of all loads, X [LOADS × N]
static void statics(const chain *c, double *X)
{
  mw_error err = { 0 };
  double L[N * N];
  memcpy(L, c->K, sizeof L);
  MW_OKAY(mw_chol_factor(N, L, &err));
  memcpy(X, c->F, sizeof c->F);
  for (int l = 0; l < LOADS; l++) mw_chol_solve(N, L, 1, X + l * N);
}

// A sample with k of the modes.
static void sample(chain *c, int k)
{
  mw_error err = { 0 };
  double A[N * N], B[N * N], X[LOADS * N], MX[LOADS * N];
  memcpy(A, c->K, sizeof A);
  memcpy(B, c->M, sizeof B);
  MW_OKAY(mw_eig_gen(N, A, B, c->lambda, c->Phi, &err));
  mw_gemm('t', 't', N, LOADS, N, 1.0, c->Phi, c->F, 0.0, c->B);
  statics(c, X);
  mw_gemm('n', 'n', LOADS, N, N, 1.0, X, c->M, 0.0, MX);
  mw_gemm('n', 't', LOADS, LOADS, N, 1.0, c->F, X, 0.0, c->F0);
  mw_gemm('n', 't', LOADS, LOADS, N, 1.0, MX, X, 0.0, c->F1);
  c->z = (mw_sample){
    .k = k, .n_io = 2, .n_load = LOADS, .lambda = c->lambda, .B = c->B, .F0 = c->F0, .F1 = c->F1
  };
}

typedef struct terms {  // a model's modes: eigenvalues and loads on them
  int n;
  double lambda[N], b[N * 2];
} terms;

// Galerkin's model on m modes and the static solutions of loads with pattern[l]: dense projection,
// LAPACK. The basis is orthonormalised by the SVD of √M V, V's columns of unit length: without its
// square the condition does no harm.
static void galerkin(const chain *c, int m, const unsigned char *pattern, terms *t)
{
  mw_error err = { 0 };
  double V[N * N] = { 0 }, U[N * N], sv[N], Kr[N * N], tmp[N * N], W[N * N], X[LOADS * N];
  int n = m;
  for (int l = 0; l < LOADS; l++) n += pattern[l];
  statics(c, X);
  for (int k = 0, l = 0; k < n; k++) {
    double norm = 0.0;
    while (k >= m && !pattern[l]) l++;
    for (int i = 0; i < N; i++) {
      double v = sqrt(c->M[i * N + i]) * (k < m ? c->Phi[i * N + k] : X[l * N + i]);
      norm += v * v;
      V[i * n + k] = v;
    }
    for (int i = 0; i < N; i++) V[i * n + k] /= sqrt(norm);
    l += k >= m;
  }
  int width = n < N ? n : N;
  MW_OKAY(mw_svd(N, n, V, sv, U, NULL, &err));
  t->n = 0;
  while (t->n < width && sv[t->n] > 1e-12) t->n++;
  n = t->n;
  for (int i = 0; i < N; i++)  // V := M^−½ U, of what is not rounding
    for (int k = 0; k < n; k++) V[i * n + k] = U[i * width + k] / sqrt(c->M[i * N + i]);
  mw_gemm('n', 'n', N, n, N, 1.0, c->K, V, 0.0, tmp);
  mw_gemm('t', 'n', n, n, N, 1.0, V, tmp, 0.0, Kr);
  MW_OKAY(mw_eig_sym(n, Kr, t->lambda, W, &err));
  mw_gemm('t', 't', n, 2, N, 1.0, V, c->F, 0.0, tmp);  // loads on the basis
  mw_gemm('t', 'n', n, 2, n, 1.0, W, tmp, 0.0, t->b);
}

static double complex receptance(const terms *t, int i, int j, double omega, double *size)
{
  double complex h = 0.0;
  *size = 0.0;
  for (int k = 0; k < t->n; k++) {
    double complex den = t->lambda[k] - omega * omega + 2.0 * I * ZETA * omega * sqrt(t->lambda[k]);
    h += t->b[k * 2 + i] * t->b[k * 2 + j] / den;
    *size += fabs(t->b[k * 2 + i] * t->b[k * 2 + j]) / cabs(den);
  }
  return h;
}

// Definition of romfile.h, at 200 frequencies from 0 to HZ and at the modes of both.
static double error_of(const terms *direct, const terms *rom)
{
  double two_pi = 2.0 * acos(-1.0), worst = 0.0;
  for (int f = 0; f < FREQ + direct->n + rom->n; f++) {
    int k = f - FREQ;
    double omega = k < 0           ? two_pi * HZ * f / (FREQ - 1)
                   : k < direct->n ? sqrt(direct->lambda[k])
                                   : sqrt(rom->lambda[k - direct->n]);
    if (omega > two_pi * HZ) continue;
    for (int i = 0; i < 2; i++)
      for (int j = 0; j <= i; j++) {
        double Ei, Ej, unused;
        (void)receptance(direct, i, i, omega, &Ei);
        (void)receptance(direct, j, j, omega, &Ej);
        double complex d = receptance(rom, i, j, omega, &unused);
        d -= receptance(direct, i, j, omega, &unused);
        worst = fmax(worst, cabs(d) / sqrt(Ei * Ej));
      }
  }
  return worst;
}

static void all_modes(const chain *c, terms *t)
{
  t->n = N;
  memcpy(t->lambda, c->lambda, sizeof t->lambda);
  for (int k = 0; k < N; k++)
    for (int i = 0; i < 2; i++) t->b[k * 2 + i] = c->B[k * LOADS + i];
}

// What counting on a sample may differ by from a dense projection: the bound of the sample's own
// receptances for want of its last mode (receptance.c), twice, for what they are divided by; and
// rounding. F1, of size F0/λ_1, errs by N ε κ(K) of itself, which the rest takes over, ω² δF1 (1/(1
// − ω²/λ))² of which count, λ > 1.4 ω²: 12; against E > F0 λ_1/ω².
static double sample_error(const chain *c)
{
  mw_error err = { 0 };
  double hz[FREQ], bound = 0.0, omega = 2.0 * acos(-1.0) * HZ;
  for (int f = 0; f < FREQ; f++) hz[f] = HZ * f / (FREQ - 1);
  MW_OKAY(mw_receptance_bound(&c->z, ZETA, FREQ, hz, NULL, &bound, &err));
  double ratio = omega * omega / c->lambda[0], kappa = c->lambda[N - 1] / c->lambda[0];
  return 2.0 * bound + 12.0 * N * DBL_EPSILON * kappa * ratio * ratio;
}

static void modes_counted_meet_the_tolerance_and_one_less_misses_it(void)
{
  static const unsigned char skip[2] = { 0 }, patterns[2][LOADS] = { { 1, 1, 1 }, { 1, 0, 1 } };
  // a load without its pattern converges slowly
  static const double tolerance[2][3] = { { 1e-2, 1e-3, 1e-4 }, { 1e-1, 3e-2, 1e-2 } };
  mw_error err = { 0 };
  chain c;
  terms direct, rom;
  int last = 0;
  chain_init(&c);
  for (int p = 0; p < 2; p++)
    for (int t = 0; t < 3; t++) {
      mw_count count;
      sample(&c, HELD);
      all_modes(&c, &direct);
      if (!MW_OKAY(
              mw_count_from(1, &c.z, patterns[p], skip, ZETA, HZ, tolerance[p][t], &count, &err)))
        continue;
      if (!MW_CHECK(count.n > 1 && count.n < HELD)) continue;
      galerkin(&c, count.n, patterns[p], &rom);
      double e = error_of(&direct, &rom), own = sample_error(&c);
      MW_NEAR(count.error, e, own);
      MW_CHECK(e <= tolerance[p][t] + own);
      galerkin(&c, count.n - 1, patterns[p], &rom);
      e = error_of(&direct, &rom);
      MW_NEAR(count.error_fewer, e, own);
      MW_CHECK(e > tolerance[p][t] - own);
      MW_CHECK(t == 0 || count.n >= last);
      last = count.n;
    }
}

static void modes_that_are_too_few_say_so(void)
{
  enum { FEW = 18 };
  static const unsigned char none[LOADS] = { 0 }, skip[2] = { 0 };
  mw_error err = { 0 };
  mw_count count;
  chain c;
  terms direct, rom;
  chain_init(&c);
  sample(&c, FEW);
  all_modes(&c, &direct);
  MW_OKAY(mw_count_from(1, &c.z, none, skip, ZETA, HZ, 1e-4, &count, &err));
  galerkin(&c, FEW, none, &rom);
  MW_CHECK(count.n == FEW);
  MW_CHECK(count.error > 1e-4 + sample_error(&c));
  MW_NEAR(count.error, error_of(&direct, &rom), sample_error(&c));
}

static void a_cluster_is_not_cut(void)
{
  // every mode of the chain has a twin beside it, 1e-3 higher, that no load reaches: no receptance
  // needs it
  static const unsigned char pattern[LOADS] = { 1, 1, 1 }, skip[2] = { 0 };
  mw_error err = { 0 };
  mw_count alone, pairs;
  chain c;
  double lambda[2 * N], B[2 * N * LOADS] = { 0 };
  chain_init(&c);
  sample(&c, 20);
  MW_OKAY(mw_count_from(1, &c.z, pattern, skip, ZETA, HZ, 1e-3, &alone, &err));
  for (int k = 0; k < 20; k++) {
    lambda[2 * k] = c.lambda[k];
    lambda[2 * k + 1] = c.lambda[k] * 1.001;
    memcpy(B + 2 * k * LOADS, c.B + k * LOADS, LOADS * sizeof *B);
  }
  c.z.k = 40;
  c.z.lambda = lambda;
  c.z.B = B;
  MW_OKAY(mw_count_from(1, &c.z, pattern, skip, ZETA, HZ, 1e-3, &pairs, &err));
  MW_CHECK(!alone.cluster && pairs.cluster);
  MW_CHECK(pairs.n == 2 * alone.n);
}

static void the_worst_of_several_samples_decides(void)
{
  static const unsigned char pattern[LOADS] = { 1, 1, 1 }, skip[4] = { 0 };
  mw_error err = { 0 };
  mw_count one[2], both;
  chain c[2];
  mw_sample z[2];
  for (int i = 0; i < 2; i++) {
    chain_init(&c[i]);
    for (int k = 0; k < N * N && i == 1; k++) c[i].K[k] *= 0.3;  // softer: more modes in the band
    sample(&c[i], 20);
    z[i] = c[i].z;
    MW_OKAY(mw_count_from(1, &z[i], pattern, skip, ZETA, HZ, 1e-3, &one[i], &err));
  }
  MW_OKAY(mw_count_from(2, z, pattern, skip, ZETA, HZ, 1e-3, &both, &err));
  MW_CHECK(one[1].n > one[0].n);
  MW_CHECK(both.n == one[1].n);
}

static void a_model_with_modes_by_receptance_has_a_certificate_of_receptances_that_is_met(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 }, fewer = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_machine("  grid: auto\n", &f))) return;
  mw_reduction_in *in = &f.model.reduction;
  in->n_modes = 0;
  in->modes_band = in->band = 150.0;
  in->receptance = 1e-2;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    const mw_certificate *c = &rom.certificate;
    MW_CHECK(rom.modes_note != NULL);
    MW_CHECK(c->band[c->n_band - 1] == 150.0);
    MW_CHECK(c->max_receptance_error <= 1e-2);
    MW_CHECK(mw_certificate_met(c));
    // one less, on the same grid: what the count was for
    in->n_modes = rom.n_freq - 1;
    in->modes_band = 0.0;
    if (MW_CHECK(in->n_modes > 0) && MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &fewer, &err)) &&
        MW_CHECK(fewer.n_modes == rom.n_modes - 1))
      MW_CHECK(fewer.certificate.max_receptance_error > 0.5e-2);
  }
  mw_rom_file_free(&fewer);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "modes_counted_meet_the_tolerance_and_one_less_misses_it",
      modes_counted_meet_the_tolerance_and_one_less_misses_it },
    { "modes_that_are_too_few_say_so", modes_that_are_too_few_say_so },
    { "a_cluster_is_not_cut", a_cluster_is_not_cut },
    { "the_worst_of_several_samples_decides", the_worst_of_several_samples_decides },
    { "a_model_with_modes_by_receptance_has_a_certificate_of_receptances_that_is_met",
      a_model_with_modes_by_receptance_has_a_certificate_of_receptances_that_is_met },
  };
  return mw_test_run("count", cases, (int)(sizeof cases / sizeof *cases));
}
