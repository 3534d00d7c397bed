// SPDX-License-Identifier: BSD-3-Clause
// test_joint_friction.c: dry friction of joints in proportion to their reaction, in every path with
// one: closed forms of a cart, a block on an incline and a pendulum, and one machine path by path.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/case.h"

static const double G = 9.81;

static bool open_text(const char *text, mw_case *c)
{
  char path[] = "/tmp/modeway_friction_XXXXXX";
  mw_error err = { 0 };
  int fd = mkstemp(path);
  size_t n = strlen(text);
  bool ok = MW_CHECK(fd >= 0) && MW_CHECK(write(fd, text, n) == (ssize_t)n);
  if (fd >= 0) close(fd);
  ok = ok && MW_OKAY(mw_case_read(path, c, &err));
  unlink(path);
  return ok;
}

// Paths that have joints' reactions; the rigid one to 1e-10, and by its implicit fixed steps.
enum { RIGID, FULL, BODY, ALPHA, MIDPOINT, N_WAY };
static const char *const NAMES[N_WAY] = { "rigid", "full", "body", "alpha", "midpoint" };

static bool run_by(const mw_case *c, int way, double step, mw_run *r)
{
  const mw_scenario *sc = &c->model.scenario[0];
  mw_rigid_in rigid = sc->rigid;
  mw_path_opt opt = { .step = step, .body_modes = 20, .rigid = &rigid };
  mw_error err = { 0 };
  rigid.method = way == ALPHA      ? MW_METHOD_ALPHA
                 : way == MIDPOINT ? MW_METHOD_MIDPOINT
                                   : MW_METHOD_CVODE;
  rigid.tolerance = 1e-10;
  *r = (mw_run){ 0 };
  return MW_OKAY(mw_path_run(c, sc, NAMES[way < ALPHA ? way : RIGID], &opt, r, &err));
}

static double last(const mw_run *r, const double *x) { return x[r->n_t - 1]; }

// ---- a cart of 2 kg on ways ---------------------------------------------------------------------

static bool open_cart(const char *gravity, const char *friction, const char *scenario, mw_case *c)
{
  char text[2048];
  snprintf(text, sizeof text,
           "modeway: 1\n"
           "gravity: %s\n"
           "bodies:\n"
           "  cart: { rigid: { mass: 2, inertia: [0.02, 0.03, 0.04, 0, 0, 0] },\n"
           "    frames: { p: { point: [0, 0, 0] } } }\n"
           "joints:\n"
           "  ways: { prismatic: { a: ground, b: cart, axis: [1, 0, 0] }, coordinate: x,\n"
           "    friction: %s }\n"
           "drives: { press: { force: { on: cart.p, direction: [0, 0, -1] } } }\n"
           "outputs: { cart: { body: cart } }\n"
           "scenarios: { run: %s }\n",
           gravity, friction, scenario);
  return open_text(text, c);
}

// The ways push m g up: m v' = −μ m g tanh(v/s), t = s/(μ g) ln(sinh(v0/s)/sinh(v(t)/s)), and all
// that the cart lost is heat. What a method of order 2 errs by with half the step is a third of
// what halving it changed.
static void a_cart_slows_down_as_its_weight_says(void)
{
  static const double MU = 0.3, S = 1e-3, V0 = 0.2, T = 0.065;
  mw_case c = { 0 };
  if (!open_cart("[0, 0, -9.81]", "{ coulomb: 0.3, smooth: 1e-3 }",
                 "{ duration: 0.065, step: 1e-4, store: 1.3e-3,\n"
                 "    start: { x: { at: 0, velocity: 0.2 } } }",
                 &c))
    return;
  for (int way = 0; way < N_WAY; way++) {
    double miss[2] = { 0.0, NAN };
    for (int i = way == RIGID; i < 2; i++) {
      mw_run r;
      if (run_by(&c, way, i == 0 ? 1e-4 : 5e-5, &r)) {
        double v = last(&r, r.s_dot);
        // ln sinh x = x + ln((1 − e^(−2x))/2)
        double ends = (V0 - v) / S - log1p(-exp(-2.0 * v / S));
        MW_CHECK(v > 1e-3 && v < 0.05);
        miss[i] = S / (MU * G) * ends - T;
        MW_NEAR(last(&r, r.work), -(V0 * V0 - v * v), r.energy_drift);
      }
      mw_run_free(&r);
    }
    printf("%-8s time to slow down off by %.1e s\n", NAMES[way], miss[1]);
    MW_NEAR(miss[1], 0.0, (way == RIGID ? 0.0 : fabs(miss[0] - miss[1]) / 2.0) + 1e-8);
  }
  mw_case_free(&c);
}

