// SPDX-License-Identifier: BSD-3-Clause
// test_rom_jacobian.c: second derivatives of the fields, derivatives of the accelerations.
#include "rom_priv.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mw_test.h"
#include "rom_complex.h"
#include "rom_synthetic.h"

static const int sizes[][2] = { { 1, 0 }, { 1, 1 }, { 1, 5 },  { 2, 0 }, { 2, 5 },
                                { 3, 0 }, { 3, 4 }, { 2, 10 }, { 4, 2 } };
enum { N_SIZE = sizeof sizes / sizeof *sizes, N_POINT = 4, MAX_S = MW_ROM_MAX_S };

// ---- models -------------------------------------------------------------------------------------

// A synthetic model of another kind over the same coefficients.
typedef struct model {
  synthetic syn;
  mw_rom rom;
  double *memory, *slope, *shift;
  int sign[MAX_S * SYN_MAX_M], sign_y[MAX_S * SYN_N_Y];
  mw_rom_train train[2];
  mw_rom_law law[2];
  void *work;  // mw_rom_sens_bytes, full of NaN
} model;

enum { FLAT = 1, CYCLIC = 2, SYMMETRIC = 4, TRAIN = 8, LAWS = 16 };

static const mw_rom_law soft_laws[2] = {
  { 1, 3.0, 5.0, 0.7, 0.5, -0.2, 0.3, 20.0, 0.4, 0.3 },
  { SYN_N_Y - 1, 2.0, 1.0, 0.5, 0.6, -INFINITY, 0.1, 15.0, 0.2, 0.4 },
};

// The trains of every rank there is: core i selects, field is the table; two of them.
static int make_trains(model *m)
{
  size_t rank[MAX_S + 1] = { 1 }, size = 0;
  mw_rom_layout l = mw_rom_layout_of(m->rom.s, m->rom.m, m->rom.n_y);
  int cut[3] = { 0, l.K, l.n }, s = m->rom.s, last = 0;
  for (int i = 0; i < s; i++) {
    size_t n = m->rom.flat >> i & 1u ? 1 : (size_t)m->rom.n_grid[i] + 2;
    rank[i + 1] = rank[i] * n;
    if (n > 1) size += n * rank[i] * rank[i + 1];
    last = i + 1;
  }
  m->memory = calloc(size + rank[last] * (size_t)l.n, sizeof(double));
  if (m->memory == NULL) return 0;
  double *at = m->memory;
  for (int i = 0; i < s; i++) {
    size_t n = rank[i + 1] / rank[i];
    if (m->rom.flat >> i & 1u) continue;
    for (int c = 0; c < 2; c++) {
      m->train[c].rank[i] = (int)rank[i + 1];
      m->train[c].core[i] = at;
    }
    for (size_t k = 0; k < n; k++)
      for (size_t r = 0; r < rank[i]; r++) at[(k * rank[i] + r) * rank[i + 1] + r * n + k] = 1.0;
    at += n * rank[i] * rank[i + 1];
  }
  for (int c = 0; c < 2; c++) {
    size_t nf = (size_t)(cut[c + 1] - cut[c]);
    m->train[c].first = cut[c];
    m->train[c].n_field = (int)nf;
    m->train[c].field = at;
    for (size_t r = 0; r < rank[last]; r++, at += nf)
      memcpy(at, m->rom.coef + r * (size_t)l.n + cut[c], nf * sizeof(double));
  }
  m->rom.n_train = 2;
  m->rom.train = m->train;
  m->rom.coef = NULL;
  return 1;
}

