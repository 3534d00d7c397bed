// SPDX-License-Identifier: BSD-3-Clause
// test_laws.c: dry friction and end stops of joint coordinates in the paths of the full mechanism:
// a cart on a rail against closed forms of its motion, by all methods.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fem/law.h"
#include "fixture.h"
#include "mw_test.h"
#include "rom/step.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"

// ---- the law alone ------------------------------------------------------------------------------

static const mw_law LAWS[] = {
  { 4.0, 7.0, 0.02, 1e-3, -0.3, 0.5, 1e5, 0.7, 1e-4, false },
  { 4.0, 4.0, 0.02, 1e-3, -INFINITY, INFINITY, 0.0, 0.0, 1.0, false },
  { 0.0, 0.0, 1.0, 1.0, -0.3, INFINITY, 1e6, 0.0, 1e-3, false },
};
static const double
    POSITIONS[] = { -0.31, -0.3001, -0.3, -0.2999, -0.1, 0.4999, 0.5, 0.5001, 0.52 },
    RATES[] = { -1.0, -0.02, -1e-3, 0.0, 1e-4, 3e-3, 0.5 };
enum {
  N_LAW = sizeof LAWS / sizeof *LAWS,
  N_POSITION = sizeof POSITIONS / sizeof *POSITIONS,
  N_RATE = sizeof RATES / sizeof *RATES
};

// The full mechanism and the reduced model have the law each for itself: some ten operations of
// rounding between them; a difference of rates or of places costs digits where terms cancel.
static void both_halves_have_the_same_law(void)
{
  for (int i = 0; i < N_LAW * N_POSITION * N_RATE; i++) {
    const mw_law *l = &LAWS[i % N_LAW];
    double s = POSITIONS[i / N_LAW % N_POSITION], v = RATES[i / (N_LAW * N_POSITION)];
    const mw_rom_law r = { .coulomb = l->coulomb,
                           .stiction = l->stiction,
                           .stribeck = l->stribeck,
                           .smooth = l->smooth,
                           .lo = l->lo,
                           .hi = l->hi,
                           .stiffness = l->stiffness,
                           .damping = l->damping,
                           .soft = l->soft };
    double f[3], g[6];
    mw_law_force(l, s, v, f);
    mw_rom_law_eval(&r, s, v, g);
    double stop = l->stiffness * (1.0 + l->damping * fabs(v));
    double scale[3] = { l->stiction + 0.05 * stop, stop,
                        3.0 * l->stiction / l->smooth + 0.05 * l->stiffness * l->damping };
    for (int k = 0; k < 3; k++) MW_NEAR(f[k], g[k], 20.0 * DBL_EPSILON * scale[k]);
  }
}

// Power f v = -(rate of V) - lost. dV/ds is taken by a central difference: truncation e²/6 V'''
// with V''' <= stiffness/soft, rounding eps V/e.
static void springs_keep_what_friction_and_damping_do_not_take(void)
{
  static const double STEP = 1e-7;
  for (int i = 0; i < N_LAW * N_POSITION * N_RATE; i++) {
    const mw_law *l = &LAWS[i % N_LAW];
    double s = POSITIONS[i / N_LAW % N_POSITION], v = RATES[i / (N_LAW * N_POSITION)];
    double f[3], a, b, lost;
    mw_law_force(l, s, v, f);
    mw_law_energy(l, s + STEP, v, &a, &lost);
    mw_law_energy(l, s - STEP, v, &b, NULL);
    mw_law_energy(l, s, v, NULL, &lost);
    MW_CHECK(lost >= 0.0);
    double slope = (a - b) / (2.0 * STEP);
    double tol = STEP * STEP / 6.0 * l->stiffness / l->soft +
                 8.0 * DBL_EPSILON * (fabs(a) + l->stiffness * l->soft * l->soft) / STEP;
    MW_NEAR(f[0] * v, -slope * v - lost, (tol + 8.0 * DBL_EPSILON * fabs(f[0])) * fabs(v));
    // without motion the law is that spring
    mw_law_force(l, s, 0.0, f);
    MW_NEAR(f[0], -slope, tol);
  }
}

