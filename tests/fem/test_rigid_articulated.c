// SPDX-License-Identifier: BSD-3-Clause
// test_rigid_articulated.c: accelerations of trees by articulated bodies, and of bodies on legs in
// closed form, against the elimination of all rows and against closed forms.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fem/rigid.h"
#include "fixture.h"
#include "mw_test.h"

enum { LINKS = 9, TREES = 40, LEGS = 4, JOINTS = 3 * LEGS };  // LINKS = 2 LEGS + 1

typedef struct rig {
  mw_rigid *r;
  mw_rigid_work *w;
} rig;

static bool open_rig(const mw_fixture *f, bool eliminate, rig *k)
{
  mw_error err = { 0 };
  mw_rigid_opt opt = mw_rigid_opt_default();
  opt.eliminate = eliminate;
  *k = (rig){ 0 };
  return MW_OKAY(mw_rigid_build(&f->mech, &opt, &k->r, &err)) &&
         MW_OKAY(mw_rigid_work_build(k->r, &k->w, &err));
}

static void close_rig(rig *k)
{
  mw_rigid_work_free(k->w);
  mw_rigid_free(k->r);
}

// Numbers between −1 and 1, the same every time.
static double any(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

// Bodies at c, with frames where the joints j of all bodies are, at p.
static void print_bodies(FILE *to, unsigned *seed)
{
  double p[LINKS][3], c[LINKS][3];
  for (int k = 0; k < LINKS; k++)
    for (int i = 0; i < 3; i++) {
      p[k][i] = k > 0 ? any(seed) + 0.5 * k : 0.0;
      c[k][i] = any(seed) + 0.5 * k;
    }
  for (int k = 0; k < LINKS; k++) {
    fprintf(to,
            "  b%d: { at: [%.17g, %.17g, %.17g], rigid: { mass: %.3f, com: [%.3f, 0.1, 0.2], "
            "inertia: [0.3, 0.4, 0.35, 0.02, -0.03, 0.01] }, frames: { o: { point: [0, 0, 0] }",
            k, c[k][0], c[k][1], c[k][2], 2.0 + any(seed), any(seed));
    for (int j = k; j < LINKS; j++)
      fprintf(to, ", j%d: { point: [%.17g, %.17g, %.17g] }", j, p[j][0] - c[k][0],
              p[j][1] - c[k][1], p[j][2] - c[k][2]);
    fputs(" } }\n", to);
  }
}

// Joints of bodies with any before them, the first with the ground, a and b in either order.
static void print_joints(FILE *to, unsigned *seed)
{
  for (int k = 0; k < LINKS; k++) {
    int on = (int)((any(seed) + 1.0) * 0.5 * k);
    char above[16] = "ground", below[16];
    bool slides = any(seed) > 0.0, swapped = any(seed) > 0.0;
    if (k > 0) snprintf(above, sizeof above, "b%d.j%d", on, k);
    snprintf(below, sizeof below, "b%d.j%d", k, k);
    fprintf(to, "  j%d: { %s: { a: %s, b: %s, axis: [%.3f, %.3f, 1] }, coordinate: q%d }\n", k,
            slides ? "prismatic" : "revolute", swapped ? below : above, swapped ? above : below,
            any(seed), any(seed), k);
  }
}

static bool open_tree(unsigned seed, mw_fixture *f)
{
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) return false;
  fputs("modeway: 1\nname: tree\ngravity: [1, 2, -9.81]\nbodies:\n", to);
  print_bodies(to, &seed);
  fputs("joints:\n", to);
  print_joints(to, &seed);
  if (seed % 2 == 0)
    fputs("forces:\n"
          "  spring: { spring: { a: b1.o, b: b4 }, stiffness: 20, damping: 3 }\n"
          "  push: { point: { on: b5.o, direction: [0, 1, 1] }, force: 4 }\n"
          "  turn: { coordinate: q2, stiffness: 30, damping: 2 }\n",
          to);
  fclose(to);
  bool ok = mw_fixture_text(text, f);
  free(text);
  return ok;
}

