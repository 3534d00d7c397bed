// SPDX-License-Identifier: BSD-3-Clause
// test_signal.c: signals against their own differences, limits of the seven-phase profile,
// controllers.
#include <float.h>
#include <math.h>

#include "fem/control.h"
#include "mw_test.h"

static const double PI = 3.14159265358979323846;

// distance, velocity, acceleration, jerk: every case of the profile
static const double moves[][4] = {
  { 0.5, 1.0, 10.0, 500.0 },    // all seven phases
  { 0.5, 1.0, 50.0, 500.0 },    // cruise, acceleration limit not reached
  { 0.1, 5.0, 10.0, 500.0 },    // no cruise, acceleration limit reached
  { 0.001, 5.0, 10.0, 500.0 },  // neither
};
enum { N_MOVES = sizeof moves / sizeof *moves };

static mw_signal move_of(int k, double a, double sign)
{
  const double *p = moves[k];
  return (mw_signal){ .kind = MW_SIGNAL_MOVE,
                      .a = a,
                      .b = a + sign * p[0],
                      .t0 = 0.1,
                      .v = p[1],
                      .acc = p[2],
                      .jerk = p[3] };
}

// when the profile has come to rest, by bisection
static double end_of(const mw_signal *g)
{
  double lo = g->t0, hi = g->t0 + 100.0, y;
  for (int i = 0; i < 100; i++) {
    double mid = 0.5 * (lo + hi);
    mw_signal_eval(g, mid, &y, NULL, NULL);
    if (y == g->b)
      hi = mid;
    else
      lo = mid;
  }
  return hi;
}

static void check_derivatives(const mw_signal *g, double t)
{
  // central differences: truncation eps² y''' / 6 against rounding DBL_EPSILON |y| / eps; scales of
  // the signals below: y up to 2, y' up to 25, y'' up to 400 and one order more for each derivative
  // further
  double eps = 1e-5, y, dy, ddy, yp, ym, dyp, dym;
  mw_signal_eval(g, t, &y, &dy, &ddy);
  mw_signal_eval(g, t + eps, &yp, &dyp, NULL);
  mw_signal_eval(g, t - eps, &ym, &dym, NULL);
  MW_NEAR(dy, (yp - ym) / (2 * eps), eps * eps * 1e4 + 4 * DBL_EPSILON * 2 / eps);
  MW_NEAR(ddy, (dyp - dym) / (2 * eps), eps * eps * 2e5 + 4 * DBL_EPSILON * 25 / eps);
}

static void derivatives_are_those_of_the_value(void)
{
  const double tt[4] = { 0.2, 0.5, 0.6, 1.4 }, yy[4] = { 0.0, 1.0, -1.0, 0.5 };
  mw_signal g[] = {
    { .kind = MW_SIGNAL_CONSTANT, .a = 2.0 },
    { .kind = MW_SIGNAL_STEP, .a = 2.0, .t0 = 0.11 },
    { .kind = MW_SIGNAL_SINE, .a = 1.5, .f = 2.0, .t0 = 0.11, .t1 = 1.11, .phase = 0.3 },
    { .kind = MW_SIGNAL_CHIRP, .a = 1.0, .f = 1.0, .f1 = 3.0, .t0 = 0.11, .t1 = 1.11 },
    { .kind = MW_SIGNAL_TABLE, .n = 4, .t = tt, .y = yy },
    { .kind = MW_SIGNAL_RAMP, .a = 1.0, .v = -2.0 },
    { .kind = MW_SIGNAL_CYCLOID, .a = 0.2, .b = 0.6, .t0 = 0.11, .t1 = 1.31 },
    { .kind = MW_SIGNAL_SPIN_UP, .a = 0.2, .v = 1.5, .t0 = 0.11, .t1 = 1.31 },
  };
  for (size_t k = 0; k < sizeof g / sizeof *g; k++)
    for (int i = 0; i < 15; i++) check_derivatives(&g[k], 0.05 + 0.1 * i + 0.003);
}

static void profile_derivatives_are_those_of_the_value(void)
{
  for (int k = 0; k < N_MOVES; k++) {
    mw_signal g = move_of(k, 0.3, -1.0);
    double T = end_of(&g) - g.t0, eps = 1e-5 * T;
    for (int i = 0; i < 40; i++) {
      double t = g.t0 + T * (i + 0.37) / 40.0, dy, ddy, yp, ym, dyp, dym;
      mw_signal_eval(&g, t, &yp, &dy, &ddy);
      mw_signal_eval(&g, t + eps, &yp, &dyp, NULL);
      mw_signal_eval(&g, t - eps, &ym, &dym, NULL);
      // the jerk jumps at most by its limit across eps
      MW_NEAR(dy, (yp - ym) / (2 * eps), g.jerk * eps * eps + 4 * DBL_EPSILON / eps);
      MW_WITHIN(ddy, (dyp - dym) / (2 * eps), g.jerk * eps + 4 * DBL_EPSILON * g.v / eps,
                "where the jerk jumps within a difference");
    }
  }
}

