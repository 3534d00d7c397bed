// SPDX-License-Identifier: BSD-3-Clause
// eight.h: eight doubles at once, what a node's row is long.
//
// The one place with a compiler extension (vectors of gcc and clang): loops over eight numbers are
// vectorised along the wrong axis by gcc 12, which costs a factor of two and more on a right-hand
// side.
#ifndef MW_FEM_EIGHT_H
#define MW_FEM_EIGHT_H

#include <string.h>

typedef double mw_eight __attribute__((vector_size(64)));

// vectors stay inside inline functions: no calling convention is touched
static inline __attribute__((always_inline)) void mw_eight_get(const double *p, mw_eight *v)
{
  memcpy(v, p, sizeof *v);
}
static inline __attribute__((always_inline)) void mw_eight_put(double *p, const mw_eight *v)
{
  memcpy(p, v, sizeof *v);
}
// row −= f · by
static inline __attribute__((always_inline)) void mw_eight_sub(double *row, const double *by,
                                                               double f)
{
  mw_eight a, b;
  mw_eight_get(row, &a);
  mw_eight_get(by, &b);
  a -= b * f;
  mw_eight_put(row, &a);
}
// the eight sums over the lanes of v[0] … v[7], three levels of adding halves
static inline __attribute__((always_inline)) void mw_eight_sums(const mw_eight v[8], mw_eight *out)
{
  mw_eight a[4], b[2];
  for (int i = 0; i < 4; i++)
    a[i] = __builtin_shufflevector(v[2 * i], v[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14) +
           __builtin_shufflevector(v[2 * i], v[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  for (int i = 0; i < 2; i++)
    b[i] = __builtin_shufflevector(a[2 * i], a[2 * i + 1], 0, 1, 8, 9, 4, 5, 12, 13) +
           __builtin_shufflevector(a[2 * i], a[2 * i + 1], 2, 3, 10, 11, 6, 7, 14, 15);
  *out = __builtin_shufflevector(b[0], b[1], 0, 1, 2, 3, 8, 9, 10, 11) +
         __builtin_shufflevector(b[0], b[1], 4, 5, 6, 7, 12, 13, 14, 15);
}

#endif
