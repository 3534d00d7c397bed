// SPDX-License-Identifier: BSD-3-Clause
// blas.h: how the BLAS behind dense.h, CHOLMOD and MUMPS runs, and on how many threads.
#ifndef MW_BASE_BLAS_H
#define MW_BASE_BLAS_H

#include "base/api.h"
#include "base/error.h"

MW_API_BEGIN

// One thread, and kernels that fit the processor; the first thing a program's main does. May start
// the program again (same arguments argv, NULL-terminated), see blas.c. With a BLAS other than
// OpenBLAS nothing happens.
void mw_blas_start(char **argv);
// Under a limit of address space: takes the memory that OpenBLAS works in, MW_ERR_MEMORY where the
// limit leaves none; without it OpenBLAS would ask for ever. After mw_blas_start.
MW_MUST_USE mw_code mw_blas_reserve(mw_error *err);

// For programs that use the BLAS themselves: one thread between serial and restore.
typedef struct mw_blas_threads {
  int n, levels;  // of OpenBLAS, of OpenMP; 0: not known
} mw_blas_threads;
mw_blas_threads mw_blas_serial(void);
void mw_blas_restore(mw_blas_threads before);

MW_API_END

#endif