// Positions and rates of the tree far from its reference, rows closed to rounding.
static bool move(const rig *k, const mw_fixture *f, double *q, double *v, double *u)
{
  mw_error err = { 0 };
  mw_rigid_size n = mw_rigid_sizes(k->r);
  double gap = NAN;
  mw_rigid_from_frames(k->r, f->mech.p0, q);
  for (int i = 0; i < n.n_u; i++) u[i] = 0.2 * sin(1.7 * i + 0.3);
  mw_rigid_move(k->r, q, u, q);
  for (int i = 0; i < n.n_u; i++) u[i] = cos(2.3 * i + 0.1);
  bool ok = MW_OKAY(mw_rigid_project_q(k->r, k->w, 0.0, q, 1e-14, 30, true, &gap, &err)) &&
            MW_CHECK(gap <= 1e-13);
  mw_rigid_rates(k->r, q, u, v);
  return ok && MW_OKAY(mw_rigid_project_v(k->r, k->w, 0.0, q, v, true, &err));
}

static double largest(const double *x, int n)
{
  double m = 0.0;
  for (int i = 0; i < n; i++) m = fmax(m, fabs(x[i]));
  return m;
}

// 30 operations a link, added up along LINKS links, on rows closed to 1e-13; inertias at the ends
// of the tree differ by up to 1e3.
static double tolerance(double size) { return mw_test_rounding(30.0 * LINKS, 1e3 * size); }

// Returns whether their bits differ.
static bool compare(const mw_fixture *f, const rig *tree, const rig *rows, double within(double))
{
  mw_error err = { 0 };
  mw_rigid_size n = mw_rigid_sizes(tree->r);
  enum { MOST = 12 * LINKS };
  double q[MOST], v[MOST], u[MOST], a[MOST], b[MOST], x[6 * JOINTS], y[6 * JOINTS];
  int n_force = 6 * f->mech.n_joint;
  if (!move(rows, f, q, v, u)) return false;
  if (!MW_OKAY(mw_rigid_accel(tree->r, tree->w, 0.0, q, v, a, &err)) ||
      !MW_OKAY(mw_rigid_accel(rows->r, rows->w, 0.0, q, v, b, &err)))
    return false;
  double size = largest(b, n.n_q);
  bool differs = memcmp(a, b, (size_t)n.n_q * sizeof *a) != 0;
  for (int i = 0; i < n.n_q; i++) MW_WITHIN(a[i], b[i], within(size), "worst of all trees");
  if (!MW_OKAY(mw_rigid_reactions(tree->r, tree->w, x, &err)) ||
      !MW_OKAY(mw_rigid_reactions(rows->r, rows->w, y, &err)))
    return false;
  size = largest(y, n_force);
  for (int i = 0; i < n_force; i++) MW_WITHIN(x[i], y[i], within(size), "worst of all trees");
  MW_CHECK(mw_rigid_redundant(tree->r, tree->w, NULL) == 0);
  return differs;
}

static void trees_accelerate_as_the_elimination_of_their_rows_says(void)
{
  for (unsigned seed = 1; seed <= TREES; seed++) {
    mw_fixture f;
    rig tree = { 0 }, rows = { 0 };
    if (!MW_CHECK(open_tree(977u * seed, &f))) continue;
    if (open_rig(&f, false, &tree) && open_rig(&f, true, &rows)) {
      MW_CHECK(mw_rigid_articulates(tree.r));
      MW_CHECK(!mw_rigid_articulates(rows.r));
      (void)compare(&f, &tree, &rows, tolerance);
    }
    close_rig(&tree);
    close_rig(&rows);
    mw_fixture_free(&f);
  }
}

