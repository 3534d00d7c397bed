// SPDX-License-Identifier: BSD-3-Clause
// test_records.c: records on a grid whose axes are flat, cyclic or symmetric, made from functions
// of which that is known.
#include "table/records_layer.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mw_test.h"
#include "rom/step.h"

enum { S = 2, M = 4, N_Y = 5, MOST_POINT = 600 };

static const double EPS = DBL_EPSILON;
static double pi(void) { return acos(-1.0); }

static double random_of(unsigned *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / (1 << 23) - 1.0;
}

// Smooth function number f: three waves in each of two angles.
static double smooth(int f, double x, double y)
{
  unsigned state = 77u + 1013u * (unsigned)f;
  double sum = random_of(&state);
  for (int k = 1; k <= 3; k++) {
    double a = random_of(&state), b = random_of(&state), c = random_of(&state);
    sum += (a * cos(k * x) + b * sin(k * x)) / (k * k) + 0.5 * c * sin(k * x + 0.4 * y);
  }
  return sum;
}

typedef struct setup {
  mw_records r;
  mw_axis axis[S];
  mw_output_kind kind[N_Y];
  mw_rom_layout L;
  int sigma[M], tau[N_Y];  // of the mirror of axis 0
  double shift[N_Y];
  double slope[S * N_Y];
  mw_arena mem;
} setup;

static bool setup_init(setup *t, double lo, double hi, bool cyclic)
{
  mw_error err = { 0 };
  int *from;
  *t = (setup){ .L = mw_rom_layout_of((mw_rom_shape){ .s = S, .m = M, .n_y = N_Y }),
                .sigma = { 1, -1, -1, 1 },
                .tau = { 1, -1, -1, 1, -1 },
                .shift = { 0.0, 0.0, 1.4, 0.0, 0.0 } };
  t->kind[3] = MW_OUTPUT_STRESS;
  MW_OKAY(mw_axis_uniform(lo, hi, cyclic, 17, 1, &t->mem, &t->axis[0], &err));
  MW_OKAY(mw_axis_uniform(-1.0, 2.0, false, 9, 1, &t->mem, &t->axis[1], &err));
  // uneven, and mirrored
  MW_OKAY(mw_axis_split(&t->axis[0], (unsigned char[16]){ 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1 },
                        &t->mem, &t->axis[0], &from, &err));
  MW_OKAY(mw_axis_split(&t->axis[1], (unsigned char[8]){ 1 }, &t->mem, &t->axis[1], &from, &err));
  t->r = (mw_records){ .s = S, .m = M, .n_y = N_Y, .axis = t->axis, .kind = t->kind };
  t->r.data = mw_arena_f64(&t->mem, (size_t)(MOST_POINT * t->L.n));
  return MW_CHECK(t->r.data != NULL);
}

// Records f(field, θ_0, θ_1).
static void fill(setup *t, double (*f)(const setup *, int, double, double))
{
  int n1 = t->axis[1].n;
  for (int g = 0; g < t->axis[0].n * n1; g++)
    for (int k = 0; k < t->L.n; k++)
      t->r.data[g * t->L.n + k] =
          f(t, k, mw_axis_theta(&t->axis[0], g / n1), mw_axis_theta(&t->axis[1], g % n1));
}

static int value_field(const setup *t, int f)
{
  return f >= t->L.y && f < t->L.Y && (f - t->L.y) % (1 + M) == 0 ? (f - t->L.y) / (1 + M) : -1;
}

// ---- names and sizes ----------------------------------------------------------------------------

