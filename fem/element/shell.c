// SPDX-License-Identifier: BSD-3-Clause
// shell.c: flat shell facets: stiffness, mass moments and stress in body axes.
//
// A facet lies in a plane with local axes a (rows: e1, e2, n). The corners of a slightly warped
// quadrilateral are projected onto the plane in the middle, and a projected corner moves with its
// node as a rigid body:
//   u_p = u + θ × (X_p − X) ,  θ_p = θ                                                          (1)
// so that rigid motions stay free of energy. K = Lᵀ K_local L with membrane (u v θz) and plate (w
// θx θy) parts.
//
// Mass: translations and rotations of the normal by the linear or bilinear N_i, a point at height z
// moves by
//   N_i (u_i + z θ_i × n) ,  μ_ij = ρt ∫N_i N_j dA ,  ι = t²/12 μ                               (2)
// Drilling rotations carry no mass of their own. O(n²).
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "element_priv.h"

static const double WARP = 0.05;  // largest distance from the plane, over the facet's size
static const double FLAT = 1e-9;  // smallest area of a corner over the size squared

// d := x_j − x_i of nodes X
static void edge(const double *X, int i, int j, double d[3])
{
  for (int c = 0; c < 3; c++) d[c] = X[3 * j + c] - X[3 * i + c];
}

const char *mw_facet_build(mw_elem_kind kind, const double *X, mw_facet *f, double *size)
{
  double d[3], e[3], mid[3] = { 0.0 };
  const mw_facet_class *class = f->class = mw_elem_classes[kind]->facet;
  f->n = mw_elem_classes[kind]->info.n_node;
  edge(X, class->across[0][0], class->across[0][1], d);
  edge(X, class->across[1][0], class->across[1][1], e);
  *size = fmax(mw_norm3(d), mw_norm3(e));
  mw_cross3(d, e, f->a + 6);
  double A2 = mw_norm3(f->a + 6);
  if (!(A2 > FLAT * *size * *size)) return "has no area";
  for (int c = 6; c < 9; c++) f->a[c] /= A2;
  for (int i = 0; i < 3 * f->n; i++) mid[i % 3] += X[i] / f->n;
  for (int i = 0; i < f->n; i++) {
    double r[3] = { X[3 * i] - mid[0], X[3 * i + 1] - mid[1], X[3 * i + 2] - mid[2] },
           z = class->flat ? 0.0 : mw_dot3(r, f->a + 6);
    if (fabs(z) > WARP * *size) return "is warped by more than 5 % of its size";
    for (int c = 0; c < 3; c++) {
      f->off[3 * i + c] = -z * f->a[6 + c];
      f->X[3 * i + c] = X[3 * i + c] + f->off[3 * i + c];
    }
  }
  edge(f->X, 0, 1, d);
  double l = mw_norm3(d);
  if (!(l > 0.0)) return "has two corners in one place";
  for (int c = 0; c < 3; c++) f->a[c] = d[c] / l;
  mw_cross3(f->a + 6, f->a, f->a + 3);
  for (int i = 0; i < f->n; i++) {
    edge(f->X, 0, i, d);
    f->p[2 * i] = mw_dot3(f->a, d);
    f->p[2 * i + 1] = mw_dot3(f->a + 3, d);
  }
  for (int i = 0; i < f->n; i++) {
    const double *o = f->p + 2 * i, *b = f->p + 2 * ((i + 1) % f->n),
                 *c = f->p + 2 * ((i + f->n - 1) % f->n);
    if (!((b[0] - o[0]) * (c[1] - o[1]) - (c[0] - o[0]) * (b[1] - o[1]) > FLAT * *size * *size))
      return "is not convex";
  }
  return NULL;
}

// S [9] := θ -> θ × d
static void cross_right(const double d[3], double S[9])
{
  double C[9] = { 0, d[2], -d[1], -d[2], 0, d[0], d[1], -d[0], 0 };
  memcpy(S, C, sizeof C);
}

