// SPDX-License-Identifier: BSD-3-Clause
// body_stress.c: the stress stiffness of a body under the stresses of a deflection (strain.h).
//
// Motions of the nodes d = C u (body_map.c), elements over motions:
//   Y = K_σ D ,  F = Cᵀ Y ,  G = X F  with  D = C Xᵀ  [motions × k]                             (1)
// so that no matrix is assembled: O(elements n² k + unknowns k²). Elements on rigid patches
// (body_patch_priv.h) add what their forces g = K_e C u do to the turns of patches, g·∂²c at φ = 0.
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "body_strain_priv.h"

enum { LANES = 8 };  // vectors that a cell's stiffness multiplies at once

// ---- stress stiffness ---------------------------------------------------------------------------

// y [3 × LANES] := row S [n] of a solid's stiffness times X [3 n × LANES], a component each
static inline void times_solid(int n, const double *S, const double *X, double *y)
{
  double sum[3 * LANES] = { 0.0 };
  for (int j = 0; j < n; j++)
    for (int l = 0; l < 3 * LANES; l++) sum[l] += S[j] * X[3 * LANES * j + l];
  memcpy(y, sum, sizeof sum);
}

// y [LANES] := row A [n] times X [n × LANES]
static inline void times_row(int n, const double *A, const double *X, double *y)
{
  double sum[LANES] = { 0.0 };
  for (int j = 0; j < n; j++)
    for (int l = 0; l < LANES; l++) sum[l] += A[j] * X[LANES * j + l];
  memcpy(y, sum, sizeof sum);
}

// Columns `from` … from + w of multiply, w <= LANES: the cell's motions in caches meanwhile
static void multiply_some(const mw_cell *c, const double *A, int k, int from, int w,
                          const double *D, double *Y)
{
  size_t K = (size_t)k, o = (size_t)from, bytes = (size_t)w * sizeof *Y;
  double X[MW_SOLID_MAX_DOF * LANES], y[MW_SOLID_MAX_DOF * LANES];
  for (int i = 0; i < c->nd; i++) {
    for (int l = w; l < LANES; l++) X[LANES * i + l] = 0.0;
    memcpy(X + LANES * i, D + (size_t)c->d[i] * K + o, bytes);
  }
  if (c->solid)
    for (int i = 0; i < c->n; i++) times_solid(c->n, A + c->n * i, X, y + 3 * LANES * i);
  else
    for (int i = 0; i < c->nd; i++) times_row(c->nd, A + c->nd * i, X, y + LANES * i);
  for (int i = 0; i < c->nd; i++) {
    double *to = Y + (size_t)c->d[i] * K + o;
    for (int l = 0; l < w; l++) to[l] += y[LANES * i + l];
  }
}

// Y += A D over the motions of a cell; A [n × n] on each of three components for solids, else [nd ×
// nd]
static void multiply(const mw_cell *c, const double *A, int k, const double *D, double *Y)
{
  int l = 0;
  for (; l + LANES <= k; l += LANES) multiply_some(c, A, k, l, LANES, D, Y);
  if (l < k) multiply_some(c, A, k, l, k - l, D, Y);
}

static mw_code cell_stiffness(const mw_body *b, int e, const mw_cell *c, const double *u, double *A,
                              mw_error *err)
{
  if (c->beam) return mw_beam_stress_stiffness(&b->strain->beam[e], u, A, err);
  if (c->solid) return mw_solid_stress_stiffness(c->kind, c->X, c->material, u, A, err);
  return mw_shell_stress_stiffness(c->kind, c->X, c->thickness, c->material, u, A, err);
}

// F += X H over φ of each arm: (3) of body_strain.c at φ = 0 with g = K_e C u
static void add_patches(const mw_patches *p, const double *g, int k, const double *X, int n_u,
                        double *F)
{
  static const double ZERO[3] = { 0.0 };
  size_t K = (size_t)k, n = (size_t)n_u;
  for (int a = 0; a < p->n_arm; a++) {
    const mw_arm *arm = &p->arm[a];
    double H[9], y[3];
    mw_arm_bend(arm, ZERO, g + arm->motion, H);
    for (size_t i = 0; i < K; i++) {
      mw_mul33v(H, X + i * n + arm->turn, y);
      for (int c = 0; c < 3; c++) F[i * n + (size_t)(arm->turn + c)] += y[c];
    }
  }
}

