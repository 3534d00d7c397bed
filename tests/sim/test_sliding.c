// SPDX-License-Identifier: BSD-3-Clause
// test_sliding.c: masses and free carriages on beams, the full path against references made by
// other means.
//
// References (tests/references): Galerkin series of 80 or 160 modes, known to 1e-6 of the static
// deflection. A run differs from them by
//   the step   4/3 of the difference between runs at h and h/2 bounds the error at h of a method of
//              order 2
//   the mesh   64 cubic elements of length l = 1/64 under a point load that stands within an
//              element: local error
//              F l³/192 EI at most, against a deflection of F/48 EI: l³/4 = 1e-6 statically; the
//                path's kinks and the
//              spline between nodes cost a few of these, and modes above the mesh's tenth, where (k
//                l)⁴/720 is 1e-5
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "sim/dae.h"

static const double MESH = 2e-5;  // of the peak

enum { MAX_ROWS = 100, MAX_COLS = 16 };

typedef struct table {
  int n;
  double t[MAX_ROWS], x[MAX_ROWS],
      w[2][MAX_ROWS];  // s; m; m, deflection of the output and of the carriage
} table;

static int column_of(const char *header, const char *name)
{
  size_t len = strlen(name);
  int k = 0;
  for (const char *p = header; *p; k++) {
    size_t n = strcspn(p, ",\r\n");
    if (n == len && strncmp(p, name, n) == 0) return k;
    p += n;
    p += strspn(p, ",\r\n");
  }
  return -1;
}

static bool read_table(const char *file, const char *output, table *out)
{
  const char *names[4] = { "t", "x", output, "w_contact" };
  char path[512], line[1024];
  int col[4] = { -1, -1, -1, -1 };
  snprintf(path, sizeof path, "%s/references/%s", MW_TESTS_DIR, file);
  FILE *f = fopen(path, "r");
  if (!MW_CHECK(f != NULL)) return false;
  out->n = 0;
  while (fgets(line, sizeof line, f) && out->n < MAX_ROWS) {
    if (line[0] == '#') continue;
    if (col[0] < 0) {
      for (int k = 0; k < 4; k++) col[k] = column_of(line, names[k]);
      if (col[0] < 0 || col[1] < 0 || col[2] < 0 || col[3] < 0) break;
      continue;
    }
    double v[MAX_COLS] = { 0 };
    char *p = line;
    for (int n = 0; n < MAX_COLS; n++) {
      v[n] = strtod(p, &p);
      if (*p++ != ',') break;
    }
    out->t[out->n] = v[col[0]];
    out->x[out->n] = v[col[1]];
    out->w[0][out->n] = v[col[2]];
    out->w[1][out->n++] = v[col[3]];
  }
  fclose(f);
  return MW_CHECK(out->n > 10);
}

static const mw_scenario *scenario_of(const mw_model *m, const char *name)
{
  for (int i = 0; i < m->n_scenario; i++)
    if (strcmp(m->scenario[i].name, name) == 0) return &m->scenario[i];
  return NULL;
}

static int output_of(const mw_model *m, const char *name)
{
  for (int o = 0; o < m->n_output; o++)
    if (strcmp(m->output[o].name, name) == 0) return o;
  return 0;
}

typedef struct task {
  const char *file, *scenario, *table, *column, *output;
  double sign;  // of the table's deflections, upwards
} task;

// Stored instant of a run at the time t.
static int instant(const mw_run *r, double t)
{
  int k = (int)lround(t / (r->t[1] - r->t[0]));
  return k < r->n_t ? k : r->n_t - 1;
}

