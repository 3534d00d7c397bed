// SPDX-License-Identifier: BSD-3-Clause
// analyze_feed.c: modeway analyze ROM.nc inverse: drives with which the tool follows a motion.
#include <math.h>
#include <string.h>

#include "analyze/analyze_layer.h"
#include "analyze_priv.h"

static const char *const runs[MW_N_FEED] = { "motors follow it", "motors lead it", "forces alone" };
static const char *const keys[MW_N_FEED] = { "motor", "position", "force" };

typedef struct job {
  mw_case c;
  mw_rom_file rom;
  const mw_scenario *scenario;
  mw_feed_forward o;
  int n_excess;
  mw_feed_excess *excess;  // [n_excess]
} job;

typedef struct extreme {
  double value, at, rms;
} extreme;

// Largest of column k of x [n × width], when; y [n × width] is taken off it unless NULL
static extreme find_extreme(const mw_feed_forward *o, const double *x, const double *y, int width,
                            int k)
{
  extreme e = { 0 };
  for (int i = 0; i < o->n; i++) {
    size_t at = (size_t)i * (size_t)width + (size_t)k;
    double v = x[at] - (y ? y[at] : 0.0);
    if (fabs(v) > fabs(e.value)) e.value = v, e.at = o->t[i];
    e.rms += v * v / o->n;
  }
  e.rms = sqrt(e.rms);
  return e;
}

static const char *const limited[] = { "force", "speed", "power" };

static const char *unit_of(const job *j, const mw_feed_excess *e)
{
  static const char *const unit[2][2] = { { "N", "m/s" }, { "N m", "rad/s" } };
  int joint = j->c.model.drive[e->drive].joint;
  bool turns = joint >= 0 && mw_joint_in_turns(j->c.mech.joint[joint].in);
  return e->what == MW_LIMIT_POWER ? "W" : unit[turns][e->what == MW_LIMIT_SPEED];
}

static void print_excess(const job *j)
{
  for (int i = 0; i < j->n_excess; i++) {
    const mw_feed_excess *e = &j->excess[i];
    printf("%s of %s is beyond its limit of %.9g %s from %.9g to %.9g s, %.9g at %.9g s\n",
           limited[e->what], j->c.model.drive[e->drive].name, e->limit, unit_of(j, e), e->first,
           e->until, e->value, e->at);
  }
}

static void json_excess(mw_json *w, const job *j)
{
  mw_json_array(w, "beyond_limits");
  for (int i = 0; i < j->n_excess; i++) {
    const mw_feed_excess *e = &j->excess[i];
    mw_json_object(w, NULL);
    mw_json_str(w, "drive", j->c.model.drive[e->drive].name);
    mw_json_str(w, "what", limited[e->what]);
    mw_json_str(w, "unit", unit_of(j, e));
    mw_json_num(w, "limit", e->limit);
    mw_json_num(w, "value", e->value);
    mw_json_num(w, "at", e->at);
    mw_json_num(w, "from", e->first);
    mw_json_num(w, "to", e->until);
    mw_json_end(w, '}');
  }
  mw_json_end(w, ']');
}

