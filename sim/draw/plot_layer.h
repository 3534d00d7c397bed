// SPDX-License-Identifier: BSD-3-Clause
// plot_layer.h: curves, dots and marks as SVG: panels side by side, figures with a legend below
// each other; HTML pages.
#ifndef MW_SIM_PLOT_LAYER_H
#define MW_SIM_PLOT_LAYER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

enum { MW_PLOT_GREY = -1 };  // the group of what belongs to none

typedef enum mw_shape {
  MW_SHAPE_DOT,
  MW_SHAPE_SQUARE,
  MW_SHAPE_TRIANGLE,
  MW_SHAPE_DIAMOND,  // these four are filled; groups take them in turn
  MW_SHAPE_RING,
  MW_SHAPE_CROSS,
  MW_SHAPE_NOTCH,  // two arcs that do not meet: a veering
  MW_SHAPE_BAR,    // a vertical stroke
  MW_SHAPE_NONE
} mw_shape;

typedef struct mw_curve {
  const char *name;   // for the legend
  const char *color;  // "#rrggbb"
  const char *dash;   // SVG dash pattern, NULL: solid
  double width;       // px
  const double *y;    // [n] of the panel; points that are not finite are left out
  const int *group;   // [n]  colours along the curve, mw_plot_pen; NULL: color and dash
} mw_curve;

typedef struct mw_dots {
  int n;
  const double *x, *y;  // [n]
  const int *group;     // [n]  NULL: color and shape
  const char *color;
  mw_shape shape;
  double radius;  // px
} mw_dots;

// A mark with a text beside it, which keeps clear of the other notes' texts.
typedef struct mw_note {
  double x, y;
  mw_shape shape;
  char text[96];  // may be ""
} mw_note;

// A value over two coordinates as colours, from dark (low) to light (high), with a bar of them.
typedef struct mw_cells {
  int n_x, n_y;
  const double *x, *y;  // [n_x], [n_y]  ascending
  const double *value;  // [n_x × n_y]  grey where it is not finite
  double lo, hi;        // ends of the bar; both 0: of the values
  const char *unit;     // above the bar
} mw_cells;

typedef struct mw_panel {
  char title[192], x_label[96], y_label[96];
  bool log_y;         // zero and what is far below the largest values stays at the lower edge
  double dip;         // log_y: curves are shown down to dip of their own largest value; 0: 1e-3
  double x_lo, x_hi;  // range; both 0: that of the curves
  double y_lo, y_hi;  // range; both 0: that of what is shown, ends at ticks
  int n;
  const double *x;  // [n]  ascending
  int n_curve;
  mw_curve *curve;  // [n_curve]
  int n_dots;
  mw_dots *dots;  // [n_dots]
  int n_note;
  mw_note *note;          // [n_note]
  const mw_cells *cells;  // below curves, which share its axes then; NULL: none
  double rule;            // a dashed line at this y (a tolerance), 0: none
  // y is a number of a row: names instead of ticks, row 0 lowest; n_row 0: y is a value
  int n_row;
  const char *const *row;  // [n_row]
} mw_panel;

typedef struct mw_key {
  char text[160];
  const char *color, *dash;
  double width;    // of a line, px; 0: none
  mw_shape shape;  // of a dot
} mw_key;

typedef struct mw_figure {
  char title[192];        // "": none
  int w, h;               // of a panel, px; 0: 520 × 290
  int n_col, n_panel;     // panels row by row, n_col a row
  const mw_panel *panel;  // [n_panel]  those without curves and dots are gaps
  int n_key;
  const mw_key *key;  // [n_key]  legend
  int n_line;
  const char *const *line;  // [n_line]  texts below
} mw_figure;

// Colours that the colour-blind tell apart, and in grey print neighbours differ too; beyond seven
// they come again with other dashes and shapes. group MW_PLOT_GREY: grey.
void mw_plot_pen(int group, const char **color, const char **dash, mw_shape *shape);

// The figures below each other as one SVG. No XML declaration, so that the text can stand inside
// HTML as well as alone.
void mw_plot_figures(FILE *f, int n, const mw_figure *figure);
// The panels as one figure; the legend is that of the panel with most curves.
void mw_plot_write(FILE *f, int n_panel, int n_col, const mw_panel *panel);
// Up to four panels below each other, each under a legend of its own curves.
void mw_plot_column(FILE *f, int n_panel, const mw_panel *panel);
// Of the ending of a picture's name: .svg, .html or .png; MW_ERR_INPUT: another one, or .png where
// modeway-png is missing.
MW_MUST_USE mw_code mw_plot_name(const char *path, mw_error *err);
// The SVG [n] that the functions above wrote as a file: as it is, (.html) in a page with that
// title, or (.png) drawn by modeway-png.
MW_MUST_USE mw_code mw_plot_save(const char *path, const char *title, const char *svg, size_t n,
                                 mw_error *err);
// MW_ERR_INPUT: modeway-png is missing.
MW_MUST_USE mw_code mw_plot_png_ready(mw_error *err);
// An SVG [n] as PNG [*n_png], to be freed.
MW_MUST_USE mw_code mw_plot_png(const char *svg, size_t n, char **png, size_t *n_png,
                                mw_error *err);
// Text with & < > " escaped.
void mw_plot_text(FILE *f, const char *s);

// A page of our reports: head up to its heading, a number in a cell of a table, the end.
void mw_page_begin(FILE *f, const char *title);
void mw_page_cell(FILE *f, double x);  // – where it is not finite
void mw_page_end(FILE *f);

#endif
