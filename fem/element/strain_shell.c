// SPDX-License-Identifier: BSD-3-Clause
// strain_shell.c: Green-Lagrange strain of the middle surface of flat facets.
//
// A triangle's mean membrane strain B v (shell_tri.c) takes the second-order strain of its corners'
// displacements u v w, linear between them:
//   H = Σ u_i g_iᵀ  [3 × 2] ,   E = B v + ½ HᵀH ,   V − ½ vᵀKv = A t (σ1 + ½ σ2)·η              (1)
//   K_σ ij = A t g_i·σ1 g_j  on u, v and w ,   σ1 = D B v ,  σ2 = D η                           (2)
// It vanishes under any rigid turn, is constant in a triangle and does not lock. Bending, and the
// higher membrane strain of the drilling rotations, stay linear. A quadrilateral is the mean of
// both ways of cutting it, as its membrane is.
#include <string.h>

#include "base/vec3.h"
#include "element_priv.h"

enum { N3 = 9, N_LOC = 12 };  // membrane freedoms (u v θz) of a triangle, with w: (u v w θz)

typedef struct part {  // a triangle of the facet
  int corner[3];
  double A;     // m², times one half in quadrilaterals
  double g[6];  // [3 × 2]  1/m
  double B[3 * N3];
} part;

static const int CUT[5][3] = { { 0, 1, 2 }, { 0, 1, 2 }, { 0, 2, 3 }, { 0, 1, 3 }, { 1, 2, 3 } };

static int parts_of(const mw_facet *f, part out[4])
{
  int n = f->n == 3 ? 1 : 4;
  for (int k = 0; k < n; k++) {
    part *t = &out[k];
    double p[6];
    memcpy(t->corner, CUT[n == 1 ? 0 : 1 + k], sizeof t->corner);
    for (int i = 0; i < 6; i++) p[i] = f->p[2 * t->corner[i / 2] + i % 2];
    double A2 = (p[2] - p[0]) * (p[5] - p[1]) - (p[4] - p[0]) * (p[3] - p[1]);
    t->A = (n == 1 ? 0.5 : 0.25) * A2;
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, l = (i + 2) % 3;
      t->g[2 * i] = (p[2 * j + 1] - p[2 * l + 1]) / A2;
      t->g[2 * i + 1] = (p[2 * l] - p[2 * j]) / A2;
    }
    mw_tri_membrane_strain(p, t->B);
  }
  return n;
}

// what a triangle feels: v [9] membrane freedoms, H [3 × 2]
static void local_state(const part *t, const double *d, double v[N3], double H[6])
{
  memset(H, 0, 6 * sizeof *H);
  for (int i = 0; i < 3; i++) {
    const double *di = d + 6 * t->corner[i];
    v[3 * i] = di[0];
    v[3 * i + 1] = di[1];
    v[3 * i + 2] = di[5];
    for (int k = 0; k < 6; k++) H[k] += di[k / 2] * t->g[2 * i + k % 2];
  }
}

static void linear_strain(const part *t, const double v[N3], double e[3])
{
  for (int a = 0; a < 3; a++) {
    e[a] = 0.0;
    for (int k = 0; k < N3; k++) e[a] += t->B[N3 * a + k] * v[k];
  }
}

// xx yy xy (doubled)
static void second_strain(const double H[6], double eta[3])
{
  eta[0] = eta[1] = eta[2] = 0.0;
  for (int c = 0; c < 3; c++) {
    eta[0] += 0.5 * H[2 * c] * H[2 * c];
    eta[1] += 0.5 * H[2 * c + 1] * H[2 * c + 1];
    eta[2] += H[2 * c] * H[2 * c + 1];
  }
}

// g_i·s g_j
static double through(const double s[3], const double *gi, const double *gj)
{
  return gi[0] * (s[0] * gj[0] + s[2] * gj[1]) + gi[1] * (s[2] * gj[0] + s[1] * gj[1]);
}

// A [6n × 6n] += f g_i·s g_j on the translations, local freedoms
static void add_stress_stiffness(const part *t, double f, const double s[3], int n, double *A)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double k = f * through(s, t->g + 2 * i, t->g + 2 * j);
      for (int c = 0; c < 3; c++) A[(6 * t->corner[i] + c) * 6 * n + 6 * t->corner[j] + c] += k;
    }
}

// d [6n] local motions of the projected corners
static void to_local(const mw_facet *f, const double *u, double *d)
{
  for (int i = 0; i < f->n; i++) {
    double L[36];
    mw_facet_corner_map(f, i, L);
    for (int r = 0; r < 6; r++) {
      d[6 * i + r] = 0.0;
      for (int c = 0; c < 6; c++) d[6 * i + r] += L[6 * r + c] * u[6 * i + c];
    }
  }
}