// From rest at a = g_x − μ g_z: v = a t, and beyond it by what friction lacks while it builds up,
// ∫ μ g_z (1 − tanh(v/s)) dt = ln 2 μ g_z s/a at most, however far a step goes beyond s. Twice that
// for a method that meets friction at the ends of its steps alone.
static void a_cart_starts_as_friction_lets_it_with_any_step(void)
{
  static const double MU = 0.1, S = 1e-6, T = 0.3, GX = 4.7, GZ = 8.6;
  static const int ways[] = { RIGID, FULL, BODY };
  double a = GX - MU * GZ, beyond = 2.0 * log(2.0) * MU * GZ * S / a;
  mw_case c = { 0 };
  if (!open_cart("[4.7, 0, -8.6]", "{ coulomb: 0.1, smooth: 1e-6 }",
                 "{ duration: 0.3, step: 1e-3, store: 0.1, start: { x: 0 } }", &c))
    return;
  for (int i = 0; i < 3; i++) {
    mw_run r;
    if (run_by(&c, ways[i], 1e-3, &r)) {
      printf("%-8s starts faster than it should by %.1e m/s\n", NAMES[ways[i]],
             last(&r, r.s_dot) - a * T);
      MW_NEAR(last(&r, r.s_dot), a * T, beyond);
      MW_NEAR(last(&r, r.s), 0.5 * a * T * T, beyond * T);
    }
    mw_run_free(&r);
  }
  mw_case_free(&c);
}

// x = 1/(μ g) ∫ v coth(v/s) dv = (v0²/2 + π² s²/12)/(μ g), but for e^(−2 v0/s) of it. With steps
// far above s/(μ g), the time constant of what sticks, the last step before the stop decides: its
// position is off by μ g h²/2 at most.
static void a_cart_stops_after_half_its_speed_squared_over_mu_g(void)
{
  static const double MU = 0.3, S = 1e-4, V0 = 0.2, H[2] = { 2e-4, 1e-4 };
  const double want = (0.5 * V0 * V0 + pow(acos(-1.0) * S, 2.0) / 12.0) / (MU * G);
  mw_case c = { 0 };
  if (!open_cart("[0, 0, -9.81]", "{ coulomb: 0.3, smooth: 1e-4 }",
                 "{ duration: 0.2, step: 2e-4, store: 1e-2,\n"
                 "    start: { x: { at: 0, velocity: 0.2 } } }",
                 &c))
    return;
  for (int way = FULL; way < N_WAY; way++)
    for (int i = 0; i < 2; i++) {
      mw_run r;
      if (run_by(&c, way, H[i], &r)) {
        printf("%-8s stop off by %.1e m of %.3e m\n", NAMES[way], last(&r, r.s) - want, want);
        MW_NEAR(last(&r, r.s), want, 0.5 * MU * G * H[i] * H[i]);
        MW_WITHIN(last(&r, r.s_dot), 0.0, 1e-9, "tolerance of Newton's method");
      }
      mw_run_free(&r);
    }
  mw_case_free(&c);
}

