// SPDX-License-Identifier: BSD-3-Clause
// dae_limit.c: where a run meets a limit of a joint coordinate (limits_layer.h), and ends.
//
// The motion within a step that ends outside, from both of its ends (error O(h⁴)); within one that
// could not be taken, as beyond a limit its guide ends, from the start (error O(h³)):
//   q(τ) = q0 + τ v0 + τ²/h² (3 Δ − h (2 v0 + v1)) + τ³/h³ (h (v0 + v1) − 2 Δ) ,  Δ = q1 − q0   (1)
//   q(τ) = q0 + τ v0 + ½ τ² a0                                                                  (2)
#include <math.h>
#include <string.h>

#include "dae_priv.h"

mw_code mw_dae_limits_build(mw_dae *d, mw_error *err)
{
  d->limit = mw_arena_alloc(&d->mem, (size_t)d->m->n_coord, sizeof *d->limit);
  mw_code rc = mw_arena_check(&d->mem, err);
  if (rc != MW_OK) return rc;
  d->n_limit = mw_limits_of(d->m, d->size, d->limit);
  if (d->n_limit > 0) d->start = mw_arena_f64(&d->mem, 3 * (size_t)d->n_q);
  rc = mw_arena_check(&d->mem, err);
  if (rc != MW_OK) return rc;
  return mw_limits_check(d->m, d->sc, d->limit, d->n_limit, d->q + d->col_s, err);
}

void mw_dae_limit_keep(mw_dae *d)
{
  size_t n = (size_t)d->n_q;
  if (d->n_limit == 0) return;
  memcpy(d->start, d->q, n * sizeof(double));
  memcpy(d->start + n, d->v, n * sizeof(double));
  memcpy(d->start + 2 * n, d->a, n * sizeof(double));
}

// (1), or (2) of a failed step, and its derivative, for unknown i
static void at(const mw_dae *d, bool failed, int i, double tau, double *q, double *v)
{
  const double *q0 = d->start, *v0 = q0 + d->n_q, *a0 = v0 + d->n_q;
  double h = d->h, c2 = 0.5 * a0[i], c3 = 0.0;
  if (!failed) {
    double delta = d->q[i] - q0[i];
    c2 = (3.0 * delta - h * (2.0 * v0[i] + d->v[i])) / (h * h);
    c3 = (h * (v0[i] + d->v[i]) - 2.0 * delta) / (h * h * h);
  }
  *q = q0[i] + tau * (v0[i] + tau * (c2 + tau * c3));
  *v = v0[i] + tau * (2.0 * c2 + 3.0 * tau * c3);
}

// When coordinate c passes limit g outwards; INFINITY: not within the step.
static double meets(const mw_dae *d, bool failed, int g)
{
  enum { HALVINGS = 50 };
  double bound = mw_limit_value(d->limit, g), side = g % 2 ? 1.0 : -1.0, q, v;
  int i = d->col_s + d->limit[g / 2].coord;
  double lo = 0.0, hi = d->h;
  at(d, failed, i, hi, &q, &v);
  if (!(side * (q - bound) > 0.0)) return INFINITY;
  for (int k = 0; k < HALVINGS; k++) {
    double mid = 0.5 * (lo + hi);
    at(d, failed, i, mid, &q, &v);
    if (side * (q - bound) > 0.0)
      hi = mid;
    else
      lo = mid;
  }
  return lo;
}

int mw_dae_limit_meet(mw_dae *d, bool failed, double *tau)
{
  int met = -1;
  *tau = INFINITY;
  if (d->n_limit == 0) return -1;
  if (!failed && mw_limits_outside(d->limit, d->n_limit, d->q + d->col_s) < 0) return -1;
  for (int g = 0; g < 2 * d->n_limit; g++) {
    double t = meets(d, failed, g);
    if (t < *tau) {
      *tau = t;
      met = g;
    }
  }
  if (met < 0) return -1;
  for (int i = 0; i < d->n_q; i++) {
    double q, v, part = *tau / d->h, a0 = d->start[2 * d->n_q + i];
    at(d, failed, i, *tau, &q, &v);
    d->a[i] = failed ? a0 : (1.0 - part) * a0 + part * d->a[i];
    d->q[i] = q;
    d->v[i] = v;
  }
  return met;
}
