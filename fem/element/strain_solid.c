// SPDX-License-Identifier: BSD-3-Clause
// strain_solid.c: Green-Lagrange strains of solids.
//
//   H = Σ u_i g_iᵀ ,   E = sym H + η ,   η = ½ HᵀH                                              (1)
//   σ1 = D sym H ,   σ2 = D η ,   V − ½ uᵀKu = ∫ (σ1 + ½ σ2):η dV                               (2)
//   f_i − (K u)_i = ∫ (σ2 + H (σ1 + σ2)) g_i dV ,   K_σ ij = ∫ g_i·σ1 g_j dV
//       times the unit matrix      (3)
//   aᵀK_σ(u) b = ∫ σ1(u):sym(H_aᵀH_b) dV = uᵀ Σ_i ∫ (D sym(H_aᵀH_b)) g_i dV                     (4)
//   f_i = ∫ σ2 g_i dV ,  V = ½ ∫ σ2:η dV   what is even in u of (3), (2)  (5)
// at the points of the linear stiffness. HEX8: its incompatible modes add Σ_m sym(α_m G_mᵀ) to E;
// their amplitudes follow from ∫ σ G_m = 0, linear in E, so that σ1 and σ2 each take a share of
// their own (enhanced Green-Lagrange strain). All strains stay zero under any rigid turn. O(points
// · n).
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "element_priv.h"

enum { N_MODE = 3, N_AMP = 9 };

typedef struct points {
  int n, n_q;
  bool modes;
  double det0, inv0[9];                     // of the Jacobian in the middle, with modes
  double lam, G;                            // Pa
  double w[MW_RULE_MAX];                    // m³
  double g[MW_RULE_MAX][MW_SOLID_MAX_DOF];  // [n × 3]  1/m
  double gm[MW_RULE_MAX][3 * N_MODE];       // gradients of the modes
  double L[N_AMP * N_AMP];                  // Cholesky factor of their stiffness
} points;

// (xx yy zz xy yz zx), shear strains doubled
static void stress_of(const points *p, const double e[6], double s[6])
{
  double tr = p->lam * (e[0] + e[1] + e[2]);
  for (int i = 0; i < 3; i++) {
    s[i] = tr + 2.0 * p->G * e[i];
    s[3 + i] = p->G * e[3 + i];
  }
}

static void symmetric_part(const double H[9], double e[6])
{
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3;
    e[i] = H[4 * i];
    e[3 + i] = H[3 * i + j] + H[3 * j + i];
  }
}

// y := s g
static void traction(const double s[6], const double g[3], double y[3])
{
  y[0] = s[0] * g[0] + s[3] * g[1] + s[5] * g[2];
  y[1] = s[3] * g[0] + s[1] * g[1] + s[4] * g[2];
  y[2] = s[5] * g[0] + s[4] * g[1] + s[2] * g[2];
}

// gm [3 × N_MODE]: gradients of the modes at xi, where the Jacobian's determinant is det
static void mode_gradients(const points *p, const double xi[3], double det, double *gm)
{
  for (int m = 0; m < N_MODE; m++)
    for (int c = 0; c < 3; c++) gm[3 * m + c] = -2.0 * xi[m] * p->det0 / det * p->inv0[3 * m + c];
}

static mw_code add_modes(const double *X, const mw_rule *rule, const double *det, points *p,
                         mw_error *err)
{
  static const double MIDDLE[3] = { 0.0 };
  double N[8], dN[24], Jac[9];
  mw_elem_hex8.shape(MIDDLE, N, dN);
  p->det0 = mw_solid_jacobian(8, X, dN, Jac);
  mw_invert33(Jac, p->det0, p->inv0);
  memset(p->L, 0, sizeof p->L);
  for (int q = 0; q < p->n_q; q++) {
    double *gm = p->gm[q];
    mode_gradients(p, rule->xi[q], det[q], gm);
    for (int m = 0; m < N_MODE; m++)
      for (int k = 0; k < N_MODE; k++) {
        double gg = p->G * mw_dot3(gm + 3 * m, gm + 3 * k);
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 3; b++)
            p->L[N_AMP * (3 * m + a) + 3 * k + b] +=
                p->w[q] * (p->lam * gm[3 * m + a] * gm[3 * k + b] +
                           p->G * gm[3 * m + b] * gm[3 * k + a] + (a == b ? gg : 0.0));
      }
  }
  return mw_chol_factor(N_AMP, p->L, err);
}

