// SPDX-License-Identifier: BSD-3-Clause
// analyze_reach.c: modeway analyze MODEL|ROM.nc reach: accessible dynamics along a path.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze_reach_priv.h"

typedef mw_reach_job job;

enum { LEAST = 400 };  // intervals of a traversal

// ---- printing -----------------------------------------------------------------------------------

typedef struct summary {
  double slowest, at, brake, start;  // 1/s, p, least of the ranges of p̈ at rest, 1/s²
  int cannot_stand, none;            // points
} summary;

static summary summarize(const job *j)
{
  const mw_regions *r = &j->regions;
  summary s = { .slowest = INFINITY, .brake = INFINITY, .start = INFINITY };
  for (int i = 0; i < r->n; i++) {
    s.none += r->fastest[i] < 0.0;
    if (r->fastest[i] < s.slowest) s.slowest = r->fastest[i], s.at = j->dynamics.p[i];
    if (isnan(r->rest[2 * i]) || r->rest[2 * i] > 0.0 || r->rest[2 * i + 1] < 0.0) {
      s.cannot_stand++;
      continue;
    }
    s.brake = fmin(s.brake, -r->rest[2 * i]);
    s.start = fmin(s.start, r->rest[2 * i + 1]);
  }
  return s;
}

static const char *part_name(const job *j, int i, char name[MW_PATH_NAME])
{
  mw_tool_path_name(&j->c.mech, &j->path, i, name);
  return name;
}

static void print_text(const job *j)
{
  enum { ROWS = 11 };
  char name[MW_PATH_NAME];
  const mw_path_dynamics *d = &j->dynamics;
  const mw_regions *r = &j->regions;
  summary s = summarize(j);
  printf("%s: %d freedoms, %d drives%s%s, in", j->c.model.name, d->k, d->n_drive,
         d->viscous ? ", viscous forces" : "", d->dry ? ", dry friction as p rises" : "");
  for (int i = 0; i < d->k; i++) printf(" %s", mw_mech_coord_name(&j->c.mech, d->coord[i]));
  printf(", along");
  for (int i = 0; i < j->path.n_part; i++) printf(" %s", part_name(j, i, name));
  printf("\n%12s %14s %14s %14s %14s %9s\n", "p", "fastest, 1/s", "by speeds", "p'' at rest", "to",
         "corners");
  int rows = d->n < ROWS ? d->n : ROWS;
  for (int k = 0; k < rows; k++) {
    int i = rows > 1 ? k * (d->n - 1) / (rows - 1) : 0;
    printf("%12.6g %14.9g %14.9g %14.9g %14.9g", d->p[i], r->fastest[i], r->speed[i],
           r->rest[2 * i], r->rest[2 * i + 1]);
    if (r->n_vertex[i] < 0)
      printf(" %9s\n", "open");
    else
      printf(" %9d\n", r->n_vertex[i]);
  }
  if (isfinite(s.slowest))
    printf("least of the largest speeds   %.9g 1/s at p = %.6g\n", s.slowest, s.at);
  else
    printf("least of the largest speeds   none: nothing limits the speed\n");
  if (isfinite(s.start))
    printf("everywhere from rest          p'' from %.9g to %.9g 1/s2\n", -s.brake, s.start);
  if (s.cannot_stand > 0)
    printf("cannot stand at               %d of %d points\n", s.cannot_stand, d->n);
  if (j->o.traversal)
    printf("fastest from rest to rest     %.9g s\n", j->traversal.duration);
  else
    printf("fastest from rest to rest     none: %s\n", j->why.msg);
  if (j->reduced) mw_reach_reduced_text(j);
}

static void json_limit(mw_json *w, const char *key, double x)
{
  if (isfinite(x)) mw_json_num(w, key, x);
}

