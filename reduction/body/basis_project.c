// SPDX-License-Identifier: BSD-3-Clause
// basis_project.c: a body on its M-orthonormal eigenbasis T = C U.
//
//   K_r = diag(λ) ,  M_r = 1 ,  P_r = P T ,  s_r, h_r, S_r likewise ,  R_r = TᵀM R ,
//       M_αβ,r = TᵀM_αβ T      (1)
//
// All of it is made of the rows U and then combined, small. The mass moments are needed where a
// body turns; one on the ground never does, and gets none. Cost: r² n_u for T, in single precision
// at the end; for each moment r products and r² n_u.
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

typedef struct combination {
  int n, head, q, m;  // unknowns; rows kept as they are; rows combined, to m
  const double *U;    // [(head + q) × n]
  const double *C;    // [m × q]
} combination;

// D [(head + m) × w] := C X for rows X [(head + q) × w]
static void combine(const combination *c, int w, const double *X, double *D)
{
  size_t head = (size_t)c->head * (size_t)w;
  memcpy(D, X, head * sizeof *D);
  if (c->m > 0) mw_gemm('n', 'n', c->m, w, c->q, 1.0, c->C, X + head, 0.0, D + head);
}

// A Tᵀ of a matrix of few rows (P, S, s, h): [A.n_row × r]
static mw_code thin(const combination *c, const mw_csc *A, mw_arena *mem, mw_csc *out,
                    mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_csc AT;
  int w = A->n_row, rows = c->head + c->q, r = c->head + c->m;
  double *X = mw_arena_f64(&tmp, (size_t)w * (size_t)rows),
         *D = mw_arena_f64(&tmp, (size_t)w * (size_t)r),
         *Dt = mw_arena_f64(&tmp, (size_t)w * (size_t)r);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_csc_transpose(A, &tmp, &AT, err);
  for (int j = 0; rc == MW_OK && j < rows; j++) {
    const double *u = c->U + (size_t)j * (size_t)c->n;
    for (int k = 0; k < w; k++)
      for (int e = AT.ptr[k]; e < AT.ptr[k + 1]; e++)
        X[(size_t)j * (size_t)w + (size_t)k] += AT.val[e] * u[AT.row[e]];
  }
  if (rc == MW_OK) combine(c, w, X, D);
  for (int j = 0; rc == MW_OK && j < r; j++)
    for (int k = 0; k < w; k++)
      Dt[(size_t)k * (size_t)r + (size_t)j] = D[(size_t)j * (size_t)w + (size_t)k];
  if (rc == MW_OK) rc = full(w, r, false, Dt, mem, out, err);
  mw_arena_free(&tmp);
  return rc;
}

// w rows A [w × n] against T: out [w × r]
static mw_code few(const combination *c, int w, const double *A, double *out, mw_error *err)
{
  mw_arena tmp = { 0 };
  int rows = c->head + c->q, r = c->head + c->m;
  double *X = mw_arena_f64(&tmp, (size_t)w * (size_t)rows),
         *D = mw_arena_f64(&tmp, (size_t)w * (size_t)r);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    mw_gemm('n', 't', rows, w, c->n, 1.0, c->U, A, 0.0, X);
    combine(c, w, X, D);
    for (int k = 0; k < w; k++)
      for (int j = 0; j < r; j++) out[k * r + j] = D[j * w + k];
  }
  mw_arena_free(&tmp);
  return rc;
}

// T in single precision, by columns of U
static mw_code shapes(const combination *c, float *T, mw_error *err)
{
  enum { WIDTH = 1024 };
  mw_arena tmp = { 0 };
  int rows = c->head + c->q, r = c->head + c->m;
  double *X = mw_arena_f64(&tmp, (size_t)rows * WIDTH), *D = mw_arena_f64(&tmp, (size_t)r * WIDTH);
  mw_code rc = mw_arena_check(&tmp, err);
  size_t n = (size_t)c->n;
  for (size_t o = 0; rc == MW_OK && o < n; o += WIDTH) {
    size_t w = n - o < WIDTH ? n - o : WIDTH;
    for (size_t i = 0; i < (size_t)rows; i++) memcpy(X + i * w, c->U + i * n + o, w * sizeof *X);
    combine(c, (int)w, X, D);
    for (size_t i = 0; i < (size_t)r; i++)
      for (size_t j = 0; j < w; j++) T[i * n + o + j] = (float)D[i * w + j];
  }
  mw_arena_free(&tmp);
  return rc;
}

// D [r × r] := T A Tᵀ for r rows T, W [MW_BASIS_ROWS × (n + max(n, r))] scratch
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

