// SPDX-License-Identifier: BSD-3-Clause
// surface_layer.h: surfaces on which a value over three axes is constant.
#ifndef MW_SIM_SURFACE_LAYER_H
#define MW_SIM_SURFACE_LAYER_H

#include <stdio.h>

#include "base/arena.h"

// A value at the points of a grid, its last axis fastest.
typedef struct mw_volume {
  int n[3];             // >= 2
  const double *x[3];   // [n[i]]  ascending
  const double *value;  // [n[0] × n[1] × n[2]]  cells with one that is not finite have no surface
  const char *label[3];  // of the axes
  const char *title;
} mw_volume;

// Triangles of the surface value = level: six tetrahedra a cell, along whose edges the value is
// linear. Their number; x [n × 9] in the axes' units, in mem.
MW_MUST_USE mw_code mw_surface_build(const mw_volume *v, double level, mw_arena *mem, int *n,
                                     double **x, mw_error *err);
// The surfaces at levels [n] in their box, as SVG of its own, w × h px, seen along (−1, 1, −1) of
// axes of one length each; at most five colours, then they come again.
MW_MUST_USE mw_code mw_surface_draw(const mw_volume *v, int n, const double *level,
                                    const char *unit, int w, int h, FILE *f, mw_error *err);

#endif
