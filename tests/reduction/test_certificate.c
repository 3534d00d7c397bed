// SPDX-License-Identifier: BSD-3-Clause
// test_certificate.c: samples, receptances and the comparison against closed forms, dense algebra
// and spoiled models.
#include "reduction/certificate.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture.h"
#include "base/dense.h"
#include "certify/certificate_layer.h"
#include "mw_test.h"
#include "reduction/reduce.h"

static const double PI = 3.14159265358979323846;

// A mechanism with one coordinate at one configuration, and what samples and comparisons are made
// of.
typedef struct bench {
  mw_fixture f;
  mw_blocks *blocks;
  mw_system *sys;
  unsigned char locked[4];
  mw_config q;
  mw_reduction r;  // only what a comparison asks of it
  mw_sample_in in;
  mw_arena mem;
} bench;

static bool place(bench *b, double theta)
{
  mw_error err = { 0 };
  mw_system_free(b->sys);
  b->sys = NULL;
  return MW_OKAY(mw_config_at(&b->f.mech, b->locked, 1, b->r.coord, &theta, NULL, &b->mem, &b->q,
                              &err)) &&
         MW_OKAY(mw_system_build(b->blocks, b->locked, false, b->q.p, b->q.s, &b->sys, &err));
}

static bool open_bench(const char *kind, int elements, int grid, const char *extra, bench *b)
{
  mw_error err = { 0 };
  *b = (bench){ 0 };
  if (!MW_CHECK(mw_fixture_beam(kind, elements, 0.5, 1.0, grid, 3, extra, &b->f))) return false;
  b->locked[0] = 1;
  b->r = (mw_reduction){ .model = &b->f.model,
                         .mech = &b->f.mech,
                         .s = 1,
                         .lo = { 0.0 },
                         .hi = { 1.0 },
                         .locked = b->locked,
                         .n_want = 3 };
  b->in = (mw_sample_in){
    .mech = &b->f.mech, .locked = b->locked, .s = 1, .q = &b->q, .k = 3, .rest = 1e-3
  };
  return MW_OKAY(mw_blocks_build(&b->f.mech, 0.0, false, &b->blocks, &err));
}

static void close_bench(bench *b)
{
  mw_system_free(b->sys);
  mw_blocks_free(b->blocks);
  mw_arena_free(&b->mem);
  mw_fixture_free(&b->f);
}

// Index of the unit load at an output (−1: not there).
static int load_at(const bench *b, const char *output, int axis)
{
  mw_unit_load list[32];
  int n = mw_sample_unit_loads(&b->f.mech, b->locked, NULL);
  if (!MW_CHECK(n <= 32)) return -1;
  (void)mw_sample_unit_loads(&b->f.mech, b->locked, list);
  for (int i = 0; i < n; i++)
    if (list[i].output >= 0 && list[i].axis == axis &&
        strcmp(b->f.model.output[list[i].output].name, output) == 0)
      return i;
  return -1;
}

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
  bench b;
  mw_error err = { 0 };
  mw_sample z;
  mw_receptance r;
  enum { N = 24 };
  if (open_bench("SS", 24, 5, NULL, &b) && place(&b, 0.5)) {
    b.in.k = 6;
    int i = load_at(&b, "mid", 2);
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
  close_bench(&b);
}

// All modes of the constrained mechanism by dense algebra: G = flexibility matrix, M = L Lᵀ,
// eigenvalues 1/λ of Lᵀ G L.
static mw_receptance all_modes(bench *b, double zeta)
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
  bench b;
  mw_error err = { 0 };
  if (open_bench("SS", 10, 5, NULL, &b) && place(&b, 0.37)) {
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
  close_bench(&b);
}

