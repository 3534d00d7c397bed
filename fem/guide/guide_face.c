// SPDX-License-Identifier: BSD-3-Clause
// guide_face.c: integrals of a runner's pad over the faces of solids.
//
// x along the guide, y across it in the plane of the faces, both in m. The pad at s with length l
// and width w:
//   B(x) = b(4 x/l) 4/(l w) on |x| <= l/2, |y| <= w/2 ,   ∫∫ B dA = 1                           (1)
// b the cubic B-spline of unit area on [−2, 2]: C² in x, uniform across. Needed are, over the nodes
// i,
//   w0_i = ∫ B N_i dA ,  wx_i = ∫ B x N_i dA ,  wy_i = ∫ B y N_i dA                             (2)
// Each face is cut into triangles between points of its parameters, these are clipped at the knots
// of b and at the edges of the pad, and what remains is integrated by a rule of degree 6;
// parameters of its points by Newton's method. For triangles with straight edges and parallelograms
// one cut is exact: B N is of degree 5 (bicubic N: 6) on each piece; (2) then is as smooth in s as
// ∫B. Others are cut 4 times each way: N is no polynomial of the place, and a bent edge is met to a
// 16th of its sagitta; ∫ B stays exact in either case, the triangles of neighbours share their
// corners.
// Cost: 4 strips × 2 triangles × 12 points a face under the pad. Allocates nothing.
// [Dun1985] Dunavant, High degree efficient symmetrical Gaussian quadrature rules for the triangle,
//           IJNME 21 (1985) 1129-1148; the 12 points were computed anew and are checked by
//           tests/fem/test_pad.c.
#include <math.h>
#include <string.h>

#include "guide_priv.h"

enum { MAX_CORNER = 8, CUTS = 4, N_POINT = 12, MAX_STEP = 8 };

static const double CLOSE =
    1e-8;  // a step this short is followed, by quadratic convergence, by rounding

// a corner of a clipped triangle: place (m) and parameters of the face
typedef struct corner {
  double x[2], r[2];
} corner;

typedef struct polygon {
  int n;
  corner p[MAX_CORNER];
} polygon;

// ---- the face -----------------------------------------------------------------------------------