// (1)
void mw_facet_corner_map(const mw_facet *f, int i, double L[36])
{
  double S[9], aS[9];
  cross_right(f->off + 3 * i, S);
  mw_mul33(f->a, S, aS);
  memset(L, 0, 36 * sizeof *L);
  for (int k = 0; k < 9; k++) {
    L[6 * (k / 3) + k % 3] = L[6 * (3 + k / 3) + 3 + k % 3] = f->a[k];
    L[6 * (k / 3) + 3 + k % 3] = aS[k];
  }
}

// freedom k of (u v θz) and of (w θx θy) in the local six
static const int MEMBRANE[3] = { 0, 1, 5 }, PLATE[3] = { 2, 3, 4 };

// K [6n × 6n] in body axes
static void stiffness(const mw_facet *f, double thickness, const mw_material *material, double *K)
{
  int n = f->n, nd = 6 * n;
  double Km[144], Kp[144], L[4][36];
  f->class->membrane(f->p, thickness, material, Km);
  f->class->plate(f->p, thickness, material, Kp);
  for (int i = 0; i < n; i++) mw_facet_corner_map(f, i, L[i]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double B[36] = { 0.0 }, T[36] = { 0.0 };
      for (int k = 0; k < 9; k++) {
        int e = (3 * i + k / 3) * 3 * n + 3 * j + k % 3;
        B[6 * MEMBRANE[k / 3] + MEMBRANE[k % 3]] = Km[e];
        B[6 * PLATE[k / 3] + PLATE[k % 3]] = Kp[e];
      }
      for (int r = 0; r < 36; r++)
        for (int k = 0; k < 6; k++) T[r] += B[6 * (r / 6) + k] * L[j][6 * k + r % 6];
      for (int r = 0; r < 36; r++) {
        double s = 0.0;
        for (int k = 0; k < 6; k++) s += L[i][6 * k + r / 6] * T[6 * k + r % 6];
        K[(6 * i + r / 6) * nd + 6 * j + r % 6] = s;
        if (i != j) K[(6 * j + r % 6) * nd + 6 * i + r / 6] = s;
      }
    }
  for (int i = 0; i < nd; i++)  // rounding of the blocks on the diagonal
    for (int j = 0; j < i; j++) K[j * nd + i] = K[i * nd + j];
}

// Moments of one field q N of which point i stands at q Q_i: G [n][3 × 6] motion of a corner per
// motion of its node, mu [n × n] = ∫ρ q² N_i N_j.
static void add_moments(int n, const double *mu, const double *Q, const double *G, mw_element *out)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double m = mu[n * i + j];
      const double *Qi = Q + 3 * i, *Qj = Q + 3 * j;
      for (int k = 0; k < 9; k++) {
        const double *Ga = G + 18 * i + 6 * (k / 3), *Gb = G + 18 * j + 6 * (k % 3);
        double *M = out->M[k] + 6 * i * out->n + 6 * j, *h = out->h[k] + 6 * j;
        for (int r = 0; r < 6; r++)
          for (int s = 0; s < 6; s++) M[r * out->n + s] += m * Ga[r] * Gb[s];
        for (int s = 0; s < 6; s++) h[s] += m * Qi[k / 3] * Gb[s];
        out->J[k] += 0.5 * m * (Qi[k / 3] * Qj[k % 3] + Qj[k / 3] * Qi[k % 3]);
      }
    }
}

// (2)
static void mass(const mw_facet *f, double thickness, double rho, mw_element *out)
{
  int n = f->n;
  double mu[16], iota[16], G[4 * 18] = { 0.0 }, H[4 * 18] = { 0.0 }, Q[12] = { 0.0 }, S[9], P[9];
  f->class->mass(f->p, mu);
  for (int k = 0; k < n * n; k++) {
    mu[k] *= rho * thickness;
    iota[k] = mu[k] * thickness * thickness / 12.0;
  }
  cross_right(f->a + 6, P);
  for (int i = 0; i < n; i++) {
    cross_right(f->off + 3 * i, S);
    for (int k = 0; k < 9; k++) {
      G[18 * i + 6 * (k / 3) + k % 3] = k % 4 == 0 ? 1.0 : 0.0;
      G[18 * i + 6 * (k / 3) + 3 + k % 3] = S[k];
      H[18 * i + 6 * (k / 3) + 3 + k % 3] = P[k];
    }
    memcpy(Q + 3 * i, f->a + 6, 3 * sizeof *Q);
  }
  add_moments(n, mu, f->X, G, out);
  add_moments(n, iota, Q, H, out);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      out->m += mu[n * i + j];
      for (int b = 0; b < 3; b++) {
        out->mX[b] += mu[n * i + j] * f->X[3 * j + b];
        for (int s = 0; s < 6; s++) out->s[b][6 * j + s] += mu[n * i + j] * G[18 * j + 6 * b + s];
      }
    }
}

