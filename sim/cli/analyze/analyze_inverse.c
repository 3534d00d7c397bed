// SPDX-License-Identifier: BSD-3-Clause
// analyze_inverse.c: modeway analyze MODEL inverse: drive forces at an instant or along a motion.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_layer.h"
#include "analyze_priv.h"
#include "fem/control.h"

typedef struct job {
  mw_case c;
  mw_position at;
  double *rate, *acceleration;  // [n_coord]
  mw_equation o;
  const mw_scenario *scenario;  // NULL: at one instant
  unsigned char *given;         // [n_coord]
  mw_sharing sharing;
  mw_drive_motion motion;
} job;

// ---- at an instant ------------------------------------------------------------------------------

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

static mw_code at_instant(const mw_args *a, job *j, mw_error *err)
{
  const mw_mech *m = &j->c.mech;
  mw_arena *mem = &j->c.mem;
  double *value = mw_arena_f64(mem, (size_t)m->n_coord);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK && !mw_args_value(a, "at"))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "analyze inverse: found neither --at nor --scenario, expected --at with as many "
                 "coordinates as there are freedoms, or a motion");
  if (rc == MW_OK && (mw_args_value(a, "output") || mw_args_value(a, "picture")))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--output and --picture belong to --scenario: an instant is printed");
  if (rc == MW_OK) rc = mw_args_coordinates(a, "at", m, j->given, value, err);
  if (rc == MW_OK) rc = mw_args_motion(a, "rate", m, j->given, mem, &j->rate, err);
  if (rc == MW_OK) rc = mw_args_motion(a, "acceleration", m, j->given, mem, &j->acceleration, err);
  if (rc == MW_OK) rc = mw_position_find(m, j->given, value, mem, &j->at, err);
  if (rc == MW_OK)
    rc =
        mw_equation_find(m, &j->at, j->given, j->rate, j->acceleration,
                         j->sharing.lo || j->sharing.largest ? &j->sharing : NULL, mem, &j->o, err);
  if (rc == MW_OK && a->json) print_json(j);
  if (rc == MW_OK && !a->json) print_text(j);
  return rc;
}

// ---- along a motion -----------------------------------------------------------------------------

typedef struct extreme {
  double peak, at, rms, rate, power;  // N, s, N, m/s, W (N·m, rad/s)
} extreme;

static extreme find_extreme(const mw_drive_motion *o, int n_drive, int d)
{
  extreme e = { 0 };
  for (int i = 0; i < o->n; i++) {
    int k = i * n_drive + d;
    if (fabs(o->tau[k]) > fabs(e.peak)) e.peak = o->tau[k], e.at = o->t[i];
    e.rate = fmax(e.rate, fabs(o->rate[k]));
    if (fabs(o->power[k]) > fabs(e.power)) e.power = o->power[k];
    e.rms += o->tau[k] * o->tau[k] / o->n;
  }
  e.rms = sqrt(e.rms);
  return e;
}

static void print_motion(const job *j)
{
  const mw_model *model = j->c.mech.model;
  const mw_drive_motion *o = &j->motion;
  printf("%s, %s: %d instants\n%-16s %16s %12s %16s %16s %16s\n", model->name, j->scenario->name,
         o->n, "drive", "peak force", "at, s", "rms", "rate", "peak power, W");
  for (int d = 0; d < model->n_drive; d++) {
    extreme e = find_extreme(o, model->n_drive, d);
    printf("%-16s %16.12g %12.9g %16.9g %16.9g %16.9g\n", model->drive[d].name, e.peak, e.at, e.rms,
           e.rate, e.power);
  }
}

static void print_motion_json(const job *j)
{
  const mw_model *model = j->c.mech.model;
  const mw_drive_motion *o = &j->motion;
  mw_json w = { .f = stdout };
  mw_json_object(&w, NULL);
  mw_json_str(&w, "name", model->name);
  mw_json_str(&w, "scenario", j->scenario->name);
  mw_json_num(&w, "instants", o->n);
  mw_json_object(&w, "drives");
  for (int d = 0; d < model->n_drive; d++) {
    extreme e = find_extreme(o, model->n_drive, d);
    mw_json_object(&w, model->drive[d].name);
    mw_json_num(&w, "peak", e.peak);
    mw_json_num(&w, "at", e.at);
    mw_json_num(&w, "rms", e.rms);
    mw_json_num(&w, "rate", e.rate);
    mw_json_num(&w, "power", e.power);
    mw_json_end(&w, '}');
  }
  mw_json_end(&w, '}');
  double left = 0.0;
  for (int i = 0; i < o->n; i++) left = fmax(left, o->left[i]);
  mw_json_num(&w, "not_driven", left);
  mw_json_end(&w, '}');
}

