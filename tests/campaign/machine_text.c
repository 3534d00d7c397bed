// SPDX-License-Identifier: BSD-3-Clause
// machine_text.c: a machine's model file in a view: other units, axes, frames, orders and names.
//
//   points x' = l (Q x + d)   directions Q n   turns det(Q) Q n   inertia m l² Q J Qᵀ
//   force m l   moment m l²   stiffness m, of angles m l²   modulus m/l   density m/l³
//
// An angle about det(Q) Q n is the angle about n, in a mirror too.
#include <math.h>
#include <string.h>

#include "machine_layer.h"

typedef struct text {
  const machine *m;
  const machine_view *v;
  FILE *f;
  double det;
  double o[MACHINE_BODIES][3], E[MACHINE_BODIES][9];  // frames of bodies in the view
} text;

typedef unsigned long long seed;

machine_view machine_view_plain(void)
{
  return (machine_view){ .Q = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, .length = 1, .mass = 1, .soft = 1 };
}

static void times(const double *Q, const double *x, double *y)
{
  double z[3];
  for (int i = 0; i < 3; i++) z[i] = Q[3 * i] * x[0] + Q[3 * i + 1] * x[1] + Q[3 * i + 2] * x[2];
  memcpy(y, z, sizeof z);
}

static void point(const machine_view *v, const double *x, double *y)
{
  times(v->Q, x, y);
  for (int i = 0; i < 3; i++) y[i] = v->length * (y[i] + v->shift[i]);
}

void machine_back(const machine_view *v, const double *seen, double *x)
{
  double d[3];
  for (int i = 0; i < 3; i++) d[i] = seen[i] / v->length - v->shift[i];
  for (int i = 0; i < 3; i++) x[i] = v->Q[i] * d[0] + v->Q[3 + i] * d[1] + v->Q[6 + i] * d[2];
}

// The name of number i of a kind, a letter.
static void name_of(const machine_view *v, char kind, int i, char *name)
{
  seed s = v->names + (seed)(unsigned char)kind * 64u + (seed)i;
  if (v->names == 0)
    snprintf(name, MACHINE_NAME, "%c%d", kind, i);
  else
    snprintf(name, MACHINE_NAME, "%c%c_%c%d", 'A' + (int)(26 * machine_uniform(&s)),
             'a' + (int)(26 * machine_uniform(&s)), kind, i);
}

void machine_coord_name(const machine_view *v, int j, char *name) { name_of(v, 'q', j, name); }

// How the numbers 0 … n - 1 are ordered.
static void order(const machine_view *v, int n, int *at)
{
  seed s = v->order;
  for (int i = 0; i < n; i++) at[i] = i;
  for (int i = n - 1; v->order != 0 && i > 0; i--) {
    int k = (int)(machine_uniform(&s) * (i + 1)), x = at[i];
    at[i] = at[k];
    at[k] = x;
  }
}

// ---- numbers ------------------------------------------------------------------------------------

static void list(FILE *f, const char *key, const double *x)
{
  fprintf(f, "%s: [%.17g, %.17g, %.17g]", key, x[0], x[1], x[2]);
}

// A point of a body in its own axes.
static void local_point(const text *t, int b, const double *x, double *y)
{
  double d[3];
  point(t->v, x, d);
  for (int i = 0; i < 3; i++) d[i] -= t->o[b][i];
  for (int i = 0; i < 3; i++)
    y[i] = t->E[b][i] * d[0] + t->E[b][3 + i] * d[1] + t->E[b][6 + i] * d[2];
}

static void local_direction(const text *t, int b, const double *n, double factor, double *y)
{
  double d[3];
  times(t->v->Q, n, d);
  for (int i = 0; i < 3; i++)
    y[i] = factor * (t->E[b][i] * d[0] + t->E[b][3 + i] * d[1] + t->E[b][6 + i] * d[2]);
}

// The frames of bodies: their own, or others where the view says so.
static void frames(text *t)
{
  for (int b = 0; b < t->m->n_body; b++) {
    const machine_body *B = &t->m->body[b];
    double C[9], d[3] = { 0 };
    seed s = t->v->frames + (seed)b;
    bool other = t->v->frames != 0 && b > 0;
    machine_turn(s + 1000u, false, C);
    for (int i = 0; other && i < 3; i++) d[i] = 0.4 * machine_uniform(&s) - 0.2;
    for (int i = 0; i < 3; i++) d[i] += B->o[i];
    point(t->v, d, t->o[b]);
    if (b == 0) memset(t->o[b], 0, sizeof t->o[b]);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) {
        t->E[b][3 * i + k] = b == 0 ? (i == k) : 0.0;
        for (int l = 0; b > 0 && !other && l < 3; l++)
          t->E[b][3 * i + k] += t->v->Q[3 * i + l] * B->E[3 * l + k] * (k == 0 ? t->det : 1.0);
        if (other) t->E[b][3 * i + k] = C[3 * i + k];
      }
  }
}

