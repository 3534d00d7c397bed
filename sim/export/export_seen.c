// SPDX-License-Identifier: BSD-3-Clause
// export_seen.c: outputs besides the fields, as rows of what the online model computes
// (export_layer.h (1)).
#include <string.h>

#include "export_layer.h"
#include "fem/output.h"

enum { AXES = 3 };  // components of a position

static int field_index(const mw_rom_file *r, const char *name)
{
  for (int k = 0; k < r->rom.n_y; k++)
    if (strcmp(r->field[k], name) == 0) return k;
  return -1;
}

// The field that component i of what an output is of is, of several positions one behind the other;
// the input of a drive; -1: there is none.
static int place_of(const mw_model *m, const mw_rom_file *r, const mw_observed_in *o, int i,
                    mw_arena *mem)
{
  const mw_output_class *class = mw_output_classes[o->kind];
  if (class->of == MW_OF_DRIVE) return o->of < r->rom.n_u ? o->of : -1;
  const mw_joint_in *j = class->of == MW_OF_COORDINATE ? &m->joint[o->of] : NULL;
  const mw_output_in *field = &m->output[o->of + i / AXES];
  const char *name =
      j ? mw_arena_printf(mem, "s:%s", j->coordinate ? j->coordinate : j->name)
        : mw_arena_printf(mem, "%s.%s", field->name, mw_output_axis(field, i % AXES));
  return name ? field_index(r, name) : -1;
}

// (1) of component i of the output; false: the reduced model has no field of it
static bool fill_row(const mw_model *m, const mw_rom_file *r, const mw_observed_in *o, int i,
                     mw_arena *mem, mw_export_row *out)
{
  int n_y = r->rom.n_y;
  mw_output_rows rows = mw_output_classes[o->kind]->rows;
  if (rows == MW_ROWS_QUATERNION || rows == MW_ROWS_SPIN) {
    out->form = rows == MW_ROWS_SPIN ? MW_EXPORT_SPIN : MW_EXPORT_QUATERNION;
    out->first = place_of(m, r, o, 0, mem);
    out->second = i;
    for (int k = 1; k < AXES * MW_ORIENTATION_POINTS; k++)
      if (place_of(m, r, o, k, mem) != out->first + k) return false;
    return out->first >= 0;
  }
  int k = place_of(m, r, o, i, mem);
  out->form = MW_EXPORT_DIFFERENCE;
  out->second = rows == MW_ROWS_ELASTIC ? 3 * n_y + k : -1;
  out->first = rows == MW_ROWS_RATE           ? n_y + k
               : rows == MW_ROWS_ACCELERATION ? 2 * n_y + k
               : rows == MW_ROWS_FORCE        ? 4 * n_y + k
                                              : k;
  return k >= 0;
}

static void leave_out(const mw_observed_in *o, const char *why, mw_arena *mem, mw_export_seen *s)
{
  s->left_out = mw_arena_printf(mem, "%s%s%s (%s): %s", s->left_out ? s->left_out : "",
                                s->left_out ? "; " : "", o->name, mw_output_key(o->kind), why);
}

static void add(const mw_model *m, const mw_rom_file *r, const mw_observed_in *o, mw_arena *mem,
                mw_export_seen *s)
{
  const mw_output_class *class = mw_output_classes[o->kind];
  if (class->rows == MW_ROWS_NONE) {
    leave_out(o, class->not_exported, mem, s);
    return;
  }
  for (int i = 0; i < class->width; i++) {
    mw_export_row *row = &s->row[s->n];
    if (!fill_row(m, r, o, i, mem, row)) {
      leave_out(o, "the reduced model has no field of it", mem, s);
      s->n -= i;
      return;
    }
    s->n++;
    row->kind = mw_output_key(o->kind);
    row->unit =
        row->form == MW_EXPORT_QUATERNION ? "1" : mw_arena_str(mem, mw_observed_unit(m, o, 0));
    row->name = class->axis[i][0] ? mw_arena_printf(mem, "%s.%s", o->name, class->axis[i])
                                  : mw_arena_str(mem, o->name);
  }
}

mw_code mw_export_seen_of(const mw_model *m, const mw_rom_file *rom, mw_arena *mem,
                          mw_export_seen *out, mw_error *err)
{
  *out = (mw_export_seen){ .row = mw_arena_alloc(mem, (size_t)mw_observed_row(m, m->n_observed),
                                                 sizeof *out->row) };
  mw_code rc = mw_arena_check(mem, err);
  for (int k = 0; rc == MW_OK && k < m->n_observed; k++) add(m, rom, &m->observed[k], mem, out);
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}
