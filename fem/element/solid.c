// SPDX-License-Identifier: BSD-3-Clause
// solid.c: stiffness and scalar mass matrix of solids.
//
// With the gradients g_i = ∇N_i and isotropic elasticity
//   A_ij = ∫ g_i g_jᵀ dV ,   K_ij = λ A_ij + G (A_ijᵀ + tr A_ij 1)                              (1)
// so that one symmetric sum of outer products, A [3n × 3n], is all the work at the points.
// μ_ij = ∫ρ N_i N_j dV                                                                          (2)
//
// HEX8: three more functions 1 − ξ², 1 − η², 1 − ζ² a direction [W1973], with gradients by the
// Jacobian in the middle
//   g = (det J_0 / det J) J_0⁻ᵀ ∂P ,   ∫ g dV = 0                                               (3)
// so that constant strain does not excite them whatever the shape [T1976]; condensed: K − K_ua
// K_aa⁻¹ K_au. O(points · n²): rules in tet.c, hex.c, wedge.c.
// [W1973] Wilson, Taylor, Doherty, Ghaboussi, Incompatible displacement models, in: Numerical and
//         Computer Methods in Structural Mechanics (1973).
// [T1976] Taylor, Beresford, Wilson, A non-conforming element for stress analysis, Int. J. Numer.
//         Methods Eng. 10 (1976).
#include <math.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "element_priv.h"

enum { N_MODE = 3, MAX_COL = MW_SOLID_MAX_DOF };

// det J of a usable element over the cube of its size: a needle 10,000 times as long as thick has
// 1e-8.
static const double FLAT = 1e-9;

typedef struct points {
  int n, n_col;                               // points, columns of g: 3 (nodes + modes)
  double g[MW_RULE_MAX * MAX_COL];            // [n × n_col]  1/m
  double N[MW_RULE_MAX * MW_SOLID_MAX_NODE];  // [n × nodes]
  double w[MW_RULE_MAX];                      // [n]  weight times det J, m³
} points;

// middle of the nodes, and the largest distance from it
static double middle(int n, const double *X, double c[3])
{
  double size = 0.0;
  for (int k = 0; k < 3; k++) {
    c[k] = 0.0;
    for (int i = 0; i < n; i++) c[k] += X[3 * i + k] / n;
  }
  for (int i = 0; i < n; i++) {
    double d[3] = { X[3 * i] - c[0], X[3 * i + 1] - c[1], X[3 * i + 2] - c[2] };
    size = fmax(size, mw_norm3(d));
  }
  return size;
}

static mw_code bad_jacobian(mw_elem_kind kind, const double *X, double det, int id, mw_at at,
                            mw_error *err)
{
  double c[3], size = middle(mw_solid_nodes(kind), X, c);
  return mw_fail(err, MW_ERR_INPUT, at,
                 "%s %d at (%g, %g, %g) m is %s (Jacobian %g of its size cubed)",
                 mw_elem_info_of(kind)->name, id, c[0], c[1], c[2],
                 det > 0.0 ? "flat" : "inverted or folded", det / (size * size * size));
}

// N, ∇N and weights at the points of a rule; without gradients (mass) g is left alone.
static mw_code eval_points(mw_elem_kind kind, const double *X, const mw_rule *rule, bool gradients,
                           points *p, double *det_bad)
{
  int n = mw_solid_nodes(kind);
  double c[3], size = middle(n, X, c), least = FLAT * size * size * size;
  p->n = rule->n;
  p->n_col = 3 * n;
  for (int q = 0; q < rule->n; q++) {
    double dN[3 * MW_SOLID_MAX_NODE], Jac[9], inv[9];
    mw_solid_shape(kind, rule->xi[q], p->N + q * n, dN);
    double det = mw_solid_jacobian(n, X, dN, Jac);
    if (!(det > least)) {
      *det_bad = det;
      return MW_ERR_INPUT;
    }
    p->w[q] = rule->w[q] * det;
    if (!gradients) continue;
    mw_invert33(Jac, det, inv);
    for (int i = 0; i < n; i++) mw_mul33tv(inv, dN + 3 * i, p->g + q * 3 * n + 3 * i);
  }
  return MW_OK;
}

// (3): the modes' gradients as three more columns of nodes
static void add_modes(const double *X, const mw_rule *rule, points *p)
{
  static const double ZERO[3] = { 0.0 };
  double N[8], dN[24], Jac[9], inv[9], g[8 * 33];
  mw_elem_hex8.shape(ZERO, N, dN);
  double det0 = mw_solid_jacobian(8, X, dN, Jac);
  mw_invert33(Jac, det0, inv);
  for (int q = 0; q < 8; q++) {
    for (int k = 0; k < 24; k++) g[33 * q + k] = p->g[24 * q + k];
    double f = det0 * rule->w[q] / p->w[q];
    for (int m = 0; m < N_MODE; m++)
      for (int c = 0; c < 3; c++)
        g[33 * q + 24 + 3 * m + c] = -2.0 * rule->xi[q][m] * f * inv[3 * m + c];
  }
  p->n_col = 33;
  for (int k = 0; k < 8 * 33; k++) p->g[k] = g[k];
}

