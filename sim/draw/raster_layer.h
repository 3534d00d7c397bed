// SPDX-License-Identifier: BSD-3-Clause
// raster_layer.h: a picture of coloured samples with depths.
//
// Coordinates in samples, x to the right, y down, the first sample's centre at (0.5, 0.5); depth
// grows towards the eye.
#ifndef MW_SIM_RASTER_LAYER_H
#define MW_SIM_RASTER_LAYER_H

#include <stddef.h>

#include "base/arena.h"

typedef struct mw_rgb {
  unsigned char r, g, b;
} mw_rgb;

typedef struct mw_raster {
  int w, h;
  mw_rgb *color;  // [h × w]
  float *z;       // [h × w]  depth of the nearest so far
} mw_raster;

MW_MUST_USE mw_code mw_raster_init(int w, int h, mw_rgb background, mw_arena *mem, mw_raster *out,
                                   mw_error *err);

// Corners a, b, c [3]: x, y, depth. Every sample whose centre lies in it and that nothing nearer
// hides.
void mw_raster_triangle(mw_raster *r, const double a[3], const double b[3], const double c[3],
                        mw_rgb color);
// All samples within width/2 of the segment from a to b (x, y, depth).
void mw_raster_line(mw_raster *r, const double a[3], const double b[3], double width, mw_rgb color);

// On top of everything:
void mw_raster_rect(mw_raster *r, double x, double y, double w, double h, mw_rgb color);
void mw_raster_disc(mw_raster *r, double x, double y, double radius, mw_rgb color);
// y: upper edge of the letters, dot: samples a dot of the letters (7 high, 6 apart)
void mw_raster_text(mw_raster *r, double x, double y, double dot, const char *text, mw_rgb color);

// The mean of `by` × `by` samples each, as PNG in mem: data [n]. MW_ERR_NUMERIC: libpng's own
// words.
MW_MUST_USE mw_code mw_raster_png(const mw_raster *r, int by, mw_arena *mem, unsigned char **data,
                                  size_t *n, mw_error *err);
// Pictures png [n_frame], n_png bytes each and of one size, in turn, ms milliseconds each (below
// 65536), as an animated PNG in mem: out [n] (apng.c).
MW_MUST_USE mw_code mw_apng_build(int n_frame, unsigned char *const *png, const size_t *n_png,
                                  int ms, mw_arena *mem, unsigned char **out, size_t *n,
                                  mw_error *err);

#endif
