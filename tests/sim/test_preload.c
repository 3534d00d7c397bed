// SPDX-License-Identifier: BSD-3-Clause
// test_preload.c: springs that the coordinates of a reduction stretch: their energy, pull and
// stiffness in reduced models, against closed forms and the other paths.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

enum { TEXT = 4096 };

static bool made(const char *text, mw_fixture *f, mw_rom_file *rom)
{
  mw_error err = { 0 };
  *rom = (mw_rom_file){ 0 };
  return MW_CHECK(mw_fixture_text(text, f)) &&
         MW_OKAY(mw_reduce(&f->model, &f->mech, NULL, rom, &err));
}

// Largest |a − b| of n values that lie `stride` apart
static double off(int n, int stride, const double *a, const double *b)
{
  double e = 0.0;
  for (int i = 0; i < n; i++) e = fmax(e, fabs(a[i * stride] - b[i * stride]));
  return e;
}

// ---- energy and pull ----------------------------------------------------------------------------

// A carriage of 2 kg on a beam, tied to x = 0.5 by 400 N/m.
static const char *const guyed =
    "modeway: 1\n"
    "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
    "sections: { rail: { rectangle: { width: 0.04, height: 0.02 }, shear: false } }\n"
    "bodies:\n"
    "  bed:\n"
    "    ground: true\n"
    "    beams: { points: { a: [0, 0, 0], b: [1, 0, 0] },\n"
    "             members: [{ from: a, to: b, section: rail, material: steel, elements: 16, up: "
    "[0, 0, 1] }] }\n"
    "    supports: [{ nodes: a, dofs: [x, y, z, rx] }, { nodes: b, dofs: [y, z] }]\n"
    "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
    "  post: { ground: true, rigid: { mass: 0 }, frames: { foot: { point: [0.5, 0, 0] } } }\n"
    "  box: { at: [0.5, 0, 0], rigid: { mass: 2, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0] } }\n"
    "joints: { x: { slide: { guide: bed.rail, on: box, orientation: fixed, runners: [{}] }, "
    "coordinate: x } }\n"
    "springs: { guy: { a: post.foot, b: box, stiffness: [400, 0, 0]%s } }\n"
    "outputs: { box: { body: box } }\n"
    "reduction: { coordinates: { x: { range: [0.25, 0.75], points: 9 } }, modes: { count: 2 },\n"
    "             certificate: { samples: 0 } }\n"
    "scenarios:\n"
    "  swing: { duration: 0.3, step: 1e-4, store: 1e-2, start: { x: { at: 0.6, velocity: 1 } } }\n";

