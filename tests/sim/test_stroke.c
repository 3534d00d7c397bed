// SPDX-License-Identifier: BSD-3-Clause
// test_stroke.c: springs whose stiffness varies with a coordinate: the law alone, its force along
// the coordinate by all methods, a ball screw's frequencies and its move over the stroke.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cubic.h"
#include "fem/control.h"
#include "fem/stroke.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

// ---- the law alone ------------------------------------------------------------------------------

enum { POINTS = 5 };

static mw_stroke stroke_of(double *s, double *c, double *c2, double *work)
{
  mw_cubic_bend(POINTS, s, c, false, c2, work);
  return (mw_stroke){ .n = POINTS, .s = s, .c = c, .c2 = c2 };
}

// The slope by a central difference: truncation e²/6 of the third derivative, some hundred here;
// rounding eps/e. At a point of the spline, where curvature bends, and at its ends, where it jumps,
// e times that.
static void slope_is_that_of_the_root(void)
{
  static const double E = 1e-5;
  double s[POINTS] = { -1.0, -0.4, 0.1, 0.3, 1.0 }, c[POINTS] = { 0.3, 0.9, 1.4, 1.2, 2.0 };
  double c2[POINTS], work[POINTS], slope;
  mw_stroke k = stroke_of(s, c, c2, work);
  for (double x = -2.0; x < 2.0; x += 0.0137) {
    double root = mw_stroke_eval(&k, x, &slope);
    double by = (mw_stroke_eval(&k, x + E, NULL) - mw_stroke_eval(&k, x - E, NULL)) / (2.0 * E);
    MW_CHECK(root > 0.0);
    MW_NEAR(slope, by, 100.0 * E * E + 4.0 * DBL_EPSILON * root / E + 10.0 * E * (root > 1.5));
  }
  for (int i = 0; i < POINTS; i++)
    MW_NEAR(pow(mw_stroke_eval(&k, s[i], NULL), -2.0), c[i], 8.0 * DBL_EPSILON * c[i]);
}

// Springs in series of which one is a rod: their compliance is linear.
static void a_rod_in_series_is_exact(void)
{
  double s[POINTS] = { 0.0, 0.3, 0.35, 0.8, 1.0 }, c[POINTS], c2[POINTS], work[POINTS];
  for (int i = 0; i < POINTS; i++) c[i] = 0.4 + 0.9 * s[i];
  mw_stroke k = stroke_of(s, c, c2, work);
  for (double x = 0.0; x <= 1.0; x += 0.01)
    MW_NEAR(mw_stroke_eval(&k, x, NULL), 1.0 / sqrt(0.4 + 0.9 * x), 32.0 * DBL_EPSILON);
}

// ---- the force along the coordinate -------------------------------------------------------------

static const char SLEDS[] =
    "modeway: 1\n"
    "bodies:\n"
    "  a: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "  b: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "joints:\n"
    "  a: { prismatic: { a: ground, b: a, axis: [1, 0, 0] }, coordinate: x }\n"
    "  b: { prismatic: { a: ground, b: b, axis: [1, 0, 0] }, coordinate: y }\n"
    "springs:\n"
    "  s: { a: a, b: b, stiffness: [400, 0, 0], over: { coordinate: x, at: [-0.5, 0, 0.5],\n"
    "       factor: [0.4, 1, 3] } }\n"
    "scenarios:\n"
    "  go: { duration: 1, step: 1e-4, store: 0.05, initial: undeformed,\n"
    "        start: { x: { at: 0, velocity: 0.4 }, y: 0.2 } }\n";

// x, y, ẋ, ẏ:  2 ẍ = k f (y − x) − ½ k f' (y − x)² ,  ÿ = −k f (y − x)
static void sleds(const mw_stroke *k, const double z[4], double dz[4])
{
  double slope, root = mw_stroke_eval(k, z[0], &slope), g = z[1] - z[0];
  dz[0] = z[2];
  dz[1] = z[3];
  dz[2] = 0.5 * 400.0 * (root * root * g - root * slope * g * g);
  dz[3] = -400.0 * root * root * g;
}

typedef void ode(const mw_stroke *k, double t, const double z[4], double dz[4]);

static void sleds_at(const mw_stroke *k, double t, const double z[4], double dz[4])
{
  (void)t;
  sleds(k, z, dz);
}

// Runge-Kutta 4, n steps from t to t + h
static void integrate(ode *f, const mw_stroke *k, double t, double h, int n, double z[4])
{
  double e = h / n, d[4][4], y[4];
  for (int step = 0; step < n; step++, t += e) {
    for (int j = 0; j < 4; j++) {
      double part = j == 0 ? 0.0 : j == 3 ? e : 0.5 * e;
      for (int i = 0; i < 4; i++) y[i] = z[i] + (j > 0 ? part * d[j - 1][i] : 0.0);
      f(k, t + part, y, d[j]);
    }
    for (int i = 0; i < 4; i++)
      z[i] += e / 6.0 * (d[0][i] + 2.0 * d[1][i] + 2.0 * d[2][i] + d[3][i]);
  }
}

