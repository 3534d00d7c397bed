// SPDX-License-Identifier: BSD-3-Clause
// traversal.c: the fastest traversal of a path from rest to rest.
//
// x = ṗ² is linear in p between points, p̈ = (x_{i+1} − x_i)/(2 Δ); the limits hold in the middle
// of each interval, those of speed at points as well:
//
//   K_i = { x : some x' of K_{i+1} is reached within the limits } ,  K_N = { 0 }   backwards    (1)
//   x_{i+1} = the largest of K_{i+1} that is reached from x_i                      forwards     (2)
//   t_{i+1} − t_i = 2 Δ/(√x_i + √x_{i+1})                                                       (3)
// (reachability: Pham, Pham, IEEE T-RO 34, 2018; second order by the middles). Viscous forces f ṗ
// are linear in x about the sweep before: √x ≈ (x + x₀)/(2 √x₀); so are limits of power, by
// tangents within them ((2) of region.c): each sweep is accessible and no slower than the one
// before.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "sim/accessible.h"

static const double PI = 3.14159265358979323846;

typedef struct interval {
  int n;          // half-planes of the middle
  mw_half *half;  // [n]     with f
  mw_half *now;   // [n + 5] of (x, p̈) with f linearized, and what ends of the interval ask for
  double width;   // Δ
  double hi;      // of x in the middle
} interval;

typedef struct sweeper {
  int n;
  interval *in;     // [n]
  double *top;      // [n + 1]     largest x at points, of speed and forces
  double *lo, *hi;  // [n + 1]     K
  double *x;        // [n + 1]
  double *middle;   // [n]         x in the middle, of the sweep before
  double *vertex;   // scratch
  const mw_path_dynamics *d;
  const mw_drive_limits *limits;
} sweeper;

void mw_traversal_points(int n, double *p)
{
  for (int i = 0; i <= n; i++) p[2 * i] = 0.5 * (1.0 - cos(PI * i / n));
  p[0] = 0.0;
  p[2 * n] = 1.0;
  for (int i = 0; i < n; i++) p[2 * i + 1] = 0.5 * (p[2 * i] + p[2 * i + 2]);
}

// Half-planes of the middle of interval i, its ends within [a, b] and [c, d].
static int bound(const sweeper *s, int i, double a, double b, double c, double d)
{
  const interval *in = &s->in[i];
  double x0 = s->middle[i], h = in->width;
  for (int k = 0; k < in->n; k++) {
    mw_half p = in->half[k];
    if (p.f != 0.0) {
      double slope = 0.5 * p.f / sqrt(x0);
      p.b += slope;
      p.h -= slope * x0;
      p.f = 0.0;
    }
    in->now[k] = p;
  }
  // x_i = x − Δ p̈ ,  x_{i+1} = x + Δ p̈
  const mw_half ends[4] = {
    { -h, 1.0, 0.0, b }, { h, -1.0, 0.0, -a }, { h, 1.0, 0.0, d }, { -h, -1.0, 0.0, -c }
  };
  memcpy(in->now + in->n, ends, sizeof ends);
  return in->n + 4;
}

// Range of an end (sign −1: the first, 1: the second) with ends within bounds; false: none.
static bool range(const sweeper *s, int i, int n, double sign, double *lo, double *hi)
{
  const interval *in = &s->in[i];
  int m = mw_region_polygon(n, in->now, 0.0, in->hi, s->vertex);
  *lo = INFINITY;
  *hi = -INFINITY;
  for (int k = 0; k < m; k++) {
    double x = s->vertex[2 * k] + sign * in->width * s->vertex[2 * k + 1];
    *lo = fmin(*lo, x);
    *hi = fmax(*hi, x);
  }
  return m > 0;
}

