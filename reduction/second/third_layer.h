// SPDX-License-Identifier: BSD-3-Clause
// third_layer.h: third order of the motion: the manifold of the first columns to third order, and
// what rigid bodies have of T on it.
#ifndef MW_REDUCTION_THIRD_LAYER_H
#define MW_REDUCTION_THIRD_LAYER_H

#include "extra_layer.h"
#include "second_layer.h"

// Vectors of k columns: ψ_a, then Ψ2_bc (c <= b), then Ψ3_abc (c <= b <= a).
enum { MW_THIRD_PAIRS = MW_ROM_MAX_G * (MW_ROM_MAX_G + 1) / 2 };
static inline int mw_third_pair(int k, int b, int c)
{
  return k + (b >= c ? b * (b + 1) / 2 + c : c * (c + 1) / 2 + b);
}
int mw_third_triple(int k, int a, int b, int c);  // in any order
int mw_third_count(int k);

// The manifold at one configuration.
typedef struct mw_third {
  const mw_second *z;
  int k, n_vec, n_z;
  double *X;      // [n_vec × n]           unknowns of the mechanism, charted as in second.c
  double *twist;  // [n_vec × n_body × 6]  their rigid part
  double *zf;     // [n_vec × n_z]         functionals of their elastic part, body after body
  double *s;      // [n_vec × n_coord]     change of free joint coordinates
  int *z0;        // [n_body]              first functional
  mw_arena mem;
} mw_third;

typedef struct mw_third_column {  // of one column
  const double *strained;         // [n]      what the strains of bodies add to Ψ2
  // [n_row]  second, third and fourth derivatives of all gaps along it, with Ψ2, Ψ3
  double *left, *third, *fourth;
} mw_third_column;

// Opens the terms of third order of the first k columns of z, after mw_second_columns (mech,
// blocks, locked, n, z and Psi are looked at); released by mw_third_free. of: NULL, or of k = 1
// (third.c).
MW_MUST_USE mw_code mw_third_init(const mw_second *z, int k, mw_third *out, mw_error *err);
void mw_third_free(mw_third *t);
MW_MUST_USE mw_code mw_third_build(mw_third *t, mw_system *sys, const mw_config *q,
                                   mw_third_column *of, mw_error *err);

// Computes A3, B2 of x at all grid points, of its first n_G columns; x->third: they are there. f
// [m]: of extra_mass.c, 1 (third_mass.c).
MW_MUST_USE mw_code mw_third_mass(const mw_reduction *r, const double *f, mw_extra *x,
                                  mw_error *err);

// Finds the largest energy of A3 and B2 over the strain energy at δ_1 = 1, of quasi-static columns
// that move as the softest does, of frequency w1 (rad/s), f [m] (extra_mass.c, 1); rate [s],
// INFINITY where one is not known.
double mw_third_share(const mw_extra *x, const double *f, double w1, const double *rate);
// Copies A3 and B2 at all grid points to fields A3, B2 of out's rows of n_gain.
void mw_third_copy(const mw_extra *x, int n_gain, int A3, int B2, double *out);

#endif