static void every_field_has_a_name_of_its_own(void)
{
  setup t;
  if (!setup_init(&t, 0.0, 1.0, false)) return;
  char name[256][48];
  for (int f = 0; f < t.L.n && f < 256; f++) {
    mw_field_name(&t.r, f, name[f], 48);
    for (int e = 0; e < f; e++) MW_CHECK(strcmp(name[e], name[f]) != 0);
  }
  MW_CHECK(strcmp(name[t.L.a + 1], "a2,1") == 0 && strcmp(name[t.L.U0], "U0") == 0);
  MW_CHECK(strcmp(name[t.L.K + 3], "K[3,1]") == 0 && strcmp(name[t.L.d + M], "d2[1]") == 0);
  MW_CHECK(strcmp(name[t.L.e], "e1[2,1]") == 0 && strcmp(name[t.L.e + 3], "e1[4,1]") == 0);
  MW_CHECK(strcmp(name[t.L.c + 2 * 10], "c2,2[1,1]") == 0);
  MW_CHECK(strcmp(name[t.L.y + 5 + 2], "field 2 of column 2") == 0);
  t.r.field = (const char *const[]){ "tool.x", "tool.y", "tool.z", "gauge.xx", "s:x" };
  mw_field_name(&t.r, t.L.y + 5, name[0], 48);
  MW_CHECK(strcmp(name[0], "tool.y") == 0);
  mw_arena_free(&t.mem);
}

// ---- flat axes ----------------------------------------------------------------------------------

static double flat_field(const setup *t, int f, double x, double y)
{
  int k = value_field(t, f);
  return smooth(f, x, 0.0) + (k >= 0 ? (k - 1.5) * (y + 1.0) : 0.0);
}

static void an_axis_nothing_depends_on_is_found_on_uneven_points(void)
{
  setup t;
  mw_error err = { 0 };
  if (!setup_init(&t, 0.0, 1.0, false)) return;
  fill(&t, flat_field);
  MW_OKAY(mw_records_flatten(&t.r, t.slope, &err));
  if (MW_CHECK(t.r.flat == 2 && mw_records_count(&t.r) == t.axis[0].n)) {
    for (int k = 0; k < N_Y; k++) {
      MW_NEAR(t.slope[N_Y + k], k - 1.5, 20 * EPS);  // a difference of values below 10 over 3
      MW_NEAR(t.slope[k], 0.0, 0.0);
    }
    for (int g = 0; g < t.axis[0].n; g++)
      for (int f = 0; f < t.L.n; f++)
        MW_NEAR(t.r.data[g * t.L.n + f], smooth(f, mw_axis_theta(&t.axis[0], g), 0.0), 0.0);
  }
  MW_CHECK(mw_records_n_coef(&t.r) == (size_t)((t.axis[0].n_table + 2) * t.L.n));
  // one coefficient that depends on it by more than 1e-7 of its kind
  fill(&t, flat_field);
  t.r.flat = 0;
  t.r.data[7 * t.L.n + t.L.K + 1] += 1e-6 * fabs(t.r.data[7 * t.L.n + t.L.K + 1]) + 1e-6;
  MW_OKAY(mw_records_flatten(&t.r, t.slope, &err));
  MW_CHECK(t.r.flat == 0);
  mw_arena_free(&t.mem);
}

// ---- rounding -----------------------------------------------------------------------------------

static double all_records(const setup *t, int f, double x, double y)
{
  return (void)t, smooth(f, x, y);
}

static void what_is_rounding_of_e_and_c_is_cleared(void)
{
  enum { MM = M * (M + 1) / 2, MK = M * (M - 1) / 2 };
  setup t;
  if (!setup_init(&t, 0.0, 1.0, false)) return;
  fill(&t, all_records);
  int count = mw_records_count(&t.r);
  // e_0 and c_10 are what rounding leaves, but for one entry of c_00
  for (int g = 0; g < count; g++) {
    double *r = t.r.data + g * t.L.n;
    for (int k = 0; k < MK; k++) r[t.L.e + k] *= 1e-11;
    for (int k = 0; k < 2 * MM; k++) r[t.L.c + k] *= 1e-11;
  }
  t.r.data[(count - 1) * t.L.n + t.L.c] = 1e-3;
  double *before = malloc((size_t)(count * t.L.n) * sizeof *before);
  if (!MW_CHECK(before != NULL)) return;
  memcpy(before, t.r.data, (size_t)(count * t.L.n) * sizeof *before);
  mw_records_clear_rounding(&t.r);
  for (int g = 0; g < count; g++)
    for (int f = 0; f < t.L.n; f++) {
      bool cleared = (f >= t.L.e && f < t.L.e + MK) || (f >= t.L.c + MM && f < t.L.c + 2 * MM);
      MW_NEAR(t.r.data[g * t.L.n + f], cleared ? 0.0 : before[g * t.L.n + f], 0.0);
    }
  free(before);
  mw_arena_free(&t.mem);
}

