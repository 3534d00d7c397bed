// SPDX-License-Identifier: BSD-3-Clause
// test_rom_rhs.c: fields, equations of motion, energy and rest position of the reduced model.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mw_test.h"
#include "rom_reference.h"
#include "rom_synthetic.h"

static const int sizes[][2] = { { 1, 0 }, { 1, 1 }, { 1, 5 }, { 2, 0 }, { 2, 1 },
                                { 2, 5 }, { 3, 0 }, { 3, 1 }, { 3, 5 }, { 2, 12 },
                                { 4, 3 }, { 5, 2 }, { 6, 1 } };
enum { N_SIZE = sizeof sizes / sizeof *sizes, N_POINT = 4 };

// Grid points an axis: a table in six coordinates stays below 40 MB.
static int points(int s, int n) { return s > 3 ? 4 : n; }

// Size c of the list, the second time with all optional parts.
static int make(int c, int n_grid, double w_hi, double zeta, synthetic *syn)
{
  int s = sizes[c % N_SIZE][0], m = sizes[c % N_SIZE][1], n = points(s, n_grid);
  return c < N_SIZE ? synthetic_make(s, m, n, 1.0, w_hi, zeta, 0.2, syn)
                    : synthetic_make_second(s, m, n, 1.0, w_hi, zeta, 0.2, syn);
}

static void random_state(const mw_rom *rom, uint64_t *seed, double *x)
{
  int n = rom->s + rom->m;
  for (int k = 0; k < 2 * n; k++) x[k] = (k < rom->s ? 0.95 : 0.3) * synthetic_random(seed);
  for (int i = 0; i < rom->s; i++) x[n + i] *= 4.0;
}

// Rounding of a row that adds at most 4^s records into fields, and (s + m)² products of five
// factors s times.
static double row_tol(const mw_rom *rom, double size)
{
  int n = rom->s + rom->m;
  return ((1 << 2 * rom->s) + rom->s * n * n + 20) * DBL_EPSILON * size;
}

static void basis_is_a_partition_of_unity_and_dw_its_derivative(void)
{
  int n = 7, cell;
  for (int k = -1; k <= 101; k++) {
    double t = -0.4 + 1.2 * k / 100.0, w[4], dw[4], sum = 0.0, first = 0.0, dsum = 0.0,
           dfirst = 0.0;
    mw_rom_basis(n, -0.4, 0.8, t, &cell, w, dw);
    MW_CHECK(cell >= 0 && cell <= n - 2);
    // coefficients 1 give 1, coefficients k - 1 give the grid coordinate: theta = lo + h (k - 1)
    for (int j = 0; j < 4; j++) {
      sum += w[j];
      dsum += dw[j];
      first += w[j] * (-0.4 + 0.2 * (cell + j - 1));
      dfirst += dw[j] * (-0.4 + 0.2 * (cell + j - 1));
    }
    MW_NEAR(sum, 1.0, 16 * DBL_EPSILON);
    MW_NEAR(first, t, 16 * DBL_EPSILON);
    MW_NEAR(dsum, 0.0, 16 * 5 * DBL_EPSILON);  // |dw| <= 1/h = 5
    MW_NEAR(dfirst, 1.0, 16 * 5 * DBL_EPSILON);
  }
}

static void record_offsets_follow_the_header(void)
{
  mw_rom_layout l = mw_rom_layout_of((mw_rom_shape){ .s = 2, .m = 3, .n_y = 4 });
  MW_CHECK(l.a == 0 && l.U0 == 3 && l.d == 4 && l.U1 == 10 && l.b == 13 && l.K == 22 && l.C == 28 &&
           l.e == 34);
  MW_CHECK(l.c == 40 && l.y == 58 && l.n == 74 &&
           mw_rom_n_field((mw_rom_shape){ .s = 2, .m = 3, .n_y = 4 }) == 74);
  mw_rom_shape all = { .s = 2, .m = 3, .n_y = 4, .n_Y = 2, .n_G = 2, .parts = MW_ROM_ALL_PARTS };
  l = mw_rom_layout_of(all);
  MW_CHECK(l.c == 40 && l.H == 58 && l.G == 70 && l.A3 == 76 && l.B2 == 88 && l.CE == 100 &&
           l.CC == 118 && l.y == 136 && l.Y == 152 && l.n == 164);
  all.parts = MW_ROM_CC;
  all.n_G = 0;
  l = mw_rom_layout_of(all);
  MW_CHECK(l.H == 58 && l.CE == 58 && l.CC == 58 && l.y == 76 && l.n == 104);
}

