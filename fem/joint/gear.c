// SPDX-License-Identifier: BSD-3-Clause
// gear.c: two joint coordinates in proportion: gear wheels (rad and rad), rack and pinion (m and
// rad).
//
//   g = s_1 − ratio s_0 − c                                                             1 row, in
//     the unit of s_1
//   J = ∂s_1/∂v̂ − ratio ∂s_0/∂v̂ ,   γ = −(bias_1 − ratio bias_0)                up to four bodies
// c keeps the reference configuration; turns are counted, so that a wheel may turn any number of
// times. The row passes moments (of a rack: force and moment) between the two joints, as a belt or
// a differential in one housing does. The force of teeth, which presses the wheels' shafts apart
// and bends the rack, is not in it: rigid bearings take it unseen, elastic bodies would be bent by
// it, so paths that have some refuse gears; wheels.c and rack.c have it.
#include "keys/key_layer.h"
#include "rigid/nodes_layer.h"

static void add_own(mw_rbuilder *b, int joint)
{
  mw_rigid *r = b->r;
  const mw_joint_in *in = r->m->joint[joint].in;
  int c0 = r->m->joint[in->gear[0]].coord, c1 = r->m->joint[in->gear[1]].coord;
  mw_rnode_open(b, joint, false);
  mw_relem *e = mw_rnode_add_coord(b, MW_R_COUPLE, c0);
  r->need[c1] = 1;
  e->coord[1] = c1;
  e->t[2] = mw_rnode_touch(b, r->coord[c1].a);
  e->t[3] = mw_rnode_touch(b, r->coord[c1].b);
  e->ratio = in->ratio;
  e->c = r->start[c1] - in->ratio * r->start[c0];
}

void mw_rigid_couple(const mw_rigid_work *w, const mw_relem *e, double *const *Jt, const mw_rout *o)
{
  *o->g = -e->c;
  *o->gamma = 0.0;
  mw_rigid_put_coord(w, Jt, e->coord[1], e->t + 2, 1.0, o);
  mw_rigid_put_coord(w, Jt, e->coord[0], e->t, -e->ratio, o);
  if (e->pitch != 0.0) *o->g -= e->pitch * nearbyint(*o->g / e->pitch);
}

const mw_key mw_joint_gear_keys[] = {
  { "first", REQUIRED, COORDINATE_REF, NULL, "a joint coordinate" },
  { "second", REQUIRED, COORDINATE_REF, NULL, "another one" },
  { "ratio", REQUIRED, NUMBER("1, rad/m or m/rad"), NULL,
    "rate of the second over that of the first, not 0" },
  { .name = NULL },
};

const mw_joint_class mw_joint_gear = {
  .draw = MW_DRAW_NONE,
  .n_own = 1,
  .rigid_only = "its row passes moments between two joints without the force of the teeth, which "
                "bends what is elastic (joints of wheels and racks have it)",
  .add_own = add_own,
};
