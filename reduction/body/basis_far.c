// SPDX-License-Identifier: BSD-3-Clause
// basis_far.c: what the body stage asks of a body too large for one process: solves, modes and
// counts by modeway-eigen.
//
//   X = S⁻¹ F ,  S = K + six springs           a run without modes: loads once,
//       and once an order of dynamic patterns      (1)
//   K φ = λ M φ , λ < top                      n = neg(K − top M), a run; the n nearest to σ = 0,
//       free bodies σ < 0      (2)
//
// Every run factors anew on all processes: five to seven factorizations a basis, where one process
// needs two and keeps one of them. What stays in this process: products with M, Gram matrices, T:
// memory [(n_load + 2 r) × n_u]. The certificate's samples factor the body in one process still
// (offline.c).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "basis_priv.h"
#include "fem/eigen.h"

enum { LEAST = 2000 };              // unknowns that are worth other processes
static const double BELOW = -0.05;  // σ of free bodies, over top: apart from their zeros

struct basis_far {
  mw_eigen_opt opt;
  mw_csc S, PT;    // [n × n] K and its springs; [n × n_z]
  double RMR[36];  // lower Cholesky factor of Rᵀ M R
  mw_arena mem;
};

mw_code basis_far_init(stage *z, mw_error *err)
{
  mw_eigen_opt opt;
  mw_code rc = mw_eigen_opt_read(&opt, err);
  if (rc != MW_OK || opt.ranks == 0 || z->n < LEAST) return rc;
  z->far = calloc(1, sizeof *z->far);
  if (!z->far) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for body %s", z->b->name);
  z->far->opt = opt;
  return MW_OK;
}

void basis_far_free(stage *z)
{
  if (z->far) mw_arena_free(&z->far->mem);
  free(z->far);
  z->far = NULL;
}

mw_code basis_far_start(stage *z, mw_error *err)
{
  struct basis_far *f = z->far;
  const mw_body *b = z->b;
  mw_block grounds = { 0 };
  mw_code rc = MW_OK;
  if (!b->ground) rc = mw_block_rigid_gram(b, f->RMR, err);
  if (rc == MW_OK && !b->ground) rc = mw_block_ground(b, &grounds, err);
  if (rc == MW_OK) rc = mw_block_shifted(b, &grounds, 0.0, &f->mem, &f->S, err);
  if (rc == MW_OK) rc = mw_csc_transpose(&b->P, &f->mem, &f->PT, err);
  z->PT = &f->PT;
  z->RMR = f->RMR;
  return rc;
}

mw_code basis_far_solve(stage *z, int k, double *X, mw_error *err)
{
  mw_eigen_job job = { .K = &z->far->S, .M = &z->b->M, .k = k, .B = X };
  mw_eigen_result res = { .Y = X };
  return k > 0 ? mw_eigen_run(&job, &z->far->opt, &res, err) : MW_OK;
}

mw_code basis_far_count(const stage *z, double sigma, int *count, mw_error *err)
{
  return mw_eigen_count_below(&z->b->K, &z->b->M, sigma, &z->far->opt, count, err);
}

mw_code basis_far_modes(stage *z, double top, mw_error *err)
{
  size_t n = (size_t)z->n, nr = (size_t)z->n_rigid;
  int all = 0;
  mw_arena_free(&z->modes);
  z->lambda = z->Phi = NULL;
  z->n_mode = 0;
  mw_code rc = basis_far_count(z, top, &all, err);
  if (rc != MW_OK || all <= z->n_rigid) return rc;
  mw_arena tmp = { 0 };
  mw_eigen_job job = {
    .K = &z->b->K, .M = &z->b->M, .sigma = z->n_rigid > 0 ? BELOW * top : 0.0, .n_modes = all
  };
  mw_eigen_result res = { .lambda = mw_arena_f64(&tmp, (size_t)all),
                          .X = mw_arena_f64(&tmp, (size_t)all * n) };
  size_t found = (size_t)all - nr;
  z->lambda = mw_arena_f64(&z->modes, found);
  z->Phi = mw_arena_f64(&z->modes, found * n);
  rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(&z->modes, err);
  if (rc == MW_OK) rc = mw_eigen_run(&job, &z->far->opt, &res, err);
  if (rc == MW_OK && res.lambda[all - 1] > top)
    rc = mw_fail(err, MW_ERR_NUMERIC, z->b->at, "body %s: modes below %.4g Hz are missing",
                 z->b->name, sqrt(top) / (2.0 * acos(-1.0)));
  if (rc == MW_OK) {
    memcpy(z->lambda, res.lambda + nr, found * sizeof *z->lambda);
    memcpy(z->Phi, res.X + nr * n, found * n * sizeof *z->Phi);
    z->n_mode = (int)found;
  }
  mw_arena_free(&tmp);
  return rc;
}
