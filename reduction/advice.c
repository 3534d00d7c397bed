// SPDX-License-Identifier: BSD-3-Clause
// advice.c: was the accuracy asked for met; what would help where it was not.
//
// The interpolation error of one coordinate is estimated at the worst point from every second grid value:
//   K_2h(θ) = Σ_k L_k(θ_i) K(θ with θ_i at grid value 2k)      L: Lagrange's cubic through the four nearest        (1)
//   e_i = max_l |f_l(K_2h) − f_l(K)| / f_l(K) / 2⁴              fourth order: the grid itself is 16 times better    (2)
// (2) says too much: the cubic of (1) errs several times as much as a spline. So it ranks the coordinates, and the grid is
// acquitted only where all e_i together lie far below the error found. Then what is left are the columns: a frequency misses
// the direct one at grid points only by what the bodies' bases leave out; receptances also by the modes not kept.
// Cost: 4 evaluations of the table a coordinate, and as many eigenvalues of K.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "reduction/certificate.h"

static const double ACQUITTED =
    0.1;  // all e_i together over the error found: below, the grid is not to blame
static const double BAND_END =
    0.7;  // receptances that err most above this part of the band lack modes
enum { NODES = 4 };

bool mw_certificate_met(const mw_certificate *c)
{
  return c->max_frequency_error <= c->tolerance &&
         (c->receptance_tolerance == 0.0 || c->max_receptance_error <= c->receptance_tolerance);
}

typedef struct advice {
  const mw_rom_file *f;
  int n_freq;
  double *value, *K, *V, *w;  // fields, [m × m], [m × m], [m]
  double *w0;                 // [m]  of K at the point
  mw_arena mem;
} advice;

// K(theta) added to K with a weight.
static mw_code add_K(advice *a, const double *theta, double weight)
{
  const mw_rom *rom = &a->f->rom;
  mw_rom_layout L = mw_rom_layout_of(rom->s, rom->m, rom->n_y);
  if (mw_rom_fields(rom, theta, a->value, NULL, NULL) != MW_ROM_OK) return MW_ERR_RANGE;
  for (int i = 0; i < rom->m; i++)
    for (int j = 0; j < rom->m; j++) {
      int hi = i > j ? i : j, lo = i > j ? j : i;
      a->K[i * rom->m + j] += weight * a->value[L.K + hi * (hi + 1) / 2 + lo];
    }
  return MW_OK;
}

static double grid_value(const mw_rom_file *f, int i, int k)
{
  if (f->grid[i]) return f->grid[i][k];
  return f->rom.lo[i] + (f->rom.hi[i] - f->rom.lo[i]) * k / (f->n_grid[i] - 1);
}

// Up to NODES of every second grid value of coordinate i around x; returns their number.
static int nearest(const mw_rom_file *f, int i, double x, double node[NODES])
{
  int n = (f->n_grid[i] + 1) / 2, first = 0;
  int count = n < NODES ? n : NODES;
  while (first + count < n &&
         fabs(grid_value(f, i, 2 * (first + count)) - x) < fabs(grid_value(f, i, 2 * first) - x))
    first++;
  for (int k = 0; k < count; k++) node[k] = grid_value(f, i, 2 * (first + k));
  return count;
}

// (1), (2) at theta, whose frequencies w0 are known
static mw_code share_of(advice *a, int i, const double *theta, double *share)
{
  const mw_rom *rom = &a->f->rom;
  double node[NODES], at[MW_ROM_MAX_S];
  int m = rom->m, n = nearest(a->f, i, theta[i], node);
  mw_code rc = MW_OK;
  *share = 0.0;
  if (rom->flat >> i & 1u) return MW_OK;
  memset(a->K, 0, (size_t)m * (size_t)m * sizeof(double));
  memcpy(at, theta, (size_t)rom->s * sizeof(double));
  for (int k = 0; rc == MW_OK && k < n; k++) {
    double weight = 1.0;
    for (int l = 0; l < n; l++)
      if (l != k) weight *= (theta[i] - node[l]) / (node[k] - node[l]);
    at[i] = node[k];
    rc = add_K(a, at, weight);
  }
  if (rc == MW_OK) rc = mw_eig_sym(m, a->K, a->w, a->V, NULL);
  for (int k = 0; rc == MW_OK && k < a->n_freq; k++) {
    double e = fabs(sqrt(fmax(a->w[k], 0.0) / a->w0[k]) - 1.0) / 16.0;
    if (!(e <= *share)) *share = e;
  }
  return rc;
}

// Shares of all coordinates at a point of the certificate.
static mw_code shares(const mw_rom_file *f, int point, double *share)
{
  const mw_rom *rom = &f->rom;
  const double *theta = f->certificate.theta + point * rom->s;
  size_t m = (size_t)rom->m;
  advice a = { .f = f, .n_freq = f->certificate.n_freq < rom->m ? f->certificate.n_freq : rom->m };
  a.value = mw_arena_f64(&a.mem, (size_t)rom->n_field);
  a.K = mw_arena_f64(&a.mem, m * m);
  a.V = mw_arena_f64(&a.mem, m * m);
  a.w = mw_arena_f64(&a.mem, m);
  a.w0 = mw_arena_f64(&a.mem, m);
  mw_code rc = mw_arena_check(&a.mem, NULL);
  if (rc == MW_OK) rc = add_K(&a, theta, 1.0);
  if (rc == MW_OK) rc = mw_eig_sym(rom->m, a.K, a.w0, a.V, NULL);
  for (int i = 0; rc == MW_OK && i < rom->s; i++) rc = share_of(&a, i, theta, &share[i]);
  mw_arena_free(&a.mem);
  return rc;
}

// What the grid is to blame for: the coordinate with the largest share, −1 when it is not the grid.
static int blamed(const mw_rom_file *f, int point, double error)
{
  double share[MW_ROM_MAX_S] = { 0 }, sum = 0.0;
  int worst = 0;
  if (shares(f, point, share) != MW_OK) return -1;
  for (int i = 0; i < f->rom.s; i++) {
    sum += share[i];
    if (share[i] > share[worst]) worst = i;
  }
  return sum < ACQUITTED * error ? -1 : worst;
}

void mw_certificate_advice(const mw_rom_file *f, char *text, size_t n)
{
  const mw_certificate *c = &f->certificate;
  if (n > 0) text[0] = '\0';
  if (mw_certificate_met(c) || c->n < 1 || n == 0) return;
  bool frequency = !(c->max_frequency_error <= c->tolerance);
  // a peak that is displaced by df errs by about df/(ζ f): that much of a receptance's error is due to frequencies
  double error = frequency ? c->max_frequency_error : c->zeta * c->max_receptance_error;
  int i = blamed(f, frequency ? c->worst : c->worst_receptance, error);
  if (i >= 0)
    snprintf(text, n, "more grid points on %s would help (now %d: reduction.coordinates.%s.points)",
             f->coordinate[i], f->n_grid[i], f->coordinate[i]);
  else if (frequency)
    snprintf(text, n,
             "finer bases of the bodies would help (reduction.bodies.tolerance, "
             "reduction.bodies.band): the grid is fine enough");
  else if (c->n_band > 0 && c->worst_hz > BAND_END * c->band[c->n_band - 1])
    snprintf(
        text, n,
        "more modes would help (now %d: reduction.modes): receptances err most at %.4g Hz, close "
        "to the end of the band",
        f->n_modes, c->worst_hz);
  else
    snprintf(text, n,
             "more modes or static patterns would help (reduction.modes, reduction.patterns): the "
             "columns leave out up to %.1e of the strain energy of loads at rest",
             c->max_energy_left);
}
