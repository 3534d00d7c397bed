// SPDX-License-Identifier: BSD-3-Clause
// test_drive_forces.c: forces that a controller adds to its gains: inverse dynamics of an arm and
// the weight of a lift, against closed forms.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "drive_run.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "rom_step.h"
#include "run/stability_layer.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

// ---- inverse dynamics ---------------------------------------------------------------------------

// An arm of two links in the plane of x and y, gravity along −y, and a mass on a spring beside it
// (a model has modes).
static const char ARM[] =
    "modeway: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  upper: { rigid: { mass: 3, com: [0.2, 0, 0], inertia: [0.01, 0.05, 0.06, 0, 0, 0] },\n"
    "    frames: { elbow: { point: [0.5, 0, 0] } } }\n"
    "  lower: { rigid: { mass: 2, com: [0.15, 0, 0], inertia: [0.01, 0.03, 0.04, 0, 0, 0] },\n"
    "    at: [0.5, 0, 0] }\n"
    "  beside: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "joints:\n"
    "  shoulder: { revolute: { a: ground, b: upper, axis: [0, 0, 1] }, coordinate: q1,\n"
    "    drive: m1 }\n"
    "  elbow: { revolute: { a: upper.elbow, b: lower, axis: [0, 0, 1] },\n"
    "    coordinate: q2, drive: m2 }\n"
    "  ways: { prismatic: { a: ground, b: beside, axis: [1, 0, 0] } }\n"
    "springs: { side: { a: ground, b: beside, stiffness: [1000, 0, 0] } }\n"
    "outputs: { lower: { body: lower } }\n"
    "reduction: { coordinates: { q1: { range: [-1.2, 1.2], points: 5 },\n"
    "    q2: { range: [-1.2, 1.2], points: 5 } }, modes: { count: 1 },\n"
    "  certificate: { points: 1, samples: 4 } }\n"
    "scenarios:\n"
    "  swing: { duration: 0.05, step: 1e-3, store: 1e-3, rigid: { method: rk4 },\n"
    "    start: { q1: { at: 0.3, velocity: 0 }, q2: { at: -0.4, velocity: 0 } }, drives: {\n"
    "      m1: { follow: { sine: { amplitude: 0.5, frequency: 1.5, phase: 0.4 } },\n"
    "            inverse_dynamics: {} },\n"
    "      m2: { follow: { sine: { amplitude: 0.7, frequency: 2, phase: -1 } },\n"
    "            inverse_dynamics: {} } } }\n"
    "  weight: { duration: 0.05, step: 1e-3, store: 1e-3, rigid: { method: rk4 },\n"
    "    start: { q1: { at: 0.3, velocity: 0 }, q2: { at: -0.4, velocity: 0 } }, drives: {\n"
    "      m1: { follow: { sine: { amplitude: 0.5, frequency: 1.5, phase: 0.4 } },\n"
    "            inverse_dynamics: { acceleration: false } },\n"
    "      m2: { follow: { sine: { amplitude: 0.7, frequency: 2, phase: -1 } },\n"
    "            inverse_dynamics: { acceleration: false } } } }\n"
    "  alone: { duration: 0.01, drives: { m1: { follow: 0.1, inverse_dynamics: {} } } }\n";

// J. J. Craig: Introduction to Robotics, section 6.7, with inertias about the centres of mass
static void arm(double t, bool moves, double f[2])
{
  const double m1 = 3.0, m2 = 2.0, l = 0.5, c1 = 0.2, c2 = 0.15, I1 = 0.06, I2 = 0.04, g = 9.81;
  const double w[2] = { 3.0 * acos(-1.0), 4.0 * acos(-1.0) }, a[2] = { 0.5, 0.7 };
  const double phase[2] = { 0.4, -1.0 };
  double q[2], v[2], b[2];
  for (int i = 0; i < 2; i++) {
    q[i] = a[i] * sin(w[i] * t + phase[i]);
    v[i] = moves ? a[i] * w[i] * cos(w[i] * t + phase[i]) : 0.0;
    b[i] = moves ? -w[i] * w[i] * q[i] : 0.0;
  }
  double C = m2 * l * c2 * cos(q[1]), S = m2 * l * c2 * sin(q[1]);
  double far = I2 + m2 * c2 * c2, weight = m2 * c2 * g * cos(q[0] + q[1]);
  f[0] = (I1 + m1 * c1 * c1 + m2 * l * l + far + 2.0 * C) * b[0] + (far + C) * b[1] -
         S * v[1] * (2.0 * v[0] + v[1]) + (m1 * c1 + m2 * l) * g * cos(q[0]) + weight;
  f[1] = (far + C) * b[0] + far * b[1] + S * v[0] * v[0] + weight;
}

// Without gains the drives give these forces alone, the same in all paths, whatever the arm does:
// what is stored was held since the sample before. Newton's method closes positions to rounding;
// forces are sums of some hundred products of 30 N·m at most. With the elbow free they are none.
static void inverse_dynamics_of_an_arm_is_the_closed_form(void)
{
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(ARM, &f)) ||
      !MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
    return;
  for (int k = 0; k < 6; k++) {
    mw_run r = { 0 };
    double off = 0.0;
    if (!drive_run(&f, &rom, k % 3, k / 3, &r)) continue;
    for (int i = 1; i < r.n_t; i++) {
      double want[2];
      arm(r.t[i - 1], k / 3 == 0, want);
      for (int d = 0; d < 2; d++) off = fmax(off, fabs(r.force[2 * i + d] - want[d]));
    }
    printf("path %d: forces off by %.1e N m\n", k % 3, off);
    MW_CHECK(r.n_t > 20);
    MW_NEAR(off, 0.0, 100.0 * DBL_EPSILON * 30.0);
    mw_run_free(&r);
  }
  mw_run r = { 0 };
  MW_FAILS(mw_rigid_run(&f.mech, &f.model.scenario[2], NULL, NULL, &r, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "1 motions are left free") && err.line > 0);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// An arm, whose inertia and weight change with its angles, at a start that its controllers are far