// ---- a cart on a rail ---------------------------------------------------------------------------

static const double MASS = 2.0;

static bool open_cart(const char *joint, const char *scenario, mw_fixture *f)
{
  char text[2048];
  snprintf(text, sizeof text,
           "modeway: 1\n"
           "name: cart\n"
           "gravity: [0, 0, -9.81]\n"
           "bodies:\n"
           "  cart: { rigid: { mass: 2, inertia: [0.02, 0.03, 0.04, 0, 0, 0] } }\n"
           "joints:\n"
           "  rail:\n"
           "    prismatic: { a: ground, b: cart, axis: [1, 0, 0] }\n"
           "    coordinate: x\n"
           "%s"
           "drives:\n"
           "  motor: { coordinate: x }\n"
           "outputs:\n"
           "  cart: { body: cart }\n"
           "scenarios:\n"
           "  run:\n"
           "%s",
           joint, scenario);
  return MW_CHECK(mw_fixture_text(text, f));
}

// The ways through which the cart goes: the DAE of elastic bodies, and each method of the rigid
// path.
enum { DAE, RK4, LEAPFROG, ALPHA, MIDPOINT, CVODE, IDA, N_WAY };
static const char *const NAMES[N_WAY] = { "dae",      "rk4",   "leapfrog", "alpha",
                                          "midpoint", "cvode", "ida" };

static bool run_by(const mw_fixture *f, int way, double step, mw_run *r)
{
  static const mw_method method[N_WAY] = { MW_METHOD_ALPHA, MW_METHOD_RK4,      MW_METHOD_LEAPFROG,
                                           MW_METHOD_ALPHA, MW_METHOD_MIDPOINT, MW_METHOD_CVODE,
                                           MW_METHOD_IDA };
  mw_error err = { 0 };
  const mw_scenario *sc = &f->model.scenario[0];
  *r = (mw_run){ 0 };
  if (way == DAE) {
    mw_dae_opt o = mw_dae_opt_default();
    o.step = step;
    return MW_OKAY(mw_dae_run(&f->mech, sc, "full", &o, NULL, r, &err));
  }
  mw_rigid_run_opt o = mw_rigid_run_opt_default(sc);
  o.rigid.method = method[way];
  o.rigid.tolerance = 1e-10;
  o.step = step;
  return MW_OKAY(mw_rigid_run(&f->mech, sc, &o, NULL, r, &err));
}

static double last(const mw_run *r, const double *x) { return x[r->n_t - 1]; }

// d(p), U(p) = ∫ d dp of law.h, G(v) = ∫ v/(1 + c v) dv
static double spring(double p, double soft)
{
  return 0.25 * (p * p + p * hypot(p, soft) + soft * soft * asinh(p / soft));
}
static double rebound(double v, double c) { return v / c - log1p(c * v) / (c * c); }

// Off the lower stop, which is far away, v dv/dx = -(k/m) d (1 + c v): G(v) + (k/m) U(x - hi) stays
// the same from before the impact until after it, an exact law of restitution. What a method of
// order 2 errs by with half the step is a third of what halving it changed, of a higher order less.
// Adaptive ones: 1e-10 of the state a step, some thousand steps; ten times that in energies, whose
// scale is the cart's before it lost some.
static void an_impact_gives_back_what_its_damping_leaves(void)
{
  static const double K = 1e5, C = 0.4, SOFT = 1e-4, HI = 0.04, V0 = 1.0;
  mw_fixture f;
  if (!open_cart("    stops: { range: [-1000, 0.04], stiffness: 1e5, damping: 0.4, soft: 1e-4 }\n",
                 "    duration: 0.12\n    step: 2e-5\n    store: 1e-3\n"
                 "    start: { x: { at: 0, velocity: 1 } }\n",
                 &f))
    return;
  double before = rebound(V0, C) + K / MASS * spring(0.0 - HI, SOFT);
  for (int way = 0; way < N_WAY; way++) {
    double miss[2] = { NAN, NAN }, drift[2] = { NAN, NAN };
    bool adaptive = way == CVODE || way == IDA;
    for (int i = adaptive; i < 2; i++) {
      mw_run r;
      if (run_by(&f, way, i == 0 ? 2e-5 : 1e-5, &r)) {
        double v = last(&r, r.s_dot);
        miss[i] = rebound(v, C) + K / MASS * spring(last(&r, r.s) - HI, SOFT) - before;
        drift[i] = r.energy_drift;
        MW_CHECK(v < -0.7 && v > -0.9 && last(&r, r.s) < 0.0);
      }
      mw_run_free(&r);
    }
    printf("%-9s impact %.1e, energy %.1e\n", NAMES[way], miss[1], drift[1]);
    double half = adaptive ? 0.0 : fabs(miss[0] - miss[1]) / 2.0,
           quarter = adaptive ? 0.0 : fabs(drift[0] - drift[1]) / 2.0;
    MW_NEAR(miss[1], 0.0, half + 1e-7);
    MW_NEAR(drift[1], 0.0, quarter + 1e-6);
  }
  mw_fixture_free(&f);
}

