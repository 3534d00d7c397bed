// SPDX-License-Identifier: BSD-3-Clause
// mesh_build.c: the mesh made of a .msh file: its elements and their nodes, parts, node sets,
// surface.
//
// Elements are the volumes, or the surfaces (shells) of a file without volumes. The part of an
// element is its physical group of that dimension; elements of groups a and b form a part "a+b".
// O(n log n).
#include <stdlib.h>
#include <string.h>

#include "mesh_priv.h"

static int top_dim(const msh_reader *r)
{
  int dim = 0;
  for (int k = 0; k < r->elems.n; k++)
    if (r->elems.type[k]->dim > dim) dim = r->elems.type[k]->dim;
  return dim;
}

static mw_code count_elems(const msh_reader *r, int dim, size_t *n, size_t *n_link, mw_error *err)
{
  mw_at at = { .file = r->path };
  *n = *n_link = 0;
  if (dim < 2)
    return mw_fail(err, MW_ERR_INPUT, at, "the mesh has no volumes and no surfaces (gmsh -3)");
  for (int k = 0; k < r->elems.n; k++) {
    const msh_type *t = r->elems.type[k];
    if (t->dim != dim) continue;
    if (t->kind < 0)
      return mw_fail(err, MW_ERR_INPUT, at,
                     "element %d is a surface of %d nodes in a file without volumes: shells have 3 "
                     "or 4 (gmsh -order 1), solids need gmsh -3",
                     r->elems.tag[k], t->n);
    ++*n;
    *n_link += (size_t)t->n;
  }
  return MW_OK;
}

static mw_code collect(const msh_reader *r, int dim, mw_mesh *out, mw_error *err)
{
  size_t n, n_link;
  mw_code rc = count_elems(r, dim, &n, &n_link, err);
  if (rc == MW_OK) rc = mw_mesh_room(out, n, n_link, r->mem, err);
  for (int k = 0; rc == MW_OK && k < r->elems.n; k++) {
    const msh_type *t = r->elems.type[k];
    if (t->dim != dim) continue;
    const int *link = r->elems.link + r->elems.ptr[k], *order = mw_msh_order(t);
    int e = out->n_elem++, *node = out->elem_node + out->elem_ptr[e];
    for (int i = 0; i < t->n; i++) node[i] = link[order != NULL ? order[i] : i];
    out->elem_ptr[e + 1] = out->elem_ptr[e] + t->n;
    out->elem_kind[e] = (unsigned char)t->kind;
    out->elem_tag[e] = r->elems.tag[k];
    out->elem_part[e] = r->elems.entity[k];  // until parts are made
  }
  return rc;
}

// ---- groups ----

static int group_of(const msh_group *g, int n, int dim, int tag)
{
  for (int k = 0; k < n; k++)
    if (g[k].dim == dim && abs(g[k].tag) == abs(tag)) return k;
  return -1;
}

// named groups, then unnamed ones called dim_tag; physical tags of entities become indices of
// groups
static mw_code all_groups(msh_reader *r, int *n, msh_group **out, mw_error *err)
{
  size_t cap = (size_t)r->n_group;
  for (int k = 0; k < r->n_entity; k++) cap += (size_t)r->entity[k].n;
  *out = mw_arena_alloc(&r->tmp, cap, sizeof **out);
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc != MW_OK) return rc;
  if (r->n_group > 0) memcpy(*out, r->group, (size_t)r->n_group * sizeof **out);
  *n = r->n_group;
  for (int k = 0; k < r->n_entity; k++) {
    msh_entity *e = &r->entity[k];
    for (int i = 0; i < e->n; i++) {
      int tag = abs(e->physical[i]), g = group_of(*out, *n, e->dim, tag);
      if (g < 0) {
        g = (*n)++;
        (*out)[g] = (msh_group){ e->dim, tag, mw_arena_printf(r->mem, "%d_%d", e->dim, tag) };
      }
      e->physical[i] = g;
    }
    e->n = mw_mesh_unique(e->physical, e->n);
  }
  return mw_arena_check(r->mem, err);
}

