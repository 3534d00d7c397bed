// SPDX-License-Identifier: BSD-3-Clause
// bench_machine.c: what one core of this machine can do, measured in the same run as what is
// compared with it.
//
//   peak       2 n³ / time of C = A B, n = 384, largest of several                  flop/s      (1)
//   bandwidth  2 bytes / time of a copy, arrays far beyond the caches of a core     byte/s      (2)
//   clock      time between two readings of it, one after the other                 s
//
// n: large enough for the library's best kernels, small enough (3.5 MB) for the second-level cache.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/dense.h"
#include "bench_layer.h"
#include "bench_reduced_layer.h"

static const double LEAST = 1e-9;  // s

uint64_t mw_bench_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static double gemm_rate(const double *A, const double *B, double *C, int n, int rounds)
{
  double best = 0.0;
  for (int k = 0; k < rounds; k++) {
    double start = mw_bench_cpu();
    mw_gemm('n', 'n', n, n, n, 1.0, A, B, 0.0, C);
    best = fmax(best, 2.0 * n * n * n / fmax(LEAST, mw_bench_cpu() - start));
  }
  return best;
}

static double copy_rate(double *to, const double *from, size_t bytes, int rounds)
{
  double best = 0.0;
  for (int k = 0; k < rounds; k++) {
    double start = mw_bench_cpu();
    memcpy(to, from, bytes);
    double s = fmax(LEAST, mw_bench_cpu() - start);
    if (k > 0) best = fmax(best, 2.0 * (double)bytes / s);  // the first touches the pages
  }
  return best;
}

mw_code mw_bench_machine_eval(bool quick, mw_bench_machine *out, mw_error *err)
{
  enum { N = 384, ROUNDS = 40, COPIES = 5, READINGS = 10001 };
  static const size_t LARGE = (size_t)192 << 20, SMALL = (size_t)48 << 20;  // bytes
  mw_arena mem = { 0 };
  mw_bench_machine m = { .copy_bytes = quick ? SMALL : LARGE };
  size_t n = (size_t)N * N, large = m.copy_bytes / sizeof(double);
  double *A = mw_arena_f64(&mem, n), *B = mw_arena_f64(&mem, n), *C = mw_arena_f64(&mem, n);
  double *from = mw_arena_f64(&mem, large), *to = mw_arena_f64(&mem, large);
  double *gap = mw_arena_f64(&mem, READINGS);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) {
    for (size_t i = 0; i < n; i++) {
      A[i] = 1.0 / (double)(1 + i % 7);
      B[i] = 1.0 / (double)(1 + i % 11);
    }
    m.gemm = gemm_rate(A, B, C, N, ROUNDS);
    for (size_t i = 0; i < large; i++) from[i] = 1.0;
    m.copy = copy_rate(to, from, m.copy_bytes, COPIES);
    for (int k = 0; k < READINGS; k++) {
      uint64_t start = mw_bench_clock();
      gap[k] = (double)(mw_bench_clock() - start);
    }
    m.clock_ns = mw_bench_quantile(gap, READINGS, 0.5);
    *out = m;
  }
  mw_arena_free(&mem);
  return rc;
}
