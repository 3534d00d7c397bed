// SPDX-License-Identifier: BSD-3-Clause
// test_rom_exp.c: the exponential step, RK4, and many rollouts at once.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../reduction/rom/kernel/rom_kernel.h"
#include "mw_test.h"
#include "rom_reference.h"
#include "rom_synthetic.h"

static const double u_test[SYN_N_U] = { 0.6, -0.9 };

static mw_rom_opt by(mw_rom_method method)
{
  mw_rom_opt opt = mw_rom_opt_default();
  opt.method = method;
  return opt;
}

// Rates of about 1, deflections of about 0.1.
static void start(const mw_rom *rom, double *x)
{
  uint64_t seed = 3;
  int n = rom->s + rom->m;
  for (int k = 0; k < 2 * n; k++) x[k] = 0.1 * synthetic_random(&seed);
  for (int i = 0; i < rom->s; i++) x[n + i] = 0.8 - 0.5 * i;
}

// How a model's linear part is laid out: SYMMETRIC where nothing is said to turn, TURNING, SECOND
// with all optional parts.
enum { SYMMETRIC, TURNING, SECOND, N_VARIANT };
static const char *const variant_name[N_VARIANT] = { "symmetric", "turning", "second order" };

static int make(int variant, int s, int m, int n_grid, double w_lo, double w_hi, double zeta,
                double vary, synthetic *syn)
{
  int made = variant == SECOND ? synthetic_make_second(s, m, n_grid, w_lo, w_hi, zeta, vary, syn)
                               : synthetic_make(s, m, n_grid, w_lo, w_hi, zeta, vary, syn);
  if (made && variant == SYMMETRIC) syn->rom.slow = (1u << s) - 1u;
  return made;
}

static bool run(synthetic *syn, const mw_rom_opt *opt, double h, int n_step, const double *thdd,
                double *x)
{
  for (int k = 0; k < n_step; k++)
    if (!MW_CHECK(mw_rom_step(&(mw_rom_call){ .rom = &syn->rom,
                                              .opt = opt,
                                              .h = h,
                                              .u = u_test,
                                              .thdd_p = thdd,
                                              .work = syn->work },
                              x) == MW_ROM_OK))
      return false;
  return true;
}

// Largest error of a run over `time` in n steps by a method, against x_ref.
static double error_of(synthetic *syn, mw_rom_method method, unsigned prescribed,
                       const double *thdd, double time, int n, const double *x_ref)
{
  double x[2 * REF_MAX_N], e = 0.0;
  mw_rom_opt opt = by(method);
  opt.prescribed = prescribed;
  start(&syn->rom, x);
  if (!run(syn, &opt, time / n, n, thdd, x)) return NAN;
  for (int k = 0; k < 2 * (syn->rom.s + syn->rom.m); k++) e = fmax(e, fabs(x[k] - x_ref[k]));
  return e;
}

// A solution by 200,000 steps of RK4 in all: its own error, (omega h)^5 times the steps, is below
// 1e-12 here.
static bool converged(synthetic *syn, unsigned prescribed, const double *thdd, double time,
                      double *x)
{
  mw_rom_opt opt = by(MW_ROM_RK4);
  opt.prescribed = prescribed;
  start(&syn->rom, x);
  return run(syn, &opt, time / 4096, 4096, thdd, x);
}

// Moving mechanism, everything couples: halving the step divides the error by 4 and 16.
static void errors_fall_with_the_order_of_the_method(void)
{
  static const double thdd[2] = { 0.7, -0.3 };
  for (unsigned c = 0; c < 4 * N_VARIANT; c++) {
    synthetic syn;
    unsigned prescribed = c % 4;
    double x[2 * REF_MAX_N];
    if (!MW_CHECK(make((int)(c / 4), 2, 3, 5, 3.0, 20.0, 0.02, 0.2, &syn))) return;
    if (converged(&syn, prescribed, thdd, 0.5, x))
      for (int method = 0; method <= MW_ROM_RK4; method++) {
        double e[3];
        for (int i = 0; i < 3; i++)
          e[i] = error_of(&syn, (mw_rom_method)method, prescribed, thdd, 0.5, 64 << i, x);
        double order = log2(e[1] / e[2]), want = method == MW_ROM_RK4 ? 4.0 : 2.0;
        printf("%s, %s, prescribed %u: errors %.1e %.1e %.1e, order %.2f\n", variant_name[c / 4],
               mw_rom_method_name((mw_rom_method)method), prescribed, e[0], e[1], e[2], order);
        // the next term of the error is smaller by h omega, at most 0.08 at the middle level; a
        // tenth of an order for it
        MW_NEAR(order, want, 0.25);
      }
    synthetic_free(&syn);
  }
}

