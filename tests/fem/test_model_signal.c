// SPDX-License-Identifier: BSD-3-Clause
// test_model_signal.c: sums, products, splines and expressions of a scenario are what closed forms
// and other signals say, with their derivatives and kinks; what is wrong with one is said at its
// place.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fem/control.h"
#include "mw_test.h"

#define MODEL                                                                                      \
  "modeway: 1\n"                                                                                   \
  "parameters: { F: 2, w: 2*pi }\n"                                                                \
  "bodies: { box: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } } }\n"                         \
  "joints: { a: { prismatic: { a: ground, b: box, axis: [1, 0, 0] }, coordinate: x } }\n"          \
  "drives: { m: { coordinate: x } }\n"                                                             \
  "scenarios:\n"                                                                                   \
  "  s:\n"                                                                                         \
  "    duration: 2\n"                                                                              \
  "    drives: { m: { %s } }\n"
enum { ROW = 9, COL = 20 };  // of the drive's first key

static char path[64];

static mw_code read_action(const char *action, const mw_model_edit *edit, mw_model *m,
                           mw_error *err)
{
  snprintf(path, sizeof path, "/tmp/test_model_signal.%ld", (long)getpid());
  FILE *f = fopen(path, "w");
  MW_CHECK(f != NULL);
  if (!f) return MW_ERR_IO;
  MW_CHECK(fprintf(f, MODEL, action) > 0);
  MW_CHECK(fclose(f) == 0);
  return mw_model_read_edited(path, edit, m, err);
}

static mw_model model_of(const char *action)
{
  mw_model m = { 0 };
  mw_error err = { 0 };
  MW_OKAY(read_action(action, NULL, &m, &err));
  return m;
}

static const mw_signal *signal_of(const mw_model *m) { return &m->scenario[0].action[0].signal; }

// Two actions give the same signal, to n roundings of numbers up to `size`, which grow with every
// derivative by a factor 50, and the same kinks.
static void same(const char *a, const char *b, double n)
{
  mw_model p = model_of(a), q = model_of(b);
  const mw_signal *x = signal_of(&p), *y = signal_of(&q);
  for (int k = 0; k <= 40; k++) {
    double t = 0.05 * k, u[3], v[3], size = 10.0;
    mw_signal_eval(x, t, &u[0], &u[1], &u[2]);
    mw_signal_eval(y, t, &v[0], &v[1], &v[2]);
    for (int i = 0; i < 3; i++, size *= 50.0) MW_NEAR(u[i], v[i], n * DBL_EPSILON * size);
    MW_CHECK(mw_signal_next_kink(x, t) == mw_signal_next_kink(y, t));
  }
  mw_model_free(&p);
  mw_model_free(&q);
}

static void sums_and_products_are_what_their_parts_are_together(void)
{
  same("force: { sum: [1, { step: { value: 2, at: 0.5 } }] }",
       "force: { sum: [{ step: { value: 2, at: 0.5 } }, 1] }", 0.0);
  same("force: { sum: [{ step: { value: 2, at: 0.5 } }] }",
       "force: { step: { value: 2, at: 0.5 } }", 0.0);
  same("force: { product: [2, { sine: { amplitude: 1.5, frequency: 2, from: 0.25 } }] }",
       "force: { sine: { amplitude: 3, frequency: 2, from: 0.25 } }", 2.0);
  // sin a sin b = (cos(a − b) − cos(a + b))/2
  same("force: { product: [{ sine: { amplitude: 1, frequency: 1 } }, { sine: { amplitude: 1, "
       "frequency: 3 } }] }",
       "force: { sum: [{ sine: { amplitude: 0.5, frequency: 2, phase: $w/4 } }, { sine: { "
       "amplitude: -0.5, frequency: 4, phase: $w/4 } }] }",
       64.0);
}

