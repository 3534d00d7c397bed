// SPDX-License-Identifier: BSD-3-Clause
// test_feed_forward.c: coordinates and forces with which the tool of a reduced model follows a
// motion, against closed forms of drives with two and three masses, and by runs.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/feed_forward.h"

enum { DEGREE = 13, TERMS = 8 };

// From rest to rest over L in T: p(τ) of degree 2 N + 1 with N derivatives 0 at both ends
typedef struct move {
  int n;
  double c[DEGREE + 1], from, L, T;
} move;

static double choose(int n, int k)
{
  double x = 1.0;
  for (int i = 0; i < k; i++) x = x * (n - i) / (i + 1);
  return x;
}

static move smooth(int N, double from, double L, double T)
{
  move m = { .n = 2 * N + 1, .from = from, .L = L, .T = T };
  for (int k = 0; k <= N; k++)
    m.c[N + 1 + k] = choose(N + k, k) * choose(2 * N + 1, N - k) * (k % 2 == 0 ? 1.0 : -1.0);
  return m;
}

// Derivative k of the motion at t; size: of its terms, added
static double derivative(const move *m, int k, double t, double *size)
{
  double y = k == 0 ? m->from : 0.0;
  *size = fabs(y);
  for (int i = k; i <= m->n; i++) {
    double x = m->L * m->c[i] / pow(m->T, k);
    for (int j = 0; j < k; j++) x *= i - j;
    x *= pow(t / m->T, i - k);
    y += x;
    *size += fabs(x);
  }
  return y;
}

// Largest of derivative k
static double largest(const move *m, int k)
{
  double most = 0.0;
  for (int i = 0; i <= 1000; i++) {
    double size;
    most = fmax(most, fabs(derivative(m, k, m->T * i / 1000.0, &size)));
  }
  return most;
}

typedef struct rig {
  mw_fixture f;
  mw_rom_file rom;
  mw_arena mem;
  move m;
} rig;

// `text` with a scenario: drive f follows m with steps h
static bool open_rig(const char *text, move m, double h, rig *r)
{
  static char all[8192], motion[2048];
  mw_error err = { 0 };
  int used = snprintf(motion, sizeof motion, "%.17g", m.from);
  memset(r, 0, sizeof *r);
  r->m = m;
  for (int i = 0; i <= m.n; i++)
    if (m.c[i] != 0.0)
      used += snprintf(motion + used, sizeof motion - (size_t)used, " + %.17g*(t/%.17g)^%d",
                       m.L * m.c[i], m.T, i);
  snprintf(all, sizeof all,
           "%sscenarios: { go: { duration: %.17g, step: %.17g, start: { x: %.17g },\n"
           "  drives: { f: { position: { expression: \"%s\" } } } } }\n",
           text, m.T, h, m.from, motion);
  return MW_CHECK(mw_fixture_text(all, &r->f)) &&
         MW_OKAY(mw_reduce(&r->f.model, &r->f.mech, NULL, &r->rom, &err));
}

static void close_rig(rig *r)
{
  mw_arena_free(&r->mem);
  mw_rom_file_free(&r->rom);
  mw_fixture_free(&r->f);
}

static bool find(rig *r, double rise, mw_feed_forward *o)
{
  mw_error err = { 0 };
  return MW_OKAY(mw_feed_forward_find(&r->f.model, &r->f.mech, &r->rom, &r->f.model.scenario[0], 0,
                                      rise, &r->mem, o, &err));
}

// Masses on springs on a slide, from the motor to the tool
static const double M1 = 3.0, M2 = 2.0, K1 = 2e4, M3 = 0.5, K2 = 3e4;
#define HEAD                                                                                       \
  "modeway: 1\nname: masses\ngravity: [0, 0, 0]\nbodies:\n"                                        \
  "  one: { rigid: { mass: 3, inertia: [1, 1, 1, 0, 0, 0] } }\n"                                   \
  "  two: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\n"
#define JOINTS                                                                                     \
  "joints:\n"                                                                                      \
  "  way: { prismatic: { a: ground, b: one, axis: [1, 0, 0] }, coordinate: x, drive: f }\n"        \
  "  top: { prismatic: { a: one, b: two, axis: [1, 0, 0] } }\n"
#define REDUCTION(modes)                                                                           \
  "reduction: { coordinates: { x: { range: [-1, 2], points: 9 } }, modes: { count: " modes " },\n" \
  "  certificate: { points: 1, samples: 4 } }\n"

