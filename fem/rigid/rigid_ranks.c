// SPDX-License-Identifier: BSD-3-Clause
// rigid_ranks.c: what passes between ranks that share out the groups of the elimination
// (rigid_deal.c).
//
// A group's rank evaluates what the group needs and eliminates it. Where the group above is
// another's, D, R and the sums behind checked pivots go up to it as the threads of one process find
// them in memory (fem/elim.h), and the solution at the border comes back down; last go the
// accelerations of bodies that another rank's rows touch or, where each rank holds the whole state,
// all of the solution, to all. The numbers and their order are those of one process: same bits.
#include <math.h>
#include <string.h>

#include "rigid_ranks_priv.h"

enum { A = MW_RANKS_A, HALO = 1 };  // tags: HALO, then two a group

// ---- an acceleration ----------------------------------------------------------------------------

const int *mw_rigid_ranks_nodes(const mw_rigid_work *w, int *n)
{
  *n = w->ranks->n_node;
  return w->ranks->node;
}

const int *mw_rigid_ranks_bodies(const mw_rigid_work *w, int *n)
{
  *n = w->ranks->n_body;
  return w->ranks->body;
}

// Copies n doubles into (out: from) a message; returns what follows there.
static double *copy(double *at, double *x, size_t n, bool out)
{
  memcpy(out ? at : x, out ? x : at, n * sizeof *x);
  return at + n;
}

// The pieces of memory that a group leaves to the one above it, into (out: from) the message;
// returns its length.
static size_t pack(const mw_elim *e, mw_elim_num *n, const mw_ranks_edge *d, unsigned what,
                   bool out)
{
  const mw_elim_group *g = &e->group[d->group];
  size_t slot = (size_t)g->slot0 * LD;
  double *at = d->D;
  if (what & MW_RANKS_BLOCKS) {
    at = copy(at, n->val + g->val0, g->val1 - g->val0, out);
    at = copy(at, n->scale + (size_t)e->n_node * LD + slot, d->n_x, out);
  }
  if (what & MW_RANKS_X) at = copy(at, n->left[0] + slot, d->n_x, out);
  if (what & MW_RANKS_X2) at = copy(at, n->left[1] + slot, d->n_x, out);
  return (size_t)(at - d->D);
}

static size_t length(const mw_elim *e, const mw_ranks_edge *d, unsigned what)
{
  const mw_elim_group *g = &e->group[d->group];
  size_t n = what & MW_RANKS_BLOCKS ? g->val1 - g->val0 + d->n_x : 0;
  if (what & MW_RANKS_X) n += d->n_x;
  return what & MW_RANKS_X2 ? n + d->n_x : n;
}

static int tag_of(const mw_ranks_edge *d, bool up) { return HALO + 1 + 2 * d->group + up; }

mw_code mw_rigid_ranks_up(const mw_rigid *r, mw_rigid_work *w, unsigned what, mw_pool_fn fn,
                          void *ctx)
{
  mw_rigid_ranks *k = w->ranks;
  mw_code rc = MW_OK;
  for (int g = 0; g < r->hard.n_group; g++) {
    if (k->owner[g] != k->team.rank) continue;
    for (int i = k->below[g]; i >= 0; i = k->e[i].beside) {
      const mw_ranks_edge *d = &k->e[i];
      k->team.recv(k->team.ctx, d->rank, tag_of(d, true), d->D, length(&r->hard, d, what));
      (void)pack(&r->hard, &w->hard, d, what, false);
    }
    mw_code one = fn(ctx, g);
    rc = rc == MW_OK ? one : rc;
    if (k->edge[g] < 0) continue;
    const mw_ranks_edge *d = &k->e[k->edge[g]];
    size_t n = pack(&r->hard, &w->hard, d, what, true);
    k->team.send(k->team.ctx, d->rank, tag_of(d, true), d->D, n);
  }
  return rc;
}

// Solutions at the border of a group, into (out: from) the message; returns its length.
static size_t pack_border(const mw_elim *e, double *const x[2], const mw_ranks_edge *d, bool out)
{
  const mw_elim_group *g = &e->group[d->group];
  double *at = d->x;
  for (int s = 0; s < 2; s++)
    for (int i = 0; x[s] && i < g->n_slot; i++)
      at = copy(at, x[s] + e->border[g->slot0 + i] * LD, LD, out);
  return (size_t)(at - d->x);
}

mw_code mw_rigid_ranks_down(const mw_rigid *r, mw_rigid_work *w, double *const x[2], mw_pool_fn fn,
                            void *ctx)
{
  mw_rigid_ranks *k = w->ranks;
  size_t n_x = (x[0] != NULL) + (size_t)(x[1] != NULL);
  mw_code rc = MW_OK;
  for (int g = r->hard.n_group - 1; g >= 0; g--) {
    if (k->owner[g] != k->team.rank) continue;
    if (k->edge[g] >= 0) {
      const mw_ranks_edge *d = &k->e[k->edge[g]];
      k->team.recv(k->team.ctx, d->rank, tag_of(d, false), d->x, n_x * d->n_x);
      (void)pack_border(&r->hard, x, d, false);
    }
    mw_code one = fn(ctx, g);
    rc = rc == MW_OK ? one : rc;
    for (int i = k->below[g]; i >= 0; i = k->e[i].beside) {
      const mw_ranks_edge *d = &k->e[i];
      size_t n = pack_border(&r->hard, x, d, true);
      k->team.send(k->team.ctx, d->rank, tag_of(d, false), d->x, n);
    }
  }
  return rc;
}

