// SPDX-License-Identifier: BSD-3-Clause
// component_object.c: the shared object that all exported components are copies of. What makes one
// of them is behind it in its file (component_pack.c).
#include "component_priv.h"

const mw_component_abi *mw_component_interface(void);

static int open_own(const mw_component_in *in, void **c, char *why, size_t n_why)
{
  return mw_component_open_own(mw_component_rigid_open, in, c, why, n_why);
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
