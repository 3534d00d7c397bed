// SPDX-License-Identifier: BSD-3-Clause
// test_start_rates.c: rates at the start of a run: bodies and springs keep their shapes, and what
// is not given is of the least energy there is.
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

// A link that sags, and at its tip a bent one that rolls about it from t = 0 on.
static const char *const rolling =
    "modeway: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { bar: { rectangle: { width: 0.03, height: 0.02 } } }\n"
    "bodies:\n"
    "  upper:\n"
    "    ground: true\n"
    "    beams: { points: { a: [0, 0, 0], b: [0.6, 0, 0] },\n"
    "             members: [ { from: a, to: b, section: bar, material: alu, elements: 6 } ] }\n"
    "    supports: [ { nodes: a } ]\n"
    "    frames: { elbow: { node: b, mass: 2, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }\n"
    "  fore:\n"
    "    at: [0.6, 0, 0]\n"
    "    beams: { points: { a: [0, 0, 0], b: [0.2, 0.3, 0] },\n"
    "             members: [ { from: a, to: b, section: bar, material: alu, elements: 6 } ] }\n"
    "    frames: { elbow: { node: a }, tool: { node: b, mass: 1, inertia: [5e-3, 5e-3, 5e-3, 0, "
    "0, 0] } }\n"
    "joints:\n"
    "  q: { revolute: { a: upper.elbow, b: fore.elbow, axis: [1, 0, 0] }, coordinate: q, drive: m "
    "}\n"
    "outputs: { elbow: { frame: upper.elbow }, axis: { frame: upper.elbow, point: [0.5, 0, 0] },\n"
    "           tool: { frame: fore.tool } }\n"
    "reduction:\n"
    "  coordinates: { q: { range: [-1, 1], points: 17, max_rate: 6 } }\n"
    "  modes: { count: 4 }\n"
    "  certificate: { points: 1, samples: 4 }\n"
    "  tolerance: 1e-3\n"
    "scenarios:\n"
    "  roll: { duration: 4e-5, step: 1e-5, store: 1e-5, start: { q: { at: 0.4, velocity: 5 } }, "
    "initial: static,\n"
    "          drives: { m: { position: { ramp: { from: 0.4, velocity: 5 } } } } }\n";

