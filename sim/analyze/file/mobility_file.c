// SPDX-License-Identifier: BSD-3-Clause
// mobility_file.c: mobility and a followed motion as netCDF and as a picture.
#include <math.h>
#include <string.h>

#include "analyze/analyze_layer.h"

// ---- netCDF -------------------------------------------------------------------------------------

static void write_motion(mw_ncw *w, const mw_mech *m, const mw_motion *o, int coord, mw_arena *mem)
{
  int place = mw_ncw_dim(w, "position", o->n), c = mw_ncw_dim_id(w, "coordinate"),
      dim[] = { place, c }, n = o->n_singular, nc = m->n_coord;
  mw_ncw_att_str(w, NULL, "along", mw_mech_coord_name(m, coord));
  mw_ncw_att_int(w, "closed", o->closed);
  mw_ncw_f64(w, "arc", 1, &place, NULL, "length of the motion, rad and m over the size", o->arc);
  mw_ncw_f64(w, "coordinates", 2, dim, NULL, "coordinates along the motion, m or rad", o->s);
  mw_ncw_f64(w, "sigma", 1, &place, NULL,
             "smallest singular value of the rows, negative behind a bifurcation", o->sigma);
  int singular = mw_ncw_dim(w, "singular", n), ranks = n > 0 ? mw_ncw_dim(w, "matrix", 3) : -1;
  const char **kind = mw_arena_alloc(mem, (size_t)n, sizeof *kind),
             **name = mw_arena_alloc(mem, (size_t)n, sizeof *name);
  double *at = mw_arena_f64(mem, (size_t)n * (size_t)nc);
  int *rank = mw_arena_int(mem, 3 * (size_t)n), *freedoms = mw_arena_int(mem, (size_t)n);
  if (n == 0 || !kind || !name || !at || !rank || !freedoms) return;
  for (int i = 0; i < n; i++) {
    const mw_singular *x = &o->singular[i];
    kind[i] = mw_singular_name(x->kind);
    name[i] = mw_mech_coord_name(m, x->coord);
    memcpy(at + i * nc, x->s, (size_t)nc * sizeof *at);
    memcpy(rank + 3 * i, x->rank, sizeof x->rank);
    freedoms[i] = x->freedoms;
  }
  int at_dim[] = { singular, c }, rank_dim[] = { singular, ranks };
  mw_ncw_str(w, "singular_kind", singular, "what is singular there", kind);
  mw_ncw_str(w, "singular_coordinate", singular, "the coordinate that would drive", name);
  mw_ncw_f64(w, "singular_coordinates", 2, at_dim, NULL, "coordinates there, m or rad", at);
  mw_ncw_int(w, "singular_freedoms", 1, &singular, "infinitesimal freedoms there", freedoms);
  mw_ncw_int(w, "singular_rank", 2, rank_dim, "ranks of Phi_q, [Phi_q nu], [Phi_q gamma]", rank);
}

mw_code mw_mobility_write(const mw_mech *m, const mw_mobility *o, const mw_motion *motion,
                          int coord, const char *path, const char *command, mw_error *err)
{
  mw_ncw w;
  mw_arena mem = { 0 };
  const char **joint = mw_arena_alloc(&mem, (size_t)m->n_joint, sizeof *joint);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc != MW_OK) return rc;
  for (int j = 0; j < m->n_joint; j++) joint[j] = m->joint[j].name;
  mw_analysis_open(&w, m, "mobility", command);
  mw_ncw_att_str(&w, NULL, "kind", mw_mobility_name(o->kind));
  const struct {
    const char *name;
    int value;
  } count[] = { { "moving_bodies", o->n_body },
                { "rows", o->n_row },
                { "elastic_rows", o->n_elastic },
                { "gruebler", o->gruebler },
                { "rank", o->rank },
                { "mobility", o->mobility },
                { "finite", o->finite },
                { "dependent_rows", o->dependent },
                { "hyperstatic", o->hyperstatic } };
  for (size_t i = 0; i < sizeof count / sizeof *count; i++)
    mw_ncw_att_int(&w, count[i].name, count[i].value);
  int j = mw_analysis_names(&w, "joint", "name", m->n_joint, joint),
      v = mw_ncw_dim(&w, "value", o->n_sv);
  mw_ncw_int(&w, "joint_rows_held", 1, &j, "rows that all other joints hold already", o->joint);
  (void)mw_analysis_coordinates(&w, m);
  mw_ncw_f64(&w, "singular_values", 1, &v, NULL, "of the rows", o->sv);
  if (motion) write_motion(&w, m, motion, coord, &mem);
  rc = mw_ncw_close(&w, path, err);
  mw_arena_free(&mem);
  return rc;
}