static void accelerations_satisfy_lagranges_equations(void)
{
  uint64_t seed = 7;
  for (int c = 0; c < 2 * N_SIZE; c++) {
    synthetic syn;
    if (!MW_CHECK(make(c, 6, 4.0, 0.05, &syn))) return;
    for (int i = 0; i < syn.rom.s; i++) syn.c_theta[i] = 0.3 + i;
    for (int point = 0; point < N_POINT; point++) {
      mw_rom_opt opt = mw_rom_opt_default();
      opt.inertia = point == 0 ? MW_ROM_LEADING : MW_ROM_FULL;
      double x[2 * REF_MAX_N], u[SYN_N_U] = { 0.7, -1.3 }, z[REF_MAX_N];
      random_state(&syn.rom, &seed, x);
      MW_CHECK(mw_rom_rhs(&(mw_rom_call){ .rom = &syn.rom, .opt = &opt, .u = u, .work = syn.work },
                          x, z) == MW_ROM_OK);
      for (int i = 0; i < syn.rom.s + syn.rom.m; i++) {
        double size, res = ref_lagrange_residual(&syn.rom, opt.inertia, x, u, z, i, &size);
        MW_NEAR(res, 0.0, row_tol(&syn.rom, size));
      }
    }
    synthetic_free(&syn);
  }
}

// Accelerations at random states, beside the plain version's equations.
static void compare_plain(const synthetic *syn, uint64_t *seed)
{
  int s = syn->rom.s, n = s + syn->rom.m;
  for (int point = 0; point < 2 * N_POINT; point++) {
    // every subset of prescribed coordinates in turn
    mw_rom_opt opt = mw_rom_opt_default();
    opt.prescribed = (unsigned)point % (1u << s);
    opt.inertia = point == 7 ? MW_ROM_LEADING : MW_ROM_FULL;
    double x[2 * REF_MAX_N], u[SYN_N_U] = { 0.7, -1.3 }, z[REF_MAX_N],
                             given[MW_ROM_MAX_S] = { 1.5, -2.5, 0.5, 1.0, -0.5, 2.0 };
    static ref_terms t;
    random_state(&syn->rom, seed, x);
    MW_CHECK(mw_rom_rhs(
                 &(mw_rom_call){
                     .rom = &syn->rom, .opt = &opt, .u = u, .thdd_p = given, .work = syn->work },
                 x, z) == MW_ROM_OK);
    ref_terms_eval(&syn->rom, opt.inertia, x, u, &t);
    for (int i = 0; i < n; i++) {
      if (i < s && (opt.prescribed >> i & 1u)) {
        MW_CHECK(z[i] == given[i]);
        continue;
      }
      double res = t.r[i], size = t.size[i];
      for (int j = 0; j < n; j++) {
        res -= t.M[i][j] * z[j];
        size += fabs(t.M[i][j] * z[j]);
      }
      // a theta row also carries the rounding of the delta rows that were eliminated from it
      for (int a = s; i < s && a < n; a++) size += fabs(t.M[i][a]) * (t.size[a] + fabs(z[a]));
      MW_NEAR(res, 0.0, row_tol(&syn->rom, size));
    }
  }
}

static void accelerations_equal_the_plain_version(void)
{
  uint64_t seed = 8;
  for (int c = 0; c < 2 * N_SIZE; c++) {
    synthetic syn;
    if (!MW_CHECK(make(c, 9, 1e3, 0.01, &syn))) return;
    compare_plain(&syn, &seed);
    synthetic_free(&syn);
  }
}

// Numbers of columns whose mass changes have loops of their own.
static void masses_of_any_number_of_columns_equal_the_plain_version(void)
{
  uint64_t seed = 12;
  mw_rom_shape shape = {
    .s = 2, .m = MW_ROM_MAX_G + 1, .n_y = SYN_N_Y, .parts = MW_ROM_H | MW_ROM_THIRD
  };
  for (shape.n_G = 1; shape.n_G <= MW_ROM_MAX_G; shape.n_G++) {
    synthetic syn;
    if (!MW_CHECK(synthetic_make_parts(shape, 9, 1.0, 1e3, 0.01, 0.2, &syn))) return;
    compare_plain(&syn, &seed);
    synthetic_free(&syn);
  }
}