static void profile_respects_its_limits_and_meets_its_ends(void)
{
  for (int k = 0; k < N_MOVES; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      mw_signal g = move_of(k, 0.3, sign);
      double T = end_of(&g) - g.t0, v = 0.0, a = 0.0, y, dy, ddy, last = 0.0, jerk = 0.0;
      for (int i = 0; i <= 4000; i++) {
        mw_signal_eval(&g, g.t0 + T * i / 4000.0, &y, &dy, &ddy);
        v = fmax(v, fabs(dy));
        a = fmax(a, fabs(ddy));
        jerk = fmax(jerk, fabs(ddy - last) / (T / 4000.0));
        last = ddy;
        MW_CHECK(sign * dy >= 0.0);
      }
      // rounding of a dozen operations; the jerk from differences of values of size acc
      MW_CHECK(v <= g.v * (1 + 16 * DBL_EPSILON));
      MW_CHECK(a <= g.acc * (1 + 16 * DBL_EPSILON));
      MW_CHECK(jerk <= g.jerk * (1 + 1e-9));
      mw_signal_eval(&g, g.t0, &y, &dy, &ddy);
      MW_CHECK(y == g.a && dy == 0.0 && ddy == 0.0);
      mw_signal_eval(&g, g.t0 + T * 1.0001, &y, &dy, &ddy);
      MW_CHECK(y == g.b && dy == 0.0 && ddy == 0.0);
      // the approach to the end is continuous: cubic in the time left
      mw_signal_eval(&g, g.t0 + T * (1 - 1e-6), &y, NULL, NULL);
      MW_NEAR(y, g.b, g.jerk * pow(1e-6 * T, 3) + 8 * DBL_EPSILON);
    }
}

static void profile_takes_the_time_of_the_closed_form(void)
{
  // L/v + v/acc + acc/jerk with all seven phases, 4 (L/(2 jerk))^(1/3) when no limit but the jerk
  // is met. The end is seen where the cubic approach jerk x³/6 drowns in the rounding of L.
  mw_signal g = move_of(0, 0.0, 1.0);
  MW_NEAR(end_of(&g) - g.t0, 0.5 / 1.0 + 1.0 / 10.0 + 10.0 / 500.0,
          cbrt(6 * DBL_EPSILON * 0.5 / 500));
  g = move_of(3, 0.0, 1.0);
  MW_NEAR(end_of(&g) - g.t0, 4 * cbrt(0.001 / 1000.0), cbrt(6 * DBL_EPSILON * 0.001 / 500));
}

static void move_of_no_distance_stays(void)
{
  mw_signal g = { .kind = MW_SIGNAL_MOVE, .a = 0.4, .b = 0.4, .v = 1, .acc = 1, .jerk = 1 };
  double y, dy, ddy;
  for (int i = -1; i < 3; i++) {
    mw_signal_eval(&g, i, &y, &dy, &ddy);
    MW_CHECK(y == 0.4 && dy == 0.0 && ddy == 0.0);
  }
}

static void table_is_taken_from_the_right(void)
{
  const double t[3] = { 0.0, 1.0, 2.0 }, y[3] = { 0.0, 2.0, 1.0 };
  mw_signal g = { .kind = MW_SIGNAL_TABLE, .n = 3, .t = t, .y = y };
  double v, dv;
  mw_signal_eval(&g, 1.0, &v, &dv, NULL);
  MW_CHECK(v == 2.0 && dv == -1.0);
  mw_signal_eval(&g, -1.0, &v, &dv, NULL);
  MW_CHECK(v == 0.0 && dv == 0.0);
  mw_signal_eval(&g, 2.0, &v, &dv, NULL);
  MW_CHECK(v == 1.0 && dv == 0.0);
}

static void drives_follow_their_actions(void)
{
  mw_drive_in drive[4] = { { .joint = 0 }, { .joint = 1 }, { .joint = -1 }, { .joint = 2 } };
  mw_action act[3] = {
    { .drive = 0,
      .kind = MW_ACTION_CONTROL,
      .kp = 100,
      .kd = 10,
      .ff = 2,
      .signal = { .kind = MW_SIGNAL_SINE, .a = 1, .f = 1 / (2 * PI), .t0 = 0, .t1 = 9 } },
    { .drive = 1,
      .kind = MW_ACTION_POSITION,
      .signal = { .kind = MW_SIGNAL_RAMP, .a = 1, .v = 2 } },
    { .drive = 2, .kind = MW_ACTION_FORCE, .signal = { .kind = MW_SIGNAL_RAMP, .a = 0, .v = 3 } },
  };
  mw_model m = { .n_drive = 4, .drive = drive };
  mw_scenario sc = { .n_action = 3, .action = act };
  double f[4], y[3];
  mw_arena mem = { 0 };
  mw_control c;
  mw_error err = { 0 };
  if (!MW_OKAY(mw_control_build(&m, &sc, 0.1, &mem, &c, &err))) return;
  c.s[0] = 0.1;
  c.s_dot[0] = 0.2;
  MW_OKAY(mw_control_sample(&c, 0.5, &err));
  mw_control_force(&c, 0.55, f);
  // a dozen roundings of numbers up to 50
  MW_NEAR(f[0], -2 * sin(0.5) + 100 * (sin(0.5) - 0.1) + 10 * (cos(0.5) - 0.2),
          50 * 16 * DBL_EPSILON);
  MW_CHECK(f[1] == 0.0 && f[3] == 0.0);
  MW_NEAR(f[2], 1.65, 4 * DBL_EPSILON);
  MW_CHECK(mw_control_prescribed(&sc, 1, 0.25, y) && y[0] == 1.5 && y[1] == 2.0 && y[2] == 0.0);
  MW_CHECK(!mw_control_prescribed(&sc, 0, 0.25, y) && !mw_control_prescribed(&sc, 3, 0.25, y));
  mw_arena_free(&mem);
}

