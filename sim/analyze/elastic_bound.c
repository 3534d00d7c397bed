// SPDX-License-Identifier: BSD-3-Clause
// elastic_bound.c: how far outputs deflect along a path at a rate and an acceleration, and bounds
// of that as half-planes of p̈, ṗ², ṗ.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "sim/elastic_reach.h"
#include "tool_path_priv.h"

double mw_elastic_path_deflection(const mw_elastic_path *o, int i, int k, double rate,
                                  double acceleration, bool moving)
{
  double sum = 0.0;
  for (int x = 3 * (i * o->n_out + k), e = x + 3; x < e; x++) {
    double y =
        o->a[x] * acceleration + o->b[x] * rate * rate + o->f[x] * rate + (moving ? 0.0 : o->c[x]);
    sum += y * y;
  }
  return sqrt(sum);
}

// Takes e off x, of unit length
static void leave_out(const double *e, double *x) { mw_axpy(3, -mw_dot(3, e, x), e, x); }

// Unit vector along what of x is across the n of e before; false: nothing beyond rounding of x, or
// of the largest of its kind and of the bound
static bool direction(const double *x, double most, int n, double e[][3])
{
  static const double PARALLEL = 1e-9, ROUNDING = 1e-12;  // of derivatives of splines
  double y[3], size = sqrt(mw_dot(3, x, x));
  memcpy(y, x, sizeof y);
  for (int i = 0; i < n; i++) leave_out(e[i], y);
  double norm = sqrt(mw_dot(3, y, y));
  if (!(norm > PARALLEL * size) || size <= ROUNDING * most) return false;
  for (int i = 0; i < 3; i++) e[n][i] = y[i] / norm;
  return true;
}

// wᵀ(a p̈ + b ṗ² + f ṗ + c) ≤ h
static mw_half across(const double *const part[4], const double *w, double h)
{
  return (mw_half){ mw_dot(3, w, part[0]), mw_dot(3, w, part[1]), mw_dot(3, w, part[2]),
                    h - mw_dot(3, w, part[3]) };
}

enum { SIDES = 64, MOST_SIDES = SIDES + 2 };

// |a p̈ + b ṗ² + f ṗ + c| ≤ most, into half [MOST_SIDES]; their number. In the plane of a and b a
// polygon within the circle, a corner along a: exact for what a line of directions says, cos π/64
// of the rest. What dampers add across that plane has as much of the bound as the largest
// speed takes, 0.3 at most, and the plane the rest, 0.95 at least.
static int sides(const double *const part[4], double most, double fastest, mw_half *half)
{
  static const double PI = 3.14159265358979323846, APART = 0.3;
  double apart = APART, e[3][3], c[3], radius,
         size = sqrt(fmax(mw_dot(3, part[0], part[0]), mw_dot(3, part[1], part[1])));
  size = fmax(size, most);
  int n = 0, k = 0;
  for (int x = 0; x < 2; x++) n += direction(part[x], size, n, e);
  bool more = direction(part[2], 0.0, n, e), third = more && n == 2;
  if (more && !third) n++;
  memcpy(c, part[3], sizeof c);
  for (int x = 0; x < n + third; x++) leave_out(e[x], c);
  radius = most * most - mw_dot(3, c, c);
  if (!(radius >= 0.0)) half[k++] = (mw_half){ .h = -1.0 };
  if (!(radius >= 0.0) || n == 0) return k;
  radius = sqrt(radius);
  if (third) apart = fmin(APART, fabs(mw_dot(3, e[2], part[2])) * fastest / radius);
  for (int x = 0; third && x < 2; x++) {
    double w[3] = { e[2][0], e[2][1], e[2][2] };
    for (int i = 0; x > 0 && i < 3; i++) w[i] = -w[i];
    half[k++] = across(part, w, apart * radius);
  }
  if (third) radius *= sqrt(1.0 - apart * apart);
  int many = n == 1 ? 2 : SIDES;
  for (int x = 0; x < many; x++) {
    double w[3], at = n == 1 ? PI * x : (2.0 * x + 1.0) * PI / SIDES;
    for (int i = 0; i < 3; i++) w[i] = cos(at) * e[0][i] + (n > 1 ? sin(at) * e[1][i] : 0.0);
    half[k++] = across(part, w, n == 1 ? radius : radius * cos(PI / SIDES));
  }
  return k;
}

mw_code mw_elastic_path_bound(mw_elastic_path *o, const mw_drive_limits *limits, const double *most,
                              bool moving, mw_arena *mem, mw_error *err)
{
  static const double NONE[3] = { 0.0 };
  mw_path_dynamics *d = &o->d;
  int bounded = 0;
  for (int k = 0; k < o->n_out; k++) bounded += isfinite(most[k]);
  d->n_bound = bounded * MOST_SIDES;
  d->bound = mw_arena_alloc(mem, (size_t)d->n * (size_t)d->n_bound, sizeof *d->bound);
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < d->n; i++) {
    mw_half *half = d->bound + (size_t)i * (size_t)d->n_bound;
    double fastest = mw_speed_limit(d, i, limits);
    int n = 0;
    for (int k = 0; k < o->n_out; k++) {
      size_t x = 3 * ((size_t)i * (size_t)o->n_out + (size_t)k);
      const double *part[4] = { o->a + x, o->b + x, o->f + x, moving ? NONE : o->c + x };
      if (isfinite(most[k])) n += sides(part, most[k], fastest, half + n);
    }
    // what is left says nothing
    for (; n < d->n_bound; n++) half[n] = (mw_half){ .h = 1.0 };
    for (int x = 0; x < n; x++) d->viscous = d->viscous || half[x].f != 0.0;
  }
  return rc;
}