// Y += K_σ D, g += K_e d on patches, of all cells
static mw_code multiply_all(const mw_body *b, const double *d, int k, const double *D, double *Y,
                            double *g, double *A, mw_error *err)
{
  const struct mw_strain_data *s = b->strain;
  mw_code rc = MW_OK;
  for (int e = 0; rc == MW_OK && e < mw_cell_count(b); e++) {
    mw_cell c;
    double ue[MW_SOLID_MAX_DOF];
    mw_cell_of(b, e, &c);
    for (int i = 0; i < c.nd; i++) ue[i] = d[c.d[i]];
    rc = cell_stiffness(b, e, &c, ue, A, err);
    if (rc == MW_OK) multiply(&c, A, k, D, Y);
    if (s->K && s->K[e]) mw_cell_multiply(&c, s->K[e], d, g);
  }
  return rc;
}

mw_code mw_body_stress_forces(const mw_body *b, const double *u, int k, const double *X, double *F,
                              mw_error *err)
{
  size_t K = (size_t)k, n_u = (size_t)b->n_u;
  memset(F, 0, K * n_u * sizeof *F);
  if (!b->strain || k == 0) return MW_OK;
  const mw_patches *p = &b->strain->patch;
  mw_arena tmp = { 0 };
  size_t n = (size_t)p->n_motion;
  double *d = mw_arena_f64(&tmp, n), *D = mw_arena_f64(&tmp, n * K), *Y = mw_arena_f64(&tmp, n * K),
         *g = mw_arena_f64(&tmp, n), *A = mw_arena_f64(&tmp, MW_SOLID_MAX_DOF * MW_SOLID_MAX_DOF);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) mw_patches_motions(p, u, d);
  for (size_t i = 0; rc == MW_OK && i < n; i++)
    for (int q = p->ptr[i]; q < p->ptr[i + 1]; q++)
      for (size_t l = 0; l < K; l++)
        D[i * K + l] += p->coef[q] * X[l * n_u + (size_t)p->unknown[q]];
  if (rc == MW_OK) rc = multiply_all(b, d, k, D, Y, g, A, err);
  for (size_t i = 0; rc == MW_OK && i < n; i++)
    for (int q = p->ptr[i]; q < p->ptr[i + 1]; q++)
      for (size_t l = 0; l < K; l++)
        F[l * n_u + (size_t)p->unknown[q]] += p->coef[q] * Y[i * K + l];
  if (rc == MW_OK) add_patches(p, g, k, X, b->n_u, F);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_body_stress_stiffness(const mw_body *b, const double *u, int k, const double *X,
                                 double *G, mw_error *err)
{
  size_t K = (size_t)k;
  memset(G, 0, K * K * sizeof *G);
  if (!b->strain || k == 0) return MW_OK;
  mw_arena tmp = { 0 };
  double *F = mw_arena_f64(&tmp, K * (size_t)b->n_u);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_body_stress_forces(b, u, k, X, F, err);
  if (rc == MW_OK) mw_gemm('n', 't', k, k, b->n_u, 1.0, X, F, 0.0, G);
  for (size_t i = 0; rc == MW_OK && i < K; i++)
    for (size_t j = 0; j < i; j++)
      G[i * K + j] = G[j * K + i] = 0.5 * (G[i * K + j] + G[j * K + i]);
  mw_arena_free(&tmp);
  return rc;
}

// ---- stress stiffness, all stresses at once -----------------------------------------------------

// F [n × nd] of a cell: of solids by their strains, else entry i from K_σ of a unit motion i
static mw_code cell_pairs(const mw_body *b, int e, const mw_cell *c, int k, const double *U,
                          int from, int n, double *F, mw_error *err)
{
  if (c->solid) return mw_solid_stress_pairs(c->kind, c->X, c->material, k, U, from, n, F, err);
  double A[MW_SOLID_MAX_DOF * MW_SOLID_MAX_DOF], unit[MW_SOLID_MAX_DOF] = { 0.0 };
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < c->nd; i++) {
    unit[i] = 1.0;
    rc = cell_stiffness(b, e, c, unit, A, err);
    unit[i] = 0.0;
    for (int l = 0, a, j; rc == MW_OK && l < n; l++) {
      mw_pair_of(from + l, &a, &j);
      double f = 0.0;
      for (int p = 0; p < c->nd; p++)
        f += U[c->nd * a + p] * mw_dot(c->nd, A + c->nd * p, U + c->nd * j);
      F[c->nd * l + i] = f;
    }
  }
  return rc;
}

