// SPDX-License-Identifier: BSD-3-Clause
// test_export.c: the exported C, compiled at several settings, against the library.
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixture_export.h"
#include "mw_test.h"

enum { N_STEP = 10000, MAX_X = 2 * (FIX_MAX_S + SYN_MAX_M), CHUNK = 100 };

typedef int (*step_fn)(double h, const double *u, double *x, double *work, int *blame);
typedef int (*outputs_fn)(const double *x, double *y, double *y_dot, double *work, int *blame);
typedef int (*rhs_fn)(const double *x, const double *u, double *acc, double *work, int *blame);

typedef int (*jacobian_fn)(const double *x, const double *u, double *acc, double *acc_x,
                           double *acc_u, double *work, int *blame);
typedef int (*sens_fn)(double h, const double *u, double *x, double *x_x, double *x_u, double *work,
                       int *blame);
typedef int (*outputs_jacobian_fn)(const double *x, const double *u, double *Y, double *Y_x,
                                   double *Y_u, double *work, int *blame);

typedef struct loaded {
  void *lib;
  jacobian_fn jacobian;
  sens_fn sens;
  outputs_jacobian_fn outputs_jacobian;
  step_fn step;
  outputs_fn outputs;
  rhs_fn rhs;
} loaded;

static loaded load(const char *dir, const char *library)
{
  loaded l = { .lib = export_load(dir, library) };
  export_symbol(l.lib, "it_step", &l.step);
  export_symbol(l.lib, "it_outputs", &l.outputs);
  export_symbol(l.lib, "it_rhs", &l.rhs);
  export_symbol(l.lib, "it_jacobian", &l.jacobian);
  export_symbol(l.lib, "it_step_sens", &l.sens);
  export_symbol(l.lib, "it_outputs_jacobian", &l.outputs_jacobian);
  return l;
}

static void write_export(const export_fixture *x, const char *dir)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_export_list list;
  mw_export_opt opt = mw_export_opt_default();
  opt.name = "it";
  MW_OKAY(mw_export_c(&x->f, &opt, dir, &mem, &list, &err));
  MW_CHECK(list.n == 7);
  mw_arena_free(&mem);
}

// Start: theta and delta off the middle, at rest.
static void start_state(const mw_rom *r, double *x)
{
  for (int k = 0; k < 2 * (r->s + r->m); k++) x[k] = 0.0;
  for (int i = 0; i < r->s; i++) x[i] = 0.1 + 0.2 * i;
  for (int a = 0; a < r->m; a++) x[r->s + a] = 1e-3 / (1.0 + a);
}

// To and fro.
static void drive(const export_fixture *x, int k, double *u)
{
  for (int i = 0; i < x->f.rom.n_u; i++) u[i] = x->drive * ((k / 50 + i) % 4 < 2 ? 1.0 : -1.0);
}

