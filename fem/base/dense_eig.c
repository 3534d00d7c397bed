// SPDX-License-Identifier: BSD-3-Clause
// dense_eig.c: eigenvalues, singular values, least squares and inertia of small dense matrices, on
// LAPACK.
//
// Of a symmetric matrix our lower triangle is read, which Fortran sees as the upper one. All O(n³).
// Every routine asks LAPACK for its workspace first (lwork = -1).
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"
#include "lapack_priv.h"

static mw_code not_finite(const char *what, int m, int n, mw_error *err)
{
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "%d × %d matrix for %s has an entry that is not finite", m, n, what);
}

// V := Aᵀ, LAPACK's eigenvectors being our rows
static void transpose(int n, const double *A, double *V)
{
  size_t size = (size_t)n;
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j < size; j++) V[j * size + i] = A[i * size + j];
}

mw_code mw_eig_sym(int n, double *A, double *w, double *V, mw_error *err)
{
  if (n <= 0) return MW_OK;
  if (!mw_lower_finite(n, A)) return not_finite("eigenvalues", n, n, err);
  mw_arena tmp = { 0 };
  double ask = 0.0;
  int ask_int = 0, query = -1, info = 0;
  const char *job = V ? "V" : "N";
  dsyevd_(job, "U", &n, A, &n, w, &ask, &query, &ask_int, &query, &info, 1, 1);
  int lwork = (int)ask, liwork = ask_int;
  double *work = mw_arena_f64(&tmp, (size_t)lwork);
  int *iwork = mw_arena_int(&tmp, (size_t)liwork);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    dsyevd_(job, "U", &n, A, &n, w, work, &lwork, iwork, &liwork, &info, 1, 1);
    if (info != 0)
      rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "eigenvalues of a symmetric matrix of size %d: dsyevd gave %d", n, info);
  }
  if (rc == MW_OK && V) transpose(n, A, V);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_eig_any(int n, double *A, double *re, double *im, mw_error *err)
{
  if (n <= 0) return MW_OK;
  if (!mw_all_finite((size_t)n * (size_t)n, A)) return not_finite("eigenvalues", n, n, err);
  mw_arena tmp = { 0 };
  double ask = 0.0, none;
  int query = -1, info = 0, one = 1;
  dgeev_("N", "N", &n, A, &n, re, im, &none, &one, &none, &one, &ask, &query, &info, 1, 1);
  int lwork = (int)ask;
  double *work = mw_arena_f64(&tmp, (size_t)lwork);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    dgeev_("N", "N", &n, A, &n, re, im, &none, &one, &none, &one, work, &lwork, &info, 1, 1);
    if (info != 0)
      rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "eigenvalues of a matrix of size %d: dgeev gave %d", n, info);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_eig_gen(int n, double *A, double *B, double *w, double *V, mw_error *err)
{
  if (n <= 0) return MW_OK;
  if (!mw_lower_finite(n, A) || !mw_lower_finite(n, B))
    return not_finite("generalized eigenvalues", n, n, err);
  mw_arena tmp = { 0 };
  double ask = 0.0;
  int ask_int = 0, query = -1, info = 0, itype = 1;  // A x = λ B x
  dsygvd_(&itype, "V", "U", &n, A, &n, B, &n, w, &ask, &query, &ask_int, &query, &info, 1, 1);
  int lwork = (int)ask, liwork = ask_int;
  double *work = mw_arena_f64(&tmp, (size_t)lwork);
  int *iwork = mw_arena_int(&tmp, (size_t)liwork);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    dsygvd_(&itype, "V", "U", &n, A, &n, B, &n, w, work, &lwork, iwork, &liwork, &info, 1, 1);
    if (info > n)
      rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "B of A x = λ B x, size %d, is not positive definite at pivot %d", n, info - n);
    else if (info != 0)
      rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "eigenvalues of A x = λ B x, size %d: dsygvd gave %d", n, info);
  }
  if (rc == MW_OK) transpose(n, A, V);
  mw_arena_free(&tmp);
  return rc;
}

// By dgesvd, slower and of no divide and conquer, where that has not converged; A is destroyed.
static mw_code svd_by_qr(bool vectors, int m, int n, double *A, double *sv, double *U, double *Vt,
                         mw_error *err)
{
  mw_arena tmp = { 0 };
  int k = m < n ? m : n, query = -1, info = 0;
  const char *job = vectors ? "S" : "N";
  double ask = 0.0;
  dgesvd_(job, job, &n, &m, A, &n, sv, Vt, &n, U, &k, &ask, &query, &info, 1, 1);
  int lwork = (int)ask;
  double *work = mw_arena_f64(&tmp, (size_t)lwork);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) dgesvd_(job, job, &n, &m, A, &n, sv, Vt, &n, U, &k, work, &lwork, &info, 1, 1);
  if (rc == MW_OK && info != 0)
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "singular values of a %d × %d matrix: dgesdd failed, dgesvd gave %d", m, n, info);
  mw_arena_free(&tmp);
  return rc;
}

