// SPDX-License-Identifier: BSD-3-Clause
// basis.h: an elastic body on a basis of its own, u = T ζ, made once a body and kept on disk.
//
// T = [rigid modes, free modes up to the body's band, static and dynamic patterns of its interface], M-orthonormal, with
// diagonal TᵀKT. In it a configuration of the mechanism has hundreds of unknowns, whatever the mesh.
#ifndef MW_REDUCTION_BASIS_H
#define MW_REDUCTION_BASIS_H

#include "fem/body.h"

typedef struct mw_basis_opt {
  double band;        // rad/s, upper end of the frequencies the basis is for
  double tolerance;   // what it may leave out of the interface's receptance there, relative
  const char *cache;  // folder, NULL: nothing is read or kept
} mw_basis_opt;

typedef struct mw_basis {
  mw_body body;     // projected on T: K diagonal, M = 1; borrows names of the full body
  int n_u, r;       // unknowns of the full body, columns of T
  int n_mode;       // eigenmodes among the columns' span, rigid ones not counted
  float *T;         // [r × n_u]  rows: columns of T; single precision, for shapes and assurance
  double estimate;  // of what is left out of the interface's receptance in the band, relative
  bool cached;      // was it found on disk?
  mw_arena mem;
} mw_basis;

// MW_ERR_NUMERIC: modes of the body are missing (proved by an inertia count), its matrices cannot be factored. full must
// outlive out. Rigid bodies: out->body is a shallow copy.
MW_MUST_USE mw_code mw_basis_build(const mw_body *full, const mw_basis_opt *opt, mw_basis *out,
                                   mw_error *err);
void mw_basis_free(mw_basis *b);

#endif
