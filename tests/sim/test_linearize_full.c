// SPDX-License-Identifier: BSD-3-Clause
// test_linearize_full.c: unreduced elastic mechanisms as linear systems, against direct modes, the
// rigid mechanism's inertia, closed forms of beams and the reduced model.
#include <float.h>
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/linearize.h"

// Vectors end at residuals of 1e-13 of their values (lanczos.c): what is linear in them errs by a
// few of these, damping by more. Values of high modes err by ε λ_k/|σ| where the mechanism moves
// freely, by 4e5 ε of the highest here.
static const double MODES = 1e-12, DAMPED = 1e-11, FREE = 1e-10;

static mw_code full(const mw_fixture *f, const unsigned char *at, const double *value,
                    const unsigned char *held, int n, mw_arena *mem, mw_state_space *s,
                    mw_error *err)
{
  mw_position p;
  mw_code rc = mw_position_find(&f->mech, at, value, mem, &p, err);
  return rc == MW_OK ? mw_linearize_full(&f->mech, &p, held, n, mem, s, err) : rc;
}

// A cart on elastic runners with a beam and an arm, both coordinates free.
static void poles_are_the_direct_frequencies_of_free_drives(void)
{
  enum { N = 6 };
  static const double theta[2] = { 0.9, 0.3 };
  static const unsigned char at[2] = { 1, 1 }, held[2] = { 0, 0 };
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_state_space s;
  mw_error err = { 0 };
  double *hz;
  if (MW_CHECK(mw_fixture_machine("", &f)) &&
      MW_OKAY(full(&f, at, theta, held, N, &mem, &s, &err)) &&
      MW_OKAY(mw_direct_modes(&f.mech, theta, N, MW_MODES_FREE, &mem, &hz, NULL, NULL, &err)) &&
      MW_CHECK(s.n_x == 2 * (N + 2))) {
    int k = s.n_x / 2;
    for (int i = 0; i < k; i++) {
      double w = i < 2 ? 0.0 : 6.283185307179586 * hz[i - 2];
      if (i < 2) MW_CHECK(s.A[(k + i) * s.n_x + i] == 0.0);
      if (i >= 2) MW_NEAR(-s.A[(k + i) * s.n_x + i], w * w, FREE * w * w);
    }
    // a runner's damper takes energy: all elastic modes are damped
    for (int i = 2; i < k; i++) MW_CHECK(s.A[(k + i) * s.n_x + k + i] < 0.0);
  }
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// What drives accelerate as a whole: a cart of 2 kg with a mast of 0.3 kg on a hinge at its foot,
// without rotary inertia, J = m L²/3. Σ over free motions (G φ)(φ F) = M⁻¹.
static const char mast_text[] =
    "modeway: 1\nname: mast on a cart\n"
    "materials: { m: { E: 1e9, nu: 0, rho: 1000 } }\n"
    "sections: { s: { rectangle: { width: 0.02, height: 0.03 }, shear: false, rotary: false } }\n"
    "bodies:\n"
    "  cart: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "  mast:\n    beams:\n      points: { a: [0, 0, 0], b: [0, 0.5, 0] }\n"
    "      members: [ { from: a, to: b, section: s, material: m, elements: 4 } ]\n"
    "    frames: { foot: { node: a }, tip: { node: b } }\n"
    "joints:\n"
    "  A: { prismatic: { a: ground, b: cart, axis: [1, 0, 0] }, coordinate: x, drive: f }\n"
    "  B: { revolute: { a: cart, b: mast.foot, axis: [0, 0, 1] }, coordinate: q, drive: t }\n"
    "outputs: { tip: { frame: mast.tip } }\n";

static void free_motions_have_the_inertia_of_the_undeformed_mechanism(void)
{
  const double mast = 1000.0 * 0.02 * 0.03 * 0.5, J = mast * 0.5 * 0.5 / 3.0, c = -0.5 * mast * 0.5,
               M = 2.0 + mast, det = M * J - c * c;
  const double both[4] = { J / det, -c / det, -c / det, M / det };
  mw_fixture f;
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(mast_text, &f))) return;
  for (int held = 0; held < 2; held++) {
    static const unsigned char hold[2][2] = { { 0, 0 }, { 0, 1 } };
    mw_arena mem = { 0 };
    mw_state_space s;
    if (MW_OKAY(full(&f, NULL, NULL, hold[held], 0, &mem, &s, &err)) &&
        MW_CHECK(s.n_x == (held ? 2 : 4))) {
      int k = s.n_x / 2;
      for (int i = 0; i < (held ? 1 : 4); i++) {
        double y = 0.0, want = held ? 1.0 / M : both[i];
        for (int m = 0; m < k; m++) y += s.C[i / 2 * s.n_x + m] * s.B[(k + m) * 2 + i % 2];
        MW_NEAR(y, want, MODES * fabs(want));
      }
    }
    mw_arena_free(&mem);
  }
  mw_fixture_free(&f);
}

