// SPDX-License-Identifier: BSD-3-Clause
// test_model_edit.c: a model changed as it is read is the model that is written so: same hash, same
// values; and what is wrong with a change is said at its place.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fem/model.h"
#include "mw_test.h"

#define HEAD                                                                                       \
  "modeway: 1\n"                                                                                   \
  "gravity: [0, 0, %s]\n"                                                                          \
  "bodies:\n"                                                                                      \
  "  box: { rigid: { mass: %s, inertia: [1, 1, 1, 0, 0, 0] } }\n"                                  \
  "joints:\n"                                                                                      \
  "  axis: { revolute: { a: ground, b: box, axis: [0, 0, 1] }, coordinate: phi%s }\n"
#define STAND "  stand: { duration: 1, step: 1e-2 }\n"

static char path[2][64];

// The text as the k-th file.
static void write_file(int k, const char *text)
{
  snprintf(path[k], sizeof path[k], "/tmp/test_model_edit.%d.%ld", k, (long)getpid());
  FILE *f = fopen(path[k], "w");
  MW_CHECK(f != NULL);
  if (!f) return;
  MW_CHECK(fputs(text, f) >= 0);
  MW_CHECK(fclose(f) == 0);
}

static void write_model(const char *gravity, const char *mass, const char *more, const char *end)
{
  char text[1024], head[512];
  snprintf(head, sizeof head, HEAD, gravity, mass, more);
  snprintf(text, sizeof text, "%s%s", head, end);
  write_file(0, text);
}

static mw_model read_with(const mw_model_edit *edit)
{
  mw_model m = { 0 };
  mw_error err = { 0 };
  MW_OKAY(mw_model_read_edited(path[0], edit, &m, &err));
  return m;
}

static void a_value_that_is_set_is_as_one_that_is_written(void)
{
  static const char *const set[] = { "gravity.2=-1.62", "bodies.box.rigid.mass=7",
                                     "joints.axis.limits=[-1, 1]", "scenarios.fall.step=1e-4" };
  const mw_model_edit edit = { .n_set = 4, .set = set };
  write_model("-9.81", "3", "", "scenarios:\n  fall: { duration: 2, step: 1e-3 }\n");
  mw_model changed = read_with(&edit), plain = read_with(NULL);
  write_model("-1.62", "7", ", limits: [-1, 1]",
              "scenarios:\n  fall: { duration: 2, step: 1e-4 }\n");
  mw_model written = read_with(NULL);
  MW_CHECK(strcmp(changed.hash, written.hash) == 0);
  MW_CHECK(strcmp(changed.scenario[0].hash, written.scenario[0].hash) == 0);
  MW_CHECK(strcmp(changed.hash, plain.hash) != 0);
  MW_CHECK(changed.gravity[2] == -1.62 && changed.body[1].mass == 7.0);
  MW_CHECK(changed.joint[0].has_limits && changed.joint[0].limits[0] == -1.0);
  MW_CHECK(changed.scenario[0].step == 1e-4);
  mw_model_free(&changed);
  mw_model_free(&plain);
  mw_model_free(&written);
}

static void a_file_of_scenarios_adds_and_replaces_and_leaves_the_machine_as_it_is(void)
{
  const mw_model_edit edit = { .scenarios = path[1] };
  write_model("-9.81", "3", "", "scenarios:\n" STAND "  fall: { duration: 2, step: 1e-3 }\n");
  write_file(1, "scenarios:\n  turn: { duration: 4, step: 1e-2 }\n"
                "  fall: { duration: 8, step: 1e-3 }\n");
  mw_model changed = read_with(&edit), plain = read_with(NULL);
  MW_CHECK(changed.n_scenario == 3 && plain.n_scenario == 2);
  MW_CHECK(strcmp(changed.scenario[0].name, "stand") == 0 && changed.scenario[0].duration == 1.0);
  MW_CHECK(strcmp(changed.scenario[1].name, "fall") == 0 && changed.scenario[1].duration == 8.0);
  MW_CHECK(strcmp(changed.scenario[2].name, "turn") == 0 && changed.scenario[2].duration == 4.0);
  MW_CHECK(strcmp(changed.hash, plain.hash) == 0);
  MW_CHECK(strcmp(changed.scenario[1].hash, plain.scenario[1].hash) != 0);
  mw_model_free(&changed);
  mw_model_free(&plain);
  write_model("-9.81", "3", "", "");  // a model without any
  changed = read_with(&edit);
  MW_CHECK(changed.n_scenario == 2);
  mw_model_free(&changed);
}

