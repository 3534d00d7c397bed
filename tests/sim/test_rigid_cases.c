// SPDX-License-Identifier: BSD-3-Clause
// test_rigid_cases.c: the rigid cases against the first tenth of their references, their mobility,
// and the generated models.
//
// Tolerances are those the references recommend (rigid_problems.c) at the method and tolerance each
// scenario names, for the whole series; bench_rigid_references runs it all.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fem/rigid.h"
#include "mw_test.h"
#include "rigid_problems.h"
#include "sim/example.h"

enum { LARGEST = 40 };  // windows or links of a generated model: larger ones are the bench's

// ---- mobility -----------------------------------------------------------------------------------

typedef struct rank {
  int mobility, redundant;
} rank;

// Degrees of freedom of the bodies less the independent rows, in the reference configuration.
static bool find_rank(const mw_fixture *f, rank *out)
{
  mw_error err = { 0 };
  mw_rigid *r = NULL;
  mw_rigid_opt opt = mw_rigid_opt_default();
  mw_rigid_work *w = NULL;
  mw_arena mem = { 0 };
  bool ok = MW_OKAY(mw_rigid_build(&f->mech, &opt, &r, &err)) &&
            MW_OKAY(mw_rigid_work_build(r, &w, &err));
  if (ok) {
    mw_rigid_size n = mw_rigid_sizes(r);
    double *q = mw_arena_f64(&mem, (size_t)n.n_q), *v = mw_arena_f64(&mem, (size_t)n.n_q);
    double *a = mw_arena_f64(&mem, (size_t)n.n_q);
    int *rows = mw_arena_int(&mem, (size_t)f->mech.n_joint);
    ok = MW_OKAY(mw_arena_check(&mem, &err));
    if (ok) mw_rigid_from_frames(r, f->mech.p0, q);
    ok = ok && MW_OKAY(mw_rigid_project_q(r, w, 0.0, q, 1e-12, 20, true, NULL, &err));
    ok = ok && MW_OKAY(mw_rigid_accel(r, w, 0.0, q, v, a, &err));
    if (ok) out->redundant = mw_rigid_redundant(r, w, rows);
    if (ok) out->mobility = 6 * n.n_body - (n.n_row - out->redundant);
  }
  mw_arena_free(&mem);
  mw_rigid_work_free(w);
  mw_rigid_free(r);
  return ok;
}

static void every_case_has_its_mobility_and_redundant_rows(void)
{
  for (int k = 0; mw_problem_at(k); k++) {
    const mw_problem *p = mw_problem_at(k);
    mw_fixture f;
    rank got = { -1, -1 };
    if (!MW_CHECK(mw_problem_open(p, &f))) continue;
    bool known = find_rank(&f, &got), free = MW_CHECK(got.mobility == p->mobility),
         rows = MW_CHECK(got.redundant == p->redundant);
    if (known && !(free && rows))
      fprintf(stderr, "%s: mobility %d, want %d; redundant %d, want %d\n", p->name, got.mobility,
              p->mobility, got.redundant, p->redundant);
    mw_fixture_free(&f);
  }
}

// ---- references ---------------------------------------------------------------------------------

static bool near(const char *problem, const char *what, double got, double tol)
{
  if (tol <= 0.0 || MW_NEAR(got, 0.0, tol)) return true;
  fprintf(stderr, "%s: %s\n", problem, what);
  return false;
}

static void check_beginning(const mw_problem *p, const mw_fixture *f)
{
  mw_error err = { 0 };
  mw_table t = { 0 };
  mw_run r = { 0 };
  const mw_scenario *sc = mw_problem_scenario(p, f);
  if (!MW_CHECK(sc != NULL)) return;
  mw_scenario tenth = *sc;
  tenth.duration = 0.1 * sc->duration;
  if (MW_CHECK(mw_problem_table(p, &tenth, &t)) &&
      MW_OKAY(mw_rigid_run(&f->mech, &tenth, NULL, NULL, &r, &err))) {
    mw_deviation d = mw_problem_compare(p, &t, &r, tenth.duration);
    MW_CHECK(d.instants >= 6);  // of a table of 51 rows
    MW_CHECK(r.event == NULL);
    near(p->name, "coordinates and points", d.q, p->tol_q);
    near(p->name, "rates", d.v, p->tol_v);
    near(p->name, "reactions", d.force, p->tol_force);
    double gap = 0.0;
    for (int k = 0; k < r.n_t; k++) gap = fmax(gap, r.residual[k]);
    near(p->name, "constraint gap against the projection asked for", gap, 1e-12);
    // asked of every adaptive run at a tight tolerance
    if (p->conservative) near(p->name, "energy drift", r.energy_drift, 1e-9);
  }
  mw_run_free(&r);
  mw_table_free(&t);
}