static int make(int s, int n_mode, int n_grid, int kind, model *m)
{
  uint64_t seed = 31;
  memset(m, 0, sizeof *m);
  if (!MW_CHECK(synthetic_make(s, n_mode, n_grid, 1.0, 30.0, 0.05, 0.2, &m->syn))) return 0;
  for (int i = 0; i < s; i++) m->syn.c_theta[i] = 0.3 + i;
  m->rom = m->syn.rom;
  m->slope = calloc(2 * MAX_S * SYN_N_Y, sizeof(double));
  m->shift = m->slope + MAX_S * SYN_N_Y;
  if (!MW_CHECK(m->slope != NULL)) return 0;
  if (kind & FLAT) m->rom.flat = 1u;
  if (kind & CYCLIC) m->rom.cyclic = 1u << (s - 1);
  if (kind & SYMMETRIC) m->rom.symmetric = (1u << s) - 1u - m->rom.flat;
  if (kind & LAWS) {
    m->rom.n_law = 2;
    m->rom.law = m->law;
    memcpy(m->law, soft_laws, sizeof soft_laws);
  }
  for (int k = 0; k < s * SYN_N_Y; k++) {
    m->slope[k] =
        (m->rom.flat | m->rom.cyclic) >> k / SYN_N_Y & 1u ? 1.0 + synthetic_random(&seed) : 0.0;
    m->shift[k] = synthetic_random(&seed);
    m->sign_y[k] = synthetic_random(&seed) < 0.0 ? -1 : 1;
  }
  for (int k = 0; k < s * n_mode; k++) m->sign[k] = synthetic_random(&seed) < 0.0 ? -1 : 1;
  m->rom.y_slope = m->slope;
  m->rom.y_shift = m->shift;
  m->rom.mirror = m->sign;
  m->rom.mirror_y = m->sign_y;
  if ((kind & TRAIN) && !MW_CHECK(make_trains(m))) return 0;
  size_t bytes = mw_rom_sens_bytes(&m->rom);
  m->work = aligned_alloc(64, bytes);
  if (!MW_CHECK(m->work != NULL)) return 0;
  MW_CHECK(bytes % 64 == 0 && bytes >= mw_rom_work_bytes(&m->rom));
  memset(m->work, 0xff, bytes);
  return 1;
}

static void unmake(model *m)
{
  synthetic_free(&m->syn);
  free(m->memory);
  free(m->slope);
  free(m->work);
}

static int points(int s, int n) { return s > 3 ? 4 : n; }

static void random_state(const mw_rom *rom, uint64_t *seed, double *x)
{
  int n = rom->s + rom->m;
  for (int k = 0; k < 2 * n; k++) x[k] = (k < rom->s ? 0.95 : 0.3) * synthetic_random(seed);
  for (int i = 0; i < rom->s; i++) x[n + i] *= 4.0;
}

// ---- fields -------------------------------------------------------------------------------------

// The middle of a random cell, of either half where symmetric; turned where cyclic.
static void middle_of_a_cell(const mw_rom *rom, uint64_t *seed, double *theta)
{
  for (int i = 0; i < rom->s; i++) {
    int is_half = (int)(rom->symmetric >> i & 1u), n = rom->n_grid[i] - 1;
    double way = rom->hi[i] - rom->lo[i], per = (is_half ? 0.5 : 1.0) * way / n;
    int cell = (int)(0.5 * (1.0 + synthetic_random(seed)) * (is_half ? 2 * n : n));
    theta[i] = rom->lo[i] + (cell + 0.5) * per;
    if (rom->cyclic >> i & 1u) theta[i] += way * floor(3.0 * synthetic_random(seed));
  }
}

static int is_flat(const mw_rom *rom, int i) { return (int)(rom->flat >> i & 1u); }

