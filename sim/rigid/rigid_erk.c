// SPDX-License-Identifier: BSD-3-Clause
// rigid_erk.c: steps of explicit Runge-Kutta methods.
//
// They end as a step of rk4 does (rigid_step.c): q and v are projected onto their constraints, the
// acceleration there is the first one of the next step.
#include <math.h>
#include <string.h>

#include "rigid_onestep_priv.h"

// out = h Σ x_j k_j
static void combine(const mw_rigid_adapt *a, int n, const double *x, double h, double *out)
{
  memset(out, 0, (size_t)a->n * sizeof *out);
  for (int j = 0; j < n; j++) {
    const double *k = j == a->m->n_stage ? a->k_end : a->k[j], w = h * x[j];
    for (int i = 0; w != 0.0 && i < a->n; i++) out[i] += w * k[i];
  }
}

// k_j of stage j ≥ 1, in a->k[j]
static mw_code stage(mw_rigid_adapt *a, int j, double t, double h)
{
  combine(a, j, a->m->a + j * (j - 1) / 2, h, a->y);
  for (int i = 0; i < a->n; i++) a->y[i] += a->y0[i];
  return mw_onestep_eval(a, t + a->m->c[j] * h, a->y, a->k[j], &a->why);
}

// ---- steps --------------------------------------------------------------------------------------

// Error of the step, 1: beyond it, the step is not taken. Uses a->y.
static double error_of(mw_rigid_adapt *a, double h)
{
  combine(a, a->m->n_stage + 1, a->m->e, h, a->y);
  double e = mw_onestep_norm(a, a->y, a->y0, a->y1), low;
  if (!a->m->e_low || e == 0.0) return e;
  combine(a, a->m->n_stage + 1, a->m->e_low, h, a->y);
  low = mw_onestep_norm(a, a->y, a->y0, a->y1);
  return e * e / sqrt(e * e + 0.01 * low * low);
}

// The step from y0 by h into y1 and k_end. MW_ERR_NUMERIC: it was too long.
static mw_code attempt(mw_rigid_adapt *a, double h, double *error)
{
  const mw_erk *m = a->m;
  size_t nq = (size_t)a->s->n.n_q, n = (size_t)a->n;
  double power = 0.0;
  mw_code rc = MW_OK;
  for (int j = 1; rc == MW_OK && j < m->n_stage; j++) rc = stage(a, j, a->t0, h);
  if (rc != MW_OK) return rc;
  combine(a, m->n_stage, m->a + m->n_stage * (m->n_stage - 1) / 2, h, a->y1);
  for (size_t i = 0; i < n; i++) a->y1[i] += a->y0[i];
  a->apart = 0.0;
  for (size_t i = 0; i < 2 * nq; i++) a->apart += (a->y1[i] - a->y[i]) * (a->y1[i] - a->y[i]);
  rc = mw_rigid_land(a->s, a->t0 + h, a->y1, a->y1 + nq, a->k_end + nq, &power, &a->why);
  if (rc != MW_OK) return rc;
  memcpy(a->k_end, a->y1 + nq, nq * sizeof *a->k_end);
  a->k_end[2 * nq] = a->s->has_power ? power : 0.0;
  *error = error_of(a, h);
  return isfinite(*error) ? MW_OK
                          : mw_fail(&a->why, MW_ERR_NUMERIC, MW_NOWHERE, "rates are not finite");
}

// Counts steps whose h λ is at the border of stability, λ by the rates of the two states at the end
// of the step. These differ in slow motions, too, which lowers it: a stiff governor shows 2.4 to
// 4.8 at the border of 6, mechanisms without anything stiff up to 1.6. Hairer, Wanner: Solving
// Ordinary Differential Equations II, 2nd ed. 1996, IV.2.
static mw_code watch_stiffness(mw_rigid_adapt *a, double h)
{
  enum { MILD = 6 };
  static const double SEEN = 0.36;  // of the border
  const double *k = a->k[a->m->n_stage - 1];
  double sum = 0.0;
  for (int i = 0; i < 2 * a->s->n.n_q; i++) sum += (a->k_end[i] - k[i]) * (a->k_end[i] - k[i]);
  if (a->apart > 0.0 && h * sqrt(sum / a->apart) > SEEN * a->m->reach) {
    a->stiff++;
    a->mild = 0;
  } else if (++a->mild >= MILD) {
    a->stiff = 0;
  }
  return MW_OK;
}

static mw_code extend(mw_rigid_adapt *a)
{
  const mw_erk *m = a->m;
  double h = a->t1 - a->t0;
  mw_code rc = MW_OK;
  for (int j = m->n_stage + 1; rc == MW_OK && j < m->n_all; j++) rc = stage(a, j, a->t0, h);
  for (int i = 0; rc == MW_OK && i < m->n_dense; i++)
    combine(a, m->n_all, m->d + i * m->n_all, h, a->term[4 + i]);
  return rc;
}

const mw_onestep_kind mw_onestep_dopri5 = {
  .table = &mw_erk_dopri5, .attempt = attempt, .taken = watch_stiffness, .extend = extend
};
const mw_onestep_kind mw_onestep_dop853 = {
  .table = &mw_erk_dop853, .attempt = attempt, .taken = watch_stiffness, .extend = extend
};
