// SPDX-License-Identifier: BSD-3-Clause
// basis_project.c: a body on its M-orthonormal eigenbasis.
//
//   K_r = diag(λ) ,  M_r = 1 ,  P_r = P T ,  s_r, h_r, S_r likewise ,  R_r = TᵀM R ,  M_αβ,r = TᵀM_αβ T               (1)
//
// The mass moments are needed where a body turns; one on the ground never does, and gets none.
// Cost: r products with each matrix, r² n_u for each moment.
#include <string.h>

#include "base/dense.h"
#include "basis_priv.h"

static mw_code diagonal(int r, const double *d, mw_arena *mem, mw_csc *out, mw_error *err)
{
  mw_csc A = { .n_row = r, .n_col = r, .sym = true };
  A.ptr = mw_arena_int(mem, (size_t)r + 1);
  A.row = mw_arena_int(mem, (size_t)r);
  A.val = mw_arena_f64(mem, (size_t)r);
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < r; i++) {
    A.ptr[i + 1] = i + 1;
    A.row[i] = i;
    A.val[i] = d ? d[i] : 1.0;
  }
  *out = A;
  return rc;
}

// dense row-major D [m × r] as CSC with every entry (sym: its lower triangle)
static mw_code full(int m, int r, bool sym, const double *D, mw_arena *mem, mw_csc *out,
                    mw_error *err)
{
  size_t nnz = sym ? (size_t)r * ((size_t)r + 1) / 2 : (size_t)m * (size_t)r, e = 0;
  mw_csc A = { .n_row = m, .n_col = r, .sym = sym };
  A.ptr = mw_arena_int(mem, (size_t)r + 1);
  A.row = mw_arena_int(mem, nnz);
  A.val = mw_arena_f64(mem, nnz);
  mw_code rc = mw_arena_check(mem, err);
  for (int j = 0; rc == MW_OK && j < r; j++) {
    for (int i = sym ? j : 0; i < m; i++, e++) {
      A.row[e] = i;
      A.val[e] = D[(size_t)i * (size_t)r + (size_t)j];
    }
    A.ptr[j + 1] = (int)e;
  }
  *out = A;
  return rc;
}

// A T of a matrix of few rows (P, S): [A.n_row × r]
static mw_code thin(const mw_csc *A, int r, const double *T, mw_arena *mem, mw_csc *out,
                    mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_csc AT;
  double *D = mw_arena_f64(&tmp, (size_t)A->n_row * (size_t)r);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_csc_transpose(A, &tmp, &AT, err);
  for (int j = 0; rc == MW_OK && j < r; j++) {
    const double *t = T + (size_t)j * (size_t)A->n_col;
    for (int c = 0; c < A->n_row; c++)
      for (int e = AT.ptr[c]; e < AT.ptr[c + 1]; e++)
        D[(size_t)c * (size_t)r + (size_t)j] += AT.val[e] * t[AT.row[e]];
  }
  if (rc == MW_OK) rc = full(A->n_row, r, false, D, mem, out, err);
  mw_arena_free(&tmp);
  return rc;
}

// D [r × r] := T A Tᵀ, W [MW_BASIS_ROWS × 2 n] scratch
static void moment(const mw_csc *A, int r, const double *T, double *W, double *D)
{
  size_t n = (size_t)A->n_row;
  for (int first = 0; first < r; first += MW_BASIS_ROWS) {
    size_t w = (size_t)(r - first < MW_BASIS_ROWS ? r - first : MW_BASIS_ROWS);
    double *x = W, *y = W + w * n;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < w; j++) x[i * w + j] = T[((size_t)first + j) * n + i];
    mw_csc_mul_many(A, (int)w, 1.0, x, 0.0, y);
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < w; j++) x[j * n + i] = y[i * w + j];
    // columns first … first + w of D
    mw_gemm('n', 't', (int)w, r, (int)n, 1.0, x, T, 0.0, y);
    for (size_t j = 0; j < w; j++)
      for (int i = 0; i < r; i++)
        D[(size_t)i * (size_t)r + (size_t)first + j] = y[j * (size_t)r + (size_t)i];
  }
}

