// SPDX-License-Identifier: BSD-3-Clause
// elim_order.c: in which order bodies and rows are eliminated, and the plan of blocks that follows.
//
// Bodies have positive blocks and may go at any time. A node of rows may go when its pivot C B⁻¹
// Cᵀ, taken over what is already eliminated, cannot be singular for any other reason than
// redundancy:
//   all its bodies are gone, and what they hang together with (a cluster) hangs on no body that
//     remains; or
//   one of its bodies remains, the rows have full rank on the other, and that one's cluster hangs
//     on nothing yet.
// Among those that may go the one with the least work goes first; what creates no fill goes at
// once. On a tree this is the elimination from the leaves to the root; a loop's last rows go when
// all of the loop is gone, and there redundant rows show as zero pivots (Kraus, Winckler, Bock
// 2001, sections 6 and 8). Bodies of size 0 are gone before anything else.
#include <stdlib.h>
#include <string.h>

#include "fem/elim.h"

typedef struct list {
  int n, cap;
  int *v;
} list;

typedef struct order {
  const mw_elim_graph *g;
  int n_node;
  list *adj;              // [n_node]  neighbours that remain
  list *rows_of;          // [n_body]  nodes of rows that touch it
  unsigned char *gone;    // [n_node]
  int *parent;            // [n_body]  clusters of eliminated bodies (union-find)
  int *hangs;             // [n_body]  of a cluster: eliminated rows to bodies that remain
  unsigned char *held;    // [n_body]  of a cluster: rows to the ground are eliminated
  int light;              // bodies before it are not light
  unsigned char *plain;   // [n_body]  its block is still diagonal
  int *queue, n_queue;    // [n_node]  nodes that may create no fill
  unsigned char *queued;  // [n_node]
  bool failed;            // out of memory
} order;

static void push(order *o, list *l, int x)
{
  for (int i = 0; i < l->n; i++)
    if (l->v[i] == x) return;
  if (l->n == l->cap) {
    int cap = l->cap ? 2 * l->cap : 4;
    int *v = realloc(l->v, (size_t)cap * sizeof *v);
    if (!v) {
      o->failed = true;
      return;
    }
    l->v = v;
    l->cap = cap;
  }
  l->v[l->n++] = x;
}

static void drop(list *l, int x)
{
  for (int i = 0; i < l->n; i++)
    if (l->v[i] == x) {
      l->v[i] = l->v[--l->n];
      return;
    }
}

static int root(order *o, int b)
{
  while (o->parent[b] != b) b = o->parent[b] = o->parent[o->parent[b]];
  return b;
}

static int join(order *o, int a, int b)
{
  int x = root(o, a), y = root(o, b);
  if (x == y) return x;
  o->parent[y] = x;
  o->hangs[x] += o->hangs[y];
  o->held[x] |= o->held[y];
  return x;
}

// ---- which node next ----------------------------------------------------------------------------

static bool may_go(order *o, int node)
{
  const mw_elim_graph *g = o->g;
  int k = node - g->n_body, left = 0, n = 0;
  if (k < 0 || g->soft[k]) return true;
  bool hangs = false, held = g->ground[k];
  for (int i = g->ptr[k]; i < g->ptr[k + 1]; i++, n++) {
    int b = g->touch[i];
    left += !o->gone[b];
    if (!o->gone[b]) continue;
    int c = root(o, b);
    hangs |= o->hangs[c] > 0;
    held |= o->held[c];
  }
  if (left == 0) return !hangs;
  return left == 1 && n == 2 && g->full[k] && !hangs && !held;
}

// Do the rows of a node that goes now tie together what already hangs together? Only then can they
// be redundant.
static bool closes(order *o, int node)
{
  const mw_elim_graph *g = o->g;
  int k = node - g->n_body, n = 0, held;
  int seen[MW_ELIM_LD];
  if (k < 0 || g->soft[k]) return false;
  held = g->ground[k];
  for (int i = g->ptr[k]; i < g->ptr[k + 1]; i++) {
    if (!o->gone[g->touch[i]]) return false;
    int c = root(o, g->touch[i]);
    for (int j = 0; j < n; j++)
      if (seen[j] == c) return true;
    if (n < MW_ELIM_LD) seen[n++] = c;
    held += o->held[c];
  }
  return held > 1 || !g->full[k];
}

