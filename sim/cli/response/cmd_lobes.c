// SPDX-License-Identifier: BSD-3-Clause
// cmd_lobes.c: modeway lobes: depths up to which cuts are stable, over speed and place.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd_layer.h"
#include "frf/map_layer.h"
#include "process_priv.h"
#include "reduction/certificate.h"
#include "response_priv.h"
#include "rom_places_priv.h"
#include "sim/lobes.h"

enum { N_BAND = 4000, N_SPEED = 200, N_SPEED_FLOQUET = 50, N_PLACE = 21, MOST = 1000000 };
// Of the highest chatter frequency over what the certificate judges.
static const double BEYOND = 1.25;

typedef struct job {
  mw_response r;
  mw_process p;
  bool floquet;
  mw_frf_in in;
  mw_frf *frf;
  int unsettled, at_end;  // speeds and places
  double *hz, *H;         // [n_hz], [n × n × 2 × n_hz]  at a place, more near its resonances
  double *K, *D, *B, *C;  // of the equations at a place
  mw_map_table t;         // axes: speed, place; values: depth, chatter, by multipliers
  double *speed, *along;  // [axis 0], [axis 1]
  mw_lobes_limit *any;    // [place]
} job;

// ---- what is asked for --------------------------------------------------------------------------

static mw_code read_ends(job *q, mw_error *err)
{
  mw_frf_in *in = &q->in;
  int n = q->p.cut.teeth > 0 ? 2 : 1;
  mw_code rc = mw_process_ends(&q->r, &q->p, in, err);
  for (int side = 0; rc == MW_OK && side < 2; side++) {
    int found = side ? in->n_from : in->n_to;
    const mw_frf_end *end = side ? in->from : in->to;
    if (found != n)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: found %d end%s, expected %s",
                     side ? "from" : "to", found, found == 1 ? "" : "s",
                     n == 2 ? "two: along the feed and normal to it"
                            : "one: along it a tool cuts deeper");
    for (int k = 0; k < n; k++)
      if (strcmp(end[k].unit, "m") != 0)
        return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: found %s in %s, expected m",
                       side ? "from" : "to", end[k].name, *end[k].unit ? end[k].unit : "no unit");
  }
  return rc;
}

static mw_code read_speeds(job *q, mw_error *err)
{
  const char *text = mw_args_value(q->r.a, "rpm");
  double lo = q->p.rpm[0], hi = q->p.rpm[1];
  int n = q->floquet ? N_SPEED_FLOQUET : N_SPEED, used = 0, more = 0;
  bool good = !text || (sscanf(text, "%lf:%lf%n:%d%n", &lo, &hi, &used, &n, &more) >= 2 &&
                        text[more > 0 ? more : used] == '\0');
  if (!good || !(lo > 0.0) || !(lo < hi) || n < 2 || n > MOST)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--rpm: found \"%.64s\", expected LO:HI or LO:HI:N with 0 < LO < HI, N from 2 "
                   "to %d",
                   text, MOST);
  q->speed = mw_arena_f64(&q->r.mem, (size_t)n);
  mw_code rc = mw_arena_check(&q->r.mem, err);
  for (int k = 0; rc == MW_OK && k < n; k++) q->speed[k] = lo + (hi - lo) * k / (n - 1);
  q->t.axis[0] =
      (mw_map_axis){ .name = "speed", .unit = "1/min", .along = -1, .n = n, .x = q->speed };
  q->t.n_axis = 1;
  return rc;
}

