// SPDX-License-Identifier: BSD-3-Clause
// model_run.c: scenarios.
//
// A coordinate that a scenario's `start` leaves out starts, in this order: where its drive's move
// or position signal starts; in the middle of its range under `reduction`; else it is left to the
// reference configuration.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fem/control.h"
#include "model_layer.h"

static const double MULTIPLE = 1e-6;  // how far a ratio of times may be from a whole number
static const double AGREE = 1e-6;     // of 1 + |value|: a start and the signal that prescribes it

// ---- actions ------------------------------------------------------------------------------------

static mw_code read_filters(mw_reader *rd, const mw_ynode *list, const mw_scenario *sc,
                            mw_action *a)
{
  static const char *const kinds[] = { "low_pass", "notch", NULL };
  mw_code rc = MW_NEW(rd, a->filter, list->n);
  for (const mw_ynode *e = list->first; e && rc == MW_OK; e = e->next) {
    int kind;
    const mw_ynode *v = mw_y_one(e, kinds, &kind), *f = mw_y_find(v, "frequency");
    a->filter[a->n_filter++] = (mw_filter_in){ .at = f->at,
                                               .notch = kind == 1,
                                               .f = f->num,
                                               .order = kind == 0 ? (int)mw_y_num(v, "order") : 2,
                                               .width = kind == 1 ? mw_y_num(v, "width") : 0.0,
                                               .depth = kind == 1 ? mw_y_num(v, "depth") : 0.0 };
    if (!(2.0 * f->num * sc->control_period < 1.0))
      rc = mw_fail(rd->err, MW_ERR_INPUT, f->at,
                   "filter at %g Hz, but the controller samples every %g s, expected less than "
                   "half its rate, %g Hz",
                   f->num, sc->control_period, 0.5 / sc->control_period);
  }
  return rc;
}

static mw_code read_encoder(mw_reader *rd, const mw_ynode *v, mw_action *a)
{
  const mw_ynode *ratio = mw_y_find(v, "ratio");
  a->encoder = true;
  a->encoder_ratio = ratio->num;
  if (ratio->num == 0.0)
    return mw_fail(rd->err, MW_ERR_INPUT, ratio->at,
                   "ratio of an encoder is 0, expected one above or below 0");
  return mw_coord_read(rd, mw_y_find(v, "coordinate"), &a->encoder_joint);
}

// Velocity loop and limits of the controller, and what does not go with them.
static mw_code read_cascade(const mw_reader *rd, const mw_ynode *e, mw_action *a)
{
  static const char *const inner[] = { "ki", "kd" };
  const mw_ynode *v = mw_y_find(e, "velocity"), *limits = mw_y_find(e, "limits");
  if (limits) {
    a->max_force = mw_y_num(limits, "force");
    a->max_speed = mw_y_num(limits, "speed");
    a->max_power = mw_y_num(limits, "power");
  }
  if (!v && a->max_speed > 0.0)
    return mw_fail(rd->err, MW_ERR_INPUT, mw_y_find(limits, "speed")->key->at,
                   "drive %.64s: found limits.speed without velocity, expected a velocity loop, "
                   "whose set point it limits",
                   e->key->text);
  if (!v) return MW_OK;
  a->cascade = true;
  a->v_kp = mw_y_num(v, "kp");
  a->v_ki = mw_y_num(v, "ki");
  for (int k = 0; k < 2; k++)
    if (mw_y_given(e, inner[k]))
      return mw_fail(rd->err, MW_ERR_INPUT, mw_y_find(e, inner[k])->key->at,
                     "drive %.64s: found %s beside velocity, expected velocity.%s", e->key->text,
                     inner[k], k == 0 ? "ki" : "kp");
  return MW_OK;
}

