// SPDX-License-Identifier: BSD-3-Clause
// shell_tri.c: flat triangle: membrane with drilling rotations, thin plate.
//
// Membrane, freedoms (u v θ) a node: Felippa's optimal triangle. A basic part that takes constant
// strain from edge displacements (rotations with weight α), and a higher part of the rotations
// relative to the mean one,
//   K = L Dt Lᵀ/A + ¾ β0 Tᵀ K_θ T ,  θ~ = T v ,  K_θ = A t Σ_m Q_mᵀ D_nat Q_m                   (1)
// Q_m: strains along the three edges in the middle of edge m for unit θ~. α = 3/2 and the nine β
// make bending of a rectangle of two triangles exact at any ratio of sides; β0 = ½ (1 − 4ν²).
//
// Plate, freedoms (w θx θy) a node, θx = w,y, θy = −w,x: discrete Kirchhoff triangle. Rotations of
// the normal β = (θy, −θx) are quadratic; in the middle of an edge of length l along s from i to j
//   β_n = ½ (β_ni + β_nj) ,  β_s = −w,s = 3/(2l) (w_i − w_j) − ¼ (β_si + β_sj)                  (2)
// κ = (βx,x  βy,y  βx,y + βy,x), linear in the triangle: three points are exact.
// [F2003] Felippa, A study of optimal membrane triangles with drilling freedoms, Comput. Methods
//         Appl. Mech. Eng. 192 (2003), section 6.
// [B1980] Batoz, Bathe, Ho, A study of three-node triangular plate bending elements, Int. J. Numer.
//         Methods Eng. 15 (1980).
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "element_priv.h"

static const double ALPHA = 1.5;
static const double BETA0_LEAST = 0.01;  // ν → ½: the higher part must not vanish

static double area(const double p[6])
{
  return 0.5 * ((p[2] - p[0]) * (p[5] - p[1]) - (p[4] - p[0]) * (p[3] - p[1]));
}

void mw_plane_stress(const mw_material *material, double D[9])
{
  double nu = material->nu, c = material->E / (1.0 - nu * nu);
  memset(D, 0, 9 * sizeof *D);
  D[0] = D[4] = c;
  D[1] = D[3] = nu * c;
  D[8] = 0.5 * (1.0 - nu) * c;
}

// K [n × n] += f Bᵀ D B, B [3 × n]
static void add_BtDB(int n, double f, const double *B, const double D[9], double *K)
{
  for (int i = 0; i < n; i++) {
    double r[3];
    for (int b = 0; b < 3; b++) {
      r[b] = 0.0;
      for (int a = 0; a < 3; a++) r[b] += f * B[n * a + i] * D[3 * a + b];
    }
    for (int j = 0; j < n; j++) K[n * i + j] += r[0] * B[j] + r[1] * B[n + j] + r[2] * B[2 * n + j];
  }
}

// ---- membrane ----

// The mean strain: B = Lᵀ/A. Edges meet in node j: i and k are the nodes before and after it.
void mw_tri_membrane_strain(const double p[6], double B[27])
{
  double f = 0.5 / area(p), a6 = ALPHA / 6.0, a3 = ALPHA / 3.0;
  memset(B, 0, 27 * sizeof *B);
  for (int j = 0; j < 3; j++) {
    int i = (j + 2) % 3, k = (j + 1) % 3;
    double xki = p[2 * k] - p[2 * i], yki = p[2 * k + 1] - p[2 * i + 1], xij = p[2 * i] - p[2 * j],
           yij = p[2 * i + 1] - p[2 * j + 1], xjk = p[2 * j] - p[2 * k],
           yjk = p[2 * j + 1] - p[2 * k + 1];
    B[3 * j] = B[18 + 3 * j + 1] = f * yki;
    B[9 + 3 * j + 1] = B[18 + 3 * j] = -f * xki;
    B[3 * j + 2] = f * a6 * yki * (yjk - yij);
    B[9 + 3 * j + 2] = f * a6 * xki * (xjk - xij);
    B[18 + 3 * j + 2] = f * a3 * (xjk * yjk - xij * yij);
  }
}

