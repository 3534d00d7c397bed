// SPDX-License-Identifier: BSD-3-Clause
// basis_patterns.c: what a body's modes leave out of its response to loads, static and dynamic.
//
//   receptance of load f:  fᵀ [ Σ_k φφᵀ/(λ_k − ω²) + G' + ω² G'MG' + ω⁴ G'MG'MG' + … ] f          (1)
//   G' = G − Σ_k φφᵀ/λ_k ,  k over the modes in the basis, the next one at λ_c
//
// Galerkin on span{φ, Z_1, …, Z_p},  Z_1 = G'f, Z_j = G'M Z_{j−1}, has the terms of (1) up to ω^{4p−2} right, and what is
// missing is below (ω²/λ_c) times the last one: with Z scaled to a load of unit D' = fᵀG'f,
//   η_p = ω^{2(2p−1)} |Z_p|²_M   is the last term,   η_p ω²/λ_c   bounds the rest                  (2)
// So only combinations of Z_p with η_p ω²/λ_c above the tolerance get a Z_{p+1}: few, as high modes respond like statics.
// Statics: combinations of G'f by descending energy, until what is left of each load is below the tolerance.
//
// Why relative to D' and not to all of fᵀGf: joints load a body with forces that nearly cancel in its soft modes, which are in
// the basis, and feel what is left. Measured on a clamped bed of 18,690 unknowns with two guides (bench_substructure.c): to fᵀGf,
// 1e-6 errs by 1.6e-7 in frequencies (518 patterns), 1e-8 by 1.9e-8 (745); to D', 1e-6 errs by 6e-9 (646), 1e-7 by 9e-10 (760).
// Cost: a solve a combination. Grimme, Thesis, Illinois 1997 (moments); Dickens, Nakagawa, Wittbrodt, Mech. Syst. Signal
// Process. 11 (1997) 1 (residual series).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "basis_priv.h"

enum { ORDER_MOST = 12 };
// Of the largest D: a load of fixed unknowns; D' of its D: modes say it all.
static const double NOTHING = 1e-12;

// Rows of Z without modes: Z −= (Z M φᵀ) φ
static void take_modes(stage *z, int k, double *Z, double *Y)
{
  if (z->n_mode == 0 || k == 0) return;
  mw_arena tmp = { 0 };
  double *c = mw_arena_f64(&tmp, (size_t)k * (size_t)z->n_mode);
  basis_mul(z, &z->b->M, k, Z, Y);
  if (c) {
    mw_gemm('n', 't', k, z->n_mode, z->n, 1.0, Y, z->Phi, 0.0, c);
    mw_gemm('n', 'n', k, z->n, z->n_mode, -1.0, c, z->Phi, 1.0, Z);
  }
  mw_arena_free(&tmp);
}

// Eigenvectors of G [k × k] (destroyed) as rows of V [*k_out × k], largest first, without those whose share in every load is
// small: what is dropped of Σ w (u·a)² stays at most limit for every row a of A [n_load × k]. *left: what it is.
static mw_code leading(int k, double *G, int n_load, const double *A, double limit, double *V,
                       int *k_out, double *left, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *U = mw_arena_f64(&tmp, (size_t)k * (size_t)k), *w = mw_arena_f64(&tmp, (size_t)k);
  double *AU = mw_arena_f64(&tmp, (size_t)n_load * (size_t)k),
         *rest = mw_arena_f64(&tmp, (size_t)n_load);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_eig_sym(k, G, w, U, err);
  if (rc == MW_OK) mw_gemm('n', 'n', n_load, k, k, 1.0, A, U, 0.0, AU);
  int drop = 0;  // from the lowest up
  *left = 0.0;
  for (; rc == MW_OK && drop < k; drop++) {
    double worst = 0.0;
    for (int i = 0; i < n_load; i++) {
      double u = AU[i * k + drop];
      rest[i] += fmax(w[drop], 0.0) * u * u;
      worst = fmax(worst, rest[i]);
    }
    if (worst > limit) break;
    *left = worst;
  }
  *k_out = k - drop;
  for (int e = 0; rc == MW_OK && e < *k_out; e++)
    for (int i = 0; i < k; i++) V[(size_t)e * (size_t)k + (size_t)i] = U[i * k + (k - 1 - e)];
  mw_arena_free(&tmp);
  return rc;
}

