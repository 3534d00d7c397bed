// SPDX-License-Identifier: BSD-3-Clause
// bench_strain.c: the full path where strains are not linear, against closed forms and published
// references.
//
//   spin-up     arm of 8 m turned up to 4 rad/s (Wu and Haug), cut into 1 to 8 bodies
//       tests/references/R17
//   column      first frequency of a cantilever under its own weight, standing and hanging
//       R21_heavy_cantilever
//   rotating    first flap and lag of a spinning cantilever, let go after a tap
//       R21_rotating_cantilever
//   elastica    tip of a cantilever under a dead load, elliptic integrals (Mattiasson, Int. J.
//               Numer. Methods Eng. 17 (1981))
//   turn        error of one body by how far it turns against its frame, against 32 bodies
//       limits of sim/turn.h
//   shaft       forward and backward whirl of a thick spinning shaft, Rayleigh's beam on two hinges
//
// usage: bench_strain [GROUP]. Exit status 1 where a figure misses its limit; those without a limit
// show the convergence.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "fixture.h"
#include "sim/dae.h"
#include "sim/turn.h"

static int missed;

static void row(double got, double limit, const char *what)
{
  bool met = fabs(got) <= limit;
  printf("%-76s %10.2e %10.1e  %s\n", what, got, limit, met ? "met" : "missed");
  fflush(stdout);
  missed += !met;
}

static void note(double got, const char *what) { printf("%-76s %10.2e\n", what, got); }

// ---- spin-up ----

static bool run_text(const char *text, const char *scenario, mw_fixture *f, mw_run *run)
{
  mw_error err = { 0 };
  const mw_scenario *sc = NULL;
  mw_dae_opt opt = mw_dae_opt_default();
  if (!mw_fixture_text(text, f)) return false;
  for (int k = 0; k < f->model.n_scenario; k++)
    if (strcmp(f->model.scenario[k].name, scenario) == 0) sc = &f->model.scenario[k];
  if (sc && mw_dae_run(&f->mech, sc, "full", &opt, NULL, run, &err) == MW_OK) return true;
  fprintf(stderr, "%s\n", sc ? err.msg : "no such scenario");
  return false;
}

static const char ARM[] =
    "modeway: 1\nmaterials: {alu: {E: 6.8952e10, nu: 0.3, rho: 2766.7}}\n"
    "sections: {tube: {general: {A: 7.2968e-5, Iy: 8.2189e-9, Iz: 8.2189e-9, It: 1.6438e-8, ky: "
    "0.8333, kz: 0.8333}}}\n"
    "bodies:\n  arm:\n    beams:\n      points: {root: [0, 0, 0], tip: [8, 0, 0]}\n"
    "      members: [{from: root, to: tip, section: tube, material: alu, elements: 16}]\n      "
    "divide: %d\n"
    "    frames: {root: {node: root}, tip: {node: tip}}\n"
    "joints:\n  hub: {revolute: {a: ground, b: arm.root, axis: [0, 0, 1]}, coordinate: phi, "
    "drive: motor}\n"
    "outputs: {tip: {frame: arm.tip}}\n"
    "scenarios:\n  spin:\n    duration: 20\n    step: 2.5e-3\n    store: 0.25\n    initial: "
    "undeformed\n"
    "    drives: {motor: {position: {spin_up: {rate: 4, end: 15}}}}\n";

enum { INSTANTS = 81 };
typedef struct table {
  int n;
  double u2[INSTANTS];  // m, tip across the arm, in axes that turn with the root
} table;

static bool read_table(const char *name, table *t)
{
  char path[512], line[400];
  double v[4];
  snprintf(path, sizeof path, "%s/references/%s", MW_TESTS_DIR, name);
  FILE *f = fopen(path, "r");
  if (!f) return fprintf(stderr, "%s cannot be read\n", path), false;
  while (t->n < INSTANTS && fgets(line, sizeof line, f))
    if (sscanf(line, "%lf,%lf,%lf,%lf", v, v + 1, v + 2, v + 3) == 4) t->u2[t->n++] = v[3];
  fclose(f);
  return t->n == INSTANTS;
}

