// SPDX-License-Identifier: BSD-3-Clause
// test_rigid.c: the rigid mechanism against twelve coordinates a body solved densely, and against
// closed forms: forces, friction, elastic drives, reactions, assembly, statics.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/rigid.h"
#include "fixture.h"
#include "mw_test.h"

typedef struct rig {
  mw_fixture f;
  mw_rigid *r;
  mw_rigid_work *w;
  mw_rigid_size n;
  double *q, *v, *a, *u;
} rig;

static bool rig_start(rig *k)
{
  mw_error err = { 0 };
  mw_rigid_opt opt = mw_rigid_opt_default();
  opt.scenario = k->f.model.n_scenario > 0 ? &k->f.model.scenario[0] : NULL;
  if (!MW_OKAY(mw_rigid_build(&k->f.mech, &opt, &k->r, &err)) ||
      !MW_OKAY(mw_rigid_work_build(k->r, &k->w, &err)))
    return false;
  k->n = mw_rigid_sizes(k->r);
  double **v[] = { &k->q, &k->v, &k->a, &k->u };
  for (size_t i = 0; i < sizeof v / sizeof *v; i++)
    *v[i] = mw_arena_f64(&k->f.mem, (size_t)k->n.n_q + 1);
  mw_rigid_from_frames(k->r, k->f.mech.p0, k->q);
  return MW_OKAY(mw_arena_check(&k->f.mem, &err));
}

static bool rig_text(const char *text, rig *k)
{
  *k = (rig){ 0 };
  return MW_CHECK(mw_fixture_text(text, &k->f)) && rig_start(k);
}

static void rig_free(rig *k)
{
  mw_rigid_work_free(k->w);
  mw_rigid_free(k->r);
  mw_fixture_free(&k->f);
}

// ---- twelve coordinates a body ------------------------------------------------------------------

typedef struct dense {
  const mw_mech *m;
  int *col, nb, n, at;  // first column of each body, bodies, unknowns, next row
  double *A, *b, *x;
} dense;

static void set(dense *d, int i, int j, double value)
{
  d->A[i * d->n + j] = value;
  d->A[j * d->n + i] = value;
}

// M, gravity and the six rigid-body rows of body b at frame p, rates pd, in body axes (Ê row-major)
static void dense_body(dense *d, int b, const double *p, const double *pd)
{
  const mw_body *k = &d->m->body[b];
  int c = d->col[b];
  double g[3];
  mw_mul33tv(p + 3, d->m->model->gravity, g);
  for (int i = 0; i < 3; i++) {
    set(d, c + i, c + i, k->m);
    d->b[c + i] = k->m * g[i];
    for (int j = 0; j < 3; j++) {
      set(d, c + i, c + 3 + 3 * i + j, k->mX[j]);
      d->b[c + 3 + 3 * i + j] = g[i] * k->mX[j];
      for (int l = 0; l < 3; l++) set(d, c + 3 + 3 * i + j, c + 3 + 3 * i + l, k->J[3 * j + l]);
    }
  }
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) {
      double rate = 0.0;
      for (int l = 0; l < 3; l++) rate += pd[3 + 3 * l + i] * pd[3 + 3 * l + j];
      set(d, d->at, c + 3 + 3 * i + j, 1.0);
      if (i != j) set(d, d->at, c + 3 + 3 * j + i, 1.0);
      d->b[d->at++] = i == j ? -rate : -2.0 * rate;
    }
}

// Rows of joint j by the elastic bodies' evaluation; γ = −d²g/dt² along p + t ṗ, exact: the rows
// are quadratic in p
static void dense_joint(dense *d, int j, const double *p, const double *pd, mw_joint_eval *e)
{
  const mw_joint *k = &d->m->joint[j];
  double g[3][16], pa[12], pb[12];
  mw_error err = { 0 };
  int rows = k->n_row - (k->coord_row >= 0);
  for (int s = 2; s >= 0; s--) {  // the last one, in the middle, leaves the Jacobians
    double t = s == 0 ? 0.0 : s == 1 ? 0.5 : -0.5;
    for (int i = 0; i < 12; i++) {
      pa[i] = p[12 * k->a + i] + t * pd[12 * k->a + i];
      pb[i] = p[12 * k->b + i] + t * pd[12 * k->b + i];
    }
    MW_OKAY(mw_joint_eval_at(d->m, j, pa, NULL, pb, NULL, 0.0, e, &err));
    memcpy(g[s], e->g, (size_t)rows * sizeof(double));
  }
  for (int i = 0; i < rows; i++, d->at++) {
    for (int l = 0; l < 12; l++) {
      if (d->col[k->a] >= 0) set(d, d->at, d->col[k->a] + l, e->Ja[12 * i + l]);
      if (d->col[k->b] >= 0) set(d, d->at, d->col[k->b] + l, e->Jb[12 * i + l]);
    }
    d->b[d->at] = -4.0 * (g[1][i] - 2.0 * g[0][i] + g[2][i]);
  }
}

