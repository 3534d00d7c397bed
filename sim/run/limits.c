// SPDX-License-Identifier: BSD-3-Clause
// limits.c: limits of joint coordinates: those of the model, and the ends of guides and open
// curves.
#include "limits_layer.h"

#include <math.h>

#include "base/vec3.h"

// Length of the chords of an open curve, what its coordinate counts; 0: no such curve.
static double curve_length(const mw_joint_in *in)
{
  double l = 0.0;
  if (in->closed) return 0.0;
  for (int i = 1; i < in->n_curve; i++) {
    const double *p = in->curve + 3 * (i - 1), *q = p + 3;
    double d[3] = { q[0] - p[0], q[1] - p[1], q[2] - p[2] };
    l += mw_norm3(d);
  }
  return l;
}

static void ends_at(mw_limit *l, double lo, double hi)
{
  l->ends[0] |= lo > l->lo;
  l->ends[1] |= hi < l->hi;
  l->lo = fmax(l->lo, lo);
  l->hi = fmin(l->hi, hi);
}

static mw_limit limit_of(const mw_mech *m, int coord, double size)
{
  static const double SLACK = 1e-9;  // of the range: as far off may the model's start be
  int joint = m->coord_joint[coord];
  const mw_joint *j = &m->joint[joint];
  mw_limit l = { .coord = coord,
                 .joint = joint,
                 .lo = -INFINITY,
                 .hi = INFINITY,
                 .angle = mw_joint_in_turns(j->in) };
  if (j->in->has_limits) {
    l.lo = j->in->limits[0];
    l.hi = j->in->limits[1];
  }
  if (j->guide && j->in->n_runner > 0) {
    double before, behind;
    mw_slide_reach(j->in, j->guide->pad[0] > 0.0, &before, &behind);
    ends_at(&l, behind, j->guide->length - before);
  }
  double curve = curve_length(j->in);
  if (curve > 0.0) ends_at(&l, 0.0, curve);
  double range = l.hi - l.lo;
  l.slack = SLACK * (isfinite(range) ? range : l.angle ? 1.0 : size);
  return l;
}

int mw_limits_of(const mw_mech *m, double size, mw_limit *limit)
{
  int n = 0;
  for (int c = 0; c < m->n_coord; c++) {
    limit[n] = limit_of(m, c, size);
    if (isfinite(limit[n].lo) || isfinite(limit[n].hi)) n++;
  }
  return n;
}

int mw_limits_outside(const mw_limit *limit, int n, const double *s)
{
  for (int i = 0; i < n; i++) {
    double x = s[limit[i].coord];
    if (x < limit[i].lo - limit[i].slack) return 2 * i;
    if (x > limit[i].hi + limit[i].slack) return 2 * i + 1;
  }
  return -1;
}

double mw_limit_value(const mw_limit *limit, int g)
{
  return g % 2 ? limit[g / 2].hi : limit[g / 2].lo;
}

const char *mw_limit_text(const mw_mech *m, const mw_limit *limit, int g, double t, mw_arena *mem)
{
  const mw_limit *l = &limit[g / 2];
  return mw_arena_printf(mem, "joint %.100s %s %g %s at t = %.9g s", m->joint[l->joint].name,
                         l->ends[g % 2] ? "reached the end of its guide," : "reached its limit",
                         mw_limit_value(limit, g), l->angle ? "rad" : "m", t);
}

mw_code mw_limits_check(const mw_mech *m, const mw_scenario *sc, const mw_limit *limit, int n,
                        const double *s, mw_error *err)
{
  int outside = mw_limits_outside(limit, n, s);
  if (outside < 0) return MW_OK;
  const mw_limit *l = &limit[outside / 2];
  return mw_fail(
      err, MW_ERR_INPUT, sc->at,
      "scenario %.64s starts with joint %.64s outside of its limits, expected %g to %g %s",
      sc->name, m->joint[l->joint].name, l->lo, l->hi, l->angle ? "rad" : "m");
}
