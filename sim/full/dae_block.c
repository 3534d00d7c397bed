// SPDX-License-Identifier: BSD-3-Clause
// dae_block.c: the Newton block of one body, constant in D-coordinates, factored once and used in
// every step.
//
//   [ β' M_pp   Φᵀ   0   β' M_pu ] [ p̂ ]       M_pp: m, mX, J at u = 0 ;  M_pu = [s_β ; h_αβ] ;
//       β' + γ'α for β' of
//                                               elastic bodies, which α damps as they move
//                                                 (dae_modal.c)
//   [ Φ         0    0   0       ] [ λ ]       Φ: the constant rows Ê_ii, Ê_jk + Ê_kj
//   [ 0         0    0   Q       ] [ μ ]  = r  Q: reference rows, span of RᵀM
//   [ β' M_up   0    Qᵀ  S_uu    ] [ u ]       S_uu = β' M + γ' C + K by CHOLMOD;
//       K_T for K once strains of second order slow
//                                              the iteration down (dae_strain.c)
//
// The first three rows, at most 24, border S_uu; their dense Schur complement is factored by LU.
// Rows Φ and Q are scaled by c_phi, c_ref so that the whole is of one size. The functionals of the
// interface are (ô, Ê, z = P u): W = P̂ S⁻¹ and G = P̂ S⁻¹ P̂ᵀ are kept, so that an iteration costs
// one triangular solve and one product with W. A body at rest has no border, a rigid one no u.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "dae_layer.h"

enum { AT_ONCE = 64, FACTOR = 100 };  // right-hand sides; as many cost as much as a factorization

double mw_dae_block_cost(const mw_body *b, bool moving)
{
  return (double)b->n_u * ((moving ? 12 : 0) + b->n_z + FACTOR);
}

// Combinations of RᵀM u = 0 that are independent in the body's basis, normalised: Q M⁻¹ Qᵀ = 1 for
// Q in the span of RᵀM.
static mw_code reference_rows(mw_dae_block *k, mw_error *err)
{
  static const double RANK =
      1e-9;  // relative to a rigid body's inertia: below it the basis has no such motion
  const mw_body *b = k->body;
  size_t n = (size_t)k->n_u;
  mw_arena tmp = { 0 };
  double *Rt = mw_arena_f64(&tmp, 6 * n), *RM = mw_arena_f64(&tmp, 6 * n), G[36], w[6], V[36], d[6];
  k->Q = mw_arena_f64(&k->mem, 6 * n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(&k->mem, err);
  if (rc != MW_OK) {
    mw_arena_free(&tmp);
    return rc;
  }
  for (int c = 0; c < 6; c++) {
    for (size_t i = 0; i < n; i++) Rt[(size_t)c * n + i] = b->R[i * 6 + (size_t)c];
    mw_csc_mul(&b->M, 1.0, Rt + (size_t)c * n, 0.0, RM + (size_t)c * n);
  }
  mw_gemm('n', 't', 6, 6, k->n_u, 1.0, Rt, RM, 0.0, G);
  // masses for the translations, the largest second moment for the rotations
  double J = b->J[0] + b->J[4] + b->J[8];
  for (int c = 0; c < 6; c++) d[c] = 1.0 / sqrt(c < 3 ? b->m : J);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) G[6 * i + j] *= d[i] * d[j];
  rc = mw_eig_sym(6, G, w, V, err);
  for (int c = 0; rc == MW_OK && c < 6; c++) {
    if (!(w[c] > RANK)) continue;
    double *Q = k->Q + (size_t)k->n_ref++ * n;
    for (int i = 0; i < 6; i++)
      mw_axpy(k->n_u, V[6 * i + c] * d[i] / sqrt(w[c]), RM + (size_t)i * n, Q);
  }
  mw_arena_free(&tmp);
  return rc;
}

// Second moments as the block sees them: a part in 1e7 more, so that bodies without inertia about
// an axis (points, thin rods) leave it regular. Newton's iteration corrects for it.
static double block_moment(const double J[9], double m, int a, int c)
{
  static const double MORE = 1e-7, POINT = 1e-6;  // 1; m², of a point mass
  double tr = J[0] + J[4] + J[8];
  return J[3 * a + c] + (a == c ? (tr > 0.0 ? MORE * tr : POINT * m) : 0.0);
}

