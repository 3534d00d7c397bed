// SPDX-License-Identifier: BSD-3-Clause
// rigid_onestep.c: adaptive integration by Runge-Kutta methods with projection, explicit
// (rigid_erk.c) or implicit (rigid_radau.c).
//
//   y = (q, v, W) ,   y' = f(t, y) = (v, a(t, q, v), power)                                     (1)
//
// A step ends on the constraints, and with the acceleration there. What the projection removes is
// of the order of the error of the step, so the order of the method stays. Errors are weighed as
// those of cvode are (rigid_cvode.c), in the mean square; steps follow by the rule of Hairer's
// programs. Instants within a step are those of the continuous extension, made when the first is
// asked for, projected. Limits are looked for at quarters of a step.
// E. Hairer, S. P. Nørsett, G. Wanner: Solving Ordinary Differential Equations I, 2nd ed. 1993,
// II.4 to II.6.
#include "rigid_onestep_priv.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- rates --------------------------------------------------------------------------------------

mw_code mw_onestep_eval(mw_rigid_adapt *a, double t, double *y, double *k, mw_error *err)
{
  mw_rigid_sim *s = a->s;
  size_t nq = (size_t)s->n.n_q;
  mw_code rc = mw_rigid_accel(s->r, s->w, t, y, y + nq, k + nq, err);
  memcpy(k, y + nq, nq * sizeof *k);
  k[2 * nq] = rc == MW_OK && s->has_power ? mw_rigid_power(s->r, s->w) : 0.0;
  return rc;
}

// ---- size of a step -----------------------------------------------------------------------------

// Root of the mean square of x over the tolerances at y.
double mw_onestep_norm(const mw_rigid_adapt *a, const double *x, const double *y, const double *z)
{
  double sum = 0.0, tol = a->s->in.tolerance;
  for (int i = 0; i < a->n; i++) {
    double r = x[i] / (a->scale[i] + tol * fmax(fabs(y[i]), fabs(z[i])));
    sum += r * r;
  }
  return sqrt(sum / a->n);
}

// Rates after an explicit Euler step by *h, into a->k[1]; halves *h until there are some.
static mw_code trial(mw_rigid_adapt *a, double *h)
{
  mw_code rc = MW_OK;
  for (;; *h *= 0.5) {
    for (int i = 0; i < a->n; i++) a->y[i] = a->y1[i] + *h * a->k_end[i];
    rc = mw_onestep_eval(a, a->t + *h, a->y, a->k[1], &a->why);
    bool shorter = 0.5 * *h > 4.0 * DBL_EPSILON * fabs(a->t) && 0.5 * *h > DBL_MIN;
    if (rc == MW_OK && !isfinite(mw_onestep_norm(a, a->k[1], a->y1, a->y1)))
      rc = mw_fail(&a->why, MW_ERR_NUMERIC, MW_NOWHERE, "rates are not finite");
    if (rc != MW_ERR_NUMERIC || !shorter) return rc;
  }
}

// First step: that of an explicit Euler step whose change of rates tells the second derivative.
static mw_code first_step(mw_rigid_adapt *a, double most)
{
  static const double SMALL = 1e-5, PART = 0.01;
  double y = mw_onestep_norm(a, a->y1, a->y1, a->y1),
         f = mw_onestep_norm(a, a->k_end, a->y1, a->y1);
  double h = y < SMALL || f < SMALL ? 1e-6 : PART * y / f;
  h = fmin(h, most);
  mw_code rc = trial(a, &h);
  for (int i = 0; i < a->n; i++) a->k[1][i] -= a->k_end[i];
  double d = fmax(mw_onestep_norm(a, a->k[1], a->y1, a->y1) / h, f);
  a->h = fmin(100.0 * h, d > 1e-15 ? pow(PART / d, 1.0 / a->m->power) : 1e3 * h);
  return rc;
}

// What the next step is longer by, after one with such an error (1).
static double growth(const mw_rigid_adapt *a, double e)
{
  static const double SAFE = 0.9;
  const mw_erk *m = a->m;
  double p = 1.0 / m->power;
  double x = SAFE * pow(fmax(e, DBL_MIN), m->beta * 0.75 - p) * pow(a->last, m->beta);
  return fmin(m->limit[1], fmax(m->limit[0], x));
}

