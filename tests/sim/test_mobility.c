// SPDX-License-Identifier: BSD-3-Clause
// test_mobility.c: freedoms, dependent rows and singular positions against counted, published and
// closed-form ones.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "sim/analyze.h"
#include "sim/case.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"

// Positions close to 1e-13 of the size; where rates vanish or cross linearly that is what places
// are known to, times what a tangent changes by: 100 leaves room for mechanisms of this test.
static const double PLACE = 1e-11;
// The cubic through four positions leaves D⁴/6 = 3e-12 of fourth derivatives of size one, gaps of
// 1e-13 over σ of 1e-4 there leave 1e-9.
static const double CROSSING = 1e-9;
static const double PI = 3.14159265358979323846;

typedef struct rig {
  mw_case c;
  mw_arena mem;
  mw_position at;
  mw_mobility o;
} rig;

static bool open_rig(const char *file, int n_set, const char *const *set, rig *r)
{
  mw_error err = { 0 };
  char path[512];
  mw_model_edit edit = { .n_set = n_set, .set = set };
  *r = (rig){ 0 };
  snprintf(path, sizeof path, "%s/%s", MW_CASES_DIR, file);
  bool good = MW_OKAY(mw_case_read_edited(path, &edit, &r->c, &err));
  return good && MW_OKAY(mw_position_find(&r->c.mech, NULL, NULL, &r->mem, &r->at, &err)) &&
         MW_OKAY(mw_mobility_find(&r->c.mech, &r->at, NULL, &r->mem, &r->o, &err));
}

static void close_rig(rig *r)
{
  mw_arena_free(&r->mem);
  mw_case_free(&r->c);
}

static void check_counts(const char *file, int gruebler, int rank, int mobility)
{
  rig r;
  if (open_rig(file, 0, NULL, &r)) {
    MW_CHECK(r.o.gruebler == gruebler);
    MW_CHECK(r.o.rank == rank);
    MW_CHECK(r.o.mobility == mobility && r.o.finite == mobility);
    MW_CHECK(r.o.kind == MW_MOBILITY_REGULAR);
    MW_CHECK(r.o.dependent == r.o.n_row - rank && r.o.hyperstatic == r.o.dependent);
  }
  close_rig(&r);
}

// Screws of the four hinges of Bennett's linkage have rank 3, those of Bricard's six rank 5 (Hunt,
// Kinematic geometry of mechanisms): one freedom each, where counting gives −2 and 0.
static void linkages_move_that_counting_denies(void)
{
  check_counts("bennett.yaml", -2, 17, 1);
  check_counts("bricard.yaml", 0, 29, 1);
  check_counts("six-bar.yaml", -5, 29, 1);
  check_counts("two-link.yaml", 2, 10, 2);
}

// A plane loop of four hinges overconstrains by three, whatever joint is taken for the cause.
static void every_joint_of_a_plane_loop_holds_three_rows_too_many(void)
{
  rig r;
  if (open_rig("four-bar.yaml", 0, NULL, &r))
    for (int j = 0; j < r.c.mech.n_joint; j++) MW_CHECK(r.o.joint[j] == 3);
  close_rig(&r);
}

static mw_code follow(rig *r, const char *coord, double lo, double hi, mw_motion *o, mw_error *err)
{
  mw_motion_opt opt = { .coord = mw_mech_coord(&r->c.mech, coord), .lo = lo, .hi = hi };
  return mw_motion_follow(&r->c.mech, &r->at, NULL, &opt, &r->mem, o, err);
}