// (1)
static mw_code backwards(sweeper *s, const double *p, mw_error *err)
{
  s->lo[s->n] = s->hi[s->n] = 0.0;
  for (int i = s->n - 1; i >= 0; i--) {
    int n = bound(s, i, 0.0, s->top[i], s->lo[i + 1], s->hi[i + 1]);
    if (!range(s, i, n, -1.0, &s->lo[i], &s->hi[i]))
      return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                     "the drives cannot stop behind p = %.6g, however fast they go there%s",
                     p[2 * i], s->d->n_bound > 0 ? ", or bounds cannot be kept" : "");
    s->lo[i] = fmax(s->lo[i], 0.0);
    s->hi[i] = fmin(fmax(s->hi[i], s->lo[i]), s->top[i]);
  }
  if (s->lo[0] > 1e-12 * fmax(s->hi[0], s->hi[1]))
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "the drives cannot start from rest: what begins with less than %.3g 1/s at "
                   "p = 0 does not reach the end",
                   sqrt(s->lo[0]));
  return MW_OK;
}

// (2): of each half-plane what it leaves of x_{i+1}. x_i is of K_i, to rounding: something is left.
static void forwards(sweeper *s)
{
  s->x[0] = 0.0;
  for (int i = 0; i < s->n; i++) {
    const interval *in = &s->in[i];
    int n = bound(s, i, 0.0, INFINITY, 0.0, INFINITY) - 4;
    double x = s->x[i], hi = fmin(s->hi[i + 1], 2.0 * in->hi - x);
    for (int k = 0; k < n; k++) {
      const mw_half *p = &in->now[k];
      double slope = 0.5 * (p->b + p->a / in->width);
      if (slope > 0.0) hi = fmin(hi, (p->h - 0.5 * x * (p->b - p->a / in->width)) / slope);
    }
    s->x[i + 1] = fmax(hi, s->lo[i + 1]);
  }
}

// Where sweeps begin in the middle of interval i with limits of power: a third of x that drives
// keep up, to a factor of four: there tangents leave more than is needed to go on. They may be such
// as keep none up.
static double begin_powered(const mw_path_dynamics *d, int i, const mw_drive_limits *limits,
                            double x, mw_half *half)
{
  enum { QUARTERS = 40 };
  double fastest = mw_fastest(d, i, limits, half);
  if (isfinite(fastest) && fastest > 0.0) x = fmin(x, fastest * fastest / 3.0);
  double y = x;
  for (int k = 0; k < QUARTERS; k++, y *= 0.25) {
    int n = mw_halves_near(d, i, limits, 3.0 * y, half);
    double lo, hi;
    if (mw_region_range(n, half, sqrt(3.0 * y), &lo, &hi) && lo <= 0.0 && hi >= 0.0) return y;
  }
  return x;
}

static mw_code prepare(const mw_path_dynamics *d, const mw_drive_limits *limits, sweeper *s,
                       mw_arena *mem, mw_error *err)
{
  int most = mw_halves_most(d);
  size_t n = (size_t)s->n;
  s->in = mw_arena_alloc(mem, n, sizeof *s->in);
  double **point[] = { &s->top, &s->lo, &s->hi, &s->x };
  for (int i = 0; i < 4; i++) *point[i] = mw_arena_f64(mem, n + 1);
  s->middle = mw_arena_f64(mem, n);
  s->vertex = mw_arena_f64(mem, 2 * (size_t)(most + 16));
  mw_half *half = mw_arena_alloc(mem, n * (size_t)(2 * most + 4), sizeof *half);
  mw_half *at_point = mw_arena_alloc(mem, (size_t)most, sizeof *at_point);
  mw_code rc = mw_arena_check(mem, err);
  for (size_t i = 0; rc == MW_OK && i < n; i++) {
    interval *in = &s->in[i];
    int middle = 2 * (int)i + 1;
    double speed = mw_speed_limit(d, middle, limits);
    in->half = half + i * (size_t)(2 * most + 4);
    in->now = in->half + most;
    in->n = mw_halves_find(d, middle, limits, in->half);
    in->width = d->p[middle + 1] - d->p[middle - 1];
    in->hi = speed * speed;
    s->middle[i] = fmin(1.0, in->hi);
    if (limits->power) s->middle[i] = begin_powered(d, middle, limits, s->middle[i], in->half);
  }
  for (int i = 0; rc == MW_OK && i <= s->n; i++) {
    double speed = mw_speed_limit(d, 2 * i, limits);
    int m = mw_halves_find(d, 2 * i, limits, at_point), viscous = d->viscous;
    s->top[i] = speed * speed;
    int corners = viscous ? -1 : mw_region_polygon(m, at_point, 0.0, s->top[i], s->vertex);
    double x = 0.0;
    for (int k = 0; k < corners; k++) x = fmax(x, s->vertex[2 * k]);
    if (corners > 0) s->top[i] = fmin(s->top[i], x);
    if (i == s->n) s->top[i] = 0.0;
  }
  return rc;
}

