// SPDX-License-Identifier: BSD-3-Clause
// test_platform.c: drive forces of a platform on legs against elimination over the joints.
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "sim/case.h"
#include "sim/kinematics.h"
#include "sim/platform.h"

enum { LEGS = 12, FREE = 6 };

// Twist and acceleration [6] of the platform by its origin and points at 1 m along its axes:
//   ω = ½ Σ e × (v_e − v) ,  ω' = ½ Σ e × (a_e − a − ω × (ω × e))
static void motion(const mw_kinematics *o, double twist[6], double acceleration[6])
{
  double e[3][3], v[3][3], a[3][3];
  memcpy(twist, o->y_dot, 3 * sizeof *twist);
  memcpy(acceleration, o->y_ddot, 3 * sizeof *acceleration);
  for (int i = 0; i < 3; i++) {
    twist[3 + i] = acceleration[3 + i] = 0.0;
    for (int k = 0; k < 3; k++) {
      e[k][i] = o->y[3 * (k + 1) + i] - o->y[i];
      v[k][i] = o->y_dot[3 * (k + 1) + i] - o->y_dot[i];
      a[k][i] = o->y_ddot[3 * (k + 1) + i] - o->y_ddot[i];
    }
  }
  double *w = twist + 3, *wd = acceleration + 3;
  for (int k = 0; k < 3; k++)
    for (int i = 0, j = 1, l = 2; i < 3; i++, j = (i + 1) % 3, l = (i + 2) % 3)
      w[i] += 0.5 * (e[k][j] * v[k][l] - e[k][l] * v[k][j]);
  for (int k = 0; k < 3; k++) {
    double along = w[0] * e[k][0] + w[1] * e[k][1] + w[2] * e[k][2],
           ww = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], x[3];
    for (int i = 0; i < 3; i++) x[i] = a[k][i] - (w[i] * along - ww * e[k][i]);
    for (int i = 0, j = 1, l = 2; i < 3; i++, j = (i + 1) % 3, l = (i + 2) % 3)
      wd[i] += 0.5 * (e[k][j] * x[l] - e[k][l] * x[j]);
  }
}

static void forces_are_those_of_elimination(void)
{
  unsigned char given[LEGS] = { 1, 1, 1, 1, 1, 1 };
  double value[LEGS] = { 0.0 }, rate[LEGS] = { 0.3, -0.2, 0.1, 0.25, -0.15, 0.2 },
         acceleration[LEGS] = { 2.0, -1.0, 3.0, 0.5, -2.0, 1.5 }, t = 0.0;
  mw_case c = { 0 };
  mw_arena mem = { 0 };
  mw_platform *o = NULL;
  mw_error err = { 0 };
  if (MW_OKAY(mw_case_read(MW_CASES_DIR "/twelve-legs.yaml", &c, &err)) &&
      MW_CHECK(c.mech.n_coord == LEGS) && MW_OKAY(mw_platform_build(&c.mech, &mem, &o, &err)))
    for (int place = 0; place < 3; place++) {
      mw_position at;
      mw_kinematics k;
      mw_equation q;
      double twist[6], accel[6], tau[LEGS], most = 0.0;
      for (int i = 0; i < FREE; i++)
        value[i] = c.mech.s0[i] + 0.02 * place * (i % 2 == 0 ? 1.0 : -0.7);
      if (!MW_OKAY(mw_position_find(&c.mech, given, value, &mem, &at, &err)) ||
          !MW_OKAY(mw_kinematics_find(&c.mech, given, 1, &t, value, rate, acceleration, &mem, &k,
                                      &err)) ||
          !MW_OKAY(mw_equation_find(&c.mech, &at, given, rate, acceleration, NULL, &mem, &q, &err)))
        continue;
      motion(&k, twist, accel);
      if (!MW_CHECK(mw_platform_eval(o, at.p, twist, accel, tau))) continue;
      for (int d = 0; d < LEGS; d++) most = fmax(most, fabs(q.tau[d]));
      // positions close to 1e-13 of the size, 2 m; legs and platform multiply that by the condition
      // of their axes, some 10 each
      for (int d = 0; d < LEGS; d++)
        MW_WITHIN(tau[d], q.tau[d], 1e-11 * most, "positions close to 1e-13");
    }
  mw_arena_free(&mem);
  mw_case_free(&c);
}

static void what_it_does_not_know_is_refused(void)
{
  static const char *const other[3] = { "hexapod", "four-bar", "2r" };
  for (int i = 0; i < 3; i++) {
    char path[512];
    mw_case c = { 0 };
    mw_arena mem = { 0 };
    mw_platform *o = NULL;
    mw_error err = { 0 };
    snprintf(path, sizeof path, "%s/%s.yaml", MW_CASES_DIR, other[i]);
    if (MW_OKAY(mw_case_read(path, &c, &err))) {
      MW_FAILS(mw_platform_build(&c.mech, &mem, &o, &err), MW_ERR_INPUT);
      MW_CHECK(strstr(err.msg, i == 0 ? "force of hexapod" : "expected a platform") != NULL);
    }
    mw_arena_free(&mem);
    mw_case_free(&c);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "forces_are_those_of_elimination", forces_are_those_of_elimination },
    { "what_it_does_not_know_is_refused", what_it_does_not_know_is_refused },
  };
  return mw_test_run("platform", cases, (int)(sizeof cases / sizeof *cases));
}