// m v' = -F v/√(v² + s²):  t = (m/F) [√(v² + s²) − s asinh(s/v)] from v(t) to v(0).
static void friction_stops_the_cart_when_it_should(void)
{
  static const double F = 10.0, S = 1e-3, V0 = 0.5, T = 0.098;
  mw_fixture f;
  if (!open_cart("    drive_friction: { coulomb: 10 }\n",
                 "    duration: 0.098\n    step: 2e-4\n    store: 0.98e-3\n"
                 "    start: { x: { at: 0, velocity: 0.5 } }\n",
                 &f))
    return;
  for (int way = 0; way < N_WAY; way++) {
    bool adaptive = way == CVODE || way == IDA;
    double miss[2] = { NAN, NAN }, drift[2] = { NAN, NAN };
    for (int i = adaptive; i < 2; i++) {
      mw_run r;
      if (run_by(&f, way, i == 0 ? 9.8e-5 : 4.9e-5, &r)) {
        double v = last(&r, r.s_dot);
        MW_CHECK(v > 0.0 && v < 0.05);
        miss[i] =
            MASS / F * (hypot(V0, S) - S * asinh(S / V0) - hypot(v, S) + S * asinh(S / v)) - T;
        drift[i] = r.energy_drift;
        // all its energy is gone, as heat
        MW_NEAR(last(&r, r.work), -0.5 * MASS * (V0 * V0 - v * v), r.energy_drift);
      }
      mw_run_free(&r);
    }
    printf("%-9s friction %.1e s, energy %.1e\n", NAMES[way], miss[1], drift[1]);
    MW_NEAR(miss[1], 0.0, (adaptive ? 0.0 : fabs(miss[0] - miss[1]) / 2.0) + 1e-7);
    MW_NEAR(drift[1], 0.0, (adaptive ? 0.0 : fabs(drift[0] - drift[1]) / 2.0) + 1e-6);
  }
  mw_fixture_free(&f);
}

