// SPDX-License-Identifier: BSD-3-Clause
// rom_jacobian_second.c: derivatives of the terms of second order and of convective damping.
//
// What H_i, CE_i and CC_ij add to R of rom_jacobian_terms.c, besides their part of the quadratic
// forms there:
//   R_i     += w·H_i w + w·CE_i delta + sum_j v_j delta·CC_ij delta
//   R_delta += sum_i v_i CE_i delta                                                             (1)
// and, with P_i = sum_j v_j H_i,j and G_i = sum_j v_j H_j,i, symmetric here,
//   dR_i/dtheta_l   += w·H_i,l w + w·CE_i,l delta + sum_j v_j delta·CC_ij,l delta
//   dR_i/dv_l       += delta·CC_il delta
//   dR_i/ddelta     += H_i beta + (P_i - G_i) w + CE_i' w + 2 sum_j v_j CC_ij delta
//   dR_i/dw         += (P_i - G_i) delta + 2 H_i w + CE_i delta
//   dR_delta/dtheta_l += (sum_i alpha_i H_i,l + sum_ij v_i v_j H_i,jl) delta + sum_i v_i CE_i,l
//     delta
//   dR_delta/dv_l   += (P_l + G_l) delta + CE_l delta
//   dR_delta/ddelta += sum_i (alpha_i H_i + v_i P_i) + sum_i v_i CE_i                           (2)
// Called where a model has them. Cost: 30 m² products at s = 2. Source of (1): rom_terms.c.
// Allocates nothing.
#include "rom_derive.h"

typedef struct second_point {
  const mw_rom *rom;
  rom_jac *j;
  int s, m, n, mm;
  const double *delta, *v, *w, *alpha, *beta;
} second_point;

// v·X w, X [m × m] row-major.
static double second_whole(int m, const double *X, const double *v, const double *w)
{
  double sum = 0.0;
  for (int a = 0; a < m; a++) sum += v[a] * rom_dot(m, X + a * m, w);
  return sum;
}

// v·X v, X packed.
static double second_form(const second_point *x, const double *X, const double *v)
{
  double *y = x->j->row[0];
  rom_jac_clear(x->m, y);
  rom_packed_sym_add(x->m, X, v, y);
  return rom_dot(x->m, y, v);
}

// w·H_i w + w·CE_i delta + sum_j v_j delta·CC_ij delta of a record.
static double second_row_of(const second_point *x, const double *f, int i)
{
  const mw_rom_layout *l = &x->j->lay;
  unsigned parts = rom_parts(x->rom);
  int m = x->m;
  double sum = 0.0;
  if (x->j->with_H && rom_has_H(x->rom, i)) sum += second_form(x, f + l->H + i * x->mm, x->w);
  if (parts & MW_ROM_CE) sum += second_whole(m, f + l->CE + i * m * m, x->w, x->delta);
  for (int k = 0; (parts & MW_ROM_CC) && k < x->s; k++)
    sum += x->v[k] * second_form(x, f + l->CC + rom_jac_pair(i, k) * x->mm, x->delta);
  return sum;
}

static void add_second_scalars(const second_point *x)
{
  rom_jac *j = x->j;
  for (int i = 0; i < x->s; i++) {
    double *row = j->R + i * j->ld;
    j->residual[i] += second_row_of(x, j->value, i);
    for (int l = 0; l < x->s; l++) {
      if (!rom_jac_is_flat(x->rom, l))
        row[l] += second_row_of(x, rom_jac_gradient(x->rom, j, l), i);
      if (rom_parts(x->rom) & MW_ROM_CC)
        row[x->n + l] +=
            second_form(x, j->value + j->lay.CC + rom_jac_pair(i, l) * x->mm, x->delta);
    }
  }
}

