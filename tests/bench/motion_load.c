// SPDX-License-Identifier: BSD-3-Clause
// motion_load.c: beams whose own weight, carried weight, axial force or axial acceleration enters
// the stiffness.
//
// Column: EI w'''' + (P w')' = ω² ρA w ,  P = g (m + ρA (L − x)), clamped at the foot; at the tip
//   EI w'' = 0 ,  EI w''' + P w' = −m ω² w                                                      (1)
// integrated by Runge-Kutta from the foot, zeros of the determinant.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "motion.h"
#include "motion_math.h"

// ---- column -------------------------------------------------------------------------------------

typedef struct column {
  double L, EI, rhoA, mass, g;
} column;

typedef struct column_at {
  const column *c;
  double w2;  // ω²
} column_at;

static void column_rate(double x, const double *y, double *dy, const void *arg)
{
  const column_at *a = arg;
  const column *c = a->c;
  double P = c->g * (c->mass + c->rhoA * (c->L - x));
  // w, w', EI w'', EI w''' + P w'
  dy[0] = y[1];
  dy[1] = y[2] / c->EI;
  dy[2] = y[3] - P * y[1];
  dy[3] = a->w2 * c->rhoA * y[0];
}

static double column_det(double omega, const void *arg)
{
  enum { STEPS = 400 };
  const column *c = arg;
  column_at a = { c, omega * omega };
  double y[2][4] = { { 0, 0, 1, 0 }, { 0, 0, 0, 1 } }, work[24], h = c->L / STEPS;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < STEPS; k++) motion_rk4(column_rate, &a, k * h, h, 4, y[i], work);
  double q0 = y[0][3] + c->mass * a.w2 * y[0][0], q1 = y[1][3] + c->mass * a.w2 * y[1][0];
  return y[0][2] * q1 - y[1][2] * q0;
}

// Determinant at rest over the factor of gravity: zero where it buckles.
static double column_buckles(double factor, const void *arg)
{
  column c = *(const column *)arg;
  c.g *= factor;
  return column_det(0.0, &c);
}

// Steel blade of cases/column.yaml, cut into n bodies, with a mass (kg) at its tip and gravity g
// (m/s²) downwards.
static bool stand(motion *m, int n, double mass, double g)
{
  char body[2048] = "", joint[1024] = "";
  size_t at = 0, end = 0;
  for (int k = 0; k < n; k++) {
    char tip[64] = "{ node: t }";
    if (k == n - 1 && mass > 0.0) snprintf(tip, sizeof tip, "{ node: t, mass: %.17g }", mass);
    at += (size_t)snprintf(
        body + at, sizeof body - at,
        "  c%d: { at: [0, 0, %.17g], beams: { points: { f: [0, 0, 0], t: [0, 0, %.17g] },\n"
        "    members: [{ from: f, to: t, section: blade, material: steel, elements: %d, up: [1, "
        "0, 0] }] },\n"
        "    frames: { f: { node: f }, t: %s } }\n",
        k, 1.5 * k / n, 1.5 / n, 32 / n, tip);
    end += k == 0 ? (size_t)snprintf(joint, sizeof joint, "  j0: { fixed: { a: sled, b: c0.f } }\n")
                  : (size_t)snprintf(joint + end, sizeof joint - end,
                                     "  j%d: { fixed: { a: c%d.t, b: c%d.f } }\n", k, k - 1, k);
  }
  return motion_text(
      m,
      "modeway: 1\ngravity: [0, 0, %.17g]\n"
      "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
      "sections: { blade: { rectangle: { width: 0.04, height: 0.008 }, shear: false, rotary: "
      "false } }\n"
      "bodies:\n  sled: { rigid: { mass: 20, inertia: [0.2, 0.2, 0.2, 0, 0, 0] } }\n%s"
      "joints:\n  x: { prismatic: { a: ground, b: sled, axis: [1, 0, 0] }, coordinate: x, drive: "
      "motor }\n%s"
      "outputs: { tip: { frame: c%d.t } }\n"
      "reduction:\n  coordinates: { x: { range: [-1, 1], points: 5 } }\n  modes: { count: 14 }\n"
      "scenarios:\n  sway: { duration: 8, step: 1e-3, store: 1e-2, start: { x: 0 },\n"
      "    drives: { motor: { position: { cycloid: { from: 0, to: 0.003, end: 0.5 } } } } }\n",
      -g, body, joint, n - 1);
}

static column blade_column(double mass, double g)
{
  return (column){ .L = 1.5,
                   .EI = 210e9 * 0.04 * pow(0.008, 3.0) / 12.0,
                   .rhoA = 7850.0 * 0.04 * 0.008,
                   .mass = mass,
                   .g = g };
}

