// SPDX-License-Identifier: BSD-3-Clause
// dense.c: products and factorizations of small dense matrices, on BLAS and LAPACK.
//
// Ours is row-major, Fortran's column-major: it reads our A as Aᵀ. Hence
//   C = α op(A) op(B) + β C    is called as    Cᵀ = α op(B)ᵀ op(A)ᵀ + β Cᵀ                      (1)
//   A X = B   is called as   Xᵀ Aᵀ = Bᵀ, with the factors of Aᵀ on the right side   (2)
// and nothing is ever transposed in memory; (2) needs no workspace. Factors O(n³), solves O(n²) a
// right-hand side.
#include "base/dense.h"

#include <math.h>
#include <stdlib.h>

#include "lapack_priv.h"

static const double one = 1.0;

void mw_gemm(char ta, char tb, int m, int n, int k, double alpha, const double *A, const double *B,
             double beta, double *C)
{
  if (m <= 0 || n <= 0) return;
  bool a_t = ta == 't' || ta == 'T', b_t = tb == 't' || tb == 'T';
  int lda = a_t ? m : k, ldb = b_t ? k : n;
  if (lda < 1) lda = 1;
  if (ldb < 1) ldb = 1;
  dgemm_(b_t ? "T" : "N", a_t ? "T" : "N", &n, &m, &k, &alpha, B, &ldb, A, &lda, &beta, C, &n, 1,
         1);
}

// Four running sums, added in a fixed order: the same bits on any number of threads, unlike BLAS.
double mw_dot(int n, const double *x, const double *y)
{
  double s[4] = { 0 };
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) s[k] += x[i + k] * y[i + k];
  for (int k = 0; i < n; i++, k++) s[k] += x[i] * y[i];
  return (s[0] + s[1]) + (s[2] + s[3]);
}

void mw_axpy(int n, double alpha, const double *x, double *y)
{
  for (int i = 0; i < n; i++) y[i] += alpha * x[i];
}

void mw_axpy_rows(int n, int k, const double *alpha, const double *X, size_t apart, double *y)
{
  int a = 0;
  for (; a + 4 <= k; a += 4) {
    const double *x = X + (size_t)a * apart, *x1 = x + apart, *x2 = x1 + apart, *x3 = x2 + apart;
    double b = alpha[a], b1 = alpha[a + 1], b2 = alpha[a + 2], b3 = alpha[a + 3];
    for (int i = 0; i < n; i++) y[i] = y[i] + b * x[i] + b1 * x1[i] + b2 * x2[i] + b3 * x3[i];
  }
  for (; a < k; a++) mw_axpy(n, alpha[a], X + (size_t)a * apart, y);
}

mw_code mw_lu_factor(int n, double *A, int *piv, mw_error *err)
{
  if (n <= 0) return MW_OK;
  if (!mw_all_finite((size_t)n * (size_t)n, A))
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "matrix of size %d for LU has an entry that is not finite", n);
  int info = 0;
  dgetrf_(&n, &n, A, &n, piv, &info);
  if (info != 0)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "matrix of size %d is singular at pivot %d", n,
                   info);
  return MW_OK;
}

// Aᵀ = P L U  ⇒  Xᵀ = Bᵀ U⁻¹ L⁻¹ Pᵀ
void mw_lu_solve(int n, const double *LU, const int *piv, int k, double *B)
{
  const int next = 1;
  if (n <= 0 || k <= 0) return;
  if (k == 1) {  // dtrsm copies all of LU for it
    dtrsv_("U", "T", "N", &n, LU, &n, B, &next, 1, 1, 1);
    dtrsv_("L", "T", "U", &n, LU, &n, B, &next, 1, 1, 1);
  } else {
    dtrsm_("R", "U", "N", "N", &k, &n, &one, LU, &n, B, &k, 1, 1, 1, 1);
    dtrsm_("R", "L", "N", "U", &k, &n, &one, LU, &n, B, &k, 1, 1, 1, 1);
  }
  for (int i = n - 1; i >= 0; i--) {
    size_t r = (size_t)i * (size_t)k, s = (size_t)(piv[i] - 1) * (size_t)k;
    if (r == s) continue;
    for (size_t j = 0; j < (size_t)k; j++) {
      double t = B[r + j];
      B[r + j] = B[s + j];
      B[s + j] = t;
    }
  }
}

