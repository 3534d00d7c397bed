// SPDX-License-Identifier: BSD-3-Clause
// elim_plan.c: blocks of an elimination, and what each pivot does to which of them.
//
// The blocks of a pivot and of what couples with it stand one after the other, in the order of
// elimination. A pivot's update of two nodes that both belong to groups above goes to a block of
// its group's border, made when it is first written; the group above adds these blocks to its own,
// or to its own border's, group after group, before it begins. So a block is written by one group
// alone.
#include <stdlib.h>
#include <string.h>

#include "elim_priv.h"

enum { LD = MW_ELIM_LD };

typedef struct spot {  // a block of a border: its second node and where it lies
  int node;
  size_t at;
} spot;

typedef struct spots {
  int n, cap;
  spot *v;
} spots;

typedef struct plan {
  const mw_elim_graph *g;
  mw_elim *e;
  mw_elim_list *next;   // [n_node]     of a pivot: nodes that follow
  unsigned char *used;  // [n_val / 8]  something is in the block that begins here
  int *group_of;        // [n_node]
  int *slot;            // [n_node]     in the border of the group at hand, −1
  spots *block;         // [n_slot]     blocks of borders, by their first node
  int *child0, *child;  // [n_group + 1], [n_group]  groups right below a group
  mw_elim_add *add;
  int n_add, cap_add;
} plan;

static void sort_by_place(const int *pos, mw_elim_list *l)
{
  for (int i = 1; i < l->n; i++) {
    int x = l->v[i], k = i;
    for (; k > 0 && pos[l->v[k - 1]] > pos[x]; k--) l->v[k] = l->v[k - 1];
    l->v[k] = x;
  }
}

size_t mw_elim_between(const mw_elim *e, int a, int b, bool *swapped)
{
  *swapped = e->place[b] < e->place[a];
  const mw_elim_pivot *p = &e->pivot[e->place[*swapped ? b : a]];
  int other = *swapped ? a : b;
  for (int k = 0; k < p->n_next; k++)
    if (e->next[p->next0 + k] == other) return e->block[p->next0 + k];
  return 0;
}

static mw_code no_memory(mw_error *err)
{
  return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
}

// ---- blocks -------------------------------------------------------------------------------------

// Places of all blocks, pivot after pivot.
static void place_blocks(plan *p, const mw_elim_order *o)
{
  mw_elim *e = p->e;
  size_t at = 0;
  int n_next = 0;
  for (int s = 0; s < e->n_node; s++) {
    int node = o->sequence[s];
    mw_elim_list *l = &p->next[s];
    mw_elim_pivot *v = &e->pivot[s];
    sort_by_place(e->place, l);
    *v = (mw_elim_pivot){ .node = node,
                          .size = (unsigned char)p->g->size[node],
                          .sign = node < p->g->n_body ? 1 : -1,
                          .plain = o->light[s],
                          .bare = !o->light[s],
                          .check = o->check[s],
                          .n_next = l->n,
                          .next0 = n_next };
    size_t bytes = (size_t)v->size * MW_ELIM_LD;
    v->diag = e->diag[node] = at;
    if (!o->light[s]) at += bytes;
    for (int i = 0; i < l->n; i++, at += bytes) {
      e->into[n_next] = e->next[n_next] = l->v[i];
      e->block[n_next++] = at;
    }
  }
  e->n_val = at;
}

static void place_couplings(plan *p)
{
  const mw_elim_graph *g = p->g;
  for (int k = 0; k < g->n_rows; k++)
    for (int i = g->ptr[k]; i < g->ptr[k + 1]; i++) {
      int r = g->n_body + k, b = g->touch[i];
      bool body_first;
      if (g->size[b] == 0) continue;
      p->e->couple[i] = mw_elim_between(p->e, r, b, &body_first);
      p->e->across[i] = !body_first;
      p->used[p->e->couple[i] / LD] = 1;
    }
}

// Blocks that the caller writes: of and between the nodes that touch a body of size 0.
static void place_written(plan *p, const mw_elim_list *rows_of)
{
  mw_elim *e = p->e;
  for (int b = 0; b < p->g->n_body; b++)
    for (int i = 0; p->g->size[b] == 0 && i < rows_of[b].n; i++) {
      int node = rows_of[b].v[i];
      e->pivot[e->place[node]].bare = false;
      p->used[e->diag[node] / LD] = 1;
      for (int j = 0; j < i; j++) {
        bool swapped;
        p->used[mw_elim_between(e, node, rows_of[b].v[j], &swapped) / LD] = 1;
      }
    }
}

