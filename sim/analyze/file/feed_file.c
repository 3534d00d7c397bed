// SPDX-License-Identifier: BSD-3-Clause
// feed_file.c: elastic feed-forward as netCDF and as a picture.
#include <math.h>
#include <string.h>

#include "analyze/analyze_layer.h"

static const char *const errors[MW_N_FEED] = { "error_motor", "error_position", "error_force" };

mw_code mw_feed_write(const mw_mech *m, const mw_rom_file *rom, const mw_feed_forward *o,
                      const char *path, const char *command, mw_error *err)
{
  static const char *const meaning[MW_N_FEED] = { "of the tool, coordinates follow the motion",
                                                  "of the tool, coordinates follow theta",
                                                  "of the tool, forces alone" };
  mw_ncw w;
  mw_analysis_open(&w, m, "feed-forward", command);
  int t = mw_ncw_dim(&w, "time", o->n), d = mw_analysis_drives(&w, m),
      c = mw_analysis_names(&w, "coordinate", "of the reduction", o->s,
                            (const char *const *)rom->coordinate),
      axis = mw_ncw_dim(&w, "axis", 3), k = mw_ncw_dim(&w, "pass", o->n_pass),
      of_coord[] = { t, c }, of_drive[] = { t, d }, of_axis[] = { t, axis };
  mw_ncw_att_str(&w, NULL, "tool", m->model->output[o->tool].name);
  if (o->jumps) mw_ncw_att_str(&w, NULL, "rates_would_jump", o->jumps);
  mw_ncw_f64(&w, "time", 1, &t, "s", "time", o->t);
  mw_ncw_f64(&w, "motion", 2, of_coord, NULL, "asked for, m or rad", o->motor);
  mw_ncw_f64(&w, "theta", 2, of_coord, NULL, "with which the tool follows, m or rad", o->theta);
  mw_ncw_f64(&w, "theta_rate", 2, of_coord, NULL, "its rates", o->rate);
  mw_ncw_f64(&w, "theta_acceleration", 2, of_coord, NULL, "its accelerations", o->acceleration);
  mw_ncw_f64(&w, "force", 2, of_drive, NULL, "of drives, N or N m", o->force);
  mw_ncw_f64(&w, "asked", 2, of_axis, "m", "where the tool should be", o->asked);
  mw_ncw_f64(&w, "reached", 2, of_axis, "m", "where theta puts it", o->reached);
  mw_ncw_f64(&w, "off", 1, &k, "m", "how far a pass moves the tool at most", o->off);
  mw_ncw_f64(&w, "error", 1, &k, "m", "of the tool in a run with what the pass finds", o->error);
  for (int i = 0; i < MW_N_FEED; i++)
    if (!o->run[i].failed) mw_ncw_f64(&w, errors[i], 2, of_axis, "m", meaning[i], o->run[i].error);
  return mw_ncw_close(&w, path, err);
}

static double norm3(const double *x) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

mw_code mw_feed_picture(const mw_mech *m, const mw_rom_file *rom, const mw_feed_forward *o,
                        const char *path, mw_error *err)
{
  static const char *const run[MW_N_FEED] = { "motors follow", "feed-forward of positions",
                                              "forces alone" };
  mw_arena mem = { 0 };
  mw_panel panel[3] = { 0 };
  size_t n = (size_t)o->n, s = (size_t)o->s;
  double *lead = mw_arena_f64(&mem, n * s), *error = mw_arena_f64(&mem, n * MW_N_FEED);
  const char **name = mw_arena_alloc(&mem, (size_t)o->n_drive, sizeof *name);
  mw_code rc = mw_arena_check(&mem, err);
  for (size_t k = 0; rc == MW_OK && k < n * s; k++) lead[k] = o->theta[k] - o->motor[k];
  for (size_t i = 0; rc == MW_OK && i < n; i++)
    for (int k = 0; k < MW_N_FEED; k++)
      error[i * MW_N_FEED + (size_t)k] =
          o->run[k].failed ? (double)NAN : norm3(o->run[k].error + 3 * i);
  for (int d = 0; rc == MW_OK && d < o->n_drive; d++) name[d] = m->model->drive[d].name;
  if (rc == MW_OK) {
    mw_analysis_curves(o->n, o->t, o->s, lead, (const char *const *)rom->coordinate,
                       "what coordinates lead the motion by, m or rad", &mem, &panel[0]);
    mw_analysis_curves(o->n, o->t, o->n_drive, o->force, name, "forces of drives, N or N m", &mem,
                       &panel[1]);
    mw_analysis_curves(o->n, o->t, MW_N_FEED, error, run, "the tool is off, m", &mem, &panel[2]);
    rc = mw_arena_check(&mem, err);
  }
  if (rc == MW_OK) rc = mw_analysis_draw(path, 3, panel, err);
  mw_arena_free(&mem);
  return rc;
}
