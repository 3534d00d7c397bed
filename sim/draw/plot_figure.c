// SPDX-License-Identifier: BSD-3-Clause
// plot_figure.c: figures below each other: title, legend, panels side by side, texts.
#include <math.h>
#include <string.h>

#include "plot_panel_priv.h"

enum { WIDTH = 520, HEIGHT = 290, TITLE = 30, KEY_ROW = 22, KEY_ROOM = 12, LINE = 17 };
enum { MAX_KEY = 32, MOST_COLUMN = 4 };

// Okabe and Ito 2008, dark and light in turn.
void mw_plot_pen(int group, const char **color, const char **dash, mw_shape *shape)
{
  static const char *const colors[] = { "#0072b2", "#e69f00", "#000000", "#56b4e9",
                                        "#d55e00", "#009e73", "#cc79a7" };
  static const char *const dashes[] = { NULL, "7 3", "2 3", "8 3 2 3" };
  enum { N_COLOR = sizeof colors / sizeof *colors, N_DASH = sizeof dashes / sizeof *dashes };
  *color = group < 0 ? "#999999" : colors[group % N_COLOR];
  *dash = group < 0 ? NULL : dashes[group / N_COLOR % N_DASH];
  *shape = group < 0 ? MW_SHAPE_DOT : (mw_shape)(group / N_COLOR % N_DASH);
}

static int panel_w(const mw_figure *g) { return g->w > 0 ? g->w : WIDTH; }
static int panel_h(const mw_figure *g) { return g->h > 0 ? g->h : HEIGHT; }
static int width_of(const mw_figure *g) { return panel_w(g) * g->n_col; }

static double key_width(const mw_key *k) { return 66.0 + 8.0 * mw_plot_letters(k->text); }

// Legend from y on, wrapped to the figure's width w; f NULL: measure only. Returns its height.
static int write_keys(FILE *f, const mw_figure *g, int y, int w)
{
  double x = MW_PLOT_LEFT;
  int row = 0;
  for (int k = 0; k < g->n_key; k++) {
    const mw_key *u = &g->key[k];
    if (k > 0 && x + key_width(u) > w) {
      x = MW_PLOT_LEFT;
      row++;
    }
    double at = y + row * KEY_ROW + 18.0;
    if (f && u->width > 0.0) mw_plot_dash(f, x, x + 34.0, at, u->color, u->width, u->dash);
    if (f) {
      mw_plot_shape(f, u->shape, x + 17.0, at, 4.0, u->color);
      fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"13\" fill=\"#222222\">", x + 40.0,
              at + 4.0);
      mw_plot_text(f, u->text);
      fputs("</text>\n", f);
    }
    x += key_width(u);
  }
  return g->n_key > 0 ? KEY_ROOM + (row + 1) * KEY_ROW : 0;
}

// One figure from y on, f NULL: measure only; w: width of the picture. Returns its height.
static int write_figure(FILE *f, const mw_figure *g, int y, int w)
{
  int top = y, rows = (g->n_panel + g->n_col - 1) / g->n_col;
  if (g->title[0] != '\0') {
    if (f) {
      fprintf(f, "<text x=\"14\" y=\"%d\" font-size=\"15\" font-weight=\"bold\" fill=\"#222222\">",
              y + 22);
      mw_plot_text(f, g->title);
      fputs("</text>\n", f);
    }
    y += TITLE;
  }
  y += write_keys(f, g, y, w);
  for (int k = 0; f && k < g->n_panel; k++) {
    if (g->panel[k].n_curve + g->panel[k].n_dots == 0 && !g->panel[k].cells) continue;
    fprintf(f, "<g transform=\"translate(%d %d)\">\n", (k % g->n_col) * panel_w(g),
            y + (k / g->n_col) * panel_h(g));
    mw_plot_panel(f, &g->panel[k], panel_w(g), panel_h(g));
    fputs("</g>\n", f);
  }
  y += rows * panel_h(g);
  for (int k = 0; k < g->n_line; k++, y += LINE) {
    if (!f) continue;
    fprintf(f, "<text x=\"%d\" y=\"%d\" font-size=\"12\" fill=\"#222222\">", MW_PLOT_LEFT, y + 12);
    mw_plot_text(f, g->line[k]);
    fputs("</text>\n", f);
  }
  return y - top + (g->n_line > 0 ? LINE : 0);
}

void mw_plot_figures(FILE *f, int n, const mw_figure *figure)
{
  int w = 0, h = 0, y = 0;
  for (int k = 0; k < n; k++) w = width_of(&figure[k]) > w ? width_of(&figure[k]) : w;
  for (int k = 0; k < n; k++) h += write_figure(NULL, &figure[k], 0, w);
  fprintf(
      f,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
      "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n"
      "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
      w, h, w, h, w, h);
  for (int k = 0; k < n; k++) y += write_figure(f, &figure[k], y, w);
  fputs("</svg>\n", f);
}

// Keys of a panel's curves [MAX_KEY], one a name; returns how many.
static int keys_of(const mw_panel *p, mw_key *key)
{
  int n = 0;
  for (int c = 0; c < p->n_curve && n < MAX_KEY; c++) {
    const mw_curve *u = &p->curve[c];
    bool again = false;
    for (int k = 0; k < c && !again; k++) again = strcmp(p->curve[k].name, u->name) == 0;
    if (again) continue;
    mw_key *to = &key[n++];
    *to = (mw_key){ .color = u->color, .dash = u->dash, .width = u->width, .shape = MW_SHAPE_NONE };
    snprintf(to->text, sizeof to->text, "%s", u->name);
  }
  return n;
}

void mw_plot_column(FILE *f, int n_panel, const mw_panel *panel)
{
  mw_key key[MOST_COLUMN][MAX_KEY];
  mw_figure g[MOST_COLUMN];
  if (n_panel > MOST_COLUMN) n_panel = MOST_COLUMN;
  for (int k = 0; k < n_panel; k++)
    g[k] = (mw_figure){ .n_col = 1,
                        .n_panel = 1,
                        .panel = &panel[k],
                        .n_key = keys_of(&panel[k], key[k]),
                        .key = key[k] };
  mw_plot_figures(f, n_panel, g);
}

void mw_plot_write(FILE *f, int n_panel, int n_col, const mw_panel *panel)
{
  mw_key key[MAX_KEY];
  mw_figure g = { .n_col = n_col, .n_panel = n_panel, .panel = panel, .key = key };
  const mw_panel *most = panel;
  for (int k = 1; k < n_panel; k++)
    if (panel[k].n_curve > most->n_curve) most = &panel[k];
  if (n_panel > 0) g.n_key = keys_of(most, key);
  mw_plot_figures(f, 1, &g);
}