// A of (1), lower triangle, of which p->n_col rows and columns
static inline void outer_sum(int nc, const points *p, double *restrict A)
{
  for (int i = 0; i < nc * nc; i++) A[i] = 0.0;
  for (int q = 0; q < p->n; q++) {
    const double *restrict g = p->g + q * nc;
    for (int i = 0; i < nc; i++) {
      double f = p->w[q] * g[i];
      double *restrict row = A + i * nc;
      for (int j = 0; j <= i; j++) row[j] += f * g[j];
    }
  }
}

// (1) from A, whose lower triangle is given. A block on the diagonal is symmetric.
static void stiffness_of(int nc, const double *A, double lam, double G, double *K)
{
  for (int i = 0; i < nc / 3; i++)
    for (int j = 0; j <= i; j++) {
      double B[9];
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          B[3 * a + b] =
              i == j && b > a ? A[(3 * i + b) * nc + 3 * j + a] : A[(3 * i + a) * nc + 3 * j + b];
      double tr = G * (B[0] + B[4] + B[8]);
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
          double k = lam * B[3 * a + b] + G * B[3 * b + a] + (a == b ? tr : 0.0);
          K[(3 * i + a) * nc + 3 * j + b] = K[(3 * j + b) * nc + 3 * i + a] = k;
        }
    }
}

// K [24 × 24] := K_uu − K_ua K_aa⁻¹ K_au of F [33 × 33]
static mw_code condense(const double *F, double *K, mw_error *err)
{
  double Kaa[81], Kau[9 * 24];
  for (int i = 0; i < 9; i++) {
    for (int j = 0; j < 9; j++) Kaa[9 * i + j] = F[33 * (24 + i) + 24 + j];
    for (int j = 0; j < 24; j++) Kau[24 * i + j] = F[33 * (24 + i) + j];
  }
  mw_code rc = mw_chol_factor(9, Kaa, err);
  if (rc != MW_OK) return rc;
  mw_chol_solve(9, Kaa, 24, Kau);
  for (int i = 0; i < 24; i++)
    for (int j = 0; j <= i; j++) {
      double k = F[33 * i + j];
      for (int a = 0; a < 9; a++) k -= F[33 * (24 + a) + i] * Kau[24 * a + j];
      K[24 * i + j] = K[24 * j + i] = k;
    }
  return MW_OK;
}

static mw_code stiffness(mw_elem_kind kind, const points *p, const mw_material *material, double *K,
                         mw_error *err)
{
  double A[MAX_COL * MAX_COL], F[33 * 33], lam, G;
  mw_lame(material, &lam, &G);
  switch (p->n_col) {  // sizes the compiler knows
  case 12: outer_sum(12, p, A); break;
  case 18: outer_sum(18, p, A); break;
  case 30: outer_sum(30, p, A); break;
  case 33: outer_sum(33, p, A); break;
  case 45: outer_sum(45, p, A); break;
  case 60: outer_sum(60, p, A); break;
  default: break;
  }
  if (!mw_elem_classes[kind]->modes) {
    stiffness_of(p->n_col, A, lam, G, K);
    return MW_OK;
  }
  stiffness_of(33, A, lam, G, F);
  return condense(F, K, err);
}

static void mass(int n, const points *p, double rho, double *mu)
{
  for (int i = 0; i < n * n; i++) mu[i] = 0.0;
  for (int q = 0; q < p->n; q++)
    for (int i = 0; i < n; i++) {
      double f = rho * p->w[q] * p->N[q * n + i];
      for (int j = 0; j <= i; j++) mu[n * i + j] += f * p->N[q * n + j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) mu[n * j + i] = mu[n * i + j];
}

mw_code mw_solid_mass(mw_elem_kind kind, const double *X, double rho, bool stiffness_points, int id,
                      mw_at at, double *mu, mw_error *err)
{
  mw_rule rule;
  points p;
  double det = 0.0;
  mw_solid_rule(kind, !stiffness_points, &rule);
  if (eval_points(kind, X, &rule, false, &p, &det) != MW_OK)
    return bad_jacobian(kind, X, det, id, at, err);
  mass(mw_solid_nodes(kind), &p, rho, mu);
  return MW_OK;
}

mw_code mw_solid_element(mw_elem_kind kind, const double *X, const mw_material *material, int id,
                         mw_at at, mw_solid *out, mw_error *err)
{
  mw_rule rule;
  points p;
  double det = 0.0;
  out->n = mw_solid_nodes(kind);
  mw_solid_rule(kind, false, &rule);
  if (eval_points(kind, X, &rule, true, &p, &det) != MW_OK)
    return bad_jacobian(kind, X, det, id, at, err);
  if (mw_elem_classes[kind]->modes) add_modes(X, &rule, &p);
  mw_code rc = stiffness(kind, &p, material, out->K, err);
  if (rc != MW_OK) return rc;
  if (!mw_elem_classes[kind]->same_points)
    return mw_solid_mass(kind, X, material->rho, false, id, at, out->mu, err);
  mass(out->n, &p, material->rho, out->mu);
  return MW_OK;
}
