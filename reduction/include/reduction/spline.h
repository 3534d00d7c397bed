// SPDX-License-Identifier: BSD-3-Clause
// spline.h: tensor-product cubic B-splines through gridded data, offline. The basis is rom.h's,
// mw_rom_basis.
//
// Uniform grid of n >= 4 points an axis, n + 2 coefficients, ends as good as the middle (spline.c,
// 2): cubics are reproduced exactly and the error of the value is of fourth order up to the ends.
#ifndef MW_REDUCTION_SPLINE_H
#define MW_REDUCTION_SPLINE_H

#include <stddef.h>

#include "base/api.h"
#include "base/error.h"

MW_API_BEGIN

// Coefficients of the interpolating spline of s axes (1 … MW_ROM_MAX_S), records of n_field
// doubles, last axis fastest.
//   data [n[0] × … × n[s-1] × n_field]  in
//   coef [(n[0]+2) × … × (n[s-1]+2) × n_field]  out; unchanged on error
MW_MUST_USE mw_code mw_spline_fit(int s, const int n[], int n_field, const double *data,
                                  double *coef, mw_error *err);

// Doubles in coef above.
size_t mw_spline_n_coef(int s, const int n[], int n_field);

// D [n × n] row-major, 1/unit of theta: derivative of the interpolating spline at the grid points =
// D × values. MW_ERR_INPUT for n < 4 or hi <= lo, MW_ERR_MEMORY.
mw_code mw_spline_derivative_matrix(int n, double lo, double hi, double *D);

// Value [n_field] and, if not NULL, gradient [s × n_field] at theta [s]; outside the box the last
// cubic is continued by no more than 1e-9 of its width, then MW_ERR_RANGE and nothing is written.
MW_MUST_USE mw_code mw_spline_eval(int s, const int n[], const double lo[], const double hi[],
                                   int n_field, const double *coef, const double *theta,
                                   double *value, double *gradient);

MW_API_END

#endif
