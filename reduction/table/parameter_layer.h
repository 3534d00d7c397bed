// SPDX-License-Identifier: BSD-3-Clause
// parameter_layer.h: a reduced model at other values of the parameters that it keeps.
#ifndef MW_REDUCTION_PARAMETER_LAYER_H
#define MW_REDUCTION_PARAMETER_LAYER_H

#include "payload_layer.h"
#include "reduction/romfile.h"

// Records of the middle with the masses and rows that parameters make of it.
typedef struct mw_turned {
  mw_rom made;           // tables of the middle, borrowed from the file, with the rows
  const double *start;   // likewise
  double *coef, *begun;  // of made and start, where rows are beside the middle; else NULL
  mw_payload *payload;   // [n]  beside the middle; n = 0: the values are those of the middle
  int n;
  mw_payload_work work;   // work.W: delta of the middle = W eta, set by mw_turned_at
  double *value, *slope;  // [n_field], [s × n_field]  of the middle, set by mw_turned_at
  double *record;         // [n_field]  with the masses, likewise
  mw_arena mem;
} mw_turned;

// to [f->n_parameter]; f must outlive it.
MW_MUST_USE mw_code mw_turned_open(const mw_rom_file *f, const double *to, mw_turned *out,
                                   mw_error *err);
MW_MUST_USE mw_code mw_turned_at(mw_turned *z, const double *theta, mw_error *err);
void mw_turned_close(mw_turned *z);
// Rows of X [m × n], columns of the middle where mw_turned_at was last, become those with the
// masses.
void mw_turned_columns(const mw_turned *z, int n, double *X);

// Doubles of f's table for starts (f->start).
size_t mw_rom_file_start_size(const mw_rom_file *f);

// Sets all parameters, to [f->n_parameter] within their ranges (mw_rom_set_parameter).
MW_MUST_USE mw_code mw_parameters_set(mw_rom_file *f, const double *to, mw_error *err);

#endif
