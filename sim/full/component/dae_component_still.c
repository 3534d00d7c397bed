// SPDX-License-Identifier: BSD-3-Clause
// dae_component_still.c: components while a static equilibrium is sought.
//
//   ways x of the inside at rest (fem/component_linear.h), σ: pseudo-mass of dae_static.c:
//   (K + σ M) Δx = N f + M pick a_c          a_c: accelerations left by all that acts inside   (1)
//   u = Nᵀ Δx = S f + S_M a_c                                                                  (2)
// in place of D Q/β' and of the free motion of dae_component.c. Newton's matrix is that of the
// state at which it begins; what geometry changes is left to iterations.
// Cost: that of component_linear.c, once.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "full/dae_layer.h"

static double shift_of(const mw_dae *d, const mw_dae_component *c)
{
  return d->block[c->first].beta;
}

// S, S_M of (2) from the ways, by the eigenvectors V of K V = M V diag(ω²): ω² < 0, which a loaded
// spring's K has where what is outside holds it, would make rows seem redundant; it counts as 0.
static mw_code build(const mw_dae *d, mw_dae_component *c, const mw_component_linear *l,
                     mw_arena *tmp, mw_error *err)
{
  const mw_component_ways *w = &l->way;
  size_t f = (size_t)w->f, n = (size_t)w->n;
  double *K = mw_arena_f64(tmp, f * f), *M = mw_arena_f64(tmp, f * f), *w2 = mw_arena_f64(tmp, f),
         *V = mw_arena_f64(tmp, f * f), *X = mw_arena_f64(tmp, f * n),
         *Y = mw_arena_f64(tmp, f * n), *Z = mw_arena_f64(tmp, f * n);
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK || f == 0) return rc;
  memcpy(K, l->K, f * f * sizeof *K);
  memcpy(M, l->M, f * f * sizeof *M);
  rc = mw_eig_gen(w->f, K, M, w2, V, err);
  if (rc != MW_OK) return rc;
  mw_gemm('t', 'n', w->f, w->n, w->f, 1.0, V, w->N, 0.0, X);
  mw_gemm('n', 'n', w->f, w->n, w->f, 1.0, l->M, w->pick, 0.0, Y);
  mw_gemm('t', 'n', w->f, w->n, w->f, 1.0, V, Y, 0.0, Z);
  for (size_t i = 0; i < f; i++)
    for (size_t j = 0; j < n; j++)
      Y[i * n + j] = X[i * n + j] / (fmax(w2[i], 0.0) + shift_of(d, c));
  mw_gemm('t', 'n', w->n, w->n, w->f, 1.0, X, Y, 0.0, c->S);
  mw_gemm('t', 'n', w->n, w->n, w->f, 1.0, Y, Z, 0.0, c->SM);
  return MW_OK;
}

mw_code mw_dae_components_still(mw_dae *d, mw_arena *mem, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < d->n_component; k++) {
    mw_dae_component *c = &d->component[k];
    mw_arena tmp = { 0 };
    mw_component_linear l;
    size_t n = 6 * (size_t)c->n;
    double *p = mw_arena_f64(&tmp, 2 * n), *S = c->S ? c->S : mw_arena_f64(mem, n * n),
           *SM = c->S ? c->SM : mw_arena_f64(mem, n * n);
    rc = mw_arena_check(&tmp, err);
    if (rc == MW_OK) rc = mw_arena_check(mem, err);
    for (int b = 0; rc == MW_OK && b < c->n; b++)
      memcpy(p + 12 * b, mw_dae_frame(d, d->q, c->first + b), 12 * sizeof *p);
    if (rc == MW_OK) rc = mw_component_linear_find(c->in, d->size, p, &tmp, &l, err);
    if (rc == MW_OK) {
      c->S = S;
      c->SM = SM;
      rc = build(d, c, &l, &tmp, err);
    }
    mw_arena_free(&tmp);
  }
  return rc;
}

void mw_dae_components_go_on(mw_dae *d)
{
  for (int k = 0; k < d->n_component; k++) d->component[k].S = d->component[k].SM = NULL;
}

void mw_dae_component_give(const mw_dae *d, mw_dae_component *c)
{
  int n = 6 * c->n;
  mw_gemm('n', 'n', n, 1, n, shift_of(d, c), c->S, c->f, 0.0, c->x);
}

void mw_dae_component_border(const mw_dae *d, mw_dae_component *c)
{
  const mw_component_size *s = &c->in->size;
  int n = 6 * s->n_border, all = 6 * c->n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c->D[i * n + j] = shift_of(d, c) *
                        c->S[(6 * s->border[i / 6] + i % 6) * all + 6 * s->border[j / 6] + j % 6];
}

void mw_dae_component_settle(mw_dae_component *c)
{
  int n = 6 * c->n;
  memset(c->lack, 0, (size_t)n * sizeof *c->lack);
  mw_gemm('n', 'n', n, 1, n, 1.0, c->SM, c->x, 0.0, c->free);
}
