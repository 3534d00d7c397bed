// SPDX-License-Identifier: BSD-3-Clause
// mesh_msh2.c: $Nodes and $Elements of gmsh's .msh format, version 2.2, text and binary.
//
// An element carries the tag of its physical group; what stands for the entities of version 4.1
// here
// is one for every dimension and physical tag. An element of two groups is written twice, with two
// numbers: the copies become one element of both groups. Format: gmsh 4.8 reference manual, "MSH
// file format version 2".
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_priv.h"

// The counts that open sections are text in binary files too.
static mw_code read_count(msh_reader *r, const char *what, size_t bytes, int *n, mw_error *err)
{
  bool binary = r->binary;
  r->binary = false;
  mw_code rc = mw_msh_size(r, what, n, err);
  r->binary = binary;
  if (rc == MW_OK && binary) mw_msh_skip_line(r);
  return rc == MW_OK ? mw_msh_need(r, *n, bytes, what, err) : rc;
}

mw_code mw_msh2_nodes(msh_reader *r, mw_error *err)
{
  int n = 0;
  mw_code rc = read_count(r, "nodes", 28, &n, err);
  if (rc == MW_OK) rc = mw_msh_room_nodes(r, n, err);
  for (int k = 0; k < n && rc == MW_OK; k++) {
    mesh_node *p = &r->nodes.node[k];
    rc = mw_msh_int(r, "a node number", &p->tag, err);
    if (rc == MW_OK && p->tag <= 0)
      rc = mw_msh_fail(r, err, "a node number below 1, numbers start at 1", "");
    p->index = k;
    p->line = mw_msh_at(r).line;
    for (int i = 0; i < 3 && rc == MW_OK; i++)
      rc = mw_msh_f64(r, "a coordinate", &r->nodes.x[3 * (size_t)k + (size_t)i], err);
  }
  r->nodes.n = rc == MW_OK ? n : 0;
  return rc;
}

static mw_code room_entity(msh_reader *r, mw_error *err)
{
  if (r->n_entity < r->cap_entity) return MW_OK;
  int cap = 2 * r->cap_entity + 16;
  msh_entity *e = mw_arena_alloc(&r->tmp, (size_t)cap, sizeof *e);
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc != MW_OK) return rc;
  if (r->n_entity > 0) memcpy(e, r->entity, (size_t)r->n_entity * sizeof *e);
  r->entity = e;
  r->cap_entity = cap;
  return MW_OK;
}

// The entity of a dimension and n physical tags (ascending), made when it is met first.
static mw_code entity_of(msh_reader *r, int dim, int n, const int *physical, int *entity,
                         mw_error *err)
{
  for (int k = r->n_entity - 1; k >= 0; k--)
    if (r->entity[k].dim == dim && r->entity[k].n == n &&
        memcmp(r->entity[k].physical, physical, (size_t)n * sizeof *physical) == 0)
      return *entity = k, MW_OK;
  mw_code rc = room_entity(r, err);
  if (rc != MW_OK) return rc;
  int *tag = mw_arena_int(&r->tmp, (size_t)n);
  rc = mw_arena_check(&r->tmp, err);
  if (rc != MW_OK) return rc;
  memcpy(tag, physical, (size_t)n * sizeof *tag);
  *entity = r->n_entity++;
  r->entity[*entity] = (msh_entity){ .dim = dim, .tag = *entity, .n = n, .physical = tag };
  return MW_OK;
}

// the tags of an element: physical group, entity, and what only partitioned meshes have
static mw_code read_tags(msh_reader *r, int n_tag, int *physical, mw_error *err)
{
  mw_code rc = mw_msh_need(r, n_tag, 4, "tags of an element", err);
  *physical = 0;
  for (int i = 0, tag = 0; i < n_tag && rc == MW_OK; i++) {
    rc = mw_msh_int(r, "a tag of an element", &tag, err);
    if (i == 0) *physical = tag;
  }
  return rc;
}

