// SPDX-License-Identifier: BSD-3-Clause
// bodyreduce.c: body-level component mode synthesis u = T ζ (Craig and Bampton 1968), the peer of the system-level model.
//
//   S = K + σ M                          σ > 0 makes a free body's stiffness definite; static modes at −σ are as good a
//   T_static = S⁻¹ Pᵀ                    basis of interface shapes as those at zero
//   T_modes  = eigenmodes with P u = 0:  shift-invert Lanczos is spared: subspace iteration on S with the interface
//                                        projected out, u ← S⁻¹(M u) − T_static (P T_static)⁻¹ P S⁻¹(M u)
//   T        = M-orthonormal basis of [R, T_static, T_modes], combinations below 1e-9 of the largest dropped
//
// Free bodies keep the floating-frame condition RᵀMu = 0, so the rigid modes are part of the basis and harmless.
// Cost: one factorization, (n_z + iterations · n_modes) solves a body.
#include "sim/bodyreduce.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/factor.h"

static const double DROP =
    1e-9;  // relative M-norm² below which a combination of basis vectors is dropped
static const double TRUNCATE =
    1e-3;  // relative interface compliance left out by the truncated basis
enum { ITERATIONS = 30 };

typedef struct cms {
  const mw_body *b;
  mw_factor *S;
  int n_static, n_modes, n_rigid;
  double *T;   // [(6 + n_z + n_modes) × n_u] rows
  double *PT;  // [n_z × n_z] P T_staticᵀ, LU
  int *piv;
  double *t, *z;
  mw_arena mem;
} cms;

// σ: a small part of the largest generalised eigenvalue's bound max K_ii / M_ii
static double shift_of(const mw_body *b)
{
  double big = 0.0;
  for (int j = 0; j < b->n_u; j++) {
    double k = 0.0, m = 0.0;
    if (b->K.ptr[j] < b->K.ptr[j + 1] && b->K.row[b->K.ptr[j]] == j) k = b->K.val[b->K.ptr[j]];
    if (b->M.ptr[j] < b->M.ptr[j + 1] && b->M.row[b->M.ptr[j]] == j) m = b->M.val[b->M.ptr[j]];
    if (m > 0.0) big = fmax(big, k / m);
  }
  return 1e-8 * big;
}

static mw_code factor_shifted(cms *c, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_csc S;
  mw_code rc = mw_csc_add(1.0, &c->b->K, shift_of(c->b), &c->b->M, &tmp, &S, err);
  if (rc == MW_OK) rc = mw_factor_build(&S, true, &c->S, err);
  mw_arena_free(&tmp);
  return rc;
}

// Static modes: all of them, or the leading combinations of the interface compliance P S⁻¹ Pᵀ.
static mw_code static_modes(cms *c, bool truncated, mw_error *err)
{
  const mw_body *b = c->b;
  size_t n = (size_t)b->n_u, nz = (size_t)b->n_z;
  double *X = mw_arena_f64(&c->mem, nz * n), *F = mw_arena_f64(&c->mem, nz * nz);
  double *w = mw_arena_f64(&c->mem, nz), *V = mw_arena_f64(&c->mem, nz * nz);
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc != MW_OK) return rc;
  for (int j = 0; j < b->P.n_col; j++)
    for (int k = b->P.ptr[j]; k < b->P.ptr[j + 1]; k++)
      X[(size_t)b->P.row[k] * n + (size_t)j] += b->P.val[k];
  rc = mw_factor_solve(c->S, b->n_z, X, X, err);
  if (rc != MW_OK) return rc;
  double *T = c->T + (size_t)c->n_rigid * n;
  if (!truncated) {
    memcpy(T, X, nz * n * sizeof *T);
    c->n_static = b->n_z;
    return MW_OK;
  }
  for (size_t i = 0; i < nz; i++) mw_csc_mul(&b->P, 1.0, X + i * n, 0.0, F + i * nz);
  // combinations by descending compliance
  rc = mw_eig_sym(b->n_z, F, w, V, err);
  for (int k = b->n_z - 1; rc == MW_OK && k >= 0 && w[k] > TRUNCATE * w[b->n_z - 1]; k--) {
    double *row = T + (size_t)c->n_static++ * n;
    memset(row, 0, n * sizeof *row);
    for (size_t i = 0; i < nz; i++) mw_axpy(b->n_u, V[i * nz + (size_t)k], X + i * n, row);
  }
  return rc;
}

// Rows of T: M-orthonormal, nearly dependent combinations dropped; returns the number left in *k.
static mw_code orthonormalise(cms *c, double *T, int *k, mw_error *err)
{
  size_t n = (size_t)c->b->n_u, q = (size_t)*k;
  mw_arena tmp = { 0 };
  double *MT = mw_arena_f64(&tmp, q * n), *G = mw_arena_f64(&tmp, q * q),
         *w = mw_arena_f64(&tmp, q);
  double *V = mw_arena_f64(&tmp, q * q);
  mw_code rc = mw_arena_check(&tmp, err);
  int kept = *k;
  for (int pass = 0; rc == MW_OK && pass < 2; pass++) {
    q = (size_t)kept;
    // unit M-norm first, so that dropping does not depend on the units of a row
    for (size_t i = 0; i < q; i++) {
      mw_csc_mul(&c->b->M, 1.0, T + i * n, 0.0, c->t);
      double norm = sqrt(mw_dot(c->b->n_u, T + i * n, c->t));
      for (size_t j = 0; norm > 0.0 && j < n; j++) T[i * n + j] /= norm;
      for (size_t j = 0; norm > 0.0 && j < n; j++) MT[i * n + j] = c->t[j] / norm;
    }
    mw_gemm('n', 't', kept, kept, c->b->n_u, 1.0, T, MT, 0.0, G);
    rc = mw_eig_sym(kept, G, w, V, err);
    if (rc != MW_OK) break;
    int out = 0;
    for (int e = kept - 1; e >= 0 && w[e] > DROP * w[kept - 1]; e--, out++) {
      double *row = MT + (size_t)out * n;
      memset(row, 0, n * sizeof *row);
      for (size_t i = 0; i < q; i++)
        mw_axpy(c->b->n_u, V[i * q + (size_t)e] / sqrt(w[e]), T + i * n, row);
    }
    memcpy(T, MT, (size_t)out * n * sizeof *T);
    kept = out;
  }
  *k = kept;
  mw_arena_free(&tmp);
  return rc;
}

