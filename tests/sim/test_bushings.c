// SPDX-License-Identifier: BSD-3-Clause
// test_bushings.c: springs against turns (fem/joint/spring.c) in all paths, against closed forms
// and the equations of a rigid body: the moment k φ, swings of any amplitude, turns in space with
// dampers, and a spinning wheel on a soft bearing, reduced.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../fixture.h"
#include "base/vec3.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "rom_step.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"

enum { TEXT = 4096 };

static bool run(const mw_fixture *f, int scenario, bool rigid, mw_run *out, mw_error *err)
{
  const mw_scenario *sc = &f->model.scenario[scenario];
  mw_dae_opt opt = mw_dae_opt_default();
  mw_code rc = rigid ? mw_rigid_run(&f->mech, sc, NULL, NULL, out, err)
                     : mw_dae_run(&f->mech, sc, "full", &opt, NULL, out, err);
  if (rc != MW_OK) mw_run_free(out);
  return rc == MW_OK;
}

// ---- about one axis -----------------------------------------------------------------------------

// 1 kg m² about z, 100 N m/rad: 10 rad/s
static const char *const hinge =
    "modeway: 1\n"
    "bodies: { wheel: { rigid: { mass: 2, inertia: [0.6, 0.7, 1, 0, 0, 0] } } }\n"
    "joints: { h: { revolute: { a: ground, b: wheel, axis: [0, 0, 1] }, coordinate: phi, drive: m "
    "} }\n"
    "springs: { s: { a: ground, b: wheel, stiffness: [0, 0, 0, %s, 100], damping: [0, 0, 0, 0, 0, "
    "%g] } }\n"
    "outputs: { e: { body: wheel } }\n"
    "scenarios:\n"
    "  hold: { duration: 0.01, step: 1e-3, store: 1e-2, drives: { m: { force: %.17g } } }\n"
    "  swing: { duration: 1, step: 5e-4, store: 1e-2, initial: undeformed,\n"
    "           %s, rigid: { tolerance: 1e-10 } }\n";

// Beside none, one and two more stiffnesses against turns: three measures, one angle (against the
// third axis alone a tilt has none).
static const char *const beside[3] = { "0, 0", "30, 0", "30, 70" };

static void static_moment_is_stiffness_times_angle(void)
{
  static const double moment[4] = { 40.0, -120.0, 200.0, 300.0 };
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 4; i++) {
      char text[TEXT];
      mw_fixture f = { 0 };
      mw_error err = { 0 };
      snprintf(text, sizeof text, hinge, beside[k], 0.0, moment[i], "start: { phi: 0 }");
      if (!MW_CHECK(mw_fixture_text(text, &f))) return;
      for (int rigid = 0; rigid < 2; rigid++) {
        mw_run r = { 0 };
        // corrections of the static start end at 1e-9 of the size, 1 m
        if (MW_CHECK(run(&f, 0, rigid != 0, &r, &err)))
          MW_WITHIN(r.s[0], moment[i] / 100.0, 1e-9,
                    "what corrections of the static start may leave");
        mw_run_free(&r);
      }
      mw_fixture_free(&f);
    }
}

