// SPDX-License-Identifier: BSD-3-Clause
// solid_point.c: where a point lies in a solid, and the stress there.
//
// Newton's method for x(ξ) = Σ N_i(ξ) X_i = x, halving a step that does not come nearer         (1)
// σ = D ε ,  ε = sym ∇u ,  ∇u = Σ u_i g_iᵀ ,  g = J⁻ᵀ ∂N/∂ξ                                     (2)
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "element_priv.h"

enum { MAX_STEP = 60, MAX_HALVING = 8 };

// a step this short in natural coordinates leaves, by quadratic convergence, an error at rounding
static const double STEP_TOL = 1e-10;

// r = x − x(ξ); returns det J
static double residual(mw_elem_kind kind, const double *X, const double x[3], const double xi[3],
                       double r[3], double Jac[9])
{
  int n = mw_solid_nodes(kind);
  double N[MW_SOLID_MAX_NODE], dN[3 * MW_SOLID_MAX_NODE];
  mw_solid_shape(kind, xi, N, dN);
  memcpy(r, x, 3 * sizeof *r);
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++) r[c] -= N[i] * X[3 * i + c];
  return mw_solid_jacobian(n, X, dN, Jac);
}

bool mw_solid_locate(mw_elem_kind kind, const double *X, const double x[3], double xi[3],
                     double *outside)
{
  const mw_elem_domain *domain = mw_elem_classes[kind]->domain;
  double r[3], Jac[9], inv[9], d[3], next[3];
  memcpy(xi, domain->middle, sizeof domain->middle);
  double det = residual(kind, X, x, xi, r, Jac), size = 0.0;
  for (int k = 0; k < 9; k++) size = fmax(size, fabs(Jac[k]));
  // small elements far from the origin: coordinates are no better than their rounding
  double tol = fmax(STEP_TOL, 32.0 * DBL_EPSILON * mw_norm3(x) / size);
  for (int step = 0; step < MAX_STEP; step++) {
    if (!(fabs(det) > 0.0)) return false;
    double dist = mw_norm3(r);
    mw_invert33(Jac, det, inv);
    mw_mul33v(inv, r, d);
    for (int k = 0; k <= MAX_HALVING; k++) {
      for (int c = 0; c < 3; c++) next[c] = xi[c] + ldexp(d[c], -k);
      det = residual(kind, X, x, next, r, Jac);
      if (mw_norm3(r) < dist) break;
    }
    memcpy(xi, next, sizeof next);
    if (mw_norm3(d) < tol) {
      *outside = domain->outside(xi);
      return isfinite(*outside);
    }
  }
  return false;
}

void mw_lame(const mw_material *material, double *lam, double *G)
{
  double nu = material->nu;
  *lam = material->E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
  *G = material->E / (2.0 * (1.0 + nu));
}

mw_code mw_solid_stress(mw_elem_kind kind, const double *X, const mw_material *material,
                        const double xi[3], bool strain, double *S, mw_error *err)
{
  static const int PAIR[3][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 } };
  int n = mw_solid_nodes(kind);
  double N[MW_SOLID_MAX_NODE], dN[3 * MW_SOLID_MAX_NODE], Jac[9], inv[9], lam, G;
  mw_lame(material, &lam, &G);
  mw_solid_shape(kind, xi, N, dN);
  double det = mw_solid_jacobian(n, X, dN, Jac);
  if (!(det > 0.0))
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "stress of a %s where its Jacobian is %g m³, not positive",
                   mw_elem_info_of(kind)->name, det);
  mw_invert33(Jac, det, inv);
  memset(S, 0, 18 * (size_t)n * sizeof *S);
  for (int i = 0; i < n; i++) {
    double g[3];
    mw_mul33tv(inv, dN + 3 * i, g);
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b < 3; b++)
        S[3 * n * a + 3 * i + b] =
            strain ? (a == b ? g[a] : 0.0) : (a == b ? lam + 2.0 * G : lam) * g[b];
      int p = PAIR[a][0], q = PAIR[a][1];
      S[3 * n * (3 + a) + 3 * i + p] = (strain ? 1.0 : G) * g[q];
      S[3 * n * (3 + a) + 3 * i + q] = (strain ? 1.0 : G) * g[p];
    }
  }
  return MW_OK;
}
