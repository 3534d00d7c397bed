// SPDX-License-Identifier: BSD-3-Clause
// basis_patterns.c: what a body's modes leave out of its response to loads, static and dynamic.
//
//   receptance of load f:  fᵀ [ Σ_k φφᵀ/(λ_k − ω²) + G' + ω² G'MG' + ω⁴ G'MG'MG' + … ] f        (1)
//   G' = G − Σ_k φφᵀ/λ_k ,  k over the modes in the basis, the next one at λ_c
//
// Galerkin on span{φ, Z_1, …, Z_p},  Z_1 = G'f, Z_j = G'M Z_{j−1}, has the terms of (1) up to
//                                    ω^{4p−2} right, and what is
// missing is below (ω²/λ_c) times the last one: with Z scaled to a load of unit D' = fᵀG'f,
//   η_p = ω^{2(2p−1)} |Z_p|²_M   is the last term,   η_p ω²/λ_c   bounds the rest               (2)
// So only combinations of Z_p with η_p ω²/λ_c above the tolerance get a Z_{p+1}: few, as high modes
// respond like statics.
// Statics: combinations of G'f by descending energy, until what is left of each load is below the
// tolerance. Loads themselves, chosen one after the other, are more: 477 instead of 310 of a
// guide's pads where its mesh is fine.
//
// Why relative to D' and not to all of fᵀGf: joints load a body with forces that nearly cancel in
// its soft modes, which are in the basis, and feel what is left. Measured on a clamped bed of
// 18,690 unknowns with two guides (bench_substructure.c): to fᵀGf, 1e-6 errs by 1.6e-7 in
// frequencies (518 patterns), 1e-8 by 1.9e-8 (745); to D', 1e-6 errs by 6e-9 (646), 1e-7 by 9e-10
// (760).
// Cost: a solve a combination. Grimme, Thesis, Illinois 1997 (moments); Dickens, Nakagawa,
// Wittbrodt, Mech. Syst. Signal Process. 11 (1997) 1 (residual series).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "basis_priv.h"

enum { ORDER_MOST = 12, ROOM = 64, ROUGH_DYNAMIC = 32 };
// D over what the load's own unknowns give, of the largest: a load of fixed unknowns; D' of its D:
// modes say it all.
static const double NOTHING = 1e-12;
static const double DEPENDENT = 1e-2;  // of the tolerance

// Eigenvectors of G [k × k] (destroyed) as rows of V [*k_out × k], largest first, without those
// whose share in every load is small: what is dropped of Σ w (u·a)² stays at most limit for every
// row a of A [n_load × k]. *left: what it is.
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

// Σ f_j²/K_jj of load i, its compliance if every unknown stood alone: forces, couples and weights
// differ in their units.
static double alone(const stage *z, size_t i)
{
  const mw_csc *K = &z->b->K, *PT = z->PT;
  double sum = 0.0;
  bool weight = i >= (size_t)PT->n_col;
  const double *s = weight ? z->gravity + (i - (size_t)PT->n_col) * (size_t)z->n : NULL;
  int from = weight ? 0 : PT->ptr[i], to = weight ? z->n : PT->ptr[i + 1];
  for (int e = from; e < to; e++) {
    int j = weight ? e : PT->row[e], p = K->ptr[j];
    double f = weight ? s[e] : PT->val[e], k = p < K->ptr[j + 1] ? K->val[p] : 0.0;
    if (k > 0.0) sum += f * f / k;
  }
  return sum;
}

// What modes leave of every load's static response, F' = F − Σ bᵀb/λ, b = fᵀφ, scaled to a unit
// diagonal by d, 0: no such load.
static void residual(stage *z, double *Fr, double *d, double *b)
{
  size_t nl = (size_t)z->n_load;
  double big = 0.0;
  for (size_t i = 0; i < nl; i++) {
    d[i] = alone(z, i);
    if (d[i] > 0.0) big = fmax(big, z->F[i * nl + i] / d[i]);
  }
  memcpy(Fr, z->F, nl * nl * sizeof *Fr);
  if (z->n_mode > 0) basis_loads(z, z->n_mode, z->Phi, b);
  for (int k = 0; k < z->n_mode; k++)
    for (size_t i = 0; i < nl; i++)
      mw_axpy(z->n_load, -b[(size_t)k * nl + i] / z->lambda[k], b + (size_t)k * nl, Fr + i * nl);
  for (size_t i = 0; i < nl; i++) {
    double D = z->F[i * nl + i], left = Fr[i * nl + i];
    d[i] = D > NOTHING * big * d[i] && left > NOTHING * D ? 1.0 / sqrt(left) : 0.0;
  }
  for (size_t i = 0; i < nl; i++)
    for (size_t j = 0; j < nl; j++) Fr[i * nl + j] *= d[i] * d[j];
}