static void expressions_are_the_signals_they_write(void)
{
  same("force: { expression: 3*sin(2*pi*2*t + 0.3) }",
       "force: { sine: { amplitude: 3, frequency: 2, phase: 0.3 } }", 32.0);
  same("force: { expression: $F*sin($w*t) }", "force: { sine: { amplitude: 2, frequency: 1 } }",
       32.0);
  same("position: { expression: 0.3 + 0.4*t }", "position: { ramp: { from: 0.3, velocity: 0.4 } }",
       4.0);
  // a window: from 0.5 s to 1.25 s
  same(
      "force: { product: [{ sum: [{ step: { value: 1, at: 0.5 } }, { step: { value: -1, at: 1.25 } "
      "}] }, { expression: 3*sin(2*pi*2*(t - 0.5)) }] }",
      "force: { sine: { amplitude: 3, frequency: 2, from: 0.5, until: 1.25 } }", 32.0);
  mw_model m = model_of("position: { expression: 0.1*exp(t) }");
  MW_NEAR(m.scenario[0].start_s[0], 0.1, DBL_EPSILON);
  MW_NEAR(m.scenario[0].start_v[0], 0.1, DBL_EPSILON);
  mw_model_free(&m);
}

// A cubic that rests at both ends is its own spline; so is a straight line with free ends.
static void splines_reproduce_what_they_can(void)
{
  mw_model m = model_of("position: { spline: { time: [0, 0.2, 0.7, 1.5, 2], value: [0, 0.028, "
                        "0.28175, 0.84375, 1] } }");
  for (int k = 0; k < 40; k++) {
    double t = 0.05 * k, x = 0.5 * t, y[3];  // 3x² − 2x³
    mw_signal_eval(signal_of(&m), t, &y[0], &y[1], &y[2]);
    MW_NEAR(y[0], (3.0 - 2.0 * x) * x * x, 32.0 * DBL_EPSILON);
    MW_NEAR(y[1], 3.0 * x * (1.0 - x), 64.0 * DBL_EPSILON);
    MW_NEAR(y[2], 1.5 - 3.0 * x, 256.0 * DBL_EPSILON);
  }
  MW_CHECK(mw_signal_next_kink(signal_of(&m), 0.0) == 2.0);
  mw_model_free(&m);
  m = model_of("force: { spline: { time: [0.5, 0.7, 1.5], value: [1, 1.4, 3], ends: free } }");
  for (int k = 0; k <= 40; k++) {
    double t = 0.05 * k, y[3];
    mw_signal_eval(signal_of(&m), t, &y[0], &y[1], &y[2]);
    bool in = t >= 0.5 && t < 1.5;
    MW_NEAR(y[0], in ? 2.0 * t : t < 0.5 ? 1.0 : 3.0, 16.0 * DBL_EPSILON);
    MW_NEAR(y[1], in ? 2.0 : 0.0, 64.0 * DBL_EPSILON);
    MW_WITHIN(y[2], 0.0, 512.0 * DBL_EPSILON, "a few roundings, none by chance");
  }
  mw_model_free(&m);
}

// Rate and curvature are continuous at the points, and the latter zero at free ends.
static void splines_are_smooth(void)
{
  mw_model m = model_of(
      "force: { spline: { time: [0, 0.3, 0.5, 1, 1.8], value: [1, -2, 0, 3, 1], ends: free } }");
  static const double at[] = { 0.3, 0.5, 1.0 };
  const mw_signal *g = signal_of(&m);
  double before[3], after[3];
  for (int k = 0; k < 3; k++) {
    double h = 1e-9;
    mw_signal_eval(g, at[k] - h, &before[0], &before[1], &before[2]);
    mw_signal_eval(g, at[k] + h, &after[0], &after[1], &after[2]);
    // what moves in 2 h: slopes up to 30, curvatures up to 500, third derivatives up to 5000
    MW_NEAR(after[0], before[0], 2.0 * h * 30.0);
    MW_NEAR(after[1], before[1], 2.0 * h * 500.0);
    MW_NEAR(after[2], before[2], 2.0 * h * 5000.0);
  }
  mw_signal_eval(g, 0.0, &after[0], &after[1], &after[2]);
  MW_NEAR(after[2], 0.0, 0.0);
  MW_CHECK(mw_signal_next_kink(g, 0.0) == 1.8);
  mw_model_free(&m);
}

