// SPDX-License-Identifier: BSD-3-Clause
// bench_car.c: height of the car's body over 6 s, Figure 5 of Kasper and Vlasenko, beside
// what another program finds for the same car (tests/references/R19_car_*.csv).
//
//   bench_car [--svg FILE]
//
// The car falls on its wheels (ride), and takes a passenger of 1000 N at 2.5 s (passenger): RK4,
// steps of 1 ms. Judged: 1e-6 m and 1e-4 m/s². A line ends in `ok` or `FAILED`, exit status 1.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/plot_layer.h"
#include "fixture.h"
#include "rigid_problems.h"
#include "sim/run.h"

enum { N_RIDE = 2, MOST = 2000, EVERY = 5 };  // EVERY: instants stored for a row of the table

typedef struct ride {
  const char *scenario, *table, *title;
  int n, n_table;
  double t[MOST], z[MOST];  // s, m
  double t_table[MOST], z_table[MOST];
  double off, off_a;  // m, m/s²
} ride;

static int column(const mw_table *t, const char *name)
{
  for (int c = 0; c < t->n_col; c++)
    if (strcmp(t->column[c], name) == 0) return c;
  return -1;
}

// Columns of the table beside the run.
static bool differ(const mw_table *t, const mw_run *r, ride *k)
{
  int z = column(t, "z"), az = column(t, "az");
  if (z < 0 || az < 0 || r->n_t > MOST || t->n_row > MOST || EVERY * (t->n_row - 1) >= r->n_t)
    return false;
  k->n = r->n_t;
  k->n_table = t->n_row;
  for (int i = 0; i < r->n_t; i++) {
    k->t[i] = r->t[i];
    k->z[i] = r->y[3 * i + 2];
  }
  for (int i = 0; i < t->n_row; i++) {
    const double *x = t->x + i * t->n_col;
    int at = EVERY * i;
    if (fabs(r->t[at] - x[0]) > 1e-9) return false;
    k->t_table[i] = x[0];
    k->z_table[i] = x[z];
    k->off = fmax(k->off, fabs(k->z[at] - x[z]));
    k->off_a = fmax(k->off_a, fabs(mw_run_seen(r, 0, at)[2] - x[az]));
  }
  return true;
}

static bool drive(ride *k)
{
  const mw_problem p = { .name = k->scenario, .table = k->table };
  const mw_scenario *sc = NULL;
  mw_fixture f = { 0 };
  mw_table t = { 0 };
  mw_run r = { 0 };
  mw_error err = { 0 };
  if (!mw_fixture_file(MW_CASES_DIR "/car.yaml", &f)) return false;
  for (int i = 0; i < f.model.n_scenario; i++)
    if (strcmp(f.model.scenario[i].name, k->scenario) == 0) sc = &f.model.scenario[i];
  bool fine = sc && mw_problem_table(&p, sc, &t) &&
              mw_fixture_okay(mw_rigid_run(&f.mech, sc, NULL, NULL, &r, &err), &err) &&
              differ(&t, &r, k);
  mw_run_free(&r);
  mw_table_free(&t);
  mw_fixture_free(&f);
  if (!fine) return false;
  fine = k->off <= 1e-6 && k->off_a <= 1e-4;
  printf(
      "%-10s height of the body off by %.2e m <= 1e-6, its acceleration by %.2e m/s2 <= 1e-4  %s\n",
      k->scenario, k->off, k->off_a, fine ? "ok" : "FAILED");
  return fine;
}

static bool draw(const char *file, ride *k)
{
  enum { NTH = 2 };  // rows of the table that get a ring
  static double x[N_RIDE][MOST], y[N_RIDE][MOST];
  mw_curve curve[N_RIDE];
  mw_dots dots[N_RIDE];
  mw_panel panel[N_RIDE];
  for (int i = 0; i < N_RIDE; i++) {
    mw_shape shape;
    int n = 0;
    for (int j = 0; j < k[i].n_table; j += NTH, n++) {
      x[i][n] = k[i].t_table[j];
      y[i][n] = k[i].z_table[j];
    }
    curve[i] = (mw_curve){ .name = "modeway", .width = 1.6, .y = k[i].z };
    mw_plot_pen(0, &curve[i].color, &curve[i].dash, &shape);
    dots[i] = (mw_dots){
      .n = n, .x = x[i], .y = y[i], .color = "#c0392b", .shape = MW_SHAPE_RING, .radius = 2.2
    };
    panel[i] = (mw_panel){ .x_label = "t, s",
                           .y_label = "z of the car's body, m",
                           .n = k[i].n,
                           .x = k[i].t,
                           .n_curve = 1,
                           .curve = &curve[i],
                           .n_dots = 1,
                           .dots = &dots[i] };
    (void)snprintf(panel[i].title, sizeof panel[i].title, "%s; rings: another program", k[i].title);
  }
  FILE *f = fopen(file, "w");
  if (!f) return false;
  mw_plot_write(f, N_RIDE, N_RIDE, panel);
  return fclose(f) == 0;
}

int main(int argc, char **argv)
{
  static ride k[N_RIDE] = {
    { .scenario = "ride", .table = "R19_car_D.csv", .title = "the car falls on its wheels" },
    { .scenario = "passenger", .table = "R19_car_A.csv", .title = "a passenger of 1000 N at 2.5 s" }
  };
  const char *svg = argc == 3 && strcmp(argv[1], "--svg") == 0 ? argv[2] : NULL;
  bool fine = true;
  if (argc != 1 && !svg) return fprintf(stderr, "bench_car [--svg FILE]\n"), 2;
  for (int i = 0; i < N_RIDE; i++) fine = drive(&k[i]) && fine;
  if (svg && !draw(svg, k)) {
    fprintf(stderr, "%s cannot be written\n", svg);
    fine = false;
  }
  return fine ? 0 : 1;
}
