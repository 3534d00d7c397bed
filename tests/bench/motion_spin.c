// SPDX-License-Identifier: BSD-3-Clause
// motion_spin.c: arms spun up, rotating cantilevers, an overhung rotor.
//
// Spin-up: an inextensible beam of any rotation, angle θ(s,t) = Σ a_k χ_k(s), χ_k = (s/L) P_k(2s/L
// − 1), in axes that turn by ψ:
//   x(s) = ∫ (cos θ, sin θ) ,  ẍ = ∫ (θ̈ + ψ̈)(−sin θ, cos θ) − (θ̇ + ψ̇)²(cos θ, sin θ)        (1)
//   ∫ ρA ẍ·∂x/∂a_k ds + EI ∫ θ' χ_k' ds = 0                                                     (2)
// integrated over Gauss points by Legendre polynomials, in time by Runge-Kutta. R17's beam
// stretches by 1e-5 of its length.
//
// Rotor: shaft w = A (cosh − cos) + B (sinh − sin)(κx), EI κ⁴ = ρA ω², with the disk at its end, ω
// signed (forward > 0):
//   EI w'' = (I_d ω² − I_p Ω ω) w' ,  EI w''' = −m ω² w                                         (3)
// In axes that turn with the shaft a whirl ω is seen at |ω − Ω|.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "motion.h"
#include "motion_math.h"

// ---- spin-up ------------------------------------------------------------------------------------

enum { ANGLES = 6, NODES = 24 };

typedef struct elastica {
  double L, EI, rhoA;            // m, N m², kg/m
  double rate, T;                // rad/s and s of the spin-up
  double w[NODES];               // m, weights of ∫ ds
  double sum[NODES + 1][NODES];  // m, ∫_0^s ds of values at the nodes; last row: to L
  double chi[NODES][ANGLES], bend[NODES][ANGLES];  // χ and χ' (1/m)
} elastica;

static void elastica_init(elastica *e)
{
  double x[NODES], w[NODES], p[NODES + 1], d[NODES + 1], at[NODES][NODES + 1];
  motion_gauss(NODES, x, w);
  for (int i = 0; i < NODES; i++) motion_legendre(NODES + 1, x[i], at[i], NULL, NULL);
  for (int i = 0; i <= NODES; i++) {
    double z = i < NODES ? x[i] : 1.0;
    motion_legendre(NODES + 1, z, p, NULL, NULL);
    for (int j = 0; j < NODES; j++) {
      double s = 0.5 * (z + 1.0);
      for (int k = 1; k < NODES; k++) s += 0.5 * at[j][k] * (p[k + 1] - p[k - 1]);
      e->sum[i][j] = 0.5 * e->L * w[j] * s;
    }
  }
  for (int i = 0; i < NODES; i++) {
    e->w[i] = 0.5 * e->L * w[i];
    motion_legendre(NODES + 1, x[i], p, d, NULL);
    for (int k = 0; k < ANGLES; k++) {
      double z = 0.5 * (x[i] + 1.0);
      e->chi[i][k] = z * p[k];
      e->bend[i][k] = (p[k] + 2.0 * z * d[k]) / e->L;
    }
  }
}

// ψ̇ and ψ̈ of the signal spin_up
static void spin_up(const elastica *e, double t, double *rate, double *acc)
{
  double w = 2.0 * acos(-1.0) / e->T;
  *rate = t < e->T ? e->rate / e->T * (t - sin(w * t) / w) : e->rate;
  *acc = t < e->T ? e->rate / e->T * (1.0 - cos(w * t)) : 0.0;
}

static void integrate(const elastica *e, const double *f, double *out)
{
  for (int i = 0; i < NODES; i++) {
    out[i] = 0.0;
    for (int j = 0; j < NODES; j++) out[i] += e->sum[i][j] * f[j];
  }
}

