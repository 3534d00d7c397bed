// SPDX-License-Identifier: BSD-3-Clause
// extra_coarse.c: the second order of the motion and convective dissipation on a table that is
// finer than they need.
//
// Tables are as fine as K wants them, which frequencies judge at the tolerance; these are a small
// part of the forces and of the stiffness, and cost more a point than all else. On a table of more
// than MANY points their matrices X are made at some of them, regularly spread, points of the
// first grid among them, at least two intervals for one of that grid, and of tables with smooth
// axes (axis_smooth.c) three for two; then
//   X(θ_g) = Σ_k w_k(θ_g) X(θ_k)                                                                (1)
// at the others, w the weights of the splines through these points. What (1) errs by is judged
// with the rest: the certificate makes them anew between table points.
#include <string.h>

#include "base/dense.h"
#include "extra_layer.h"
#include "reduction/axis.h"

enum { MANY = 1000, LEAST = 2 };        // points; intervals for one of the first grid
enum { SMOOTH = 3, SMOOTH_FIRST = 2 };  // of smooth axes: intervals for so many of the first grid

typedef struct coarse {
  mw_reduction r;           // some points of a table
  int *kept[MW_ROM_MAX_S];  // [points]  their indices along an axis
  double *W[MW_ROM_MAX_S];  // [n_fine × n_coarse]  weights of (1); NULL: all points are there
} coarse;

// Intervals of an axis that a table has at least
static int least_intervals(const mw_reduction *r, int i)
{
  int n = mw_first_axis(r, i)->n - 1;
  return r->axis[i].C ? (n * SMOOTH + SMOOTH_FIRST - 1) / SMOOTH_FIRST : n * LEAST;
}

// Intervals of the points that are kept along each axis, n; false: all points
static bool thin(const mw_reduction *r, int n[MW_ROM_MAX_S])
{
  bool any = false;
  for (int i = 0; i < r->s; i++) n[i] = r->n_grid[i] - 1;
  for (;;) {
    double points = 1.0;
    int longest = -1, most = 0;
    for (int i = 0; i < r->s; i++) {
      points *= n[i] + 1;
      if (n[i] <= least_intervals(r, i) || n[i] <= most) continue;
      most = n[i];
      longest = i;
    }
    if ((points <= MANY && !r->first.smooth) || longest < 0) return any;
    n[longest] -= r->axis[longest].C ? 1 : mw_first_axis(r, longest)->n - 1;
    any = true;
  }
}

// Index along axis i of the j-th of n + 1 points that are kept: regularly spread over each interval
// of the first grid, as far as its factor allows; of a smooth axis over all of it.
static int kept_index(const mw_reduction *r, int i, int n, int j)
{
  int first = mw_first_axis(r, i)->n - 1, factor = mw_first_factor(r, i), k = n / first;
  if (r->axis[i].C) return (2 * j * (r->n_grid[i] - 1) + n) / (2 * n);
  return j / k * factor + j % k * factor / k;
}

// c->r: the points that are kept, n intervals along each axis
static mw_code points_of(const mw_reduction *r, const int *n, coarse *c, mw_arena *mem,
                         mw_error *err)
{
  mw_code rc = MW_OK;
  c->r = *r;
  c->r.n_point = 1;
  for (int i = 0; rc == MW_OK && i < r->s; i++) {
    mw_axis *a = &c->r.axis[i];
    c->r.n_grid[i] = n[i] + 1;
    c->r.n_point *= n[i] + 1;
    c->kept[i] = mw_arena_int(mem, (size_t)n[i] + 1);
    rc = mw_arena_check(mem, err);
    for (int j = 0; rc == MW_OK && j <= n[i]; j++) c->kept[i][j] = kept_index(r, i, n[i], j);
    if (rc != MW_OK || n[i] + 1 == r->n_grid[i]) continue;
    c->W[i] = mw_arena_f64(mem, (size_t)r->n_grid[i] * ((size_t)n[i] + 1));
    rc = mw_arena_check(mem, err);
    if (rc == MW_OK) rc = mw_axis_pick(&r->axis[i], n[i] + 1, c->kept[i], mem, a, err);
    for (int k = 0; rc == MW_OK && k < r->n_grid[i]; k++)
      rc = mw_axis_weights(a, mw_axis_theta(&r->axis[i], k), c->W[i] + (size_t)k * (size_t)a->n,
                           err);
  }
  c->r.point = mw_arena_alloc(mem, (size_t)c->r.n_point, sizeof *c->r.point);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  for (int g = 0; rc == MW_OK && g < c->r.n_point; g++) {
    int at = 0, rest = g, step = 1;
    for (int i = r->s - 1; i >= 0; i--) {
      at += c->kept[i][rest % c->r.n_grid[i]] * step;
      rest /= c->r.n_grid[i];
      step *= r->n_grid[i];
    }
    c->r.point[g] = r->point[at];  // borrowed
  }
  return rc;
}

