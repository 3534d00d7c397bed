// SPDX-License-Identifier: BSD-3-Clause
// drawnstate.c: a state of a reduced model at the nodes that pictures draw, drawn.h (1): amplitudes
// between the points of the grid by cubics, as pages have them (page_machine.mjs).
#include <math.h>
#include <string.h>

#include "comparemotion_priv.h"
#include "reduction/romfile.h"
#include "view/picture_layer.h"

// Weights of the points around place x of n on an axis: cubics through the four nearest.
static int cubic(double x, int n, int *from, double weight[4])
{
  int k = n < 4 ? n : 4, first = (int)floor(x) - 1;
  *from = first < 0 ? 0 : first > n - k ? n - k : first;
  for (int a = 0; a < k; a++) {
    weight[a] = 1.0;
    for (int b = 0; b < k; b++)
      if (b != a) weight[a] *= (x - *from - b) / (a - b);
  }
  return k;
}

void mw_drawn_amplitudes(const mw_rom_file *rom, const double *x, double *eta)
{
  const mw_drawn *d = &rom->drawn;
  int s = rom->rom.s, n[MW_ROM_MAX_S], from[MW_ROM_MAX_S], all = 1;
  double weight[MW_ROM_MAX_S][4];
  for (int i = 0; i < s; i++) {
    double share = (x[i] - rom->rom.lo[i]) / (rom->rom.hi[i] - rom->rom.lo[i]);
    n[i] =
        cubic(fmin(fmax(share, 0.0), 1.0) * (d->n_grid[i] - 1), d->n_grid[i], &from[i], weight[i]);
    all *= n[i];
  }
  for (int g = 0; g < all; g++) {
    size_t at = 0, apart = 1;
    double by = 1.0;
    for (int i = s - 1, rest = g; i >= 0; rest /= n[i], apart *= (size_t)d->n_grid[i], i--) {
      at += apart * (size_t)(from[i] + rest % n[i]);
      by *= weight[i][rest % n[i]];
    }
    for (int a = 0; a < rom->rom.m; a++) {
      const float *c = d->amplitude + (at * (size_t)rom->rom.m + (size_t)a) * (size_t)d->n;
      for (int k = 0; k < d->n; k++) eta[k] += by * x[s + a] * (double)c[k];
    }
  }
}

void mw_drawn_turn(const mw_drawn *d, const double *eta, double *p)
{
  for (int b = 0; b < d->n_body; eta += d->n_shape[b], p += 12, b++)
    if (d->n_node[b] == 0 && d->n_shape[b] == 6) mw_moved_rigid(p, eta, 1.0);
}

void mw_drawn_bend(const mw_drawn *d, const double *eta, int b, double *y)
{
  const float *shape = d->shape;
  size_t n = 3 * (size_t)d->n_node[b];
  for (int i = 0; i < b; i++) {
    eta += d->n_shape[i];
    if (d->n_node[i] > 0) shape += 3 * (size_t)d->n_shape[i] * (size_t)d->n_node[i];
  }
  memset(y, 0, n * sizeof *y);
  for (int i = 0; i < d->n_shape[b]; i++)
    for (size_t j = 0; j < n; j++) y[j] += eta[i] * (double)shape[(size_t)i * n + j];
}
