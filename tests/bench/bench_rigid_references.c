// SPDX-License-Identifier: BSD-3-Clause
// bench_rigid_references.c: every rigid reference problem by every method that suits it, against
// its table.
//
//   bench_rigid_references [PROBLEM ...]
//
// A line: problem, method, tolerance or step; largest error of coordinates and points (m or rad),
// of rates and of reactions (over the largest of the table), what the reference asks for; position,
// velocity, and acceleration residual of the constraints; energy drift; wall time of the stepping.
// Judged, `ok` or `FAILED`, is the setting the model's scenario names; the others are printed to
// compare. Redundant rows are named by joint. Exit status 1 if a judged line failed.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rigid_problems.h"

typedef struct setting {
  mw_method method;
  double value;  // tolerance; fixed step: parts of the scenario's step
} setting;

static double largest(const double *x, int n)
{
  double max = 0.0;
  for (int i = 0; x && i < n; i++)
    if (!(x[i] <= max)) max = x[i];
  return max;
}

static bool within(double got, double tol) { return tol <= 0.0 || got <= tol; }

// One line; false when the run failed or, if judged, missed the reference.
static bool run_line(const mw_problem *p, const mw_fixture *f, const mw_table *t,
                     const mw_rigid_run_opt *opt, bool judged)
{
  const mw_scenario *sc = mw_problem_scenario(p, f);
  mw_error err = { 0 };
  mw_run r = { 0 };
  char text[1024];
  bool fixed = !mw_method_adapts(opt->rigid.method);
  printf("%-21s %-9s %7.1e ", p->name, mw_method_name(opt->rigid.method),
         fixed ? opt->step : opt->rigid.tolerance);
  fflush(stdout);
  mw_code rc = mw_rigid_run(&f->mech, sc, opt, NULL, &r, &err);
  if (rc != MW_OK) {
    mw_error_print(&err, text, (int)sizeof text);
    printf(" %s %s", judged ? "FAILED" : "no result:", text);
    return false;
  }
  mw_deviation d = mw_problem_compare(p, t, &r, sc->duration);
  double g = largest(r.residual, r.n_t), gv = largest(r.residual_v, r.n_t),
         ga = largest(r.residual_a, r.n_t);
  bool ok =
      within(d.q, p->tol_q) && within(d.v, p->tol_v) && within(d.force, p->tol_force) && !r.event;
  printf(" %8.1e %8.1e %8.1e  %7.0e  %8.1e %8.1e %8.1e  %8.1e  %8.4f %7d  %s\n", d.q, d.v, d.force,
         p->tol_q, g, gv, ga, r.energy_drift, r.wall_s, r.steps,
         judged ? (ok ? "ok" : "FAILED")
         : ok   ? "within"
                : "");
  mw_run_free(&r);
  return ok;
}

static void print_redundant(const mw_problem *p, const mw_fixture *f)
{
  const mw_scenario *sc = mw_problem_scenario(p, f);
  mw_scenario brief = *sc;
  mw_error err = { 0 };
  mw_run r = { 0 };
  brief.duration = sc->step;
  brief.store = sc->step;
  if (p->redundant == 0 || mw_rigid_run(&f->mech, &brief, NULL, NULL, &r, &err) != MW_OK) return;
  int sum = 0, shown = 0;
  for (int j = 0; j < r.n_joint; j++) sum += r.redundant[j];
  printf("# %s: %d redundant rows:", p->name, sum);
  for (int j = 0; j < r.n_joint && shown < 12; j++)
    if (r.redundant[j] > 0)
      printf("%s %s %d", shown++ ? "," : "", f->model.joint[j].name, r.redundant[j]);
  printf("%s\n", shown == 12 ? ", ..." : "");
  mw_run_free(&r);
}

