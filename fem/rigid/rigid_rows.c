// SPDX-License-Identifier: BSD-3-Clause
// rigid_rows.c: joint rows of rigid bodies: whole nodes, and single rows for coordinates.
//
//   AXES   g = A·B ,  A = E_a f_a, B = E_b f_b        T_a = f_a × (E_aᵀB) ,  T_b = f_b × (E_bᵀA)
//          γ = −[2 Ȧ·Ḃ + Ä_c·B + A·B̈_c] ,  Ȧ = E(ω × f), Ä_c = E(ω × (ω × f))                  (1)
//   ALONG  g = A·d − c ,  d = x_b − x_a
//          F_a = −f_a, T_a = f_a × (E_aᵀd + Y_a) ;  F_b = E_bᵀA, T_b = Y_b × F_b
//          γ = −[2 Ȧ·ḋ + Ä_c·d + A·d̈_c]                                                        (2)
// Nodes take them, and POINT, from rigid_primitive.c. In natural coordinates all three are at most
// quadratic: their gradient is exact at the middle of a step.
//
// In a's axes, with R = E_aᵀE_b:
//   TURN   g = φ(P) ,  b'_j = R f_bj ,  P_ij = f_ai·b'_j ,  W = ∂φ/∂P (../joint/turn.c)
//          T_a = Σ_i f_ai × Σ_j W_ij b'_j ,  T_b = Σ_j f_bj × Rᵀ Σ_i W_ij f_ai
//          γ = −Σ_ij (W_ij P̈_ij + Ẇ_ij Ṗ_ij) ,  Ṗ_ij = f_ai·(ω_r × b'_j) ,
//          P̈_ij = f_ai·[ −(ω_a × ω') × b'_j + ω_r × (ω_r × b'_j) ] ,  ω' = R ω_b , ω_r = ω' − ω_a
//                                                                                               (3)
#include <string.h>

#include "fem/joint.h"
#include "fem/stroke.h"
#include "joint/turn_layer.h"
#include "rigid_mech_layer.h"

// ---- kinematics ---------------------------------------------------------------------------------

static void still(mw_rkin *k)
{
  for (int i = 0; i < 3; i++) k->v[i] = k->w[i] = k->W[i] = 0.0;
}

void mw_rigid_kin_body(mw_rigid_work *w, int b, const double *q, const double *v)
{
  mw_rkin *k = &w->kin[b];
  k->o = q + 12 * b;
  k->E = k->o + 3;
  memcpy(k->v, v + 12 * b, 3 * sizeof(double));
  mw_spin33(k->E, v + 12 * b + 3, k->w);
  mw_mul33v(k->E, k->w, k->W);
}

void mw_rigid_kin(const mw_rigid *r, mw_rigid_work *w, const double *q, const double *v)
{
  for (int b = 0; b < r->n.n_body; b++) {
    mw_rkin *k = &w->kin[b];
    if (v) {
      mw_rigid_kin_body(w, b, q, v);
      continue;
    }
    k->o = q + 12 * b;
    k->E = k->o + 3;
    still(k);
  }
}

void mw_rigid_start_body(const mw_rigid *r, mw_rigid_work *w, int b, const double *q,
                         const double *v, double *f)
{
  mw_rigid_kin_body(w, b, q, v);
  mw_rigid_weight(r, &w->kin[b], b, true, f);
}

void mw_rigid_kin_twist(const mw_rigid *r, mw_rigid_work *w, const double *q, const double *u)
{
  for (int b = 0; b < r->n.n_body; b++) {
    mw_rkin *k = &w->kin[b];
    k->o = q + 12 * b;
    k->E = k->o + 3;
    still(k);
    if (!u) continue;
    mw_mul33v(k->E, u + 6 * b, k->v);
    memcpy(k->w, u + 6 * b + 3, 3 * sizeof(double));
    mw_mul33v(k->E, k->w, k->W);
  }
}

// ---- single rows --------------------------------------------------------------------------------

