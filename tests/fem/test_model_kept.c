// SPDX-License-Identifier: BSD-3-Clause
// test_model_kept.c: parameters that reduced models keep change the mass of a frame that is an
// output, or stiffness and damping of springs and runners; the hash does not see their values;
// whatever else they change is refused by name, at its place.
#include <float.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fem/model.h"
#include "mw_test.h"

static const char *const format =
    "modeway: 1\n"                                                                    //  1
    "gravity: [0, 0, -9.81]\n"                                                        //  2
    "parameters: { load: %s, more: 0.5, twice: 2, list: [1, 2] }\n"                   //  3
    "damping: { %s }\n"                                                               //  4
    "materials: { alu: { E: %s, nu: 0.33, rho: 2700 } }\n"                            //  5
    "sections: { bar: { rectangle: { width: 0.04, height: 0.03 } } }\n"               //  6
    "bodies:\n"                                                                       //  7
    "  arm:\n"                                                                        //  8
    "    beams:\n"                                                                    //  9
    "      points: { a: [0, 0, 0], b: [0.4, 0, 0], c: [0.8, 0, 0] }\n"                // 10
    "      members: [ { from: a, to: b, section: bar, material: alu, elements: 2,\n"  // 11
    "                   up: [0, 0, 1] },\n"                                           // 12
    "                 { from: b, to: c, section: bar, material: alu, elements: 2,\n"  // 13
    "                   up: [0, 0, 1] } ]\n"                                          // 14
    "    frames:\n"                                                                   // 15
    "      hub: { node: a }\n"                                                        // 16
    "      tip: { node: c, mass: %s }\n"                                              // 17
    "      mid: { node: b, mass: %s }\n"                                              // 18
    "joints:\n"                                                                       // 19
    "  phi: { revolute: { a: ground, b: arm.hub, axis: [0, 0, 1] }, coordinate: phi,\n"
    "         drive: motor, damping: $load }\n"                // 21
    "outputs: { tool: { frame: arm.tip } }\n"                  // 22
    "reduction:\n"                                             // 23
    "  modes: { count: 2 }\n"                                  // 24
    "  coordinates: { phi: { range: [-1, 1], points: 5 } }\n"  // 25
    "  parameters: { %s }\n"                                   // 26
    "%s"                                                       // 27
    "scenarios: { go: { duration: $load + 1 } }\n";

typedef struct text {
  const char *load, *damping, *E, *tip, *mid, *kept, *more;
} text;

static const text good = { .load = "3",
                           .damping = "beta: 1e-5",
                           .E = "70e9",
                           .tip = "0.1 + 2 * $load",
                           .mid = "0",
                           .kept = "load: [1, 5]",
                           .more = "" };

static mw_code read_text(const text *t, const mw_model_edit *edit, mw_model *m, mw_error *err)
{
  char path[64];
  snprintf(path, sizeof path, "/tmp/test_model_kept.%ld", (long)getpid());
  FILE *f = fopen(path, "w");
  if (!MW_CHECK(f != NULL)) return MW_ERR_IO;
  MW_CHECK(fprintf(f, format, t->load, t->damping, t->E, t->tip, t->mid, t->kept, t->more) > 0);
  MW_CHECK(fclose(f) == 0);
  mw_code rc = mw_model_read_edited(path, edit, m, err);
  (void)remove(path);
  return rc;
}

static void a_parameter_is_a_mass_at_an_output(void)
{
  mw_model m = { 0 };
  mw_error err = { 0 };
  if (!MW_OKAY(read_text(&good, NULL, &m, &err))) return;
  const mw_kept_in *k = m.reduction.kept;
  if (MW_CHECK(m.reduction.n_kept == 1)) {
    MW_CHECK(strcmp(k->name, "load") == 0 && k->lo == 1.0 && k->hi == 5.0 && k->value == 3.0);
    MW_NEAR(k->mass, 2.0, DBL_EPSILON * 10.1);  // a quarter of 10.1 − 2.1, each rounded
    MW_CHECK(k->output == 0 && k->gravity[2] == -9.81);
  }
  mw_model_free(&m);
}

static void its_value_is_not_in_the_hash(void)
{
  static const char *const set[] = { "parameters.load=4.5" };
  const mw_model_edit edit = { .n_set = 1, .set = set };
  mw_model a = { 0 }, b = { 0 }, c = { 0 }, d = { 0 };
  mw_error err = { 0 };
  text wide = good, other = good;
  wide.kept = "load: [1, 6]";
  other.tip = "0.2 + 2 * $load";
  if (MW_OKAY(read_text(&good, NULL, &a, &err)) && MW_OKAY(read_text(&good, &edit, &b, &err)) &&
      MW_OKAY(read_text(&wide, NULL, &c, &err)) && MW_OKAY(read_text(&other, NULL, &d, &err))) {
    MW_CHECK(b.reduction.kept[0].value == 4.5);
    MW_CHECK(strcmp(a.hash, b.hash) == 0);
    // another range has another middle, and is what the model is judged over
    MW_CHECK(strcmp(a.hash, c.hash) != 0);
    MW_CHECK(strcmp(a.hash, d.hash) != 0);
  }
  mw_model *all[] = { &a, &b, &c, &d };
  for (int i = 0; i < 4; i++) mw_model_free(all[i]);
}

