// SPDX-License-Identifier: BSD-3-Clause
// rom_reference.h: the reduced model once more, plainly, for the tests of reduction/rom/.
#ifndef MW_ROM_REFERENCE_H
#define MW_ROM_REFERENCE_H

#include "rom/step.h"

enum { REF_MAX_M = 16, REF_MAX_N = MW_ROM_MAX_S + REF_MAX_M };

// Equations of motion  [A B; B' I] z = r  by dense loops; size [s + m]: sum of the absolute values
// of all terms in a row.
typedef struct ref_terms {
  double M[REF_MAX_N][REF_MAX_N];
  double r[REF_MAX_N];
  double size[REF_MAX_N];
} ref_terms;
void ref_terms_eval(const mw_rom *rom, mw_rom_inertia inertia, const double *x, const double *u,
                    ref_terms *t);

// Residual of row i of Lagrange's equations at x with accelerations z [s + m], from the Lagrangian
// alone, by complex steps (no truncation error); size: a bound of the sum of the absolute values of
// everything that was added.
double ref_lagrange_residual(const mw_rom *rom, mw_rom_inertia inertia, const double *x,
                             const double *u, const double *z, int i, double *size);

#endif
