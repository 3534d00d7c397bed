// SPDX-License-Identifier: BSD-3-Clause
// bench_accessible.c: accessible dynamics of the star (4 drives, 3 freedoms) along a circle, and
// the fastest traversal of a 2R arm's circle.
//
//   bench_accessible [points [repetitions]]      default 10000 5
//
// Printed: processor time of the dynamics along the path (positions, tangents, forces of the
// mechanism's 9 bodies and 60 rows), of the regions, and of the fastest traversal; the least of the
// repetitions. Then the arm's duration by 100 to 1600 intervals beside that of a table made by
// another program with 1600 intervals of first order (its last doubling moved it by 1.5e-4 s).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/accessible.h"
#include "sim/case.h"

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct times {
  double dynamics, regions, traversal;  // s
} times;

static mw_code measure(const mw_case *c, int n, times *best, mw_error *err)
{
  double lo[4] = { -400.0, -350.0, -400.0, -350.0 }, hi[4] = { 400.0, 350.0, 400.0, 350.0 },
         speed[4] = { 1.2, 1.2, 1.2, 1.2 };
  mw_drive_limits limits = { lo, hi, speed, NULL };
  mw_arena mem = { 0 };
  mw_position at;
  mw_tool_path path;
  mw_path_dynamics d;
  mw_regions regions;
  mw_traversal traversal;
  int intervals = (n - 1) / 2;
  double *p = mw_arena_f64(&mem, (size_t)n), t[4] = { 0.0 };
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) mw_traversal_points(intervals, p);
  if (rc == MW_OK) rc = mw_position_find(&c->mech, NULL, NULL, &mem, &at, err);
  if (rc == MW_OK)
    rc = mw_tool_path_read(&c->mech, "x=0.1*cos(2*pi*t),y=0.1*sin(2*pi*t),rz=0", NULL, &mem, &path,
                           err);
  t[0] = now();
  if (rc == MW_OK)
    rc = mw_path_dynamics_find(&c->mech, &at, &path, 2 * intervals + 1, p, &mem, &d, err);
  t[1] = now();
  if (rc == MW_OK) rc = mw_regions_find(&d, &limits, &mem, &regions, err);
  t[2] = now();
  if (rc == MW_OK) rc = mw_traversal_find(&d, &limits, &mem, &traversal, err);
  t[3] = now();
  mw_arena_free(&mem);
  best->dynamics = fmin(best->dynamics, t[1] - t[0]);
  best->regions = fmin(best->regions, t[2] - t[1]);
  best->traversal = fmin(best->traversal, t[3] - t[2]);
  return rc;
}

// Durations of the 2R arm's circle, s
static mw_code circle(mw_error *err)
{
  static const double TABLE = 1.120703754127292;  // s
  double lo[2] = { -30.0, -12.0 }, hi[2] = { 30.0, 12.0 }, speed[2] = { 6.0, 8.0 };
  const mw_drive_limits limits = { lo, hi, speed, NULL };
  mw_case c = { 0 };
  mw_code rc = mw_case_read(MW_CASES_DIR "/2r.yaml", &c, err);
  printf("2R arm round a circle: s, less those of a table\n");
  for (int n = 100; rc == MW_OK && n <= 1600; n *= 2) {
    mw_arena mem = { 0 };
    mw_position at;
    mw_tool_path path;
    mw_path_dynamics d;
    mw_traversal o;
    double *p = mw_arena_f64(&mem, 2 * (size_t)n + 1);
    rc = mw_arena_check(&mem, err);
    if (rc == MW_OK) mw_traversal_points(n, p);
    if (rc == MW_OK) rc = mw_position_find(&c.mech, NULL, NULL, &mem, &at, err);
    if (rc == MW_OK)
      rc = mw_tool_path_read(&c.mech, "x=0.9+0.5*cos(2*pi*t),y=0.3+0.5*sin(2*pi*t)", NULL, &mem,
                             &path, err);
    if (rc == MW_OK) rc = mw_path_dynamics_find(&c.mech, &at, &path, 2 * n + 1, p, &mem, &d, err);
    if (rc == MW_OK) rc = mw_traversal_find(&d, &limits, &mem, &o, err);
    if (rc == MW_OK) printf("  %5d intervals  %.9f  %+.2e\n", n, o.duration, o.duration - TABLE);
    mw_arena_free(&mem);
  }
  mw_case_free(&c);
  return rc;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 10000, times_n = argc > 2 ? atoi(argv[2]) : 5;
  const char *const set[] = { "parameters.weight=9.81" };
  mw_model_edit edit = { .n_set = 1, .set = set };
  mw_case c = { 0 };
  mw_error err = { 0 };
  times best = { INFINITY, INFINITY, INFINITY };
  mw_code rc = mw_case_read_edited(MW_CASES_DIR "/star.yaml", &edit, &c, &err);
  for (int i = 0; rc == MW_OK && i < times_n; i++) rc = measure(&c, n, &best, &err);
  if (rc == MW_OK) {
    printf("%d points, 4 drives, 3 freedoms: s of processor\n", n);
    printf("  dynamics along the path  %8.4f\n  regions                  %8.4f\n", best.dynamics,
           best.regions);
    printf("  both                     %8.4f\n  fastest traversal        %8.4f\n",
           best.dynamics + best.regions, best.traversal);
    rc = circle(&err);
  }
  if (rc != MW_OK) {
    fprintf(stderr, "bench_accessible: %s\n", err.msg);
  }
  mw_case_free(&c);
  return rc == MW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