static mw_code along_scenario(const mw_args *a, job *j, mw_error *err)
{
  const char *out = mw_args_value(a, "output"), *picture = mw_args_value(a, "picture");
  mw_arena *mem = &j->c.mem;
  mw_followed f;
  mw_code rc = mw_args_followed(a, &j->c.mech, j->scenario, j->given, mem, &f, err);
  if (rc == MW_OK)
    rc = mw_drive_motion_find(&j->c.mech, j->given, f.n, f.t, f.x[0], f.x[1], f.x[2],
                              j->sharing.lo || j->sharing.largest ? &j->sharing : NULL, mem,
                              &j->motion, err);
  if (rc == MW_OK && out) rc = mw_drive_motion_write(&j->c.mech, &j->motion, out, a->line, err);
  if (rc == MW_OK && picture) rc = mw_drive_motion_picture(&j->c.mech, &j->motion, picture, err);
  if (rc == MW_OK && a->json) print_motion_json(j);
  if (rc == MW_OK && !a->json) print_motion(j);
  return rc;
}

// --share, and --force as limits
static mw_code read_sharing(const mw_args *a, job *j, mw_error *err)
{
  const mw_model *m = &j->c.model;
  const char *share = mw_args_value(a, "share");
  j->sharing.largest = share && strcmp(share, "largest") == 0;
  if (share && !j->sharing.largest && strcmp(share, "norm") != 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--share: found \"%.60s\", expected norm or largest", share);
  if (!mw_args_value(a, "force")) return MW_OK;
  double *lo = mw_arena_f64(&j->c.mem, (size_t)m->n_drive),
         *hi = mw_arena_f64(&j->c.mem, (size_t)m->n_drive);
  mw_code rc = mw_arena_check(&j->c.mem, err);
  for (int d = 0; rc == MW_OK && d < m->n_drive; d++) {
    bool frame = m->drive[d].joint < 0;  // given no force
    hi[d] = frame ? 0.0 : INFINITY;
    lo[d] = -hi[d];
  }
  if (rc == MW_OK) rc = mw_args_limits(a, "force", m, lo, hi, err);
  j->sharing.lo = lo;
  j->sharing.hi = hi;
  return rc;
}

// What drives could not give, N or N·m; 0: nothing but rounding
static double not_driven(const job *j)
{
  static const double REST = 1e-9;  // of the largest force: rounding
  double most = j->motion.most, left = j->o.left;
  for (int i = 0; i < j->o.k; i++) most = fmax(most, fabs(j->o.Q[i]));
  for (int i = 0; i < j->motion.n; i++) left = fmax(left, j->motion.left[i]);
  return left > REST * most ? left : 0.0;
}