// x := S⁻¹ M x with its interface displacement removed
static mw_code fixed_iterate(cms *c, double *x, mw_error *err)
{
  const mw_body *b = c->b;
  mw_csc_mul(&b->M, 1.0, x, 0.0, c->t);
  mw_code rc = mw_factor_solve(c->S, 1, c->t, x, err);
  if (rc != MW_OK || c->PT == NULL) return rc;
  mw_csc_mul(&b->P, 1.0, x, 0.0, c->z);
  mw_lu_solve(b->n_z, c->PT, c->piv, 1, c->z);
  for (int i = 0; i < b->n_z; i++)
    mw_axpy(b->n_u, -c->z[i], c->T + (size_t)(c->n_rigid + i) * (size_t)b->n_u, x);
  return MW_OK;
}

// Fixed-interface modes by subspace iteration; they need not be exact, the span of the lowest is what counts.
static mw_code fixed_modes(cms *c, double *modes, mw_error *err)
{
  size_t n = (size_t)c->b->n_u;
  unsigned long long seed = 1968;
  for (size_t i = 0; i < (size_t)c->n_modes * n; i++) {
    seed = seed * 16807 % 2147483647;
    modes[i] = (double)seed / 2147483647.0 - 0.5;
  }
  mw_code rc = MW_OK;
  for (int it = 0; rc == MW_OK && it < ITERATIONS; it++) {
    for (int k = 0; rc == MW_OK && k < c->n_modes; k++)
      rc = fixed_iterate(c, modes + (size_t)k * n, err);
    if (rc == MW_OK) rc = orthonormalise(c, modes, &c->n_modes, err);
  }
  return rc;
}

static mw_code build(cms *c, bool truncated, mw_arena *mem, mw_body *out, mw_error *err)
{
  const mw_body *b = c->b;
  size_t n = (size_t)b->n_u, nz = (size_t)b->n_z;
  c->n_rigid = b->ground ? 0 : 6;
  c->T = mw_arena_f64(&c->mem, ((size_t)c->n_rigid + nz + (size_t)c->n_modes) * n);
  c->t = mw_arena_f64(&c->mem, n);
  c->z = mw_arena_f64(&c->mem, nz);
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc == MW_OK) rc = factor_shifted(c, err);
  for (int k = 0; rc == MW_OK && k < c->n_rigid; k++)
    for (size_t i = 0; i < n; i++) c->T[(size_t)k * n + i] = b->R[6 * i + (size_t)k];
  if (rc == MW_OK) rc = static_modes(c, truncated, err);
  if (rc == MW_OK && !truncated && nz > 0) {
    c->PT = mw_arena_f64(&c->mem, nz * nz);
    c->piv = mw_arena_int(&c->mem, nz);
    rc = mw_arena_check(&c->mem, err);
    for (size_t i = 0; rc == MW_OK && i < nz; i++) {
      mw_csc_mul(&b->P, 1.0, c->T + ((size_t)c->n_rigid + i) * n, 0.0, c->z);
      for (size_t j = 0; j < nz; j++) c->PT[j * nz + i] = c->z[j];
    }
    if (rc == MW_OK) rc = mw_lu_factor(b->n_z, c->PT, c->piv, err);
  }
  double *modes = c->T + (size_t)(c->n_rigid + c->n_static) * n;
  if (rc == MW_OK) rc = fixed_modes(c, modes, err);
  int k = c->n_rigid + c->n_static + c->n_modes;
  if (rc == MW_OK) rc = orthonormalise(c, c->T, &k, err);
  double *columns = mw_arena_f64(&c->mem, n * (size_t)k);
  if (rc == MW_OK) rc = mw_arena_check(&c->mem, err);
  for (size_t i = 0; rc == MW_OK && i < n; i++)
    for (size_t j = 0; j < (size_t)k; j++) columns[i * (size_t)k + j] = c->T[j * n + i];
  return rc == MW_OK ? mw_body_project(b, columns, k, mem, out, err) : rc;
}

mw_code mw_body_basis(const mw_body *full, int n_modes, bool truncated, mw_arena *mem, mw_body *out,
                      mw_error *err)
{
  if (full->n_u == 0) {
    *out = *full;
    return MW_OK;
  }
  cms c = { .b = full, .n_modes = n_modes < full->n_u ? n_modes : full->n_u };
  mw_code rc = build(&c, truncated, mem, out, err);
  mw_factor_free(c.S);
  mw_arena_free(&c.mem);
  return rc;
}
