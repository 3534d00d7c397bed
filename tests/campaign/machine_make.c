// SPDX-License-Identifier: BSD-3-Clause
// machine_make.c: makes a random machine of a number.
#include "machine.h"

#include <math.h>
#include <string.h>

#include "machine_layer.h"

static const double GRAVITY = 9.81;  // m/s2

double machine_uniform(unsigned long long *state)  // splitmix64
{
  *state += 0x9e3779b97f4a7c15u;
  unsigned long long z = *state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

typedef unsigned long long seed;

static double between(seed *s, double lo, double hi) { return lo + (hi - lo) * machine_uniform(s); }

static int below(seed *s, int n) { return (int)(machine_uniform(s) * n); }

static void direction(seed *s, double *e)
{
  double r = 0.0;
  while (!(r > 0.01 && r < 1.0)) {
    for (int i = 0; i < 3; i++) e[i] = between(s, -1.0, 1.0);
    r = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
  }
  for (int i = 0; i < 3; i++) e[i] /= sqrt(r);
}

void machine_cross(const double *a, const double *b, double *c)
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

// A unit vector across e.
static void across(seed *s, const double *e, double *n)
{
  double d[3], r = 0.0;
  while (!(r > 0.2)) {
    direction(s, d);
    machine_cross(e, d, n);
    r = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  }
  for (int i = 0; i < 3; i++) n[i] /= r;
}

static void axes(seed *s, double *E)  // columns
{
  double x[3], y[3], z[3];
  direction(s, x);
  across(s, x, y);
  machine_cross(x, y, z);
  for (int i = 0; i < 3; i++) E[3 * i] = x[i], E[3 * i + 1] = y[i], E[3 * i + 2] = z[i];
}

void machine_turn(unsigned long long number, bool mirror, double *Q)
{
  axes(&number, Q);
  for (int i = 0; mirror && i < 3; i++) Q[3 * i] = -Q[3 * i];
}

bool machine_turns(const machine_joint *j)
{
  return j->kind == MACHINE_REVOLUTE || j->kind == MACHINE_UNIVERSAL;
}

// ---- rigid --------------------------------------------------------------------------------------

// A cuboid of some size about its centre of mass.
static void solid(seed *s, machine_body *b)
{
  double C[9], d[3], m[3], sum = 0.0;
  b->mass = exp(between(s, log(0.5), log(5.0)));
  for (int i = 0; i < 3; i++) {
    d[i] = between(s, 0.05, 0.5);
    sum += d[i] * d[i];
  }
  for (int i = 0; i < 3; i++) m[i] = b->mass / 12.0 * (sum - d[i] * d[i]);
  axes(s, C);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < 3; l++) b->J[3 * i + k] += C[3 * i + l] * m[l] * C[3 * k + l];
}

static void weigh(seed *s, machine *m)
{
  direction(s, m->gravity);
  for (int i = 0; i < 3; i++) m->gravity[i] *= GRAVITY;
}

static machine_joint *add_joint(machine *m, machine_kind kind, int a, int b, const double *p)
{
  machine_joint *j = &m->joint[m->n_joint++];
  *j = (machine_joint){ .kind = kind, .a = a, .b = b };
  memcpy(j->p, p, sizeof j->p);
  return j;
}

// What acts on a coordinate.
static void act(seed *s, machine_joint *j)
{
  j->named = true;
  if (below(s, 2)) j->damping = between(s, 0.0, 2.0);
  if (below(s, 3) == 0) j->k = between(s, 1.0, 30.0);
  if (below(s, 2)) {
    j->amplitude = between(s, -8.0, 8.0);
    j->hz = between(s, 0.5, 3.0);
  }
}

static machine_kind kind_of(seed *s, machine_family family)
{
  static const machine_kind SIMPLE[] = { MACHINE_REVOLUTE, MACHINE_REVOLUTE, MACHINE_REVOLUTE,
                                         MACHINE_PRISMATIC, MACHINE_FIXED };
  static const machine_kind ALL[] = { MACHINE_REVOLUTE,    MACHINE_PRISMATIC, MACHINE_FIXED,
                                      MACHINE_SPHERICAL,   MACHINE_UNIVERSAL, MACHINE_CYLINDRICAL,
                                      MACHINE_CYLINDRICAL, MACHINE_PLANAR };
  return family == MACHINE_TREE ? SIMPLE[below(s, 5)] : ALL[below(s, 8)];
}

