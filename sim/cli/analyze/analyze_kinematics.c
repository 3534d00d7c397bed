// SPDX-License-Identifier: BSD-3-Clause
// analyze_kinematics.c: modeway analyze MODEL kinematics: positions, rates, accelerations; assembly
// modes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_layer.h"
#include "analyze_priv.h"
#include "fem/output.h"

typedef struct job {
  mw_case c;
  const mw_scenario *scenario;  // NULL: at one instant
  unsigned char *given;         // [n_coord]
  bool assembled;               // assembly modes, else o
  mw_assemblies a;
  mw_kinematics o, *attitude;  // attitude [a.n]  of assembly modes
  const char *left_out;        // names of outputs that are not shown, NULL: none
} job;

// ---- text and JSON ------------------------------------------------------------------------------

// Position of an output with assembly mode i
static void output_at(const job *j, int i, const mw_output_in *out, double x[3])
{
  mw_mech_point(&j->c.mech, out->ref, out->x, j->a.at[i].p + 12 * out->ref.body, NULL, x, NULL,
                NULL);
}

static bool is_place(const mw_output_in *out)
{
  return out->kind == MW_OUTPUT_POSITION && !out->part;
}

static void print_turned(const job *j, const mw_kinematics *o, const double *x)
{
  for (int k = 0; k < o->n_turned; k++) {
    const mw_observed_in *b = &j->c.model.observed[o->turned[k]];
    for (int d = 0; d < mw_observed_width(b); d++)
      printf("%-22s.%s %16.12g\n", b->name, mw_output_classes[b->kind]->axis[d], *x++);
  }
}

static void print_assemblies(const job *j)
{
  const mw_mech *m = &j->c.mech;
  printf("%s: %d assembly mode%s\n", m->model->name, j->a.n, j->a.n == 1 ? "" : "s");
  for (int i = 0; i < j->a.n; i++) {
    printf("%3d  ", i + 1);
    mw_print_coordinates(m, j->a.at[i].s);
    printf("\n");
    for (int k = 0; k < m->model->n_output; k++) {
      const mw_output_in *out = &m->model->output[k];
      double x[3];
      if (!is_place(out)) continue;
      output_at(j, i, out, x);
      printf("     %s at %.9g %.9g %.9g m\n", out->name, x[0], x[1], x[2]);
    }
    print_turned(j, &j->attitude[i], j->attitude[i].x);
  }
  printf("of %d random starts %d led to one that was known, %d did not close\n", j->a.n_start,
         j->a.n_same, j->a.n_lost);
  if (j->left_out) printf("not among these: %s\n", j->left_out);
}

static void print_text(const job *j)
{
  const mw_mech *m = &j->c.mech;
  const mw_kinematics *o = &j->o;
  int last = o->n - 1;
  if (j->assembled) {
    print_assemblies(j);
    return;
  }
  printf("%s", m->model->name);
  if (j->scenario) printf(": %d instants, the last one at %.9g s", o->n, o->t[last]);
  printf("\n%-24s %16s %16s %16s\n", "coordinate", "value", "rate", "acceleration");
  for (int c = 0; c < m->n_coord; c++) {
    int at = last * m->n_coord + c;
    printf("%-24s %16.12g %16.12g %16.12g\n", mw_mech_coord_name(m, c), o->s[at], o->s_dot[at],
           o->s_ddot[at]);
  }
  for (int k = 0; k < o->n_out; k++)
    for (int d = 0; d < 3; d++) {
      int at = 3 * (last * o->n_out + k) + d;
      printf("%-22s.%c %16.12g %16.12g %16.12g\n", m->model->output[o->out[k]].name, "xyz"[d],
             o -> y[at], o -> y_dot[at], o -> y_ddot[at]);
    }
  print_turned(j, o, o->x + (size_t)last * (size_t)o->n_row);
  if (j->left_out) printf("not among these: %s\n", j->left_out);
}

static void json_coordinates(mw_json *w, const mw_mech *m, const char *key, const double *s)
{
  mw_json_object(w, key);
  for (int c = 0; c < m->n_coord; c++) mw_json_num(w, mw_mech_coord_name(m, c), s[c]);
  mw_json_end(w, '}');
}

