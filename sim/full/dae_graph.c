// SPDX-License-Identifier: BSD-3-Clause
// dae_graph.c: the joints as a graph for the block elimination of fem/elim.h.
//
// A rigid body that moves is a node of six unknowns, an elastic one is of size 0: its blocks are
// factored by dae_block.c, and what they leave stands between the rows that touch it. So is a
// component, for whose frames the first one stands. A joint's
// rows are nodes of up to eight rows, constraints and rows with a stiffness apart.
#include <math.h>
#include <string.h>

#include "dae_layer.h"

static bool is_hard(const mw_dae *d, int j, int i) { return isinf(mw_dae_row_stiffness(d, j, i)); }

static bool is_large(const mw_dae *d, int b)
{
  return (d->m->body[b].n_u > 0 && !d->left_out) || mw_dae_component_of(d, b);
}

// Counts the nodes, or lists them once there is room.
static int list_nodes(const mw_dae *d, mw_dae_node *node, int *node0)
{
  const mw_mech *m = d->m;
  int n = 0;
  for (int j = 0; j < m->n_joint; j++) {
    const mw_joint *jt = &m->joint[j];
    if (node0) node0[j] = n;
    for (int i = 0, len = 0; i < jt->n_row; i++) {
      if (i == 0 || len == MW_ELIM_LD || is_hard(d, j, i) != is_hard(d, j, i - 1)) {
        if (node) node[n] = (mw_dae_node){ .joint = j, .first = i };
        len = 0;
        n++;
      }
      len++;
      if (node) node[n - 1].n = len;
    }
  }
  if (node0) node0[m->n_joint] = n;
  return n;
}

// Rows of a joint between rigid bodies are independent on each of them, where they are no more
// than its freedoms and no runners at several places.
static bool full_alone(const mw_dae *d, const mw_joint *jt)
{
  return !jt->guide && jt->n_row <= 6 && !is_large(d, jt->a) && !is_large(d, jt->b);
}

static void fill_graph(const mw_dae *d, mw_dae_system *s, mw_elim_graph *g, int *size,
                       unsigned char *flag)
{
  const mw_mech *m = d->m;
  unsigned char *ground = flag, *full = ground + s->n_node, *soft = full + s->n_node,
                *held = soft + s->n_node;
  int n = 0;
  for (int b = 0; b < m->n_body; b++) {
    size[b] = d->moving[b] && !is_large(d, b) ? 6 : 0;
    held[b] = !d->moving[b];
  }
  for (int k = 0; k < s->n_node; k++) {
    const mw_dae_node *p = &s->node[k];
    const mw_joint *jt = &m->joint[p->joint];
    size[m->n_body + k] = p->n;
    full[k] = full_alone(d, jt);
    soft[k] = !is_hard(d, p->joint, p->first);
    int a = mw_dae_stands_for(d, jt->a);
    for (int side = 0; side < (a == mw_dae_stands_for(d, jt->b) ? 1 : 2); side++) {
      int b = side == 0 ? a : mw_dae_stands_for(d, jt->b);
      if (d->moving[b] || is_large(d, b))
        s->touch[n++] = b;
      else
        ground[k] = 1;
    }
    s->ptr[k + 1] = n;
  }
  *g = (mw_elim_graph){ .n_body = m->n_body,
                        .n_rows = s->n_node,
                        .size = size,
                        .ptr = s->ptr,
                        .touch = s->touch,
                        .ground = ground,
                        .full = full,
                        .soft = soft,
                        .held = held };
}

// Nodes of all joints that a body, or one of the frames that b stands for, has; their number.
static int list_touching(const mw_dae *d, int b, int *node)
{
  int n = 0;
  for (int j = 0; j < d->m->n_joint; j++) {
    const mw_joint *jt = &d->m->joint[j];
    if (mw_dae_stands_for(d, jt->a) != b && mw_dae_stands_for(d, jt->b) != b) continue;
    for (int i = d->sys.node0[j]; i < d->sys.node0[j + 1]; i++, n++)
      if (node) node[n] = i;
  }
  return n;
}

