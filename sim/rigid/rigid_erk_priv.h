// SPDX-License-Identifier: BSD-3-Clause
// rigid_erk_priv.h: coefficients of explicit Runge-Kutta methods with error estimates and
// continuous extensions.
#ifndef MW_SIM_RIGID_ERK_PRIV_H
#define MW_SIM_RIGID_ERK_PRIV_H

enum { MW_ERK_STAGES = 16, MW_ERK_DENSE = 4 };

// With k_j = f(t + c_j h, y_0 + h Σ_i a_ji k_i), y_1 = y_0 + h Σ_j b_j k_j over the stages of a
// step, and k_end = f(t + h, y_1), which is the first one of the next step.
typedef struct mw_erk {
  const char *name;
  int n_stage;      // of a step
  int n_all;        // those, k_end, and what the continuous extension takes besides
  int n_dense;      // terms of the continuous extension behind the cubic one
  double power;     // error of a step ~ h^power
  double limit[2];  // least and largest ratio of a step to the one before
  double reach;     // |h λ| up to which all that decays is stable (damped by 5° and more)
  double beta;      // weight of the last error in the choice of the next step
  const double *c;  // [n_all]
  // [n_all − 1 rows]  row j − 1 has a_ji, i < j; row n_stage − 1 are the weights b
  const double *a;
  const double *e;      // [n_stage + 1]  error y_1 − ŷ_1 = h Σ e_j k_j
  const double *e_low;  // [n_stage + 1]  the same of an embedded method of lower order; NULL: none
  const double *d;      // [n_dense × n_all]  terms of the continuous extension, h Σ d_ij k_j
} mw_erk;

extern const mw_erk mw_erk_dopri5, mw_erk_dop853;

#endif