static void json_outputs(mw_json *w, const job *j, const char *key, const double *y)
{
  mw_json_object(w, key);
  for (int k = 0; k < j->o.n_out; k++) {
    mw_json_array(w, j->c.model.output[j->o.out[k]].name);
    for (int d = 0; d < 3; d++) mw_json_num(w, NULL, y[3 * k + d]);
    mw_json_end(w, ']');
  }
  mw_json_end(w, '}');
}

// Attitudes and angular velocities x [n_row]
static void json_turned(mw_json *w, const job *j, const mw_kinematics *o, const double *x)
{
  mw_json_object(w, "attitude");
  for (int k = 0; k < o->n_turned; k++) {
    const mw_observed_in *b = &j->c.model.observed[o->turned[k]];
    mw_json_array(w, b->name);
    for (int d = 0; d < mw_observed_width(b); d++) mw_json_num(w, NULL, *x++);
    mw_json_end(w, ']');
  }
  mw_json_end(w, '}');
}

static void json_instants(mw_json *w, const job *j)
{
  const mw_mech *m = &j->c.mech;
  const mw_kinematics *o = &j->o;
  mw_json_array(w, "instants");
  for (int i = 0; i < o->n; i++) {
    int c = i * m->n_coord, y = 3 * i * o->n_out;
    mw_json_object(w, NULL);
    mw_json_num(w, "t", o->t[i]);
    json_coordinates(w, m, "at", o->s + c);
    json_coordinates(w, m, "rate", o->s_dot + c);
    json_coordinates(w, m, "acceleration", o->s_ddot + c);
    json_outputs(w, j, "position", o->y + y);
    json_outputs(w, j, "velocity", o->y_dot + y);
    json_outputs(w, j, "output_acceleration", o->y_ddot + y);
    json_turned(w, j, o, o->x + (size_t)i * (size_t)o->n_row);
    mw_json_end(w, '}');
  }
  mw_json_end(w, ']');
}

static void json_assembly(mw_json *w, const job *j, int i)
{
  const mw_mech *m = &j->c.mech;
  mw_json_object(w, NULL);
  json_coordinates(w, m, "at", j->a.at[i].s);
  mw_json_object(w, "position");
  for (int k = 0; k < m->model->n_output; k++) {
    const mw_output_in *out = &m->model->output[k];
    double x[3];
    if (!is_place(out)) continue;
    output_at(j, i, out, x);
    mw_json_array(w, out->name);
    for (int d = 0; d < 3; d++) mw_json_num(w, NULL, x[d]);
    mw_json_end(w, ']');
  }
  mw_json_end(w, '}');
  json_turned(w, j, &j->attitude[i], j->attitude[i].x);
  mw_json_end(w, '}');
}

static void print_json(const job *j)
{
  mw_json w = { .f = stdout };
  mw_json_object(&w, NULL);
  mw_json_str(&w, "name", j->c.model.name);
  if (!j->assembled) json_instants(&w, j);
  if (j->assembled) {
    mw_json_array(&w, "assemblies");
    for (int i = 0; i < j->a.n; i++) json_assembly(&w, j, i);
    mw_json_end(&w, ']');
    mw_json_num(&w, "starts", j->a.n_start);
    mw_json_num(&w, "known", j->a.n_same);
    mw_json_num(&w, "without", j->a.n_lost);
  }
  if (j->left_out) mw_json_str(&w, "not_among_outputs", j->left_out);
  mw_json_end(&w, '}');
}

// ---- command ------------------------------------------------------------------------------------

// Assembly modes, and attitudes in each.
static mw_code assemble(job *j, const double *value, int n, mw_error *err)
{
  const mw_mech *m = &j->c.mech;
  mw_arena *mem = &j->c.mem;
  mw_code rc = mw_assemblies_find(m, j->given, value, n, mem, &j->a, err);
  if (rc != MW_OK) return rc;
  j->attitude = mw_arena_alloc(mem, (size_t)j->a.n, sizeof *j->attitude);
  rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < j->a.n; i++)
    rc = mw_attitudes_find(m, j->a.at[i].p, mem, &j->attitude[i], err);
  return rc;
}

