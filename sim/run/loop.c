// SPDX-License-Identifier: BSD-3-Clause
// loop.c: the run of a scenario, the same for every path: instants, limits, what is stored when.
//
// Instants are the ticks (points of a path's grid; without a grid the stored instants) and, for
// paths that land on them, kinks of signals and samples of controllers. Between two of them the
// loop takes steps: one on a grid, else as many equal ones as the step asked for makes necessary.
// A step to a kink ends some rounding before it, so that the signal is seen from the left; the next
// one starts at it, from the right. At an instant: the state, what is stored of it (controllers
// still holding their last force), then the sample.
//
// A step that ends outside of a limit of a coordinate, or that could not be taken, is shortened by
// halves until it ends just inside, to 2⁻³⁴ (6e-11) of its length: the run ends there.
#include "loop_layer.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fem/control.h"

static const double NEAR = 1e-9;  // of a length of time: instants closer than that are one
static const double NEVER = INFINITY;

// ---- kinks --------------------------------------------------------------------------------------

// A signal has a kink where its value, slope or curvature jumps. Controllers see their signals at
// samples alone.
static int all_kinks(const mw_loop *l, double *t)
{
  const mw_model *model = l->in.model;
  const mw_scenario *sc = l->in.sc;
  int n = 0;
  for (int k = 0; k < sc->n_action; k++) {
    const mw_action *a = &sc->action[k];
    if (a->kind == MW_ACTION_CONTROL) continue;
    if (a->kind == MW_ACTION_POSITION && !l->path->positions) continue;
    n += mw_signal_kinks(&a->signal, t ? t + n : NULL);
  }
  for (int k = 0; k < model->n_force; k++)
    if (model->force[k].has_signal) n += mw_signal_kinks(&model->force[k].signal, t ? t + n : NULL);
  return n;
}

static int ascending(const void *x, const void *y)
{
  double a = *(const double *)x, b = *(const double *)y;
  return a < b ? -1 : a > b;
}

// Sorted, within the run, each once.
static int tidy(double *t, int n, double end)
{
  int kept = 0;
  qsort(t, (size_t)n, sizeof *t, ascending);
  for (int i = 0; i < n; i++)
    if (t[i] > 0.0 && t[i] < end && (kept == 0 || t[i] > t[kept - 1])) t[kept++] = t[i];
  return kept;
}

// ---- instants -----------------------------------------------------------------------------------

static double next_tick(const mw_loop *l)
{
  if (l->ticks >= l->n_ticks) return NEVER;
  return l->h > 0.0 ? (l->ticks + 1) * l->h : (l->ticks + 1) * l->in.sc->store;
}

static double next_kink(const mw_loop *l)
{
  return l->path->lands && l->i_kink < l->n_kink ? l->kink[l->i_kink] : NEVER;
}

static double next_sample(const mw_loop *l)
{
  return l->path->lands && l->controlled ? (double)l->i_sample * l->period : NEVER;
}

// Instants closer than near are one: at the kink, where there is one; on a grid at its point.
static mw_instant next_instant(mw_loop *l)
{
  double a = next_tick(l), b = next_kink(l), c = next_sample(l), t = fmin(a, fmin(b, c));
  double near = t + l->near;
  mw_instant p = { .t = t, .tick = a <= near, .kink = b <= near, .sample = c <= near };
  bool at_tick = p.tick && l->h > 0.0;
  if (at_tick) p.t = a;
  for (; next_kink(l) <= near; l->i_kink++)
    if (!at_tick) p.t = l->kink[l->i_kink];
  if (p.tick) l->ticks++;
  if (p.sample) l->i_sample++;
  return p;
}

bool mw_loop_stored(const mw_loop *l)
{
  return l->left == 0 && l->event < 0 && l->to.tick && l->ticks % l->per_store == 0;
}

// The instant where the last step before it ends.
static double end_of(const mw_instant *p, bool grid)
{
  return p->kink && !grid ? mw_signal_before(p->t) : p->t;
}

