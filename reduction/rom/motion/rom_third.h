// SPDX-License-Identifier: BSD-3-Clause
// rom_third.h: third order of T in the coordinates' rates, of the first k = n_G columns. Not for
// anyone else.
//
//   A_ij gains A3_ij,abc delta_a delta_b delta_c ,   B_ia gains B2_i,abc delta_b delta_c        (1)
// A3 symmetric in abc, packed a >= b >= c; B2 in bc, packed like G. With x = delta, w = deld, v =
// thd:
//   d/dt dT/dw_a - dT/ddelta_a = v'_i B2_i,abc x_b x_c + v_i v_j B2_i,j,abc x_b x_c - 3/2 v_i v_j
//     A3_ij,abc x_b x_c
//                                + 2 v_i (B2_i,abc - B2_i,bac) x_c w_b                          (2)
// Those of the coordinates are in A, its rates and B. Written in `real`.
#ifndef MW_ROM_THIRD_H
#define MW_ROM_THIRD_H

#include "rom_mass.h"

// Packed numbers of the most columns, in rows of packs.
enum {
  ROM_MAX_CUBE = (MW_ROM_MAX_G * (MW_ROM_MAX_G + 1) * (MW_ROM_MAX_G + 2) / 6 + 7) / 8 * 8,
  ROM_MAX_SQUARE = (MW_ROM_MAX_G * (MW_ROM_MAX_G + 1) / 2 + 7) / 8 * 8
};

// Is it there? Of the model and the settings alone.
ROM_INLINE int rom_has_third(const mw_rom *rom, const mw_rom_opt *opt)
{
  return (rom_parts(rom) & MW_ROM_THIRD) && rom_mass_changes(rom, opt);
}

// Weights of packed forms, 0 behind them: X·xxx = X_abc x_a x_b x_c and its derivative X·xxy along
// y;
ROM_INLINE void rom_cubes(const int k, const real *x, const real *y, real *xxx, real *xxy)
{
  int t = 0;
  for (int a = 0; a < k; a++)
    for (int b = 0; b <= a; b++)
      for (int c = 0; c <= b; c++, t++) {
        const double times = a == b && b == c ? 1.0 : a == b || b == c ? 3.0 : 6.0;
        real bc = x[b] * x[c];
        xxx[t] = times * (x[a] * bc);
        xxy[t] = times * (y[a] * bc + x[a] * (y[b] * x[c] + x[b] * y[c]));
      }
  for (; t < rom_padded(t); t++) xxx[t] = xxy[t] = rom_set(0.0);
}

//   X·xx = X_bc x_b x_c, likewise.
ROM_INLINE void rom_squares(const int k, const real *x, const real *y, real *xx, real *xy)
{
  int t = 0;
  for (int b = 0; b < k; b++)
    for (int c = 0; c <= b; c++, t++) {
      const double times = b == c ? 1.0 : 2.0;
      xx[t] = times * (x[b] * x[c]);
      xy[t] = times * (y[b] * x[c] + x[b] * y[c]);
    }
  for (; t < rom_padded(t); t++) xx[t] = xy[t] = rom_set(0.0);
}

// g_a = d (X_abc x_a x_b x_c)/dx_a
ROM_INLINE void rom_cube_slope(const int k, const real *X, const real *x, real *g)
{
  for (int a = 0; a < k; a++) g[a] = rom_set(0.0);
  for (int a = 0; a < k; a++)
    for (int b = 0; b <= a; b++)
      for (int c = 0; c <= b; c++, X++) {
        const double times = a == b && b == c ? 1.0 : a == b || b == c ? 3.0 : 6.0;
        real n = times * *X;
        g[a] += n * (x[b] * x[c]);
        g[b] += n * (x[a] * x[c]);
        g[c] += n * (x[a] * x[b]);
      }
}

#endif