mw_code mw_shell_element(mw_elem_kind kind, const double *X, double thickness,
                         const mw_material *material, int id, mw_at at, mw_element *out,
                         mw_error *err)
{
  mw_facet f;
  double size;
  const char *wrong = mw_facet_build(kind, X, &f, &size);
  if (wrong == NULL && !(thickness > 0.0)) wrong = "has no thickness";
  if (wrong != NULL) {
    int n = mw_elem_classes[kind]->info.n_node;
    double c[3] = { 0.0 };
    for (int i = 0; i < 3 * n; i++) c[i % 3] += X[i] / n;
    return mw_fail(err, MW_ERR_INPUT, at, "%s %d at (%g, %g, %g) m %s", mw_elem_info_of(kind)->name,
                   id, c[0], c[1], c[2], wrong);
  }
  memset(out, 0, sizeof *out);
  out->n = 6 * f.n;
  stiffness(&f, thickness, material, out->K);
  mass(&f, thickness, material->rho, out);
  return MW_OK;
}

// column of S [6 × n_col] := aᵀ t a of the local plane tensor (xx yy xy) and t_zz; shear: 1 stress,
// 2 engineering strain
static void to_body(const double a[9], const double t[3], double tzz, double shear, int n_col,
                    double *S)
{
  static const int IJ[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 1, 2 }, { 2, 0 } };
  for (int k = 0; k < 6; k++) {
    int i = IJ[k][0], j = IJ[k][1];
    double v = t[0] * a[i] * a[j] + t[1] * a[3 + i] * a[3 + j] + tzz * a[6 + i] * a[6 + j] +
               t[2] * (a[i] * a[3 + j] + a[3 + i] * a[j]);
    S[k * n_col] = k < 3 ? v : shear * v;
  }
}

void mw_facet_tensor(const mw_facet *f, const mw_material *material, bool strain, const double e[3],
                     int n_col, double *S)
{
  double D[9], t[3], nu = material->nu;
  if (strain) {
    double ee[3] = { e[0], e[1], 0.5 * e[2] };
    to_body(f->a, ee, -nu / (1.0 - nu) * (e[0] + e[1]), 2.0, n_col, S);
    return;
  }
  mw_plane_stress(material, D);
  mw_mul33v(D, e, t);
  to_body(f->a, t, 0.0, 1.0, n_col, S);
}

mw_code mw_shell_stress(mw_elem_kind kind, const double *X, double z, const mw_material *material,
                        bool strain, double *S, mw_error *err)
{
  mw_facet f;
  double size, Bm[36], Bp[36];
  const char *wrong = mw_facet_build(kind, X, &f, &size);
  if (wrong != NULL)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "stress of a %s that %s",
                   mw_elem_info_of(kind)->name, wrong);
  f.class->membrane_strain(f.p, Bm);
  f.class->plate_curvature(f.p, Bp);
  for (int i = 0; i < f.n; i++) {
    double L[36];
    mw_facet_corner_map(&f, i, L);
    for (int s = 0; s < 6; s++) {
      double e[3] = { 0.0 };
      for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++) {
          int col = 3 * f.n * a + 3 * i + k;
          e[a] += Bm[col] * L[6 * MEMBRANE[k] + s] + z * Bp[col] * L[6 * PLATE[k] + s];
        }
      mw_facet_tensor(&f, material, strain, e, 6 * f.n, S + 6 * i + s);
    }
  }
  return MW_OK;
}
