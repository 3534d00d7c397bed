// SPDX-License-Identifier: BSD-3-Clause
// test_compress.c: tensor trains against the tables they stand for.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mw_test.h"
#include "reduction/compress.h"
#include "rom_synthetic.h"

enum { MAX_FIELD = 512 };

static double largest(size_t n, const double *x)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

// Coefficients that vary smoothly: constants of synthetic_make plus waves along all axes, apart for
// each field.
static void smooth_table(synthetic *syn, double amplitude)
{
  mw_rom *r = &syn->rom;
  size_t rows = mw_rom_bytes(r) / sizeof(double) / (size_t)r->n_field;
  for (size_t k = 0; k < rows; k++) {
    size_t rest = k;
    double x[MW_ROM_MAX_S] = { 0 };
    for (int i = r->s - 1; i >= 0; i--) {
      size_t n = (size_t)mw_rom_n_knot(r, i);
      x[i] = n > 1 ? (double)(rest % n) / (double)(n - 1) : 0.0;
      rest /= n;
    }
    for (int f = 0; f < r->n_field; f++) {
      double phase = 0.3 * f, sum = 0.0;
      for (int i = 0; i < r->s; i++)
        for (int j = 0; j < r->s; j++)
          sum += sin(phase + (1.0 + 0.1 * (f % 7)) * (x[i] + 0.7 * x[j]));
      syn->coef[k * (size_t)r->n_field + (size_t)f] += amplitude * sum;
    }
  }
}

static void unit_scale(int n, double *scale)
{
  for (int f = 0; f < n; f++) scale[f] = 1.0;
}

enum { CUTS = 3 };

// The trains of every rank there is, written down without a decomposition: core i selects, field is
// the table. Three of them, cut where no part of the record begins.
static void make_trivial(mw_rom *r, mw_rom_train t[CUTS], mw_arena *mem)
{
  int nf = r->n_field, cut[CUTS + 1] = { 0, nf / 3 + 1, nf / 2 + 2, nf };
  for (int c = 0; c < CUTS; c++) {
    size_t rank = 1, n_field = (size_t)(cut[c + 1] - cut[c]);
    t[c] = (mw_rom_train){ .first = cut[c], .n_field = (int)n_field };
    for (int i = 0; i < r->s; i++) {
      size_t n = (size_t)mw_rom_n_knot(r, i), wide = rank * n;
      if (n == 1) continue;
      double *core = mw_arena_f64(mem, n * rank * wide);
      for (size_t k = 0; k < n; k++)
        for (size_t p = 0; p < rank; p++) core[(k * rank + p) * wide + p * n + k] = 1.0;
      t[c].core[i] = core;
      t[c].rank[i] = (int)(rank = wide);
    }
    double *field = mw_arena_f64(mem, rank * n_field);
    for (size_t k = 0; k < rank; k++)
      memcpy(field + k * n_field, r->coef + k * (size_t)nf + (size_t)cut[c],
             n_field * sizeof *field);
    t[c].field = field;
  }
  r->n_train = CUTS;
  r->train = t;
  r->coef = NULL;
}

// Fields and gradients of a and b at random places; errors up to `err` times each field's scale and
// rounding.
static void same_fields(const mw_rom *a, const mw_rom *b, const double *scale, double err)
{
  static double v[2][MAX_FIELD], g[2][MW_ROM_MAX_S * MAX_FIELD];
  uint64_t seed = 3;
  int nf = a->n_field;
  MW_CHECK(nf <= MAX_FIELD);
  for (int point = 0; point < 30; point++) {
    double theta[MW_ROM_MAX_S];
    for (int i = 0; i < a->s; i++) theta[i] = point == 0 ? 1.0 : synthetic_random(&seed);
    MW_CHECK(mw_rom_fields(a, theta, v[0], g[0], NULL) == MW_ROM_OK);
    MW_CHECK(mw_rom_fields(b, theta, v[1], g[1], NULL) == MW_ROM_OK);
    // rounding: sums over 4^s weights and over the ranks, at most 512 terms each
    double size = largest((size_t)nf, v[0]), round = 512 * DBL_EPSILON;
    for (int f = 0; f < nf; f++) MW_NEAR(v[1][f], v[0][f], err * scale[f] + round * size);
    for (int i = 0; i < a->s; i++) {
      // derivatives: 2/h times the error of coefficients, h the distance of knots
      double per = a->flat >> i & 1u ? 0.0 : 2.0 * (a->n_grid[i] - 1) / (a->hi[i] - a->lo[i]);
      for (int f = 0; f < nf; f++)
        MW_NEAR(g[1][i * nf + f], g[0][i * nf + f], per * (err * scale[f] + round * size));
    }
  }
}

