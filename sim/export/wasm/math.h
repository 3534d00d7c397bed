// SPDX-License-Identifier: BSD-3-Clause
// math.h: what the online model calls of libm, for WebAssembly without a C library: instructions of
// the machine, and fmin and fmax as C has them.
#ifndef MW_SIM_EXPORT_WASM_MATH_H
#define MW_SIM_EXPORT_WASM_MATH_H

#define INFINITY       __builtin_inff()
#define NAN            __builtin_nanf("")
#define isfinite(x)    __builtin_isfinite(x)
#define isnan(x)       __builtin_isnan(x)
#define isinf(x)       __builtin_isinf(x)
#define signbit(x)     __builtin_signbit(x)
#define sqrt(x)        __builtin_sqrt(x)
#define fabs(x)        __builtin_fabs(x)
#define floor(x)       __builtin_floor(x)
#define ceil(x)        __builtin_ceil(x)
#define trunc(x)       __builtin_trunc(x)
#define copysign(x, y) __builtin_copysign(x, y)

double asinh(double x);  // of the energy of stops alone, which no call needs

#define fmin(x, y) mw_wasm_min(x, y)
#define fmax(x, y) mw_wasm_max(x, y)

static inline double mw_wasm_min(double x, double y) { return x < y || y != y ? x : y; }
static inline double mw_wasm_max(double x, double y) { return x > y || y != y ? x : y; }

#endif