static void check_second(const model *m, uint64_t *seed)
{
  const mw_rom *rom = &m->rom;
  size_t n = (size_t)rom->n_field, s = (size_t)rom->s;
  mw_rom_opt opt = mw_rom_opt_default();
  rom_sens w;
  rom_sens_init(&w, rom, m->work);
  double *value = malloc((1 + 5 * s) * n * sizeof(double)), *gradient = value + n;
  if (!MW_CHECK(value != NULL)) return;
  double theta[MAX_S], at[MAX_S];
  middle_of_a_cell(rom, seed, theta);
  rom_interpolate_second(rom, &opt, theta, 1, &w.jac);
  MW_CHECK(mw_rom_fields(rom, theta, value, gradient, NULL) == MW_ROM_OK);
  MW_SAME_BITS(w.jac.value, value, n);
  mw_rom_layout l = mw_rom_layout_of(rom->s, rom->m, rom->n_y);
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
        if (f >= l.C && f < l.e) continue;  // not needed, not set
        double *row[4];
        for (int q = 0; q < 4; q++) row[q] = g[q] + (size_t)i * n;
        double got = (8.0 * (row[2][f] - row[1][f]) - (row[3][f] - row[0][f])) / (12.0 * h);
        // 4^s products of coefficients <= 30² with weights that add up to 2/cell at most, divided by h;
        // the place itself rounds by eps |theta|/cell <= 30 eps, times the gradient's slope
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
                               { 2, 3, TRAIN },
                               { 3, 2, TRAIN },
                               { 2, 3, FLAT },
                               { 1, 3, FLAT },
                               { 3, 2, CYCLIC },
                               { 2, 3, SYMMETRIC },
                               { 3, 3, SYMMETRIC },
                               { 3, 3, SYMMETRIC | CYCLIC | FLAT },
                               { 3, 2, SYMMETRIC | CYCLIC | FLAT | TRAIN } };
  uint64_t seed = 3;
  for (size_t c = 0; c < sizeof of / sizeof *of; c++) {
    model m;
    if (!make(of[c][0], of[c][1], 4, of[c][2], &m)) return;
    for (int point = 0; point < N_POINT; point++) check_second(&m, &seed);
    unmake(&m);
  }
}

// ---- accelerations ------------------------------------------------------------------------------

static void the_complex_reference_equals_the_plain_one(void)
{
  uint64_t seed = 4;
  model m;
  if (!make(2, 5, 6, 0, &m)) return;
  double x[2 * REF_MAX_N], a[REF_MAX_N], u[SYN_N_U] = { 0.7, -1.3 };
  cplx X[2 * REF_MAX_N], U[SYN_N_U] = { 0.7, -1.3 }, a_c[REF_MAX_N], R[REF_MAX_N];
  static ref_terms t;
  int n = 7;
  random_state(&m.rom, &seed, x);
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
  unmake(&m);
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
static void check_jacobian(const model *m, const mw_rom_opt *opt, const double *x, const double *u)
{
  static const double given[MAX_S] = { 1.5, -2.5, 0.5, 1.0, -0.5, 2.0 };
  const mw_rom *rom = &m->rom;
  int s = rom->s, n = s + rom->m, nx = 2 * n;
  double acc[REF_MAX_N], acc_x[2 * REF_MAX_N * REF_MAX_N], acc_u[REF_MAX_N * SYN_N_U], z[REF_MAX_N];
  static ref_terms t;
  MW_CHECK(mw_rom_jacobian(rom, opt, x, u, given, acc, acc_x, acc_u, m->work, NULL) == MW_ROM_OK);
  MW_CHECK(mw_rom_rhs(rom, opt, x, u, given, z, m->work, NULL) == MW_ROM_OK);
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
    model m;
    if (!make(sizes[c][0], sizes[c][1], points(sizes[c][0], 6), kind, &m)) return;
    for (int point = 0; point < N_POINT; point++) {
      mw_rom_opt opt = mw_rom_opt_default();
      opt.prescribed = (unsigned)point % (1u << m.rom.s);
      opt.inertia = point == 2 ? MW_ROM_LEADING : MW_ROM_FULL;
      double x[2 * REF_MAX_N], u[SYN_N_U] = { 0.7, -1.3 };
      random_state(&m.rom, &seed, x);
      check_jacobian(&m, &opt, x, u);
    }
    unmake(&m);
  }
}

static void jacobian_solves_the_differentiated_equations_of_motion(void) { check_sizes(0); }
static void jacobian_knows_flat_coordinates(void) { check_sizes(FLAT); }

static void jacobian_knows_friction_and_stops(void)
{
  check_sizes(LAWS);
  check_sizes(LAWS | FLAT);
}

// ---- outputs ------------------------------------------------------------------------------------

// What mw_rom_outputs_jacobian gives, all rows one after the other: y, y', y'', reactions.
enum { MAX_ROW = 3 * SYN_N_Y + MAX_S, MAX_COL = 2 * REF_MAX_N + SYN_N_U };
typedef struct outputs {
  double value[MAX_ROW], by_x[MAX_ROW * 2 * REF_MAX_N], by_u[MAX_ROW * SYN_N_U];
} outputs;

static const double given_thdd[MAX_S] = { 1.5, -2.5, 0.5, 1.0, -0.5, 2.0 };

