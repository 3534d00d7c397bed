// SPDX-License-Identifier: BSD-3-Clause
// blocks.c: what a body contributes to every configuration: S_b = K − σM factored once.
//
// A body in its eigenbasis (basis.h) has diagonal K and M: there is nothing to factor, and any
// shift is free. Where a mass has been put into its M, K stays diagonal, and σ = 0 needs no more.
// What is diagonal threads may solve with at a time; factors keep workspaces and are one thread's.
//
// At σ = 0 a free body's K is singular. Six of its unknowns i (greedily chosen so that the rigid
// modes restricted to them are as independent as possible) get springs κ_i = K_ii; the unit rows of
// these unknowns are functionals too, and the dense joint system subtracts the springs exactly
// (system.c). Cost: one factorization and six solves a body.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "system_layer.h"

// Diagonal entries of a symmetric lower CSC matrix.
static double diagonal(const mw_csc *A, int j)
{
  return A->ptr[j] < A->ptr[j + 1] && A->row[A->ptr[j]] == j ? A->val[A->ptr[j]] : 0.0;
}

// Smallest positive diagonal entry.
static double softest(const mw_csc *A)
{
  double least = INFINITY;
  for (int j = 0; j < A->n_col; j++)
    if (diagonal(A, j) > 0.0) least = fmin(least, diagonal(A, j));
  return isinf(least) ? 1.0 : least;
}

static bool is_diagonal(const mw_csc *A)
{
  for (int j = 0; j < A->n_col; j++)
    if (A->ptr[j + 1] != A->ptr[j] + 1 || A->row[A->ptr[j]] != j) return false;
  return true;
}

// Greedy choice of six unknowns: Gram-Schmidt on the rows of R (rotation columns scaled to unit
// mean square).
mw_code mw_block_ground(const mw_body *b, mw_block *bl, mw_error *err)
{
  size_t n = (size_t)b->n_u;
  double *Q = malloc(n * 6 * sizeof *Q), scale[6] = { 0 };
  if (!Q) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for body %s", b->name);
  for (size_t i = 0; i < 6 * n; i++) scale[i % 6] += b->R[i] * b->R[i];
  for (size_t i = 0; i < 6 * n; i++) Q[i] = b->R[i] / sqrt(scale[i % 6]);
  for (int k = 0; k < 6; k++) {
    size_t best = 0;
    double norm = -1.0;
    for (size_t i = 0; i < n; i++) {
      double d = 0.0;
      for (int c = 0; c < 6; c++) d += Q[6 * i + (size_t)c] * Q[6 * i + (size_t)c];
      if (d > norm * (1.0 + 1e-9)) {
        norm = d;
        best = i;
      }
    }
    double q[6];
    for (int c = 0; c < 6; c++) q[c] = Q[6 * best + (size_t)c] / sqrt(norm);
    for (size_t i = 0; i < n; i++) {
      double d = 0.0;
      for (int c = 0; c < 6; c++) d += Q[6 * i + (size_t)c] * q[c];
      for (int c = 0; c < 6; c++) Q[6 * i + (size_t)c] -= d * q[c];
    }
    bl->ground[k] = (int)best;
    bl->kappa[k] = diagonal(&b->K, (int)best);
    if (!(bl->kappa[k] > 0.0)) bl->kappa[k] = softest(&b->K);  // a rigid mode of an eigenbasis
  }
  bl->n_ground = 6;
  free(Q);
  return MW_OK;
}

// S = K itself where nothing changes, its pattern where only values do.
mw_code mw_block_shifted(const mw_body *b, const mw_block *bl, double sigma, mw_arena *mem,
                         mw_csc *S, mw_error *err)
{
  mw_code rc = MW_OK;
  *S = b->K;
  if (sigma != 0.0) {
    rc = mw_csc_add(1.0, &b->K, -sigma, &b->M, mem, S, err);
  } else if (bl->n_ground > 0) {
    size_t nnz = (size_t)b->K.ptr[b->n_u];
    S->val = mw_arena_f64(mem, nnz);
    rc = mw_arena_check(mem, err);
    if (rc == MW_OK) memcpy(S->val, b->K.val, nnz * sizeof *S->val);
  }
  for (int i = 0; rc == MW_OK && i < bl->n_ground; i++) {
    int j = bl->ground[i];
    if (S->row[S->ptr[j]] == j) S->val[S->ptr[j]] += bl->kappa[i];
  }
  return rc;
}

static mw_code diagonal_body(mw_blocks *bs, const mw_body *b, mw_block *bl, mw_error *err)
{
  bl->diag = mw_arena_f64(&bs->mem, (size_t)b->n_u);
  mw_code rc = mw_arena_check(&bs->mem, err);
  for (int i = 0; rc == MW_OK && i < b->n_u; i++)
    bl->diag[i] = diagonal(&b->K, i) - bs->sigma * diagonal(&b->M, i);
  for (int i = 0; rc == MW_OK && i < bl->n_ground; i++) bl->diag[bl->ground[i]] += bl->kappa[i];
  for (int i = 0; rc == MW_OK && i < b->n_u; i++) {
    if (bl->diag[i] == 0.0)
      rc = mw_fail(err, MW_ERR_NUMERIC, b->at, "body %s: the shift is one of its eigenvalues",
                   b->name);
    bl->n_negative += bl->diag[i] < 0.0;
  }
  return rc;
}

