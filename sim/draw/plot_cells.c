// SPDX-License-Identifier: BSD-3-Clause
// plot_cells.c: a value over two coordinates as cells of colours, and the bar that tells them.
//
// Colours grow lighter with the value at an even rate, in print as well as on a screen. The scale
// is logarithmic where all values are of one sign and the largest is WIDE times the smallest.
#include <math.h>

#include "plot_panel_priv.h"

enum { N_TICK = 5, N_STEP = 64, BAR = 14, GAP = 12 };
static const double WIDE = 30.0;

// Ends of the bar, and how values lie between them.
typedef struct scale {
  double lo, hi;
  bool log;
} scale;

static scale scale_of(const mw_cells *c)
{
  scale s = { c->lo, c->hi, false };
  if (!(s.lo < s.hi)) {
    s.lo = INFINITY, s.hi = -INFINITY;
    for (int k = 0; k < c->n_x * c->n_y; k++) {
      if (!isfinite(c->value[k])) continue;
      s.lo = fmin(s.lo, c->value[k]);
      s.hi = fmax(s.hi, c->value[k]);
    }
  }
  if (!(s.lo <= s.hi)) s.lo = 0.0, s.hi = 1.0;
  if (s.lo == s.hi) {  // one value: room around it
    double room = s.lo != 0.0 ? 0.1 * fabs(s.lo) : 1.0;
    s.lo -= room;
    s.hi += room;
  }
  s.log = s.lo > 0.0 && s.hi > WIDE * s.lo;
  return s;
}

// Place of v on the bar, 0 to 1.
static double place(const scale *s, double v)
{
  double t = s->log ? log(v / s->lo) / log(s->hi / s->lo) : (v - s->lo) / (s->hi - s->lo);
  return fmin(fmax(t, 0.0), 1.0);
}

static double value_at(const scale *s, double t)
{
  return s->log ? s->lo * pow(s->hi / s->lo, t) : s->lo + (s->hi - s->lo) * t;
}

// Digits that tell the numbers of the bar apart.
static int digits(const scale *s)
{
  double most = fmax(fabs(s->lo), fabs(s->hi)), step = (s->hi - s->lo) / (N_TICK - 1);
  return s->log ? 3 : (int)fmin(fmax(ceil(log10(most / step)) + 1.0, 3.0), 8.0);
}

static double tidy(const scale *s, double v) { return fabs(v) < 1e-12 * (s->hi - s->lo) ? 0.0 : v; }

// "#rrggbb" at 0 to 1: dark violet, blue, green, yellow.
static void color_at(double t, char out[8])
{
  static const int knot[][3] = { { 68, 1, 84 },    { 71, 45, 123 },  { 59, 82, 139 },
                                 { 44, 114, 142 }, { 33, 145, 140 }, { 40, 174, 128 },
                                 { 94, 201, 98 },  { 173, 220, 48 }, { 253, 231, 37 } };
  enum { LAST = sizeof knot / sizeof *knot - 1 };
  int k = (int)fmin(floor(t * LAST), LAST - 1.0);
  double u = t * LAST - k, c[3];
  for (int i = 0; i < 3; i++) c[i] = knot[k][i] + u * (knot[k + 1][i] - knot[k][i]);
  (void)snprintf(out, 8, "#%02x%02x%02x", (unsigned)lround(c[0]) & 255u,
                 (unsigned)lround(c[1]) & 255u, (unsigned)lround(c[2]) & 255u);
}

// Where cell k of n ends below and above, as a part of the axis: halfway to its neighbours.
static void sides(int n, const double *x, int k, double *lo, double *hi)
{
  double from = x[0], over = 1.0 / (x[n - 1] - x[0]);
  *lo = k > 0 ? (0.5 * (x[k - 1] + x[k]) - from) * over : 0.0;
  *hi = k < n - 1 ? (0.5 * (x[k] + x[k + 1]) - from) * over : 1.0;
}

void mw_plot_cells(FILE *f, const mw_cells *c, int w, int h)
{
  scale s = scale_of(c);
  fputs("<g shape-rendering=\"crispEdges\">\n", f);
  for (int i = 0; i < c->n_x; i++)
    for (int j = 0; j < c->n_y; j++) {
      double v = c->value[i * c->n_y + j], x0, x1, y0, y1;
      char color[8] = "#999999";
      sides(c->n_x, c->x, i, &x0, &x1);
      sides(c->n_y, c->y, j, &y0, &y1);
      if (isfinite(v)) color_at(place(&s, v), color);
      fprintf(f, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n",
              MW_PLOT_LEFT + w * x0, MW_PLOT_TOP + h * (1.0 - y1), w * (x1 - x0), h * (y1 - y0),
              color);
    }
  fputs("</g>\n", f);
}

void mw_plot_bar(FILE *f, const mw_cells *c, int w, int h)
{
  scale s = scale_of(c);
  double x = MW_PLOT_LEFT + w + GAP, step = (double)h / N_STEP;
  char color[8];
  fputs("<g shape-rendering=\"crispEdges\">\n", f);
  for (int k = 0; k < N_STEP; k++) {
    color_at((k + 0.5) / N_STEP, color);
    fprintf(f, "<rect x=\"%.1f\" y=\"%.2f\" width=\"%d\" height=\"%.2f\" fill=\"%s\"/>\n", x,
            MW_PLOT_TOP + h - (k + 1) * step, BAR, step, color);
  }
  fputs("</g>\n<g font-size=\"11\" fill=\"#222222\">\n", f);
  for (int k = 0; k < N_TICK; k++) {
    double t = (double)k / (N_TICK - 1);
    fprintf(f, "<text x=\"%.1f\" y=\"%.2f\">%.*g</text>\n", x + BAR + 4.0,
            MW_PLOT_TOP + h * (1.0 - t) + 4.0, digits(&s), tidy(&s, value_at(&s, t)));
  }
  fprintf(f, "<text x=\"%.1f\" y=\"%d\">", x, MW_PLOT_TOP - 10);
  mw_plot_text(f, c->unit);
  if (s.log) fputs(" (log)", f);
  fputs("</text>\n</g>\n", f);
}
