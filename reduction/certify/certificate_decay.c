// SPDX-License-Identifier: BSD-3-Clause
// certificate_decay.c: motions exp(−pt) that dampers hold so firmly that they do not swing: their
// rates p on the columns against those of the mechanism.
//
//   Q(p) z = (p² − pC + K) z = 0 ,   0 < p <= ω of the highest mode asked for                   (1)
// On further columns E, M-orthonormal beside the others (certificate_lines.c: chains K⁻¹f, K⁻¹M
// K⁻¹f, … of unit forces in dampers),
//   Q_ΨE = K_ΨE − p C_ΨE ,  Q_EE = p² − p C_EE + K_EE ,  C_.E = gapsᵀ D gaps
//   Δp² + Δp zᵀ(2p − C)z = zᵀ Q_ΨE Q_EE⁻¹ Q_EΨ z ,   |z| = 1                                    (2)
// exp(−pt) errs by at most 1/e of Δp/p. K − pC is positive definite, and there is no root, up to p
// = 1/τ, τ the largest c/k of the dampers; from there on changes of the number of negative
// eigenvalues of Q are looked for at N_SCAN rates, in equal ratios.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fields_layer.h"

enum { N_SCAN = 200, HALVINGS = 50 };
static const double SLOWEST = 1e-3;  // of ω, where a damper has no spring

typedef struct decay {
  const mw_lines *z;
  int m, e;
  double *K, *C;   // [m × m]
  double *A, *V;   // [m × m]  Q, its eigenvectors
  double *w, *q;   // [m], [m + e]
  double *B, *QE;  // [e], [e × e]
  int *pivot;      // [e]
  mw_arena mem;
} decay;

static void put_Q(decay *d, double p)
{
  int m = d->m;
  for (int k = 0; k < m * m; k++) d->A[k] = d->K[k] - p * d->C[k];
  for (int a = 0; a < m; a++) d->A[a * m + a] += p * p;
}

static mw_code negatives(decay *d, double p, int *n, mw_error *err)
{
  int zero;
  put_Q(d, p);
  return mw_inertia(d->m, d->A, n, &zero, err);
}

// gapsᵀ D gaps between columns of gaps a [n_damper × n_a] and b
static double dampers(const mw_dampers *d, const double *a, int n_a, int i, const double *b,
                      int n_b, int j)
{
  double c = 0.0;
  for (int k = 0; k < d->n; k++) c += d->c[k] * a[k * n_a + i] * b[k * n_b + j];
  return c;
}

// (2) over p, of the eigenvector of Q(p) whose eigenvalue is nearest to 0
static mw_code shift(decay *d, const mw_line *l, double p, double *error, mw_error *err)
{
  int m = d->m, e = l->n_beyond, at = 0;
  const mw_dampers *dm = &d->z->damper;
  put_Q(d, p);
  mw_code rc = mw_eig_sym(m, d->A, d->w, d->V, err);
  for (int k = 1; rc == MW_OK && k < m; k++)
    if (fabs(d->w[k]) < fabs(d->w[at])) at = k;
  double slope = 2.0 * p, s = 0.0;
  for (int a = 0; rc == MW_OK && a < m; a++)
    for (int b = 0; b < m; b++) slope -= d->V[a * m + at] * d->C[a * m + b] * d->V[b * m + at];
  for (int i = 0; rc == MW_OK && i < e; i++) {
    d->q[i] = 0.0;
    for (int a = 0; a < m; a++)
      d->q[i] += d->V[a * m + at] * (l->K_beyond[i * (m + e) + a] -
                                     p * dampers(dm, l->gap, m, a, l->gap_beyond, e, i));
    d->B[i] = d->q[i];
    for (int j = 0; j < e; j++)
      d->QE[i * e + j] = (i == j ? p * p : 0.0) + l->K_beyond[i * (m + e) + m + j] -
                         p * dampers(dm, l->gap_beyond, e, i, l->gap_beyond, e, j);
  }
  if (rc == MW_OK && e > 0) rc = mw_lu_factor(e, d->QE, d->pivot, err);
  if (rc != MW_OK) return rc;
  if (e > 0) mw_lu_solve(e, d->QE, d->pivot, 1, d->B);
  for (int i = 0; i < e; i++) s += d->q[i] * d->B[i];
  double disc = slope * slope + 4.0 * s;
  double off = disc < 0.0 ? sqrt(-s) : fabs(2.0 * s) / (fabs(slope) + sqrt(disc));
  *error = off > 0.0 ? off / p : 0.0;
  return MW_OK;
}

