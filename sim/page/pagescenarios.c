// SPDX-License-Identifier: BSD-3-Clause
// pagescenarios.c: scenarios of a model for its page: what its drives do as samples, at the
// instants at which runs of the reduced model look at them (gmp/romrun.c). Parts of steps, at kinks
// of forces, are not taken.
//
// {"run": [{"name", "h", "steps", "period" (steps), "x" [state] at the start, "actions":
// [{"drive", "field" of its coordinate, "kind", …}]}], "not": ["NAME: why it
// cannot be started here", …]}; of actions
//   force     "value" at t + h/2 of each step, N or N m
//   position  "coordinate", "value" and "rate" at t + h of each step
//   control   "kp", "kd", "ki", "ff", "gravity", "value", "rate", "acc" at each sample
// and "cutting": [{"name" of the scenario, "to", "from" ("": as to), "force", "radial", "teeth" (0:
// turning), "immersion", "down", "rpm": [2] (0: not said)}].
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "fem/control.h"
#include "livepage_layer.h"
#include "sim/romrun.h"

enum { MOST_NUMBERS = 100000 };  // of a scenario

typedef struct scenario {
  const mw_rom_file *rom;
  const mw_model *model;
  const mw_scenario *sc;
  int steps, period;  // of the whole; of a sample of the controllers
} scenario;

// Coordinate of the reduction that a joint's is, -1: none.
static int coordinate_of(const scenario *z, int joint)
{
  const mw_reduction_in *in = &z->model->reduction;
  for (int i = 0; i < in->n_coordinate; i++)
    if (in->coordinate[i].joint == joint) return i;
  return -1;
}

static const char *why_not_control(const mw_action *a)
{
  if (a->unit) return "its force is that of a unit of another program";
  if (a->cascade) return "it has a cascade";
  if (a->encoder) return "it has an encoder elsewhere";
  if (a->n_filter > 0) return "it has a filter";
  if (a->max_force > 0.0 || a->max_speed > 0.0 || a->max_power > 0.0) return "it has limits";
  if (a->weight || a->inertia) return "it feeds forward the mechanism's forces";
  return NULL;
}

// Why a page cannot start it; NULL: it can.
static const char *why_not(scenario *z)
{
  const mw_scenario *sc = z->sc;
  double steps = sc->duration / sc->step, period = sc->control_period / sc->step, numbers = 0.0;
  if (fabs(steps - rint(steps)) > 1e-6 || fabs(period - rint(period)) > 1e-6 || !(period >= 0.5))
    return "its duration, or its period of control, is no whole number of steps";
  if (z->rom->rom.n_u != z->model->n_drive) return "the reduced model has other drives";
  for (int k = 0; k < sc->n_action; k++) {
    const mw_action *a = &sc->action[k];
    int joint = z->model->drive[a->drive].joint;
    const char *why = a->kind == MW_ACTION_CONTROL ? why_not_control(a) : NULL;
    if (why) return why;
    if (a->kind == MW_ACTION_POSITION && (joint < 0 || coordinate_of(z, joint) < 0))
      return "it prescribes what is no coordinate of the reduction";
    numbers += a->kind == MW_ACTION_FORCE      ? steps
               : a->kind == MW_ACTION_POSITION ? 2.0 * steps
                                               : 3.0 * (steps / period + 1.0);
  }
  if (numbers > MOST_NUMBERS) return "it has too many steps for a page";
  z->steps = (int)rint(steps);
  z->period = (int)rint(period);
  return NULL;
}

// Samples of the signal (order 0), its rate or its acceleration at k step + shift, k = from … to.
static void put_samples(const scenario *z, const mw_signal *g, const char *key, int order, int from,
                        int to, int every, double shift, mw_json *j)
{
  mw_json_array(j, key);
  for (int k = from; k <= to; k += every) {
    double r[3];
    mw_signal_eval(g, k * z->sc->step + shift, &r[0], &r[1], &r[2]);
    mw_json_num(j, NULL, r[order]);
  }
  mw_json_end(j, ']');
}

