// SPDX-License-Identifier: BSD-3-Clause
// test_statics.c: static patterns at one configuration against beam theory.
#include <float.h>
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"

enum { CONDITION = 8 * 8 * 8 * 8 };  // eight elements

static double of(const mw_statics *s, const char *name)
{
  for (int k = 0; k < s->n; k++)
    if (strcmp(s->name[k], name) == 0) return s->compliance[k];
  MW_CHECK(false);
  return NAN;
}

// Clamped, EI = 1 in the x-z plane, EA = 1e8, L = 1: at the tip L³/(3 EI) and L/(EA), in the middle
// (L/2)³/(3 EI); the cart at x rides the beam, x³/(3 EI), and along it is held by its coordinate,
// x/(EA).
static void a_cantilever_gives_way_as_beam_theory_says(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_statics s = { 0 };
  double x = 0.625;
  if (!MW_CHECK(mw_fixture_beam("CF", 8, 0.5, 0.0, 5, 2, NULL, &f))) return;
  if (MW_OKAY(mw_direct_statics(&f.model, &f.mech, &x, &f.mem, &s, &err))) {
    // cubic elements are exact at nodes under nodal loads; solutions err by the condition of K, n⁴
    // for n elements
    double tol = CONDITION * DBL_EPSILON;
    MW_NEAR(of(&s, "pattern tip.z"), 1.0 / 3.0, tol);
    MW_NEAR(of(&s, "pattern mid.z"), 1.0 / 24.0, tol);
    MW_NEAR(of(&s, "pattern tip.x"), 1e-8, 1e-8 * tol);
    MW_NEAR(of(&s, "pattern cart.z"), x * x * x / 3.0, tol);  // 0.625: a node of the eight elements
    MW_NEAR(of(&s, "pattern cart.x"), 1e-8 * x, 1e-8 * tol);
    MW_WITHIN(s.p[12 * (f.mech.n_body - 1)], x, 1e-12,
              "what the closing of loops may leave");  // the cart stands there
    for (int k = 0; k < s.n; k++) MW_CHECK(s.joint[k] == -1);
  }
  mw_fixture_free(&f);
}

// Maxwell and Betti, and both as beam theory has it
static void a_force_at_one_place_moves_another_as_much_as_the_other_way_round(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_statics s = { 0 };
  double x = 0.25;
  if (!MW_CHECK(mw_fixture_beam("CF", 8, 0.5, 0.0, 5, 2, NULL, &f))) return;
  if (MW_OKAY(mw_direct_statics(&f.model, &f.mech, &x, &f.mem, &s, &err))) {
    const mw_body *b = &f.mech.body[1];
    int n = 0, tip = -1, mid = -1;
    for (int k = 0; k < f.mech.n_body; k++)
      n += f.mech.body[k].n_u > 0 ? f.mech.body[k].n_u : f.mech.body[k].ground ? 0 : 6;
    for (int k = 0; k < s.n; k++) {
      if (strcmp(s.name[k], "pattern tip.z") == 0) tip = k;
      if (strcmp(s.name[k], "pattern mid.z") == 0) mid = k;
    }
    double *z = mw_arena_f64(&f.mem, (size_t)b->n_z);
    if (MW_CHECK(tip >= 0 && mid >= 0 && z)) {
      // w(½) under a unit force at the tip, and w(1) under one in the middle: 5 L³/(48 EI)
      double tol = CONDITION * DBL_EPSILON;
      mw_csc_mul(&b->P, 1.0, s.x + (size_t)tip * (size_t)n, 0.0, z);
      MW_NEAR(z[b->frame[0].z + 2], 5.0 / 48.0, tol);
      mw_csc_mul(&b->P, 1.0, s.x + (size_t)mid * (size_t)n, 0.0, z);
      MW_NEAR(z[b->frame[1].z + 2], 5.0 / 48.0, tol);
    }
  }
  mw_fixture_free(&f);
}

// Loads of reduction.patterns.loads, where no frame, output or drive is: at a node, at the node
// that lies at a point, at a point of a rigid body that rides at x. Named beside outputs and
// drives, and drives of scenarios like these.
static void loads_have_patterns_of_their_own(void)
{
  static const char *const text =
      "modeway: 1\n"
      "materials: { unit: { E: 1e8, nu: 0.0, rho: 1 } }\n"
      "sections: { line: { general: { A: 1, Iy: 1e-8, Iz: 1, It: 1, ky: 0, kz: 0, rotary: false } "
      "} }\n"
      "bodies:\n"
      "  beam:\n"
      "    ground: true\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], m: [0.5, 0, 0], b: [1, 0, 0] }\n"
      "      members: [{ from: a, to: m, section: line, material: unit, elements: 4, up: [0, 0, "
      "1] },\n"
      "                { from: m, to: b, section: line, material: unit, elements: 4, up: [0, 0, "
      "1] }]\n"
      "    supports: [{ nodes: a }]\n"
      "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
      "  cart: { at: [0.5, 0, 0], rigid: { mass: 1, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] } }\n"
      "joints: { x: { slide: { guide: beam.rail, on: cart, orientation: fixed, runners: [{ "
      "offset: 0 }] }, drive: motor } }\n"
      "outputs: { cart: { body: cart } }\n"
      "reduction:\n"
      "  coordinates: { x: [0.2, 0.9] }\n"
      "  patterns: { outputs: false, drives: false, acceleration: false, gravity: false, loads: {\n"
      "    middle: { body: beam, node: m, direction: [0, 0, 2] },\n"
      "    far: { body: beam, point: [0.75, 0, 0], direction: [0, 0, -1] },\n"
      "    ride: { body: cart, point: [0, 0, 0.1], direction: [0, 0, 1] } } }\n"
      "scenarios: { hit: { duration: 1, drives: { far: { force: 3 } } } }\n";
  mw_fixture f;
  mw_error err = { 0 };
  mw_statics s = { 0 };
  double x = 0.625, tol = CONDITION * DBL_EPSILON;
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  MW_CHECK(f.model.n_drive == 4 && f.model.scenario[0].n_action == 1);
  MW_CHECK(strcmp(f.model.drive[f.model.scenario[0].action[0].drive].name, "far") == 0);
  if (MW_OKAY(mw_direct_statics(&f.model, &f.mech, &x, &f.mem, &s, &err)) && MW_CHECK(s.n == 3)) {
    MW_NEAR(of(&s, "pattern middle"), 1.0 / 24.0, tol);
    MW_NEAR(of(&s, "pattern far"), 0.75 * 0.75 * 0.75 / 3.0, tol);
    MW_NEAR(of(&s, "pattern ride"), x * x * x / 3.0, tol);
  }
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "loads_have_patterns_of_their_own", loads_have_patterns_of_their_own },
    { "a_cantilever_gives_way_as_beam_theory_says", a_cantilever_gives_way_as_beam_theory_says },
    { "a_force_at_one_place_moves_another_as_much_as_the_other_way_round",
      a_force_at_one_place_moves_another_as_much_as_the_other_way_round },
  };
  return mw_test_run("statics", cases, (int)(sizeof cases / sizeof *cases));
}
