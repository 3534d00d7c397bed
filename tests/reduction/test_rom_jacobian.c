// SPDX-License-Identifier: BSD-3-Clause
// test_rom_jacobian.c: second derivatives of the fields, derivatives of the accelerations.
#include "sens/rom_derive.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mw_test.h"
#include "rom_complex.h"
#include "rom_kinds.h"

static const int sizes[][2] = { { 1, 0 }, { 1, 1 }, { 1, 5 },  { 2, 0 }, { 2, 5 },
                                { 3, 0 }, { 3, 4 }, { 2, 10 }, { 4, 2 } };
enum { N_SIZE = sizeof sizes / sizeof *sizes, N_POINT = 4, MAX_S = MW_ROM_MAX_S };

static int points(int s, int n) { return s > 3 ? 4 : n; }

// ---- fields -------------------------------------------------------------------------------------

static int is_flat(const mw_rom *rom, int i) { return (int)(rom->flat >> i & 1u); }

static void check_second(const rom_kind *m, uint64_t *seed)
{
  const mw_rom *rom = &m->rom;
  size_t n = (size_t)rom->n_field, s = (size_t)rom->s;
  mw_rom_opt opt = mw_rom_opt_default();
  rom_sens w;
  rom_sens_init(&w, rom, m->work);
  double *value = malloc((1 + 5 * s) * n * sizeof(double)), *gradient = value + n;
  if (!MW_CHECK(value != NULL)) return;
  double theta[MAX_S], at[MAX_S];
  kind_middle_of_a_cell(rom, seed, theta);
  rom_interpolate_second(rom, &opt, theta, 1, &w.jac);
  MW_CHECK(mw_rom_fields(rom, theta, value, gradient, NULL) == MW_ROM_OK);
  MW_SAME_BITS(w.jac.value, value, n);
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(rom));
  for (int k = 0; k < rom->s; k++) {
    // inside a cell the gradient is a cubic in theta_k, and this difference exact for it
    double cell =
        (rom->hi[k] - rom->lo[k]) / (rom->n_grid[k] - 1) * (rom->symmetric >> k & 1u ? 0.5 : 1.0);
    double h = 0.2 * cell, *g[4];
    if (!is_flat(rom, k)) MW_SAME_BITS(w.jac.gradient + (size_t)k * n, gradient + (size_t)k * n, n);
    for (int q = 0; q < 4; q++) {
      static const int step[4] = { -2, -1, 1, 2 };
      g[q] = gradient + (size_t)(q + 1) * s * n;
      memcpy(at, theta, sizeof at);
      at[k] += step[q] * h;
      MW_CHECK(mw_rom_fields(rom, at, value, g[q], NULL) == MW_ROM_OK);
    }
    for (int i = 0; i <= k && !is_flat(rom, k); i++) {
      const double *hess = w.jac.hessian + (size_t)(k * (k + 1) / 2 + i) * n;
      for (int f = 0; f < rom->n_field && !is_flat(rom, i); f++) {
        if ((f >= l.C && f < l.e) || (f >= l.CE && f < l.y)) continue;  // not needed, not set
        double *row[4];
        for (int q = 0; q < 4; q++) row[q] = g[q] + (size_t)i * n;
        double got = (8.0 * (row[2][f] - row[1][f]) - (row[3][f] - row[0][f])) / (12.0 * h);
        // 4^s products of coefficients <= 30² with weights that add up to 2/cell at most, divided
        // by h; the place itself rounds by eps |theta|/cell <= 30 eps, times the gradient's slope
        double tol = ((1 << 2 * rom->s) + 60) * DBL_EPSILON * 900.0 * (2.0 / cell) / h;
        MW_NEAR(hess[f], got, tol);
      }
    }
  }
  free(value);
}

static void second_derivatives_of_the_fields_are_differences_of_gradients(void)
{
  static const int of[][3] = { { 1, 3, 0 },
                               { 2, 3, 0 },
                               { 3, 3, 0 },
                               { 4, 2, 0 },
                               { 5, 1, 0 },
                               { 6, 0, 0 },
                               { 2, 3, KIND_TRAIN },
                               { 3, 2, KIND_TRAIN },
                               { 2, 3, KIND_FLAT },
                               { 1, 3, KIND_FLAT },
                               { 3, 2, KIND_CYCLIC },
                               { 2, 3, KIND_SYMMETRIC },
                               { 3, 3, KIND_SYMMETRIC },
                               { 3, 3, KIND_SYMMETRIC | KIND_CYCLIC | KIND_FLAT },
                               { 3, 2, KIND_SYMMETRIC | KIND_CYCLIC | KIND_FLAT | KIND_TRAIN },
                               { 2, 3, KIND_SECOND },
                               { 2, 3, KIND_SECOND | KIND_SYMMETRIC | KIND_CYCLIC },
                               { 2, 2, KIND_SECOND | KIND_TRAIN | KIND_FLAT | KIND_SYMMETRIC } };
  uint64_t seed = 3;
  for (size_t c = 0; c < sizeof of / sizeof *of; c++) {
    rom_kind m;
    if (!MW_CHECK(kind_make(of[c][0], of[c][1], 4, of[c][2], &m))) return;
    for (int point = 0; point < N_POINT; point++) check_second(&m, &seed);
    kind_free(&m);
  }
}