static void train_of_full_rank_equals_the_table_to_rounding(void)
{
  static const struct {
    int s, m, n;
    unsigned flat;
  } of[] = { { 1, 4, 9, 0 }, { 2, 3, 6, 0 }, { 3, 3, 5, 0 },
             { 3, 3, 6, 2 }, { 3, 2, 6, 5 }, { 4, 1, 4, 8 } };
  for (size_t c = 0; c < sizeof of / sizeof *of; c++) {
    synthetic syn;
    mw_arena mem = { 0 };
    double slope[4 * SYN_N_Y], scale[MAX_FIELD];
    if (!MW_CHECK(synthetic_make(of[c].s, of[c].m, of[c].n, 1.0, 4.0, 0.05, 0.2, &syn))) return;
    for (int k = 0; k < 4 * SYN_N_Y; k++) slope[k] = 0.1 * k;
    syn.rom.flat = of[c].flat;  // the table is long enough
    syn.rom.y_slope = slope;
    mw_rom train = syn.rom;
    mw_rom_train trivial[CUTS];
    make_trivial(&train, trivial, &mem);
    unit_scale(train.n_field, scale);
    if (MW_CHECK(!mem.failed)) same_fields(&syn.rom, &train, scale, 0.0);
    mw_arena_free(&mem);
    synthetic_free(&syn);
  }
}

static void every_call_takes_a_train(void)
{
  synthetic syn;
  mw_arena mem = { 0 };
  enum { S = 2, M = 5, N = S + M };
  if (!MW_CHECK(synthetic_make(S, M, 7, 1.0, 4.0, 0.05, 0.2, &syn))) return;
  mw_rom train = syn.rom;
  mw_rom_train trivial[CUTS];
  make_trivial(&train, trivial, &mem);
  void *work = mw_arena_alloc(&mem, mw_rom_work_bytes(&train), 1);
  if (!MW_CHECK(work != NULL && mw_rom_work_bytes(&train) > mw_rom_work_bytes(&syn.rom))) return;
  memset(work, 0xff, mw_rom_work_bytes(&train));  // NaN
  mw_rom_opt opt = mw_rom_opt_default();
  double x[2][2 * N] = { { 0.3, -0.2, 0.1, 0.05, -0.1, 0.2, 0.1, 1.0, -0.5 } }, z[2][N],
                  u[SYN_N_U] = { 0.7, -1.3 }, y[2][SYN_N_Y], rate[2][SYN_N_Y], T[2], V[2], D[2],
                  rest[2][M];
  memcpy(x[1], x[0], sizeof x[0]);
  for (int k = 0; k < 2; k++) {
    const mw_rom *r = k ? &train : &syn.rom;
    void *w = k ? work : syn.work;
    opt.inertia = MW_ROM_LEADING;
    MW_CHECK(mw_rom_rhs(&(mw_rom_call){ .rom = r, .opt = &opt, .u = u, .work = w }, x[k], z[k]) ==
             MW_ROM_OK);
    opt.inertia = MW_ROM_FULL;
    MW_CHECK(mw_rom_outputs(r, x[k], y[k], rate[k], w, NULL) == MW_ROM_OK);
    MW_CHECK(mw_rom_energy(&(mw_rom_call){ .rom = r, .opt = &opt, .work = w }, x[k], &T[k], &V[k],
                           &D[k]) == MW_ROM_OK);
    MW_CHECK(mw_rom_static(r, x[k], u, rest[k], w, NULL) == MW_ROM_OK);
    for (int i = 0; i < 50; i++)
      MW_CHECK(mw_rom_step(&(mw_rom_call){ .rom = r, .opt = &opt, .h = 2e-3, .u = u, .work = w },
                           x[k]) == MW_ROM_OK);
  }
  // rounding of fields, 1e-13 of their size, through solves of condition below 100; steps: solved
  // to opt.tol each
  for (int k = 0; k < N; k++)
    MW_WITHIN(z[1][k], z[0][k], 1e-11 * (1.0 + largest(N, z[0])),
              "worst of solves of condition 100");
  for (int k = 0; k < M; k++)
    MW_WITHIN(rest[1][k], rest[0][k], 1e-11 * (1.0 + largest(M, rest[0])),
              "worst of solves of condition 100");
  for (int k = 0; k < SYN_N_Y; k++)
    MW_WITHIN(y[1][k], y[0][k], 1e-12, "worst of the fields' rounding");
  for (int k = 0; k < SYN_N_Y; k++)
    MW_WITHIN(rate[1][k], rate[0][k], 1e-11, "worst of the fields' rounding");
  MW_WITHIN(T[1], T[0], 1e-11, "worst of the fields' rounding");
  MW_WITHIN(V[1], V[0], 1e-11, "worst of the fields' rounding");
  MW_WITHIN(D[1], D[0], 1e-11, "worst of the fields' rounding");
  for (int k = 0; k < 2 * N; k++)
    MW_WITHIN(x[1][k], x[0][k], 50 * 10 * opt.tol * (1.0 + largest(2 * N, x[0])),
              "what 50 iterations may leave");
  mw_arena_free(&mem);
  synthetic_free(&syn);
}

