// SPDX-License-Identifier: BSD-3-Clause
// guide.c: weights of the guide's nodes for a contact at s.
//
// u(s) = Σ_j w_j(s) u_j is the not-a-knot cubic spline through the nodes; on s_j <= s <= s_{j+1}, h
// = s_{j+1} − s_j, b = (s − s_j)/h, a = 1 − b, and m = spline · u its second derivatives,
//   u = a u_j + b u_{j+1} + h²/6 ((a³ − a) m_j + (b³ − b) m_{j+1})                              (1)
// A contact of length l averages it with the cubic B-spline B on [−l/2, l/2]:
//   W_j(s) = ∫ B(τ) w_j(s + τ) dτ ≈ Σ_q ω_q w_j(s + τ_q)                                        (2)
// by four Gauss points on each of the four pieces of B: symmetric, and exact for products of B with
// cubics. W is C² in s because w is, and its derivatives here are the exact ones of the sum. Linear
// data are reproduced, cubic data u become u + u'' l²/96 (B has variance l²/48). Where the
// contact reaches beyond the end the last cubic is continued. O(n) for each of 16 points. Allocates
// nothing.
// On a face (guide_pad.c) u_j are means over the pad at s_j, which know the contact length: (1) alone.
#include <math.h>
#include <string.h>

#include "fem/body.h"

enum { N_GAUSS = 4 };

static const double GAUSS_X[N_GAUSS] = { 0.069431844202973712, 0.33000947820757187,
                                         0.66999052179242813, 0.93056815579702629 };
static const double GAUSS_W[N_GAUSS] = { 0.17392742256872693, 0.32607257743127307,
                                         0.32607257743127307, 0.17392742256872693 };

// last interval [s_j, s_{j+1}] with s_j <= s, the end ones continued outwards
static int interval(const mw_guide *g, double s)
{
  int lo = 0, hi = g->n - 1;
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    if (g->s[mid] <= s)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

// W += f w(s), and its derivatives, (1)
static void add_point(const mw_guide *g, double s, double f, double *W, double *W1, double *W2)
{
  int j = interval(g, s), n = g->n;
  double h = g->s[j + 1] - g->s[j], b = (s - g->s[j]) / h, a = 1.0 - b;
  const double *mj = g->spline + (size_t)j * (size_t)n, *mk = mj + n;
  double cj = f * h * h / 6.0 * (a * a * a - a), ck = f * h * h / 6.0 * (b * b * b - b);
  for (int i = 0; i < n; i++) W[i] += cj * mj[i] + ck * mk[i];
  W[j] += f * a;
  W[j + 1] += f * b;
  if (W1 != NULL) {
    double dj = -f * h / 6.0 * (3.0 * a * a - 1.0), dk = f * h / 6.0 * (3.0 * b * b - 1.0);
    for (int i = 0; i < n; i++) W1[i] += dj * mj[i] + dk * mk[i];
    W1[j] -= f / h;
    W1[j + 1] += f / h;
  }
  if (W2 != NULL)
    for (int i = 0; i < n; i++) W2[i] += f * (a * mj[i] + b * mk[i]);
}

// cubic B-spline of unit area on [−2, 2], at x >= 0
static double bspline(double x)
{
  double y = 2.0 - x, z = 1.0 - x;
  return x < 1.0 ? (y * y * y - 4.0 * z * z * z) / 6.0 : y * y * y / 6.0;
}

// s on the guide, for pads: where the pad is on its face; len is the pad's or 0 there
static mw_code check_place(const mw_guide *g, double s, double len, mw_error *err)
{
  bool pad = g->n > 0 && g->pad[0] > 0.0;
  double tol = 1e-9 * g->length, lo = pad ? g->s[0] : 0.0, hi = pad ? g->s[g->n - 1] : g->length;
  if (!(s >= -tol && s <= g->length + tol))
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE,
                   "contact at s = %g m leaves guide '%s' of length %g m", s, g->name, g->length);
  if (s < lo - tol || s > hi + tol)
    return mw_fail(
        err, MW_ERR_RANGE, MW_NOWHERE,
        "a runner at s = %g m leaves the face of guide '%s', its pad is on it from %g to %g m", s,
        g->name, lo, hi);
  if (pad && len > 0.0 && fabs(len - g->pad[0]) > tol)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "a runner is %g m long, the pad of its guide '%s' %g m", len, g->name,
                   g->pad[0]);
  return MW_OK;
}

mw_code mw_guide_weights(const mw_guide *g, double s, double len, double *W, double *W1, double *W2,
                         mw_error *err)
{
  mw_code rc = check_place(g, s, len, err);
  if (rc != MW_OK) return rc;
  if (g->n == 0) return MW_OK;
  size_t bytes = (size_t)g->n * sizeof(double);
  memset(W, 0, bytes);
  if (W1 != NULL) memset(W1, 0, bytes);
  if (W2 != NULL) memset(W2, 0, bytes);
  if (!(len > 0.0) || g->pad[0] > 0.0) {
    add_point(g, s, 1.0, W, W1, W2);
    return MW_OK;
  }
  for (int piece = 0; piece < 2; piece++)
    for (int q = 0; q < N_GAUSS; q++) {
      double x = piece + GAUSS_X[q], f = GAUSS_W[q] * bspline(x);
      add_point(g, s - 0.25 * len * x, f, W, W1, W2);
      add_point(g, s + 0.25 * len * x, f, W, W1, W2);
    }
  return MW_OK;
}