static void refused(const text *t, int line, const char *what)
{
  mw_model m = { 0 };
  mw_error err = { 0 };
  if (!MW_FAILS(read_text(t, NULL, &m, &err), MW_ERR_INPUT)) {
    mw_model_free(&m);
    return;
  }
  bool said = strstr(err.msg, what) != NULL && err.line == line && err.col > 0;
  if (!said) fprintf(stderr, "%d:%d: %s\n", err.line, err.col, err.msg);
  MW_CHECK(said);
}

static void whatever_else_it_changes_is_refused(void)
{
  text t = good;
  t.E = "$load * 1e10";
  refused(&t, 5, "load changes materials.alu.E, expected a parameter of nothing but the mass");
  t = good;
  t.tip = "0.1 + $load ^ 2";
  refused(&t, 17, "load does not enter this mass linearly");
  t = good;
  t.tip = "0.1";
  t.mid = "$load";
  refused(&t, 18, "load is a mass at arm.mid, which is no output");
  t = good;
  t.mid = "$load";
  refused(&t, 18, "load changes bodies.arm.frames.mid.mass");
  t = good;
  t.tip = "0.1";
  refused(&t, 26, "load changes nothing of the machine");
  t = good;
  t.damping = "alpha: 1, beta: 1e-5";
  refused(&t, 26, "load changes damping alpha M, too");
}

static void wrong_ranges_and_names_are_refused(void)
{
  text t = good;
  t.kept = "load: [5, 1]";
  refused(&t, 26, "range of load is [5, 1], expected the lowest value first");
  t.kept = "laod: [1, 5]";
  refused(&t, 26, "laod");
  t.kept = "list: [1, 5]";
  refused(&t, 26, "list is a list, expected a parameter that is a number");
  t = good;
  t.damping = "modal: 0.01";
  refused(&t, 26, "found modal damping");
  t = good;
  t.more = "  table: compressed\n";
  refused(&t, 26, "found table: compressed, expected table: full");
}

static void several_enter_together(void)
{
  mw_model m = { 0 };
  mw_error err = { 0 };
  text t = good;
  t.tip = "0.1 + $load + 3 * $twice";
  t.kept = "load: [1, 5], twice: [0, 1]";
  if (MW_OKAY(read_text(&t, NULL, &m, &err)) && MW_CHECK(m.reduction.n_kept == 2)) {
    MW_NEAR(m.reduction.kept[0].mass, 1.0, 1e-14);
    MW_NEAR(m.reduction.kept[1].mass, 3.0, 1e-14);
  }
  mw_model_free(&m);
  t.tip = "0.1 + $load * $twice";
  refused(&t, 17, "no sum of what each parameter makes of it");
}

// A spring and a runner; %s: damping of both, what the spring's varies with.
static const char *const springs =
    "modeway: 1\n"                                   //  1
    "parameters: { c: 3, d: 2 }\n"                   //  2
    "bodies:\n"                                      //  3
    "  rail: { ground: true, rigid: { mass: 0 },\n"  //  4
    "          guides: { x: { points: [[0, 0, 0], [2, 0, 0]], normal: [0, 0, 1] } } }\n"
    "  cart: { at: [1, 0, 0], rigid: { mass: 3, inertia: [1, 1, 1, 0, 0, 0] } }\n"  //  6
    "  load: { at: [1, 0, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"  //  7
    "joints:\n"                                                                     //  8
    "  x: { slide: { guide: rail.x, on: cart, runners: [\n"                         //  9
    "    { offset: -0.1, stiffness: 1e6, damping: %s },\n"                          // 10
    "    { offset: 0.1, stiffness: %s, damping: [%s, 7] } ] }, coordinate: x }\n"   // 11
    "springs:\n"                                                                    // 12
    "  s: { a: cart, b: load, stiffness: [1e5, 1e5, 1e5], damping: %s%s }\n"        // 13
    "outputs: { load: { body: load } }\n"                                           // 14
    "reduction: { modes: { count: 2 }, coordinates: { x: { range: [0.5, 1.5], points: 5 } },\n"
    "  parameters: { %s } }\n";  // 16

typedef struct damped {
  const char *first, *stiffness, *second, *spring, *over, *kept;
} damped;

static const damped dampers = { "10*$c", "1e6", "5 + $c", "$c", "", "c: [1, 5]" };

static mw_code read_damped(const damped *t, mw_model *m, mw_error *err)
{
  char path[64];
  snprintf(path, sizeof path, "/tmp/test_model_kept.%ld", (long)getpid());
  FILE *f = fopen(path, "w");
  if (!MW_CHECK(f != NULL)) return MW_ERR_IO;
  MW_CHECK(fprintf(f, springs, t->first, t->stiffness, t->second, t->spring, t->over, t->kept) > 0);
  MW_CHECK(fclose(f) == 0);
  mw_code rc = mw_model_read_edited(path, NULL, m, err);
  (void)remove(path);
  return rc;
}

