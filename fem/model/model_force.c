// SPDX-License-Identifier: BSD-3-Clause
// model_force.c: what acts on the mechanism: drives and their rotors, forces.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "model_layer.h"

// ---- drives -------------------------------------------------------------------------------------

static mw_code read_rotor(const mw_reader *rd, const mw_ynode *v, mw_drive_in *d)
{
  const mw_ynode *ratio = mw_y_find(v, "ratio");
  if (d->joint < 0)
    return mw_fail(
        rd->err, MW_ERR_INPUT, v->key->at,
        "drive %.64s is a force at a frame: found rotor, expected it only with coordinate",
        d->name);
  d->rotor = true;
  d->inertia = mw_y_num(v, "inertia");
  d->gear = ratio->num;
  d->stiffness = mw_y_num(v, "stiffness");
  d->damping = mw_y_num(v, "damping");
  if (d->gear != 0.0) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, ratio->at,
                 "rotor of drive %.64s: ratio is 0, expected one above or below 0", d->name);
}

static mw_code read_direction(mw_reader *rd, const mw_ynode *dir, mw_drive_in *d)
{
  mw_y_vec(dir, 3, d->dir);
  double n = mw_norm3(d->dir);
  if (!(n > 0.0))
    return mw_fail(rd->err, MW_ERR_INPUT, dir->at, "direction is zero, expected a direction");
  for (int i = 0; i < 3; i++) d->dir[i] /= n;
  return MW_OK;
}

static mw_code read_drive_force(mw_reader *rd, const mw_ynode *force, mw_drive_in *d)
{
  mw_code rc = mw_ref_read(rd, mw_y_find(force, "on"), &d->on);
  return rc == MW_OK ? read_direction(rd, mw_y_find(force, "direction"), d) : rc;
}

static mw_code read_drive(mw_reader *rd, const mw_ynode *e, mw_drive_in *d)
{
  const mw_ynode *c = mw_y_find(e, "coordinate"), *rotor = mw_y_find(e, "rotor");
  *d = (mw_drive_in){ .name = mw_read_str(rd, e->key->text), .at = e->key->at, .joint = -1 };
  mw_code rc = mw_arena_check(rd->mem, rd->err);
  if (rc == MW_OK)
    rc = c ? mw_coord_read(rd, c, &d->joint) : read_drive_force(rd, mw_y_find(e, "force"), d);
  return rc == MW_OK && rotor ? read_rotor(rd, rotor, d) : rc;
}

// `drive: name` of joint j declares a drive, or repeats one of the section drives.
static mw_code read_joint_drive(mw_reader *rd, const mw_ynode *drive, int j)
{
  mw_model *m = rd->m;
  int known = mw_name_find(rd->names, m->drive, m->n_drive, sizeof *m->drive, drive->text);
  if (known >= 0 && m->drive[known].joint != j)
    return mw_fail(
        rd->err, MW_ERR_INPUT, drive->at,
        "drive \"%.64s\" already acts elsewhere (line %d), expected another name or the same "
        "coordinate",
        drive->text, m->drive[known].at.line);
  if (known < 0)
    m->drive[m->n_drive++] =
        (mw_drive_in){ .name = mw_read_str(rd, drive->text), .at = drive->at, .joint = j };
  return mw_arena_check(rd->mem, rd->err);
}

static mw_code check_moves(const mw_reader *rd, const mw_ref *ref)
{
  const mw_body_in *b = &rd->m->body[ref->body];
  if (!b->ground || !b->rigid) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, ref->at, "body %.64s never moves, expected one that does",
                 b->name);
}

// ---- loads of the reduction ---------------------------------------------------------------------

