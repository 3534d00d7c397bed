// SPDX-License-Identifier: BSD-3-Clause
// model_joint.c: joints and springs, and the references to bodies and frames they are made of.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cubic.h"
#include "base/vec3.h"
#include "fem/joint.h"
#include "model_layer.h"

static const double CLOSED = 1e-6;      // rad, what the reference configuration may leave open
static const double COINCIDENT = 1e-9;  // of a curve's size: points closer together are the same

// ---- references ---------------------------------------------------------------------------------

// "unknown <kind>", with a suggestion, or the first names there are.
static mw_code unknown(const mw_reader *rd, mw_at at, const char *kind, const char *name,
                       const void *objects, int n, size_t size)
{
  const char *p = objects;
  char some[200] = "";
  size_t used = 0;
  mw_suggest g = mw_suggest_init(name);
  for (int i = 0; i < n; i++) {
    const char *const *own = (const char *const *)(const void *)(p + (size_t)i * size);
    mw_suggest_add(&g, *own);
    size_t len = strlen(*own);
    if (used + len + 3 > sizeof some) continue;
    memcpy(some + used, used ? ", " : "", used ? 2 : 0);
    used += used ? 2 : 0;
    memcpy(some + used, *own, len + 1);
    used += len;
  }
  if (g.best)
    return mw_fail(rd->err, MW_ERR_INPUT, at, "unknown %s \"%.64s\", did you mean \"%.64s\"?", kind,
                   name, g.best);
  if (n == 0)
    return mw_fail(rd->err, MW_ERR_INPUT, at, "unknown %s \"%.64s\", there is none", kind, name);
  return mw_fail(rd->err, MW_ERR_INPUT, at, "unknown %s \"%.64s\", expected one of: %s", kind, name,
                 some);
}

mw_code mw_name_read(const mw_reader *rd, const mw_ynode *node, const char *kind,
                     const void *objects, int n, size_t size, int *out)
{
  int index = mw_name_find(rd->names, objects, n, size, node->text);
  if (index < 0) return unknown(rd, node->at, kind, node->text, objects, n, size);
  *out = index;
  return MW_OK;
}

