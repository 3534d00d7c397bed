// SPDX-License-Identifier: BSD-3-Clause
// cmd_map.c: modeway map: scalars of frequency responses over one to three coordinates.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd_layer.h"
#include "frf/map_layer.h"
#include "reduction/certificate.h"
#include "response_priv.h"
#include "rom_places_priv.h"
#include "sim/map.h"

enum { DEFAULT_1 = 101, DEFAULT_2 = 31, DEFAULT_3 = 11, MOST_PLACE = 10000000, N_BAND = 500 };

typedef struct job {
  mw_response r;
  mw_map_in in;
  mw_map_kind kind[MW_MAP_N_KIND];
  mw_map *map;
  mw_map_table t;
  double bandwidth;
  int surfaces;  // 0: none
} job;

// ---- what is asked for --------------------------------------------------------------------------

static mw_code read_kinds(job *q, mw_error *err)
{
  const char *text = mw_args_value(q->r.a, "of");
  int *n = &q->in.n_kind;
  for (const char *p = text ? text : "compliance"; p;) {
    size_t len = strcspn(p, ",");
    if (*n == MW_MAP_N_KIND || !mw_map_kind_find(p, len, &q->kind[*n]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     *n == MW_MAP_N_KIND
                         ? "--of: found \"%.*s\" behind all that there are"
                         : "--of: found \"%.*s\", expected compliance, stiffness, direction, peak, "
                           "peak_hz, frequency or damping",
                     (int)len, p);
    for (int k = 0; k < *n; k++)
      if (q->kind[k] == q->kind[*n])
        return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--of: found %s twice",
                       mw_map_kind_name(q->kind[k]));
    (*n)++;
    p = p[len] ? p + len + 1 : NULL;
  }
  q->in.kind = q->kind;
  return MW_OK;
}

static mw_code read_axes(job *q, mw_error *err)
{
  static const int by_axes[] = { DEFAULT_1, DEFAULT_2, DEFAULT_3 };
  char name[MW_MAP_MAX_AXIS][256];
  mw_rom_axis axis[MW_MAP_MAX_AXIS];
  mw_map_table *t = &q->t;
  double *theta = mw_arena_f64(&q->r.mem, MW_ROM_MAX_S), places = 1.0;
  mw_code rc = mw_arena_check(&q->r.mem, err);
  for (const char *p = mw_args_value(q->r.a, "over"); rc == MW_OK && p;) {
    size_t len = strcspn(p, ",");
    if (t->n_axis == MW_MAP_MAX_AXIS || len >= sizeof name[0])
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--over: found more, expected at most %d "
                     "coordinates",
                     MW_MAP_MAX_AXIS);
    snprintf(name[t->n_axis++], sizeof name[0], "%.*s", (int)len, p);
    p = p[len] ? p + len + 1 : NULL;
  }
  for (int i = 0; rc == MW_OK && i < t->n_axis; i++) {
    rc = mw_rom_axis_read(&q->r.f, "over", name[i], by_axes[t->n_axis - 1], 100000, &axis[i], err);
    double *x = rc == MW_OK ? mw_arena_f64(&q->r.mem, (size_t)axis[i].n) : NULL;
    if (rc == MW_OK) rc = mw_arena_check(&q->r.mem, err);
    for (int k = 0; rc == MW_OK && k < axis[i].n; k++) x[k] = mw_rom_axis_value(&axis[i], k);
    if (rc == MW_OK) t->axis[i] = mw_map_axis_of(&q->r.f, axis[i].along, axis[i].n, x);
    if (rc == MW_OK) places *= axis[i].n;
  }
  if (rc == MW_OK) rc = mw_rom_place(q->r.a, &q->r.f, t->n_axis, axis, theta, err);
  if (rc == MW_OK && places > MOST_PLACE)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--over: found %.3g places, expected at most %d",
                   places, MOST_PLACE);
  t->theta = theta;
  t->n_place = rc == MW_OK ? (int)places : 0;
  return rc;
}

