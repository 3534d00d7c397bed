// SPDX-License-Identifier: BSD-3-Clause
// guide_beam.c: displacement across a guide of beams, from nodal displacements and rotations.
//
// v: displacement along n1, n2; θ = (r·n2, −r·n1): the slope a section's rotation r makes of it. Of
// element e between nodes j, j + 1, length l, with Γ = Σ Φ/(1 + Φ) p pᵀ over the planes p of its
// section (element/beam.c (1)),
//   w = (v_{j+1} − v_j)/l − (θ_j + θ_{j+1})/2 ,  γ = Γ w                          shear angle   (1)
//   κ = (θ_{j+1} − θ_j)/l ± 6/l (w − γ)               curvature θ' at its start (+) and end (−) (2)
// A node takes the mean of its elements: slope m_j = θ_j + γ_j and curvature κ_j. v(s) is the
// quintic of these on each element, b = (s − s_j)/l in [0, 1]:
//   v = Σ over the two ends of  A v + l B m + l² C κ                                            (3)
//   A = 1 − 10b³ + 15b⁴ − 6b⁵,  B = b − 6b³ + 8b⁴ − 3b⁵,  C = (b² − 3b³ + 3b⁴ − b⁵)/2 at the start,
//   A(1 − b), −B(1 − b), C(1 − b) at the end
// v is C² in s whatever the data. Where elements agree in κ and γ, as under loads that act
// elsewhere, it is the beam's own cubic; where a contact stands within an element, the means make
// up for most of what a load between nodes loses of its own deflection (a cubic loses F l³ b³(1 −
// b)³/3EI, a tenth of it stays; of the shear, F l b(1 − b)/κGA, a third). Under length l the mean
// over it is taken, by three Gauss points on each element, exact for quintics; v is C³ then and its
// derivatives are exact, guide.c (3). Beyond the ends v goes on as v + m x + κ x²/2. O(1) an
// element under the contact.
#include <string.h>

#include "guide_priv.h"

enum { N_GAUSS = 3 };

static const double GAUSS_X[N_GAUSS] = { 0.11270166537925831, 0.5, 0.88729833462074169 };
static const double GAUSS_W[N_GAUSS] = { 0.27777777777777778, 0.44444444444444444,
                                         0.27777777777777778 };

// coefficients of v, m, κ at both ends of element e
typedef struct share {
  int e;
  double v[2], m[2], k[2];
} share;

// A, B, C of (3) and their derivatives in b
static void quintic(double b, int order, double f[3])
{
  double b2 = b * b, b3 = b2 * b, b4 = b3 * b, b5 = b4 * b;
  if (order == 0) {
    f[0] = 1.0 - 10.0 * b3 + 15.0 * b4 - 6.0 * b5;
    f[1] = b - 6.0 * b3 + 8.0 * b4 - 3.0 * b5;
    f[2] = 0.5 * (b2 - 3.0 * b3 + 3.0 * b4 - b5);
  } else if (order == 1) {
    f[0] = -30.0 * b2 + 60.0 * b3 - 30.0 * b4;
    f[1] = 1.0 - 18.0 * b2 + 32.0 * b3 - 15.0 * b4;
    f[2] = 0.5 * (2.0 * b - 9.0 * b2 + 12.0 * b3 - 5.0 * b4);
  } else {
    f[0] = -60.0 * b + 180.0 * b2 - 120.0 * b3;
    f[1] = -36.0 * b + 96.0 * b2 - 60.0 * b3;
    f[2] = 0.5 * (2.0 - 18.0 * b + 36.0 * b2 - 20.0 * b3);
  }
}

// 1, x, x²/2 and their derivatives in x: beyond an end
static void taylor(double x, int order, double f[3])
{
  f[0] = order == 0 ? 1.0 : 0.0;
  f[1] = order == 0 ? x : order == 1 ? 1.0 : 0.0;
  f[2] = order == 0 ? 0.5 * x * x : order == 1 ? x : 1.0;
}

