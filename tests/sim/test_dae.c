// SPDX-License-Identifier: BSD-3-Clause
// test_dae.c: runs of the DAE against closed forms, against themselves by another route, and its
// order in the step.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fem/control.h"
#include "fixture.h"
#include "mw_test.h"
#include "sim/dae.h"

static const double PI = 3.14159265358979323846;

// The scenario named, at the given step (0: its own).
static bool run_it(const mw_fixture *f, const mw_mech *mech, const char *scenario, double step,
                   mw_run *out)
{
  mw_error err = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  opt.step = step;
  for (int i = 0; i < f->model.n_scenario; i++)
    if (strcmp(f->model.scenario[i].name, scenario) == 0)
      return MW_OKAY(mw_dae_run(mech, &f->model.scenario[i], "full", &opt, NULL, out, &err));
  return mw_test_true(false, "there is such a scenario", __FILE__, __LINE__);
}

static double largest_residual(const mw_run *r)
{
  double big = 0.0;
  for (int k = 0; k < r->n_t; k++)
    if (!(r->residual[k] <= big)) big = r->residual[k];
  return big;
}

// ---- pendulum -----------------------------------------------------------------------------------

// A body with m l² + I = m l · 1 m swings as a point mass at 1 m: l = 0.9 m, I = 0.09 kg m².
static const char *const pendulum =
    "modeway: 1\n"
    "name: pendulum\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  bar: { rigid: { mass: 1, com: [0, 0, -0.9], inertia: [0.09, 0.09, 0.09, 0, 0, 0] } }\n"
    "joints:\n"
    "  hinge: { revolute: { a: ground, b: bar, axis: [0, 1, 0] }, coordinate: phi, drive: motor }\n"
    "outputs: { tip: { body: bar, point: [0, 0, -1] } }\n"
    "scenarios:\n"
    "  swing: { duration: 10, step: 4e-3, store: 1, start: { phi: { at: -1.5707963267948966, "
    "velocity: 0 } } }\n"
    "  driven:\n"
    "    duration: 2\n"
    "    step: 1e-3\n"
    "    store: 0.1\n"
    "    start: { phi: 0 }\n"
    "    drives: { motor: { position: { cycloid: { from: 0, to: 2, start: 0, end: 1.6 } } } }\n";

static void pendulum_follows_the_elliptic_function(void)
{
  // θ(10 s), ω(10 s) of sin(θ/2) = sin(π/4) sn(ω₀ t − K, ½), ω₀² = 9.81, thirty digits; checked
  // against DOP853 to 1.5e-13
  const double theta = -0.27868067356998294, omega = 4.343160692864683;
  double e[3], de[3];
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_text(pendulum, &f))) return;
  for (int i = 0; i < 3; i++) {
    mw_run r = { 0 };
    if (!run_it(&f, &f.mech, "swing", 4e-3 / (1 << i), &r)) break;
    int k = r.n_t - 1;
    e[i] = r.s[k] - theta;
    de[i] = r.s_dot[k] - omega;
    // +φ about y takes −z to −x
    MW_WITHIN(r.y[3 * k], -sin(r.s[k]), 1e-9, "what Newton's method may leave");
    MW_WITHIN(r.y[3 * k + 2], -cos(r.s[k]), 1e-9, "what Newton's method may leave");
    // constraints hold to Newton's tolerance of 1e-9 m
    MW_CHECK(largest_residual(&r) <= 1e-9);
    mw_run_free(&r);
  }
  printf("pendulum: errors %.3e %.3e %.3e rad, %.3e %.3e %.3e rad/s\n", e[0], e[1], e[2], de[0],
         de[1], de[2]);
  // order 2: the ratio of successive errors is 4 up to the next order, h/T of it
  MW_NEAR(e[0] / e[1], 4.0, 0.1);
  MW_NEAR(e[1] / e[2], 4.0, 0.1);
  MW_NEAR(de[1] / de[2], 4.0, 0.1);
  // and what extrapolation leaves is of higher order: a hundredth of the error
  MW_NEAR(e[2] - (e[1] - e[2]) / 3.0, 0.0, 0.01 * fabs(e[2]));
  MW_NEAR(de[2] - (de[1] - de[2]) / 3.0, 0.0, 0.01 * fabs(de[2]));
  mw_fixture_free(&f);
}

