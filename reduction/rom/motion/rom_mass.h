// SPDX-License-Identifier: BSD-3-Clause
// rom_mass.h: the mass of columns that bend the mechanism changes with delta. Not for anyone else.
//
// Of the first k = n_G columns, G_abc = ⟨M psi_a, Psi2_bc⟩, symmetric in bc:
//   T gains 1/2 w·E w ,   E_ab = sum_c (G_abc + G_bac) delta_c ,   w = deld                     (1)
//   d/dt dT/dw_a - dT/ddelta_a = (E w')_a + sum_bc G_abc w_b w_c + sum_j v_j (E,j w)_a          (2)
//   - dT/dtheta_i              = - 1/2 w·E,i w                                                  (3)
// ((2): G is symmetric in bc, as a Christoffel symbol of the mass I + E.) Written in `real`.
#ifndef MW_ROM_MASS_H
#define MW_ROM_MASS_H

#include "core/rom_layer.h"

// Does it? Of the model and the settings alone.
ROM_INLINE int rom_mass_changes(const mw_rom *rom, const mw_rom_opt *opt)
{
  return rom_n_G(rom) > 0 && opt->inertia == MW_ROM_FULL;
}

// P_ab = sum_c G_abc x_c of a record, rows MW_ROM_MAX_G apart.
ROM_INLINE void rom_mass_sum(const int k, const real *G, const real *x, real *P)
{
  for (int a = 0; a < k; a++, G += k * (k + 1) / 2) {
    ROM_UNROLL
    for (int b = 0; b < k; b++) {
      real sum = rom_set(0.0);
      ROM_UNROLL
      for (int c = 0; c < k; c++)
        sum += G[b >= c ? b * (b + 1) / 2 + c : c * (c + 1) / 2 + b] * x[c];
      P[a * MW_ROM_MAX_G + b] = sum;
    }
  }
}

// y_a = sum_b (P_ab + P_ba) w_b: E w.
ROM_INLINE void rom_mass_times(int k, const real *P, const real *w, real *y)
{
  for (int a = 0; a < k; a++) {
    real sum = rom_set(0.0);
    for (int b = 0; b < k; b++) sum += (P[a * MW_ROM_MAX_G + b] + P[b * MW_ROM_MAX_G + a]) * w[b];
    y[a] = sum;
  }
}

#endif
