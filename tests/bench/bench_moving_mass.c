// SPDX-License-Identifier: BSD-3-Clause
// bench_moving_mass.c: the 500 kg carriage on a 10 m steel beam at 10 m/s (cases/steel-beam.yaml),
// full path and reduced model at several steps.
//
//   bench_moving_mass [step ...]      s, default 5e-4 2.5e-4 1.25e-4 6.25e-5 3.125e-5
//
// Reference in the same run: 20 sine modes with the moving mass eliminated,
//   q̈ = −ω² q − N φ ,  N = m (g − φ·ω²q + 2 v φ'·q̇ + v² φ''·q)/(1 + m φ·φ) ,
// by the classical Runge-Kutta method with 18000 steps; its lowest mid-span is −8.5518 mm, that
// published for the same beam −8.5513 mm. Scenario `cross` puts the carriage on suddenly, which
// rings in modes a step of 1 ms does not resolve; `settled` starts from the static deflection.
// Printed: lowest mid-span deflection; largest error of the mid-span over its peak, against the 20
// modes and against the same path at a quarter of the smallest step; the order log2 of successive
// errors of the latter; wall time of the stepping.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "reduction/reduce.h"
#include "rom_step.h"
#include "sim/dae.h"

enum { MODES = 20, STEPS = 18000, STORED = 900, FINER = 4 };

static const double L = 10.0, M = 500.0, G = 9.81, V = 10.0, START = 0.5, T = 0.9;

static void rate(double t, const double *y, double *dy)
{
  const double mu = 7850.0 * 0.02, EI = 210e9 * 0.1 * 0.2 * 0.2 * 0.2 / 12.0, pi = acos(-1.0);
  double phi[MODES], w2[MODES], x = START + V * t, s = sqrt(2.0 / (mu * L)), num = G, den = 1.0;
  for (int n = 0; n < MODES; n++) {
    double k = (n + 1) * pi / L;
    w2[n] = k * k * k * k * EI / mu;
    phi[n] = s * sin(k * x);
    num += -phi[n] * w2[n] * y[n] + 2.0 * V * s * k * cos(k * x) * y[MODES + n] -
           V * V * k * k * phi[n] * y[n];
    den += M * phi[n] * phi[n];
  }
  for (int n = 0; n < MODES; n++) {
    dy[n] = y[MODES + n];
    dy[MODES + n] = -w2[n] * y[n] - M * num / den * phi[n];
  }
}

