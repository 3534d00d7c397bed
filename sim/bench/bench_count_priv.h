// SPDX-License-Identifier: BSD-3-Clause
// bench_count_priv.h: counting what the reduced model computes, by running it with numbers that
// count.
#ifndef MW_SIM_BENCH_COUNT_PRIV_H
#define MW_SIM_BENCH_COUNT_PRIV_H

#include "base/error.h"
#include "rom/step.h"

// Calls that are counted, and timed.
typedef enum mw_count_call {
  MW_COUNT_FIELDS = 0,
  MW_COUNT_RHS,
  MW_COUNT_RHS_LEADING,
  MW_COUNT_JACOBIAN,
  MW_COUNT_EXPONENTIAL,
  MW_COUNT_RK4,
  MW_COUNT_MIDPOINT,
  MW_COUNT_SENS,  // a step of the exponential method with its sensitivities
  MW_COUNT_N
} mw_count_call;

// Operations on real numbers; a fused or a vector operation would be several of them.
typedef struct mw_flops {
  long long add, mul, div, root;  // sums and differences, products, quotients, square roots
} mw_flops;

// Operations of one call at x [2 (s + m)] with inputs u [n_u] and step h (s). MW_ERR_NUMERIC when
// the call fails or its result is not the library's to 1e-6 of its size.
MW_MUST_USE mw_code mw_count_flops(const mw_rom *rom, const mw_rom_opt *opt, mw_count_call call,
                                   double h, const double *x, const double *u, mw_flops *out,
                                   mw_error *err);

// Leading operations of a step of the exponential method: of s coordinates (a of them with a grid),
// m columns, n = s + m, and k fields of outputs between those that inputs and laws act on,
//   (7 S_a + 8) f + 5/3 n³ + 26 n² ,  S_0 = 0, S_a = 4 S_{a−1} + a + 1: sums of four a field
//   f = s(s+1)/2 (1 + m + m(m+1)/2) + s (m + m(m−1)/2) + m(m+1) + 1 + m + k (1 + m)
// b and c, e that vanish left out. Interpolation (rom_eval.c), two evaluations of the equations,
// UDUᵀ and solutions of a real and a complex matrix (rom_exp.c). The grid's size does not enter.
// NaN: optional parts, tensor trains.
double mw_bench_step_formula(const mw_rom *rom);

#endif
