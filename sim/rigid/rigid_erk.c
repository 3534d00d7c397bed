// SPDX-License-Identifier: BSD-3-Clause
// rigid_erk.c: adaptive integration by explicit Runge-Kutta methods with projection.
//
//   y = (q, v, W) ,   y' = f(t, y) = (v, a(t, q, v), power)                                     (1)
//
// A step ends as a step of rk4 does (rigid_step.c): q and v are projected onto their constraints,
// the acceleration there is the first one of the next step. What the projection removes is of the
// order of the error of the step, so the order of the method stays. Errors are weighed as those of
// cvode are (rigid_cvode.c), in the mean square; steps follow by the rule of Hairer's programs.
// Instants within a step are those of the continuous extension, made when the first is asked for,
// projected. Limits are looked for at quarters of a step.
// E. Hairer, S. P. Nørsett, G. Wanner: Solving Ordinary Differential Equations I, 2nd ed. 1993,
// II.4 to II.6.
#include "rigid_erk_priv.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rigid_path_layer.h"

enum { N_TERMS = 4 + MW_ERK_DENSE };

struct mw_rigid_adapt {
  mw_rigid_sim *s;           // borrowed
  const mw_rigid_events *e;  // borrowed
  const mw_erk *m;
  int n;                             // length of (1): 2 n_q + 1
  double t;                          // s, reached: the end of the step, or a limit within it
  double t0, t1;                     // s, of the last step; equal: none was made
  double h;                          // s, the next step; 0: none was made yet
  double last;                       // error of the last step, 1
  double *y0, *y1;                   // [n]  start and end of the last step
  double *y;                         // [n]  a stage
  double *scale;                     // [n]  absolute tolerances
  double *k[MW_ERK_STAGES], *k_end;  // [n]  rates (1) of the last step's stages and at its end
  double *term[N_TERMS];             // [n]  of the continuous extension
  bool extended;                     // term is of the last step
  double *g0, *g;                    // [2 n_limit]  distances to limits at y0, and elsewhere
  double apart;     // square of the distance of the last stage from the end of the step
  int stiff, mild;  // steps at the border of stability, and others since the last one of these
  long steps;
  mw_error why;  // last failure of the mechanism
  mw_arena mem;
};

// ---- rates --------------------------------------------------------------------------------------

static double *rates(const mw_rigid_adapt *a, double *y) { return y + a->s->n.n_q; }

static mw_code eval(mw_rigid_adapt *a, double t, double *y, double *k, mw_error *err)
{
  mw_rigid_sim *s = a->s;
  size_t nq = (size_t)s->n.n_q;
  mw_code rc = mw_rigid_accel(s->r, s->w, t, y, y + nq, k + nq, err);
  memcpy(k, y + nq, nq * sizeof *k);
  k[2 * nq] = rc == MW_OK && s->has_power ? mw_rigid_power(s->r, s->w) : 0.0;
  return rc;
}

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
  return eval(a, t + a->m->c[j] * h, a->y, a->k[j], &a->why);
}

// ---- size of a step -----------------------------------------------------------------------------

// Root of the mean square of x over the tolerances at y.
static double norm(const mw_rigid_adapt *a, const double *x, const double *y, const double *z)
{
  double sum = 0.0, tol = a->s->in.tolerance;
  for (int i = 0; i < a->n; i++) {
    double r = x[i] / (a->scale[i] + tol * fmax(fabs(y[i]), fabs(z[i])));
    sum += r * r;
  }
  return sqrt(sum / a->n);
}

// Error of the step, 1: beyond it, the step is not taken. Uses a->y.
static double error_of(mw_rigid_adapt *a, double h)
{
  combine(a, a->m->n_stage + 1, a->m->e, h, a->y);
  double e = norm(a, a->y, a->y0, a->y1), low;
  if (!a->m->e_low || e == 0.0) return e;
  combine(a, a->m->n_stage + 1, a->m->e_low, h, a->y);
  low = norm(a, a->y, a->y0, a->y1);
  return e * e / sqrt(e * e + 0.01 * low * low);
}

