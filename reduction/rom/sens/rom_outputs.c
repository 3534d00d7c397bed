// SPDX-License-Identifier: BSD-3-Clause
// rom_outputs.c: outputs, their first and second derivative in time, and what prescribed
// coordinates take, all with derivatives by state and input.
//
//   y' = g·q' ,   y'' = g·acc + q'·H q' ,   g = y,q ,  H = y,qq ,  q = (theta, delta)           (1)
//   dy/dq = g ,   dy'/dq = H q' ,  dy'/dq' = g
//   dy''/dq = H acc + T + g·acc_q ,   dy''/dq' = 2 H q' + g·acc_q' ,   dy''/du = g·acc_u        (2)
//   T_l = sum_ij v_i v_j y,ijl + 2 sum_i v_i (y1,il + Y,il delta)·w + w·Y,l w
//   T_delta = sum_ij v_i v_j (y1,ij + Y,ij delta) + 2 sum_i v_i Y,i w
// y is quadratic in delta, so that no other third derivatives are left. They are those of a cubic
// spline: constant in a cell, with jumps between cells.
//   reaction_i = M_i·acc - r_i = R_i ,   d reaction_i = dR_i + M_i·d acc                        (3)
// with R of rom_jacobian.c: what has to be added to Q_i so that the prescribed acceleration holds.
// Cost: that of the accelerations' derivatives, and 6 n² products a field. Allocates nothing.
#include "rom_derive.h"

// T of (2), added to out [n].
static void add_out_third(const mw_rom *rom, const rom_jac *j, int field, const double *x,
                          double *out)
{
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, n_third = j->lay.n - j->lay.y,
      q = rom_curvature(rom, field), Y = j->lay.Y + q * mm;
  const double *delta = x + s, *v = x + s + m, *w = v + s;
  double *y1 = j->row[0], *image = j->row[1];
  for (int l = 0; l < s; l++) {
    if (rom->flat >> l & 1u) continue;
    const double *third = j->third + l * n_third, *y = third + field * (1 + m);
    out[l] += y[0] + rom_dot(m, y + 1, delta);
    if (q >= 0) {
      rom_jac_clear(m, image);
      rom_packed_sym_add(m, third + Y - j->lay.y, delta, image);
      out[l] += 0.5 * rom_dot(m, image, delta);
      rom_jac_clear(m, image);
      rom_packed_sym_add(m, rom_jac_gradient(rom, j, l) + Y, w, image);
      out[l] += rom_dot(m, image, w);
      rom_jac_add(m, 2.0 * v[l], image, out + s);
    }
    for (int i = 0; i < s; i++) {
      if (rom->flat >> i & 1u) continue;
      rom_field_row(rom, j, rom_jac_hessian(rom, j, i, l), field, delta, y1);
      double vv = v[i] * v[l];
      out[l] += 2.0 * v[i] * rom_dot(m, y1, w);
      for (int a = 0; a < m; a++) out[s + a] += vv * y1[a];
    }
  }
}

// y += g·(rows of D), columns c0 … c1-1.
static void add_out_rows(int n, const double *g, const rom_jac *j, int c0, int c1, double *y)
{
  for (int i = 0; i < n; i++) {
    const double *D = j->R + i * j->ld;
    for (int c = c0; c < c1; c++) y[c - c0] += g[i] * D[c];
  }
}

// 1/2 delta·Y delta
static double half_bend(const mw_rom *rom, const rom_jac *j, int field, const double *delta)
{
  int m = rom->m, q = rom_curvature(rom, field);
  if (q < 0) return 0.0;
  rom_jac_clear(m, j->row[0]);
  rom_packed_sym_add(m, j->value + j->lay.Y + q * (m * (m + 1) / 2), delta, j->row[0]);
  return 0.5 * rom_dot(m, j->row[0], delta);
}

