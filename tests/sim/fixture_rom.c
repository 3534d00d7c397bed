// SPDX-License-Identifier: BSD-3-Clause
// fixture_rom.c: see fixture_rom.h.
#include "fixture_rom.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "mw_test.h"

fixture *fixture_rom(const two_modes *q, int s, int n_modes)
{
  static const char *const name[] = { "x<1>", "y", "z" };
  fixture *x = calloc(1, sizeof *x);
  if (!MW_CHECK(x != NULL)) exit(EXIT_FAILURE);
  mw_rom_file *f = &x->f;
  int m = 3, at[3] = { 0, 0, 0 }, knots = 1, points = 1;
  f->rom = (mw_rom){
    .s = s, .m = m, .n_field = mw_rom_n_field((mw_rom_shape){ .s = s, .m = m }), .coef = x->coef
  };
  for (int i = 0; i < s; i++) {
    f->rom.n_grid[i] = N_TABLE;
    f->rom.lo[i] = 0.0;
    f->rom.hi[i] = 1.0 + i;
    x->name[i] = name[i];
    x->unit[i] = i == 1 ? "rad" : "m";
    f->n_grid[i] = N_GRID;
    for (int k = 0; k < N_GRID; k++)
      x->grid[i][k] = f->rom.hi[i] * pow(k / (double)(N_GRID - 1), 1.5);
    f->grid[i] = x->grid[i];
    knots *= N_TABLE + 2;
    points *= N_GRID;
  }
  mw_rom_layout L = mw_rom_layout_of((mw_rom_shape){ .s = s, .m = m });
  for (int c = 0; c < knots; c++) {
    double theta[3] = { 0.0, 0.0, 0.0 }, *K = x->coef + (size_t)c * (size_t)f->rom.n_field + L.K;
    for (int i = s - 1, rest = c; i >= 0; rest /= N_TABLE + 2, i--) {
      at[i] = rest % (N_TABLE + 2);
      theta[i] = f->rom.hi[i] * (at[i] - 1) / (N_TABLE - 1);
    }
    K[0] = q->a + q->b * (theta[0] - q->ref) + q->c * theta[1];
    K[1] = q->k;
    K[2] = q->a - q->b * (theta[0] - q->ref) + q->c * theta[1];
    K[5] = q->p;
  }
  for (int g = 0; g < points * N_FREQ; g++) {  // tells its place
    x->frequency[g] = g;
    x->identity[g] = g % N_FREQ < 2 ? g % N_FREQ : -1;
  }
  x->column[0] = n_modes > 0 ? "mode 1" : "pattern a";
  x->column[1] = n_modes > 1 ? "mode 2" : "pattern b";
  x->column[2] = n_modes > 2 ? "mode 3" : "pattern tool.z";
  f->coordinate = x->name;
  f->unit = x->unit;
  f->column = x->column;
  f->n_modes = n_modes;
  f->n_patterns = m - n_modes;
  f->n_point = points;
  f->n_freq = N_FREQ;
  f->frequency = x->frequency;
  f->identity = x->identity;
  f->cluster = n_modes <= 2 ? x->cluster : NULL;
  f->model_name = "two & modes";
  f->model_file = "two.yaml";
  f->version = "0";
  f->command = "modeway reduce \"two.yaml\"";
  return x;
}

// Eigenvalues are wrong by at most m ε λ_max (backward stable, LAPACK), the spline's K by as much
// again (weights of sum 1).
double fixture_rounding(const two_modes *q) { return 6.0 * DBL_EPSILON * q->p; }

mw_approach fixture_approach(const mw_rom_line *l)
{
  mw_approach found = { .kind = MW_APPROACH_CLOSEST };
  int n = 0;
  for (int k = 0; k < l->n_approach; k++)
    if (l->approach[k].kind != MW_APPROACH_CLOSEST) {
      found = l->approach[k];
      n++;
    }
  MW_CHECK(n == 1);
  return found;
}