static void the_beginning_of_every_reference_is_met(void)
{
  for (int k = 0; mw_problem_at(k); k++) {
    const mw_problem *p = mw_problem_at(k);
    mw_fixture f;
    if (p->n > LARGEST || !MW_CHECK(mw_problem_open(p, &f))) continue;
    check_beginning(p, &f);
    mw_fixture_free(&f);
  }
}

// ---- the arm ------------------------------------------------------------------------------------

// Friction, elastic gears and sampled controllers: CVODE and Runge-Kutta share nothing but the
// right-hand side. The difference between steps h and h/2 of a method of order 2 at least
// (controllers and the friction's steep tanh allow no more) bounds the error at h/2 by a third of
// itself.
static void arm_by_two_methods_is_one_motion(void)
{
  char path[512];
  mw_error err = { 0 };
  mw_fixture f;
  mw_run r[3] = { { 0 }, { 0 }, { 0 } };
  snprintf(path, sizeof path, "%s/arm.yaml", MW_CASES_DIR);
  if (!MW_CHECK(mw_fixture_file(path, &f))) return;
  mw_scenario sc = f.model.scenario[0];
  sc.duration = 0.3;
  mw_rigid_run_opt o = mw_rigid_run_opt_default(&sc);
  o.rigid.tolerance = 1e-10;
  bool ok = MW_OKAY(mw_rigid_run(&f.mech, &sc, &o, NULL, &r[0], &err));
  o.rigid.method = MW_METHOD_RK4;
  for (int k = 1; ok && k < 3; k++) {
    o.step = 2.5e-4 / k;
    ok = MW_OKAY(mw_rigid_run(&f.mech, &sc, &o, NULL, &r[k], &err));
  }
  if (ok && MW_CHECK(r[0].n_t == r[1].n_t && r[0].n_t == r[2].n_t)) {
    double off = 0.0, halved = 0.0, moved = 0.0;
    for (int i = 0; i < 3 * r[0].n_out * r[0].n_t; i++) {
      off = fmax(off, fabs(r[0].y[i] - r[2].y[i]));
      halved = fmax(halved, fabs(r[1].y[i] - r[2].y[i]));
      moved = fmax(moved, fabs(r[0].y[i] - r[0].y[i % (3 * r[0].n_out)]));
    }
    MW_CHECK(moved > 0.05);
    // the adaptive run's errors of lengths of 1 m, a tolerance a step, add up at most
    double most = r[0].steps * o.rigid.tolerance;
    MW_NEAR(off, 0.0, halved / 3.0 + most);
    MW_NEAR(r[0].energy_drift, 0.0, most);
  }
  for (int k = 0; k < 3; k++) mw_run_free(&r[k]);
  mw_fixture_free(&f);
}

// ---- generated models ---------------------------------------------------------------------------

static void chain_of_seven_has_seven_freedoms(void)
{
  const mw_problem p = { .name = "chain", .example = "chain", .n = 7, .scenario = "fall" };
  mw_fixture f;
  rank got = { -1, -1 };
  if (!MW_CHECK(mw_problem_open(&p, &f))) return;
  if (find_rank(&f, &got)) {
    MW_CHECK(got.mobility == 7);
    MW_CHECK(got.redundant == 0);
  }
  mw_fixture_free(&f);
}

// IDA cannot go through positions where rows lose their rank: phi = 90 degrees at 0.2025 s, where
// both sliders pass over O
static void ida_names_the_singular_position_it_stops_at(void)
{
  for (int k = 0; mw_problem_at(k); k++) {
    const mw_problem *p = mw_problem_at(k);
    mw_fixture f;
    mw_error err = { 0 };
    mw_run r = { 0 };
    if (strcmp(p->name, "double-scott-russell") != 0 || !MW_CHECK(mw_problem_open(p, &f))) continue;
    mw_scenario sc = *mw_problem_scenario(p, &f);
    mw_rigid_run_opt opt = mw_rigid_run_opt_default(&sc);
    opt.rigid.method = MW_METHOD_IDA;
    opt.rigid.tolerance = 1e-11;
    sc.duration = 0.4;
    MW_FAILS(mw_rigid_run(&f.mech, &sc, &opt, NULL, &r, &err), MW_ERR_NUMERIC);
    MW_CHECK(strstr(err.msg, "t = 0.20") != NULL && strstr(err.msg, "singular position") != NULL);
    opt.rigid.method = MW_METHOD_CVODE;
    opt.rigid.tolerance = 1e-10;
    MW_OKAY(mw_rigid_run(&f.mech, &sc, &opt, NULL, &r, &err));
    mw_run_free(&r);
    mw_fixture_free(&f);
  }
}

