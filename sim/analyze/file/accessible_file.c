// SPDX-License-Identifier: BSD-3-Clause
// accessible_file.c: accessible dynamics along a path as netCDF and as a picture.
#include <math.h>
#include <string.h>

#include "analyze/analyze_layer.h"

// ---- netCDF -------------------------------------------------------------------------------------

static void write_path(mw_ncw *w, const mw_path_dynamics *d, const int dim[4])
{
  int pc[] = { dim[0], dim[2] }, pz[] = { dim[0], dim[3] }, pzd[] = { dim[0], dim[3], dim[1] },
      pd[] = { dim[0], dim[1] };
  mw_ncw_att_int(w, "viscous", d->viscous);
  mw_ncw_att_int(w, "dry_friction", d->dry);
  mw_ncw_f64(w, "p", 1, &dim[0], "1", "parameter of the path", d->p);
  mw_ncw_f64(w, "coordinates", 2, pc, NULL, "coordinates along the path, m or rad", d->s);
  mw_ncw_f64(w, "coordinates_p", 2, pc, NULL, "their derivatives by p", d->s1);
  mw_ncw_f64(w, "coordinates_pp", 2, pc, NULL, "their second derivatives by p", d->s2);
  mw_ncw_f64(w, "a", 2, pz, NULL, "forces on z a unit of p'', N s2 or N m s2", d->a);
  mw_ncw_f64(w, "b", 2, pz, NULL, "forces on z a unit of p'^2, N s2 or N m s2", d->b);
  mw_ncw_f64(w, "f", 2, pz, NULL, "forces on z a unit of p', N s or N m s", d->f);
  mw_ncw_f64(w, "c", 2, pz, NULL, "forces on z at rest, N or N m", d->c);
  mw_ncw_f64(w, "B", 3, pzd, NULL, "what drives give to z", d->B);
  mw_ncw_f64(w, "drive_p", 2, pd, NULL, "derivatives of the drives' coordinates by p, m or rad",
             d->rate);
}

static void write_regions(mw_ncw *w, const mw_regions *o, int point, mw_arena *mem)
{
  int most = 1;
  for (int i = 0; i < o->n; i++) most = o->n_vertex[i] > most ? o->n_vertex[i] : most;
  int of[] = { point, mw_ncw_dim(w, "vertex", most), mw_ncw_dim(w, "plane", 2) },
      rest[] = { point, of[2] };
  double *v = mw_arena_f64(mem, (size_t)o->n * (size_t)most * 2);
  for (int i = 0; v && i < o->n; i++)
    for (int k = 0; k < 2 * most; k++)
      v[(size_t)i * (size_t)most * 2 + (size_t)k] =
          k < 2 * o->n_vertex[i] ? o->vertex[(size_t)i * (size_t)o->most * 2 + (size_t)k] : NAN;
  if (!v) return;
  mw_ncw_int(w, "vertices", 1, &point, "of the region; -1: unbounded, 0: none", o->n_vertex);
  mw_ncw_f64(
      w, "region", 3, of, "1/s2",
      "corners (p'^2, p'') of what limits of forces and speeds leave, without viscous forces "
      "and power",
      v);
  mw_ncw_f64(w, "fastest", 1, &point, "1/s",
             "largest p', viscous forces counted; -1: none, infinite: all", o->fastest);
  mw_ncw_f64(w, "speed_limit", 1, &point, "1/s", "largest p' by speeds of drives alone", o->speed);
  mw_ncw_f64(w, "rest", 2, rest, "1/s2", "least and largest p'' at rest", o->rest);
}

static void write_traversal(mw_ncw *w, const mw_traversal *o, int drive)
{
  int n = mw_ncw_dim(w, "traversal", o->n), m = mw_ncw_dim(w, "interval", o->n - 1),
      of[] = { m, drive };
  mw_ncw_att_f64(w, NULL, "duration", o->duration);
  mw_ncw_f64(w, "traversal_p", 1, &n, "1", "parameter of the path", o->p);
  mw_ncw_f64(w, "traversal_rate", 1, &n, "1/s", "p' of the fastest traversal", o->rate);
  mw_ncw_f64(w, "traversal_time", 1, &n, "s", "when it is there", o->t);
  mw_ncw_f64(w, "traversal_force", 2, of, NULL, "of drives between points, of least norm, N or N m",
             o->force);
}

