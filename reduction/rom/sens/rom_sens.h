// SPDX-License-Identifier: BSD-3-Clause
// rom_sens.h: what rom_sens.c and rom_sens_turn.c share. Not for anyone else.
#ifndef MW_ROM_SENS_H
#define MW_ROM_SENS_H

#include "rom_derive.h"

typedef struct exp_sens {
  rom_sens s;
  int ld, nc;               // columns theta, delta, thd, deld, u: nc of them, rows ld apart
  double *x0, *x1;          // [2n]
  double *X;                // [2n × ld]  derivatives of the end
  double *base, *T;         // [n × ld]
  double *D0, *Dr, *Di;     // [n × ld]  derivatives of the solutions of the poles
  double *G;                // [n × 2n]  coefficient of X
  double *h;                // [ss × m]  b_ij + 2 c_ij delta
  double *A_l, *B_l;        // [s × ss], [s × s × m]  derivatives of M̂ by theta
  double *xi, *eta, *zeta;  // [np] each
  double *e;                // [mk]
  double *curve, *unit;     // [n × n], [n]  y,qq of a law's field
  double *law;              // [n_law × 6]  at z⁰
  double *g;                // [s × m]  of (4), or their derivatives
  double *X_sym;            // [mm]
  const double *u;          // [n_u]
  int turns, full;
  double moves[MW_ROM_MAX_S];  // 1, or 0 where theta̅ is kept at the border
} exp_sens;

// T of delta by delta += c X, X packed symmetric.
void rom_sens_packed(const mw_rom *rom, double c, const double *X, exp_sens *w);
// T += what turning adds; first: z⁰ [2n].
void rom_sens_turning(const mw_rom *rom, const double *first, exp_sens *w);

#endif