static mw_code read_places(job *q, mw_error *err)
{
  const char *text = mw_args_value(q->r.a, "sweep");
  mw_rom_axis axis = { .n = 1 };
  double *theta = mw_arena_f64(&q->r.mem, MW_ROM_MAX_S);
  mw_code rc = mw_arena_check(&q->r.mem, err);
  if (rc == MW_OK && text) rc = mw_rom_axis_read(&q->r.f, "sweep", text, N_PLACE, MOST, &axis, err);
  if (rc == MW_OK) rc = mw_rom_place(q->r.a, &q->r.f, text != NULL, &axis, theta, err);
  if (rc != MW_OK) return rc;
  q->t.theta = theta;
  q->along = mw_arena_f64(&q->r.mem, (size_t)axis.n);
  q->any = mw_arena_alloc(&q->r.mem, (size_t)axis.n, sizeof *q->any);
  rc = mw_arena_check(&q->r.mem, err);
  for (int k = 0; rc == MW_OK && text && k < axis.n; k++) q->along[k] = mw_rom_axis_value(&axis, k);
  if (text) q->t.axis[q->t.n_axis++] = mw_map_axis_of(&q->r.f, axis.along, axis.n, q->along);
  double places = (double)q->t.axis[0].n * axis.n;
  if (rc == MW_OK && places > MOST)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%.3g speeds and places are too many, of %d",
                   places, MOST);
  q->t.n_place = (int)places;
  return rc;
}

// Frequencies at which a cut may chatter: up to --hi, by default a quarter beyond what the
// certificate judges.
static mw_code read_band(job *q, mw_error *err)
{
  double hi = mw_response_highest(&q->r, BEYOND);
  mw_code rc = mw_args_f64(q->r.a, "hi", 0.0, 1e12, &hi, err);
  if (rc == MW_OK && !(hi > 0.0))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--hi: found %g Hz, expected more than 0", hi);
  int most = N_BAND + MW_LOBES_NEAR * (q->r.f.rom.s + q->r.f.rom.m);
  q->hz = mw_arena_f64(&q->r.mem, (size_t)most);
  q->H = mw_arena_f64(&q->r.mem, (size_t)(2 * q->in.n_to * q->in.n_from * most));
  return rc == MW_OK ? mw_response_band(&q->r, hi / most, hi, most, &q->in, err) : rc;
}

static mw_code read_all(void *job_, mw_error *err)
{
  job *q = job_;
  mw_code rc = mw_process_read(&q->r, &q->p, err);
  q->floquet = mw_args_value(q->r.a, "floquet") != NULL;
  if (rc == MW_OK) rc = read_ends(q, err);
  if (rc == MW_OK) rc = read_speeds(q, err);
  if (rc == MW_OK) rc = read_places(q, err);
  return rc == MW_OK ? read_band(q, err) : rc;
}

// ---- the lobes ----------------------------------------------------------------------------------

static mw_code open_all(job *q, mw_error *err)
{
  static const char *const name[] = { "depth", "chatter", "depth by multipliers" },
                           *const unit[] = { "m", "Hz", "m" };
  mw_map_table *t = &q->t;
  mw_code rc = mw_frf_open(&q->r.f, &q->in, &q->frf, err);
  if (rc != MW_OK) return rc;
  size_t n = (size_t)mw_frf_unknowns(q->frf);
  t->f = &q->r.f;
  t->kind = "lobes";
  t->n_value = q->floquet ? 3 : 2;
  t->name = mw_arena_alloc(&q->r.mem, 3, sizeof *t->name);
  t->unit = mw_arena_alloc(&q->r.mem, 3, sizeof *t->unit);
  t->value = mw_arena_f64(&q->r.mem, (size_t)t->n_value * (size_t)t->n_place);
  q->K = mw_arena_f64(&q->r.mem, n * n);
  q->D = mw_arena_f64(&q->r.mem, n * n);
  q->B = mw_arena_f64(&q->r.mem, n * (size_t)q->in.n_from);
  q->C = mw_arena_f64(&q->r.mem, n * (size_t)q->in.n_to);
  if (q->p.cut.teeth > 0)
    t->what = mw_arena_printf(
        &q->r.mem,
        "stable depth of %s milling, %.40s and %.40s, %d teeth, %.4g and %.3g N/m², "
        "immersion %.4g",
        q->p.down ? "down" : "up", q->in.to[0].name, q->in.to[1].name, q->p.cut.teeth,
        q->p.cut.force, q->p.cut.radial * q->p.cut.force, q->p.immersion);
  else
    t->what = mw_arena_printf(&q->r.mem, "stable depth of turning, %.60s, %.4g N/m²",
                              q->in.to[0].name, q->p.cut.force);
  rc = mw_arena_check(&q->r.mem, err);
  for (int v = 0; rc == MW_OK && v < 3; v++) {
    t->name[v] = name[v];
    t->unit[v] = unit[v];
  }
  return rc;
}