// ---- cyclic axes --------------------------------------------------------------------------------

static double cyclic_field(const setup *t, int f, double x, double y)
{
  int k = value_field(t, f);
  return smooth(f, x, y) + (k == 1 ? 2.0 * x : k == 4 ? -x : 0.0);
}

static void what_grows_a_turn_is_split_off(void)
{
  setup t;
  mw_error err = { 0 };
  if (!setup_init(&t, -1.0, 2.0 * pi() - 1.0, true)) return;
  fill(&t, cyclic_field);
  MW_OKAY(mw_records_close(&t.r, 1e-9, t.slope, &err));
  // values below 30, sines of angles rounded to 6 eps: differences to 100 eps
  for (int k = 0; k < N_Y; k++) MW_NEAR(t.slope[k], k == 1 ? 2.0 : k == 4 ? -1.0 : 0.0, 100 * EPS);
  int n0 = t.axis[0].n, n1 = t.axis[1].n;
  for (int g = 0; g < n0 * n1; g++)
    for (int f = 0; f < t.L.n; f++) {
      double x = mw_axis_theta(&t.axis[0], g / n1), y = mw_axis_theta(&t.axis[1], g % n1);
      int k = value_field(&t, f);
      double lost = k == 1 ? 2.0 * t.axis[0].lo : k == 4 ? -t.axis[0].lo : 0.0;
      MW_NEAR(t.r.data[g * t.L.n + f], smooth(f, x, y) + lost, 1000 * EPS);
    }
  MW_SAME_BITS(t.r.data, t.r.data + (size_t)((n0 - 1) * n1 * t.L.n), n1 * t.L.n);
  mw_arena_free(&t.mem);
}

static void an_axis_that_does_not_close_is_refused_by_field(void)
{
  setup t;
  mw_error err = { 0 };
  if (!setup_init(&t, 0.0, 2.0 * pi(), true)) return;
  static const char *const names[] = { "spindle", "x" };
  t.r.coordinate = names;
  for (int what = 0; what < 2; what++) {
    fill(&t, cyclic_field);
    int last = t.axis[0].n * t.axis[1].n - 1, f = what ? t.L.y + 1 + M : t.L.K + 4;
    t.r.data[last * t.L.n + f] += 1.0;  // what 1: y0 grows differently on one line
    MW_FAILS(mw_records_close(&t.r, 1e-6, t.slope, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, what ? "field 2" : "K[3,2]") && strstr(err.msg, "spindle"));
  }
  t.r.data[0] = NAN;
  MW_FAILS(mw_records_close(&t.r, 1e-6, t.slope, &err), MW_ERR_INPUT);
  mw_arena_free(&t.mem);
}

// ---- symmetric axes -----------------------------------------------------------------------------