// triangles: r, q >= 0, r + q <= 1; quadrilaterals: [−1, 1]²; corners, then mid-edge nodes in turn
static void shape(const mw_pad_face *f, const double r[2], double N[8], double dN[8][2])
{
  static const double C[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
  int c = f->n_corner;
  if (c == 3) {
    double L[3] = { 1.0 - r[0] - r[1], r[0], r[1] };
    static const double D[3][2] = { { -1, -1 }, { 1, 0 }, { 0, 1 } };
    bool quadratic = f->n == 6;
    for (int i = 0; i < 3; i++) {
      N[i] = quadratic ? L[i] * (2.0 * L[i] - 1.0) : L[i];
      for (int k = 0; k < 2; k++) dN[i][k] = D[i][k] * (quadratic ? 4.0 * L[i] - 1.0 : 1.0);
    }
    for (int i = 0, j = 1; quadratic && i < 3; i++, j = (i + 1) % 3) {
      N[3 + i] = 4.0 * L[i] * L[j];
      for (int k = 0; k < 2; k++) dN[3 + i][k] = 4.0 * (D[i][k] * L[j] + L[i] * D[j][k]);
    }
    return;
  }
  bool quadratic = f->n == 8;
  for (int i = 0; i < 4; i++) {
    double a = C[i][0], b = C[i][1], u = 1.0 + a * r[0], v = 1.0 + b * r[1];
    double e = quadratic ? a * r[0] + b * r[1] - 1.0 : 1.0;
    N[i] = 0.25 * u * v * e;
    dN[i][0] = 0.25 * a * v * (e + (quadratic ? u : 0.0));
    dN[i][1] = 0.25 * b * u * (e + (quadratic ? v : 0.0));
  }
  for (int i = 0, j = 1; quadratic && i < 4; i++, j = (i + 1) % 4) {
    int k = C[i][0] == C[j][0] ? 0 : 1;  // constant along this edge
    double a = C[i][k], u = 1.0 + a * r[k], v = 1.0 - r[1 - k] * r[1 - k];
    N[4 + i] = 0.5 * u * v;
    dN[4 + i][k] = 0.5 * a * v;
    dN[4 + i][1 - k] = -u * r[1 - k];
  }
}

static void place(const mw_pad_face *f, const double N[8], double x[2])
{
  x[0] = x[1] = 0.0;
  for (int i = 0; i < f->n; i++)
    for (int k = 0; k < 2; k++) x[k] += N[i] * f->x[i][k];
}

bool mw_pad_face_is_affine(const mw_pad_face *f)
{
  double size = fmax(f->hi[0] - f->lo[0], f->hi[1] - f->lo[1]), off = 0.0;
  int c = f->n_corner;
  for (int k = 0; k < 2; k++) {
    if (c == 4) off = fmax(off, fabs(f->x[0][k] - f->x[1][k] + f->x[2][k] - f->x[3][k]));
    for (int i = c; i < f->n; i++)
      off = fmax(off, fabs(f->x[i][k] - 0.5 * (f->x[i - c][k] + f->x[(i - c + 1) % c][k])));
  }
  return off <= 1e-9 * size;  // rounding of coordinates in mesh files
}

// ---- clipping -----------------------------------------------------------------------------------

// keeps sign × (x[axis] − at) >= 0
static void clip(polygon *p, int axis, double at, double sign)
{
  polygon q = { 0 };
  for (int i = 0; i < p->n; i++) {
    const corner *a = &p->p[i], *b = &p->p[(i + 1) % p->n];
    double da = sign * (a->x[axis] - at), db = sign * (b->x[axis] - at);
    if (da >= 0.0) q.p[q.n++] = *a;
    if ((da > 0.0 && db < 0.0) || (da < 0.0 && db > 0.0)) {
      double f = da / (da - db);
      corner *c = &q.p[q.n++];
      for (int k = 0; k < 2; k++) {
        c->x[k] = a->x[k] + f * (b->x[k] - a->x[k]);
        c->r[k] = a->r[k] + f * (b->r[k] - a->r[k]);
      }
      c->x[axis] = at;
    }
  }
  *p = q;
}

// [lo, hi] in x and y
static void clip_box(polygon *p, const double lo[2], const double hi[2])
{
  for (int k = 0; k < 2 && p->n > 0; k++) {
    clip(p, k, lo[k], 1.0);
    if (p->n > 0) clip(p, k, hi[k], -1.0);
  }
}

static bool apart(const double lo[2], const double hi[2], const double a[2], const double b[2])
{
  return hi[0] <= a[0] || hi[1] <= a[1] || lo[0] >= b[0] || lo[1] >= b[1];
}

// triangle `i` of the face's cuts × cuts (× 2) triangles
static polygon cut(const mw_pad_face *f, int cuts, int i)
{
  int cell = i / 2, upper = i % 2, a = cell % cuts, b = cell / cuts;
  int at[3][2] = { { a + upper, b + upper },
                   { a + 1 - upper, b + upper },
                   { a + upper, b + 1 - upper } };
  polygon p = { .n = 3 };
  double N[8], dN[8][2];
  if (f->n_corner == 3 && a + b + upper >= cuts) return (polygon){ 0 };
  for (int c = 0; c < 3; c++) {
    for (int k = 0; k < 2; k++) {
      double u = (double)at[c][k] / cuts;
      p.p[c].r[k] = f->n_corner == 3 ? u : 2.0 * u - 1.0;
    }
    shape(f, p.p[c].r, N, dN);
    place(f, N, p.p[c].x);
  }
  return p;
}

// ---- quadrature ---------------------------------------------------------------------------------

// barycentric coordinates and weights of degree 6 on a triangle of unit area
static const double AREA3[2][2] = { { 0.24928674517091042, 0.11678627572637937 },
                                    { 0.063089014491502227, 0.050844906370206817 } };
static const double AREA6[3] = { 0.053145049844816947, 0.31035245103378440, 0.082851075618373575 };

static double rule(int q, double L[3])
{
  static const int PERM[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                  { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
  if (q < 6) {
    double a = AREA3[q / 3][0];
    L[0] = L[1] = L[2] = a;
    L[q % 3] = 1.0 - 2.0 * a;
    return AREA3[q / 3][1];
  }
  double v[3] = { AREA6[0], AREA6[1], 1.0 - AREA6[0] - AREA6[1] };
  for (int i = 0; i < 3; i++) L[i] = v[PERM[q - 6][i]];
  return AREA6[2];
}

double mw_pad_kernel(double x)
{
  double a = fabs(x), y = 2.0 - a, z = 1.0 - a;
  if (a >= 2.0) return 0.0;
  return a < 1.0 ? (y * y * y - 4.0 * z * z * z) / 6.0 : y * y * y / 6.0;
}

// parameters r of the place x, from a guess inside the same triangle; N there
static void find_parameters(const mw_pad_face *f, const double x[2], double r[2], double N[8])
{
  double dN[8][2], y[2];
  shape(f, r, N, dN);
  for (int step = 0; !f->affine && step < MAX_STEP; step++) {
    double J[4] = { 0 };
    place(f, N, y);
    for (int i = 0; i < f->n; i++)
      for (int k = 0; k < 4; k++) J[k] += dN[i][k % 2] * f->x[i][k / 2];
    double det = J[0] * J[3] - J[1] * J[2], dx = x[0] - y[0], dy = x[1] - y[1],
           d[2] = { (J[3] * dx - J[1] * dy) / det, (J[0] * dy - J[2] * dx) / det };
    r[0] += d[0];
    r[1] += d[1];
    shape(f, r, N, dN);
    if (fabs(d[0]) + fabs(d[1]) < CLOSE) break;
  }
}

// Adds dA × (1, x, y) B N to w for the place x with parameters r or nearly so.
static void add_point(const mw_pad_face *f, const mw_pad_place *at, const double x[2], double r[2],
                      double dA, double (*w)[3])
{
  double N[8], u = (x[0] - at->s) / at->length, v = (x[1] - at->y) / at->width;
  find_parameters(f, x, r, N);
  double B = at->smooth ? mw_pad_kernel(4.0 * u) * 4.0 / (at->length * at->width) * dA : dA;
  for (int i = 0; i < f->n; i++) {
    w[i][0] += B * N[i];
    w[i][1] += B * u * N[i];
    w[i][2] += B * v * N[i];
  }
}

static void add_polygon(const mw_pad_face *f, const mw_pad_place *at, const polygon *p,
                        double (*w)[3])
{
  for (int c = 2; c < p->n; c++) {
    const corner *a = &p->p[0], *b = &p->p[c - 1], *d = &p->p[c];
    double area = 0.5 * fabs((b->x[0] - a->x[0]) * (d->x[1] - a->x[1]) -
                             (b->x[1] - a->x[1]) * (d->x[0] - a->x[0]));
    for (int q = 0; q < N_POINT && area > 0.0; q++) {
      double L[3], x[2], r[2], weight = rule(q, L);
      for (int k = 0; k < 2; k++) {
        x[k] = L[0] * a->x[k] + L[1] * b->x[k] + L[2] * d->x[k];
        r[k] = L[0] * a->r[k] + L[1] * b->r[k] + L[2] * d->r[k];
      }
      add_point(f, at, x, r, weight * area, w);
    }
  }
}

bool mw_pad_integrate(const mw_pad_face *f, const mw_pad_place *at, double w[8][3])
{
  double half = 0.5 * at->length, lo[2] = { at->s - half, at->y - 0.5 * at->width },
         hi[2] = { at->s + half, at->y + 0.5 * at->width };
  memset(w, 0, 8 * sizeof *w);
  if (apart(f->lo, f->hi, lo, hi)) return false;
  int cuts = f->affine ? 1 : CUTS, strips = at->smooth ? 4 : 1;
  for (int i = 0; i < 2 * cuts * cuts; i++) {
    polygon whole = cut(f, cuts, i);
    for (int k = 0; k < strips && whole.n > 0; k++) {
      polygon p = whole;
      double a[2] = { lo[0] + k * at->length / strips, lo[1] },
             b[2] = { lo[0] + (k + 1) * at->length / strips, hi[1] };
      clip_box(&p, a, b);
      add_polygon(f, at, &p, w);
    }
  }
  return true;
}