static void elastica_rate(double t, const double *y, double *dy, const void *arg)
{
  const elastica *e = arg;
  double psi1, psi2, f[2][NODES], acc[2][NODES], X[2][ANGLES][NODES], M[ANGLES * ANGLES];
  double turn[2][NODES], curve[NODES];  // (−sin θ, cos θ), θ'
  int piv[ANGLES];
  mw_error err = { 0 };
  spin_up(e, t, &psi1, &psi2);
  for (int i = 0; i < NODES; i++) {
    double th = 0.0, thd = psi1;
    curve[i] = 0.0;
    for (int k = 0; k < ANGLES; k++) {
      curve[i] += y[k] * e->bend[i][k];
      th += y[k] * e->chi[i][k];
      thd += y[ANGLES + k] * e->chi[i][k];
    }
    turn[0][i] = -sin(th);
    turn[1][i] = cos(th);
    f[0][i] = turn[0][i] * psi2 - turn[1][i] * thd * thd;
    f[1][i] = turn[1][i] * psi2 + turn[0][i] * thd * thd;
  }
  for (int c = 0; c < 2; c++) {
    double g[NODES];
    integrate(e, f[c], acc[c]);
    for (int k = 0; k < ANGLES; k++) {
      for (int i = 0; i < NODES; i++) g[i] = turn[c][i] * e->chi[i][k];
      integrate(e, g, X[c][k]);
    }
  }
  for (int k = 0; k < ANGLES; k++) {
    dy[k] = y[ANGLES + k];
    dy[ANGLES + k] = 0.0;
    for (int i = 0; i < NODES; i++) dy[ANGLES + k] -= e->EI * e->w[i] * e->bend[i][k] * curve[i];
    for (int i = 0; i < NODES; i++)
      dy[ANGLES + k] -= e->rhoA * e->w[i] * (X[0][k][i] * acc[0][i] + X[1][k][i] * acc[1][i]);
    for (int l = 0; l < ANGLES; l++) {
      M[k * ANGLES + l] = 0.0;
      for (int i = 0; i < NODES; i++)
        M[k * ANGLES + l] +=
            e->rhoA * e->w[i] * (X[0][k][i] * X[0][l][i] + X[1][k][i] * X[1][l][i]);
    }
  }
  if (mw_lu_factor(ANGLES, M, piv, &err) == MW_OK)
    mw_lu_solve(ANGLES, M, piv, 1, dy + ANGLES);
  else
    dy[ANGLES] = NAN;
}

// Tip along and across the turned axes, u [n × 2], at n instants `store` apart.
static void elastica_run(elastica *e, int n, double store, double *u)
{
  // the fastest angle stays below 1000 rad/s
  int per = (int)ceil(store / 2e-3);
  double y[2 * ANGLES] = { 0 }, work[12 * ANGLES], h = store / per;
  elastica_init(e);
  for (int i = 0; i < n; i++) {
    u[2 * i] = -e->L;
    u[2 * i + 1] = 0.0;
    for (int j = 0; j < NODES; j++) {
      double th = 0.0;
      for (int k = 0; k < ANGLES; k++) th += y[k] * e->chi[j][k];
      u[2 * i] += e->sum[NODES][j] * cos(th);
      u[2 * i + 1] += e->sum[NODES][j] * sin(th);
    }
    for (int k = 0; k < per; k++)
      motion_rk4(elastica_rate, e, i * store + k * h, h, 2 * ANGLES, y, work);
  }
}

// Largest distance of a run's tip from u, in the turned axes, over the peak across.
static double tip_error(const mw_run *run, double L, int n, const double *u)
{
  double e = 0.0, peak = 0.0;
  if (run->n_t < n) return NAN;
  for (int i = 0; i < n; i++) {
    const double *y = run->y + (size_t)(i * run->n_out) * 3;
    double psi = run->s[i * run->n_coord], c = cos(psi), s = sin(psi);
    double d = hypot(c * y[0] + s * y[1] - L - u[2 * i], c * y[1] - s * y[0] - u[2 * i + 1]);
    peak = fmax(peak, fabs(u[2 * i + 1]));
    if (!(d <= e)) e = d;
  }
  return e / peak;
}