// Accelerations of the mechanism's frames (body axes) at frames p, rates pd.
static bool dense_solve(dense *d, const double *p, const double *pd, mw_arena *mem)
{
  const mw_mech *m = d->m;
  mw_error err = { 0 };
  int rank = 0;
  d->col = mw_arena_int(mem, (size_t)m->n_body);
  for (int b = 0; b < m->n_body; b++) d->col[b] = m->body[b].ground ? -1 : 12 * d->nb++;
  d->n = 18 * d->nb;
  for (int j = 0; j < m->n_joint; j++) d->n += m->joint[j].n_row - (m->joint[j].coord_row >= 0);
  d->A = mw_arena_f64(mem, (size_t)(d->n * d->n));
  d->b = mw_arena_f64(mem, (size_t)d->n);
  d->x = mw_arena_f64(mem, (size_t)d->n);
  mw_joint_eval e = mw_joint_eval_init(m, mem);
  if (!MW_OKAY(mw_arena_check(mem, &err))) return false;
  d->at = 12 * d->nb;
  for (int b = 0; b < m->n_body; b++)
    if (d->col[b] >= 0) dense_body(d, b, p + 12 * b, pd + 12 * b);
  for (int j = 0; j < m->n_joint; j++) dense_joint(d, j, p, pd, &e);
  return MW_CHECK(d->at == d->n) &&
         MW_OKAY(mw_lstsq(d->n, d->n, d->A, d->b, 1e-10, d->x, &rank, &err));
}

// Rates of the mechanism's frames from those of the centres of mass: ṗ = (ȯ − Ė_c Rᵀ… ): E = E_c
// Rᵀ, o = o_c − E c
static void frame_rates(const rig *k, const double *v, double *pd)
{
  memset(pd, 0, 12 * (size_t)k->f.mech.n_body * sizeof(double));
  for (int b = 0; b < k->n.n_body; b++) {
    const mw_rigid_body *body = &mw_rigid_bodies(k->r)[b];
    double *to = pd + 12 * body->body, x[3];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        to[3 + 3 * i + j] = mw_dot3(v + 12 * b + 3 + 3 * i, body->R + 3 * j);
    mw_mul33v(to + 3, body->c, x);
    for (int i = 0; i < 3; i++) to[i] = v[12 * b + i] - x[i];
  }
}

static void accelerations_are_those_of_twelve_coordinates_a_body(void)
{
  static const char *const files[] = { "bricard.yaml", "six-bar.yaml",
                                       "double-scott-russell.yaml" };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    rig k = { 0 };
    char path[1024];
    mw_error err = { 0 };
    snprintf(path, sizeof path, "%s/%s", MW_CASES_DIR, files[i]);
    if (!MW_CHECK(mw_fixture_file(path, &k.f)) || !rig_start(&k)) continue;
    dense d = { .m = &k.f.mech };
    size_t n = 12 * (size_t)k.f.mech.n_body;
    double *p = mw_arena_f64(&k.f.mem, n), *pd = mw_arena_f64(&k.f.mem, n),
           *pdd = mw_arena_f64(&k.f.mem, n), big = 0.0;
    for (int l = 0; l < k.n.n_u; l++) k.u[l] = 3.0 * cos(2.0 + 5.0 * l);
    mw_rigid_rates(k.r, k.q, k.u, k.v);
    MW_OKAY(mw_rigid_project_q(k.r, k.w, 0.0, k.q, 1e-14, 20, true, NULL, &err));
    MW_OKAY(mw_rigid_project_v(k.r, k.w, 0.0, k.q, k.v, true, &err));
    MW_OKAY(mw_rigid_accel(k.r, k.w, 0.0, k.q, k.v, k.a, &err));
    mw_rigid_to_frames(k.r, k.q, p);
    frame_rates(&k, k.v, pd);
    frame_rates(&k, k.a, pdd);
    if (!dense_solve(&d, p, pd, &k.f.mem)) continue;
    for (size_t l = 0; l < n; l++) big = fmax(big, fabs(pdd[l]));
    for (int b = 0; b < k.f.mech.n_body; b++) {
      if (d.col[b] < 0) continue;
      double o[3], E[9];
      mw_mul33v(p + 12 * b + 3, d.x + d.col[b], o);
      mw_mul33(p + 12 * b + 3, d.x + d.col[b] + 3, E);
      // condition of the bordered matrix below 1e5 (masses 1, inertias 1e-3), squared nowhere: 1e5
      // · 100 · DBL_EPSILON
      for (int l = 0; l < 12; l++)
        MW_WITHIN(pdd[12 * b + l], l < 3 ? o[l] : E[l - 3], 1e7 * DBL_EPSILON * fmax(big, 1.0),
                  "worst of the bordered matrix, by its condition");
    }
    rig_free(&k);
  }
}