// Values and derivatives at a state, the same bits.
static void compare_at_state(const export_fixture *x, const loaded *l, const double *state,
                             const double *u, double *work)
{
  enum { MAX_Y = 3 * SYN_N_Y };
  const mw_rom *r = &x->f.rom;
  static double a[MAX_X], b[MAX_X], ax[MAX_X * MAX_X], bx[MAX_X * MAX_X], au[MAX_X * SYN_N_U],
      bu[MAX_X * SYN_N_U], Ya[MAX_Y], Yb[MAX_Y], Ya_x[MAX_Y * MAX_X], Yb_x[MAX_Y * MAX_X],
      Ya_u[MAX_Y * SYN_N_U], Yb_u[MAX_Y * SYN_N_U];
  mw_rom_opt opt = mw_rom_opt_default();
  int n = r->s + r->m, blame;
  MW_CHECK(mw_rom_outputs(r, state, Ya, Ya + r->n_y, x->sens, NULL) == MW_ROM_OK);
  MW_CHECK(l->outputs(state, Yb, Yb + r->n_y, work, NULL) == 0);
  MW_SAME_BITS(Ya, Yb, 2 * r->n_y);
  MW_CHECK(mw_rom_rhs(&(mw_rom_call){ .rom = r, .opt = &opt, .u = u, .work = x->sens }, state, a) ==
           MW_ROM_OK);
  MW_CHECK(l->rhs(state, u, b, work + 3, &blame) == 0 && blame == -1);
  MW_SAME_BITS(a, b, n);
  MW_CHECK(mw_rom_jacobian(&(mw_rom_call){ .rom = r, .opt = &opt, .u = u, .work = x->sens }, state,
                           a, ax, au) == MW_ROM_OK);
  MW_CHECK(l->jacobian(state, u, b, bx, bu, work, &blame) == 0 && blame == -1);
  MW_SAME_BITS(a, b, n);
  MW_SAME_BITS(ax, bx, 2 * n * n);
  MW_SAME_BITS(au, bu, n * r->n_u);
  memcpy(a, state, 2 * (size_t)n * sizeof *a);
  memcpy(b, state, 2 * (size_t)n * sizeof *b);
  MW_CHECK(
      mw_rom_step_sens(&(mw_rom_call){ .rom = r, .opt = &opt, .h = 1e-3, .u = u, .work = x->sens },
                       a, ax, au) == MW_ROM_OK);
  MW_CHECK(l->sens(1e-3, u, b, bx, bu, work, &blame) == 0 && blame == -1);
  MW_SAME_BITS(a, b, 2 * n);
  MW_SAME_BITS(ax, bx, 4 * n * n);
  MW_SAME_BITS(au, bu, 2 * n * r->n_u);
  mw_rom_outputs_sens out = { .Y = Ya, .Y_x = Ya_x, .Y_u = Ya_u };
  MW_CHECK(mw_rom_outputs_jacobian(&(mw_rom_call){ .rom = r, .opt = &opt, .u = u, .work = x->sens },
                                   state, &out) == MW_ROM_OK);
  MW_CHECK(l->outputs_jacobian(state, u, Yb, Yb_x, Yb_u, work, &blame) == 0 && blame == -1);
  MW_SAME_BITS(Ya, Yb, 3 * r->n_y);
  MW_SAME_BITS(Ya_x, Yb_x, 3 * r->n_y * 2 * n);
  MW_SAME_BITS(Ya_u, Yb_u, 3 * r->n_y * r->n_u);
}

// Every step the same bits in the library and in the export, 10⁴ of them; all else every CHUNK
// steps.
static void compare(const export_fixture *x, const loaded *l)
{
  enum { WORK = 1 << 16 };
  const mw_rom *r = &x->f.rom;
  static double work[WORK];
  double a[MAX_X] = { 0 }, b[MAX_X] = { 0 }, u[SYN_N_U];
  mw_rom_opt opt = mw_rom_opt_default();
  int n = r->s + r->m, blame;
  double way = 0.0;
  bool same = true;
  opt.inertia = x->f.inertia;
  start_state(r, a);
  start_state(r, b);
  mw_rom_code ca = MW_ROM_OK;
  for (int k = 0; same && ca == MW_ROM_OK && k < N_STEP; k++) {
    drive(x, k, u);
    ca =
        mw_rom_step(&(mw_rom_call){ .rom = r, .opt = &opt, .h = 1e-3, .u = u, .work = x->sens }, a);
    int cb = l->step(1e-3, u, b, work + k % 8, &blame);
    // the fields of the model with all parts push it out of its box in the end
    same = (ca == MW_ROM_OK || (r->parts && k > 300)) && cb == (int)ca &&
           (blame == -1) == (ca == MW_ROM_OK) && memcmp(a, b, sizeof(double) * 2 * (size_t)n) == 0;
    if (!same) printf("step %d: codes %d and %d\n", k, (int)ca, cb);
    for (int i = 0; i < r->s; i++) way = fmax(way, fabs(a[i] - (0.1 + 0.2 * i)));
    if (same && k % CHUNK == 0) compare_at_state(x, l, b, u, work);
  }
  MW_CHECK(same);
  MW_CHECK(way > 0.01);  // it went somewhere
}

