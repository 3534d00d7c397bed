// SPDX-License-Identifier: BSD-3-Clause
// bench_workprecision.c: processor time over achieved error of all methods of the rigid path. The
// counterpart of Figure 5 of Kraus, Winckler, Bock (2001).
//
//   bench_workprecision [--projections] [--svg OUT.svg] [PROBLEM ...]
//
// The rigid reference problems (all, or those named) by every method at several tolerances or
// steps. Constraints are kept to 1e-12; with --projections to 1e-4, 1e-6, …, 1e-12, each. A line:
// problem, method, tolerance or step, projection; largest error of coordinates and points against
// the reference table, m or rad; processor time of the stepping, s, the least of three runs where
// one is short; right-hand sides are what it consists of. At most some hundred instants are stored.
// Behind each problem: which method reaches what a default of SUNDIALS (cvode, adams, ida at 1e-8)
// reaches in the least time, and which tolerances methods fail at; at the end whether a method that
// is not of SUNDIALS is ahead of these defaults on every one. The picture has a panel a problem and
// projection.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "draw/plot_layer.h"
#include "rigid_problems.h"
#include "sim/simulation.h"

enum { N_SET = 7, N_PROJECTION = 5, N_POINT = MW_N_METHOD * N_SET, MAX_PANEL = 80 };

static const double projection[N_PROJECTION] = { 1e-12, 1e-10, 1e-8, 1e-6, 1e-4 };
static const double tolerance[N_SET] = { 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10, 1e-12 };
// steps over those of the scenario
static const double parts[N_SET] = { 16.0, 8.0, 4.0, 2.0, 1.0, 0.5, 0.25 };

// A problem at one projection; NaN where a method failed or took too long.
typedef struct cell {
  char title[96];
  double error[N_POINT], time[N_POINT];  // [method × setting]  m or rad; s
  bool ahead;                            // of the defaults of SUNDIALS
} cell;

