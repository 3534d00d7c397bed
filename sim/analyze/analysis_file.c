// SPDX-License-Identifier: BSD-3-Clause
// analysis_file.c: what files of all analyses begin with, and their pictures.
#include <stdio.h>
#include <stdlib.h>

#include "analyze_layer.h"

void mw_analysis_open(mw_ncw *w, const mw_mech *m, const char *what, const char *command)
{
  char title[512];
  snprintf(title, sizeof title, "%.400s: %.80s", m->model->name, what);
  mw_ncw_open(w, "analysis", title, MW_VERSION, command);
  mw_ncw_att_str(w, NULL, "model_name", m->model->name);
  mw_ncw_att_str(w, NULL, "model_hash", m->model->hash);
  mw_ncw_att_str(w, NULL, "analysis", what);
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
  mw_code rc = f ? mw_file_replace(path, text, n, false, err)
                 : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a picture");
  free(text);
  return rc;
}
