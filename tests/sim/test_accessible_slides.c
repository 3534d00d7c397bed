// SPDX-License-Identifier: BSD-3-Clause
// test_accessible_slides.c: accessible dynamics of slides, whose limits of force and power have
// closed forms.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "sim/accessible.h"

static const double PI = 3.14159265358979323846;

// A slide of 2 kg goes 3 m by a force F and a power P both ways. From rest by F up to v₁ = P/F,
// then by P, v³ = v₁³ + 3 P (s − s₁)/m up to the middle in m (v² − v₁²)/2P; back in the same time.
static bool open_slide(int n, double gravity, mw_fixture *f, mw_arena *mem, mw_path_dynamics *d)
{
  static const char form[] =
      "modeway: 1\nname: slide\ngravity: [0, 0, %g]\nbodies:\n"
      "  b: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\njoints:\n"
      "  A: { prismatic: { a: ground, b: b, axis: [0, 0, 1] }, coordinate: z, drive: f }\n"
      "outputs: { t: { body: b } }\n";
  char text[sizeof form + 32];
  mw_position at;
  mw_tool_path path;
  mw_error err = { 0 };
  snprintf(text, sizeof text, form, gravity);
  double *p = mw_arena_f64(mem, 2 * (size_t)n + 1);
  mw_traversal_points(n, p);
  return MW_CHECK(mw_fixture_text(text, f)) &&
         MW_OKAY(mw_position_find(&f->mech, NULL, NULL, mem, &at, &err)) &&
         MW_OKAY(mw_tool_path_read(&f->mech, "z=3*t", NULL, mem, &path, &err)) &&
         MW_OKAY(mw_path_dynamics_find(&f->mech, &at, &path, 2 * n + 1, p, mem, d, &err));
}

