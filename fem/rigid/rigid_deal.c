// SPDX-License-Identifier: BSD-3-Clause
// rigid_deal.c: which rank eliminates which groups, and what it evaluates and gets for that.
//
// Ranks are dealt out downwards: a group takes the first of the ranks that it was given, those
// below it share them by their weight (proportional mapping: A. Pothen, C. Sun, A mapping algorithm
// for parallel sparse Cholesky factorization, SIAM J. Sci. Comput. 14, 1993).
#include <stdlib.h>
#include <string.h>

#include "rigid_ranks_priv.h"

// ---- who has what -------------------------------------------------------------------------------

// Part `done` of `all` of n ranks, to the nearest.
static int share(long long done, long long all, int n)
{
  return all > 0 ? (int)((2 * done * n + all) / (2 * all)) : 0;
}

// Weights of groups with those below them, of those below alone.
static void weigh(const mw_elim *e, long long *weight, long long *below)
{
  for (int g = 0; g < e->n_group; g++) {
    const mw_elim_group *k = &e->group[g];
    for (int s = k->first; s < k->last; s++) {
      long long m = e->pivot[s].n_next;
      weight[g] += 2 + m * (m + 1) / 2;  // itself, its row of the right-hand side, its updates
    }
    if (k->above < 0) continue;
    weight[k->above] += weight[g];
    below[k->above] += weight[g];
  }
}

static mw_code deal(const mw_elim *e, int n, int *owner, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t ng = (size_t)e->n_group;
  long long *weight = mw_arena_alloc(&tmp, ng, sizeof *weight),
            *below = mw_arena_alloc(&tmp, ng, sizeof *below),
            *done = mw_arena_alloc(&tmp, ng, sizeof *done);
  int *end = mw_arena_int(&tmp, ng);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) weigh(e, weight, below);
  for (int g = e->n_group - 1; rc == MW_OK && g >= 0; g--) {
    int up = e->group[g].above;
    owner[g] = 0;
    end[g] = n;
    if (up < 0) continue;
    int k = end[up] - owner[up], from = share(done[up], below[up], k), to;
    done[up] += weight[g];
    to = share(done[up], below[up], k);
    if (from == k) from = k - 1;
    if (to <= from) to = from + 1;
    owner[g] = owner[up] + from;
    end[g] = owner[up] + to;
  }
  mw_arena_free(&tmp);
  return rc;
}

// Group g is of this rank, or the one above it, not both.
static void add_edge(mw_rigid_ranks *k, const mw_elim *e, int g, mw_arena *mem)
{
  const mw_elim_group *below = &e->group[g];
  mw_ranks_edge *d = &k->e[k->n_edge];
  *d = (mw_ranks_edge){
    .group = g, .up = k->owner[g] == k->team.rank, .beside = -1, .n_x = (size_t)below->n_slot * LD
  };
  d->rank = k->owner[d->up ? below->above : g];
  d->n_d = below->val1 - below->val0 + 3 * d->n_x;
  d->D = mw_arena_f64(mem, d->n_d);
  d->x = mw_arena_f64(mem, 2 * d->n_x);
  if (d->up) {
    k->edge[g] = k->n_edge;
  } else {
    d->beside = k->below[below->above];
    k->below[below->above] = k->n_edge;
  }
  k->n_edge++;
}

static mw_code find_edges(mw_rigid_ranks *k, const mw_elim *e, mw_arena *mem, mw_error *err)
{
  k->e = mw_arena_alloc(mem, (size_t)e->n_group, sizeof *k->e);
  mw_code rc = mw_arena_check(mem, err);
  for (int g = 0; g < e->n_group; g++) k->edge[g] = k->below[g] = -1;
  for (int g = 0; rc == MW_OK && g < e->n_group; g++) {
    int up = e->group[g].above, me = k->team.rank;
    if (up >= 0 && k->owner[g] != k->owner[up] && (k->owner[g] == me || k->owner[up] == me))
      add_edge(k, e, g, mem);
  }
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}

// ---- what is evaluated here ---------------------------------------------------------------------

typedef struct need {  // acceleration of a body, from here to a rank, or from there
  int rank, out, body;
} need;

typedef struct needs {
  const mw_rigid *r;
  mw_rigid_ranks *k;
  int *group_of;                // [n_node]  of a pivot's node
  unsigned char *turn, *start;  // [n_hard], [bodies]  its turn comes in a group of this rank
  need *v;
  int n;
} needs;

static int owner_of(const needs *z, int node) { return z->k->owner[z->group_of[node]]; }