static void energy_drifts_with_the_square_of_the_step(void)
{
  double drift[2] = { 0 };
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_text(pendulum, &f))) return;
  for (int i = 0; i < 2; i++) {
    mw_run r = { 0 };
    if (run_it(&f, &f.mech, "swing", 2e-3 / (1 << i), &r)) drift[i] = r.energy_drift;
    mw_run_free(&r);
  }
  printf("pendulum: energy drift %.3e, %.3e\n", drift[0], drift[1]);
  MW_NEAR(drift[0] / drift[1], 4.0, 0.2);
  mw_fixture_free(&f);
}

static void prescribed_motion_needs_the_force_of_the_closed_form(void)
{
  double err[2] = { 0 };
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_text(pendulum, &f))) return;
  for (int i = 0; i < 2; i++) {
    mw_run r = { 0 };
    if (!run_it(&f, &f.mech, "driven", 2e-3 / (1 << i), &r)) break;
    // up to 1.6 s: the jump of the third derivative there makes the reaction ring by O(h), dying as
    // ρⁿ
    for (int k = 1; k <= 16; k++) {
      double x = fmin(r.t[k] / 1.6, 1.0), w = 2 * PI;
      double phi = 2 * (x - sin(w * x) / w), acc = 2 * w * sin(w * x) / (1.6 * 1.6);
      MW_NEAR(r.s[k], phi, 1e-14);
      // M = (m l² + I) φ'' + m g l sin φ
      double want = 0.9 * acc + 9.81 * 0.9 * sin(phi);
      err[i] = fmax(err[i], fabs(r.force[k] - want));
    }
    MW_CHECK(r.energy_drift < 1e-5);
    mw_run_free(&r);
  }
  printf("prescribed pendulum: torque errors %.3e %.3e N m\n", err[0], err[1]);
  // order 2 also in the reaction, from the first step
  MW_NEAR(err[0] / err[1], 4.0, 0.2);
  mw_fixture_free(&f);
}

// ---- an elastic body, fixed in two ways ---------------------------------------------------------

// A cantilever of 1 m: a body on the ground with fixed nodes, and a free body whose end node is
// joined to the ground.
static const char *const cantilever =
    "modeway: 1\n"
    "name: cantilever\n"
    "gravity: [0, 0, -9.81]\n"
    "damping: { alpha: 0, beta: 1e-4 }\n"
    "materials: { alu: { E: 70e9, nu: 0.3, rho: 2700 } }\n"
    "sections: { bar: { rectangle: { width: 0.02, height: 0.01 } } }\n"
    "bodies:\n"
    "  beam:\n"
    "%s"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [1, 0, 0] }\n"
    "      members: [{ from: a, to: b, section: bar, material: alu, elements: 8, up: [0, 0, 1] }]\n"
    "    frames: { root: { node: a }, tip: { node: b } }\n"
    "%s"
    "drives: { push: { force: { on: beam.tip, direction: [0, 0.6, 0.8] } } }\n"
    "outputs: { tip: { frame: beam.tip } }\n"
    "scenarios:\n"
    "  rest: { duration: 1e-3, step: 1e-3, initial: static }\n"
    "  pushed:\n"
    "    duration: 0.1\n"
    "    step: 1e-3\n"
    "    initial: static\n"
    "    drives: { push: { force: { sine: { amplitude: %g, frequency: 20 } } } }\n";

static bool make_cantilever(bool ground, double push, mw_fixture *f)
{
  char text[4096];
  snprintf(text, sizeof text, cantilever,
           ground ? "    ground: true\n    supports: [{ nodes: a, dofs: all }]\n" : "",
           ground ? "" : "joints: { clamp: { fixed: { a: ground, b: beam.root } } }\n", push);
  return MW_CHECK(mw_fixture_text(text, f));
}

