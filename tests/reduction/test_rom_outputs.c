// SPDX-License-Identifier: BSD-3-Clause
// test_rom_outputs.c: outputs with rates, accelerations and derivatives, reactions of prescribed
// drives; derivatives in models of every kind against differences, and by every set of vector
// instructions.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../reduction/rom/kernel/rom_kernel.h"
#include "mw_test.h"
#include "rom_complex.h"
#include "rom_kinds.h"

static const int sizes[][2] = { { 1, 0 }, { 1, 1 }, { 1, 5 },  { 2, 0 }, { 2, 5 },
                                { 3, 0 }, { 3, 4 }, { 2, 10 }, { 4, 2 } };
enum { N_SIZE = sizeof sizes / sizeof *sizes, MAX_S = MW_ROM_MAX_S };

static int points(int s, int n) { return s > 3 ? 4 : n; }

// Rounding as in test_rom_rhs.c, second derivatives' sums of absolute values with it.
static double row_tol(const mw_rom *rom, double size)
{
  int n = rom->s + rom->m;
  return ((1 << 2 * rom->s) + rom->s * n * n + 40) * DBL_EPSILON * size;
}

// ---- outputs ------------------------------------------------------------------------------------

// What mw_rom_outputs_jacobian gives, all rows one after the other: y, y', y'', reactions.
enum {
  MAX_ROW = 3 * SYN_N_Y + MAX_S,
  MAX_COL = 2 * REF_MAX_N + SYN_N_U,
  MAX_ALL = MAX_ROW + REF_MAX_N
};
typedef struct outputs {
  double value[MAX_ROW], by_x[MAX_ROW * 2 * REF_MAX_N], by_u[MAX_ROW * SYN_N_U];
} outputs;

static const double given_thdd[MAX_S] = { 1.5, -2.5, 0.5, 1.0, -0.5, 2.0 };

static int take_outputs(const rom_kind *m, const mw_rom_opt *opt, const double *x, const double *u,
                        outputs *out)
{
  int n_y = 3 * m->rom.n_y, nx = 2 * (m->rom.s + m->rom.m);
  mw_rom_outputs_sens to = { out->value,
                             out->by_x,
                             out->by_u,
                             out->value + n_y,
                             out->by_x + n_y * nx,
                             out->by_u + n_y * m->rom.n_u };
  memset(m->work, 0xff, mw_rom_sens_bytes(&m->rom));
  return MW_CHECK(
      mw_rom_outputs_jacobian(
          &(mw_rom_call){
              .rom = &m->rom, .opt = opt, .u = u, .thdd_p = given_thdd, .work = m->work },
          x, &to) == MW_ROM_OK);
}

// d (value of row `row`) along (dx, du, da) in complex arithmetic, and the sum of the terms' sizes.
static double reference_slope(const mw_rom *rom, mw_rom_inertia inertia, int row, const double *x,
                              const double *u, const double *a, int c, const double *da,
                              double *size)
{
  const double step = 1e-30;
  int n = rom->s + rom->m, n_y = 3 * rom->n_y;
  cplx X[2 * REF_MAX_N], U[SYN_N_U], A[REF_MAX_N], y[2][3], R[2][REF_MAX_N];
  for (int k = 0; k < 2 * n; k++) X[k] = x[k] + (k == c ? step * I : 0.0);
  for (int k = 0; k < rom->n_u; k++) U[k] = u[k] + (2 * n + k == c ? step * I : 0.0);
  for (int k = 0; k < n; k++) A[k] = a[k] + step * da[k] * I;
  for (int how = 0; how < 2; how++) {
    if (row < n_y)
      cplx_output(rom, how, X, A, row % rom->n_y, y[how]);
    else
      cplx_residual(rom, inertia, how, X, U, A, R[how]);
  }
  int order = row / rom->n_y, i = row - n_y;
  *size = cimag(row < n_y ? y[1][order] : R[1][i]) / step;
  return cimag(row < n_y ? y[0][order] : R[0][i]) / step;
}