// Row i and the column of R_delta by v_i of H; j->dd collects what it adds to dR_delta/ddelta.
static void add_second_H(const second_point *x, int i)
{
  rom_jac *j = x->j;
  int m = x->m, mm = x->mm, s = x->s, H = j->lay.H;
  double *P = j->dw, *G = j->sym, *y = j->row[0];
  double *by_delta = j->R + i * j->ld + s, *by_w = by_delta + x->n,
         *column = j->R + s * j->ld + x->n + i;
  rom_jac_clear(mm, P);
  rom_jac_clear(mm, G);
  for (int k = 0; k < s; k++) {
    if (rom_has_H(x->rom, i) && !rom_jac_is_flat(x->rom, k))
      rom_jac_add(mm, x->v[k], rom_jac_gradient(x->rom, j, k) + H + i * mm, P);
    if (rom_has_H(x->rom, k) && !rom_jac_is_flat(x->rom, i))
      rom_jac_add(mm, x->v[k], rom_jac_gradient(x->rom, j, i) + H + k * mm, G);
  }
  rom_jac_add(mm, x->v[i], P, j->dd);
  for (int k = 0; k < mm; k++) {
    double p = P[k], g = G[k];
    P[k] = p - g;
    G[k] = p + g;
  }
  rom_packed_sym_add(m, P, x->w, by_delta);
  rom_packed_sym_add(m, P, x->delta, by_w);
  rom_jac_clear(m, y);
  rom_packed_sym_add(m, G, x->delta, y);
  for (int a = 0; a < m; a++) column[a * j->ld] += y[a];
  if (!rom_has_H(x->rom, i)) return;
  const double *H_i = j->value + H + i * mm;
  rom_packed_sym_add(m, H_i, x->beta, by_delta);
  rom_jac_clear(m, y);
  rom_packed_sym_add(m, H_i, x->w, y);
  for (int a = 0; a < m; a++) by_w[a] += 2.0 * y[a];
  rom_jac_add(mm, x->alpha[i], H_i, j->dd);
}

// The same of CE and CC; dR_delta/ddelta at once.
static void add_second_damping(const second_point *x, int i)
{
  rom_jac *j = x->j;
  int m = x->m, s = x->s, ld = j->ld;
  double *by_delta = j->R + i * ld + s, *by_w = by_delta + x->n;
  if (rom_parts(x->rom) & MW_ROM_CE) {
    const double *CE = j->value + j->lay.CE + i * m * m;
    for (int a = 0; a < m; a++) {
      double force = rom_dot(m, CE + a * m, x->delta), *row = j->R + (s + a) * ld;
      rom_jac_add(m, x->w[a], CE + a * m, by_delta);
      rom_jac_add(m, x->v[i], CE + a * m, row + s);
      by_w[a] += force;
      row[x->n + i] += force;
    }
  }
  for (int k = 0; (rom_parts(x->rom) & MW_ROM_CC) && k < s; k++) {
    double *y = j->row[0];
    rom_jac_clear(m, y);
    rom_packed_sym_add(m, j->value + j->lay.CC + rom_jac_pair(i, k) * x->mm, x->delta, y);
    rom_jac_add(m, 2.0 * x->v[k], y, by_delta);
  }
}

// dR_delta/dtheta_l.
static void add_second_column(const second_point *x, int l)
{
  rom_jac *j = x->j;
  int m = x->m, mm = x->mm, s = x->s;
  double *sum = j->sym, *y = j->row[0], *out = j->R + s * j->ld + l;
  if (rom_jac_is_flat(x->rom, l)) return;
  const double *f = rom_jac_gradient(x->rom, j, l);
  rom_jac_clear(mm, sum);
  rom_jac_clear(m, y);
  for (int i = 0; j->with_H && i < s; i++) {
    if (!rom_has_H(x->rom, i)) continue;
    rom_jac_add(mm, x->alpha[i], f + j->lay.H + i * mm, sum);
    for (int k = 0; k < s; k++)
      if (!rom_jac_is_flat(x->rom, k))
        rom_jac_add(mm, x->v[i] * x->v[k], rom_jac_hessian(x->rom, j, k, l) + j->lay.H + i * mm,
                    sum);
  }
  rom_packed_sym_add(m, sum, x->delta, y);
  for (int i = 0; (rom_parts(x->rom) & MW_ROM_CE) && i < s; i++)
    for (int a = 0; a < m; a++)
      y[a] += x->v[i] * rom_dot(m, f + j->lay.CE + (i * m + a) * m, x->delta);
  for (int a = 0; a < m; a++) out[a * j->ld] += y[a];
}

void rom_jac_add_second(const mw_rom *rom, const double *x, rom_jac *j)
{
  int s = rom->s, m = rom->m, n = s + m;
  second_point at = { .rom = rom,
                      .j = j,
                      .s = s,
                      .m = m,
                      .n = n,
                      .mm = m * (m + 1) / 2,
                      .delta = x + s,
                      .v = x + n,
                      .w = x + n + s,
                      .alpha = j->a,
                      .beta = j->a + s };
  add_second_scalars(&at);
  rom_jac_clear(at.mm, j->dd);
  for (int i = 0; j->with_H && i < s; i++) add_second_H(&at, i);
  for (int i = 0; i < s; i++) add_second_damping(&at, i);
  for (int l = 0; l < s; l++) add_second_column(&at, l);
  const double *X = j->dd;
  for (int a = 0; j->with_H && a < m; X += ++a)
    for (int b = 0; b <= a; b++) {
      j->R[(s + a) * j->ld + s + b] += X[b];
      if (b < a) j->R[(s + b) * j->ld + s + a] += X[b];
    }
}