static mw_code factor_body(mw_blocks *bs, const mw_body *b, mw_block *bl, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_csc S = { 0 };
  bl->eigenbasis = is_diagonal(&b->K) && is_diagonal(&b->M);
  if (bl->eigenbasis || (bs->sigma == 0.0 && is_diagonal(&b->K)))
    return diagonal_body(bs, b, bl, err);
  mw_code rc = mw_block_shifted(b, bl, bs->sigma, &tmp, &S, err);
  if (rc == MW_OK) rc = mw_factor_build(&S, !bs->indefinite, &bl->factor, err);
  if (rc == MW_OK) bl->n_negative = mw_factor_negative(bl->factor);
  if (rc != MW_OK && err && rc == MW_ERR_NUMERIC)
    rc = mw_fail(err, rc, b->at,
                 "body %s: its stiffness matrix cannot be factored (a part of it is loose?)",
                 b->name);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_block_solve(const mw_block *k, int n_u, int n, size_t ld, double *X, mw_error *err)
{
  if (!k->diag) return mw_factor_solve_ld(k->factor, n, ld, X, X, err);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n_u; j++) X[(size_t)i * ld + (size_t)j] /= k->diag[j];
  return MW_OK;
}

void mw_block_functional(const mw_block *k, const double *c, double *y)
{
  for (int i = 0; i < k->PT.n_col; i++) {
    int from = k->PT.ptr[i], n = k->PT.ptr[i + 1] - from;
    if (c[i] == 0.0) continue;
    if (n == k->PT.n_row)  // of a body in a basis: all rows, in their order
      mw_axpy(n, c[i], k->PT.val + from, y);
    else
      for (int e = from; e < from + n; e++) y[k->PT.row[e]] += c[i] * k->PT.val[e];
  }
  for (int i = 0; k->mean && i < 3; i++)
    if (c[k->PT.n_col + i] != 0.0)
      mw_axpy(k->PT.n_row, c[k->PT.n_col + i], k->mean + (size_t)i * (size_t)k->PT.n_row, y);
}