// All values and derivatives at one state; da: derivatives of the accelerations, tested above.
static void check_outputs(const rom_kind *m, const mw_rom_opt *opt, const double *x,
                          const double *u)
{
  const mw_rom *rom = &m->rom;
  int s = rom->s, n = s + rom->m, nx = 2 * n, n_y = 3 * rom->n_y;
  double acc[REF_MAX_N], acc_x[2 * REF_MAX_N * REF_MAX_N], acc_u[REF_MAX_N * SYN_N_U];
  outputs out;
  if (!take_outputs(m, opt, x, u, &out)) return;
  MW_CHECK(
      mw_rom_jacobian(
          &(mw_rom_call){ .rom = rom, .opt = opt, .u = u, .thdd_p = given_thdd, .work = m->work },
          x, acc, acc_x, acc_u) == MW_ROM_OK);
  for (int c = 0; c < nx + rom->n_u; c++)
    for (int row = 0; row < n_y + s; row++) {
      double da[REF_MAX_N], size;
      for (int i = 0; i < n; i++) da[i] = c < nx ? acc_x[i * nx + c] : acc_u[i * rom->n_u + c - nx];
      double got = c < nx ? out.by_x[row * nx + c] : out.by_u[row * rom->n_u + c - nx];
      if (row >= n_y && !(opt->prescribed >> (row - n_y) & 1u)) {
        MW_CHECK(got == 0.0 && out.value[row] == 0.0);
        continue;
      }
      double want = reference_slope(rom, opt->inertia, row, x, u, acc, c, da, &size);
      MW_NEAR(got, want, row_tol(rom, size));
    }
}

static void check_output_sizes(int kind)
{
  uint64_t seed = 17;
  for (int c = 0; c < N_SIZE; c++) {
    rom_kind m;
    if (!MW_CHECK(kind_make(sizes[c][0], sizes[c][1], points(sizes[c][0], 6), kind, &m))) return;
    for (int point = 0; point < 2; point++) {
      mw_rom_opt opt = mw_rom_opt_default();
      opt.prescribed = (1u + (unsigned)point) % (1u << m.rom.s);
      opt.inertia = point == 1 ? MW_ROM_LEADING : MW_ROM_FULL;
      double x[2 * REF_MAX_N], u[SYN_N_U] = { 0.7, -1.3 };
      kind_random_state(&m.rom, &seed, x);
      check_outputs(&m, &opt, x, u);
    }
    kind_free(&m);
  }
}

static void derivatives_of_outputs_and_reactions_are_those_of_the_formulas(void)
{
  check_output_sizes(0);
  check_output_sizes(KIND_FLAT | KIND_LAWS);
  check_output_sizes(KIND_SECOND);
  check_output_sizes(KIND_SECOND | KIND_FLAT | KIND_LAWS);
}

static void outputs_rates_and_reactions_are_those_of_the_equations_of_motion(void)
{
  uint64_t seed = 19;
  rom_kind m;
  if (!MW_CHECK(kind_make(3, 4, 6, KIND_FLAT | KIND_SECOND, &m))) return;
  int n = 7, n_y = m.rom.n_y;
  mw_rom_opt opt = mw_rom_opt_default();
  opt.prescribed = 5u;
  double x[2 * REF_MAX_N], u[SYN_N_U] = { 0.7, -1.3 }, z[REF_MAX_N], y[SYN_N_Y], y_dot[SYN_N_Y];
  outputs out;
  cplx X[2 * REF_MAX_N], U[SYN_N_U] = { 0.7, -1.3 }, A[REF_MAX_N], R[2][REF_MAX_N], Y[2][3];
  kind_random_state(&m.rom, &seed, x);
  MW_CHECK(mw_rom_rhs(
               &(mw_rom_call){
                   .rom = &m.rom, .opt = &opt, .u = u, .thdd_p = given_thdd, .work = m.work },
               x, z) == MW_ROM_OK);
  MW_CHECK(mw_rom_outputs(&m.rom, x, y, y_dot, m.work, NULL) == MW_ROM_OK);
  if (!take_outputs(&m, &opt, x, u, &out)) return;
  for (int k = 0; k < 2 * n; k++) X[k] = x[k];
  for (int k = 0; k < n; k++) A[k] = z[k];
  for (int how = 0; how < 2; how++) cplx_residual(&m.rom, MW_ROM_FULL, how, X, U, A, R[how]);
  for (int i = 0; i < 3; i += 2)
    MW_NEAR(out.value[3 * n_y + i], creal(R[0][i]), row_tol(&m.rom, creal(R[1][i])));
  for (int k = 0; k < n_y; k++) {
    for (int how = 0; how < 2; how++) cplx_output(&m.rom, how, X, A, k, Y[how]);
    MW_NEAR(out.value[k], y[k], row_tol(&m.rom, creal(Y[1][0])));
    MW_NEAR(out.value[n_y + k], y_dot[k], row_tol(&m.rom, creal(Y[1][1])));
    for (int d = 0; d < 3; d++)
      MW_NEAR(out.value[d * n_y + k], creal(Y[0][d]), row_tol(&m.rom, creal(Y[1][d])));
  }
  kind_free(&m);
}