// Made constant, fields leave nothing but the linear part, which the Padé approximation has to
// order 5.
static void order_is_five(synthetic *syn, unsigned prescribed, const double *thdd, const char *what)
{
  double x[2 * REF_MAX_N], e[2];
  // the mass "1 + small" of the synthetic model varies: make all of it constant
  for (int k = 1; k < mw_rom_n_knot(&syn->rom, 0); k++)
    memcpy(syn->coef + (size_t)k * (size_t)syn->rom.n_field, syn->coef,
           (size_t)syn->rom.n_field * sizeof *syn->coef);
  if (!converged(syn, prescribed, thdd, 0.5, x)) return;
  for (int i = 0; i < 2; i++)
    e[i] = error_of(syn, MW_ROM_EXPONENTIAL, prescribed, thdd, 0.5, 16 << i, x);
  printf("%s: errors %.1e %.1e, order %.2f\n", what, e[0], e[1], log2(e[0] / e[1]));
  MW_CHECK(e[1] > 1e-11);  // above the rounding of the reference
  // omega h = 1.2 and 0.6: the next order counts for some tenths
  MW_NEAR(log2(e[0] / e[1]), 5.0, 0.5);
}

static void linear_parts_are_of_fifth_order(void)
{
  // of more columns than a register holds, too
  for (int variant = 0; variant < 2 * N_VARIANT; variant++) {
    synthetic syn;
    int m = variant < N_VARIANT ? 4 : 12;
    if (!MW_CHECK(make(variant % N_VARIANT, 1, m, 5, 3.0, 40.0, 0.02, 0.0, &syn))) return;
    order_is_five(&syn, 0, NULL, m == 4 ? "constant fields" : "constant fields of 12 columns");
    synthetic_free(&syn);
  }
}

// A rate that is given and constant: gyroscopic, centrifugal and Coriolis terms are linear, too,
// and need the solution of matrices that are not symmetric.
static void linear_parts_that_turn_are_of_fifth_order(void)
{
  static const double thdd[1] = { 0.0 };
  synthetic syn;
  if (!MW_CHECK(make(TURNING, 1, 4, 5, 3.0, 40.0, 0.02, 0.2, &syn))) return;
  order_is_five(&syn, 1, thdd, "constant fields, turning");
  synthetic_free(&syn);
}

// Frequencies up to omega h = 2000: after a few steps the stiff ones follow at rest, K delta =
// forces.
static void stiff_modes_come_to_rest(void)
{
  synthetic syn;
  const double h = 1e-3;
  if (!MW_CHECK(synthetic_make(1, 5, 5, 1e5, 2e6, 0.01, 0.1, &syn))) return;
  mw_rom_opt opt = by(MW_ROM_EXPONENTIAL);
  double x[12] = { 0.0 }, rest[5];
  x[1] = 1e-6;
  // |approximation of e^w| = 3/|w| for large w: 0.03 a step at least, 1e-6 becomes 1e-6 × 0.03^8 =
  //   7e-19
  opt.prescribed = 1;
  for (int k = 0; k < 8; k++)
    MW_CHECK(
        mw_rom_step(
            &(mw_rom_call){ .rom = &syn.rom, .opt = &opt, .h = h, .u = u_test, .work = syn.work },
            x) == MW_ROM_OK);
  MW_CHECK(mw_rom_static(&syn.rom, x, u_test, rest, syn.work, NULL) == MW_ROM_OK);
  // deflections of size force/omega² = 1e-10 at rest
  for (int a = 0; a < 5; a++) MW_NEAR(x[1 + a], rest[a], 1e-12 * 1e-10 + 1e-15 * 1e-6 + 7e-19);
  synthetic_free(&syn);
}

static void prescribed_coordinates_follow_their_acceleration(void)
{
  synthetic syn;
  const double h = 2e-3, a[2] = { 3.0, -2.0 };
  if (!MW_CHECK(synthetic_make(2, 4, 5, 20.0, 2e3, 0.02, 0.2, &syn))) return;
  mw_rom_opt opt = by(MW_ROM_EXPONENTIAL);
  double x0[12], x[12];
  opt.prescribed = 3;
  start(&syn.rom, x0);
  memcpy(x, x0, sizeof x);
  MW_CHECK(
      mw_rom_step(
          &(mw_rom_call){
              .rom = &syn.rom, .opt = &opt, .h = h, .u = u_test, .thdd_p = a, .work = syn.work },
          x) == MW_ROM_OK);
  for (int i = 0; i < 2; i++) {
    MW_NEAR(x[6 + i], x0[6 + i] + h * a[i], 8 * DBL_EPSILON);
    MW_NEAR(x[i], x0[i] + h * (x0[6 + i] + 0.5 * h * a[i]), 8 * DBL_EPSILON);
  }
  synthetic_free(&syn);
}