// T [3 × 9] of (1): nodal rotations less the mean rotation of the edges
static void relative_rotations(const double p[6], double T[27])
{
  double f = 0.25 / area(p);
  for (int m = 0; m < 3; m++)
    for (int j = 0; j < 3; j++) {
      int i = (j + 2) % 3, k = (j + 1) % 3;
      T[9 * m + 3 * j] = f * (p[2 * i] - p[2 * k]);
      T[9 * m + 3 * j + 1] = f * (p[2 * i + 1] - p[2 * k + 1]);
      T[9 * m + 3 * j + 2] = m == j ? 1.0 : 0.0;
    }
}

// Te [3 × 3]: Cartesian strain from the strains along the edges 12, 23, 31; l2: their lengths
// squared, m²
static void strain_of_edges(const double p[6], double Te[9], double l2[3])
{
  double C[9];  // edge strain = c² εx + s² εy + c s γ
  for (int e = 0; e < 3; e++) {
    int k = (e + 1) % 3;
    double x = p[2 * k] - p[2 * e], y = p[2 * k + 1] - p[2 * e + 1];
    l2[e] = x * x + y * y;
    C[3 * e] = x * x / l2[e];
    C[3 * e + 1] = y * y / l2[e];
    C[3 * e + 2] = x * y / l2[e];
  }
  double det = C[0] * (C[4] * C[8] - C[5] * C[7]) - C[1] * (C[3] * C[8] - C[5] * C[6]) +
               C[2] * (C[3] * C[7] - C[4] * C[6]);
  mw_invert33(C, det, Te);
}

void mw_tri_membrane(const double p[6], double thickness, const mw_material *material, double K[81])
{
  // β1 … β9 of the three middles of edges, by rows: strain along edge 12, 23, 31 per θ~1, θ~2, θ~3
  static const double Q1[9] = { 1, 2, 1, 0, 1, -1, -1, -1, -2 },
                      Q2[9] = { -2, -1, -1, 1, 1, 2, -1, 0, 1 },
                      Q3[9] = { 1, -1, 0, -1, -2, -1, 2, 1, 1 };
  static const double *const Q[3] = { Q1, Q2, Q3 };
  double D[9], B[27], T[27], Te[9], l2[3], A = area(p), nu = material->nu,
                                           beta0 = fmax(0.5 * (1.0 - 4.0 * nu * nu), BETA0_LEAST);
  mw_plane_stress(material, D);
  mw_tri_membrane_strain(p, B);
  memset(K, 0, 81 * sizeof *K);
  add_BtDB(9, A * thickness, B, D, K);
  relative_rotations(p, T);
  strain_of_edges(p, Te, l2);
  for (int m = 0; m < 3; m++) {
    double H[9], HT[27];  // Q at the middle between corners m and m + 1, Cartesian strain
    for (int k = 0; k < 9; k++)
      H[k] = 0.5 * (2.0 * A / 3.0) * (Q[m][k] + Q[(m + 1) % 3][k]) / l2[k / 3];
    mw_gemm('n', 'n', 3, 3, 3, 1.0, Te, H, 0.0, B);
    mw_gemm('n', 'n', 3, 9, 3, 1.0, B, T, 0.0, HT);
    add_BtDB(9, 0.75 * beta0 * A * thickness, HT, D, K);
  }
}

// ---- plate ----

