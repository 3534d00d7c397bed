// SPDX-License-Identifier: BSD-3-Clause
// rom_lanes.h: rom_real.h for ROM_LANES rollouts at once.
#ifndef MW_ROM_LANES_H
#define MW_ROM_LANES_H

#include <math.h>

#ifndef ROM_LANES
#define ROM_LANES 2
#endif

typedef double real __attribute__((vector_size(8 * ROM_LANES)));
typedef long long rom_truth __attribute__((vector_size(8 * ROM_LANES)));  // of comparisons
// Part of the function that calls it, whose sizes may be constants there.
#define ROM_INLINE static inline __attribute__((always_inline))
#define ROM_APART  __attribute__((noinline))  // never part of another
// What is written in `real`: once more for lanes, known to rom_batch.c alone.
#define ROM_SHARED static __attribute__((noinline, unused))
#define ROM_UNROLL_ALL
#define ROM_UNROLL  // a copy of a loop is large here: loops stay

enum { ROM_PAD = 1, ROM_ROW = 1, ROM_DERIVED = 0 };
typedef real rom_pack;
#define ROM_GET(from) (*(from))
#define ROM_PUT(to)   (*(to))

ROM_INLINE real rom_total(const real *p)
{
  return ((p[0] + p[4]) + (p[1] + p[5])) + ((p[2] + p[6]) + (p[3] + p[7]));
}

static inline real rom_set(double x)
{
  real r = { 0.0 };
  for (int l = 0; l < ROM_LANES; l++) r[l] = x;
  return r;
}

static inline real rom_size(real x)
{
  for (int l = 0; l < ROM_LANES; l++) x[l] = fabs(x[l]);
  return x;
}

static inline real rom_within(real x, double lo, double hi)
{
  for (int l = 0; l < ROM_LANES; l++) {
    double y = x[l] > lo ? x[l] : lo;
    x[l] = y < hi ? y : hi;
  }
  return x;
}

#endif
