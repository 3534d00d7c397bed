// SPDX-License-Identifier: BSD-3-Clause
// kinematics_file.c: positions, velocities and accelerations along a motion as netCDF and as a
// picture.
#include <string.h>

#include "analyze/analyze_layer.h"
#include "fem/output.h"

// Attitudes and angular velocities, a variable each, time its first dimension
static void write_turned(mw_ncw *w, const mw_mech *m, const mw_kinematics *o, int time,
                         mw_arena *mem)
{
  int row = 0;
  for (int k = 0; k < o->n_turned; k++) {
    const mw_observed_in *b = &m->model->observed[o->turned[k]];
    const mw_output_class *c = mw_output_classes[b->kind];
    const char *name = mw_arena_printf(mem, "output_%s", b->name),
               *axis = mw_arena_printf(mem, "components_of_%s", b->name);
    int width = mw_observed_width(b);
    double *x = mw_arena_f64(mem, (size_t)o->n * (size_t)width);
    if (!name || !axis || !x) return;
    for (int i = 0; i < o->n; i++)
      memcpy(x + i * width, o->x + (size_t)i * (size_t)o->n_row + row, (size_t)width * sizeof *x);
    const int of[] = { time, mw_ncw_dim(w, axis, width) };
    mw_ncw_f64(w, name, 2, of, mw_observed_unit(m->model, b, 0), c->doc, x);
    row += width;
  }
}

mw_code mw_kinematics_write(const mw_mech *m, const mw_kinematics *o, const char *path,
                            const char *command, mw_error *err)
{
  mw_ncw w;
  mw_arena mem = { 0 };
  const char **name = mw_arena_alloc(&mem, (size_t)o->n_out, sizeof *name);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < o->n_out; i++) name[i] = m->model->output[o->out[i]].name;
  mw_analysis_open(&w, m, "kinematics", command);
  int t = mw_ncw_dim(&w, "time", o->n), c = mw_analysis_coordinates(&w, m),
      y = mw_analysis_names(&w, "output", "positions", o->n_out, name), of_coord[] = { t, c },
      of_out[] = { t, y, mw_ncw_dim(&w, "axis", 3) };
  mw_ncw_f64(&w, "time", 1, &t, "s", "time", o->t);
  mw_ncw_f64(&w, "coordinates", 2, of_coord, NULL, "coordinates, m or rad", o->s);
  mw_ncw_f64(&w, "rates", 2, of_coord, NULL, "their rates, m/s or rad/s", o->s_dot);
  mw_ncw_f64(&w, "accelerations", 2, of_coord, NULL, "m/s2 or rad/s2", o->s_ddot);
  mw_ncw_f64(&w, "position", 3, of_out, "m", "of outputs, ground axes", o->y);
  mw_ncw_f64(&w, "velocity", 3, of_out, "m/s", "of outputs, ground axes", o->y_dot);
  mw_ncw_f64(&w, "acceleration", 3, of_out, "m/s2", "of outputs, ground axes", o->y_ddot);
  write_turned(&w, m, o, t, &mem);
  rc = mw_ncw_close(&w, path, err);
  if (rc == MW_OK) rc = mw_arena_check(&mem, err);
  mw_arena_free(&mem);
  return rc;
}

mw_code mw_kinematics_picture(const mw_mech *m, const mw_kinematics *o, const char *path,
                              mw_error *err)
{
  mw_arena mem = { 0 };
  mw_panel panel[3] = { 0 };
  const double *x[] = { o->s, o->s_dot, o->s_ddot };
  static const char *const title[] = { "coordinates, m or rad", "their rates, m/s or rad/s",
                                       "their accelerations, m/s2 or rad/s2" };
  const char **name = mw_arena_alloc(&mem, (size_t)m->n_coord, sizeof *name);
  for (int c = 0; name && c < m->n_coord; c++) name[c] = mw_mech_coord_name(m, c);
  for (int k = 0; name && k < 3; k++)
    mw_analysis_curves(o->n, o->t, m->n_coord, x[k], name, title[k], &mem, &panel[k]);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = mw_analysis_draw(path, 3, panel, err);
  mw_arena_free(&mem);
  return rc;
}
