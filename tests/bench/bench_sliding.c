// SPDX-License-Identifier: BSD-3-Clause
// bench_sliding.c: moving masses and free carriages against the references, by the full path and
// the reduced model.
//
//   bench_sliding [factor ...]     factors of the scenarios' steps, default 1 0.5
//
// A row per scenario, path and step: largest error of the mid-span (or tip) and carriage deflection
// over the peak of the reference, of the carriage's position over its travel, elastic coordinates,
// wall time. References: tests/references (R09 moving mass, R11 carriage), every fifth row of
// series that two independent formulations agree on.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "reduction/reduce.h"
#include "rom_step.h"
#include "sim/dae.h"

enum { MAX_ROWS = 400, MAX_COLS = 16 };

typedef struct reference {
  int n;
  double v[MAX_ROWS][4];  // t, x, first output, second output (deflection, upward)
} reference;

typedef struct bench_case {
  const char *file, *scenario, *table;
  const char *column[2], *output[2];
  double sign;  // of the reference's deflection
} bench_case;

static const bench_case cases[] = {
  { "beam-carriage.yaml",
    "tenth",
    "R09_movingmass_alpha0.1_mu0.5_N120.csv",
    { "w_mid", "w_contact" },
    { "mid", "carriage" },
    -1 },
  { "beam-carriage.yaml",
    "half",
    "R09_movingmass_alpha0.5_mu0.5_N160.csv",
    { "w_mid", "w_contact" },
    { "mid", "carriage" },
    -1 },
  { "beam-carriage-light.yaml",
    "nine_tenths",
    "R09_movingmass_alpha0.9_mu0.1_N160.csv",
    { "w_mid", "w_contact" },
    { "mid", "carriage" },
    -1 },
  { "carriage-free.yaml",
    "force",
    "R11_C1_SS_force_N80.csv",
    { "w_mid", "w_contact" },
    { "mid", "carriage" },
    1 },
  { "carriage-free.yaml",
    "undriven",
    "R11_C3_SS_undriven_N80.csv",
    { "w_mid", "w_contact" },
    { "mid", "carriage" },
    1 },
  { "cantilever-carriage.yaml",
    "cycloid",
    "R11_C6_CF_prescribed_N80.csv",
    { "w_tip", "w_contact" },
    { "tip", "carriage" },
    1 },
};

static int column_of(char *header, const char *name)
{
  int k = 0;
  for (char *p = strtok(header, ",\r\n"); p; p = strtok(NULL, ",\r\n"), k++)
    if (strcmp(p, name) == 0) return k;
  return -1;
}

static bool read_reference(const bench_case *c, reference *r)
{
  char path[512], line[1024], copy[1024];
  int col[4] = { -1, -1, -1, -1 };
  snprintf(path, sizeof path, "%s/references/%s", MW_TESTS_DIR, c->table);
  FILE *f = fopen(path, "r");
  if (!f) return false;
  r->n = 0;
  while (fgets(line, sizeof line, f) && r->n < MAX_ROWS) {
    if (line[0] == '#') continue;
    if (col[0] < 0) {
      const char *names[4] = { "t", "x", c->column[0], c->column[1] };
      for (int k = 0; k < 4; k++) {
        memcpy(copy, line, sizeof copy);
        col[k] = column_of(copy, names[k]);
      }
      if (col[0] < 0 || col[1] < 0 || col[2] < 0 || col[3] < 0) break;
      continue;
    }
    double v[MAX_COLS] = { 0 };
    int n = 0;
    for (char *p = line, *end; n < MAX_COLS; p = end + 1, n++) {
      v[n] = strtod(p, &end);
      if (end == p || *end != ',') break;
    }
    for (int k = 0; k < 4; k++) r->v[r->n][k] = v[col[k]];
    r->n++;
  }
  fclose(f);
  return r->n > 1;
}

static int output_index(const mw_model *m, const char *name)
{
  for (int o = 0; o < m->n_output; o++)
    if (strcmp(m->output[o].name, name) == 0) return o;
  return -1;
}

