// SPDX-License-Identifier: BSD-3-Clause
// test_control.c: controllers sample by sample against closed forms: integrals, cascade, filters,
// encoder, limits.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fem/control.h"
#include "mw_test.h"

static const double PI = 3.14159265358979323846;

// One drive under one action whose signal is r = a + v t.
typedef struct rig {
  mw_drive_in drive;
  mw_action action;
  mw_model model;
  mw_scenario scenario;
  mw_arena mem;
  mw_control c;
} rig;

static bool rig_of(mw_action action, double a, double v, double period, rig *g)
{
  mw_error err = { 0 };
  *g = (rig){ .action = action };
  g->action.kind = MW_ACTION_CONTROL;
  g->action.signal = (mw_signal){ .kind = MW_SIGNAL_RAMP, .a = a, .v = v };
  g->model = (mw_model){ .n_drive = 1, .drive = &g->drive };
  g->scenario = (mw_scenario){ .n_action = 1, .action = &g->action };
  return MW_OKAY(mw_control_build(&g->model, &g->scenario, period, &g->mem, &g->c, &err));
}

// The force held from t on, the coordinate then s, its rate v.
static double force_at(rig *g, double t, double s, double v)
{
  double f;
  g->c.s[0] = s;
  g->c.s_dot[0] = v;
  mw_error err = { 0 };
  MW_OKAY(mw_control_sample(&g->c, t, &err));
  mw_control_force(&g->c, t + 0.3 * g->c.period, &f);
  return f;
}

// An error e0 + e1 t: its integral e0 t + e1 t²/2 is the trapezoids' own. n roundings of the sum.
static void integral_of_a_linear_error_is_exact(void)
{
  static const double T = 1e-3, KP = 30.0, KI = 200.0, KD = 4.0;
  rig g;
  if (!rig_of((mw_action){ .kp = KP, .ki = KI, .kd = KD, .gravity = 7.0 }, 0.5, 2.0, T, &g)) return;
  for (int k = 0; k <= 1000; k++) {
    double t = k * T, s = 0.2 - 0.7 * t, e = 0.3 + 2.7 * t, sum = 0.3 * t + 1.35 * t * t;
    double f = force_at(&g, t, s, -0.7);
    MW_NEAR(f, KP * e + KI * sum + KD * 2.7 + 7.0, 1000.0 * DBL_EPSILON * KI * 2.0);
  }
  mw_arena_free(&g.mem);
}

// w = r' + kp (r − s), limited, against s'; the lag is constant, its integral linear.
static void cascade_asks_for_a_rate(void)
{
  static const double T = 1e-3;
  for (int limited = 0; limited < 2; limited++) {
    mw_action a = { .kp = 5.0, .cascade = true, .v_kp = 40.0, .v_ki = 300.0 };
    if (limited) a.max_speed = 0.9;
    rig g;
    if (!rig_of(a, 1.0, 0.25, T, &g)) return;
    double lag = (limited ? 0.9 : 0.25 + 5.0 * 0.4) - 0.25;
    for (int k = 0; k <= 100; k++) {
      double t = k * T, f = force_at(&g, t, 0.6 + 0.25 * t, 0.25);
      MW_NEAR(f, 40.0 * lag + 300.0 * lag * t, 400.0 * DBL_EPSILON * 100.0);
    }
    mw_arena_free(&g.mem);
  }
}

// Homed at the first sample; position and rate by its ratio. In a cascade the rate is the drive's.
static void encoder_is_homed_and_scaled(void)
{
  for (int cascade = 0; cascade < 2; cascade++) {
    mw_action a = { .kp = 10.0, .encoder = true, .encoder_ratio = -20.0 };
    if (cascade)
      a.cascade = true, a.v_kp = 3.0;
    else
      a.kd = 3.0;
    rig g;
    if (!rig_of(a, 2.0, 0.0, 1e-3, &g)) return;
    g.c.e[0] = 0.3;
    g.c.e_dot[0] = 0.0;
    // error 0.5 at its home, whatever the encoder says there
    MW_NEAR(force_at(&g, 0.0, 1.5, 0.0), cascade ? 15.0 : 5.0, 16.0 * DBL_EPSILON * 15.0);
    g.c.e[0] = 0.31;
    g.c.e_dot[0] = 0.4;
    double e = 2.0 - (1.5 - 20.0 * 0.01);
    MW_NEAR(force_at(&g, 1e-3, 9.0, 0.7),
            cascade ? 3.0 * (10.0 * e - 0.7) : 10.0 * e + 3.0 * 20.0 * 0.4,
            64.0 * DBL_EPSILON * 30.0);
    mw_arena_free(&g.mem);
  }
}

