// SPDX-License-Identifier: BSD-3-Clause
// ranges.c: the largest rates and accelerations that a machine is judged for.
//
// Forces of motion, where the model declares none: the acceleration of gravity at the farthest
// point of the machine, in its units; where there is no gravity that which bends the softest mode
// by BEND of the machine's size, BEND ω² size: similar machines of any size and units move alike.
// The rate that it reaches over half the range, at most half a range in a period of the softest
// mode.
// Third order and stretching, where it declares none: those of the positions that its scenarios
// prescribe or have followed. Where a rate jumps there is no acceleration.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "fem/control.h"
#include "reduce_layer.h"

enum { INSTANTS = 2000 };  // of a scenario, beside the kinks of its signals
static const double BEND = 1e-3;
static const double NONE = 9.81;  // m/s², where nothing bends

void mw_reduction_declared(const mw_reduction *r, mw_field_ranges *out)
{
  *out = (mw_field_ranges){ .assumed = NULL };
  for (int i = 0; i < r->s; i++) {
    out->rate[i] = r->model->reduction.coordinate[i].max_rate;
    out->acceleration[i] = r->model->reduction.coordinate[i].max_acceleration;
  }
}

static void raise(const mw_signal *g, double t, double *rate, double *acceleration)
{
  double y, dy, ddy;
  mw_signal_eval(g, t, &y, &dy, &ddy);
  if (fabs(dy) > *rate) *rate = fabs(dy);
  if (fabs(ddy) > *acceleration) *acceleration = fabs(ddy);
}

// Raises both to the largest of a position signal from 0 to `end` s, at its kinks from either side.
static void follow(const mw_signal *g, double end, double *rate, double *acceleration)
{
  for (int k = 0; k <= INSTANTS; k++) raise(g, k * end / INSTANTS, rate, acceleration);
  for (double t = mw_signal_next_kink(g, 0.0); t <= end; t = mw_signal_next_kink(g, t)) {
    raise(g, mw_signal_before(t), rate, acceleration);
    raise(g, t, rate, acceleration);
  }
}

// Largest rate and acceleration of coordinate i in the scenarios; 0: none moves it by positions
static void scenarios_of(const mw_reduction *r, int i, double *rate, double *acceleration)
{
  const mw_model *m = r->model;
  *rate = *acceleration = 0.0;
  for (int k = 0; k < m->n_scenario; k++)
    for (int a = 0; a < m->scenario[k].n_action; a++) {
      const mw_action *action = &m->scenario[k].action[a];
      if (!mw_action_guides(action)) continue;
      if (m->drive[action->drive].joint != m->reduction.coordinate[i].joint) continue;
      follow(&action->signal, m->scenario[k].duration, rate, acceleration);
    }
}

mw_code mw_reduction_moves(const mw_reduction *r, mw_field_ranges *out, mw_arena *mem,
                           mw_error *err)
{
  const char *text = NULL;
  mw_reduction_declared(r, out);
  for (int i = 0; i < r->s; i++) {
    const mw_coordinate_in *c = &r->model->reduction.coordinate[i];
    const char *unit = mw_joint_unit(&r->model->joint[c->joint]);
    double rate, acceleration;
    scenarios_of(r, i, &rate, &acceleration);
    if (!(out->rate[i] > 0.0) && rate > 0.0) {
      out->rate[i] = rate;
      text = mw_arena_printf(mem, "%s%srate of %s %.3g %s/s", text ? text : "", text ? ", " : "",
                             c->name, rate, unit);
    }
    if (!(out->acceleration[i] > 0.0) && acceleration > 0.0) {
      out->acceleration[i] = acceleration;
      text = mw_arena_printf(mem, "%s%sacceleration of %s %.3g %s/s2", text ? text : "",
                             text ? ", " : "", c->name, acceleration, unit);
    }
  }
  out->assumed = text;
  return mw_arena_check(mem, err);
}

// What is assumed, coordinate i included, of those before it at->assumed
static const char *note(const mw_reduction *r, int i, bool angle, const mw_field_ranges *at,
                        mw_arena *mem)
{
  const char *text = at->assumed;
  const mw_coordinate_in *c = &r->model->reduction.coordinate[i];
  for (int k = 0; k < 2; k++) {
    if ((k ? c->max_acceleration : c->max_rate) > 0.0) continue;
    text =
        mw_arena_printf(mem, "%s%s%s of %s %.3g %s%s", text ? text : "", text ? ", " : "",
                        k ? "acceleration" : "rate", c->name, k ? at->acceleration[i] : at->rate[i],
                        angle ? "rad" : "m", k ? "/s2" : "/s");
  }
  return text;
}

// Acceleration (m/s²) of the farthest point of a machine of this size (m), softest at w (rad/s)
static double assumed(const mw_reduction *r, double size, double w)
{
  double g = mw_norm3(r->model->gravity);
  if (g > 0.0) return g;
  return w > 0.0 && isfinite(w) ? BEND * size * w * w : NONE;
}

mw_code mw_reduction_ranges(const mw_reduction *r, double size, mw_field_ranges *out, mw_arena *mem,
                            mw_error *err)
{
  double w = INFINITY;
  *out = (mw_field_ranges){ .load = mw_norm3(r->model->gravity) };
  for (int g = 0; g < r->n_point; g++)
    if (r->point[g].k > 0) w = fmin(w, sqrt(fmax(r->point[g].lambda[0], 0.0)));
  for (int i = 0; i < r->s; i++) {
    const mw_coordinate_in *c = &r->model->reduction.coordinate[i];
    double width = r->hi[i] - r->lo[i], a = c->max_acceleration, v = c->max_rate;
    int joint = r->mech->coord_joint[r->coord[i]];
    bool angle = strcmp(mw_joint_unit(r->mech->joint[joint].in), "rad") == 0;
    if (!(a > 0.0)) a = assumed(r, size, w) / (angle ? size : 1.0);
    if (!(v > 0.0)) {
      v = sqrt(a * width);
      if (isfinite(w)) v = fmin(v, 0.25 * width * w / acos(-1.0));
    }
    out->rate[i] = v;
    out->acceleration[i] = a;
    out->load += angle ? a * size : a;
    out->assumed = note(r, i, angle, out, mem);
  }
  return mw_arena_check(mem, err);
}
