// SPDX-License-Identifier: BSD-3-Clause
// analysis_file.c: what files of all analyses begin with, and their pictures.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/analyze_layer.h"
#include "base/arena.h"

void mw_analysis_begin(mw_ncw *w, const mw_analysis *of)
{
  char title[512];
  snprintf(title, sizeof title, "%.400s: %.80s", of->name, of->what);
  mw_ncw_open(w, "analysis", title, MW_VERSION, of->command);
  mw_ncw_att_str(w, NULL, "model_name", of->name);
  mw_ncw_att_str(w, NULL, "model_hash", of->hash);
  mw_ncw_att_str(w, NULL, "analysis", of->what);
}

void mw_analysis_open(mw_ncw *w, const mw_mech *m, const char *what, const char *command)
{
  mw_analysis_begin(w, &(mw_analysis){ what, m->model->name, m->model->hash, command });
}

int mw_analysis_names(mw_ncw *w, const char *name, const char *meaning, int n, const char *const *x)
{
  int dim = mw_ncw_dim(w, name, n);
  mw_ncw_str(w, name, dim, meaning, x);
  return dim;
}

static int no_memory(mw_ncw *w, const char *what)
{
  if (w->rc == 0) snprintf(w->what, sizeof w->what, "%.60s", what);
  if (w->rc == 0) w->rc = ENOMEM;
  return -1;
}

int mw_analysis_some(mw_ncw *w, const mw_mech *m, const char *name, const char *meaning, int k,
                     const int *coord)
{
  mw_arena mem = { 0 };
  const char **x = mw_arena_alloc(&mem, (size_t)k, sizeof *x);
  for (int i = 0; x && i < k; i++) x[i] = mw_mech_coord_name(m, coord ? coord[i] : i);
  int dim = x ? mw_analysis_names(w, name, meaning, k, x) : no_memory(w, name);
  mw_arena_free(&mem);
  return dim;
}

int mw_analysis_coordinates(mw_ncw *w, const mw_mech *m)
{
  return mw_analysis_some(w, m, "coordinate", "name", m->n_coord, NULL);
}

int mw_analysis_drives(mw_ncw *w, const mw_mech *m)
{
  const mw_model *model = m->model;
  mw_arena mem = { 0 };
  const char **x = mw_arena_alloc(&mem, (size_t)model->n_drive, sizeof *x);
  for (int d = 0; x && d < model->n_drive; d++) x[d] = model->drive[d].name;
  int dim = x ? mw_analysis_names(w, "drive", "name", model->n_drive, x) : no_memory(w, "drive");
  mw_arena_free(&mem);
  return dim;
}

void mw_analysis_curves(int n, const double *t, int k, const double *x, const char *const *name,
                        const char *title, mw_arena *mem, mw_panel *out)
{
  out->curve = mw_arena_alloc(mem, (size_t)k, sizeof *out->curve);
  for (int c = 0; out->curve && c < k; c++) {
    double *y = mw_arena_f64(mem, (size_t)n);
    mw_shape shape;
    for (int i = 0; y && i < n; i++) y[i] = x[i * k + c];
    out->curve[c] = (mw_curve){ .name = name[c], .width = 1.5, .y = y };
    mw_plot_pen(c, &out->curve[c].color, &out->curve[c].dash, &shape);
  }
  out->n = n;
  out->x = t;
  out->n_curve = k;
  snprintf(out->title, sizeof out->title, "%s", title);
  snprintf(out->x_label, sizeof out->x_label, "time, s");
}

mw_code mw_analysis_draw(const char *path, int n_panel, const mw_panel *panel, mw_error *err)
{
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (f) {
    mw_plot_column(f, n_panel, panel);
    if (fclose(f) != 0) f = NULL;
  }
  mw_code rc = f ? mw_plot_save(path, panel[0].title, text, n, err)
                 : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a picture");
  free(text);
  return rc;
}
