// SPDX-License-Identifier: BSD-3-Clause
// test_inertia.c: published inertias that no body has, taken as they are, and those that rates
// change.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

// The third link of the Puma 560 (P. Corke's tables): 0.086 > 0.066 + 0.0125. It turns about an
// axis a through its centre of mass under 0.02 N·m: φ = ½ τ t²/(aᵀ I a), a = (1, 2, 3)/√14.
static const char *const link3 =
    "modeway: 1\n"
    "bodies:\n"
    "  link: { rigid: { mass: 4.8, inertia: [0.066, 0.086, 0.0125, 0, 0, 0], unphysical_inertia: "
    "%s } }\n"
    "joints:\n"
    "  turn: { revolute: { a: ground, b: link, axis: [1, 2, 3] }, coordinate: phi, drive: m }\n"
    "outputs: { o: { body: link, point: [1, 0, 0] } }\n"
    "scenarios:\n"
    "  go: { duration: 1, step: 1e-3, store: 0.1, initial: undeformed, drives: { m: { force: 0.02 "
    "} } }\n";

static void unphysical_inertia_turns_as_published(void)
{
  static const mw_method method[] = { MW_METHOD_CVODE, MW_METHOD_RK4, MW_METHOD_ALPHA,
                                      MW_METHOD_MIDPOINT };
  char text[2048];
  mw_fixture f;
  double J = (0.066 + 4.0 * 0.086 + 9.0 * 0.0125) / 14.0, want = 0.5 * 0.02 / J;
  snprintf(text, sizeof text, link3, "true");
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  const mw_scenario *sc = &f.model.scenario[0];
  for (int i = 0; i < 5; i++) {
    mw_error err = { 0 };
    mw_run r = { 0 };
    mw_dae_opt opt = mw_dae_opt_default();
    mw_rigid_run_opt rigid = mw_rigid_run_opt_default(sc);
    if (i < 4) rigid.rigid.method = method[i];
    rigid.rigid.tolerance = 1e-11;
    mw_code rc = i < 4 ? mw_rigid_run(&f.mech, sc, &rigid, NULL, &r, &err)
                       : mw_dae_run(&f.mech, sc, "full", &opt, NULL, &r, &err);
    // a constant acceleration: exact but for what a fixed step of 1 ms misses of a turn of 0.5
    // rad/s, (h ω)² = 3e-7 of it, and for some hundred steps of cvode with 1e-11 each
    if (MW_OKAY(rc)) MW_NEAR(r.s[r.n_t - 1], want, 3e-7 * want);
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

static void unphysical_inertia_is_refused_unless_asked_for(void)
{
  char text[2048];
  mw_fixture f;
  snprintf(text, sizeof text, link3, "false");
  MW_CHECK(!mw_fixture_text(text, &f));
}

// A soft rod about its end, spun up by half a wave of a sine in a second and left to itself for
// another.
static const char *const rod =
    "modeway: 1\n"
    "damping: { modal: 0.1 }\n"
    "materials: { soft: { E: 1e9, nu: 0.3, rho: 1000, unusual: true } }\n"
    "sections: { bar: { general: { A: 1e-3, Iy: 2e-6, Iz: 1e-6, It: 1e-3 }, shear: false, rotary: "
    "false } }\n"
    "bodies:\n"
    "  rod:\n"
    "    beams: { points: { a: [0, 0, 0], b: [1, 0, 0] },\n"
    "             members: [ { from: a, to: b, section: bar, material: soft, elements: 40 } ] }\n"
    "    frames: { hub: { node: a }, tip: { node: b } }\n"
    "joints: { phi: { revolute: { a: ground, b: rod.hub, axis: [0, 0, 1] }, coordinate: phi, "
    "drive: m } }\n"
    "outputs: { tip: { frame: rod.tip } }\n"
    "reduction:\n"
    "  coordinates: { phi: { range: [-3.141592653589793, 3.141592653589793], cyclic: true, "
    "points: 5, max_rate: 35,\n"
    "                        max_acceleration: 60 } }\n"
    "  modes: { count: 2 }\n"
    "  tolerance: 1e-3\n"
    "scenarios:\n"
    "  spin: { duration: 2, step: 1e-3, store: 0.05, start: { phi: { at: 0, velocity: 0 } },\n"
    "          drives: { m: { force: { sine: { amplitude: %.17g, frequency: 0.5, until: 1 } } } } "
    "}\n";

// Angular momentum L = ω (J + 2 c ω²), of the rod J = ρAl³/3 and of its stretch u = (ρ/E)(l²x/2 −
// x³/6) ω², c = ∫ρA x u/ω² = 2ρ²Al⁵/(15 E), which adds 2 c ω² to J: 7.2e-4 of it at 30 rad/s. What
// is left: of second order in the strain, 4.5e-4 of that, the elements' share of the stretch, 1/40²
// of it, what is left of bending after a second of damping at 0.1 of 18 Hz, nothing, and the error
// in time, (h·47 rad/s²/ω)² or less of the rate in the middle of the pulse: one in a hundred of
// what the stretch adds is above all of them. Angles half a second apart give the rate. The load at
// the tip alone, whose response is a column anyhow, gives 5/6 of c.
static void rates_stretch_what_runs_free(void)
{
  const double J = 1.0 / 3.0, c = 2.0 / 15.0 * 1e-6, w = 30.0, pi = acos(-1.0);
  char text[4096];
  mw_fixture f;
  mw_error err = { 0 };
  mw_rom_file rom = { 0 };
  snprintf(text, sizeof text, rod, 0.5 * pi * w * (J + 2.0 * c * w * w));
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    mw_run r = { 0 };
    mw_code rc = mw_rom_run(&f.model, &f.mech, &rom, &f.model.scenario[0], NULL, NULL, &r, &err);
    if (MW_OKAY(rc) && MW_CHECK(r.n_t == 41)) {
      double rate = (r.s[40] - r.s[30]) / 0.5, rigid = w * (1.0 + 2.0 * c * w * w / J);
      printf("rod: %.9g rad/s of %g, %.9g if it did not stretch\n", rate, w, rigid);
      MW_NEAR(rate, w, 0.01 * (rigid - w));
    }
    mw_run_free(&r);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "unphysical_inertia_turns_as_published", unphysical_inertia_turns_as_published },
    { "unphysical_inertia_is_refused_unless_asked_for",
      unphysical_inertia_is_refused_unless_asked_for },
    { "rates_stretch_what_runs_free", rates_stretch_what_runs_free },
  };
  return mw_test_run("inertia", cases, (int)(sizeof cases / sizeof *cases));
}
