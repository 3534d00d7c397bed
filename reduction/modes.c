// SPDX-License-Identifier: BSD-3-Clause
// modes.c: constrained eigenmodes of the mechanism at one configuration by ARPACK, shift-invert on the block solver.
//
//   (K − σM)⁻¹ M x = ν x on the constrained space,  λ = σ + 1/ν                                                  (1)
//
// Lehoucq, Sorensen, Yang, ARPACK Users' Guide (1998), mode 3 of dsaupd: OP = inv(K − σM) M, B = M. The start vector is
// OP applied to a fixed pseudo-random vector, so that it satisfies the joints and two runs give the same bits.
// ARPACK may miss one of several equal eigenvalues: callers prove completeness by mw_system_count_below.
#include <arpack/arpack.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "system_priv.h"

typedef struct lanczos {
  int n, nev, ncv, lworkl;
  double *resid, *V, *workd, *workl, *D, *Mx;
  int *select;
  mw_arena mem;
} lanczos;

static mw_code lanczos_init(int n, int nev, lanczos *z, mw_error *err)
{
  *z = (lanczos){ .n = n, .nev = nev };
  z->ncv = 2 * nev + 12 < n ? 2 * nev + 12 : n;
  z->lworkl = z->ncv * (z->ncv + 8);
  z->resid = mw_arena_f64(&z->mem, (size_t)n);
  z->V = mw_arena_f64(&z->mem, (size_t)n * (size_t)z->ncv);
  z->workd = mw_arena_f64(&z->mem, 3 * (size_t)n);
  z->workl = mw_arena_f64(&z->mem, (size_t)z->lworkl);
  z->D = mw_arena_f64(&z->mem, (size_t)z->ncv);
  z->Mx = mw_arena_f64(&z->mem, (size_t)n);
  z->select = mw_arena_int(&z->mem, (size_t)z->ncv);
  return mw_arena_check(&z->mem, err);
}

// A fixed pseudo-random vector (Park and Miller's generator), mapped into the constrained space.
static mw_code start_vector(mw_system *sys, lanczos *z, mw_error *err)
{
  unsigned long long seed = 20091;
  for (int i = 0; i < z->n; i++) {
    seed = seed * 16807 % 2147483647;
    z->Mx[i] = (double)seed / 2147483647.0 - 0.5;
  }
  mw_system_mul_M(sys, z->Mx, z->resid);
  return mw_system_solve(sys, z->resid, z->resid, err);
}

static mw_code iterate(mw_system *sys, lanczos *z, int iparam[11], int ipntr[14], mw_error *err)
{
  int ido = 0, info = 1;
  for (;;) {
    dsaupd_c(&ido, "G", z->n, "LM", z->nev, 0.0, z->resid, z->ncv, z->V, z->n, iparam, ipntr,
             z->workd, z->workl, z->lworkl, &info);
    double *x = z->workd + ipntr[0] - 1, *y = z->workd + ipntr[1] - 1;
    mw_code rc = MW_OK;
    if (ido == -1) {
      mw_system_mul_M(sys, x, z->Mx);
      rc = mw_system_solve(sys, z->Mx, y, err);
    } else if (ido == 1) {
      rc = mw_system_solve(sys, z->workd + ipntr[2] - 1, y, err);
    } else if (ido == 2) {
      mw_system_mul_M(sys, x, y);
    } else {
      break;
    }
    if (rc != MW_OK) return rc;
  }
  if (info != 0)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "ARPACK found %d of %d modes (dsaupd info %d)",
                   iparam[4], z->nev, info);
  return MW_OK;
}

// Ascending order; rows of X M-normalised with the largest entry positive.
static void sort_modes(const mw_system *sys, int n, int k, double *lambda, double *X, double *Mx)
{
  for (int i = 1; i < k; i++)
    for (int j = i; j > 0 && lambda[j] < lambda[j - 1]; j--) {
      double t = lambda[j];
      lambda[j] = lambda[j - 1];
      lambda[j - 1] = t;
      double *a = X + (size_t)j * (size_t)n, *b = a - n;
      for (int l = 0; l < n; l++) {
        t = a[l];
        a[l] = b[l];
        b[l] = t;
      }
    }
  for (int i = 0; i < k; i++) {
    double *x = X + (size_t)i * (size_t)n, big = 0.0;
    mw_system_mul_M(sys, x, Mx);
    double norm = sqrt(mw_dot(n, x, Mx));
    for (int l = 0; l < n; l++)
      if (fabs(x[l]) > fabs(big) * (1.0 + 1e-6)) big = x[l];
    for (int l = 0; l < n; l++) x[l] /= big < 0.0 ? -norm : norm;
  }
}

mw_code mw_system_modes(mw_system *sys, int n_modes, double *lambda, double *X, mw_error *err)
{
  enum { RESTARTS = 300 };
  int n = sys->bl->n;
  lanczos z;
  if (n_modes >= n)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "%d modes asked for, the mechanism has %d unknowns", n_modes, n);
  mw_code rc = lanczos_init(n, n_modes, &z, err);
  int iparam[11] = { 1, 0, RESTARTS, 1, 0, 0, 3 }, ipntr[14] = { 0 }, info = 0;
  if (rc == MW_OK) rc = start_vector(sys, &z, err);
  if (rc == MW_OK) rc = iterate(sys, &z, iparam, ipntr, err);
  if (rc == MW_OK) {
    dseupd_c(1, "A", z.select, z.D, z.V, n, sys->bl->sigma, "G", n, "LM", n_modes, 0.0, z.resid,
             z.ncv, z.V, n, iparam, ipntr, z.workd, z.workl, z.lworkl, &info);
    if (info != 0)
      rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "ARPACK gave no modes (dseupd info %d)", info);
  }
  if (rc == MW_OK) {
    memcpy(lambda, z.D, (size_t)n_modes * sizeof *lambda);
    memcpy(X, z.V, (size_t)n * (size_t)n_modes * sizeof *X);
    sort_modes(sys, n, n_modes, lambda, X, z.Mx);
  }
  mw_arena_free(&z.mem);
  return rc;
}
