// SPDX-License-Identifier: BSD-3-Clause
// test_equilibria.c: equilibria, critical loads and load paths against closed forms.
#include <float.h>
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "sim/case.h"
#include "sim/statics.h"

// Newton's method stops at steps of 1e-11 rad, after which it has converged to its square: what is
// left is rounding of accelerations over their stiffness.
static const double PLACE = 1e-13;
// Eigenvalues and critical factors follow from extrapolated differences: 8 ε over the step, 0.04
// to 0.04/64, the first one where what is differentiated is near a line.
static const double DIFFERENCE = 8.0 * DBL_EPSILON / (0.04 / 64.0),
                    LINEAR = 8.0 * DBL_EPSILON / 0.04;

typedef struct rig {
  mw_fixture f;
  mw_arena mem;
  mw_position at;
  double force[2];
  mw_statics_in in;
} rig;

static bool ready(bool read, rig *r)
{
  mw_error err = { 0 };
  r->in = (mw_statics_in){ .at = &r->at, .force = r->force, .factor = 1.0 };
  return MW_CHECK(read) && MW_OKAY(mw_position_find(&r->f.mech, NULL, NULL, &r->mem, &r->at, &err));
}

static bool open_case(const char *file, rig *r)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", MW_CASES_DIR, file);
  *r = (rig){ 0 };
  return ready(mw_fixture_file(path, &r->f), r);
}

static void close_rig(rig *r)
{
  mw_arena_free(&r->mem);
  mw_fixture_free(&r->f);
}

// ---- equilibria ---------------------------------------------------------------------------------

// Two rods of 1 m and 1 kg, each up or down: det(K − ω² M) = 0, K = −g [1.5 s1 + 0.5 s12, 0.5 s12;
// 0.5 s12, 0.5 s12] with the sines' signs.
static void rods_omega2(const double q[2], double out[2])
{
  double g = 9.81, s1 = sin(q[0]), s12 = sin(q[0] + q[1]), c2 = cos(q[1]);
  double K[3] = { -g * (1.5 * s1 + 0.5 * s12), -0.5 * g * s12, -0.5 * g * s12 };
  double M[3] = { 5.0 / 3.0 + c2, 1.0 / 3.0 + 0.5 * c2, 1.0 / 3.0 };
  double a = M[0] * M[2] - M[1] * M[1], b = K[0] * M[2] + K[2] * M[0] - 2.0 * K[1] * M[1],
         c = K[0] * K[2] - K[1] * K[1], root = sqrt(b * b - 4.0 * a * c);
  out[0] = (b - root) / (2.0 * a);
  out[1] = (b + root) / (2.0 * a);
}

static void two_rods_hang_or_stand_in_four_ways(void)
{
  rig r;
  mw_error err = { 0 };
  mw_equilibria o;
  int unstable[4] = { 0 };
  if (open_case("2r.yaml", &r) &&
      MW_OKAY(mw_equilibria_find(&r.f.mech, &r.in, 40, &r.mem, &o, &err)) && MW_CHECK(o.n == 4)) {
    for (int i = 0; i < 4; i++) {
      double want[2];
      rods_omega2(o.at[i].s, want);
      MW_WITHIN(cos(o.at[i].s[0]), 0.0, PLACE, "what positions end at, exact where they can be");
      MW_WITHIN(sin(o.at[i].s[1]), 0.0, PLACE, "what positions end at, exact where they can be");
      for (int k = 0; k < 2; k++) MW_NEAR(o.at[i].mu[k], want[k], DIFFERENCE * 50.0);
      unstable[o.at[i].n_unstable]++;
      MW_CHECK((o.at[i].kind == MW_STABLE) == (want[0] > 0.0));
    }
    MW_CHECK(unstable[0] == 1 && unstable[1] == 2 && unstable[2] == 1);
    MW_CHECK(o.n_same + o.n_lost + o.n == 41);
  }
  close_rig(&r);
}