static bool spin_up(void)
{
  static table t;
  if (!read_table("R17_spinup_wu_haug_4.csv", &t)) return false;
  for (int n = 1; n <= 8; n *= 2) {
    char text[3000], what[100];
    mw_fixture f = { 0 };
    mw_run run = { 0 };
    double worst = 0.0, peak = 0.0;
    snprintf(text, sizeof text, ARM, n);
    if (!run_text(text, "spin", &f, &run)) return false;
    for (int i = 0; i < run.n_t && i < t.n; i++) {
      const double *y = run.y + 3 * i;
      peak = fmax(peak, fabs(t.u2[i]));
      worst = fmax(worst, fabs(cos(run.s[i]) * y[1] - sin(run.s[i]) * y[0] - t.u2[i]));
    }
    snprintf(what, sizeof what, "spin-up to 1.37 of the first frequency, bodies: %d", n);
    row(worst / peak, 1e-3, what);
    mw_run_free(&run);
    mw_fixture_free(&f);
  }
  return true;
}

// ---- small vibrations ----

// Rest of y over the best constant, cos ωt and sin ωt, as its square sum; normal equations of three
// unknowns.
static double rest(int n, const double *t, const double *y, double w)
{
  double A[9] = { 0.0 }, b[3] = { 0.0 }, x[3], sum = 0.0;
  for (int i = 0; i < n; i++) {
    double f[3] = { 1.0, cos(w * t[i]), sin(w * t[i]) };
    for (int k = 0; k < 9; k++) A[k] += f[k / 3] * f[k % 3];
    for (int k = 0; k < 3; k++) b[k] += f[k] * y[i];
  }
  int piv[3];
  mw_error err;
  if (mw_lu_factor(3, A, piv, &err) != MW_OK) return INFINITY;
  memcpy(x, b, sizeof x);
  mw_lu_solve(3, A, piv, 1, x);
  for (int i = 0; i < n; i++) {
    double r = y[i] - x[0] - x[1] * cos(w * t[i]) - x[2] * sin(w * t[i]);
    sum += r * r;
  }
  return sum;
}

// The frequency near `guess` (within 6 %) that fits y best, rad/s.
static double fit(int n, const double *t, const double *y, double guess)
{
  double best = guess, least = INFINITY;
  for (int k = -60; k <= 60; k++) {
    double w = guess * (1.0 + 1e-3 * k), r = rest(n, t, y, w);
    if (r < least) least = r, best = w;
  }
  double lo = best * (1.0 - 1e-3), hi = best * (1.0 + 1e-3);
  for (int i = 0; i < 60; i++) {
    double a = lo + 0.382 * (hi - lo), b = lo + 0.618 * (hi - lo);
    if (rest(n, t, y, a) < rest(n, t, y, b))
      hi = b;
    else
      lo = a;
  }
  return 0.5 * (lo + hi);
}

enum { ROWS = 40, COLS = 8, MOST = 4000 };
static bool read_rows(const char *name, int cols, double v[ROWS][COLS], int *n)
{
  char path[512], line[400];
  snprintf(path, sizeof path, "%s/references/%s", MW_TESTS_DIR, name);
  FILE *f = fopen(path, "r");
  if (!f) return fprintf(stderr, "%s cannot be read\n", path), false;
  for (*n = 0; *n < ROWS && fgets(line, sizeof line, f);) {
    char *at = line, *end = line;
    int k = 0;
    for (; k < cols; k++, at = end + 1) {
      v[*n][k] = strtod(at, &end);
      if (end == at) break;
    }
    if (k == cols) ++*n;
  }
  fclose(f);
  return *n > 0;
}

