// SPDX-License-Identifier: BSD-3-Clause
// bench_cuda.c: rollouts on a CUDA device against one core of the host, and their bits. Built where
// mw_rom_cuda is.
//
//   bench_cuda ROM.nc [ROLLOUTS [STEPS]]      default: 100000 100; exit status 1: no device, or
//                                             other bits
//
// All start at mid-box, each with inputs of its own. The device's time holds the copies of inputs
// and states both ways; the core makes the first 4,096 rollouts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench_reduced_layer.h"
#include "rom/cuda.h"
#include "sim/case.h"

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Small forces that differ from rollout to rollout, of the size of a tenth of a newton.
static void set_inputs(size_t n, double *u)
{
  unsigned long long state = 7;
  for (size_t k = 0; k < n; k++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    u[k] = 0.2 * ((double)(state >> 11) / 9007199254740992.0 - 0.5);
  }
}

static int measure(const mw_bench_place *p, int n, int steps, mw_error *err)
{
  enum { ON_HOST = 4096, PASSES = 3 };
  const mw_rom *rom = p->rom;
  size_t nx = 2 * (size_t)(rom->s + rom->m), rolls = (size_t)n, nu = (size_t)rom->n_u;
  int host = n < ON_HOST ? n : ON_HOST, differ = 0, good = 0;
  mw_arena mem = { 0 };
  double *u = mw_arena_f64(&mem, rolls * (size_t)steps * nu);
  double *x = mw_arena_f64(&mem, rolls * nx), *want = mw_arena_f64(&mem, (size_t)host * nx);
  mw_rom_code *code = mw_arena_alloc(&mem, rolls, sizeof *code);
  int *done = mw_arena_int(&mem, rolls);
  void *work = mw_arena_alloc(&mem, mw_rom_batch_bytes(rom), 1);
  if (mw_arena_check(&mem, err) != MW_OK) {
    mw_arena_free(&mem);
    return -1;
  }
  set_inputs(rolls * (size_t)steps * nu, u);
  const char *name = NULL, *why = NULL;
  mw_rom_cuda *gpu = mw_rom_cuda_open(rom, &name, &why);
  double best = 1e30, core = 1e30;
  int rc = gpu ? 0 : -1;
  for (int k = 0; rc == 0 && k < PASSES; k++) {
    for (size_t r = 0; r < rolls; r++) memcpy(x + r * nx, p->x0, nx * sizeof *x);
    const mw_rom_batch b = { steps, 1e-3, u, x, NULL, code, done };
    double start = now();
    rc = mw_rom_cuda_batch_run(gpu, &p->opt, &b, 0, n, &why);
    double took = now() - start;
    best = took < best ? took : best;
  }
  mw_rom_cuda_close(gpu);
  if (rc != 0) {
    (void)mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "device: %s", why);
    mw_arena_free(&mem);
    return -1;
  }
  for (int r = 0; r < n; r++) good += done[r] == steps;
  for (int k = 0; k < PASSES; k++) {
    for (size_t r = 0; r < (size_t)host; r++) memcpy(want + r * nx, p->x0, nx * sizeof *x);
    const mw_rom_batch b = { steps, 1e-3, u, want, NULL, code, done };
    double start = now();
    mw_rom_batch_run(rom, &p->opt, &b, 0, host, work);
    double took = now() - start;
    core = took < core ? took : core;
  }
  for (size_t r = 0; r < (size_t)host; r++)
    differ += memcmp(want + r * nx, x + r * nx, nx * sizeof *x) != 0;
  double ns = 1e9 * best / ((double)n * steps), ns_core = 1e9 * core / ((double)host * steps);
  printf("%s: %d rollouts x %d steps, %d to their end, in %.3f s: %.2f ns a step and rollout\n",
         name, n, steps, good, best, ns);
  printf("one core of the host: %.0f ns, %.1f times as long\n", ns_core, ns_core / ns);
  printf("end states of other bits: %d of %d\n", differ, host);
  mw_arena_free(&mem);
  return differ == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
  int n = argc > 2 ? atoi(argv[2]) : 100000, steps = argc > 3 ? atoi(argv[3]) : 100;
  if (argc < 2 || argc > 4 || n < 1 || steps < 1) {
    fprintf(stderr, "usage: bench_cuda ROM.nc [ROLLOUTS [STEPS]]\n");
    return 2;
  }
  mw_error err = { .msg = "" };
  mw_rom_file f = { 0 };
  mw_bench_place p = { 0 };
  mw_code rc = mw_rom_file_read(argv[1], &f, &err);
  if (rc == MW_OK) rc = mw_bench_place_init(&f, &p, &err);
  int status = rc == MW_OK ? measure(&p, n, steps, &err) : -1;
  if (status < 0) fprintf(stderr, "error: %s\n", err.msg);
  mw_bench_place_free(&p);
  mw_rom_file_free(&f);
  return status == 0 ? 0 : 1;
}