static void static_start_meets_the_closed_form(void)
{
  // q L⁴/(8 EI) + q L²/(2 κGA): cubic elements are exact at their nodes under uniform load. The
  // free body is exact for the tilt of its frame, up to 4/3 w/L, which the closed form neglects:
  // twice its square
  const double E = 70e9, A = 2e-4, I = 0.02 * 1e-6 / 12, q = 2700 * 9.81 * A, G = E / 2.6;
  double want = -q / (8 * E * I) - q / (2 * 5.0 / 6.0 * G * A);
  for (int ground = 0; ground < 2; ground++) {
    mw_fixture f;
    mw_run r = { 0 };
    if (!make_cantilever(ground, 1.0, &f)) return;
    if (run_it(&f, &f.mech, "rest", 0, &r)) {
      printf("cantilever at rest: tip %.9e, closed form %.9e m\n", r.y[2], want);
      // on the ground the model is linear: 1e-10 is what the pseudo-mass and the conditioning of K
      // leave
      MW_NEAR(r.y[2], want, ground ? 1e-8 * fabs(want) : 4 * want * want * fabs(want));
      // it stays
      MW_WITHIN(r.y[5], r.y[2], 1e-9, "what Newton's method may leave");
    }
    mw_run_free(&r);
    mw_fixture_free(&f);
  }
}

static void floating_frame_equals_fixed_nodes(void)
{
  // tiny loads make the floating frame's geometry linear: what differs is of the order of the
  // rotation, without gravity
  const double push = 1e-4;  // N, tip deflection 3e-6 m
  mw_run r[2] = { { 0 }, { 0 } };
  mw_fixture f[2];
  for (int i = 0; i < 2; i++) {
    if (!make_cantilever(i == 0, push, &f[i])) return;
    for (int k = 0; k < 3; k++) f[i].model.gravity[k] = 0.0;
    if (!run_it(&f[i], &f[i].mech, "pushed", 0, &r[i])) return;
  }
  double peak = 0.0, worst = 0.0;
  for (int k = 0; k < r[0].n_t; k++)
    for (int c = 1; c < 3; c++) {
      peak = fmax(peak, fabs(r[0].y[3 * k + c]));
      worst = fmax(worst, fabs(r[0].y[3 * k + c] - r[1].y[3 * k + c]));
    }
  printf("floating frame against fixed nodes: %.3e of the peak %.3e m\n", worst / peak, peak);
  // second-order geometry: peak/L; Newton: accelerations to 1e-6 of the largest
  MW_WITHIN(worst / peak, 0.0, 10 * peak + 1e-5, "what Newton's method may leave");
  for (int i = 0; i < 2; i++) {
    mw_run_free(&r[i]);
    mw_fixture_free(&f[i]);
  }
}

