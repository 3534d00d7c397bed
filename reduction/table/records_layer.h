// SPDX-License-Identifier: BSD-3-Clause
// records_layer.h: records of coefficients (rom.h) on the points of a tensor grid, and what a
// declared or found property of an axis makes of them. In this order: mw_records_flatten,
// mw_records_clear_rounding, mw_records_close, mw_records_mirror, mw_records_fit, mw_records_halve.
#ifndef MW_REDUCTION_RECORDS_LAYER_H
#define MW_REDUCTION_RECORDS_LAYER_H

#include "fem/model.h"
#include "reduction/axis.h"
#include "rom/rom.h"

typedef struct mw_records {
  int s, m, n_y;
  int n_Y;  // fields that have a Y, Y_field [n_Y]; optional parts (rom.h)
  const int *Y_field;
  int n_G;  // columns whose mass changes
  unsigned parts;
  const mw_axis *axis;  // [s]
  // [s] of the grid that fields with elastic[f] are known on, points of axis in the same tables;
  // NULL: axis is all
  const mw_axis *grid;
  const unsigned char *elastic;   // [n_field]
  unsigned flat;                  // bit i: one record along axis i (flatten)
  const mw_output_kind *kind;     // [n_y]  of the fields y, whose units differ
  const char *const *coordinate;  // [s]  names, for messages; NULL: numbers
  const mw_coordinate_in *in;     // [s]  where the model declares them, NULL: nowhere
  const char *const *field;       // [n_y]
  double *data;  // [n_0 × … × n_field], n_i = 1 along flat axes; last axis fastest
} mw_records;

mw_rom_shape mw_records_shape(const mw_records *r);
int mw_records_n(const mw_records *r, int axis);       // records along an axis
int mw_records_stride(const mw_records *r, int axis);  // from one to the next one
int mw_records_count(const mw_records *r);
void mw_field_name(const mw_records *r, int f, char *out, int n);  // "K[2,1]", "tool.x"

// Kinds of the fields y of a model: outputs, then joint coordinates and force drives, which count
// as positions.
MW_MUST_USE mw_code mw_field_kinds(const mw_model *m, int n_y, mw_arena *mem, mw_output_kind **out,
                                   mw_error *err);
// Size of every field's kind over the grid, scale [n_field]: the largest entry; inertia terms are
// measured against A and `width` (of an axis) too, so that kinds that vanish are not judged by
// their rounding.
void mw_field_scales(const mw_records *r, double width, double *scale);

// Finds the flat axes (r->flat), keeps their first records in place, slopes of y0 to y_slope [s ×
// n_y].
MW_MUST_USE mw_code mw_records_flatten(mw_records *r, double *y_slope, mw_error *err);
// Sets the e_i, c_ij and H_i that are rounding to 0, so that they are not computed online
// (mw_rom_note_zeros).
void mw_records_clear_rounding(mw_records *r);
// Cyclic axes that are not flat: all fields are the same at the last point as at the first one to
// tol × their size, but y0, which may grow by the same amount a turn everywhere: y0 := y0 − slope
// (θ − lo), slope to y_slope. The last records become the first ones. MW_ERR_INPUT: they are not;
// the worst field is named.
MW_MUST_USE mw_code mw_records_close(mw_records *r, double tol, double *y_slope, mw_error *err);

// Signs of the mirror of one axis (rom.h, 6).
typedef struct mw_mirror {
  int *sigma;       // [m]    ±1 of the columns
  int *tau;         // [n_y]  ±1 of the fields
  double *shift;    // [n_y]  y0' = tau y0 + shift of the records; rom.h's y_shift is y_shift
  double *y_shift;  // [n_y]  of y0 with its slopes
  double error;     // largest departure from it that was found, relative to the field's kind
} mw_mirror;
// Finds the signs of a symmetric axis, not flat, points mirrored, and makes the records exactly
// symmetric. y_slope [s × n_y] of the two above. Memory of out from mem. MW_ERR_INPUT: a field
// departs by more than tol × its size; r is then unchanged.
MW_MUST_USE mw_code mw_records_mirror(mw_records *r, int axis, const double *y_slope, double tol,
                                      mw_arena *mem, mw_mirror *out, mw_error *err);

// Doubles of the coefficients on the tables, [n_knot_0 × … × n_field], n_table + 2 or 1 along flat
// axes; and these, in coef.
size_t mw_records_n_coef(const mw_records *r);
MW_MUST_USE mw_code mw_records_fit(const mw_records *r, double *coef, mw_error *err);
// Keeps the lower half of symmetric axis i, table points lo to mid, in place: knots 0 … (n_table +
// 1)/2 + 1, exactly mirrored at mid. n_knot [s] in, out: knots an axis of coef.
MW_MUST_USE mw_code mw_records_halve(const mw_records *r, int axis, const mw_mirror *mirror,
                                     int *n_knot, double *coef, mw_error *err);
// Keeps the lower half of symmetric axes of a table of `width` doubles a knot, in place: the table
// for starts, which is mirrored as it is read. n_table [s] in, out: points an axis.
void mw_table_halve(int s, unsigned symmetric, size_t width, int *n_table, double *coef);

#endif
