// SPDX-License-Identifier: BSD-3-Clause
// main.c: the program gantry-mpc: a model and its reduced model in, two runs and their figures out.
#include <stdlib.h>
#include <string.h>

#include "base/blas.h"
#include "base/folder.h"
#include "cli/cmd_layer.h"
#include "demo.h"

static const char *const usage =
    "usage: gantry-mpc MODEL ROM.nc SCENARIO DIR [options]\n"
    "a scenario of a mechanism under its own controllers and under a receding horizon on the "
    "reduced model\n"
    "\n"
    "Writes pd.nc, mpc.nc, gantry-mpc.svg and report.html to DIR, the table to stdout.\n"
    "Each drive of the scenario must have a controlled move.\n"
    "\n"
    "options\n"
    "  --duration SECONDS   of both runs (default 0.8)\n"
    "  --band METRES        the tool has settled when all its axes stay within (default 20e-6)\n"
    "  --deadline SECONDS   of a sample (default 0.8e-3)\n"
    "  --resolution METRES  of the encoders that the receding horizon reads, rates: this a period "
    "(default 0: exact)\n"
    "  --solves N           samples to be timed, at least (default 10000)\n"
    "  --plant PATH         full or gmp: the full mechanism, or the reduced model itself (default "
    "full)\n"
    "  -q, --quiet          no progress on stderr\n"
    "  -h, --help           print this text\n"
    "\n"
    "Exit status: 0 done, 1 numerical failure, 2 wrong input or usage.\n";

static mw_code number(const char *name, const char *text, double lo, double hi, double *x,
                      mw_error *err)
{
  char *end = NULL;
  double v = text ? strtod(text, &end) : 0.0;
  if (!text || end == text || *end != '\0' || !(v >= lo && v <= hi))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s: found \"%s\", expected %g to %g", name,
                   text ? text : "", lo, hi);
  *x = v;
  return MW_OK;
}

// Option argv[i] and its value; *i moves on.
static mw_code option(int argc, char **argv, int *i, mw_demo_opt *o, mw_error *err)
{
  const char *name = argv[*i], *value = *i + 1 < argc ? argv[*i + 1] : NULL;
  double n = o->solves;
  mw_code rc = MW_OK;
  if (strcmp(name, "-q") == 0 || strcmp(name, "--quiet") == 0) {
    o->quiet = true;
    return MW_OK;
  }
  (*i)++;
  if (strcmp(name, "--duration") == 0)
    rc = number(name, value, 1e-2, 100.0, &o->duration, err);
  else if (strcmp(name, "--band") == 0)
    rc = number(name, value, 1e-12, 1.0, &o->band, err);
  else if (strcmp(name, "--deadline") == 0)
    rc = number(name, value, 1e-9, 1.0, &o->deadline, err);
  else if (strcmp(name, "--resolution") == 0)
    rc = number(name, value, 0.0, 1.0, &o->resolution, err);
  else if (strcmp(name, "--solves") == 0)
    rc = number(name, value, 1.0, 1e8, &n, err);
  else if (strcmp(name, "--plant") != 0)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "unknown option %s; see gantry-mpc --help", name);
  else if (!value || (strcmp(value, "full") != 0 && strcmp(value, "gmp") != 0))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--plant: found \"%s\", expected full or gmp",
                 value ? value : "");
  else
    o->rom_plant = strcmp(value, "gmp") == 0;
  o->solves = (int)n;
  return rc;
}

static mw_code arguments(int argc, char **argv, const char *operand[4], mw_demo_opt *o,
                         mw_error *err)
{
  int n = 0;
  mw_code rc = MW_OK;
  for (int i = 1; rc == MW_OK && i < argc; i++) {
    if (argv[i][0] == '-' && argv[i][1] != '\0')
      rc = option(argc, argv, &i, o, err);
    else if (n == 4)
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "unexpected argument \"%s\"", argv[i]);
    else
      operand[n++] = argv[i];
  }
  if (rc == MW_OK && n < 4)
    rc =
        mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                "found %d arguments, expected MODEL ROM.nc SCENARIO DIR; see gantry-mpc --help", n);
  return rc;
}

int main(int argc, char **argv)
{
  mw_blas_start(argv);
  mw_error err = { 0 };
  mw_case c = { 0 };
  mw_rom_file rom = { 0 };
  mw_demo d = { 0 };
  mw_demo_opt o = { .duration = 0.8, .band = 20e-6, .deadline = 0.8e-3, .solves = 10000 };
  const char *operand[4] = { NULL };
  char command[1024] = "gantry-mpc";
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) {
      fputs(usage, stdout);
      return EXIT_SUCCESS;
    }
    size_t used = strlen(command);
    snprintf(command + used, sizeof command - used, " %s", argv[i]);
  }
  mw_code rc = arguments(argc, argv, operand, &o, &err);
  o.scenario = operand[2];
  o.dir = operand[3];
  if (rc == MW_OK) rc = mw_case_read(operand[0], &c, &err);
  if (rc == MW_OK) rc = mw_rom_of_case(&c, operand[1], &rom, &err);
  if (rc == MW_OK) rc = mw_folder_make(o.dir, &err);
  if (rc == MW_OK) rc = mw_demo_run(&d, &c, &rom, &o, &err);
  if (rc == MW_OK) mw_demo_print(&d, stdout);
  if (rc == MW_OK) rc = mw_demo_write(&d, command, &err);
  mw_demo_free(&d);
  mw_rom_file_free(&rom);
  mw_case_free(&c);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}
