// SPDX-License-Identifier: BSD-3-Clause
// analyze_inverse.c: modeway analyze MODEL inverse: drive forces for a motion at an instant.
#include <stdlib.h>
#include <string.h>

#include "analyze_priv.h"

typedef struct job {
  mw_case c;
  mw_position at;
  double *rate, *acceleration;  // [n_coord]
  mw_equation o;
} job;

static void print_text(const job *j)
{
  const mw_mech *m = &j->c.mech;
  const mw_equation *o = &j->o;
  printf("%s\n%-16s %16s %16s %16s %16s\n", m->model->name, "coordinate", "at", "at rest", "bias",
         "needed");
  for (int i = 0; i < o->k; i++)
    printf("%-16s %16.9g %16.9g %16.9g %16.9g\n", mw_mech_coord_name(m, o->coord[i]),
           j->at.s[o->coord[i]], o->g[i], o->h[i], o->Q[i]);
  printf("inertia\n");
  for (int i = 0; i < o->k; i++) {
    printf("%-16s", mw_mech_coord_name(m, o->coord[i]));
    for (int k = 0; k < o->k; k++) printf(" %16.9g", o->M[i * o->k + k]);
    printf("\n");
  }
  printf("drives (rank %d of %d)\n", o->drive_rank, o->k);
  for (int d = 0; d < m->model->n_drive; d++)
    printf("%-16s %16.12g\n", m->model->drive[d].name, o->tau[d]);
}

static void json_numbers(mw_json *w, const job *j, const char *key, const double *x)
{
  mw_json_object(w, key);
  for (int i = 0; i < j->o.k; i++)
    mw_json_num(w, mw_mech_coord_name(&j->c.mech, j->o.coord[i]), x[i]);
  mw_json_end(w, '}');
}

static void print_json(const job *j)
{
  const mw_model *model = j->c.mech.model;
  mw_json w = { .f = stdout };
  mw_json_object(&w, NULL);
  mw_json_str(&w, "name", model->name);
  json_numbers(&w, j, "at_rest", j->o.g);
  json_numbers(&w, j, "bias", j->o.h);
  json_numbers(&w, j, "needed", j->o.Q);
  mw_json_array(&w, "inertia");
  for (int i = 0; i < j->o.k; i++) {
    mw_json_array(&w, NULL);
    for (int k = 0; k < j->o.k; k++) mw_json_num(&w, NULL, j->o.M[i * j->o.k + k]);
    mw_json_end(&w, ']');
  }
  mw_json_end(&w, ']');
  mw_json_object(&w, "drives");
  for (int d = 0; d < model->n_drive; d++) mw_json_num(&w, model->drive[d].name, j->o.tau[d]);
  mw_json_end(&w, '}');
  mw_json_num(&w, "drive_rank", j->o.drive_rank);
  mw_json_num(&w, "not_driven", j->o.left);
  mw_json_end(&w, '}');
}

// Rates or accelerations of coordinates that --at names.
static mw_code read_motion(const mw_args *a, const char *option, const mw_mech *m,
                           const unsigned char *given, mw_arena *mem, double **x, mw_error *err)
{
  unsigned char *named = mw_arena_alloc(mem, (size_t)m->n_coord, 1);
  *x = mw_arena_f64(mem, (size_t)m->n_coord);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_args_coordinates(a, option, m, named, *x, err);
  for (int c = 0; rc == MW_OK && c < m->n_coord; c++)
    if (named[c] && !given[c])
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--%s: %s is not among the coordinates of --at; expected those alone", option,
                   mw_mech_coord_name(m, c));
  return rc;
}

static mw_code work(const mw_args *a, job *j, mw_error *err)
{
  const mw_mech *m = &j->c.mech;
  mw_arena *mem = &j->c.mem;
  unsigned char *given = mw_arena_alloc(mem, (size_t)m->n_coord, 1);
  double *value = mw_arena_f64(mem, (size_t)m->n_coord);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK && !mw_args_value(a, "at"))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "analyze inverse: --at is missing, which names as many coordinates as there are "
                 "freedoms");
  if (rc == MW_OK) rc = mw_args_coordinates(a, "at", m, given, value, err);
  if (rc == MW_OK) rc = read_motion(a, "rate", m, given, mem, &j->rate, err);
  if (rc == MW_OK) rc = read_motion(a, "acceleration", m, given, mem, &j->acceleration, err);
  if (rc == MW_OK) rc = mw_position_find(m, given, value, mem, &j->at, err);
  if (rc == MW_OK)
    rc = mw_equation_find(m, &j->at, given, j->rate, j->acceleration, mem, &j->o, err);
  return rc;
}

static int run(const mw_args *a)
{
  static const double REST = 1e-9;  // of the largest force: rounding
  job j = { 0 };
  mw_error err = { 0 };
  mw_code rc = mw_args_case(a, a->operand, &j.c, NULL, &err);
  if (rc != MW_OK) return mw_cmd_fail(&err);
  rc = work(a, &j, &err);
  if (rc == MW_OK && a->json) print_json(&j);
  if (rc == MW_OK && !a->json) print_text(&j);
  double most = 0.0;
  for (int i = 0; rc == MW_OK && i < j.o.k; i++)
    most = j.o.Q[i] > most ? j.o.Q[i] : -j.o.Q[i] > most ? -j.o.Q[i] : most;
  if (rc == MW_OK && j.o.left > REST * most)
    rc = mw_fail(&err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the drives cannot give this motion: %.3g N or N m of what is needed are not "
                 "theirs",
                 j.o.left);
  mw_case_free(&j.c);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_topic mw_topic_inverse = {
  .name = "inverse",
  .summary = "forces of drives for positions, rates and accelerations; M, bias, weight",
  .doc =
      "--at names as many independent coordinates z as the mechanism has freedoms; --rate and\n"
      "--acceleration give theirs (0 where not named). M z'' + h = Q is had by the null space of\n"
      "the joints' rows, loops and redundant rows included; bias h is of weight, springs,\n"
      "dampers, friction, Coriolis and centrifugal terms. Drives on coordinates get the forces\n"
      "of least norm that give Q; where they cannot, the exit status is 1. Elastic runners and\n"
      "bearings are free, bodies rigid.\n\n"
      "--json: {\"name\", \"at_rest\", \"bias\", \"needed\": {COORDINATE: N or N m},\n"
      "  \"inertia\": rows in this order, \"drives\": {DRIVE: N or N m}, \"drive_rank\",\n"
      "  \"not_driven\": N or N m}\n",
  .options = " at rate acceleration ",
  .run = run,
};