// ---- same bits ----------------------------------------------------------------------------------

enum { N_ROLL = 19, N_STEP = 30 };

// A friction and a stop that act, on field 1.
static const mw_rom_law law[1] = { { .field = 1,
                                     .coulomb = 0.2,
                                     .stiction = 0.3,
                                     .stribeck = 0.05,
                                     .smooth = 0.01,
                                     .lo = -INFINITY,
                                     .hi = 0.0,
                                     .stiffness = 40.0,
                                     .damping = 0.3,
                                     .soft = 0.02 } };

// Rollouts by each kernel that runs here, one after the other and as a batch; bad: one rollout
// starts outside the box, one has an input that is not finite at step 7.
static void compare_bits(synthetic *syn, double spread, bool bad)
{
  const mw_rom *rom = &syn->rom;
  size_t nx = 2 * (size_t)(rom->s + rom->m), nu = (size_t)rom->n_u;
  double *x0 = calloc(N_ROLL * nx, sizeof *x0), *u = calloc(N_ROLL * N_STEP * nu, sizeof *u);
  double *want = calloc(N_ROLL * nx, sizeof *want), *x = calloc(N_ROLL * nx, sizeof *x),
         *path = calloc(N_ROLL * N_STEP * nx, sizeof *path);
  mw_rom_code want_code[N_ROLL], code[N_ROLL];
  int want_done[N_ROLL], done[N_ROLL];
  mw_rom_opt opt = by(MW_ROM_EXPONENTIAL);
  uint64_t seed = 11;
  for (size_t r = 0; r < N_ROLL; r++) {
    start(rom, x0 + r * nx);
    for (int i = 0; i < rom->s; i++) x0[r * nx + (size_t)i] = spread * synthetic_random(&seed);
  }
  for (size_t k = 0; k < N_ROLL * N_STEP * nu; k++) u[k] = synthetic_random(&seed);
  if (bad) {
    x0[4 * nx] = 5.0;
    u[(9 * N_STEP + 7) * nu] = NAN;
  }
  memcpy(want, x0, N_ROLL * nx * sizeof *x0);
  for (size_t r = 0; r < N_ROLL; r++) {
    want_code[r] = MW_ROM_OK;
    for (want_done[r] = 0; want_done[r] < N_STEP; want_done[r]++) {
      want_code[r] = mw_rom_step(&(mw_rom_call){ .rom = rom,
                                                 .opt = &opt,
                                                 .h = 1e-3,
                                                 .u = u + (r * N_STEP + (size_t)want_done[r]) * nu,
                                                 .work = syn->work },
                                 want + r * nx);
      if (want_code[r] != MW_ROM_OK) break;
    }
    MW_CHECK((want_done[r] < N_STEP) == (bad && (r == 4 || r == 9)));
  }
  for (int k = 0; k < ROM_MAX_KERNEL; k++) {
    const rom_kernel *kernel = rom_kernels[k];
    if (!kernel || !rom_kernel_runs(k)) continue;
    // an export says how much memory it needs on the machine that made it
    MW_CHECK(kernel->work_bytes(rom) == mw_rom_work_bytes(rom));
    MW_CHECK(kernel->sens_bytes(rom) == mw_rom_sens_bytes(rom));
    size_t bytes = kernel->batch_bytes(rom);
    void *work = aligned_alloc(64, bytes);
    memset(work, 0xff, bytes);  // NaN: nothing in it may matter
    const mw_rom_batch batch = { N_STEP, 1e-3, u, x, path, code, done };
    memcpy(x, x0, N_ROLL * nx * sizeof *x0);
    kernel->batch_run(rom, &opt, &batch, 0, 13, work);  // in two parts
    kernel->batch_run(rom, &opt, &batch, 13, N_ROLL - 13, work);
    MW_SAME_BITS(x, want, N_ROLL * nx);
    for (size_t r = 0; r < N_ROLL; r++) {
      MW_CHECK(code[r] == want_code[r] && done[r] == want_done[r]);
      if (done[r] > 0)
        MW_SAME_BITS(path + (r * N_STEP + (size_t)done[r] - 1) * nx, want + r * nx, nx);
    }
    memcpy(x, x0, N_ROLL * nx * sizeof *x0);
    for (int j = 0; j < want_done[0]; j++)
      MW_CHECK(kernel->step(
                   &(mw_rom_call){
                       .rom = rom, .opt = &opt, .h = 1e-3, .u = u + (size_t)j * nu, .work = work },
                   x) == MW_ROM_OK);
    MW_SAME_BITS(x, want, nx);
    free(work);
  }
  free(x0), free(u), free(want), free(x), free(path);
}