static void write_move(mw_ncw *w, const mw_elastic_move *e, int k, const int of[3])
{
  char name[3][32];
  int n = 0;
  snprintf(name[0], sizeof name[0], "instant_%d", k);
  n = mw_ncw_dim(w, name[0], e->n);
  int series[] = { n, of[0], of[1] };
  snprintf(name[0], sizeof name[0], "move_%d_time", k);
  snprintf(name[1], sizeof name[1], "move_%d_p", k);
  snprintf(name[2], sizeof name[2], "move_%d_deflection", k);
  mw_ncw_f64(w, name[0], 1, &n, "s", "time of a motion", e->t);
  mw_ncw_f64(w, name[1], 1, &n, "1", "where on the path", e->p);
  mw_ncw_f64(w, name[2], 3, series, "m", "deflection, ground axes", e->y);
  mw_ncw_att_f64(w, name[2], "rise", e->rise);
  mw_ncw_att_f64(w, name[2], "duration", e->duration);
}

static void write_elastic(mw_ncw *w, const mw_mech *m, const mw_elastic_reach *e, int point,
                          mw_arena *mem)
{
  const mw_elastic_path *o = e->path;
  const char **name = mw_arena_alloc(mem, (size_t)o->n_out, sizeof *name);
  int two = mw_ncw_dim(w, "least_most", 2), rest[] = { point, two };
  mw_ncw_f64(w, "lowest_frequency", 1, &point, "Hz", "coordinates held", o->hz);
  mw_ncw_f64(w, "rest_by_drives", 2, rest, "1/s2",
             "least and largest p'' at rest by limits of drives alone", e->alone->rest);
  if (!name || o->n_out == 0) return;
  for (int k = 0; k < o->n_out; k++) name[k] = m->model->output[o->output[k]].name;
  int of[3] = { mw_analysis_names(w, "deflected", "outputs with bounds", o->n_out, name),
                mw_ncw_dim(w, "axis", 3), 0 },
      y[] = { point, of[0], of[1] };
  mw_ncw_f64(w, "deflection_most", 1, &of[0], "m", "bound", e->most);
  mw_ncw_f64(w, "deflection_a", 3, y, NULL, "deflection a unit of p'', m s2", o->a);
  mw_ncw_f64(w, "deflection_b", 3, y, NULL, "deflection a unit of p'^2, m s2", o->b);
  mw_ncw_f64(w, "deflection_f", 3, y, NULL, "deflection a unit of p', m s", o->f);
  mw_ncw_f64(w, "deflection_c", 3, y, "m", "deflection at rest", o->c);
  for (int k = 0; k < e->n_move; k++) write_move(w, &e->move[k], k, of);
}

mw_code mw_accessible_write(const mw_mech *m, const mw_accessible *o, const char *path,
                            const char *command, mw_error *err)
{
  const mw_path_dynamics *d = o->dynamics;
  mw_ncw w;
  mw_arena mem = { 0 };
  mw_analysis_open(&w, m, "reach", command);
  mw_ncw_att_str(&w, NULL, "path", o->path);
  int dim[4] = { mw_ncw_dim(&w, "point", d->n), mw_analysis_drives(&w, m),
                 mw_analysis_coordinates(&w, m),
                 mw_analysis_some(&w, m, "z", "independent coordinates", d->k, d->coord) };
  mw_ncw_f64(&w, "force_least", 1, &dim[1], NULL, "limit, N or N m", o->limits->lo);
  mw_ncw_f64(&w, "force_most", 1, &dim[1], NULL, "limit, N or N m", o->limits->hi);
  mw_ncw_f64(&w, "speed_most", 1, &dim[1], NULL, "limit, m/s or rad/s", o->limits->speed);
  if (o->limits->power)
    mw_ncw_f64(&w, "power_most", 1, &dim[1], "W", "limit, driving and braking", o->limits->power);
  write_path(&w, d, dim);
  write_regions(&w, o->regions, dim[0], &mem);
  if (o->traversal) write_traversal(&w, o->traversal, dim[1]);
  if (o->elastic) write_elastic(&w, m, o->elastic, dim[0], &mem);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK)
    rc = mw_ncw_close(&w, path, err);
  else
    mw_ncw_abort(&w);
  mw_arena_free(&mem);
  return rc;
}

