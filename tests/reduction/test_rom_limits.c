// SPDX-License-Identifier: BSD-3-Clause
// test_rom_limits.c: what calls of every kernel refuse: states and inputs beyond limits, masses and
// stiffnesses that are not positive, numbers that grow beyond what a double holds.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../reduction/rom/kernel/rom_kernel.h"
#include "mw_test.h"
#include "rom_kinds.h"

enum { S = 2, M = 5, N = S + M, NX = 2 * N, COLS = NX + SYN_N_U, KNOTS = 7 * 7 };

static const double none[SYN_N_U] = { 0.0, 0.0 };

static const rom_kernel *kernel_of(int k)
{
  return rom_kernels[k] && rom_kernel_runs(k) ? rom_kernels[k] : NULL;
}

// A model and the call that all tests make, with room for any call.
typedef struct bench {
  synthetic syn;
  mw_rom_opt opt;
  mw_rom_info info;
  mw_rom_call call;
  void *work;
} bench;

static bool make(mw_rom_shape shape, bench *b)
{
  shape.s = S;
  shape.m = M;
  shape.n_y = SYN_N_Y;
  memset(b, 0, sizeof *b);
  if (!MW_CHECK(synthetic_make_parts(shape, 5, 3.0, 20.0, 0.02, 0.1, &b->syn))) return false;
  size_t bytes = mw_rom_sens_bytes(&b->syn.rom);
  for (int k = 0; k < ROM_MAX_KERNEL; k++)
    if (kernel_of(k) && kernel_of(k)->batch_bytes(&b->syn.rom) > bytes)
      bytes = kernel_of(k)->batch_bytes(&b->syn.rom);
  b->work = aligned_alloc(64, bytes);
  b->opt = mw_rom_opt_default();
  b->call = (mw_rom_call){
    .rom = &b->syn.rom, .opt = &b->opt, .h = 1e-3, .u = none, .work = b->work, .info = &b->info
  };
  return true;
}

static void done_with(bench *b)
{
  synthetic_free(&b->syn);
  free(b->work);
}

// Field `at` of the layout becomes x everywhere.
static void set_field(bench *b, int at, double x)
{
  for (int k = 0; k < KNOTS; k++) b->syn.coef[k * b->syn.rom.n_field + at] = x;
}

static mw_rom_layout layout_of(const bench *b)
{
  return mw_rom_layout_of(mw_rom_shape_of(&b->syn.rom));
}

// What calls give at x: codes of accelerations, outputs with derivatives, accelerations with
// derivatives.
enum { RHS, OUTPUTS, JACOBIAN, N_CALL };
static mw_rom_code call_of(bench *b, const rom_kernel *k, int which, const double *x)
{
  static double acc[N], acc_x[N * NX], acc_u[N * SYN_N_U], Y[3 * SYN_N_Y];
  const mw_rom_outputs_sens out = { .Y = Y };
  b->info.index = -7;
  if (which == RHS) return k->rhs(&b->call, x, acc);
  if (which == OUTPUTS) return k->outputs_jacobian(&b->call, x, &out);
  return k->jacobian(&b->call, x, acc, acc_x, acc_u);
}

// The code of a step by a method, with or without derivatives; x is as it was unless all is well.
static mw_rom_code step_of(bench *b, const rom_kernel *k, int method, int with_slopes,
                           const double *x0)
{
  static double x_x[NX * NX], x_u[NX * SYN_N_U];
  double x[NX];
  memcpy(x, x0, sizeof x);
  b->opt.method = (mw_rom_method)method;
  b->info.index = -7;
  mw_rom_code code = with_slopes ? k->step_sens(&b->call, x, x_x, x_u) : k->step(&b->call, x);
  if (code != MW_ROM_OK) MW_CHECK(memcmp(x, x0, sizeof x) == 0);
  return code;
}

// Every call and step of every kernel says code, and index where it is not -7.
static void all_say(bench *b, const double *x, mw_rom_code code, int index)
{
  for (int k = 0; k < ROM_MAX_KERNEL; k++) {
    if (!kernel_of(k)) continue;
    for (int which = 0; which < N_CALL; which++)
      MW_CHECK(call_of(b, kernel_of(k), which, x) == code && b->info.index == index);
    for (int method = 0; method < MW_ROM_N_METHOD; method++)
      for (int slopes = 0; slopes < 2; slopes++)
        MW_CHECK(step_of(b, kernel_of(k), method, slopes, x) == code && b->info.index == index);
  }
}

