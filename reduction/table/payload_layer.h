// SPDX-License-Identifier: BSD-3-Clause
// payload_layer.h: a point mass at positions that a reduced model keeps, put into a record of its
// coefficients (rom.h).
#ifndef MW_REDUCTION_PAYLOAD_LAYER_H
#define MW_REDUCTION_PAYLOAD_LAYER_H

#include "base/arena.h"
#include "rom/rom.h"

typedef struct mw_payload {
  double mass;        // kg; negative: what is taken away
  int field;          // of the first component of the position; the others follow it
  double gravity[3];  // m/s², what pulls at it
} mw_payload;

// A record as whole matrices, and what turns its columns.
typedef struct mw_payload_work {
  mw_rom_shape shape;
  mw_rom_layout lay;
  double *G;      // [m × m]      mass of the columns, then U of G = U U'
  double *G_i;    // [s × m × m]  its slopes
  double *W;      // [m × m]      set by mw_payload_fold: delta = W eta, lower triangular
  double *X;      // [s × m × m]  likewise: W,i = W X_i
  double *E;      // [s × m × m]  e_i + H_i
  double *A, *B;  // [m × m]
  double *v;      // [m]
  mw_arena mem;
} mw_payload_work;

MW_MUST_USE mw_code mw_payload_init(mw_rom_shape shape, mw_payload_work *w, mw_error *err);
void mw_payload_free(mw_payload_work *w);

// The record of the mechanism with n payloads more, in columns of unit mass again.
//   value [n_field], slope [s × n_field]  in   of rom at one theta, Y_field as rom has it
//   out [n_field]                         out
// A3 and B2 (MW_ROM_THIRD) are not known of payloads: shapes with them are an assertion.
// MW_ERR_NUMERIC: more mass is taken away than there is.
MW_MUST_USE mw_code mw_payload_fold(mw_payload_work *w, const int *Y_field, int n,
                                    const mw_payload *payload, const double *value,
                                    const double *slope, double *out, mw_error *err);
// Turns ΨᵀKΨ and ΨᵀKΨ_,i of the start table (romfile.h), in place, as the last record was.
void mw_payload_turn_start(mw_payload_work *w, double *start);

#endif