// The band of the peak: by default up to what the certificate judges.
static mw_code read_band(job *q, mw_error *err)
{
  double hi = mw_response_highest(&q->r, 1.0), lo = -1.0;
  mw_code rc = mw_args_f64(q->r.a, "hi", 0.0, 1e12, &hi, err);
  if (rc == MW_OK && !(hi > 0.0)) hi = 1.0;  // no motion to choose by
  if (rc == MW_OK) rc = mw_args_f64(q->r.a, "lo", 0.0, hi, &lo, err);
  if (rc == MW_OK && lo < 0.0) lo = hi / N_BAND;
  if (rc == MW_OK && !(lo < hi))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--lo: found %g Hz, expected less than %g", lo, hi);
  return rc == MW_OK ? mw_response_band(&q->r, lo, hi, N_BAND, &q->in.frf, err) : rc;
}

static mw_code read_all(void *job_, mw_error *err)
{
  job *q = job_;
  const mw_args *a = q->r.a;
  mw_frf_in *in = &q->in.frf;
  int mode = 1;
  mw_code rc = read_kinds(q, err);
  if (rc == MW_OK) rc = mw_rom_kind_read(mw_args_value(a, "as"), &in->kind, err);
  if (rc == MW_OK) rc = mw_args_int(a, "mode", 1, 1000000, &mode, err);
  q->in.mode = mode - 1;
  if (rc == MW_OK)
    rc = mw_response_ends(&q->r, mw_args_value(q->r.a, "to"), mw_args_value(q->r.a, "from"), in,
                          err);
  if (rc == MW_OK) rc = read_axes(q, err);
  if (rc == MW_OK) rc = mw_args_int(a, "surface", 1, MW_MAP_MAX_SURFACE, &q->surfaces, err);
  if (rc == MW_OK && q->surfaces > 0 && (q->t.n_axis != 3 || !mw_args_value(a, "picture")))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--surface belongs to --picture over three coordinates, found %d%s", q->t.n_axis,
                 mw_args_value(a, "picture") ? "" : ", and no --picture");
  return rc == MW_OK ? read_band(q, err) : rc;
}

// ---- the map ------------------------------------------------------------------------------------

static mw_code name_all(job *q, mw_error *err)
{
  mw_map_table *t = &q->t;
  char text[96];
  t->f = &q->r.f;
  t->kind = "map";
  t->n_value = mw_map_values(q->map);
  t->name = mw_arena_alloc(&q->r.mem, (size_t)t->n_value, sizeof *t->name);
  t->unit = mw_arena_alloc(&q->r.mem, (size_t)t->n_value, sizeof *t->unit);
  t->value = mw_arena_f64(&q->r.mem, (size_t)t->n_value * (size_t)t->n_place);
  double *lo = mw_arena_f64(&q->r.mem, (size_t)t->n_value),
         *hi = mw_arena_f64(&q->r.mem, (size_t)t->n_value);
  t->lo = lo;
  t->hi = hi;
  mw_code rc = mw_arena_check(&q->r.mem, err);
  for (int v = 0; rc == MW_OK && v < t->n_value; v++) {
    t->name[v] = mw_arena_str(&q->r.mem, mw_map_name(q->map, v, text));
    t->unit[v] = mw_arena_str(&q->r.mem, mw_map_unit(q->map, v, text));
    if (strncmp(t->name[v], "direction", 9) != 0) continue;
    lo[v] = -1.0;
    hi[v] = 1.0;
  }
  const mw_frf_in *in = &q->in.frf;
  const char *to = mw_args_value(q->r.a, "to"), *from = mw_args_value(q->r.a, "from");
  t->what = mw_arena_printf(&q->r.mem, "%s of %.80s from %.80s%s", mw_frf_kind_name(in->kind), to,
                            from ? from : to,
                            in->n_to * in->n_from > 1 ? ", in the direction of most" : "");
  if (!(q->r.bandwidth > 0.0))
    t->note = mw_response_not_judged;
  else if (in->hz[in->n_hz - 1] > q->r.bandwidth)
    t->note = mw_arena_printf(&q->r.mem,
                              "the certificate judges up to %.4g Hz; nothing is promised of peaks "
                              "beyond",
                              q->r.bandwidth);
  return rc == MW_OK ? mw_arena_check(&q->r.mem, err) : rc;
}

