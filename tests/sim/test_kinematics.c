// SPDX-License-Identifier: BSD-3-Clause
// test_kinematics.c: rates and accelerations against closed forms, assembly modes against counted
// ones.
#include <math.h>
#include <string.h>

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
    { "a_four_bar_closes_in_two_ways", a_four_bar_closes_in_two_ways },
    { "a_slider_crank_closes_on_either_side", a_slider_crank_closes_on_either_side },
  };
  return mw_test_run("kinematics", cases, (int)(sizeof cases / sizeof *cases));
}
