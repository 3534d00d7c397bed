// SPDX-License-Identifier: BSD-3-Clause
// rom_scalar.h: rom_real.h for one call: what differs between one number and several.
#ifndef MW_ROM_SCALAR_H
#define MW_ROM_SCALAR_H

#include <math.h>

#include "rom_real.h"

// Part of the function that calls it, whose sizes may be constants there.
#define ROM_INLINE static inline __attribute__((always_inline))
#define ROM_UNROLL  // the next loop goes round a few times: as many copies of it, in rom_real.h

// Rows are whole numbers of ROM_PAD reals, which a compiler that knows vectors adds and multiplies at once.
#if defined(__GNUC__) && !defined(ROM_NO_VECTORS)
enum { ROM_PAD = 8 };
typedef real rom_pack
    __attribute__((vector_size(8 * sizeof(real)), aligned(sizeof(real)), may_alias));
#else
enum { ROM_PAD = 1 };
typedef real rom_pack;
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