static mw_code read_controller(mw_reader *rd, const mw_ynode *e, const char *key, mw_at at,
                               const mw_scenario *sc, mw_action *a)
{
  const mw_model *m = rd->m;
  const mw_ynode *encoder = mw_y_find(e, "encoder"), *filters = mw_y_find(e, "filters");
  const mw_ynode *inverse = mw_y_find(e, "inverse_dynamics");
  int joint = m->drive[a->drive].joint;
  a->weight = inverse && mw_y_num(inverse, "gravity") > 0.0;
  a->inertia = inverse && mw_y_num(inverse, "acceleration") > 0.0;
  mw_code rc = read_cascade(rd, e, a);
  if (rc == MW_OK && encoder) rc = read_encoder(rd, encoder, a);
  if (rc == MW_OK && filters) rc = read_filters(rd, filters, sc, a);
  if (rc != MW_OK || a->cascade || joint < 0) return rc;
  if (a->kp != 0.0 || a->ki != 0.0 || a->kd != 0.0 || a->ff != 0.0) return MW_OK;
  if (a->weight || a->inertia) return MW_OK;
  bool turns = strcmp(mw_joint_unit(&m->joint[joint]), "rad") == 0;
  return mw_fail(rd->err, MW_ERR_INPUT, at,
                 "drive %.64s: found %s without gains, which gives no force; expected kp (%s), kd "
                 "(%s) or feedforward (%s) beside it, or position: { cycloid: … } in place of "
                 "%s, which the coordinate follows exactly",
                 e->key->text, key, turns ? "N m/rad" : "N/m", turns ? "N m s/rad" : "N s/m",
                 turns ? "kg m2" : "kg", key);
}

static mw_code read_action(mw_reader *rd, const mw_ynode *e, const mw_scenario *sc, mw_action *a)
{
  static const char *const kinds[] = { "force", "position", "move", "follow", NULL };
  static const mw_action_kind kind_of_key[] = { MW_ACTION_FORCE, MW_ACTION_POSITION,
                                                MW_ACTION_CONTROL, MW_ACTION_CONTROL };
  static const char *const gains[] = {
    "kp",       "ki",      "kd",      "feedforward", "gravity",
    "velocity", "encoder", "filters", "limits",      "inverse_dynamics"
  };
  const mw_model *m = rd->m;
  int kind;
  const mw_ynode *v = mw_y_one(e, kinds, &kind);
  *a = (mw_action){ .at = e->key->at,
                    .kind = kind_of_key[kind],
                    .kp = mw_y_num(e, "kp"),
                    .ki = mw_y_num(e, "ki"),
                    .kd = mw_y_num(e, "kd"),
                    .ff = mw_y_num(e, "feedforward"),
                    .gravity = mw_y_num(e, "gravity") };
  mw_code rc = mw_name_read(rd, e->key, "drive", m->drive, m->n_drive, sizeof *m->drive, &a->drive);
  if (rc != MW_OK) return rc;
  for (size_t k = 0; k < sizeof gains / sizeof *gains; k++)
    if (a->kind != MW_ACTION_CONTROL && mw_y_given(e, gains[k]))
      return mw_fail(rd->err, MW_ERR_INPUT, mw_y_find(e, gains[k])->key->at,
                     "drive %.64s: found %s with %s, expected it only with move or follow",
                     e->key->text, gains[k], kinds[kind]);
  int joint = m->drive[a->drive].joint;
  if (a->kind == MW_ACTION_CONTROL) rc = read_controller(rd, e, kinds[kind], v->key->at, sc, a);
  if (rc != MW_OK) return rc;
  if (a->kind != MW_ACTION_FORCE && joint < 0)
    return mw_fail(rd->err, MW_ERR_INPUT, v->key->at,
                   "drive %.64s is a force at a frame: found %s, expected force", e->key->text,
                   kinds[kind]);
  const int first = joint >= 0 ? rd->act_first[joint] : 0;
  for (const mw_action *o = sc->action + (first > 0 ? first - 1 : 0); first > 0 && o < a; o++)
    if (joint >= 0 && m->drive[o->drive].joint == joint &&
        (a->kind == MW_ACTION_POSITION || o->kind == MW_ACTION_POSITION))
      return mw_fail(
          rd->err, MW_ERR_INPUT, e->key->at,
          "drives %.64s and %.64s share a coordinate that one prescribes, expected only that one",
          m->drive[o->drive].name, m->drive[a->drive].name);
  const int number = 1 + (int)(a - sc->action);
  if (joint >= 0 && first == 0) rd->act_first[joint] = number;
  if (joint >= 0 && a->kind != MW_ACTION_FORCE && rd->act_guide[joint] == 0)
    rd->act_guide[joint] = number;
  rc = mw_signal_read(rd, v, &a->signal);
  if (rc == MW_OK && a->kind == MW_ACTION_POSITION)
    rc = mw_signal_check_jump(rd, v, &a->signal, e->key->text, sc->duration);
  return rc == MW_OK && !isnan(a->signal.a)  // a move from where the scenario starts
             ? mw_signal_check_finite(rd, &a->signal, sc->step, sc->duration)
             : rc;
}