// φ = A e^(−ζωt) (cos ω't + ζω/ω' sin ω't) at any A, with ζ = c/20. The full path errs by its step,
// a phase of up to three times ωt/12 of (ωh)², and of (Aωh)² as its frames turn, t = 1 s; the rigid
// one by 1e-10 a step, of some thousand.
static void swings_have_one_frequency_at_any_amplitude(void)
{
  static const double amplitude[3] = { 0.1, 1.0, 3.0 };
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 6; i++) {
      char text[TEXT], start[64];
      mw_fixture f = { 0 };
      mw_error err = { 0 };
      double A = amplitude[i % 3], c = i < 3 ? 0.0 : 4.0, zw = 0.5 * c, w = sqrt(100.0 - zw * zw);
      snprintf(start, sizeof start, "start: { phi: { at: %.17g } }", A);
      snprintf(text, sizeof text, hinge, beside[k], c, 0.0, start);
      if (!MW_CHECK(mw_fixture_text(text, &f))) return;
      for (int rigid = 0; rigid < 2; rigid++) {
        mw_run r = { 0 };
        double off = 0.0;
        if (!MW_CHECK(run(&f, 1, rigid != 0, &r, &err))) fprintf(stderr, "%s\n", err.msg);
        for (int t = 0; t < r.n_t; t++) {
          double x = r.t[t];
          off = fmax(off, fabs(r.s[t] - A * exp(-zw * x) * (cos(w * x) + zw / w * sin(w * x))));
        }
        MW_CHECK(r.n_t == 101);
        MW_NEAR(off / A, 0.0, rigid ? 1e-6 : 3.0 * 10.0 / 12.0 * 25e-6 * (1.0 + A * A));
        mw_run_free(&r);
      }
      mw_fixture_free(&f);
    }
}

// A moment that would turn it to 5 rad and more: both paths say where that ends.
static void half_turns_are_refused_by_name(void)
{
  char text[TEXT];
  mw_fixture f = { 0 };
  mw_error err = { 0 };
  snprintf(text, sizeof text, hinge, "0, 0", 0.0, 0.0, "drives: { m: { force: 250 } }");
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  for (int rigid = 0; rigid < 2; rigid++) {
    mw_run r = { 0 };
    MW_CHECK(!run(&f, 1, rigid != 0, &r, &err));
    MW_CHECK(err.code == MW_ERR_RANGE && err.line == 4);
    MW_CHECK(strstr(err.msg, "spring s is turned by 3.1") != NULL && strstr(err.msg, "at t = 0.1"));
  }
  mw_fixture_free(&f);
}

// A shaft that runs out in a bearing soft against tilt, and in a damper alone: φ = ω₀/λ (1 −
// e^(−λt)), λ = c/I = 2 1/s, four turns.
static void shafts_turn_on_and_on_in_soft_bearings(void)
{
  static const char *const tilt[2] = { "0, 0", "30, 30" };
  for (int k = 0; k < 2; k++) {
    char text[TEXT];
    mw_fixture f = { 0 };
    mw_error err = { 0 };
    snprintf(
        text, sizeof text,
        "modeway: 1\n"
        "bodies: { wheel: { rigid: { mass: 2, inertia: [0.6, 0.7, 1, 0, 0, 0] } } }\n"
        "joints: { h: { revolute: { a: ground, b: wheel, axis: [0, 0, 1] }, coordinate: phi } }\n"
        "springs: { s: { a: ground, b: wheel, stiffness: [0, 0, 0, %s, 0], damping: [0, 0, 0, 0, "
        "0, 2] } }\n"
        "outputs: { e: { body: wheel } }\n"
        "scenarios: { out: { duration: 1, step: 5e-4, store: 1e-2, initial: undeformed,\n"
        "             start: { phi: { at: 0, velocity: 60 } }, rigid: { tolerance: 1e-10 } } }\n",
        tilt[k]);
    if (!MW_CHECK(mw_fixture_text(text, &f))) return;
    for (int rigid = 0; rigid < 2; rigid++) {
      mw_run r = { 0 };
      if (!MW_CHECK(run(&f, 0, rigid != 0, &r, &err))) fprintf(stderr, "%s\n", err.msg);
      MW_CHECK(r.n_t == 101);
      // the full path errs by its step, (60 h)²/12 of the rate and some times that
      for (int i = 0; i < r.n_t; i++)
        MW_NEAR(r.s[i], 30.0 * (1.0 - exp(-2.0 * r.t[i])),
                30.0 * (rigid ? 1e-7 : 3.0 * 9e-4 / 12.0));
      mw_run_free(&r);
    }
    mw_fixture_free(&f);
  }
}

// ---- in space -----------------------------------------------------------------------------------

static const double inertia[3] = { 0.02, 0.03, 0.045 }, stiff[3] = { 5.0, 8.0, 12.0 },
                    arm[3] = { 0.3, 0.1, 0.2 }, PUSH = 50.0, RISE = 0.1;