static mw_code response(void *ctx, double hz, double *H, mw_error *err)
{
  return mw_frf_more(ctx, 1, &hz, H, err);
}

// Depth by multipliers at a speed: from a hundredth of the least of zero order to a hundred times.
static mw_code by_multipliers(job *q, double rpm, double least, double *depth, mw_error *err)
{
  static const double WIDE = 100.0, TOLERANCE = 1e-3;
  const mw_lobes_system s = { mw_frf_unknowns(q->frf), q->K, q->D, q->B, q->C };
  double lo = least / WIDE, hi = least * WIDE;
  if (!isfinite(least)) {
    *depth = (double)NAN;
    return MW_OK;
  }
  mw_code rc = mw_lobes_floquet(&q->p.cut, &s, rpm, lo, hi, TOLERANCE, depth, err);
  bool settled = rc != MW_ERR_NUMERIC;
  q->unsettled += !settled;
  if (!settled || *depth >= hi || *depth <= lo) *depth = (double)NAN;
  return settled ? rc : MW_OK;
}

static double or_none(double depth) { return isfinite(depth) ? depth : (double)NAN; }

// Responses at a place, at frequencies that its resonances ask for; *n: their number. What nothing
// damps chatters at any depth: there are no lobes then.
static mw_code respond(job *q, const double *theta, int *n, mw_error *err)
{
  mw_frf_poles pole;
  mw_code rc = mw_frf_at(q->frf, theta, q->H, err);
  if (rc == MW_OK) rc = mw_frf_poles_of(q->frf, &pole, err);
  for (int k = 0; rc == MW_OK && k < pole.n; k++)
    if (pole.zeta[k] < MW_FRF_UNDAMPED)
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "the motion at %.6g Hz is not damped, so that no depth of cut is stable; "
                   "expected damping in the model (damping: {modal: 0.01})",
                   pole.hz[k]);
  if (rc != MW_OK) return rc;
  *n = mw_lobes_band(q->in.hz[0], q->in.hz[q->in.n_hz - 1], N_BAND, pole.n, pole.hz, pole.zeta,
                     q->hz);
  return mw_frf_more(q->frf, *n, q->hz, q->H, err);
}

// Place p of the sweep, at all speeds.
static mw_code one_place(job *q, int p, mw_lobes_limit *at, mw_progress *progress, mw_error *err)
{
  mw_map_table *t = &q->t;
  int n = t->axis[0].n, deep = t->n_axis > 1 ? t->axis[1].n : 1;
  double theta[MW_ROM_MAX_S];
  mw_lobes_response r = { .hz = q->hz, .H = q->H, .at = response, .ctx = q->frf };
  mw_map_place(t, p, theta);
  mw_code rc = respond(q, theta, &r.n_hz, err);
  if (rc == MW_OK) rc = mw_lobes(&q->p.cut, &r, n, q->speed, at, &q->any[p], err);
  if (rc == MW_OK && isfinite(q->any[p].depth))
    q->at_end += q->any[p].hz <= q->hz[1] || q->any[p].hz >= q->hz[r.n_hz - 2];
  if (rc == MW_OK) mw_frf_system(q->frf, q->K, q->D, q->B, q->C);
  for (int k = 0; rc == MW_OK && k < n; k++) {
    int i = k * deep + p;
    t->value[i] = or_none(at[k].depth);
    t->value[t->n_place + i] = isfinite(at[k].depth) ? at[k].hz : (double)NAN;
    if (q->floquet)
      rc = by_multipliers(q, q->speed[k], q->any[p].depth, &t->value[2 * t->n_place + i], err);
    mw_progress_step(progress, p * n + k + 1);
  }
  return rc;
}