// Notes which of the bodies of a row that rank `at` evaluates it needs from elsewhere.
static void note(needs *z, const mw_rnode *p, int at)
{
  int me = z->k->team.rank;
  for (int k = p->touch0; k < p->touch0 + p->n_touch; k++) {
    int b = z->r->touch[k], from = owner_of(z, b);
    if (at == me) z->k->here[b] |= MW_RIGID_NEEDED;
    if (from == at || (from != me && at != me)) continue;
    z->v[z->n++] = (need){ at == me ? from : at, from == me, b };
  }
}

// A row is evaluated by the ranks of its own pivot and of those of its bodies, and by all that ask
// what its reaction does.
static void need_row(needs *z, int i)
{
  const mw_rigid *r = z->r;
  const mw_rnode *p = &r->node[i];
  int own = owner_of(z, r->n.n_body + r->n.n_rotor + i);
  bool mine = own == z->k->team.rank || z->k->row[i];
  note(z, p, own);
  for (int k = p->touch0; k < p->touch0 + p->n_touch; k++) {
    int at = owner_of(z, r->touch[k]);
    if (at != own) note(z, p, at);
    mine |= at == z->k->team.rank;
  }
  z->k->row[i] = mine || z->turn[i];
  if (!mine || z->turn[i]) return;
  z->k->node[z->k->n_node++] = i;
  for (int k = p->touch0; k < p->touch0 + p->n_touch; k++) z->start[r->touch[k]] = 0;
}

// Rows and bodies that come with groups of this rank.
static void mark_turns(needs *z)
{
  const mw_rigid *r = z->r;
  for (int g = 0; g < r->hard.n_group; g++) {
    for (int s = r->hard.group[g].first; s < r->hard.group[g].last; s++)
      z->group_of[r->hard.pivot[s].node] = g;
    if (z->k->owner[g] != z->k->team.rank) continue;
    for (int i = r->turn0[g]; i < r->turn0[g + 1]; i++) z->turn[r->turn[i]] = 1;
    for (int i = r->body0[g]; i < r->body0[g + 1]; i++) z->start[r->body_turn[i]] = 1;
  }
}

// Rows whose multipliers each rank makes something of: power of held coordinates, friction.
static void mark_seen(needs *z)
{
  const mw_rigid *r = z->r;
  for (int h = 0; h < r->n_held; h++) z->k->row[r->held[h].node] = 1;
  for (int f = 0; f < r->n_friction; f++)
    for (int i = 0; i < r->n_hard; i++) z->k->row[i] |= r->node[i].joint == r->friction[f].joint;
}

static int by_rank(const void *x, const void *y)
{
  const need *a = x, *b = y;
  if (a->rank != b->rank) return a->rank - b->rank;
  return a->out != b->out ? a->out - b->out : a->body - b->body;
}

// Bodies by who sends them to whom, each once.
static mw_code find_halos(needs *z, mw_arena *mem, mw_error *err)
{
  mw_rigid_ranks *k = z->k;
  int n = 0;
  qsort(z->v, (size_t)z->n, sizeof *z->v, by_rank);
  for (int i = 0; i < z->n; i++)
    if (n == 0 || by_rank(&z->v[n - 1], &z->v[i]) != 0) z->v[n++] = z->v[i];
  k->h = mw_arena_alloc(mem, 2 * (size_t)k->team.n, sizeof *k->h);
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0, m; rc == MW_OK && i < n; i += m) {
    const need *v = &z->v[i];
    for (m = 1; i + m < n && v[m].rank == v->rank && v[m].out == v->out;) m++;
    mw_ranks_halo *h = &k->h[k->n_halo++];
    *h = (mw_ranks_halo){ .rank = v->rank, .n = m, .out = v->out != 0 };
    h->body = mw_arena_int(mem, (size_t)m);
    h->a = mw_arena_f64(mem, (size_t)m * MW_RANKS_A);
    for (int j = 0; h->body && j < m; j++) h->body[j] = v[j].body;
  }
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}

// Who tells all others what of a solution.
static mw_code find_shares(needs *z, mw_arena *mem, mw_error *err)
{
  mw_rigid_ranks *k = z->k;
  const mw_elim *e = &z->r->hard;
  int n_rank = k->team.n, first = z->r->n.n_body + z->r->n.n_rotor, n = 0;
  size_t most = 0;
  k->share = mw_arena_int(mem, (size_t)e->n_node);
  k->share0 = mw_arena_int(mem, (size_t)n_rank + 1);
  k->n_value = mw_arena_alloc(mem, (size_t)n_rank, sizeof *k->n_value);
  k->n_row = mw_arena_alloc(mem, (size_t)n_rank, sizeof *k->n_row);
  mw_code rc = mw_arena_check(mem, err);
  for (int rank = 0; rc == MW_OK && rank < n_rank; rank++) {
    for (int i = 0; i < e->n_node; i++) {
      if (owner_of(z, i) != rank) continue;
      k->share[n++] = i;
      k->n_value[rank] += (size_t)e->size[i];
      k->n_row[rank] += i >= first;
    }
    k->share0[rank + 1] = n;
    size_t all = 2 * k->n_value[rank] + k->n_row[rank];
    most = all > most ? all : most;
  }
  k->out = mw_arena_f64(mem, most);
  k->in = mw_arena_f64(mem, most);
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}

