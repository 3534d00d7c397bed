// SPDX-License-Identifier: BSD-3-Clause
// certificate_tables.c: tables against the coefficients they were made of, at every point of the
// grid.
//
//   error = max over grid points g and fields f of |table_f(θ_g) − record_f(g)| / scale_f       (1)
// Splines go through their points, so that all that is between records and the model that runs
// shows here, in every cell: fits, axes that are flat, cyclic or symmetric, trains, whatever
// happened to the tables since. What lies between the points is for samples. scale_f: the largest
// of the field's kind (records.c); of K, C and where there are trains what these go by
// (compress_rom.c).
// Cost: an evaluation of the tables a grid point.
#include <math.h>

#include "certificate_layer.h"
#include "table/records_layer.h"

// Name of field k, from mem.
static const char *name_of(const mw_rom_file *f, int k, mw_arena *mem)
{
  const mw_rom *rom = &f->rom;
  const mw_records rec = { .s = rom->s,
                           .m = rom->m,
                           .n_y = rom->n_y,
                           .n_Y = rom->n_Y,
                           .n_G = rom->n_G,
                           .Y_field = rom->Y_field,
                           .parts = rom->parts,
                           .field = f->field };
  char text[96];
  mw_field_name(&rec, k, text, sizeof text);
  return mw_arena_str(mem, text);
}

mw_code mw_certificate_tables(const mw_reduction *r, const mw_tables *t, const mw_rom_file *f,
                              mw_certificate *c, mw_arena *mem, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *value = mw_arena_f64(&tmp, (size_t)f->rom.n_field);
  int worst = -1;
  mw_code rc = mw_arena_check(&tmp, err);
  c->table_theta = mw_arena_f64(mem, (size_t)r->s);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc == MW_OK && f->rom.n_field != t->n_record)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "tables of %d fields, %d expected", f->rom.n_field,
                 t->n_record);
  c->n_table = r->n_point;
  c->table_error = 0.0;
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    const double *record = t->record + (size_t)g * (size_t)t->n_record;
    double theta[MW_ROM_MAX_S];
    mw_reduction_theta(r, g, theta);
    if (mw_rom_fields(&f->rom, theta, value, NULL, NULL) != MW_ROM_OK)
      rc = mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "a grid point lies outside the tables");
    for (int k = 0; rc == MW_OK && k < t->n_record; k++) {
      double by = fabs(value[k] - record[k]), e = by / t->scale[k];
      if (by == 0.0 || isnan(c->table_error) || e <= c->table_error) continue;
      c->table_error = e;
      worst = k;
      for (int i = 0; i < r->s; i++) c->table_theta[i] = theta[i];
    }
  }
  c->table_field = rc == MW_OK && worst >= 0 ? name_of(f, worst, mem) : NULL;
  mw_arena_free(&tmp);
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}