// Every coefficient, and so every value, within tol of its scale; and it is worth it.
static void compressed_table_keeps_its_tolerance_everywhere(void)
{
  static const struct {
    int s, m, n;
    unsigned flat;
    double tol;
  } of[] = { { 2, 4, 16, 0, 1e-3 },
             { 3, 3, 7, 0, 1e-3 },
             { 3, 3, 7, 0, 1e-6 },
             { 3, 3, 9, 2, 1e-4 },
             { 4, 2, 5, 0, 1e-5 } };
  for (size_t c = 0; c < sizeof of / sizeof *of; c++) {
    synthetic syn;
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    double slope[4 * SYN_N_Y] = { 0 }, scale[MAX_FIELD], error = -1.0;
    int n_knot[MW_ROM_MAX_S];
    if (!MW_CHECK(synthetic_make(of[c].s, of[c].m, of[c].n, 1.0, 4.0, 0.05, 0.0, &syn))) return;
    syn.rom.flat = of[c].flat;
    syn.rom.y_slope = slope;
    smooth_table(&syn, 0.3);
    mw_rom train = syn.rom;
    for (int f = 0; f < train.n_field; f++) scale[f] = 1.0 + f % 3;
    for (int i = 0; i < train.s; i++) n_knot[i] = mw_rom_n_knot(&train, i);
    int nf = train.n_field;
    mw_table table = { train.s, n_knot, nf, 0, nf, syn.coef, scale, 0 };
    mw_rom_train t = { 0 };
    MW_OKAY(mw_train_build(&table, of[c].tol, &mem, &t, &error, &err));
    if (MW_CHECK(t.field != NULL)) {
      train.n_train = 1;
      train.train = &t;
      train.coef = NULL;
      MW_CHECK(error > 0.0 && error <= of[c].tol);
      MW_CHECK(mw_rom_bytes(&train) < mw_rom_bytes(&syn.rom));
      same_fields(&syn.rom, &train, scale, error);
    }
    mw_arena_free(&mem);
    synthetic_free(&syn);
  }
}

// What a train has of doubles is what bounds it: one less is none, as many the very same train.
static void a_train_has_no_more_doubles_than_allowed(void)
{
  synthetic syn;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  double scale[MAX_FIELD], error[2] = { -1.0, -2.0 };
  int n_knot[MW_ROM_MAX_S];
  if (!MW_CHECK(synthetic_make(3, 3, 7, 1.0, 4.0, 0.05, 0.0, &syn))) return;
  smooth_table(&syn, 0.3);
  int nf = syn.rom.n_field;
  unit_scale(nf, scale);
  for (int i = 0; i < 3; i++) n_knot[i] = mw_rom_n_knot(&syn.rom, i);
  mw_table table = { 3, n_knot, nf, 0, nf, syn.coef, scale, 0 };
  mw_rom_train any = { 0 }, same = { 0 }, none = { 0 };
  MW_OKAY(mw_train_build(&table, 1e-4, &mem, &any, &error[0], &err));
  if (!MW_CHECK(any.field != NULL)) return;
  size_t n = (size_t)(any.rank[2] * nf), r = 1;
  for (int i = 0; i < 3; r = (size_t)any.rank[i++])
    n += (size_t)n_knot[i] * r * (size_t)any.rank[i];
  table.most = n;
  MW_OKAY(mw_train_build(&table, 1e-4, &mem, &same, &error[1], &err));
  if (MW_CHECK(same.field != NULL)) {
    MW_CHECK(memcmp(any.rank, same.rank, sizeof any.rank) == 0 && error[0] == error[1]);
    MW_SAME_BITS(same.field, any.field, any.rank[2] * nf);
  }
  table.most = n - 1;
  MW_OKAY(mw_train_build(&table, 1e-4, &mem, &none, NULL, &err));
  MW_CHECK(none.field == NULL);
  mw_arena_free(&mem);
  synthetic_free(&syn);
}

