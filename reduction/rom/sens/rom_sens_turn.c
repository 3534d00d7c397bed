// SPDX-License-Identifier: BSD-3-Clause
// rom_sens_turn.c: what turning adds to the derivatives of the exponential step.
//
// Of rom_sens.c (3): where something turns, K̂ and Ĉ have the terms of rom_exp.c (4), which change
// with theta, delta, the rates and, by the loads' stiffness, with u: of sum_j v_j h_ij = g_i
//   T by theta_l:  rows theta_i g_i,l·eta + CE_i,l delta·eta + sum_j eta_j delta·CC_ij,l delta ;
//       rows delta
//     sum_i eta_i (CE_i,l delta - g_i,l) + 2 v_i e_i,l eta + (sum v_i v_j (e_i,jl + H_i,jl -
//       c_ij,l) + v_i CE_i,l - u_k Y_k,l) zeta
//   T by delta:    2 v_j c_ij eta + CE_i' eta + 2 eta_j CC_ij delta ;  eta_i (CE_i - 2 v_j c_ij)
//   T by v_l:      h_il·eta ;
//     2 e_l eta - eta_i h_il + (CE_l - 2 v_j c_lj + v_j (e_l,j + e_j,l + H_l,j + H_j,l)) zeta  (4)
// v and delta are those of z⁰. Called by rom_sens.c for each pole. Allocates nothing.
#include "rom_sens.h"

void rom_sens_packed(const mw_rom *rom, double c, const double *X, exp_sens *w)
{
  int s = rom->s, m = rom->m, ld = w->ld;
  for (int a = 0; a < m; X += ++a)
    for (int b = 0; b <= a; b++) {
      w->T[(s + a) * ld + s + b] += c * X[b];
      if (b < a) w->T[(s + b) * ld + s + a] += c * X[b];
    }
}

// g_i of the record f, into w->g.
static void set_sens_g(const mw_rom *rom, const double *f, const double *first, exp_sens *w)
{
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2;
  const rom_jac *j = &w->s.jac;
  const double *delta = first + s, *v = first + s + m;
  rom_jac_clear(s * m, w->g);
  for (int i = 0; w->full && i < s; i++)
    for (int l = 0; l < s; l++) {
      int p = rom_jac_pair(i, l);
      double *c = w->unit;
      rom_jac_add(m, v[l], f + j->lay.b + p * m, w->g + i * m);
      if (rom->zero_c >> p & 1u) continue;
      rom_jac_clear(m, c);
      rom_packed_sym_add(m, f + j->lay.c + p * mm, delta, c);
      rom_jac_add(m, 2.0 * v[l], c, w->g + i * m);
    }
}

// y += X_sym zeta of (4) by theta_k, first c and H, then e, CE, Y.
static void add_sens_stiffness(const mw_rom *rom, int k, const double *first, exp_sens *w,
                               double *y)
{
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  const rom_jac *j = &w->s.jac;
  const double *v = first + s + m, *zeta = w->zeta + s, *f = rom_jac_gradient(rom, j, k);
  rom_jac_clear(mm, w->X_sym);
  rom_jac_clear(mk, w->e);
  for (int i = 0; w->full && i < s; i++)
    for (int l = 0; l < s; l++) {
      double vv = v[i] * v[l];
      rom_jac_add(mm, -vv, f + j->lay.c + rom_jac_pair(i, l) * mm, w->X_sym);
      if (rom_jac_is_flat(rom, l)) continue;
      const double *h = rom_jac_hessian(rom, j, k, l);
      if (rom_has_H(rom, i)) rom_jac_add(mm, vv, h + j->lay.H + i * mm, w->X_sym);
      if (!(rom->zero_e >> i & 1u)) rom_jac_add(mk, vv, h + j->lay.e + i * mk, w->e);
    }
  for (int q = 0; q < rom->n_u; q++) {
    int Y = rom_curvature(rom, rom->u_field[q]);
    if (Y >= 0) rom_jac_add(mm, -w->u[q], f + j->lay.Y + Y * mm, w->X_sym);
  }
  rom_packed_sym_add(m, w->X_sym, zeta, y);
  rom_packed_skew_add(m, w->e, zeta, y);
  for (int i = 0; (rom_parts(rom) & MW_ROM_CE) && i < s; i++)
    for (int a = 0; a < m; a++) y[a] += v[i] * rom_dot(m, f + j->lay.CE + (i * m + a) * m, zeta);
}

static double sens_form(const mw_rom *rom, const double *X, const double *v, exp_sens *w)
{
  double *y = w->unit;
  rom_jac_clear(rom->m, y);
  rom_packed_sym_add(rom->m, X, v, y);
  return rom_dot(rom->m, y, v);
}

// T by theta.
static void add_turning_by_theta(const mw_rom *rom, const double *first, exp_sens *w)
{
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2, ld = w->ld;
  rom_jac *j = &w->s.jac;
  const double *delta = first + s, *v = first + s + m, *eta = w->eta + s;
  double *y = j->row[0];
  for (int k = 0; k < s; k++) {
    if (rom_jac_is_flat(rom, k)) continue;
    const double *f = rom_jac_gradient(rom, j, k);
    rom_jac_clear(m, y);
    set_sens_g(rom, f, first, w);
    for (int i = 0; i < s; i++) {
      double sum = 0.0, *g = w->g + i * m;
      // to the row theta_i CE_i delta + g_i, to delta CE_i delta - g_i
      for (int a = 0; a < m; a++) {
        double force =
            rom_parts(rom) & MW_ROM_CE ? rom_dot(m, f + j->lay.CE + (i * m + a) * m, delta) : 0.0;
        sum += (force + g[a]) * eta[a];
        y[a] += (force - g[a]) * w->eta[i];
      }
      for (int l = 0; (rom_parts(rom) & MW_ROM_CC) && l < s; l++)
        sum += w->eta[l] * sens_form(rom, f + j->lay.CC + rom_jac_pair(i, l) * mm, delta, w);
      w->T[i * ld + k] += sum;
      if (!w->full || (rom->zero_e >> i & 1u)) continue;
      double *e_eta = w->unit;
      rom_jac_clear(m, e_eta);
      rom_packed_skew_add(m, f + j->lay.e + i * mk, eta, e_eta);
      rom_jac_add(m, 2.0 * v[i], e_eta, y);
    }
    add_sens_stiffness(rom, k, first, w, y);
    for (int a = 0; a < m; a++) w->T[(s + a) * ld + k] += y[a];
  }
}