static void tree(seed *s, machine *m)
{
  int n = 2 + below(s, MACHINE_BODIES - 2);
  for (int b = 1; b <= n; b++) {
    int a = below(s, 3) ? b - 1 : below(s, b);
    machine_body *B = &m->body[b];
    double p[3], d[3];
    direction(s, d);
    for (int i = 0; i < 3; i++) p[i] = m->body[a].o[i] + 0.3 * d[i];
    direction(s, d);
    for (int i = 0; i < 3; i++) {
      B->o[i] = p[i] + 0.2 * d[i];
      B->com[i] = B->o[i] + between(s, -0.1, 0.1);
    }
    axes(s, B->E);
    solid(s, B);
    machine_joint *j = add_joint(m, b == 1 ? MACHINE_REVOLUTE : kind_of(s, m->family), a, b, p);
    direction(s, j->axis);
    across(s, j->axis, j->axis_b);
    if (j->kind == MACHINE_FIXED || j->kind == MACHINE_SPHERICAL || j->kind == MACHINE_PLANAR)
      continue;
    act(s, j);
    if (j->kind != MACHINE_REVOLUTE && j->kind != MACHINE_PRISMATIC) continue;
    if (m->family == MACHINE_TREE) j->start = between(s, -0.6, 0.6);
    // at the start springs hold as if they were rigid, by rows in axes that a view may turn
    if (m->family == MACHINE_TREE || m->number % 2) j->rate = between(s, -2.0, 2.0);
  }
  m->n_body = n + 1;
}

static int freedoms(const machine *m)
{
  static const int FREE[] = { 1, 1, 0, 3, 2, 2, 3, -1, 1 };
  int n = 0;
  for (int j = 0; j < m->n_joint; j++) n += FREE[m->joint[j].kind];
  return n;
}

static void rods(seed *s, machine *m)
{
  int n = 1 + below(s, 3);
  for (int j = 0; j < m->n_joint; j++) m->joint[j].rate = 0.0;
  for (int k = 0; k < n && freedoms(m) > 2; k++) {
    int b = 1 + below(s, m->n_body - 1), a = below(s, b);
    double d[3];
    direction(s, d);
    for (int i = 0; i < 3; i++) d[i] = m->body[b].o[i] + 0.15 * d[i];
    machine_joint *j = add_joint(m, MACHINE_DISTANCE, a, b, d);
    direction(s, d);
    for (int i = 0; i < 3; i++) j->pa[i] = m->body[a].o[i] + 0.25 * d[i];
  }
}

static void springs(seed *s, machine *m)
{
  int n = below(s, 4);
  for (int k = 0; k < n; k++) {
    machine_spring *p = &m->spring[m->n_spring++];
    double d[3], e[3];
    p->b = 1 + below(s, m->n_body - 1);
    p->a = below(s, p->b);
    direction(s, d);
    direction(s, e);
    for (int i = 0; i < 3; i++) {
      p->pa[i] = m->body[p->a].o[i] + 0.25 * d[i];
      p->pb[i] = m->body[p->b].o[i] + 0.15 * e[i];
    }
    p->k = between(s, 10.0, 200.0);
    p->c = below(s, 2) ? between(s, 0.0, 3.0) : 0.0;
    p->line = below(s, 2) || (m->family == MACHINE_MIXED && m->number % 2);
    // springs whose ends meet: a force that goes with the way apart
    if (!p->line) memcpy(p->pb, p->pa, sizeof p->pb);
  }
}

// A chain of links in a plane, the last of which ends on the ground.
static void plane(seed *s, machine *m)
{
  int n = 3 + below(s, 4);
  double E[9], p[3] = { 0.0 };
  axes(s, E);
  for (int b = 1; b <= n; b++) {
    machine_body *B = &m->body[b];
    double u = between(s, -0.5, 0.5), v = between(s, 0.1, 0.5), next[3];
    for (int i = 0; i < 3; i++) {
      next[i] = p[i] + E[3 * i] * (b % 2 ? v : u) + E[3 * i + 1] * (b % 2 ? u : v);
      B->o[i] = p[i];
      B->com[i] = 0.5 * (p[i] + next[i]) + between(s, -0.1, 0.1);
    }
    axes(s, B->E);
    solid(s, B);
    machine_joint *j = add_joint(m, MACHINE_REVOLUTE, b - 1, b, p);
    for (int i = 0; i < 3; i++) j->axis[i] = E[3 * i + 2];
    act(s, j);
    memcpy(p, next, sizeof p);
  }
  m->n_body = n + 1;
  machine_joint *j = add_joint(m, MACHINE_REVOLUTE, 0, n, p);
  for (int i = 0; i < 3; i++) j->axis[i] = E[3 * i + 2];
}

static void rigid(seed *s, machine *m)
{
  if (m->family == MACHINE_PLANE)
    plane(s, m);
  else
    tree(s, m);
  if (m->family == MACHINE_LOOPS) rods(s, m);
  if (m->family != MACHINE_TREE) springs(s, m);
  for (int j = 0; j < m->n_joint; j++) m->joint[j].to = m->joint[j].start;
  m->duration = 0.5;
  m->step = 1e-3;
  m->store = 0.05;
}

void machine_make(machine_family family, unsigned long number, machine *out)
{
  seed s = (seed)number * MACHINE_FAMILIES + (seed)family;
  *out = (machine){ .number = number, .family = family, .n_body = 1 };
  out->body[0].E[0] = out->body[0].E[4] = out->body[0].E[8] = 1.0;
  weigh(&s, out);
  if (family < MACHINE_ARM)
    rigid(&s, out);
  else
    machine_make_elastic(&s, out);
}