// Sign of field f at the mirrored point: a rate of θ_0 changes its sign, δ_a and δ̇_a by σ_a, y_k
// by τ_k; energies do not. So each entry has the sign of the product of what it multiplies in (2),
// (3), (4) of rom.h.
static int sign_of(const setup *t, int f)
{
  static const int rate[S] = { -1, 1 }, pair_i[] = { 0, 1, 1 }, pair_j[] = { 0, 0, 1 };
  const mw_rom_layout *L = &t->L;
  int mm = M * (M + 1) / 2, mk = M * (M - 1) / 2, row[16], col[16], lower_row[16], lower_col[16];
  for (int i = 0, p = 0, q = 0; i < M; i++)
    for (int j = 0; j <= i; j++) {
      row[p] = t->sigma[i];
      col[p++] = t->sigma[j];
      if (j == i) continue;
      lower_row[q] = t->sigma[i];
      lower_col[q++] = t->sigma[j];
    }
  if (f < L->U0) return rate[pair_i[f]] * rate[pair_j[f]];
  if (f == L->U0) return 1;
  if (f < L->U1) return rate[(f - L->d) / M] * t->sigma[(f - L->d) % M];
  if (f < L->b) return t->sigma[f - L->U1];
  if (f < L->K) {
    int ij = (f - L->b) / M;
    return rate[pair_i[ij]] * rate[pair_j[ij]] * t->sigma[(f - L->b) % M];
  }
  if (f < L->e) return row[(f - L->K) % mm] * col[(f - L->K) % mm];
  if (f < L->c) {
    int p = (f - L->e) % mk;
    return rate[(f - L->e) / mk] * lower_row[p] * lower_col[p];
  }
  if (f < L->y) {
    int ij = (f - L->c) / mm, p = (f - L->c) % mm;
    return rate[pair_i[ij]] * rate[pair_j[ij]] * row[p] * col[p];
  }
  if (f >= L->Y) return t->tau[t->r.Y_field[0]] * row[f - L->Y] * col[f - L->Y];
  int k = (f - L->y) / (1 + M), a = (f - L->y) % (1 + M);
  return t->tau[k] * (a > 0 ? t->sigma[a - 1] : 1);
}

// A function plus its own mirror image about the middle of axis 0; column 3 has nothing to do with
// the rest but by K.
static double mirrored_field(const setup *t, int f, double x, double y)
{
  int k = value_field(t, f), s = sign_of(t, f);
  double c = x - 0.5 * (t->axis[0].lo + t->axis[0].hi);
  double v = smooth(f, c, y) + s * smooth(f, -c, y);
  return v + (k >= 0 ? 0.5 * t->shift[k] : 0.0);
}

static double lonely_field(const setup *t, int f, double x, double y)
{
  char name[48];
  mw_field_name(&t->r, f, name, sizeof name);
  bool of_last = strstr(name, "[4") != NULL || strstr(name, ",4]") != NULL;
  of_last = of_last || strstr(name, "column 4") != NULL;
  return of_last && f != t->L.K + 8 ? 0.0 : mirrored_field(t, f, x, y);
}

static void check_signs(setup *t, double (*f)(const setup *, int, double, double), mw_mirror *out)
{
  mw_error err = { 0 };
  fill(t, f);
  if (!MW_OKAY(mw_records_mirror(&t->r, 0, t->slope, 1e-9, &t->mem, out, &err))) return;
  for (int a = 0; a < M; a++) MW_CHECK(out->sigma[a] == t->sigma[a]);
  for (int k = 0; k < N_Y; k++) {
    MW_CHECK(out->tau[k] == t->tau[k]);
    MW_NEAR(out->shift[k], t->shift[k], 100 * EPS);
    MW_NEAR(out->y_shift[k], t->shift[k], 100 * EPS);
  }
  MW_NEAR(out->error, 0.0, 100 * EPS);  // sines of angles below 6, sums of nine
  // and now exact
  int n0 = t->axis[0].n, n1 = t->axis[1].n;
  for (int g = 0; g < n0 * n1; g++)
    for (int l = 0; l < t->L.n; l++) {
      const double *x = t->r.data + g * t->L.n;
      const double *y = t->r.data + ((n0 - 1 - g / n1) * n1 + g % n1) * t->L.n;
      int k = value_field(t, l), s = sign_of(t, l);
      double shift = k >= 0 ? out->shift[k] : 0.0;
      MW_NEAR(y[l], s * x[l] + shift, shift != 0.0 ? 4 * EPS : 0.0);
    }
}

static void signs_of_a_mirror_are_found_and_records_made_exact(void)
{
  for (int flip = 0; flip < 4; flip++) {
    setup t;
    mw_mirror mirror = { 0 };
    if (!setup_init(&t, -0.7, 1.3, false)) return;
    if (flip & 1) t.sigma[0] = -1;
    if (flip & 2) t.sigma[2] = t.tau[0] = 1;
    check_signs(&t, mirrored_field, &mirror);
    check_signs(&t, lonely_field, &mirror);
    mw_arena_free(&t.mem);
  }
}