static mw_code build(mw_elem_kind kind, const double *X, const mw_material *material, points *p,
                     mw_error *err)
{
  mw_rule rule;
  double det[MW_RULE_MAX];
  mw_solid_rule(kind, false, &rule);
  p->n = mw_solid_nodes(kind);
  p->n_q = rule.n;
  p->modes = mw_elem_classes[kind]->modes;
  mw_lame(material, &p->lam, &p->G);
  for (int q = 0; q < rule.n; q++) {
    double N[MW_SOLID_MAX_NODE], dN[3 * MW_SOLID_MAX_NODE], Jac[9], inv[9];
    mw_solid_shape(kind, rule.xi[q], N, dN);
    det[q] = mw_solid_jacobian(p->n, X, dN, Jac);
    p->w[q] = rule.w[q] * det[q];
    mw_invert33(Jac, det[q], inv);
    for (int i = 0; i < p->n; i++) mw_mul33tv(inv, dN + 3 * i, p->g[q] + 3 * i);
  }
  return p->modes ? add_modes(X, &rule, det, p, err) : MW_OK;
}

// H := Σ u_i g_iᵀ with gradients g [n × 3]
static void gradient(int n, const double *g, const double *u, double H[9])
{
  memset(H, 0, 9 * sizeof *H);
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++)
      for (int j = 0; j < 3; j++) H[3 * c + j] += u[3 * i + c] * g[3 * i + j];
}

// eta := the shear-doubled sym(HᵀK) of gradients H and K
static void product_strain(const double H[9], const double K[9], double eta[6])
{
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3;
    eta[i] = eta[3 + i] = 0.0;
    for (int c = 0; c < 9; c += 3) {
      eta[i] += H[c + i] * K[c + i];
      eta[3 + i] += H[c + i] * K[c + j] + H[c + j] * K[c + i];
    }
  }
}

// Amplitudes of the modes that leave no ∫ σ G_m, for stresses s [n_q × 6] without them.
static void amplitudes(const points *p, const double *s, double al[N_AMP])
{
  memset(al, 0, N_AMP * sizeof *al);
  for (int q = 0; q < p->n_q; q++)
    for (int m = 0; m < N_MODE; m++) {
      double y[3];
      traction(s + 6 * q, p->gm[q] + 3 * m, y);
      for (int c = 0; c < 3; c++) al[3 * m + c] -= p->w[q] * y[c];
    }
  mw_chol_solve(N_AMP, p->L, 1, al);
}

// e := strain of the modes where their gradients are gm
static void mode_strain(const double al[N_AMP], const double *gm, double e[6])
{
  double H[9] = { 0.0 };
  for (int m = 0; m < N_MODE; m++)
    for (int k = 0; k < 9; k++) H[k] += al[3 * m + k / 3] * gm[3 * m + k % 3];
  symmetric_part(H, e);
}

// s [n_q × 6] := D (e + share of the modes), strains e [n_q × 6]
static void stresses(const points *p, const double *e, double *s)
{
  double al[N_AMP];
  for (int q = 0; q < p->n_q; q++) stress_of(p, e + 6 * q, s + 6 * q);
  if (!p->modes) return;
  amplitudes(p, s, al);
  for (int q = 0; q < p->n_q; q++) {
    double ea[6], sa[6];
    mode_strain(al, p->gm[q], ea);
    stress_of(p, ea, sa);
    for (int k = 0; k < 6; k++) s[6 * q + k] += sa[k];
  }
}

// S [n × n] += Σ_q w g_i·s g_j; components of g apart, a lane each j
static void add_stress_stiffness(const points *p, const double *s, double *S)
{
  double g[3][MW_SOLID_MAX_NODE];
  for (int q = 0; q < p->n_q; q++) {
    for (int j = 0; j < 3 * p->n; j++) g[j % 3][j / 3] = p->g[q][j];
    for (int i = 0; i < p->n; i++) {
      double y[3], *row = S + p->n * i;
      traction(s + 6 * q, p->g[q] + 3 * i, y);
      for (int j = 0; j < p->n; j++)
        row[j] += p->w[q] * (y[0] * g[0][j] + y[1] * g[1][j] + y[2] * g[2][j]);
    }
  }
}

