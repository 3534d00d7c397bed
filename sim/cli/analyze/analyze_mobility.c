// SPDX-License-Identifier: BSD-3-Clause
// analyze_mobility.c: modeway analyze MODEL mobility: freedoms, dependent rows, singular positions.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_layer.h"
#include "analyze_priv.h"

typedef struct job {
  mw_case c;
  mw_position at;
  unsigned char *held;  // [n_coord]
  mw_mobility o;
  mw_motion motion;
  const mw_motion *followed;  // &motion, or NULL
  mw_motion_opt along;
} job;

// ---- text ---------------------------------------------------------------------------------------

// Can the tangents of two motions be told apart by coordinates that have names?
static bool differ(const mw_mech *m, const double *tangent)
{
  double off = 0.0;
  for (int c = 0; c < m->n_coord; c++) off = fmax(off, fabs(tangent[c] - tangent[m->n_coord + c]));
  return off > 1e-6;
}

static void print_tangents(const mw_mech *m, int n, const double *tangent)
{
  for (int i = 0; i < n; i++) {
    printf("    rates");
    for (int c = 0; c < m->n_coord; c++)
      printf(" %s %.9g", mw_mech_coord_name(m, c), tangent[i * m->n_coord + c]);
    printf("\n");
  }
}

// Can the coordinate drive without an end?
static bool all_around(const mw_motion *o) { return o->closed && !o->lo_dead && !o->hi_dead; }

static void print_motion(const mw_mech *m, const job *j)
{
  const mw_motion *o = j->followed;
  int at = j->along.coord;
  const char *unit = mw_joint_unit(m->joint[m->coord_joint[at]].in);
  printf("\nalong %s: %d positions%s\n", mw_mech_coord_name(m, at), o->n,
         o->closed ? ", the motion is closed" : "");
  for (int i = 0; i < o->n_singular; i++) {
    const mw_singular *x = &o->singular[i];
    if (x->kind == MW_SINGULAR_LOCK)
      printf("  %s has a dead point (lock-up): ", mw_mech_coord_name(m, x->coord));
    else
      printf("  motions cross (bifurcation): ");
    mw_print_coordinates(m, x->s);
    printf("; ranks %d, %d, %d of Phi_q, [Phi_q nu], [Phi_q gamma]\n", x->rank[0], x->rank[1],
           x->rank[2]);
    print_tangents(m, x->n_tangent, x->tangent);
    if (x->kind == MW_SINGULAR_BIFURCATION && x->freedoms > 2)
      printf("    %d infinitesimal freedoms; tangents are enumerated of two alone\n", x->freedoms);
    if (x->n_tangent == 2 && !differ(m, x->tangent))
      printf("    these two are alike in all coordinates: give other joints a coordinate\n");
  }
  if (all_around(o))
    printf("  %s can drive all the way around\n", mw_mech_coord_name(m, at));
  else
    printf("  %s can drive from %.9g%s to %.9g%s %s\n", mw_mech_coord_name(m, at), o->lo,
           o->lo_dead ? " (singular)" : "", o->hi, o->hi_dead ? " (singular)" : "", unit);
}

static void print_text(const void *of)
{
  const job *j = of;
  const mw_mech *m = &j->c.mech;
  const mw_mobility *o = &j->o;
  printf("%s\n%d moving bodies, %d rows (%d elastic)\n", m->model->name, o->n_body, o->n_row,
         o->n_elastic);
  if (m->n_coord > 0) {
    printf("at ");
    mw_print_coordinates(m, j->at.s);
    printf("\n");
  }
  printf("  Gruebler's count         %4d\n", o->gruebler);
  printf("  infinitesimal mobility   %4d   rank %d, singular values counted down to %.2g, not "
         "from %.2g on\n",
         o->mobility, o->rank, o->above, o->below);
  printf("  finite mobility          %4d   %s\n", o->finite, mw_mobility_name(o->kind));
  printf("  dependent rows           %4d\n", o->dependent);
  printf("  hyperstatic degree       %4d\n", o->hyperstatic);
  print_tangents(m, o->mobility > 1 || o->kind != MW_MOBILITY_REGULAR ? o->n_tangent : 0,
                 o->tangent);
  for (int k = 0, any = 0; k < m->n_joint; k++) {
    if (o->joint[k] == 0) continue;
    if (any++ == 0) printf("\nrows that all other joints hold already\n");
    printf("  %-24s %d\n", m->joint[k].name, o->joint[k]);
  }
  if (j->followed) print_motion(m, j);
}

// ---- JSON ---------------------------------------------------------------------------------------

