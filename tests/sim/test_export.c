// SPDX-License-Identifier: BSD-3-Clause
// test_export.c: the exported C, compiled at several settings, against the library.
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixture_export.h"
#include "mw_test.h"

enum { N_STEP = 10000, MAX_X = 2 * (FIX_MAX_S + SYN_MAX_M), CHUNK = 100 };

typedef int (*step_fn)(double h, const double *u, double *x, double *work, int *blame);
typedef int (*outputs_fn)(const double *x, double *y, double *y_dot, double *work, int *blame);
typedef int (*rhs_fn)(const double *x, const double *u, double *acc, double *work, int *blame);

typedef struct loaded {
  void *lib;
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
  MW_CHECK(list.n == 6);
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

// Every step the same bits in the library and in the export, 10⁴ of them; outputs every CHUNK steps.
static void compare(const export_fixture *x, const loaded *l)
{
  enum { WORK = 1 << 16 };
  const mw_rom *r = &x->f.rom;
  static double work[WORK];
  double a[MAX_X] = { 0 }, b[MAX_X] = { 0 }, u[SYN_N_U], ya[SYN_N_Y], yb[SYN_N_Y], da[SYN_N_Y],
         db[SYN_N_Y];
  double acc_a[MAX_X] = { 0 }, acc_b[MAX_X] = { 0 };
  mw_rom_opt opt = mw_rom_opt_default();
  int n = r->s + r->m, blame;
  double way = 0.0;
  bool same = true;
  opt.inertia = x->f.inertia;
  start_state(r, a);
  start_state(r, b);
  for (int k = 0; same && k < N_STEP; k++) {
    drive(x, k, u);
    mw_rom_code ca = mw_rom_step(r, &opt, 1e-3, u, NULL, a, x->syn.work, NULL);
    int cb = l->step(1e-3, u, b, work + k % 8, &blame);
    same = ca == MW_ROM_OK && cb == 0 && blame == -1 &&
           memcmp(a, b, sizeof(double) * 2 * (size_t)n) == 0;
    if (!same) printf("step %d: codes %d and %d\n", k, (int)ca, cb);
    for (int i = 0; i < r->s; i++) way = fmax(way, fabs(a[i] - (0.1 + 0.2 * i)));
    if (k % CHUNK != 0) continue;
    MW_CHECK(mw_rom_outputs(r, a, ya, da, x->syn.work, NULL) == MW_ROM_OK);
    MW_CHECK(l->outputs(b, yb, db, work + 1, NULL) == 0);
    MW_SAME_BITS(ya, yb, r->n_y);
    MW_SAME_BITS(da, db, r->n_y);
    MW_CHECK(mw_rom_rhs(r, &opt, a, u, NULL, acc_a, x->syn.work, NULL) == MW_ROM_OK);
    MW_CHECK(l->rhs(b, u, acc_b, work + 3, NULL) == 0);
    MW_SAME_BITS(acc_a, acc_b, n);
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

static const char *const settings[][2] = {
  { "cc", "-std=c99 -O0 -march=native" },
  { "cc", "-std=gnu99 -O3 -march=native" },
};
enum { N_SETTINGS = sizeof settings / sizeof *settings };

static void steps_of_a_table_have_the_bits_of_the_library(void)
{
  export_fixture *x = export_fixture_table();
  for (int k = 0; k < N_SETTINGS; k++) compare_at(x, settings[k][0], settings[k][1]);
  export_fixture_free(x);
}

static void steps_of_trains_have_the_bits_of_the_library(void)
{
  export_fixture *x = export_fixture_trains();
  compare_at(x, settings[1][0], settings[1][1]);
  export_fixture_free(x);
}

static void codes_name_what_is_to_blame(void)
{
  export_fixture *x = export_fixture_table();
  char dir[FIX_PATH];
  export_folder_make(dir);
  write_export(x, dir);
  if (MW_CHECK(export_compile(dir, "cc", "-std=c99 -O1", "it.c", "codes.so") == 0)) {
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
    for (int c = 0; c <= MW_ROM_SINGULAR; c++)
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
  { "steps_of_trains_have_the_bits_of_the_library", steps_of_trains_have_the_bits_of_the_library },
  { "codes_name_what_is_to_blame", codes_name_what_is_to_blame },
  { "names_that_are_no_identifiers_are_refused", names_that_are_no_identifiers_are_refused },
};

int main(void) { return mw_test_run("export", cases, (int)(sizeof cases / sizeof *cases)); }
