// SPDX-License-Identifier: BSD-3-Clause
// minimal_file.c: equations of motion in minimal coordinates as netCDF, over a work space as a
// picture.
#include <math.h>
#include <string.h>

#include "analyze/analyze_layer.h"

// ---- netCDF -------------------------------------------------------------------------------------

static void write_tool(mw_ncw *w, const mw_minimal *o, int z)
{
  int d = mw_ncw_dim(w, "direction", 3), jd[] = { d, z }, dd[] = { d, d };
  mw_ncw_f64(w, "tool", 1, &d, "m", "place of the tool", o->x);
  mw_ncw_f64(w, "tool_velocity", 1, &d, "m/s", "of the tool", o->v);
  mw_ncw_f64(w, "J", 2, jd, NULL, "its derivative by z, 1 or m", o->J);
  mw_ncw_f64(w, "W", 2, dd, "1/kg", "J M^-1 J^T", o->W);
  mw_ncw_f64(w, "Lambda", 2, dd, "kg", "inverse of W on directions in which the tool moves",
             o->Lambda);
  mw_ncw_f64(w, "mu", 1, &d, "N", "bias: Lambda x'' + mu = F", o->mu);
}

static void write_map(mw_ncw *w, const mw_mech *m, const mw_over *over, const mw_minimal_map *o,
                      bool tool, double *x)
{
  int dim[MW_OVER_AXES + 1];
  for (int a = 0; a < over->n_axis; a++) {
    char name[128];
    double value[MW_OVER_AXES];
    int stride = 1;
    for (int b = a + 1; b < over->n_axis; b++) stride *= over->n[b];
    for (int i = 0; i < over->n[a]; i++) {
      mw_over_at(over, i * stride, value);
      x[i] = value[a];
    }
    snprintf(name, sizeof name, "over_%.100s", mw_mech_coord_name(m, over->coord[a]));
    dim[a] = mw_ncw_dim(w, name, over->n[a]);
    mw_ncw_f64(w, name, 1, &dim[a], NULL, "coordinate, m or rad", x);
  }
  int n = over->n_axis;
  mw_ncw_att_int(w, "points_out_of_reach", o->n_missing);
  mw_ncw_att_int(w, "points_with_fewer_directions", o->n_singular);
  mw_ncw_f64(w, "least", n, dim, NULL, "least eigenvalue of M", o->least);
  mw_ncw_f64(w, "most", n, dim, NULL, "largest eigenvalue of M", o->most);
  if (!tool) return;
  dim[n] = mw_ncw_dim_id(w, "direction");
  mw_ncw_f64(w, "place", n + 1, dim, "m", "of the tool", o->x);
  mw_ncw_f64(w, "light", n, dim, "kg", "least eigenvalue of Lambda", o->light);
  mw_ncw_f64(w, "heavy", n, dim, "kg", "largest eigenvalue of Lambda", o->heavy);
  mw_ncw_f64(w, "condition", n, dim, "1", "largest over least singular value of J", o->condition);
  mw_ncw_f64(w, "manipulability", n, dim, NULL, "product of singular values of J",
             o->manipulability);
  if (o->usable)
    mw_ncw_f64(w, "usable", n, dim, "m/s2", "largest acceleration in every direction, at rest",
               o->usable);
}

