// SPDX-License-Identifier: BSD-3-Clause
// runpicture.c: what a run recorded, over time.
#include <math.h>
#include <stdlib.h>

#include "draw/plot_layer.h"
#include "runpicture_layer.h"

enum { PANELS = 4, MOST = 12, WIDE = 860, HIGH = 280 };  // curves of a panel; px

typedef struct drawing {
  const mw_run *r;
  int n_panel, left_out;
  mw_panel panel[PANELS];
  mw_arena mem;
} drawing;

// n curves at once, x [n_t × stride] from 0 on, of names.
static void add(drawing *d, const char *title, const char *unit, int n, const double *x, int stride,
                const char *(*name)(const mw_run *r, int k))
{
  int shown = n < MOST ? n : MOST;
  if (n == 0) return;
  mw_panel *p = &d->panel[d->n_panel++];
  *p = (mw_panel){ .n = d->r->n_t, .x = d->r->t };
  p->curve = mw_arena_alloc(&d->mem, (size_t)shown, sizeof *p->curve);
  double *y = mw_arena_f64(&d->mem, (size_t)shown * (size_t)d->r->n_t);
  if (!p->curve || !y) return;
  for (int k = 0; k < shown; k++, y += d->r->n_t) {
    mw_shape shape;
    mw_curve *c = &p->curve[p->n_curve++];
    *c = (mw_curve){ .name = name(d->r, k), .width = 1.6, .y = y };
    mw_plot_pen(k, &c->color, &c->dash, &shape);
    for (int t = 0; t < d->r->n_t; t++) y[t] = x[(size_t)t * (size_t)stride + (size_t)k];
  }
  d->left_out += n - shown;
  snprintf(p->title, sizeof p->title, "%s", title);
  snprintf(p->x_label, sizeof p->x_label, "time, s");
  snprintf(p->y_label, sizeof p->y_label, "%s", unit);
}

static const char *coordinate(const mw_run *r, int k) { return mw_run_coord_name(r->model, k); }
static const char *output(const mw_run *r, int k) { return r->model->output[r->out[k]].name; }
static const char *drive(const mw_run *r, int k) { return r->model->drive[k].name; }
static const char *gauge(const mw_run *r, int k) { return r->model->output[r->gauge[k]].name; }

// Distances of outputs from where they started, m.
static double *travels(drawing *d)
{
  const mw_run *r = d->r;
  double *x = mw_arena_f64(&d->mem, (size_t)r->n_t * (size_t)r->n_out);
  for (int t = 0; x && t < r->n_t; t++)
    for (int o = 0; o < r->n_out; o++) {
      const double *y = r->y + 3 * (t * r->n_out + o), *y0 = r->y + 3 * o;
      x[t * r->n_out + o] = hypot(hypot(y[0] - y0[0], y[1] - y0[1]), y[2] - y0[2]);
    }
  return x;
}

static double *equivalents(drawing *d)
{
  const mw_run *r = d->r;
  double *x = mw_arena_f64(&d->mem, (size_t)r->n_t * (size_t)r->n_gauge);
  for (int t = 0; x && t < r->n_t; t++)
    for (int g = 0; g < r->n_gauge; g++) x[t * r->n_gauge + g] = mw_run_equivalent(r, g, t);
  return x;
}

static void draw(drawing *d, const char *title, FILE *f)
{
  const mw_run *r = d->r;
  char text[96];
  const char *line[1] = { text };
  mw_figure g[PANELS];
  mw_key key[PANELS][MOST];
  for (int k = 0; k < d->n_panel; k++) {
    const mw_panel *p = &d->panel[k];
    g[k] = (mw_figure){ .w = WIDE, .h = HIGH, .n_col = 1, .n_panel = 1, .panel = p, .key = key[k] };
    for (int c = 0; c < p->n_curve; c++) {
      key[k][c] = (mw_key){ .color = p->curve[c].color, .dash = p->curve[c].dash, .width = 1.6 };
      key[k][c].shape = MW_SHAPE_NONE;
      snprintf(key[k][c].text, sizeof key[k][c].text, "%.120s", p->curve[c].name);
    }
    g[k].n_key = p->n_curve;
  }
  snprintf(g[0].title, sizeof g[0].title, "%.170s, path %.8s", title, r->path);
  snprintf(text, sizeof text, "%d more are in the file, and not drawn", d->left_out);
  if (d->left_out > 0) g[d->n_panel - 1].n_line = 1;
  g[d->n_panel - 1].line = line;
  mw_plot_figures(f, d->n_panel, g);
}

mw_code mw_run_picture(const mw_run *r, const char *path, mw_error *err)
{
  drawing d = { .r = r };
  char title[192], *text = NULL;
  size_t n = 0;
  snprintf(title, sizeof title, "%.100s: scenario %.60s", r->model->name, r->scenario);
  add(&d, "coordinates", "m or rad", r->n_coord, r->s, r->n_coord, coordinate);
  add(&d, "outputs: distance from where they start", "m", r->n_out, travels(&d), r->n_out, output);
  if (r->stress)
    add(&d, "equivalent stress, strain", "Pa or 1", r->n_gauge, equivalents(&d), r->n_gauge, gauge);
  add(&d, "forces of drives", "N or N m", r->n_drive, r->force, r->n_drive, drive);
  mw_code rc = mw_arena_check(&d.mem, err);
  if (rc == MW_OK && d.n_panel == 0)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the run recorded nothing to draw");
  FILE *f = rc == MW_OK ? open_memstream(&text, &n) : NULL;
  if (f) draw(&d, title, f);
  if (rc == MW_OK && (!f || fclose(f) != 0))
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the picture");
  if (rc == MW_OK) rc = mw_plot_save(path, title, text, n, err);
  free(text);
  mw_arena_free(&d.mem);
  return rc;
}