// D and B: the border before elimination of u, with the moments of the body deformed by u0 (NULL:
// undeformed).
static void fill_border(mw_dae_block *k, const double *u0)
{
  const mw_body *b = k->body;
  int n = k->n_d;
  size_t N = (size_t)k->n_u;
  double mass = N > 0 ? k->beta + k->gamma * b->alpha : k->beta;
  double *D = k->D, mX[3], J[9], *hM = k->B + 3 * N;
  memcpy(mX, b->mX, sizeof mX);
  memcpy(J, b->J, sizeof J);
  if (u0) mw_dae_body_moments(b, u0, mX, J, hM);
  for (int i = 0; i < 3; i++) {
    D[i * n + i] = mass * b->m;
    for (int a = 0; a < 3; a++)
      D[i * n + 3 + 3 * i + a] = D[(3 + 3 * i + a) * n + i] = mass * mX[a];
    for (int a = 0; a < 3; a++)
      for (int c = 0; c < 3; c++)
        D[(3 + 3 * i + a) * n + 3 + 3 * i + c] = mass * block_moment(J, b->m, a, c);
  }
  for (int r = 0; r < 6; r++) {
    int i = mw_dae_pair[r][0], j = mw_dae_pair[r][1], e1 = 3 + 3 * i + j, e2 = 3 + 3 * j + i,
        row = 12 + r;
    D[row * n + e1] = D[e1 * n + row] = k->c_phi;
    D[row * n + e2] = D[e2 * n + row] = k->c_phi;
  }
  if (N == 0) return;
  for (int i = 0; i < 3; i++) mw_axpy(k->n_u, mass, b->s + (size_t)i * N, k->B + (size_t)i * N);
  for (size_t i = 0; u0 && i < 9 * N; i++) hM[i] *= mass;
  for (int be = 0; be < 3 && !u0; be++)
    for (int a = 0; a < 3; a++)
      mw_axpy(k->n_u, mass, b->h + (size_t)(3 * a + be) * N, k->B + (size_t)(3 + 3 * be + a) * N);
  for (int r = 0; r < k->n_ref; r++)
    mw_axpy(k->n_u, k->c_ref, k->Q + (size_t)r * N, k->B + (size_t)(18 + r) * N);
}

// Under compression K_T of a free body is indefinite: its rigid turns, which the reference rows
// hold, cost less than nothing.
static mw_code factor_elastic(mw_dae_block *k, const double *T, mw_error *err)
{
  const mw_body *b = k->body;
  mw_arena tmp = { 0 };
  mw_csc S, K = b->K;
  double c = 1.0 + k->gamma * b->beta, m = k->beta + k->gamma * b->alpha;
  mw_code rc = MW_OK;
  if (T) {
    size_t nz = (size_t)K.ptr[K.n_col];
    K.val = mw_arena_f64(&tmp, nz);
    rc = mw_arena_check(&tmp, err);
    for (size_t i = 0; rc == MW_OK && i < nz; i++) K.val[i] = T[i] + (c - 1.0) * b->K.val[i];
    c = 1.0;
  }
  if (rc == MW_OK) rc = mw_csc_add(c, &K, m, &b->M, &tmp, &S, err);
  if (rc == MW_OK) {
    rc = mw_factor_build(&S, true, &k->S, T ? NULL : err);
    if (rc == MW_ERR_NUMERIC && T) rc = mw_factor_build(&S, false, &k->S, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

static mw_code factor_border(mw_dae_block *k, const double *u0, mw_error *err)
{
  if (k->n_d == 0) return MW_OK;
  fill_border(k, u0);
  if (k->n_u > 0) {
    mw_code rc = mw_factor_solve(k->S, k->n_d, k->B, k->X, err);
    if (rc != MW_OK) return rc;
    mw_gemm('n', 't', k->n_d, k->n_d, k->n_u, -1.0, k->B, k->X, 1.0, k->D);
  }
  return mw_lu_factor(k->n_d, k->D, k->piv, err);
}

// W = P̂ S⁻¹ row by row, G = W P̂ᵀ
static mw_code interface_of(mw_dae_block *k, mw_progress *progress, mw_error *err)
{
  const mw_body *b = k->body;
  size_t ny = (size_t)k->n_y, nf = (size_t)k->n_f;
  int frame = k->moving ? 12 : 0;
  // functionals as rows
  for (int i = 0; i < frame; i++) k->W[(size_t)i * ny + (size_t)i] = 1.0;
  for (int j = 0; k->n_u > 0 && j < b->P.n_col; j++)
    for (int p = b->P.ptr[j]; p < b->P.ptr[j + 1]; p++)
      k->W[(size_t)(frame + b->P.row[p]) * ny + (size_t)(k->n_d + j)] += b->P.val[p];
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < k->n_f; i += AT_ONCE) {
    double *W = k->W + (size_t)i * ny;
    int n = k->n_f - i < AT_ONCE ? k->n_f - i : AT_ONCE;
    rc = mw_dae_block_solve(k, n, W, W, err);
    mw_progress_add(progress, (double)n * k->n_u);
  }
  for (size_t i = 0; rc == MW_OK && i < nf; i++) {
    memcpy(k->G + i * nf, k->W + i * ny, (size_t)frame * sizeof(double));
    if (k->n_u > 0) mw_csc_mul(&b->P, 1.0, k->W + i * ny + k->n_d, 0.0, k->G + i * nf + frame);
  }
  return rc;
}

// L of a rigid body: the answer of its twist to a wrench, 6 × 6, by the twist's place in the frame.
static mw_code twist_root(mw_dae_block *k, mw_error *err)
{
  static const int at[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 10, 8 }, { 5, 9 }, { 6, 4 } };
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      double C = 0.0;
      for (int a = 0; a < (i < 3 ? 1 : 2); a++)
        for (int b = 0; b < (j < 3 ? 1 : 2); b++)
          C += (a == b ? 1.0 : -1.0) * k->G[12 * at[i][a] + at[j][b]];
      k->L[6 * i + j] = C * (i < 3 ? 1.0 : 0.5) * (j < 3 ? 1.0 : 0.5);
    }
  return mw_chol_factor(6, k->L, err);
}