// ---- forces -------------------------------------------------------------------------------------

#define BODY "{ rigid: { mass: 2, inertia: [0.3, 0.4, 0.5, 0, 0, 0] } }"

// A free body: every force alone, accelerations by Newton and Euler.
static void point_forces_and_torques_act_where_they_should(void)
{
  rig k;
  mw_error err = { 0 };
  if (!rig_text(
          "modeway: 1\n"
          "bodies:\n"
          "  b: { at: [0, 0, 0], axes: { x: [0, 1, 0], y: [-1, 0, 0] }, gravity: false, "
          "rigid: { mass: 2, inertia: [0.3, 0.4, 0.5, 0, 0, 0] }, frames: { p: { point: [1, 0, 0] "
          "} } }\n"
          "forces:\n"
          "  f: { point: { on: b.p, direction: [0, 0, 1] }, force: 3 }\n"
          "  g: { point: { on: b.p, direction: [1, 0, 0], axes: body }, force: 5 }\n"
          "  t: { torque: { on: b, direction: [0, 0, 2] }, force: 0.25 }\n",
          &k))
    return;
  MW_OKAY(mw_rigid_accel(k.r, k.w, 0.0, k.q, k.v, k.a, &err));
  mw_rigid_twist(k.r, k.q, k.a, k.u);
  // ground axes: body x is ground y; f at (0, 1, 0), g along y through the centre
  MW_WITHIN(k.a[0], 0.0, 1e-15, "a few roundings, none by chance");
  MW_NEAR(k.a[1], 2.5, 1e-15);
  MW_NEAR(k.a[2], 1.5, 1e-15);
  // torque of f about the centre: (0,1,0) × (0,0,3) = (3,0,0), body axes (0,−3,0); and 0.5 about z
  MW_WITHIN(k.u[3], 0.0, 1e-14, "a few roundings, none by chance");
  MW_NEAR(k.u[4], -3.0 / 0.4, 1e-14 * 10.0);
  MW_NEAR(k.u[5], 0.5 / 0.5, 1e-14);
  rig_free(&k);
}

static void springs_dampers_and_actuators_pull_along_their_line(void)
{
  rig k;
  mw_error err = { 0 };
  if (!rig_text(
          "modeway: 1\n"
          "bodies: { b: " BODY " }\n"
          "joints: { slide: { prismatic: { a: ground, b: b, axis: [1, 0, 0] }, coordinate: x, "
          "damping: 7 } }\n"
          "forces:\n"
          "  s: { coordinate: x, stiffness: 100, damping: 3, free: 0.1, force: 4 }\n",
          &k))
    return;
  k.q[0] += 0.3;
  k.v[0] = 2.0;
  MW_OKAY(mw_rigid_accel(k.r, k.w, 0.0, k.q, k.v, k.a, &err));
  MW_NEAR(k.a[0], (-100.0 * 0.2 - 3.0 * 2.0 - 7.0 * 2.0 + 4.0) / 2.0, 1e-13 * 10.0);
  mw_rigid_energy e;
  mw_rigid_energies(k.r, k.w, 0.0, k.q, k.v, &e);
  MW_NEAR(e.kinetic, 4.0, 1e-14);
  MW_NEAR(e.potential, 0.5 * 100.0 * 0.04, 1e-14);
  MW_NEAR(e.power, 4.0 * 2.0 - 10.0 * 4.0, 1e-13);
  rig_free(&k);
  // between points: from the origin to a body at (3, 4, 0), free length 4: 5 m long now
  if (!rig_text(
          "modeway: 1\n"
          "bodies: { b: { at: [3, 4, 0], rigid: { mass: 2, inertia: [0.3, 0.4, 0.5, 0, 0, 0] } } "
          "}\n"
          "forces: { s: { spring: { a: ground, b: b }, stiffness: 10, damping: 2, length: 4, "
          "force: 1 } }\n",
          &k))
    return;
  k.v[0] = 1.0;  // lengthens by 3/5 m/s
  MW_OKAY(mw_rigid_accel(k.r, k.w, 0.0, k.q, k.v, k.a, &err));
  double F = -10.0 * 1.0 - 2.0 * 0.6 + 1.0;
  MW_NEAR(k.a[0], F * 0.6 / 2.0, 1e-14 * 10.0);
  MW_NEAR(k.a[1], F * 0.8 / 2.0, 1e-14 * 10.0);
  rig_free(&k);
}

