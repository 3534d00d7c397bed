// SPDX-License-Identifier: BSD-3-Clause
// newton_euler.c: the recursion of Newton and Euler's equations along a tree.
//
// Each body in axes of its own, its origin P on the joint that holds it; C turns what is in its
// axes into those of the body before, which is at r from P there; s the axis, φ the coordinate.
//
//   ω = Cᵀω₀ + s φ' ,  ω' = Cᵀω₀' + s φ'' + Cᵀω₀ × s φ'                           revolute      (1)
//   a = Cᵀ(a₀ + ω₀' × r + ω₀ × (ω₀ × r)) [ + s φ'' + 2 Cᵀω₀ × s φ' ]              [prismatic]   (2)
//   f = m (a + ω' × c + ω × (ω × c)) + Σ C f₁ ,
//   n = I ω' + ω × I ω + m c × a + Σ (C n₁ + r₁ × C f₁)                           outside in    (3)
//   Q = sᵀn or sᵀf, and d φ'
// a₀ = −g at the ground. Bodies that a joint fixes have φ = 0.
#include "sim/newton_euler.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

typedef struct segment {
  int body, before;  // before: a link, −1: the ground
  int coord;         // −1: fixed
  bool slides;
  double sign, phi0;  // φ = sign (q − phi0)
  double damping;
  double axis[3];        // s, in its axes
  double C0[9], r0[3];   // at φ = 0
  double m, c[3], I[9];  // kg; m from P; kg·m² about P
  double C[9], r[3];
  double w[3], wd[3], a[3], f[3], n[3];
} segment;

struct mw_newton_euler {
  int n, n_coord;
  segment *link;  // [n]  each behind that before it
  double g[3];
};

// ---- building -----------------------------------------------------------------------------------

typedef struct builder {
  const mw_mech *m;
  mw_newton_euler *o;
  int *link_of;  // [n_body]  −1: not reached, −2: the ground
  double *P;     // [n_body × 3]  of links, in body axes
  bool *used;    // [n_joint]
} builder;

static mw_code refuse(const mw_mech *m, const char *what, const char *name, mw_error *err)
{
  return mw_fail(
      err, MW_ERR_INPUT, (mw_at){ .file = m->model->path },
      "%s %s: the recursion knows trees of rigid bodies on revolute, prismatic and fixed "
      "joints, weight and dampers of coordinates",
      what, name);
}

static mw_code check(const mw_mech *m, mw_error *err)
{
  for (int b = 0; b < m->n_body; b++)
    if (m->body[b].n_u > 0) return refuse(m, "elastic body", m->body[b].name, err);
  for (int j = 0; j < m->n_joint; j++) {
    const mw_joint_in *in = m->joint[j].in;
    bool known = in->kind == MW_JOINT_REVOLUTE || in->kind == MW_JOINT_PRISMATIC ||
                 in->kind == MW_JOINT_FIXED;
    if (!known) return refuse(m, in->kind == MW_JOINT_SPRING ? "spring" : "joint", in->name, err);
    if (in->has_law || in->friction.present)
      return refuse(m, "friction, stops or play of joint", in->name, err);
  }
  for (int d = 0; d < m->model->n_drive; d++)
    if (m->model->drive[d].rotor) return refuse(m, "rotor of drive", m->model->drive[d].name, err);
  if (m->model->n_component > 0) return refuse(m, "component", m->model->component[0].name, err);
  if (m->model->n_force > 0) return refuse(m, "force of", m->model->name, err);
  return MW_OK;
}

// Mass, centre and inertia of body b about P.
static void inertia(const mw_body *b, const double P[3], segment *l)
{
  double trace = 0.0, J[9];
  l->m = b->m;
  for (int i = 0; i < 3; i++) l->c[i] = b->m > 0.0 ? b->mX[i] / b->m - P[i] : 0.0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      J[3 * i + k] = b->J[3 * i + k] - b->mX[i] * P[k] - P[i] * b->mX[k] + b->m * P[i] * P[k];
  for (int i = 0; i < 3; i++) trace += J[4 * i];
  for (int i = 0; i < 9; i++) l->I[i] = (i % 4 == 0 ? trace : 0.0) - J[i];
}

