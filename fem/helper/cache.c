// SPDX-License-Identifier: BSD-3-Clause
// cache.c: where things are kept that are made once.
#include "fem/cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

mw_code mw_cache_make(mw_at at, const char *path, mw_error *err)
{
  mw_arena mem = { 0 };
  char *part = mw_arena_str(&mem, path);
  mw_code rc = mw_arena_check(&mem, err);
  for (char *p = part; rc == MW_OK && *p != '\0'; p++) {
    if (p[1] != '/' && p[1] != '\0') continue;
    char next = p[1];
    p[1] = '\0';
    if (mkdir(part, 0777) != 0 && errno != EEXIST && next == '\0')
      rc = mw_fail(err, MW_ERR_IO, at,
                   "the cache %.200s cannot be made: %s (MODEWAY_CACHE names another folder)", path,
                   strerror(errno));
    p[1] = next;
  }
  mw_arena_free(&mem);
  return rc;
}

mw_code mw_cache_folder(mw_at at, mw_arena *mem, const char **path, mw_error *err)
{
  const char *own = getenv("MODEWAY_CACHE"), *xdg = getenv("XDG_CACHE_HOME"),
             *home = getenv("HOME"), *found;
  if (own != NULL && *own != '\0')
    found = mw_arena_str(mem, own);
  else if (xdg != NULL && *xdg == '/')
    found = mw_arena_printf(mem, "%s/modeway", xdg);
  else if (home != NULL && *home == '/')
    found = mw_arena_printf(mem, "%s/.cache/modeway", home);
  else
    return mw_fail(err, MW_ERR_IO, at,
                   "no place for the cache: set HOME or MODEWAY_CACHE to a folder");
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_cache_make(at, found, err);
  if (rc == MW_OK) *path = found;
  return rc;
}
