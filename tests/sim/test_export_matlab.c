// SPDX-License-Identifier: BSD-3-Clause
// test_export_matlab.c: the exported S-function, called as Simulink calls it, against the library.
// The function for MATLAB and Octave: tests/interop/octave.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "fixture_export.h"
#include "mw_test.h"

enum { MAX_X = 2 * (FIX_MAX_S + SYN_MAX_M), STEPS = 20 };

typedef const char *run_fn(int n, double h, double *x, double *u, double *X, double *Y,
                           int size[4]);

static void *build(const export_fixture *x, const char *dir)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_export_list list;
  mw_export_opt opt = mw_export_opt_default();
  opt.name = "it";
  MW_OKAY(mw_export_matlab(&x->f, &opt, dir, &mem, &list, &err));
  MW_CHECK(list.n == 8);
  mw_arena_free(&mem);
  if (!MW_CHECK(export_compile(dir, "cc", "-std=c99 -O1 -I. -I" MW_TESTS_DIR "/sim/standin",
                               MW_TESTS_DIR "/sim/standin/sfunction_shim.c it.c", "sfun.so") == 0))
    exit(EXIT_FAILURE);
  return export_load(dir, "sfun.so");
}

static void a_block_of_simulink_steps_with_the_bits_of_the_library(void)
{
  export_fixture *x = export_fixture_table();
  const mw_rom *r = &x->f.rom;
  const double h = 2e-3;
  mw_rom_opt opt = mw_rom_opt_default();
  char dir[FIX_PATH];
  run_fn *run;
  int nx = 2 * (r->s + r->m), nu = r->n_u, size[4] = { nx };
  double state[MAX_X] = { 0.1, 0.3, 1e-3, 5e-4 }, u[STEPS * SYN_N_U], X[STEPS * MAX_X],
         Y[STEPS * SYN_N_Y], y[SYN_N_Y];
  export_folder_make(dir);
  void *lib = build(x, dir);
  export_symbol(lib, "shim_run", &run);
  for (int k = 0; k < STEPS * nu; k++) u[k] = 0.1 * (k % 5) - 0.2;
  MW_CHECK(run(STEPS, h, state, u, X, Y, size) == NULL);
  MW_CHECK(size[0] == nx && size[1] == nu && size[2] == r->n_y && size[3] == nx);
  for (int k = 0; k < STEPS; k++) {
    mw_rom_call call = { .rom = r, .opt = &opt, .h = h, .u = u + k * nu, .work = x->sens };
    MW_SAME_BITS(X + k * nx, state, nx);
    MW_CHECK(mw_rom_outputs(r, state, y, NULL, x->sens, NULL) == MW_ROM_OK);
    MW_SAME_BITS(Y + k * r->n_y, y, r->n_y);
    MW_CHECK(mw_rom_step(&call, state) == MW_ROM_OK);
  }
  (void)dlclose(lib);
  export_folder_remove(dir);
  export_fixture_free(x);
}

static void a_block_says_why_it_goes_no_further(void)
{
  export_fixture *x = export_fixture_table();
  const mw_rom *r = &x->f.rom;
  char dir[FIX_PATH];
  run_fn *run;
  int nx = 2 * (r->s + r->m), size[4] = { nx };
  double state[MAX_X] = { 3.0 }, u[SYN_N_U] = { 0.0 }, X[MAX_X], Y[SYN_N_Y];  // outside the box
  export_folder_make(dir);
  void *lib = build(x, dir);
  export_symbol(lib, "shim_run", &run);
  const char *why = run(1, 1e-3, state, u, X, Y, size);
  MW_CHECK(why && strcmp(why, mw_rom_code_name(MW_ROM_THETA)) == 0);
  size[0] = nx - 1;
  why = run(1, 1e-3, state, u, X, Y, size);
  MW_CHECK(why && strncmp(why, "parameters:", 11) == 0);
  (void)dlclose(lib);
  export_folder_remove(dir);
  export_fixture_free(x);
}

static const mw_test_case cases[] = {
  { "a_block_of_simulink_steps_with_the_bits_of_the_library",
    a_block_of_simulink_steps_with_the_bits_of_the_library },
  { "a_block_says_why_it_goes_no_further", a_block_says_why_it_goes_no_further },
};

int main(void) { return mw_test_run("export_matlab", cases, (int)(sizeof cases / sizeof *cases)); }