// A wrench column that nothing else adds to.
static inline void set(double *Jt, int row, const double F[3], const double T[3])
{
  for (int i = 0; i < 3; i++) {
    Jt[i * LD + row] = F[i];
    Jt[(3 + i) * LD + row] = T[i];
  }
}

// (1)
void mw_rigid_axes(const mw_rkin *a, const mw_rkin *b, const double fa[3], const double fb[3],
                   mw_rcoord_eval *out)
{
  double A[3], B[3], Ad[3], Bd[3], Ac[3], Bc[3], x[3];
  mw_mul33v(a->E, fa, A);
  mw_mul33v(b->E, fb, B);
  mw_rspin(a, fa, Ad);
  mw_rspin(b, fb, Bd);
  mw_rcentripetal(a, fa, Ac);
  mw_rcentripetal(b, fb, Bc);
  *out = (mw_rcoord_eval){ .s = mw_dot3(A, B),
                           .s_dot = mw_dot3(Ad, B) + mw_dot3(A, Bd),
                           .bias = 2.0 * mw_dot3(Ad, Bd) + mw_dot3(Ac, B) + mw_dot3(A, Bc) };
  mw_mul33tv(a->E, B, x);
  mw_cross3(fa, x, out->Ja + 3);
  mw_mul33tv(b->E, A, x);
  mw_cross3(fb, x, out->Jb + 3);
}

// (2)
void mw_rigid_along(const mw_rkin *a, const mw_rkin *b, const double Xa[3], const double Xb[3],
                    const double fa[3], mw_rcoord_eval *out)
{
  double A[3], Ad[3], Ac[3], d[3], dd[3], dc[3], x[3], y[3];
  mw_mul33v(a->E, fa, A);
  mw_rspin(a, fa, Ad);
  mw_rcentripetal(a, fa, Ac);
  mw_mul33v(b->E, Xb, x);
  mw_mul33v(a->E, Xa, y);
  for (int i = 0; i < 3; i++) d[i] = b->o[i] + x[i] - a->o[i] - y[i];
  mw_rspin(b, Xb, x);
  mw_rspin(a, Xa, y);
  for (int i = 0; i < 3; i++) dd[i] = b->v[i] + x[i] - a->v[i] - y[i];
  mw_rcentripetal(b, Xb, x);
  mw_rcentripetal(a, Xa, y);
  for (int i = 0; i < 3; i++) dc[i] = x[i] - y[i];
  *out = (mw_rcoord_eval){ .s = mw_dot3(A, d),
                           .s_dot = mw_dot3(Ad, d) + mw_dot3(A, dd),
                           .bias = 2.0 * mw_dot3(Ad, dd) + mw_dot3(Ac, d) + mw_dot3(A, dc) };
  mw_mul33tv(a->E, d, x);
  for (int i = 0; i < 3; i++) {
    out->Ja[i] = -fa[i];
    x[i] += Xa[i];
  }
  mw_cross3(fa, x, out->Ja + 3);
  mw_mul33tv(b->E, A, out->Jb);
  mw_cross3(Xb, out->Jb, out->Jb + 3);
}

// ---- nodes --------------------------------------------------------------------------------------

typedef struct relative {          // b as seen from a
  const mw_rkin *a, *b;            // NULL: nothing computed
  double R[9], w[3], wr[3], c[3];  // R, ω', ω_r, −ω_a × ω'
} relative;

static void see(const mw_rkin *a, const mw_rkin *b, relative *k)
{
  if (k->a == a && k->b == b) return;
  k->a = a;
  k->b = b;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      k->R[3 * i + j] = a->E[i] * b->E[j] + a->E[3 + i] * b->E[3 + j] + a->E[6 + i] * b->E[6 + j];
  mw_mul33v(k->R, b->w, k->w);
  for (int i = 0; i < 3; i++) k->wr[i] = k->w[i] - a->w[i];
  mw_cross3(k->w, a->w, k->c);
}