static void samples_take_as_many_modes_as_the_bound_asks_for(void)
{
  bench b;
  mw_error err = { 0 };
  int k[3] = { 0 };
  if (open_bench("SS", 16, 5, NULL, &b) && place(&b, 0.37))
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
  close_bench(&b);
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

// ---- comparison ---------------------------------------------------------------------------------

enum { POINTS = 4 };

// Samples at the first Halton points (without assurance), and the reduced model of the fixture.
static bool compare_setup(bench *b, mw_rom_file *rom, mw_sample *z)
{
  mw_error err = { 0 };
  double theta[POINTS];
  bool good = MW_OKAY(mw_reduce(&b->f.model, &b->f.mech, NULL, rom, &err));
  mw_points_halton(&b->r, 0, POINTS, theta);
  for (int i = 0; good && i < POINTS; i++)
    good = place(b, theta[i]) && MW_OKAY(mw_sample_build(b->sys, &b->in, &z[i], &b->mem, &err));
  b->r.m = rom->rom.m;
  b->r.m_modes = rom->n_modes;
  return good;
}

// All of field `from` … `from + n` of every coefficient times a.
static void scale_fields(mw_rom_file *rom, int from, int n, double a)
{
  double *coef = (double *)(size_t)rom->rom.coef;  // the test owns the file
  for (int k = 0; k < mw_rom_n_knot(&rom->rom, 0); k++)
    for (int i = 0; i < n; i++) coef[k * rom->rom.n_field + from + i] *= a;
}

// K times 1 + ε: frequencies times √(1 + ε), to rounding; and of the energy at rest ε/(1 + ε) is
// left out beyond what was.
static void a_stiffness_that_is_wrong_is_found_out(void)
{
  bench b;
  mw_rom_file rom = { 0 };
  mw_sample z[POINTS];
  mw_certificate good = { 0 }, bad = { 0 };
  mw_error err = { 0 };
  double eps = 0.02;
  if (open_bench("SS", 20, 25, NULL, &b) && compare_setup(&b, &rom, z) &&
      MW_OKAY(mw_certificate_compare(&b.r, NULL, &rom, POINTS, z, &good, &b.mem, &err))) {
    mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&rom.rom));
    scale_fields(&rom, L.K, L.C - L.K, 1.0 + eps);
    MW_OKAY(mw_certificate_compare(&b.r, NULL, &rom, POINTS, z, &bad, &b.mem, &err));
    MW_CHECK(good.n_freq == 3 && bad.n_freq == 3);
    for (int k = 0; k < POINTS * 3; k++) {
      MW_WITHIN(bad.f_rom[k] / good.f_rom[k], sqrt(1.0 + eps), 1e-12,
                "roundings of two eigenproblems that are nearly the same");
      MW_SAME_BITS(&bad.f_direct[k], &good.f_direct[k], 1);
    }
    // the largest of what interpolation errs by comes on top
    MW_NEAR(bad.max_frequency_error, eps / 2, eps * eps / 8 + 2 * good.max_frequency_error);
    MW_CHECK(good.max_frequency_error < 1e-3 && good.max_receptance_error < 0.5);
    MW_NEAR(bad.max_energy_left, eps / (1.0 + eps), 2.0 * good.max_energy_left);
    MW_WITHIN(bad.max_static_error, eps / (1.0 + eps), 2.0 * good.max_static_error,
              "the largest error of interpolation, at whatever sample is worst");
    // a peak displaced by ε/2, ζ = 0.02: |h' − h|/|h| = |1 − 1/(1 − iε/(2ζ))| to first order of ε
    // and ζ
    double x = eps / (2.0 * 0.02);
    MW_CHECK(bad.max_receptance_error > 0.8 * x / sqrt(1.0 + x * x));
    printf("certificate: good %.1e %.1e %.1e, spoiled %.1e %.1e %.1e\n", good.max_frequency_error,
           good.max_receptance_error, good.max_energy_left, bad.max_frequency_error,
           bad.max_receptance_error, bad.max_energy_left);
  }
  mw_rom_file_free(&rom);
  close_bench(&b);
}

// Energy of a random combination v of loads that the reduced model leaves out.
static double left_out(const mw_sample *z, const double *F, const double *v)
{
  double left = 0.0, all = 0.0;
  for (int i = 0; i < z->n_load; i++)
    for (int j = 0; j < z->n_load; j++) {
      all += v[i] * z->F0[i * z->n_load + j] * v[j];
      left += v[i] * (z->F0[i * z->n_load + j] - F[i * z->n_load + j]) * v[j];
    }
  return fabs(left) / all;
}

