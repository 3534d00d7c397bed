// SPDX-License-Identifier: BSD-3-Clause
// assign_priv.h: the assignment of least total cost.
#ifndef MW_REDUCTION_ASSIGN_PRIV_H
#define MW_REDUCTION_ASSIGN_PRIV_H

#include <stddef.h>

// match [n]: column of each row so that Σ cost[i, match[i]] is least; cost [n × n] row-major,
// finite. scratch: mw_assign_bytes(n), aligned for double.
size_t mw_assign_bytes(int n);
void mw_assign(int n, const double *cost, int *match, void *scratch);

#endif
