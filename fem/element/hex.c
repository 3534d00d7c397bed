// SPDX-License-Identifier: BSD-3-Clause
// hex.c: hexahedra of 8 nodes with incompatible modes, of 20, and of 20 with reduced integration.
//
// Node at (a, b, c): ⅛ (1 + aξ)(1 + bη)(1 + cζ) ; quadratic (serendipity): corners times
//   (aξ + bη + cζ − 2), mid-edge nodes ¼ (1 − ξ²)(1 + bη)(1 + cζ) and so on.                    (1)
//
//             stiffness    mass
//   HEX8      2 × 2 × 2    3 × 3 × 3: exact for straight edges
//   HEX20     3 × 3 × 3    3 × 3 × 3: exact for parallelepipeds
//   HEX20R    2 × 2 × 2    3 × 3 × 3
//
// HEX20R has six motions without energy of its own; two by two elements hold each other's, a single
// row of them does not.
#include <math.h>

#include "element_priv.h"

enum { NONE = -1 };

static double outside(const double xi[3])
{
  return fmax(fmax(fabs(xi[0]), fabs(xi[1])), fabs(xi[2])) - 1.0;
}

// clang-format off
static const mw_elem_domain HEX = {
  8, 12,
  { { -1, -1, -1 }, { 1, -1, -1 }, { 1, 1, -1 }, { -1, 1, -1 },
    { -1, -1, 1 }, { 1, -1, 1 }, { 1, 1, 1 }, { -1, 1, 1 } },
  { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 4, 5 }, { 5, 6 }, { 6, 7 }, { 7, 4 },
    { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } },
  { { 1, 3, 4 }, { 2, 0, 5 }, { 3, 1, 6 }, { 0, 2, 7 },
    { 7, 5, 0 }, { 4, 6, 1 }, { 5, 7, 2 }, { 6, 4, 3 } },
  1.0, { 0.0, 0.0, 0.0 }, 0, outside
};

static const signed char HEX_NODE[20][3] = {
  { -1, -1, -1 }, { 1, -1, -1 }, { 1, 1, -1 }, { -1, 1, -1 },
  { -1, -1, 1 },  { 1, -1, 1 },  { 1, 1, 1 },  { -1, 1, 1 },
  { 0, -1, -1 },  { 1, 0, -1 },  { 0, 1, -1 }, { -1, 0, -1 },
  { 0, -1, 1 },   { 1, 0, 1 },   { 0, 1, 1 },  { -1, 0, 1 },
  { -1, -1, 0 },  { 1, -1, 0 },  { 1, 1, 0 },  { -1, 1, 0 },
};
// clang-format on

static void shape8(const double xi[3], double *N, double *dN)
{
  for (int i = 0; i < 8; i++) {
    const signed char *a = HEX_NODE[i];
    double f[3];
    for (int c = 0; c < 3; c++) f[c] = 1.0 + a[c] * xi[c];
    N[i] = 0.125 * f[0] * f[1] * f[2];
    for (int c = 0; c < 3 && dN != NULL; c++)
      dN[3 * i + c] = 0.125 * a[c] * f[(c + 1) % 3] * f[(c + 2) % 3];
  }
}

static void shape20(const double xi[3], double *N, double *dN)
{
  for (int i = 0; i < 8; i++) {
    const signed char *a = HEX_NODE[i];
    double f[3], sum = -2.0;
    for (int c = 0; c < 3; c++) {
      f[c] = 1.0 + a[c] * xi[c];
      sum += a[c] * xi[c];
    }
    N[i] = 0.125 * f[0] * f[1] * f[2] * sum;
    for (int c = 0; c < 3 && dN != NULL; c++)
      dN[3 * i + c] = 0.125 * a[c] * f[(c + 1) % 3] * f[(c + 2) % 3] * (sum + f[c]);
  }
  for (int i = 8; i < 20; i++) {
    const signed char *a = HEX_NODE[i];
    double f[3], df[3];
    for (int c = 0; c < 3; c++) {
      f[c] = a[c] == 0 ? 1.0 - xi[c] * xi[c] : 1.0 + a[c] * xi[c];
      df[c] = a[c] == 0 ? -2.0 * xi[c] : a[c];
    }
    N[i] = 0.25 * f[0] * f[1] * f[2];
    for (int c = 0; c < 3 && dN != NULL; c++)
      dN[3 * i + c] = 0.25 * df[c] * f[(c + 1) % 3] * f[(c + 2) % 3];
  }
}

