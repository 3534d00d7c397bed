// SPDX-License-Identifier: BSD-3-Clause
// wheels.c: two gear wheels in mesh: the force of their involute teeth along the line of contact.
//
//   pitch radii r_a = D z_a/(z_a + z_b), r_b = D z_b/(z_a + z_b)     D: distance of the centres in
//     the reference configuration; z: teeth, of an internal ring below 0, and so is its mate's r
//   base circles ρ = r cos α ,  R = ρ_a + ρ_b ,  θ = atan2(A2·d, A1·d) of each wheel's own axes:
//     the line of centres d = x_b − x_a as its teeth see it
//   g = −ρ_a θ_a − ρ_b θ_b + σ R inv α(|d|) − lead (r_a A3(a) + r_b A3(b))·d/D − c   1 row in m (1)
//     inv α = tan α − α ,  cos α = R/|d| ,  d(R inv α) = sin α d|d|
//     lead = ± tan β cos α of helical teeth, + where r_b > 0: times how far their pitch points,
//       which tilt with the wheels, have moved along the axis
// (1) is the length of a crossed belt between the base circles: its rate is the difference of the
// wheels' velocities at the pitch point along the line of contact, whatever the shafts do to their
// distance. So −λ along that line is the force of the teeth: F_t = M/r tangential, F_t tan α
// radial, F_t tan β axial (transverse α). σ = ±1: of the two lines the one whose flanks touch,
// which push the wheels apart, or a wheel off its ring.
// θ is known up to turns, g up to 2π R gcd(z_a, z_b)/(z_a + z_b): nothing counts turns.
// J, γ: formula_layer.h.  [Niemann, Winter: Maschinenelemente II]: F_r = F_t tan α, F_x = F_t tan β
#include <stdlib.h>

#include "base/vec3.h"
#include "formula_layer.h"
#include "keys/key_layer.h"
#include "tooth_layer.h"

static const double TURN = 6.283185307179586477;

static int divisor(int a, int b) { return b == 0 ? a : divisor(b, a % b); }

static double pitch_radius(const mw_joint *j, int side)
{
  const int *z = j->in->teeth;
  return j->gap[0] * z[side] / (z[0] + z[1]);
}

static double flank(const mw_joint *j)
{
  return (j->in->moment_below ? -1.0 : 1.0) * (pitch_radius(j, 0) > 0.0 ? 1.0 : -1.0);
}

// (1); x: A1(a)·d, A2(a)·d, A1(b)·d, A2(b)·d, A3(a)·d, A3(b)·d
static double eval(const mw_joint *j, const double *x, const double *rate, double *slope,
                   double *bend)
{
  const int *z = j->in->teeth;
  mw_tooth t = mw_tooth_of(j->in);
  double r[2] = { pitch_radius(j, 0), pitch_radius(j, 1) }, R = j->gap[0] * t.cosine;
  double rho[2] = { r[0] * t.cosine, r[1] * t.cosine };
  double lead = rho[1] > 0.0 ? t.lead : -t.lead, D = hypot(x[0], x[1]);
  double g = -j->gap[1];
  if (rate) *bend = 0.0;
  for (int i = 0; i < 2; i++) {
    const double *y = x + 2 * i, *v = rate ? rate + 2 * i : NULL;
    double r2 = y[0] * y[0] + y[1] * y[1], by = rho[i] / r2;
    slope[4 + i] = -lead * r[i] / j->gap[0];
    g += slope[4 + i] * x[4 + i] - rho[i] * atan2(y[1], y[0]);
    slope[2 * i] = by * y[1];
    slope[2 * i + 1] = -by * y[0];
    // −ρ θ̈ of rates alone
    if (v) *bend += 2.0 * by * (y[0] * v[1] - y[1] * v[0]) * (y[0] * v[0] + y[1] * v[1]) / r2;
  }
  double period = TURN * fabs(R * divisor(abs(z[0]), abs(z[1])) / (z[0] + z[1]));
  if (t.sine == 0.0) return mw_tooth_near(g, period);
  // closer than the base circles' tangent allows, teeth would stay on the line of centres
  double s = flank(j), c = fmin(R / D, 1.0), sine = sqrt(1.0 - c * c);
  g += s * R * (sine / c - acos(c));
  for (int i = 0; i < 2; i++) slope[i] += s * sine * x[i] / D;
  if (rate && sine > 0.0) {
    double D_dot = (x[0] * rate[0] + x[1] * rate[1]) / D;
    *bend += s * sine * (rate[0] * rate[0] + rate[1] * rate[1] - D_dot * D_dot) / D;
    *bend += s * D_dot * D_dot * c * c / (D * sine);
  }
  return mw_tooth_near(g, period);
}

static const mw_formula formula = {
  .n = 6,
  .part = { { MW_MEASURED_ALONG_A, 0, 0 },
            { MW_MEASURED_ALONG_A, 1, 0 },
            { MW_MEASURED_ALONG_B, 0, 0 },
            { MW_MEASURED_ALONG_B, 1, 0 },
            { MW_MEASURED_ALONG_A, 2, 0 },
            { MW_MEASURED_ALONG_B, 2, 0 } },
  .eval = eval,
};

static void place(const mw_mech *m, mw_joint *j, const double d[3], double *s0)
{
  const double x[6] = { d[0], d[1], d[0], d[1], d[2], d[2] };
  double slope[6];
  (void)m;
  (void)s0;
  j->gap[0] = hypot(d[0], d[1]);
  if (j->gap[0] > 0.0) j->gap[1] = eval(j, x, NULL, slope, NULL);
}

static mw_code check(const mw_mech *m, const mw_joint *j, const double d[3], mw_error *err)
{
  static const double OFF = 1e-6;  // of the machine's size: what coordinates of six digits keep
  double size = mw_mech_size(m);
  if (m->model->assemble)
    return mw_fail(err, MW_ERR_INPUT, j->in->at,
                   "joint %.64s: found rough positions (assemble: true), expected exact ones: the "
                   "pitch circles of wheels follow from the distance of their centres",
                   j->name);
  if (!(j->gap[0] > OFF * size))
    return mw_fail(err, MW_ERR_INPUT, j->in->at,
                   "joint %.64s: found the centres of both wheels on one axis, expected them apart",
                   j->name);
  if (fabs(d[2]) > OFF * size)
    return mw_fail(err, MW_ERR_INPUT, j->in->at,
                   "joint %.64s: found the centres of its wheels %.3g m apart along the axis, "
                   "expected both in the plane in which the teeth meet",
                   j->name, fabs(d[2]));
  mw_code rc = mw_tooth_check_axle(m, j, j->a, err);
  return rc == MW_OK ? mw_tooth_check_axle(m, j, j->b, err) : rc;
}

const mw_key mw_joint_wheels_keys[] = {
  { "a", REQUIRED, FRAME_REF, NULL, "body.frame, at the centre of the first wheel" },
  { "b", REQUIRED, FRAME_REF, NULL, "body.frame of the other body, at the centre of its wheel" },
  { "axis", REQUIRED, AXIS_VECTOR, NULL, "of both wheels, in the axes of a's body" },
  { "teeth", REQUIRED, LIST(2, 2, INTEGER(-100000, 100000)), NULL,
    "of a and of b; of an internal ring below 0" },
  TOOTH_KEYS,
  { .name = NULL },
};

const mw_joint_class mw_joint_wheels = {
  .draw = MW_DRAW_LINK,
  .place = place,
  .check = check,
  .n_own = 1,
  .formula = &formula,
  .own_elastic = mw_formula_elastic,
  .add_own = mw_formula_add_own,
  .eval = mw_formula_eval,
};