static void put_action(const scenario *z, const mw_action *a, mw_json *j)
{
  static const char *const kind[] = { "force", "position", "control" };
  int n = z->steps;
  mw_json_object(j, NULL);
  mw_json_num(j, "drive", a->drive);
  mw_json_num(j, "field", z->rom->rom.u_field[a->drive]);
  mw_json_str(j, "kind", kind[a->kind]);
  if (a->kind == MW_ACTION_FORCE)
    put_samples(z, &a->signal, "value", 0, 0, n - 1, 1, 0.5 * z->sc->step, j);
  if (a->kind == MW_ACTION_POSITION) {
    mw_json_num(j, "coordinate", coordinate_of(z, z->model->drive[a->drive].joint));
    put_samples(z, &a->signal, "value", 0, 1, n, 1, 0.0, j);
    put_samples(z, &a->signal, "rate", 1, 1, n, 1, 0.0, j);
  }
  if (a->kind == MW_ACTION_CONTROL) {
    mw_json_num(j, "kp", a->kp);
    mw_json_num(j, "kd", a->kd);
    mw_json_num(j, "ki", a->ki);
    mw_json_num(j, "ff", a->ff);
    mw_json_num(j, "gravity", a->gravity);
    put_samples(z, &a->signal, "value", 0, 0, n, z->period, 0.0, j);
    put_samples(z, &a->signal, "rate", 1, 0, n, z->period, 0.0, j);
    put_samples(z, &a->signal, "acc", 2, 0, n, z->period, 0.0, j);
  }
  mw_json_end(j, '}');
}

static void put_scenario(const scenario *z, const double *x, mw_json *j)
{
  mw_json_object(j, NULL);
  mw_json_str(j, "name", z->sc->name);
  mw_json_num(j, "h", z->sc->step);
  mw_json_num(j, "steps", z->steps);
  mw_json_num(j, "period", z->period);
  mw_json_array(j, "x");
  for (int i = 0; i < 2 * (z->rom->rom.s + z->rom->rom.m); i++) mw_json_num(j, NULL, x[i]);
  mw_json_end(j, ']');
  mw_json_array(j, "actions");
  for (int k = 0; k < z->sc->n_action; k++) put_action(z, &z->sc->action[k], j);
  mw_json_end(j, ']');
  mw_json_end(j, '}');
}

// The process of a scenario, where it has one.
static void put_cutting(const mw_scenario *sc, mw_json *j)
{
  const mw_cutting_in *c = sc->cutting;
  if (!c) return;
  mw_json_object(j, NULL);
  mw_json_str(j, "name", sc->name);
  mw_json_str(j, "to", c->to);
  mw_json_str(j, "from", c->from ? c->from : "");
  mw_json_num(j, "force", c->force);
  mw_json_num(j, "radial", c->radial);
  mw_json_num(j, "teeth", c->teeth);
  mw_json_num(j, "immersion", c->immersion);
  mw_json_bool(j, "down", c->down);
  mw_json_array(j, "rpm");
  for (int k = 0; k < 2; k++) mw_json_num(j, NULL, c->rpm[k]);
  mw_json_end(j, ']');
  mw_json_end(j, '}');
}

static mw_code put_all(const mw_rom_file *rom, const mw_case *model, double *x, mw_arena *mem,
                       FILE *f, mw_error *err)
{
  int n = model->model.n_scenario;
  mw_json j = { .f = f };
  const char **why = mw_arena_alloc(mem, (size_t)n + 1, sizeof *why);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  mw_json_object(&j, NULL);
  mw_json_array(&j, "run");
  for (int k = 0; k < n; k++) {
    scenario z = { .rom = rom, .model = &model->model, .sc = &model->model.scenario[k] };
    mw_error no = { 0 };
    why[k] = why_not(&z);
    if (!why[k] && mw_rom_run_start(z.model, &model->mech, rom, z.sc, x, &no) != MW_OK)
      why[k] = mw_arena_printf(mem, "%s", no.msg);
    if (!why[k]) put_scenario(&z, x, &j);
  }
  mw_json_end(&j, ']');
  mw_json_array(&j, "cutting");
  for (int k = 0; k < n; k++) put_cutting(&model->model.scenario[k], &j);
  mw_json_end(&j, ']');
  mw_json_array(&j, "not");
  for (int k = 0; k < n; k++)
    if (why[k])
      mw_json_str(&j, NULL, mw_arena_printf(mem, "%s: %s", model->model.scenario[k].name, why[k]));
  mw_json_end(&j, ']');
  mw_json_end(&j, '}');
  return mw_arena_check(mem, err);
}

mw_code mw_page_scenarios(const mw_rom_file *rom, const mw_case *model, FILE *f, mw_error *err)
{
  mw_arena mem = { 0 };
  double *x = mw_arena_f64(&mem, 2 * (size_t)(rom->rom.s + rom->rom.m));
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = put_all(rom, model, x, &mem, f, err);
  mw_arena_free(&mem);
  return rc;
}