// Friction and stops on three fields, on scales of the motion's own, one stop alone
// on the second and the third.
static const mw_rom_law soft_laws[] = {
  { .field = 0,
    .coulomb = 0.3,
    .stiction = 0.5,
    .stribeck = 0.5,
    .smooth = 0.4,
    .lo = -0.4,
    .hi = 0.05,
    .stiffness = 3.0,
    .damping = 0.5,
    .soft = 0.3 },
  { .field = 3,
    .coulomb = 0.2,
    .stiction = 0.2,
    .stribeck = 0.5,
    .smooth = 0.4,
    .lo = -INFINITY,
    .hi = -0.1,
    .stiffness = 2.0,
    .soft = 0.3 },
  { .field = 5,
    .coulomb = 0.1,
    .stiction = 0.2,
    .stribeck = 0.5,
    .smooth = 0.4,
    .lo = 0.1,
    .hi = INFINITY,
    .stiffness = 2.0,
    .soft = 0.3 },
};

static bool add_laws(synthetic *syn)
{
  syn->rom.law = soft_laws;
  syn->rom.n_law = 3;
  free(syn->work);
  syn->work = aligned_alloc(64, (mw_rom_work_bytes(&syn->rom) + 63) / 64 * 64);
  return syn->work != NULL;
}

static void check_power(int second, bool laws)
{
  // dE/dt along the motion by central differences with error h²/6 d³E/dt³; here it is
  // Richardson-extrapolated and both the rest, h⁴/30 × (rates of about 10 per s)⁵, and rounding
  // eps E / h stay under the tolerance
  uint64_t seed = 9;
  synthetic syn;
  int made = second ? synthetic_make_second(2, 3, 5, 1.0, 4.0, 0.05, 0.2, &syn)
                    : synthetic_make(2, 3, 5, 1.0, 4.0, 0.05, 0.2, &syn);
  if (!MW_CHECK(made)) return;
  syn.c_theta[0] = 0.4;
  if (laws && !MW_CHECK(add_laws(&syn))) return;
  mw_rom_opt opt = mw_rom_opt_default();
  int n = 5;
  double x[10], z[5], u[SYN_N_U] = { 0.6, -0.9 }, dE[2], power = 0.0, lost, y[SYN_N_Y],
                      y_dot[SYN_N_Y];
  const double h = 1e-3;
  random_state(&syn.rom, &seed, x);
  x[0] = x[1] = 0.1;  // not near a grid point, where the third derivative jumps
  MW_CHECK(mw_rom_rhs(&(mw_rom_call){ .rom = &syn.rom, .opt = &opt, .u = u, .work = syn.work }, x,
                      z) == MW_ROM_OK);
  for (int k = 0; k < 2; k++) {
    double E[2], step = h * (k + 1);
    for (int side = 0; side < 2; side++) {
      double p[10], T, V, t = side ? step : -step;
      for (int i = 0; i < n; i++) {
        p[i] = x[i] + t * x[n + i];
        p[n + i] = x[n + i] + t * z[i];
      }
      MW_CHECK(mw_rom_energy(&(mw_rom_call){ .rom = &syn.rom, .opt = &opt, .work = syn.work }, p,
                             &T, &V, NULL) == MW_ROM_OK);
      E[side] = T + V;
    }
    dE[k] = (E[1] - E[0]) / (2.0 * step);
  }
  double T, V;
  MW_CHECK(mw_rom_energy(&(mw_rom_call){ .rom = &syn.rom, .opt = &opt, .work = syn.work }, x, &T,
                         &V, &lost) == MW_ROM_OK);
  MW_CHECK(mw_rom_outputs(&syn.rom, x, y, y_dot, syn.work, NULL) == MW_ROM_OK);
  for (int k = 0; k < SYN_N_U; k++) power += u[k] * y_dot[syn.u_field[k]];
  MW_CHECK(lost > 0.0);
  MW_NEAR((4.0 * dE[0] - dE[1]) / 3.0, power - lost,
          pow(h, 4) / 30.0 * 1e5 + 4 * DBL_EPSILON * (T + fabs(V)) / h);
  synthetic_free(&syn);
}

static void energy_changes_by_the_power_of_forces_less_dissipation(void)
{
  check_power(0, false);
  check_power(1, false);
  check_power(0, true);
  check_power(1, true);
}

