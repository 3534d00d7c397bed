// SPDX-License-Identifier: BSD-3-Clause
// basis.c: the body stage: what is done once a body, whatever its mesh, so that a configuration
// costs nothing of it.
//
//   G = Π S⁻¹ Πᵀ ,  Π = 1 − R Rᵀ M      elastic flexibility, R the M-orthonormal rigid modes,
//       S = K with six springs (blocks.c)
//   G M φ = φ/λ                          elastic modes by block Lanczos (lanczos.c), all below one
//                                        and a half times the band
//   neg(K − σM) = n_rigid + n_mode       none is missing (Sylvester), σ between the last mode and
//                                        the next
//   T = [R, φ, patterns] W ,  TᵀMT = 1 ,  TᵀKT = diag(λ)
//
// For a load in equilibrium with rigid accelerations the springs carry nothing: G is exact. Bodies
// of few unknowns keep all their eigenvectors. Cost: a factorization, a solve for every 8 vectors
// of Lanczos, one a load (in blocks of 32), the factorization of the count.
// Bodies too large for this process: other processes factor, solve and find the modes
// (basis_far.c).
// Craig, Bampton 1968; Rixen, J. Comput. Appl. Math. 168 (2004) 383 (free interfaces); Qu, Int. J.
// Mech. Sci. 43 (2001).
#include "reduction/basis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "basis_priv.h"
#include "reduction/ncfile.h"
#include "system/lanczos_layer.h"

enum { FEW = 24, LEAST_MODES = 4 };
static const double MODES_TO = MW_BASIS_MODES_TO;
static const double ROUGH_TOLERANCE = 1e-2;  // of the static patterns of a rough basis
static const double EQUAL = 1e-6;            // relative distance of a shift from eigenvalues

// ---- operators ----------------------------------------------------------------------------------

void basis_mul(stage *z, const mw_csc *A, int k, const double *X, double *Y)
{
  size_t n = (size_t)z->n;
  for (int first = 0; first < k; first += MW_BASIS_ROWS) {
    size_t w = (size_t)(k - first < MW_BASIS_ROWS ? k - first : MW_BASIS_ROWS);
    const double *x = X + (size_t)first * n;
    double *y = Y + (size_t)first * n, *xt = z->work, *yt = xt + w * n;
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < w; i++) xt[j * w + i] = x[i * n + j];
    mw_csc_mul_many(A, (int)w, 1.0, xt, 0.0, yt);
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < w; i++) y[i * n + j] = yt[j * w + i];
  }
}

// X −= (X Bᵀ) A over the rigid modes: Π with A = R, B = M R, its transpose with the two exchanged
static void take_rigid(const stage *z, int k, const double *A, const double *B, double *X)
{
  double c[6 * MW_BASIS_ROWS];
  for (int i = 0; z->n_rigid > 0 && i < k; i += MW_BASIS_ROWS) {
    int w = k - i < MW_BASIS_ROWS ? k - i : MW_BASIS_ROWS;
    double *x = X + (size_t)i * (size_t)z->n;
    mw_gemm('n', 't', w, z->n_rigid, z->n, 1.0, x, B, 0.0, c);
    mw_gemm('n', 'n', w, z->n, z->n_rigid, -1.0, c, A, 1.0, x);
  }
}

mw_code basis_flexibility(stage *z, int k, const double *F, double *X, mw_error *err)
{
  if (F != X) memcpy(X, F, (size_t)k * (size_t)z->n * sizeof *X);
  take_rigid(z, k, z->MR, z->R, X);
  mw_code rc = z->far ? basis_far_solve(z, k, X, err)
                      : mw_block_solve(&z->bl->block[0], z->n, k, (size_t)z->n, X, err);
  if (rc != MW_OK) return rc;
  take_rigid(z, k, z->R, z->MR, X);
  return rc;
}

void basis_loads(const stage *z, int k, const double *X, double *Y)
{
  const mw_csc *PT = z->PT;
  size_t n = (size_t)z->n;
  for (int i = 0; i < k; i++) {
    const double *x = X + (size_t)i * n;
    double *y = Y + (size_t)i * (size_t)z->n_load;
    for (int c = 0; c < PT->n_col; c++) {
      y[c] = 0.0;
      for (int e = PT->ptr[c]; e < PT->ptr[c + 1]; e++) y[c] += PT->val[e] * x[PT->row[e]];
    }
    for (int c = PT->n_col; c < z->n_load; c++)
      y[c] = mw_dot(z->n, z->gravity + (size_t)(c - PT->n_col) * n, x);
  }
}