// A table that is a sum of three products of functions of one coordinate each has rank three.
static void rank_is_that_of_the_functions(void)
{
  enum { N = 8, F = 40 };
  static double coef[N * N * N * F], scale[F];
  const int n_knot[3] = { N, N, N };
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        for (int f = 0; f < F; f++)
          coef[((i * N + j) * N + k) * F + f] = sin(0.3 * f) +
                                                cos(0.2 * i) * (1 + j) * exp(-0.1 * k) * f / F +
                                                exp(0.1 * i) * sin(0.4 * j) * k / N * cos(0.5 * f);
  unit_scale(F, scale);
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_rom_train t = { 0 };
  double error;
  mw_table table = { 3, n_knot, F, 0, F, coef, scale, 0 };
  MW_OKAY(mw_train_build(&table, 1e-12, &mem, &t, &error, &err));
  MW_CHECK(t.rank[0] == 3 && t.rank[1] == 3 && t.rank[2] == 3);
  MW_NEAR(error, 0.0, 1e-12);
  for (int k = 0; k < N * N * N; k++) coef[k * F + 7] = 0.0;  // fields that are nothing
  table.first = 7;
  table.n_field = 1;
  MW_OKAY(mw_train_build(&table, 1e-12, &mem, &t, &error, &err));
  MW_CHECK(t.first == 7 && t.n_field == 1 && t.rank[2] == 1 && t.field[0] == 0.0 && error == 0.0);
  mw_arena_free(&mem);
}

static void where_trains_do_not_pay_the_table_stays(void)
{
  enum { S = 2, M = 3 };
  synthetic syn;  // noise in every entry
  mw_error err = { 0 };
  if (!MW_CHECK(synthetic_make(S, M, 6, 1.0, 4.0, 0.05, 1.0, &syn))) return;
  mw_rom_file f = { .rom = syn.rom };
  double error = -1.0, slope[S * SYN_N_Y] = { 0 };
  MW_OKAY(mw_rom_compress(&f, 1e-9, INFINITY, &error, &err));
  MW_CHECK(f.rom.coef == syn.coef && f.rom.n_train == 0 && error == 0.0);
  f.rom.flat = 3;  // a single record
  f.rom.y_slope = slope;
  MW_OKAY(mw_rom_compress(&f, 1e-2, INFINITY, &error, &err));
  MW_CHECK(f.rom.coef == syn.coef && f.rom.n_train == 0 && error == 0.0);
  mw_rom_file_free(&f);
  synthetic_free(&syn);
}

static void what_errors_cannot_be_measured_by_is_refused(void)
{
  synthetic syn;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  double scale[MAX_FIELD];
  const int n_knot[2] = { 8, 8 };
  if (!MW_CHECK(synthetic_make(2, 3, 6, 1.0, 4.0, 0.05, 1.0, &syn))) return;
  int nf = syn.rom.n_field;
  unit_scale(nf, scale);
  mw_rom_train t = { 0 };
  mw_table table = { 2, n_knot, nf, 0, nf, syn.coef, scale, 0 };
  MW_FAILS(mw_train_build(&table, 0.0, &mem, &t, NULL, &err), MW_ERR_INPUT);
  scale[3] = 0.0;  // but the field is not 0
  MW_FAILS(mw_train_build(&table, 1e-3, &mem, &t, NULL, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "field 3") != NULL);
  scale[3] = -1.0;
  MW_FAILS(mw_train_build(&table, 1e-3, &mem, &t, NULL, &err), MW_ERR_INPUT);
  scale[3] = 1e-14;  // below the rounding of what belongs to it
  MW_FAILS(mw_train_build(&table, 1e-6, &mem, &t, NULL, &err), MW_ERR_NUMERIC);
  MW_CHECK(t.field == NULL);
  mw_arena_free(&mem);
  synthetic_free(&syn);
}