// A force below coulomb: F = coulomb v/√(v² + s²), which is v = s F/√(coulomb² − F²). Steps of 1
// ms, five times the time constant m s/coulomb that explicit methods would have to follow.
static void what_sticks_creeps_at_the_smoothed_rate(void)
{
  static const int ways[] = { DAE, ALPHA, MIDPOINT, CVODE, IDA };
  mw_fixture f;
  if (!open_cart("    drive_friction: { coulomb: 10, smooth: 1e-3 }\n",
                 "    duration: 0.4\n    step: 1e-3\n    store: 1e-2\n"
                 "    drives: { motor: { force: 6 } }\n",
                 &f))
    return;
  for (int i = 0; i < 5; i++) {
    mw_run r;
    if (run_by(&f, ways[i], 1e-3, &r))
      // transients are gone after 400 steps (0.8 a step at most); tolerances of accelerations 1e-9
      // g, over coulomb/(m s)
      MW_NEAR(last(&r, r.s_dot), 1e-3 * 6.0 / 8.0, 1e-9);
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

// Friction of 100 N that changes its sign over 1 mm/s, on 2 kg, with steps of 1 ms: it alone
// decides where the cart goes, and Newton's tangent overshoots. Kinks as sharp as these leave order
// 1: twice the change of halving the step is the error, doubled for steps that are not small yet.
static void friction_that_turns_within_a_step_converges(void)
{
  mw_fixture f;
  mw_run r[3];
  if (!open_cart("    drive_friction: { coulomb: 100, smooth: 1e-3 }\n",
                 "    duration: 0.5\n    step: 1e-3\n    store: 1e-2\n"
                 "    drives: { motor: { force: { sine: { amplitude: 140, frequency: 5 } } } }\n",
                 &f))
    return;
  bool fine[3] = { run_by(&f, DAE, 1e-3, &r[0]), run_by(&f, DAE, 5e-4, &r[1]),
                   run_by(&f, CVODE, 1e-3, &r[2]) };
  double half = 0.0, off = 0.0, most = 0.0;
  for (int k = 0; fine[0] && fine[1] && fine[2] && k < r[0].n_t; k++) {
    half = fmax(half, fabs(r[0].s[k] - r[1].s[k]));
    off = fmax(off, fabs(r[0].s[k] - r[2].s[k]));
    most = fmax(most, fabs(r[2].s[k]));
  }
  MW_NEAR(off, 0.0, 4.0 * half);
  MW_CHECK(half < 0.02 * most);
  for (int i = 0; i < 3; i++) mw_run_free(&r[i]);
  mw_fixture_free(&f);
}

// What a prescribed drive must give: friction while it moves; the stop's spring where it holds the
// cart pressed in at rest.
static void a_drive_feels_friction_and_stop(void)
{
  static const int ways[] = { DAE, RK4, ALPHA, CVODE };
  mw_fixture f;
  if (open_cart("    drive_friction: { coulomb: 10, static: 16, stribeck: 0.1 }\n",
                "    duration: 0.1\n    step: 1e-3\n    store: 1e-2\n"
                "    start: { x: { at: 0, velocity: 0.2 } }\n"
                "    drives: { motor: { position: { ramp: { from: 0, velocity: 0.2 } } } }\n",
                &f)) {
    double want = (10.0 + 6.0 / (1.0 + 4.0)) * 0.2 / hypot(0.2, 1e-3);
    for (int i = 0; i < 4; i++) {
      mw_run r;
      if (run_by(&f, ways[i], 1e-3, &r))
        MW_NEAR(last(&r, r.force), want, 1e-7);  // tolerance of accelerations, times the mass
      mw_run_free(&r);
    }
    mw_fixture_free(&f);
  }
  if (open_cart("    stops: { range: [-1, 1], stiffness: 1e5, soft: 1e-3 }\n",
                "    duration: 0.01\n    step: 1e-3\n    store: 1e-2\n"
                "    drives: { motor: { position: 1.002 } }\n",
                &f)) {
    double want =
        1e5 * 0.5 * (0.002 + hypot(0.002, 1e-3)) - 1e5 * 0.5 * (-2.002 + hypot(2.002, 1e-3));
    for (int i = 0; i < 4; i++) {
      mw_run r;
      if (run_by(&f, ways[i], 1e-3, &r)) MW_NEAR(last(&r, r.force), want, 1e-6);
      mw_run_free(&r);
    }
    mw_fixture_free(&f);
  }
}

static const mw_test_case cases[] = {
  { "both_halves_have_the_same_law", both_halves_have_the_same_law },
  { "springs_keep_what_friction_and_damping_do_not_take",
    springs_keep_what_friction_and_damping_do_not_take },
  { "an_impact_gives_back_what_its_damping_leaves", an_impact_gives_back_what_its_damping_leaves },
  { "friction_stops_the_cart_when_it_should", friction_stops_the_cart_when_it_should },
  { "what_sticks_creeps_at_the_smoothed_rate", what_sticks_creeps_at_the_smoothed_rate },
  { "friction_that_turns_within_a_step_converges", friction_that_turns_within_a_step_converges },
  { "a_drive_feels_friction_and_stop", a_drive_feels_friction_and_stop },
};

int main(void) { return mw_test_run("laws", cases, (int)(sizeof cases / sizeof *cases)); }
