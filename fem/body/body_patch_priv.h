// SPDX-License-Identifier: BSD-3-Clause
// body_patch_priv.h: nodes of rigid patches (RBE2) that turn by finite angles, for body_strain.c.
//
// body_map.c follows a patch to first order, t + φ × a. That stretches the patch by φ²/2, which in
// slender parts is more than their bending. With the axes exp(φ~) of the patch's frame (body.h) its
// nodes move by
//   d = t + (exp(φ~) − 1) a = t + φ × a + c ,  c(φ) = O(φ²)                                     (1)
// and nodes tied to some of them with a = Σ c_k a_k.
#ifndef MW_FEM_BODY_PATCH_PRIV_H
#define MW_FEM_BODY_PATCH_PRIV_H

#include "body_layer.h"

typedef struct mw_arm {
  int motion;   // first of three translations of a node
  int turn;     // φ are the unknowns turn, turn + 1, turn + 2
  int coef[3];  // where the three coefficients of φ begin in the row of each translation
  double a[3];  // m
} mw_arm;

// Motions of the nodes d = C u + c(u): rows of C (body_layer.h) with a place for every component of
// φ
typedef struct mw_patches {
  int n_motion;        // dof × nodes
  int *ptr, *unknown;  // [n_motion + 1], [ptr[n_motion]]
  double *coef;        // [ptr[n_motion]]
  int n_arm;
  mw_arm *arm;  // [n_arm]  ascending in motion
} mw_patches;

// Builds the patches of a body; memory from w->mem.
MW_MUST_USE mw_code mw_patches_build(const mw_body_work *w, mw_patches *out, mw_error *err);
// Fills rows [ptr[n_motion]], the coefficients of C + ∂c/∂u. O(entries).
void mw_patches_rows(const mw_patches *p, const double *u, double *rows);
// c [n_motion] := c(u) , (∂c/∂u) v ; zero but at the arms
void mw_patches_shift(const mw_patches *p, const double *u, double *c);
void mw_patches_rate(const mw_patches *p, const double *rows, const double *v, double *c);
// f += factor (∂c/∂u)ᵀ g, g [n_motion] N, of which the arms' entries count
void mw_patches_pull(const mw_patches *p, const double *rows, double factor, const double *g,
                     double *f);
// Bends one arm: H [9] := ∂²(g·c)/∂φ², N·m, for g [3] on its node.
void mw_arm_bend(const mw_arm *arm, const double phi[3], const double g[3], double H[9]);

#endif
