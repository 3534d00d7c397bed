// SPDX-License-Identifier: BSD-3-Clause
// mesh_nodes.c: what all readers of meshes share: node numbers to indices, nodes no element uses
// dropped, the file in memory. Numbers that fill at least an eighth of their range are looked up in
// a table, others by bisection. O(n log n), O(n) for ascending numbers.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_priv.h"

static int by_tag(const void *a, const void *b)
{
  const mesh_node *p = a, *q = b;
  if (p->tag != q->tag) return p->tag < q->tag ? -1 : 1;
  return (p->index > q->index) - (p->index < q->index);
}

static int by_value(const void *a, const void *b)
{
  int p = *(const int *)a, q = *(const int *)b;
  return (p > q) - (p < q);
}

mw_code mw_mesh_nodes_sort(mesh_nodes *t, mw_arena *tmp, mw_error *err)
{
  bool ascending = true;
  for (int k = 1; k < t->n && ascending; k++) ascending = t->node[k - 1].tag < t->node[k].tag;
  if (!ascending) qsort(t->node, (size_t)t->n, sizeof *t->node, by_tag);
  for (int k = 1; k < t->n; k++)
    if (t->node[k].tag == t->node[k - 1].tag) {
      mw_at at = { .file = t->path[t->node[k].file], .line = t->node[k].line };
      return mw_fail(err, MW_ERR_INPUT, at, "%s %d is defined twice", t->what, t->node[k].tag);
    }
  if (t->n == 0) return MW_OK;
  long long range = (long long)t->node[t->n - 1].tag - t->node[0].tag + 1;
  if (range > 8LL * t->n || range > INT_MAX) return MW_OK;
  t->base = t->node[0].tag;
  t->range = (int)range;
  t->at = mw_arena_int(tmp, (size_t)range);
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < t->range; k++) t->at[k] = -1;
  for (int k = 0; k < t->n; k++) t->at[t->node[k].tag - t->base] = t->node[k].index;
  return MW_OK;
}

int mw_mesh_nodes_find(const mesh_nodes *t, int tag)
{
  if (t->at != NULL) return tag >= t->base && tag - t->base < t->range ? t->at[tag - t->base] : -1;
  int lo = 0, hi = t->n;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (t->node[mid].tag < tag)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < t->n && t->node[lo].tag == tag ? t->node[lo].index : -1;
}

mw_code mw_mesh_room(mw_mesh *m, size_t n_elem, size_t n_link, mw_arena *mem, mw_error *err)
{
  mw_at at = { .file = m->path };
  if (n_link > INT_MAX || n_elem > INT_MAX / 8)
    return mw_fail(err, MW_ERR_INPUT, at, "the mesh has %zu elements, too many", n_elem);
  m->elem_kind = mw_arena_alloc(mem, n_elem, 1);
  m->elem_ptr = mw_arena_int(mem, n_elem + 1);
  m->elem_node = mw_arena_int(mem, n_link);
  m->elem_tag = mw_arena_int(mem, n_elem);
  m->elem_part = mw_arena_int(mem, n_elem);
  return mw_arena_check(mem, err);
}

mw_code mw_mesh_tags_unique(const mw_mesh *m, mw_arena *tmp, mw_error *err)
{
  bool ascending = true;
  for (int k = 1; k < m->n_elem && ascending; k++) ascending = m->elem_tag[k - 1] < m->elem_tag[k];
  if (ascending) return MW_OK;
  int *tag = mw_arena_int(tmp, (size_t)m->n_elem);
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  memcpy(tag, m->elem_tag, (size_t)m->n_elem * sizeof *tag);
  qsort(tag, (size_t)m->n_elem, sizeof *tag, by_value);
  for (int k = 1; k < m->n_elem; k++)
    if (tag[k] == tag[k - 1])
      return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m->path }, "element %d is defined twice",
                     tag[k]);
  return MW_OK;
}

mw_code mw_mesh_keep_nodes(const mesh_nodes *t, double scale, int *map, mw_arena *mem, mw_mesh *m,
                           mw_error *err)
{
  size_t n_link = (size_t)m->elem_ptr[m->n_elem];
  for (int i = 0; i < t->n; i++) map[i] = -1;
  for (size_t k = 0; k < n_link; k++) map[m->elem_node[k]] = 0;
  for (int i = 0; i < t->n; i++)
    if (map[i] == 0) map[i] = m->n_node++;
  m->x = mw_arena_f64(mem, 3 * (size_t)m->n_node);
  m->tag = mw_arena_int(mem, (size_t)m->n_node);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < t->n; k++) {
    int i = t->node[k].index, j = map[i];
    if (j < 0) continue;
    m->tag[j] = t->node[k].tag;
    // units of the file to metres
    for (int c = 0; c < 3; c++)
      m->x[3 * (size_t)j + (size_t)c] = scale * t->x[3 * (size_t)i + (size_t)c];
  }
  for (size_t k = 0; k < n_link; k++) m->elem_node[k] = map[m->elem_node[k]];
  return MW_OK;
}

int mw_mesh_unique(int *node, int n)
{
  int kept = 0;
  if (n > 0) qsort(node, (size_t)n, sizeof *node, by_value);
  for (int k = 0; k < n; k++)
    if (node[k] >= 0 && (kept == 0 || node[kept - 1] != node[k])) node[kept++] = node[k];
  return kept;
}

mw_code mw_mesh_load(const char *path, mw_at from, mw_arena *tmp, const char **buf, size_t *size,
                     mw_error *err)
{
  mw_at at = { .file = path };
  FILE *f = fopen(path, "rb");
  if (f == NULL && from.file != NULL)
    return mw_fail(err, MW_ERR_INPUT, from, "'%s' cannot be opened: %s", path, strerror(errno));
  if (f == NULL) return mw_fail(err, MW_ERR_IO, at, "cannot be opened: %s", strerror(errno));
  mw_code rc = MW_OK;
  long n = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
  if (n < 0 || n == LONG_MAX || fseek(f, 0, SEEK_SET) != 0)
    rc = mw_fail(err, MW_ERR_IO, at, "cannot be read: %s", strerror(errno));
  char *all = rc == MW_OK ? mw_arena_alloc(tmp, (size_t)n + 1, 1) : NULL;
  if (rc == MW_OK) rc = mw_arena_check(tmp, err);
  if (rc == MW_OK) {
    *size = fread(all, 1, (size_t)n, f);
    if (ferror(f)) rc = mw_fail(err, MW_ERR_IO, at, "cannot be read: %s", strerror(errno));
  }
  fclose(f);
  *buf = all;
  return rc;
}