// Z_1 [*q × n] from z->X: scaled residual static responses, combined; A [n_load × *q]: the loads in these combinations
static mw_code statics(stage *z, double tolerance, int *q, double *Z, double *Y, double *A,
                       double *left, mw_error *err)
{
  size_t n = (size_t)z->n, nl = (size_t)z->n_load;
  mw_arena tmp = { 0 };
  double *F = mw_arena_f64(&tmp, nl * nl), *V = mw_arena_f64(&tmp, nl * nl),
         *one = mw_arena_f64(&tmp, nl * nl), *d = mw_arena_f64(&tmp, nl), big = 0.0;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc != MW_OK) return rc;
  for (size_t i = 0; i < nl; i++) big = fmax(big, z->D[i]);
  memcpy(Z, z->X, nl * n * sizeof *Z);
  take_modes(z, z->n_load, Z, Y);
  basis_loads(z, z->n_load, Z, F);
  for (size_t i = 0; i < nl; i++) {
    double x = F[i * nl + i];
    d[i] = z->D[i] > NOTHING * big && x > NOTHING * z->D[i] ? 1.0 / sqrt(x) : 0.0;
  }
  for (size_t i = 0; i < nl; i++)
    for (size_t j = 0; j <= i; j++)
      F[i * nl + j] = F[j * nl + i] = 0.5 * (F[i * nl + j] + F[j * nl + i]) * d[i] * d[j];
  for (size_t i = 0; i < nl; i++) one[i * nl + i] = 1.0;
  rc = leading(z->n_load, F, z->n_load, one, tolerance, V, q, left, err);
  for (size_t i = 0; rc == MW_OK && i < nl; i++)
    for (size_t e = 0; e < (size_t)*q; e++) A[i * (size_t)*q + e] = V[e * nl + i];
  for (size_t e = 0; rc == MW_OK && e < (size_t)*q; e++)
    for (size_t i = 0; i < nl; i++) V[e * nl + i] *= d[i];
  if (rc == MW_OK && *q > 0) {
    mw_gemm('n', 'n', *q, z->n, z->n_load, 1.0, V, Z, 0.0, Y);
    memcpy(Z, Y, (size_t)*q * n * sizeof *Z);
  }
  mw_arena_free(&tmp);
  return rc;
}

// One order further: of the block Z [k × n] the combinations that (2) asks for, and G'M of them in out [*k_out × n]; A [n_load
// × k], the loads in Z, becomes that in out.
static mw_code next_order(stage *z, int order, double omega, double tolerance, int k,
                          const double *Z, double *A, int *k_out, double *out, double *Y,
                          double *left, mw_error *err)
{
  size_t n = (size_t)z->n;
  double lambda_c = z->n_mode > 0 ? z->lambda[z->n_mode - 1] : 4.0 * omega * omega;
  double ratio = omega * omega / fmax(lambda_c, 4.0 * omega * omega);
  double size = pow(omega * omega, 2 * order - 1);
  mw_arena tmp = { 0 };
  double *N = mw_arena_f64(&tmp, (size_t)k * (size_t)k),
         *V = mw_arena_f64(&tmp, (size_t)k * (size_t)k),
         *B = mw_arena_f64(&tmp, (size_t)z->n_load * (size_t)k);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc != MW_OK) return rc;
  basis_mul(z, &z->b->M, k, Z, Y);
  mw_gemm('n', 't', k, k, z->n, size, Z, Y, 0.0, N);
  for (int i = 0; i < k; i++)
    for (int j = 0; j < i; j++) N[i * k + j] = N[j * k + i] = 0.5 * (N[i * k + j] + N[j * k + i]);
  rc = leading(k, N, z->n_load, A, tolerance / ratio, V, k_out, left, err);
  *left *= ratio;
  if (rc == MW_OK && *k_out > 0) {
    mw_gemm('n', 'n', *k_out, z->n, k, 1.0, V, Z, 0.0, out);
    basis_mul(z, &z->b->M, *k_out, out, Y);
    memcpy(out, Y, (size_t)*k_out * n * sizeof *out);
    rc = basis_flexibility(z, *k_out, out, out, err);
    take_modes(z, *k_out, out, Y);
    mw_gemm('n', 't', z->n_load, *k_out, k, 1.0, A, V, 0.0, B);
    memcpy(A, B, (size_t)z->n_load * (size_t)*k_out * sizeof *A);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code basis_patterns(stage *z, double omega, double tolerance, bool static_only, int *q,
                       double **Z, double *left, mw_error *err)
{
  size_t n = (size_t)z->n, nl = (size_t)z->n_load, room = nl > 0 ? 2 * nl : 1;
  *q = 0;
  *left = 0.0;
  *Z = malloc(room * n * sizeof **Z);
  mw_arena tmp = { 0 };
  double *Y = mw_arena_f64(&tmp, nl * n), *A = mw_arena_f64(&tmp, nl * nl);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK && !*Z)
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the patterns of body %s",
                 z->b->name);
  int first = 0, k = 0;
  if (rc == MW_OK && nl > 0) rc = statics(z, tolerance, &k, *Z, Y, A, left, err);
  *q = k;
  for (int order = 1; rc == MW_OK && !static_only && k > 0 && order < ORDER_MOST; order++) {
    int k_out = 0;
    double rest = 0.0;
    if (room < (size_t)(*q + k)) {
      room = (size_t)(*q + k) * 2;
      double *more = realloc(*Z, room * n * sizeof **Z);
      if (!more) {
        rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the patterns of body %s",
                     z->b->name);
        break;
      }
      *Z = more;
    }
    rc = next_order(z, order, omega, tolerance, k, *Z + (size_t)first * n, A, &k_out,
                    *Z + (size_t)*q * n, Y, &rest, err);
    *left = fmax(*left, rest);
    first = *q;
    k = k_out;
    *q += k;
  }
  mw_arena_free(&tmp);
  return rc;
}