// ---- picture ------------------------------------------------------------------------------------

typedef struct drawing {
  const mw_mech *m;
  const mw_mobility *o;
  const mw_motion *motion;
  int coord;
  mw_arena mem;
  mw_dots dots;
  mw_curve sigma;
  mw_panel panel[3];
} drawing;

static void draw_values(drawing *d)
{
  mw_panel *p = &d->panel[0];
  double *x = mw_arena_f64(&d->mem, (size_t)d->o->n_sv),
         *y = mw_arena_f64(&d->mem, (size_t)d->o->n_sv);
  snprintf(p->title, sizeof p->title, "singular values of the rows: rank %d of %d", d->o->rank,
           d->o->n_row);
  snprintf(p->x_label, sizeof p->x_label, "number");
  snprintf(p->y_label, sizeof p->y_label, "log10 over the largest");
  for (int i = 0; x && y && i < d->o->n_sv; i++) {
    x[i] = i + 1;  // what is zero stands at the rounding of the others
    y[i] = log10(fmax(d->o->sv[i] / fmax(d->o->sv[0], 1e-300), 1e-17));
  }
  d->dots = (mw_dots){ .n = d->o->n_sv, .x = x, .y = y, .color = "#1f4e79", .radius = 3.0 };
  p->dots = &d->dots;
  p->n_dots = 1;
  p->x_hi = d->o->n_sv + 1;
  p->y_lo = -18.0;
  p->y_hi = 1.0;
}

static void draw_curve(drawing *d, mw_panel *p, int n_curve, mw_curve *curve)
{
  p->n = d->motion->n;
  p->x = d->motion->arc;
  p->n_curve = n_curve;
  p->curve = curve;
  snprintf(p->x_label, sizeof p->x_label, "along the motion, rad");
}

static void draw_motion(drawing *d)
{
  const mw_motion *o = d->motion;
  int nc = d->m->n_coord;
  mw_curve *curve = mw_arena_alloc(&d->mem, (size_t)nc, sizeof *curve);
  mw_note *note = mw_arena_alloc(&d->mem, (size_t)o->n_singular, sizeof *note);
  for (int c = 0; curve && note && c < nc; c++) {
    double *y = mw_arena_f64(&d->mem, (size_t)o->n);
    mw_shape shape;
    for (int i = 0; y && i < o->n; i++) y[i] = o->s[i * nc + c];
    curve[c] = (mw_curve){ .name = mw_mech_coord_name(d->m, c), .width = 1.5, .y = y };
    mw_plot_pen(c, &curve[c].color, &curve[c].dash, &shape);
  }
  if (mw_arena_check(&d->mem, NULL) != MW_OK) return;
  mw_panel *p = &d->panel[1];
  draw_curve(d, p, nc, curve);
  snprintf(p->title, sizeof p->title, "coordinates, m or rad");
  for (int i = 0; i < o->n_singular; i++) {
    const mw_singular *x = &o->singular[i];
    note[i] = (mw_note){ .x = x->arc,
                         .y = x->s[x->coord],
                         .shape = x->kind == MW_SINGULAR_LOCK ? MW_SHAPE_RING : MW_SHAPE_CROSS };
    snprintf(note[i].text, sizeof note[i].text, "%.40s = %.6g", mw_mech_coord_name(d->m, x->coord),
             x->s[x->coord]);
  }
  p->n_note = o->n_singular;
  p->note = note;
  p = &d->panel[2];
  d->sigma = (mw_curve){ .name = "sigma", .color = "#b03a2e", .width = 1.5, .y = o->sigma };
  draw_curve(d, p, 1, &d->sigma);
  snprintf(p->title, sizeof p->title, "smallest singular value, with its sign");
}

mw_code mw_mobility_picture(const mw_mech *m, const mw_mobility *o, const mw_motion *motion,
                            int coord, const char *path, mw_error *err)
{
  drawing d = { .m = m, .o = o, .motion = motion, .coord = coord };
  draw_values(&d);
  if (motion) draw_motion(&d);
  mw_code rc = mw_arena_check(&d.mem, err);
  if (rc == MW_OK) rc = mw_analysis_draw(path, motion ? 3 : 1, d.panel, err);
  mw_arena_free(&d.mem);
  return rc;
}
