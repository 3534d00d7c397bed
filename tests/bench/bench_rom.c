// SPDX-License-Identifier: BSD-3-Clause
// bench_rom.c: time of one evaluation of the fields, of the right-hand side and of a step,
// synthetic models.
//
// The models have frequencies from 20 to 2000 Hz, 8 outputs and 2 inputs and move at about 1 unit/s
// through a box of width 2 with 13 grid points an axis. Then tables against tensor trains
// (bench_rom_tables.c): synthetic ones, or with a ROM.nc as argument those of that model alone.
// Not a test: prints, judges nothing.
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "../reduction/rom_synthetic.h"
#include "bench_rom.h"

enum { N_REPEAT = 20000, N_ROUND = 5 };

typedef struct bench {
  synthetic syn;
  double *value, *gradient;
  double x0[2 * (MW_ROM_MAX_S + SYN_MAX_M)], h;
  double iterations;
} bench;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static mw_rom_code run_fields(bench *b, int k)
{
  double theta[MW_ROM_MAX_S] = { 0.3 * sin(0.01 * k), 0.2, 0.1 };
  return mw_rom_fields(&b->syn.rom, theta, b->value, b->gradient, NULL);
}

static mw_rom_code run_rhs(bench *b, int k)
{
  mw_rom_opt opt = mw_rom_opt_default();
  double acc[MW_ROM_MAX_S + SYN_MAX_M], u[SYN_N_U] = { 1.0, 0.01 * (k % 7) };
  return mw_rom_rhs(&(mw_rom_call){ .rom = &b->syn.rom, .opt = &opt, .u = u, .work = b->syn.work },
                    b->x0, acc);
}

// Forces of 10 N that change every 0.1 s; the state starts anew every 0.2 s.
static mw_rom_code run_step(bench *b, int k)
{
  static const int n_per_run = 400;
  mw_rom_opt opt = mw_rom_opt_default();
  mw_rom_info info;
  int n = 2 * (b->syn.rom.s + b->syn.rom.m);
  double u[SYN_N_U] = { k / 200 % 2 ? -10.0 : 10.0, 3.0 };
  static _Thread_local double x[2 * (MW_ROM_MAX_S + SYN_MAX_M)];
  if (k % n_per_run == 0)
    for (int i = 0; i < n; i++) x[i] = b->x0[i];
  mw_rom_code rc = mw_rom_step(
      &(mw_rom_call){
          .rom = &b->syn.rom, .opt = &opt, .h = b->h, .u = u, .work = b->syn.work, .info = &info },
      x);
  b->iterations += info.iterations;
  return rc;
}

// Shortest of a few rounds, ns a call.
static double time_of(bench *b, mw_rom_code (*run)(bench *, int))
{
  double best = INFINITY;
  for (int round = 0; round < N_ROUND; round++) {
    double start = now();
    b->iterations = 0.0;
    for (int k = 0; k < N_REPEAT; k++) {
      mw_rom_code rc = run(b, k);
      if (rc != MW_ROM_OK) {
        printf("call %d: %s\n", k, mw_rom_code_name(rc));
        return NAN;
      }
    }
    best = fmin(best, (now() - start) / N_REPEAT * 1e9);
  }
  return best;
}

int main(int argc, char **argv)
{
  if (argc > 1) return bench_tables(argv[1]);
  static const int size[][2] = { { 1, 6 }, { 2, 10 }, { 2, 12 }, { 3, 12 } };
  static double value[1024], gradient[MW_ROM_MAX_S * 1024];
  printf("%2s %3s %8s %12s %10s %11s %11s\n", "s", "m", "n_field", "fields ns", "rhs ns", "step ns",
         "iterations");
  for (int k = 0; k < (int)(sizeof size / sizeof *size); k++) {
    bench b = { .value = value, .gradient = gradient, .h = 5e-4 };
    int s = size[k][0], m = size[k][1];
    if (!synthetic_make(s, m, 13, 125.0, 12500.0, 0.01, 0.02, &b.syn)) return 1;
    for (int i = 0; i < s; i++) {
      b.x0[i] = 0.1 * i;
      b.x0[s + m + i] = 1.0 - 0.3 * i;
    }
    for (int a = 0; a < m; a++) {
      b.x0[s + a] = 1e-3 / (1 + a);
      b.x0[2 * s + m + a] = 1e-2;
    }
    double fields = time_of(&b, run_fields), rhs = time_of(&b, run_rhs),
           step = time_of(&b, run_step);
    printf("%2d %3d %8d %12.0f %10.0f %11.0f %11.2f\n", s, m, b.syn.rom.n_field, fields, rhs, step,
           b.iterations / N_REPEAT);
    synthetic_free(&b.syn);
  }
  return bench_tables(NULL);
}