static const char two_masses[] =
    HEAD JOINTS "springs: { s: { a: one, b: two, stiffness: [2e4, 0, 0] } }\n"
                "outputs: { tool: { body: two } }\n" REDUCTION("1");
static const char three_masses[] =
    HEAD "  three: { rigid: { mass: 0.5, inertia: [1, 1, 1, 0, 0, 0] } }\n" JOINTS
         "  next: { prismatic: { a: two, b: three, axis: [1, 0, 0] } }\n"
         "springs:\n  s: { a: one, b: two, stiffness: [2e4, 0, 0] }\n"
         "  r: { a: two, b: three, stiffness: [3e4, 0, 0] }\n"
         "outputs: { tool: { body: three } }\n" REDUCTION("2");

// θ = y + m₂ ÿ/k ,  u = (m₁ + m₂) ÿ + m₁ m₂ y⁗/k
static void two_masses_follow_their_closed_form(void)
{
  move m = smooth(4, 0.2, 0.5, 0.4);
  rig r;
  mw_feed_forward o;
  if (open_rig(two_masses, m, 1e-3, &r) && find(&r, 0.0, &o)) {
    // the polynomial through seven instants, at its end: Π|j|-sums 3528/7! of h⁵ of the seventh
    // derivative; positions known to a few roundings, weights 1 to 20 of them
    double h = o.t[1], lead = M2 / K1, size = fabs(m.from) + m.L,
           cut = 0.7 * pow(h, 5) * lead * largest(&m, 9),
           round = 4.0 * DBL_EPSILON * size * 50.0 / (h * h);
    MW_CHECK(o.n_pass >= 1 && !o.jumps);
    for (int i = 0; i < o.n; i++) {
      double y0, y2, y4, y = derivative(&m, 0, o.t[i], &y0), a = derivative(&m, 2, o.t[i], &y2),
                         snap = derivative(&m, 4, o.t[i], &y4);
      MW_NEAR(o.theta[i], y + lead * a, mw_test_rounding(TERMS, y0 + lead * y2));
      MW_NEAR(o.force[i], (M1 + M2) * a + M1 * lead * snap,
              mw_test_rounding(TERMS, (M1 + M2) * y2 + M1 * lead * y4) + M1 * (cut + round));
    }
  }
  close_rig(&r);
}

// Limits of force and power at half of what the motion asks for, of speed beyond it: the first
// instant of either is where the one before is within.
static void what_is_beyond_limits_of_drives_is_said(void)
{
  rig r;
  mw_feed_forward o;
  mw_feed_excess e[3];
  double most[3] = { 0.0 };
  if (open_rig(two_masses, smooth(4, 0.2, 0.5, 0.4), 1e-3, &r) && find(&r, 0.0, &o)) {
    for (int i = 0; i < o.n; i++) {
      most[0] = fmax(most[0], fabs(o.force[i]));
      most[1] = fmax(most[1], fabs(o.rate[i]));
      most[2] = fmax(most[2], fabs(o.force[i] * o.rate[i]));
    }
    double hi = 0.5 * most[0], lo = -hi, speed = 1.01 * most[1], power = 0.5 * most[2];
    mw_drive_limits l = { &lo, &hi, &speed, &power };
    if (MW_CHECK(mw_feed_exceeded(&r.f.mech, &r.rom, &o, &l, e) == 2)) {
      int k = (int)lround(e[0].first / o.t[1]);
      MW_CHECK(e[0].what == MW_LIMIT_FORCE && e[1].what == MW_LIMIT_POWER);
      MW_CHECK(fabs(e[0].value) == most[0] && fabs(e[1].value) == most[2]);
      MW_CHECK(fabs(e[0].limit) == hi && fabs(e[1].limit) == power);
      MW_CHECK(k > 0 && fabs(o.force[k]) > hi && fabs(o.force[k - 1]) <= hi);
      MW_CHECK(e[0].first <= e[0].at && e[0].at <= e[0].until);
    }
    speed = 0.9 * most[1];
    hi = power = INFINITY;
    lo = -INFINITY;
    MW_CHECK(mw_feed_exceeded(&r.f.mech, &r.rom, &o, &l, e) == 1 && e[0].what == MW_LIMIT_SPEED);
  }
  close_rig(&r);
}