// tan(t1/2) tan(t2/2) is the same all along the motion, with angles from where axes and links are
// in line: here angles of the model count from the reference, t1 = 1 there.
static void bennetts_linkage_keeps_its_closed_form(void)
{
  static const double SPAN = 1.0, A = 0.6981317007977318, B = 1.2217304763960306;
  rig r;
  mw_error err = { 0 };
  mw_motion o = { 0 };
  if (open_rig("bennett.yaml", 0, NULL, &r) && MW_OKAY(follow(&r, "q1", 0.0, SPAN, &o, &err))) {
    double k = sin(0.5 * (B + A)) / sin(0.5 * (B - A)), t2 = 2.0 * atan(k / tan(0.5));
    MW_CHECK(o.n > 20 && o.n_singular == 0);
    for (int i = 0; i < o.n; i++) {
      double want = 2.0 * atan(k / tan(0.5 * (1.0 + o.s[4 * i])));
      MW_WITHIN(o.s[4 * i + 1], want - t2, PLACE, "what singular positions are located to");
      MW_WITHIN(o.s[4 * i + 2], -o.s[4 * i], PLACE, "what singular positions are located to");
    }
  }
  close_rig(&r);
}

static int count(const mw_motion *o, mw_singular_kind kind, int coord)
{
  int n = 0;
  for (int i = 0; i < o->n_singular; i++)
    n += o->singular[i].kind == kind && o->singular[i].coord == coord;
  return n;
}

// Crank and coupler in line: closed form from the triangle of r2 ± r1, rocker and ground.
static void a_rocker_locks_where_crank_and_coupler_are_in_line(void)
{
  rig r;
  mw_error err = { 0 };
  mw_motion o = { 0 };
  static const double CRANK = 0.1, COUPLER = 0.35, ROCKER = 0.3, BASE = 0.4;
  if (open_rig("four-bar.yaml", 0, NULL, &r) && MW_OKAY(follow(&r, "crank", -9, 9, &o, &err))) {
    int crank = mw_mech_coord(&r.c.mech, "crank"), rocker = mw_mech_coord(&r.c.mech, "rocker");
    MW_CHECK(o.closed && o.n_singular == 2);
    MW_CHECK(count(&o, MW_SINGULAR_LOCK, rocker) == 2);
    for (int i = 0; i < o.n_singular; i++) {
      const mw_singular *x = &o.singular[i];
      bool folded = i == 0;  // the crank turns on from 1.2 rad
      double d = COUPLER + (folded ? -CRANK : CRANK);
      double at = acos((BASE * BASE + d * d - ROCKER * ROCKER) / (2.0 * BASE * d));
      double angle = PI - acos((BASE * BASE + ROCKER * ROCKER - d * d) / (2.0 * BASE * ROCKER));
      MW_WITHIN(x->s[crank], at + (folded ? PI : 2.0 * PI), PLACE,
                "what singular positions are located to");
      MW_WITHIN(x->s[rocker], angle, PLACE, "what singular positions are located to");
      MW_CHECK(x->rank[0] == 17 && x->rank[1] == 18 && x->rank[2] == 18);
    }
  }
  close_rig(&r);
}

static const char *const LOCKED[] = { "parameters.base=0.5", "parameters.crank=0.4",
                                      "parameters.coupler=0.2", "parameters.rocker=0.25" };

// Coupler and output in line, |A − B0| = r3 + r4: the input is confined to ±1.0254081406532363
static void an_input_that_cannot_turn_is_usable_between_its_dead_points(void)
{
  rig r;
  mw_error err = { 0 };
  mw_motion o = { 0 };
  double want = acos((0.25 + 0.16 - 0.45 * 0.45) / (2.0 * 0.5 * 0.4));
  if (open_rig("four-bar.yaml", 4, LOCKED, &r)) {
    int crank = mw_mech_coord(&r.c.mech, "crank");
    unsigned char held[2] = { 0 };
    double value[2] = { 0.5, 0.5 };
    held[crank] = 1;
    MW_OKAY(mw_position_find(&r.c.mech, held, value, &r.mem, &r.at, &err));
    if (MW_OKAY(follow(&r, "crank", -9, 9, &o, &err))) {
      MW_CHECK(o.lo_dead && o.hi_dead);
      MW_WITHIN(o.hi, want, PLACE, "what singular positions are located to");
      MW_WITHIN(o.lo, -want, PLACE, "what singular positions are located to");
      MW_CHECK(count(&o, MW_SINGULAR_LOCK, crank) == 2);
    }
  }
  close_rig(&r);
}

