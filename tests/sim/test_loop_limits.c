// SPDX-License-Identifier: BSD-3-Clause
// test_loop_limits.c: six sampled loops a little below and a little above their limit of stability:
// what is said before a run, what the runs of three paths do, and what an error says, beside
// characteristic polynomials in z.
//
// Forces are held over the period T, so that a mechanism is its step invariant transform
//   1/p → T/(z − 1) ,  1/p² → T²/2 (z + 1)/(z − 1)² ,
//   1/(p (p + a)) ,  1/(p² + ω²) ,  p/(p² + ω²)  likewise,
// integrals are T/2 (z + 1)/(z − 1), filters are bilinear, exact at their own frequency. Roots of
// the polynomials: all at once (Durand, Kerner), in long double. Limits: Jury's criterion for
// polynomials of second and third degree, Routh's for the continuous loops that T → 0 leads to.
// G. F. Franklin, J. D. Powell, M. L. Workman: Digital Control of Dynamic Systems, 3rd ed.,
// chapters 4, 6.
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "rom_step.h"
#include "run/stability_layer.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

// ---- polynomials --------------------------------------------------------------------------------

enum { DEGREES = 12 };

typedef struct poly {
  int n;                       // degree
  long double c[DEGREES + 1];  // [n + 1]  ascending
} poly;

static poly linear(double c1, double c0) { return (poly){ .n = 1, .c = { c0, c1 } }; }

static poly quadratic(double c2, double c1, double c0)
{
  return (poly){ .n = 2, .c = { c0, c1, c2 } };
}

static poly times(poly a, poly b)
{
  poly out = { .n = a.n + b.n };
  for (int i = 0; i <= a.n; i++)
    for (int j = 0; j <= b.n; j++) out.c[i + j] += a.c[i] * b.c[j];
  return out;
}

// a + f b
static poly plus(poly a, double f, poly b)
{
  poly out = { .n = a.n > b.n ? a.n : b.n };
  for (int i = 0; i <= out.n; i++)
    out.c[i] = (i <= a.n ? a.c[i] : 0.0L) + (i <= b.n ? f * b.c[i] : 0.0L);
  return out;
}

// The root of largest modulus.
static long double complex outermost(poly p)
{
  long double complex z[DEGREES], most = 0.0L;
  for (int i = 0; i < p.n; i++) z[i] = cpowl(0.4L + 0.9L * I, i);
  for (int turn = 0; turn < 2000; turn++)
    for (int i = 0; i < p.n; i++) {
      long double complex y = p.c[p.n], d = p.c[p.n];
      for (int k = p.n - 1; k >= 0; k--) y = y * z[i] + p.c[k];
      for (int k = 0; k < p.n; k++)
        if (k != i) d *= z[i] - z[k];
      z[i] -= y / d;
    }
  for (int i = 0; i < p.n; i++)
    if (cabsl(z[i]) > cabsl(most)) most = z[i];
  return most;
}

// ---- six loops ----------------------------------------------------------------------------------

static const double M = 2.0, FRICTION = 20.0;  // kg, N s/m
static const double MOTOR = 2.0, LOAD = 1.0, SPRING = 4000.0, SPEED = 40.0;
static const double CORNER = 20.0, NOTCH = 8.0, WIDTH = 4.0, DEPTH = 0.1;  // Hz, Hz, Hz, 1

// A mass with friction: position B/D, velocity V/D of D = (z − 1)(z − e), all by the force.
typedef struct plant {
  poly D, B, V;
} plant;

static plant rubbing(double T)
{
  double a = FRICTION / M, e = exp(-a * T), q = 1.0 / (a * FRICTION);
  return (plant){ times(linear(1, -1), linear(1, -e)),
                  linear(q * (a * T - 1 + e), q * (1 - e - a * T * e)),
                  times(linear(0, (1 - e) / FRICTION), linear(1, -1)) };
}

static plant gliding(double T)
{
  return (plant){ times(linear(1, -1), linear(1, -1)), linear(0.5 * T * T / M, 0.5 * T * T / M),
                  linear(T / M, -T / M) };
}

