// SPDX-License-Identifier: BSD-3-Clause
// strain_beam.c: strains of second order of the Timoshenko beam, and what follows from them.
//
// Local axes, fields as in beam.c, rotation vector (θx θy θz) at each section. To second order in
// rotations, first in strains, the strains of a beam with rotation vectors and von Kármán's axial
// strain are
//   ε   = u' + ½ (v'² + w'² + ρ² θx'²) ,  ρ² = (Iy + Iz)/A                                      (1)
//   Γy  = v' − θz + θx w' + ½ θx θy ,   Γz = w' + θy − θx v' + ½ θx θz                          (2)
//   κ   = θ' − ½ θ × θ'                                                                         (3)
// ρ²: fibres of a twisted bar are longer. A rigid turn strains (2), (3) by its third power only,
// whatever the axis of the beam, so that members that meet at an angle and share their rotation fit
// together.
//
// The linear element knows six stresses that equilibrate its ends: N, Mx constant, M = m0 + (2ξ −
// 1) m1 in each plane with shear ∓2 m1/l. To each belongs the strain it works on, the average of
// (1) to (3) with its distribution:
//   N  ∫ε       m0  ∫κ       m1  ∫(2ξ − 1) κz − (2/l) ∫Γy ,  ∫(2ξ − 1) κy + (2/l) ∫Γz           (4)
// E = B d + ½ dᵀ Q d, V = ½ Eᵀ D E, whose linear part is the stiffness of beam.c exactly:
//   D = EA/l, G It/l, EIz/l, 3 EIz/(l (1 + Φ)), EIy/l, 3 EIy/(l (1 + Φ))                        (5)
// One axial strain an element: v'² may vary inside without locking it. Integrands of degree 4 at
// most: exact.
#include <string.h>

#include "base/vec3.h"
#include "beam_priv.h"

enum { NB = 12, NS = 6, NF = 8 };            // motions, strains, fields
enum { DV, DW, TX, TY, TZ, DTX, DTY, DTZ };  // v' w' θx θy θz θx' θy' θz'
enum { AXIAL, TWIST, MZ0, MZ1, MY0, MY1 };

typedef struct beam {
  double l, a[9], D[NS], rho2;
  double R[MW_BEAM_GAUSS][NF * NB];  // fields per local motion at the points
} beam;

// fields of one plane: motions k [4], θ = sign × the rotation of beam.c
static void plane_fields(double xi, double l, double Phi, const int k[4], double sign, double *dv,
                         double *th, double *dth)
{
  double c = 1.0 / (1.0 + Phi), v[4], t[4], dt[4], x2 = xi * xi;
  v[2] = -6.0 * c / l * (x2 - xi) + c * Phi / l;
  v[0] = -v[2];
  v[1] = c * (3.0 * x2 - (4.0 + Phi) * xi + 1.0 + 0.5 * Phi);
  v[3] = c * (3.0 * x2 - (2.0 - Phi) * xi - 0.5 * Phi);
  t[0] = 6.0 * c / l * (x2 - xi);
  t[2] = -t[0];
  t[1] = c * (3.0 * x2 - (4.0 + Phi) * xi + 1.0 + Phi);
  t[3] = c * (3.0 * x2 - (2.0 - Phi) * xi);
  dt[0] = 6.0 * c / (l * l) * (2.0 * xi - 1.0);
  dt[2] = -dt[0];
  dt[1] = c / l * (6.0 * xi - 4.0 - Phi);
  dt[3] = c / l * (6.0 * xi - 2.0 + Phi);
  for (int i = 0; i < 4; i++) {
    double s = i % 2 == 1 ? sign : 1.0;
    dv[k[i]] = s * v[i];
    th[k[i]] = sign * s * t[i];
    dth[k[i]] = sign * s * dt[i];
  }
}

