// SPDX-License-Identifier: BSD-3-Clause
// columns.c: columns between the grid points, by the splines through those of the grid.
//
//   Ψ(θ) = Σ_g w_g(θ) Ψ(g) = Σ_j B_j1(θ_1) B_j2(θ_2) … c_j ,  c = (C_1 ⊗ C_2 ⊗ …) Ψ   (1)
//
// w_g: products of cardinal splines, which fall by a factor of four a cell, so that all points of a
// grid of several coordinates take part. The second form (axis_local.c) takes 4^s of c wherever θ
// is. It is made once for a grid that has MANY times as many points.
// Cost: O(points × columns) a θ, or 4^s × columns; c: Σ_i n_i times as much as the first, once.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "reduce_layer.h"

static const double FAR = 1e-18;  // weights of points too far away to be seen in double precision
enum { LOCAL = 4, MANY = 4 };

mw_code mw_grid_weights(const mw_reduction *r, const double *theta, double *c, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *w[MW_ROM_MAX_S];
  for (int i = 0; i < r->s; i++) w[i] = mw_arena_f64(&tmp, (size_t)r->n_grid[i]);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    rc = mw_axis_weights(&r->axis[i], theta[i], w[i], err);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    c[g] = 1.0;
    for (int i = r->s - 1, rest = g; i >= 0; rest /= r->n_grid[i], i--)
      c[g] *= w[i][rest % r->n_grid[i]];
    if (!(fabs(c[g]) > FAR)) c[g] = 0.0;
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- local functions ----------------------------------------------------------------------------

// to [outer × (n + 2) × inner] := C_i along axis i of from [outer × n × inner]
static mw_code along(const mw_axis *a, size_t outer, size_t inner, const double *from, double *to,
                     mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t n = (size_t)a->n, m = n + 2;
  double *C = mw_arena_f64(&tmp, m * n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_axis_local_matrix(a, C, err);
  for (size_t o = 0; rc == MW_OK && o < outer; o++)
    mw_gemm('n', 'n', a->n + 2, (int)inner, a->n, 1.0, C, from + o * n * inner, 0.0,
            to + o * m * inner);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_columns_local(mw_reduction *r, mw_error *err)
{
  size_t mn = (size_t)r->m * (size_t)r->n, outer = 1, inner = (size_t)r->n_point * mn;
  double few = MANY;
  mw_arena even = { 0 }, odd = { 0 };
  r->local = (mw_local){ .m = 0 };
  for (int i = 0; i < r->s; i++) few *= LOCAL;
  if (r->s < 2 || !(r->n_point > few)) return MW_OK;
  double *from = mw_arena_f64(&odd, inner);
  mw_code rc = mw_arena_check(&odd, err);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++)
    memcpy(from + (size_t)g * mn, r->point[g].Psi, mn * sizeof *from);
  for (int i = 0; rc == MW_OK && i < r->s; i++) {
    mw_arena *at = i + 1 == r->s ? &r->mem_pass : i % 2 ? &odd : &even;
    inner /= (size_t)r->n_grid[i];
    double *to = mw_arena_f64(at, outer * ((size_t)r->n_grid[i] + 2) * inner);
    rc = mw_arena_check(at, err);
    if (rc == MW_OK) rc = along(&r->axis[i], outer, inner, from, to, err);
    outer *= (size_t)r->n_grid[i] + 2;
    from = to;
    mw_arena_free(i % 2 ? &even : &odd);  // what it was made of
  }
  mw_arena_free(&even);
  mw_arena_free(&odd);
  if (rc == MW_OK) r->local = (mw_local){ .m = r->m, .point = r->point, .coef = from };
  return rc;
}

// X [m × n] += coef of axes i … at theta, from record `at` of the axes before, times c
static void gather(const mw_reduction *r, int i, size_t at, double c, double *const *w,
                   const int *first, int m, double *X)
{
  size_t mn = (size_t)r->local.m * (size_t)r->n;
  if (i == r->s) {
    mw_axpy(m * r->n, c, r->local.coef + at * mn, X);
    return;
  }
  at *= (size_t)r->n_grid[i] + 2;
  for (int k = 0; k < LOCAL; k++)
    gather(r, i + 1, at + (size_t)(first[i] + k), c * w[i][k], w, first, m, X);
}

// (1), second form
static mw_code columns_local(const mw_reduction *r, const double *theta, int m, double *X,
                             mw_error *err)
{
  double w[MW_ROM_MAX_S][LOCAL], *row[MW_ROM_MAX_S];
  int first[MW_ROM_MAX_S];
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < r->s; i++) {
    double inside;
    rc = mw_axis_inside(&r->axis[i], theta[i], &inside, err);
    if (rc == MW_OK) first[i] = mw_axis_local(&r->axis[i], inside, w[i]);
    row[i] = w[i];
  }
  if (rc == MW_OK) gather(r, 0, 0, 1.0, row, first, m, X);
  return rc;
}

mw_code mw_columns_at(const mw_reduction *r, const double *theta, int m, double *X, mw_error *err)
{
  size_t mn = (size_t)m * (size_t)r->n;
  memset(X, 0, mn * sizeof *X);
  if (m <= r->local.m && r->local.point == r->point) return columns_local(r, theta, m, X, err);
  mw_arena tmp = { 0 };
  double *c = mw_arena_f64(&tmp, (size_t)r->n_point);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_grid_weights(r, theta, c, err);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++)
    if (c[g] != 0.0) mw_axpy((int)mn, c[g], r->point[g].Psi, X);
  mw_arena_free(&tmp);
  return rc;
}
