// SPDX-License-Identifier: BSD-3-Clause
// test_rigid_run.c: runs of the rigid path: start, prescribed motion, controllers, limits, kinks,
// energy, methods against each other.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "rigid_problems.h"
#include "sim/rigidrun.h"

static const double PI = 3.14159265358979323846, G = 9.81;

// ---- models -------------------------------------------------------------------------------------

// A block of 2 kg on a vertical guide (coordinate z, drive push), with lines `joint` at the joint
// and the scenario's lines.
static bool open_block(const char *joint, const char *scenario, mw_fixture *f)
{
  char text[2048];
  snprintf(text, sizeof text,
           "modeway: 1\n"
           "name: block\n"
           "gravity: [0, 0, -9.81]\n"
           "bodies:\n"
           "  block:\n"
           "    at: [0, 0, 0]\n"
           "    rigid: { mass: 2, inertia: [0.02, 0.03, 0.04, 0, 0, 0] }\n"
           "joints:\n"
           "  way:\n"
           "    prismatic: { a: ground, b: block, axis: [0, 0, 1] }\n"
           "    coordinate: z\n"
           "%s"
           "drives:\n"
           "  push: { coordinate: z }\n"
           "outputs:\n"
           "  block: { body: block }\n"
           "scenarios:\n"
           "  run:\n"
           "    initial: undeformed\n"
           "%s",
           joint, scenario);
  return MW_CHECK(mw_fixture_text(text, f));
}

// A four-bar in the x-y plane with the sides 3, 1, 3, 2 m: crank (coordinate phi, drive motor),
// coupler, rocker (psi, with what `rocker` adds to its joint).
static bool open_four_bar(const char *rocker, const char *scenario, mw_fixture *f)
{
  char text[4096];
  // crank upright: coupler from (0, 1) to (x, y) on the circle of 2 m around (3, 0) and of 3 m
  // around (0, 1)
  double d = sqrt(10.0), u = (9.0 - 4.0 + 10.0) / (2.0 * d), h = sqrt(9.0 - u * u);
  double x = u * 3.0 / d + h * 1.0 / d, y = 1.0 - u * 1.0 / d + h * 3.0 / d;
  snprintf(text, sizeof text,
           "modeway: 1\n"
           "name: four-bar\n"
           "gravity: [0, -9.81, 0]\n"
           "bodies:\n"
           "  base:\n"
           "    ground: true\n"
           "    frames: { O: { point: [0, 0, 0] }, C: { point: [3, 0, 0] } }\n"
           "  crank:\n"
           "    at: [0, 0, 0]\n"
           "    rigid: { mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0.01, 0.1, 0, 0, 0] }\n"
           "    frames: { A: { point: [0, 1, 0] } }\n"
           "  coupler:\n"
           "    at: [0, 1, 0]\n"
           "    rigid: { mass: 3, com: [%.17g, %.17g, 0], inertia: [2, 2, 2, 0, 0, 0] }\n"
           "    frames: { B: { point: [%.17g, %.17g, 0] } }\n"
           "  rocker:\n"
           "    at: [3, 0, 0]\n"
           "    rigid: { mass: 2, com: [%.17g, %.17g, 0], inertia: [0.7, 0.7, 0.7, 0, 0, 0] }\n"
           "    frames: { B: { point: [%.17g, %.17g, 0] } }\n"
           "joints:\n"
           "  O: { revolute: { a: base.O, b: crank, axis: [0, 0, 1] }, coordinate: phi }\n"
           "  A: { revolute: { a: crank.A, b: coupler, axis: [0, 0, 1] } }\n"
           "  B: { spherical: { a: coupler.B, b: rocker.B } }\n"
           "  C: { revolute: { a: base.C, b: rocker, axis: [0, 0, 1] }, coordinate: psi%s }\n"
           "drives:\n"
           "  motor: { coordinate: phi }\n"
           "outputs:\n"
           "  B: { frame: rocker.B }\n"
           "scenarios:\n"
           "  run:\n"
           "    initial: undeformed\n"
           "%s",
           0.5 * x, 0.5 * (y - 1.0), x, y - 1.0, 0.5 * (x - 3.0), 0.5 * y, x - 3.0, y, rocker,
           scenario);
  return MW_CHECK(mw_fixture_text(text, f));
}

