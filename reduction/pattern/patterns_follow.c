// SPDX-License-Identifier: BSD-3-Clause
// patterns_follow.c: a static pattern followed over the grid as a column of its own.
//
//   d(g) = ± r(g) / |r(g)|_M ,   d(g)ᵀ M d(g') >= ½ along every edge (g, g')        r:
//       residual beside modes and columns      (1)
// Signs go from neighbour to neighbour; over a point where the residual vanishes only where no
// other way is left, for it changes its sign where it passes through zero. There its direction is
// continued by the cubic through its neighbours along an axis: the residual passes through zero,
// its direction does not. Around a cyclic axis the direction must come back. Along an axis on which
// no mode depends (r->flat) nothing elastic does: a load that turns there is no column of its own.
//
// A residual whose soft part passes through zero while a stiff part w stays turns as
// atan(t / w) does, by 2 atan(h / 2w) in a cell h, and the spline through its direction,
// t / sqrt(t² + w²), errs by 8 (h/w)⁴ / 384: by 1e-3 at 25 degrees. Where the candidate of the
// largest energy turns by more (CALM) and others turn less, the calmest of these comes first; what
// is left of the other beside it no longer passes through zero. Where none is calm, patterns.c may
// follow it together with others instead.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "patterns_layer.h"
#include "work/offline_layer.h"

static const double HEALTHY =
    1e-8;  // residual relative to the pattern, in M-norm: below, it has no direction of its own
const double mw_pattern_least = 0.5, mw_pattern_flat = 1.0 - 1e-8;
static const double CALM = 0.9;  // cosine of 25 degrees, along an edge

static double m_norm(mw_system *sys, int n, const double *x, double *Mx)
{
  mw_system_mul_M(sys, x, Mx);
  return sqrt(mw_dot(n, x, Mx));
}

static void scale(int n, double a, double *x)
{
  for (int i = 0; i < n; i++) x[i] *= a;
}

typedef struct following {
  mw_select *w;
  int j;
} following;

// Normalised residuals of candidate j at some points, where they are healthy.
static mw_code residuals(void *ctx, int from, int to, mw_error *err)
{
  const following *z = ctx;
  mw_select *w = z->w;
  const mw_reduction *r = w->r;
  size_t n = (size_t)r->n, j = (size_t)z->j;
  mw_arena tmp = { 0 };
  double *Mx = mw_arena_f64(&tmp, n);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int g = from; rc == MW_OK && g < to; g++) {
    mw_grid_point *pt = &r->point[g];
    double *x = w->res + (size_t)g * n, whole = w->norm[(size_t)g * (size_t)w->p->n + j];
    memcpy(x, pt->P + j * n, n * sizeof *x);
    double left = m_norm(pt->sys, r->n, x, Mx);
    w->healthy[g] = left > HEALTHY * whole && whole > 0.0;
    if (w->healthy[g]) scale(r->n, 1.0 / left, x);
  }
  mw_arena_free(&tmp);
  return rc;
}

static double overlap(mw_select *w, int g, int h)
{
  const mw_reduction *r = w->r;
  mw_system_mul_M(r->point[g].sys, w->res + (size_t)g * (size_t)r->n, w->Mp);
  return mw_dot(r->n, w->res + (size_t)h * (size_t)r->n, w->Mp);
}

int mw_grid_along(const mw_reduction *r, int axis, int stride, int g, int step)
{
  int k = g / stride % r->n_grid[axis] + step;
  return k < 0 || k >= r->n_grid[axis] ? -1 : g + step * stride;
}

// The sign of h's direction after that of g; h waits for its neighbours then.
static void reach(mw_select *w, int g, int h, int *tail)
{
  if (overlap(w, g, h) < 0.0) scale(w->r->n, -1.0, w->res + (size_t)h * (size_t)w->r->n);
  w->reached[h] = 1;
  w->queue[(*tail)++] = h;
}

// Signs of healthy neighbours of all points that wait, and of theirs in turn.
static void spread_signs(mw_select *w, int *head, int *tail)
{
  const mw_reduction *r = w->r;
  while (*head < *tail) {
    int g = w->queue[(*head)++], stride = 1;
    for (int i = r->s - 1; i >= 0; stride *= r->n_grid[i], i--)
      for (int step = 1; step >= -1; step -= 2) {
        int h = mw_grid_along(r, i, stride, g, step);
        if (h >= 0 && w->healthy[h] && !w->reached[h]) reach(w, g, h, tail);
      }
  }
}

// One healthy point beyond an unhealthy one gets its sign from the other side.
static bool bridge(mw_select *w, int *tail)
{
  const mw_reduction *r = w->r;
  for (int q = 0; q < *tail; q++) {
    int g = w->queue[q], stride = 1;
    for (int i = r->s - 1; i >= 0; stride *= r->n_grid[i], i--)
      for (int step = 2; step >= -2; step -= 4) {
        int h = mw_grid_along(r, i, stride, g, step);
        if (h < 0 || !w->healthy[h] || w->reached[h]) continue;
        reach(w, g, h, tail);
        return true;
      }
  }
  return false;
}

// Signs from the first healthy point on; false when some healthy point cannot be reached.
static bool continue_signs(mw_select *w)
{
  int head = 0, tail = 0, healthy = 0;
  memset(w->reached, 0, (size_t)w->r->n_point);
  for (int g = 0; g < w->r->n_point; g++) healthy += w->healthy[g];
  for (int g = 0; g < w->r->n_point && tail == 0; g++)
    if (w->healthy[g]) {
      w->queue[tail++] = g;
      w->reached[g] = 1;
    }
  do spread_signs(w, &head, &tail);
  while (tail < healthy && bridge(w, &tail));
  return tail == healthy && healthy > 0;
}

