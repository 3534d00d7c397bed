// SPDX-License-Identifier: BSD-3-Clause
// second_stress.c: stress stiffness of the bodies, projected: Kg += Ψᵀ K_σ(σ(P_f)) Ψ, at a cost that knows no mesh.
//
//   K_σ is linear in the displacement its stress is from: a tensor of third order, K_σ(Σ c_p P_p) = Σ c_p K_σ(P_p).
//   X D_xᵀ, P D_pᵀ: elastic parts of columns and of the P_f of all grid points, in directions U of their Gram matrices    (1)
//     Σ_g W ζζᵀ W / energy = U diag(ν) Uᵀ ,  W = K^½ of the body's eigenbasis ,  D = Uᵀ W ,  lifted: T W⁻¹ U
//   G_p = U_xᵀ K_σ(T W⁻¹ u_p) U_x                on the mesh, once a body, for every direction of stress                 (2)
//   Kg[f] += Ξ (Σ_p c_p G_p) Ξᵀ ,  c = D_p P_f ,  Ξ = D_x Ψ      at a grid point                                         (3)
// Each column counts by the share of its strain energy that the body has, each load's P_f likewise against the largest on the
// grid: directions below SHARE² of it are left out, a relative error of SHARE of that column's stiffness.
// With strain: linear bodies have no stress stiffness in the full path, and none here: the same motion to second order.
// T is in single precision, good to 1e-7 of what is second order itself. Cost: (2) p passes over the mesh with x vectors.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/strain.h"
#include "second_priv.h"

static const double SHARE = 1e-5;   // of a column's amplitude in energy
static const double ROUND = 1e-14;  // of the largest eigenvalue of a Gram matrix

mw_code mw_stress_init(const mw_reduction *r, const mw_second *z, mw_stress *out, mw_error *err)
{
  const mw_mech *m = r->mech;
  *out = (mw_stress){ .r = r, .n_load = z->n_load };
  size_t nl = (size_t)z->n_load, nb = (size_t)m->n_body;
  out->body = mw_arena_alloc(&out->mem, nb, sizeof *out->body);
  out->energy = mw_arena_f64(&out->mem, nl);
  mw_code rc = mw_arena_check(&out->mem, err);
  for (size_t b = 0; rc == MW_OK && b < nb; b++) {
    mw_stress_body *s = &out->body[b];
    size_t n = (size_t)m->body[b].n_u;
    if (n == 0 || r->model->strain_linear || !mw_body_has_stress(&r->full->body[b])) continue;
    s->n = (int)n;
    s->w = mw_arena_f64(&out->mem, n);
    s->Gx = mw_arena_f64(&out->mem, n * n);
    s->Gp = mw_arena_f64(&out->mem, nl * n * n);
    rc = mw_arena_check(&out->mem, err);
    const mw_csc *K = &m->body[b].K;
    // rigid modes come first in a basis: nothing of them, whatever rounding leaves of their eigenvalues
    size_t first = (size_t)r->offline->fine.basis[b].n_rigid;
    for (size_t i = first; rc == MW_OK && i < n; i++) s->w[i] = sqrt(fmax(K->val[K->ptr[i]], 0.0));
  }
  if (rc != MW_OK) mw_stress_free(out);
  return rc;
}

void mw_stress_free(mw_stress *s)
{
  mw_arena_free(&s->mem);
  *s = (mw_stress){ 0 };
}

static double energy(const mw_reduction *r, const mw_system *sys, const double *x, double *Kx)
{
  mw_system_mul_K(sys, x, Kx);
  return mw_dot(r->n, x, Kx);
}

// G [n × n] += a W x xᵀ W, lower triangle
static void add_gram(const mw_stress_body *s, double a, const double *x, double *G)
{
  for (int i = 0; i < s->n; i++) {
    double c = a * s->w[i] * x[i];
    for (int j = 0; c != 0.0 && j <= i; j++) G[i * s->n + j] += c * s->w[j] * x[j];
  }
}

void mw_stress_gather(mw_stress *st, mw_second *z, const mw_system *sys, const double *Psi)
{
  const mw_reduction *r = st->r;
  for (int a = 0; a < z->m; a++) {
    const double *x = Psi + (size_t)a * (size_t)z->n;
    double e = energy(r, sys, x, z->tmp);
    for (int b = 0; b < r->mech->n_body; b++) {
      mw_stress_body *s = &st->body[b];
      if (s->n > 0 && e > 0.0) add_gram(s, 1.0 / e, x + mw_blocks_offset(r->blocks, b), s->Gx);
    }
  }
  for (int k = 0; k < z->n_load; k++) {
    const double *x = z->P + (size_t)k * (size_t)z->n;
    st->energy[k] = fmax(st->energy[k], energy(r, sys, x, z->tmp));
    for (int b = 0; b < r->mech->n_body; b++) {
      mw_stress_body *s = &st->body[b];
      size_t nn = (size_t)s->n * (size_t)s->n;
      if (s->n > 0) add_gram(s, 1.0, x + mw_blocks_offset(r->blocks, b), s->Gp + (size_t)k * nn);
    }
  }
}

