// SPDX-License-Identifier: BSD-3-Clause
// curve.c: a point of b stays on a curve fixed to a: a rigid guide of any shape.
//
//   c(u): C² cubic spline through the given points, u the length of the chords, ends natural or
//     joined
//   u(P): c'(u)·(P − c(u)) = 0 ,  P = E_aᵀ(x_b − x_a)   Newton from the last u   (1)
//   g_i = n_i·(P − c(u)) ,  n_1, n_2 ⊥ c'                                               2 rows in m
//   J v = n_i·Ṗ ,   γ_i = n_i·c'' u̇² − n_i·(velocity-dependent part of P̈)   on the curve   (2)
#include "base/dense.h"

#include <string.h>

#include "model/key_layer.h"
#include "rigid/nodes_layer.h"

// ---- the spline ---------------------------------------------------------------------------------

// Second derivatives at the knots: h_{k−1} m_{k−1} + 2 (h_{k−1} + h_k) m_k + h_k m_{k+1} = 6
// (slope_k − slope_{k−1})
static mw_code bend(int n, const double *u, const double *p, bool closed, double *m, mw_arena *mem,
                    mw_error *err)
{
  int N = closed ? n : n + 1;
  double *A = mw_arena_f64(mem, (size_t)N * (size_t)N), *b = mw_arena_f64(mem, 3 * (size_t)N);
  double *x = mw_arena_f64(mem, (size_t)N);
  mw_code rc = mw_arena_check(mem, err);
  for (int k = 0; rc == MW_OK && k < N; k++) {
    double *row = A + (size_t)k * (size_t)N;
    if (!closed && (k == 0 || k == n)) {
      row[k] = 1.0;
      continue;
    }
    int before = k == 0 ? n - 1 : k - 1, after = k + 1 == N && closed ? 0 : k + 1;
    double h0 = u[before + 1] - u[before], h1 = u[k + 1] - u[k];
    row[before] += h0;
    row[k] += 2.0 * (h0 + h1);
    row[after] += h1;
    for (int i = 0; i < 3; i++)
      b[3 * k + i] = 6.0 * ((p[3 * (k + 1) + i] - p[3 * k + i]) / h1 -
                            (p[3 * (before + 1) + i] - p[3 * before + i]) / h0);
  }
  for (int i = 0; rc == MW_OK && i < 3; i++) {
    double *copy = mw_arena_f64(mem, (size_t)N * (size_t)N), *rhs = mw_arena_f64(mem, (size_t)N);
    int rank = 0;
    rc = mw_arena_check(mem, err);
    if (rc != MW_OK) break;
    memcpy(copy, A, (size_t)N * (size_t)N * sizeof(double));
    for (int k = 0; k < N; k++) rhs[k] = b[3 * k + i];
    rc = mw_lstsq(N, N, copy, rhs, 1e-14, x, &rank, err);
    for (int k = 0; k <= n; k++) m[3 * k + i] = x[closed && k == n ? 0 : k];
  }
  return rc;
}

