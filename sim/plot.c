// SPDX-License-Identifier: BSD-3-Clause
// plot.c: curves over time as SVG.
//
// Axes end at ticks of 1, 2 or 5 times a power of ten (decades on a logarithmic axis). Long curves
// are thinned to the smallest and largest value of each pixel column, so that no peak is lost.
#include "plot_priv.h"

#include <math.h>
#include <string.h>

enum {
  WIDTH = 520,
  HEIGHT = 290,
  LEFT = 78,
  RIGHT = 14,
  TOP = 30,
  BOTTOM = 46,
  LEGEND = 34,
  MAX_TICKS = 12
};
static const double LOG_RANGE = 1e-10;  // of a logarithmic axis, relative to the largest value
static const double LOG_DIP = 1e-3;  // of a curve on it, relative to the curve's own largest value

typedef struct axis {
  double lo, hi;
  bool log;
  int n;
  double tick[MAX_TICKS];
} axis;

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

static axis linear_axis(double lo, double hi, bool tight)
{
  axis a = { .lo = lo, .hi = hi };
  if (!(hi > lo)) {  // a constant curve gets room around it
    double room = fabs(lo) > 0.0 ? 0.1 * fabs(lo) : 1.0;
    a.lo = lo - room;
    a.hi = hi + room;
  }
  double raw = (a.hi - a.lo) / 6.0, unit = pow(10.0, floor(log10(raw)));
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

static axis log_axis(double lo, double hi)
{
  axis a = { .log = true };
  double top = ceil(log10(hi) - 1e-9), bottom = floor(log10(fmax(lo, LOG_RANGE * hi)) + 1e-9);
  if (bottom >= top) bottom = top - 1.0;
  double step = ceil((top - bottom) / 8.0);
  a.lo = pow(10.0, bottom);
  a.hi = pow(10.0, top);
  for (double k = bottom; k <= top && a.n < MAX_TICKS; k += step) a.tick[a.n++] = pow(10.0, k);
  return a;
}

// Position of v along an axis, 0 to 1.
static double place(const axis *a, double v)
{
  if (!a->log) return (v - a->lo) / (a->hi - a->lo);
  return log10(fmin(fmax(v, a->lo), a->hi) / a->lo) / log10(a->hi / a->lo);
}

static axis y_axis(const mw_panel *p)
{
  double lo = INFINITY, hi = -INFINITY, dip = INFINITY;
  for (int c = 0; c < p->n_curve; c++) {
    double top = -INFINITY;
    for (int k = 0; k < p->n; k++) {
      double v = p->curve[c].y[k];
      if (!isfinite(v) || (p->log_y && v <= 0.0)) continue;
      lo = fmin(lo, v);
      top = fmax(top, v);
    }
    hi = fmax(hi, top);
    if (top > 0.0) dip = fmin(dip, LOG_DIP * top);
  }
  if (p->log_y) lo = fmax(lo, dip);  // where curves cross, a difference dips without meaning
  if (!(lo <= hi)) return linear_axis(0.0, 1.0, false);
  return p->log_y ? log_axis(lo, hi) : linear_axis(lo, hi, false);
}

static void write_frame(FILE *f, const mw_panel *p, const axis *ax, const axis *ay)
{
  const int w = WIDTH - LEFT - RIGHT, h = HEIGHT - TOP - BOTTOM;
  fputs("<g stroke=\"#dddddd\" stroke-width=\"1\">\n", f);
  for (int k = 0; k < ax->n; k++) {
    double x = LEFT + w * place(ax, ax->tick[k]);
    fprintf(f, "<line x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\"/>\n", x, TOP, x, TOP + h);
  }
  for (int k = 0; k < ay->n; k++) {
    double y = TOP + h * (1.0 - place(ay, ay->tick[k]));
    fprintf(f, "<line x1=\"%d\" y1=\"%.2f\" x2=\"%d\" y2=\"%.2f\"/>\n", LEFT, y, LEFT + w, y);
  }
  fputs("</g>\n<g font-size=\"12\" fill=\"#222222\">\n", f);
  for (int k = 0; k < ax->n; k++)
    fprintf(f, "<text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
            LEFT + w * place(ax, ax->tick[k]), TOP + h + 16,
            fabs(ax->tick[k]) < 1e-12 * (ax->hi - ax->lo) ? 0.0 : ax->tick[k]);
  for (int k = 0; ay->log && k < ay->n; k++)
    fprintf(
        f,
        "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">10<tspan dy=\"-5\" font-size=\"9\">%.0f</tspan></text>\n",
        LEFT - 6, TOP + h * (1.0 - place(ay, ay->tick[k])) + 5.0, log10(ay->tick[k]));
  for (int k = 0; !ay->log && k < ay->n; k++) {
    double zero = 1e-12 * (ay->hi - ay->lo), v = fabs(ay->tick[k]) < zero ? 0.0 : ay->tick[k];
    fprintf(f, "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">%g</text>\n", LEFT - 6,
            TOP + h * (1.0 - place(ay, ay->tick[k])) + 4.0, v);
  }
  fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", LEFT + w / 2, HEIGHT - 10);
  mw_plot_text(f, p->x_label);
  fprintf(f, "</text>\n<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">",
          TOP + h / 2);
  mw_plot_text(f, p->y_label);
  fprintf(f, "</text>\n<text x=\"%d\" y=\"%d\" font-weight=\"bold\">", LEFT, TOP - 10);
  mw_plot_text(f, p->title);
  fputs("</text>\n</g>\n", f);
}

static void write_curve(FILE *f, const mw_panel *p, const mw_curve *c, const axis *ax,
                        const axis *ay)
{
  const int w = WIDTH - LEFT - RIGHT, h = HEIGHT - TOP - BOTTOM;
  const int per = p->n > 2 * w ? (p->n + w - 1) / w : 1;  // instants a pixel column
  fprintf(f, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%g\"%s%s%s points=\"", c->color,
          c->width, c->dash ? " stroke-dasharray=\"" : "", c->dash ? c->dash : "",
          c->dash ? "\"" : "");
  for (int k = 0; k < p->n; k += per) {
    int lo = -1, hi = -1;
    for (int i = k; i < k + per && i < p->n; i++) {
      if (!isfinite(c->y[i])) continue;
      if (lo < 0 || c->y[i] < c->y[lo]) lo = i;
      if (hi < 0 || c->y[i] > c->y[hi]) hi = i;
    }
    int pair[2] = { lo < hi ? lo : hi, lo < hi ? hi : lo };
    for (int i = lo == hi; i < 2 && lo >= 0; i++)
      fprintf(f, "%.2f,%.2f ", LEFT + w * place(ax, p->x[pair[i]]),
              TOP + h * (1.0 - place(ay, c->y[pair[i]])));
  }
  fputs("\"/>\n", f);
}

static void write_legend(FILE *f, int n_panel, const mw_panel *panel)
{
  const mw_panel *most = panel;
  for (int k = 1; k < n_panel; k++)
    if (panel[k].n_curve > most->n_curve) most = &panel[k];
  double x = LEFT;
  for (int c = 0; c < most->n_curve; c++) {
    const mw_curve *u = &most->curve[c];
    fprintf(
        f,
        "<line x1=\"%.1f\" y1=\"18\" x2=\"%.1f\" y2=\"18\" stroke=\"%s\" stroke-width=\"%g\"%s%s%s/>\n",
        x, x + 34.0, u->color, u->width, u->dash ? " stroke-dasharray=\"" : "",
        u->dash ? u->dash : "", u->dash ? "\"" : "");
    fprintf(f, "<text x=\"%.1f\" y=\"22\" font-size=\"13\" fill=\"#222222\">", x + 40.0);
    mw_plot_text(f, u->name);
    fputs("</text>\n", f);
    x += 66.0 + 8.0 * (double)strlen(u->name);
  }
}

void mw_plot_write(FILE *f, int n_panel, int n_col, const mw_panel *panel)
{
  int rows = (n_panel + n_col - 1) / n_col, w = n_col * WIDTH, h = LEGEND + rows * HEIGHT;
  fprintf(
      f,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
      "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n"
      "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
      w, h, w, h, w, h);
  if (n_panel > 0) write_legend(f, n_panel, panel);
  for (int k = 0; k < n_panel; k++) {
    const mw_panel *p = &panel[k];
    axis ax = linear_axis(p->n ? p->x[0] : 0.0, p->n ? p->x[p->n - 1] : 1.0, true), ay = y_axis(p);
    fprintf(f, "<g transform=\"translate(%d %d)\">\n", (k % n_col) * WIDTH,
            LEGEND + (k / n_col) * HEIGHT);
    write_frame(f, p, &ax, &ay);
    for (int c = 0; c < p->n_curve; c++) write_curve(f, p, &p->curve[c], &ax, &ay);
    fprintf(
        f,
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#444444\"/>\n</g>\n",
        LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
  }
  fputs("</svg>\n", f);
}
