// SPDX-License-Identifier: BSD-3-Clause
// test_export_acados.c: exported discrete dynamics for acados, with matrices by columns and by
// panels, against the library.
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixture_export.h"
#include "mw_test.h"

enum { MAX_X = 2 * (FIX_MAX_S + SYN_MAX_M), MAX_UX = (MAX_X + SYN_N_U) * MAX_X };

typedef int call_fn(int jacobian, int nx, int nu, const double *x, const double *u, double *x_next,
                    double *ux);

static void *build(const export_fixture *x, const char *dir, const char *flags, const char *library)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_export_list list;
  mw_export_opt opt = mw_export_opt_default();
  char more[FIX_PATH];
  opt.name = "it";
  opt.step = 2e-3;
  MW_OKAY(mw_export_acados(&x->f, &opt, dir, &mem, &list, &err));
  MW_CHECK(list.n == 3);
  mw_arena_free(&mem);
  snprintf(more, sizeof more, "-std=gnu99 %s -I%s/sim/standin", flags, MW_TESTS_DIR);
  if (!MW_CHECK(export_compile(dir, "cc", more,
                               "it_acados.c " MW_TESTS_DIR "/sim/standin/acados_shim.c",
                               library) == 0))
    exit(EXIT_FAILURE);
  return export_load(dir, library);
}

// next and ux as the library says.
static void reference(const export_fixture *x, const double *state, const double *u, double *next,
                      double *ux)
{
  const mw_rom *r = &x->f.rom;
  int nx = 2 * (r->s + r->m), nu = r->n_u;
  double x_x[MAX_X * MAX_X], x_u[MAX_X * SYN_N_U];
  mw_rom_opt opt = mw_rom_opt_default();
  memcpy(next, state, (size_t)nx * sizeof *next);
  MW_CHECK(
      mw_rom_step_sens(&(mw_rom_call){ .rom = r, .opt = &opt, .h = 2e-3, .u = u, .work = x->sens },
                       next, x_x, x_u) == MW_ROM_OK);
  for (int j = 0; j < nx; j++) {
    for (int i = 0; i < nu; i++) ux[i * nx + j] = x_u[j * nu + i];
    for (int i = 0; i < nx; i++) ux[(nu + i) * nx + j] = x_x[j * nx + i];
  }
}

static void compare_with(const char *flags, const char *library)
{
  export_fixture *x = export_fixture_table();
  const mw_rom *r = &x->f.rom;
  char dir[FIX_PATH];
  call_fn *call;
  int nx = 2 * (r->s + r->m), nu = r->n_u;
  double state[MAX_X] = { 0.1, 0.3, 1e-3, 5e-4 }, u[SYN_N_U] = { 0.3, -0.2 };
  static double got_x[MAX_X], want_x[MAX_X], got[MAX_UX], want[MAX_UX];
  export_folder_make(dir);
  void *lib = build(x, dir, flags, library);
  export_symbol(lib, "shim_call", &call);
  for (int k = 0; k < 20; k++) {
    reference(x, state, u, want_x, want);
    MW_CHECK(call(0, nx, nu, state, u, got_x, got) == 0);
    MW_SAME_BITS(got_x, want_x, nx);
    MW_CHECK(call(1, nx, nu, state, u, got_x, got) == 0);
    MW_SAME_BITS(got_x, want_x, nx);
    MW_SAME_BITS(got, want, (nu + nx) * nx);
    memcpy(state, got_x, sizeof state);
  }
  (void)dlclose(lib);
  export_folder_remove(dir);
  export_fixture_free(x);
}

static void matrices_by_columns_get_the_bits_of_the_library(void)
{
  compare_with("-O1 -DMF_COLMAJ", "columns.so");
}

static void matrices_by_panels_get_the_bits_of_the_library(void)
{
  compare_with("-O0 -DMF_PANELMAJ", "panels.so");
}

static void a_step_that_fails_gives_nan(void)
{
  export_fixture *x = export_fixture_table();
  const mw_rom *r = &x->f.rom;
  char dir[FIX_PATH];
  call_fn *call;
  int nx = 2 * (r->s + r->m), nu = r->n_u;
  double state[MAX_X] = { 3.0 }, u[SYN_N_U] = { 0.0, 0.0 }, next[MAX_X];  // outside the box
  static double ux[MAX_UX];
  export_folder_make(dir);
  void *lib = build(x, dir, "-O0 -DMF_PANELMAJ", "nan.so");
  export_symbol(lib, "shim_call", &call);
  for (int jacobian = 0; jacobian < 2; jacobian++) {
    MW_CHECK(call(jacobian, nx, nu, state, u, next, ux) == 0);
    for (int i = 0; i < nx; i++) MW_CHECK(isnan(next[i]));
  }
  for (int k = 0; k < (nu + nx) * nx; k++) MW_CHECK(isnan(ux[k]));
  (void)dlclose(lib);
  export_folder_remove(dir);
  export_fixture_free(x);
}

static const mw_test_case cases[] = {
  { "matrices_by_columns_get_the_bits_of_the_library",
    matrices_by_columns_get_the_bits_of_the_library },
  { "matrices_by_panels_get_the_bits_of_the_library",
    matrices_by_panels_get_the_bits_of_the_library },
  { "a_step_that_fails_gives_nan", a_step_that_fails_gives_nan },
};

int main(void) { return mw_test_run("export_acados", cases, (int)(sizeof cases / sizeof *cases)); }