static void compare(const task *c, const table *ref, const mw_run *fine, const mw_run *coarse)
{
  const char *output[2] = { c->output, "carriage" };
  double peak = 0.0, far = 0.0, step_x = 0.0;
  for (int i = 0; i < ref->n; i++) {
    peak = fmax(peak, fmax(fabs(ref->w[0][i]), fabs(ref->w[1][i])));
    far = fmax(far, fabs(ref->x[i] - ref->x[0]));
    int k = instant(fine, ref->t[i]);
    step_x = fmax(step_x, fabs(fine->s[k] - coarse->s[k]));
  }
  for (int o = 0; o < 2; o++) {
    int out = output_of(fine->model, output[o]);
    double worst = 0.0, step = 0.0;
    for (int i = 0; i < ref->n; i++) {
      size_t k = (size_t)(instant(fine, ref->t[i]) * fine->n_out + out) * 3 + 2;
      worst = fmax(worst, fabs(fine->y[k] - c->sign * ref->w[o][i]));
      step = fmax(step, fabs(fine->y[k] - coarse->y[k]));
    }
    printf("%s %s: %.2e of the peak (step %.2e)\n", c->scenario, output[o], worst / peak,
           step / 3 / peak);
    // the difference of the two runs is three times the error of the finer one
    MW_NEAR(worst / peak, 0.0, 4.0 / 3 * step / 3 / peak + MESH);
  }
  for (int i = 0; i < ref->n; i++)
    MW_NEAR(fine->s[instant(fine, ref->t[i])], ref->x[i], 4.0 / 3 * step_x / 3 + MESH * far);
}

static void follow(const task *c)
{
  char path[512];
  mw_fixture f;
  mw_run fine = { 0 }, coarse = { 0 };
  mw_error err = { 0 };
  static table ref;
  snprintf(path, sizeof path, "%s/%s", MW_CASES_DIR, c->file);
  if (!read_table(c->table, c->column, &ref) || !MW_CHECK(mw_fixture_file(path, &f))) return;
  const mw_scenario *sc = scenario_of(&f.model, c->scenario);
  mw_dae_opt opt = mw_dae_opt_default();
  if (MW_CHECK(sc != NULL) && MW_OKAY(mw_dae_run(&f.mech, sc, "full", &opt, NULL, &fine, &err))) {
    opt.step = 2.0 * sc->step;
    if (MW_OKAY(mw_dae_run(&f.mech, sc, "full", &opt, NULL, &coarse, &err))) {
      compare(c, &ref, &fine, &coarse);
      // the balance of energy is of second order too; nothing is lost on a moving contact
      MW_CHECK(fine.energy_drift < 0.3 * coarse.energy_drift);
      MW_CHECK(fine.energy_drift < 1e-5);
    }
  }
  mw_run_free(&fine);
  mw_run_free(&coarse);
  mw_fixture_free(&f);
}

static void moving_mass_follows_the_series(void)
{
  follow(&(task){ "beam-carriage.yaml", "half", "R09_movingmass_alpha0.5_mu0.5_N160.csv", "w_mid",
                  "mid", -1 });
  follow(&(task){ "beam-carriage-light.yaml", "nine_tenths",
                  "R09_movingmass_alpha0.9_mu0.1_N160.csv", "w_mid", "mid", -1 });
}

static void pushed_carriage_finds_its_path(void)
{
  follow(&(task){ "carriage-free.yaml", "force", "R11_C1_SS_force_N80.csv", "w_mid", "mid", 1 });
}

static void rolling_carriage_finds_its_path(void)
{
  follow(
      &(task){ "carriage-free.yaml", "undriven", "R11_C3_SS_undriven_N80.csv", "w_mid", "mid", 1 });
}

static void carriage_on_a_cantilever_follows_the_series(void)
{
  follow(&(task){ "cantilever-carriage.yaml", "cycloid", "R11_C6_CF_prescribed_N80.csv", "w_tip",
                  "tip", 1 });
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "moving_mass_follows_the_series", moving_mass_follows_the_series },
    { "pushed_carriage_finds_its_path", pushed_carriage_finds_its_path },
    { "rolling_carriage_finds_its_path", rolling_carriage_finds_its_path },
    { "carriage_on_a_cantilever_follows_the_series", carriage_on_a_cantilever_follows_the_series },
  };
  return mw_test_run("sliding", cases, (int)(sizeof cases / sizeof *cases));
}
