// SPDX-License-Identifier: BSD-3-Clause
// demo.c: two runs of one move, and their figures.
//
// First the scenario as it stands: each drive's own controller. The largest force and the largest
// change of force between two samples that it asks of each drive become the bounds of the second
// run, the receding horizon's: it has the same moves to follow, the same measurements (coordinate
// and rate of each drive), and no more force at its hands. Settled is the tool from the instant on
// after which all its axes stay within the band around its place at rest.
#include "demo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fem/control.h"
#include "sim/case.h"

typedef struct loop {
  mw_demo *d;
  mw_mpc mpc;
} loop;

// ---- the controller in the loop -----------------------------------------------------------------

// What an encoder shows
static double rounded(double x, double step) { return step > 0.0 ? step * round(x / step) : x; }

static double cpu_time(void)
{
  struct timespec t = { 0 };
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// One sample, timed
static bool timed(mw_demo *d, mw_mpc *mpc, double t, const double *s, const double *s_dot,
                  double *u)
{
  double cpu = cpu_time(), wall = mw_wall_time();
  bool done = mw_mpc_eval(mpc, t, s, s_dot, u);
  d->time[MW_DEMO_WALL][d->n_timed] = mw_wall_time() - wall;
  d->time[MW_DEMO_CPU][d->n_timed++] = cpu_time() - cpu;
  return done;
}

static mw_code eval(void *ctx, double t, const double *s, const double *s_dot, double *u,
                    mw_error *err)
{
  loop *l = ctx;
  mw_demo *d = l->d;
  size_t nu = (size_t)d->rom->rom.n_u, k = (size_t)d->n_sample;
  for (size_t i = 0; i < nu; i++) {
    d->s[k * nu + i] = rounded(s[i], d->opt.resolution);
    d->s_dot[k * nu + i] = rounded(s_dot[i], d->opt.resolution / d->mpc.period);
  }
  bool done = timed(d, &l->mpc, t, d->s + k * nu, d->s_dot + k * nu, u);
  memcpy(d->u + k * nu, u, nu * sizeof(double));
  d->changes[k] = l->mpc.qp.iterations;
  d->n_sample++;
  if (done) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "at t = %.6g s the controller failed: model: %s; programme: %s", t,
                 mw_rom_code_name(l->mpc.rom_code), mw_qp_code_name(l->mpc.qp_code));
}

// What was measured in the loop, again, until enough samples are timed; they must give the same
// forces.
static mw_code again(mw_demo *d, mw_error *err)
{
  size_t nu = (size_t)d->rom->rom.n_u;
  double u[MW_MPC_MAX_U];
  mw_code rc = MW_OK;
  while (rc == MW_OK && d->n_timed < d->opt.solves) {
    mw_arena tmp = { 0 };
    mw_mpc mpc;
    rc = mw_mpc_init(&mpc, d->rom, &d->plan, &d->mpc, &tmp, err);
    for (int k = 0; rc == MW_OK && k < d->n_sample; k++) {
      size_t i = (size_t)k * nu;
      bool done = timed(d, &mpc, k * d->mpc.period, d->s + i, d->s_dot + i, u);
      if (!done || memcmp(u, d->u + i, nu * sizeof(double)) != 0)
        rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "the same measurements gave other forces");
    }
    mw_arena_free(&tmp);
  }
  return rc;
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double mw_demo_percentile(const mw_demo *d, int clock, double p)
{
  int k = (int)ceil(p * d->n_timed) - 1;
  return d->time[clock][k < 0 ? 0 : k];
}

static void sort_times(mw_demo *d)
{
  for (int c = 0; c < MW_DEMO_CLOCKS; c++)
    qsort(d->time[c], (size_t)d->n_timed, sizeof(double), ascending);
  d->n_late = 0;
  for (int k = 0; k < d->n_timed; k++) d->n_late += d->time[MW_DEMO_WALL][k] > d->opt.deadline;
}

// ---- runs ---------------------------------------------------------------------------------------

static mw_code plant(const mw_demo *d, const mw_scenario *sc, const mw_controller *controller,
                     mw_run *out, mw_error *err)
{
  if (d->opt.rom_plant) return mw_plant_rom(d, controller, out, err);
  mw_progress progress = mw_progress_default(d->opt.quiet);
  mw_path_opt opt = { .progress = &progress, .controller = controller };
  return mw_path_run(d->c, sc, "full", &opt, out, err);
}

