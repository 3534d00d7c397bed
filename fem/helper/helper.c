// SPDX-License-Identifier: BSD-3-Clause
// helper.c: finds programs of ours that modeway starts. Installed they are beside it, in a build
// folder a step away.
#include "fem/helper.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static const char *in_path(const char *name, mw_arena *mem)
{
  const char *p = getenv("PATH");
  while (p != NULL && *p != '\0') {
    size_t n = strcspn(p, ":");
    const char *path = n > 0 && n < 4096 ? mw_arena_printf(mem, "%.*s/%s", (int)n, p, name) : NULL;
    if (is_program(path)) return path;
    p += n + (p[n] == ':');
  }
  return NULL;
}

mw_code mw_helper_find(const char *name, const char *env, const char *place, mw_at at,
                       mw_arena *mem, const char **path, mw_error *err)
{
  const char *named = getenv(env), *own = own_folder(mem), *found = NULL;
  if (named != NULL && *named != '\0') {
    if (!is_program(named))
      return mw_fail(err, MW_ERR_INPUT, at, "%s is '%.200s', which is not a program", env, named);
    found = mw_arena_str(mem, named);
  }
  // beside this program where installed; seen from sim/ or tests/ of a build folder
  if (found == NULL && own != NULL) {
    const char *beside = mw_arena_printf(mem, "%s/%s", own, name);
    const char *built = mw_arena_printf(mem, "%s/../%s/%s", own, place, name);
    found = is_program(beside) ? beside : is_program(built) ? built : NULL;
  }
  if (found == NULL) found = in_path(name, mem);
  *path = found;
  return mw_arena_check(mem, err);
}
