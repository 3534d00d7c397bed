// SPDX-License-Identifier: BSD-3-Clause
// test_elastic_reach.c: bounds of deflections along a path and motions within them, against closed
// forms of a load on springs and of a cantilever on an axis.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/elastic_reach.h"

static const double PI = 3.14159265358979323846;

typedef struct rig {
  mw_fixture f;
  mw_rom_file rom;
  mw_arena mem;
  mw_tool_path path;
  mw_drive_limits limits;
  double lo[2], hi[2], speed[2], theta[2];
} rig;

// Drives of 1e3 N; the path begins near theta.
static bool open_rig(const char *text, const char *path, double theta, rig *r)
{
  mw_error err = { 0 };
  memset(r, 0, sizeof *r);
  for (int i = 0; i < 2; i++) {
    r->hi[i] = 1e3;
    r->lo[i] = -1e3;
    r->speed[i] = INFINITY;
    r->theta[i] = theta;
  }
  r->limits = (mw_drive_limits){ r->lo, r->hi, r->speed, NULL };
  return MW_CHECK(mw_fixture_text(text, &r->f)) &&
         MW_OKAY(mw_reduce(&r->f.model, &r->f.mech, NULL, &r->rom, &err)) &&
         MW_OKAY(mw_tool_path_read(&r->f.mech, path, NULL, &r->mem, &r->path, &err));
}

static void close_rig(rig *r)
{
  mw_arena_free(&r->mem);
  mw_rom_file_free(&r->rom);
  mw_fixture_free(&r->f);
}

static bool along(rig *r, int n, const double *p, double most, bool moving, mw_elastic_path *o)
{
  static const int output[1] = { 0 };
  mw_error err = { 0 };
  return MW_OKAY(mw_elastic_path_find(&r->f.mech, &r->rom, &r->path, r->theta, &r->limits, 1,
                                      output, n, p, &r->mem, o, &err)) &&
         MW_OKAY(mw_elastic_path_bound(o, &r->limits, &most, moving, &r->mem, &err));
}

// A carriage of 3 kg carries a load of 2 kg on a spring: ω = 100/s
static const double MASS = 2.0, K = 2e4, OMEGA = 100.0;
#define LOAD(gravity) LOAD_WITH(gravity, "")
#define LOAD_WITH(gravity, way)                                                                    \
  "modeway: 1\nname: load on a spring\ngravity: [" gravity ", 0, 0]\nbodies:\n"                    \
  "  carriage: { rigid: { mass: 3, inertia: [1, 1, 1, 0, 0, 0] } }\n"                              \
  "  load: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\njoints:\n"                         \
  "  way: { prismatic: { a: ground, b: carriage, axis: [1, 0, 0] }, coordinate: x, drive: f" way   \
  " }\n"                                                                                           \
  "  top: { prismatic: { a: carriage, b: load, axis: [1, 0, 0] } }\n"                              \
  "springs: { s: { a: carriage, b: load, stiffness: [2e4, 0, 0] } }\n"                             \
  "outputs: { tool: { body: load } }\n"                                                            \
  "reduction: { coordinates: { x: { range: [-1, 2], points: 9 } }, modes: { count: 1 },\n"         \
  "  certificate: { points: 1, samples: 4 } }\n"

static const char *const ACROSS =
    "modeway: 1\nname: load across the way\ngravity: [0, 0, -4]\nbodies:\n"
    "  carriage: { rigid: { mass: 3, inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "  load: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\njoints:\n"
    "  way: { prismatic: { a: ground, b: carriage, axis: [1, 0, 0] }, coordinate: x, drive: f }\n"
    "  top: { prismatic: { a: carriage, b: load, axis: [0, 0, 1] } }\n"
    "springs: { s: { a: carriage, b: load, stiffness: [0, 0, 2e4] } }\n"
    "outputs: { tool: { body: load } }\n"
    "reduction: { coordinates: { x: { range: [-1, 2], points: 9 } }, modes: { count: 1 },\n"
    "  certificate: { points: 1, samples: 4 } }\n";

// A carriage that rubs with 8 N, there and back: 5 (4 m/s²) ± 8 N of its drive at rest, and a load
// that hangs as it does without friction.
static void friction_of_a_carriage_is_felt_by_its_drive_alone(void)
{
  static const double p[3] = { 0.0, 0.5, 1.0 }, RUBS = 8.0, G = 4.0;
  static const char *const path[2] = { "x=0.2+0.5*t", "x=0.7-0.5*t" };
  for (int back = 0; back < 2; back++) {
    rig r;
    mw_elastic_path o;
    if (open_rig(LOAD_WITH("-4", ", drive_friction: { coulomb: 8 }"), path[back], back ? 0.7 : 0.2,
                 &r) &&
        along(&r, 3, p, 1e-3, false, &o)) {
      MW_CHECK(o.d.dry);
      // splines of a table of nine points, a basis of two motions and their stiffness
      double tol = mw_test_rounding(64.0, 5.0 * G + RUBS);
      for (int i = 0; i < 3; i++) {
        MW_NEAR(o.d.c[i], 5.0 * G + (back ? -RUBS : RUBS), tol);
        // hangs by its weight as without friction
        MW_NEAR(o.c[3 * i], -MASS * G / K, mw_test_rounding(64.0, MASS * G / K));
      }
    }
    close_rig(&r);
  }
}