// The whole file: both tables, each by its scales; frequencies of soft columns as good as those of
// stiff ones.
static void a_file_keeps_its_stiffness_entry_by_entry(void)
{
  enum { S = 3, M = 4 };
  synthetic syn;
  mw_error err = { 0 };
  if (!MW_CHECK(synthetic_make(S, M, 7, 1.0, 1e4, 0.01, 0.0, &syn))) return;
  mw_rom_layout l = mw_rom_layout_of((mw_rom_shape){ .s = S, .m = M, .n_y = SYN_N_Y });
  size_t rows = 9 * 9 * 9;
  for (size_t k = 0; k < rows; k++)
    for (int a = 0, p = 0; a < M; a++)
      for (int b = 0; b <= a; b++, p++) {  // K_ab varies by a tenth of √(K_aa K_bb)
        double *r = syn.coef + k * (size_t)l.n, size = pow(1e4, (a + b) / 3.0);
        r[l.K + p] += 0.05 * size * sin(0.2 * (double)(k / 81) + a) *
                      cos(0.3 * (double)(k / 9 % 9) + b + 0.1 * (double)(k % 9));
      }
  mw_rom_file f = { .rom = syn.rom, .n_table = { 7, 7, 7 } };
  f.n_start = M * (M + 1) / 2 + S * M * M;
  double *start = mw_arena_f64(&f.mem, rows * (size_t)f.n_start);
  for (size_t k = 0; start && k < rows * (size_t)f.n_start; k++)
    start[k] = sin(0.01 * (double)(k % (size_t)f.n_start)) *
               (1.0 + 0.1 * (double)(k / (size_t)f.n_start % 9));
  f.start = start;
  double scale[MAX_FIELD], error = 0.0, theta[S] = { 0.3, -0.6, 0.11 }, v[2][MAX_FIELD],
                           e[2][MAX_FIELD];
  MW_OKAY(mw_rom_scale(&f, scale, &err));
  for (int a = 0; a < M; a++)
    for (int b = 0; b <= a; b++)
      MW_NEAR(scale[l.K + a * (a + 1) / 2 + b] / pow(1e4, (a + b) / 3.0), 1.0, 0.06);
  MW_CHECK(mw_rom_fields(&f.rom, theta, v[0], NULL, NULL) == MW_ROM_OK);
  MW_OKAY(mw_rom_file_start(&f, theta, e[0], &err));
  MW_OKAY(mw_rom_compress(&f, 1e-5, INFINITY, &error, &err));
  MW_CHECK(f.rom.coef == NULL && f.rom.n_train > 1 && f.start == NULL && f.n_start_train > 0);
  MW_CHECK(error > 0.0 && error <= 1e-5);
  MW_CHECK(mw_rom_fields(&f.rom, theta, v[1], NULL, NULL) == MW_ROM_OK);
  MW_OKAY(mw_rom_file_start(&f, theta, e[1], &err));
  for (int k = 0; k < l.n; k++) MW_NEAR(v[1][k], v[0][k], 1.001e-5 * scale[k]);
  for (int k = 0; k < f.n_start; k++)
    MW_WITHIN(e[1][k], e[0][k], 1.001e-5 * 1.8, "the tolerance of trains");  // largest entry
  mw_rom_file_free(&f);
  synthetic_free(&syn);
}

// Counted by hand: four products for each value and slope that a core or an axis gives, rows × rank
// at the last core.
static void products_are_those_of_the_sums_online(void)
{
  synthetic syn;
  for (int s = 1; s <= 3; s++) {
    const double table[3] = {
      8, 12 + 32, 16 + 48 + 128
    };  // a field: (2), (3 + 2 × 4), (4 + 3 × 4 + 2 × 16) × 4
    if (!MW_CHECK(synthetic_make(s, 2, 6, 1.0, 4.0, 0.05, 1.0, &syn))) return;
    mw_rom rom = syn.rom;
    int nf = rom.n_field;
    MW_CHECK(mw_rom_products(&rom) == table[s - 1] * nf);
    if (s == 3) {
      rom.flat = 2;  // axis 1 costs nothing
      MW_CHECK(mw_rom_products(&rom) == table[1] * nf);
      rom.flat = 0;
      mw_rom_train train = { .n_field = nf, .rank = { 3, 5, 7 } };
      rom.train = &train;
      rom.n_train = 1;
      // cores: value and slope from one row, then one row more each; last: 4 rows of 7
      MW_CHECK(mw_rom_products(&rom) == 4 * (2 * 1 * 3 + 3 * 3 * 5 + 4 * 5 * 7) + 4.0 * 7 * nf);
    }
    synthetic_free(&syn);
  }
}

