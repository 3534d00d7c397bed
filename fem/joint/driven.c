// SPDX-License-Identifier: BSD-3-Clause
// driven.c: a joint coordinate follows a function of time (rheonomic), or is held.
//
//   g = s − f(t)                                                                        1 row, in
//     the unit of s
//   J = ∂s/∂v̂ ,   g_t = −f'(t) ,   γ = −bias + f''(t)                   J v̂ + g_t = 0 , J v̂' = γ
// Behind a flexible drive it is the rotor's coordinate σ that follows: g = σ − f(t), J = 1.
// −λ is the force the drive must give; its power is −λ f'(t).
#include "rigid/nodes_layer.h"

// In the node just made for the joint where there is room (true), or in one of its own.
static bool fits(const mw_rbuilder *b, int joint)
{
  enum { FULL = 6 };  // more rows than two bodies have freedoms are redundant
  const mw_rigid *r = b->r;
  const mw_rnode *n = r->n_node > 0 ? &r->node[r->n_node - 1] : NULL;
  return n && n->joint == joint && n->n > 0 && n->n < FULL;
}

void mw_rigid_driven_rows(mw_rbuilder *b, int joint)
{
  mw_rigid *r = b->r;
  for (int h = 0; h < r->n_held; h++) {
    mw_rheld *k = &r->held[h];
    if (k->rotor >= 0 || r->coord[k->coord].joint != joint) continue;
    if (!fits(b, joint)) mw_rnode_open(b, joint, true);
    mw_relem *e = mw_rnode_add_coord(b, MW_R_HELD, k->coord);
    e->held = h;
    k->node = r->n_node - 1;
    k->row = e->row;
  }
}

void mw_rigid_driven_rotors(mw_rbuilder *b)
{
  mw_rigid *r = b->r;
  for (int h = 0; h < r->n_held; h++) {
    mw_rheld *k = &r->held[h];
    if (k->rotor < 0) continue;
    const mw_rcoord *c = &r->coord[k->coord];
    mw_rnode *n = mw_rnode_open(b, c->joint, true);
    mw_relem *e = &r->elem[r->n_elem++];
    *e = (mw_relem){ .kind = MW_R_ROTOR,
                     .a = c->a,
                     .b = c->b,
                     .n = 1,
                     .coord = { -1, -1 },
                     .held = h,
                     .rotor = k->rotor,
                     .t = { -1, -1, -1, -1 } };
    e->t[2] = mw_rnode_touch(b, r->n_slot + k->rotor);
    n->n = 1;
    n->n_elem = 1;
    k->node = r->n_node - 1;
    k->row = 0;
  }
}

// Prescribed by the scenario, then locked by the caller.
void mw_rigid_find_driven(mw_rigid *r)
{
  const mw_scenario *sc = r->opt.scenario;
  for (int i = 0; sc && i < sc->n_action; i++) {
    const mw_drive_in *d = &r->m->model->drive[sc->action[i].drive];
    if (sc->action[i].kind != MW_ACTION_POSITION || d->joint < 0) continue;
    mw_rheld *h = &r->held[r->n_held++];
    *h = (mw_rheld){
      .coord = r->m->joint[d->joint].coord, .drive = sc->action[i].drive, .node = -1, .rotor = -1
    };
    for (int k = 0; k < r->n.n_rotor; k++)
      if (r->rotor_drive[k] == h->drive) h->rotor = k;
  }
  for (int c = 0; r->opt.locked && c < r->n.n_coord; c++) {
    bool there = false;
    for (int h = 0; h < r->n_held; h++) there |= r->held[h].coord == c && r->held[h].rotor < 0;
    if (!r->opt.locked[c] || there) continue;
    r->held[r->n_held++] = (mw_rheld){ .coord = c, .drive = -1, .node = -1, .rotor = -1 };
  }
}

// f, f', f''
static void target(const mw_rigid *r, const mw_rigid_work *w, const mw_rheld *h, double t,
                   double y[3])
{
  y[0] = w->hold[h->coord];
  y[1] = w->hold_rate[h->coord];
  y[2] = 0.0;
  if (h->drive >= 0) (void)mw_control_prescribed(r->opt.scenario, h->drive, t, y);
}

// The row less what s (or σ) contributes: g, g_t, γ := −f, −f', f''
void mw_rigid_driven(const mw_rigid *r, const mw_rigid_work *w, const mw_relem *e, double t,
                     double *gt, const mw_rout *o)
{
  double y[3];
  target(r, w, &r->held[e->held], t, y);
  *o->g = -y[0];
  *gt = -y[1];
  *o->gamma = y[2];
}