static mw_code compute(void *job_, mw_error *err)
{
  job *q = job_;
  mw_map_table *t = &q->t;
  double theta[MW_ROM_MAX_S];
  mw_code rc = mw_map_open(&q->r.f, &q->in, &q->map, err);
  if (rc == MW_OK) rc = name_all(q, err);
  double *value = rc == MW_OK ? mw_arena_f64(&q->r.mem, (size_t)t->n_value) : NULL;
  if (rc == MW_OK) rc = mw_arena_check(&q->r.mem, err);
  mw_progress progress = mw_progress_default(q->r.a->quiet);
  mw_progress_start(&progress, "map", t->n_place);
  for (int k = 0; rc == MW_OK && k < t->n_place; k++) {
    mw_map_place(t, k, theta);
    rc = mw_map_at(q->map, theta, value, err);
    for (int v = 0; rc == MW_OK && v < t->n_value; v++) t->value[v * t->n_place + k] = value[v];
    mw_progress_step(&progress, k + 1);
  }
  mw_progress_end(&progress);
  return rc;
}

// ---- what is printed ----------------------------------------------------------------------------

// Where value v is least and largest, -1: it is not finite anywhere; how many places have none.
static int ends_of(const mw_map_table *t, int v, int *lo, int *hi)
{
  const double *x = t->value + (size_t)v * (size_t)t->n_place;
  int none = 0;
  *lo = *hi = -1;
  for (int k = 0; k < t->n_place; k++) {
    if (!isfinite(x[k])) {
      none++;
      continue;
    }
    if (*lo < 0 || x[k] < x[*lo]) *lo = k;
    if (*hi < 0 || x[k] > x[*hi]) *hi = k;
  }
  return none;
}

static void print_place(const mw_map_table *t, int k)
{
  double theta[MW_ROM_MAX_S];
  mw_map_place(t, k, theta);
  for (int i = 0; i < t->f->rom.s; i++)
    printf("%s%s = %.6g %s", i ? ", " : " at ", t->f->coordinate[i], theta[i],
           mw_cmd_unit(t->f, i));
}

// Places without a peak, and those whose largest response is at an end of the band.
static void count_peaks(const job *q, int *undamped, int *ends)
{
  const mw_map_table *t = &q->t;
  const mw_frf_in *in = &q->in.frf;
  for (int v = 0; v < t->n_value; v++) {
    const double *x = t->value + (size_t)v * (size_t)t->n_place;
    bool peak = strcmp(t->name[v], "peak") == 0, hz = strcmp(t->name[v], "peak_hz") == 0;
    int none = 0, end = 0;
    for (int k = 0; k < t->n_place; k++) {
      none += isnan(x[k]);
      end += x[k] <= in->hz[0] * (1.0 + 1e-6) || x[k] >= in->hz[in->n_hz - 1] * (1.0 - 1e-6);
    }
    if (peak || hz) *undamped = none;
    if (hz) *ends = end;
  }
}

static void print_text(const void *job_)
{
  const job *q = job_;
  const mw_map_table *t = &q->t;
  printf("%s, %s, %d places\n", t->what, q->r.f.model_name, t->n_place);
  for (int v = 0; v < t->n_value; v++) {
    int lo, hi, none = ends_of(t, v, &lo, &hi);
    const double *x = t->value + (size_t)v * (size_t)t->n_place;
    printf("  %s", t->name[v]);
    if (lo >= 0) {
      printf("  least %.6g %s", x[lo], t->unit[v]);
      print_place(t, lo);
      printf(", largest %.6g %s", x[hi], t->unit[v]);
      print_place(t, hi);
    }
    printf(none ? "%s none at %d places\n" : "\n", lo >= 0 ? "," : " ", none);
  }
  if (t->note) printf("%s\n", t->note);
  int undamped = 0, ends = 0;
  count_peaks(q, &undamped, &ends);
  if (undamped > 0)
    printf("a motion in the band is not damped at %d places: there is no peak there\n", undamped);
  if (ends > 0)
    printf("the largest response lies at an end of the band at %d places: no peak of a motion\n",
           ends);
  if (q->r.f.rom.n_law > 0) printf("%s\n", mw_response_no_laws);
}