// The same table again and again: its trains are taken where their own products are allowed, the
// table stays where they are not.
static void trains_that_take_more_products_than_allowed_leave_the_table(void)
{
  enum { S = 3, M = 2, ASKED = 3 };
  synthetic syn;
  mw_error err = { 0 };
  double own = 0.0, error = -1.0;
  if (!MW_CHECK(synthetic_make(S, M, 12, 1.0, 4.0, 0.05, 0.0, &syn))) return;
  smooth_table(&syn, 0.1);
  for (int k = 0; k < ASKED; k++) {
    mw_rom_file f = { .rom = syn.rom };
    double allowed = k == 0 ? INFINITY : k == 1 ? own : 0.999 * own;
    MW_OKAY(mw_rom_compress(&f, 1e-9, allowed, &error, &err));
    if (k < 2) {
      MW_CHECK(f.rom.n_train > 0 && f.rom.coef == NULL && error > 0.0);
      MW_CHECK(mw_rom_bytes(&f.rom) < mw_rom_bytes(&syn.rom));
      own = mw_rom_products(&f.rom);
    } else {
      MW_CHECK(f.rom.coef == syn.coef && f.rom.n_train == 0 && error == 0.0);
    }
    mw_rom_file_free(&f);
  }
  synthetic_free(&syn);
}

// What trains of smooth fields and of noise take is no less than what is said before they are made;
// of noise it is as many ranks as fields.
static void trains_take_no_less_than_is_said_before(void)
{
  enum { S = 3, M = 2, ASKED = 3 };
  const double noise[ASKED] = { 0.0, 1.0, 0.0 }, wave[ASKED] = { 0.1, 0.0, 0.0 };
  for (int k = 0; k < ASKED; k++) {
    synthetic syn;
    mw_error err = { 0 };
    double least = -1.0, error = 0.0;
    if (!MW_CHECK(synthetic_make(S, M, 12, 1.0, 4.0, 0.05, noise[k], &syn))) return;
    if (wave[k] > 0.0) smooth_table(&syn, wave[k]);
    mw_rom_file f = { .rom = syn.rom };
    double table = mw_rom_products(&f.rom);
    MW_OKAY(mw_rom_least_products(&f, 1e-6, table, &least, &err));
    MW_OKAY(mw_rom_compress(&f, 1e-6, INFINITY, &error, &err));
    MW_CHECK(least > 0.0);
    if (noise[k] > 0.0) {
      int from[MW_ROM_MAX_PART + 1], parts = mw_rom_parts(&f.rom, from);
      double all = 0.0;  // (3 slopes, 1 value) × rank × fields of each part
      for (int p = 0; p < parts; p++) all += 4.0 * pow(from[p + 1] - from[p], 2);
      MW_CHECK(least == all && f.rom.n_train == 0);
    } else {
      MW_CHECK(f.rom.n_train > 0 && least <= mw_rom_products(&f.rom));
    }
    mw_rom_file_free(&f);
    synthetic_free(&syn);
  }
}

static const mw_test_case cases[] = {
  { "trains_take_no_less_than_is_said_before", trains_take_no_less_than_is_said_before },
  { "products_are_those_of_the_sums_online", products_are_those_of_the_sums_online },
  { "trains_that_take_more_products_than_allowed_leave_the_table",
    trains_that_take_more_products_than_allowed_leave_the_table },
  { "train_of_full_rank_equals_the_table_to_rounding",
    train_of_full_rank_equals_the_table_to_rounding },
  { "every_call_takes_a_train", every_call_takes_a_train },
  { "compressed_table_keeps_its_tolerance_everywhere",
    compressed_table_keeps_its_tolerance_everywhere },
  { "a_train_has_no_more_doubles_than_allowed", a_train_has_no_more_doubles_than_allowed },
  { "rank_is_that_of_the_functions", rank_is_that_of_the_functions },
  { "where_trains_do_not_pay_the_table_stays", where_trains_do_not_pay_the_table_stays },
  { "what_errors_cannot_be_measured_by_is_refused", what_errors_cannot_be_measured_by_is_refused },
  { "a_file_keeps_its_stiffness_entry_by_entry", a_file_keeps_its_stiffness_entry_by_entry },
};

int main(void) { return mw_test_run("compress", cases, (int)(sizeof cases / sizeof *cases)); }