// The body that is named, *tail NULL, or the one before the last dot and the text behind it.
static mw_code read_body_part(const mw_reader *rd, const mw_ynode *node, int *body,
                              const char **tail)
{
  const mw_model *m = rd->m;
  const char *dot = strrchr(node->text, '.');
  size_t n = dot ? (size_t)(dot - node->text) : strlen(node->text);
  *tail = NULL;
  *body = dot ? mw_name_find(rd->names, m->body, m->n_body, sizeof *m->body, node->text) : -1;
  if (*body >= 0) return MW_OK;
  char *name = malloc(n + 1);
  if (!name) return mw_fail(rd->err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  memcpy(name, node->text, n);
  name[n] = '\0';
  mw_code rc = MW_OK;
  *body = mw_name_find(rd->names, m->body, m->n_body, sizeof *m->body, name);
  *tail = dot ? dot + 1 : NULL;
  if (*body < 0) rc = unknown(rd, node->at, "body", name, m->body, m->n_body, sizeof *m->body);
  free(name);
  return rc;
}

mw_code mw_ref_read(mw_reader *rd, const mw_ynode *node, mw_ref *out)
{
  const char *tail = NULL;
  mw_ref ref = { .at = node->at, .body = 0, .attach = -1 };
  mw_code rc = read_body_part(rd, node, &ref.body, &tail);
  if (rc != MW_OK) return rc;
  const mw_body_in *b = &rd->m->body[ref.body];
  if (!tail && !b->rigid)
    return mw_fail(rd->err, MW_ERR_INPUT, node->at,
                   "body %.64s is elastic: found no frame of it, expected %.64s.frame", b->name,
                   b->name);
  if (tail) {
    ref.attach = mw_name_find(rd->names, b->attach, b->n_attach, sizeof *b->attach, tail);
    if (ref.attach < 0)
      return unknown(rd, node->at, "frame", tail, b->attach, b->n_attach, sizeof *b->attach);
  }
  *out = ref;
  return MW_OK;
}

const char *mw_joint_coord_name(const mw_joint_in *j)
{
  return j->coordinate ? j->coordinate : j->kind == MW_JOINT_SLIDE ? j->name : NULL;
}

mw_code mw_coord_read(const mw_reader *rd, const mw_ynode *node, int *joint)
{
  int k = -1;
  mw_code rc = mw_name_read(rd, node, "coordinate", rd->coord, rd->n_coord, sizeof *rd->coord, &k);
  if (rc == MW_OK) *joint = rd->coord[k].joint;
  return rc;
}

// ---- joints -------------------------------------------------------------------------------------

// One number for both, or a list of two.
static void read_two(const mw_ynode *v, double out[2])
{
  if (v->kind == MW_Y_LIST)
    mw_y_vec(v, 2, out);
  else
    out[0] = out[1] = v->num;
}

static void read_runner(const mw_ynode *e, mw_runner *r)
{
  *r = (mw_runner){ .at = e->at, .offset = mw_y_num(e, "offset"), .length = mw_y_num(e, "length") };
  mw_y_vec(mw_y_find(e, "shift"), 3, r->shift);
  for (const mw_ynode *d = mw_y_find(e, "directions")->first; d; d = d->next)
    r->dir[strcmp(d->text, "n2") == 0] = true;
  read_two(mw_y_find(e, "stiffness"), r->stiffness);
  read_two(mw_y_find(e, "damping"), r->damping);
}

static mw_code read_slide(mw_reader *rd, const mw_ynode *v, mw_joint_in *j)
{
  const mw_ynode *guide = mw_y_find(v, "guide"), *runners = mw_y_find(v, "runners");
  const char *tail = NULL;
  j->a = (mw_ref){ .at = guide->at, .body = 0, .attach = -1 };
  mw_code rc = read_body_part(rd, guide, &j->a.body, &tail);
  if (rc != MW_OK) return rc;
  const mw_body_in *b = &rd->m->body[j->a.body];
  if (!tail)
    return mw_fail(rd->err, MW_ERR_INPUT, guide->at,
                   "guide: found the body \"%.64s\", expected body.guide", b->name);
  j->guide = mw_name_find(rd->names, b->guide, b->n_guide, sizeof *b->guide, tail);
  if (j->guide < 0)
    return unknown(rd, guide->at, "guide", tail, b->guide, b->n_guide, sizeof *b->guide);
  rc = mw_ref_read(rd, mw_y_find(v, "on"), &j->b);
  if (rc != MW_OK) return rc;
  j->tangent = strcmp(mw_y_find(v, "orientation")->text, "tangent") == 0;
  j->lock_rotation = j->tangent || strcmp(mw_y_find(v, "orientation")->text, "fixed") == 0;
  j->n_runner = runners ? runners->n : 1;
  rc = MW_NEW(rd, j->runner, j->n_runner);
  if (rc != MW_OK) return rc;
  if (!runners)
    j->runner[0] =
        (mw_runner){ .at = j->at, .dir = { true, true }, .stiffness = { INFINITY, INFINITY } };
  int i = 0;
  for (const mw_ynode *e = runners ? runners->first : NULL; e; e = e->next)
    read_runner(e, &j->runner[i++]);
  return MW_OK;
}

static mw_code read_curve(mw_reader *rd, const mw_ynode *v, mw_joint_in *j)
{
  const mw_ynode *points = mw_y_find(v, "points");
  double size = 0.0;
  j->closed = mw_y_num(v, "closed") > 0.0;
  j->n_curve = points->n;
  mw_code rc = MW_NEW(rd, j->curve, 3 * points->n);
  if (rc != MW_OK) return rc;
  double *x = j->curve;
  for (const mw_ynode *e = points->first; e; e = e->next, x += 3) {
    mw_y_vec(e, 3, x);
    for (int i = 0; i < 3; i++) size = fmax(size, fabs(x[i] - j->curve[i]));
  }
  const double *last = x - 3;
  x = j->curve;
  for (const mw_ynode *e = points->first; e; e = e->next, x += 3) {
    const double *before = x > j->curve ? x - 3 : last;
    double d[3] = { x[0] - before[0], x[1] - before[1], x[2] - before[2] };
    if ((x == j->curve && !j->closed) || mw_norm3(d) > COINCIDENT * size) continue;
    return mw_fail(rd->err, MW_ERR_INPUT, e->at,
                   "joint %.64s: point [%g, %g, %g] repeats the one before%s, expected another",
                   j->name, x[0], x[1], x[2], x == j->curve ? " (the last, closed: true)" : "");
  }
  return MW_OK;
}

// Of wheels and racks.
static mw_code read_teeth(const mw_reader *rd, const mw_ynode *v, mw_joint_in *j)
{
  const mw_ynode *teeth = mw_y_find(v, "teeth");
  j->pressure_angle = mw_y_num(v, "pressure_angle");
  j->helix = mw_y_num(v, "helix");
  j->moment_below = strcmp(mw_y_find(v, "moment")->text, "negative") == 0;
  if (!teeth) return MW_OK;
  int *z = j->teeth;
  z[0] = (int)teeth->first->num;
  z[1] = (int)teeth->first->next->num;
  if (z[0] != 0 && z[1] != 0 && z[0] + z[1] != 0 && (z[0] > 0 || z[1] > 0)) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, teeth->at,
                 "joint %.64s: found wheels of %d and %d teeth, expected other numbers than 0, at "
                 "most one below 0 (an internal ring), and not as many on both then",
                 j->name, z[0], z[1]);
}