static void compare_at(const export_fixture *x, const char *cc, const char *flags)
{
  static int number;
  char dir[FIX_PATH], library[32];
  if (!export_has_compiler(cc)) return;
  export_folder_make(dir);
  write_export(x, dir);
  snprintf(library, sizeof library, "it%d.so", number++);
  if (MW_CHECK(export_compile(dir, cc, flags, "it.c", library) == 0)) {
    loaded l = load(dir, library);
    compare(x, &l);
    (void)dlclose(l.lib);
  } else {
    printf("%s %s\n", cc, flags);
  }
  export_folder_remove(dir);
}

// Compilers take most of this suite's time, at -O3 ten times that of -O0. With sanitizers, where
// what they make is compared elsewhere, one setting is enough to run the writer of exports.
static const char *const settings[][2] = {
  { "cc", "-std=c99 -O0" },
#ifndef MW_TEST_CC
  { "cc", "-std=c99 -O1 -DROM_NO_VECTORS" },  // what compilers without vectors see
  { "cc", "-std=gnu99 -O3 -march=native" },   // gnu99: gcc fuses unless the file says otherwise
  { "clang", "-std=gnu99 -O1 -march=native" },
#endif
};
static const char *const settings_second[][2] = {
#ifdef MW_TEST_CC
  { "cc", "-std=c99 -O0" },
#else
  { "cc", "-std=c99 -O1 -DROM_NO_VECTORS" },
  { "cc", "-std=gnu99 -O2 -march=native" },
  { "clang", "-std=gnu99 -O1 -march=native" },
#endif
};

static void steps_of_a_table_have_the_bits_of_the_library(void)
{
  export_fixture *x = export_fixture_table();
  for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
    compare_at(x, settings[k][0], settings[k][1]);
  export_fixture_free(x);
}

// Nothing is said to turn and there are no laws: matrices are symmetric and made of packed fields.
static void steps_of_slow_coordinates_have_the_bits_of_the_library(void)
{
  export_fixture *x = export_fixture_table();
  x->f.rom.slow = (1u << x->f.rom.s) - 1u;
  x->f.rom.n_law = 0;
  compare_at(x, "cc", "-std=c99 -O0 -DROM_NO_VECTORS");
  export_fixture_free(x);
}

static void steps_of_a_model_of_second_order_have_the_bits_of_the_library(void)
{
  export_fixture *x = export_fixture_second();
  for (size_t k = 0; k < sizeof settings_second / sizeof *settings_second; k++)
    compare_at(x, settings_second[k][0], settings_second[k][1]);
  export_fixture_free(x);
}

static void steps_of_trains_have_the_bits_of_the_library(void)
{
  export_fixture *x = export_fixture_trains();
  compare_at(x, "cc", "-std=gnu99 -O1 -march=native");
  export_fixture_free(x);
}

// ---- other targets ------------------------------------------------------------------------------

static bool builds(const char *dir, const char *flags)
{
  char line[4 * FIX_PATH];
  snprintf(
      line, sizeof line,
      "cd '%s' && echo 'int main(void) { return 0; }' > one.c && cc %s one.c -o one > one.txt 2>&1",
      dir, flags);
  return system(line) == 0;
}