// text: number, type, n_tag, tags, nodes; binary: a header type, count, n_tag, then elements
// without these
static mw_code read_run(msh_reader *r, mw_error *err)
{
  int number = 0, type = 0, n_run = 1, n_tag = 0, physical;
  const msh_type *t = NULL;
  mw_code rc = r->binary ? MW_OK : mw_msh_int(r, "an element number", &number, err);
  if (rc == MW_OK) rc = mw_msh_int(r, "an element type", &type, err);
  if (rc == MW_OK) rc = mw_msh_type_of(r, type, &t, err);
  if (rc == MW_OK && r->binary) rc = mw_msh_int(r, "the number of elements of a run", &n_run, err);
  if (rc == MW_OK) rc = mw_msh_int(r, "the number of tags of an element", &n_tag, err);
  if (rc == MW_OK && (n_run < 1 || n_tag < 0))
    rc = mw_msh_fail(r, err, "a run of no elements, or fewer tags than none", "");
  for (int k = 0; k < n_run && rc == MW_OK; k++) {
    if (r->binary) rc = mw_msh_int(r, "an element number", &number, err);
    if (rc == MW_OK) rc = read_tags(r, n_tag, &physical, err);
    int entity = -1;  // tag 0: of no group
    if (rc == MW_OK && physical != 0) rc = entity_of(r, t->dim, 1, &physical, &entity, err);
    if (rc == MW_OK) rc = mw_msh_element(r, t, number, entity, err);
  }
  return rc;
}

// ---- elements of several groups ----

typedef struct copy {
  uint64_t hash;  // of type and nodes; 64 bits: two of a million elements do not meet
  int elem;
} copy;

static int by_hash(const void *a, const void *b)
{
  const copy *p = a, *q = b;
  if (p->hash != q->hash) return p->hash < q->hash ? -1 : 1;
  return (p->elem > q->elem) - (p->elem < q->elem);
}

static bool same_nodes(const msh_elems *p, int a, int b)
{
  return p->type[a] == p->type[b] && memcmp(p->link + p->ptr[a], p->link + p->ptr[b],
                                            (size_t)p->type[a]->n * sizeof *p->link) == 0;
}

// gives element `first` the groups of its copy too; copies in the same group stay, as a mistake of
// the file
static mw_code take_groups(msh_reader *r, int first, int elem, bool *dropped, mw_error *err)
{
  msh_elems *p = &r->elems;
  if (p->entity[first] < 0 || p->entity[elem] < 0 || dropped[first]) return MW_OK;
  const msh_entity *a = &r->entity[p->entity[first]], *b = &r->entity[p->entity[elem]];
  int *tag = mw_arena_int(&r->tmp, (size_t)a->n + 1);
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc != MW_OK) return rc;
  int n = 0, k = 0;
  for (; k < a->n && a->physical[k] < b->physical[0]; k++) tag[n++] = a->physical[k];
  if (k < a->n && a->physical[k] == b->physical[0]) return MW_OK;
  for (tag[n++] = b->physical[0]; k < a->n; k++) tag[n++] = a->physical[k];
  dropped[elem] = true;
  return entity_of(r, a->dim, n, tag, &p->entity[first], err);
}

static void drop(msh_elems *p, const bool *dropped)
{
  int kept = 0;
  for (int k = 0; k < p->n; k++) {
    if (dropped[k]) continue;
    size_t at = p->ptr[kept], n = (size_t)p->type[k]->n;
    memmove(p->link + at, p->link + p->ptr[k], n * sizeof *p->link);
    p->type[kept] = p->type[k];
    p->tag[kept] = p->tag[k];
    p->entity[kept] = p->entity[k];
    p->ptr[++kept] = at + n;
  }
  p->n = kept;
}

// One element of those that were written once for each of their groups. O(n log n).
static mw_code merge_copies(msh_reader *r, mw_error *err)
{
  msh_elems *p = &r->elems;
  size_t n = (size_t)p->n;
  copy *c = mw_arena_alloc(&r->tmp, n, sizeof *c);
  bool *dropped = mw_arena_alloc(&r->tmp, n, sizeof *dropped);
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < p->n; k++) {
    uint64_t h = (uint64_t)p->type[k]->type;
    for (size_t i = p->ptr[k]; i < p->ptr[k + 1]; i++)
      h = (h ^ (uint64_t)p->link[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    c[k] = (copy){ h, k };
  }
  qsort(c, n, sizeof *c, by_hash);
  for (size_t k = 1, first = 0; k < n && rc == MW_OK; k++) {
    if (c[k].hash != c[first].hash || !same_nodes(p, c[first].elem, c[k].elem))
      first = k;
    else
      rc = take_groups(r, c[first].elem, c[k].elem, dropped, err);
  }
  if (rc == MW_OK) drop(p, dropped);
  return rc;
}

mw_code mw_msh2_elems(msh_reader *r, mw_error *err)
{
  int n = 0;
  mw_code rc = read_count(r, "elements", 8, &n, err);
  if (rc == MW_OK) rc = mw_msh_room_elems(r, n, err);
  while (rc == MW_OK && r->elems.n < n) rc = read_run(r, err);
  return rc == MW_OK && r->n_entity > 1 ? merge_copies(r, err) : rc;
}