// Without one of the patterns: F_rom by dense solution with K; of all combinations of vertical
// loads (others do next to nothing) none leaves out more than is certified, and the best of many
// comes close.
static void a_column_that_is_missing_shows_in_the_energy_left(void)
{
  bench b;
  mw_rom_file rom = { 0 };
  mw_sample z[POINTS];
  mw_certificate c = { 0 }, whole = { 0 };
  mw_error err = { 0 };
  if (open_bench("SS", 20, 25, NULL, &b) && compare_setup(&b, &rom, z) &&
      MW_CHECK(rom.n_patterns > 0) &&
      MW_OKAY(mw_certificate_compare(&b.r, NULL, &rom, 1, z, &whole, &b.mem, &err))) {
    int m = rom.rom.m, gone = m - 1, n_io = z[0].n_io, nl = z[0].n_load;
    mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&rom.rom));
    for (int j = 0; j < m - 1; j++) scale_fields(&rom, L.K + gone * (gone + 1) / 2 + j, 1, 0.0);
    for (int k = 0; k < rom.rom.n_y; k++) scale_fields(&rom, L.y + k * (1 + m) + 1 + gone, 1, 0.0);
    scale_fields(&rom, L.d + gone, 1, 0.0);
    scale_fields(&rom, L.U1 + gone, 1, 0.0);
    MW_OKAY(mw_certificate_compare(&b.r, NULL, &rom, 1, z, &c, &b.mem, &err));
    // F_rom densely
    double *v = mw_arena_f64(&b.mem, (size_t)rom.rom.n_field);
    double *K = mw_arena_f64(&b.mem, (size_t)m * (size_t)m);
    double *g = mw_arena_f64(&b.mem, (size_t)nl * (size_t)m), *x = mw_arena_f64(&b.mem, (size_t)m);
    double *F = mw_arena_f64(&b.mem, (size_t)nl * (size_t)nl);
    MW_CHECK(mw_rom_fields(&rom.rom, z[0].theta, v, NULL, NULL) == MW_ROM_OK);
    for (int i = 0; i < m; i++)
      for (int j = 0; j <= i; j++) K[i * m + j] = v[L.K + i * (i + 1) / 2 + j];
    for (int l = 0; l < nl; l++)
      for (int a = 0; a < m; a++)
        g[l * m + a] =
            l < n_io ? v[L.y + l * (1 + m) + 1 + a] : (l == n_io ? -v[L.d + a] : -v[L.U1 + a]);
    MW_OKAY(mw_chol_factor(m, K, &err));
    for (int l = 0; l < nl; l++) {
      memcpy(x, g + l * m, (size_t)m * sizeof *x);
      mw_chol_solve(m, K, 1, x);
      for (int k = 0; k < nl; k++) F[l * nl + k] = mw_dot(m, x, g + k * m);
    }
    const char *const name[2] = { "mid", "cart" };
    double best = 0.0, combination[32];
    for (int t = 0; t < 20000 && MW_CHECK(nl <= 32); t++) {
      memset(combination, 0, sizeof combination);
      for (int k = 0; k < 2; k++)
        combination[load_at(&b, name[k], 2)] = cos(2.0 * PI * t / 20000.0 - 0.5 * PI * k);
      best = fmax(best, left_out(&z[0], F, combination));
    }
    printf("energy left: %.1e, without a pattern %.3e; the best of many combinations %.3e\n",
           whole.max_energy_left, c.max_energy_left, best);
    MW_CHECK(best <=
             c.max_energy_left * (1.0 + 1e-6));  // rounding of F, condition 1e4 of kept loads
    // acceleration along the beam does nothing to it and gravity is the cart's load: two loads are
    // all there is
    MW_CHECK(best > 0.999 * c.max_energy_left);
    MW_CHECK(c.max_energy_left > 10.0 * whole.max_energy_left);
  }
  mw_rom_file_free(&rom);
  close_bench(&b);
}

