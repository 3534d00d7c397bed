// SPDX-License-Identifier: BSD-3-Clause
// loaded.c: frequencies of the mechanism under its own weight.
//
//   (K + K_g) φ = λ M φ ,   θ held                                                              (1)
// by Rayleigh and Ritz on a space V that begins with modes of K and gains, for each pair that it
// still moves,
//   K⁻¹ ((K + K_g) φ − λ M φ)                                                                   (2)
// (Davidson's method with K for the preconditioner): from modes of K the first step adds K⁻¹K_g φ.
// The lowest Ritz value below zero proves that K + K_g is indefinite.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "weight_layer.h"

static const double MOVED =
    1e-8;  // of a pair's eigenvalue in a step, or this squared of the highest
static const double SEEN = 1e-14;  // of a direction's M-norm, squared: less is rounding

mw_code mw_ritz_init(mw_system *sys, const mw_weight *w, int cap, mw_ritz *out, mw_error *err)
{
  mw_ritz z = { .sys = sys, .w = w, .n = mw_blocks_size(mw_system_blocks(sys)), .cap = cap };
  size_t n = (size_t)z.n, c = (size_t)cap;
  z.V = mw_arena_f64(&z.mem, c * n);
  z.MV = mw_arena_f64(&z.mem, c * n);
  z.AV = mw_arena_f64(&z.mem, c * n);
  z.A = mw_arena_f64(&z.mem, c * c);
  z.X = mw_arena_f64(&z.mem, c * c);
  z.val = mw_arena_f64(&z.mem, c);
  *out = z;
  return mw_arena_check(&z.mem, err);
}

void mw_ritz_free(mw_ritz *z)
{
  mw_arena_free(&z->mem);
  *z = (mw_ritz){ 0 };
}

// x as one more row of V, M-orthonormal; not if there is nothing but rounding of it
static void add_row(mw_ritz *z, const double *x)
{
  size_t n = (size_t)z->n, s = (size_t)z->size;
  double *v = z->V + s * n, *Mv = z->MV + s * n;
  memcpy(v, x, n * sizeof *v);
  mw_system_mul_M(z->sys, v, Mv);
  double whole = mw_dot(z->n, v, Mv);
  for (int twice = 0; twice < 2; twice++)
    for (size_t i = 0; i < s; i++) mw_axpy(z->n, -mw_dot(z->n, z->MV + i * n, v), z->V + i * n, v);
  mw_system_mul_M(z->sys, v, Mv);
  double rest = mw_dot(z->n, v, Mv);
  if (!(rest > SEEN * whole)) return;
  for (size_t i = 0; i < n; i++) {
    v[i] /= sqrt(rest);
    Mv[i] /= sqrt(rest);
  }
  z->size++;
}

mw_code mw_ritz_extend(mw_ritz *z, int k, const double *X, mw_error *err)
{
  size_t n = (size_t)z->n;
  int first = z->size;
  for (int a = 0; a < k && z->size < z->cap; a++) add_row(z, X + (size_t)a * n);
  int more = z->size - first, s = z->size;
  mw_arena tmp = { 0 };
  double *Kv = mw_arena_f64(&tmp, n), *AV = z->AV + (size_t)first * n;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK && more > 0) rc = mw_weight_mul(z->w, more, z->V + (size_t)first * n, AV, err);
  for (int a = 0; rc == MW_OK && a < more; a++) {
    mw_system_mul_K(z->sys, z->V + (size_t)(first + a) * n, Kv);
    mw_axpy(z->n, 1.0, Kv, AV + (size_t)a * n);
  }
  mw_arena_free(&tmp);
  if (rc != MW_OK) return rc;
  mw_gemm('n', 't', s, s, z->n, 1.0, z->V, z->AV, 0.0, z->A);
  for (int i = 0; i < s; i++)
    for (int j = 0; j < i; j++)
      z->A[i * s + j] = z->A[j * s + i] = 0.5 * (z->A[i * s + j] + z->A[j * s + i]);
  return mw_eig_sym(s, z->A, z->val, z->X, err);
}

// (2) of the k lowest pairs, those that would move an eigenvalue: by rᵀK⁻¹r at first order. W [k ×
// n], *n_more of them
static mw_code corrections(const mw_ritz *z, int k, double *W, int *n_more, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t n = (size_t)z->n;
  int s = z->size;
  double *R = mw_arena_f64(&tmp, (size_t)k * n), least = MOVED * MOVED * fabs(z->val[s - 1]);
  mw_code rc = mw_arena_check(&tmp, err);
  *n_more = 0;
  for (int a = 0; rc == MW_OK && a < k; a++)
    for (int i = 0; i < s; i++) {
      double x = z->X[i * s + a];
      mw_axpy(z->n, x, z->AV + (size_t)i * n, R + (size_t)a * n);
      mw_axpy(z->n, -x * z->val[a], z->MV + (size_t)i * n, R + (size_t)a * n);
    }
  if (rc == MW_OK) rc = mw_system_solve_many(z->sys, k, R, W, err);
  for (int a = 0; rc == MW_OK && a < k; a++) {
    const double *w = W + (size_t)a * n;
    double moves = mw_dot(z->n, R + (size_t)a * n, w);
    // less is rounding, which keeps no joints
    if (!(moves > fmax(MOVED * fabs(z->val[a]), least))) continue;
    memmove(W + (size_t)(*n_more)++ * n, w, n * sizeof *w);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_ritz_lowest(mw_ritz *z, int k, double *lambda, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *W = mw_arena_f64(&tmp, (size_t)k * (size_t)z->n);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int step = 0, more = k; rc == MW_OK && step < MW_RITZ_STEPS && more > 0; step++) {
    rc = corrections(z, k, W, &more, err);
    if (rc == MW_OK && more > 0) rc = mw_ritz_extend(z, more, W, err);
  }
  if (rc == MW_OK) memcpy(lambda, z->val, (size_t)k * sizeof *lambda);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_loaded_modes(mw_system *sys, const mw_weight *w, int k, int n_phi, const double *Phi,
                        double *lambda, mw_error *err)
{
  mw_ritz z;
  mw_code rc = mw_ritz_init(sys, w, n_phi + MW_RITZ_STEPS * k, &z, err);
  if (rc == MW_OK) rc = mw_ritz_extend(&z, n_phi, Phi, err);
  if (rc == MW_OK) rc = mw_ritz_lowest(&z, k, lambda, err);
  mw_ritz_free(&z);
  return rc;
}
