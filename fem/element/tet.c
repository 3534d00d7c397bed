// SPDX-License-Identifier: BSD-3-Clause
// tet.c: tetrahedra of 4 and 10 nodes.
//
// Barycentric L1..L4: L_i ; quadratic: corners L(2L − 1), mid-edge nodes 4 L_a L_b.            (1)
//
//             stiffness      mass
//   TET4      1, exact       4, exact
//   TET10     4, degree 2    24, degree 6 [K1986]: exact for straight edges
//
// The exact mass of TET10 lowers the first ten frequencies of a clamped beam from CalculiX's by
// 1e-7 to 2e-5 at 12,000 unknowns and by up to 3e-6 at 50,000; four points would leave the mass of
// small meshes singular.
// [K1986] Keast, Moderate-degree tetrahedral quadrature formulas, Comput. Methods Appl. Mech. Eng.
//         55 (1986).
#include <math.h>

#include "element_priv.h"

enum { NONE = -1 };

static double outside(const double xi[3])
{
  return fmax(fmax(-xi[0], -xi[1]), fmax(-xi[2], xi[0] + xi[1] + xi[2] - 1.0));
}

// clang-format off
static const mw_elem_domain TET = {
  4, 6,
  { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
  { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } },
  { { 1, 2, 3 }, { 2, 0, 3 }, { 0, 1, 3 }, { 0, 2, 1 } },
  0.70710678118654752, { 0.25, 0.25, 0.25 }, 3, outside
};
// clang-format on

// derivatives d [n × 4] by all four barycentric coordinates
static void barycentric(int n, const double xi[3], double *N, double d[][4])
{
  double L[4] = { 1.0 - xi[0] - xi[1] - xi[2], xi[0], xi[1], xi[2] };
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 4; c++) d[i][c] = 0.0;
  for (int i = 0; i < 4; i++) {
    N[i] = n == 4 ? L[i] : L[i] * (2.0 * L[i] - 1.0);
    d[i][i] = n == 4 ? 1.0 : 4.0 * L[i] - 1.0;
  }
  for (int e = 0; e < n - 4; e++) {
    const int a = TET.edge[e][0], b = TET.edge[e][1];
    N[4 + e] = 4.0 * L[a] * L[b];
    d[4 + e][a] = 4.0 * L[b];
    d[4 + e][b] = 4.0 * L[a];
  }
}

static void shape(int n, const double xi[3], double *N, double *dN)
{
  double d[10][4];
  barycentric(n, xi, N, d);
  for (int i = 0; i < n && dN != NULL; i++)
    for (int c = 0; c < 3; c++) dN[3 * i + c] = d[i][c + 1] - d[i][0];
}

static void shape4(const double xi[3], double *N, double *dN) { shape(4, xi, N, dN); }
static void shape10(const double xi[3], double *N, double *dN) { shape(10, xi, N, dN); }

// ---- where it is integrated ---------------------------------------------------------------------

// Four points with one barycentric coordinate 1 − 3a; weight w each, of a total of 1
static void ring4(double a, double w, mw_rule *r)
{
  for (int q = 0; q < 4; q++) {
    double L[4] = { a, a, a, a };
    L[q] = 1.0 - 3.0 * a;
    mw_rule_add(r, L[1], L[2], L[3], w / 6.0);
  }
}

static void points(int n, mw_rule *r)
{
  r->n = 0;
  if (n == 1) ring4(0.25, 0.25, r);
  if (n == 4) ring4(0.13819660112501051518, 0.25, r);  // (5 − √5)/20
  if (n < 24) return;
  static const double A = 0.0636610018750175299, B = 0.269672331458315867, W12 = 27.0 / 560.0;
  ring4(0.214602871259151684, 0.0399227502581679, r);
  ring4(0.0406739585346113397, 0.0100772110553207, r);
  ring4(0.322337890142275646, 0.0553571815436544, r);
  for (int q = 0; q < 12; q++) {
    int i = q / 3, j = (i + 1 + q % 3) % 4;
    double L[4] = { A, A, A, A };
    L[i] = B;
    L[j] = 1.0 - 2.0 * A - B;
    mw_rule_add(r, L[1], L[2], L[3], W12 / 6.0);
  }
}

static void rule4(bool mass, mw_rule *r) { points(mass ? 4 : 1, r); }
static void rule10(bool mass, mw_rule *r) { points(mass ? 24 : 4, r); }

// ---- classes ------------------------------------------------------------------------------------

// clang-format off
const mw_elem_class mw_elem_tet4 = {
  .info = { "4-node tetrahedron", 4, 3, 3, 10, 4,
            { { 0, 2, 1, NONE, NONE, NONE, NONE, NONE }, 
                     { 0, 1, 3, NONE, NONE, NONE, NONE, NONE }, 
                     { 1, 2, 3, NONE, NONE, NONE, NONE, NONE }, 
                     { 2, 0, 3, NONE, NONE, NONE, NONE, NONE } },
            { 3, 3, 3, 3 } },
  .domain = &TET,
  .gmsh = 4,
  .inp = { "C3D4" },
  .stress = mw_solid_point_stress,
  .shape = shape4,
  .rule = rule4,
};

// gmsh's edges: 12 23 31 14 34 24
static const int GMSH10[10] = { 0, 1, 2, 3, 4, 5, 6, 7, 9, 8 };

const mw_elem_class mw_elem_tet10 = {
  .info = { "10-node tetrahedron", 10, 3, 3, 24, 4,
            { { 0, 2, 1, 6, 5, 4, NONE, NONE }, { 0, 1, 3, 4, 8, 7, NONE, NONE }, 
                      { 1, 2, 3, 5, 9, 8, NONE, NONE }, { 2, 0, 3, 6, 7, 9, NONE, NONE } },
            { 3, 3, 3, 3 } },
  .domain = &TET,
  .gmsh = 11,
  .gmsh_order = GMSH10,
  .inp = { "C3D10", "C3D10M", "C3D10T" },
  .stress = mw_solid_point_stress,
  .shape = shape10,
  .rule = rule10,
};
// clang-format on