// our L is Fortran's upper factor U = Lᵀ of A = Uᵀ U
mw_code mw_chol_factor(int n, double *A, mw_error *err)
{
  if (n <= 0) return MW_OK;
  if (!mw_lower_finite(n, A))
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "matrix of size %d for Cholesky has an entry that is not finite", n);
  int info = 0;
  dpotrf_("U", &n, A, &n, &info, 1);
  if (info != 0)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "matrix of size %d is not positive definite at pivot %d", n, info);
  return MW_OK;
}

// Xᵀ = Bᵀ U⁻¹ U⁻ᵀ
void mw_chol_solve(int n, const double *L, int k, double *B)
{
  if (n <= 0 || k <= 0) return;
  dtrsm_("R", "U", "N", "N", &k, &n, &one, L, &n, B, &k, 1, 1, 1, 1);
  dtrsm_("R", "U", "T", "N", &k, &n, &one, L, &n, B, &k, 1, 1, 1, 1);
}

mw_code mw_chol_pivoted(int n, double *A, double rtol, int *keep, int *rank, mw_error *err)
{
  *rank = 0;
  if (n <= 0) return MW_OK;
  if (!mw_lower_finite(n, A))
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "matrix of size %d for pivoted Cholesky has an entry that is not finite", n);
  size_t size = (size_t)n;
  double largest = 0.0;
  for (size_t i = 0; i < size; i++) largest = fmax(largest, fabs(A[i * size + i]));
  for (size_t i = 0; i < size; i++)
    if (A[i * size + i] < -rtol * largest)
      return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                     "matrix of size %d has the negative diagonal %g in row %zu", n,
                     A[i * size + i], i);
  for (int i = 0; i < n; i++) keep[i] = 0;
  if (largest == 0.0) return MW_OK;
  int *piv = malloc(size * sizeof *piv), info = 0, found = 0;
  double *work = malloc(2 * size * sizeof *work), tol = rtol * largest;
  if (!piv || !work) {
    free(piv);
    free(work);
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory for pivoted Cholesky of size %d",
                   n);
  }
  // info 1: rank deficient, which is what we ask about
  dpstrf_("U", &n, A, &n, piv, &found, &tol, work, &info, 1);
  for (int i = 0; i < found; i++) keep[piv[i] - 1] = 1;
  *rank = found;
  free(piv);
  free(work);
  return MW_OK;
}

// V −= q (q·V) for every row of V [n × k]; left [n]: their squares
static void deflate(int n, int k, const double *q, double *V, double *left)
{
  for (int i = 0; i < n; i++) {
    double *v = V + (size_t)i * (size_t)k;
    mw_axpy(k, -mw_dot(k, q, v), q, v);
    left[i] = mw_dot(k, v, v);
  }
}

int mw_span_choose(int n, int k, double *V, double tol, int most, double *left, double *Q)
{
  int rank = 0, worst = 0;
  for (int i = 0; i < n; i++)
    left[i] = mw_dot(k, V + (size_t)i * (size_t)k, V + (size_t)i * (size_t)k);
  for (; rank < most; rank++) {
    for (int i = 0; i < n; i++)
      if (left[i] > left[worst]) worst = i;
    if (!(n > 0 && left[worst] > tol * tol)) break;
    double *q = Q + (size_t)rank * (size_t)k, over = 1.0 / sqrt(left[worst]);
    for (int c = 0; c < k; c++) q[c] = over * V[(size_t)worst * (size_t)k + (size_t)c];
    deflate(n, k, q, V, left);
  }
  return rank;
}