// D := C E Cᵀ of rows × rows E; t [r × rows], t2 [rows × r] scratch
static void both_sides(const combination *c, const double *E, double *t, double *t2, double *D)
{
  int rows = c->head + c->q, r = c->head + c->m;
  combine(c, rows, E, t);
  for (int i = 0; i < r; i++)
    for (int j = 0; j < rows; j++)
      t2[(size_t)j * (size_t)r + (size_t)i] = t[(size_t)i * (size_t)rows + (size_t)j];
  combine(c, r, t2, D);
  // combine gives C tᵀ, which is the transpose
  for (int i = 0; i < r; i++)
    for (int j = 0; j < i; j++) {
      double x = D[(size_t)i * (size_t)r + (size_t)j];
      D[(size_t)i * (size_t)r + (size_t)j] = D[(size_t)j * (size_t)r + (size_t)i];
      D[(size_t)j * (size_t)r + (size_t)i] = x;
    }
}

// M_αβ; M_zz = 1 − M_xx − M_yy
static mw_code moments(const combination *c, const mw_body *b, mw_arena *mem, mw_body *out,
                       mw_error *err)
{
  enum { XX, YY, ZZ, N_MOMENT = 6 };
  mw_arena tmp = { 0 };
  int rows = c->head + c->q, r = c->head + c->m;
  size_t rr = (size_t)r * (size_t)r, RR = (size_t)rows * (size_t)rows, n = (size_t)c->n,
         at_once = MW_BASIS_ROWS;
  double *E = mw_arena_f64(&tmp, RR), *t = mw_arena_f64(&tmp, RR), *t2 = mw_arena_f64(&tmp, RR),
         *D = mw_arena_f64(&tmp, rr), *Z = mw_arena_f64(&tmp, rr),
         *W = mw_arena_f64(&tmp, at_once * (n + (n > (size_t)rows ? n : (size_t)rows)));
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < r; i++) Z[(size_t)i * (size_t)r + (size_t)i] = 1.0;
  for (int k = 0; rc == MW_OK && k < N_MOMENT; k++) {
    const mw_csc *A = &b->Mab[k];
    if (k == ZZ) continue;
    moment(A, rows, c->U, W, E);
    both_sides(c, E, t, t2, D);
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

// R_r = T M R
static mw_code rigid(const combination *c, const mw_body *b, double *out, mw_error *err)
{
  mw_arena tmp = { 0 };
  int r = c->head + c->m;
  size_t n = (size_t)c->n;
  double *MR = mw_arena_f64(&tmp, 6 * n), *rows = mw_arena_f64(&tmp, 6 * n),
         *D = mw_arena_f64(&tmp, 6 * (size_t)r);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    mw_csc_mul_many(&b->M, 6, 1.0, b->R, 0.0, MR);
    for (size_t i = 0; i < n; i++)
      for (size_t a = 0; a < 6; a++) rows[a * n + i] = MR[6 * i + a];
    rc = few(c, 6, rows, D, err);
    for (int i = 0; i < r; i++)
      for (int a = 0; a < 6; a++) out[6 * i + a] = D[a * r + i];
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code basis_project(stage *z, const basis_rows *u, int n_pattern, const double *C,
                      const double *lambda, mw_basis *out, mw_error *err)
{
  const mw_body *b = z->b;
  mw_arena *mem = &out->mem;
  mw_body *body = &out->body;
  combination c = { .n = z->n, .head = u->head, .q = u->q, .m = n_pattern, .U = u->U, .C = C };
  int r = out->r = u->head + n_pattern;
  *body = *b;
  body->n_u = r;
  body->n_node = body->n_edge = body->n_tri = 0;
  body->X = body->R = NULL;
  body->edge = body->tri = NULL;
  body->mesh = NULL;
  body->N = body->Nr = (mw_csc){ 0 };
  body->s = mw_arena_f64(mem, 3 * (size_t)r);
  body->h = mw_arena_f64(mem, 9 * (size_t)r);
  if (z->n_rigid > 0) body->R = mw_arena_f64(mem, 6 * (size_t)r);
  out->T = mw_arena_alloc(mem, (size_t)r * (size_t)z->n, sizeof *out->T);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = few(&c, 3, b->s, body->s, err);
  if (rc == MW_OK) rc = few(&c, 9, b->h, body->h, err);
  if (rc == MW_OK) rc = shapes(&c, out->T, err);
  if (rc == MW_OK) rc = diagonal(r, lambda, mem, &body->K, err);
  if (rc == MW_OK) rc = diagonal(r, NULL, mem, &body->M, err);
  if (rc == MW_OK) rc = thin(&c, &b->P, mem, &body->P, err);
  if (rc == MW_OK && b->n_gauge > 0) rc = thin(&c, &b->S, mem, &body->S, err);
  if (rc == MW_OK) rc = b->ground ? no_moments(r, mem, body, err) : moments(&c, b, mem, body, err);
  if (rc == MW_OK && z->n_rigid > 0) rc = rigid(&c, b, body->R, err);
  return rc;
}