// A := Lᵀ A L, [6n × 6n]
static void matrix_to_body(const mw_facet *f, double *A)
{
  int nd = 6 * f->n;
  double L[4][36];
  for (int i = 0; i < f->n; i++) mw_facet_corner_map(f, i, L[i]);
  for (int i = 0; i < f->n; i++)
    for (int j = 0; j < f->n; j++) {
      double B[36] = { 0.0 };
      for (int r = 0; r < 36; r++)
        for (int k = 0; k < 6; k++)
          B[r] += A[(6 * i + r / 6) * nd + 6 * j + k] * L[j][6 * k + r % 6];
      for (int r = 0; r < 36; r++) {
        double s = 0.0;
        for (int k = 0; k < 6; k++) s += L[i][6 * k + r / 6] * B[6 * k + r % 6];
        A[(6 * i + r / 6) * nd + 6 * j + r % 6] = s;
      }
    }
}

static mw_code facet_of(mw_elem_kind kind, const double *X, mw_facet *f, mw_error *err)
{
  double size;
  const char *wrong = mw_facet_build(kind, X, f, &size);
  if (wrong == NULL) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "strain of a %s that %s",
                 mw_elem_info_of(kind)->name, wrong);
}

mw_code mw_shell_stress_stiffness(mw_elem_kind kind, const double *X, double thickness,
                                  const mw_material *material, const double *u, double *A,
                                  mw_error *err)
{
  mw_facet f;
  part t[4];
  double D[9], d[24], v[N3], H[6], e[3], s[3];
  mw_code rc = facet_of(kind, X, &f, err);
  if (rc != MW_OK) return rc;
  int n = parts_of(&f, t);
  mw_plane_stress(material, D);
  to_local(&f, u, d);
  memset(A, 0, 36 * (size_t)(f.n * f.n) * sizeof *A);
  for (int k = 0; k < n; k++) {
    local_state(&t[k], d, v, H);
    linear_strain(&t[k], v, e);
    mw_mul33v(D, e, s);
    add_stress_stiffness(&t[k], t[k].A * thickness, s, f.n, A);
  }
  matrix_to_body(&f, A);
  return MW_OK;
}

mw_code mw_shell_second_stress(mw_elem_kind kind, const double *X, const mw_material *material,
                               bool strain, const double *u, double y[6], mw_error *err)
{
  mw_facet f;
  part t[4];
  double d[24], v[N3], H[6], eta[3], mean[3] = { 0.0 }, area = 0.0;
  mw_code rc = facet_of(kind, X, &f, err);
  if (rc != MW_OK) return rc;
  int n = parts_of(&f, t);
  to_local(&f, u, d);
  for (int k = 0; k < n; k++) {
    local_state(&t[k], d, v, H);
    second_strain(H, eta);
    area += t[k].A;
    for (int a = 0; a < 3; a++) mean[a] += t[k].A * eta[a];
  }
  for (int a = 0; a < 3; a++) mean[a] /= area;
  mw_facet_tensor(&f, material, strain, mean, 1, y);
  return MW_OK;
}

// fl += c (Bᵀ s2 + (H g)ᵀ (s1 + s2)) of one part, local freedoms
static void add_forces(const part *t, double c, const double H[6], const double s1[3],
                       const double s2[3], double *fl)
{
  double s[3] = { s1[0] + s2[0], s1[1] + s2[1], s1[2] + s2[2] };
  for (int i = 0; i < 3; i++) {
    double *fi = fl + 6 * t->corner[i];
    for (int a = 0; a < 3; a++) {
      fi[0] += c * t->B[N3 * a + 3 * i] * s2[a];
      fi[1] += c * t->B[N3 * a + 3 * i + 1] * s2[a];
      fi[5] += c * t->B[N3 * a + 3 * i + 2] * s2[a];
      fi[a] += c * through(s, t->g + 2 * i, H + 2 * a);
    }
  }
}

// f := Lᵀ fl
static void forces_to_body(const mw_facet *fc, const double *fl, double *f)
{
  for (int i = 0; i < fc->n; i++) {
    double L[36];
    mw_facet_corner_map(fc, i, L);
    for (int r = 0; r < 6; r++) {
      f[6 * i + r] = 0.0;
      for (int q = 0; q < 6; q++) f[6 * i + r] += L[6 * q + r] * fl[6 * i + q];
    }
  }
}