// A block on a slope of 30°: N = m g cos 30°, friction μ N against the motion.
static void friction_takes_the_reaction_as_normal_force(void)
{
  rig k;
  mw_error err = { 0 };
  double c = cos(3.14159265358979323846 / 6.0), g = 9.81, m = 2.0, rate = 0.05;
  if (!rig_text(
          "modeway: 1\n"
          "gravity: [0, 0, -9.81]\n"
          "bodies: { b: " BODY " }\n"
          "joints:\n"
          "  way:\n"
          "    prismatic: { a: ground, b: b, axis: [0.86602540378443865, 0, -0.5] }\n"
          "    coordinate: x\n"
          "    friction: { coulomb: 0.2, static: 0.3, stribeck: 0.04, smooth: 0.01, preload: 1.5 "
          "}\n",
          &k))
    return;
  k.v[0] = rate * c;
  k.v[2] = -rate * 0.5;
  MW_OKAY(mw_rigid_accel(k.r, k.w, 0.0, k.q, k.v, k.a, &err));
  double x = rate / 0.04, mu = 0.2 + 0.1 * exp(-x * x), N = m * g * c + 1.5;
  double want = g * 0.5 - mu * N * tanh(rate / 0.01) / m;
  // the axis is given to 16 digits; the fixed point converges to 1e-12 of N
  MW_WITHIN(k.a[0] * c - k.a[2] * 0.5, want, 1e-11, "what the iteration for friction may leave");
  mw_rigid_energy e;
  mw_rigid_energies(k.r, k.w, 0.0, k.q, k.v, &e);
  MW_WITHIN(e.power, -mu * N * tanh(rate / 0.01) * rate, 1e-11,
            "what the iteration for friction may leave");
  rig_free(&k);
}

// Motor - spring - mass: σ in units of the coordinate, inertia I n².
static void rotor_drives_its_coordinate_through_a_spring(void)
{
  rig k;
  mw_error err = { 0 };
  if (!rig_text(
          "modeway: 1\n"
          "bodies: { b: " BODY " }\n"
          "joints: { slide: { prismatic: { a: ground, b: b, axis: [1, 0, 0] }, coordinate: x } }\n"
          "drives: { m: { coordinate: x, rotor: { inertia: 0.01, ratio: 20, stiffness: 500, "
          "damping: 6 } } }\n"
          "scenarios: { s: { duration: 1, drives: { m: { force: 9 } } } }\n",
          &k))
    return;
  int rotor = 12 * k.n.n_body;
  MW_CHECK(k.n.n_rotor == 1);
  k.q[0] += 0.2;
  k.v[0] = 0.3;
  k.q[rotor] = 0.25;
  k.v[rotor] = 0.1;
  MW_OKAY(mw_rigid_accel(k.r, k.w, 0.0, k.q, k.v, k.a, &err));
  double F = 500.0 * (0.25 - 0.2) + 6.0 * (0.1 - 0.3);
  // some ten roundings of forces up to 25 N
  MW_NEAR(k.a[0], F / 2.0, mw_test_rounding(10.0, 25.0));
  MW_NEAR(k.a[rotor], (9.0 - F) / (0.01 * 400.0), mw_test_rounding(10.0, 25.0));
  mw_rigid_energy e;
  mw_rigid_energies(k.r, k.w, 0.0, k.q, k.v, &e);
  MW_NEAR(e.kinetic, 0.5 * 2.0 * 0.09 + 0.5 * 4.0 * 0.01, 1e-14);
  MW_NEAR(e.power, 9.0 * 0.1 - 6.0 * 0.04, 1e-13);
  rig_free(&k);
}

