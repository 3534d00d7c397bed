// SPDX-License-Identifier: BSD-3-Clause
// blas.c: how the BLAS behind dense.h, CHOLMOD and MUMPS runs.
//
// OpenBLAS starts a thread a core, which then spin beside the small products of these programs;
// results may depend on their number, too. And it knows the processors of its own year: for a later
// one it takes kernels without AVX, measured four times slower (0.3.21 on a server of 2023: 18
// against 90 Gflop/s, and a sparse factorization in 22 against 10 s). The kernels are chosen when
// the library is loaded, by OPENBLAS_CORETYPE if that is set. So where OpenBLAS fell back though
// the processor can do more, the program starts itself again with the variable set; a user's own
// choice stands.
#include "base/blas.h"

#if defined(__GNUC__) && defined(__x86_64__) && defined(__linux__)
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// absent with another BLAS
extern void openblas_set_num_threads(int n) __attribute__((weak));
extern int openblas_get_num_threads(void) __attribute__((weak));
extern char *openblas_get_corename(void) __attribute__((weak));
// absent where CHOLMOD does without OpenMP
extern void omp_set_max_active_levels(int levels) __attribute__((weak));
extern int omp_get_max_active_levels(void) __attribute__((weak));

// The kernels this processor can run, NULL: no better ones than those in use.
static const char *better_kernels(const char *in_use)
{
  static const char *const fallback[] = { "Prescott", "Core2", "Generic", "Unknown" };
  int fell_back = 0;
  for (size_t i = 0; i < sizeof fallback / sizeof *fallback; i++)
    fell_back |= strcmp(in_use, fallback[i]) == 0;
  if (!fell_back) return NULL;
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
    return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
  return NULL;
}

void mw_blas_start(char **argv)
{
  static const char *const KEY = "OPENBLAS_CORETYPE";
  if (openblas_get_corename && !getenv(KEY)) {
    const char *kernels = better_kernels(openblas_get_corename());
    // on failure this process goes on with what it has
    if (kernels && setenv(KEY, kernels, 0) == 0) (void)execv("/proc/self/exe", argv);
  }
  (void)mw_blas_serial();
}

mw_blas_threads mw_blas_serial(void)
{
  mw_blas_threads before = { 0 };
  if (openblas_get_num_threads) before.n = openblas_get_num_threads();
  if (omp_get_max_active_levels) before.levels = omp_get_max_active_levels();
  if (openblas_set_num_threads) openblas_set_num_threads(1);
  // CHOLMOD asks for four threads whatever OMP_NUM_THREADS says; they would mostly wait for each
  // other
  if (omp_set_max_active_levels) omp_set_max_active_levels(0);
  return before;
}

void mw_blas_restore(mw_blas_threads before)
{
  if (openblas_set_num_threads && before.n > 0) openblas_set_num_threads(before.n);
  if (omp_set_max_active_levels && before.levels > 0) omp_set_max_active_levels(before.levels);
}
#else
void mw_blas_start(char **argv) { (void)argv; }
mw_blas_threads mw_blas_serial(void) { return (mw_blas_threads){ 0 }; }
void mw_blas_restore(mw_blas_threads before) { (void)before; }
#endif
