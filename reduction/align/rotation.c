// SPDX-License-Identifier: BSD-3-Clause
// rotation.c: logarithm and exponential of rotations of n dimensions, for frames that come back
// turned.
//
//   polar(1 + H) = H^½   1 + e^L = e^{L/2} 2 cosh(L/2), the second factor symmetric, positive   (1)
//   log H = 2^r log H^(1/2^r) ,  log S = 2 (C + C³/3 + C⁵/5 + …) ,  C = (S + 1)⁻¹ (S − 1)       (2)
//   exp(L) = (Σ (L/2^r)^j / j!)^(2^r)                                                           (3)
// Where an angle is π the second factor of (1) is singular; the directions it has lost are turned
// by a right angle in pairs.
// Cost: some ten products and singular value decompositions of [n × n].
// Higham, Functions of Matrices, SIAM 2008 (inverse scaling and squaring, polar factors).
#include "rotation_priv.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"

enum {
  ROOTS = 5,
  LOG_TERMS = 13,
  EXP_TERMS = 14
};                                 // angles after ROOTS: π/32; C: 0.05, C¹³: 1e-17
static const double LOST = 1e-4;   // cos(φ/2)
static const double SMALL = 0.25;  // norm of L/2^r; SMALL^14 / 14! = 4e-20

mw_code mw_rotation_det(int n, const double *A, double *det, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t nn = (size_t)n * (size_t)n;
  double *B = mw_arena_f64(&tmp, nn);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) memcpy(B, A, nn * sizeof *B);
  double d = 1.0;
  for (int i = 0; rc == MW_OK && i < n; i++) {
    int p = i;
    for (int j = i + 1; j < n; j++)
      if (fabs(B[j * n + i]) > fabs(B[p * n + i])) p = j;
    for (int l = i; p != i && l < n; l++) {
      double x = B[i * n + l];
      B[i * n + l] = B[p * n + l];
      B[p * n + l] = x;
    }
    d *= p != i ? -B[i * n + i] : B[i * n + i];
    for (int j = i + 1; B[i * n + i] != 0.0 && j < n; j++)
      mw_axpy(n - i, -B[j * n + i] / B[i * n + i], B + i * n + i, B + j * n + i);
  }
  mw_arena_free(&tmp);
  if (rc == MW_OK) *det = d;
  return rc;
}

mw_code mw_rotation_nearest(int n, double *A, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t nn = (size_t)n * (size_t)n;
  double *U = mw_arena_f64(&tmp, nn), *Vt = mw_arena_f64(&tmp, nn);
  double *sv = mw_arena_f64(&tmp, (size_t)n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_svd(n, n, A, sv, U, Vt, err);
  if (rc == MW_OK) mw_gemm('n', 'n', n, n, n, 1.0, U, Vt, 0.0, A);
  mw_arena_free(&tmp);
  return rc;
}

// S := S^½ by (1); n_lost: directions whose angle is π, turned in pairs.
static mw_code root(int n, double *S, int *n_lost, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t nn = (size_t)n * (size_t)n;
  double *A = mw_arena_f64(&tmp, nn), *U = mw_arena_f64(&tmp, nn), *Vt = mw_arena_f64(&tmp, nn);
  double *sv = mw_arena_f64(&tmp, (size_t)n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    for (int i = 0; i < n * n; i++) A[i] = 0.5 * (S[i] + (i % (n + 1) == 0 ? 1.0 : 0.0));
    rc = mw_svd(n, n, A, sv, U, Vt, err);
  }
  int keep = n;
  while (rc == MW_OK && keep > 0 && sv[keep - 1] < LOST) keep--;
  *n_lost = n - keep;
  if (rc == MW_OK && *n_lost % 2 != 0)
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "a matrix with a negative determinant is no rotation");
  if (rc == MW_OK) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double x = 0.0;
        for (int l = 0; l < keep; l++) x += U[i * n + l] * Vt[l * n + j];
        for (int l = keep; l + 1 < n; l += 2)
          x += Vt[(l + 1) * n + i] * Vt[l * n + j] - Vt[l * n + i] * Vt[(l + 1) * n + j];
        S[i * n + j] = x;
      }
  }
  mw_arena_free(&tmp);
  return rc;
}

// L := 2 artanh C, C = (S + 1)⁻¹ (S − 1), made skew.
static mw_code log_near_one(int n, const double *S, double *L, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t nn = (size_t)n * (size_t)n;
  double *A = mw_arena_f64(&tmp, nn), *C = mw_arena_f64(&tmp, nn), *P = mw_arena_f64(&tmp, nn);
  double *CC = mw_arena_f64(&tmp, nn);
  int *piv = mw_arena_int(&tmp, (size_t)n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    for (int i = 0; i < n * n; i++) {
      double one = i % (n + 1) == 0 ? 1.0 : 0.0;
      A[i] = S[i] + one;
      C[i] = S[i] - one;
    }
    rc = mw_lu_factor(n, A, piv, err);
  }
  if (rc == MW_OK) {
    mw_lu_solve(n, A, piv, n, C);
    mw_gemm('n', 'n', n, n, n, 1.0, C, C, 0.0, CC);
    memcpy(P, C, nn * sizeof *P);
    memset(L, 0, nn * sizeof *L);
    for (int j = 1; j <= LOG_TERMS; j += 2) {
      for (size_t i = 0; i < nn; i++) L[i] += 2.0 / j * P[i];
      mw_gemm('n', 'n', n, n, n, 1.0, P, CC, 0.0, A);
      memcpy(P, A, nn * sizeof *P);
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        double x = 0.5 * (L[i * n + j] - L[j * n + i]);
        L[i * n + j] = x;
        L[j * n + i] = -x;
      }
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_rotation_log(int n, const double *H, double *L, bool *half_turn, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t nn = (size_t)n * (size_t)n;
  double *S = mw_arena_f64(&tmp, nn);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) memcpy(S, H, nn * sizeof *S);
  *half_turn = false;
  for (int i = 0; rc == MW_OK && i < ROOTS; i++) {
    int n_lost;
    rc = root(n, S, &n_lost, err);
    *half_turn = *half_turn || n_lost > 0;
  }
  if (rc == MW_OK) rc = log_near_one(n, S, L, err);
  for (size_t i = 0; rc == MW_OK && i < nn; i++) L[i] *= 1 << ROOTS;
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_rotation_exp(int n, double t, const double *L, double *R, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t nn = (size_t)n * (size_t)n;
  double *X = mw_arena_f64(&tmp, nn), *P = mw_arena_f64(&tmp, nn), *A = mw_arena_f64(&tmp, nn);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc != MW_OK) {
    mw_arena_free(&tmp);
    return rc;
  }
  double size = fabs(t) * sqrt(mw_dot((int)nn, L, L));
  int r = 0;
  for (; size > SMALL; size *= 0.5) r++;
  for (size_t i = 0; i < nn; i++) X[i] = ldexp(t * L[i], -r);
  for (int i = 0; i < n * n; i++) P[i] = R[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
  for (int j = 1; j < EXP_TERMS; j++) {
    mw_gemm('n', 'n', n, n, n, 1.0 / j, P, X, 0.0, A);
    memcpy(P, A, nn * sizeof *P);
    for (size_t i = 0; i < nn; i++) R[i] += P[i];
  }
  for (; r > 0; r--) {
    mw_gemm('n', 'n', n, n, n, 1.0, R, R, 0.0, A);
    memcpy(R, A, nn * sizeof *R);
  }
  mw_arena_free(&tmp);
  return rc;
}