// ---- reactions ----------------------------------------------------------------------------------

// A door of 20 kg, its centre 0.5 m off the axis, on two hinges 2 m apart: by symmetry each carries
// half the weight, the horizontal pair is M g 0.5/2. Five of the ten rows are redundant, the share
// follows from the least norm.
static void redundant_hinges_share_the_load(void)
{
  rig k;
  mw_error err = { 0 };
  double wrench[12];
  int rows[2];
  if (!rig_text(
          "modeway: 1\n"
          "gravity: [0, 0, -10]\n"
          "bodies:\n"
          "  door: { rigid: { mass: 20, com: [0.5, 0, 0], inertia: [7, 8, 2, 0, 0, 0] }, "
          "frames: { up: { point: [0, 0, 1] }, down: { point: [0, 0, -1] } } }\n"
          "  base: { ground: true, frames: { up: { point: [0, 0, 1] }, down: { point: [0, 0, -1] "
          "} } }\n"
          "joints:\n"
          "  up: { revolute: { a: base.up, b: door.up, axis: [0, 0, 1] } }\n"
          "  down: { revolute: { a: base.down, b: door.down, axis: [0, 0, 1] } }\n",
          &k))
    return;
  MW_OKAY(mw_rigid_accel(k.r, k.w, 0.0, k.q, k.v, k.a, &err));
  MW_CHECK(mw_rigid_redundant(k.r, k.w, rows) == 5);
  MW_CHECK(rows[0] + rows[1] == 5);
  MW_OKAY(mw_rigid_reactions(k.r, k.w, wrench, &err));
  // ε = 1e-5: rounding of 200 N and its moments, some 1e-14, over ε
  MW_NEAR(wrench[2], 100.0, 1e-8);
  MW_NEAR(wrench[8], 100.0, 1e-8);
  double moment = 2.0 * wrench[0] + wrench[4] + wrench[10], weight = 20.0 * 10.0 * 0.5;
  // about y: 1 · F_up,x − 1 · F_down,x + hinge moments + 0.5 · M g = 0 with equal and opposite F
  MW_WITHIN(wrench[0], -wrench[6], 1e-8, "worst of the least norm, rounding over its weight");
  MW_WITHIN(moment, -weight, 1e-8, "worst of the least norm, rounding over its weight");
  MW_NEAR(wrench[4], wrench[10], 1e-8);
  rig_free(&k);
}

// A pendulum at rest in the lowest position: the hinge carries m g.
static void hinge_carries_the_weight(void)
{
  rig k;
  mw_error err = { 0 };
  double wrench[6];
  if (!rig_text(
          "modeway: 1\n"
          "gravity: [0, 0, -10]\n"
          "bodies: { b: { rigid: { mass: 3, com: [0, 0, -1], inertia: [1, 1, 1, 0, 0, 0] } } }\n"
          "joints: { h: { revolute: { a: ground, b: b, axis: [0, 1, 0] }, coordinate: phi } }\n",
          &k))
    return;
  // φ̇ = 2: m ω² l besides
  k.u[4] = 2.0;
  k.u[0] = -2.0;
  mw_rigid_rates(k.r, k.q, k.u, k.v);
  MW_OKAY(mw_rigid_accel(k.r, k.w, 0.0, k.q, k.v, k.a, &err));
  MW_OKAY(mw_rigid_reactions(k.r, k.w, wrench, &err));
  MW_NEAR(wrench[2], 3.0 * 10.0 + 3.0 * 4.0, 1e-12);
  MW_WITHIN(wrench[0], 0.0, 1e-12, "a few roundings, none by chance");
  MW_WITHIN(wrench[4], 0.0, 1e-12, "a few roundings, none by chance");
  rig_free(&k);
}

// ---- assembly and statics -----------------------------------------------------------------------

