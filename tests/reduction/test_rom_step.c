// SPDX-License-Identifier: BSD-3-Clause
// test_rom_step.c: the implicit mid-point step of the reduced model.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mw_test.h"
#include "rom_reference.h"
#include "rom_synthetic.h"

static mw_rom_opt midpoint(void)
{
  mw_rom_opt opt = mw_rom_opt_default();
  opt.method = MW_ROM_MIDPOINT;
  return opt;
}

static const double u_test[SYN_N_U] = { 0.6, -0.9 };

// A moderate state: rates of about 1, deflections of about 0.1.
static void start(const mw_rom *rom, double *x)
{
  uint64_t seed = 3;
  int n = rom->s + rom->m;
  for (int k = 0; k < 2 * n; k++) x[k] = 0.1 * synthetic_random(&seed);
  for (int i = 0; i < rom->s; i++) x[n + i] = 0.8 - 0.5 * i;
}

static void step_solves_the_mid_point_equations(void)
{
  static const int sizes[][2] = { { 1, 0 }, { 1, 6 }, { 2, 5 }, { 3, 4 } };
  for (int c = 0; c < 4; c++) {
    synthetic syn;
    if (!MW_CHECK(synthetic_make(sizes[c][0], sizes[c][1], 6, 2.0, 2e3, 0.01, 0.2, &syn))) return;
    int s = syn.rom.s, n = s + syn.rom.m;
    for (int p = 0; p < 1 << s; p++) {
      mw_rom_opt opt = midpoint();
      mw_rom_info info;
      opt.prescribed = (unsigned)p;
      double x0[2 * REF_MAX_N], x[2 * REF_MAX_N], mid[2 * REF_MAX_N], z[REF_MAX_N];
      double given[3] = { 0.5, -0.4, 0.3 }, h = 5e-3;
      static ref_terms t;
      start(&syn.rom, x0);
      memcpy(x, x0, sizeof x);
      MW_CHECK(mw_rom_step(&(mw_rom_call){ .rom = &syn.rom,
                                           .opt = &opt,
                                           .h = h,
                                           .u = u_test,
                                           .thdd_p = given,
                                           .work = syn.work,
                                           .info = &info },
                           x) == MW_ROM_OK);
      MW_CHECK(info.iterations >= 1 && info.iterations <= 10 && info.residual <= opt.tol);
      for (int k = 0; k < n; k++) {
        z[k] = (x[n + k] - x0[n + k]) / h;
        mid[n + k] = 0.5 * (x[n + k] + x0[n + k]);
        mid[k] = 0.5 * (x[k] + x0[k]);
        // q1 = q0 + h v*: a few roundings
        MW_NEAR(x[k], x0[k] + h * mid[n + k],
                4 * DBL_EPSILON * (fabs(x0[k]) + h * fabs(mid[n + k])));
      }
      ref_terms_eval(&syn.rom, MW_ROM_FULL, mid, u_test, &t);
      // z is recovered to eps |v|/h, the iteration leaves tol × rates = tol × max|v| + 2/h
      // max|delta| as change of h/2 z; both act through the mass matrix and h²/4 times the
      // stiffness omega² = 4e6
      double rate = 1.0 + 2.0 / h * 0.2, dz = 4 * DBL_EPSILON * rate / h + 2.0 / h * opt.tol * rate;
      double stiff = 1.0 + 0.25 * h * h * 4e6;
      for (int i = 0; i < n; i++) {
        double res = t.r[i], row = 0.0;
        for (int j = 0; j < n; j++) {
          res -= t.M[i][j] * z[j];
          row += fabs(t.M[i][j]);
        }
        if (i < s && (p >> i & 1))
          MW_NEAR(z[i], given[i], 8 * DBL_EPSILON * (fabs(x0[n + i]) + fabs(x[n + i])) / h);
        else
          MW_NEAR(res, 0.0, (row + stiff) * dz);
      }
    }
    synthetic_free(&syn);
  }
}