static void complete_basis_changes_nothing(void)
{
  mw_fixture f;
  mw_run full = { 0 }, body = { 0 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_mech mech;
  mw_body b[2];
  if (!make_cantilever(false, 5.0, &f)) return;
  f.model.strain_linear = true;  // as projected bodies are
  int e = f.body[0].n_u > 0 ? 0 : 1, n = f.body[e].n_u;
  b[0] = f.body[0];
  b[1] = f.body[f.model.n_body - 1];
  // a full, badly ordered basis: a reflection of the unit vectors
  double *T = mw_arena_f64(&mem, (size_t)n * (size_t)n), norm = 0.0;
  for (int i = 0; i < n; i++) norm += 1.0 / ((i + 1.0) * (i + 1.0));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) T[i * n + j] = (i == j) - 2.0 / ((i + 1.0) * (j + 1.0) * norm);
  if (MW_OKAY(mw_body_project(&f.body[e], T, n, &mem, &b[e], &err)) &&
      MW_OKAY(mw_mech_build(&f.model, b, &mem, &mech, &err)) &&
      run_it(&f, &f.mech, "pushed", 0, &full) && run_it(&f, &mech, "pushed", 0, &body)) {
    double worst = 0.0, peak = 0.0;
    for (int k = 0; k < full.n_t; k++)
      for (int c = 0; c < 3; c++) {
        peak = fmax(peak, fabs(full.y[3 * k + c] - full.y[c]));
        worst = fmax(worst, fabs(full.y[3 * k + c] - body.y[3 * k + c]));
      }
    printf("complete basis: %.3e of the peak %.3e m\n", worst / peak, peak);
    MW_CHECK(peak > 5e-3);  // large enough for the frame to turn
    // both solve the same equations; Newton leaves 1e-6 of the accelerations, K is known to 1e-16 ×
    // 1e8 in this basis
    MW_WITHIN(worst / peak, 0.0, 1e-5, "what Newton's method may leave");
  }
  mw_run_free(&full);
  mw_run_free(&body);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// ---- redundant rows -----------------------------------------------------------------------------

static const char *const two_rails =
    "modeway: 1\n"
    "name: two rails\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  bed:\n"
    "    ground: true\n"
    "    guides:\n"
    "      left: { points: [[0, 0, 0], [1, 0, 0]], normal: [0, 0, 1] }\n"
    "      right: { points: [[0, 0.4, 0], [1, 0.4, 0]], normal: [0, 0, 1] }\n"
    "  table:\n"
    "    at: [0.3, 0, 0]\n"
    "    rigid: { mass: 2, com: [0, 0.2, 0.1], inertia: [0.02, 0.02, 0.02, 0, 0, 0] }\n"
    "    frames: { l: { point: [0, 0, 0] }, r: { point: [0, 0.4, 0] } }\n"
    "joints:\n"
    "  x: { slide: { guide: bed.left, on: table.l, orientation: fixed, runners: [{ offset: -0.1 "
    "}, { offset: 0.1 }] },\n"
    "       coordinate: x, drive: motor, damping: 3 }\n"
    "  x2: { slide: { guide: bed.right, on: table.r, orientation: free, runners: [{ offset: -0.1 "
    "}, { offset: 0.1 }] },\n"
    "        coordinate: x2 }\n"
    "scenarios:\n"
    "  push: { duration: 0.5, step: 1e-3, store: 0.05, start: { x: 0.3, x2: 0.3 }, drives: { "
    "motor: { force: 2 } } }\n";

static void redundant_rows_are_dropped_and_still_hold(void)
{
  mw_fixture f;
  mw_run r = { 0 };
  if (!MW_CHECK(mw_fixture_text(two_rails, &f))) return;
  if (run_it(&f, &f.mech, "push", 0, &r)) {
    // m v' = F − d v:  x = F/d (t − m/d (1 − exp(−d t/m)));
    //     error of the method h² x'''' t²/24-like, below (h d/m)² x
    for (int k = 0; k < r.n_t; k++) {
      double want = 0.3 + 2.0 / 3 * (r.t[k] - 2.0 / 3 * (1 - exp(-1.5 * r.t[k])));
      MW_NEAR(r.s[2 * k], want, 1e-6 * 1.5 * 1.5);
      // nothing turns and rows are linear: rounding of 500 steps of positions below 1 m
      MW_NEAR(r.s[2 * k + 1], r.s[2 * k], mw_test_rounding(500.0, 1.0));
    }
    MW_CHECK(largest_residual(&r) <= 1e-9);
  }
  mw_run_free(&r);
  mw_fixture_free(&f);
}

// ---- governor -----------------------------------------------------------------------------------

// A hinged arm on a spindle that turns at a prescribed rate: arm at rest in the turning frame where
// ω² l cos φ = g.
static const char *const governor =
    "modeway: 1\n"
    "name: governor\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  spindle: { rigid: { mass: 1, com: [0, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0] } }\n"
    "  arm: { rigid: { mass: 1, com: [0, 0, -0.5], inertia: [1e-3, 1e-3, 1e-9, 0, 0, 0] } }\n"
    "joints:\n"
    "  spin: { revolute: { a: ground, b: spindle, axis: [0, 0, 1] }, coordinate: psi, drive: "
    "motor }\n"
    "  lift: { revolute: { a: spindle, b: arm, axis: [0, 1, 0] }, coordinate: phi }\n"
    "scenarios:\n"
    "  turn:\n"
    "    duration: 1\n"
    "    step: 1e-3\n"
    "    store: 0.1\n"
    "    start: { phi: %.17g }\n"
    "    drives: { motor: { position: { ramp: { from: 0, velocity: 6 } } } }\n";

static void governor_stays_at_its_angle(void)
{
  // about the hinge (I + m l²) ω² sin φ cos φ = m g l sin φ for a rod without inertia about its own
  // axis
  double phi = acos(9.81 * 0.5 / (36.0 * (0.25 + 1e-3 - 1e-9)));
  char text[4096];
  mw_fixture f;
  mw_run r = { 0 };
  snprintf(text, sizeof text, governor, phi);
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  if (run_it(&f, &f.mech, "turn", 0, &r)) {
    double worst = 0.0;
    for (int k = 0; k < r.n_t; k++) worst = fmax(worst, fabs(r.s[2 * k + 1] - phi));
    printf("governor: off its angle by %.3e rad\n", worst);
    // positions on a circle in steps of ω h: the method's accelerations are smaller by (β − 1/12)(ω
    // h)² and the like, below (ω h)²/4; that moves the equilibrium by this part of 1/tan φ, about
    // which the arm swings
    MW_NEAR(worst, 0.0, 2 * (6e-3 * 6e-3 / 4) / tan(phi) + 1e-9);
    // no torque is needed
    for (int k = 0; k < r.n_t; k++) MW_NEAR(r.force[k], 0.0, 36 * 0.25 * 1e-4);
  }
  mw_run_free(&r);
  mw_fixture_free(&f);
}

// ---- controller ---------------------------------------------------------------------------------

static const char *const servo =
    "modeway: 1\n"
    "name: servo\n"
    "gravity: [0, 0, 0]\n"
    "bodies: { table: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } } }\n"
    "joints: { x: { prismatic: { a: ground, b: table, axis: [1, 0, 0] }, coordinate: x, drive: "
    "motor } }\n"
    "scenarios:\n"
    "  go:\n"
    "    duration: 0.4\n"
    "    step: 1e-3\n"
    "    control_period: 4e-3\n"
    "    start: { x: 0 }\n"
    "    drives:\n"
    "      motor:\n"
    "        move: { from: 0, to: 0.1, max_velocity: 1, max_acceleration: 5, max_jerk: 200 }\n"
    "        kp: 1e4\n"
    "        kd: 120\n"
    "        feedforward: 1.5\n";

static void held_controller_is_followed_exactly(void)
{
  // between two samples the force is constant: x and v by hand, and no error but rounding and
  // Newton's
  mw_fixture f;
  mw_run r = { 0 };
  if (!MW_CHECK(mw_fixture_text(servo, &f))) return;
  if (run_it(&f, &f.mech, "go", 0, &r)) {
    double x = 0.0, v = 0.0, force = 0.0, h = 1e-3;
    for (int k = 0; k + 1 < r.n_t; k++) {
      if (k % 4 == 0) {
        double y, dy, ddy;
        mw_signal_eval(&f.model.scenario[0].action[0].signal, k * h, &y, &dy, &ddy);
        force = 1.5 * ddy + 1e4 * (y - x) + 120 * (dy - v);
      }
      x += h * v + 0.5 * h * h * force / 2.0;
      v += h * force / 2.0;
      // linear: an iteration leaves nothing but rounding, of 400 steps of 0.1 m; forces by the gain
      double rounding = mw_test_rounding(400.0, 0.1);
      MW_NEAR(r.s[k + 1], x, rounding);
      MW_NEAR(r.force[k + 1], force, 1e4 * rounding);
    }
    MW_NEAR(r.s[r.n_t - 1], 0.1, 1e-4);
  }
  mw_run_free(&r);
  mw_fixture_free(&f);
}

typedef struct own_law {
  const mw_signal *move;
  int calls, last;  // so far; the call that fails
} own_law;

static mw_code eval_law(void *ctx, double t, const double *s, const double *s_dot, double *u,
                        mw_error *err)
{
  own_law *law = ctx;
  double y, dy, ddy;
  if (law->calls++ == law->last) return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "the law gave up");
  mw_signal_eval(law->move, t, &y, &dy, &ddy);
  u[0] = 1e4 * (y - s[0]) + 120 * (dy - s_dot[0]) + 1.5 * ddy;
  return MW_OK;
}