static double work(const order *o, int node)
{
  double sum = 0.0;
  for (int i = 0; i < o->adj[node].n; i++) sum += o->g->size[o->adj[node].v[i]];
  return o->g->size[node] * (sum + o->g->size[node]) * (sum + o->g->size[node]);
}

static void enqueue(order *o, int node)
{
  if (node < o->g->n_body && o->plain[node]) return;  // light bodies have a turn of their own
  if (o->gone[node] || o->queued[node] || o->adj[node].n > 1) return;
  o->queued[node] = 1;
  o->queue[o->n_queue++] = node;
}

// A body whose block is still diagonal and that few rows touch: cheaper to eliminate now than with
// a full block later.
static bool is_light(const order *o, int b)
{
  enum { ROWS = 12 };
  int rows = 0;
  if (b >= o->g->n_body || o->gone[b] || !o->plain[b]) return false;
  for (int i = 0; i < o->adj[b].n; i++) rows += o->g->size[o->adj[b].v[i]];
  return rows <= ROWS;
}

static int choose(order *o)
{
  while (o->n_queue > 0) {
    int node = o->queue[--o->n_queue];
    o->queued[node] = 0;
    if (o->gone[node] || o->adj[node].n > 1 || !may_go(o, node)) continue;
    // rows wait for a light body: it will be gone soon, and they come again
    if (node >= o->g->n_body && o->adj[node].n == 1 && is_light(o, o->adj[node].v[0])) continue;
    return node;
  }
  for (; o->light < o->g->n_body; o->light++)
    if (is_light(o, o->light)) return o->light;
  int best = -1;
  double least = 0.0;
  for (int i = 0; i < o->n_node; i++) {
    if (o->gone[i] || !may_go(o, i)) continue;
    double w = work(o, i);
    if (best < 0 || w < least) {
      best = i;
      least = w;
    }
  }
  return best;
}

// Clusters after a body or a node of rows is gone.
static void settle(order *o, int node)
{
  const mw_elim_graph *g = o->g;
  if (node < g->n_body) {
    for (int i = 0; i < o->rows_of[node].n; i++) {
      int r = o->rows_of[node].v[i], k = r - g->n_body;
      if (!o->gone[r] || g->soft[k]) continue;
      int c = node;
      for (int t = g->ptr[k]; t < g->ptr[k + 1]; t++)
        if (o->gone[g->touch[t]]) c = join(o, c, g->touch[t]);
      o->hangs[c]--;
    }
    return;
  }
  int k = node - g->n_body, c = -1;
  bool left = false;
  if (g->soft[k]) return;
  for (int t = g->ptr[k]; t < g->ptr[k + 1]; t++) {
    if (!o->gone[g->touch[t]]) {
      left = true;
      continue;
    }
    c = c < 0 ? root(o, g->touch[t]) : join(o, c, g->touch[t]);
  }
  if (c < 0) return;
  o->hangs[c] += left;
  o->held[c] |= g->ground[k];
}

// Takes node out of the graph: its neighbours become neighbours of each other.
static void eliminate(order *o, int node)
{
  list *a = &o->adj[node];
  o->gone[node] = 1;
  settle(o, node);
  for (int i = 0; i < a->n; i++)
    if (a->v[i] < o->g->n_body) o->plain[a->v[i]] = 0;
  for (int i = 0; i < a->n; i++) {
    list *b = &o->adj[a->v[i]];
    drop(b, node);
    for (int j = 0; j < a->n; j++)
      if (j != i) push(o, b, a->v[j]);
  }
  for (int i = 0; i < a->n; i++) {
    enqueue(o, a->v[i]);
    if (a->v[i] < o->g->n_body)
      for (int j = 0; j < o->adj[a->v[i]].n; j++) enqueue(o, o->adj[a->v[i]].v[j]);
  }
}

// Bodies of size 0, which couple their rows and are no part of the plan. Returns their number.
static int eliminate_large(order *o, int *sequence, unsigned char *light)
{
  int n = 0;
  for (int b = 0; b < o->g->n_body; b++) {
    if (o->g->size[b] > 0) continue;
    o->held[b] = o->g->held && o->g->held[b];
    eliminate(o, b);
    light[n] = 1;
    sequence[n++] = b;
  }
  return n;
}

// ---- memory -------------------------------------------------------------------------------------