// Half-planes of the middles with limits of power about the sweep before
static void follow_power(sweeper *s)
{
  for (int i = 0; s->limits->power && i < s->n; i++)
    s->in[i].n = mw_halves_near(s->d, 2 * i + 1, s->limits, s->middle[i], s->in[i].half);
}

// Sweeps until speeds no longer change.
static mw_code sweep(const mw_path_dynamics *d, sweeper *s, int *sweeps, mw_error *err)
{
  enum { SWEEPS = 60 };
  static const double SETTLED = 1e-9;
  double change = INFINITY;
  bool again = d->viscous || s->limits->power;
  mw_code rc = MW_OK;
  for (*sweeps = 0; rc == MW_OK && *sweeps < SWEEPS && change > SETTLED; ++*sweeps) {
    follow_power(s);
    rc = backwards(s, d->p, err);
    if (rc == MW_OK) forwards(s);
    change = 0.0;
    double most = 0.0;
    for (int i = 0; rc == MW_OK && i <= s->n; i++) most = fmax(most, s->x[i]);
    for (int i = 0; rc == MW_OK && again && i < s->n; i++) {
      double x = 0.5 * (s->x[i] + s->x[i + 1]);
      change = fmax(change, fabs(x - s->middle[i]) / most);
      s->middle[i] = fmax(x, 1e-9 * most);
    }
  }
  return rc;
}

// Forces of least norm in the middle of interval i
static mw_code forces(const mw_path_dynamics *d, const sweeper *s, int i, double *A, double *Q,
                      double *force, mw_error *err)
{
  int k = d->k, nd = d->n_drive, at = 2 * i + 1, rank;
  double x = 0.5 * (s->x[i] + s->x[i + 1]),
         acceleration = (s->x[i + 1] - s->x[i]) / (2.0 * s->in[i].width);
  for (int r = 0; r < k; r++)
    Q[r] = d->a[at * k + r] * acceleration + d->b[at * k + r] * x + d->f[at * k + r] * sqrt(x) +
           d->c[at * k + r];
  memcpy(A, d->B + (size_t)at * (size_t)(k * nd), (size_t)(k * nd) * sizeof *A);
  return mw_lstsq(k, nd, A, Q, 1e-12, force, &rank, err);
}

mw_code mw_traversal_find(const mw_path_dynamics *d, const mw_drive_limits *limits, mw_arena *mem,
                          mw_traversal *out, mw_error *err)
{
  sweeper s = { .n = (d->n - 1) / 2, .d = d, .limits = limits };
  mw_traversal o = { .n = s.n + 1 };
  mw_arena tmp = { 0 };
  size_t n = (size_t)o.n;
  double **point[] = { &o.p, &o.rate, &o.t };
  for (int i = 0; i < 3; i++) *point[i] = mw_arena_f64(mem, n);
  o.force = mw_arena_f64(mem, n * (size_t)d->n_drive);
  double *A = mw_arena_f64(&tmp, (size_t)(d->k * d->n_drive)),
         *Q = mw_arena_f64(&tmp, (size_t)d->k);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_halves_check(d, err);
  if (rc == MW_OK) rc = prepare(d, limits, &s, &tmp, err);
  if (rc == MW_OK) rc = sweep(d, &s, &o.sweeps, err);
  for (int i = 0; rc == MW_OK && i < o.n; i++) {
    o.p[i] = d->p[2 * i];
    o.rate[i] = sqrt(s.x[i]);
    if (i == 0) continue;
    o.t[i] = o.t[i - 1] + 2.0 * (o.p[i] - o.p[i - 1]) / (o.rate[i] + o.rate[i - 1]);
    rc = forces(d, &s, i - 1, A, Q, o.force + (size_t)(i - 1) * (size_t)d->n_drive, err);
  }
  o.duration = o.t ? o.t[o.n - 1] : 0.0;
  mw_arena_free(&tmp);
  if (rc == MW_OK) *out = o;
  return rc;
}