// c += f d^order/ds^order v(s) of element c->e
static void add_point(const mw_guide *g, double s, int order, double f, share *c)
{
  double l = g->s[c->e + 1] - g->s[c->e], b = (s - g->s[c->e]) / l, p[3];
  if (b < 0.0 || b > 1.0) {
    int end = b > 1.0;
    taylor(s - g->s[c->e + end], order, p);
    c->v[end] += f * p[0];
    c->m[end] += f * p[1];
    c->k[end] += f * p[2];
    return;
  }
  double scale = order == 0 ? f : order == 1 ? f / l : f / (l * l);
  for (int end = 0; end < 2; end++) {
    double sign = end == 1 && order % 2 == 1 ? -1.0 : 1.0, slope = end == 1 ? -sign : sign;
    quintic(end == 0 ? b : 1.0 - b, order, p);
    c->v[end] += scale * sign * p[0];
    c->m[end] += scale * slope * l * p[1];
    c->k[end] += scale * sign * l * l * p[2];
  }
}

// ---- the elements under a contact ---------------------------------------------------------------

// Pieces of a contact: piece k < n is the part of element first + k that the contact covers, with
// what reaches beyond an end; of a derivative the two ends of the contact, of a point the point.
typedef struct pieces {
  int n, first;
  double lo, hi;
} pieces;

static pieces pieces_of(const mw_guide *g, mw_guide_place at)
{
  pieces p = { .n = 1, .lo = at.s - 0.5 * at.len, .hi = at.s + 0.5 * at.len };
  p.first = mw_guide_interval(g, p.lo);
  if (at.len > 0.0) p.n = at.order > 0 ? 2 : mw_guide_interval(g, p.hi) - p.first + 1;
  return p;
}

// mean over [a, b], of one polynomial, times (b − a)/len
static void add_part(const mw_guide *g, double a, double b, double len, share *c)
{
  if (!(b > a)) return;
  for (int q = 0; q < N_GAUSS; q++)
    add_point(g, a + GAUSS_X[q] * (b - a), 0, GAUSS_W[q] * (b - a) / len, c);
}

static share piece(const mw_guide *g, mw_guide_place at, const pieces *p, int k)
{
  share c = { .e = p->first + k };
  if (!(at.len > 0.0)) {
    add_point(g, at.s, at.order, 1.0, &c);
  } else if (at.order > 0) {
    double s = k == 0 ? p->lo : p->hi;
    c.e = mw_guide_interval(g, s);
    add_point(g, s, at.order - 1, (k == 0 ? -1.0 : 1.0) / at.len, &c);
  } else {
    double a = k == 0 ? p->lo : g->s[c.e], b = k == p->n - 1 ? p->hi : g->s[c.e + 1],
           start = g->s[0], end = g->s[g->n - 1];
    if (a < start) add_part(g, a, b < start ? b : start, at.len, &c);
    add_part(g, a > start ? a : start, b < end ? b : end, at.len, &c);
    if (b > end) add_part(g, a > end ? a : end, b, at.len, &c);
  }
  return c;
}

// ---- nodal slopes and curvatures ----------------------------------------------------------------

// y := Γ_e x
static void shear(const mw_guide *g, int e, const double x[2], double y[2])
{
  const double *G = g->shear + 3 * e;
  y[0] = G[0] * x[0] + G[1] * x[1];
  y[1] = G[1] * x[0] + G[2] * x[1];
}

// v and θ of node j
static void node_of(const mw_guide *g, const double *z, int j, double v[2], double th[2])
{
  const double *u = z + 6 * j, *r = u + 3;
  v[0] = v[1] = th[0] = th[1] = 0.0;
  for (int i = 0; i < 3; i++) {
    v[0] += g->n1[i] * u[i];
    v[1] += g->n2[i] * u[i];
    th[0] += g->n2[i] * r[i];
    th[1] -= g->n1[i] * r[i];
  }
}

// What node j takes of element e, which starts (end 0) or ends (end 1) there: 1 over its elements.
static double part_of(const mw_guide *g, int j) { return j == 0 || j == g->n - 1 ? 1.0 : 0.5; }

