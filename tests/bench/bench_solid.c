// SPDX-License-Identifier: BSD-3-Clause
// bench_solid.c: ten modes of a clamped bar of solids, beside CalculiX on the same file.
//
//   bench_solid [--ccx PROGRAM] [--keep] [C3D10|C3D20 UNKNOWNS] ...
//
// default: both kinds with about 10,000, 50,000 and 147,000 unknowns. Both programs run on one thread and are timed from the
// file to the frequencies, wall clock. Judged (exit status 1): frequencies within 1e-6 of ccx's (its .dat prints λ with seven
// digits: 1e-7), time without the proof of completeness at most 0.3 of ccx's from 50,000 unknowns on, 0.22 for C3D20 from
// 140,000 on. Times with the proof, which ccx does not give, are printed.
// Integration: ccx 2.20 takes 27 points for C3D20, 4 for the stiffness of C3D10 and 15 for its mass; ours are in element/.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bar.h"
#include "base/blas.h"
#include "fixture.h"
#include "reduction/reduce.h"

enum { N_MODES = 10 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Runs `ccx name` in dir, silent; wall time in s, < 0 if it failed.
static double run_ccx(const char *ccx, const char *dir, const char *name)
{
  double t = now();
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    if (chdir(dir) != 0 || !freopen("ccx.log", "w", stdout)) _exit(127);
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("CCX_NPROC_EQUATION_SOLVER", "1", 1);
    setenv("CCX_NPROC_RESULTS", "1", 1);
    setenv("CCX_NPROC_STIFFNESS", "1", 1);
    execlp(ccx, ccx, name, (char *)NULL);
    _exit(127);
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return -1.0;
  return now() - t;
}

// Frequencies [N_MODES] of the .dat: rows "mode λ ω f 0"
static bool read_dat(const char *dir, const char *name, double *hz)
{
  char path[512], line[256];
  snprintf(path, sizeof path, "%s/%s.dat", dir, name);
  FILE *f = fopen(path, "r");
  int found = 0;
  while (f && found < N_MODES && fgets(line, sizeof line, f)) {
    char *end = line;
    long mode = strtol(line, &end, 10);
    double lambda = strtod(end, NULL);
    if (mode == found + 1 && lambda > 0.0) hz[found++] = sqrt(lambda) / (2.0 * acos(-1.0));
  }
  if (f) fclose(f);
  return found == N_MODES;
}

// Our frequencies from the same file; wall time in s, < 0 if it failed.
static double run_ours(const char *dir, const char *name, int how, double *hz)
{
  char path[512];
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  double t = now(), *freq = NULL;
  snprintf(path, sizeof path, "%s/%s.yaml", dir, name);
  if (!mw_fixture_file(path, &f)) return -1.0;
  bool good = mw_fixture_okay(
      mw_direct_modes(&f.mech, NULL, N_MODES, how, &mem, &freq, NULL, NULL, &err), &err);
  if (good) memcpy(hz, freq, N_MODES * sizeof *hz);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
  return good ? now() - t : -1.0;
}

static bool compare(const char *ccx, const char *dir, const char *type, double unknowns)
{
  bar b = bar_of_size(type, unknowns);
  long n = 0;
  double theirs[N_MODES], ours[N_MODES], proved[N_MODES], worst = 0.0;
  if (!bar_write(&b, N_MODES, dir, "bar", &n)) return false;
  double t_ccx = run_ccx(ccx, dir, "bar");
  if (!(t_ccx > 0.0) || !read_dat(dir, "bar", theirs)) {
    fprintf(stderr, "%s gave no frequencies, see %s\n", ccx, dir);
    return false;
  }
  double t = run_ours(dir, "bar", MW_MODES_UNPROVED, ours),
         t_proof = run_ours(dir, "bar", 0, proved);
  if (!(t > 0.0 && t_proof > 0.0)) return false;
  for (int k = 0; k < N_MODES; k++) {
    worst = fmax(worst, fabs(ours[k] / theirs[k] - 1.0));
    worst = fmax(worst, fabs(proved[k] / theirs[k] - 1.0));
  }
  double limit = n < 48000 ? INFINITY : strcmp(type, "C3D20") == 0 && n >= 140000 ? 0.22 : 0.3;
  bool good = worst <= 1e-6 && t <= limit * t_ccx;
  printf("%-6s %3d×%2d×%2d %8ld %9.2f %9.2f %6.3f %9.2f %6.3f %10.2e  %s\n", type, b.n[0], b.n[1],
         b.n[2], n, t_ccx, t, t / t_ccx, t_proof, t_proof / t_ccx, worst, good ? "" : "MISSED");
  fflush(stdout);
  return good;
}

static void clean(const char *dir)
{
  static const char *const file[] = { "bar.inp", "bar.yaml", "bar.dat", "bar.frd", "bar.sta",
                                      "bar.cvg", "bar.12d",  "bar.eig", "ccx.log" };
  char path[512];
  for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
    snprintf(path, sizeof path, "%s/%s", dir, file[i]);
    remove(path);
  }
  rmdir(dir);
}

int main(int argc, char **argv)
{
  static const char *const kind[] = { "C3D10", "C3D20" };
  static const double size[] = { 1e4, 5e4, 1.47e5 };
  mw_blas_start(argv);
  const char *ccx = "ccx", *tmp = getenv("TMPDIR");
  char dir[256];
  bool keep = false, good = true;
  int arg = 1;
  for (; arg < argc && strncmp(argv[arg], "--", 2) == 0; arg++) {
    if (strcmp(argv[arg], "--keep") == 0) keep = true;
    if (strcmp(argv[arg], "--ccx") == 0 && arg + 1 < argc) ccx = argv[++arg];
  }
  snprintf(dir, sizeof dir, "%s/bench-solid-XXXXXX", tmp ? tmp : "/tmp");
  if (!mkdtemp(dir)) {
    perror(dir);
    return 1;
  }
  printf("%-6s %9s %8s %9s %9s %6s %9s %6s %10s\n", "", "cells", "unknowns", "ccx s", "ours s",
         "ratio", "proved s", "ratio", "|f/f−1|");
  if (arg < argc)
    for (; arg + 1 < argc; arg += 2)
      good &= compare(ccx, dir, argv[arg], strtod(argv[arg + 1], NULL));
  else
    for (int i = 0; i < 6; i++) good &= compare(ccx, dir, kind[i / 3], size[i % 3]);
  if (keep)
    printf("files of the last comparison: %s\n", dir);
  else
    clean(dir);
  return !good;
}