// ---- borders ------------------------------------------------------------------------------------

static void find_children(plan *p)
{
  const mw_elim *e = p->e;
  for (int g = 0; g < e->n_group; g++)
    if (e->group[g].above >= 0) p->child0[e->group[g].above + 1]++;
  for (int g = 0; g < e->n_group; g++) p->child0[g + 1] += p->child0[g];
  int *at = p->slot;  // n_node ≥ n_group
  memcpy(at, p->child0, (size_t)e->n_group * sizeof *at);
  for (int g = 0; g < e->n_group; g++)
    if (e->group[g].above >= 0) p->child[at[e->group[g].above]++] = g;
}

// Nodes of groups above that group g couples with, in the order in which they go; to NULL: their
// number alone.
static int border_of(plan *p, int g, int *to)
{
  mw_elim *e = p->e;
  const mw_elim_group *own = &e->group[g];
  int n = 0, *seen = p->slot;
  for (int s = own->first; s < own->last; s++)
    for (int i = 0; i < p->next[s].n; i++) {
      int x = p->next[s].v[i];
      if (p->group_of[x] == g || seen[x] == g) continue;
      seen[x] = g;
      if (to) to[n] = x;
      n++;
    }
  for (int c = p->child0[g]; c < p->child0[g + 1]; c++) {
    const mw_elim_group *below = &e->group[p->child[c]];
    for (int i = below->slot0; i < below->slot0 + below->n_slot; i++) {
      int x = e->border[i];
      if (p->group_of[x] == g || seen[x] == g) continue;
      seen[x] = g;
      if (to) to[n] = x;
      n++;
    }
  }
  return n;
}

// Borders of all groups. Their number is not known before: they are found twice.
static mw_code find_borders(plan *p, mw_arena *mem, mw_error *err)
{
  mw_elim *e = p->e;
  int cap = 0;
  mw_elim_list all = { 0 };
  for (int n = 0; n < e->n_node; n++) p->slot[n] = -1;
  for (int g = 0; g < e->n_group; g++) {
    mw_elim_group *own = &e->group[g];
    e->border = all.v;
    int n = border_of(p, g, NULL);
    if (all.n + n > cap) {
      cap = 2 * (all.n + n);
      int *v = realloc(all.v, (size_t)cap * sizeof *v);
      if (!v) {
        free(all.v);
        return no_memory(err);
      }
      e->border = all.v = v;
    }
    for (int s = own->first; s < own->last; s++)
      for (int i = 0; i < p->next[s].n; i++) p->slot[p->next[s].v[i]] = -1;
    for (int c = p->child0[g]; c < p->child0[g + 1]; c++)
      for (int i = 0; i < e->group[p->child[c]].n_slot; i++)
        p->slot[e->border[e->group[p->child[c]].slot0 + i]] = -1;
    if (n > 0) (void)border_of(p, g, all.v + all.n);
    own->slot0 = all.n;
    own->n_slot = n;
    all.n += n;
    if (n > 0) {
      mw_elim_list part = { .n = n, .v = all.v + own->slot0 };
      sort_by_place(e->place, &part);
    }
  }
  e->n_slot = all.n;
  e->border = mw_arena_int(mem, (size_t)all.n);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK && all.n > 0) memcpy(e->border, all.v, (size_t)all.n * sizeof *all.v);
  free(all.v);
  return rc;
}

static void open_slots(plan *p, int g)
{
  const mw_elim_group *own = &p->e->group[g];
  for (int i = own->slot0; i < own->slot0 + own->n_slot; i++) p->slot[p->e->border[i]] = i;
}

