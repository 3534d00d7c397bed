// SPDX-License-Identifier: BSD-3-Clause
// test_rom_fold.c: cyclic and symmetric coordinates against tables that need neither.
//
// Whole tables are made from random ones: mirrored by averaging over the mirrors, so that the half
// is cut out of them; a cyclic one is written out over several turns.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mw_test.h"
#include "rom_synthetic.h"

enum { S = 3, M = 3, HALF = 4, WHOLE = 2 * HALF - 1, KNOT = WHOLE + 2, MAX_FIELD = 256 };

// Signs of the two mirrors, axes 0 and 1; a field's centre is where it does not move.
static const int sigma[S * M] = { 1, -1, 1, -1, -1, 1, 0, 0, 0 };
static int tau[S * SYN_N_Y];
static double shift[S * SYN_N_Y];

static void set_fields(void)
{
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < SYN_N_Y; k++) {
      tau[i * SYN_N_Y + k] = k >> i & 1 ? -1 : 1;
      shift[i * SYN_N_Y + k] = k >> i & 1 ? 2.0 * (0.3 + 0.1 * k) : 0.0;
    }
}

// Sign of entry f of a record in the mirror of axis i, by looking the entry up.
static int sign_of(int i, int f, int *is_y0)
{
  mw_rom_layout l = mw_rom_layout_of((mw_rom_shape){ .s = S, .m = M, .n_y = SYN_N_Y });
  const struct {
    int from, index, cols, kind;  // kind: 0 none, 1 vector, 2 symmetric, 3 skew
  } part[] = { { l.a, 2, 1, 0 },
               { l.U0, 0, 1, 0 },
               { l.d, 1, M, 1 },
               { l.U1, 0, M, 1 },
               { l.b, 2, M, 1 },
               { l.K, 0, M * (M + 1) / 2, 2 },
               { l.C, 0, M * (M + 1) / 2, 2 },
               { l.e, 1, M * (M - 1) / 2, 3 },
               { l.c, 2, M * (M + 1) / 2, 2 },
               { l.y, -1, 1 + M, 0 } };
  int p = 9;
  while (f < part[p].from) p--;
  int row = (f - part[p].from) / part[p].cols, col = (f - part[p].from) % part[p].cols, sign = 1;
  *is_y0 = part[p].index < 0 && col == 0;
  if (part[p].index < 0) return tau[i * SYN_N_Y + row] * (col > 0 ? sigma[i * M + col - 1] : 1);
  if (part[p].index == 1) sign = row == i ? -1 : 1;
  if (part[p].index == 2)
    for (int j = 0, n = 0; j < S; j++)
      for (int k = 0; k <= j; k++, n++)
        if (n == row) sign = (j == i ? -1 : 1) * (k == i ? -1 : 1);
  if (part[p].kind == 1) sign *= sigma[i * M + col];
  for (int a = 0, n = 0; part[p].kind > 1 && a < M; a++)
    for (int b = 0; b < a + (part[p].kind == 2); b++, n++)
      if (n == col) sign *= sigma[i * M + a] * sigma[i * M + b];
  return sign;
}

// Averages coef [KNOT³ × n_field] over the mirror of axis i.
static void symmetrize(int i, int n_field, double *coef)
{
  const int stride[S] = { KNOT * KNOT, KNOT, 1 };
  for (int k = 0; k < KNOT * KNOT * KNOT; k++) {
    int at = k / stride[i] % KNOT, twin = k + (KNOT - 1 - 2 * at) * stride[i];
    if (twin < k) continue;
    for (int f = 0; f < n_field; f++) {
      int y0, sign = sign_of(i, f, &y0);
      double add =
          y0 ? shift[i * SYN_N_Y +
                     (f - mw_rom_layout_of((mw_rom_shape){ .s = S, .m = M, .n_y = SYN_N_Y }).y) /
                         (1 + M)]
             : 0.0;
      double *x = coef + (size_t)k * (size_t)n_field + f,
             *x_twin = coef + (size_t)twin * (size_t)n_field + f,
             mean = 0.5 * (*x + sign * *x_twin + add);
      *x = mean;
      *x_twin = sign * (mean - add);
    }
  }
}

