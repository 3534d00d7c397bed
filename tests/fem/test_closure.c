// SPDX-License-Identifier: BSD-3-Clause
// test_closure.c: which of the positions where joint rows vanish rigid kinematics takes: chains of
// fixed bodies against exact rotations, false roots of every joint, coordinates that depend on each
// other, branches of closed loops.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "fem/rigid.h"
#include "fixture.h"
#include "mw_test.h"

enum { MOST = 8 };
static const double LINK = 0.4;  // m

// ---- chains -------------------------------------------------------------------------------------

// n bodies along x, fixed to each other, the first on a hinge about axis
static bool chain(int n, const double axis[3], mw_fixture *f)
{
  char text[8192];
  size_t at = (size_t)snprintf(text, sizeof text, "modeway: 1\nbodies:\n");
  for (int b = 0; b < n; b++)
    at += (size_t)snprintf(
        text + at, sizeof text - at,
        "  b%d: { at: [%.17g, 0, 0], rigid: { mass: 1, com: [0.2, 0, 0], "
        "inertia: [1e-2, 2e-2, 2.5e-2, 0, 0, 0] }, frames: { e: { point: [%g, 0, 0] } } }\n",
        b, LINK * b, LINK);
  at += (size_t)snprintf(text + at, sizeof text - at,
                         "joints:\n  spin: { revolute: { a: ground, b: b0, axis: [%.17g, %.17g, "
                         "%.17g] }, coordinate: phi }\n",
                         axis[0], axis[1], axis[2]);
  for (int b = 1; b < n; b++)
    at += (size_t)snprintf(text + at, sizeof text - at, "  f%d: { fixed: { a: b%d.e, b: b%d } }\n",
                           b, b - 1, b);
  return MW_CHECK(at < sizeof text) && MW_CHECK(mw_fixture_text(text, f));
}

// Largest error of the frames against o = R o0, E = R, R = exp(φ e~); m and 1
static double error_of(const mw_mech *m, const double axis[3], double phi, const double *p)
{
  double l = mw_norm3(axis), turn[3], worst = 0.0;
  for (int i = 0; i < 3; i++) turn[i] = phi * axis[i] / l;
  for (int b = 0; b < m->n_body; b++) {
    const double *is = p + 12 * b, *from = m->p0 + 12 * b;
    double o[3], e[3];
    if (m->body[b].ground) continue;
    mw_turn3(turn, from, o);
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(is[i] - o[i]));
    for (int k = 0; k < 3; k++) {
      const double unit[3] = { k == 0, k == 1, k == 2 };
      mw_turn3(turn, unit, e);
      for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(is[3 + 3 * i + k] - e[i]));
    }
  }
  return worst;
}

// Each of n joints is closed to 1e-13 of the size, in m and in each cosine (√3 of it in the turn);
// turns add up along the chain and carry its length with them. From the reference configuration in
// one call, there and on, and all the way back.
static void chains_of_fixed_bodies_turn_as_one(void)
{
  static const double axes[][3] = { { 0, 3, 4 },  { 0, 1, 1 },  { 0, 1, 4 },    { 0, 4, 3 },
                                    { 1, 1, 1 },  { 1, 0, 4 },  { 3, 4, 0 },    { 0, 0, 1 },
                                    { 0, -2, 1 }, { 3, -2, 5 }, { 0.1, 7, -3 }, { -1, 0.2, 0.3 } };
  static const double angles[] = {
    0.7, -0.9, 1.6, 2.3, -2.6, 3.1, 3.14159265358979, -3.14159265358979
  };
  const unsigned char locked[1] = { 1 };
  mw_error err = { 0 };
  for (int n = 2; n <= MOST; n++)
    for (size_t a = 0; a < sizeof axes / sizeof *axes; a++) {
      mw_fixture f;
      if (!chain(n, axes[a], &f)) return;
      double size = mw_mech_size(&f.mech), tol = 2.0 * n * 1e-13 * size * (1.0 + n * LINK);
      for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        double p[12 * (MOST + 1)], s[1] = { f.mech.s0[0] }, back = -angles[k];
        memcpy(p, f.mech.p0, 12 * (size_t)f.mech.n_body * sizeof *p);
        if (!MW_OKAY(mw_mech_rigid_solve(&f.mech, locked, &angles[k], p, s, &err))) break;
        MW_NEAR(error_of(&f.mech, axes[a], angles[k], p), 0.0, tol);
        if (!MW_OKAY(mw_mech_rigid_solve(&f.mech, locked, &back, p, s, &err))) break;
        MW_NEAR(error_of(&f.mech, axes[a], back, p), 0.0, tol);
        MW_CHECK(s[0] == back);
      }
      mw_fixture_free(&f);
    }
}