// ---- limits -------------------------------------------------------------------------------------

static void rates_and_inputs_beyond_limits_are_refused_by_index(void)
{
  static const double rate_max[S] = { 0.5, INFINITY }, u_max[SYN_N_U] = { 1.0, INFINITY };
  bench b;
  if (!make((mw_rom_shape){ 0 }, &b)) return;
  b.syn.rom.rate_max = rate_max;
  b.syn.rom.u_max = u_max;
  double x[NX] = { 0.0 }, u[SYN_N_U] = { 0.9, -7.0 };
  b.call.u = u;
  x[N] = 0.503;  // within 1 %
  x[N + 1] = -2.0;
  all_say(&b, x, MW_ROM_OK, -1);
  x[N] = -0.51;
  all_say(&b, x, MW_ROM_RATE, 0);
  x[N] = 0.0;
  x[1] = 1.1;
  all_say(&b, x, MW_ROM_THETA, 1);
  x[1] = 0.0;
  u[0] = -1.1;
  all_say(&b, x, MW_ROM_INPUT, 0);
  u[0] = NAN;
  all_say(&b, x, MW_ROM_NAN, NX);
  done_with(&b);
}

static void steps_of_no_length_are_refused(void)
{
  static const double wrong[] = { 0.0, -1e-3, NAN, INFINITY };
  bench b;
  if (!make((mw_rom_shape){ 0 }, &b)) return;
  double x[NX] = { 0.1 };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    b.call.h = wrong[i];
    for (int k = 0; k < ROM_MAX_KERNEL; k++)
      for (int method = 0; kernel_of(k) && method < MW_ROM_N_METHOD; method++)
        for (int slopes = 0; slopes < 2; slopes++)
          MW_CHECK(step_of(&b, kernel_of(k), method, slopes, x) == MW_ROM_NAN);
  }
  done_with(&b);
}

static void fields_and_rest_say_what_is_wrong(void)
{
  bench b;
  if (!make((mw_rom_shape){ 0 }, &b)) return;
  mw_rom *rom = &b.syn.rom;
  mw_rom_layout l = layout_of(&b);
  double u[SYN_N_U] = { 0.0, 1.0 }, delta[M] = { 7.0, 7.0, 7.0 };
  double *value = malloc((size_t)rom->n_field * sizeof *value);
  for (int k = 0; k < ROM_MAX_KERNEL; k++) {
    const rom_kernel *of = kernel_of(k);
    if (!of) continue;
    double theta[S] = { 0.0, NAN };
    value[0] = 7.0;
    MW_CHECK(of->fields(rom, theta, value, NULL, &b.info) == MW_ROM_NAN && b.info.index == 1);
    theta[1] = -1.1;
    MW_CHECK(of->fields(rom, theta, value, NULL, &b.info) == MW_ROM_THETA && b.info.index == 1);
    MW_CHECK(of->rest(rom, theta, u, delta, b.work, &b.info) == MW_ROM_THETA && b.info.index == 1);
    MW_CHECK(value[0] == 7.0);
    theta[1] = 0.5;
    u[1] = NAN;
    MW_CHECK(of->rest(rom, theta, u, delta, b.work, &b.info) == MW_ROM_NAN &&
             b.info.index == NX + 1);
    u[1] = 1.0;
    b.syn.delta_max[2] = 1e-9;
    MW_CHECK(of->rest(rom, theta, u, delta, b.work, &b.info) == MW_ROM_DELTA && b.info.index == 2);
    b.syn.delta_max[2] = INFINITY;
    MW_CHECK(delta[2] == 7.0);
  }
  set_field(&b, l.U1, 1e308);  // over a K of 1e-300
  for (int p = l.K; p < l.C; p++) set_field(&b, p, 0.0);
  for (int a = 0; a < M; a++) set_field(&b, l.K + a * (a + 3) / 2, 1e-300);
  for (int k = 0; k < ROM_MAX_KERNEL; k++) {
    double theta[S] = { 0.0, 0.5 };
    if (!kernel_of(k)) continue;
    MW_CHECK(kernel_of(k)->rest(rom, theta, u, delta, b.work, &b.info) == MW_ROM_NAN);
    MW_CHECK(b.info.index == 0 && delta[0] == 7.0);
  }
  free(value);
  done_with(&b);
}