static mw_code all_places(job *q, mw_error *err)
{
  int places = q->t.n_axis > 1 ? q->t.axis[1].n : 1;
  mw_code rc = open_all(q, err);
  mw_lobes_limit *at = mw_arena_alloc(&q->r.mem, (size_t)q->t.axis[0].n, sizeof *at);
  if (rc == MW_OK) rc = mw_arena_check(&q->r.mem, err);
  mw_progress progress = mw_progress_default(q->r.a->quiet || (places == 1 && !q->floquet));
  mw_progress_start(&progress, "stable depths", q->t.n_place);
  for (int p = 0; rc == MW_OK && p < places; p++) rc = one_place(q, p, at, &progress, err);
  mw_progress_end(&progress);
  return rc;
}

// ---- what is printed ----------------------------------------------------------------------------

// How many chatter frequencies lie beyond what the certificate judges.
static int beyond(const job *q)
{
  const double *hz = q->t.value + q->t.n_place;
  int n = 0;
  for (int k = 0; k < q->t.n_place; k++) n += isfinite(hz[k]) && hz[k] > q->r.bandwidth;
  return n;
}

// At how many speeds and places no chatter frequency of the band limits the depth.
static int unlimited(const job *q)
{
  int n = 0;
  for (int k = 0; k < q->t.n_place; k++) n += !isfinite(q->t.value[k]);
  return n;
}

typedef char sentences[2][256];

// Sentences on what the depths do not cover; NULL: no more.
static const char *note(const job *q, int k, sentences text)
{
  int n = q->r.bandwidth > 0.0 ? beyond(q) : 0, none = unlimited(q);
  const char *all[7];
  int count = 0;
  if (!(q->r.bandwidth > 0.0)) all[count++] = mw_response_not_judged;
  if (n > 0) {
    snprintf(text[0], sizeof text[0],
             "%d of %d chatter frequencies lie beyond %.4g Hz, up to which the certificate judges",
             n, q->t.n_place, q->r.bandwidth);
    all[count++] = text[0];
  }
  if (none > 0) {
    snprintf(text[1], sizeof text[1],
             "no chatter frequency up to %.4g Hz (--hi) limits the depth at %d of %d speeds and "
             "places: higher ones, which are not looked at, may",
             q->in.hz[q->in.n_hz - 1], none, q->t.n_place);
    all[count++] = text[1];
  }
  if (q->at_end > 0)
    all[count++] = "a limit lies at an end of the band (--hi): it would be lower beyond";
  if (q->unsettled > 0)
    all[count++] = "depths by multipliers that have not settled are left out: too slow a speed for "
                   "320 intervals of a cut";
  if (q->p.cut.teeth > 0 && !q->floquet)
    all[count++] = "of zero order: where few teeth cut a short time, --floquet finds more lobes";
  if (q->floquet)
    all[count++] =
        "multipliers are looked at by tenths of the depth: an island of instability that "
        "is thinner may lie below";
  if (q->r.f.rom.n_law > 0) all[count++] = mw_response_no_laws;
  return k < count ? all[k] : NULL;
}

static void least_of(const mw_map_table *t, int v, int *lo, int *none)
{
  const double *x = t->value + (size_t)v * (size_t)t->n_place;
  *lo = -1;
  *none = 0;
  for (int k = 0; k < t->n_place; k++) {
    *none += !isfinite(x[k]);
    if (isfinite(x[k]) && (*lo < 0 || x[k] < x[*lo])) *lo = k;
  }
}