// A number of steps in a program made for a 32-bit processor, with the arithmetic of its SSE2 unit
// (the x87 has another).
static void a_32_bit_program_gives_the_bits_of_the_library(void)
{
  enum { N = 1000 };
  static const char *const flags = "-m32 -msse2 -mfpmath=sse";
  export_fixture *x = export_fixture_table();
  const mw_rom *r = &x->f.rom;
  mw_rom_opt opt = mw_rom_opt_default();
  char dir[FIX_PATH], line[4 * FIX_PATH];
  double a[MAX_X], b[MAX_X], u[SYN_N_U], head[2] = { N, 1e-3 };
  size_t n_x = 2 * (size_t)(r->s + r->m), n_u = (size_t)r->n_u;
  export_folder_make(dir);
  if (!builds(dir, flags)) {
    printf("no 32-bit programs here (gcc-multilib): not tested\n");
    export_folder_remove(dir);
    export_fixture_free(x);
    return;
  }
  write_export(x, dir);
  start_state(r, a);
  snprintf(line, sizeof line, "%s/in", dir);
  FILE *in = fopen(line, "wb");
  if (!MW_CHECK(in != NULL)) exit(EXIT_FAILURE);
  fwrite(head, sizeof *head, 2, in);
  fwrite(a, sizeof *a, n_x, in);
  for (int k = 0; k < N; k++) {
    drive(x, k, u);
    fwrite(u, sizeof *u, n_u, in);
  }
  MW_CHECK(fclose(in) == 0);
  snprintf(
      line, sizeof line,
      "cd '%s' && cc -std=c99 -O0 %s -Wall -Wextra -Werror -I. %s/sim/standin/export_run.c it.c "
      "-o run "
      "-lm && ./run in out",
      dir, flags, MW_TESTS_DIR);
  MW_CHECK(system(line) == 0);
  snprintf(line, sizeof line, "%s/out", dir);
  FILE *out = fopen(line, "rb");
  bool same = MW_CHECK(out != NULL);
  for (int k = 0; same && k < N; k++) {
    drive(x, k, u);
    same = mw_rom_step(&(mw_rom_call){ .rom = r, .opt = &opt, .h = 1e-3, .u = u, .work = x->sens },
                       a) == MW_ROM_OK &&
           fread(b, sizeof *b, n_x, out) == n_x && memcmp(a, b, n_x * sizeof *a) == 0;
  }
  MW_CHECK(same);
  if (out) (void)fclose(out);
  export_folder_remove(dir);
  export_fixture_free(x);
}

// Largest |a - b| of the four parts of a state: theta, delta, thd, deld.
static void distance(const mw_rom *r, const double *a, const double *b, double *d)
{
  int part[] = { r->s, r->m, r->s, r->m }, k = 0;
  for (int p = 0; p < 4; p++)
    for (int i = 0; i < part[p]; i++, k++) d[p] = fmax(d[p], fabs(a[k] - b[k]));
}

enum { N_SINGLE = 200 };

// path [N_SINGLE × n_x] in double. seed 0: as it is; else every table entry, state and input off by
// a rounding of single precision, up or down at random.
static void rounded_path(export_fixture *x, uint64_t seed, double *path)
{
  const mw_rom *r = &x->f.rom;
  mw_rom rom = *r;
  mw_rom_opt opt = mw_rom_opt_default();
  int n_x = 2 * (r->s + r->m);
  size_t n = mw_rom_bytes(r) / sizeof(double);
  double *coef = malloc(n * sizeof *coef), state[MAX_X], u[SYN_N_U], half = 0.5 * FLT_EPSILON;
  if (!MW_CHECK(coef != NULL)) exit(EXIT_FAILURE);
#define OFF(v) ((v) * (seed ? 1.0 + (synthetic_random(&seed) < 0.0 ? -half : half) : 1.0))
  for (size_t k = 0; k < n; k++) coef[k] = OFF(x->syn.coef[k]);
  rom.coef = coef;
  start_state(r, state);
  for (int k = 0; k < N_SINGLE; k++) {
    drive(x, k, u);
    for (int i = 0; i < r->n_u; i++) u[i] = OFF(u[i]);
    for (int i = 0; i < n_x; i++) state[i] = OFF(state[i]);
#undef OFF
    MW_CHECK(
        mw_rom_step(&(mw_rom_call){ .rom = &rom, .opt = &opt, .h = 1e-3, .u = u, .work = x->sens },
                    state) == MW_ROM_OK);
    memcpy(path + (size_t)k * (size_t)n_x, state, (size_t)n_x * sizeof *state);
  }
  free(coef);
}

