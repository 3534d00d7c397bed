// SPDX-License-Identifier: BSD-3-Clause
// hex8_stress.c: stress of the brick with incompatible modes, their share included.
//
//   ε = B u + B_a α ,  α = −K_aa⁻¹ K_au u   (1)  condensed as in solid.c
//   K_aa = ∫ B_aᵀ D B_a dV ,  K_au = ∫ B_aᵀ D B dV ,  σ = D ε                   (2)
//
// B_a follows from the gradients −2 ξ_m (det J₀/det J) J₀⁻ᵀ e_m of the modes 1 − ξ_m². Without them
// a brick that bends shows the stress of a clamped one: E (1 − ν)/((1 + ν)(1 − 2ν)) instead of E.
// Cost: the element's stiffness.
#include <string.h>

#include "base/dense.h"
#include "element_priv.h"

enum { N_MODE = 9, N_U = 24 };

typedef struct brick {
  double inv0[9], det0;  // of the Jacobian in the middle
  double lam, G;         // Pa
} brick;

// Strain [6 × 3] of amplitudes along x y z whose shape has the gradient g; rows of length ld.
// stress: times D.
static void put_gradient(const brick *k, const double g[3], bool stress, int ld, double *B)
{
  static const int PAIR[3][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 } };
  for (int a = 0; a < 3; a++) {
    int p = PAIR[a][0], q = PAIR[a][1];
    for (int b = 0; b < 3; b++) {
      double own = a == b ? 2.0 * k->G : 0.0;
      B[ld * a + b] = stress ? (k->lam + own) * g[b] : a == b ? g[a] : 0.0;
      B[ld * (3 + a) + b] = (stress ? k->G : 1.0) * (b == p ? g[q] : b == q ? g[p] : 0.0);
    }
  }
}

// B_a or D B_a [6 × 9] at xi, where the Jacobian's determinant is det
static void mode_rows(const brick *k, const double xi[3], double det, bool stress, double *B)
{
  for (int m = 0; m < 3; m++) {
    double g[3], f = -2.0 * xi[m] * k->det0 / det;
    for (int c = 0; c < 3; c++) g[c] = f * k->inv0[3 * m + c];
    put_gradient(k, g, stress, N_MODE, B + 3 * m);
  }
}

static double determinant(const double *X, const double xi[3])
{
  double N[8], dN[24], Jac[9];
  mw_elem_hex8.shape(xi, N, dN);
  return mw_solid_jacobian(8, X, dN, Jac);
}

// A [9 × 24] := K_aa⁻¹ K_au
static mw_code amplitudes(const brick *k, const double *X, const mw_material *material, double *A,
                          mw_error *err)
{
  double Kaa[N_MODE * N_MODE] = { 0.0 }, S[6 * N_U], B[6 * N_MODE], DB[6 * N_MODE];
  mw_rule rule;
  mw_elem_hex8.rule(false, &rule);
  memset(A, 0, N_MODE * N_U * sizeof *A);
  for (int q = 0; q < rule.n; q++) {
    double det = determinant(X, rule.xi[q]), w = rule.w[q] * det;
    mw_code rc = mw_solid_stress(MW_ELEM_HEX8, X, material, rule.xi[q], false, S, err);
    if (rc != MW_OK) return rc;
    mode_rows(k, rule.xi[q], det, false, B);
    mode_rows(k, rule.xi[q], det, true, DB);
    mw_gemm('t', 'n', N_MODE, N_MODE, 6, w, B, DB, 1.0, Kaa);
    mw_gemm('t', 'n', N_MODE, N_U, 6, w, B, S, 1.0, A);
  }
  mw_code rc = mw_chol_factor(N_MODE, Kaa, err);
  if (rc == MW_OK) mw_chol_solve(N_MODE, Kaa, N_U, A);
  return rc;
}

mw_code mw_hex8_stress(const double *X, const mw_material *material, const double xi[3],
                       bool strain, double *S, mw_error *err)
{
  static const double MIDDLE[3] = { 0.0 };
  double N[8], dN[24], Jac[9], A[N_MODE * N_U], B[6 * N_MODE];
  brick k;
  mw_lame(material, &k.lam, &k.G);
  mw_elem_hex8.shape(MIDDLE, N, dN);
  k.det0 = mw_solid_jacobian(8, X, dN, Jac);
  mw_code rc = mw_solid_stress(MW_ELEM_HEX8, X, material, xi, strain, S, err);
  if (rc != MW_OK) return rc;
  mw_invert33(Jac, k.det0, k.inv0);
  rc = amplitudes(&k, X, material, A, err);
  if (rc != MW_OK) return rc;
  mode_rows(&k, xi, determinant(X, xi), !strain, B);
  mw_gemm('n', 'n', 6, N_U, N_MODE, -1.0, B, A, 1.0, S);
  return MW_OK;
}
