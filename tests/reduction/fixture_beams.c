// SPDX-License-Identifier: BSD-3-Clause
// fixture_beams.c: coupled beams with travelling masses; frequencies from aligned and interpolated
// modes.
#include "fixture_beams.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "reduction/spline.h"

int beams_n_coord(const beams *b) { return b->kind == BEAMS_ONE_MASS ? 1 : 2; }

// Sines at x, orthonormal on the unit beam.
static void shape(double x, double *phi)
{
  for (int i = 0; i < BEAMS_RITZ; i++) phi[i] = sqrt(2.0) * sin((i + 1) * acos(-1.0) * x);
}

// A := A + c v vᵀ
static void add_rank_one(double c, const double *v, double *A)
{
  for (int i = 0; i < BEAMS_N; i++)
    for (int j = 0; j < BEAMS_N; j++) A[i * BEAMS_N + j] += c * v[i] * v[j];
}

mw_code beams_modes(const beams *b, const double *theta, int k, double *lambda, double *Y,
                    mw_error *err)
{
  double K[BEAMS_N * BEAMS_N] = { 0 }, M[BEAMS_N * BEAMS_N] = { 0 }, w[BEAMS_N];
  double V[BEAMS_N * BEAMS_N], mass[2][BEAMS_N] = { { 0 } }, spring[BEAMS_N];
  double lever = b->kind == BEAMS_LEVER ? theta[1] : 1.0;
  shape(theta[0], mass[0]);
  if (b->kind == BEAMS_TWO_MASSES) shape(theta[1], mass[1] + BEAMS_RITZ);
  shape(b->x1, spring);
  shape(b->x2, spring + BEAMS_RITZ);
  for (int i = 0; i < BEAMS_RITZ; i++) spring[BEAMS_RITZ + i] *= -lever;
  for (int i = 0; i < BEAMS_N; i++) {
    double a = (i % BEAMS_RITZ + 1) * acos(-1.0);
    K[i * BEAMS_N + i] = (i < BEAMS_RITZ ? 1.0 : b->ratio) * a * a * a * a;
    M[i * BEAMS_N + i] = 1.0;
  }
  add_rank_one(b->spring, spring, K);
  add_rank_one(b->mu1, mass[0], M);
  add_rank_one(b->mu2, mass[1], M);
  mw_code rc = mw_eig_gen(BEAMS_N, K, M, w, V, err);
  if (rc != MW_OK) return rc;
  memcpy(lambda, w, (size_t)k * sizeof *lambda);
  for (int t = 0; Y && t < k; t++) {
    double *y = Y + t * BEAMS_ROWS, u[2] = { 0 };
    for (int i = 0; i < BEAMS_N; i++) {
      y[i] = V[i * BEAMS_N + t];
      u[0] += mass[0][i] * y[i];
      u[1] += mass[1][i] * y[i];
    }
    y[BEAMS_N] = sqrt(b->mu1) * u[0];
    y[BEAMS_N + 1] = sqrt(b->mu2) * u[1];
  }
  return MW_OK;
}

// Point p of n^s; first and step in parts of the range.
static void point(const beams *b, int n, int p, double first, double step, double *theta)
{
  for (int a = beams_n_coord(b) - 1; a >= 0; a--, p /= n)
    theta[a] = b->lo[a] + (b->hi[a] - b->lo[a]) * (first + step * (p % n));
}

mw_code beams_truth_build(const beams *b, int n, beams_truth *out, mw_error *err)
{
  int s = beams_n_coord(b);
  *out = (beams_truth){ .n = n, .n_point = s == 1 ? n : n * n };
  out->theta = mw_arena_f64(&out->mem, (size_t)(out->n_point * s));
  out->lambda = mw_arena_f64(&out->mem, (size_t)(out->n_point * BEAMS_K));
  mw_code rc = mw_arena_check(&out->mem, err);
  for (int p = 0; rc == MW_OK && p < out->n_point; p++) {
    point(b, n, p, 0.5 / n, 1.0 / n, out->theta + p * s);
    rc = beams_modes(b, out->theta + p * s, BEAMS_K, out->lambda + p * BEAMS_K, NULL, err);
  }
  return rc;
}

