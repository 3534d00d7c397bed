// SPDX-License-Identifier: BSD-3-Clause
// swing_lost.c: what the columns leave out of frequencies where coordinates are free.
//
// Modes and patterns are those of the mechanism with θ held. Where coordinates are free it moves,
// without momentum along them, with
//   M_f = M − M ρ a⁻¹ ρᵀ M ,  a = ρᵀ M ρ ,  ρ its rigid motions for unit rates of them   (1)
// and so do its columns X (swing_free.c). Of K X, M_f X Ritz's λ_i; of one step of the iteration of
// subspaces from there (Bathe 1996, 11.6),
//   X' = K⁻¹ M_f X ,  X'ᵀ K X' = X'ᵀ M_f X   (2)
// λ'_i: what X has of modes above its own, of λ_o, is smaller by λ_i/λ_o, what λ_i errs by by the
// square of that. Frequencies err by
//   √(λ_i/λ'_i) − 1 ≥ 0   (3)
// but for that share. K without the stiffness of the weight.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "swing_priv.h"

typedef struct lost {
  const mw_swing_lost_in *in;
  int n, n_free;      // unknowns; coordinates that are free
  double *rho, *D;    // [n_free × n]  ρ and M ρ
  double *a;          // [n_free × n_free]  Cholesky factor of a
  double *F, *Y;      // [m × n]  M_f X and X'
  double *A, *B, *V;  // [m × m]
  mw_arena mem;
} lost;

static mw_code lost_init(lost *z, mw_error *err)
{
  const mw_reduction *r = z->in->r;
  size_t m = (size_t)z->in->m, n = (size_t)z->n, nf = 0;
  for (int i = 0; i < r->s; i++) nf += z->in->free >> i & 1u;
  z->n_free = (int)nf;
  z->rho = mw_arena_f64(&z->mem, nf * n);
  z->D = mw_arena_f64(&z->mem, nf * n);
  z->a = mw_arena_f64(&z->mem, nf * nf);
  z->F = mw_arena_f64(&z->mem, m * n);
  z->Y = mw_arena_f64(&z->mem, m * n);
  double **square[] = { &z->A, &z->B, &z->V };
  for (int i = 0; i < 3; i++) *square[i] = mw_arena_f64(&z->mem, m * m);
  mw_code rc = mw_arena_check(&z->mem, err);
  for (int i = 0, k = 0; rc == MW_OK && i < r->s; i++) {
    if (!(z->in->free >> i & 1u)) continue;
    double *rho = z->rho + (size_t)k * n;
    mw_system_rigid(z->in->sys, z->in->q->v + 6 * i * r->full->n_body, rho);
    mw_system_mul_M(z->in->sys, rho, z->D + (size_t)k++ * n);
  }
  for (size_t i = 0; rc == MW_OK && i < nf; i++)
    for (size_t j = 0; j < nf; j++) z->a[i * nf + j] = mw_dot(z->n, z->rho + i * n, z->D + j * n);
  return rc == MW_OK ? mw_chol_factor((int)nf, z->a, err) : rc;
}

// F := M_f X of (1)
static void moved(const lost *z, const double *X, double *F)
{
  size_t n = (size_t)z->n;
  for (size_t k = 0; k < (size_t)z->in->m; k++) {
    double u[MW_ROM_MAX_S];
    mw_system_mul_M(z->in->sys, X + k * n, F + k * n);
    for (size_t i = 0; i < (size_t)z->n_free; i++) u[i] = mw_dot(z->n, z->D + i * n, X + k * n);
    mw_chol_solve(z->n_free, z->a, 1, u);
    for (size_t i = 0; i < (size_t)z->n_free; i++) mw_axpy(z->n, -u[i], z->D + i * n, F + k * n);
  }
}

// G [m × m] := X Yᵀ, symmetric
static void products(const lost *z, const double *X, const double *Y, double *G)
{
  size_t m = (size_t)z->in->m, n = (size_t)z->n;
  for (size_t a = 0; a < m; a++)
    for (size_t b = 0; b <= a; b++)
      G[a * m + b] = G[b * m + a] =
          0.5 * (mw_dot(z->n, X + a * n, Y + b * n) + mw_dot(z->n, X + b * n, Y + a * n));
}

// lambda [m] of (2), and of X itself before
static mw_code ritz(lost *z, double *before, double *after, mw_error *err)
{
  const double *X = z->in->X;
  size_t n = (size_t)z->n;
  int m = z->in->m;
  for (size_t k = 0; k < (size_t)m; k++) mw_system_mul_K(z->in->sys, X + k * n, z->Y + k * n);
  products(z, X, z->Y, z->A);
  moved(z, X, z->F);
  products(z, X, z->F, z->B);
  mw_code rc = mw_eig_gen(m, z->A, z->B, before, z->V, err);
  if (rc == MW_OK) rc = mw_system_solve_many(z->in->sys, m, z->F, z->Y, err);
  if (rc != MW_OK) return rc;
  products(z, z->Y, z->F, z->A);
  moved(z, z->Y, z->F);
  products(z, z->Y, z->F, z->B);
  return mw_eig_gen(m, z->A, z->B, after, z->V, err);
}

mw_code mw_swing_lost(const mw_swing_lost_in *in, int k, double *shift, mw_error *err)
{
  lost z = { .in = in, .n = mw_blocks_size(mw_system_blocks(in->sys)) };
  mw_code rc = lost_init(&z, err);
  double *before = mw_arena_f64(&z.mem, (size_t)in->m),
         *after = mw_arena_f64(&z.mem, (size_t)in->m);
  if (rc == MW_OK) rc = mw_arena_check(&z.mem, err);
  if (rc == MW_OK) rc = ritz(&z, before, after, err);
  for (int i = 0; rc == MW_OK && i < k; i++)
    shift[i] = after[i] > 0.0 ? sqrt(fmax(before[i] / after[i], 1.0)) - 1.0 : 0.0;
  mw_arena_free(&z.mem);
  return rc;
}
