// SPDX-License-Identifier: BSD-3-Clause
// model_reduction.c: the reduction: coordinates with their ranges, grids and largest rates, modes,
// patterns, the largest forces of drives, the certificate.
#include <math.h>
#include <string.h>

#include "model_layer.h"

enum { MOST_COORDINATES = 6, GRID_ONE = 17, GRID_MORE = 9, MODES = 6 };

static const double TURN = 6.283185307179586;  // rad
static const double SAME_TURN = 1e-3;   // rad: numbers of a file are written to that at least
static const double RECEPTANCE = 1e-2;  // asked for where modes are chosen by it

static mw_code read_coordinate(mw_reader *rd, const mw_ynode *e, int n, mw_coordinate_in *c)
{
  const mw_ynode *range = e->kind == MW_Y_MAP ? mw_y_find(e, "range") : e,
                 *points = mw_y_find(e->kind == MW_Y_MAP ? e : NULL, "points"),
                 *refine = mw_y_find(e->kind == MW_Y_MAP ? e : NULL, "refine");
  double lo_hi[2];
  mw_y_vec(range, 2, lo_hi);
  *c = (mw_coordinate_in){ .name = mw_read_str(rd, e->key->text),
                           .at = e->key->at,
                           .lo = lo_hi[0],
                           .hi = lo_hi[1],
                           .n_grid = points   ? (int)points->num
                                     : n == 1 ? GRID_ONE
                                              : GRID_MORE,
                           .refine = refine ? (int)refine->num : 0,
                           .cyclic = e->kind == MW_Y_MAP && mw_y_num(e, "cyclic") > 0.0,
                           .symmetric = e->kind == MW_Y_MAP && mw_y_num(e, "symmetric") > 0.0 };
  if (e->kind == MW_Y_MAP) {
    c->max_rate = mw_y_num(e, "max_rate");
    c->max_acceleration = mw_y_num(e, "max_acceleration");
  }
  mw_code rc = mw_arena_check(rd->mem, rd->err);
  if (rc == MW_OK) rc = mw_coord_read(rd, e->key, &c->joint);
  if (rc == MW_OK && !(c->lo < c->hi))
    rc = mw_fail(rd->err, MW_ERR_INPUT, range->at,
                 "range of %.64s is [%g, %g], expected the lowest value first", c->name, c->lo,
                 c->hi);
  if (rc == MW_OK && c->cyclic && strcmp(mw_joint_unit(&rd->m->joint[c->joint]), "rad") != 0)
    rc = mw_fail(rd->err, MW_ERR_INPUT, mw_y_find(e, "cyclic")->at,
                 "coordinate %.64s is a length, of a cyclic coordinate an angle is expected: leave "
                 "cyclic out",
                 c->name);
  if (rc == MW_OK && c->cyclic && fabs(c->hi - c->lo - TURN) > SAME_TURN)
    rc =
        mw_fail(rd->err, MW_ERR_INPUT, range->at,
                "range of %.64s is [%g, %g], %.6g rad wide; expected one full turn, %.9g rad, of a "
                "cyclic coordinate",
                c->name, c->lo, c->hi, c->hi - c->lo, TURN);
  return rc;
}

// Largest forces of drives, by the drives' names; 0: none declared.
static mw_code read_inputs(mw_reader *rd, const mw_ynode *map, mw_reduction_in *r)
{
  const mw_model *m = rd->m;
  mw_code rc = MW_NEW(rd, r->max_input, m->n_drive);
  for (const mw_ynode *e = map->first; e && rc == MW_OK; e = e->next) {
    int k = 0;
    rc = mw_name_read(rd, e->key, "drive", m->drive, m->n_drive, sizeof *m->drive, &k);
    if (rc == MW_OK) r->max_input[k] = e->num;
  }
  return rc;
}

// Keys that a grid of its own choice would not look at.
static mw_code check_auto(const mw_reader *rd, const mw_ynode *coordinates)
{
  static const char *const keys[] = { "points", "refine" };
  for (const mw_ynode *e = coordinates->first; e; e = e->next)
    for (int k = 0; k < 2; k++)
      if (e->kind == MW_Y_MAP && mw_y_given(e, keys[k]))
        return mw_fail(rd->err, MW_ERR_INPUT, mw_y_find(e, keys[k])->key->at,
                       "coordinate %.64s: found %s with grid: auto, which chooses its own points; "
                       "expected grid: fixed, or no %s",
                       e->key->text, keys[k], keys[k]);
  return MW_OK;
}