// A frame of the body for the load, behind those it has: no name of a model has a colon.
static mw_code load_frame(mw_reader *rd, const mw_ynode *e, mw_body_in *b, int *attach)
{
  const mw_ynode *node = mw_y_find(e, "node"), *point = mw_y_find(e, "point");
  mw_attach *old = b->attach, *a;
  int index;
  if (b->rigid ? node != NULL : !node && !point)
    return mw_fail(rd->err, MW_ERR_INPUT, node ? node->key->at : e->key->at,
                   "load %.64s: found %s on the %s body %.64s, expected %s", e->key->text,
                   node ? "node" : "no place", b->rigid ? "rigid" : "elastic", b->name,
                   b->rigid ? "point" : "node or point");
  if (node && mw_meshed(b))
    return mw_fail(rd->err, MW_ERR_INPUT, node->key->at,
                   "load %.64s: found node on the mesh of body %.64s, expected point", e->key->text,
                   b->name);
  mw_code rc = MW_OK;
  if (node) rc = mw_name_read(rd, node, "point", b->point, b->n_point, sizeof *b->point, &index);
  if (rc == MW_OK) rc = MW_NEW(rd, b->attach, b->n_attach + 1);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < b->n_attach; k++) b->attach[k] = old[k];
  a = &b->attach[b->n_attach];
  *a = (mw_attach){ .name = mw_arena_printf(rd->mem, "load:%s", e->key->text),
                    .at = e->key->at,
                    .kind = b->rigid ? MW_ATTACH_POINT : MW_ATTACH_NODE,
                    .set = node ? mw_read_str(rd, node->text) : NULL,
                    .has_x = point != NULL };
  mw_y_vec(point, 3, a->x);
  *attach = b->n_attach++;
  return mw_arena_check(rd->mem, rd->err);
}

// A load is a drive that gives a force at a place of its own.
static mw_code read_load(mw_reader *rd, const mw_ynode *e)
{
  mw_model *m = rd->m;
  const mw_ynode *body = mw_y_find(e, "body");
  int known = mw_name_find(rd->names, m->drive, m->n_drive, sizeof *m->drive, e->key->text);
  mw_drive_in d = {
    .name = mw_read_str(rd, e->key->text), .at = e->key->at, .joint = -1, .load = true
  };
  if (known >= 0)
    return mw_fail(rd->err, MW_ERR_INPUT, e->key->at,
                   "load \"%.64s\" has the name of a drive (line %d), expected another name",
                   e->key->text, m->drive[known].at.line);
  d.on.at = body->at;
  mw_code rc = mw_name_read(rd, body, "body", m->body, m->n_body, sizeof *m->body, &d.on.body);
  if (rc == MW_OK) rc = check_moves(rd, &d.on);
  if (rc == MW_OK) rc = load_frame(rd, e, &m->body[d.on.body], &d.on.attach);
  if (rc == MW_OK) rc = read_direction(rd, mw_y_find(e, "direction"), &d);
  if (rc == MW_OK) m->drive[m->n_drive++] = d;
  return rc;
}

static const mw_ynode *loads_of(const mw_ynode *root)
{
  const mw_ynode *reduction = mw_y_find(root, "reduction"),
                 *patterns = reduction ? mw_y_find(reduction, "patterns") : NULL;
  return patterns ? mw_y_find(patterns, "loads") : NULL;
}

mw_code mw_read_drives(mw_reader *rd, const mw_ynode *root)
{
  const mw_ynode *loads = loads_of(root);
  const mw_ynode *drives = mw_y_find(root, "drives"), *joints = mw_y_find(root, "joints");
  mw_model *m = rd->m;
  mw_code rc = MW_NEW(rd, m->drive, drives->n + joints->n + (loads ? loads->n : 0));
  for (const mw_ynode *e = drives->first; e && rc == MW_OK; e = e->next)
    rc = mw_shape_part(e, read_drive(rd, e, &m->drive[m->n_drive++]), rd->err);
  int j = 0;
  for (const mw_ynode *e = joints->first; e && rc == MW_OK; e = e->next, j++) {
    const mw_ynode *drive = mw_y_find(e, "drive");
    if (drive) rc = read_joint_drive(rd, drive, j);
  }
  for (const mw_ynode *e = loads ? loads->first : NULL; e && rc == MW_OK; e = e->next)
    rc = read_load(rd, e);
  return rc;
}

// ---- forces -------------------------------------------------------------------------------------

static const char *const KINDS[] = { "point", "torque", "spring", "coordinate", NULL };
static const mw_force_kind KIND_OF_KEY[] = { MW_FORCE_POINT, MW_FORCE_TORQUE, MW_FORCE_SPRING,
                                             MW_FORCE_COORDINATE };

static mw_code read_point(mw_reader *rd, const mw_ynode *v, mw_force_in *f)
{
  const mw_ynode *dir = mw_y_find(v, "direction");
  mw_code rc = mw_ref_read(rd, mw_y_find(v, "on"), &f->a);
  if (rc == MW_OK) rc = check_moves(rd, &f->a);
  f->b = f->a;
  f->body_axes = strcmp(mw_y_find(v, "axes")->text, "body") == 0;
  mw_y_vec(dir, 3, f->dir);
  if (rc == MW_OK && !(mw_norm3(f->dir) > 0.0))
    rc = mw_fail(rd->err, MW_ERR_INPUT, dir->at, "direction is zero, expected a direction");
  return rc;
}