// ---- bodies -------------------------------------------------------------------------------------

static void inertia(const text *t, int b, const double *J)
{
  double K[9], e[3][3], unit = t->v->mass * t->v->length * t->v->length;
  double F[9];  // axes of the body in the machine's ground axes, up to their sense
  for (int k = 0; k < 3; k++) {
    double c[3] = { t->E[b][k], t->E[b][3 + k], t->E[b][6 + k] };
    for (int i = 0; i < 3; i++)
      F[3 * i + k] = t->v->Q[i] * c[0] + t->v->Q[3 + i] * c[1] + t->v->Q[6 + i] * c[2];
  }
  for (int k = 0; k < 3; k++) {
    double c[3] = { F[k], F[3 + k], F[6 + k] };
    times(J, c, e[k]);
  }
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      K[3 * i + k] = unit * (F[i] * e[k][0] + F[3 + i] * e[k][1] + F[6 + i] * e[k][2]);
  fprintf(t->f, "inertia: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g]", K[0], K[4], K[8], K[1], K[2],
          K[5]);
}

static double distance(const double *a, const double *b)
{
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
              (a[2] - b[2]) * (a[2] - b[2]));
}

static void middle(const machine_body *B, double *x)
{
  for (int i = 0; i < 3; i++) x[i] = 0.5 * (B->o[i] + B->end[i]);
}

// The node of an elastic body that is nearest to x: a, m or b.
static char node_of(const machine_body *B, const double *x)
{
  double c[3];
  middle(B, c);
  double a = distance(x, B->o), m = distance(x, c), b = distance(x, B->end);
  return a <= m && a <= b ? 'a' : m <= b ? 'm' : 'b';
}

static void frame(const text *t, int b, const char *name, const double *x)
{
  const machine_body *B = &t->m->body[b];
  double y[3];
  local_point(t, b, x, y);
  fprintf(t->f, "      %s: { ", name);
  if (B->elastic)
    fprintf(t->f, "node: %c", node_of(B, x));
  else
    list(t->f, "point", y);
  fprintf(t->f, " }\n");
}

// Names of the frames of both ends of joint or spring i: kind and a or b.
static void end_of(char kind, int i, char end, char *name)
{
  snprintf(name, MACHINE_NAME, "%c%d%c", kind, i, end);
}

static void body_frames(const text *t, int b)
{
  const machine *m = t->m;
  const machine_body *B = &m->body[b];
  char name[MACHINE_NAME];
  fprintf(t->f, "    frames:\n");
  if (!B->elastic) {
    frame(t, b, "o", B->o);
  } else {
    double y[3];
    middle(B, y);
    frame(t, b, "o", y);
    fprintf(t->f, "      end: { node: b, mass: %.17g, ", B->mass * t->v->mass);
    inertia(t, b, B->J);
    fprintf(t->f, " }\n");
  }
  for (int j = 0; j < m->n_joint; j++) {
    const machine_joint *jt = &m->joint[j];
    end_of('j', j, 'a', name);
    if (jt->a == b && jt->kind != MACHINE_SLIDE)
      frame(t, b, name, jt->kind == MACHINE_DISTANCE ? jt->pa : jt->p);
    end_of('j', j, 'b', name);
    if (jt->b == b) frame(t, b, name, jt->p);
  }
  for (int k = 0; k < m->n_spring; k++) {
    end_of('s', k, 'a', name);
    if (m->spring[k].a == b) frame(t, b, name, m->spring[k].pa);
    end_of('s', k, 'b', name);
    if (m->spring[k].b == b) frame(t, b, name, m->spring[k].pb);
  }
}

static void beam(const text *t, int b)
{
  const machine_body *B = &t->m->body[b];
  double x[3], c[3];
  middle(B, c);
  fprintf(t->f, "    beams:\n      points: { ");
  local_point(t, b, B->o, x);
  list(t->f, "a", x);
  local_point(t, b, c, x);
  list(t->f, ", m", x);
  local_point(t, b, B->end, x);
  list(t->f, ", b", x);
  fprintf(t->f, " }\n      members:\n");
  local_direction(t, b, B->up, 1.0, x);
  for (int k = 0; k < 2; k++) {
    fprintf(t->f, "        - { from: %c, to: %c, section: c%d, material: c%d, elements: %d, ",
            k ? 'm' : 'a', k ? 'b' : 'm', b, b, B->elements);
    list(t->f, "up", x);
    fprintf(t->f, " }\n");
  }
}