// (3)
static void turn_row(const mw_relem *e, const relative *k, const mw_rout *o)
{
  const double *axes = e->axes;
  const double zero[3] = { 0.0, 0.0, 0.0 };
  double b[9], P[9], Pd[9], Pdd[9], Ta[3] = { 0.0 }, Tb[3] = { 0.0 };
  mw_turn t;
  for (int j = 0; j < 3; j++) {
    double rate[3], h[3], x[3];
    mw_mul33v(k->R, axes + 9 + 3 * j, b + 3 * j);
    mw_cross3(k->wr, b + 3 * j, rate);
    mw_cross3(k->wr, rate, h);
    mw_cross3(k->c, b + 3 * j, x);
    for (int i = 0; i < 3; i++) h[i] += x[i];
    for (int i = 0; i < 3; i++) {
      P[3 * i + j] = mw_dot3(axes + 3 * i, b + 3 * j);
      Pd[3 * i + j] = mw_dot3(axes + 3 * i, rate);
      Pdd[3 * i + j] = mw_dot3(axes + 3 * i, h);
    }
  }
  mw_turn_eval(e->turn, P, Pd, &t);
  double bias = t.bend;
  for (int i = 0; i < 9; i++) bias += t.W[i] * Pdd[i];
  for (int i = 0; i < 3; i++) {
    double w[3], x[3];
    mw_mul33tv(b, t.W + 3 * i, w);
    mw_cross3(axes + 3 * i, w, x);
    for (int l = 0; l < 3; l++) Ta[l] += x[l];
    for (int l = 0; l < 3; l++)
      w[l] = t.W[i] * axes[l] + t.W[3 + i] * axes[3 + l] + t.W[6 + i] * axes[6 + l];
    mw_mul33tv(k->R, w, w);
    mw_cross3(axes + 9 + 3 * i, w, x);
    for (int l = 0; l < 3; l++) Tb[l] += x[l];
  }
  *o->g = t.g;
  *o->gamma = -bias;
  set(o->Ja, o->row, zero, Ta);
  set(o->Jb, o->row, zero, Tb);
}

// Rows on coordinates and rotors.
static void coord_row(const mw_rigid *r, mw_rigid_work *w, double t, const double *rotor,
                      const mw_relem *e, double *const *Jt, double *gt, const mw_rout *o)
{
  if (e->kind == MW_R_COUPLE) {
    mw_rigid_couple(w, e, Jt, o);
    return;
  }
  *o->g = -e->c;
  *o->gamma = *gt = 0.0;
  if (e->held >= 0) mw_rigid_driven(r, w, e, t, gt, o);
  if (e->kind == MW_R_ROTOR) {
    Jt[e->t[2]][o->row] = 1.0;
    *o->g += rotor[e->rotor];
  }
  if (e->coord[0] >= 0)
    mw_rigid_put_coord(w, Jt, e->coord[0], e->t, e->kind == MW_R_ROTOR ? -1.0 : 1.0, o);
}

mw_relem mw_relem_stretched(const mw_rigid *r, const double *S, const mw_relem *e, double *axes)
{
  mw_relem k = *e;
  double *at[2][3] = { { k.Xa, k.fa, k.fa2 }, { k.Xb, k.fb, NULL } };
  int slot[2] = { e->a, e->b };
  for (int i = 0; i < 2; i++)
    for (int l = 0; slot[i] < r->n.n_body && l < 3; l++)
      if (at[i][l]) mw_mul33v(S + 9 * slot[i], at[i][l], at[i][l]);
  if (!e->axes) return k;
  memcpy(axes, e->axes, 18 * sizeof *axes);
  for (int i = 0; i < 6; i++)
    if (slot[i / 3] < r->n.n_body) mw_mul33v(S + 9 * slot[i / 3], axes + 3 * i, axes + 3 * i);
  k.axes = axes;
  return k;
}

