// SPDX-License-Identifier: BSD-3-Clause
// eigen_far_run.c: starts modeway-eigen under mpirun and watches it. Its processes are not this
// one's: whatever happens to them leaves it alone.
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "eigen_far_priv.h"
#include "fem/helper.h"
#include "fem/mpi.h"

extern char **environ;

#define PROGRAM "modeway-eigen"

// ---- the command ----

// words of text, then room for more; count: words
static const char **split(const char *text, size_t room, mw_arena *mem, int *count)
{
  size_t most = strlen(text) / 2 + 1;
  const char **word = mw_arena_alloc(mem, most + room, sizeof *word);
  char *copy = mw_arena_str(mem, text), *save = NULL;
  *count = 0;
  if (!word || !copy) return NULL;
  for (char *w = strtok_r(copy, " \t", &save); w; w = strtok_r(NULL, " \t", &save))
    word[(*count)++] = w;
  return word;
}

mw_code mw_eigen_command(const mw_eigen_opt *opt, const char *job, const char *result,
                         mw_arena *mem, const char ***argv, mw_error *err)
{
  const char *program = NULL, *launcher = opt->mpirun && *opt->mpirun ? opt->mpirun : "mpirun";
  int n = 0;
  if (mw_mpi_launched())
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "large bodies by " PROGRAM
                   " need an mpirun of their own: not from inside an MPI job");
  mw_code rc =
      mw_helper_find(PROGRAM, "MODEWAY_EIGEN", "fem/eigen", MW_NOWHERE, mem, &program, err);
  if (rc == MW_OK && !program)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "large bodies need the program " PROGRAM
                 ", which is not here: build modeway where Open MPI, "
                 "MUMPS and PARPACK are installed (Debian: libopenmpi-dev libmumps-dev "
                 "libparpack2-dev), or name the program in MODEWAY_EIGEN");
  if (rc != MW_OK) return rc;
  const char **a = split(launcher, 6, mem, &n);
  rc = mw_arena_check(mem, err);
  if (rc == MW_OK && n == 0)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "MODEWAY_MPIRUN names no program");
  if (rc != MW_OK) return rc;
  a[n++] = "-n";
  a[n++] = mw_arena_printf(mem, "%d", opt->ranks);
  a[n++] = program;
  a[n++] = job;
  a[n++] = result;
  a[n] = NULL;
  *argv = a;
  return mw_arena_check(mem, err);
}

// ---- the environment ----

// Marks of an MPI process: an mpirun that inherits them from one takes itself for part of its job,
// and does nothing.
static bool is_mark(const char *var)
{
  static const char *const mark[] = { "PMIX_",
                                      "ORTE_",
                                      "OMPI_APP_CTX",
                                      "OMPI_COMM_WORLD_",
                                      "OMPI_UNIVERSE_SIZE",
                                      "OMPI_MCA_ess=",
                                      "OMPI_MCA_pmix=",
                                      "OMPI_MCA_orte_ess_",
                                      "OMPI_MCA_orte_launch=",
                                      "OMPI_MCA_orte_precondition_transports=",
                                      "OPENBLAS_NUM_THREADS=" };
  for (size_t k = 0; k < sizeof mark / sizeof *mark; k++)
    if (strncmp(var, mark[k], strlen(mark[k])) == 0) return true;
  return false;
}

static char **clean_environment(mw_arena *mem)
{
  static char one_thread[] = "OPENBLAS_NUM_THREADS=1";  // a core a rank
  size_t n = 0, kept = 0;
  while (environ[n]) n++;
  char **env = mw_arena_alloc(mem, n + 2, sizeof *env);
  for (size_t k = 0; env && k < n; k++)
    if (!is_mark(environ[k])) env[kept++] = environ[k];
  if (env) env[kept] = one_thread;
  return env;
}

// ---- running ----