static const char *const ball =
    "modeway: 1\n"
    "bodies: { top: { rigid: { mass: 2, inertia: [0.02, 0.03, 0.045, 0, 0, 0] },\n"
    "                 frames: { tip: { point: [0.3, 0.1, 0.2] } } } }\n"
    "joints: { j: { spherical: { a: ground, b: top } } }\n"
    "springs: { s: { a: ground, b: top, stiffness: [0, 0, 0, 5, 8, 12], damping: [0, 0, 0, %g, "
    "%g, %g] } }\n"
    "drives: { push: { force: { on: top.tip, direction: [0.6, 0, -0.8] } } }\n"
    "outputs: { tip: { frame: top.tip } }\n"
    "scenarios:\n"
    "  go: { duration: 1, step: %g, store: 1e-2, rigid: { method: %s, tolerance: 1e-10 },\n"
    "        drives: { push: { force: { table: { time: [0, 0.1, 0.2], value: [0, 50, 0] } } } } "
    "}\n";

// y = J_r⁻¹(φ) x or, with −φ, J_l⁻¹ and the transposed:  1 + ½ φ~ + (1/θ² − (1 + cos θ)/(2 θ sin
//                                                        θ)) φ~²
static void rate_of(const double phi[3], const double x[3], double y[3])
{
  double th = mw_norm3(phi), a[3], b[3];
  double c = th < 1e-3 ? 1.0 / 12.0 + th * th / 720.0
                       : 1.0 / (th * th) - (1.0 + cos(th)) / (2.0 * th * sin(th));
  mw_cross3(phi, x, a);
  mw_cross3(phi, a, b);
  for (int i = 0; i < 3; i++) y[i] = x[i] + 0.5 * a[i] + c * b[i];
}

// x = (φ, ω in body axes): φ' = J_r⁻¹ ω ,  I ω' = −ω × Iω − J_r⁻ᵀ (Kφ + Cφ') + r × RᵀF
static void slope(double t, const double *x, const double damp[3], double *out)
{
  static const double dir[3] = { 0.6, 0.0, -0.8 };
  const double minus[3] = { -x[0], -x[1], -x[2] }, *w = x + 3;
  double pull[3], m[3], F[3], T[3], Iw[3], g[3], p = fmax(0.0, 1.0 - fabs(t - RISE) / RISE);
  rate_of(x, w, out);
  for (int i = 0; i < 3; i++) {
    pull[i] = stiff[i] * x[i] + damp[i] * out[i];
    F[i] = PUSH * p * dir[i];
    Iw[i] = inertia[i] * w[i];
  }
  rate_of(minus, pull, m);
  mw_turn3(minus, F, F);
  mw_cross3(arm, F, T);
  mw_cross3(w, Iw, g);
  for (int i = 0; i < 3; i++) out[3 + i] = (T[i] - m[i] - g[i]) / inertia[i];
}

static void advance(double t, double h, const double damp[3], double *x)
{
  static const double at[4] = { 0.0, 0.5, 0.5, 1.0 }, weight[4] = { 1.0, 2.0, 2.0, 1.0 };
  double k[6] = { 0.0 }, y[6], sum[6] = { 0.0 };
  for (int stage = 0; stage < 4; stage++) {
    for (int i = 0; i < 6; i++) y[i] = x[i] + at[stage] * h * k[i];
    slope(t + at[stage] * h, y, damp, k);
    for (int i = 0; i < 6; i++) sum[i] += weight[stage] * k[i];
  }
  for (int i = 0; i < 6; i++) x[i] += h / 6.0 * sum[i];
}

