// SPDX-License-Identifier: BSD-3-Clause
// test_large.c: amplitudes at which what the reduced model leaves out reaches the tolerance: beams
// between fixed ends, where stretching has a closed form, and beams that may draw in.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"

static const double LENGTH = 1.0, HEIGHT = 0.01, E = 2.1e11, RHO = 7850.0;

// A beam of 16 elements along x, thin along z, under a carriage too light to bend it; supports: of
// its ends
static bool strip(const char *supports, const char *gravity, mw_fixture *f)
{
  static const char format[] =
      "modeway: 1\n"
      "gravity: %s\n"
      "materials: { st: { E: 2.1e11, nu: 0.3, rho: 7850 } }\n"
      "sections: { s: { rectangle: { width: 0.03, height: 0.01 } } }\n"
      "bodies:\n"
      "  beam:\n"
      "    ground: true\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], b: [1, 0, 0] }\n"
      "      members: [{ from: a, to: b, section: s, material: st, elements: 16 }]\n"
      "    supports: [%s]\n"
      "    guides: { g: { from: a, to: b } }\n"
      "  car: { at: [0.5, 0, 0], rigid: { mass: 1e-5, inertia: [1e-9, 1e-9, 1e-9, 0, 0, 0] } }\n"
      "joints: { x: { slide: { guide: beam.g, on: car, orientation: fixed }, drive: m } }\n"
      "outputs: { car: { body: car } }\n"
      "reduction:\n"
      "  coordinates: { x: { range: [0.3, 0.7], points: 9 } }\n"
      "  modes: { count: 3 }\n"
      "  certificate: { points: 4, samples: 24 }\n";
  char text[2048];
  snprintf(text, sizeof text, format, gravity, supports);
  return mw_fixture_text(text, f);
}

static const char NO_WEIGHT[] = "[0, 0, 0]";

