// SPDX-License-Identifier: BSD-3-Clause
// cmd_reduce.c: modeway reduce: the reduced model of a mechanism with its certificate.
#include <stdlib.h>

#include "cmd_priv.h"

static bool met(const mw_certificate *c) { return c->max_frequency_error <= c->tolerance; }

static void print_json(const mw_rom_file *f)
{
  const mw_certificate *c = &f->certificate;
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_json_num(&j, "grid_points", f->n_point);
  mw_json_num(&j, "modes", f->n_modes);
  mw_json_num(&j, "patterns", f->n_patterns);
  mw_json_num(&j, "unknowns", f->unknowns);
  mw_json_num(&j, "wall_s", f->wall_s);
  mw_json_num(&j, "largest_jump", f->largest_jump);
  mw_json_object(&j, "certificate");
  mw_json_num(&j, "max_frequency_error", c->max_frequency_error);
  mw_json_num(&j, "min_mac", c->min_mac);
  mw_json_num(&j, "max_static_error", c->max_static_error);
  if (c->stress_error) mw_json_num(&j, "max_stress_error", c->max_stress_error);
  mw_json_num(&j, "points", c->n);
  mw_json_object(&j, "worst");
  for (int i = 0; c->n > 0 && i < f->rom.s; i++)
    mw_json_num(&j, f->coordinate[i], c->theta[c->worst * f->rom.s + i]);
  mw_json_end(&j, '}');
  mw_json_num(&j, "tolerance", c->tolerance);
  mw_json_bool(&j, "met", met(c));
  mw_json_end(&j, '}');
  mw_json_end(&j, '}');
}

static void print_text(const mw_rom_file *f, const char *path)
{
  const mw_certificate *c = &f->certificate;
  printf("%s: %d modes and %d patterns on %d grid points, from %d unknowns, in %.2f s\n", path,
         f->n_modes, f->n_patterns, f->n_point, f->unknowns, f->wall_s);
  for (int i = 0; i < f->rom.s; i++)
    printf("  %s: %g to %g %s, %d points, tables of %d\n", f->coordinate[i], f->rom.lo[i],
           f->rom.hi[i], f->unit[i], f->n_grid[i], f->rom.n_grid[i]);
  printf("certificate at %d points off the grid, reduced against direct\n", c->n);
  printf("  frequencies  %.2e  (tolerance %.2e: %s)", c->max_frequency_error, c->tolerance,
         met(c) ? "met" : "missed");
  for (int i = 0; c->n > 0 && i < f->rom.s; i++)
    printf("%s%s = %.6g", i ? ", " : "  worst at ", f->coordinate[i],
           c->theta[c->worst * f->rom.s + i]);
  printf("\n  lowest modal assurance  %.8f\n  static compliance  %.2e\n", c->min_mac,
         c->max_static_error);
  if (c->stress_error) printf("  static stress  %.2e\n", c->max_stress_error);
}

static int run(const mw_args *a)
{
  mw_case c;
  mw_error err = { 0 };
  mw_rom_file f = { 0 };
  mw_progress progress = mw_progress_default(a->quiet);
  const char *out = mw_args_value(a, "output");
  int n_grid = 0;
  mw_code rc = mw_args_int(a, "grid", 4, 10000, &n_grid, &err);
  if (rc == MW_OK) rc = mw_case_read(a->operand, &c, &err);
  if (rc != MW_OK) return mw_cmd_fail(&err);
  rc = mw_case_reduce(&c, a, n_grid, &progress, &f, &err);
  if (rc == MW_OK) rc = mw_rom_file_write(&f, out, &err);
  if (rc == MW_OK) {
    if (a->json)
      print_json(&f);
    else
      print_text(&f, out);
    if (!met(&f.certificate))
      rc = mw_fail(&err, MW_ERR_NUMERIC, (mw_at){ .file = out },
                   "frequencies off the grid are wrong by %.2e, %.2e was asked for; "
                   "more grid points are needed",
                   f.certificate.max_frequency_error, f.certificate.tolerance);
  }
  mw_rom_file_free(&f);
  mw_case_free(&c);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_command mw_cmd_reduce = {
  .name = "reduce",
  .operand = "MODEL",
  .summary = "build the reduced model of a mechanism, with its certificate",
  .doc =
      "Modes and static patterns on a grid of the coordinates in the model's section\n"
      "reduction, aligned, and interpolated. The certificate compares frequencies, mode\n"
      "shapes and static compliance with the full mechanism off the grid. Exit status 1\n"
      "when it misses the tolerance asked for; the file is written all the same.\n\n"
      "--json: {\"grid_points\", \"modes\", \"patterns\", \"unknowns\" of the full mechanism,\n"
      "  \"wall_s\", \"largest_jump\" of a mode between neighbours on the grid, \"certificate\":\n"
      "  {\"max_frequency_error\", \"min_mac\", \"max_static_error\" (relative),\n"
      "  \"max_stress_error\" (with stress or strain outputs), \"points\",\n"
      "  \"worst\": {COORDINATE: value}, \"tolerance\", \"met\"}}\n",
  .option = { { 'o', "output", "ROM.nc", "the reduced model, netCDF", true },
              { 0, "grid", "N", "grid points of every coordinate (default: the model's)", false },
              { 0, "shapes", "SHAPES.nc", "its columns on the mesh, for simulate --vtk", false } },
  .run = run,
};
