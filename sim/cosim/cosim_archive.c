// SPDX-License-Identifier: BSD-3-Clause
// cosim_archive.c: the archive of a functional mock-up unit that others made.
//
// Entries that could be written anywhere but in the folder made for them are refused: names with
// "..", from the root, with backslashes, links. What an archive unpacks to is limited, too.
#define _XOPEN_SOURCE 700  // nftw
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "base/folder.h"
#include "cosim_priv.h"

static const zip_uint64_t MOST = (zip_uint64_t)1 << 30;  // bytes unpacked: far above real units'

static mw_code open_zip(const char *file, mw_at at, zip_t **out, mw_error *err)
{
  int why = 0;
  *out = zip_open(file, ZIP_RDONLY, &why);
  if (*out) return MW_OK;
  zip_error_t e;
  zip_error_init_with_code(&e, why);
  mw_code rc = mw_fail(err, MW_ERR_INPUT, at, "unit %.200s cannot be opened: %.120s", file,
                       zip_error_strerror(&e));
  zip_error_fini(&e);
  return rc;
}

static mw_code read_entry(zip_t *z, const char *file, mw_at at, zip_uint64_t k, mw_arena *mem,
                          char **text, size_t *n, mw_error *err)
{
  zip_stat_t st;
  bool fine = zip_stat_index(z, k, 0, &st) == 0 && st.size < MOST;
  *text = fine ? mw_arena_alloc(mem, (size_t)st.size + 1, 1) : NULL;
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  zip_file_t *e = fine ? zip_fopen_index(z, k, 0) : NULL;
  // behind the last byte the checksum is compared
  fine = e && zip_fread(e, *text, st.size) == (zip_int64_t)st.size &&
         zip_fread(e, *text + st.size, 1) == 0;
  if (e && zip_fclose(e) != 0) fine = false;
  if (!fine)
    return mw_fail(err, MW_ERR_INPUT, at, "unit %.200s: entry %.120s cannot be read: damaged?",
                   file, zip_get_name(z, k, 0) ? zip_get_name(z, k, 0) : "");
  *n = (size_t)st.size;
  return MW_OK;
}

mw_code mw_cosim_entry(const char *file, mw_at at, const char *entry, mw_arena *mem, char **text,
                       size_t *n, mw_error *err)
{
  zip_t *z = NULL;
  mw_code rc = open_zip(file, at, &z, err);
  if (rc != MW_OK) return rc;
  zip_int64_t k = zip_name_locate(z, entry, 0);
  if (k < 0)
    rc = mw_fail(err, MW_ERR_INPUT, at, "unit %.200s has no %s, expected a functional mock-up unit",
                 file, entry);
  else
    rc = read_entry(z, file, at, (zip_uint64_t)k, mem, text, n, err);
  zip_discard(z);
  return rc;
}

// Appends the folder of name below binaries/ unless it was the last.
static mw_code add_platform(const char *name, const char *platform, mw_arena *mem, bool *there,
                            const char **all, mw_error *err)
{
  static const char below[] = "binaries/";
  size_t skip = sizeof below - 1;
  const char *slash = name && strncmp(name, below, skip) == 0 ? strchr(name + skip, '/') : NULL;
  if (!slash) return MW_OK;
  const char *folder = mw_arena_printf(mem, "%.*s", (int)(slash - name - (int)skip), name + skip);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  *there = *there || strcmp(folder, platform) == 0;
  size_t n = strlen(*all), m = strlen(folder);
  if (n >= m && strcmp(*all + n - m, folder) == 0) return MW_OK;
  *all = mw_arena_printf(mem, "%s%s%s", *all, n > 0 ? ", " : "", folder);
  return mw_arena_check(mem, err);
}

mw_code mw_cosim_platforms(const char *file, mw_at at, const char *platform, mw_arena *mem,
                           bool *there, const char **all, mw_error *err)
{
  zip_t *z = NULL;
  *there = false;
  *all = "";
  mw_code rc = open_zip(file, at, &z, err);
  zip_int64_t n = rc == MW_OK ? zip_get_num_entries(z, 0) : 0;
  for (zip_int64_t k = 0; rc == MW_OK && k < n; k++)
    rc = add_platform(zip_get_name(z, (zip_uint64_t)k, 0), platform, mem, there, all, err);
  if (z) zip_discard(z);
  return rc;
}

// ---- unpacking ----------------------------------------------------------------------------------

static bool leads_out(const char *name)
{
  if (name[0] == '/' || strchr(name, '\\')) return true;
  for (const char *p = name; *p; p += strcspn(p, "/"), p += *p == '/') {
    size_t n = strcspn(p, "/");
    if (n == 2 && p[0] == '.' && p[1] == '.') return true;
  }
  return false;
}