static void errors_name_the_culprit_and_leave_the_results_alone(void)
{
  uint64_t seed = 29;
  rom_kind m;
  if (!MW_CHECK(kind_make(2, 5, 6, 0, &m))) return;
  int n = 7, nx = 14;
  mw_rom_opt opt = mw_rom_opt_default();
  mw_rom_info info = { .index = -7 };
  double x[14], u[SYN_N_U] = { 0.7, -1.3 }, acc[7], acc_x[7 * 14], acc_u[7 * SYN_N_U],
                Y[3 * SYN_N_Y];
  kind_random_state(&m.rom, &seed, x);
  for (int k = 0; k < n; k++) acc[k] = 1.25;
  for (int k = 0; k < n * nx; k++) acc_x[k] = 1.25;
  for (int k = 0; k < n * SYN_N_U; k++) acc_u[k] = 1.25;
  for (int k = 0; k < 3 * SYN_N_Y; k++) Y[k] = 1.25;
  mw_rom_outputs_sens out = { .Y = Y };
  const struct {
    int of;
    double value;
    mw_rom_code code;
  } bad[] = { { 1, 1.5, MW_ROM_THETA }, { 9, NAN, MW_ROM_NAN }, { 15, INFINITY, MW_ROM_NAN } };
  for (int c = 0; c < 3; c++) {
    double *at = bad[c].of < nx ? x + bad[c].of : u + (bad[c].of - nx), keep = *at;
    *at = bad[c].value;
    MW_CHECK(
        mw_rom_jacobian(
            &(mw_rom_call){ .rom = &m.rom, .opt = &opt, .u = u, .work = m.work, .info = &info }, x,
            acc, acc_x, acc_u) == bad[c].code);
    MW_CHECK(info.index == bad[c].of);
    info.index = -7;
    MW_CHECK(
        mw_rom_outputs_jacobian(
            &(mw_rom_call){ .rom = &m.rom, .opt = &opt, .u = u, .work = m.work, .info = &info }, x,
            &out) == bad[c].code);
    MW_CHECK(info.index == bad[c].of);
    *at = keep;
  }
  int untouched = 1;
  for (int k = 0; k < n; k++) untouched &= acc[k] == 1.25;
  for (int k = 0; k < n * nx; k++) untouched &= acc_x[k] == 1.25;
  for (int k = 0; k < n * SYN_N_U; k++) untouched &= acc_u[k] == 1.25;
  for (int k = 0; k < 3 * SYN_N_Y; k++) untouched &= Y[k] == 1.25;
  MW_CHECK(untouched);
  // and what is not wanted may be missing
  MW_CHECK(mw_rom_outputs_jacobian(
               &(mw_rom_call){ .rom = &m.rom, .opt = &opt, .u = u, .work = m.work, .info = &info },
               x, &out) == MW_ROM_OK);
  MW_CHECK(Y[0] != 1.25 && Y[3 * SYN_N_Y - 1] != 1.25);
  kind_free(&m);
}

// ---- the other kinds of models, by differences --------------------------------------------------

// Outputs, reactions and accelerations one after the other, and their derivatives.
static void take_all(const rom_kind *m, const mw_rom_opt *opt, const double *x, const double *u,
                     double *value, double *slope)
{
  static outputs out;
  const mw_rom *rom = &m->rom;
  int n = rom->s + rom->m, nx = 2 * n, n_u = rom->n_u, n_row = 3 * rom->n_y + rom->s, nc = nx + n_u;
  double acc[REF_MAX_N], acc_x[2 * REF_MAX_N * REF_MAX_N], acc_u[REF_MAX_N * SYN_N_U];
  if (!take_outputs(m, opt, x, u, &out)) return;
  MW_CHECK(
      mw_rom_jacobian(
          &(mw_rom_call){ .rom = rom, .opt = opt, .u = u, .thdd_p = given_thdd, .work = m->work },
          x, acc, acc_x, acc_u) == MW_ROM_OK);
  for (int r = 0; r < n_row + n; r++) {
    int is_acc = r >= n_row, i = r - n_row;
    value[r] = is_acc ? acc[i] : out.value[r];
    for (int c = 0; c < nx; c++)
      slope[r * nc + c] = is_acc ? acc_x[i * nx + c] : out.by_x[r * nx + c];
    for (int c = 0; c < n_u; c++)
      slope[r * nc + nx + c] = is_acc ? acc_u[i * n_u + c] : out.by_u[r * n_u + c];
  }
}

