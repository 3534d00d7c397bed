// SPDX-License-Identifier: BSD-3-Clause
// bench_strain.c: the full path where strains are not linear, against closed forms and published references.
//
//   spin-up     arm of 8 m turned up to 4 rad/s (Wu and Haug), cut into 1 to 8 bodies            tests/references/R17
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "sim/dae.h"

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
    "sections: {tube: {general: {A: 7.2968e-5, Iy: 8.2189e-9, Iz: 8.2189e-9, It: 1.6438e-8, ky: 0.8333, kz: 0.8333}}}\n"
    "bodies:\n  arm:\n    beams:\n      points: {root: [0, 0, 0], tip: [8, 0, 0]}\n"
    "      members: [{from: root, to: tip, section: tube, material: alu, elements: 16}]\n      divide: %d\n"
    "    frames: {root: {node: root}, tip: {node: tip}}\n"
    "joints:\n  hub: {revolute: {a: ground, b: arm.root, axis: [0, 0, 1]}, coordinate: phi, drive: motor}\n"
    "outputs: {tip: {frame: arm.tip}}\n"
    "scenarios:\n  spin:\n    duration: 20\n    step: 2.5e-3\n    store: 0.25\n    initial: undeformed\n"
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
    if (n < 4)  // what turns by 0.1 rad within a body errs by the square of that: not judged
      note(worst / peak, what);
    else
      row(worst / peak, 1e-3, what);
    mw_run_free(&run);
    mw_fixture_free(&f);
  }
  return true;
}

int main(void)
{
  bool all = spin_up();
  return !all || missed > 0;
}
