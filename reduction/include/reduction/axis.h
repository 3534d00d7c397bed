// SPDX-License-Identifier: BSD-3-Clause
// axis.h: grid points along one coordinate of theta, wherever they are needed, and splines through
// them on a uniform table.
//
// Grid points are points of a uniform table, not all of them: knots of a cubic C² spline that are
// not equidistant. On the table, whose knots hold those of the grid, the same spline is written
// exactly, so that the online model sees uniform tables alone. A cyclic axis holds both ends, one
// and the same configuration; its spline is periodic.
#ifndef MW_REDUCTION_AXIS_H
#define MW_REDUCTION_AXIS_H

#include <stdbool.h>

#include "base/api.h"
#include "base/arena.h"

MW_API_BEGIN

typedef struct mw_axis {
  double lo, hi;  // m or rad
  bool cyclic;
  int n;        // grid points, >= 4
  int n_table;  // points of the table, >= n
  int *at;      // [n]  index in the table, ascending, at[0] = 0, at[n − 1] = n_table − 1
  // a smooth axis (axis_smooth.c): its points are elsewhere than those of the table, at in parts of
  // the width, at[n − 1] of them
  const double *C;  // [(n_table + 2) × n]  coefficients of values at the points; NULL: the spline
                    // through them
} mw_axis;

// n points, refine table intervals between neighbours. at from mem.
MW_MUST_USE mw_code mw_axis_uniform(double lo, double hi, bool cyclic, int n, int refine,
                                    mw_arena *mem, mw_axis *out, mw_error *err);
// Every interval of a in `factor` equal ones, on a table that is as many times finer.
MW_MUST_USE mw_code mw_axis_subdivide(const mw_axis *a, int factor, mw_arena *mem, mw_axis *out,
                                      mw_error *err);
// A point in the middle of every interval i with split[i] (split [n − 1]), and of those that would
// be left more than twice as wide as their neighbour (splines stay bounded up to 2.6); the table
// doubles where it has to. Index in the old grid of each new point, −1 for added ones, in from
// [out->n], from mem like out->at. out is unchanged on error.
MW_MUST_USE mw_code mw_axis_split(const mw_axis *a, const unsigned char *split, mw_arena *mem,
                                  mw_axis *out, int **from, mw_error *err);
// axis_smooth.c: n points that crowd at the ends, and the polynomial through them in place of the
// spline. at and C from mem.
MW_MUST_USE mw_code mw_axis_smooth(double lo, double hi, int n, mw_arena *mem, mw_axis *out,
                                   mw_error *err);
// The axis through n of a's points, kept [n] their indices, ascending, both ends among them.
MW_MUST_USE mw_code mw_axis_pick(const mw_axis *a, int n, const int *kept, mw_arena *mem,
                                 mw_axis *out, mw_error *err);
double mw_axis_theta(const mw_axis *a, int k);        // of grid point k
double mw_axis_table_theta(const mw_axis *a, int k);  // of table point k

// Coefficients on the tables of the interpolating spline of s axes (1 … MW_ROM_MAX_S), records of
// n_field doubles, last axis fastest. The values at the last point of a cyclic axis are taken to be
// those at its first.
//   data [n_0 × … × n_{s-1} × n_field]  in
//   coef [(n_table_0 + 2) × … × n_field]  out; unchanged on error
MW_MUST_USE mw_code mw_axis_fit(int s, const mw_axis *axis, int n_field, const double *data,
                                double *coef, mw_error *err);
size_t mw_axis_n_coef(int s, const mw_axis *axis, int n_field);  // doubles in coef above
// D [n × n] row-major, 1/unit of theta: derivative of the spline at the grid points = D × values
// there; entries that are nothing but rounding are zero, so that rows may be used by what is in
// them (a cyclic axis' last column is zero). Of a smooth axis: of its polynomial.
MW_MUST_USE mw_code mw_axis_derivative(const mw_axis *a, double *D, mw_error *err);
// w [n]: value of the spline at theta = Σ w_k value_k. Cyclic axes take any theta. MW_ERR_RANGE
// outside [lo, hi] by more than 1e-9 of its width.
MW_MUST_USE mw_code mw_axis_weights(const mw_axis *a, double theta, double *w, mw_error *err);

// x: theta, of a cyclic axis in its turn from lo to hi. MW_ERR_RANGE as above.
MW_MUST_USE mw_code mw_axis_inside(const mw_axis *a, double theta, double *x, mw_error *err);

// For axis.c: the two of a smooth axis, x in [lo, hi].
void mw_axis_smooth_weights(const mw_axis *a, double x, double *w);
MW_MUST_USE mw_code mw_axis_smooth_derivative(const mw_axis *a, double *D, mw_error *err);

// axis_local.c: the same splines by n_local functions, n + 2 or as many as a smooth axis' table
// has, four of which are not 0 at a place: values Σ_j B_j(theta) c_j, c = C × values at the grid
// points.
//   C [n_local × n]  out
int mw_axis_n_local(const mw_axis *a);
MW_MUST_USE mw_code mw_axis_local_matrix(const mw_axis *a, double *C, mw_error *err);
// w: the four from the index that is returned on; theta in [lo, hi].
int mw_axis_local(const mw_axis *a, double theta, double w[4]);

MW_API_END

#endif