static mw_code beam_build(const mw_beam_in *in, beam *b, mw_error *err)
{
  static const int V[4] = { 1, 5, 7, 11 }, W[4] = { 2, 4, 8, 10 };
  const mw_section *sec = &in->section;
  double Phi[2], E = in->material.E, G = E / (2.0 * (1.0 + in->material.nu));
  mw_code rc = mw_beam_axes(in->x1, in->x2, in->up, sec->at, &b->l, b->a, err);
  if (rc != MW_OK) return rc;
  mw_beam_shear(sec, &in->material, b->l, Phi);
  b->rho2 = (sec->Iy + sec->Iz) / sec->A;
  b->D[AXIAL] = E * sec->A / b->l;
  b->D[TWIST] = G * sec->It / b->l;
  b->D[MZ0] = E * sec->Iz / b->l;
  b->D[MZ1] = 3.0 * b->D[MZ0] / (1.0 + Phi[0]);
  b->D[MY0] = E * sec->Iy / b->l;
  b->D[MY1] = 3.0 * b->D[MY0] / (1.0 + Phi[1]);
  memset(b->R, 0, sizeof b->R);
  for (int g = 0; g < MW_BEAM_GAUSS; g++) {
    double xi = MW_BEAM_X[g], *R = b->R[g];
    plane_fields(xi, b->l, Phi[0], V, 1.0, R + DV * NB, R + TZ * NB, R + DTZ * NB);
    plane_fields(xi, b->l, Phi[1], W, -1.0, R + DW * NB, R + TY * NB, R + DTY * NB);
    for (int e = 0; e < 2; e++) {
      R[TX * NB + 6 * e + 3] = e == 0 ? 1.0 - xi : xi;
      R[DTX * NB + 6 * e + 3] = (e == 0 ? -1.0 : 1.0) / b->l;
    }
  }
  return MW_OK;
}

// B d of (4)
static void linear_strains(const beam *b, const double d[NB], double e[NS])
{
  e[AXIAL] = d[6] - d[0];
  e[TWIST] = d[9] - d[3];
  e[MZ0] = d[11] - d[5];
  e[MZ1] = d[5] + d[11] - 2.0 / b->l * (d[7] - d[1]);
  e[MY0] = d[10] - d[4];
  e[MY1] = d[4] + d[10] + 2.0 / b->l * (d[8] - d[2]);
}

// f += Bᵀ s
static void add_linear_forces(const beam *b, const double s[NS], double f[NB])
{
  double vz = 2.0 / b->l * s[MZ1], vy = 2.0 / b->l * s[MY1];
  f[0] -= s[AXIAL];
  f[6] += s[AXIAL];
  f[3] -= s[TWIST];
  f[9] += s[TWIST];
  f[5] += s[MZ1] - s[MZ0];
  f[11] += s[MZ1] + s[MZ0];
  f[1] += vz;
  f[7] -= vz;
  f[4] += s[MY1] - s[MY0];
  f[10] += s[MY1] + s[MY0];
  f[2] -= vy;
  f[8] += vy;
}

// C [NF × NF] += c (p qᵀ + q pᵀ)/2, both triangles
static void pair(double C[NF * NF], int p, int q, double c)
{
  C[NF * p + q] += 0.5 * c;
  C[NF * q + p] += 0.5 * c;
}

// Σ_k s_k × (quadratic form of strain k over the fields at point g), without the weight
static void forms(const beam *b, int g, const double s[NS], double C[NF * NF])
{
  double x = 2.0 * MW_BEAM_X[g] - 1.0, kz = s[MZ0] + x * s[MZ1], ky = s[MY0] + x * s[MY1],
         gy = -2.0 / b->l * s[MZ1], gz = 2.0 / b->l * s[MY1];
  memset(C, 0, NF * NF * sizeof *C);
  pair(C, DV, DV, 0.5 * s[AXIAL]);
  pair(C, DW, DW, 0.5 * s[AXIAL]);
  pair(C, DTX, DTX, 0.5 * b->rho2 * s[AXIAL]);
  pair(C, TX, DW, gy);
  pair(C, TX, TY, 0.5 * gy);
  pair(C, TX, DV, -gz);
  pair(C, TX, TZ, 0.5 * gz);
  pair(C, TY, DTZ, -0.5 * s[TWIST]);
  pair(C, TZ, DTY, 0.5 * s[TWIST]);
  pair(C, TZ, DTX, -0.5 * ky);
  pair(C, TX, DTZ, 0.5 * ky);
  pair(C, TX, DTY, -0.5 * kz);
  pair(C, TY, DTX, 0.5 * kz);
}