static mw_code read_pair(mw_reader *rd, const mw_ynode *v, mw_joint_in *j)
{
  const mw_ynode *pitch = mw_y_find(v, "pitch");
  mw_code rc = mw_ref_read(rd, mw_y_find(v, "a"), &j->a);
  if (rc == MW_OK) rc = mw_ref_read(rd, mw_y_find(v, "b"), &j->b);
  if (rc == MW_OK) rc = mw_axes_read(rd, v, j);
  if (rc == MW_OK && j->kind == MW_JOINT_CURVE) rc = read_curve(rd, v, j);
  if (rc == MW_OK && j->kind == MW_JOINT_PRIMITIVES) rc = mw_hold_read(rd, v, j);
  if (rc == MW_OK && (j->kind == MW_JOINT_WHEELS || j->kind == MW_JOINT_RACK))
    rc = read_teeth(rd, v, j);
  j->pitch = mw_y_num(v, "pitch");
  j->length = mw_y_num(v, "length");
  j->radius = mw_y_num(v, "radius");
  if (rc == MW_OK && pitch && j->pitch == 0.0)
    rc = mw_fail(rd->err, MW_ERR_INPUT, pitch->at,
                 "joint %.64s: pitch is 0 m, expected a travel a turn above or below 0", j->name);
  return rc;
}

static mw_code check_pair(const mw_reader *rd, const mw_joint_in *j)
{
  const mw_body_in *a = &rd->m->body[j->a.body], *b = &rd->m->body[j->b.body];
  if (j->a.body == j->b.body && j->kind == MW_JOINT_SLIDE)
    return mw_fail(rd->err, MW_ERR_INPUT, j->b.at,
                   "slide %.64s: body %.64s is on its own guide, expected another body", j->name,
                   a->name);
  if (j->a.body == j->b.body)
    return mw_fail(rd->err, MW_ERR_INPUT, j->b.at,
                   "%.64s: both frames are on body %.64s, expected two bodies", j->name, a->name);
  if (a->ground && a->rigid && b->ground && b->rigid)
    return mw_fail(rd->err, MW_ERR_INPUT, j->b.at,
                   "%.64s: bodies %.64s and %.64s never move, expected one that does", j->name,
                   a->name, b->name);
  return MW_OK;
}

static void part_across(const double axis[3], const double x[3], double out[3])
{
  double along = mw_dot3(axis, x) / mw_dot3(axis, axis);
  for (int i = 0; i < 3; i++) out[i] = x[i] - along * axis[i];
}

// Cosine of the angle between the axes in the reference configuration, and its sine.
static double axes_cosine(const mw_model *m, const mw_joint_in *j, const double u_a[3],
                          const double u_b[3], double *sine)
{
  double u[3], w[3], c[3];
  mw_mul33v(m->body[j->a.body].axes, u_a, u);
  mw_mul33v(m->body[j->b.body].axes, u_b, w);
  mw_cross3(u, w, c);
  double n = mw_norm3(u) * mw_norm3(w);
  *sine = mw_norm3(c) / n;
  return mw_dot3(u, w) / n;
}