// Two slides carry a point round an arc, x = R cos φ, z = R sin φ, masses m_x and m_z, powers P_x
// and P_z:
//   |m_x R² ω sin φ (cos φ ω² + sin φ α)| ≤ P_x ,  |m_z R² ω cos φ (cos φ α − sin φ ω²)| ≤ P_z
// leave some α as long as
//   ω³ R² (tan φ + cot φ) ≤ P_x/(m_x sin² φ) + P_z/(m_z cos² φ)
static void power_limits_speeds_along_an_arc(void)
{
  static const char text[] =
      "modeway: 1\nname: two slides\ngravity: [0, 0, 0]\nbodies:\n"
      "  x: { at: [0.5, 0, 0], rigid: { mass: 4, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  y: { at: [0.5, 0, 0], rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\njoints:\n"
      "  A: { prismatic: { a: ground, b: x, axis: [1, 0, 0] }, coordinate: x, drive: fx }\n"
      "  B: { prismatic: { a: x, b: y, axis: [0, 0, 1] }, coordinate: z, drive: fz }\n"
      "outputs: { t: { body: y } }\n";
  static const double R = 0.5, MX = 6.0, MZ = 2.0, PX = 60.0, PZ = 90.0;
  static double lo[2] = { -1e6, -1e6 }, hi[2] = { 1e6, 1e6 }, none[2] = { INFINITY, INFINITY },
                power[2] = { 60.0, 90.0 };
  static const double p[4] = { 0.0, 0.2, 0.5, 1.0 };
  const mw_drive_limits limits = { lo, hi, none, power };
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_position at;
  mw_tool_path path;
  mw_path_dynamics d;
  mw_regions o;
  mw_error err = { 0 };
  if (MW_CHECK(mw_fixture_text(text, &f)) &&
      MW_OKAY(mw_position_find(&f.mech, NULL, NULL, &mem, &at, &err)) &&
      MW_OKAY(mw_tool_path_read(&f.mech, "x=0.5*cos(0.3+t),z=0.5*sin(0.3+t)", NULL, &mem, &path,
                                &err)) &&
      MW_OKAY(mw_path_dynamics_find(&f.mech, &at, &path, 4, p, &mem, &d, &err)) &&
      MW_OKAY(mw_regions_find(&d, &limits, &mem, &o, &err)))
    for (int i = 0; i < 4; i++) {
      double c = cos(0.3 + p[i]), s = sin(0.3 + p[i]);
      double w = cbrt((PX / (MX * s * s) + PZ / (MZ * c * c)) / (R * R * (s / c + c / s)));
      // positions are closed to 1e-13, halved to rounding
      MW_NEAR(o.fastest[i], w, 1e-13 * w);
    }
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

static void power_limits_the_fastest_traversal(void)
{
  static const double M = 2.0, L = 3.0, F = 50.0, P = 60.0;
  static double lo[1] = { -50.0 }, hi[1] = { 50.0 }, none[1] = { INFINITY }, power[1] = { 60.0 };
  const mw_drive_limits limits = { lo, hi, none, power };
  double v1 = P / F, s1 = M * v1 * v1 / (2.0 * F);
  double v2 = cbrt(v1 * v1 * v1 + 3.0 * P * (0.5 * L - s1) / M);
  double T = 2.0 * (M * v1 / F + M * (v2 * v2 - v1 * v1) / (2.0 * P));
  for (int n = 200; n <= 800; n *= 2) {
    mw_fixture f;
    mw_arena mem = { 0 };
    mw_path_dynamics d;
    mw_traversal t;
    mw_error err = { 0 };
    if (open_slide(n, 0.0, &f, &mem, &d) &&
        MW_OKAY(mw_traversal_find(&d, &limits, &mem, &t, &err))) {
      printf("%d intervals, %d sweeps: %.9f s, off by %.2e\n", n, t.sweeps, t.duration,
             t.duration / T - 1.0);
      // second order, and three intervals, π/2n of the path at most, in which the force jumps or
      // bends: each is off by its width squared
      MW_NEAR(t.duration / T - 1.0, 0.0, 3.0 * PI * PI / (4.0 * n * n));
      for (int i = 0; i + 1 < t.n; i++) {
        double x = 0.5 * (t.rate[i] * t.rate[i] + t.rate[i + 1] * t.rate[i + 1]);
        MW_CHECK(fabs(t.force[i]) * L * sqrt(x) <= P * (1.0 + 1e-9));
        MW_CHECK(fabs(t.force[i]) <= F * (1.0 + 1e-9));
      }
    }
    mw_arena_free(&mem);
    mw_fixture_free(&f);
  }
}

// Up 3 m under the weight W = 12 N, whose power at 1 1/s is twice P: P keeps up P/W = 1.5 m/s. From
// v to w by a power P under W: t = m∫v dv/(P − W v), s = m∫v² dv/(P − W v), braking −P and −dv; by
// F below P/F. v where braking begins is had by halving.
static double climb(double P, double W, double v, double w, double *s)
{
  static const double M = 2.0;
  double u = P / W, ln = log((P - W * w) / (P - W * v));
  *s = -M / W * (0.5 * (w * w - v * v) + u * (w - v) + u * u * ln);
  return -M / W * (w - v + u * ln);
}

static double climb_and_stop(double F, double P, double W, double L)
{
  static const double M = 2.0;
  double v1 = P / F, lo = v1, hi = P / W, t = 0.0, up, down;
  for (int k = 0; k < 200; k++) {
    double v = 0.5 * (lo + hi);
    t = climb(P, W, v1, v, &up) + M * v1 / (F - W);
    t += climb(-P, W, v, v1, &down) + M * v1 / (F + W);
    up += 0.5 * M * v1 * v1 * (1.0 / (F - W) + 1.0 / (F + W));
    *(up + down < L ? &lo : &hi) = v;
  }
  return t;
}

static void a_slide_climbs_by_less_power_than_its_first_guess_takes(void)
{
  static const double L = 3.0, F = 50.0, P = 18.0, W = 12.0;
  static double lo[1] = { -50.0 }, hi[1] = { 50.0 }, none[1] = { INFINITY }, power[1] = { 18.0 };
  const mw_drive_limits limits = { lo, hi, none, power };
  double T = climb_and_stop(F, P, W, L);
  for (int n = 200; n <= 800; n *= 2) {
    mw_fixture f;
    mw_arena mem = { 0 };
    mw_path_dynamics d;
    mw_traversal t;
    mw_error err = { 0 };
    if (open_slide(n, -6.0, &f, &mem, &d) &&
        MW_OKAY(mw_traversal_find(&d, &limits, &mem, &t, &err))) {
      printf("%d intervals, %d sweeps: %.9f s, off by %.2e\n", n, t.sweeps, t.duration,
             t.duration / T - 1.0);
      // as without weight: three intervals in which the force jumps or bends
      MW_NEAR(t.duration / T - 1.0, 0.0, 3.0 * PI * PI / (4.0 * n * n));
    }
    mw_arena_free(&mem);
    mw_fixture_free(&f);
  }
}

// A slide of 2 kg under 12 N of weight goes up 3 m by 10 N at most: it slows down by 1 m/s² and
// reaches the end from √(2/3) 1/s on.
static void a_drive_weaker_than_the_weight_cannot_start_from_rest(void)
{
  static double lo[1] = { -10.0 }, hi[1] = { 10.0 }, none[1] = { INFINITY };
  const mw_drive_limits limits = { lo, hi, none, NULL };
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_path_dynamics d;
  mw_traversal t;
  mw_error err = { 0 };
  if (open_slide(50, -6.0, &f, &mem, &d)) {
    MW_CHECK(mw_traversal_find(&d, &limits, &mem, &t, &err) == MW_ERR_NUMERIC);
    MW_CHECK(strstr(err.msg, "cannot start from rest") && strstr(err.msg, " 0.816 1/s"));
  }
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// Two slides along a straight line: no speed asks for a force, and p̈ is from −2.31/0.3 to 10/0.6
// 1/s² at any. From rest to rest √(2/a⁺ + 2/a⁻) s.
static void a_straight_line_of_slides_limits_no_speed(void)
{
  static const char text[] =
      "modeway: 1\nname: two slides\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  x: { rigid: { mass: 4, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  y: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\njoints:\n"
      "  A: { prismatic: { a: ground, b: x, axis: [1, 0, 0] }, coordinate: x, drive: fx }\n"
      "  B: { prismatic: { a: x, b: y, axis: [0, 0, 1] }, coordinate: z, drive: fz }\n"
      "outputs: { t: { body: y } }\n";
  static double lo[2] = { -60.0, 15.0 }, hi[2] = { 60.0, 40.0 }, fast[2] = { INFINITY, INFINITY };
  static const double p[3] = { 0.0, 0.3, 1.0 };
  const mw_drive_limits limits = { lo, hi, fast, NULL };
  const double most = 60.0 / (6.0 * 0.6), least = (15.0 - 2.0 * 9.81) / (2.0 * 0.3);
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_position at;
  mw_tool_path path;
  mw_path_dynamics d;
  mw_regions o;
  mw_error err = { 0 };
  if (MW_CHECK(mw_fixture_text(text, &f)) &&
      MW_OKAY(mw_position_find(&f.mech, NULL, NULL, &mem, &at, &err)) &&
      MW_OKAY(mw_tool_path_read(&f.mech, "x=0.6*t,z=0.3*t", NULL, &mem, &path, &err)) &&
      MW_OKAY(mw_path_dynamics_find(&f.mech, &at, &path, 3, p, &mem, &d, &err)) &&
      MW_OKAY(mw_regions_find(&d, &limits, &mem, &o, &err)))
    for (int i = 0; i < 3; i++) {
      MW_CHECK(isinf(o.fastest[i]) && o.n_vertex[i] == -1);
      MW_NEAR(o.rest[2 * i], least, 16.0 * DBL_EPSILON * 20.0 / 0.6);  // weights of 20 N cancel
      MW_NEAR(o.rest[2 * i + 1], most, 16.0 * DBL_EPSILON * most);
    }
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// A slide of 2 kg that rubs with R = 8 N goes 3 m by F = 50 N: from rest by (F − R)/m, to rest by
// (F + R)/m, √(2 L (1/a⁺ + 1/a⁻)) s. A second slide across it rubs and stands: it is not felt.
static void dry_friction_of_a_slide_slows_its_start_and_helps_it_stop(void)
{
  static const char text[] =
      "modeway: 1\nname: slides\ngravity: [0, 0, 0]\nbodies:\n"
      "  x: { rigid: { mass: 1.5, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  y: { rigid: { mass: 0.5, inertia: [1, 1, 1, 0, 0, 0] } }\njoints:\n"
      "  A: { prismatic: { a: ground, b: x, axis: [1, 0, 0] }, coordinate: x, drive: fx,\n"
      "       drive_friction: { coulomb: 8 } }\n"
      "  B: { prismatic: { a: x, b: y, axis: [0, 0, 1] }, coordinate: z, drive: fz,\n"
      "       drive_friction: { coulomb: 100 } }\n"
      "outputs: { t: { body: y } }\n";
  static const double L = 3.0, UP = (50.0 - 8.0) / 2.0, DOWN = (50.0 + 8.0) / 2.0;
  static double lo[2] = { -50.0, -1.0 }, hi[2] = { 50.0, 1.0 }, none[2] = { INFINITY, INFINITY };
  const mw_drive_limits limits = { lo, hi, none, NULL };
  enum { N = 400 };
  double p[2 * N + 1], T = sqrt(2.0 * L * (1.0 / UP + 1.0 / DOWN));
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_position at;
  mw_tool_path path;
  mw_path_dynamics d;
  mw_regions o;
  mw_traversal t;
  mw_error err = { 0 };
  mw_traversal_points(N, p);
  if (MW_CHECK(mw_fixture_text(text, &f)) &&
      MW_OKAY(mw_position_find(&f.mech, NULL, NULL, &mem, &at, &err)) &&
      MW_OKAY(mw_tool_path_read(&f.mech, "x=3*t,z=0", NULL, &mem, &path, &err)) &&
      MW_OKAY(mw_path_dynamics_find(&f.mech, &at, &path, 2 * N + 1, p, &mem, &d, &err)) &&
      MW_OKAY(mw_regions_find(&d, &limits, &mem, &o, &err)) &&
      MW_OKAY(mw_traversal_find(&d, &limits, &mem, &t, &err))) {
    MW_CHECK(d.dry);
    for (int i = 0; i < d.n; i += N / 8) {
      MW_NEAR(o.rest[2 * i], -DOWN / L, 16.0 * DBL_EPSILON * DOWN);
      MW_NEAR(o.rest[2 * i + 1], UP / L, 16.0 * DBL_EPSILON * DOWN);
    }
    // one interval, π/2n of the path at most, in which the force jumps
    MW_NEAR(t.duration / T - 1.0, 0.0, PI * PI / (4.0 * N * N));
  }
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

static const mw_test_case cases[] = {
  { "dry_friction_of_a_slide_slows_its_start_and_helps_it_stop",
    dry_friction_of_a_slide_slows_its_start_and_helps_it_stop },
  { "power_limits_speeds_along_an_arc", power_limits_speeds_along_an_arc },
  { "a_slide_climbs_by_less_power_than_its_first_guess_takes",
    a_slide_climbs_by_less_power_than_its_first_guess_takes },
  { "power_limits_the_fastest_traversal", power_limits_the_fastest_traversal },
  { "a_drive_weaker_than_the_weight_cannot_start_from_rest",
    a_drive_weaker_than_the_weight_cannot_start_from_rest },
  { "a_straight_line_of_slides_limits_no_speed", a_straight_line_of_slides_limits_no_speed },
};

int main(void)
{
  return mw_test_run("accessible dynamics of slides", cases, (int)(sizeof cases / sizeof *cases));
}