static mw_code find_needs(const mw_rigid *r, mw_rigid_ranks *k, mw_arena *mem, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t n_hard = (size_t)r->n_hard, nb = (size_t)r->n.n_body, touched = 0;
  for (int i = 0; i < r->n_hard; i++)
    touched += (size_t)r->node[i].n_touch * (size_t)(r->node[i].n_touch + 1);
  needs z = { .r = r,
              .k = k,
              .group_of = mw_arena_int(&tmp, (size_t)r->hard.n_node),
              .turn = mw_arena_alloc(&tmp, n_hard, 1),
              .start = mw_arena_alloc(&tmp, nb, 1),
              .v = mw_arena_alloc(&tmp, touched, sizeof *z.v) };
  k->node = mw_arena_int(mem, n_hard);
  k->body = mw_arena_int(mem, nb);
  k->here = mw_arena_alloc(mem, nb, 1);
  k->row = mw_arena_alloc(mem, n_hard, 1);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc == MW_OK) {
    mark_turns(&z);
    if (k->whole) mark_seen(&z);
    for (int b = 0; b < r->n.n_body; b++)
      k->here[b] = owner_of(&z, b) == k->team.rank ? MW_RIGID_OWN | MW_RIGID_NEEDED
                   : k->whole                      ? MW_RIGID_NEEDED
                                                   : 0;
    for (int i = 0; i < r->n_hard; i++) need_row(&z, i);
    // those that a row before the groups needs, and those that no group comes to
    for (int b = 0; b < r->n.n_body; b++)
      if (k->here[b] && !z.start[b]) k->body[k->n_body++] = b;
    rc = k->whole ? find_shares(&z, mem, err) : find_halos(&z, mem, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

static mw_code share_out(const mw_rigid *r, mw_rigid_work *w, const mw_team *team, bool whole,
                         mw_error *err)
{
  const mw_elim *e = &r->hard;
  mw_rigid_ranks *k = mw_arena_alloc(&w->mem, 1, sizeof *k);
  size_t n = (size_t)e->n_group;
  int *group[3];
  for (int i = 0; i < 3; i++) group[i] = mw_arena_int(&w->mem, n);
  mw_code rc = mw_arena_check(&w->mem, err);
  if (rc != MW_OK) return rc;
  *k = (mw_rigid_ranks){
    .team = *team, .whole = whole, .owner = group[0], .edge = group[1], .below = group[2]
  };
  rc = deal(e, team->n, k->owner, err);
  if (rc == MW_OK) rc = find_edges(k, e, &w->mem, err);
  if (rc == MW_OK) rc = find_needs(r, k, &w->mem, err);
  if (rc != MW_OK) return rc;
  // rows elsewhere are no redundant ones
  for (int i = 0; i < e->n_node * LD; i++) w->hard.inv[i] = 1.0;
  w->ranks = k;
  return MW_OK;
}

mw_code mw_rigid_work_spread(const mw_rigid *r, mw_rigid_work *w, const mw_team *team,
                             mw_error *err)
{
  if (!r->lean)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "right-hand sides over ranks: found %s, expected joints under gravity alone",
                   r->n_component > 0                        ? "components"
                   : r->n_friction > 0                       ? "friction"
                   : r->n_force > 0 || r->n_node > r->n_hard ? "forces, springs or dampers"
                                                             : "coordinates that rows need");
  return share_out(r, w, team, false, err);
}

mw_code mw_rigid_work_join(const mw_rigid *r, mw_rigid_work *w, const mw_team *team, mw_error *err)
{
  if (r->n_component > 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "right-hand sides over ranks: found component %s, expected none",
                   r->component[0].in->name);
  if (r->link || r->n_leg > 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "right-hand sides over ranks: found none by elimination, expected its groups");
  return share_out(r, w, team, true, err);
}

void mw_rigid_work_alone(mw_rigid_work *w, bool alone)
{
  if (w->ranks) w->ranks->alone = alone;
}

const unsigned char *mw_rigid_here(const mw_rigid_work *w) { return w->ranks->here; }
