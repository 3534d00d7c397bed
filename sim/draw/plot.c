// SPDX-License-Identifier: BSD-3-Clause
// plot.c: one panel of curves, dots and marks as SVG.
//
// Axes end at ticks of 1, 2 or 5 times a power of ten (decades on a logarithmic axis). Long curves
// are thinned to the smallest and largest value of each pixel column, so that no peak is lost.
#include "plot_panel_priv.h"

#include <math.h>
#include <string.h>

enum { MAX_TICKS = 14, MAX_LABEL = 64 };
static const double LOG_RANGE = 1e-10;  // of a logarithmic axis, relative to the largest value
static const double LOG_DIP = 1e-3;   // of a curve on it, relative to the curve's own largest value
static const double LETTER = 6.2;     // width of a letter of 11 px, generous
static const double RULE_ROOM = 1.2;  // a tolerance does not lie on the frame
static const double TICK_X = 70.0, TICK_Y = 35.0, DECADE = 26.0;  // px from tick to tick, about

typedef struct axis {
  double lo, hi;
  bool log;
  int n;
  double tick[MAX_TICKS];
} axis;

// What is drawn of a panel, and the texts of its notes so far.
typedef struct pane {
  FILE *f;
  const mw_panel *p;
  int w, h;  // px, of the plot within its frame
  axis x, y;
  int n_label;
  double label[MAX_LABEL][4];  // px, left, top, right, bottom
} pane;

void mw_plot_text(FILE *f, const char *s)
{
  for (; *s; s++) {
    if (*s == '&')
      fputs("&amp;", f);
    else if (*s == '<')
      fputs("&lt;", f);
    else if (*s == '>')
      fputs("&gt;", f);
    else if (*s == '"')
      fputs("&quot;", f);
    else
      fputc(*s, f);
  }
}

int mw_plot_letters(const char *s)
{
  int n = 0;
  for (; *s; s++) n += ((unsigned char)*s & 0xc0) != 0x80;  // not a continuation byte
  return n;
}

void mw_plot_dash(FILE *f, double x1, double x2, double y, const char *color, double width,
                  const char *dash)
{
  fprintf(f,
          "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
          "stroke-width=\"%g\"%s%s%s/>\n",
          x1, y, x2, y, color, width, dash ? " stroke-dasharray=\"" : "", dash ? dash : "",
          dash ? "\"" : "");
}

void mw_plot_shape(FILE *f, mw_shape shape, double x, double y, double r, const char *color)
{
  double d = 0.85 * r;  // of corners: as much ink as a disc
  switch (shape) {
  case MW_SHAPE_DOT:
    fprintf(f, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"%s\"/>\n", x, y, r, color);
    break;
  case MW_SHAPE_RING:
    fprintf(f, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"none\" stroke=\"%s\"/>\n", x, y,
            r, color);
    break;
  case MW_SHAPE_SQUARE:
    fprintf(f, "<path d=\"M%.2f %.2fh%.2fv%.2fh%.2fz\" fill=\"%s\"/>\n", x - d, y - d, 2.0 * d,
            2.0 * d, -2.0 * d, color);
    break;
  case MW_SHAPE_TRIANGLE:
    fprintf(f, "<path d=\"M%.2f %.2fh%.2fL%.2f %.2fz\" fill=\"%s\"/>\n", x - r, y + d, 2.0 * r, x,
            y - r, color);
    break;
  case MW_SHAPE_DIAMOND:
    fprintf(f, "<path d=\"M%.2f %.2fL%.2f %.2fL%.2f %.2fL%.2f %.2fz\" fill=\"%s\"/>\n", x - r, y, x,
            y - r, x + r, y, x, y + r, color);
    break;
  case MW_SHAPE_CROSS:
    fprintf(f, "<path d=\"M%.2f %.2fL%.2f %.2fM%.2f %.2fL%.2f %.2f\" stroke=\"%s\"/>\n", x - d,
            y - d, x + d, y + d, x - d, y + d, x + d, y - d, color);
    break;
  case MW_SHAPE_NOTCH:
    fprintf(
        f,
        "<path d=\"M%.2f %.2fQ%.2f %.2f %.2f %.2fM%.2f %.2fQ%.2f %.2f %.2f %.2f\" fill=\"none\" "
        "stroke=\"%s\"/>\n",
        x - r, y - r, x, y, x + r, y - r, x - r, y + r, x, y, x + r, y + r, color);
    break;
  case MW_SHAPE_BAR:
    fprintf(f, "<path d=\"M%.2f %.2fv%.2f\" stroke=\"%s\"/>\n", x, y - r, 2.0 * r, color);
    break;
  case MW_SHAPE_NONE: break;
  }
}

