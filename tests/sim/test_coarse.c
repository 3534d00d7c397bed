// SPDX-License-Identifier: BSD-3-Clause
// test_coarse.c: what runs of reduced models say that their steps err by, against runs by finer
// ones.
//
// The truth is extrapolated from steps of h/4 and h/8: y = (4 y_h/8 − y_h/4)/3.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "beam_blow.h"
#include "fixture.h"
#include "gmp/damped_priv.h"
#include "gmp/drift_priv.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "rom_step.h"

// ---- truth --------------------------------------------------------------------------------------

// Where the order is between one and two, steps of twice the length say between a third of the
// error and all of it (coarse.c); a tenth more for terms of fourth order, and for instants between
// the stored ones.
static const double LEAST = 1.0 / 3.0, MOST = 1.1;

// Largest distance of output o of r from the truth, over the deflection
static double error_of(const mw_run *r, const mw_run fine[2], int o)
{
  double worst = 0.0;
  for (int t = 0; t < r->n_t; t++) {
    double d[3];
    for (int i = 0; i < 3; i++) {
      int k = 3 * (t * r->n_out + o) + i;
      d[i] = r->y[k] - (4.0 * fine[1].y[k] - fine[0].y[k]) / 3.0;
    }
    worst = fmax(worst, hypot(hypot(d[0], d[1]), d[2]));
  }
  return worst / r->deflection[o];
}

// Runs a scenario by steps of h; each output must err by what is said. said [n_out], NULL: not
// wanted
static bool errs_as_said(const mw_fixture *f, const mw_rom_file *rom, int scenario, double h,
                         double *said)
{
  mw_error err = { 0 };
  mw_run r = { 0 }, fine[2] = { 0 };
  const mw_scenario *sc = &f->model.scenario[scenario];
  bool good = MW_OKAY(mw_rom_run(&f->model, &f->mech, rom, sc, MW_ROM_STEP(h), NULL, &r, &err)),
       warned = false;
  for (int k = 0; good && k < 2; k++)
    good = MW_OKAY(
        mw_rom_run(&f->model, &f->mech, rom, sc, MW_ROM_STEP(h / (4 << k)), NULL, &fine[k], &err));
  double most = 0.0;
  for (int o = 0; good && o < r.n_out; o++) {
    double e = error_of(&r, fine, o);
    printf("%s, %s by steps of %.3g s: output %d errs by %.2e in time, said %.2e\n", f->model.name,
           sc->name, r.step, o, e, r.coarse[o]);
    MW_CHECK(r.coarse[o] > LEAST * e && r.coarse[o] < MOST * e);
    most = fmax(most, r.coarse[o]);
    if (said) said[o] = r.coarse[o];
  }
  for (int k = 0; k < r.n_warning; k++) warned = warned || strstr(r.warning[k], "are coarse for");
  MW_CHECK(warned == (most > 2e-3));  // 2 × the tolerance of 1e-3
  mw_run_free(&r);
  mw_run_free(&fine[0]);
  mw_run_free(&fine[1]);
  return good;
}

static bool reduced(const char *text, mw_fixture *f, mw_rom_file *rom)
{
  mw_error err = { 0 };
  return MW_CHECK(mw_fixture_text(text, f)) &&
         MW_OKAY(mw_reduce(&f->model, &f->mech, NULL, rom, &err));
}

// ---- machines -----------------------------------------------------------------------------------

// The struck beam: a blow of 0.3 s excites the first mode (ω = π²), a short one the second (4π²)
// and third, too.
static void struck_beams_err_by_what_is_said(void)
{
  static const struct row {
    double tau, step;  // s
  } rows[] = { { 0.3, 2e-2 },  { 0.3, 1e-2 },  { 0.3, 2e-3 },
               { 0.05, 1e-2 }, { 0.05, 4e-3 }, { 0.05, 1e-3 } };
  mw_error err = { 0 };
  mw_rom_file rom = { 0 };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    beam_blow b = {
      .n_elem = 40, .count = 3, .F = 1.0, .tau = rows[i].tau, .duration = 1.0, .step = rows[i].step
    };
    mw_fixture f = { 0 };
    if (!MW_CHECK(beam_blow_model(&b, &f)) ||
        (i == 0 && !MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) ||
        !errs_as_said(&f, &rom, 0, rows[i].step, NULL))
      return;
    mw_fixture_free(&f);
  }
  mw_rom_file_free(&rom);
}