// ---- false roots --------------------------------------------------------------------------------

typedef struct root {
  const char *joint;  // between ground (or rail) and body b, points at the origin
  double E[9];        // where b stands, turned about the origin
  bool right;
} root;

#define CYCLE                                                                                      \
  {                                                                                                \
    0, 1, 0, 0, 0, 1, 1, 0, 0                                                                      \
  }
#define CYCLE_MINUS                                                                                \
  {                                                                                                \
    0, -1, 0, 0, 0, 1, -1, 0, 0                                                                    \
  }
#define OVER_X                                                                                     \
  {                                                                                                \
    1, 0, 0, 0, -1, 0, 0, 0, -1                                                                    \
  }
#define OVER_Y                                                                                     \
  {                                                                                                \
    -1, 0, 0, 0, 1, 0, 0, 0, -1                                                                    \
  }
#define OVER_Z                                                                                     \
  {                                                                                                \
    -1, 0, 0, 0, -1, 0, 0, 0, 1                                                                    \
  }
#define HERE                                                                                       \
  {                                                                                                \
    1, 0, 0, 0, 1, 0, 0, 0, 1                                                                      \
  }

// Rows vanish exactly at all of these; where a joint's axes must agree and do not, it is named.
static void false_roots_of_joints_are_named(void)
{
#define FIXED       "fixed: { a: ground, b: b }"
#define PRISMATIC   "prismatic: { a: ground, b: b, axis: [0, 0, 1] }"
#define REVOLUTE    "revolute: { a: ground, b: b, axis: [0, 0, 1] }"
#define CYLINDRICAL "cylindrical: { a: ground, b: b, axis: [0, 0, 1] }"
#define PLANAR      "planar: { a: ground, b: b, normal: [0, 0, 1] }"
#define SLIDE       "slide: { guide: rail.g, on: b, orientation: fixed }"
#define UNIVERSAL   "universal: { a: ground, b: b, axis: [1, 0, 0], axis_b: [0, 1, 0] }"
  static const root roots[] = {
    { FIXED, HERE, true },         { FIXED, OVER_X, false },       { FIXED, OVER_Y, false },
    { FIXED, OVER_Z, false },      { FIXED, CYCLE, false },        { FIXED, CYCLE_MINUS, false },
    { PRISMATIC, HERE, true },     { PRISMATIC, OVER_X, false },   { PRISMATIC, OVER_Z, false },
    { REVOLUTE, OVER_Z, true },    { REVOLUTE, OVER_X, false },    { REVOLUTE, OVER_Y, false },
    { CYLINDRICAL, OVER_Z, true }, { CYLINDRICAL, OVER_Y, false }, { PLANAR, OVER_Z, true },
    { PLANAR, OVER_X, false },     { SLIDE, HERE, true },          { SLIDE, OVER_X, false },
    { SLIDE, OVER_Y, false },      { SLIDE, OVER_Z, false },       { UNIVERSAL, OVER_X, true },
    { UNIVERSAL, OVER_Y, true },   { UNIVERSAL, OVER_Z, true },
  };
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
    char text[1024];
    mw_fixture f;
    mw_error err = { 0 };
    mw_rigid *r = NULL;
    mw_rigid_work *w = NULL;
    mw_rigid_opt opt = mw_rigid_opt_default();
    mw_rigid_residual gap;
    double p[36] = { 0 }, q[12], v[12] = { 0 };
    snprintf(text, sizeof text,
             "modeway: 1\nbodies:\n"
             "  rail: { ground: true, guides: { g: { points: [[-1, 0, 0], [1, 0, 0]] } } }\n"
             "  b: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
             "joints:\n  j: { %s }\n",
             roots[i].joint);
    if (!MW_CHECK(mw_fixture_text(text, &f) && f.mech.n_body == 3)) return;
    if (MW_OKAY(mw_rigid_build(&f.mech, &opt, &r, &err)) &&
        MW_OKAY(mw_rigid_work_build(r, &w, &err))) {
      memcpy(p, f.mech.p0, sizeof p);
      for (int b = 0; b < 3; b++)
        if (!f.mech.body[b].ground) memcpy(p + 12 * b + 3, roots[i].E, sizeof roots[i].E);
      mw_rigid_from_frames(r, p, q);
      mw_rigid_residuals(r, w, 0.0, q, v, v, &gap);
      MW_WITHIN(gap.position, 0.0, 4.0 * DBL_EPSILON, "a few roundings, none by chance");
      if (roots[i].right) {
        MW_OKAY(mw_rigid_assemble(r, w, 0.0, q, 1e-13, &err));
      } else {
        MW_FAILS(mw_rigid_assemble(r, w, 0.0, q, 1e-13, &err), MW_ERR_NUMERIC);
        MW_CHECK(strstr(err.msg, "joint j closes falsely") != NULL && err.line > 0);
      }
    }
    mw_rigid_work_free(w);
    mw_rigid_free(r);
    mw_fixture_free(&f);
  }
}

