// SPDX-License-Identifier: BSD-3-Clause
// cmd_simulate.c: modeway simulate: one scenario by one path.
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_priv.h"

static void print_json(const mw_run *r, const char *file)
{
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_json_str(&j, "scenario", r->scenario);
  mw_json_str(&j, "path", r->path);
  mw_json_str(&j, "file", file);
  mw_json_num(&j, "unknowns", r->unknowns);
  mw_json_num(&j, "instants", r->n_t);
  mw_json_num(&j, "steps", r->steps);
  mw_json_num(&j, "iterations", r->iterations);
  mw_json_num(&j, "step_s", r->step);
  mw_json_num(&j, "wall_s", r->wall_s);
  mw_json_num(&j, "real_time_factor", mw_run_real_time_factor(r));
  mw_json_num(&j, "energy_drift", r->energy_drift);
  mw_json_num(&j, "constraint_residual", mw_run_residual(r));
  mw_json_end(&j, '}');
}

static void print_text(const mw_run *r, const char *file)
{
  printf("%s: scenario %s, path %s, %d unknowns\n", file, r->scenario, r->path, r->unknowns);
  printf("  %d steps of %g s, %d iterations, %.3f s, %.3g times real time\n", r->steps, r->step,
         r->iterations, r->wall_s, mw_run_real_time_factor(r));
  printf("  energy balance %.2e, constraint residual %.2e\n", r->energy_drift, mw_run_residual(r));
}

// A reduced model is known by the first bytes of its file; it names the model it was made from.
static bool is_netcdf(const char *path)
{
  unsigned char head[4] = { 0 };
  FILE *f = fopen(path, "rb");
  if (!f) return false;
  bool yes =
      fread(head, 1, sizeof head, f) == sizeof head && memcmp(head, "\x89HDF", sizeof head) == 0;
  fclose(f);
  return yes;
}

static mw_code options(const mw_args *a, const char *rom, const char **path, mw_path_opt *opt,
                       mw_error *err)
{
  *path = mw_args_value(a, "path");
  if (!*path) *path = rom ? "gmp" : "full";
  opt->body_modes = 10;
  opt->truncated = mw_args_value(a, "truncated") != NULL;
  if (strcmp(*path, "full") != 0 && strcmp(*path, "body") != 0 && strcmp(*path, "rigid") != 0 &&
      strcmp(*path, "gmp") != 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--path: found \"%s\", expected full, body, rigid or gmp", *path);
  if ((strcmp(*path, "gmp") == 0) != (rom != NULL))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--path gmp and --rom ROM.nc belong together");
  mw_code rc = mw_args_f64(a, "step", 1e-12, DBL_MAX, &opt->step, err);
  return rc == MW_OK ? mw_args_int(a, "body-modes", 0, 10000, &opt->body_modes, err) : rc;
}

static int run(const mw_args *a)
{
  mw_case c;
  mw_error err = { 0 };
  mw_rom_file rom = { 0 };
  mw_run r = { 0 };
  mw_progress progress = mw_progress_default(a->quiet);
  mw_path_opt opt = { .progress = &progress, .rom = &rom };
  const mw_scenario *sc = NULL;
  const char *path, *out = mw_args_value(a, "output"), *rom_path = mw_args_value(a, "rom");
  char model[1024];
  snprintf(model, sizeof model, "%s", a->operand);
  mw_code rc = MW_OK;
  if (is_netcdf(a->operand)) {
    rom_path = a->operand;
    rc = mw_rom_file_read(rom_path, &rom, &err);
    if (rc == MW_OK) snprintf(model, sizeof model, "%s", rom.model_file);
    mw_rom_file_free(&rom);
  }
  if (rc == MW_OK) rc = options(a, rom_path, &path, &opt, &err);
  if (rc == MW_OK) rc = mw_case_read(model, &c, &err);
  if (rc != MW_OK) return mw_cmd_fail(&err);
  rc = mw_scenario_find(&c.model, mw_args_value(a, "scenario"), &sc, &err);
  if (rc == MW_OK && rom_path) rc = mw_rom_of_case(&c, rom_path, &rom, &err);
  if (rc == MW_OK) rc = mw_path_run(&c, sc, path, &opt, &r, &err);
  if (rc == MW_OK) {
    r.command = a->line;
    rc = mw_run_write(&r, out, &err);
  }
  if (rc == MW_OK) {
    if (a->json)
      print_json(&r, out);
    else
      print_text(&r, out);
  }
  mw_run_free(&r);
  mw_rom_file_free(&rom);
  mw_case_free(&c);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_command mw_cmd_simulate = {
  .name = "simulate",
  .operand = "MODEL|ROM.nc",
  .summary = "run a scenario: the full mechanism, a reduced or a rigid one",
  .doc =
      "Paths: full (all elastic unknowns), body (each body on its own Craig-Bampton basis),\n"
      "rigid, gmp (the reduced model of the whole mechanism, with --rom ROM.nc or given as\n"
      "ROM.nc itself, which names the model it was made from).\n\n"
      "--json: {\"scenario\", \"path\", \"file\", \"unknowns\" of a step, \"instants\" stored,\n"
      "  \"steps\", \"iterations\", \"step_s\", \"wall_s\" of the stepping, \"real_time_factor\":\n"
      "  simulated over wall time, \"energy_drift\": largest change of energy less work,\n"
      "  relative, \"constraint_residual\": largest gap of a joint, m or 1}\n",
  .option = { { 's', "scenario", "NAME", "a scenario of the model", true },
              { 'o', "output", "RUN.nc", "the trajectory, netCDF", true },
              { 'p', "path", "PATH", "full, body, rigid or gmp (default: full, gmp with --rom)",
                false },
              { 'r', "rom", "ROM.nc", "the reduced model, made from MODEL by modeway reduce",
                false },
              { 0, "step", "SECONDS", "integration step (default: the scenario's)", false },
              { 0, "body-modes", "N",
                "modes of each body with its interface fixed, path body (default 10)", false },
              { 0, "truncated", NULL, "path body: interface shapes cut to 1e-3 of the compliance",
                false } },
  .run = run,
};