// Rates after an explicit Euler step by *h, into a->k[1]; halves *h until there are some.
static mw_code trial(mw_rigid_adapt *a, double *h)
{
  mw_code rc = MW_OK;
  for (;; *h *= 0.5) {
    for (int i = 0; i < a->n; i++) a->y[i] = a->y1[i] + *h * a->k_end[i];
    rc = eval(a, a->t + *h, a->y, a->k[1], &a->why);
    bool shorter = 0.5 * *h > 4.0 * DBL_EPSILON * fabs(a->t) && 0.5 * *h > DBL_MIN;
    if (rc == MW_OK && !isfinite(norm(a, a->k[1], a->y1, a->y1)))
      rc = mw_fail(&a->why, MW_ERR_NUMERIC, MW_NOWHERE, "rates are not finite");
    if (rc != MW_ERR_NUMERIC || !shorter) return rc;
  }
}

// First step: that of an explicit Euler step whose change of rates tells the second derivative.
static mw_code first_step(mw_rigid_adapt *a, double most)
{
  static const double SMALL = 1e-5, PART = 0.01;
  double y = norm(a, a->y1, a->y1, a->y1), f = norm(a, a->k_end, a->y1, a->y1);
  double h = y < SMALL || f < SMALL ? 1e-6 : PART * y / f;
  h = fmin(h, most);
  mw_code rc = trial(a, &h);
  for (int i = 0; i < a->n; i++) a->k[1][i] -= a->k_end[i];
  double d = fmax(norm(a, a->k[1], a->y1, a->y1) / h, f);
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

// Counts steps whose h λ is at the border of stability, λ by the rates of the two states at the end
// of the step. These differ in slow motions, too, which lowers it: a stiff governor shows 2.4 to
// 4.8 at the border of 6, mechanisms without anything stiff up to 1.6. Hairer, Wanner: Solving
// Ordinary Differential Equations II, 2nd ed. 1996, IV.2.
static void watch_stiffness(mw_rigid_adapt *a, double h)
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
}

// Not where the rest of the run is short: vibrations that hardly decay limit steps as well, and BDF
// needs many times as many for them.
static bool erk_stiff(const mw_rigid_adapt *a)
{
  enum { STIFF = 15 };
  static const double MANY = 1e4;  // steps: a second at some 10 us a right-hand side
  return a->stiff >= STIFF && a->s->sc->duration - a->t > MANY * a->h;
}

// ---- steps --------------------------------------------------------------------------------------

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
  rc = mw_rigid_land(a->s, a->t0 + h, a->y1, rates(a, a->y1), rates(a, a->k_end), &power, &a->why);
  if (rc != MW_OK) return rc;
  memcpy(a->k_end, a->y1 + nq, nq * sizeof *a->k_end);
  a->k_end[2 * nq] = a->s->has_power ? power : 0.0;
  *error = error_of(a, h);
  return isfinite(*error) ? MW_OK
                          : mw_fail(&a->why, MW_ERR_NUMERIC, MW_NOWHERE, "rates are not finite");
}

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
    mw_code rc = attempt(a, h, &error);
    if (rc != MW_OK && rc != MW_ERR_NUMERIC) return failed(a, rc, h, err);
    double ratio = rc == MW_OK ? growth(a, error) : SHRINK;
    if (rc == MW_OK && error <= 1.0) {
      a->t1 = whole ? stop : a->t0 + h;
      // a step that was cut by stop says only that a longer one is possible
      if (refused) ratio = fmin(ratio, 1.0);
      a->h = whole ? fmax(fmin(a->h, a->m->limit[1] * h), ratio * h) : ratio * h;
      a->last = fmax(error, 1e-4);
      a->steps++;
      watch_stiffness(a, h);
      return MW_OK;
    }
    a->h = fmin(ratio, 1.0) * h;
  }
}