// square steel bar of 1 m, 5 mm wide: EI = 10.9375 N m², ρA = 0.19625 kg/m, unit of frequency
// 7.4654 rad/s; slenderness 700
#define BAR                                                                                        \
  "modeway: 1\nmaterials: {steel: {E: 210e9, nu: 0.3, rho: 7850}}\n"                               \
  "sections: {bar: {rectangle: {width: 0.005, height: 0.005}, shear: false, rotary: false}}\n"

static const double EI = 10.9375, UNIT = 7.4654192;  // N m², rad/s

// ---- heavy column ----

// First frequency over the unit of a column (gamma < 0 standing, > 0 hanging) that is let go after
// a push; NAN: failed
static double column(double gamma, int bodies, double guess)
{
  static const char MODEL[] = BAR
      "gravity: [0, 0, %.17g]\n"
      "bodies:\n  column:\n    ground: true\n    beams:\n      points: {foot: [0, 0, 0], tip: [0, "
      "0, 1]}\n"
      "      members: [{from: foot, to: tip, section: bar, material: steel, elements: 32, up: [1, "
      "0, 0]}]\n      divide: %d\n"
      "    supports: [{nodes: foot}]\n    frames: {tip: {node: tip}}\n"
      "drives: {push: {force: {on: column.tip, direction: [1, 0, 0]}}}\noutputs: {tip: {frame: "
      "column.tip}}\n"
      "scenarios:\n  let_go:\n    duration: %.17g\n    step: %.17g\n    store: %.17g\n"
      "    drives: {push: {force: {table: {time: [0, %.17g], value: [%.17g, 0]}}}}\n";
  char text[4000];
  static double t[MOST], y[MOST];
  double w = guess * UNIT, h = 0.02 / w, T = 80.0 / w, ramp = 0.5 / w;
  mw_fixture f = { 0 };
  mw_run run = { 0 };
  snprintf(text, sizeof text, MODEL, gamma * EI / 0.19625, bodies, T, h, 10.0 * h, ramp,
           3e-5 * EI * guess * guess / 12.4);
  if (!run_text(text, "let_go", &f, &run)) return NAN;
  int n = 0;
  for (int i = 0; i < run.n_t && n < MOST; i++)
    if (run.t[i] > 2.0 * ramp) t[n] = run.t[i], y[n++] = run.y[3 * i];
  double got = fit(n, t, y, w) / UNIT;
  mw_run_free(&run);
  mw_fixture_free(&f);
  return got;
}

static bool heavy_column(void)
{
  static const int BODIES[3] = { 1, 2, 8 };
  double v[ROWS][COLS];
  int n;
  char what[120];
  if (!read_rows("R21_heavy_cantilever.csv", 4, v, &n)) return false;
  for (int i = 0; i < n; i++) {
    double got[3];
    if (v[i][0] != -6.0 && v[i][0] != -3.0 && v[i][0] != 0.0 && v[i][0] != 20.0) continue;
    for (int k = 0; k < 3; k++) {
      got[k] = column(v[i][0], BODIES[k], v[i][1]);
      if (isnan(got[k])) return false;
      snprintf(what, sizeof what, "heavy column, %.2f of its buckling load, bodies: %d",
               -v[i][0] / 7.837347438943484, BODIES[k]);
      row(got[k] / v[i][1] - 1.0, 1e-3, what);
    }
    row(fmax(fabs(got[1] - got[0]), fabs(got[2] - got[0])) / got[0], 1e-3,
        "  largest difference between 1, 2 and 8 bodies");
  }
  return true;
}

// ---- rotating cantilever ----

