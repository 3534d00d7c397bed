// SPDX-License-Identifier: BSD-3-Clause
// test_own_rows.c: joints with rows that are not made of primitives (screw, rod, curve), and joints
// of the user's own, on elastic bodies:
// frequencies and motion against closed forms, the reduced model against the full path.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

#define PI 3.14159265358979324
static const double E_STEEL = 210e9, NU = 0.3;

// ---- a stage on a screw -------------------------------------------------------------------------

static const double SHAFT = 0.5, DIAMETER = 0.02, PITCH = 0.05, MASS = 20.0;

// The nut is the stage's; rho: of the shaft, kg/m³.
static bool open_screw(double rho, const char *measure, const char *extra, mw_fixture *out)
{
  char text[4096];
  snprintf(text, sizeof text,
           "modeway: 1\n"
           "materials: { steel: { E: 210e9, nu: 0.3, rho: %g, unusual: true } }\n"
           "sections: { shaft: { circle: { diameter: %g } } }\n"
           "bodies:\n"
           "  shaft:\n"
           "    beams:\n"
           "      points: { o: [0, 0, 0], e: [%g, 0, 0] }\n"
           "      members: [ { from: o, to: e, section: shaft, material: steel, elements: 6 } ]\n"
           "    frames: { o: { node: o }, e: { node: e } }\n"
           "  stage: { at: [%g, 0, 0], rigid: { mass: %g, inertia: [0.2, 0.2, 0.2, 0, 0, 0] } }\n"
           "joints:\n"
           "  bearing: { revolute: { a: ground, b: shaft.o, axis: [1, 0, 0] }, coordinate: phi, "
           "drive: motor }\n"
           "  nut: { screw: { a: shaft.e, b: stage, axis: [1, 0, 0], pitch: %g }%s }\n"
           "  rail: { prismatic: { a: ground, b: stage, axis: [1, 0, 0] }, coordinate: x }\n"
           "outputs: { stage: { body: stage } }\n"
           "reduction:\n"
           "  coordinates: { phi: { range: [-14, 14], points: 9, max_rate: 200, "
           "max_acceleration: 8000 } }\n"
           "  modes: { count: 4 }\n"
           "  certificate: { points: 3 }\n%s",
           rho, DIAMETER, SHAFT, SHAFT, MASS, PITCH, measure, extra);
  return MW_CHECK(mw_fixture_text(text, out));
}

// m/N: the shaft shortens by F l/(EA), and is twisted by F h l/(G I_p) over a travel of h a radian,
// h = p/(2π).
static double compliance(void)
{
  double A = PI * DIAMETER * DIAMETER / 4.0, Ip = PI * pow(DIAMETER, 4.0) / 32.0;
  double G = E_STEEL / (2.0 + 2.0 * NU), h = PITCH / (2.0 * PI);
  return SHAFT / (E_STEEL * A) + h * h * SHAFT / (G * Ip);
}

// ω² = 1/(m c)
static void stage_swings_on_what_its_screw_gives_way(void)
{
  static const char *const measure[] = { "", ", coordinate: turn",
                                         ", coordinate: s, measure: travel" };
  const double rho = 1.0, h = PITCH / (2.0 * PI);
  double A = PI * DIAMETER * DIAMETER / 4.0, Ip = PI * pow(DIAMETER, 4.0) / 32.0;
  // of the shaft, as the stage feels it
  double moves = rho * SHAFT * (A + Ip / (h * h)) / MASS;
  for (int k = 0; k < 3; k++)
    for (double phi = 0.0; phi < 10.0; phi += 7.0) {  // beyond a turn
      mw_fixture f;
      mw_error err = { 0 };
      mw_arena mem = { 0 };
      double *hz = NULL, *shape = NULL;
      if (!open_screw(rho, measure[k], "", &f)) continue;
      if (MW_OKAY(mw_direct_modes(&f.mech, &phi, 1, 0, &mem, &hz, &shape, NULL, &err)))
        MW_NEAR(hz[0] * 2.0 * PI * sqrt(MASS * compliance()), 1.0, moves + 1e-9);
      mw_arena_free(&mem);
      mw_fixture_free(&f);
    }
}

static double largest_gap(const mw_run *a, const mw_run *b)
{
  double worst = 0.0;
  for (int i = 0; i < 3 * a->n_t * a->n_out; i++)
    if (!(fabs(a->y[i] - b->y[i]) <= worst)) worst = fabs(a->y[i] - b->y[i]);
  return worst;
}