// Largest distance of the tip from the equations' (RK4 by 1e-4 s, 1e-11 of it), the farthest turn,
// and the run's energy drift.
static bool space(double damping, const char *method, double step, double *off, double *turn,
                  double *drift)
{
  const double damp[3] = { damping, 2.0 * damping, 0.5 * damping };
  char text[TEXT];
  mw_fixture f = { 0 };
  mw_error err = { 0 };
  mw_run r = { 0 };
  bool full = strcmp(method, "full") == 0;
  double x[6] = { 0.0 };
  snprintf(text, sizeof text, ball, damp[0], damp[1], damp[2], step, full ? "cvode" : method);
  if (!MW_CHECK(mw_fixture_text(text, &f))) return false;
  bool good = MW_CHECK(run(&f, 0, !full, &r, &err));
  if (!good) fprintf(stderr, "%s\n", err.msg);
  *off = *turn = 0.0;
  for (int k = 0; good && k < r.n_t; k++) {
    double tip[3];
    mw_turn3(x, arm, tip);
    for (int i = 0; i < 3; i++) *off = fmax(*off, fabs(r.y[3 * k + i] - tip[i]));
    *turn = fmax(*turn, mw_norm3(x));
    for (int i = 0; i < 100; i++) advance(r.t[k] + 1e-4 * i, 1e-4, damp, x);
  }
  *drift = r.energy_drift;
  mw_run_free(&r);
  mw_fixture_free(&f);
  return good;
}

// With and without dampers, turned by 2 rad about changing axes: the rigid path to its tolerance,
// the fixed steps to second order.
static void turns_in_space_follow_the_equations(void)
{
  for (int k = 0; k < 2; k++) {
    double damping = 0.02 * k, off, turn, drift, last[2] = { 0.0 };
    if (!space(damping, "cvode", 1e-3, &off, &turn, &drift)) return;
    printf("damping %g: turned by %.2f rad, cvode off by %.1e m, energy by %.1e\n", damping, turn,
           off, drift);
    MW_CHECK(turn > 1.5 && turn < 3.0);
    MW_NEAR(off, 0.0, 1e-6);  // some thousand steps of 1e-10
    MW_NEAR(drift, 0.0, 1e-6);
    static const char *const fixed[2] = { "full", "midpoint" };
    for (int m = 0; m < 2; m++)
      for (int i = 0; i < 2; i++) {
        if (!space(damping, fixed[m], i == 0 ? 1e-3 : 5e-4, &off, &turn, &drift)) return;
        printf("%s, step %g: off by %.2e m, energy by %.1e\n", fixed[m], i == 0 ? 1e-3 : 5e-4, off,
               drift);
        // the next order is of relative size of some times ωh = 0.03
        if (i == 1) MW_NEAR(last[0] / off, 4.0, 0.4);
        if (i == 1) MW_NEAR(last[1] / drift, 4.0, 0.4);
        last[0] = off;
        last[1] = drift;
      }
  }
}

// ---- reduced ------------------------------------------------------------------------------------