static double processor_s(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- a run --------------------------------------------------------------------------------------

// False: the method fails, or needs more than LONG.
static bool run_once(const mw_case *c, const mw_scenario *sc, const mw_path_opt *o, mw_run *r,
                     double *took)
{
  static const double LONG = 1.0;  // s
  mw_error err = { 0 };
  mw_sim *s = NULL;
  bool ok = mw_sim_open(c, sc, "rigid", o, &s, &err) == MW_OK;
  double begin = processor_s();
  for (*took = 0.0; ok && !mw_sim_ended(s) && *took < LONG; *took = processor_s() - begin)
    ok = mw_sim_step(s, &err) == MW_OK;
  ok = ok && mw_sim_ended(s) && mw_sim_finish(s, r, &err) == MW_OK;
  mw_sim_close(s);
  return ok;
}

// The scenario with few instants stored: where they are many, storing is what takes the time.
static mw_scenario sparse(const mw_scenario *sc)
{
  enum { FEW = 100 };
  mw_scenario out = *sc;
  long n = lround(sc->duration / sc->store), part = 1;
  for (long k = 2; k <= n; k++)
    if (n % k == 0 && n / part > FEW) part = k;
  out.store = sc->duration / (double)(n / part);
  return out;
}

static void measure(const mw_problem *p, const mw_case *c, const mw_table *t, mw_rigid_in in,
                    double step, double *error, double *least)
{
  static const double SHORT = 0.1;  // s
  mw_scenario sc = sparse(mw_problem_scenario(p, &(mw_fixture){ .model = c->model }));
  mw_path_opt o = { .step = step, .rigid = &in };
  double took = 0.0;
  *error = *least = NAN;
  for (int k = 0; k < 3 && took < SHORT; k++) {
    mw_run r = { 0 };
    if (!run_once(c, &sc, &o, &r, &took)) return;
    *error = r.event ? NAN : mw_problem_compare(p, t, &r, sc.duration).q;
    *least = k == 0 ? took : fmin(*least, took);
    mw_run_free(&r);
  }
}

// ---- a problem ----------------------------------------------------------------------------------

// Methods of SUNDIALS; their default is setting DEFAULT, 1e-8.
enum { N_SUNDIALS = 3, DEFAULT = 4 };
static const mw_method sundials[N_SUNDIALS] = { MW_METHOD_CVODE, MW_METHOD_ADAMS, MW_METHOD_IDA };

static bool of_sundials(int point)
{
  for (int k = 0; k < N_SUNDIALS; k++)
    if (point / N_SET == (int)sundials[k]) return true;
  return false;
}

// The fastest point, not of SUNDIALS, whose error is at most this one; −1: none.
static int fastest_of(const cell *c, double error)
{
  int best = -1;
  for (int i = 0; i < N_POINT; i++)
    if (!of_sundials(i) && c->error[i] <= error && (best < 0 || c->time[i] < c->time[best]))
      best = i;
  return best;
}

static void name_failures(const mw_problem *p, const cell *c)
{
  for (int m = 0; m < MW_N_METHOD; m++) {
    int failed = 0;
    for (int k = 0; k < N_SET; k++) {
      if (!isnan(c->error[m * N_SET + k])) continue;
      if (failed++ == 0)
        printf("# %s: %s fails, or takes more than 1 s, at", p->name, mw_method_name((mw_method)m));
      if (mw_method_adapts((mw_method)m))
        printf(" %.0e", tolerance[k]);
      else
        printf(" %g of the step", parts[k]);
    }
    if (failed > 0) printf("\n");
  }
}

// Whether a method that is not of SUNDIALS takes less time than each default that has a figure, and
// errs no more.
static bool judge(const mw_problem *p, const cell *c)
{
  bool ahead = true;
  name_failures(p, c);
  for (int k = 0; k < N_SUNDIALS; k++) {
    int base = (int)sundials[k] * N_SET + DEFAULT, best = fastest_of(c, c->error[base]);
    const char *name = mw_method_name(sundials[k]);
    if (isnan(c->error[base])) {
      printf("# %s: %s 1e-8 has no figure\n", p->name, name);
      continue;
    }
    bool faster = best >= 0 && c->time[best] < c->time[base];
    ahead = ahead && faster;
    printf("# %s: %s 1e-8 %.1e in %.2f ms; ", p->name, name, c->error[base], 1e3 * c->time[base]);
    if (best < 0)
      printf("no other method reaches that error\n");
    else
      printf("fastest of that error: %s, %.1e in %.2f ms, %.1f times as fast\n",
             mw_method_name((mw_method)(best / N_SET)), c->error[best], 1e3 * c->time[best],
             c->time[base] / c->time[best]);
  }
  return ahead;
}

static void measure_cell(const mw_problem *p, const mw_case *c, const mw_table *t, double gap,
                         cell *out)
{
  const mw_scenario *sc = mw_problem_scenario(p, &(mw_fixture){ .model = c->model });
  snprintf(out->title, sizeof out->title, "%s, projection %.0e", p->name, gap);
  for (int i = 0; i < N_POINT; i++) {
    mw_rigid_in in = mw_rigid_run_opt_default(sc).rigid;
    in.method = (mw_method)(i / N_SET);
    bool adapts = mw_method_adapts(in.method);
    double step = adapts ? sc->step : sc->step * parts[i % N_SET];
    in.projection = gap;
    // implicit fixed steps: their equations are solved as closely as the constraints are kept
    in.tolerance = adapts ? tolerance[i % N_SET] : fmax(gap, 1e-12);
    measure(p, c, t, in, step, &out->error[i], &out->time[i]);
    printf("%-21s %-9s %8.1e %8.0e  %8.1e %10.5f\n", p->name, mw_method_name(in.method),
           adapts ? in.tolerance : step, gap, out->error[i], out->time[i]);
    fflush(stdout);
  }
  out->ahead = judge(p, out);
}

static bool measure_problem(const mw_problem *p, int n, cell *out)
{
  mw_fixture f;
  mw_table t = { 0 };
  if (!mw_problem_open(p, &f)) return false;
  // a view of what the fixture owns
  mw_case c = { .model = f.model, .body = f.body, .mech = f.mech };
  const mw_scenario *sc = mw_problem_scenario(p, &f);
  bool ok = sc && mw_problem_table(p, sc, &t);
  for (int k = 0; ok && k < n; k++) measure_cell(p, &c, &t, projection[k], &out[k]);
  mw_table_free(&t);
  mw_fixture_free(&f);
  return ok;
}

static void print_verdict(int n, const cell *c)
{
  int behind = 0;
  for (int k = 0; k < n; k++) {
    if (!c[k].ahead) printf("# not ahead of the defaults of SUNDIALS: %s\n", c[k].title);
    behind += !c[k].ahead;
  }
  printf("# ahead of the defaults of SUNDIALS on %d of %d\n", n - behind, n);
}

// ---- picture ------------------------------------------------------------------------------------

static bool shown(const cell *c, int i)
{
  return isfinite(c->error[i]) && c->error[i] > 0.0 && c->time[i] > 0.0;
}

static int by_value(const void *a, const void *b)
{
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

// Curves of all methods over the decades of all errors, which they share as abscissae.
static void make_panel(const cell *c, mw_arena *mem, mw_panel *p)
{
  double *x = mw_arena_f64(mem, N_POINT);
  p->curve = mw_arena_alloc(mem, MW_N_METHOD, sizeof *p->curve);
  if (!x || !p->curve) return;
  for (int i = 0; i < N_POINT; i++)
    if (shown(c, i)) x[p->n++] = log10(c->error[i]);
  qsort(x, (size_t)p->n, sizeof *x, by_value);
  for (int m = 0; m < MW_N_METHOD; m++) {
    double *y = mw_arena_f64(mem, (size_t)p->n);
    mw_shape shape;
    for (int k = 0; y && k < p->n; k++) y[k] = NAN;
    for (int i = m * N_SET; y && i < (m + 1) * N_SET; i++)
      for (int k = 0; shown(c, i) && k < p->n; k++)
        if (x[k] == log10(c->error[i])) y[k] = c->time[i];
    p->curve[m] = (mw_curve){ .name = mw_method_name((mw_method)m), .width = 1.5, .y = y };
    mw_plot_pen(m, &p->curve[m].color, &p->curve[m].dash, &shape);
  }
  p->x = x;
  p->n_curve = MW_N_METHOD;
  p->log_y = true;
  p->dip = 1e-9;  // all of each curve
  snprintf(p->title, sizeof p->title, "%s", c->title);
  snprintf(p->x_label, sizeof p->x_label, "decades of the error, m or rad");
  snprintf(p->y_label, sizeof p->y_label, "processor time, s");
}

static bool draw(const char *path, int n, const cell *c)
{
  mw_arena mem = { 0 };
  mw_panel *panel = mw_arena_alloc(&mem, (size_t)n, sizeof *panel);
  FILE *o = fopen(path, "w");
  for (int k = 0; panel && k < n; k++) make_panel(&c[k], &mem, &panel[k]);
  bool ok = o && mw_arena_check(&mem, NULL) == MW_OK;
  if (ok) mw_plot_write(o, n, n < 3 ? n : 3, panel);
  if (o && fclose(o) != 0) ok = false;
  if (!ok) fprintf(stderr, "%s cannot be written\n", path);
  mw_arena_free(&mem);
  return ok;
}

int main(int argc, char **argv)
{
  const char *svg = NULL;
  const mw_problem *asked[MAX_PANEL];
  int each = 1, n = 0;
  for (int i = 1; i < argc; i++) {
    const mw_problem *p = mw_problem_find(argv[i]);
    if (strcmp(argv[i], "--projections") == 0)
      each = N_PROJECTION;
    else if (strcmp(argv[i], "--svg") == 0 && i + 1 < argc)
      svg = argv[++i];
    else if (p && n < MAX_PANEL / N_PROJECTION)
      asked[n++] = p;
    else
      return fprintf(stderr, "found %s, expected a reference problem\n", argv[i]), 2;
  }
  for (int k = 0; n == k && k < MAX_PANEL / N_PROJECTION && mw_problem_at(k); k++)
    asked[n++] = mw_problem_at(k);
  cell *c = calloc(MAX_PANEL, sizeof *c);
  bool ok = c != NULL;
  printf("%-21s %-9s %8s %8s  %8s %10s\n", "problem", "method", "tol/step", "proj.", "error",
         "time s");
  for (int k = 0; ok && k < n; k++) ok = measure_problem(asked[k], each, c + k * each);
  if (ok) print_verdict(n * each, c);
  if (ok && svg) ok = draw(svg, n * each, c);
  free(c);
  return ok ? 0 : 1;
}