// ---- picture ------------------------------------------------------------------------------------

enum { SHOWN = 5, SAMPLES = 400 };

typedef struct drawing {
  const mw_mech *m;
  const mw_accessible *o;
  mw_arena mem;
  mw_dots dots;
  mw_curve limit[2], bound[2 * SHOWN];
  char name[SHOWN][32];
  mw_panel panel[4];
} drawing;

// The largest speeds along the path, and the fastest traversal as dots.
static void draw_speeds(drawing *d)
{
  const mw_regions *r = d->o->regions;
  mw_panel *p = &d->panel[0];
  double *y[2] = { mw_arena_f64(&d->mem, (size_t)r->n), mw_arena_f64(&d->mem, (size_t)r->n) };
  for (int i = 0; y[0] && y[1] && i < r->n; i++) {
    y[0][i] = r->fastest[i] >= 0.0 && isfinite(r->fastest[i]) ? r->fastest[i] : NAN;
    y[1][i] = r->speed[i];
  }
  d->limit[0] = (mw_curve){ .name = "limits", .color = "#b03a2e", .width = 1.5, .y = y[0] };
  d->limit[1] = (mw_curve){
    .name = "of speed alone", .color = "#7f8c8d", .dash = "4 3", .width = 1.2, .y = y[1]
  };
  p->n = r->n;
  p->x = d->o->dynamics->p;
  p->n_curve = 2;
  p->curve = d->limit;
  snprintf(p->title, sizeof p->title, "largest speed along the path");
  snprintf(p->x_label, sizeof p->x_label, "p");
  snprintf(p->y_label, sizeof p->y_label, "rate of p, 1/s");
  const mw_traversal *t = d->o->traversal;
  if (!t) return;
  snprintf(p->title, sizeof p->title, "largest speed; dots: fastest traversal, %.6g s",
           t->duration);
  d->dots = (mw_dots){ .n = t->n, .x = t->p, .y = t->rate, .color = "#1f4e79", .radius = 1.5 };
  p->dots = &d->dots;
  p->n_dots = 1;
}

// Borders of some regions over ṗ², over ṗ with viscous forces.
static void draw_regions(drawing *d)
{
  const mw_path_dynamics *dyn = d->o->dynamics;
  const mw_regions *r = d->o->regions;
  mw_panel *p = &d->panel[1];
  double *x = mw_arena_f64(&d->mem, SAMPLES), most = 0.0;
  mw_half *half = mw_arena_alloc(&d->mem, (size_t)mw_halves_most(dyn), sizeof *half);
  int shown = dyn->n < SHOWN ? dyn->n : SHOWN;
  for (int i = 0; i < r->n; i++)
    if (isfinite(r->fastest[i])) most = fmax(most, r->fastest[i]);
  for (int i = 0; d->o->traversal && most <= 0.0 && i < d->o->traversal->n; i++)
    most = fmax(most, d->o->traversal->rate[i]);
  for (int k = 0; x && half && k < shown; k++) {
    int i = shown > 1 ? k * (dyn->n - 1) / (shown - 1) : 0, n;
    double *y[2] = { mw_arena_f64(&d->mem, SAMPLES), mw_arena_f64(&d->mem, SAMPLES) };
    mw_shape shape;
    if (!y[0] || !y[1]) return;
    n = mw_halves_find(dyn, i, d->o->limits, half);
    for (int j = 0; j < SAMPLES; j++) {
      double rate = most * j / (SAMPLES - 1.0);
      if (!dyn->viscous) rate = most * sqrt(j / (SAMPLES - 1.0));
      x[j] = dyn->viscous ? rate : rate * rate;
      bool some = rate <= r->speed[i] && mw_region_range(n, half, rate, &y[0][j], &y[1][j]);
      if (!some) y[0][j] = y[1][j] = NAN;
    }
    snprintf(d->name[k], sizeof d->name[k], "p = %.3g", dyn->p[i]);
    for (int s = 0; s < 2; s++) {
      mw_curve *c = &d->bound[s * shown + k];
      *c = (mw_curve){ .name = d->name[k], .width = 1.4, .y = y[s] };
      mw_plot_pen(k, &c->color, &c->dash, &shape);
    }
  }
  p->n = SAMPLES;
  p->x = x;
  p->n_curve = 2 * shown;
  p->curve = d->bound;
  snprintf(p->title, sizeof p->title, "accessible accelerations between the curves");
  snprintf(p->x_label, sizeof p->x_label, dyn->viscous ? "rate of p, 1/s" : "its square, 1/s2");
  snprintf(p->y_label, sizeof p->y_label, "acceleration of p, 1/s2");
}

