// SPDX-License-Identifier: BSD-3-Clause
// component_write.c: objects with what makes them behind them, written and opened.
#define _GNU_SOURCE  // dladdr
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wholefile.h"
#include "component_priv.h"
#include "fem/helper.h"

void mw_component_hash(mw_component_source *s)
{
  mw_sha256 sha;
  uint8_t digest[32];
  mw_sha256_init(&sha);
  for (int k = 0; k < s->n_file; k++) {
    char length[24];
    int n = snprintf(length, sizeof length, "%zu:", s->file[k].n);
    mw_sha256_add(&sha, length, (size_t)n);
    mw_sha256_add(&sha, s->file[k].text, s->file[k].n);
  }
  mw_sha256_end(&sha, digest);
  mw_sha256_hex(digest, s->hash);
}

// ---- writing ------------------------------------------------------------------------------------

static mw_code write_all(const mw_component_source *s, const unsigned char *object, size_t n_object,
                         const char *out, mw_error *err)
{
  unsigned char *payload = NULL;
  mw_arena tmp = { 0 };
  size_t n = 0;
  mw_code rc = mw_pack_make(s, &tmp, &payload, &n, err);
  unsigned char *all = mw_arena_alloc(&tmp, n_object + n + MW_PACK_TRAILER, 1);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    memcpy(all, object, n_object);
    memcpy(all + n_object, payload, n);
    mw_pack_trailer(payload, n, object, n_object, all + n_object + n);
    rc = mw_file_replace(out, all, n_object + n + MW_PACK_TRAILER, false, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

// The object that all components are copies of, as [*n] bytes to be freed.
static mw_code read_template(const mw_component_template *t, char **bytes, size_t *n, mw_error *err)
{
  mw_arena tmp = { 0 };
  const char *path = NULL;
  mw_code rc = mw_helper_find(t->name, t->env, t->place, MW_NOWHERE, &tmp, &path, err);
  if (rc == MW_OK && !path)
    rc = mw_fail(err, MW_ERR_IO, MW_NOWHERE,
                 "%s is not found beside modeway, expected it there or where %s says", t->name,
                 t->env);
  if (rc == MW_OK) rc = mw_model_bytes(path, "object of components", bytes, n, err);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_component_pack(const mw_component_template *t, const mw_component_source *s,
                          const char *out, mw_error *err)
{
  char *object = NULL;
  size_t n = 0;
  mw_code rc = read_template(t, &object, &n, err);
  if (rc == MW_OK) rc = write_all(s, (const unsigned char *)object, n, out, err);
  free(object);
  return rc;
}

// ---- opening, in an object ----------------------------------------------------------------------

// The file that this function was loaded from.
static const char *own_file(void)
{
  static const char here = 0;
  Dl_info info;
  return dladdr(&here, &info) != 0 ? info.dli_fname : NULL;
}

int mw_component_open_own(mw_component_opener *opener, const mw_component_in *in, void **c,
                          char *why, size_t n_why)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_component_source s = { 0 };
  bool found = false;
  const char *path = own_file();
  mw_code rc = path ? mw_pack_read(path, false, &mem, &s, &found, &err)
                    : mw_fail(&err, MW_ERR_INPUT, MW_NOWHERE, "its own file is not known");
  if (rc == MW_OK && !found)
    rc = mw_fail(&err, MW_ERR_INPUT, MW_NOWHERE,
                 "found nothing behind the object, expected the component as it was exported "
                 "(is the file cut off?)");
  if (rc == MW_OK) rc = opener(&s, in, c, &err);
  mw_arena_free(&mem);
  if (rc != MW_OK && n_why > 0) snprintf(why, n_why, "%s", err.msg);
  return rc != MW_OK;
}
