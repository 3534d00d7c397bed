// SPDX-License-Identifier: BSD-3-Clause
// test_limits.c: limits of joints and ends of guides end a run, in every path at the same place and
// in the same words.
//
// The cart of force_step.h under a constant force: x = 0.2 + ½ a τ² , a = F/m = 1.2 m/s², from 0.1
// s on.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "force_step.h"
#include "mw_test.h"

static mw_force_rig rig;
static const double T0 = 0.1, ACC = 1.2, X0 = 0.2;

static mw_scenario *push(double duration)
{
  mw_scenario *sc = &rig.light.model.scenario[MW_FORCE_PUSH];
  sc->duration = duration;
  sc->action[0].signal.t0 = T0;
  return sc;
}

static void set_limit(double hi)
{
  mw_joint_in *j = &rig.light.model.joint[0];
  j->has_limits = hi > 0.0;
  j->limits[0] = -1.0;
  j->limits[1] = hi;
}

static double last(const mw_run *r, const double *x) { return x[r->n_t - 1]; }

// The beam gives way along its axis by up to 6e-9 m and a limit has a slack of 1e-9 of its range,
// at most 1.5 m: at the speed of 0.8 m/s and more that is 1e-8 s. The motion within a step is a
// parabola: interpolation adds nothing.
static void end_at(double x, const char *words)
{
  double want = T0 + sqrt(2.0 * (x - X0) / ACC), v = ACC * (want - T0);
  for (int path = 0; path < MW_FORCE_N_PATH; path++) {
    mw_error err = { 0 };
    mw_run r = { 0 };
    if (MW_OKAY(mw_force_try(&rig, path, 0, push(2.0), 1e-3, &r, &err))) {
      printf("%-22s %s\n", mw_force_path(path), r.event ? r.event : "no event");
      MW_CHECK(r.event != NULL && strstr(r.event, words) != NULL && strstr(r.event, "joint x"));
      MW_NEAR(last(&r, r.t), want, 1e-8);
      MW_NEAR(last(&r, r.s), x, 1e-8);
      MW_NEAR(last(&r, r.s_dot), v, 1e-6);
      MW_NEAR(last(&r, r.work), 0.6 * (x - X0), 1e-8);
      MW_CHECK(r.n_t == 2 + (int)floor(want / 0.02));
    }
    mw_run_free(&r);
  }
}

static void limit_ends_the_run_in_every_path(void)
{
  set_limit(0.5037);
  end_at(0.5037, "reached its limit 0.5037 m");
  set_limit(0.0);
}

static void end_of_a_guide_ends_the_run_in_every_path(void)
{
  end_at(1.0, "reached the end of its guide, 1 m");
}

static void start_outside_of_a_limit_is_refused_in_every_path(void)
{
  set_limit(0.15);
  for (int path = 0; path < MW_FORCE_N_PATH; path++) {
    mw_error err = { 0 };
    mw_run r = { 0 };
    MW_FAILS(mw_force_try(&rig, path, 0, push(0.5), 1e-3, &r, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "joint x outside of its limits, expected -1 to 0.15 m") ||
             strstr(err.msg, "expected 0 to 0.15 m"));
    MW_CHECK(err.line > 0);
    mw_run_free(&r);
  }
  set_limit(0.0);
}

// A limit that is not reached changes no bit.
static void limit_out_of_reach_changes_nothing(void)
{
  for (int path = 0; path < MW_FORCE_N_PATH; path++) {
    mw_error err = { 0 };
    mw_run r[2] = { { 0 }, { 0 } };
    bool good = true;
    for (int i = 0; i < 2; i++) {
      set_limit(i == 0 ? 0.0 : 0.9);
      good = MW_OKAY(mw_force_try(&rig, path, 0, push(0.5), 1e-3, &r[i], &err)) && good;
    }
    if (good && MW_CHECK(r[0].n_t == r[1].n_t && !r[0].event && !r[1].event))
      MW_SAME_BITS(r[0].s, r[1].s, r[0].n_t);
    mw_run_free(&r[0]);
    mw_run_free(&r[1]);
  }
  set_limit(0.0);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "limit_ends_the_run_in_every_path", limit_ends_the_run_in_every_path },
    { "end_of_a_guide_ends_the_run_in_every_path", end_of_a_guide_ends_the_run_in_every_path },
    { "start_outside_of_a_limit_is_refused_in_every_path",
      start_outside_of_a_limit_is_refused_in_every_path },
    { "limit_out_of_reach_changes_nothing", limit_out_of_reach_changes_nothing },
  };
  if (!mw_force_open(&rig)) return 1;
  int failed = mw_test_run("limits", cases, (int)(sizeof cases / sizeof *cases));
  mw_force_close(&rig);
  return failed;
}
