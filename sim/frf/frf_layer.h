// SPDX-License-Identifier: BSD-3-Clause
// frf_layer.h: frequency responses at several places, as pictures and files.
#ifndef MW_SIM_FRF_LAYER_H
#define MW_SIM_FRF_LAYER_H

#include "sim/frf.h"

typedef struct mw_frf_table {
  const mw_rom_file *f;
  mw_frf_in in;
  int n_theta;
  double *theta;     // [n_theta × s]
  double *H;         // [n_theta × n_to × n_from × 2 × n_hz]
  double *worst;     // [n_theta × n_hz]  largest in any direction; NULL: not asked for
  double bandwidth;  // Hz, up to which the certificate judges; 0: not known
} mw_frf_table;

// Moduli and phases over frequency, grey beyond the bandwidth; of several places the first response
// at each.
MW_MUST_USE mw_code mw_frf_picture(const mw_frf_table *t, const char *path, mw_error *err);
// A row a place and frequency (.csv), or arrays (.nc), by the ending of path.
MW_MUST_USE mw_code mw_frf_write(const mw_frf_table *t, const char *path, mw_error *err);

#endif
