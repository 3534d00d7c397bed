// SPDX-License-Identifier: BSD-3-Clause
// rigid_run.c: a run of the rigid path: start, steps from stop to stop, and what is stored of them.
//
// Stops are the stored instants, the kinks of signals and the samples of controllers. No step
// crosses a kink or a sample: it ends some rounding before a kink, so that the signal is seen from
// the left, and the next one starts at it, from the right. Fixed steps divide the time between two
// stops; adaptive methods interpolate at stored instants.
//
// At a stop: new position and velocity, then what is stored (controllers still holding their last
// force), then the sample.
#include <float.h>
#include <math.h>
#include <string.h>

#include "rigid_path_layer.h"
#include "sim/rigidrun.h"

typedef struct walk {
  mw_rigid_sim *s;
  mw_rigid_events e;
  const mw_rigid_adapt_kind *kind;  // NULL: fixed step
  mw_rigid_adapt *adapt;
  double step, period, store;              // s
  int n_store, i_store, i_kink, i_sample;  // stored instants; the next of each
  int event;                               // limit reached, -1: none
  double *keep;                            // copy of the state
  size_t n_keep;
  double *a, *u;  // [n_q], [n_u]  scratch
  const mw_watch *watch;
  double *p;  // [n_body × 12]  of a mw_snapshot
  long steps;
  mw_arena mem;
} walk;

typedef struct stop {
  double t;  // s
  bool store, kink, sample;
} stop;

// ---- options ------------------------------------------------------------------------------------

static const char *const method_name[] = {
  [MW_METHOD_CVODE] = "cvode",       [MW_METHOD_IDA] = "ida",     [MW_METHOD_RK4] = "rk4",
  [MW_METHOD_LEAPFROG] = "leapfrog", [MW_METHOD_ALPHA] = "alpha", [MW_METHOD_MIDPOINT] = "midpoint"
};
enum { N_METHOD = sizeof method_name / sizeof *method_name };

const char *mw_rigid_method_name(mw_method method) { return method_name[method]; }

bool mw_rigid_method_find(const char *name, mw_method *out)
{
  for (int i = 0; i < N_METHOD; i++)
    if (strcmp(name, method_name[i]) == 0) {
      *out = (mw_method)i;
      return true;
    }
  return false;
}

mw_rigid_run_opt mw_rigid_run_opt_default(const mw_scenario *sc)
{
  mw_rigid_run_opt o = { .step = sc->step, .rigid = sc->rigid };
  if (o.rigid.tolerance <= 0.0) o.rigid.tolerance = 1e-8;
  if (o.rigid.projection <= 0.0) o.rigid.projection = 1e-12;
  return o;
}

// ---- stops --------------------------------------------------------------------------------------

static const double NEVER = INFINITY;

static double next_store(const walk *w)
{
  return w->i_store < w->n_store ? w->i_store * w->store : NEVER;
}

static double next_kink(const walk *w)
{
  return w->i_kink < w->e.n_kink ? w->e.kink[w->i_kink] : NEVER;
}

static double next_sample(const walk *w) { return w->e.control ? w->i_sample * w->period : NEVER; }

// The next stop. Instants closer than a part in 1e9 of the intervals are one: at the kink, where
// there is one.
static stop next_stop(walk *w)
{
  double a = next_store(w), b = next_kink(w), c = next_sample(w);
  double t = fmin(a, fmin(b, c)), near = t + 1e-9 * fmin(w->store, w->period);
  stop p = { .t = t, .store = a <= near, .kink = b <= near, .sample = c <= near };
  while (next_kink(w) <= near) p.t = w->e.kink[w->i_kink++];
  if (p.store) w->i_store++;
  if (p.sample) w->i_sample++;
  return p;
}

// ---- state kept ---------------------------------------------------------------------------------

enum { N_PARTS = 7, N_SCALARS = 3 };

static void parts_of(const mw_rigid_sim *s, double *part[N_PARTS], size_t n[N_PARTS])
{
  double *p[N_PARTS] = { s->q, s->v, s->a, s->lambda, s->lambda_s, s->mu, s->aux };
  int size[N_PARTS] = {
    s->n.n_q, s->n.n_q, s->n.n_q, s->n.n_row, s->n.n_soft, s->n.n_row, s->n.n_u
  };
  for (int i = 0; i < N_PARTS; i++) {
    part[i] = p[i];
    n[i] = (size_t)size[i];
  }
}

static size_t keep_size(const mw_rigid_sim *s)
{
  double *part[N_PARTS];
  size_t n[N_PARTS], sum = N_SCALARS;
  parts_of(s, part, n);
  for (int i = 0; i < N_PARTS; i++) sum += n[i];
  return sum;
}