static void a_controller_handed_in_takes_the_place_of_the_scenarios(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_run r[2] = { { 0 }, { 0 } };
  if (!MW_CHECK(mw_fixture_text(servo, &f))) return;
  mw_scenario *sc = &f.model.scenario[0];
  own_law law = { .move = &sc->action[0].signal, .last = -1 };
  const mw_controller own = { .eval = eval_law, .ctx = &law };
  mw_dae_opt opt = mw_dae_opt_default();
  opt.controller = &own;
  if (run_it(&f, &f.mech, "go", 0, &r[0])) {
    sc->action[0].kp = sc->action[0].kd = sc->action[0].ff = 0.0;  // would not move
    if (MW_OKAY(mw_dae_run(&f.mech, sc, "full", &opt, NULL, &r[1], &err))) {
      // the same law in the same order of operations
      MW_SAME_BITS(r[0].s, r[1].s, r[0].n_t);
      MW_CHECK(law.calls == 100);  // 0.4 s, every 4 ms
    }
  }
  mw_run_free(&r[1]);
  law = (own_law){ .move = &sc->action[0].signal, .last = 50 };
  MW_FAILS(mw_dae_run(&f.mech, sc, "full", &opt, NULL, &r[1], &err), MW_ERR_NUMERIC);
  MW_CHECK(strcmp(err.msg, "the law gave up") == 0);
  mw_run_free(&r[0]);
  mw_fixture_free(&f);
}