static void samples_serve_grids_of_any_size(void)
{
  bench b[2];
  mw_rom_file rom[2] = { 0 };
  mw_sample z[POINTS], other[POINTS];
  mw_certificate c[2] = { 0 };
  mw_error err = { 0 };
  bool good = open_bench("CF", 16, 9, NULL, &b[0]);
  good = open_bench("CF", 16, 17, NULL, &b[1]) && good;
  for (int i = 0; good && i < 2; i++) b[i].f.model.reduction.coordinate[0].refine = 8;
  if (good && compare_setup(&b[0], &rom[0], z) && compare_setup(&b[1], &rom[1], other) &&
      MW_OKAY(mw_certificate_compare(&b[0].r, NULL, &rom[0], POINTS, z, &c[0], &b[0].mem, &err)) &&
      MW_OKAY(mw_certificate_compare(&b[1].r, NULL, &rom[1], POINTS, z, &c[1], &b[1].mem, &err))) {
    for (int i = 0; i < POINTS; i++) {
      MW_SAME_BITS(z[i].F0, other[i].F0, z[i].n_load * z[i].n_load);
      MW_SAME_BITS(z[i].lambda, other[i].lambda, z[i].k);
    }
    MW_CHECK(c[0].n_band == c[1].n_band && c[0].n_band > 200 && c[0].n_band <= 1000);
    MW_SAME_BITS(c[0].band, c[1].band, c[0].n_band);
    MW_SAME_BITS(c[0].f_direct, c[1].f_direct, POINTS * c[0].n_freq);
    // a grid twice as fine: a factor of 16 in the limit, half of it asked for
    MW_CHECK(c[1].max_frequency_error < c[0].max_frequency_error / 8.0);
    // receptances err by the columns left out, 5e-4 on both grids; of that a frequency that errs by
    // 8e-6 and less moves a peak of half width 1e-3 and more by a hundredth
    MW_NEAR(c[1].max_receptance_error, c[0].max_receptance_error, 2e-2 * c[0].max_receptance_error);
  }
  for (int i = 0; i < 2; i++) {
    mw_rom_file_free(&rom[i]);
    close_bench(&b[i]);
  }
}

// The list has a frequency within a quarter of a mode's half width of every sampled mode in the
// band, and names its rows.
static void receptances_are_compared_where_the_modes_are(void)
{
  bench b;
  mw_rom_file rom = { 0 };
  mw_sample z[POINTS];
  mw_certificate c = { 0 };
  mw_error err = { 0 };
  if (open_bench("SS", 16, 17, "  certificate: { band: 20 }\n", &b) && compare_setup(&b, &rom, z) &&
      MW_OKAY(mw_certificate_compare(&b.r, NULL, &rom, POINTS, z, &c, &b.mem, &err))) {
    MW_CHECK(c.band[0] == 0.0 && c.band[c.n_band - 1] == 20.0);
    for (int i = 1; i < c.n_band; i++) MW_CHECK(c.band[i] > c.band[i - 1]);
    int in_band = 0;
    for (int i = 0; i < POINTS; i++)
      for (int k = 0; k < z[i].k; k++) {
        double f = sqrt(z[i].lambda[k]) / (2.0 * PI), gap = INFINITY;
        if (f > 20.0) continue;
        for (int l = 0; l < c.n_band; l++) gap = fmin(gap, fabs(c.band[l] - f));
        MW_CHECK(gap <= 0.25 * c.zeta * f);
        in_band++;
      }
    MW_CHECK(in_band >= 2 * POINTS);
    MW_CHECK(c.n_io == 9 && strcmp(c.io[2], "mid.z") == 0 && strcmp(c.io[8], "cart.z") == 0);
    double largest = 0.0;
    for (int i = 0; i < c.n_io * c.n_band; i++) largest = fmax(largest, c.band_error[i]);
    MW_SAME_BITS(&largest, &c.max_receptance_error, 1);
    MW_SAME_BITS(&c.receptance_error[c.worst_receptance], &c.max_receptance_error, 1);
    // what leads to nothing is left out: across the plane the beam is 1e8 times as stiff
    for (int l = 0; l < c.n_band; l++) MW_CHECK(c.band_error[l] == 0.0);
    MW_CHECK(c.receptance_bound < 1e-3);
    // at rest |H_ii| is the compliance of the worst point
    const mw_sample *w = &z[c.worst_receptance];
    int row = c.worst_io;
    // what modes take from statics they give back: sums over as many
    MW_NEAR(c.band_direct[row * c.n_band] / w->F0[row * w->n_load + row], 1.0,
            mw_test_rounding(w->k, 1.0));
  }
  mw_rom_file_free(&rom);
  close_bench(&b);
}

// ---- assurance, points, verdict -----------------------------------------------------------------