// Field k: j->g, j->g_dot = g, H q'; third: H acc + T.
static void set_out_field(const mw_rom *rom, const double *x, int k, rom_jac *j,
                          const mw_rom_outputs_sens *out)
{
  int s = rom->s, m = rom->m, n = s + m, nx = 2 * n, n_y = rom->n_y;
  const double *q_dot = x + n, *y = j->value + j->lay.y + k * (1 + m);
  rom_field_slope(rom, j, k, x + s, j->g);
  rom_field_curve(rom, j, k, x + s, q_dot, j->g_dot);
  if (out->Y) {
    out->Y[k] = y[0] + rom_dot(m, y + 1, x + s) + half_bend(rom, j, k, x + s);
    out->Y[n_y + k] = rom_dot(n, j->g, q_dot);
    out->Y[2 * n_y + k] = rom_dot(n, j->g, j->a) + rom_dot(n, q_dot, j->g_dot);
  }
  if (out->Y_x) {
    double *y_x = out->Y_x + (size_t)k * (size_t)nx, *rate = y_x + (size_t)n_y * (size_t)nx,
           *second = rate + (size_t)n_y * (size_t)nx;
    rom_field_curve(rom, j, k, x + s, j->a, second);
    add_out_third(rom, j, k, x, second);
    for (int c = 0; c < n; c++) {
      y_x[c] = rate[n + c] = j->g[c];
      y_x[n + c] = 0.0;
      rate[c] = j->g_dot[c];
      second[n + c] = 2.0 * j->g_dot[c];
    }
    add_out_rows(n, j->g, j, 0, nx, second);
  }
  if (out->Y_u) {
    double *y_u = out->Y_u + k * rom->n_u, *rate = y_u + n_y * rom->n_u,
           *second = rate + n_y * rom->n_u;
    for (int c = 0; c < rom->n_u; c++) y_u[c] = rate[c] = second[c] = 0.0;
    add_out_rows(n, j->g, j, nx, nx + rom->n_u, second);
  }
}

// (3); the residual's own derivatives are in j->R0.
static void set_out_reaction(const mw_rom *rom, unsigned prescribed, int i, rom_jac *j,
                             const mw_rom_outputs_sens *out)
{
  int s = rom->s, m = rom->m, nx = 2 * (s + m), n_u = rom->n_u, is = (int)(prescribed >> i & 1u);
  const double *R0 = j->R0 + i * j->ld;
  if (out->reaction) out->reaction[i] = is ? j->residual[i] : 0.0;
  // row i of M
  for (int k = 0; k < s; k++) j->g[k] = j->A[i * s + k];
  for (int a = 0; a < m; a++) j->g[s + a] = j->B[i * j->mp + a];
  if (out->reaction_x) {
    double *row = out->reaction_x + i * nx;
    for (int c = 0; c < nx; c++) row[c] = is ? R0[c] : 0.0;
    if (is) add_out_rows(s + m, j->g, j, 0, nx, row);
  }
  if (out->reaction_u) {
    double *row = out->reaction_u + i * n_u;
    for (int c = 0; c < n_u; c++) row[c] = is ? R0[nx + c] : 0.0;
    if (is) add_out_rows(s + m, j->g, j, nx, nx + n_u, row);
  }
}

mw_rom_code mw_rom_outputs_jacobian(const mw_rom_call *call, const double *x,
                                    const mw_rom_outputs_sens *out)
{
  const mw_rom *rom = call->rom;
  rom_sens w;
  rom_sens_init(&w, rom, call->work);
  rom_jac *j = &w.jac;
  int s = rom->s;
  mw_rom_code rc = rom_jac_check(call, x);
  if (rc == MW_ROM_OK) rc = rom_jac_accel(call, x, 1, &w);
  if (rc != MW_ROM_OK) return rc;
  if (out->Y_x) rom_interpolate_third(rom, x, x + s + rom->m, j);
  for (int k = 0; k < s * j->ld; k++) j->R0[k] = j->R[k];
  if (!rom_jac_solve(rom, call->opt->prescribed, j)) return MW_ROM_SINGULAR;
  for (int k = 0; k < rom->n_y; k++) set_out_field(rom, x, k, j, out);
  for (int i = 0; i < s; i++) set_out_reaction(rom, call->opt->prescribed, i, j, out);
  return MW_ROM_OK;
}
