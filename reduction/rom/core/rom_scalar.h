// SPDX-License-Identifier: BSD-3-Clause
// rom_scalar.h: rom_real.h for one call: what differs between one number and several.
#ifndef MW_ROM_SCALAR_H
#define MW_ROM_SCALAR_H

#include <math.h>

#include "rom_real.h"

// Part of the function that calls it, whose sizes may be constants there.
#define ROM_INLINE static inline __attribute__((always_inline))
#define ROM_APART  __attribute__((noinline))  // never part of another
// What more than one file calls and is written in `real`.
#define ROM_SHARED
#define ROM_UNROLL  // the next loop goes round a few times: as many copies of it, in rom_real.h
// the next loop moves single numbers: as many copies as the size it is laid out for asks for
#define ROM_UNROLL_ALL

// A compiler that knows vectors adds and multiplies ROM_PAD reals at once: as many as its registers
// hold, 8 at most; wider ones would go through memory. Rows and slices of memory are whole numbers
// of ROM_ROW reals, whatever the registers: the memory that a call needs must not depend on how an
// export is compiled.
enum { ROM_ROW = 8 };
#if !defined(__GNUC__) || defined(ROM_NO_VECTORS)
#elif defined(__AVX512F__)
#define ROM_VECTOR 8
#elif defined(__AVX__)
#define ROM_VECTOR 4
#elif defined(__SSE2__) || defined(__aarch64__)
#define ROM_VECTOR 2
#endif
#ifdef ROM_VECTOR
enum { ROM_PAD = ROM_VECTOR };
typedef real rom_pack
    __attribute__((vector_size(ROM_VECTOR * sizeof(real)), aligned(sizeof(real)), may_alias));
#else
enum { ROM_PAD = 1 };
typedef real rom_pack;
#endif

enum { ROM_DERIVED = 1 };  // rom_sens.c reads what a step leaves

// The sum of eight partial sums.
#if defined(ROM_VECTOR) && ROM_VECTOR >= 4
typedef real rom_half
    __attribute__((vector_size(4 * sizeof(real)), aligned(sizeof(real)), may_alias));
ROM_INLINE real rom_total(const real *p)
{
  real h[4];
  *(rom_half *)h = *(const rom_half *)p + *(const rom_half *)(p + 4);
  return (h[0] + h[1]) + (h[2] + h[3]);
}
#else
ROM_INLINE real rom_total(const real *p)
{
  return ((p[0] + p[4]) + (p[1] + p[5])) + ((p[2] + p[6]) + (p[3] + p[7]));
}
#endif
#define ROM_GET(from) (*(const rom_pack *)(from))
#define ROM_PUT(to)   (*(rom_pack *)(to))

static inline real rom_set(double x) { return x; }
static inline real rom_size(real x) { return fabs(x); }
static inline real rom_within(real x, double lo, double hi)
{
  real y = x > lo ? x : lo;
  return y < hi ? y : hi;
}

#endif
