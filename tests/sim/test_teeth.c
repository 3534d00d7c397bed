// SPDX-License-Identifier: BSD-3-Clause
// test_teeth.c: gear wheels and racks on elastic bodies against closed forms: what the force of the
// teeth bends, twists and pushes apart, frequencies of geared shafts, turns without number.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "sim/case.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

enum { TEXT = 4096 };

static double pi(void) { return acos(-1.0); }

// Full, rigid, body or reduced, of the first scenario.
static mw_code run(const mw_fixture *f, const char *path, const mw_rom_file *rom, mw_run *r,
                   mw_error *err)
{
  const mw_scenario *sc = &f->model.scenario[0];
  mw_dae_opt opt = mw_dae_opt_default();
  if (strcmp(path, "rigid") == 0) return mw_rigid_run(&f->mech, sc, NULL, NULL, r, err);
  if (rom) return mw_rom_run(&f->model, &f->mech, rom, sc, NULL, NULL, r, err);
  return mw_dae_run(&f->mech, sc, path, &opt, NULL, r, err);
}

// ---- two shafts ---------------------------------------------------------------------------------

// A shaft of L = 0.4 m between bearings behind a motor, a wheel of 20 teeth in its middle; across z
// its mate of 30 on an axle, D = 0.1 m. %s: the middle's bearing; helix and sense of the moment;
// what is behind the mate; the load.
static const char SHAFTS[] =
    "modeway: 1\n"
    "materials: { steel: { E: 210e9, nu: 0.3, rho: 1, unusual: true } }\n"
    "sections: { bar: { circle: { diameter: 0.02 }, shear: false } }\n"
    "bodies:\n"
    "  motor: { rigid: { mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }\n"
    "  far: { at: [0.4, 0, 0], ground: true, rigid: { mass: 0 } }\n"
    "  middle: { at: [0.2, 0, 0], ground: true, rigid: { mass: 0 } }\n"
    "  hub: { at: [0.2, 0, 0.1], ground: true, rigid: { mass: 0 } }\n"
    "  shaft:\n"
    "    beams:\n"
    "      points: { o: [0, 0, 0], m: [0.2, 0, 0], e: [0.4, 0, 0] }\n"
    "      members:\n"
    "        - { from: o, to: m, section: bar, material: steel, elements: 2 }\n"
    "        - { from: m, to: e, section: bar, material: steel, elements: 2 }\n"
    "    frames: { o: { node: o }, m: { node: m }, e: { node: e } }\n"
    "  pinion: { at: [0.2, 0, 0], rigid: { mass: 1e-3, inertia: [2e-4, 2e-4, 2e-4, 0, 0, 0] } }\n"
    "  wheel: { at: [0.2, 0, 0.1], rigid: { mass: 1e-3, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0] } }\n"
    "%s"
    "joints:\n"
    "  motor: { revolute: { a: ground, b: motor, axis: [1, 0, 0] }, coordinate: phi, drive: m }\n"
    "  neck: { primitives: { a: motor, b: shaft.o, hold: [x, y, z, yz] } }\n"
    "  end: { primitives: { a: far, b: shaft.e, hold: [y, z] } }\n"
    "  key: { fixed: { a: shaft.m, b: pinion } }\n"
    "  axle: { revolute: { a: hub, b: wheel, axis: [1, 0, 0] }, coordinate: psi, drive: load }\n"
    "  mesh: { wheels: { a: pinion, b: wheel, axis: [1, 0, 0], teeth: [20, 30], helix: %g,\n"
    "    moment: %s } }\n"
    "%s"
    "outputs: { m: { frame: shaft.m } }\n"
    "reduction: { coordinates: { phi: { range: [0, %g], points: 4 } }, modes: { count: 3 },\n"
    "  certificate: { points: 2, samples: 4 } }\n"
    "scenarios:\n"
    "  go: { duration: %g, step: %g, store: %g, start: { phi: 0 }, drives: { m: { position: %s },\n"
    "    load: { force: %g } }, rigid: { tolerance: 1e-9 } }\n";

static const double RA = 0.04, RB = 0.06, PRESSURE = 0.3490658503988659, SPAN = 0.4;

static double bending(void) { return 210e9 * pi() * pow(0.02, 4.0) / 64.0; }         // N m²
static double twisting(void) { return 210e9 / 2.6 * pi() * pow(0.02, 4.0) / 32.0; }  // N m²
static double stretching(void) { return 210e9 * pi() * 0.02 * 0.02 / 4.0; }          // N
static double compliance(void) { return SPAN * SPAN * SPAN / (48.0 * bending()); }   // m/N