// Axes of a and b agree in the reference configuration; those of universal are perpendicular, that
// of a rolling disk is not normal to its plane.
static mw_code check_reference(const mw_reader *rd, const mw_ynode *v, const mw_joint_in *j)
{
  const mw_model *m = rd->m;
  if (m->assemble || !j->has_axis_b) return MW_OK;
  const mw_ynode *e = mw_y_find(v, j->kind == MW_JOINT_PLANAR ? "normal_b" : "axis_b");
  double sine, cosine = axes_cosine(m, j, j->axis, j->axis_b, &sine);
  if (j->kind == MW_JOINT_UNIVERSAL && fabs(cosine) > CLOSED)
    return mw_fail(
        rd->err, MW_ERR_INPUT, e->at,
        "joint %.64s: its axes have a cosine of %.3g in the reference configuration, expected "
        "them perpendicular",
        j->name, cosine);
  if (j->kind == MW_JOINT_UNIVERSAL) return MW_OK;
  if (j->kind == MW_JOINT_ROLLING && sine > MW_PARALLEL) return MW_OK;
  if (j->kind == MW_JOINT_ROLLING)
    return mw_fail(rd->err, MW_ERR_INPUT, e->at,
                   "joint %.64s: the disk lies on its plane, expected it to stand or lean",
                   j->name);
  if (cosine < 0.0 || sine > CLOSED)
    return mw_fail(
        rd->err, MW_ERR_INPUT, e->at,
        "joint %.64s: its axes differ by %.3g rad in the reference configuration, expected them "
        "to agree",
        j->name, atan2(sine, cosine));
  if (j->kind != MW_JOINT_PRISMATIC || !j->has_zero) return MW_OK;
  double across[3], across_b[3];
  part_across(j->axis, j->zero, across);
  part_across(j->axis_b, j->zero_b, across_b);
  cosine = axes_cosine(m, j, across, across_b, &sine);
  if (cosine > 0.0 && sine <= CLOSED) return MW_OK;
  return mw_fail(
      rd->err, MW_ERR_INPUT, mw_y_find(v, "zero_b")->at,
      "joint %.64s: zero and zero_b differ by %.3g rad in the reference configuration, expected "
      "them to agree",
      j->name, atan2(sine, cosine));
}

// ---- coordinates of joints ----------------------------------------------------------------------

static const char *const MEASURES[] = { "", "travel", "angle", "second" };

static mw_code read_measure(mw_reader *rd, const mw_ynode *e, mw_joint_in *j)
{
  const mw_measure *measure = mw_joint_class_of(j)->measure;
  const mw_ynode *word = mw_y_find(e, "measure");
  j->measure = measure[0];
  if (!word) return MW_OK;
  for (int k = 0; k < 2; k++)
    if (measure[k] != MW_MEASURE_NONE && strcmp(word->text, MEASURES[measure[k]]) == 0) {
      j->measure = measure[k];
      return MW_OK;
    }
  return mw_fail(rd->err, MW_ERR_INPUT, word->at, "joint %.64s: found %s with %s, expected %s%s%s",
                 j->name, word->text, mw_joint_key(j->kind), MEASURES[measure[0]],
                 measure[1] ? " or " : "", MEASURES[measure[1]]);
}

static mw_code read_limits(mw_reader *rd, const mw_ynode *e, mw_joint_in *j)
{
  const mw_ynode *limits = mw_y_find(e, "limits"), *start = mw_y_find(e, "start");
  if (!limits) return MW_OK;
  j->has_limits = true;
  mw_y_vec(limits, 2, j->limits);
  double lo = j->limits[0], hi = j->limits[1];
  if (!(lo < hi))
    return mw_fail(rd->err, MW_ERR_INPUT, limits->at,
                   "limits of joint %.64s are [%g, %g], expected the lowest value first", j->name,
                   lo, hi);
  if (start->given && !j->has_axis_b && (j->start < lo || j->start > hi))
    return mw_fail(rd->err, MW_ERR_INPUT, start->at,
                   "start of joint %.64s is %g, expected it within its limits [%g, %g]", j->name,
                   j->start, lo, hi);
  return MW_OK;
}

static mw_code read_friction(mw_reader *rd, const mw_ynode *e, mw_joint_in *j)
{
  const mw_ynode *v = mw_y_find(e, "friction"), *rest = mw_y_find(v, "static"),
                 *radius = mw_y_find(v, "radius");
  if (!v) return MW_OK;
  double mu = mw_y_num(v, "coulomb");
  j->friction = (mw_friction_in){ .present = true,
                                  .at = v->key->at,
                                  .mu = mu,
                                  .mu_static = rest ? rest->num : mu,
                                  .v_stribeck = mw_y_num(v, "stribeck"),
                                  .v_smooth = mw_y_num(v, "smooth"),
                                  .radius = radius->num,
                                  .preload = mw_y_num(v, "preload") };
  if (j->friction.mu_static < mu)
    return mw_fail(rd->err, MW_ERR_INPUT, rest->at,
                   "friction of joint %.64s: static is %g, expected at least coulomb, %g", j->name,
                   rest->num, mu);
  if (radius->given && j->measure == MW_MEASURE_TRAVEL)
    return mw_fail(
        rd->err, MW_ERR_INPUT, radius->key->at,
        "friction of joint %.64s: found radius on a travel, expected it only on an angle", j->name);
  return MW_OK;
}

