// SPDX-License-Identifier: BSD-3-Clause
// plot_priv.h: curves over time as SVG, panels side by side with one legend.
#ifndef MW_SIM_PLOT_PRIV_H
#define MW_SIM_PLOT_PRIV_H

#include <stdbool.h>
#include <stdio.h>

enum { MW_PLOT_MAX_CURVE = 8 };

typedef struct mw_curve {
  const char *name;   // for the legend
  const char *color;  // "#rrggbb"
  const char *dash;   // SVG dash pattern, NULL: solid
  double width;       // px
  const double *y;    // [n] of the panel; points that are not finite are left out
} mw_curve;

typedef struct mw_panel {
  char title[192], x_label[32], y_label[64];
  bool log_y;  // zero and what is far below the largest values stays at the lower edge
  int n;
  const double *x;  // [n]  ascending
  int n_curve;
  mw_curve curve[MW_PLOT_MAX_CURVE];
} mw_panel;

// The panels row by row, n_col a row; the legend is that of the panel with most curves. No XML
// declaration, so that the text can stand inside HTML as well as alone.
void mw_plot_write(FILE *f, int n_panel, int n_col, const mw_panel *panel);
// Text with & < > " escaped.
void mw_plot_text(FILE *f, const char *s);

#endif
