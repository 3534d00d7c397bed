// SPDX-License-Identifier: BSD-3-Clause
// online_error.c: see online_error.h.
//
// Each motion has its own controllers, which see its own coordinates: errors of the step come back
// through them, as on a machine. The elastic deflection of a point is y1(theta) delta of its three
// fields; its error is the largest distance, over the instants of the controllers, between the two
// motions' deflections.
#include "online_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fem/control.h"
#include "sim/romrun.h"

typedef struct motion {
  const online_error *e;
  mw_rom_opt opt;
  int n_t, n_sub;    // instants; steps between two of them
  const double *x0;  // [2 (s + m)]
  int field[3];      // of the point
  double *x, *y, *y_dot, *u;
  double *value, *delta;        // [n_field], [m]
  double *bend, *rest, *place;  // [n_t × 3] m: deflection, that at rest, position
  void *work;
} motion;

static mw_code explain(mw_rom_code code, double t, mw_error *err)
{
  return code == MW_ROM_OK
             ? MW_OK
             : mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "at %g s: %s", t, mw_rom_code_name(code));
}

static mw_code motion_init(motion *q, const online_error *e, const double *x0, mw_arena *mem,
                           mw_error *err)
{
  const mw_rom *rom = &e->file->rom;
  size_t n = (size_t)(rom->s + rom->m), nu = (size_t)rom->n_u, ny = (size_t)rom->n_y, nt;
  *q = (motion){ .e = e, .opt = mw_rom_opt_default(), .x0 = x0 };
  q->opt.inertia = e->file->inertia;
  q->n_t = (int)round(e->sc->duration / e->sc->control_period) + 1;
  nt = (size_t)q->n_t;
  q->x = mw_arena_f64(mem, 2 * n);
  q->y = mw_arena_f64(mem, ny);
  q->y_dot = mw_arena_f64(mem, ny);
  q->u = mw_arena_f64(mem, nu);
  q->value = mw_arena_f64(mem, (size_t)rom->n_field);
  q->delta = mw_arena_f64(mem, (size_t)rom->m);
  q->bend = mw_arena_f64(mem, 3 * nt);
  q->rest = mw_arena_f64(mem, 3 * nt);
  q->place = mw_arena_f64(mem, 3 * nt);
  q->work = mw_arena_alloc(mem, mw_rom_work_bytes(rom), 1);
  for (int i = 0; i < 3; i++) {
    char name[256];
    snprintf(name, sizeof name, "%s.%c", e->output, "xyz"[i]);
    q->field[i] = -1;
    for (int k = 0; k < rom->n_y; k++)
      if (strcmp(e->file->field[k], name) == 0) q->field[i] = k;
    if (q->field[i] < 0) return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "no field %s", name);
  }
  return mw_arena_check(mem, err);
}

// Deflection, that at rest under gravity alone, and position of the point.
static mw_code record(motion *q, int k, mw_error *err)
{
  const mw_rom *rom = &q->e->file->rom;
  double t = k * q->e->sc->control_period;
  mw_rom_code code = mw_rom_fields(rom, q->x, q->value, NULL, NULL);
  if (code == MW_ROM_OK) code = mw_rom_static(rom, q->x, NULL, q->delta, q->work, NULL);
  if (code == MW_ROM_OK) code = mw_rom_outputs(rom, q->x, q->y, q->y_dot, q->work, NULL);
  const double *delta = q->x + rom->s;
  int first = mw_rom_layout_of(mw_rom_shape_of(rom)).y;
  for (int i = 0; code == MW_ROM_OK && i < 3; i++) {
    const double *y1 = q->value + first + q->field[i] * (1 + rom->m) + 1;
    for (int a = 0; a < rom->m; a++) {
      q->bend[3 * k + i] += y1[a] * delta[a];
      q->rest[3 * k + i] += y1[a] * q->delta[a];
    }
    q->place[3 * k + i] = q->y[q->field[i]];
  }
  return explain(code, t, err);
}