// ---- within a step ------------------------------------------------------------------------------

// Terms of the continuous extension, equation (1) of rigid_erk_table.c.
static mw_code extend(mw_rigid_adapt *a)
{
  const mw_erk *m = a->m;
  double h = a->t1 - a->t0;
  mw_code rc = MW_OK;
  for (int j = m->n_stage + 1; rc == MW_OK && j < m->n_all; j++) rc = stage(a, j, a->t0, h);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < a->n; i++) {
    double delta = a->y1[i] - a->y0[i], r = h * a->k[0][i] - delta;
    a->term[0][i] = a->y0[i];
    a->term[1][i] = delta;
    a->term[2][i] = r;
    a->term[3][i] = delta - h * a->k_end[i] - r;
  }
  for (int i = 0; i < m->n_dense; i++) combine(a, m->n_all, m->d + i * m->n_all, h, a->term[4 + i]);
  a->extended = true;
  return MW_OK;
}

// y [n] at t within the last step
static mw_code within(mw_rigid_adapt *a, double t, double *y, mw_error *err)
{
  if (t >= a->t1) {
    memcpy(y, a->y1, (size_t)a->n * sizeof *y);
    return MW_OK;
  }
  mw_code rc = a->extended ? MW_OK : extend(a);
  if (rc != MW_OK) return failed(a, rc, a->t1 - a->t0, err);
  double x = (t - a->t0) / (a->t1 - a->t0);
  int top = 3 + a->m->n_dense;
  memcpy(y, a->term[top], (size_t)a->n * sizeof *y);
  for (int j = top - 1; j >= 0; j--) {
    double f = j % 2 == 0 ? x : 1.0 - x;
    for (int i = 0; i < a->n; i++) y[i] = a->term[j][i] + f * y[i];
  }
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

static void erk_close(mw_rigid_adapt *a)
{
  if (!a) return;
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
  return eval(a, a->t, a->y1, a->k_end, err);
}

static mw_code erk_open(mw_rigid_sim *s, const mw_rigid_events *e, mw_rigid_adapt **out,
                        mw_error *err)
{
  mw_rigid_adapt *a = calloc(1, sizeof *a);
  if (!a) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  a->s = s;
  a->e = e;
  a->m = s->in.method == MW_METHOD_DOPRI5 ? &mw_erk_dopri5 : &mw_erk_dop853;
  a->n = 2 * s->n.n_q + 1;
  mw_code rc = allocate(a, err);
  if (rc == MW_OK) {
    mw_rigid_sim_scales(s, a->scale);
    a->scale[2 * s->n.n_q] = s->in.tolerance * mw_rigid_sim_joule(s);
    rc = state_in(a, err);
  }
  if (rc == MW_OK)
    *out = a;
  else
    erk_close(a);
  return rc;
}

static mw_code erk_step(mw_rigid_adapt *a, double stop, int *event, mw_error *err)
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

static mw_code erk_at(mw_rigid_adapt *a, double t, mw_error *err)
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
static int erk_parts(mw_rigid_adapt *a, mw_part *part)
{
  size_t bytes = (size_t)a->n * sizeof(double);
  int n = 0;
  double *const scalar[] = { &a->t, &a->t0, &a->t1, &a->h, &a->last, &a->apart };
  for (int i = 0; i < 6; i++) part[n++] = (mw_part){ scalar[i], sizeof(double) };
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

static double erk_time(const mw_rigid_adapt *a) { return a->t; }
static long erk_steps(const mw_rigid_adapt *a) { return a->steps; }

const mw_rigid_adapt_kind mw_rigid_erk = { .open = erk_open,
                                           .restart = state_in,
                                           .step = erk_step,
                                           .time = erk_time,
                                           .at = erk_at,
                                           .steps = erk_steps,
                                           .stiff = erk_stiff,
                                           .parts = erk_parts,
                                           .close = erk_close };
