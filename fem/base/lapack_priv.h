// SPDX-License-Identifier: BSD-3-Clause
// lapack_priv.h: the Fortran routines dense.c and dense_eig.c call, and helpers they share.
//
// Fortran sees a row-major A as its transpose. A character argument brings its length, a size_t, at
// the end of the list; OpenBLAS ignores it, LAPACK compiled by gfortran expects it.
#ifndef MW_BASE_LAPACK_PRIV_H
#define MW_BASE_LAPACK_PRIV_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t, size_t);
void dtrsv_(const char *uplo, const char *trans, const char *diag, const int *n, const double *a,
            const int *lda, double *x, const int *incx, size_t, size_t, size_t);
void dtrsm_(const char *side, const char *uplo, const char *transa, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb, size_t, size_t, size_t, size_t);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dpstrf_(const char *uplo, const int *n, double *a, const int *lda, int *piv, int *rank,
             const double *tol, double *work, int *info, size_t);
void dsytrf_(const char *uplo, const int *n, double *a, const int *lda, int *ipiv, double *work,
             const int *lwork, int *info, size_t);
void dsytrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, size_t);
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t,
             size_t);
void dsygvd_(const int *itype, const char *jobz, const char *uplo, const int *n, double *a,
             const int *lda, double *b, const int *ldb, double *w, double *work, const int *lwork,
             int *iwork, const int *liwork, int *info, size_t, size_t);
void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda,
            double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr,
            double *work, const int *lwork, int *info, size_t, size_t);
void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork,
             int *iwork, int *info, size_t);
void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a,
             const int *lda, double *s, double *u, const int *ldu, double *vt, const int *ldvt,
             double *work, const int *lwork, int *info, size_t, size_t);

// All n entries finite: LAPACK may loop for ever or say nothing when one is not.
static inline bool mw_all_finite(size_t n, const double *x)
{
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

// The same for the lower triangle of a row-major square matrix.
static inline bool mw_lower_finite(int n, const double *A)
{
  for (int i = 0; i < n; i++)
    if (!mw_all_finite((size_t)i + 1, A + (size_t)i * (size_t)n)) return false;
  return true;
}

#endif