static void check_rest(int second)
{
  synthetic syn;
  int made = second ? synthetic_make_second(2, 5, 5, 3.0, 1e3, 0.05, 0.2, &syn)
                    : synthetic_make(2, 5, 5, 1.0, 1e3, 0.05, 0.2, &syn);
  if (!MW_CHECK(made)) return;
  mw_rom_opt opt = mw_rom_opt_default();
  double x[14] = { 0.3, -0.2 }, u[SYN_N_U] = { 1.0, 2.0 }, z[7], locked[2] = { 0.0, 0.0 };
  opt.prescribed = 3;
  static ref_terms t;
  MW_CHECK(mw_rom_static(&syn.rom, x, u, x + 2, syn.work, NULL) == MW_ROM_OK);
  MW_CHECK(mw_rom_rhs(
               &(mw_rom_call){
                   .rom = &syn.rom, .opt = &opt, .u = u, .thdd_p = locked, .work = syn.work },
               x, z) == MW_ROM_OK);
  ref_terms_eval(&syn.rom, MW_ROM_FULL, x, u, &t);
  // a corrected solve has a backward error of m eps; K delta is of the size of the forces
  for (int i = 2; i < 7; i++) MW_NEAR(z[i], 0.0, row_tol(&syn.rom, t.size[i]));
  MW_CHECK(mw_rom_static(&syn.rom, x, NULL, x + 2, syn.work, NULL) == MW_ROM_OK);
  // a negative stiffness is refused
  double before = x[2];
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(&syn.rom));
  for (int k = 0; k < 49; k++) syn.coef[k * l.n + l.K] = -1.0;
  MW_CHECK(mw_rom_static(&syn.rom, x, u, x + 2, syn.work, NULL) == MW_ROM_SINGULAR);
  MW_CHECK(x[2] == before);
  synthetic_free(&syn);
}

// One column whose stiffness is zero as a number: no deflection balances any force.
static void a_stiffness_of_zero_is_refused_as_a_negative_one(void)
{
  synthetic syn;
  if (!MW_CHECK(synthetic_make(1, 1, 4, 1.0, 4.0, 0.05, 0.2, &syn))) return;
  double theta[1] = { 0.3 }, u[SYN_N_U] = { 1.0, 2.0 }, delta[1] = { 7.0 };
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(&syn.rom));
  for (int k = 0; k < 6; k++) syn.coef[k * l.n + l.K] = 0.0;
  MW_CHECK(mw_rom_static(&syn.rom, theta, u, delta, syn.work, NULL) == MW_ROM_SINGULAR);
  MW_CHECK(delta[0] == 7.0);
  synthetic_free(&syn);
}

static void rest_position_balances_the_forces(void)
{
  check_rest(0);
  check_rest(1);
}

