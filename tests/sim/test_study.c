// SPDX-License-Identifier: BSD-3-Clause
// test_study.c: a study's points are the model with those values, by any number of processes, from
// the start or from where it was.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mw_test.h"
#include "study/study_layer.h"

static char journal[96];

// The beam with a carriage whose E and density are varied.
static mw_study_in beam(int workers)
{
  mw_study_in in = { .model = MW_CASES_DIR "/beam-carriage.yaml",
                     .at = "x=0.3",
                     .n_varied = 2,
                     .n_modes = 2,
                     .workers = workers,
                     .journal = journal };
  in.varied[0] = (mw_varied){ "materials.unit.E", 1e8, 4e8, 3 };
  in.varied[1] = (mw_varied){ "materials.unit.rho", 1, 2, 2 };
  snprintf(journal, sizeof journal, "/tmp/mw-study-%d.part", (int)getpid());
  return in;
}

static void points_scale_as_stiffness_does(void)
{
  mw_study s = { 0 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_study_in in = beam(1);
  mw_study_done(&in);
  MW_OKAY(mw_study_run(&in, &mem, &s, &err));
  if (!MW_CHECK(s.value != NULL)) return;
  MW_CHECK(s.n_point == 6 && s.n_varied == 2 && s.n_found == 0 && s.n_failed == 0);
  MW_CHECK(s.n_criterion > 2 && strcmp(s.name[0], "frequency 1") == 0);
  MW_CHECK(strcmp(s.unit[0], "Hz") == 0 && strncmp(s.name[2], "compliance ", 11) == 0);
  for (int k = 0; k < s.n_point; k++) {
    MW_CHECK(s.x[2 * k] == 1e8 + 1.5e8 * (k / 2) && s.x[2 * k + 1] == 1 + k % 2);
    // all stiffness is E's: compliance is as 1/E; frequencies as √E at the same density. Solutions
    // err by the condition of K, below 1e8 for twenty elements, times ε
    const double *v = s.value + k * s.n_criterion, *w = s.value + (k % 2) * s.n_criterion;
    double ratio = s.x[2 * k] / 1e8;
    for (int i = 0; i < 2; i++)
      MW_WITHIN(v[i], w[i] * sqrt(ratio), 1e8 * DBL_EPSILON * v[i], "the condition of K");
    for (int i = 2; i < s.n_criterion; i++)
      MW_WITHIN(v[i] * ratio, w[i], 1e8 * DBL_EPSILON * w[i], "the condition of K");
  }
  MW_CHECK(s.value[0] > s.value[s.n_criterion]);  // the lighter one is faster
  mw_arena_free(&mem);
  mw_study_done(&in);
}

static void processes_and_restarts_change_nothing(void)
{
  mw_study s[2] = { { 0 }, { 0 } };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_study_in in = beam(1);
  mw_study_done(&in);
  MW_OKAY(mw_study_run(&in, &mem, &s[0], &err));
  // of the journal the head and two points stay, the second cut off within its numbers
  char text[4096], *line = text;
  FILE *f = fopen(journal, "r");
  if (!MW_CHECK(f != NULL)) return;
  size_t n = fread(text, 1, sizeof text - 1, f);
  (void)fclose(f);
  text[n] = '\0';
  for (int k = 0; k < 2; k++) line = strchr(line, '\n') + 1;
  MW_CHECK(truncate(journal, (off_t)(line - text) + 20) == 0);
  in.workers = 3;
  MW_OKAY(mw_study_run(&in, &mem, &s[1], &err));
  MW_CHECK(s[1].n_found == 1 && s[1].n_failed == 0);
  MW_SAME_BITS(s[1].value, s[0].value, s[0].n_point * s[0].n_criterion);
  MW_OKAY(mw_study_run(&in, &mem, &s[1], &err));
  MW_CHECK(s[1].n_found == s[1].n_point);  // nothing is left to do
  in.varied[0].hi = 3e8;                   // another study
  MW_OKAY(mw_study_run(&in, &mem, &s[1], &err));
  MW_CHECK(s[1].n_found == 0 && s[1].x[2 * 4] == 3e8);
  mw_study_done(&in);
  MW_CHECK(access(journal, F_OK) != 0);
  mw_arena_free(&mem);
}

static void points_that_fail_are_named(void)
{
  mw_study s = { 0 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_study_in in = beam(2);
  mw_study_done(&in);
  in.varied[0].lo = -1e8;
  in.varied[0].hi = 1e8;
  in.varied[0].n = 2;
  MW_OKAY(mw_study_run(&in, &mem, &s, &err));
  MW_CHECK(s.n_failed == 2 && s.reason[0] && s.reason[1] && !s.reason[2] && !s.reason[3]);
  MW_CHECK(isnan(s.value[0]) && isfinite(s.value[2 * s.n_criterion]));
  MW_CHECK(strstr(s.reason[0], "-1") != NULL);
  in.varied[0].hi = -1e7;
  MW_CHECK(mw_study_run(&in, &mem, &s, &err) == MW_ERR_INPUT && strstr(err.msg, "every point"));
  MW_CHECK(access(journal, F_OK) != 0);
  mw_arena_free(&mem);
}

static void what_is_varied_is_read_as_it_stands(void)
{
  mw_varied v;
  mw_error err = { 0 };
  const char *bad[] = { "a.b", "a=1:2", "a=2:1:3", "a=1:2:1", "=1:2:3", "a=1:2:3x", "" };
  MW_OKAY(mw_varied_read("a.b.0=1e-3:2:5,c=1", 14, &v, &err));
  MW_CHECK(strcmp(v.path, "a.b.0") == 0 && v.lo == 1e-3 && v.hi == 2.0 && v.n == 5);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    MW_CHECK(mw_varied_read(bad[k], strlen(bad[k]), &v, &err) == MW_ERR_INPUT);
}

static const mw_test_case cases[] = {
  { "points_scale_as_stiffness_does", points_scale_as_stiffness_does },
  { "processes_and_restarts_change_nothing", processes_and_restarts_change_nothing },
  { "points_that_fail_are_named", points_that_fail_are_named },
  { "what_is_varied_is_read_as_it_stands", what_is_varied_is_read_as_it_stands },
};

int main(void) { return mw_test_run("study", cases, (int)(sizeof cases / sizeof *cases)); }
