// SPDX-License-Identifier: BSD-3-Clause
// receptance_layer.h: receptances between unit loads as sums over modes, of samples and of reduced
// models.
#ifndef MW_REDUCTION_RECEPTANCE_LAYER_H
#define MW_REDUCTION_RECEPTANCE_LAYER_H

#include "sample_layer.h"

//   H_ij(ω) = Σ_t b_ti b_tj / (λ_t − ω² + 2iζω √λ_t)
typedef struct mw_receptance {
  int n_io, n_term;
  double zeta;
  double *lambda;  // [n_term]  (rad/s)², > 0
  double *b;       // [n_term × n_io]
} mw_receptance;

// Makes the receptances of a sample of its modes, and of the statics of what they leave out as
// terms of their own.
MW_MUST_USE mw_code mw_receptance_of(const mw_sample *z, double zeta, mw_receptance *out,
                                     mw_arena *mem, mw_error *err);
// Evaluates at n frequencies hz H [2 × n × n_pair], real then imaginary parts, pairs (i, j <= i)
// packed by rows; and E [n × n_io] = Σ_t |…| of H_ii.
MW_MUST_USE mw_code mw_receptance_eval(const mw_receptance *r, int n, const double *hz, double *H,
                                       double *E, mw_error *err);
// Bounds what a sample's receptances err by at hz for want of more modes, over E_ii, largest over
// the rows; INFINITY when its modes do not reach that far. Rows with skip[i] do not count (skip may
// be NULL).
MW_MUST_USE mw_code mw_receptance_bound(const mw_sample *z, double zeta, int n, const double *hz,
                                        const unsigned char *skip, double *bound, mw_error *err);
// Finds the largest fᵀK⁻¹f of each load's kind (forces, torques, inertia and gravity) at any of the
// n samples, largest [n_load].
void mw_receptance_largest(int n, const mw_sample *z, const mw_unit_load *load, double *largest);
// Gives the error of a compliance f against f0: over f0, or over a hundredth of the largest of its
// kind where f0 is less (a load over a support, along a bar that bends).
double mw_compliance_error(double f, double f0, double largest);
// Marks the unit loads that do next to nothing beside the largest of their kind, skip [n_io].
void mw_receptance_negligible(const mw_sample *z, const double *largest, unsigned char *skip);

// Compares rows over frequencies, definition in romfile.h: error [n_io × n], 0 in rows that are
// skipped.
MW_MUST_USE mw_code mw_receptance_compare(const mw_receptance *direct, const mw_receptance *rom,
                                          const unsigned char *skip, int n, const double *hz,
                                          double *error, mw_error *err);
// Fills magnitude [n_io × n] with |H_ii|.
MW_MUST_USE mw_code mw_receptance_diagonal(const mw_receptance *r, int n, const double *hz,
                                           double *magnitude, mw_error *err);

#endif
