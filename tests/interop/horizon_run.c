// SPDX-License-Identifier: BSD-3-Clause
// horizon_run.c: what the receding horizon of cases/gantry-mpc solves at each sample, for
// horizon.py.
//
//   horizon_run MODEL ROM OUT
//
// A move of the reduced model under the controller; then its samples again, five times, each from
// what was measured. OUT, doubles: n_x, n_u, n_step, n_ref, n_out, samples; period, h [n_step],
// weights of tool, its rate, drives, their rates, change of forces, force [n_u], slew [n_u]; fields
// [n_ref]; then of each sample x [n_x], d [n_u], forces planned before [n_step × n_u], force until
// the next sample [n_u], references of each step with their rates [n_step × 2 n_ref], change of the
// forces that was found [n_step × n_u], least processor time of the sample, of its steps with
// derivatives, of the outputs there with derivatives, of its estimate, s.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "control/control_priv.h"
#include "demo.h"
#include "reduction/romfile.h"
#include "sim/case.h"

enum { MOST_X = 256, N_TIMES = 4 };

static double cpu_time(void)
{
  struct timespec t = { 0 };
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void put(FILE *f, const double *x, int n)
{
  if (fwrite(x, sizeof *x, (size_t)n, f) != (size_t)n) exit(EXIT_FAILURE);
}

static void put_one(FILE *f, double x) { put(f, &x, 1); }

static void put_problem(FILE *f, const mw_demo *d)
{
  const mw_mpc_opt *o = &d->mpc;
  const mw_rom *r = &d->rom->rom;
  const double head[] = { 2 * (r->s + r->m), r->n_u,      o->n_step, d->plan.n_ref,
                          d->plan.n_out,     d->n_sample, o->period };
  const double weight[] = { o->tool, o->tool_rate, o->drive, o->drive_rate, o->slew_weight };
  put(f, head, 7);
  put(f, o->h, o->n_step);
  put(f, weight, 5);
  put(f, o->force, r->n_u);
  put(f, o->slew, r->n_u);
  for (int k = 0; k < d->plan.n_ref; k++) put_one(f, d->plan.field[k]);
}

// References at the ends of the horizon's steps, t: of the next sample
static void put_references(FILE *f, const mw_demo *d, double t)
{
  const mw_mpc_plan *p = &d->plan;
  for (int k = 0; k < d->mpc.n_step; k++) {
    t += d->mpc.h[k];
    int at = (int)(t / p->h + 0.5);
    if (at > p->n_t - 1) at = p->n_t - 1;
    put(f, p->y + at * p->n_ref, p->n_ref);
    put(f, p->y_dot + at * p->n_ref, p->n_ref);
  }
}

// The steps with derivatives of a sample, once more; at [n_step]: where they lead.
static double time_steps(const mw_mpc *c, const double *u, double at[][MOST_X])
{
  double force[MW_MPC_MAX_U], start = cpu_time();
  int n_u = c->rom->n_u;
  size_t size = (size_t)c->observer.n_x * sizeof(double);
  for (int k = 0; k < c->opt.n_step; k++) {
    double *x = at[k];
    memcpy(x, k > 0 ? at[k - 1] : c->observer.x, size);
    for (int i = 0; i < n_u; i++) force[i] = u[k * n_u + i] + c->observer.d[i];
    const mw_rom_call call = {
      .rom = c->rom, .opt = &c->step, .h = c->opt.h[k], .u = force, .work = c->observer.work
    };
    if (mw_rom_step_sens(&call, x, c->A, c->B) != MW_ROM_OK) exit(EXIT_FAILURE);
  }
  return cpu_time() - start;
}

// The outputs there with derivatives
static double time_outputs(const mw_mpc *c, double at[][MOST_X])
{
  const mw_mpc_plan *p = c->plan;
  double start = cpu_time();
  for (int k = 0; k < c->opt.n_step; k++)
    if (mw_mpc_fields(c->rom, at[k], p->n_ref, p->field, c->y, c->y_dot, c->J, c->J_dot,
                      c->observer.value, c->observer.gradient) != MW_ROM_OK)
      exit(EXIT_FAILURE);
  return cpu_time() - start;
}

// The estimate of a sample, by an observer of its own
static double time_observer(mw_observer *o, const mw_demo *d, int k, const double *u)
{
  int n_u = d->rom->rom.n_u;
  double start = cpu_time();
  if (mw_observer_update(o, d->s + k * n_u, d->s_dot + k * n_u) != MW_ROM_OK ||
      mw_observer_step(o, d->mpc.period, u) != MW_ROM_OK)
    exit(EXIT_FAILURE);
  return cpu_time() - start;
}

// All samples in turn, from the start; times [n_sample × 4], the least so far. f: where they are
// written, NULL.
static mw_code run(mw_demo *d, double *times, FILE *f, mw_error *err)
{
  int n_u = d->rom->rom.n_u;
  double before[MW_MPC_MAX_STEP * MW_MPC_MAX_U], next[MW_MPC_MAX_U], u[MW_MPC_MAX_U];
  static double at[MW_MPC_MAX_STEP][MOST_X];
  mw_arena mem = { 0 };
  mw_mpc c;
  mw_observer o;
  mw_code rc = mw_mpc_init(&c, d->rom, &d->plan, &d->mpc, &mem, err);
  if (rc == MW_OK) rc = mw_observer_init(&o, &d->rom->rom, &c.step, d->plan.x0, &mem, err);
  for (int k = 0; rc == MW_OK && k < d->n_sample; k++) {
    double t = k * d->mpc.period, *least = times + N_TIMES * k, start;
    memcpy(before, c.u, (size_t)c.n_v * sizeof *before);
    memcpy(next, c.u_next, (size_t)n_u * sizeof *next);
    start = cpu_time();
    if (!mw_mpc_eval(&c, t, d->s + k * n_u, d->s_dot + k * n_u, u)) exit(EXIT_FAILURE);
    least[0] = fmin(least[0], cpu_time() - start);
    least[1] = fmin(least[1], time_steps(&c, before, at));
    least[2] = fmin(least[2], time_outputs(&c, at));
    least[3] = fmin(least[3], time_observer(&o, d, k, u));
    if (!f) continue;
    put(f, c.observer.x, c.observer.n_x);
    put(f, c.observer.d, n_u);
    put(f, before, c.n_v);
    put(f, next, n_u);
    put_references(f, d, t + d->mpc.period);
    put(f, c.qp.z, c.n_v);
    put(f, least, N_TIMES);
  }
  mw_arena_free(&mem);
  return rc;
}

static mw_code write_samples(mw_demo *d, const char *path, mw_error *err)
{
  enum { ROUNDS = 5 };
  double *times = mw_arena_f64(&d->mem, N_TIMES * (size_t)d->n_sample);
  mw_code rc = mw_arena_check(&d->mem, err);
  for (int i = 0; rc == MW_OK && i < N_TIMES * d->n_sample; i++) times[i] = INFINITY;
  for (int k = 0; rc == MW_OK && k < ROUNDS - 1; k++) rc = run(d, times, NULL, err);
  FILE *f = rc == MW_OK ? fopen(path, "wb") : NULL;
  if (!f) return rc == MW_OK ? mw_fail(err, MW_ERR_IO, MW_NOWHERE, "%s", path) : rc;
  put_problem(f, d);
  rc = run(d, times, f, err);
  return fclose(f) == 0 || rc != MW_OK ? rc : mw_fail(err, MW_ERR_IO, MW_NOWHERE, "%s", path);
}

int main(int argc, char **argv)
{
  mw_error err = { 0 };
  mw_case c = { 0 };
  mw_rom_file rom = { 0 };
  mw_demo d = { 0 };
  const mw_demo_opt opt = { .scenario = "pick",
                            .dir = ".",
                            .duration = 0.5,
                            .band = 20e-6,
                            .deadline = 1.0,
                            .rom_plant = true,
                            .quiet = true };
  if (argc != 4) return 2;
  mw_code rc = mw_case_read(argv[1], &c, &err);
  if (rc == MW_OK) rc = mw_rom_file_read(argv[2], &rom, &err);
  if (rc == MW_OK) rc = mw_demo_run(&d, &c, &rom, &opt, &err);
  if (rc == MW_OK) rc = write_samples(&d, argv[3], &err);
  if (rc != MW_OK) fprintf(stderr, "horizon_run: %s\n", err.msg);
  mw_demo_free(&d);
  mw_rom_file_free(&rom);
  mw_case_free(&c);
  return rc == MW_OK ? 0 : 1;
}
