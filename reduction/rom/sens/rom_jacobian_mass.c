// SPDX-License-Identifier: BSD-3-Clause
// rom_jacobian_mass.c: derivatives of what a mass of columns that changes with delta adds.
//
// To R = M a - r, with E of rom_mass.h (1), beta = a of delta, w = deld, v = thd:
//   R_delta += E beta + sum_bc G_abc w_b w_c + sum_j v_j E,j w ,   R_i -= 1/2 w·E,i w           (1)
// With P(x)_ab = sum_c G_abc x_c, Q(x)_ac = sum_b x_b G_bac and E = P(delta) + P(delta)':
//   dR_delta/ddelta = P(beta) + Q(beta) + sum_j v_j (P,j(w) + Q,j(w)) ,   dR_i/ddelta = - P,i(w)' w
//   dR_delta/dw     = 2 P(w) + sum_j v_j E,j ,   dR_i/dw = - E,i w ,   dR_delta/dv_l = E,l w
//   d/dtheta_l puts ,l on G                                                                     (2)
// Cost: s² k³ products of the first k = n_G columns. Allocates nothing.
#include "motion/rom_mass.h"
#include "rom_derive.h"

typedef struct mass_point {
  const mw_rom *rom;
  rom_jac *j;
  int s, k, ld;
  const double *delta, *v, *w, *beta;
} mass_point;

void rom_jac_mass_slope(int k, const double *G, const double *x, double *y)
{
  int kk = k * (k + 1) / 2;
  rom_mass_sum(k, G, x, y);
  for (int a = 0; a < k; a++)
    for (int c = 0; c < k; c++)
      for (int b = 0; b < k; b++) y[a * MW_ROM_MAX_G + c] += x[b] * G[b * kk + rom_jac_pair(a, c)];
}

// out = E x of a record's G
static void mass_image(const mass_point *p, const double *G, const double *x, double *out)
{
  double P[MW_ROM_MAX_G * MW_ROM_MAX_G];
  rom_mass_sum(p->k, G, p->delta, P);
  rom_mass_times(p->k, P, x, out);
}

// Derivatives at fixed theta: of the terms without ,j.
static void add_mass_value(const mass_point *p)
{
  rom_jac *j = p->j;
  int s = p->s, k = p->k, n = s + p->rom->m;
  const double *G = j->value + j->lay.G;
  double P[MW_ROM_MAX_G * MW_ROM_MAX_G];
  rom_mass_sum(k, G, p->delta, P);
  for (int a = 0; a < k; a++)
    for (int b = 0; b < k; b++)
      j->E[a * MW_ROM_MAX_G + b] = P[a * MW_ROM_MAX_G + b] + P[b * MW_ROM_MAX_G + a];
  rom_jac_mass_slope(k, G, p->beta, P);
  for (int a = 0; a < k; a++) rom_jac_add(k, 1.0, P + a * MW_ROM_MAX_G, j->R + (s + a) * p->ld + s);
  rom_mass_sum(k, G, p->w, P);
  for (int a = 0; a < k; a++)
    rom_jac_add(k, 2.0, P + a * MW_ROM_MAX_G, j->R + (s + a) * p->ld + n + s);
}

// What theta_l has: column l, the column of v_l, row l, and v_l (,l) in the block of delta.
static void add_mass_coordinate(const mass_point *p, int l)
{
  rom_jac *j = p->j;
  int s = p->s, k = p->k, n = s + p->rom->m;
  const double *G = rom_jac_gradient(p->rom, j, l) + j->lay.G;
  double P[MW_ROM_MAX_G * MW_ROM_MAX_G], S[MW_ROM_MAX_G * MW_ROM_MAX_G], y[MW_ROM_MAX_G],
      z[MW_ROM_MAX_G];
  rom_jac_mass_slope(k, G, p->w, S);  // P,l(w) + Q,l(w)
  rom_mass_sum(k, G, p->w, P);
  double *row = j->R + l * p->ld;
  for (int a = 0; a < k; a++) {
    double *to = j->R + (s + a) * p->ld, ww = 0.0;
    rom_jac_add(k, p->v[l], S + a * MW_ROM_MAX_G, to + s);
    for (int b = 0; b < k; b++) {
      ww += P[a * MW_ROM_MAX_G + b] * p->w[b];
      row[s + b] -= p->w[a] * P[a * MW_ROM_MAX_G + b];
    }
    to[l] += ww;
  }
  mass_image(p, G, p->beta, z);
  mass_image(p, G, p->w, y);
  rom_mass_sum(k, G, p->delta, P);
  for (int a = 0; a < k; a++) {
    double *to = j->R + (s + a) * p->ld;
    to[l] += z[a];
    to[n + l] += y[a];
    row[n + s + a] -= y[a];
    j->residual[l] -= 0.5 * p->w[a] * y[a];
    for (int b = 0; b < k; b++)
      to[n + s + b] += p->v[l] * (P[a * MW_ROM_MAX_G + b] + P[b * MW_ROM_MAX_G + a]);
  }
}

// Second derivatives of G by theta_i and theta_l.
static void add_mass_pair(const mass_point *p, int i, int l)
{
  rom_jac *j = p->j;
  double y[MW_ROM_MAX_G];
  mass_image(p, rom_jac_hessian(p->rom, j, i, l) + j->lay.G, p->w, y);
  for (int a = 0; a < p->k; a++) {
    j->R[(p->s + a) * p->ld + l] += p->v[i] * y[a];
    j->R[i * p->ld + l] -= 0.5 * p->w[a] * y[a];
  }
}

void rom_jac_add_mass(const mw_rom *rom, const double *x, rom_jac *j)
{
  int s = rom->s, n = s + rom->m;
  mass_point p = { .rom = rom,
                   .j = j,
                   .s = s,
                   .k = j->n_G,
                   .ld = j->ld,
                   .delta = x + s,
                   .v = x + n,
                   .w = x + n + s,
                   .beta = j->a + s };
  add_mass_value(&p);
  for (int l = 0; l < s; l++) {
    if (rom_jac_is_flat(rom, l)) continue;
    add_mass_coordinate(&p, l);
    for (int i = 0; i < s; i++)
      if (!rom_jac_is_flat(rom, i)) add_mass_pair(&p, i, l);
  }
}