static bool run_problem(const mw_problem *p)
{
  static const setting others[] = {
    { MW_METHOD_CVODE, 1e-8 },   { MW_METHOD_ADAMS, 1e-8 },   { MW_METHOD_IDA, 1e-8 },
    { MW_METHOD_DOPRI5, 1e-8 },  { MW_METHOD_DOP853, 1e-8 },  { MW_METHOD_RK4, 1.0 },
    { MW_METHOD_EULER, 1.0 },    { MW_METHOD_LEAPFROG, 1.0 }, { MW_METHOD_ALPHA, 1.0 },
    { MW_METHOD_MIDPOINT, 1.0 },
  };
  mw_fixture f;
  mw_table t = { 0 };
  if (!mw_problem_open(p, &f)) return false;
  const mw_scenario *sc = mw_problem_scenario(p, &f);
  bool ok = sc && mw_problem_table(p, sc, &t);
  if (ok) {
    mw_rigid_run_opt named = mw_rigid_run_opt_default(sc);
    print_redundant(p, &f);
    ok = run_line(p, &f, &t, &named, true);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
      mw_rigid_run_opt o = named;
      bool fixed = !mw_method_adapts(others[k].method);
      bool explicit_step = others[k].method == MW_METHOD_RK4 ||
                           others[k].method == MW_METHOD_EULER ||
                           others[k].method == MW_METHOD_LEAPFROG;
      o.rigid.method = others[k].method;
      if (fixed) o.step = sc->step * others[k].value;
      if (!fixed) o.rigid.tolerance = others[k].value;
      if (!(p->stiff && explicit_step)) (void)run_line(p, &f, &t, &o, false);
    }
  } else {
    printf("%-21s FAILED: no scenario or no table\n", p->name);
  }
  mw_table_free(&t);
  mw_fixture_free(&f);
  return ok;
}

// Ten seconds at the tight tolerance the scenario names: energy to 1e-9 of itself, constraints to
// 1e-12.
static bool run_long(const char *problem, const char *scenario)
{
  static const double DRIFT = 1e-9, GAP = 1e-12;
  const mw_problem *p = mw_problem_find(problem);
  mw_error err = { 0 };
  mw_fixture f;
  mw_run r = { 0 };
  mw_problem lasting = *p;
  char text[1024] = "";
  lasting.scenario = scenario;
  if (!mw_problem_open(p, &f)) return false;
  const mw_scenario *sc = mw_problem_scenario(&lasting, &f);
  mw_rigid_run_opt o = mw_rigid_run_opt_default(sc);
  mw_code rc = mw_rigid_run(&f.mech, sc, &o, NULL, &r, &err);
  double gap = rc == MW_OK ? largest(r.residual, r.n_t) : INFINITY;
  bool ok = rc == MW_OK && r.energy_drift <= DRIFT && gap <= GAP;
  if (rc != MW_OK) mw_error_print(&err, text, (int)sizeof text);
  printf("%-21s %s %.0e, %g s: energy drift %.1e (limit %.0e), largest constraint gap %.1e (limit "
         "%.0e), %.2f s  %s\n%s",
         problem, mw_method_name(o.rigid.method), o.rigid.tolerance, sc->duration, r.energy_drift,
         DRIFT, gap, GAP, r.wall_s, ok ? "ok" : "FAILED", text);
  mw_run_free(&r);
  mw_fixture_free(&f);
  return ok;
}

int main(int argc, char **argv)
{
  bool ok = true;
  printf("%-21s %-9s %7s  %8s %8s %8s  %7s  %8s %8s %8s  %8s  %8s %7s\n", "problem", "method",
         "tol/step", "error", "rates", "forces", "asked", "gap", "rate gap", "acc gap", "energy",
         "wall s", "steps");
  for (int k = 0; mw_problem_at(k); k++) {
    bool asked = argc < 2;
    for (int i = 1; i < argc; i++) asked = asked || strcmp(argv[i], mw_problem_at(k)->name) == 0;
    if (asked) ok = run_problem(mw_problem_at(k)) && ok;
  }
  if (argc < 2) {
    ok = run_long("bricard", "fall") && ok;
    ok = run_long("six-bar", "long") && ok;
  }
  return ok ? 0 : 1;
}