// A bar on a hinge, held by a rod whose line passes the hinge by 0.1 mm: nothing moves. A damper of
// the hinge makes Newton's matrix of an implicit step so stiff that it takes the rod for redundant.
static void a_rod_near_its_dead_point_is_not_let_go_silently(void)
{
  static const double LEFT = 1e-9;  // rad
  mw_fixture f;
  mw_error err = { 0 };
  mw_run r = { 0 };
  if (!MW_CHECK(mw_fixture_text(
          "modeway: 1\n"
          "name: lock\n"
          "gravity: [0, 0, -9.81]\n"
          "bodies:\n"
          "  base: { ground: true, frames: { P: { point: [3, 0, 0.0002] } } }\n"
          "  bar:\n"
          "    at: [0, 0, 0]\n"
          "    rigid: { mass: 1, com: [0.5, 0, 0], inertia: [0.001, 0.084, 0.084, 0, 0, 0] }\n"
          "    frames: { A: { point: [1, 0, 0] } }\n"
          "joints:\n"
          "  hinge: { revolute: { a: base, b: bar, axis: [0, 1, 0] }, coordinate: phi,\n"
          "           damping: 1.0e5 }\n"
          "  rod: { distance: { a: base.P, b: bar.A } }\n"
          "scenarios:\n"
          "  hold: { duration: 0.5, step: 0.01, initial: undeformed }\n",
          &f)))
    return;
  const mw_scenario *sc = &f.model.scenario[0];
  mw_rigid_run_opt opt = mw_rigid_run_opt_default(sc);
  opt.rigid.method = MW_METHOD_MIDPOINT;
  MW_FAILS(mw_rigid_run(&f.mech, sc, &opt, NULL, &r, &err), MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "singular position") != NULL);
  opt.rigid.method = MW_METHOD_RK4;
  if (MW_OKAY(mw_rigid_run(&f.mech, sc, &opt, NULL, &r, &err)))
    MW_CHECK(fabs(r.s[(size_t)(r.n_t - 1) * (size_t)r.n_coord]) < LEFT);
  mw_run_free(&r);
  mw_fixture_free(&f);
}

// Positions by Adams formulas drift off what joints allow, and are drawn back: else each of these
// runs ends at a bifurcation. Errors of steps add up and grow with the square of time, energies
// with those.
static void adams_formulas_pass_bifurcations(void)
{
  static const double tolerance[2] = { 1e-6, 1e-8 };
  mw_error err = { 0 };
  const mw_problem *p;
  for (int i = 0; (p = mw_problem_at(i)); i++) {
    mw_fixture f;
    mw_run r, want;
    if (strcmp(p->name, "double-scott-russell") != 0 || !MW_CHECK(mw_problem_open(p, &f))) continue;
    const mw_scenario *sc = mw_problem_scenario(p, &f);
    mw_rigid_run_opt opt = mw_rigid_run_opt_default(sc);
    opt.rigid.method = MW_METHOD_DOP853;
    opt.rigid.tolerance = 1e-11;
    bool fine = MW_OKAY(mw_rigid_run(&f.mech, sc, &opt, NULL, &want, &err));
    opt.rigid.method = MW_METHOD_ADAMS;
    for (int k = 0; fine && k < 2; k++) {
      double most = 0.0, bound;
      opt.rigid.tolerance = tolerance[k];
      if (!MW_OKAY(mw_rigid_run(&f.mech, sc, &opt, NULL, &r, &err))) continue;
      bound = r.steps * tolerance[k] * sc->duration * sc->duration;
      for (int x = 0; x < r.n_t * r.n_coord; x++) most = fmax(most, fabs(r.s[x] - want.s[x]));
      MW_NEAR(most, 0.0, bound);
      MW_NEAR(r.energy_drift, 0.0, bound);
      mw_run_free(&r);
    }
    if (fine) mw_run_free(&want);
    mw_fixture_free(&f);
  }
}