// How the tip gives way to a torque at the foot beside its free motion: the same with one mode and
// with eight, but for the cube of σ over the first λ that is left out, 0.1/7.3 of the first.
static void a_free_mechanism_gives_way_alike_with_few_modes(void)
{
  static const unsigned char held[2] = { 0, 0 };
  double y[2] = { 0.0 };
  mw_fixture f;
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(mast_text, &f))) return;
  for (int few = 0; few < 2; few++) {
    mw_arena mem = { 0 };
    mw_state_space s;
    if (MW_OKAY(full(&f, NULL, NULL, held, few ? 1 : 8, &mem, &s, &err))) {
      int k = s.n_x / 2;
      const double *C = s.C + 2 * s.n_x;  // tip.x
      y[few] = s.D[2 * 2 + 1];
      for (int i = 2; i < k; i++) y[few] += C[i] * s.B[(k + i) * 2 + 1] / -s.A[(k + i) * s.n_x + i];
    }
    mw_arena_free(&mem);
  }
  MW_CHECK(y[0] != 0.0);
  MW_NEAR(y[1], y[0], pow(0.1 / 7.3, 3.0) * fabs(y[0]));
  mw_fixture_free(&f);
}

// A cantilever without shear and rotary inertia pushed at its tip gives way by P L³/(3 E I),
// however few modes there are: what the others give is in D. Damping β of the stiffness: ζ = β ω/2.
static void a_cantilever_gives_way_by_the_closed_form_with_one_mode(void)
{
  static const char text[] =
      "modeway: 1\nname: cantilever\n"
      "damping: { beta: 1e-3 }\n"
      "materials: { m: { E: 1e9, nu: 0, rho: 1000 } }\n"
      "sections: { s: { rectangle: { width: 0.02, height: 0.03 }, shear: false, rotary: false } }\n"
      "bodies:\n"
      "  beam:\n    ground: true\n    beams:\n      points: { a: [0, 0, 0], b: [0.5, 0, 0] }\n"
      "      members: [ { from: a, to: b, section: s, material: m, elements: 5 } ]\n"
      "    supports: [ { nodes: a } ]\n"
      "    frames: { tip: { node: b } }\n"
      "drives: { push: { force: { on: beam.tip, direction: [0, 0, 1] } } }\n"
      "outputs: { tip: { frame: beam.tip } }\n";
  const double I = 0.02 * 0.03 * 0.03 * 0.03 / 12.0, L = 0.5, want = L * L * L / (3.0 * 1e9 * I);
  mw_fixture f;
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  for (int n = 1; n <= 4; n++) {
    mw_arena mem = { 0 };
    mw_state_space s;
    if (MW_OKAY(full(&f, NULL, NULL, NULL, n, &mem, &s, &err)) && MW_CHECK(s.n_x == 2 * n)) {
      double H = s.D[2];
      for (int i = 0; i < n; i++) {
        double lambda = -s.A[(n + i) * s.n_x + i], c = -s.A[(n + i) * s.n_x + n + i];
        H += s.C[2 * s.n_x + i] * s.B[n + i] / lambda;
        MW_NEAR(c, 1e-3 * lambda, DAMPED * 1e-3 * lambda);
      }
      // nothing is free: (2) at σ = 0, but for what elements' solution rounds
      MW_NEAR(H, want, MODES * want);
    }
    mw_arena_free(&mem);
  }
  mw_fixture_free(&f);
}

