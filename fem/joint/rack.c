// SPDX-License-Identifier: BSD-3-Clause
// rack.c: a pinion on a rack: the force of its involute teeth along the line of contact.
//
//   t = A1(a) along the rack, n = A3(a) the pinion's axis, h = A2(a) = n × t ,  d = x_b − x_a
//   pitch radius r = h·d in the reference configuration: of the pitch line through a's frame, below
//     0 where the pinion lies on the other side of it ;  base circle ρ = r cos α
//   g = (cos α t + σ sin α h)·d + ρ φ − lead (n·d + r h·A3(b)) − c                   1 row, in m
//     φ = angle of A1(b) about n ,  lead = ± tan β cos α of helical teeth, + where r > 0: times how
//     far the pinion's pitch point, which tilts with it, has moved along the axis
// Its rate is the difference of the velocities at the pitch point along the normal of the rack's
// flank, exactly, whatever distance the pinion keeps: so −λ along it is the force of the teeth:
// F_t = M/r along the rack, F_t tan α across it, F_t tan β along the axis (transverse α). σ = ±1:
// the flank that touches, which pushes the pinion off the rack.
// φ is known up to turns, g up to 2π ρ: nothing counts turns.
// J, γ: formula_layer.h. The rack is rigid: a contact that travels along an elastic one would need
// its guide.
#include "base/vec3.h"
#include "formula_layer.h"
#include "keys/key_layer.h"
#include "tooth_layer.h"

static const double TURN = 6.283185307179586477;

// x: A1(a)·d, A2(a)·d, A3(a)·d, A1(a)·A1(b), A2(a)·A1(b), A2(a)·A3(b)
static double eval(const mw_joint *j, const double *x, const double *rate, double *slope,
                   double *bend)
{
  mw_tooth t = mw_tooth_of(j->in);
  double rho = j->gap[0] * t.cosine, r2 = x[3] * x[3] + x[4] * x[4], by = rho / r2;
  slope[0] = t.cosine;
  slope[1] = j->in->moment_below ? -t.sine : t.sine;
  slope[2] = rho > 0.0 ? -t.lead : t.lead;
  slope[3] = -by * x[4];
  slope[4] = by * x[3];
  slope[5] = slope[2] * j->gap[0];
  double g = rho * atan2(x[4], x[3]) + slope[5] * x[5] - j->gap[1];
  for (int i = 0; i < 3; i++) g += slope[i] * x[i];
  if (rate)
    *bend = -2.0 * by * (x[3] * rate[4] - x[4] * rate[3]) * (x[3] * rate[3] + x[4] * rate[4]) / r2;
  return mw_tooth_near(g, TURN * fabs(rho));
}

static const mw_formula formula = {
  .n = 6,
  .part = { { MW_MEASURED_ALONG_A, 0, 0 },
            { MW_MEASURED_ALONG_A, 1, 0 },
            { MW_MEASURED_ALONG_A, 2, 0 },
            { MW_MEASURED_AXES, 0, 0 },
            { MW_MEASURED_AXES, 1, 0 },
            { MW_MEASURED_AXES, 1, 2 } },
  .eval = eval,
};

static void place(const mw_mech *m, mw_joint *j, const double d[3], double *s0)
{
  const double x[6] = { d[0], d[1], d[2], 1.0, 0.0, 0.0 };
  double slope[6];
  (void)m;
  (void)s0;
  j->gap[0] = d[1];
  if (d[1] != 0.0) j->gap[1] = eval(j, x, NULL, slope, NULL);
}

static mw_code check(const mw_mech *m, const mw_joint *j, const double d[3], mw_error *err)
{
  static const double OFF = 1e-6;  // of the machine's size: what coordinates of six digits keep
  if (m->model->assemble)
    return mw_fail(err, MW_ERR_INPUT, j->in->at,
                   "joint %.64s: found rough positions (assemble: true), expected exact ones: the "
                   "pitch circle of a pinion follows from its distance to the rack",
                   j->name);
  if (!(fabs(d[1]) > OFF * mw_mech_size(m)))
    return mw_fail(err, MW_ERR_INPUT, j->in->at,
                   "joint %.64s: found the pinion's centre on the pitch line, expected it a pitch "
                   "radius away",
                   j->name);
  if (m->body[j->a].n_u > 0)
    return mw_fail(err, MW_ERR_INPUT, j->in->a.at,
                   "joint %.64s: found the rack on the elastic body %.64s, whose deflection under "
                   "teeth that travel along it one frame does not show, expected a rigid body "
                   "(fixed to it)",
                   j->name, m->body[j->a].name);
  return mw_tooth_check_axle(m, j, j->b, err);
}

const mw_key mw_joint_rack_keys[] = {
  { "a", REQUIRED, FRAME_REF, NULL, "body.frame of the rack, on its pitch line" },
  { "b", REQUIRED, FRAME_REF, NULL, "body.frame of the other body, at the centre of the pinion" },
  { "axis", REQUIRED, AXIS_VECTOR, NULL, "of the pinion, in the axes of a's body" },
  { "along", REQUIRED, VECTOR(""), NULL, "direction of the rack, across axis, in a's body" },
  TOOTH_KEYS,
  { .name = NULL },
};

const mw_joint_class mw_joint_rack = {
  .draw = MW_DRAW_LINK,
  .place = place,
  .check = check,
  .n_own = 1,
  .formula = &formula,
  .own_elastic = mw_formula_elastic,
  .add_own = mw_formula_add_own,
  .eval = mw_formula_eval,
};