mw_code mw_read_reduction(mw_reader *rd, const mw_ynode *root)
{
  const mw_ynode *v = mw_y_find(root, "reduction");
  mw_reduction_in *r = &rd->m->reduction;
  *r = (mw_reduction_in){ .n_modes = MODES,
                          .pattern_outputs = true,
                          .pattern_drives = true,
                          .pattern_acceleration = true,
                          .pattern_gravity = true,
                          .pattern_dampers = true,
                          .tolerance = 1e-3,
                          .body_tolerance = 1e-6,
                          .n_certificate = 8,
                          .n_sample = 200 };
  if (!v) return MW_OK;
  const mw_ynode *coordinates = mw_y_find(v, "coordinates"), *modes = mw_y_find(v, "modes");
  const mw_ynode *patterns = mw_y_find(v, "patterns");
  r->present = true;
  r->at = v->key->at;
  if (modes) {
    const mw_ynode *count = mw_y_find(modes, "count");
    r->n_modes = (int)mw_y_num(modes, "count");
    r->count_given = count && mw_y_given(modes, "count");
    if (r->count_given) r->modes_at = count->at;
    r->modes_below = mw_y_num(modes, "below");
    r->modes_band = mw_y_num(modes, "band");
  }
  r->grid_auto = strcmp(mw_y_find(v, "grid")->text, "auto") == 0;
  const char *table = mw_y_find(v, "table")->text;
  r->table = strcmp(table, "full") == 0         ? MW_TABLE_FULL
             : strcmp(table, "compressed") == 0 ? MW_TABLE_COMPRESSED
                                                : MW_TABLE_AUTO;
  const mw_ynode *bodies = mw_y_find(v, "bodies"), *certificate = mw_y_find(v, "certificate");
  r->body_tolerance = mw_y_num(bodies, "tolerance");
  r->body_band = mw_y_num(bodies, "band");
  r->craig_bampton = strcmp(mw_y_find(v, "set")->text, "craig-bampton") == 0;
  const char *inertia = mw_y_find(v, "inertia")->text;
  r->inertia = strcmp(inertia, "leading") == 0       ? MW_INERTIA_LEADING
               : strcmp(inertia, "first_order") == 0 ? MW_INERTIA_FIRST_ORDER
                                                     : MW_INERTIA_FULL;
  r->pattern_outputs = mw_y_num(patterns, "outputs") > 0.0;
  r->pattern_drives = mw_y_num(patterns, "drives") > 0.0;
  r->pattern_acceleration = mw_y_num(patterns, "acceleration") > 0.0;
  r->pattern_gravity = mw_y_num(patterns, "gravity") > 0.0;
  r->pattern_dampers = mw_y_num(patterns, "dampers") > 0.0;
  r->floating = mw_y_num(patterns, "floating");
  r->tolerance = mw_y_num(v, "tolerance");
  const mw_ynode *deflection = mw_y_find(v, "max_deflection");
  r->max_deflection = strcmp(deflection->text, "auto") == 0   ? 0.0
                      : strcmp(deflection->text, "none") == 0 ? INFINITY
                                                              : deflection->num;
  r->n_certificate = (int)mw_y_num(certificate, "points");
  r->n_sample = (int)mw_y_num(certificate, "samples");
  r->receptance = mw_y_num(certificate, "receptance");
  r->band = mw_y_num(certificate, "band");
  if (r->modes_band > 0.0) {  // modes are chosen by what the certificate then looks at
    if (!(r->receptance > 0.0)) r->receptance = RECEPTANCE;
    if (!(r->band > 0.0)) r->band = r->modes_band;
  }
  if (coordinates->n < 1 || coordinates->n > MOST_COORDINATES)
    return mw_fail(rd->err, MW_ERR_INPUT, coordinates->key->at,
                   "found %d coordinates, expected 1 to %d", coordinates->n, MOST_COORDINATES);
  mw_code rc = MW_NEW(rd, r->coordinate, coordinates->n);
  for (const mw_ynode *e = coordinates->first; e && rc == MW_OK; e = e->next)
    rc = read_coordinate(rd, e, coordinates->n, &r->coordinate[r->n_coordinate++]);
  if (rc == MW_OK && r->grid_auto) rc = check_auto(rd, coordinates);
  if (rc == MW_OK) rc = read_inputs(rd, mw_y_find(v, "inputs"), r);
  return rc;
}