static const char *const FLAT[] = { "parameters.base=0.3", "parameters.crank=0.2",
                                    "parameters.coupler=0.3", "parameters.rocker=0.2" };

// A parallelogram of crank r and base d lies flat at 0 and π, where it may go on crossed. Both
// tangents from the second order of the closure r(cos φ − cos θ), … : rates 1 : 1, and
// (d − r) : (d + r) at π, (d + r) : −(d − r)… by the instantaneous centre of the coupler.
static void a_flat_parallelogram_goes_on_straight_or_crossed(void)
{
  rig r;
  mw_error err = { 0 };
  mw_motion o = { 0 };
  if (open_rig("four-bar.yaml", 4, FLAT, &r) && MW_OKAY(follow(&r, "crank", -9, 9, &o, &err))) {
    int crank = mw_mech_coord(&r.c.mech, "crank"), rocker = mw_mech_coord(&r.c.mech, "rocker");
    MW_CHECK(o.closed && o.n_singular == 2);
    MW_CHECK(count(&o, MW_SINGULAR_BIFURCATION, crank) == 2);
    for (int i = 0; i < o.n_singular; i++) {
      const mw_singular *x = &o.singular[i];
      MW_WITHIN(x->s[crank], (i + 1) * PI, CROSSING, "what crossings are located to");
      MW_WITHIN(x->s[rocker], (i + 1) * PI, CROSSING, "what crossings are located to");
      for (int k = 0; k < 3; k++) MW_CHECK(x->rank[k] == 17);
      MW_CHECK(x->n_tangent == 2);
      double ratio[2];
      for (int k = 0; k < x->n_tangent; k++)
        ratio[k] = x->tangent[2 * k + rocker] / x->tangent[2 * k + crank];
      // crossed: the elbows' lines meet the base at d r/(…): rocker/crank = −(d − r)/(d + r) at π,
      // its inverse at 2π
      double crossed = i == 0 ? -0.1 / 0.5 : -0.5 / 0.1;
      bool first = fabs(ratio[0] - 1.0) < fabs(ratio[1] - 1.0);
      // positions of the forms are closed to √1e-13
      MW_WITHIN(ratio[first ? 0 : 1], 1.0, 1e-5, "positions of the forms are closed to 3e-7");
      MW_WITHIN(ratio[first ? 1 : 0] / crossed, 1.0, 1e-5,
                "positions of the forms are closed to 3e-7");
    }
  }
  close_rig(&r);
}

// A rocker longer than the crank by δ swings between dead points close to the flat positions of
// the parallelogram, at which a step that went across would have it turn all around. Closed form:
// cosine law, crank and coupler in line. Below 1e-8 what stays open there is seen.
static void a_crank_passes_close_by_a_flat_position_on_its_own_motion(void)
{
  static const double DELTA[] = { 1e-8, 1e-7, 1e-6, 1e-5, 1e-4 };
  static const double CRANK = 0.1, COUPLER = 0.4, BASE = 0.4;
  for (int k = 0; k < 5; k++) {
    rig r;
    mw_error err = { 0 };
    mw_motion o = { 0 };
    double length = CRANK + DELTA[k];
    char text[64];
    const char *const set[] = { "parameters.coupler=0.4", text };
    snprintf(text, sizeof text, "parameters.rocker=%.17g", length);
    if (open_rig("four-bar.yaml", 2, set, &r) && MW_OKAY(follow(&r, "crank", -9, 9, &o, &err))) {
      int rocker = mw_mech_coord(&r.c.mech, "rocker");
      MW_CHECK(o.closed && o.n_singular == 2 && count(&o, MW_SINGULAR_LOCK, rocker) == 2);
      for (int i = 0; i < o.n_singular; i++) {
        double d = COUPLER + (i == 0 ? -CRANK : CRANK);
        double x = (BASE * BASE + length * length - d * d) / (2.0 * BASE * length);
        // d known to PLACE of the base
        double place = PLACE * d / (length * sqrt(1.0 - x * x));
        MW_WITHIN(o.singular[i].s[rocker], PI - acos(x), place, "what positions are closed to");
      }
    }
    close_rig(&r);
  }
}

