// SPDX-License-Identifier: BSD-3-Clause
// statics_file.c: equilibria and paths of them over a load factor as netCDF and as a picture.
#include <math.h>
#include <string.h>

#include "analyze/analyze_layer.h"

// ---- netCDF -------------------------------------------------------------------------------------

static mw_code write_equilibria(mw_ncw *w, const mw_mech *m, const mw_equilibria *e, int coord,
                                mw_error *err)
{
  mw_arena mem = { 0 };
  size_t nc = (size_t)m->n_coord, k = (size_t)e->k, n = (size_t)e->n;
  double *s = mw_arena_f64(&mem, n * nc), *mu = mw_arena_f64(&mem, n * k);
  int *unstable = mw_arena_int(&mem, n);
  const char **kind = mw_arena_alloc(&mem, n, sizeof *kind);
  mw_code rc = mw_arena_check(&mem, err);
  for (size_t i = 0; rc == MW_OK && i < n; i++) {
    memcpy(s + i * nc, e->at[i].s, nc * sizeof *s);
    memcpy(mu + i * k, e->at[i].mu, k * sizeof *mu);
    unstable[i] = e->at[i].n_unstable;
    kind[i] = mw_stability_name(e->at[i].kind);
  }
  if (rc == MW_OK) {
    int d = mw_ncw_dim(w, "equilibrium", e->n), sd[] = { d, coord },
        md[] = { d, mw_ncw_dim(w, "freedom", e->k) };
    mw_ncw_att_int(w, "starts", e->n_start);
    mw_ncw_att_int(w, "starts_without_equilibrium", e->n_lost);
    mw_ncw_f64(w, "coordinates", 2, sd, NULL, "where it stands still, m or rad", s);
    mw_ncw_f64(w, "eigenvalues", 2, md, "1/s2", "of -dz''/dz: squares of angular frequencies", mu);
    mw_ncw_int(w, "unstable", 1, &d, "eigenvalues below 0", unstable);
    mw_ncw_str(w, "stability", d, "of the equilibrium", kind);
  }
  mw_arena_free(&mem);
  return rc;
}

static mw_code write_path(mw_ncw *w, const mw_mech *m, const mw_load_path *o, int coord,
                          mw_error *err)
{
  mw_arena mem = { 0 };
  size_t nc = (size_t)m->n_coord, n = (size_t)o->n_critical;
  double *factor = mw_arena_f64(&mem, n), *s = mw_arena_f64(&mem, n * nc),
         *mode = mw_arena_f64(&mem, n * nc);
  const char **kind = mw_arena_alloc(&mem, n, sizeof *kind);
  mw_code rc = mw_arena_check(&mem, err);
  for (size_t i = 0; rc == MW_OK && i < n; i++) {
    factor[i] = o->critical[i].factor;
    kind[i] = mw_critical_name(o->critical[i].kind);
    memcpy(s + i * nc, o->critical[i].s, nc * sizeof *s);
    memcpy(mode + i * nc, o->critical[i].mode, nc * sizeof *mode);
  }
  if (rc == MW_OK) {
    int d = mw_ncw_dim(w, "point", o->n), sd[] = { d, coord },
        c = mw_ncw_dim(w, "critical", o->n_critical), cd[] = { c, coord };
    mw_ncw_att_str(w, NULL, "path_end", o->end);
    mw_ncw_f64(w, "arc", 1, &d, NULL, "length of the path", o->arc);
    mw_ncw_f64(w, "factor", 1, &d, "1", "of the forces", o->factor);
    mw_ncw_f64(w, "path_coordinates", 2, sd, NULL, "along the path, m or rad", o->s);
    mw_ncw_f64(w, "least_eigenvalue", 1, &d, "1/s2", "of -dz''/dz", o->mu);
    mw_ncw_int(w, "path_unstable", 1, &d, "eigenvalues below 0", o->n_unstable);
    mw_ncw_f64(w, "critical_factor", 1, &c, "1", "where the mechanism gives way", factor);
    mw_ncw_f64(w, "critical_coordinates", 2, cd, NULL, "there, m or rad", s);
    mw_ncw_f64(w, "critical_mode", 2, cd, NULL, "rates in which it gives way", mode);
    mw_ncw_str(w, "critical_kind", c, "fold or branch", kind);
  }
  mw_arena_free(&mem);
  return rc;
}

mw_code mw_statics_write(const mw_mech *m, const mw_equilibria *e, const mw_load_path *path,
                         const char *file, const char *command, mw_error *err)
{
  mw_ncw w;
  mw_analysis_open(&w, m, "statics", command);
  int coord = mw_analysis_coordinates(&w, m);
  mw_code rc = e ? write_equilibria(&w, m, e, coord, err) : MW_OK;
  if (rc == MW_OK && path) rc = write_path(&w, m, path, coord, err);
  if (rc == MW_OK) return mw_ncw_close(&w, file, err);
  mw_ncw_abort(&w);
  return rc;
}