static double second_order_field(const setup *t, int f, double x, double y)
{
  return f == t->L.K + 8 ? 0.0 : lonely_field(t, f, x, y);
}

// As the twist of a rail does that moves an output to second order alone.
static void a_sign_that_second_order_alone_shows_is_found(void)
{
  const int field[1] = { 1 };
  for (int sign = -1; sign <= 1; sign += 2) {
    setup t;
    mw_mirror mirror = { 0 };
    if (!setup_init(&t, -0.7, 1.3, false)) return;
    t.sigma[3] = sign;
    t.r.n_Y = 1;
    t.r.Y_field = field;
    t.L = mw_rom_layout_of(mw_records_shape(&t.r));
    t.r.data = mw_arena_f64(&t.mem, (size_t)(MOST_POINT * t.L.n));
    if (MW_CHECK(t.r.data != NULL)) check_signs(&t, second_order_field, &mirror);
    mw_arena_free(&t.mem);
  }
}

static void what_is_no_mirror_image_is_refused_by_field(void)
{
  setup t;
  mw_error err = { 0 };
  mw_mirror mirror = { 0 };
  if (!setup_init(&t, -0.7, 1.3, false)) return;
  static const char *const names[] = { "swing", "x" };
  t.r.coordinate = names;
  fill(&t, mirrored_field);
  double scale[256], before = t.r.data[3];
  mw_field_scales(&t.r, 2.0, scale);
  int f = t.L.c + 7;
  t.r.data[5 * t.L.n + f] += 1e-3 * scale[f];
  MW_FAILS(mw_records_mirror(&t.r, 0, t.slope, 1e-4, &t.mem, &mirror, &err), MW_ERR_INPUT);
  char name[48];
  mw_field_name(&t.r, f, name, sizeof name);
  MW_CHECK(strstr(err.msg, name) && strstr(err.msg, "swing") && strstr(err.msg, "0.001"));
  MW_CHECK(!mirror.sigma && t.r.data[3] == before);
  MW_OKAY(mw_records_mirror(&t.r, 0, t.slope, 1e-2, &t.mem, &mirror, &err));
  MW_NEAR(mirror.error, 1e-3, 1e-3 * 1e-12);
  // a carriage's place and a swing's in one output: its mirror image goes the other way, the
  // carriage does not
  fill(&t, mirrored_field);
  t.slope[N_Y + 1] = 1.0;
  MW_FAILS(mw_records_mirror(&t.r, 0, t.slope, 1e-4, &t.mem, &mirror, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "field 2") != NULL);
  t.slope[N_Y + 1] = 0.0;
  t.r.data[0] = NAN;
  MW_FAILS(mw_records_mirror(&t.r, 0, t.slope, 1e-4, &t.mem, &mirror, &err), MW_ERR_INPUT);
  // points that are not mirrored
  fill(&t, mirrored_field);
  t.axis[0].at[1]++;
  MW_FAILS(mw_records_mirror(&t.r, 0, t.slope, 1e-4, &t.mem, &mirror, &err), MW_ERR_INPUT);
  mw_arena_free(&t.mem);
}

// ---- half tables online -------------------------------------------------------------------------

typedef struct tables {
  mw_rom full, half;
  double c_theta[S], delta_max[M];
  int u_field[1], mirror[S * M], mirror_y[S * N_Y];
  double y_shift[S * N_Y];
} tables;