mw_code mw_rigid_ranks_share(mw_rigid_work *w, mw_code rc, double *a)
{
  const mw_rigid_ranks *k = w->ranks;
  for (int i = 0; i < k->n_halo; i++) {
    const mw_ranks_halo *h = &k->h[i];
    if (!h->out) continue;
    for (int j = 0; j < h->n; j++) memcpy(h->a + j * A, a + A * h->body[j], A * sizeof *a);
    k->team.send(k->team.ctx, h->rank, HALO, h->a, (size_t)h->n * A);
  }
  for (int i = 0; i < k->n_halo; i++) {
    const mw_ranks_halo *h = &k->h[i];
    if (h->out) continue;
    k->team.recv(k->team.ctx, h->rank, HALO, h->a, (size_t)h->n * A);
    for (int j = 0; j < h->n; j++) memcpy(a + A * h->body[j], h->a + j * A, A * sizeof *a);
  }
  k->team.settle(k->team.ctx);
  return k->team.most(k->team.ctx, (double)rc) > 0.0 ? MW_ERR_NUMERIC : MW_OK;
}

// ---- the whole state on each rank ---------------------------------------------------------------

mw_ranks_how mw_rigid_ranks_how(const mw_rigid_work *w)
{
  const mw_rigid_ranks *k = w->ranks;
  return !k || k->alone ? MW_RANKS_NONE : k->whole ? MW_RANKS_JOINED : MW_RANKS_SPREAD;
}

// Failures are those of one process: of the first group that has one.
mw_code mw_rigid_ranks_agree(const mw_rigid *r, mw_rigid_work *w, mw_code rc)
{
  const mw_elim *e = &r->hard;
  const mw_team *team = &w->ranks->team;
  double mine = 0.0, size = e->n_node, all;
  for (int g = 0; rc != MW_OK && g < e->n_group && mine == 0.0; g++)
    if (w->hard.n_out[g] < 0) mine = (e->n_group - g) * size + w->hard.failed;
  team->settle(team->ctx);
  all = team->most(team->ctx, mine);
  if (all > 0.0) w->hard.failed = (int)fmod(all, size);
  return all > 0.0 ? MW_ERR_NUMERIC : MW_OK;
}

// Which rows of a node are left out: a bit each.
static double *pack_out(mw_elim_num *n, int node, int size, double *at, bool out)
{
  double *inv = n->inv + node * LD;
  unsigned bits = out ? 0 : (unsigned)*at;
  for (int c = 0; c < size; c++)
    if (out)
      bits |= (unsigned)(inv[c] == 0.0) << c;
    else
      inv[c] = bits >> c & 1u ? 0.0 : 1.0;
  if (out) *at = bits;
  return at + 1;
}

static size_t pack_share(const mw_rigid *r, mw_rigid_work *w, int rank, double *const x[2],
                         double *at, bool out)
{
  const mw_rigid_ranks *k = w->ranks;
  const double *start = at;
  int first = r->n.n_body + r->n.n_rotor;
  for (int i = k->share0[rank]; i < k->share0[rank + 1]; i++) {
    int node = k->share[i], size = r->hard.size[node];
    for (int s = 0; s < 2; s++)
      if (x[s]) at = copy(at, x[s] + node * LD, (size_t)size, out);
    if (node >= first) at = pack_out(&w->hard, node, size, at, out);
  }
  return (size_t)(at - start);
}

void mw_rigid_ranks_gather(const mw_rigid *r, mw_rigid_work *w, double *const x[2])
{
  const mw_rigid_ranks *k = w->ranks;
  const mw_team *t = &k->team;
  size_t n_x = (x[0] != NULL) + (size_t)(x[1] != NULL),
         n = pack_share(r, w, t->rank, x, k->out, true);
  for (int i = 0; i < t->n; i++)
    if (i != t->rank && n > 0) t->send(t->ctx, i, HALO, k->out, n);
  for (int i = 0; i < t->n; i++) {
    size_t all = n_x * k->n_value[i] + k->n_row[i];
    if (i == t->rank || all == 0) continue;
    t->recv(t->ctx, i, HALO, k->in, all);
    (void)pack_share(r, w, i, x, k->in, false);
  }
  t->settle(t->ctx);
}

double mw_rigid_ranks_gap(const mw_rigid *r, const mw_rigid_work *w)
{
  const mw_rigid_ranks *k = w->ranks;
  double gap = 0.0;
  for (int i = 0; i < r->n_hard; i++)
    for (int c = 0; k->row[i] && c < r->node[i].n; c++) {
      double g = fabs(w->g[i * LD + c]);
      gap = isnan(g) ? INFINITY : fmax(gap, g);
    }
  return k->team.most(k->team.ctx, gap);
}
