// SPDX-License-Identifier: BSD-3-Clause
// curve.c: a point of b stays on a curve fixed to a: a rigid guide of any shape.
//
//   c(u): C² cubic spline through the given points, u the length of the chords, ends natural or
//     joined
//   u(P): c'(u)·(P − c(u)) = 0 ,  P = E_aᵀ(x_b − x_a)   Newton from the last u   (1)
//   g_i = n_i·(P − c(u)) ,  n_1, n_2 ⊥ c'                                               2 rows in m
//   J v = n_i·Ṗ ,   γ_i = n_i·c'' u̇² − n_i·(velocity-dependent part of P̈)   on the curve   (2)
//   elastic bodies: P_i = A_i(a)·(x_b − x_a) in the axes of a's frame, r = P − c(u)
//     n_1 = c' × e/|c' × e| ,  n_2 = c'/|c'| × n_1 ,  e a direction that tangents stay away from
//     ∂g_i/∂P = n_i + (n_i'·r) c'/(c'·c' − c''·r)                                (3)
//     coordinate s: c'(s)·(P − c(s)) = 0
// Off the curve the second term of (3) is left by what u(P) does to n_i: second derivatives see it.
#include "base/dense.h"

#include <string.h>

#include "keys/key_layer.h"
#include "mech/mech_layer.h"
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