// ---- where it is integrated ---------------------------------------------------------------------

static void points(int n, mw_rule *r)
{
  const double *x = MW_GAUSS_X[n - 1], *w = MW_GAUSS_W[n - 1];
  r->n = 0;
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) mw_rule_add(r, x[i], x[j], x[k], w[i] * w[j] * w[k]);
}

static void fewer_rule(bool mass, mw_rule *r) { points(mass ? 3 : 2, r); }

static void full_rule(bool mass, mw_rule *r)
{
  (void)mass;
  points(3, r);
}

static mw_code stress8(mw_elem_kind kind, const double *X, const mw_material *material,
                       const double xi[3], double z, bool strain, double *S, mw_error *err)
{
  (void)kind;
  (void)z;
  return mw_hex8_stress(X, material, xi, strain, S, err);
}

// ---- classes ------------------------------------------------------------------------------------

// clang-format off
const mw_elem_class mw_elem_hex8 = {
  .info = { "8-node hexahedron", 8, 3, 3, 12, 6,
            { { 0, 3, 2, 1, NONE, NONE, NONE, NONE }, 
                     { 4, 5, 6, 7, NONE, NONE, NONE, NONE }, 
                     { 0, 1, 5, 4, NONE, NONE, NONE, NONE }, 
                     { 1, 2, 6, 5, NONE, NONE, NONE, NONE }, 
                     { 2, 3, 7, 6, NONE, NONE, NONE, NONE }, 
                     { 3, 0, 4, 7, NONE, NONE, NONE, NONE } },
            { 4, 4, 4, 4, 4, 4 } },
  .domain = &HEX,
  .gmsh = 5,
  .inp = { "C3D8", "C3D8I", "C3D8R" },
  .stress = stress8,
  .shape = shape8,
  .rule = fewer_rule,
  .modes = true,
};

#define FACES20 \
{ { 0, 3, 2, 1, 11, 10, 9, 8 },  { 4, 5, 6, 7, 12, 13, 14, 15 }, \
                      { 0, 1, 5, 4, 8, 17, 12, 16 }, { 1, 2, 6, 5, 9, 18, 13, 17 }, \
                      { 2, 3, 7, 6, 10, 19, 14, 18 }, { 3, 0, 4, 7, 11, 16, 15, 19 } }

// gmsh's edges: 12 14 15 23 26 34 37 48 56 58 67 78
static const int GMSH20[20] = { 0,  1, 2,  3,  4,  5,  6,  7,  8,  11,
                                13, 9, 16, 18, 19, 17, 10, 12, 14, 15 };

const mw_elem_class mw_elem_hex20 = {
  .info = { "20-node hexahedron", 20, 3, 3, 25, 6, FACES20, { 4, 4, 4, 4, 4, 4 } },
  .domain = &HEX,
  .gmsh = 17,
  .gmsh_order = GMSH20,
  .inp = { "C3D20" },
  .stress = mw_solid_point_stress,
  .shape = shape20,
  .rule = full_rule,
  .same_points = true,
};

const mw_elem_class mw_elem_hex20r = {
  .info = { "20-node hexahedron with reduced integration", 20, 3, 3, 25, 6, FACES20,
            { 4, 4, 4, 4, 4, 4 } },
  .domain = &HEX,
  .inp = { "C3D20R" },
  .stress = mw_solid_point_stress,
  .shape = shape20,
  .rule = fewer_rule,
};
// clang-format on
