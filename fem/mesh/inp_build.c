// SPDX-License-Identifier: BSD-3-Clause
// inp_build.c: the mesh made of an .inp file: numbers to indices, solids and shells, parts by
// section. O(n log n), O(n) when numbers ascend.
#include <string.h>

#include "inp_priv.h"

mw_code mw_inp_elem(const inp_reader *r, const inp_set *s, int k, int *elem, mw_error *err)
{
  *elem = mw_mesh_nodes_find(&r->number, s->tag.v[k]);
  if (*elem >= 0) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, s->at, "element %d of ELSET '%.64s' does not exist",
                 s->tag.v[k], s->name);
}

// tables of numbers; node numbers of elements become indices
static mw_code number(inp_reader *r, mw_error *err)
{
  inp_elems *p = &r->elems;
  mw_at at = { .file = r->path[0] };
  if (r->nodes.n == 0 || p->n == 0)
    return mw_fail(err, MW_ERR_INPUT, at, "the file has no *%s",
                   r->nodes.n == 0 ? "NODE" : "ELEMENT");
  r->nodes.what = "node";
  r->nodes.path = r->path;
  r->number = (mesh_nodes){ .what = "element", .path = r->path, .n = p->n };
  r->number.node = mw_arena_alloc(&r->tmp, (size_t)p->n, sizeof *p->id);
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc != MW_OK) return rc;
  memcpy(r->number.node, p->id, (size_t)p->n * sizeof *p->id);
  rc = mw_mesh_nodes_sort(&r->nodes, &r->tmp, err);
  if (rc == MW_OK) rc = mw_mesh_nodes_sort(&r->number, &r->tmp, err);
  for (int e = 0; e < p->n && rc == MW_OK; e++)
    for (int k = p->ptr[e]; k < p->ptr[e + 1] && rc == MW_OK; k++) {
      int i = mw_mesh_nodes_find(&r->nodes, p->link.v[k]);
      if (i < 0)
        rc = mw_fail(
            err, MW_ERR_INPUT, (mw_at){ .file = r->path[p->id[e].file], .line = p->id[e].line },
            "element %d refers to node %d, which does not exist", p->id[e].tag, p->link.v[k]);
      else
        p->link.v[k] = i;
    }
  return rc;
}

// section [elems.n]: of each element, −1 without
static mw_code assign(const inp_reader *r, int s, int *section, mw_error *err)
{
  const inp_section *p = &r->section[s];
  int set = mw_inp_set_find(&r->elset, p->elset), e;
  if (set < 0)
    return mw_fail(err, MW_ERR_INPUT, p->at, "ELSET '%.64s' of the section is not defined",
                   p->elset);
  const inp_set *q = &r->elset.v[set];
  for (int k = 0; k < q->tag.n; k++) {
    mw_code rc = mw_inp_elem(r, q, k, &e, err);
    if (rc != MW_OK) return rc;
    const inp_type *t = r->elems.type[e];
    if (t->kind < 0 || t->dim != (p->shell ? 2 : 3))
      return mw_fail(err, MW_ERR_INPUT, p->at, "element %d of the section is of type %s, no %s",
                     q->tag.v[k], t->name, p->shell ? "shell" : "solid");
    if (section[e] >= 0 && section[e] != s)
      return mw_fail(err, MW_ERR_INPUT, p->at,
                     "element %d is in ELSET '%.64s' and in '%.64s' of "
                     "another section",
                     q->tag.v[k], p->elset, r->section[section[e]].elset);
    section[e] = s;
  }
  return MW_OK;
}

// part of a section, or of the elements of a dimension without one; made when it is met first
static mw_code part_of(const inp_reader *r, int section, int dim, int *made, mw_mesh *out,
                       int *part, mw_error *err)
{
  int *m = section >= 0 ? &made[section] : &made[r->n_section + dim - 2];
  mw_code rc = MW_OK;
  if (*m < 0) {
    mw_mesh_part p = { .name = "", .dim = dim };
    if (section >= 0) rc = mw_inp_part(r, &r->section[section], &p, err);
    if (rc != MW_OK) return rc;
    *m = out->n_part;
    out->part[out->n_part++] = p;
  }
  *part = *m;
  return MW_OK;
}

static mw_code collect(inp_reader *r, const int *section, int *made, mw_mesh *out, mw_error *err)
{
  const inp_elems *p = &r->elems;
  size_t n = 0, n_link = 0;
  mw_code rc = MW_OK;
  for (int e = 0; e < p->n; e++)
    if (p->type[e]->kind >= 0) n++, n_link += (size_t)p->type[e]->n;
  if (n == 0)
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = r->path[0] },
                   "the file has no solids and no shells");
  rc = mw_mesh_room(out, n, n_link, r->mem, err);
  for (int k = 0; k < p->n && rc == MW_OK; k++) {
    const inp_type *t = p->type[k];
    if (t->kind < 0) continue;
    int e = out->n_elem++;
    memcpy(out->elem_node + out->elem_ptr[e], p->link.v + p->ptr[k], (size_t)t->n * sizeof(int));
    out->elem_ptr[e + 1] = out->elem_ptr[e] + t->n;
    out->elem_kind[e] = (unsigned char)t->kind;
    out->elem_tag[e] = p->id[k].tag;
    rc = part_of(r, section[k], t->dim, made, out, &out->elem_part[e], err);
  }
  return rc;
}

mw_code mw_inp_build(inp_reader *r, mw_mesh *out, mw_error *err)
{
  size_t n_made = (size_t)r->n_section + 2;
  int *section = mw_arena_int(&r->tmp, (size_t)r->elems.n),
      *map = mw_arena_int(&r->tmp, (size_t)r->nodes.n), *made = mw_arena_int(&r->tmp, n_made);
  out->part = mw_arena_alloc(r->mem, n_made, sizeof *out->part);
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(r->mem, err);
  if (rc == MW_OK) rc = number(r, err);
  if (rc != MW_OK) return rc;
  for (int e = 0; e < r->elems.n; e++) section[e] = -1;
  for (size_t k = 0; k < n_made; k++) made[k] = -1;
  for (int s = 0; s < r->n_section && rc == MW_OK; s++) rc = assign(r, s, section, err);
  if (rc == MW_OK) rc = collect(r, section, made, out, err);
  if (rc == MW_OK) rc = mw_mesh_keep_nodes(&r->nodes, r->scale, map, r->mem, out, err);
  if (rc == MW_OK) rc = mw_inp_build_sets(r, map, out, err);
  if (rc == MW_OK) rc = mw_inp_build_masses(r, map, out, err);
  return rc == MW_OK ? mw_mesh_surface(out, r->mem, err) : rc;
}
