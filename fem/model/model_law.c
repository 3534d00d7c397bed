// SPDX-License-Identifier: BSD-3-Clause
// model_law.c: dry friction, end stops and play of a joint's coordinate as the model file gives
// them (law.h).
#include <math.h>

#include "model_layer.h"

static mw_code read_friction(const mw_reader *rd, const mw_ynode *v, mw_joint_in *j)
{
  const mw_ynode *rest = mw_y_find(v, "static");
  j->has_law = true;
  j->law.coulomb = mw_y_num(v, "coulomb");
  j->law.stiction = rest ? rest->num : j->law.coulomb;
  j->law.stribeck = mw_y_num(v, "stribeck");
  j->law.smooth = mw_y_num(v, "smooth");
  if (j->law.stiction >= j->law.coulomb) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, rest->at,
                 "drive_friction of joint %.64s: static is %g, expected at least coulomb, %g",
                 j->name, j->law.stiction, j->law.coulomb);
}

static mw_code read_stops(const mw_reader *rd, const mw_ynode *v, mw_joint_in *j)
{
  const mw_ynode *range = mw_y_find(v, "range"), *soft = mw_y_find(v, "soft");
  double x[2];
  mw_y_vec(range, 2, x);
  j->has_law = true;
  j->law.lo = x[0];
  j->law.hi = x[1];
  j->law.stiffness = mw_y_num(v, "stiffness");
  j->law.damping = mw_y_num(v, "damping");
  j->law.soft = soft->num;
  if (!(x[0] < x[1]))
    return mw_fail(rd->err, MW_ERR_INPUT, range->at,
                   "stops of joint %.64s are at [%g, %g], expected the lower one first", j->name,
                   x[0], x[1]);
  if (j->law.soft < x[1] - x[0]) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, soft->at,
                 "stops of joint %.64s: soft is %g, expected less than the way between them, %g",
                 j->name, j->law.soft, x[1] - x[0]);
}

// A gap between two stops
static mw_code read_play(const mw_reader *rd, const mw_ynode *v, mw_joint_in *j)
{
  static const double SOFT = 0.01;  // of the gap
  const mw_ynode *soft = mw_y_find(v, "soft");
  double gap = mw_y_num(v, "gap"), middle = mw_y_num(v, "middle");
  if (j->has_law && isfinite(j->law.lo))
    return mw_fail(rd->err, MW_ERR_INPUT, v->at,
                   "joint %.64s has stops and play, expected one of them: a joint of its own "
                   "connects the two sides of a transmission",
                   j->name);
  j->has_law = j->law.play = true;
  j->law.lo = middle - 0.5 * gap;
  j->law.hi = middle + 0.5 * gap;
  j->law.stiffness = mw_y_num(v, "stiffness");
  j->law.damping = mw_y_num(v, "damping");
  j->law.soft = soft ? soft->num : SOFT * gap;
  if (j->law.soft < gap) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, soft->at,
                 "play of joint %.64s: soft is %g, expected less than the gap, %g", j->name,
                 j->law.soft, gap);
}

mw_code mw_law_read(const mw_reader *rd, const mw_ynode *e, mw_joint_in *j)
{
  const mw_ynode *friction = mw_y_find(e, "drive_friction"), *stops = mw_y_find(e, "stops");
  const mw_ynode *play = mw_y_find(e, "play");
  // without effect, and finite wherever they are evaluated
  j->law = (mw_law){ .stribeck = 1.0, .smooth = 1.0, .lo = -INFINITY, .hi = INFINITY, .soft = 1.0 };
  mw_code rc = friction ? read_friction(rd, friction, j) : MW_OK;
  if (rc == MW_OK && stops) rc = read_stops(rd, stops, j);
  if (rc == MW_OK && play) rc = read_play(rd, play, j);
  return rc;
}