// Position of the load B/D, velocity of the motor V/D, a spring between them.
static plant sprung(double T)
{
  double m = MOTOR + LOAD, w = sqrt(SPRING * m / (MOTOR * LOAD)), c = cos(w * T);
  poly free = times(linear(1, -1), linear(1, -1)), swing = quadratic(1, -2 * c, 1);
  poly both = times(linear(1, 1), swing), speed = times(linear(T, -T), swing);
  plant p = { .D = times(free, swing) };
  p.B = plus((poly){ 0 }, 0.5 * T * T / m, both);
  p.B = plus(p.B, -(1 - c) / (w * w * m), times(linear(1, 1), free));
  p.V = plus((poly){ 0 }, 1.0 / m, speed);
  p.V = plus(p.V, LOAD / MOTOR / m * sin(w * T) / w, times(linear(1, -1), free));
  return p;
}

static poly by_p(double g, double T)
{
  plant m = rubbing(T);
  return plus(m.D, g, m.B);
}

static poly by_pi(double g, double T)
{
  plant m = rubbing(T);
  return plus(times(linear(2, -2), m.D), 1.0, times(linear(400 + g * T, -400 + g * T), m.B));
}

static poly by_pd(double g, double T)
{
  plant m = gliding(T);
  return plus(plus(m.D, 100, m.B), g, m.V);
}

static poly by_cascade(double g, double T)
{
  plant m = rubbing(T);
  poly see = plus(m.V, g, m.B);
  return plus(times(linear(2, -2), m.D), 1.0, times(linear(200 + 500 * T, -200 + 500 * T), see));
}

// b2 p² + b1 p + b0 at p = c (z − 1)/(z + 1), times (z + 1)²
static poly bilinear(double b2, double b1, double b0, double c)
{
  poly p2 = times(linear(c, -c), linear(c, -c)), p1 = times(linear(c, -c), linear(1, 1));
  return plus(plus(plus((poly){ 0 }, b2, p2), b1, p1), b0, times(linear(1, 1), linear(1, 1)));
}

static poly by_filtered(double g, double T)
{
  const double two_pi = 2.0 * acos(-1.0), w = two_pi * CORNER, n = two_pi * NOTCH,
               b = two_pi * WIDTH;
  double c = w / tan(0.5 * w * T), cn = n / tan(0.5 * n * T);
  plant m = gliding(T);
  poly above = times(bilinear(0, 0, w * w, c), bilinear(1, DEPTH * b, n * n, cn));
  poly below = times(bilinear(1, sqrt(2.0) * w, w * w, c), bilinear(1, b, n * n, cn));
  return plus(times(below, m.D), 1.0, times(above, plus(plus((poly){ 0 }, g, m.B), 60, m.V)));
}

static poly by_load(double g, double T)
{
  plant m = sprung(T);
  return plus(m.D, SPEED, plus(m.V, g, m.B));
}

typedef struct loop {
  const char *name, *gains;  // %.17g: the gain that is varied
  poly (*characteristic)(double gain, double T);
  double T, step;           // s
  double stable, unstable;  // gains that are
  bool sprung;
  double damping;  // N s/m
  double push;     // m/s, velocity at the start
} loop;

static const loop LOOPS[] = {
  { .name = "P",
    .gains = "kp: %.17g",
    .characteristic = by_p,
    .T = 0.01,
    .step = 4e-4,
    .stable = 100,
    .unstable = 1e4,
    .damping = 20 },
  { .name = "PI",
    .gains = "kp: 200, ki: %.17g",
    .characteristic = by_pi,
    .T = 0.01,
    .step = 1e-3,
    .stable = 100,
    .unstable = 1e4,
    .damping = 20 },
  { .name = "PD",
    .gains = "kp: 100, kd: %.17g",
    .characteristic = by_pd,
    .T = 0.01,
    .step = 0.01,
    .stable = 50,
    .unstable = 1000,
    .push = 1.0 },
  { .name = "cascade",
    .gains = "kp: %.17g, velocity: { kp: 100, ki: 500 }",
    .characteristic = by_cascade,
    .T = 0.01,
    .step = 2.5e-4,
    .stable = 10,
    .unstable = 1000,
    .damping = 20 },
  { .name = "filters",
    .gains = "kp: %.17g, kd: 60, filters: [{ low_pass: { frequency: 20, order: 2 } },\n"
             "    { notch: { frequency: 8, width: 4, depth: 0.1 } }]",
    .characteristic = by_filtered,
    .T = 0.005,
    .step = 0.005,
    .stable = 200,
    .unstable = 1e4 },
  { .name = "load",
    .gains = "kp: %.17g, velocity: { kp: 40 }, encoder: { coordinate: y, ratio: 1 }",
    .characteristic = by_load,
    .T = 0.002,
    .step = 2e-4,
    .stable = 10,
    .unstable = 1000,
    .sprung = true },
};

