// SPDX-License-Identifier: BSD-3-Clause
// inp_sets.c: node sets of a mesh from the NSETs, ELSETs and surfaces of an .inp file; ties,
// masses.
//
// Each becomes the set of its nodes that solids or shells use. Sets of one name with the same nodes
// (an NSET and an ELSET, say) become one. O(nodes named · log).
#include <string.h>

#include "inp_priv.h"

typedef struct gather {
  inp_reader *r;
  const int *map;
  mw_mesh *out;
  int n, *list;  // [out->n_node]  nodes of the set at hand
  int *mark;     // [out->n_node]  the set that took a node last
  int stamp;
} gather;

static void take(gather *g, int raw)
{
  int i = g->map[raw];
  if (i < 0 || g->mark[i] == g->stamp) return;
  g->mark[i] = g->stamp;
  g->list[g->n++] = i;
}

static mw_code take_node(gather *g, int tag, mw_at at, const char *what, const char *name,
                         mw_error *err)
{
  int raw = mw_mesh_nodes_find(&g->r->nodes, tag);
  if (raw < 0)
    return mw_fail(err, MW_ERR_INPUT, at, "node %d of %s '%.64s' does not exist", tag, what, name);
  take(g, raw);
  return MW_OK;
}

static void begin(gather *g)
{
  g->n = 0;
  g->stamp++;
}

// The set at hand into the mesh; *set says which it became.
static mw_code finish(gather *g, const char *name, int dim, int *set, mw_error *err)
{
  mw_mesh *m = g->out;
  g->n = mw_mesh_unique(g->list, g->n);
  for (int k = 0; k < m->n_set; k++)
    if (mw_inp_same(m->set[k].name, name) && m->set[k].n == g->n &&
        (g->n == 0 || memcmp(m->set[k].node, g->list, (size_t)g->n * sizeof *g->list) == 0)) {
      if (m->set[k].dim < dim) m->set[k].dim = dim;
      return *set = k, MW_OK;
    }
  int *node = mw_arena_int(g->r->mem, (size_t)g->n);
  mw_code rc = mw_arena_check(g->r->mem, err);
  if (rc != MW_OK) return rc;
  if (g->n > 0) memcpy(node, g->list, (size_t)g->n * sizeof *node);
  *set = m->n_set++;
  m->set[*set] = (mw_mesh_set){ name, dim, g->n, node };
  return MW_OK;
}

static mw_code add_nset(gather *g, const inp_set *s, mw_error *err)
{
  mw_code rc = MW_OK;
  int set;
  begin(g);
  for (int k = 0; k < s->tag.n && rc == MW_OK; k++)
    rc = take_node(g, s->tag.v[k], s->at, "NSET", s->name, err);
  return rc == MW_OK ? finish(g, s->name, 0, &set, err) : rc;
}

static mw_code add_elset(gather *g, const inp_set *s, mw_error *err)
{
  const inp_elems *p = &g->r->elems;
  int dim = 0, e, set;
  begin(g);
  for (int k = 0; k < s->tag.n; k++) {
    mw_code rc = mw_inp_elem(g->r, s, k, &e, err);
    if (rc != MW_OK) return rc;
    if (p->type[e]->dim > dim) dim = p->type[e]->dim;
    for (int i = p->ptr[e]; i < p->ptr[e + 1]; i++) take(g, p->link.v[i]);
  }
  return finish(g, s->name, dim, &set, err);
}

static mw_code take_face(gather *g, int e, const inp_item *item, mw_error *err)
{
  const inp_elems *p = &g->r->elems;
  const inp_type *t = p->type[e];
  const int *link = p->link.v + p->ptr[e];
  bool shell = t->kind >= 0 && t->dim == 2;
  if (shell && item->face <= 0) {  // S1 of a shell is its whole face
    for (int i = 0; i < t->n; i++) take(g, link[i]);
    return MW_OK;
  }
  const mw_elem_info *info = t->kind >= 0 ? mw_elem_info_of((mw_elem_kind)t->kind) : NULL;
  if (info == NULL || item->face < 0 || item->face >= info->n_face)
    return mw_fail(err, MW_ERR_INPUT, item->at, "element %d of type %s has no such face",
                   p->id[e].tag, t->name);
  for (int i = 0; i < 8; i++)
    if (info->face[item->face][i] >= 0) take(g, link[info->face[item->face][i]]);
  return MW_OK;
}

static mw_code take_item(gather *g, const inp_surface *s, const inp_item *item, mw_error *err)
{
  const inp_reader *r = g->r;
  inp_set one = { .name = s->name, .at = item->at };
  int tag = item->tag, e;
  one.tag = (inp_list){ 1, 1, &tag };
  const inp_set *q = item->set < 0 ? &one
                     : s->nodes    ? &r->nset.v[item->set]
                                   : &r->elset.v[item->set];
  mw_code rc = MW_OK;
  for (int k = 0; k < q->tag.n && rc == MW_OK; k++) {
    if (s->nodes) {
      rc = take_node(g, q->tag.v[k], item->at, "surface", s->name, err);
      continue;
    }
    rc = mw_inp_elem(r, q, k, &e, err);
    if (rc == MW_OK) rc = take_face(g, e, item, err);
  }
  return rc;
}