static bool is_link(zip_t *z, zip_uint64_t k)
{
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  return zip_file_get_external_attributes(z, k, 0, &system, &attributes) == 0 &&
         system == ZIP_OPSYS_UNIX && S_ISLNK(attributes >> 16);
}

// Folders of path behind its first `from` bytes
static mw_code make_folders(char *path, size_t from, mw_error *err)
{
  mw_code rc = MW_OK;
  for (char *p = strchr(path + from, '/'); rc == MW_OK && p; p = strchr(p + 1, '/')) {
    *p = '\0';
    rc = mw_folder_make(path, err);
    *p = '/';
  }
  return rc;
}

static mw_code write_entry(zip_t *z, const char *file, mw_at at, zip_uint64_t k, const char *dir,
                           mw_error *err)
{
  const char *name = zip_get_name(z, k, 0);
  mw_arena tmp = { 0 };
  char *text = NULL, *path = mw_arena_printf(&tmp, "%s/%s", dir, name);
  size_t n = 0;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = make_folders(path, strlen(dir) + 1, err);
  if (rc == MW_OK && name[strlen(name) - 1] != '/') {
    rc = read_entry(z, file, at, k, &tmp, &text, &n, err);
    FILE *f = rc == MW_OK ? fopen(path, "wbx") : NULL;
    bool fine = f && fwrite(text, 1, n, f) == n;
    if (f && fclose(f) != 0) fine = false;
    if (rc == MW_OK && !fine)
      rc = mw_fail(err, MW_ERR_IO, (mw_at){ .file = path }, "cannot be written: %s",
                   strerror(errno));
  }
  mw_arena_free(&tmp);
  return rc;
}

static mw_code unpack(zip_t *z, const char *file, mw_at at, const char *binaries, const char *dir,
                      mw_error *err)
{
  zip_uint64_t sum = 0;
  mw_code rc = MW_OK;
  zip_int64_t n = zip_get_num_entries(z, 0);
  for (zip_int64_t i = 0; rc == MW_OK && i < n; i++) {
    zip_uint64_t k = (zip_uint64_t)i;
    zip_stat_t st;
    const char *name = zip_get_name(z, k, 0);
    if (!name || !name[0] || leads_out(name) || is_link(z, k) || zip_stat_index(z, k, 0, &st) != 0)
      return mw_fail(err, MW_ERR_INPUT, at,
                     "unit %.200s: found the entry \"%.80s\", expected files inside of the archive",
                     file, name ? name : "");
    if (strncmp(name, "resources/", 10) != 0 && strncmp(name, binaries, strlen(binaries)) != 0)
      continue;
    sum += st.size;
    if (sum > MOST)
      return mw_fail(err, MW_ERR_INPUT, at, "unit %.200s unpacks to more than %llu bytes", file,
                     (unsigned long long)MOST);
    rc = write_entry(z, file, at, k, dir, err);
  }
  return rc;
}

// Units want to know their folder from the root.
static mw_code whole_path(const char *path, mw_arena *mem, const char **out, mw_error *err)
{
  char *whole = realpath(path, NULL);
  *out = mw_arena_str(mem, whole ? whole : path);
  free(whole);
  return mw_arena_check(mem, err);
}

mw_code mw_cosim_unpack(const char *file, mw_at at, const char *platform, mw_arena *mem,
                        const char **dir, mw_error *err)
{
  zip_t *z = NULL;
  const char *tmp = getenv("TMPDIR");
  char *path = mw_arena_printf(mem, "%s/modeway-unit-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  const char *binaries = mw_arena_printf(mem, "binaries/%s/", platform);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = open_zip(file, at, &z, err);
  if (rc == MW_OK && !mkdtemp(path))  // nobody else may read or write it
    rc = mw_fail(err, MW_ERR_IO, (mw_at){ .file = path }, "cannot be made a folder: %s",
                 strerror(errno));
  else if (rc == MW_OK)
    rc = whole_path(path, mem, dir, err);
  if (rc == MW_OK) rc = unpack(z, file, at, binaries, *dir, err);
  if (z) zip_discard(z);
  return rc;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
  (void)st;
  (void)type;
  (void)at;
  (void)remove(path);
  return 0;
}

void mw_cosim_remove(const char *dir)
{
  enum { OPEN = 16 };  // folders at a time
  if (dir) (void)nftw(dir, remove_one, OPEN, FTW_DEPTH | FTW_PHYS);
}