static int take_outputs(const model *m, const mw_rom_opt *opt, const double *x, const double *u,
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
  return MW_CHECK(mw_rom_outputs_jacobian(&m->rom, opt, x, u, given_thdd, &to, m->work, NULL) ==
                  MW_ROM_OK);
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
static void check_outputs(const model *m, const mw_rom_opt *opt, const double *x, const double *u)
{
  const mw_rom *rom = &m->rom;
  int s = rom->s, n = s + rom->m, nx = 2 * n, n_y = 3 * rom->n_y;
  double acc[REF_MAX_N], acc_x[2 * REF_MAX_N * REF_MAX_N], acc_u[REF_MAX_N * SYN_N_U];
  outputs out;
  if (!take_outputs(m, opt, x, u, &out)) return;
  MW_CHECK(mw_rom_jacobian(rom, opt, x, u, given_thdd, acc, acc_x, acc_u, m->work, NULL) ==
           MW_ROM_OK);
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
    model m;
    if (!make(sizes[c][0], sizes[c][1], points(sizes[c][0], 6), kind, &m)) return;
    for (int point = 0; point < 2; point++) {
      mw_rom_opt opt = mw_rom_opt_default();
      opt.prescribed = (1u + (unsigned)point) % (1u << m.rom.s);
      opt.inertia = point == 1 ? MW_ROM_LEADING : MW_ROM_FULL;
      double x[2 * REF_MAX_N], u[SYN_N_U] = { 0.7, -1.3 };
      random_state(&m.rom, &seed, x);
      check_outputs(&m, &opt, x, u);
    }
    unmake(&m);
  }
}

static void derivatives_of_outputs_and_reactions_are_those_of_the_formulas(void)
{
  check_output_sizes(0);
  check_output_sizes(FLAT | LAWS);
}

static void outputs_rates_and_reactions_are_those_of_the_equations_of_motion(void)
{
  uint64_t seed = 19;
  model m;
  if (!make(3, 4, 6, FLAT, &m)) return;
  int n = 7, n_y = m.rom.n_y;
  mw_rom_opt opt = mw_rom_opt_default();
  opt.prescribed = 5u;
  double x[2 * REF_MAX_N], u[SYN_N_U] = { 0.7, -1.3 }, z[REF_MAX_N], y[SYN_N_Y], y_dot[SYN_N_Y];
  outputs out;
  cplx X[2 * REF_MAX_N], U[SYN_N_U] = { 0.7, -1.3 }, A[REF_MAX_N], R[2][REF_MAX_N], Y[2][3];
  random_state(&m.rom, &seed, x);
  MW_CHECK(mw_rom_rhs(&m.rom, &opt, x, u, given_thdd, z, m.work, NULL) == MW_ROM_OK);
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
  unmake(&m);
}

static void errors_name_the_culprit_and_leave_the_results_alone(void)
{
  uint64_t seed = 29;
  model m;
  if (!make(2, 5, 6, 0, &m)) return;
  int n = 7, nx = 14;
  mw_rom_opt opt = mw_rom_opt_default();
  mw_rom_info info = { .index = -7 };
  double x[14], u[SYN_N_U] = { 0.7, -1.3 }, acc[7], acc_x[7 * 14], acc_u[7 * SYN_N_U],
                Y[3 * SYN_N_Y];
  random_state(&m.rom, &seed, x);
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
    MW_CHECK(mw_rom_jacobian(&m.rom, &opt, x, u, NULL, acc, acc_x, acc_u, m.work, &info) ==
             bad[c].code);
    MW_CHECK(info.index == bad[c].of);
    info.index = -7;
    MW_CHECK(mw_rom_outputs_jacobian(&m.rom, &opt, x, u, NULL, &out, m.work, &info) == bad[c].code);
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
  MW_CHECK(mw_rom_outputs_jacobian(&m.rom, &opt, x, u, NULL, &out, m.work, &info) == MW_ROM_OK);
  MW_CHECK(Y[0] != 1.25 && Y[3 * SYN_N_Y - 1] != 1.25);
  unmake(&m);
}

// ---- the other kinds of models, by differences ---------------------------------------------------