// A motion across the spring's line: the load hangs by its weight at any speed and acceleration.
// Derivatives of splines leave 1e-13 of what it hangs by.
static void a_motion_that_deflects_nothing_has_no_largest_speed(void)
{
  static const double p[3] = { 0.0, 0.3, 1.0 }, most = 1e-3;
  rig r;
  mw_elastic_path o;
  mw_regions regions;
  mw_error err = { 0 };
  if (open_rig(ACROSS, "x=0.2+0.5*t", 0.2, &r) && along(&r, 3, p, most, false, &o)) {
    for (int i = 0; i < 3; i++) {
      MW_NEAR(o.c[3 * i + 2], -MASS * 4.0 / K, mw_test_rounding(64.0, MASS * 4.0 / K));
      o.b[3 * i + 2] = 1e-13 * o.c[3 * i + 2];
    }
    if (MW_OKAY(mw_elastic_path_bound(&o, &r.limits, &most, false, &r.mem, &err)) &&
        MW_OKAY(mw_regions_find(&o.d, &r.limits, &r.mem, &regions, &err)))
      for (int i = 0; i < 3; i++) MW_CHECK(isinf(regions.fastest[i]));
  }
  close_rig(&r);
}

static void friction_that_falls_and_stops_are_refused(void)
{
  static const char *const way[2] = { ", drive_friction: { coulomb: 8, static: 10 }",
                                      ", stops: { range: [-0.9, 1.9], stiffness: 1e6 }" };
  static const double p[2] = { 0.0, 1.0 };
  static const int output[1] = { 0 };
  for (int i = 0; i < 2; i++) {
    char text[2048];
    rig r;
    mw_elastic_path o;
    mw_error err = { 0 };
    snprintf(text, sizeof text, LOAD_WITH("-4", "%s"), way[i]);
    if (open_rig(text, "x=0.2+0.5*t", 0.2, &r)) {
      MW_FAILS(mw_elastic_path_find(&r.f.mech, &r.rom, &r.path, r.theta, &r.limits, 1, output, 2, p,
                                    &r.mem, &o, &err),
               MW_ERR_INPUT);
      MW_CHECK(strstr(err.msg, i ? "s:x has stops" : "s:x has friction that falls") != NULL);
    }
    close_rig(&r);
  }
}

// m (p̈ X' − g)/k within the bound; forces (3 + 2)(p̈ X' − g) within F.
static void a_load_on_a_spring_lags_by_its_mass(void)
{
  static const double p[3] = { 0.0, 0.5, 1.0 }, X1 = 0.5, BOUND = 1e-3, G = 4.0;
  rig r;
  mw_elastic_path o;
  mw_regions with, alone;
  mw_error err = { 0 };
  double a = BOUND * K / MASS;
  if (open_rig(LOAD("-4"), "x=0.2+0.5*t", 0.2, &r))
    for (int moving = 0; moving < 2; moving++) {
      if (!along(&r, 3, p, BOUND, moving, &o) ||
          !MW_OKAY(mw_regions_find(&o.d, &r.limits, &r.mem, &with, &err)))
        continue;
      o.d.n_bound = 0;
      if (!MW_OKAY(mw_regions_find(&o.d, &r.limits, &r.mem, &alone, &err))) continue;
      double rest = moving ? 0.0 : G;
      for (int i = 0; i < 3; i++) {
        // splines of a table of nine points, a basis of two motions and their stiffness
        double tol = mw_test_rounding(64.0, 1e3 / 5.0 / X1);
        MW_NEAR(with.rest[2 * i], (-a - rest) / X1, tol);
        MW_NEAR(with.rest[2 * i + 1], (a - rest) / X1, tol);
        MW_NEAR(alone.rest[2 * i], (-1e3 / 5.0 - G) / X1, 5.0 * tol);
        MW_NEAR(alone.rest[2 * i + 1], (1e3 / 5.0 - G) / X1, 5.0 * tol);
        MW_NEAR(o.hz[i], OMEGA / (2.0 * PI), mw_test_rounding(64.0, OMEGA));
      }
    }
  close_rig(&r);
}