// Not where the rest of the run is short: vibrations that hardly decay limit steps as well, and BDF
// needs many times as many for them.
static bool onestep_stiff(const mw_rigid_adapt *a)
{
  enum { STIFF = 15 };
  static const double MANY = 1e4;  // steps: a second at some 10 us a right-hand side
  return a->stiff >= STIFF && a->s->sc->duration - a->t > MANY * a->h;
}

// ---- steps --------------------------------------------------------------------------------------

static mw_code failed(const mw_rigid_adapt *a, mw_code rc, double h, mw_error *err)
{
  if (rc == MW_ERR_MEMORY) return mw_fail(err, rc, MW_NOWHERE, "out of memory");
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "t = %g s: %s gives up at steps of %.3g s%s%.300s", a->t, a->m->name, h,
                 a->why.msg[0] ? ": " : "", a->why.msg);
}

static void swap(double **x, double **y)
{
  double *z = *x;
  *x = *y;
  *y = z;
}

// Steps until one is accurate, none beyond stop.
static mw_code advance(mw_rigid_adapt *a, double stop, mw_error *err)
{
  static const double STRETCH = 1.01, SHRINK = 0.25;
  double error = 0.0, h;
  bool refused = false;
  swap(&a->y0, &a->y1);
  swap(&a->k[0], &a->k_end);
  a->t0 = a->t;
  a->extended = false;
  for (;; refused = true) {
    bool whole = a->t0 + STRETCH * a->h >= stop;
    h = whole ? stop - a->t0 : a->h;
    if (!(h > 4.0 * DBL_EPSILON * fabs(a->t0))) return failed(a, MW_ERR_NUMERIC, h, err);
    mw_code rc = a->kind->attempt(a, h, &error);
    if (rc != MW_OK && rc != MW_ERR_NUMERIC) return failed(a, rc, h, err);
    double ratio = rc == MW_OK ? growth(a, error) : SHRINK;
    if (rc == MW_OK && error <= 1.0) {
      a->t1 = whole ? stop : a->t0 + h;
      // a step that was cut by stop says only that a longer one is possible
      if (refused) ratio = fmin(ratio, 1.0);
      a->h = whole ? fmax(fmin(a->h, a->m->limit[1] * h), ratio * h) : ratio * h;
      a->last = fmax(error, 1e-4);
      a->steps++;
      rc = a->kind->taken(a, h);
      return rc == MW_OK ? rc : failed(a, rc, h, err);
    }
    a->h = fmin(ratio, 1.0) * h;
  }
}

// ---- within a step ------------------------------------------------------------------------------

// Terms of equation (1) of rigid_erk_table.c.
mw_code mw_onestep_extend(mw_rigid_adapt *a)
{
  double h = a->t1 - a->t0;
  for (int i = 0; i < a->n; i++) {
    double delta = a->y1[i] - a->y0[i], r = h * a->k[0][i] - delta;
    a->term[0][i] = a->y0[i];
    a->term[1][i] = delta;
    a->term[2][i] = r;
    a->term[3][i] = delta - h * a->k_end[i] - r;
  }
  mw_code rc = a->kind->extend(a);
  a->extended = rc == MW_OK;
  return rc;
}

void mw_onestep_within(const mw_rigid_adapt *a, double x, double *y)
{
  int top = 3 + a->m->n_dense;
  memcpy(y, a->term[top], (size_t)a->n * sizeof *y);
  for (int j = top - 1; j >= 0; j--) {
    double f = j % 2 == 0 ? x : 1.0 - x;
    for (int i = 0; i < a->n; i++) y[i] = a->term[j][i] + f * y[i];
  }
}

// y [n] at t within the last step
static mw_code within(mw_rigid_adapt *a, double t, double *y, mw_error *err)
{
  if (t >= a->t1) {
    memcpy(y, a->y1, (size_t)a->n * sizeof *y);
    return MW_OK;
  }
  mw_code rc = a->extended ? MW_OK : mw_onestep_extend(a);
  if (rc != MW_OK) return failed(a, rc, a->t1 - a->t0, err);
  mw_onestep_within(a, (t - a->t0) / (a->t1 - a->t0), y);
  return MW_OK;
}