// Names the joints that have a coordinate.
static mw_code needs_coordinate(const mw_reader *rd, mw_at at, const char *key,
                                const mw_joint_in *j)
{
  char those[200] = "";
  size_t n = 0;
  for (int k = 0; k < MW_JOINT_SPRING; k++)
    if (mw_joint_classes[k]->measure[0] != MW_MEASURE_NONE && n < sizeof those)
      n += (size_t)snprintf(those + n, sizeof those - n, "%s%s", n > 0 ? ", " : "",
                            mw_joint_key((mw_joint_kind)k));
  return mw_fail(rd->err, MW_ERR_INPUT, at, "joint %.64s: found %s, expected it only with %s",
                 j->name, key, those);
}

// Keys of a joint that need a coordinate.
static mw_code check_needs(const mw_reader *rd, const mw_ynode *e, const mw_joint_in *j)
{
  static const char *const needs[] = { "coordinate", "start",  "drive",    "damping",
                                       "measure",    "limits", "friction", "drive_friction",
                                       "stops",      "play",   NULL };
  bool slides = j->kind == MW_JOINT_SLIDE, follows = slides || j->kind == MW_JOINT_CURVE;
  for (int k = 0; needs[k]; k++) {
    if (!mw_y_given(e, needs[k])) continue;
    mw_at at = mw_y_find(e, needs[k])->key->at;
    if (mw_joint_class_of(j)->measure[0] == MW_MEASURE_NONE)
      return needs_coordinate(rd, at, needs[k], j);
    if (!slides && !j->coordinate)
      return mw_fail(rd->err, MW_ERR_INPUT, at,
                     "joint %.64s: found %s without coordinate, expected a name for it", j->name,
                     needs[k]);
    if (follows && k == 1)
      return mw_fail(
          rd->err, MW_ERR_INPUT, at,
          "joint %.64s: found start on a %s, expected none (it follows from the bodies' positions)",
          j->name, mw_joint_key(j->kind));
  }
  return MW_OK;
}

static mw_code read_coordinate(mw_reader *rd, const mw_ynode *e, mw_joint_in *j)
{
  const mw_ynode *c = mw_y_find(e, "coordinate");
  if (c) j->coordinate = mw_read_str(rd, c->text);
  j->coordinate_damping = mw_y_num(e, "damping");
  j->start = mw_y_num(e, "start");
  mw_code rc = mw_arena_check(rd->mem, rd->err);
  if (rc == MW_OK) rc = check_needs(rd, e, j);
  const char *name = mw_joint_coord_name(j);
  if (rc != MW_OK || !name) return rc;
  int other = mw_name_find(rd->names, rd->coord, rd->n_coord, sizeof *rd->coord, name);
  if (other >= 0)
    return mw_fail(rd->err, MW_ERR_INPUT, c ? c->at : j->at,
                   "duplicate coordinate \"%.64s\", already the coordinate of joint %.64s", name,
                   rd->m->joint[rd->coord[other].joint].name);
  rd->coord[rd->n_coord++] = (mw_coord_name){ name, (int)(j - rd->m->joint) };
  rc = read_measure(rd, e, j);
  if (rc == MW_OK) rc = read_limits(rd, e, j);
  if (rc == MW_OK) rc = read_friction(rd, e, j);
  if (rc == MW_OK) rc = mw_law_read(rd, e, j);
  return rc;
}

