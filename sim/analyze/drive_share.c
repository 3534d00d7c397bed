// SPDX-License-Identifier: BSD-3-Clause
// drive_share.c: how drives, more of them than freedoms, share what a motion needs.
//
//   B n = Q ,  B = U S Vᵀ of rank r:  Vᵀ n = S⁻¹ Uᵀ Q = b                                       (1)
//   least norm within limits      min |n|² ,  n⁻ ≤ n ≤ n⁺                                      (2)
//   smallest largest              min t ,  t n⁻ ≤ n ≤ t n⁺ (± 1 without limits)                (3)
//   t = max over w of wᵀb / Σ_j max(w_j n_j⁻, w_j n_j⁺)                                       (4)
// w_j = wᵀV_j for all w across r − 1 rows of V, and −w: the facets of region.c (1). Among what (3)
// leaves, n is of least norm: (2) within t of the limits.
#include <float.h>
#include <math.h>
#include <string.h>

#include "analyze/region_layer.h"
#include "base/dense.h"
#include "inverse_priv.h"
#include "sim/qp.h"

enum { MOST_CHOICES = 200 };
static const double RANK = 1e-9;   // as in mobility.c: rows close to 1e-13
static const double ROOM = 1e-12;  // of t, that (2) is not empty by rounding

typedef struct sharing {
  int r, nd;
  double *V, *b;    // [r × n_drive]  Vᵀ; [r]
  double *lo, *hi;  // [n_drive]
  double *copy, *U, *sv;
  mw_arena mem;
} sharing;

// (1)
static mw_code turn(sharing *s, int k, const double *B, const double *Q, mw_error *err)
{
  int nd = s->nd, p = k < nd ? k : nd;
  s->copy = mw_arena_f64(&s->mem, (size_t)(k * nd));
  s->U = mw_arena_f64(&s->mem, (size_t)(k * p));
  s->V = mw_arena_f64(&s->mem, (size_t)(p * nd));
  s->sv = mw_arena_f64(&s->mem, (size_t)p);
  s->b = mw_arena_f64(&s->mem, (size_t)p);
  mw_code rc = mw_arena_check(&s->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(s->copy, B, (size_t)(k * nd) * sizeof *B);
  rc = mw_svd(k, nd, s->copy, s->sv, s->U, s->V, err);
  while (rc == MW_OK && s->r < p && s->sv[s->r] > RANK * s->sv[0]) s->r++;
  for (int i = 0; rc == MW_OK && i < s->r; i++) {
    for (int j = 0; j < k; j++) s->b[i] += s->U[j * p + i] * Q[j];
    s->b[i] /= s->sv[i];
  }
  return rc;
}

// (4); INFINITY: limits of some are 0 on one side
static mw_code largest(const sharing *s, double *t, mw_error *err)
{
  int r = s->r, col[MW_MOST_K];
  double scale[MW_MOST_K], w[MW_MOST_K];
  *t = 0.0;
  if (r > MW_MOST_K || mw_choices(r, s->nd) > MOST_CHOICES)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "%d drives share what %d freedoms need in too many ways: expected at most %d "
                   "choices of all but one freedom among them",
                   s->nd, r, MOST_CHOICES);
  if (r == 0) return MW_OK;
  for (int i = 0; i < r; i++) scale[i] = 1.0;
  for (int i = 0; i < r - 1; i++) col[i] = i;
  do {
    if (!mw_across(r, s->nd, s->V, scale, col, w)) continue;
    double need = mw_dot(r, w, s->b), up = 0.0, down = 0.0;
    for (int j = 0, next = 0; j < s->nd; j++) {
      double x = 0.0;
      if (next < r - 1 && col[next] == j) {
        next++;
        continue;
      }
      for (int i = 0; i < r; i++) x += w[i] * s->V[i * s->nd + j];
      up += fmax(x * s->lo[j], x * s->hi[j]);
      down += fmax(-x * s->lo[j], -x * s->hi[j]);
    }
    if (need > 0.0) *t = fmax(*t, need / up);
    if (need < 0.0) *t = fmax(*t, -need / down);
  } while (mw_next_choice(r, s->nd, col));
  return MW_OK;
}