static mw_code lead_on(mw_loop *l, mw_error *err)
{
  l->to = next_instant(l);
  l->left = 1;
  double stop = fmin(next_sample(l), l->n_ticks * l->in.sc->store);
  l->hard = l->to.kink || l->to.sample ? end_of(&l->to, false)
                                       : fmin(stop, mw_signal_before(next_kink(l)));
  if (l->h > 0.0 || (l->path->chooses && l->path->chooses(l->p))) return MW_OK;
  double time = end_of(&l->to, false) - l->t, parts = fmax(1.0, ceil(time / l->in.step - NEAR));
  if (!(parts < 1e9))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "step is %g s, too small for an interval of %g s",
                   l->in.step, time);
  l->left = (int)parts;
  l->length = time / parts;
  return MW_OK;
}

// When controllers are sampled in a step over sp, of a path that does not land there.
static void sample_within(mw_loop *l, mw_span *sp)
{
  double next = (double)l->i_sample * l->period;
  if (!(next < sp->t + sp->h * (1.0 - NEAR))) return;
  sp->tau = next <= sp->t + NEAR * sp->h ? 0.0 : next - sp->t;
  l->i_sample++;
}

static mw_span next_span(mw_loop *l)
{
  bool grid = l->h > 0.0, last = l->left == 1;
  double end = end_of(&l->to, grid);
  mw_span sp = { .t = l->t, .tau = -1.0, .event = -1, .kink = last && l->to.kink };
  // the last step takes the rounding of the others: summed up it would reach over the kink
  sp.h = last ? end - l->t : l->length;
  if (grid && l->to.tick && sp.h >= (1.0 - NEAR) * l->h) sp.h = l->h;
  sp.to = last ? end : l->t + sp.h;
  sp.end = last ? l->to.t : sp.to;
  sp.hard = l->hard;
  if (!l->path->lands)
    sample_within(l, &sp);
  else if (l->due)
    sp.tau = 0.0;
  l->due = false;
  sp.took = sp.h;
  return sp;
}

// ---- limits -------------------------------------------------------------------------------------

static int outside(mw_loop *l)
{
  l->path->coords(l->p, l->s);
  return mw_limits_outside(l->limit, l->n_limit, l->s);
}

// Limit that a coordinate is at, where what is known of the mechanism ends; -1: none.
static int at_limit(mw_loop *l)
{
  static const double AT = 1e-6;  // of the range, m or rad
  l->path->coords(l->p, l->s);
  for (int g = 0; g < 2 * l->n_limit; g++) {
    const mw_limit *k = &l->limit[g / 2];
    double range = k->hi - k->lo, at = AT * (isfinite(range) ? range : 1.0);
    if (fabs(l->s[k->coord] - mw_limit_value(l->limit, g)) <= at) return g;
  }
  return -1;
}

// The step over sp ended outside of a limit, or failed (rc): shortens it until it ends inside.
// sp->event stays -1 where it is no limit that it failed at.
static mw_code meet(mw_loop *l, mw_span *sp, mw_code rc, mw_error *err)
{
  enum { HALVINGS = 34 };
  bool failed = rc != MW_OK;
  double lo = 0.0, hi = sp->h;
  int met = failed ? -1 : outside(l);
  mw_error why = { 0 };
  for (int i = 0; i <= HALVINGS; i++) {
    double tau = i < HALVINGS ? 0.5 * (lo + hi) : lo;
    mw_code at = l->path->within(l->p, sp, failed, tau, &why);
    if (at != MW_OK && at != MW_ERR_RANGE) {
      if (err) *err = why;
      return at;
    }
    int out = at == MW_OK && i < HALVINGS ? outside(l) : -1;
    if (out >= 0) met = out;
    if (out >= 0 || at != MW_OK)
      hi = tau;
    else
      lo = tau;
  }
  sp->event = met >= 0 ? met : at_limit(l);
  sp->took = lo;
  return sp->event >= 0 ? MW_OK : rc;
}

static mw_code take_step(mw_loop *l, mw_span *sp, mw_error *err)
{
  if (l->n_limit > 0 && l->path->keep) l->path->keep(l->p);
  mw_code rc = l->path->step(l->p, sp, err);
  bool known = rc == MW_OK || rc == MW_ERR_RANGE;
  if (l->n_limit > 0 && known && sp->event < 0 && (rc != MW_OK || outside(l) >= 0))
    rc = meet(l, sp, rc, err);
  if (rc == MW_OK) rc = l->path->accept(l->p, sp, err);
  if (rc != MW_OK) return rc;
  l->steps++;
  l->left--;
  l->event = sp->event;
  l->t = sp->event >= 0 ? sp->t + sp->took : sp->end;
  if (l->contacts.n == 0) return MW_OK;
  l->path->coords(l->p, l->s);
  mw_contacts_step(&l->contacts, l->in.mech, sp->t, l->s);
  return MW_OK;
}