// mean: the last three rows of (RᵀMR)⁻¹ (M R)ᵀ, L the lower Cholesky factor of RᵀMR
static mw_code mean_axes(mw_blocks *bs, const mw_body *b, const double *L, mw_block *bl,
                         mw_error *err)
{
  size_t n = (size_t)b->n_u;
  mw_arena tmp = { 0 };
  double *MR = mw_arena_f64(&tmp, 6 * n), r[6];
  bl->mean = mw_arena_f64(&bs->mem, 3 * n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(&bs->mem, err);
  if (rc == MW_OK) mw_csc_mul_many(&b->M, 6, 1.0, b->R, 0.0, MR);
  for (size_t i = 0; rc == MW_OK && i < n; i++) {
    memcpy(r, MR + 6 * i, sizeof r);
    mw_chol_solve(6, L, 1, r);
    for (size_t c = 0; c < 3; c++) bl->mean[c * n + i] = r[3 + c];
  }
  mw_arena_free(&tmp);
  return rc;
}

// Pᵀ, and the rows S⁻¹ e_g
static mw_code interface(mw_blocks *bs, const mw_body *b, mw_block *bl, mw_error *err)
{
  size_t n = (size_t)b->n_u;
  bl->X = mw_arena_f64(&bs->mem, (size_t)bl->n_ground * n);
  mw_code rc = mw_arena_check(&bs->mem, err);
  if (rc == MW_OK) rc = mw_csc_transpose(&b->P, &bs->mem, &bl->PT, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < bl->n_ground; i++) bl->X[(size_t)i * n + (size_t)bl->ground[i]] = 1.0;
  return mw_block_solve(bl, b->n_u, bl->n_ground, n, bl->X, err);
}

int mw_block_width(const mw_blocks *bl, int b)
{
  const mw_body *body = &bl->m->body[b];
  if (body->n_u > 0) return body->n_z + (bl->block[b].mean ? 3 : 0);
  return body->ground ? 0 : 6;
}

// Mass of a rigid motion (v, ω) about the frame origin: [m I, −(mX)~ ; (mX)~, tr(J) I − J]
static void rigid_mass(const mw_body *b, double M[36])
{
  const double *c = b->mX, tr = b->J[0] + b->J[4] + b->J[8];
  const double X[9] = { 0.0, -c[2], c[1], c[2], 0.0, -c[0], -c[1], c[0], 0.0 };
  memset(M, 0, 36 * sizeof *M);
  for (int i = 0; i < 3; i++) {
    M[7 * i] = b->m;
    for (int j = 0; j < 3; j++) {
      M[6 * i + 3 + j] = -X[3 * i + j];
      M[6 * (3 + i) + j] = X[3 * i + j];
      M[6 * (3 + i) + 3 + j] = (i == j ? tr : 0.0) - b->J[3 * i + j];
    }
  }
}

// A straight row of lumped masses does not resist a turn about itself: RᵀMR is singular but for
// rounding of its sums.
static mw_code factor_gram(const mw_body *b, double *G, mw_error *err)
{
  double whole[6];
  for (int i = 0; i < 6; i++) whole[i] = G[7 * i];
  mw_error why = { 0 };
  mw_code rc = mw_chol_factor(6, G, &why);
  for (int i = 0; rc == MW_OK && i < 6; i++)
    if (G[7 * i] * G[7 * i] <= 64.0 * DBL_EPSILON * whole[i]) rc = MW_ERR_NUMERIC;
  if (rc == MW_OK) return MW_OK;
  return mw_fail(
      err, MW_ERR_INPUT, b->at,
      "body %s: its mass matrix has a rigid motion without inertia, as a straight row of "
      "lumped masses has that turns about itself (expected inertia of rows rx ry rz)",
      b->name);
}

// Lower Cholesky factor of Rᵀ M R
mw_code mw_block_rigid_gram(const mw_body *b, double *G, mw_error *err)
{
  size_t n = (size_t)b->n_u;
  mw_arena tmp = { 0 };
  double *MR = mw_arena_f64(&tmp, 6 * n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    mw_csc_mul_many(&b->M, 6, 1.0, b->R, 0.0, MR);
    mw_gemm('t', 'n', 6, 6, b->n_u, 1.0, b->R, MR, 0.0, G);
    rc = factor_gram(b, G, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

static mw_code build_block(mw_blocks *bs, int body, const mw_blocks *alone, mw_error *err)
{
  const mw_body *b = &bs->m->body[body];
  mw_block *bl = &bs->block[body];
  bs->offset[body] = bs->n;
  if (b->n_u == 0) {
    if (b->ground) return MW_OK;
    // frames of components stand for bodies whose mass is inside
    if (!mw_model_component_of(bs->m->model, body)) rigid_mass(b, bs->M6 + 36 * body);
    bs->n += 6;
    return MW_OK;
  }
  bs->n += b->n_u;
  mw_code rc = MW_OK;
  if (alone) {
    *bl = alone->block[0];
    bl->borrowed = true;
    memcpy(bs->RMR + 36 * body, alone->RMR, 36 * sizeof *bs->RMR);
    return MW_OK;
  }
  if (!b->ground) rc = mw_block_rigid_gram(b, bs->RMR + 36 * body, err);
  if (rc == MW_OK && !b->ground && b->n_guide > 0)
    rc = mean_axes(bs, b, bs->RMR + 36 * body, bl, err);
  if (rc == MW_OK && !b->ground && bs->sigma == 0.0) rc = mw_block_ground(b, bl, err);
  if (rc == MW_OK) rc = factor_body(bs, b, bl, err);
  if (rc == MW_OK) rc = interface(bs, b, bl, err);
  return rc;
}

static mw_code build(const mw_mech *m, double sigma, bool indefinite,
                     const mw_blocks *const *of_body, mw_blocks **out, mw_error *err)
{
  *out = NULL;
  mw_blocks *bs = calloc(1, sizeof *bs);
  if (!bs)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the bodies' factorizations");
  size_t nb = (size_t)m->n_body;
  bs->m = m;
  bs->sigma = sigma;
  bs->indefinite = indefinite;
  bs->offset = mw_arena_int(&bs->mem, nb);
  bs->block = mw_arena_alloc(&bs->mem, nb, sizeof *bs->block);
  bs->M6 = mw_arena_f64(&bs->mem, 36 * nb);
  bs->RMR = mw_arena_f64(&bs->mem, 36 * nb);
  mw_code rc = mw_arena_check(&bs->mem, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++)
    rc = build_block(bs, b, of_body ? of_body[b] : NULL, err);
  if (rc == MW_OK)
    *out = bs;
  else
    mw_blocks_free(bs);
  return rc;
}

mw_code mw_blocks_build(const mw_mech *m, double sigma, bool indefinite, mw_blocks **out,
                        mw_error *err)
{
  return build(m, sigma, indefinite, NULL, out, err);
}

mw_code mw_blocks_build_from(const mw_mech *m, const mw_blocks *const *of_body, mw_blocks **out,
                             mw_error *err)
{
  return build(m, 0.0, false, of_body, out, err);
}

void mw_blocks_free(mw_blocks *b)
{
  if (!b) return;
  for (int i = 0; b->block && i < b->m->n_body; i++)
    if (!b->block[i].borrowed) mw_factor_free(b->block[i].factor);
  mw_arena_free(&b->mem);
  free(b);
}

int mw_blocks_size(const mw_blocks *b) { return b->n; }
int mw_blocks_offset(const mw_blocks *b, int body) { return b->offset[body]; }

size_t mw_blocks_factor_bytes(const mw_blocks *b)
{
  size_t bytes = 0;
  for (int i = 0; i < b->m->n_body; i++)
    if (b->block[i].factor) bytes += mw_factor_bytes(b->block[i].factor);
  return bytes;
}
