// SPDX-License-Identifier: BSD-3-Clause
// blas.h: how the BLAS behind dense.h, CHOLMOD and MUMPS runs, and on how many threads.
#ifndef MW_BASE_BLAS_H
#define MW_BASE_BLAS_H

#include "base/api.h"

MW_API_BEGIN

// One thread, and kernels that fit the processor; the first thing a program's main does. May start
// the program again (same arguments argv, NULL-terminated), see blas.c. With a BLAS other than
// OpenBLAS nothing happens.
void mw_blas_start(char **argv);

MW_API_END

#endif
