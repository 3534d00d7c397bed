// SPDX-License-Identifier: BSD-3-Clause
// eight_layer.h: eight doubles at once, what a node's row is long.
//
// The one place with a compiler extension (vectors of gcc and clang): loops over eight numbers are
// vectorised along the wrong axis by gcc 12, which costs a factor of two and more on a right-hand
// side.
#ifndef MW_FEM_EIGHT_LAYER_H
#define MW_FEM_EIGHT_LAYER_H

typedef double mw_eight __attribute__((vector_size(64)));

// Unrolls a loop of up to eight turns, so that arrays of vectors stay in registers; clang does so
// by itself.
#ifdef __clang__
#define MW_UNROLL
#else
#define MW_UNROLL _Pragma("GCC unroll 8")
#endif

// the same where it lies in an array of doubles
typedef double mw_eight_there __attribute__((vector_size(64), aligned(8), may_alias));

// Vectors stay inside inline functions: no calling convention is touched. Copies are one load or
// store of eight: memcpy goes by halves and over the stack, from where a load of eight has to wait
// until both halves have left the store buffer.
static inline __attribute__((always_inline)) void mw_eight_get(const double *p, mw_eight *v)
{
  *v = *(const mw_eight_there *)p;
}
static inline __attribute__((always_inline)) void mw_eight_put(double *p, const mw_eight *v)
{
  *(mw_eight_there *)p = *v;
}
// lane r of v in all lanes; r is a constant once loops are unrolled
#define MW_EIGHT_ALL(v, r) __builtin_shufflevector(v, v, r, r, r, r, r, r, r, r)
static inline __attribute__((always_inline)) void mw_eight_lane(const mw_eight *v, int r,
                                                                mw_eight *out)
{
  switch (r) {
  case 0: *out = MW_EIGHT_ALL(*v, 0); break;
  case 1: *out = MW_EIGHT_ALL(*v, 1); break;
  case 2: *out = MW_EIGHT_ALL(*v, 2); break;
  case 3: *out = MW_EIGHT_ALL(*v, 3); break;
  case 4: *out = MW_EIGHT_ALL(*v, 4); break;
  case 5: *out = MW_EIGHT_ALL(*v, 5); break;
  case 6: *out = MW_EIGHT_ALL(*v, 6); break;
  default: *out = MW_EIGHT_ALL(*v, 7); break;
  }
}
// sets of lanes: all bits of a lane, or none
typedef long long mw_eight_lanes __attribute__((vector_size(64)));
static inline __attribute__((always_inline)) void mw_eight_join(mw_eight_lanes *some, int r)
{
  const mw_eight_lanes lane = { 0, 1, 2, 3, 4, 5, 6, 7 };
  *some |= lane == r;
}
// zeros in those lanes of v
static inline __attribute__((always_inline)) void mw_eight_clear(mw_eight *v,
                                                                 const mw_eight_lanes *some)
{
  *v = (mw_eight)((mw_eight_lanes)*v & ~*some);
}
// zeros in the lanes of v up to r
static inline __attribute__((always_inline)) void mw_eight_clear_to(mw_eight *v, int r)
{
  const mw_eight_lanes lane = { 0, 1, 2, 3, 4, 5, 6, 7 };
  *v = (mw_eight)((mw_eight_lanes)*v & (lane > r));
}
// the eight sums over the lanes of v[0] … v[7], three levels of adding halves
static inline __attribute__((always_inline)) void mw_eight_sums(const mw_eight v[8], mw_eight *out)
{
  mw_eight a[4], b[2];
  MW_UNROLL for (int i = 0; i < 4; i++) a[i] =
      __builtin_shufflevector(v[2 * i], v[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14) +
      __builtin_shufflevector(v[2 * i], v[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  MW_UNROLL for (int i = 0; i < 2; i++) b[i] =
      __builtin_shufflevector(a[2 * i], a[2 * i + 1], 0, 1, 8, 9, 4, 5, 12, 13) +
      __builtin_shufflevector(a[2 * i], a[2 * i + 1], 2, 3, 10, 11, 6, 7, 14, 15);
  *out = __builtin_shufflevector(b[0], b[1], 0, 1, 2, 3, 8, 9, 10, 11) +
         __builtin_shufflevector(b[0], b[1], 4, 5, 6, 7, 12, 13, 14, 15);
}

#endif
