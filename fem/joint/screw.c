// SPDX-License-Identifier: BSD-3-Clause
// screw.c: travel along the axis A3 in proportion to the angle about it, pitch p a turn.
//
//   g = [ cylindrical (4 rows) ; s − p/(2π) φ − c ]                                     5 rows: 3 in m, 2 without unit
//   J, γ of the last row: those of the coordinates s and φ (coord.c), combined as in gear.c
#include "mech/mech_layer.h"
#include "model/key_layer.h"
#include "rigid/nodes_layer.h"

// Beside the cylindrical rows, in the node just made.
static void add_own(mw_rbuilder *b, int joint)
{
  static const double TURN = 6.283185307179586477;
  mw_rigid *r = b->r;
  int c = r->n.n_coord;  // angle and travel of the joint itself, behind the mechanism's coordinates
  while (r->coord[c].joint != joint) c++;
  mw_relem *e = mw_rnode_add_coord(b, MW_R_COUPLE, c);
  r->need[c + 1] = 1;
  e->coord[1] = c + 1;
  e->t[2] = e->t[0];
  e->t[3] = e->t[1];
  e->ratio = r->m->joint[joint].in->pitch / TURN;
  e->c = r->start[c + 1] - e->ratio * r->start[c];
}

const mw_key mw_joint_screw_keys[] = {
  PAIR,
  AXIS,
  AXIS_B,
  ZEROS,
  { "pitch", REQUIRED, NUMBER("m"), NULL, "travel a turn, not 0; below 0: left-handed" },
  { .name = NULL },
};

const mw_joint_class mw_joint_screw = {
  .measure = { MW_MEASURE_ANGLE, MW_MEASURE_TRAVEL },
  .rows = mw_joint_cylindrical_rows,
  .gap = mw_joint_gap_axis,
  .n_own = 1,
  .rigid_only = "screw joint",
  .own_coord = { MW_MEASURE_ANGLE, MW_MEASURE_TRAVEL },
  .add_own = add_own,
};
