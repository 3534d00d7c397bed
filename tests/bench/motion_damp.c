// SPDX-License-Identifier: BSD-3-Clause
// motion_damp.c: dissipation of what moves: a mass on a damped beam, a carriage on springs and
// dampers.
//
// Moving mass (units EI = ρA = L = 1): N sine modes φ_n = √2 sin nπx of the beam with damping c_n =
// α + β ω_n², w upward,
//   q̈ = −ω² q − c q̇ − N φ ,  N = m (g + Σ φ q̈ + 2 v φ'q̇ + v² φ''q)                          (1)
// solved for N, integrated by Runge-Kutta. References are linear: gravity is a hundredth of theirs,
// so that what is of second order in the deflection (1e-2 of the length at g = 1, 2e-3 of the peak)
// is not seen.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "motion.h"
#include "motion_math.h"

enum { MODES = 20 };

static const double SMALL = 0.01;  // of gravity

typedef struct crossing {
  double mass, g, v, alpha, beta;
} crossing;

static void crossing_rate(double t, const double *y, double *dy, const void *arg)
{
  const crossing *c = arg;
  double x = c->v * t, num = c->g, den = 1.0, phi[MODES], pi = acos(-1.0);
  for (int n = 0; n < MODES; n++) {
    double k = (n + 1) * pi, w2 = k * k * k * k, s = sqrt(2.0);
    phi[n] = s * sin(k * x);
    dy[n] = y[MODES + n];
    dy[MODES + n] = -w2 * y[n] - (c->alpha + c->beta * w2) * y[MODES + n];
    num += phi[n] * dy[MODES + n] + 2.0 * c->v * s * k * cos(k * x) * y[MODES + n] -
           c->v * c->v * k * k * phi[n] * y[n];
    den += c->mass * phi[n] * phi[n];
  }
  for (int n = 0; n < MODES; n++) dy[MODES + n] -= c->mass * num / den * phi[n];
}

// Mid-span at n instants `store` apart.
static void crossing_run(const crossing *c, int n, double store, double *w)
{
  double y[2 * MODES] = { 0 }, work[12 * MODES], pi = acos(-1.0);
  double top = pow(MODES * pi, 4.0), rate = c->alpha + c->beta * top;
  // explicit: 2 on the real axis, 2 on the imaginary one
  int per = (int)ceil(store * fmax(rate, sqrt(top)) / 1.5) * 2;
  for (int i = 0; i < n; i++) {
    w[i] = 0.0;
    for (int k = 0; k < MODES; k++) w[i] += sqrt(2.0) * sin((k + 1) * pi / 2.0) * y[k];
    for (int k = 0; k < per; k++)
      motion_rk4(crossing_rate, c, i * store + k * store / per, store / per, 2 * MODES, y, work);
  }
}

// Largest difference of output 0 along z, from where it starts, over the peak of the reference.
static double off(const mw_run *run, int out, int n, const double *w)
{
  double e = 0.0, peak = 0.0, z0 = run->y[out * 3 + 2];
  if (run->n_t < n) return NAN;
  for (int i = 0; i < n; i++) {
    double d = fabs(run->y[(i * run->n_out + out) * 3 + 2] - z0 - w[i]);
    peak = fmax(peak, fabs(w[i]));
    if (!(d <= e)) e = d;
  }
  return e / peak;
}

// alpha or beta for a ratio of damping of the first mode, ω1 = π².
static bool crosses(int *missed, double zeta, bool stiffness)
{
  const double w1 = acos(-1.0) * acos(-1.0);
  crossing c = { .mass = 0.5, .g = SMALL, .v = 0.5 * acos(-1.0) };
  char text[128];
  c.alpha = stiffness ? 0.0 : 2.0 * zeta * w1;
  c.beta = stiffness ? 2.0 * zeta / w1 : 0.0;
  snprintf(text, sizeof text, "\ndamping: { alpha: %.17g, beta: %.17g }\nmaterials:", c.alpha,
           c.beta);
  motion_swap swap[] = { { "\nmaterials:", text },
                         { "gravity: [0, 0, -1]", "gravity: [0, 0, -0.01]" },
                         { "strain: linear", "strain: nonlinear" },
                         { NULL, NULL } };
  motion m;
  bool good = motion_case("beam-carriage", swap, &m) && motion_reduce(&m);
  const mw_scenario *sc = good ? motion_scenario(&m, "half") : NULL;
  int n = sc ? (int)lround(sc->duration / sc->store) + 1 : 0;
  double *w = calloc((size_t)n + 1, sizeof *w);
  if (sc && w) crossing_run(&c, n, sc->store, w);
  for (int p = 0; sc && w && p < 2; p++) {
    mw_run run;
    bool ran = motion_run(&m, sc, p ? "gmp" : "full", &run);
    motion_row(missed, ran ? off(&run, 0, n, w) : NAN, 1e-3,
               "  mass at half the critical speed, %g %% by %s, %s", 100.0 * zeta,
               stiffness ? "beta" : "alpha", p ? "reduced" : "full");
    mw_run_free(&run);
  }
  free(w);
  motion_close(&m);
  return sc != NULL;
}

