// SPDX-License-Identifier: BSD-3-Clause
// frf_picture.c: frequency responses over frequency: moduli on a logarithmic axis, phases below.
//
// Beyond the band that the certificate judges curves are grey. Phases run from -180 to 180 degrees.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot_layer.h"
#include "frf_layer.h"
#include "reduction/ncfile.h"

enum { MAX_CURVE = 7, WIDE = 900, HIGH = 300 };

static const double PI = 3.14159265358979323846, ROUNDING = 1e-10;

typedef struct drawing {
  const mw_frf_table *t;
  int n;
  mw_curve size[MAX_CURVE + 1], phase[MAX_CURVE + 1];
  mw_key key[MAX_CURVE + 2];
  int n_key;
  char line[3][160];
  const char *text[3];
  int n_line;
  mw_arena mem;
} drawing;

static double *row(const mw_frf_table *t, int place, int e)
{
  size_t n = (size_t)(t->in.n_to * t->in.n_from);
  return t->H + ((size_t)place * n + (size_t)e) * 2 * (size_t)t->in.n_hz;
}

static void place_text(const mw_frf_table *t, int place, char *out, size_t n)
{
  size_t used = 0;
  out[0] = '\0';
  for (int i = 0; i < t->f->rom.s && used < n; i++)
    used += (size_t)snprintf(out + used, n - used, "%s%s = %.5g", i ? ", " : "",
                             t->f->coordinate[i], t->theta[place * t->f->rom.s + i]);
}

static void add_key(drawing *d, int pen, const char *text)
{
  mw_key *k = &d->key[d->n_key++];
  mw_shape shape;
  *k = (mw_key){ .width = 2.0 };
  mw_plot_pen(pen, &k->color, &k->dash, &shape);
  snprintf(k->text, sizeof k->text, "%s", text);
}

static int *groups(drawing *d, int pen)
{
  const mw_frf_table *t = d->t;
  int *group = mw_arena_int(&d->mem, (size_t)t->in.n_hz);
  for (int k = 0; group && k < t->in.n_hz; k++)
    group[k] = t->bandwidth > 0.0 && t->in.hz[k] > t->bandwidth ? MW_PLOT_GREY : pen;
  return group;
}

static mw_code add_response(drawing *d, int place, int e, const char *name, mw_error *err)
{
  int n = d->t->in.n_hz;
  const double *re = row(d->t, place, e), *im = re + n;
  double *size = mw_arena_f64(&d->mem, (size_t)n), *phase = mw_arena_f64(&d->mem, (size_t)n);
  int *group = groups(d, d->n);
  mw_code rc = mw_arena_check(&d->mem, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < n; k++) {
    size[k] = hypot(re[k], im[k]);
    phase[k] = atan2(im[k], re[k]) * 180.0 / PI;
  }
  d->size[d->n] = (mw_curve){ .name = name, .width = 1.4, .y = size, .group = group };
  d->phase[d->n] = (mw_curve){ .name = name, .width = 1.2, .y = phase, .group = group };
  add_key(d, d->n, name);
  d->n++;
  return MW_OK;
}

// Of many places the first, the last and some between them.
static mw_code add_places(drawing *d, mw_error *err)
{
  int wanted = d->t->n_theta, drawn = wanted < MAX_CURVE ? wanted : MAX_CURVE;
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < drawn; k++) {
    char place[160];
    int which = k * (wanted - 1) / (drawn - 1);
    place_text(d->t, which, place, sizeof place);
    const char *name = mw_arena_str(&d->mem, place);
    rc = mw_arena_check(&d->mem, err);
    if (rc == MW_OK) rc = add_response(d, which, 0, name, err);
  }
  if (wanted > drawn)
    snprintf(d->line[d->n_line++], sizeof d->line[0], "%d of %d places are drawn", drawn, wanted);
  return rc;
}

// Entries [n] by their largest moduli, largest first; how many are no roundings of the largest.
static int by_size(const mw_frf_table *t, int n, double *peak, int *entry)
{
  int seen = 0;
  for (int e = 0; e < n; e++) {
    const double *re = row(t, 0, e), *im = re + t->in.n_hz;
    int at = e;
    double largest = 0.0;
    for (int k = 0; k < t->in.n_hz; k++) largest = fmax(largest, hypot(re[k], im[k]));
    for (; at > 0 && peak[at - 1] < largest; at--) {
      peak[at] = peak[at - 1];
      entry[at] = entry[at - 1];
    }
    peak[at] = largest;
    entry[at] = e;
  }
  while (seen < n && peak[seen] > ROUNDING * peak[0]) seen++;
  return seen;
}