// Beyond the critical load: k q1 = P L (sin q1 + sin(q1 + q2)), k q2 = P L sin(q1 + q2)
static void a_buckled_column_stands_on_either_side(void)
{
  static const double P = 6.0, K = 10.0;
  rig r;
  mw_error err = { 0 };
  mw_equilibria o;
  if (open_case("spring-column.yaml", &r)) {
    r.force[0] = P;
    if (MW_OKAY(mw_equilibria_find(&r.f.mech, &r.in, 30, &r.mem, &o, &err)) && MW_CHECK(o.n == 3)) {
      MW_CHECK(o.at[0].kind == MW_UNSTABLE && o.at[0].n_unstable == 1);
      for (int i = 1; i < 3; i++) {
        double q1 = o.at[i].s[0], q12 = q1 + o.at[i].s[1];
        MW_CHECK(o.at[i].kind == MW_STABLE && fabs(q1) > 1.0);
        MW_NEAR(K * q1, P * (sin(q1) + sin(q12)), 2.0 * P * PLACE);
        MW_NEAR(K * (q12 - q1), P * sin(q12), 2.0 * P * PLACE);
      }
      MW_NEAR(o.at[1].s[0], -o.at[2].s[0], PLACE);
    }
  }
  close_rig(&r);
}

static void where_nothing_holds_there_is_no_equilibrium(void)
{
  rig r;
  mw_error err = { 0 };
  mw_equilibria o;
  if (open_case("elastic-joint.yaml", &r)) {
    r.force[0] = 1.0;
    MW_FAILS(mw_equilibria_find(&r.f.mech, &r.in, 2, &r.mem, &o, &err), MW_ERR_NUMERIC);
    r.force[0] = 0.0;
    if (MW_OKAY(mw_equilibria_find(&r.f.mech, &r.in, 0, &r.mem, &o, &err)))
      MW_CHECK(o.n == 1 && o.at[0].kind == MW_INDIFFERENT);
  }
  close_rig(&r);
}

// A crank of 1 m and 1 kg at its end, and a weight W hung by a thread over its axle: V = g sin q −
// W q. Newton's method goes around in circles from half of all starts; all of them find the
// equilibria cos q = W/g.
static void starts_from_which_newton_goes_around_find_an_equilibrium(void)
{
  static const double G = 9.81, W = 8.0;
  rig r = { 0 };
  mw_error err = { 0 };
  mw_equilibria o;
  static const char text[] =
      "modeway: 1\nname: crank and weight\ngravity: [0, -9.81, 0]\nbodies:\n"
      "  crank: { rigid: { mass: 1, com: [1, 0, 0], inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }\n"
      "joints:\n  hinge: { revolute: { a: ground, b: crank, axis: [0, 0, 1] }, coordinate: q }\n"
      "forces:\n  weight: { coordinate: q, force: 8 }\n";
  if (ready(mw_fixture_text(text, &r.f), &r) &&
      MW_OKAY(mw_equilibria_find(&r.f.mech, &r.in, 30, &r.mem, &o, &err))) {
    MW_CHECK(o.n_lost == 0);
    bool stable = false, unstable = false;
    for (int i = 0; i < o.n; i++) {
      MW_NEAR(cos(o.at[i].s[0]), W / G, PLACE);
      // K = −g sin q, M = 1.01: rises with the sine's sign
      MW_CHECK((o.at[i].kind == MW_STABLE) == (sin(o.at[i].s[0]) < 0.0));
      stable = stable || o.at[i].kind == MW_STABLE;
      unstable = unstable || o.at[i].kind == MW_UNSTABLE;
    }
    MW_CHECK(stable && unstable);
  }
  close_rig(&r);
}

// A wheel whose centre of mass lies on its axis stands anywhere, whatever rounding says of ω².
static void a_balanced_wheel_is_indifferent(void)
{
  rig r = { 0 };
  mw_error err = { 0 };
  mw_equilibria o;
  static const char text[] =
      "modeway: 1\nname: wheel\ngravity: [1, -9.81, 3]\nbodies:\n"
      "  wheel: { rigid: { mass: 1, com: [0.3, 0, 0], "
      "inertia: [0.01, 0.01, 0.01, 0, 0, 0] } }\n"
      "joints:\n  hinge: { revolute: { a: ground, b: wheel, axis: [1, 0, 0] }, coordinate: q }\n";
  if (ready(mw_fixture_text(text, &r.f), &r) &&
      MW_OKAY(mw_equilibria_find(&r.f.mech, &r.in, 3, &r.mem, &o, &err)))
    for (int i = 0; i < o.n; i++) MW_CHECK(o.at[i].kind == MW_INDIFFERENT);
  close_rig(&r);
}

