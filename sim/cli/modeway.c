// SPDX-License-Identifier: BSD-3-Clause
// modeway.c: the program modeway: finds the command, reads its arguments, runs it.
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/blas.h"
#include "cmd_layer.h"
#include "fem/mpi.h"

static int run_schema(const mw_args *a)
{
  (void)a;
  mw_model_print_schema(stdout);
  return EXIT_SUCCESS;
}

static int run_keys(const mw_args *a)
{
  if (a->json)
    mw_model_print_keys_json(stdout);
  else
    mw_model_print_keys(stdout);
  return EXIT_SUCCESS;
}

static const mw_command cmd_schema = {
  .name = "schema",
  .summary = "print the JSON Schema of model files",
  .doc = "For editors: they complete keys and mark wrong ones. The output is one JSON object\n"
         "with or without --json.\n",
  .run = run_schema,
};

static const mw_command cmd_keys = {
  .name = "keys",
  .summary = "print all keys of model files with type, unit, default and meaning",
  .doc =
      "The same table that the reader checks a model against.\n\n"
      "--json: {\"keys\": [{\"path\": bodies.NAME.rigid.mass, entries of lists as -,\n"
      "  \"expected\", \"needed\": no, yes, one or at most one of its kind, \"default\"\n"
      "  (where there is one), \"meaning\", \"keys_of\": force_signal or position_signal, whose\n"
      "  own paths begin with that name in parentheses}]}\n",
  .run = run_keys,
};

const mw_command *const mw_commands[] = { &mw_cmd_check,   &mw_cmd_analyze,    &mw_cmd_modes,
                                          &mw_cmd_reduce,  &mw_cmd_merge,      &mw_cmd_simulate,
                                          &mw_cmd_compare, &mw_cmd_info,       &mw_cmd_frf,
                                          &mw_cmd_map,     &mw_cmd_lobes,      &mw_cmd_study,
                                          &mw_cmd_export,  &mw_cmd_import,     &mw_cmd_example,
                                          &mw_cmd_bench,   &cmd_schema,        &cmd_keys,
                                          &mw_cmd_manual,  &mw_cmd_completion, NULL };

static void print_help(FILE *f)
{
  fputs("usage: modeway COMMAND ... | modeway COMMAND --help | modeway --version\n"
        "reduced models of flexible mechanisms whose connection points move, and their simulation\n"
        "\ncommands\n",
        f);
  for (int k = 0; mw_commands[k]; k++) {
    char text[64];
    const char *operand = mw_commands[k]->operand;
    snprintf(text, sizeof text, "%s%s%s%s", mw_commands[k]->name, operand ? " " : "",
             operand ? operand : "", mw_commands[k]->topic ? " WHAT" : "");
    fprintf(f, "  %-18s %s\n", text, mw_commands[k]->summary);
  }
  fputs("\nResults go to stdout or to files, messages and progress to stderr.\n"
        "Exit status: 0 done, 1 numerical failure, 2 wrong input or usage.\n",
        f);
}

static int usage(const char *what, const char *name)
{
  mw_error err;
  (void)mw_fail(&err, MW_ERR_INPUT, MW_NOWHERE, "%s%s; see modeway --help", what, name);
  return mw_cmd_fail(&err);
}

// Under mpirun: reduce, merge and simulate share their work among the ranks, other commands would
// do the same thing many times over.
static mw_code check_ranks(const mw_command *c, mw_error *err)
{
  int seconds;
  mw_code rc = mw_mpi_seconds(&seconds, err);
  if (rc != MW_OK || !mw_mpi_launched() || c == &mw_cmd_reduce || c == &mw_cmd_merge ||
      c == &mw_cmd_simulate)
    return rc;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "%s: mpirun is for reduce, merge and simulate --path rigid alone", c->name);
}

// The exit status of a command once all that it printed is out.
static int end(int status)
{
  mw_error err;
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  (void)mw_fail(&err, MW_ERR_IO, MW_NOWHERE, "the results cannot be written to standard output");
  return mw_cmd_fail(&err);
}

static int run(const mw_command *c, int argc, char **argv)
{
  mw_args a;
  mw_error err = { 0 };
  if (mw_mpi_launched()) mw_mpi_start();
  mw_code rc = mw_cmd_agree(mw_args_read(c, argc, argv, &a, &err), &err);
  if (rc == MW_OK && a.help) {
    if (mw_mpi_rank() == 0) mw_command_print_help(c, stdout);
    return EXIT_SUCCESS;
  }
  if (rc != MW_OK) return mw_cmd_fail(&err);
  rc = mw_blas_reserve(&err);
  if (rc == MW_OK) rc = check_ranks(c, &err);
  if (rc == MW_OK) rc = mw_outputs_check(&a, &err);
  rc = mw_cmd_agree(rc, &err);
  return rc == MW_OK ? c->run(&a) : mw_cmd_fail(&err);
}

int main(int argc, char **argv)
{
  mw_blas_start(argv);
  mw_arena_start();
  // by whole lines: where both go to one file, messages stand between results, not within a line
  (void)setvbuf(stdout, NULL, _IOLBF, 1 << 16);
  (void)signal(SIGXFSZ, SIG_IGN);  // a file size limit is a failed write, not the end
  if (argc < 2) {
    print_help(stderr);
    return MW_EXIT_INPUT;
  }
  if (strcmp(argv[1], "--version") == 0) {
    puts("modeway " MW_VERSION);
    return end(EXIT_SUCCESS);
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
      strcmp(argv[1], "help") == 0) {
    print_help(stdout);
    return end(EXIT_SUCCESS);
  }
  if (argv[1][0] == '-') return usage("unknown option ", argv[1]);
  for (int k = 0; mw_commands[k]; k++)
    if (strcmp(argv[1], mw_commands[k]->name) == 0) return end(run(mw_commands[k], argc, argv));
  return usage("there is no command ", argv[1]);
}