// Largest distance between the outputs of the reduced model and of path full in the first scenario,
// m.
static double reduced_against_full(mw_fixture *f, mw_run *full)
{
  mw_error err = { 0 };
  mw_rom_file rom = { 0 };
  mw_run gmp = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  const mw_scenario *sc = &f->model.scenario[0];
  double gap = NAN;
  opt.step = sc->step;
  if (MW_OKAY(mw_reduce(&f->model, &f->mech, NULL, &rom, &err)) &&
      MW_OKAY(mw_dae_run(&f->mech, sc, "full", &opt, NULL, full, &err)) &&
      MW_OKAY(mw_rom_run(&f->model, &f->mech, &rom, sc, NULL, NULL, &gmp, &err)))
    gap = largest_gap(full, &gmp);
  mw_run_free(&gmp);
  mw_rom_file_free(&rom);
  return gap;
}

// Two turns in 0.15 s: the stage goes 0.1 m and lags by m a c.
static void reduced_stage_follows_the_full_one(void)
{
  mw_fixture f;
  mw_run full = { 0 };
  if (!open_screw(
          7850.0, ", coordinate: turn",
          "scenarios:\n"
          "  turn: { duration: 0.2, step: 1e-4, store: 1e-3, start: { phi: 0 }, drives: { motor: "
          "{ position: { cycloid: { from: 0, to: 12.566370614359172, end: 0.15 } } } } }\n",
          &f))
    return;
  double gap = reduced_against_full(&f, &full), bend = 0.0;
  for (int k = 0; k < full.n_t; k++) {
    double t = fmin(full.t[k] / 0.15, 1.0), phi = 4.0 * PI * (t - sin(2.0 * PI * t) / (2.0 * PI));
    double x = SHAFT - PITCH / (2.0 * PI) * phi;  // the shaft turns in the nut
    bend = fmax(bend, fabs(full.y[3 * full.n_out * k] - x));
  }
  printf("stage, full against reduced: %.2e m, it lags by up to %.2e m\n", gap, bend);
  // 2π Φ h/T² at its peak; the shaft's own inertia twists it by ρ l²/(2 G) α besides, two
  // hundredths of that
  double lag = MASS * 2.0 * PI * 2.0 * PITCH / (0.15 * 0.15) * compliance();
  MW_NEAR(bend, lag, 0.05 * lag);
  MW_CHECK(gap < 1e-3 * bend);
  mw_run_free(&full);
  mw_fixture_free(&f);
}

// ---- rods ---------------------------------------------------------------------------------------