// Z_1: combinations of residual static responses by descending energy, until what is left of each
// load is below the tolerance; A [n_load × q]: the loads in them. *left: what is left of any load.
static mw_code statics(stage *z, double tolerance, basis_rows *r, double *A, double *left,
                       mw_error *err)
{
  size_t nl = (size_t)z->n_load, nm = (size_t)z->n_mode;
  mw_arena tmp = { 0 };
  double *Fr = mw_arena_f64(&tmp, nl * nl), *G = mw_arena_f64(&tmp, nl * nl),
         *V = mw_arena_f64(&tmp, nl * nl), *d = mw_arena_f64(&tmp, nl),
         *b = mw_arena_f64(&tmp, (nm + 1) * nl), *c = mw_arena_f64(&tmp, (nm + 1) * nl);
  int q = 0;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) residual(z, Fr, d, b);
  if (rc == MW_OK) memcpy(G, Fr, nl * nl * sizeof *G);
  for (size_t i = 0; rc == MW_OK && i < nl; i++) A[i * nl + i] = 1.0;
  if (rc == MW_OK) rc = leading(z->n_load, G, z->n_load, A, tolerance, V, &q, left, err);
  size_t qs = (size_t)q;
  if (rc == MW_OK && q > 0) {  // K of the combinations: V F' Vᵀ
    mw_gemm('n', 'n', q, z->n_load, z->n_load, 1.0, V, Fr, 0.0, G);
    mw_gemm('n', 't', q, q, z->n_load, 1.0, G, V, 0.0, Fr);
  }
  for (size_t e = 0; rc == MW_OK && e < qs; e++) {
    memcpy(r->KG + e * (size_t)r->room, Fr + e * qs, qs * sizeof *Fr);
    for (size_t i = 0; i < nl; i++) {
      A[i * qs + e] = V[e * nl + i];
      V[e * nl + i] *= d[i];
    }
  }
  // Z_1 = V G f − (V fᵀφ/λ) φ
  for (size_t i = 0; rc == MW_OK && i < nm * nl; i++) b[i] /= z->lambda[i / nl];
  if (rc == MW_OK && q > 0) {
    double *Z = r->U + (size_t)r->head * (size_t)z->n;
    mw_gemm('n', 'n', q, z->n, z->n_load, 1.0, V, z->X, 0.0, Z);
    if (nm > 0) {
      mw_gemm('n', 't', q, z->n_mode, z->n_load, 1.0, V, b, 0.0, c);
      mw_gemm('n', 'n', q, z->n, z->n_mode, -1.0, c, z->Phi, 1.0, Z);
    }
    basis_rows_add(z, r, q);
  }
  mw_arena_free(&tmp);
  return rc;
}

// One order further: of the last block, k rows from `first` on, the combinations V that (2) asks
// for (rough: the heaviest); G'M of them becomes the next block. A [n_load × k], the loads in the
// block, becomes that in the next.
static mw_code next_order(stage *z, int order, double omega, double tolerance, bool rough,
                          basis_rows *r, int first, double *A, double *left, mw_error *err)
{
  size_t n = (size_t)z->n, room = (size_t)r->room;
  int k = r->q - first, k_out = k, q = r->q;
  size_t ks = (size_t)k;
  double lambda_c = MW_BASIS_MODES_TO * MW_BASIS_MODES_TO * omega * omega,
         ratio = rough ? 1.0 : omega * omega / lambda_c;
  double size = rough ? 1.0 : pow(omega * omega, 2 * order - 1);
  mw_arena tmp = { 0 };
  double *N = mw_arena_f64(&tmp, ks * ks), *V = mw_arena_f64(&tmp, ks * ks),
         *B = mw_arena_f64(&tmp, (size_t)z->n_load * ks);
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t i = 0; rc == MW_OK && i < ks; i++)
    for (size_t j = 0; j < ks; j++)
      N[i * ks + j] = size * r->MG[((size_t)first + i) * room + (size_t)first + j];
  if (rc == MW_OK)
    rc = leading(k, N, z->n_load, A, rough ? 0.0 : tolerance / ratio, V, &k_out, left, err);
  if (rough && k_out > ROUGH_DYNAMIC) k_out = ROUGH_DYNAMIC;
  *left *= ratio;
  if (rc == MW_OK && k_out > 0) rc = basis_rows_room(z, r, k_out, err);
  if (rc != MW_OK || k_out == 0) {
    mw_arena_free(&tmp);
    return rc;
  }
  room = (size_t)r->room;
  double *out = r->U + ((size_t)r->head + (size_t)q) * n;
  mw_gemm('n', 'n', k_out, z->n, k, 1.0, V, r->Y + (size_t)first * n, 0.0, out);
  rc = basis_flexibility(z, k_out, out, out, err);
  if (rc == MW_OK) {
    basis_rows_add(z, r, k_out);
    mw_gemm('n', 't', z->n_load, k_out, k, 1.0, A, V, 0.0, B);
    memcpy(A, B, (size_t)z->n_load * (size_t)k_out * sizeof *A);
  }
  // K of the new rows: (G'M v) K x = v M x for every x that is orthogonal to rigid modes and modes
  for (int i = 0; rc == MW_OK && i < k_out; i++)
    for (int j = 0; j < r->q; j++) {
      double x = 0.0;
      for (int l = 0; l < k; l++)
        x += V[i * k + l] * r->MG[((size_t)first + (size_t)l) * room + (size_t)j];
      r->KG[((size_t)q + (size_t)i) * room + (size_t)j] = x;
      if (j < q) r->KG[(size_t)j * room + (size_t)q + (size_t)i] = x;
    }
  mw_arena_free(&tmp);
  return rc;
}

mw_code basis_patterns(stage *z, double omega, double tolerance, bool rough, basis_rows *r,
                       double *left, mw_error *err)
{
  int nl = z->n_load, first = 0;
  mw_arena tmp = { 0 };
  double *A = mw_arena_f64(&tmp, (size_t)nl * (size_t)nl);
  mw_code rc = mw_arena_check(&tmp, err);
  *left = 0.0;
  if (rc == MW_OK) rc = basis_rows_init(z, 2 * nl + ROOM, r, err);
  r->dependent = fmax(r->dependent, DEPENDENT * tolerance);
  if (rc == MW_OK && nl > 0) rc = statics(z, tolerance, r, A, left, err);
  for (int order = 1; rc == MW_OK && r->q > first && order < (rough ? 2 : ORDER_MOST); order++) {
    double rest = 0.0;
    int q = r->q;
    rc = next_order(z, order, omega, tolerance, rough, r, first, A, &rest, err);
    *left = fmax(*left, rest);
    first = q;
  }
  mw_arena_free(&tmp);
  return rc;
}
