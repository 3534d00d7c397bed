// SPDX-License-Identifier: BSD-3-Clause
// rigid_tree.c: groups of bodies and rows, and who evaluates what when.
//
// Groups are the assemblies that the bodies' names tell of, or parts that the graph of joints is
// cut into; one of all by default (fem/elim.h). A joint is evaluated by the group that first needs
// it; one whose bodies are in groups that are not above each other comes before all of them, and so
// does a body that joints of several groups touch.
#include <stdlib.h>
#include <string.h>

#include "rigid_mech_layer.h"

enum { TWICE = 2 };

// ---- assemblies ---------------------------------------------------------------------------------

typedef struct paths {  // names of assemblies: front.left of front.left.damper
  int n;
  struct path {
    const char *name;  // its first `length` letters
    int length, depth, at;
  } * v;
} paths;

static int by_depth(const void *x, const void *y)
{
  const struct path *a = x, *b = y;
  if (a->depth != b->depth) return b->depth - a->depth;
  int n = a->length < b->length ? a->length : b->length, c = strncmp(a->name, b->name, (size_t)n);
  return c != 0 ? c : a->length != b->length ? a->length - b->length : a->at - b->at;
}

static bool same(const struct path *a, const char *name, int length)
{
  return a->length == length && strncmp(a->name, name, (size_t)length) == 0;
}

static int shorter(const char *name, int length)
{
  while (length > 0 && name[length - 1] != '.') length--;
  return length > 0 ? length - 1 : 0;
}

static int depth_of(const char *name, int length)
{
  int n = length > 0;
  for (int i = 0; i < length; i++) n += name[i] == '.';
  return n;
}

static int place_of(const paths *p, const char *name, int length)
{
  struct path key = { name, length, depth_of(name, length), 0 };
  int low = 0, high = p->n;
  while (low < high) {
    int mid = (low + high) / 2;
    if (same(&p->v[mid], name, length)) return mid;
    if (by_depth(&p->v[mid], &key) < 0)
      low = mid + 1;
    else
      high = mid;
  }
  return p->n - 1;
}

// All assemblies, the deepest first, the whole last; names of bodies and of what is above them.
static mw_code find_paths(const mw_rigid *r, paths *p, mw_arena *tmp, mw_error *err)
{
  size_t cap = 1;
  for (int b = 0; b < r->n.n_body; b++) {
    const char *name = r->m->body[r->body[b].body].name;
    cap += (size_t)depth_of(name, (int)strlen(name));
  }
  p->v = mw_arena_alloc(tmp, cap, sizeof *p->v);
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  p->v[p->n++] = (struct path){ .name = "" };
  for (int b = 0; b < r->n.n_body; b++) {
    const char *name = r->m->body[r->body[b].body].name;
    for (int l = shorter(name, (int)strlen(name)); l > 0; l = shorter(name, l))
      p->v[p->n++] = (struct path){ name, l, depth_of(name, l), b };
  }
  qsort(p->v, (size_t)p->n, sizeof *p->v, by_depth);
  int n = 0;
  for (int i = 0; i < p->n; i++)
    if (n == 0 || !same(&p->v[n - 1], p->v[i].name, p->v[i].length)) p->v[n++] = p->v[i];
  p->n = n;
  return MW_OK;
}

