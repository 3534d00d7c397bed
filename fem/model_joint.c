// SPDX-License-Identifier: BSD-3-Clause
// model_joint.c: joints, springs, drives and outputs, and the references to bodies and frames they
// are made of.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "model_priv.h"

// ---- references ---------------------------------------------------------------------------------

int mw_name_find(const void *objects, int n, size_t size, const char *name)
{
  const char *p = objects;
  for (int i = 0; i < n; i++) {
    const char *const *own = (const char *const *)(const void *)(p + (size_t)i * size);
    if (strcmp(*own, name) == 0) return i;
  }
  return -1;
}

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
  int index = mw_name_find(objects, n, size, node->text);
  if (index < 0) return unknown(rd, node->at, kind, node->text, objects, n, size);
  *out = index;
  return MW_OK;
}

// The body before the dot; *tail is the text after it, NULL without a dot.
static mw_code read_body_part(const mw_reader *rd, const mw_ynode *node, int *body,
                              const char **tail)
{
  const mw_model *m = rd->m;
  const char *dot = strchr(node->text, '.');
  size_t n = dot ? (size_t)(dot - node->text) : strlen(node->text);
  char *name = malloc(n + 1);
  if (!name) return mw_fail(rd->err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  memcpy(name, node->text, n);
  name[n] = '\0';
  mw_code rc = MW_OK;
  *body = mw_name_find(m->body, m->n_body, sizeof *m->body, name);
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
    ref.attach = mw_name_find(b->attach, b->n_attach, sizeof *b->attach, tail);
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
  const mw_model *m = rd->m;
  const char **name = malloc(((size_t)m->n_joint + 1) * sizeof *name);
  if (!name) return mw_fail(rd->err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  int n = 0;
  mw_code rc = MW_OK;
  *joint = -1;
  for (int i = 0; i < m->n_joint; i++) {
    const char *c = mw_joint_coord_name(&m->joint[i]);
    if (c && strcmp(c, node->text) == 0) *joint = i;
    if (c) name[n++] = c;
  }
  if (*joint < 0) rc = unknown(rd, node->at, "coordinate", node->text, name, n, sizeof *name);
  free(name);
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
  j->guide = mw_name_find(b->guide, b->n_guide, sizeof *b->guide, tail);
  if (j->guide < 0)
    return unknown(rd, guide->at, "guide", tail, b->guide, b->n_guide, sizeof *b->guide);
  rc = mw_ref_read(rd, mw_y_find(v, "on"), &j->b);
  if (rc != MW_OK) return rc;
  j->lock_rotation = strcmp(mw_y_find(v, "orientation")->text, "fixed") == 0;
  j->n_runner = runners ? runners->n : 1;
  rc = MW_NEW(rd, j->runner, j->n_runner);
  if (rc != MW_OK) return rc;
  j->runner[0] =
      (mw_runner){ .at = j->at, .dir = { true, true }, .stiffness = { INFINITY, INFINITY } };
  int i = 0;
  for (const mw_ynode *e = runners ? runners->first : NULL; e; e = e->next)
    read_runner(e, &j->runner[i++]);
  return MW_OK;
}

static mw_code read_pair(mw_reader *rd, const mw_ynode *v, mw_joint_in *j)
{
  const mw_ynode *axis = mw_y_find(v, "axis");
  mw_code rc = mw_ref_read(rd, mw_y_find(v, "a"), &j->a);
  if (rc == MW_OK) rc = mw_ref_read(rd, mw_y_find(v, "b"), &j->b);
  mw_y_vec(axis, 3, j->axis);
  if (rc == MW_OK && axis && !(mw_norm3(j->axis) > 0.0))
    rc = mw_fail(rd->err, MW_ERR_INPUT, axis->at, "axis is zero, expected a direction");
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

// Keys of a joint that need a coordinate.
static mw_code read_coordinate(mw_reader *rd, const mw_ynode *e, mw_joint_in *j)
{
  static const char *const needs[] = { "coordinate", "start", "drive", "damping", NULL };
  const mw_ynode *c = mw_y_find(e, "coordinate");
  bool turns = j->kind == MW_JOINT_REVOLUTE || j->kind == MW_JOINT_PRISMATIC,
       slides = j->kind == MW_JOINT_SLIDE;
  if (c) j->coordinate = mw_read_str(rd, c->text);
  j->coordinate_damping = mw_y_num(e, "damping");
  j->start = mw_y_num(e, "start");
  for (int k = 0; needs[k]; k++) {
    if (!mw_y_given(e, needs[k])) continue;
    mw_at at = mw_y_find(e, needs[k])->key->at;
    if (!turns && !slides)
      return mw_fail(rd->err, MW_ERR_INPUT, at,
                     "joint %.64s: found %s, expected it only with slide, revolute, prismatic",
                     j->name, needs[k]);
    if (!slides && !c)
      return mw_fail(rd->err, MW_ERR_INPUT, at,
                     "joint %.64s: found %s without coordinate, expected a name for it", j->name,
                     needs[k]);
    if (slides && k == 1)
      return mw_fail(
          rd->err, MW_ERR_INPUT, at,
          "joint %.64s: found start on a slide, expected none (it follows from the bodies' positions)",
          j->name);
  }
  const char *name = mw_joint_coord_name(j);
  for (const mw_joint_in *o = rd->m->joint; name && o < j; o++) {
    const char *other = mw_joint_coord_name(o);
    if (other && strcmp(other, name) == 0)
      return mw_fail(rd->err, MW_ERR_INPUT, c ? c->at : j->at,
                     "duplicate coordinate \"%.64s\", already the coordinate of joint %.64s", name,
                     o->name);
  }
  return mw_arena_check(rd->mem, rd->err);
}

static mw_code read_joint(mw_reader *rd, const mw_ynode *e, mw_joint_in *j)
{
  static const char *const kinds[] = {
    "fixed", "revolute", "prismatic", "spherical", "slide", NULL
  };
  static const mw_joint_kind kind_of_key[] = { MW_JOINT_FIXED, MW_JOINT_REVOLUTE,
                                               MW_JOINT_PRISMATIC, MW_JOINT_SPHERICAL,
                                               MW_JOINT_SLIDE };
  int kind;
  const mw_ynode *v = mw_y_one(e, kinds, &kind);
  *j = (mw_joint_in){
    .name = mw_read_str(rd, e->key->text), .at = e->key->at, .kind = kind_of_key[kind], .guide = -1
  };
  mw_code rc = mw_arena_check(rd->mem, rd->err);
  if (rc == MW_OK) rc = j->kind == MW_JOINT_SLIDE ? read_slide(rd, v, j) : read_pair(rd, v, j);
  if (rc == MW_OK) rc = check_pair(rd, j);
  if (rc == MW_OK) rc = read_coordinate(rd, e, j);
  return rc;
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

static mw_code read_spring(mw_reader *rd, const mw_ynode *e, mw_joint_in *j)
{
  int other = mw_name_find(rd->m->joint, rd->m->n_joint - 1, sizeof *rd->m->joint, e->key->text);
  if (other >= 0)
    return mw_fail(rd->err, MW_ERR_INPUT, e->key->at,
                   "duplicate name \"%.64s\", already a joint at line %d", e->key->text,
                   rd->m->joint[other].at.line);
  *j = (mw_joint_in){
    .name = mw_read_str(rd, e->key->text), .at = e->key->at, .kind = MW_JOINT_SPRING, .guide = -1
  };
  mw_code rc = mw_arena_check(rd->mem, rd->err);
  if (rc == MW_OK) rc = read_pair(rd, e, j);
  if (rc == MW_OK) rc = check_pair(rd, j);
  if (rc == MW_OK) rc = read_six(rd, mw_y_find(e, "stiffness"), j->stiffness);
  if (rc == MW_OK) rc = read_six(rd, mw_y_find(e, "damping"), j->damping);
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
  for (const mw_ynode *e = joints->first; e && rc == MW_OK; e = e->next)
    rc = read_joint(rd, e, &m->joint[m->n_joint++]);
  for (const mw_ynode *e = springs->first; e && rc == MW_OK; e = e->next)
    rc = read_spring(rd, e, &m->joint[m->n_joint++]);
  return rc;
}

// ---- drives and outputs -------------------------------------------------------------------------

static mw_code read_drive(mw_reader *rd, const mw_ynode *e, mw_drive_in *d)
{
  const mw_ynode *c = mw_y_find(e, "coordinate"), *force = mw_y_find(e, "force");
  *d = (mw_drive_in){ .name = mw_read_str(rd, e->key->text), .at = e->key->at, .joint = -1 };
  mw_code rc = mw_arena_check(rd->mem, rd->err);
  if (rc != MW_OK) return rc;
  if (c) return mw_coord_read(rd, c, &d->joint);
  const mw_ynode *dir = mw_y_find(force, "direction");
  rc = mw_ref_read(rd, mw_y_find(force, "on"), &d->on);
  mw_y_vec(dir, 3, d->dir);
  double n = mw_norm3(d->dir);
  if (rc == MW_OK && !(n > 0.0))
    rc = mw_fail(rd->err, MW_ERR_INPUT, dir->at, "direction is zero, expected a direction");
  for (int i = 0; i < 3 && n > 0.0; i++) d->dir[i] /= n;
  return rc;
}

// `drive: name` of joint j declares a drive, or repeats one of the section drives.
static mw_code read_joint_drive(mw_reader *rd, const mw_ynode *drive, int j)
{
  mw_model *m = rd->m;
  int known = mw_name_find(m->drive, m->n_drive, sizeof *m->drive, drive->text);
  if (known >= 0 && m->drive[known].joint != j)
    return mw_fail(
        rd->err, MW_ERR_INPUT, drive->at,
        "drive \"%.64s\" already acts elsewhere (line %d), expected another name or the same coordinate",
        drive->text, m->drive[known].at.line);
  if (known < 0)
    m->drive[m->n_drive++] =
        (mw_drive_in){ .name = mw_read_str(rd, drive->text), .at = drive->at, .joint = j };
  return mw_arena_check(rd->mem, rd->err);
}

mw_code mw_read_drives(mw_reader *rd, const mw_ynode *root)
{
  const mw_ynode *drives = mw_y_find(root, "drives"), *joints = mw_y_find(root, "joints");
  mw_model *m = rd->m;
  mw_code rc = MW_NEW(rd, m->drive, drives->n + joints->n);
  for (const mw_ynode *e = drives->first; e && rc == MW_OK; e = e->next)
    rc = read_drive(rd, e, &m->drive[m->n_drive++]);
  int j = 0;
  for (const mw_ynode *e = joints->first; e && rc == MW_OK; e = e->next, j++) {
    const mw_ynode *drive = mw_y_find(e, "drive");
    if (drive) rc = read_joint_drive(rd, drive, j);
  }
  return rc;
}

mw_code mw_read_outputs(mw_reader *rd, const mw_ynode *root)
{
  const mw_ynode *outputs = mw_y_find(root, "outputs");
  mw_model *m = rd->m;
  mw_code rc = MW_NEW(rd, m->output, outputs->n);
  for (const mw_ynode *e = outputs->first; e && rc == MW_OK; e = e->next) {
    mw_output_in *o = &m->output[m->n_output++];
    const mw_ynode *body = mw_y_find(e, "body"), *frame = mw_y_find(e, "frame");
    *o = (mw_output_in){ .name = mw_read_str(rd, e->key->text), .at = e->key->at };
    rc = mw_arena_check(rd->mem, rd->err);
    mw_y_vec(mw_y_find(e, "point"), 3, o->x);
    if (rc == MW_OK) rc = mw_ref_read(rd, body ? body : frame, &o->ref);
  }
  return rc;
}