// Directions of a Gram matrix G [n × n] (lower triangle, destroyed): D [k × n] and lifted rows W⁻¹ u as L [k × n]
static mw_code directions(const mw_stress_body *s, double *G, mw_arena *mem, int *k, double **D,
                          double **L, mw_error *err)
{
  size_t n = (size_t)s->n;
  mw_arena tmp = { 0 };
  double *lambda = mw_arena_f64(&tmp, n), *V = mw_arena_f64(&tmp, n * n);
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) G[j * n + i] = G[i * n + j];
  if (rc == MW_OK) rc = mw_eig_sym(s->n, G, lambda, V, err);
  double least = rc == MW_OK ? fmax(SHARE * SHARE, ROUND * lambda[n - 1]) : 0.0;
  *k = 0;
  while (rc == MW_OK && *k < s->n && lambda[n - 1 - (size_t)*k] > least) ++*k;
  *D = mw_arena_f64(mem, (size_t)*k * n);
  *L = mw_arena_f64(mem, (size_t)*k * n);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  for (size_t d = 0; rc == MW_OK && d < (size_t)*k; d++)
    for (size_t i = 0; i < n; i++) {
      double v = V[i * n + n - 1 - d];
      (*D)[d * n + i] = v * s->w[i];
      (*L)[d * n + i] = s->w[i] > 0.0 ? v / s->w[i] : 0.0;
    }
  mw_arena_free(&tmp);
  return rc;
}

// U [k × n_u] := L T
static void lift(const mw_basis *T, int k, const double *L, double *U)
{
  size_t nu = (size_t)T->n_u;
  memset(U, 0, (size_t)k * nu * sizeof *U);
  for (size_t d = 0; d < (size_t)k; d++)
    for (size_t c = 0; c < (size_t)T->r; c++) {
      double x = L[d * (size_t)T->r + c];
      const float *t = T->T + c * nu;
      for (size_t i = 0; x != 0.0 && i < nu; i++) U[d * nu + i] += x * (double)t[i];
    }
}

// (2)
static mw_code tensor(mw_stress *st, int b, const double *Lx, const double *Lp, mw_error *err)
{
  mw_stress_body *s = &st->body[b];
  const mw_basis *T = &st->r->offline->fine.basis[b];
  mw_arena tmp = { 0 };
  size_t nu = (size_t)T->n_u, kx = (size_t)s->kx;
  double *U = mw_arena_f64(&tmp, kx * nu), *u = mw_arena_f64(&tmp, nu);
  s->G = mw_arena_f64(&st->mem, (size_t)s->kp * kx * kx);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(&st->mem, err);
  if (rc == MW_OK) lift(T, s->kx, Lx, U);
  for (size_t p = 0; rc == MW_OK && p < (size_t)s->kp; p++) {
    lift(T, 1, Lp + p * (size_t)s->n, u);
    rc = mw_body_stress_stiffness(&st->r->full->body[b], u, s->kx, U, s->G + p * kx * kx, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_stress_build(mw_stress *st, mw_error *err)
{
  const mw_reduction *r = st->r;
  mw_code rc = mw_offline_shapes(r->offline, &r->offline->fine, err);
  for (int b = 0; rc == MW_OK && b < r->mech->n_body; b++) {
    mw_stress_body *s = &st->body[b];
    if (s->n == 0) continue;
    size_t nn = (size_t)s->n * (size_t)s->n;
    double *Lx = NULL, *Lp = NULL;
    for (int k = 1; k < st->n_load; k++) {  // all loads into the first one's place
      double scale = st->energy[k] > 0.0 ? 1.0 / st->energy[k] : 0.0;
      double first = k == 1 ? st->energy[0] > 0.0 ? 1.0 / st->energy[0] : 0.0 : 1.0;
      for (size_t i = 0; i < nn; i++)
        s->Gp[i] = first * s->Gp[i] + scale * s->Gp[(size_t)k * nn + i];
    }
    rc = directions(s, s->Gx, &st->mem, &s->kx, &s->Dx, &Lx, err);
    if (rc == MW_OK) rc = directions(s, s->Gp, &st->mem, &s->kp, &s->Dp, &Lp, err);
    if (rc == MW_OK && s->kx > 0 && s->kp > 0) rc = tensor(st, b, Lx, Lp, err);
  }
  return rc;
}

// (3) of one body
static mw_code add_body(const mw_stress *st, int b, mw_second *z, const double *Psi, mw_error *err)
{
  const mw_stress_body *s = &st->body[b];
  mw_arena tmp = { 0 };
  size_t n = (size_t)z->n, m = (size_t)z->m, nl = (size_t)z->n_load, kx = (size_t)s->kx,
         kp = (size_t)s->kp, nb = (size_t)s->n, o = (size_t)mw_blocks_offset(z->blocks, b);
  size_t most = m > nl ? m : nl;
  double *part = mw_arena_f64(&tmp, most * nb), *Xi = mw_arena_f64(&tmp, m * kx),
         *c = mw_arena_f64(&tmp, nl * kp), *S = mw_arena_f64(&tmp, nl * kx * kx),
         *XS = mw_arena_f64(&tmp, m * kx);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    for (size_t a = 0; a < m; a++) memcpy(part + a * nb, Psi + a * n + o, nb * sizeof *part);
    mw_gemm('n', 't', z->m, s->kx, s->n, 1.0, part, s->Dx, 0.0, Xi);
    for (size_t k = 0; k < nl; k++) memcpy(part + k * nb, z->P + k * n + o, nb * sizeof *part);
    mw_gemm('n', 't', z->n_load, s->kp, s->n, 1.0, part, s->Dp, 0.0, c);
    mw_gemm('n', 'n', z->n_load, (int)(kx * kx), s->kp, 1.0, c, s->G, 0.0, S);
  }
  for (size_t k = 0; rc == MW_OK && k < nl; k++) {
    mw_gemm('n', 'n', z->m, s->kx, s->kx, 1.0, Xi, S + k * kx * kx, 0.0, XS);
    mw_gemm('n', 't', z->m, z->m, s->kx, 1.0, XS, Xi, 1.0, z->Kg + k * m * m);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_stress_add(const mw_stress *st, mw_second *z, const double *Psi, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int b = 0; rc == MW_OK && b < st->r->mech->n_body; b++)
    if (st->body[b].kx > 0 && st->body[b].kp > 0) rc = add_body(st, b, z, Psi, err);
  return rc;
}