// A step with derivatives in single precision keeps to the work that the header says: the library's
// in numbers, and as many more as may lie before a multiple of 64 bytes.
static void check_single_work(const export_fixture *x, void *lib)
{
  enum { MARK = 1234, GUARD = 64, MORE = 64 / sizeof(float) };
  typedef int (*sens_float)(float h, const float *u, float *x, float *x_x, float *x_u, float *work,
                            int *blame);
  const mw_rom *r = &x->f.rom;
  size_t n = mw_rom_sens_bytes(r) / sizeof(double) + MORE;
  static float x_x[MAX_X * MAX_X], x_u[MAX_X * SYN_N_U];
  float *work = malloc((1 + n + GUARD) * sizeof *work), state[MAX_X] = { 0.1f, 0.2f };
  float u[SYN_N_U] = { 0.0f, 0.0f };
  sens_float sens;
  if (!MW_CHECK(work != NULL)) exit(EXIT_FAILURE);
  export_symbol(lib, "it_step_sens", &sens);
  for (int before = 0; before < 2; before++) {
    float *guard = work + before + n;
    for (int k = 0; k < GUARD - 1; k++) guard[k] = MARK;
    MW_CHECK(sens(1e-3f, u, state, x_x, x_u, work + before, NULL) == 0);
    for (int k = 0; k < GUARD - 1; k++) MW_CHECK(guard[k] == MARK);
  }
  free(work);
}

// Every rounding of the arithmetic acts as one of a table entry, a state or an input: of a sum of
// products each can be put on a factor (backward error). How far one rounding of each of those, up
// or down at random, moves the path is measured (TRIALS of them); in a step an entry meets no more
// roundings than stand below. Longest chains: 4² + 4 products of interpolation, m(m+1)/2 + m of
// quadratic forms, 3 m of elimination and substitution, each with its sum.
static void single_precision_stays_within_its_roundings(void)
{
  enum { TRIALS = 8, M = 7, ROUNDINGS = 2 * (20 + M * (M + 1) / 2 + M + 3 * M) };
  typedef int (*step_float)(float h, const float *u, float *x, float *work, int *blame);
  export_fixture *x = export_fixture_table();
  const mw_rom *r = &x->f.rom;
  size_t n_x = 2 * (size_t)(r->s + r->m);
  char dir[FIX_PATH];
  static double plain[N_SINGLE * MAX_X], off[N_SINGLE * MAX_X];
  static float work[1 << 16];
  double d[4] = { 0 }, error[4] = { 0 }, state[MAX_X], u[SYN_N_U];
  float xs[MAX_X], us[SYN_N_U];
  step_float step;
  rounded_path(x, 0, plain);
  for (uint64_t t = 1; t <= TRIALS; t++) {
    rounded_path(x, t, off);
    for (size_t k = 0; k < N_SINGLE; k++) distance(r, plain + k * n_x, off + k * n_x, d);
  }
  export_folder_make(dir);
  write_export(x, dir);
  MW_CHECK(export_compile(dir, "cc", "-std=c99 -O0 -DIT_SINGLE", "it.c", "single.so") == 0);
  void *lib = export_load(dir, "single.so");
  export_symbol(lib, "it_step", &step);
  start_state(r, state);
  for (size_t i = 0; i < n_x; i++) xs[i] = (float)state[i];
  for (int k = 0; k < N_SINGLE; k++) {
    drive(x, k, u);
    for (int i = 0; i < r->n_u; i++) us[i] = (float)u[i];
    MW_CHECK(step(1e-3f, us, xs, work, NULL) == 0);
    for (size_t i = 0; i < n_x; i++) state[i] = (double)xs[i];
    distance(r, plain + (size_t)k * n_x, state, error);
  }
  for (int p = 0; p < 4; p++) {
    MW_NEAR(error[p], 0.0, ROUNDINGS * d[p]);
    MW_CHECK(error[p] > 0.0);  // it is single precision
  }
  check_single_work(x, lib);
  (void)dlclose(lib);
  export_folder_remove(dir);
  export_fixture_free(x);
}

