// SPDX-License-Identifier: BSD-3-Clause
// test_export_casadi.c: exported external functions, loaded as CasADi loads them, against the
// library.
//
// The loader asks for all companions of a function, checks what CasADi relies on (patterns by
// columns with ascending rows, a Jacobian's inputs and outputs in their order), hands exactly the
// memory that was asked for, full of NaN and with a guard behind it, and unpacks results into
// matrices.
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixture_export.h"
#include "mw_test.h"

enum { MAX_X = 2 * (FIX_MAX_S + SYN_MAX_M), MAX_IO = 6, GUARD = 8 };
typedef long long casadi_int;

typedef struct external {
  int (*eval)(const double **arg, double **res, casadi_int *iw, double *w, int mem);
  casadi_int (*n_in)(void), (*n_out)(void);
  const char *(*name_in)(casadi_int), *(*name_out)(casadi_int);
  const casadi_int *(*sparsity_in)(casadi_int), *(*sparsity_out)(casadi_int);
  int (*work)(casadi_int *, casadi_int *, casadi_int *, casadi_int *);
  casadi_int sz_arg, sz_res, sz_iw, sz_w;
} external;

static void companion(void *lib, const char *name, const char *suffix, void *out)
{
  char text[64];
  snprintf(text, sizeof text, "%.40s%.20s", name, suffix);
  export_symbol(lib, text, out);
}

static casadi_int entries(const casadi_int *p) { return p[2 + p[1]]; }

// What Sparsity::compressed takes: columns one after the other, rows ascending and inside.
static void check_pattern(const casadi_int *p)
{
  const casadi_int *start = p + 2, *row = start + p[1] + 1;
  bool good = p[0] >= 0 && p[1] >= 0 && start[0] == 0;
  for (casadi_int j = 0; good && j < p[1]; j++) {
    good = start[j + 1] >= start[j];
    for (casadi_int k = start[j]; good && k < start[j + 1]; k++)
      good = row[k] >= 0 && row[k] < p[0] && (k == start[j] || row[k] > row[k - 1]);
  }
  MW_CHECK(good);
}

static external open_external(void *lib, const char *name)
{
  external e = { 0 };
  companion(lib, name, "", &e.eval);
  companion(lib, name, "_n_in", &e.n_in);
  companion(lib, name, "_n_out", &e.n_out);
  companion(lib, name, "_name_in", &e.name_in);
  companion(lib, name, "_name_out", &e.name_out);
  companion(lib, name, "_sparsity_in", &e.sparsity_in);
  companion(lib, name, "_sparsity_out", &e.sparsity_out);
  companion(lib, name, "_work", &e.work);
  MW_CHECK(e.work(&e.sz_arg, &e.sz_res, &e.sz_iw, &e.sz_w) == 0);
  MW_CHECK(e.sz_arg >= e.n_in() && e.sz_res >= e.n_out());
  for (casadi_int i = 0; i < e.n_in(); i++) check_pattern(e.sparsity_in(i));
  for (casadi_int i = 0; i < e.n_out(); i++) check_pattern(e.sparsity_out(i));
  MW_CHECK(!e.name_in(e.n_in()) && !e.name_in(-1) && !e.name_out(e.n_out()));
  MW_CHECK(!e.sparsity_in(e.n_in()) && !e.sparsity_out(-1));
  return e;
}