static void bad_states_are_refused_by_index_and_write_nothing(void)
{
  synthetic syn;
  if (!MW_CHECK(synthetic_make(2, 3, 5, 1.0, 4.0, 0.05, 0.2, &syn))) return;
  mw_rom *rom = &syn.rom;
  mw_rom_opt opt = mw_rom_opt_default();
  mw_rom_info info;
  syn.delta_max[1] = 0.5;
  double good[10] = { 0 }, u[SYN_N_U] = { 0 }, z[5] = { 7, 7, 7, 7, 7 }, given[2] = { 0.0, NAN };
  static const struct {
    int k;
    double value;
    mw_rom_code code;
    int index;
  } bad[] = {
    { 1, 1.001, MW_ROM_THETA, 1 }, { 0, -1.001, MW_ROM_THETA, 0 }, { 3, -0.51, MW_ROM_DELTA, 1 },
    { 4, NAN, MW_ROM_NAN, 4 },     { 9, INFINITY, MW_ROM_NAN, 9 }, { 0, NAN, MW_ROM_NAN, 0 },
  };
  for (int b = 0; b < (int)(sizeof bad / sizeof *bad); b++) {
    double x[10], y[SYN_N_Y] = { 7 }, T = 7, V;
    memcpy(x, good, sizeof x);
    x[bad[b].k] = bad[b].value;
    MW_CHECK(mw_rom_rhs(
                 &(mw_rom_call){ .rom = rom, .opt = &opt, .u = u, .work = syn.work, .info = &info },
                 x, z) == bad[b].code &&
             info.index == bad[b].index);
    MW_CHECK(mw_rom_outputs(rom, x, y, NULL, syn.work, &info) == bad[b].code &&
             info.index == bad[b].index);
    MW_CHECK(
        mw_rom_energy(&(mw_rom_call){ .rom = rom, .opt = &opt, .work = syn.work, .info = &info }, x,
                      &T, &V, NULL) == bad[b].code);
    MW_CHECK(y[0] == 7 && T == 7 && z[0] == 7);
  }
  u[1] = NAN;
  MW_CHECK(
      mw_rom_rhs(&(mw_rom_call){ .rom = rom, .opt = &opt, .u = u, .work = syn.work, .info = &info },
                 good, z) == MW_ROM_NAN &&
      info.index == 11);
  u[1] = 0.0;
  opt.prescribed = 2;
  MW_CHECK(
      mw_rom_rhs(
          &(mw_rom_call){
              .rom = rom, .opt = &opt, .u = u, .thdd_p = given, .work = syn.work, .info = &info },
          good, z) == MW_ROM_NAN &&
      info.index == 13);
  opt.prescribed = 1;  // the NaN is not asked for
  MW_CHECK(
      mw_rom_rhs(
          &(mw_rom_call){
              .rom = rom, .opt = &opt, .u = u, .thdd_p = given, .work = syn.work, .info = &info },
          good, z) == MW_ROM_OK &&
      info.index == -1);
  // a mass that is not positive
  mw_rom_layout l = mw_rom_layout_of((mw_rom_shape){ .s = 2, .m = 3, .n_y = SYN_N_Y });
  for (int k = 0; k < 49; k++) syn.coef[k * l.n + l.a] = -1.0;
  opt.prescribed = 0;
  z[0] = 7;
  MW_CHECK(mw_rom_rhs(&(mw_rom_call){ .rom = rom, .opt = &opt, .u = u, .work = syn.work }, good,
                      z) == MW_ROM_SINGULAR &&
           z[0] == 7);
  MW_CHECK(strcmp(mw_rom_code_name(MW_ROM_OK), "ok") == 0);
  synthetic_free(&syn);
}

static void codes_and_methods_have_names_of_their_own(void)
{
  for (int k = 0; k <= MW_ROM_INPUT + 1; k++) {
    const char *name = mw_rom_code_name((mw_rom_code)k);
    MW_CHECK((strcmp(name, "unknown") == 0) == (k > MW_ROM_INPUT));
    for (int l = 0; l < k; l++) MW_CHECK(strcmp(name, mw_rom_code_name((mw_rom_code)l)) != 0);
  }
  for (int k = 0; k <= MW_ROM_N_METHOD + 1; k++) {
    const char *name = mw_rom_method_name((mw_rom_method)k);
    MW_CHECK((strcmp(name, "unknown") == 0) == (k >= MW_ROM_N_METHOD));
    for (int l = 0; l < k && l < MW_ROM_N_METHOD; l++)
      MW_CHECK(strcmp(name, mw_rom_method_name((mw_rom_method)l)) != 0);
  }
}

static const mw_test_case cases[] = {
  { "basis_is_a_partition_of_unity_and_dw_its_derivative",
    basis_is_a_partition_of_unity_and_dw_its_derivative },
  { "record_offsets_follow_the_header", record_offsets_follow_the_header },
  { "accelerations_satisfy_lagranges_equations", accelerations_satisfy_lagranges_equations },
  { "accelerations_equal_the_plain_version", accelerations_equal_the_plain_version },
  { "masses_of_any_number_of_columns_equal_the_plain_version",
    masses_of_any_number_of_columns_equal_the_plain_version },
  { "energy_changes_by_the_power_of_forces_less_dissipation",
    energy_changes_by_the_power_of_forces_less_dissipation },
  { "a_stiffness_of_zero_is_refused_as_a_negative_one",
    a_stiffness_of_zero_is_refused_as_a_negative_one },
  { "rest_position_balances_the_forces", rest_position_balances_the_forces },
  { "bad_states_are_refused_by_index_and_write_nothing",
    bad_states_are_refused_by_index_and_write_nothing },
  { "codes_and_methods_have_names_of_their_own", codes_and_methods_have_names_of_their_own },
};

int main(void) { return mw_test_run("rom_rhs", cases, (int)(sizeof cases / sizeof *cases)); }
