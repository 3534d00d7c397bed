// SPDX-License-Identifier: BSD-3-Clause
// map_picture.c: values over one to three coordinates as one SVG.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot_layer.h"
#include "draw/surface_layer.h"
#include "frf_layer.h"
#include "map_layer.h"
#include "reduction/ncfile.h"

enum { MAX_PANEL = 24, MAX_SLICE = 6, WIDE = 560, HIGH = 330 };

typedef struct drawing {
  const mw_map_table *t;
  int n_panel;
  mw_panel panel[MAX_PANEL];
  mw_curve curve[MAX_PANEL];
  mw_cells cells[MAX_PANEL];
  mw_arena mem;
} drawing;

static void label(const mw_map_axis *a, char *out, size_t n)
{
  snprintf(out, n, *a->unit ? "%s, %s" : "%s", a->name, a->unit);
}

// Ends that value v is drawn between; both 0: those of its values.
static void ends_of(const mw_map_table *t, int v, double *lo, double *hi)
{
  *lo = t->lo ? t->lo[v] : 0.0;
  *hi = t->hi ? t->hi[v] : 0.0;
}

static void add_curve(drawing *d, int v)
{
  const mw_map_table *t = d->t;
  mw_panel *p = &d->panel[d->n_panel];
  mw_curve *c = &d->curve[d->n_panel++];
  *c = (mw_curve){ .name = t->name[v],
                   .color = "#0072b2",
                   .width = 1.8,
                   .y = t->value + (size_t)v * (size_t)t->n_place };
  *p = (mw_panel){ .n = t->axis[0].n, .x = t->axis[0].x, .n_curve = 1, .curve = c };
  ends_of(t, v, &p->y_lo, &p->y_hi);
  snprintf(p->title, sizeof p->title, "%s", t->name[v]);
  snprintf(p->y_label, sizeof p->y_label, "%s", t->unit[v]);
  label(&t->axis[0], p->x_label, sizeof p->x_label);
}

// Value v at index k of the third axis, -1: there is none. lo, hi: of the bar.
static mw_code add_cells(drawing *d, int v, int k, double lo, double hi, mw_error *err)
{
  const mw_map_table *t = d->t;
  int n = t->axis[0].n * t->axis[1].n, deep = k >= 0 ? t->axis[2].n : 1;
  double *value = mw_arena_f64(&d->mem, (size_t)n);
  mw_code rc = mw_arena_check(&d->mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < n; i++)
    value[i] = t->value[(size_t)v * (size_t)t->n_place + (size_t)(i * deep + (k >= 0 ? k : 0))];
  mw_panel *p = &d->panel[d->n_panel];
  mw_cells *c = &d->cells[d->n_panel++];
  *c = (mw_cells){ .n_x = t->axis[0].n,
                   .n_y = t->axis[1].n,
                   .x = t->axis[0].x,
                   .y = t->axis[1].x,
                   .value = value,
                   .lo = lo,
                   .hi = hi,
                   .unit = t->unit[v] };
  *p = (mw_panel){ .cells = c };
  snprintf(p->title, sizeof p->title, "%s", t->name[v]);
  if (k >= 0)
    snprintf(p->title, sizeof p->title, "%.80s at %.40s = %.4g", t->name[v], t->axis[2].name,
             t->axis[2].x[k]);
  label(&t->axis[0], p->x_label, sizeof p->x_label);
  label(&t->axis[1], p->y_label, sizeof p->y_label);
  return MW_OK;
}

// Ends of value v: those of the table, else of what is finite; both 0 where nothing is.
static void range_of(const mw_map_table *t, int v, double *lo, double *hi)
{
  *lo = INFINITY;
  *hi = -INFINITY;
  for (int k = 0; k < t->n_place; k++) {
    double x = t->value[(size_t)v * (size_t)t->n_place + (size_t)k];
    if (isfinite(x)) *lo = fmin(*lo, x), *hi = fmax(*hi, x);
  }
  if (!(*lo <= *hi)) *lo = *hi = 0.0;
  if (t->lo && t->lo[v] < t->hi[v]) ends_of(t, v, lo, hi);
}

// Slices of value v along the third axis, all with one bar.
static mw_code add_slices(drawing *d, int v, mw_error *err)
{
  const mw_map_table *t = d->t;
  int n = t->axis[2].n, shown = n < MAX_SLICE ? n : MAX_SLICE;
  double lo, hi;
  mw_code rc = MW_OK;
  range_of(t, v, &lo, &hi);
  for (int k = 0; rc == MW_OK && k < shown && d->n_panel < MAX_PANEL; k++)
    rc = add_cells(d, v, shown > 1 ? k * (n - 1) / (shown - 1) : 0, lo, hi, err);
  return rc;
}