// The block of nodes a and b, a the one that goes first, where group g may write. *first: nothing
// is there yet.
static bool block_at(plan *p, int g, int a, int b, size_t *at, bool *first)
{
  mw_elim *e = p->e;
  bool swapped;
  if (p->group_of[a] == g) {
    *at = a == b ? e->diag[a] : mw_elim_between(e, a, b, &swapped);
    *first = !p->used[*at / LD];
    p->used[*at / LD] = 1;
    return true;
  }
  spots *l = &p->block[p->slot[a]];
  *first = false;
  for (int i = 0; i < l->n; i++)
    if (l->v[i].node == b) {
      *at = l->v[i].at;
      return true;
    }
  if (l->n == l->cap) {
    int cap = l->cap ? 2 * l->cap : 4;
    spot *v = realloc(l->v, (size_t)cap * sizeof *v);
    if (!v) return false;
    l->v = v;
    l->cap = cap;
  }
  *first = true;
  *at = e->n_val;
  l->v[l->n++] = (spot){ .node = b, .at = *at };
  e->n_val += (size_t)e->size[a] * LD;
  return true;
}

static int slot_of(const plan *p, int g, int node)
{
  return p->group_of[node] == g ? node : p->e->n_node + p->slot[node];
}

static bool append_add(plan *p, mw_elim_add add)
{
  if (p->n_add == p->cap_add) {
    int cap = p->cap_add ? 2 * p->cap_add : 64;
    mw_elim_add *v = realloc(p->add, (size_t)cap * sizeof *v);
    if (!v) return false;
    p->add = v;
    p->cap_add = cap;
  }
  p->add[p->n_add++] = add;
  return true;
}

// What group g takes from group c below it.
static bool take(plan *p, int g, int c)
{
  mw_elim *e = p->e;
  const mw_elim_group *below = &e->group[c];
  for (int i = below->slot0; i < below->slot0 + below->n_slot; i++) {
    int a = e->border[i];
    const mw_elim_pivot *pa = &e->pivot[e->place[a]];
    for (int k = 0; k < p->block[i].n; k++) {
      int b = p->block[i].v[k].node;
      size_t to;
      bool first, sums = a == b && pa->check;
      if (!block_at(p, g, a, b, &to, &first)) return false;
      if (!append_add(p, (mw_elim_add){ .to = (unsigned)(to / LD),
                                        .from = (unsigned)(p->block[i].v[k].at / LD),
                                        .scale = sums ? slot_of(p, g, a) : -1,
                                        .scale0 = sums ? e->n_node + i : -1,
                                        .n = (short)e->size[a],
                                        .first = first }))
        return false;
    }
    free(p->block[i].v);
    p->block[i] = (spots){ 0 };
  }
  return true;
}

// ---- updates ------------------------------------------------------------------------------------

static int count_updates(const mw_elim *e)
{
  int n = 0;
  for (int s = 0; s < e->n_node; s++) n += e->pivot[s].n_next * (e->pivot[s].n_next + 1) / 2;
  return n;
}

static bool place_pivot(plan *p, int g, mw_elim_pivot *v, int *n)
{
  mw_elim *e = p->e;
  v->up0 = *n;
  for (int i = 0; i < v->n_next; i++) {
    e->into[v->next0 + i] = slot_of(p, g, e->next[v->next0 + i]);
    for (int j = i; j < v->n_next; j++, (*n)++) {
      int a = e->next[v->next0 + i], b = e->next[v->next0 + j];
      double sign = -v->sign;
      mw_elim_pivot *pa = &e->pivot[e->place[a]];
      size_t to;
      bool first;
      if (a == b) sign *= pa->sign;
      if (!block_at(p, g, a, b, &to, &first)) return false;
      if (a == b) pa->bare = false;
      e->update[*n] =
          (mw_elim_update){ .to = (unsigned)(to / LD),
                            .xj = (unsigned)(e->block[v->next0 + j] / LD),
                            .n = (short)e->size[a],
                            .scale = a == b && sign > 0.0 && pa->check ? slot_of(p, g, a) : -1,
                            .sign = sign > 0.0 ? 1 : -1,
                            .first = first };
    }
  }
  return true;
}

// Group after group: what it takes, then its pivots.
static bool place_updates(plan *p)
{
  mw_elim *e = p->e;
  int n = 0, n_pass = 0;
  for (int s = 0; e->n_group > 0 && s < e->group[0].first; s++)  // bodies of size 0: no group's
    if (!place_pivot(p, -1, &e->pivot[s], &n)) return false;
  for (int g = 0; g < e->n_group; g++) {
    mw_elim_group *own = &e->group[g];
    own->add0 = p->n_add;
    own->pass0 = n_pass;
    own->val0 = e->n_val;
    open_slots(p, g);
    for (int c = p->child0[g]; c < p->child0[g + 1]; c++) {
      const mw_elim_group *below = &e->group[p->child[c]];
      if (!take(p, g, p->child[c])) return false;
      for (int i = below->slot0; i < below->slot0 + below->n_slot; i++)
        e->pass[n_pass++] =
            (mw_elim_pass){ .to = slot_of(p, g, e->border[i]), .from = e->n_node + i };
    }
    own->n_add = p->n_add - own->add0;
    own->n_pass = n_pass - own->pass0;
    for (int s = own->first; s < own->last; s++)
      if (!place_pivot(p, g, &e->pivot[s], &n)) return false;
    own->val1 = e->n_val;
  }
  return true;
}

