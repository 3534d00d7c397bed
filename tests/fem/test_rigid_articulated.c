// SPDX-License-Identifier: BSD-3-Clause
// test_rigid_articulated.c: accelerations of trees by articulated bodies against the elimination of
// all rows, and against a closed form.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fem/rigid.h"
#include "fixture.h"
#include "mw_test.h"

enum { LINKS = 9, TREES = 40 };

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

static void compare(const mw_fixture *f, const rig *tree, const rig *rows)
{
  mw_error err = { 0 };
  mw_rigid_size n = mw_rigid_sizes(tree->r);
  enum { MOST = 12 * LINKS };
  double q[MOST], v[MOST], u[MOST], a[MOST], b[MOST], x[6 * LINKS], y[6 * LINKS];
  if (!move(rows, f, q, v, u)) return;
  if (!MW_OKAY(mw_rigid_accel(tree->r, tree->w, 0.0, q, v, a, &err)) ||
      !MW_OKAY(mw_rigid_accel(rows->r, rows->w, 0.0, q, v, b, &err)))
    return;
  double size = largest(b, n.n_q);
  for (int i = 0; i < n.n_q; i++) MW_WITHIN(a[i], b[i], tolerance(size), "worst of all trees");
  if (!MW_OKAY(mw_rigid_reactions(tree->r, tree->w, x, &err)) ||
      !MW_OKAY(mw_rigid_reactions(rows->r, rows->w, y, &err)))
    return;
  size = largest(y, 6 * LINKS);
  for (int i = 0; i < 6 * LINKS; i++) MW_WITHIN(x[i], y[i], tolerance(size), "worst of all trees");
  MW_CHECK(mw_rigid_redundant(tree->r, tree->w, NULL) == 0);
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
      compare(&f, &tree, &rows);
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

static void loops_and_other_joints_are_left_to_the_elimination(void)
{
  static const char *const FILES[] = { "bricard.yaml", "hexapod.yaml", "six-bar.yaml" };
  for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
    char path[1024];
    mw_fixture f;
    rig k = { 0 };
    snprintf(path, sizeof path, "%s/%s", MW_CASES_DIR, FILES[i]);
    if (!MW_CHECK(mw_fixture_file(path, &f))) continue;
    if (open_rig(&f, false, &k)) MW_CHECK(!mw_rigid_articulates(k.r));
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
    { "loops_and_other_joints_are_left_to_the_elimination",
      loops_and_other_joints_are_left_to_the_elimination },
  };
  return mw_test_run("rigid_articulated", cases, (int)(sizeof cases / sizeof *cases));
}