// |F| at frequency f: amplitude of what a sine of amplitude 1 becomes, over whole periods after
// `settle` of them.
static double gain_at(const mw_filter_in *filter, double f, int per_period, int settle)
{
  double T = 1.0 / (f * per_period), re = 0.0, im = 0.0;
  mw_filter_in in = *filter;
  rig g;
  if (!rig_of((mw_action){ .kp = 1.0, .n_filter = 1, .filter = &in }, 0.0, 0.0, T, &g)) return NAN;
  for (int k = 0; k < (settle + 1) * per_period; k++) {
    double x = 2.0 * PI * (k % per_period) / per_period, y = force_at(&g, k * T, -sin(x), 0.0);
    if (k < settle * per_period) continue;
    re += y * sin(x);
    im += y * cos(x);
  }
  mw_arena_free(&g.mem);
  return 2.0 * hypot(re, im) / per_period;
}

// At its own frequency, where (7) is exact: 1/√2, 1/√2 and the depth, whatever the rate of samples;
// what starts dies by e^(−2π) and e^(−√2 π) a period at least, e^(−π width/f) behind the notch.
static void filters_are_exact_at_their_frequency(void)
{
  const mw_filter_in filter[] = { { .f = 80.0, .order = 1 },
                                  { .f = 80.0, .order = 2 },
                                  { .notch = true, .f = 80.0, .width = 80.0, .depth = 0.25 },
                                  { .notch = true, .f = 80.0, .width = 80.0 } };
  const double want[] = { sqrt(0.5), sqrt(0.5), 0.25, 0.0 };
  for (int i = 0; i < 4; i++)
    for (int per_period = 5; per_period < 200; per_period *= 3)
      MW_NEAR(gain_at(&filter[i], 80.0, per_period, 12), want[i],
              exp(-12.0 * PI) + 20.0 * per_period * DBL_EPSILON * 40.0);
}

// Sampled often (ωT = 0.02) they are the analog ones (5), (6) to (ωT)²/12 of the frequency, whose
// gains change by less than twice as much of themselves.
static void filters_sampled_often_are_the_analog_ones(void)
{
  static const double F = 50.0;
  for (double x = 0.25; x < 5.0; x *= 1.7) {
    double q = 1.0 - x * x, notch = hypot(q, 0.1 * 0.8 * x) / hypot(q, 0.8 * x);
    double tol = 4.0 * pow(0.02 * fmax(1.0, 1.0 / x), 2.0) / 12.0 + exp(-0.4 * 2.0 * PI * 20.0 / x);
    mw_filter_in one = { .f = F, .order = 1 }, two = { .f = F, .order = 2 },
                 n = { .notch = true, .f = F, .width = 0.8 * F, .depth = 0.1 };
    MW_NEAR(gain_at(&one, x * F, 314, 40), 1.0 / hypot(1.0, x), tol);
    MW_NEAR(gain_at(&two, x * F, 314, 40), 1.0 / hypot(q, sqrt(2.0) * x), tol);
    MW_NEAR(gain_at(&n, x * F, 314, 40), notch, tol);
  }
}

