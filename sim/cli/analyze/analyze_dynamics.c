// SPDX-License-Identifier: BSD-3-Clause
// analyze_dynamics.c: modeway analyze MODEL dynamics: equations of motion in minimal coordinates.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_layer.h"
#include "analyze_priv.h"

typedef struct job {
  mw_case c;
  mw_position at;
  int tool;
  mw_minimal o;
  mw_over over;
  mw_minimal_map map;
  bool mapped;
  mw_sharing limits;  // of --force; lo NULL: none
} job;

// ---- text and JSON ------------------------------------------------------------------------------

static void print_matrix(const char *what, const char *const *row, int n, int m, const double *x)
{
  printf("%s\n", what);
  for (int i = 0; i < n; i++) {
    printf("  %-20.20s", row[i]);
    for (int k = 0; k < m; k++) printf(" %16.9g", x[i * m + k]);
    printf("\n");
  }
}

// The least and the largest of value over the work space, and where
static void print_extremes(const job *j, const char *what, const double *value)
{
  int lo = -1, hi = -1;
  for (int i = 0; i < j->map.n; i++) {
    if (!isfinite(value[i])) continue;
    if (lo < 0 || value[i] < value[lo]) lo = i;
    if (hi < 0 || value[i] > value[hi]) hi = i;
  }
  if (lo < 0) return;
  for (int e = 0; e < 2; e++) {
    double at[MW_OVER_AXES];
    int p = e == 0 ? lo : hi;
    mw_over_at(&j->over, p, at);
    printf("  %-32s %16.9g at", e == 0 ? what : "      at most", value[p]);
    for (int a = 0; a < j->over.n_axis; a++)
      printf(" %s = %.7g", mw_mech_coord_name(&j->c.mech, j->over.coord[a]), at[a]);
    printf("\n");
  }
}

static void print_map(const job *j)
{
  printf("over %d points, %d of them out of reach\n", j->map.n, j->map.n_missing);
  print_extremes(j, "least eigenvalue of M", j->map.least);
  print_extremes(j, "largest eigenvalue of M", j->map.most);
  if (j->tool < 0) return;
  printf("  the tool moves in %d directions, in fewer at %d points\n", j->map.n_direction,
         j->map.n_singular);
  print_extremes(j, "least inertia at the tool, kg", j->map.light);
  print_extremes(j, "largest inertia at the tool, kg", j->map.heavy);
  print_extremes(j, "condition of J", j->map.condition);
  print_extremes(j, "manipulability", j->map.manipulability);
  if (j->map.usable) print_extremes(j, "usable acceleration, m/s2", j->map.usable);
}

static void print_tool(const job *j)
{
  static const char *const axis[] = { "x", "y", "z" };
  const mw_minimal *o = &j->o;
  printf("tool %s at %.9g %.9g %.9g m, moves in %d directions\n", j->c.model.output[j->tool].name,
         o->x[0], o->x[1], o->x[2], o->n_direction);
  print_matrix("J", axis, 3, o->k, o->J);
  print_matrix("Lambda, kg", axis, 3, 3, o->Lambda);
  print_matrix("mu, N", axis, 3, 1, o->mu);
  printf("inertia of the tool from %.9g to %.9g kg\n", o->light, o->heavy);
}

static void print_text(const void *of)
{
  const job *j = of;
  const mw_minimal *o = &j->o;
  printf("%s\n%-22s %16s %16s %16s %16s\n", j->c.model.name, "coordinate", "at", "rate", "g", "d");
  for (int i = 0; i < o->k; i++)
    printf("  %-20.20s %16.9g %16.9g %16.9g %16.9g\n", o->name[i], o->z[i], o->rate[i], o->g[i],
           o->d[i]);
  print_matrix("M", o->name, o->k, o->k, o->M);
  print_matrix("C", o->name, o->k, o->k, o->C);
  printf("eigenvalues of M from %.9g to %.9g\n", o->least, o->most);
  printf("dM/dt - 2 C is skew to %.2g of the larger of them; estimated error of dM %.2g of M\n",
         o->skew, o->error);
  if (j->tool >= 0) print_tool(j);
  if (j->mapped) print_map(j);
}

static void json_matrix(mw_json *w, const char *key, int n, int m, const double *x)
{
  mw_json_array(w, key);
  for (int i = 0; i < n; i++) {
    mw_json_array(w, NULL);
    for (int k = 0; k < m; k++) mw_json_num(w, NULL, x[i * m + k]);
    mw_json_end(w, ']');
  }
  mw_json_end(w, ']');
}

static void json_numbers(mw_json *w, const char *key, int n, const double *x)
{
  mw_json_array(w, key);
  for (int i = 0; i < n; i++) mw_json_num(w, NULL, x[i]);
  mw_json_end(w, ']');
}