static void print_text(const job *j)
{
  const mw_feed_forward *o = &j->o;
  const mw_model *model = &j->c.model;
  printf("%s, %s: %s follows, %d instants of %.6g s, lowest frequency %.6g Hz\n", model->name,
         j->scenario->name, model->output[o->tool].name, o->n, o->t[1], o->hz);
  if (o->mean > 0.0) printf("the mean of the motion over %.6g s is followed\n", o->mean);
  printf("%-16s %16s %16s\n", "pass", "moves the tool", "run is off, m");
  for (int k = 0; k < o->n_pass; k++)
    printf("%-16d %16.6g %16.6g%s\n", k + 1, o->off[k], o->error[k],
           k == o->best && o->n_pass > 1 ? "  kept" : "");
  printf("no coordinate moves the tool along %.3g m of what it is off by\n", o->uncorrected);
  printf("%-16s %16s %12s\n", "coordinate", "leads by", "at, s");
  for (int k = 0; k < o->s; k++) {
    extreme e = find_extreme(o, o->theta, o->motor, o->s, k);
    printf("%-16s %16.9g %12.9g %s\n", j->rom.coordinate[k], e.value, e.at,
           mw_cmd_unit(&j->rom, k));
  }
  printf("%-16s %16s %12s %16s\n", "drive", "peak force", "at, s", "rms");
  for (int d = 0; d < o->n_drive; d++) {
    extreme e = find_extreme(o, o->force, NULL, o->n_drive, d);
    printf("%-16s %16.9g %12.9g %16.9g\n", model->drive[d].name, e.value, e.at, e.rms);
  }
  print_excess(j);
  printf("%-16s %16s %12s %16s\n", "run, tool off by", "m", "at, s", "last period, m");
  for (int i = 0; i < MW_N_FEED; i++) {
    const mw_feed_run *r = &o->run[i];
    if (r->failed)
      printf("%-16s none: %s\n", runs[i], r->failed);
    else
      printf("%-16s %16.6g %12.9g %16.6g\n", runs[i], r->largest, r->at, r->last);
    if (r->beyond) printf("  the certificate promises nothing: %s\n", r->beyond);
  }
  if (o->jumps)
    printf("rates of %s would have to jump: forces there grow with the rate of instants; expected "
           "a motion whose jerk is continuous, or --rise\n",
           o->jumps);
}

static void json_run(mw_json *w, const char *key, const mw_feed_run *r)
{
  mw_json_object(w, key);
  if (r->failed) mw_json_str(w, "failed", r->failed);
  if (!r->failed) {
    mw_json_num(w, "largest", r->largest);
    mw_json_num(w, "at", r->at);
    mw_json_num(w, "last", r->last);
  }
  if (r->beyond) mw_json_str(w, "beyond", r->beyond);
  mw_json_end(w, '}');
}

static void print_json(const job *j)
{
  const mw_feed_forward *o = &j->o;
  const mw_model *model = &j->c.model;
  mw_json w = { .f = stdout };
  mw_json_object(&w, NULL);
  mw_json_str(&w, "name", model->name);
  mw_json_str(&w, "scenario", j->scenario->name);
  mw_json_str(&w, "tool", model->output[o->tool].name);
  mw_json_num(&w, "instants", o->n);
  mw_json_num(&w, "lowest_hz", o->hz);
  mw_json_array(&w, "passes");
  for (int k = 0; k < o->n_pass; k++) {
    mw_json_object(&w, NULL);
    mw_json_num(&w, "moves", o->off[k]);
    mw_json_num(&w, "error", o->error[k]);
    mw_json_end(&w, '}');
  }
  mw_json_end(&w, ']');
  mw_json_num(&w, "best", o->best + 1);
  mw_json_num(&w, "mean", o->mean);
  mw_json_num(&w, "uncorrected", o->uncorrected);
  mw_json_object(&w, "leads");
  for (int k = 0; k < o->s; k++)
    mw_json_num(&w, j->rom.coordinate[k], find_extreme(o, o->theta, o->motor, o->s, k).value);
  mw_json_end(&w, '}');
  mw_json_object(&w, "drives");
  for (int d = 0; d < o->n_drive; d++) {
    extreme e = find_extreme(o, o->force, NULL, o->n_drive, d);
    mw_json_object(&w, model->drive[d].name);
    mw_json_num(&w, "peak", e.value);
    mw_json_num(&w, "at", e.at);
    mw_json_num(&w, "rms", e.rms);
    mw_json_end(&w, '}');
  }
  mw_json_end(&w, '}');
  json_excess(&w, j);
  mw_json_object(&w, "runs");
  for (int i = 0; i < MW_N_FEED; i++) json_run(&w, keys[i], &o->run[i]);
  mw_json_end(&w, '}');
  mw_json_num(&w, "not_driven", o->not_driven);
  if (o->jumps) mw_json_str(&w, "rates_would_jump", o->jumps);
  mw_json_end(&w, '}');
}

