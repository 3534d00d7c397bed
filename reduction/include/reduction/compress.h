// SPDX-License-Identifier: BSD-3-Clause
// compress.h: tables of spline coefficients as tensor trains (rom.h, 7).
#ifndef MW_REDUCTION_COMPRESS_H
#define MW_REDUCTION_COMPRESS_H

#include "reduction/romfile.h"

// The train of a table coef [n_knot[0] × … × n_knot[s-1] × n_field], last axis fastest, whose values differ by no more than
// tol × scale[f] at every point of the table and half-way between (from 20,000 places on: at the points). Axes of one knot
// are flat, others have 6 or more. cores and field from mem.
//   scale [n_field]  in   > 0; 0 where a field is 0 everywhere
//   error  out  largest such difference / scale; may be NULL
// Where no train is smaller than the table (or its rank above MW_ROM_MAX_RANK): out->field NULL, MW_OK.
MW_MUST_USE mw_code mw_train_build(int s, const int n_knot[], int n_field, const double *coef,
                                   const double *scale, double tol, mw_arena *mem,
                                   mw_rom_train *out, double *error, mw_error *err);

// Sizes of the fields of f's table (no train) that errors are measured against, scale [n_field]; compress_rom.c says why.
MW_MUST_USE mw_code mw_rom_scale(const mw_rom_file *f, double *scale, mw_error *err);

// Tables of f, each where it pays, as trains. error as above, of the fields' table; 0 where it stays.
MW_MUST_USE mw_code mw_rom_compress(mw_rom_file *f, double tol, double *error, mw_error *err);

#endif
