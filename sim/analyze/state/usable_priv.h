// SPDX-License-Identifier: BSD-3-Clause
// usable_priv.h: the largest acceleration that drives give a tool at rest in every direction.
#ifndef MW_SIM_USABLE_PRIV_H
#define MW_SIM_USABLE_PRIV_H

// d directions (1 to 3), n drives: x0 [d] without their forces, P [d × n] of a unit of each, lo, hi
// [n] limits. 0: they cannot hold the tool, or not move it in every direction.
double mw_usable(int d, int n, const double *x0, const double *P, const double *lo,
                 const double *hi);

#endif
