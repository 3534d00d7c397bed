// SPDX-License-Identifier: BSD-3-Clause
// dae_step.c: one step of the generalized-α method for the index-3 DAE, and the drives along it.
//
//   q₁ = q₀ + h v₀ + h² (½ − β) a₀ + h² β a₁ ,  v₁ = v₀ + h (1 − γ) a₀ + h γ a₁
//   (1 − α_m) a₁ + α_m a₀ = (1 − α_f) v̇₁ + α_f v̇₀                                  a: auxiliary
//                                                                                    accelerations
//   α_m = (2ρ − 1)/(ρ + 1) , α_f = ρ/(ρ + 1) , γ = ½ + α_f − α_m , β = ¼ (γ + ½)²   ρ = 1: none of
//     the modes is damped
//
// All unknowns live in a linear space, so this is the method of Arnold and Brüls (Multibody Syst.
// Dyn. 18 (2007) 185-202) as it stands. Equilibrium and constraints hold at t₁. Newton's matrix is
// constant in the bodies; the joint rows in it are renewed once a step, and again while the
// iteration contracts slowly. Cost of an iteration: one triangular solve a body.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "dae_layer.h"
#include "fem/control.h"

static const double SLOW = 0.1;      // contraction above which the joint rows are renewed
static const double SLUGGISH = 0.3;  // contraction above which blocks follow the strains
static const double ACC_TOL = 1e3;   // tolerance of accelerations over that of positions
enum { PAUSE = 50 };                 // steps without renewing blocks where that did not help
static const double ROUND = 0.1;     // what newton_max iterations must make of a correction
static const double FLOOR = 1e-12;   // corrections below this part of the size may be rounding

// ---- drives -------------------------------------------------------------------------------------

void mw_dae_targets(mw_dae *d, double t)
{
  for (int k = 0; k < d->n_hold; k++)
    if (d->hold_drive[k] >= 0)
      (void)mw_control_prescribed(d->sc, d->hold_drive[k], t, d->target + 3 * k);
}

// s and ṡ of a joint's coordinate tau ahead, under the forces of the state; joint -1: none
static void look_ahead(const mw_dae *d, int joint, double tau, double *s, double *s_dot)
{
  int c = joint >= 0 ? d->m->joint[joint].coord : -1;
  *s = *s_dot = 0.0;
  if (c < 0) return;
  double v = d->v[d->col_s + c], a = d->a[d->col_s + c];
  *s = d->q[d->col_s + c] + tau * (v + 0.5 * tau * a);
  *s_dot = v + tau * a;
}

mw_code mw_dae_sample(mw_dae *d, double tau, mw_error *err)
{
  mw_control *c = &d->control;
  for (int k = 0; k < c->model->n_drive; k++) {
    look_ahead(d, c->model->drive[k].joint, tau, &c->s[k], &c->s_dot[k]);
    look_ahead(d, mw_control_encoder(c, k), tau, &c->e[k], &c->e_dot[k]);
  }
  for (int i = 0; i < c->n_watch; i++) look_ahead(d, c->watch[i], tau, &c->w[i], &c->w_dot[i]);
  return mw_control_sample(c, d->t + tau, err);
}

mw_code mw_dae_ask(mw_dae *d, double t_sample, mw_error *err)
{
  const mw_controller *c = d->opt.controller;
  if (!c) return MW_OK;
  d->asked = true;
  return c->eval(c->ctx, t_sample, d->control.s, d->control.s_dot, d->u_held, err);
}

void mw_dae_reactions(mw_dae *d)
{
  for (int k = 0; k < d->n_hold; k++)
    if (d->hold_drive[k] >= 0) d->force[d->hold_drive[k]] = -d->lambda[d->m->n_row + k];
}

double mw_dae_drive_along(const mw_dae *d, int drive, const double *x)
{
  const mw_drive_in *in = &d->m->model->drive[drive];
  const double zero[3] = { 0.0, 0.0, 0.0 };
  if (in->joint >= 0) return x[d->col_s + d->m->joint[in->joint].coord];
  int b = in->on.body, z0 = mw_mech_frame_z(d->m, in->on);
  double p[3], Jp[36], Jz[18], along = 0.0;
  mw_mech_point(d->m, in->on, zero, mw_dae_frame(d, d->q, b),
                d->m->body[b].n_u > 0 ? d->z[b] : NULL, p, Jp, Jz);
  for (int i = 0; i < 3; i++) {
    double y = mw_dot(12, Jp + 12 * i, d->hat + 12 * b);
    if (z0 >= 0) y += mw_dot(6, Jz + 6 * i, d->zd[b] + z0);
    along += in->dir[i] * y;
  }
  return along;
}

// ---- step ---------------------------------------------------------------------------------------

mw_code mw_dae_blocks(mw_dae *d, bool statics, mw_error *err)
{
  mw_code rc = MW_OK;
  d->strain.renewed = false;
  for (int b = 0; rc == MW_OK && b < d->m->n_body; b++) {
    const mw_body *body = &d->m->body[b];
    mw_dae_block_free(&d->block[b]);
    double beta = statics ? mw_dae_static_shift(d, body) : d->b1;
    rc = mw_dae_block_build(body, d->moving[b], beta, statics ? 0.0 : d->c1, NULL, NULL,
                            d->progress, &d->block[b], err);
  }
  return rc;
}

