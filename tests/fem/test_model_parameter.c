// SPDX-License-Identifier: BSD-3-Clause
// test_model_parameter.c: a model whose numbers are made of parameters is the model that is written
// with these numbers, hash included; and what is wrong with a parameter is said at its place.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fem/model.h"
#include "mw_test.h"

#define MODEL                                                                                      \
  "modeway: 1\n"                                                                                   \
  "%s"                                                                                             \
  "gravity: %s\n"                                                                                  \
  "materials: { steel: { E: %s, nu: 0.3, rho: 7850 } }\n"                                          \
  "sections: { bar: { rectangle: { width: %s, height: 0.02 } } }\n"                                \
  "bodies:\n"                                                                                      \
  "  arm:\n"                                                                                       \
  "    ground: true\n"                                                                             \
  "    beams:\n"                                                                                   \
  "      points: { a: [0, 0, 0], b: [%s, 0, 0] }\n"                                                \
  "      members: [{ from: a, to: b, section: bar, material: steel, elements: %s }]\n"             \
  "    supports: [{ nodes: a }]\n"                                                                 \
  "  box: { rigid: { mass: %s, inertia: [1, 1, 1, 0, 0, 0] } }\n"                                  \
  "joints:\n"                                                                                      \
  "  axis: { revolute: { a: ground, b: box, axis: [0, 0, 1] }, coordinate: phi }\n"                \
  "scenarios:\n"                                                                                   \
  "  turn: { duration: %s, step: 1e-3, start: { phi: %s } }\n"

static char path[64];

static void write_file(const char *text)
{
  snprintf(path, sizeof path, "/tmp/test_model_parameter.%ld", (long)getpid());
  FILE *f = fopen(path, "w");
  MW_CHECK(f != NULL);
  if (!f) return;
  MW_CHECK(fputs(text, f) >= 0);
  MW_CHECK(fclose(f) == 0);
}

static mw_model read_with(const mw_model_edit *edit)
{
  mw_model m = { 0 };
  mw_error err = { 0 };
  MW_OKAY(mw_model_read_edited(path, edit, &m, &err));
  return m;
}