// Nodes of every elastic body and component, and where the blocks between two of them lie.
static mw_code list_pairs(mw_dae *d, mw_error *err)
{
  const mw_mech *m = d->m;
  mw_dae_system *s = &d->sys;
  size_t n = 0, n_pair = 0;
  s->large = mw_arena_alloc(&d->mem, (size_t)m->n_body, sizeof *s->large);
  mw_code rc = mw_arena_check(&d->mem, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    mw_dae_large *l = &s->large[b];
    if (is_large(d, b)) l->n = list_touching(d, b, NULL);
    n += (size_t)l->n;
    n_pair += (size_t)l->n * (size_t)l->n;
  }
  int *node = mw_arena_int(&d->mem, n);
  mw_dae_between *pair = mw_arena_alloc(&d->mem, n_pair, sizeof *pair);
  if (rc == MW_OK) rc = mw_arena_check(&d->mem, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    mw_dae_large *l = &s->large[b];
    l->node = node;
    l->pair = pair;
    if (l->n > 0) node += list_touching(d, b, node);
    for (int i = 0; i < l->n; i++)
      for (int k = 0; k < l->n; k++, pair++)
        if (i != k)
          pair->at = mw_elim_between(&s->elim, m->n_body + l->node[i], m->n_body + l->node[k],
                                     &pair->swapped);
        else
          pair->at = s->elim.diag[m->n_body + l->node[i]];
  }
  return rc;
}

// Room for interface forces and motions, and for what the coordinates' own rows move.
static mw_code interfaces(mw_dae *d, mw_error *err)
{
  const mw_mech *m = d->m;
  mw_dae_system *s = &d->sys;
  size_t nb = (size_t)m->n_body, nc = (size_t)m->n_coord;
  s->x_f = mw_arena_alloc(&d->mem, nb, sizeof *s->x_f);
  s->f = mw_arena_alloc(&d->mem, nb, sizeof *s->f);
  s->coord = mw_arena_alloc(&d->mem, nc, sizeof *s->coord);
  mw_code rc = mw_arena_check(&d->mem, err);
  for (size_t b = 0; rc == MW_OK && b < nb; b++) {
    s->x_f[b] = mw_arena_f64(&d->mem, 12 + (size_t)m->body[b].n_z);
    s->f[b] = mw_arena_f64(&d->mem, 12 + (size_t)m->body[b].n_z);
  }
  for (size_t c = 0; rc == MW_OK && c < nc; c++) {
    const mw_joint *jt = &m->joint[m->coord_joint[c]];
    s->coord[c].T[0] = mw_arena_f64(&d->mem, 12 + (size_t)m->body[jt->a].n_z);
    s->coord[c].T[1] = mw_arena_f64(&d->mem, 12 + (size_t)m->body[jt->b].n_z);
  }
  return rc == MW_OK ? mw_arena_check(&d->mem, err) : rc;
}

mw_code mw_dae_graph_build(mw_dae *d, mw_error *err)
{
  const mw_mech *m = d->m;
  mw_dae_system *s = &d->sys;
  s->n_node = list_nodes(d, NULL, NULL);
  size_t nb = (size_t)m->n_body, nk = (size_t)s->n_node, n = (nb + nk) * MW_ELIM_LD;
  s->node = mw_arena_alloc(&d->mem, nk, sizeof *s->node);
  s->node0 = mw_arena_int(&d->mem, (size_t)m->n_joint + 1);
  s->ptr = mw_arena_int(&d->mem, nk + 1);
  s->touch = mw_arena_int(&d->mem, 2 * nk);
  s->diag = mw_arena_f64(&d->mem, n);
  s->inverse = mw_arena_f64(&d->mem, n);
  s->x = mw_arena_f64(&d->mem, n);
  s->rhs = mw_arena_f64(&d->mem, (size_t)m->n_row);
  s->mix = mw_arena_f64(&d->mem, (size_t)m->n_row);
  int *size = mw_arena_int(&d->mem, nb + nk);
  unsigned char *flag = mw_arena_alloc(&d->mem, 3 * nk + nb, 1);
  mw_code rc = mw_arena_check(&d->mem, err);
  if (rc != MW_OK) return rc;
  for (size_t i = 0; i < nb * MW_ELIM_LD; i++) s->diag[i] = s->inverse[i] = 1.0;
  (void)list_nodes(d, s->node, s->node0);
  mw_elim_graph g;
  fill_graph(d, s, &g, size, flag);
  rc = mw_elim_build(&g, &d->mem, &s->elim, err);
  if (rc == MW_OK) {
    s->num = mw_elim_num_init(&s->elim, &d->mem);
    rc = mw_arena_check(&d->mem, err);
  }
  if (rc == MW_OK) rc = list_pairs(d, err);
  return rc == MW_OK ? interfaces(d, err) : rc;
}
