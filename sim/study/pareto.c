// SPDX-License-Identifier: BSD-3-Clause
// pareto.c: points of a study that none beats, and a picture of them. Cost: the square of the
// number of points.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot_layer.h"
#include "reduction/ncfile.h"
#include "study_layer.h"

// ---- aims ---------------------------------------------------------------------------------------

// The criterion that the first n characters of text name, -1: none
static int criterion(const mw_study *s, const char *text, size_t n)
{
  for (int c = 0; c < s->n_criterion; c++)
    if (strlen(s->name[c]) == n && strncmp(s->name[c], text, n) == 0) return c;
  return -1;
}

static mw_code no_aim(const mw_study *s, const char *text, size_t n, mw_error *err)
{
  char known[256] = "";
  for (int c = 0; c < s->n_criterion; c++) {
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", c ? ", " : "", s->name[c]);
  }
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--aims: found \"%.*s\", expected NAME, NAME=small or NAME=large, of %s",
                 n < 60 ? (int)n : 60, text, known);
}

mw_code mw_study_aims(const char *text, mw_study *s, mw_error *err)
{
  int *own = calloc((size_t)s->n_criterion, sizeof *own);
  if (!own) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for aims");
  memcpy(own, s->aim, (size_t)s->n_criterion * sizeof *own);
  memset(s->aim, 0, (size_t)s->n_criterion * sizeof *s->aim);
  mw_code rc = MW_OK;
  for (const char *p = text; rc == MW_OK && *p;) {
    size_t n = strcspn(p, ","), name = strcspn(p, "=,");
    int c = criterion(s, p, name);
    bool small = n == name + 6 && strncmp(p + name, "=small", 6) == 0,
         large = n == name + 6 && strncmp(p + name, "=large", 6) == 0;
    if (c < 0 || !(small || large || n == name))
      rc = no_aim(s, p, n, err);
    else if (s->aim[c] != 0)
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--aims: %s is given twice", s->name[c]);
    else
      s->aim[c] = small ? 1 : large ? -1 : own[c];
    p += n + (p[n] == ',');
  }
  free(own);
  return rc;
}

// ---- points that none beats ---------------------------------------------------------------------

static bool judged(const mw_study *s, int point)
{
  for (int c = 0; c < s->n_criterion; c++)
    if (s->aim[c] != 0 && isnan(s->value[point * s->n_criterion + c])) return false;
  return true;
}

// Point a is as good as b in all aims, and better in one: both to 1e-9, which computing
// them leaves.
static bool beats(const mw_study *s, int a, int b)
{
  static const double SAME = 1e-9;
  bool better = false;
  for (int c = 0; c < s->n_criterion; c++) {
    double x = s->aim[c] * s->value[a * s->n_criterion + c],
           y = s->aim[c] * s->value[b * s->n_criterion + c];
    if (s->aim[c] == 0 || x == y) continue;
    double same = isfinite(x) && isfinite(y) ? SAME * fmax(fabs(x), fabs(y)) : 0.0;
    if (x > y + same) return false;
    better = better || x < y - same;
  }
  return better;
}

int mw_study_unbeaten(const mw_study *s, unsigned char *best)
{
  int n = 0;
  for (int k = 0; k < s->n_point; k++) {
    best[k] = judged(s, k);
    for (int i = 0; best[k] && i < s->n_point; i++) best[k] = !(judged(s, i) && beats(s, i, k));
    n += best[k];
  }
  return n;
}

// ---- picture ------------------------------------------------------------------------------------

typedef struct drawing {
  const mw_study *s;
  unsigned char *best;  // [n_point]
  mw_arena mem;
} drawing;

// Values of criterion c of the points whose mark is `best`; their number.
static int values(const drawing *d, int c, int best, double *out)
{
  int n = 0;
  for (int k = 0; k < d->s->n_point; k++)
    if (judged(d->s, k) && d->best[k] == best) out[n++] = d->s->value[k * d->s->n_criterion + c];
  return n;
}

static void range(const drawing *d, int c, double *lo, double *hi)
{
  *lo = INFINITY;
  *hi = -INFINITY;
  for (int k = 0; k < d->s->n_point; k++) {
    double x = d->s->value[k * d->s->n_criterion + c];
    if (!isfinite(x)) continue;
    *lo = fmin(*lo, x);
    *hi = fmax(*hi, x);
  }
  if (!(*lo <= *hi)) *lo = 0.0, *hi = 1.0;  // no finite one
  double beside = *hi > *lo ? 0.05 * (*hi - *lo) : fmax(0.05 * fabs(*hi), 1e-30);
  *lo -= beside;
  *hi += beside;
}