static axis linear_axis(double lo, double hi, bool tight, double n_tick)
{
  axis a = { .lo = lo, .hi = hi };
  // a constant curve gets room around it, rounding or not
  if (!(hi - lo > 1e-13 * fmax(fabs(lo), fabs(hi)))) {
    double room = fabs(lo) > 0.0 ? 0.1 * fabs(lo) : 1.0;
    a.lo = lo - room;
    a.hi = hi + room;
  }
  double raw = (a.hi - a.lo) / fmin(fmax(n_tick, 2.0), 8.0), unit = pow(10.0, floor(log10(raw)));
  double step = raw <= unit         ? unit
                : raw <= 2.0 * unit ? 2.0 * unit
                : raw <= 5.0 * unit ? 5.0 * unit
                                    : 10.0 * unit;
  double first = tight ? ceil(a.lo / step - 1e-9) : floor(a.lo / step + 1e-9);
  double last = tight ? floor(a.hi / step + 1e-9) : ceil(a.hi / step - 1e-9);
  if (!tight) {
    a.lo = first * step;
    a.hi = last * step;
  }
  for (double k = first; k <= last && a.n < MAX_TICKS; k += 1.0) a.tick[a.n++] = k * step;
  return a;
}

static axis log_axis(double lo, double hi, double n_tick)
{
  axis a = { .log = true };
  double top = ceil(log10(hi) - 1e-9), bottom = floor(log10(fmax(lo, LOG_RANGE * hi)) + 1e-9);
  if (bottom >= top) bottom = top - 1.0;
  double step = ceil((top - bottom) / fmax(n_tick, 2.0));
  a.lo = pow(10.0, bottom);
  a.hi = pow(10.0, top);
  for (double k = bottom; k <= top && a.n < MAX_TICKS; k += step) a.tick[a.n++] = pow(10.0, k);
  return a;
}

// Rows 0 to n − 1 with half a row of room; their names are written instead of ticks.
static axis row_axis(int n) { return (axis){ .lo = -0.5, .hi = n - 0.5 }; }

// Position of v along an axis, 0 to 1.
static double place(const axis *a, double v)
{
  if (!a->log) return (v - a->lo) / (a->hi - a->lo);
  return log10(fmin(fmax(v, a->lo), a->hi) / a->lo) / log10(a->hi / a->lo);
}

static double px(const pane *a, double x) { return MW_PLOT_LEFT + a->w * place(&a->x, x); }
static double py(const pane *a, double y) { return MW_PLOT_TOP + a->h * (1.0 - place(&a->y, y)); }

static axis x_axis(const mw_panel *p, int w)
{
  double n_tick = fmax(floor(w / TICK_X), 5.0);
  const mw_cells *c = p->cells;
  if (c) return linear_axis(c->x[0], c->x[c->n_x - 1], true, n_tick);
  if (p->x_lo < p->x_hi) return linear_axis(p->x_lo, p->x_hi, true, n_tick);
  return linear_axis(p->n ? p->x[0] : 0.0, p->n ? p->x[p->n - 1] : 1.0, true, n_tick);
}

// Widens lo to hi by n values; returns the largest, −∞ without one.
static double widen(const mw_panel *p, int n, const double *y, double *lo, double *hi)
{
  double top = -INFINITY;
  for (int k = 0; k < n; k++) {
    if (!isfinite(y[k]) || (p->log_y && y[k] <= 0.0)) continue;
    *lo = fmin(*lo, y[k]);
    top = fmax(top, y[k]);
  }
  *hi = fmax(*hi, top);
  return top;
}

static axis y_axis(const mw_panel *p, int h)
{
  double lo = INFINITY, hi = -INFINITY, dip = INFINITY;
  double n_tick = floor(h / (p->log_y ? DECADE : TICK_Y));
  const mw_cells *e = p->cells;
  if (e) return linear_axis(e->y[0], e->y[e->n_y - 1], true, n_tick);
  if (p->n_row > 0) return row_axis(p->n_row);
  if (p->y_lo < p->y_hi)
    return p->log_y ? log_axis(p->y_lo, p->y_hi, n_tick)
                    : linear_axis(p->y_lo, p->y_hi, true, n_tick);
  for (int c = 0; c < p->n_curve; c++) {
    double top = widen(p, p->n, p->curve[c].y, &lo, &hi);
    if (top > 0.0) dip = fmin(dip, (p->dip > 0.0 ? p->dip : LOG_DIP) * top);
  }
  // where curves cross, a difference dips without meaning
  if (p->log_y && p->n_curve > 0) lo = fmax(lo, dip);
  for (int d = 0; d < p->n_dots; d++) widen(p, p->dots[d].n, p->dots[d].y, &lo, &hi);
  double above = RULE_ROOM * p->rule;
  if (p->rule > 0.0) widen(p, 1, &above, &lo, &hi);
  if (!(lo <= hi)) return linear_axis(0.0, 1.0, false, n_tick);
  return p->log_y ? log_axis(lo, hi, n_tick) : linear_axis(lo, hi, false, n_tick);
}