// The whole model, and the same with the halves of axes 0 and 1.
static int make_mirrored(synthetic *whole, mw_rom *half, double **coef)
{
  set_fields();
  if (!synthetic_make(S, M, WHOLE, 1.0, 4.0, 0.05, 0.2, whole)) return 0;
  int nf = whole->rom.n_field, n = HALF + 2;
  for (int i = 0; i < 2; i++) symmetrize(i, nf, whole->coef);
  *coef = malloc((size_t)(n * n * KNOT * nf) * sizeof **coef);
  if (!*coef) return 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      memcpy(*coef + (i * n + j) * KNOT * nf, whole->coef + (i * KNOT + j) * KNOT * nf,
             (size_t)(KNOT * nf) * sizeof **coef);
  *half = whole->rom;
  half->coef = *coef;
  half->n_grid[0] = half->n_grid[1] = HALF;
  half->symmetric = 3;
  half->mirror = sigma;
  half->mirror_y = tau;
  half->y_shift = shift;
  return 1;
}

// Rounding of a sum over 4^s records of coefficients up to `size`; gradients carry 1/h too.
static double tol(double size) { return mw_test_rounding(64.0, size); }

static double largest(int n, const double *x)
{
  double most = 0.0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

static void half_table_with_its_mirrors_equals_the_whole(void)
{
  synthetic whole;
  mw_rom half;
  double *coef = NULL;
  if (!MW_CHECK(make_mirrored(&whole, &half, &coef))) return;
  int nf = half.n_field;
  uint64_t seed = 5;
  static double v[2][MAX_FIELD], g[2][S * MAX_FIELD];
  MW_CHECK(nf <= MAX_FIELD);
  for (int point = 0; point < 40; point++) {
    double theta[S];
    for (int i = 0; i < S; i++) theta[i] = point < 2 ? 1.0 - 2.0 * point : synthetic_random(&seed);
    MW_CHECK(mw_rom_fields(&whole.rom, theta, v[0], g[0], NULL) == MW_ROM_OK);
    MW_CHECK(mw_rom_fields(&half, theta, v[1], g[1], NULL) == MW_ROM_OK);
    double size = largest(nf, v[0]), steep = largest(S * nf, g[0]) + 3.0 * size;
    for (int f = 0; f < nf; f++) MW_NEAR(v[1][f], v[0][f], tol(size));
    for (int f = 0; f < S * nf; f++) MW_NEAR(g[1][f], g[0][f], tol(steep));
    double none[MAX_FIELD];
    MW_CHECK(mw_rom_fields(&half, theta, none, NULL, NULL) == MW_ROM_OK);
    MW_SAME_BITS(none, v[1], nf);
  }
  free(coef);
  synthetic_free(&whole);
}

static void half_table_gives_the_motion_of_the_whole(void)
{
  synthetic whole;
  mw_rom half;
  double *coef = NULL;
  if (!MW_CHECK(make_mirrored(&whole, &half, &coef))) return;
  uint64_t seed = 6;
  int n = S + M;
  for (int point = 0; point < 16; point++) {
    mw_rom_opt opt = mw_rom_opt_default();
    opt.inertia = point % 2 ? MW_ROM_LEADING : MW_ROM_FULL;
    double x[2 * (S + M)], z[2][S + M], u[SYN_N_U] = { 0.7, -1.3 }, y[2][SYN_N_Y], rate[2][SYN_N_Y];
    for (int k = 0; k < 2 * n; k++) x[k] = (k < S ? 0.95 : 0.3) * synthetic_random(&seed);
    for (int k = 0; k < 2; k++) {
      const mw_rom *rom = k ? &half : &whole.rom;
      MW_CHECK(mw_rom_rhs(&(mw_rom_call){ .rom = rom, .opt = &opt, .u = u, .work = whole.work }, x,
                          z[k]) == MW_ROM_OK);
      MW_CHECK(mw_rom_outputs(rom, x, y[k], rate[k], whole.work, NULL) == MW_ROM_OK);
    }
    // accelerations: deflections of 0.3 by a stiffness of 16; the solve multiplies rounding by the
    // condition of the mass matrix, below 10
    for (int k = 0; k < n; k++) MW_NEAR(z[1][k], z[0][k], 10 * tol(largest(n, z[0]) + 0.3 * 16.0));
    for (int k = 0; k < SYN_N_Y; k++) {
      MW_NEAR(y[1][k], y[0][k], tol(10.0));
      MW_NEAR(rate[1][k], rate[0][k], tol(10.0));
    }
  }
  free(coef);
  synthetic_free(&whole);
}

// Rule (6) of rom.h is a symmetry of the equations of motion: mirrored states have mirrored
// accelerations.
static void a_mirrored_state_has_mirrored_accelerations(void)
{
  synthetic whole;
  mw_rom half;
  double *coef = NULL;
  if (!MW_CHECK(make_mirrored(&whole, &half, &coef))) return;
  uint64_t seed = 7;
  mw_rom_opt opt = mw_rom_opt_default();
  int n = S + M;
  for (int axis = 0; axis < 2; axis++)
    for (int point = 0; point < 8; point++) {
      double x[2 * (S + M)], twin[2 * (S + M)], z[2][S + M], u[2][SYN_N_U] = { { 0.7, -1.3 } };
      for (int k = 0; k < SYN_N_U; k++) u[1][k] = u[0][k] * tau[axis * SYN_N_Y + whole.u_field[k]];
      for (int k = 0; k < 2 * n; k++) {
        int at = k % n, sign = at < S ? (at == axis ? -1 : 1) : sigma[axis * M + at - S];
        x[k] = 0.3 * synthetic_random(&seed);
        twin[k] = sign * x[k];  // the box is [-1, 1]: lo + hi = 0
      }
      MW_CHECK(mw_rom_rhs(
                   &(mw_rom_call){ .rom = &whole.rom, .opt = &opt, .u = u[0], .work = whole.work },
                   x, z[0]) == MW_ROM_OK);
      MW_CHECK(
          mw_rom_rhs(&(mw_rom_call){ .rom = &half, .opt = &opt, .u = u[1], .work = whole.work },
                     twin, z[1]) == MW_ROM_OK);
      for (int k = 0; k < n; k++) {
        int sign = k < S ? (k == axis ? -1 : 1) : sigma[axis * M + k - S];
        MW_NEAR(sign * z[1][k], z[0][k], 10 * tol(largest(n, z[0]) + 0.3 * 16.0));
      }
    }
  free(coef);
  synthetic_free(&whole);
}

// ---- cyclic -------------------------------------------------------------------------------------

enum { TURNS = 3, ROUND = 6, LONG = TURNS * ROUND };  // cells of a turn

// A cyclic axis 0 beside a plain one, and the same written out over three turns. slope [2 ×
// SYN_N_Y].
static int make_cyclic(synthetic *one, double *slope, mw_rom *out, double **coef)
{
  if (!synthetic_make(2, M, ROUND + 1, 1.0, 4.0, 0.05, 0.2, one)) return 0;
  mw_rom *rom = &one->rom;
  mw_rom_layout l = mw_rom_layout_of((mw_rom_shape){ .s = 2, .m = M, .n_y = SYN_N_Y });
  size_t line = (size_t)(ROUND + 3) * (size_t)l.n;
  for (int k = 0; k < 3; k++)
    memcpy(one->coef + (size_t)(ROUND + k) * line, one->coef + (size_t)k * line,
           line * sizeof *one->coef);
  for (int k = 0; k < SYN_N_Y; k++) slope[k] = k % 3 ? 0.5 * k - 1.0 : 0.0;
  for (int k = 0; k < SYN_N_Y; k++) slope[SYN_N_Y + k] = 99.0;  // not looked at
  rom->cyclic = 1;
  rom->y_slope = slope;
  *coef = malloc((size_t)(LONG + 3) * line * sizeof **coef);
  if (!*coef) return 0;
  double h = 2.0 / ROUND;
  for (int k = 0; k < LONG + 3; k++) {
    double *row = *coef + (size_t)k * line;
    memcpy(row, one->coef + (size_t)(k % ROUND) * line, line * sizeof *row);
    // coefficients h (k - 1) give theta - lo
    for (int j = 0; j < ROUND + 3; j++)
      for (int i = 0; i < SYN_N_Y; i++)
        row[(size_t)j * (size_t)l.n + (size_t)(l.y + i * (1 + M))] += slope[i] * h * (k - 1);
  }
  *out = *rom;
  out->cyclic = 0;
  out->y_slope = NULL;
  out->coef = *coef;
  out->n_grid[0] = LONG + 1;
  out->hi[0] = rom->lo[0] + TURNS * 2.0;
  return 1;
}

static void cyclic_table_equals_the_one_written_out(void)
{
  synthetic one;
  mw_rom out;
  double *coef = NULL, slope[2 * SYN_N_Y];
  if (!MW_CHECK(make_cyclic(&one, slope, &out, &coef))) return;
  int nf = out.n_field;
  static double v[2][MAX_FIELD], g[2][2 * MAX_FIELD];
  uint64_t seed = 8;
  for (int point = 0; point < 60; point++) {
    // everywhere, and close to the seams
    double seam = -1.0 + 2.0 * (point % (TURNS + 1)),
           theta[2] = { point < 16 ? seam + (point < 8 ? 1e-9 : -1e-9)
                                   : 2.0 + 3.0 * synthetic_random(&seed),
                        synthetic_random(&seed) };
    if (theta[0] < -1.0 || theta[0] > 5.0) continue;
    MW_CHECK(mw_rom_fields(&out, theta, v[0], g[0], NULL) == MW_ROM_OK);
    MW_CHECK(mw_rom_fields(&one.rom, theta, v[1], g[1], NULL) == MW_ROM_OK);
    // theta itself is rounded on its way into the cell
    double size = largest(nf, v[0]), steep = largest(2 * nf, g[0]) + 3.0 * size;
    for (int f = 0; f < nf; f++) MW_NEAR(v[1][f], v[0][f], tol(size) + 8 * DBL_EPSILON * steep);
    for (int f = 0; f < 2 * nf; f++)
      MW_NEAR(g[1][f], g[0][f], tol(steep) + 80 * DBL_EPSILON * steep);
  }
  free(coef);
  synthetic_free(&one);
}

static void a_run_over_the_seam_equals_one_on_the_table_written_out(void)
{
  synthetic one;
  mw_rom out;
  double *coef = NULL, slope[2 * SYN_N_Y];
  if (!MW_CHECK(make_cyclic(&one, slope, &out, &coef))) return;
  mw_rom_opt opt = mw_rom_opt_default();
  int n = 2 + M;
  double x[2][2 * (2 + M)] = { { 0.7, 0.1 } }, u[SYN_N_U] = { 0.5, -0.2 };
  x[0][n] = 1.5;
  memcpy(x[1], x[0], sizeof x[0]);
  double most = 0.0;
  for (int k = 0; k < 200; k++) {
    MW_CHECK(
        mw_rom_step(&(mw_rom_call){ .rom = &out, .opt = &opt, .h = 5e-3, .u = u, .work = one.work },
                    x[0]) == MW_ROM_OK);
    MW_CHECK(
        mw_rom_step(
            &(mw_rom_call){ .rom = &one.rom, .opt = &opt, .h = 5e-3, .u = u, .work = one.work },
            x[1]) == MW_ROM_OK);
    most = fmax(most, x[1][0]);
  }
  MW_CHECK(most > 1.2);  // beyond hi = 1
  // each step is solved to 1e-9 of the rates; errors of 200 steps at motions of a few rad/s grow
  // less than tenfold
  for (int k = 0; k < 2 * n; k++)
    MW_WITHIN(x[1][k], x[0][k], 200 * 10 * opt.tol * (largest(2 * n, x[0]) + 1.0),
              "what 200 iterations may leave");
  // far away and backwards too, the turns stay with the state
  double theta[2] = { -1.0 - 2.0 * 1e6 + 0.25, 0.0 }, at[2], turns[2];
  MW_CHECK(mw_rom_fold(&one.rom, theta, at, turns) == 0 && turns[0] == -1e6 && turns[1] == 0.0);
  MW_NEAR(at[0], -0.75, 0.0);  // of numbers that are exact
  free(coef);
  synthetic_free(&one);
}

// theta on a turn of a mirrored cyclic axis: fold (mirror), then turns.
static void an_axis_may_be_cyclic_and_symmetric(void)
{
  synthetic whole;
  mw_rom half, wrapped;
  double *coef = NULL, slope[S * SYN_N_Y] = { 0 };
  if (!MW_CHECK(make_mirrored(&whole, &half, &coef))) return;
  for (int k = 0; k < SYN_N_Y; k++) slope[k] = tau[k] < 0 ? 0.4 * k : 0.0;
  int nf = half.n_field, y = mw_rom_layout_of((mw_rom_shape){ .s = S, .m = M, .n_y = SYN_N_Y }).y;
  wrapped = half;
  wrapped.cyclic = 1;
  wrapped.y_slope = slope;
  static double v[2][MAX_FIELD], g[2][S * MAX_FIELD];
  uint64_t seed = 9;
  for (int point = 0; point < 20; point++) {
    double theta[S], far[S];
    for (int i = 0; i < S; i++) far[i] = theta[i] = synthetic_random(&seed);
    far[0] += 4.0;  // two turns
    MW_CHECK(mw_rom_fields(&wrapped, theta, v[0], g[0], NULL) == MW_ROM_OK);
    MW_CHECK(mw_rom_fields(&wrapped, far, v[1], g[1], NULL) == MW_ROM_OK);
    double size = largest(nf, v[0]) + 16.0, steep = largest(S * nf, g[0]) + 3.0 * size;
    for (int f = 0; f < nf; f++) {
      int k = (f - y) / (1 + M), is_y0 = f >= y && (f - y) % (1 + M) == 0;
      MW_NEAR(v[1][f], v[0][f] + (is_y0 ? 4.0 * slope[k] : 0.0),
              tol(size) + 8 * DBL_EPSILON * steep);
    }
    for (int f = 0; f < S * nf; f++)
      MW_NEAR(g[1][f], g[0][f], tol(steep) + 80 * DBL_EPSILON * steep);
    // the mirror of the whole y0, growth included: y0(theta) = tau y0(-theta) + shift
    theta[0] = -theta[0];
    MW_CHECK(mw_rom_fields(&wrapped, theta, v[1], g[1], NULL) == MW_ROM_OK);
    for (int k = 0; k < SYN_N_Y; k++)
      MW_NEAR(v[0][y + k * (1 + M)], tau[k] * v[1][y + k * (1 + M)] + shift[k], tol(size));
  }
  free(coef);
  synthetic_free(&whole);
}

static const mw_test_case cases[] = {
  { "half_table_with_its_mirrors_equals_the_whole", half_table_with_its_mirrors_equals_the_whole },
  { "half_table_gives_the_motion_of_the_whole", half_table_gives_the_motion_of_the_whole },
  { "a_mirrored_state_has_mirrored_accelerations", a_mirrored_state_has_mirrored_accelerations },
  { "cyclic_table_equals_the_one_written_out", cyclic_table_equals_the_one_written_out },
  { "a_run_over_the_seam_equals_one_on_the_table_written_out",
    a_run_over_the_seam_equals_one_on_the_table_written_out },
  { "an_axis_may_be_cyclic_and_symmetric", an_axis_may_be_cyclic_and_symmetric },
};

int main(void) { return mw_test_run("rom_fold", cases, (int)(sizeof cases / sizeof *cases)); }