// y = a sin φ: φ'² = y'²/(a² − y²), of sines and chirps while they last; other signals have none.
static void frequency_is_the_rate_of_the_phase(void)
{
  const mw_signal signal[] = {
    { .kind = MW_SIGNAL_SINE, .a = 0.3, .t0 = 0.2, .t1 = 1.2, .f = 3.0, .phase = 0.4 },
    { .kind = MW_SIGNAL_CHIRP, .a = 0.3, .t0 = 0.2, .t1 = 1.2, .f = 2.0, .f1 = 7.0 },
    { .kind = MW_SIGNAL_CHIRP, .a = 0.3, .t0 = 0.2, .t1 = 1.2, .f = 7.0, .f1 = 2.0 },
  };
  for (int k = 0; k < 3; k++) {
    const mw_signal *g = &signal[k];
    for (double t = 0.213; t < 1.2; t += 0.071) {
      double y, dy;
      mw_signal_eval(g, t, &y, &dy, NULL);
      double c2 = 1.0 - y * y / (g->a * g->a), want = fabs(dy) / (g->a * sqrt(c2));
      if (c2 < 0.1) continue;  // rounding of 1 - sin² is ten times as large there
      // phases of up to 50 rad are rounded, too
      MW_NEAR(2.0 * PI * mw_signal_frequency(g, t), want, 10.0 * 50.0 * DBL_EPSILON * want);
    }
    MW_CHECK(mw_signal_frequency(g, 0.1) == 0.0 && mw_signal_frequency(g, 1.3) == 0.0);
  }
  mw_signal move = move_of(0, 0.0, 1.0);
  MW_CHECK(mw_signal_frequency(&move, 0.2) == 0.0);
}

// A cubic that is at rest at both ends is its own spline; curvature jumps there and nowhere else.
static void spline_of_a_cubic_is_the_cubic(void)
{
  static const double at[] = { 2.0, 2.3, 2.55, 3.0 };
  enum { N = sizeof at / sizeof *at };
  double y[N], kink[N];
  mw_signal g = { 0 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  for (int k = 0; k < N; k++) y[k] = (at[k] - 2.0) * (at[k] - 2.0) * (7.0 - 2.0 * at[k]);
  if (MW_OKAY(mw_signal_spline(N, at, y, true, &mem, &g, &err))) {
    for (double t = 2.03; t < 3.0; t += 0.07) {
      double x = t - 2.0, v, rate;
      mw_signal_eval(&g, t, &v, &rate, NULL);
      // t rounds by 2 ε, values by ε, over steps of a quarter
      MW_NEAR(v, x * x * (3.0 - 2.0 * x), 4.0 * DBL_EPSILON);
      MW_NEAR(rate, 6.0 * x * (1.0 - x), 16.0 * DBL_EPSILON);
    }
    MW_CHECK(mw_signal_kinks(&g, kink) == 2 && kink[0] == 2.0 && kink[1] == 3.0);
  }
  mw_arena_free(&mem);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "derivatives_are_those_of_the_value", derivatives_are_those_of_the_value },
    { "profile_derivatives_are_those_of_the_value", profile_derivatives_are_those_of_the_value },
    { "profile_respects_its_limits_and_meets_its_ends",
      profile_respects_its_limits_and_meets_its_ends },
    { "profile_takes_the_time_of_the_closed_form", profile_takes_the_time_of_the_closed_form },
    { "move_of_no_distance_stays", move_of_no_distance_stays },
    { "table_is_taken_from_the_right", table_is_taken_from_the_right },
    { "frequency_is_the_rate_of_the_phase", frequency_is_the_rate_of_the_phase },
    { "spline_of_a_cubic_is_the_cubic", spline_of_a_cubic_is_the_cubic },
    { "drives_follow_their_actions", drives_follow_their_actions },
  };
  return mw_test_run("signal", cases, (int)(sizeof cases / sizeof *cases));
}
