// SPDX-License-Identifier: BSD-3-Clause
// cad_run.c: finds and runs modeway-mesher. A process of its own, so that whatever gmsh does to a
// broken file (crash, endless memory) leaves this one alone.
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cad_priv.h"
#include "fem/helper.h"

extern char **environ;

#define MESHER "modeway-mesher"

mw_code mw_cad_find_mesher(mw_at at, mw_arena *mem, const char **path, mw_error *err)
{
  const char *found = NULL;
  mw_code rc = mw_helper_find(MESHER, "MODEWAY_MESHER", "fem/mesher", at, mem, &found, err);
  if (rc == MW_OK && found == NULL)
    rc = mw_fail(err, MW_ERR_INPUT, at,
                 "CAD files need the program " MESHER
                 ", which is not here: build modeway where gmsh is "
                 "installed (tests/install-packages cad), or name the program in MODEWAY_MESHER");
  if (rc == MW_OK) *path = found;
  return rc;
}

static int spawn(const char *const *argv, const char *out, const char *errors, pid_t *pid)
{
  static const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_t act;
  int e = posix_spawn_file_actions_init(&act);
  if (e != 0) return e;
  e = posix_spawn_file_actions_addopen(&act, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (e == 0) e = posix_spawn_file_actions_addopen(&act, STDOUT_FILENO, out, flags, 0666);
  if (e == 0) e = posix_spawn_file_actions_addopen(&act, STDERR_FILENO, errors, flags, 0666);
  // posix_spawn changes neither argv nor what it points to
  union {
    const char *const *in;
    char *const *out;
  } a = { .in = argv };
  if (e == 0) e = posix_spawn(pid, argv[0], &act, NULL, a.out, environ);
  posix_spawn_file_actions_destroy(&act);
  return e;
}

mw_code mw_cad_run(const char *const *argv, const char *out, const char *errors, mw_at at,
                   int *status, mw_error *err)
{
  pid_t pid = -1, got;
  int how = 0, e = spawn(argv, out, errors, &pid);
  if (e != 0)
    return mw_fail(err, MW_ERR_IO, at, "%.200s cannot be started: %s", argv[0], strerror(e));
  do got = waitpid(pid, &how, 0);
  while (got < 0 && errno == EINTR);
  if (got != pid)
    return mw_fail(err, MW_ERR_IO, at, "%.200s is out of sight: %s", argv[0], strerror(errno));
  if (!WIFEXITED(how))
    return mw_fail(
        err, MW_ERR_NUMERIC, at,
        "gmsh ended by signal %d while meshing: a damaged CAD file, or no memory for the "
        "size asked for",
        WTERMSIG(how));
  *status = WEXITSTATUS(how);
  return MW_OK;
}
