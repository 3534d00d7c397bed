// SPDX-License-Identifier: BSD-3-Clause
// test_base_attitude.c: attitudes against frames that are turned step by step, there and back.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/attitude.h"
#include "base/vec3.h"
#include "mw_test.h"

static const double PI = 3.14159265358979323846;

// Each of some 30 operations on numbers up to 1 rounds by ε/2 at most.
static const double ROUND = 16.0 * DBL_EPSILON;

typedef double frame[3][3];  // [axis][component]

// Rodrigues: y = x cos φ + e × x sin φ + e (e·x)(1 − cos φ)
static void turned(const double e[3], double angle, double x[3])
{
  double c = cos(angle), s = sin(angle), along = e[0] * x[0] + e[1] * x[1] + e[2] * x[2];
  const double across[3] = { e[1] * x[2] - e[2] * x[1], e[2] * x[0] - e[0] * x[2],
                             e[0] * x[1] - e[1] * x[0] };
  for (int i = 0; i < 3; i++) x[i] = x[i] * c + across[i] * s + e[i] * along * (1.0 - c);
}

static void turn_frame(const double e[3], double angle, frame f)
{
  double axis[3];
  memcpy(axis, e, sizeof axis);
  for (int k = 0; k < 3; k++) turned(axis, angle, f[k]);
}

static void ground(frame f)
{
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) f[k][i] = k == i;
}

static void same(mw_attitude form, const double *x, frame f)
{
  double R[9], off = 0.0;
  if (!MW_CHECK(mw_attitude_matrix(form, x, R))) return;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) off = fmax(off, fabs(R[3 * i + k] - f[k][i]));
  MW_NEAR(off, 0.0, ROUND);
}

