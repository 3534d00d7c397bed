// SPDX-License-Identifier: BSD-3-Clause
// dae_anderson.c: Anderson's acceleration of a Newton iteration whose matrix lacks something.
//
//   x ← G(x) − Σ γ_j (Δx_j + Δf_j) ,  f = G(x) − x ,  γ = argmin |f − Σ γ_j Δf_j|               (1)
// over the last MW_DAE_DEPTH iterates, x = (q, multipliers). The blocks know neither how joint and
// inertia forces turn with the frames nor, while they are kept, how stress stiffens: near buckling
// these are as large as what they do know. O(n DEPTH²) an iteration; allocates inside the least
// squares.
// [A1965] Anderson, Iterative procedures for nonlinear integral equations, J. ACM 12 (1965).
#include <string.h>

#include "base/dense.h"
#include "dae_layer.h"

mw_code mw_dae_memory_init(const mw_dae *d, mw_arena *mem, mw_dae_memory *m, mw_error *err)
{
  size_t nq = (size_t)d->n_q;
  m->n = nq + 12 * (size_t)d->m->n_body + (size_t)(d->m->n_row + d->m->n_coord);
  double **one[] = { &m->x, &m->f, &m->x0, &m->f0 };
  for (size_t i = 0; i < sizeof one / sizeof *one; i++) *one[i] = mw_arena_f64(mem, m->n);
  m->dX = mw_arena_f64(mem, MW_DAE_DEPTH * m->n);
  m->dF = mw_arena_f64(mem, MW_DAE_DEPTH * m->n);
  m->A = mw_arena_f64(mem, MW_DAE_DEPTH * nq);
  m->b = mw_arena_f64(mem, nq);
  mw_dae_forget(m);
  return mw_arena_check(mem, err);
}

void mw_dae_forget(mw_dae_memory *m)
{
  m->kept = -1;
  m->next = 0;
}

void mw_dae_state(mw_dae *d, double *x, bool back)
{
  double *part[3] = { d->q, d->lam, d->lambda };
  size_t size[3] = { (size_t)d->n_q, 12 * (size_t)d->m->n_body,
                     (size_t)(d->m->n_row + d->m->n_coord) };
  for (int i = 0; i < 3; x += size[i++])
    memcpy(back ? part[i] : x, back ? x : part[i], size[i] * sizeof *x);
}

// Weight of entry i of q as a length: base vectors by the size of the mechanism.
static void weigh(const mw_dae *d, double *w)
{
  for (int i = 0; i < d->n_q; i++) w[i] = 1.0;
  for (int b = 0; b < d->m->n_body; b++)
    for (int i = 3; d->moving[b] && i < 12; i++) w[d->col[b] + i] = d->size;
}

mw_code mw_dae_accelerate(mw_dae *d, mw_dae_memory *m, bool use, mw_error *err)
{
  size_t n = m->n, nq = (size_t)d->n_q;
  double gamma[MW_DAE_DEPTH];
  int rank;
  mw_dae_state(d, m->f, false);
  for (size_t i = 0; i < n; i++) m->f[i] -= m->x[i];
  if (m->kept >= 0) {
    for (size_t i = 0; i < n; i++) {
      m->dX[(size_t)m->next * n + i] = m->x[i] - m->x0[i];
      m->dF[(size_t)m->next * n + i] = m->f[i] - m->f0[i];
    }
    m->next = (m->next + 1) % MW_DAE_DEPTH;
  }
  if (m->kept < MW_DAE_DEPTH) m->kept++;
  memcpy(m->x0, m->x, n * sizeof *m->x);
  memcpy(m->f0, m->f, n * sizeof *m->f);
  if (!use || m->kept < 1) return MW_OK;
  size_t k = (size_t)m->kept;
  weigh(d, m->b);
  for (size_t i = 0; i < nq; i++) {
    for (size_t j = 0; j < k; j++) m->A[i * k + j] = m->b[i] * m->dF[j * n + i];
    m->b[i] *= m->f[i];
  }
  mw_code rc = mw_lstsq(d->n_q, (int)k, m->A, m->b, 1e-10, gamma, &rank, err);
  if (rc != MW_OK) return rc;
  for (size_t i = 0; i < n; i++) m->x[i] += m->f[i];
  for (size_t j = 0; j < k; j++) {
    mw_axpy((int)n, -gamma[j], m->dX + j * n, m->x);
    mw_axpy((int)n, -gamma[j], m->dF + j * n, m->x);
  }
  mw_dae_state(d, m->x, true);
  return MW_OK;
}
