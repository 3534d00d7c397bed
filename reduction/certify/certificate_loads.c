// SPDX-License-Identifier: BSD-3-Clause
// certificate_loads.c: the certificate at rest: compliances, stresses, and the energy the columns
// leave out.
//
//   left = max |x| over (F0 − F_rom) v = x F0 v
//       = max over loads v of |vᵀ(F0 − F_rom)v| / vᵀF0 v      (1)
//
// F0 may be singular: loads that do nothing, or are combinations of others. Those are left out
// first, by Cholesky with complete pivoting of F0 scaled kind by kind (forces, torques, inertia and
// gravity: to 1 where a kind does most), with a pivot below NEGLIGIBLE: what they do beyond the
// others is not worth a column either (patterns.c).
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "certificate_layer.h"
#include "fem/output.h"

static const double NEGLIGIBLE = 1e-4;

// Largest error of the compliances fᵀK⁻¹f: of unit loads, of the inertia of unit accelerations, of
// gravity.
static double compliance_error(const mw_compare *z, const mw_sample *s)
{
  double worst = 0.0;
  for (int i = 0; i < s->n_load; i++) {
    int ii = i * s->n_load + i;
    double e = mw_compliance_error(z->F[ii], s->F0[ii], z->largest[i]);
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

// ---- stress -------------------------------------------------------------------------------------

// Largest component of the rows [6] of a stress, and of its error.
static double size_of(const double *s)
{
  double x = 0.0;
  for (int i = 0; i < 6; i++) x = fmax(x, fabs(s[i]));
  return x;
}

static double difference(const double *a, const double *b)
{
  double d[6];
  for (int i = 0; i < 6; i++) d[i] = a[i] - b[i];
  return size_of(d);
}

// Six rows of the reduced model from row on under load l, at rest: y1 V diag(1/w) Gᵀ
static void reduced_stress(const mw_compare *z, int row, int l, double out[6])
{
  int m = z->r->m;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&z->rom->rom));
  memset(out, 0, 6 * sizeof *out);
  for (int t = 0; t < m; t++) {
    double a = z->G[l * m + t] / z->w[t];
    for (int k = 0; k < 6; k++) {
      const double *y1 = z->value + L.y + (row + k) * (1 + m) + 1;
      double p = 0.0;
      for (int b = 0; b < m; b++) p += y1[b] * z->V[b * m + t];
      out[k] += a * p;
    }
  }
}

// Error of one stress or strain output, rows 6 g … of a sample, over its own largest component, of
// all loads that reach it: loads of one strain energy are compared, and those left out that give
// less than √NEGLIGIBLE of the largest.
static double stress_error(const mw_compare *z, const mw_sample *s, int g, int row)
{
  double big = 0.0, worst = 0.0;
  for (int l = 0; l < s->n_load; l++) {
    double energy = s->F0[l * s->n_load + l];
    if (energy > 0.0) big = fmax(big, size_of(s->stress + l * s->n_stress + 6 * g) / sqrt(energy));
  }
  for (int l = 0; l < s->n_load; l++) {
    const double *direct = s->stress + l * s->n_stress + 6 * g;
    double energy = s->F0[l * s->n_load + l], size = size_of(direct), rom[6];
    if (!(energy > 0.0) || !(size > sqrt(NEGLIGIBLE * energy) * big)) continue;
    reduced_stress(z, row, l, rom);
    double e = difference(direct, rom) / size;
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

// ---- energy -------------------------------------------------------------------------------------

mw_code mw_energy_left(int n, const double *F0, const double *F, const double *largest,
                       double *left, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t nn = (size_t)n * (size_t)n;
  double *A = mw_arena_f64(&tmp, nn), *B = mw_arena_f64(&tmp, nn), *V = mw_arena_f64(&tmp, nn);
  double *d = mw_arena_f64(&tmp, (size_t)n), *w = mw_arena_f64(&tmp, (size_t)n);
  int *keep = mw_arena_int(&tmp, (size_t)n), k = 0;
  mw_code rc = mw_arena_check(&tmp, err);
  // diagonal 1 for the largest of a kind, less here; pivots are compared with that 1
  double diagonal = 0.0;
  for (int i = 0; rc == MW_OK && i < n; i++) {
    d[i] = largest[i] > 0.0 ? 1.0 / sqrt(largest[i]) : 0.0;
    diagonal = fmax(diagonal, d[i] * d[i] * F0[i * n + i]);
  }
  for (int i = 0; rc == MW_OK && i < n; i++)
    for (int j = 0; j < n; j++) A[i * n + j] = d[i] * d[j] * F0[i * n + j];
  if (rc == MW_OK && diagonal > NEGLIGIBLE)
    rc = mw_chol_pivoted(n, A, NEGLIGIBLE / diagonal, keep, &k, err);
  *left = 0.0;
  if (rc == MW_OK && k > 0) {
    for (int i = 0, a = 0; i < n; i++) {
      if (!keep[i]) continue;
      for (int j = 0, b = 0; j < n; j++) {
        if (!keep[j]) continue;
        A[a * k + b] = d[i] * d[j] * (F0[i * n + j] - F[i * n + j]);
        B[a * k + b] = d[i] * d[j] * F0[i * n + j];
        b++;
      }
      a++;
    }
    rc = mw_eig_gen(k, A, B, w, V, err);
    if (rc == MW_OK) *left = fmax(fabs(w[0]), fabs(w[k - 1]));
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_compare_statics(mw_compare *z, const mw_sample *s, int i, mw_error *err)
{
  const mw_model *m = z->r->model;
  mw_certificate *c = z->c;
  double e = c->static_error[i] = compliance_error(z, s);
  if (!(e <= c->max_static_error)) c->max_static_error = e;
  for (int o = 0, g = 0; o < m->n_output; o++) {
    if (!mw_output_is_gauge(&m->output[o])) continue;
    e = stress_error(z, s, g++, mw_output_row(m, o));
    if (!(e <= c->stress_error[i])) c->stress_error[i] = e;
    if (!(e <= c->max_stress_error)) c->max_stress_error = e;
  }
  mw_code rc = mw_energy_left(s->n_load, s->F0, z->F, z->largest, &c->energy_left[i], err);
  if (rc == MW_OK) c->max_energy_left = fmax(c->max_energy_left, c->energy_left[i]);
  return rc;
}