static void guides(const text *t, int b)
{
  double x[3];
  bool any = false;
  local_direction(t, b, t->m->body[b].up, 1.0, x);
  for (int j = 0; j < t->m->n_joint; j++)
    any = any || (t->m->joint[j].kind == MACHINE_SLIDE && t->m->joint[j].a == b);
  if (!any) return;
  fprintf(t->f, "    guides: { rail: { from: a, to: b, ");
  list(t->f, "normal", x);
  fprintf(t->f, " } }\n");
}

static void body(const text *t, int b)
{
  const machine_body *B = &t->m->body[b];
  char name[MACHINE_NAME];
  double x[3];
  name_of(t->v, 'b', b, name);
  fprintf(t->f, "  %s:\n    ", name);
  list(t->f, "at", t->o[b]);
  fprintf(t->f, "\n    axes: { x: [%.17g, %.17g, %.17g], y: [%.17g, %.17g, %.17g] }\n", t->E[b][0],
          t->E[b][3], t->E[b][6], t->E[b][1], t->E[b][4], t->E[b][7]);
  if (B->elastic) {
    beam(t, b);
    if (B->held) fprintf(t->f, "    ground: true\n    supports: [{ nodes: a }, { nodes: b }]\n");
    guides(t, b);
  } else if (b == 0) {
    fprintf(t->f, "    ground: true\n");
  } else {
    local_point(t, b, B->com, x);
    fprintf(t->f, "    rigid: { mass: %.17g, ", B->mass * t->v->mass);
    list(t->f, "com", x);
    fprintf(t->f, ", ");
    inertia(t, b, B->J);
    fprintf(t->f, " }\n");
  }
  body_frames(t, b);
}

static void bodies(const text *t)
{
  const machine *m = t->m;
  int at[MACHINE_BODIES];
  double l = t->v->length;
  bool elastic = false;
  for (int b = 0; b < m->n_body; b++) elastic = elastic || m->body[b].elastic;
  if (elastic) fprintf(t->f, "materials:\n");
  for (int b = 0; b < m->n_body; b++)
    if (m->body[b].elastic)
      fprintf(t->f, "  c%d: { E: %.17g, nu: 0.3, rho: %.17g, unusual: true }\n", b,
              m->body[b].E_mod * t->v->mass / l / t->v->soft,
              m->body[b].rho * t->v->mass / (l * l * l));
  if (elastic) fprintf(t->f, "sections:\n");
  for (int b = 0; b < m->n_body; b++)
    if (m->body[b].elastic)
      fprintf(t->f, "  c%d: { rectangle: { width: %.17g, height: %.17g } }\n", b,
              m->body[b].width * l, m->body[b].height * l);
  fprintf(t->f, "bodies:\n");
  order(t->v, m->n_body, at);
  for (int k = 0; k < m->n_body; k++) body(t, at[k]);
}

// ---- joints, springs ----------------------------------------------------------------------------

static double unit_of(const text *t, const machine_joint *j)  // of a force on the coordinate
{
  return t->v->mass * t->v->length * (machine_turns(j) ? t->v->length : 1.0);
}

static void runners(const text *t, const machine_joint *j)
{
  double l = t->v->length, m = t->v->mass;
  fprintf(t->f, "orientation: %s, runners: [", j->n_runner == 1 ? "fixed" : "free");
  for (int k = 0; k < j->n_runner; k++) {
    // n2 = t × n1 turns round in a mirror
    fprintf(t->f, "%s{ offset: %.17g, shift: [0, 0, %.17g]", k ? ", " : "", j->offset[k] * l,
            j->shift[k] * l * t->det);
    if (j->stiffness > 0.0)
      fprintf(t->f, ", length: %.17g, stiffness: %.17g, damping: %.17g", 0.03 * l,
              j->stiffness * m / t->v->soft, j->runner_damping * m);
    fprintf(t->f, " }");
  }
  fprintf(t->f, "]");
}

