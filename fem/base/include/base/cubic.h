// SPDX-License-Identifier: BSD-3-Clause
// cubic.h: the C² cubic spline through points, by its second derivatives there.
#ifndef MW_BASE_CUBIC_H
#define MW_BASE_CUBIC_H

#include <stdbool.h>

#include "base/api.h"

MW_API_BEGIN

// Second derivatives M [n] of the spline through y [n] at ascending t [n], n >= 2. At both ends the
// slope is zero (rest), or the second derivative. work [n].
void mw_cubic_bend(int n, const double *t, const double *y, bool rest, double *M, double *work);
// Value, slope and second derivative r [3] at x, between points i and i + 1.
void mw_cubic_at(const double *t, const double *y, const double *M, int i, double x, double r[3]);

MW_API_END

#endif