// ---- follower forces ----------------------------------------------------------------------------

// Ziegler's column: masses 2 kg and 1 kg at the ends of bars of 1 m, k = 1 N m/rad in the hinges,
// the load P along the upper bar: ω⁴ 2 − ω² (7 − 2 P) + 1 = 0, complex for P between 7/2 − √2 and
// 7/2 + √2. Moments of inertia of 1e-9 kg m² shift that by as much.
static bool open_ziegler(double P, rig *r)
{
  char text[2048];
  *r = (rig){ 0 };
  snprintf(
      text, sizeof text,
      "modeway: 1\nname: Ziegler's column\ngravity: [0, 0, 0]\nbodies:\n"
      "  lower: { rigid: { mass: 2, com: [1, 0, 0], inertia: [1e-9, 1e-9, 1e-9, 0, 0, 0] }, "
      "frames: { end: { point: [1, 0, 0] } } }\n"
      "  upper: { at: [1, 0, 0], rigid: { mass: 1, com: [1, 0, 0], "
      "inertia: [1e-9, 1e-9, 1e-9, 0, 0, 0] }, frames: { end: { point: [1, 0, 0] } } }\n"
      "joints:\n"
      "  foot: { revolute: { a: ground, b: lower, axis: [0, 0, 1] }, coordinate: q1 }\n"
      "  knee: { revolute: { a: lower.end, b: upper, axis: [0, 0, 1] }, coordinate: q2 }\n"
      "forces:\n"
      "  s1: { coordinate: q1, stiffness: 1 }\n"
      "  s2: { coordinate: q2, stiffness: 1 }\n"
      "  load: { point: { on: upper.end, direction: [-1, 0, 0], axes: body }, force: %.17g }\n",
      P);
  return ready(mw_fixture_text(text, &r->f), r);
}

static void a_force_that_follows_lets_a_column_flutter(void)
{
  double critical = 3.5 - sqrt(2.0), load[3] = { critical - 1e-3, critical + 1e-3, 6.0 };
  mw_stability_kind want[3] = { MW_STABLE, MW_FLUTTER, MW_UNSTABLE };
  for (int i = 0; i < 3; i++) {
    rig r;
    mw_error err = { 0 };
    mw_equilibria o;
    if (open_ziegler(load[i], &r) &&
        MW_OKAY(mw_equilibria_find(&r.f.mech, &r.in, 0, &r.mem, &o, &err)))
      MW_CHECK(o.n == 1 && o.at[0].kind == want[i]);
    close_rig(&r);
  }
}

// ---- load paths ---------------------------------------------------------------------------------

// [2 −1; −1 1] k in absolute angles: critical loads k (3 ± √5)/2, directions (1, golden ratio − 1)
// and (1 − golden ratio, 1) of q1 and q2.
static void a_column_of_two_bars_buckles_at_the_loads_of_the_closed_form(void)
{
  rig r;
  mw_error err = { 0 };
  mw_load_path o;
  const mw_load_path_opt opt = { .lo = 0.0, .hi = 30.0 };
  double golden = 0.5 * (1.0 + sqrt(5.0));
  if (open_case("spring-column.yaml", &r)) {
    r.force[0] = 1.0;
    if (MW_OKAY(mw_load_path_follow(&r.f.mech, &r.in, &opt, &r.mem, &o, &err)) &&
        MW_CHECK(o.n_critical == 2)) {
      MW_CHECK(o.critical[0].kind == MW_CRITICAL_BRANCH);
      MW_NEAR(o.critical[0].factor, 5.0 * (3.0 - sqrt(5.0)), LINEAR * 30.0);
      MW_NEAR(o.critical[1].factor, 5.0 * (3.0 + sqrt(5.0)), LINEAR * 30.0);
      MW_NEAR(o.critical[0].mode[0], 1.0, 0.0);
      MW_NEAR(o.critical[0].mode[1], golden - 1.0, LINEAR);
      MW_NEAR(o.critical[1].mode[0], 1.0 - golden, LINEAR);
      MW_CHECK(o.n_unstable[0] == 0 && o.n_unstable[o.n - 1] == 2);
      MW_NEAR(o.factor[o.n - 1], 30.0, 0.0);
    }
  }
  close_rig(&r);
}