// A wheel that spins at 20 rad/s in a housing that tilts on a soft bearing at 40 rad/s, pushed;
// beside it the post that the eigenanalysis wants.
static const char *const rotor =
    "modeway: 1\n"
    "materials: { steel: { E: 210e9, nu: 0.3, rho: 7800 } }\n"
    "sections: { bar: { rectangle: { width: 0.05, height: 0.05 } } }\n"
    "bodies:\n"
    "  post:\n"
    "    ground: true\n"
    "    beams:\n"
    "      points: { a: [2, 0, 0], b: [2, 0.1, 0] }\n"
    "      members: [ { from: a, to: b, section: bar, material: steel, elements: 6 } ]\n"
    "    supports: [ { nodes: a } ]\n"
    "  housing: { rigid: { mass: 3, com: [0, 0, 0.1], inertia: [0.02, 0.02, 0.01, 0, 0, 0] },\n"
    "             frames: { foot: { point: [0, 0, 0] }, top: { point: [0, 0, 0.2] } } }\n"
    "  wheel: { at: [0, 0, 0.2], rigid: { mass: 2, inertia: [0.01, 0.01, 0.018, 0, 0, 0] } }\n"
    "springs: { mount: { a: ground, b: housing.foot, stiffness: [2e4, 2e4, 2e4, 300, 300, 200],\n"
    "                    damping: [5, 5, 5, 0.05, 0.05, 0.05] } }\n"
    "joints: { spin: { revolute: { a: housing.top, b: wheel, axis: [0, 0, 1] }, coordinate: phi, "
    "drive: m } }\n"
    "drives: { push: { force: { on: housing.top, direction: [1, 0, 0] } } }\n"
    "outputs: { top: { frame: housing.top } }\n"
    "reduction:\n"
    "  coordinates: { phi: { range: [-3.141592653589793, 3.141592653589793], cyclic: true, "
    "points: 9, max_rate: 30 } }\n"
    "  inputs: { push: 60 }\n"
    "  modes: { count: 6 }\n"
    "  certificate: { points: 1, samples: 0 }\n"
    "scenarios:\n"
    "  much: { duration: 1, step: 1e-4, store: 5e-3, start: { phi: 0 }, drives: {\n"
    "    m: { position: { ramp: { from: 0, velocity: 20 } } },\n"
    "    push: { force: { table: { time: [0, 0.02, 0.04], value: [0, 40, 0] } } } } }\n"
    "  little: { duration: 1, step: 1e-4, store: 5e-3, start: { phi: 0 }, drives: {\n"
    "    m: { position: { ramp: { from: 0, velocity: 20 } } },\n"
    "    push: { force: { table: { time: [0, 0.02, 0.04], value: [0, 20, 0] } } } } }\n";

// All motions are columns: what the reduced model errs by is of third order in its tilt, an eighth
// at half the push.
static void tilted_rotor_errs_by_third_order(void)
{
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  static const double STEP = 2e-5;  // s
  double off[2] = { 0.0 }, peak[2] = { 0.0 };
  if (!MW_CHECK(mw_fixture_text(rotor, &f))) return;
  bool good = MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) &&
              MW_CHECK(rom.rom.parts & MW_ROM_THIRD);
  for (int k = 0; good && k < 2; k++) {
    mw_run want = { 0 }, got = { 0 };
    const mw_scenario *sc = &f.model.scenario[k];
    good = MW_CHECK(run(&f, k, true, &want, &err)) &&
           MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, sc, MW_ROM_STEP(STEP), NULL, &got, &err));
    for (int i = 0; good && i < 3 * want.n_t; i++) {
      off[k] = fmax(off[k], fabs(got.y[i] - want.y[i]));
      peak[k] = fmax(peak[k], fabs(want.y[i] - want.y[i % 3]));
    }
    mw_run_free(&want);
    mw_run_free(&got);
  }
  if (good) {
    double w = peak[0] / 0.2;
    printf("rotor tilted by %.4f rad: off by %.2e of the peak, by half the push %.2e\n", w,
           off[0] / peak[0], off[1] / peak[1]);
    MW_NEAR(off[0] / peak[0], 0.0, 40.0 * w * w);  // (w/L)² of a phase of 40 rad
    // the rule's own error, of first order in the push, is e of that by half the push: (8 + 2 e)/(1
    // + e); and the next order
    double e = 40.0 * pow(40.0 * STEP, 2.0) / 12.0 / (off[1] / peak[1]);
    MW_NEAR(off[0] / off[1], 8.0, 6.0 * e / (1.0 - e) + 8.0 * 40.0 * w * w);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "static_moment_is_stiffness_times_angle", static_moment_is_stiffness_times_angle },
    { "swings_have_one_frequency_at_any_amplitude", swings_have_one_frequency_at_any_amplitude },
    { "shafts_turn_on_and_on_in_soft_bearings", shafts_turn_on_and_on_in_soft_bearings },
    { "half_turns_are_refused_by_name", half_turns_are_refused_by_name },
    { "turns_in_space_follow_the_equations", turns_in_space_follow_the_equations },
    { "tilted_rotor_errs_by_third_order", tilted_rotor_errs_by_third_order },
  };
  return mw_test_run("bushings", cases, (int)(sizeof cases / sizeof *cases));
}