static void examples_refuse_what_they_do_not_know(void)
{
  mw_error err = { 0 };
  FILE *f = tmpfile();
  if (!MW_CHECK(f != NULL)) return;
  MW_FAILS(mw_example_write(f, "chains", 3, &err), MW_ERR_INPUT);
  MW_FAILS(mw_example_write(f, "chain", 0, &err), MW_ERR_INPUT);
  MW_FAILS(mw_example_write(f, "chain", MW_EXAMPLE_MAX + 1, &err), MW_ERR_INPUT);
  MW_CHECK(ftell(f) == 0);
  for (int k = 0; mw_example_at(k); k++)
    MW_OKAY(mw_example_write(f, mw_example_at(k)->name, 1, &err));
  MW_CHECK(mw_example_at(-1) == NULL);
  fclose(f);
}

// ---- samples ------------------------------------------------------------------------------------

// Accelerations of trees and of bodies on legs leave no factors that a new sample could use.
static void check_sampled(const mw_fixture *f, const mw_scenario *sc, double most)
{
  mw_error err = { 0 };
  mw_run r = { 0 };
  if (!MW_CHECK(sc != NULL)) return;
  mw_rigid_run_opt o = mw_rigid_run_opt_default(sc);
  o.rigid.method = MW_METHOD_RK4;
  if (MW_OKAY(mw_rigid_run(&f->mech, sc, &o, NULL, &r, &err)) &&
      MW_CHECK(fabs(r.work[r.n_t - 1]) > 1e-3))
    MW_WITHIN(r.energy_drift, 0.0, most, "of an order, while all of it moves");
  mw_run_free(&r);
}

static void energy_of_a_slide_is_balanced_where_its_controller_is_sampled(void)
{
  static const char *const TEXT =
      "modeway: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  c: { at: [0, 0, 0], rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "joints:\n"
      "  s: { prismatic: { a: ground, b: c, axis: [0, 0, 1] }, coordinate: z }\n"
      "drives:\n  push: { coordinate: z }\n"
      "outputs:\n  c: { body: c }\n"
      "scenarios:\n  lift:\n    duration: 1\n    step: 1e-3\n    control_period: 1e-3\n"
      "    drives:\n      push: { move: { from: 0, to: 0.3, max_velocity: 1, "
      "max_acceleration: 8, max_jerk: 200 }, kp: 900, kd: 40, feedforward: 2 }\n";
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_text(TEXT, &f))) return;
  // between samples work is a square of time: roundings of 1e3 steps, ten operations each
  check_sampled(&f, &f.model.scenario[0], mw_test_rounding(1e4, 1.0));
  mw_fixture_free(&f);
}

static void energy_of_the_hexapod_is_balanced_where_its_controllers_are_sampled(void)
{
  const mw_problem p = { .file = "hexapod.yaml", .scenario = "real_time" };
  mw_fixture f;
  if (!MW_CHECK(mw_problem_open(&p, &f))) return;
  // (h ω)⁴ with ω = 2 / 0.04 s, of ramps of acceleration: 6e-6, over 120
  check_sampled(&f, mw_problem_scenario(&p, &f), 1e-7);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "ida_names_the_singular_position_it_stops_at", ida_names_the_singular_position_it_stops_at },
    { "a_rod_near_its_dead_point_is_not_let_go_silently",
      a_rod_near_its_dead_point_is_not_let_go_silently },
    { "adams_formulas_pass_bifurcations", adams_formulas_pass_bifurcations },
    { "examples_refuse_what_they_do_not_know", examples_refuse_what_they_do_not_know },
    { "chain_of_seven_has_seven_freedoms", chain_of_seven_has_seven_freedoms },
    { "every_case_has_its_mobility_and_redundant_rows",
      every_case_has_its_mobility_and_redundant_rows },
    { "the_beginning_of_every_reference_is_met", the_beginning_of_every_reference_is_met },
    { "arm_by_two_methods_is_one_motion", arm_by_two_methods_is_one_motion },
    { "energy_of_a_slide_is_balanced_where_its_controller_is_sampled",
      energy_of_a_slide_is_balanced_where_its_controller_is_sampled },
    { "energy_of_the_hexapod_is_balanced_where_its_controllers_are_sampled",
      energy_of_the_hexapod_is_balanced_where_its_controllers_are_sampled },
  };
  return mw_test_run("rigid_cases", cases, (int)(sizeof cases / sizeof *cases));
}