// Largest relative distance of n frequencies from the nearest of the reduced model at rest.
static double at_rest(const motion *m, const double *theta, const double *u, int n,
                      const double *omega)
{
  enum { MAX = 40 };
  double found[MAX], still[MW_ROM_MAX_S] = { 0 }, e = 0.0;
  int k = motion_vibrations(&m->rom, theta, still, u, MAX, found);
  for (int i = 0; i < n; i++) {
    double d = INFINITY;
    for (int j = 0; j < k; j++) d = fmin(d, fabs(found[j] / omega[i] - 1.0));
    e = fmax(e, d);
  }
  return k ? e : NAN;
}

// The lowest frequency of the tip's sway in a run by a path, over the closed form, less 1.
static double sways(motion *m, const char *path, double omega)
{
  mw_run run;
  const mw_scenario *sc = motion_scenario(m, "sway");
  double fit[2] = { omega, 7.0 * omega }, rest = NAN;
  bool good = sc && motion_run(m, sc, path, &run);
  int from = good ? (int)lround(0.5 / sc->store) + 1 : 0;
  double *y = good ? calloc((size_t)run.n_t, sizeof *y) : NULL;
  for (int i = from; y && i < run.n_t; i++) y[i - from] = run.y[(i * run.n_out) * 3];
  if (y) rest = motion_fit(run.n_t - from, sc->store, y, 1, fit);
  free(y);
  if (good) mw_run_free(&run);
  return isnan(rest) ? NAN : fabs(fit[0] / omega - 1.0);
}

static bool columns(int *missed, double mass, double g, const char *what, double share)
{
  column c = blade_column(mass, g);
  double omega[3], theta = 0.0;
  int n = motion_zeros(column_det, &c, 0.05, 400.0, 8000, 3, omega);
  bool good = n == 3;
  for (int bodies = 1; good && bodies <= 8; bodies = bodies == 1 ? 2 : bodies * 4) {
    motion m;
    good = stand(&m, bodies, mass, g);
    if (good)
      motion_row(missed, sways(&m, "full", omega[0]), 1e-3,
                 "  %s, %.3f of its buckling load: first frequency, full, %d bodies", what, share,
                 bodies);
    if (good && bodies != 2)
      motion_row(missed, motion_reduce(&m) ? at_rest(&m, &theta, NULL, 3, omega) : NAN, 1e-3,
                 "  %s, %.3f: three frequencies, reduced, %d bodies", what, share, bodies);
    motion_close(&m);
  }
  return good;
}

// R21: the blade alone under its own weight, standing and hanging.
static bool heavy(int *missed)
{
  motion_table *t = malloc(sizeof *t);
  column c = blade_column(0.0, 0.0);
  double unit = sqrt(c.EI / (c.rhoA * pow(c.L, 4.0))), worst[2] = { 0 }, theta = 0.0;
  bool good = t && motion_read("R21_heavy_cantilever.csv", t);
  for (int i = 0; good && i < t->n; i++) {
    motion m;
    double gamma = t->v[i][0], omega[3];
    if (gamma < -0.8 * 7.837347) continue;
    for (int k = 0; k < 3; k++) omega[k] = unit * t->v[i][1 + k];
    good = stand(&m, 1, 0.0, -gamma * c.EI / (c.rhoA * pow(c.L, 3.0))) && motion_reduce(&m);
    double e = good ? at_rest(&m, &theta, NULL, 3, omega) : NAN, *w = &worst[gamma > 0.0];
    *w = e <= *w ? *w : e;
    motion_close(&m);
  }
  motion_row(missed, worst[0], 1e-3,
             "  R21: standing under its own weight to 0.77 of buckling, reduced");
  motion_row(missed, worst[1], 1e-3, "  R21: hanging under up to 100 EI/L3, reduced");
  free(t);
  return good;
}

bool motion_column(int *missed)
{
  column c = blade_column(10.0, 9.81);
  double factor = NAN, heavier = 0.0;
  bool good = motion_zeros(column_buckles, &c, 1.0, 6.0, 500, 1, &factor) == 1;
  good = good && columns(missed, 10.0, 9.81, "column", 1.0 / factor);
  // the mass at which it is 0.8 of the load
  for (double lo = 10.0, hi = 60.0; good && hi - lo > 1e-9; heavier = lo) {
    c.mass = 0.5 * (lo + hi);
    good = motion_zeros(column_buckles, &c, 0.5, 6.0, 500, 1, &factor) == 1;
    *(factor > 1.25 ? &lo : &hi) = c.mass;
  }
  good = good && columns(missed, heavier, 9.81, "column", 0.8);
  good = good && columns(missed, 10.0, -9.81, "hanging beam", -0.278);
  return good && heavy(missed);
}