// (2), limits times t
static mw_code least(sharing *s, double t, double *tau, bool *some, mw_error *err)
{
  mw_qp q;
  int nd = s->nd;
  mw_code rc = mw_qp_init(&q, nd, s->r, &s->mem, err);
  if (rc != MW_OK) return rc;
  for (int j = 0; j < nd; j++) {
    q.H[j * nd + j] = 1.0;
    q.lb[j] = t * s->lo[j];
    q.ub[j] = t * s->hi[j];
  }
  memcpy(q.A, s->V, (size_t)(s->r * nd) * sizeof *q.A);
  for (int i = 0; i < s->r; i++) q.lo[i] = q.hi[i] = s->b[i];
  mw_qp_code code = mw_qp_solve(&q);
  *some = code == MW_QP_OK;
  if (*some) memcpy(tau, q.z, (size_t)nd * sizeof *tau);
  if (code == MW_QP_OK || code == MW_QP_INFEASIBLE) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "forces of drives within limits: %s",
                 mw_qp_code_name(code));
}

// Limits, ± 1 where there are none. MW_ERR_INPUT: 0 is not within them.
static mw_code limits(sharing *s, const mw_model *m, const mw_sharing *how, mw_error *err)
{
  s->lo = mw_arena_f64(&s->mem, (size_t)s->nd);
  s->hi = mw_arena_f64(&s->mem, (size_t)s->nd);
  mw_code rc = mw_arena_check(&s->mem, err);
  for (int j = 0; rc == MW_OK && j < s->nd; j++) {
    s->lo[j] = how->lo ? how->lo[j] : -1.0;
    s->hi[j] = how->hi ? how->hi[j] : 1.0;
    if (how->largest && how->lo && !(s->lo[j] <= 0.0 && s->hi[j] >= 0.0))
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "limits of %s are %g to %g, expected 0 within them: shares of limits are made "
                   "least",
                   m->drive[j].name, s->lo[j], s->hi[j]);
    if (rc == MW_OK && how->largest && !isfinite(s->hi[j] - s->lo[j]))
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "found no limit of the force of %s, expected one: shares of limits are made "
                   "least",
                   m->drive[j].name);
  }
  return rc;
}

static mw_code beyond(const sharing *s, mw_error *err)
{
  double t;
  bool all = true;
  for (int j = 0; j < s->nd; j++) all = all && s->lo[j] <= 0.0 && s->hi[j] >= 0.0;
  for (int j = 0; j < s->nd; j++) all = all && isfinite(s->hi[j] - s->lo[j]);
  mw_code rc = all ? largest(s, &t, err) : MW_OK;
  if (rc == MW_OK && all && isfinite(t))
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "the drives cannot give this motion within their limits: %.6g times these are "
                   "needed",
                   t);
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the drives cannot give this motion within their limits");
}

mw_code mw_share_forces(const mw_model *m, int k, const double *B, const double *Q,
                        const mw_sharing *how, double *tau, int *rank, mw_error *err)
{
  sharing s = { .nd = m->n_drive };
  double t = 1.0;
  bool some = true;
  mw_code rc = turn(&s, k, B, Q, err);
  if (rc == MW_OK) rc = limits(&s, m, how, err);
  if (rc == MW_OK && how->largest) rc = largest(&s, &t, err);
  if (rc == MW_OK && how->lo && how->largest && !(t <= 1.0 + ROOM)) rc = beyond(&s, err);
  if (rc == MW_OK) rc = least(&s, how->largest ? t * (1.0 + ROOM) : t, tau, &some, err);
  if (rc == MW_OK && !some) rc = beyond(&s, err);
  if (rc == MW_OK) *rank = s.r;
  mw_arena_free(&s.mem);
  return rc;
}
