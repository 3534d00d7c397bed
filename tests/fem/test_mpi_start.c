// SPDX-License-Identifier: BSD-3-Clause
// test_mpi_start.c: a process ends by itself where MPI does not come back from its start.
//
// MPI_Init_thread is this file's: it waits for ever, as Open MPI's does where its disk is full.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fem/mpi.h"
#include "mw_test.h"

int MPI_Initialized(int *flag);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);

int MPI_Initialized(int *flag)
{
  *flag = 0;
  return 0;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
  (void)argc;
  (void)argv;
  *provided = required;
  for (;;) (void)pause();
}

// Starts MPI in a child; what it says on stderr goes into said [n].
static int start_in_child(char *said, size_t n)
{
  int ends[2], status = -1;
  if (!MW_CHECK(pipe(ends) == 0)) return -1;
  pid_t pid = fork();
  if (pid == 0) {
    (void)setenv("MODEWAY_MPI_SECONDS", "1", 1);
    if (dup2(ends[1], STDERR_FILENO) < 0) _exit(3);
    mw_mpi_start();
    _exit(4);
  }
  (void)close(ends[1]);
  size_t have = 0;
  for (ssize_t k = 1; k > 0 && have + 1 < n; have += (size_t)k)
    if ((k = read(ends[0], said + have, n - 1 - have)) <= 0) break;
  said[have] = '\0';
  (void)close(ends[0]);
  MW_CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_start_that_does_not_come_back_ends_the_process_by_name(void)
{
  char said[512];
  MW_CHECK(start_in_child(said, sizeof said) == EXIT_FAILURE);
  MW_CHECK(strstr(said, "modeway: error: Open MPI has not started within 1 s") != NULL);
}

static void seconds_that_are_none_are_refused_by_name(void)
{
  static const char *const bad[] = { "", "soon", "1s", "0", "-3", "1e3", "99999999999" };
  mw_error err;
  int n = 0;
  (void)unsetenv("MODEWAY_MPI_SECONDS");
  MW_OKAY(mw_mpi_seconds(&n, &err));
  MW_CHECK(n == 120);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    (void)setenv("MODEWAY_MPI_SECONDS", bad[k], 1);
    MW_FAILS(mw_mpi_seconds(&n, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "MODEWAY_MPI_SECONDS: found") && n == 120);
  }
  (void)setenv("MODEWAY_MPI_SECONDS", "7", 1);
  MW_OKAY(mw_mpi_seconds(&n, &err));
  MW_CHECK(n == 7);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "seconds_that_are_none_are_refused_by_name", seconds_that_are_none_are_refused_by_name },
    { "a_start_that_does_not_come_back_ends_the_process_by_name",
      a_start_that_does_not_come_back_ends_the_process_by_name },
  };
  return mw_test_run("mpi_start", cases, (int)(sizeof cases / sizeof *cases));
}
