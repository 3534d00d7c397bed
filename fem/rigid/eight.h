// SPDX-License-Identifier: BSD-3-Clause
// eight.h: eight doubles at once, what a node's row is long.
//
// The one place with a compiler extension (vectors of gcc and clang): loops over eight numbers are vectorised along the
// wrong axis by gcc 12, which costs a factor of two and more on a right-hand side.
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
static inline __attribute__((always_inline)) double mw_eight_sum(const mw_eight *v)
{
  const mw_eight t = *v;
  return ((t[0] + t[4]) + (t[2] + t[6])) + ((t[1] + t[5]) + (t[3] + t[7]));
}

#endif