static mw_code add_entries(drawing *d, mw_error *err)
{
  const mw_frf_table *t = d->t;
  int n = t->in.n_to * t->in.n_from, *entry = mw_arena_int(&d->mem, (size_t)n);
  double *peak = mw_arena_f64(&d->mem, (size_t)n);
  mw_code rc = mw_arena_check(&d->mem, err);
  if (rc != MW_OK) return rc;
  int seen = by_size(t, n, peak, entry), drawn = seen < MAX_CURVE ? seen : MAX_CURVE;
  for (int k = 0; rc == MW_OK && k < drawn; k++) {
    int e = entry[k];
    const char *name = mw_arena_printf(&d->mem, "%s / %s", t->in.to[e / t->in.n_from].name,
                                       t->in.from[e % t->in.n_from].name);
    rc = mw_arena_check(&d->mem, err);
    if (rc == MW_OK) rc = add_response(d, 0, e, name, err);
  }
  if (seen > drawn)
    snprintf(d->line[d->n_line++], sizeof d->line[0], "the largest %d of %d responses are drawn",
             drawn, n);
  else if (n > seen)
    snprintf(d->line[d->n_line++], sizeof d->line[0],
             "%d of %d responses are drawn; the others are below %g of the largest", drawn, n,
             ROUNDING);
  return rc;
}

static mw_code add_worst(drawing *d, mw_error *err)
{
  const mw_frf_table *t = d->t;
  if (!t->worst || t->n_theta > 1) return MW_OK;
  int *group = groups(d, MAX_CURVE - 1);
  mw_code rc = mw_arena_check(&d->mem, err);
  if (rc != MW_OK) return rc;
  d->size[d->n] =
      (mw_curve){ .name = "any direction", .width = 2.2, .y = t->worst, .group = group };
  add_key(d, MAX_CURVE - 1, "largest in any direction");
  return MW_OK;
}

static void draw(drawing *d, FILE *f)
{
  const mw_frf_table *t = d->t;
  char place[160], unit[64];
  mw_panel p[2] = { { .n = t->in.n_hz,
                      .x = t->in.hz,
                      .log_y = true,
                      .dip = 1e-6,
                      .n_curve = d->n + (t->worst && t->n_theta == 1),
                      .curve = d->size },
                    { .n = t->in.n_hz,
                      .x = t->in.hz,
                      .y_lo = -180.0,
                      .y_hi = 180.0,
                      .n_curve = d->n,
                      .curve = d->phase } };
  place_text(t, 0, place, sizeof place);
  if (t->n_theta > 1)
    snprintf(p[0].title, sizeof p[0].title, "%s, %.60s / %.60s", mw_frf_kind_name(t->in.kind),
             t->in.to[0].name, t->in.from[0].name);
  else
    snprintf(p[0].title, sizeof p[0].title, "%s at %.150s", mw_frf_kind_name(t->in.kind), place);
  snprintf(p[0].y_label, sizeof p[0].y_label, "%s", mw_frf_unit(&t->in, 0, 0, unit));
  snprintf(p[1].title, sizeof p[1].title, "phase");
  snprintf(p[1].y_label, sizeof p[1].y_label, "degrees");
  snprintf(p[1].x_label, sizeof p[1].x_label, "frequency, Hz");
  if (t->bandwidth > 0.0 && t->in.hz[t->in.n_hz - 1] > t->bandwidth)
    snprintf(d->line[d->n_line++], sizeof d->line[0],
             "grey: beyond %.4g Hz, up to which the certificate judges", t->bandwidth);
  for (int k = 0; k < d->n_line; k++) d->text[k] = d->line[k];
  mw_figure g = { .w = WIDE,
                  .h = HIGH,
                  .n_col = 1,
                  .n_panel = 2,
                  .panel = p,
                  .n_key = d->n_key,
                  .key = d->key,
                  .n_line = d->n_line,
                  .line = d->text };
  mw_plot_figures(f, 1, &g);
}

mw_code mw_frf_picture(const mw_frf_table *t, const char *path, mw_error *err)
{
  drawing d = { .t = t };
  char *text = NULL;
  size_t n = 0;
  mw_code rc = mw_plot_name(path, err);
  if (rc == MW_OK) rc = t->n_theta > 1 ? add_places(&d, err) : add_entries(&d, err);
  if (rc == MW_OK) rc = add_worst(&d, err);
  FILE *f = rc == MW_OK ? open_memstream(&text, &n) : NULL;
  if (f) draw(&d, f);
  if (rc == MW_OK && (!f || fclose(f) != 0))
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  if (rc == MW_OK) rc = mw_plot_save(path, "frequency responses", text, n, err);
  free(text);
  mw_arena_free(&d.mem);
  return rc;
}