bool motion_damping(int *missed)
{
  bool good = true;
  for (int k = 0; k < 4; k++) good = crosses(missed, k < 2 ? 0.01 : 0.05, k % 2 == 1) && good;
  return good;
}

// ---- sprung carriage ----------------------------------------------------------------------------

// The beam of cases/beam-carriage.yaml under the carriage of R10: mass on a spring and damper, and
// an unsprung one under it.
static bool sprung(motion *m, double mass, double unsprung, double v)
{
  double w = 0.5 * acos(-1.0) * acos(-1.0), k = mass * w * w, c = 2.0 * 0.05 * mass * w;
  char carriage[1024], joints[512];
  if (unsprung > 0.0) {
    snprintf(
        carriage, sizeof carriage,
        "  axle: { at: [0.2, 0, 0], rigid: { mass: %.17g, inertia: [1e-5, 1e-5, 1e-5, 0, 0, 0] } "
        "}\n"
        "  box: { at: [0.2, 0, 0], rigid: { mass: %.17g, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] } }\n"
        "springs: { leg: { a: axle, b: box, stiffness: [1e6, 1e6, %.17g, 1e4, 1e4, 1e4],\n"
        "                  damping: [0, 0, %.17g, 0, 0, 0] } }\n",
        unsprung, mass, k, c);
    snprintf(joints, sizeof joints, "guide: beam.rail, on: axle, orientation: fixed");
  } else {
    snprintf(
        carriage, sizeof carriage,
        "  box: { at: [0.2, 0, 0], rigid: { mass: %.17g, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] } "
        "}\n",
        mass);
    snprintf(joints, sizeof joints,
             "guide: beam.rail, on: box, orientation: fixed,\n"
             "                  runners: [{ stiffness: [%.17g, rigid], damping: [%.17g, 0] }]",
             k, c);
  }
  return motion_text(
      m,
      "modeway: 1\ngravity: [0, 0, -0.01]\nmaterials: { unit: { E: 1e8, nu: 0.3, rho: 1 } }\n"
      "sections: { line: { general: { A: 1, Iy: 1e-8, Iz: 1, It: 1 }, shear: false, rotary: false "
      "} }\n"
      "bodies:\n"
      "  beam:\n"
      "    ground: true\n"
      "    gravity: false\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], m: [0.5, 0, 0], b: [1, 0, 0] }\n"
      "      members: [{ from: a, to: m, section: line, material: unit, elements: 32 },\n"
      "                { from: m, to: b, section: line, material: unit, elements: 32 }]\n"
      "    supports: [{ nodes: a, dofs: [x, y, z, rx] }, { nodes: b, dofs: [y, z] }]\n"
      "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
      "    frames: { mid: { node: m } }\n%s"
      "joints: { x: { slide: { %s }, drive: motor } }\n"
      "outputs: { mid: { frame: beam.mid }, box: { body: box } }\n"
      "reduction: { coordinates: { x: { range: [0, 1], points: 33 } }, modes: { count: 5 } }\n"
      "scenarios:\n"
      "  cross: { duration: %.17g, step: %.17g, store: %.17g, start: { x: { at: 0, velocity: "
      "%.17g } },\n"
      "           drives: { motor: { position: { ramp: { from: 0, velocity: %.17g } } } } }\n",
      carriage, joints, 1.0 / v, 5e-4 / v, 0.025 / v, v, v);
}

static bool sprung_case(int *missed, const char *file, double alpha, double mass, double unsprung)
{
  enum { PATHS = 2 };
  motion_table *t = malloc(sizeof *t);
  motion m;
  const char *output[2] = { "middle of the beam", "sprung mass" };
  bool good = t && motion_read(file, t) && sprung(&m, mass, unsprung, alpha * acos(-1.0));
  bool reduced = good && motion_reduce(&m);
  const mw_scenario *sc = reduced ? motion_scenario(&m, "cross") : NULL;
  double *w = calloc(MOTION_ROWS, sizeof *w);
  for (int p = 0; sc && w && p < PATHS; p++) {
    mw_run run;
    bool ran = motion_run(&m, sc, p ? "gmp" : "full", &run);
    for (int o = 0; o < 2; o++) {
      for (int i = 0; i < t->n; i++) w[i] = -SMALL * t->v[i][2 + o];
      motion_row(missed, ran ? off(&run, o, t->n, w) : NAN, 1e-3,
                 "  R10: mass %g, unsprung %g, %g of the critical speed: %s, %s", mass, unsprung,
                 alpha, output[o], p ? "reduced" : "full");
    }
    mw_run_free(&run);
  }
  free(w);
  if (good) motion_close(&m);
  free(t);
  return sc != NULL;
}

bool motion_sprung(int *missed)
{
  bool good = sprung_case(missed, "R10_sprung_alpha0.5_mu0.5_un0_N80.csv", 0.5, 0.5, 0.0);
  good = sprung_case(missed, "R10_sprung_alpha0.5_mu0.5_un0.05_N80.csv", 0.5, 0.5, 0.05) && good;
  return sprung_case(missed, "R10_sprung_alpha0.1_mu0.1_un0_N80.csv", 0.1, 0.1, 0.0) && good;
}
