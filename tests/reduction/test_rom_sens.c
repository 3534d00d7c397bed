// SPDX-License-Identifier: BSD-3-Clause
// test_rom_sens.c: derivatives of steps against differences of steps, the adjoint against
// differences of a cost.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mw_test.h"
#include "rom_reference.h"
#include "rom_synthetic.h"

enum { MAX_X = 2 * REF_MAX_N };

typedef struct stepper {
  const mw_rom *rom;
  mw_rom_opt opt;
  double h;
  const double *thdd;
  void *work;
} stepper;

// Acts along field 1; what it does depends on the state.
static const mw_rom_law law[2] = { { .field = 1,
                                     .coulomb = 0.4,
                                     .stiction = 0.6,
                                     .stribeck = 0.5,
                                     .smooth = 0.3,
                                     .lo = -INFINITY,
                                     .hi = 0.05,
                                     .stiffness = 30.0,
                                     .damping = 0.3,
                                     .soft = 0.2 },
                                   { .field = 3,
                                     .coulomb = 0.2,
                                     .stiction = 0.2,
                                     .stribeck = 1.0,
                                     .smooth = 0.4,
                                     .lo = -0.1,
                                     .hi = INFINITY,
                                     .stiffness = 20.0,
                                     .damping = 0.1,
                                     .soft = 0.3 } };

// theta near the middle of a cell (6 points on [-1, 1]: cells of 0.4), so that differences stay
// within it.
static void start(const mw_rom *rom, uint64_t seed, double *x, double *u)
{
  int n = rom->s + rom->m;
  for (int k = 0; k < 2 * n; k++) x[k] = 0.1 * synthetic_random(&seed);
  for (int i = 0; i < rom->s; i++) {
    x[i] = 0.4 * (i - 1) + 0.02 * synthetic_random(&seed);
    x[n + i] = 0.8 - 0.5 * i;
  }
  for (int k = 0; k < rom->n_u; k++) u[k] = synthetic_random(&seed);
}

// End of a step from x, u changed in entry c by d.
static void end_of(const stepper *st, const double *x, const double *u, int c, double d,
                   double *end)
{
  double v[SYN_N_U];
  int nx = 2 * (st->rom->s + st->rom->m);
  memcpy(end, x, (size_t)nx * sizeof *end);
  memcpy(v, u, sizeof v);
  if (c < nx)
    end[c] += d;
  else
    v[c - nx] += d;
  MW_CHECK(mw_rom_step(&(mw_rom_call){ .rom = st->rom,
                                       .opt = &st->opt,
                                       .h = st->h,
                                       .u = v,
                                       .thdd_p = st->thdd,
                                       .work = st->work },
                       end) == MW_ROM_OK);
}

// Sixth-order central difference with d = 2e-3: truncation d^6/140 of the seventh derivative, below
// 1e-15 of the function's own size over lengths of order 1; rounding 4 (condition of the step's
// matrices) eps/d. Returns the largest error of a column over the largest entry of the whole matrix
// in rows of the same kind (positions, rates).
static double worst_error(const stepper *st, const double *x, const double *u, const double *x_x,
                          const double *x_u)
{
  static const double weight[3] = { 0.75, -0.15, 1.0 / 60.0 }, d = 2e-3;
  int n = st->rom->s + st->rom->m, nx = 2 * n, nu = st->rom->n_u;
  double worst = 0.0, size[2] = { 0.0, 0.0 };
  for (int i = 0; i < nx; i++)
    for (int c = 0; c < nx; c++) size[i >= n] = fmax(size[i >= n], fabs(x_x[i * nx + c]));
  for (int c = 0; c < nx + nu; c++) {
    double slope[MAX_X] = { 0.0 }, end[MAX_X];
    for (int k = 0; k < 3; k++)
      for (int sign = -1; sign <= 1; sign += 2) {
        end_of(st, x, u, c, sign * (k + 1) * d, end);
        for (int i = 0; i < nx; i++) slope[i] += sign * weight[k] / d * end[i];
      }
    for (int i = 0; i < nx; i++) {
      double got = c < nx ? x_x[i * nx + c] : x_u[i * nu + c - nx];
      worst = fmax(worst, fabs(got - slope[i]) / size[i >= n]);
      if (!isfinite(got)) worst = INFINITY;
    }
  }
  return worst;
}