// The whole table, and its lower half with the mirror found.
static bool build(setup *t, tables *b)
{
  mw_error err = { 0 };
  mw_mirror mirror = { 0 };
  if (!MW_OKAY(mw_records_mirror(&t->r, 0, t->slope, 1e-9, &t->mem, &mirror, &err))) return false;
  size_t n_coef = mw_records_n_coef(&t->r);
  double *coef = mw_arena_f64(&t->mem, n_coef), *half = mw_arena_f64(&t->mem, n_coef);
  if (!MW_CHECK(coef && half) || !MW_OKAY(mw_records_fit(&t->r, coef, &err))) return false;
  memcpy(half, coef, n_coef * sizeof *half);
  int n_knot[S] = { t->axis[0].n_table + 2, t->axis[1].n_table + 2 };
  MW_OKAY(mw_records_halve(&t->r, 0, &mirror, n_knot, half, &err));
  MW_CHECK(n_knot[0] == (t->axis[0].n_table + 1) / 2 + 2 && n_knot[1] == t->axis[1].n_table + 2);
  b->full = (mw_rom){ .s = S,
                      .m = M,
                      .n_y = N_Y,
                      .n_field = t->L.n,
                      .coef = coef,
                      .u_field = b->u_field,
                      .c_theta = b->c_theta,
                      .delta_max = b->delta_max,
                      .cyclic = t->axis[0].cyclic,
                      .y_slope = t->slope };
  for (int i = 0; i < S; i++) {
    b->full.n_grid[i] = t->axis[i].n_table;
    b->full.lo[i] = t->axis[i].lo;
    b->full.hi[i] = t->axis[i].hi;
  }
  for (int a = 0; a < M; a++) b->delta_max[a] = INFINITY;
  b->half = b->full;
  b->half.coef = half;
  b->half.n_grid[0] = n_knot[0] - 2;
  b->half.symmetric = 1;
  memcpy(b->mirror, mirror.sigma, sizeof t->sigma);
  memcpy(b->mirror_y, mirror.tau, sizeof t->tau);
  memcpy(b->y_shift, mirror.y_shift, sizeof t->shift);
  b->half.mirror = b->mirror;
  b->half.mirror_y = b->mirror_y;
  b->half.y_shift = b->y_shift;
  return true;
}

// Coefficients have 30 roundings and weights up to 5; derivatives are divided by the table's width.
static void check_tables(const setup *t, const tables *b, double from, double to)
{
  static double x[256], y[256], dx[512], dy[512];
  double h[S];
  for (int i = 0; i < S; i++) h[i] = (t->axis[i].hi - t->axis[i].lo) / (t->axis[i].n_table - 1);
  for (int p = 0; p <= 60; p++) {
    double theta[S] = { from + (to - from) * p / 60.0, 2.0 * fmod(0.37 * p, 1.0) - 0.3 };
    MW_CHECK(mw_rom_fields(&b->full, theta, x, dx, NULL) == MW_ROM_OK);
    MW_CHECK(mw_rom_fields(&b->half, theta, y, dy, NULL) == MW_ROM_OK);
    double size = 0.0;
    for (int f = 0; f < t->L.n; f++) size = fmax(size, fabs(x[f]));
    double tol = mw_test_rounding(30.0, 5.0 * size);
    for (int f = 0; f < t->L.n; f++) {
      MW_NEAR(y[f], x[f], tol);
      MW_NEAR(dy[f], dx[f], 2.0 * tol / h[0]);
      MW_NEAR(dy[t->L.n + f], dx[t->L.n + f], 2.0 * tol / h[1]);
    }
  }
}

static void half_a_table_and_its_mirror_are_the_whole_table(void)
{
  setup t;
  tables b = { 0 };
  if (!setup_init(&t, -0.7, 1.3, false)) return;
  fill(&t, mirrored_field);
  if (build(&t, &b)) check_tables(&t, &b, -0.7, 1.3);
  mw_arena_free(&t.mem);
}

// Symmetric and cyclic, with fields 2 and 5 (τ = −1) that grow by 2θ and −θ.
static double cyclic_mirrored_field(const setup *t, int f, double x, double y)
{
  int k = value_field(t, f);
  return mirrored_field(t, f, x, y) + (k == 1 ? 2.0 * x : k == 4 ? -x : 0.0);
}