// ---- what is stored -----------------------------------------------------------------------------

static mw_code store(mw_loop *l, int k, mw_error *err)
{
  l->r->t[k] = l->t;
  mw_code rc = l->path->observe(l->p, k, l->r, err);
  if (rc == MW_OK && mw_watch_due(l->watch, k)) {
    mw_snapshot snap = { .t = l->t };
    l->path->show(l->p, &snap);
    rc = l->watch->put(l->watch->ctx, &snap, err);
  }
  return l->path->agree ? l->path->agree(l->p, rc, err) : rc;
}

// ---- run ----------------------------------------------------------------------------------------

bool mw_loop_ended(const mw_loop *l)
{
  return l->event >= 0 || (l->left == 0 && l->ticks >= l->n_ticks);
}

// At the instant, or at a limit before it.
static mw_code arrive(mw_loop *l, mw_error *err)
{
  mw_run *r = l->r;
  bool met = l->event >= 0;
  mw_code rc = MW_OK;
  // stored instants so far
  int k = 1 + (l->ticks - l->to.tick) / l->per_store;
  if (met) {
    r->n_t = k + 1;
    r->event = mw_limit_text(l->in.mech, l->limit, l->event, l->t, &r->mem);
    rc = mw_arena_check(&r->mem, err);
  }
  if (rc == MW_OK && (met || mw_loop_stored(l))) rc = store(l, k, err);
  l->due = l->to.sample;
  mw_progress_step(l->progress, l->t);
  return rc;
}

// A run that ends in an error because its loop is unstable says so.
static mw_code explain(const mw_loop *l, mw_code rc, mw_error *err)
{
  if ((rc != MW_ERR_NUMERIC && rc != MW_ERR_RANGE) || !l->unstable || !err) return rc;
  char why[sizeof err->msg];
  memcpy(why, err->msg, sizeof why);
  return mw_fail(err, rc, MW_NOWHERE, "%s; %.300s", l->unstable, why);
}

// Steps until the next instant or a limit before it, n at most.
static mw_code go_on(mw_loop *l, int n, mw_error *err)
{
  double start = mw_wall_time();
  mw_code rc = l->left > 0 ? MW_OK : lead_on(l, err);
  for (int i = 0; rc == MW_OK && i < n && l->left > 0 && l->event < 0; i++) {
    mw_span sp = next_span(l);
    rc = take_step(l, &sp, err);
  }
  if (!l->path->times) l->r->wall_s += mw_wall_time() - start;
  if (rc == MW_OK && (l->left == 0 || l->event >= 0)) rc = arrive(l, err);
  return explain(l, rc, err);
}

mw_code mw_loop_step(mw_loop *l, mw_error *err) { return go_on(l, 1, err); }

mw_code mw_loop_advance(mw_loop *l, mw_error *err) { return go_on(l, INT_MAX, err); }

int mw_loop_parts(mw_loop *l, mw_part *part)
{
  const mw_part all[MW_LOOP_PARTS] = {
    { &l->t, sizeof l->t },
    { &l->ticks, sizeof l->ticks },
    { &l->steps, sizeof l->steps },
    { &l->i_kink, sizeof l->i_kink },
    { &l->due, sizeof l->due },
    { &l->to, sizeof l->to },
    { &l->i_sample, sizeof l->i_sample },
    { l->contacts.c, (size_t)l->contacts.n * sizeof *l->contacts.c },
  };
  memcpy(part, all, sizeof all);
  return MW_LOOP_PARTS - (l->contacts.n == 0);
}

// Length of steps of a grid: a path that samples within its steps does so once a step.
static double length_of(mw_loop *l)
{
  double T = l->in.sc->control_period;
  if (l->path->lands || !l->controlled || l->in.step <= T) return l->in.step;
  mw_run_add_note(l->r, "steps of %.9g s in place of %.9g s: controllers sample as often", T,
                  l->in.step);
  return T;
}

// Length of the longest steps off a grid, s: instants come when results are stored or controllers
// sample.
static mw_code name_length(mw_loop *l, mw_error *err)
{
  double store = l->in.sc->store, T = l->controlled ? fmin(store, l->period) : store;
  int parts;
  mw_code rc = mw_run_steps(l->r, T, T < store ? "controllers sample" : "results are stored",
                            l->in.step, &parts, err);
  if (rc == MW_OK) l->longest = T / parts;
  return rc;
}