static mw_code refuse_elastic(const mw_args *a, mw_error *err)
{
  static const char *const elastic[] = { "tool", "rise", "speed", "power" };
  for (int i = 0; i < 4; i++)
    if (mw_args_value(a, elastic[i]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "found --%s with a model of rigid bodies, expected a reduced model: analyze "
                     "ROM.nc inverse",
                     elastic[i]);
  return MW_OK;
}

static int run(const mw_args *a)
{
  job j = { 0 };
  mw_error err = { 0 };
  const char *scenario = mw_args_value(a, "scenario");
  if (mw_file_is_netcdf(a->operand))
    return mw_analyze_feed(a, &err) == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
  mw_code rc = refuse_elastic(a, &err);
  if (rc == MW_OK) rc = mw_args_case(a, a->operand, &j.c, scenario ? &scenario : NULL, &err);
  if (rc != MW_OK) return mw_cmd_fail(&err);
  j.given = mw_arena_alloc(&j.c.mem, (size_t)j.c.mech.n_coord, 1);
  rc = mw_arena_check(&j.c.mem, &err);
  if (rc == MW_OK && scenario) rc = mw_scenario_find(&j.c.model, scenario, &j.scenario, &err);
  if (rc == MW_OK) rc = read_sharing(a, &j, &err);
  if (rc == MW_OK && mw_args_value(a, "regressor"))
    rc = mw_analyze_regressor(a, &j.c.mech, j.scenario, j.given, &j.c.mem, &err);
  else if (rc == MW_OK)
    rc = scenario ? along_scenario(a, &j, &err) : at_instant(a, &j, &err);
  double left = rc == MW_OK ? not_driven(&j) : 0.0;
  if (left > 0.0)
    rc = mw_fail(&err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the drives cannot give this motion: %.3g N or N m of what is needed are not "
                 "theirs",
                 left);
  mw_case_free(&j.c);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_topic mw_topic_inverse = {
  .name = "inverse",
  .summary = "forces of drives for positions, rates, accelerations; of ROM.nc elastic feed-forward",
  .doc =
      "--at names as many independent coordinates z as the mechanism has freedoms; --rate and\n"
      "--acceleration give theirs (0 where not named). M z'' + h = Q is had by the null space of\n"
      "the joints' rows, loops and redundant rows included; bias h is of weight, springs,\n"
      "dampers, friction, Coriolis and centrifugal terms. Drives on coordinates get the forces\n"
      "of least norm that give Q, within limits of --force (NUMBER, both ways, or LO:HI); --share\n"
      "largest: those whose largest, of its limit where there are limits, is as small as can be.\n"
      "Where they cannot, the exit status is 1. Elastic runners and bearings are free, bodies\n"
      "rigid.\n"
      "--scenario takes z from the positions that its drives follow, prescribed or controlled, at\n"
      "the instants that a run would store.\n"
      "--regressor prints instead which combinations of the bodies' inertial parameters Q depends\n"
      "on along the scenario, or in states around --at (1 rad, a tenth of the size): m, m X and J\n"
      "about the origin, in the axes of each body's frame; and the condition of finding them from\n"
      "Q at these instants, in SI units.\n"
      "ROM.nc: with elastic bodies, runners and drives. What drives of --scenario follow is asked\n"
      "of the undeformed --tool (default: the first position); printed is how coordinates must\n"
      "lead that motion, and with which forces, so that the tool follows, not the motors: passes\n"
      "over the whole motion, the first quasi-static, each further one of the next order in the\n"
      "frequencies, as long as runs of the reduced model have the tool less off. It is said how\n"
      "far it is off where motors follow the motion, lead it, and with forces alone. --rise X: of\n"
      "a motion whose jerk jumps its mean over X lowest periods before is followed. What is\n"
      "beyond limits of drives (--force, --speed, --power, or those that the reduction declares)\n"
      "is said with its instants; the motion stays as it is.\n\n"
      "--json: {\"name\", \"at_rest\", \"bias\", \"needed\": {COORDINATE: N or N m},\n"
      "  \"inertia\": rows in this order, \"drives\": {DRIVE: N or N m}, \"drive_rank\",\n"
      "  \"not_driven\": N or N m}; with --scenario {\"name\", \"scenario\", \"instants\",\n"
      "  \"drives\": {DRIVE: {\"peak\": N or N m, \"at\": s, \"rms\", \"rate\", \"power\": W}},\n"
      "  \"not_driven\"}; with --regressor {\"name\", \"parameters\", \"instants\",\n"
      "  \"condition\", \"combinations\": [{\"value\",\n"
      "  \"shares\": {BODY.PARAMETER: its share}}]}; of ROM.nc {\"name\", \"scenario\", \"tool\",\n"
      "  \"instants\", \"lowest_hz\", \"passes\": [{\"moves\", \"error\": m}], \"best\",\n"
      "  \"mean\": s, \"uncorrected\": m, \"leads\": {COORDINATE: m or rad},\n"
      "  \"drives\": {DRIVE: {\"peak\", \"at\", \"rms\"}}, \"runs\": {\"motor\", \"position\",\n"
      "  \"force\": {\"largest\": m, \"at\": s, \"last\": m of the last period, \"failed\",\n"
      "  \"beyond\"}}, \"not_driven\", \"rates_would_jump\": COORDINATE,\n"
      "  \"beyond_limits\": [{\"drive\", \"what\": force, speed or power, \"unit\", \"limit\",\n"
      "  \"value\", \"at\", \"from\", \"to\": s}]}\n",
  .options =
      " at rate acceleration scenario tool rise regressor force speed power share output picture ",
  .reduced = true,
  .run = run,
};