// "at y = 0.5, z = 0.1": coordinates that are no axis; false: all are.
static bool stays(const mw_map_table *t, char *out, size_t n)
{
  size_t used = 0;
  for (int i = 0; i < t->f->rom.s && used < n; i++) {
    bool axis = false;
    for (int k = 0; k < t->n_axis; k++) axis = axis || t->axis[k].along == i;
    if (!axis)
      used += (size_t)snprintf(out + used, n - used, "%s%s = %.5g", used ? ", " : "at ",
                               t->f->coordinate[i], t->theta[i]);
  }
  return used > 0;
}

static void draw(const drawing *d, FILE *f)
{
  const mw_map_table *t = d->t;
  char line[4][256];
  const char *text[4];
  int n = 0, per = t->n_axis == 3 ? MAX_SLICE : 1;
  if (stays(t, line[n], sizeof line[n])) n++;
  if (t->note) snprintf(line[n++], sizeof line[0], "%s", t->note);
  if (t->n_axis == 3 && t->axis[2].n > MAX_SLICE)
    snprintf(line[n++], sizeof line[0], "%d of %d values of %s are drawn", MAX_SLICE, t->axis[2].n,
             t->axis[2].name);
  if (t->n_value * per > MAX_PANEL)
    snprintf(line[n++], sizeof line[0], "the other values are in files (-o) alone");
  for (int k = 0; k < n; k++) text[k] = line[k];
  mw_figure g = { .w = WIDE,
                  .h = HIGH,
                  .n_col = d->n_panel > 1 ? 2 : 1,
                  .n_panel = d->n_panel,
                  .panel = d->panel,
                  .n_line = n,
                  .line = text };
  snprintf(g.title, sizeof g.title, "%s", t->what);
  mw_plot_figures(f, 1, &g);
}

mw_code mw_map_picture(const mw_map_table *t, const char *path, mw_error *err)
{
  drawing *d = calloc(1, sizeof *d);
  char *text = NULL;
  size_t n = 0;
  mw_code rc =
      d ? mw_plot_name(path, err) : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  if (d) d->t = t;
  for (int v = 0; rc == MW_OK && v < t->n_value && d->n_panel < MAX_PANEL; v++) {
    if (t->n_axis == 1) add_curve(d, v);
    double lo, hi;
    ends_of(t, v, &lo, &hi);
    if (t->n_axis == 2) rc = add_cells(d, v, -1, lo, hi, err);
    if (t->n_axis == 3) rc = add_slices(d, v, err);
  }
  FILE *f = rc == MW_OK ? open_memstream(&text, &n) : NULL;
  if (f) draw(d, f);
  if (rc == MW_OK && (!f || fclose(f) != 0))
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  if (rc == MW_OK) rc = mw_plot_save(path, t->what, text, n, err);
  free(text);
  if (d) mw_arena_free(&d->mem);
  free(d);
  return rc;
}

// Surfaces of value v at n levels between its ends, w × h px.
static mw_code surfaces_of(const mw_map_table *t, int v, int n, FILE *f, mw_error *err)
{
  char label_of[3][96], title[320];
  mw_volume o = { .value = t->value + (size_t)v * (size_t)t->n_place, .title = title };
  double lo, hi, level[MW_MAP_MAX_SURFACE];
  range_of(t, v, &lo, &hi);
  if (!(lo < hi))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%.80s is %g everywhere: it has no surfaces",
                   t->name[v], lo);
  for (int i = 0; i < 3; i++) {
    label(&t->axis[i], label_of[i], sizeof label_of[i]);
    o.n[i] = t->axis[i].n;
    o.x[i] = t->axis[i].x;
    o.label[i] = label_of[i];
  }
  snprintf(title, sizeof title, "%.180s: %.80s", t->what, t->name[v]);
  for (int k = 0; k < n; k++) level[k] = lo + (hi - lo) * (k + 1) / (n + 1);
  return mw_surface_draw(&o, n, level, t->unit[v], WIDE, 2 * HIGH, f, err);
}

mw_code mw_map_surfaces(const mw_map_table *t, int n, const char *path, mw_error *err)
{
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  mw_code rc = f ? MW_OK : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  if (rc == MW_OK && t->n_axis != 3)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--surface is of three coordinates, found %d under --over", t->n_axis);
  if (rc == MW_OK) rc = surfaces_of(t, 0, n, f, err);
  if (f && fclose(f) != 0 && rc == MW_OK)
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  if (rc == MW_OK) rc = mw_plot_save(path, t->what, text, size, err);
  free(text);
  return rc;
}