// Ticks of the run, steps of the grid.
static mw_code divide(mw_loop *l, mw_error *err)
{
  const mw_scenario *sc = l->in.sc;
  for (int k = 0; k < sc->n_action; k++)
    l->controlled = l->controlled || sc->action[k].kind == MW_ACTION_CONTROL;
  l->per_store = 1;
  l->n_ticks = l->r->n_t - 1;
  l->period = sc->control_period;
  if (!(l->in.step > 0.0))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "step is %g s, must be positive", l->in.step);
  l->near = NEAR * fmin(sc->store, l->period);
  if (!l->path->grid) return MW_OK;
  mw_code rc =
      mw_run_steps(l->r, sc->store, "results are stored", length_of(l), &l->per_store, err);
  l->h = l->longest = sc->store / l->per_store;
  l->n_ticks *= l->per_store;
  if (!l->controlled) l->period = fmax(l->period, l->h);
  l->near = NEAR * l->h;
  return rc;
}

static mw_code find_instants(mw_loop *l, mw_error *err)
{
  const mw_scenario *sc = l->in.sc;
  l->kink = mw_arena_f64(&l->mem, (size_t)all_kinks(l, NULL));
  l->limit = mw_arena_alloc(&l->mem, (size_t)l->in.mech->n_coord, sizeof *l->limit);
  l->s = mw_arena_f64(&l->mem, (size_t)l->in.mech->n_coord);
  mw_code rc = mw_arena_check(&l->mem, err);
  if (rc != MW_OK) return rc;
  l->n_kink = tidy(l->kink, all_kinks(l, l->kink), sc->duration);
  l->n_limit = mw_limits_of(l->in.mech, mw_mech_size(l->in.mech), l->limit);
  l->in.limit = l->limit;
  l->in.n_limit = l->n_limit;
  l->due = l->path->lands;
  l->i_sample = l->path->lands ? 1 : 0;
  return MW_OK;
}

// Says of the controllers' loop what its eigenvalues at the start say.
static mw_code judge(mw_loop *l, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_plant plant;
  const mw_control *c;
  mw_code rc = MW_OK;
  if (!l->path->plant || l->in.sc->n_unit > 0) {
    mw_stability said;
    rc = mw_stability_rigid(l->in.mech, l->in.sc, l->period, &l->r->mem, &said, err);
    l->unstable = said.unstable;
    if (rc == MW_OK && said.unjudged) mw_run_add_note(l->r, "%s", said.unjudged);
  } else {
    rc = l->path->plant(l->p, &tmp, &plant, &c, err);
    if (rc == MW_OK)
      rc = mw_stability_judge(c, &plant, "the reduced model", &l->mem, &l->unstable, err);
    else if (rc != MW_ERR_MEMORY)
      rc = MW_OK;  // it cannot go even a period: the run itself says why
  }
  mw_arena_free(&tmp);
  if (rc != MW_OK || !l->unstable) return rc;
  mw_progress_note(l->progress, l->unstable);
  mw_run_add_warning(l->r, "%s", l->unstable);
  return MW_OK;
}

// First instant after the start at which signal g or its slope jumps, INFINITY: none.
static double first_jump(const mw_signal *g)
{
  static const double ROUNDING = 1e-9;
  double t = 0.0;
  while (isfinite(t = mw_signal_next_kink(g, t))) {
    double y[2], slope[2];
    mw_signal_eval(g, mw_signal_before(t), &y[0], &slope[0], NULL);
    mw_signal_eval(g, t, &y[1], &slope[1], NULL);
    if (fabs(y[1] - y[0]) > ROUNDING * fmax(fabs(y[0]), fabs(y[1])) ||
        fabs(slope[1] - slope[0]) > ROUNDING * fmax(fabs(slope[0]), fabs(slope[1])))
      return t;
  }
  return INFINITY;
}

// Notes of references whose rates jump: no force of inverse dynamics makes a mass do that.
static void note_jumps(mw_loop *l)
{
  const mw_scenario *sc = l->in.sc;
  for (int k = 0; k < sc->n_action; k++) {
    const mw_action *a = &sc->action[k];
    double t = a->kind == MW_ACTION_CONTROL && a->inertia ? first_jump(&a->signal) : INFINITY;
    if (t < sc->duration)
      mw_run_add_note(l->r,
                      "the reference of drive %s jumps, or its rate, first at t = %g s: "
                      "inverse_dynamics has no force for that (a smooth reference has none)",
                      l->in.model->drive[a->drive].name, t);
  }
}