static void print_json(const job *j)
{
  char name[MW_PATH_NAME];
  const mw_path_dynamics *d = &j->dynamics;
  const mw_regions *r = &j->regions;
  summary s = summarize(j);
  mw_json w = { .f = stdout };
  mw_json_object(&w, NULL);
  mw_json_str(&w, "name", j->c.model.name);
  mw_json_array(&w, "along");
  for (int i = 0; i < j->path.n_part; i++) mw_json_str(&w, NULL, part_name(j, i, name));
  mw_json_end(&w, ']');
  mw_json_num(&w, "freedoms", d->k);
  mw_json_bool(&w, "viscous", d->viscous);
  mw_json_bool(&w, "dry", d->dry);
  json_limit(&w, "slowest", s.slowest);
  mw_json_num(&w, "slowest_at", s.at);
  mw_json_num(&w, "cannot_stand", s.cannot_stand);
  if (j->o.traversal)
    mw_json_num(&w, "duration", j->traversal.duration);
  else
    mw_json_str(&w, "no_traversal", j->why.msg);
  if (j->reduced) mw_reach_reduced_json(&w, j);
  mw_json_array(&w, "points");
  for (int i = 0; i < d->n; i++) {
    const double *v = r->vertex + (size_t)i * (size_t)r->most * 2;
    mw_json_object(&w, NULL);
    mw_json_num(&w, "p", d->p[i]);
    json_limit(&w, "fastest", r->fastest[i]);
    json_limit(&w, "speed_limit", r->speed[i]);
    json_limit(&w, "brake", r->rest[2 * i]);
    json_limit(&w, "start", r->rest[2 * i + 1]);
    mw_json_array(&w, "region");
    for (int k = 0; k < r->n_vertex[i]; k++) {
      mw_json_array(&w, NULL);
      mw_json_num(&w, NULL, v[2 * k]);
      mw_json_num(&w, NULL, v[2 * k + 1]);
      mw_json_end(&w, ']');
    }
    mw_json_end(&w, ']');
    mw_json_end(&w, '}');
  }
  mw_json_end(&w, ']');
  mw_json_end(&w, '}');
}

// ---- work ---------------------------------------------------------------------------------------

static mw_code read_path(const mw_args *a, job *j, mw_error *err)
{
  const char *text = mw_args_value(a, "path"), *tool = mw_args_value(a, "tool");
  if (!text)
    return mw_fail(
        err, MW_ERR_INPUT, MW_NOWHERE,
        "analyze reach: --path is missing, expected NAME=.. of t from 0 to 1, or a table");
  return mw_tool_path_from(&j->c.mech, text, tool, &j->c.mem, &j->path, err);
}

static mw_code traverse(job *j, int n, mw_error *err)
{
  mw_path_dynamics d;
  double *p = mw_arena_f64(&j->c.mem, 2 * (size_t)n + 1);
  mw_code rc = mw_arena_check(&j->c.mem, err);
  if (rc != MW_OK) return rc;
  mw_traversal_points(n, p);
  rc = mw_path_dynamics_find(&j->c.mech, &j->at, &j->path, 2 * n + 1, p, &j->c.mem, &d, err);
  if (rc != MW_OK) return rc;
  rc = mw_traversal_find(&d, &j->limits, &j->c.mem, &j->traversal, &j->why);
  if (rc == MW_OK) j->o.traversal = &j->traversal;
  if (rc == MW_ERR_NUMERIC) return MW_OK;  // said with the result
  if (rc != MW_OK) *err = j->why;
  return rc;
}

// Of rigid bodies, at p [n]
static mw_code find(const mw_args *a, job *j, int n, const double *p, mw_error *err)
{
  mw_arena *mem = &j->c.mem;
  mw_code rc = mw_args_position(a, &j->c.mech, mem, &j->at, err);
  if (rc == MW_OK)
    rc = mw_path_dynamics_find(&j->c.mech, &j->at, &j->path, n, p, mem, &j->dynamics, err);
  if (rc == MW_OK) rc = mw_regions_find(&j->dynamics, &j->limits, mem, &j->regions, err);
  return rc == MW_OK ? traverse(j, n < LEAST ? LEAST : n, err) : rc;
}

static mw_code work(const mw_args *a, job *j, mw_error *err)
{
  const char *out = mw_args_value(a, "output"), *picture = mw_args_value(a, "picture");
  mw_arena *mem = &j->c.mem;
  const mw_limits_text limits = { mw_args_value(a, "force"), mw_args_value(a, "speed"),
                                  mw_args_value(a, "power") };
  int n = 101;
  mw_code rc = read_path(a, j, err);
  if (rc == MW_OK) rc = mw_args_int(a, "points", 2, 1000000, &n, err);
  if (rc == MW_OK) rc = mw_drive_limits_find(&j->c.model, &limits, mem, &j->limits, err);
  if (rc == MW_OK && mw_file_is_netcdf(a->operand)) rc = mw_reach_reduced_read(a, j, err);
  double *p = mw_arena_f64(mem, (size_t)n);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < n; i++) p[i] = i / (n - 1.0);
  j->o =
      (mw_accessible){ mw_args_value(a, "path"),       &j->dynamics, &j->limits, &j->regions, NULL,
                       j->reduced ? &j->deflect : NULL };
  if (rc == MW_OK)
    rc = j->reduced ? mw_reach_reduced_find(j, n, p, n < LEAST ? LEAST : n, err)
                    : find(a, j, n, p, err);
  if (rc == MW_OK && out) rc = mw_accessible_write(&j->c.mech, &j->o, out, a->line, err);
  if (rc == MW_OK && picture) rc = mw_accessible_picture(&j->c.mech, &j->o, picture, err);
  return rc;
}