// across: of the axes and the normals of pairs of tangents, the one that no tangent comes near; of
// a plane curve its normal.
static void stay_away(mw_rcurve *k)
{
  enum { SAMPLES = 24 };
  double t[SAMPLES][3], c[3], b[3], least = 2.0;
  for (int i = 0; i < SAMPLES; i++) {
    mw_rcurve_at(k, k->u[k->n] * (i + 0.5) / SAMPLES, c, t[i], b);
    double l = mw_norm3(t[i]);
    for (int x = 0; x < 3; x++) t[i][x] /= l;
  }
  for (int i = 0; i < SAMPLES + 3; i++) {
    double e[3] = { i == 0, i == 1, i == 2 }, most = 0.0;
    if (i >= 3) mw_cross3(t[i - 3], t[(i - 3 + SAMPLES / 4) % SAMPLES], e);
    double l = mw_norm3(e);
    if (!(l > 0.1)) continue;
    for (int x = 0; x < 3; x++) e[x] /= l;
    for (int s = 0; s < SAMPLES; s++) most = fmax(most, fabs(mw_dot3(e, t[s])));
    if (most >= least - 1e-9) continue;  // of equals the first
    least = most;
    memcpy(k->across, e, sizeof e);
  }
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
  if (rc != MW_OK) return rc;
  *out = (mw_rcurve){ .n = spans, .closed = closed, .u = u, .c = c };
  stay_away(out);
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

// (1), each step at most a tenth of the curve, and half as long where the point is no nearer then
double mw_rcurve_foot(const mw_rcurve *k, const double P[3], double u)
{
  enum { ITER_MAX = 60 };
  double L = k->u[k->n], before = INFINITY, step = 0.0;
  for (int i = 0; i < ITER_MAX; i++) {
    double c[3], t[3], b[3];
    mw_rcurve_at(k, u, c, t, b);
    double e[3] = { P[0] - c[0], P[1] - c[1], P[2] - c[2] }, t2 = mw_dot3(t, t);
    double far = mw_dot3(e, e), slope = fmax(t2 - mw_dot3(e, b), 0.25 * t2);
    if (far > before * (1.0 + 1e-12)) {  // by more than its rounding
      step *= 0.5;
      u -= step;
    } else {
      before = far;
      step = fmin(fmax(mw_dot3(t, e) / slope, -0.1 * L), 0.1 * L);
      u += step;
    }
    if (fabs(step) <= 1e-15 * L) break;
  }
  return u;
}

// The nearest foot: the best of many starts.
static double nearest(const mw_rcurve *k, const double P[3])
{
  enum { STARTS = 200 };
  double best = INFINITY, at = 0.0, L = k->u[k->n], x[3], t[3], b[3];
  for (int i = 0; i <= STARTS; i++) {
    mw_rcurve_at(k, L * i / STARTS, x, t, b);
    double d[3] = { P[0] - x[0], P[1] - x[1], P[2] - x[2] }, l = mw_norm3(d);
    if (l < best) {
      best = l;
      at = L * i / STARTS;
    }
  }
  return mw_rcurve_foot(k, P, at);
}

static mw_code build(mw_joint *j, mw_arena *mem, mw_error *err)
{
  mw_rcurve *k = mw_arena_alloc(mem, 1, sizeof *k);
  mw_code rc = mw_arena_check(mem, err);
  j->curve = k;
  return rc == MW_OK ? mw_rcurve_build(j->in->n_curve, j->in->curve, j->in->closed, mem, k, err)
                     : rc;
}

// ---- its coordinate -----------------------------------------------------------------------------

static mw_code make_coord(mw_rigid *r, mw_rcoord *c, mw_error *err)
{
  (void)err;
  // rows of A: the body's own axes, in principal axes
  for (int i = 0; i < 3; i++) {
    double e[3] = { i == 0, i == 1, i == 2 };
    mw_rigid_local_dir(r, c->a, e, c->A + 3 * i);
  }
  c->curve = r->m->joint[c->joint].curve;
  return MW_OK;
}

// Where the point of b stands on the curve.
double mw_rcurve_start(const mw_rcoord *c, const mw_rkin *a, const mw_rkin *b)
{
  double xa[3], xb[3], P[3];
  mw_mul33v(a->E, c->Xa, xa);
  mw_mul33v(b->E, c->Xb, xb);
  for (int i = 0; i < 3; i++) xb[i] += b->o[i] - a->o[i] - xa[i];
  mw_mul33tv(a->E, xb, xa);
  mw_mul33v(c->A, xa, P);
  return nearest(c->curve, P);
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

// Adds w·dP to row `row`, w in the axes of a's frame.
static void add_along(mw_joint_sides *k, int row, const double w[3])
{
  double W[3], minus[3], d[3];
  mw_mul33tv(k->a.A, w, W);
  for (int i = 0; i < 3; i++) {
    minus[i] = -W[i];
    d[i] = k->b.x[i] - k->a.x[i];
  }
  for (int i = 0; i < 3; i++) {
    double wd[3] = { w[i] * d[0], w[i] * d[1], w[i] * d[2] };
    mw_side_add_axis(&k->a, row, i, wd);
  }
  mw_side_add_point(&k->b, row, W);
  mw_side_add_point(&k->a, row, minus);
}

static void place_of(const mw_joint_sides *k, double P[3])
{
  const double d[3] = { k->b.x[0] - k->a.x[0], k->b.x[1] - k->a.x[1], k->b.x[2] - k->a.x[2] };
  mw_mul33v(k->a.A, d, P);
}

// x/|x| and its derivative for x' = y
static void unit(const double x[3], const double y[3], double n[3], double n1[3])
{
  double l = mw_norm3(x);
  for (int i = 0; i < 3; i++) n[i] = x[i] / l;
  double along = mw_dot3(n, y);
  for (int i = 0; i < 3; i++) n1[i] = (y[i] - along * n[i]) / l;
}

// (3)
static void own_elastic(const mw_joint *j, mw_joint_sides *k, int row, mw_joint_eval *e)
{
  const mw_rcurve *curve = j->curve;
  double P[3], c[3], t[3], b[3], r[3], x[3], y[3], z[3], n[2][3], n1[2][3], tu[3], tu1[3];
  place_of(k, P);
  double u = j->coord >= 0 ? mw_rcurve_foot(curve, P, k->s) : nearest(curve, P);
  mw_rcurve_at(curve, u, c, t, b);
  for (int i = 0; i < 3; i++) r[i] = P[i] - c[i];
  mw_cross3(t, curve->across, x);
  mw_cross3(b, curve->across, y);
  unit(x, y, n[0], n1[0]);
  unit(t, b, tu, tu1);
  mw_cross3(tu, n[0], n[1]);
  mw_cross3(tu1, n[0], y);
  mw_cross3(tu, n1[0], z);
  for (int i = 0; i < 3; i++) n1[1][i] = y[i] + z[i];
  double by = 1.0 / (mw_dot3(t, t) - mw_dot3(b, r));
  for (int i = 0; i < 2; i++) {
    double w[3], f = by * mw_dot3(n1[i], r);
    for (int l = 0; l < 3; l++) w[l] = n[i][l] + f * t[l];
    e->g[row + i] = mw_dot3(n[i], r);
    add_along(k, row + i, w);
  }
}

static void coord_elastic(const mw_joint *j, mw_joint_sides *k, int row, mw_joint_eval *e)
{
  double P[3], c[3], t[3], b[3], r[3];
  place_of(k, P);
  mw_rcurve_at(j->curve, k->s, c, t, b);
  for (int i = 0; i < 3; i++) r[i] = P[i] - c[i];
  e->g[row] = mw_dot3(t, r);
  e->Js[row] = mw_dot3(b, r) - mw_dot3(t, t);
  add_along(k, row, t);
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
    "of the spline (continuous curvature), from a's frame in the axes of a's body. The coordinate "
    "counts the chords between them, shorter than the arc by h^2/(24 R^2) of it where they are h "
    "apart and the radius is R: twenty to a radian make 1e-4" },
  { "closed", 0, BOOLEAN, "false", "the last point joins the first" },
  { .name = NULL },
};

const mw_joint_class mw_joint_curve = {
  .measure = { MW_MEASURE_TRAVEL },
  .build = build,
  .place = place,
  .n_own = 2,
  .own_elastic = own_elastic,
  .coord_elastic = coord_elastic,
  .own_coord = { MW_MEASURE_TRAVEL },
  .make_coord = make_coord,
  .add_own = add_own,
  .eval = eval,
};