// Start of the iteration: accelerations go on as they were; prescribed coordinates are put where
// they belong.
static void predict(mw_dae *d)
{
  double h = d->h, ab = 1.0 / (h * h * d->beta);
  for (int i = 0; i < d->n_q; i++) {
    double a1 = (d->a[i] - d->alpha_m * d->aux[i]) / (1.0 - d->alpha_m);
    d->q[i] += h * d->v[i] + h * h * ((0.5 - d->beta) * d->aux[i] + d->beta * a1);
    d->v[i] += h * ((1.0 - d->gamma) * d->aux[i] + d->gamma * a1);
    d->aux[i] = a1;
  }
  memset(d->dq, 0, (size_t)d->n_q * sizeof(double));
  for (int k = 0; k < d->n_hold; k++) {
    int i = d->col_s + d->hold[k];
    d->dq[i] = d->target[3 * k] - d->q[i];
    d->q[i] = d->target[3 * k];
    d->v[i] += d->c1 * d->dq[i];
    d->a[i] += d->b1 * d->dq[i];
    d->aux[i] += ab * d->dq[i];
  }
}

static double acceleration_scale(const mw_dae *d)
{
  double a = d->g_norm;
  for (int i = 0; i < d->n_q; i++)
    if (!(fabs(d->a[i]) <= a)) a = fabs(d->a[i]);
  return a;
}

void mw_dae_name_worst(const mw_dae *d, char text[128])
{
  int at = 0, b = 0;
  for (int i = 0; i < d->n_q; i++)
    if (!(fabs(d->dq[i]) <= fabs(d->dq[at]))) at = i;
  while (b + 1 < d->m->n_body && d->col[b + 1] <= at) b++;
  if (at >= d->col_s)
    snprintf(text, 128, "coordinate %.100s", mw_mech_coord_name(d->m, at - d->col_s));
  else
    snprintf(text, 128, "%s body %.100s",
             d->moving[b] && at < d->col[b] + 12 ? "the place of" : "the deflection of",
             d->m->body[b].name);
}

// "; what swings …" of a component whose inside is faster than the steps; of one that does not say
// how fast it is, that its springs are not in the matrix; else "".
static void name_inside(const mw_dae *d, char text[160])
{
  text[0] = '\0';
  for (int k = 0; k < d->n_component && !text[0]; k++) {
    const mw_component_use *u = d->component[k].in;
    if (u->size.step > 0.0 && d->h > u->size.step)
      snprintf(text, 160, "; what swings inside of component %.64s asks for some %.2g s", u->name,
               u->size.step);
    if (!(u->size.step > 0.0))
      snprintf(text, 160,
               "; springs inside of component %.64s, if any, are not in the iteration's matrix",
               u->name);
  }
}

static mw_code stalled(const mw_dae *d, int iterations, double size, double rate, mw_error *err)
{
  char worst[128], turned[160], inside[160], where[160] = "the axes of a body";
  mw_dae_name_worst(d, worst);
  mw_dae_name_turned(d, turned);
  name_inside(d, inside);
  if (d->gap_joint >= 0)
    snprintf(where, sizeof where, "joint %.128s", d->m->joint[d->gap_joint].name);
  return mw_fail(
      err, MW_ERR_NUMERIC, d->sc->at,
      "at t = %.6g s the step did not converge in %d iterations: last correction %.3g m of %s, "
      "contraction %.2g, largest gap %.3g in %s; a shorter step may help%s%s",
      d->t, iterations, size, worst, rate, d->gap, where, inside, turned);
}

static mw_code name_time(const mw_dae *d, mw_code rc, mw_error *err)
{
  char why[sizeof err->msg];
  if (!err) return rc;
  memcpy(why, err->msg, sizeof why);
  mw_at at = err->line > 0 ? (mw_at){ err->file, err->line, err->col } : d->sc->at;
  char file[sizeof err->file];
  memcpy(file, err->file, sizeof file);
  if (err->line > 0) at.file = file;
  return mw_fail(err, rc, at, "at t = %.6g s: %.400s", d->t, why);
}

// What an iteration does when it contracts slowly.
typedef enum slow_way {
  SLOW_GO_ON,
  SLOW_LEAVE,  // returns with slow set
  SLOW_RENEW   // combines iterates; with strains of second order renews the blocks at the state
} slow_way;

// Anderson's combination, and the rates that belong to it.
static mw_code combine(mw_dae *d, bool use, mw_error *err)
{
  double ab = 1.0 / (d->h * d->h * d->beta);
  memcpy(d->dq, d->q, (size_t)d->n_q * sizeof *d->dq);
  mw_code rc = mw_dae_accelerate(d, &d->strain.memory, use, err);
  for (int i = 0; i < d->n_q; i++) {
    double e = d->q[i] - d->dq[i];
    d->v[i] += d->c1 * e;
    d->a[i] += d->b1 * e;
    d->aux[i] += ab * e;
  }
  return rc;
}

