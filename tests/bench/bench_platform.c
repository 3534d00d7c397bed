// SPDX-License-Identifier: BSD-3-Clause
// bench_platform.c: inverse dynamics by recursion of a platform on twelve legs
// (cases/twelve-legs.yaml) and of an arm of seven axes, beside limits of 10 and 1.5 us.
//
//   bench_platform [repetitions]      default 20
//
// Printed: processor time of one call with all forces, the least of the repetitions of 1000 calls
// each. Fails where that is above the limit.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "seven_axes.h"
#include "sim/case.h"
#include "sim/newton_euler.h"
#include "sim/platform.h"

enum { CALLS = 1000, MOST = 64 };
static const double LIMIT = 10.0, ARM_LIMIT = 1.5;  // us

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// us a call
static double measure(const mw_platform *o, const double *p, double *sum)
{
  double twist[6] = { 0.1, -0.2, 0.3, 0.4, -0.5, 0.6 }, acceleration[6] = { 1, 2, -1, 3, -2, 1 },
         tau[MOST], start = now();
  for (int i = 0; i < CALLS; i++) {
    twist[0] += 1e-9;
    if (!mw_platform_eval(o, p, twist, acceleration, tau)) return NAN;
    *sum += tau[0];
  }
  return 1e6 * (now() - start) / CALLS;
}

static bool platform(int n)
{
  mw_case c = { 0 };
  mw_arena mem = { 0 };
  mw_platform *o = NULL;
  mw_error err = { 0 };
  double best = INFINITY, sum = 0.0;
  mw_code rc = mw_case_read(MW_CASES_DIR "/twelve-legs.yaml", &c, &err);
  if (rc == MW_OK) rc = mw_platform_build(&c.mech, &mem, &o, &err);
  for (int i = 0; rc == MW_OK && i < n; i++) best = fmin(best, measure(o, c.mech.p0, &sum));
  int moving = 0;
  for (int b = 0; rc == MW_OK && b < c.mech.n_body; b++) moving += !c.mech.body[b].ground;
  if (rc == MW_OK)
    printf("inverse dynamics of %d bodies, %d drives: %.2f us (limit %g), sum %.9g N\n", moving,
           c.model.n_drive, best, LIMIT, sum);
  else
    fprintf(stderr, "%s\n", err.msg);
  mw_arena_free(&mem);
  mw_case_free(&c);
  return rc == MW_OK && best <= LIMIT;
}

static bool arm(int n)
{
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_newton_euler *o = NULL;
  double q[MOST] = { 0.3, -0.2, 0.5, 0.1, -0.4, 0.6, 0.2 }, v[MOST] = { 1, -1, 2, -2, 1, 3, -1 },
         a[MOST] = { 2, 1, -1, 3, -2, 1, 2 }, Q[MOST], best = INFINITY, sum = 0.0;
  if (!seven_axes_open(&f)) return false;
  bool okay = mw_fixture_okay(mw_newton_euler_build(&f.mech, &mem, &o, &err), &err);
  for (int i = 0; okay && i < n; i++) {
    double start = now();
    for (int k = 0; k < CALLS; k++) {
      q[0] += 1e-9;
      mw_newton_euler_eval(o, q, v, a, Q);
      sum += Q[1];
    }
    best = fmin(best, 1e6 * (now() - start) / CALLS);
  }
  if (okay)
    printf("inverse dynamics of an arm of %d axes: %.2f us (limit %g), sum %.9g N m\n",
           f.mech.n_coord, best, ARM_LIMIT, sum);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
  return okay && best <= ARM_LIMIT;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20;
  bool legs = platform(n), axes = arm(n);
  return legs && axes ? EXIT_SUCCESS : EXIT_FAILURE;
}
