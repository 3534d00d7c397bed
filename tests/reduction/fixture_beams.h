// SPDX-License-Identifier: BSD-3-Clause
// fixture_beams.h: two simply supported beams coupled by a spring, with travelling point masses,
// and the interpolation error of their aligned modes.
//
// Ritz basis of sines, M-orthonormal without the masses, beam 1 then beam 2, amplitudes q [2 ×
// BEAMS_RITZ]:
//   M(θ) = I + μ1 φ1φ1ᵀ + μ2 φ2φ2ᵀ ,  φ1 = φ(θ1) on beam 1 ,  φ2 = φ(θ2) on beam 2 (two masses)
//   K    = diag((iπ)⁴, r (iπ)⁴) + c g gᵀ ,  g = (φ(x1), −l φ(x2)) ,  lever ratio l = 1, or θ2
// Lengths, EI and ρA of beam 1 are 1. Overlaps are over the absolute displacement field: the
// masses' own displacements √μ φᵀq are further rows of a mode, so that M is the unit matrix at
// every θ.
#ifndef MW_TESTS_FIXTURE_BEAMS_H
#define MW_TESTS_FIXTURE_BEAMS_H

#include "reduction/align.h"

enum { BEAMS_RITZ = 10, BEAMS_N = 2 * BEAMS_RITZ, BEAMS_ROWS = BEAMS_N + 2, BEAMS_K = 14 };

typedef struct beams {
  const char *name;
  enum { BEAMS_ONE_MASS, BEAMS_TWO_MASSES, BEAMS_LEVER } kind;  // s = 1, 2, 2 coordinates
  double ratio;     // r, stiffness of beam 2 over that of beam 1
  double mu1, mu2;  // masses over a beam's mass
  double spring;    // c
  double x1, x2;    // where the spring is
  double lo[2], hi[2];
} beams;

int beams_n_coord(const beams *b);
// The lowest k eigenvalues and modes at theta [s]: lambda [k], Y [k × BEAMS_ROWS] (NULL: none).
MW_MUST_USE mw_code beams_modes(const beams *b, const double *theta, int k, double *lambda,
                                double *Y, mw_error *err);

// Direct frequencies at n^s points spread over the range, none of them on the usual grids.
typedef struct beams_truth {
  int n, n_point;
  double *theta;   // [n_point × s]
  double *lambda;  // [n_point × BEAMS_K]
  mw_arena mem;
} beams_truth;
MW_MUST_USE mw_code beams_truth_build(const beams *b, int n, beams_truth *out, mw_error *err);

// Modes on a grid of n points an axis.
typedef struct beams_grid {
  int n, n_point;
  double *lambda;  // [n_point × BEAMS_K]
  double *Y;       // [n_point × BEAMS_K × BEAMS_ROWS]
  mw_arena mem;
} beams_grid;
MW_MUST_USE mw_code beams_grid_build(const beams *b, int n, beams_grid *out, mw_error *err);

typedef struct beams_result {
  double error;  // largest relative error of the lowest n_want frequencies (those the kept set has)
  int m, n_cluster;
  double largest_jump;
  bool span;  // modes could not be followed one by one
} beams_result;
// Align k modes of the grid for n_want (spans: align.h), interpolate K(θ_g) = Qᵀ diag(λ) Q by
// splines, compare with truth.
MW_MUST_USE mw_code beams_compare(const beams *b, const beams_grid *grid, const beams_truth *truth,
                                  int n_want, int k, bool spans, beams_result *out, mw_error *err);

#endif