// x₂ = y + m₃ ÿ/k₂ ,  θ = x₂ + (m₂ ẍ₂ + m₃ ÿ)/k₁ ,  u = m₁ θ̈ + m₂ ẍ₂ + m₃ ÿ
static void three_masses_take_a_second_pass(void)
{
  enum { AWAY = 24 };  // instants that ends reach through passes
  move m = smooth(6, 0.2, 0.5, 1.0);
  rig r;
  mw_feed_forward o;
  double a = M3 / K2, b = M2 / K1, c = M3 / K1;
  if (open_rig(three_masses, m, 4e-3, &r) && find(&r, 0.0, &o)) {
    // the second pass differentiates what the first left rounded: 6 roundings over h², times a
    // compliance; it errs by h⁶/560 of the eighth derivative of that
    double h = o.t[1], w = 2.0 * 3.14159265358979323846 * o.hz,
           round = 16.0 * DBL_EPSILON * 6.0 / (w * w * h * h),
           cut = pow(h, 6) / 560.0 * (a + b + c) * (a + b + c) * largest(&m, 10);
    printf("passes move the tool by %.3e, %.3e m, runs are off by %.3e, %.3e m\n", o.off[0],
           o.off[1], o.error[0], o.error[1]);
    MW_CHECK(o.n_pass >= 2 && o.best >= 1);
    for (int i = AWAY; i < o.n - AWAY; i++) {
      double y0, y2, y4, y = derivative(&m, 0, o.t[i], &y0), p = derivative(&m, 2, o.t[i], &y2),
                         q = derivative(&m, 4, o.t[i], &y4);
      MW_NEAR(o.theta[i], y + (a + b + c) * p + b * a * q,
              mw_test_rounding(TERMS, y0 + (a + b + c) * y2 + b * a * y4) + cut + round);
    }
  }
  close_rig(&r);
}

// The mid-point rule has order two: half the step, a quarter of what the tool is off.
static void what_runs_are_off_by_is_of_their_steps(void)
{
  rig r;
  double off[2][MW_N_FEED];
  bool all = true;
  for (int k = 0; k < 2; k++) {
    mw_feed_forward o;
    all = open_rig(two_masses, smooth(4, 0.2, 0.5, 0.4), k == 0 ? 4e-4 : 2e-4, &r) &&
          find(&r, 0.0, &o) && all;
    for (int how = 0; all && how < MW_N_FEED; how++) off[k][how] = o.run[how].largest;
    close_rig(&r);
  }
  if (!MW_CHECK(all)) return;
  for (int how = MW_FEED_POSITION; how < MW_N_FEED; how++) {
    printf("tool off by %.3e and %.3e m\n", off[0][how], off[1][how]);
    // of order two, what is of order four beside it less than a hundredth at ωh = 0.04
    MW_WITHIN(off[0][how] / off[1][how], 4.0, 0.1, "order of the mid-point rule");
  }
  MW_CHECK(off[0][MW_FEED_MOTOR] > 1e3 * off[0][MW_FEED_POSITION]);
}

