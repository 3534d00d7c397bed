// SPDX-License-Identifier: BSD-3-Clause
// model_output.c: what is recorded: fields, which reduced models keep, and what is observed
// besides.
#include <string.h>

#include "fem/output.h"
#include "model_layer.h"

// ---- fields -------------------------------------------------------------------------------------

// the body whose stress or strain is asked for
static mw_code read_gauge(mw_reader *rd, const mw_ynode *node, mw_output_in *o)
{
  const mw_model *m = rd->m;
  o->ref = (mw_ref){ .at = node->at, .attach = -1 };
  mw_code rc = mw_name_read(rd, node, "body", m->body, m->n_body, sizeof *m->body, &o->ref.body);
  if (rc != MW_OK) return rc;
  const mw_body_in *b = &m->body[o->ref.body];
  if (b->mesh || b->cad) return MW_OK;
  return mw_fail(
      rd->err, MW_ERR_INPUT, node->at,
      "output %.64s: body %.64s has no solids or shells, expected a body with mesh or cad", o->name,
      b->name);
}

static mw_code check_keys(const mw_reader *rd, const mw_ynode *e, mw_output_of of)
{
  static const char *const key[] = { "point", "height", "arm" };
  static const char *const with[] = { "body, frame, stress and strain", "stress and strain",
                                      "orientation" };
  for (int i = 0; i < 3; i++)
    if (mw_y_given(e, key[i]) && (i < 2 ? of != MW_OF_NOTHING : of != MW_OF_FRAME))
      return mw_fail(rd->err, MW_ERR_INPUT, mw_y_find(e, key[i])->key->at,
                     "output %.64s: found %s, expected it only with %s", e->key->text, key[i],
                     with[i]);
  return MW_OK;
}

static mw_code read_field(mw_reader *rd, const mw_ynode *e, mw_output_in *o)
{
  const mw_ynode *body = mw_y_find(e, "body"), *frame = mw_y_find(e, "frame"),
                 *stress = mw_y_find(e, "stress"), *strain = mw_y_find(e, "strain");
  *o = (mw_output_in){ .name = mw_read_str(rd, e->key->text),
                       .at = e->key->at,
                       .kind = stress   ? MW_OUTPUT_STRESS
                               : strain ? MW_OUTPUT_STRAIN
                                        : MW_OUTPUT_POSITION,
                       .z = mw_y_num(e, "height") };
  mw_code rc = mw_arena_check(rd->mem, rd->err);
  if (rc == MW_OK) rc = check_keys(rd, e, MW_OF_NOTHING);
  mw_y_vec(mw_y_find(e, "point"), 3, o->x);
  if (rc != MW_OK) return rc;
  return stress || strain ? read_gauge(rd, stress ? stress : strain, o)
                          : mw_ref_read(rd, body ? body : frame, &o->ref);
}

static const char *const point_name[MW_ORIENTATION_POINTS] = { "origin", "along_x", "along_y" };

// The points that the orientation of a frame is made of.
static mw_code read_points(mw_reader *rd, const mw_ynode *e, const mw_ynode *frame)
{
  mw_model *m = rd->m;
  mw_ref ref;
  mw_code rc = mw_ref_read(rd, frame, &ref);
  for (int k = 0; rc == MW_OK && k < MW_ORIENTATION_POINTS; k++) {
    mw_output_in *o = &m->output[m->n_output++];
    *o = (mw_output_in){ .name = mw_arena_printf(rd->mem, "%s.%s", e->key->text, point_name[k]),
                         .at = e->key->at,
                         .kind = MW_OUTPUT_POSITION,
                         .part = true,
                         .ref = ref };
    if (k > 0) o->x[k - 1] = mw_y_num(e, "arm");
    rc = mw_arena_check(rd->mem, rd->err);
  }
  return rc;
}

// The entry's key of an observed output, NULL: it is a field; its kind.
static const mw_ynode *observed_key(const mw_ynode *e, mw_output_kind *kind)
{
  for (int k = 0; k < MW_OUTPUT_KINDS; k++) {
    if (mw_output_classes[k]->of == MW_OF_NOTHING) continue;
    *kind = (mw_output_kind)k;
    const mw_ynode *key = mw_y_find(e, mw_output_key(*kind));
    if (key) return key;
  }
  return NULL;
}

bool mw_output_is_seen(const mw_ynode *e)
{
  mw_output_kind kind;
  return observed_key(e, &kind) && mw_output_classes[kind]->of != MW_OF_FRAME;
}

