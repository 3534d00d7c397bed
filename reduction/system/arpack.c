// SPDX-License-Identifier: BSD-3-Clause
// arpack.c: eigenpairs of largest |ν| by ARPACK-NG: the certificate's own opinion on modes
// (sample.c).
//
//   OP = s P (K − σM)⁻¹ M ,   P = 1 − Σ_i x_i x_iᵀ M   over the known vectors x_i               (1)
//   OP x = s ν x ,   s = 2^k with s ν of order one                                              (2)
//
// (2) because ARPACK holds a Ritz value θ for converged when its residual is below
// tol · max(ε^(2/3), |θ|): eigenvalues ν of a mechanism in SI units lie below ε^(2/3) from some
// 26 kHz on. A power of two changes no bit of anything else.
//
// What ARPACK does not tell: one vector sees one of several equal modes, unless rounding shows it
// the others; info is 0 all the same. On the complement of the known vectors (1) the others come
// out: the caller counts by inertia and searches again.
// Where its basis becomes an invariant space it goes on with random vectors, from a generator that
// lives as long as the process. Such a run is not used: its bits would depend on what came before.
// Its variables are static (SAVE): one run at a time in a process.
// Cost: solves and products with M of one vector, some two to three a pair; O(n ncv) each beside;
// memory n (2 want + 10). Lehoucq, Sorensen, Yang, ARPACK Users' Guide, SIAM 1998.
#include "arpack_layer.h"
#include "base/random.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
// clang-format off
#include <arpack/arpack.h>
#include <arpack/stat_c.h>
// clang-format on

#include "base/dense.h"
#include "sample/sample_layer.h"

enum { RESTARTS = 300, EXTRA = 10, LEAST = 4 };
// Residual of a Ritz value over it. Frequencies err by its square over the gap, shapes by it over
// the gap: with 1e-10 those of a body of 5,112 unknowns stay within 2e-15 of the ones with 1e-13
// and ten vectors more, which take a solve in eight more.
static const double TOL = 1e-10;

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;  // of ARPACK's static variables

const char *mw_arpack_version(void) { return MW_ARPACK_VERSION; }

typedef struct krylov {
  const mw_operator *op;
  const mw_arpack_in *in;
  double scale;  // s
  int nev, ncv, lworkl;
  int *select;    // [ncv]
  double *MX;     // [n_known × n]  M times the known vectors
  double *resid;  // [n]
  double *V;      // [ncv × n]
  double *workd;  // [3 × n]
  double *workl;  // [lworkl]
  double *d;      // [ncv]
  double *work;   // [2 × n]
  int iparam[11], ipntr[14];
  mw_arena mem;
} krylov;

static mw_code init(krylov *z, mw_error *err)
{
  size_t n = (size_t)z->op->n, p = (size_t)z->ncv, known = (size_t)z->in->n_known;
  z->lworkl = z->ncv * (z->ncv + 8);
  z->select = mw_arena_int(&z->mem, p);
  z->MX = mw_arena_f64(&z->mem, known * n);
  z->resid = mw_arena_f64(&z->mem, n);
  z->V = mw_arena_f64(&z->mem, p * n);
  z->workd = mw_arena_f64(&z->mem, 3 * n);
  z->workl = mw_arena_f64(&z->mem, (size_t)z->lworkl);
  z->d = mw_arena_f64(&z->mem, p);
  z->work = mw_arena_f64(&z->mem, 2 * n);
  mw_code rc = mw_arena_check(&z->mem, err);
  for (size_t i = 0; rc == MW_OK && i < known; i++)
    z->op->mul_M(z->op->ctx, 1, z->in->X + i * n, z->MX + i * n, z->work);
  z->iparam[0] = 1;         // exact shifts
  z->iparam[2] = RESTARTS;  // at most
  z->iparam[6] = 3;         // shift-invert
  return rc;
}

// w := P w, twice against rounding
static void project(const krylov *z, double *w)
{
  int n = z->op->n;
  for (int twice = 0; twice < 2; twice++)
    for (int i = 0; i < z->in->n_known; i++) {
      size_t o = (size_t)i * (size_t)n;
      mw_axpy(n, -mw_dot(n, z->MX + o, w), z->in->X + o, w);
    }
}

// y := OP x of (1) from Mx; y may be Mx
static mw_code apply(const krylov *z, const double *Mx, double *y, mw_error *err)
{
  mw_code rc = z->op->solve(z->op->ctx, 1, Mx, y, err);
  if (rc != MW_OK) return rc;
  project(z, y);
  for (int i = 0; i < z->op->n; i++) y[i] *= z->scale;
  return MW_OK;
}

// Start vector OP r, r fixed pseudo-random numbers, and s of (2) from what OP makes of it.
static mw_code start(krylov *z, mw_error *err)
{
  int n = z->op->n, k = 0;
  double *Mx = z->work, *spare = z->workd;
  uint64_t state = (uint64_t)z->in->round + 1;
  for (int i = 0; i < n; i++) z->resid[i] = mw_random_unit(&state) - 0.5;
  z->scale = 1.0;
  z->op->mul_M(z->op->ctx, 1, z->resid, Mx, spare);
  mw_code rc = apply(z, Mx, z->resid, err);
  if (rc != MW_OK) return rc;
  z->op->mul_M(z->op->ctx, 1, z->resid, Mx, spare);
  double before = mw_dot(n, z->resid, Mx);
  rc = apply(z, Mx, z->V, err);
  if (rc != MW_OK) return rc;
  double ratio = mw_dot(n, z->V, Mx) / before;  // a Rayleigh quotient of OP
  if (!isfinite(ratio) || ratio == 0.0)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "ARPACK finds nothing that moves");
  (void)frexp(ratio, &k);
  z->scale = ldexp(1.0, -k);
  return MW_OK;
}