static bool rotating(double eta, double hub, const double *ref, int bodies)
{
  static const char MODEL[] = BAR
      "bodies:\n  hub: {rigid: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}, frames: "
      "{rim: {point: [%.17g, 0, 0]}}}\n"
      "  blade:\n    at: [%.17g, 0, 0]\n    beams:\n      points: {root: [0, 0, 0], tip: [1, 0, "
      "0]}\n"
      "      members: [{from: root, to: tip, section: bar, material: steel, elements: 16}]\n      "
      "divide: %d\n"
      "    frames: {root: {node: root}, tip: {node: tip}}\n"
      "joints:\n  spin: {revolute: {a: ground, b: hub, axis: [0, 0, 1]}, coordinate: phi, drive: "
      "motor}\n"
      "  root: {fixed: {a: hub.rim, b: blade.root}}\n"
      "drives:\n  tap: {force: {on: blade.tip, direction: [0.5, 0.5, 0.7071067811865476]}}\n"
      "outputs: {tip: {frame: blade.tip}}\n"
      "scenarios:\n  spin:\n    duration: %.17g\n    step: %.17g\n    store: %.17g\n    initial: "
      "undeformed\n"
      "    drives:\n      motor: {position: {spin_up: {rate: %.17g, end: 1.5}}}\n"
      "      tap: {force: {table: {time: [1.6, %.17g, %.17g], value: [0, %.17g, 0]}}}\n";
  char text[4000], what[120];
  static double t[MOST], y[MOST];
  double Omega = eta * UNIT, w[2] = { ref[0] * UNIT, ref[1] * UNIT }, h = 0.025 / w[0],
         end = 1.6 + 80.0 / w[1], tap = 1.0 / w[0];
  h = 1.6 / ceil(1.6 / h);
  mw_fixture f = { 0 };
  mw_run run = { 0 };
  snprintf(text, sizeof text, MODEL, hub, hub, bodies, end, h, 4.0 * h, Omega, 1.6 + tap,
           1.6 + 2.0 * tap, 2e-4 * EI * ref[0] * ref[0] / 12.4);
  if (!run_text(text, "spin", &f, &run)) return false;
  for (int lag = 0; lag < 2; lag++) {
    int n = 0;
    for (int i = 0; i < run.n_t && n < MOST; i++) {
      const double *x = run.y + 3 * i, phi = run.s[i];
      if (run.t[i] < 1.6 + 3.0 * tap) continue;
      t[n] = run.t[i];
      y[n++] = lag ? cos(phi) * x[1] - sin(phi) * x[0] : x[2];
    }
    snprintf(what, sizeof what, "rotating cantilever, hub %g, eta %g, first %s, bodies: %d", hub,
             eta, lag ? "lag" : "flap", bodies);
    row(fit(n, t, y, w[lag]) / w[lag] - 1.0, 1e-3, what);
  }
  mw_run_free(&run);
  mw_fixture_free(&f);
  return true;
}

static bool rotating_cantilever(void)
{
  double v[ROWS][COLS];
  int n;
  if (!read_rows("R21_rotating_cantilever.csv", 8, v, &n)) return false;
  for (int i = 0; i < n; i++) {
    if (v[i][1] != 3.0 && v[i][1] != 6.0 && v[i][1] != 12.0) continue;
    const double ref[2] = { v[i][2], v[i][5] };
    if (!rotating(v[i][1], v[i][0], ref, 1)) return false;
  }
  return true;
}

// ---- elastica ----

// Tip of a cantilever under a dead load across its unloaded axis: closed form, references/R16
// (elliptic integrals)
static bool elastica(void)
{
  static const double REF[2][3] = { { 1.0, 0.3017207737998131, 0.05643323628337726 },
                                    { 10.0, 0.8106090248802965, 0.5549955977537513 } };
  static const char MODEL[] = BAR
      "bodies:\n  rod:\n    ground: true\n    beams:\n      points: {root: [0, 0, 0], tip: [1, 0, "
      "0]}\n"
      "      members: [{from: root, to: tip, section: bar, material: steel, elements: 64}]\n      "
      "divide: %d\n"
      "    supports: [{nodes: root}]\n    frames: {tip: {node: tip}}\n"
      "drives: {load: {force: {on: rod.tip, direction: [0, 0, -1]}}}\noutputs: {tip: {frame: "
      "rod.tip}}\n"
      "scenarios: {hang: {duration: 1e-4, step: 1e-4, drives: {load: {force: %.17g}}}}\n";
  for (int k = 0; k < 2; k++)
    for (int n = k ? 4 : 1; n <= 64; n *= 2) {
      char text[3000], what[120];
      mw_fixture f = { 0 };
      mw_run run = { 0 };
      snprintf(text, sizeof text, MODEL, n, REF[k][0] * EI);
      if (!run_text(text, "hang", &f, &run)) return false;
      double v = fabs(-run.y[2] - REF[k][1]), u = fabs(1.0 - run.y[0] - REF[k][2]);
      snprintf(what, sizeof what, "elastica, P L2/EI = %g, tip over the length, bodies: %d",
               REF[k][0], n);
      if (n < (k ? 16 : 4))  // what turns by φ within a body errs by φ²/2 of its deflection
        note(fmax(u, v), what);
      else
        row(fmax(u, v), 1e-3, what);
      mw_run_free(&run);
      mw_fixture_free(&f);
    }
  return true;
}