static mw_code run(motion *q, mw_rom_method method, int n_sub, mw_error *err)
{
  const mw_rom *rom = &q->e->file->rom;
  double period = q->e->sc->control_period;
  size_t size = 3 * (size_t)q->n_t * sizeof(double);
  q->opt.method = method;
  memset(q->bend, 0, size);
  memset(q->rest, 0, size);
  memcpy(q->x, q->x0, 2 * (size_t)(rom->s + rom->m) * sizeof *q->x);
  mw_control control;
  mw_arena mem = { 0 };
  mw_code rc = mw_control_build(q->e->model, q->e->sc, period, &mem, &control, err);
  if (rc == MW_OK) rc = mw_control_feed(&control, q->e->mech, &mem, err);
  if (rc == MW_OK) rc = record(q, 0, err);
  for (int k = 0; rc == MW_OK && k + 1 < q->n_t; k++) {
    double t = k * period;
    for (int d = 0; d < rom->n_u; d++) {
      control.s[d] = control.e[d] = q->y[rom->u_field[d]];
      control.s_dot[d] = control.e_dot[d] = q->y_dot[rom->u_field[d]];
    }
    rc = mw_control_sample(&control, t, err);
    if (rc != MW_OK) break;
    mw_control_force(&control, t, q->u);
    mw_rom_code code = MW_ROM_OK;
    for (int i = 0; code == MW_ROM_OK && i < n_sub; i++)
      code = mw_rom_step(
          &(mw_rom_call){
              .rom = rom, .opt = &q->opt, .h = period / n_sub, .u = q->u, .work = q->work },
          q->x);
    rc = explain(code, t, err);
    if (rc == MW_OK) rc = record(q, k + 1, err);
  }
  mw_arena_free(&mem);
  return rc;
}

// Largest length of a - b (b NULL: of a) over the instants.
static double largest(int n_t, const double *a, const double *b)
{
  double most = 0.0;
  for (int k = 0; k < n_t; k++) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
      double d = a[3 * k + i] - (b ? b[3 * k + i] : 0.0);
      sum += d * d;
    }
    most = fmax(most, sqrt(sum));
  }
  return most;
}

// The state in which the scenario starts, as romrun.c makes it.
typedef struct first {
  double *x;
  size_t n;
} first;

static mw_code keep_first(void *ctx, const mw_snapshot *f, mw_error *err)
{
  const first *k = ctx;
  (void)err;
  if (f->t == 0.0) memcpy(k->x, f->x, k->n * sizeof *k->x);
  return MW_OK;
}

static mw_code start_of(const online_error *e, double *x0, mw_error *err)
{
  first k = { x0, 2 * (size_t)(e->file->rom.s + e->file->rom.m) };
  const mw_watch watch = { .every = 1000000, .put = keep_first, .ctx = &k };
  mw_rom_run_opt opt = mw_rom_run_opt_default();
  opt.watch = &watch;
  mw_run run = { 0 };
  mw_progress quiet = mw_progress_default(true);
  mw_code rc = mw_rom_run(e->model, e->mech, e->file, e->sc, &opt, &quiet, &run, err);
  if (rc == MW_OK) mw_run_free(&run);
  return rc;
}

mw_code online_error_eval(online_error *e, mw_error *err)
{
  enum { COARSE = 64, FINE = 128 };
  mw_arena mem = { 0 };
  motion step, coarse, fine;
  double *x0 = mw_arena_f64(&mem, 2 * (size_t)(e->file->rom.s + e->file->rom.m));
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = start_of(e, x0, err);
  if (rc == MW_OK) rc = motion_init(&step, e, x0, &mem, err);
  if (rc == MW_OK) rc = motion_init(&coarse, e, x0, &mem, err);
  if (rc == MW_OK) rc = motion_init(&fine, e, x0, &mem, err);
  if (rc == MW_OK) rc = run(&step, MW_ROM_EXPONENTIAL, 1, err);
  if (rc == MW_OK) rc = run(&coarse, MW_ROM_RK4, COARSE, err);
  if (rc == MW_OK) rc = run(&fine, MW_ROM_RK4, FINE, err);
  if (rc == MW_OK) {
    e->peak = largest(fine.n_t, fine.bend, NULL);
    e->peak_move = largest(fine.n_t, fine.bend, fine.rest);
    e->error = largest(fine.n_t, step.bend, fine.bend);
    e->position = largest(fine.n_t, step.place, fine.place);
    e->reference = largest(fine.n_t, coarse.bend, fine.bend);
  }
  mw_arena_free(&mem);
  return rc;
}