// Steps of h err by (ωh)²/12 of the phase, six times that for the method of path full and alpha;
// ω ≤ 42 1/s (factor 3) for 1 s, of 0.2 m. Without the force along x sleds are off by 10 mm.
static void springs_pull_along_their_stroke(void)
{
  static const mw_method METHODS[] = { MW_METHOD_CVODE,  MW_METHOD_IDA,      MW_METHOD_RK4,
                                       MW_METHOD_ALPHA,  MW_METHOD_MIDPOINT, MW_METHOD_LEAPFROG,
                                       MW_METHOD_DOPRI5, MW_METHOD_DOP853,   MW_METHOD_ADAMS,
                                       MW_METHOD_RADAU };
  enum { N_METHOD = sizeof METHODS / sizeof *METHODS };
  const double bound = 0.2 * 42.0 * pow(42.0 * 1e-4, 2.0) / 2.0;
  mw_fixture f = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(SLEDS, &f))) return;
  const mw_scenario *sc = &f.model.scenario[0];
  const mw_stroke *k = &f.model.joint[2].stroke;
  for (int i = 0; i <= N_METHOD; i++) {
    mw_run r = { 0 };
    mw_rigid_run_opt opt = mw_rigid_run_opt_default(sc);
    mw_dae_opt full = mw_dae_opt_default();
    if (i < N_METHOD) opt.rigid.method = METHODS[i];
    if (!MW_OKAY(i < N_METHOD ? mw_rigid_run(&f.mech, sc, &opt, NULL, &r, &err)
                              : mw_dae_run(&f.mech, sc, "full", &full, NULL, &r, &err)))
      break;
    double z[4] = { 0.0, 0.2, 0.4, 0.0 }, off = 0.0;
    for (int n = 0; n < r.n_t; n++) {
      off = fmax(off, fmax(fabs(r.s[2 * n] - z[0]), fabs(r.s[2 * n + 1] - z[1])));
      integrate(sleds_at, k, 0.0, 0.05, 2000, z);
    }
    printf("method %d: off by %.2e m, energy %.2e\n", i, off, r.energy_drift);
    MW_NEAR(off, 0.0, bound);
    MW_NEAR(r.energy_drift, 0.0, bound / 0.2);
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

// ---- R25: a ball screw over its stroke ----------------------------------------------------------

static const double MASS = 120.0, SCREW = 1.4796901398407924e-4, DAMPER = 5077.630586684645;
static const double YOUNG = 210e9, SHEAR = 81e9, DIAMETER = 0.02, LEAD = 0.01;

static double axial_at(double s)
{
  double A = acos(-1.0) * DIAMETER * DIAMETER / 4.0;
  return 1.0 / (1.0 / 3e8 + 1.0 / 4e8 + s / (YOUNG * A));
}

static double twist_at(double s)
{
  double Ip = acos(-1.0) * pow(DIAMETER, 4.0) / 32.0;
  return 1.0 / (1.0 / 4000.0 + s / (SHEAR * Ip));
}

// both in series, at the nut
static double series_at(double s)
{
  double r = LEAD / (2.0 * acos(-1.0));
  return 1.0 / (1.0 / axial_at(s) + r * r / twist_at(s));
}

// Screw with its inertia and a thrust bearing; a millionth of the table's mass it has none of.
static const char SCREWED[] =
    "modeway: 1\n"
    "bodies:\n"
    "  motor: { rigid: { mass: 1, inertia: [0.0012, 1e-3, 1e-3, 0, 0, 0] } }\n"
    "  screw: { rigid: { mass: 1e-6, inertia: [1.4796901398407924e-4, 1e-3, 1e-3, 0, 0, 0] } }\n"
    "  table: { rigid: { mass: 120, inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "joints:\n"
    "  motor: { revolute: { a: ground, b: motor, axis: [1, 0, 0] }, coordinate: phi, drive: m }\n"
    "  bearing: { cylindrical: { a: ground, b: screw, axis: [1, 0, 0] } }\n"
    "  nut: { screw: { a: screw, b: table, axis: [1, 0, 0], pitch: -0.01 } }\n"
    "  ways: { prismatic: { a: ground, b: table, axis: [1, 0, 0] }, coordinate: x }\n"
    "springs:\n"
    "  coupling: { a: motor, b: screw, stiffness: [0, 0, 0, %.17g, 0, 0],\n"
    "    over: { coordinate: x, at: [0.1, 1.1], factor: [%.17g, %.17g] } }\n"
    "  thrust: { a: ground, b: screw, stiffness: [%.17g, 0, 0],\n"
    "    over: { coordinate: x, at: [0.1, 1.1], factor: [%.17g, %.17g] } }\n"
    "outputs: { table: { body: table } }\n"
    "reduction: { coordinates: { phi: [60, 700] }, modes: { count: 2 } }\n";

// Motor locked: Js φ'' = −(k_t + r² k_a) φ + r k_a x ,  m x'' = r k_a φ − k_a x. The screw's own
// mass is 1e-8 of the table's.
static void frequencies_are_those_of_the_stroke(void)
{
  char text[3000];
  double two_pi = 2.0 * acos(-1.0), r = LEAD / two_pi;
  snprintf(text, sizeof text, SCREWED, twist_at(0.6), twist_at(0.1) / twist_at(0.6),
           twist_at(1.1) / twist_at(0.6), axial_at(0.6), axial_at(0.1) / axial_at(0.6),
           axial_at(1.1) / axial_at(0.6));
  mw_fixture f = { 0 };
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  for (double s = 0.1; s < 1.11; s += 0.05) {
    mw_error err = { 0 };
    mw_arena mem = { 0 };
    double phi = s / r, *hz, *shape, ka = axial_at(s), kt = twist_at(s);
    double a = (kt + r * r * ka) / SCREW, b = ka / MASS, c2 = r * r * ka * ka / (SCREW * MASS);
    double mean = 0.5 * (a + b), root = sqrt(0.25 * (a - b) * (a - b) + c2);
    if (MW_OKAY(mw_direct_modes(&f.mech, &phi, 2, 0, &mem, &hz, &shape, NULL, &err))) {
      MW_NEAR(two_pi * hz[0], sqrt((a * b - c2) / (mean + root)), 1e-7 * two_pi * hz[0]);
      MW_NEAR(two_pi * hz[1], sqrt(mean + root), 1e-7 * two_pi * hz[1]);
      // 160.2038775790 Hz: another program's
      if (s < 0.11) MW_NEAR(hz[0], 160.2038775790, 1e-7 * 160.0);
    }
    mw_arena_free(&mem);
  }
  mw_fixture_free(&f);
}

static const char MOVED[] =
    "modeway: 1\n"
    "bodies:\n"
    "  motor: { rigid: { mass: 1, inertia: [0.0012, 1e-3, 1e-3, 0, 0, 0] } }\n"
    "  nut: { rigid: { mass: 1e-6, inertia: [1e-6, 1e-6, 1e-6, 0, 0, 0] } }\n"
    "  table: { rigid: { mass: 120, inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "joints:\n"
    "  motor: { revolute: { a: ground, b: motor, axis: [1, 0, 0] }, coordinate: phi, drive: m }\n"
    "  screw: { screw: { a: motor, b: nut, axis: [1, 0, 0], pitch: -0.01 } }\n"
    "  nut: { prismatic: { a: ground, b: nut, axis: [1, 0, 0] }, coordinate: s }\n"
    "  ways: { prismatic: { a: ground, b: table, axis: [1, 0, 0] }, coordinate: x }\n"
    "springs:\n"
    "  axial: { a: nut, b: table, stiffness: [%.17g, 0, 0],\n"
    "    over: { coordinate: s, at: [0.1, 1.1], factor: [%.17g, %.17g] } }\n"
    "  oil: { a: nut, b: table, damping: [5077.630586684645, 0, 0] }\n"
    "outputs: { table: { body: table } }\n"
    "reduction: { coordinates: { phi: { range: [120, 580], points: 9, refine: 8 } },\n"
    "  modes: { count: 1 }, certificate: { points: 1, samples: 4 } }\n"
    "scenarios:\n"
    "  go: { duration: 0.4, step: 1e-4, store: 1e-3, drives: { m: { position: { cycloid:\n"
    "    { from: %.17g, to: %.17g, end: 0.35 } } } } }\n";

// z = y, ẏ:  m (ÿ + s̈) = −k(s(t)) y − c ẏ
static void driven(const mw_stroke *k, double t, const double z[4], double dz[4])
{
  const mw_signal g = { .kind = MW_SIGNAL_CYCLOID, .a = 0.2, .b = 0.7, .t0 = 0.0, .t1 = 0.35 };
  double s, v, a;
  (void)k;
  mw_signal_eval(&g, t, &s, &v, &a);
  memset(dz, 0, 4 * sizeof *dz);
  dz[0] = z[1];
  dz[1] = -a - (series_at(s) * z[0] + DAMPER * z[1]) / MASS;
}

// Steps of 1e-4 s: (ωh)²/12 = 6e-4 of what swings at 850 1/s, a quarter of the peak; the adaptive
// path by its tolerance of 1e-8 of a travel of 0.7 m a step, 1e-4 of the peak of 90 µm.
static void move_is_the_closed_form(void)
{
  char text[3000];
  double two_pi = 2.0 * acos(-1.0), r = LEAD / two_pi;
  snprintf(text, sizeof text, MOVED, series_at(0.6), series_at(0.1) / series_at(0.6),
           series_at(1.1) / series_at(0.6), 0.2 / r, 0.9 / r);
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(text, &f)) ||
      !MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
    return;
  const mw_scenario *sc = &f.model.scenario[0];
  const mw_signal *g = &sc->action[0].signal;
  for (int path = 0; path < 3; path++) {
    mw_run q = { 0 };
    mw_dae_opt opt = mw_dae_opt_default();
    mw_code rc = path == 0   ? mw_dae_run(&f.mech, sc, "full", &opt, NULL, &q, &err)
                 : path == 1 ? mw_rigid_run(&f.mech, sc, NULL, NULL, &q, &err)
                             : mw_rom_run(&f.model, &f.mech, &rom, sc, NULL, NULL, &q, &err);
    if (!MW_OKAY(rc)) break;
    double z[4] = { 0.0 }, off = 0.0, peak = 0.0, phi;
    for (int n = 0; n < q.n_t; n++) {
      mw_signal_eval(g, q.t[n], &phi, NULL, NULL);
      off = fmax(off, fabs(q.y[3 * n] - r * phi - z[0]));
      peak = fmax(peak, fabs(z[0]));
      integrate(driven, NULL, q.t[n], 1e-3, 100, z);
    }
    printf("path %d: off by %.2e of the peak of %.4e m\n", path, off / peak, peak);
    MW_NEAR(off / peak, 0.0, 5e-4);
    if (path == 0)
      MW_WITHIN(peak, 9.008136109244488e-05, 1e-6 * peak,
                "what another program's steps may err by");  // another program's
    mw_run_free(&q);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A spring that coordinates of the reduction stretch, and that varies: named, at its `over`.
static void stretched_springs_that_vary_are_refused(void)
{
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  char text[2000];
  snprintf(text, sizeof text, "%soutputs: { o: { body: a } }\n%s", SLEDS,
           "reduction: { coordinates: { x: [-0.4, 0.4], y: [-0.4, 0.4] }, modes: { count: 1 } }\n");
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  MW_FAILS(mw_reduce(&f.model, &f.mech, NULL, &rom, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "spring s varies over a coordinate") != NULL && err.line == 9);
  mw_fixture_free(&f);
}

// cases/ball-screw.yaml, sampled at 10 kHz: two integrators within 1e-4 of the step of 1 mm, whose
// loop swings at most at 800 1/s: (ωh)²/12 = 5e-4 of what swings.
static void stage_of_the_cases_settles(void)
{
  mw_fixture f = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_file(MW_CASES_DIR "/ball-screw.yaml", &f))) return;
  for (int k = 0; k < f.model.n_scenario; k++) {
    const mw_scenario *sc = &f.model.scenario[k];
    mw_run r[2] = { { 0 }, { 0 } };
    mw_dae_opt opt = mw_dae_opt_default();
    if (strcmp(sc->name, "step") != 0) continue;
    MW_CHECK(sc->control_period == 1e-4);
    if (MW_OKAY(mw_dae_run(&f.mech, sc, "full", &opt, NULL, &r[0], &err)) &&
        MW_OKAY(mw_rigid_run(&f.mech, sc, NULL, NULL, &r[1], &err))) {
      double off = 0.0, from = r[1].y[0], to = r[1].y[3 * (r[1].n_t - 1)];
      for (int n = 0; n < r[0].n_t; n++) off = fmax(off, fabs(r[0].y[3 * n] - r[1].y[3 * n]));
      MW_NEAR(off, 0.0, 5e-4 * 1e-3);
      MW_NEAR(to - from, 1e-3, 0.1 * 1e-3);  // after 0.1 s of a loop of 60 1/s: e^-6 is left
    }
    mw_run_free(&r[0]);
    mw_run_free(&r[1]);
  }
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "slope_is_that_of_the_root", slope_is_that_of_the_root },
    { "a_rod_in_series_is_exact", a_rod_in_series_is_exact },
    { "springs_pull_along_their_stroke", springs_pull_along_their_stroke },
    { "frequencies_are_those_of_the_stroke", frequencies_are_those_of_the_stroke },
    { "move_is_the_closed_form", move_is_the_closed_form },
    { "stretched_springs_that_vary_are_refused", stretched_springs_that_vary_are_refused },
    { "stage_of_the_cases_settles", stage_of_the_cases_settles },
  };
  return mw_test_run("stroke", cases, (int)(sizeof cases / sizeof *cases));
}