// A carriage of 3 kg on a slope of axis (1, 0, 1)/√2 that carries a pendulum, m = 2 kg, centre at
// 0.5 m, I = 0.4 kg m²: with s along the axis, φ from it, g' and g'' along and across the axis,
//   (M + m) s'' + m l (−sin φ φ'' − cos φ φ'²) = −(M + m) g' ,
//   (I + m l²) φ'' − m l sin φ s'' = m l (sin φ g' − cos φ g'')
static void a_pendulum_on_a_slide_obeys_lagrange(void)
{
  static const char *const TEXT =
      "modeway: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  c: { at: [0, 0, 0], rigid: { mass: 3, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  p: { at: [0, 0, 0], rigid: { mass: 2, com: [0.35355339059327379, 0, 0.35355339059327379], "
      "inertia: [0.4, 0.4, 0.4, 0, 0, 0] } }\n"
      "joints:\n"
      "  s: { prismatic: { a: ground, b: c, axis: [1, 0, 1] }, coordinate: s }\n"
      "  r: { revolute: { a: c, b: p, axis: [0, -1, 0] }, coordinate: f }\n";
  mw_fixture f;
  rig k = { 0 };
  mw_error err = { 0 };
  double q[24], v[24] = { 0.0 }, a[24];
  if (!MW_CHECK(mw_fixture_text(TEXT, &f))) return;
  if (open_rig(&f, false, &k) && MW_CHECK(mw_rigid_articulates(k.r))) {
    const double M = 5.0, ml = 2.0 * 0.5, J = 0.4 + 2.0 * 0.25, g = 9.81 / sqrt(2.0), w = 3.0;
    mw_rigid_from_frames(k.r, f.mech.p0, q);
    // at φ = 0 with φ' = w and s' = 0: M s'' = m l w² − M g' , J φ'' = −m l g''
    double u[12] = { 0.0 };
    const double e = sqrt(0.5);
    // centre along the axis at l: velocity w l across, (−1, 0, 1)/√2; ω = (0, −w, 0)
    u[6] = -w * 0.5 * e;
    u[8] = w * 0.5 * e;
    u[10] = -w;
    mw_rigid_rates(k.r, q, u, v);
    MW_OKAY(mw_rigid_accel(k.r, k.w, 0.0, q, v, a, &err));
    double s = (ml * w * w - M * g) / M;
    double tol = mw_test_rounding(100.0, 20.0);
    MW_NEAR(a[0], s * e, tol);
    MW_WITHIN(a[1], 0.0, tol, "a few roundings, none by chance");
    MW_NEAR(a[2], s * e, tol);
    mw_rigid_twist(k.r, q, a, u);
    MW_NEAR(u[10], ml * g / J, tol);  // about −y
  }
  close_rig(&k);
  mw_fixture_free(&f);
}

// ---- legs ---------------------------------------------------------------------------------------

// Feet on a circle of 1 m, balls on one of 0.5 m a metre above, knees between, all off by chance:
// points [LEGS][3] of them.
static void leg_points(unsigned *seed, double foot[][3], double knee[][3], double top[][3])
{
  for (int k = 0; k < LEGS; k++) {
    double angle = 1.5 * k + 0.3 * any(seed);
    const double f[3] = { cos(angle), sin(angle), 0.2 * any(seed) };
    const double t[3] = { 0.5 * cos(angle), 0.5 * sin(angle), 1.0 + 0.2 * any(seed) };
    for (int i = 0; i < 3; i++) {
      foot[k][i] = f[i];
      top[k][i] = t[i];
      knee[k][i] = 0.5 * (f[i] + t[i]) + 0.3 * any(seed);
    }
  }
}

static void print_frame(FILE *to, const char *name, int k, const double p[3])
{
  fprintf(to, ", %s%d: { point: [%.17g, %.17g, %.17g] }", name, k, p[0], p[1], p[2]);
}

