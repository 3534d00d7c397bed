// SPDX-License-Identifier: BSD-3-Clause
// test_rigid_redundant.c: IDA where other rows than before become the redundant ones.
//
// A four-bar of revolute joints in a plane that is parallel to no axis: three rows too many. Which
// ones the factors leave out changes five times as it swings.
#include <math.h>
#include <stdio.h>

#include "fixture.h"
#include "mw_test.h"
#include "sim/rigidrun.h"

// Sides 3, 1, 3, 2 m, crank upright: (x, y) is where coupler and rocker meet, in the plane's axes
// (0.8, 0, -0.6), (0.36, 0.8, 0.48).
static bool open_tilted(mw_fixture *f)
{
  static const char *axes = "axes: { x: [0.8, 0, -0.6], y: [0.36, 0.8, 0.48] }";
  char text[4096];
  double d = sqrt(10.0), u = 15.0 / (2.0 * d), h = sqrt(9.0 - u * u);
  double x = u * 3.0 / d + h / d, y = 1.0 - u / d + h * 3.0 / d;
  snprintf(text, sizeof text,
           "modeway: 1\n"
           "name: tilted four-bar\n"
           "gravity: [0, 0, -9.81]\n"
           "bodies:\n"
           "  base:\n"
           "    at: [0, 0, 0]\n"
           "    %s\n"
           "    ground: true\n"
           "    frames: { O: { point: [0, 0, 0] }, C: { point: [3, 0, 0] } }\n"
           "  crank:\n"
           "    at: [0, 0, 0]\n"
           "    %s\n"
           "    rigid: { mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0.01, 0.1, 0, 0, 0] }\n"
           "    frames: { A: { point: [0, 1, 0] } }\n"
           "  coupler:\n"
           "    at: [0.36, 0.8, 0.48]\n"
           "    %s\n"
           "    rigid: { mass: 3, com: [%.17g, %.17g, 0], inertia: [2, 2, 2, 0, 0, 0] }\n"
           "    frames: { B: { point: [%.17g, %.17g, 0] } }\n"
           "  rocker:\n"
           "    at: [2.4, 0, -1.8]\n"
           "    %s\n"
           "    rigid: { mass: 2, com: [%.17g, %.17g, 0], inertia: [0.7, 0.7, 0.7, 0, 0, 0] }\n"
           "    frames: { B: { point: [%.17g, %.17g, 0] } }\n"
           "joints:\n"
           "  O: { revolute: { a: base.O, b: crank, axis: [0, 0, 1] }, coordinate: phi }\n"
           "  A: { revolute: { a: crank.A, b: coupler, axis: [0, 0, 1] } }\n"
           "  B: { revolute: { a: coupler.B, b: rocker.B, axis: [0, 0, 1] } }\n"
           "  C: { revolute: { a: base.C, b: rocker, axis: [0, 0, 1] }, coordinate: psi }\n"
           "outputs: { B: { frame: rocker.B } }\n"
           "scenarios: { run: { duration: 3, step: 1e-3, store: 0.05, initial: undeformed } }\n",
           axes, axes, axes, 0.5 * x, 0.5 * (y - 1.0), x, y - 1.0, axes, 0.5 * (x - 3.0), 0.5 * y,
           x - 3.0, y);
  return MW_CHECK(mw_fixture_text(text, f));
}

static bool run_by(const mw_fixture *f, mw_method method, double tolerance, mw_run *r)
{
  mw_error err = { 0 };
  mw_rigid_run_opt o = mw_rigid_run_opt_default(&f->model.scenario[0]);
  o.rigid.method = method;
  o.rigid.tolerance = tolerance;
  *r = (mw_run){ 0 };
  return MW_OKAY(mw_rigid_run(&f->mech, &f->model.scenario[0], &o, NULL, r, &err));
}

// Errors of steps add up and grow with the square of time, energies with those.
static void ida_errs_with_its_tolerance_while_redundant_rows_change(void)
{
  static const double tolerance[] = { 1e-5, 1e-6, 1e-7, 1e-8 };
  mw_fixture f;
  mw_run r, want;
  if (!open_tilted(&f)) return;
  bool fine = run_by(&f, MW_METHOD_DOP853, 1e-12, &want);
  MW_CHECK(want.set_changes >= 2);
  for (int k = 0; fine && k < 4; k++) {
    double most = 0.0, T = f.model.scenario[0].duration;
    if (run_by(&f, MW_METHOD_IDA, tolerance[k], &r)) {
      double bound = r.steps * tolerance[k] * T * T;
      for (int x = 0; x < r.n_t * r.n_coord; x++) most = fmax(most, fabs(r.s[x] - want.s[x]));
      MW_NEAR(most, 0.0, bound);
      MW_NEAR(r.energy_drift, 0.0, bound);
    }
    mw_run_free(&r);
  }
  mw_run_free(&want);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "ida_errs_with_its_tolerance_while_redundant_rows_change",
      ida_errs_with_its_tolerance_while_redundant_rows_change },
  };
  return mw_test_run("rigid_redundant", cases, (int)(sizeof cases / sizeof *cases));
}
