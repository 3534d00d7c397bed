// SPDX-License-Identifier: BSD-3-Clause
// test_base_text.c: what error.c, json.c and progress.c write, compared character by character.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/progress.h"
#include "mw_test.h"

static void error_names_the_place_it_knows(void)
{
  mw_error err = { 0 };
  char out[1024];
  mw_at at = { "cases/a.yaml", 14, 9 };
  MW_FAILS(mw_fail(&err, MW_ERR_INPUT, at, "density is %g kg/m^3, must be positive", -7850.0),
           MW_ERR_INPUT);
  MW_CHECK(err.code == MW_ERR_INPUT && err.line == 14 && err.col == 9);
  mw_error_print(&err, out, (int)sizeof out);
  MW_CHECK(!strcmp(out, "cases/a.yaml:14:9: error: density is -7850 kg/m^3, must be positive\n"));
  at.col = 0;
  MW_FAILS(mw_fail(&err, MW_ERR_INPUT, at, "x"), MW_ERR_INPUT);
  mw_error_print(&err, out, (int)sizeof out);
  MW_CHECK(!strcmp(out, "cases/a.yaml:14: error: x\n"));
  at.line = 0;
  MW_FAILS(mw_fail(&err, MW_ERR_IO, at, "x"), MW_ERR_IO);
  mw_error_print(&err, out, (int)sizeof out);
  MW_CHECK(!strcmp(out, "cases/a.yaml: error: x\n"));
  MW_FAILS(mw_fail(&err, MW_ERR_NUMERIC, MW_NOWHERE, "no root"), MW_ERR_NUMERIC);
  mw_error_print(&err, out, (int)sizeof out);
  MW_CHECK(!strcmp(out, "modeway: error: no root\n"));
}

static void error_may_be_null_long_or_quote_itself(void)
{
  mw_error err = { 0 };
  char out[16], long_text[2000];
  MW_FAILS(mw_fail(NULL, MW_ERR_RANGE, MW_NOWHERE, "x"), MW_ERR_RANGE);
  memset(long_text, 'y', sizeof long_text - 1);
  long_text[sizeof long_text - 1] = '\0';
  MW_FAILS(mw_fail(&err, MW_ERR_RANGE, (mw_at){ long_text, 1, 1 }, "%s", long_text), MW_ERR_RANGE);
  MW_CHECK(strlen(err.msg) == sizeof err.msg - 1 && strlen(err.file) == sizeof err.file - 1);
  mw_error_print(&err, out, (int)sizeof out);
  MW_CHECK(strlen(out) == sizeof out - 1 && out[sizeof out - 2] == '\n');
  MW_FAILS(mw_fail(&err, MW_ERR_INPUT, MW_NOWHERE, "inner"), MW_ERR_INPUT);
  MW_FAILS(mw_fail(&err, MW_ERR_INPUT, MW_NOWHERE, "outer: %s", err.msg), MW_ERR_INPUT);
  MW_CHECK(!strcmp(err.msg, "outer: inner"));
}

// Everything written to f since the start, cut to n - 1 characters.
static void read_back(FILE *f, char *text, size_t n)
{
  rewind(f);
  text[fread(text, 1, n - 1, f)] = '\0';
  fclose(f);
}

static void json_nests_and_separates(void)
{
  char text[512];
  FILE *f = tmpfile();
  mw_json j = { .f = f };
  mw_json_object(&j, NULL);
  mw_json_num(&j, "a", 1.0);
  mw_json_array(&j, "b");
  mw_json_num(&j, NULL, 0.1);
  mw_json_object(&j, NULL);
  mw_json_end(&j, '}');
  mw_json_str(&j, NULL, "z");
  mw_json_end(&j, ']');
  mw_json_bool(&j, "c", true);
  mw_json_bool(&j, "d", false);
  mw_json_str(&j, "e", NULL);
  mw_json_end(&j, '}');
  read_back(f, text, sizeof text);
  MW_CHECK(!strcmp(text, "{\"a\": 1, \"b\": [0.10000000000000001, {}, \"z\"], "
                         "\"c\": true, \"d\": false, \"e\": null}\n"));
}

static void json_escapes_what_cannot_stand(void)
{
  char text[512];
  FILE *f = tmpfile();
  mw_json j = { .f = f };
  mw_json_array(&j, NULL);
  mw_json_str(&j, NULL, "q\" b\\ n\n t\t \x01 \xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82");
  // a lone byte, an overlong form, a surrogate, beyond U+10FFFF, a cut sequence, longer overlong
  // forms
  mw_json_str(&j, NULL, "\xff");
  mw_json_str(&j, NULL, "\xc0\xaf");
  mw_json_str(&j, NULL, "\xed\xa0\x80");
  mw_json_str(&j, NULL, "\xf4\x90\x80\x80");
  mw_json_str(&j, NULL, "\xe2\x82");
  mw_json_str(&j, NULL, "\xe0\x80\xaf");
  mw_json_str(&j, NULL, "\xf0\x80\x80\xaf");
  mw_json_end(&j, ']');
  read_back(f, text, sizeof text);
  MW_CHECK(!strcmp(text,
                   "[\"q\\\" b\\\\ n\\n t\\t \\u0001 \xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82\", "
                   "\"\\ufffd\", \"\\ufffd\\ufffd\", \"\\ufffd\\ufffd\\ufffd\", "
                   "\"\\ufffd\\ufffd\\ufffd\\ufffd\", \"\\ufffd\\ufffd\", "
                   "\"\\ufffd\\ufffd\\ufffd\", \"\\ufffd\\ufffd\\ufffd\\ufffd\"]\n"));
}