// A beam with a mass at its tip on a turning hub, through a radian and a half
static void the_tip_of_a_turning_arm_follows(void)
{
  static const char text[] =
      "modeway: 1\nname: arm\ngravity: [0, 0, 0]\n"
      "materials: { alu: { E: 70e9, nu: 0.3, rho: 2700 } }\n"
      "sections: { bar: { general: { A: 1e-4, Iy: 4e-9, Iz: 1e-9, It: 2e-9 } } }\nbodies:\n"
      "  hub: { rigid: { mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }\n"
      "  arm:\n    beams:\n      points: { a: [0, 0, 0], b: [0.5, 0, 0] }\n"
      "      members:\n"
      "      - { from: a, to: b, section: bar, material: alu, elements: 4, up: [0, 0, 1] }\n"
      "    frames: { foot: { node: a }, tip: { node: b, mass: 0.2 } }\n"
      "joints:\n"
      "  turn: { revolute: { a: ground, b: hub, axis: [0, 0, 1] }, coordinate: x, drive: f }\n"
      "  foot: { fixed: { a: hub, b: arm.foot } }\n"
      "outputs: { tip: { frame: arm.tip } }\n"
      "reduction: { coordinates: { x: { range: [-1, 2], points: 17, max_rate: 8,\n"
      "  max_acceleration: 40 } }, modes: { count: 3 }, certificate: { points: 1, samples: 4 } }\n";
  move m = smooth(4, -0.5, 1.5, 0.6);
  rig r;
  mw_feed_forward o;
  if (open_rig(text, m, 1e-3, &r) && find(&r, 0.0, &o)) {
    // what the second pass leaves is of the fourth order in what the motion changes by over ω
    double w = 2.0 * 3.14159265358979323846 * o.hz,
           slow = largest(&m, 4) / largest(&m, 2) / (w * w);
    for (int how = 0; how < MW_N_FEED; how++)
      printf("tip off by %.3e m, at last %.3e m%s\n", o.run[how].largest, o.run[how].last,
             o.run[how].failed ? o.run[how].failed : "");
    printf("%.3g Hz, (change/w)^2 %.3e, passes %d, uncorrected %.3e m\n", o.hz, slow, o.n_pass,
           o.uncorrected);
    for (int how = MW_FEED_POSITION; how < MW_N_FEED; how++)
      MW_WITHIN(o.run[how].largest / o.run[MW_FEED_MOTOR].largest, 0.0, slow,
                "order of what passes leave out");
    // what no turn corrects is along the arm: of second order in the angle of the deflection
    MW_CHECK(o.uncorrected < o.run[MW_FEED_MOTOR].largest * o.run[MW_FEED_MOTOR].largest / 0.5 * 2);
  }
  close_rig(&r);
}

// θ_T = 1/T ∫ θ over (t − T, t), of a polynomial
static void the_mean_of_a_motion_is_asked_for(void)
{
  move m = smooth(4, 0.2, 0.5, 0.4);
  rig r;
  mw_feed_forward o;
  if (open_rig(two_masses, m, 1e-3, &r) && find(&r, 1.0, &o)) {
    double h = o.t[1], sum[2];
    MW_NEAR(o.mean, 1.0 / o.hz, 0.5 * h);
    for (int i = 0; i < o.n; i++) {
      for (int e = 0; e < 2; e++) {
        double t = o.t[i] - e * o.mean;
        sum[e] = m.from * t;
        for (int k = 0; t > 0.0 && k <= m.n; k++)
          sum[e] += m.L * m.T * m.c[k] * pow(t / m.T, k + 1) / (k + 1);
      }
      // Hermite's rule errs by h⁴/720 of the fourth derivative, over all of the mean
      MW_NEAR(o.motor[i], (sum[0] - sum[1]) / o.mean,
              pow(h, 4) / 720.0 * largest(&m, 4) +
                  mw_test_rounding((double)o.n, (m.from + m.L) * m.T / o.mean));
    }
  }
  close_rig(&r);
}

static void what_it_cannot_do_is_refused(void)
{
  rig r;
  mw_feed_forward o;
  mw_error err = { 0 };
  if (open_rig(two_masses, smooth(4, 0.2, 0.5, 0.4), 1e-3, &r)) {
    mw_scenario sc = r.f.model.scenario[0];
    mw_action a = sc.action[0];
    a.kind = MW_ACTION_FORCE;
    sc.action = &a;
    MW_FAILS(mw_feed_forward_find(&r.f.model, &r.f.mech, &r.rom, &sc, 0, 0.0, &r.mem, &o, &err),
             MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "found a force of f") != NULL);
    sc.n_action = 0;
    MW_FAILS(mw_feed_forward_find(&r.f.model, &r.f.mech, &r.rom, &sc, 0, 0.0, &r.mem, &o, &err),
             MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "follows a motion of x") != NULL);
  }
  close_rig(&r);
}

static const mw_test_case cases[] = {
  { "two_masses_follow_their_closed_form", two_masses_follow_their_closed_form },
  { "what_is_beyond_limits_of_drives_is_said", what_is_beyond_limits_of_drives_is_said },
  { "three_masses_take_a_second_pass", three_masses_take_a_second_pass },
  { "what_runs_are_off_by_is_of_their_steps", what_runs_are_off_by_is_of_their_steps },
  { "the_tip_of_a_turning_arm_follows", the_tip_of_a_turning_arm_follows },
  { "the_mean_of_a_motion_is_asked_for", the_mean_of_a_motion_is_asked_for },
  { "what_it_cannot_do_is_refused", what_it_cannot_do_is_refused },
};

int main(void) { return mw_test_run("feed-forward", cases, (int)(sizeof cases / sizeof *cases)); }