mw_code mw_solid_stress_stiffness(mw_elem_kind kind, const double *X, const mw_material *material,
                                  const double *u, double *S, mw_error *err)
{
  points p;
  double e[6 * MW_RULE_MAX], s[6 * MW_RULE_MAX], H[9];
  mw_code rc = build(kind, X, material, &p, err);
  if (rc != MW_OK) return rc;
  for (int q = 0; q < p.n_q; q++) {
    gradient(p.n, p.g[q], u, H);
    symmetric_part(H, e + 6 * q);
  }
  stresses(&p, e, s);
  memset(S, 0, (size_t)(p.n * p.n) * sizeof *S);
  add_stress_stiffness(&p, s, S);
  return MW_OK;
}

void mw_pair_of(int l, int *a, int *b)
{
  int i = (int)((sqrt(8.0 * l + 1.0) - 1.0) / 2.0);
  while (i * (i + 1) / 2 > l) i--;
  while ((i + 1) * (i + 2) / 2 <= l) i++;
  *a = i;
  *b = l - i * (i + 1) / 2;
}

mw_code mw_solid_stress_pairs(mw_elem_kind kind, const double *X, const mw_material *material,
                              int k, const double *U, int from, int n, double *F, mw_error *err)
{
  points p;
  mw_arena tmp = { 0 };
  double eta[6 * MW_RULE_MAX], s[6 * MW_RULE_MAX];
  mw_code rc = build(kind, X, material, &p, err);
  if (rc != MW_OK) return rc;
  double *H = mw_arena_f64(&tmp, 9 * (size_t)k * (size_t)p.n_q);  // [k × n_q × 9]
  rc = mw_arena_check(&tmp, err);
  if (rc != MW_OK) {
    mw_arena_free(&tmp);
    return rc;
  }
  for (int a = 0; a < k; a++)
    for (int q = 0; q < p.n_q; q++) gradient(p.n, p.g[q], U + 3 * p.n * a, H + 9 * (p.n_q * a + q));
  memset(F, 0, (size_t)(3 * p.n * n) * sizeof *F);
  for (int l = 0, a = 0, b = 0; l < n; l++) {
    double *f = F + 3 * p.n * l;
    mw_pair_of(from + l, &a, &b);
    for (int q = 0; q < p.n_q; q++)
      product_strain(H + 9 * (p.n_q * a + q), H + 9 * (p.n_q * b + q), eta + 6 * q);
    stresses(&p, eta, s);
    for (int q = 0; q < p.n_q; q++)
      for (int i = 0; i < p.n; i++) {
        double y[3];
        traction(s + 6 * q, p.g[q] + 3 * i, y);
        for (int c = 0; c < 3; c++) f[3 * i + c] += p.w[q] * y[c];
      }
  }
  mw_arena_free(&tmp);
  return MW_OK;
}

// H [n_q × 9], strains e and eta, stresses s1 and s2 of (1), (2), each [n_q × 6]
typedef struct state {
  double H[9 * MW_RULE_MAX], e[6 * MW_RULE_MAX], eta[6 * MW_RULE_MAX], s1[6 * MW_RULE_MAX],
      s2[6 * MW_RULE_MAX];
} state;

// eta := ½ HᵀH
static void second_strain(const double H[9], double eta[6])
{
  product_strain(H, H, eta);
  for (int i = 0; i < 6; i++) eta[i] *= 0.5;
}

static void eval(const points *p, const double *u, state *st)
{
  for (int q = 0; q < p->n_q; q++) {
    double *H = st->H + 9 * q, *eta = st->eta + 6 * q;
    gradient(p->n, p->g[q], u, H);
    symmetric_part(H, st->e + 6 * q);
    second_strain(H, eta);
  }
  stresses(p, st->e, st->s1);
  stresses(p, st->eta, st->s2);
}