int mw_grid_nodes(const mw_reduction *r, int g, const char *use, int node[4], int at[4])
{
  int n_best = 0, stride = 1;
  for (int i = r->s - 1; i >= 0; stride *= r->n_grid[i], i--) {
    int k = 0, found[4], here = g / stride % r->n_grid[i];
    for (int d = 1; d < r->n_grid[i] && k < 4; d++)
      for (int sign = -1; sign <= 1 && k < 4; sign += 2) {
        int h = mw_grid_along(r, i, stride, g, sign * d);
        if (h >= 0 && use[h] == 1) found[k++] = sign * d;
      }
    if (k <= n_best) continue;
    n_best = k;
    for (int a = 0; a < k; a++) {
      node[a] = g + found[a] * stride;
      at[a] = r->axis[i].at[here + found[a]] - r->axis[i].at[here];
    }
  }
  return n_best;
}

void mw_lagrange_weights(int n, const int *at, double *c)
{
  for (int a = 0; a < n; a++) {
    c[a] = 1.0;
    for (int b = 0; b < n; b++)
      if (b != a) c[a] *= (double)at[b] / (double)(at[b] - at[a]);
  }
}

// The residual at an unhealthy point by Lagrange's polynomial through up to four healthy neighbours
// along an axis.
static bool fill_point(mw_select *w, int g)
{
  const mw_reduction *r = w->r;
  int node[4], at[4], n = mw_grid_nodes(r, g, w->healthy, node, at);
  if (n < 3) return false;
  double *x = w->res + (size_t)g * (size_t)r->n, c[4];
  memset(x, 0, (size_t)r->n * sizeof *x);
  mw_lagrange_weights(n, at, c);
  for (int a = 0; a < n; a++) mw_axpy(r->n, c[a], w->res + (size_t)node[a] * (size_t)r->n, x);
  // the nearest in strain energy that keeps this point's joints: K⁻¹ K x on the constrained space
  mw_system_mul_K(r->point[g].sys, x, w->Mp);
  if (mw_system_solve(r->point[g].sys, w->Mp, x, NULL) != MW_OK) return false;
  mw_pattern_deflate(&r->point[g], r->n, 0, r->m, x, w->Mp);
  double norm = m_norm(r->point[g].sys, r->n, x, w->Mp);
  if (!(norm > mw_pattern_least)) return false;
  scale(r->n, 1.0 / norm, x);
  return true;
}

int mw_grid_same_turn(const mw_reduction *r, int g)
{
  int stride = 1, h = g;
  for (int i = r->s - 1; i >= 0; stride *= r->n_grid[i], i--)
    if (r->axis[i].cyclic && g / stride % r->n_grid[i] == r->n_grid[i] - 1)
      h -= (r->n_grid[i] - 1) * stride;
  return h;
}

// Directions after a full turn are those before it: a residual that is small beside its pattern
// differs by rounding there.
static void close_turns(mw_select *w)
{
  size_t n = (size_t)w->r->n;
  for (int g = 0; g < w->r->n_point; g++) {
    int h = mw_grid_same_turn(w->r, g);
    if (h != g) memcpy(w->res + (size_t)g * n, w->res + (size_t)h * n, n * sizeof *w->res);
  }
}

// Least overlap of the direction along an edge; 0: it turns along a flat axis.
static double least_overlap(mw_select *w)
{
  const mw_reduction *r = w->r;
  double least = 1.0;
  for (int g = 0; g < r->n_point && least >= mw_pattern_least; g++) {
    int stride = 1;
    for (int i = r->s - 1; i >= 0; stride *= r->n_grid[i], i--) {
      int h = mw_grid_along(r, i, stride, g, 1);
      if (h < 0 && r->axis[i].cyclic) h = g - (r->n_grid[i] - 1) * stride;
      if (h < 0) continue;
      double o = overlap(w, g, h);
      if (!(o >= least)) least = o;
      if (r->flat[i] && !(o >= mw_pattern_flat)) return 0.0;
    }
  }
  return least;
}

// Directions of candidate j in w->res, and their least overlap, 0 where they cannot be followed.
static mw_code follow(mw_select *w, int j, double *least, mw_error *err)
{
  const mw_reduction *r = w->r;
  following z = { w, j };
  mw_points of = { .n = r->n_point, .fn = residuals, .ctx = &z };
  *least = 0.0;
  mw_code rc = mw_parallel_points(r->work, &of, err);
  if (rc != MW_OK || !continue_signs(w)) return rc;
  for (int g = 0; g < r->n_point; g++)
    if (!w->healthy[g] && !fill_point(w, g)) return MW_OK;
  *least = least_overlap(w);
  return MW_OK;
}

mw_code mw_pattern_follow(mw_select *w, int j, bool *found, mw_error *err)
{
  double least;
  mw_code rc = follow(w, j, &least, err);
  *found = rc == MW_OK && least >= mw_pattern_least;
  if (*found) close_turns(w);
  return rc;
}

mw_code mw_pattern_follow_calm(mw_select *w, int n, const int *cand, int *j, bool *found,
                               bool *calm, mw_error *err)
{
  double least, best;
  mw_code rc = follow(w, cand[0], &best, err);
  *j = cand[0];
  *found = rc == MW_OK && best >= mw_pattern_least;
  bool again = false;
  *calm = best >= CALM;
  for (int k = 1; rc == MW_OK && k < n && *found && !*calm; k++) {
    rc = follow(w, cand[k], &least, err);
    again = true;
    if (!(least > best)) continue;
    best = least;
    *j = cand[k];
  }
  if (rc == MW_OK && again) rc = follow(w, *j, &best, err);
  *calm = best >= CALM;
  if (rc == MW_OK && *found) close_turns(w);
  return rc;
}