// ---- the plan -----------------------------------------------------------------------------------

static mw_code room(plan *p, mw_arena *mem, mw_arena *tmp, mw_error *err)
{
  mw_elim *e = p->e;
  const mw_elim_graph *g = p->g;
  size_t n = (size_t)e->n_node, n_next = 0, n_group = (size_t)e->n_group;
  for (size_t s = 0; s < n; s++) n_next += (size_t)p->next[s].n;
  e->place = mw_arena_int(mem, n);
  e->pivot = mw_arena_alloc(mem, n, sizeof *e->pivot);
  e->next = mw_arena_int(mem, n_next);
  e->into = mw_arena_int(mem, n_next);
  e->block = mw_arena_alloc(mem, n_next, sizeof *e->block);
  e->diag = mw_arena_alloc(mem, n, sizeof *e->diag);
  e->couple = mw_arena_alloc(mem, (size_t)g->ptr[g->n_rows], sizeof *e->couple);
  e->across = mw_arena_alloc(mem, (size_t)g->ptr[g->n_rows], 1);
  p->group_of = mw_arena_int(tmp, n);
  p->slot = mw_arena_int(tmp, n + n_group);
  p->child0 = mw_arena_int(tmp, n_group + 1);
  p->child = mw_arena_int(tmp, n_group);
  mw_code rc = mw_arena_check(mem, err);
  return rc == MW_OK ? mw_arena_check(tmp, err) : rc;
}

static mw_code room_of_updates(plan *p, mw_arena *mem, mw_arena *tmp, mw_error *err)
{
  mw_elim *e = p->e;
  e->update = mw_arena_alloc(mem, (size_t)count_updates(e) + 1, sizeof *e->update);
  e->pass = mw_arena_alloc(mem, (size_t)e->n_slot + 1, sizeof *e->pass);
  p->used = mw_arena_alloc(tmp, e->n_val / LD + 1, 1);
  p->block = mw_arena_alloc(tmp, (size_t)e->n_slot + 1, sizeof *p->block);
  mw_code rc = mw_arena_check(mem, err);
  return rc == MW_OK ? mw_arena_check(tmp, err) : rc;
}

static mw_code keep_adds(plan *p, mw_arena *mem, mw_error *err)
{
  size_t n = (size_t)p->n_add;
  p->e->add = mw_arena_alloc(mem, n + 1, sizeof *p->e->add);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK && n > 0) memcpy(p->e->add, p->add, n * sizeof *p->add);
  return rc;
}

mw_code mw_elim_plan(const mw_elim_graph *g, const mw_elim_order *o, mw_arena *mem, mw_elim *e,
                     mw_error *err)
{
  mw_arena tmp = { 0 };
  plan p = { .g = g, .e = e, .next = o->next };
  mw_code rc = room(&p, mem, &tmp, err);
  if (rc == MW_OK) {
    for (int s = 0; s < e->n_node; s++) {
      e->place[o->sequence[s]] = s;
      p.group_of[s] = -1;
    }
    for (int k = 0; k < e->n_group; k++)
      for (int s = e->group[k].first; s < e->group[k].last; s++) p.group_of[o->sequence[s]] = k;
    find_children(&p);
    place_blocks(&p, o);
    rc = find_borders(&p, mem, err);
  }
  if (rc == MW_OK) rc = room_of_updates(&p, mem, &tmp, err);
  if (rc == MW_OK) {
    place_couplings(&p);
    place_written(&p, o->rows_of);
    if (!place_updates(&p)) rc = no_memory(err);
  }
  if (rc == MW_OK) rc = keep_adds(&p, mem, err);
  for (int i = 0; p.block && i < e->n_slot; i++) free(p.block[i].v);
  free(p.add);
  mw_arena_free(&tmp);
  return rc;
}