enum { N_LOOP = sizeof LOOPS / sizeof *LOOPS };

// The gain at which a root passes the unit circle.
static double limit_of(poly (*characteristic)(double, double), double T, double lo, double hi)
{
  for (int k = 0; k < 100; k++) {
    double g = 0.5 * (lo + hi);
    *(cabsl(outermost(characteristic(g, T))) > 1.0L ? &hi : &lo) = g;
  }
  return 0.5 * (lo + hi);
}

static double limit(const loop *l)
{
  return limit_of(l->characteristic, l->T, l->stable, l->unstable);
}

// ---- their limits -------------------------------------------------------------------------------

// 1 − a1 + a0 a2 − a0² of z³ + a2 z² + a1 z + a0: zero where a pair is on the unit circle (Jury)
static double jury(poly p)
{
  long double a0 = p.c[0] / p.c[3], a1 = p.c[1] / p.c[3], a2 = p.c[2] / p.c[3];
  return (double)(1.0L - a1 + a0 * a2 - a0 * a0);
}

static void limits_are_those_of_jury(void)
{
  double g[N_LOOP];
  for (int i = 0; i < 4; i++) g[i] = limit(&LOOPS[i]);
  double T = LOOPS[0].T, a = FRICTION / M, e = exp(-a * T);
  double kp = (1 - e) * a * FRICTION / (1 - e - a * T * e);
  printf("P %.6f (%.6f), PD %.6f (%.6f), PI %.6f, cascade %.6f\n", g[0], kp, g[2], 2 * M / T, g[1],
         g[3]);
  // both of the same rounded e and differences
  MW_NEAR(g[0], kp, mw_test_rounding(4, kp));
  MW_NEAR(g[2], 2 * M / T, mw_test_rounding(4, 2 * M / T));
  // gains of the precision of double; sums of four terms, 8 altogether
  for (int i = 1; i < 4; i += 2) {
    poly (*of)(double, double) = LOOPS[i].characteristic;
    double rise = jury(of(1.02 * g[i], T)) - jury(of(0.98 * g[i], T));
    MW_NEAR(jury(of(g[i], T)), 0.0, fabs(rise) / 0.04 * DBL_EPSILON + 4 * 8 * (double)LDBL_EPSILON);
  }
}

// The continuous loop: kp kv < k of m1 m2 p⁴ + kv m2 p³ + k (m1 + m2) p² + kv k p + kv kp k.
static void limit_of_the_load_tends_to_that_of_routh(void)
{
  const loop *l = &LOOPS[5];
  double want = SPRING / SPEED, off[3];
  for (int i = 0; i < 3; i++)
    off[i] = limit_of(l->characteristic, l->T / (8 << i), l->stable, l->unstable) / want - 1.0;
  printf("off Routh's limit by %.3e, %.3e, %.3e\n", off[0], off[1], off[2]);
  // first order in T, forces come T/2 late: thrice halved the rest is a third of (ωT)², ω = 77 1/s
  double wT = 77.0 * l->T / 8;
  for (int i = 0; i < 2; i++) MW_NEAR(2.0 * off[i + 1] - off[i], 0.0, wT * wT / (1 << 2 * i));
}

// An integral that adds up earlier errors alone, T/(z − 1), comes half a period later: so near to
// its limit the loop would grow three times as fast as by trapezoids, which are what runs have.
static void the_rule_of_the_integral_decides_the_growth(void)
{
  const loop *l = &LOOPS[1];
  double T = l->T, g = 1.02 * limit(l);
  plant m = rubbing(T);
  poly later = plus(times(linear(1, -1), m.D), 1.0, times(linear(200, -200 + g * T), m.B));
  double other = (double)logl(cabsl(outermost(later))) / T;
  double own = (double)logl(cabsl(outermost(l->characteristic(g, T)))) / T;
  printf("PI by trapezoids: e in %.3f s, by earlier errors in %.3f s\n", 1.0 / own, 1.0 / other);
  MW_CHECK(own > 0.0 && other > 3.0 * own);
}

// ---- what is said, what happens -----------------------------------------------------------------

static const double FOLDS = 5.0;  // time constants of a run