static mw_code open_decay(const mw_lines *z, int m, decay *d, mw_error *err)
{
  size_t mm = (size_t)m * (size_t)m, e = (size_t)MW_BEYOND * (size_t)z->damper.n;
  *d = (decay){ .z = z, .m = m };
  double **square[] = { &d->K, &d->C, &d->A, &d->V };
  for (size_t i = 0; i < sizeof square / sizeof *square; i++)
    *square[i] = mw_arena_f64(&d->mem, mm);
  d->w = mw_arena_f64(&d->mem, (size_t)m);
  d->q = mw_arena_f64(&d->mem, e);
  d->B = mw_arena_f64(&d->mem, e);
  d->QE = mw_arena_f64(&d->mem, e * e);
  d->pivot = mw_arena_int(&d->mem, e);
  return mw_arena_check(&d->mem, err);
}

// Roots (1) of the middle of a line, and what they err by
static mw_code of_line(decay *d, const mw_line *l, int n_mode, mw_certificate *c, mw_error *err)
{
  int m = d->m, mm = m * (m + 1) / 2, before = 0;
  const double *mid = l->record + MW_LINE_MID * (size_t)d->z->lay.n;
  for (int a = 0, k = 0; k < mm; a++)
    for (int b = 0; b <= a; b++, k++) {
      d->K[a * m + b] = d->K[b * m + a] = mid[d->z->lay.K + k];
      d->C[a * m + b] = d->C[b * m + a] = mid[d->z->lay.C + k];
    }
  memcpy(d->A, d->K, (size_t)(m * m) * sizeof *d->A);
  mw_code rc = mw_eig_sym(m, d->A, d->w, d->V, err);
  if (rc != MW_OK) return rc;
  double hi = sqrt(fmax(d->w[n_mode - 1], 0.0)), lo = fmax(SLOWEST * hi, 1.0 / d->z->damper.tau);
  double ratio = pow(hi / lo, 1.0 / N_SCAN);
  if (!(hi > lo)) return MW_OK;
  rc = negatives(d, lo, &before, err);
  for (int k = 1; rc == MW_OK && k <= N_SCAN; k++) {
    double from = lo * pow(ratio, k - 1), to = lo * pow(ratio, k), error = 0.0;
    int now = 0, here;
    rc = negatives(d, to, &now, err);
    if (rc != MW_OK || now == before) continue;
    for (int i = 0; rc == MW_OK && i < HALVINGS; i++) {
      double half = 0.5 * (from + to);
      rc = negatives(d, half, &here, err);
      if (here == before)
        from = half;
      else
        to = half;
    }
    before = now;
    if (rc == MW_OK) rc = shift(d, l, from, &error, err);
    if (rc != MW_OK) break;
    if (c->n_decay++ > 0 && error <= c->decay_error) continue;
    c->decay_error = error;
    c->decay_rate = from;
    memcpy(c->decay_theta, l->theta, (size_t)c->s * sizeof *c->decay_theta);
  }
  return rc;
}

mw_code mw_certificate_decay(const mw_reduction *r, const mw_lines *lines, mw_certificate *c,
                             mw_arena *mem, mw_error *err)
{
  decay d;
  c->n_decay = 0;
  if (!lines->beyond) return MW_OK;
  c->decay_theta = mw_arena_f64(mem, (size_t)r->s);
  mw_code rc = open_decay(lines, r->m, &d, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  for (int j = 0; rc == MW_OK && j < lines->n; j++)
    if (!lines->line[j].lost)
      rc = of_line(&d, &lines->line[j], r->n_want < r->m ? r->n_want : r->m, c, err);
  mw_arena_free(&d.mem);
  return rc;
}