static void filters_beyond_half_the_rate_are_refused(void)
{
  mw_filter_in f = { .f = 500.0, .order = 1 };
  mw_action a = { .kind = MW_ACTION_CONTROL, .n_filter = 1, .filter = &f };
  mw_drive_in drive = { 0 };
  mw_model m = { .n_drive = 1, .drive = &drive };
  mw_scenario sc = { .n_action = 1, .action = &a };
  mw_arena mem = { 0 };
  mw_control c;
  mw_error err = { 0 };
  MW_FAILS(mw_control_build(&m, &sc, 1e-3, &mem, &c, &err), MW_ERR_INPUT);
  f.f = 499.0;
  MW_OKAY(mw_control_build(&m, &sc, 1e-3, &mem, &c, &err));
  mw_arena_free(&mem);
}

// Force, power, and integrals that wait: as soon as the error changes its sign the force leaves its
// limit, as if the time there had not been.
static void limits_hold_back_and_integrals_wait(void)
{
  static const double T = 1e-3;
  rig g;
  mw_action a = { .kp = 10.0, .ki = 1e4, .max_force = 8.0, .max_power = 4.0 };
  if (!rig_of(a, 0.0, 0.0, T, &g)) return;
  for (int k = 0; k < 500; k++) MW_CHECK(force_at(&g, k * T, -1.0, 0.1) == 8.0);
  MW_NEAR(force_at(&g, 500 * T, -1.0, -2.0), 2.0, 4.0 * DBL_EPSILON);  // 4 W at 2 m/s
  MW_CHECK(g.c.loop[0].n_limited == 501 && g.c.loop[0].t_limited == 0.0);
  // the trapezoid of errors 1 and −0.2 is all there is in the integral
  MW_NEAR(force_at(&g, 501 * T, 0.2, 0.0), -2.0 + 1e4 * 0.5 * T * 0.8, 64.0 * DBL_EPSILON * 10.0);
  MW_CHECK(g.c.loop[0].n_limited == 501 && g.c.n_sample == 502);
  mw_arena_free(&g.mem);
}

// Sampled again at one instant, or by a copy, it gives the same bits.
static void a_sample_taken_again_changes_nothing(void)
{
  mw_filter_in f = { .notch = true, .f = 90.0, .width = 20.0 };
  mw_action a = { .kp = 10.0, .ki = 50.0, .n_filter = 1, .filter = &f, .max_force = 1.0 };
  rig g, once;
  mw_control copy = { 0 };
  mw_error err = { 0 };
  if (!rig_of(a, 0.3, 0.1, 1e-3, &g) || !rig_of(a, 0.3, 0.1, 1e-3, &once)) return;
  for (int k = 0; k < 60; k++) {
    double t = k * 1e-3, s = 0.4 * sin(40.0 * t);
    (void)force_at(&g, t, s + 0.1, 0.0);
    double twice = force_at(&g, t, s, 0.0), want = force_at(&once, t, s, 0.0);
    MW_SAME_BITS(&twice, &want, 1);
    if (k == 30) MW_OKAY(mw_control_copy(&g.c, &g.mem, &copy, &err));
    if (k <= 30) continue;
    copy.s[0] = s;
    MW_OKAY(mw_control_sample(&copy, t, &err));
    MW_SAME_BITS(&copy.force[0], &want, 1);
  }
  MW_CHECK(g.c.n_sample == 60 && g.c.loop[0].n_limited == once.c.loop[0].n_limited);
  MW_CHECK(once.c.loop[0].n_limited > 0);
  mw_arena_free(&g.mem);
  mw_arena_free(&once.mem);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "integral_of_a_linear_error_is_exact", integral_of_a_linear_error_is_exact },
    { "cascade_asks_for_a_rate", cascade_asks_for_a_rate },
    { "encoder_is_homed_and_scaled", encoder_is_homed_and_scaled },
    { "filters_are_exact_at_their_frequency", filters_are_exact_at_their_frequency },
    { "filters_sampled_often_are_the_analog_ones", filters_sampled_often_are_the_analog_ones },
    { "filters_beyond_half_the_rate_are_refused", filters_beyond_half_the_rate_are_refused },
    { "limits_hold_back_and_integrals_wait", limits_hold_back_and_integrals_wait },
    { "a_sample_taken_again_changes_nothing", a_sample_taken_again_changes_nothing },
  };
  return mw_test_run("control", cases, (int)(sizeof cases / sizeof *cases));
}
