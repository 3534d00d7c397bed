// SPDX-License-Identifier: BSD-3-Clause
// formula_layer.h: a joint's own row as a function of primitive measures: written once, for rigid
// and elastic sides.
//
//   g = G(x_1 … x_n) ,   x_k = A_i(a)·d , A_i(b)·d or A_i(a)·A_j(b) ,   d = x_b − x_a
//   J = Σ ∂G/∂x_k J_k ,  γ = −Σ ∂G/∂x_k bias_k − ẋᵀ (∂²G/∂x²) ẋ                              (1)
#ifndef MW_FEM_FORMULA_LAYER_H
#define MW_FEM_FORMULA_LAYER_H

#include "fem/joint.h"

enum { MW_FORMULA_PARTS = 6 };

typedef enum mw_measured {
  MW_MEASURED_ALONG_A,  // A_i(a)·d
  MW_MEASURED_ALONG_B,  // A_i(b)·d
  MW_MEASURED_AXES      // A_i(a)·A_j(b)
} mw_measured;

typedef struct mw_formula {
  int n;
  struct {
    mw_measured kind;
    int i, j;
  } part[MW_FORMULA_PARTS];
  // g of x [n], slope [n] its derivatives; with rates x' [n] (NULL: not) *bend = x'ᵀ(∂²G/∂x²)x'
  double (*eval)(const mw_joint *j, const double *x, const double *rate, double *slope,
                 double *bend);
} mw_formula;

// Functions of a class with one row of its own, its `formula`.
void mw_formula_elastic(const mw_joint *j, struct mw_joint_sides *k, int row, mw_joint_eval *e);
void mw_formula_add_own(struct mw_rbuilder *b, int joint);
void mw_formula_eval(const struct mw_relem *e, const struct mw_rkin *a, const struct mw_rkin *b,
                     double near, const struct mw_rout *o);

#endif