// Of an oscillation with omega h = 2.5: stages of RK4 go to half of the step's way and back, the
// step itself ends at a twentieth of it.
static void stages_may_go_beyond_limits_that_the_step_keeps(void)
{
  static double x_x[2][NX * NX], x_u[2][NX * SYN_N_U];
  bench b;
  if (!make((mw_rom_shape){ 0 }, &b)) return;
  const double h = 2.5 / 20.0;  // by the last column's frequency
  double x[3][NX] = { { 0.0 } };
  b.opt.method = MW_ROM_RK4;
  b.opt.prescribed = 3u;
  b.call.h = h;
  for (int i = 0; i < 3; i++) x[i][NX - 1] = 1.0;
  for (int k = 0; k < ROM_MAX_KERNEL; k++) {
    if (!kernel_of(k)) continue;
    double at[3][NX];
    memcpy(at, x, sizeof at);
    b.syn.delta_max[M - 1] = INFINITY;
    MW_CHECK(kernel_of(k)->step_sens(&b.call, at[0], x_x[0], x_u[0]) == MW_ROM_OK);
    b.syn.delta_max[M - 1] = 0.3 * h;
    MW_CHECK(kernel_of(k)->step(&b.call, at[1]) == MW_ROM_OK);
    MW_CHECK(kernel_of(k)->step_sens(&b.call, at[2], x_x[1], x_u[1]) == MW_ROM_OK);
    MW_SAME_BITS(at[0], at[1], NX);
    MW_SAME_BITS(at[0], at[2], NX);
    MW_SAME_BITS(x_x[0], x_x[1], NX * NX);
    MW_SAME_BITS(x_u[0], x_u[1], NX * SYN_N_U);
  }
  done_with(&b);
}

static void accelerations_that_are_not_given_are_0(void)
{
  static const double zero[S] = { 0.0, 0.0 };
  bench b;
  if (!make((mw_rom_shape){ .n_G = 2, .parts = MW_ROM_H }, &b)) return;
  b.opt.prescribed = 2u;
  for (int k = 0; k < ROM_MAX_KERNEL; k++)
    for (int method = 0; kernel_of(k) && method < MW_ROM_N_METHOD; method++) {
      static double x_x[2][NX * NX], x_u[2][NX * SYN_N_U];
      double x[2][NX], acc[2][N];
      for (int i = 0; i < 2; i++) {
        uint64_t seed = 3;
        kind_random_state(&b.syn.rom, &seed, x[i]);
        b.call.thdd_p = i ? zero : NULL;
        b.opt.method = (mw_rom_method)method;
        MW_CHECK(kernel_of(k)->rhs(&b.call, x[i], acc[i]) == MW_ROM_OK);
        MW_CHECK(kernel_of(k)->step_sens(&b.call, x[i], x_x[i], x_u[i]) == MW_ROM_OK);
      }
      for (int i = 0; i < N; i++) MW_CHECK(acc[0][i] == acc[1][i]);
      for (int i = 0; i < NX; i++) MW_CHECK(x[0][i] == x[1][i]);
      for (int i = 0; i < NX * NX; i++) MW_CHECK(x_x[0][i] == x_x[1][i]);
    }
  done_with(&b);
}

// ---- rollouts -----------------------------------------------------------------------------------

enum { N_ROLL = 11, N_STEP = 12 };

