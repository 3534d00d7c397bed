// SPDX-License-Identifier: BSD-3-Clause
// test_guide_paths.c: sliders on guides of elastic bodies that move: one meaning in every path.
//
// The axes in which a slide is read are those of the guide's body: of an elastic one its mean axes,
// RᵀM u = 0. The DAE holds them as unknowns of its own, the reduced paths as rows over the absolute
// displacement (mw_joint_eval.Ra); the two must agree wherever a row turns with these axes.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/bodyreduce.h"
#include "sim/dae.h"
#include "sim/romrun.h"

enum { TEXT = 4096 };

// A slender arm held at its hub; a car on it, its frame `up` metres over the guide's line.
typedef struct variant {
  const char *name, *slide;
  double up;
} variant;

static const variant variants[] = {
  { "orientation fixed, one runner", "orientation: fixed, runners: [ { offset: 0 } ]", 0.0 },
  { "orientation fixed, two runners",
    "orientation: fixed, runners: [ { offset: -0.05 }, { offset: 0.05 } ]", 0.0 },
  { "high frame, two runners with orientation fixed",
    "orientation: fixed, runners: [ { offset: -0.05 }, { offset: 0.05 } ]", 0.15 },
  { "high frame, four bearings",
    "runners: [ { offset: -0.05, shift: [0, 0, 0.04], stiffness: 2e7 }, "
    "{ offset: 0.05, shift: [0, 0, 0.04], stiffness: 2e7 }, "
    "{ offset: -0.05, shift: [0, 0, -0.04], stiffness: 2e7 }, "
    "{ offset: 0.05, shift: [0, 0, -0.04], stiffness: 2e7 } ]",
    0.15 },
};
enum { N_VARIANT = sizeof variants / sizeof *variants };

static bool build(const variant *v, const char *push, mw_fixture *f)
{
  static const char *const format =
      "modeway: 1\n"
      "name: car on an arm\n"
      "gravity: [0, 0, -0.01]\n"
      "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
      "sections: { arm: { rectangle: { width: 0.03, height: 0.04 } } }\n"
      "bodies:\n"
      "  arm:\n"
      "    at: [0, 0, 0]\n"
      "    beams:\n"
      "      points: { hub: [0, 0, 0], end: [1, 0, 0] }\n"
      "      members: [ { from: hub, to: end, section: arm, material: alu, elements: 10 } ]\n"
      "    guides: { rail: { from: hub, to: end } }\n"
      "    frames: { hub: { node: hub }, end: { node: end } }\n"
      "  car:\n"
      "    at: [0.4, 0, %.17g]\n"
      "    rigid: { mass: 2, com: [0, 0, 0], inertia: [5e-3, 5e-3, 5e-3, 0, 0, 0] }\n"
      "joints:\n"
      "  turn: { fixed: { a: ground, b: arm.hub } }\n"
      "  r: { slide: { guide: arm.rail, on: car, %s }, drive: mr }\n"
      "drives: { push: { force: { on: car, direction: [%s] } } }\n"
      "outputs: { car: { body: car, point: [0, 0, 0] }, end: { frame: arm.end } }\n"
      "reduction: { coordinates: { r: [0.3, 0.7] }, modes: { count: 4 } }\n"
      "scenarios:\n"
      "  up: { duration: 1e-4, step: 1e-4, start: { r: 0.4 }, initial: static, drives: { mr: { "
      "position: 0.4 }, push: { force: 50 } } }\n"
      "  down: { duration: 1e-4, step: 1e-4, start: { r: 0.4 }, initial: static, drives: { mr: { "
      "position: 0.4 }, push: { force: -50 } } }\n"
      "  move: { duration: 0.3, step: 2e-4, store: 1e-3, start: { r: 0.4 }, drives: { mr: { "
      "position: { cycloid: { from: 0.4, to: 0.6, end: 0.1 } } }, push: { force: { sine: { amplitude: 50, frequency: 40 } } } } }\n";
  char text[TEXT];
  int n = snprintf(text, sizeof text, format, v->up, v->slide, push);
  return n > 0 && n < TEXT && mw_fixture_text(text, f);
}

// How far the car gives way along `axis` to a unit force there: half the difference of two static starts.
static double give(const mw_mech *m, const mw_scenario *up, const mw_scenario *down, int axis)
{
  const mw_scenario *sc[2] = { up, down };
  mw_error err = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  double y[2] = { NAN, NAN };
  for (int i = 0; i < 2; i++) {
    mw_run r = { 0 };
    if (MW_OKAY(mw_dae_run(m, sc[i], "full", &opt, NULL, &r, &err))) y[i] = r.y[axis];
    mw_run_free(&r);
  }
  return (y[0] - y[1]) / 100.0;
}