// The fastest way over L with accelerations ± A, A/ω² = bound, jumps A, −2 A, A at 0, t₁ = √(L/A),
// 2 t₁. Each, risen over T, lets an undamped mode swing by |sin(ωT/2)/(ωT/2)| of A/ω²; together
//   4 A/ω² sin²(ωt₁/2) |sin(ωT/2)/(ωT/2)|                                                   (1)
static void what_swings_afterwards_is_as_of_one_mode(void)
{
  enum { N = 400 };
  static const double RISE[4] = { 0.0, 0.5, 1.0, 2.0 }, BOUND = 1e-3, L = 0.5;
  double p[2 * N + 1], A = BOUND * OMEGA * OMEGA, t1 = sqrt(L / A);
  rig r;
  mw_elastic_path o;
  mw_traversal t;
  mw_error err = { 0 };
  mw_traversal_points(N, p);
  if (open_rig(LOAD("0"), "x=0.2+0.5*t", 0.2, &r) && along(&r, 2 * N + 1, p, BOUND, false, &o) &&
      MW_OKAY(mw_traversal_find(&o.d, &r.limits, &r.mem, &t, &err))) {
    // the sum of N intervals, each to rounding of speeds
    MW_NEAR(t.duration, 2.0 * t1, mw_test_rounding(64.0 * N, 2.0 * t1));
    for (int i = 0; i < 4; i++) {
      mw_elastic_move e;
      double T = RISE[i] * 2.0 * PI / OMEGA, y = 0.5 * OMEGA * T,
             part = y > 0.0 ? fabs(sin(y) / y) : 1.0, swing = pow(sin(0.5 * OMEGA * t1), 2);
      if (!MW_OKAY(mw_elastic_move_run(&r.f.model, &r.f.mech, &r.rom, &o, &t, RISE[i], false,
                                       &r.mem, &e, &err)))
        continue;
      double wh = OMEGA * e.step, unit = A / (OMEGA * OMEGA);
      // steps h by the mid-point rule: ω errs by (ωh)²/12 of it, over ωt₁ and over ωT/2 (which
      // |sin y/y| takes no more of); jumps are spread over h by splines and by what follows them,
      // each (ωh)²/24; the largest of instants is less by (ωh)²/8
      double tol =
          unit * wh * wh * (2.0 * OMEGA * t1 / 12.0 + 4.0 * (1.0 / 12.0 + 2.0 / 24.0 + 1.0 / 8.0));
      printf("rise of %g periods: swings by %.3e m, (1) %.3e m\n", RISE[i], e.residual[0],
             4.0 * unit * swing * part);
      MW_NEAR(e.residual[0], 4.0 * unit * swing * part, tol);
      MW_NEAR(e.still[0], BOUND, mw_test_rounding(64.0 * N, BOUND));
      MW_NEAR(e.duration, 2.0 * t1 + T, mw_test_rounding(64.0 * N, 2.0 * t1 + T));
      // risen over whole periods it never leaves what it has without swinging
      if (i >= 2) MW_NEAR(e.largest[0], BOUND, tol);
    }
  }
  close_rig(&r);
}

// A mast on a carriage, a mass at its tip: y = p̈ X' (m L³/3EI + ρA L⁴/8EI), and as much as the
// forces at its base let.
static void a_mast_on_an_axis_bends_by_its_tip_mass(void)
{
  static const char text[] =
      "modeway: 1\nname: mast\ngravity: [0, 0, 0]\n"
      "materials: { alu: { E: 70e9, nu: 0.3, rho: 2700 } }\n"
      "sections: { bar: { general: { A: 1e-4, Iy: 1e-9, Iz: 4e-9, It: 2e-9 }, shear: false,\n"
      "  rotary: false } }\nbodies:\n"
      "  carriage: { rigid: { mass: 3, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  mast:\n    beams:\n      points: { a: [0, 0, 0], b: [0, 0, 0.5] }\n"
      "      members:\n"
      "      - { from: a, to: b, section: bar, material: alu, elements: 4, up: [1, 0, 0] }\n"
      "    frames: { foot: { node: a }, tip: { node: b } }\n"
      "  head: { at: [0, 0, 0.5], rigid: { mass: 0.3, inertia: [1e-5, 1e-5, 1e-5, 0, 0, 0] } }\n"
      "joints:\n"
      "  way: { prismatic: { a: ground, b: carriage, axis: [1, 0, 0] }, coordinate: x, drive: f }\n"
      "  foot: { fixed: { a: carriage, b: mast.foot } }\n"
      "  top: { fixed: { a: mast.tip, b: head } }\n"
      "outputs: { tip: { frame: mast.tip } }\n"
      "reduction: { coordinates: { x: { range: [-1, 2], points: 5, max_acceleration: 50 } },\n"
      "  modes: { count: 3 }, certificate: { points: 1, samples: 4 } }\n";
  static const double p[2] = { 0.0, 1.0 }, X1 = 0.5, BOUND = 1e-4, L = 0.5, EI = 70.0, LINE = 0.27;
  double one = 0.3 * L * L * L / (3.0 * EI) + LINE * pow(L, 4) / (8.0 * EI);  // m a unit of m/s²
  rig r;
  mw_elastic_path o;
  mw_regions with;
  mw_error err = { 0 };
  if (open_rig(text, "x=0.2+0.5*t", 0.2, &r) && along(&r, 2, p, BOUND, false, &o) &&
      MW_OKAY(mw_regions_find(&o.d, &r.limits, &r.mem, &with, &err)))
    for (int i = 0; i < 2; i++) {
      // a stiffness of four elements has a condition of 1e4
      MW_NEAR(o.a[3 * i], -one * X1, 1e4 * DBL_EPSILON * one);
      MW_NEAR(with.rest[2 * i + 1], BOUND / (one * X1), 1e4 * DBL_EPSILON * BOUND / (one * X1));
    }
  close_rig(&r);
}

