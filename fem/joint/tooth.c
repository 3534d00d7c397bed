// SPDX-License-Identifier: BSD-3-Clause
// tooth.c: what wheels turn about.
//
// The rows of wheels.c and rack.c measure a wheel's turn about the axis of the mesh. A wheel that
// all its joints let turn about other axes alone (a bevel or worm gear, an axle set askew) would
// be held by them as by a latch, or turn the other one by a wrong angle.
#include "base/vec3.h"
#include "tooth_layer.h"

static bool turns_about_axis(const mw_joint_in *in)
{
  return in->kind == MW_JOINT_REVOLUTE || in->kind == MW_JOINT_CYLINDRICAL ||
         in->kind == MW_JOINT_SCREW;
}

static void to_ground(const mw_mech *m, const mw_joint_in *in, double axis[3])
{
  mw_mul33v(m->p0 + 12 * in->a.body + 3, in->axis, axis);
}

mw_code mw_tooth_check_axle(const mw_mech *m, const mw_joint *j, int body, mw_error *err)
{
  static const double ASKEW = 1e-3;  // rad; turns are off by its square
  const mw_joint_in *axle = NULL;
  double axis[3], other[3], across[3];
  to_ground(m, j->in, axis);
  for (int k = 0; k < m->model->n_joint; k++) {
    const mw_joint_in *in = &m->model->joint[k];
    if (in == j->in || (in->a.body != body && in->b.body != body)) continue;
    if (in->kind == MW_JOINT_WHEELS || in->kind == MW_JOINT_RACK) continue;
    if (!turns_about_axis(in)) return MW_OK;
    to_ground(m, in, other);
    mw_cross3(axis, other, across);
    if (mw_norm3(across) <= ASKEW * mw_norm3(axis) * mw_norm3(other)) return MW_OK;
    axle = in;
  }
  if (!axle) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, j->in->at,
                 "joint %.64s: found that body %.64s turns about another axis (joint %.64s), "
                 "expected wheels that turn about the axis of their teeth (bevel and worm gears "
                 "are not known)",
                 j->name, m->body[body].name, axle->name);
}