static double body_give(const mw_fixture *f, int axis)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_mech m;
  mw_body body[8];
  double y = NAN;
  bool fine = true;
  for (int b = 0; fine && b < f->model.n_body; b++)
    fine = MW_OKAY(mw_body_basis(&f->body[b], 6, false, &mem, &body[b], NULL, &err));
  if (fine && MW_OKAY(mw_mech_build(&f->model, body, &mem, &m, &err)))
    y = give(&m, &f->model.scenario[0], &f->model.scenario[1], axis);
  mw_arena_free(&mem);
  return y;
}

// displacement of the car's output under the pattern of the push, by the linear system of the reduction
static double direct_give(const mw_fixture *f)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_statics s = { 0 };
  double theta = 0.4, y = NAN;
  if (MW_OKAY(mw_direct_statics(&f->model, &f->mech, &theta, &mem, &s, &err)))
    for (int k = 0; k < s.n; k++)
      if (strcmp(s.name[k], "pattern push") == 0) y = s.compliance[k];
  mw_arena_free(&mem);
  return y;
}

// Bounds: a static start ends at corrections of 1e-9 of the machine's size 1 m and converges
// quadratically; halves of differences are free of even powers of the load, the third is of order
// (deflection / length)².
static void statics_are_the_same_in_every_path(void)
{
  static const char *const push[3] = { "1, 0, 0", "0, 1, 0", "0, 0, 1" };
  for (int k = 0; k < N_VARIANT; k++)
    for (int axis = 0; axis < 3; axis++) {
      mw_fixture f;
      if (!MW_CHECK(build(&variants[k], push[axis], &f))) continue;
      double full = give(&f.mech, &f.model.scenario[0], &f.model.scenario[1], axis),
             body = body_give(&f, axis), direct = direct_give(&f);
      printf("%s, axis %d: full %.7e, body %.7e, direct %.7e m/N\n", variants[k].name, axis, full,
             body, direct);
      MW_NEAR(body, full, 1e-5 * full);
      MW_NEAR(direct, full, 1e-5 * full);
      mw_fixture_free(&f);
    }
}

// largest distance of the first output
static double distance(const mw_run *a, const mw_run *b)
{
  double worst = 0.0;
  for (int k = 0; k < a->n_t; k++) {
    double d = 0.0;
    for (int i = 0; i < 3; i++)
      d += pow(a->y[k * 3 * a->n_out + i] - b->y[k * 3 * b->n_out + i], 2.0);
    worst = fmax(worst, sqrt(d));
  }
  return worst;
}

// A car that starts and stops rings its arm for a dozen periods after: frequencies that differ part
// the runs. Halving the step tells what the integrators err by (second order: the whole difference
// bounds both); the reduction holds 1e-3 of frequencies and statics.
static void motions_are_the_same_in_every_path(void)
{
  for (int k = 0; k < N_VARIANT; k++) {
    mw_fixture f;
    mw_error err = { 0 };
    mw_rom_file rom = { 0 };
    mw_run full[2] = { 0 }, gmp = { 0 }, still = { 0 };
    if (!MW_CHECK(build(&variants[k], "0.5, 0.5, 1", &f))) continue;
    const mw_scenario *sc = &f.model.scenario[2];
    mw_dae_opt opt = mw_dae_opt_default();
    bool fine = MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err));
    for (int i = 0; fine && i < 2; i++) {
      opt.step = i == 0 ? 4e-4 : 2e-4;
      fine = MW_OKAY(mw_dae_run(&f.mech, sc, "full", &opt, NULL, &full[i], &err));
    }
    fine = fine && MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, sc, 2e-4, NULL, &gmp, &err));
    if (fine) {
      double off = distance(&full[1], &gmp), half = distance(&full[0], &full[1]), peak = 0.0;
      for (int i = 0; i < gmp.n_t; i++)
        peak = fmax(peak, hypot(full[1].y[6 * i + 1], full[1].y[6 * i + 2] - full[1].y[2]));
      printf("%s: full against reduced %.1e m, step halved %.1e m, peak %.1e m\n", variants[k].name,
             off, half, peak);
      MW_NEAR(off, 0.0, half + 1e-2 * peak);
    }
    for (int i = 0; i < 2; i++) mw_run_free(&full[i]);
    mw_run_free(&gmp);
    mw_run_free(&still);
    mw_rom_file_free(&rom);
    mw_fixture_free(&f);
  }
}

static const mw_test_case cases[] = {
  { "statics_are_the_same_in_every_path", statics_are_the_same_in_every_path },
  { "motions_are_the_same_in_every_path", motions_are_the_same_in_every_path },
};

int main(void) { return mw_test_run("guide_paths", cases, (int)(sizeof cases / sizeof *cases)); }
