// SPDX-License-Identifier: BSD-3-Clause
// damper.c: what modes lose where columns lack the static patterns of dampers' forces.
//
// A unit force in damper i opens gap j by F_ij, on the columns by (G diag(1/λ) Gᵀ)_ij: R is what
// they lack. Dampers D = diag(c) take from mode k, with gaps g_k, in the model iω g_kᵀ D g_k; with
// the patterns the gaps are relieved by R times their forces:
//   s = iω (D⁻¹ + iωR)⁻¹ g_k ,   D^½ R D^½ = V diag(r) Vᵀ ,  h = Vᵀ D^½ g_k :
//       g_kᵀ s = Σ_j iω h_j²/(1 + i x_j) ,  x_j = ω r_j
//   Δλ_k = Σ_j ω h_j² x_j/(1 + x_j²) ,   ΔC_kk = Σ_j h_j² x_j²/(1 + x_j²)                       (1)
// Its frequency errs by Δλ/(2λ), its free vibration exp −ζωt by at most 1/e of ΔC_kk/C_kk. K ≥ Σ k
// g gᵀ of the dampers' springs, so R ≤ diag(1/k) and h² ≤ τ λ, τ the largest c/k: no loss is above
//   (ω τ)²                                                                                      (2)
#include "damper_layer.h"

#include <math.h>

#include "base/dense.h"

static const double ZETA = 0.01;

mw_code mw_dampers_list(const mw_mech *m, const unsigned char *locked, mw_arena *mem,
                        mw_dampers *out, mw_error *err)
{
  int *row = mw_arena_int(mem, (size_t)m->n_row);
  double *c = mw_arena_f64(mem, (size_t)m->n_row);
  mw_dampers d = { .row = row, .c = c };
  mw_code rc = mw_arena_check(mem, err);
  for (int j = 0; rc == MW_OK && j < m->n_joint; j++)
    for (int i = 0; i < m->joint[j].n_row; i++) {
      const mw_joint *jt = &m->joint[j];
      bool free = i == jt->coord_row && !locked[jt->coord];
      if (free || !(jt->c[i] > 0.0) || isinf(jt->k[i])) continue;
      d.tau = fmax(d.tau, jt->k[i] > 0.0 ? jt->c[i] / jt->k[i] : INFINITY);
      c[d.n] = jt->c[i];
      row[d.n++] = jt->row0 + i;
    }
  if (rc == MW_OK) *out = d;
  return rc;
}

double mw_damper_own(double own, double w) { return fmax(own, 2.0 * ZETA * sqrt(w)); }

// Adds ω Δλ and ΔC of h² in a direction of r, (1)
static void add_direction(double h2, double r, double omega, double lost[2])
{
  double x = omega * fmax(r, 0.0), by = h2 * x / (1.0 + x * x);
  lost[0] += by;
  lost[1] += by * x;
}

// The larger of Δλ/λ and ΔC/(e C)
static double worse(const double lost[2], double omega, double own)
{
  return fmax(lost[0] / omega, exp(-1.0) * lost[1] / own);
}

mw_code mw_damper_loss(const mw_dampers *d, const double *F, int m, int n_mode, const double *G,
                       const double *w, const double *own, double *most, double *loss,
                       mw_error *err)
{
  mw_arena tmp = { 0 };
  int n = d->n;
  size_t N = (size_t)n;
  double *R = mw_arena_f64(&tmp, N * N), *V = mw_arena_f64(&tmp, N * N), *r = mw_arena_f64(&tmp, N);
  mw_code rc = mw_arena_check(&tmp, err);
  *most = 0.0;
  for (int i = 0; rc == MW_OK && i < n; i++)
    for (int j = 0; j <= i; j++) {
      double x = F[i * n + j];
      for (int k = 0; k < m; k++) x -= G[i * m + k] * G[j * m + k] / w[k];
      R[i * n + j] = R[j * n + i] = sqrt(d->c[i] * d->c[j]) * x;
    }
  for (int i = 0; rc == MW_OK && loss && i < n; i++) {
    loss[i] = 0.0;
    for (int k = 0; k < n_mode; k++) {
      double lost[2] = { 0.0, 0.0 }, omega = sqrt(w[k]), g = G[i * m + k];
      add_direction(d->c[i] * g * g, R[i * n + i], omega, lost);
      loss[i] = fmax(loss[i], worse(lost, omega, own[k]));
    }
  }
  if (rc == MW_OK && n > 0) rc = mw_eig_sym(n, R, r, V, err);
  for (int k = 0; rc == MW_OK && k < n_mode; k++) {
    double lost[2] = { 0.0, 0.0 }, omega = sqrt(w[k]);
    for (int j = 0; j < n; j++) {
      double h = 0.0;
      for (int i = 0; i < n; i++) h += V[i * n + j] * sqrt(d->c[i]) * G[i * m + k];
      add_direction(h * h, r[j], omega, lost);
    }
    *most = fmax(*most, worse(lost, omega, own[k]));
  }
  mw_arena_free(&tmp);
  return rc;
}
