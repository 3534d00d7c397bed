// SPDX-License-Identifier: BSD-3-Clause
// test_kinematics.c: rates and accelerations against closed forms, assembly modes against counted
// ones.
#include <math.h>
#include <string.h>

#include "base/attitude.h"
#include "fixture.h"
#include "mw_test.h"
#include "sim/case.h"
#include "sim/kinematics.h"

static bool open_case(const char *file, mw_case *c)
{
  mw_error err = { 0 };
  char path[512];
  snprintf(path, sizeof path, "%s/%s", MW_CASES_DIR, file);
  return MW_OKAY(mw_case_read(path, c, &err));
}

// Tip of two rods of 1 m at angles q1 and q1 + q2
static void the_tip_of_two_rods_moves_as_the_closed_form_does(void)
{
  static const double Q[2] = { 0.3, 0.5 }, V[2] = { 1.0, 2.0 }, A[2] = { -3.0, 5.0 };
  static const unsigned char given[2] = { 1, 1 };
  mw_case c = { 0 };
  mw_arena mem = { 0 };
  mw_kinematics o;
  mw_error err = { 0 };
  double t = 0.0, f[2] = { Q[0], Q[0] + Q[1] }, w[2] = { V[0], V[0] + V[1] },
         e[2] = { A[0], A[0] + A[1] }, y[3][2] = { { 0.0 } };
  for (int i = 0; i < 2; i++) {
    double cs[2] = { cos(f[i]), sin(f[i]) }, across[2] = { -cs[1], cs[0] };
    for (int d = 0; d < 2; d++) {
      y[0][d] += cs[d];
      y[1][d] += w[i] * across[d];
      y[2][d] += e[i] * across[d] - w[i] * w[i] * cs[d];
    }
  }
  if (open_case("2r.yaml", &c) &&
      MW_OKAY(mw_kinematics_find(&c.mech, given, 1, &t, Q, V, A, &mem, &o, &err)))
    for (int d = 0; d < 2; d++) {
      MW_NEAR(o.y[d], y[0][d], mw_test_rounding(16.0, 2.0));
      MW_NEAR(o.y_dot[d], y[1][d], mw_test_rounding(16.0, 4.0));
      MW_NEAR(o.y_ddot[d], y[2][d], mw_test_rounding(16.0, 15.0));
      MW_NEAR(o.s_ddot[d], A[d], mw_test_rounding(16.0, 15.0));
    }
  mw_arena_free(&mem);
  mw_case_free(&c);
}