// Where the tool rests at the end: the plant's own static start there.
static mw_code find_target(mw_demo *d, mw_error *err)
{
  memcpy(d->target, d->plan.y + (size_t)(d->plan.n_t - 1) * (size_t)d->plan.n_ref,
         sizeof d->target);
  if (d->opt.rom_plant) return MW_OK;
  mw_run r = { 0 };
  mw_scenario sc = d->sc;
  mw_action hold[MW_MPC_MAX_U];
  double *start = mw_arena_f64(&d->mem, (size_t)sc.n_start);
  mw_code rc = mw_arena_check(&d->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(start, sc.start_s, (size_t)sc.n_start * sizeof(double));
  for (int k = 0; k < sc.n_action; k++) {
    double end;
    hold[k] = sc.action[k];
    mw_signal_eval(&hold[k].signal, sc.duration, &end, NULL, NULL);
    hold[k].signal = (mw_signal){ .kind = MW_SIGNAL_CONSTANT, .a = end };
    for (int i = 0; i < sc.n_start; i++)
      if (sc.start_joint[i] == d->c->model.drive[hold[k].drive].joint) start[i] = end;
  }
  sc.start_s = start;
  sc.action = hold;
  sc.duration = sc.store;
  rc = plant(d, &sc, NULL, &r, err);
  if (rc == MW_OK) memcpy(d->target, r.y, sizeof d->target);
  mw_run_free(&r);
  return rc;
}

// Figures of run i
static void measure(mw_demo *d, int i)
{
  const mw_run *r = &d->run[i];
  mw_demo_figures *f = &d->figure[i];
  size_t no = 3 * (size_t)r->n_out, nd = (size_t)r->n_drive;
  *f = (mw_demo_figures){ .settled = 0.0 };
  for (int t = 0; t < r->n_t; t++) {
    int at = (int)(r->t[t] / d->plan.h + 0.5), k = at < d->plan.n_t ? at : d->plan.n_t - 1;
    const double *y = r->y + (size_t)t * no, *p = d->plan.y + k * d->plan.n_ref;
    double off = hypot(hypot(y[0] - p[0], y[1] - p[1]), y[2] - p[2]), far = 0.0;
    for (int a = 0; a < 3; a++) far = fmax(far, fabs(y[a] - d->target[a]));
    f->off_plan = fmax(f->off_plan, off);
    if (r->t[t] >= d->plan.end) f->ringing = fmax(f->ringing, far);
    if (far > d->opt.band) f->settled = t + 1 < r->n_t ? r->t[t + 1] : (double)NAN;
    for (size_t j = 0; j < nd; j++) {
      double u = r->force[(size_t)t * nd + j], u0 = t > 0 ? r->force[(size_t)(t - 1) * nd + j] : u;
      f->force[j] = fmax(f->force[j], fabs(u));
      f->slew[j] = fmax(f->slew[j], fabs(u - u0));
    }
  }
  f->after = f->settled - d->plan.end;
}

static mw_code prepare(mw_demo *d, mw_error *err)
{
  const mw_scenario *sc;
  mw_code rc = mw_scenario_find(&d->c->model, d->opt.scenario, &sc, err);
  if (rc != MW_OK) return rc;
  d->mpc = mw_mpc_opt_default();
  d->sc = *sc;
  d->sc.duration = d->opt.duration;
  d->sc.control_period = d->mpc.period;
  d->sc.store = 0.5 * d->mpc.period;
  if (d->sc.step > d->sc.store) d->sc.step = d->sc.store;
  rc = mw_mpc_plan_build(d->rom, &d->c->model, &d->sc, d->sc.store, &d->mem, &d->plan, err);
  if (rc == MW_OK && d->plan.n_out < 3)
    rc = mw_fail(err, MW_ERR_INPUT, sc->at, "the model has no output to follow");
  if (rc != MW_OK) return rc;
  size_t n = (size_t)ceil(d->opt.duration / d->mpc.period) + 2, nu = (size_t)d->rom->rom.n_u;
  size_t most = (size_t)d->opt.solves + 2 * n;
  d->s = mw_arena_f64(&d->mem, n * nu);
  d->s_dot = mw_arena_f64(&d->mem, n * nu);
  d->u = mw_arena_f64(&d->mem, n * nu);
  d->changes = mw_arena_int(&d->mem, n);
  for (int k = 0; k < MW_DEMO_CLOCKS; k++) d->time[k] = mw_arena_f64(&d->mem, most);
  return mw_arena_check(&d->mem, err);
}

mw_code mw_demo_run(mw_demo *d, const mw_case *c, const mw_rom_file *rom, const mw_demo_opt *opt,
                    mw_error *err)
{
  *d = (mw_demo){ .opt = *opt, .c = c, .rom = rom };
  loop l = { .d = d };
  const mw_controller controller = { .eval = eval, .ctx = &l };
  mw_code rc = prepare(d, err);
  if (rc == MW_OK) rc = find_target(d, err);
  if (rc == MW_OK) rc = plant(d, &d->sc, NULL, &d->run[MW_DEMO_PD], err);
  if (rc != MW_OK) return rc;
  measure(d, MW_DEMO_PD);
  for (int k = 0; k < rom->rom.n_u; k++) {
    d->mpc.force[k] = d->figure[MW_DEMO_PD].force[k];
    d->mpc.slew[k] = d->figure[MW_DEMO_PD].slew[k];
  }
  rc = mw_mpc_init(&l.mpc, d->rom, &d->plan, &d->mpc, &d->mem, err);
  if (rc == MW_OK) rc = plant(d, &d->sc, &controller, &d->run[MW_DEMO_MPC], err);
  if (rc != MW_OK) return rc;
  measure(d, MW_DEMO_MPC);
  rc = again(d, err);
  sort_times(d);
  return rc;
}

void mw_demo_free(mw_demo *d)
{
  for (int i = 0; i < MW_DEMO_RUNS; i++) mw_run_free(&d->run[i]);
  mw_arena_free(&d->mem);
}