// ---- limits -------------------------------------------------------------------------------------

// First limit that g passes from g0 > 0; -1: none
static int passed(const mw_rigid_adapt *a)
{
  for (int i = 0; i < 2 * a->e->n_limit; i++)
    if (a->g0[i] > 0.0 && a->g[i] <= 0.0) return i;
  return -1;
}

static mw_code distances(mw_rigid_adapt *a, double t, double *g, mw_error *err)
{
  mw_code rc = within(a, t, a->y, err);
  if (rc == MW_OK) mw_rigid_events_eval(a->s, a->e, a->y, g);
  return rc;
}

// First limit that the last step reached, and when: halves the time between a place before all
// limits and one beyond one to rounding.
static mw_code find_event(mw_rigid_adapt *a, int *event, mw_error *err)
{
  enum { PARTS = 4, HALVINGS = 60 };
  double lo = a->t0, hi = a->t0;
  mw_code rc = distances(a, lo, a->g0, err);
  for (int i = 1; rc == MW_OK && *event < 0 && i <= PARTS; i++) {
    lo = hi;
    hi = i == PARTS ? a->t1 : a->t0 + i * (a->t1 - a->t0) / PARTS;
    rc = distances(a, hi, a->g, err);
    *event = passed(a);
  }
  if (*event < 0) return rc;
  for (int i = 0; rc == MW_OK && i < HALVINGS; i++) {
    double t = 0.5 * (lo + hi);
    if (t <= lo || t >= hi) break;
    rc = distances(a, t, a->g, err);
    int found = passed(a);
    if (found >= 0) *event = found;
    *(found >= 0 ? &hi : &lo) = t;
  }
  a->t = hi;
  return rc;
}

// ---- life ---------------------------------------------------------------------------------------

static void onestep_close(mw_rigid_adapt *a)
{
  if (!a) return;
  if (a->kind->close) a->kind->close(a);
  mw_arena_free(&a->mem);
  free(a);
}

static mw_code allocate(mw_rigid_adapt *a, mw_error *err)
{
  size_t n = (size_t)a->n, limits = 2 * (size_t)a->e->n_limit;
  a->y0 = mw_arena_f64(&a->mem, n);
  a->y1 = mw_arena_f64(&a->mem, n);
  a->y = mw_arena_f64(&a->mem, n);
  a->scale = mw_arena_f64(&a->mem, n);
  a->k_end = mw_arena_f64(&a->mem, n);
  for (int j = 0; j < a->m->n_all; j++) a->k[j] = mw_arena_f64(&a->mem, n);
  for (int j = 0; j < 4 + a->m->n_dense; j++) a->term[j] = mw_arena_f64(&a->mem, n);
  a->g0 = mw_arena_f64(&a->mem, limits);
  a->g = mw_arena_f64(&a->mem, limits);
  return mw_arena_check(&a->mem, err);
}

// The state and its rates.
static mw_code state_in(mw_rigid_adapt *a, mw_error *err)
{
  const mw_rigid_sim *s = a->s;
  size_t nq = (size_t)s->n.n_q;
  memcpy(a->y1, s->q, nq * sizeof *a->y1);
  memcpy(a->y1 + nq, s->v, nq * sizeof *a->y1);
  a->y1[2 * nq] = s->work;
  a->t = a->t0 = a->t1 = s->t;
  a->last = 1e-4;
  a->span = 0.0;
  return mw_onestep_eval(a, a->t, a->y1, a->k_end, err);
}

static const mw_onestep_kind *kind_of(mw_method method)
{
  if (method == MW_METHOD_RADAU) return &mw_onestep_radau;
  return method == MW_METHOD_DOPRI5 ? &mw_onestep_dopri5 : &mw_onestep_dop853;
}

static mw_code open_by(const mw_onestep_kind *kind, mw_rigid_sim *s, const mw_rigid_events *e,
                       mw_rigid_adapt **out, mw_error *err)
{
  mw_rigid_adapt *a = calloc(1, sizeof *a);
  if (!a) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  a->s = s;
  a->e = e;
  a->kind = kind;
  a->m = a->kind->table;
  a->n = 2 * s->n.n_q + 1;
  mw_code rc = allocate(a, err);
  if (rc == MW_OK) {
    mw_rigid_sim_scales(s, a->scale);
    a->scale[2 * s->n.n_q] = s->in.tolerance * mw_rigid_sim_joule(s);
    if (a->kind->open) rc = a->kind->open(a, err);
  }
  if (rc == MW_OK) rc = state_in(a, err);
  if (rc == MW_OK)
    *out = a;
  else
    onestep_close(a);
  return rc;
}