// A body on three hinges about x, then y, then z: Cardan angles are those of the hinges, also
// beyond a turn; ω = a' e_x + b' Rx e_y + c' Rx Ry e_z.
static void attitudes_are_those_of_the_hinges_in_every_form(void)
{
  enum { N = 41 };
  static const char text[] =
      "modeway: 1\nname: wrist\ngravity: [0, 0, 0]\nbodies:\n"
      "  one: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  two: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  hand: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "joints:\n"
      "  A: { revolute: { a: ground, b: one, axis: [1, 0, 0] }, coordinate: a }\n"
      "  B: { revolute: { a: one, b: two, axis: [0, 1, 0] }, coordinate: b }\n"
      "  C: { revolute: { a: two, b: hand, axis: [0, 0, 1] }, coordinate: c }\n"
      "outputs: { q: { orientation: hand }, k: { cardan: q }, z: { zxz: q }, \n"
      "  v: { rotation_vector: q }, e: { axis_angle: q }, w: { angular_velocity: q } }\n";
  static const unsigned char given[3] = { 1, 1, 1 };
  static const double RATE[3] = { 2.0, 0.7, -3.0 };
  static const mw_attitude FORM[5] = { MW_ATTITUDE_QUATERNION, MW_ATTITUDE_CARDAN, MW_ATTITUDE_ZXZ,
                                       MW_ATTITUDE_VECTOR, MW_ATTITUDE_AXIS };
  double t[N], value[3 * N], rate[3 * N], acceleration[3 * N] = { 0.0 };
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_kinematics o;
  mw_error err = { 0 };
  for (int i = 0; i < N; i++) {
    t[i] = 0.1 * i;
    for (int k = 0; k < 3; k++) {
      rate[3 * i + k] = k == 1 ? RATE[k] * cos(t[i]) : RATE[k];
      value[3 * i + k] = k == 1 ? RATE[k] * sin(t[i]) : RATE[k] * t[i];
    }
  }
  if (MW_CHECK(mw_fixture_text(text, &f)) &&
      MW_OKAY(
          mw_kinematics_find(&f.mech, given, N, t, value, rate, acceleration, &mem, &o, &err)) &&
      MW_CHECK(o.n_turned == 6 && o.n_row == 4 + 3 + 3 + 3 + 4 + 3)) {
    MW_CHECK(mw_kinematics_left_out(&f.model, true, true, &mem) == NULL);
    MW_CHECK(strcmp(mw_kinematics_left_out(&f.model, true, false, &mem), "w") == 0);
    MW_CHECK(strstr(mw_kinematics_left_out(&f.model, false, true, &mem), "k") != NULL);
    // one position alone, as of an assembly mode
    mw_position second;
    mw_kinematics one;
    if (MW_OKAY(mw_position_find(&f.mech, given, value + 3, &mem, &second, &err)) &&
        MW_OKAY(mw_attitudes_find(&f.mech, second.p, &mem, &one, &err)) &&
        MW_CHECK(one.n_turned == 5 && one.n_row == 17))
      for (int k = 0; k < 17; k++)
        MW_WITHIN(one.x[k], o.x[o.n_row + k], 2e-12, "positions close to 1e-13");
    for (int i = 0; i < N; i++) {
      const double *x = o.x + i * o.n_row, *s = value + 3 * i, *v = rate + 3 * i;
      double R[9], S[9], w[3];
      MW_CHECK(mw_attitude_matrix(MW_ATTITUDE_CARDAN, s, R));
      // joints close to 1e-13 of the size, here points a tenth of it apart
      for (int k = 0; k < 3; k++) MW_WITHIN(x[4 + k], s[k], 1e-12, "positions close to 1e-13");
      for (int k = 0, at = 0; k < 5; at += mw_attitude_size(FORM[k++])) {
        MW_CHECK(mw_attitude_matrix(FORM[k], x + at, S));
        for (int e = 0; e < 9; e++) MW_WITHIN(S[e], R[e], 1e-12, "positions close to 1e-13");
      }
      // columns of Rx Ry: e_y turned by a, e_z by b and a
      w[0] = v[0] + v[2] * sin(s[1]);
      w[1] = v[1] * cos(s[0]) - v[2] * sin(s[0]) * cos(s[1]);
      w[2] = v[1] * sin(s[0]) + v[2] * cos(s[0]) * cos(s[1]);
      for (int k = 0; k < 3; k++)
        MW_WITHIN(x[17 + k], w[k], 2e-12, "positions close to 1e-13, rates of 5 rad/s");
    }
  }
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// Two circles meet twice: a four-bar with its crank held closes in two ways.
static void a_four_bar_closes_in_two_ways(void)
{
  unsigned char given[2] = { 1, 0 };
  double value[2] = { 1.0, 0.0 };
  mw_case c = { 0 };
  mw_arena mem = { 0 };
  mw_assemblies o;
  mw_error err = { 0 };
  if (open_case("four-bar.yaml", &c) && MW_CHECK(mw_mech_coord(&c.mech, "crank") == 0) &&
      MW_OKAY(mw_assemblies_find(&c.mech, given, value, 40, &mem, &o, &err))) {
    MW_CHECK(o.n == 2 && o.n_lost == 0 && o.n_same == 39);
    given[0] = 0;
    MW_FAILS(mw_assemblies_find(&c.mech, given, value, 1, &mem, &o, &err), MW_ERR_INPUT);
  }
  mw_arena_free(&mem);
  mw_case_free(&c);
}

// A crank of 0.3 m and a rod of 0.8 m: s = 0.3 cos q ± √(0.64 − 0.09 sin² q).
// Positions in which links hang together in space are led there by the joints' own motions: most of
// them close, and no hinge is turned over.
static void a_slider_crank_closes_on_either_side(void)
{
  static const char text[] =
      "modeway: 1\nname: slider-crank\nbodies:\n"
      "  crank: { axes: { x: [0, 1, 0], y: [0, 0, 1] }, rigid: { mass: 1, inertia: "
      "[1, 1, 1, 0, 0, 0] }, frames: { end: { point: [0.3, 0, 0] } } }\n"
      "  rod: { at: [0, 0.3, 0], axes: { x: [0, 1, 0], y: [0, 0, 1] }, rigid: { mass: 1, inertia: "
      "[1, 1, 1, 0, 0, 0] }, frames: { end: { point: [0.8, 0, 0] } } }\n"
      "  slider: { at: [0, 1.1, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "joints:\n"
      "  A: { revolute: { a: ground, b: crank, axis: [1, 0, 0] }, coordinate: q }\n"
      "  B: { revolute: { a: crank.end, b: rod, axis: [0, 0, 1] } }\n"
      "  C: { revolute: { a: rod.end, b: slider, axis: [0, 0, 1] } }\n"
      "  D: { prismatic: { a: ground, b: slider, axis: [0, 1, 0] }, coordinate: s, start: 1.1 }\n";
  static const unsigned char by_q[2] = { 1, 0 }, by_s[2] = { 0, 1 };
  const double value[2] = { 1.0, 0.9 }, y = 0.3 * sin(1.0), far = sqrt(0.64 - y * y);
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_assemblies o;
  mw_position at;
  mw_error err = { 0 };
  if (MW_CHECK(mw_fixture_text(text, &f)) &&
      MW_OKAY(mw_assemblies_find(&f.mech, by_q, value, 30, &mem, &o, &err)) && MW_CHECK(o.n == 2)) {
    MW_CHECK(o.n_lost < 15 && o.n + o.n_same + o.n_lost == 31);
    // positions close to 1e-13 of the size, 1.1 m
    for (int i = 0; i < 2; i++)
      MW_NEAR(o.at[i].s[1], 0.3 * cos(1.0) + (i == 0 ? far : -far), 1.1e-13);
    // the stretched position is a dead point of the slide
    MW_FAILS(mw_position_find(&f.mech, by_s, value, &mem, &at, &err), MW_ERR_NUMERIC);
    MW_CHECK(strstr(err.msg, "dead point") != NULL);
  }
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "the_tip_of_two_rods_moves_as_the_closed_form_does",
      the_tip_of_two_rods_moves_as_the_closed_form_does },
    { "attitudes_are_those_of_the_hinges_in_every_form",
      attitudes_are_those_of_the_hinges_in_every_form },
    { "a_four_bar_closes_in_two_ways", a_four_bar_closes_in_two_ways },
    { "a_slider_crank_closes_on_either_side", a_slider_crank_closes_on_either_side },
  };
  return mw_test_run("kinematics", cases, (int)(sizeof cases / sizeof *cases));
}
