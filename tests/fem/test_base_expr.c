// SPDX-License-Identifier: BSD-3-Clause
// test_base_expr.c: expressions have the value that C gives them, derivatives that closed forms and
// identities between functions demand, and errors at the character that is wrong.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/expr.h"
#include "mw_test.h"

static bool find(const void *ctx, const char *name, int n, double *value, char why[MW_EXPR_WHY])
{
  (void)ctx;
  snprintf(why, MW_EXPR_WHY, "found no %.*s", n, name);
  if (n != 4 || memcmp(name, "mass", 4) != 0) return false;
  *value = 3.0;
  return true;
}

static mw_code read(const char *text, bool time, mw_arena *mem, mw_expr *e, mw_error *err)
{
  return mw_expr_read(text, time, (mw_at){ "f", 2, 11 }, find, NULL, mem, e, err);
}

static void eval(const char *text, double t, double y[3])
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_expr e = { 0 };
  MW_OKAY(read(text, true, &mem, &e, &err));
  mw_expr_eval(&e, t, y);
  mw_arena_free(&mem);
}

static void values_are_those_of_c(void)
{
  static const struct {
    const char *text;
    double want;
  } ok[] = {
    { "3", 3.0 },
    { " .5e1 ", 5.0 },
    { "2*3+4", 10.0 },
    { "2+3*4", 14.0 },
    { "8-3-2", 3.0 },
    { "8/4/2", 1.0 },
    { "-2^2", -4.0 },
    { "2^3^2", 512.0 },
    { "2^-1", 0.5 },
    { "2*-3", -6.0 },
    { "--3", 3.0 },
    { "(1+2)*(3-4)", -3.0 },
    { "$mass*2", 6.0 },
    { "2 * ( $mass - 1 ) / 4", 1.0 },
    { "max(min($mass, 2), abs(-1))", 2.0 },
    { "sqrt(2)^2-2", 4.0 * DBL_EPSILON },
  };
  for (size_t k = 0; k < sizeof ok / sizeof *ok; k++) {
    double y[3];
    eval(ok[k].text, 0.3, y);
    // exact but for the last: sqrt rounds by half an ulp, its square by the same
    MW_NEAR(y[0], ok[k].want, ok[k].want < 0.1 && ok[k].want > 0.0 ? 4.0 * DBL_EPSILON : 0.0);
    MW_CHECK(y[1] == 0.0 && y[2] == 0.0);
  }
}

// Two expressions have the same value and derivatives, to n roundings of numbers below 100.
static void same(const char *a, const char *b)
{
  enum { N = 40 };
  static const double times[] = { 0.2, 0.7, 1.1 };
  for (int k = 0; k < 3; k++) {
    double x[3], y[3];
    eval(a, times[k], x);
    eval(b, times[k], y);
    for (int i = 0; i < 3; i++) MW_NEAR(x[i], y[i], N * DBL_EPSILON * 100.0);
  }
}

static void derivatives_are_those_of_the_formula(void)
{
  for (int k = 0; k < 5; k++) {
    double t = 0.1 + 0.4 * k, y[3], w = 4.0, s = sin(w * t), c = cos(w * t), e = exp(-0.5 * t);
    eval("exp(-t/2)*sin(4*t)", t, y);
    MW_NEAR(y[0], e * s, 8.0 * DBL_EPSILON);
    MW_NEAR(y[1], e * (w * c - 0.5 * s), 64.0 * DBL_EPSILON);
    MW_NEAR(y[2], e * (-w * w * s - w * c + 0.25 * s), 256.0 * DBL_EPSILON);
    eval("(1+t^2)/(2+t)", t, y);  // t − 2 + 5/(2 + t)
    MW_NEAR(y[0], t - 2.0 + 5.0 / (2.0 + t), 16.0 * DBL_EPSILON);
    MW_NEAR(y[1], 1.0 - 5.0 / pow(2.0 + t, 2.0), 16.0 * DBL_EPSILON);
    MW_NEAR(y[2], 10.0 / pow(2.0 + t, 3.0), 16.0 * DBL_EPSILON);
    eval("t^3", t, y);
    MW_NEAR(y[2], 6.0 * t, 16.0 * DBL_EPSILON);
  }
}