// At a point of its grid a reduced model has the modes of the unreduced mechanism with its
// coordinates held; with them free its lowest poles are near.
static void a_reduced_model_has_its_poles(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_arena mem = { 0 };
  mw_state_space s, r;
  mw_error err = { 0 };
  static const unsigned char at[1] = { 1 };
  const double theta[1] = { 0.5 };
  if (MW_CHECK(mw_fixture_beam("SS", 8, 0.5, 0.0, 5, 3, "", &f)) &&
      MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
    for (unsigned hold = 0; hold < 2; hold++) {
      const unsigned char held[1] = { (unsigned char)hold };
      mw_pole *a, *b;
      double zero[2];
      if (!MW_OKAY(full(&f, at, theta, held, 3, &mem, &s, &err)) ||
          !MW_OKAY(mw_linearize_reduced(&rom, theta, NULL, hold, &mem, &r, &err)) ||
          !MW_OKAY(mw_state_space_poles(&s, &mem, &a, &zero[0], &err)) ||
          !MW_OKAY(mw_state_space_poles(&r, &mem, &b, &zero[1], &err)))
        continue;
      int skip = hold ? 0 : 2;
      for (int i = skip; i < skip + 4; i++) MW_NEAR(a[i].im, b[i].im, MODES * fabs(a[i].im));
    }
  mw_rom_file_free(&rom);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

static void what_it_does_not_know_is_refused(void)
{
  static const unsigned char held[2] = { 0, 0 };
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_state_space s;
  mw_error err = { 0 };
  if (MW_CHECK(mw_fixture_machine("damping: { modal: 0.01 }\n", &f)))
    MW_FAILS(full(&f, NULL, NULL, held, 2, &mem, &s, &err), MW_ERR_INPUT);
  mw_fixture_free(&f);
  char path[512];
  snprintf(path, sizeof path, "%s/2r.yaml", MW_CASES_DIR);
  if (MW_CHECK(mw_fixture_file(path, &f))) {
    MW_FAILS(full(&f, NULL, NULL, held, 2, &mem, &s, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "no elastic body") != NULL);
  }
  mw_fixture_free(&f);
  mw_arena_free(&mem);
}

// ---- in motion ----------------------------------------------------------------------------------

// A beam of EI = I N m², 10 kg/m, 1 m, clamped to a hub without size that turns about z.
static bool open_turning(double I, const char *scenario, mw_fixture *f)
{
  char text[2048];
  snprintf(
      text, sizeof text,
      "modeway: 1\nname: turning beam\ngravity: [0, 0, 0]\n"
      "materials: { m: { E: 1e9, nu: 0, rho: 1000 } }\n"
      "sections: { s: { general: { A: 1e-2, Iy: %g, Iz: %g, It: %g }, shear: false, rotary: "
      "false } }\n"
      "bodies:\n"
      "  hub: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  beam:\n    beams:\n      points: { a: [0, 0, 0], b: [1, 0, 0] }\n"
      "      members: [ { from: a, to: b, section: s, material: m, elements: 40 } ]\n"
      "    frames: { foot: { node: a }, tip: { node: b } }\n"
      "joints:\n"
      "  turn: { revolute: { a: ground, b: hub, axis: [0, 0, 1] }, coordinate: q, drive: motor "
      "}\n"
      "  clamp: { fixed: { a: hub, b: beam.foot } }\n"
      "outputs: { tip: { frame: beam.tip } }\n"
      "reduction: { coordinates: { q: { range: [-1, 1.2] } }, modes: { count: 2 } }\n%s",
      1e-9 * I, 1e-9 * I, 2e-9 * I, scenario);
  return MW_CHECK(mw_fixture_text(text, f));
}

// Turned at a constant rate, an instant of the run is what the rate alone says.
static void a_steady_motion_is_linearized_as_its_rate_is(void)
{
  static const unsigned char held[1] = { 1 };
  const double t = 0.25, rate = 0.8, theta = 0.1 + rate * t;
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_state_space a, b;
  if (open_turning(1e3,
                   "scenarios: { go: { duration: 0.5, step: 0.01, store: 0.05, drives: { motor: { "
                   "position: { ramp: { from: 0.1, velocity: 0.8 } } } } } }\n",
                   &f) &&
      MW_OKAY(
          mw_linearize_full_motion(&f.mech, &f.model.scenario[0], t, held, 3, &mem, &a, &err)) &&
      MW_OKAY(mw_linearize_full_moving(&f.mech, &theta, &rate, 1, 3, &mem, &b, &err)) &&
      MW_CHECK(a.n_x == b.n_x && a.n_x > 0)) {
    // ω² of the highest column over the first is what errors of q grow by at most
    double most = 0.0, off = 0.0;
    for (int i = 0; i < a.n_x * a.n_x; i++) {
      most = fmax(most, fabs(b.A[i]));
      off = fmax(off, fabs(a.A[i] - b.A[i]));
    }
    printf("off by %.2e of %.2e\n", off, most);
    MW_WITHIN(off, 0.0, 1e-9 * most, "what the run's Newton method may leave of q");
    MW_WITHIN(a.y0[0], b.y0[0], 1e-9, "what the run's Newton method may leave of q");
    MW_WITHIN(a.y0[1], b.y0[1], 1e-9, "what the run's Newton method may leave of q");
  }
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// Spun up to 1 rad/s in T = 2 s, half way at θ̈ = 1 rad/s²: poles and places of the reduced model's
// run. What swings in that, and is left out here, is of the order (2π/T)²/ω₁² = 0.8 % of what bends
// (ω₁ = 35.16 1/s); poles see it, and what bends (11/120 θ̈ ρAL⁵/EI, 1e-3 m), squared.
static void an_instant_of_a_run_is_that_of_the_reduced_model(void)
{
  static const double PI = 3.14159265358979323846, W = 35.16, BENT = 11.0 / 120.0 * 1e-2;
  const double part = PI * PI / (W * W);
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_state_space a, b;
  mw_pole *p, *q;
  double zero[2];
  if (open_turning(1e3,
                   "scenarios: { go: { duration: 2, step: 2e-3, store: 0.1, drives: { motor: { "
                   "position: { spin_up: { rate: 1, end: 2 } } } } } }\n",
                   &f) &&
      MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) &&
      MW_OKAY(
          mw_linearize_full_motion(&f.mech, &f.model.scenario[0], 1.0, NULL, 2, &mem, &a, &err)) &&
      MW_OKAY(mw_linearize_reduced_motion(&f.mech, &rom, &f.model.scenario[0], 1.0, 0, &mem, &b,
                                          &err)) &&
      MW_OKAY(mw_state_space_poles(&a, &mem, &p, &zero[0], &err)) &&
      MW_OKAY(mw_state_space_poles(&b, &mem, &q, &zero[1], &err))) {
    // Ω = ½ rad/s moves ω₁ by some Ω²/(2 ω₁²) = 1e-4 of itself
    for (int i = 0; i < 4; i += 2) {
      printf("pole %.9f, %.9f 1/s\n", p[i].im, q[i].im);
      MW_NEAR(p[i].im, q[i].im, (part * BENT + BENT * BENT) * q[i].im);
    }
    for (int i = 0; i < 2; i++) {
      printf("tip %.9f, %.9f m\n", a.y0[i], b.y0[i]);
      MW_NEAR(a.y0[i], b.y0[i], part * BENT);
    }
  }
  mw_rom_file_free(&rom);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// A uniform beam clamped to a hub of no size that turns at Ω: frequencies across its plane are
// those of Wright, Smith, Thresher and Wang 1982 (J. Appl. Mech. 49, 197-202), Table 1, over
// √(EI/ρAL⁴); in its plane, where the centrifugal force follows the beam, ω² is less by Ω².
static void a_turning_beam_swings_at_published_frequencies(void)
{
  static const double TABLE[4] = { 3.5160, 3.6816, 4.1373, 4.7973 }, DIGITS = 5e-5,
                      UNIT = 0.31622776601683794;  // √(EI/ρAL⁴), 1/s
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  const double theta = 0.2;
  if (open_turning(1.0, "", &f))
    for (int turns = 0; turns < 4; turns++) {
      mw_state_space s;
      mw_pole *p;
      double zero, rate = turns * UNIT, across = TABLE[turns],
                   along = sqrt(across * across - turns * turns);
      if (!MW_OKAY(mw_linearize_full_moving(&f.mech, &theta, &rate, 1, 8, &mem, &s, &err)) ||
          !MW_OKAY(mw_state_space_poles(&s, &mem, &p, &zero, &err)))
        continue;
      printf("turning at %d: %.6f (%.6f) and %.6f (%.6f)\n", turns, p[0].im / UNIT, along,
             p[2].im / UNIT, across);
      // the centrifugal force is even over an element: 1.7e-4 from 10 to 20 elements, order two, so
      // 1.4e-5 of 40, which with eight modes and stretching (ρΩ²L²/E: 1e-6) is 0.3 of the digits
      MW_WITHIN(p[2].im / UNIT, across, 1.3 * DIGITS, "digits of the table");
      MW_WITHIN(p[0].im / UNIT, along, 1.3 * DIGITS * across / along, "digits of the table");
    }
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "poles_are_the_direct_frequencies_of_free_drives",
      poles_are_the_direct_frequencies_of_free_drives },
    { "free_motions_have_the_inertia_of_the_undeformed_mechanism",
      free_motions_have_the_inertia_of_the_undeformed_mechanism },
    { "a_free_mechanism_gives_way_alike_with_few_modes",
      a_free_mechanism_gives_way_alike_with_few_modes },
    { "a_cantilever_gives_way_by_the_closed_form_with_one_mode",
      a_cantilever_gives_way_by_the_closed_form_with_one_mode },
    { "a_reduced_model_has_its_poles", a_reduced_model_has_its_poles },
    { "a_turning_beam_swings_at_published_frequencies",
      a_turning_beam_swings_at_published_frequencies },
    { "a_steady_motion_is_linearized_as_its_rate_is",
      a_steady_motion_is_linearized_as_its_rate_is },
    { "an_instant_of_a_run_is_that_of_the_reduced_model",
      an_instant_of_a_run_is_that_of_the_reduced_model },
    { "what_it_does_not_know_is_refused", what_it_does_not_know_is_refused },
  };
  return mw_test_run("linearize full", cases, (int)(sizeof cases / sizeof *cases));
}