// (1) of all points: X [points of r × n] of those of c->r
static mw_code spread(const mw_reduction *r, const coarse *c, size_t n, const double *from,
                      double *X, mw_error *err)
{
  mw_arena even = { 0 }, odd = { 0 };
  size_t outer = 1, inner = (size_t)c->r.n_point * n;
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < r->s; i++) {
    size_t nc = (size_t)c->r.n_grid[i], nf = (size_t)r->n_grid[i];
    mw_arena *mem = i % 2 ? &odd : &even;
    inner /= nc;
    double *to = mw_arena_f64(mem, outer * nf * inner);
    rc = mw_arena_check(mem, err);
    for (size_t o = 0; rc == MW_OK && o < outer; o++) {
      if (c->W[i])
        mw_gemm('n', 'n', (int)nf, (int)inner, (int)nc, 1.0, c->W[i], from + o * nc * inner, 0.0,
                to + o * nf * inner);
      else
        memcpy(to + o * nf * inner, from + o * nc * inner, nf * inner * sizeof *to);
    }
    outer *= nf;
    from = to;
    mw_arena_free(i % 2 ? &even : &odd);  // what it was made of
  }
  if (rc == MW_OK) memcpy(X, from, outer * n * sizeof *X);
  mw_arena_free(&even);
  mw_arena_free(&odd);
  return rc;
}

// part [points of r × n] of one of c->r, which may not be there; from mem
static mw_code spread_part(const mw_reduction *r, const coarse *c, size_t n, const double *from,
                           mw_arena *mem, double **part, mw_error *err)
{
  *part = NULL;
  if (!from || n == 0) return MW_OK;
  *part = mw_arena_f64(mem, (size_t)r->n_point * n);
  mw_code rc = mw_arena_check(mem, err);
  return rc == MW_OK ? spread(r, c, n, from, *part, err) : rc;
}

static mw_code spread_all(const mw_reduction *r, const coarse *c, const mw_extra *some, mw_extra *x,
                          mw_error *err)
{
  size_t m = (size_t)r->m, mm = m * (m + 1) / 2, s = (size_t)r->s, pairs = s * (s + 1) / 2,
         nY = (size_t)some->n_Y;
  const struct {
    const double *from;
    double **to;
    size_t n;
  } part[] = { { some->H, &x->H, s * mm },
               { some->Hij, &x->Hij, pairs * mm },
               { some->Hg, &x->Hg, mm },
               { some->Y, &x->Y, nY * mm },
               { some->G, &x->G, (size_t)some->n_moved * mm },
               { some->CE, &x->CE, s * m * m },
               { some->CC, &x->CC, pairs * mm },
               { some->C, &x->C, mm } };
  mw_code rc = MW_OK;
  *x = *some;
  x->n_point = r->n_point;
  x->mem = (mw_arena){ 0 };
  x->Y_field = mw_arena_int(&x->mem, nY);
  x->Y_input = mw_arena_int(&x->mem, nY);
  rc = mw_arena_check(&x->mem, err);
  for (size_t k = 0; rc == MW_OK && k < nY; k++) {
    x->Y_field[k] = some->Y_field[k];
    x->Y_input[k] = some->Y_input[k];
  }
  for (size_t k = 0; rc == MW_OK && k < sizeof part / sizeof *part; k++)
    rc = spread_part(r, c, part[k].n, part[k].from, &x->mem, part[k].to, err);
  return rc;
}

mw_code mw_extra_build(mw_reduction *r, mw_extra *out, mw_error *err)
{
  coarse c = { .r = *r };
  int n[MW_ROM_MAX_S];
  if (!thin(r, n)) return mw_extra_points(r, out, err);
  mw_arena tmp = { 0 };
  mw_extra some = { 0 }, x = { 0 };
  *out = some;
  mw_code rc = points_of(r, n, &c, &tmp, err);
  if (rc == MW_OK) rc = mw_extra_points(&c.r, &some, err);
  if (rc == MW_OK) rc = spread_all(r, &c, &some, &x, err);
  mw_extra_free(&some);
  mw_arena_free(&tmp);
  *out = x;
  if (rc != MW_OK) mw_extra_free(out);
  return rc;
}