// Rollouts that start at growing speeds, so that some end at a limit, beside steps one by one.
static void compare_rollouts(bench *b, const rom_kernel *k, double fast, int least, int most)
{
  double x[N_ROLL * NX], want[N_ROLL * NX], path[N_ROLL * N_STEP * NX],
      u[N_ROLL * N_STEP * SYN_N_U] = { 0.0 };
  mw_rom_code code[N_ROLL];
  int done[N_ROLL], good = 0;
  uint64_t seed = 4;
  b->opt.method = MW_ROM_EXPONENTIAL;
  b->call.info = NULL;
  for (int r = 0; r < N_ROLL; r++) {
    kind_random_state(&b->syn.rom, &seed, x + r * NX);
    for (int i = 0; i < NX; i++) x[r * NX + i] *= i < N ? 0.01 : fast * r;
  }
  memcpy(want, x, sizeof x);
  k->batch_run(&b->syn.rom, &b->opt, &(mw_rom_batch){ N_STEP, b->call.h, u, x, path, code, done },
               0, N_ROLL, b->work);
  for (int r = 0; r < N_ROLL; r++) {
    mw_rom_code now = MW_ROM_OK;
    int n = 0;
    for (; n < N_STEP; n++) {
      now = k->step(&b->call, want + r * NX);
      if (now != MW_ROM_OK) break;
      MW_SAME_BITS(path + (r * N_STEP + n) * NX, want + r * NX, NX);
    }
    MW_CHECK(code[r] == now && done[r] == n);
    good += now == MW_ROM_OK;
  }
  MW_CHECK(good >= least && good <= most);
  MW_SAME_BITS(x, want, N_ROLL * NX);
  b->call.info = &b->info;
}

static void rollouts_end_where_steps_do(void)
{
  static const double rate_max[S] = { 0.5, INFINITY };
  bench b;
  if (!make((mw_rom_shape){ 0 }, &b)) return;
  for (int k = 0; k < ROM_MAX_KERNEL; k++) {
    if (!kernel_of(k)) continue;
    b.syn.rom.rate_max = NULL;
    b.syn.delta_max[1] = INFINITY;
    b.call.h = 1e-3;
    compare_rollouts(&b, kernel_of(k), 0.02, N_ROLL, N_ROLL);
    b.syn.rom.rate_max = rate_max;
    b.syn.delta_max[1] = 2.5e-3;
    compare_rollouts(&b, kernel_of(k), 0.2, 1, N_ROLL - 1);
    compare_rollouts(&b, kernel_of(k), 1e6, 1, 1);  // all others end with their first step
    b.call.h = 0.0;
    compare_rollouts(&b, kernel_of(k), 0.02, 0, 0);
    b.call.h = NAN;
    compare_rollouts(&b, kernel_of(k), 0.02, 0, 0);
  }
  done_with(&b);
}

// ---- what cannot be solved ----------------------------------------------------------------------

static void masses_and_stiffnesses_that_are_not_positive_are_refused(void)
{
  bench b;
  double x[NX] = { 0.0 };
  if (!make((mw_rom_shape){ 0 }, &b)) return;
  set_field(&b, layout_of(&b).a, -1.0);
  for (int k = 0; k < ROM_MAX_KERNEL; k++) {
    if (!kernel_of(k)) continue;
    for (int which = 0; which < N_CALL; which++)
      MW_CHECK(call_of(&b, kernel_of(k), which, x) == MW_ROM_SINGULAR);
    for (int method = MW_ROM_RK4; method < MW_ROM_N_METHOD; method++)
      for (int slopes = 0; slopes < 2; slopes++)
        MW_CHECK(step_of(&b, kernel_of(k), method, slopes, x) == MW_ROM_SINGULAR);
  }
  done_with(&b);
  // 1 + h²/4 K of the mid-point rule
  if (!make((mw_rom_shape){ 0 }, &b)) return;
  set_field(&b, layout_of(&b).K, -8e6);
  for (int k = 0; k < ROM_MAX_KERNEL; k++)
    for (int slopes = 0; kernel_of(k) && slopes < 2; slopes++)
      MW_CHECK(step_of(&b, kernel_of(k), MW_ROM_MIDPOINT, slopes, x) == MW_ROM_SINGULAR);
  done_with(&b);
  // columns whose mass is 1 - 8 delta of the first
  for (int n_G = 1; n_G <= M; n_G++) {
    if (!make((mw_rom_shape){ .n_G = n_G, .parts = MW_ROM_H }, &b)) return;
    set_field(&b, layout_of(&b).G, -4.0);
    x[S] = 1.0;
    for (int k = 0; k < ROM_MAX_KERNEL; k++)
      for (int which = 0; kernel_of(k) && which < N_CALL; which++)
        MW_CHECK(call_of(&b, kernel_of(k), which, x) == MW_ROM_SINGULAR);
    done_with(&b);
  }
}

