// SPDX-License-Identifier: BSD-3-Clause
// ranges.c: the largest rates and accelerations that a machine is judged for, where the model
// declares none.
//
// An acceleration of g at the farthest point of the machine; the rate that it reaches over half the
// range, at most half a range in a period of the softest mode.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "reduce_layer.h"

static const double G = 9.81;  // m/s²

// What is assumed for coordinate i, text so far: what was assumed before
static const char *note(const mw_reduction *r, int i, bool angle, const char *text, mw_arena *mem)
{
  const mw_coordinate_in *c = &r->model->reduction.coordinate[i];
  for (int k = 0; k < 2; k++) {
    if ((k ? c->max_acceleration : c->max_rate) > 0.0) continue;
    text = mw_arena_printf(mem, "%s%s%s of %s %.3g %s%s", text ? text : "", text ? ", " : "",
                           k ? "acceleration" : "rate", c->name,
                           k ? r->range.acceleration[i] : r->range.rate[i], angle ? "rad" : "m",
                           k ? "/s2" : "/s");
  }
  return text;
}

mw_code mw_reduction_ranges(mw_reduction *r, mw_arena *mem, mw_error *err)
{
  double w = INFINITY;
  r->range = (mw_field_ranges){ .load = mw_norm3(r->model->gravity) };
  for (int g = 0; g < r->n_point; g++)
    if (r->point[g].k > 0) w = fmin(w, sqrt(fmax(r->point[g].lambda[0], 0.0)));
  for (int i = 0; i < r->s; i++) {
    const mw_coordinate_in *c = &r->model->reduction.coordinate[i];
    double width = r->hi[i] - r->lo[i], a = c->max_acceleration, v = c->max_rate;
    int joint = r->mech->coord_joint[r->coord[i]];
    bool angle = strcmp(mw_joint_unit(r->mech->joint[joint].in), "rad") == 0;
    if (!(a > 0.0)) a = angle ? G / r->size : G;
    if (!(v > 0.0)) {
      v = sqrt(a * width);
      if (isfinite(w)) v = fmin(v, 0.25 * width * w / acos(-1.0));
    }
    r->range.rate[i] = v;
    r->range.acceleration[i] = a;
    r->range.load += angle ? a * r->size : a;
    r->range.assumed = note(r, i, angle, r->range.assumed, mem);
  }
  return mw_arena_check(mem, err);
}