static void functions_keep_their_identities_to_the_second_derivative(void)
{
  same("sin(t*t)^2+cos(t*t)^2", "1");
  same("tan(t)", "sin(t)/cos(t)");
  same("asin(sin(t))", "t");
  same("acos(cos(t^2))", "t^2");
  same("atan(tan(t))", "t");
  same("sinh(2*t)", "(exp(2*t)-exp(-2*t))/2");
  same("cosh(2*t)", "(exp(2*t)+exp(-2*t))/2");
  same("tanh(t^2)", "sinh(t^2)/cosh(t^2)");
  same("log(exp(t^3))", "t^3");
  same("exp(log(1+t))", "1+t");
  same("sqrt(1+t)", "(1+t)^0.5");
  same("(1+t)^t", "exp(t*log(1+t))");
  same("-(t-t^2)", "t^2-t");
}

static void what_rests_stays_at_rest_where_slopes_are_infinite(void)
{
  double y[3];
  eval("sqrt(0)+t", 1.0, y);
  MW_CHECK(y[0] == 1.0 && y[1] == 1.0 && y[2] == 0.0);
  eval("t^2", 0.0, y);
  MW_CHECK(y[0] == 0.0 && y[1] == 0.0 && y[2] == 2.0);
  eval("t^1", 0.0, y);
  MW_CHECK(y[0] == 0.0 && y[1] == 1.0 && y[2] == 0.0);
}

static void errors_point_at_the_character(void)
{
  static const struct {
    const char *text;
    bool time;
    int col;  // of the text's own, 1-based
    const char *words;
  } bad[] = {
    { "2*", false, 3, "ends, expected a number" },
    { "2 3", false, 3, "expected an operation" },
    { "2**3", false, 3, "expected a number" },
    { "(2+3", false, 5, "expected an operation or )" },
    { "$", false, 2, "name of a parameter behind $" },
    { "1+$mas", false, 3, "found no mas" },
    { "1+$load", false, 3, "found no load" },
    { "sine(3)", false, 1, "sin cos tan" },
    { "min(3)", false, 6, "a comma" },
    { "2*t", false, 3, "no time" },
    { "2*abs(t)", true, 3, "bends" },
    { "max(1, 2+t)", true, 1, "bends" },
    { "1e999", false, 1, "not so large" },
    { "0x10", false, 1, "a decimal number" },
    { "\xc3\xa4+1", false, 1, "expected a number" },
    { "1+2\xc3\xa4", false, 4, "expected an operation" },
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_expr e = { 0 };
    MW_FAILS(read(bad[k].text, bad[k].time, &mem, &e, &err), MW_ERR_INPUT);
    if (!MW_CHECK(err.line == 2 && err.col == 10 + bad[k].col && strstr(err.msg, bad[k].words)))
      printf("%s: %d:%d %s\n", bad[k].text, err.line, err.col, err.msg);
    mw_arena_free(&mem);
  }
}

static void what_is_too_long_is_refused(void)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_expr e = { 0 };
  char text[1024];
  memset(text, '(', 200);
  snprintf(text + 200, sizeof text - 200, "1");
  MW_FAILS(read(text, false, &mem, &e, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "nested deeper") != NULL);
  memset(text, '-', 200);
  MW_FAILS(read(text, false, &mem, &e, &err), MW_ERR_INPUT);
  for (int k = 0; k < 300; k++) memcpy(text + 2 * k, "1+", 2);
  snprintf(text + 600, sizeof text - 600, "1");
  MW_FAILS(read(text, false, &mem, &e, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "too long") != NULL);
  // waits on the stack without parentheses
  MW_OKAY(read("1+2*3^4", false, &mem, &e, &err));
  mw_arena_free(&mem);
}

#define CASE(name)                                                                                 \
  {                                                                                                \
#name, name                                                                                    \
  }
static const mw_test_case cases[] = {
  CASE(values_are_those_of_c),
  CASE(derivatives_are_those_of_the_formula),
  CASE(functions_keep_their_identities_to_the_second_derivative),
  CASE(what_rests_stays_at_rest_where_slopes_are_infinite),
  CASE(errors_point_at_the_character),
  CASE(what_is_too_long_is_refused),
};

int main(void) { return mw_test_run("base_expr", cases, (int)(sizeof cases / sizeof *cases)); }