// ---- accelerations ------------------------------------------------------------------------------

static void the_complex_reference_equals_the_plain_one(void)
{
  uint64_t seed = 4;
  rom_kind m;
  if (!MW_CHECK(kind_make(2, 5, 6, KIND_SECOND, &m))) return;
  double x[2 * REF_MAX_N], a[REF_MAX_N], u[SYN_N_U] = { 0.7, -1.3 };
  cplx X[2 * REF_MAX_N], U[SYN_N_U] = { 0.7, -1.3 }, a_c[REF_MAX_N], R[REF_MAX_N];
  static ref_terms t;
  int n = 7;
  kind_random_state(&m.rom, &seed, x);
  for (int i = 0; i < 2 * n; i++) X[i] = x[i];
  for (int i = 0; i < n; i++) a_c[i] = a[i] = synthetic_random(&seed);
  ref_terms_eval(&m.rom, MW_ROM_FULL, x, u, &t);
  cplx_residual(&m.rom, MW_ROM_FULL, CPLX_PLAIN, X, U, a_c, R);
  for (int i = 0; i < n; i++) {
    double want = -t.r[i], size = t.size[i];
    for (int j = 0; j < n; j++) {
      want += t.M[i][j] * a[j];
      size += fabs(t.M[i][j] * a[j]);
    }
    MW_NEAR(creal(R[i]), want, 200 * DBL_EPSILON * size);
  }
  kind_free(&m);
}

// dR/dx_c (c < 2n) or dR/du at fixed a, and the sizes of the terms.
static void reference_column(const mw_rom *rom, mw_rom_inertia inertia, const double *x,
                             const double *u, const double *a, int c, double *slope, double *size)
{
  const double step = 1e-30;
  int n = rom->s + rom->m;
  cplx X[2 * REF_MAX_N], U[SYN_N_U], A[REF_MAX_N], R[REF_MAX_N];
  for (int k = 0; k < 2 * n; k++) X[k] = x[k] + (k == c ? step * I : 0.0);
  for (int k = 0; k < rom->n_u; k++) U[k] = u[k] + (2 * n + k == c ? step * I : 0.0);
  for (int k = 0; k < n; k++) A[k] = a[k];
  cplx_residual(rom, inertia, CPLX_PLAIN, X, U, A, R);
  for (int i = 0; i < n; i++) slope[i] = cimag(R[i]) / step;
  cplx_residual(rom, inertia, CPLX_ABSOLUTE, X, U, A, R);
  for (int i = 0; i < n; i++) size[i] = cimag(R[i]) / step;
}

// Rounding as in test_rom_rhs.c, second derivatives' sums of absolute values with it.
static double row_tol(const mw_rom *rom, double size)
{
  int n = rom->s + rom->m;
  return ((1 << 2 * rom->s) + rom->s * n * n + 40) * DBL_EPSILON * size;
}

// M acc_c + dR/dc = 0 on free rows, acc_c = 0 on prescribed ones, for all columns c of (x, u).
static void check_jacobian(const rom_kind *m, const mw_rom_opt *opt, const double *x,
                           const double *u)
{
  static const double given[MAX_S] = { 1.5, -2.5, 0.5, 1.0, -0.5, 2.0 };
  const mw_rom *rom = &m->rom;
  int s = rom->s, n = s + rom->m, nx = 2 * n;
  double acc[REF_MAX_N], acc_x[2 * REF_MAX_N * REF_MAX_N], acc_u[REF_MAX_N * SYN_N_U], z[REF_MAX_N];
  static ref_terms t;
  MW_CHECK(mw_rom_jacobian(
               &(mw_rom_call){ .rom = rom, .opt = opt, .u = u, .thdd_p = given, .work = m->work },
               x, acc, acc_x, acc_u) == MW_ROM_OK);
  MW_CHECK(
      mw_rom_rhs(&(mw_rom_call){ .rom = rom, .opt = opt, .u = u, .thdd_p = given, .work = m->work },
                 x, z) == MW_ROM_OK);
  MW_SAME_BITS(acc, z, n);
  ref_terms_eval(rom, opt->inertia, x, u, &t);
  for (int c = 0; c < nx + rom->n_u; c++) {
    double slope[REF_MAX_N], size[REF_MAX_N], d[REF_MAX_N];
    reference_column(rom, opt->inertia, x, u, acc, c, slope, size);
    for (int i = 0; i < n; i++) d[i] = c < nx ? acc_x[i * nx + c] : acc_u[i * rom->n_u + c - nx];
    for (int i = 0; i < n; i++) {
      if (i < s && (opt->prescribed >> i & 1u)) {
        MW_CHECK(d[i] == 0.0);
        continue;
      }
      double res = slope[i], bound = size[i];
      for (int j = 0; j < n; j++) {
        res += t.M[i][j] * d[j];
        bound += fabs(t.M[i][j] * d[j]);
      }
      // a theta row also carries the rounding of the delta rows that were eliminated from it
      for (int a = s; i < s && a < n; a++) bound += fabs(t.M[i][a]) * (size[a] + fabs(d[a]));
      MW_NEAR(res, 0.0, row_tol(rom, bound));
    }
  }
}

