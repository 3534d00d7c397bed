// SPDX-License-Identifier: BSD-3-Clause
// test_force_step.c: forces that jump within a step, in every path.
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "fem/control.h"
#include "force_step.h"
#include "mw_test.h"

static mw_force_rig rig;

// Stepping onto the jump, or a state that takes what the step does not see, makes rigid motion under constant forces exact.
// What is left: the beam gives way along its axis by up to F L/EA = 6e-9 m, and the Newton tolerance of 1e-9 of the machine's
// size, 1 m; on a travel of 0.38 m.
static void force_acts_from_where_it_jumps_in_every_path(void)
{
  static const double AT[] = { 0.1, 0.1002, 0.1005, 0.10093 };
  for (int path = 0; path < MW_FORCE_N_PATH; path++)
    for (int i = 0; i < 4; i++) {
      mw_run r = { 0 };
      if (MW_CHECK(mw_force_run(&rig, path, MW_FORCE_PUSH, 1e-3, AT[i], &r)))
        MW_NEAR(mw_force_error(&r, AT[i]), 0.0, (6e-9 + 1e-9) / 0.38);
      mw_run_free(&r);
    }
}

// Times are sums of steps: their rounding must not reach over the jump.
static void force_that_jumps_at_a_step_acts_from_the_next(void)
{
  static const double STEP[] = { 1e-3, 5e-4, 1e-4 };
  for (int path = 0; path < MW_FORCE_N_PATH; path++)
    for (int i = 0; i < 3; i++) {
      mw_run r = { 0 };
      if (MW_CHECK(mw_force_run(&rig, path, MW_FORCE_PUSH, STEP[i], 0.1, &r)))
        MW_NEAR(mw_force_error(&r, 0.1), 0.0, (6e-9 + 1e-9) / 0.38);
      mw_run_free(&r);
    }
}

// Work of the motor is F (x − x0) whatever path.
static void work_counts_a_force_from_where_it_jumps(void)
{
  for (int path = 0; path < MW_FORCE_N_PATH; path++) {
    mw_run r = { 0 };
    if (MW_CHECK(mw_force_run(&rig, path, MW_FORCE_PUSH, 1e-3, 0.10037, &r)))
      MW_NEAR(r.work[r.n_t - 1], 0.6 * (r.s[r.n_t - 1] - 0.2), 1e-8);
    mw_run_free(&r);
  }
}

// e(4 h)/e(h) is 16 but for higher orders; 4^1.8 = 12. The rigid path knows no beam: rounding.
static void jumps_and_samples_leave_every_path_of_second_order(void)
{
  for (int path = 0; path < MW_FORCE_N_PATH; path++)
    for (int sc = MW_FORCE_WEIGH; sc <= MW_FORCE_HELD; sc++) {
      double e[2] = { 0.0, 0.0 };
      for (int i = 0; i < 2; i++) {
        double h = i == 0 ? 2e-3 : 5e-4, t = 0.1 + 0.35 * h;
        mw_run r = { 0 }, fine = { 0 };
        if (MW_CHECK(mw_force_run(&rig, path, sc, h, t, &r)) &&
            MW_CHECK(mw_force_run(&rig, path, sc, 6.25e-5, t, &fine)))
          e[i] = mw_force_distance(&r, &fine);
        mw_run_free(&r);
        mw_run_free(&fine);
      }
      printf("%-22s %s: %.1e, %.1e of the range\n", mw_force_path(path),
             sc == MW_FORCE_HELD ? "held" : "weigh", e[0], e[1]);
      MW_CHECK(e[1] < e[0] / 12.0 || e[1] < 1e-11);
    }
}

// A pulse that begins and ends within one step has its impulse: v = ∫ f/m.
static void pulse_within_a_step_gives_its_impulse(void)
{
  double t[4] = { 0.1, 0.1003, 0.1003001, 0.1007 }, y[4] = { 0.0, 0.0, 40.0, 0.0 };
  mw_scenario *sc = &rig.light.model.scenario[MW_FORCE_PUSH];
  mw_signal kept = sc->action[0].signal;
  sc->action[0].signal = (mw_signal){ .kind = MW_SIGNAL_TABLE, .n = 4, .t = t, .y = y };
  for (int path = 0; path < 4; path++) {
    mw_run r = { 0 };
    double v = 0.5 * 40.0 * (t[3] - t[1]) / 0.5;
    if (MW_CHECK(mw_force_run(&rig, path, MW_FORCE_PUSH, 1e-3, 0.0, &r))) {
      // the reduced path takes the triangle by its middle: exact for linear pieces
      MW_NEAR(r.s_dot[r.n_t - 1], v, 1e-8 * v);
    }
    mw_run_free(&r);
  }
  sc->action[0].signal = kept;
}

static void next_kink_is_the_first_one_after(void)
{
  double t[3] = { 0.5, 1.0, 2.0 }, y[3] = { 0.0, 1.0, 0.0 };
  mw_signal table = { .kind = MW_SIGNAL_TABLE, .n = 3, .t = t, .y = y },
            step = { .kind = MW_SIGNAL_STEP, .a = 1.0, .t0 = 0.3 },
            constant = { .kind = MW_SIGNAL_CONSTANT, .a = 1.0 };
  MW_CHECK(mw_signal_next_kink(&table, 0.0) == 0.5);
  MW_CHECK(mw_signal_next_kink(&table, 0.5) == 1.0);
  MW_CHECK(mw_signal_next_kink(&table, 1.5) == 2.0);
  MW_CHECK(isinf(mw_signal_next_kink(&table, 2.0)));
  MW_CHECK(mw_signal_next_kink(&step, 0.0) == 0.3 && isinf(mw_signal_next_kink(&step, 0.3)));
  MW_CHECK(isinf(mw_signal_next_kink(&constant, 0.0)));
  MW_CHECK(mw_signal_before(1.0) < 1.0 && mw_signal_before(1.0) > 1.0 - 1e-14);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "force_acts_from_where_it_jumps_in_every_path",
      force_acts_from_where_it_jumps_in_every_path },
    { "force_that_jumps_at_a_step_acts_from_the_next",
      force_that_jumps_at_a_step_acts_from_the_next },
    { "work_counts_a_force_from_where_it_jumps", work_counts_a_force_from_where_it_jumps },
    { "jumps_and_samples_leave_every_path_of_second_order",
      jumps_and_samples_leave_every_path_of_second_order },
    { "pulse_within_a_step_gives_its_impulse", pulse_within_a_step_gives_its_impulse },
    { "next_kink_is_the_first_one_after", next_kink_is_the_first_one_after },
  };
  if (!mw_force_open(&rig)) return 1;
  int failed = mw_test_run("force_step", cases, (int)(sizeof cases / sizeof *cases));
  mw_force_close(&rig);
  return failed;
}
