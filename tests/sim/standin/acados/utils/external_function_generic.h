// SPDX-License-Identifier: BSD-3-Clause
// external_function_generic.h: stands in for acados' header of that name in tests: the arguments of
// generic functions.
#ifndef STANDIN_EXTERNAL_FUNCTION_GENERIC_H
#define STANDIN_EXTERNAL_FUNCTION_GENERIC_H

#include "../../blasfeo_common.h"

struct blasfeo_dmat_args {
  struct blasfeo_dmat *A;
  int ai, aj;  // where the block begins
};

struct blasfeo_dvec_args {
  struct blasfeo_dvec *x;
  int xi;
};

#endif