// Runs n_step steps over a fixed time; 1 when all went well.
static int run(synthetic *syn, const mw_rom_opt *opt, double h, int n_step, const double *u,
               double *x)
{
  for (int k = 0; k < n_step; k++)
    if (mw_rom_step(
            &(mw_rom_call){ .rom = &syn->rom, .opt = opt, .h = h, .u = u, .work = syn->work }, x) !=
        MW_ROM_OK)
      return 0;
  return 1;
}

static void error_falls_with_the_square_of_the_step(void)
{
  synthetic syn;
  if (!MW_CHECK(synthetic_make(2, 3, 5, 3.0, 20.0, 0.02, 0.2, &syn))) return;
  mw_rom_opt opt = midpoint();
  double x[4][10], dist[3] = { 0.0 };
  for (int level = 0; level < 4; level++) {
    int n = 50 << level;
    start(&syn.rom, x[level]);
    MW_CHECK(run(&syn, &opt, 0.5 / n, n, u_test, x[level]));
  }
  for (int level = 0; level < 3; level++)
    for (int k = 0; k < 10; k++)
      dist[level] = fmax(dist[level], fabs(x[level][k] - x[level + 1][k]));
  // differences of successive levels fall by 4 (1 + c h²), omega h <= 0.2: c h² well below a tenth
  MW_NEAR(dist[0] / dist[1], 4.0, 0.4);
  MW_NEAR(dist[1] / dist[2], 4.0, 0.1);
  synthetic_free(&syn);
}

static double energy(synthetic *syn, const double *x)
{
  mw_rom_opt opt = midpoint();
  double T = NAN, V = NAN;
  MW_CHECK(mw_rom_energy(&(mw_rom_call){ .rom = &syn->rom, .opt = &opt, .work = syn->work }, x, &T,
                         &V, NULL) == MW_ROM_OK);
  return T + V;
}

// Largest |E - E0| over a run without forces and damping.
static double energy_error(synthetic *syn, double h, int n_step)
{
  mw_rom_opt opt = midpoint();
  double x[2 * REF_MAX_N], worst = 0.0, none[SYN_N_U] = { 0.0 };
  start(&syn->rom, x);
  double E0 = energy(syn, x);
  for (int k = 0; k < n_step; k++) {
    if (!MW_CHECK(run(syn, &opt, h, 1, none, x))) return NAN;
    worst = fmax(worst, fabs(energy(syn, x) - E0));
  }
  return worst;
}

static void energy_error_falls_with_the_square_of_the_step(void)
{
  synthetic syn;
  if (!MW_CHECK(synthetic_make_second(2, 3, 5, 3.0, 20.0, 0.0, 0.2, &syn))) return;
  double coarse = energy_error(&syn, 4e-3, 125), fine = energy_error(&syn, 1e-3, 500);
  // 16 (1 + c h²), omega h = 0.08, and the instant of the largest error is met to h only
  MW_NEAR(coarse / fine, 16.0, 1.6);
  synthetic_free(&syn);
}

static void locked_linear_system_keeps_its_energy_for_any_step(void)
{
  // omega h from 0.05 to 1000: the mid-point rule keeps quadratic invariants. Each step leaves a
  // rate error of tol × (|v| + 2/h |delta|); at worst it works against the stiffest force: tol ×
  // E_scale × omega h a step
  synthetic syn;
  if (!MW_CHECK(synthetic_make(2, 4, 5, 50.0, 1e6, 0.0, 0.2, &syn))) return;
  mw_rom_layout l = mw_rom_layout_of((mw_rom_shape){ .s = 2, .m = 4, .n_y = SYN_N_Y });
  for (int k = 0; k < 49; k++)
    for (int a = 0; a < 4; a++) syn.coef[k * l.n + l.U1 + a] = 0.0;
  mw_rom_opt opt = midpoint();
  opt.prescribed = 3;
  double x[12] = { 0.1, 0.2, 0.01, 1e-3, 1e-5, 1e-7, 0.0, 0.0, 0.5, 0.2, 0.3, 0.1 },
         none[SYN_N_U] = { 0.0 };
  double E0 = energy(&syn, x), start_theta[2] = { x[0], x[1] };
  enum { N_STEP = 1000 };
  MW_CHECK(run(&syn, &opt, 1e-3, N_STEP, none, x));
  MW_WITHIN(energy(&syn, x), E0, N_STEP * opt.tol * E0 * 1e3, "what 1000 iterations may leave");
  MW_CHECK(x[0] == start_theta[0] && x[1] == start_theta[1]);
  synthetic_free(&syn);
}

