// SPDX-License-Identifier: BSD-3-Clause
// qp.h: small dense strictly convex quadratic programmes, without memory of their own while they
// are solved.
//
//   min ½ zᵀH z + gᵀz    subject to   lb <= z <= ub ,   lo <= A z <= hi                      (1)
//   H z + g = λ_b + Aᵀ λ_r ,   λ >= 0 at a lower bound, <= 0 at an upper one, else 0        (2)
#ifndef MW_SIM_QP_H
#define MW_SIM_QP_H

#include "base/api.h"
#include "base/arena.h"

MW_API_BEGIN

typedef enum mw_qp_code {
  MW_QP_OK = 0,
  MW_QP_INFEASIBLE,  // no z meets all constraints
  MW_QP_NOT_CONVEX,  // H is not positive definite, or something is not finite
  MW_QP_TOO_LONG  // iter_max changes of the active set: z minimises under some of the constraints
} mw_qp_code;
const char *mw_qp_code_name(mw_qp_code code);

typedef struct mw_qp {
  int n, n_row;     // unknowns, rows of A
  int iter_max;     // changes of the active set, default 10 (n + n_row)
  double *H;        // [n × n]  row-major, upper triangle is read; overwritten
  double *g;        // [n]
  double *lb, *ub;  // [n]      -INFINITY, INFINITY: none
  double *A;        // [n_row × n]
  double *lo, *hi;  // [n_row]
  double *z;        // [n]          set by mw_qp_solve, with lambda, iterations, n_active
  double *lambda;   // [n + n_row]  λ_b, λ_r
  int iterations, n_active;
  // workspace
  double *J;          // [n × n]  rows: columns of L⁻ᵀ Q
  double *R;          // [n × n]  row k: column k of R
  double *Az;         // [n_row]
  double *d, *r, *p;  // [n]
  double *u;          // [n + 1]  multipliers of the active constraints
  int *active;        // [n]      constraints, 0 … n + n_row - 1
  signed char *side;  // [n + n_row]  1 at lo, -1 at hi, 0 inactive
} mw_qp;

// Allocates a program of n unknowns and n_row rows from mem, zeroed, bounds infinite.
MW_MUST_USE mw_code mw_qp_init(mw_qp *q, int n, int n_row, mw_arena *mem, mw_error *err);
// Solves (1). MW_QP_OK: (2) holds to rounding.
mw_qp_code mw_qp_solve(mw_qp *q);

MW_API_END

#endif