// ---- picture ------------------------------------------------------------------------------------

enum { PANELS = 3 };

typedef struct drawing {
  const mw_mech *m;
  mw_arena mem;
  mw_panel panel[PANELS];
  int n_panel;
} drawing;

// Square roots of eigenvalues with their sign over the number of the equilibrium
static void draw_equilibria(drawing *d, const mw_equilibria *e)
{
  mw_panel *p = &d->panel[d->n_panel++];
  size_t n = (size_t)(e->n * e->k);
  double *x = mw_arena_f64(&d->mem, n), *y = mw_arena_f64(&d->mem, n);
  p->dots = mw_arena_alloc(&d->mem, 1, sizeof *p->dots);
  if (!x || !y || !p->dots) return;
  for (size_t i = 0; i < n; i++) {
    double mu = e->at[i / (size_t)e->k].mu[i % (size_t)e->k];
    x[i] = 1.0 + (double)(i / (size_t)e->k);
    y[i] = copysign(sqrt(fabs(mu)), mu);
  }
  *p->dots = (mw_dots){ .n = (int)n, .x = x, .y = y, .color = "#1f4e79", .radius = 3.0 };
  p->n_dots = 1;
  p->x_lo = 0.5;
  p->x_hi = e->n + 0.5;
  snprintf(p->title, sizeof p->title, "equilibria: frequencies, below 0: rates of going away");
  snprintf(p->x_label, sizeof p->x_label, "equilibrium");
  snprintf(p->y_label, sizeof p->y_label, "rad/s, -1/s");
}

// The factor over each coordinate, filled where it is stable; critical points as notes
static void draw_path(drawing *d, const mw_load_path *o)
{
  mw_panel *p = &d->panel[d->n_panel++];
  int nc = d->m->n_coord;
  p->dots = mw_arena_alloc(&d->mem, (size_t)nc, sizeof *p->dots);
  p->note = mw_arena_alloc(&d->mem, (size_t)(o->n_critical * nc), sizeof *p->note);
  p->x_lo = INFINITY, p->x_hi = -INFINITY;
  for (int c = 0; p->dots && p->note && c < nc; c++) {
    double *x = mw_arena_f64(&d->mem, (size_t)o->n);
    const char *color, *dash;
    mw_shape shape;
    for (int i = 0; x && i < o->n; i++) {
      x[i] = o->s[i * nc + c];
      p->x_lo = fmin(p->x_lo, x[i]);
      p->x_hi = fmax(p->x_hi, x[i]);
    }
    mw_plot_pen(c, &color, &dash, &shape);
    p->dots[c] =
        (mw_dots){ .n = x ? o->n : 0, .x = x, .y = o->factor, .color = color, .radius = 1.8 };
    for (int i = 0; i < o->n_critical; i++) {
      const mw_critical *k = &o->critical[i];
      mw_note *note = &p->note[p->n_note++];
      *note = (mw_note){ .x = k->s[c],
                         .y = k->factor,
                         .shape = k->kind == MW_CRITICAL_FOLD ? MW_SHAPE_RING : MW_SHAPE_CROSS };
      if (c == 0)
        snprintf(note->text, sizeof note->text, "%s at %.6g", mw_critical_name(k->kind), k->factor);
    }
  }
  p->n_dots = nc;
  double wide = p->x_hi - p->x_lo;
  p->x_lo -= wide > 0.0 ? 0.05 * wide : 0.5;
  p->x_hi += wide > 0.0 ? 0.05 * wide : 0.5;
  snprintf(p->title, sizeof p->title, "equilibria: the factor over coordinates");
  snprintf(p->x_label, sizeof p->x_label, "coordinates, m or rad");
  snprintf(p->y_label, sizeof p->y_label, "factor of the forces");
}

static void draw_least(drawing *d, const mw_load_path *o)
{
  mw_panel *p = &d->panel[d->n_panel++];
  p->curve = mw_arena_alloc(&d->mem, 1, sizeof *p->curve);
  if (!p->curve) return;
  *p->curve =
      (mw_curve){ .name = "least eigenvalue", .color = "#b03a2e", .width = 1.5, .y = o->mu };
  p->n = o->n;
  p->x = o->arc;
  p->n_curve = 1;
  snprintf(p->title, sizeof p->title, "least eigenvalue along the path, 1/s2: below 0 unstable");
  snprintf(p->x_label, sizeof p->x_label, "length of the path");
}

mw_code mw_statics_picture(const mw_mech *m, const mw_equilibria *e, const mw_load_path *path,
                           const char *file, mw_error *err)
{
  drawing d = { .m = m };
  if (e) draw_equilibria(&d, e);
  if (path && m->n_coord > 0) draw_path(&d, path);
  if (path) draw_least(&d, path);
  mw_code rc = mw_arena_check(&d.mem, err);
  if (rc == MW_OK) rc = mw_analysis_draw(file, d.n_panel, d.panel, err);
  mw_arena_free(&d.mem);
  return rc;
}