static void json_place(mw_json *o, const mw_mech *m, const char *key, const double *s)
{
  mw_json_object(o, key);
  for (int c = 0; c < m->n_coord; c++) mw_json_num(o, mw_mech_coord_name(m, c), s[c]);
  mw_json_end(o, '}');
}

static void json_tangents(mw_json *o, const mw_mech *m, int n, const double *tangent)
{
  mw_json_array(o, "tangents");
  for (int i = 0; i < n; i++) json_place(o, m, NULL, tangent + i * m->n_coord);
  mw_json_end(o, ']');
}

static void json_motion(mw_json *o, const mw_mech *m, const job *j)
{
  const mw_motion *f = j->followed;
  mw_json_object(o, "along");
  mw_json_str(o, "coordinate", mw_mech_coord_name(m, j->along.coord));
  mw_json_num(o, "positions", f->n);
  mw_json_bool(o, "closed", f->closed);
  mw_json_bool(o, "all_around", all_around(f));
  if (!all_around(f)) mw_json_num(o, "lo", f->lo);
  if (!all_around(f)) mw_json_num(o, "hi", f->hi);
  mw_json_bool(o, "lo_singular", f->lo_dead);
  mw_json_bool(o, "hi_singular", f->hi_dead);
  mw_json_array(o, "singular");
  for (int i = 0; i < f->n_singular; i++) {
    const mw_singular *x = &f->singular[i];
    mw_json_object(o, NULL);
    mw_json_str(o, "kind", mw_singular_name(x->kind));
    mw_json_str(o, "coordinate", mw_mech_coord_name(m, x->coord));
    json_place(o, m, "at", x->s);
    mw_json_num(o, "freedoms", x->freedoms);
    mw_json_array(o, "ranks");
    for (int k = 0; k < 3; k++) mw_json_num(o, NULL, x->rank[k]);
    mw_json_end(o, ']');
    json_tangents(o, m, x->n_tangent, x->tangent);
    mw_json_end(o, '}');
  }
  mw_json_end(o, ']');
  mw_json_end(o, '}');
}

static void print_json(const void *of)
{
  const job *j = of;
  const mw_mech *m = &j->c.mech;
  const mw_mobility *o = &j->o;
  mw_json w = { .f = stdout };
  mw_json_object(&w, NULL);
  mw_json_str(&w, "name", m->model->name);
  json_place(&w, m, "at", j->at.s);
  mw_json_num(&w, "moving_bodies", o->n_body);
  mw_json_num(&w, "rows", o->n_row);
  mw_json_num(&w, "elastic_rows", o->n_elastic);
  mw_json_num(&w, "gruebler", o->gruebler);
  mw_json_num(&w, "rank", o->rank);
  mw_json_num(&w, "mobility", o->mobility);
  mw_json_num(&w, "finite", o->finite);
  mw_json_str(&w, "kind", mw_mobility_name(o->kind));
  mw_json_num(&w, "dependent_rows", o->dependent);
  mw_json_num(&w, "hyperstatic", o->hyperstatic);
  mw_json_num(&w, "counted_from", o->above);
  mw_json_num(&w, "not_counted_from", o->below);
  mw_json_array(&w, "joints");
  for (int k = 0; k < m->n_joint; k++) {
    mw_json_object(&w, NULL);
    mw_json_str(&w, "name", m->joint[k].name);
    mw_json_num(&w, "held", o->joint[k]);
    mw_json_end(&w, '}');
  }
  mw_json_end(&w, ']');
  json_tangents(&w, m, o->n_tangent, o->tangent);
  if (j->followed) json_motion(&w, m, j);
  mw_json_end(&w, '}');
}

// ---- command ------------------------------------------------------------------------------------

// --range lo,hi; without it two turns, or ten times the mechanism's size, around the position.
static mw_code read_range(const mw_args *a, job *j, mw_error *err)
{
  const mw_mech *m = &j->c.mech;
  int c = j->along.coord;
  bool length = strcmp(mw_joint_unit(m->joint[m->coord_joint[c]].in), "m") == 0;
  double half = length ? 10.0 * mw_mech_size(m) : 4.0 * acos(-1.0);
  j->along.lo = j->at.s[c] - half;
  j->along.hi = j->at.s[c] + half;
  mw_code rc = mw_args_range(a, "range", &j->along.lo, &j->along.hi, err);
  if (rc != MW_OK || !mw_args_value(a, "range")) return rc;
  if (j->at.s[c] >= j->along.lo && j->at.s[c] <= j->along.hi) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--range: found %.80s, expected one around %s = %.9g, where the motion starts "
                 "(--at)",
                 mw_args_value(a, "range"), mw_mech_coord_name(m, c), j->at.s[c]);
}

