// SPDX-License-Identifier: BSD-3-Clause
// test_eigen_bad.c: what keeps modeway-eigen from an answer: wrong settings, a program or launcher
// that is missing, answers that are none. Launchers here are shell scripts that say or write this
// or that.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fem/eigen.h"
#include "mw_test.h"

enum { N = 40 };

static int ptr[N + 1], row[N];
static double one[N], two[N];
static char folder[] = "/tmp/modeway_test_eigen_bad_XXXXXX", script[64], program[64];

static mw_csc diagonal(double *val)
{
  return (mw_csc){ .n_row = N, .n_col = N, .sym = true, .ptr = ptr, .row = row, .val = val };
}

static bool begin(void)
{
  for (int i = 0; i < N; i++) {
    ptr[i + 1] = i + 1;
    row[i] = i;
    one[i] = 1.0;
    two[i] = 2.0 + i;
  }
  if (!mkdtemp(folder)) return false;
  snprintf(script, sizeof script, "%s/launch", folder);
  snprintf(program, sizeof program, "%s/program", folder);
  FILE *f = fopen(program, "w");
  return f && fclose(f) == 0 && chmod(program, 0700) == 0 &&
         setenv("MODEWAY_EIGEN", program, 1) == 0;
}

// A launcher: `body` after $result is set to its last argument.
static void launcher(const char *body)
{
  FILE *f = fopen(script, "w");
  if (!MW_CHECK(f != NULL)) return;
  fprintf(f, "#!/bin/sh\nfor result; do :; done\n%s\n", body);
  MW_CHECK(fclose(f) == 0 && chmod(script, 0700) == 0);
}

static mw_code count(const char *mpirun, int ranks, mw_error *err)
{
  mw_csc K = diagonal(two), M = diagonal(one);
  mw_eigen_opt opt = { .ranks = ranks, .mpirun = mpirun, .folder = folder, .quiet = true };
  int n = -1;
  mw_code rc = mw_eigen_count_below(&K, &M, 3.5, &opt, &n, err);
  MW_CHECK(rc == MW_OK || n == -1);
  return rc;
}

static void the_number_of_processes_comes_from_the_environment(void)
{
  static const char *const bad[] = { "two", "3x", "-1", "1000000", "1.5" };
  mw_eigen_opt opt = { .ranks = 7 };
  mw_error err;
  unsetenv("MODEWAY_EIGEN_RANKS");
  setenv("MODEWAY_MPIRUN", "mpirun --bind-to core", 1);
  MW_OKAY(mw_eigen_opt_read(&opt, &err));
  MW_CHECK(opt.ranks == 0 && strcmp(opt.mpirun, "mpirun --bind-to core") == 0);
  setenv("MODEWAY_EIGEN_RANKS", "16", 1);
  MW_OKAY(mw_eigen_opt_read(&opt, &err));
  MW_CHECK(opt.ranks == 16);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    setenv("MODEWAY_EIGEN_RANKS", bad[i], 1);
    MW_FAILS(mw_eigen_opt_read(&opt, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, bad[i]) != NULL && opt.ranks == 16);
  }
  unsetenv("MODEWAY_EIGEN_RANKS");
  unsetenv("MODEWAY_MPIRUN");
}

static void sizes_that_cannot_be_are_refused(void)
{
  mw_csc K = diagonal(two), M = diagonal(one), small = { .sym = true, .ptr = ptr };
  mw_eigen_opt opt = { .ranks = 2, .folder = folder };
  mw_eigen_result r = { 0 };
  mw_error err;
  mw_eigen_job job = { .K = &K, .M = &M, .n_modes = N / 2 - 7 };
  MW_FAILS(mw_eigen_run(&job, &opt, &r, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "at most 12") != NULL);
  job = (mw_eigen_job){ .K = &K, .M = &small };
  MW_FAILS(mw_eigen_run(&job, &opt, &r, &err), MW_ERR_INPUT);
  job = (mw_eigen_job){ .K = &K, .M = &M, .sigma = NAN };
  MW_FAILS(mw_eigen_run(&job, &opt, &r, &err), MW_ERR_INPUT);
  MW_FAILS(count(script, 0, &err), MW_ERR_INPUT);
  MW_FAILS(count(script, N + 1, &err), MW_ERR_INPUT);
}

