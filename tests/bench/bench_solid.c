// SPDX-License-Identifier: BSD-3-Clause
// bench_solid.c: ten modes of a clamped bar of solids, beside CalculiX on the same file.
//
//   bench_solid [--ccx PROGRAM] [--keep] [C3D10|C3D20 UNKNOWNS] ...
//
// default: both kinds with about 10,000, 50,000 and 147,000 unknowns. Both programs run on one
// thread and are timed from the file to the frequencies, wall clock; the ratio of processor times
// stands beside it. Judged (exit status 1): frequencies within 1e-6 of ccx's (its .dat prints λ
// with seven digits: 1e-7), time without the proof of completeness at most 0.3 of ccx's from 50,000
// unknowns on, 0.22 for C3D20 from 140,000 on. Times with the proof, which ccx does not give, are
// printed. Integration differs in the mass of C3D10 only: ccx 2.20 takes the 4 points of the
// stiffness, which is exact to degree 2 of the 4 that are there; ours is exact. So their
// frequencies are judged with ccx's mass put in (untimed), and those of our own printed beside
// them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bar.h"
#include "base/blas.h"
#include "fem/element.h"
#include "fixture.h"
#include "reduction/reduce.h"

enum { N_MODES = 10 };

typedef struct took {
  double wall, cpu;  // s, < 0: it failed
} took;

static const took FAILED = { -1.0, -1.0 };

static double clock_s(clockid_t which)
{
  struct timespec t;
  clock_gettime(which, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static took start(void)
{
  return (took){ clock_s(CLOCK_MONOTONIC), clock_s(CLOCK_PROCESS_CPUTIME_ID) };
}

static took since(took t)
{
  took u = start();
  return (took){ u.wall - t.wall, u.cpu - t.cpu };
}

static double children_s(void)  // processor time of all that have ended
{
  struct rusage r;
  getrusage(RUSAGE_CHILDREN, &r);
  return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
         1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

// Runs `ccx name` in dir, silent.
static took run_ccx(const char *ccx, const char *dir, const char *name)
{
  took t = start();
  double cpu = children_s();
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
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return FAILED;
  return (took){ since(t).wall, children_s() - cpu };
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

// M with every element integrated at the points of its stiffness
static mw_code take_mass_of_ccx(mw_body *b, mw_error *err)
{
  const mw_mesh *m = b->mesh;
  mw_arena mem = { 0 };
  int *unknown = mw_arena_int(&mem, 3 * (size_t)b->n_node);  // 1 + unknown of a motion, 0: fixed
  mw_code rc = mw_arena_check(&mem, err);
  for (int j = 0; rc == MW_OK && j < b->N.n_col; j++)
    for (int k = b->N.ptr[j]; k < b->N.ptr[j + 1]; k++) unknown[b->N.row[k]] = 1 + j;
  memset(b->M.val, 0, (size_t)b->M.ptr[b->n_u] * sizeof(double));
  for (int e = 0; rc == MW_OK && e < m->n_elem; e++) {
    const int *node = m->elem_node + m->elem_ptr[e];
    int n = m->elem_ptr[e + 1] - m->elem_ptr[e];
    double X[60], mu[400];
    for (int i = 0; i < 3 * n; i++) X[i] = m->x[3 * node[i / 3] + i % 3];
    rc = mw_solid_mass((mw_elem_kind)m->elem_kind[e], X, b->part_material[m->elem_part[e]].rho,
                       true, m->elem_tag[e], b->at, mu, err);
    for (int k = 0; rc == MW_OK && k < 3 * n * n; k++) {
      int i = k / 3 / n, j = k / 3 % n, row = unknown[3 * node[i] + k % 3] - 1,
          col = unknown[3 * node[j] + k % 3] - 1;
      if (row < 0 || col < 0 || row < col) continue;
      for (int p = b->M.ptr[col]; p < b->M.ptr[col + 1]; p++)
        if (b->M.row[p] == row) b->M.val[p] += mu[n * i + j];
    }
  }
  mw_arena_free(&mem);
  return rc;
}

// Our frequencies from the same file; ccx_mass: with its mass.
static took run_ours(const char *dir, const char *name, int how, bool ccx_mass, double *hz)
{
  char path[512];
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  took t = start();
  double *freq = NULL;
  snprintf(path, sizeof path, "%s/%s.yaml", dir, name);
  if (!mw_fixture_file(path, &f)) return FAILED;
  mw_code rc = MW_OK;
  if (ccx_mass) rc = take_mass_of_ccx(&f.mech.body[f.mech.n_body - 1], &err);
  if (rc == MW_OK) rc = mw_direct_modes(&f.mech, NULL, N_MODES, how, &mem, &freq, NULL, NULL, &err);
  bool good = mw_fixture_okay(rc, &err);
  if (good) memcpy(hz, freq, N_MODES * sizeof *hz);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
  return good ? since(t) : FAILED;
}

static double difference(const double *a, const double *b)
{
  double worst = 0.0;
  for (int k = 0; k < N_MODES; k++) worst = fmax(worst, fabs(a[k] / b[k] - 1.0));
  return worst;
}

static bool compare(const char *ccx, const char *dir, const char *type, double unknowns)
{
  bar b = bar_of_size(type, 1.0, unknowns);
  long n = 0;
  double theirs[N_MODES], ours[N_MODES], proved[N_MODES], same[N_MODES];
  bool tet = strcmp(type, "C3D10") == 0;
  if (!bar_write(&b, N_MODES, dir, "bar", &n)) return false;
  took theirs_took = run_ccx(ccx, dir, "bar");
  if (theirs_took.wall < 0.0 || !read_dat(dir, "bar", theirs)) {
    fprintf(stderr, "%s gave no frequencies, see %s\n", ccx, dir);
    return false;
  }
  took t = run_ours(dir, "bar", MW_MODES_UNPROVED, false, ours),
       with_proof = run_ours(dir, "bar", 0, false, proved);
  if (t.wall < 0.0 || with_proof.wall < 0.0) return false;
  memcpy(same, ours, sizeof same);
  if (tet && run_ours(dir, "bar", MW_MODES_UNPROVED, true, same).wall < 0.0) return false;
  double own = difference(ours, theirs), alike = difference(same, theirs);
  double limit = n < 48000 ? INFINITY : !tet && n >= 140000 ? 0.22 : 0.3;
  bool good =
      alike <= 1e-6 && difference(proved, ours) <= 1e-9 && t.wall <= limit * theirs_took.wall;
  printf("%-5s %3d×%2d×%2d %7ld %8.2f %7.2f %5.3f %5.3f %8.2f %5.3f %5.3f %9.2e %9.2e  %s\n", type,
         b.n[0], b.n[1], b.n[2], n, theirs_took.wall, t.wall, t.wall / theirs_took.wall,
         t.cpu / theirs_took.cpu, with_proof.wall, with_proof.wall / theirs_took.wall,
         with_proof.cpu / theirs_took.cpu, alike, own, good ? "" : "MISSED");
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
  printf("%-5s %9s %7s %8s %7s %5s %5s %8s %5s %5s %9s %9s\n", "", "cells", "n", "ccx s", "ours s",
         "ratio", "cpu", "proved s", "ratio", "cpu", "|f/f-1|", "own mass");
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