static void stiff_patterns_do_not_hinder_the_iteration(void)
{
  // stiffest omega h = 1000 while theta crosses half the box; damping ratio 5 %
  synthetic syn;
  if (!MW_CHECK(synthetic_make(2, 8, 9, 100.0, 1e6, 0.05, 0.1, &syn))) return;
  mw_rom_opt opt = midpoint();
  double x[20] = { 0.0 }, h = 1e-3, u[SYN_N_U];
  int most = 0;
  x[10] = 1.0;
  x[11] = -0.7;
  for (int k = 0; k < 500; k++) {
    mw_rom_info info;
    u[0] = 2.0 * sin(20.0 * h * k);
    u[1] = 1.0;
    if (!MW_CHECK(
            mw_rom_step(
                &(mw_rom_call){
                    .rom = &syn.rom, .opt = &opt, .h = h, .u = u, .work = syn.work, .info = &info },
                x) == MW_ROM_OK))
      break;
    most = info.iterations > most ? info.iterations : most;
  }
  // contraction of a repetition is about h |thd| |e| = 1e-3 × 1 × 0.1 × a few: 1e-12 within 5, and
  // 2 more for the fields
  MW_CHECK(most <= 7);
  MW_CHECK(fabs(x[0]) > 0.2);
  synthetic_free(&syn);
}

static void prescribed_coordinates_follow_their_acceleration(void)
{
  synthetic syn;
  if (!MW_CHECK(synthetic_make(2, 4, 6, 10.0, 300.0, 0.02, 0.1, &syn))) return;
  mw_rom_opt opt = midpoint();
  opt.prescribed = 1;
  double x[12], x0[12], given[2] = { 1.2, NAN }, h = 1e-3;
  start(&syn.rom, x0);
  memcpy(x, x0, sizeof x);
  enum { N_STEP = 400 };
  for (int k = 0; k < N_STEP; k++)
    if (!MW_CHECK(mw_rom_step(&(mw_rom_call){ .rom = &syn.rom,
                                              .opt = &opt,
                                              .h = h,
                                              .u = u_test,
                                              .thdd_p = given,
                                              .work = syn.work },
                              x) == MW_ROM_OK))
      break;
  // the mid-point rule is exact for constant acceleration; N_STEP sums of rates <= 2
  double t = N_STEP * h, tol = N_STEP * 4 * DBL_EPSILON;
  MW_NEAR(x[0], x0[0] + x0[6] * t + 0.5 * given[0] * t * t, tol);
  MW_NEAR(x[6], x0[6] + given[0] * t, tol);
  MW_CHECK(fabs(x[7] - x0[7]) > 1e-3);  // the other one is free
  synthetic_free(&syn);
}