static void kinks_of_parts_are_those_of_the_whole(void)
{
  mw_model m = model_of("force: { sum: [{ table: { time: [0.1, 0.7, 1.3], value: [0, 1, 0] } }, { "
                        "product: [{ step: { value: 1, at: 0.9 } }, { sine: { amplitude: 1, "
                        "frequency: 2, from: 0.3, until: 1.1 } }] }, 4] }");
  static const double want[] = { 0.1, 0.3, 0.7, 0.9, 1.1, 1.3 };
  const mw_signal *g = signal_of(&m);
  double t[6], at = 0.0;
  int n = mw_signal_kinks(g, NULL);
  MW_CHECK(n == 6);
  if (n == 6) MW_CHECK(mw_signal_kinks(g, t) == 6 && memcmp(t, want, sizeof want) == 0);
  for (int k = 0; k < 6; k++) {
    at = mw_signal_next_kink(g, at);
    MW_CHECK(at == want[k]);
  }
  MW_CHECK(isinf(mw_signal_next_kink(g, at)));
  MW_CHECK(mw_signal_frequency(g, 0.5) == 2.0 && mw_signal_frequency(g, 1.2) == 0.0);
  mw_model_free(&m);
}

static void the_hash_of_a_scenario_sees_parameters_in_expressions(void)
{
  static const char *const set[] = { "parameters.F=3" };
  const mw_model_edit edit = { .n_set = 1, .set = set };
  mw_error err = { 0 };
  mw_model a = model_of("force: { expression: $F*t }"), b = { 0 };
  MW_OKAY(read_action("force: { expression: $F*t }", &edit, &b, &err));
  MW_CHECK(strcmp(a.hash, b.hash) == 0);
  MW_CHECK(strcmp(a.scenario[0].hash, b.scenario[0].hash) != 0);
  double y = 0.0;
  mw_signal_eval(signal_of(&b), 0.5, &y, NULL, NULL);
  MW_CHECK(y == 1.5);
  mw_model_free(&a);
  mw_model_free(&b);
}

static void what_is_wrong_is_said_at_its_place(void)
{
  static const struct {
    const char *action;
    int col;  // from the drive's first key
    const char *words;
  } bad[] = {
    { "force: { expression: 2*sin(t }", 28, "expected an operation or )" },
    { "force: { expression: \"2*abs(t)\" }", 24, "bends" },
    { "force: { expression: $G*t }", 21, "found no parameter G" },
    { "force: { expression: 1/(t - 1) }", 7, "not finite" },
    { "force: { expression: log(t) }", 7, "not finite" },
    { "force: { expression: '' }", 21, "an expression of t" },
    { "force: { sum: [] }", 14, "found a list of 0" },
    { "force: { sum: [1, { stop: { value: 1 } }] }", 20, "did you mean \"step\"" },
    { "position: { sum: [1, { step: { value: 1 } }] }", 23, "unknown key \"step\"" },
    { "position: { sum: [1, { sine: { amplitude: 1, frequency: 1, until: 0.3 } }] }", 66, "jumps" },
    { "position: { sum: [{ move: { to: 1, max_velocity: 1, max_acceleration: 1, max_jerk: 1 } }] "
      "}",
      18, "a move without from" },
    { "force: { spline: { time: [0, 1], value: [1] } }", 40, "a list of 1" },
    { "force: { spline: { time: [0, 1], value: [1, 2, 3] } }", 40, "found 3 values for 2 times" },
    { "force: { spline: { time: [0, 0], value: [1, 2] } }", 29, "expected increasing times" },
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    mw_model m = { 0 };
    mw_error err = { 0 };
    MW_FAILS(read_action(bad[k].action, NULL, &m, &err), MW_ERR_INPUT);
    if (!MW_CHECK(err.line == ROW && err.col == COL + bad[k].col && strstr(err.msg, bad[k].words)))
      printf("%s: %d:%d %s\n", bad[k].action, err.line, err.col - COL, err.msg);
  }
  MW_CHECK(unlink(path) == 0);
}

#define CASE(name)                                                                                 \
  {                                                                                                \
#name, name                                                                                    \
  }
static const mw_test_case cases[] = {
  CASE(sums_and_products_are_what_their_parts_are_together),
  CASE(expressions_are_the_signals_they_write),
  CASE(splines_reproduce_what_they_can),
  CASE(splines_are_smooth),
  CASE(kinks_of_parts_are_those_of_the_whole),
  CASE(the_hash_of_a_scenario_sees_parameters_in_expressions),
  CASE(what_is_wrong_is_said_at_its_place),
};

int main(void) { return mw_test_run("model_signal", cases, (int)(sizeof cases / sizeof *cases)); }
