// SPDX-License-Identifier: BSD-3-Clause
// rom_real.h: the number that the equations of motion and the exponential step are written in: a
// double, or with ROM_LANES as many of them, one of each of that many rollouts. Not for anyone
// else.
//
// Both do the same operations in the same order, so a lane gets the bits that a single call gets.
#ifndef MW_ROM_REAL_H
#define MW_ROM_REAL_H

#ifdef ROM_LANES
#include "rom_lanes.h"
#else
typedef double real;
#include "rom_scalar.h"
#ifdef ROM_UNROLL
#undef ROM_UNROLL
#define ROM_UNROLL _Pragma("GCC unroll 6")
#undef ROM_UNROLL_ALL
#define ROM_UNROLL_ALL _Pragma("GCC unroll 16")
#endif
#endif

// clang takes minutes over copies of loops when it also checks every one of their accesses
#ifdef __clang__
#if __has_feature(address_sanitizer)
#undef ROM_INLINE
#undef ROM_UNROLL
#undef ROM_UNROLL_ALL
#define ROM_INLINE static inline
#define ROM_UNROLL
#define ROM_UNROLL_ALL
#endif
#endif

#endif