// A rotor near its critical speed, whose slow whirl in axes that turn is what Coriolis forces leave
// of its frequencies.
static void rotors_err_by_what_is_said(void)
{
  mw_fixture f = { 0 };
  mw_error err = { 0 };
  mw_rom_file rom = { 0 };
  if (!MW_CHECK(mw_fixture_file(MW_CASES_DIR "/rotor-disk.yaml", &f)) ||
      !MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
    return;
  for (int k = 0; k < 2; k++)
    if (!errs_as_said(&f, &rom, k, 1e-3, NULL) || !errs_as_said(&f, &rom, k, 2.5e-4, NULL)) break;
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A wheel that spins on a bar that is pushed: what turns with it is iterated, and must be to far
// below the step's own error, which for the soft bar (31 rad/s) by steps of 0.2 ms is 3e-6 of its
// frequency.
static const char *const wheel =
    "modeway: 1\n"
    "name: wheel\n"
    "materials: { st: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
    "sections: { s: { circle: { diameter: 0.012 }, shear: false, rotary: false } }\n"
    "bodies:\n"
    "  bar:\n"
    "    ground: true\n"
    "    beams: { points: { a: [0, 0, 0], e: [0.6, 0, 0] },\n"
    "             members: [{ from: a, to: e, section: s, material: st, elements: 6 }] }\n"
    "    supports: [{ nodes: a }]\n"
    "    frames: { e: { node: e } }\n"
    "  w: { at: [0.6, 0, 0], rigid: { mass: 3, inertia: [0.03, 0.016, 0.016, 0, 0, 0] } }\n"
    "joints: { t: { revolute: { a: bar.e, b: w, axis: [1, 0, 0] }, coordinate: phi, drive: m } }\n"
    "drives: { push: { force: { on: bar.e, direction: [0, 0, 1] } } }\n"
    "outputs: { e: { frame: bar.e } }\n"
    "reduction:\n"
    "  coordinates: { phi: { range: [-3.141592653589793, 3.141592653589793], cyclic: true, "
    "points: 17,\n"
    "                        max_rate: 80 } }\n"
    "  inputs: { push: 30 }\n"
    "  modes: { count: 4 }\n"
    "  certificate: { points: 2 }\n"
    "scenarios:\n"
    "  spin: { duration: 0.5, step: 1e-3, store: 2e-3, start: { phi: 0 }, drives: {\n"
    "    m: { position: { ramp: { from: 0, velocity: 80 } } },\n"
    "    push: { force: { table: { time: [0, 0.005, 0.01], value: [0, 20, 0] } } } } }\n";

static void wheels_that_spin_err_by_what_is_said_to_second_order(void)
{
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  double said[4];
  if (!reduced(wheel, &f, &rom)) return;
  for (int k = 0; k < 4; k++)
    if (!errs_as_said(&f, &rom, 0, 1e-3 / (1 << k), &said[k])) return;
  // a tenth for terms of fourth order, of which the first difference has most: (ωh)² ≤ 0.04 for the
  // wheel's nutation
  for (int k = 0; k + 1 < 4; k++) MW_NEAR(said[k] / said[k + 1], 4.0, 0.4);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// Two links that torques alone drive: their angles run free.
static const char *const arm =
    "modeway: 1\n"
    "name: two links\n"
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { link: { rectangle: { width: 0.04, height: 0.05 } } }\n"
    "bodies:\n"
    "  upper:\n"
    "    beams: { points: { a: [0, 0, 0], b: [1.1, 0, 0] },\n"
    "             members: [{ from: a, to: b, section: link, material: alu, elements: 5 }] }\n"
    "    frames: { shoulder: { node: a }, elbow: { node: b, mass: 3, inertia: [0.01, 0.01, 0.01, "
    "0, 0, 0] } }\n"
    "  fore:\n"
    "    at: [1.1, 0, 0]\n"
    "    beams: { points: { a: [0, 0, 0], b: [0.9, 0, 0] },\n"
    "             members: [{ from: a, to: b, section: link, material: alu, elements: 4 }] }\n"
    "    frames: { elbow: { node: a }, tool: { node: b, mass: 2, inertia: [5e-3, 5e-3, 5e-3, 0, "
    "0, 0] } }\n"
    "joints:\n"
    "  q1: { revolute: { a: ground, b: upper.shoulder, axis: [0, 0, 1] }, coordinate: q1, drive: "
    "m1 }\n"
    "  q2: { revolute: { a: upper.elbow, b: fore.elbow, axis: [0, 0, 1] }, coordinate: q2, drive: "
    "m2 }\n"
    "outputs: { tool: { frame: fore.tool } }\n"
    "reduction:\n"
    "  coordinates:\n"
    "    q1: { range: [-3.141592653589793, 3.141592653589793], cyclic: true, points: 5 }\n"
    "    q2: { range: [-0.4, 2], points: 9 }\n"
    "  modes: { count: 4 }\n"
    "  certificate: { points: 2 }\n"
    "scenarios:\n"
    "  forced: { duration: 1, step: 5e-4, store: 2e-3,\n"
    "    start: { q1: { at: 0, velocity: 0 }, q2: { at: 0.8, velocity: 0 } }, drives: {\n"
    "    m1: { force: { sine: { amplitude: 30, frequency: 2 } } },\n"
    "    m2: { force: { sine: { amplitude: 8, frequency: 3 } } } } }\n";

static void coordinates_that_run_free_err_by_what_is_said(void)
{
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  if (!reduced(arm, &f, &rom)) return;
  for (int k = 0; k < 3; k++)
    if (!errs_as_said(&f, &rom, 0, 1e-3 / (1 << k), NULL)) return;
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A beam across a sled: moved by a controller that samples every step, or every second one; by a
// force that is a table of points at every step. None of the first and the last leaves two steps
// between which nothing happens.
static const char *const sled =
    "modeway: 1\n"
    "name: sled\n"
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { r: { rectangle: { width: 0.03, height: 0.01 } } }\n"
    "bodies:\n"
    "  sled: { rigid: { mass: 2, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }\n"
    "  beam:\n"
    "    beams: { points: { a: [0, 0, 0], b: [0.8, 0, 0] },\n"
    "             members: [ { from: a, to: b, section: r, material: alu, elements: 6 } ] }\n"
    "    frames: { a: { node: a }, b: { node: b } }\n"
    "joints:\n"
    "  z: { prismatic: { a: ground, b: sled, axis: [0, 0, 1] }, coordinate: z, drive: m }\n"
    "  c: { fixed: { a: sled, b: beam.a } }\n"
    "outputs: { tip: { frame: beam.b } }\n"
    "reduction: { coordinates: { z: { range: [-1, %.17g], points: 5 } }, modes: { count: 2 } }\n"
    "scenarios:\n"
    "  sampled: { duration: 0.3, step: 1e-3, control_period: 1e-3, start: { z: 0 }, drives: {\n"
    "    m: { move: { from: 0, to: 0.1, max_velocity: 1, max_acceleration: 20, max_jerk: 1000 },\n"
    "         kp: 4e4, kd: 400 } } }\n"
    "  seldom: { duration: 0.3, step: 1e-3, control_period: 2e-3, start: { z: 0 }, drives: {\n"
    "    m: { move: { from: 0, to: 0.1, max_velocity: 1, max_acceleration: 20, max_jerk: 1000 },\n"
    "         kp: 4e4, kd: 400 } } }\n"
    "  points: { duration: 0.1, step: 5e-4, drives: { m: { force: { table: {\n"
    "    time: [%s], value: [%s] } } } } }\n"
    "  push: { duration: 0.1, step: 5e-4, start: { z: { at: 0, velocity: 0 } },\n"
    "    drives: { m: { force: { sine: { amplitude: 50, frequency: 15 } } } } }\n";

// Its path ends at z = end, m.
static bool sled_to(double end, mw_fixture *f, mw_rom_file *rom)
{
  enum { POINTS = 201 };
  char time[POINTS * 12] = "", value[POINTS * 12] = "", text[4096 + sizeof time + sizeof value];
  double pi = acos(-1.0);
  size_t n = 0, m = 0;
  for (int k = 0; k < POINTS; k++) {  // one and a half periods
    const char *comma = k > 0 ? ", " : "";
    n += (size_t)snprintf(time + n, sizeof time - n, "%s%.4f", comma, 5e-4 * k);
    m += (size_t)snprintf(value + m, sizeof value - m, "%s%.5f", comma,
                          50.0 * sin(3.0 * pi * k / (POINTS - 1)));
  }
  int length = snprintf(text, sizeof text, sled, end, time, value);
  return MW_CHECK(length < (int)sizeof text) && reduced(text, f, rom);
}

// A point beside a strut's hinge goes with the sled: what its columns move it by is rounding.
static const char strut[] =
    "modeway: 1\nname: strut\n"
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { r: { rectangle: { width: 0.02, height: 0.01 } } }\n"
    "bodies:\n"
    "  sled: { rigid: { mass: 5, inertia: [0.1, 0.1, 0.1, 0, 0, 0] } }\n"
    "  strut:\n"
    "    beams: { points: { a: [0, 0, 0], b: [1, 0, 0] },\n"
    "             members: [ { from: a, to: b, section: r, material: alu, elements: 8 } ] }\n"
    "    frames: { a: { node: a }, b: { node: b } }\n"
    "  head: { at: [1, 0, 0], rigid: { mass: 20, inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "joints:\n"
    "  y: { prismatic: { a: ground, b: sled, axis: [0, 1, 0] }, coordinate: y, drive: m }\n"
    "  foot: { revolute: { a: sled, b: strut.a, axis: [0, 1, 0] } }\n"
    "  top: { revolute: { a: head, b: strut.b, axis: [0, 1, 0] } }\n"
    "  guide: { prismatic: { a: sled, b: head, axis: [1, 0, 0] } }\n"
    "outputs: { foot: { frame: strut.a } }\n"
    "reduction: { coordinates: { y: [-0.2, 0.2] }, modes: { count: 3 } }\n"
    "scenarios: { go: { duration: 0.2, step: 5e-4,\n"
    "  drives: { m: { position: { cycloid: { from: -0.1, to: 0.1, end: 0.15 } } } } } }\n";

static void what_goes_rigidly_has_no_deflection_to_err_by(void)
{
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  mw_run r = { 0 };
  mw_error err = { 0 };
  if (!reduced(strut, &f, &rom) ||
      !MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, &f.model.scenario[0], MW_ROM_STEP(5e-4), NULL,
                          &r, &err)))
    return;
  // its deflection is 1e-16 of some 1 m, a hundred roundings at most
  MW_CHECK(r.deflection[0] < 100.0 * DBL_EPSILON && r.coarse[0] == 0.0);
  for (int i = 0; i < r.n_warning; i++) MW_CHECK(!strstr(r.warning[i], "are coarse for"));
  printf("strut: foot deflects by %.1e m, said to err by %.1e of it\n", r.deflection[0],
         r.coarse[0]);
  mw_run_free(&r);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void what_happens_at_every_step_is_no_hindrance(void)
{
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  if (!sled_to(1.0, &f, &rom)) return;
  for (int k = 0; k < 3; k++)
    if (!errs_as_said(&f, &rom, k, f.model.scenario[k].step, NULL)) break;
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// By steps of twice the length a sine pushes farther, by 3 (Ωh)²/24 of the way. Where these steps
// leave the tables and the run's do not, what those err by is known up to there, and the run says
// so.
static void what_is_not_known_is_said(void)
{
  const double h = 5e-4;
  double end[2] = { 1.0, 0.0 };
  bool told = false;
  for (int k = 0; k < 2; k++) {
    mw_fixture f = { 0 };
    mw_rom_file rom = { 0 };
    mw_run r = { 0 };
    mw_error err = { 0 };
    if (!sled_to(end[k], &f, &rom) ||
        !MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, &f.model.scenario[3], MW_ROM_STEP(h), NULL, &r,
                            &err)))
      return;
    double way = r.s[(r.n_t - 1) * r.n_coord], x = 30.0 * acos(-1.0) * h;
    end[1] = way * (1.0 + x * x / 16.0);
    told = false;
    for (int i = 0; i < r.n_warning; i++) told = told || strstr(r.warning[i], "is not known from");
    MW_CHECK(told == (k == 1));
    mw_run_free(&r);
    mw_rom_file_free(&rom);
    mw_fixture_free(&f);
  }
}

// ---- amplitudes that exponential steps take -----------------------------------------------------

// 1 − |P(iy)|ⁿ, P = (1 + 2w/5 + w²/20)/(1 − 3w/5 + 3w²/20 − w³/60), Padé's (2, 3) of e^w
static double taken(double y, int n)
{
  double up = hypot(1.0 - y * y / 20.0, 0.4 * y),
         down = hypot(1.0 - 0.15 * y * y, y * y * y / 60.0 - 0.6 * y);
  return 1.0 - pow(up / down, n);
}

// What is said of a mode that swings in n exponential steps, damped by c besides
static double said_of_mode(double omega, double c, double h, int n)
{
  mw_rom_file f = { .rom = { .s = 1, .m = 1 } };
  mw_modal modal = { .file = &f, .c = &c };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_damped z;
  double x[4] = { 0 }, kept = exp(-0.5 * c * h) * (1.0 - taken(omega * h, 1));
  if (!MW_OKAY(mw_damped_init(&z, &modal, MW_ROM_EXPONENTIAL, &mem, &err))) return -1.0;
  for (int k = 0; k <= n; k++) {
    x[1] = pow(kept, k) * cos(omega * h * k);
    mw_damped_end(&z, x, h * k, h);
  }
  double said = z.worst / z.peak;
  mw_arena_free(&mem);
  return said;
}

// Undamped, it is what the steps take, by sixth differences: (sin(y/2)/(y/2))⁶ of (ωh)⁶/7200.
// Damping, which takes what was lost along, leaves less.
static void exponential_steps_say_what_they_take(void)
{
  static const double y[] = { 0.5, 1.0, 1.5 };
  static const int n[] = { 100000, 10000, 2000 };
  const double omega = 100.0;
  for (int i = 0; i < 3; i++) {
    double h = y[i] / omega, lost = taken(y[i], n[i]), said = said_of_mode(omega, 0.0, h, n[i]);
    double part =
        pow(sin(0.5 * y[i]) / (0.5 * y[i]), 6.0) * pow(y[i], 6.0) / 7200.0 / taken(y[i], 1);
    printf("exponential steps, omega h = %g: %d take %.4f, said %.4f, expected %.4f\n", y[i], n[i],
           lost, said, part * lost);
    MW_NEAR(said, part * lost, 0.01 * part * lost);
    MW_CHECK(said_of_mode(omega, 2.0, h, n[i]) < 0.5 * said);
  }
}

// The struck beam, by steps of 0.1 s: ωh = 0.99 for its first mode.
static void runs_say_what_exponential_steps_take(void)
{
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  mw_fixture f = { 0 };
  beam_blow b = { .n_elem = 40, .count = 3, .F = 1.0, .tau = 0.3, .duration = 20.0, .step = 0.1 };
  if (!MW_CHECK(beam_blow_model(&b, &f)) ||
      !MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
    return;
  for (int k = 0; k < 2; k++) {
    mw_rom_run_opt opt = mw_rom_run_opt_default();
    mw_run r = { 0 };
    bool warned = false;
    opt.method = k ? MW_ROM_MIDPOINT : MW_ROM_EXPONENTIAL;
    if (MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, &f.model.scenario[0], &opt, NULL, &r, &err)))
      for (int i = 0; i < r.n_warning; i++)
        warned = warned || strstr(r.warning[i], "damp what swings fast");
    MW_CHECK(warned == (k == 0));
    mw_run_free(&r);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// How far coordinate 0 of two drifts in n parts of h by Q of a wave of length L, at velocity v.
// free: bits; A: their masses, packed; K: what brings them back
static double drifts(unsigned free, const double A[3], const double K[4], double Q, double L,
                     double v, double h, int n)
{
  double force[2] = { Q, 0.0 }, length[2] = { L, 0.0 }, state[6] = { 0 }, value[64] = { 0 };
  int row[3] = { 0 };
  mw_rom_file f = { .rom = { .s = 2, .m = 1, .n_field = 64 },
                    .certificate = { .rest_force = force, .rest_length = length } };
  mw_modal modal = { .file = &f, .state = state, .value = value };
  mw_rom_layout at = mw_rom_layout_of(mw_rom_shape_of(&f.rom));
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_drift z;
  if (!MW_CHECK(at.n <= 64) || !MW_OKAY(mw_drift_init(&z, &modal, free, 1, row, &mem, &err)))
    return -1.0;
  memcpy(value + at.a, A, 3 * sizeof *A);
  for (int k = 0; k < n; k++) {
    state[0] = v * h * (k + 0.5);
    mw_drift_end(&z, K, h);
  }
  mw_arena_free(&mem);
  return hypot(z.d[0][0][0], z.d[0][1][0]);
}

// Where the coordinate stays it drifts by ½ Q t²/A, of two that are free by the inverse of both
// masses; where it passes waves, w = 2π v/L, by Q/A |(1 − cos wt, wt − sin wt)|/w².
static void free_coordinates_drift_by_forces_that_err(void)
{
  enum { N = 400 };
  const double A[3] = { 2.0, 0.5, 3.0 }, none[4] = { 0 }, Q = 3e-3, h = 2.5e-3, t = N * h, L = 0.1,
               v = 0.35;
  double alone = Q / A[0], both = Q * A[2] / (A[0] * A[2] - A[1] * A[1]),
         w = 2.0 * acos(-1.0) * v / L;
  // of n sums of positive terms; of their products
  double rounding = (2 * N + 8) * DBL_EPSILON;
  MW_NEAR(drifts(1, A, none, Q, L, 0.0, h, N), 0.5 * alone * t * t, rounding * 0.5 * alone * t * t);
  MW_NEAR(drifts(3, A, none, Q, L, 0.0, h, N), 0.5 * both * t * t, rounding * 0.5 * both * t * t);
  // the middle of a part for the whole of it: (wh)²/24 of the force at most, cos and sin
  MW_WITHIN(drifts(1, A, none, Q, L, v, h, N),
            alone * hypot(1.0 - cos(w * t), w * t - sin(w * t)) / (w * w),
            sqrt(2.0) * 0.5 * alone * t * t * w * w * h * h / 24.0,
            "errors of parts are taken for ones of one sign");
  MW_CHECK(drifts(2, A, none, Q, L, 0.0, h, N) == 0.0);  // held
}

// A spring holds a coordinate to Q/k (1 − cos ωt); one between two that are free leaves their
// common motion, of (1, 1)ᵀ, as it is: ½ Q t²/(both masses), beside what swings in the spring.
static void what_brings_free_coordinates_back_is_known(void)
{
  enum { N = 2000 };
  const double A[3] = { 2.0, 0.0, 3.0 }, k = 80.0, Q = 3e-3, h = 2.5e-3, t = N * h;
  const double held[4] = { k, 0.0, 0.0, 0.0 }, between[4] = { k, -k, -k, k };
  double w = sqrt(k / A[0]), both = sqrt(k * (1.0 / A[0] + 1.0 / A[2])),
         share = Q * A[2] / (A[0] * (A[0] + A[2]));  // acceleration in the spring
  // mid-point rule: the angle ωt errs by (ωt)(ωh)²/12, to second order; 1 − cos by no more
  MW_WITHIN(drifts(1, A, held, Q, 0.0, 0.0, h, N), Q / k * (1.0 - cos(w * t)),
            Q / k * w * t * w * w * h * h / 12.0, "the angle's error times a sine below 1");
  MW_WITHIN(drifts(3, A, between, Q, 0.0, 0.0, h, N),
            0.5 * Q * t * t / (A[0] + A[2]) + share * (1.0 - cos(both * t)) / (both * both),
            share / (both * both) * both * t * both * both * h * h / 12.0,
            "the angle's error times a sine below 1");
}

// A rigid pendulum of mass 2 on a line of 0.7, hung on a soft beam: K is what its weight's turning
// back is, m g l cos θ, and outputs of its swing come and go instead of drifting.
static void weight_brings_pendulums_back(void)
{
  static const char text[] =
      "modeway: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "materials: { m: { E: 7e10, nu: 0.3, rho: 2700 } }\n"
      "sections: { s: { rectangle: { width: 0.02, height: 0.02 } } }\n"
      "bodies:\n"
      "  beam:\n"
      "    ground: true\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], b: [0.5, 0, 0] }\n"
      "      members: [{ from: a, to: b, section: s, material: m, elements: 6 }]\n"
      "    supports: [{ nodes: a }]\n"
      "    frames: { b: { node: b } }\n"
      "  bob: { at: [0.5, 0, 0],\n"
      "    rigid: { mass: 2, com: [0, 0, -0.7], inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }\n"
      "joints:\n"
      "  p: { revolute: { a: beam.b, b: bob, axis: [0, 1, 0] }, coordinate: w }\n"
      "outputs: { bob: { body: bob, point: [0, 0, -0.7] } }\n"
      "reduction:\n"
      "  coordinates: { w: { range: [-1, 1], points: 17 } }\n"
      "  modes: { count: 3 }\n"
      "  certificate: { points: 1, samples: 8 }\n"
      "scenarios: { swing: { duration: 1, start: { w: 0.3 } } }\n";
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  mw_fixture f = { 0 };
  if (!MW_CHECK(mw_fixture_text(text, &f)) ||
      !MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
    return;
  const double weight = 2.0 * 9.81 * 0.7;  // N m, at its arm
  double force[1] = { 1.0 }, length[1] = { 0.0 }, theta[1], K[1] = { 0 };
  int row[3] = { 0, 1, 2 };
  mw_modal modal = { .file = &rom };
  mw_arena mem = { 0 };
  mw_drift z;
  rom.certificate.rest_force = force;
  rom.certificate.rest_length = length;
  if (MW_OKAY(mw_drift_init(&z, &modal, 1, 1, row, &mem, &err)))
    for (theta[0] = -0.9; theta[0] < 1.0; theta[0] += 0.45) {
      mw_drift_stiffness(&z, theta, K);
      // of a cosine: e²/6 by differences over e = 2e-3 on either side, and h²/12 by the second
      // derivative of a cubic spline, h = 1/64 between its points
      MW_NEAR(K[0], weight * cos(theta[0]), weight * (2e-3 * 2e-3 / 6.0 + 1.0 / (64 * 64 * 12.0)));
    }
  mw_arena_free(&mem);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "free_coordinates_drift_by_forces_that_err", free_coordinates_drift_by_forces_that_err },
    { "what_brings_free_coordinates_back_is_known", what_brings_free_coordinates_back_is_known },
    { "weight_brings_pendulums_back", weight_brings_pendulums_back },
    { "exponential_steps_say_what_they_take", exponential_steps_say_what_they_take },
    { "runs_say_what_exponential_steps_take", runs_say_what_exponential_steps_take },
    { "struck_beams_err_by_what_is_said", struck_beams_err_by_what_is_said },
    { "rotors_err_by_what_is_said", rotors_err_by_what_is_said },
    { "wheels_that_spin_err_by_what_is_said_to_second_order",
      wheels_that_spin_err_by_what_is_said_to_second_order },
    { "coordinates_that_run_free_err_by_what_is_said",
      coordinates_that_run_free_err_by_what_is_said },
    { "what_goes_rigidly_has_no_deflection_to_err_by",
      what_goes_rigidly_has_no_deflection_to_err_by },
    { "what_happens_at_every_step_is_no_hindrance", what_happens_at_every_step_is_no_hindrance },
    { "what_is_not_known_is_said", what_is_not_known_is_said },
  };
  return mw_test_run("coarse", cases, (int)(sizeof cases / sizeof *cases));
}