static void check_differences(const rom_kind *m, const mw_rom_opt *opt, const double *x)
{
  // central differences of order 8
  static const double weight[4] = { 4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0 };
  static double v[8][MAX_ALL], unused[MAX_ALL * MAX_COL], slope[MAX_ALL * MAX_COL], value[MAX_ALL];
  const mw_rom *rom = &m->rom;
  int s = rom->s, n = s + rom->m, nx = 2 * n, nc = nx + rom->n_u, rows = 3 * rom->n_y + s + n;
  double u[SYN_N_U] = { 0.7, -1.3 };
  take_all(m, opt, x, u, value, slope);
  for (int c = 0; c < nc; c++) {
    double scale = 1.0;  // over which everything is smooth: a quarter of a cell, or 1
    if (c < s)
      scale = 0.25 * (rom->hi[c] - rom->lo[c]) / (rom->n_grid[c] - 1) *
              (rom->symmetric >> c & 1u ? 0.5 : 1.0);
    double h = 0.02 * scale, size = 0.0;
    for (int q = 0; q < 8; q++) {
      double xq[2 * REF_MAX_N], uq[SYN_N_U], way = (q % 2 ? -h : h) * (q / 2 + 1);
      for (int k = 0; k < nx; k++) xq[k] = x[k] + (k == c ? way : 0.0);
      for (int k = 0; k < rom->n_u; k++) uq[k] = u[k] + (nx + k == c ? way : 0.0);
      take_all(m, opt, xq, uq, v[q], unused);
      for (int r = 0; r < rows; r++) size = fmax(size, fabs(v[q][r]));
    }
    for (int r = 0; r < rows; r++) {
      double sum = 0.0;
      for (int q = 0; q < 4; q++) sum += weight[q] * (v[2 * q][r] - v[2 * q + 1][r]);
      // analytic over 2 scale: truncation below 8! 8!/9! (h/(2 scale))^8 size/scale < 1e-12
      // size/scale; rounding 2 · 500 eps size/h: 1e-11 size/scale
      MW_NEAR(slope[r * nc + c], sum / h, 2e-11 * size / scale);
    }
  }
}

static void derivatives_are_differences_in_models_of_every_kind(void)
{
  static const int of[][3] = { { 2, 3, KIND_TRAIN | KIND_LAWS },
                               { 3, 2, KIND_TRAIN | KIND_FLAT },
                               { 2, 3, KIND_CYCLIC },
                               { 2, 4, KIND_SYMMETRIC | KIND_LAWS },
                               { 3, 3, KIND_SYMMETRIC | KIND_CYCLIC | KIND_FLAT | KIND_LAWS },
                               { 3, 2, KIND_SYMMETRIC | KIND_CYCLIC | KIND_FLAT | KIND_TRAIN },
                               { 5, 1, 0 },
                               { 2, 3, KIND_SECOND },
                               { 2, 3, KIND_SECOND | KIND_SYMMETRIC | KIND_CYCLIC },
                               { 2, 3, KIND_SECOND | KIND_TRAIN | KIND_SYMMETRIC } };
  uint64_t seed = 23;
  for (size_t c = 0; c < sizeof of / sizeof *of; c++) {
    rom_kind m;
    if (!MW_CHECK(kind_make(of[c][0], of[c][1], 4, of[c][2], &m))) return;
    for (int point = 0; point < 3; point++) {
      mw_rom_opt opt = mw_rom_opt_default();
      opt.prescribed = 1u + (unsigned)point % 2u;
      opt.inertia = point == 2 ? MW_ROM_LEADING : MW_ROM_FULL;
      double x[2 * REF_MAX_N];
      kind_random_state(&m.rom, &seed, x);
      kind_middle_of_a_cell(&m.rom, &seed, x);
      check_differences(&m, &opt, x);
    }
    kind_free(&m);
  }
}