// w [n_motion × n]: what add_patches weighs g with, entry by entry, of every pair
static void patch_pairs(const mw_patches *p, const double *X, int n_u, int from, int n, double *w)
{
  static const double ZERO[3] = { 0.0 };
  for (int q = 0; q < p->n_arm; q++)
    for (int c = 0; c < 3; c++) {
      const mw_arm *arm = &p->arm[q];
      double unit[3] = { c == 0, c == 1, c == 2 }, H[9], y[3], z[3];
      mw_arm_bend(arm, ZERO, unit, H);
      for (int l = 0, a, b; l < n; l++) {
        mw_pair_of(from + l, &a, &b);
        const double *xa = X + (size_t)a * (size_t)n_u + arm->turn,
                     *xb = X + (size_t)b * (size_t)n_u + arm->turn;
        mw_mul33v(H, xa, y);
        mw_mul33v(H, xb, z);
        w[(size_t)(arm->motion + c) * (size_t)n + (size_t)l] +=
            0.5 * (mw_dot3(y, xb) + mw_dot3(z, xa));
      }
    }
}

// Y += K_e w of a cell, rows of n
static void add_patch_cell(const mw_cell *c, const double *K, int n, const double *w, double *Y)
{
  size_t N = (size_t)n;
  for (int i = 0; i < c->nd; i++)
    for (int j = 0; j < c->nd; j++)
      mw_axpy(n, K[c->nd * i + j], w + (size_t)c->d[j] * N, Y + (size_t)c->d[i] * N);
}

// Y [n_motion × n] += forces of the pairs, of all cells; D [k × n_motion]: motions of the rows; w
// as patch_pairs leaves it
static mw_code pairs_of_cells(const mw_body *b, int k, const double *D, int from, int n,
                              const double *w, double *Y, mw_error *err)
{
  const struct mw_strain_data *s = b->strain;
  mw_arena tmp = { 0 };
  size_t N = (size_t)n, nm = (size_t)s->n_motion;
  double *U = mw_arena_f64(&tmp, (size_t)k * MW_SOLID_MAX_DOF),
         *f = mw_arena_f64(&tmp, N * MW_SOLID_MAX_DOF);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int e = 0; rc == MW_OK && e < mw_cell_count(b); e++) {
    mw_cell c;
    mw_cell_of(b, e, &c);
    for (int a = 0; a < k; a++)
      for (int i = 0; i < c.nd; i++) U[c.nd * a + i] = D[(size_t)a * nm + (size_t)c.d[i]];
    rc = cell_pairs(b, e, &c, k, U, from, n, f, err);
    for (int i = 0; rc == MW_OK && i < c.nd; i++) {
      double *y = Y + (size_t)c.d[i] * N;
      for (int l = 0; l < n; l++) y[l] += f[c.nd * l + i];
    }
    if (rc == MW_OK && s->K && s->K[e]) add_patch_cell(&c, s->K[e], n, w, Y);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_body_stress_pairs(const mw_body *b, int k, const double *X, int from, int n, double *F,
                             mw_error *err)
{
  size_t K = (size_t)k, n_u = (size_t)b->n_u, N = (size_t)n;
  memset(F, 0, n_u * N * sizeof *F);
  if (!b->strain || n == 0) return MW_OK;
  const mw_patches *p = &b->strain->patch;
  mw_arena tmp = { 0 };
  size_t nm = (size_t)p->n_motion;
  double *D = mw_arena_f64(&tmp, K * nm), *Y = mw_arena_f64(&tmp, nm * N),
         *w = mw_arena_f64(&tmp, p->n_arm > 0 ? nm * N : 1);
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t a = 0; rc == MW_OK && a < K; a++) mw_patches_motions(p, X + a * n_u, D + a * nm);
  if (rc == MW_OK) patch_pairs(p, X, b->n_u, from, n, w);
  if (rc == MW_OK) rc = pairs_of_cells(b, k, D, from, n, w, Y, err);
  for (size_t i = 0; rc == MW_OK && i < nm; i++)
    for (int q = p->ptr[i]; q < p->ptr[i + 1]; q++)
      mw_axpy(n, p->coef[q], Y + i * N, F + (size_t)p->unknown[q] * N);
  mw_arena_free(&tmp);
  return rc;
}