static void note_inside(mw_loop *l)
{
  mw_snapshot snap = { .t = l->t };
  l->path->show(l->p, &snap);
  if (snap.p) mw_run_note_inside(l->r, l->in.mech, snap.p);
}

mw_code mw_loop_open(const mw_path *path, const mw_path_in *in, const mw_watch *watch,
                     mw_progress *progress, mw_loop *l, mw_error *err)
{
  *l = (mw_loop){
    .path = path, .in = *in, .watch = watch, .progress = progress, .event = -1, .to.tick = true
  };
  l->in.progress = progress;
  l->p = mw_arena_alloc(&l->mem, 1, path->bytes);
  l->r = mw_arena_alloc(&l->mem, 1, sizeof *l->r);
  mw_code rc = mw_arena_check(&l->mem, err);
  if (rc == MW_OK) rc = mw_run_init(in->model, in->sc, in->name, in->mech->n_coord, l->r, err);
  if (rc == MW_OK) rc = divide(l, err);
  if (rc == MW_OK) rc = find_instants(l, err);
  if (rc == MW_OK) rc = mw_cosim_open(in->sc, &l->in.cosim, err);
  if (rc == MW_OK) rc = path->open(l->p, &l->in, l->h, l->r, err);
  if (rc == MW_OK) rc = path->start(l->p, err);
  // steps that a path chooses itself see what they need to
  bool given = rc == MW_OK && !(path->chooses && path->chooses(l->p));
  if (given && !path->grid) rc = name_length(l, err);
  if (rc == MW_OK && given) rc = mw_contacts_init(in->mech, &l->mem, &l->contacts, err);
  if (rc == MW_OK && l->n_limit > 0) {
    path->coords(l->p, l->s);
    rc = mw_limits_check(in->mech, in->sc, l->limit, l->n_limit, l->s, err);
  }
  if (rc == MW_OK && l->controlled) rc = judge(l, err);
  if (rc == MW_OK) note_jumps(l);
  mw_progress_start(progress, in->name, in->sc->duration);
  if (rc == MW_OK) rc = store(l, 0, err);
  if (rc == MW_OK) mw_run_note_start(l->r, in->sc, in->mech->s0, mw_mech_size(in->mech));
  if (rc == MW_OK && in->model->n_component > 0) note_inside(l);
  if (rc != MW_OK) mw_loop_close(l);
  return rc;
}

mw_code mw_loop_finish(mw_loop *l, mw_run *out, mw_error *err)
{
  mw_run *r = l->r;
  mw_progress_end(l->progress);
  r->steps = l->h > 0.0 ? l->ticks + !l->to.tick : l->steps;
  r->step = l->longest;
  mw_code rc = l->path->finish(l->p, r, err);
  if (rc == MW_OK) rc = mw_cosim_tell(l->in.cosim, r, err);
  if (rc == MW_OK) mw_contacts_warn(&l->contacts, l->in.mech, r->step, r);
  if (rc == MW_OK) rc = mw_arena_check(&r->mem, err);
  if (rc != MW_OK) return rc;
  mw_run_finish(r);
  *out = *r;
  *r = (mw_run){ 0 };
  return MW_OK;
}

void mw_loop_close(mw_loop *l)
{
  mw_progress_end(l->progress);
  if (l->p) l->path->close(l->p);
  mw_cosim_close(l->in.cosim);
  if (l->r) mw_run_free(l->r);
  mw_arena_free(&l->mem);
  *l = (mw_loop){ 0 };
}

mw_code mw_loop_run(const mw_path *path, const mw_path_in *in, const mw_watch *watch,
                    mw_progress *progress, mw_run *out, mw_error *err)
{
  mw_loop l;
  mw_code rc = mw_loop_open(path, in, watch, progress, &l, err);
  if (rc != MW_OK) return rc;
  while (rc == MW_OK && !mw_loop_ended(&l)) rc = mw_loop_advance(&l, err);
  if (rc == MW_OK) rc = mw_loop_finish(&l, out, err);
  mw_loop_close(&l);
  return rc;
}
