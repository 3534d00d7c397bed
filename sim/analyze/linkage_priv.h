// SPDX-License-Identifier: BSD-3-Clause
// linkage_priv.h: the rigid mechanism at a position, its rows and coordinates as matrices in one
// measure.
#ifndef MW_SIM_LINKAGE_PRIV_H
#define MW_SIM_LINKAGE_PRIV_H

#include "base/arena.h"
#include "fem/mech.h"
#include "fem/rigid.h"

// Tangents y [n_u] are twists û = (Eᵀ ȯ, ω) with lengths over the mechanism's size. Rows are
// divided by their norms at y, so that their singular values have no unit.
typedef struct mw_linkage {
  const mw_mech *m;
  mw_rigid *r;
  mw_rigid_work *w;
  mw_rigid_size n;
  double size;        // m
  double *q;          // [n_q]           the position
  double *s;          // [n_coord]       coordinates there, m or rad
  double *J;          // [n_row × n_u]   J y' = γ, rows of norm 1
  double *gamma;      // [n_row]
  double *Js;         // [n_coord × n_u] ṡ = Js y ,  s̈ = Js y' + bias
  double *bias;       // [n_coord]
  double *norm;       // [n_row]         what rows were divided by
  int *joint;         // [n_row]         of the mechanism, −1: a held coordinate
  double *u, *x, *v;  // [n_u], [n_u], [n_q]  scratch
  mw_arena mem;
} mw_linkage;

// elastic: rows with a stiffness (runners, bearings) count as rigid; springs never do. held
// [n_coord] coordinates that are held at s (NULL: none). p [n_body × 12], s [n_coord].
MW_MUST_USE mw_code mw_linkage_open(const mw_mech *m, const unsigned char *held, bool elastic,
                                    const double *p, const double *s, mw_linkage *out,
                                    mw_error *err);
void mw_linkage_close(mw_linkage *l);
// Matrices at l->q and tangent y (NULL: at rest).
void mw_linkage_eval(mw_linkage *l, const double *y);
// Moves q along y and closes its rows again; MW_ERR_NUMERIC: they do not close.
MW_MUST_USE mw_code mw_linkage_move(mw_linkage *l, const double *q, const double *y, double *to,
                                    mw_error *err);
// Puts the position to q: coordinates follow, their turns counted from the position before.
void mw_linkage_put(mw_linkage *l, const double *q);
// Singular values sv [n_u] of J as evaluated, zeros behind the last; as rows the right vectors Vt
// [n_u × n_u] and the left ones Ut [n_row × n_row]; both may be NULL.
MW_MUST_USE mw_code mw_linkage_svd(const mw_linkage *l, double *sv, double *Ut, double *Vt,
                                   mw_error *err);
// Singular values above tol of the largest.
int mw_linkage_rank(const mw_linkage *l, const double *sv, double tol);
// Forms Q [n_left × k × k] of the second order at l->q: zᵀ Q_l z = left_lᵀ γ(z N), with rows of N
// [k × n_u] and of left [n_left × n_row]. A tangent z N is one of a motion only where all vanish.
MW_MUST_USE mw_code mw_linkage_forms(mw_linkage *l, int k, const double *N, int n_left,
                                     const double *left, double *Q, mw_error *err);
// Roots z [2 × 2], of length 1, of  Q[0] x² + 2 Q[1] x y + Q[3] y² = 0; their number, 1 where they
// coincide to tol of the largest coefficient.
int mw_form_roots(const double Q[4], double tol, double z[4]);

#endif