// Crank 0.2145 m and coupler 0.274 m with rocker 0.2845 m and base 0.344 m + δ lie flat but for δ:
// the crank cannot turn, |A B0| = b + c in each of its dead points, each of which is met once.
static void a_dead_point_at_a_sharp_turn_is_met_once(void)
{
  static const double A = 0.2145, B = 0.274, C = 0.2845;
  for (int k = 0; k < 40; k++) {
    double base = 0.344 + 1e-7 * pow(1.2, k);
    double cosine = (A * A + base * base - (B + C) * (B + C)) / (2.0 * A * base);
    char text[64];
    const char *const set[] = { "parameters.crank=0.2145", "parameters.coupler=0.274",
                                "parameters.rocker=0.2845", text };
    rig r;
    mw_error err = { 0 };
    mw_motion o = { 0 };
    snprintf(text, sizeof text, "parameters.base=%.17g", base);
    if (open_rig("four-bar.yaml", 4, set, &r) && MW_OKAY(follow(&r, "crank", -9, 9, &o, &err))) {
      int crank = mw_mech_coord(&r.c.mech, "crank"), rocker = mw_mech_coord(&r.c.mech, "rocker");
      MW_CHECK(o.closed && o.lo_dead && o.hi_dead);
      MW_CHECK(count(&o, MW_SINGULAR_LOCK, crank) == 2 && count(&o, MW_SINGULAR_LOCK, rocker) == 2);
      double place = PLACE / sqrt(1.0 - cosine * cosine);  // the slope of acos
      MW_WITHIN(o.hi, acos(cosine), place, "what singular positions are located to");
      MW_WITHIN(o.lo, -acos(cosine), place, "what singular positions are located to");
    }
    close_rig(&r);
  }
}

static const char *const SHAKY =
    "modeway: 1\nname: two rods in line\nbodies:\n"
    "  base:\n    ground: true\n    frames: { C: { point: [2, 0, 0] }, B: { point: [1, 0, 0] } }\n"
    "  one:\n    rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] }\n"
    "    frames: { end: { point: [1, 0, 0] } }\n"
    "  two:\n    at: [1, 0, 0]\n    rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] }\n"
    "    frames: { end: { point: [1, 0, 0] } }\n"
    "joints:\n"
    "  A: { revolute: { a: base, b: one, axis: [0, 0, 1] }, coordinate: a }\n"
    "  B: { revolute: { a: one.end, b: two, axis: [0, 0, 1] } }\n"
    "  C: { revolute: { a: two.end, b: base.C, axis: [0, 0, 1] } }\n"
    "springs: { s: { a: base.B, b: one.end, stiffness: [1, 1, 1] } }\n";