// m and κ of node j, without θ_j of m: sums over its elements
static void slopes(const mw_guide *g, const double *z, int j, double m[2], double k[2])
{
  double part = part_of(g, j), v[2][2], th[2][2], w[2], gamma[2];
  m[0] = m[1] = k[0] = k[1] = 0.0;
  for (int end = 0; end < 2; end++) {
    int e = j - end;
    if (e < 0 || e > g->n - 2) continue;
    double l = g->s[e + 1] - g->s[e], sign = end == 0 ? 6.0 / l : -6.0 / l;
    for (int a = 0; a < 2; a++) node_of(g, z, e + a, v[a], th[a]);
    for (int i = 0; i < 2; i++) w[i] = (v[1][i] - v[0][i]) / l - 0.5 * (th[0][i] + th[1][i]);
    shear(g, e, w, gamma);
    for (int i = 0; i < 2; i++) {
      m[i] += part * gamma[i];
      k[i] += part * ((th[1][i] - th[0][i]) / l + sign * (w[i] - gamma[i]));
    }
  }
}

void mw_guide_across(const mw_guide *g, mw_guide_place at, const double *z, double v[2])
{
  pieces p = pieces_of(g, at);
  v[0] = v[1] = 0.0;
  for (int k = 0; k < p.n; k++) {
    share c = piece(g, at, &p, k);
    for (int end = 0; end < 2; end++) {
      double vj[2], th[2], m[2], kappa[2];
      node_of(g, z, c.e + end, vj, th);
      slopes(g, z, c.e + end, m, kappa);
      for (int i = 0; i < 2; i++)
        v[i] += c.v[end] * vj[i] + c.m[end] * (th[i] + m[i]) + c.k[end] * kappa[i];
    }
  }
}

// ---- the same as a row --------------------------------------------------------------------------

// z += f·v_j + h·θ_j
static void add_node(const mw_guide *g, int j, const double f[2], const double h[2], double *z)
{
  double *u = z + 6 * j, *r = u + 3;
  for (int i = 0; i < 3; i++) {
    u[i] += f[0] * g->n1[i] + f[1] * g->n2[i];
    r[i] += h[0] * g->n2[i] - h[1] * g->n1[i];
  }
}

// z += fm·(m_j − θ_j) + fk·κ_j: slopes() transposed
static void add_slopes(const mw_guide *g, int j, const double fm[2], const double fk[2], double *z)
{
  double part = part_of(g, j), d[2], G[2], fv[2], ft[2][2];
  for (int end = 0; end < 2; end++) {
    int e = j - end;
    if (e < 0 || e > g->n - 2) continue;
    double l = g->s[e + 1] - g->s[e], sign = end == 0 ? 6.0 / l : -6.0 / l;
    for (int i = 0; i < 2; i++) d[i] = part * (fm[i] - sign * fk[i]);
    shear(g, e, d, G);
    for (int i = 0; i < 2; i++) {
      double w = G[i] + part * sign * fk[i];  // coefficient of w
      fv[i] = w / l;
      ft[0][i] = -0.5 * w - part * fk[i] / l;
      ft[1][i] = -0.5 * w + part * fk[i] / l;
    }
    double back[2] = { -fv[0], -fv[1] };
    add_node(g, e, back, ft[0], z);
    add_node(g, e + 1, fv, ft[1], z);
  }
}

void mw_guide_across_row(const mw_guide *g, mw_guide_place at, const double n[2], double *z)
{
  pieces p = pieces_of(g, at);
  for (int k = 0; k < p.n; k++) {
    share c = piece(g, at, &p, k);
    for (int end = 0; end < 2; end++) {
      double fv[2], fm[2], fk[2];
      for (int i = 0; i < 2; i++) {
        fv[i] = c.v[end] * n[i];
        fm[i] = c.m[end] * n[i];
        fk[i] = c.k[end] * n[i];
      }
      add_node(g, c.e + end, fv, fm, z);
      add_slopes(g, c.e + end, fm, fk, z);
    }
  }
}
