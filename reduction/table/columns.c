// SPDX-License-Identifier: BSD-3-Clause
// columns.c: columns between the grid points, by the splines through those of the grid.
//
//   Ψ(θ) = Σ_g w_g(θ) Ψ(g) = Σ_j B_j1(θ_1) B_j2(θ_2) … c_j ,  c = (C_1 ⊗ C_2 ⊗ …) Ψ   (1)
//
// w_g: products of cardinal splines, which fall by a factor of four a cell, so that all points of a
// grid of several coordinates take part. The second form (axis_local.c) takes 4^s of c wherever θ
// is. It is made once for a grid that has MANY times as many points.
// Cost: O(points × columns) a θ, or 4^s × columns; c: Σ_i n_i times as much as the first, once.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "parameter_layer.h"
#include "reduce_layer.h"
#include "work/offline_layer.h"

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

// C_i along axis i of what C of the axes before gave, in place: records of the points stand in the
// corner of those of the functions.
typedef struct along {
  const mw_reduction *r;
  int axis;
  size_t mn, outer;  // entries of a record; lines
  const double *C;   // [n_local × n]
  double *coef;
} along;

// Record of function k of a line: the axes before have n_local functions, those behind n points.
static size_t record(const along *z, int line, int k)
{
  const mw_reduction *r = z->r;
  size_t at = 0, stride = 1;
  for (int i = r->s - 1; i >= 0; i--) {
    int n = i < z->axis ? mw_axis_n_local(&r->axis[i]) : r->n_grid[i],
        j = i == z->axis ? k : line % n;
    if (i != z->axis) line /= n;
    at += stride * (size_t)j;
    stride *= (size_t)mw_axis_n_local(&r->axis[i]);
  }
  return at * z->mn;
}

// Columns [n × width] of a line from column o on; along the first axis those of the points
static void take(const along *z, int line, size_t o, size_t width, double *X)
{
  const mw_reduction *r = z->r;
  for (int k = 0; k < r->n_grid[z->axis]; k++) {
    const double *from = z->axis == 0 ? r->point[(size_t)k * z->outer + (size_t)line].Psi
                                      : z->coef + record(z, line, k);
    memcpy(X + (size_t)k * width, from + o, width * sizeof *X);
  }
}

static mw_code some_lines(void *ctx, int from, int to, mw_error *err)
{
  enum { WIDTH = 512 };  // columns at once, which caches hold
  const along *z = ctx;
  size_t n = (size_t)z->r->n_grid[z->axis];
  size_t m = (size_t)mw_axis_n_local(&z->r->axis[z->axis]);
  mw_arena tmp = { 0 };
  double *X = mw_arena_f64(&tmp, n * WIDTH), *Y = mw_arena_f64(&tmp, m * WIDTH);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int l = from; rc == MW_OK && l < to; l++)
    for (size_t o = 0; o < z->mn; o += WIDTH) {
      size_t width = z->mn - o < WIDTH ? z->mn - o : WIDTH;
      take(z, l, o, width, X);
      mw_gemm('n', 'n', (int)m, (int)width, (int)n, 1.0, z->C, X, 0.0, Y);
      for (size_t k = 0; k < m; k++)
        memcpy(z->coef + record(z, l, (int)k) + o, Y + k * width, width * sizeof *Y);
    }
  mw_arena_free(&tmp);
  return rc;
}

// Lines along an axis
static mw_code make_along(along *z, int axis, mw_error *err)
{
  const mw_reduction *r = z->r;
  mw_arena tmp = { 0 };
  size_t n = (size_t)r->n_grid[axis];
  double *C = mw_arena_f64(&tmp, (size_t)mw_axis_n_local(&r->axis[axis]) * n);
  int lines = 1;
  for (int i = 0; i < r->s; i++)
    if (i != axis) lines *= i < axis ? mw_axis_n_local(&r->axis[i]) : r->n_grid[i];
  mw_points of = { .n = lines, .fn = some_lines, .ctx = z };
  z->axis = axis;
  z->C = C;
  z->outer = (size_t)lines;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_axis_local_matrix(&r->axis[axis], C, err);
  if (rc == MW_OK) rc = mw_parallel_points(r->work, &of, err);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_columns_local(mw_reduction *r, mw_error *err)
{
  along z = { .r = r, .mn = (size_t)r->m * (size_t)r->n };
  size_t all = z.mn;
  double few = MANY;
  r->local = (mw_local){ .m = 0 };
  for (int i = 0; i < r->s; i++) {
    few *= LOCAL;
    all *= (size_t)mw_axis_n_local(&r->axis[i]);
  }
  if (r->s < 2 || !(r->n_point > few)) return MW_OK;
  z.coef = mw_arena_f64(&r->mem_pass, all);
  mw_code rc = mw_arena_check(&r->mem_pass, err);
  for (int i = 0; rc == MW_OK && i < r->s; i++) rc = make_along(&z, i, err);
  if (rc == MW_OK) r->local = (mw_local){ .m = r->m, .point = r->point, .coef = z.coef };
  return rc;
}

// X [m × n] += coef of axes i … at theta, from record `at` of the axes before, times c
static void gather(const mw_reduction *r, int i, size_t at, double c, double *const *w,
                   const int *first, int m, double *X)
{
  size_t mn = (size_t)r->local.m * (size_t)r->n;
  at *= (size_t)mw_axis_n_local(&r->axis[i]);
  if (i == r->s - 1) {
    double last[LOCAL];
    for (int k = 0; k < LOCAL; k++) last[k] = c * w[i][k];
    mw_axpy_rows(m * r->n, LOCAL, last, r->local.coef + (at + (size_t)first[i]) * mn, mn, X);
    return;
  }
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

static mw_code turned(const mw_reduction *r, const double *theta, double *X, mw_error *err)
{
  mw_code rc = mw_turned_at(r->shifted->turned, theta, err);
  if (rc == MW_OK) mw_turned_columns(r->shifted->turned, r->n, X);
  return rc;
}

mw_code mw_columns_at(const mw_reduction *r, const double *theta, int m, double *X, mw_error *err)
{
  if (r->shifted) {
    assert(m == r->m);
    mw_code rc = mw_columns_at(r->shifted->middle, theta, m, X, err);
    return rc == MW_OK ? turned(r, theta, X, err) : rc;
  }
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
