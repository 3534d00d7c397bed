// SPDX-License-Identifier: BSD-3-Clause
// basis.h: an elastic body on a basis of its own, u = T ζ, made once a body and kept on disk.
//
// T = [rigid modes, elastic modes up to the body's band, static and dynamic patterns of its loads],
// M-orthonormal, with diagonal TᵀKT. In it a configuration of the mechanism has hundreds of
// unknowns, whatever the mesh.
#ifndef MW_REDUCTION_BASIS_H
#define MW_REDUCTION_BASIS_H

#include "base/api.h"
#include "fem/body.h"

MW_API_BEGIN

typedef struct mw_basis {
  mw_body body;  // projected on T: K diagonal, M = 1; borrows names of the full body
  int n_u, r;    // unknowns of the full body, columns of T
  int n_rigid, n_mode, n_pattern;  // their kinds; r is their sum
  // [r × n_u]  rows: columns of T; single precision, for shapes and assurance. NULL while it is on
  //            disk (mw_basis_shapes)
  float *T;
  double band;  // rad/s
  // of a load's receptance in the band, over what the modes leave of its static value: an estimate
  // of what is missing
  double left;
  bool cached;             // was it found on disk?
  char *file;              // where it is kept, NULL: nowhere
  unsigned long long sum;  // of T
  mw_arena mem;
} mw_basis;
void mw_basis_free(mw_basis *b);
// T from disk, where it is not in memory. MW_ERR_IO: it is gone or broken; the basis has to be made
// again.
MW_MUST_USE mw_code mw_basis_shapes(mw_basis *b, mw_error *err);

// The body stage: a factorization that lives while several bases are made of one body.
typedef struct mw_body_stage mw_body_stage;
// cache: folder of bases by content (borrowed), NULL: nothing is read or kept. full is borrowed.
MW_MUST_USE mw_code mw_body_stage_open(const mw_body *full, const char *cache, mw_body_stage **out,
                                       mw_error *err);
void mw_body_stage_close(mw_body_stage *z);
// Its factorization, σ = 0; NULL while there is none (bases found on disk).
const struct mw_blocks *mw_body_stage_blocks(const mw_body_stage *z);

// Up to `band` (rad/s) the receptance of every load that the mechanism can put on the body is right
// but for `tolerance`, relative to the static value that the modes leave of it (hence to its own
// static value, which is larger). All modes below one and a half times the band are in it, which an
// inertia count proves.
// rough: a few modes and static patterns, to learn how far the frequencies of the mechanism reach;
// band is ignored.
// MW_ERR_NUMERIC: modes of the body are missing, its matrices cannot be factored. Rigid bodies:
// out->body is a shallow copy.
MW_MUST_USE mw_code mw_body_stage_basis(mw_body_stage *z, bool rough, double band, double tolerance,
                                        mw_basis *out, mw_error *err);

// Eigenvalues below the end of the modes of a basis for `band`, rigid ones included, by an inertia
// count: what proves that n_rigid + n_mode of it are all there are. Kept in the cache, too. 0 for
// bodies whose bases hold everything.
MW_MUST_USE mw_code mw_body_stage_count(mw_body_stage *z, double band, int *count, mw_error *err);
// The shift of that count, (rad/s)².
double mw_body_stage_shift(double band);
// The count is made elsewhere (on): mw_body_stage_basis does without.
void mw_body_stage_count_apart(mw_body_stage *z, bool on);
// A basis made anew with its modes proved here, over one on disk that a count has refuted.
MW_MUST_USE mw_code mw_body_stage_proved(mw_body_stage *z, double band, double tolerance,
                                         mw_basis *out, mw_error *err);
// mw_body_stage_basis without a look at the disk.
MW_MUST_USE mw_code mw_body_stage_again(mw_body_stage *z, bool rough, double band, double tolerance,
                                        mw_basis *out, mw_error *err);

MW_API_END

#endif
