// SPDX-License-Identifier: BSD-3-Clause
// study_parallel.c: a study as parallel coordinates: an axis a parameter and criterion, a line a
// point.
#include <math.h>
#include <stdlib.h>

#include "draw/plot_layer.h"
#include "study_layer.h"

enum { APART = 130, LEFT = 80, TOP = 78, HIGH = 300, FOOT = 40 };  // px

static int axes_of(const mw_study *s) { return s->n_varied + s->n_criterion; }

static double value_of(const mw_study *s, int point, int axis)
{
  return axis < s->n_varied ? s->x[point * s->n_varied + axis]
                            : s->value[point * s->n_criterion + axis - s->n_varied];
}

// Ends of an axis; what differs by rounding alone stands in its middle.
static void ends_of(const mw_study *s, int axis, double end[2])
{
  end[0] = INFINITY;
  end[1] = -INFINITY;
  for (int k = 0; k < s->n_point; k++) {
    double v = value_of(s, k, axis);
    if (!isfinite(v)) continue;
    end[0] = fmin(end[0], v);
    end[1] = fmax(end[1], v);
  }
  if (!(end[0] <= end[1])) end[0] = end[1] = 0.0;
  double size = fmax(fabs(end[0]), fabs(end[1]));
  if (!(size > 0.0)) size = 1.0;
  if (end[1] - end[0] > 1e-9 * size) return;
  end[0] -= 0.1 * size;
  end[1] += 0.1 * size;
}

static double height(const double end[2], double v)
{
  return TOP + HIGH * (end[1] - v) / (end[1] - end[0]);
}

// A point as a line; false: it has no value somewhere.
static bool write_point(FILE *f, const mw_study *s, const double (*end)[2], int k, bool best)
{
  for (int a = 0; a < axes_of(s); a++)
    if (!isfinite(value_of(s, k, a))) return false;
  fprintf(f, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" points=\"",
          best ? "#b03a2e" : "#b0b6bb", best ? "1.8" : "1");
  for (int a = 0; a < axes_of(s); a++)
    fprintf(f, "%d,%.1f ", LEFT + APART * a, height(end[a], value_of(s, k, a)));
  fputs("\"/>\n", f);
  return true;
}

static void text(FILE *f, int x, double y, const char *what)
{
  fprintf(f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">", x, y);
  mw_plot_text(f, what);
  fputs("</text>\n", f);
}

// Names in turn above each other, so that neighbours keep clear.
static void write_axis(FILE *f, const mw_study *s, const double end[2], int a)
{
  char name[160], number[32];
  int x = LEFT + APART * a;
  if (a < s->n_varied)
    snprintf(name, sizeof name, "%.120s", s->path[a]);
  else
    snprintf(name, sizeof name, "%.100s%s%.20s", s->name[a - s->n_varied],
             *s->unit[a - s->n_varied] ? ", " : "", s->unit[a - s->n_varied]);
  fprintf(f, "<path d=\"M%d %dV%d\" stroke=\"#222222\"/>\n", x, TOP, TOP + HIGH);
  text(f, x, a % 2 ? TOP - 38.0 : TOP - 22.0, name);
  for (int k = 0; k < 2; k++) {
    snprintf(number, sizeof number, "%.4g", end[k]);
    text(f, x, k ? TOP - 6.0 : TOP + HIGH + 15.0, number);
  }
}

// Of all n points; their number that is drawn.
static int write_points(FILE *f, const mw_study *s, const double (*end)[2],
                        const unsigned char *best)
{
  int drawn = 0;
  for (int pass = 0; pass < 2; pass++)  // those that none beats lie above the others
    for (int k = 0; k < s->n_point; k++)
      if (best[k] == pass) drawn += write_point(f, s, end, k, pass == 1);
  return drawn;
}

static void draw(FILE *f, const mw_study *s, const double (*end)[2], const unsigned char *best,
                 int n_best)
{
  int wide = 2 * LEFT + APART * (axes_of(s) - 1), high = TOP + HIGH + FOOT;
  if (wide < 640) wide = 640;
  fprintf(f,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
          "%d\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"11\">\n"
          "<title>Parallel coordinates</title>\n<rect width=\"%d\" height=\"%d\" "
          "fill=\"#ffffff\"/>\n",
          wide, high, wide, high, wide, high);
  int drawn = write_points(f, s, end, best);
  for (int a = 0; a < axes_of(s); a++) write_axis(f, s, end[a], a);
  fputs("<text x=\"14\" y=\"20\" font-size=\"15\" font-weight=\"bold\">", f);
  mw_plot_text(f, s->title);
  fprintf(f,
          "</text>\n<text x=\"14\" y=\"%d\">%d of %d points%s; red: the %d that none beats</text>",
          high - 6, drawn, s->n_point, drawn < s->n_point ? ", others lack a value" : "", n_best);
  fputs("\n</svg>\n", f);
}

mw_code mw_study_parallel(const mw_study *s, const char *path, mw_error *err)
{
  mw_arena mem = { 0 };
  char *out = NULL;
  size_t n = 0;
  double(*end)[2] = mw_arena_alloc(&mem, (size_t)axes_of(s), sizeof *end);
  unsigned char *best = mw_arena_alloc(&mem, (size_t)s->n_point, 1);
  mw_code rc = mw_arena_check(&mem, err);
  for (int a = 0; rc == MW_OK && a < axes_of(s); a++) ends_of(s, a, end[a]);
  FILE *f = rc == MW_OK ? open_memstream(&out, &n) : NULL;
  if (f) draw(f, s, (const double(*)[2])end, best, mw_study_unbeaten(s, best));
  if (rc == MW_OK && (!f || fclose(f) != 0))
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the picture");
  if (rc == MW_OK) rc = mw_plot_save(path, s->title, out, n, err);
  mw_arena_free(&mem);
  free(out);
  return rc;
}