// A sled, or a motor and a load with a spring between; a mass on a spring beside them, since a
// reduced model has a mode.
static const char MODEL[] =
    "modeway: 1\n"
    "bodies:\n"
    "  sled: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "  %s: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "joints:\n"
    "  ways: { prismatic: { a: ground, b: sled, axis: [1, 0, 0] }, coordinate: x, drive: m,\n"
    "    damping: %g }\n"
    "  %s\n"
    "outputs: { sled: { body: sled } }\n"
    "reduction: { coordinates: { x: { range: [-9, 9], points: 5 } }, modes: { count: 1 },\n"
    "  certificate: { points: 1, samples: 4 } }\n"
    "scenarios:\n"
    "  run: { duration: %.17g, step: %g, control_period: %g, store: %.17g,\n"
    "    rigid: { method: rk4 }, start: { x: { at: 0, velocity: %g } },\n"
    "    drives: { m: { follow: 1e-3, %s } } }\n"
    "  far: { duration: %.17g, step: %g, control_period: %g, store: %.17g,\n"
    "    start: { x: { at: 0, velocity: %g } }, drives: { m: { follow: 2, %s } } }\n";

static const char BESIDE[] = "rail: { prismatic: { a: ground, b: beside, axis: [0, 1, 0] } }\n"
                             "springs: { side: { a: ground, b: beside, stiffness: [0, 1000, 0] } }";
static const char SPRUNG[] =
    "rail: { prismatic: { a: ground, b: load, axis: [1, 0, 0] }, coordinate: y }\n"
    "springs: { belt: { a: sled, b: load, stiffness: [4000, 0, 0] } }";

// A loop at a multiple of its limit, what the polynomial says of it.
typedef struct trial {
  const loop *l;
  double gain, growth, hz;  // 1/s, Hz
  bool swings;
  mw_fixture f;
  mw_rom_file rom;
} trial;

static bool set_up(const loop *l, double share, trial *t)
{
  char gains[256], text[4096];
  *t = (trial){ .l = l, .gain = share * limit(l) };
  long double complex z = outermost(l->characteristic(t->gain, l->T));
  t->growth = (double)logl(cabsl(z)) / l->T;
  t->hz = (double)fabsl(cargl(z)) / (2.0 * acos(-1.0) * l->T);
  t->swings = fabsl(cimagl(z)) > 1e-9L;
  // some six instants a period, a run of so many time constants
  int n = t->swings ? (int)fmax(1.0, round(1.0 / (6.0 * t->hz * l->T))) : 1;
  double store = n * l->T, duration = store * ceil(FOLDS / fabs(t->growth) / store);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(gains, sizeof gains, l->gains, t->gain);
#pragma GCC diagnostic pop
  int used = snprintf(text, sizeof text, MODEL, l->sprung ? "load" : "beside", l->damping,
                      l->sprung ? SPRUNG : BESIDE, duration, l->step, l->T, store, l->push, gains,
                      duration, l->step, l->T, store, 1000.0 * l->push, gains);
  mw_error err = { 0 };
  return MW_CHECK(used < (int)sizeof text) && MW_CHECK(mw_fixture_text(text, &t->f)) &&
         MW_OKAY(mw_reduce(&t->f.model, &t->f.mech, NULL, &t->rom, &err));
}

static void put_away(trial *t)
{
  mw_rom_file_free(&t->rom);
  mw_fixture_free(&t->f);
}

static const char *const PATHS[] = { "full", "rigid", "gmp" };

static mw_code run_path(const trial *t, int path, int scenario, mw_run *r, mw_error *err)
{
  const mw_scenario *sc = &t->f.model.scenario[scenario];
  mw_dae_opt opt = mw_dae_opt_default();
  return path == 0   ? mw_dae_run(&t->f.mech, sc, "full", &opt, NULL, r, err)
         : path == 1 ? mw_rigid_run(&t->f.mech, sc, NULL, NULL, r, err)
                     : mw_rom_run(&t->f.model, &t->f.mech, &t->rom, sc, NULL, NULL, r, err);
}

// Growth of the force, which is zero at rest, 1/s: f_k+2 = a f_k+1 − z² f_k of a pair of roots,
// f_k+1 = a f_k of one, by least squares over the second half.
static double growth_of_run(const trial *t, const mw_run *r)
{
  double aa = 0.0, ab = 0.0, bb = 0.0, ay = 0.0, by = 0.0, dt = r->t[1] - r->t[0];
  for (int k = r->n_t / 2; k + 2 < r->n_t; k++) {
    double b = r->force[k], a = r->force[k + 1], y = r->force[k + 2];
    aa += a * a, ab += a * b, bb += b * b, ay += a * y, by += b * y;
  }
  if (!t->swings) return log(fabs(ab / bb)) / dt;
  return 0.5 * log(-(aa * by - ab * ay) / (aa * bb - ab * ab)) / dt;
}