static void check_model(const mw_rom *rom, double h, const char *what)
{
  static const double thdd[3] = { 0.7, -0.4, 0.3 };
  double worst[MW_ROM_N_METHOD] = { 0.0 };
  size_t bytes = mw_rom_sens_bytes(rom);
  void *work = aligned_alloc(64, bytes);
  MW_CHECK(bytes % 64 == 0 && bytes >= mw_rom_work_bytes(rom));
  int nx = 2 * (rom->s + rom->m);
  double *x_x = malloc((size_t)(nx * nx) * sizeof *x_x),
         *x_u = malloc((size_t)(nx * rom->n_u) * sizeof *x_u);
  for (int method = 0; method < MW_ROM_N_METHOD; method++)
    for (int c = 0; c < 4; c++) {
      stepper st = { rom, mw_rom_opt_default(), h, thdd, work };
      st.opt.method = (mw_rom_method)method;
      st.opt.tol = 1e-13;
      st.opt.iter_max = 50;
      st.opt.inertia = c == 3 ? MW_ROM_LEADING : MW_ROM_FULL;
      st.opt.prescribed = (unsigned)c & ((1u << rom->s) - 1u);
      double x[MAX_X], u[SYN_N_U], end[MAX_X], end_sens[MAX_X];
      start(rom, 5 + (uint64_t)c, x, u);
      memcpy(end_sens, x, sizeof x);
      memset(work, 0xff, bytes);  // NaN: nothing in it may matter
      if (!MW_CHECK(
              mw_rom_step_sens(
                  &(mw_rom_call){
                      .rom = rom, .opt = &st.opt, .h = h, .u = u, .thdd_p = thdd, .work = work },
                  end_sens, x_x, x_u) == MW_ROM_OK))
        continue;
      end_of(&st, x, u, 0, 0.0, end);
      MW_SAME_BITS(end, end_sens, nx);
      worst[method] = fmax(worst[method], worst_error(&st, x, u, x_x, x_u));
    }
  printf("%-28s errors: exponential %.1e, rk4 %.1e, midpoint %.1e\n", what, worst[0], worst[1],
         worst[2]);
  for (int method = 0; method < MW_ROM_N_METHOD; method++) MW_NEAR(worst[method], 0.0, 1e-9);
  free(work), free(x_x), free(x_u);
}

// What is left of the differences: rounding, 4 × 100 eps / 2e-3 of the largest entry, 5e-11; asked
// for is 1e-7.
static void derivatives_are_those_of_the_step(void)
{
  static const int sizes[][2] = { { 1, 0 }, { 1, 3 }, { 2, 0 }, { 2, 4 }, { 3, 3 }, { 2, 10 } };
  for (int c = 0; c < 6; c++) {
    synthetic syn;
    char what[64];
    if (!MW_CHECK(synthetic_make(sizes[c][0], sizes[c][1], 6, 5.0, 200.0, 0.02, 0.2, &syn))) return;
    snprintf(what, sizeof what, "s %d, m %d", sizes[c][0], sizes[c][1]);
    check_model(&syn.rom, 2e-3, what);
    syn.rom.slow = (1u << sizes[c][0]) - 1u;
    snprintf(what, sizeof what, "s %d, m %d, symmetric", sizes[c][0], sizes[c][1]);
    check_model(&syn.rom, 2e-3, what);
    syn.rom.law = law;
    syn.rom.n_law = 2;
    snprintf(what, sizeof what, "s %d, m %d, laws", sizes[c][0], sizes[c][1]);
    check_model(&syn.rom, 2e-3, what);
    synthetic_free(&syn);
    if (!MW_CHECK(synthetic_make_second(sizes[c][0], sizes[c][1], 6, 5.0, 200.0, 0.02, 0.2, &syn)))
      return;
    snprintf(what, sizeof what, "s %d, m %d, second order", sizes[c][0], sizes[c][1]);
    check_model(&syn.rom, 2e-3, what);
    syn.rom.law = law;
    syn.rom.n_law = 2;
    snprintf(what, sizeof what, "s %d, m %d, second, laws", sizes[c][0], sizes[c][1]);
    check_model(&syn.rom, 2e-3, what);
    synthetic_free(&syn);
  }
}

static void derivatives_know_flat_coordinates(void)
{
  synthetic syn;
  double slope[2 * SYN_N_Y];
  if (!MW_CHECK(synthetic_make_second(2, 4, 6, 5.0, 200.0, 0.02, 0.2, &syn))) return;
  for (int k = 0; k < 2 * SYN_N_Y; k++) slope[k] = 0.3 + 0.1 * k;
  syn.rom.flat = 2;
  syn.rom.y_slope = slope;
  syn.rom.law = law;
  syn.rom.n_law = 2;
  check_model(&syn.rom, 2e-3, "flat");
  synthetic_free(&syn);
}