static void half_a_turn_and_its_mirror_are_all_turns(void)
{
  setup t;
  tables b = { 0 };
  mw_error err = { 0 };
  if (!setup_init(&t, 0.3, 2.0 * pi() + 0.3, true)) return;
  fill(&t, cyclic_mirrored_field);
  MW_OKAY(mw_records_close(&t.r, 1e-9, t.slope, &err));
  if (build(&t, &b)) {
    check_tables(&t, &b, -9.0, 17.0);
    // and that is what was put in, between the grid points to the spline's error, (2π/32)⁴/384 · 3⁴
    // · 10
    double theta[S] = { 2.2 + 4.0 * pi(), -1.0 }, x[256];
    MW_CHECK(mw_rom_fields(&b.half, theta, x, NULL, NULL) == MW_ROM_OK);
    for (int f = 0; f < t.L.n; f++)
      MW_NEAR(x[f], cyclic_mirrored_field(&t, f, theta[0], theta[1]), 16 * 3.2e-3);
  }
  mw_arena_free(&t.mem);
}

// The rule itself: energies are the same at mirrored states, θ̄_0 = lo + hi − θ_0, δ̄_a = σ_a δ_a,
// θ̇_0 turned round.
static void mirrored_states_have_the_same_energy(void)
{
  setup t;
  tables b = { 0 };
  if (!setup_init(&t, -0.7, 1.3, false)) return;
  fill(&t, mirrored_field);
  mw_rom_opt opt = mw_rom_opt_default();
  unsigned state = 3;
  if (build(&t, &b)) {
    size_t bytes = mw_rom_work_bytes(&b.half);
    void *work = aligned_alloc(64, bytes);
    for (int p = 0; work && p < 20; p++) {
      double x[2 * (S + M)], y[2 * (S + M)], T[2], V[2];
      for (int i = 0; i < 2 * (S + M); i++) x[i] = y[i] = random_of(&state);
      y[0] = 0.6 - x[0];
      if (!(y[0] >= -0.7 && y[0] <= 1.3 && x[0] >= -0.7)) continue;
      for (int a = 0; a < M; a++) {
        y[S + a] *= t.sigma[a];
        y[2 * S + M + a] *= t.sigma[a];
      }
      y[S + M] *= -1.0;
      MW_CHECK(mw_rom_energy(&(mw_rom_call){ .rom = &b.half, .opt = &opt, .work = work }, x, &T[0],
                             &V[0], NULL) == MW_ROM_OK);
      MW_CHECK(mw_rom_energy(&(mw_rom_call){ .rom = &b.full, .opt = &opt, .work = work }, y, &T[1],
                             &V[1], NULL) == MW_ROM_OK);
      // sums of some 200 products of fields as in check_tables, of up to 20
      double tol = mw_test_rounding(200.0 * 30.0, 5.0 * 20.0);
      MW_WITHIN(T[0], T[1], tol, "worst of fields as large as the largest");
      MW_WITHIN(V[0], V[1], tol, "worst of fields as large as the largest");
    }
    free(work);
  }
  mw_arena_free(&t.mem);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "every_field_has_a_name_of_its_own", every_field_has_a_name_of_its_own },
    { "what_is_rounding_of_e_and_c_is_cleared", what_is_rounding_of_e_and_c_is_cleared },
    { "an_axis_nothing_depends_on_is_found_on_uneven_points",
      an_axis_nothing_depends_on_is_found_on_uneven_points },
    { "what_grows_a_turn_is_split_off", what_grows_a_turn_is_split_off },
    { "an_axis_that_does_not_close_is_refused_by_field",
      an_axis_that_does_not_close_is_refused_by_field },
    { "signs_of_a_mirror_are_found_and_records_made_exact",
      signs_of_a_mirror_are_found_and_records_made_exact },
    { "a_sign_that_second_order_alone_shows_is_found",
      a_sign_that_second_order_alone_shows_is_found },
    { "what_is_no_mirror_image_is_refused_by_field", what_is_no_mirror_image_is_refused_by_field },
    { "half_a_table_and_its_mirror_are_the_whole_table",
      half_a_table_and_its_mirror_are_the_whole_table },
    { "half_a_turn_and_its_mirror_are_all_turns", half_a_turn_and_its_mirror_are_all_turns },
    { "mirrored_states_have_the_same_energy", mirrored_states_have_the_same_energy },
  };
  return mw_test_run("records", cases, (int)(sizeof cases / sizeof *cases));
}