static void errors_leave_the_state_and_name_the_coordinate(void)
{
  synthetic syn;
  if (!MW_CHECK(synthetic_make(2, 3, 5, 3.0, 20.0, 0.02, 0.1, &syn))) return;
  mw_rom_opt opt = midpoint();
  double none[SYN_N_U] = { 0.0 }, nan_u[SYN_N_U] = { 0.0, NAN };
  // x: {theta 0 1, delta 2 3 4, thd 5 6, deld 7 8 9}
  static const struct {
    int k;
    double value;
    mw_rom_code code;
    int index;
  } bad[] = {
    { 6, 500.0, MW_ROM_THETA, 1 }, { 5, -500.0, MW_ROM_THETA, 0 }, { 8, 5e2, MW_ROM_DELTA, 1 },
    { 3, 0.6, MW_ROM_DELTA, 1 },   { 9, NAN, MW_ROM_NAN, 9 },      { 1, INFINITY, MW_ROM_NAN, 1 },
  };
  syn.delta_max[1] = 0.5;
  for (int b = 0; b < (int)(sizeof bad / sizeof *bad); b++) {
    double x[10] = { 0.0 }, before[10];
    mw_rom_info info = { 0 };
    x[bad[b].k] = bad[b].value;
    opt.inertia = MW_ROM_LEADING;  // converges whatever the speed
    opt.prescribed = 3;
    memcpy(before, x, sizeof x);
    MW_CHECK(mw_rom_step(&(mw_rom_call){ .rom = &syn.rom,
                                         .opt = &opt,
                                         .h = 5e-3,
                                         .u = none,
                                         .work = syn.work,
                                         .info = &info },
                         x) == bad[b].code);
    MW_CHECK(info.index == bad[b].index);
    MW_SAME_BITS(x, before, 10);
  }
  double x[10] = { 0.0 }, before[10] = { 0.0 };
  mw_rom_info info;
  MW_CHECK(mw_rom_step(&(mw_rom_call){ .rom = &syn.rom,
                                       .opt = &opt,
                                       .h = 5e-3,
                                       .u = nan_u,
                                       .work = syn.work,
                                       .info = &info },
                       x) == MW_ROM_NAN &&
           info.index == 11);
  MW_CHECK(
      mw_rom_step(
          &(mw_rom_call){
              .rom = &syn.rom, .opt = &opt, .h = NAN, .u = none, .work = syn.work, .info = &info },
          x) == MW_ROM_NAN);
  MW_CHECK(
      mw_rom_step(
          &(mw_rom_call){
              .rom = &syn.rom, .opt = &opt, .h = 0.0, .u = none, .work = syn.work, .info = &info },
          x) == MW_ROM_NAN);
  opt = midpoint();
  opt.iter_max = 2;  // too few for 1e-12
  x[5] = before[5] = 1.0;
  x[2] = before[2] = 0.1;
  MW_CHECK(
      mw_rom_step(
          &(mw_rom_call){
              .rom = &syn.rom, .opt = &opt, .h = 5e-3, .u = none, .work = syn.work, .info = &info },
          x) == MW_ROM_DIVERGED);
  MW_CHECK(info.iterations == 2 && info.residual > opt.tol);
  MW_SAME_BITS(x, before, 10);
  MW_CHECK(
      mw_rom_step(
          &(mw_rom_call){ .rom = &syn.rom, .opt = &opt, .h = 5e-3, .u = none, .work = syn.work },
          x) == MW_ROM_DIVERGED);
  synthetic_free(&syn);
}

static void fill(void *work, size_t bytes, double value)
{
  double *w = work;
  for (size_t k = 0; k < bytes / sizeof *w; k++) w[k] = value;
}

static void old_contents_of_the_work_change_no_bit(void)
{
  static const int sizes[][2] = { { 1, 0 }, { 1, 6 }, { 2, 5 }, { 3, 9 } };
  for (int c = 0; c < 4; c++)
    for (int inertia = 0; inertia < 2; inertia++) {
      synthetic syn;
      if (!MW_CHECK(synthetic_make(sizes[c][0], sizes[c][1], 6, 3.0, 2e3, 0.02, 0.1, &syn))) return;
      mw_rom_opt opt = midpoint();
      opt.inertia = inertia ? MW_ROM_LEADING : MW_ROM_FULL;
      size_t bytes = mw_rom_work_bytes(&syn.rom);
      MW_CHECK(bytes % 64 == 0);
      int n = syn.rom.s + syn.rom.m;
      double x[2][2 * REF_MAX_N], z[2][REF_MAX_N], y[2][SYN_N_Y], y_dot[2][SYN_N_Y], E[2][3],
          rest[2][REF_MAX_M];
      for (int twin = 0; twin < 2; twin++) {
        double old = twin ? NAN : 0.0;
        start(&syn.rom, x[twin]);
        for (int k = 0; k < 20; k++) {
          fill(syn.work, bytes, old);
          MW_CHECK(run(&syn, &opt, 1e-3, 1, u_test, x[twin]));
        }
        fill(syn.work, bytes, old);
        MW_CHECK(!mw_rom_rhs(
            &(mw_rom_call){ .rom = &syn.rom, .opt = &opt, .u = u_test, .work = syn.work }, x[twin],
            z[twin]));
        fill(syn.work, bytes, old);
        MW_CHECK(!mw_rom_outputs(&syn.rom, x[twin], y[twin], y_dot[twin], syn.work, NULL));
        fill(syn.work, bytes, old);
        MW_CHECK(!mw_rom_energy(&(mw_rom_call){ .rom = &syn.rom, .opt = &opt, .work = syn.work },
                                x[twin], &E[twin][0], &E[twin][1], &E[twin][2]));
        fill(syn.work, bytes, old);
        MW_CHECK(!mw_rom_static(&syn.rom, x[twin], u_test, rest[twin], syn.work, NULL));
      }
      MW_SAME_BITS(x[0], x[1], 2 * n);
      MW_SAME_BITS(z[0], z[1], n);
      MW_SAME_BITS(y[0], y[1], SYN_N_Y);
      MW_SAME_BITS(y_dot[0], y_dot[1], SYN_N_Y);
      MW_SAME_BITS(E[0], E[1], 3);
      MW_SAME_BITS(rest[0], rest[1], syn.rom.m);
      synthetic_free(&syn);
    }
}