// x = 0.5 + 0.1 cos ωt + sin ωt/ω: nothing bends, the beam gives way by nothing along itself. In
// time (ωh)²/24 a radian, 4e-7 in all; path rigid is asked for 1e-6 a step.
static void guyed_carriage_swings(void)
{
  const double w = sqrt(400.0 / 2.0), peak = sqrt(0.01 + 1.0 / (w * w));
  char text[TEXT];
  mw_fixture f;
  mw_rom_file rom;
  mw_error err = { 0 };
  snprintf(text, sizeof text, guyed, "");
  bool good = made(text, &f, &rom);
  for (int path = 0; good && path < 3; path++) {
    const mw_scenario *sc = &f.model.scenario[0];
    mw_dae_opt opt = mw_dae_opt_default();
    mw_run r = { 0 };
    mw_code rc = path == 0   ? mw_rom_run(&f.model, &f.mech, &rom, sc, NULL, NULL, &r, &err)
                 : path == 1 ? mw_dae_run(&f.mech, sc, "full", &opt, NULL, &r, &err)
                             : mw_rigid_run(&f.mech, sc, NULL, NULL, &r, &err);
    double worst = 0.0;
    if (MW_OKAY(rc) && MW_CHECK(r.n_t == 31))
      for (int i = 0; i < r.n_t; i++) {
        double want = 0.5 + 0.1 * cos(w * r.t[i]) + sin(w * r.t[i]) / w;
        worst = fmax(worst, fabs(r.s[i] - want));
        MW_NEAR(r.s[i], want, (path < 2 ? 4e-6 : 1e-4) * peak);
      }
    printf("guyed carriage, path %d: off by %.1e of its way\n", path, worst / peak);
    mw_run_free(&r);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void dampers_that_coordinates_move_are_refused(void)
{
  char text[TEXT];
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  snprintf(text, sizeof text, guyed, ", damping: [5, 0, 0]");
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  MW_FAILS(mw_reduce(&f.model, &f.mech, NULL, &rom, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "damping of spring guy resists") != NULL && err.line == 14);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// ---- stiffness ----------------------------------------------------------------------------------

// A cantilever of 1 m with a mass of 1 kg at its tip stands on a lift; a spring of 4000 N/m holds
// the tip's height.
static const char *const lift =
    "modeway: 1\n"
    "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
    "sections: { bar: { rectangle: { width: 0.01, height: 0.02 }, shear: false, rotary: false } }\n"
    "bodies:\n"
    "  post: { ground: true, rigid: { mass: 0 }, frames: { top: { point: [0, 0, 1] } } }\n"
    "  car: { rigid: { mass: 3, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }\n"
    "  arm:\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [0, 0, 1] }\n"
    "      members: [{ from: a, to: b, section: bar, material: steel, elements: 20, up: [1, 0, 0] "
    "}]\n"
    "    damping: { beta: 1e-4 }\n"
    "    frames: { a: { node: a }, b: { node: b, mass: 1 } }\n"
    "joints:\n"
    "  z: { prismatic: { a: ground, b: car, axis: [0, 0, 1] }, coordinate: z, drive: m }\n"
    "  f: { fixed: { a: car, b: arm.a } }\n"
    "springs: { top: { a: post.top, b: arm.b, stiffness: [0, 0, 4000] } }\n"
    "drives: { push: { force: { on: arm.b, direction: [0, 1, 0] } } }\n"
    "outputs: { tip: { frame: arm.b } }\n"
    "reduction: { coordinates: { z: { range: [-0.15, 0.15], points: 9 } }, modes: { count: 5 },\n"
    "             certificate: { samples: 0 } }\n"
    "scenarios:\n"
    "  sway: { duration: 0.5, step: 5e-4, store: 5e-3, start: { z: 0.13 }, drives: {\n"
    "    m: { position: { cycloid: { from: 0.13, to: -0.1, end: 0.4 } } }, push: { force: { step: "
    "{ value: 2 } } } } }\n";

// Determinant of the cantilever under an axial load P (compression) with a tip mass of 1 kg:
// EI w'''' + P w'' = ρA ω² w ,  w = w' = 0 at 0 ,  w'' = 0 and EI w''' + P w' + m ω² w = 0 at 1
static double beam(double w, double P)
{
  const double EI = 210e9 * 0.02 * 1e-6 / 12.0, rA = 7850.0 * 2e-4;
  double s = sqrt(P * P + 4.0 * EI * rA * w * w), k = sqrt((s - P) / (2.0 * EI)),
         q = sqrt((s + P) / (2.0 * EI)), C = cosh(k), S = sinh(k), c = cos(q), t = sin(q);
  double shear[2] = { EI * (k * k * k * S - q * q * q * t) + P * (k * S + q * t) + w * w * (C - c),
                      EI * (k * k * C + q * q * c) + P * (C - c) + w * w * (S / k - t / q) };
  return (k * k * C + q * q * c) * shear[1] - (k * S + q * t) * shear[0];
}

// Its lowest frequency, Hz
static double frequency(double P)
{
  double a = 1.0, b = 1.0;
  while (beam(a, P) * beam(b, P) > 0.0) b += 0.05;
  for (int i = 0; i < 60; i++) {
    double m = 0.5 * (a + b);
    if (beam(a, P) * beam(m, P) <= 0.0)
      b = m;
    else
      a = m;
  }
  return 0.5 * (a + b) / (2.0 * acos(-1.0));
}

// Held by 0.6 and 0.7 of its buckling load, and pulled. The arm gives way along its axis by 4000
// L/EA = 1e-4 of the stretch: as much of the load, 1.2e-4 of a frequency where 0.7 of the stiffness
// are gone. Reduced, by five modes and the patterns, 1e-4 more.
static void pull_softens_and_stiffens(void)
{
  static const double at[4] = { -0.13, 0.0, 0.13, 0.15 };
  mw_fixture f;
  mw_rom_file rom;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  bool good = made(lift, &f, &rom);
  for (int i = 0; good && i < 4; i++) {
    double got = 0.0, want = frequency(4000.0 * at[i]), *free_hz, *loaded = NULL;
    int n = 1;
    if (MW_OKAY(mw_rom_frequencies(&rom, &at[i], false, 1, &got, &err)))
      MW_NEAR(got, want, 2.2e-4 * want);
    if (!MW_OKAY(mw_direct_modes_loaded(&f.mech, &at[i], &n, 0, &mem, &free_hz, &loaded, NULL, NULL,
                                        &err)))
      break;
    MW_NEAR(free_hz[0], frequency(1e-6), 1e-6 * want);
    if (at[i] == 0.0)
      MW_CHECK(loaded == NULL);
    else
      MW_NEAR(loaded[0], want, 1.2e-4 * want);
    printf("lift at %g: %.6f Hz, reduced %.6f, direct %.6f\n", at[i], want, got,
           loaded ? loaded[0] : free_hz[0]);
  }
  mw_arena_free(&mem);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// π²EI/4 of the springless arm is 863 N, at 0.216 m.
static void what_the_pull_buckles_is_refused(void)
{
  char text[TEXT];
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  snprintf(text, sizeof text, "%s", lift);
  char *end = strstr(text, "0.15], points");
  if (!MW_CHECK(end != NULL)) return;
  end[2] = '2';
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  MW_FAILS(mw_reduce(&f.model, &f.mech, NULL, &rom, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "buckles under springs at z = 0.25") != NULL);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// ---- runs ---------------------------------------------------------------------------------------

// Against the full path, whose steps err alike: what certificates promise is twice 1e-3 of the
// largest deflection.
static void keeps_promise(const char *text)
{
  mw_fixture f;
  mw_rom_file rom;
  mw_error err = { 0 };
  if (made(text, &f, &rom)) {
    const mw_scenario *sc = &f.model.scenario[0];
    mw_dae_opt opt = mw_dae_opt_default();
    mw_run r[3] = { { 0 }, { 0 }, { 0 } };
    if (MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, sc, NULL, NULL, &r[0], &err)) &&
        MW_OKAY(mw_dae_run(&f.mech, sc, "full", &opt, NULL, &r[1], &err)) &&
        MW_OKAY(mw_rigid_run(&f.mech, sc, NULL, NULL, &r[2], &err))) {
      double peak = 0.0, e = 0.0;
      for (int k = 0; k < 3; k++) {
        peak = fmax(peak, off(r[0].n_t, 3, r[1].y + k, r[2].y + k));
        e = fmax(e, off(r[0].n_t, 3, r[1].y + k, r[0].y + k));
      }
      printf("reduced off by %.2e of the %.3g m that path rigid is off by\n", e / peak, peak);
      MW_NEAR(e, 0.0, 2e-3 * peak);
    }
    for (int i = 0; i < 3; i++) mw_run_free(&r[i]);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// An elastic pendulum on a hub of its own: a side spring at its end, a coil in its hinge.
static const char *const pendulum =
    "modeway: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
    "sections: { bar: { rectangle: { width: 0.02, height: 0.03 }, shear: false, rotary: false } }\n"
    "bodies:\n"
    "  post: { ground: true, rigid: { mass: 0 }, frames: { foot: { point: [0, 0, -1] } } }\n"
    "  hub: { rigid: { mass: 1, inertia: [0.2, 0.2, 0.2, 0, 0, 0] } }\n"
    "  arm:\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [0, 0, -1] }\n"
    "      members: [{ from: a, to: b, section: bar, material: steel, elements: 10, up: [1, 0, 0] "
    "}]\n"
    "    damping: { beta: 2e-5 }\n"
    "    frames: { a: { node: a }, b: { node: b, mass: 1 } }\n"
    "joints:\n"
    "  h: { revolute: { a: ground, b: hub, axis: [0, 1, 0] }, coordinate: q }\n"
    "  f: { fixed: { a: hub, b: arm.a } }\n"
    "springs:\n"
    "  side: { a: post.foot, b: arm.b, stiffness: [150, 20, 70] }\n"
    "  coil: { a: ground, b: hub, stiffness: [0, 0, 0, 0, 15, 0] }\n"
    "outputs: { tip: { frame: arm.b } }\n"
    "reduction: { coordinates: { q: { range: [-1.2, 1.2], points: 17, max_rate: 7 } }, modes: { "
    "count: 9 },\n"
    "             certificate: { samples: 0 } }\n"
    "scenarios:\n"
    "  fall: { duration: 0.5, step: 2e-4, store: 5e-3, start: { q: { at: 0.6, velocity: 1 } } }\n";

static void runs_err_by_less_than_promised(void)
{
  keeps_promise(lift);
  keeps_promise(pendulum);
}

// The pendulum with n modes, hardly damped: its certificate, and what a run that lets it fall errs
// by.
static bool falls_freely(int n, mw_rom_file *rom, double *error)
{
  char text[TEXT];
  mw_fixture f;
  mw_error err = { 0 };
  snprintf(text, sizeof text, "%s", pendulum);
  char *count = strstr(text, "9 },"), *damped = strstr(text, "2e-5"), *step = strstr(text, "2e-4");
  if (!MW_CHECK(count && damped && step)) return false;
  count[0] = (char)('0' + n);
  damped[3] = '7';
  memcpy(step, "5e-5", 4);
  bool good = made(text, &f, rom);
  mw_run r[3] = { { 0 }, { 0 }, { 0 } };
  const mw_scenario *sc = good ? &f.model.scenario[0] : NULL;
  mw_dae_opt opt = mw_dae_opt_default();
  good = good && MW_OKAY(mw_rom_run(&f.model, &f.mech, rom, sc, NULL, NULL, &r[0], &err)) &&
         MW_OKAY(mw_dae_run(&f.mech, sc, "full", &opt, NULL, &r[1], &err)) &&
         MW_OKAY(mw_rigid_run(&f.mech, sc, NULL, NULL, &r[2], &err));
  double peak = 0.0, e = 0.0;
  for (int k = 0; good && k < 3; k++) {
    peak = fmax(peak, off(r[0].n_t, 3, r[1].y + k, r[2].y + k));
    e = fmax(e, off(r[0].n_t, 3, r[1].y + k, r[0].y + k));
  }
  *error = e / peak;
  for (int i = 0; i < 3; i++) mw_run_free(&r[i]);
  mw_fixture_free(&f);
  return good;
}

// Columns made with the hinge held lack what swings where it is free: with five modes the first
// one's frequency errs by 9e-5, next to nothing of what it may, and its phase by 1.5e-2 rad in the
// end. What the certificates of five and nine modes take it to err by leads to the same frequency.
static void frequencies_of_free_coordinates_are_judged(void)
{
  double hz[2] = { 0.0 }, shift[2] = { 0.0 };
  for (int i = 0; i < 2; i++) {
    mw_rom_file rom = { 0 };
    double error;
    if (falls_freely(i ? 9 : 5, &rom, &error)) {
      const mw_certificate *c = &rom.certificate;
      printf("%d modes: free, %.2e said for %.2e; %.6f Hz, by %.2e\n", i ? 9 : 5,
             2.0 * c->free_error, error, c->free_hz, c->free_shift);
      MW_CHECK(mw_certificate_met(c) == (i == 1) && (error < 2e-3) == (i == 1));
      MW_CHECK(c->third_time == 0.5 && (c->free_error <= c->tolerance) == (i == 1));
      hz[i] = c->free_hz;
      shift[i] = c->free_shift;
    }
    mw_rom_file_free(&rom);
  }
  // A step leaves the square of the ratio of eigenvalues, to the next mode of the plane (148 Hz is
  // in the columns, 387 Hz is not). It knows nothing of what loads stiffen, by which this frequency
  // is 58.08 to 58.31 Hz: 0.8 % of the stiffness.
  double left = pow(58.0 / 387.0, 4.0) + 8e-3;
  MW_CHECK(shift[0] > 10.0 * shift[1] && shift[1] > 0.0);
  MW_NEAR(hz[0] / (1.0 + shift[0]), hz[1] / (1.0 + shift[1]), left * shift[0] * hz[1]);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "guyed_carriage_swings", guyed_carriage_swings },
    { "dampers_that_coordinates_move_are_refused", dampers_that_coordinates_move_are_refused },
    { "pull_softens_and_stiffens", pull_softens_and_stiffens },
    { "what_the_pull_buckles_is_refused", what_the_pull_buckles_is_refused },
    { "runs_err_by_less_than_promised", runs_err_by_less_than_promised },
    { "frequencies_of_free_coordinates_are_judged", frequencies_of_free_coordinates_are_judged },
  };
  return mw_test_run("preload", cases, (int)(sizeof cases / sizeof *cases));
}
