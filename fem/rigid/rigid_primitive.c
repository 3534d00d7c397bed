// SPDX-License-Identifier: BSD-3-Clause
// rigid_primitive.c: the rows POINT, AXES and ALONG of a node, all at once, a row a lane.
//
// Row l measures P, what b has beyond a, along D; D is fixed to the ground (POINT) or to a:
//   D = u + E_a f ,  P = m (o_b − o_a) + E_b Y_b − E_a Y_a ,  g = D·P − c
//              u     f     m   Y_b   Y_a   c
//   POINT      e_i   0     1   X_b   X_a   0                x_b − x_a
//   AXES       0     f_a   0   f_b   0     0                A·B
//   ALONG      0     f_a   1   X_b   0     f_a·X_a + c      A·(x_b − x_a) − c
// in ground axes, with ω of the bodies there. J of b and of a (s = 1 where D turns with a, else 0):
//   F_b = m E_bᵀD ,  T_b = Y_b × E_bᵀD ;   C = E_aᵀ(s P − u) ,  F_a = (1 − s) C − m f ,
//   T_a = (f + Y_a) × C                                                                         (1)
//   γ = −D·[ ω_b × (ω_b × E_b Y_b) − ω_a × (ω_a × E_a Y_a) + s ω_a × (ω_a × P − 2 Ṗ) ] ,
//   Ṗ = m (ȯ_b − ȯ_a) + ω_b × E_b Y_b − ω_a × E_a Y_a                                           (2)
// (1), (2) are those of rigid_rows.c, whose AXES and ALONG coordinates use; some 200 operations on
// eight lanes, 800 on numbers one by one.
#include <assert.h>
#include <string.h>

#include "rigid_mech_layer.h"
#include "solve/eight_layer.h"

struct mw_rlanes {
  double u[3][LD], f[3][LD];    // 1  ground axes; a's
  double Ya[3][LD], Yb[3][LD];  // m, or 1 of AXES  in a's axes, b's
  double m[LD], s[LD], c[LD];   // 0 or 1, 0 or 1, m
};

static bool is_primitive(const mw_relem *e) { return e->kind <= MW_R_ALONG; }

static void put(mw_rlanes *l, const mw_relem *e)
{
  for (int i = 0; i < e->n; i++) {
    int row = e->row + i;
    bool point = e->kind == MW_R_POINT;
    const double *f = i == 0 ? e->fa : e->fa2, *Y = e->kind == MW_R_AXES ? e->fb : e->Xb;
    for (int k = 0; k < 3; k++) {
      l->u[k][row] = point && k == i ? 1.0 : 0.0;
      l->f[k][row] = point ? 0.0 : f[k];
      l->Ya[k][row] = point ? e->Xa[k] : 0.0;
      l->Yb[k][row] = Y[k];
    }
    l->m[row] = e->kind == MW_R_AXES ? 0.0 : 1.0;
    l->s[row] = point ? 0.0 : 1.0;
    l->c[row] = e->kind == MW_R_ALONG ? mw_dot3(e->fa, e->Xa) + e->c : 0.0;
  }
}

// Nodes with the same numbers share them: chains of like links stay in the cache.
mw_code mw_rigid_primitives_build(mw_rigid *r, mw_error *err)
{
  enum { KEPT = 8 };
  const mw_rlanes *known[KEPT] = { NULL };
  int n = 0;
  for (int i = 0; i < r->n_node; i++) {
    mw_rnode *p = &r->node[i];
    mw_rlanes l = { 0 };
    bool any = false;
    for (int k = p->elem0; k < p->elem0 + p->n_elem; k++) {
      const mw_relem *e = &r->elem[k];
      if (!is_primitive(e)) continue;
      assert(!any || (e->a == r->elem[p->pair].a && e->b == r->elem[p->pair].b));
      if (!any) p->pair = k;
      any = true;
      put(&l, e);
    }
    for (int k = 0; any && k < KEPT && !p->lanes; k++)
      if (known[k] && memcmp(known[k], &l, sizeof l) == 0) p->lanes = known[k];
    if (!any || p->lanes) continue;
    mw_rlanes *own = mw_arena_alloc(&r->mem, 1, sizeof *own);
    if (!own) break;
    *own = l;
    p->lanes = known[n++ % KEPT] = own;
  }
  return mw_arena_check(&r->mem, err);
}

// ---- vectors of lanes ---------------------------------------------------------------------------

typedef struct lanes {
  mw_eight x, y, z;
} lanes;

#define INLINE static inline __attribute__((always_inline))

INLINE void take(const double from[3][LD], lanes *v)
{
  mw_eight_get(from[0], &v->x);
  mw_eight_get(from[1], &v->y);
  mw_eight_get(from[2], &v->z);
}

// rows 0 … 2 of a wrench column
INLINE void give(const lanes *v, double *Jt)
{
  mw_eight_put(Jt, &v->x);
  mw_eight_put(Jt + LD, &v->y);
  mw_eight_put(Jt + 2 * LD, &v->z);
}

// E y
INLINE void turned(const double *E, const lanes *y, lanes *v)
{
  v->x = y->x * E[0] + y->y * E[1] + y->z * E[2];
  v->y = y->x * E[3] + y->y * E[4] + y->z * E[5];
  v->z = y->x * E[6] + y->y * E[7] + y->z * E[8];
}

// Eᵀ y
INLINE void turned_back(const double *E, const lanes *y, lanes *v)
{
  v->x = y->x * E[0] + y->y * E[3] + y->z * E[6];
  v->y = y->x * E[1] + y->y * E[4] + y->z * E[7];
  v->z = y->x * E[2] + y->y * E[5] + y->z * E[8];
}

