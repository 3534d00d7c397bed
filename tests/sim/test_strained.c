// SPDX-License-Identifier: BSD-3-Clause
// test_strained.c: the full path with strains of second order: statics against closed forms,
// whatever the number of bodies a beam is cut into, and energy.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fem/fixture_grid.h"
#include "fixture.h"
#include "mw_test.h"
#include "sim/dae.h"
#include "sim/turn.h"

// square steel bar of 1 m, 5 mm wide, Euler-Bernoulli: EI = 10.9375 N m²
#define BAR                                                                                        \
  "modeway: 1\nstrain: %s\nmaterials: {steel: {E: 210e9, nu: 0.3, rho: 7850}}\n"                   \
  "sections: {bar: {rectangle: {width: 0.005, height: 0.005}, shear: false, rotary: false}}\n"
static const double EI = 10.9375, PI = 3.14159265358979323846;

static bool run_text(const char *text, double step, mw_run *run)
{
  mw_fixture f = { 0 };
  mw_error err = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  opt.step = step;
  bool good = mw_fixture_text(text, &f) &&
              MW_OKAY(mw_dae_run(&f.mech, &f.model.scenario[0], "full", &opt, NULL, run, &err));
  mw_fixture_free(&f);
  return good;
}

// An arm of linear strains that starts to spin at 60 rad/s, by steps of 0.3 rad: what turns with
// its axes is not in the matrix, iterations contract by about a half.
static mw_code spin(double rate, double h, int newton_max, mw_run *run, mw_error *err)
{
  static const char MODEL[] =
      "modeway: 1\nstrain: linear\nmaterials: {steel: {E: 210e9, nu: 0.3, rho: 7850}}\n"
      "sections: {bar: {rectangle: {width: 0.02, height: 0.02}}}\nbodies:\n  arm:\n    beams:\n"
      "      points: {root: [0, 0, 0], tip: [1, 0, 0]}\n"
      "      members: [{from: root, to: tip, section: bar, material: steel, elements: 8}]\n"
      "    frames: {root: {node: root}, tip: {node: tip, mass: 1}}\n"
      "joints: {hub: {revolute: {a: ground, b: arm.root, axis: [0, 1, 0]}, coordinate: phi, "
      "drive: motor}}\n"
      "outputs: {tip: {frame: arm.tip}}\n"
      "scenarios: {spin: {duration: 0.1, step: 1e-3, store: 0.02, initial: undeformed,\n"
      "  start: {phi: {at: 0, velocity: %.17g}}}}\n";
  char text[3000];
  mw_fixture f = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  opt.step = h;
  opt.newton_max = newton_max;
  snprintf(text, sizeof text, MODEL, rate);
  mw_code rc = MW_ERR_INPUT;
  if (mw_fixture_text(text, &f))
    rc = mw_dae_run(&f.mech, &f.model.scenario[0], "full", &opt, NULL, run, err);
  mw_fixture_free(&f);
  return rc;
}

static void iterations_that_contract_go_on(void)
{
  mw_error err = { 0 };
  mw_run few = { 0 }, many = { 0 };
  if (MW_OKAY(spin(60.0, 5e-3, 4, &few, &err)) && MW_OKAY(spin(60.0, 5e-3, 100, &many, &err))) {
    MW_CHECK(many.iterations > 4 * many.steps);  // else nothing had to go on
    MW_CHECK(few.iterations == many.iterations);
    MW_SAME_BITS(few.y, many.y, 3 * many.n_t);
  }
  mw_run_free(&few);
  mw_run_free(&many);
}

static void steps_that_do_not_converge_name_their_contraction(void)
{
  mw_error err = { 0 };
  mw_run run = { 0 };
  MW_CHECK(spin(100.0, 1e-2, 20, &run, &err) == MW_ERR_NUMERIC);
  const char *at = strstr(err.msg, "contraction ");
  if (MW_CHECK(at != NULL)) MW_CHECK(strtod(at + 12, NULL) > 0.8);
  mw_run_free(&run);
}