// ---- turn ----

#define ROD                                                                                        \
  "    beams:\n      points: {root: [0, 0, 0], mid: [0.5, 0, 0], tip: [1, 0, 0]}\n      "          \
  "members:\n"                                                                                     \
  "      - {from: root, to: mid, section: bar, material: steel, elements: 32}\n"                   \
  "      - {from: mid, to: tip, section: bar, material: steel, elements: 32}\n      divide: %d\n"  \
  "    frames: {root: {node: root}, mid: {node: mid}, tip: {node: tip}}\n"
#define REST                                                                                       \
  "outputs: {tip: {frame: rod.tip}, mid: {frame: rod.mid}}\n"                                      \
  "drives: {load: {force: {on: rod.tip, direction: [0, 0, -1]}}}\n"                                \
  "scenarios: {hang: {duration: 1e-4, step: 1e-4, drives: {load: {force: %.17g}}}}\n"

typedef struct bent {
  double y[6], turn;  // m, tip and middle; rad
} bent;

static bool bend(const char *body, const char *strain, int bodies, double g, double F, bent *out)
{
  char text[4000], all[4000];
  mw_fixture f = { 0 };
  mw_run run = { 0 };
  snprintf(all, sizeof all, "%sstrain: %s\ngravity: [0, 0, %.17g]\n%s%s", BAR, strain, -g, body,
           REST);
  snprintf(text, sizeof text, all, bodies, F);
  if (!run_text(text, "hang", &f, &run)) return false;
  memcpy(out->y, run.y, sizeof out->y);
  out->turn = 0.0;
  for (int b = 0; b < run.n_body; b++) out->turn = fmax(out->turn, run.turn[b]);
  mw_run_free(&run);
  mw_fixture_free(&f);
  return true;
}

// What one body errs by at the limit: with the square of what it turns by, with linear strains in
// proportion
static bool turn(void)
{
  static const char
      GROUND[] = "bodies:\n  rod:\n    ground: true\n    supports: [{nodes: root}]\n" ROD,
      FLOATS[] = "bodies:\n  rod:\n" ROD "joints: {hold: {fixed: {a: ground, b: rod.root}}}\n",
      HINGED[] = "bodies:\n  shoe: {rigid: {mass: 1, com: [1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]},"
                 " frames: {end: {point: [1, 0, 0]}}}\n  rod:\n" ROD
                 "joints:\n  left: {revolute: {a: ground, b: rod.root, axis: [0, 1, 0]}}\n"
                 "  way: {prismatic: {a: ground, b: shoe.end, axis: [1, 0, 0]}, coordinate: s}\n"
                 "  right: {revolute: {a: shoe.end, b: rod.tip, axis: [0, 1, 0]}}\n";
  static const struct {
    const char *what, *body;
    double g, F;
  } CASE[] = { { "clamped to the ground, tip load", GROUND, 0.0, 0.08 },
               { "clamped to the ground, its weight", GROUND, 12.0, 0.0 },
               { "clamped by a joint, tip load", FLOATS, 0.0, 0.08 },
               { "clamped by a joint, its weight", FLOATS, 12.0, 0.0 },
               { "hinged, its weight", HINGED, 40.0, 0.0 } };
  for (size_t k = 0; k < 2 * sizeof CASE / sizeof *CASE; k++) {
    bool linear = k % 2 == 1;
    const double straight[6] = { 1.0, 0.0, 0.0, 0.5, 0.0, 0.0 }, small = linear ? 0.05 : 1.0,
                 g = small * CASE[k / 2].g, F = small * CASE[k / 2].F * EI;
    bent one, many;
    char what[120];
    if (!bend(CASE[k / 2].body, linear ? "linear" : "nonlinear", 1, g, F, &one) ||
        !bend(CASE[k / 2].body, "nonlinear", 32, g, F, &many))
      return false;
    double off = 0.0, size = 0.0;
    for (int i = 0; i < 6; i++) {
      off = fmax(off, fabs(one.y[i] - many.y[i]));
      size = fmax(size, fabs(many.y[i] - straight[i]));
    }
    double part = mw_turn_limit(linear) / one.turn;
    snprintf(what, sizeof what, "%s, %s strains, error at %.3g rad", CASE[k / 2].what,
             linear ? "linear" : "von Karman's", mw_turn_limit(linear));
    row(off / size * (linear ? part : part * part), 1e-3, what);
  }
  return true;
}