// ---- start --------------------------------------------------------------------------------------

static const mw_coordinate_in *coordinate_of(const mw_model *m, int joint)
{
  for (int i = 0; i < m->reduction.n_coordinate; i++)
    if (m->reduction.coordinate[i].joint == joint) return &m->reduction.coordinate[i];
  return NULL;
}

static mw_code check_agree(const mw_reader *rd, mw_at at, const char *what, double start,
                           const mw_action *a, double want)
{
  if (fabs(start - want) <= AGREE * (1.0 + fabs(want))) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, at,
                 "start: %s is %g, but drive %.64s prescribes %g, expected the same", what, start,
                 rd->m->drive[a->drive].name, want);
}

// Start of one coordinate: s and v, and `known` false when nothing says where.
static mw_code start_joint(mw_reader *rd, const mw_scenario *sc, int joint, const mw_ynode *given,
                           bool *known, double *s, double *v)
{
  const mw_model *m = rd->m;
  // that has a position of its own
  mw_action *a = rd->act_guide[joint] > 0 ? &sc->action[rd->act_guide[joint] - 1] : NULL;
  const mw_coordinate_in *c = coordinate_of(m, joint);
  double y = NAN, y_dot = 0.0;
  mw_code rc = MW_OK;
  if (a) mw_signal_eval(&a->signal, 0.0, &y, &y_dot, NULL);
  bool prescribed = a && a->kind == MW_ACTION_POSITION;
  const mw_ynode *at = given && given->kind == MW_Y_MAP ? mw_y_find(given, "at") : given;
  const mw_ynode *rate = given && given->kind == MW_Y_MAP ? mw_y_find(given, "velocity") : NULL;
  *known = true;
  if (at)
    *s = at->num;
  else if (!isnan(y))
    *s = y;
  else if (c)
    *s = 0.5 * (c->lo + c->hi);
  else
    *known = false;
  *v = rate ? rate->num : prescribed ? y_dot : 0.0;
  if (prescribed && at && !isnan(y)) rc = check_agree(rd, at->at, "value", *s, a, y);
  if (rc == MW_OK && prescribed && rate) rc = check_agree(rd, rate->at, "velocity", *v, a, y_dot);
  if (rc != MW_OK || !a || !isnan(a->signal.a)) return rc;
  if (!*known)
    return mw_fail(
        rd->err, MW_ERR_INPUT, a->at,
        "drive %.64s: move has no from, and the start of its coordinate is not known, expected "
        "one of them",
        m->drive[a->drive].name);
  a->signal.a = *s;
  return MW_OK;
}

// i: index of a known start
static mw_code check_limits(const mw_reader *rd, const mw_scenario *sc, int i,
                            const mw_ynode *given)
{
  const mw_joint_in *j = &rd->m->joint[sc->start_joint[i]];
  double s = sc->start_s[i];
  if (!j->has_limits || (s >= j->limits[0] && s <= j->limits[1])) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, given ? given->at : sc->at,
                 "start of %.64s is %g, expected it within its limits [%g, %g]",
                 mw_joint_coord_name(j), s, j->limits[0], j->limits[1]);
}