// w × y
INLINE void spun(const double w[3], const lanes *y, lanes *v)
{
  v->x = y->z * w[1] - y->y * w[2];
  v->y = y->x * w[2] - y->z * w[0];
  v->z = y->y * w[0] - y->x * w[1];
}

INLINE void cross(const lanes *a, const lanes *b, lanes *v)
{
  v->x = a->y * b->z - a->z * b->y;
  v->y = a->z * b->x - a->x * b->z;
  v->z = a->x * b->y - a->y * b->x;
}

// v += y s
INLINE void add(const lanes *y, const mw_eight *s, lanes *v)
{
  v->x += y->x * *s;
  v->y += y->y * *s;
  v->z += y->z * *s;
}

// v := a − b
INLINE void difference(const lanes *a, const lanes *b, lanes *v)
{
  v->x = a->x - b->x;
  v->y = a->y - b->y;
  v->z = a->z - b->z;
}

// v += m (b − a)
INLINE void add_difference(const double b[3], const double a[3], const mw_eight *m, lanes *v)
{
  v->x += *m * (b[0] - a[0]);
  v->y += *m * (b[1] - a[1]);
  v->z += *m * (b[2] - a[2]);
}

INLINE void dot(const lanes *a, const lanes *b, mw_eight *s)
{
  *s = a->x * b->x + a->y * b->y + a->z * b->z;
}

// ---- the rows -----------------------------------------------------------------------------------

// (1) on b
INLINE void rows_on_b(const mw_rlanes *l, const double *E, const lanes *D, double *Jt)
{
  lanes C, F, T, Y;
  mw_eight m;
  turned_back(E, D, &C);
  take(l->Yb, &Y);
  cross(&Y, &C, &T);
  mw_eight_get(l->m, &m);
  F.x = C.x * m;
  F.y = C.y * m;
  F.z = C.z * m;
  give(&F, Jt);
  give(&T, Jt + 3 * LD);
}

// (1) on a; V = s P − u
INLINE void rows_on_a(const mw_rlanes *l, const double *E, const lanes *V, double *Jt)
{
  const mw_eight one = { 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 };
  lanes C, F, T, Y, f;
  mw_eight m, s;
  turned_back(E, V, &C);
  take(l->Ya, &Y);
  take(l->f, &f);
  add(&f, &one, &Y);
  cross(&Y, &C, &T);
  mw_eight_get(l->m, &m);
  mw_eight_get(l->s, &s);
  F = C;
  s = -s;
  m = -m;
  add(&C, &s, &F);
  add(&f, &m, &F);
  give(&F, Jt);
  give(&T, Jt + 3 * LD);
}

// (2); xa, xb: E Y of both
INLINE void bias(const mw_rkin *a, const mw_rkin *b, const mw_eight *m, const mw_eight *s,
                 const lanes *xa, const lanes *xb, const lanes *P, lanes *Q)
{
  const mw_eight minus_two = { -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0, -2.0 };
  lanes va, vb, ca, cb, v, x, y;
  spun(a->W, xa, &va);
  spun(b->W, xb, &vb);
  spun(a->W, &va, &ca);
  spun(b->W, &vb, &cb);
  difference(&vb, &va, &v);
  add_difference(b->v, a->v, m, &v);
  spun(a->W, P, &x);
  add(&v, &minus_two, &x);
  spun(a->W, &x, &y);
  difference(&cb, &ca, Q);
  add(&y, s, Q);
}

static void rows(const mw_rlanes *l, const mw_rkin *a, const mw_rkin *b, const mw_rout *o)
{
  lanes D, P, V, u, f, Ya, Yb, xa, xb, Q;
  mw_eight m, s, c, y;
  take(l->u, &u);
  take(l->f, &f);
  take(l->Ya, &Ya);
  take(l->Yb, &Yb);
  turned(a->E, &f, &D);
  turned(a->E, &Ya, &xa);
  turned(b->E, &Yb, &xb);
  mw_eight_get(l->m, &m);
  mw_eight_get(l->s, &s);
  mw_eight_get(l->c, &c);
  D.x += u.x;
  D.y += u.y;
  D.z += u.z;
  difference(&xb, &xa, &P);
  add_difference(b->o, a->o, &m, &P);
  dot(&D, &P, &y);
  y -= c;
  mw_eight_put(o->g, &y);
  bias(a, b, &m, &s, &xa, &xb, &P, &Q);
  dot(&D, &Q, &y);
  y = -y;
  mw_eight_put(o->gamma, &y);
  if (o->Jb) rows_on_b(l, b->E, &D, o->Jb);
  V.x = P.x * s - u.x;
  V.y = P.y * s - u.y;
  V.z = P.z * s - u.z;
  if (o->Ja) rows_on_a(l, a->E, &V, o->Ja);
}

void mw_rigid_primitives_eval(const mw_rigid *r, const mw_rigid_work *w, const mw_rnode *n,
                              const mw_rout *o)
{
  const mw_relem *e = &r->elem[n->pair];
  const mw_rkin *a = &w->kin[e->a], *b = &w->kin[e->b];
  if (!w->stretch) {
    rows(n->lanes, a, b, o);
    return;
  }
  mw_rlanes l = { 0 };
  for (int k = n->elem0; k < n->elem0 + n->n_elem; k++) {
    double unused[18];
    if (!is_primitive(&r->elem[k])) continue;
    mw_relem bent = mw_relem_stretched(r, w->stretch, &r->elem[k], unused);
    put(&l, &bent);
  }
  rows(&l, a, b, o);
}