// R [12 × 9]: β of the three corners, then of the middles of the edges 12, 23, 31, x and y each
static void normal_rotations(const double p[6], double R[108])
{
  memset(R, 0, 108 * sizeof *R);
  for (int i = 0; i < 3; i++) {
    R[9 * (2 * i) + 3 * i + 2] = 1.0;
    R[9 * (2 * i + 1) + 3 * i + 1] = -1.0;
  }
  for (int e = 0; e < 3; e++) {
    int i = e, j = (e + 1) % 3;
    double s[2] = { p[2 * j] - p[2 * i], p[2 * j + 1] - p[2 * i + 1] }, l = hypot(s[0], s[1]);
    s[0] /= l;
    s[1] /= l;
    for (int a = 0; a < 2; a++) {
      double *r = R + 9 * (6 + 2 * e + a);
      r[3 * i] = 1.5 / l * s[a];
      r[3 * j] = -1.5 / l * s[a];
      // ½ β_n n + (−¼) β_s s = ½ β − ¾ s (s · β)
      for (int c = 0; c < 9; c++)
        for (int b = 0; b < 2; b++)
          r[c] += ((a == b ? 0.5 : 0.0) - 0.75 * s[a] * s[b]) *
                  (R[9 * (2 * i + b) + c] + R[9 * (2 * j + b) + c]);
    }
  }
}

// B [3 × 9] at barycentric L
static void curvature(const double p[6], const double R[108], const double L[3], double B[27])
{
  double f = 0.5 / area(p), g[3][2];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    g[i][0] = f * (p[2 * j + 1] - p[2 * k + 1]);
    g[i][1] = f * (p[2 * k] - p[2 * j]);
  }
  memset(B, 0, 27 * sizeof *B);
  for (int n = 0; n < 6; n++) {
    int i = n % 3, j = (n + 1) % 3;
    double d[2];
    for (int c = 0; c < 2; c++)
      d[c] = n < 3 ? (4.0 * L[i] - 1.0) * g[i][c] : 4.0 * (L[j] * g[i][c] + L[i] * g[j][c]);
    for (int c = 0; c < 9; c++) {
      double bx = R[9 * (2 * n) + c], by = R[9 * (2 * n + 1) + c];
      B[c] += d[0] * bx;
      B[9 + c] += d[1] * by;
      B[18 + c] += d[1] * bx + d[0] * by;
    }
  }
}

static void plate_curvature(const double p[6], double B[27])
{
  static const double MIDDLE[3] = { 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0 };
  double R[108];
  normal_rotations(p, R);
  curvature(p, R, MIDDLE, B);
}

static void plate(const double p[6], double thickness, const mw_material *material, double K[81])
{
  double D[9], R[108], B[27], f = area(p) * thickness * thickness * thickness / 36.0;
  mw_plane_stress(material, D);
  normal_rotations(p, R);
  memset(K, 0, 81 * sizeof *K);
  for (int q = 0; q < 3; q++) {
    double L[3] = { 1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0 };
    L[q] = 2.0 / 3.0;
    curvature(p, R, L, B);
    add_BtDB(9, f, B, D, K);
  }
}

static void mass(const double p[6], double mu[9])
{
  double A = 0.5 * p[2] * p[5];  // the first edge lies on the x axis
  for (int k = 0; k < 9; k++) mu[k] = A / (k % 4 == 0 ? 6.0 : 12.0);
}

static const mw_facet_class facet = {
  .across = { { 0, 1 }, { 0, 2 } },
  .flat = true,
  .membrane = mw_tri_membrane,
  .plate = plate,
  .membrane_strain = mw_tri_membrane_strain,
  .plate_curvature = plate_curvature,
  .mass = mass,
};

enum { NONE = -1 };

static const mw_elem_domain TRI = {
  .n_corner = 3,
  .n_edge = 3,
  .corner = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } },
  .edge = { { 0, 1 }, { 1, 2 }, { 2, 0 } },
  .next = { { 1, 2, NONE }, { 2, 0, NONE }, { 0, 1, NONE } },
  .ideal = 0.86602540378443865,
};

const mw_elem_class mw_elem_tri3 = {
  .info = { "3-node shell", 3, 2, 6, 5, 0, { { 0 } }, { 0 } },
  .domain = &TRI,
  .gmsh = 2,
  .inp = { "S3", "S3R", "STRI3" },
  .stress = mw_facet_point_stress,
  .facet = &facet,
};
