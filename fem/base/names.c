// SPDX-License-Identifier: BSD-3-Clause
// names.c: finds objects by their names.
//
// One table for all arrays that are searched: an entry holds an array, a name of it, and the row;
// that without a name holds how many of the array's rows are in the table. Open addressing, at most
// half full; hashes are those of Fowler, Noll and Vo (FNV-1a). Short arrays are gone through.
// Cost: linear in the bytes of all names, once.
#include "names_layer.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT = 16, FIRST = 256 };  // rows of an array that is gone through; entries, a power of two

static const char *name_of(const void *objects, size_t size, int i)
{
  const char *p = objects;
  return *(const char *const *)(const void *)(p + (size_t)i * size);
}

static uint64_t hash(const void *objects, const char *name)
{
  uint64_t h = UINT64_C(0xcbf29ce484222325) ^ (uintptr_t)objects;
  for (const char *c = name ? name : ""; *c; c++)
    h = (h ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
  return h ^ h >> 32;
}

// The entry of a name (NULL: of the array itself), or the empty one where it belongs.
static mw_named *entry(const mw_name_table *t, const void *objects, const char *name)
{
  size_t last = t->size - 1, i = (size_t)hash(objects, name) & last;
  for (; t->entry[i].objects; i = (i + 1) & last) {
    const mw_named *e = &t->entry[i];
    bool same = !name || !e->name ? name == e->name : strcmp(e->name, name) == 0;
    if (e->objects == objects && same) break;
  }
  return &t->entry[i];
}

// Makes room for one more entry.
static bool grow(mw_name_table *t)
{
  if (t->entry && 2 * (t->n + 1) <= t->size) return true;
  mw_name_table more = { .size = t->entry ? 2 * t->size : FIRST, .n = t->n };
  more.entry = calloc(more.size, sizeof *more.entry);
  if (!more.entry) return false;
  for (size_t i = 0; t->entry && i < t->size; i++)
    if (t->entry[i].objects) *entry(&more, t->entry[i].objects, t->entry[i].name) = t->entry[i];
  free(t->entry);
  *t = more;
  return true;
}

// Of equal names the first stays.
static bool add(mw_name_table *t, const void *objects, const char *name, int row)
{
  if (!grow(t)) return false;
  mw_named *e = entry(t, objects, name);
  if (e->objects && name) return true;
  if (!e->objects) t->n++;
  *e = (mw_named){ objects, name, row };
  return true;
}

// The table knows rows 0 to n − 1; false: no memory for that.
static bool fill(mw_name_table *t, const void *objects, int n, size_t size)
{
  const mw_named *known = t->entry ? entry(t, objects, NULL) : NULL;
  int first = known && known->objects ? known->row : 0;
  if (first >= n) return true;
  for (int i = first; i < n; i++)
    if (!add(t, objects, name_of(objects, size, i), i)) return false;
  return add(t, objects, NULL, n);
}

int mw_name_find(mw_name_table *t, const void *objects, int n, size_t size, const char *name)
{
  if (n > SHORT && fill(t, objects, n, size)) {
    const mw_named *e = entry(t, objects, name);
    return e->objects && e->row < n ? e->row : -1;
  }
  for (int i = 0; i < n; i++)
    if (strcmp(name_of(objects, size, i), name) == 0) return i;
  return -1;
}

void mw_name_table_free(mw_name_table *t)
{
  free(t->entry);
  *t = (mw_name_table){ 0 };
}