// η_k = ½ dᵀ Q_k d and, row by row, Q_k d
static void quadratic_strains(const beam *b, const double d[NB], double eta[NS], double Qd[NS * NB])
{
  memset(eta, 0, NS * sizeof *eta);
  memset(Qd, 0, NS * NB * sizeof *Qd);
  for (int g = 0; g < MW_BEAM_GAUSS; g++) {
    const double *R = b->R[g];
    double F[NF], w = MW_BEAM_W[g] * b->l;
    for (int p = 0; p < NF; p++) {
      F[p] = 0.0;
      for (int i = 0; i < NB; i++) F[p] += R[NB * p + i] * d[i];
    }
    for (int k = 0; k < NS; k++) {
      double s[NS] = { 0.0 }, C[NF * NF];
      s[k] = 1.0;
      forms(b, g, s, C);
      for (int p = 0; p < NF; p++) {
        double c = 0.0;
        for (int q = 0; q < NF; q++) c += C[NF * p + q] * F[q];
        if (c == 0.0) continue;
        eta[k] += w * c * F[p];
        for (int i = 0; i < NB; i++) Qd[NB * k + i] += 2.0 * w * c * R[NB * p + i];
      }
    }
  }
}

// A [NB × NB] += Σ s_k Q_k
static void add_stress_stiffness(const beam *b, const double s[NS], double A[NB * NB])
{
  for (int g = 0; g < MW_BEAM_GAUSS; g++) {
    const double *R = b->R[g];
    double C[NF * NF], CR[NF * NB] = { 0.0 }, w = 2.0 * MW_BEAM_W[g] * b->l;
    forms(b, g, s, C);
    for (int p = 0; p < NF; p++)
      for (int q = 0; q < NF; q++) {
        double c = w * C[NF * p + q];
        if (c == 0.0) continue;
        for (int i = 0; i < NB; i++) CR[NB * p + i] += c * R[NB * q + i];
      }
    for (int p = 0; p < NF; p++)
      for (int i = 0; i < NB; i++)
        for (int j = 0; j < NB && R[NB * p + i] != 0.0; j++)
          A[NB * i + j] += R[NB * p + i] * CR[NB * p + j];
  }
}

static void to_local(const double a[9], const double *u, double *d)
{
  for (int k = 0; k < 4; k++) mw_mul33v(a, u + 3 * k, d + 3 * k);
}

// A := diag(a)ᵀ A diag(a)
static void matrix_to_body(const double a[9], double A[NB * NB])
{
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      double B[9], at[9];
      for (int k = 0; k < 9; k++) B[k] = A[(3 * i + k / 3) * NB + 3 * j + k % 3];
      for (int k = 0; k < 9; k++) at[k] = a[3 * (k % 3) + k / 3];
      mw_mul33(B, a, B);
      mw_mul33(at, B, B);
      for (int k = 0; k < 9; k++) A[(3 * i + k / 3) * NB + 3 * j + k % 3] = B[k];
    }
}

mw_code mw_beam_stress_stiffness(const mw_beam_in *in, const double *u, double *A, mw_error *err)
{
  beam b;
  double d[NB], e[NS];
  mw_code rc = beam_build(in, &b, err);
  if (rc != MW_OK) return rc;
  to_local(b.a, u, d);
  linear_strains(&b, d, e);
  for (int k = 0; k < NS; k++) e[k] *= b.D[k];
  memset(A, 0, NB * NB * sizeof *A);
  add_stress_stiffness(&b, e, A);
  matrix_to_body(b.a, A);
  return MW_OK;
}

static const int V_DOF[4] = { 1, 5, 7, 11 }, W_DOF[4] = { 2, 4, 8, 10 };

