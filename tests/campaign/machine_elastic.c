// SPDX-License-Identifier: BSD-3-Clause
// machine_elastic.c: random machines with elastic bodies, small enough to be run on their meshes.
#include <math.h>
#include <string.h>

#include "machine_layer.h"

typedef unsigned long long seed;

enum { X, Y, Z };

static double between(seed *s, double lo, double hi) { return lo + (hi - lo) * machine_uniform(s); }

// A machine is made along these axes, columns, and stands anywhere.
typedef struct place {
  double E[9], o[3];
} place;

static void at(const place *p, double x, double y, double z, double *out)
{
  for (int i = 0; i < 3; i++)
    out[i] = p->o[i] + p->E[3 * i] * x + p->E[3 * i + 1] * y + p->E[3 * i + 2] * z;
}

static void along(const place *p, int k, double *out)
{
  for (int i = 0; i < 3; i++) out[i] = p->E[3 * i + k];
}

// A beam from x to y, its height along axis k of the place.
static machine_body *beam(seed *s, machine *m, const place *p, const double *x, const double *y,
                          int k)
{
  machine_body *B = &m->body[m->n_body++];
  bool steel = machine_uniform(s) < 0.5;
  *B = (machine_body){ .elastic = true,
                       .E_mod = steel ? 210e9 : 70e9,
                       .rho = steel ? 7850.0 : 2700.0,
                       .width = between(s, 0.03, 0.06),
                       .height = between(s, 0.03, 0.06),
                       .mass = between(s, 0.2, 2.0),
                       .elements = 3 + (int)(3 * machine_uniform(s)) };
  memcpy(B->o, x, sizeof B->o);
  memcpy(B->end, y, sizeof B->end);
  along(p, k, B->up);
  memcpy(B->E, p->E, sizeof B->E);
  for (int i = 0; i < 3; i++) B->J[4 * i] = 2e-3 * B->mass;
  return B;
}

static machine_body *block(seed *s, machine *m, const place *p, const double *x)
{
  machine_body *B = &m->body[m->n_body++];
  *B = (machine_body){ .mass = between(s, 2.0, 8.0) };
  memcpy(B->o, x, sizeof B->o);
  memcpy(B->com, x, sizeof B->com);
  memcpy(B->E, p->E, sizeof B->E);
  for (int i = 0; i < 3; i++) B->J[4 * i] = 5e-3 * B->mass;
  return B;
}

static machine_joint *add_joint(machine *m, machine_kind kind, int a, int b, const double *x)
{
  machine_joint *j = &m->joint[m->n_joint++];
  *j = (machine_joint){ .kind = kind, .a = a, .b = b };
  memcpy(j->p, x, sizeof j->p);
  return j;
}

// The drive of a coordinate leads it by `way` about the middle of its range.
static void lead(seed *s, machine_joint *j, double mid, double way)
{
  double sense = machine_uniform(s) < 0.5 ? -1.0 : 1.0, w = way * between(s, 0.5, 1.0);
  j->named = true;
  j->start = mid - 0.5 * sense * w;
  j->to = mid + 0.5 * sense * w;
  j->lo = mid - 0.7 * way;
  j->hi = mid + 0.7 * way;
}

// Links that turn about axes of any kind, one behind the other, from point x of body a.
static void arm(seed *s, machine *m, const place *p, int a, double *x, int links)
{
  static const int AXIS[3][2] = { { Y, Z }, { X, Z }, { X, Y } };
  for (int k = 0; k < links; k++) {
    int way = (int)(3 * machine_uniform(s)), up = AXIS[way][0];
    double y[3], d = between(s, 0.35, 0.7);
    for (int i = 0; i < 3; i++) y[i] = x[i] + d * p->E[3 * i + way];
    (void)beam(s, m, p, x, y, up);
    machine_joint *j = add_joint(m, MACHINE_REVOLUTE, a, m->n_body - 1, x);
    along(p, AXIS[way][machine_uniform(s) < 0.5], j->axis);
    lead(s, j, 0.0, 0.8);
    a = m->n_body - 1;
    memcpy(x, y, sizeof y);
  }
}