// ---- start --------------------------------------------------------------------------------------

// M-orthonormal rigid modes by Cholesky of their Gram matrix: rows of L⁻¹ Rᵀ
static mw_code rigid_modes(stage *z, mw_error *err)
{
  size_t n = (size_t)z->n;
  z->n_rigid = z->b->ground ? 0 : 6;
  if (z->n_rigid == 0) return MW_OK;
  z->R = mw_arena_f64(&z->mem, 6 * n);
  z->MR = mw_arena_f64(&z->mem, 6 * n);
  mw_code rc = mw_arena_check(&z->mem, err);
  if (rc != MW_OK) return rc;
  const double *L = z->RMR;
  for (size_t i = 0; i < n; i++)
    for (size_t a = 0; a < 6; a++) {
      double x = z->b->R[6 * i + a];
      for (size_t c = 0; c < a; c++) x -= L[6 * a + c] * z->R[c * n + i];
      z->R[a * n + i] = x / L[6 * a + a];
    }
  basis_mul(z, &z->b->M, 6, z->R, z->MR);
  return MW_OK;
}

// X and F of all loads
static mw_code loads(stage *z, mw_error *err)
{
  size_t n = (size_t)z->n;
  const mw_csc *PT = z->PT;
  bool heavy = z->b->ground && z->b->gravity;
  z->n_load = PT->n_col + (heavy ? 3 : 0);
  size_t nl = (size_t)z->n_load;
  z->X = mw_arena_f64(&z->mem, nl * n);
  z->F = mw_arena_f64(&z->mem, nl * nl);
  mw_code rc = mw_arena_check(&z->mem, err);
  if (rc != MW_OK) return rc;
  z->gravity = z->b->s;
  for (int c = 0; c < PT->n_col; c++)
    for (int e = PT->ptr[c]; e < PT->ptr[c + 1]; e++)
      z->X[(size_t)c * n + (size_t)PT->row[e]] += PT->val[e];
  if (heavy) memcpy(z->X + (size_t)PT->n_col * n, z->b->s, 3 * n * sizeof *z->X);
  rc = basis_flexibility(z, z->n_load, z->X, z->X, err);
  if (rc != MW_OK) return rc;
  basis_loads(z, z->n_load, z->X, z->F);
  for (size_t i = 0; i < nl; i++)
    for (size_t j = 0; j < i; j++)
      z->F[i * nl + j] = z->F[j * nl + i] = 0.5 * (z->F[i * nl + j] + z->F[j * nl + i]);
  return MW_OK;
}

mw_code basis_start(stage *z, mw_error *err)
{
  if (z->started) return MW_OK;
  mw_code rc = z->far ? basis_far_start(z, err) : mw_blocks_build(&z->one, 0.0, false, &z->bl, err);
  if (rc == MW_OK && !z->far) {
    z->PT = &z->bl->block[0].PT;
    z->RMR = z->bl->RMR;
  }
  z->work = mw_arena_f64(&z->mem, 2 * MW_BASIS_ROWS * (size_t)z->n);
  if (rc == MW_OK) rc = mw_arena_check(&z->mem, err);
  if (rc == MW_OK) rc = rigid_modes(z, err);
  if (rc == MW_OK) rc = loads(z, err);
  z->started = rc == MW_OK;
  return rc;
}

// ---- modes --------------------------------------------------------------------------------------

static void op_mul(void *ctx, int k, const double *X, double *Y, double *work)
{
  stage *z = ctx;
  (void)work;
  basis_mul(z, &z->b->M, k, X, Y);
}

static mw_code op_solve(void *ctx, int k, const double *F, double *X, mw_error *err)
{
  return basis_flexibility(ctx, k, F, X, err);
}

// Lowest elastic modes: `want`, or all below top (rad/s)² and one above.
static mw_code find_modes(stage *z, int want, double top, mw_error *err)
{
  mw_operator op = { .n = z->n, .ctx = z, .mul_M = op_mul, .solve = op_solve };
  int most = z->n - z->n_rigid - 1;
  mw_arena_free(&z->modes);
  z->lambda = z->Phi = NULL;
  mw_code rc = mw_lanczos(&op, want < most ? want : most, top > 0.0 ? 1.0 / top : 0.0, &z->modes,
                          &z->n_mode, &z->lambda, &z->Phi, err);
  for (int i = 0; rc == MW_OK && i < z->n_mode; i++) z->lambda[i] = 1.0 / z->lambda[i];
  return rc;
}

