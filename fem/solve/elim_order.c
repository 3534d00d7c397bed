// SPDX-License-Identifier: BSD-3-Clause
// elim_order.c: in which order bodies and rows are eliminated.
//
// Bodies have positive blocks and may go at any time. A node of rows may go when its pivot C B⁻¹
// Cᵀ, taken over what is already eliminated, cannot be singular for any other reason than
// redundancy:
//   all its bodies are gone, and what they hang together with (a cluster) hangs on no body that
//     remains; or
//   one of its bodies remains, the rows have full rank on the other, and that one's cluster hangs
//     on nothing yet.
// Among those that may go the one with the least work goes first; what creates no fill goes at
// once. On a tree this is the elimination from the leaves to the root, but for light bodies: with a
// diagonal block and few rows they are cheaper to eliminate before that block is filled than they
// save as leaves. A loop's last rows go when all of the loop is gone, and there redundant rows show
// as zero pivots (Kraus, Winckler, Bock 2001, sections 6 and 8). Bodies of size 0 are gone before
// anything else.
// The one with the least work is on top of a heap, where a node comes anew whenever its work
// changes or it may go again: O(E log E) for E couplings, fill included. Rows that hang on what
// remains wait in a list of the cluster that holds them up.
//
// Groups go one after the other, each by the same rules among its own nodes. Rows that would hang
// on a body of a group above go last, for they hold up what hangs together with them; those that
// may not go then wait for the group above.
#include <stdlib.h>
#include <string.h>

#include "elim_priv.h"

typedef mw_elim_list list;

typedef struct offer {  // a node that may be the next one
  double work;
  int node;
} offer;

typedef struct order {
  const mw_elim_graph *g;
  int n_node;
  list *adj;              // [n_node]  neighbours that remain
  list *rows_of;          // [n_body]  nodes of rows that touch it
  unsigned char *gone;    // [n_node]
  int *parent;            // [n_body]  clusters of eliminated bodies (union-find)
  int *hangs;             // [n_body]  of a cluster: eliminated rows to bodies that remain
  unsigned char *held;    // [n_body]  of a cluster: rows to the ground are eliminated
  int *group;             // [n_node]  the group in which a node goes, as far as is known
  int open;               // the group at hand
  bool inner;             // rows that hang on groups above wait
  int *member, n_member;  // nodes of the group at hand, ascending
  int light;              // members before it are not light
  offer *heap;            // [cap_heap]  the least work on top; those with other work are outdated
  int n_heap, cap_heap;
  int *waits, *beside;     // [n_body], [n_node]  of a cluster: ring of rows it holds up, −1: none
  unsigned char *waiting;  // [n_node]  it is in such a list
  unsigned char *plain;    // [n_body]  its block is still diagonal
  int *queue, n_queue;     // [n_node]  nodes that may create no fill
  unsigned char *queued;   // [n_node]
  bool failed;             // out of memory
} order;

bool mw_elim_push(mw_elim_list *l, int x)
{
  for (int i = 0; i < l->n; i++)
    if (l->v[i] == x) return true;
  if (l->n == l->cap) {
    int cap = l->cap ? 2 * l->cap : 4;
    int *v = realloc(l->v, (size_t)cap * sizeof *v);
    if (!v) return false;
    l->v = v;
    l->cap = cap;
  }
  l->v[l->n++] = x;
  return true;
}

static void push(order *o, list *l, int x)
{
  if (!mw_elim_push(l, x)) o->failed = true;
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
  if (o->waits[x] < 0) {
    o->waits[x] = o->waits[y];
  } else if (o->waits[y] >= 0) {  // rings: their ends change places
    int k = o->beside[o->waits[x]];
    o->beside[o->waits[x]] = o->beside[o->waits[y]];
    o->beside[o->waits[y]] = k;
  }
  return x;
}

// ---- which node next ----------------------------------------------------------------------------