// A load held by springs k_x, k_y on two slides, round a circle: corners of the region lie on
// (m ẍ/k_x)² + (m ÿ/k_y)² = bound², those at rest within cos π/64 of it.
static void a_circle_is_bounded_from_within(void)
{
  static const char text[] =
      "modeway: 1\nname: circle\ngravity: [0, 0, 0]\nbodies:\n"
      "  sledge: { rigid: { mass: 3, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  table: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  load: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\njoints:\n"
      "  X: { prismatic: { a: ground, b: sledge, axis: [1, 0, 0] }, coordinate: x, drive: fx }\n"
      "  Y: { prismatic: { a: sledge, b: table, axis: [0, 1, 0] }, coordinate: y, drive: fy }\n"
      "springs: { s: { a: table, b: load, stiffness: [2e4, 5e4, 1e5, 1e5, 1e5, 1e5] } }\n"
      "outputs: { tool: { body: load } }\n"
      "reduction: { coordinates: { x: { range: [-1, 2], points: 5 }, y: { range: [-1, 2], points: "
      "5 } },\n  modes: { count: 3 }, certificate: { points: 1, samples: 4 } }\n";
  static const double p[3] = { 0.07, 0.31, 0.8 }, R = 0.3, KX = 2e4, KY = 5e4, BOUND = 1e-4;
  rig r;
  mw_elastic_path o;
  mw_regions with;
  mw_error err = { 0 };
  int on = 0;
  if (open_rig(text, "x=0.5+0.3*cos(2*pi*t),y=0.5+0.3*sin(2*pi*t)", 0.5, &r) &&
      along(&r, 3, p, BOUND, false, &o) &&
      MW_OKAY(mw_regions_find(&o.d, &r.limits, &r.mem, &with, &err)))
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < with.n_vertex[i]; k++) {
        const double *v = with.vertex + ((size_t)i * (size_t)with.most + (size_t)k) * 2;
        double w = 2.0 * PI, c = cos(w * p[i]), s = sin(w * p[i]),
               ax = R * w * (-s * v[1] - w * c * v[0]), ay = R * w * (c * v[1] - w * s * v[0]),
               y = hypot(MASS * ax / KX, MASS * ay / KY);
        bool corner = v[0] > 1e-6;
        // of terms of the size of the bound, which meet at a 64th of a turn
        double tol = 64.0 * mw_test_rounding(64.0, BOUND);
        on += corner;
        if (corner) MW_NEAR(y, BOUND, tol);
        if (!corner) MW_CHECK(y <= BOUND + tol && y >= BOUND * cos(PI / 64.0) - tol);
      }
  MW_CHECK(on > 60);
  close_rig(&r);
}

static const mw_test_case cases[] = {
  { "a_motion_that_deflects_nothing_has_no_largest_speed",
    a_motion_that_deflects_nothing_has_no_largest_speed },
  { "a_load_on_a_spring_lags_by_its_mass", a_load_on_a_spring_lags_by_its_mass },
  { "friction_of_a_carriage_is_felt_by_its_drive_alone",
    friction_of_a_carriage_is_felt_by_its_drive_alone },
  { "friction_that_falls_and_stops_are_refused", friction_that_falls_and_stops_are_refused },
  { "what_swings_afterwards_is_as_of_one_mode", what_swings_afterwards_is_as_of_one_mode },
  { "a_mast_on_an_axis_bends_by_its_tip_mass", a_mast_on_an_axis_bends_by_its_tip_mass },
  { "a_circle_is_bounded_from_within", a_circle_is_bounded_from_within },
};

int main(void) { return mw_test_run("elastic reach", cases, (int)(sizeof cases / sizeof *cases)); }