// Calls with the memory asked for; dense[i], row-major, of those outputs that are not NULL. Where
// the pattern has no entry: 0.
static int evaluate(const external *e, const double *const *in, double *const *dense)
{
  enum { MARK = 1234 };
  size_t n_w = (size_t)e->sz_w;
  const double *arg[MAX_IO] = { NULL };
  double *res[MAX_IO] = { NULL }, *w = malloc((n_w + GUARD) * sizeof *w);
  casadi_int iw[1] = { MARK };
  if (!MW_CHECK(w && e->sz_arg <= MAX_IO && e->sz_res <= MAX_IO && e->sz_iw == 0)) exit(1);
  for (size_t k = 0; k < n_w + GUARD; k++) w[k] = k < n_w ? NAN : MARK;
  for (casadi_int i = 0; i < e->n_in(); i++) arg[i] = in[i];
  for (casadi_int i = 0; i < e->n_out(); i++)
    if (dense[i]) res[i] = calloc((size_t)entries(e->sparsity_out(i)) + 1, sizeof(double));
  int status = e->eval(arg, res, iw, w, 0);
  for (size_t k = n_w; k < n_w + GUARD; k++) MW_CHECK(w[k] == MARK);
  MW_CHECK(iw[0] == MARK);
  for (casadi_int i = 0; i < e->n_out(); i++) {
    const casadi_int *p = e->sparsity_out(i), *start = p + 2, *row = start + p[1] + 1;
    if (!res[i]) continue;
    MW_CHECK(res[i][entries(p)] == 0.0);
    for (casadi_int k = 0; status == 0 && k < p[0] * p[1]; k++) dense[i][k] = 0.0;
    for (casadi_int j = 0; status == 0 && j < p[1]; j++)
      for (casadi_int k = start[j]; k < start[j + 1]; k++) dense[i][row[k] * p[1] + j] = res[i][k];
    free(res[i]);
  }
  free(w);
  return status;
}

// jac_NAME of NAME: inputs, then outputs; a block for each output and input, in this order.
static void check_jacobian(const external *f, const external *jac)
{
  casadi_int n_in = f->n_in(), n_out = f->n_out();
  char name[64];
  MW_CHECK(jac->n_in() == n_in + n_out && jac->n_out() == n_in * n_out);
  for (casadi_int i = 0; i < n_in; i++) {
    MW_CHECK(strcmp(jac->name_in(i), f->name_in(i)) == 0);
    MW_CHECK(jac->sparsity_in(i)[0] == f->sparsity_in(i)[0]);
  }
  for (casadi_int o = 0; o < n_out; o++) {
    snprintf(name, sizeof name, "out_%s", f->name_out(o));
    MW_CHECK(strcmp(jac->name_in(n_in + o), name) == 0);
    MW_CHECK(jac->sparsity_in(n_in + o)[0] == f->sparsity_out(o)[0]);
    for (casadi_int i = 0; i < n_in; i++) {
      const casadi_int *p = jac->sparsity_out(i + o * n_in);
      snprintf(name, sizeof name, "jac_%s_%s", f->name_out(o), f->name_in(i));
      MW_CHECK(strcmp(jac->name_out(i + o * n_in), name) == 0);
      MW_CHECK(p[0] == f->sparsity_out(o)[0] && p[1] == f->sparsity_in(i)[0]);
    }
  }
}

// ---- the exports --------------------------------------------------------------------------------

typedef struct exported {
  export_fixture *x;
  char dir[FIX_PATH];
  void *lib;
  external f, jac_f, F, jac_F, y, jac_y;
} exported;

// flags: what the export has its library compiled with.
static exported load(export_fixture *x, const char *name, const char *flags)
{
  exported e = { .x = x };
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_export_list list;
  mw_export_opt opt = mw_export_opt_default();
  char text[64];
  opt.name = name;
  setenv("CFLAGS", flags, 1);
  export_folder_make(e.dir);
  MW_OKAY(mw_export_casadi(&x->f, &opt, e.dir, &mem, &list, &err));
  MW_CHECK(list.n == 7 && !list.note);  // the library is one of them
  mw_arena_free(&mem);
  snprintf(text, sizeof text, "%s.so", name);
  e.lib = export_load(e.dir, text);
  struct {
    const char *format;
    external *to;
  } all[] = { { "%s_f", &e.f },         { "jac_%s_f", &e.jac_f }, { "%s_F", &e.F },
              { "jac_%s_F", &e.jac_F }, { "%s_y", &e.y },         { "jac_%s_y", &e.jac_y } };
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const char *head = strncmp(all[k].format, "jac_", 4) == 0 ? "jac_" : "";
    snprintf(text, sizeof text, "%s%s%s", head, name, strrchr(all[k].format, '_'));
    *all[k].to = open_external(e.lib, text);
  }
  check_jacobian(&e.f, &e.jac_f);
  check_jacobian(&e.F, &e.jac_F);
  check_jacobian(&e.y, &e.jac_y);
  return e;
}

static void unload(exported *e)
{
  (void)dlclose(e->lib);
  export_folder_remove(e->dir);
  export_fixture_free(e->x);
}