// ---- shaft ----

// Rest of u over the best a exp(iw₀t) + b exp(−iw₁t), as its square sum
static double whirl_rest(int n, const double *t, const double complex *u, const double w[2])
{
  double complex across = 0.0, c[2] = { 0.0, 0.0 };
  double sum = 0.0, N = n;
  for (int i = 0; i < n; i++) {
    double complex f = cexp(I * w[0] * t[i]), g = cexp(-I * w[1] * t[i]);
    across += conj(f) * g;
    c[0] += conj(f) * u[i];
    c[1] += conj(g) * u[i];
    sum += creal(u[i] * conj(u[i]));
  }
  double det = N * N - creal(across * conj(across));
  double complex a = (N * c[0] - across * c[1]) / det, b = (N * c[1] - conj(across) * c[0]) / det;
  return sum - creal(conj(a) * c[0] + conj(b) * c[1]);
}

// Both frequencies in turn, each within 2 % of where it is
static void whirl_fit(int n, const double *t, const double complex *u, double w[2])
{
  for (int k = 0; k < 12; k++) {
    double lo = w[k % 2] * 0.98, hi = w[k % 2] * 1.02, at[2] = { w[0], w[1] };
    for (int i = 0; i < 50; i++) {
      double a = lo + 0.382 * (hi - lo), b = lo + 0.618 * (hi - lo);
      at[k % 2] = a;
      double ra = whirl_rest(n, t, u, at);
      at[k % 2] = b;
      if (ra < whirl_rest(n, t, u, at))
        hi = b;
      else
        lo = a;
    }
    w[k % 2] = 0.5 * (lo + hi);
  }
}

