// SPDX-License-Identifier: BSD-3-Clause
// bench_force_step.c: forces that jump between two steps, by every path (tests/force_step.h).
//
//   push   a constant force from t on, against ½ F/m (time − t)²: of the travel at steps of 1 ms,
//          limit 1e-6
//   weigh  the same on a beam that bends: order of x in the step
//   held   there a controller sampled at instants that no step meets: order of x in the step
// Order: ½ log2 e(2 ms)/e(½ ms), e against the path itself at 1/16 ms; the worst of four places of
// the jump within its step, kept the same part of the step. Second order shows as 1.8 or more; the
// rigid path knows no beam, and errs by rounding. Exit status 1: a limit is not met.
#include <math.h>
#include <stdio.h>

#include "force_step.h"

static const double PLACE[4] = { 0.0, 0.15, 0.5, 0.85 };  // of a step
static const double EXACT = 1e-6, ORDER = 1.8;
enum { AT = 100 };  // steps

static double push(mw_force_rig *r, int path, double place)
{
  mw_run run = { 0 };
  double t = (AT + place) * 1e-3;
  double e =
      mw_force_run(r, path, MW_FORCE_PUSH, 1e-3, t, &run) ? mw_force_error(&run, t) : (double)NAN;
  mw_run_free(&run);
  return e;
}

// Errors at 2 ms and ½ ms against 1/16 ms.
static void errors(mw_force_rig *r, int path, int scenario, double place, double e[2])
{
  for (int i = 0; i < 2; i++) {
    double h = i == 0 ? 2e-3 : 5e-4, t = 1e-3 * AT + place * h;
    mw_run run = { 0 }, fine = { 0 };
    bool good = mw_force_run(r, path, scenario, h, t, &run) &&
                mw_force_run(r, path, scenario, 6.25e-5, t, &fine);
    e[i] = good ? mw_force_distance(&run, &fine) : (double)NAN;
    mw_run_free(&run);
    mw_run_free(&fine);
  }
}

// Prints the worst place of the jump; false: below second order. An error of rounding has no order.
static bool order(mw_force_rig *r, int path, int scenario)
{
  static const double ROUNDING = 1e-11;
  double least = INFINITY, most = 0.0;
  int n = scenario == MW_FORCE_HELD ? 1 : 4;
  for (int i = 0; i < n; i++) {
    double e[2];
    errors(r, path, scenario, PLACE[i], e);
    most = fmax(most, e[1]);
    if (!(e[1] < ROUNDING)) least = fmin(least, 0.5 * log2(e[0] / e[1]));
    if (isnan(e[0]) || isnan(e[1])) return false;
  }
  printf("  %9.1e %5s", most, "");
  if (isfinite(least)) printf("\b\b\b\b%4.2f", least);
  return least >= ORDER;
}

int main(void)
{
  mw_force_rig r;
  bool good = mw_force_open(&r), all = good;
  printf("%-22s  %9s  %15s  %15s   (push at 1 ms, else at ½ ms, of the range; order)\n", "path",
         "push", "weigh", "held");
  for (int path = 0; good && path < MW_FORCE_N_PATH; path++) {
    double worst = 0.0;
    for (int i = 0; i < 4; i++) {
      double e = push(&r, path, PLACE[i]);
      if (!(e <= worst)) worst = e;
    }
    printf("%-22s  %9.1e", mw_force_path(path), worst);
    bool met = worst <= EXACT;
    met = order(&r, path, MW_FORCE_WEIGH) && met;
    met = order(&r, path, MW_FORCE_HELD) && met;
    printf("   %s\n", met ? "met" : "NOT MET");
    all = all && met;
  }
  mw_force_close(&r);
  return !all;
}