static mw_code follow(const mw_args *a, job *j, mw_error *err)
{
  const mw_mech *m = &j->c.mech;
  const char *name = mw_args_value(a, "along");
  static const char *const belongs[] = { "range", "step" };
  for (int i = 0; i < 2; i++)
    if (!name && mw_args_value(a, belongs[i]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s belongs to --along COORDINATE",
                     belongs[i]);
  if (!name) return MW_OK;
  unsigned char *given = mw_arena_alloc(&j->c.mem, (size_t)m->n_coord, 1);
  mw_code rc = mw_arena_check(&j->c.mem, err);
  if (rc == MW_OK) rc = mw_args_coordinates(a, "along", m, given, NULL, err);
  int n = 0;
  for (int c = 0; rc == MW_OK && c < m->n_coord; c++)
    if (given[c]) j->along.coord = c, n++;
  if (rc == MW_OK && n != 1)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--along: found \"%.60s\", expected one coordinate",
                 name);
  if (rc == MW_OK) rc = read_range(a, j, err);
  if (rc == MW_OK) rc = mw_args_f64(a, "step", 1e-4, 0.2, &j->along.step, err);
  if (rc == MW_OK) rc = mw_motion_follow(m, &j->at, j->held, &j->along, &j->c.mem, &j->motion, err);
  if (rc == MW_OK) j->followed = &j->motion;
  return rc;
}

static mw_code work(const mw_args *a, void *of, mw_error *err)
{
  job *j = of;
  const mw_mech *m = &j->c.mech;
  const char *out = mw_args_value(a, "output"), *picture = mw_args_value(a, "picture");
  j->held = mw_arena_alloc(&j->c.mem, (size_t)m->n_coord, 1);
  mw_code rc = mw_arena_check(&j->c.mem, err);
  if (rc == MW_OK) rc = mw_args_position(a, m, &j->c.mem, &j->at, err);
  if (rc == MW_OK) rc = mw_args_coordinates(a, "hold", m, j->held, NULL, err);
  if (rc == MW_OK) rc = mw_mobility_find(m, &j->at, j->held, &j->c.mem, &j->o, err);
  if (rc == MW_OK) rc = follow(a, j, err);
  if (rc == MW_OK && out)
    rc = mw_mobility_write(m, &j->o, j->followed, j->along.coord, out, a->line, err);
  if (rc == MW_OK && picture)
    rc = mw_mobility_picture(m, &j->o, j->followed, j->along.coord, picture, err);
  return rc;
}

static int run(const mw_args *a)
{
  job j = { 0 };
  return mw_topic_run(a, &(mw_topic_work){ &j, &j.c, work, print_json, print_text });
}

const mw_topic mw_topic_mobility = {
  .name = "mobility",
  .summary = "freedoms counted, infinitesimal and finite; dependent rows; singular positions",
  .doc =
      "Gruebler's count is 6 a moving body less the rows of joints; the infinitesimal mobility\n"
      "takes their rank in its place, and the finite one is what remains of it in a motion of\n"
      "finite length: by second order, and by the rank beside the position. Springs hold\n"
      "nothing, elastic runners and bearings count as rigid, but not in the hyperstatic degree.\n"
      "Where rows depend on each other every joint is named whose rows the others hold.\n"
      "--along follows the motion of one freedom both ways, through dead points, in which a\n"
      "coordinate cannot drive, and straight on where motions cross; both are located.\n\n"
      "--json: {\"name\", \"at\": {COORDINATE: m or rad}, \"moving_bodies\", \"rows\",\n"
      "  \"elastic_rows\", \"gruebler\", \"rank\", \"mobility\", \"finite\", \"kind\": regular,\n"
      "  bifurcation or infinitesimal, \"dependent_rows\", \"hyperstatic\", \"counted_from\",\n"
      "  \"not_counted_from\": singular values over the largest, \"joints\": [{\"name\",\n"
      "  \"held\": rows that all others hold}], \"tangents\": [{COORDINATE: rate}] of motions\n"
      "  that go on (of three freedoms and more of those that stand alone),\n"
      "  \"along\": {\"coordinate\", \"positions\", \"closed\", \"all_around\", else\n"
      "  \"lo\", \"hi\": where it can drive, \"lo_singular\", \"hi_singular\",\n"
      "  \"singular\": [{\"kind\": lock-up or bifurcation, \"coordinate\", \"at\", \"freedoms\":\n"
      "  infinitesimal ones there, \"ranks\" of\n"
      "  Phi_q, [Phi_q nu], [Phi_q gamma], \"tangents\"}]}}\n",
  .options = " at hold along range step output picture ",
  .run = run,
};