// A carriage on the beam that is body a, whose ends are x0 and x0 + d along X.
static void carriage(seed *s, machine *m, const place *p, int a, double d, const double *x)
{
  static const double SIDE[4] = { 1.0, 1.0, -1.0, -1.0 }, ALONG[4] = { 1.0, -1.0, 1.0, -1.0 };
  double half = between(s, 0.05, 0.09);
  (void)block(s, m, p, x);
  machine_joint *j = add_joint(m, MACHINE_SLIDE, a, m->n_body - 1, x);
  bool one = machine_uniform(s) < 0.4;
  j->n_runner = one ? 1 : 4;
  for (int k = 0; !one && k < 4; k++) {
    j->offset[k] = half * ALONG[k];
    j->shift[k] = 0.04 * SIDE[k];
  }
  if (!one) {
    j->stiffness = exp(between(s, log(2e7), log(3e8)));
    j->runner_damping = between(s, 0.0, 3e3);
  }
  lead(s, j, 0.5 * d, 0.35 * d);
}

static void make_carriage(seed *s, machine *m, const place *p)
{
  double x[3], y[3], d = between(s, 0.8, 1.4);
  at(p, 0.0, 0.0, 0.0, x);
  at(p, d, 0.0, 0.0, y);
  beam(s, m, p, x, y, Z)->held = true;
  at(p, 0.5 * d, 0.0, 0.0, x);
  if (machine_uniform(s) < 0.5) {
    machine_spring *sp = &m->spring[m->n_spring++];
    *sp = (machine_spring){ .a = 0, .b = 1, .k = between(s, 1e3, 1e6) };
    memcpy(sp->pa, x, sizeof x);
    memcpy(sp->pb, x, sizeof x);
  }
  carriage(s, m, p, 1, d, x);
  if (machine_uniform(s) < 0.5) {
    at(p, 0.5 * d, 0.0, 0.1, x);
    arm(s, m, p, m->n_body - 1, x, 1);
  }
}

// A cantilever on a travelling body, a carriage on it.
static void make_bridge(seed *s, machine *m, const place *p)
{
  double x[3], y[3], d = between(s, 0.6, 1.0);
  at(p, 0.0, 0.0, 0.0, x);
  at(p, d, 0.0, 0.0, y);
  (void)block(s, m, p, x);
  machine_joint *j = add_joint(m, MACHINE_PRISMATIC, 0, 1, x);
  along(p, Y, j->axis);
  lead(s, j, 0.0, 0.4);
  (void)beam(s, m, p, x, y, Z);
  (void)add_joint(m, MACHINE_FIXED, 1, 2, x);
  at(p, 0.5 * d, 0.0, 0.0, x);
  carriage(s, m, p, 2, d, x);
}

// Crank, rod, and a body that travels along X.
static void make_crank(seed *s, machine *m, const place *p)
{
  double o[3], a[3], b[3], phi = between(s, 0.5, 1.2), c = between(s, 0.1, 0.2),
                           r = between(s, 0.35, 0.5);
  at(p, 0.0, 0.0, 0.0, o);
  at(p, c * cos(phi), c * sin(phi), 0.0, a);
  at(p, c * cos(phi) + sqrt(r * r - c * c * sin(phi) * sin(phi)), 0.0, 0.0, b);
  (void)beam(s, m, p, o, a, Z);
  (void)beam(s, m, p, a, b, Z);
  (void)block(s, m, p, b);
  machine_joint *j = add_joint(m, MACHINE_REVOLUTE, 0, 1, o);
  along(p, Z, j->axis);
  lead(s, j, 0.0, 0.6);
  j = add_joint(m, MACHINE_REVOLUTE, 1, 2, a);
  along(p, Z, j->axis);
  (void)add_joint(m, MACHINE_SPHERICAL, 2, 3, b);
  j = add_joint(m, MACHINE_PRISMATIC, 0, 3, b);
  along(p, X, j->axis);
}

void machine_make_elastic(unsigned long long *state, machine *m)
{
  place p;
  double x[3];
  machine_turn((seed)(0x1p52 * machine_uniform(state)), false, p.E);
  for (int i = 0; i < 3; i++) p.o[i] = between(state, -1.0, 1.0);
  m->duration = between(state, 0.3, 0.6);
  m->store = m->duration / 40.0;
  m->step = m->store / 20.0;
  if (machine_uniform(state) < 0.5) m->beta = between(state, 0.0, 2e-5);
  memcpy(x, p.o, sizeof x);
  if (m->family == MACHINE_ARM)
    arm(state, m, &p, 0, x, 1 + (int)(3 * machine_uniform(state)));
  else if (m->family == MACHINE_CARRIAGE)
    make_carriage(state, m, &p);
  else if (m->family == MACHINE_BRIDGE)
    make_bridge(state, m, &p);
  else
    make_crank(state, m, &p);
}