// All fields 0 but masses of 1, K of 1: nothing moves.
static void set_still(bench *b)
{
  mw_rom_layout l = layout_of(b);
  memset(b->syn.coef, 0, KNOTS * (size_t)l.n * sizeof(double));
  for (int i = 0; i < S; i++) set_field(b, l.a + i * (i + 3) / 2, 1.0);
  for (int a = 0; a < M; a++) set_field(b, l.K + a * (a + 3) / 2, 1.0);
}

// Does the first kernel give accelerations at x and refuse derivatives? Then all of them do.
static bool refuses_derivatives_alone(bench *b, double *x)
{
  const rom_kernel *k = kernel_of(0);
  if (call_of(b, k, RHS, x) != MW_ROM_OK || call_of(b, k, JACOBIAN, x) == MW_ROM_OK) return false;
  for (int q = 0; q < ROM_MAX_KERNEL; q++) {
    if (!kernel_of(q)) continue;
    MW_CHECK(call_of(b, kernel_of(q), RHS, x) == MW_ROM_OK);
    MW_CHECK(call_of(b, kernel_of(q), OUTPUTS, x) == MW_ROM_SINGULAR);
    MW_CHECK(call_of(b, kernel_of(q), JACOBIAN, x) == MW_ROM_SINGULAR);
  }
  return true;
}

// Accelerations and their derivatives take the sums of one matrix in two orders. Where it is
// singular to rounding, one may find a positive pivot and the other none: a number, and a refusal.
static void derivatives_are_refused_where_rounding_alone_makes_masses_positive(void)
{
  int found = 0;
  uint64_t seed = 5;
  bench b;
  double x[NX] = { 0.0 };
  if (!make((mw_rom_shape){ 0 }, &b)) return;
  set_still(&b);
  mw_rom_layout l = layout_of(&b);
  for (int c = 0; c < 400; c++) {
    double mass = 0.0;
    for (int a = 0; a < M; a++) {
      double d = synthetic_random(&seed);
      set_field(&b, l.d + a, d);
      mass += d * d;
    }
    set_field(&b, l.a, mass * (1.0 + (c % 5 - 2) * DBL_EPSILON));
    if (!refuses_derivatives_alone(&b, x)) continue;
    found++;
    for (int q = 0; q < ROM_MAX_KERNEL; q++) {
      if (!kernel_of(q)) continue;
      MW_CHECK(step_of(&b, kernel_of(q), MW_ROM_RK4, 0, x) == MW_ROM_OK);
      MW_CHECK(step_of(&b, kernel_of(q), MW_ROM_RK4, 1, x) == MW_ROM_SINGULAR);
    }
  }
  MW_CHECK(found > 0);
  done_with(&b);
}

// The same of the columns' mass, 1 + E of a deflection of 1.
static void derivatives_are_refused_where_rounding_alone_makes_columns_positive(void)
{
  int found = 0;
  uint64_t seed = 6;
  bench b;
  double x[NX] = { 0.0 };
  if (!make((mw_rom_shape){ .n_G = 3, .parts = MW_ROM_H }, &b)) return;
  set_still(&b);
  mw_rom_layout l = layout_of(&b);
  x[S] = 1.0;
  for (int c = 0; c < 4000; c++) {
    // 1 + E, packed, its last entry such that nothing is left of it; E_ab = G_ab0 + G_ba0
    double e[6], per, row;
    for (int i = 0; i < 5; i++) e[i] = 0.3 * synthetic_random(&seed) + (i > 2 ? 0.5 : 0.0);
    per = 1.0 / (1.0 + e[0]);
    row = e[4] - e[3] * (e[1] * per);
    e[5] = e[3] * (e[3] * per) + row * (row / (1.0 + e[2] - e[1] * (e[1] * per))) - 1.0 +
           (c % 9 - 4) * DBL_EPSILON / 4.0;
    for (int i = 0, p = 0; i < 3; i++)
      for (int q = 0; q <= i; q++, p++)
        set_field(&b, l.G + 6 * i + q * (q + 1) / 2, i == q ? 0.5 * e[p] : e[p]);
    found += refuses_derivatives_alone(&b, x);
  }
  MW_CHECK(found > 0);
  done_with(&b);
}

