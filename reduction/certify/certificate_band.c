// SPDX-License-Identifier: BSD-3-Clause
// certificate_band.c: the certificate's receptances: at which frequencies, and the errors there.
//
// One list of frequencies for all samples: equidistant ones from 0 to the end of the band, and more
// within 2ζ of the samples' modes, thinned out to what a file should hold. So that no peak is
// missed by that, each sample is compared at its own modes' frequencies too, of both models; what
// is found there counts at the nearest frequency of the list.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "certificate_layer.h"

enum { EQUIDISTANT = 200, MOST = 1000, AROUND = 7 };
// Frequencies around a mode, in units of ζ times its own: half the power is left at ±1.
static const double OFFSET[AROUND] = { -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0 };

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double to_hz(double lambda) { return sqrt(lambda) / (2.0 * acos(-1.0)); }

// Of n ascending values those at least `step` above the one before, relative; returns how many.
static int thin(int n, const double *x, double step, double *out)
{
  int k = 0;
  for (int i = 0; i < n; i++)
    if (k == 0 || x[i] >= out[k - 1] * (1.0 + step)) out[k++] = x[i];
  return k;
}

static mw_code frequencies(int n, const mw_sample *s, double end, double zeta, double **hz,
                           int *n_hz, mw_arena *mem, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t most = 0;
  for (int i = 0; i < n; i++) most += AROUND * (size_t)s[i].k;
  double *near = mw_arena_f64(&tmp, most), *left = mw_arena_f64(&tmp, most);
  *hz = mw_arena_f64(mem, MOST);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  int n_near = 0, n_left = 0;
  for (int i = 0; rc == MW_OK && i < n; i++)
    for (int k = 0; k < s[i].k; k++)
      for (int l = 0; l < AROUND; l++) {
        double f = to_hz(s[i].lambda[k]) * (1.0 + OFFSET[l] * zeta);
        if (f > 0.0 && f < end) near[n_near++] = f;
      }
  if (rc == MW_OK) {
    qsort(near, (size_t)n_near, sizeof *near, ascending);
    double step = zeta / 8.0;
    do n_left = thin(n_near, near, step *= 2.0, left);
    while (n_left > MOST - EQUIDISTANT);
    for (int i = 0; i < EQUIDISTANT; i++) (*hz)[i] = end * i / (EQUIDISTANT - 1);
    memcpy(*hz + EQUIDISTANT, left, (size_t)n_left * sizeof *left);
    qsort(*hz, (size_t)(EQUIDISTANT + n_left), sizeof **hz, ascending);
    *n_hz = 1;  // without doubles
    for (int i = 1; i < EQUIDISTANT + n_left; i++)
      if ((*hz)[i] > (*hz)[*n_hz - 1]) (*hz)[(*n_hz)++] = (*hz)[i];
  }
  mw_arena_free(&tmp);
  return rc;
}

static mw_code names(const mw_compare *z, mw_arena *mem, mw_error *err)
{
  static const char *const axes[3] = { "x", "y", "z" };
  const mw_model *m = z->r->model;
  z->c->io = mw_arena_alloc(mem, (size_t)z->n_io, sizeof *z->c->io);
  for (int i = 0; z->c->io && i < z->n_io; i++) {
    const mw_unit_load *l = &z->load[i];
    z->c->io[i] = l->output >= 0
                      ? mw_arena_printf(mem, "%s.%s", m->output[l->output].name, axes[l->axis])
                      : mw_arena_str(mem, m->drive[l->drive].name);
  }
  return mw_arena_check(mem, err);
}

mw_code mw_compare_band(mw_compare *z, int n, const mw_sample *s, mw_arena *mem, mw_error *err)
{
  mw_certificate *c = z->c;
  // up to what was asked for, else to the highest mode that is compared wherever it is lowest
  double end = z->r->model->reduction.band;
  bool given = end > 0.0;
  for (int i = 0; i < n && !given && c->n_freq > 0; i++) {
    double f = to_hz(s[i].lambda[c->n_freq - 1]);
    end = i == 0 ? f : fmin(end, f);
  }
  if (z->n_io == 0 || n == 0 || !(end > 0.0)) return MW_OK;
  c->n_io = z->n_io;
  mw_code rc = names(z, mem, err);
  if (rc == MW_OK) rc = frequencies(n, s, end, c->zeta, &c->band, &c->n_band, mem, err);
  if (rc != MW_OK) return rc;
  size_t all = (size_t)c->n_io * (size_t)c->n_band;
  c->receptance_error = mw_arena_f64(mem, (size_t)c->n);
  c->band_error = mw_arena_f64(mem, all);
  c->band_direct = mw_arena_f64(mem, all);
  c->band_rom = mw_arena_f64(mem, all);
  return mw_arena_check(mem, err);
}