mw_code mw_rcurve_build(int n, const double *points, bool closed, mw_arena *mem, mw_rcurve *out,
                        mw_error *err)
{
  int spans = closed ? n : n - 1;
  mw_arena tmp = { 0 };
  double *u = mw_arena_f64(mem, (size_t)spans + 1), *c = mw_arena_f64(mem, 12 * (size_t)spans);
  double *p = mw_arena_f64(&tmp, 3 * ((size_t)spans + 1)),
         *m = mw_arena_f64(&tmp, 3 * ((size_t)spans + 1));
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  for (int k = 0; rc == MW_OK && k <= spans; k++) {
    memcpy(p + 3 * k, points + 3 * (k % n), 3 * sizeof(double));
    if (k == 0) continue;
    double d[3] = { p[3 * k] - p[3 * k - 3], p[3 * k + 1] - p[3 * k - 2],
                    p[3 * k + 2] - p[3 * k - 1] };
    u[k] = u[k - 1] + mw_norm3(d);
  }
  if (rc == MW_OK) rc = bend(spans, u, p, closed, m, &tmp, err);
  for (int k = 0; rc == MW_OK && k < spans; k++)
    for (int i = 0; i < 3; i++) {
      double h = u[k + 1] - u[k], y0 = p[3 * k + i], y1 = p[3 * k + 3 + i], m0 = m[3 * k + i],
             m1 = m[3 * k + 3 + i];
      c[12 * k + i] = y0;
      c[12 * k + 3 + i] = (y1 - y0) / h - h * (2.0 * m0 + m1) / 6.0;
      c[12 * k + 6 + i] = 0.5 * m0;
      c[12 * k + 9 + i] = (m1 - m0) / (6.0 * h);
    }
  mw_arena_free(&tmp);
  if (rc == MW_OK) *out = (mw_rcurve){ .n = spans, .closed = closed, .u = u, .c = c };
  return rc;
}

void mw_rcurve_at(const mw_rcurve *k, double u, double c[3], double c1[3], double c2[3])
{
  double L = k->u[k->n], x = u;
  if (k->closed) x -= L * floor(u / L);
  int lo = 0, hi = k->n - 1;
  while (lo < hi) {
    int mid = (lo + hi + 1) / 2;
    if (x >= k->u[mid])
      lo = mid;
    else
      hi = mid - 1;
  }
  double t = x - k->u[lo];
  const double *q = k->c + 12 * lo;
  for (int i = 0; i < 3; i++) {
    c[i] = q[i] + t * (q[3 + i] + t * (q[6 + i] + t * q[9 + i]));
    c1[i] = q[3 + i] + t * (2.0 * q[6 + i] + 3.0 * t * q[9 + i]);
    c2[i] = 2.0 * q[6 + i] + 6.0 * t * q[9 + i];
  }
}

// (1), each step at most a tenth of the curve
double mw_rcurve_foot(const mw_rcurve *k, const double P[3], double u)
{
  enum { ITER_MAX = 60 };
  double L = k->u[k->n];
  for (int i = 0; i < ITER_MAX; i++) {
    double c[3], t[3], b[3];
    mw_rcurve_at(k, u, c, t, b);
    double e[3] = { P[0] - c[0], P[1] - c[1], P[2] - c[2] }, t2 = mw_dot3(t, t);
    double slope = fmax(t2 - mw_dot3(e, b), 0.25 * t2), step = mw_dot3(t, e) / slope;
    step = fmin(fmax(step, -0.1 * L), 0.1 * L);
    u += step;
    if (fabs(step) <= 1e-15 * L) break;
  }
  return u;
}

// ---- its coordinate -----------------------------------------------------------------------------

static mw_code make_coord(mw_rigid *r, mw_rcoord *c, mw_error *err)
{
  const mw_joint_in *in = r->m->joint[c->joint].in;
  mw_rcurve *k = mw_arena_alloc(&r->mem, 1, sizeof *k);
  mw_code rc = mw_arena_check(&r->mem, err);
  if (rc == MW_OK) rc = mw_rcurve_build(in->n_curve, in->curve, in->closed, &r->mem, k, err);
  // rows of A: the body's own axes, in principal axes
  for (int i = 0; i < 3; i++) {
    double e[3] = { i == 0, i == 1, i == 2 };
    mw_rigid_local_dir(r, c->a, e, c->A + 3 * i);
  }
  c->curve = k;
  c->c = 0.0;
  return rc;
}

