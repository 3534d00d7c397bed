// SPDX-License-Identifier: BSD-3-Clause
// cmd_modes.c: modeway modes: frequencies and shapes at one configuration.
#include <stdlib.h>

#include "cmd_priv.h"
#include "reduction/reduce.h"
#include "vtu_priv.h"

static void print_json(const mw_model *m, const double *theta, int n, const double *freq)
{
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_json_object(&j, "at");
  for (int i = 0; i < m->reduction.n_coordinate; i++)
    mw_json_num(&j, m->reduction.coordinate[i].name, theta[i]);
  mw_json_end(&j, '}');
  mw_json_array(&j, "frequencies_hz");
  for (int k = 0; k < n; k++) mw_json_num(&j, NULL, freq[k]);
  mw_json_end(&j, ']');
  mw_json_end(&j, '}');
}

static void print_text(const mw_model *m, const double *theta, const char *what, int n,
                       const double *freq)
{
  printf("%s at", what);
  for (int i = 0; i < m->reduction.n_coordinate; i++)
    printf(" %s = %g", m->reduction.coordinate[i].name, theta[i]);
  printf("\n");
  for (int k = 0; k < n; k++) printf("%4d  %.9g Hz\n", k + 1, freq[k]);
}

static mw_code direct(const mw_case *c, const double *theta, int n, bool free_drives,
                      const char *vtk, mw_arena *mem, double **freq, mw_error *err)
{
  double *shape = NULL, *p = mw_arena_f64(mem, 12 * (size_t)c->mech.n_body);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK)
    rc = mw_direct_modes(&c->mech, theta, n, free_drives, mem, freq, vtk ? &shape : NULL, p, err);
  if (rc == MW_OK && vtk) rc = mw_vtu_write(&c->mech, p, n, *freq, shape, vtk, err);
  return rc;
}

static mw_code reduced(const mw_case *c, const char *path, const double *theta, int *n,
                       bool free_drives, mw_arena *mem, double **freq, mw_error *err)
{
  mw_rom_file f = { 0 };
  mw_code rc = mw_rom_of_case(c, path, &f, err);
  if (rc != MW_OK) return rc;
  if (*n > f.rom.m) *n = f.rom.m;
  *freq = mw_arena_f64(mem, (size_t)*n);
  rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_rom_frequencies(&f, theta, free_drives, *n, *freq, err);
  mw_rom_file_free(&f);
  return rc;
}

static int run(const mw_args *a)
{
  mw_case c;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  double theta[MW_ROM_MAX_S], *freq = NULL;
  int n = 10;
  const char *rom = mw_args_value(a, "rom"), *vtk = mw_args_value(a, "vtk");
  bool free_drives = mw_args_value(a, "free") != NULL;
  mw_code rc = mw_args_int(a, "count", 1, 1000, &n, &err);
  if (rc == MW_OK && rom && vtk)
    rc = mw_fail(&err, MW_ERR_INPUT, MW_NOWHERE, "--vtk draws the direct modes; leave out --rom");
  if (rc == MW_OK) rc = mw_case_read(a->operand, &c, &err);
  if (rc != MW_OK) return mw_cmd_fail(&err);
  rc = mw_theta_read(&c.model, mw_args_value(a, "at"), theta, &err);
  if (rc == MW_OK)
    rc = rom ? reduced(&c, rom, theta, &n, free_drives, &mem, &freq, &err)
             : direct(&c, theta, n, free_drives, vtk, &mem, &freq, &err);
  if (rc == MW_OK) {
    if (a->json)
      print_json(&c.model, theta, n, freq);
    else
      print_text(&c.model, theta, rom ? "modes of the reduced model" : "direct modes", n, freq);
  }
  mw_arena_free(&mem);
  mw_case_free(&c);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_command mw_cmd_modes = {
  .name = "modes",
  .operand = "MODEL",
  .summary = "frequencies and mode shapes at one configuration",
  .doc = "Direct modes of the full mechanism with the coordinates of the reduction held,\n"
         "complete by an inertia count; with --rom those of the interpolated reduced model.\n\n"
         "--json: {\"at\": {COORDINATE: value}, \"frequencies_hz\": [ascending]}\n",
  .option = { { 'a', "at", "x=0.3,y=0.1", "where: every coordinate of the reduction, m or rad",
                true },
              { 'n', "count", "N", "how many (default 10; with --rom at most its columns)", false },
              { 0, "free", NULL, "drives free instead of held; rigid motions are left out", false },
              { 'r', "rom", "ROM.nc", "those of a reduced model made from MODEL", false },
              { 0, "vtk", "FILE.vtu",
                "the direct shapes for ParaView, each with largest displacement 1", false } },
  .run = run,
};