// Of a reduced model the options alone; the model that it was made from otherwise.
static mw_code open_case(const mw_args *a, job *j, mw_error *err)
{
  static const char *const elastic[] = { "deflect", "moving", "rise" };
  char model[1024];
  if (mw_file_is_netcdf(a->operand)) {
    mw_code rc = mw_cmd_model_of(a->operand, model, sizeof model, err);
    return rc == MW_OK ? mw_args_case(a, model, &j->c, NULL, err) : rc;
  }
  for (int i = 0; i < 3; i++)
    if (mw_args_value(a, elastic[i]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "found --%s with a model of rigid bodies, expected a reduced model: analyze "
                     "ROM.nc reach",
                     elastic[i]);
  return mw_args_case(a, a->operand, &j->c, NULL, err);
}

static int run(const mw_args *a)
{
  job j = { 0 };
  mw_error err = { 0 };
  mw_code rc = open_case(a, &j, &err);
  if (rc == MW_OK) rc = work(a, &j, &err);
  if (rc == MW_OK) (a->json ? print_json : print_text)(&j);
  if (j.reduced) mw_rom_file_free(&j.rom);
  mw_case_free(&j.c);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_topic mw_topic_reach = {
  .name = "reach",
  .summary = "speeds and accelerations that limits of drives leave along a path; of ROM.nc, too",
  .doc =
      "--path gives positions x, y, z of --tool, Cardan angles rx, ry, rz of its body (about x,\n"
      "the turned y, the twice turned z; with one of them all three, 0 where not named), or\n"
      "coordinates (of other names), as expressions of t from 0 to 1: a circle is\n"
      "--path 'x=0.9+0.5*cos(2*pi*t),y=0.3+0.5*sin(2*pi*t)', a line x=0.1+0.2*t. FILE.csv: a line\n"
      "of names, rows of numbers, cubic splines through them; a first column p, from 0 to 1, or\n"
      "rows evenly apart. --at is near where the path begins: of several positions that one is\n"
      "meant. How t, here called p, follows time is free: at each point the limits of --force\n"
      "(NUMBER, both ways, or LO:HI; 0 leaves a drive out) and --speed of drives leave a region\n"
      "of (p'^2, p''), a polygon. Drives may be more than freedoms. With dampers the polygon\n"
      "leaves their forces out, and limits of --power, driving and braking; the fastest p' and\n"
      "the traversal count both. Dry friction of coordinates (drive_friction) acts against the\n"
      "way of each as p rises, ranges at rest included, which are those of the slowest motion;\n"
      "none is counted on where a coordinate stands. Friction that goes with reactions,\n"
      "or begins at more than it goes on with, is refused. Limits that are not named are those\n"
      "that the reduction declares (max_input, max_rate). The fastest\n"
      "traversal from rest to rest is of 400 intervals or more, second order, but of first\n"
      "where coordinates turn back on the path (--points: more).\n"
      "ROM.nc: of a reduced model, whose runners and drives may be elastic, along positions and\n"
      "coordinates. --deflect bounds how far positions deflect under weight, inertia and forces\n"
      "of drives, of least norm, while nothing swings, by polygons within the bound (0.12 %; 5 %\n"
      "where dampers add directions); --moving: beside what they deflect at rest. The fastest\n"
      "traversal within the bounds is then run in time twice, with its accelerations as they jump\n"
      "and with each risen over --rise periods of the lowest frequency where the path is (1: such\n"
      "a mode stands still afterwards).\n\n"
      "--json: {\"name\", \"along\": [what the path says], \"freedoms\", \"viscous\", \"dry\",\n"
      "  \"slowest\": least of the largest p', 1/s,\n"
      "  \"slowest_at\": p, \"cannot_stand\": points, \"duration\": s, or \"no_traversal\": why,\n"
      "  \"points\": [{\"p\", \"fastest\": 1/s, -1: none, left out: no limit,\n"
      "  \"speed_limit\", \"brake\", \"start\": least and largest p'' at rest, 1/s2,\n"
      "  \"region\": [[p'^2, p'']] counter-clockwise, empty where it is open}]}, of ROM.nc\n"
      "  \"elastic\": {\"lowest_hz\", \"highest_hz\", \"duration_by_drives\": s, \"moves\":\n"
      "  [{\"rise\": periods, \"duration\": s, \"outputs\": {NAME: {\"bound\", \"largest\",\n"
      "  \"still\": largest of no swinging, \"residual\": at rest, all m}}, \"beyond\"}],\n"
      "  \"no_move\": why, \"points\": [{\"hz\", \"brake_by_drives\", \"start_by_drives\"}]}\n",
  .options = " path tool force speed power points at deflect moving rise output picture ",
  .reduced = true,
  .run = run,
};
