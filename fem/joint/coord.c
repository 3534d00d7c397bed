// SPDX-License-Identifier: BSD-3-Clause
// coord.c: joint coordinates of rigid bodies, their Jacobians and biases.
//
//   travel   s = A3(a)·d ,  d = x_b − x_a                                       (3) of rigid_rows.c
//   angle    φ = atan2(y, x) ,  x = A1(a)·B, y = A2(a)·B, B fixed to b, ρ² = x² + y²
//            φ̇ = (x ẏ − y ẋ)/ρ² = N·(ω_b − ω_a) ,  N = B × (x A2 − y A1)/ρ²              (1)
//            φ̈ = N·(α_b − α_a) + (x ÿ_c − y ẍ_c)/ρ² − 2 φ̇ (x ẋ + y ẏ)/ρ²                 (2)
//   curve    u: foot of x_b on c(u) in a's axes;  u̇ = c'·Ṗ/|c'|²                          curve.c
// ẍ_c, ÿ_c: velocity-dependent parts. An angle is the one nearest to the value last accepted: turns
// are counted there.
#include "rigid/rigid_mech_layer.h"

static void angle(const mw_rcoord *c, const mw_rkin *a, const mw_rkin *b, mw_rcoord_eval *out)
{
  mw_rcoord_eval x, y;
  mw_rigid_axes(a, b, c->A, c->B, &x);
  mw_rigid_axes(a, b, c->A + 3, c->B, &y);
  double r2 = x.s * x.s + y.s * y.s;
  double rate = (x.s * y.s_dot - y.s * x.s_dot) / r2;
  for (int i = 3; i < 6; i++) {
    out->Ja[i] = (x.s * y.Ja[i] - y.s * x.Ja[i]) / r2;
    out->Jb[i] = (x.s * y.Jb[i] - y.s * x.Jb[i]) / r2;
  }
  out->s = atan2(y.s, x.s);
  out->s_dot = rate;
  out->bias = (x.s * y.bias - y.s * x.bias - 2.0 * rate * (x.s * x.s_dot + y.s * y.s_dot)) / r2;
}

// On the curve: u̇ |c'|² = c'·Ṗ, and once more differentiated.
static void along_curve(const mw_rcoord *c, const mw_rkin *a, const mw_rkin *b, double near,
                        mw_rcoord_eval *out)
{
  double xa[3], xb[3], d[3], P[3], at[3], t[3], k[3];
  mw_mul33v(a->E, c->Xa, xa);
  mw_mul33v(b->E, c->Xb, xb);
  for (int i = 0; i < 3; i++) d[i] = b->o[i] + xb[i] - a->o[i] - xa[i];
  mw_mul33tv(a->E, d, xa);
  mw_mul33v(c->A, xa, P);  // into the axes the curve is given in
  double u = mw_rcurve_foot(c->curve, P, near), f[3];
  mw_rcurve_at(c->curve, u, at, t, k);
  mw_mul33tv(c->A, t, f);
  mw_rigid_along(a, b, c->Xa, c->Xb, f, out);
  double t2 = mw_dot3(t, t), rate = out->s_dot / t2;
  for (int i = 0; i < 6; i++) {
    out->Ja[i] /= t2;
    out->Jb[i] /= t2;
  }
  out->s = u;
  out->s_dot = rate;
  out->bias = (out->bias - mw_dot3(t, k) * rate * rate) / t2;
}

void mw_rigid_coord_eval(const mw_rcoord *c, const mw_rkin *a, const mw_rkin *b, double near,
                         mw_rcoord_eval *out)
{
  static const double TURN = 6.283185307179586477;
  *out = (mw_rcoord_eval){ 0 };
  if (c->curve) {
    along_curve(c, a, b, near, out);
    return;
  }
  if (c->measure == MW_MEASURE_TRAVEL)
    mw_rigid_along(a, b, c->Xa, c->Xb, c->A + 6, out);
  else
    angle(c, a, b, out);
  out->s = c->sign * out->s + c->c;
  out->s_dot *= c->sign;
  out->bias *= c->sign;
  for (int i = 0; i < 6; i++) {
    out->Ja[i] *= c->sign;
    out->Jb[i] *= c->sign;
  }
  if (c->measure != MW_MEASURE_TRAVEL) out->s += TURN * nearbyint((near - out->s) / TURN);
}

void mw_rigid_put_coord(const mw_rigid_work *w, double *const *Jt, int c, const int t[2],
                        double factor, const mw_rout *o)
{
  const mw_rcoord_eval *v = &w->ce[c];
  for (int i = 0; i < 6; i++) {
    if (t[0] >= 0) Jt[t[0]][i * LD + o->row] += factor * v->Ja[i];
    if (t[1] >= 0) Jt[t[1]][i * LD + o->row] += factor * v->Jb[i];
  }
  *o->g += factor * v->s;
  *o->gamma -= factor * v->bias;
}
