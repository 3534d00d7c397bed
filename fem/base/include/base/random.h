// SPDX-License-Identifier: BSD-3-Clause
// base/random.h: random numbers that are the same everywhere for the same state: splitmix64
// (G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014).
#ifndef MW_BASE_RANDOM_H
#define MW_BASE_RANDOM_H

#include <stdint.h>

static inline uint64_t mw_random(uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// In [0, 1), multiples of 2^-53.
static inline double mw_random_unit(uint64_t *state)
{
  return (double)(mw_random(state) >> 11) * 0x1p-53;
}

#endif
