// SPDX-License-Identifier: BSD-3-Clause
// fixture_rom.h: reduced models of two modes and a pattern whose K is linear in θ, for pictures.
//
// With B-spline coefficients K at lo + h (k − 1), k = 0 … n + 1, h the spacing of the table, a
// cubic B-spline gives K itself.
#ifndef MW_FIXTURE_ROM_H
#define MW_FIXTURE_ROM_H

#include "view/rompicture_layer.h"

enum { N_GRID = 5, N_TABLE = 9, N_FREQ = 3, MAX_KNOT = 11 * 11 * 11 };

// K = [a + b(θ0 − ref), k; k, a − b(θ0 − ref)] and one pattern of stiffness p; nothing depends on
// other coordinates but the mean stiffness of both modes, a + c θ1.
typedef struct two_modes {
  double a, b, k, p, ref, c;  // 1/s², 1/s² a unit, 1/s², 1/s², m, 1/s² a unit
} two_modes;

static const two_modes TYPICAL = {
  .a = 4e4, .b = 2e4, .k = 0.0, .p = 1e6, .ref = 0.3712, .c = 0.0
};

typedef struct fixture {
  mw_rom_file f;
  const char *name[MW_ROM_MAX_S], *unit[MW_ROM_MAX_S], *column[3];
  double grid[MW_ROM_MAX_S][N_GRID];
  double coef[MAX_KNOT * 96];  // records of 94 numbers with three coordinates
  double frequency[N_GRID * N_GRID * N_GRID * N_FREQ];
  int identity[N_GRID * N_GRID * N_GRID * N_FREQ], cluster[2];
} fixture;

// Too large for the stack of a sanitized build; release with free.
fixture *fixture_rom(const two_modes *q, int s, int n_modes);
// Largest error of an eigenvalue, 1/s².
double fixture_rounding(const two_modes *q);
// The one approach of a line that is not merely the closest.
mw_approach fixture_approach(const mw_rom_line *l);

#endif