// ---- coordinates that depend on each other ------------------------------------------------------

// Crank 1 m, coupler 2.5 m, rocker 1.6 m, 3 m apart, drawn where it closes: crank along x, the
// others in the triangle of 2.5, 1.6 and 2 m above it.
static bool four_bar(mw_fixture *f)
{
  double x = (2.5 * 2.5 - 1.6 * 1.6 + 4.0) / 4.0, y = sqrt(2.5 * 2.5 - x * x);
  char text[2048];
  snprintf(
      text, sizeof text,
      "modeway: 1\nbodies:\n"
      "  crank: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] }, frames: { e: { point: [1, 0, "
      "0] } } }\n"
      "  coupler: { at: [1, 0, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] }, "
      "frames: { e: { point: [%.17g, %.17g, 0] } } }\n"
      "  rocker: { at: [3, 0, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] }, "
      "frames: { e: { point: [%.17g, %.17g, 0] } } }\n"
      "  base: { ground: true, frames: { far: { point: [3, 0, 0] } } }\n"
      "joints:\n"
      "  A: { revolute: { a: ground, b: crank, axis: [0, 0, 1] }, coordinate: phi }\n"
      "  B: { revolute: { a: crank.e, b: coupler, axis: [0, 0, 1] } }\n"
      "  C: { revolute: { a: coupler.e, b: rocker.e, axis: [0, 0, 1] } }\n"
      "  D: { revolute: { a: base.far, b: rocker, axis: [0, 0, 1] }, coordinate: psi }\n",
      x, y, x - 2.0, y);
  return MW_CHECK(mw_fixture_text(text, f) && f->mech.n_body <= 5 && f->mech.n_coord == 2);
}

// A crank and a rocker of one mobility are named where they disagree, in positions and in rates;
// where they agree at the end alone, on no straight line there, they are reached.
static void dependent_coordinates_are_named(void)
{
  static const unsigned char one[2] = { 1, 0 }, both[2] = { 1, 1 };
  static const double apart[2] = { 1.1, 0.0 }, lead[2] = { -0.9, 0.0 };
  mw_fixture f;
  mw_error err = { 0 };
  double p[60], to[60], s[2], both_s[2], v[60], s_dot[4];
  if (!four_bar(&f)) return;
  const mw_mech *m = &f.mech;
  size_t size = 12 * (size_t)m->n_body * sizeof *p;
  memcpy(p, m->p0, size);
  memcpy(s, m->s0, sizeof s);
  MW_FAILS(mw_mech_rigid_solve(m, both, apart, p, s, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "coordinates phi, psi are held") != NULL);
  MW_CHECK(strstr(err.msg, "1 degree of freedom: psi depends on the others") != NULL);
  MW_CHECK(memcmp(p, m->p0, size) == 0 && memcmp(s, m->s0, sizeof s) == 0);
  MW_OKAY(mw_mech_rigid_modes(m, one, p, s, v, s_dot, &err));
  MW_FAILS(mw_mech_rigid_modes(m, both, p, s, v, s_dot, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "psi depends on the others") != NULL);
  // by the crank alone, then by both; gaps of 1e-13 of 3 m, times the condition of a loop far from
  // its dead points, below 10
  memcpy(to, p, size);
  MW_OKAY(mw_mech_rigid_solve(m, one, lead, to, s, &err));
  MW_CHECK(fabs(s[1]) > 0.3);
  memcpy(both_s, m->s0, sizeof both_s);
  MW_OKAY(mw_mech_rigid_solve(m, both, s, p, both_s, &err));
  for (int i = 0; i < 12 * m->n_body; i++)
    MW_WITHIN(p[i], to[i], 6e-12, "what the closing of loops may leave");
  mw_fixture_free(&f);
}