static void print_json(const void *job_)
{
  const job *q = job_;
  const mw_map_table *t = &q->t;
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_response_json_parameters(&q->r, &j);
  mw_json_str(&j, "response", mw_frf_kind_name(q->in.frf.kind));
  mw_json_num(&j, "bandwidth_hz", q->r.bandwidth);
  mw_json_object(&j, "at");
  for (int i = 0; i < q->r.f.rom.s; i++) {
    bool axis = false;
    for (int k = 0; k < t->n_axis; k++) axis = axis || t->axis[k].along == i;
    if (!axis) mw_json_num(&j, q->r.f.coordinate[i], t->theta[i]);
  }
  mw_json_end(&j, '}');
  mw_json_array(&j, "axes");
  for (int i = 0; i < t->n_axis; i++) {
    mw_json_object(&j, NULL);
    mw_json_str(&j, "coordinate", t->axis[i].name);
    mw_json_array(&j, "at");
    for (int k = 0; k < t->axis[i].n; k++) mw_json_num(&j, NULL, t->axis[i].x[k]);
    mw_json_end(&j, ']');
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, ']');
  mw_json_array(&j, "values");
  for (int v = 0; v < t->n_value; v++) {
    mw_json_object(&j, NULL);
    mw_json_str(&j, "name", t->name[v]);
    mw_json_str(&j, "unit", t->unit[v]);
    mw_json_array(&j, "value");
    for (int k = 0; k < t->n_place; k++)
      mw_json_num(&j, NULL, t->value[(size_t)v * (size_t)t->n_place + (size_t)k]);
    mw_json_end(&j, ']');
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, ']');
  mw_json_end(&j, '}');
}

// ---- the command --------------------------------------------------------------------------------

static mw_code write_file(const void *job_, const char *path, mw_error *err)
{
  return mw_map_write(&((const job *)job_)->t, path, err);
}

static mw_code draw(const void *job_, const char *path, mw_error *err)
{
  const job *q = job_;
  return q->surfaces > 0 ? mw_map_surfaces(&q->t, q->surfaces, path, err)
                         : mw_map_picture(&q->t, path, err);
}

static void close_all(void *job_) { mw_map_close(((job *)job_)->map); }

static int run(const mw_args *a)
{
  static const mw_response_stages stages = { read_all,   compute,    write_file, draw,
                                             print_json, print_text, close_all };
  job q = { 0 };
  return mw_response_run(a, &stages, &q);
}

const mw_command mw_cmd_map = {
  .name = "map",
  .operand = "ROM.nc",
  .summary = "stiffness, peaks, frequencies of a reduced model over its work space",
  .doc =
      "Scalars of the frequency responses between ends (modeway frf says what ends are), over one\n"
      "to three coordinates: compliance (at rest), stiffness (its inverse), direction (of the\n"
      "force under which it is softest, a value an end, the largest positive), peak (largest\n"
      "response in a band), peak_hz (where), frequency and damping (of motion --mode). Between\n"
      "several ends: of the force and motion of any direction for which it is largest.\n\n"
      "-o: .csv with a row a place, or .nc with an array a value. --picture: curves over one\n"
      "coordinate, colours over two, six pictures of two along the third, or\n"
      "--surface N: the surfaces on which the first value is constant.\n\n"
      "--json: {\"parameters\": {NAME: value} of those kept,\n"
      "  \"response\", \"bandwidth_hz\" (0: not known), \"at\": {COORDINATE: value} of\n"
      "  those that are no axis, \"axes\": [{\"coordinate\", \"at\": [..]}], \"values\":\n"
      "  [{\"name\", \"unit\", \"value\": [..] the last axis fastest}]}\n",
  .option = { { 't', "to", "tool.x,…", "ends that move", MW_OPT_REQUIRED },
              MW_OPTION_SET_ROM,
              MW_OPTION_FROM,
              { 0, "of", "KIND,…", "what is mapped (default: compliance)", 0 },
              { 0, "over", "x=0:0.5:31,y",
                "one to three coordinates; of a name alone the whole range", MW_OPT_REQUIRED },
              { 'a', "at", "z=0.1", "the other coordinates, m or rad", 0 },
              { 0, "mode", "K", "which motion, from 1 on (default 1)", 0 },
              { 0, "as", "KIND", "of peaks: receptance (default), mobility or accelerance", 0 },
              MW_OPTION_FREE,
              { 0, "lo", "HZ", "peaks from here (default: --hi over 500)", 0 },
              { 0, "hi", "HZ", "to here (default: the certificate's band)", 0 },
              { 'o', "output", "FILE", "values as FILE.csv or FILE.nc", MW_OPT_WRITES },
              { 0, "surface", "N",
                "--picture over three coordinates: N surfaces of the first value, 1 to 5", 0 },
              { 0, "picture", "FILE", "FILE.svg, .html or .png: curves or colours",
                MW_OPT_WRITES } },
  .run = run,
};
