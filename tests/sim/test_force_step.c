// SPDX-License-Identifier: BSD-3-Clause
// test_force_step.c: forces that jump within a step, in every path.
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "fem/control.h"
#include "force_step.h"
#include "mw_test.h"
#include "sim/bodyreduce.h"
#include "sim/dae.h"

static mw_force_rig rig;

// Stepping onto the jump, or a state that takes what the step does not see, makes rigid motion
// under constant forces exact.
// What is left: the beam gives way along its axis by up to F L/EA = 6e-9 m, and the Newton
// tolerance of 1e-9 of the machine's size, 1 m; on a travel of 0.38 m.
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

// Work of the motor is F (x − x0) whatever path, with x and x0 to the Newton tolerance of 1e-9 m.
static void work_counts_a_force_from_where_it_jumps(void)
{
  for (int path = 0; path < MW_FORCE_N_PATH; path++) {
    mw_run r = { 0 };
    if (MW_CHECK(mw_force_run(&rig, path, MW_FORCE_PUSH, 1e-3, 0.10037, &r)))
      MW_NEAR(r.work[r.n_t - 1], 0.6 * (r.s[r.n_t - 1] - 0.2), 0.6 * 2e-9);
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

// ---- a machine whose elastic modes the jump excites ---------------------------------------------

// A carriage free to run on an aluminium bar, its centre of mass 0.15 m above: what pushes it
// pitches it. Damped by 1e-4 s of the stiffness: the third of its modes at 44 Hz by 1.4 %, those
// that no step resolves within a step.
static bool open_tall(mw_fixture *f, mw_arena *mem, mw_mech *body)
{
  static const char MODEL[] =
      "modeway: 1\nname: tall\ngravity: [0, 0, -9.81]\n"
      "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
      "sections: { bar: { rectangle: { width: 0.04, height: 0.01 } } }\nbodies:\n  beam:\n    "
      "ground: true\n"
      "    beams:\n      points: { a: [0, 0, 0], b: [1, 0, 0] }\n"
      "      members: [{ from: a, to: b, section: bar, material: alu, elements: 8 }]\n"
      "    supports: [{ nodes: a, dofs: [x, y, z, rx] }, { nodes: b, dofs: [y, z] }]\n"
      "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
      "  cart: { at: [0.3, 0, 0], rigid: { mass: 2, com: [0, 0, 0.15], inertia: [1e-2, 1e-2, "
      "1e-2, 0, 0, 0] } }\n"
      "joints:\n  x: { slide: { guide: beam.rail, on: cart, orientation: tangent, runners: [{ "
      "offset: 0 }] },\n"
      "       coordinate: x, drive: motor }\ndamping: { beta: 1e-4 }\n"
      "outputs: { cart: { body: cart, point: [0, 0, 0.1] } }\n"
      "scenarios: { push: { duration: 0.24, step: 1e-3, store: 0.02, start: { x: 0.3 },\n"
      "                     drives: { motor: { force: { step: { value: 20, at: 0.04 } } } } } }\n";
  mw_error err = { 0 };
  if (!mw_fixture_text(MODEL, f)) return false;
  mw_body *on = mw_arena_alloc(mem, (size_t)f->model.n_body, sizeof *on);
  mw_code rc = mw_arena_check(mem, &err);
  for (int b = 0; rc == MW_OK && b < f->model.n_body; b++)
    rc = mw_body_basis(&f->body[b], 6, false, mem, &on[b], NULL, &err);
  if (rc == MW_OK) rc = mw_mech_build(&f->model, on, mem, body, &err);
  return mw_fixture_okay(rc, &err);
}

// Errors of coordinate and place of the carriage, m, by steps of h against 2.5e-4/8, the jump 0.35
// h after a step.
static bool tall_errors(mw_fixture *f, const mw_mech *m, const char *path, double h, double e[2])
{
  mw_run r = { 0 }, fine = { 0 };
  mw_error err = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  mw_scenario *sc = &f->model.scenario[0];
  sc->action[0].signal.t0 = 0.04 + 0.35 * h;
  opt.step = h;
  mw_code rc = mw_dae_run(m, sc, path, &opt, NULL, &r, &err);
  opt.step = 3.125e-5;
  if (rc == MW_OK) rc = mw_dae_run(m, sc, path, &opt, NULL, &fine, &err);
  e[0] = e[1] = 0.0;
  for (int i = 0; rc == MW_OK && i < r.n_t; i++) {
    e[0] = fmax(e[0], fabs(r.s[i] - fine.s[i]));
    for (int c = 0; c < 3; c++) e[1] = fmax(e[1], fabs(r.y[3 * i + c] - fine.y[3 * i + c]));
  }
  mw_run_free(&r);
  mw_run_free(&fine);
  return mw_fixture_okay(rc, &err);
}

// 16 but for higher orders; 4^1.8 = 12. Without damping the modes of 260 to 500 Hz that the jump
// excites go on, and steps of 1 ms do not resolve them: orders of 1.2 to 1.5, jump or none.
static void jumps_between_samples_leave_elastic_machines_of_second_order(void)
{
  static const char *const NAME[2] = { "full", "body" };
  mw_fixture f = { 0 };
  mw_arena mem = { 0 };
  mw_mech body;
  if (!open_tall(&f, &mem, &body)) return;
  for (int path = 0; path < 2; path++) {
    const mw_mech *m = path == 0 ? &f.mech : &body;
    double a[2], b[2];
    if (!tall_errors(&f, m, NAME[path], 1e-3, a) || !tall_errors(&f, m, NAME[path], 2.5e-4, b))
      continue;
    printf("carriage on a bar, %s: coordinate %.1e, %.1e m, place %.1e, %.1e m\n", NAME[path], a[0],
           b[0], a[1], b[1]);
    for (int i = 0; i < 2; i++) MW_CHECK(a[i] > 12.0 * b[i]);
  }
  mw_fixture_free(&f);
  mw_arena_free(&mem);
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
      // the reduced path takes the triangle by its middle: exact for linear pieces. Speeds are
      // differences of places over a step, whose roundings add up as √steps
      MW_NEAR(r.s_dot[r.n_t - 1], v, mw_test_rounding(r.steps, r.s[r.n_t - 1] / 1e-3));
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
    { "jumps_between_samples_leave_elastic_machines_of_second_order",
      jumps_between_samples_leave_elastic_machines_of_second_order },
    { "pulse_within_a_step_gives_its_impulse", pulse_within_a_step_gives_its_impulse },
    { "next_kink_is_the_first_one_after", next_kink_is_the_first_one_after },
  };
  if (!mw_force_open(&rig)) return 1;
  int failed = mw_test_run("force_step", cases, (int)(sizeof cases / sizeof *cases));
  mw_force_close(&rig);
  return failed;
}