// The point of the curve nearest to where the body stands: the best of many starts.
double mw_rcurve_start(const mw_rcoord *c, const mw_rkin *a, const mw_rkin *b)
{
  enum { STARTS = 200 };
  double best = INFINITY, at = 0.0, L = c->curve->u[c->curve->n], xa[3], xb[3], P[3], x[3], t[3],
         k[3];
  mw_mul33v(a->E, c->Xa, xa);
  mw_mul33v(b->E, c->Xb, xb);
  for (int i = 0; i < 3; i++) xb[i] += b->o[i] - a->o[i] - xa[i];
  mw_mul33tv(a->E, xb, xa);
  mw_mul33v(c->A, xa, P);
  for (int i = 0; i <= STARTS; i++) {
    mw_rcurve_at(c->curve, L * i / STARTS, x, t, k);
    double d[3] = { P[0] - x[0], P[1] - x[1], P[2] - x[2] }, l = mw_norm3(d);
    if (l < best) {
      best = l;
      at = L * i / STARTS;
    }
  }
  return mw_rcurve_foot(c->curve, P, at);
}

// ---- the rows -----------------------------------------------------------------------------------

// (2); e->fa, fa2, fb: the axes the curve is given in (rows), in a's principal axes
static void eval(const mw_relem *e, const mw_rkin *a, const mw_rkin *b, double near,
                 const mw_rout *o)
{
  double A[9], xa[3], xb[3], P[3], c[3], t[3], k[3], n[2][3];
  memcpy(A, e->fa, sizeof e->fa);
  memcpy(A + 3, e->fa2, sizeof e->fa2);
  memcpy(A + 6, e->fb, sizeof e->fb);
  mw_mul33v(a->E, e->Xa, xa);
  mw_mul33v(b->E, e->Xb, xb);
  for (int i = 0; i < 3; i++) xb[i] += b->o[i] - a->o[i] - xa[i];
  mw_mul33tv(a->E, xb, xa);
  mw_mul33v(A, xa, P);
  double u = mw_rcurve_foot(e->curve, P, near), f[3];
  mw_rcurve_at(e->curve, u, c, t, k);
  mw_normals3(t, n[0], n[1]);
  mw_rcoord_eval v;
  mw_mul33tv(A, t, f);
  mw_rigid_along(a, b, e->Xa, e->Xb, f, &v);
  double rate = v.s_dot / mw_dot3(t, t);
  for (int i = 0; i < 2; i++) {
    mw_mul33tv(A, n[i], f);
    mw_rigid_along(a, b, e->Xa, e->Xb, f, &v);
    o->g[i] = v.s - mw_dot3(n[i], c);
    o->gamma[i] = mw_dot3(n[i], k) * rate * rate - v.bias;
    mw_rput(o->Ja, o->row + i, v.Ja, v.Ja + 3);
    mw_rput(o->Jb, o->row + i, v.Jb, v.Jb + 3);
  }
}

static void place(const mw_mech *m, mw_joint *j, const double d[3], double *s0)
{
  (void)m;
  (void)j;
  (void)d;
  *s0 = 0.0;
}

static void add_own(mw_rbuilder *b, int joint)
{
  const mw_rigid *r = b->r;
  mw_relem *e = mw_rnode_add_own(b, joint);
  for (int c = 0; c < r->n_coord; c++)
    if (r->coord[c].joint == joint) e->coord[0] = c;
  const mw_rcoord *c = &r->coord[e->coord[0]];
  e->curve = c->curve;
  memcpy(e->fa, c->A, sizeof e->fa);
  memcpy(e->fa2, c->A + 3, sizeof e->fa2);
  memcpy(e->fb, c->A + 6, sizeof e->fb);
}

const mw_key mw_joint_curve_keys[] = {
  PAIR,
  { "points", REQUIRED, LIST(3, 0, VECTOR("m")), NULL,
    "of the spline (continuous curvature), from a's frame in the axes of a's body" },
  { "closed", 0, BOOLEAN, "false", "the last point joins the first" },
  { .name = NULL },
};

const mw_joint_class mw_joint_curve = {
  .measure = { MW_MEASURE_TRAVEL },
  .place = place,
  .n_own = 2,
  .rigid_only = "curve joint",
  .own_coord = { MW_MEASURE_TRAVEL },
  .make_coord = make_coord,
  .add_own = add_own,
  .eval = eval,
};