static void joint(const text *t, int j)
{
  static const char *const KIND[] = { "revolute",  "prismatic",   "fixed",
                                      "spherical", "cylindrical", "universal",
                                      "planar",    "distance",    "slide" };
  const machine_joint *jt = &t->m->joint[j];
  char name[MACHINE_NAME], a[MACHINE_NAME], b[MACHINE_NAME], fa[MACHINE_NAME], fb[MACHINE_NAME];
  double x[3];
  name_of(t->v, 'j', j, name);
  name_of(t->v, 'b', jt->a, a);
  name_of(t->v, 'b', jt->b, b);
  end_of('j', j, 'a', fa);
  end_of('j', j, 'b', fb);
  fprintf(t->f, "  %s: { %s: { ", name, KIND[jt->kind]);
  if (jt->kind == MACHINE_SLIDE) {
    fprintf(t->f, "guide: %s.rail, on: %s.%s, ", a, b, fb);
    runners(t, jt);
  } else {
    fprintf(t->f, "a: %s.%s, b: %s.%s", a, fa, b, fb);
  }
  bool turn = jt->kind == MACHINE_REVOLUTE || jt->kind == MACHINE_CYLINDRICAL ||
              jt->kind == MACHINE_UNIVERSAL;
  if (turn || jt->kind == MACHINE_PRISMATIC || jt->kind == MACHINE_PLANAR) {
    // travel along the axis of a cylindrical joint is along Q n
    bool polar = jt->kind == MACHINE_PRISMATIC || jt->kind == MACHINE_CYLINDRICAL;
    local_direction(t, jt->a, jt->axis, polar ? 1.0 : t->det, x);
    list(t->f, jt->kind == MACHINE_PLANAR ? ", normal" : ", axis", x);
  }
  if (jt->kind == MACHINE_UNIVERSAL) {
    local_direction(t, jt->b, jt->axis_b, t->det, x);
    list(t->f, ", axis_b", x);
  }
  fprintf(t->f, " }");
  if (jt->named) {
    machine_coord_name(t->v, j, name);
    fprintf(t->f, ", coordinate: %s, damping: %.17g", name,
            jt->damping * unit_of(t, jt) / (machine_turns(jt) ? 1.0 : t->v->length));
    name_of(t->v, 'm', j, name);
    fprintf(t->f, ", drive: %s", name);
  }
  fprintf(t->f, " }\n");
}

static void joints(const text *t)
{
  int at[MACHINE_JOINTS];
  fprintf(t->f, "joints:\n");
  order(t->v, t->m->n_joint, at);
  for (int k = 0; k < t->m->n_joint; k++) joint(t, at[k]);
}

static void spring(const text *t, int k)
{
  const machine_spring *s = &t->m->spring[k];
  char name[MACHINE_NAME], a[MACHINE_NAME], b[MACHINE_NAME];
  name_of(t->v, 's', k, name);
  name_of(t->v, 'b', s->a, a);
  name_of(t->v, 'b', s->b, b);
  fprintf(t->f, "  %s: { %sa: %s.s%da, b: %s.s%db", name, s->line ? "spring: { " : "", a, k, b, k);
  fprintf(t->f, "%s, stiffness: %.17g, damping: %.17g }\n", s->line ? " }" : "", s->k * t->v->mass,
          s->c * t->v->mass);
}

static void springs(const text *t)
{
  const machine *m = t->m;
  char name[MACHINE_NAME];
  int at[MACHINE_SPRINGS], n[2] = { 0, 0 };
  for (int k = 0; k < m->n_spring; k++) n[m->spring[k].line]++;
  for (int j = 0; j < m->n_joint; j++) n[1] += m->joint[j].k > 0.0;
  order(t->v, m->n_spring, at);
  if (n[0] > 0) fprintf(t->f, "springs:\n");
  for (int k = 0; k < m->n_spring; k++)
    if (!m->spring[at[k]].line) spring(t, at[k]);
  if (n[1] > 0) fprintf(t->f, "forces:\n");
  for (int k = 0; k < m->n_spring; k++)
    if (m->spring[at[k]].line) spring(t, at[k]);
  for (int j = 0; j < m->n_joint; j++) {
    const machine_joint *jt = &m->joint[j];
    if (!(jt->k > 0.0)) continue;
    machine_coord_name(t->v, j, name);
    fprintf(t->f, "  k%d: { coordinate: %s, stiffness: %.17g }\n", j, name,
            jt->k * unit_of(t, jt) / (machine_turns(jt) ? 1.0 : t->v->length));
  }
}

// ---- what is asked ------------------------------------------------------------------------------

static void outputs(const text *t)
{
  char name[MACHINE_NAME];
  fprintf(t->f, "outputs:\n");
  for (int b = 1; b < t->m->n_body; b++) {
    name_of(t->v, 'b', b, name);
    fprintf(t->f, "  y%d: { frame: %s.o }\n", b, name);
    if (t->m->body[b].elastic) fprintf(t->f, "  z%d: { frame: %s.end }\n", b, name);
  }
}