static mw_code read_joint(mw_reader *rd, const mw_ynode *e, mw_joint_in *j)
{
  int kind = 0;
  while (kind < MW_JOINT_SPRING - 1 && !mw_y_given(e, mw_joint_key((mw_joint_kind)kind))) kind++;
  const mw_ynode *v = mw_y_find(e, mw_joint_key((mw_joint_kind)kind));
  *j = (mw_joint_in){ .name = mw_read_str(rd, e->key->text),
                      .at = e->key->at,
                      .kind = (mw_joint_kind)kind,
                      .guide = -1,
                      .gear = { -1, -1 } };
  mw_code rc = mw_arena_check(rd->mem, rd->err);
  if (rc == MW_OK && j->kind == MW_JOINT_SLIDE) rc = read_slide(rd, v, j);
  // a gear's coordinates are known when all joints are
  if (j->kind != MW_JOINT_SLIDE && j->kind != MW_JOINT_GEAR) {
    if (rc == MW_OK) rc = read_pair(rd, v, j);
    if (rc == MW_OK) rc = check_reference(rd, v, j);
  }
  if (rc == MW_OK && j->kind != MW_JOINT_GEAR) rc = check_pair(rd, j);
  if (rc == MW_OK) rc = read_coordinate(rd, e, j);
  if (rc == MW_OK && j->kind == MW_JOINT_PRIMITIVES) rc = mw_hold_check(rd, e, j);
  return rc;
}

// A gear stands between the bodies of its first joint.
static mw_code read_gear(const mw_reader *rd, const mw_ynode *v, mw_joint_in *j)
{
  const mw_ynode *second = mw_y_find(v, "second"), *ratio = mw_y_find(v, "ratio");
  mw_code rc = mw_coord_read(rd, mw_y_find(v, "first"), &j->gear[0]);
  if (rc == MW_OK) rc = mw_coord_read(rd, second, &j->gear[1]);
  if (rc != MW_OK) return rc;
  j->ratio = ratio->num;
  j->a = rd->m->joint[j->gear[0]].a;
  j->b = rd->m->joint[j->gear[0]].b;
  if (j->gear[0] == j->gear[1])
    return mw_fail(rd->err, MW_ERR_INPUT, second->at,
                   "gear %.64s: first and second are both %.64s, expected two coordinates", j->name,
                   second->text);
  if (j->ratio == 0.0)
    return mw_fail(rd->err, MW_ERR_INPUT, ratio->at,
                   "gear %.64s: ratio is 0, expected one above or below 0", j->name);
  return MW_OK;
}

// ---- springs ------------------------------------------------------------------------------------

// One number: the three translations; a list of three or six.
static mw_code read_six(const mw_reader *rd, const mw_ynode *v, double out[6])
{
  if (v->kind == MW_Y_LIST && v->n != 3 && v->n != 6)
    return mw_fail(rd->err, MW_ERR_INPUT, v->at, "%s: found a list of %d, expected 3 or 6 numbers",
                   v->key->text, v->n);
  for (int i = 0; i < 6; i++) out[i] = 0.0;
  if (v->kind == MW_Y_LIST)
    mw_y_vec(v, v->n, out);
  else
    out[0] = out[1] = out[2] = v->num;
  return MW_OK;
}

// Smallest compliance of the spline between points i and i + 1: at its ends, or where c' is zero.
static double least_between(const mw_stroke *k, int i)
{
  double h = k->s[i + 1] - k->s[i], M = k->c2[i], jerk = (k->c2[i + 1] - M) / h;
  double c1 = (k->c[i + 1] - k->c[i]) / h - h * (2.0 * M + k->c2[i + 1]) / 6.0;
  double least = fmin(k->c[i], k->c[i + 1]), D = M * M - 2.0 * jerk * c1;
  for (int side = -1; side <= 1 && D >= 0.0; side += 2) {
    double q = M + copysign(sqrt(D), M), x = side < 0 ? -2.0 * c1 / q : -q / jerk;
    if (x > 0.0 && x < h) least = fmin(least, k->c[i] + x * (c1 + x * (0.5 * M + x * jerk / 6.0)));
  }
  return least;
}

