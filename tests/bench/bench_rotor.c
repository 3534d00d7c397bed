// SPDX-License-Identifier: BSD-3-Clause
// bench_rotor.c: the exponential step on rotors without damping that spin up to twice their first
// frequency; exit status 1: a limit was missed.
//
//   mass points on springs in a turning frame, both directions alike:  per pair of columns a (x,
//                                                                      y), a = 1 … N
//   T = 1/2 J v² + v e δ·δ̇ + 1/2 v² |δ|² + 1/2 |δ̇|² ,  V = 1/2 ω_a² |δ|²        e_ab = 1: (δ_x,
//       δ_y) → (-δ_y, δ_x)      (1)
// Rate given (v = Ω): z = δ_x + i δ_y follows z'' + 2 i Ω z' + (ω² - Ω²) z = 0, so
//   z = A e^{i (ω - Ω) t} + B e^{-i (ω + Ω) t}                                                  (2)
// and Jacobi's integral 1/2 |δ̇|² + 1/2 (ω² - Ω²) |δ|² is constant, of either sign. Rate free: with
// p = J v + δ_x δ̇_y - δ_y δ̇_x
// + v |δ|² the angular momentum and the energy are constant, in (1) as in the step's limit of small
//   h.
// The step damps a mode by (h ω)⁶/7200 a step, so these decay. Judged in 10⁵ steps: the largest
// amplitude and Jacobi's integral, over what they are made of at the start; the order of the error
// against (2), for the free rate against RK4 with 64 times the steps. Printed beside them: the
// change of the angular momentum, which the step keeps to its order only.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rom/step.h"

enum { N_PAIR = 2, M = 2 * N_PAIR, NX = 2 * (1 + M), N_GRID = 4, LONG = 100000 };
static const double OMEGA[N_PAIR] = { 115.0, 400.0 };  // rad/s
static const double INERTIA = 2.0;                     // J, kg m²

typedef struct rotor {
  mw_rom rom;
  double *coef, c_theta, delta_max[M];
  void *work;
} rotor;

static int n_missed;

static void row(const char *what, double value, double limit, bool most)
{
  bool met = most ? value <= limit : value >= limit;
  n_missed += !met;
  printf("  %-58s %10.3g %s %-8g %s\n", what, value, most ? "<=" : ">=", limit,
         met ? "met" : "MISSED");
}

static bool make(rotor *r)
{
  *r = (rotor){ 0 };
  mw_rom_layout l = mw_rom_layout_of((mw_rom_shape){ .s = 1, .m = M });
  r->rom = (mw_rom){ .s = 1, .m = M, .n_field = l.n, .n_grid = { N_GRID }, .cyclic = 1 };
  r->rom.lo[0] = 0.0;
  r->rom.hi[0] = 2.0 * acos(-1.0);
  r->coef = calloc((N_GRID + 2) * (size_t)l.n, sizeof *r->coef);
  if (!r->coef) return false;
  for (int k = 0; k < N_GRID + 2; k++) {
    double *f = r->coef + k * l.n;
    f[l.a] = INERTIA;
    for (int a = 0; a < M; a++) {
      f[l.K + a * (a + 3) / 2] = OMEGA[a / 2] * OMEGA[a / 2];
      f[l.c + a * (a + 3) / 2] = 1.0;
    }
    for (int p = 0; p < N_PAIR; p++) f[l.e + (2 * p + 1) * (2 * p) / 2 + 2 * p] = 1.0;
  }
  for (int a = 0; a < M; a++) r->delta_max[a] = INFINITY;
  r->rom.coef = r->coef;
  r->rom.c_theta = &r->c_theta;
  r->rom.delta_max = r->delta_max;
  static const double no_slope[1] = { 0.0 };
  r->rom.y_slope = no_slope;
  r->work = aligned_alloc(64, mw_rom_work_bytes(&r->rom));
  return r->work != NULL;
}

static void release(rotor *r)
{
  free(r->coef);
  free(r->work);
}

// (2) of pair p at t with A, B of the size of a millimetre: z and z'.
static void closed_form(int p, double spin, double t, double *x)
{
  static const double A = 1e-3, B = 0.6e-3;
  double w = OMEGA[p], f = (w - spin) * t, b = -(w + spin) * t;
  double *z = x + 1 + 2 * p, *rate = x + 1 + M + 1 + 2 * p;
  z[0] = A * cos(f) + B * cos(b);
  z[1] = A * sin(f) + B * sin(b);
  rate[0] = -(w - spin) * A * sin(f) + (w + spin) * B * sin(b);
  rate[1] = (w - spin) * A * cos(f) - (w + spin) * B * cos(b);
}

// Free rates with a deflection of a tenth: its share of the moment of inertia is felt.
static double size_of(bool free_rate) { return free_rate ? 64.0 : 1.0; }

static void start(double spin, bool free_rate, double *x)
{
  memset(x, 0, NX * sizeof *x);
  for (int p = 0; p < N_PAIR; p++) closed_form(p, spin, 0.0, x);
  for (int k = 0; k < NX; k++) x[k] *= size_of(free_rate);
  x[1 + M] = spin;
}

