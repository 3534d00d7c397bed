// SPDX-License-Identifier: BSD-3-Clause
// rom_synthetic.c: reduced models with smooth random fields.
//
// Each field is constant + vary × random at the spline coefficients: any coefficients give a C²
// function. a and K are dominated by their diagonals, so that the mass matrix and K stay positive
// definite.
#include <math.h>
#include <stdlib.h>

#include "rom_synthetic.h"

double synthetic_random(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX generator
  return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

// Constant parts of one record: a_ii = 2, K = omega², C = 2 zeta omega.
static void set_constants(int s, int m, const double *omega, double zeta, const mw_rom_layout *l,
                          double *r)
{
  for (int i = 0; i < s; i++) r[l->a + i * (i + 1) / 2 + i] += 2.0;
  for (int a = 0; a < m; a++) {
    int p = a * (a + 1) / 2 + a;
    r[l->K + p] += omega[a] * omega[a];
    r[l->C + p] += 2.0 * zeta * omega[a];
  }
}

// Scale of the random part of field f: K and C relative to the frequencies, CE and CC like C's of
// the softest, the rest 1.
static double field_scale(int m, const double *omega, double zeta, const mw_rom_layout *l, int f)
{
  int is_K = f >= l->K && f < l->C, is_C = f >= l->C && f < l->e;
  if (f >= l->CE && f < l->y) return 2.0 * zeta * omega[0];
  if (!is_K && !is_C) return 1.0;
  int p = f - (is_K ? l->K : l->C), i = 0;
  while ((i + 1) * (i + 2) / 2 <= p) i++;
  int j = p - i * (i + 1) / 2;
  return (is_K ? omega[i] * omega[j] : 2.0 * zeta * sqrt(omega[i] * omega[j])) / m;
}

int synthetic_make(int s, int m, int n_grid, double w_lo, double w_hi, double zeta, double vary,
                   synthetic *out)
{
  return synthetic_make_parts((mw_rom_shape){ .s = s, .m = m, .n_y = SYN_N_Y }, n_grid, w_lo, w_hi,
                              zeta, vary, out);
}

int synthetic_make_second(int s, int m, int n_grid, double w_lo, double w_hi, double zeta,
                          double vary, synthetic *out)
{
  mw_rom_shape shape = { .s = s,
                         .m = m,
                         .n_y = SYN_N_Y,
                         .n_Y = SYN_N_CURVED,
                         .n_G = m < SYN_N_MOVED ? m : SYN_N_MOVED,
                         .parts = MW_ROM_ALL_PARTS };
  return synthetic_make_parts(shape, n_grid, w_lo, w_hi, zeta, vary, out);
}

int synthetic_make_parts(mw_rom_shape shape, int n_grid, double w_lo, double w_hi, double zeta,
                         double vary, synthetic *out)
{
  static const int curved[SYN_N_CURVED] = { 0, 1, 4, SYN_N_Y - 1 };
  int s = shape.s, m = shape.m;
  synthetic syn = { 0 };
  uint64_t seed = 2024;
  double omega[SYN_MAX_M];
  mw_rom_layout l = mw_rom_layout_of(shape);
  size_t n_knot = 1;
  syn.rom = (mw_rom){ .s = s, .m = m, .n_y = SYN_N_Y, .n_u = SYN_N_U, .n_field = l.n };
  syn.rom.parts = shape.parts;
  syn.rom.n_Y = shape.n_Y;
  syn.rom.n_G = shape.n_G;
  for (int i = 0; i < s; i++) {
    syn.rom.n_grid[i] = n_grid;
    syn.rom.lo[i] = -1.0;
    syn.rom.hi[i] = 1.0;
    n_knot *= (size_t)n_grid + 2;
  }
  for (int a = 0; a < m; a++) {
    omega[a] = m > 1 ? w_lo * pow(w_hi / w_lo, (double)a / (m - 1)) : w_lo;
    syn.delta_max[a] = INFINITY;
  }
  for (int i = 0; i < s; i++) syn.c_theta[i] = 0.0;
  syn.u_field[0] = 0;
  syn.u_field[1] = SYN_N_Y - 1;
  for (int k = 0; k < SYN_N_CURVED; k++) syn.Y_field[k] = curved[k];

  syn.coef = malloc(n_knot * (size_t)l.n * sizeof(double));
  size_t bytes = mw_rom_work_bytes(&syn.rom);
  syn.work = aligned_alloc(64, bytes);
  if (!syn.coef || !syn.work) {
    synthetic_free(&syn);
    return 0;
  }
  for (size_t k = 0; k < n_knot; k++) {
    double *r = syn.coef + k * (size_t)l.n;
    for (int f = 0; f < l.n; f++)
      r[f] = vary * field_scale(m, omega, zeta, &l, f) * synthetic_random(&seed);
    set_constants(s, m, omega, zeta, &l, r);
  }
  *out = syn;
  out->rom.coef = out->coef;
  out->rom.u_field = out->u_field;
  out->rom.Y_field = out->Y_field;
  out->rom.c_theta = out->c_theta;
  out->rom.delta_max = out->delta_max;
  return 1;
}

void synthetic_free(synthetic *syn)
{
  free(syn->coef);
  free(syn->work);
  *syn = (synthetic){ 0 };
}