// omega h up to 50: only the exponential and the mid-point step.
static void derivatives_hold_for_stiff_patterns(void)
{
  synthetic syn;
  if (!MW_CHECK(synthetic_make_second(1, 4, 6, 20.0, 1e4, 0.02, 0.1, &syn))) return;
  int nx = 10;
  void *work = aligned_alloc(64, mw_rom_sens_bytes(&syn.rom));
  for (int method = 0; method <= MW_ROM_MIDPOINT; method += 2) {
    stepper st = { &syn.rom, mw_rom_opt_default(), 5e-3, NULL, work };
    double x[MAX_X], u[SYN_N_U], end[MAX_X], x_x[100], x_u[10 * SYN_N_U];
    st.opt.method = (mw_rom_method)method;
    st.opt.tol = 1e-13;
    st.opt.iter_max = 50;
    start(&syn.rom, 9, x, u);
    memcpy(end, x, sizeof end);
    MW_CHECK(mw_rom_step_sens(
                 &(mw_rom_call){ .rom = &syn.rom, .opt = &st.opt, .h = st.h, .u = u, .work = work },
                 end, x_x, x_u) == MW_ROM_OK);
    double e = worst_error(&st, x, u, x_x, x_u);
    printf("stiff, %s: %.1e\n", mw_rom_method_name(st.opt.method), e);
    // K is 1e8 of the other entries of the iteration's matrices: rounding 1e4 larger in
    // displacements
    MW_WITHIN(e, 0.0, 1e-7, "what is asked for");
    MW_CHECK(nx == 2 * (syn.rom.s + syn.rom.m));
  }
  free(work);
  synthetic_free(&syn);
}

// Prescribed, from 0.05 within the box at -4 with 160: at half a step 0.05 beyond the border, in
// the other stages and at the end 0.05 within it again.
static void derivatives_hold_where_a_stage_leaves_the_box(void)
{
  static const double thdd[1] = { 160.0 };
  synthetic syn;
  if (!MW_CHECK(synthetic_make(1, 3, 6, 5.0, 20.0, 0.02, 0.2, &syn))) return;
  stepper st = { &syn.rom, mw_rom_opt_default(), 0.05, thdd,
                 aligned_alloc(64, mw_rom_sens_bytes(&syn.rom)) };
  double x[MAX_X], u[SYN_N_U], end[MAX_X], x_x[8 * 8], x_u[8 * SYN_N_U];
  st.opt.method = MW_ROM_RK4;
  st.opt.prescribed = 1u;
  start(&syn.rom, 3, x, u);
  x[0] = -0.95;
  x[4] = -4.0;
  memcpy(end, x, sizeof end);
  const mw_rom_call call = {
    .rom = &syn.rom, .opt = &st.opt, .h = st.h, .u = u, .thdd_p = thdd, .work = st.work
  };
  MW_CHECK(mw_rom_step_sens(&call, end, x_x, x_u) == MW_ROM_OK);
  MW_NEAR(end[0], -0.95, 16.0 * DBL_EPSILON);
  // rounding of the differences, 4 × 20 eps / 2e-3 of the largest entry
  MW_NEAR(worst_error(&st, x, u, x_x, x_u), 0.0, 1e-11);
  free(st.work);
  synthetic_free(&syn);
}

// Field `at` of the layout becomes x everywhere.
static void set_field(synthetic *syn, int at, double x)
{
  size_t n = 1;
  for (int i = 0; i < syn->rom.s; i++) n *= (size_t)mw_rom_n_knot(&syn->rom, i);
  for (size_t k = 0; k < n; k++) syn->coef[k * (size_t)syn->rom.n_field + (size_t)at] = x;
}

// A mass of 0.5 for theta beside 0.6 that couples it with the first column.
static void derivatives_hold_where_columns_couple_more_than_masses(void)
{
  synthetic syn;
  if (!MW_CHECK(synthetic_make(1, 3, 6, 5.0, 200.0, 0.02, 0.05, &syn))) return;
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(&syn.rom));
  set_field(&syn, l.a, 0.5);
  set_field(&syn, l.d, 0.6);
  check_model(&syn.rom, 2e-3, "coupled");
  synthetic_free(&syn);
}