// Rollouts by a method that has no batch of its own are steps one after the other; one rollout
// starts outside the box.
static void rollouts_by_the_mid_point_have_the_bits_of_steps(void)
{
  enum { N = 5, STEPS = 6, BAD = 3, NX = 10 };
  double x[N * NX], want[N * NX], path[N * STEPS * NX], u[N * STEPS * SYN_N_U];
  mw_rom_code code[N];
  int done[N];
  uint64_t seed = 9;
  synthetic syn;
  if (!MW_CHECK(synthetic_make(2, 3, 6, 2.0, 2e3, 0.01, 0.2, &syn))) return;
  mw_rom_opt opt = midpoint();
  for (int r = 0; r < N; r++) start(&syn.rom, x + r * NX);
  for (int k = 0; k < N * STEPS * SYN_N_U; k++) u[k] = synthetic_random(&seed);
  x[BAD * NX] = 5.0;
  memcpy(want, x, sizeof x);
  const mw_rom_batch batch = { STEPS, 1e-3, u, x, path, code, done };
  void *work = aligned_alloc(64, mw_rom_batch_bytes(&syn.rom));
  mw_rom_batch_run(&syn.rom, &opt, &batch, 0, N, work);
  for (int r = 0; r < N; r++) {
    MW_CHECK(code[r] == (r == BAD ? MW_ROM_THETA : MW_ROM_OK));
    MW_CHECK(done[r] == (r == BAD ? 0 : STEPS));
    for (int k = 0; k < done[r]; k++) {
      const double *now = u + (r * STEPS + k) * SYN_N_U;
      MW_CHECK(
          mw_rom_step(
              &(mw_rom_call){ .rom = &syn.rom, .opt = &opt, .h = 1e-3, .u = now, .work = syn.work },
              want + r * NX) == MW_ROM_OK);
      MW_SAME_BITS(path + (r * STEPS + k) * NX, want + r * NX, NX);
    }
  }
  MW_SAME_BITS(x, want, N * NX);
  free(work);
  synthetic_free(&syn);
}

static const mw_test_case cases[] = {
  { "step_solves_the_mid_point_equations", step_solves_the_mid_point_equations },
  { "error_falls_with_the_square_of_the_step", error_falls_with_the_square_of_the_step },
  { "energy_error_falls_with_the_square_of_the_step",
    energy_error_falls_with_the_square_of_the_step },
  { "locked_linear_system_keeps_its_energy_for_any_step",
    locked_linear_system_keeps_its_energy_for_any_step },
  { "stiff_patterns_do_not_hinder_the_iteration", stiff_patterns_do_not_hinder_the_iteration },
  { "prescribed_coordinates_follow_their_acceleration",
    prescribed_coordinates_follow_their_acceleration },
  { "errors_leave_the_state_and_name_the_coordinate",
    errors_leave_the_state_and_name_the_coordinate },
  { "old_contents_of_the_work_change_no_bit", old_contents_of_the_work_change_no_bit },
  { "rollouts_by_the_mid_point_have_the_bits_of_steps",
    rollouts_by_the_mid_point_have_the_bits_of_steps },
};

int main(void) { return mw_test_run("rom_step", cases, (int)(sizeof cases / sizeof *cases)); }