static void draw_forces(drawing *d)
{
  const mw_traversal *t = d->o->traversal;
  mw_panel *p = &d->panel[2];
  int nd = d->o->dynamics->n_drive, n = t->n - 1;
  double *x = mw_arena_f64(&d->mem, (size_t)n);
  p->curve = mw_arena_alloc(&d->mem, (size_t)nd, sizeof *p->curve);
  for (int i = 0; x && i < n; i++) x[i] = 0.5 * (t->t[i] + t->t[i + 1]);
  for (int k = 0; p->curve && k < nd; k++) {
    double *y = mw_arena_f64(&d->mem, (size_t)n);
    mw_shape shape;
    for (int i = 0; y && i < n; i++) y[i] = t->force[i * nd + k];
    p->curve[k] = (mw_curve){ .name = d->m->model->drive[k].name, .width = 1.4, .y = y };
    mw_plot_pen(k, &p->curve[k].color, &p->curve[k].dash, &shape);
  }
  p->n = n;
  p->x = x;
  p->n_curve = nd;
  snprintf(p->title, sizeof p->title, "forces of the fastest traversal, N or N m");
  snprintf(p->x_label, sizeof p->x_label, "time, s");
}

// Sizes of deflections in time, of all motions: the largest of each part of the panel's width.
static void draw_deflections(drawing *d)
{
  const mw_elastic_reach *e = d->o->elastic;
  mw_panel *p = &d->panel[3];
  int n_out = e->path->n_out, n = SAMPLES, k = 0;
  double end = 0.0, *x = mw_arena_f64(&d->mem, SAMPLES);
  p->curve = mw_arena_alloc(&d->mem, (size_t)(e->n_move * n_out), sizeof *p->curve);
  for (int m = 0; m < e->n_move; m++) end = fmax(end, e->move[m].t[e->move[m].n - 1]);
  for (int i = 0; x && i < n; i++) x[i] = end * i / (n - 1.0);
  for (int m = 0; p->curve && x && m < e->n_move; m++)
    for (int o = 0; o < n_out; o++, k++) {
      const mw_elastic_move *v = &e->move[m];
      double *y = mw_arena_f64(&d->mem, SAMPLES);
      mw_shape shape;
      for (int i = 0; y && i < n; i++) y[i] = NAN;
      for (int i = 0; y && i < v->n; i++) {
        const double *r = v->y + 3 * (i * n_out + o);
        int at = (int)(v->t[i] / end * (n - 1));
        y[at] = fmax(isnan(y[at]) ? 0.0 : y[at], sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]));
      }
      const char *name = d->m->model->output[e->path->output[o]].name;
      p->curve[k] =
          (mw_curve){ .name = mw_arena_printf(&d->mem, "%s, rise of %g periods", name, v->rise),
                      .width = 1.4,
                      .y = y };
      mw_plot_pen(k, &p->curve[k].color, &p->curve[k].dash, &shape);
    }
  p->n = n;
  p->x = x;
  p->n_curve = k;
  snprintf(p->title, sizeof p->title, "deflections in time, m; bound of %s: %.4g m",
           d->m->model->output[e->path->output[0]].name, e->most[0]);
  snprintf(p->x_label, sizeof p->x_label, "time, s");
}

mw_code mw_accessible_picture(const mw_mech *m, const mw_accessible *o, const char *path,
                              mw_error *err)
{
  drawing d = { .m = m, .o = o };
  draw_speeds(&d);
  draw_regions(&d);
  if (o->traversal) draw_forces(&d);
  bool moves = o->traversal && o->elastic && o->elastic->n_move > 0;
  if (moves) draw_deflections(&d);
  mw_code rc = mw_arena_check(&d.mem, err);
  if (rc == MW_OK) rc = mw_analysis_draw(path, moves ? 4 : o->traversal ? 3 : 2, d.panel, err);
  mw_arena_free(&d.mem);
  return rc;
}