// fields [NF] at point g
static void fields_at(const beam *b, int g, const double d[NB], double F[NF])
{
  const double *R = b->R[g];
  memset(F, 0, NF * sizeof *F);
  for (int i = 0; i < 4; i++) {
    int v = V_DOF[i], w = W_DOF[i];
    F[DV] += R[DV * NB + v] * d[v];
    F[TZ] += R[TZ * NB + v] * d[v];
    F[DTZ] += R[DTZ * NB + v] * d[v];
    F[DW] += R[DW * NB + w] * d[w];
    F[TY] += R[TY * NB + w] * d[w];
    F[DTY] += R[DTY * NB + w] * d[w];
  }
  F[TX] = R[TX * NB + 3] * d[3] + R[TX * NB + 9] * d[9];
  F[DTX] = R[DTX * NB + 3] * d[3] + R[DTX * NB + 9] * d[9];
}

// η of the whole element, by hand what forms says
static void second_strains(const beam *b, const double F[MW_BEAM_GAUSS][NF], double eta[NS])
{
  memset(eta, 0, NS * sizeof *eta);
  for (int g = 0; g < MW_BEAM_GAUSS; g++) {
    const double *f = F[g], w = MW_BEAM_W[g] * b->l, x = 2.0 * MW_BEAM_X[g] - 1.0;
    double kz = -0.5 * (f[TX] * f[DTY] - f[TY] * f[DTX]),
           ky = -0.5 * (f[TZ] * f[DTX] - f[TX] * f[DTZ]), gy = f[TX] * (f[DW] + 0.5 * f[TY]),
           gz = f[TX] * (0.5 * f[TZ] - f[DV]);
    eta[AXIAL] += 0.5 * w * (f[DV] * f[DV] + f[DW] * f[DW] + b->rho2 * f[DTX] * f[DTX]);
    eta[TWIST] -= 0.5 * w * (f[TY] * f[DTZ] - f[TZ] * f[DTY]);
    eta[MZ0] += w * kz;
    eta[MZ1] += w * (x * kz - 2.0 / b->l * gy);
    eta[MY0] += w * ky;
    eta[MY1] += w * (x * ky + 2.0 / b->l * gz);
  }
}

// f += (Q d)ᵀ s
static void add_second_forces(const beam *b, const double F[MW_BEAM_GAUSS][NF], const double s[NS],
                              double f[NB])
{
  double N = s[AXIAL], T = 0.5 * s[TWIST], ay = -2.0 / b->l * s[MZ1], az = 2.0 / b->l * s[MY1];
  for (int g = 0; g < MW_BEAM_GAUSS; g++) {
    const double *R = b->R[g], *F_g = F[g], w = MW_BEAM_W[g] * b->l, x = 2.0 * MW_BEAM_X[g] - 1.0;
    double cz = 0.5 * (s[MZ0] + x * s[MZ1]), cy = 0.5 * (s[MY0] + x * s[MY1]), q[NF];
    q[DV] = w * (N * F_g[DV] - az * F_g[TX]);
    q[DW] = w * (N * F_g[DW] + ay * F_g[TX]);
    q[TX] = w * (cy * F_g[DTZ] - cz * F_g[DTY] + ay * (F_g[DW] + 0.5 * F_g[TY]) +
                 az * (0.5 * F_g[TZ] - F_g[DV]));
    q[TY] = w * (cz * F_g[DTX] - T * F_g[DTZ] + 0.5 * ay * F_g[TX]);
    q[TZ] = w * (T * F_g[DTY] - cy * F_g[DTX] + 0.5 * az * F_g[TX]);
    q[DTX] = w * (N * b->rho2 * F_g[DTX] + cz * F_g[TY] - cy * F_g[TZ]);
    q[DTY] = w * (T * F_g[TZ] - cz * F_g[TX]);
    q[DTZ] = w * (cy * F_g[TX] - T * F_g[TY]);
    for (int i = 0; i < 4; i++) {
      int v = V_DOF[i], k = W_DOF[i];
      f[v] += R[DV * NB + v] * q[DV] + R[TZ * NB + v] * q[TZ] + R[DTZ * NB + v] * q[DTZ];
      f[k] += R[DW * NB + k] * q[DW] + R[TY * NB + k] * q[TY] + R[DTY * NB + k] * q[DTY];
    }
    for (int i = 3; i < NB; i += 6) f[i] += R[TX * NB + i] * q[TX] + R[DTX * NB + i] * q[DTX];
  }
}