static void order_free(order *o)
{
  for (int i = 0; o->adj && i < o->n_node; i++) free(o->adj[i].v);
  for (int i = 0; o->rows_of && i < o->g->n_body; i++) free(o->rows_of[i].v);
  free(o->adj);
  free(o->rows_of);
  free(o->gone);
  free(o->parent);
  free(o->hangs);
  free(o->held);
  free(o->plain);
  free(o->queue);
  free(o->queued);
}

static bool order_init(const mw_elim_graph *g, order *o)
{
  size_t n = (size_t)(g->n_body + g->n_rows), nb = (size_t)g->n_body;
  *o = (order){ .g = g, .n_node = (int)n };
  o->adj = calloc(n + 1, sizeof *o->adj);
  o->rows_of = calloc(nb + 1, sizeof *o->rows_of);
  o->gone = calloc(n + 1, 1);
  o->parent = calloc(nb + 1, sizeof *o->parent);
  o->hangs = calloc(nb + 1, sizeof *o->hangs);
  o->held = calloc(nb + 1, 1);
  o->plain = calloc(nb + 1, 1);
  o->queue = calloc(n + 1, sizeof *o->queue);
  o->queued = calloc(n + 1, 1);
  if (!o->adj || !o->rows_of || !o->gone || !o->parent || !o->hangs || !o->held || !o->plain ||
      !o->queue || !o->queued)
    return false;
  for (size_t b = 0; b < nb; b++) {
    o->parent[b] = (int)b;
    o->plain[b] = 1;
  }
  for (int k = 0; k < g->n_rows; k++)
    for (int i = g->ptr[k]; i < g->ptr[k + 1]; i++) {
      push(o, &o->adj[g->touch[i]], g->n_body + k);
      push(o, &o->adj[g->n_body + k], g->touch[i]);
      push(o, &o->rows_of[g->touch[i]], g->n_body + k);
    }
  for (int i = 0; i < o->n_node; i++) enqueue(o, i);
  return !o->failed;
}

// ---- the plan -----------------------------------------------------------------------------------

typedef struct plan {
  mw_elim *e;
  list *next;           // [n_node]  of a pivot: nodes that follow
  unsigned char *used;  // [n_val / 8]  something is in the block that begins here
} plan;

static void sort_by_place(const int *pos, list *l)
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

// Places of all blocks, pivot after pivot.
static void place_blocks(const mw_elim_graph *g, plan *p, const int *sequence,
                         const unsigned char *light)
{
  mw_elim *e = p->e;
  size_t at = 0;
  int n_next = 0;
  for (int s = 0; s < e->n_node; s++) {
    int node = sequence[s];
    list *l = &p->next[s];
    mw_elim_pivot *v = &e->pivot[s];
    sort_by_place(e->place, l);
    *v = (mw_elim_pivot){ .node = node,
                          .size = (unsigned char)g->size[node],
                          .sign = node < g->n_body ? 1 : -1,
                          .plain = light[s],
                          .bare = !light[s],
                          .n_next = l->n,
                          .next0 = n_next };
    size_t bytes = (size_t)v->size * MW_ELIM_LD;
    v->diag = e->diag[node] = at;
    if (!light[s]) at += bytes;
    for (int i = 0; i < l->n; i++, at += bytes) {
      e->next[n_next] = l->v[i];
      e->block[n_next++] = at;
    }
  }
  e->n_val = at;
}

static int place_updates(const mw_elim_graph *g, plan *p)
{
  mw_elim *e = p->e;
  int n = 0;
  for (int s = 0; s < e->n_node; s++) {
    mw_elim_pivot *v = &e->pivot[s];
    v->up0 = n;
    for (int i = 0; i < v->n_next; i++)
      for (int j = i; j < v->n_next; j++, n++) {
        if (!e->update) continue;
        int a = e->next[v->next0 + i], b = e->next[v->next0 + j];
        double sign = -v->sign;
        mw_elim_pivot *pa = &e->pivot[e->place[a]];
        if (a == b) sign *= pa->sign;
        bool swapped;
        size_t to = a == b ? e->diag[a] : mw_elim_between(e, a, b, &swapped);
        if (a == b) pa->bare = false;
        e->update[n] = (mw_elim_update){ .to = (unsigned)(to / MW_ELIM_LD),
                                         .xj = (unsigned)(e->block[v->next0 + j] / MW_ELIM_LD),
                                         .n = (short)g->size[a],
                                         .scale = a == b && sign > 0.0 && pa->check ? a : -1,
                                         .sign = sign > 0.0 ? 1 : -1,
                                         .first = !p->used[to / MW_ELIM_LD] };
        p->used[to / MW_ELIM_LD] = 1;
      }
  }
  return n;
}