// An incline of angle α, turned into gravity: below tan α = μ the block creeps at s artanh(tan
// α/μ), after some time constants s/(μ g cos α) = 4e-5 s; above, with A = g sin α, B = μ g cos α, u
// = v/s, v' = A − B tanh u:  t = s (A u + B ln(cosh u − B/A sinh u))/(A² − B²).
static void a_block_sticks_on_an_incline_below_its_angle(void)
{
  static const double MU = 0.3, S = 1e-4, T = 0.2, slope[2] = { 0.29, 0.31 };
  for (int k = 0; k < 2; k++) {
    double a = atan(slope[k]), A = G * sin(a), B = MU * G * cos(a);
    char gravity[80];
    mw_case c = { 0 };
    snprintf(gravity, sizeof gravity, "[%.17g, 0, %.17g]", A, -G * cos(a));
    if (!open_cart(gravity, "{ coulomb: 0.3, smooth: 1e-4 }",
                   "{ duration: 0.2, step: 1e-3, store: 1e-2, start: { x: 0 } }", &c))
      return;
    for (int way = 0; way < N_WAY; way++) {
      double off[2] = { 0.0, NAN };
      for (int i = way == RIGID; i < 2; i++) {
        mw_run r;
        if (run_by(&c, way, i == 0 ? 1e-4 : 5e-5, &r)) {
          double v = last(&r, r.s_dot), u = v / S;
          double in = u + log(0.5 * (1.0 - B / A) + 0.5 * (1.0 + B / A) * exp(-2.0 * u));
          off[i] = k == 0 ? v - S * atanh(B > A ? A / B : 0.0)
                          : S * (A * u + B * in) / (A * A - B * B) - T;
        }
        mw_run_free(&r);
      }
      printf("%-8s slope %.2f: off by %.1e %s\n", NAMES[way], slope[k], off[1],
             k == 0 ? "m/s" : "s");
      // transients of sticking are gone: accelerations to 1e-9 g, over their slope μ g cos α/s
      MW_NEAR(off[1], 0.0,
              k == 0 ? 1e-9 * S / MU + (way == RIGID ? 1e-9 : 0.0)
                     : (way == RIGID ? 1e-8 / (A - B) : fabs(off[0] - off[1]) / 2.0) + 1e-8 * T);
    }
    mw_case_free(&c);
  }
}

// What sticks is a stiff damper that implicit steps of 1 ms, 24 of its time constants, have in
// their matrices: a correction or two a step after the first hundred, and once transients have
// gone, to rounding in a second, the creep of the law.
static void a_block_sticks_for_long(void)
{
  static const double MU = 0.3, S = 1e-4, SLOPE = 0.29;
  double a = atan(SLOPE), creep = S * atanh(SLOPE / MU);
  char gravity[80];
  mw_case c = { 0 };
  snprintf(gravity, sizeof gravity, "[%.17g, 0, %.17g]", G * sin(a), -G * cos(a));
  if (!open_cart(gravity, "{ coulomb: 0.3, smooth: 1e-4 }",
                 "{ duration: 10, step: 1e-3, store: 1, start: { x: 0 } }", &c))
    return;
  for (int way = FULL; way < N_WAY; way++) {
    mw_run r;
    if (run_by(&c, way, 0.0, &r)) {
      double off = last(&r, r.s) - r.s[1] - 9.0 * creep;
      printf("%-8s creeps in 9 s by %.1e m beside the law, %d corrections\n", NAMES[way], off,
             r.iterations);
      MW_WITHIN(off, 0.0, 1e-12, "what is promised of a block that sticks");
      MW_CHECK(r.iterations <= 2 * r.steps + 1000);
    }
    mw_run_free(&r);
  }
  mw_case_free(&c);
}

// A force on the cart, down, that jumps within a run: v' = −μ (g + p/m) as long as v is far above
// s, exact for methods of order 2 where steps end at the jumps.
static void what_presses_takes_part_at_once(void)
{
  static const double MU = 0.3;
  mw_case c = { 0 };
  if (!open_cart("[0, 0, -9.81]", "{ coulomb: 0.3, preload: 3 }",
                 "{ duration: 0.05, step: 1e-3, store: 1e-2,\n"
                 "    start: { x: { at: 0, velocity: 2 } }, drives: { press: { force: {\n"
                 "      step: { value: 60, at: 0.02 } } } } }",
                 &c))
    return;
  for (int way = 0; way < N_WAY; way++) {
    mw_run r;
    if (run_by(&c, way, 0.0, &r)) {
      double want = 2.0 - MU * (G + 1.5) * 0.05 - MU * 0.5 * 60.0 * 0.03;
      printf("%-8s pressed: speed off by %.1e m/s\n", NAMES[way], last(&r, r.s_dot) - want);
      MW_WITHIN(last(&r, r.s_dot), want, 1e-8, "tolerances of 1e-9 on 2 m/s, fivefold");
    }
    mw_run_free(&r);
  }
  mw_case_free(&c);
}

