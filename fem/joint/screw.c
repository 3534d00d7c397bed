// SPDX-License-Identifier: BSD-3-Clause
// screw.c: travel along the axis A3 in proportion to the angle about it, pitch p a turn.
//
//   g = [ cylindrical (4 rows) ; s − p/(2π) φ − c ]                                     5 rows: 3
//     in m, 2 without unit
//   J, γ of the last row: those of the coordinates s and φ (coord.c), combined as in gear.c; the
//     travel counts the turns
//   on elastic bodies without counting turns, with h = p/(2π) and ψ = (A3(a)·d − s_0)/h, the angle
//     that belongs to the travel:
//     g = −h [ cos ψ A2(a) − sin ψ A1(a) ]·A1(b) = −h sin(φ − ψ)   the same J on g = 0   (1)
//   s_0: the travel where A1(a)·A1(b) = 1
#include <math.h>

#include "base/vec3.h"
#include "keys/key_layer.h"
#include "mech/mech_layer.h"
#include "rigid/nodes_layer.h"

static const double TURN = 6.283185307179586477;

static void place(const mw_mech *m, mw_joint *j, const double d[3], double *s0)
{
  double A[9], B[9], x = 0.0, y = 0.0;
  (void)s0;
  mw_mul33(m->p0 + 12 * j->a + 3, j->Fa, A);
  mw_mul33(m->p0 + 12 * j->b + 3, j->Fb, B);
  for (int i = 0; i < 9; i += 3) {
    x += A[i] * B[i];
    y += A[i + 1] * B[i];
  }
  if (!j->in->has_axis_b) j->gap[0] = d[2];
  j->gap[1] = d[2] - j->in->pitch / TURN * atan2(y, x);
}

// (1)
static void own_elastic(const mw_joint *j, mw_joint_sides *k, int row, mw_joint_eval *e)
{
  const double *A1 = k->a.A, *A2 = A1 + 3, *A3 = A1 + 6, *B = k->b.A, h = j->in->pitch / TURN;
  double d[3] = { k->b.x[0] - k->a.x[0], k->b.x[1] - k->a.x[1], k->b.x[2] - k->a.x[2] };
  double psi = (mw_dot3(A3, d) - j->gap[1]) / h, c = cos(psi), s = sin(psi);
  double w[3], cB[3], sB[3], along[3], minus[3];
  double f =
      s * mw_dot3(A2, B) + c * mw_dot3(A1, B);  // −h ∂/∂ψ of the bracket, times dψ = d(A3·d)/h
  e->g[row] = -h * (c * mw_dot3(A2, B) - s * mw_dot3(A1, B));
  for (int i = 0; i < 3; i++) {
    w[i] = -h * (c * A2[i] - s * A1[i]);
    cB[i] = -h * c * B[i];
    sB[i] = h * s * B[i];
    along[i] = f * A3[i];
    minus[i] = -along[i];
    d[i] *= f;
  }
  mw_side_add_axis(&k->b, row, 0, w);
  mw_side_add_axis(&k->a, row, 1, cB);
  mw_side_add_axis(&k->a, row, 0, sB);
  mw_side_add_axis(&k->a, row, 2, d);
  mw_side_add_point(&k->b, row, along);
  mw_side_add_point(&k->a, row, minus);
}

// Beside the cylindrical rows, in the node just made.
static void add_own(mw_rbuilder *b, int joint)
{
  mw_rigid *r = b->r;
  int c = r->n.n_coord;  // angle and travel of the joint itself, behind the mechanism's coordinates
  while (r->coord[c].joint != joint) c++;
  mw_relem *e = mw_rnode_add_coord(b, MW_R_COUPLE, c);
  r->need[c + 1] = 1;
  e->coord[1] = c + 1;
  e->t[2] = e->t[0];
  e->t[3] = e->t[1];
  e->pitch = r->m->joint[joint].in->pitch;
  e->ratio = e->pitch / TURN;
  e->c = r->start[c + 1] - e->ratio * r->start[c];
}

const mw_key mw_joint_screw_keys[] = {
  PAIR,
  AXIS,
  AXIS_B,
  ZEROS,
  { "pitch", REQUIRED,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "m", .lo = -INFINITY, .hi = INFINITY,
          .mirror = MW_MIRROR_HAND),
    NULL, "travel a turn, not 0; below 0: left-handed" },
  { .name = NULL },
};

const mw_joint_class mw_joint_screw = {
  .measure = { MW_MEASURE_ANGLE, MW_MEASURE_TRAVEL },
  .rows = mw_joint_cylindrical_rows,
  .gap = mw_joint_gap_axis,
  .place = place,
  .n_own = 1,
  .own_elastic = own_elastic,
  .own_coord = { MW_MEASURE_ANGLE, MW_MEASURE_TRAVEL },
  .add_own = add_own,
};
