// SPDX-License-Identifier: BSD-3-Clause
// modesweep_file.c: frequencies along one coordinate as CSV, and as a picture with a colour a mode.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "draw/plot_layer.h"
#include "modesweep_layer.h"
#include "reduction/ncfile.h"

enum { WIDE = 860, HIGH = 460, MOST = 12 };  // px; modes in the legend

static const double *drawn_of(const mw_mode_sweep *s) { return s->loaded ? s->loaded : s->hz; }

// title: of a picture, NULL of a table.
static mw_code store(FILE *f, char **text, const size_t *n, const char *title, const char *path,
                     mw_error *err)
{
  mw_code rc = MW_OK;
  if (!f || fclose(f) != 0) rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the sweep");
  if (rc == MW_OK && title) rc = mw_plot_save(path, title, *text, *n, err);
  if (rc == MW_OK && !title) rc = mw_file_replace(path, *text, *n, false, err);
  free(*text);
  return rc;
}

mw_code mw_mode_sweep_csv(const mw_mode_sweep *s, const char *path, mw_error *err)
{
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (f) {
    fprintf(f, "%s [%s],number,%s%smode,share kept\n", s->name, s->unit,
            s->hz ? "frequency [Hz]," : "", s->loaded ? "under the weight [Hz]," : "");
    for (int k = 0; k < s->n; k++)
      for (int i = 0; i < s->n_freq; i++) {
        int at = k * s->n_freq + i;
        if (s->identity[at] < 0) continue;
        fprintf(f, "%.17g,%d", s->x[k], i + 1);
        if (s->hz) fprintf(f, ",%.17g", s->hz[at]);
        if (s->loaded) fprintf(f, ",%.17g", s->loaded[at]);
        fprintf(f, ",%d,%.6g\n", s->identity[at] + 1, s->share[at]);
      }
  }
  return store(f, &text, &n, NULL, path, err);
}

// Curves over the points, one a mode: NAN where it is not among those computed.
static mw_code curves(const mw_mode_sweep *s, mw_arena *mem, mw_panel *p, mw_error *err)
{
  size_t all = (size_t)s->n_identity * (size_t)s->n;
  const double *hz = drawn_of(s);
  double *y = mw_arena_f64(mem, all);
  int *group = mw_arena_int(mem, all);
  p->curve = mw_arena_alloc(mem, (size_t)s->n_identity, sizeof *p->curve);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (size_t k = 0; k < all; k++) {
    y[k] = NAN;
    group[k] = (int)(k / (size_t)s->n);
  }
  for (int k = 0; k < s->n; k++)
    for (int i = 0; i < s->n_freq; i++) {
      int at = k * s->n_freq + i;
      if (s->identity[at] >= 0) y[(size_t)s->identity[at] * (size_t)s->n + (size_t)k] = hz[at];
    }
  for (int a = 0; a < s->n_identity; a++)
    p->curve[p->n_curve++] = (mw_curve){ .width = 1.6,
                                         .y = y + (size_t)a * (size_t)s->n,
                                         .group = group + (size_t)a * (size_t)s->n };
  return MW_OK;
}

// Every frequency as a dot in its mode's colour: what begins and ends at one point is seen, too.
static mw_code dots(const mw_mode_sweep *s, mw_arena *mem, mw_panel *p, mw_error *err)
{
  size_t all = (size_t)s->n * (size_t)s->n_freq;
  double *x = mw_arena_f64(mem, all), *y = mw_arena_f64(mem, all);
  int *group = mw_arena_int(mem, all), n = 0;
  p->dots = mw_arena_alloc(mem, 1, sizeof *p->dots);
  mw_code rc = mw_arena_check(mem, err);
  for (size_t k = 0; rc == MW_OK && k < all; k++) {
    if (s->identity[k] < 0) continue;
    x[n] = s->x[k / (size_t)s->n_freq];
    y[n] = drawn_of(s)[k];
    group[n++] = s->identity[k];
  }
  if (rc != MW_OK) return rc;
  p->dots[0] = (mw_dots){ .n = n, .x = x, .y = y, .group = group, .radius = 2.4 };
  p->n_dots = 1;
  return rc;
}

mw_code mw_mode_sweep_picture(const mw_mode_sweep *s, const char *title, const char *path,
                              mw_error *err)
{
  mw_arena mem = { 0 };
  char *text = NULL, line[2][256];
  const char *lines[2] = { line[0], line[1] };
  size_t n = 0;
  mw_panel p = { .n = s->n, .x = s->x };
  mw_key key[MOST] = { 0 };
  mw_figure g = { .w = WIDE, .h = HIGH, .n_col = 1, .n_panel = 1, .panel = &p, .key = key };
  mw_code rc = curves(s, &mem, &p, err);
  if (rc == MW_OK) rc = dots(s, &mem, &p, err);
  snprintf(p.x_label, sizeof p.x_label, "%s, %s", s->name, s->unit);
  snprintf(p.y_label, sizeof p.y_label, "frequency%s, Hz", s->loaded ? " under the weight" : "");
  snprintf(g.title, sizeof g.title, "%.150s%s%.30s", title, *s->rest ? " at " : "", s->rest);
  for (g.n_key = 0; g.n_key < s->n_identity && g.n_key < MOST; g.n_key++) {
    mw_key *k = &key[g.n_key];
    k->width = 1.6;
    mw_plot_pen(g.n_key, &k->color, &k->dash, &k->shape);
    snprintf(k->text, sizeof k->text, "mode %d", g.n_key + 1);
  }
  if (s->n_lost > 0)
    snprintf(line[g.n_line++], sizeof line[0],
             "%d times a frequency has more than half of no shape of the point before: a mode that "
             "comes into the band, or changes between points",
             s->n_lost);
  g.line = lines;
  FILE *f = rc == MW_OK ? open_memstream(&text, &n) : NULL;
  if (f) mw_plot_figures(f, 1, &g);
  if (rc == MW_OK) rc = store(f, &text, &n, title, path, err);
  mw_arena_free(&mem);
  return rc;
}