// Number of eigenvalues below sigma, rigid ones included.
static mw_code count_below(const stage *z, double sigma, int *count, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_csc S;
  if (z->far) return basis_far_count(z, sigma, count, err);
  mw_code rc = mw_csc_add(1.0, &z->b->K, -sigma, &z->b->M, &tmp, &S, err);
  if (rc == MW_OK) rc = mw_factor_count(&S, count, err);
  mw_arena_free(&tmp);
  return rc;
}

// All modes below top, proved; those above are dropped.
static mw_code proved_modes(stage *z, double top, mw_error *err)
{
  enum { TRIES = 3 };
  if (z->far) return basis_far_modes(z, top, err);
  for (int t = 0, want = LEAST_MODES; t < TRIES; t++) {
    mw_code rc = find_modes(z, want, top, err);
    if (rc != MW_OK) return rc;
    int below = z->n_mode, count = 0;
    while (below > 0 && z->lambda[below - 1] > top) below--;
    if (below == z->n_mode) return MW_OK;  // all the body has
    if (z->count_apart) {
      z->n_mode = below;
      return MW_OK;
    }
    double upper = z->lambda[below] * (1.0 - EQUAL);
    double sigma = below > 0 ? sqrt(fmax(z->lambda[below - 1], 0.5 * top) * upper) : 0.5 * upper;
    rc = count_below(z, sigma, &count, err);
    if (rc != MW_OK) return rc;
    if (count == z->n_rigid + below) {
      z->n_mode = below;
      return MW_OK;
    }
    want = count - z->n_rigid + LEAST_MODES * (t + 1);
  }
  return mw_fail(err, MW_ERR_NUMERIC, z->b->at, "body %s: modes below %.4g Hz are missing",
                 z->b->name, sqrt(top) / (2.0 * acos(-1.0)));
}

// ---- the basis ----------------------------------------------------------------------------------

// A body of few unknowns: all there is.
static mw_code everything(stage *z, basis_rows *u, mw_error *err)
{
  size_t n = (size_t)z->n;
  mw_code rc = basis_rows_init(z, z->n, u, err);
  if (rc != MW_OK) return rc;
  double *Z = u->U + (size_t)u->head * n;
  for (size_t i = 0; i < n; i++) Z[i * n + i] = 1.0;
  basis_rows_add(z, u, z->n);
  double *KZ = calloc(n * n, sizeof *KZ);
  if (!KZ)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the basis of %s", z->b->name);
  basis_mul(z, &z->b->K, z->n, Z, KZ);
  mw_gemm('n', 't', z->n, z->n, z->n, 1.0, Z, KZ, 0.0, u->KG);
  free(KZ);
  return MW_OK;
}

// The basis from its rows.
static mw_code combine(stage *z, const basis_rows *u, mw_basis *out, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t q = (size_t)u->q;
  double *C = mw_arena_f64(&tmp, q * q), *lambda = mw_arena_f64(&tmp, (size_t)u->head + q);
  mw_code rc = mw_arena_check(&tmp, err);
  out->n_rigid = z->n_rigid;
  out->n_mode = u->head - z->n_rigid;
  if (rc == MW_OK && out->n_mode > 0)
    memcpy(lambda + z->n_rigid, z->lambda, (size_t)out->n_mode * sizeof *lambda);
  if (rc == MW_OK) rc = basis_ritz(u, &out->n_pattern, C, lambda + u->head, err);
  if (rc == MW_OK) rc = basis_project(z, u, out->n_pattern, C, lambda, out, err);
  mw_arena_free(&tmp);
  return rc;
}

static mw_code make(stage *z, bool rough, double band, double tolerance, mw_basis *out,
                    mw_error *err)
{
  mw_code rc = basis_start(z, err);
  basis_rows u = { 0 };
  if (rc != MW_OK) return rc;
  z->n_mode = 0;
  if (z->n <= FEW) {
    rc = everything(z, &u, err);
  } else {
    if (!rough) rc = proved_modes(z, mw_body_stage_shift(band), err);
    if (rc == MW_OK)
      rc = basis_patterns(z, band, rough ? ROUGH_TOLERANCE : tolerance, rough, &u, &out->left, err);
  }
  if (rc == MW_OK) rc = combine(z, &u, out, err);
  basis_rows_free(&u);
  return rc;
}