static void kernels_and_batches_give_the_same_bits(void)
{
  static const int sizes[][2] = { { 1, 6 }, { 2, 10 }, { 3, 5 }, { 1, 1 }, { 1, 17 - 1 } };
  for (int c = 0; c < 5 * N_VARIANT; c++) {
    synthetic syn;
    if (!MW_CHECK(make(c / 5, sizes[c % 5][0], sizes[c % 5][1], 6, 60.0, 5e3, 0.01, 0.2, &syn)))
      return;
    compare_bits(&syn, 0.01, false);  // one cell
    compare_bits(&syn, 0.8, true);    // many
    syn.rom.law = law;
    syn.rom.n_law = 1;
    free(syn.work);
    syn.work = aligned_alloc(64, mw_rom_work_bytes(&syn.rom));
    compare_bits(&syn, 0.01, true);
    synthetic_free(&syn);
  }
}

// Numbers of columns whose mass changes have loops of their own; accelerations, too.
static void masses_of_any_number_of_columns_give_the_same_bits(void)
{
  mw_rom_shape shape = {
    .s = 2, .m = MW_ROM_MAX_G + 1, .n_y = SYN_N_Y, .parts = MW_ROM_H | MW_ROM_THIRD
  };
  enum { N = 2 + MW_ROM_MAX_G + 1 };
  for (shape.n_G = 1; shape.n_G <= MW_ROM_MAX_G; shape.n_G++) {
    synthetic syn;
    double x[2 * N], u[SYN_N_U] = { 0.5, -0.7 }, want[N], acc[N];
    mw_rom_opt opt = mw_rom_opt_default();
    if (!MW_CHECK(synthetic_make_parts(shape, 6, 60.0, 5e3, 0.01, 0.2, &syn))) return;
    compare_bits(&syn, 0.8, false);
    start(&syn.rom, x);
    MW_CHECK(mw_rom_rhs(&(mw_rom_call){ .rom = &syn.rom, .opt = &opt, .u = u, .work = syn.work }, x,
                        want) == MW_ROM_OK);
    for (int k = 0; k < ROM_MAX_KERNEL; k++) {
      if (!rom_kernels[k] || !rom_kernel_runs(k)) continue;
      MW_CHECK(rom_kernels[k]->rhs(
                   &(mw_rom_call){ .rom = &syn.rom, .opt = &opt, .u = u, .work = syn.work }, x,
                   acc) == MW_ROM_OK);
      MW_SAME_BITS(acc, want, N);
    }
    synthetic_free(&syn);
  }
}

// Of an axis along which nothing changes but y0.
static void flat_axes_give_the_same_bits(void)
{
  double slope[2 * SYN_N_Y];
  for (int k = 0; k < 2 * SYN_N_Y; k++) slope[k] = 0.3 + 0.1 * k;
  for (int variant = 0; variant < N_VARIANT; variant++) {
    synthetic syn;
    if (!MW_CHECK(make(variant, 2, 5, 6, 60.0, 5e3, 0.01, 0.2, &syn))) return;
    syn.rom.flat = 1;  // the first record along it is all that is read
    syn.rom.y_slope = slope;
    compare_bits(&syn, 0.01, false);
    compare_bits(&syn, 0.8, true);
    synthetic_free(&syn);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "errors_fall_with_the_order_of_the_method", errors_fall_with_the_order_of_the_method },
    { "linear_parts_are_of_fifth_order", linear_parts_are_of_fifth_order },
    { "linear_parts_that_turn_are_of_fifth_order", linear_parts_that_turn_are_of_fifth_order },
    { "stiff_modes_come_to_rest", stiff_modes_come_to_rest },
    { "prescribed_coordinates_follow_their_acceleration",
      prescribed_coordinates_follow_their_acceleration },
    { "kernels_and_batches_give_the_same_bits", kernels_and_batches_give_the_same_bits },
    { "masses_of_any_number_of_columns_give_the_same_bits",
      masses_of_any_number_of_columns_give_the_same_bits },
    { "flat_axes_give_the_same_bits", flat_axes_give_the_same_bits },
  };
  return mw_test_run("rom_exp", cases, (int)(sizeof cases / sizeof *cases));
}
