// SPDX-License-Identifier: BSD-3-Clause
// compress.h: tables of spline coefficients as tensor trains (rom.h, 7).
#ifndef MW_REDUCTION_COMPRESS_H
#define MW_REDUCTION_COMPRESS_H

#include "base/api.h"
#include "reduction/romfile.h"

MW_API_BEGIN

// A table of spline coefficients [n_knot[0] × … × n_knot[s-1] × n_record], last axis fastest, and
// which of its fields are meant. Axes of one knot are flat, others have 6 or more.
typedef struct mw_table {
  int s;
  const int *n_knot;  // [s]
  int n_record, first, n_field;
  const double *coef;
  // [n_record]  what errors are measured against, > 0; 0 where a field is 0 everywhere
  const double *scale;
  size_t most;  // doubles that a train may have; 0: any number
} mw_table;

// The train of these fields, whose values differ by no more than tol × scale[f] at every point of
// the table and half-way between (from 20,000 places on: at the points). Cores and field from mem.
//   error  out  largest such difference / scale; may be NULL
// Where its rank would be above MW_ROM_MAX_RANK, or it would have more than `most` doubles:
// out->field NULL, MW_OK.
MW_MUST_USE mw_code mw_train_build(const mw_table *table, double tol, mw_arena *mem,
                                   mw_rom_train *out, double *error, mw_error *err);

// Sizes of the fields of f's table (no train) that errors are measured against, scale [n_field];
// compress_rom.c says why.
MW_MUST_USE mw_code mw_rom_scale(const mw_rom_file *f, double *scale, mw_error *err);

// Parts of a record, that get a train each: their number, and where they begin, from [parts + 1];
// some may be empty.
enum { MW_ROM_MAX_PART = 11 + MW_ROM_MAX_S + MW_ROM_MAX_S * (MW_ROM_MAX_S + 1) / 2 };
int mw_rom_parts(const mw_rom *rom, int from[MW_ROM_MAX_PART + 1]);

// Products that value and gradient of a whole record take at one θ, of the table or of its trains:
// what a step spends on them.
double mw_rom_products(const mw_rom *rom);

// What trains of f's table (no train) that keep it to tol take at least in such products, whatever
// they are: of ranks without which some of its records cannot be told. Enough of these are taken to
// show twice as many as `most`.
MW_MUST_USE mw_code mw_rom_least_products(const mw_rom_file *f, double tol, double most,
                                          double *least, mw_error *err);

// Tables of f as trains of their parts, each table where that is smaller, and where no step takes
// more than so many products (INFINITY: any). error as above, largest of the fields' table; 0 where
// it stays, and the table for starts with it.
MW_MUST_USE mw_code mw_rom_compress(mw_rom_file *f, double tol, double products, double *error,
                                    mw_error *err);

MW_API_END

#endif
