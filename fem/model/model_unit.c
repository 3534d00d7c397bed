// SPDX-License-Identifier: BSD-3-Clause
// model_unit.c: functional mock-up units of a scenario: what they are set to, and whose forces they
// are. Their files are read when a run opens them (sim/cosim), which checks their variables.
#include <math.h>
#include <string.h>

#include "model_layer.h"

static const double MULTIPLE = 1e-6;  // how far a ratio of times may be from a whole number

// A variable named twice by entries of a list, the second at e.
static mw_code check_once(const mw_reader *rd, const mw_ynode *list, const mw_ynode *e,
                          const char *unit)
{
  const mw_ynode *v = mw_y_find(e, "variable");
  for (const mw_ynode *o = list->first; o != e; o = o->next)
    if (strcmp(mw_y_find(o, "variable")->text, v->text) == 0)
      return mw_fail(rd->err, MW_ERR_INPUT, v->at,
                     "unit %.64s: found variable %.64s twice, expected it once", unit, v->text);
  return MW_OK;
}

static mw_code read_drive_of(const mw_reader *rd, const mw_ynode *name, int *drive)
{
  const mw_model *m = rd->m;
  return mw_name_read(rd, name, "drive", m->drive, m->n_drive, sizeof *m->drive, drive);
}

static mw_code read_motor(const mw_reader *rd, const mw_ynode *v, mw_unit_input *in)
{
  const mw_model *m = rd->m;
  mw_code rc = read_drive_of(rd, v, &in->drive);
  if (rc != MW_OK || m->drive[in->drive].joint >= 0) return rc;
  return mw_fail(rd->err, MW_ERR_INPUT, v->at,
                 "drive %.64s is a force at a frame, which has no coordinate: expected coordinate "
                 "or rate of a joint",
                 v->text);
}

static mw_code read_input(mw_reader *rd, const mw_ynode *e, const mw_scenario *sc,
                          mw_unit_input *in)
{
  static const char *const sources[] = {
    "coordinate", "rate", "motor", "motor_rate", "signal", NULL
  };
  const mw_ynode *variable = mw_y_find(e, "variable");
  int source;
  const mw_ynode *v = mw_y_one(e, sources, &source);
  *in = (mw_unit_input){ .variable = mw_read_str(rd, variable->text),
                         .at = variable->at,
                         .source = (mw_unit_source)source,
                         .joint = -1,
                         .drive = -1 };
  mw_code rc = MW_OK;
  if (in->source == MW_UNIT_COORDINATE || in->source == MW_UNIT_RATE)
    rc = mw_coord_read(rd, v, &in->joint);
  else if (in->source == MW_UNIT_SIGNAL)
    rc = mw_signal_read(rd, v, &in->signal);
  else
    rc = read_motor(rd, v, in);
  if (rc == MW_OK && in->source == MW_UNIT_SIGNAL && isnan(in->signal.a))
    rc = mw_fail(rd->err, MW_ERR_INPUT, v->at,
                 "move has no from, expected it: a unit has no start of its own");
  return rc == MW_OK && in->source == MW_UNIT_SIGNAL
             ? mw_signal_check_finite(rd, &in->signal, sc->step, sc->duration)
             : rc;
}