static void a_missing_program_or_launcher_is_named(void)
{
  mw_error err;
  setenv("MODEWAY_EIGEN", "/nowhere/modeway-eigen", 1);
  MW_FAILS(count(script, 2, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "'/nowhere/modeway-eigen'") != NULL);
  setenv("MODEWAY_EIGEN", program, 1);
  MW_FAILS(count("/nowhere/mpirun --oversubscribe", 2, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "/nowhere/mpirun") != NULL && strstr(err.msg, "MODEWAY_MPIRUN") != NULL);
  MW_FAILS(count("  ", 2, &err), MW_ERR_INPUT);
}

static void a_job_inside_an_mpi_job_is_refused(void)
{
#ifdef MW_WITH_MPI
  mw_error err;
  setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  launcher("exit 0");
  MW_FAILS(count(script, 2, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "inside an MPI job") != NULL);
  unsetenv("OMPI_COMM_WORLD_SIZE");
#else
  MW_CHECK(true);  // a program without MPI cannot tell
#endif
}

static void what_a_launcher_says_is_in_the_error(void)
{
  mw_error err;
  launcher("echo ------------ >&2; echo 'not enough slots' >&2; echo 'for this job'; exit 3");
  MW_FAILS(count(script, 2, &err), MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "(status 3): not enough slots for this job") != NULL);
  launcher("kill -9 $$");
  MW_FAILS(count(script, 2, &err), MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "(status 137)") != NULL);
}

static void a_launcher_gets_its_options_ranks_program_and_files(void)
{
  mw_error err;
  char want[256];
  launcher("echo \"$1 $2 $3 $4 $5\" \"$OPENBLAS_NUM_THREADS\" \"<$PMIX_RANK>\"");
  snprintf(want, sizeof want, "%s --map-by core", script);
  setenv("PMIX_RANK", "0", 1);
  MW_FAILS(count(want, 7, &err), MW_ERR_NUMERIC);
  unsetenv("PMIX_RANK");
  snprintf(want, sizeof want, "--map-by core -n 7 %s 1 <>", program);
  MW_CHECK(strstr(err.msg, want) != NULL);
}

static void a_result_that_is_none_is_refused(void)
{
  mw_error err;
  launcher("echo junk >\"$result\"");
  MW_FAILS(count(script, 2, &err), MW_ERR_IO);
  // longer than a digest
  launcher("head -c 5000 /dev/zero >\"$result\"");
  MW_FAILS(count(script, 2, &err), MW_ERR_IO);
  MW_CHECK(strstr(err.msg, "digest") != NULL);
  // with a digest that holds: the job itself
  launcher("for f; do job=$before; before=$f; done; cp \"$job\" \"$result\"");
  MW_FAILS(count(script, 2, &err), MW_ERR_IO);
  MW_CHECK(strstr(err.msg, "another version") != NULL);
}

static void nothing_is_left_in_the_folder(void)
{
  MW_CHECK(remove(script) == 0 && remove(program) == 0 && rmdir(folder) == 0);
}

static const mw_test_case cases[] = {
  { "the_number_of_processes_comes_from_the_environment",
    the_number_of_processes_comes_from_the_environment },
  { "sizes_that_cannot_be_are_refused", sizes_that_cannot_be_are_refused },
  { "a_missing_program_or_launcher_is_named", a_missing_program_or_launcher_is_named },
  { "a_job_inside_an_mpi_job_is_refused", a_job_inside_an_mpi_job_is_refused },
  { "what_a_launcher_says_is_in_the_error", what_a_launcher_says_is_in_the_error },
  { "a_launcher_gets_its_options_ranks_program_and_files",
    a_launcher_gets_its_options_ranks_program_and_files },
  { "a_result_that_is_none_is_refused", a_result_that_is_none_is_refused },
  { "nothing_is_left_in_the_folder", nothing_is_left_in_the_folder },
};

int main(void)
{
  if (!begin()) return EXIT_FAILURE;
  return mw_test_run("eigen_bad", cases, (int)(sizeof cases / sizeof *cases));
}
