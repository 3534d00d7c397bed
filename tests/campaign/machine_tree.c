// SPDX-License-Identifier: BSD-3-Clause
// machine_tree.c: the motion of a tree of rigid bodies in joint coordinates, by none of modeway's
// code.
//
//   M(q) q'' = Q - c(q, q'),   M = Σ_b (m J_v' J_v + J_w' I J_w),   c: accelerations at q'' = 0
//
// J_v and J_w are the bodies' velocities of unit rates. Runge-Kutta of fourth order. O(n_body n²) a
// right-hand side. [Featherstone, Rigid Body Dynamics Algorithms, Springer 2008, chapters 5, 6: the
// same in other words.]
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

typedef struct place {  // of a body at q, q'
  double R[9], o[3];    // from the reference: x = o + R (X - O)
  double w[3], v[3];    // rad/s, m/s of the origin
  double dw[3], dv[3];  // rates of both at q'' = 0
  double p[3], a[3];    // of the joint to its parent: a point and the axis there
} place;

typedef struct tree {
  const machine *m;
  place at[MACHINE_BODIES];
  int joint[MACHINE_BODIES];  // to the parent
} tree;

static void cross(const double *a, const double *b, double *c)
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void apply(const double *R, const double *x, double *y)
{
  double z[3];
  for (int i = 0; i < 3; i++) z[i] = dot(R + 3 * i, x);
  memcpy(y, z, sizeof z);
}

// y += w × (w × r) + dw × r
static void add_turning(const double *w, const double *dw, const double *r, double *y)
{
  double c[3], d[3], e[3];
  cross(w, r, c);
  cross(w, c, d);
  cross(dw, r, e);
  for (int i = 0; i < 3; i++) y[i] += d[i] + e[i];
}

// R = rotation by phi about the unit axis a (Rodrigues) times P
static void turned(const double *a, double phi, const double *P, double *R)
{
  double c = cos(phi), s = sin(phi);
  for (int k = 0; k < 3; k++) {
    double x[3] = { P[k], P[3 + k], P[6 + k] }, y[3], along = dot(a, x);
    cross(a, x, y);
    for (int i = 0; i < 3; i++) R[3 * i + k] = c * x[i] + s * y[i] + (1.0 - c) * along * a[i];
  }
}

// The body behind joint j, from its parent.
static void place_body(tree *t, int j, double q, double rate)
{
  const machine_joint *jt = &t->m->joint[j];
  const machine_body *B = &t->m->body[jt->b], *A = &t->m->body[jt->a];
  const place *P = &t->at[jt->a];
  place *p = &t->at[jt->b];
  double r[3], rb[3], wr[3], wa[3];
  bool turns = jt->kind == MACHINE_REVOLUTE, slides = jt->kind == MACHINE_PRISMATIC;
  for (int i = 0; i < 3; i++) r[i] = jt->p[i] - A->o[i];
  apply(P->R, r, r);
  apply(P->R, jt->axis, p->a);
  turned(p->a, turns ? q : 0.0, P->R, p->R);
  for (int i = 0; i < 3; i++) {
    if (slides) r[i] += q * p->a[i];
    p->p[i] = P->o[i] + r[i];
    p->w[i] = P->w[i] + (turns ? rate * p->a[i] : 0.0);
  }
  cross(P->w, p->a, wa);
  cross(P->w, r, wr);
  for (int i = 0; i < 3; i++) {
    p->dw[i] = P->dw[i] + (turns ? rate * wa[i] : 0.0);
    p->v[i] = P->v[i] + wr[i] + (slides ? rate * p->a[i] : 0.0);
    p->dv[i] = P->dv[i] + (slides ? 2.0 * rate * wa[i] : 0.0);
    rb[i] = B->o[i] - jt->p[i];
  }
  add_turning(P->w, P->dw, r, p->dv);
  apply(p->R, rb, rb);
  cross(p->w, rb, wr);
  for (int i = 0; i < 3; i++) {
    p->o[i] = p->p[i] + rb[i];
    p->v[i] += wr[i];
  }
  add_turning(p->w, p->dw, rb, p->dv);
}

// Velocities of body b's centre of mass c and its turning of a unit rate of joint j.
static void unit_rate(const tree *t, int j, const double *c, double *Jv, double *Jw)
{
  const machine_joint *jt = &t->m->joint[j];
  const place *p = &t->at[jt->b];
  double r[3];
  memset(Jw, 0, 3 * sizeof *Jw);
  memset(Jv, 0, 3 * sizeof *Jv);
  for (int i = 0; i < 3; i++) r[i] = c[i] - p->p[i];
  if (jt->kind == MACHINE_REVOLUTE) {
    memcpy(Jw, p->a, 3 * sizeof *Jw);
    cross(p->a, r, Jv);
  } else if (jt->kind == MACHINE_PRISMATIC) {
    memcpy(Jv, p->a, 3 * sizeof *Jv);
  }
}