static const char SAID[] = "the loop of drive m is unstable at the start: the ";

// Frequency and time constant of what was said.
static void judge_text(const trial *t, const char *said, const char *whose)
{
  double hz = 0.0, time = 0.0;
  if (!MW_CHECK(said && strstr(said, SAID))) return;
  said = strstr(said, SAID) + strlen(SAID);
  if (!MW_CHECK(strncmp(said, whose, strlen(whose)) == 0)) return;
  said += strlen(whose);
  MW_CHECK(sscanf(said, " swings at %lf Hz and grows by a factor of e every %lf", &hz, &time) == 2);
  MW_WITHIN(time * t->growth, 1.0, 1e-2, "what is promised: a hundredth, three digits are printed");
  MW_WITHIN(hz / t->hz, 1.0, 1e-3, "four digits are printed");
}

static const char *warning_of(const mw_run *r)
{
  for (int i = 0; i < r->n_warning; i++)
    if (strstr(r->warning[i], SAID)) return r->warning[i];
  return NULL;
}

// What `check` says, a run's warning and its growth, path by path.
static void judge_loop(trial *t, bool unstable)
{
  mw_arena mem = { 0 };
  mw_stability said = { 0 };
  mw_error err = { 0 };
  const mw_scenario *sc = &t->f.model.scenario[0];
  if (MW_OKAY(mw_stability_rigid(&t->f.mech, sc, sc->control_period, &mem, &said, &err))) {
    MW_CHECK(!said.unjudged && (said.unstable != NULL) == unstable);
    if (unstable) judge_text(t, said.unstable, "rigid mechanism");
  }
  mw_arena_free(&mem);
  printf("%-8s gain %8.2f, %7.3f Hz: grows %+.5f 1/s;", t->l->name, t->gain, t->hz, t->growth);
  for (int path = 0; path < 3; path++) {
    mw_run r = { 0 };
    if (MW_OKAY(run_path(t, path, 0, &r, &err))) {
      double g = growth_of_run(t, &r);
      printf(" %s %+.5f", PATHS[path], g);
      MW_WITHIN(g / t->growth, 1.0, 1e-2, "what is promised: a hundredth");
      const char *warning = warning_of(&r);
      MW_CHECK((warning != NULL) == unstable);
      if (unstable) judge_text(t, warning, path == 2 ? "reduced model" : "rigid mechanism");
    }
    mw_run_free(&r);
  }
  printf("\n");
}

static void loops_below_their_limits_decay_and_are_not_named(void)
{
  for (int i = 0; i < N_LOOP; i++) {
    trial t;
    if (set_up(&LOOPS[i], 0.98, &t)) {
      MW_CHECK(t.growth < 0.0);
      judge_loop(&t, false);
    }
    put_away(&t);
  }
}

static void loops_above_their_limits_grow_as_is_said(void)
{
  for (int i = 0; i < N_LOOP; i++) {
    trial t;
    if (set_up(&LOOPS[i], 1.02, &t)) {
      MW_CHECK(t.growth > 0.0);
      judge_loop(&t, true);
      // it leaves the range of the reduced model: the error says why
      mw_run r = { 0 };
      mw_error err = { 0 };
      MW_FAILS(run_path(&t, 2, 1, &r, &err), MW_ERR_RANGE);
      printf("  %s\n", err.msg);
      judge_text(&t, err.msg, "reduced model");
      mw_run_free(&r);
    }
    put_away(&t);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "limits_are_those_of_jury", limits_are_those_of_jury },
    { "limit_of_the_load_tends_to_that_of_routh", limit_of_the_load_tends_to_that_of_routh },
    { "the_rule_of_the_integral_decides_the_growth", the_rule_of_the_integral_decides_the_growth },
    { "loops_below_their_limits_decay_and_are_not_named",
      loops_below_their_limits_decay_and_are_not_named },
    { "loops_above_their_limits_grow_as_is_said", loops_above_their_limits_grow_as_is_said },
  };
  return mw_test_run("loop_limits", cases, (int)(sizeof cases / sizeof *cases));
}