// Tip of a cantilever along x at rest under dead loads P along −x and Q along −z.
static bool loaded_tip(const char *strain, int bodies, double P, double Q, double tip[3])
{
  static const char MODEL[] = BAR
      "bodies:\n  rod:\n    ground: true\n    beams:\n      points: {root: [0, 0, 0], tip: [1, 0, "
      "0]}\n"
      "      members: [{from: root, to: tip, section: bar, material: steel, elements: 16}]\n      "
      "divide: %d\n"
      "    supports: [{nodes: root}]\n    frames: {tip: {node: tip}}\n"
      "drives:\n  push: {force: {on: rod.tip, direction: [-1, 0, 0]}}\n"
      "  load: {force: {on: rod.tip, direction: [0, 0, -1]}}\noutputs: {tip: {frame: rod.tip}}\n"
      "scenarios: {hang: {duration: 1e-4, step: 1e-4, drives: {push: {force: %.17g}, load: "
      "{force: %.17g}}}}\n";
  char text[3000];
  mw_run run = { 0 };
  snprintf(text, sizeof text, MODEL, strain, bodies, P, Q);
  bool good = run_text(text, 0.0, &run);
  if (good) memcpy(tip, run.y, 3 * sizeof *tip);
  mw_run_free(&run);
  return good;
}

// w = Q/(k P) (tan k L − k L) ,  k² = P/EI
static void columns_bend_as_beam_columns_do(void)
{
  const double P = 0.8 * PI * PI * EI / 4.0, k = sqrt(P / EI), Q = 1e-3,
               w = Q / (k * P) * (tan(k) - k);
  for (int n = 1; n <= 8; n *= 2) {
    double tip[3];
    if (!loaded_tip("nonlinear", n, P, Q, tip)) return;
    printf("beam-column at 0.8 of buckling, %d bodies: %.3e\n", n, -tip[2] / w - 1.0);
    // the deflection is 2e-3 of the length; sixteen elements: fourth order
    MW_NEAR(-tip[2] / w, 1.0, 1e-4);
  }
}

static void linear_strains_know_no_axial_load(void)
{
  double tip[3];
  if (!loaded_tip("linear", 1, 0.8 * PI * PI * EI / 4.0, 1e-3, tip)) return;
  MW_NEAR(-tip[2] / (1e-3 / (3.0 * EI)), 1.0, 1e-9);
}

// A rod bent in both planes and twisted by a load on a lever at its tip, in 1, 2, 8 bodies: what
// its joints carry turns about all three axes. Joint axes 1 + r~ in place of exp(r~) err by 2e-2
// here, whatever the number of bodies.
static void levers_move_alike_whatever_holds_them(void)
{
  static const char MODEL[] = BAR
      "bodies:\n  rod:\n    ground: true\n    beams:\n      points: {root: [0, 0, 0], tip: [1, 0, "
      "0]}\n"
      "      members: [{from: root, to: tip, section: bar, material: steel, elements: 32}]\n      "
      "divide: %d\n"
      "    supports: [{nodes: root}]\n    frames: {tip: {node: tip}}\n"
      "  lever: {at: [1, 0, 0], rigid: {mass: 0.01, com: [0, 0, 0], inertia: [1e-4, 1e-4, 1e-4, "
      "0, 0, 0]},\n"
      "    frames: {foot: {point: [0, 0, 0]}, head: {point: [0.2, 0.3, 0.1]}}}\n"
      "joints: {hold: {fixed: {a: rod.tip, b: lever.foot}}}\n"
      "drives: {load: {force: {on: lever.head, direction: [0.36, 0.48, -0.8]}}}\noutputs: {head: "
      "{frame: lever.head}}\n"
      "scenarios: {hang: {duration: 1e-4, step: 1e-4, drives: {load: {force: %.17g}}}}\n";
  static const double HEAD[3] = { 1.2, 0.3, 0.1 };
  double y[3][3], size = 0.0;
  for (int k = 2; k >= 0; k--) {
    char text[3000];
    mw_run run = { 0 };
    snprintf(text, sizeof text, MODEL, "nonlinear", k == 2 ? 8 : k + 1, 0.08 * EI);
    if (!run_text(text, 0.0, &run)) return;
    memcpy(y[k], run.y, sizeof y[k]);
    mw_run_free(&run);
    double off = 0.0;
    for (int i = 0; i < 3; i++) {
      if (k == 2) size = hypot(size, y[2][i] - HEAD[i]);
      off = hypot(off, y[k][i] - y[2][i]);
    }
    printf("lever on %d bodies: %.3e of its deflection\n", k == 2 ? 8 : k + 1, off / size);
    MW_NEAR(off / size, 0.0, 1e-3);
  }
}

// P L²/EI = 1: tip 0.30172 down, 0.05643 back (Mattiasson 1981). The error of n bodies falls with
// n⁴.
static void elastica_is_met_by_bodies_that_turn(void)
{
  double err[2];
  for (int i = 0; i < 2; i++) {
    double tip[3];
    if (!loaded_tip("nonlinear", 8 << i, 0.0, EI, tip)) return;
    err[i] = fmax(fabs(-tip[2] - 0.3017207737998131), fabs(1.0 - tip[0] - 0.05643323628337726));
    printf("elastica, %d bodies: %.3e of the length\n", 8 << i, err[i]);
  }
  MW_NEAR(err[1], 0.0, 1e-4);
  MW_CHECK(err[0] / err[1] > 8.0);
}