static mw_code read_line(mw_reader *rd, const mw_ynode *v, mw_force_in *f)
{
  const mw_model *m = rd->m;
  mw_code rc = mw_ref_read(rd, mw_y_find(v, "a"), &f->a);
  if (rc == MW_OK) rc = mw_ref_read(rd, mw_y_find(v, "b"), &f->b);
  if (rc != MW_OK) return rc;
  const mw_body_in *a = &m->body[f->a.body], *b = &m->body[f->b.body];
  if (a == b && (f->a.attach == f->b.attach || a->rigid))
    return mw_fail(rd->err, MW_ERR_INPUT, f->b.at,
                   "force %.64s: both frames are on body %.64s, expected two bodies", f->name,
                   a->name);
  if (a->ground && a->rigid && b->ground && b->rigid)
    return mw_fail(rd->err, MW_ERR_INPUT, f->b.at,
                   "force %.64s: bodies %.64s and %.64s never move, expected one that does",
                   f->name, a->name, b->name);
  return MW_OK;
}

// Keys that have no meaning for this kind of force.
static mw_code check_strays(const mw_reader *rd, const mw_ynode *e, int kind)
{
  static const struct stray {
    const char *key, *needs;
    bool fits[4];  // by KINDS
  } strays[] = {
    { "stiffness", "spring, coordinate", { false, false, true, true } },
    { "damping", "spring, coordinate", { false, false, true, true } },
    { "length", "spring", { false, false, true, false } },
    { "free", "coordinate", { false, false, false, true } },
  };
  for (size_t k = 0; k < sizeof strays / sizeof *strays; k++)
    if (mw_y_given(e, strays[k].key) && !strays[k].fits[kind])
      return mw_fail(rd->err, MW_ERR_INPUT, mw_y_find(e, strays[k].key)->key->at,
                     "force %.64s: found %s with %s, expected it only with %s", e->key->text,
                     strays[k].key, KINDS[kind], strays[k].needs);
  return MW_OK;
}

static mw_code read_force(mw_reader *rd, const mw_ynode *e, mw_force_in *f)
{
  int kind;
  const mw_ynode *v = mw_y_one(e, KINDS, &kind), *signal = mw_y_find(e, "force"),
                 *length = mw_y_find(e, "length"), *free_at = mw_y_find(e, "free");
  *f = (mw_force_in){ .name = mw_read_str(rd, e->key->text),
                      .at = e->key->at,
                      .kind = KIND_OF_KEY[kind],
                      .joint = -1,
                      .has_signal = signal != NULL,
                      .signal = { .at = e->key->at, .kind = MW_SIGNAL_CONSTANT },
                      .k = mw_y_num(e, "stiffness"),
                      .c = mw_y_num(e, "damping"),
                      .has_free = length || free_at,
                      .free = length    ? length->num
                              : free_at ? free_at->num
                                        : 0.0 };
  f->a = f->b = (mw_ref){ .at = e->key->at, .body = 0, .attach = -1 };
  bool at_frame = f->kind == MW_FORCE_POINT || f->kind == MW_FORCE_TORQUE;
  if (at_frame) f->signal.a = 1.0;
  mw_code rc = mw_arena_check(rd->mem, rd->err);
  if (rc == MW_OK) rc = check_strays(rd, e, kind);
  if (rc == MW_OK && at_frame) rc = read_point(rd, v, f);
  if (rc == MW_OK && f->kind == MW_FORCE_SPRING) rc = read_line(rd, v, f);
  if (rc == MW_OK && f->kind == MW_FORCE_COORDINATE) rc = mw_coord_read(rd, v, &f->joint);
  if (rc == MW_OK && signal) rc = mw_signal_read(rd, signal, &f->signal);
  if (rc == MW_OK && !at_frame && !signal && !(f->k > 0.0) && !(f->c > 0.0))
    rc = mw_fail(rd->err, MW_ERR_INPUT, f->at,
                 "force %.64s does nothing, expected stiffness, damping or force", f->name);
  return rc;
}

mw_code mw_read_forces(mw_reader *rd, const mw_ynode *root)
{
  const mw_ynode *forces = mw_y_find(root, "forces");
  mw_model *m = rd->m;
  mw_code rc = MW_NEW(rd, m->force, forces->n);
  for (const mw_ynode *e = forces->first; e && rc == MW_OK; e = e->next)
    rc = mw_shape_part(e, read_force(rd, e, &m->force[m->n_force++]), rd->err);
  return rc;
}