// Coordinates in the order of joints.
static mw_code read_start(mw_reader *rd, const mw_ynode *map, mw_scenario *sc)
{
  const mw_model *m = rd->m;
  size_t n = (size_t)m->n_joint;
  const mw_ynode **given = mw_arena_alloc(rd->mem, n, sizeof *given);
  sc->start_joint = mw_arena_int(rd->mem, n);
  sc->start_s = mw_arena_f64(rd->mem, n);
  sc->start_v = mw_arena_f64(rd->mem, n);
  mw_code rc = mw_arena_check(rd->mem, rd->err);
  for (const mw_ynode *e = map->first; e && rc == MW_OK; e = e->next) {
    int joint = 0;
    rc = mw_coord_read(rd, e->key, &joint);
    if (rc == MW_OK) given[joint] = e;
  }
  for (int j = 0; j < m->n_joint && rc == MW_OK; j++) {
    bool known = false;
    if (!mw_joint_coord_name(&m->joint[j])) continue;
    sc->start_joint[sc->n_start] = j;
    rc = start_joint(rd, sc, j, given[j], &known, &sc->start_s[sc->n_start],
                     &sc->start_v[sc->n_start]);
    if (!known) continue;
    double before, behind, s = sc->start_s[sc->n_start],
                           l = mw_slide_length(m, &m->joint[j], &before, &behind);
    double slack = 1e-9 * l;
    if (rc == MW_OK && l > 0.0 && (s - behind < -slack || s + before > l + slack))
      rc = mw_fail(rd->err, MW_ERR_INPUT, given[j] ? given[j]->at : sc->at,
                   "start of %.64s is %g m, which puts a runner off the guide, expected %g to %g m",
                   mw_joint_coord_name(&m->joint[j]), s, behind, l - before);
    sc->n_start++;
  }
  for (int i = 0; i < sc->n_start && rc == MW_OK; i++)
    rc = check_limits(rd, sc, i, given[sc->start_joint[i]]);
  return rc;
}

// ---- elastic start ------------------------------------------------------------------------------

// NAME.AXIS of a position
static mw_code read_component(const mw_reader *rd, const mw_ynode *node, mw_mode_start *out)
{
  const char *dot = strrchr(node->text, '.');
  char name[128];
  mw_ynode only = *node;
  size_t n = dot ? (size_t)(dot - node->text) : 0;
  out->axis = dot && dot[1] >= 'x' && dot[1] <= 'z' && !dot[2] ? dot[1] - 'x' : -1;
  if (out->axis < 0 || n >= sizeof name)
    return mw_fail(rd->err, MW_ERR_INPUT, node->at,
                   "of: found %.64s, expected the name of a position and .x, .y or .z", node->text);
  memcpy(name, node->text, n);
  name[n] = '\0';
  only.text = name;
  return mw_position_read(rd, &only, &out->output);
}

static mw_code read_mode_start(const mw_reader *rd, const mw_ynode *e, mw_mode_start *out)
{
  *out = (mw_mode_start){ .at = e->at,
                          .mode = (int)mw_y_num(e, "mode"),
                          .amplitude = mw_y_num(e, "amplitude"),
                          .rate = mw_y_num(e, "rate") };
  if (!mw_y_find(e, "amplitude")->given && !mw_y_find(e, "rate")->given)
    return mw_fail(rd->err, MW_ERR_INPUT, e->at,
                   "found a mode without amplitude and rate, expected one of them");
  return read_component(rd, mw_y_find(e, "of"), out);
}