// A = φᵀ M T with a basis of the beam that is nothing but numbers, the cart's rows unchanged.
static void assurance_is_in_the_coordinates_of_the_bases(void)
{
  bench b;
  mw_error err = { 0 };
  mw_sample full, based;
  if (open_bench("SS", 8, 5, NULL, &b) && place(&b, 0.4)) {
    enum { R = 5 };
    int n_body = b.f.mech.n_body, beam = -1;
    mw_basis *basis = mw_arena_alloc(&b.mem, (size_t)n_body, sizeof *basis);
    for (int i = 0; i < n_body; i++)
      if (b.f.mech.body[i].n_u > 0) beam = i;
    int n_u = b.f.mech.body[beam].n_u, o = mw_blocks_offset(b.blocks, beam);
    int n = mw_blocks_size(b.blocks);
    basis[beam] =
        (mw_basis){ .n_u = n_u, .r = R, .T = mw_arena_alloc(&b.mem, (size_t)(R * n_u), 4) };
    for (int i = 0; i < R * n_u; i++) basis[beam].T[i] = (float)sin(1.0 + i * i);
    b.in.n_mac = 3;
    if (MW_OKAY(mw_sample_build(b.sys, &b.in, &full, &b.mem, &err))) {
      b.in.basis = basis;
      MW_OKAY(mw_sample_build(b.sys, &b.in, &based, &b.mem, &err));
      MW_CHECK(full.n == n && based.n == n - n_u + R && full.n_mac == 3 && based.n_mac == 3);
      for (int k = 0; k < 3; k++) {
        const double *row = full.A + k * n, *got = based.A + k * based.n;
        for (int c = 0; c < R; c++) {
          double want = 0.0, size = 0.0;
          for (int i = 0; i < n_u; i++) {
            want += row[o + i] * (double)basis[beam].T[c * n_u + i];
            size += fabs(row[o + i] * (double)basis[beam].T[c * n_u + i]);
          }
          MW_NEAR(got[o + c], want, n_u * DBL_EPSILON * size);  // the same sum in another order
        }
        MW_SAME_BITS(got, row, o);
        MW_SAME_BITS(got + o + R, row + o + n_u, n - o - n_u);
      }
    }
  }
  close_bench(&b);
}