// State number k: anywhere in the box, moving.
static void some_state(const mw_rom *r, int k, double *x, double *u)
{
  uint64_t seed = 99 + (uint64_t)k;
  int n = r->s + r->m;
  for (int i = 0; i < r->s; i++) x[i] = 0.9 * synthetic_random(&seed);
  for (int a = 0; a < r->m; a++) x[r->s + a] = 1e-3 * synthetic_random(&seed);
  for (int i = 0; i < r->s; i++) x[n + i] = 0.5 * synthetic_random(&seed);
  for (int a = 0; a < r->m; a++) x[n + r->s + a] = 0.1 * synthetic_random(&seed);
  for (int i = 0; i < r->n_u; i++) u[i] = synthetic_random(&seed);
}

// Equal as numbers, entry by entry: an entry that the pattern leaves out is +0 here, and may be -0
// there.
static void same_numbers(const double *a, const double *b, int n)
{
  bool same = true;
  for (int k = 0; k < n; k++) same = same && (a[k] == b[k] || (isnan(a[k]) && isnan(b[k])));
  MW_CHECK(same);
}

static void check_f(const exported *e, const double *x, const double *u)
{
  const mw_rom *r = &e->x->f.rom;
  int n = r->s + r->m, nx = 2 * n;
  static double f[MAX_X], f_x[MAX_X * MAX_X], f_u[MAX_X * SYN_N_U], acc[MAX_X], want[MAX_X],
      want_x[MAX_X * MAX_X], want_u[MAX_X * SYN_N_U];
  mw_rom_opt opt = mw_rom_opt_default();
  const double *in[] = { x, u, NULL };
  MW_CHECK(evaluate(&e->f, in, (double *[]){ f }) == 0);
  MW_CHECK(mw_rom_rhs(&(mw_rom_call){ .rom = r, .opt = &opt, .u = u, .work = e->x->sens }, x,
                      acc) == MW_ROM_OK);
  for (int i = 0; i < n; i++) want[i] = x[n + i];
  for (int i = 0; i < n; i++) want[n + i] = acc[i];
  MW_SAME_BITS(f, want, nx);

  MW_CHECK(evaluate(&e->jac_f, in, (double *[]){ f_x, f_u }) == 0);
  memset(want_x, 0, sizeof want_x);
  memset(want_u, 0, sizeof want_u);
  MW_CHECK(mw_rom_jacobian(&(mw_rom_call){ .rom = r, .opt = &opt, .u = u, .work = e->x->sens }, x,
                           acc, want_x + n * nx, want_u + n * r->n_u) == MW_ROM_OK);
  for (int i = 0; i < n; i++) want_x[i * nx + n + i] = 1.0;
  same_numbers(f_x, want_x, nx * nx);
  same_numbers(f_u, want_u, nx * r->n_u);
}

static void check_F(const exported *e, const double *x, const double *u)
{
  const mw_rom *r = &e->x->f.rom;
  int nx = 2 * (r->s + r->m);
  static double F[MAX_X], F_x[MAX_X * MAX_X], F_u[MAX_X * SYN_N_U], F_h[MAX_X], want[MAX_X],
      want_x[MAX_X * MAX_X], want_u[MAX_X * SYN_N_U];
  double h = 1e-3;
  mw_rom_opt opt = mw_rom_opt_default();
  const double *in[] = { x, u, &h, NULL };
  memcpy(want, x, (size_t)nx * sizeof *want);
  MW_CHECK(
      mw_rom_step_sens(&(mw_rom_call){ .rom = r, .opt = &opt, .h = h, .u = u, .work = e->x->sens },
                       want, want_x, want_u) == MW_ROM_OK);
  MW_CHECK(evaluate(&e->F, in, (double *[]){ F }) == 0);
  MW_SAME_BITS(F, want, nx);
  MW_CHECK(evaluate(&e->jac_F, in, (double *[]){ F_x, F_u, F_h }) == 0);
  same_numbers(F_x, want_x, nx * nx);
  same_numbers(F_u, want_u, nx * r->n_u);
  MW_CHECK(entries(e->jac_F.sparsity_out(2)) == 0);
}

