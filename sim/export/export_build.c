// SPDX-License-Identifier: BSD-3-Clause
// export_build.c: exported sources compiled by the C compiler of this machine.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/wholefile.h"
#include "export_layer.h"

extern char **environ;

enum { MAX_ARG = 48, MAX_WORD = 16 };

int mw_export_run(char *const *arg, bool quiet)
{
  pid_t pid;
  int status;
  posix_spawn_file_actions_t to;
  if (posix_spawn_file_actions_init(&to) != 0) return -1;
  bool fine =
      !quiet || posix_spawn_file_actions_addopen(&to, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0;
  fine = fine && posix_spawnp(&pid, arg[0], &to, NULL, arg, environ) == 0;
  (void)posix_spawn_file_actions_destroy(&to);
  if (!fine) return -1;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

// Words of a variable of the environment, or what stands for it, behind n others.
static int add_words(mw_arena *mem, const char *value, const char *otherwise, char **arg, int n)
{
  char *rest = mw_arena_str(mem, value && value[strspn(value, " ")] ? value : otherwise);
  int end = n + MAX_WORD;
  for (char *word; rest && n < end && (word = strtok_r(rest, " ", &rest)) != NULL;) arg[n++] = word;
  return n;
}

mw_code mw_export_build(const char *dir, const char *library, const char *const *source,
                        mw_progress *progress, mw_arena *mem, bool *found, mw_error *err)
{
  enum { NOT_FOUND = 127 };  // some systems start a process first
  size_t n_name = strlen(library);
  bool object = n_name > 2 && strcmp(library + n_name - 2, ".o") == 0;
  char *arg[MAX_ARG] = { NULL };
  int n = 0;
  const char *path = mw_arena_printf(mem, "%s/%s", dir, library),
             *work = mw_arena_printf(mem, "compiling %s", library);
  mw_wholefile whole;
  const char *const flag[] = { "-std=c99", "-fPIC", object ? "-c" : "-shared", "-o" };
  n = add_words(mem, getenv("CC"), "cc", arg, n);
  n = add_words(mem, getenv("CFLAGS"), "-O3", arg, n);
  for (size_t k = 0; k < sizeof flag / sizeof *flag; k++) arg[n++] = mw_arena_str(mem, flag[k]);
  int n_out = n++;
  for (int k = 0; source[k] && n < MAX_ARG - 2; k++)
    arg[n++] = mw_arena_printf(mem, "%s/%s", dir, source[k]);
  if (!object) arg[n++] = mw_arena_str(mem, "-lm");
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_wholefile_open(path, &whole, err);
  if (rc != MW_OK) return rc;
  arg[n_out] = whole.made;
  mw_progress_start(progress, work, 1.0);
  int status = mw_export_run(arg, false);
  mw_progress_end(progress);
  *found = status != -1 && status != NOT_FOUND;
  rc = mw_wholefile_close(&whole, path, status == 0, err);
  if (rc != MW_OK || !*found || status == 0) return rc;
  return mw_fail(err, MW_ERR_IO, (mw_at){ .file = path },
                 "cannot be built: %s fails, see its messages above", arg[0]);
}