// Times √f; what the rows gain with the coordinate, into stroke_js (stroke.h).
static void vary(const mw_rnode *n, mw_rigid_work *w, double *js, double *g, double *gamma)
{
  double slope, root = mw_stroke_eval(n->stroke, w->ce[n->stroke_coord].s, &slope);
  for (int c = 0; c < n->n; c++) {
    js[c] = slope * g[c];
    g[c] *= root;
    gamma[c] *= root;
  }
  for (int k = 0; k < n->n_touch; k++)
    for (int i = 0; i < JT; i++) w->Jt[n->touch0 + k][i] *= root;
}

// The elements of a node that are not primitive.
static void eval_others(const mw_rigid *r, mw_rigid_work *w, double t, const double *rotor,
                        const mw_rnode *n, const mw_rout *node)
{
  double fixed[JT], *gt = w->gt + (n - r->node) * LD;
  double *const *Jt = w->Jt + n->touch0;
  relative rel = { 0 };
  for (int i = 0; i < n->n_elem; i++) {
    const mw_relem *e = &r->elem[n->elem0 + i];
    mw_relem bent;
    double axes[18];
    if (e->kind <= MW_R_ALONG) continue;
    if (w->stretch) {
      bent = mw_relem_stretched(r, w->stretch, e, axes);
      e = &bent;
    }
    const mw_rkin *a = &w->kin[e->a], *b = &w->kin[e->b];
    const mw_rout o = { .Ja = e->t[0] < 0 ? fixed : Jt[e->t[0]],
                        .Jb = e->t[1] < 0 ? fixed : Jt[e->t[1]],
                        .g = node->g + e->row,
                        .gamma = node->gamma + e->row,
                        .row = e->row };
    if (!n->primitive && (e->t[0] < 0 || e->t[1] < 0)) memset(fixed, 0, sizeof fixed);
    switch (e->kind) {
    case MW_R_TURN:
      see(a, b, &rel);
      turn_row(e, &rel, &o);
      break;
    case MW_R_OWN:
      e->class->eval(e, a, b, e->coord[0] < 0 ? 0.0 : w->accepted[e->coord[0]], &o);
      break;
    case MW_R_LENGTH: mw_rigid_length(e, a, b, &o); break;
    default: coord_row(r, w, t, rotor, e, Jt, gt + e->row, &o); break;
    }
  }
}

void mw_rigid_eval_node(const mw_rigid *r, mw_rigid_work *w, double t, const double *rotor,
                        int node, double *g, double *gamma)
{
  const mw_rnode *n = &r->node[node];
  double *const *Jt = w->Jt + n->touch0;
  mw_rout o = { .g = g, .gamma = gamma };
  for (int k = 0; k < n->n_touch && !n->primitive; k++) memset(Jt[k], 0, JT * sizeof(double));
  if (n->lanes) {
    const int *at = r->elem[n->pair].t;
    o.Ja = at[0] < 0 ? NULL : Jt[at[0]];
    o.Jb = at[1] < 0 ? NULL : Jt[at[1]];
    mw_rigid_primitives_eval(r, w, n, &o);
  }
  if (!n->plain) eval_others(r, w, t, rotor, n, &o);
  if (n->stroke) vary(n, w, w->stroke_js + node * LD, g, gamma);
}

void mw_rigid_eval_coords(const mw_rigid *r, mw_rigid_work *w)
{
  for (int c = 0; c < r->n_coord; c++)
    if (r->need[c])
      mw_rigid_coord_eval(&r->coord[c], &w->kin[r->coord[c].a], &w->kin[r->coord[c].b],
                          w->accepted[c], &w->ce[c]);
}

void mw_rigid_eval(const mw_rigid *r, mw_rigid_work *w, double t, const double *rotor, int first,
                   int last)
{
  mw_rigid_eval_coords(r, w);
  for (int i = first; i < last; i++)
    mw_rigid_eval_node(r, w, t, rotor, i, w->g + i * LD, w->gamma + i * LD);
}
