// SPDX-License-Identifier: BSD-3-Clause
// rigid_structure.c: which blocks the elimination of a rigid mechanism has, and which of them fill.
//
// Blocks are those of the plan (elim.h): for each pivot the nodes that it is coupled with and that
// follow. Those between rows and a body they touch are there from the beginning, all others fill.
#include "fem/rigid_structure.h"

#include <string.h>

#include "rigid_mech_layer.h"

const char *mw_rigid_node_name(const mw_rigid *r, int elim_node)
{
  int nb = r->n.n_body, k = elim_node - nb - r->n.n_rotor;
  if (elim_node < nb) return r->m->body[r->body[elim_node].body].name;
  if (k < 0) return r->m->model->drive[r->rotor_drive[elim_node - nb]].name;
  return r->node[k].joint < 0 ? "a spring" : r->m->joint[r->node[k].joint].name;
}

static bool touches(const mw_rigid *r, int rows, int body)
{
  int k = rows - r->n.n_body - r->n.n_rotor;
  if (k < 0) return false;
  const mw_rnode *p = &r->node[k];
  for (int i = p->touch0; i < p->touch0 + p->n_touch; i++)
    if (r->touch[i] == body) return true;
  return false;
}

mw_code mw_rigid_structure_find(const mw_rigid *r, mw_arena *mem, mw_rigid_structure *out,
                                mw_error *err)
{
  const mw_elim *e = &r->hard;
  size_t n = (size_t)e->n_node;
  mw_rigid_structure o = { .n = e->n_node, .n_group = e->n_group };
  for (int k = 0; k < o.n; k++) o.n_block += e->pivot[k].n_next;
  o.size = mw_arena_int(mem, n);
  o.rows = mw_arena_alloc(mem, n, sizeof *o.rows);
  o.loop = mw_arena_alloc(mem, n, sizeof *o.loop);
  o.name = mw_arena_alloc(mem, n, sizeof *o.name);
  o.block = mw_arena_alloc(mem, (size_t)o.n_block, sizeof *o.block);
  mw_code rc = mw_arena_check(mem, err);
  mw_rigid_block *b = o.block;
  for (int k = 0; rc == MW_OK && k < o.n; k++) {
    const mw_elim_pivot *p = &e->pivot[k];
    o.size[k] = p->size;
    o.rows[k] = p->sign < 0;
    o.loop[k] = p->check;
    o.name[k] = mw_rigid_node_name(r, p->node);
    o.entries += p->size * (p->size + 1) / 2;
    for (int i = 0; i < p->n_next; i++, b++) {
      int to = e->next[p->next0 + i];
      long entries = (long)p->size * e->size[to];
      *b = (mw_rigid_block){ .row = e->place[to], .col = k };
      b->fill = !touches(r, to, p->node) && !touches(r, p->node, to);
      o.entries += entries;
      o.n_fill += b->fill;
      if (b->fill) o.fill_entries += entries;
    }
  }
  if (rc == MW_OK) *out = o;
  return rc;
}
