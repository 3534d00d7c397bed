// SPDX-License-Identifier: BSD-3-Clause
// map_layer.h: values over one to three coordinates, as pictures and files.
#ifndef MW_SIM_MAP_LAYER_H
#define MW_SIM_MAP_LAYER_H

#include "reduction/romfile.h"

enum { MW_MAP_MAX_AXIS = 3 };

// Values along a coordinate or anything else.
typedef struct mw_map_axis {
  const char *name, *unit;
  int along;  // coordinate, -1: none
  int n;
  const double *x;  // [n]
} mw_map_axis;

typedef struct mw_map_table {
  const mw_rom_file *f;
  const char *kind;  // of the file: "map", "lobes"
  const char *what;  // "map of peak between tool.x and tool.x"
  int n_axis;
  mw_map_axis axis[MW_MAP_MAX_AXIS];
  const double *theta;  // [s]  the other coordinates
  int n_place;          // product of the axes' n, the last fastest
  int n_value;
  const char **name, **unit;  // [n_value]
  double *value;              // [n_value × n_place]
  const double *lo, *hi;      // [n_value]  ends of pictures; both 0 or NULL: of the values
  const char *note;           // below pictures, NULL: nothing
} mw_map_table;

// Coordinate i as an axis of n values x.
mw_map_axis mw_map_axis_of(const mw_rom_file *f, int i, int n, const double *x);
// Place k: theta [s]; its value along axis i.
void mw_map_place(const mw_map_table *t, int k, double *theta);
double mw_map_along(const mw_map_table *t, int k, int i);

// Curves over one axis, colours over two, several pictures of two along the third. A panel a
// value.
MW_MUST_USE mw_code mw_map_picture(const mw_map_table *t, const char *path, mw_error *err);
// Of three axes the surfaces on which the first value is constant, n of them at levels between its
// ends. MW_ERR_INPUT: other axes, or another ending.
enum { MW_MAP_MAX_SURFACE = 5 };
MW_MUST_USE mw_code mw_map_surfaces(const mw_map_table *t, int n, const char *path, mw_error *err);
// A row a place (.csv), or arrays (.nc), by the ending of path.
MW_MUST_USE mw_code mw_map_write(const mw_map_table *t, const char *path, mw_error *err);

#endif
