// SPDX-License-Identifier: BSD-3-Clause
// test_kinematics.c: rates and accelerations against closed forms, assembly modes against counted
// ones.
#include <math.h>
#include <string.h>

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
    MW_CHECK(o.n == 2 && o.n + o.n_same + o.n_lost == 41);
    given[0] = 0;
    MW_FAILS(mw_assemblies_find(&c.mech, given, value, 1, &mem, &o, &err), MW_ERR_INPUT);
  }
  mw_arena_free(&mem);
  mw_case_free(&c);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "the_tip_of_two_rods_moves_as_the_closed_form_does",
      the_tip_of_two_rods_moves_as_the_closed_form_does },
    { "a_four_bar_closes_in_two_ways", a_four_bar_closes_in_two_ways },
  };
  return mw_test_run("kinematics", cases, (int)(sizeof cases / sizeof *cases));
}