mw_code mw_read_outputs(mw_reader *rd, const mw_ynode *root)
{
  const mw_ynode *outputs = mw_y_find(root, "outputs");
  mw_model *m = rd->m;
  mw_output_kind kind;
  mw_code rc = MW_NEW(rd, m->output, MW_ORIENTATION_POINTS * outputs->n);
  for (const mw_ynode *e = outputs->first; e && rc == MW_OK; e = e->next)
    if (!observed_key(e, &kind)) rc = read_field(rd, e, &m->output[m->n_output++]);
  for (const mw_ynode *e = outputs->first; e && rc == MW_OK; e = e->next) {
    const mw_ynode *key = observed_key(e, &kind);
    if (key && mw_output_classes[kind]->of == MW_OF_FRAME) rc = read_points(rd, e, key);
  }
  return rc;
}

// ---- what is observed ---------------------------------------------------------------------------

mw_code mw_position_read(const mw_reader *rd, const mw_ynode *key, int *of)
{
  const mw_model *m = rd->m;
  mw_code rc = mw_name_read(rd, key, "output", m->output, m->n_output, sizeof *m->output, of);
  if (rc != MW_OK || m->output[*of].kind == MW_OUTPUT_POSITION) return rc;
  return mw_fail(rd->err, MW_ERR_INPUT, key->at,
                 "%.64s: found a %s, expected the name of a position", key->text,
                 mw_output_key(m->output[*of].kind));
}

// First point of the orientation of that name.
static mw_code read_orientation(mw_reader *rd, const char *name, mw_at at, int *of)
{
  const mw_model *m = rd->m;
  const char *first = mw_arena_printf(rd->mem, "%s.%s", name, point_name[0]);
  mw_code rc = mw_arena_check(rd->mem, rd->err);
  if (rc != MW_OK) return rc;
  *of = mw_name_find(rd->names, m->output, m->n_output, sizeof *m->output, first);
  if (*of >= 0) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, at,
                 "no orientation %.64s, expected the name of an output with orientation", name);
}

static mw_code read_joint(mw_reader *rd, const mw_ynode *key, int *of)
{
  const mw_model *m = rd->m;
  mw_code rc = mw_name_read(rd, key, "joint", m->joint, m->n_joint, sizeof *m->joint, of);
  if (rc != MW_OK || m->joint[*of].kind != MW_JOINT_SPRING) return rc;
  return mw_fail(rd->err, MW_ERR_INPUT, key->at, "%.64s: found a spring, expected a joint",
                 key->text);
}

static mw_code read_what(mw_reader *rd, const mw_ynode *key, mw_observed_in *o)
{
  const mw_model *m = rd->m;
  switch (mw_output_classes[o->kind]->of) {
  case MW_OF_POSITION: return mw_position_read(rd, key, &o->of);
  case MW_OF_ORIENTATION: return read_orientation(rd, key->text, key->at, &o->of);
  case MW_OF_FRAME: return read_orientation(rd, o->name, key->at, &o->of);
  case MW_OF_JOINT: return read_joint(rd, key, &o->of);
  case MW_OF_DRIVE:
    return mw_name_read(rd, key, "drive", m->drive, m->n_drive, sizeof *m->drive, &o->of);
  case MW_OF_COORDINATE: return mw_coord_read(rd, key, &o->of);
  case MW_OF_NOTHING: break;
  }
  return MW_OK;
}

mw_code mw_read_observed(mw_reader *rd, const mw_ynode *root)
{
  const mw_ynode *outputs = mw_y_find(root, "outputs");
  mw_model *m = rd->m;
  mw_code rc = MW_NEW(rd, m->observed, outputs->n);
  for (const mw_ynode *e = outputs->first; e && rc == MW_OK; e = e->next) {
    mw_output_kind kind;
    const mw_ynode *key = observed_key(e, &kind);
    if (!key) continue;
    mw_observed_in *o = &m->observed[m->n_observed++];
    *o = (mw_observed_in){ .name = mw_read_str(rd, e->key->text), .at = e->key->at, .kind = kind };
    rc = mw_arena_check(rd->mem, rd->err);
    if (rc == MW_OK) rc = check_keys(rd, e, mw_output_classes[kind]->of);
    if (rc == MW_OK) rc = read_what(rd, key, o);
    if (rc == MW_OK && mw_output_classes[kind]->needs & MW_SEES_REST && !m->reduction.present)
      rc =
          mw_fail(rd->err, MW_ERR_INPUT, key->key->at,
                  "output %.64s: %s is what a position is off the undeformed mechanism at the same "
                  "coordinates, expected reduction with coordinates",
                  o->name, mw_output_key(kind));
  }
  return rc;
}