// Fortran sees Aᵀ = Vtᵀ S Uᵀ, n × m: its left vectors lie in memory as our Vt, its right ones as
// our U.
mw_code mw_svd(int m, int n, double *A, double *sv, double *U, double *Vt, mw_error *err)
{
  if (m <= 0 || n <= 0) return MW_OK;
  if (!mw_all_finite((size_t)m * (size_t)n, A)) return not_finite("singular values", m, n, err);
  mw_arena tmp = { 0 };
  int k = m < n ? m : n, query = -1, info = 0;
  bool vectors = U || Vt;
  if (vectors && !U) U = mw_arena_f64(&tmp, (size_t)m * (size_t)k);
  if (vectors && !Vt) Vt = mw_arena_f64(&tmp, (size_t)n * (size_t)k);
  int *iwork = mw_arena_int(&tmp, 8 * (size_t)k);
  size_t size = (size_t)m * (size_t)n;
  double *again = mw_arena_f64(&tmp, size);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    memcpy(again, A, size * sizeof *A);
    const char *job = vectors ? "S" : "N";
    double ask = 0.0;
    dgesdd_(job, &n, &m, A, &n, sv, Vt, &n, U, &k, &ask, &query, iwork, &info, 1);
    int lwork = (int)ask;
    double *work = mw_arena_f64(&tmp, (size_t)lwork);
    rc = mw_arena_check(&tmp, err);
    if (rc == MW_OK) dgesdd_(job, &n, &m, A, &n, sv, Vt, &n, U, &k, work, &lwork, iwork, &info, 1);
  }
  if (rc == MW_OK && info != 0) rc = svd_by_qr(vectors, m, n, again, sv, U, Vt, err);
  mw_arena_free(&tmp);
  return rc;
}

// x = Σ_k v_k (u_k · b) / s_k  over  s_k > rcond s_0
mw_code mw_lstsq(int m, int n, double *A, const double *b, double rcond, double *x, int *rank,
                 mw_error *err)
{
  for (int i = 0; i < n; i++) x[i] = 0.0;
  if (rank) *rank = 0;
  if (m <= 0 || n <= 0) return MW_OK;
  if (!mw_all_finite((size_t)m, b)) return not_finite("least squares, right-hand side", m, 1, err);
  mw_arena tmp = { 0 };
  size_t rows = (size_t)m, k = (size_t)(m < n ? m : n);
  double *sv = mw_arena_f64(&tmp, k), *U = mw_arena_f64(&tmp, rows * k),
         *Vt = mw_arena_f64(&tmp, k * (size_t)n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_svd(m, n, A, sv, U, Vt, err);
  for (size_t j = 0; rc == MW_OK && j < k && sv[j] > rcond * sv[0] && sv[j] > 0.0; j++) {
    double c = 0.0;
    for (size_t i = 0; i < rows; i++) c += U[i * k + j] * b[i];
    mw_axpy(n, c / sv[j], Vt + j * (size_t)n, x);
    if (rank) *rank = (int)j + 1;
  }
  mw_arena_free(&tmp);
  return rc;
}

// Congruence by powers of two, s_i s_j a_ij, that brings the largest entry of every row near 1
// (Ruiz): it leaves the inertia as it is, rounds nothing, and makes pivots of different units
// comparable. scale [n]: s; big [n]: work
static void equilibrate(int n, double *A, double *scale, double *big)
{
  enum { SWEEPS = 8 };  // each halves the exponents: 2^8 covers 10^-77 to 10^77 with room
  size_t size = (size_t)n;
  for (size_t i = 0; i < size; i++) scale[i] = 1.0;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    memset(big, 0, size * sizeof *big);
    for (size_t i = 0; i < size; i++)
      for (size_t j = 0; j <= i; j++) {
        double a = fabs(A[i * size + j]);
        if (a > big[i]) big[i] = a;
        if (a > big[j]) big[j] = a;
      }
    bool done = true;
    for (size_t i = 0; i < size; i++) {
      int e = 0;
      if (big[i] > 0.0) (void)frexp(big[i], &e);
      e /= 2;
      done = done && e == 0;
      big[i] = ldexp(1.0, -e);
      scale[i] *= big[i];
    }
    if (done) return;
    for (size_t i = 0; i < size; i++)
      for (size_t j = 0; j <= i; j++) A[i * size + j] *= big[i] * big[j];
  }
}

// Eigenvalues of D, block by block: our rows i - 1, i hold a 2 × 2 block where both pivots are
// negative.
static void block_values(int n, const double *A, const int *piv, double *d)
{
  size_t size = (size_t)n;
  for (int i = n - 1; i >= 0; i--) {
    size_t r = (size_t)i;
    double b = A[r * size + r];
    if (piv[i] > 0 || i == 0) {
      d[i] = b;
      continue;
    }
    double a = A[(r - 1) * size + r - 1], c = A[r * size + r - 1];
    double mean = 0.5 * (a + b), radius = hypot(0.5 * (a - b), c);
    d[i] = mean + radius;
    d[--i] = mean - radius;
  }
}