static mw_code iterate(mw_dae *d, slow_way way, bool *slow, mw_error *err)
{
  double last = INFINITY, theta = 1.0, ab = 1.0 / (d->h * d->h * d->beta), size = 0.0;
  double mark = INFINITY, rate = 1.0;  // correction and mean contraction of the round
  mw_dae_memory *memory = &d->strain.memory;
  int round = way == SLOW_RENEW ? 3 * d->opt.newton_max : d->opt.newton_max, renewed = 0, n = 0;
  *slow = false;
  for (int i = 0;; i++) {
    mw_code rc = mw_dae_rows(d, err);
    if (rc != MW_OK) return name_time(d, rc, err);
    bool renew =
        way == SLOW_RENEW && d->strain.on && i > renewed + MW_DAE_DEPTH && theta > SLUGGISH;
    if (renew) rc = mw_dae_renew(d, false, err);
    if (rc != MW_OK) return name_time(d, rc, err);
    if (renew) renewed = i;
    if (renew || i == 0) mw_dae_forget(memory);
    mw_dae_residual(d, true);
    rc = mw_dae_components_residual(d, err);
    if (rc != MW_OK) return rc;
    mw_dae_row_residual(d, true);
    if (i == 0 || theta > SLOW || renew) rc = mw_dae_joint_build(d, err);
    if (way == SLOW_RENEW) mw_dae_state(d, memory->x, false);
    if (rc == MW_OK) rc = mw_dae_solve(d, err);
    if (rc != MW_OK) return rc;
    size = mw_dae_update(d, 1.0, d->c1, d->b1);
    size = fmax(size, mw_dae_law_lag(d));
    mw_axpy(d->n_q, ab, d->dq, d->aux);
    d->iterations++;
    theta = i > 0 ? size / last : 1.0;
    // error that is left: the geometric series of the corrections to come; those that Anderson's
    // combination leaves shrink by chance
    double left = i == 0 || memory->kept > 0 ? size
                  : theta < 1.0              ? size * theta / (1.0 - theta)
                                             : INFINITY;
    double tol = fmin(d->opt.tol * d->size, ACC_TOL * d->opt.tol * acceleration_scale(d) / d->b1);
    tol = fmax(tol, 4.0 * DBL_EPSILON * d->size);
    bool rounding = i > 1 && theta > 0.3 && size <= FLOOR * d->size;
    last = size;
    if (left <= tol || rounding) return MW_OK;
    *slow = way == SLOW_LEAVE && i > 0 && !(theta <= SLUGGISH);
    n = i + 1;
    if (i > 0) rate = pow(size / mark, 1.0 / (i % round > 0 ? i % round : round));
    if (*slow || !(size <= 1e3 * d->size)) break;
    // as long as a round shrinks corrections tenfold, a tolerance of 1e-k of the first takes k
    // rounds at most
    if (i % round == 0 && i > 0 && !(size <= ROUND * mark)) break;
    if (i % round == 0) mark = size;
    if (way == SLOW_RENEW) rc = combine(d, theta > SLOW, err);
    if (rc != MW_OK) return rc;
  }
  return *slow ? MW_OK : stalled(d, n, size, rate, err);
}

// Strains of second order: once the kept blocks contract slowly they are renewed at the state the
// step starts from, and if that is not enough at the states of the iteration. Where the contraction
// is not the strains' fault, it is left at that.
static mw_code iterate_strained(mw_dae *d, mw_error *err)
{
  bool slow;
  mw_dae_strain *s = &d->strain;
  mw_dae_keep(d, false);
  mw_code rc = iterate(d, s->pause > 0 ? SLOW_GO_ON : SLOW_LEAVE, &slow, err);
  if (s->pause > 0) s->pause--;
  if (rc == MW_OK && !slow) return rc;
  if (rc != MW_OK && rc != MW_ERR_NUMERIC) return rc;
  mw_dae_keep(d, true);
  rc = mw_dae_renew(d, false, err);
  if (rc != MW_OK) return name_time(d, rc, err);
  int before = d->iterations, renewals = s->renewals;
  rc = iterate(d, SLOW_RENEW, &slow, err);
  if (s->renewals > renewals || d->iterations - before > d->opt.newton_max / 2) s->pause = PAUSE;
  return rc;
}

bool mw_dae_slows(const mw_dae *d) { return d->n_component > 0 || mw_dae_modal_slows(d); }

mw_code mw_dae_step(mw_dae *d, mw_error *err)
{
  d->t += d->h;
  mw_dae_targets(d, d->t);
  mw_dae_forces(d, d->t);
  predict(d);
  mw_code rc = mw_dae_modal_at(d, err);
  if (rc != MW_OK) return rc;
  d->law_exact = true;
  bool slow;
  rc = d->strain.on ? iterate_strained(d, err)
                    : iterate(d, mw_dae_slows(d) ? SLOW_RENEW : SLOW_GO_ON, &slow, err);
  d->law_exact = false;
  return rc;
}
