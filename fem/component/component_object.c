// SPDX-License-Identifier: BSD-3-Clause
// component_object.c: the shared object that all exported components are copies of. What makes one
// of them is behind it in its file (component_pack.c).
#define _GNU_SOURCE  // dladdr
#include <dlfcn.h>
#include <stdio.h>

#include "component_priv.h"

const mw_component_abi *mw_component_interface(void);

// The file that this function was loaded from.
static const char *own_file(void)
{
  static const char here = 0;
  Dl_info info;
  return dladdr(&here, &info) != 0 ? info.dli_fname : NULL;
}

static int open_own(const mw_component_in *in, void **c, char *why, size_t n_why)
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
  if (rc == MW_OK) rc = mw_component_rigid_open(&s, in, c, &err);
  mw_arena_free(&mem);
  if (rc != MW_OK && n_why > 0) snprintf(why, n_why, "%s", err.msg);
  return rc != MW_OK;
}

#define SHOWN __attribute__((visibility("default")))

SHOWN const mw_component_abi *mw_component_interface(void)
{
  static const mw_component_abi all = { .version = MW_COMPONENT_VERSION,
                                        .bytes = sizeof all + sizeof mw_component_rigid_calls,
                                        .from = "modeway " MW_VERSION,
                                        .open = open_own,
                                        .calls = &mw_component_rigid_calls };
  return &all;
}