// T by delta.
static void add_turning_by_delta(const mw_rom *rom, const double *first, exp_sens *w)
{
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, ld = w->ld;
  const rom_jac *j = &w->s.jac;
  const double *delta = first + s, *v = first + s + m, *eta = w->eta + s;
  double *y = w->unit;
  for (int i = 0; i < s; i++) {
    double *row = w->T + i * ld + s;
    rom_jac_clear(mm, w->X_sym);
    for (int l = 0; w->full && l < s; l++)
      rom_jac_add(mm, 2.0 * v[l], j->value + j->lay.c + rom_jac_pair(i, l) * mm, w->X_sym);
    rom_packed_sym_add(m, w->X_sym, eta, row);
    rom_sens_packed(rom, -w->eta[i], w->X_sym, w);
    for (int l = 0; (rom_parts(rom) & MW_ROM_CC) && l < s; l++) {
      rom_jac_clear(m, y);
      rom_packed_sym_add(m, j->value + j->lay.CC + rom_jac_pair(i, l) * mm, delta, y);
      rom_jac_add(m, 2.0 * w->eta[l], y, row);
    }
    for (int a = 0; (rom_parts(rom) & MW_ROM_CE) && a < m; a++) {
      const double *CE = j->value + j->lay.CE + (i * m + a) * m;
      rom_jac_add(m, eta[a], CE, row);
      rom_jac_add(m, w->eta[i], CE, w->T + (s + a) * ld + s);
    }
  }
}

// What multiplies zeta in T by v_l, packed: into X_sym and w->e.
static void set_sens_rate(const mw_rom *rom, int l, const double *v, exp_sens *w)
{
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  const rom_jac *j = &w->s.jac;
  rom_jac_clear(mm, w->X_sym);
  rom_jac_clear(mk, w->e);
  for (int i = 0; i < s; i++) {
    rom_jac_add(mm, -2.0 * v[i], j->value + j->lay.c + rom_jac_pair(i, l) * mm, w->X_sym);
    for (int side = 0; side < 2; side++) {  // e_l,i then e_i,l
      int of = side ? i : l, by = side ? l : i;
      if (rom_jac_is_flat(rom, by)) continue;
      const double *f = rom_jac_gradient(rom, j, by);
      if (rom_has_H(rom, of)) rom_jac_add(mm, v[i], f + j->lay.H + of * mm, w->X_sym);
      if (!(rom->zero_e >> of & 1u)) rom_jac_add(mk, v[i], f + j->lay.e + of * mk, w->e);
    }
  }
}

// T by the rates of theta, and by u.
static void add_turning_by_rate(const mw_rom *rom, const double *first, exp_sens *w)
{
  int s = rom->s, m = rom->m, n = s + m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2, ld = w->ld;
  rom_jac *j = &w->s.jac;
  const double *v = first + n, *eta = w->eta + s, *zeta = w->zeta + s;
  double *y = j->row[0], *e_eta = w->unit;
  for (int l = 0; l < s; l++) {
    rom_jac_clear(m, y);
    for (int i = 0; w->full && i < s; i++) {
      const double *h = w->h + rom_jac_pair(i, l) * m;
      w->T[i * ld + n + l] += rom_dot(m, h, eta);
      rom_jac_add(m, -w->eta[i], h, y);
    }
    if (w->full) {
      set_sens_rate(rom, l, v, w);
      rom_packed_sym_add(m, w->X_sym, zeta, y);
      rom_packed_skew_add(m, w->e, zeta, y);
    }
    if (w->full && !(rom->zero_e >> l & 1u)) {
      rom_jac_clear(m, e_eta);
      rom_packed_skew_add(m, j->value + j->lay.e + l * mk, eta, e_eta);
      rom_jac_add(m, 2.0, e_eta, y);
    }
    for (int a = 0; (rom_parts(rom) & MW_ROM_CE) && a < m; a++)
      y[a] += rom_dot(m, j->value + j->lay.CE + (l * m + a) * m, zeta);
    for (int a = 0; a < m; a++) w->T[(s + a) * ld + n + l] += y[a];
  }
  for (int k = 0; k < rom->n_u; k++) {
    int q = rom_curvature(rom, rom->u_field[k]);
    if (q < 0) continue;
    rom_jac_clear(m, y);
    rom_packed_sym_add(m, j->value + j->lay.Y + q * mm, zeta, y);
    for (int a = 0; a < m; a++) w->T[(s + a) * ld + 2 * n + k] -= y[a];
  }
}

void rom_sens_turning(const mw_rom *rom, const double *first, exp_sens *w)
{
  add_turning_by_theta(rom, first, w);
  add_turning_by_delta(rom, first, w);
  add_turning_by_rate(rom, first, w);
}
