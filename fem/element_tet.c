// SPDX-License-Identifier: BSD-3-Clause
// element_tet.c: 10-node tetrahedron: stiffness and mass moments.
//
// Barycentric coordinates L1..L4; corners L(2L − 1), mid-edge nodes 4 La Lb. Since N_α = N ⊗ e_α,
// every moment of element.h follows from the scalar matrix μ_ij = ∫ρ N_i N_j dV:
//   M_αβ[3i+α][3j+β] = μ_ij ,  s_β[3j+β] = Σ_i μ_ij ,  h_αβ[3j+β] = Σ_i X_iα μ_ij ,
//   m = Σ μ_ij ,  mX = Σ_ij X_i μ_ij ,  J = Xᵀ μ X                                              (1)
// K = ∫ Bᵀ D B dV with isotropic D: with the gradients g_i = ∇N_i,
//   K_ij = ∫ λ g_i g_jᵀ + G (g_j g_iᵀ + (g_i · g_j) 1) dV                                       (2)
// K takes the 4-point rule of degree 2, μ the 24-point rule of degree 6 [K1986]: exact for straight
// edges.
// [K1986] Keast, Moderate-degree tetrahedral quadrature formulas, Comput. Methods Appl. Mech. Eng.
//         55 (1986).
#include <string.h>

#include "base/vec3.h"
#include "fem/element.h"

enum { NN = 10, ND = 30 };

static const int EDGE[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };

static void tet10_shape(const double L[4], double N[NN])
{
  for (int i = 0; i < 4; i++) N[i] = L[i] * (2.0 * L[i] - 1.0);
  for (int e = 0; e < 6; e++) N[4 + e] = 4.0 * L[EDGE[e][0]] * L[EDGE[e][1]];
}

// dN [10 × 3]: derivatives by (L2, L3, L4), L1 = 1 − L2 − L3 − L4
static void tet10_slopes(const double L[4], double dN[NN * 3])
{
  double d[NN][4] = { { 0 } };
  for (int i = 0; i < 4; i++) d[i][i] = 4.0 * L[i] - 1.0;
  for (int e = 0; e < 6; e++) {
    d[4 + e][EDGE[e][0]] = 4.0 * L[EDGE[e][1]];
    d[4 + e][EDGE[e][1]] = 4.0 * L[EDGE[e][0]];
  }
  for (int i = 0; i < NN; i++)
    for (int c = 0; c < 3; c++) dN[3 * i + c] = d[i][c + 1] - d[i][0];
}

// Jac [9] = ∂X/∂(L2, L3, L4), row-major; returns its determinant (six times the volume of a
// straight element)
static double jacobian(const double *X, const double dN[NN * 3], double Jac[9])
{
  double c[3];
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      Jac[3 * a + b] = 0.0;
      for (int i = 0; i < NN; i++) Jac[3 * a + b] += X[3 * i + a] * dN[3 * i + b];
    }
  mw_cross3(Jac + 3, Jac + 6, c);
  return mw_dot3(Jac, c);
}

// inverse of A with determinant det
static void invert33(const double A[9], double det, double B[9])
{
  for (int i = 0; i < 3; i++) {
    double r[3];
    mw_cross3(A + 3 * ((i + 1) % 3), A + 3 * ((i + 2) % 3), r);
    for (int j = 0; j < 3; j++) B[3 * j + i] = r[j] / det;
  }
}

static mw_code bad_jacobian(const double *X, int id, mw_at at, mw_error *err)
{
  double e[3][3], c[3];
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) e[k][i] = X[3 * (k + 1) + i] - X[i];
  mw_cross3(e[1], e[2], c);
  return mw_fail(
      err, MW_ERR_INPUT, at,
      "tetrahedron %d is inverted or too distorted (corner volume %g m³, Jacobian not positive)",
      id, mw_dot3(e[0], c) / 6.0);
}