// Two rods in line between two hinges give way to first order and hold at second; springs count
// for nothing.
static void rods_in_line_give_way_but_do_not_move(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_position at;
  mw_mobility o = { 0 };
  mw_motion motion;
  mw_motion_opt opt = { .lo = -1.0, .hi = 1.0 };
  bool good = mw_fixture_text(SHAKY, &f);
  MW_CHECK(good);
  if (!good) return;
  if (MW_OKAY(mw_position_find(&f.mech, NULL, NULL, &mem, &at, &err)) &&
      MW_OKAY(mw_mobility_find(&f.mech, &at, NULL, &mem, &o, &err))) {
    MW_CHECK(o.gruebler == -3 && o.mobility == 1 && o.finite == 0 && o.n_row == 15);
    MW_CHECK(o.kind == MW_MOBILITY_INFINITESIMAL && o.bend > 0.1);
  }
  unsigned char held[1] = { 1 };
  MW_FAILS(mw_motion_follow(&f.mech, &at, held, &opt, &mem, &motion, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "found 0 freedoms") != NULL);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// A slider that is to be pushed farther than crank and rod of 0.3 m and 0.8 m are long: every
// method ends before 1.1 m, and says what the slider may do.
static void a_run_names_the_dead_point_it_comes_to(void)
{
  static const char text[] =
      "modeway: 1\nname: slider-crank\nbodies:\n"
      "  crank: { axes: { x: [0, 1, 0], y: [-1, 0, 0] }, rigid: { mass: 1, inertia: [0.1, 0.1, "
      "0.1, 0, 0, 0] }, frames: { end: { point: [0.3, 0, 0] } } }\n"
      "  rod: { at: [0, 0.3, 0], axes: { x: [0.7416198487095663, -0.3, 0], y: [0.3, "
      "0.7416198487095663, 0] }, rigid: { mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0] }, frames: { "
      "end: { point: [0.8, 0, 0] } } }\n"
      "  slider: { at: [0.7416198487095663, 0, 0], rigid: { mass: 1, inertia: [0.1, 0.1, 0.1, 0, "
      "0, 0] } }\n"
      "joints:\n"
      "  A: { revolute: { a: ground, b: crank, axis: [0, 0, 1] } }\n"
      "  B: { revolute: { a: crank.end, b: rod, axis: [0, 0, 1] } }\n"
      "  C: { revolute: { a: rod.end, b: slider, axis: [0, 0, 1] } }\n"
      "  D: { prismatic: { a: ground, b: slider, axis: [1, 0, 0] }, coordinate: x, "
      "start: 0.7416198487095663, drive: f }\n"
      "scenarios:\n  push: { duration: 1, step: 1e-3, store: 1e-2, drives: { f: { position: { "
      "cycloid: { from: 0.7416198487095663, to: 1.2, end: 1 } } } } }\n";
  static const mw_method method[] = { MW_METHOD_CVODE,    MW_METHOD_IDA,    MW_METHOD_RK4,
                                      MW_METHOD_LEAPFROG, MW_METHOD_ALPHA,  MW_METHOD_MIDPOINT,
                                      MW_METHOD_DOPRI5,   MW_METHOD_DOP853, MW_METHOD_ADAMS,
                                      MW_METHOD_RADAU };
  mw_fixture f;
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  for (size_t i = 0; i < sizeof method / sizeof *method; i++) {
    mw_run r = { 0 };
    mw_rigid_run_opt opt = mw_rigid_run_opt_default(&f.model.scenario[0]);
    opt.rigid.method = method[i];
    MW_FAILS(mw_rigid_run(&f.mech, &f.model.scenario[0], &opt, NULL, &r, &err), MW_ERR_NUMERIC);
    MW_CHECK(strstr(err.msg, "x has a dead point at 1.1, it can drive from 0.5 to 1.1 m") != NULL);
    mw_run_free(&r);
  }
  mw_run r = { 0 };
  const mw_dae_opt full = mw_dae_opt_default();
  MW_FAILS(mw_dae_run(&f.mech, &f.model.scenario[0], "full", &full, NULL, &r, &err),
           MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "x has a dead point at 1.1, it can drive from 0.5 to 1.1 m") != NULL);
  mw_run_free(&r);
  mw_fixture_free(&f);
}

