// SPDX-License-Identifier: BSD-3-Clause
// elastic_file.c: equilibria of elastic mechanisms over a load factor and critical factors, as
// netCDF and as a picture.
#include <math.h>
#include <string.h>

#include "analyze/analyze_layer.h"

// Names of outputs that are positions as a dimension
static int outputs_dim(mw_ncw *w, const mw_mech *m, const mw_elastic_rest *o, mw_arena *mem)
{
  const char **x = mw_arena_alloc(mem, (size_t)o->n_out, sizeof *x);
  for (int k = 0; x && k < o->n_out; k++) x[k] = m->model->output[o->out[k]].name;
  return mw_analysis_names(w, "output", "name", x ? o->n_out : 0, x);
}

mw_code mw_elastic_write(const mw_mech *m, const mw_elastic_found *f, const char *path,
                         const char *command, mw_error *err)
{
  const mw_elastic_rest *o = &f->rest;
  const mw_buckling *c = &f->critical;
  mw_ncw w;
  mw_arena mem = { 0 };
  size_t row = 3 * (size_t)o->n_out;
  double *mode = mw_arena_f64(&mem, (size_t)c->n * row);
  int *held = mw_arena_int(&mem, (size_t)m->n_coord);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc != MW_OK) {
    mw_arena_free(&mem);
    return rc;
  }
  for (int i = 0; i < c->n; i++)
    for (int k = 0; k < o->n_out; k++)
      memcpy(mode + (size_t)i * row + 3 * k, c->y + 3 * (i * m->model->n_output + o->out[k]),
             3 * sizeof *mode);
  for (int i = 0; i < m->n_coord; i++) held[i] = o->held[i];
  mw_analysis_open(&w, m, "elastic statics", command);
  int coord = mw_analysis_coordinates(&w, m), out = outputs_dim(&w, m, o, &mem),
      axis = mw_ncw_dim(&w, "axis", 3), n = mw_ncw_dim(&w, "equilibrium", o->n),
      k = mw_ncw_dim(&w, "critical", c->n), sd[] = { n, coord }, yd[] = { n, out, axis },
      zd[] = { out, axis }, cd[] = { k, out, axis };
  if (o->end) mw_ncw_att_str(&w, NULL, "path_end", o->end);
  if (f->left_out) mw_ncw_att_str(&w, NULL, "critical_left_out", f->left_out);
  mw_ncw_int(&w, "held", 1, &coord, "coordinates that do not move", held);
  mw_ncw_f64(&w, "factor", 1, &n, "1", "of the forces", o->factor);
  mw_ncw_f64(&w, "coordinates", 2, sd, NULL, "in equilibrium, m or rad", o->s);
  mw_ncw_f64(&w, "undeformed", 2, zd, "m", "positions of outputs without any load", o->y0);
  mw_ncw_f64(&w, "position", 3, yd, "m", "of outputs in equilibrium", o->y);
  mw_ncw_int(&w, "unstable", 1, &n, "eigenvalues of the tangent below 0, -1: not known",
             o->n_unstable);
  if (o->not_judged) mw_ncw_att_str(&w, NULL, "stability_not_judged", o->not_judged);
  mw_ncw_f64(&w, "potential", 1, &n, "J", "of strains, springs and weight", o->potential);
  mw_ncw_f64(&w, "turn", 1, &n, "rad", "largest rotation of a node against its body", o->turn);
  mw_ncw_f64(&w, "critical_factor", 1, &k, "1", "at which it buckles", c->factor);
  if (c->n > 0) mw_ncw_att_f64(&w, "critical_factor", "left", c->left);  // else no such variable
  mw_ncw_f64(&w, "critical_mode", 3, cd, "1", "what outputs move by, the largest 1", mode);
  mw_arena_free(&mem);
  return mw_ncw_close(&w, path, err);
}

// How far outputs are displaced over the factor; critical factors in the title
mw_code mw_elastic_picture(const mw_mech *m, const mw_elastic_found *f, const char *path,
                           mw_error *err)
{
  const mw_elastic_rest *o = &f->rest;
  const mw_buckling *c = &f->critical;
  mw_arena mem = { 0 };
  mw_panel p = { 0 };
  size_t n = (size_t)o->n * (size_t)o->n_out;
  double *x = mw_arena_f64(&mem, n);
  const char **name = mw_arena_alloc(&mem, (size_t)o->n_out, sizeof *name);
  mw_code rc = mw_arena_check(&mem, err);
  for (int i = 0; rc == MW_OK && i < o->n; i++)
    for (int k = 0; k < o->n_out; k++) {
      const double *a = o->y + 3 * (i * o->n_out + k), *b = o->y0 + 3 * k;
      x[i * o->n_out + k] = sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
      name[k] = m->model->output[o->out[k]].name;
    }
  if (rc == MW_OK) {
    mw_analysis_curves(o->n, o->factor, o->n_out, x, name, "displacements of outputs, m", &mem, &p);
    if (c->n > 0)
      snprintf(p.title, sizeof p.title, "displacements of outputs, m; buckles at the factor %.6g",
               c->factor[0]);
    snprintf(p.x_label, sizeof p.x_label, "factor of the forces");
    rc = mw_arena_check(&mem, err);
  }
  if (rc == MW_OK) rc = mw_analysis_draw(path, 1, &p, err);
  mw_arena_free(&mem);
  return rc;
}