// M_αβ; M_zz = 1 − M_xx − M_yy
static mw_code moments(const mw_body *b, int r, const double *T, mw_arena *mem, mw_body *out,
                       mw_error *err)
{
  enum { XX, YY, ZZ, N_MOMENT = 6 };
  mw_arena tmp = { 0 };
  size_t rr = (size_t)r * (size_t)r, n = (size_t)b->n_u, rows = MW_BASIS_ROWS;
  double *D = mw_arena_f64(&tmp, rr), *Z = mw_arena_f64(&tmp, rr),
         *W = mw_arena_f64(&tmp, rows * (n > (size_t)r ? 2 * n : n + (size_t)r));
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < r; i++) Z[(size_t)i * (size_t)r + (size_t)i] = 1.0;
  for (int k = 0; rc == MW_OK && k < N_MOMENT; k++) {
    const mw_csc *A = &b->Mab[k];
    if (k == ZZ) continue;
    moment(A, r, T, W, D);
    for (int i = 0; A->sym && i < r; i++)
      for (int j = 0; j < i; j++) {
        size_t ij = (size_t)i * (size_t)r + (size_t)j, ji = (size_t)j * (size_t)r + (size_t)i;
        D[ij] = D[ji] = 0.5 * (D[ij] + D[ji]);
      }
    for (size_t i = 0; k < ZZ && i < rr; i++) Z[i] -= D[i];
    rc = full(r, r, A->sym, D, mem, &out->Mab[k], err);
  }
  if (rc == MW_OK) rc = full(r, r, true, Z, mem, &out->Mab[ZZ], err);
  mw_arena_free(&tmp);
  return rc;
}

static mw_code no_moments(int r, mw_arena *mem, mw_body *out, mw_error *err)
{
  int *ptr = mw_arena_int(mem, (size_t)r + 1);
  for (int k = 0; k < 6; k++)
    out->Mab[k] = (mw_csc){ .n_row = r, .n_col = r, .sym = k < 3, .ptr = ptr };
  return mw_arena_check(mem, err);
}

mw_code basis_project(stage *z, int r, const double *T, const double *lambda, mw_basis *out,
                      mw_error *err)
{
  const mw_body *b = z->b;
  mw_arena *mem = &out->mem;
  mw_body *body = &out->body;
  size_t n = (size_t)z->n;
  *body = *b;
  body->n_u = out->r = r;
  body->n_node = body->n_edge = body->n_tri = 0;
  body->X = body->R = NULL;
  body->edge = body->tri = NULL;
  body->mesh = NULL;
  body->N = body->Nr = (mw_csc){ 0 };
  body->s = mw_arena_f64(mem, 3 * (size_t)r);
  body->h = mw_arena_f64(mem, 9 * (size_t)r);
  if (z->n_rigid > 0) body->R = mw_arena_f64(mem, 6 * (size_t)r);
  out->T = mw_arena_alloc(mem, (size_t)r * n, sizeof *out->T);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  mw_gemm('n', 't', 3, r, z->n, 1.0, b->s, T, 0.0, body->s);
  mw_gemm('n', 't', 9, r, z->n, 1.0, b->h, T, 0.0, body->h);
  for (size_t i = 0; i < (size_t)r * n; i++) out->T[i] = (float)T[i];
  rc = diagonal(r, lambda, mem, &body->K, err);
  if (rc == MW_OK) rc = diagonal(r, NULL, mem, &body->M, err);
  if (rc == MW_OK) rc = thin(&b->P, r, T, mem, &body->P, err);
  if (rc == MW_OK && b->n_gauge > 0) rc = thin(&b->S, r, T, mem, &body->S, err);
  if (rc == MW_OK)
    rc = b->ground ? no_moments(r, mem, body, err) : moments(b, r, T, mem, body, err);
  if (rc != MW_OK || z->n_rigid == 0) return rc;
  // R_r = T M R
  mw_arena tmp = { 0 };
  double *MR = mw_arena_f64(&tmp, 6 * n);
  rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    mw_csc_mul_many(&b->M, 6, 1.0, b->R, 0.0, MR);
    mw_gemm('n', 'n', r, 6, z->n, 1.0, T, MR, 0.0, body->R);
  }
  mw_arena_free(&tmp);
  return rc;
}