static double noise(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

// Angles turn a frame about its own axes as they are by then, one after the other.
static void angles_turn_the_frame_about_its_own_axes(void)
{
  static const int about[2][3] = { { 0, 1, 2 }, { 2, 0, 2 } };
  unsigned seed = 1;
  for (int n = 0; n < 200; n++)
    for (int form = MW_ATTITUDE_CARDAN; form <= MW_ATTITUDE_ZXZ; form++) {
      double x[3];
      frame f;
      ground(f);
      for (int i = 0; i < 3; i++) {
        x[i] = PI * noise(&seed);
        turn_frame(f[about[form][i]], x[i], f);
      }
      same((mw_attitude)form, x, f);
    }
}

// An axis of any length, and a quaternion and a rotation vector of the same turn
static void one_turn_has_four_forms(void)
{
  unsigned seed = 2;
  for (int n = 0; n < 200; n++) {
    double e[3], x[4], length, angle = 2.0 * PI * noise(&seed), by = 1.5 + noise(&seed);
    frame f;
    for (int i = 0; i < 3; i++) e[i] = noise(&seed);
    length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    if (length < 0.1) continue;
    for (int i = 0; i < 3; i++) e[i] /= length;
    ground(f);
    turn_frame(e, angle, f);
    for (int i = 0; i < 3; i++) x[i] = by * e[i];
    x[3] = angle;
    same(MW_ATTITUDE_AXIS, x, f);
    for (int i = 0; i < 3; i++) x[i] = angle * e[i];
    same(MW_ATTITUDE_VECTOR, x, f);
    x[0] = by * cos(0.5 * angle);
    for (int i = 0; i < 3; i++) x[1 + i] = by * e[i] * sin(0.5 * angle);
    same(MW_ATTITUDE_QUATERNION, x, f);
  }
  const double none[4] = { 0.0 };
  double R[9];
  MW_CHECK(!mw_attitude_matrix(MW_ATTITUDE_QUATERNION, none, R));
  MW_CHECK(!mw_attitude_matrix(MW_ATTITUDE_AXIS, none, R));
  MW_CHECK(mw_attitude_matrix(MW_ATTITUDE_VECTOR, none, R) && R[0] == 1.0 && R[1] == 0.0);
}

static void quaternion(const double e[3], double angle, double q[4])
{
  q[0] = cos(0.5 * angle);
  for (int i = 0; i < 3; i++) q[1 + i] = e[i] * sin(0.5 * angle);
}

// What a form says of q is q again. Angles near b = ±π/2 (0, π) are known to √ε, their R is not.
static void forms_go_there_and_back(void)
{
  unsigned seed = 3;
  for (int n = 0; n < 400; n++) {
    double q[4], R[9], S[9], x[4], length = 0.0;
    for (int i = 0; i < 4; i++) q[i] = n < 16 ? (n >> i & 1) : noise(&seed);
    for (int i = 0; i < 4; i++) length += q[i] * q[i];
    if (length < 0.01) continue;
    for (int i = 0; i < 4; i++) q[i] /= sqrt(length);
    MW_CHECK(mw_attitude_matrix(MW_ATTITUDE_QUATERNION, q, R));
    for (int form = 0; form < MW_N_ATTITUDE; form++) {
      double off = 0.0;
      mw_attitude_of((mw_attitude)form, q, NULL, x);
      MW_CHECK(mw_attitude_matrix((mw_attitude)form, x, S));
      for (int i = 0; i < 9; i++) off = fmax(off, fabs(R[i] - S[i]));
      MW_NEAR(off, 0.0, ROUND);
    }
  }
}

// Three turns about an oblique axis e: no form jumps. Angles turn at 1 over cos b at most, where
// sin b = e_x e_z (1 − cos φ) + e_y sin φ of CARDAN; ZXZ passes b = 0 (at φ = 2π), a and c jump.
static void forms_follow_a_motion(void)
{
  static const double e[3] = { 0.48, 0.6, 0.64 }, STEP = 0.01;
  for (int form = 0; form < MW_N_ATTITUDE; form++) {
    double before[4], q[4], x[4], most = 0.0;
    quaternion(e, 0.3, q);
    mw_attitude_of((mw_attitude)form, q, NULL, before);
    for (double angle = 0.3; angle < 6.0 * PI; angle += STEP) {
      quaternion(e, angle, q);
      mw_attitude_of((mw_attitude)form, q, before, x);
      for (int i = 0; i < mw_attitude_size((mw_attitude)form); i++)
        most = fmax(most, fabs(x[i] - before[i]));
      memcpy(before, x, sizeof before);
    }
    double sb = e[0] * e[2] + hypot(e[0] * e[2], e[1]);
    if (form != MW_ATTITUDE_ZXZ) MW_CHECK(most < STEP / sqrt(1.0 - sb * sb));
    if (form == MW_ATTITUDE_VECTOR) MW_NEAR(x[1], e[1] * 6.0 * PI, STEP);
    if (form == MW_ATTITUDE_AXIS) MW_NEAR(x[3], 6.0 * PI, STEP);
  }
}

// Where a and c are one, c is that before.
static void locked_angles_keep_the_last_one(void)
{
  static const double lock[2][3] = { { 0.3, 0.5, 0.2 }, { 0.3, 0.0, 0.2 } };
  for (int form = 0; form < 2; form++) {
    double want[3] = { lock[form][0], form == 0 ? 0.5 * PI : 0.0, lock[form][2] }, q[4], x[3];
    const double ex[3] = { 1, 0, 0 }, ey[3] = { 0, 1, 0 }, ez[3] = { 0, 0, 1 };
    if (form == 0) {  // Rx(a) Ry(π/2) Rz(c) = Rx(a + c) Ry(π/2)
      double p[4], r[4];
      quaternion(ex, want[0] + want[2], p);
      quaternion(ey, 0.5 * PI, r);
      q[0] = p[0] * r[0], q[1] = p[1] * r[0], q[2] = p[0] * r[2], q[3] = p[1] * r[2];
    } else {
      quaternion(ez, want[0] + want[2], q);
    }
    mw_attitude_of((mw_attitude)form, q, want, x);
    for (int i = 0; i < 3; i++) MW_NEAR(x[i], want[i], ROUND);
    mw_attitude_of((mw_attitude)form, q, NULL, x);
    MW_CHECK(x[2] == 0.0);
    MW_NEAR(x[0], want[0] + want[2], ROUND);
  }
}

// E(t) = exp(φ u~), φ = 0.9 t + 0.25 t²: at t = 0.4 it turns at 1.1 rad/s about u, faster by 0.5
// rad/s² each second.
static void frame_at(double t, double E[9])
{
  const double phi = 0.9 * t + 0.25 * t * t, r[3] = { phi * 2 / 7, phi * 3 / 7, phi * 6 / 7 };
  for (int k = 0; k < 3; k++) {
    const double e[3] = { k == 0, k == 1, k == 2 };
    double y[3];
    mw_turn3(r, e, y);
    for (int i = 0; i < 3; i++) E[3 * i + k] = y[i];
  }
}

static void spins_are_rates_and_accelerations_of_a_turn(void)
{
  static const double H = 1e-3, T = 0.4, u[3] = { 2.0 / 7, 3.0 / 7, 6.0 / 7 };
  double E[5][9], rate[9], acc[9], w[3], alpha[3];
  for (int k = 0; k < 5; k++) frame_at(T + (k - 2) * H, E[k]);
  for (int i = 0; i < 9; i++) {
    rate[i] = (8.0 * (E[3][i] - E[1][i]) - (E[4][i] - E[0][i])) / (12.0 * H);
    acc[i] = (16.0 * (E[3][i] + E[1][i]) - (E[4][i] + E[0][i]) - 30.0 * E[2][i]) / (12.0 * H * H);
  }
  mw_spin33(E[2], rate, w);
  mw_spin33(E[2], acc, alpha);
  // differences of fourth order: h⁴/30 and h⁴/90 of derivatives below ten, roundings ε/h and ε/h²
  for (int i = 0; i < 3; i++) {
    MW_NEAR(w[i], 1.1 * u[i], H * H * H * H + 2 * DBL_EPSILON / H);
    MW_NEAR(alpha[i], 0.5 * u[i], H * H * H * H + 4 * DBL_EPSILON / (H * H));
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "angles_turn_the_frame_about_its_own_axes", angles_turn_the_frame_about_its_own_axes },
    { "one_turn_has_four_forms", one_turn_has_four_forms },
    { "forms_go_there_and_back", forms_go_there_and_back },
    { "forms_follow_a_motion", forms_follow_a_motion },
    { "locked_angles_keep_the_last_one", locked_angles_keep_the_last_one },
    { "spins_are_rates_and_accelerations_of_a_turn", spins_are_rates_and_accelerations_of_a_turn },
  };
  return mw_test_run("base_attitude", cases, (int)(sizeof cases / sizeof *cases));
}
