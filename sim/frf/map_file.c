// SPDX-License-Identifier: BSD-3-Clause
// map_file.c: values over coordinates as files.
//
//   .csv  coordinates, values                                                                   (1)
//   .nc   a variable a coordinate and value, over the axes in their order
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map_layer.h"
#include "reduction/ncfile.h"

mw_map_axis mw_map_axis_of(const mw_rom_file *f, int i, int n, const double *x)
{
  const char *unit = f->unit && f->unit[i] ? f->unit[i] : "";
  return (mw_map_axis){ .name = f->coordinate[i], .unit = unit, .along = i, .n = n, .x = x };
}

double mw_map_along(const mw_map_table *t, int k, int i)
{
  for (int j = t->n_axis - 1; j > i; j--) k /= t->axis[j].n;
  return t->axis[i].x[k % t->axis[i].n];
}

void mw_map_place(const mw_map_table *t, int k, double *theta)
{
  memcpy(theta, t->theta, (size_t)t->f->rom.s * sizeof *theta);
  for (int i = 0; i < t->n_axis; i++)
    if (t->axis[i].along >= 0) theta[t->axis[i].along] = mw_map_along(t, k, i);
}

static void csv(const mw_map_table *t, FILE *f)
{
  double theta[MW_ROM_MAX_S];
  int s = t->f->rom.s;
  for (int i = 0; i < s; i++) fprintf(f, "%s%s", i ? "," : "", t->f->coordinate[i]);
  for (int i = 0; i < t->n_axis; i++)
    if (t->axis[i].along < 0) fprintf(f, ",%s [%s]", t->axis[i].name, t->axis[i].unit);
  for (int v = 0; v < t->n_value; v++)
    fprintf(f, *t->unit[v] ? ",%s [%s]" : ",%s", t->name[v], t->unit[v]);
  fputc('\n', f);
  for (int k = 0; k < t->n_place; k++) {
    mw_map_place(t, k, theta);
    for (int i = 0; i < s; i++) fprintf(f, "%s%.17g", i ? "," : "", theta[i]);
    for (int i = 0; i < t->n_axis; i++)
      if (t->axis[i].along < 0) fprintf(f, ",%.17g", mw_map_along(t, k, i));
    for (int v = 0; v < t->n_value; v++) fprintf(f, ",%.17g", t->value[v * t->n_place + k]);
    fputc('\n', f);
  }
}

static mw_code write_csv(const mw_map_table *t, const char *path, mw_error *err)
{
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (!f) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  csv(t, f);
  mw_code rc = fclose(f) == 0 ? MW_OK : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  if (rc == MW_OK) rc = mw_file_replace(path, text, n, false, err);
  free(text);
  return rc;
}

// Names of variables have no blanks.
static const char *joined(const char *name, char out[96])
{
  snprintf(out, 96, "%s", name);
  for (char *p = out; *p; p++)
    if (*p == ' ' || *p == '.' || *p == '*' || *p == '+') *p = '_';
  return out;
}

static mw_code write_nc(const mw_map_table *t, const char *path, mw_error *err)
{
  mw_ncw w;
  const mw_rom_file *f = t->f;
  int dim[MW_MAP_MAX_AXIS];
  const char *axis[MW_MAP_MAX_AXIS];
  char title[512], var[96];
  double at[MW_ROM_MAX_S];
  snprintf(title, sizeof title, "%s, %s", t->what, f->model_name);
  mw_ncw_open(&w, t->kind, title, f->version, f->command);
  mw_ncw_att_str(&w, NULL, "model_name", f->model_name);
  mw_ncw_att_str(&w, NULL, "model_hash", f->model_hash);
  for (int i = 0; i < t->n_axis; i++) {
    const mw_map_axis *a = &t->axis[i];
    dim[i] = mw_ncw_dim(&w, a->name, a->n);
    mw_ncw_f64(&w, a->name, 1, &dim[i], *a->unit ? a->unit : NULL,
               a->along < 0 ? a->name : "rigid-body coordinate", a->x);
  }
  for (int i = 0; i < t->n_axis; i++) axis[i] = t->axis[i].name;
  mw_ncw_str(&w, "axis", mw_ncw_dim(&w, "axis", t->n_axis), "names of the axes", axis);
  int one = mw_ncw_dim(&w, "value", t->n_value), all = mw_ncw_dim(&w, "all_coordinates", f->rom.s);
  mw_ncw_str(&w, "value", one, "names of the values", t->name);
  mw_ncw_str(&w, "all_coordinates", all, "rigid-body coordinates", f->coordinate);
  for (int i = 0; i < f->rom.s; i++) at[i] = t->theta[i];
  for (int i = 0; i < t->n_axis; i++)
    if (t->axis[i].along >= 0) at[t->axis[i].along] = (double)NAN;
  mw_ncw_f64(&w, "at", 1, &all, NULL, "where coordinates stay; not a number: an axis", at);
  for (int v = 0; v < t->n_value; v++)
    mw_ncw_f64(&w, joined(t->name[v], var), t->n_axis, dim, *t->unit[v] ? t->unit[v] : "1",
               t->name[v], t->value + (size_t)v * (size_t)t->n_place);
  return mw_ncw_close(&w, path, err);
}

mw_code mw_map_write(const mw_map_table *t, const char *path, mw_error *err)
{
  if (mw_file_ends_in(path, ".csv")) return write_csv(t, path, err);
  if (mw_file_ends_in(path, ".nc")) return write_nc(t, path, err);
  return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path },
                 "found a name without .csv or .nc, expected one of these endings");
}