static void keep_state(const mw_rigid_sim *s, double *keep)
{
  double *part[N_PARTS];
  size_t n[N_PARTS];
  parts_of(s, part, n);
  *keep++ = s->t;
  *keep++ = s->work;
  *keep++ = s->power;
  for (int i = 0; i < N_PARTS; keep += n[i], i++) memcpy(keep, part[i], n[i] * sizeof *keep);
}

static void take_back(mw_rigid_sim *s, const double *keep)
{
  double *part[N_PARTS];
  size_t n[N_PARTS];
  parts_of(s, part, n);
  s->t = *keep++;
  s->work = *keep++;
  s->power = *keep++;
  for (int i = 0; i < N_PARTS; keep += n[i], i++) memcpy(part[i], keep, n[i] * sizeof *keep);
}

// ---- from stop to stop --------------------------------------------------------------------------

static mw_code failed(const mw_rigid_sim *s, mw_code rc, mw_error *err)
{
  if (!err || rc != MW_ERR_NUMERIC) return rc;
  char why[sizeof err->msg];
  memcpy(why, err->msg, sizeof why);
  return mw_fail(err, rc, MW_NOWHERE, "t = %g s, method %s: %.400s", s->t,
                 mw_rigid_method_name(s->in.method), why);
}

// The step of length h from the kept state ends outside of a limit: shortens it until it ends just
// there.
static mw_code find_limit(walk *w, double h, mw_error *err)
{
  static const double ENOUGH = 1e-10;  // of the step
  mw_rigid_sim *s = w->s;
  double lo = 0.0, hi = h;
  mw_code rc = MW_OK;
  while (rc == MW_OK && hi - lo > ENOUGH * h) {
    double mid = 0.5 * (lo + hi);
    take_back(s, w->keep);
    rc = mw_rigid_step(s, mid, err);
    if (rc != MW_OK) break;
    if (mw_rigid_events_outside(s, &w->e, s->q) >= 0)
      hi = mid;
    else
      lo = mid;
  }
  take_back(s, w->keep);
  if (rc == MW_OK) rc = mw_rigid_step(s, hi, err);
  if (rc == MW_OK) w->event = mw_rigid_events_outside(s, &w->e, s->q);
  return rc;
}

static mw_code advance_fixed(walk *w, double to, mw_error *err)
{
  mw_rigid_sim *s = w->s;
  double parts = fmax(1.0, ceil((to - s->t) / w->step - 1e-9)), h = (to - s->t) / parts;
  if (!(parts < 1e9))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "step is %g s, too small for an interval of %g s",
                   w->step, to - s->t);
  mw_code rc = MW_OK;
  for (int n = (int)parts; rc == MW_OK && n > 0 && w->event < 0; n--) {
    if (w->e.n_limit > 0) keep_state(s, w->keep);
    // the last one takes the rounding of the others: summed up it would reach over the kink
    if (n == 1) h = to - s->t;
    rc = mw_rigid_step(s, h, err);
    if (rc == MW_OK && w->e.n_limit > 0 && mw_rigid_events_outside(s, &w->e, s->q) >= 0)
      rc = find_limit(w, h, err);
    if (rc != MW_OK) return failed(s, rc, err);
    mw_rigid_accept(s->r, s->w, s->q);
    rc = mw_rigid_accept_turns(s->r, s->w, s->t, s->q, err);
    w->steps++;
  }
  if (w->event < 0) s->t = to;
  return rc;
}

// Steps until `to` is reached, none beyond `hard`; the state at `to`, or at a limit before it.
static mw_code advance_adaptive(walk *w, double to, double hard, mw_error *err)
{
  mw_code rc = MW_OK;
  while (rc == MW_OK && w->event < 0 && w->kind->time(w->adapt) < to)
    rc = w->kind->step(w->adapt, hard, &w->event, err);
  if (rc != MW_OK) return rc;
  double reached = w->kind->time(w->adapt);
  if (w->event >= 0 && reached < to) return w->kind->at(w->adapt, reached, err);
  return w->kind->at(w->adapt, to, err);
}

// Has the run come to a limit?
static bool ended(const walk *w)
{
  return w->event >= 0 && (!w->adapt || w->s->t >= w->kind->time(w->adapt));
}