static void refuse(const mw_model_edit *edit, const char *file, int line, int col,
                   const char *words)
{
  mw_model m = { 0 };
  mw_error err = { 0 };
  MW_CHECK(mw_model_read_edited(path[0], edit, &m, &err) == MW_ERR_INPUT);
  bool right = strcmp(err.file, file) == 0 && err.line == line && err.col == col &&
               strstr(err.msg, words) != NULL;
  if (!right)
    printf("expected %s:%d:%d .. %s, found %s:%d:%d: %s\n", file, line, col, words, err.file,
           err.line, err.col, err.msg);
  MW_CHECK(right);
  mw_model_free(&m);
}

static void what_is_wrong_with_a_value_is_said_at_its_place(void)
{
  static const struct {
    const char *set;
    int col;
    const char *words;
  } bad[] = {
    { "gravity", 1, "expected PATH=VALUE" },
    { "=1", 1, "expected PATH=VALUE" },
    { "gravity.2=", 1, "found no value" },
    { "gravity..2=1", 9, "found no key" },
    { "gravity.2.=1", 11, "found no key" },
    { "gravity.3=1", 9, "expected the number of an entry, 0 to 2" },
    { "gravity.x=1", 9, "expected the number of an entry, 0 to 2" },
    { "gravity.2.x=1", 11, "expected a mapping or a list" },
    { "gravity.2=heavy", 11, "expected a number" },
    { "gravity.2=&a 1", 11, "found an anchor" },
    { "bodies.box.rigid.mass=-1", 23, "expected a number" },
    { "bodies.box.rigid.mas=1", 18, "did you mean \"mass\"" },
    { "bodies.bix.rigid.mass=1", 8, "did you mean \"box\"" },
    { "scenarios.fall.step=0", 21, "expected a number above 0" },
  };
  write_model("-9.81", "3", "", "scenarios:\n  fall: { duration: 2, step: 1e-3 }\n");
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    char file[128];
    const mw_model_edit edit = { .n_set = 1, .set = &bad[k].set };
    snprintf(file, sizeof file, "--set %s", bad[k].set);
    refuse(&edit, file, 1, bad[k].col, bad[k].words);
  }
}

static void what_is_wrong_with_a_file_of_scenarios_is_said_at_its_place(void)
{
  const mw_model_edit edit = { .scenarios = path[1] };
  write_model("-9.81", "3", "", "");
  write_file(1, "fall: { duration: 2 }\n");
  refuse(&edit, path[1], 1, 1, "found no scenarios");
  write_file(1, "[1, 2]\n");
  refuse(&edit, path[1], 1, 1, "found no scenarios");
  write_file(1, "scenarios: 3\n");
  refuse(&edit, path[1], 1, 12, "found no scenarios");
  write_file(1, "scenarios:\n  fall: { duration: 2, step: 1e-3 }\nbodies: {}\n");
  refuse(&edit, path[1], 3, 1, "found bodies in a file of scenarios");
  write_file(1, "scenarios:\n  fall: { duration: 2, stop: 1e-3 }\n");
  refuse(&edit, path[1], 2, 24, "did you mean \"step\"");
  MW_CHECK(unlink(path[1]) == 0);
  mw_model m = { 0 };
  mw_error err = { 0 };
  MW_CHECK(mw_model_read_edited(path[0], &edit, &m, &err) == MW_ERR_IO);
  MW_CHECK(strstr(err.msg, "cannot open the file of scenarios") != NULL);
  MW_CHECK(unlink(path[0]) == 0);
}

#define CASE(name)                                                                                 \
  {                                                                                                \
#name, name                                                                                    \
  }
static const mw_test_case cases[] = {
  CASE(a_value_that_is_set_is_as_one_that_is_written),
  CASE(a_file_of_scenarios_adds_and_replaces_and_leaves_the_machine_as_it_is),
  CASE(what_is_wrong_with_a_value_is_said_at_its_place),
  CASE(what_is_wrong_with_a_file_of_scenarios_is_said_at_its_place),
};

int main(void) { return mw_test_run("model_edit", cases, (int)(sizeof cases / sizeof *cases)); }
