// SPDX-License-Identifier: BSD-3-Clause
// mex.h: arrays of MATLAB as far as exported S-functions see them. A stand-in for tests, written
// after MATLAB's documentation of its C interface.
#ifndef MW_STANDIN_MEX_H
#define MW_STANDIN_MEX_H

#include <stddef.h>

typedef struct mxArray {
  size_t n;
  double *x;
} mxArray;

static inline size_t mxGetNumberOfElements(const mxArray *a) { return a->n; }
static inline double *mxGetPr(const mxArray *a) { return a->x; }

#endif