static bool run_by(const mw_fixture *f, mw_method method, double tolerance, double step, mw_run *r)
{
  mw_error err = { 0 };
  mw_rigid_run_opt o = mw_rigid_run_opt_default(&f->model.scenario[0]);
  o.rigid.method = method;
  o.rigid.tolerance = tolerance;
  if (step > 0.0) o.step = step;
  *r = (mw_run){ 0 };
  return MW_OKAY(mw_rigid_run(&f->mech, &f->model.scenario[0], &o, NULL, r, &err));
}

static double last(const mw_run *r, const double *x, int n, int i)
{
  return x[(size_t)(r->n_t - 1) * (size_t)n + (size_t)i];
}

// ---- start --------------------------------------------------------------------------------------

// Crank from upright by 5 rad and back over the second solution of its sine; loops follow,
// velocities are those of a four-bar.
static void start_goes_to_given_coordinates_beyond_half_a_turn(void)
{
  mw_fixture f;
  mw_run r;
  const char *sc = "    duration: 1e-3\n    step: 1e-3\n"
                   "    start: { phi: { at: 5, velocity: 2 } }\n";
  if (!open_four_bar("", sc, &f)) return;
  if (run_by(&f, MW_METHOD_RK4, 1e-8, 0.0, &r)) {
    // the start is projected to 1e-12 on rows of metres and radians
    MW_WITHIN(r.s[0], 5.0, 1e-11, "what the closing of loops may leave");
    MW_WITHIN(r.s_dot[0], 2.0, 1e-11, "what the closing of loops may leave");
    MW_CHECK(r.residual[0] <= 1e-12);
    MW_CHECK(r.residual_v[0] <= 1e-12);
    // B lies 3 m from A(5 rad) and 2 m from C
    double a[2] = { -sin(5.0), cos(5.0) };
    MW_NEAR(hypot(r.y[0] - a[0], r.y[1] - a[1]), 3.0, 1e-11);
    MW_NEAR(hypot(r.y[0] - 3.0, r.y[1]), 2.0, 1e-11);
  }
  mw_run_free(&r);
  mw_fixture_free(&f);
}

static void start_outside_of_a_limit_is_refused(void)
{
  mw_fixture f;
  mw_run r = { 0 };
  mw_error err = { 0 };
  // the crank takes the rocker along
  if (!open_four_bar(", limits: [-0.1, 0.1]", "    duration: 1\n    start: { phi: 1 }\n", &f))
    return;
  MW_FAILS(mw_rigid_run(&f.mech, &f.model.scenario[0], NULL, NULL, &r, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "joint C") != NULL);
  mw_fixture_free(&f);
}

// ---- prescribed motion --------------------------------------------------------------------------