static void numbers_that_grow_too_large_are_refused(void)
{
  bench b;
  double x[NX] = { 0.0 };
  if (!make((mw_rom_shape){ 0 }, &b)) return;
  x[N] = 1e200;  // its square
  for (int k = 0; k < ROM_MAX_KERNEL; k++) {
    if (!kernel_of(k)) continue;
    for (int which = 0; which < N_CALL; which++)
      MW_CHECK(call_of(&b, kernel_of(k), which, x) == MW_ROM_NAN && b.info.index == 0);
    for (int slopes = 0; slopes < 2; slopes++) {
      MW_CHECK(step_of(&b, kernel_of(k), MW_ROM_EXPONENTIAL, slopes, x) == MW_ROM_NAN);
      // of a mass at a place that is no number
      MW_CHECK(step_of(&b, kernel_of(k), MW_ROM_RK4, slopes, x) == MW_ROM_SINGULAR);
      MW_CHECK(step_of(&b, kernel_of(k), MW_ROM_MIDPOINT, slopes, x) == MW_ROM_DIVERGED);
      MW_CHECK(isnan(b.info.residual));
    }
  }
  done_with(&b);
}

static void a_gradient_stops_at_a_state_that_is_refused(void)
{
  enum { FEW = 3 };
  bench b;
  if (!make((mw_rom_shape){ 0 }, &b)) return;
  double path[(FEW + 1) * NX] = { 0.0 }, g_x[(FEW + 1) * NX] = { 0.0 }, u[FEW * SYN_N_U] = { 0.0 },
                          g_u[FEW * SYN_N_U] = { 0.0 }, lambda[NX] = { 7.0 };
  b.call.u = u;
  for (int k = 0; k < ROM_MAX_KERNEL; k++) {
    if (!kernel_of(k)) continue;
    path[NX] = 0.0;
    lambda[0] = 7.0;
    MW_CHECK(kernel_of(k)->adjoint(&b.call, FEW, path, g_x, g_u, lambda) == MW_ROM_OK);
    MW_CHECK(lambda[0] == 0.0);
    path[NX] = 1.5;
    lambda[0] = 7.0;
    MW_CHECK(kernel_of(k)->adjoint(&b.call, FEW, path, g_x, g_u, lambda) == MW_ROM_THETA);
    MW_CHECK(b.info.index == 0 && lambda[0] == 7.0);
  }
  done_with(&b);
}

static const mw_test_case cases[] = {
  { "rates_and_inputs_beyond_limits_are_refused_by_index",
    rates_and_inputs_beyond_limits_are_refused_by_index },
  { "steps_of_no_length_are_refused", steps_of_no_length_are_refused },
  { "fields_and_rest_say_what_is_wrong", fields_and_rest_say_what_is_wrong },
  { "stages_may_go_beyond_limits_that_the_step_keeps",
    stages_may_go_beyond_limits_that_the_step_keeps },
  { "accelerations_that_are_not_given_are_0", accelerations_that_are_not_given_are_0 },
  { "rollouts_end_where_steps_do", rollouts_end_where_steps_do },
  { "masses_and_stiffnesses_that_are_not_positive_are_refused",
    masses_and_stiffnesses_that_are_not_positive_are_refused },
  { "derivatives_are_refused_where_rounding_alone_makes_masses_positive",
    derivatives_are_refused_where_rounding_alone_makes_masses_positive },
  { "derivatives_are_refused_where_rounding_alone_makes_columns_positive",
    derivatives_are_refused_where_rounding_alone_makes_columns_positive },
  { "numbers_that_grow_too_large_are_refused", numbers_that_grow_too_large_are_refused },
  { "a_gradient_stops_at_a_state_that_is_refused", a_gradient_stops_at_a_state_that_is_refused },
};

int main(void) { return mw_test_run("rom_limits", cases, (int)(sizeof cases / sizeof *cases)); }