// Outputs, reactions and accelerations one after the other, and their derivatives.
static void take_all(const model *m, const mw_rom_opt *opt, const double *x, const double *u,
                     double *value, double *slope)
{
  static outputs out;
  const mw_rom *rom = &m->rom;
  int n = rom->s + rom->m, nx = 2 * n, n_u = rom->n_u, n_row = 3 * rom->n_y + rom->s, nc = nx + n_u;
  double acc[REF_MAX_N], acc_x[2 * REF_MAX_N * REF_MAX_N], acc_u[REF_MAX_N * SYN_N_U];
  if (!take_outputs(m, opt, x, u, &out)) return;
  MW_CHECK(mw_rom_jacobian(rom, opt, x, u, given_thdd, acc, acc_x, acc_u, m->work, NULL) ==
           MW_ROM_OK);
  for (int r = 0; r < n_row + n; r++) {
    int is_acc = r >= n_row, i = r - n_row;
    value[r] = is_acc ? acc[i] : out.value[r];
    for (int c = 0; c < nx; c++)
      slope[r * nc + c] = is_acc ? acc_x[i * nx + c] : out.by_x[r * nx + c];
    for (int c = 0; c < n_u; c++)
      slope[r * nc + nx + c] = is_acc ? acc_u[i * n_u + c] : out.by_u[r * n_u + c];
  }
}

static void check_differences(const model *m, const mw_rom_opt *opt, const double *x)
{
  enum { MAX_ALL = MAX_ROW + REF_MAX_N };
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
      // analytic over 2 scale: truncation below 8! 8!/9! (h/(2 scale))^8 size/scale < 1e-12 size/scale;
      // rounding 2 · 500 eps size/h: 1e-11 size/scale
      MW_NEAR(slope[r * nc + c], sum / h, 2e-11 * size / scale);
    }
  }
}

static void derivatives_are_differences_in_models_of_every_kind(void)
{
  static const int of[][3] = { { 2, 3, TRAIN | LAWS },
                               { 3, 2, TRAIN | FLAT },
                               { 2, 3, CYCLIC },
                               { 2, 4, SYMMETRIC | LAWS },
                               { 3, 3, SYMMETRIC | CYCLIC | FLAT | LAWS },
                               { 3, 2, SYMMETRIC | CYCLIC | FLAT | TRAIN },
                               { 5, 1, 0 } };
  uint64_t seed = 23;
  for (size_t c = 0; c < sizeof of / sizeof *of; c++) {
    model m;
    if (!make(of[c][0], of[c][1], 4, of[c][2], &m)) return;
    for (int point = 0; point < 3; point++) {
      mw_rom_opt opt = mw_rom_opt_default();
      opt.prescribed = 1u + (unsigned)point % 2u;
      double x[2 * REF_MAX_N];
      random_state(&m.rom, &seed, x);
      middle_of_a_cell(&m.rom, &seed, x);
      check_differences(&m, &opt, x);
    }
    unmake(&m);
  }
}

static const mw_test_case cases[] = {
  { "second_derivatives_of_the_fields_are_differences_of_gradients",
    second_derivatives_of_the_fields_are_differences_of_gradients },
  { "the_complex_reference_equals_the_plain_one", the_complex_reference_equals_the_plain_one },
  { "jacobian_solves_the_differentiated_equations_of_motion",
    jacobian_solves_the_differentiated_equations_of_motion },
  { "jacobian_knows_flat_coordinates", jacobian_knows_flat_coordinates },
  { "jacobian_knows_friction_and_stops", jacobian_knows_friction_and_stops },
  { "derivatives_of_outputs_and_reactions_are_those_of_the_formulas",
    derivatives_of_outputs_and_reactions_are_those_of_the_formulas },
  { "outputs_rates_and_reactions_are_those_of_the_equations_of_motion",
    outputs_rates_and_reactions_are_those_of_the_equations_of_motion },
  { "errors_name_the_culprit_and_leave_the_results_alone",
    errors_name_the_culprit_and_leave_the_results_alone },
  { "derivatives_are_differences_in_models_of_every_kind",
    derivatives_are_differences_in_models_of_every_kind },
};

int main(void) { return mw_test_run("rom_jacobian", cases, (int)(sizeof cases / sizeof *cases)); }
