// SPDX-License-Identifier: BSD-3-Clause
// example.h: generated model files of a chosen size.
#ifndef MW_SIM_EXAMPLE_H
#define MW_SIM_EXAMPLE_H

#include <stdio.h>

#include "base/api.h"
#include "base/error.h"

MW_API_BEGIN

typedef struct mw_example {
  const char *name;
  const char *counts;   // what n counts
  const char *summary;  // one line
} mw_example;

enum { MW_EXAMPLE_MAX = 1000000 };  // largest n

// Example k = 0, 1, …; NULL behind the last.
const mw_example *mw_example_at(int k);

// Writes the model file of an example of size n, 1 to MW_EXAMPLE_MAX, to f; the same n gives the
// same bytes.
// MW_ERR_INPUT: no such example, or n out of range. MW_ERR_IO: f cannot be written.
MW_MUST_USE mw_code mw_example_write(FILE *f, const char *name, int n, mw_error *err);

MW_API_END

#endif