// ---- trouble ------------------------------------------------------------------------------------

static void end_of_the_guide_ends_the_run(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_run r = { 0 };
  if (!MW_CHECK(mw_fixture_text(two_rails, &f))) return;
  f.model.scenario[0].duration = 5.0;
  mw_dae_opt opt = mw_dae_opt_default();
  if (MW_OKAY(mw_dae_run(&f.mech, &f.model.scenario[0], "full", &opt, NULL, &r, &err))) {
    MW_CHECK(r.event != NULL && strstr(r.event, "end of its guide") != NULL);
    MW_CHECK(r.t[r.n_t - 1] < 5.0);
  }
  mw_run_free(&r);
  mw_fixture_free(&f);
}

enum { LINKS = 24, STEPS = 40 };

// Body k, a link of 1 m from (0.8 k, 0, 0 or 0.6) up or down; elastic or rigid.
static int write_link(char *to, size_t n, int k, bool elastic)
{
  double up = k % 2 == 0 ? 0.6 : -0.6;
  int used = snprintf(to, n, "  b%d: { at: [%g, 0, %g], ", k, 0.8 * k, k % 2 == 0 ? 0.0 : 0.6);
  to += used;
  n -= (size_t)used;
  if (elastic)
    return used + snprintf(to, n,
                           "beams: { points: { a: [0,0,0], b: [0.8,0,%g] }, members: [{ from: a, "
                           "to: b, section: bar, material: alu, elements: 4 }] }, frames: { start: "
                           "{ node: a }, end: { node: b } } }\n",
                           up);
  return used + snprintf(to, n,
                         "rigid: { mass: 1, com: [0.4,0,%g], inertia: [0.1,0.1,0.1,0,0,0] }, "
                         "frames: { start: { point: [0,0,0] }, end: { point: [0.8,0,%g] } } }\n",
                         0.5 * up, up);
}

