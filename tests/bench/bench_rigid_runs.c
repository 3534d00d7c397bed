// SPDX-License-Identifier: BSD-3-Clause
// bench_rigid_runs.c: see bench_rigid_runs.h.
#include "bench_rigid_runs.h"

#include <math.h>
#include <stdio.h>

#include "bench/bench_layer.h"
#include "rigid_problems.h"

// ---- four-bar windows ---------------------------------------------------------------------------

// Where the cranks lie flat, φ = k π: passages from one stored instant to the next.
static int passages(const mw_run *r)
{
  int n = 0;
  for (int i = 1; i < r->n_t; i++)
    n += (sin(r->s[(size_t)i * (size_t)r->n_coord]) > 0.0) !=
         (sin(r->s[(size_t)(i - 1) * (size_t)r->n_coord]) > 0.0);
  return n;
}

// The best of three in processor time, storing included; one line.
static bool ride(const mw_fixture *f, const mw_problem *p, const mw_table *t,
                 const mw_rigid_run_opt *opt, bool judged)
{
  enum { TIMES = 3 };
  // m, of pins on cranks of 1 m; s: another program's run, whose error is 3.6e-5
  static const double MOST_ERROR = 1e-6, MOST_TIME = 5.7;
  const mw_scenario *sc = mw_problem_scenario(p, f);
  double time = INFINITY, error = INFINITY, drift = 0.0;
  int flat = 0, steps = 0;
  for (int k = 0; k < TIMES; k++) {
    mw_error err = { 0 };
    mw_run r = { 0 };
    double start = mw_bench_cpu();
    mw_code rc = mw_rigid_run(&f->mech, sc, opt, NULL, &r, &err);
    time = fmin(time, mw_bench_cpu() - start);
    if (!mw_fixture_okay(rc, &err)) return false;
    error = mw_problem_compare(p, t, &r, sc->duration).q;
    drift = r.energy_drift;
    flat = passages(&r);
    steps = r.steps;
    mw_run_free(&r);
  }
  bool ok = error <= MOST_ERROR && time <= MOST_TIME;
  bool fixed = opt->rigid.method != MW_METHOD_CVODE;
  printf("40-four-bar %s %s %.0e: %g s in %.3f s (limit %g), %d steps, %d times flat, error %.1e m "
         "(limit %.0e), energy %.1e  %s\n",
         mw_method_name(opt->rigid.method), fixed ? "step" : "tolerance",
         fixed ? opt->step : opt->rigid.tolerance, sc->duration, time, MOST_TIME, steps, flat,
         error, MOST_ERROR, drift,
         !judged ? "not judged"
         : ok    ? "ok"
                 : "FAILED");
  return ok || !judged;
}

bool mw_bench_four_bar(void)
{
  const mw_problem *law = mw_problem_find("160-four-bar");
  mw_fixture f;
  mw_table t = { 0 };
  if (!law) return false;
  mw_problem p = *law;  // the same in closed form for forty windows
  p.n = 40;
  if (!mw_problem_open(&p, &f)) return false;
  const mw_scenario *sc = mw_problem_scenario(&p, &f);
  bool ok = sc && mw_problem_table(&p, sc, &t);
  if (ok) {
    mw_rigid_run_opt o = mw_rigid_run_opt_default(sc);
    o.rigid.method = MW_METHOD_RK4;
    ok = ride(&f, &p, &t, &o, true);
    // what the adaptive method makes of the flat positions
    o.rigid.method = MW_METHOD_CVODE;
    o.rigid.tolerance = 1e-9;
    ok = ride(&f, &p, &t, &o, false) && ok;
  }
  mw_table_free(&t);
  mw_fixture_free(&f);
  return ok;
}

// ---- hexapod ------------------------------------------------------------------------------------

// m, between two runs of the same scenario
static double apart(const mw_run *a, const mw_run *b)
{
  double most = a->n_t == b->n_t ? 0.0 : INFINITY;
  for (int i = 0; i < 3 * a->n_t * a->n_out && a->n_t == b->n_t; i++) {
    double d = fabs(a->y[i] - b->y[i]);
    if (!(d <= most)) most = d;
  }
  return most;
}

// The best of five in processor time of the whole run, results every 10 ms included; one line.
// least: real-time factor asked of it, 0: printed only.
static bool in_real_time(const mw_fixture *f, const mw_scenario *sc, mw_method method,
                         const mw_run *exact, double least)
{
  enum { TIMES = 5 };
  mw_rigid_run_opt o = mw_rigid_run_opt_default(sc);
  o.rigid.method = method;
  double time = INFINITY, error = INFINITY, drift = 0.0;
  for (int k = 0; k < TIMES; k++) {
    mw_error err = { 0 };
    mw_run r = { 0 };
    double start = mw_bench_cpu();
    mw_code rc = mw_rigid_run(&f->mech, sc, &o, NULL, &r, &err);
    time = fmin(time, mw_bench_cpu() - start);
    if (!mw_fixture_okay(rc, &err)) return false;
    error = apart(&r, exact);
    drift = r.energy_drift;
    mw_run_free(&r);
  }
  double factor = sc->duration / time;
  bool ok = !(least > 0.0) || factor >= least;
  printf("hexapod %s, %s step %.0e: %g s in %.4f s, real-time factor %.0f", sc->name,
         mw_method_name(method), o.step, sc->duration, time, factor);
  if (least > 0.0) printf(" (at least %g)", least);
  printf(", platform off by %.1e m, energy %.1e", error, drift);
  puts(least > 0.0 ? ok ? "  ok" : "  FAILED" : "");
  return ok;
}

// One scenario over ten seconds, by leapfrog and Runge-Kutta 4, against an adaptive run.
static bool ten_seconds(const char *scenario, double least)
{
  const mw_problem p = { .file = "hexapod.yaml", .scenario = scenario };
  mw_fixture f;
  mw_run exact = { 0 };
  mw_error err = { 0 };
  if (!mw_problem_open(&p, &f)) return false;
  const mw_scenario *of_case = mw_problem_scenario(&p, &f);
  bool ok = of_case != NULL;
  if (ok) {
    mw_scenario sc = *of_case;
    sc.duration = 10.0;
    sc.step = 1e-3;
    sc.store = 1e-2;
    mw_rigid_run_opt o = mw_rigid_run_opt_default(&sc);
    o.rigid.method = MW_METHOD_CVODE;
    o.rigid.tolerance = 1e-10;
    ok = mw_fixture_okay(mw_rigid_run(&f.mech, &sc, &o, NULL, &exact, &err), &err);
    if (ok) {
      ok = in_real_time(&f, &sc, MW_METHOD_LEAPFROG, &exact, least);
      ok = in_real_time(&f, &sc, MW_METHOD_RK4, &exact, 0.0) && ok;
      mw_run_free(&exact);
    }
  }
  mw_fixture_free(&f);
  return ok;
}

bool mw_bench_real_time(void)
{
  static const double LEAST = 100.0;
  // the reference's prescribed leg forces are judged; controllers on all six legs, sampled at every
  // step, are shown
  bool ok = ten_seconds("pull", LEAST);
  return ten_seconds("real_time", 0.0) && ok;
}