// Scalar mass matrix μ [10 × 10], kg
static mw_code tet10_mu(const double *X, double rho, double *mu)
{
  // (first barycentric coordinate three times, weight) of the three rings of four, then the ring of
  // twelve
  static const double RING[3][2] = { { 0.214602871259151684, 0.0399227502581679 },
                                     { 0.0406739585346113397, 0.0100772110553207 },
                                     { 0.322337890142275646, 0.0553571815436544 } };
  static const double A = 0.0636610018750175299, B = 0.269672331458315867, W12 = 27.0 / 560.0;
  memset(mu, 0, NN * NN * sizeof *mu);
  for (int q = 0; q < 24; q++) {
    double L[4], N[NN], dN[NN * 3], Jac[9], w;
    if (q < 12) {
      const double *r = RING[q / 4];
      for (int i = 0; i < 4; i++) L[i] = i == q % 4 ? 1.0 - 3.0 * r[0] : r[0];
      w = r[1];
    } else {
      int i = (q - 12) / 3, j = (i + 1 + (q - 12) % 3) % 4;
      for (int k = 0; k < 4; k++) L[k] = A;
      L[i] = B;
      L[j] = 1.0 - 2.0 * A - B;
      w = W12;
    }
    tet10_shape(L, N);
    tet10_slopes(L, dN);
    double det = jacobian(X, dN, Jac);
    if (!(det > 0.0)) return MW_ERR_INPUT;
    for (int i = 0; i < NN; i++)
      for (int j = 0; j <= i; j++) mu[i * NN + j] += rho * w * det / 6.0 * N[i] * N[j];
  }
  for (int i = 0; i < NN; i++)
    for (int j = 0; j < i; j++) mu[j * NN + i] = mu[i * NN + j];
  return MW_OK;
}

// (2), lower triangle of blocks, then mirrored
static mw_code tet10_stiffness(const double *X, const mw_material *mat, double *K)
{
  static const double A = 0.1381966011250105, B = 0.58541019662496852;  // (5 − √5)/20, (5 + 3√5)/20
  double lam = mat->E * mat->nu / ((1.0 + mat->nu) * (1.0 - 2.0 * mat->nu)),
         G = mat->E / (2.0 * (1.0 + mat->nu));
  for (int q = 0; q < 4; q++) {
    double L[4] = { A, A, A, A }, dN[NN * 3], Jac[9], inv[9], g[NN][3];
    L[q] = B;
    tet10_slopes(L, dN);
    double det = jacobian(X, dN, Jac);
    if (!(det > 0.0)) return MW_ERR_INPUT;
    invert33(Jac, det, inv);
    for (int i = 0; i < NN; i++) mw_mul33tv(inv, dN + 3 * i, g[i]);
    double w = det / 24.0;
    for (int i = 0; i < NN; i++)
      for (int j = 0; j <= i; j++) {
        double gg = G * mw_dot3(g[i], g[j]);
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 3; b++)
            K[(3 * i + a) * ND + 3 * j + b] +=
                w * (lam * g[i][a] * g[j][b] + G * g[j][a] * g[i][b] + (a == b ? gg : 0.0));
      }
  }
  for (int i = 0; i < ND; i++)
    for (int j = i + 1; j < ND; j++) K[i * ND + j] = K[j * ND + i];
  return MW_OK;
}

mw_code mw_tet10_element(const double *X, const mw_material *material, int id, mw_at at,
                         mw_element *out, mw_error *err)
{
  double mu[NN * NN], S[NN] = { 0 }, XM[3][NN] = { { 0 } };
  memset(out, 0, sizeof *out);
  out->n = ND;
  mw_code rc = tet10_mu(X, material->rho, mu);
  if (rc == MW_OK) rc = tet10_stiffness(X, material, out->K);
  if (rc != MW_OK) return bad_jacobian(X, id, at, err);
  for (int j = 0; j < NN; j++)
    for (int i = 0; i < NN; i++) {
      S[j] += mu[i * NN + j];
      for (int a = 0; a < 3; a++) XM[a][j] += X[3 * i + a] * mu[i * NN + j];
      for (int k = 0; k < 9; k++) out->M[k][(3 * i + k / 3) * ND + 3 * j + k % 3] = mu[i * NN + j];
    }
  for (int j = 0; j < NN; j++) {
    out->m += S[j];
    for (int a = 0; a < 3; a++) {
      out->s[a][3 * j + a] = S[j];
      out->mX[a] += XM[a][j];
      for (int b = 0; b < 3; b++) {
        out->h[3 * a + b][3 * j + b] = XM[a][j];
        out->J[3 * a + b] += 0.5 * (XM[a][j] * X[3 * j + b] + XM[b][j] * X[3 * j + a]);
      }
    }
  }
  return MW_OK;
}