// ptr [n_group + 1], list: the nodes of the elements of each group, with duplicates and -1
static mw_code group_nodes(msh_reader *r, const int *map, int n_group, size_t **ptr, int **list,
                           mw_error *err)
{
  const msh_elems *p = &r->elems;
  *ptr = mw_arena_alloc(&r->tmp, (size_t)n_group + 2, sizeof **ptr);
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc != MW_OK) return rc;
  size_t *fill = *ptr + 1;
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < p->n; k++) {
      const msh_entity *e = p->entity[k] < 0 ? NULL : &r->entity[p->entity[k]];
      for (int i = 0; e != NULL && i < e->n; i++) {
        if (pass == 0) fill[e->physical[i] + 1] += (size_t)p->type[k]->n;
        for (int j = 0; pass == 1 && j < p->type[k]->n; j++)
          (*list)[fill[e->physical[i]]++] = map[p->link[p->ptr[k] + (size_t)j]];
      }
    }
    if (pass == 1) break;
    for (int g = 0; g < n_group; g++) fill[g + 1] += fill[g];
    *list = mw_arena_int(&r->tmp, fill[n_group]);
    rc = mw_arena_check(&r->tmp, err);
    if (rc != MW_OK) return rc;
  }
  return MW_OK;
}

static mw_code build_sets(msh_reader *r, const int *map, const msh_group *group, mw_mesh *out,
                          mw_error *err)
{
  size_t *ptr = NULL;
  int *list = NULL;
  mw_code rc = group_nodes(r, map, out->n_set, &ptr, &list, err);
  if (rc != MW_OK) return rc;
  out->set = mw_arena_alloc(r->mem, (size_t)out->n_set, sizeof *out->set);
  rc = mw_arena_check(r->mem, err);
  for (int g = 0; g < out->n_set && rc == MW_OK; g++) {
    int *node = list + ptr[g], n = mw_mesh_unique(node, (int)(ptr[g + 1] - ptr[g]));
    out->set[g] = (mw_mesh_set){ group[g].name, group[g].dim, n, NULL };
    out->set[g].node = mw_arena_int(r->mem, (size_t)n);
    rc = mw_arena_check(r->mem, err);
    if (rc == MW_OK && n > 0) memcpy(out->set[g].node, node, (size_t)n * sizeof *node);
  }
  return rc;
}

// ---- parts ----

// "a+b" for the groups of an entity, "" for none
static const char *part_name(msh_reader *r, const msh_entity *e, const msh_group *group)
{
  const char *name = "";
  for (int i = 0; e != NULL && i < e->n && name != NULL; i++)
    name = i == 0 ? group[e->physical[0]].name
                  : mw_arena_printf(r->mem, "%s+%s", name, group[e->physical[i]].name);
  return name;
}

// One part for each name; elem_part holds entities and becomes indices of parts.
static mw_code build_parts(msh_reader *r, int dim, const msh_group *group, mw_mesh *out,
                           mw_error *err)
{
  int *part = mw_arena_int(&r->tmp, (size_t)r->n_entity + 1);  // of an entity + 1
  out->part = mw_arena_alloc(r->mem, (size_t)r->n_entity + 1, sizeof *out->part);
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(r->mem, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k <= r->n_entity; k++) part[k] = -1;
  for (int e = 0; e < out->n_elem; e++) {
    int k = out->elem_part[e] + 1, p = part[k];
    if (p < 0) {
      const char *name = part_name(r, k == 0 ? NULL : &r->entity[k - 1], group);
      if (name == NULL) return mw_arena_check(r->mem, err);
      for (p = 0; p < out->n_part && strcmp(out->part[p].name, name) != 0;) p++;
      if (p == out->n_part) out->part[out->n_part++] = (mw_mesh_part){ .name = name, .dim = dim };
      part[k] = p;
    }
    out->elem_part[e] = p;
  }
  return MW_OK;
}

mw_code mw_msh_build(msh_reader *r, mw_mesh *out, mw_error *err)
{
  int *map = mw_arena_int(&r->tmp, (size_t)r->nodes.n), dim = top_dim(r);
  msh_group *group = NULL;
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc == MW_OK) rc = collect(r, dim, out, err);
  if (rc == MW_OK) rc = mw_mesh_tags_unique(out, &r->tmp, err);
  if (rc == MW_OK) rc = mw_mesh_keep_nodes(&r->nodes, r->scale, map, r->mem, out, err);
  if (rc == MW_OK) rc = all_groups(r, &out->n_set, &group, err);
  if (rc == MW_OK) rc = build_parts(r, dim, group, out, err);
  if (rc == MW_OK) rc = build_sets(r, map, group, out, err);
  return rc == MW_OK ? mw_mesh_surface(out, r->mem, err) : rc;
}
