// SPDX-License-Identifier: BSD-3-Clause
// force_step.c: see force_step.h.
//
//   push   f = F from t on:  x = x0 + ½ F/m (τ² for τ = time − t > 0)
#include "force_step.h"

#include <math.h>

#include "sim/bodyreduce.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

static const double MASS = 0.5, FORCE = 0.6, START = 0.2;  // kg, N, m

static const char *const scenarios =
    "scenarios:\n"
    "  push: { duration: 0.9, step: 1e-3, store: 0.02, start: { x: 0.2 },\n"
    "          drives: { motor: { force: { step: { value: 0.6, at: 0.1 } } } } }\n"
    "  weigh: { duration: 0.9, step: 1e-3, store: 0.02, start: { x: 0.2 }, initial: static,\n"
    "           drives: { motor: { force: { step: { value: 0.6, at: 0.1 } } } } }\n"
    "  held: { duration: 0.9, step: 1.1e-3, control_period: 6.6e-3, initial: static, store: 0.02, "
    "start: { x: 0.2 },\n"
    "          drives: { motor: { move: { from: 0.2, to: 0.6, start: 0.1, max_velocity: 1, "
    "max_acceleration: 5, max_jerk: 50 },\n"
    "                           kp: 20, kd: 0 } } }\n";

static const struct {
  const char *name, *run;
  mw_method rigid;
  mw_rom_method reduced;
} paths[MW_FORCE_N_PATH] = {
  { "full", "full", 0, 0 },
  { "body", "body", 0, 0 },
  { "reduced, mid-point", "gmp", 0, MW_ROM_MIDPOINT },
  { "reduced, exponential", "gmp", 0, MW_ROM_EXPONENTIAL },
  { "rigid, leapfrog", "rigid", MW_METHOD_LEAPFROG, 0 },
  { "rigid, alpha", "rigid", MW_METHOD_ALPHA, 0 },
  { "rigid, midpoint", "rigid", MW_METHOD_MIDPOINT, 0 },
};

const char *mw_force_path(int path) { return paths[path].name; }

static bool mechanisms(mw_force_rig *r, int k)
{
  mw_error err = { 0 };
  mw_fixture *f = k ? &r->heavy : &r->light;
  mw_code rc = mw_reduce(&f->model, &f->mech, NULL, &r->rom[k], &err);
  for (int rigid = 0; rc == MW_OK && rigid < 2; rigid++) {
    mw_body *body = r->body[k][rigid] =
        mw_arena_alloc(&r->mem, (size_t)f->model.n_body, sizeof *body);
    rc = mw_arena_check(&r->mem, &err);
    for (int b = 0; rc == MW_OK && b < f->model.n_body; b++)
      rc = rigid ? mw_body_project(&f->body[b], NULL, 0, &r->mem, &body[b], &err)
                 : mw_body_basis(&f->body[b], 4, false, &r->mem, &body[b], NULL, &err);
    if (rc == MW_OK) rc = mw_mech_build(&f->model, body, &r->mem, &r->mech[k][rigid], &err);
  }
  return mw_fixture_okay(rc, &err);
}

bool mw_force_open(mw_force_rig *r)
{
  *r = (mw_force_rig){ 0 };
  return mw_fixture_beam("SS", 8, MASS, 0.0, 17, 3, scenarios, &r->light) &&
         mw_fixture_beam("SS", 8, MASS, 2.0, 17, 3, scenarios, &r->heavy) && mechanisms(r, 0) &&
         mechanisms(r, 1);
}

void mw_force_close(mw_force_rig *r)
{
  for (int k = 0; k < 2; k++) mw_rom_file_free(&r->rom[k]);
  mw_fixture_free(&r->light);
  mw_fixture_free(&r->heavy);
  mw_arena_free(&r->mem);
}

mw_code mw_force_try(mw_force_rig *r, int path, int k, const mw_scenario *sc, double h, mw_run *out,
                     mw_error *err)
{
  mw_fixture *f = k ? &r->heavy : &r->light;
  mw_dae_opt dae = mw_dae_opt_default();
  mw_rigid_run_opt rigid = mw_rigid_run_opt_default(sc);
  mw_rom_run_opt rom = mw_rom_run_opt_default();
  dae.step = rigid.step = rom.step = h;
  rom.method = paths[path].reduced;
  rigid.rigid.method = paths[path].rigid;
  switch (paths[path].run[0]) {
  case 'f': return mw_dae_run(&f->mech, sc, "full", &dae, NULL, out, err);
  case 'b': return mw_dae_run(&r->mech[k][0], sc, "body", &dae, NULL, out, err);
  case 'r': return mw_rigid_run(&r->mech[k][1], sc, &rigid, NULL, out, err);
  default: return mw_rom_run(&f->model, &f->mech, &r->rom[k], sc, &rom, NULL, out, err);
  }
}

bool mw_force_run(mw_force_rig *r, int path, int scenario, double h, double t, mw_run *out)
{
  mw_error err = { 0 };
  int k = scenario != MW_FORCE_PUSH;
  mw_scenario *sc = &(k ? &r->heavy : &r->light)->model.scenario[scenario];
  if (scenario != MW_FORCE_HELD) sc->action[0].signal.t0 = t;
  return mw_fixture_okay(mw_force_try(r, path, k, sc, h, out, &err), &err);
}

double mw_force_error(const mw_run *r, double t)
{
  double worst = 0.0, travel = 0.0;
  for (int k = 0; k < r->n_t; k++) {
    double tau = fmax(0.0, r->t[k] - t);
    travel = 0.5 * FORCE / MASS * tau * tau;
    worst = fmax(worst, fabs(r->s[k] - START - travel));
  }
  return worst / travel;
}

double mw_force_distance(const mw_run *a, const mw_run *b)
{
  double worst = 0.0, range = 0.0;
  for (int k = 0; k < a->n_t; k++) {
    worst = fmax(worst, fabs(a->s[k] - b->s[k]));
    range = fmax(range, fabs(b->s[k] - START));
  }
  return worst / range;
}
