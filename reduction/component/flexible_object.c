// SPDX-License-Identifier: BSD-3-Clause
// flexible_object.c: modeway-flexible.so, which exported reduced models are copies of. What makes
// one of them is behind it in its file (fem/component_pack.h).
#include <string.h>

#include "fem/component_pack.h"
#include "reduction/flexible.h"

const mw_component_abi *mw_component_interface(void);

// Tables of parameters, which lie anywhere in the file.
static mw_code read_tables(const mw_model_text *file, mw_kept *z, mw_arena *mem, mw_error *err)
{
  size_t n = mw_flexible_tables_bytes(z);
  if (file->n != n)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "found %zu bytes of tables of parameters, expected %zu", file->n, n);
  if (n == 0) return MW_OK;
  z->node = mw_arena_alloc(mem, n, 1);
  if (z->node) memcpy(z->node, file->text, n);
  z->coef = z->node ? z->node + z->n * z->n_node : NULL;
  return mw_arena_check(mem, err);
}

static mw_code open_files(const mw_component_source *s, const mw_component_in *in, void **c,
                          mw_error *err)
{
  mw_arena mem = { 0 };
  mw_flexible_text text = { .n_seen = 0 };
  if (s->n_file != MW_FLEXIBLE_FILES)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "found %d parts behind the object, expected %d",
                   s->n_file, MW_FLEXIBLE_FILES);
  const mw_model_text *block = &s->file[MW_FLEXIBLE_BLOCK],
                      *described = &s->file[MW_FLEXIBLE_DESCRIPTION];
  mw_code rc = mw_flexible_text_read(described->text, described->n, &mem, &text, err);
  if (rc == MW_OK) rc = read_tables(&s->file[MW_FLEXIBLE_TABLES], &text.kept, &mem, err);
  if (rc == MW_OK) rc = mw_flexible_open(block->text, block->n, &text, s->hash, in, c, err);
  mw_arena_free(&mem);
  return rc;
}

static int open_own(const mw_component_in *in, void **c, char *why, size_t n_why)
{
  return mw_component_open_own(open_files, in, c, why, n_why);
}

#define SHOWN __attribute__((visibility("default")))

SHOWN const mw_component_abi *mw_component_interface(void)
{
  static const mw_component_abi all = { .version = MW_COMPONENT_VERSION,
                                        .bytes = sizeof all + sizeof mw_flexible_calls,
                                        .from = "modeway " MW_VERSION,
                                        .open = open_own,
                                        .calls = &mw_flexible_calls };
  return &all;
}