// F_t = T/r_b along y, F_t tan α_n/cos β apart along z, F_x = F_t tan β along the shaft, which
// bends by F L³/(48 EI), is tilted by F_x r_a L/(12 EI), pushed by F_x L/2/(EA). The mate turns by
// that and by the twist of the motor's half: φ = (F_t (1 + tan² α_t) L³/(48 EI) + F_t r_a² L/2/(G
// I_p) + F_t tan² β (r_a² L/(12 EI) + L/2/(EA)))/r_b. Errors: deflection over D = 0.1 m, as the
// line of contact turns; of the reduced model its tables' 1e-3.
static void teeth_bend_the_shaft(void)
{
  for (int k = 0; k < 4; k++) {
    char text[TEXT];
    mw_fixture f = { 0 };
    mw_error err = { 0 };
    mw_rom_file rom = { 0 };
    double helix = k & 1 ? 0.25 : 0.0, T = k & 2 ? -0.05 : 0.05, Ft = T / RB;
    double push = tan(PRESSURE) / cos(helix);
    double y = Ft * compliance(), z = -fabs(Ft) * push * compliance();
    double psi = (Ft * (1.0 + push * push) * compliance() + Ft * RA * RA * 0.5 * SPAN / twisting() +
                  Ft * tan(helix) * tan(helix) *
                      (RA * RA * SPAN / (12.0 * bending()) + 0.5 * SPAN / stretching())) /
                 RB;
    snprintf(text, sizeof text, SHAFTS, "", helix, T > 0.0 ? "negative" : "positive", "", 0.3, 1e-3,
             1e-4, 1e-3, "0", T);
    if (!MW_CHECK(mw_fixture_text(text, &f)) ||
        !MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
      return;
    double moved = 4.0 * hypot(y, z) / 0.1;
    for (int path = 0; path < 2; path++) {
      mw_run r = { 0 };
      double tol = path == 0 ? moved : 1e-3;
      if (!MW_OKAY(run(&f, path == 0 ? "full" : "gmp", path == 0 ? NULL : &rom, &r, &err))) break;
      MW_NEAR(r.y[1], y, tol * fabs(y));
      MW_NEAR(r.y[2], z, tol * fabs(z));
      MW_NEAR(r.s[1], psi, tol * fabs(psi));
      mw_run_free(&r);
    }
    mw_rom_file_free(&rom);
    mw_fixture_free(&f);
  }
}

// Motor locked, both wheels in bearings, a disk of J behind a shaft of stiffness k_2 behind the
// mate. Reflected to it by i = r_b/r_a:  k_1 i² , (J_a i² + J_b) against k_2, J. J_a has what of
// the shaft turns with it, its free half and a third of the other: 2e-5 of it, what that neglects
// the square of it.
static void frequencies_are_those_of_reflected_inertias(void)
{
  char text[TEXT];
  mw_fixture f = { 0 };
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  double *hz, *shape, k2 = 900.0, J = 2e-3, i2 = RB * RB / (RA * RA);
  snprintf(
      text, sizeof text, SHAFTS,
      "  disk: { at: [0.2, 0, 0.1], rigid: { mass: 1, inertia: [2e-3, 2e-3, 2e-3, 0, 0, 0] } }\n",
      0.0, "positive",
      "  seat: { primitives: { a: middle, b: shaft.m, hold: [y, z] } }\n"
      "  tail: { revolute: { a: hub, b: disk, axis: [1, 0, 0] } }\n"
      "springs:\n"
      "  second: { a: wheel, b: disk, stiffness: [0, 0, 0, 900, 0, 0] }\n",
      0.3, 1e-3, 1e-4, 1e-3, "0", 0.0);
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  double shaft = 4.0 / 3.0 * 0.5 * SPAN * pi() * pow(0.02, 4.0) / 32.0;  // kg m², of 1 kg/m³
  double k1 = i2 * twisting() / (0.5 * SPAN), Jm = i2 * (2e-4 + shaft) + 1e-3, phi = 0.0;
  double a = (k1 + k2) / Jm, b = k2 / J, mean = 0.5 * (a + b);
  double root = sqrt(0.25 * (a - b) * (a - b) + k2 * k2 / (Jm * J));
  if (MW_OKAY(mw_direct_modes(&f.mech, &phi, 2, 0, &mem, &hz, &shape, NULL, &err))) {
    MW_WITHIN(2.0 * pi() * hz[0], sqrt(mean - root), 1e-9 * 2.0 * pi() * hz[0],
              "modes by iteration");
    MW_WITHIN(2.0 * pi() * hz[1], sqrt(mean + root), 1e-9 * 2.0 * pi() * hz[1],
              "modes by iteration");
  }
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// Free to bend, the shaft adds its compliance along the line of contact: of a unit force along it
// L³/(48 EI) + ρ_a² L/2/(G I_p), ρ = r cos α; ω² = ρ_b²/(compliance · J). Where the
// shaft yields the two inertias are not one: the wheel has all of it, the pinion 1e-5 of that.
static void bending_softens_the_mesh(void)
{
  char text[TEXT], *at;
  mw_fixture f = { 0 };
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  double *hz, *shape, phi = 0.0, c = cos(PRESSURE);
  snprintf(text, sizeof text, SHAFTS, "", 0.0, "positive", "", 0.3, 1e-3, 1e-4, 1e-3, "0", 0.0);
  at = strstr(text, "mass: 1e-3, inertia: [2e-4, 2e-4, 2e-4");
  if (!MW_CHECK(at != NULL)) return;
  memcpy(at, "mass: 1e-9, inertia: [2e-9, 2e-9, 2e-9",
         strlen("mass: 1e-9, inertia: [2e-9, 2e-9, 2e-9"));
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  double whole = compliance() + RA * RA * c * c * 0.5 * SPAN / twisting();
  double omega = RB * c / sqrt(whole * 1e-3);
  // the light shaft's own inertia: m/2 along the line of contact of L³/(48 EI) less than 1e-4 kg
  // against J/ρ_b² = 0.3 kg
  if (MW_OKAY(mw_direct_modes(&f.mech, &phi, 1, 0, &mem, &hz, &shape, NULL, &err)))
    MW_NEAR(2.0 * pi() * hz[0], omega, 1e-4 * omega);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// A load of the sense that the teeth were not given: both paths that know reactions say so, with
// its moment; of the right one they say nothing.
static void teeth_that_would_pull_are_named(void)
{
  for (int k = 0; k < 4; k++) {
    char text[TEXT];
    mw_fixture f = { 0 };
    mw_error err = { 0 };
    mw_run r = { 0 };
    snprintf(text, sizeof text, SHAFTS, "", 0.0, k & 1 ? "positive" : "negative", "", 0.3, 1e-3,
             1e-4, 1e-3, "0", 0.05);
    if (!MW_CHECK(mw_fixture_text(text, &f))) return;
    if (MW_OKAY(run(&f, k & 2 ? "rigid" : "full", NULL, &r, &err))) {
      bool said = false;
      for (int i = 0; i < r.n_warning; i++)
        said |=
            strstr(r.warning[i], "joint mesh: its teeth put a negative moment on body wheel, of "
                                 "up to 0.05 N m") != NULL;
      MW_CHECK(said == (k & 1));
    }
    mw_run_free(&r);
    mw_fixture_free(&f);
  }
}

// Three turns and more: ψ = −φ z_a/z_b to what the load twists, in every path.
static void turns_are_no_matter(void)
{
  static const char *const path[] = { "rigid", "full", "body", "gmp" };
  char text[TEXT];
  mw_fixture f = { 0 };
  mw_error err = { 0 };
  mw_rom_file rom = { 0 };
  snprintf(text, sizeof text, SHAFTS, "", 0.1, "positive", "", 22.0, 0.2, 2e-4, 0.01,
           "{ cycloid: { from: 0, to: 21, end: 0.18 } }", 0.0);
  if (!MW_CHECK(mw_fixture_text(text, &f)) ||
      !MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
    return;
  for (int k = 0; k < 4; k++) {
    mw_run r = { 0 };
    if (!MW_OKAY(run(&f, path[k], k == 3 ? &rom : NULL, &r, &err))) break;
    int end = r.n_t - 1;
    MW_NEAR(r.s[2 * end], 21.0, 64.0 * DBL_EPSILON * 21.0);
    // what of 21 rad in 0.2 s the light shafts still swing by
    MW_WITHIN(r.s[2 * end + 1], -14.0, 1e-3, "what the shaft twists by when the wheel stops");
    printf("%s: off by %.1e rad of 14\n", path[k], fabs(r.s[2 * end + 1] + 14.0));
    mw_run_free(&r);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// The shaft of this file with steel's mass, in units of length L times and of mass M times SI: %g
// are lengths, masses, moments of inertia, E, density.
static const char IN_UNITS[] =
    "modeway: 1\n"
    "materials: { steel: { E: %.17g, nu: 0.3, rho: %.17g, unusual: true } }\n"
    "sections: { bar: { circle: { diameter: %.17g }, shear: false } }\n"
    "bodies:\n"
    "  motor: { rigid: { mass: %.17g, inertia: [%.17g, %.17g, %.17g, 0, 0, 0] } }\n"
    "  far: { at: [%.17g, 0, 0], ground: true, rigid: { mass: 0 } }\n"
    "  hub: { at: [%.17g, 0, %.17g], ground: true, rigid: { mass: 0 } }\n"
    "  shaft:\n"
    "    beams:\n"
    "      points: { o: [0, 0, 0], m: [%.17g, 0, 0], e: [%.17g, 0, 0] }\n"
    "      members:\n"
    "        - { from: o, to: m, section: bar, material: steel, elements: 2 }\n"
    "        - { from: m, to: e, section: bar, material: steel, elements: 2 }\n"
    "    frames: { o: { node: o }, m: { node: m }, e: { node: e } }\n"
    "  pinion: { at: [%.17g, 0, 0], rigid: { mass: %.17g, inertia: [%.17g, %.17g, %.17g, 0, 0, 0] "
    "} }\n"
    "  wheel: { at: [%.17g, 0, %.17g], rigid: { mass: %.17g, inertia: [%.17g, %.17g, %.17g, 0, 0, "
    "0] } }\n"
    "joints:\n"
    "  motor: { revolute: { a: ground, b: motor, axis: [1, 0, 0] }, coordinate: phi, drive: m }\n"
    "  neck: { primitives: { a: motor, b: shaft.o, hold: [x, y, z, yz] } }\n"
    "  end: { primitives: { a: far, b: shaft.e, hold: [y, z] } }\n"
    "  key: { fixed: { a: shaft.m, b: pinion } }\n"
    "  axle: { revolute: { a: hub, b: wheel, axis: [1, 0, 0] }, coordinate: psi, drive: load }\n"
    "  mesh: { wheels: { a: pinion, b: wheel, axis: [1, 0, 0], teeth: [20, 30], helix: 0.25 } }\n"
    "outputs: { m: { frame: shaft.m } }\n"
    "reduction: { coordinates: { phi: { range: [0, 3], points: 4 } }, modes: { count: 3 },\n"
    "  certificate: { points: 2, samples: 4 } }\n";

static bool in_units(double L, double M, mw_fixture *f)
{
  char text[TEXT];
  double I = M * L * L, l = 0.2 * L, h = 0.1 * L, a = 2e-4 * I, b = 1e-3 * I;
  int n = snprintf(text, sizeof text, IN_UNITS, 210e9 * M / L, 7850 * M / (L * L * L), 0.02 * L, M,
                   0.01 * I, 0.01 * I, 0.01 * I, 2 * l, l, h, l, 2 * l, l, 0.5 * M, a, a, a, l, h,
                   M, b, b, b);
  return MW_CHECK(n < TEXT) && MW_CHECK(mw_fixture_text(text, f));
}

// A torque of 1 N m on the load and forces of 1 N at the shaft are no more alike than one of 1 N mm
// and 1 N: columns, frequencies and what the certificate says of it are the same in both units, SI
// and mm, t, N.
static void units_are_no_matter(void)
{
  mw_fixture f[2];
  mw_rom_file rom[2];
  mw_error err = { 0 };
  memset(f, 0, sizeof f);
  memset(rom, 0, sizeof rom);
  const double phi = 1.3;
  double hz[2][3];
  bool good = in_units(1.0, 1.0, &f[0]) && in_units(1e3, 1e-3, &f[1]);
  for (int i = 0; good && i < 2; i++)
    good = MW_OKAY(mw_reduce(&f[i].model, &f[i].mech, NULL, &rom[i], &err)) &&
           MW_OKAY(mw_rom_frequencies(&rom[i], &phi, true, 3, hz[i], &err)) &&
           MW_CHECK(mw_certificate_met(&rom[i].certificate));
  if (good) {
    MW_CHECK(rom[0].rom.m == rom[1].rom.m);
    for (int k = 0; k < 3; k++) MW_WITHIN(hz[1][k] / hz[0][k], 1.0, 1e-9, "modes by iteration");
    printf("%d columns, static compliance to %.1e and %.1e\n", rom[0].rom.m,
           rom[0].certificate.max_static_error, rom[1].certificate.max_static_error);
  }
  for (int i = 0; i < 2; i++) {
    mw_rom_file_free(&rom[i]);
    mw_fixture_free(&f[i]);
  }
}

// ---- the force alone ----------------------------------------------------------------------------

typedef struct mesh {
  const char *text;      // the joint
  double d[3], axis[3];  // x_b − x_a
  double r[2];           // pitch radii, of the side of the line of centres; of a rack 0, and of b
  double pressure, helix, sense;
  bool inside;
} mesh;

// The wrench of the row on each body is that of one force at the pitch point: tangential F_t of the
// sense asked for, F_t tan α_n/cos β that pushes the wheels apart (a wheel off its ring), F_t tan β
// along the axis. Exact to rounding.
static void one_force_acts_at_the_pitch_point(void)
{
  static const mesh meshes[] = {
    { "wheels: { a: a, b: b, axis: [1, 0, 0], teeth: [20, 30], helix: 0.2 }",
      { 0, 0, 0.1 },
      { 1, 0, 0 },
      { 0.04, 0.06 },
      0.3490658503988659,
      0.2,
      1.0,
      false },
    { "wheels: { a: a, b: b, axis: [1, 0, 0], teeth: [20, 30], helix: -0.2, moment: negative }",
      { 0, 0, 0.1 },
      { 1, 0, 0 },
      { 0.04, 0.06 },
      0.3490658503988659,
      -0.2,
      -1.0,
      false },
    { "wheels: { a: a, b: b, axis: [1, 0, 0], teeth: [20, -60], pressure_angle: 0.4, helix: 0.1 }",
      { 0, 0, 0.1 },
      { 1, 0, 0 },
      { -0.05, 0.15 },
      0.4,
      0.1,
      1.0,
      true },
    { "wheels: { a: a, b: b, axis: [-1, 0, 0], teeth: [-60, 20], helix: 0.1, moment: negative }",
      { 0, 0, 0.1 },
      { -1, 0, 0 },
      { 0.15, -0.05 },
      0.3490658503988659,
      0.1,
      -1.0,
      true },
    { "rack: { a: a, b: b, axis: [1, 0, 0], along: [0, 1, 0], helix: 0.3 }",
      { 0, 0, 0.1 },
      { 1, 0, 0 },
      { 0.0, 0.1 },
      0.3490658503988659,
      0.3,
      1.0,
      false },
    { "rack: { a: a, b: b, axis: [-1, 0, 0], along: [0, 1, 0], helix: 0.3, moment: negative }",
      { 0, 0, 0.1 },
      { -1, 0, 0 },
      { 0.0, 0.1 },
      0.3490658503988659,
      0.3,
      -1.0,
      false },
  };
  for (size_t k = 0; k < sizeof meshes / sizeof *meshes; k++) {
    const mesh *c = &meshes[k];
    char text[TEXT];
    mw_fixture f = { 0 };
    mw_error err = { 0 };
    snprintf(text, sizeof text,
             "modeway: 1\n"
             "bodies:\n"
             "  a: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
             "  b: { at: [0, 0, 0.1], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
             "joints: { mesh: { %s } }\n",
             c->text);
    if (!MW_CHECK(mw_fixture_text(text, &f))) return;
    mw_joint_eval e = mw_joint_eval_init(&f.mech, &f.mem);
    const mw_joint *j = &f.mech.joint[0];
    if (!MW_OKAY(mw_joint_eval_at(&f.mech, 0, f.mech.p0 + 12 * j->a, NULL, f.mech.p0 + 12 * j->b,
                                  NULL, 0.0, &e, &err)))
      return;
    // of λ such that the moment on b has the sense asked for: F, M at the centres of both
    double F[2][3], M[2][3], lambda = 1.0;
    for (int pass = 0; pass < 2; pass++) {
      for (int side = 0; side < 2; side++) {
        const double *J = side == 0 ? e.Ja : e.Jb, *W = J + 3;
        const double turn[3] = { W[7] - W[5], W[2] - W[6], W[3] - W[1] };
        for (int i = 0; i < 3; i++) {
          F[side][i] = -lambda * J[i];
          M[side][i] = -lambda * turn[i];
        }
      }
      if (M[1][0] * c->axis[0] * c->sense < 0.0) lambda = -lambda;
    }
    double P[2] = { c->r[0], -c->r[1] };  // pitch point from the centres along z
    for (int side = 0; side < 2; side++) {
      double want[3] = { -P[side] * F[side][1], P[side] * F[side][0], 0.0 };
      for (int i = 0; i < 3; i++) {
        MW_NEAR(M[side][i], want[i], 16.0 * DBL_EPSILON);
        MW_NEAR(F[0][i], -F[1][i], 16.0 * DBL_EPSILON);
      }
    }
    double Ft = fabs(F[1][1]), apart = c->inside ? -1.0 : 1.0;
    MW_NEAR(F[1][2], apart * Ft * tan(c->pressure) / cos(c->helix), 16.0 * DBL_EPSILON);
    // a right-handed wheel that the teeth turn about +axis is pushed along −axis, a ring as well
    MW_NEAR(F[1][0] * c->axis[0], -c->sense * Ft * tan(c->helix), 16.0 * DBL_EPSILON);
    mw_fixture_free(&f);
  }
}

// ---- what is refused ----------------------------------------------------------------------------

typedef struct refusal {
  const char *joint, *extra, *why;
  int line, col;
} refusal;

static void meshes_that_cannot_be_are_refused(void)
{
  static const refusal wrong[] = {
    { "wheels: { a: a, b: b, axis: [0, 0, 1], teeth: [20, 30] }", "",
      "found the centres of both wheels on one axis", 10, 3 },
    { "wheels: { a: a, b: b, axis: [0, 1, 1], teeth: [20, 30] }", "",
      "found the centres of its wheels 0.0707 m apart along the axis", 10, 3 },
    { "wheels: { a: a, b: b, axis: [1, 0, 0], teeth: [20, 30] }", "assemble: true\n",
      "found rough positions (assemble: true)", 10, 3 },
    { "rack: { a: a, b: b, axis: [1, 0, 0], along: [0, 0, 1] }", "",
      "found the pinion's centre on the pitch line", 10, 3 },
    { "rack: { a: a, b: b, axis: [1, 0, 0], along: [0, 1, 0] }", "assemble: true\n",
      "found rough positions (assemble: true)", 10, 3 },
    { "wheels: { a: a, b: b, axis: [1, 0, 0], teeth: [20, 30] }",
      "  hinge: { revolute: { a: ground, b: b, axis: [0, 1, 0] } }\n",
      "found that body b turns about another axis (joint hinge)", 10, 3 },
    { "rack: { a: a, b: b, axis: [1, 0, 0], along: [0, 1, 0] }",
      "  hinge: { cylindrical: { a: ground, b: b, axis: [1, 0, 0.01] } }\n",
      "found that body b turns about another axis (joint hinge)", 10, 3 },
    { "rack: { a: a, b: b, axis: [0.001, 0, 0], along: [0, 1, 0] }",
      "  hinge: { cylindrical: { a: ground, b: b, axis: [1, 0, 0.01] } }\n",
      "found that body b turns about another axis (joint hinge)", 10, 3 },
    { "rack: { a: bar.o, b: b, axis: [1, 0, 0], along: [0, 1, 0] }", "",
      "found the rack on the elastic body bar", 10, 22 },
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    char path[] = "/tmp/modeway_teeth_XXXXXX";
    mw_case c = { 0 };
    mw_error err = { 0 };
    int fd = mkstemp(path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!MW_CHECK(f != NULL)) return;
    fprintf(
        f,
        "modeway: 1\n"
        "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
        "sections: { bar: { circle: { diameter: 0.02 } } }\n"
        "bodies:\n"
        "  a: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
        "  b: { at: [0, 0, 0.1], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
        "  bar: { beams: { points: { o: [0, 0, 0], e: [1, 0, 0] }, members: [ { from: o, to: e, "
        "section: bar, material: steel, elements: 1 } ] },\n"
        "    frames: { o: { node: o } } }\n"
        "joints:\n"
        "  mesh: { %s }\n"
        "  root: { fixed: { a: ground, b: bar.o } }\n"
        "  seat: { fixed: { a: ground, b: a } }\n"
        "%s",
        wrong[k].joint, wrong[k].extra);
    fclose(f);
    MW_FAILS(mw_case_read(path, &c, &err), MW_ERR_INPUT);
    if (!MW_CHECK(strstr(err.msg, wrong[k].why) && err.line == wrong[k].line &&
                  err.col == wrong[k].col))
      printf("  %d:%d: %s\n", err.line, err.col, err.msg);
    unlink(path);
    mw_case_free(&c);
  }
}

// ---- a rack -------------------------------------------------------------------------------------

// The rack travels on an elastic guide, a pinion of r = 0.05 m above it is driven by T: the rack is
// held by F = T/r and pushed down by F tan α, in the middle of the guide.
static void teeth_push_the_rack_down(void)
{
  static const char text[] =
      "modeway: 1\n"
      "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
      "sections: { bar: { circle: { diameter: 0.02 }, shear: false } }\n"
      "bodies:\n"
      "  way:\n"
      "    ground: true\n"
      "    beams:\n"
      "      points: { o: [0, 0, 0], e: [0.4, 0, 0] }\n"
      "      members: [ { from: o, to: e, section: bar, material: steel, elements: 8 } ]\n"
      "    supports: [ { nodes: o, dofs: [x, y, z, rx] }, { nodes: e, dofs: [y, z] } ]\n"
      "    guides: { line: { from: o, to: e, normal: [0, 0, 1] } }\n"
      "  rack: { at: [0.2, 0, 0], rigid: { mass: 1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0] } }\n"
      "  pinion: { at: [0.2, 0, 0.05], rigid: { mass: 1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0] } }\n"
      "  hub: { at: [0.2, 0, 0.05], ground: true, rigid: { mass: 0 } }\n"
      "joints:\n"
      "  slide: { slide: { guide: way.line, on: rack, orientation: fixed }, coordinate: x,\n"
      "    drive: m }\n"
      "  axle: { revolute: { a: hub, b: pinion, axis: [0, 1, 0] }, coordinate: psi, drive: load }\n"
      "  mesh: { rack: { a: rack, b: pinion, axis: [0, 1, 0], along: [1, 0, 0], pressure_angle: "
      "0.35, moment: negative } }\n"
      "outputs: { rack: { body: rack } }\n"
      "reduction: { coordinates: { x: { range: [0.15, 0.25], points: 5 } }, modes: { count: 3 },\n"
      "  certificate: { points: 2, samples: 4 } }\n"
      "scenarios: { rest: { duration: 1e-3, step: 1e-4, store: 1e-3, start: { x: 0.2 },\n"
      "  drives: { m: { position: 0.2 }, load: { force: 0.05 } } } }\n";
  mw_fixture f = { 0 };
  mw_error err = { 0 };
  mw_rom_file rom = { 0 };
  if (!MW_CHECK(mw_fixture_text(text, &f)) ||
      !MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
    return;
  double z = -0.05 / 0.05 * tan(0.35) * compliance();
  for (int path = 0; path < 2; path++) {
    mw_run r = { 0 };
    if (!MW_OKAY(run(&f, path == 0 ? "full" : "gmp", path == 0 ? NULL : &rom, &r, &err))) break;
    // the line of contact turns by the deflection over r, tables of the reduced model keep 1e-3
    MW_NEAR(r.y[2], z, (path == 0 ? 2.0 * fabs(z) / 0.05 : 1e-3) * fabs(z));
    MW_WITHIN(r.y[1], 0.0, 1e-9 * fabs(z), "symmetry, by what solvers round");
    mw_run_free(&r);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "teeth_bend_the_shaft", teeth_bend_the_shaft },
    { "frequencies_are_those_of_reflected_inertias", frequencies_are_those_of_reflected_inertias },
    { "bending_softens_the_mesh", bending_softens_the_mesh },
    { "teeth_that_would_pull_are_named", teeth_that_would_pull_are_named },
    { "turns_are_no_matter", turns_are_no_matter },
    { "units_are_no_matter", units_are_no_matter },
    { "one_force_acts_at_the_pitch_point", one_force_acts_at_the_pitch_point },
    { "meshes_that_cannot_be_are_refused", meshes_that_cannot_be_are_refused },
    { "teeth_push_the_rack_down", teeth_push_the_rack_down },
  };
  return mw_test_run("teeth", cases, (int)(sizeof cases / sizeof *cases));
}