// Two four-bars side by side with cranks of r = 1 and couplers of L = 3 m, all in one line: three
// infinitesimal freedoms, and each coupler keeps its length to second order by φ' = φ or by
// φ' (r − L) = φ (r + L), φ' = −2 φ: four motions cross.
static void each_of_two_flat_loops_goes_on_in_two_ways(void)
{
  static const char text[] =
      "modeway: 1\nname: flat loops\nbodies:\n"
      "  a: { at: [0, 0, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] },\n"
      "    frames: { end: { point: [1, 0, 0] } } }\n"
      "  b: { at: [3, 0, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] },\n"
      "    frames: { end: { point: [1, 0, 0] } } }\n"
      "  c: { at: [6, 0, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] },\n"
      "    frames: { end: { point: [1, 0, 0] } } }\n"
      "  u: { at: [1, 0, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] },\n"
      "    frames: { end: { point: [3, 0, 0] } } }\n"
      "  v: { at: [4, 0, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] },\n"
      "    frames: { end: { point: [3, 0, 0] } } }\n"
      "  ground_b: { ground: true, at: [3, 0, 0] }\n"
      "  ground_c: { ground: true, at: [6, 0, 0] }\n"
      "joints:\n"
      "  A: { revolute: { a: ground, b: a, axis: [0, 0, 1] }, coordinate: fa }\n"
      "  B: { revolute: { a: ground_b, b: b, axis: [0, 0, 1] }, coordinate: fb }\n"
      "  C: { revolute: { a: ground_c, b: c, axis: [0, 0, 1] }, coordinate: fc }\n"
      "  AU: { revolute: { a: a.end, b: u, axis: [0, 0, 1] } }\n"
      "  UB: { revolute: { a: u.end, b: b.end, axis: [0, 0, 1] } }\n"
      "  BV: { revolute: { a: b.end, b: v, axis: [0, 0, 1] } }\n"
      "  VC: { revolute: { a: v.end, b: c.end, axis: [0, 0, 1] } }\n";
  static const double way[4][3] = { { 1, 1, 1 }, { 1, 1, -2 }, { 1, -2, -2 }, { 1, -2, 4 } };
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_position at;
  mw_mobility o;
  mw_error err = { 0 };
  if (MW_CHECK(mw_fixture_text(text, &f)) &&
      MW_OKAY(mw_position_find(&f.mech, NULL, NULL, &mem, &at, &err)) &&
      MW_OKAY(mw_mobility_find(&f.mech, &at, NULL, &mem, &o, &err))) {
    MW_CHECK(o.mobility == 3 && o.finite == 1 && o.kind == MW_MOBILITY_BIFURCATION);
    MW_CHECK(o.n_tangent == 4);
    for (int w = 0; w < 4; w++) {
      double best = INFINITY;
      for (int t = 0; t < o.n_tangent; t++) {
        const double *x = o.tangent + t * f.mech.n_coord;
        double off = 0.0;
        for (int c = 0; c < 3; c++) off = fmax(off, fabs(x[c] / x[0] - way[w][c]));
        best = fmin(best, off);
      }
      // forms vanish to 1e-14 of their size (BEND squared), their slopes are not small
      MW_NEAR(best, 0.0, 1e-12);
    }
  }
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// Crank and rod in one line: x stands still there, wherever the crank goes. A motion along x sets
// out beside it and finds both dead points; a run that prescribes x from there says so.
static void what_starts_at_a_dead_point_is_told(void)
{
  static const char text[] =
      "modeway: 1\nname: slider-crank\nbodies:\n"
      "  crank: { rigid: { mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0] },\n"
      "    frames: { end: { point: [0.3, 0, 0] } } }\n"
      "  rod: { at: [0.3, 0, 0], rigid: { mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0] },\n"
      "    frames: { end: { point: [0.8, 0, 0] } } }\n"
      "  slider: { at: [1.1, 0, 0], rigid: { mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0] } }\n"
      "joints:\n"
      "  A: { revolute: { a: ground, b: crank, axis: [0, 0, 1] }, coordinate: phi }\n"
      "  B: { revolute: { a: crank.end, b: rod, axis: [0, 0, 1] } }\n"
      "  C: { revolute: { a: rod.end, b: slider, axis: [0, 0, 1] } }\n"
      "  D: { prismatic: { a: ground, b: slider, axis: [1, 0, 0] }, coordinate: x, start: 1.1,\n"
      "       drive: f }\n"
      "scenarios:\n  pull: { duration: 0.5, step: 1e-3, store: 1e-2, initial: undeformed,\n"
      "    drives: { f: { position: { cycloid: { from: 1.1, to: 0.8, end: 0.5 } } } } }\n";
  static const mw_method method[] = { MW_METHOD_AUTO, MW_METHOD_CVODE, MW_METHOD_RK4,
                                      MW_METHOD_ALPHA };
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_position at;
  mw_motion o;
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  const mw_motion_opt along = { .coord = mw_mech_coord(&f.mech, "x"), .lo = -9.0, .hi = 9.0 };
  if (MW_OKAY(mw_position_find(&f.mech, NULL, NULL, &mem, &at, &err)) &&
      MW_OKAY(mw_motion_follow(&f.mech, &at, NULL, &along, &mem, &o, &err))) {
    MW_CHECK(o.closed && o.lo_dead && o.hi_dead);
    // gaps are closed to 1e-13 m, and x stands still where it is off by them
    MW_NEAR(o.lo, 0.5, 1e-13);
    MW_NEAR(o.hi, 1.1, 1e-13);
  }
  for (size_t i = 0; i < sizeof method / sizeof *method; i++) {
    mw_run r = { 0 };
    mw_rigid_run_opt opt = mw_rigid_run_opt_default(&f.model.scenario[0]);
    opt.rigid.method = method[i];
    MW_FAILS(mw_rigid_run(&f.mech, &f.model.scenario[0], &opt, NULL, &r, &err), MW_ERR_NUMERIC);
    MW_CHECK(strstr(err.msg, "x has a dead point at 1.1, it can drive from 0.5 to 1.1 m") != NULL);
    mw_run_free(&r);
  }
  mw_run r = { 0 };
  const mw_dae_opt full = mw_dae_opt_default();
  MW_FAILS(mw_dae_run(&f.mech, &f.model.scenario[0], "full", &full, NULL, &r, &err),
           MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "x has a dead point at 1.1, it can drive from 0.5 to 1.1 m") != NULL);
  mw_run_free(&r);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// Sarrus' linkage: two pairs of links, at right angles, lift a plate. Stretched to one line the
// middle hinges give way either to the same or to opposite sides, two motions; folded flat each
// pair may turn about its own axis while the plate rests, three freedoms.
static void a_plate_on_two_pairs_of_links_is_singular_flat_and_stretched(void)
{
  static const char text[] =
      "modeway: 1\nname: sarrus\nbodies:\n"
      "  base: { ground: true, frames: { a: { point: [1, 0, 0] }, b: { point: [0, 1, 0] } } }\n"
      "  l1: { at: [1, 0, 0], axes: { x: [1, 0, 1], y: [0, 1, 0] }, rigid: { mass: 1, inertia: [1, "
      "1, 1, 0, 0, 0] }, frames: { e: { point: [0.7071067811865476, 0, 0] } } }\n"
      "  l2: { at: [1.5, 0, 0.5], axes: { x: [-1, 0, 1], y: [0, 1, 0] }, rigid: { mass: 1, "
      "inertia: [1, 1, 1, 0, 0, 0] }, frames: { e: { point: [0.7071067811865476, 0, 0] } } }\n"
      "  m1: { at: [0, 1, 0], axes: { x: [0, 1, 1], y: [1, 0, 0] }, rigid: { mass: 1, inertia: [1, "
      "1, 1, 0, 0, 0] }, frames: { e: { point: [0.7071067811865476, 0, 0] } } }\n"
      "  m2: { at: [0, 1.5, 0.5], axes: { x: [0, -1, 1], y: [1, 0, 0] }, rigid: { mass: 1, "
      "inertia: [1, 1, 1, 0, 0, 0] }, frames: { e: { point: [0.7071067811865476, 0, 0] } } }\n"
      "  plate: { at: [0, 0, 1], rigid: { mass: 3, inertia: [1, 1, 1, 0, 0, 0] }, frames: { a: { "
      "point: [1, 0, 0] }, b: { point: [0, 1, 0] } } }\n"
      "joints:\n"
      "  A1: { revolute: { a: base.a, b: l1, axis: [0, 1, 0] }, coordinate: q }\n"
      "  A2: { revolute: { a: l1.e, b: l2, axis: [0, 1, 0] } }\n"
      "  A3: { revolute: { a: l2.e, b: plate.a, axis: [0, 1, 0] } }\n"
      "  B1: { revolute: { a: base.b, b: m1, axis: [1, 0, 0] }, coordinate: p }\n"
      "  B2: { revolute: { a: m1.e, b: m2, axis: [0, 1, 0] } }\n"
      "  B3: { revolute: { a: m2.e, b: plate.b, axis: [0, 1, 0] } }\n";
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_position at;
  mw_mobility o;
  mw_motion motion;
  mw_error err = { 0 };
  const mw_motion_opt opt = { .coord = 0, .lo = -1.0, .hi = 3.0 };
  if (MW_CHECK(mw_fixture_text(text, &f)) &&
      MW_OKAY(mw_position_find(&f.mech, NULL, NULL, &mem, &at, &err)) &&
      MW_OKAY(mw_mobility_find(&f.mech, &at, NULL, &mem, &o, &err)) &&
      MW_OKAY(mw_motion_follow(&f.mech, &at, NULL, &opt, &mem, &motion, &err))) {
    int flat = 0, stretched = 0;
    MW_CHECK(o.gruebler == 0 && o.mobility == 1 && o.finite == 1);
    for (int i = 0; i < motion.n_singular; i++) {
      const mw_singular *x = &motion.singular[i];
      if (x->kind != MW_SINGULAR_BIFURCATION) continue;
      bool upright = fabs(sin(x->s[0] - 0.75 * PI)) < 0.1;
      MW_CHECK(x->freedoms == (upright ? 2 : 3));
      MW_CHECK(x->n_tangent == (upright ? 2 : 0));
      // plate down by q²/√2 and p²/√2: p' = ±q'
      for (int k = 0; k < x->n_tangent; k++)
        MW_WITHIN(fabs(x->tangent[2 * k + 1]), fabs(x->tangent[2 * k]), CROSSING,
                  "what crossings are located to");
      if (x->n_tangent == 2)
        MW_CHECK(x->tangent[0] * x->tangent[1] * x->tangent[2] * x->tangent[3] < 0.0);
      stretched += upright;
      flat += !upright;
    }
    MW_CHECK(stretched == 2 && flat == 1);
  }
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

static const mw_test_case cases[] = {
  { "a_plate_on_two_pairs_of_links_is_singular_flat_and_stretched",
    a_plate_on_two_pairs_of_links_is_singular_flat_and_stretched },
  { "each_of_two_flat_loops_goes_on_in_two_ways", each_of_two_flat_loops_goes_on_in_two_ways },
  { "what_starts_at_a_dead_point_is_told", what_starts_at_a_dead_point_is_told },
  { "a_run_names_the_dead_point_it_comes_to", a_run_names_the_dead_point_it_comes_to },
  { "linkages_move_that_counting_denies", linkages_move_that_counting_denies },
  { "every_joint_of_a_plane_loop_holds_three_rows_too_many",
    every_joint_of_a_plane_loop_holds_three_rows_too_many },
  { "bennetts_linkage_keeps_its_closed_form", bennetts_linkage_keeps_its_closed_form },
  { "a_rocker_locks_where_crank_and_coupler_are_in_line",
    a_rocker_locks_where_crank_and_coupler_are_in_line },
  { "an_input_that_cannot_turn_is_usable_between_its_dead_points",
    an_input_that_cannot_turn_is_usable_between_its_dead_points },
  { "a_flat_parallelogram_goes_on_straight_or_crossed",
    a_flat_parallelogram_goes_on_straight_or_crossed },
  { "a_crank_passes_close_by_a_flat_position_on_its_own_motion",
    a_crank_passes_close_by_a_flat_position_on_its_own_motion },
  { "a_dead_point_at_a_sharp_turn_is_met_once", a_dead_point_at_a_sharp_turn_is_met_once },
  { "rods_in_line_give_way_but_do_not_move", rods_in_line_give_way_but_do_not_move },
};

int main(void) { return mw_test_run("mobility", cases, (int)(sizeof cases / sizeof *cases)); }
