// SPDX-License-Identifier: BSD-3-Clause
// component_newer.c: a shared object as a program to come may write it, for test_component: its
// interface has another version. With MW_FOREIGN defined it has none.
#include "fem/component_abi.h"

#ifdef MW_FOREIGN
__attribute__((visibility("default"))) int nothing_of_ours = 1;
#else
const mw_component_abi *mw_component_interface(void);

__attribute__((visibility("default"))) const mw_component_abi *mw_component_interface(void)
{
  static const mw_component_abi later = { .version = MW_COMPONENT_VERSION + 1,
                                          .from = "a later program" };
  return &later;
}
#endif
