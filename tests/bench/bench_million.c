// SPDX-License-Identifier: BSD-3-Clause
// bench_million.c: a part of a million unknowns: factor and modes, time and memory stage by stage.
//
//   bench_million [C3D10|C3D20 [UNKNOWNS [MODES [LENGTH]]]]      default C3D20 1e6 20 4
//
// A bar of LENGTH × 0.2 × 0.15 m (of the bar of bench_solid, 400,000 unknowns fill 6 GB: by n^(4/3)
// a million fill 20 GB) through the library's own path, file to modes, without the proof of
// completeness. Judged (exit status 1): the peak of resident memory is at most 1.3 times CHOLMOD's
// factor plus K, M and the mass moments. It takes minutes and 18 GB.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "bar.h"
#include "base/blas.h"
#include "fem/mech.h"
#include "fixture.h"
#include "reduction/system.h"

static double clock_s(clockid_t which)
{
  struct timespec t;
  clock_gettime(which, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double peak(void)  // bytes
{
  struct rusage r;
  getrusage(RUSAGE_SELF, &r);
  return 1024.0 * (double)r.ru_maxrss;
}

typedef struct watch {  // start of the stage, s
  double wall, cpu;
} watch;

static watch start(void)
{
  return (watch){ clock_s(CLOCK_MONOTONIC), clock_s(CLOCK_PROCESS_CPUTIME_ID) };
}

static void stage(watch *since, const char *what)
{
  watch t = start();
  printf("%-24s %8.2f s   cpu %8.2f s   peak %7.3f GB\n", what, t.wall - since->wall,
         t.cpu - since->cpu, 1e-9 * peak());
  fflush(stdout);
  *since = t;
}

static double csc_bytes(const mw_csc *A) { return 12.0 * A->ptr[A->n_col] + 4.0 * A->n_col; }

// Factor and modes of the mechanism; factor: bytes of the factor
static mw_code solve(const mw_mech *m, int n_modes, double *factor, mw_error *err)
{
  watch w = start();
  mw_arena mem = { 0 };
  mw_blocks *bl = NULL;
  mw_system *sys = NULL;
  double *lambda = NULL, *X = NULL;
  mw_code rc = mw_blocks_build(m, 0.0, false, &bl, err);
  if (rc == MW_OK) {
    stage(&w, "factor");
    *factor = (double)mw_blocks_factor_bytes(bl);
    rc = mw_system_build(bl, NULL, false, m->p0, m->s0, &sys, err);
  }
  if (rc == MW_OK) {
    lambda = mw_arena_f64(&mem, (size_t)n_modes);
    X = mw_arena_f64(&mem, (size_t)n_modes * (size_t)mw_blocks_size(bl));
    rc = mw_arena_check(&mem, err);
  }
  if (rc == MW_OK) rc = mw_system_modes(sys, n_modes, lambda, X, err);
  if (rc == MW_OK) {
    stage(&w, "modes");
    printf("λ from %.6g to %.6g (rad/s)²\n", lambda[0], lambda[n_modes - 1]);
  }
  mw_system_free(sys);
  mw_blocks_free(bl);
  mw_arena_free(&mem);
  return rc;
}

int main(int argc, char **argv)
{
  mw_blas_start(argv);
  bar b = bar_of_size(argc > 1 ? argv[1] : "C3D20", argc > 4 ? strtod(argv[4], NULL) : 4.0,
                      argc > 2 ? strtod(argv[2], NULL) : 1e6);
  int n_modes = argc > 3 ? atoi(argv[3]) : 20;
  char dir[256], path[300];
  const char *tmp = getenv("TMPDIR");
  long n = 0;
  double moments = 0.0, factor = 0.0;
  mw_fixture f;
  mw_error err = { 0 };
  snprintf(dir, sizeof dir, "%s/bench-million-XXXXXX", tmp ? tmp : "/tmp");
  watch w = start();
  if (!mkdtemp(dir) || !bar_write(&b, n_modes, dir, "bar", &n)) return 1;
  printf("%s, %d × %d × %d cells, %ld unknowns, %d modes\n", b.type, b.n[0], b.n[1], b.n[2], n,
         n_modes);
  stage(&w, "file written");
  snprintf(path, sizeof path, "%s/bar.yaml", dir);
  bool good = mw_fixture_file(path, &f);
  remove(path);
  snprintf(path, sizeof path, "%s/bar.inp", dir);
  remove(path);
  rmdir(dir);
  if (!good) return 1;
  stage(&w, "read and assembled");
  const mw_body *body = &f.body[f.model.n_body - 1];
  for (int t = 0; t < 6; t++) moments += csc_bytes(&body->Mab[t]);
  good = mw_fixture_okay(solve(&f.mech, n_modes, &factor, &err), &err);
  if (good) {
    double matrices = csc_bytes(&body->K) + csc_bytes(&body->M) + moments,
           ratio = peak() / (factor + matrices);
    printf("factor %.3f GB, K %.3f GB, M %.3f GB, moments %.3f GB\n", 1e-9 * factor,
           1e-9 * csc_bytes(&body->K), 1e-9 * csc_bytes(&body->M), 1e-9 * moments);
    printf("peak %.3f GB: %.3f of factor and matrices\n", 1e-9 * peak(), ratio);
    good = ratio <= 1.3;
  }
  mw_fixture_free(&f);
  return !good;
}
