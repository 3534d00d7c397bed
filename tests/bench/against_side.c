// SPDX-License-Identifier: BSD-3-Clause
// against_side.c: one side of tests/bench/against: times the online model of the sources it is
// built with, block by block.
//
//   against_side ROM.nc      reads lines "WHAT COUNT", answers each with nanoseconds a call, the
//                            mean of COUNT calls
//
//   rhs, step                from one state
//   rhs-motion, step-motion  along a motion, which begins anew every 400 calls
// State: each coordinate at a fifth of its range and moving at half of it a second, all patterns at
// rest. Steps are exponential, of 1 ms, without forces. Of the online model's interface alone what
// commits from 161ebe3 on have.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reduction/romfile.h"

enum { TURN = 400, MAX_N = 256 };  // calls between two starts; s + m at most

static const double STEP = 1e-3;  // s

typedef struct side {
  mw_rom_file f;
  mw_rom_opt opt;
  void *work;
  double *u;  // [n_u]  0
  double x0[2 * MAX_N], x[2 * MAX_N], acc[MAX_N];
} side;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static mw_rom_code place(side *b)
{
  const mw_rom *rom = &b->f.rom;
  int s = rom->s, n = s + rom->m;
  b->opt = mw_rom_opt_default();
  b->opt.inertia = b->f.inertia;
  b->work = aligned_alloc(64, (mw_rom_work_bytes(rom) + 63) / 64 * 64);
  b->u = calloc((size_t)rom->n_u + 1, sizeof *b->u);
  if (!b->work || !b->u || n > MAX_N) return MW_ROM_NAN;
  for (int i = 0; i < s; i++) {
    b->x0[i] = rom->lo[i] + 0.2 * (rom->hi[i] - rom->lo[i]);
    b->x0[n + i] = 0.5 * (rom->hi[i] - rom->lo[i]);
  }
  return mw_rom_static(rom, b->x0, NULL, b->x0 + s, b->work, NULL);
}

// One call, the k-th; thetas of right-hand sides along the motion are those of its straight line.
static mw_rom_code call(side *b, int is_step, int moves, int k)
{
  const mw_rom *rom = &b->f.rom;
  int n = rom->s + rom->m;
  if (!moves || k % TURN == 0) memcpy(b->x, b->x0, 2 * (size_t)n * sizeof *b->x);
  if (is_step)
    return mw_rom_step(
        &(mw_rom_call){ .rom = rom, .opt = &b->opt, .h = STEP, .u = b->u, .work = b->work }, b->x);
  for (int i = 0; moves && i < rom->s; i++) b->x[i] += STEP * b->x[n + i];
  return mw_rom_rhs(&(mw_rom_call){ .rom = rom, .opt = &b->opt, .u = b->u, .work = b->work }, b->x,
                    b->acc);
}

int main(int argc, char **argv)
{
  static side b;
  mw_error err = { 0 };
  char what[32];
  int count;
  if (argc != 2) {
    fprintf(stderr, "usage: against_side ROM.nc\n");
    return 2;
  }
  if (mw_rom_file_read(argv[1], &b.f, &err) != MW_OK) {
    fprintf(stderr, "against_side: %s: %s\n", err.file, err.msg);
    return 2;
  }
  mw_rom_code rc = place(&b);
  while (rc == MW_ROM_OK && scanf("%31s %d", what, &count) == 2 && count > 0) {
    int is_step = strncmp(what, "step", 4) == 0, moves = strstr(what, "-motion") != NULL;
    double start = now();
    for (int k = 0; rc == MW_ROM_OK && k < count; k++) rc = call(&b, is_step, moves, k);
    printf("%.1f\n", (now() - start) / count);
    fflush(stdout);
  }
  if (rc != MW_ROM_OK) fprintf(stderr, "against_side: %s\n", mw_rom_code_name(rc));
  free(b.u);
  free(b.work);
  mw_rom_file_free(&b.f);
  return rc != MW_ROM_OK;
}
