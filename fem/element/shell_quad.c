// SPDX-License-Identifier: BSD-3-Clause
// shell_quad.c: flat quadrilateral: membrane with drilling rotations, plate with shear.
//
// Membrane: mean of the two ways of cutting it into triangles (shell_tri.c),
//     so that no diagonal is preferred.      (1)
//
// Plate, freedoms (w θx θy) a node, bilinear, β = (θy, −θx): mixed interpolation of the shear
// strains (MITC4),
//   γ_ξ = w,ξ + β · x,ξ at (0, ∓1) ,  γ_ξ(η) = ½ (1 − η) γ_ξ(0, −1) + ½ (1 + η) γ_ξ(0, 1)       (2)
// and γ_η likewise; (γ_ξ, γ_η) = Jᵀ (γ_x, γ_y). K = ∫ κᵀ D t³/12 κ + (5/6) G t γᵀ γ by 2 × 2
// points. No shear locking.
// [D1984] Dvorkin, Bathe, A continuum mechanics based four-node shell element for general
//         non-linear analysis, Eng. Computations 1 (1984).
#include <string.h>

#include "element_priv.h"

static const double SHEAR_FACTOR = 5.0 / 6.0;
static const double XI[4] = { -1, 1, 1, -1 }, ETA[4] = { -1, -1, 1, 1 };
static const double GAUSS = 0.57735026918962576451;  // 1/√3

// N [4], dN [4 × 2] by (ξ, η), J [4] = ∂(x, y)/∂(ξ, η) row-major; returns det J, m²
static double bilinear(const double p[8], double xi, double eta, double N[4], double dN[8],
                       double J[4])
{
  memset(J, 0, 4 * sizeof *J);
  for (int i = 0; i < 4; i++) {
    N[i] = 0.25 * (1.0 + XI[i] * xi) * (1.0 + ETA[i] * eta);
    dN[2 * i] = 0.25 * XI[i] * (1.0 + ETA[i] * eta);
    dN[2 * i + 1] = 0.25 * ETA[i] * (1.0 + XI[i] * xi);
    for (int a = 0; a < 2; a++)
      for (int b = 0; b < 2; b++) J[2 * a + b] += p[2 * i + a] * dN[2 * i + b];
  }
  return J[0] * J[3] - J[1] * J[2];
}

// B [3 × 12]: βx,x βy,y βx,y + βy,x ; returns det J
static double curvature(const double p[8], double xi, double eta, double B[36])
{
  double N[4], dN[8], J[4], det = bilinear(p, xi, eta, N, dN, J);
  memset(B, 0, 36 * sizeof *B);
  for (int i = 0; i < 4; i++) {
    double gx = (J[3] * dN[2 * i] - J[2] * dN[2 * i + 1]) / det,
           gy = (J[0] * dN[2 * i + 1] - J[1] * dN[2 * i]) / det;
    B[3 * i + 2] = gx;
    B[12 + 3 * i + 1] = -gy;
    B[24 + 3 * i + 2] = gy;
    B[24 + 3 * i + 1] = -gx;
  }
  return det;
}

static void plate_curvature(const double p[8], double B[36]) { (void)curvature(p, 0.0, 0.0, B); }

// row [12] += f γ_c at (ξ, η), c = 0: along ξ, 1: along η
static void add_covariant(const double p[8], double xi, double eta, int c, double f, double *row)
{
  double N[4], dN[8], J[4];
  (void)bilinear(p, xi, eta, N, dN, J);
  for (int i = 0; i < 4; i++) {
    row[3 * i] += f * dN[2 * i + c];
    row[3 * i + 1] -= f * N[i] * J[2 + c];
    row[3 * i + 2] += f * N[i] * J[c];
  }
}

// (2): S [2 × 12] = (γ_x, γ_y)
static void shear(const double p[8], double xi, double eta, double S[24])
{
  double C[24] = { 0.0 }, N[4], dN[8], J[4], det = bilinear(p, xi, eta, N, dN, J);
  add_covariant(p, 0.0, -1.0, 0, 0.5 * (1.0 - eta), C);
  add_covariant(p, 0.0, 1.0, 0, 0.5 * (1.0 + eta), C);
  add_covariant(p, -1.0, 0.0, 1, 0.5 * (1.0 - xi), C + 12);
  add_covariant(p, 1.0, 0.0, 1, 0.5 * (1.0 + xi), C + 12);
  for (int i = 0; i < 12; i++) {
    S[i] = (J[3] * C[i] - J[2] * C[12 + i]) / det;
    S[12 + i] = (J[0] * C[12 + i] - J[1] * C[i]) / det;
  }
}