// ---- a pendulum in a bearing --------------------------------------------------------------------

// A point mass (but for 1e-6 of its inertia) at l = 0.5 m, radius r = 5 mm. With a moment μ r m g a
// swing ends 2 μ r/l short of where it began. Along a swing to a the reaction is m g (1 ± a²),
// sines and cosines of the angle are off by a²/6: 1.5 a² of the loss. What the rate s takes to be
// passed at the ends of a swing, an angle of (s/ω)²/a, and instants that are stored beside an end
// by 0.5 ms err far below.
static void a_pendulum_in_a_bearing_loses_the_same_at_each_swing(void)
{
  static const double MU = 0.2, R = 5e-3, L = 0.5, A0 = 0.05;
  mw_case c = { 0 };
  if (!open_text("modeway: 1\n"
                 "gravity: [0, 0, -9.81]\n"
                 "bodies: { bob: { rigid: { mass: 2, com: [0, 0, -0.5],\n"
                 "  inertia: [1e-6, 1e-6, 1e-6, 0, 0, 0] } } }\n"
                 "joints: { pin: { revolute: { a: ground, b: bob, axis: [0, 1, 0] },\n"
                 "  coordinate: phi, friction: { coulomb: 0.2, smooth: 1e-4, radius: 0.005 } } }\n"
                 "outputs: { bob: { body: bob } }\n"
                 "scenarios: { swing: { duration: 3, step: 2e-4, store: 1e-3,\n"
                 "  start: { phi: 0.05 } } }\n",
                 &c))
    return;
  for (int way = 0; way < N_WAY; way++) {
    mw_run r;
    int ends = 0;
    double a = A0, worst = 0.0;
    if (run_by(&c, way, 0.0, &r))
      for (int k = 1; k + 1 < r.n_t; k++) {
        double x = fabs(r.s[k]);
        if (!(x > fabs(r.s[k - 1]) && x >= fabs(r.s[k + 1]) && x > 0.3 * A0)) continue;
        worst = fmax(worst, fabs((a - x) / (2.0 * MU * R / L) - 1.0));
        a = x;
        ends++;
      }
    printf("%-8s %d swings, losses off by %.1e\n", NAMES[way], ends, worst);
    MW_CHECK(ends >= 3);
    MW_NEAR(worst, 0.0, 1.5 * A0 * A0 + 1e-3);
    mw_run_free(&r);
  }
  mw_case_free(&c);
}

// ---- one machine --------------------------------------------------------------------------------

// A cart on the runners of an elastic beam carries an arm in a bearing; both rub by their
// reactions, which turn and change with all that moves. %s: the beam's modulus.
static const char MACHINE[] =
    "modeway: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: { m: { E: %s, nu: 0.3, rho: 7850, unusual: true } }\n"
    "sections: { bar: { rectangle: { width: 0.03, height: 0.03 } } }\n"
    "bodies:\n"
    "  beam:\n"
    "    ground: true\n"
    "    damping: { alpha: 0, beta: 1e-5 }\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [0.8, 0, 0] }\n"
    "      members: [ { from: a, to: b, section: bar, material: m, elements: 8 } ]\n"
    "    supports: [ { nodes: a, dofs: [x, y, z, rx] }, { nodes: b, dofs: [y, z] } ]\n"
    "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
    "  cart: { at: [0.2, 0, 0], rigid: { mass: 3, inertia: [0.02, 0.02, 0.02, 0, 0, 0] } }\n"
    "  arm: { at: [0.2, 0, 0], rigid: { mass: 2, com: [0.2, 0, 0],\n"
    "    inertia: [0.001, 0.02, 0.02, 0, 0, 0] } }\n"
    "joints:\n"
    "  ways: { slide: { guide: beam.rail, on: cart, orientation: fixed },\n"
    "    coordinate: x, drive: m,\n"
    "    friction: { coulomb: 0.1, static: 0.15, smooth: 1e-2 } }\n"
    "  pin: { revolute: { a: cart, b: arm, axis: [0, 1, 0] }, coordinate: phi,\n"
    "    friction: { coulomb: 0.2, smooth: 0.05, radius: 0.02 } }\n"
    "outputs: { arm: { body: arm, point: [0.4, 0, 0] } }\n"
    "reduction: { coordinates: { x: [0.1, 0.7], phi: [-1, 4] }, modes: { count: 2 } }\n"
    "scenarios: { run: { duration: 0.3, step: 2e-4, store: 2e-3, start: { x: 0.2, phi: 0 },\n"
    "  drives: { m: { force: { sine: { amplitude: 40, frequency: 3 } } } } } }\n";

