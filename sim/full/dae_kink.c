// SPDX-License-Identifier: BSD-3-Clause
// dae_kink.c: forces of drives that jump or bend, within a step as well as at its start.
//
// Over a step from 0 to h the method sees a force that is linear, r. Where a signal has kinks in
// it, or a controller is sampled, r is the branch that leaves the step, continued back to its
// start, and d = f − r is left over:
//   f(t) = r(t) + d(t) ,   D0 = ∫ d dt ,  D1 = ∫ (h − t) d dt
//       exact up to sixth order between kinks      (1)
// At the start the force jumps to r(0), and the accelerations with it:
//   (M + (γ' C + K)/β') Δa + Jᵀ Δλ = ΔF ,  J Δa = 0                  a and aux take Δa          (2)
// (with the old ones the method would see a force that ramps over the step: first order, half a
// step off.) What d does is an impulse and a displacement, by the same equations: v takes the
// answer to D0, q the one to D1 − h D0, so that at h
//   v(h) = … + D0/M ,   q(h) = … + D1/M                                                         (3)
// Rigid motion under constant forces is then exact wherever they jump; all else is of second order.
// Work of the step: ∫ f ṡ = ½ h (r0 ṡ⁺ + r1 ṡ1) + r0 (s⁺ − s) + D0 ṡ + (h D0 − D1) s̈ ,
//     s⁺ after (3)      (4)
// Friction in proportion to reactions takes the normal forces of (2); what d does to these within
// the step is left out.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "dae_layer.h"
#include "fem/control.h"

void mw_dae_forces(mw_dae *d, double t)
{
  mw_control_force_before(&d->control, t, d->h, d->force);
  for (int k = 0; k < d->sc->n_action; k++) {
    const mw_action *a = &d->sc->action[k];
    if (a->kind == MW_ACTION_CONTROL && d->asked) d->force[a->drive] = d->u_held[a->drive];
  }
}

void mw_dae_forces_ahead(mw_dae *d)
{
  double near = mw_signal_near(d->h);
  mw_dae_forces(d, d->h);
  for (int k = 0; k < d->sc->n_action; k++) {
    const mw_action *a = &d->sc->action[k];
    if (a->kind == MW_ACTION_FORCE && mw_signal_next_kink(&a->signal, near) < d->h - near)
      mw_signal_eval(&a->signal, 0.0, &d->force[a->drive], NULL, NULL);
  }
}

// r(0), D0, D1 of signal g over the step from t on; false: it has no kink there.
static bool bends(const mw_signal *g, double t, double h, double *r0, double *D0, double *D1)
{
  static const double X[3] = { 0.11270166537925831, 0.5, 0.88729833462074169 },
                      W[3] = { 5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0 };  // Gauss on [0, 1]
  double near = mw_signal_near(h), end = t + h - near, k = mw_signal_next_kink(g, t - near), slope;
  if (!(k < end)) return false;
  *D0 = *D1 = 0.0;
  mw_signal_eval(g, fmax(t, k), r0, NULL, NULL);
  if (!(mw_signal_next_kink(g, t + near) < end)) return true;  // at the start alone
  double r1 = mw_signal_left(g, t + h, h, &slope);
  *r0 = r1 - h * slope;
  for (double a = t, b; a < end; a = b) {
    b = fmin(mw_signal_next_kink(g, a + near), t + h);
    for (int i = 0; i < 3; i++) {
      double x = a + X[i] * (b - a), f;
      mw_signal_eval(g, x, &f, NULL, NULL);
      f -= *r0 + slope * (x - t);
      *D0 += W[i] * (b - a) * f;
      *D1 += W[i] * (b - a) * (t + h - x) * f;
    }
  }
  return true;
}

mw_code mw_dae_answer(mw_dae *d, const double *f, mw_error *err)
{
  const mw_mech *m = d->m;
  mw_dae_clear_residuals(d);
  memset(d->rho, 0, (size_t)d->n_all * sizeof(double));
  for (int b = 0; b < m->n_body; b++) memset(d->fz[b], 0, (size_t)m->body[b].n_z * sizeof(double));
  mw_dae_drive_forces(d, f);
  for (int b = 0; b < m->n_body; b++)
    if (m->body[b].n_u > 0)
      mw_csc_mul_t(&m->body[b].P, 1.0, d->fz[b], 1.0, d->r[b] + d->block[b].n_d);
  return mw_dae_solve(d, err);
}

