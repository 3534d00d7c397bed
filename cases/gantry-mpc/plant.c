// SPDX-License-Identifier: BSD-3-Clause
// plant.c: the reduced model in place of the machine, for tuning: seconds become fractions of one,
// and what the controller then reaches is what it could reach if its model were exact.
//
// Steps of the implicit mid-point rule, which is none of the controller's own predictions.
#include <math.h>
#include <string.h>

#include "demo.h"
#include "fem/control.h"
#include "sim/case.h"

enum { PER_STORE = 4, PER_SAMPLE = 2 };  // steps between stored instants, of those in a period

typedef struct plant {
  const mw_demo *d;
  const mw_controller *controller;
  mw_rom_opt opt;
  double *x, *y, *y_dot;  // [2n], [n_y], [n_y]
  mw_control control;     // the scenario's own
  double u[MW_MPC_MAX_U], s[MW_MPC_MAX_U], s_dot[MW_MPC_MAX_U];
  void *work;
} plant;

static mw_code fail(mw_rom_code code, double t, mw_error *err)
{
  return code == MW_ROM_OK ? MW_OK
                           : mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "at t = %.6g s: %s", t,
                                     mw_rom_code_name(code));
}

static mw_code sample(plant *p, double t, mw_error *err)
{
  mw_control *c = &p->control;
  const mw_rom *rom = &p->d->rom->rom;
  for (int k = 0; k < rom->n_u; k++) {
    p->s[k] = p->y[rom->u_field[k]];
    p->s_dot[k] = p->y_dot[rom->u_field[k]];
  }
  if (p->controller) return p->controller->eval(p->controller->ctx, t, p->s, p->s_dot, p->u, err);
  for (int k = 0; k < rom->n_u; k++) {
    c->s[k] = c->e[k] = p->s[k];
    c->s_dot[k] = c->e_dot[k] = p->s_dot[k];
  }
  mw_code rc = mw_control_sample(c, t, err);
  mw_control_force(c, t, p->u);
  return rc;
}

static void store(const plant *p, int k, mw_run *r)
{
  const mw_rom *rom = &p->d->rom->rom;
  size_t i = (size_t)k, nd = (size_t)r->n_drive;
  r->t[k] = k * p->d->sc.store;
  memcpy(r->y + i * 3 * (size_t)r->n_out, p->y, 3 * (size_t)r->n_out * sizeof(double));
  memcpy(r->force + i * nd, p->u, nd * sizeof(double));
  for (int c = 0; c < r->n_coord; c++) r->s[i * (size_t)r->n_coord + (size_t)c] = (double)NAN;
  for (int j = 0; j < rom->n_u; j++) {
    int c = p->d->c->mech.joint[p->d->c->model.drive[j].joint].coord;
    r->s[i * (size_t)r->n_coord + (size_t)c] = p->y[rom->u_field[j]];
    r->s_dot[i * (size_t)r->n_coord + (size_t)c] = p->y_dot[rom->u_field[j]];
  }
}

static mw_code run(plant *p, mw_run *r, mw_error *err)
{
  const mw_rom *rom = &p->d->rom->rom;
  const mw_rom_call step = {
    .rom = rom, .opt = &p->opt, .h = p->d->sc.store / PER_STORE, .u = p->u, .work = p->work
  };
  mw_rom_code code = mw_rom_outputs(rom, p->x, p->y, p->y_dot, p->work, NULL);
  mw_code rc = fail(code, 0.0, err);
  if (rc == MW_OK) store(p, 0, r);
  for (int k = 0; rc == MW_OK && k + 1 < r->n_t; k++) {
    double t = k * p->d->sc.store;
    if (k % PER_SAMPLE == 0) rc = sample(p, t, err);
    for (int i = 0; rc == MW_OK && i < PER_STORE; i++) rc = fail(mw_rom_step(&step, p->x), t, err);
    if (rc == MW_OK) rc = fail(mw_rom_outputs(rom, p->x, p->y, p->y_dot, p->work, NULL), t, err);
    if (rc == MW_OK) store(p, k + 1, r);
  }
  return rc;
}

mw_code mw_plant_rom(const mw_demo *d, const mw_controller *controller, mw_run *out, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_run r = { 0 };
  const mw_rom *rom = &d->rom->rom;
  size_t n = (size_t)(rom->s + rom->m), ny = (size_t)rom->n_y;
  plant p = { .d = d, .controller = controller, .opt = mw_rom_opt_default() };
  p.opt.inertia = d->rom->inertia;
  p.opt.method = MW_ROM_MIDPOINT;
  p.x = mw_arena_f64(&tmp, 2 * n);
  p.y = mw_arena_f64(&tmp, ny);
  p.y_dot = mw_arena_f64(&tmp, ny);
  p.work = mw_arena_alloc(&tmp, mw_rom_work_bytes(rom), 1);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK)
    rc = mw_control_build(&d->c->model, &d->sc, PER_SAMPLE * d->sc.store, &tmp, &p.control, err);
  if (rc == MW_OK) rc = mw_control_feed(&p.control, &d->c->mech, &tmp, err);
  for (int k = 0; rc == MW_OK && k < rom->n_u; k++)
    if (mw_control_encoder(&p.control, k) >= 0)
      rc = mw_fail(err, MW_ERR_INPUT, d->sc.at,
                   "an encoder sits on another joint than its drive, expected the drive's own with "
                   "the reduced model as plant");
  if (rc == MW_OK) rc = mw_run_init(&d->c->model, &d->sc, "gmp", d->c->mech.n_coord, &r, err);
  if (rc == MW_OK) {
    memcpy(p.x, d->plan.x0, 2 * n * sizeof(double));
    rc = run(&p, &r, err);
  }
  mw_arena_free(&tmp);
  if (rc == MW_OK)
    *out = r;
  else
    mw_run_free(&r);
  return rc;
}