mw_code mw_shell_strain_force(mw_elem_kind kind, const double *X, double thickness,
                              const mw_material *material, const double *u, double *f, double *V,
                              mw_error *err)
{
  mw_facet fc;
  part t[4];
  double D[9], d[24], fl[24] = { 0.0 };
  mw_code rc = facet_of(kind, X, &fc, err);
  if (rc != MW_OK) return rc;
  int n = parts_of(&fc, t);
  mw_plane_stress(material, D);
  to_local(&fc, u, d);
  *V = 0.0;
  for (int k = 0; k < n; k++) {
    double v[N3], H[6], e[3], eta[3], s1[3], s2[3], c = t[k].A * thickness;
    local_state(&t[k], d, v, H);
    linear_strain(&t[k], v, e);
    second_strain(H, eta);
    mw_mul33v(D, e, s1);
    mw_mul33v(D, eta, s2);
    for (int a = 0; a < 3; a++) *V += c * (s1[a] + 0.5 * s2[a]) * eta[a];
    add_forces(&t[k], c, H, s1, s2, fl);
  }
  forces_to_body(&fc, fl, f);
  return MW_OK;
}

// The rate of the strain along v: linear_strain(v) and sym(H(u)ᵀ H(v)).
mw_code mw_shell_strain_drag(mw_elem_kind kind, const double *X, double thickness,
                             const mw_material *material, const double *u, const double *v,
                             double *f, mw_error *err)
{
  mw_facet fc;
  part t[4];
  double D[9], d[24], dv[24], fl[24] = { 0.0 };
  mw_code rc = facet_of(kind, X, &fc, err);
  if (rc != MW_OK) return rc;
  int n = parts_of(&fc, t);
  mw_plane_stress(material, D);
  to_local(&fc, u, d);
  to_local(&fc, v, dv);
  for (int k = 0; k < n; k++) {
    double own[N3], H[6], Hv[6], e[3], eta[3] = { 0.0 }, s1[3], s2[3];
    local_state(&t[k], d, own, H);
    local_state(&t[k], dv, own, Hv);
    linear_strain(&t[k], own, e);
    for (int c = 0; c < 6; c += 2) {
      eta[0] += H[c] * Hv[c];
      eta[1] += H[c + 1] * Hv[c + 1];
      eta[2] += H[c] * Hv[c + 1] + H[c + 1] * Hv[c];
    }
    mw_mul33v(D, e, s1);
    mw_mul33v(D, eta, s2);
    add_forces(&t[k], t[k].A * thickness, H, s1, s2, fl);
  }
  forces_to_body(&fc, fl, f);
  return MW_OK;
}

// T += c ((B + G)ᵀ D (B + G) − BᵀDB), G = H g of (1), over the local freedoms
static void add_material(const part *t, double c, const double D[9], const double H[6], int n,
                         double *T)
{
  static const int LOCAL[4] = { 0, 1, 2, 5 };
  double B[3 * N_LOC] = { 0.0 }, F[3 * N_LOC];
  for (int i = 0; i < 3; i++)
    for (int a = 0; a < 3; a++) {
      B[N_LOC * a + 4 * i] = t->B[N3 * a + 3 * i];
      B[N_LOC * a + 4 * i + 1] = t->B[N3 * a + 3 * i + 1];
      B[N_LOC * a + 4 * i + 3] = t->B[N3 * a + 3 * i + 2];
    }
  memcpy(F, B, sizeof F);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      const double *g = t->g + 2 * i, *h = H + 2 * k;
      F[4 * i + k] += h[0] * g[0];
      F[N_LOC + 4 * i + k] += h[1] * g[1];
      F[2 * N_LOC + 4 * i + k] += h[0] * g[1] + h[1] * g[0];
    }
  for (int i = 0; i < N_LOC; i++)
    for (int j = 0; j < N_LOC; j++) {
      double s = 0.0;
      for (int a = 0; a < 9; a++)
        s += D[a] * (F[N_LOC * (a / 3) + i] * F[N_LOC * (a % 3) + j] -
                     B[N_LOC * (a / 3) + i] * B[N_LOC * (a % 3) + j]);
      T[(6 * t->corner[i / 4] + LOCAL[i % 4]) * 6 * n + 6 * t->corner[j / 4] + LOCAL[j % 4]] +=
          c * s;
    }
}

mw_code mw_shell_tangent(mw_elem_kind kind, const double *X, double thickness,
                         const mw_material *material, const double *u, double *T, mw_error *err)
{
  mw_facet f;
  part t[4];
  double D[9], d[24], v[N3], H[6], e[3], eta[3], s[3];
  mw_code rc = facet_of(kind, X, &f, err);
  if (rc != MW_OK) return rc;
  int n = parts_of(&f, t);
  mw_plane_stress(material, D);
  to_local(&f, u, d);
  memset(T, 0, 36 * (size_t)(f.n * f.n) * sizeof *T);
  for (int k = 0; k < n; k++) {
    local_state(&t[k], d, v, H);
    linear_strain(&t[k], v, e);
    second_strain(H, eta);
    for (int a = 0; a < 3; a++) e[a] += eta[a];
    mw_mul33v(D, e, s);
    add_stress_stiffness(&t[k], t[k].A * thickness, s, f.n, T);
    add_material(&t[k], t[k].A * thickness, D, H, f.n, T);
  }
  matrix_to_body(&f, T);
  return MW_OK;
}