// Mid-span deflection at STORED + 1 instants.
static void reference(bool settled, double *mid)
{
  double y[2 * MODES] = { 0 }, k[4][2 * MODES], z[2 * MODES], h = T / STEPS;
  const double mu = 7850.0 * 0.02, pi = acos(-1.0), c[4] = { 0.0, 0.5, 0.5, 1.0 };
  for (int n = 0; settled && n < MODES; n++) {
    double wave = (n + 1) * pi / L, w2 = pow(wave, 4.0) * 210e9 * 0.1 * 0.2 * 0.2 * 0.2 / 12.0 / mu;
    y[n] = -M * G * sqrt(2.0 / (mu * L)) * sin(wave * START) / w2;
  }
  for (int i = 0; i <= STEPS; i++) {
    if (i % (STEPS / STORED) == 0 && i / (STEPS / STORED) <= STORED) {
      double w = 0.0;
      for (int n = 0; n < MODES; n++) w += sqrt(2.0 / (mu * L)) * sin((n + 1) * pi / 2.0) * y[n];
      mid[i / (STEPS / STORED)] = w;
    }
    for (int r = 0; r < 4; r++) {
      for (int j = 0; j < 2 * MODES; j++) z[j] = y[j] + (r > 0 ? c[r] * h * k[r - 1][j] : 0.0);
      rate(i * h + c[r] * h, z, k[r]);
    }
    for (int j = 0; j < 2 * MODES; j++)
      y[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
  }
}

// Mid-span deflections of a run at the stored instants of the reference; NaN between its own.
static void series(const mw_run *run, double *mid)
{
  for (int i = 0; i <= STORED; i++) mid[i] = NAN;
  for (int k = 0; k < run->n_t; k++) {
    double at = run->t[k] / T * STORED;
    int i = (int)lround(at);
    if (fabs(at - i) < 1e-6) mid[i] = run->y[(k * run->n_out) * 3 + 2];
  }
}

// Largest difference over the peak of b.
static double difference(const double *a, const double *b)
{
  double peak = 0.0, e = 0.0;
  for (int i = 0; i <= STORED; i++) {
    if (isnan(a[i]) || isnan(b[i])) continue;
    peak = fmax(peak, fabs(b[i]));
    e = fmax(e, fabs(a[i] - b[i]));
  }
  return e / peak;
}

// One run of a path (gmp or full) with its mid-span series.
static bool run_path(mw_fixture *f, const mw_rom_file *rom, mw_scenario *sc, bool gmp, double step,
                     double *mid, mw_run *run)
{
  mw_error err = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  opt.step = step;
  sc->store = fmax(step, 1e-3);
  bool good = mw_fixture_okay(
      gmp ? mw_rom_run(&f->model, &f->mech, rom, sc, MW_ROM_STEP(step), NULL, run, &err)
          : mw_dae_run(&f->mech, sc, "full", &opt, NULL, run, &err),
      &err);
  if (good) series(run, mid);
  return good;
}

// A row a path and step for one scenario.
static bool bench(mw_fixture *f, const mw_rom_file *rom, mw_scenario *sc, int n, const double *step)
{
  static double modes[STORED + 1], limit[STORED + 1], mid[STORED + 1];
  bool good = true;
  reference(sc->static_start, modes);
  printf("%s\n%-6s %10s %8s %12s %12s %12s %7s %10s\n", sc->name, "path", "step s", "elastic",
         "lowest mm", "to 20 modes", "to own limit", "order", "wall ms");
  for (int gmp = 0; good && gmp < 2; gmp++) {
    mw_run run = { 0 };
    double last = NAN;
    good = run_path(f, rom, sc, gmp == 1, step[n - 1] / FINER, limit, &run);
    mw_run_free(&run);
    for (int i = 0; good && i < n; i++) {
      good = run_path(f, rom, sc, gmp == 1, step[i], mid, &run);
      double lowest = 0.0, e = good ? difference(mid, limit) : NAN;
      for (int k = 0; k < run.n_t; k++) lowest = fmin(lowest, run.y[(k * run.n_out) * 3 + 2]);
      if (good)
        printf("%-6s %10.1e %8d %12.5f %12.3e %12.3e %7.2f %10.3f\n", gmp ? "gmp" : "full", step[i],
               gmp ? rom->rom.m : rom->unknowns, 1e3 * lowest, difference(mid, modes), e,
               log2(last / e), 1e3 * run.wall_s);
      last = e;
      mw_run_free(&run);
    }
  }
  return good;
}

int main(int argc, char **argv)
{
  double step[16] = { 5e-4, 2.5e-4, 1.25e-4, 6.25e-5, 3.125e-5 };
  int n = argc > 1 ? 0 : 5;
  for (int i = 1; i < argc && n < 16; i++) step[n++] = strtod(argv[i], NULL);
  mw_error err = { 0 };
  mw_fixture f;
  mw_rom_file rom = { 0 };
  if (!mw_fixture_file(MW_CASES_DIR "/steel-beam.yaml", &f)) return 1;
  bool good = mw_fixture_okay(mw_reduce(&f.model, &f.mech, NULL, &rom, &err), &err);
  for (int k = 0; good && k < f.model.n_scenario; k++)
    good = bench(&f, &rom, &f.model.scenario[k], n, step);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
  return !good;
}
