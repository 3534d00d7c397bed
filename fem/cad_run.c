// SPDX-License-Identifier: BSD-3-Clause
// cad_run.c: finds and runs modeway-mesher. A process of its own, so that whatever gmsh does to a
// broken file (crash, endless memory) leaves this one alone.
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cad_priv.h"

extern char **environ;

#define MESHER "modeway-mesher"

static bool is_program(const char *path) { return path != NULL && access(path, X_OK) == 0; }

// folder of the running program, NULL: unknown
static const char *own_folder(mw_arena *mem)
{
  char path[4096];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  if (n <= 0) return NULL;
  path[n] = '\0';
  char *slash = strrchr(path, '/');
  if (slash == NULL) return NULL;
  *slash = '\0';
  return mw_arena_str(mem, path);
}

static const char *in_path(mw_arena *mem)
{
  const char *p = getenv("PATH");
  while (p != NULL && *p != '\0') {
    size_t n = strcspn(p, ":");
    const char *path = n > 0 && n < 4096 ? mw_arena_printf(mem, "%.*s/" MESHER, (int)n, p) : NULL;
    if (is_program(path)) return path;
    p += n + (p[n] == ':');
  }
  return NULL;
}

mw_code mw_cad_find_mesher(mw_at at, mw_arena *mem, const char **path, mw_error *err)
{
  // beside this program where installed; seen from sim/ or tests/ of a build folder
  static const char *const place[] = { MESHER, "../fem/mesher/" MESHER };
  const char *named = getenv("MODEWAY_MESHER"), *own = own_folder(mem), *found = NULL;
  if (named != NULL && *named != '\0') {
    if (!is_program(named))
      return mw_fail(err, MW_ERR_INPUT, at, "MODEWAY_MESHER is '%.200s', which is not a program",
                     named);
    found = mw_arena_str(mem, named);
  }
  for (size_t k = 0; found == NULL && own != NULL && k < sizeof place / sizeof *place; k++) {
    const char *beside = mw_arena_printf(mem, "%s/%s", own, place[k]);
    if (is_program(beside)) found = beside;
  }
  if (found == NULL) found = in_path(mem);
  mw_code rc = mw_arena_check(mem, err);
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
