// SPDX-License-Identifier: BSD-3-Clause
// linearize_file.c: a mechanism linearized at a state as netCDF and as a picture.
#include <math.h>
#include <string.h>

#include "analyze/analyze_layer.h"

static const double PI = 3.14159265358979323846;

// ---- netCDF -------------------------------------------------------------------------------------

static void write_matrices(mw_ncw *w, const mw_state_space *s, const int dim[3])
{
  int A[] = { dim[0], dim[0] }, B[] = { dim[0], dim[1] }, C[] = { dim[2], dim[0] },
      D[] = { dim[2], dim[1] };
  mw_ncw_f64(w, "A", 2, A, NULL, "d/dt (x - x0) = A (x - x0) + B (u - u0), SI", s->A);
  mw_ncw_f64(w, "B", 2, B, NULL, "inputs, SI", s->B);
  mw_ncw_f64(w, "C", 2, C, NULL, "y - y0 = C (x - x0) + D (u - u0), SI", s->C);
  mw_ncw_f64(w, "D", 2, D, NULL, "what inputs give to outputs at once, SI", s->D);
  mw_ncw_f64(w, "x0", 1, &dim[0], NULL, "the state, SI", s->x0);
  mw_ncw_f64(w, "u0", 1, &dim[1], NULL, "inputs there, N or N m", s->u0);
  mw_ncw_f64(w, "y0", 1, &dim[2], NULL, "outputs there, SI", s->y0);
}

// Part 0, 1 of n numbers of `stride` arrays [n_w] each.
static void part_of(const double *H, size_t n, size_t n_w, size_t part, double *x)
{
  for (size_t e = 0; e < n; e++) memcpy(x + e * n_w, H + (2 * e + part) * n_w, n_w * sizeof *x);
}

static void write_responses(mw_ncw *w, const mw_linearized *o, const int dim[3], double *x)
{
  size_t n = (size_t)(o->s->n_y * o->s->n_u), n_w = (size_t)o->n_w;
  int at = mw_ncw_dim(w, "frequency", o->n_w), of[] = { dim[2], dim[1], at };
  mw_ncw_f64(w, "frequency", 1, &at, "rad/s", "angular frequency", o->w);
  part_of(o->H, n, n_w, 0, x);
  mw_ncw_f64(w, "response_real", 3, of, NULL, "C (i w - A)^-1 B + D, SI", x);
  part_of(o->H, n, n_w, 1, x);
  mw_ncw_f64(w, "response_imag", 3, of, NULL, "its imaginary part", x);
}

static void write_poles(mw_ncw *w, const mw_linearized *o, double *x)
{
  int n = o->s->n_x, p = mw_ncw_dim(w, "pole", n);
  for (int i = 0; i < n; i++) {
    x[i] = o->pole[i].re;
    x[n + i] = o->pole[i].im;
  }
  mw_ncw_f64(w, "pole_real", 1, &p, "1/s", "poles by rising modulus", x);
  mw_ncw_f64(w, "pole_imag", 1, &p, "1/s", "their imaginary parts", x + n);
  if (o->n_gain == 0) return;
  int g = mw_ncw_dim(w, "gain", o->n_gain), of[] = { g, p };
  mw_ncw_att_str(w, NULL, "locus_from", o->s->input[o->from]);
  mw_ncw_att_str(w, NULL, "locus_to", o->s->output[o->to]);
  mw_ncw_f64(w, "gain", 1, &g, NULL, "u - u0 = -gain (y - y0), SI", o->gain);
  mw_ncw_f64(w, "locus_real", 2, of, "1/s", "poles of the loop", o->re);
  mw_ncw_f64(w, "locus_imag", 2, of, "1/s", "their imaginary parts", o->im);
}

mw_code mw_linearized_write(const mw_analysis *of, const mw_linearized *o, const char *path,
                            mw_error *err)
{
  const mw_state_space *s = o->s;
  mw_ncw w;
  mw_arena mem = { 0 };
  size_t responses = (size_t)s->n_y * (size_t)s->n_u * (size_t)o->n_w, poles = 2 * (size_t)s->n_x;
  double *x = mw_arena_f64(&mem, responses > poles ? responses : poles);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc != MW_OK) return rc;
  mw_analysis_begin(&w, of);
  mw_ncw_att_f64(&w, NULL, "largest_acceleration_left", s->rest);
  mw_ncw_att_f64(&w, NULL, "estimated_error", s->error);
  mw_ncw_att_str(&w, NULL, "not_among_outputs", s->left_out ? s->left_out : "");
  int dim[3] = { mw_analysis_names(&w, "state", "x", s->n_x, s->state),
                 mw_analysis_names(&w, "input", "u", s->n_u, s->input),
                 mw_analysis_names(&w, "output", "y", s->n_y, s->output) };
  mw_ncw_str(&w, "state_unit", dim[0], "of x", s->state_unit);
  mw_ncw_str(&w, "input_unit", dim[1], "of u", s->input_unit);
  mw_ncw_str(&w, "output_unit", dim[2], "of y", s->output_unit);
  write_matrices(&w, s, dim);
  write_responses(&w, o, dim, x);
  write_poles(&w, o, x);
  rc = mw_ncw_close(&w, path, err);
  mw_arena_free(&mem);
  return rc;
}

// ---- picture ------------------------------------------------------------------------------------

enum { SHOWN = 7 };

typedef struct drawing {
  const mw_linearized *o;
  mw_arena mem;
  mw_dots dots[2];
  double *log_hz;  // [n_w]
  mw_curve size[SHOWN], phase[SHOWN];
  int n_shown;
  mw_panel panel[4];
  int n_panel;
} drawing;

