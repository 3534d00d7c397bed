// SPDX-License-Identifier: BSD-3-Clause
// flexible_frame.c: the frame (o, E) of a port by the positions of its origin and of two points at
// `arm` along x and y, fields of a reduced model that need not be rigid to rounding.
//
// With a = (p_x − o)/arm, b = (p_y − o)/arm and X = (a, b, 0), E is the rotation nearest to X:
//
//   U = EᵀX symmetric ;   S(Z) the axial vector of Z − Zᵀ ,   P = tr U 1 − U                    (1)
//   Ẋ = E (ω~ U + U̇)                  →  ω = P⁻¹ S(EᵀẊ) ,   U̇ = EᵀẊ − ω~ U                    (2)
//   Ẍ = E ((α~ + ω~²) U + 2 ω~ U̇ + Ü) →  α = P⁻¹ (S(EᵀẌ) − S(ω~² U) − 2 (tr U̇ 1 − U̇) ω)     (3)
//
// U̇ and Ü are symmetric. A moment T does T·ω = (k~) : EᵀẊ with k = P⁻¹ T: forces E k~ on X.   (4)
// X rigid: U = diag(1, 1, 0), P = diag(1, 1, 2). Cost: some hundred products.
#include <string.h>

#include "flexible_priv.h"

static void hat(const double k[3], double K[9])
{
  const double t[9] = { 0.0, -k[2], k[1], k[2], 0.0, -k[0], -k[1], k[0], 0.0 };
  memcpy(K, t, sizeof t);
}

static void axial(const double Z[9], double s[3])
{
  s[0] = Z[7] - Z[5];
  s[1] = Z[2] - Z[6];
  s[2] = Z[3] - Z[1];
}

// Z = Eᵀ X of the columns that points p, x, y (less p) make.
static void columns(const double E[9], const double *y, double arm, double Z[9])
{
  double a[3], b[3], X[9];
  for (int i = 0; i < 3; i++) {
    a[i] = (y[3 + i] - y[i]) / arm;
    b[i] = (y[6 + i] - y[i]) / arm;
    X[3 * i] = a[i];
    X[3 * i + 1] = b[i];
    X[3 * i + 2] = 0.0;
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      Z[3 * i + j] = E[i] * X[j] + E[3 + i] * X[3 + j] + E[6 + i] * X[6 + j];
}

static double trace(const double U[9]) { return U[0] + U[4] + U[8]; }

// (tr U 1 − sym U)⁻¹ by cofactors
static void invert_P(const double U[9], double P_inv[9])
{
  double t = trace(U), P[9], det;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      P[3 * i + j] = (i == j ? t : 0.0) - 0.5 * (U[3 * i + j] + U[3 * j + i]);
  for (int i = 0; i < 3; i++) {
    int a = (i + 1) % 3, b = (i + 2) % 3;
    for (int j = 0; j < 3; j++) {
      int c = (j + 1) % 3, d = (j + 2) % 3;
      P_inv[3 * j + i] = P[3 * a + c] * P[3 * b + d] - P[3 * a + d] * P[3 * b + c];
    }
  }
  det = P[0] * P_inv[0] + P[1] * P_inv[3] + P[2] * P_inv[6];
  for (int i = 0; i < 9; i++) P_inv[i] /= det;
}

// E ← E exp(φ~) to third order by Cayley's formula, a rotation to rounding whatever φ is
static void turn(double E[9], const double phi[3])
{
  double k[3] = { 0.5 * phi[0], 0.5 * phi[1], 0.5 * phi[2] }, K[9], C[9];
  double f = 2.0 / (1.0 + mw_dot3(k, k));
  hat(k, K);
  mw_mul33(K, K, C);
  for (int i = 0; i < 9; i++) C[i] = f * (K[i] + C[i]) + (i % 4 == 0 ? 1.0 : 0.0);
  mw_mul33(E, C, E);
}

// Axes along a and across it, towards b
static void first_guess(const double *y, double E[9])
{
  double a[3], b[3], c[3];
  for (int i = 0; i < 3; i++) {
    a[i] = y[3 + i] - y[i];
    b[i] = y[6 + i] - y[i];
  }
  mw_cross3(a, b, c);
  mw_cross3(c, a, b);
  double na = mw_norm3(a), nb = mw_norm3(b), nc = mw_norm3(c);
  for (int i = 0; i < 3; i++) {
    E[3 * i] = a[i] / na;
    E[3 * i + 1] = b[i] / nb;
    E[3 * i + 2] = c[i] / nc;
  }
}

void mw_port_place(const double *y, double arm, mw_port_frame *f)
{
  enum { ITERATIONS = 4 };  // quadratic from a guess as near as the points are to rigid
  double S[3], phi[3];
  memcpy(f->o, y, sizeof f->o);
  first_guess(y, f->E);
  for (int k = 0; k <= ITERATIONS; k++) {
    columns(f->E, y, arm, f->U);
    invert_P(f->U, f->P_inv);
    if (k == ITERATIONS) break;
    axial(f->U, S);
    mw_mul33v(f->P_inv, S, phi);
    turn(f->E, phi);
  }
}

// (2): V = EᵀẊ
static void spin(const mw_port_frame *f, const double V[9], double omega[3])
{
  double S[3];
  axial(V, S);
  mw_mul33v(f->P_inv, S, omega);
}

void mw_port_rate(const mw_port_frame *f, const double *y_dot, double arm, double twist[6])
{
  double V[9];
  mw_mul33tv(f->E, y_dot, twist);
  columns(f->E, y_dot, arm, V);
  spin(f, V, twist + 3);
}

void mw_port_acceleration(const mw_port_frame *f, const double *y_dot, const double *y_ddot,
                          double arm, double out[6])
{
  double V[9], Z[9], W[9], WU[9], S[3], S2[3], w[3], bend[3];
  columns(f->E, y_dot, arm, V);
  columns(f->E, y_ddot, arm, Z);
  spin(f, V, w);
  hat(w, W);
  mw_mul33(W, f->U, WU);
  for (int i = 0; i < 9; i++) V[i] -= WU[i];  // U̇
  mw_mul33(W, WU, WU);
  axial(Z, S);
  axial(WU, S2);
  mw_mul33v(V, w, bend);
  for (int i = 0; i < 3; i++) S[i] -= S2[i] + 2.0 * (trace(V) * w[i] - bend[i]);
  mw_mul33tv(f->E, y_ddot, out);
  mw_mul33v(f->P_inv, S, out + 3);
}

void mw_port_wrench(const mw_port_frame *f, const double wrench[6], double arm, double *u)
{
  double F[3], k[3], K[9];
  mw_mul33v(f->E, wrench, F);
  mw_mul33v(f->P_inv, wrench + 3, k);
  hat(k, K);
  mw_mul33(f->E, K, K);  // (4)
  for (int i = 0; i < 3; i++) {
    double a = K[3 * i] / arm, b = K[3 * i + 1] / arm;
    u[i] += F[i] - a - b;
    u[3 + i] += a;
    u[6 + i] += b;
  }
}