// ---- frame --------------------------------------------------------------------------------------

static void write_grid(const pane *a)
{
  fputs("<g stroke=\"#dddddd\" stroke-width=\"1\">\n", a->f);
  for (int k = 0; k < a->x.n; k++) {
    double x = px(a, a->x.tick[k]);
    fprintf(a->f, "<line x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\"/>\n", x, MW_PLOT_TOP, x,
            MW_PLOT_TOP + a->h);
  }
  for (int k = 0; k < a->y.n; k++) {
    double y = py(a, a->y.tick[k]);
    fprintf(a->f, "<line x1=\"%d\" y1=\"%.2f\" x2=\"%d\" y2=\"%.2f\"/>\n", MW_PLOT_LEFT, y,
            MW_PLOT_LEFT + a->w, y);
  }
  fputs("</g>\n", a->f);
}

static double tidy(const axis *a, double v) { return fabs(v) < 1e-12 * (a->hi - a->lo) ? 0.0 : v; }

static void write_ticks(const pane *a)
{
  const axis *ay = &a->y;
  for (int k = 0; k < a->x.n; k++)
    fprintf(a->f, "<text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
            px(a, a->x.tick[k]), MW_PLOT_TOP + a->h + 16, tidy(&a->x, a->x.tick[k]));
  for (int k = 0; ay->log && k < ay->n; k++)
    fprintf(a->f,
            "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">10<tspan dy=\"-5\" "
            "font-size=\"9\">%.0f</tspan></text>\n",
            MW_PLOT_LEFT - 6, py(a, ay->tick[k]) + 5.0, log10(ay->tick[k]));
  for (int k = 0; !ay->log && k < ay->n; k++)
    fprintf(a->f, "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">%g</text>\n", MW_PLOT_LEFT - 6,
            py(a, ay->tick[k]) + 4.0, tidy(ay, ay->tick[k]));
  for (int k = 0; k < a->p->n_row; k++) {
    fprintf(a->f, "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">", MW_PLOT_LEFT - 6,
            py(a, k) + 4.0);
    mw_plot_text(a->f, a->p->row[k]);
    fputs("</text>\n", a->f);
  }
}

static void write_frame(const pane *a)
{
  FILE *f = a->f;
  write_grid(a);
  fputs("<g font-size=\"12\" fill=\"#222222\">\n", f);
  write_ticks(a);
  fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", MW_PLOT_LEFT + a->w / 2,
          MW_PLOT_TOP + a->h + MW_PLOT_BOTTOM - 10);
  mw_plot_text(f, a->p->x_label);
  fprintf(f, "</text>\n<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">",
          MW_PLOT_TOP + a->h / 2);
  mw_plot_text(f, a->p->y_label);
  fprintf(f, "</text>\n<text x=\"%d\" y=\"%d\" font-weight=\"bold\">", MW_PLOT_LEFT,
          MW_PLOT_TOP - 10);
  mw_plot_text(f, a->p->title);
  fputs("</text>\n</g>\n", f);
}

// ---- curves, dots, notes ------------------------------------------------------------------------

static void begin_line(FILE *f, const char *color, double width, const char *dash)
{
  fprintf(f, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%g\"%s%s%s points=\"", color,
          width, dash ? " stroke-dasharray=\"" : "", dash ? dash : "", dash ? "\"" : "");
}

static void write_curve(const pane *a, const mw_curve *c)
{
  const mw_panel *p = a->p;
  const int per = p->n > 2 * a->w ? (p->n + a->w - 1) / a->w : 1;  // instants a pixel column
  begin_line(a->f, c->color, c->width, c->dash);
  for (int k = 0; k < p->n; k += per) {
    int lo = -1, hi = -1;
    for (int i = k; i < k + per && i < p->n; i++) {
      if (!isfinite(c->y[i])) continue;
      if (lo < 0 || c->y[i] < c->y[lo]) lo = i;
      if (hi < 0 || c->y[i] > c->y[hi]) hi = i;
    }
    int pair[2] = { lo < hi ? lo : hi, lo < hi ? hi : lo };
    for (int i = lo == hi; i < 2 && lo >= 0; i++)
      fprintf(a->f, "%.2f,%.2f ", px(a, p->x[pair[i]]), py(a, c->y[pair[i]]));
  }
  fputs("\"/>\n", a->f);
}