// ---- branches -----------------------------------------------------------------------------------

typedef struct bars {
  double base, crank[2], coupler[2],
      rocker
          // m, in the plane as drawn: from (base, 0) the rocker's end is where the coupler's is
          [2];
  double lo, hi;     // rad, of the crank from there
  const char *last;  // joint of coupler and rocker
} bars;

static bool bars_text(const bars *l, mw_fixture *f)
{
  static const char format[] =
      "modeway: 1\n"
      "bodies:\n"
      "  pin: { ground: true, at: [%.17g, 0, 0] }\n"
      "  crank: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] }, frames: { e: { point: [%.17g, "
      "%.17g, 0] } } }\n"
      "  coupler: { at: [%.17g, %.17g, 0], rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] },\n"
      "             frames: { e: { point: [%.17g, %.17g, 0] } } }\n"
      "  rocker: { at: [%.17g, 0, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] },\n"
      "            frames: { e: { point: [%.17g, %.17g, 0] } } }\n"
      "joints:\n"
      "  A: { revolute: { a: ground, b: crank, axis: [0, 0, 1] }, coordinate: phi }\n"
      "  B: { revolute: { a: crank.e, b: coupler, axis: [0, 0, 1] } }\n"
      "  D: { revolute: { a: pin, b: rocker, axis: [0, 0, 1] } }\n"
      "  C: { %s: { a: coupler.e, b: rocker.e%s } }\n";
  char text[2048];
  snprintf(text, sizeof text, format, l->base, l->crank[0], l->crank[1], l->crank[0], l->crank[1],
           l->coupler[0], l->coupler[1], l->base, l->rocker[0], l->rocker[1], l->last,
           strcmp(l->last, "revolute") == 0 ? ", axis: [0, 0, 1]" : "");
  return mw_fixture_text(text, f);
}

// Error of the coupler at p: of its origin, m, and of its axes against C on the side of B-D where
// it is drawn. *sine: of the angle between coupler and rocker
static double error_of_coupler(const bars *l, double phi, const double *p, double *sine)
{
  const double *r = l->crank, *k = l->coupler;
  double B[2] = { r[0] * cos(phi) - r[1] * sin(phi), r[0] * sin(phi) + r[1] * cos(phi) };
  double side = (l->base - r[0]) * k[1] + r[1] * k[0] > 0.0 ? 1.0 : -1.0,
         length = hypot(k[0], k[1]), rocker = hypot(l->rocker[0], l->rocker[1]),
         D[2] = { l->base - B[0], -B[1] }, d = hypot(D[0], D[1]),
         x = (d * d + length * length - rocker * rocker) / (2.0 * d),
         y = side * sqrt(length * length - x * x),
         turn = atan2(D[1], D[0]) + atan2(y, x) - atan2(k[1], k[0]), c = cos(turn), s = sin(turn);
  const double o[3] = { B[0], B[1], 0.0 }, axes[9] = { c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0 };
  double worst = 0.0;
  for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(p[i] - o[i]));
  for (int i = 0; i < 9; i++) worst = fmax(worst, fabs(p[3 + i] - axes[i]));
  *sine = d * fabs(y) / (length * rocker);
  return worst;
}