static double apart(const mw_run *a, const mw_run *b)
{
  double worst = a->n_t == b->n_t && a->n_t > 0 ? 0.0 : NAN;
  for (int i = 0; i < 3 * a->n_t * a->n_out; i++) worst = fmax(worst, fabs(a->y[i] - b->y[i]));
  return worst;
}

// The beam of steel: path body's basis errs by 5e-3 of the bending at most, as for any joint. A
// beam a thousand times as stiff is a rigid one to a thousandth of that bending, once its damping
// has ended the oscillations of normal forces. What half the step errs by is less than what halving
// it changed: order 1 at least, where friction turns.
static void one_machine_rubs_the_same_in_all_paths(void)
{
  static const char *const E[2] = { "210e9", "210e12" };
  double bend = NAN;
  for (int k = 0; k < 2; k++) {
    char text[4096];
    mw_case c = { 0 };
    mw_run rigid, full, fine, body;
    snprintf(text, sizeof text, MACHINE, E[k]);
    if (!open_text(text, &c)) return;
    mw_run *to[4] = { &rigid, &full, &fine, &body };
    static const int way[4] = { RIGID, FULL, FULL, BODY };
    bool ran = true;
    for (int i = 0; i < 4; i++) ran = run_by(&c, way[i], i == 2 ? 1e-4 : 0.0, to[i]) && ran;
    if (ran) {
      double off = apart(&fine, &rigid), half = apart(&full, &fine), based = apart(&full, &body);
      printf("E %s: full beside rigid %.2e m, half the step %.1e, body %.1e\n", E[k], off, half,
             based);
      if (k == 0) bend = off;
      MW_CHECK(last(&full, full.s) > 0.0 && bend > 1e-5);
      if (k == 0) MW_NEAR(based, 0.0, 5e-3 * bend);
      if (k == 1) MW_NEAR(off, 0.0, 1e-3 * bend + half);
    }
    for (int i = 0; i < 4; i++) mw_run_free(to[i]);
    mw_case_free(&c);
  }
}

#define SOFT ", stiffness: 1e7, damping: 1e3"
static const char RUNNERS[] =
    "modeway: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  rail: { ground: true, rigid: { mass: 0 },\n"
    "    guides: { x: { points: [[0, 0, 0], [2, 0, 0]], normal: [0, 0, 1] } } }\n"
    "  cart: { at: [0.7, 0, 0], rigid: { mass: 3, inertia: [0.02, 0.03, 0.03, 0, 0, 0] } }\n"
    "joints:\n"
    "  x: { slide: { guide: rail.x, on: cart, orientation: free, runners: [\n"
    "    { offset: -0.1, shift: [0, 0, 0.05]%s },\n"
    "    { offset: 0.1, shift: [0, 0, 0.05]%s },\n"
    "    { offset: 0, shift: [0, 0, -0.05], directions: [n1]%s } ] },\n"
    "    coordinate: x, friction: { coulomb: 0.3 } }\n"
    "outputs: { cart: { body: cart } }\n"
    "scenarios: { run: { duration: 0.2, step: 1e-4, store: 1e-2,\n"
    "  start: { x: { at: 0.7, velocity: 0.3 } } } }\n";