// *set: what the surface became
static mw_code add_surface(gather *g, const inp_surface *s, int *set, mw_error *err)
{
  mw_code rc = MW_OK;
  begin(g);
  for (int k = 0; k < s->n && rc == MW_OK; k++) rc = take_item(g, s, &s->item[k], err);
  if (rc == MW_OK && g->n == 0)
    rc = mw_fail(err, MW_ERR_INPUT, s->at, "surface '%.64s' is empty", s->name);
  return rc == MW_OK ? finish(g, s->name, 2, set, err) : rc;
}

static mw_code tie_side(const inp_reader *r, const inp_tie *t, const char *name, const int *set,
                        int *out, mw_error *err)
{
  for (int k = 0; k < r->n_surface; k++)
    if (mw_inp_same(r->surface[k].name, name)) return *out = set[k], MW_OK;
  return mw_fail(err, MW_ERR_INPUT, t->at, "surface '%.64s' of the tie is not defined", name);
}

static mw_code build_ties(const inp_reader *r, const int *set, mw_mesh *out, mw_error *err)
{
  out->tie = mw_arena_alloc(r->mem, (size_t)r->n_tie, sizeof *out->tie);
  mw_code rc = mw_arena_check(r->mem, err);
  for (int k = 0; k < r->n_tie && rc == MW_OK; k++) {
    const inp_tie *t = &r->tie[k];
    mw_mesh_tie *p = &out->tie[k];
    p->name = t->name;
    p->distance = t->distance * r->scale;  // m
    rc = tie_side(r, t, t->slave, set, &p->slave, err);
    if (rc == MW_OK) rc = tie_side(r, t, t->master, set, &p->master, err);
    if (rc == MW_OK && p->slave == p->master)
      rc = mw_fail(err, MW_ERR_INPUT, t->at, "slave and master of the tie are the same");
    if (rc == MW_OK) out->n_tie++;
  }
  return rc;
}

mw_code mw_inp_build_sets(inp_reader *r, const int *map, mw_mesh *out, mw_error *err)
{
  gather g = { .r = r, .map = map, .out = out };
  size_t n = (size_t)r->nset.n + (size_t)r->elset.n + (size_t)r->n_surface;
  int *set = mw_arena_int(&r->tmp, (size_t)r->n_surface);
  g.list = mw_arena_int(&r->tmp, (size_t)out->n_node);
  g.mark = mw_arena_int(&r->tmp, (size_t)out->n_node);
  out->set = mw_arena_alloc(r->mem, n, sizeof *out->set);
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(r->mem, err);
  for (int k = 0; k < r->nset.n && rc == MW_OK; k++) rc = add_nset(&g, &r->nset.v[k], err);
  for (int k = 0; k < r->elset.n && rc == MW_OK; k++) rc = add_elset(&g, &r->elset.v[k], err);
  for (int k = 0; k < r->n_surface && rc == MW_OK; k++)
    rc = add_surface(&g, &r->surface[k], &set[k], err);
  return rc == MW_OK ? build_ties(r, set, out, err) : rc;
}

// ---- masses ----

static mw_code place_mass(const inp_reader *r, const inp_mass *m, int e, const int *map,
                          mw_mesh_mass *out, mw_error *err)
{
  const inp_elems *p = &r->elems;
  if (p->type[e]->kind != INP_MASS)
    return mw_fail(err, MW_ERR_INPUT, m->at, "element %d of *MASS is of type %s, expected MASS",
                   p->id[e].tag, p->type[e]->name);
  out->node = map[p->link.v[p->ptr[e]]];
  out->mass = m->mass / r->scale;  // N s² a unit of length to kg
  if (out->node < 0)
    return mw_fail(err, MW_ERR_INPUT, m->at,
                   "mass element %d is on a node that no solid or shell uses", p->id[e].tag);
  return MW_OK;
}

mw_code mw_inp_build_masses(inp_reader *r, const int *map, mw_mesh *out, mw_error *err)
{
  const inp_elems *p = &r->elems;
  size_t n = 0;
  int n_placed = 0, e = 0, set;
  for (int k = 0; k < p->n; k++) n += p->type[k]->kind == INP_MASS;
  out->mass = mw_arena_alloc(r->mem, n, sizeof *out->mass);
  bool *done = mw_arena_alloc(&r->tmp, (size_t)p->n, sizeof *done);
  mw_code rc = mw_arena_check(r->mem, err);
  if (rc == MW_OK) rc = mw_arena_check(&r->tmp, err);
  for (int m = 0; m < r->n_mass && rc == MW_OK; m++) {
    set = mw_inp_set_find(&r->elset, r->mass[m].elset);
    if (set < 0)
      return mw_fail(err, MW_ERR_INPUT, r->mass[m].at, "ELSET '%.64s' of *MASS is not defined",
                     r->mass[m].elset);
    const inp_set *s = &r->elset.v[set];
    for (int k = 0; k < s->tag.n && rc == MW_OK; k++) {
      mw_mesh_mass one;
      rc = mw_inp_elem(r, s, k, &e, err);
      if (rc == MW_OK) rc = place_mass(r, &r->mass[m], e, map, &one, err);
      if (rc != MW_OK || done[e]) continue;  // a number may be in a set twice
      done[e] = true;
      out->mass[n_placed++] = one;
    }
  }
  for (int k = 0; k < p->n && rc == MW_OK; k++)
    if (p->type[k]->kind == INP_MASS && !done[k])
      rc = mw_fail(err, MW_ERR_INPUT,
                   (mw_at){ .file = r->path[p->id[k].file], .line = p->id[k].line },
                   "element %d of type MASS has no *MASS", p->id[k].tag);
  out->n_mass = n_placed;
  return rc;
}