static mw_code read_elastic_start(mw_reader *rd, const mw_ynode *map, mw_scenario *sc)
{
  const mw_ynode *modes = mw_y_find(map, "modes"), *loads = mw_y_find(map, "release");
  mw_code rc = MW_NEW(rd, sc->mode_start, modes->n);
  if (rc == MW_OK) rc = MW_NEW(rd, sc->load_start, loads->n);
  for (const mw_ynode *e = modes->first; e && rc == MW_OK; e = e->next)
    rc = read_mode_start(rd, e, &sc->mode_start[sc->n_mode_start++]);
  for (const mw_ynode *e = loads->first; e && rc == MW_OK; e = e->next) {
    mw_load_start *l = &sc->load_start[sc->n_load_start++];
    mw_y_vec(e, 3, l->force);
    rc = mw_position_read(rd, e->key, &l->output);
  }
  return rc;
}

// ---- scenarios ----------------------------------------------------------------------------------

static mw_code check_times(const mw_reader *rd, const mw_ynode *e, const mw_scenario *sc)
{
  const mw_ynode *period = mw_y_find(e, "control_period"), *store = mw_y_find(e, "store");
  double ratio = sc->control_period / sc->step, store_ratio = sc->store / sc->step;
  if (sc->step > sc->duration * (1.0 + MULTIPLE)) {
    const mw_ynode *step = mw_y_find(e, "step");
    return mw_fail(rd->err, MW_ERR_INPUT, step->given ? step->at : sc->at,
                   "step is %g s, expected at most the duration, %g s", sc->step, sc->duration);
  }
  if (period && (ratio < 1.0 - MULTIPLE || fabs(ratio - nearbyint(ratio)) > MULTIPLE * ratio))
    return mw_fail(rd->err, MW_ERR_INPUT, period->at,
                   "control_period is %g s, expected a multiple of the step, %g s",
                   sc->control_period, sc->step);
  if (store && store_ratio < 1.0 - MULTIPLE)
    return mw_fail(rd->err, MW_ERR_INPUT, store->at,
                   "store is %g s, expected at least the step, %g s", sc->store, sc->step);
  return MW_OK;
}

// The duration is simulated to its end: where it is no multiple of the store interval, that becomes
// shorter.
static void whole_intervals(mw_scenario *sc)
{
  double n = sc->duration / sc->store;
  if (fabs(n - nearbyint(n)) > MULTIPLE * n || n < 0.5) sc->store = sc->duration / ceil(n);
}

static const struct {
  const char *name;  // as in the key `method` (fem/keys/model_keys.c)
  bool adapts;
} methods[MW_N_METHOD] = {
  [MW_METHOD_AUTO] = { "auto", true },     [MW_METHOD_CVODE] = { "cvode", true },
  [MW_METHOD_ADAMS] = { "adams", true },   [MW_METHOD_IDA] = { "ida", true },
  [MW_METHOD_DOPRI5] = { "dopri5", true }, [MW_METHOD_DOP853] = { "dop853", true },
  [MW_METHOD_RADAU] = { "radau", true },   [MW_METHOD_RK4] = { "rk4", false },
  [MW_METHOD_EULER] = { "euler", false },  [MW_METHOD_LEAPFROG] = { "leapfrog", false },
  [MW_METHOD_ALPHA] = { "alpha", false },  [MW_METHOD_MIDPOINT] = { "midpoint", false },
};

const char *mw_method_name(mw_method method) { return methods[method].name; }

bool mw_method_find(const char *name, mw_method *out)
{
  for (int i = 0; i < MW_N_METHOD; i++)
    if (strcmp(name, methods[i].name) == 0) {
      *out = (mw_method)i;
      return true;
    }
  return false;
}

bool mw_method_adapts(mw_method method) { return methods[method].adapts; }

static mw_rigid_in read_rigid_path(const mw_ynode *v)
{
  mw_rigid_in r = { .tolerance = mw_y_num(v, "tolerance"),
                    .projection = mw_y_num(v, "projection"),
                    .rho_inf = mw_y_num(v, "rho_inf"),
                    .ggl = mw_y_num(v, "ggl") > 0.0,
                    .threads = (int)mw_y_num(v, "threads") };
  (void)mw_method_find(mw_y_find(v, "method")->text, &r.method);  // the key has these names only
  return r;
}