// One number stands for both directions of a runner and for three axes of a spring; the model at
// another value is the model that is read there.
static void a_parameter_is_dampers_of_springs_and_runners(void)
{
  mw_model m = { 0 }, at = { 0 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  const double to = 4.5;
  if (!MW_OKAY(read_damped(&dampers, &m, &err))) return;
  const mw_kept_in *k = m.reduction.kept;
  MW_CHECK(k->output == -1 && k->mass == 0.0 && k->n_row == 6);
  if (MW_OKAY(mw_model_rows_at(&m, &to, &mem, &at, &err))) {
    const mw_joint_in *x = &at.joint[0], *s = &at.joint[1];
    for (int i = 0; i < 2; i++) MW_NEAR(x->runner[0].damping[i], 45.0, 64.0 * DBL_EPSILON * 45.0);
    MW_NEAR(x->runner[1].damping[0], 9.5, 64.0 * DBL_EPSILON * 9.5);
    MW_CHECK(x->runner[1].damping[1] == 7.0);
    for (int i = 0; i < 6; i++)
      MW_NEAR(s->damping[i], i < 3 ? 4.5 : 0.0, i < 3 ? 64.0 * DBL_EPSILON * 4.5 : 0.0);
    MW_CHECK(m.joint[1].damping[0] == 3.0);
  }
  mw_arena_free(&mem);
  mw_model_free(&m);
}

// Stiffness and damping of the same parameter, that of a spring's axes by a list.
static void a_parameter_is_stiffness_beside_damping(void)
{
  mw_model m = { 0 }, at = { 0 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  const double to = 4.5;
  damped t = dampers;
  t.stiffness = "2e6 - 1e5*$c";
  if (!MW_OKAY(read_damped(&t, &m, &err))) return;
  const mw_kept_in *k = m.reduction.kept;
  int stiff = 0;
  for (int i = 0; i < k->n_row; i++) stiff += k->row[i].stiff;
  MW_CHECK(k->n_row == 8 && stiff == 2);
  if (MW_OKAY(mw_model_rows_at(&m, &to, &mem, &at, &err))) {
    const mw_joint_in *x = &at.joint[0];
    for (int i = 0; i < 2; i++) {
      MW_CHECK(x->runner[0].stiffness[i] == 1e6);
      MW_NEAR(x->runner[1].stiffness[i], 1.55e6, 64.0 * DBL_EPSILON * 2e6);
    }
    MW_NEAR(x->runner[1].damping[0], 9.5, 64.0 * DBL_EPSILON * 9.5);
    MW_CHECK(m.joint[0].runner[1].stiffness[0] == 1.7e6);
  }
  mw_arena_free(&mem);
  mw_model_free(&m);
}

static void refused_dampers(const damped *t, int line, const char *what)
{
  mw_model m = { 0 };
  mw_error err = { 0 };
  if (!MW_FAILS(read_damped(t, &m, &err), MW_ERR_INPUT)) {
    mw_model_free(&m);
    return;
  }
  bool said = strstr(err.msg, what) != NULL && err.line == line && err.col > 0;
  if (!said) fprintf(stderr, "%d:%d: %s\n", err.line, err.col, err.msg);
  MW_CHECK(said);
}

static void dampers_that_do_not_enter_linearly_are_refused(void)
{
  damped t = dampers;
  t.stiffness = "1e6*$c^2";
  refused_dampers(&t, 11, "c does not enter this stiffness linearly");
  t = dampers;
  t.stiffness = "1e6*($c - 1)";
  refused_dampers(&t, 11, "stiffness is 1e6*($c - 1) = 0 N/m, expected a number above 0");
  t = dampers;
  t.first = "$c^2";
  refused_dampers(&t, 10, "c does not enter this damping linearly");
  t = dampers;
  t.spring = "$c - 1";
  refused_dampers(&t, 13, "c lets springs.s.damping be 0");
  t = dampers;
  t.over = ", over: { coordinate: x, at: [0, 1, 2], factor: [1, 1.1, 1.2] }";
  refused_dampers(&t, 13, "c changes springs.s.damping");
  t = dampers;
  t.kept = "c: [1, 5], d: [1, 3]";
  t.spring = "$c*$d";
  refused_dampers(&t, 13, "no sum of what each parameter makes of it");
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "a_parameter_is_a_mass_at_an_output", a_parameter_is_a_mass_at_an_output },
    { "its_value_is_not_in_the_hash", its_value_is_not_in_the_hash },
    { "whatever_else_it_changes_is_refused", whatever_else_it_changes_is_refused },
    { "wrong_ranges_and_names_are_refused", wrong_ranges_and_names_are_refused },
    { "several_enter_together", several_enter_together },
    { "a_parameter_is_dampers_of_springs_and_runners",
      a_parameter_is_dampers_of_springs_and_runners },
    { "a_parameter_is_stiffness_beside_damping", a_parameter_is_stiffness_beside_damping },
    { "dampers_that_do_not_enter_linearly_are_refused",
      dampers_that_do_not_enter_linearly_are_refused },
  };
  return mw_test_run("model_kept", cases, (int)(sizeof cases / sizeof *cases));
}