// Bodies keep their shapes at the start: v = Ω a × (r_tool − r_elbow), a and r of the sagging
// machine. The sag w of the fore link turns with it, Ωw; rates are differences of second order over
// 1e-5 s, and what is left is of second order in the slopes.
static void start_rates_keep_the_shapes_of_bodies(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_rom_file rom = { 0 };
  if (!MW_CHECK(mw_fixture_text(rolling, &f))) return;
  if (!MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    mw_fixture_free(&f);
    return;
  }
  for (int path = 0; path < 2; path++) {
    const mw_scenario *sc = &f.model.scenario[0];
    mw_run r = { 0 };
    mw_dae_opt opt = mw_dae_opt_default();
    mw_code rc = path == 0 ? mw_dae_run(&f.mech, sc, "full", &opt, NULL, &r, &err)
                           : mw_rom_run(&f.model, &f.mech, &rom, sc, NULL, NULL, &r, &err);
    if (MW_OKAY(rc)) {
      const double *y = r.y;  // elbow, axis, tool
      double a[3], d[3], size = 0.0, h = 1e-5, sag = fabs(y[2]), slope = fabs(y[5] - y[2]) / 0.5;
      for (int i = 0; i < 3; i++) {
        a[i] = (y[3 + i] - y[i]) / 0.5;
        d[i] = y[6 + i] - y[i];
        size = fmax(size, fabs(d[i]));
      }
      double want[3] = { 5.0 * (a[1] * d[2] - a[2] * d[1]), 5.0 * (a[2] * d[0] - a[0] * d[2]),
                         5.0 * (a[0] * d[1] - a[1] * d[0]) };
      double tol = 5.0 * size * 2.0 * slope * slope;
      MW_CHECK(sag > 1e-3 && 5.0 * sag > 10.0 * tol);
      for (int i = 0; i < 3; i++)
        MW_NEAR((4.0 * y[9 + 6 + i] - 3.0 * y[6 + i] - y[18 + 6 + i]) / (2.0 * h), want[i], tol);
    }
    mw_run_free(&r);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A light cantilever with a weight at its tip, and a box that rides on it in a spring: 0.1 m and
// 0.5 m from the clamp, and on it.
static const char *const riding =
    "modeway: 1\n"
    "gravity: [0, 0, -10]\n"
    "materials: { light: { E: 1e8, nu: 0.3, rho: 1e-3, unusual: true } }\n"
    "sections: { line: { general: { A: 1, Iy: 1e-6, Iz: 1, It: 1 }, shear: false, rotary: false } "
    "}\n"
    "bodies:\n"
    "  beam:\n"
    "    ground: true\n"
    "    beams: { points: { a: [0, 0, 0], b: [1, 0, 0] },\n"
    "             members: [ { from: a, to: b, section: line, material: light, elements: 20 } ] }\n"
    "    supports: [ { nodes: a } ]\n"
    "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
    "    frames: { tip: { node: b, mass: 0.05 } }\n"
    "  box: { at: [0.5, 0, 0], rigid: { mass: 0.1, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] } }\n"
    "joints: { x: { slide: { guide: beam.rail, on: box, orientation: fixed,\n"
    "                        runners: [ { stiffness: [500, rigid] } ] }, drive: motor } }\n"
    "outputs: { box: { body: box }, tip: { frame: beam.tip } }\n"
    "reduction: { coordinates: { x: { range: [0, 1], points: 33 } }, modes: { count: 3 },\n"
    "             certificate: { points: 1, samples: 4 } }\n"
    "scenarios:\n"
    "  root: { duration: 4e-5, step: 1e-5, store: 1e-5, start: { x: { at: 0, velocity: 2 } }, "
    "initial: static,\n"
    "          drives: { motor: { position: { ramp: { from: 0, velocity: 2 } } } } }\n"
    "  near: { duration: 4e-5, step: 1e-5, store: 1e-5, start: { x: { at: 0.1, velocity: 2 } }, "
    "initial: static,\n"
    "          drives: { motor: { position: { ramp: { from: 0.1, velocity: 2 } } } } }\n"
    "  mid: { duration: 4e-5, step: 1e-5, store: 1e-5, start: { x: { at: 0.5, velocity: 2 } }, "
    "initial: static,\n"
    "         drives: { motor: { position: { ramp: { from: 0.5, velocity: 2 } } } } }\n";

// Beam and spring keep their shapes at the start: the tip rests, and the box follows the slope of
// the beam under P at the tip, F of the box and q of its own weight, −(P (x − x²/2) + F x²/2 + q
// (x/2 − x²/2 + x³/6))/EI. What is left is of second order: the foreshortening of the path and of
// the rows, slope² = 4e-5 of the rate, and that of the columns between 33 points, their fourth
// derivative times 5/384 (1/32)⁴, less. The largest slope times 1e-3 is far above both, and the
// whole rate if springs gave way.
static void start_rates_keep_the_lengths_of_springs(void)
{
  static const double AT[3] = { 0.0, 0.1, 0.5 }, V = 2.0, EI = 100.0, P = 0.5, F = 1.0, q = 0.01;
  mw_fixture f;
  mw_error err = { 0 };
  mw_rom_file rom = { 0 };
  if (!MW_CHECK(mw_fixture_text(riding, &f))) return;
  if (!MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    mw_fixture_free(&f);
    return;
  }
  for (int k = 0; k < 6; k++) {
    const mw_scenario *sc = &f.model.scenario[k / 2];
    mw_run r = { 0 };
    mw_dae_opt opt = mw_dae_opt_default();
    mw_code rc = k % 2 == 0 ? mw_dae_run(&f.mech, sc, "full", &opt, NULL, &r, &err)
                            : mw_rom_run(&f.model, &f.mech, &rom, sc, NULL, NULL, &r, &err);
    if (MW_OKAY(rc)) {
      double x = AT[k / 2], h = 1e-5, rate[2];
      double own = q * (x / 2.0 - x * x / 2.0 + x * x * x / 6.0),
             most = V * (P / 2.0 + F / 2.0) / EI;
      double slope = -(P * (x - x * x / 2.0) + F * x * x / 2.0 + own) / EI;
      for (int o = 0; o < 2; o++) {
        const double *z = r.y + 3 * o + 2;
        rate[o] = (4.0 * z[6] - 3.0 * z[0] - z[12]) / (2.0 * h);
      }
      printf("start at %g, %s: box %.6e of %.6e m/s, tip %.1e\n", x, k % 2 ? "reduced" : "full",
             rate[0], V * slope, rate[1]);
      MW_NEAR(rate[0], V * slope, 1e-3 * most);
      MW_NEAR(rate[1], 0.0, 1e-3 * most);
    }
    mw_run_free(&r);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// Two links of 1 m in the plane, the first one's rate given.
static const char *const loose =
    "modeway: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  one: { rigid: { mass: 2, com: [0.5,0,0], inertia: [0.1,0.2,0.2,0,0,0] },\n"
    "         frames: { end: { point: [1,0,0] } } }\n"
    "  two: { at: [1,0,0], rigid: { mass: 1, com: [0.5,0,0], inertia: [0.1,0.2,0.2,0,0,0] } }\n"
    "joints:\n"
    "  q1: { revolute: { a: ground, b: one, axis: [0,0,1] }, coordinate: q1 }\n"
    "  q2: { revolute: { a: one.end, b: two, axis: [0,0,1] }, coordinate: q2 }\n"
    "outputs: { two: { body: two } }\n"
    "scenarios:\n"
    "  go: { duration: 1e-3, step: 1e-4, store: 1e-4, start: { q1: { at: 0, velocity: 1 } } }\n";

// Least kinetic energy, of the second link ½ (ω_1 + ½ w)² + ½ 0.2 w² with w = ω_1 + ω_2:
// w = −10/9 ω_1, ω_2 = −19/9 ω_1. The full path's start values move rates by c h² |v̈|, c ≤ 1/6,
// |v̈| of some ω_2³, and its bodies have 1e-7 of the trace of their second moments more about each
// axis (dae_block.c), 0.5 kg m²: w by 2 (1e-7 0.5)/0.45 of it.
static void rates_that_are_not_given_are_those_of_least_energy(void)
{
  static const double h = 1e-4, JERK = 10.0;  // s, rad/s³
  mw_fixture f;
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(loose, &f))) return;
  for (int path = 0; path < 2; path++) {
    mw_run r = { 0 };
    mw_dae_opt opt = mw_dae_opt_default();
    const mw_scenario *sc = &f.model.scenario[0];
    mw_code rc = path ? mw_rigid_run(&f.mech, sc, NULL, NULL, &r, &err)
                      : mw_dae_run(&f.mech, sc, "full", &opt, NULL, &r, &err);
    double tol = path ? 100.0 * DBL_EPSILON : JERK * h * h / 6.0 + 10.0 / 9.0 * 1e-7 / 0.45;
    if (MW_OKAY(rc)) {
      MW_NEAR(r.s_dot[0], 1.0, tol);
      MW_NEAR(r.s_dot[1], -19.0 / 9.0, tol);
    }
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

static const mw_test_case cases[] = {
  { "start_rates_keep_the_shapes_of_bodies", start_rates_keep_the_shapes_of_bodies },
  { "start_rates_keep_the_lengths_of_springs", start_rates_keep_the_lengths_of_springs },
  { "rates_that_are_not_given_are_those_of_least_energy",
    rates_that_are_not_given_are_those_of_least_energy },
};

int main(void) { return mw_test_run("start_rates", cases, (int)(sizeof cases / sizeof *cases)); }
