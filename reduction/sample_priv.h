// SPDX-License-Identifier: BSD-3-Clause
// sample_priv.h: the full mechanism at one configuration: all that a certificate compares, once and for good.
//
// A sample does not depend on the reduced model: grids may be refined and tables compressed, samples stay.
#ifndef MW_REDUCTION_SAMPLE_PRIV_H
#define MW_REDUCTION_SAMPLE_PRIV_H

#include "reduction/system.h"
#include "rom/rom.h"

// Loads, in this order: unit forces at position outputs (x, y, z of each), of drives that θ leaves free (on coordinates or at
// frames); then the inertia forces −M ρ_θ of unit accelerations of θ; then gravity.
typedef struct mw_sample {
  double theta[MW_ROM_MAX_S];
  int n;     // unknowns of the reduction's own coordinates: body bases (or the mesh), rigid bodies
  int k;     // modes
  int n_io;  // unit loads
  int n_load;      // n_io + s + 1
  int n_stress;    // rows of stress and strain outputs
  double *lambda;  // [k]  (rad/s)², ascending
  double *A;       // [k × n]  φᵀ M T, T the body bases (or 1)
  double *B;       // [k × n_load]       φ_kᵀ f_l
  double *F0;      // [n_load × n_load]  f_iᵀ K⁻¹ f_j
  double *F1;      // [n_load × n_load]  f_iᵀ K⁻¹ M K⁻¹ f_j
  double *stress;  // [n_load × n_stress]  of K⁻¹ f_l
} mw_sample;

#endif