static void print_text(const void *job_)
{
  const job *q = job_;
  const mw_map_table *t = &q->t;
  int places = t->n_axis > 1 ? t->axis[1].n : 1;
  sentences text;
  printf("%s, %s\n", t->what, q->r.f.model_name);
  for (int p = 0; p < places; p++) {
    double theta[MW_ROM_MAX_S];
    mw_map_place(t, p, theta);
    for (int i = 0; i < q->r.f.rom.s; i++)
      printf("%s%s = %.6g %s", i ? ", " : "  at ", q->r.f.coordinate[i], theta[i],
             mw_cmd_unit(&q->r.f, i));
    if (isfinite(q->any[p].depth))
      printf(": stable at any speed up to %.6g m (chatter at %.6g Hz)\n", q->any[p].depth,
             q->any[p].hz);
    else
      printf(": stable at any depth, as far as the band up to %.4g Hz tells\n",
             q->in.hz[q->in.n_hz - 1]);
  }
  for (int v = 0; v < t->n_value; v += 2) {
    int lo, none;
    least_of(t, v, &lo, &none);
    if (lo >= 0)
      printf("%s: least %.6g m at %.6g 1/min\n", t->name[v], t->value[v * t->n_place + lo],
             mw_map_along(t, lo, 0));
    if (none > 0) printf("%s: none found at %d speeds and places\n", t->name[v], none);
  }
  for (int k = 0; note(q, k, text); k++) printf("%s\n", note(q, k, text));
}

static void json_array(mw_json *j, const char *key, int n, const double *x)
{
  mw_json_array(j, key);
  for (int k = 0; k < n; k++) mw_json_num(j, NULL, x[k]);
  mw_json_end(j, ']');
}

static void print_json(const void *job_)
{
  const job *q = job_;
  const mw_map_table *t = &q->t;
  int places = t->n_axis > 1 ? t->axis[1].n : 1, n = t->axis[0].n;
  sentences text;
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_response_json_parameters(&q->r, &j);
  if (q->p.scenario) mw_json_str(&j, "scenario", q->p.scenario);
  mw_json_str(&j, "process", q->p.cut.teeth > 0 ? "milling" : "turning");
  mw_json_num(&j, "bandwidth_hz", q->r.bandwidth);
  json_array(&j, "rpm", n, q->speed);
  mw_json_array(&j, "places");
  for (int p = 0; p < places; p++) {
    double theta[MW_ROM_MAX_S];
    mw_map_place(t, p, theta);
    mw_json_object(&j, NULL);
    mw_json_object(&j, "at");
    for (int i = 0; i < q->r.f.rom.s; i++) mw_json_num(&j, q->r.f.coordinate[i], theta[i]);
    mw_json_end(&j, '}');
    mw_json_num(&j, "depth_any_speed", or_none(q->any[p].depth));
    mw_json_num(&j, "chatter_any_speed_hz", q->any[p].hz);
    static const char *const key[] = { "depth", "chatter_hz", "depth_by_multipliers" };
    for (int v = 0; v < t->n_value; v++) {
      mw_json_array(&j, key[v]);
      for (int k = 0; k < n; k++) mw_json_num(&j, NULL, t->value[v * t->n_place + k * places + p]);
      mw_json_end(&j, ']');
    }
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, ']');
  mw_json_array(&j, "notes");
  for (int k = 0; note(q, k, text); k++) mw_json_str(&j, NULL, note(q, k, text));
  mw_json_end(&j, ']');
  mw_json_end(&j, '}');
}

// ---- the command --------------------------------------------------------------------------------

static mw_code compute(void *job_, mw_error *err)
{
  job *q = job_;
  sentences text;
  mw_code rc = all_places(q, err);
  if (rc == MW_OK && note(q, 0, text)) q->t.note = mw_arena_str(&q->r.mem, note(q, 0, text));
  return rc == MW_OK ? mw_arena_check(&q->r.mem, err) : rc;
}