static void prescribed_coordinate_follows_its_signal(void)
{
  static const mw_method method[] = { MW_METHOD_CVODE,  MW_METHOD_IDA,    MW_METHOD_RK4,
                                      MW_METHOD_DOPRI5, MW_METHOD_DOP853, MW_METHOD_ADAMS,
                                      MW_METHOD_RADAU };
  mw_fixture f;
  const char *sc =
      "    duration: 1.2\n    step: 2e-3\n    store: 0.01\n"
      "    drives:\n"
      "      motor: { position: { cycloid: { from: 0, to: 7, start: 0.1, end: 1 } } }\n";
  if (!open_four_bar("", sc, &f)) return;
  for (int i = 0; i < 7; i++) {
    mw_run r;
    double worst = 0.0;
    if (run_by(&f, method[i], 1e-8, 0.0, &r)) {
      for (int k = 0; k < r.n_t; k++) {
        double x = fmin(fmax((r.t[k] - 0.1) / 0.9, 0.0), 1.0);
        double want = 7.0 * (x - sin(2.0 * PI * x) / (2.0 * PI));
        worst = fmax(worst, fabs(r.s[2 * k] - want));
      }
      // held by a row, which the projection keeps to 1e-12, in a loop of condition below 10
      MW_NEAR(worst, 0.0, 1e-11);
      // what the motor gives is what the mechanism has: Simpson and BDF errors of the tolerance,
      // summed over 1e3 to 1e4 steps
      MW_NEAR(r.energy_drift, 0.0, 1e-4);
    }
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

// ---- controllers --------------------------------------------------------------------------------

// Between samples the force is constant: z and ż follow exactly.
static void controller_is_sampled_and_held(void)
{
  static const mw_method method[] = { MW_METHOD_RK4,   MW_METHOD_RK4,    MW_METHOD_CVODE,
                                      MW_METHOD_IDA,   MW_METHOD_DOPRI5, MW_METHOD_DOP853,
                                      MW_METHOD_ADAMS, MW_METHOD_RADAU };
  static const double step[] = { 0.01, 0.0025, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01 };
  const char *sc = "    duration: 0.5\n    step: 0.01\n    control_period: 0.01\n"
                   "    start: { z: 0.3 }\n"
                   "    drives:\n"
                   "      push:\n"
                   "        move: { from: 0, to: 0.1, start: 10, max_velocity: 1,\n"
                   "                max_acceleration: 10, max_jerk: 100 }\n"
                   "        kp: 400\n        kd: 20\n";
  mw_fixture f;
  if (!open_block("", sc, &f)) return;
  for (int i = 0; i < 8; i++) {
    mw_run r;
    double worst = 0.0, z = 0.3, v = 0.0, T = 0.01;
    if (run_by(&f, method[i], 1e-9, step[i], &r)) {
      MW_CHECK(r.n_t == 51);
      for (int k = 0; k < r.n_t; k++) {
        worst = fmax(worst, fmax(fabs(r.s[k] - z), fabs(r.s_dot[k] - v)));
        double a = (-400.0 * z - 20.0 * v) / 2.0 - G;
        z += T * v + 0.5 * T * T * a;
        v += T * a;
      }
      // Runge-Kutta is exact for constant forces: rounding. The others err by 1e-9 a step in the
      // mean over 25 or more numbers, of which two move: by √25 as much in one; the closed loop
      // forgets within 20 samples (5 1/s)
      MW_NEAR(worst, 0.0, method[i] == MW_METHOD_RK4 ? 1e-12 : 1e-9 * 5.0 * 20.0 / 50.0 * r.steps);
    }
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

// ---- limits -------------------------------------------------------------------------------------

// Free fall from rest through 0.5 m ends at √(2·0.5/g), whatever the method.
static void fall_ends_at_the_limit(void)
{
  static const mw_method method[] = { MW_METHOD_CVODE,    MW_METHOD_IDA,    MW_METHOD_RK4,
                                      MW_METHOD_LEAPFROG, MW_METHOD_ALPHA,  MW_METHOD_MIDPOINT,
                                      MW_METHOD_DOPRI5,   MW_METHOD_DOP853, MW_METHOD_ADAMS,
                                      MW_METHOD_RADAU };
  const char *sc = "    duration: 1\n    step: 0.01\n    store: 0.02\n";
  mw_fixture f;
  if (!open_block("    limits: [-0.5, 2]\n", sc, &f)) return;
  double want = sqrt(2.0 * 0.5 / G);
  for (int i = 0; i < 10; i++) {
    mw_run r;
    if (run_by(&f, method[i], 1e-11, 0.0, &r)) {
      MW_CHECK(r.event != NULL && strstr(r.event, "way") != NULL);
      // slack of 1e-9 of the range at 3.1 m/s: 8e-10 s; located to 1e-10 of the step; the methods
      // are exact for a parabola or keep 1e-11
      MW_NEAR(r.t[r.n_t - 1], want, 1e-8);
      MW_NEAR(last(&r, r.s, 1, 0), -0.5, 1e-8);
      MW_CHECK(r.n_t == 17);  // 0, 0.02, …, 0.30, and the end
    }
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

// ---- kinks --------------------------------------------------------------------------------------

// A force that rises to 30 N at 0.3137 s and stops rising: every stretch is a polynomial of third
// degree in z, which RK4 integrates exactly when no step crosses the kink.
static void end_of_a_table_is_stepped_onto(void)
{
  const char *sc = "    duration: 0.7\n    step: 0.05\n"
                   "    drives:\n"
                   "      push: { force: { table: { time: [0, 0.3137], value: [0, 30] } } }\n";
  mw_fixture f;
  if (!open_block("", sc, &f)) return;
  static const mw_method method[] = { MW_METHOD_RK4,    MW_METHOD_CVODE, MW_METHOD_DOPRI5,
                                      MW_METHOD_DOP853, MW_METHOD_ADAMS, MW_METHOD_RADAU };
  double T = 0.3137, rest = 0.7 - T, a = 15.0;
  double v1 = 0.5 * a * T, z1 = a * T * T / 6.0;
  double v = v1 + a * rest - G * 0.7;
  double z = z1 + v1 * rest + 0.5 * a * rest * rest - 0.5 * G * 0.7 * 0.7;
  for (int i = 0; i < 6; i++) {
    mw_run r;
    if (run_by(&f, method[i], 1e-10, 0.0, &r)) {
      // rounding; or the tolerance over some hundred steps
      double tol = method[i] == MW_METHOD_RK4 ? 1e-13 : 1e-7;
      MW_NEAR(last(&r, r.s, 1, 0), z, tol);
      MW_NEAR(last(&r, r.s_dot, 1, 0), v, tol);
    }
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

// ---- energy -------------------------------------------------------------------------------------

// Driven and damped: energy less work stays.
static void energy_is_balanced_with_a_drive_and_a_damper(void)
{
  const char *sc = "    duration: 2\n    step: 1e-3\n    store: 0.01\n"
                   "    drives:\n"
                   "      push: { force: { sine: { amplitude: 40, frequency: 1.5 } } }\n";
  static const mw_method method[] = { MW_METHOD_CVODE,  MW_METHOD_IDA,    MW_METHOD_RK4,
                                      MW_METHOD_DOPRI5, MW_METHOD_DOP853, MW_METHOD_ADAMS,
                                      MW_METHOD_RADAU };
  // adaptive methods: the tolerance, 1e-10, over some 1e3 steps, in energies of ten times the
  // scale; IDA:
  // Simpson's rule besides;
  // Runge-Kutta: (h ω)⁴ with ω ≈ 10, c/m = 3: (0.01)⁴ = 1e-8 and a small constant
  static const double tol[] = { 1e-6, 1e-6, 1e-8, 1e-6, 1e-6, 1e-6, 1e-6 };
  mw_fixture f;
  if (!open_block("    damping: 6\n", sc, &f)) return;
  for (int i = 0; i < 7; i++) {
    mw_run r;
    if (run_by(&f, method[i], 1e-10, 0.0, &r)) {
      MW_NEAR(r.energy_drift, 0.0, tol[i]);
      MW_CHECK(last(&r, r.work, 1, 0) != 0.0);
    }
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

// ---- methods against each other -----------------------------------------------------------------

static void cvode_and_ida_agree_on_a_free_four_bar(void)
{
  const char *sc = "    duration: 2\n    step: 1e-3\n    store: 0.05\n"
                   "    start: { phi: { at: 0.5, velocity: 1 } }\n";
  mw_fixture f;
  mw_run a, b, c;
  if (!open_four_bar("", sc, &f)) return;
  // all three run, so that all three can be freed
  bool fine[3] = { run_by(&f, MW_METHOD_CVODE, 1e-10, 0.0, &a),
                   run_by(&f, MW_METHOD_IDA, 1e-10, 0.0, &b),
                   run_by(&f, MW_METHOD_RK4, 1e-10, 2.5e-4, &c) };
  if (fine[0] && fine[1] && fine[2]) {
    double ida = 0.0, rk4 = 0.0;
    for (int k = 0; k < 2 * a.n_t; k++) {
      ida = fmax(ida, fabs(a.s[k] - b.s[k]));
      rk4 = fmax(rk4, fabs(a.s[k] - c.s[k]));
    }
    // each step errs by 1e-10, a run has some thousands of them, and errors grow with the square of
    // time at most
    MW_NEAR(ida, 0.0, 1e-6);
    MW_NEAR(rk4, 0.0, 1e-6);
    MW_NEAR(a.energy_drift, 0.0, 1e-6);
  }
  mw_run_free(&a);
  mw_run_free(&b);
  mw_run_free(&c);
  mw_fixture_free(&f);
}

static void same_run_gives_same_bits(void)
{
  static const mw_method method[] = { MW_METHOD_CVODE,  MW_METHOD_IDA,   MW_METHOD_DOPRI5,
                                      MW_METHOD_DOP853, MW_METHOD_ADAMS, MW_METHOD_RADAU };
  const char *sc = "    duration: 0.5\n    step: 1e-3\n    store: 0.05\n";
  mw_fixture f;
  if (!open_four_bar("", sc, &f)) return;
  for (int i = 0; i < 6; i++) {
    mw_run a, b;
    bool fine[2] = { run_by(&f, method[i], 1e-8, 0.0, &a), run_by(&f, method[i], 1e-8, 0.0, &b) };
    if (fine[0] && fine[1]) {
      MW_SAME_BITS(a.s, b.s, 2 * a.n_t);
      MW_SAME_BITS(a.reaction, b.reaction, 6 * 4 * a.n_t);
    }
    mw_run_free(&a);
    mw_run_free(&b);
  }
  mw_fixture_free(&f);
}

// ---- method auto --------------------------------------------------------------------------------

// A block on a damper that stops it at a rate b of 1e5 1/s: dop853 would need steps of 6e-5 s all
// the time, and the run goes over to radau; without damper it stays with dop853. Either way it ends
// where the closed form does.
static void auto_goes_over_to_radau_where_something_is_stiff(void)
{
  static const struct {
    const char *joint;
    double b;  // 1/s
    const char *used;
  } way[] = { { "    damping: 2e5\n", 1e5, "radau" }, { "", 0.0, "dop853" } };
  const char *sc =
      "    duration: 1\n    step: 0.01\n    start: { z: { at: 0.2, velocity: 0.5 } }\n";
  for (int i = 0; i < 2; i++) {
    mw_fixture f;
    mw_run r;
    if (!open_block(way[i].joint, sc, &f)) return;
    if (run_by(&f, MW_METHOD_AUTO, 1e-8, 0.0, &r)) {
      MW_CHECK(strcmp(r.method, way[i].used) == 0);
      MW_CHECK((r.n_note > 0) == (i == 0));
      // m z̈ = −c ż − m g from z = 0.2 m, ż = 0.5 m/s, m = 2 kg
      double b = way[i].b, end = b > 0.0 ? -G / b : 0.5 - G;
      double z = b > 0.0 ? 0.2 - G / b + (0.5 + G / b) / b : 0.2 + 0.5 - 0.5 * G;
      // the tolerance over at most a hundred steps
      MW_WITHIN(last(&r, r.s, 1, 0), z, 1e-6, "the tolerance of the methods");
      MW_WITHIN(last(&r, r.s_dot, 1, 0), end, 1e-6, "the tolerance of the methods");
    }
    mw_run_free(&r);
    mw_fixture_free(&f);
  }
}

// A carriage on stiff runners that starts from rest, as its drive does: what the first step is
// guessed by sees no vibration, and its stages leave all numbers. Shorter steps have to go on from
// there as if nothing had been.
static void first_steps_that_are_far_too_long_leave_nothing_behind(void)
{
  static const char text[] =
      "modeway: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "materials: { steel: { E: 2.1e11, nu: 0.3, rho: 7850 } }\n"
      "sections: { rail: { rectangle: { width: 0.06, height: 0.04 } } }\n"
      "bodies:\n"
      "  beam:\n"
      "    ground: true\n"
      "    beams: { points: { a: [0, 0, 0], b: [1.2, 0, 0] }, members: [{ from: a, to: b,\n"
      "             section: rail, material: steel, elements: 4, up: [0, 0, 1] }] }\n"
      "    supports: [{ nodes: a }, { nodes: b }]\n"
      "    guides: { way: { from: a, to: b, normal: [0, 0, 1] } }\n"
      "  carriage: { at: [0.6, 0, 0.05],\n"
      "              rigid: { mass: 3, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }\n"
      "joints:\n"
      "  x: { slide: { guide: beam.way, on: carriage, orientation: free, runners: [\n"
      "         { offset: -0.06, shift: [0, 0, -0.03], length: 0.03, stiffness: 2e8 },\n"
      "         { offset: -0.06, shift: [0, 0, 0.03], length: 0.03, stiffness: 2e8 },\n"
      "         { offset: 0.06, shift: [0, 0, -0.03], length: 0.03, stiffness: 2e8 },\n"
      "         { offset: 0.06, shift: [0, 0, 0.03], length: 0.03, stiffness: 2e8 } ] },\n"
      "       coordinate: x, drive: motor }\n"
      "outputs: { there: { body: carriage } }\n"
      "scenarios:\n"
      "  go: { duration: 0.4, step: 1e-3, store: 0.1, drives: { motor: { position: {\n"
      "        cycloid: { from: 0.3, to: 0.9, end: 0.3 } } } } }\n";
  mw_fixture f;
  mw_run r;
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  if (run_by(&f, MW_METHOD_AUTO, 1e-8, 0.0, &r)) {
    MW_CHECK(strcmp(r.method, "dop853") == 0);
    MW_WITHIN(r.y[3 * (r.n_t - 1)], 0.9, 1e-11, "what the closing of loops may leave");
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

// A pendulum let go horizontally, slowed down at once by its damper, in a bearing of radius
// r = l = 0.1 m whose friction finds no balance from μ tanh(ω/s) = 1 on: ω = 5e-3 rad/s, which the
// motion stays below, 1e-3 rad/s, and the first guess, a hundredth of 1 rad/s, is beyond.
// l N = c ω + μ tanh(ω/s) r N ,  N = m g: tiny inertia leaves 1e-9 of it after 1e-2 s, and what
// turns by 1e-5 rad 1e-10; on top what 1e3 steps add up at a tolerance of 1e-11 rad/s.
static void first_steps_that_cannot_be_evaluated_are_halved(void)
{
  static const char text[] =
      "modeway: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "bodies: { bob: { rigid: { mass: 1, com: [0.1, 0, 0],\n"
      "  inertia: [1e-6, 1e-6, 1e-6, 0, 0, 0] } } }\n"
      "joints: { pin: { revolute: { a: ground, b: bob, axis: [0, 1, 0] }, coordinate: phi,\n"
      "  damping: 981, friction: { coulomb: 10, smooth: 0.05, radius: 0.1 } } }\n"
      "outputs: { bob: { body: bob } }\n"
      "scenarios: { sink: { duration: 0.01, step: 1e-5, store: 0.01 } }\n";
  static const mw_method by[] = { MW_METHOD_DOP853, MW_METHOD_DOPRI5, MW_METHOD_RADAU };
  mw_fixture f;
  mw_run r;
  double w = 1e-3;
  for (int i = 0; i < 100; i++) w = 1e-3 * (1.0 - 10.0 * tanh(w / 0.05));
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  for (int i = 0; i < 3; i++) {
    if (!run_by(&f, by[i], 1e-11, 0.0, &r)) continue;
    MW_NEAR(fabs(r.s_dot[r.n_t - 1]), w, 2e-9 * w + 1e3 * 1e-11);
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

// ---- reactions ----------------------------------------------------------------------------------

// The guide of the block carries nothing, its drive all of the weight.
static void drive_that_holds_carries_the_weight(void)
{
  const char *sc = "    duration: 0.1\n    step: 0.01\n"
                   "    drives:\n"
                   "      push: { position: { ramp: { from: 0, velocity: 0.5 } } }\n";
  mw_fixture f;
  mw_run r;
  if (!open_block("", sc, &f)) return;
  if (run_by(&f, MW_METHOD_RK4, 1e-8, 0.0, &r)) {
    double tol = 64.0 * DBL_EPSILON * 2.0 * G;  // sums of a dozen terms as large as the weight
    MW_NEAR(last(&r, r.force, 1, 0), 2.0 * G, tol);
    MW_NEAR(last(&r, r.s_dot, 1, 0), 0.5, 1e-14);
    // work of the drive: weight times way
    MW_NEAR(last(&r, r.work, 1, 0), 2.0 * G * 0.5 * 0.1,
            mw_test_rounding(40.0, 2.0 * G * 0.5 * 0.1));
  }
  mw_run_free(&r);
  mw_fixture_free(&f);
}

// ---- threads ------------------------------------------------------------------------------------

// Three steps of a falling chain
static bool fall(const mw_fixture *f, int threads, mw_run *r)
{
  mw_scenario sc = f->model.scenario[0];
  mw_error err = { 0 };
  sc.step = sc.store = 1e-3;
  sc.duration = 3e-3;
  mw_rigid_run_opt opt = mw_rigid_run_opt_default(&sc);
  opt.rigid.method = MW_METHOD_RK4;
  opt.rigid.threads = threads;
  return MW_OKAY(mw_rigid_run(&f->mech, &sc, &opt, NULL, r, &err));
}

static void threads_leave_no_trace(void)
{
  enum { LINKS = 600, MOST = 3 };
  const mw_problem p = { .example = "chain", .n = LINKS };
  mw_fixture f;
  mw_run r[MOST + 1];
  if (!MW_CHECK(mw_problem_open(&p, &f))) return;
  for (int k = 0; k <= MOST; k++)
    if (!fall(&f, k, &r[k])) return;
  size_t n = (size_t)r[0].n_t * (size_t)r[0].n_coord;
  double apart = 0.0, size = 0.0;
  for (size_t i = 0; i < n; i++) {
    apart = fmax(apart, fabs(r[1].s_dot[i] - r[0].s_dot[i]));
    size = fmax(size, fabs(r[0].s_dot[i]));
  }
  MW_CHECK(size > 0.0);
  MW_WITHIN(apart, 0.0, 1e-12 * size, "promised of right-hand sides in groups");
  for (int k = 2; k <= MOST; k++) {
    MW_CHECK(memcmp(r[k].s, r[1].s, n * sizeof *r[k].s) == 0);
    MW_CHECK(memcmp(r[k].s_dot, r[1].s_dot, n * sizeof *r[k].s_dot) == 0);
    MW_CHECK(memcmp(r[k].kinetic, r[1].kinetic, (size_t)r[k].n_t * sizeof(double)) == 0);
  }
  MW_CHECK(r[2].n_note == r[0].n_note);
  for (int k = 0; k <= MOST; k++) mw_run_free(&r[k]);
  mw_fixture_free(&f);
}

static void few_joints_are_not_shared_out_and_the_run_says_so(void)
{
  const mw_problem p = { .example = "chain", .n = 20 };
  mw_fixture f;
  mw_run r[2];
  if (!MW_CHECK(mw_problem_open(&p, &f)) || !fall(&f, 0, &r[0]) || !fall(&f, 2, &r[1])) return;
  size_t n = (size_t)r[0].n_t * (size_t)r[0].n_coord;
  MW_CHECK(memcmp(r[1].s_dot, r[0].s_dot, n * sizeof(double)) == 0);
  bool said = false;
  for (int k = 0; k < r[1].n_note; k++)
    said |= strstr(r[1].note[k], "one thread instead of 2") != 0;
  MW_CHECK(said && r[1].n_note == r[0].n_note + 1);
  for (int k = 0; k < 2; k++) mw_run_free(&r[k]);
  mw_fixture_free(&f);
}

static const mw_test_case cases[] = {
  { "start_goes_to_given_coordinates_beyond_half_a_turn",
    start_goes_to_given_coordinates_beyond_half_a_turn },
  { "start_outside_of_a_limit_is_refused", start_outside_of_a_limit_is_refused },
  { "prescribed_coordinate_follows_its_signal", prescribed_coordinate_follows_its_signal },
  { "controller_is_sampled_and_held", controller_is_sampled_and_held },
  { "fall_ends_at_the_limit", fall_ends_at_the_limit },
  { "end_of_a_table_is_stepped_onto", end_of_a_table_is_stepped_onto },
  { "energy_is_balanced_with_a_drive_and_a_damper", energy_is_balanced_with_a_drive_and_a_damper },
  { "cvode_and_ida_agree_on_a_free_four_bar", cvode_and_ida_agree_on_a_free_four_bar },
  { "same_run_gives_same_bits", same_run_gives_same_bits },
  { "auto_goes_over_to_radau_where_something_is_stiff",
    auto_goes_over_to_radau_where_something_is_stiff },
  { "first_steps_that_cannot_be_evaluated_are_halved",
    first_steps_that_cannot_be_evaluated_are_halved },
  { "first_steps_that_are_far_too_long_leave_nothing_behind",
    first_steps_that_are_far_too_long_leave_nothing_behind },
  { "drive_that_holds_carries_the_weight", drive_that_holds_carries_the_weight },
  { "threads_leave_no_trace", threads_leave_no_trace },
  { "few_joints_are_not_shared_out_and_the_run_says_so",
    few_joints_are_not_shared_out_and_the_run_says_so },
};

int main(void) { return mw_test_run("rigid_run", cases, (int)(sizeof cases / sizeof *cases)); }