// In a reduction the modes of its own columns are those of the sample: assurance next to one,
// compared by another route than the frequencies.
static void modal_assurance_is_next_to_one_on_a_fine_grid(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_beam("SS", 20, 0.5, 1.0, 25, 3, NULL, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    const mw_certificate *c = &rom.certificate;
    MW_CHECK(c->n_mesh == 8 && c->n_freq == 3 && c->n_io == 9);
    // 1 − MAC is the square of the error of a mode's direction, which is about the square root of
    // λ's relative error
    MW_WITHIN(c->min_mac, 1.0, 1e-3, "the tolerance of frequencies");
    MW_CHECK(c->min_mac < 1.0 || c->max_frequency_error < 1e-9);
    MW_CHECK(mw_certificate_met(c));
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void samples_become_bytes_and_back(void)
{
  bench b;
  mw_error err = { 0 };
  mw_sample z, back;
  if (open_bench("SS", 8, 5, NULL, &b) && place(&b, 0.4)) {
    b.in.n_mac = 2;
    if (MW_OKAY(mw_sample_build(b.sys, &b.in, &z, &b.mem, &err))) {
      mw_pack p = { 0 };
      mw_sample_pack(&z, &p);
      MW_CHECK(!p.failed);
      mw_unpack u = { .p = p.b.p, .left = p.b.n };
      if (MW_OKAY(mw_sample_unpack(&u, &back, &b.mem, &err))) {
        MW_CHECK(u.left == 0 && back.n == z.n && back.k == z.k && back.n_mac == 2);
        MW_CHECK(back.n_io == z.n_io && back.n_load == z.n_load && back.n_stress == 0);
        MW_SAME_BITS(back.theta, z.theta, 1);
        MW_SAME_BITS(back.lambda, z.lambda, z.k);
        MW_SAME_BITS(back.A, z.A, z.n_mac * z.n);
        MW_SAME_BITS(back.B, z.B, z.k * z.n_load);
        MW_SAME_BITS(back.F0, z.F0, z.n_load * z.n_load);
        MW_SAME_BITS(back.F1, z.F1, z.n_load * z.n_load);
      }
      // cut short anywhere, and with sizes that nothing can have
      for (size_t cut = 0; cut < p.b.n; cut += 1 + p.b.n / 97) {
        u = (mw_unpack){ .p = p.b.p, .left = cut };
        MW_FAILS(mw_sample_unpack(&u, &back, &b.mem, &err), MW_ERR_INPUT);
      }
      for (int i = 0; i < 6; i++) {
        mw_pack wrong = { 0 };
        int size[6] = { z.n, z.k, z.n_mac, z.n_io, z.n_load, z.n_stress };
        size[i] = i % 2 ? -1 : 2000000000;
        for (int k = 0; k < 6; k++) mw_pack_int(&wrong, 1, &size[k]);
        mw_pack_f64(&wrong, 64, z.F0);
        u = (mw_unpack){ .p = wrong.b.p, .left = wrong.b.n };
        MW_FAILS(mw_sample_unpack(&u, &back, &b.mem, &err), MW_ERR_INPUT);
        free(wrong.b.p);
      }
      free(p.b.p);
    }
  }
  close_bench(&b);
}

static void points_are_halton_s_and_lie_inside(void)
{
  mw_reduction r = { .s = 6 };
  double theta[16 * 6];
  for (int k = 0; k < 6; k++) r.hi[k] = 1.0;
  mw_points_halton(&r, 0, 16, theta);
  // radical inverses of 1 … 4 in base 2, of 1 … 4 in base 13, shifted by the golden section
  const double two[4] = { 1.0 / 2, 1.0 / 4, 3.0 / 4, 1.0 / 8 }, shift = 0.5 * (sqrt(5.0) - 1.0);
  for (int i = 0; i < 4; i++) {
    MW_NEAR(theta[6 * i], fmod(two[i] + shift, 1.0), 4 * DBL_EPSILON);
    MW_NEAR(theta[6 * i + 5], fmod((i + 1) / 13.0 + shift, 1.0), 4 * DBL_EPSILON);
  }
  for (int i = 0; i < 96; i++) MW_CHECK(theta[i] > 0.0 && theta[i] < 1.0);
}

static bool met_of(const mw_certificate *c, const char *key)
{
  mw_verdict v[MW_VERDICTS];
  int n = mw_certificate_verdicts(c, v);
  for (int i = 0; i < n; i++)
    if (strcmp(v[i].key, key) == 0) return v[i].met;
  return MW_CHECK(false);
}

// Each quantity has its tolerance, NaN misses it; all of them have to be met.
static void every_quantity_compared_decides_what_is_met(void)
{
  double stress[1] = { 0.0 };
  const mw_certificate fine = { .n = 1,
                                .n_freq = 1,
                                .n_io = 1,
                                .n_motion = 1,
                                .n_table = 1,
                                .stress_stiffness_error = 1e-9,
                                .tolerance = 1e-3,
                                .motion_tolerance = 1e-6,
                                .zeta = 0.02,
                                .min_mac = 1.0,
                                .stress_error = stress };
  MW_CHECK(mw_certificate_met(&fine));
  for (int bad = 0; bad < 2; bad++) {
    const double over = bad ? NAN : 1.01;
    mw_certificate c[9] = { fine, fine, fine, fine, fine, fine, fine, fine, fine };
    static const char *const key[9] = { "frequencies", "shapes",           "static_compliance",
                                        "stress",      "receptances",      "rigid_positions",
                                        "tables",      "stress_stiffness", "third_order" };
    c[0].max_frequency_error = 1e-3 * over;
    c[1].min_mac = 1.0 - 2e-3 * over;
    c[2].max_static_error = 2e-3 * over;
    c[3].max_stress_error = 1e-2 * over;
    c[4].max_receptance_error = 1e-3 / 0.02 * over;  // a peak displaced by 1e-3 with 2 % damping
    c[5].motion_error = 1e-6 * over;
    c[6].table_error = 1e-3 * over;
    c[7].stress_stiffness_error = 1e-3 * over;
    c[8].third_error = 1e-3 * over;
    for (int i = 0; i < 9; i++) {
      MW_CHECK(!met_of(&c[i], key[i]));
      MW_CHECK(!mw_certificate_met(&c[i]));
      for (int k = 0; k < 9; k++) MW_CHECK(k == i || met_of(&c[i], key[k]));
    }
  }
}

static void receptances_are_judged_by_the_tolerance_asked_for(void)
{
  mw_certificate c = { .n = 1, .n_io = 1, .tolerance = 1e-3, .zeta = 0.02, .min_mac = 1.0 };
  c.max_receptance_error = 0.3;
  MW_CHECK(!mw_certificate_met(&c));
  c.receptance_tolerance = 0.4;
  MW_CHECK(mw_certificate_met(&c));
  c.receptance_tolerance = 0.1;
  MW_CHECK(!mw_certificate_met(&c));
  c.receptance_tolerance = 0.0;
  c.zeta = 1e-6;  // no more than a tenth, however sharp peaks are
  MW_CHECK(!mw_certificate_met(&c));
}

// A coarse grid: its coordinate. A fine one whose stiffness is wrong everywhere by the same: not
// the grid.
static void advice_names_what_is_to_blame(void)
{
  char text[256];
  mw_error err = { 0 };
  for (int i = 0; i < 2; i++) {
    bench b;
    mw_rom_file rom = { 0 };
    mw_sample z[POINTS];
    bool open = open_bench("SS", 20, i == 0 ? 9 : 33, "  tolerance: 1e-4\n", &b);
    if (open && i == 0) b.f.model.reduction.coordinate[0].refine = 1;
    if (open && compare_setup(&b, &rom, z)) {
      mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&rom.rom));
      if (i == 1) scale_fields(&rom, L.K, L.C - L.K, 1.01);
      MW_OKAY(mw_certificate_compare(&b.r, NULL, &rom, POINTS, z, &rom.certificate, &b.mem, &err));
      MW_CHECK(!mw_certificate_met(&rom.certificate));
      mw_certificate_advice(&rom, text, sizeof text);
      printf("advice: %s\n", text);
      MW_CHECK(strstr(text, i == 0 ? "coordinates.x.points" : "bodies.tolerance") != NULL);
      rom.certificate.tolerance = rom.certificate.receptance_tolerance = 1.0;
      mw_certificate_advice(&rom, text, sizeof text);
      MW_CHECK(text[0] == '\0');
    }
    mw_rom_file_free(&rom);
    close_bench(&b);
  }
}