// A potential -3 theta² of a mass of 6 about a place of rest: where h²/4 times its slope is the
// mass, h = 2, the mid-point rule stays at rest but has no derivative. All numbers are exact.
static void a_step_without_a_derivative_is_refused(void)
{
  synthetic syn;
  if (!MW_CHECK(synthetic_make(1, 0, 5, 1.0, 1.0, 0.0, 0.0, &syn))) return;
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(&syn.rom));
  set_field(&syn, l.a, 6.0);
  for (int k = 0; k < 7; k++)  // second differences over the square of the spacing, 1/4: -6
    syn.coef[k * syn.rom.n_field + l.U0] = -0.75 * (k - 3) * (k - 3);
  void *work = aligned_alloc(64, mw_rom_sens_bytes(&syn.rom));
  mw_rom_opt opt = mw_rom_opt_default();
  opt.method = MW_ROM_MIDPOINT;
  double x[2] = { 0.0, 0.0 }, x_x[4] = { 7.0 }, x_u[2 * SYN_N_U];
  const double u[SYN_N_U] = { 0.0, 0.0 };
  mw_rom_call call = { .rom = &syn.rom, .opt = &opt, .h = 2.0, .u = u, .work = work };
  MW_CHECK(mw_rom_step(&call, x) == MW_ROM_OK);
  MW_CHECK(x[0] == 0.0 && x[1] == 0.0);
  MW_CHECK(mw_rom_step_sens(&call, x, x_x, x_u) == MW_ROM_SINGULAR);
  MW_CHECK(x_x[0] == 7.0);
  call.h = 1.0;
  MW_CHECK(mw_rom_step_sens(&call, x, x_x, x_u) == MW_ROM_OK);
  free(work);
  synthetic_free(&syn);
}

// ---- adjoint ------------------------------------------------------------------------------------

enum { N_STEP = 12, NX = 12 };

// c = sum_k w_k·x_k + 1/2 |u|² along the rollout; path [(N_STEP + 1) × NX]; size: of its terms.
static double cost_of(const stepper *st, const double *x0, const double *u, const double *w,
                      double *path, double *size)
{
  double c = 0.0, x[NX];
  *size = 0.0;
  memcpy(x, x0, sizeof x);
  for (int k = 0; k <= N_STEP; k++) {
    memcpy(path + k * NX, x, sizeof x);
    for (int i = 0; i < NX; i++) c += w[k * NX + i] * x[i], *size += fabs(w[k * NX + i] * x[i]);
    if (k == N_STEP) break;
    for (int i = 0; i < SYN_N_U; i++) c += 0.5 * u[k * SYN_N_U + i] * u[k * SYN_N_U + i];
    MW_CHECK(mw_rom_step(&(mw_rom_call){ .rom = st->rom,
                                         .opt = &st->opt,
                                         .h = st->h,
                                         .u = u + k * SYN_N_U,
                                         .work = st->work },
                         x) == MW_ROM_OK);
  }
  return c;
}

static void adjoint_is_the_gradient_of_a_cost(void)
{
  synthetic syn;
  if (!MW_CHECK(synthetic_make(2, 4, 6, 5.0, 200.0, 0.02, 0.2, &syn))) return;
  stepper st = { &syn.rom, mw_rom_opt_default(), 2e-3, NULL,
                 aligned_alloc(64, mw_rom_sens_bytes(&syn.rom)) };
  for (int method = 0; method < MW_ROM_N_METHOD; method++) {
    double x0[MAX_X], u0[SYN_N_U], u[N_STEP * SYN_N_U], g_u[N_STEP * SYN_N_U], lambda[NX],
        way_x[NX], way_u[N_STEP * SYN_N_U], w[(N_STEP + 1) * NX], path[(N_STEP + 1) * NX],
        unused[(N_STEP + 1) * NX];
    uint64_t seed = 21;
    st.opt.method = (mw_rom_method)method;
    st.opt.tol = 1e-13;
    st.opt.iter_max = 50;
    start(&syn.rom, 7, x0, u0);
    for (int k = 0; k < (N_STEP + 1) * NX; k++) w[k] = synthetic_random(&seed);
    for (int k = 0; k < N_STEP * SYN_N_U; k++) {
      g_u[k] = u[k] = synthetic_random(&seed);
      way_u[k] = synthetic_random(&seed);
    }
    for (int i = 0; i < NX; i++) way_x[i] = synthetic_random(&seed);
    double size;
    cost_of(&st, x0, u, w, path, &size);
    MW_CHECK(
        mw_rom_adjoint(
            &(mw_rom_call){ .rom = &syn.rom, .opt = &st.opt, .h = st.h, .u = u, .work = st.work },
            N_STEP, path, w, g_u, lambda) == MW_ROM_OK);
    double got = 0.0, want = 0.0;
    for (int i = 0; i < NX; i++) got += lambda[i] * way_x[i];
    for (int k = 0; k < N_STEP * SYN_N_U; k++) got += g_u[k] * way_u[k];
    static const double weight[3] = { 0.75, -0.15, 1.0 / 60.0 }, d = 2e-3;
    for (int k = 0; k < 3; k++)
      for (int sign = -1; sign <= 1; sign += 2) {
        double x1[NX], u1[N_STEP * SYN_N_U], t = sign * (k + 1) * d;
        for (int i = 0; i < NX; i++) x1[i] = x0[i] + t * way_x[i];
        for (int i = 0; i < N_STEP * SYN_N_U; i++) u1[i] = u[i] + t * way_u[i];
        want += sign * weight[k] / d * cost_of(&st, x1, u1, w, unused, &size);
      }
    printf("adjoint, %s: %.15g, differences %.15g\n", mw_rom_method_name(st.opt.method), got, want);
    // rounding as above, of the terms of the cost: 4 × 100 ε / d
    MW_WITHIN(got, want, 400.0 * DBL_EPSILON / d * size, "worst of matrices of condition 100");
  }
  free(st.work);
  synthetic_free(&syn);
}