// A polyline for each run of points of one group, up to the first point of the next.
static void write_runs(const pane *a, const mw_curve *c)
{
  const mw_panel *p = a->p;
  for (int k = 0, end; k < p->n; k = end) {
    const char *color, *dash;
    mw_shape shape;
    mw_plot_pen(c->group[k], &color, &dash, &shape);
    begin_line(a->f, color, c->width, dash);
    for (end = k; end < p->n && c->group[end] == c->group[k]; end++)
      if (isfinite(c->y[end])) fprintf(a->f, "%.2f,%.2f ", px(a, p->x[end]), py(a, c->y[end]));
    if (end < p->n && isfinite(c->y[end]))
      fprintf(a->f, "%.2f,%.2f", px(a, p->x[end]), py(a, c->y[end]));
    fputs("\"/>\n", a->f);
  }
}

static bool within(const axis *a, double v)
{
  double room = 1e-9 * (a->hi - a->lo);
  return isfinite(v) && (a->log || (v >= a->lo - room && v <= a->hi + room));
}

static void write_dots(const pane *a, const mw_dots *d)
{
  for (int k = 0; k < d->n; k++) {
    const char *color = d->color, *dash;
    mw_shape shape = d->shape;
    if (!within(&a->x, d->x[k]) || !within(&a->y, d->y[k])) continue;
    if (d->group) mw_plot_pen(d->group[k], &color, &dash, &shape);
    mw_plot_shape(a->f, shape, px(a, d->x[k]), py(a, d->y[k]), d->radius, color);
  }
}

static bool overlaps(const pane *a, const double box[4])
{
  for (int k = 0; k < a->n_label; k++) {
    const double *o = a->label[k];
    if (box[0] < o[2] && o[0] < box[2] && box[1] < o[3] && o[1] < box[3]) return true;
  }
  return false;
}

// The text stands beside its mark, on the side with more room, moved up or down until it is clear
// of the others.
static void write_note(pane *a, const mw_note *n)
{
  static const double step = 13.0;
  double x = px(a, n->x), y = py(a, n->y), wide = LETTER * mw_plot_letters(n->text) + 4.0;
  mw_plot_shape(a->f, n->shape, x, y, 5.0, "#000000");
  if (n->text[0] == '\0') return;
  bool left = x - MW_PLOT_LEFT > 0.5 * a->w;
  double box[4] = { left ? x - 9.0 - wide : x + 9.0, 0.0, left ? x - 9.0 : x + 9.0 + wide, 0.0 };
  for (int k = 0; k < 24; k++) {
    double middle = y + step * (k % 2 ? (k + 1) / 2 : -k / 2);
    box[1] = middle - 0.5 * step;
    box[3] = middle + 0.5 * step;
    bool inside = box[1] >= MW_PLOT_TOP && box[3] <= MW_PLOT_TOP + a->h;
    if (inside && !overlaps(a, box)) break;
  }
  if (a->n_label < MAX_LABEL) memcpy(a->label[a->n_label++], box, sizeof box);
  fprintf(a->f,
          "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\" font-size=\"11\" fill=\"#000000\" "
          "stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\">",
          left ? box[2] : box[0], box[3] - 2.5, left ? "end" : "start");
  mw_plot_text(a->f, n->text);
  fputs("</text>\n", a->f);
}

void mw_plot_panel(FILE *f, const mw_panel *p, int w, int h)
{
  pane a = {
    .f = f, .p = p, .w = w - MW_PLOT_LEFT - MW_PLOT_RIGHT, .h = h - MW_PLOT_TOP - MW_PLOT_BOTTOM
  };
  if (p->cells) a.w -= MW_PLOT_BAR;
  a.x = x_axis(p, a.w);
  a.y = y_axis(p, a.h);
  write_frame(&a);
  // an inner picture cuts what leaves the frame
  fprintf(f, "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"%d %d %d %d\">\n",
          MW_PLOT_LEFT, MW_PLOT_TOP, a.w, a.h, MW_PLOT_LEFT, MW_PLOT_TOP, a.w, a.h);
  if (p->cells) mw_plot_cells(f, p->cells, a.w, a.h);
  if (p->rule > 0.0)
    mw_plot_dash(f, MW_PLOT_LEFT, MW_PLOT_LEFT + a.w, py(&a, p->rule), "#d55e00", 1.5, "8 4");
  for (int c = 0; c < p->n_curve; c++) {
    if (p->curve[c].group)
      write_runs(&a, &p->curve[c]);
    else
      write_curve(&a, &p->curve[c]);
  }
  fputs("</svg>\n", f);
  fprintf(f,
          "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#444444\"/>\n",
          MW_PLOT_LEFT, MW_PLOT_TOP, a.w, a.h);
  if (p->cells) mw_plot_bar(f, p->cells, a.w, a.h);
  for (int d = 0; d < p->n_dots; d++) write_dots(&a, &p->dots[d]);
  for (int k = 0; k < p->n_note; k++) write_note(&a, &p->note[k]);
}