static mw_code read_over(mw_reader *rd, const mw_ynode *v, mw_joint_in *j)
{
  const mw_ynode *at = mw_y_find(v, "at"), *factor = mw_y_find(v, "factor");
  mw_stroke *k = &j->stroke;
  size_t n = (size_t)at->n;
  double *work = mw_arena_f64(rd->mem, n);
  *k = (mw_stroke){ .at = v->key->at,
                    .s = mw_arena_f64(rd->mem, n),
                    .c = mw_arena_f64(rd->mem, n),
                    .c2 = mw_arena_f64(rd->mem, n) };
  mw_code rc = mw_arena_check(rd->mem, rd->err);
  if (rc == MW_OK) rc = mw_coord_read(rd, mw_y_find(v, "coordinate"), &k->joint);
  if (rc != MW_OK) return rc;
  if (at->n != factor->n)
    return mw_fail(rd->err, MW_ERR_INPUT, factor->at,
                   "over: found %d factors for %d values, expected as many", factor->n, at->n);
  for (const mw_ynode *e = at->first; e->next; e = e->next)
    if (!(e->next->num > e->num))
      return mw_fail(rd->err, MW_ERR_INPUT, e->next->at,
                     "over: %g follows %g, expected increasing values", e->next->num, e->num);
  mw_y_vec(at, at->n, k->s);
  mw_y_vec(factor, factor->n, k->c);
  for (size_t i = 0; i < n; i++) k->c[i] = 1.0 / k->c[i];
  mw_cubic_bend(at->n, k->s, k->c, false, k->c2, work);
  k->n = at->n;
  for (int i = 0; i < k->n - 1; i++)
    if (!(least_between(k, i) > 0.0))
      return mw_fail(rd->err, MW_ERR_INPUT, factor->at,
                     "over: between %g and %g the compliance swings below 0, expected more points "
                     "there, or factors that change less",
                     k->s[i], k->s[i + 1]);
  return MW_OK;
}

static mw_code read_spring(mw_reader *rd, const mw_ynode *e, mw_joint_in *j)
{
  int other =
      mw_name_find(rd->names, rd->m->joint, rd->m->n_joint - 1, sizeof *rd->m->joint, e->key->text);
  if (other >= 0)
    return mw_fail(rd->err, MW_ERR_INPUT, e->key->at,
                   "duplicate name \"%.64s\", already a joint at line %d", e->key->text,
                   rd->m->joint[other].at.line);
  *j = (mw_joint_in){ .name = mw_read_str(rd, e->key->text),
                      .at = e->key->at,
                      .kind = MW_JOINT_SPRING,
                      .guide = -1,
                      .gear = { -1, -1 } };
  mw_code rc = mw_arena_check(rd->mem, rd->err);
  if (rc == MW_OK) rc = read_pair(rd, e, j);
  if (rc == MW_OK) rc = check_pair(rd, j);
  if (rc == MW_OK) rc = read_six(rd, mw_y_find(e, "stiffness"), j->stiffness);
  if (rc == MW_OK) rc = read_six(rd, mw_y_find(e, "damping"), j->damping);
  if (rc == MW_OK && mw_y_find(e, "over")) rc = read_over(rd, mw_y_find(e, "over"), j);
  bool any = false;
  for (int i = 0; i < 6; i++) any = any || j->stiffness[i] > 0.0 || j->damping[i] > 0.0;
  if (rc == MW_OK && !any)
    rc = mw_fail(rd->err, MW_ERR_INPUT, j->at,
                 "spring %.64s has neither stiffness nor damping, expected one above 0", j->name);
  return rc;
}

mw_code mw_read_joints(mw_reader *rd, const mw_ynode *root)
{
  const mw_ynode *joints = mw_y_find(root, "joints"), *springs = mw_y_find(root, "springs");
  mw_model *m = rd->m;
  mw_code rc = MW_NEW(rd, m->joint, joints->n + springs->n);
  if (rc == MW_OK) rc = MW_NEW(rd, rd->coord, joints->n);
  for (const mw_ynode *e = joints->first; e && rc == MW_OK; e = e->next)
    rc = mw_shape_part(e, read_joint(rd, e, &m->joint[m->n_joint++]), rd->err);
  int j = 0;
  for (const mw_ynode *e = joints->first; e && rc == MW_OK; e = e->next, j++)
    if (m->joint[j].kind == MW_JOINT_GEAR) rc = read_gear(rd, mw_y_find(e, "gear"), &m->joint[j]);
  for (const mw_ynode *e = springs->first; e && rc == MW_OK; e = e->next)
    rc = mw_shape_part(e, read_spring(rd, e, &m->joint[m->n_joint++]), rd->err);
  return rc;
}

bool mw_joint_in_turns(const mw_joint_in *j)
{
  return j->measure == MW_MEASURE_ANGLE || j->measure == MW_MEASURE_SECOND;
}

const char *mw_joint_unit(const mw_joint_in *j) { return mw_joint_in_turns(j) ? "rad" : "m"; }
