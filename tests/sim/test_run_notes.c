// SPDX-License-Identifier: BSD-3-Clause
// test_run_notes.c: what a run says where steps, intervals or the energy balance are not what was
// asked for.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/ncfile.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"

static const char *const sled =
    "modeway: 1\n"
    "bodies: { sled: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } } }\n"
    "joints: { x: { prismatic: { a: ground, b: sled, axis: [1, 0, 0] }, coordinate: x, drive: m } "
    "}\n"
    "outputs: { sled: { body: sled } }\n"
    "scenarios:\n"
    "  whole: { duration: 1.2, step: 1e-3, store: 2e-2, drives: { m: { force: 1 } } }\n"
    "  odd: { duration: 1.2, step: 5e-4, store: 0.7e-3, drives: { m: { force: 1 } } }\n"
    "  short: { duration: 0.1, step: 1e-2, store: 0.5, drives: { m: { force: 1 } } }\n"
    "  kink: { duration: 0.4, step: 1e-3, store: 1e-2, start: { x: 0 },\n"
    "          drives: { m: { position: { table: { time: [0, 0.1, 0.2], value: [0, 0, 0.1] } } } "
    "} }\n"
    "  bend: { duration: 0.4, step: 1e-3, store: 1e-2, start: { x: 0 },\n"
    "          drives: { m: { position: { cycloid: { from: 0, to: 0.1, end: 0.2 } } } } }\n"
    "  feed: { duration: 0.4, step: 1e-3, store: 1e-2, start: { x: 0 }, drives: { m: {\n"
    "          follow: { table: { time: [0, 0.1, 0.2], value: [0, 0, 0.1] } },\n"
    "          inverse_dynamics: {} } } }\n"
    "  smooth: { duration: 0.4, step: 1e-3, store: 1e-2, start: { x: 0 }, drives: { m: {\n"
    "          follow: { cycloid: { from: 0, to: 0.1, end: 0.2 } }, inverse_dynamics: {} } } }\n";

static bool run(const mw_fixture *f, int scenario, bool rigid, double step, mw_run *r)
{
  mw_error err = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  opt.step = step;
  const mw_scenario *sc = &f->model.scenario[scenario];
  return MW_OKAY(rigid ? mw_rigid_run(&f->mech, sc, NULL, NULL, r, &err)
                       : mw_dae_run(&f->mech, sc, "full", &opt, NULL, r, &err));
}

static bool says(const mw_run *r, const char *text)
{
  for (int k = 0; k < r->n_note; k++)
    if (strstr(r->note[k], text)) return true;
  return false;
}

static void what_was_asked_for_needs_no_note(void)
{
  mw_fixture f;
  mw_run r = { 0 };
  if (!MW_CHECK(mw_fixture_text(sled, &f))) return;
  if (run(&f, 0, false, 0.0, &r)) {
    MW_CHECK(r.n_note == 0);
    MW_CHECK(r.n_t == 61);
  }
  mw_run_free(&r);
  mw_fixture_free(&f);
}