static void check_y(const exported *e, const double *x)
{
  const mw_rom *r = &e->x->f.rom;
  int nx = 2 * (r->s + r->m), n_y = r->n_y;
  static double y[SYN_N_Y], y_dot[SYN_N_Y], y_x[SYN_N_Y * MAX_X], y_dot_x[SYN_N_Y * MAX_X],
      want[SYN_N_Y], want_dot[SYN_N_Y], Y_x[3 * SYN_N_Y * MAX_X];
  double zero[SYN_N_U] = { 0.0 };
  mw_rom_opt opt = mw_rom_opt_default();
  mw_rom_outputs_sens out = { .Y_x = Y_x };
  const double *in[] = { x, NULL, NULL };
  MW_CHECK(mw_rom_outputs(r, x, want, want_dot, e->x->sens, NULL) == MW_ROM_OK);
  MW_CHECK(evaluate(&e->y, in, (double *[]){ y, y_dot }) == 0);
  MW_SAME_BITS(y, want, n_y);
  MW_SAME_BITS(y_dot, want_dot, n_y);
  MW_CHECK(mw_rom_outputs_jacobian(
               &(mw_rom_call){ .rom = r, .opt = &opt, .u = zero, .work = e->x->sens }, x, &out) ==
           MW_ROM_OK);
  MW_CHECK(evaluate(&e->jac_y, in, (double *[]){ y_x, y_dot_x }) == 0);
  same_numbers(y_x, Y_x, n_y * nx);
  same_numbers(y_dot_x, Y_x + n_y * nx, n_y * nx);
}

static void check_all(exported *e)
{
  double x[MAX_X], u[SYN_N_U];
  for (int k = 0; k < 5; k++) {
    some_state(&e->x->f.rom, k, x, u);
    check_f(e, x, u);
    check_F(e, x, u);
    check_y(e, x);
  }
}

#ifdef MW_TEST_CC
static const char *const optimized = "-O0";  // with sanitizers the writer of exports is tried
#else
static const char *const optimized = "-O1";
#endif

// Of the table, compiled once.
static exported the_table;

static exported *table(void)
{
  if (!the_table.lib) the_table = load(export_fixture_table(), "tab", optimized);
  return &the_table;
}

static void functions_of_a_table_have_the_numbers_of_the_library(void) { check_all(table()); }

static void functions_of_a_flat_axis_leave_out_zeros_alone(void)
{
  exported e = load(export_fixture_trains(), "trn", "-O0");
  const casadi_int *f_x = e.jac_f.sparsity_out(0), *F_x = e.jac_F.sparsity_out(0);
  int n = e.x->f.rom.s + e.x->f.rom.m;
  check_all(&e);
  // theta_0 is flat: nothing in its column but itself in a step; rates of all in the first n rows
  MW_CHECK(f_x[3] - f_x[2] == 0 && F_x[3] - F_x[2] == 1);
  MW_CHECK(entries(f_x) == n + n * (2 * n - 1));
  unload(&e);
}

static void an_argument_left_out_is_zero(void)
{
  const exported *e = table();
  const mw_rom *r = &e->x->f.rom;
  double zero[MAX_X] = { 0.0 }, a[MAX_X], b[MAX_X], h = 1e-3;
  const double *none[] = { NULL, NULL, NULL, NULL };
  MW_CHECK(evaluate(&e->f, none, (double *[]){ a }) == 0);
  MW_CHECK(evaluate(&e->f, (const double *[]){ zero, zero, NULL }, (double *[]){ b }) == 0);
  MW_SAME_BITS(a, b, 2 * (r->s + r->m));
  MW_CHECK(evaluate(&e->F, (const double *[]){ NULL, NULL, &h, NULL }, (double *[]){ a }) == 0);
  MW_CHECK(evaluate(&e->F, (const double *[]){ zero, zero, &h, NULL }, (double *[]){ b }) == 0);
  MW_SAME_BITS(a, b, 2 * (r->s + r->m));
  MW_CHECK(
      evaluate(&e->jac_f, (const double *[]){ zero, zero, NULL }, (double *[]){ NULL, NULL }) == 0);
}