// The reference's own check: R17 across the turned axes.
static bool check_elastica(int *missed, elastica *e, double *u)
{
  motion_table *t = malloc(sizeof *t);
  double d = 0.0, peak = 0.0;
  bool good = t && motion_read("R17_spinup_wu_haug_4.csv", t);
  e->rate = 4.0;
  e->T = 15.0;
  if (good) elastica_run(e, t->n, t->v[1][0], u);
  for (int i = 0; good && i < t->n; i++) {
    peak = fmax(peak, fabs(t->v[i][3]));
    d = fmax(d, fabs(u[2 * i + 1] - t->v[i][3]));
  }
  if (good)
    motion_row(missed, d / peak, 1e-4, "  R17: the inextensible beam used below against the table");
  free(t);
  return good;
}

// The arm by one path at all speeds, against u [2 × instants].
static bool spins(int *missed, elastica *e, const motion_swap *swap, const char *path,
                  const char *what, double *u)
{
  const double ratio[] = { 0.42, 0.67, 0.9, 1.0, 1.15, 1.35 }, unit = 3.5160152685;
  motion m = { 0 };
  bool reduced = strcmp(path, "gmp") == 0;
  bool good = motion_case("arm-spin-up", swap, &m) && (!reduced || motion_reduce(&m));
  mw_scenario *sc = good ? motion_scenario(&m, "spin") : NULL;
  for (size_t k = 0; sc && k < sizeof ratio / sizeof *ratio; k++) {
    mw_run run;
    e->rate = ratio[k] * unit * sqrt(e->EI / (e->rhoA * pow(e->L, 4.0)));
    e->T = sc->action[0].signal.t1 = 30.0;
    sc->action[0].signal.v = e->rate;
    sc->duration = 35.0;
    int n = (int)lround(sc->duration / sc->store) + 1;
    elastica_run(e, n, sc->store, u);
    double d = motion_run(&m, sc, path, &run) ? tip_error(&run, e->L, n, u) : NAN;
    mw_run_free(&run);
    motion_row(missed, d, 1e-3, "  spun up in 30 s to %.2f of the first frequency, %s", ratio[k],
               what);
  }
  motion_close(&m);
  return sc != NULL;
}

bool motion_spin_up(int *missed)
{
  enum { MAX = 1000 };
  motion_swap divided[] = { { "    beams:\n", "    beams:\n      divide: 4\n" }, { NULL, NULL } };
  elastica e = { .L = 8.0, .EI = 566.7095928, .rhoA = 0.2018805656 };
  double *u = calloc(2 * MAX, sizeof *u);
  bool good = u && check_elastica(missed, &e, u) &&
              spins(missed, &e, divided, "full", "full, 4 bodies", u) &&
              spins(missed, &e, NULL, "gmp", "reduced", u);
  free(u);
  return good;
}

// ---- rotating cantilevers -----------------------------------------------------------------------

// Steel strip of 1 m with r = 1 mm in both directions: slenderness 1000. unit: sqrt(EI/(rho A
// L^4)), rad/s.
static const double UNIT = 5.17221412;  // sqrt(210e9 1e-10/(7850 1e-4))

static bool blade(motion *m, double hub, double setting_deg)
{
  double a = setting_deg * acos(-1.0) / 180.0;
  return motion_text(
             m,
             "modeway: 1\n"
             "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
             "sections: { line: { general: { A: 1e-4, Iy: 1e-10, Iz: 1e-10, It: 2e-10 }, shear: "
             "false, rotary: false } }\n"
             "bodies:\n"
             "  hub: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] }, frames: { rim: { point: "
             "[%.17g, 0, 0] } } }\n"
             "  blade:\n"
             "    at: [%.17g, 0, 0]\n"
             "    beams:\n"
             "      points: { root: [0, 0, 0], tip: [1, 0, 0] }\n"
             "      members: [{ from: root, to: tip, section: line, material: steel, elements: "
             "24,\n"
             "                  up: [0, %.17g, %.17g] }]\n"
             "    frames: { root: { node: root }, tip: { node: tip } }\n"
             "joints:\n"
             "  spin: { revolute: { a: ground, b: hub, axis: [0, 0, 1] }, coordinate: phi, drive: "
             "motor }\n"
             "  root: { fixed: { a: hub.rim, b: blade.root } }\n"
             "outputs: { tip: { frame: blade.tip } }\n"
             "reduction:\n"
             "  coordinates: { phi: { range: [-3.141592653589793, 3.141592653589793], cyclic: "
             "true, points: 9 } }\n"
             "  modes: { count: 28 }\n",
             hub, hub, sin(a), cos(a)) &&
         motion_reduce(m);
}