// Controllers are sampled (else velocities and forces have jumped) at t: a, power, auxiliary
// accelerations follow, adaptive methods begin anew.
static mw_code jump(walk *w, bool sample, mw_error *err)
{
  mw_rigid_sim *s = w->s;
  size_t nq = (size_t)s->n.n_q;
  memcpy(w->a, s->a, nq * sizeof *w->a);
  mw_code rc = MW_OK;
  if (w->adapt) {
    if (sample)
      mw_rigid_sample(s->r, s->w, s->t, s->q, s->v);
    else
      rc = mw_rigid_sim_project(s, true, err);
    return rc == MW_OK ? w->kind->restart(w->adapt, err) : failed(s, rc, err);
  }
  if (!sample) rc = mw_rigid_sim_project(s, true, err);
  if (rc == MW_OK) rc = sample ? mw_rigid_sim_sample(s, err) : mw_rigid_sim_eval(s, err);
  if (rc != MW_OK) return failed(s, rc, err);
  for (size_t i = 0; i < nq; i++) w->a[i] = s->a[i] - w->a[i];
  mw_rigid_twist(s->r, s->q, w->a, w->u);
  for (int i = 0; i < s->n.n_u; i++) s->aux[i] += w->u[i];
  return MW_OK;
}

// ---- what is stored -----------------------------------------------------------------------------

static mw_code store(const walk *w, int k, mw_run *r, mw_error *err)
{
  mw_rigid_sim *s = w->s;
  const mw_model *model = s->m->model;
  size_t i = (size_t)k, nc = (size_t)r->n_coord, nj = (size_t)r->n_joint;
  mw_rigid_energy e;
  mw_rigid_residual res;
  mw_code rc = mw_rigid_accel(s->r, s->w, s->t, s->q, s->v, w->a, err);
  if (rc != MW_OK) return failed(s, rc, err);
  mw_rigid_energies(s->r, s->w, s->t, s->q, s->v, &e);
  mw_rigid_drive_forces(s->r, s->w, r->force + i * (size_t)r->n_drive);
  int redundant = mw_rigid_redundant(s->r, s->w, r->redundant + i * nj);
  rc = mw_rigid_reactions(s->r, s->w, r->reaction + i * nj * 6, err);
  if (rc != MW_OK) return failed(s, rc, err);
  mw_rigid_coords(s->r, s->w, s->q, s->v, r->s + i * nc, r->s_dot + i * nc);
  for (int o = 0; o < r->n_out; o++)
    mw_rigid_point(s->r, model->output[r->out[o]].ref, model->output[r->out[o]].x, s->q, NULL,
                   r->y + (i * (size_t)r->n_out + (size_t)o) * 3, NULL);
  mw_rigid_residuals(s->r, s->w, s->t, s->q, s->v, w->a, &res);
  r->t[k] = s->t;
  r->kinetic[k] = e.kinetic;
  r->potential[k] = e.potential;
  r->work[k] = s->work;
  r->residual[k] = res.position;
  r->residual_v[k] = res.velocity;
  r->residual_a[k] = res.acceleration;
  // the least reactions have left factors of their own
  if (redundant > 0) rc = mw_rigid_accel(s->r, s->w, s->t, s->q, s->v, w->a, err);
  return rc == MW_OK ? rc : failed(s, rc, err);
}

static mw_code show(const walk *w, int k, mw_error *err)
{
  if (!mw_watch_due(w->watch, k)) return MW_OK;
  mw_rigid_to_frames(w->s->r, w->s->q, w->p);
  mw_snapshot snap = { .t = w->s->t, .p = w->p };
  return w->watch->put(w->watch->ctx, &snap, err);
}

static mw_code store_and_show(const walk *w, int k, mw_run *r, mw_error *err)
{
  mw_code rc = store(w, k, r, err);
  return rc == MW_OK ? show(w, k, err) : rc;
}

// ---- run ----------------------------------------------------------------------------------------

static mw_code go_to(walk *w, const stop *p, mw_error *err)
{
  mw_rigid_sim *s = w->s;
  double to = p->kink ? mw_signal_before(p->t) : p->t;
  double end = fmin(next_sample(w), (w->n_store - 1) * w->store);
  double hard = p->kink || p->sample ? to : fmin(end, mw_signal_before(next_kink(w)));
  mw_code rc = w->adapt ? advance_adaptive(w, to, hard, err) : advance_fixed(w, to, err);
  if (rc != MW_OK || ended(w)) return rc;
  s->t = p->t;
  return p->kink ? jump(w, false, err) : MW_OK;
}