static void failures_are_returned(void)
{
  const exported *e = table();
  double x[MAX_X] = { 0.0, 7.0 }, good[MAX_X] = { 0.0 }, u[SYN_N_U] = { 0.0, NAN }, h = 1e-3,
         none = 0.0;
  static double a[MAX_X], m[MAX_X * MAX_X], mu[MAX_X * SYN_N_U], y[SYN_N_Y], yd[SYN_N_Y],
      my[SYN_N_Y * MAX_X], myd[SYN_N_Y * MAX_X];
  double *xs[] = { a }, *jac[] = { m, mu, a }, *ys[] = { y, yd }, *jac_y[] = { my, myd };
  MW_CHECK(evaluate(&e->f, (const double *[]){ x, NULL }, xs) != 0);
  MW_CHECK(evaluate(&e->f, (const double *[]){ good, u }, xs) != 0);
  MW_CHECK(evaluate(&e->jac_f, (const double *[]){ x, NULL, NULL }, jac) != 0);
  MW_CHECK(evaluate(&e->F, (const double *[]){ x, NULL, &h }, xs) != 0);
  MW_CHECK(evaluate(&e->F, (const double *[]){ good, NULL, &none }, xs) != 0);
  MW_CHECK(evaluate(&e->F, (const double *[]){ good, NULL, NULL }, xs) != 0);
  MW_CHECK(evaluate(&e->jac_F, (const double *[]){ x, NULL, &h, NULL }, jac) != 0);
  MW_CHECK(evaluate(&e->y, (const double *[]){ x }, ys) != 0);
  MW_CHECK(evaluate(&e->jac_y, (const double *[]){ x, NULL, NULL }, jac_y) != 0);
  MW_CHECK(evaluate(&e->f, (const double *[]){ good, NULL }, xs) == 0);
  int (*diff)(casadi_int);
  export_symbol(e->lib, "tab_F_diff_in", &diff);
  MW_CHECK(diff(0) && diff(1) && !diff(2));  // by h there is no derivative
}

static void a_model_without_inputs_and_outputs_compiles(void)
{
  export_fixture *x = export_fixture_table();
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_export_list list;
  mw_export_opt opt = mw_export_opt_default();
  char dir[FIX_PATH];
  opt.name = "bare";
  x->f.rom.n_u = x->f.rom.n_y = x->f.rom.n_law = 0;
  x->f.rom.n_field = mw_rom_n_field((mw_rom_shape){ .s = x->f.rom.s, .m = x->f.rom.m });
  export_folder_make(dir);
  setenv("CC", "none-of-that-name", 1);
  MW_OKAY(mw_export_casadi(&x->f, &opt, dir, &mem, &list, &err));
  unsetenv("CC");
  MW_CHECK(list.n == 6 && list.note);  // sources alone
  MW_CHECK(export_compile(dir, "cc", "-std=c99 -O0", "bare.c bare_casadi.c", "bare.so") == 0);
  MW_OKAY(mw_export_acados(&x->f, &opt, dir, &mem, &list, &err));
  MW_CHECK(export_compile(dir, "cc", "-std=c99 -O0 -I" MW_TESTS_DIR "/sim/standin", "bare_acados.c",
                          "bare2.so") == 0);
  MW_OKAY(mw_export_c(&x->f, &opt, dir, &mem, &list, &err));
  MW_CHECK(export_compile(dir, "cc", "-std=c99 -O0", "bare.c example.c", "bare3.so") == 0);
  mw_arena_free(&mem);
  export_folder_remove(dir);
  export_fixture_free(x);
}

static const mw_test_case cases[] = {
  { "functions_of_a_table_have_the_numbers_of_the_library",
    functions_of_a_table_have_the_numbers_of_the_library },
  { "functions_of_a_flat_axis_leave_out_zeros_alone",
    functions_of_a_flat_axis_leave_out_zeros_alone },
  { "an_argument_left_out_is_zero", an_argument_left_out_is_zero },
  { "failures_are_returned", failures_are_returned },
  { "a_model_without_inputs_and_outputs_compiles", a_model_without_inputs_and_outputs_compiles },
};

int main(void)
{
  unsetenv("CC");
  int status = mw_test_run("export_casadi", cases, (int)(sizeof cases / sizeof *cases));
  if (the_table.lib) unload(&the_table);
  return status;
}
