// SPDX-License-Identifier: BSD-3-Clause
// plot_panel_priv.h: between plot.c, which draws a panel, and plot_figure.c, which places panels
// and legends.
#ifndef MW_SIM_PLOT_PANEL_PRIV_H
#define MW_SIM_PLOT_PANEL_PRIV_H

#include "plot_layer.h"

// px around the plot of a panel
enum { MW_PLOT_LEFT = 78, MW_PLOT_RIGHT = 14, MW_PLOT_TOP = 30, MW_PLOT_BOTTOM = 46 };
enum { MW_PLOT_BAR = 84 };  // px of the bar of colours beside cells, its numbers included

// A panel of w × h px, frame and labels included, at the origin.
void mw_plot_panel(FILE *f, const mw_panel *p, int w, int h);
void mw_plot_shape(FILE *f, mw_shape shape, double x, double y, double radius, const char *color);
// A line from (x1, y) to (x2, y); dash NULL: solid.
void mw_plot_dash(FILE *f, double x1, double x2, double y, const char *color, double width,
                  const char *dash);
// Cells over a plot of w × h px at (MW_PLOT_LEFT, MW_PLOT_TOP); the bar to the right of it.
void mw_plot_cells(FILE *f, const mw_cells *c, int w, int h);
void mw_plot_bar(FILE *f, const mw_cells *c, int w, int h);
// Letters of UTF-8 text.
int mw_plot_letters(const char *s);

#endif