static mw_code walk_along(walk *w, mw_progress *progress, mw_run *r, mw_error *err)
{
  mw_rigid_sim *s = w->s;
  mw_code rc = store_and_show(w, 0, r, err);
  w->i_store = w->i_sample = 1;
  while (rc == MW_OK && w->i_store < w->n_store && !ended(w)) {
    double start = mw_wall_time();
    stop p = next_stop(w);
    rc = go_to(w, &p, err);
    r->wall_s += mw_wall_time() - start;
    if (rc != MW_OK) break;
    if (ended(w)) {
      r->n_t = w->i_store + (p.store ? 0 : 1);
      rc = store_and_show(w, r->n_t - 1, r, err);
    } else if (p.store) {
      rc = store_and_show(w, w->i_store - 1, r, err);
    }
    if (rc == MW_OK && p.sample && !ended(w) && w->i_store < w->n_store) {
      start = mw_wall_time();
      rc = jump(w, true, err);
      r->wall_s += mw_wall_time() - start;
    }
    mw_progress_step(progress, s->t);
  }
  return rc;
}

// Start, first accelerations, the method.
static mw_code set_up(walk *w, mw_error *err)
{
  mw_rigid_sim *s = w->s;
  w->keep = mw_arena_f64(&w->mem, keep_size(s));
  w->a = mw_arena_f64(&w->mem, (size_t)s->n.n_q);
  w->p = mw_arena_f64(&w->mem, 12 * (size_t)s->m->n_body);
  w->u = mw_arena_f64(&w->mem, (size_t)s->n.n_u);
  mw_code rc = mw_arena_check(&w->mem, err);
  if (rc == MW_OK) rc = mw_rigid_events_build(s, &w->mem, &w->e, err);
  if (rc == MW_OK) rc = mw_rigid_start(s, err);
  if (rc == MW_OK) rc = mw_rigid_accept_turns(s->r, s->w, s->t, s->q, err);
  if (rc != MW_OK) return rc;
  if (w->e.n_limit > 0) {
    mw_rigid_coords(s->r, s->w, s->q, NULL, w->e.s, NULL);
    rc = mw_limits_check(s->m, s->sc, w->e.limit, w->e.n_limit, w->e.s, err);
    if (rc != MW_OK) return rc;
  }
  mw_rigid_sample(s->r, s->w, 0.0, s->q, s->v);
  rc = mw_rigid_sim_eval(s, err);
  if (rc != MW_OK) return failed(s, rc, err);
  if (s->in.method == MW_METHOD_CVODE) w->kind = &mw_rigid_cvode;
  if (s->in.method == MW_METHOD_IDA) w->kind = &mw_rigid_ida;
  return w->kind ? w->kind->open(s, &w->e, &w->adapt, err) : mw_rigid_step_init(s, err);
}

static void close_run(walk *w, mw_run *r)
{
  mw_rigid_sim *s = w->s;
  if (w->adapt) w->steps = w->kind->steps(w->adapt);
  double t = r->t[r->n_t - 1];
  r->unknowns = s->n.n_u + s->n.n_row;
  r->method = mw_rigid_method_name(s->in.method);
  r->steps = (int)w->steps;
  r->iterations = s->iterations;
  r->set_changes = mw_rigid_changes(s->w);
  r->step = w->kind ? (w->steps > 0 ? t / (double)w->steps : 0.0) : w->step;
  if (w->event >= 0) r->event = mw_limit_text(s->m, w->e.limit, w->event, t, &r->mem);
  mw_run_finish(r);
}

mw_code mw_rigid_run(const mw_mech *m, const mw_scenario *sc, const mw_rigid_run_opt *opt,
                     mw_progress *progress, mw_run *out, mw_error *err)
{
  mw_rigid_run_opt o = opt ? *opt : mw_rigid_run_opt_default(sc);
  mw_rigid_sim s = { 0 };
  mw_run r = { 0 };
  walk w = { .s = &s,
             .step = o.step,
             .period = sc->control_period,
             .store = sc->store,
             .event = -1,
             .watch = o.watch };
  if (!(o.step > 0.0))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "step is %g s, must be positive", o.step);
  mw_code rc = mw_run_init(m->model, sc, "rigid", m->n_coord, &r, err);
  if (rc == MW_OK) rc = mw_run_init_rigid(&r, err);
  if (rc == MW_OK) rc = mw_rigid_sim_init(m, sc, o.rigid, &s, err);
  if (rc == MW_OK) {
    w.n_store = r.n_t;
    rc = set_up(&w, err);
  }
  mw_progress_start(progress, "rigid", sc->duration);
  if (rc == MW_OK) rc = walk_along(&w, progress, &r, err);
  mw_progress_end(progress);
  if (rc == MW_OK) {
    close_run(&w, &r);
    mw_run_warn_limited(&r, mw_rigid_control(s.w));
    rc = mw_arena_check(&r.mem, err);
  }
  if (w.adapt) w.kind->close(w.adapt);
  mw_arena_free(&w.mem);
  mw_rigid_sim_free(&s);
  if (rc == MW_OK)
    *out = r;
  else
    mw_run_free(&r);
  return rc;
}