static bool any(const double *x, int n)
{
  for (int i = 0; i < n; i++)
    if (x[i] != 0.0) return true;
  return false;
}

// x += the answer to the impulses f, of which no multiplier knows
static mw_code push(mw_dae *d, const double *f, double *x, mw_error *err)
{
  if (!any(f, d->m->model->n_drive)) return MW_OK;
  size_t rows = (size_t)(d->m->n_row + d->m->n_coord), border = 12 * (size_t)d->m->n_body;
  memcpy(d->kept, d->lambda, rows * sizeof(double));
  memcpy(d->kept + rows, d->lam, border * sizeof(double));
  mw_code rc = mw_dae_answer(d, f, err);
  if (rc == MW_OK) (void)mw_dae_update(d, 0.0, 0.0, 0.0);
  memcpy(d->lambda, d->kept, rows * sizeof(double));
  memcpy(d->lam, d->kept + rows, border * sizeof(double));
  if (rc == MW_OK) mw_axpy(d->n_q, d->b1, d->dq, x);
  return rc;
}

// Jumps, D0 and D1 − h D0 of all drives; tau: when in the step the controllers have been sampled, <
// 0: not in it.
static void collect(mw_dae *d, double tau, double *jump, double *D0, double *shift)
{
  int n = d->m->model->n_drive;
  memcpy(jump, d->force, (size_t)n * sizeof(double));
  mw_dae_forces(d, d->t);
  for (int k = 0; k < n; k++) jump[k] = -jump[k], D0[k] = shift[k] = 0.0;
  for (int i = 0; i < d->sc->n_action; i++) {
    const mw_action *a = &d->sc->action[i];
    int k = a->drive;
    double r0, D1;
    if (a->kind == MW_ACTION_FORCE && bends(&a->signal, d->t, d->h, &r0, &D0[k], &D1)) {
      d->force[k] = r0;
      shift[k] = D1 - d->h * D0[k];
    } else if (a->kind == MW_ACTION_CONTROL && tau > 0.0) {
      double before = -jump[k] - d->force[k];
      D0[k] = tau * before;
      shift[k] = -0.5 * tau * tau * before;
    }
  }
  for (int k = 0; k < n; k++) jump[k] += d->force[k];
  for (int k = 0; k < d->n_hold; k++)
    if (d->hold_drive[k] >= 0) jump[d->hold_drive[k]] = 0.0;
}

mw_code mw_dae_bend(mw_dae *d, double tau, double *work, mw_error *err)
{
  int n = d->m->model->n_drive;
  double *jump = d->bend, *D0 = d->bend + n, *shift = d->bend + 2 * n;
  *work = 0.0;
  collect(d, tau, jump, D0, shift);
  bool moved = any(D0, n) || any(shift, n);
  if (moved || any(jump, n)) {
    mw_code rc = mw_dae_joint_build(d, err);
    // (4), the parts of the state before
    mw_dae_rows_mul(d, d->v, d->gd);
    for (int k = 0; k < n; k++) *work += D0[k] * mw_dae_drive_along(d, k, d->v);
    if (any(shift, n)) mw_dae_rows_mul(d, d->a, d->gd);
    for (int k = 0; k < n; k++)
      if (shift[k] != 0.0) *work -= shift[k] * mw_dae_drive_along(d, k, d->a);
    if (rc == MW_OK) rc = mw_dae_answer(d, jump, err);
    if (rc != MW_OK) return rc;
    mw_axpy(d->n_q, -1.0, d->a, d->aux);
    (void)mw_dae_update(d, 0.0, 0.0, d->b1);
    rc = mw_dae_law_jump(d, err);
    if (rc == MW_OK) rc = mw_dae_components_jump(d, err);
    mw_axpy(d->n_q, 1.0, d->a, d->aux);
    if (rc == MW_OK) rc = push(d, D0, d->v, err);
    if (rc == MW_OK) rc = push(d, shift, d->q, err);
    if (rc != MW_OK) return rc;
    if (any(shift, n)) {
      // dq is the answer to shift over β'
      mw_dae_rows_mul(d, d->dq, d->gd);
      for (int k = 0; k < n; k++) *work += d->force[k] * d->b1 * mw_dae_drive_along(d, k, d->dq);
    }
    mw_dae_rows_mul(d, d->v, d->gd);
  }
  mw_dae_reactions(d);
  return MW_OK;
}