#define FOUR_BAR(length)                                                                           \
  "modeway: 1\n"                                                                                   \
  "assemble: true\n"                                                                               \
  "bodies:\n"                                                                                      \
  "  crank: { at: [0.1, -0.1, 0.05], rigid: { mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.2, "     \
  "0.2, 0, 0, 0] }, "                                                                              \
  "frames: { end: { point: [1, 0, 0] } } }\n"                                                      \
  "  coupler: { at: [0.8, 0.3, 0], axes: { x: [1, 0.9, 0.1], y: [-0.9, 1, 0] }, "                  \
  "rigid: { mass: 1, com: [1, 0, 0], inertia: [0.1, 0.3, 0.3, 0, 0, 0] }, frames: { end: { "       \
  "point: [" length ", 0, 0] } } }\n"                                                              \
  "  rocker: { at: [2.9, 0.2, 0], axes: { x: [0.1, 1, 0], y: [-1, 0.1, 0] }, "                     \
  "rigid: { mass: 1, com: [0.8, 0, 0], inertia: [0.1, 0.3, 0.3, 0, 0, 0] }, frames: { end: { "     \
  "point: [1.6, 0, 0] } } }\n"                                                                     \
  "  base: { ground: true, frames: { far: { point: [3, 0, 0] } } }\n"                              \
  "joints:\n"                                                                                      \
  "  A: { revolute: { a: ground, b: crank, axis: [0, 0, 1], axis_b: [0, 0, 1], zero: [1, 0, 0], "  \
  "zero_b: [1, 0, 0] }, coordinate: phi }\n"                                                       \
  "  B: { revolute: { a: crank.end, b: coupler, axis: [0, 0, 1], axis_b: [0, 0, 1] } }\n"          \
  "  C: { revolute: { a: coupler.end, b: rocker.end, axis: [0, 0, 1], axis_b: [0, 0, 1] } }\n"     \
  "  D: { revolute: { a: base.far, b: rocker, axis: [0, 0, 1], axis_b: [0, 0, 1] } }\n"

static void rough_positions_are_put_together(void)
{
  rig k;
  mw_error err = { 0 };
  mw_rigid_residual res;
  if (!rig_text(FOUR_BAR("2.5"), &k)) return;
  MW_OKAY(mw_rigid_assemble(k.r, k.w, 0.0, k.q, 1e-13, &err));
  mw_rigid_residuals(k.r, k.w, 0.0, k.q, k.v, k.a, &res);
  MW_CHECK(res.position <= 1e-13);
  // the links have their lengths, whatever the angle is
  double crank[3], coupler[3];
  mw_rigid_point(k.r, (mw_ref){ .body = 1, .attach = 0 }, (const double[3]){ 0 }, k.q, NULL, crank,
                 NULL);
  mw_rigid_point(k.r, (mw_ref){ .body = 2, .attach = 0 }, (const double[3]){ 0 }, k.q, NULL,
                 coupler, NULL);
  MW_WITHIN(hypot(crank[0], crank[1]), 1.0, 1e-12, "what the closing of loops may leave");
  MW_WITHIN(hypot(coupler[0] - crank[0], coupler[1] - crank[1]), 2.5, 1e-12,
            "what the closing of loops may leave");
  MW_WITHIN(hypot(coupler[0] - 3.0, coupler[1]), 1.6, 1e-12, "what the closing of loops may leave");
  double s[1];
  mw_rigid_coords(k.r, k.w, k.q, NULL, s, NULL);
  MW_WITHIN(s[0], atan2(crank[1], crank[0]), 1e-12, "what the closing of loops may leave");
  rig_free(&k);
}

static void loop_that_cannot_close_is_named(void)
{
  rig k;
  mw_error err = { 0 };
  if (!rig_text(FOUR_BAR("9"), &k)) return;
  MW_FAILS(mw_rigid_assemble(k.r, k.w, 0.0, k.q, 1e-13, &err), MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "joint ") != NULL);
  MW_CHECK(err.line > 0);
  rig_free(&k);
}