// Times are whole multiples of the interval to rounding.
static void the_duration_is_simulated_to_its_end(void)
{
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_text(sled, &f))) return;
  for (int rigid = 0; rigid < 2; rigid++) {
    mw_run r = { 0 };
    if (run(&f, 1, rigid != 0, 0.0, &r)) {
      MW_NEAR(r.t[r.n_t - 1], 1.2, 4.0 * DBL_EPSILON * 1.2);
      MW_CHECK(r.n_t == 1716);  // 1.2/0.7e-3 = 1714.3
      MW_CHECK(says(&r, "in place of 0.0007 s, so that the run ends at 1.2 s"));
    }
    mw_run_free(&r);
    if (run(&f, 2, rigid != 0, 0.0, &r)) {
      MW_NEAR(r.t[r.n_t - 1], 0.1, 4.0 * DBL_EPSILON * 0.1);
      MW_CHECK(r.n_t == 2);
    }
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

static void a_step_that_is_not_taken_is_said(void)
{
  mw_fixture f;
  mw_run r = { 0 };
  if (!MW_CHECK(mw_fixture_text(sled, &f))) return;
  if (run(&f, 0, false, 0.3, &r)) {
    MW_CHECK(says(&r, "steps of 0.02 s in place of 0.3 s"));
    MW_NEAR(r.step, 0.02, 1e-15);
  }
  mw_run_free(&r);
  mw_fixture_free(&f);
}

// The length that a run of fixed steps names, times their number, is the time: nothing but results
// every 0.02 s (0) or samples every 1 ms (5) ends a step, and the kinks of 5 are at samples.
static void steps_of_the_rigid_path_are_as_long_as_is_said(void)
{
  static const struct {
    int scenario;
    double step, taken;
    const char *says;
  } a[] = { { 0, 0.3, 0.02, "steps of 0.02 s in place of 0.3 s: results are stored as often" },
            { 0, 0.015, 0.01, "2 of them make up the 0.02 s after which results are stored" },
            { 5, 0.01, 1e-3, "steps of 0.001 s in place of 0.01 s: controllers sample as often" } };
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_text(sled, &f))) return;
  for (size_t k = 0; k < sizeof a / sizeof *a; k++) {
    mw_run r = { 0 };
    mw_error err = { 0 };
    const mw_scenario *sc = &f.model.scenario[a[k].scenario];
    mw_rigid_run_opt opt = mw_rigid_run_opt_default(sc);
    opt.step = a[k].step;
    opt.rigid.method = MW_METHOD_RK4;
    if (MW_OKAY(mw_rigid_run(&f.mech, sc, &opt, NULL, &r, &err))) {
      MW_CHECK(says(&r, a[k].says));
      MW_NEAR(r.step, a[k].taken, 1e-15);
      MW_NEAR(r.step * r.steps, sc->duration, mw_test_rounding(2, sc->duration));
    }
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

// A file of a run without an energy balance can be read, and has none.
static void written_without_balance(const mw_run *r)
{
  char path[] = "/tmp/modeway_notes_XXXXXX";
  int fd = mkstemp(path);
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_ncr file;
  if (!MW_CHECK(fd >= 0)) return;
  close(fd);
  if (MW_OKAY(mw_run_write(r, path, &err)) &&
      MW_OKAY(mw_ncr_open(&file, path, "run", &mem, &err))) {
    MW_CHECK(!mw_ncr_has_att(&file, "energy_drift"));
    MW_CHECK(mw_ncr_has_att(&file, "steps"));
    MW_OKAY(mw_ncr_close(&file, &err));
  }
  mw_arena_free(&mem);
  unlink(path);
}

static void an_impulse_of_a_drive_leaves_no_energy_balance(void)
{
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_text(sled, &f))) return;
  for (int rigid = 0; rigid < 2; rigid++) {
    mw_run r = { 0 };
    if (run(&f, 3, rigid != 0, 0.0, &r)) {
      MW_CHECK(isnan(r.energy_drift));
      MW_CHECK(says(&r, "drive m prescribes jumps at 0.1 s"));
      written_without_balance(&r);
    }
    mw_run_free(&r);
    if (run(&f, 4, rigid != 0, 0.0, &r)) {
      MW_CHECK(isfinite(r.energy_drift));
      MW_CHECK(r.n_note == 0);
    }
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

// A reference whose rate jumps asks for an impulse, which no force of inverse dynamics is.
static void a_reference_that_jumps_is_named_under_inverse_dynamics(void)
{
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_text(sled, &f))) return;
  for (int k = 0; k < 4; k++) {
    mw_run r = { 0 };
    if (run(&f, 5 + k / 2, k % 2 == 0, 0.0, &r))
      MW_CHECK(says(&r, "the reference of drive m jumps, or its rate, first at t = 0.1 s") ==
               (k < 2));
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

// A parallelogram whose left crank starts at 0.5 rad: the right one follows, to 0.5 rad, and is
// noted unless the scenario gives it.
static void coordinates_that_follow_as_a_run_starts_are_noted(void)
{
  static const char *const text =
      "modeway: 1\n"
      "bodies:\n"
      "  left: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] },\n"
      "          frames: { e: { point: [0, 0.2, 0] } } }\n"
      "  bar: { at: [0, 0.2, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] },\n"
      "         frames: { e: { point: [1, 0, 0] } } }\n"
      "  right: { at: [1, 0, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] },\n"
      "           frames: { e: { point: [0, 0.2, 0] } } }\n"
      "  post: { ground: true, at: [1, 0, 0] }\n"
      "joints:\n"
      "  a: { revolute: { a: ground, b: left, axis: [0, 0, 1] }, coordinate: a, drive: m }\n"
      "  b: { revolute: { a: left.e, b: bar, axis: [0, 0, 1] } }\n"
      "  c: { spherical: { a: bar.e, b: right.e } }\n"
      "  d: { revolute: { a: post, b: right, axis: [0, 0, 1] }, coordinate: d }\n"
      "outputs: { bar: { body: bar } }\n"
      "scenarios:\n"
      "  one: { duration: 0.01, step: 1e-3, start: { a: 0.5 } }\n"
      "  both: { duration: 0.01, step: 1e-3, start: { a: 0.5, d: 0.5 } }\n"
      "  none: { duration: 0.01, step: 1e-3 }\n";
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  for (int k = 0; k < 6; k++) {
    mw_run r = { 0 };
    if (run(&f, k / 2, k % 2 == 0, 0.0, &r)) {
      MW_CHECK(says(&r, "does not say where these start") == (k < 2));
      MW_CHECK(says(&r, ": d at 0.5 (0) rad") == (k < 2));
    }
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "what_was_asked_for_needs_no_note", what_was_asked_for_needs_no_note },
    { "the_duration_is_simulated_to_its_end", the_duration_is_simulated_to_its_end },
    { "a_step_that_is_not_taken_is_said", a_step_that_is_not_taken_is_said },
    { "steps_of_the_rigid_path_are_as_long_as_is_said",
      steps_of_the_rigid_path_are_as_long_as_is_said },
    { "an_impulse_of_a_drive_leaves_no_energy_balance",
      an_impulse_of_a_drive_leaves_no_energy_balance },
    { "a_reference_that_jumps_is_named_under_inverse_dynamics",
      a_reference_that_jumps_is_named_under_inverse_dynamics },
    { "coordinates_that_follow_as_a_run_starts_are_noted",
      coordinates_that_follow_as_a_run_starts_are_noted },
  };
  return mw_test_run("run_notes", cases, (int)(sizeof cases / sizeof *cases));
}