// A chain of links that zigzag, hinged about y, let go: open with an elastic link in the middle, or
// closed by a hinge on the ground, where three rows of the loop repeat others. Bodies and joints
// from the first to the last, or backwards.
static bool make_zigzag(bool closed, bool backwards, mw_fixture *f)
{
  static char text[LINKS * 600 + 1000];
  size_t n = sizeof text, at = 0;
  at += (size_t)snprintf(text, n,
                         "modeway: 1\ngravity: [0, 1, -9.81]\n"
                         "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
                         "sections: { bar: { rectangle: { width: 0.04, height: 0.04 } } }\n"
                         "bodies:\n  base: { ground: true, frames: { first: { point: [0,0,0] }, "
                         "last: { point: [%g,0,0] } } }\n",
                         0.8 * LINKS);
  for (int i = 0; i < LINKS; i++) {
    int k = backwards ? LINKS - 1 - i : i;
    at += (size_t)write_link(text + at, n - at, k, !closed && k == LINKS / 2);
  }
  at += (size_t)snprintf(text + at, n - at, "joints:\n");
  for (int i = closed ? 0 : 1; i <= LINKS; i++) {
    int k = backwards ? LINKS - i : closed ? i : i - 1;
    char a[24] = "base.first", b[24] = "base.last";
    if (k > 0) snprintf(a, sizeof a, "b%d.end", k - 1);
    if (k < LINKS) snprintf(b, sizeof b, "b%d.start", k);
    at += (size_t)snprintf(text + at, n - at,
                           "  j%d: { revolute: { a: %s, b: %s, axis: [0,1,0] }, coordinate: q%d "
                           "}\n",
                           k, k < LINKS ? a : b, k < LINKS ? b : a, k);
  }
  at += (size_t)snprintf(text + at, n - at,
                         "outputs: { one: { frame: b3.end }, two: { frame: b%d.end }, three: { "
                         "frame: b%d.end } }\nscenarios:\n  fall: { duration: 0.04, step: 1e-3, "
                         "store: 4e-3, initial: undeformed }\n",
                         LINKS / 2, LINKS - 2);
  return at < n && MW_CHECK(mw_fixture_text(text, f));
}

// The joints are eliminated in another order then: the same iterates to rounding, each step of it
// an epsilon of the size for every link a place is summed over.
static void order_of_bodies_and_joints_does_not_matter(void)
{
  for (int closed = 0; closed < 2; closed++) {
    mw_fixture f[2] = { 0 };
    mw_run r[2] = { 0 };
    bool ok = true;
    for (int k = 0; k < 2; k++)
      ok =
          ok && make_zigzag(closed, k == 1, &f[k]) && run_it(&f[k], &f[k].mech, "fall", 0.0, &r[k]);
    double tol = STEPS * LINKS * DBL_EPSILON * (ok ? mw_mech_size(&f[0].mech) : 1.0);
    for (int i = 0; ok && i < 3 * r[0].n_out * r[0].n_t; i++) MW_NEAR(r[1].y[i], r[0].y[i], tol);
    for (int k = 0; k < 2; k++) {
      MW_CHECK(ok && largest_residual(&r[k]) <= tol);
      mw_run_free(&r[k]);
      mw_fixture_free(&f[k]);
    }
  }
}

static void same_input_gives_the_same_bits(void)
{
  mw_fixture f;
  mw_run r[2] = { { 0 }, { 0 } };
  if (!make_cantilever(false, 5.0, &f)) return;
  if (run_it(&f, &f.mech, "pushed", 0, &r[0]) && run_it(&f, &f.mech, "pushed", 0, &r[1]))
    MW_SAME_BITS(r[0].y, r[1].y, 3 * r[0].n_t);
  mw_run_free(&r[0]);
  mw_run_free(&r[1]);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "pendulum_follows_the_elliptic_function", pendulum_follows_the_elliptic_function },
    { "energy_drifts_with_the_square_of_the_step", energy_drifts_with_the_square_of_the_step },
    { "prescribed_motion_needs_the_force_of_the_closed_form",
      prescribed_motion_needs_the_force_of_the_closed_form },
    { "static_start_meets_the_closed_form", static_start_meets_the_closed_form },
    { "floating_frame_equals_fixed_nodes", floating_frame_equals_fixed_nodes },
    { "complete_basis_changes_nothing", complete_basis_changes_nothing },
    { "redundant_rows_are_dropped_and_still_hold", redundant_rows_are_dropped_and_still_hold },
    { "governor_stays_at_its_angle", governor_stays_at_its_angle },
    { "held_controller_is_followed_exactly", held_controller_is_followed_exactly },
    { "a_controller_handed_in_takes_the_place_of_the_scenarios",
      a_controller_handed_in_takes_the_place_of_the_scenarios },
    { "end_of_the_guide_ends_the_run", end_of_the_guide_ends_the_run },
    { "order_of_bodies_and_joints_does_not_matter", order_of_bodies_and_joints_does_not_matter },
    { "same_input_gives_the_same_bits", same_input_gives_the_same_bits },
  };
  return mw_test_run("dae", cases, (int)(sizeof cases / sizeof *cases));
}
