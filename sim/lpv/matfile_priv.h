// SPDX-License-Identifier: BSD-3-Clause
// matfile_priv.h: files that MATLAB, Octave and SciPy load: level 5, not compressed.
#ifndef MW_SIM_MATFILE_PRIV_H
#define MW_SIM_MATFILE_PRIV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

// The first failure is kept, later calls do nothing, mw_mat_close reports it.
typedef struct mw_mat {
  unsigned char *data;
  size_t n, room;    // bytes
  bool failed, big;  // no memory; a variable beyond 2 GiB
} mw_mat;

void mw_mat_open(mw_mat *w, const char *title);
// name: as MATLAB has them, letters, digits and _. x in column-major order of dim [n_dim >= 2].
void mw_mat_f64(mw_mat *w, const char *name, int n_dim, const int *dim, const double *x);
void mw_mat_str(mw_mat *w, const char *name, const char *x);
// A column of cells: strings; column vectors of len [n] numbers. What is not ASCII becomes '?'.
void mw_mat_strs(mw_mat *w, const char *name, int n, const char *const *x);
void mw_mat_vectors(mw_mat *w, const char *name, int n, const int *len, double *const *x);
// Puts the file at path, as a whole or not at all. Always releases w.
MW_MUST_USE mw_code mw_mat_close(mw_mat *w, const char *path, mw_error *err);

#endif