// Largest errors of a run: deflections over the reference's peak, position over its travel.
static void errors_of(const bench_case *c, const reference *r, const mw_run *run, double e[3])
{
  double peak = 0.0, lo = INFINITY, hi = -INFINITY;
  e[0] = e[1] = e[2] = 0.0;
  for (int i = 0; i < r->n; i++) {
    peak = fmax(peak, fmax(fabs(r->v[i][2]), fabs(r->v[i][3])));
    lo = fmin(lo, r->v[i][1]);
    hi = fmax(hi, r->v[i][1]);
  }
  for (int i = 0; i < r->n; i++) {
    int k = (int)lround(r->v[i][0] / (run->t[1] - run->t[0]));
    if (k >= run->n_t) k = run->n_t - 1;
    for (int o = 0; o < 2; o++) {
      int out = output_index(run->model, c->output[o]);
      double z = run->y[(k * run->n_out + out) * 3 + 2];
      double d = fabs(z - c->sign * r->v[i][2 + o]) / peak;
      if (!(d <= e[o])) e[o] = d;
    }
    double d = fabs(run->s[k * run->n_coord] - r->v[i][1]) / (hi - lo);
    if (!(d <= e[2])) e[2] = d;
  }
}

static void print_row(const bench_case *c, const reference *r, const char *path, int elastic,
                      const mw_run *run)
{
  double e[3];
  errors_of(c, r, run, e);
  printf("%-26s %-12s %-12s %10.3e %7d %10.2e %10.2e %10.2e %10.2e %9.4f\n", c->file, c->scenario,
         path, run->step, elastic, e[0], e[1], e[2], run->energy_drift, run->wall_s);
}

static bool bench(const bench_case *c, int n_factor, const double *factor)
{
  char path[512];
  mw_error err = { 0 };
  reference *r = malloc(sizeof *r);
  mw_fixture f;
  mw_rom_file rom = { 0 };
  snprintf(path, sizeof path, "%s/%s", MW_CASES_DIR, c->file);
  bool ok = r && read_reference(c, r) && mw_fixture_file(path, &f);
  if (!ok) {
    free(r);
    return false;
  }
  ok = mw_fixture_okay(mw_reduce(&f.model, &f.mech, NULL, &rom, &err), &err);
  const mw_scenario *sc = NULL;
  for (int i = 0; i < f.model.n_scenario; i++)
    if (strcmp(f.model.scenario[i].name, c->scenario) == 0) sc = &f.model.scenario[i];
  for (int i = 0; ok && sc && i < n_factor; i++) {
    double h = sc->step * factor[i];
    mw_run run = { 0 };
    mw_dae_opt opt = mw_dae_opt_default();
    opt.step = h;
    ok = mw_fixture_okay(mw_dae_run(&f.mech, sc, "full", &opt, NULL, &run, &err), &err);
    if (ok) print_row(c, r, "full", rom.unknowns, &run);
    mw_run_free(&run);
    for (int leading = 0; ok && leading < 2; leading++) {
      rom.inertia = leading ? MW_ROM_LEADING : MW_ROM_FULL;
      ok = mw_fixture_okay(
          mw_rom_run(&f.model, &f.mech, &rom, sc, MW_ROM_STEP(h), NULL, &run, &err), &err);
      if (ok) print_row(c, r, leading ? "gmp leading" : "gmp full", rom.rom.m, &run);
      mw_run_free(&run);
    }
    rom.inertia = MW_ROM_FULL;
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
  free(r);
  return ok && sc;
}

int main(int argc, char **argv)
{
  double factor[8] = { 1.0, 0.5 };
  int n = argc > 1 ? 0 : 2, failed = 0;
  for (int i = 1; i < argc && n < 8; i++) factor[n++] = strtod(argv[i], NULL);
  printf("%-26s %-12s %-12s %10s %7s %10s %10s %10s %10s %9s\n", "case", "scenario", "path",
         "step s", "elastic", "output", "carriage", "position", "energy", "wall s");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (!bench(&cases[i], n, factor)) failed++;
  return failed > 0;
}