static void reduction(const text *t)
{
  char name[MACHINE_NAME];
  int n = 0;
  for (int j = 0; j < t->m->n_joint; j++) n += t->m->joint[j].hi > t->m->joint[j].lo;
  if (n == 0) return;
  fprintf(t->f, "reduction:\n  grid: auto\n  modes: { count: 4 }\n  tolerance: 1e-3\n");
  fprintf(t->f, "  certificate: { points: 4, samples: 60 }\n  coordinates:\n");
  for (int j = 0; j < t->m->n_joint; j++) {
    const machine_joint *jt = &t->m->joint[j];
    double unit = machine_turns(jt) ? 1.0 : t->v->length, way = fabs(jt->to - jt->start) * unit,
           time = t->m->duration;
    if (!(jt->hi > jt->lo)) continue;
    machine_coord_name(t->v, j, name);
    // a cycloid: at most 2 way/time and 2π way/time²
    fprintf(t->f, "    %s: { range: [%.17g, %.17g], max_rate: %.17g, max_acceleration: %.17g }\n",
            name, jt->lo * unit, jt->hi * unit, 2.1 * way / time, 6.5 * way / (time * time));
  }
}

static void scenario(const text *t)
{
  const machine *m = t->m;
  char name[MACHINE_NAME];
  int n = 0;
  fprintf(t->f, "scenarios:\n  run:\n    duration: %.17g\n    step: %.17g\n    store: %.17g\n",
          m->duration, t->v->step > 0.0 ? t->v->step : m->step, m->store);
  fprintf(t->f, "    rigid: { method: rk4 }\n%s",
          m->family < MACHINE_ARM ? "    initial: undeformed\n" : "");
  for (int j = 0; j < m->n_joint; j++) {
    const machine_joint *jt = &m->joint[j];
    double unit = machine_turns(jt) ? 1.0 : t->v->length;
    machine_coord_name(t->v, j, name);
    if (!jt->named || (jt->start == 0.0 && jt->rate == 0.0)) continue;
    fprintf(t->f, "%s      %s: { at: %.17g", n++ ? "" : "    start:\n", name, jt->start * unit);
    if (jt->to == jt->start) fprintf(t->f, ", velocity: %.17g", jt->rate * unit);
    fprintf(t->f, " }\n");
  }
  n = 0;
  for (int j = 0; j < m->n_joint; j++) {
    const machine_joint *jt = &m->joint[j];
    double unit = machine_turns(jt) ? 1.0 : t->v->length;
    name_of(t->v, 'm', j, name);
    if ((jt->amplitude != 0.0 || jt->to != jt->start) && n++ == 0) fprintf(t->f, "    drives:\n");
    if (jt->amplitude != 0.0)
      fprintf(t->f, "      %s: { force: { sine: { amplitude: %.17g, frequency: %.17g } } }\n", name,
              jt->amplitude * unit_of(t, jt), jt->hz);
    if (jt->to != jt->start)
      fprintf(t->f, "      %s: { position: { cycloid: { from: %.17g, to: %.17g, end: %.17g } } }\n",
              name, jt->start * unit, jt->to * unit, m->duration);
  }
}

void machine_write(const machine *m, const machine_view *v, FILE *f)
{
  text t = { .m = m, .v = v, .f = f };
  double c[3], g[3];
  const double *Q = v->Q;
  const double r[3][3] = { { Q[0], Q[1], Q[2] }, { Q[3], Q[4], Q[5] }, { Q[6], Q[7], Q[8] } };
  machine_cross(r[0], r[1], c);
  t.det = c[0] * r[2][0] + c[1] * r[2][1] + c[2] * r[2][2] < 0.0 ? -1.0 : 1.0;
  frames(&t);
  times(Q, m->gravity, g);
  for (int i = 0; i < 3; i++) g[i] *= v->length;
  fprintf(f, "modeway: 1\nname: machine %d of %lu\n", (int)m->family, m->number);
  list(f, "gravity", g);
  fprintf(f, "\nstrain: %s\n", m->linear ? "linear" : "nonlinear");
  if (m->alpha > 0.0 || m->beta > 0.0)
    fprintf(f, "damping: { alpha: %.17g, beta: %.17g }\n", m->alpha, m->beta);
  bodies(&t);
  joints(&t);
  springs(&t);
  outputs(&t);
  reduction(&t);
  scenario(&t);
}
