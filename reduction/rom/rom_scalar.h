// SPDX-License-Identifier: BSD-3-Clause
// rom_scalar.h: rom_real.h for one call: what differs between one number and several.
#ifndef MW_ROM_SCALAR_H
#define MW_ROM_SCALAR_H

#include <math.h>

#include "rom_real.h"

// Part of the function that calls it, whose sizes may be constants there.
#define ROM_INLINE static inline __attribute__((always_inline))
#define ROM_UNROLL  // the next loop goes round a few times: as many copies of it, in rom_real.h

enum { ROM_PAD = 8 };  // rows are whole numbers of this many reals

static inline real rom_set(double x) { return x; }
static inline real rom_size(real x) { return fabs(x); }
static inline real rom_within(real x, double lo, double hi) { return fmin(fmax(x, lo), hi); }

#endif
