// SPDX-License-Identifier: BSD-3-Clause
// rom_mass.h: the mass of columns that bend the mechanism changes with delta. Not for anyone else.
//
// Of the first k = n_G columns, G_abc = ⟨M psi_a, Psi2_bc⟩, symmetric in bc:
//   T gains 1/2 w·E w ,   E_ab = sum_c (G_abc + G_bac) delta_c ,   w = deld                       (1)
//   d/dt dT/dw_a - dT/ddelta_a = (E w')_a + sum_bc G_abc w_b w_c + sum_j v_j (E,j w)_a            (2)
//   - dT/dtheta_i              = - 1/2 w·E,i w                                                    (3)
// ((2): G is symmetric in bc, as a Christoffel symbol of the mass I + E.) Cost: 2 (1 + s) k³ products. Written in `real`.
#ifndef MW_ROM_MASS_H
#define MW_ROM_MASS_H

#include "rom_priv.h"

// Does it? Of the model and the settings alone.
ROM_INLINE int rom_mass_changes(const mw_rom *rom, const mw_rom_opt *opt)
{
  return rom->n_G > 0 && opt->inertia == MW_ROM_FULL;
}

// P_ab = sum_c G_abc x_c of a record, rows MW_ROM_MAX_G apart.
ROM_INLINE void rom_mass_sum(int k, const real *G, const real *x, real *P)
{
  for (int a = 0; a < k; a++, G += k * (k + 1) / 2)
    for (int b = 0; b < k; b++) {
      real sum = rom_set(0.0);
      for (int c = 0; c < k; c++)
        sum += G[b >= c ? b * (b + 1) / 2 + c : c * (c + 1) / 2 + b] * x[c];
      P[a * MW_ROM_MAX_G + b] = sum;
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

// E, and what (2) and (3) add to r; sizes: to f, too.
ROM_INLINE void rom_add_mass(const mw_rom *rom, const int s, int sizes, const real *v, rom_work *w)
{
  const int k = rom->n_G, G = w->lay.G;
  real *P = w->P, y[MW_ROM_MAX_G], *E = w->E;
  rom_mass_sum(k, w->value + G, w->deld, P);
  for (int a = 0; a < k; a++) {
    real sum = rom_set(0.0);
    for (int b = 0; b < k; b++) sum += P[a * MW_ROM_MAX_G + b] * w->deld[b];
    w->r_delta[a] -= sum;
    if (sizes) w->f_delta[a] += rom_size(sum);
  }
  for (int j = 0; j < s; j++) {
    if (rom->flat >> j & 1u) continue;
    real form = rom_set(0.0);
    rom_mass_sum(k, w->gradient + (size_t)j * (size_t)rom->n_field + G, w->del, P);
    rom_mass_times(k, P, w->deld, y);
    for (int a = 0; a < k; a++) {
      real rate = v[j] * y[a];
      form += w->deld[a] * y[a];
      w->r_delta[a] -= rate;
      if (sizes) w->f_delta[a] += rom_size(rate);
    }
    w->r_theta[j] += 0.5 * form;
    if (sizes) w->f_theta[j] += rom_size(0.5 * form);
  }
  rom_mass_sum(k, w->value + G, w->del, P);
  for (int a = 0; a < k; a++)
    for (int b = 0; b < k; b++)
      E[a * MW_ROM_MAX_G + b] = P[a * MW_ROM_MAX_G + b] + P[b * MW_ROM_MAX_G + a];
}

// S0, Sr += E: real parts of M̂ + c h Ĉ + (c h)² K̂, rows np apart; Ê = E.
ROM_INLINE void rom_mass_to_poles(const mw_rom *rom, const int s, const int np, rom_work *w)
{
  for (int a = 0; a < rom->n_G; a++)
    for (int b = 0; b < rom->n_G; b++) {
      real E = w->E[a * MW_ROM_MAX_G + b];
      w->E0[a * MW_ROM_MAX_G + b] = E;
      w->S0[(s + a) * np + s + b] += E;
      w->Sr[(s + a) * np + s + b] += E;
    }
}

// r_delta -= (E - Ê) a
ROM_INLINE void rom_mass_moved(int k, const real *a, rom_work *w)
{
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++)
      w->r_delta[i] -= (w->E[i * MW_ROM_MAX_G + j] - w->E0[i * MW_ROM_MAX_G + j]) * a[j];
}

#endif