// gravity, E, width, length, elements, mass, duration, start
static mw_model read_values(const char *head, const char *const v[8])
{
  char text[2048];
  snprintf(text, sizeof text, MODEL, head, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
  write_file(text);
  return read_with(NULL);
}

static const char *const named[] = { "$g",       "$E",           "max($w/2,0.01)", "2*$l",
                                     "$n - 2*4", "$payload + 1", "\"2*$payload\"", "$pi_/2" };
#define HEAD                                                                                       \
  "parameters:\n"                                                                                  \
  "  payload: 3.0\n"                                                                               \
  "  E: 70e9\n"                                                                                    \
  "  g: [0, 0, -9.81]\n"                                                                           \
  "  w: 0.04\n"                                                                                    \
  "  l: $w*10\n"                                                                                   \
  "  n: 16\n"                                                                                      \
  "  pi_: pi*$n/16\n"

static void numbers_of_parameters_are_as_numbers_that_are_written(void)
{
  static const char *const plain[] = { "[0, 0, -9.81]",     "7e10", "0.02", "0.8", "8", "4", "6.0",
                                       "1.5707963267948966" };
  const char *quoted[8];
  memcpy(quoted, named, sizeof quoted);
  quoted[2] = "\"max($w/2, 0.01)\"";
  mw_model a = read_values(HEAD, quoted), b = read_values("", plain);
  MW_CHECK(strcmp(a.hash, b.hash) == 0);
  MW_CHECK(strcmp(a.scenario[0].hash, b.scenario[0].hash) == 0);
  MW_CHECK(a.n_parameter == 7 && b.n_parameter == 0);
  MW_CHECK(a.gravity[2] == -9.81 && a.material[0].E == 70e9 && a.body[2].mass == 4.0);
  MW_CHECK(a.body[1].member[0].n_elem == 8 && a.scenario[0].duration == 6.0);
  mw_arena mem = { 0 };
  const char *text = mw_model_parameter_text(&a, &mem);
  MW_CHECK(text && strcmp(text, "payload = 3, E = 70000000000, g = [0, 0, -9.81], w = 0.04, "
                                "l = 0.4, n = 16, pi_ = 3.14159265358979") == 0);
  text = mw_model_parameter_text(&b, &mem);
  MW_CHECK(text && text[0] == '\0');
  mw_arena_free(&mem);
  mw_model_free(&a);
  mw_model_free(&b);
}

static void a_parameter_that_is_set_changes_all_that_is_made_of_it(void)
{
  static const char *const set[] = { "parameters.payload=4", "parameters.w=$payload/50",
                                     "bodies.box.rigid.mass=$payload^2" };
  const mw_model_edit edit = { .n_set = 3, .set = set };
  const char *v[8];
  memcpy(v, named, sizeof v);
  v[2] = "$w/2";
  mw_model a = read_values(HEAD, v), b = read_with(&edit);
  MW_CHECK(strcmp(a.hash, b.hash) != 0);
  MW_CHECK(b.body[2].mass == 16.0 && b.scenario[0].duration == 8.0);
  MW_NEAR(b.body[1].point[1].x[0], 1.6, 4e-16);  // 2 · 10 · 4/50, four roundings
  mw_model_free(&a);
  mw_model_free(&b);
}

// A reduced model is bound to the machine: to no parameter that scenarios alone are made of.
static void the_hash_sees_values_and_no_names_of_them(void)
{
  static const char *const set[] = { "parameters.payload=4" };
  const mw_model_edit edit = { .n_set = 1, .set = set };
  const char *v[8];
  memcpy(v, named, sizeof v);
  v[2] = "2e-2";
  v[5] = "4.0";
  mw_model a = read_values(HEAD, v), b = read_with(&edit);
  MW_CHECK(strcmp(a.hash, b.hash) == 0);
  MW_CHECK(strcmp(a.scenario[0].hash, b.scenario[0].hash) != 0);
  mw_model_free(&a);
  mw_model_free(&b);
}

static void refuse(const mw_model_edit *edit, const char *file, int line, int col,
                   const char *words)
{
  mw_model m = { 0 };
  mw_error err = { 0 };
  MW_FAILS(mw_model_read_edited(path, edit, &m, &err), MW_ERR_INPUT);
  if (!MW_CHECK(strcmp(err.file, file) == 0 && err.line == line && err.col == col &&
                strstr(err.msg, words) != NULL))
    printf("expected %s:%d:%d .. %s, found %s:%d:%d: %s\n", file, line, col, words, err.file,
           err.line, err.col, err.msg);
  mw_model_free(&m);
}

static void what_is_wrong_with_a_parameter_is_said_at_its_place(void)
{
  static const struct {
    const char *head, *mass;
    int line, col;
    const char *words;
  } bad[] = {
    { "parameters: { load: 3 }\n", "$laod", 5, 24, "did you mean \"load\"" },
    { "parameters: { load: 3 }\n", "2*$mass", 5, 26, "found no parameter mass" },
    { "parameters: { load: 3 }\n", "2*load", 5, 24, "found \"2*load\", expected a number" },
    { "parameters: { load: 3 }\n", "$load - 4", 5, 24, "mass is $load - 4 = -1 kg, expected" },
    { "parameters: { load: 3 }\n", "\"2 $load\"", 5, 27, "expected an operation" },
    { "parameters: { load: 0 }\n", "1/$load", 5, 24, "is not finite" },
    { "parameters: { load: [1, 2] }\n", "$load", 5, 24, "found the list load" },
    { "parameters: { load: [1, 2] }\n", "1*$load", 5, 26, "found the list load" },
    { "parameters: { load: $more, more: 1 }\n", "1", 2, 21, "one of the model's before it" },
    { "parameters: { load: heavy }\n", "1", 2, 21, "found \"heavy\" in an expression" },
    { "parameters: { load: \"\" }\n", "1", 2, 21, "found nothing, expected a number or" },
    { "parameters: { load: [] }\n", "1", 2, 21, "found a list of 0" },
    { "parameters: { lo-ad: 1 }\n", "1", 2, 15, "a - is a minus" },
    { "parameters: { pi: 3 }\n", "1", 2, 15, "another meaning" },
    { "parameters: 3\n", "1", 2, 13, "expected a mapping of names" },
    { "parameters: { load: 3 }\n", "$load*t", 5, 30, "no time" },
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    char text[1024];
    snprintf(text, sizeof text,
             "modeway: 1\n%sbodies:\n  box:\n    rigid: { mass: %s, inertia: [1, 1, 1, 0, 0, 0] "
             "}\n",
             bad[k].head, bad[k].mass);
    // rigid: { mass: begins at column 5, its value at column 20
    write_file(text);
    refuse(NULL, path, bad[k].line, bad[k].col - (bad[k].line == 5 ? 4 : 0), bad[k].words);
  }
}

static void what_is_wrong_with_one_that_is_set_is_said_at_its_place(void)
{
  static const struct {
    const char *set;
    int col;
    const char *words;
  } bad[] = {
    { "parameters.laod=3", 12, "did you mean \"load\"" },
    { "parameters.stiffness=3", 12, "found no parameter stiffness" },
    { "parameters.load=heavy", 17, "expected a number" },
    { "parameters.load=2*", 19, "expected a number" },
    { "parameters.load=$load", 17, "found no parameter load" },
    { "bodies.box.rigid.mass=$load*-1", 23, "= -3 kg, expected" },
  };
  write_file(
      "modeway: 1\nparameters: { load: 3 }\nbodies:\n  box: { rigid: { mass: $load, inertia: "
      "[1, 1, 1, 0, 0, 0] } }\n");
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    char file[128];
    const mw_model_edit edit = { .n_set = 1, .set = &bad[k].set };
    snprintf(file, sizeof file, "--set %s", bad[k].set);
    refuse(&edit, file, 1, bad[k].col, bad[k].words);
  }
  MW_CHECK(unlink(path) == 0);
}

#define CASE(name)                                                                                 \
  {                                                                                                \
#name, name                                                                                    \
  }
static const mw_test_case cases[] = {
  CASE(numbers_of_parameters_are_as_numbers_that_are_written),
  CASE(a_parameter_that_is_set_changes_all_that_is_made_of_it),
  CASE(the_hash_sees_values_and_no_names_of_them),
  CASE(what_is_wrong_with_a_parameter_is_said_at_its_place),
  CASE(what_is_wrong_with_one_that_is_set_is_said_at_its_place),
};

int main(void)
{
  return mw_test_run("model_parameter", cases, (int)(sizeof cases / sizeof *cases));
}
