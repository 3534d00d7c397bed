// SPDX-License-Identifier: BSD-3-Clause
// shape.c: shape functions of the solids and their derivatives.
//
// Tetrahedra, barycentric L1..L4: L_i ; quadratic: corners L(2L − 1), mid-edge nodes 4 L_a L_b. (1)
// Hexahedra, node at (a, b, c): ⅛ (1 + aξ)(1 + bη)(1 + cζ) ; quadratic (serendipity): corners times
//   (aξ + bη + cζ − 2), mid-edge nodes ¼ (1 − ξ²)(1 + bη)(1 + cζ) and so on.                    (2)
// Wedges, L1..L3 and ζ, s = −1 below and 1 above: ½ L (1 + sζ) ; quadratic: corners
//   ½ L (1 + sζ)(2L − 2 + sζ), mid-edge nodes 2 L_a L_b (1 + sζ), on the sides L (1 − ζ²).      (3)
#include "base/vec3.h"
#include "element_priv.h"

static const int TET_EDGE[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };
static const int TRI_EDGE[3][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 } };

// clang-format off
static const signed char HEX_NODE[20][3] = {
  { -1, -1, -1 }, { 1, -1, -1 }, { 1, 1, -1 }, { -1, 1, -1 },
  { -1, -1, 1 },  { 1, -1, 1 },  { 1, 1, 1 },  { -1, 1, 1 },
  { 0, -1, -1 },  { 1, 0, -1 },  { 0, 1, -1 }, { -1, 0, -1 },
  { 0, -1, 1 },   { 1, 0, 1 },   { 0, 1, 1 },  { -1, 0, 1 },
  { -1, -1, 0 },  { 1, -1, 0 },  { 1, 1, 0 },  { -1, 1, 0 },
};
// clang-format on

int mw_solid_nodes(mw_elem_kind kind)
{
  switch (kind) {
  case MW_ELEM_TET4: return 4;
  case MW_ELEM_TET10: return 10;
  case MW_ELEM_HEX8: return 8;
  case MW_ELEM_HEX20: return 20;
  case MW_ELEM_HEX20R: return 20;
  case MW_ELEM_WEDGE6: return 6;
  case MW_ELEM_WEDGE15: return 15;
  default: return 0;
  }
}

// derivatives d [n × 4] by all four barycentric coordinates
static void tet_shape(int n, const double xi[3], double *N, double d[][4])
{
  double L[4] = { 1.0 - xi[0] - xi[1] - xi[2], xi[0], xi[1], xi[2] };
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 4; c++) d[i][c] = 0.0;
  for (int i = 0; i < 4; i++) {
    N[i] = n == 4 ? L[i] : L[i] * (2.0 * L[i] - 1.0);
    d[i][i] = n == 4 ? 1.0 : 4.0 * L[i] - 1.0;
  }
  for (int e = 0; e < n - 4; e++) {
    const int a = TET_EDGE[e][0], b = TET_EDGE[e][1];
    N[4 + e] = 4.0 * L[a] * L[b];
    d[4 + e][a] = 4.0 * L[b];
    d[4 + e][b] = 4.0 * L[a];
  }
}

static void hex8_shape(const double xi[3], double *N, double *dN)
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

static void hex20_shape(const double xi[3], double *N, double *dN)
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

// derivatives d [n × 4] by L1, L2, L3, ζ
static void wedge_shape(int n, const double xi[3], double *N, double d[][4])
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

void mw_solid_shape(mw_elem_kind kind, const double xi[3], double *N, double *dN)
{
  int n = mw_solid_nodes(kind);
  double d[15][4];
  if (kind == MW_ELEM_HEX8) {
    hex8_shape(xi, N, dN);
  } else if (n == 20) {
    hex20_shape(xi, N, dN);
  } else if (n == 4 || n == 10) {
    tet_shape(n, xi, N, d);
    for (int i = 0; i < n && dN != NULL; i++)
      for (int c = 0; c < 3; c++) dN[3 * i + c] = d[i][c + 1] - d[i][0];
  } else {
    wedge_shape(n, xi, N, d);
    for (int i = 0; i < n && dN != NULL; i++) {
      dN[3 * i] = d[i][1] - d[i][0];
      dN[3 * i + 1] = d[i][2] - d[i][0];
      dN[3 * i + 2] = d[i][3];
    }
  }
}

double mw_solid_jacobian(int n, const double *X, const double *dN, double Jac[9])
{
  double c[3];
  for (int k = 0; k < 9; k++) Jac[k] = 0.0;
  for (int i = 0; i < n; i++)
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) Jac[3 * a + b] += X[3 * i + a] * dN[3 * i + b];
  mw_cross3(Jac + 3, Jac + 6, c);
  return mw_dot3(Jac, c);
}

void mw_invert33(const double A[9], double det, double B[9])
{
  for (int i = 0; i < 3; i++) {
    double r[3];
    mw_cross3(A + 3 * ((i + 1) % 3), A + 3 * ((i + 2) % 3), r);
    for (int j = 0; j < 3; j++) B[3 * j + i] = r[j] / det;
  }
}