// A round steel shaft of 1 m, 0.1 m thick in the radius, at 0.8 of its first frequency:
//   (ρA + ρI k²) ω² ∓ 2 ρI k² Ω ω − EI k⁴ = 0 ,  k = π/L                      forward −, backward +
static bool shaft(void)
{
  static const char MODEL[] =
      "modeway: 1\nmaterials: {steel: {E: 210e9, nu: 0.3, rho: 7850}}\nsections:\n"
      "  bar: {general: {A: 0.031415926535897934, Iy: 7.8539816339744835e-5, Iz: "
      "7.8539816339744835e-5, It: 1.5707963267948967e-4}, shear: false}\n"
      "bodies:\n  hub: {rigid: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}, frames: "
      "{end: {point: [0, 0, 0]}}}\n"
      "  shoe: {at: [1, 0, 0], rigid: {mass: 1e-3, com: [0, 0, 0], inertia: [1e-6, 1e-6, 1e-6, 0, "
      "0, 0]}, frames: {end: {point: [0, 0, 0]}}}\n"
      "  shaft:\n    beams:\n      points: {root: [0, 0, 0], mid: [0.5, 0, 0], tip: [1, 0, 0]}\n  "
      "    members:\n"
      "      - {from: root, to: mid, section: bar, material: steel, elements: 8}\n"
      "      - {from: mid, to: tip, section: bar, material: steel, elements: 8}\n      divide: %d\n"
      "    frames: {root: {node: root}, mid: {node: mid}, tip: {node: tip}}\n"
      "joints:\n  spin: {revolute: {a: ground, b: hub, axis: [1, 0, 0]}, coordinate: phi, drive: "
      "motor}\n"
      "  left: {universal: {a: hub.end, b: shaft.root, axis: [0, 1, 0], axis_b: [0, 0, 1]}}\n"
      "  way: {prismatic: {a: ground, b: shoe.end, axis: [1, 0, 0]}}\n  right: {spherical: {a: "
      "shoe.end, b: shaft.tip}}\n"
      "drives: {tap: {force: {on: shaft.mid, direction: [0, 0.6, 0.8]}}}\noutputs: {mid: {frame: "
      "shaft.mid}}\n"
      "scenarios:\n  whirl:\n    duration: 0.08\n    step: 4e-6\n    store: 4e-5\n    initial: "
      "undeformed\n    drives:\n"
      "      motor: {position: {spin_up: {rate: %.17g, end: 0.03}}}\n"
      "      tap: {force: {table: {time: [0.032, 0.0325, 0.033], value: [0, 100, 0]}}}\n";
  static const double E = 210e9, RHO = 7850.0, A = 0.031415926535897934,
                      IYY = 7.8539816339744835e-5, K = 3.14159265358979323846;
  static double t[MOST];
  static double complex u[MOST];
  double m = RHO * (A + IYY * K * K), k4 = E * IYY * pow(K, 4), Omega = 0.8 * sqrt(k4 / m),
         g = RHO * IYY * K * K * Omega, root = sqrt(g * g + m * k4);
  for (int bodies = 1; bodies <= 8; bodies *= 8) {
    char text[5000], what[120];
    mw_fixture f = { 0 };
    mw_run run = { 0 };
    double want[2] = { (root + g) / m, (root - g) / m }, w[2] = { want[0], want[1] }, said = 0.0;
    int n = 0;
    snprintf(text, sizeof text, MODEL, bodies, Omega);
    if (!run_text(text, "whirl", &f, &run)) return false;
    for (int i = 0; i < run.n_t && n < MOST; i++)
      if (run.t[i] > 0.0335) t[n] = run.t[i], u[n++] = run.y[3 * i + 1] + I * run.y[3 * i + 2];
    whirl_fit(n, t, u, w);
    for (int b = 0; b < run.n_body; b++) said = fmax(said, mw_spin_error(&f.model, b, run.spin[b]));
    for (int k = 0; k < 2; k++) {
      double err = w[k] / want[k] - 1.0;
      snprintf(what, sizeof what, "thick shaft, %s whirl, bodies: %d", k ? "backward" : "forward",
               bodies);
      if (bodies > 1) {
        row(err, 1e-3, what);
        continue;
      }
      note(err, what);
      snprintf(what, sizeof what, "  what the run says of it (%.2e), relative", said);
      row(said / fabs(err) - 1.0, 0.1, what);
    }
    mw_run_free(&run);
    mw_fixture_free(&f);
  }
  return true;
}

int main(int argc, char **argv)
{
  static const struct {
    const char *name;
    bool (*run)(void);
  } GROUP[] = {
    { "spin-up", spin_up },   { "column", heavy_column }, { "rotating", rotating_cantilever },
    { "elastica", elastica }, { "turn", turn },           { "shaft", shaft }
  };
  bool all = true;
  for (size_t k = 0; k < sizeof GROUP / sizeof *GROUP; k++)
    if (argc < 2 || strcmp(argv[1], GROUP[k].name) == 0) all = GROUP[k].run() && all;
  return !all || missed > 0;
}
