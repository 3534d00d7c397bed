// SPDX-License-Identifier: BSD-3-Clause
// rolling.c: a thin disk of radius R (axis A fixed to b, centre C) rolls without slip on the plane
// through x_a with normal N.
//
//   c = N·A ,  q = √(1 − c²) ,  m = (N − c A)/q ;  contact point x_c = C − R m ,  p = −R m
//   g_0 = N·(C − x_a) − R q = 0                                                         holonomic,
//                                                                                       m
//   g_i' = T_i·[Ċ + ω_b × p − (ẋ_a + ω_a × (d + p))] = 0 ,  d = C − x_a , i = 1, 2
//       non-holonomic, m/s
//   γ_0 = −[ (N·d)¨_c + R (c/q) c̈_c + R ċ²/q³ ]                  since (−q)' = c ċ/q
//   γ_i = −[ T_i·(C̈_c + ω_b × ṗ − ẍ_a,c − ω_a × (ḋ + ṗ)) + Ṫ_i·(slip velocity) ] , where only
//     velocities enter
//   ṗ = −R [ (Ṅ − ċ A − c Ȧ)/q + (N − c A) c ċ/q³ ]
// Rows 1 and 2 have no position level: their gap is zero there. Upright q = 1; a disk lying flat (q
// = 0) is singular.
#include "keys/key_layer.h"
#include "rigid/nodes_layer.h"

typedef struct contact {
  double d[3], dd[3];          // m, m/s: C − x_a
  double p[3], pd[3];          // m, m/s: C to the contact point
  double c, c_dot, c_bias, q;  // N·A and its derivatives
  double slip[3];              // m/s
  double bias[3];              // m/s²: its velocity-dependent derivative
} contact;

static void find_contact(const mw_relem *e, const mw_rkin *a, const mw_rkin *b, contact *k)
{
  double N[3], A[3], Nd[3], Ad[3], x[3], y[3], R = e->c;
  mw_rcoord_eval v;
  mw_rigid_axes(a, b, e->fa, e->fb, &v);
  mw_mul33v(a->E, e->fa, N);
  mw_mul33v(b->E, e->fb, A);
  mw_rspin(a, e->fa, Nd);
  mw_rspin(b, e->fb, Ad);
  k->c = v.s;
  k->c_dot = v.s_dot;
  k->c_bias = v.bias;
  k->q = sqrt(fmax(1.0 - v.s * v.s, 0.0));
  double q = k->q, f = v.s * v.s_dot / (q * q * q);
  mw_mul33v(b->E, e->Xb, x);
  mw_mul33v(a->E, e->Xa, y);
  for (int i = 0; i < 3; i++) {
    k->d[i] = b->o[i] + x[i] - a->o[i] - y[i];
    k->p[i] = -R * (N[i] - v.s * A[i]) / q;
    k->pd[i] = -R * ((Nd[i] - v.s_dot * A[i] - v.s * Ad[i]) / q + (N[i] - v.s * A[i]) * f);
  }
}

// slip velocity and what of its derivative stems from velocities
static void find_slip(const mw_relem *e, const mw_rkin *a, const mw_rkin *b, contact *k)
{
  double wa[3], wb[3], xb[3], xa[3], cb[3], ca[3], s[3], t[3], sum[3];
  mw_mul33v(a->E, a->w, wa);
  mw_mul33v(b->E, b->w, wb);
  mw_rspin(b, e->Xb, xb);
  mw_rspin(a, e->Xa, xa);
  for (int i = 0; i < 3; i++) {
    k->dd[i] = b->v[i] + xb[i] - a->v[i] - xa[i];
    sum[i] = k->d[i] + k->p[i];
  }
  mw_cross3(wb, k->p, s);
  mw_cross3(wa, sum, t);
  for (int i = 0; i < 3; i++) {
    k->slip[i] = k->dd[i] + s[i] - t[i];
    sum[i] = k->dd[i] + k->pd[i];
  }
  mw_rcentripetal(b, e->Xb, cb);
  mw_rcentripetal(a, e->Xa, ca);
  mw_cross3(wb, k->pd, s);
  mw_cross3(wa, sum, t);
  for (int i = 0; i < 3; i++) k->bias[i] = cb[i] - ca[i] + s[i] - t[i];
}

// tangential row i: the wrench of T at the contact point, on b and against a
static void put_tangent(const mw_relem *e, const mw_rkin *a, const mw_rkin *b, const contact *k,
                        const double T[3], int row, const mw_rout *o)
{
  double F[3], M[3], arm[3], minus[3] = { -T[0], -T[1], -T[2] };
  mw_mul33tv(b->E, k->p, arm);
  for (int i = 0; i < 3; i++) arm[i] += e->Xb[i];
  mw_mul33tv(b->E, T, F);
  mw_cross3(arm, F, M);
  mw_rput(o->Jb, row, F, M);
  double far[3] = { k->d[0] + k->p[0], k->d[1] + k->p[1], k->d[2] + k->p[2] };
  mw_mul33tv(a->E, far, arm);
  for (int i = 0; i < 3; i++) arm[i] += e->Xa[i];
  mw_mul33tv(a->E, minus, F);
  mw_cross3(arm, F, M);
  mw_rput(o->Ja, row, F, M);
}

static void eval(const mw_relem *e, const mw_rkin *a, const mw_rkin *b, double near,
                 const mw_rout *o)
{
  (void)near;
  contact k;
  mw_rcoord_eval v, c;
  double R = e->c;
  find_contact(e, a, b, &k);
  find_slip(e, a, b, &k);
  // g_0
  mw_rigid_along(a, b, e->Xa, e->Xb, e->fa, &v);
  mw_rigid_axes(a, b, e->fa, e->fb, &c);
  double f = R * k.c / k.q;
  for (int i = 0; i < 6; i++) {
    v.Ja[i] += f * c.Ja[i];
    v.Jb[i] += f * c.Jb[i];
  }
  o->g[0] = v.s - R * k.q;
  o->gamma[0] = -(v.bias + f * k.c_bias + R * k.c_dot * k.c_dot / (k.q * k.q * k.q));
  mw_rput(o->Ja, o->row, v.Ja, v.Ja + 3);
  mw_rput(o->Jb, o->row, v.Jb, v.Jb + 3);
  // g_1, g_2
  for (int i = 0; i < 2; i++) {
    double T[3], Td[3], side[3];
    mw_cross3(e->fa, e->fa2, side);
    const double *fa = i == 0 ? e->fa2 : side;
    mw_mul33v(a->E, fa, T);
    mw_rspin(a, fa, Td);
    o->g[1 + i] = 0.0;
    o->gamma[1 + i] = -(mw_dot3(T, k.bias) + mw_dot3(Td, k.slip));
    put_tangent(e, a, b, &k, T, o->row + 1 + i, o);
  }
}

static void add_own(mw_rbuilder *b, int joint)
{
  mw_rnode_add_own(b, joint)->c = b->r->m->joint[joint].in->radius;
}

const mw_key mw_joint_rolling_keys[] = {
  PAIR,
  { "normal", REQUIRED, VECTOR(""), NULL,
    "of the plane through a's frame, in the axes of a's body" },
  { "axis_b", REQUIRED, AXIS_VECTOR, NULL,
    "of the disk around b's frame, in the axes of b's body" },
  { "radius", REQUIRED, ABOVE0("m"), NULL, "of the disk" },
  { .name = NULL },
};

const mw_joint_class mw_joint_rolling = {
  .n_own = 3,
  .n_rate = 2,
  .rigid_only = "it holds velocities, and no columns of positions keep what holds on them alone",
  .add_own = add_own,
  .eval = eval,
};