// The force of an output is that of an action behind those of `drives`.
static mw_code read_output(mw_reader *rd, const mw_ynode *e, const mw_unit_in *u, mw_scenario *sc,
                           mw_unit_output *out)
{
  const mw_model *m = rd->m;
  const mw_ynode *variable = mw_y_find(e, "variable"), *drive = mw_y_find(e, "drive");
  *out = (mw_unit_output){ .variable = mw_read_str(rd, variable->text), .at = variable->at };
  mw_code rc = read_drive_of(rd, drive, &out->drive);
  if (rc != MW_OK) return rc;
  int joint = m->drive[out->drive].joint;
  for (int k = 0; k < sc->n_action; k++) {
    const mw_action *a = &sc->action[k];
    if (a->drive == out->drive)
      return mw_fail(rd->err, MW_ERR_INPUT, drive->at,
                     "unit %.64s: drive %.64s has a force already (line %d), expected one", u->name,
                     drive->text, a->at.line);
    if (a->kind == MW_ACTION_POSITION && joint >= 0 && m->drive[a->drive].joint == joint)
      return mw_fail(rd->err, MW_ERR_INPUT, drive->at,
                     "unit %.64s: drive %.64s shares a coordinate that drive %.64s prescribes, "
                     "expected only that one",
                     u->name, drive->text, m->drive[a->drive].name);
  }
  sc->action[sc->n_action++] =
      (mw_action){ .at = drive->at, .drive = out->drive, .kind = MW_ACTION_CONTROL, .unit = u };
  return MW_OK;
}

static mw_code read_step(const mw_reader *rd, const mw_ynode *step, const mw_scenario *sc,
                         mw_unit_in *u)
{
  double ratio = step ? step->num / sc->control_period : 1.0;
  u->every = (int)nearbyint(fmin(ratio, 1e9));
  if (u->every >= 1 && fabs(ratio - u->every) <= MULTIPLE * ratio) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, step ? step->at : u->at,
                 "step of unit %.64s is %g s, expected a multiple of control_period, %g s", u->name,
                 step ? step->num : 0.0, sc->control_period);
}

static mw_code read_unit(mw_reader *rd, const mw_ynode *e, mw_scenario *sc, mw_unit_in *u)
{
  const mw_ynode *file = mw_y_find(e, "fmu"), *inputs = mw_y_find(e, "inputs"),
                 *outputs = mw_y_find(e, "outputs"), *parameters = mw_y_find(e, "parameters");
  *u = (mw_unit_in){ .name = mw_read_str(rd, e->key->text),
                     .at = e->key->at,
                     .file = mw_read_path(rd, file),
                     .file_at = file->at };
  mw_code rc = read_step(rd, mw_y_find(e, "step"), sc, u);
  if (rc == MW_OK) rc = MW_NEW(rd, u->input, inputs->n);
  if (rc == MW_OK) rc = MW_NEW(rd, u->output, outputs->n);
  if (rc == MW_OK) rc = MW_NEW(rd, u->parameter, parameters->n);
  for (const mw_ynode *i = inputs->first; i && rc == MW_OK; i = i->next) {
    rc = check_once(rd, inputs, i, u->name);
    if (rc == MW_OK) rc = read_input(rd, i, sc, &u->input[u->n_input++]);
  }
  for (const mw_ynode *o = outputs->first; o && rc == MW_OK; o = o->next)
    rc = read_output(rd, o, u, sc, &u->output[u->n_output++]);
  for (const mw_ynode *p = parameters->first; p && rc == MW_OK; p = p->next) {
    const mw_ynode *variable = mw_y_find(p, "variable");
    rc = check_once(rd, parameters, p, u->name);
    u->parameter[u->n_parameter++] = (mw_unit_parameter){
      .variable = mw_read_str(rd, variable->text), .at = variable->at, .value = mw_y_num(p, "value")
    };
  }
  return rc == MW_OK ? mw_arena_check(rd->mem, rd->err) : rc;
}

int mw_units_outputs(const mw_ynode *e)
{
  int n = 0;
  for (const mw_ynode *u = mw_y_find(e, "units")->first; u; u = u->next)
    n += mw_y_find(u, "outputs")->n;
  return n;
}

mw_code mw_units_read(mw_reader *rd, const mw_ynode *e, mw_scenario *sc)
{
  const mw_ynode *units = mw_y_find(e, "units");
  mw_code rc = MW_NEW(rd, sc->unit, units->n);
  for (const mw_ynode *u = units->first; u && rc == MW_OK; u = u->next)
    rc = read_unit(rd, u, sc, &sc->unit[sc->n_unit++]);
  return rc;
}