// Largest change of the energy of an arm that swings down from level, over what gravity gives it.
static double swing(double h, double *deflection)
{
  static const char MODEL[] = BAR
      "gravity: [0, 0, -9.81]\nbodies:\n  arm:\n    beams:\n      points: {root: [0, 0, 0], tip: "
      "[1, 0, 0]}\n"
      "      members: [{from: root, to: tip, section: bar, material: steel, elements: 8}]\n"
      "    frames: {root: {node: root}, tip: {node: tip, mass: 1}}\n"
      "joints: {hub: {revolute: {a: ground, b: arm.root, axis: [0, 1, 0]}, coordinate: phi, "
      "drive: motor}}\n"
      "outputs: {tip: {frame: arm.tip}}\n"
      "scenarios: {swing: {duration: 0.6, step: 1e-3, store: 0.01, initial: undeformed, drives: "
      "{motor: {position: {cycloid: {from: 0, to: 1, end: 0.3}}}}}}\n";
  char text[3000];
  mw_run r = { 0 };
  double worst = 0.0, most = 0.0;
  *deflection = 0.0;
  snprintf(text, sizeof text, MODEL, "nonlinear");
  if (!run_text(text, h, &r)) return NAN;
  for (int i = 0; i < r.n_t; i++) {
    double E = r.kinetic[i] + r.potential[i] - r.work[i], E0 = r.kinetic[0] + r.potential[0];
    worst = fmax(worst, fabs(E - E0));
    most = fmax(most, r.kinetic[i]);
    const double *y = r.y + 3 * i;
    *deflection = fmax(*deflection, fabs(y[2] * cos(r.s[i]) + y[0] * sin(r.s[i])));
  }
  mw_run_free(&r);
  return worst / most;
}

// the energy that is stored is that of the forces: what is missing falls with the square of the
// step
static void energy_closes_with_the_step(void)
{
  double v, e[2] = { swing(1e-3, &v), swing(5e-4, &v) };
  printf("swing: tip off its line by %.3g m, energy %.2e, %.2e\n", v, e[0], e[1]);
  MW_CHECK(v > 0.05);  // ten sections' heights: quartic terms count
  MW_CHECK(e[0] < 1e-2 && e[0] / e[1] > 3.0);
}

// Tip load P L²/EI on one body, rotation P/2 in the body's strains: within the limit the elastica
// is met to 1e-3 of its deflection, beyond it the run says so.
static void bodies_that_turn_too_far_are_named(void)
{
  static const char MODEL[] = BAR
      "bodies:\n  rod:\n    ground: true\n    beams:\n      points: {root: [0, 0, 0], tip: [1, 0, "
      "0]}\n"
      "      members: [{from: root, to: tip, section: bar, material: steel, elements: 32}]\n"
      "    supports: [{nodes: root}]\n    frames: {tip: {node: tip}}\n"
      "drives: {load: {force: {on: rod.tip, direction: [0, 0, -1]}}}\noutputs: {tip: {frame: "
      "rod.tip}}\n"
      "scenarios: {hang: {duration: 1e-4, step: 1e-4, drives: {load: {force: %.17g}}}}\n";
  double limit = mw_turn_limit(false);
  for (int k = 0; k < 2; k++) {
    char text[3000];
    mw_run run = { 0 };
    double P = 2.0 * limit * (k == 0 ? 0.97 : 1.03);
    snprintf(text, sizeof text, MODEL, "nonlinear", P * EI);
    if (!run_text(text, 0.0, &run)) return;
    int b = run.n_body - 1;
    // P/2 of the linear beam, whose strains of second order are of the order of the square at most
    MW_WITHIN(run.turn[b] / (0.5 * P), 1.0, P * P, "second order, which a free end does without");
    MW_CHECK(run.n_warning == k);
    if (k == 1)
      MW_CHECK(strstr(run.warning[0], "body rod turns by") != NULL &&
               strstr(run.warning[0], "divide: 2"));
    // down P/3 − 4P³/105, back P²/15: the next terms are below P⁴/10 = 7e-6
    double down = P / 3.0 - 4.0 * P * P * P / 105.0, back = P * P / 15.0,
           off = hypot(-run.y[2] - down, 1.0 - run.y[0] - back) / down;
    printf("turn %.4f rad: %.2e of the deflection\n", run.turn[b], off);
    MW_CHECK(k == 0 ? off < 1e-3 : off > 0.9e-3);
    mw_run_free(&run);
  }
}