static void json_numbers_come_back_bit_for_bit(void)
{
  static const double x[] = { 0.1, -1e300, 5e-324, 1.0 / 3.0, 9007199254740991.0, 1e22, -42.0 };
  enum { N = sizeof x / sizeof *x };
  char text[512], *at = text + 1;
  FILE *f = tmpfile();
  mw_json j = { .f = f };
  mw_json_array(&j, NULL);
  for (int i = 0; i < N; i++) mw_json_num(&j, NULL, x[i]);
  mw_json_num(&j, NULL, (double)NAN);
  mw_json_num(&j, NULL, (double)-INFINITY);
  mw_json_end(&j, ']');
  read_back(f, text, sizeof text);
  for (int i = 0; i < N; i++) {
    double got = 0.0;
    int used = 0;
    MW_CHECK(sscanf(at, "%lf,%n", &got, &used) == 1);
    MW_SAME_BITS(&got, &x[i], 1);
    at += used;
  }
  MW_CHECK(!strcmp(at, " null, null]\n"));
}

// Runs work with stderr in a file and returns what it wrote.
static void capture(void (*work)(mw_progress *), mw_progress *p, char *text, size_t n)
{
  FILE *f = tmpfile();
  fflush(stderr);
  int keep = dup(STDERR_FILENO);
  MW_CHECK(f != NULL && keep >= 0 && dup2(fileno(f), STDERR_FILENO) >= 0);
  work(p);
  fflush(stderr);
  MW_CHECK(dup2(keep, STDERR_FILENO) >= 0);
  close(keep);
  read_back(f, text, n);
}

static void half_and_end(mw_progress *p)
{
  mw_progress_start(p, "modes", 10.0);
  mw_progress_step(p, 1.0);  // too early to print
  if (p) p->t_last -= 100.0, p->t_start -= 100.0;
  mw_progress_step(p, 5.0);
  mw_progress_end(p);
}

static void short_work(mw_progress *p)
{
  mw_progress_start_late(p, "start", 10.0);
  p->t_start += 1e6;  // no pause of the machine makes it long
  mw_progress_add(p, 2.0);
  mw_progress_add(p, 3.0);
  mw_progress_end(p);
}

static void long_work(mw_progress *p)
{
  mw_progress_start_late(p, "start", 10.0);
  mw_progress_add(p, 2.0);
  if (p) p->t_last -= 100.0, p->t_start -= 100.0;
  mw_progress_add(p, 3.0);
  mw_progress_end(p);
}

static void late_progress_tells_of_long_work_alone(void)
{
  char text[1024];
  mw_progress p = mw_progress_default(false);
  for (int tty = 0; tty < 2; tty++) {
    p.tty = tty;
    capture(short_work, &p, text, sizeof text);
    MW_CHECK(text[0] == '\0' && p.what == NULL);
  }
  capture(long_work, &p, text, sizeof text);
  MW_CHECK(strstr(text, "start [###############...............]  50 %  100 s to go") != NULL);
  p.tty = false;
  capture(long_work, &p, text, sizeof text);
  const char *begun = "start: begun ", *rest = strchr(text, '\n');
  MW_CHECK(strncmp(text, begun, strlen(begun)) == 0);
  MW_CHECK(rest && strcmp(rest, "\nstart: 50 %, 100 s to go\nstart: done in 100.0 s\n") == 0);
  capture(long_work, NULL, text, sizeof text);
  MW_CHECK(text[0] == '\0');
}

static void progress_is_a_line_a_bar_or_nothing(void)
{
  char text[1024];
  mw_progress p = mw_progress_default(false);
  p.tty = false;
  capture(half_and_end, &p, text, sizeof text);
  int year, month, day, h, min, sec, used = 0;
  MW_CHECK(sscanf(text, "modes: begun %d-%d-%d %d:%d:%d %n", &year, &month, &day, &h, &min, &sec,
                  &used) == 6);
  MW_CHECK(year >= 2020 && month >= 1 && month <= 12 && day >= 1 && day <= 31 && h < 24 &&
           min < 60);
  MW_CHECK(!strcmp(text + used, "modes: 50 %, 100 s to go\nmodes: done in 100.0 s\n"));
  p.tty = true;
  capture(half_and_end, &p, text, sizeof text);
  MW_CHECK(strstr(text, "modes [###############...............]  50 %  100 s to go") != NULL);
  MW_CHECK(strchr(text, '\n') == text + strlen(text) - 1);
  p = mw_progress_default(true);
  capture(half_and_end, &p, text, sizeof text);
  MW_CHECK(text[0] == '\0');
  capture(half_and_end, NULL, text, sizeof text);
  MW_CHECK(text[0] == '\0');
}

static void wall_time_never_falls(void)
{
  double last = mw_wall_time();
  for (int i = 0; i < 1000; i++) {
    double t = mw_wall_time();
    MW_CHECK(t >= last);
    last = t;
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "error_names_the_place_it_knows", error_names_the_place_it_knows },
    { "error_may_be_null_long_or_quote_itself", error_may_be_null_long_or_quote_itself },
    { "json_nests_and_separates", json_nests_and_separates },
    { "json_escapes_what_cannot_stand", json_escapes_what_cannot_stand },
    { "json_numbers_come_back_bit_for_bit", json_numbers_come_back_bit_for_bit },
    { "progress_is_a_line_a_bar_or_nothing", progress_is_a_line_a_bar_or_nothing },
    { "late_progress_tells_of_long_work_alone", late_progress_tells_of_long_work_alone },
    { "wall_time_never_falls", wall_time_never_falls },
  };
  return mw_test_run("base_text", cases, (int)(sizeof cases / sizeof *cases));
}