// Adds body b to M [n × n] and f [n].
static void add_body(const tree *t, int b, double *M, double *f)
{
  int n = t->m->n_joint, path[MACHINE_BODIES], n_path = 0;
  const machine_body *B = &t->m->body[b];
  const place *p = &t->at[b];
  double c[3], I[9], RJ[9], ac[3], Iw[3], Ia[3], wIw[3], Jv[MACHINE_BODIES][3],
      Jw[MACHINE_BODIES][3];
  for (int i = 0; i < 3; i++) c[i] = B->com[i] - B->o[i];
  apply(p->R, c, c);
  for (int i = 0; i < 3; i++) ac[i] = p->dv[i] - t->m->gravity[i];
  add_turning(p->w, p->dw, c, ac);
  for (int i = 0; i < 3; i++) c[i] += p->o[i];
  for (int i = 0; i < 9; i++) RJ[i] = 0.0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < 3; l++) RJ[3 * i + k] += p->R[3 * i + l] * B->J[3 * l + k];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) I[3 * i + k] = dot(RJ + 3 * i, p->R + 3 * k);
  apply(I, p->w, Iw);
  apply(I, p->dw, Ia);
  cross(p->w, Iw, wIw);
  for (int a = b; a != 0; a = t->m->joint[t->joint[a]].a) path[n_path++] = t->joint[a];
  for (int i = 0; i < n_path; i++) unit_rate(t, path[i], c, Jv[i], Jw[i]);
  for (int i = 0; i < n_path; i++) {
    f[path[i]] -= B->mass * dot(Jv[i], ac) + dot(Jw[i], Ia) + dot(Jw[i], wIw);
    for (int k = 0; k < n_path; k++) {
      double y[3];
      apply(I, Jw[k], y);
      M[n * path[i] + path[k]] += B->mass * dot(Jv[i], Jv[k]) + dot(Jw[i], y);
    }
  }
}

// Solves M x = f, symmetric positive definite, by elimination; fixed joints have x = 0.
static void solve(const machine *m, double *M, double *f)
{
  int n = m->n_joint;
  for (int k = 0; k < n; k++)
    if (m->joint[k].kind == MACHINE_FIXED) M[n * k + k] = 1.0, f[k] = 0.0;
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      double r = M[n * i + k] / M[n * k + k];
      for (int j = k; j < n; j++) M[n * i + j] -= r * M[n * k + j];
      f[i] -= r * f[k];
    }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) f[k] -= M[n * k + j] * f[j];
    f[k] /= M[n * k + k];
  }
}

static void place_all(tree *t, const double *q)
{
  const machine *m = t->m;
  for (int j = 0; j < m->n_joint; j++) {  // parents come first
    t->joint[m->joint[j].b] = j;
    place_body(t, j, q[j], q[m->n_joint + j]);
  }
}

// q [2n]: coordinates and rates; dq: theirs.
static void rates(tree *t, double time, const double *q, double *dq)
{
  static const double TURN = 6.283185307179586;
  const machine *m = t->m;
  int n = m->n_joint;
  double M[MACHINE_JOINTS * MACHINE_JOINTS] = { 0 }, *f = dq + n;
  place_all(t, q);
  for (int j = 0; j < n; j++) {
    const machine_joint *jt = &m->joint[j];
    dq[j] = q[n + j];
    f[j] = jt->amplitude * sin(TURN * jt->hz * time) - jt->damping * q[n + j] - jt->k * q[j];
  }
  for (int b = 1; b < m->n_body; b++) add_body(t, b, M, f);
  solve(m, M, f);
}

static void step(tree *t, double time, double h, double *q)
{
  static const double PART[4] = { 0.0, 0.5, 0.5, 1.0 }, WEIGHT[4] = { 1.0, 2.0, 2.0, 1.0 };
  double k[2 * MACHINE_JOINTS] = { 0 }, x[2 * MACHINE_JOINTS], sum[2 * MACHINE_JOINTS] = { 0 };
  int n = 2 * t->m->n_joint;
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < n; j++) x[j] = q[j] + PART[i] * h * k[j];
    rates(t, time + PART[i] * h, x, k);
    for (int j = 0; j < n; j++) sum[j] += WEIGHT[i] * h / 6.0 * k[j];
  }
  for (int j = 0; j < n; j++) q[j] += sum[j];
}

bool machine_tree_run(const machine *m, double h, int n_t, double *s, double *x)
{
  tree *t = calloc(1, sizeof *t);
  double q[2 * MACHINE_JOINTS] = { 0 };
  int n = m->n_joint, per = (int)lround(m->store / h);
  if (!t) return false;
  t->m = m;
  for (int i = 0; i < 3; i++) t->at[0].R[4 * i] = 1.0;
  memcpy(t->at[0].o, m->body[0].o, sizeof t->at[0].o);
  for (int j = 0; j < n; j++) q[j] = m->joint[j].start, q[n + j] = m->joint[j].rate;
  for (int k = 0; k < n_t; k++) {
    for (int i = 0; k > 0 && i < per; i++) step(t, ((k - 1) * per + i) * h, h, q);
    place_all(t, q);
    memcpy(s + (size_t)k * (size_t)n, q, (size_t)n * sizeof *s);
    for (int b = 0; b < m->n_body; b++)
      memcpy(x + ((size_t)k * (size_t)m->n_body + (size_t)b) * 3, t->at[b].o, 3 * sizeof *x);
  }
  free(t);
  return true;
}
