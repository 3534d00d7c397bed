// SPDX-License-Identifier: BSD-3-Clause
// kept.h: tables of a reduced model over the ranges of parameters that it keeps, for programs that
// set them without the reduction: exported ones, components.
#ifndef MW_REDUCTION_KEPT_H
#define MW_REDUCTION_KEPT_H

#include <stddef.h>

#include "base/api.h"

MW_API_BEGIN

enum { MW_KEPT_PARAMETERS = 4, MW_KEPT_NODES = 17 };  // at most

typedef struct mw_kept {
  int n, n_node;                  // parameters, nodes of each; n = 0: none
  size_t n_coef;                  // of a table
  double *node;                   // [n × n_node]
  double *coef;                   // [n_node^n × n_coef], the last parameter fastest
  double error;                   // between the nodes, of what it was judged by (export_kept.c)
  unsigned zero_e, zero_H, slow;  // of all tables together (rom.h)
  unsigned long long zero_c;
  const char *why;  // parameters that there are cannot be set; NULL: they can, or there are none
} mw_kept;

size_t mw_kept_tables(const mw_kept *z);  // n_node^n
// Place of table g along parameter k.
int mw_kept_along(const mw_kept *z, size_t g, int k);
// coef [n_coef] at p [n] within the ranges, as the program has it.
void mw_kept_at(const mw_kept *z, const double *p, double *coef);

MW_API_END

#endif