// Reverse communication until ARPACK is content: info of dsaupd.
static mw_code iterate(krylov *z, int *info, mw_error *err)
{
  enum { FIRST = -1, APPLY = 1, MASS = 2 };
  int n = z->op->n, ido = 0;
  mw_code rc = MW_OK;
  *info = 1;  // resid holds the start vector
  while (rc == MW_OK) {
    dsaupd_c(&ido, "G", n, "LM", z->nev, TOL, z->resid, z->ncv, z->V, n, z->iparam, z->ipntr,
             z->workd, z->workl, z->lworkl, info);
    double *x = z->workd + z->ipntr[0] - 1, *y = z->workd + z->ipntr[1] - 1;
    if (ido == MASS || ido == FIRST) z->op->mul_M(z->op->ctx, 1, x, y, z->work);
    if (ido == FIRST) rc = apply(z, y, y, err);
    if (ido == APPLY) rc = apply(z, z->workd + z->ipntr[2] - 1, y, err);
    if (ido != MASS && ido != FIRST && ido != APPLY) break;
  }
  return rc;
}

// Vectors that ARPACK had to begin anew with, in the run just made.
static int restarted(void)
{
  int n[5] = { 0 };
  float t[26];
  stat_c(&n[0], &n[1], &n[2], &n[3], &n[4], t, t + 1, t + 2, t + 3, t + 4, t + 5, t + 6, t + 7,
         t + 8, t + 9, t + 10, t + 11, t + 12, t + 13, t + 14, t + 15, t + 16, t + 17, t + 18,
         t + 19, t + 20, t + 21, t + 22, t + 23, t + 24, t + 25);
  return n[4];
}

// V [n_conv × n] and d [n_conv] := the converged pairs, d = 1/(s ν)
static mw_code extract(krylov *z, int *n_conv, mw_error *err)
{
  int n = z->op->n, info = 0;
  dseupd_c(1, "A", z->select, z->d, z->V, n, 0.0, "G", n, "LM", z->nev, TOL, z->resid, z->ncv, z->V,
           n, z->iparam, z->ipntr, z->workd, z->workl, z->lworkl, &info);
  *n_conv = z->iparam[4] < z->nev ? z->iparam[4] : z->nev;
  if (info == 0 && *n_conv > 0) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "ARPACK gives no modes (dseupd: %d)", info);
}

static mw_code run(krylov *z, int *n_conv, mw_arpack_end *end, mw_error *err)
{
  int info = 0;
  mw_code rc = iterate(z, &info, err);
  if (rc == MW_OK && restarted() > 0) {
    *end = MW_ARPACK_EXHAUSTED;
    return MW_OK;
  }
  // 1: some pairs did not converge, the others are good
  if (rc == MW_OK && info != 0 && info != 1)
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "ARPACK failed (dsaupd: %d)", info);
  return rc == MW_OK ? extract(z, n_conv, err) : rc;
}

// The pairs found, out of ARPACK's arrays, by descending |ν|: ascending |d|.
static mw_code hand_over(const krylov *z, int n, mw_arena *mem, double **nu, double **X,
                         mw_error *err)
{
  size_t N = (size_t)z->op->n;
  *nu = mw_arena_f64(mem, (size_t)n);
  *X = mw_arena_f64(mem, (size_t)n * N);
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    int at = 0;
    for (int j = 0; j < n; j++) {
      bool before = fabs(z->d[j]) < fabs(z->d[i]);
      at += before || (j < i && fabs(z->d[j]) == fabs(z->d[i]));
    }
    (*nu)[at] = 1.0 / (z->d[i] * z->scale);
    memcpy(*X + (size_t)at * N, z->V + (size_t)i * N, N * sizeof **X);
    project(z, *X + (size_t)at * N);
  }
  return rc;
}

mw_code mw_arpack(const mw_operator *op, const mw_arpack_in *in, mw_arena *mem, int *found,
                  double **nu, double **X, mw_arpack_end *end, mw_error *err)
{
  int room = in->dim - in->n_known;
  krylov z = { .op = op, .in = in, .nev = in->want };
  z.ncv = 2 * z.nev + (1 + in->round) * EXTRA;
  if (z.ncv > room) z.ncv = room;
  *found = 0;
  *end = z.ncv < z.nev + LEAST ? MW_ARPACK_TOO_FEW : MW_ARPACK_DONE;
  if (*end != MW_ARPACK_DONE) return MW_OK;
  mw_code rc = init(&z, err);
  if (rc == MW_OK) rc = start(&z, err);
  pthread_mutex_lock(&turn);
  if (rc == MW_OK) rc = run(&z, found, end, err);
  pthread_mutex_unlock(&turn);
  if (rc == MW_OK && *end == MW_ARPACK_DONE) rc = hand_over(&z, *found, mem, nu, X, err);
  mw_arena_free(&z.mem);
  return rc;
}
