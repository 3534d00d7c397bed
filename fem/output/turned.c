// SPDX-License-Identifier: BSD-3-Clause
// turned.c: quaternion and angular velocity of a frame by three of its points, and their
// derivatives in a direction.
//
//   e_x, e_y   directions from the frame's point to the points along x and y
//   d± = (e_x ± e_y)/|e_x ± e_y| ,   R = [ (d₊ + d₋)/√2 ,  (d₊ − d₋)/√2 ,  d₋ × d₊ ]      (1)
//   Σ (|e|² 1 − e eᵀ) ω = Σ e × ė                                                         (2)
// d± are perpendicular where |e_x| = |e_y|; reduced models keep that to second order of their
// deflections, R takes e_x and e_y alike. ω is that of the rigid turn that is nearest to the rates
// of both. C99 and libm: exports take this file as it is.
#include "turned_priv.h"

#include <math.h>
#include <stddef.h>

#include "base/vec3.h"

// a/|a| into n, its derivative along a_d into n_d: n_d = (a_d − n nᵀa_d)/|a|
static void turned_unit(const double a[3], const double *a_d, double n[3], double *n_d)
{
  double most = mw_norm3(a);
  for (int i = 0; i < 3; i++) n[i] = a[i] / most;
  if (!a_d) return;
  double along = mw_dot3(n, a_d);
  for (int i = 0; i < 3; i++) n_d[i] = (a_d[i] - n[i] * along) / most;
}

// d± [2 × 3] of points, without their lengths; linear: derivatives likewise
static void turned_diagonals(const double p[9], double d[6])
{
  for (int i = 0; i < 3; i++) {
    double ex = p[3 + i] - p[i], ey = p[6 + i] - p[i];
    d[i] = ex + ey;
    d[3 + i] = ex - ey;
  }
}

// (1), R [3 × 3] row-major
static void turned_axes(const double p[9], const double *p_d, double R[9], double *R_d)
{
  double d[6], d_d[6], n[6], n_d[6], axis[9], axis_d[9], c[3], c_d[3];
  turned_diagonals(p, d);
  if (p_d) turned_diagonals(p_d, d_d);
  for (int k = 0; k < 6; k += 3) turned_unit(d + k, p_d ? d_d + k : NULL, n + k, n_d + k);
  for (int i = 0; i < 3; i++) {
    axis[i] = sqrt(0.5) * (n[i] + n[3 + i]);
    axis[3 + i] = sqrt(0.5) * (n[i] - n[3 + i]);
    if (!p_d) continue;
    axis_d[i] = sqrt(0.5) * (n_d[i] + n_d[3 + i]);
    axis_d[3 + i] = sqrt(0.5) * (n_d[i] - n_d[3 + i]);
  }
  mw_cross3(axis, axis + 3, c);
  if (p_d) {
    double other[3];
    mw_cross3(axis_d, axis + 3, c_d);
    mw_cross3(axis, axis_d + 3, other);
    for (int i = 0; i < 3; i++) c_d[i] += other[i];
  }
  turned_unit(c, p_d ? c_d : NULL, axis + 6, axis_d + 6);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      R[3 * i + k] = axis[3 * k + i];
      if (p_d) R_d[3 * i + k] = axis_d[3 * k + i];
    }
}

// Entries of R that quaternions are made of, with k its largest component: 4 q_k² − 1, and 4 q_k
// times each of the others; linear in R: derivatives likewise. others [3] from the component behind
// k on, in order, k left out.
static double turned_entries(const double R[9], int k, double others[3])
{
  double trace = R[0] + R[4] + R[8];
  const double skew[3] = { R[7] - R[5], R[2] - R[6], R[3] - R[1] };
  int a = k - 1, n = 0;
  if (k == 0) {
    for (int i = 0; i < 3; i++) others[i] = skew[i];
    return trace;
  }
  others[n++] = skew[a];
  for (int b = 0; b < 3; b++)
    if (b != a) others[n++] = R[3 * a + b] + R[3 * b + a];
  return 2.0 * R[4 * a] - trace;
}