static mw_code write_file(const void *job_, const char *path, mw_error *err)
{
  return mw_map_write(&((const job *)job_)->t, path, err);
}

static mw_code draw(const void *job_, const char *path, mw_error *err)
{
  return mw_map_picture(&((const job *)job_)->t, path, err);
}

static void close_all(void *job_) { mw_frf_close(((job *)job_)->frf); }

static int run(const mw_args *a)
{
  static const mw_response_stages stages = { read_all,   compute,    write_file, draw,
                                             print_json, print_text, close_all };
  job q = { 0 };
  return mw_response_run(a, &stages, &q);
}

const mw_command mw_cmd_lobes = {
  .name = "lobes",
  .operand = "ROM.nc",
  .summary = "depths of turning and milling up to which cuts are stable, over speed and place",
  .doc =
      "Regenerative chatter from the receptances of the reduced model at rest (modeway frf says\n"
      "what ends are).\n\n"
      "Turning: along the end --to a tool cuts deeper; the force, --force times depth and what is\n"
      "cut deeper than a revolution ago, acts against the end --from.\n\n"
      "Milling (--teeth): two ends, along the feed and normal to it. A tooth's angle counts from\n"
      "the second towards the first; up milling cuts from 0 on, --down milling to 180 degrees,\n"
      "over --immersion of the diameter. --force acts along the cut, --radial times it towards\n"
      "the axis. Depths are those of zero order (mean forces); --floquet adds those of the forces\n"
      "as they change, by multipliers over a period.\n\n"
      "--scenario takes all of these from the key cutting of a scenario (modeway keys); options\n"
      "stand over it.\n\n"
      "-o: .csv with a row a speed and place, or .nc. --picture: curves over speed, or colours\n"
      "over speed and place.\n\n"
      "--json: {\"parameters\": {NAME: value} of those kept,\n"
      "  \"scenario\" (--scenario), \"process\", \"bandwidth_hz\" (0: not known),\n"
      "  \"rpm\": [..], \"places\":\n"
      "  [{\"at\": {COORDINATE: value}, \"depth_any_speed\", \"chatter_any_speed_hz\",\n"
      "  \"depth\": [..], \"chatter_hz\": [..], \"depth_by_multipliers\": [..] (--floquet)}],\n"
      "  \"notes\": [..]} (null: none found)\n",
  .option = { MW_OPTION_SET_ROM,
              { 's', "scenario", "NAME", "process: " MW_OPTION_SCENARIO_HELP, 0 },
              { 't', "to", "tool.x", "along it a tool cuts deeper; milling: feed, normal to it",
                0 },
              { 0, "from", "tool.x", "the force acts against it (default: --to)", 0 },
              { 0, "force", "N/m²", "force over depth times thickness of the chip", 0 },
              { 0, "rpm", "LO:HI:N", "speeds, 1/min (default of N: 200, 50 with --floquet)", 0 },
              MW_OPTION_PLACE,
              MW_OPTION_SWEEP,
              { 0, "teeth", "N", "milling, with so many", 0 },
              { 0, "radial", "R", "radial force over that along the cut (default 0)", 0 },
              { 0, "immersion", "P", "radial depth over diameter (default 1)", 0 },
              { 0, "down", NULL, "down milling", 0 },
              { 0, "up", NULL, "up milling (default), where the scenario says down", 0 },
              { 0, "floquet", NULL, "also with the forces as they change over a revolution", 0 },
              MW_OPTION_FREE,
              { 0, "hi", "HZ",
                "highest chatter frequency (default: a quarter beyond the certificate's band)", 0 },
              { 'o', "output", "FILE", "depths as FILE.csv or FILE.nc", MW_OPT_WRITES },
              { 0, "picture", "FILE", "FILE.svg, .html or .png: curves or colours",
                MW_OPT_WRITES } },
  .run = run,
};