mw_code mw_minimal_write(const mw_mech *m, const mw_minimal *o, const mw_over *over,
                         const mw_minimal_map *map, const char *file, const char *command,
                         mw_error *err)
{
  mw_ncw w;
  mw_arena mem = { 0 };
  int most = 1;
  for (int a = 0; map && a < over->n_axis; a++) most = over->n[a] > most ? over->n[a] : most;
  double *x = mw_arena_f64(&mem, (size_t)most);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc != MW_OK) return rc;
  mw_analysis_open(&w, m, "dynamics", command);
  int z = mw_analysis_names(&w, "z", "minimal coordinates", o->k, o->name), zz[] = { z, z, z };
  mw_ncw_str(&w, "z_unit", z, "of z", o->unit);
  mw_ncw_f64(&w, "at", 1, &z, NULL, "coordinates, m or rad", o->z);
  mw_ncw_f64(&w, "rate", 1, &z, NULL, "their rates", o->rate);
  mw_ncw_f64(&w, "M", 2, zz, NULL, "M z'' + C z' + d + g = Q, SI", o->M);
  mw_ncw_f64(&w, "C", 2, zz, NULL, "Christoffel symbols times rates, SI", o->C);
  mw_ncw_f64(&w, "dM", 3, zz, NULL, "derivative of M by the first z, SI", o->dM);
  mw_ncw_f64(&w, "g", 1, &z, NULL, "at rest: weight, springs, forces, N or N m", o->g);
  mw_ncw_f64(&w, "d", 1, &z, NULL, "dampers, N or N m", o->d);
  if (o->n_direction > 0) write_tool(&w, o, z);
  if (map) write_map(&w, m, over, map, o->n_direction > 0, x);
  rc = mw_ncw_close(&w, file, err);
  mw_arena_free(&mem);
  return rc;
}

// ---- picture ------------------------------------------------------------------------------------

enum { PANELS = 5 };

typedef struct drawing {
  const mw_mech *m;
  const mw_over *over;
  mw_arena mem;
  double *axis[2];
  mw_curve curve[PANELS];
  mw_cells cells[PANELS];
  mw_panel panel[PANELS];
  int n_panel;
} drawing;

static void add(drawing *d, const char *title, const char *unit, const double *value)
{
  const mw_over *o = d->over;
  mw_panel *p = &d->panel[d->n_panel];
  mw_curve *c = &d->curve[d->n_panel];
  mw_cells *e = &d->cells[d->n_panel++];
  snprintf(p->title, sizeof p->title, "%s", title);
  snprintf(p->x_label, sizeof p->x_label, "%.90s", mw_mech_coord_name(d->m, o->coord[0]));
  if (o->n_axis == 1) {
    *c = (mw_curve){ .name = title, .color = "#1f4e79", .width = 1.5, .y = value };
    p->n = o->n[0];
    p->x = d->axis[0];
    p->n_curve = 1;
    p->curve = c;
    snprintf(p->y_label, sizeof p->y_label, "%s", unit);
    return;
  }
  *e = (mw_cells){
    .n_x = o->n[0], .n_y = o->n[1], .x = d->axis[0], .y = d->axis[1], .value = value, .unit = unit
  };
  p->cells = e;
  snprintf(p->y_label, sizeof p->y_label, "%.90s", mw_mech_coord_name(d->m, o->coord[1]));
}

mw_code mw_minimal_picture(const mw_mech *m, const mw_over *over, const mw_minimal_map *map,
                           const char *file, mw_error *err)
{
  drawing d = { .m = m, .over = over };
  bool tool = false;
  for (int i = 0; i < map->n; i++) tool = tool || isfinite(map->heavy[i]);
  for (int a = 0; a < over->n_axis && a < 2; a++) {
    d.axis[a] = mw_arena_f64(&d.mem, (size_t)over->n[a]);
    for (int i = 0; d.axis[a] && i < over->n[a]; i++)
      d.axis[a][i] = over->lo[a] + (over->hi[a] - over->lo[a]) * i / (over->n[a] - 1.0);
  }
  mw_code rc = mw_arena_check(&d.mem, err);
  if (rc == MW_OK) {
    add(&d, "least eigenvalue of M", "SI", map->least);
    add(&d, "largest eigenvalue of M", "SI", map->most);
    if (tool) add(&d, "largest inertia at the tool", "kg", map->heavy);
    if (tool) add(&d, "manipulability", "SI", map->manipulability);
    if (tool && map->usable) add(&d, "usable acceleration of the tool", "m/s2", map->usable);
    rc = mw_analysis_draw(file, d.n_panel, d.panel, err);
  }
  mw_arena_free(&d.mem);
  return rc;
}