// Bodies with the reference axes at the origin, so that points are those of the ground.
static void print_leg_bodies(FILE *to, unsigned *seed, double foot[][3], double knee[][3],
                             double top[][3])
{
  static const char *const RIGID = "rigid: { mass: %.3f, com: [%.3f, %.3f, %.3f], "
                                   "inertia: [0.3, 0.4, 0.35, 0.02, -0.03, 0.01] }";
  fputs("  base: { ground: true, frames: { o: { point: [0, 0, 0] }", to);
  for (int k = 0; k < LEGS; k++) print_frame(to, "f", k, foot[k]);
  fputs(" } }\n  p: { ", to);
  fprintf(to, RIGID, 4.0, 0.1, -0.1, 1.1);
  fputs(", frames: { o: { point: [0, 0, 0] }", to);
  for (int k = 0; k < LEGS; k++) print_frame(to, "t", k, top[k]);
  fputs(" } }\n", to);
  for (int k = 0; k < LEGS; k++)
    for (int part = 0; part < 2; part++) {
      fprintf(to, "  %s%d: { ", part == 0 ? "l" : "u", k);
      fprintf(to, RIGID, 2.0 + any(seed), foot[k][0], foot[k][1] + 0.3 * any(seed),
              0.3 + 0.4 * part);
      fputs(", frames: { o: { point: [0, 0, 0] }", to);
      print_frame(to, part == 0 ? "f" : "t", k, part == 0 ? foot[k] : top[k]);
      print_frame(to, "k", k, knee[k]);
      fputs(" } }\n", to);
    }
}

// A joint with its bodies in either order
static void print_leg_joint(FILE *to, unsigned *seed, const char *name, const char *kind, int k,
                            const char *below, const char *above, const char *axes)
{
  bool swapped = any(seed) > 0.0;
  fprintf(to, "  %s%d: { %s: { a: %s, b: %s%s } }\n", name, k, kind, swapped ? above : below,
          swapped ? below : above, axes);
}

static void print_legs(FILE *to, unsigned *seed)
{
  for (int k = 0; k < LEGS; k++) {
    char a[32], b[32], axes[128];
    double x = any(seed), y = any(seed);
    // perpendicular whichever of them is fixed to the ground
    snprintf(axes, sizeof axes, ", axis: [%.17g, %.17g, 0], axis_b: [%.17g, %.17g, 0]", x, y, -y,
             x);
    snprintf(a, sizeof a, "base.f%d", k);
    snprintf(b, sizeof b, "l%d.f%d", k, k);
    print_leg_joint(to, seed, "j", "universal", k, a, b, axes);
    snprintf(axes, sizeof axes, ", axis: [%.17g, %.17g, 1]", any(seed), any(seed));
    snprintf(a, sizeof a, "l%d.k%d", k, k);
    snprintf(b, sizeof b, "u%d.k%d", k, k);
    print_leg_joint(to, seed, "m", any(seed) > 0.0 ? "prismatic" : "revolute", k, a, b, axes);
    snprintf(a, sizeof a, "u%d.t%d", k, k);
    snprintf(b, sizeof b, "p.t%d", k);
    print_leg_joint(to, seed, "s", "spherical", k, a, b, "");
  }
}

static bool open_legs(unsigned seed, mw_fixture *f)
{
  char *text = NULL;
  size_t size;
  double foot[LEGS][3], knee[LEGS][3], top[LEGS][3];
  FILE *to = open_memstream(&text, &size);
  if (!to) return false;
  leg_points(&seed, foot, knee, top);
  fputs("modeway: 1\nname: legs\ngravity: [1, 2, -9.81]\nbodies:\n", to);
  print_leg_bodies(to, &seed, foot, knee, top);
  fputs("joints:\n", to);
  print_legs(to, &seed);
  if (seed % 2 == 0)
    fputs("forces:\n"
          "  spring: { spring: { a: base.o, b: p.t1 }, stiffness: 20, damping: 3 }\n"
          "  push: { point: { on: u2.o, direction: [0, 1, 1] }, force: 4 }\n",
          to);
  fclose(to);
  bool ok = mw_fixture_text(text, f);
  free(text);
  return ok;
}

// 600 operations a leg; a leg is taken in closed form down to 1e-2 of a regular one, the inverse of
// which enters twice.
static double leg_tolerance(double size) { return mw_test_rounding(600.0 * LEGS, 1e4 * size); }