void mw_turned_quaternion(const double p[9], const double *p_d, double q[4], double *q_d)
{
  double R[9], R_d[9], others[3], others_d[3];
  turned_axes(p, p_d, R, R_d);
  const double square[4] = { R[0] + R[4] + R[8], R[0], R[4], R[8] };
  int k = 0;
  for (int i = 1; i < 4; i++)
    if (square[i] > square[k]) k = i;
  double big = 0.5 * sqrt(1.0 + turned_entries(R, k, others)), by = 0.25 / big, big_d = 0.0;
  if (p_d) big_d = turned_entries(R_d, k, others_d) / (8.0 * big);
  for (int i = 0, n = 0; i < 4; i++) {
    if (p_d && i == k) q_d[i] = big_d;
    if (p_d && i != k) q_d[i] = by * (others_d[n] - others[n] * big_d / big);
    q[i] = i == k ? big : by * others[n++];
  }
}

void mw_turned_sign(double q[4], double *q_d)
{
  const double zero = 1e-6;  // above rounding: paths agree in the sign
  double first = 0.0;
  for (int i = 0; first == 0.0 && i < 4; i++) first = fabs(q[i]) > zero ? q[i] : 0.0;
  for (int i = 0; first < 0.0 && i < 4; i++) {
    q[i] = -q[i];
    if (q_d) q_d[i] = -q_d[i];
  }
}

// ---- angular velocity ---------------------------------------------------------------------------

// A [3 × 3] of (2), from the directions of points e and f: its derivative along f is that of both
// orders
static void turned_inertia(const double p[9], const double p_d[9], double A[9])
{
  for (int i = 0; i < 9; i++) A[i] = 0.0;
  for (int k = 3; k < 9; k += 3) {
    double e[3], f[3];
    for (int i = 0; i < 3; i++) {
      e[i] = p[k + i] - p[i];
      f[i] = p_d[k + i] - p_d[i];
    }
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) A[3 * i + j] += (i == j ? mw_dot3(e, f) : 0.0) - e[i] * f[j];
  }
}

// Σ e × ė
static void turned_spin(const double p[9], const double v[9], double b[3])
{
  for (int i = 0; i < 3; i++) b[i] = 0.0;
  for (int k = 3; k < 9; k += 3) {
    double e[3], e_dot[3], c[3];
    for (int i = 0; i < 3; i++) {
      e[i] = p[k + i] - p[i];
      e_dot[i] = v[k + i] - v[i];
    }
    mw_cross3(e, e_dot, c);
    for (int i = 0; i < 3; i++) b[i] += c[i];
  }
}

// x = A⁻¹ b by minors: A is symmetric
static void turned_solve(const double A[9], const double b[3], double x[3])
{
  double minor[9];
  for (int i = 0; i < 3; i++)
    mw_cross3(A + 3 * ((i + 1) % 3), A + 3 * ((i + 2) % 3), minor + 3 * i);
  double det = mw_dot3(A, minor);
  for (int i = 0; i < 3; i++) x[i] = mw_dot3(minor + 3 * i, b) / det;
}

void mw_turned_velocity(const double p[9], const double v[9], double w[3])
{
  double A[9], b[3];
  turned_inertia(p, p, A);
  turned_spin(p, v, b);
  turned_solve(A, b, w);
}

// A ω_d = b_d − A_d ω
void mw_turned_velocity_along(const double p[9], const double v[9], const double p_d[9],
                              const double v_d[9], double w_d[3])
{
  double A[9], A_d[9], w[3], b[3], other[3];
  mw_turned_velocity(p, v, w);
  turned_inertia(p, p, A);
  turned_inertia(p, p_d, A_d);
  turned_spin(p_d, v, b);
  turned_spin(p, v_d, other);
  for (int i = 0; i < 3; i++) {
    b[i] += other[i];
    for (int j = 0; j < 3; j++) b[i] -= (A_d[3 * i + j] + A_d[3 * j + i]) * w[j];
  }
  turned_solve(A, b, w_d);
}