// A bar of bricks under a load at its end, path full: σ_xx half way at both faces, their mean and
// half their difference over that of the linear path.
static bool gauges(const char *strain, double P, double *mean, double *half)
{
  static const char MODEL[] =
      "modeway: 1\nstrain: %s\nmaterials: {steel: {E: 200e9, nu: 0.3, rho: 7800}}\nbodies:\n"
      "  bar:\n    ground: true\n    mesh: /tmp/modeway_test_strained.msh\n    material: steel\n"
      "    sets:\n      root: {plane: {point: [0, 0, 0], normal: [1, 0, 0]}}\n"
      "      end: {plane: {point: [0.4, 0, 0], normal: [1, 0, 0]}}\n"
      "    supports: [{nodes: root}]\n    frames: {tip: {rigid: end, point: [0.4, 0.01, 0.0025]}}\n"
      "drives: {load: {force: {on: bar.tip, direction: [0, 0, -1]}}}\n"
      "outputs:\n  top: {stress: bar, point: [0.2, 0.01, 0.005]}\n"
      "  below: {stress: bar, point: [0.2, 0.01, 0]}\n"
      "scenarios: {hang: {duration: 1e-5, step: 1e-5, drives: {load: {force: %.17g}}}}\n";
  char text[3000];
  mw_run run = { 0 };
  snprintf(text, sizeof text, MODEL, strain, P);
  bool good = run_text(text, 0.0, &run);
  if (good) {
    *mean = 0.5 * (run.stress[0] + run.stress[6]);
    *half = 0.5 * (run.stress[0] - run.stress[6]);
  }
  mw_run_free(&run);
  return good;
}

// α = PL²/EI = 0.12: the bar turns by 0.045 rad there, whose square the linear displacements alone
// make a mean of −2.7 of the bending stress of. Statics on the elastica, M = P (x_tip − x): 1 −
// 0.1057 α² of the linear one.
static void stresses_of_turned_parts_are_those_of_their_strains(void)
{
  const double E = 200e9, L = 0.4, EI_bar = E * 0.02 * pow(0.005, 3) / 12.0,
               P = 0.12 * EI_bar / (L * L), bow = 0.06 / L, c = 0.0025, h = 0.02, a2 = 0.12 * 0.12,
               curved = (1.0 / 15.0 - 53.0 / 3840.0) * 2.0 * a2;
  const fixture_grid_box box = { MW_ELEM_HEX20, { 20, 1, 1 }, { 0 }, { L, 0.02, 0.005 }, NULL };
  double mean[2], half[2];
  if (!MW_CHECK(fixture_grid("/tmp/modeway_test_strained.msh", 1, &box) == 0) ||
      !gauges("nonlinear", P, &mean[0], &half[0]) || !gauges("linear", P, &mean[1], &half[1]))
    return;
  printf("bent bar, mean and half difference of both faces: %.3e, %.6f of the linear one\n",
         mean[0] / half[1], half[0] / half[1]);
  // moments change by a fortieth to the middle of an element
  MW_WITHIN(half[1], E * bow * c, 0.025 * E * bow * c, "of one element, here the mean of two");
  MW_WITHIN(mean[1], 0.0, pow(L / 0.005, 4.0) * DBL_EPSILON * half[1],
            "worst of a solve, of condition (L/h)⁴");
  // strains linear in an element cannot hold ½(κx)²: E (κh)² at most, alike at both faces
  MW_NEAR(mean[0], 0.0, E * bow * bow * h * h);
  MW_NEAR(half[0] / half[1], 1.0 - curved, 0.05 * curved);
  remove("/tmp/modeway_test_strained.msh");
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "columns_bend_as_beam_columns_do", columns_bend_as_beam_columns_do },
    { "linear_strains_know_no_axial_load", linear_strains_know_no_axial_load },
    { "levers_move_alike_whatever_holds_them", levers_move_alike_whatever_holds_them },
    { "elastica_is_met_by_bodies_that_turn", elastica_is_met_by_bodies_that_turn },
    { "iterations_that_contract_go_on", iterations_that_contract_go_on },
    { "steps_that_do_not_converge_name_their_contraction",
      steps_that_do_not_converge_name_their_contraction },
    { "bodies_that_turn_too_far_are_named", bodies_that_turn_too_far_are_named },
    { "stresses_of_turned_parts_are_those_of_their_strains",
      stresses_of_turned_parts_are_those_of_their_strains },
    { "energy_closes_with_the_step", energy_closes_with_the_step },
  };
  return mw_test_run("strained", cases, (int)(sizeof cases / sizeof *cases));
}