static void bodies_on_legs_accelerate_as_the_elimination_of_their_rows_says(void)
{
  int closed = 0;
  for (unsigned seed = 1; seed <= TREES; seed++) {
    mw_fixture f;
    rig legs = { 0 }, rows = { 0 };
    if (!MW_CHECK(open_legs(977u * seed, &f))) continue;
    if (open_rig(&f, false, &legs) && open_rig(&f, true, &rows)) {
      MW_CHECK(mw_rigid_leg_count(legs.r) == LEGS);
      MW_CHECK(mw_rigid_leg_count(rows.r) == 0);
      closed += compare(&f, &legs, &rows, leg_tolerance);
    }
    close_rig(&legs);
    close_rig(&rows);
    mw_fixture_free(&f);
  }
  MW_CHECK(closed >= TREES / 2);  // the others are close to a singular leg
}

// Along its first axis it moves its ball in two directions alone.
static void a_leg_along_its_axis_is_eliminated(void)
{
  static const char *const TEXT =
      "modeway: 1\ngravity: [1, 2, -9.81]\nbodies:\n"
      "  l: { at: [0, 0, 0], rigid: { mass: 3, com: [0, 0, 0.3], inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  u: { at: [0, 0, 0], rigid: { mass: 2, com: [0, 0, 0.7], inertia: [1, 1, 1, 0, 0, 0] },\n"
      "       frames: { t: { point: [0, 0, 1] } } }\n"
      "  p: { at: [0, 0, 1], rigid: { mass: 2, com: [0.2, 0.1, 0.3], "
      "inertia: [1, 2, 2.5, 0, 0, 0] } }\n"
      "joints:\n"
      "  j: { universal: { a: ground, b: l, axis: [0, 0, 1], axis_b: [0, 1, 0] } }\n"
      "  m: { prismatic: { a: l, b: u, axis: [0, 0, 1] } }\n"
      "  s: { spherical: { a: u.t, b: p } }\n";
  mw_fixture f;
  rig leg = { 0 }, rows = { 0 };
  mw_error err = { 0 };
  enum { N_Q = 36 };
  double q[N_Q], v[N_Q] = { 0.0 }, a[N_Q], b[N_Q];
  if (!MW_CHECK(mw_fixture_text(TEXT, &f))) return;
  if (open_rig(&f, false, &leg) && open_rig(&f, true, &rows) &&
      MW_CHECK(mw_rigid_leg_count(leg.r) == 1)) {
    mw_rigid_from_frames(leg.r, f.mech.p0, q);
    MW_OKAY(mw_rigid_accel(leg.r, leg.w, 0.0, q, v, a, &err));
    MW_OKAY(mw_rigid_accel(rows.r, rows.w, 0.0, q, v, b, &err));
    MW_CHECK(memcmp(a, b, sizeof a) == 0);
  }
  close_rig(&leg);
  close_rig(&rows);
  mw_fixture_free(&f);
}

static void loops_and_other_joints_are_left_to_the_elimination(void)
{
  static const char *const FILES[] = { "bricard.yaml", "hexapod.yaml", "six-bar.yaml" };
  for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
    char path[1024];
    mw_fixture f;
    rig k = { 0 };
    snprintf(path, sizeof path, "%s/%s", MW_CASES_DIR, FILES[i]);
    if (!MW_CHECK(mw_fixture_file(path, &f))) continue;
    if (open_rig(&f, false, &k)) {
      MW_CHECK(!mw_rigid_articulates(k.r));
      MW_CHECK(mw_rigid_leg_count(k.r) == (i == 1 ? 6 : 0));
    }
    close_rig(&k);
    mw_fixture_free(&f);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "trees_accelerate_as_the_elimination_of_their_rows_says",
      trees_accelerate_as_the_elimination_of_their_rows_says },
    { "a_pendulum_on_a_slide_obeys_lagrange", a_pendulum_on_a_slide_obeys_lagrange },
    { "bodies_on_legs_accelerate_as_the_elimination_of_their_rows_says",
      bodies_on_legs_accelerate_as_the_elimination_of_their_rows_says },
    { "a_leg_along_its_axis_is_eliminated", a_leg_along_its_axis_is_eliminated },
    { "loops_and_other_joints_are_left_to_the_elimination",
      loops_and_other_joints_are_left_to_the_elimination },
  };
  return mw_test_run("rigid_articulated", cases, (int)(sizeof cases / sizeof *cases));
}