// Of a node of rows that may not go: a cluster that holds it up, −1: none does. *may: it may go.
static int held_up(order *o, int node, bool *may)
{
  const mw_elim_graph *g = o->g;
  int k = node - g->n_body, left = 0, n = 0;
  *may = k < 0 || g->soft[k];
  if (*may) return -1;
  bool held = g->ground[k];
  for (int i = g->ptr[k]; i < g->ptr[k + 1]; i++, n++) {
    int b = g->touch[i];
    left += !o->gone[b];
    if (!o->gone[b] && o->inner && o->group[b] != o->open) return -1;
    if (!o->gone[b]) continue;
    int c = root(o, b);
    if (o->hangs[c] > 0) return c;
    held |= o->held[c];
  }
  *may = left == 0 || (left == 1 && n == 2 && g->full[k] && !held);
  return -1;
}

static bool may_go(order *o, int node)
{
  bool may;
  (void)held_up(o, node, &may);
  return may;
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
  if (o->gone[node] || o->queued[node] || o->adj[node].n > 1 || o->group[node] != o->open) return;
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

// ---- the least work -----------------------------------------------------------------------------

static bool before(offer a, offer b)
{
  return a.work < b.work || (a.work == b.work && a.node < b.node);
}

static void offer_node(order *o, int node)
{
  if (o->gone[node] || o->group[node] != o->open || o->failed) return;
  if (o->n_heap == o->cap_heap) {
    int cap = o->cap_heap ? 2 * o->cap_heap : 64;
    offer *v = realloc(o->heap, (size_t)cap * sizeof *v);
    o->failed = !v;
    if (!v) return;
    o->heap = v;
    o->cap_heap = cap;
  }
  offer x = { work(o, node), node };
  int i = o->n_heap++;
  for (; i > 0 && before(x, o->heap[(i - 1) / 2]); i = (i - 1) / 2)
    o->heap[i] = o->heap[(i - 1) / 2];
  o->heap[i] = x;
}

static offer take_offer(order *o)
{
  offer top = o->heap[0], x = o->heap[--o->n_heap];
  int i = 0;
  for (int k = 1; k < o->n_heap; k = 2 * i + 1) {
    if (k + 1 < o->n_heap && before(o->heap[k + 1], o->heap[k])) k++;
    if (!before(o->heap[k], x)) break;
    o->heap[i] = o->heap[k];
    i = k;
  }
  o->heap[i] = x;
  return top;
}

// Rows that cluster c holds up
static void wait_for(order *o, int c, int node)
{
  if (o->waiting[node]) return;
  o->waiting[node] = 1;
  o->beside[node] = o->waits[c] < 0 ? node : o->beside[o->waits[c]];
  if (o->waits[c] >= 0) o->beside[o->waits[c]] = node;
  o->waits[c] = node;
}

// Cluster c hangs on nothing any more.
static void let_go(order *o, int c)
{
  int last = o->waits[c];
  o->waits[c] = -1;
  for (int i = last < 0 ? -1 : o->beside[last]; i >= 0; i = i == last ? -1 : o->beside[i]) {
    o->waiting[i] = 0;
    offer_node(o, i);
  }
}

static int least_work(order *o)
{
  while (o->n_heap > 0) {
    offer x = take_offer(o);
    bool may;
    if (o->gone[x.node] || o->group[x.node] != o->open || x.work != work(o, x.node)) continue;
    int c = held_up(o, x.node, &may);
    if (may) return x.node;
    if (c >= 0) wait_for(o, c, x.node);
  }
  return -1;
}

// −1: none that may go
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
  for (; o->light < o->n_member; o->light++)
    if (is_light(o, o->member[o->light])) return o->member[o->light];
  return least_work(o);
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
      if (--o->hangs[c] == 0) let_go(o, c);
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
    offer_node(o, a->v[i]);
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
  free(o->group);
  free(o->member);
  free(o->heap);
  free(o->waits);
  free(o->beside);
  free(o->waiting);
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
  o->group = calloc(n + 1, sizeof *o->group);
  o->member = calloc(n + 1, sizeof *o->member);
  o->waits = calloc(nb + 1, sizeof *o->waits);
  o->beside = calloc(n + 1, sizeof *o->beside);
  o->waiting = calloc(n + 1, 1);
  o->queue = calloc(n + 1, sizeof *o->queue);
  o->queued = calloc(n + 1, 1);
  if (!o->adj || !o->rows_of || !o->gone || !o->parent || !o->hangs || !o->held || !o->plain ||
      !o->group || !o->member || !o->waits || !o->beside || !o->waiting || !o->queue || !o->queued)
    return false;
  for (size_t b = 0; b < nb; b++) {
    o->parent[b] = (int)b;
    o->waits[b] = -1;
    o->plain[b] = 1;
  }
  for (int k = 0; k < g->n_rows; k++)
    for (int i = g->ptr[k]; i < g->ptr[k + 1]; i++) {
      push(o, &o->adj[g->touch[i]], g->n_body + k);
      push(o, &o->adj[g->n_body + k], g->touch[i]);
      push(o, &o->rows_of[g->touch[i]], g->n_body + k);
    }
  for (int i = 0; g->tree && i < o->n_node; i++) o->group[i] = g->tree->of[i];
  for (int i = 0; i < o->n_node; i++) enqueue(o, i);
  return !o->failed;
}