static mw_code read_scenario(mw_reader *rd, const mw_ynode *e, mw_scenario *sc)
{
  const mw_ynode *drives = mw_y_find(e, "drives");
  *sc = (mw_scenario){ .name = mw_read_str(rd, e->key->text),
                       .at = e->key->at,
                       .duration = mw_y_num(e, "duration"),
                       .step = mw_y_num(e, "step"),
                       .control_period = mw_y_num(e, "control_period"),
                       .store = mw_y_num(e, "store"),
                       .static_start = strcmp(mw_y_find(e, "initial")->text, "static") == 0,
                       .rigid = read_rigid_path(mw_y_find(e, "rigid")) };
  if (!mw_y_find(e, "control_period")) sc->control_period = sc->step;
  if (!mw_y_find(e, "store")) sc->store = sc->step;
  sc->store_asked = sc->store;
  mw_code rc = check_times(rd, e, sc);
  whole_intervals(sc);
  if (rc == MW_OK) rc = MW_NEW(rd, sc->action, drives->n + mw_units_outputs(e));
  if (rc == MW_OK) rc = MW_NEW(rd, rd->act_first, rd->m->n_joint);
  if (rc == MW_OK) rc = MW_NEW(rd, rd->act_guide, rd->m->n_joint);
  for (const mw_ynode *d = drives->first; d && rc == MW_OK; d = d->next)
    rc = read_action(rd, d, sc, &sc->action[sc->n_action++]);
  if (rc == MW_OK) rc = mw_units_read(rd, e, sc);
  if (rc == MW_OK) rc = mw_cutting_read(rd, e, sc);
  for (int k = 0; k < rd->m->n_force && rc == MW_OK; k++)
    if (rd->m->force[k].has_signal)
      rc = mw_signal_check_finite(rd, &rd->m->force[k].signal, sc->step, sc->duration);
  if (rc == MW_OK) rc = read_start(rd, mw_y_find(e, "start"), sc);
  if (rc == MW_OK) rc = read_elastic_start(rd, mw_y_find(e, "elastic"), sc);
  return rc;
}

// Scenarios that the certificate runs.
static mw_code read_judges(mw_reader *rd, const mw_ynode *root)
{
  mw_model *m = rd->m;
  mw_reduction_in *r = &m->reduction;
  if (!r->present) return MW_OK;
  const mw_ynode *certificate = mw_y_find(mw_y_find(root, "reduction"), "certificate"),
                 *names = mw_y_find(certificate, "scenario");
  if (!names) return MW_OK;
  bool list = names->kind == MW_Y_LIST;
  mw_code rc = MW_NEW(rd, r->judge, list ? names->n : 1);
  for (const mw_ynode *e = list ? names->first : names; e && rc == MW_OK;
       e = list ? e->next : NULL) {
    int *k = &r->judge[r->n_judge];
    rc = mw_name_read(rd, e, "scenario", m->scenario, m->n_scenario, sizeof *m->scenario, k);
    for (int i = 0; rc == MW_OK && i < r->n_judge; i++)
      if (r->judge[i] == *k)
        rc = mw_fail(rd->err, MW_ERR_INPUT, e->at,
                     "certificate: found scenario %.64s twice, expected it once", e->text);
    r->n_judge++;
  }
  return rc;
}

mw_code mw_read_scenarios(mw_reader *rd, const mw_ynode *root)
{
  const mw_ynode *scenarios = mw_y_find(root, "scenarios");
  mw_model *m = rd->m;
  mw_code rc = MW_NEW(rd, m->scenario, scenarios->n);
  for (const mw_ynode *e = scenarios->first; e && rc == MW_OK; e = e->next)
    rc = read_scenario(rd, e, &m->scenario[m->n_scenario++]);
  return rc == MW_OK ? read_judges(rd, root) : rc;
}
