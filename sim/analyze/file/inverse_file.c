// SPDX-License-Identifier: BSD-3-Clause
// inverse_file.c: forces of drives along a motion as netCDF and as a picture.
#include <string.h>

#include "analyze/analyze_layer.h"

mw_code mw_drive_motion_write(const mw_mech *m, const mw_drive_motion *o, const char *path,
                              const char *command, mw_error *err)
{
  mw_ncw w;
  mw_analysis_open(&w, m, "inverse", command);
  int t = mw_ncw_dim(&w, "time", o->n), d = mw_analysis_drives(&w, m),
      c = mw_analysis_coordinates(&w, m),
      g = mw_analysis_some(&w, m, "given", "coordinates that give the motion", o->k, o->coord),
      of_drive[] = { t, d }, of_coord[] = { t, c }, of_given[] = { t, g };
  mw_ncw_f64(&w, "time", 1, &t, "s", "time", o->t);
  mw_ncw_f64(&w, "coordinates", 2, of_coord, NULL, "coordinates, m or rad", o->s);
  mw_ncw_f64(&w, "needed", 2, of_given, NULL, "what the motion needs in its coordinates, N or N m",
             o->Q);
  mw_ncw_f64(&w, "force", 2, of_drive, NULL, "of drives, N or N m", o->tau);
  mw_ncw_f64(&w, "rate", 2, of_drive, NULL, "of drives, m/s or rad/s", o->rate);
  mw_ncw_f64(&w, "power", 2, of_drive, "W", "of drives", o->power);
  mw_ncw_f64(&w, "not_driven", 1, &t, NULL, "largest part that drives do not give, N or N m",
             o->left);
  return mw_ncw_close(&w, path, err);
}

// Curves of drives: column d of x [n × n_drive]
mw_code mw_drive_motion_picture(const mw_mech *m, const mw_drive_motion *o, const char *path,
                                mw_error *err)
{
  mw_arena mem = { 0 };
  mw_panel panel[2] = { 0 };
  int k = m->model->n_drive;
  const char **name = mw_arena_alloc(&mem, (size_t)k, sizeof *name);
  for (int d = 0; name && d < k; d++) name[d] = m->model->drive[d].name;
  if (name) {
    mw_analysis_curves(o->n, o->t, k, o->tau, name, "forces of drives, N or N m", &mem, &panel[0]);
    mw_analysis_curves(o->n, o->t, k, o->power, name, "powers of drives, W", &mem, &panel[1]);
  }
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = mw_analysis_draw(path, 2, panel, err);
  mw_arena_free(&mem);
  return rc;
}
