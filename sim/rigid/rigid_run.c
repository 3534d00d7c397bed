// SPDX-License-Identifier: BSD-3-Clause
// rigid_run.c: path rigid in the run loop (run/path_layer.h): options, steps, what is stored.
//
// Fixed steps divide the time between two instants; adaptive methods go on by steps of their own,
// beyond instants that nothing happens at, and interpolate there.
#include <math.h>
#include <string.h>

#include "rigid_carried_layer.h"
#include "rigid_path_layer.h"
#include "run/flank_layer.h"
#include "run/lockup_layer.h"
#include "run/observe_layer.h"
#include "sim/rigidrun.h"
#include "verdict/wholetext_layer.h"

typedef struct rigid_path {
  mw_rigid_sim s;
  mw_rigid_run_opt opt;
  mw_rigid_events e;
  const mw_rigid_adapt_kind *kind;  // NULL: fixed step
  mw_rigid_adapt *adapt;
  double stiff_from;  // s, where method auto went over to radau; NaN: it has not
  long steps;         // made before that
  int event;          // limit that an adaptive method has met, maybe beyond the instant; -1: none
  double *keep;       // copy of the state
  size_t n_keep;
  double *a, *u;     // [n_q], [n_u]  scratch
  double *p;         // [n_body × 12]  of a mw_snapshot
  int unsure;        // joint whose friction is least certain of those seen, -1: none
  double normal[2];  // N, its normal force and that of least norm
  mw_observing observer;
  mw_arena mem;
} rigid_path;

// ---- options ------------------------------------------------------------------------------------