// From one of a thousand random places to the next, and to each from the first: antiparallelogram
// and crossed four-bar have the same crank. Four joints close to 1e-13 of the size, each in two
// directions; the coupler's end errs by that over the sine, axes by it over the shortest link.
static void loops_keep_to_their_branch(void)
{
  static const bars all[] = {
    { 0.4, { 0.0, -0.6 }, { 0.4, 0.0 }, { 0.0, -0.6 }, -1.2, 1.2, "spherical" },
    { 0.4, { 0.0, -0.6 }, { 0.4, 0.0 }, { 0.0, -0.6 }, -1.5, 1.5, "revolute" },
    { 0.4,
      { 0.15, 0.0 },
      { 0.19, 0.29393876913398136 },
      { -0.06, 0.29393876913398136 },
      -9.0,
      9.0,
      "revolute" },
    { 0.4,
      { 0.15, 0.0 },
      { 0.19, -0.29393876913398136 },
      { -0.06, -0.29393876913398136 },
      -9.0,
      9.0,
      "spherical" },
  };
  const unsigned char locked[1] = { 1 };
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const bars *l = &all[k];
    mw_fixture f;
    mw_error err = { 0 };
    if (!bars_text(l, &f)) return;
    const mw_mech *m = &f.mech;
    double p[12 * 6], s[1] = { m->s0[0] }, first[12 * 6], from[1], phi = l->lo, sine;
    size_t frames = 12 * (size_t)m->n_body * sizeof *p;
    int coupler = 0;
    while (strcmp(m->body[coupler].name, "coupler") != 0) coupler++;
    memcpy(p, m->p0, frames);
    bool ok = MW_OKAY(mw_mech_rigid_solve(m, locked, &phi, p, s, &err));
    memcpy(first, p, frames);
    unsigned random = 1;
    for (int i = 0; ok && i < 300; i++) {
      random = random * 1664525u + 1013904223u;
      phi = l->lo + (l->hi - l->lo) * (random >> 8) / 16777216.0;
      for (int way = 0; ok && way < 2; way++) {
        double other[12 * 6];
        memcpy(other, first, frames);
        from[0] = l->lo;
        ok = MW_OKAY(mw_mech_rigid_solve(m, locked, &phi, way ? other : p, way ? from : s, &err));
        double e = error_of_coupler(l, phi, (way ? other : p) + 12 * coupler, &sine);
        MW_NEAR(e, 0.0, 8.0 * 1e-13 * mw_mech_size(m) / (0.15 * sine));
      }
    }
    mw_fixture_free(&f);
  }
}

// With all bars in line the parallelogram's coupler may go on to either side; a four-bar's crank
// goes no further than coupler and rocker reach, stretched: d = coupler + rocker, cos phi = (base²
// + crank² − d²)/(2 base crank).
static void places_where_branches_meet_are_named(void)
{
  static const bars
      flat = { 0.4, { 0.0, -0.6 }, { 0.4, 0.0 }, { 0.0, -0.6 }, 0.0, 0.0, "spherical" },
      dead = { 0.4, { 0.3, 0.0 }, { 0.1, 0.2 }, { 0.0, 0.2 }, 0.0, 0.0, "revolute" };
  const unsigned char locked[1] = { 1 };
  const double quarter = 2.0 * atan(1.0), beyond = 3.0, d = sqrt(0.05) + 0.2;
  mw_fixture f;
  mw_error err = { 0 };
  double p[12 * 6], v[6 * 6], s[1] = { 0.0 }, s_dot[1], named = 0.0;
  if (!bars_text(&flat, &f)) return;
  memcpy(p, f.mech.p0, 12 * (size_t)f.mech.n_body * sizeof *p);
  mw_code rc = mw_mech_rigid_solve(&f.mech, locked, &quarter, p, s, &err);
  if (rc == MW_OK) rc = mw_mech_rigid_modes(&f.mech, locked, p, s, v, s_dot, &err);
  MW_CHECK(rc != MW_OK && err.msg[0] != 0);
  mw_fixture_free(&f);
  if (!bars_text(&dead, &f)) return;
  memcpy(p, f.mech.p0, 12 * (size_t)f.mech.n_body * sizeof *p);
  double most = acos((0.25 - d * d) / 0.24);
  s[0] = 0.0;
  MW_CHECK(mw_mech_rigid_solve(&f.mech, locked, &beyond, p, s, &err) == MW_ERR_NUMERIC);
  const char *at = strstr(err.msg, "cannot be followed beyond phi = ");
  if (MW_CHECK(at != NULL && err.line > 0)) named = strtod(strchr(at, '=') + 1, NULL);
  MW_CHECK(named <= most && named > most - 0.01);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "chains_of_fixed_bodies_turn_as_one", chains_of_fixed_bodies_turn_as_one },
    { "false_roots_of_joints_are_named", false_roots_of_joints_are_named },
    { "dependent_coordinates_are_named", dependent_coordinates_are_named },
    { "loops_keep_to_their_branch", loops_keep_to_their_branch },
    { "places_where_branches_meet_are_named", places_where_branches_meet_are_named },
  };
  return mw_test_run("closure", cases, (int)(sizeof cases / sizeof *cases));
}