static mw_code by_names(mw_rigid *r, const mw_elim_graph *g, mw_elim_tree *out, mw_error *err)
{
  mw_arena tmp = { 0 };
  paths p = { 0 };
  mw_code rc = find_paths(r, &p, &tmp, err);
  int *above = mw_arena_int(&tmp, (size_t)p.n), *of = mw_arena_int(&tmp, (size_t)g->n_body);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  for (int k = 0; rc == MW_OK && k < p.n; k++)
    above[k] = k == p.n - 1 ? -1 : place_of(&p, p.v[k].name, shorter(p.v[k].name, p.v[k].length));
  for (int b = 0; rc == MW_OK && b < g->n_body; b++) {
    of[b] = p.n - 1;  // rotors: of the whole
    if (b >= r->n.n_body) continue;
    const char *name = r->m->body[r->body[b].body].name;
    of[b] = place_of(&p, name, shorter(name, (int)strlen(name)));
  }
  if (rc == MW_OK) rc = mw_elim_tree_of(g, p.n, above, of, &r->mem, out, err);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_rigid_eliminate(mw_rigid *r, mw_elim_graph *g, mw_elim *out, mw_error *err)
{
  mw_elim_tree tree;
  mw_code rc = MW_OK;
  bool cut = r->opt.part > 0 && g->n_rows >= TWICE * r->opt.part;
  if (r->opt.assemblies)
    rc = by_names(r, g, &tree, err);
  else if (cut)
    rc = mw_elim_dissect(g, r->opt.part, &r->mem, &tree, err);
  g->tree = r->opt.assemblies || cut ? &tree : NULL;
  if (rc == MW_OK) rc = mw_elim_build(g, &r->mem, out, err);
  g->tree = NULL;
  return rc;
}

const mw_elim *mw_rigid_plan(const mw_rigid *r) { return &r->hard; }
void mw_rigid_work_share(mw_rigid_work *w, mw_pool *pool) { w->pool = pool; }

// ---- who comes when -----------------------------------------------------------------------------

enum { NOBODY = -2, SHARED = -1 };

typedef struct turns {
  mw_rigid *r;
  int *group_of;  // [hard.n_node]  of a pivot, by its place
  int *first;     // [n_hard]       pivot that first needs a node
  int *group;     // [n_hard]       group that evaluates it, SHARED
  int *of_body;   // [n_body]       the same of bodies, NOBODY: no node touches it
  int *count;     // [n_node + 2]
} turns;

static bool is_above(const mw_elim *e, int low, int k)
{
  while (low >= 0 && low < k) low = e->group[low].above;
  return low == k;
}

static void judge_node(turns *z, int i)
{
  const mw_rigid *r = z->r;
  const mw_rnode *p = &r->node[i];
  const mw_elim *e = &r->hard;
  int first = e->place[r->n.n_body + r->n.n_rotor + i];
  for (int k = p->touch0; k < p->touch0 + p->n_touch; k++)
    if (e->place[r->touch[k]] < first) first = e->place[r->touch[k]];
  z->first[i] = first;
  z->group[i] = z->group_of[first];
  for (int k = p->touch0; k < p->touch0 + p->n_touch; k++)
    if (!is_above(e, z->group_of[first], z->group_of[e->place[r->touch[k]]])) z->group[i] = SHARED;
  for (int k = p->touch0; k < p->touch0 + p->n_touch; k++) {
    int b = r->touch[k];
    if (b >= r->n.n_body) continue;
    z->of_body[b] = z->of_body[b] == NOBODY || z->of_body[b] == z->group[i] ? z->group[i] : SHARED;
  }
}

// Nodes by the pivot that first needs them, those that are shared first.
static void sort_nodes(turns *z)
{
  mw_rigid *r = z->r;
  const mw_elim *e = &r->hard;
  for (int i = 0; i < r->n_hard; i++) z->count[z->group[i] < 0 ? 1 : z->first[i] + 2]++;
  for (int s = 0; s <= e->n_node; s++) z->count[s + 1] += z->count[s];
  for (int k = 0; k < e->n_group; k++) r->turn0[k] = z->count[e->group[k].first + 1];
  r->turn0[e->n_group] = r->n_hard;
  for (int i = 0; i < r->n_hard; i++) {
    int at = z->count[z->group[i] < 0 ? 0 : z->first[i] + 1]++;
    r->turn[at] = i;
    r->ripe[at] = z->first[i];
  }
}

// Bodies in the order in which the nodes come to them; those no node touches and those that several
// groups need first of all.
static void sort_bodies(turns *z)
{
  mw_rigid *r = z->r;
  int nb = r->n.n_body, at = 0, group = 0;
  for (int b = 0; b < nb; b++)
    if (z->of_body[b] < 0) r->body_turn[at++] = b;
  for (int t = 0; t < r->n_hard; t++) {
    const mw_rnode *p = &r->node[r->turn[t]];
    for (; group < r->hard.n_group && t >= r->turn0[group]; group++) r->body0[group] = at;
    for (int k = p->touch0; k < p->touch0 + p->n_touch; k++) {
      int b = r->touch[k];
      if (b >= nb || z->of_body[b] < 0) continue;
      z->of_body[b] = SHARED;  // it has its turn
      r->body_turn[at] = b;
      r->body_ripe[at++] = t;
    }
  }
  for (; group <= r->hard.n_group; group++) r->body0[group] = at;
}

mw_code mw_rigid_take_turns(mw_rigid *r, mw_error *err)
{
  const mw_elim *e = &r->hard;
  size_t n = (size_t)r->n_hard, m = (size_t)e->n_node, nb = (size_t)r->n.n_body;
  mw_arena tmp = { 0 };
  turns z = { .r = r,
              .group_of = mw_arena_int(&tmp, m),
              .first = mw_arena_int(&tmp, n),
              .group = mw_arena_int(&tmp, n),
              .of_body = mw_arena_int(&tmp, nb),
              .count = mw_arena_int(&tmp, m + 2) };
  r->turn = mw_arena_int(&r->mem, n);
  r->ripe = mw_arena_int(&r->mem, n);
  r->body_turn = mw_arena_int(&r->mem, nb);
  r->body_ripe = mw_arena_int(&r->mem, nb);
  r->turn0 = mw_arena_int(&r->mem, (size_t)e->n_group + 1);
  r->body0 = mw_arena_int(&r->mem, (size_t)e->n_group + 1);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(&r->mem, err);
  if (rc == MW_OK) {
    for (int k = 0; k < e->n_group; k++)
      for (int s = e->group[k].first; s < e->group[k].last; s++) z.group_of[s] = k;
    for (size_t b = 0; b < nb; b++) z.of_body[b] = NOBODY;
    for (int i = 0; i < r->n_hard; i++) judge_node(&z, i);
    sort_nodes(&z);
    sort_bodies(&z);
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- solutions ----------------------------------------------------------------------------------

typedef struct solution {
  const mw_rigid *r;
  mw_rigid_work *w;
  double *x;
} solution;

static mw_code forward(void *ctx, int group)
{
  const solution *z = ctx;
  mw_elim_forward_group(&z->r->hard, &z->w->hard, group, z->x);
  return MW_OK;
}

static mw_code backward(void *ctx, int group)
{
  const solution *z = ctx;
  mw_elim_backward_group(&z->r->hard, &z->w->hard, group, z->x, NULL);
  return MW_OK;
}

void mw_rigid_solve(const mw_rigid *r, mw_rigid_work *w, double *x)
{
  solution z = { r, w, x };
  const mw_elim *e = &r->hard;
  double *const down[2] = { x, NULL };
  if (w->factored == MW_FACTORS_SHARED) {  // no way of these fails
    (void)!mw_rigid_ranks_up(r, w, MW_RANKS_X, forward, &z);
    (void)!mw_rigid_ranks_down(r, w, down, backward, &z);
    mw_rigid_ranks_gather(r, w, down);
    return;
  }
  mw_rigid_components_before(r, w, x);
  (void)!mw_pool_up(w->pool, e->n_group, &e->group->above, sizeof *e->group, forward, &z);
  (void)!mw_pool_down(w->pool, e->n_group, &e->group->above, sizeof *e->group, backward, &z);
  mw_rigid_components_after(r, w, x);
}
