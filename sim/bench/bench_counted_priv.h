// SPDX-License-Identifier: BSD-3-Clause
// bench_counted_priv.h: numbers that are counted. With MW_COUNTED this is read before every source
// of reduction/rom/, and `double` means such a number there.
//
// It is the 128-bit type: its sums, products and quotients are calls of the compiler's run-time
// library, __addtf3, __subtf3, __multf3 and __divtf3. In the object made of those sources these
// calls lead to mw_counted_add and so on (CMakeLists.txt), which count and then compute. Roots are
// counted here; comparisons, signs, conversions and roundings to integers are not.
#ifndef MW_SIM_BENCH_COUNTED_PRIV_H
#define MW_SIM_BENCH_COUNTED_PRIV_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

typedef double mw_plain;
#ifdef __SIZEOF_FLOAT128__
typedef __float128 mw_counted;
#else
typedef long double mw_counted;  // where that is the 128-bit type
#endif
mw_counted mw_counted_add(mw_counted a, mw_counted b);
mw_counted mw_counted_sub(mw_counted a, mw_counted b);
mw_counted mw_counted_mul(mw_counted a, mw_counted b);
mw_counted mw_counted_div(mw_counted a, mw_counted b);
mw_counted mw_counted_sqrt(mw_counted a);

// A model in plain numbers, members as those of mw_rom, and one call.
typedef struct mw_counted_train {
  int first, n_field;
  const int *rank;              // [s]
  const mw_plain *const *core;  // [s]
  const mw_plain *field;
} mw_counted_train;

typedef struct mw_counted_call {
  int s, m, n_y, n_u, n_field, n_Y, n_G;
  unsigned parts, zero_H, slow;
  const int *Y_field;
  const int *n_grid;        // [s]
  const mw_plain *lo, *hi;  // [s]
  unsigned flat, cyclic, symmetric, zero_e;
  unsigned long long zero_c;
  const mw_plain *y_slope, *y_shift;  // [s × n_y]
  const int *mirror, *mirror_y;
  const mw_plain *coef;
  size_t n_coef;  // numbers of the table, 0: there are trains
  int n_train;
  const mw_counted_train *train;
  const int *u_field;
  const mw_plain *c_theta, *delta_max, *rate_max, *u_max;
  int n_law;
  const int *law_field;
  const mw_plain *law;  // [n_law × 9]  coulomb … soft of mw_rom_law, in its order
  int call, inertia, method, iter_max;  // mw_count_call, mw_rom_inertia, mw_rom_method
  unsigned prescribed;
  mw_plain tol, h;
  const mw_plain *x, *u;  // [2 (s + m)], [n_u]
  mw_plain *result;       // [n_result]
} mw_counted_call;
// Results: fields their values; right-hand side and Jacobian acc; steps the new x.
static inline size_t mw_counted_n_result(const mw_counted_call *c)
{
  return (size_t)(c->call == 0 ? c->n_field : (c->call < 4 ? 1 : 2) * (c->s + c->m));
}
// 0: done; a mw_rom_code; -1: no memory.
int mw_counted_run(const mw_counted_call *c);

#ifdef MW_COUNTED
#undef isfinite
#undef FP_FAST_FMA
#define isfinite(x) __builtin_isfinite(x)
#define sqrt(x)     mw_counted_sqrt(x)
#define fabs(x)     mw_counted_abs(x)
#define floor(x)    mw_counted_floor(x)
#define fmin(x, y)  mw_counted_min(x, y)
#define fmax(x, y)  mw_counted_max(x, y)
static inline mw_counted mw_counted_abs(mw_counted x) { return x < 0 ? -x : x; }
static inline mw_counted mw_counted_floor(mw_counted x) { return (floor)((mw_plain)x); }
static inline mw_counted mw_counted_min(mw_counted x, mw_counted y) { return x < y ? x : y; }
static inline mw_counted mw_counted_max(mw_counted x, mw_counted y) { return x > y ? x : y; }
#define double mw_counted
#endif

#endif