mw_rigid_run_opt mw_rigid_run_opt_default(const mw_scenario *sc)
{
  mw_rigid_run_opt o = { .step = sc->step, .rigid = sc->rigid };
  if (o.rigid.tolerance <= 0.0) o.rigid.tolerance = 1e-8;
  if (o.rigid.projection <= 0.0) o.rigid.projection = 1e-12;
  return o;
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

// ---- steps --------------------------------------------------------------------------------------

// Says when, and by which method; a unit's error has a place of its own, and says when.
static mw_code failed(const mw_rigid_sim *s, mw_code rc, mw_error *err)
{
  if (!err || rc != MW_ERR_NUMERIC || err->file[0]) return rc;
  char why[sizeof err->msg];
  memcpy(why, err->msg, sizeof why);
  return mw_fail(err, rc, MW_NOWHERE, "t = %g s, method %s: %.400s", s->t,
                 mw_method_name(s->in.method), why);
}

// Says behind the error of a step which prescribed coordinate has come to a dead point.
static mw_code explained(rigid_path *w, mw_code rc, mw_error *err)
{
  if (!err || rc != MW_ERR_NUMERIC || err->file[0]) return rc;
  const mw_rigid_sim *s = &w->s;
  char dead[160];
  mw_arena mem = { 0 };
  double *at = mw_arena_f64(&mem, (size_t)s->m->n_coord);
  if (!at) return rc;
  memcpy(w->p, s->m->p0, 12 * (size_t)s->m->n_body * sizeof *w->p);  // of the ground
  mw_rigid_to_frames(s->r, s->q, w->p);
  mw_rigid_coords(s->r, s->w, s->q, NULL, at, NULL);
  mw_lockup_of_scenario(s->m, s->sc, s->t, w->p, at, dead, sizeof dead);
  mw_arena_free(&mem);
  return mw_lockup_append(rc, dead, err);
}

static bool chooses(const void *p) { return ((const rigid_path *)p)->kind != NULL; }

static void coords(void *p, double *s)
{
  rigid_path *w = p;
  mw_rigid_coords(w->s.r, w->s.w, w->s.q, NULL, s, NULL);
}

static void keep(void *p)
{
  rigid_path *w = p;
  if (!w->kind) keep_state(&w->s, w->keep);
}

// Controllers are sampled (else velocities and forces have jumped) at t: a, power, auxiliary
// accelerations follow, adaptive methods begin anew.
static mw_code jump(rigid_path *w, bool sample, mw_error *err)
{
  mw_rigid_sim *s = &w->s;
  size_t nq = (size_t)s->n.n_q;
  memcpy(w->a, s->a, nq * sizeof *w->a);
  mw_code rc = MW_OK;
  if (w->adapt) {
    rc = sample ? mw_rigid_sample(s->r, s->w, s->t, s->q, s->v, err)
                : mw_rigid_sim_project(s, true, err);
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

// Method auto goes over to radau, at the end of the last step.
static mw_code go_implicit(rigid_path *w, mw_error *err)
{
  mw_rigid_adapt *old = w->adapt;
  w->stiff_from = w->kind->time(old);
  w->steps = w->kind->steps(old);
  mw_code rc = w->kind->at(old, w->stiff_from, err);
  if (rc != MW_OK) return rc;
  w->kind->close(old);
  w->adapt = NULL;
  w->kind = &mw_rigid_implicit;
  return w->kind->open(&w->s, &w->e, &w->adapt, err);
}

// Steps of an adaptive method until the end of sp is reached, none beyond sp->hard; the state
// there, or at a limit before it.
static mw_code adapt(rigid_path *w, mw_span *sp, mw_error *err)
{
  mw_code rc = MW_OK;
  // implicit methods do not know what is inside of components
  bool may_change = w->s.in.method == MW_METHOD_AUTO && w->s.m->model->n_component == 0;
  while (rc == MW_OK && w->event < 0 && w->kind->time(w->adapt) < sp->to) {
    if (may_change && w->kind->stiff && w->kind->stiff(w->adapt)) rc = go_implicit(w, err);
    if (rc == MW_OK) rc = w->kind->step(w->adapt, sp->hard, &w->event, err);
  }
  if (rc != MW_OK) return rc;
  double reached = w->kind->time(w->adapt);
  if (w->event < 0 || reached > sp->to) return w->kind->at(w->adapt, sp->to, err);
  sp->event = w->event;
  sp->took = reached - sp->t;
  return w->kind->at(w->adapt, reached, err);
}

static mw_code step(void *p, mw_span *sp, mw_error *err)
{
  rigid_path *w = p;
  mw_code rc = MW_OK;
  // the start has sampled
  if (sp->tau >= 0.0 && sp->t > 0.0) rc = jump(w, true, err);
  if (rc != MW_OK) return explained(w, rc, err);
  if (w->kind) return explained(w, adapt(w, sp, err), err);
  rc = mw_rigid_step(&w->s, sp->h, err);
  return rc == MW_OK ? rc : explained(w, failed(&w->s, rc, err), err);
}

// Takes the step again, from the state it began with.
static mw_code within(void *p, const mw_span *sp, bool not_taken, double tau, mw_error *err)
{
  rigid_path *w = p;
  (void)sp;
  (void)not_taken;
  take_back(&w->s, w->keep);
  mw_code rc = tau > 0.0 ? mw_rigid_step(&w->s, tau, err) : MW_OK;
  return rc == MW_OK ? rc : failed(&w->s, rc, err);
}

static mw_code accept(void *p, const mw_span *sp, mw_error *err)
{
  rigid_path *w = p;
  mw_rigid_sim *s = &w->s;
  mw_code rc = MW_OK;
  if (!w->kind) {
    mw_rigid_accept(s->r, s->w, s->q);
    rc = failed(s, mw_rigid_accept_turns(s->r, s->w, s->t, s->q, err), err);
  }
  if (rc != MW_OK || sp->event >= 0) return rc;
  s->t = sp->end;
  return sp->kink ? jump(w, false, err) : MW_OK;
}

// ---- what is stored -----------------------------------------------------------------------------

// Observed outputs of instant k, with the accelerations in w->a. Nothing is deformed.
static void see(const rigid_path *w, int k, mw_run *r)
{
  const mw_rigid_sim *s = &w->s;
  const mw_model *m = s->m->model;
  for (int o = 0; w->observer.on && o < m->n_output; o++) {
    const mw_output_in *out = &m->output[o];
    int row = mw_output_row(m, o);
    double x[3];
    if (mw_output_is_gauge(out)) continue;
    mw_rigid_point(s->r, out->ref, out->x, s->q, s->v, w->observer.y + row,
                   w->observer.y_dot + row);
    mw_rigid_point(s->r, out->ref, out->x, s->q, w->a, x, w->observer.y_ddot + row);
    memcpy(w->observer.y_rest + row, w->observer.y + row, sizeof x);
  }
  mw_observing_put(&w->observer, k, r->reaction + 6 * (size_t)k * (size_t)r->n_joint, r);
}

static void see_flanks(const rigid_path *w, int k, mw_run *r)
{
  const mw_rigid_sim *s = &w->s;
  memcpy(w->p, s->m->p0, 12 * (size_t)s->m->n_body * sizeof *w->p);  // of the ground
  mw_rigid_to_frames(s->r, s->q, w->p);
  for (int j = 0; j < s->m->n_joint; j++) {
    const mw_joint *jt = &s->m->joint[j];
    const double *y = r->reaction + 6 * ((size_t)k * (size_t)r->n_joint + (size_t)j);
    if (mw_run_has_flank(r, jt)) mw_run_flank(r, jt, j, s->t, w->p + 12 * jt->a, y);
  }
}

// Friction by reactions that are not unique, after these.
static void see_friction(rigid_path *w)
{
  double N[2];
  int j = mw_rigid_friction_unsure(w->s.r, w->s.w, N);
  if (j < 0 || fabs(N[0] - N[1]) <= fabs(w->normal[0] - w->normal[1])) return;
  w->unsure = j;
  memcpy(w->normal, N, sizeof N);
}

static void tell_friction(const rigid_path *w, mw_run *r)
{
  if (w->unsure >= 0)
    mw_run_add_warning(r,
                       "friction of joint %s rests on a reaction that redundant rows leave open: "
                       "its normal force is %.4g N, of the reactions of least norm %.4g N; joints "
                       "that hold no more than is needed (primitives) make it unique",
                       w->s.m->joint[w->unsure].name, w->normal[0], w->normal[1]);
}

static mw_code observe_alone(rigid_path *w, int k, mw_run *r, mw_error *err)
{
  mw_rigid_sim *s = &w->s;
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
  if (redundant > 0) see_friction(w);
  mw_rigid_coords(s->r, s->w, s->q, s->v, r->s + i * nc, r->s_dot + i * nc);
  for (int o = 0; o < r->n_out; o++)
    mw_rigid_point(s->r, model->output[r->out[o]].ref, model->output[r->out[o]].x, s->q, NULL,
                   r->y + (i * (size_t)r->n_out + (size_t)o) * 3, NULL);
  see(w, k, r);
  if (r->flank) see_flanks(w, k, r);
  mw_rigid_residuals(s->r, s->w, s->t, s->q, s->v, w->a, &res);
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

// Each rank alike: a whole acceleration with its factors, few beside those of steps.
static mw_code observe(void *p, int k, mw_run *r, mw_error *err)
{
  rigid_path *w = p;
  mw_rigid_work_alone(w->s.w, true);
  mw_code rc = observe_alone(w, k, r, err);
  mw_rigid_work_alone(w->s.w, false);
  return rc;
}

static mw_code agree(void *p, mw_code rc, mw_error *err)
{
  const rigid_path *w = p;
  return mw_rigid_sim_agree(&w->s, rc, err);
}

static void show(void *p, mw_snapshot *out)
{
  rigid_path *w = p;
  mw_rigid_to_frames(w->s.r, w->s.q, w->p);
  out->p = w->p;
  out->n_q = w->s.n.n_q;
  out->q = w->s.q;
  out->v = w->s.v;
}

// ---- the path -----------------------------------------------------------------------------------

static const mw_rigid_adapt_kind *kind_of(mw_method method)
{
  switch (method) {
  case MW_METHOD_AUTO:
  case MW_METHOD_DOPRI5:
  case MW_METHOD_DOP853:
  case MW_METHOD_RADAU: return &mw_rigid_onestep;
  case MW_METHOD_CVODE:
  case MW_METHOD_ADAMS: return &mw_rigid_cvode;
  case MW_METHOD_IDA: return &mw_rigid_ida;
  default: return NULL;  // fixed step
  }
}

static bool promise_left(void *work, int k, char *left, size_t n)
{
  return mw_rigid_component_promise(work, k, left, n);
}

static mw_code open(void *p, const mw_path_in *in, double h, mw_run *r, mw_error *err)
{
  rigid_path *w = p;
  mw_rigid_sim *s = &w->s;
  char why[160];
  (void)h;
  w->opt = *(const mw_rigid_run_opt *)in->opt;
  w->event = w->unsure = -1;
  w->stiff_from = NAN;
  w->e = (mw_rigid_events){ .n_limit = in->n_limit, .limit = in->limit };
  mw_code rc = mw_run_init_rigid(r, err);
  if (rc == MW_OK) rc = mw_run_init_flanks(r, in->mech, err);
  if (rc == MW_OK) rc = mw_rigid_carried_note(in->mech, in->sc, r, err);
  if (rc == MW_OK && w->opt.team) rc = mw_rigid_run_ranks_check(in->sc, &w->opt.rigid, err);
  if (w->opt.team) w->opt.rigid.threads = 1;  // the groups, by which the bits are the same
  if (rc == MW_OK) rc = mw_rigid_sim_init(in->mech, in->sc, w->opt.rigid, s, err);
  if (rc != MW_OK) return rc;
  mw_rigid_take_units(s->w, mw_cosim_units(in->cosim));
  if (w->opt.team) rc = mw_rigid_sim_join(s, w->opt.team, err);
  if (rc != MW_OK) return rc;
  if (s->in.threads > 1 && !mw_rigid_run_shares(s->m, why, sizeof why))
    mw_run_add_note(r, "one thread instead of %d: %s", s->in.threads, why);
  w->keep = mw_arena_f64(&w->mem, keep_size(s));
  w->a = mw_arena_f64(&w->mem, (size_t)s->n.n_q);
  w->p = mw_arena_f64(&w->mem, 12 * (size_t)s->m->n_body);
  w->u = mw_arena_f64(&w->mem, (size_t)s->n.n_u);
  w->e.s = mw_arena_f64(&w->mem, (size_t)s->m->n_coord);
  w->kind = kind_of(s->in.method);
  if (!w->kind)
    rc = mw_rigid_component_step(s->r, in->step, s->in.method == MW_METHOD_LEAPFROG, err);
  if (rc != MW_OK) return rc;
  rc = mw_arena_check(&w->mem, err);
  return rc == MW_OK ? mw_observing_init(s->m, &w->mem, &w->observer, err) : rc;
}

// Start, first accelerations, the method.
static mw_code start(void *p, mw_error *err)
{
  rigid_path *w = p;
  mw_rigid_sim *s = &w->s;
  mw_code rc = mw_rigid_start(s, err);
  if (rc == MW_OK) rc = mw_rigid_accept_turns(s->r, s->w, s->t, s->q, err);
  if (rc != MW_OK) return rc;
  rc = mw_rigid_sample(s->r, s->w, 0.0, s->q, s->v, err);
  if (rc == MW_OK) rc = mw_rigid_sim_eval(s, err);
  if (rc != MW_OK) return explained(w, failed(s, rc, err), err);
  rc = w->kind ? w->kind->open(s, &w->e, &w->adapt, err) : mw_rigid_step_init(s, err);
  return rc == MW_OK ? rc : explained(w, rc, err);
}

static int parts(void *p, mw_part *part)
{
  rigid_path *w = p;
  mw_rigid_sim *s = &w->s;
  double *piece[N_PARTS];
  size_t size[N_PARTS];
  int n = 0;
  // what auto has gone over to is not what a run begins with
  if (w->kind && (!w->kind->parts || isfinite(w->stiff_from))) return -1;
  parts_of(s, piece, size);
  for (int i = 0; i < N_PARTS; i++) part[n++] = (mw_part){ piece[i], size[i] * sizeof(double) };
  part[n++] = (mw_part){ &s->t, sizeof s->t };
  part[n++] = (mw_part){ &s->work, sizeof s->work };
  part[n++] = (mw_part){ &s->power, sizeof s->power };
  part[n++] = (mw_part){ &s->iterations, sizeof s->iterations };
  part[n++] = (mw_part){ &w->event, sizeof w->event };
  if (w->adapt) n += w->kind->parts(w->adapt, part + n);
  return n + mw_rigid_work_parts(s->r, s->w, part + n);
}

// Factors are made again as observe left them; what that changes of the memory is put back.
static mw_code resume(void *p, mw_error *err)
{
  rigid_path *w = p;
  mw_rigid_sim *s = &w->s;
  mw_part part[MW_RIGID_PARTS];
  void *kept[MW_RIGID_PARTS];
  mw_arena tmp = { 0 };
  int n = mw_rigid_work_parts(s->r, s->w, part);
  for (int i = 0; i < n; i++) kept[i] = mw_arena_alloc(&tmp, part[i].bytes, 1);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < n; i++) memcpy(kept[i], part[i].at, part[i].bytes);
  if (rc == MW_OK) rc = mw_rigid_accel(s->r, s->w, s->t, s->q, s->v, w->a, err);
  for (int i = 0; rc == MW_OK && i < n; i++) memcpy(part[i].at, kept[i], part[i].bytes);
  mw_arena_free(&tmp);
  return rc == MW_OK ? rc : failed(s, rc, err);
}

static mw_code finish(void *p, mw_run *r, mw_error *err)
{
  rigid_path *w = p;
  mw_rigid_sim *s = &w->s;
  (void)err;
  r->unknowns = s->n.n_u + s->n.n_row;
  r->method = mw_method_name(s->in.method == MW_METHOD_AUTO ? MW_METHOD_DOP853 : s->in.method);
  if (isfinite(w->stiff_from)) {
    r->method = mw_method_name(MW_METHOD_RADAU);
    mw_run_add_note(r, "radau from t = %.4g s on: stability limited the steps of dop853",
                    w->stiff_from);
  }
  r->iterations = s->iterations;
  r->set_changes = mw_rigid_changes(s->w);
  mw_run_warn_flanks(r, s->m);
  mw_run_warn_limited(r, mw_rigid_control(s->w));
  mw_parts_tell(s->m->model, promise_left, s->w, r);
  tell_friction(w, r);
  if (!w->kind) return MW_OK;
  r->steps = (int)(w->steps + w->kind->steps(w->adapt));
  r->step = r->steps > 0 ? r->t[r->n_t - 1] / r->steps : 0.0;
  return MW_OK;
}

static void close_path(void *p)
{
  rigid_path *w = p;
  if (w->adapt) w->kind->close(w->adapt);
  mw_arena_free(&w->mem);
  mw_rigid_sim_free(&w->s);
}

const mw_path mw_path_rigid = { .name = "rigid",
                                .bytes = sizeof(rigid_path),
                                .lands = true,
                                .positions = true,
                                .open = open,
                                .start = start,
                                .chooses = chooses,
                                .coords = coords,
                                .step = step,
                                .keep = keep,
                                .within = within,
                                .accept = accept,
                                .observe = observe,
                                .show = show,
                                .agree = agree,
                                .parts = parts,
                                .resume = resume,
                                .finish = finish,
                                .close = close_path };

mw_code mw_rigid_run(const mw_mech *m, const mw_scenario *sc, const mw_rigid_run_opt *opt,
                     mw_progress *progress, mw_run *out, mw_error *err)
{
  mw_rigid_run_opt o = opt ? *opt : mw_rigid_run_opt_default(sc);
  const mw_path_in in = {
    .model = m->model, .mech = m, .sc = sc, .name = "rigid", .step = o.step, .opt = &o
  };
  return mw_loop_run(&mw_path_rigid, &in, o.watch, progress, out, err);
}