static void place_couplings(const mw_elim_graph *g, plan *p)
{
  for (int k = 0; k < g->n_rows; k++)
    for (int i = g->ptr[k]; i < g->ptr[k + 1]; i++) {
      int r = g->n_body + k, b = g->touch[i];
      bool body_first;
      if (g->size[b] == 0) continue;
      p->e->couple[i] = mw_elim_between(p->e, r, b, &body_first);
      p->e->across[i] = !body_first;
      p->used[p->e->couple[i] / MW_ELIM_LD] = 1;
    }
}

// Blocks that the caller writes: of and between the nodes that touch a body of size 0.
static void place_written(const mw_elim_graph *g, plan *p, const list *rows_of)
{
  mw_elim *e = p->e;
  for (int b = 0; b < g->n_body; b++)
    for (int i = 0; g->size[b] == 0 && i < rows_of[b].n; i++) {
      int node = rows_of[b].v[i];
      e->pivot[e->place[node]].bare = false;
      p->used[e->diag[node] / MW_ELIM_LD] = 1;
      for (int j = 0; j < i; j++) {
        bool swapped;
        p->used[mw_elim_between(e, node, rows_of[b].v[j], &swapped) / MW_ELIM_LD] = 1;
      }
    }
}

static mw_code make_plan(const order *o, const int *sequence, const unsigned char *check,
                         const unsigned char *light, list *next, mw_arena *mem, mw_elim *e,
                         mw_error *err)
{
  const mw_elim_graph *g = o->g;
  size_t n = (size_t)e->n_node, n_next = 0;
  for (size_t s = 0; s < n; s++) n_next += (size_t)next[s].n;
  plan p = { .e = e, .next = next };
  e->place = mw_arena_int(mem, n);
  e->pivot = mw_arena_alloc(mem, n, sizeof *e->pivot);
  e->next = mw_arena_int(mem, n_next);
  e->block = mw_arena_alloc(mem, n_next, sizeof *e->block);
  e->diag = mw_arena_alloc(mem, n, sizeof *e->diag);
  e->couple = mw_arena_alloc(mem, (size_t)g->ptr[g->n_rows], sizeof *e->couple);
  e->across = mw_arena_alloc(mem, (size_t)g->ptr[g->n_rows], 1);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (size_t s = 0; s < n; s++) e->place[sequence[s]] = (int)s;
  place_blocks(g, &p, sequence, light);
  for (size_t s = 0; s < n; s++) e->pivot[s].check = check[s];
  int n_up = place_updates(g, &p);
  e->update = mw_arena_alloc(mem, (size_t)n_up + 1, sizeof *e->update);
  p.used = mw_arena_alloc(mem, e->n_val / MW_ELIM_LD + 1, 1);
  rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  place_couplings(g, &p);
  place_written(g, &p, o->rows_of);
  (void)place_updates(g, &p);
  return MW_OK;
}

mw_code mw_elim_build(const mw_elim_graph *g, mw_arena *mem, mw_elim *out, mw_error *err)
{
  order o;
  mw_elim e = { .n_node = g->n_body + g->n_rows, .n_body = g->n_body, .size = g->size };
  size_t n = (size_t)e.n_node;
  int *sequence = calloc(n + 1, sizeof *sequence);
  unsigned char *check = calloc(n + 1, 1), *light = calloc(n + 1, 1);
  list *next = calloc(n + 1, sizeof *next);
  bool fine = order_init(g, &o) && sequence && check && light && next;
  int done = fine ? eliminate_large(&o, sequence, light) : 0;
  for (int s = done; fine && s < e.n_node; s++) {
    int node = choose(&o), k = node - g->n_body;
    check[s] = closes(&o, node);
    light[s] = k < 0 && o.plain[node];
    for (int i = 0; i < o.adj[node].n; i++) push(&o, &next[s], o.adj[node].v[i]);
    eliminate(&o, node);
    sequence[s] = node;
    fine = !o.failed;
  }
  mw_code rc = fine ? make_plan(&o, sequence, check, light, next, mem, &e, err)
                    : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  for (size_t s = 0; next && s < n; s++) free(next[s].v);
  free(next);
  free(light);
  free(check);
  free(sequence);
  order_free(&o);
  if (rc == MW_OK) *out = e;
  return rc;
}