static int nearest(const mw_certificate *c, double hz)
{
  int lo = 0, hi = c->n_band - 1;
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    if (c->band[mid] > hz)
      hi = mid;
    else
      lo = mid;
  }
  return hz - c->band[lo] <= c->band[hi] - hz ? lo : hi;
}

// Errors at n frequencies into those of the certificate; is one of them the largest so far?
static mw_code compare_at(mw_compare *z, const mw_receptance *direct, const mw_receptance *rom,
                          int i, int n, const double *hz, bool *largest, mw_error *err)
{
  mw_certificate *c = z->c;
  mw_arena tmp = { 0 };
  double *error = mw_arena_f64(&tmp, (size_t)c->n_io * (size_t)n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_receptance_compare(direct, rom, z->skip, n, hz, error, err);
  for (int k = 0; rc == MW_OK && k < n; k++) {
    int at = n == c->n_band ? k : nearest(c, hz[k]);
    for (int row = 0; row < c->n_io; row++) {
      double e = error[row * n + k], *band = &c->band_error[row * c->n_band + at];
      if (!(e <= *band)) *band = e;
      if (!(e <= c->receptance_error[i])) c->receptance_error[i] = e;
      if (e <= c->max_receptance_error) continue;
      c->max_receptance_error = e;
      c->worst_receptance = i;
      c->worst_io = row;
      c->worst_hz = hz[k];
      *largest = true;
    }
  }
  mw_arena_free(&tmp);
  return rc;
}

// Frequencies of the modes of both within the band.
static int own_modes(const mw_certificate *c, const mw_receptance *a, const mw_receptance *b,
                     double *hz)
{
  int n = 0;
  for (int t = 0; t < a->n_term + b->n_term; t++) {
    double f = to_hz(t < a->n_term ? a->lambda[t] : b->lambda[t - a->n_term]);
    if (f <= c->band[c->n_band - 1]) hz[n++] = f;
  }
  return n;
}

mw_code mw_compare_receptances(mw_compare *z, const mw_sample *s, int i, mw_error *err)
{
  mw_certificate *c = z->c;
  int m = z->r->m, nb = c->n_band;
  if (c->n_io == 0) return MW_OK;
  mw_arena tmp = { 0 };
  mw_receptance direct = { 0 }, rom = { .n_io = z->n_io, .n_term = m, .zeta = c->zeta };
  double bound = 0.0;
  bool largest = i == 0;
  mw_code rc = mw_receptance_of(s, c->zeta, &direct, &tmp, err);
  rom.lambda = z->w;
  rom.b = mw_arena_f64(&tmp, (size_t)m * (size_t)z->n_io);
  double *hz = mw_arena_f64(&tmp, (size_t)(m + direct.n_term));
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    for (int t = 0; t < m; t++)
      for (int k = 0; k < z->n_io; k++) rom.b[t * z->n_io + k] = z->G[k * m + t];
    rc = compare_at(z, &direct, &rom, i, nb, c->band, &largest, err);
    int n_own = own_modes(c, &direct, &rom, hz);
    if (rc == MW_OK) rc = compare_at(z, &direct, &rom, i, n_own, hz, &largest, err);
  }
  if (rc == MW_OK) rc = mw_receptance_bound(s, c->zeta, nb, c->band, z->skip, &bound, err);
  c->receptance_bound = fmax(c->receptance_bound, isfinite(bound) ? bound : 1.0);
  if (rc == MW_OK && largest)
    rc = mw_receptance_diagonal(&direct, nb, c->band, c->band_direct, err);
  if (rc == MW_OK && largest) rc = mw_receptance_diagonal(&rom, nb, c->band, c->band_rom, err);
  mw_arena_free(&tmp);
  return rc;
}