// Sylvester: A = U D Uᵀ has the inertia of D. A value of D counts as zero when |d| <= n ε max|D|
// after equilibration: the backward error of the factorization is of that order, so its sign is not
// known.
static void count_signs(int n, const double *d, int *n_neg, int *n_zero)
{
  double largest = 0.0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(d[i]));
  for (int i = 0; i < n; i++) {
    bool zero = fabs(d[i]) <= n * DBL_EPSILON * largest;
    *n_zero += zero;
    *n_neg += !zero && d[i] < 0.0;
  }
}

mw_code mw_sym_factor(int n, double *A, double *scale, int *piv, int *n_neg, int *n_zero,
                      mw_error *err)
{
  *n_neg = *n_zero = 0;
  if (n <= 0) return MW_OK;
  if (!mw_lower_finite(n, A)) return not_finite("inertia", n, n, err);
  mw_arena tmp = { 0 };
  double ask = 0.0, *d = mw_arena_f64(&tmp, (size_t)n), *work = NULL;
  int query = -1, info = 0, lwork = 1;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    dsytrf_("U", &n, A, &n, piv, &ask, &query, &info, 1);
    lwork = (int)ask;
    work = mw_arena_f64(&tmp, (size_t)lwork);
    rc = mw_arena_check(&tmp, err);
  }
  if (rc == MW_OK) {
    equilibrate(n, A, scale, d);
    dsytrf_("U", &n, A, &n, piv, work, &lwork, &info,
            1);  // info > 0: a pivot is exactly zero, which is counted
    block_values(n, A, piv, d);
    count_signs(n, d, n_neg, n_zero);
  }
  mw_arena_free(&tmp);
  return rc;
}

static void scale_rows(int n, const double *scale, int k, size_t ld, double *X)
{
  for (size_t i = 0; i < (size_t)k; i++)
    for (size_t j = 0; j < (size_t)n; j++) X[i * ld + j] *= scale[j];
}

// A⁻¹ = S (S A S)⁻¹ S
void mw_sym_solve(int n, const double *A, const double *scale, const int *piv, int k, int ld,
                  double *X)
{
  int info = 0;
  if (n <= 0 || k <= 0) return;
  scale_rows(n, scale, k, (size_t)ld, X);
  dsytrs_("U", &n, &k, A, &n, piv, X, &ld, &info, 1);
  scale_rows(n, scale, k, (size_t)ld, X);
}

mw_code mw_inertia(int n, double *A, int *n_neg, int *n_zero, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t size = n > 0 ? (size_t)n : 0;
  double *scale = mw_arena_f64(&tmp, size);
  int *piv = mw_arena_int(&tmp, size);
  mw_code rc = mw_arena_check(&tmp, err);
  *n_neg = *n_zero = 0;
  if (rc == MW_OK) rc = mw_sym_factor(n, A, scale, piv, n_neg, n_zero, err);
  mw_arena_free(&tmp);
  return rc;
}

// Taylor's series at A/2^k, of norm below a quarter, where its term of order 12 is 1e-17; squared
// k times.
mw_code mw_exp_any(int n, const double *A, double *E, mw_error *err)
{
  enum { TERMS = 12, MOST = 1000 };
  size_t nn = (size_t)n * (size_t)n;
  mw_arena tmp = { 0 };
  double *S = mw_arena_f64(&tmp, nn), *term = mw_arena_f64(&tmp, nn);
  double *next = mw_arena_f64(&tmp, nn), norm = 0.0;
  int squares = 0;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK && !mw_all_finite(nn, A)) rc = not_finite("exponential", n, n, err);
  for (int i = 0; i < n && rc == MW_OK; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) sum += fabs(A[(size_t)i * (size_t)n + (size_t)j]);
    norm = fmax(norm, sum);
  }
  for (; norm > 0.25 && squares < MOST; squares++) norm *= 0.5;
  for (size_t i = 0; i < nn && rc == MW_OK; i++) {
    S[i] = ldexp(A[i], -squares);
    E[i] = term[i] = i % ((size_t)n + 1) == 0 ? 1.0 : 0.0;
  }
  for (int k = 1; k <= TERMS && rc == MW_OK; k++) {
    mw_gemm('n', 'n', n, n, n, 1.0 / k, term, S, 0.0, next);
    memcpy(term, next, nn * sizeof *term);
    for (size_t i = 0; i < nn; i++) E[i] += term[i];
  }
  for (int k = 0; k < squares && rc == MW_OK; k++) {
    mw_gemm('n', 'n', n, n, n, 1.0, E, E, 0.0, next);
    memcpy(E, next, nn * sizeof *E);
  }
  mw_arena_free(&tmp);
  return rc;
}