mw_code mw_solid_second_stress(mw_elem_kind kind, const double *X, const mw_material *material,
                               const double xi[3], bool strain, const double *u, double y[6],
                               mw_error *err)
{
  points p;
  double N[MW_SOLID_MAX_NODE], dN[3 * MW_SOLID_MAX_NODE], Jac[9], inv[9], H[9], e[6];
  mw_code rc = build(kind, X, material, &p, err);
  if (rc != MW_OK) return rc;
  mw_solid_shape(kind, xi, N, dN);
  double g[MW_SOLID_MAX_DOF], det = mw_solid_jacobian(p.n, X, dN, Jac);
  mw_invert33(Jac, det, inv);
  for (int i = 0; i < p.n; i++) mw_mul33tv(inv, dN + 3 * i, g + 3 * i);
  gradient(p.n, g, u, H);
  second_strain(H, e);
  if (p.modes) {
    double s[6 * MW_RULE_MAX], al[N_AMP], gm[3 * N_MODE], ea[6];
    for (int q = 0; q < p.n_q; q++) {
      gradient(p.n, p.g[q], u, H);
      second_strain(H, ea);
      stress_of(&p, ea, s + 6 * q);
    }
    amplitudes(&p, s, al);
    mode_gradients(&p, xi, det, gm);
    mode_strain(al, gm, ea);
    for (int k = 0; k < 6; k++) e[k] += ea[k];
  }
  if (strain)
    memcpy(y, e, sizeof e);
  else
    stress_of(&p, e, y);
  return MW_OK;
}

// f += w (σ2 + H (σ1 + σ2)) g of one point
static void add_forces(const points *p, int q, const double H[9], const double s1[6],
                       const double s2[6], double *f)
{
  double s[6], P[9];
  for (int k = 0; k < 6; k++) s[k] = s1[k] + s2[k];
  double S[9] = { s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2] };
  double S2[9] = { s2[0], s2[3], s2[5], s2[3], s2[1], s2[4], s2[5], s2[4], s2[2] };
  mw_mul33(H, S, P);
  for (int k = 0; k < 9; k++) P[k] = p->w[q] * (P[k] + S2[k]);
  for (int i = 0; i < p->n; i++) {
    const double *g = p->g[q] + 3 * i;
    for (int c = 0; c < 3; c++) f[3 * i + c] += mw_dot3(P + 3 * c, g);
  }
}

mw_code mw_solid_strain_force(mw_elem_kind kind, const double *X, const mw_material *material,
                              const double *u, double *f, double *V, mw_error *err)
{
  points p;
  state st;
  mw_code rc = build(kind, X, material, &p, err);
  if (rc != MW_OK) return rc;
  eval(&p, u, &st);
  *V = 0.0;
  memset(f, 0, 3 * (size_t)p.n * sizeof *f);
  for (int q = 0; q < p.n_q; q++) {
    const double *s1 = st.s1 + 6 * q, *s2 = st.s2 + 6 * q;
    for (int k = 0; k < 6; k++) *V += p.w[q] * (s1[k] + 0.5 * s2[k]) * st.eta[6 * q + k];
    add_forces(&p, q, st.H + 9 * q, s1, s2, f);
  }
  return MW_OK;
}

// Rate of (1) along v: sym H(v) + sym(H(u)ᵀ H(v)).
mw_code mw_solid_strain_drag(mw_elem_kind kind, const double *X, const mw_material *material,
                             const double *u, const double *v, double *f, mw_error *err)
{
  points p;
  double H[9 * MW_RULE_MAX], Hv[9], e[6 * MW_RULE_MAX], eta[6 * MW_RULE_MAX], s1[6 * MW_RULE_MAX],
      s2[6 * MW_RULE_MAX];
  mw_code rc = build(kind, X, material, &p, err);
  if (rc != MW_OK) return rc;
  for (int q = 0; q < p.n_q; q++) {
    gradient(p.n, p.g[q], u, H + 9 * q);
    gradient(p.n, p.g[q], v, Hv);
    symmetric_part(Hv, e + 6 * q);
    product_strain(H + 9 * q, Hv, eta + 6 * q);
  }
  stresses(&p, e, s1);
  stresses(&p, eta, s2);
  memset(f, 0, 3 * (size_t)p.n * sizeof *f);
  for (int q = 0; q < p.n_q; q++) add_forces(&p, q, H + 9 * q, s1 + 6 * q, s2 + 6 * q, f);
  return MW_OK;
}