static void check_sizes(int kind)
{
  uint64_t seed = 11;
  for (int c = 0; c < N_SIZE; c++) {
    rom_kind m;
    if (!MW_CHECK(kind_make(sizes[c][0], sizes[c][1], points(sizes[c][0], 6), kind, &m))) return;
    for (int point = 0; point < N_POINT; point++) {
      mw_rom_opt opt = mw_rom_opt_default();
      opt.prescribed = (unsigned)point % (1u << m.rom.s);
      opt.inertia = point == 2 ? MW_ROM_LEADING : MW_ROM_FULL;
      double x[2 * REF_MAX_N], u[SYN_N_U] = { 0.7, -1.3 };
      kind_random_state(&m.rom, &seed, x);
      check_jacobian(&m, &opt, x, u);
    }
    kind_free(&m);
  }
}

static void jacobian_solves_the_differentiated_equations_of_motion(void) { check_sizes(0); }
static void jacobian_knows_flat_coordinates(void) { check_sizes(KIND_FLAT); }

static void jacobian_knows_terms_of_second_order(void)
{
  check_sizes(KIND_SECOND);
  check_sizes(KIND_SECOND | KIND_FLAT | KIND_LAWS);
}

static void jacobian_knows_friction_and_stops(void)
{
  check_sizes(KIND_LAWS);
  check_sizes(KIND_LAWS | KIND_FLAT);
}

// M = 1 − 2 δ_2 of the last column where δ_2 = 1/2, all numbers exact: of the others 1.
static void accelerations_of_a_mass_that_vanishes_are_refused(void)
{
  enum { M = SYN_N_MOVED, N = 1 + M };
  rom_kind k;
  if (!MW_CHECK(kind_make(1, M, 4, KIND_FLAT | KIND_SECOND, &k))) return;
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(&k.rom));
  int n_G = k.rom.n_G, fields = n_G * (n_G * (n_G + 1) / 2);
  memset(k.syn.coef + l.G, 0, (size_t)fields * sizeof(double));
  k.syn.coef[l.G + fields - 1] = -1.0;
  for (int vanishes = 0; vanishes < 2; vanishes++) {
    mw_rom_code want = vanishes ? MW_ROM_SINGULAR : MW_ROM_OK;
    double x[2 * N] = { 0.1, 0.0, 0.0, vanishes ? 0.5 : 0.25 }, acc[N], u[SYN_N_U] = { 0.0 };
    double by_x[2 * N * N], by_u[N * SYN_N_U];
    mw_rom_opt opt = mw_rom_opt_default();
    opt.prescribed = 1;  // no row of the coordinate that would be refused for it
    mw_rom_call call = { .rom = &k.rom, .opt = &opt, .u = u, .work = k.work };
    MW_CHECK(mw_rom_rhs(&call, x, acc) == want);
    MW_CHECK(mw_rom_jacobian(&call, x, acc, by_x, by_u) == want);
  }
  kind_free(&k);
}

static const mw_test_case cases[] = {
  { "second_derivatives_of_the_fields_are_differences_of_gradients",
    second_derivatives_of_the_fields_are_differences_of_gradients },
  { "the_complex_reference_equals_the_plain_one", the_complex_reference_equals_the_plain_one },
  { "jacobian_solves_the_differentiated_equations_of_motion",
    jacobian_solves_the_differentiated_equations_of_motion },
  { "jacobian_knows_flat_coordinates", jacobian_knows_flat_coordinates },
  { "jacobian_knows_terms_of_second_order", jacobian_knows_terms_of_second_order },
  { "jacobian_knows_friction_and_stops", jacobian_knows_friction_and_stops },
  { "accelerations_of_a_mass_that_vanishes_are_refused",
    accelerations_of_a_mass_that_vanishes_are_refused },
};

int main(void) { return mw_test_run("rom_jacobian", cases, (int)(sizeof cases / sizeof *cases)); }