static mw_code onestep_open(mw_rigid_sim *s, const mw_rigid_events *e, mw_rigid_adapt **out,
                            mw_error *err)
{
  return open_by(kind_of(s->in.method), s, e, out, err);
}

static mw_code implicit_open(mw_rigid_sim *s, const mw_rigid_events *e, mw_rigid_adapt **out,
                             mw_error *err)
{
  return open_by(&mw_onestep_radau, s, e, out, err);
}

static mw_code onestep_step(mw_rigid_adapt *a, double stop, int *event, mw_error *err)
{
  mw_rigid_sim *s = a->s;
  *event = -1;
  a->why.msg[0] = '\0';
  mw_code rc = a->h > 0.0 ? MW_OK : first_step(a, stop - a->t);
  if (rc != MW_OK) return failed(a, rc, a->h, err);
  rc = advance(a, stop, err);
  if (rc != MW_OK) return rc;
  a->t = a->t1;
  if (a->e->n_limit > 0) rc = find_event(a, event, err);
  if (rc != MW_OK) return rc;
  mw_rigid_accept(s->r, s->w, a->y1);
  return mw_rigid_accept_turns(s->r, s->w, a->t1, a->y1, err);
}

static mw_code onestep_at(mw_rigid_adapt *a, double t, mw_error *err)
{
  mw_rigid_sim *s = a->s;
  size_t nq = (size_t)s->n.n_q;
  mw_code rc = within(a, t, a->y, err);
  if (rc != MW_OK) return rc;
  memcpy(s->q, a->y, nq * sizeof *s->q);
  memcpy(s->v, a->y + nq, nq * sizeof *s->v);
  s->work = a->y[2 * nq];
  s->t = t;
  return t >= a->t1 ? MW_OK : mw_rigid_sim_project(s, false, err);
}

// y, g0, g and why are scratch; scale follows from the options.
static int onestep_parts(mw_rigid_adapt *a, mw_part *part)
{
  size_t bytes = (size_t)a->n * sizeof(double);
  int n = 0;
  double *const scalar[] = { &a->t, &a->t0, &a->t1, &a->h, &a->last, &a->apart, &a->span };
  for (int i = 0; i < 7; i++) part[n++] = (mw_part){ scalar[i], sizeof(double) };
  part[n++] = (mw_part){ &a->stiff, sizeof a->stiff };
  part[n++] = (mw_part){ &a->mild, sizeof a->mild };
  part[n++] = (mw_part){ &a->steps, sizeof a->steps };
  part[n++] = (mw_part){ &a->extended, sizeof a->extended };
  part[n++] = (mw_part){ a->y0, bytes };
  part[n++] = (mw_part){ a->y1, bytes };
  part[n++] = (mw_part){ a->k_end, bytes };
  for (int j = 0; j < a->m->n_all; j++) part[n++] = (mw_part){ a->k[j], bytes };
  for (int j = 0; j < 4 + a->m->n_dense; j++) part[n++] = (mw_part){ a->term[j], bytes };
  return n;
}

static double onestep_time(const mw_rigid_adapt *a) { return a->t; }
static long onestep_steps(const mw_rigid_adapt *a) { return a->steps; }

const mw_rigid_adapt_kind mw_rigid_onestep = { .open = onestep_open,
                                               .restart = state_in,
                                               .step = onestep_step,
                                               .time = onestep_time,
                                               .at = onestep_at,
                                               .steps = onestep_steps,
                                               .stiff = onestep_stiff,
                                               .parts = onestep_parts,
                                               .close = onestep_close };

const mw_rigid_adapt_kind mw_rigid_implicit = { .open = implicit_open,
                                                .restart = state_in,
                                                .step = onestep_step,
                                                .time = onestep_time,
                                                .at = onestep_at,
                                                .steps = onestep_steps,
                                                .parts = onestep_parts,
                                                .close = onestep_close };