// Adds the body at the far end of joint j, whose near end is reached.
static void add(builder *z, int j, int near, int body)
{
  const mw_mech *m = z->m;
  const mw_joint *joint = &m->joint[j];
  const double *p = m->p0 + 12 * near, *q = m->p0 + 12 * body,
               *F = near == joint->a ? joint->Fa : joint->Fb,
               *X = near == joint->a ? joint->Xa : joint->Xb, *before = z->P + 3 * near;
  segment *l = &z->o->link[z->o->n];
  double d[3], o[3], ground[3], at[3];
  *l = (segment){ .body = body, .before = z->link_of[near], .coord = joint->coord, .sign = 1.0 };
  l->slides = joint->in->kind == MW_JOINT_PRISMATIC;
  if (joint->in->kind == MW_JOINT_FIXED) l->coord = -1;
  if (near != joint->a) l->sign = -1.0;
  if (l->coord >= 0) {
    l->phi0 = m->s0[l->coord];
    l->damping = joint->in->coordinate_damping;
  }
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      l->C0[3 * i + k] = 0.0;
      for (int e = 0; e < 3; e++) l->C0[3 * i + k] += p[3 + 3 * e + i] * q[3 + 3 * e + k];
    }
  for (int i = 0; i < 3; i++) d[i] = q[i] - p[i];
  mw_mul33tv(p + 3, d, o);  // the body's origin in axes of that before
  bool turns = joint->in->kind == MW_JOINT_REVOLUTE;
  for (int i = 0; i < 3; i++) at[i] = turns ? X[i] : o[i];
  for (int i = 0; i < 3; i++) d[i] = at[i] - o[i];
  mw_mul33tv(l->C0, d, z->P + 3 * body);
  for (int i = 0; i < 3; i++) l->r0[i] = at[i] - before[i];
  const double axis[3] = { F[2], F[5], F[8] };
  mw_mul33v(p + 3, axis, ground);
  mw_mul33tv(q + 3, ground, l->axis);
  inertia(&m->body[body], z->P + 3 * body, l);
  z->link_of[body] = z->o->n++;
  z->used[j] = true;
}

static mw_code grow(builder *z, mw_error *err)
{
  const mw_mech *m = z->m;
  for (bool more = true; more;) {
    more = false;
    for (int j = 0; j < m->n_joint; j++) {
      int a = m->joint[j].a, b = m->joint[j].b;
      bool at_a = z->link_of[a] != -1, at_b = z->link_of[b] != -1;
      if (z->used[j] || (!at_a && !at_b)) continue;
      if (at_a && at_b) return refuse(m, "loop closed by joint", m->joint[j].in->name, err);
      add(z, j, at_a ? a : b, at_a ? b : a);
      more = true;
    }
  }
  for (int b = 0; b < m->n_body; b++)
    if (z->link_of[b] == -1) return refuse(m, "free body", m->body[b].name, err);
  for (int j = 0; j < m->n_joint; j++)
    if (m->joint[j].in->kind != MW_JOINT_FIXED && m->joint[j].coord < 0)
      return refuse(m, "joint without a coordinate", m->joint[j].in->name, err);
  return MW_OK;
}

mw_code mw_newton_euler_build(const mw_mech *m, mw_arena *mem, mw_newton_euler **out, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t nb = (size_t)m->n_body;
  mw_newton_euler *o = mw_arena_alloc(mem, 1, sizeof *o);
  builder z = { .m = m, .o = o };
  z.link_of = mw_arena_int(&tmp, nb);
  z.P = mw_arena_f64(&tmp, 3 * nb);
  z.used = mw_arena_alloc(&tmp, (size_t)m->n_joint, sizeof *z.used);
  if (o) o->link = mw_arena_alloc(mem, nb, sizeof *o->link);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = check(m, err);
  if (rc == MW_OK) {
    o->n_coord = m->n_coord;
    memcpy(o->g, m->model->gravity, sizeof o->g);
    for (size_t b = 0; b < nb; b++) z.link_of[b] = m->body[b].ground ? -2 : -1;
    rc = grow(&z, err);
  }
  mw_arena_free(&tmp);
  if (rc == MW_OK) *out = o;
  return rc;
}

// ---- recursion ----------------------------------------------------------------------------------