// Heavy and light bodies, many redundant rows, both coordinates moved at once from the reference
// configuration to the corners.
static void kinematics_reach_the_corners_of_the_work_space(void)
{
  static const double corner[4][2] = { { 0.1, 0.1 }, { 1.3, 0.1 }, { 0.1, 0.9 }, { 1.3, 0.9 } };
  mw_fixture f;
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_file(MW_CASES_DIR "/gantry.yaml", &f))) return;
  const mw_mech *m = &f.mech;
  int x = mw_mech_coord(m, "x"), y = mw_mech_coord(m, "y"), x2 = mw_mech_coord(m, "x2");
  size_t np = 12 * (size_t)m->n_body, ns = (size_t)m->n_coord;
  double *p = mw_arena_f64(&f.mem, np), *s = mw_arena_f64(&f.mem, ns),
         *to = mw_arena_f64(&f.mem, ns);
  unsigned char *locked = mw_arena_alloc(&f.mem, ns, 1);
  MW_OKAY(mw_arena_check(&f.mem, &err));
  locked[x] = locked[y] = 1;
  for (int i = 0; i < 4; i++) {
    memcpy(p, m->p0, np * sizeof *p);
    memcpy(s, m->s0, ns * sizeof *s);
    to[x] = corner[i][0];
    to[y] = corner[i][1];
    MW_OKAY(mw_mech_rigid_solve(m, locked, to, p, s, &err));
    // the beam stays straight across; the solver's 1e-11 of the size and its conditioning over 1 m
    // of beam
    MW_WITHIN(s[x2], s[x], 1e-9, "what the closing of loops may leave");
  }
  mw_fixture_free(&f);
}

// 3 kg on a spring of 300 N/m along z, the coordinate along x held.
static void statics_balance_gravity_and_springs(void)
{
  rig k;
  mw_error err = { 0 };
  unsigned char held[1] = { 1 };
  if (!rig_text("modeway: 1\n"
                "gravity: [0, 0, -10]\n"
                "bodies:\n"
                "  cart: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
                "  load: { rigid: { mass: 3, inertia: [1, 1, 1, 0, 0, 0] } }\n"
                "joints:\n"
                "  x: { prismatic: { a: ground, b: cart, axis: [1, 0, 0] }, coordinate: x }\n"
                "springs: { s: { a: cart, b: load, stiffness: [300, 300, 300, 50, 50, 50] } }\n",
                &k))
    return;
  MW_OKAY(mw_rigid_statics(k.r, k.w, 0.0, held, k.q, &err));
  MW_WITHIN(k.q[0], 0.0, 1e-12, "what the iteration for rest may leave");
  MW_WITHIN(k.q[12 + 2], -0.1, 1e-11, "what the iteration for rest may leave");
  rig_free(&k);
}

#define CHAIN(mass, moment)                                                                        \
  "modeway: 1\n"                                                                                   \
  "gravity: [0, 0, -10]\n"                                                                         \
  "bodies:\n"                                                                                      \
  "  g0: { ground: true, at: [1, 0, 0], rigid: { mass: 0 } }\n"                                    \
  "  a: { rigid: { mass: 2, inertia: [0.1, 0.1, 0.1, 0, 0, 0] },\n"                                \
  "       frames: { e: { point: [1, 0, 0] } } }\n"                                                 \
  "  link: { at: [1, 0, 0], rigid: { mass: " mass ", inertia: [" moment ", " moment ", " moment    \
  ", 0, 0, 0] } }\n"                                                                               \
  "  c: { at: [1, 0, 0], rigid: { mass: 5, inertia: [0.2, 0.2, 0.2, 0, 0, 0] } }\n"                \
  "  l: { at: [1, 0, 0], rigid: { mass: 5, com: [0, 0, -1], inertia: [0.2, 0.2, 0.2, 0, 0, 0] } "  \
  "}\n"                                                                                            \
  "joints:\n"                                                                                      \
  "  x: { prismatic: { a: ground, b: a, axis: [1, 0, 0] }, coordinate: x }\n"                      \
  "  y: { prismatic: { a: a.e, b: link, axis: [0, 1, 0] }, coordinate: y }\n"                      \
  "  z: { prismatic: { a: link, b: c, axis: [0, 0, 1] }, coordinate: z }\n"                        \
  "  q: { revolute: { a: c, b: l, axis: [0, 1, 0] }, coordinate: q }\n"                            \
  "springs: { s: { a: g0, b: c, stiffness: [100, 100, 2000] } }\n"

