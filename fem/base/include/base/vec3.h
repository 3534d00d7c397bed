// SPDX-License-Identifier: BSD-3-Clause
// vec3.h: 3-vectors and row-major 3 × 3 matrices.
#ifndef MW_BASE_VEC3_H
#define MW_BASE_VEC3_H

#include <math.h>

static inline double mw_dot3(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void mw_cross3(const double a[3], const double b[3], double c[3])
{
  double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2],
         z = a[0] * b[1] - a[1] * b[0];
  c[0] = x;
  c[1] = y;
  c[2] = z;
}
static inline double mw_norm3(const double a[3]) { return sqrt(mw_dot3(a, a)); }
// y = A x, row-major A
static inline void mw_mul33v(const double A[9], const double x[3], double y[3])
{
  double t[3] = { mw_dot3(A, x), mw_dot3(A + 3, x), mw_dot3(A + 6, x) };
  y[0] = t[0];
  y[1] = t[1];
  y[2] = t[2];
}
// y = Aᵀ x
static inline void mw_mul33tv(const double A[9], const double x[3], double y[3])
{
  double t[3];
  for (int i = 0; i < 3; i++) t[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
  y[0] = t[0];
  y[1] = t[1];
  y[2] = t[2];
}
// C = A B
static inline void mw_mul33(const double A[9], const double B[9], double C[9])
{
  double T[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      T[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
  for (int i = 0; i < 9; i++) C[i] = T[i];
}
// w: the vector of the antisymmetric part of EᵀX, E a rotation: ω of X = Ė = E ω~, α of X = Ë =
// E (α~ + ω~ω~), whose other part is symmetric; of X = E exp(w~) to second order.
static inline void mw_spin33(const double E[9], const double X[9], double w[3])
{
  double C[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      C[3 * i + j] = E[i] * X[j] + E[3 + i] * X[3 + j] + E[6 + i] * X[6 + j];
  w[0] = 0.5 * (C[7] - C[5]);
  w[1] = 0.5 * (C[2] - C[6]);
  w[2] = 0.5 * (C[3] - C[1]);
}
// Two unit vectors h1, h2 so that (h1, h2, d/|d|) is right-handed and orthonormal (parallelism: a ∥
// d ⇔ a ⊥ h1, h2).
static inline void mw_normals3(const double d[3], double h1[3], double h2[3])
{
  double n = mw_norm3(d), u[3] = { d[0] / n, d[1] / n, d[2] / n };
  int k = fabs(u[0]) <= fabs(u[1]) ? (fabs(u[0]) <= fabs(u[2]) ? 0 : 2)
                                   : (fabs(u[1]) <= fabs(u[2]) ? 1 : 2);
  double e[3] = { k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0 };
  mw_cross3(u, e, h1);
  double n1 = mw_norm3(h1);
  for (int i = 0; i < 3; i++) h1[i] /= n1;
  mw_cross3(u, h1, h2);
}

// Angle of the rotation E0ᵀE between axes E0 and E, rad in [0, π]: cos = (tr E0ᵀE − 1)/2, with the
// sine where it is small.
static inline double mw_angle33(const double E0[9], const double E[9])
{
  double C[9], w[3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      C[3 * i + j] = E0[i] * E[j] + E0[3 + i] * E[3 + j] + E0[6 + i] * E[6 + j];
  w[0] = C[7] - C[5];
  w[1] = C[2] - C[6];
  w[2] = C[3] - C[1];
  return atan2(0.5 * mw_norm3(w), 0.5 * (C[0] + C[4] + C[8] - 1.0));
}

// sin x / x, (1 − cos x)/x², (x − sin x)/x³ for x = |r|
static inline void mw_turn_factors3(const double r[3], double k[3])
{
  double xx = mw_dot3(r, r), x = sqrt(xx);
  if (x < 0.05) {  // the next terms are x⁸/9! = 1e-16 and smaller
    k[0] = 1.0 - xx / 6.0 * (1.0 - xx / 20.0 * (1.0 - xx / 42.0));
    k[1] = 0.5 * (1.0 - xx / 12.0 * (1.0 - xx / 30.0 * (1.0 - xx / 56.0)));
    k[2] = (1.0 - xx / 20.0 * (1.0 - xx / 42.0 * (1.0 - xx / 72.0))) / 6.0;
    return;
  }
  double half = sin(0.5 * x) / x;
  k[0] = sin(x) / x;
  k[1] = 2.0 * half * half;
  k[2] = (1.0 - k[0]) / xx;
}
// y = exp(r~) x: turned by the rotation vector r (rad)
static inline void mw_turn3(const double r[3], const double x[3], double y[3])
{
  double k[3], c[3], cc[3];
  mw_turn_factors3(r, k);
  mw_cross3(r, x, c);
  mw_cross3(r, c, cc);
  for (int i = 0; i < 3; i++) y[i] = x[i] + k[0] * c[i] + k[1] * cc[i];
}
// exp((r + dr)~) = exp((T dr)~) exp(r~) to first order, T = 1 + (1 − cos x)/x² r~ + (x − sin x)/x³
// r~²: y = T d
static inline void mw_turn_rate3(const double r[3], const double d[3], double y[3])
{
  double k[3], c[3], cc[3];
  mw_turn_factors3(r, k);
  mw_cross3(r, d, c);
  mw_cross3(r, c, cc);
  for (int i = 0; i < 3; i++) y[i] = d[i] + k[1] * c[i] + k[2] * cc[i];
}
// y = T' d for r' = d, so that (T r')' = T r'' + y; with a = (1 − cos x)/x², b = (x − sin x)/x³
//   y = (r·d) (a'/x r×d + b'/x r×(r×d)) + b d×(r×d)
//   a'/x = (sin x/x − 2a)/x² ,  b'/x = (a − 3b)/x²
static inline void mw_turn_bend3(const double r[3], const double d[3], double y[3])
{
  double k[3], c[3], cc[3], dc[3], xx = mw_dot3(r, r), along = mw_dot3(r, d), a, b;
  mw_turn_factors3(r, k);
  mw_cross3(r, d, c);
  mw_cross3(r, c, cc);
  mw_cross3(d, c, dc);
  if (xx < 0.0025) {  // the next terms are x⁶/5e5 = 3e-14 of them and smaller
    a = -(1.0 - xx / 15.0 * (1.0 - xx * 3.0 / 112.0)) / 12.0;
    b = -(1.0 - xx / 21.0 * (1.0 - xx / 48.0)) / 60.0;
  } else {
    a = (k[0] - 2.0 * k[1]) / xx;
    b = (k[1] - 3.0 * k[2]) / xx;
  }
  for (int i = 0; i < 3; i++) y[i] = along * (a * c[i] + b * cc[i]) + k[2] * dc[i];
}
// y = Tᵀ m: what a moment m does along dr
static inline void mw_turn_moment3(const double r[3], const double m[3], double y[3])
{
  const double minus[3] = { -r[0], -r[1], -r[2] };
  mw_turn_rate3(minus, m, y);
}

#endif
