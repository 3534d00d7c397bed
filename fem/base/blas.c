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
//
// OpenBLAS asks again for ever where the system refuses the buffer of a thread: its own threads
// while the library is loaded, the caller in its first product. So under a limit of address space
// (ulimit -v) the program starts itself again without such threads, and takes the buffer at a point
// where it can say that there is none; OpenBLAS keeps it for what the program does later.
#define _DEFAULT_SOURCE  // MAP_ANONYMOUS
#include "base/blas.h"

#include "lapack_priv.h"

#if defined(__GNUC__) && defined(__x86_64__) && defined(__linux__)
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static const size_t BUFFER = (size_t)129 << 20;  // bytes; version 0.3.21 takes 128 MiB and a page

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

// Address space (bytes) that the process may have, RLIM_INFINITY: any.
static rlim_t space(void)
{
  struct rlimit limit;
  return getrlimit(RLIMIT_AS, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

void mw_blas_start(char **argv)
{
  static const char *const KERNELS = "OPENBLAS_CORETYPE", *const THREADS = "OPENBLAS_NUM_THREADS";
  bool again = false;
  if (openblas_get_corename && !getenv(KERNELS)) {
    const char *kernels = better_kernels(openblas_get_corename());
    again = kernels && setenv(KERNELS, kernels, 0) == 0;
  }
  const char *threads = getenv(THREADS);
  if (openblas_get_num_threads && space() != RLIM_INFINITY && openblas_get_num_threads() > 1 &&
      !(threads && strcmp(threads, "1") == 0))
    again = setenv(THREADS, "1", 1) == 0 || again;
  // on failure this process goes on with what it has
  if (again) (void)execv("/proc/self/exe", argv);
  (void)mw_blas_serial();
}

mw_code mw_blas_reserve(mw_error *err)
{
  const int one = 1;
  int pivot, info;
  double a = 1.0;
  if (!openblas_get_num_threads || space() == RLIM_INFINITY) return MW_OK;
  void *probe = mmap(NULL, BUFFER, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (probe == MAP_FAILED)
    return mw_fail(
        err, MW_ERR_MEMORY, MW_NOWHERE,
        "out of memory: found a limit of %llu MiB of address space (ulimit -v), expected "
        "%llu MiB of it left for products of matrices",
        (unsigned long long)space() >> 20, (unsigned long long)BUFFER >> 20);
  (void)munmap(probe, BUFFER);
  dgetrf_(&one, &one, &a, &one, &pivot, &info);
  return MW_OK;
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
mw_code mw_blas_reserve(mw_error *err)
{
  (void)err;
  return MW_OK;
}
mw_blas_threads mw_blas_serial(void) { return (mw_blas_threads){ 0 }; }
void mw_blas_restore(mw_blas_threads before) { (void)before; }
#endif
