// SPDX-License-Identifier: BSD-3-Clause
// names_layer.h: finds objects by their names (names.c).
#ifndef MW_BASE_NAMES_LAYER_H
#define MW_BASE_NAMES_LAYER_H

#include <stddef.h>

typedef struct mw_named {
  const void *objects;  // the array, NULL: an empty entry
  const char *name;     // borrowed from it; NULL: row is how many rows of the array are known
  int row;
} mw_named;

// Names of the arrays that were searched. {0}: none yet. Borrows the arrays.
typedef struct mw_name_table {
  mw_named *entry;  // [size]
  size_t size, n;   // a power of two; entries in use
} mw_name_table;

// Index of `name` (n objects of `size` bytes that begin with their name), the first of equal ones,
// -1 if there is none. The array may have grown since it was searched; its names are as they were.
int mw_name_find(mw_name_table *t, const void *objects, int n, size_t size, const char *name);
void mw_name_table_free(mw_name_table *t);

#endif