static void label(const mw_study *s, int c, char *out, size_t n)
{
  snprintf(out, n, "%.60s, %s (%s)", s->name[c], s->unit[c], s->aim[c] > 0 ? "small" : "large");
}

static void panel_of(drawing *d, int a, int b, mw_panel *p)
{
  size_t n = (size_t)d->s->n_point;
  p->dots = mw_arena_alloc(&d->mem, 2, sizeof *p->dots);
  for (int best = 0; p->dots && best < 2; best++) {
    double *x = mw_arena_f64(&d->mem, n), *y = mw_arena_f64(&d->mem, n);
    if (!x || !y) return;
    int m = values(d, a, best, x);
    (void)values(d, b, best, y);
    p->dots[best] = (mw_dots){ .n = m, .x = x, .y = y, .color = best ? "#b03a2e" : "#b0b6bb" };
    p->dots[best].radius = best ? 3.5 : 2.5;
  }
  p->n_dots = 2;
  range(d, a, &p->x_lo, &p->x_hi);
  range(d, b, &p->y_lo, &p->y_hi);
  label(d->s, a, p->x_label, sizeof p->x_label);
  label(d->s, b, p->y_label, sizeof p->y_label);
}

static mw_code draw(drawing *d, int n_aim, const int *aim, int more, mw_figure *fig, FILE *f,
                    mw_error *err)
{
  int n = n_aim * (n_aim - 1) / 2, k = 0, best = mw_study_unbeaten(d->s, d->best), all = 0;
  mw_panel *panel = mw_arena_alloc(&d->mem, (size_t)n, sizeof *panel);
  mw_code rc = mw_arena_check(&d->mem, err);
  for (int i = 0; rc == MW_OK && i < n_aim; i++)
    for (int j = i + 1; j < n_aim; j++) panel_of(d, aim[i], aim[j], &panel[k++]);
  if (rc == MW_OK) rc = mw_arena_check(&d->mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < d->s->n_point; i++) all += judged(d->s, i);
  mw_key key[2] = { { .color = "#b03a2e" }, { .color = "#b0b6bb" } };
  snprintf(key[0].text, sizeof key[0].text, "%d that none beats", best);
  snprintf(key[1].text, sizeof key[1].text, "%d others", all - best);
  char text[2][160];
  const char *line[2] = { text[0], text[1] };
  snprintf(text[0], sizeof text[0], "%d of %d points failed, or have no value of an aim",
           d->s->n_point - all, d->s->n_point);
  snprintf(text[1], sizeof text[1], "%d aims more are judged, and not drawn", more);
  if (all == d->s->n_point) line[0] = text[1];
  snprintf(fig->title, sizeof fig->title, "%.120s: points that none beats", d->s->title);
  fig->n_col = n < 3 ? n : 3;
  fig->n_panel = n;
  fig->panel = panel;
  fig->n_key = 2;
  fig->key = key;
  fig->n_line = (all < d->s->n_point) + (more > 0);
  fig->line = line;
  mw_plot_figures(f, 1, fig);
  return rc;
}

mw_code mw_study_picture(const mw_study *s, const char *path, mw_error *err)
{
  int aim[MW_PARETO_AIMS], n = 0, more = 0;
  for (int c = 0; c < s->n_criterion; c++) {
    if (s->aim[c] == 0) continue;
    if (n < MW_PARETO_AIMS)
      aim[n++] = c;
    else
      more++;
  }
  if (n < 2)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--pareto: found %d aim, expected two or more criteria to weigh", n);
  drawing d = { .s = s };
  mw_figure fig = { 0 };
  char *text = NULL;
  size_t size = 0;
  d.best = mw_arena_alloc(&d.mem, (size_t)s->n_point, 1);
  mw_code rc = mw_arena_check(&d.mem, err);
  FILE *f = rc == MW_OK ? open_memstream(&text, &size) : NULL;
  if (rc == MW_OK && !f) rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the picture");
  if (f) {
    rc = draw(&d, n, aim, more, &fig, f, err);
    if (fclose(f) != 0 && rc == MW_OK)
      rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the picture");
  }
  if (rc == MW_OK) rc = mw_plot_save(path, s->title, text, size, err);
  mw_arena_free(&d.mem);
  free(text);
  return rc;
}