// --tool, or the first output that is a position of the reduced model
static mw_code find_tool(const mw_args *a, const job *j, int *tool, mw_error *err)
{
  const char *name = mw_args_value(a, "tool");
  const mw_model *m = &j->c.model;
  *tool = -1;
  for (int i = 0; i < m->n_output; i++) {
    const mw_output_in *o = &m->output[i];
    if (*tool < 0 && o->kind == MW_OUTPUT_POSITION && !o->part &&
        (!name || strcmp(o->name, name) == 0))
      *tool = i;
  }
  if (*tool >= 0) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--tool: found \"%.60s\", expected the name of a position among the outputs",
                 name ? name : "none of them");
}

static mw_code refuse(const mw_args *a, mw_error *err)
{
  static const char *const rigid[] = { "at", "rate", "acceleration", "regressor", "share" };
  for (int i = 0; i < 5; i++)
    if (mw_args_value(a, rigid[i]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "found --%s with a reduced model; expected --scenario and --tool", rigid[i]);
  if (mw_args_value(a, "scenario")) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "analyze ROM.nc inverse: --scenario is missing, expected the motion that drives "
                 "follow, of which the undeformed tool's is asked for");
}

// Speed and power are known of drives of the reduction's coordinates alone.
static mw_code judge_limits(const mw_args *a, job *j, mw_error *err)
{
  const mw_limits_text text = { mw_args_value(a, "force"), mw_args_value(a, "speed"),
                                mw_args_value(a, "power") };
  const mw_model *m = &j->c.model;
  mw_drive_limits l;
  mw_code rc = mw_drive_limits_known(m, &text, &j->c.mem, &l, err);
  for (int d = 0; rc == MW_OK && d < m->n_drive; d++) {
    bool along = false;
    for (int k = 0; k < j->rom.rom.s; k++)
      along = along || (m->drive[d].joint >= 0 && mw_mech_coord(&j->c.mech, j->rom.coordinate[k]) ==
                                                      j->c.mech.joint[m->drive[d].joint].coord);
    if (!along && (isfinite(l.speed[d]) || (l.power && isfinite(l.power[d]))))
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "found a limit of %s of %s, which drives no coordinate of the reduction: its "
                   "speed is not known here",
                   isfinite(l.speed[d]) ? "speed" : "power", m->drive[d].name);
  }
  if (rc != MW_OK) return rc;
  j->excess = mw_arena_alloc(&j->c.mem, 3 * (size_t)m->n_drive, sizeof *j->excess);
  rc = mw_arena_check(&j->c.mem, err);
  if (rc == MW_OK) j->n_excess = mw_feed_exceeded(&j->c.mech, &j->rom, &j->o, &l, j->excess);
  return rc;
}

mw_code mw_analyze_feed(const mw_args *a, mw_error *err)
{
  const char *scenario = mw_args_value(a, "scenario"), *out = mw_args_value(a, "output"),
             *picture = mw_args_value(a, "picture");
  char model[1024];
  job j = { 0 };
  int tool;
  double rise = 0.0;
  mw_code rc = refuse(a, err);
  if (rc == MW_OK) rc = mw_cmd_model_of(a->operand, model, sizeof model, err);
  if (rc == MW_OK) rc = mw_args_case(a, model, &j.c, &scenario, err);
  if (rc != MW_OK) return rc;
  rc = mw_scenario_find(&j.c.model, scenario, &j.scenario, err);
  if (rc == MW_OK) rc = mw_rom_of_case(&j.c, a->operand, &j.rom, err);
  bool read = rc == MW_OK;
  if (rc == MW_OK) rc = find_tool(a, &j, &tool, err);
  if (rc == MW_OK) rc = mw_args_f64(a, "rise", 0.0, 100.0, &rise, err);
  if (rc == MW_OK)
    rc = mw_feed_forward_find(&j.c.model, &j.c.mech, &j.rom, j.scenario, tool, rise, &j.c.mem, &j.o,
                              err);
  if (rc == MW_OK) rc = judge_limits(a, &j, err);
  if (rc == MW_OK && out) rc = mw_feed_write(&j.c.mech, &j.rom, &j.o, out, a->line, err);
  if (rc == MW_OK && picture) rc = mw_feed_picture(&j.c.mech, &j.rom, &j.o, picture, err);
  if (rc == MW_OK) (a->json ? print_json : print_text)(&j);
  if (read) mw_rom_file_free(&j.rom);
  mw_case_free(&j.c);
  return rc;
}
