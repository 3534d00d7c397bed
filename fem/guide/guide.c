// SPDX-License-Identifier: BSD-3-Clause
// guide.c: weights of the guide's nodes for a contact at s, from values alone.
//
// u(s) = Σ_j w_j(s) u_j is the not-a-knot cubic spline through the nodes; on s_j <= s <= s_{j+1}, h
// = s_{j+1} − s_j, b = (s − s_j)/h, a = 1 − b, and m = spline · u its second derivatives,
//   u = a u_j + b u_{j+1} + h²/6 ((a³ − a) m_j + (b³ − b) m_{j+1})                              (1)
// A contact of length l takes the mean over it,
//   W_j(s) = 1/l ∫ w_j dτ over [s − l/2, s + l/2]                                               (2)
//   W_j' = (w_j(s + l/2) − w_j(s − l/2))/l ,  W_j'' with w_j' likewise                          (3)
// (2) by two Gauss points on each interval, exact for cubics: (3) are its exact derivatives. W is
// C² in s, C³ where l > 0. Linear data are reproduced, cubic data u become u + u'' l²/24. Where the
// contact reaches beyond the end the last cubic is continued. O(n) an interval under the contact.
// Allocates nothing.
// On a face (guide_pad.c) u_j are means over the pad at s_j, which know the contact length: (1)
// alone. Beams know their slopes: guide_beam.c.
#include <math.h>
#include <string.h>

#include "guide_priv.h"

enum { N_GAUSS = 2 };

static const double GAUSS_X[N_GAUSS] = { 0.21132486540518712, 0.78867513459481288 };
static const double GAUSS_W[N_GAUSS] = { 0.5, 0.5 };

int mw_guide_interval(const mw_guide *g, double s)
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

// W += f d^order/ds^order w(s) on interval j, (1)
static void add_point(const mw_guide *g, int j, double s, int order, double f, double *W)
{
  int n = g->n;
  double h = g->s[j + 1] - g->s[j], b = (s - g->s[j]) / h, a = 1.0 - b;
  const double *mj = g->spline + (size_t)j * (size_t)n, *mk = mj + n;
  double cj = f * a, ck = f * b;  // of m_j and m_{j+1}; the second derivative's
  if (order == 0) {
    W[j] += f * a;
    W[j + 1] += f * b;
    cj *= h * h / 6.0 * (a * a - 1.0);
    ck *= h * h / 6.0 * (b * b - 1.0);
  } else if (order == 1) {
    W[j] -= f / h;
    W[j + 1] += f / h;
    cj = -f * h / 6.0 * (3.0 * a * a - 1.0);
    ck = f * h / 6.0 * (3.0 * b * b - 1.0);
  }
  for (int i = 0; i < n; i++) W[i] += cj * mj[i] + ck * mk[i];
}

// W [n] := d^order/ds^order of the weights, (1) at a point, (2) or (3) over a length
static void weights(const mw_guide *g, double s, double len, int order, double *W)
{
  memset(W, 0, (size_t)g->n * sizeof *W);
  if (!(len > 0.0)) {
    add_point(g, mw_guide_interval(g, s), s, order, 1.0, W);
    return;
  }
  double lo = s - 0.5 * len, hi = s + 0.5 * len;
  int first = mw_guide_interval(g, lo), last = mw_guide_interval(g, hi);
  if (order > 0) {
    add_point(g, last, hi, order - 1, 1.0 / len, W);
    add_point(g, first, lo, order - 1, -1.0 / len, W);
    return;
  }
  for (int j = first; j <= last; j++) {
    double a = j == first ? lo : g->s[j], b = j == last ? hi : g->s[j + 1];
    for (int q = 0; q < N_GAUSS; q++)
      add_point(g, j, a + GAUSS_X[q] * (b - a), 0, GAUSS_W[q] * (b - a) / len, W);
  }
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
  if (rc != MW_OK || g->n == 0) return rc;
  double l = g->pad[0] > 0.0 ? 0.0 : len;
  weights(g, s, l, 0, W);
  if (W1 != NULL) weights(g, s, l, 1, W1);
  if (W2 != NULL) weights(g, s, l, 2, W2);
  return MW_OK;
}

// ---- displacement and rotation ------------------------------------------------------------------

void mw_guide_field(const mw_guide *g, mw_guide_place at, const double *W, const double *z,
                    double u[3], double r[3])
{
  int stride = g->rot ? 6 : 3;
  double x[6] = { 0.0 };
  for (int j = 0; j < g->n; j++)
    for (int i = 0; i < stride; i++) x[i] += W[j] * z[stride * j + i];
  for (int i = 0; i < 3; i++) u[i] = x[i], r[i] = x[3 + i];
  if (!g->rot) return;
  double along = 0.0, v[2] = { 0.0, 0.0 };
  for (int i = 0; i < 3; i++) along += g->t[i] * u[i];
  mw_guide_across(g, at, z, v);
  for (int i = 0; i < 3; i++) u[i] = along * g->t[i] + v[0] * g->n1[i] + v[1] * g->n2[i];
}

void mw_guide_row(const mw_guide *g, mw_guide_place at, const double *W, const double n[3],
                  const double m[3], double *z)
{
  int stride = g->rot ? 6 : 3;
  double along[3], across[2] = { 0.0, 0.0 };
  for (int i = 0; i < 3; i++) along[i] = n[i];
  if (g->rot) {
    double f = 0.0;
    for (int i = 0; i < 3; i++) {
      f += g->t[i] * n[i];
      across[0] += g->n1[i] * n[i];
      across[1] += g->n2[i] * n[i];
    }
    for (int i = 0; i < 3; i++) along[i] = f * g->t[i];
    mw_guide_across_row(g, at, across, z);
  }
  for (int j = 0; j < g->n; j++)
    for (int i = 0; i < 3; i++) {
      z[stride * j + i] += W[j] * along[i];
      if (g->rot) z[stride * j + 3 + i] += W[j] * m[i];
    }
}