mw_code mw_dae_block_build(const mw_body *b, bool moving, double beta, double gamma,
                           const double *T, const double *u, mw_progress *progress,
                           mw_dae_block *out, mw_error *err)
{
  mw_dae_block k = { .body = b, .moving = moving, .n_u = b->n_u, .beta = beta, .gamma = gamma };
  mw_code rc = moving && b->n_u > 0 ? reference_rows(&k, err) : MW_OK;
  k.n_d = moving ? 18 + k.n_ref : 0;
  k.n_f = (moving ? 12 : 0) + (b->n_u > 0 ? b->n_z : 0);
  k.n_y = k.n_d + k.n_u;
  for (int i = 0; i < 3; i++) k.c_phi += beta * block_moment(b->J, b->m, i, i);
  k.c_ref = beta * sqrt(b->m);
  k.B = mw_arena_f64(&k.mem, (size_t)k.n_d * (size_t)k.n_u);
  k.X = mw_arena_f64(&k.mem, (size_t)k.n_d * (size_t)k.n_u);
  k.D = mw_arena_f64(&k.mem, (size_t)k.n_d * (size_t)k.n_d);
  k.W = mw_arena_f64(&k.mem, (size_t)k.n_f * (size_t)k.n_y);
  k.G = mw_arena_f64(&k.mem, (size_t)k.n_f * (size_t)k.n_f);
  if (rc == MW_OK) rc = mw_arena_check(&k.mem, err);
  if (rc == MW_OK && k.n_u > 0) rc = factor_elastic(&k, T, err);
  mw_progress_add(progress, (double)FACTOR * k.n_u);
  if (rc == MW_OK) rc = factor_border(&k, u, err);
  if (rc == MW_OK) rc = interface_of(&k, progress, err);
  if (rc == MW_OK && moving && k.n_u == 0) rc = twist_root(&k, err);
  if (rc == MW_OK)
    *out = k;
  else
    mw_dae_block_free(&k);
  return rc;
}

void mw_dae_block_free(mw_dae_block *k)
{
  mw_factor_free(k->S);
  mw_arena_free(&k->mem);
  *k = (mw_dae_block){ 0 };
}

mw_code mw_dae_block_solve(mw_dae_block *k, int n, const double *r, double *y, mw_error *err)
{
  int nd = k->n_d;
  size_t N = (size_t)k->n_u, ny = (size_t)k->n_y;
  if (y != r) memcpy(y, r, (size_t)n * ny * sizeof(double));
  if (k->n_u > 0) {
    mw_code rc = mw_factor_solve_ld(k->S, n, ny, y + nd, y + nd, err);
    if (rc != MW_OK) return rc;
  }
  for (int j = 0; j < n && nd > 0; j++) {
    double *d = y + (size_t)j * ny, *u = d + nd;
    for (int i = 0; i < nd && k->n_u > 0; i++) d[i] -= mw_dot(k->n_u, k->B + (size_t)i * N, u);
    mw_lu_solve(nd, k->D, k->piv, 1, d);
    for (int i = 0; i < nd && k->n_u > 0; i++) mw_axpy(k->n_u, -d[i], k->X + (size_t)i * N, u);
  }
  return MW_OK;
}