// Held by a vertical rod at its end it is a beam on two supports in that plane: ω = n² π²
// √(EI/ρA)/l²; across it a cantilever.
static void beam_on_a_rod_swings_as_on_a_support(void)
{
  static const char *const text =
      "modeway: 1\n"
      "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
      "sections: { bar: { rectangle: { width: 0.005, height: 0.005 } } }\n"
      "bodies:\n"
      "  base: { ground: true, frames: { h: { point: [1, 0, 0.4] } } }\n"
      "  beam:\n"
      "    beams:\n"
      "      points: { o: [0, 0, 0], e: [1, 0, 0] }\n"
      "      members: [ { from: o, to: e, section: bar, material: steel, elements: 40 } ]\n"
      "    frames: { o: { node: o }, e: { node: e } }\n"
      "joints:\n"
      "  hinge: { revolute: { a: ground, b: beam.o, axis: [0, 1, 0] } }\n"
      "  rod: { distance: { a: base.h, b: beam.e } }\n"
      "outputs: { tip: { frame: beam.e } }\n";
  static const double beta[4] = { 1.8751040687119611, PI, 4.6940911329741746, 2.0 * PI };
  mw_fixture f;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  double *hz = NULL, *shape = NULL, b = 0.005;
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  if (MW_OKAY(mw_direct_modes(&f.mech, NULL, 4, 0, &mem, &hz, &shape, NULL, &err)))
    for (int k = 0; k < 4; k++) {
      double w = beta[k] * beta[k] * sqrt(E_STEEL * b * b / 12.0 / 7850.0);
      // rotary inertia and shear take n² π² (I/A) (1 + E/(κ G))/2 of it
      double slender = beta[k] * beta[k] * b * b / 12.0 * (1.0 + 2.6 * 1.2) / 2.0;
      MW_NEAR(hz[k] * 2.0 * PI / w, 1.0, 3.0 * slender);
    }
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// A crank of radius 0.15 drives a slider on the x axis by a massless rod of 0.3.
static const char *const crank_text =
    "modeway: 1\n"
    "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
    "sections: { bar: { rectangle: { width: 0.02, height: 0.01 } } }\n"
    "bodies:\n"
    "  crank: %s\n"
    "  slider: { at: [0.45, 0, 0], rigid: { mass: 0.5, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] } }\n"
    "joints:\n"
    "  O: { revolute: { a: ground, b: crank.o, axis: [0, 0, 1] }, coordinate: phi, drive: motor }\n"
    "  rod: { distance: { a: crank.a, b: slider } }\n"
    "  x: { prismatic: { a: ground, b: slider, axis: [1, 0, 0] }, coordinate: x, start: 0.45 }\n"
    "outputs: { slider: { body: slider } }\n"
    "reduction:\n"
    "  coordinates: { phi: { range: [0, 6.283185307179586], cyclic: true, points: 24, max_rate: "
    "70, "
    "max_acceleration: 1500 } }\n"
    "  modes: { count: 4 }\n"
    "  certificate: { points: 3 }\n"
    "scenarios:\n"
    "  turn: { duration: 0.25, step: 1e-4, store: 1e-3, start: { phi: 0.5 }, drives: { motor: "
    "{ position: { cycloid: { from: 0.5, to: 6.783185307179586, end: 0.2 } } } } }\n";

static double slider_at(double phi)
{
  double s = 0.15 * sin(phi);
  return 0.15 * cos(phi) + sqrt(0.09 - s * s);
}

static double crank_at(double t)
{
  double x = fmin(t / 0.2, 1.0);
  return 0.5 + 2.0 * PI * (x - sin(2.0 * PI * x) / (2.0 * PI));
}

static void rigid_crank_drives_its_slider_by_a_rod_in_path_full(void)
{
  char text[4096];
  mw_fixture f;
  mw_run full = { 0 };
  mw_error err = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  snprintf(
      text, sizeof text, crank_text,
      "{ rigid: { mass: 0.2, com: [0.07, 0, 0], inertia: [1e-4, 1e-3, 1e-3, 0, 0, 0] }, frames: "
      "{ o: { point: [0, 0, 0] }, a: { point: [0.15, 0, 0] } } }");
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  opt.step = f.model.scenario[0].step;
  if (MW_OKAY(mw_dae_run(&f.mech, &f.model.scenario[0], "full", &opt, NULL, &full, &err)))
    for (int k = 0; k < full.n_t; k++)
      // what Newton's iteration leaves open, times the largest slope of x over a gap (less than
      // two)
      MW_WITHIN(full.y[3 * full.n_out * k], slider_at(crank_at(full.t[k])), 1e-9,
                "what Newton's method may leave");
  mw_run_free(&full);
  mw_fixture_free(&f);
}

static void reduced_crank_with_a_rod_follows_the_full_one(void)
{
  char text[4096];
  mw_fixture f;
  mw_run full = { 0 };
  snprintf(
      text, sizeof text, crank_text,
      "{ beams: { points: { o: [0, 0, 0], a: [0.15, 0, 0] }, members: [ { from: o, to: a, "
      "section: bar, material: steel, elements: 6 } ] }, frames: { o: { node: o }, a: { node: a } "
      "} }");
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  double gap = reduced_against_full(&f, &full), bend = 0.0;
  for (int k = 0; k < full.n_t; k++)
    bend = fmax(bend, fabs(full.y[3 * full.n_out * k] - slider_at(crank_at(full.t[k]))));
  printf("slider, full against reduced: %.2e m, it deflects by up to %.2e m\n", gap, bend);
  // four modes and the patterns; steps of 1e-4 s by two integrators
  MW_CHECK(bend > 1e-4 && gap < 5e-3 * bend);
  mw_run_free(&full);
  mw_fixture_free(&f);
}

// ---- a joint of primitives: the pin of a crank in the slot of a yoke ----------------------------

static const double THROW = 0.15;

static const char *const yoke_text =
    "modeway: 1\n"
    "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
    "sections: { bar: { rectangle: { width: 0.006, height: 0.012 } } }\n"
    "bodies:\n"
    "  crank: %s\n"
    "  yoke: { at: [0.15, 0, 0], rigid: { mass: 4, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }\n"
    "joints:\n"
    "  hub: { revolute: { a: ground, b: crank.o, axis: [0, 0, 1] }, coordinate: phi, drive: motor "
    "}\n"
    "  slot: { primitives: { a: yoke, b: crank.a, hold: [x] } }\n"
    "  rail: { prismatic: { a: ground, b: yoke, axis: [1, 0, 0] } }\n"
    "outputs: { yoke: { body: yoke } }\n"
    "reduction:\n"
    "  coordinates: { phi: { range: [0.3, 2.8], points: 13, max_rate: 25, max_acceleration: 400 } "
    "}\n"
    "  modes: { count: 4 }\n"
    "  certificate: { points: 3 }\n"
    "scenarios: { push: { duration: 0.25, step: 1e-4, store: 1e-3, start: { phi: 0.5 }, drives: { "
    "motor: { position: { cycloid: { from: 0.5, to: 2.5, end: 0.2 } } } } } }\n";

static double yoke_at(double t)
{
  double x = fmin(t / 0.2, 1.0);
  return THROW * cos(0.5 + 2.0 * (x - sin(2.0 * PI * x) / (2.0 * PI)));
}

static void a_pin_in_a_slot_pushes_its_yoke_by_the_cosine(void)
{
  char text[4096];
  mw_fixture f;
  mw_run full = { 0 }, rigid = { 0 };
  mw_error err = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  snprintf(text, sizeof text, yoke_text,
           "{ rigid: { mass: 0.2, com: [0.07, 0, 0], inertia: [1e-4, 1e-3, 1e-3, 0, 0, 0] }, "
           "frames: { o: { point: [0, 0, 0] }, a: { point: [0.15, 0, 0] } } }");
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  opt.step = f.model.scenario[0].step;
  if (MW_OKAY(mw_dae_run(&f.mech, &f.model.scenario[0], "full", &opt, NULL, &full, &err)) &&
      MW_OKAY(mw_rigid_run(&f.mech, &f.model.scenario[0], NULL, NULL, &rigid, &err)))
    for (int k = 0; k < full.n_t; k++) {
      // what Newton's iteration and the projection leave open, times the slope of x over it
      MW_WITHIN(full.y[3 * k], yoke_at(full.t[k]), 1e-9, "what Newton's method may leave");
      MW_WITHIN(rigid.y[3 * k], yoke_at(rigid.t[k]), 1e-9, "what the projection may leave");
    }
  mw_run_free(&rigid);
  mw_run_free(&full);
  mw_fixture_free(&f);
}

static void a_reduced_pin_in_a_slot_follows_the_full_one(void)
{
  char text[4096];
  mw_fixture f;
  mw_run full = { 0 };
  snprintf(
      text, sizeof text, yoke_text,
      "{ beams: { points: { o: [0, 0, 0], a: [0.15, 0, 0] }, members: [ { from: o, to: a, "
      "section: bar, material: steel, elements: 6 } ] }, frames: { o: { node: o }, a: { node: a } "
      "} }");
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  double gap = reduced_against_full(&f, &full), bend = 0.0;
  for (int k = 0; k < full.n_t; k++) bend = fmax(bend, fabs(full.y[3 * k] - yoke_at(full.t[k])));
  printf("yoke, full against reduced: %.2e m, it deflects by up to %.2e m\n", gap, bend);
  // four modes and the patterns; steps of 1e-4 s by two integrators
  MW_CHECK(bend > 1e-4 && gap < 5e-3 * bend);
  mw_run_free(&full);
  mw_fixture_free(&f);
}

// The rows of a revolute joint, by their words, are those of a revolute joint.
static void primitives_of_a_hinge_are_a_hinge(void)
{
  static const char *const hinge[] = {
    "revolute: { a: ground, b: arm.o, axis: [0, 0, 1] }",
    "primitives: { a: ground, b: arm.o, hold: [x, y, z, zx, zy] }, measure: angle"
  };
  double hz[2][4];
  for (int k = 0; k < 2; k++) {
    char text[2048];
    mw_fixture f;
    mw_error err = { 0 };
    mw_arena mem = { 0 };
    double *found = NULL, *shape = NULL, phi = 0.7;
    snprintf(text, sizeof text,
             "modeway: 1\n"
             "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
             "sections: { bar: { rectangle: { width: 0.02, height: 0.03 } } }\n"
             "bodies: { arm: { beams: { points: { o: [0, 0, 0], e: [1, 0, 0] }, members: [ { from: "
             "o, to: e, section: bar, material: steel, elements: 6 } ] }, frames: { o: { node: o } "
             "} } }\n"
             "joints: { hinge: { %s, coordinate: phi, drive: motor } }\n"
             "reduction: { coordinates: { phi: { range: [-1, 1] } }, modes: { count: 4 } }\n",
             hinge[k]);
    if (!MW_CHECK(mw_fixture_text(text, &f))) return;
    if (MW_OKAY(mw_direct_modes(&f.mech, &phi, 4, 0, &mem, &found, &shape, NULL, &err)))
      memcpy(hz[k], found, sizeof hz[k]);
    mw_arena_free(&mem);
    mw_fixture_free(&f);
  }
  // eigenvalues to 1e-12 of the largest of four, a hundred times the least
  for (int i = 0; i < 4; i++)
    MW_WITHIN(hz[1][i] / hz[0][i], 1.0, 1e-10, "what the eigensolver may leave of the least");
}

// ---- a point on a curve -------------------------------------------------------------------------

// A slider on rails guides the tip of an elastic arm along a curve in its own plane; %s: the joint.
static const char *const cam_text =
    "modeway: 1\n"
    "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
    "sections: { bar: { rectangle: { width: 0.02, height: 0.01 } } }\n"
    "bodies:\n"
    "  arm: %s\n"
    "  cam: { at: [0.3, 0, 0], rigid: { mass: 2, inertia: [0.01, 0.01, 0.01, 0, 0, 0] }, frames: { "
    "c: { point: [0, 0, 0] } } }\n"
    "joints:\n"
    "  hub: { revolute: { a: ground, b: arm.o, axis: [0, 0, 1] }, coordinate: phi, drive: motor "
    "}\n"
    "  pin: { %s }\n"
    "  rail: { prismatic: { a: ground, b: cam, axis: [1, 0, 0] }, coordinate: x }\n"
    "outputs: { cam: { body: cam }, tip: { frame: arm.a } }\n"
    "reduction:\n"
    "  coordinates: { phi: { range: [-0.7, 0.7], points: 13, max_rate: 20, max_acceleration: 600 } "
    "}\n"
    "  modes: { count: 4 }\n"
    "  certificate: { points: 3 }\n"
    "scenarios: { push: { duration: 0.15, step: 1e-4, store: 1e-3, start: { phi: -0.5 }, drives: { "
    "motor: { position: { cycloid: { from: -0.5, to: 0.5, end: 0.12 } } } } } }\n";

static const char *const rigid_arm =
    "{ rigid: { mass: 0.2, com: [0.15, 0, 0], inertia: [1e-4, 1e-3, 1e-3, 0, 0, 0] }, frames: { o: "
    "{ point: [0, 0, 0] }, a: { point: [0.3, 0, 0] } } }";
static const char *const elastic_arm =
    "{ beams: { points: { o: [0, 0, 0], a: [0.3, 0, 0] }, members: [ { from: o, to: a, section: "
    "bar, material: steel, elements: 6 } ] }, frames: { o: { node: o }, a: { node: a } } }";

static bool open_cam(const char *arm, const char *joint, mw_fixture *f)
{
  char text[4096];
  snprintf(text, sizeof text, cam_text, arm, joint);
  return MW_CHECK(mw_fixture_text(text, f));
}

#define STRAIGHT "curve: { a: cam.c, b: arm.a, points: [[0, -0.3, 0], [0, 0.1, 0], [0, 0.3, 0]] }"
#define SLOT     "primitives: { a: cam.c, b: arm.a, hold: [x, z] }"
#define CURVED                                                                                     \
  "curve: { a: cam.c, b: arm.a, points: [[0.06, -0.3, 0], [0.015, -0.15, 0], [0, 0, 0], [0.02, "   \
  "0.15, 0], [0.07, 0.3, 0]] }"

// A straight curve is the slot of a joint of primitives.
static void a_straight_curve_is_a_slot(void)
{
  static const char *const joint[] = { STRAIGHT, SLOT, STRAIGHT ", coordinate: s" };
  mw_run run[3] = { 0 };
  for (int k = 0; k < 3; k++) {
    mw_fixture f;
    mw_error err = { 0 };
    mw_dae_opt opt = mw_dae_opt_default();
    if (!open_cam(elastic_arm, joint[k], &f)) return;
    opt.step = f.model.scenario[0].step;
    MW_OKAY(mw_dae_run(&f.mech, &f.model.scenario[0], "full", &opt, NULL, &run[k], &err));
    // where the pin is on its curve, from its beginning: chords are the line's length
    for (int t = 0; k == 2 && t < run[k].n_t; t++) {
      const double *y = run[k].y + 6 * t, *s = run[k].s + 3 * t;
      MW_WITHIN(s[1], y[4] + 0.3, 1e-9, "what Newton's method may leave");
    }
    run[k].model = NULL;
    mw_fixture_free(&f);
  }
  // what Newton's iteration leaves open, twice
  for (int k = 0; k < 3; k += 2) MW_CHECK(largest_gap(&run[1], &run[k]) < 1e-8);
  for (int k = 0; k < 3; k++) mw_run_free(&run[k]);
}

// Rows of their own for rigid and for elastic bodies.
static void a_rigid_arm_follows_its_curve_alike_in_both_paths(void)
{
  mw_fixture f;
  mw_run full = { 0 }, rigid = { 0 };
  mw_error err = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  if (!open_cam(rigid_arm, CURVED ", coordinate: s", &f)) return;
  opt.step = f.model.scenario[0].step;
  if (MW_OKAY(mw_dae_run(&f.mech, &f.model.scenario[0], "full", &opt, NULL, &full, &err)) &&
      MW_OKAY(mw_rigid_run(&f.mech, &f.model.scenario[0], NULL, NULL, &rigid, &err))) {
    MW_CHECK(largest_gap(&full, &rigid) < 1e-9);
    for (int t = 0; t < full.n_t; t++)
      MW_WITHIN(full.s[3 * t + 1], rigid.s[3 * t + 1], 1e-9, "what Newton's method may leave");
  }
  mw_run_free(&rigid);
  mw_run_free(&full);
  mw_fixture_free(&f);
}

static void a_reduced_arm_on_a_curve_follows_the_full_one(void)
{
  mw_fixture f;
  mw_run full = { 0 }, rigid = { 0 };
  mw_error err = { 0 };
  if (!open_cam(elastic_arm, CURVED ", coordinate: s", &f)) return;
  double gap = reduced_against_full(&f, &full), bend = 0.0;
  if (MW_OKAY(mw_rigid_run(&f.mech, &f.model.scenario[0], NULL, NULL, &rigid, &err)))
    bend = largest_gap(&full, &rigid);
  printf("curve, full against reduced: %.2e m, it deflects by up to %.2e m\n", gap, bend);
  // four modes and the patterns; steps of 1e-4 s by two integrators
  MW_CHECK(bend > 1e-4 && gap < 5e-3 * bend);
  mw_run_free(&rigid);
  mw_run_free(&full);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "stage_swings_on_what_its_screw_gives_way", stage_swings_on_what_its_screw_gives_way },
    { "reduced_stage_follows_the_full_one", reduced_stage_follows_the_full_one },
    { "beam_on_a_rod_swings_as_on_a_support", beam_on_a_rod_swings_as_on_a_support },
    { "rigid_crank_drives_its_slider_by_a_rod_in_path_full",
      rigid_crank_drives_its_slider_by_a_rod_in_path_full },
    { "reduced_crank_with_a_rod_follows_the_full_one",
      reduced_crank_with_a_rod_follows_the_full_one },
    { "a_pin_in_a_slot_pushes_its_yoke_by_the_cosine",
      a_pin_in_a_slot_pushes_its_yoke_by_the_cosine },
    { "a_reduced_pin_in_a_slot_follows_the_full_one",
      a_reduced_pin_in_a_slot_follows_the_full_one },
    { "primitives_of_a_hinge_are_a_hinge", primitives_of_a_hinge_are_a_hinge },
    { "a_straight_curve_is_a_slot", a_straight_curve_is_a_slot },
    { "a_rigid_arm_follows_its_curve_alike_in_both_paths",
      a_rigid_arm_follows_its_curve_alike_in_both_paths },
    { "a_reduced_arm_on_a_curve_follows_the_full_one",
      a_reduced_arm_on_a_curve_follows_the_full_one },
  };
  return mw_test_run("own_rows", cases, (int)(sizeof cases / sizeof *cases));
}