static void errors_leave_the_state_and_outputs(void)
{
  synthetic syn;
  if (!MW_CHECK(synthetic_make(1, 2, 6, 5.0, 200.0, 0.02, 0.2, &syn))) return;
  void *work = aligned_alloc(64, mw_rom_sens_bytes(&syn.rom));
  double x[6] = { 3.0, 0, 0, 0, 0, 0 }, before[6], x_x[36] = { 1.5 }, x_u[12] = { 2.5 };
  const double u[SYN_N_U] = { 0.0, 0.0 }, bad[SYN_N_U] = { 0.0, NAN };
  mw_rom_opt opt = mw_rom_opt_default();
  mw_rom_info info;
  memcpy(before, x, sizeof x);
  MW_CHECK(mw_rom_step_sens(
               &(mw_rom_call){
                   .rom = &syn.rom, .opt = &opt, .h = 1e-3, .u = u, .work = work, .info = &info },
               x, x_x, x_u) == MW_ROM_THETA &&
           info.index == 0);
  MW_SAME_BITS(x, before, 6);
  x[0] = before[0] = 0.0;
  MW_CHECK(mw_rom_step_sens(
               &(mw_rom_call){
                   .rom = &syn.rom, .opt = &opt, .h = 1e-3, .u = bad, .work = work, .info = &info },
               x, x_x, x_u) == MW_ROM_NAN &&
           info.index == 7);
  MW_CHECK(mw_rom_step_sens(
               &(mw_rom_call){
                   .rom = &syn.rom, .opt = &opt, .h = -1.0, .u = u, .work = work, .info = &info },
               x, x_x, x_u) == MW_ROM_NAN);
  x[3] = before[3] = 1e6;  // out of the box within the step
  MW_CHECK(mw_rom_step_sens(
               &(mw_rom_call){
                   .rom = &syn.rom, .opt = &opt, .h = 1e-3, .u = u, .work = work, .info = &info },
               x, x_x, x_u) == MW_ROM_THETA &&
           info.index == 0);
  MW_SAME_BITS(x, before, 6);
  MW_CHECK(x_x[0] == 1.5 && x_u[0] == 2.5);
  free(work);
  synthetic_free(&syn);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "derivatives_are_those_of_the_step", derivatives_are_those_of_the_step },
    { "derivatives_know_flat_coordinates", derivatives_know_flat_coordinates },
    { "derivatives_hold_for_stiff_patterns", derivatives_hold_for_stiff_patterns },
    { "derivatives_hold_where_a_stage_leaves_the_box",
      derivatives_hold_where_a_stage_leaves_the_box },
    { "derivatives_hold_where_columns_couple_more_than_masses",
      derivatives_hold_where_columns_couple_more_than_masses },
    { "a_step_without_a_derivative_is_refused", a_step_without_a_derivative_is_refused },
    { "adjoint_is_the_gradient_of_a_cost", adjoint_is_the_gradient_of_a_cost },
    { "errors_leave_the_state_and_outputs", errors_leave_the_state_and_outputs },
  };
  return mw_test_run("rom_sens", cases, (int)(sizeof cases / sizeof *cases));
}