static void plate(const double p[8], double thickness, const mw_material *material, double K[144])
{
  double D[9], B[36], S[24], t3 = thickness * thickness * thickness / 12.0;
  mw_plane_stress(material, D);
  memset(K, 0, 144 * sizeof *K);
  for (int q = 0; q < 4; q++) {
    double xi = XI[q] * GAUSS, eta = ETA[q] * GAUSS, det = curvature(p, xi, eta, B);
    shear(p, xi, eta, S);
    double Gt = SHEAR_FACTOR * D[8] * thickness;  // D[8] = G
    for (int i = 0; i < 12; i++)
      for (int j = 0; j < 12; j++) {
        double k = Gt * (S[i] * S[j] + S[12 + i] * S[12 + j]);
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 3; b++) k += t3 * B[12 * a + i] * D[3 * a + b] * B[12 * b + j];
        K[12 * i + j] += det * k;
      }
  }
}

static void mass(const double p[8], double mu[16])
{
  memset(mu, 0, 16 * sizeof *mu);
  for (int q = 0; q < 4; q++) {
    double N[4], dN[8], J[4], det = bilinear(p, XI[q] * GAUSS, ETA[q] * GAUSS, N, dN, J);
    for (int k = 0; k < 16; k++) mu[k] += det * N[k / 4] * N[k % 4];
  }
}

// ---- membrane ----

static const int CUT[4][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 1, 3 }, { 1, 2, 3 } };

static double cut(const double p[8], int k, double t[6])
{
  for (int i = 0; i < 6; i++) t[i] = p[2 * CUT[k][i / 2] + i % 2];
  return 0.5 * ((t[2] - t[0]) * (t[5] - t[1]) - (t[4] - t[0]) * (t[3] - t[1]));
}

static void membrane(const double p[8], double thickness, const mw_material *material,
                     double K[144])
{
  memset(K, 0, 144 * sizeof *K);
  for (int k = 0; k < 4; k++) {
    double t[6], Kt[81];
    (void)cut(p, k, t);
    mw_tri_membrane(t, thickness, material, Kt);
    for (int i = 0; i < 9; i++)
      for (int j = 0; j < 9; j++)
        K[12 * (3 * CUT[k][i / 3] + i % 3) + 3 * CUT[k][j / 3] + j % 3] += 0.5 * Kt[9 * i + j];
  }
}

// mean strain, weighted with the areas
static void membrane_strain(const double p[8], double B[36])
{
  double total = 0.0;
  memset(B, 0, 36 * sizeof *B);
  for (int k = 0; k < 4; k++) {
    double t[6], Bt[27], A = cut(p, k, t);
    total += A;
    mw_tri_membrane_strain(t, Bt);
    for (int a = 0; a < 3; a++)
      for (int j = 0; j < 9; j++) B[12 * a + 3 * CUT[k][j / 3] + j % 3] += A * Bt[9 * a + j];
  }
  for (int i = 0; i < 36; i++) B[i] /= total;
}

static const mw_facet_class facet = {
  .across = { { 0, 2 }, { 1, 3 } },
  .membrane = membrane,
  .plate = plate,
  .membrane_strain = membrane_strain,
  .plate_curvature = plate_curvature,
  .mass = mass,
};

enum { NONE = -1 };

static const mw_elem_domain QUAD = {
  .n_corner = 4,
  .n_edge = 4,
  .corner = { { -1, -1, 0 }, { 1, -1, 0 }, { 1, 1, 0 }, { -1, 1, 0 } },
  .edge = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 } },
  .next = { { 1, 3, NONE }, { 2, 0, NONE }, { 3, 1, NONE }, { 0, 2, NONE } },
  .ideal = 1.0,
};

const mw_elem_class mw_elem_quad4 = {
  .info = { "4-node shell", 4, 2, 6, 9, 0, { { 0 } }, { 0 } },
  .domain = &QUAD,
  .gmsh = 3,
  .inp = { "S4", "S4R" },
  .stress = mw_facet_point_stress,
  .facet = &facet,
};