// P = k (l0/l − 1) y, l² = 1 + y²: largest at l³ = l0
static void an_arch_snaps_through_at_the_load_of_the_closed_form(void)
{
  rig r;
  mw_error err = { 0 };
  mw_load_path o;
  const mw_load_path_opt opt = { .lo = -1.5, .hi = 1.5 };
  double l0 = sqrt(1.25), l = cbrt(l0), y = sqrt(l * l - 1.0), P = 1000.0 * (l0 / l - 1.0) * y;
  if (open_case("spring-arch.yaml", &r)) {
    r.force[0] = -20.0;
    if (MW_OKAY(mw_load_path_follow(&r.f.mech, &r.in, &opt, &r.mem, &o, &err)) &&
        MW_CHECK(o.n_critical == 2))
      for (int i = 0; i < 2; i++) {
        double side = i == 0 ? 1.0 : -1.0;
        MW_CHECK(o.critical[i].kind == MW_CRITICAL_FOLD);
        MW_NEAR(o.critical[i].factor, side * P / 20.0, 4.0 * PLACE);
        // τ' vanishes linearly: y is known to differences over its slope
        MW_NEAR(o.critical[i].s[0], side * y, 16.0 * LINEAR);
      }
    double most = 0.0;  // every point of the path is on the curve
    for (int i = 0; i < o.n; i++) {
      double x = o.s[i], want = 50.0 * (l0 / sqrt(1.0 + x * x) - 1.0) * x;
      most = fmax(most, fabs(o.factor[i] - want));
    }
    // accelerations vanish to rounding of 1000 N/m of up to 1 m over 20 N
    MW_NEAR(most, 0.0, mw_test_rounding(16.0, 1000.0 / 20.0));
    MW_CHECK(o.n > 100 && o.factor[o.n - 1] == 1.5);
  }
  close_rig(&r);
}

static const char *const MAST =
    "modeway: 1\nname: mast\ngravity: [-9.81, 0, 0]\nbodies:\n"
    "  mast: { rigid: { mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0] } }\n"
    "joints:\n"
    "  foot: { revolute: { a: ground, b: mast, axis: [0, 0, 1] }, coordinate: q }\n"
    "forces: { s: { coordinate: q, stiffness: 10 } }\n";

// An upright mast on a spring falls where its weight is k/(m g c) of itself.
static void a_mast_falls_under_its_weight(void)
{
  rig r = { 0 };
  mw_error err = { 0 };
  mw_load_path o;
  const mw_load_path_opt opt = { .lo = 0.0, .hi = 3.0 };
  if (ready(mw_fixture_text(MAST, &r.f), &r)) {
    r.in.weight = true;
    if (MW_OKAY(mw_load_path_follow(&r.f.mech, &r.in, &opt, &r.mem, &o, &err)) &&
        MW_CHECK(o.n_critical == 1)) {
      MW_CHECK(o.critical[0].kind == MW_CRITICAL_BRANCH);
      MW_NEAR(o.critical[0].factor, 10.0 / (9.81 * 0.5), LINEAR * 3.0);
    }
  }
  close_rig(&r);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "two_rods_hang_or_stand_in_four_ways", two_rods_hang_or_stand_in_four_ways },
    { "a_buckled_column_stands_on_either_side", a_buckled_column_stands_on_either_side },
    { "starts_from_which_newton_goes_around_find_an_equilibrium",
      starts_from_which_newton_goes_around_find_an_equilibrium },
    { "a_balanced_wheel_is_indifferent", a_balanced_wheel_is_indifferent },
    { "where_nothing_holds_there_is_no_equilibrium", where_nothing_holds_there_is_no_equilibrium },
    { "a_force_that_follows_lets_a_column_flutter", a_force_that_follows_lets_a_column_flutter },
    { "a_column_of_two_bars_buckles_at_the_loads_of_the_closed_form",
      a_column_of_two_bars_buckles_at_the_loads_of_the_closed_form },
    { "an_arch_snaps_through_at_the_load_of_the_closed_form",
      an_arch_snaps_through_at_the_load_of_the_closed_form },
    { "a_mast_falls_under_its_weight", a_mast_falls_under_its_weight },
  };
  return mw_test_run("equilibria", cases, (int)(sizeof cases / sizeof *cases));
}