// Largest relative distance of the n frequencies of ref (in units of UNIT) from the nearest of the
// model spinning at eta.
static double spinning(const motion *m, double eta, int n, const double *ref)
{
  enum { MAX = 40 };
  double omega[MAX], theta = 0.0, rate = eta * UNIT, e = 0.0;
  int found = motion_vibrations(&m->rom, &theta, &rate, NULL, MAX, omega);
  for (int i = 0; i < n; i++) {
    double d = INFINITY;
    for (int k = 0; k < found; k++) d = fmin(d, fabs(omega[k] / UNIT / ref[i] - 1.0));
    e = fmax(e, d);
  }
  return found ? e : NAN;
}

static bool hub_ratio(int *missed, const motion_table *t, double hub)
{
  motion m;
  double flap = 0.0, lag = 0.0;
  bool good = blade(&m, hub, 0.0);
  for (int i = 0; good && i < t->n; i++) {
    const double *v = t->v[i];
    if (v[0] != hub) continue;
    double f = spinning(&m, v[1], 3, v + 2), l = spinning(&m, v[1], 3, v + 5);
    flap = f <= flap ? flap : f;
    lag = l <= lag ? lag : l;
  }
  if (good)
    motion_row(missed, flap, 1e-3, "  flap, hub at %g L, spin 0 to 12: three frequencies, reduced",
               hub);
  if (good)
    motion_row(missed, lag, 1e-3, "  lag, hub at %g L, spin 0 to 12: three frequencies, reduced",
               hub);
  motion_close(&m);
  return good;
}

static bool setting(int *missed, const motion_table *t, double deg)
{
  motion m;
  double e = 0.0;
  bool good = blade(&m, 1.0, deg);
  for (int i = 0; good && i < t->n; i++) {
    if (t->v[i][1] != deg) continue;
    double d = spinning(&m, t->v[i][2], 4, t->v[i] + 3);
    e = d <= e ? e : d;
  }
  if (good)
    motion_row(missed, e, 1e-3, "  setting angle %g, spin 0 to 12: four frequencies, reduced", deg);
  motion_close(&m);
  return good;
}

bool motion_rotating(int *missed)
{
  motion_table *t = malloc(sizeof *t);
  bool good = t && motion_read("R21_rotating_cantilever.csv", t);
  for (int hub = 0; good && hub < 2; hub++) good = hub_ratio(missed, t, hub);
  good = good && motion_read("R21_rotating_setting_angle.csv", t);
  for (int deg = 30; good && deg <= 60; deg += 30) good = setting(missed, t, deg);
  free(t);
  return good;
}

// ---- rotor --------------------------------------------------------------------------------------

typedef struct shaft {
  double L, EI, rhoA, mass, across, polar, spin;  // of cases/rotor-disk.yaml; spin rad/s
} shaft;

static double whirl(double w, const void *arg)
{
  const shaft *p = arg;
  double k = pow(p->rhoA * w * w / p->EI, 0.25), z = k * p->L;
  if (w == 0.0) return NAN;
  // w, w', w'', w''' of the two solutions at the end
  double f[2][4] = { { cosh(z) - cos(z), k * (sinh(z) + sin(z)), k * k * (cosh(z) + cos(z)),
                       k * k * k * (sinh(z) - sin(z)) },
                     { sinh(z) - sin(z), k * (cosh(z) - cos(z)), k * k * (sinh(z) + sin(z)),
                       k * k * k * (cosh(z) + cos(z)) } };
  double r[2][2], turn = p->across * w * w - p->polar * p->spin * w;
  for (int i = 0; i < 2; i++) {
    r[0][i] = p->EI * f[i][2] - turn * f[i][1];
    r[1][i] = p->EI * f[i][3] + p->mass * w * w * f[i][0];
  }
  return (r[0][0] * r[1][1] - r[0][1] * r[1][0]) / pow(k, 5.0);
}