mw_code mw_body_stage_open(const mw_body *full, const char *cache, mw_body_stage **out,
                           mw_error *err)
{
  *out = calloc(1, sizeof **out);
  if (!*out) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for body %s", full->name);
  (*out)->b = full;
  (*out)->one = (mw_mech){ .n_body = 1, .body = (mw_body *)full };
  (*out)->n = full->n_u;
  (*out)->cache = cache;
  if (full->n_u > 0) basis_key(full, (*out)->key);
  mw_code rc = basis_far_init(*out, err);
  if (rc == MW_OK) return MW_OK;
  mw_body_stage_close(*out);
  *out = NULL;
  return rc;
}

void mw_body_stage_close(mw_body_stage *z)
{
  if (!z) return;
  mw_blocks_free(z->bl);
  basis_far_free(z);
  mw_arena_free(&z->modes);
  mw_arena_free(&z->mem);
  free(z);
}

void mw_body_stage_count_apart(mw_body_stage *z, bool on) { z->count_apart = on; }

double mw_body_stage_shift(double band) { return MODES_TO * MODES_TO * band * band; }

mw_code mw_body_stage_count(mw_body_stage *z, double band, int *count, mw_error *err)
{
  char path[4096], text[32] = "";
  *count = 0;
  if (z->n <= FEW) return MW_OK;
  snprintf(path, sizeof path, "%s/%s-%.9g.count", z->cache ? z->cache : "", z->key, band);
  FILE *f = z->cache ? fopen(path, "r") : NULL;
  bool known = f && fgets(text, sizeof text, f) && sscanf(text, "%d\n", count) == 1 && *count > 0;
  if (f) fclose(f);
  if (known) return MW_OK;
  mw_code rc = count_below(z, mw_body_stage_shift(band), count, err);
  if (rc != MW_OK || !z->cache) return rc;
  int n = snprintf(text, sizeof text, "%d\n", *count);
  return mw_file_replace(path, text, (size_t)n, false, err);
}

mw_code mw_body_stage_again(mw_body_stage *z, bool rough, double band, double tolerance,
                            mw_basis *out, mw_error *err)
{
  mw_basis b = { .n_u = z->n, .body = *z->b, .band = rough ? 0.0 : band };
  mw_code rc = make(z, rough, band, tolerance, &b, err);
  if (rc == MW_OK)
    *out = b;
  else
    mw_basis_free(&b);
  return rc;
}

const mw_blocks *mw_body_stage_blocks(const mw_body_stage *z) { return z->bl; }

static mw_code path_of(const stage *z, bool rough, double band, double tolerance, char *path,
                       size_t n, mw_error *err)
{
  int want = rough ? snprintf(path, n, "%s/%s-rough.basis", z->cache, z->key)
                   : snprintf(path, n, "%s/%s-%.9g-%.9g.basis", z->cache, z->key, band, tolerance);
  if (want > 0 && (size_t)want < n) return MW_OK;
  return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "the path of the cache is too long");
}

// Made, and kept where there is a cache.
static mw_code make_and_keep(stage *z, bool rough, double band, double tolerance, mw_basis *out,
                             mw_error *err)
{
  char path[4096];
  mw_code rc = mw_body_stage_again(z, rough, band, tolerance, out, err);
  if (rc != MW_OK || !z->cache) return rc;
  rc = path_of(z, rough, band, tolerance, path, sizeof path, err);
  if (rc == MW_OK) rc = basis_write(out, path, err);
  if (rc != MW_OK) mw_basis_free(out);
  return rc;
}

mw_code mw_body_stage_proved(mw_body_stage *z, double band, double tolerance, mw_basis *out,
                             mw_error *err)
{
  return make_and_keep(z, false, band, tolerance, out, err);
}

mw_code mw_body_stage_basis(mw_body_stage *z, bool rough, double band, double tolerance,
                            mw_basis *out, mw_error *err)
{
  char path[4096];
  if (z->n == 0) {
    *out = (mw_basis){ .body = *z->b };
    return MW_OK;
  }
  if (z->cache) {
    mw_basis b = { 0 };
    mw_code rc = path_of(z, rough, band, tolerance, path, sizeof path, err);
    if (rc != MW_OK) return rc;
    if (basis_read(z->b, path, &b, NULL) == MW_OK) {
      b.cached = true;
      *out = b;
      return MW_OK;
    }
  }
  return make_and_keep(z, rough, band, tolerance, out, err);
}

void mw_basis_free(mw_basis *b)
{
  mw_arena_free(&b->mem);
  *b = (mw_basis){ 0 };
}