// C and r at φ: C0 turned about s, or moved along it.
static void place(segment *l, double phi)
{
  const double *s = l->axis;
  memcpy(l->C, l->C0, sizeof l->C);
  memcpy(l->r, l->r0, sizeof l->r);
  if (l->coord < 0) return;
  if (l->slides) {
    double step[3];
    mw_mul33v(l->C0, s, step);
    for (int i = 0; i < 3; i++) l->r[i] += phi * step[i];
    return;
  }
  double c = cos(phi), sn = sin(phi), k = 1.0 - c;
  const double R[9] = { c + k * s[0] * s[0],         k * s[0] * s[1] - sn * s[2],
                        k * s[0] * s[2] + sn * s[1], k * s[1] * s[0] + sn * s[2],
                        c + k * s[1] * s[1],         k * s[1] * s[2] - sn * s[0],
                        k * s[2] * s[0] - sn * s[1], k * s[2] * s[1] + sn * s[0],
                        c + k * s[2] * s[2] };
  mw_mul33(l->C0, R, l->C);
}

// x += y × z
static void add_cross(const double y[3], const double z[3], double x[3])
{
  x[0] += y[1] * z[2] - y[2] * z[1];
  x[1] += y[2] * z[0] - y[0] * z[2];
  x[2] += y[0] * z[1] - y[1] * z[0];
}

// (1), (2) behind rates w0, wd0 and the acceleration a0 of the body before
static void outwards(segment *l, const double w0[3], const double wd0[3], const double a0[3],
                     double v, double acc)
{
  double x[3], a[3] = { a0[0], a0[1], a0[2] }, turn[3] = { 0.0 };
  mw_cross3(w0, l->r, x);
  add_cross(w0, x, a);
  add_cross(wd0, l->r, a);
  mw_mul33tv(l->C, w0, l->w);
  mw_mul33tv(l->C, wd0, l->wd);
  mw_mul33tv(l->C, a, l->a);
  for (int i = 0; i < 3; i++) x[i] = l->axis[i] * v;
  mw_cross3(l->w, x, turn);
  for (int i = 0; i < 3; i++) {
    if (l->slides) {
      l->a[i] += l->axis[i] * acc + 2.0 * turn[i];
    } else {
      l->wd[i] += l->axis[i] * acc + turn[i];
      l->w[i] += x[i];
    }
  }
}

// What the body itself has of (3)
static void own(segment *l)
{
  double x[3], Iw[3];
  mw_cross3(l->w, l->c, x);
  for (int i = 0; i < 3; i++) l->f[i] = l->a[i];
  add_cross(l->wd, l->c, l->f);
  add_cross(l->w, x, l->f);
  mw_mul33v(l->I, l->wd, l->n);
  mw_mul33v(l->I, l->w, Iw);
  add_cross(l->w, Iw, l->n);
  for (int i = 0; i < 3; i++) {
    l->f[i] *= l->m;
    x[i] = l->m * l->c[i];
  }
  add_cross(x, l->a, l->n);
}

void mw_newton_euler_eval(mw_newton_euler *n, const double *q, const double *v, const double *a,
                          double *Q)
{
  static const double NONE[3] = { 0.0 };
  const double rest[3] = { -n->g[0], -n->g[1], -n->g[2] };
  for (int c = 0; c < n->n_coord; c++) Q[c] = 0.0;
  for (int i = 0; i < n->n; i++) {
    segment *l = &n->link[i];
    const segment *b = l->before >= 0 ? &n->link[l->before] : NULL;
    int c = l->coord;
    place(l, c < 0 ? 0.0 : l->sign * (q[c] - l->phi0));
    outwards(l, b ? b->w : NONE, b ? b->wd : NONE, b ? b->a : rest, c < 0 ? 0.0 : l->sign * v[c],
             c < 0 ? 0.0 : l->sign * a[c]);
    own(l);
  }
  for (int i = n->n - 1; i >= 0; i--) {
    segment *l = &n->link[i];
    const double *along = l->slides ? l->f : l->n;
    if (l->coord >= 0) Q[l->coord] = l->sign * mw_dot3(l->axis, along) + l->damping * v[l->coord];
    if (l->before < 0) continue;
    segment *b = &n->link[l->before];
    double f[3], t[3];
    mw_mul33v(l->C, l->f, f);
    mw_mul33v(l->C, l->n, t);
    add_cross(l->r, f, t);
    for (int k = 0; k < 3; k++) {
      b->f[k] += f[k];
      b->n[k] += t[k];
    }
  }
}
