// SPDX-License-Identifier: BSD-3-Clause
// model_axes.c: axes of joints, and the rows of a joint of primitives.
#include "base/vec3.h"
#include "model_layer.h"

// A direction under key, zeros when absent.
static mw_code read_direction(const mw_reader *rd, const mw_ynode *v, const char *key, bool *given,
                              double out[3])
{
  const mw_ynode *e = mw_y_find(v, key);
  mw_y_vec(e, 3, out);
  *given = e != NULL;
  if (!e || mw_norm3(out) > 0.0) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, e->at, "%s is zero, expected a direction", key);
}

// A direction of the zero angle must not lie along its axis; only its part across counts.
static mw_code check_across(const mw_reader *rd, const mw_ynode *e, const double axis[3],
                            const double zero[3])
{
  double cross[3];
  mw_cross3(axis, zero, cross);
  if (mw_norm3(cross) > MW_PARALLEL * mw_norm3(axis) * mw_norm3(zero)) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, e->at,
                 "%s [%g, %g, %g] is parallel to the axis, expected a direction across it",
                 e->key->text, zero[0], zero[1], zero[2]);
}

// Direction of a rack, across its pinion's axis: A1(a).
static mw_code read_along(const mw_reader *rd, const mw_ynode *v, mw_joint_in *j)
{
  mw_code rc = read_direction(rd, v, "along", &j->has_zero, j->zero);
  return rc == MW_OK ? check_across(rd, mw_y_find(v, "along"), j->axis, j->zero) : rc;
}

// Axes of a joint; planar and rolling call the one of a `normal`, planar that of b `normal_b`.
mw_code mw_axes_read(mw_reader *rd, const mw_ynode *v, mw_joint_in *j)
{
  bool plane = j->kind == MW_JOINT_PLANAR, rolling = j->kind == MW_JOINT_ROLLING, has, has_b;
  const char *axis = plane || rolling ? "normal" : "axis", *axis_b = plane ? "normal_b" : "axis_b";
  const mw_ynode *zero = mw_y_find(v, "zero"), *zero_b = mw_y_find(v, "zero_b");
  mw_code rc = read_direction(rd, v, axis, &has, j->axis);
  if (rc == MW_OK && j->kind == MW_JOINT_RACK) return read_along(rd, v, j);
  if (rc == MW_OK) rc = read_direction(rd, v, axis_b, &j->has_axis_b, j->axis_b);
  if (rc == MW_OK) rc = read_direction(rd, v, "zero", &has, j->zero);
  if (rc == MW_OK) rc = read_direction(rd, v, "zero_b", &has_b, j->zero_b);
  if (rc != MW_OK || (!has && !has_b)) return rc;
  const char *missing = !has ? "zero" : !has_b ? "zero_b" : !j->has_axis_b ? axis_b : NULL;
  const mw_ynode *found = has ? zero : zero_b;
  if (missing)
    return mw_fail(rd->err, MW_ERR_INPUT, found->key->at,
                   "joint %.64s: found %s without %s, expected zero, zero_b and %s together",
                   j->name, found->key->text, missing, axis_b);
  j->has_zero = true;
  rc = check_across(rd, zero, j->axis, j->zero);
  return rc == MW_OK ? check_across(rd, zero_b, j->axis_b, j->zero_b) : rc;
}

// Rows of a joint of primitives, and its axes.
mw_code mw_hold_read(mw_reader *rd, const mw_ynode *v, mw_joint_in *j)
{
  const mw_ynode *hold = mw_y_find(v, "hold");
  unsigned turns[3] = { 0 };  // rows that hold the turn about an axis
  bool has;
  mw_code rc = read_direction(rd, v, "z", &has, j->axis);
  if (rc == MW_OK) rc = read_direction(rd, v, "x", &j->has_zero, j->zero);
  if (rc == MW_OK) rc = check_across(rd, mw_y_find(v, "x"), j->axis, j->zero);
  for (const mw_ynode *e = hold->first; rc == MW_OK && e; e = e->next) {
    int i = e->text[0] - 'x', k = e->text[1] ? e->text[1] - 'x' : -1;
    unsigned row = k < 0 ? MW_HOLD_ALONG(i) : MW_HOLD_AXES(i, k);
    bool twice = j->hold & row || (k >= 0 && turns[3 - i - k]++ > 0);
    j->hold |= row;
    if (twice)
      rc = mw_fail(rd->err, MW_ERR_INPUT, e->at,
                   "joint %.64s: found %s where a row before holds the same, expected each once",
                   j->name, e->text);
  }
  return rc;
}

// The coordinate of a joint of primitives is free, and an angle is one about an axis that is kept.
mw_code mw_hold_check(const mw_reader *rd, const mw_ynode *e, const mw_joint_in *j)
{
  const mw_ynode *c = mw_y_find(e, "coordinate");
  bool angle = j->measure == MW_MEASURE_ANGLE;
  unsigned x = MW_HOLD_AXES(1, 2) | MW_HOLD_AXES(2, 1), y = MW_HOLD_AXES(0, 2) | MW_HOLD_AXES(2, 0),
           z = MW_HOLD_AXES(0, 1) | MW_HOLD_AXES(1, 0);
  if (!c) return MW_OK;
  if (angle && !(j->hold & x && j->hold & y))
    return mw_fail(
        rd->err, MW_ERR_INPUT, c->at,
        "joint %.64s: found an angle about z, which nothing keeps; expected xz or zx and "
        "yz or zy in hold",
        j->name);
  if (j->hold & (angle ? z : MW_HOLD_ALONG(2)))
    return mw_fail(rd->err, MW_ERR_INPUT, c->at,
                   "joint %.64s: found a coordinate %s z, which its rows hold; expected hold "
                   "without %s",
                   j->name, angle ? "about" : "along", angle ? "xy and yx" : "z");
  return MW_OK;
}