static double critical(double w, const void *arg)
{
  shaft p = *(const shaft *)arg;
  p.spin = w;
  return whirl(w, &p);
}

// Whirls of the closed form from −1000 to 1000 rad/s.
static int whirls(const shaft *p, double *root)
{
  return motion_zeros(whirl, p, -1000.0, 1000.0, 4001, 6, root);
}

static bool campbell(int *missed, const motion *m, shaft *p, double top)
{
  enum { MAX = 40 };
  for (int k = 0; k <= 5; k++) {
    double root[6], omega[MAX], theta = 0.3, e = 0.0;
    p->spin = top * k / 5.0;
    int n = whirls(p, root), found = motion_vibrations(&m->rom, &theta, &p->spin, NULL, MAX, omega);
    for (int i = 0; i < n; i++) {
      double d = INFINITY;
      for (int j = 0; j < found; j++)
        d = fmin(d, fabs(omega[j] - fabs(root[i] - p->spin)) / fabs(root[i]));
      e = fmax(e, d);
    }
    motion_row(missed, found ? e : NAN, 1e-3, "  spin %.1f rad/s: %d whirls, reduced", p->spin, n);
  }
  return true;
}

// Frequencies in a run of the full path after the push, as seen in ground axes.
static bool campbell_full(int *missed, motion *m, shaft *p, double top)
{
  const char *path[2] = { "full", "gmp" };
  mw_scenario *sc = motion_scenario(m, "fast");
  double root[6], push_ends = 0.02;
  if (!sc) return false;
  for (int k = 0; k < 2; k++) {
    mw_run run;
    p->spin = sc->action[0].signal.v = top;
    sc->duration = 1.0;
    bool good = motion_run(m, sc, path[k], &run);
    int n = whirls(p, root), from = (int)lround(push_ends / sc->store), found = 0;
    double omega[2], guess[2], e = NAN;
    for (int i = 0; i < n && found < 2; i++)
      if (fabs(root[i]) < 300.0) guess[found++] = fabs(root[i]);
    memcpy(omega, guess, sizeof omega);
    double *y = calloc((size_t)run.n_t + 1, sizeof *y);
    for (int i = from; good && y && i < run.n_t; i++) y[i - from] = run.y[(i * run.n_out) * 3 + 2];
    if (good && y && found == 2 && !isnan(motion_fit(run.n_t - from, sc->store, y, 2, omega)))
      e = fmax(fabs(omega[0] / guess[0] - 1.0), fabs(omega[1] / guess[1] - 1.0));
    motion_row(missed, e, 1e-3, "  spin %.1f rad/s, pushed: two whirls seen in the run, %s", top,
               k ? "reduced" : "full");
    free(y);
    mw_run_free(&run);
  }
  return true;
}

bool motion_rotor(int *missed)
{
  const double pi = acos(-1.0), d = 0.024;
  shaft p = { .L = 0.5,
              .EI = 210e9 * pi * pow(d, 4.0) / 64.0,
              .rhoA = 7850.0 * pi * d * d / 4.0,
              .mass = 5.0,
              .across = 0.0285,
              .polar = 0.05625 };
  double crit = NAN;
  motion m;
  bool good = motion_case("rotor-disk", NULL, &m) && motion_reduce(&m) &&
              motion_zeros(critical, &p, 20.0, 300.0, 500, 1, &crit) == 1;
  if (good) motion_note(crit, "  critical speed, rad/s");
  good = good && campbell(missed, &m, &p, 0.8 * crit) && campbell_full(missed, &m, &p, 0.8 * crit);
  motion_close(&m);
  return good;
}
