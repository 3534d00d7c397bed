// SPDX-License-Identifier: BSD-3-Clause
// export_seen.c: outputs besides the fields, as rows of what the online model computes
// (export_layer.h (1)).
#include <string.h>

#include "export_layer.h"
#include "fem/output.h"

static int field_index(const mw_rom_file *r, const char *name)
{
  for (int k = 0; k < r->rom.n_y; k++)
    if (strcmp(r->field[k], name) == 0) return k;
  return -1;
}

// The field that component i of an output is of, the input of a drive; -1: there is none.
static int place_of(const mw_model *m, const mw_rom_file *r, const mw_observed_in *o, int i,
                    mw_arena *mem)
{
  const mw_output_class *class = mw_output_classes[o->kind];
  if (class->of == MW_OF_DRIVE) return o->of < r->rom.n_u ? o->of : -1;
  const mw_joint_in *j = class->of == MW_OF_COORDINATE ? &m->joint[o->of] : NULL;
  const char *name = j ? mw_arena_printf(mem, "s:%s", j->coordinate ? j->coordinate : j->name)
                       : mw_arena_printf(mem, "%s.%s", m->output[o->of].name,
                                         mw_output_axis(&m->output[o->of], i));
  return name ? field_index(r, name) : -1;
}

// (1) of the output at place k
static void fill_row(const mw_rom_file *r, mw_output_rows rows, int k, mw_export_row *out)
{
  int n_y = r->rom.n_y;
  out->minus = rows == MW_ROWS_ELASTIC ? 3 * n_y + k : -1;
  out->plus = rows == MW_ROWS_RATE           ? n_y + k
              : rows == MW_ROWS_ACCELERATION ? 2 * n_y + k
              : rows == MW_ROWS_FORCE        ? 4 * n_y + k
                                             : k;
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
    int k = place_of(m, r, o, i, mem);
    if (k < 0) {
      leave_out(o, "the reduced model has no field of it", mem, s);
      return;
    }
    mw_export_row *row = &s->row[s->n++];
    fill_row(r, class->rows, k, row);
    row->kind = mw_output_key(o->kind);
    row->unit = mw_arena_str(mem, mw_observed_unit(m, o, 0));
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