static bool run(rotor *r, mw_rom_method method, bool free_rate, double h, int n, double *x)
{
  mw_rom_opt opt = mw_rom_opt_default();
  opt.method = method;
  opt.prescribed = free_rate ? 0u : 1u;
  for (int k = 0; k < n; k++)
    if (mw_rom_step(&(mw_rom_call){ .rom = &r->rom, .opt = &opt, .h = h, .work = r->work }, x) !=
        MW_ROM_OK)
      return false;
  return true;
}

// Of pair 0: squared amplitude, and of all: Jacobi's integral or the energy, what it is made of,
// and the momentum.
typedef struct integrals {
  double amplitude, jacobi, size, momentum;
} integrals;

static integrals take(const double *x)
{
  integrals q = { 0 };
  const double *d = x + 1, *w = x + 2 + M;
  double v = x[1 + M], swept = 0.0;
  q.momentum = INERTIA * v;
  for (int a = 0; a < M; a++) {
    double k = OMEGA[a / 2] * OMEGA[a / 2];
    q.jacobi += 0.5 * w[a] * w[a] + 0.5 * (k - v * v) * d[a] * d[a];
    q.size += 0.5 * w[a] * w[a] + 0.5 * (k + v * v) * d[a] * d[a];
    q.momentum += v * d[a] * d[a];
    if (a % 2 == 0) swept += d[a] * w[a + 1] - d[a + 1] * w[a];
    q.amplitude += a < 2 ? d[a] * d[a] : 0.0;
  }
  q.momentum += swept;
  return q;
}

// LONG steps: nothing may grow.
static void stability(rotor *r, double spin, double hw, bool free_rate)
{
  double x[NX], h = hw / OMEGA[0], most = 0.0, jacobi = 0.0, momentum = 0.0;
  start(spin * OMEGA[0], free_rate, x);
  integrals first = take(x);
  double bound = 1.6e-3 * size_of(free_rate);  // A + B of (2)
  bool going = true;
  for (int k = 0; going && k < LONG / 100; k++) {
    going = run(r, MW_ROM_EXPONENTIAL, free_rate, h, 100, x);
    integrals q = take(x);
    most = fmax(most, sqrt(q.amplitude) / bound);
    jacobi = fmax(jacobi, fabs(q.jacobi) / first.size);
    momentum = fmax(momentum, fabs(q.momentum - first.momentum));
  }
  char what[96];
  snprintf(what, sizeof what, "spin %.2f, h omega %.3g, rate %s: amplitude", spin, hw,
           free_rate ? "free" : "given");
  row(what, going ? most : INFINITY, 1.01, true);
  row("  Jacobi's integral, of what it is made of at the start", jacobi, 1.01, true);
  if (free_rate)
    printf("    %-56s %10.3g\n", "change of the angular momentum, of itself",
           momentum / fabs(first.momentum));
}

static double error_of(rotor *r, double spin, bool free_rate, int n, const double *want)
{
  double x[NX], e = 0.0;
  start(spin * OMEGA[0], free_rate, x);
  if (!run(r, MW_ROM_EXPONENTIAL, free_rate, 0.05 / n, n, x)) return INFINITY;
  for (int a = 0; a < M; a++)
    e = fmax(e, fabs(x[1 + a] - want[1 + a]) / (1.6e-3 * size_of(free_rate)));
  return e;
}

static void order(rotor *r, double spin, bool free_rate)
{
  double want[NX], e[3];
  start(spin * OMEGA[0], free_rate, want);
  if (free_rate)
    (void)run(r, MW_ROM_RK4, true, 0.05 / 16384, 16384, want);
  else
    for (int p = 0; p < N_PAIR; p++) closed_form(p, spin * OMEGA[0], 0.05, want);
  for (int k = 0; k < 3; k++) e[k] = error_of(r, spin, free_rate, 64 << k, want);
  printf("  spin %.2f, rate %s: errors %.2e %.2e %.2e of the amplitude\n", spin,
         free_rate ? "free" : "given", e[0], e[1], e[2]);
  row("    order", log2(e[1] / e[2]), free_rate ? 1.9 : 4.5, false);
}

int main(void)
{
  static const double spins[] = { 0.5, 0.95, 1.3, 2.0 }, steps[] = { 0.05, 0.2, 0.5 };
  rotor r;
  if (!make(&r)) return 2;
  printf("rotor of %g and %g rad/s without damping, exponential step, %d steps\n", OMEGA[0],
         OMEGA[1], LONG);
  for (int s = 0; s < 4; s++)
    for (int k = 0; k < 3; k++)
      for (int f = 0; f < 2; f++) stability(&r, spins[s], steps[k], f);
  printf("order\n");
  for (int s = 0; s < 4; s += 3)
    for (int f = 0; f < 2; f++) order(&r, spins[s], f);
  release(&r);
  printf("%d limits missed\n", n_missed);
  return n_missed > 0;
}