// off: forces that are constant are none of what grows. With kd T/J = 0.05 and more the loop is
// stable (J is 0.05 to 1.5 kg m²), without damping held forces feed it, by e in 4 J/(kp T)
// = 2 s for the faster swing.
static void what_is_constant_does_not_make_a_loop_unstable(void)
{
  static const char *const extra[] = { "", ", gravity: 4000", ", gravity: -4000" };
  mw_rom_file rom = { 0 };  // of the machine, whatever its controllers
  for (int k = 0; k < 6; k++) {
    char text[4096];
    mw_fixture f = { 0 };
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_stability said = { 0 };
    const char *cut = strstr(ARM, "scenarios:");
    double kd = k < 3 ? 5.0 : 0.0;
    snprintf(text, sizeof text,
             "%.*sscenarios: { s: { duration: 20, step: 1e-3, store: 0.1,\n"
             "  start: { q1: 0.3, q2: 0.9 }, drives: {\n"
             "  m1: { follow: -1, kp: 100, kd: %g%s }, m2: { follow: 1, kp: 100, kd: %g } } } }\n",
             (int)(cut - ARM), ARM, kd, extra[k % 3], kd);
    if (!MW_CHECK(mw_fixture_text(text, &f))) return;
    const mw_scenario *sc = &f.model.scenario[0];
    MW_OKAY(mw_stability_rigid(&f.mech, sc, sc->control_period, &mem, &said, &err));
    if (said.unstable) printf("%s%s\n", said.unstable, extra[k % 3]);
    MW_CHECK(!said.unjudged && (said.unstable != NULL) == (kd == 0.0));
    if (k > 0 || MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
      mw_run r = { 0 };
      (void)!mw_rom_run(&f.model, &f.mech, &rom, sc, NULL, NULL, &r, &err);
      const char *reduced =
          drive_run_told(&r, &err, "the loop of drive m1, m2 is unstable at the start");
      if (reduced) printf("reduced: %.120s\n", reduced);
      MW_CHECK((reduced != NULL) == (kd == 0.0));
      mw_run_free(&r);
    }
    mw_arena_free(&mem);
    mw_fixture_free(&f);
  }
  mw_rom_file_free(&rom);
}

// A lift of 5 kg under PD without an integral part.
static const char LIFT[] =
    "modeway: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies: { lift: { rigid: { mass: 5, inertia: [1, 1, 1, 0, 0, 0] } } }\n"
    "joints: { ways: { prismatic: { a: ground, b: lift, axis: [0, 0, 1] }, coordinate: z,\n"
    "  drive: m } }\n"
    "outputs: { lift: { body: lift } }\n"
    "scenarios: { up: { duration: 1, step: 1e-3, store: 1e-3, rigid: { method: rk4 },\n"
    "  drives: { m: { follow: { cycloid: { from: 0, to: 0.3, start: 0.1, end: 0.4 } },\n"
    "    kp: 2e4, kd: 600, %s } } } }\n";

// m e'' + kd e' + kp e = m (r'' − r'' of the sample): roots −60 ± 20i have decayed by e⁻³⁶ at the
// end. While it moves e is at most twice (overshoot) m T J/kp with the largest jerk J = 4π² 0.3 m /
// (0.3 s)³. Without, the weight hangs m g/kp below.
static void a_lift_follows_without_an_integral(void)
{
  static const char *const feeds[] = { "inverse_dynamics: {}", "feedforward: 0" };
  const double jerk = 4.0 * pow(acos(-1.0), 2.0) * 0.3 / pow(0.3, 3.0);
  for (int i = 0; i < 4; i++) {
    char text[2048];
    mw_fixture f = { 0 };
    mw_run r = { 0 };
    snprintf(text, sizeof text, LIFT, feeds[i / 2]);
    if (!MW_CHECK(mw_fixture_text(text, &f))) return;
    if (drive_run(&f, NULL, i % 2, 0, &r)) {
      double most = 0.0, end = r.s[r.n_t - 1] - 0.3;
      for (int k = 0; k < r.n_t; k++) {
        double y;
        mw_signal_eval(&f.model.scenario[0].action[0].signal, r.t[k], &y, NULL, NULL);
        most = fmax(most, fabs(r.s[k] - y));
      }
      printf("path %d, %s: off by %.2e, at the end by %.2e\n", i % 2, feeds[i / 2], most, end);
      MW_WITHIN(end, i < 2 ? 0.0 : -5.0 * 9.81 / 2e4, 1e-9, "tolerance of Newton's method");
      if (i < 2) MW_NEAR(most, 0.0, 2.0 * 5.0 * 1e-3 * jerk / 2e4);
    }
    mw_run_free(&r);
    mw_fixture_free(&f);
  }
}

static const mw_test_case cases[] = {
  { "inverse_dynamics_of_an_arm_is_the_closed_form",
    inverse_dynamics_of_an_arm_is_the_closed_form },
  { "what_is_constant_does_not_make_a_loop_unstable",
    what_is_constant_does_not_make_a_loop_unstable },
  { "a_lift_follows_without_an_integral", a_lift_follows_without_an_integral },
};

int main(void) { return mw_test_run("drive_forces", cases, (int)(sizeof cases / sizeof *cases)); }