// V − ½ uᵀKu = σ1·η + ½ η·σ2 ,  f − K u = Bᵀ σ2 + (Q u)ᵀ (σ1 + σ2) ,  σ1 = D B u ,  σ2 = D η
mw_code mw_beam_strain_force(const mw_beam_in *in, const double *u, double *f, double *V,
                             mw_error *err)
{
  beam b;
  double d[NB], e[NS], eta[NS], F[MW_BEAM_GAUSS][NF], fl[NB] = { 0.0 }, s[NS], s2[NS];
  mw_code rc = beam_build(in, &b, err);
  if (rc != MW_OK) return rc;
  to_local(b.a, u, d);
  linear_strains(&b, d, e);
  for (int g = 0; g < MW_BEAM_GAUSS; g++) fields_at(&b, g, d, F[g]);
  second_strains(&b, (const double(*)[NF])F, eta);
  *V = 0.0;
  for (int k = 0; k < NS; k++) {
    s[k] = b.D[k] * (e[k] + eta[k]);
    s2[k] = b.D[k] * eta[k];
    *V += b.D[k] * (e[k] + 0.5 * eta[k]) * eta[k];
  }
  add_second_forces(&b, (const double(*)[NF])F, s, fl);
  add_linear_forces(&b, s2, fl);
  for (int k = 0; k < 4; k++) mw_mul33tv(b.a, fl + 3 * k, f + 3 * k);
  return MW_OK;
}

// (B + Q u)ᵀ D (B + Q u) v − Bᵀ D B v = Bᵀ s2 + (Q u)ᵀ (s1 + s2) ,  s1 = D B v ,  s2 = D (Q u) v
mw_code mw_beam_strain_drag(const mw_beam_in *in, const double *u, const double *v, double *f,
                            mw_error *err)
{
  beam b;
  double d[NB], dv[NB], e[NS], eta[NS], Qd[NS * NB], fl[NB] = { 0.0 }, s2[NS];
  mw_code rc = beam_build(in, &b, err);
  if (rc != MW_OK) return rc;
  to_local(b.a, u, d);
  to_local(b.a, v, dv);
  linear_strains(&b, dv, e);
  quadratic_strains(&b, d, eta, Qd);
  for (int k = 0; k < NS; k++) {
    double rate = 0.0;
    for (int i = 0; i < NB; i++) rate += Qd[NB * k + i] * dv[i];
    s2[k] = b.D[k] * rate;
    for (int i = 0; i < NB; i++) fl[i] += (b.D[k] * e[k] + s2[k]) * Qd[NB * k + i];
  }
  add_linear_forces(&b, s2, fl);
  for (int k = 0; k < 4; k++) mw_mul33tv(b.a, fl + 3 * k, f + 3 * k);
  return MW_OK;
}

// T = (B + Q u)ᵀ D (B + Q u) − Bᵀ D B + Σ (σ1 + σ2) Q
mw_code mw_beam_tangent(const mw_beam_in *in, const double *u, double *T, mw_error *err)
{
  beam b;
  double d[NB], e[NS], eta[NS], Qd[NS * NB], s[NS];
  mw_code rc = beam_build(in, &b, err);
  if (rc != MW_OK) return rc;
  to_local(b.a, u, d);
  linear_strains(&b, d, e);
  quadratic_strains(&b, d, eta, Qd);
  for (int k = 0; k < NS; k++) s[k] = b.D[k] * (e[k] + eta[k]);
  memset(T, 0, NB * NB * sizeof *T);
  add_stress_stiffness(&b, s, T);
  for (int k = 0; k < NS; k++) {
    double one[NS] = { 0.0 }, row[NB] = { 0.0 };
    const double *q = Qd + NB * k;
    one[k] = 1.0;
    add_linear_forces(&b, one, row);
    for (int i = 0; i < NB; i++)
      for (int j = 0; j < NB; j++)
        T[NB * i + j] += b.D[k] * (row[i] * q[j] + q[i] * row[j] + q[i] * q[j]);
  }
  matrix_to_body(b.a, T);
  return MW_OK;
}