// Of two coordinates the one with few points; the other runs on a rigid rail, nothing depends on
// it.
static void advice_tells_coordinates_apart(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  char text[256] = "";
  if (!MW_CHECK(mw_fixture_machine("  tolerance: 1e-6\n", &f))) return;
  f.model.reduction.coordinate[1].n_grid = 5;
  f.model.reduction.coordinate[1].refine = 1;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    MW_CHECK(!mw_certificate_met(&rom.certificate));
    mw_certificate_advice(&rom, text, sizeof text);
    MW_CHECK(strstr(text, "coordinates.phi.points") != NULL);
    // a peak that is displaced by a millionth is not what makes a receptance err by a tenth in the
    // middle of the band
    mw_certificate *c = &rom.certificate;
    c->tolerance = 1.0;
    c->receptance_tolerance = 1e-2;
    c->max_receptance_error = 0.1;
    for (int k = 0; k < c->n * c->n_freq; k++) c->f_rom[k] = c->f_direct[k] * (1.0 + 1e-6);
    c->worst_hz = 0.4 * c->band[c->n_band - 1];
    mw_certificate_advice(&rom, text, sizeof text);
    MW_CHECK(strstr(text, "reduction.patterns") != NULL);
    c->worst_hz = c->band[c->n_band - 1];
    mw_certificate_advice(&rom, text, sizeof text);
    MW_CHECK(strstr(text, "modes.band") && !strstr(text, "reduction.patterns"));
    // and does not fit into few bytes
    mw_certificate_advice(&rom, text, 8);
    MW_CHECK(strlen(text) == 7);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
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
    { "a_stiffness_that_is_wrong_is_found_out", a_stiffness_that_is_wrong_is_found_out },
    { "a_column_that_is_missing_shows_in_the_energy_left",
      a_column_that_is_missing_shows_in_the_energy_left },
    { "samples_serve_grids_of_any_size", samples_serve_grids_of_any_size },
    { "receptances_are_compared_where_the_modes_are",
      receptances_are_compared_where_the_modes_are },
    { "assurance_is_in_the_coordinates_of_the_bases",
      assurance_is_in_the_coordinates_of_the_bases },
    { "modal_assurance_is_next_to_one_on_a_fine_grid",
      modal_assurance_is_next_to_one_on_a_fine_grid },
    { "samples_become_bytes_and_back", samples_become_bytes_and_back },
    { "points_are_halton_s_and_lie_inside", points_are_halton_s_and_lie_inside },
    { "every_quantity_compared_decides_what_is_met", every_quantity_compared_decides_what_is_met },
    { "receptances_are_judged_by_the_tolerance_asked_for",
      receptances_are_judged_by_the_tolerance_asked_for },
    { "advice_names_what_is_to_blame", advice_names_what_is_to_blame },
    { "advice_tells_coordinates_apart", advice_tells_coordinates_apart },
  };
  return mw_test_run("certificate", cases, (int)(sizeof cases / sizeof *cases));
}