mw_code beams_grid_build(const beams *b, int n, beams_grid *out, mw_error *err)
{
  *out = (beams_grid){ .n = n, .n_point = beams_n_coord(b) == 1 ? n : n * n };
  out->lambda = mw_arena_f64(&out->mem, (size_t)(out->n_point * BEAMS_K));
  out->Y = mw_arena_f64(&out->mem, (size_t)(out->n_point * BEAMS_K * BEAMS_ROWS));
  mw_code rc = mw_arena_check(&out->mem, err);
  for (int p = 0; rc == MW_OK && p < out->n_point; p++) {
    double theta[2];
    point(b, n, p, 0.0, 1.0 / (n - 1), theta);
    rc = beams_modes(b, theta, BEAMS_K, out->lambda + p * BEAMS_K,
                     out->Y + (size_t)p * BEAMS_K * BEAMS_ROWS, err);
  }
  return rc;
}

typedef struct overlap_ctx {
  const beams_grid *grid;
  int k;
} overlap_ctx;

static mw_code overlap(void *ctx, int g, int g2, double *O, mw_error *err)
{
  (void)err;
  const overlap_ctx *c = ctx;
  mw_gemm('n', 't', c->k, c->k, BEAMS_ROWS, 1.0, c->grid->Y + (size_t)g * BEAMS_K * BEAMS_ROWS,
          c->grid->Y + (size_t)g2 * BEAMS_K * BEAMS_ROWS, 0.0, O);
  return MW_OK;
}

// K(θ_g) = Qᵀ diag(λ) Q [n_point × m × m]
static void reduced_stiffness(const mw_align *al, int n_point, const double *lambda, double *K)
{
  int k = al->k, m = al->m;
  for (int g = 0; g < n_point; g++) {
    const double *Q = al->Q + (size_t)g * (size_t)(k * m);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) {
        double x = 0.0;
        for (int l = 0; l < k; l++) x += Q[l * m + i] * lambda[g * k + l] * Q[l * m + j];
        K[(g * m + i) * m + j] = x;
      }
  }
}

// Largest relative error of the lowest n frequencies of the interpolated K.
static mw_code largest_error(const beams *b, int n_grid, const beams_truth *truth, int m, int n,
                             const double *K, double *error, mw_error *err)
{
  int s = beams_n_coord(b), grid[2] = { n_grid, n_grid };
  mw_arena tmp = { 0 };
  double *coef = mw_arena_f64(&tmp, mw_spline_n_coef(s, grid, m * m));
  double *A = mw_arena_f64(&tmp, (size_t)(m * m)), *V = mw_arena_f64(&tmp, (size_t)(m * m));
  double *w = mw_arena_f64(&tmp, (size_t)m);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_spline_fit(s, grid, m * m, K, coef, err);
  *error = 0.0;
  for (int p = 0; rc == MW_OK && p < truth->n_point; p++) {
    rc = mw_spline_eval(s, grid, b->lo, b->hi, m * m, coef, truth->theta + p * s, A, NULL);
    if (rc == MW_OK) rc = mw_eig_sym(m, A, w, V, err);
    for (int i = 0; rc == MW_OK && i < n; i++) {
      double f = sqrt(fmax(w[i], 0.0)) / sqrt(truth->lambda[p * BEAMS_K + i]);
      *error = fmax(*error, fabs(f - 1.0));
    }
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code beams_compare(const beams *b, const beams_grid *grid, const beams_truth *truth, int n_want,
                      int k, bool spans, beams_result *out, mw_error *err)
{
  int n_axis[2] = { grid->n, grid->n };
  mw_arena tmp = { 0 };
  mw_align al = { 0 };
  double *lambda = mw_arena_f64(&tmp, (size_t)(grid->n_point * k)), *K = NULL;
  overlap_ctx ctx = { .grid = grid, .k = k };
  mw_align_in in = { .s = beams_n_coord(b),
                     .n_grid = n_axis,
                     .k = k,
                     .n_want = n_want,
                     .lambda = lambda,
                     .overlap = overlap,
                     .ctx = &ctx,
                     .spans = spans };
  mw_code rc = mw_arena_check(&tmp, err);
  for (int g = 0; rc == MW_OK && g < grid->n_point; g++)
    memcpy(lambda + g * k, grid->lambda + g * BEAMS_K, (size_t)k * sizeof *lambda);
  if (rc == MW_OK) rc = mw_align_modes(&in, &tmp, &al, err);
  if (rc == MW_OK) {
    K = mw_arena_f64(&tmp, (size_t)(grid->n_point * al.m * al.m));
    rc = mw_arena_check(&tmp, err);
  }
  if (rc == MW_OK) {
    *out = (beams_result){
      .m = al.m, .n_cluster = al.n_cluster, .largest_jump = al.largest_jump, .span = al.span
    };
    reduced_stiffness(&al, grid->n_point, lambda, K);
    rc = largest_error(b, grid->n, truth, al.m, n_want < al.m ? n_want : al.m, K, &out->error, err);
  }
  mw_arena_free(&tmp);
  return rc;
}