static void draw_poles(drawing *d, mw_panel *p, int n, const double *re, const double *im,
                       mw_shape shape)
{
  mw_dots *dots = &d->dots[p->n_dots];
  *dots = (mw_dots){ .n = n,
                     .x = re,
                     .y = im,
                     .color = p->n_dots ? "#b03a2e" : "#1f4e79",
                     .shape = shape,
                     .radius = shape == MW_SHAPE_CROSS ? 5.0 : 1.6 };
  p->dots = d->dots;
  p->n_dots++;
  for (int i = 0; i < n; i++) {
    if (!isfinite(re[i]) || !isfinite(im[i])) continue;
    p->x_lo = fmin(p->x_lo, 1.05 * re[i]);
    p->x_hi = fmax(p->x_hi, 1.05 * re[i]);
    p->y_lo = fmin(p->y_lo, 1.1 * im[i]);
    p->y_hi = fmax(p->y_hi, 1.1 * im[i]);
  }
}

static void draw_plane(drawing *d)
{
  const mw_linearized *o = d->o;
  mw_panel *p = &d->panel[d->n_panel++];
  int n = o->s->n_x;
  double *x = mw_arena_f64(&d->mem, 2 * (size_t)n);
  if (!x) return;
  for (int i = 0; i < n; i++) x[i] = o->pole[i].re, x[n + i] = o->pole[i].im;
  snprintf(p->title, sizeof p->title, "poles");
  snprintf(p->x_label, sizeof p->x_label, "real part, 1/s");
  snprintf(p->y_label, sizeof p->y_label, "imaginary part, 1/s");
  draw_poles(d, p, n, x, x + n, MW_SHAPE_CROSS);
  if (o->n_gain > 0) {
    snprintf(p->title, sizeof p->title,
             "poles (crosses) and root locus: gain %.4g to %.4g, %s to %s", o->gain[0],
             o->gain[o->n_gain - 1], o->s->output[o->to], o->s->input[o->from]);
    draw_poles(d, p, o->n_gain * n, o->re, o->im, MW_SHAPE_DOT);
  }
  double wide = fmax(p->x_hi - p->x_lo, 0.05 * (p->y_hi - p->y_lo));
  if (!(wide > 0.0)) wide = 1.0;
  p->x_lo -= 0.02 * wide;
  p->x_hi += 0.02 * wide;
  if (!(p->y_hi > p->y_lo)) p->y_lo = -1.0, p->y_hi = 1.0;
}

static void draw_response(drawing *d, int i, int j)
{
  const mw_linearized *o = d->o;
  size_t n = (size_t)o->n_w, e = (size_t)(i * o->s->n_u + j);
  const double *re = o->H + 2 * e * n, *im = re + n;
  double *size = mw_arena_f64(&d->mem, n), *phase = mw_arena_f64(&d->mem, n);
  char *name = mw_arena_printf(&d->mem, "%s / %s", o->s->output[i], o->s->input[j]);
  mw_shape shape;
  if (!size || !phase || !name) return;
  double most = 0.0;
  for (size_t k = 0; k < n; k++) {
    size[k] = hypot(re[k], im[k]);
    phase[k] = atan2(im[k], re[k]) * 180.0 / PI;
    most = fmax(most, size[k]);
  }
  if (!(most > 0.0)) return;  // nothing moves there
  mw_curve *c = &d->size[d->n_shown], *a = &d->phase[d->n_shown];
  *c = (mw_curve){ .name = name, .width = 1.4, .y = size };
  mw_plot_pen(d->n_shown, &c->color, &c->dash, &shape);
  *a = *c;
  a->y = phase;
  d->n_shown++;
}

static void draw_bode(drawing *d)
{
  const mw_linearized *o = d->o;
  int left = 0;
  d->log_hz = mw_arena_f64(&d->mem, (size_t)o->n_w);
  for (int k = 0; d->log_hz && k < o->n_w; k++) d->log_hz[k] = log10(o->w[k] / (2.0 * PI));
  for (int i = 0; i < o->s->n_y; i++)
    for (int j = 0; j < o->s->n_u; j++) {
      if ((o->to >= 0 && i != o->to) || (o->from >= 0 && j != o->from)) continue;
      if (d->n_shown < SHOWN)
        draw_response(d, i, j);
      else
        left++;
    }
  if (d->n_shown == 0) return;
  mw_panel *p = &d->panel[d->n_panel++], *q = &d->panel[d->n_panel++];
  *p = (mw_panel){
    .n = o->n_w, .x = d->log_hz, .log_y = true, .dip = 1e-9, .n_curve = d->n_shown, .curve = d->size
  };
  *q = (mw_panel){ .n = o->n_w,
                   .x = d->log_hz,
                   .y_lo = -180.0,
                   .y_hi = 180.0,
                   .n_curve = d->n_shown,
                   .curve = d->phase };
  if (left > 0)
    snprintf(p->title, sizeof p->title, "responses, SI; %d more in --output (--from, --to)", left);
  else
    snprintf(p->title, sizeof p->title, "responses, SI");
  snprintf(p->x_label, sizeof p->x_label, "log10 of the frequency, Hz");
  snprintf(q->title, sizeof q->title, "phase, degrees");
  snprintf(q->x_label, sizeof q->x_label, "log10 of the frequency, Hz");
}

mw_code mw_linearized_picture(const mw_linearized *o, const char *path, mw_error *err)
{
  drawing d = { .o = o };
  draw_plane(&d);
  draw_bode(&d);
  mw_code rc = mw_arena_check(&d.mem, err);
  if (rc == MW_OK) rc = mw_analysis_draw(path, d.n_panel, d.panel, err);
  mw_arena_free(&d.mem);
  return rc;
}
