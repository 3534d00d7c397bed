// SPDX-License-Identifier: BSD-3-Clause
// mesh_msh2.c: $Nodes and $Elements of gmsh's .msh format, version 2.2, text and binary.
//
// An element carries the tag of its physical group; what stands for the entities of version 4.1 here
// is one for every dimension and physical tag. An element of two groups is written twice, with two
// numbers: mesh_build.c makes one of them. Format: gmsh 4.8 reference manual, "MSH file format version 2".
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

// The entity of a dimension and a physical tag, made when it is met first; -1: tag 0, no group.
static mw_code entity_of(msh_reader *r, int dim, int physical, int *entity, mw_error *err)
{
  *entity = -1;
  if (physical == 0) return MW_OK;
  for (int k = r->n_entity - 1; k >= 0; k--)
    if (r->entity[k].dim == dim && r->entity[k].physical[0] == physical) return *entity = k, MW_OK;
  if (r->n_entity == r->cap_entity) {
    int cap = 2 * r->cap_entity + 16;
    msh_entity *e = mw_arena_alloc(&r->tmp, (size_t)cap, sizeof *e);
    mw_code rc = mw_arena_check(&r->tmp, err);
    if (rc != MW_OK) return rc;
    for (int k = 0; k < r->n_entity; k++) e[k] = r->entity[k];
    r->entity = e;
    r->cap_entity = cap;
  }
  int *tag = mw_arena_int(&r->tmp, 1);
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc != MW_OK) return rc;
  *tag = physical;
  *entity = r->n_entity++;
  r->entity[*entity] = (msh_entity){ .dim = dim, .tag = *entity, .n = 1, .physical = tag };
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

// text: number, type, n_tag, tags, nodes; binary: a header type, count, n_tag, then elements without these
static mw_code read_run(msh_reader *r, mw_error *err)
{
  int number = 0, type = 0, n_run = 1, n_tag = 0, physical, entity;
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
    if (rc == MW_OK) rc = entity_of(r, t->dim, physical, &entity, err);
    if (rc == MW_OK) rc = mw_msh_element(r, t, number, entity, err);
  }
  return rc;
}

mw_code mw_msh2_elems(msh_reader *r, mw_error *err)
{
  int n = 0;
  mw_code rc = read_count(r, "elements", 8, &n, err);
  if (rc == MW_OK) rc = mw_msh_room_elems(r, n, err);
  while (rc == MW_OK && r->elems.n < n) rc = read_run(r, err);
  return rc;
}