// The amplitude of a sine between pinned ends: a share A w²/4I of the force is stretching's
// (Woinowsky-Krieger 1950).
static void a_pinned_beam_stretches_as_its_closed_form(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(strip("{ nodes: a, dofs: [x, y, z, rx] }, { nodes: b, dofs: [x, y, z, rx] }",
                      NO_WEIGHT, &f)))
    return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) && MW_CHECK(rom.stretch.amplitude)) {
    double inertia = HEIGHT * HEIGHT / 12.0;  // I/A
    double w = 2.0 * sqrt(rom.certificate.tolerance * inertia);
    // shear bends by π² E I / (k G A L²) = 2.6 (h/L)² = 2.6e-4 more; the deflection is that at one
    // of 17 nodes: at the middle
    MW_NEAR(rom.stretch.deflection[0] / w, 1.0, 1e-3);
    MW_CHECK(strcmp(rom.stretch.body[0], "beam") == 0);
    // of Duffing's oscillator the frequency changes by 3/8 of the share of the force: 3/32 A w²/I;
    // that members turn adds some h²/l²
    MW_CHECK(rom.swing.n > 0 && strcmp(rom.swing.body[0], "beam") == 0);
    MW_NEAR(rom.swing.shift[0] / (rom.swing.deflection[0] * rom.swing.deflection[0]) * 32.0 / 3.0 *
                inertia,
            1.0, 2e-3);
    MW_CHECK(rom.certificate.stretch_error == 0.0 && rom.certificate.stretch_load == NULL);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// One end slides: it draws in, and only what is of third order is left.
static void a_beam_that_may_draw_in_does_not_stretch(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(
          strip("{ nodes: a, dofs: [x, y, z, rx] }, { nodes: b, dofs: [y, z] }", NO_WEIGHT, &f)))
    return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) && MW_CHECK(rom.stretch.amplitude)) {
    for (int a = 0; a < rom.n_modes; a++) MW_CHECK(isinf(rom.stretch.amplitude[a]));
    // w/l with (w/l)² 2.7 the tolerance
    double bend = sqrt(rom.certificate.tolerance / 2.7) * LENGTH;
    MW_NEAR(rom.bend.deflection[0], bend, 8.0 * DBL_EPSILON * bend);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A rigid link on a soft hinge: m l²/(m l² + J) of its kinetic energy is its centre's, l from the
// hinge.
static void a_link_on_a_soft_hinge_tilts(void)
{
  static const char text[] =
      "modeway: 1\n"
      "materials: { st: { E: 2.1e11, nu: 0.3, rho: 7850 } }\n"
      "sections: { s: { rectangle: { width: 0.03, height: 0.03 } } }\n"
      "bodies:\n"
      "  post:\n"
      "    ground: true\n"
      "    beams:\n"
      "      points: { a: [2, 0, 0], b: [2, 0.1, 0] }\n"
      "      members: [{ from: a, to: b, section: s, material: st, elements: 6 }]\n"
      "    supports: [{ nodes: a }]\n"
      "  hub: { rigid: { mass: 5, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  link: { rigid: { mass: 2, com: [0, 0.3, 0], inertia: [0.06, 0.06, 0.06, 0, 0, 0] } }\n"
      "joints:\n"
      "  x: { prismatic: { a: ground, b: hub, axis: [1, 0, 0] }, coordinate: x, drive: m }\n"
      "  h: { revolute: { a: hub, b: link, axis: [0, 0, 1] }, coordinate: psi }\n"
      "springs: { s: { a: hub, b: link, stiffness: [0, 0, 0, 0, 0, 50] } }\n"
      "outputs: { link: { body: link } }\n"
      "reduction: { coordinates: { x: { range: [0, 1], points: 5 } }, modes: { count: 1 },\n"
      "             certificate: { points: 4, samples: 24 } }\n";
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) && MW_CHECK(rom.bend.amplitude)) {
    double l = 0.3, share = 2.0 * l * l / (2.0 * l * l + 0.06);
    MW_CHECK(strcmp(rom.bend.body[0], "link") == 0);
    // the column is the swing alone, but for rounding of its eigenvector of some 50 unknowns
    double want = l * sqrt(rom.certificate.tolerance / (1.3 * share));
    MW_NEAR(rom.bend.deflection[0], want, mw_test_rounding(50.0, want));
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A rotor out of balance in a housing that may roll: the motor's moment J a against 40 N m/rad,
// twice as far where it jumps.
static void what_rates_load_turns_with_a_rolling_housing(void)
{
  static const char text[] =
      "modeway: 1\n"
      "bodies:\n"
      "  house: { rigid: { mass: 4, inertia: [0.05, 0.06, 0.06, 0, 0, 0] },\n"
      "           frames: { l: { point: [-0.2, 0, 0] }, r: { point: [0.3, 0, 0] } } }\n"
      "  rotor: { rigid: { mass: 6, com: [0.05, 0, 0.001], inertia: [0.04, 0.05, 0.05, 0, 0, 0] "
      "},\n"
      "           frames: { n: { point: [0.4, 0, 0] } } }\n"
      "  gl: { ground: true, at: [-0.2, 0, 0] }\n"
      "  gr: { ground: true, at: [0.3, 0, 0] }\n"
      "joints: { spin: { revolute: { a: house, b: rotor, axis: [1, 0, 0] }, coordinate: phi, "
      "drive: m } }\n"
      "springs:\n"
      "  bl: { a: gl, b: house.l, stiffness: [4e4, 3e4, 4e4, 40, 0, 0] }\n"
      "  br: { a: gr, b: house.r, stiffness: [0, 2e4, 3e4] }\n"
      "outputs: { nose: { frame: rotor.n } }\n"
      "reduction:\n"
      "  coordinates: { phi: { range: [-3.141592653589793, 3.141592653589793], cyclic: true, "
      "points: 9,\n"
      "                        max_rate: 210, max_acceleration: 500 } }\n"
      "  certificate: { points: 4, samples: 24 }\n";
  const double J = 0.04 + 6.0 * 1e-6, phi = 2.0 * J * 500.0 / 40.0;
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    const mw_certificate *c = &rom.certificate;
    if (MW_CHECK(c->third_load && c->third_body)) {
      MW_CHECK(strstr(c->third_load, "acceleration of phi") != NULL);
      // both turn by the same angle
      MW_CHECK(strcmp(c->third_body, "house") == 0 || strcmp(c->third_body, "rotor") == 0);
      // columns are exact but for the spline between the table's points of a turn, h⁴/384 of what
      // turns
      double h = 2.0 * acos(-1.0) / rom.rom.n_grid[0];
      MW_NEAR(c->third_deflection, phi, pow(h, 4.0) / 384.0 * phi);
      // by half of φ³/6 of what rates deflect the nose by, most of what it deflects
      MW_CHECK(c->third_error <= phi * phi * phi / 12.0 * 1.003);
      MW_CHECK(c->third_error >= 0.5 * phi * phi * phi / 12.0);
    }
    MW_CHECK(!mw_certificate_met(c));
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// Between clamped ends under its weight: w = 16 W ξ²(1 − ξ)², W = q l⁴/384 E I; stretching takes,
// with ∫w'² = 512/105 W²/l and ∫w''² = 1024/5 W²/l³, the share A/2I (512/105)² / (1024/5) W² =
// 0.6966 (W/h)².
static void weight_between_clamped_ends(double g, bool met)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  char gravity[64];
  snprintf(gravity, sizeof gravity, "[0, 0, %g]", -g);
  if (!MW_CHECK(strip("{ nodes: a }, { nodes: b }", gravity, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    double I = HEIGHT * HEIGHT / 12.0, W = RHO * g * pow(LENGTH, 4) / (384.0 * E * I);
    double share = pow(512.0 / 105.0, 2) / (1024.0 / 5.0) / (2.0 * I) * W * W;
    // shear adds 384/(8·5/6·G/E)·(h/l)²/12 = 1.2e-3 of W: twice that of the share
    MW_NEAR(rom.certificate.stretch_error / share, 1.0, 5e-3);
    MW_CHECK(rom.certificate.stretch_load && strcmp(rom.certificate.stretch_load, "gravity") == 0);
    MW_CHECK(mw_certificate_met(&rom.certificate) == met);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void weight_that_stretches_misses_the_certificate(void)
{
  weight_between_clamped_ends(9.81, true);   // W/h = 0.0115
  weight_between_clamped_ends(98.1, false);  // 0.115
}

// A pendulum: m g l (1 − cos φ) = ½ m g l φ² (1 − φ²/12), a frequency that falls by φ²/16. The
// spring is there for the machine without weight, a hundredth of it: by its law, linear in φ or in
// sin φ, it takes a hundredth of that or adds four.
static void a_pendulum_swings_slower_the_further(void)
{
  static const char text[] =
      "modeway: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "materials: { st: { E: 2.1e11, nu: 0.3, rho: 7850 } }\n"
      "sections: { s: { rectangle: { width: 0.03, height: 0.03 } } }\n"
      "bodies:\n"
      "  post:\n"
      "    ground: true\n"
      "    beams:\n"
      "      points: { a: [2, 0, 0], b: [2, 0.1, 0] }\n"
      "      members: [{ from: a, to: b, section: s, material: st, elements: 6 }]\n"
      "    supports: [{ nodes: a }]\n"
      "  hub: { rigid: { mass: 5, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  bob: { rigid: { mass: 2, com: [0, 0, -0.5], inertia: [0.03, 0.03, 0.03, 0, 0, 0] },\n"
      "         frames: { tip: { point: [0, 0, -0.5] } } }\n"
      "joints:\n"
      "  x: { prismatic: { a: ground, b: hub, axis: [1, 0, 0] }, coordinate: x, drive: m }\n"
      "  h: { revolute: { a: hub, b: bob, axis: [0, 1, 0] }, coordinate: psi }\n"
      "springs: { s: { a: hub, b: bob, stiffness: [0, 0, 0, 0, 0.0981, 0] } }\n"
      "drives: { push: { force: { on: bob.tip, direction: [1, 0, 0] } } }\n"
      "outputs: { tip: { frame: bob.tip } }\n"
      "reduction:\n"
      "  coordinates: { x: { range: [0, 1], points: 5 } }\n"
      "  certificate: { points: 4, samples: 24 }\n"
      "  inputs: { push: %g }\n"
      "  modes: { count: 1 }\n";
  for (int hard = 0; hard < 2; hard++) {
    mw_fixture f;
    mw_rom_file rom = { 0 };
    mw_error err = { 0 };
    char model[2048], note[256];
    double push = hard ? 2.5 : 0.5,
           phi = push / (9.81 * 1.01);  // rad, twice what it is at rest
    snprintf(model, sizeof model, text, push);
    if (!MW_CHECK(mw_fixture_text(model, &f))) return;
    if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) && MW_CHECK(rom.swing.n == 1)) {
      const mw_certificate *c = &rom.certificate;
      double y = rom.swing.output[0];
      MW_NEAR(rom.swing.shift[0] / (y * y) * -4.0, 1.0, 5e-2);  // y = φ/2
      MW_NEAR(c->third_shift / (-phi * phi / 16.0), 1.0, 5e-2);
      MW_CHECK(c->third_error >= fabs(c->third_shift) && c->third_error < 1.5 * phi * phi / 12.0);
      // statics of some 50 unknowns
      MW_NEAR(c->third_deflection / (0.5 * phi), 1.0, mw_test_rounding(50.0, 1.0));
      MW_CHECK(strcmp(c->third_load, "the largest input push") == 0 &&
               strcmp(c->third_body, "bob") == 0);
      MW_CHECK(c->undeclared && strcmp(c->undeclared, "rate of x, acceleration of x") == 0);
      MW_CHECK(mw_certificate_met(c) == !hard);
      mw_certificate_advice(&rom, note, sizeof note);
      MW_CHECK(hard == (strstr(note, "declared ranges") != NULL));
    }
    mw_rom_file_free(&rom);
    mw_fixture_free(&f);
  }
}

// A dead force P at the tip of a weightless cantilever, α = P L²/EI: EI θ'' = −P cos θ, θ(0) =
// θ'(L) = 0, gives
//   w/L = α/3 − 4/105 α³ + …
// of which the model has the first term: it errs by 108/105 (w/L)² of w. The force is a weight's,
// an acceleration's, or what a rate throws outwards, twenty lengths from the axis.
typedef struct pushed {
  const char *joint, *axis;
  double offset, gravity;         // m, of the arm from the axis; m/s²
  double max_rate, acceleration;  // rad/s; m/s²
  const char *load;
  bool moves;  // a scenario moves the drive so; nothing is declared
} pushed;

// What bounds the coordinate in the model file: its ranges, or a scenario of that rate, or of that
// largest acceleration: 2π b/T² of a cycloid over b in T.
static void bounds(const pushed *z, char limits[128], char scenario[256])
{
  const double from = -0.4, to = 0.4, v = z->max_rate,
               T = v > 0.0 ? (to - from) / v
                           : sqrt(2.0 * acos(-1.0) * (to - from) / z->acceleration);
  limits[0] = scenario[0] = '\0';
  if (z->moves && v > 0.0)
    snprintf(scenario, 256,
             "scenarios:\n  go: { duration: %.17g, step: 1e-3, start: { q: { at: %g, velocity: "
             "%.17g } }, drives: { m: { position: { ramp: { from: %g, velocity: %.17g } } } } }\n",
             T, from, v, from, v);
  else if (z->moves)
    snprintf(scenario, 256,
             "scenarios:\n  go: { duration: %.17g, step: 1e-3, start: { q: %g }, drives: { m: { "
             "position: { cycloid: { from: %g, to: %g, end: %.17g } } } } }\n",
             T, from, from, to, T);
  else if (v > 0.0)
    snprintf(limits, 128, ", max_rate: %.17g", v);
  else if (z->acceleration > 0.0)
    snprintf(limits, 128, ", max_acceleration: %.17g", z->acceleration);
}

static void arm_that_stays_bent(const pushed *z)
{
  static const char format[] =
      "modeway: 1\n"
      "gravity: [0, 0, %.17g]\n"
      "materials: { st: { E: 2.1e11, nu: 0.3, rho: 1, unusual: true } }\n"
      "sections: { s: { rectangle: { width: 0.01, height: 0.01 } } }\n"
      "bodies:\n"
      "  sled: { rigid: { mass: 5, inertia: [1, 1, 1, 0, 0, 0] }, frames: { e: { point: [0, 0, "
      "%g] } } }\n"
      "  arm:\n"
      "    at: [0, 0, %g]\n"
      "    beams:\n"
      "      points: { root: [0, 0, 0], tip: [1, 0, 0] }\n"
      "      members: [{ from: root, to: tip, section: s, material: st, elements: 16 }]\n"
      "    frames: { root: { node: root }, tip: { node: tip, mass: 4 } }\n"
      "joints:\n"
      "  move: { %s: { a: ground, b: sled, axis: [%s] }, coordinate: q, drive: m }\n"
      "  hold: { fixed: { a: sled.e, b: arm.root } }\n"
      "outputs: { tip: { frame: arm.tip } }\n"
      "reduction:\n"
      "  coordinates: { q: { range: [-0.5, 0.5], points: 5%s } }\n"
      "  modes: { count: 3 }\n"
      "  certificate: { points: 4, samples: 24 }\n"
      "%s";
  char text[2048], limits[128], scenario[256];
  bounds(z, limits, scenario);
  snprintf(text, sizeof text, format, -z->gravity, z->offset, z->offset, z->joint, z->axis, limits,
           scenario);
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    const mw_certificate *c = &rom.certificate;
    const double w = 0.04, error = 108.0 / 105.0 * w * w;
    // shear bends by 3 E I/(5/6 G A L²) = 2.6e-4 more; the beam's own mass is 1/40000; what is
    // thrown outwards grows by w/20 of it
    MW_NEAR(c->third_deflection / w, 1.0, 2e-3 + w / 20.0);
    // along one shape, which the beam leaves where that takes less: an eighth of the error. Small
    // swings about what a weight bends change their frequency by more
    MW_CHECK(2.0 * c->third_error > 0.98 * error &&
             (z->gravity > 0.0 || 2.0 * c->third_error < 1.2 * error));
    MW_CHECK(c->third_load && strcmp(c->third_load, z->load) == 0);
    MW_CHECK(z->gravity > 0.0 || c->third_hz < 0.0);
    MW_CHECK(c->third_body && strcmp(c->third_body, "arm") == 0);
    MW_CHECK((c->third_taken != NULL) == z->moves);
    MW_CHECK(!z->moves || strstr(c->third_taken, z->max_rate > 0.0 ? "rate of q" : "acceleration"));
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void what_stays_bent_errs_as_its_elastica(void)
{
  const double a = 3.0 * E * 1e-8 / 12.0 * 0.04 / 4.0;  // m/s²
  const pushed all[] = {
    { "prismatic", "0, 1, 0", 0.0, a, 0.0, 0.0, "gravity", false },
    { "prismatic", "0, 0, 1", 0.0, 0.0, 0.0, a, "the largest accelerations", false },
    { "revolute", "1, 0, 0", 20.0, 0.0, sqrt(a / 20.0), 0.0, "the largest rates", false },
    { "prismatic", "0, 0, 1", 0.0, 0.0, 0.0, a, "the largest rates and the largest accelerations",
      true },
    { "revolute", "1, 0, 0", 20.0, 0.0, sqrt(a / 20.0), 0.0, "the largest rates", true },
  };
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) arm_that_stays_bent(&all[k]);
}

// A link with a mass m at its end, hinged with a spring at the distance a from the axis of a hub J
// that turns freely, linear in the relative angle ψ. Without momentum the hub turns back:
//   T = ½ (m l² − B²/A) ψ'² ,  B = m (l² + a l cos ψ) ,  A = J + m (a² + l² + 2 a l cos ψ) ,
//       V = ½ k ψ²
// The model knows all of it to second order but −½ m a l ψ² of B, so that with M = m l² − B0²/A0 it
// does not know
//   ω(ψ)/ω − 1 = −¼ B0/A0 m a l/M ψ² ,
// much where the hub is light. The link's own moment of inertia i turns with both.
static void free_hub(double J)
{
  static const char text[] =
      "modeway: 1\n"
      "materials: { st: { E: 2.1e11, nu: 0.3, rho: 7850 } }\n"
      "sections: { s: { rectangle: { width: 0.03, height: 0.03 } } }\n"
      "bodies:\n"
      "  post:\n"
      "    ground: true\n"
      "    beams:\n"
      "      points: { a: [2, 0, 0], b: [2, 0.1, 0] }\n"
      "      members: [{ from: a, to: b, section: s, material: st, elements: 6 }]\n"
      "    supports: [{ nodes: a }]\n"
      "  hub: { rigid: { mass: 1, inertia: [%.17g, %.17g, %.17g, 0, 0, 0] },\n"
      "         frames: { e: { point: [0.3, 0, 0] } } }\n"
      "  link: { at: [0.3, 0, 0], rigid: { mass: 0.5, com: [0.4, 0, 0], inertia: [1e-4, 1e-4, "
      "1e-4, 0, 0, 0] },\n"
      "          frames: { tip: { point: [0.4, 0, 0] } } }\n"
      "joints:\n"
      "  x: { revolute: { a: ground, b: hub, axis: [0, 0, 1] }, coordinate: phi }\n"
      "  h: { revolute: { a: hub.e, b: link, axis: [0, 0, 1] }, coordinate: psi }\n"
      "springs: { s: { a: hub.e, b: link, stiffness: [0, 0, 0, 0, 0, 20] } }\n"
      "drives: { push: { force: { on: link.tip, direction: [0, 1, 0] } } }\n"
      "outputs: { tip: { frame: link.tip } }\n"
      "reduction:\n"
      "  coordinates: { phi: { range: [-3, 3], points: 17, max_rate: 1, max_acceleration: 1 } }\n"
      "  certificate: { points: 4, samples: 24 }\n"
      "  inputs: { push: 0.5 }\n"
      "  modes: { count: 1 }\n";
  const double m = 0.5, i = 1e-4, a = 0.3, l = 0.4, B = m * (l * l + a * l) + i,
               A = J + m * (a + l) * (a + l) + i, M = m * l * l + i - B * B / A;
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  char model[2048];
  snprintf(model, sizeof model, text, J, J, J);
  if (!MW_CHECK(mw_fixture_text(model, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) && MW_CHECK(rom.swing.n == 1)) {
    const mw_swings *z = &rom.swing;
    double psi = z->bends[0] / l;  // rad, for an amplitude of 1
    // rounding of an eigenproblem of some 50 unknowns, in which M is what two large masses leave
    double left = (m * l * l + i) / M, tol = mw_test_rounding(50.0, left);
    MW_CHECK(!(rom.rom.parts & MW_ROM_THIRD));
    MW_NEAR(z->omega[0] / sqrt(20.0 / M), 1.0, tol);
    MW_NEAR(psi * psi * M, 1.0, tol);  // M-orthonormal
    MW_WITHIN(z->shift[0] / (psi * psi) / (-0.25 * B / A * m * a * l / M), 1.0, 1e8 * DBL_EPSILON,
              "worst of solves, by the post's stiffness over the spring's");
    MW_NEAR(z->output[0], psi * fabs(l - (a + l) * B / A), tol * z->bends[0]);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void free_hubs_swing_along(void)
{
  free_hub(5e-3);
  free_hub(0.1);
}

// The first mode of a clamped bar of length 1 that does not stretch, w(1) = 1, ψ = w': curve x = hw
// − h³/6 ∫ψ³, drawn in by ½h²∫ψ². *shift: of its frequency, over the square of the tip's
// displacement, by the mass's −e2/4; *third: of the tip's displacement.
static void bar_that_swings(double *shift, double *third)
{
  enum { N = 20000 };
  const double b = 1.8751040687119612, sigma = (cosh(b) + cos(b)) / (sinh(b) + sin(b));
  double in = 0.0, out = 0.0, sum = 0.0, mass = 0.0, before[3] = { 0.0 };
  for (int i = 0; i <= N; i++) {
    double x = b * i / N, w = 0.5 * (cosh(x) - cos(x) - sigma * (sinh(x) - sin(x))),
           psi = 0.5 * b * (sinh(x) + sin(x) - sigma * (cosh(x) - cos(x)));
    if (i > 0) {
      in += 0.5 / N * (psi * psi + before[0]);
      out += 0.5 / N * (psi * psi * psi + before[1]);
      double now = in * in - w * out, m = w * w;
      sum += 0.5 / N * (now + before[2]);
      mass += m / N;
      before[2] = now;
    }
    before[0] = psi * psi;
    before[1] = psi * psi * psi;
  }
  *shift = -0.25 * sum / mass;
  *third = out / 6.0;
}

// Cut into pieces that turn with it; one piece knows its own turn to first order alone.
static void a_bar_swings_faster_the_further(void)
{
  static const char text[] =
      "modeway: 1\n"
      "materials: { st: { E: 2.1e11, nu: 0.3, rho: 7850 } }\n"
      "sections: { s: { rectangle: { width: 0.03, height: 0.01 }, shear: false, rotary: false } }\n"
      "bodies:\n"
      "  hub: { rigid: { mass: 5, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  arm:\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], b: [0, 1, 0] }\n"
      "      members: [{ from: a, to: b, section: s, material: st, elements: 16 }]\n"
      "      divide: 8\n"
      "    frames: { a: { node: a }, b: { node: b } }\n"
      "joints:\n"
      "  x: { prismatic: { a: ground, b: hub, axis: [0, 0, 1] }, coordinate: x, drive: m }\n"
      "  w: { fixed: { a: hub, b: arm.a } }\n"
      "drives: { p: { force: { on: arm.b, direction: [0, 0, 1] } } }\n"
      "outputs: { tip: { frame: arm.b } }\n"
      "reduction: { coordinates: { x: { range: [0, 1], points: 5 } }, inputs: { p: 10 }, modes: { "
      "count: 2 } }\n";
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) && MW_CHECK(rom.swing.n > 0)) {
    double shift, third, y = rom.swing.output[0];
    bar_that_swings(&shift, &third);
    MW_NEAR(rom.swing.omega[0] / (1.8751040687119612 * 1.8751040687119612) /
                sqrt(E * HEIGHT * HEIGHT / 12.0 / RHO),
            1.0, 1e-4);
    // each of eight pieces knows its own turn, 1/8 of all, to first order: (1/8)² of what turns add
    MW_NEAR(rom.swing.shift[0] / (y * y) / shift, 1.0, 3.0 / 64.0);
    const mw_certificate *c = &rom.certificate;
    MW_CHECK(c->third_body && strncmp(c->third_body, "arm", 3) == 0);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case tests[] = {
    { "what_rates_load_turns_with_a_rolling_housing",
      what_rates_load_turns_with_a_rolling_housing },
    { "a_pinned_beam_stretches_as_its_closed_form", a_pinned_beam_stretches_as_its_closed_form },
    { "a_beam_that_may_draw_in_does_not_stretch", a_beam_that_may_draw_in_does_not_stretch },
    { "a_link_on_a_soft_hinge_tilts", a_link_on_a_soft_hinge_tilts },
    { "what_stays_bent_errs_as_its_elastica", what_stays_bent_errs_as_its_elastica },
    { "a_pendulum_swings_slower_the_further", a_pendulum_swings_slower_the_further },
    { "free_hubs_swing_along", free_hubs_swing_along },
    { "a_bar_swings_faster_the_further", a_bar_swings_faster_the_further },
    { "weight_that_stretches_misses_the_certificate",
      weight_that_stretches_misses_the_certificate },
  };
  return mw_test_run("large", tests, (int)(sizeof tests / sizeof *tests));
}
