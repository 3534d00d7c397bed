// SPDX-License-Identifier: BSD-3-Clause
// part.h: what an object remembers, as pieces of memory that are saved and restored one by one.
#ifndef MW_BASE_PART_H
#define MW_BASE_PART_H

#include <stddef.h>

typedef struct mw_part {
  void *at;
  size_t bytes;
} mw_part;

#endif