static void every_set_of_vector_instructions_gives_the_same_bits(void)
{
  static const int of[][3] = { { 2, 10, KIND_SECOND | KIND_LAWS },
                               { 2, 10, KIND_FLAT | KIND_LAWS },
                               { 3, 5, KIND_SYMMETRIC | KIND_CYCLIC | KIND_LAWS },
                               { 2, 7, KIND_TRAIN },
                               { 2, 10, KIND_TRAIN | KIND_SECOND },
                               { 4, 2, 0 } };
  static double got[ROM_MAX_KERNEL][MAX_ALL * MAX_COL];
  uint64_t seed = 37;
  int n_run = 0;
  for (size_t c = 0; c < sizeof of / sizeof *of; c++) {
    rom_kind m;
    if (!MW_CHECK(kind_make(of[c][0], of[c][1], 4, of[c][2], &m))) return;
    const mw_rom *rom = &m.rom;
    int n = rom->s + rom->m, nx = 2 * n, n_y = 3 * rom->n_y, nu = rom->n_u, s = rom->s, total = 0;
    mw_rom_opt opt = mw_rom_opt_default();
    opt.prescribed = 1u;
    double x[2 * REF_MAX_N], u[SYN_N_U] = { 0.7, -1.3 };
    kind_random_state(rom, &seed, x);
    for (int k = 0; k < ROM_MAX_KERNEL; k++) {
      if (!rom_kernels[k] || !rom_kernel_runs(k)) continue;
      double *at = got[k], *acc_x = at + n, *acc_u = acc_x + n * nx, *Y = acc_u + n * nu;
      double *Y_x = Y + n_y, *Y_u = Y_x + n_y * nx, *r = Y_u + n_y * nu, *r_x = r + s,
             *r_u = r_x + s * nx;
      mw_rom_outputs_sens out = { Y, Y_x, Y_u, r, r_x, r_u };
      memset(m.work, 0xff, mw_rom_sens_bytes(rom));
      MW_CHECK(rom_kernels[k]->jacobian(
                   &(mw_rom_call){
                       .rom = rom, .opt = &opt, .u = u, .thdd_p = given_thdd, .work = m.work },
                   x, at, acc_x, acc_u) == MW_ROM_OK);
      MW_CHECK(rom_kernels[k]->outputs_jacobian(
                   &(mw_rom_call){
                       .rom = rom, .opt = &opt, .u = u, .thdd_p = given_thdd, .work = m.work },
                   x, &out) == MW_ROM_OK);
      total = (int)(r_u + s * nu - at);
      n_run++;
      if (k > 0) MW_SAME_BITS(got[k], got[0], total);
      // derivatives alone
      double alone[3 * SYN_N_Y * 2 * REF_MAX_N];
      out = (mw_rom_outputs_sens){ .Y_x = alone };
      MW_CHECK(rom_kernels[k]->outputs_jacobian(
                   &(mw_rom_call){
                       .rom = rom, .opt = &opt, .u = u, .thdd_p = given_thdd, .work = m.work },
                   x, &out) == MW_ROM_OK);
      MW_SAME_BITS(alone, Y_x, n_y * nx);
    }
    kind_free(&m);
  }
  MW_CHECK(n_run > 0);
}

static void outputs_have_the_same_bits_without_their_rates(void)
{
  static const int of[][3] = { { 2, 10, KIND_SECOND },
                               { 2, 5, KIND_FLAT },
                               { 3, 5, KIND_SYMMETRIC | KIND_CYCLIC | KIND_SECOND },
                               { 2, 7, KIND_TRAIN },
                               { 4, 2, 0 } };
  uint64_t seed = 41;
  for (size_t c = 0; c < sizeof of / sizeof *of; c++) {
    rom_kind m;
    if (!MW_CHECK(kind_make(of[c][0], of[c][1], 4, of[c][2], &m))) return;
    double x[2 * REF_MAX_N], y[SYN_N_Y], y_dot[SYN_N_Y], alone[SYN_N_Y];
    kind_random_state(&m.rom, &seed, x);
    MW_CHECK(mw_rom_outputs(&m.rom, x, y, y_dot, m.work, NULL) == MW_ROM_OK);
    memset(m.work, 0xff, mw_rom_sens_bytes(&m.rom));
    MW_CHECK(mw_rom_outputs(&m.rom, x, alone, NULL, m.work, NULL) == MW_ROM_OK);
    MW_SAME_BITS(alone, y, m.rom.n_y);
    kind_free(&m);
  }
}

static const mw_test_case cases[] = {
  { "derivatives_of_outputs_and_reactions_are_those_of_the_formulas",
    derivatives_of_outputs_and_reactions_are_those_of_the_formulas },
  { "outputs_rates_and_reactions_are_those_of_the_equations_of_motion",
    outputs_rates_and_reactions_are_those_of_the_equations_of_motion },
  { "errors_name_the_culprit_and_leave_the_results_alone",
    errors_name_the_culprit_and_leave_the_results_alone },
  { "derivatives_are_differences_in_models_of_every_kind",
    derivatives_are_differences_in_models_of_every_kind },
  { "every_set_of_vector_instructions_gives_the_same_bits",
    every_set_of_vector_instructions_gives_the_same_bits },
  { "outputs_have_the_same_bits_without_their_rates",
    outputs_have_the_same_bits_without_their_rates },
};

int main(void) { return mw_test_run("rom_outputs", cases, (int)(sizeof cases / sizeof *cases)); }