mw_code mw_solid_stretch(mw_elem_kind kind, const double *X, const mw_material *material, int k,
                         const double *U, double *F, double *V, mw_error *err)
{
  points p;
  double eta[6 * MW_RULE_MAX], s[6 * MW_RULE_MAX], H[9], y[3];
  mw_code rc = build(kind, X, material, &p, err);
  if (rc != MW_OK) return rc;
  memset(F, 0, (size_t)(3 * p.n * k) * sizeof *F);
  for (int a = 0; a < k; a++) {
    double *f = F + 3 * p.n * a;
    for (int q = 0; q < p.n_q; q++) {
      gradient(p.n, p.g[q], U + 3 * p.n * a, H);
      second_strain(H, eta + 6 * q);
    }
    stresses(&p, eta, s);
    V[a] = 0.0;
    for (int q = 0; q < p.n_q; q++) {
      V[a] += 0.5 * p.w[q] * mw_dot(6, s + 6 * q, eta + 6 * q);
      for (int i = 0; i < p.n; i++) {
        traction(s + 6 * q, p.g[q] + 3 * i, y);
        for (int c = 0; c < 3; c++) f[3 * i + c] += p.w[q] * y[c];
      }
    }
  }
  return MW_OK;
}

// B [6 × 3n]: strain per displacement, sym(Fᵀ ∂H); F = 1 + H
static void strain_rows(const points *p, int q, const double F[9], double *B)
{
  int nc = 3 * p->n;
  for (int i = 0; i < p->n; i++) {
    const double *g = p->g[q] + 3 * i;
    for (int c = 0; c < 3; c++)
      for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3;
        B[nc * a + 3 * i + c] = F[3 * c + a] * g[a];
        B[nc * (3 + a) + 3 * i + c] = F[3 * c + a] * g[b] + F[3 * c + b] * g[a];
      }
  }
}

// T += sign × (∫ BᵀDB − K_ua K_aa⁻¹ K_au) with B at F = 1 + part × H
static void add_material(const points *p, const state *st, double part, double sign, double *T)
{
  int nc = 3 * p->n;
  double B[6 * MW_SOLID_MAX_DOF], DB[6 * MW_SOLID_MAX_DOF], A[N_AMP * MW_SOLID_MAX_DOF] = { 0.0 };
  for (int q = 0; q < p->n_q; q++) {
    double F[9];
    for (int k = 0; k < 9; k++) F[k] = (k % 4 == 0 ? 1.0 : 0.0) + part * st->H[9 * q + k];
    strain_rows(p, q, F, B);
    for (int j = 0; j < nc; j++) {
      double e[6], s[6], y[3];
      for (int k = 0; k < 6; k++) e[k] = B[nc * k + j];
      stress_of(p, e, s);
      for (int k = 0; k < 6; k++) DB[nc * k + j] = s[k];
      for (int m = 0; p->modes && m < N_MODE; m++) {
        traction(s, p->gm[q] + 3 * m, y);
        for (int c = 0; c < 3; c++) A[nc * (3 * m + c) + j] += p->w[q] * y[c];
      }
    }
    mw_gemm('t', 'n', nc, nc, 6, sign * p->w[q], B, DB, 1.0, T);
  }
  if (!p->modes) return;
  double Y[N_AMP * MW_SOLID_MAX_DOF];
  memcpy(Y, A, (size_t)(N_AMP * nc) * sizeof *Y);
  mw_chol_solve(N_AMP, p->L, nc, Y);
  mw_gemm('t', 'n', nc, nc, N_AMP, -sign, A, Y, 1.0, T);
}

mw_code mw_solid_tangent(mw_elem_kind kind, const double *X, const mw_material *material,
                         const double *u, double *T, mw_error *err)
{
  points p;
  state st;
  double S[MW_SOLID_MAX_NODE * MW_SOLID_MAX_NODE] = { 0.0 };
  mw_code rc = build(kind, X, material, &p, err);
  if (rc != MW_OK) return rc;
  int n = p.n, nc = 3 * n;
  eval(&p, u, &st);
  for (int k = 0; k < 6 * p.n_q; k++) st.s1[k] += st.s2[k];
  memset(T, 0, (size_t)(nc * nc) * sizeof *T);
  add_material(&p, &st, 1.0, 1.0, T);
  add_material(&p, &st, 0.0, -1.0, T);
  add_stress_stiffness(&p, st.s1, S);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int c = 0; c < 3; c++) T[(3 * i + c) * nc + 3 * j + c] += S[n * i + j];
  return MW_OK;
}
