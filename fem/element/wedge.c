// SPDX-License-Identifier: BSD-3-Clause
// wedge.c: wedges of 6 and 15 nodes.
//
// L1..L3 and ζ, s = −1 below and 1 above: ½ L (1 + sζ) ; quadratic: corners
//   ½ L (1 + sζ)(2L − 2 + sζ), mid-edge nodes 2 L_a L_b (1 + sζ), on the sides L (1 − ζ²).      (1)
//
//             stiffness                  mass
//   WEDGE6    3 × 2: exact for prisms    6 × 3, degree 4 in the triangle [D1985]: exact for prisms
//   WEDGE15   3 × 3, degree 2            6 × 3
// [D1985] Dunavant, High degree efficient symmetrical Gaussian quadrature rules for the triangle,
//         Int. J. Numer. Methods Eng. 21 (1985).
#include <math.h>

#include "element_priv.h"

enum { NONE = -1 };

static double outside(const double xi[3])
{
  return fmax(fmax(-xi[0], -xi[1]), fmax(xi[0] + xi[1] - 1.0, fabs(xi[2]) - 1.0));
}

// clang-format off
static const mw_elem_domain WEDGE = {
  6, 9,
  { { 0, 0, -1 }, { 1, 0, -1 }, { 0, 1, -1 }, { 0, 0, 1 }, { 1, 0, 1 }, { 0, 1, 1 } },
  { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 3, 4 }, { 4, 5 }, { 5, 3 }, { 0, 3 }, { 1, 4 }, { 2, 5 } },
  { { 1, 2, 3 }, { 2, 0, 4 }, { 0, 1, 5 }, { 5, 4, 0 }, { 3, 5, 1 }, { 4, 3, 2 } },
  0.86602540378443865, { 1.0 / 3.0, 1.0 / 3.0, 0.0 }, 2, outside
};
// clang-format on

static const int TRI_EDGE[3][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 } };

// derivatives d [n × 4] by L1, L2, L3, ζ
static void prismatic(int n, const double xi[3], double *N, double d[][4])
{
  double L[3] = { 1.0 - xi[0] - xi[1], xi[0], xi[1] }, z = xi[2];
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 4; c++) d[i][c] = 0.0;
  for (int i = 0; i < 6; i++) {
    int a = i % 3;
    double s = i < 3 ? -1.0 : 1.0, f = 1.0 + s * z, g = 2.0 * L[a] - 2.0 + s * z;
    N[i] = 0.5 * L[a] * f * (n == 6 ? 1.0 : g);
    d[i][a] = 0.5 * f * (n == 6 ? 1.0 : g + 2.0 * L[a]);
    d[i][3] = 0.5 * L[a] * s * (n == 6 ? 1.0 : g + f);
  }
  for (int i = 6; i < (n == 15 ? 12 : 6); i++) {
    const int *e = TRI_EDGE[i % 3];
    double s = i < 9 ? -1.0 : 1.0, f = 1.0 + s * z;
    N[i] = 2.0 * L[e[0]] * L[e[1]] * f;
    d[i][e[0]] = 2.0 * L[e[1]] * f;
    d[i][e[1]] = 2.0 * L[e[0]] * f;
    d[i][3] = 2.0 * L[e[0]] * L[e[1]] * s;
  }
  for (int i = 12; i < n; i++) {
    N[i] = L[i - 12] * (1.0 - z * z);
    d[i][i - 12] = 1.0 - z * z;
    d[i][3] = -2.0 * L[i - 12] * z;
  }
}

static void shape(int n, const double xi[3], double *N, double *dN)
{
  double d[15][4];
  prismatic(n, xi, N, d);
  for (int i = 0; i < n && dN != NULL; i++) {
    dN[3 * i] = d[i][1] - d[i][0];
    dN[3 * i + 1] = d[i][2] - d[i][0];
    dN[3 * i + 2] = d[i][3];
  }
}

static void shape6(const double xi[3], double *N, double *dN) { shape(6, xi, N, dN); }
static void shape15(const double xi[3], double *N, double *dN) { shape(15, xi, N, dN); }

// ---- where it is integrated ---------------------------------------------------------------------

// Three points with one barycentric coordinate 1 − 2a, times n along ζ; weight w each, of a total
// of 1
static void ring3(double a, double w, int n, mw_rule *r)
{
  for (int k = 0; k < n; k++)
    for (int q = 0; q < 3; q++)
      mw_rule_add(r, q == 1 ? 1.0 - 2.0 * a : a, q == 2 ? 1.0 - 2.0 * a : a, MW_GAUSS_X[n - 1][k],
                  0.5 * w * MW_GAUSS_W[n - 1][k]);
}

static void points(int n_tri, int n, mw_rule *r)
{
  r->n = 0;
  if (n_tri == 3) ring3(1.0 / 6.0, 1.0 / 3.0, n, r);
  if (n_tri == 6) {
    ring3(0.44594849091596488632, 0.22338158967801146570, n, r);
    ring3(0.09157621350977074346, 0.10995174365532186764, n, r);
  }
}

static void rule6(bool mass, mw_rule *r) { points(mass ? 6 : 3, mass ? 3 : 2, r); }
static void rule15(bool mass, mw_rule *r) { points(mass ? 6 : 3, 3, r); }

// ---- classes ------------------------------------------------------------------------------------

// clang-format off
const mw_elem_class mw_elem_wedge6 = {
  .info = { "6-node wedge", 6, 3, 3, 13, 5,
            { { 0, 2, 1, NONE, NONE, NONE, NONE, NONE }, 
                       { 3, 4, 5, NONE, NONE, NONE, NONE, NONE }, 
                       { 0, 1, 4, 3, NONE, NONE, NONE, NONE }, 
                       { 1, 2, 5, 4, NONE, NONE, NONE, NONE }, 
                       { 2, 0, 3, 5, NONE, NONE, NONE, NONE } },
            { 3, 3, 4, 4, 4 } },
  .domain = &WEDGE,
  .gmsh = 6,
  .inp = { "C3D6" },
  .stress = mw_solid_point_stress,
  .shape = shape6,
  .rule = rule6,
};

// gmsh's edges: 12 13 14 23 25 36 45 46 56
static const int GMSH15[15] = { 0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11 };

const mw_elem_class mw_elem_wedge15 = {
  .info = { "15-node wedge", 15, 3, 3, 26, 5,
            { { 0, 2, 1, 8, 7, 6, NONE, NONE }, { 3, 4, 5, 9, 10, 11, NONE, NONE }, 
                        { 0, 1, 4, 3, 6, 13, 9, 12 }, { 1, 2, 5, 4, 7, 14, 10, 13 }, 
                        { 2, 0, 3, 5, 8, 12, 11, 14 } },
            { 3, 3, 4, 4, 4 } },
  .domain = &WEDGE,
  .gmsh = 18,
  .gmsh_order = GMSH15,
  .inp = { "C3D15" },
  .stress = mw_solid_point_stress,
  .shape = shape15,
  .rule = rule15,
};
// clang-format on
