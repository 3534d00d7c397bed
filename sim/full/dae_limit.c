// SPDX-License-Identifier: BSD-3-Clause
// dae_limit.c: the motion within a step, where a limit of a joint coordinate ends it
// (limits_layer.h).
//
// Within a step that ends outside, from both of its ends (error O(h⁴)); within one that could not
// be taken, as beyond a limit its guide ends, from the start (error O(h³)):
//   q(τ) = q0 + τ v0 + τ²/h² (3 Δ − h (2 v0 + v1)) + τ³/h³ (h (v0 + v1) − 2 Δ) ,  Δ = q1 − q0   (1)
//   q(τ) = q0 + τ v0 + ½ τ² a0                                                                  (2)
#include <math.h>
#include <string.h>

#include "dae_layer.h"

void mw_dae_limit_keep(mw_dae *d)
{
  size_t n = (size_t)d->n_q;
  if (!d->limited) return;
  memcpy(d->start, d->q, n * sizeof(double));
  memcpy(d->start + n, d->v, n * sizeof(double));
  memcpy(d->start + 2 * n, d->a, n * sizeof(double));
  d->ended = false;
}

// (1), or (2) of a failed step, its derivative and the accelerations between both ends, for unknown
// i into *q, *v, *a
static void at(const mw_dae *d, bool failed, int i, double tau, double *q, double *v, double *a)
{
  size_t n = (size_t)d->n_q, k = (size_t)i;
  const double *q0 = d->start, *v0 = q0 + n, *a0 = v0 + n, *q1 = a0 + n, *v1 = q1 + n, *a1 = v1 + n;
  double h = d->h, c2 = 0.5 * a0[k], c3 = 0.0;
  if (!failed) {
    double delta = q1[k] - q0[k];
    c2 = (3.0 * delta - h * (2.0 * v0[k] + v1[k])) / (h * h);
    c3 = (h * (v0[k] + v1[k]) - 2.0 * delta) / (h * h * h);
  }
  *q = q0[k] + tau * (v0[k] + tau * (c2 + tau * c3));
  *v = v0[k] + tau * (2.0 * c2 + 3.0 * tau * c3);
  *a = failed ? a0[k] : (1.0 - tau / h) * a0[k] + tau / h * a1[k];
}

mw_code mw_dae_limit_at(void *p, const mw_span *sp, bool failed, double tau, mw_error *err)
{
  mw_dae *d = p;
  size_t n = (size_t)d->n_q;
  (void)sp;
  (void)err;
  if (!d->ended) {
    memcpy(d->start + 3 * n, d->q, n * sizeof(double));
    memcpy(d->start + 4 * n, d->v, n * sizeof(double));
    memcpy(d->start + 5 * n, d->a, n * sizeof(double));
    d->ended = true;
  }
  for (int i = 0; i < d->n_q; i++) at(d, failed, i, tau, &d->q[i], &d->v[i], &d->a[i]);
  return MW_OK;
}