static void json_tool(mw_json *w, const job *j)
{
  const mw_minimal *o = &j->o;
  mw_json_object(w, "tool");
  mw_json_str(w, "name", j->c.model.output[j->tool].name);
  json_numbers(w, "at", 3, o->x);
  json_numbers(w, "velocity", 3, o->v);
  json_matrix(w, "J", 3, o->k, o->J);
  json_matrix(w, "W", 3, 3, o->W);
  json_matrix(w, "Lambda", 3, 3, o->Lambda);
  json_numbers(w, "mu", 3, o->mu);
  mw_json_num(w, "directions", o->n_direction);
  mw_json_num(w, "light", o->light);
  mw_json_num(w, "heavy", o->heavy);
  mw_json_end(w, '}');
}

static void json_map(mw_json *w, const job *j)
{
  const mw_minimal_map *o = &j->map;
  const struct {
    const char *name;
    const double *x;
  } part[] = { { "least", o->least },         { "most", o->most },
               { "light", o->light },         { "heavy", o->heavy },
               { "condition", o->condition }, { "manipulability", o->manipulability } };
  mw_json_object(w, "over");
  mw_json_num(w, "points", o->n);
  mw_json_num(w, "out_of_reach", o->n_missing);
  if (j->tool >= 0) mw_json_num(w, "directions", o->n_direction);
  if (j->tool >= 0) mw_json_num(w, "singular", o->n_singular);
  for (int i = 0; i < (j->tool >= 0 ? 6 : 2); i++) json_numbers(w, part[i].name, o->n, part[i].x);
  if (o->usable) json_numbers(w, "usable", o->n, o->usable);
  mw_json_end(w, '}');
}

static void print_json(const void *of)
{
  const job *j = of;
  const mw_minimal *o = &j->o;
  mw_json w = { .f = stdout };
  mw_json_object(&w, NULL);
  mw_json_str(&w, "name", j->c.model.name);
  mw_json_array(&w, "coordinates");
  for (int i = 0; i < o->k; i++) mw_json_str(&w, NULL, o->name[i]);
  mw_json_end(&w, ']');
  json_numbers(&w, "at", o->k, o->z);
  json_numbers(&w, "rate", o->k, o->rate);
  json_matrix(&w, "M", o->k, o->k, o->M);
  json_matrix(&w, "C", o->k, o->k, o->C);
  json_numbers(&w, "g", o->k, o->g);
  json_numbers(&w, "d", o->k, o->d);
  mw_json_num(&w, "least", o->least);
  mw_json_num(&w, "most", o->most);
  mw_json_num(&w, "skew", o->skew);
  mw_json_num(&w, "estimated_error", o->error);
  if (j->tool >= 0) json_tool(&w, j);
  if (j->mapped) json_map(&w, j);
  mw_json_end(&w, '}');
}

// ---- command ------------------------------------------------------------------------------------

// One NAME=LO:HI:POINTS of text into axis a; *rest: behind it, NULL: it is none.
static const char *read_axis(const mw_mech *m, const char *text, mw_over *o)
{
  size_t len = strcspn(text, "=,");
  char name[128];
  int a = o->n_axis, used = -1;
  snprintf(name, sizeof name, "%.*s", (int)len, text);
  if (a == MW_OVER_AXES || len >= sizeof name || text[len] != '=') return NULL;
  o->coord[a] = mw_mech_coord(m, name);
  for (int b = 0; b < a; b++)
    if (o->coord[b] == o->coord[a]) return NULL;
  const char *p = text + len + 1;
  if (o->coord[a] < 0 || sscanf(p, "%lf:%lf:%d%n", &o->lo[a], &o->hi[a], &o->n[a], &used) != 3 ||
      used < 0)
    return NULL;
  if (!isfinite(o->hi[a] - o->lo[a]) || !(o->lo[a] < o->hi[a]) || o->n[a] < 2 || o->n[a] > 10000)
    return NULL;
  o->n_axis++;
  return p + used;
}

static mw_code read_over(const mw_args *a, job *j, mw_error *err)
{
  enum { MOST = 1000000 };
  const char *text = mw_args_value(a, "over"), *p = text;
  double points = 1.0;
  while (p && *p) {
    const char *end = read_axis(&j->c.mech, p, &j->over);
    if (!end || (*end != ',' && *end != '\0'))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--over: found \"%.60s\", expected COORDINATE=LO:HI:POINTS, at most %d of "
                     "them, none twice",
                     p, MW_OVER_AXES);
    points *= j->over.n[j->over.n_axis - 1];
    p = *end == ',' ? end + 1 : end;
  }
  if (points > MOST)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--over: found %.0f points, expected at most %d",
                   points, MOST);
  j->mapped = text && j->over.n_axis > 0;
  return MW_OK;
}

static mw_code read_state(const mw_args *a, job *j, mw_linearize_at *at, mw_error *err)
{
  const mw_mech *m = &j->c.mech;
  mw_arena *mem = &j->c.mem;
  size_t nc = (size_t)m->n_coord;
  unsigned char *held = mw_arena_alloc(mem, nc, 1), *named = mw_arena_alloc(mem, nc, 1),
                *moved = mw_arena_alloc(mem, nc, 1);
  double *rate = mw_arena_f64(mem, nc), *value = mw_arena_f64(mem, nc);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_args_position(a, m, mem, &j->at, err);
  if (rc == MW_OK) rc = mw_args_coordinates(a, "hold", m, held, NULL, err);
  if (rc == MW_OK) rc = mw_args_coordinates(a, "rate", m, moved, rate, err);
  if (rc == MW_OK) rc = mw_args_coordinates(a, "at", m, named, value, err);
  for (size_t c = 0; rc == MW_OK && c < nc; c++) named[c] = named[c] || moved[c];
  *at = (mw_linearize_at){ .position = &j->at, .held = held, .named = named, .rate = rate };
  return rc;
}