// ---- groups -------------------------------------------------------------------------------------

// Nodes of each group, ascending: those of group k are members at[k] … at[k + 1] − 1 of `of`; what
// groups hand upward is added as it comes.
typedef struct groups {
  int n;
  const int *above;  // [n]
  list *of;          // [n]
} groups;

static void groups_free(groups *p)
{
  for (int k = 0; p->of && k < p->n; k++) free(p->of[k].v);
  free(p->of);
}

static bool append(list *l, int x)
{
  if (l->n == l->cap) {
    int cap = l->cap ? 2 * l->cap : 4;
    int *v = realloc(l->v, (size_t)cap * sizeof *v);
    if (!v) return false;
    l->v = v;
    l->cap = cap;
  }
  l->v[l->n++] = x;
  return true;
}

static bool groups_init(const order *o, groups *p)
{
  static const int NONE[1] = { -1 };
  const mw_elim_tree *t = o->g->tree;
  *p = (groups){ .n = t ? t->n_group : 1, .above = t ? t->above : NONE };
  p->of = calloc((size_t)p->n + 1, sizeof *p->of);
  for (int i = 0; p->of && i < o->n_node; i++)
    if (!append(&p->of[o->group[i]], i)) return false;
  return p->of != NULL;
}

static int ascending(const void *x, const void *y)
{
  int a = *(const int *)x, b = *(const int *)y;
  return (a > b) - (a < b);
}

// Offers all nodes of the group at hand that remain.
static void offer_left(order *o)
{
  o->n_heap = 0;
  for (int i = 0; i < o->n_member; i++) {
    enqueue(o, o->member[i]);
    offer_node(o, o->member[i]);
  }
}

static void open_group(order *o, list *l, int k)
{
  if (l->n > 1) qsort(l->v, (size_t)l->n, sizeof *l->v, ascending);
  o->open = k;
  o->inner = true;
  o->n_member = 0;
  o->light = 0;
  for (int i = 0; i < l->n; i++)
    if (!o->gone[l->v[i]]) o->member[o->n_member++] = l->v[i];
  offer_left(o);
}

// The next node of the group at hand, −1: none that may go.
static int next_node(order *o)
{
  int node = choose(o);
  if (node >= 0 || !o->inner) return node;
  o->inner = false;
  offer_left(o);
  return choose(o);
}