static int spawn(const char *const *argv, char **env, int in, int out, pid_t *pid)
{
  posix_spawn_file_actions_t act;
  int e = posix_spawn_file_actions_init(&act);
  if (e != 0) return e;
  e = posix_spawn_file_actions_adddup2(&act, in, STDIN_FILENO);
  if (e == 0) e = posix_spawn_file_actions_adddup2(&act, out, STDOUT_FILENO);
  if (e == 0) e = posix_spawn_file_actions_adddup2(&act, out, STDERR_FILENO);
  // posix_spawnp changes neither argv nor what it points to
  union {
    const char *const *in;
    char *const *out;
  } a = { .in = argv };
  if (e == 0) e = posix_spawnp(pid, argv[0], &act, NULL, a.out, env);
  posix_spawn_file_actions_destroy(&act);
  return e;
}

// Keeps what mpirun and the system say, blanks for line ends, rules of dashes left out.
static void keep(const char *line, char *last, size_t n)
{
  size_t used = strlen(last), len = strcspn(line, "\n");
  if (len == 0 || strspn(line, "-") >= len || used + 2 >= n) return;
  snprintf(last + used, n - used, "%s%.*s", used ? " " : "", (int)len, line);
}

static void listen(int fd, bool quiet, char *last, size_t n)
{
  static const char mark[] = PROGRAM ": ";
  char line[1024];
  FILE *f = fdopen(fd, "r");
  if (!f) {
    close(fd);
    return;
  }
  while (fgets(line, sizeof line, f)) {
    if (strncmp(line, mark, sizeof mark - 1) != 0)
      keep(line, last, n);
    else if (!quiet && strncmp(line + sizeof mark - 1, "error: ", 7) != 0)
      fputs(line, stderr);
  }
  fclose(f);
}

// Two pipes that no other child inherits: to the launcher in[1] → in[0], from it out[1] → out[0]. 0
// or errno.
static int open_pipes(int in[2], int out[2])
{
  if (pipe(in) != 0) return errno;
  if (pipe(out) != 0) {
    int e = errno;
    close(in[0]);
    close(in[1]);
    return e;
  }
  int all[4] = { in[0], in[1], out[0], out[1] };
  for (int k = 0; k < 4; k++) (void)fcntl(all[k], F_SETFD, FD_CLOEXEC);
  return 0;
}

static mw_code await(pid_t pid, const char *name, int *status, mw_error *err)
{
  pid_t got;
  int how = 0;
  do got = waitpid(pid, &how, 0);
  while (got < 0 && errno == EINTR);
  if (got != pid)
    return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "%.200s is out of sight: %s", name, strerror(errno));
  *status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
  return MW_OK;
}

mw_code mw_eigen_start(const char *const *argv, bool quiet, int *status, char *last, size_t n,
                       mw_error *err)
{
  int in[2], out[2], e;
  pid_t pid = -1;
  mw_arena mem = { 0 };
  char **env = clean_environment(&mem);
  mw_code rc = mw_arena_check(&mem, err);
  last[0] = '\0';
  if (rc == MW_OK && (e = open_pipes(in, out)) != 0)
    rc = mw_fail(err, MW_ERR_IO, MW_NOWHERE, "no pipe: %s", strerror(e));
  if (rc != MW_OK) {
    mw_arena_free(&mem);
    return rc;
  }
  // one byte, then nothing until this process ends: rank 0 listens (eigen/watch.c)
  e = write(in[1], "m", 1) == 1 ? spawn(argv, env, in[0], out[1], &pid) : EIO;
  mw_arena_free(&mem);
  close(in[0]);
  close(out[1]);
  if (e == 0) {
    listen(out[0], quiet, last, n);
    rc = await(pid, argv[0], status, err);
  } else {
    close(out[0]);
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "%.200s cannot be started: %s (MODEWAY_MPIRUN names the launcher)", argv[0],
                 strerror(e));
  }
  close(in[1]);
  return rc;
}