static void codes_name_what_is_to_blame(void)
{
  export_fixture *x = export_fixture_table();
  char dir[FIX_PATH];
  export_folder_make(dir);
  write_export(x, dir);
  if (MW_CHECK(export_compile(dir, "cc", "-std=c99 -O0", "it.c", "codes.so") == 0)) {
    enum { WORK = 1 << 16 };
    static double work[WORK];
    loaded l = load(dir, "codes.so");
    double s[MAX_X], before[MAX_X], u[SYN_N_U] = { 0.0, 0.0 }, acc[MAX_X];
    int blame;
    start_state(&x->f.rom, s);
    memcpy(before, s, sizeof s);
    u[1] = NAN;
    MW_CHECK(l.rhs(s, u, acc, work, &blame) == MW_ROM_NAN && blame == 18 + 1);
    u[1] = 0.0;
    s[2 + 3] = before[2 + 3] = -3.1;
    MW_CHECK(l.step(1e-3, u, s, work, &blame) == MW_ROM_DELTA && blame == 2 + 3);
    MW_SAME_BITS(s, before, 18);
    s[2 + 3] = 0.0;
    s[1] = 1.5;
    MW_CHECK(l.step(1e-3, u, s, work, &blame) == MW_ROM_THETA && blame == 1);
    s[1] = 0.0;
    s[17] = INFINITY;
    MW_CHECK(l.step(1e-3, u, s, work, &blame) == MW_ROM_NAN && blame == 17);
    const char *(*name)(int);
    export_symbol(l.lib, "it_code_name", &name);
    for (int c = 0; c <= MW_ROM_INPUT; c++)
      MW_CHECK(strcmp(name(c), mw_rom_code_name((mw_rom_code)c)) == 0);
    MW_CHECK(strcmp(name(99), "unknown") == 0 && strcmp(name(-1), "unknown") == 0);
    (void)dlclose(l.lib);
  }
  export_folder_remove(dir);
  export_fixture_free(x);
}

static void names_that_are_no_identifiers_are_refused(void)
{
  export_fixture *x = export_fixture_table();
  mw_error err = { 0 };
  mw_export_opt opt = mw_export_opt_default();
  char name[MW_EXPORT_MAX_NAME + 1];
  static const char *const bad[] = {
    "", "2a", "a b", "a-b", "_a", "real", "mw_rom", "a2345678901234567890123456789012345678901"
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    opt.name = bad[k];
    MW_FAILS(mw_export_name(&x->f, &opt, name, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "--name") != NULL);
  }
  opt.name = NULL;
  MW_OKAY(mw_export_name(&x->f, &opt, name, &err));
  MW_CHECK(strcmp(name, "reduced") == 0);  // "2 modes: …" begins with a digit
  x->f.model_name = "A  pick-and-place (gantry)";
  MW_OKAY(mw_export_name(&x->f, &opt, name, &err));
  MW_CHECK(strcmp(name, "a_pick_and_place_gantry") == 0);
  export_fixture_free(x);
}

static const mw_test_case cases[] = {
  { "steps_of_a_table_have_the_bits_of_the_library",
    steps_of_a_table_have_the_bits_of_the_library },
  { "steps_of_slow_coordinates_have_the_bits_of_the_library",
    steps_of_slow_coordinates_have_the_bits_of_the_library },
  { "steps_of_a_model_of_second_order_have_the_bits_of_the_library",
    steps_of_a_model_of_second_order_have_the_bits_of_the_library },
  { "steps_of_trains_have_the_bits_of_the_library", steps_of_trains_have_the_bits_of_the_library },
  { "a_32_bit_program_gives_the_bits_of_the_library",
    a_32_bit_program_gives_the_bits_of_the_library },
  { "single_precision_stays_within_its_roundings", single_precision_stays_within_its_roundings },
  { "codes_name_what_is_to_blame", codes_name_what_is_to_blame },
  { "names_that_are_no_identifiers_are_refused", names_that_are_no_identifiers_are_refused },
};

int main(void) { return mw_test_run("export", cases, (int)(sizeof cases / sizeof *cases)); }