// A cart on runners that are constraints, springs, or both: where it stops and how well is as
// above.
static void runners_with_a_stiffness_rub_as_constraints_do(void)
{
  static const double MU = 0.3, S = 1e-3, V0 = 0.3;
  static const char *const soft[3][2] = { { "", "" }, { SOFT, SOFT }, { SOFT, "" } };
  const double want = (0.5 * V0 * V0 + pow(acos(-1.0) * S, 2.0) / 12.0) / (MU * G);
  for (int k = 0; k < 3; k++) {
    char text[4096];
    mw_case c = { 0 };
    snprintf(text, sizeof text, RUNNERS, soft[k][0], soft[k][0], soft[k][1]);
    if (!open_text(text, &c)) return;
    for (int way = 0; way < N_WAY; way++) {
      mw_run r;
      if (run_by(&c, way, 0.0, &r)) {
        double x = last(&r, r.s) - 0.7;
        printf("%-8s runners %d: stop off by %.1e m\n", NAMES[way], k, x - want);
        MW_NEAR(x, want, 0.5 * MU * G * 1e-4 * 1e-4);
      }
      mw_run_free(&r);
    }
    mw_case_free(&c);
  }
}

// A cart of 2 kg on two pairs of ways that hold the same five freedoms: whether one of them carries
// all of m g = 19.62 N or each half of it, which is the least norm, statics does not say.
static void friction_that_redundant_rows_leave_open_is_named(void)
{
  static const char *const friction[2] = {
    "{ coulomb: 0.1 }",
    "{ coulomb: 0.1 } }\n  more: { prismatic: { a: ground, b: cart, axis: [1, 0, 0] }"
  };
  for (int k = 0; k < 4; k++) {
    mw_case c = { 0 };
    mw_run r = { 0 };
    const char *said = NULL;
    if (open_cart("[0, 0, -9.81]", friction[k % 2],
                  "{ duration: 1e-2, step: 1e-3, start: { x: { at: 0, velocity: 1 } } }", &c) &&
        run_by(&c, k < 2 ? RIGID : FULL, 1e-3, &r)) {
      for (int i = 0; i < r.n_warning; i++)
        if (strstr(r.warning[i], "redundant")) said = r.warning[i];
      MW_CHECK((said != NULL) == (k % 2 == 1));
      if (said && k < 2)
        MW_CHECK((strstr(said, "is 19.62 N") || strstr(said, "is 0 N")) &&
                 strstr(said, "least norm 9.81 N"));
    }
    mw_run_free(&r);
    mw_case_free(&c);
  }
}

// Reduced models have no reactions to rub by: with another friction they are refused, not run.
static void reduced_models_refuse_it_by_name(void)
{
  mw_case c = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  char text[4096];
  snprintf(text, sizeof text, MACHINE, "210e9");
  if (!open_text(text, &c)) return;
  MW_FAILS(mw_reduce(&c.model, &c.mech, NULL, &rom, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "friction of joint ways is in proportion to the joint's reaction"));
  MW_CHECK(err.line == 20);
  mw_rom_file_free(&rom);
  mw_case_free(&c);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "a_cart_slows_down_as_its_weight_says", a_cart_slows_down_as_its_weight_says },
    { "a_cart_starts_as_friction_lets_it_with_any_step",
      a_cart_starts_as_friction_lets_it_with_any_step },
    { "a_cart_stops_after_half_its_speed_squared_over_mu_g",
      a_cart_stops_after_half_its_speed_squared_over_mu_g },
    { "a_block_sticks_on_an_incline_below_its_angle",
      a_block_sticks_on_an_incline_below_its_angle },
    { "a_block_sticks_for_long", a_block_sticks_for_long },
    { "what_presses_takes_part_at_once", what_presses_takes_part_at_once },
    { "a_pendulum_in_a_bearing_loses_the_same_at_each_swing",
      a_pendulum_in_a_bearing_loses_the_same_at_each_swing },
    { "one_machine_rubs_the_same_in_all_paths", one_machine_rubs_the_same_in_all_paths },
    { "runners_with_a_stiffness_rub_as_constraints_do",
      runners_with_a_stiffness_rub_as_constraints_do },
    { "friction_that_redundant_rows_leave_open_is_named",
      friction_that_redundant_rows_leave_open_is_named },
    { "reduced_models_refuse_it_by_name", reduced_models_refuse_it_by_name },
  };
  return mw_test_run("joint_friction", cases, (int)(sizeof cases / sizeof *cases));
}
