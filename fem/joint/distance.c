// SPDX-License-Identifier: BSD-3-Clause
// distance.c: a rigid massless rod of length L between two points; and the length of a spring.
//
//   g = (d·d − L²)/(2 L) ,   d = x_b − x_a                                              1 row in m
//   J v = d·ḋ/L ,   γ = −(ḋ·ḋ + d·d̈_c)/L
//   spring: g = |d| − L ,   J v = e·ḋ ,   e = d/|d|
// The quadratic form keeps energy exactly in the mid-point rule; both agree to first order on g =
// 0.
#include "keys/key_layer.h"
#include "mech/mech_layer.h"
#include "rigid/nodes_layer.h"

// d, its rate and the velocity-dependent part of its acceleration
static void gap(const mw_relem *e, const mw_rkin *a, const mw_rkin *b, double d[3], double dd[3],
                double dc[3])
{
  double x[3], y[3];
  mw_mul33v(b->E, e->Xb, x);
  mw_mul33v(a->E, e->Xa, y);
  for (int i = 0; i < 3; i++) d[i] = b->o[i] + x[i] - a->o[i] - y[i];
  mw_rspin(b, e->Xb, x);
  mw_rspin(a, e->Xa, y);
  for (int i = 0; i < 3; i++) dd[i] = b->v[i] + x[i] - a->v[i] - y[i];
  mw_rcentripetal(b, e->Xb, x);
  mw_rcentripetal(a, e->Xa, y);
  for (int i = 0; i < 3; i++) dc[i] = x[i] - y[i];
}

// the row n·ḋ, n in ground axes
static void put(const mw_relem *e, const mw_rkin *a, const mw_rkin *b, const double n[3],
                const mw_rout *o)
{
  double F[3], T[3], minus[3] = { -n[0], -n[1], -n[2] };
  mw_mul33tv(b->E, n, F);
  mw_cross3(e->Xb, F, T);
  mw_rput(o->Jb, o->row, F, T);
  mw_mul33tv(a->E, minus, F);
  mw_cross3(e->Xa, F, T);
  mw_rput(o->Ja, o->row, F, T);
}

// g and its gradient n in d
static double stretch(const double d[3], double L, double n[3])
{
  for (int i = 0; i < 3; i++) n[i] = d[i] / L;
  return 0.5 * (mw_dot3(d, d) / L - L);
}

static void own_elastic(const mw_joint *j, mw_joint_sides *k, int row, mw_joint_eval *e)
{
  double d[3], n[3], minus[3];
  for (int i = 0; i < 3; i++) d[i] = k->b.x[i] - k->a.x[i];
  e->g[row] = stretch(d, j->gap[0], n);
  for (int i = 0; i < 3; i++) minus[i] = -n[i];
  mw_side_add_point(&k->b, row, n);
  mw_side_add_point(&k->a, row, minus);
}

static void eval(const mw_relem *e, const mw_rkin *a, const mw_rkin *b, double near,
                 const mw_rout *o)
{
  (void)near;
  double d[3], dd[3], dc[3], n[3], L = e->c;
  gap(e, a, b, d, dd, dc);
  *o->g = stretch(d, L, n);
  *o->gamma = -(mw_dot3(dd, dd) + mw_dot3(d, dc)) / L;
  put(e, a, b, n, o);
}

void mw_rigid_length(const mw_relem *e, const mw_rkin *a, const mw_rkin *b, const mw_rout *o)
{
  static const double SHORTEST = 1e-12;  // m: below it the direction is lost, and so is the force
  double d[3], dd[3], dc[3];
  gap(e, a, b, d, dd, dc);
  double l = mw_norm3(d), s = l > SHORTEST ? 1.0 / l : 0.0, n[3] = { s * d[0], s * d[1], s * d[2] };
  double along = mw_dot3(n, dd);
  *o->g = l - e->c;
  *o->gamma = -(s * (mw_dot3(dd, dd) - along * along) + mw_dot3(n, dc));
  put(e, a, b, n, o);
}

static void place(const mw_mech *m, mw_joint *j, const double d[3], double *s0)
{
  (void)m;
  (void)s0;
  j->gap[0] = j->in->length > 0.0 ? j->in->length : mw_norm3(d);
}

static void add_own(mw_rbuilder *b, int joint)
{
  mw_rnode_add_own(b, joint)->c = b->r->m->joint[joint].gap[0];
}

const mw_key mw_joint_distance_keys[] = {
  PAIR,
  { "length", 0, ABOVE0("m"), NULL, "of the rod; default: as in the reference configuration" },
  { .name = NULL },
};

const mw_joint_class mw_joint_distance = {
  .draw = MW_DRAW_LINK,
  .apart = true,
  .place = place,
  .n_own = 1,
  .own_elastic = own_elastic,
  .add_own = add_own,
  .eval = eval,
};