static mw_code at_instant(const mw_args *a, job *j, mw_error *err)
{
  const mw_mech *m = &j->c.mech;
  mw_arena *mem = &j->c.mem;
  double *value = mw_arena_f64(mem, (size_t)m->n_coord), *rate, *acceleration, t = 0.0;
  int n = 0;
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK && !mw_args_value(a, "at"))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "analyze kinematics: found neither --at nor --scenario, expected --at with as "
                 "many coordinates as there are freedoms (with --starts, too), or a motion");
  if (rc == MW_OK) rc = mw_args_coordinates(a, "at", m, j->given, value, err);
  if (rc == MW_OK) rc = mw_args_motion(a, "rate", m, j->given, mem, &rate, err);
  if (rc == MW_OK) rc = mw_args_motion(a, "acceleration", m, j->given, mem, &acceleration, err);
  if (rc == MW_OK) rc = mw_args_int(a, "starts", 0, 100000, &n, err);
  if (rc != MW_OK) return rc;
  j->assembled = mw_args_value(a, "starts") != NULL;
  if (j->assembled) return assemble(j, value, n, err);
  return mw_kinematics_find(m, j->given, 1, &t, value, rate, acceleration, mem, &j->o, err);
}

static mw_code along_scenario(const mw_args *a, job *j, mw_error *err)
{
  mw_followed f;
  mw_code rc = mw_args_followed(a, &j->c.mech, j->scenario, j->given, &j->c.mem, &f, err);
  if (rc == MW_OK)
    rc = mw_kinematics_find(&j->c.mech, j->given, f.n, f.t, f.x[0], f.x[1], f.x[2], &j->c.mem,
                            &j->o, err);
  return rc;
}

static mw_code work(const mw_args *a, job *j, const char *scenario, mw_error *err)
{
  const char *out = mw_args_value(a, "output"), *picture = mw_args_value(a, "picture");
  j->given = mw_arena_alloc(&j->c.mem, (size_t)j->c.mech.n_coord, 1);
  mw_code rc = mw_arena_check(&j->c.mem, err);
  if (rc == MW_OK && !scenario && (out || picture))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--output and --picture belong to --scenario: an instant is printed");
  if (rc == MW_OK && scenario) rc = mw_scenario_find(&j->c.model, scenario, &j->scenario, err);
  if (rc == MW_OK) rc = scenario ? along_scenario(a, j, err) : at_instant(a, j, err);
  j->left_out = mw_kinematics_left_out(&j->c.model, true, !j->assembled, &j->c.mem);
  if (rc == MW_OK && out) rc = mw_kinematics_write(&j->c.mech, &j->o, out, a->line, err);
  if (rc == MW_OK && picture) rc = mw_kinematics_picture(&j->c.mech, &j->o, picture, err);
  return rc;
}

static int run(const mw_args *a)
{
  job j = { 0 };
  mw_error err = { 0 };
  const char *scenario = mw_args_value(a, "scenario");
  mw_code rc = mw_args_case(a, a->operand, &j.c, scenario ? &scenario : NULL, &err);
  if (rc != MW_OK) return mw_cmd_fail(&err);
  rc = work(a, &j, scenario, &err);
  if (rc == MW_OK) (a->json ? print_json : print_text)(&j);
  mw_case_free(&j.c);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_topic mw_topic_kinematics = {
  .name = "kinematics",
  .summary = "positions, rates, accelerations of all from independent coordinates; assembly modes",
  .doc =
      "--at names as many independent coordinates as the mechanism has freedoms, --rate and\n"
      "--acceleration give theirs (0 where not named): all joint coordinates follow, and\n"
      "positions of outputs, with rates and accelerations, exactly, attitudes of frames in the\n"
      "form that each output has (orientation, cardan, zxz, rotation_vector, axis_angle) and\n"
      "angular velocities. --scenario takes them from\n"
      "the positions that its drives follow, at the instants that a run would store; the last\n"
      "one is printed. --starts N looks for other ways in which the joints close with the\n"
      "coordinates of --at, from so many random positions (the same every time): assembly modes.\n"
      "Work spaces, condition and manipulability: modeway analyze MODEL dynamics --over.\n\n"
      "--json: {\"name\", \"instants\": [{\"t\", \"at\", \"rate\", \"acceleration\": {COORDINATE:\n"
      "  m or rad, ..}, \"position\", \"velocity\", \"output_acceleration\": {OUTPUT:\n"
      "  [x, y, z]}, \"attitude\": {OUTPUT: components, rad, rad/s}}]}; with --starts\n"
      "  {\"name\", \"assemblies\": [{\"at\", \"position\", \"attitude\"}], \"starts\",\n"
      "  \"known\", \"without\": starts that led to one that was known, that did not close};\n"
      "  \"not_among_outputs\": names of outputs that are not shown\n",
  .options = " at rate acceleration scenario starts output picture ",
  .run = run,
};