// What may not go in group k goes in the one above it.
static bool hand_upward(order *o, groups *p, int k)
{
  for (int i = 0; i < o->n_member; i++) {
    int node = o->member[i];
    if (o->gone[node]) continue;
    if (p->above[k] < 0 || !append(&p->of[p->above[k]], node)) return false;
    o->group[node] = p->above[k];
  }
  return true;
}

// Groups without pivots are none: what they would take goes to the ones above them. place [n_group]
// is scratch.
static void drop_empty(mw_elim *e, int *place)
{
  int n = 0;
  if (e->n_group == 1) return;
  for (int k = e->n_group - 1; k >= 0; k--) {  // the group that stands for this one, −1: none
    const mw_elim_group *g = &e->group[k];
    place[k] = g->first < g->last ? k : g->above < 0 ? -1 : place[g->above];
  }
  for (int k = 0; k < e->n_group; k++)
    if (e->group[k].above >= 0) e->group[k].above = place[e->group[k].above];
  for (int k = 0; k < e->n_group; k++) {
    if (e->group[k].first == e->group[k].last) continue;
    place[k] = n;
    e->group[n++] = e->group[k];
  }
  e->n_group = n;
  for (int k = 0; k < n; k++)
    if (e->group[k].above >= 0) e->group[k].above = place[e->group[k].above];
}

// ---- the order ----------------------------------------------------------------------------------

typedef struct sequence {
  int n;
  int *node;  // [n_node]
  unsigned char *check, *light;
  list *next;
} sequence;

static void take_node(order *o, sequence *q, int node)
{
  int s = q->n++;
  q->check[s] = closes(o, node);
  q->light[s] = node < o->g->n_body && o->plain[node];
  for (int i = 0; i < o->adj[node].n; i++) push(o, &q->next[s], o->adj[node].v[i]);
  eliminate(o, node);
  q->node[s] = node;
}

// All groups; false: out of memory.
static bool run_groups(order *o, groups *p, sequence *q, mw_elim *e)
{
  for (int k = 0; k < p->n; k++) {
    open_group(o, &p->of[k], k);
    e->group[k] = (mw_elim_group){ .first = q->n, .above = p->above[k] };
    for (int node = next_node(o); node >= 0 && !o->failed; node = next_node(o))
      take_node(o, q, node);
    e->group[k].last = q->n;
    if (o->failed || !hand_upward(o, p, k)) return false;
  }
  return true;
}

mw_code mw_elim_build(const mw_elim_graph *g, mw_arena *mem, mw_elim *out, mw_error *err)
{
  order o;
  groups p = { 0 };
  mw_elim e = { .n_node = g->n_body + g->n_rows, .n_body = g->n_body, .size = g->size };
  size_t n = (size_t)e.n_node;
  sequence q = { .node = calloc(n + 1, sizeof *q.node),
                 .check = calloc(n + 1, 1),
                 .light = calloc(n + 1, 1),
                 .next = calloc(n + 1, sizeof *q.next) };
  bool fine = order_init(g, &o) && q.node && q.check && q.light && q.next && groups_init(&o, &p);
  e.n_group = p.n;
  e.group = mw_arena_alloc(mem, (size_t)p.n + 1, sizeof *e.group);
  if (fine) q.n = eliminate_large(&o, q.node, q.light);
  fine = fine && e.group && run_groups(&o, &p, &q, &e);
  mw_code rc = MW_OK;
  if (fine) {
    drop_empty(&e, o.queue);
    const mw_elim_order order_of = {
      .sequence = q.node, .check = q.check, .light = q.light, .next = q.next, .rows_of = o.rows_of
    };
    rc = mw_elim_plan(g, &order_of, mem, &e, err);
  } else {
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  }
  for (size_t s = 0; q.next && s < n; s++) free(q.next[s].v);
  free(q.next);
  free(q.light);
  free(q.check);
  free(q.node);
  groups_free(&p);
  order_free(&o);
  if (rc == MW_OK) *out = e;
  return rc;
}