static mw_code write_all(const mw_args *a, job *j, mw_error *err)
{
  const char *out = mw_args_value(a, "output"), *picture = mw_args_value(a, "picture");
  const mw_minimal_map *map = j->mapped ? &j->map : NULL;
  mw_code rc = MW_OK;
  if (out) rc = mw_minimal_write(&j->c.mech, &j->o, &j->over, map, out, a->line, err);
  if (rc == MW_OK && picture && (!map || j->over.n_axis > 2))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--picture: found %d coordinates of --over, expected one or two", j->over.n_axis);
  if (rc == MW_OK && picture) rc = mw_minimal_picture(&j->c.mech, &j->over, map, picture, err);
  return rc;
}

static mw_code read_limits(const mw_args *a, job *j, mw_error *err)
{
  const mw_model *m = &j->c.model;
  if (!mw_args_value(a, "force")) return MW_OK;
  if (!j->mapped || j->tool < 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--force belongs to --over and a tool: limits say what acceleration is usable");
  double *lo = mw_arena_f64(&j->c.mem, (size_t)m->n_drive),
         *hi = mw_arena_f64(&j->c.mem, (size_t)m->n_drive);
  j->limits.lo = lo;
  j->limits.hi = hi;
  mw_code rc = mw_arena_check(&j->c.mem, err);
  return rc == MW_OK ? mw_args_limits(a, "force", m, lo, hi, err) : rc;
}

static mw_code work(const mw_args *a, void *of, mw_error *err)
{
  job *j = of;
  mw_linearize_at at;
  mw_code rc = read_over(a, j, err);
  if (rc == MW_OK) rc = read_state(a, j, &at, err);
  if (rc == MW_OK) rc = mw_tool_output(&j->c.mech, mw_args_value(a, "tool"), &j->tool, err);
  if (rc == MW_OK) rc = mw_minimal_find(&j->c.mech, &at, j->tool, &j->c.mem, &j->o, err);
  if (rc == MW_OK) rc = read_limits(a, j, err);
  if (rc == MW_OK && j->mapped)
    rc = mw_minimal_map_find(&j->c.mech, &at, j->tool, &j->over, j->limits.lo ? &j->limits : NULL,
                             &j->c.mem, &j->map, err);
  return rc == MW_OK ? write_all(a, j, err) : rc;
}

static int run(const mw_args *a)
{
  job j = { .tool = -1 };
  return mw_topic_run(a, &(mw_topic_work){ &j, &j.c, work, print_json, print_text });
}

const mw_topic mw_topic_dynamics = {
  .name = "dynamics",
  .summary = "M, C, g in minimal coordinates, inertia at a tool; bounds over a work space",
  .doc =
      "M z'' + C z' + d + g = Q of the rigid mechanism at --at and --rate: z are joint\n"
      "coordinates as far as these are independent, those of --at first, rotors of drives, and\n"
      "directions of what no coordinate says; Q are forces of drives. C is of Christoffel\n"
      "symbols, g is of weight, springs and forces at rest, d of dampers. That dM/dt - 2 C is\n"
      "skew is checked with a derivative of M of its own. At --tool\n"
      "Lambda x'' + mu = F, Lambda = (J M^-1 J^T)^-1 on directions in which the tool moves.\n"
      "--over gives bounds of the eigenvalues of M and Lambda over a work space, condition and\n"
      "manipulability (largest over least singular value of J, their product); positions in\n"
      "which the joints do not close are counted. With limits of --force (NUMBER, both ways, or\n"
      "LO:HI; 0 where not named) the largest acceleration at rest that drives give the tool in\n"
      "every direction it moves in anywhere, other freedoms accelerating as they may.\n\n"
      "--json: {\"name\", \"coordinates\", \"at\", \"rate\", \"M\", \"C\": rows, \"g\", \"d\",\n"
      "  \"least\", \"most\": eigenvalues of M, \"skew\": what is left, \"estimated_error\",\n"
      "  \"tool\": {\"name\", \"at\", \"velocity\", \"J\", \"W\": 1/kg, \"Lambda\": kg,\n"
      "  \"mu\": N, \"directions\", \"light\", \"heavy\": kg}, \"over\": {\"points\",\n"
      "  \"out_of_reach\", \"directions\": of the tool, \"singular\": points with fewer,\n"
      "  \"least\", \"most\", \"light\", \"heavy\", \"condition\", \"manipulability\",\n"
      "  \"usable\": m/s2, a number a point, the last coordinate fastest}}\n",
  .options = " at rate hold tool over force output picture ",
  .run = run,
};