// ---- axial force with a point mass --------------------------------------------------------------

// Steel strip of 1 m, slenderness 1000 (motion_spin.c): EI = 21 N m², rho A = 0.785 kg/m; half the
// beam's mass at x.
static bool strip(motion *m, double x)
{
  return motion_text(
      m,
      "modeway: 1\n"
      "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
      "sections: { line: { general: { A: 1e-4, Iy: 1e-10, Iz: 1e-10, It: 2e-10 }, shear: false, "
      "rotary: false } }\n"
      "bodies:\n"
      "  beam:\n"
      "    ground: true\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], b: [1, 0, 0] }\n"
      "      members: [{ from: a, to: b, section: line, material: steel, elements: 40 }]\n"
      "    supports: [{ nodes: a, dofs: [x, y, z, rx] }, { nodes: b, dofs: [y, z] }]\n"
      "    guides: { rail: { from: a, to: b } }\n"
      "    frames: { b: { node: b } }\n"
      "  mass: { at: [%.17g, 0, 0], rigid: { mass: 0.3925, inertia: [1e-6, 1e-6, 1e-6, 0, 0, 0] } "
      "}\n"
      "joints: { x: { slide: { guide: beam.rail, on: mass, orientation: fixed }, drive: motor } }\n"
      "drives:\n"
      "  press: { force: { on: beam.b, direction: [1, 0, 0] } }\n"
      "  tap: { force: { on: mass, direction: [0, 0, 1] } }\n"
      "outputs: { mass: { body: mass } }\n"
      "reduction:\n"
      "  coordinates: { x: { range: [0, 1], points: 33 } }\n"
      "  modes: { count: 12 }\n"
      "scenarios:\n"
      "  ring: { duration: 3, step: 5e-4, store: 5e-3, start: { x: %.17g }, initial: undeformed,\n"
      "    drives: { motor: { position: %.17g }, press: { force: { table: { time: [0, 0.1], "
      "value: [0, 0] } } },\n"
      "              tap: { force: { table: { time: [0.1, 0.12, 0.14], value: [0, 1e-3, 0] } } } "
      "} }\n",
      x, x, x);
}

static double ring(motion *m, double N, double omega)
{
  mw_scenario *sc = motion_scenario(m, "ring");
  mw_run run;
  double rest = NAN, fit[1] = { omega }, value[2] = { 0.0, N };
  if (!sc) return NAN;
  for (int k = 0; k < sc->n_action; k++)
    if (sc->action[k].kind == MW_ACTION_FORCE && sc->action[k].signal.n == 2)
      sc->action[k].signal.y = value;
  bool good = motion_run(m, sc, "full", &run);
  int from = (int)lround(0.2 / sc->store);
  double *y = good ? calloc((size_t)run.n_t, sizeof *y) : NULL;
  for (int i = from; y && i < run.n_t; i++) y[i - from] = run.y[(i * run.n_out) * 3 + 2];
  if (y) rest = motion_fit(run.n_t - from, sc->store, y, 1, fit);
  free(y);
  if (good) mw_run_free(&run);
  return isnan(rest) ? NAN : fabs(fit[0] / omega - 1.0);
}

bool motion_axial(int *missed)
{
  static const double EI = 21.0, rhoA = 0.785;
  motion_table *t = malloc(sizeof *t);
  double unit = sqrt(EI / rhoA), worst[2] = { 0 };
  motion m;
  bool good = t && motion_read("R21_ss_axial_pointmass.csv", t) && strip(&m, 0.3);
  bool reduced = good && motion_reduce(&m);
  for (int i = 0; good && i < t->n; i++) {
    const double *v = t->v[i];
    double omega[3], u[3] = { 0 };
    if (v[1] == 0.0 || v[2] == 0.0) continue;
    for (int k = 0; k < 3; k++) omega[k] = unit * v[3 + k];
    if (reduced) u[motion_input(&m, "press")] = v[0] * EI;
    double e = reduced ? at_rest(&m, &v[2], u, 3, omega) : NAN, *w = &worst[v[0] > 0.0];
    *w = e <= *w ? *w : e;
    if (v[2] != 0.3 || v[0] == 0.0) continue;
    motion_row(missed, ring(&m, v[0] * EI, omega[0]), 1e-3,
               "  N = %g EI/L2, mass at 0.3: first frequency, full", v[0]);
  }
  motion_row(missed, worst[0], 1e-3,
             "  pressed to 0.81 of buckling, mass anywhere: three frequencies, reduced");
  motion_row(missed, worst[1], 1e-3,
             "  pulled by up to 100 EI/L2, mass anywhere: three frequencies, reduced");
  if (good) motion_close(&m);
  free(t);
  return good;
}