// Two bodies of 5 kg stand on a link that weighs next to nothing: they go where the coordinates put
// them, and come to rest where the spring carries them.
static void heavy_bodies_on(const char *text)
{
  static const double to[4] = { 0.02, 0.03, 0.05, 0.3 }, rest[3] = { 1.0, 0.0, -0.05 };
  rig k;
  mw_error err = { 0 };
  unsigned char all[4] = { 1, 1, 1, 1 }, none[4] = { 0 };
  int mobility = 0, redundant[5];
  if (!rig_text(text, &k)) return;
  const mw_mech *m = &k.f.mech;
  size_t np = 12 * (size_t)m->n_body;
  double *p = mw_arena_f64(&k.f.mem, np), s[4];
  MW_OKAY(mw_arena_check(&k.f.mem, &err));
  memcpy(p, m->p0, np * sizeof *p);
  memcpy(s, m->s0, sizeof s);
  MW_OKAY(mw_mech_mobility(m, p, s, &mobility, redundant, &err));
  MW_CHECK(mobility == 4);
  MW_OKAY(mw_mech_rigid_solve(m, all, to, p, s, &err));
  int c = m->joint[3].a;
  for (int i = 0; i < 3; i++)
    MW_WITHIN(p[12 * c + i], (i == 0 ? 1.0 : 0.0) + to[i], 1e-11,
              "what the closing of loops may leave");
  MW_OKAY(mw_rigid_statics(k.r, k.w, 0.0, none, k.q, &err));
  mw_rigid_to_frames(k.r, k.q, p);
  for (int i = 0; i < 3; i++)
    MW_WITHIN(p[12 * c + i], rest[i], 1e-9, "what the iteration for rest may leave");
  rig_free(&k);
}

static void light_bodies_hold_heavy_ones(void)
{
  heavy_bodies_on(CHAIN("1", "1e-2"));
  heavy_bodies_on(CHAIN("1e-5", "1e-8"));
  heavy_bodies_on(CHAIN("1e-9", "1e-12"));
  heavy_bodies_on(CHAIN("1e-11", "1e-14"));
}

// Nothing the elastic paths cannot do is left out silently.
static void what_elastic_bodies_do_not_know_is_refused(void)
{
  static const char *const what[][2] = {
    { "joints: { j: { rolling: { a: base.p, b: b, normal: [0, 0, 1], axis_b: [0, 1, 0], "
      "radius: 0.1 } } }\n",
      "rolling j" },
    { "joints: { j: { prismatic: { a: ground, b: b, axis: [1, 0, 0] }, coordinate: x }, "
      "k: { revolute: { a: ground, b: b, axis: [1, 0, 0] }, coordinate: y }, "
      "l: { gear: { first: x, second: y, ratio: 2 } } }\n",
      "gear l" },
    { "joints: { j: { spherical: { a: ground, b: b } } }\n"
      "forces: { f: { point: { on: b, direction: [1, 0, 0] } } }\n",
      "force f" },
  };
  for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
    char text[1024];
    mw_fixture f;
    mw_error err = { 0 };
    snprintf(text, sizeof text,
             "modeway: 1\nbodies:\n  b: " BODY
             "\n  base: { ground: true, frames: { p: { point: [1, 0, 0] } } }\n%s",
             what[i][0]);
    if (!MW_CHECK(mw_fixture_text(text, &f))) continue;
    MW_FAILS(mw_mech_check_elastic(&f.mech, false, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, what[i][1]) != NULL);
    MW_CHECK(strstr(err.msg, "rigid path") != NULL);
    MW_CHECK(err.line > 0);
    mw_fixture_free(&f);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "accelerations_are_those_of_twelve_coordinates_a_body",
      accelerations_are_those_of_twelve_coordinates_a_body },
    { "point_forces_and_torques_act_where_they_should",
      point_forces_and_torques_act_where_they_should },
    { "springs_dampers_and_actuators_pull_along_their_line",
      springs_dampers_and_actuators_pull_along_their_line },
    { "friction_takes_the_reaction_as_normal_force", friction_takes_the_reaction_as_normal_force },
    { "rotor_drives_its_coordinate_through_a_spring",
      rotor_drives_its_coordinate_through_a_spring },
    { "redundant_hinges_share_the_load", redundant_hinges_share_the_load },
    { "hinge_carries_the_weight", hinge_carries_the_weight },
    { "rough_positions_are_put_together", rough_positions_are_put_together },
    { "loop_that_cannot_close_is_named", loop_that_cannot_close_is_named },
    { "kinematics_reach_the_corners_of_the_work_space",
      kinematics_reach_the_corners_of_the_work_space },
    { "statics_balance_gravity_and_springs", statics_balance_gravity_and_springs },
    { "light_bodies_hold_heavy_ones", light_bodies_hold_heavy_ones },
    { "what_elastic_bodies_do_not_know_is_refused", what_elastic_bodies_do_not_know_is_refused },
  };
  return mw_test_run("rigid", cases, (int)(sizeof cases / sizeof *cases));
}
