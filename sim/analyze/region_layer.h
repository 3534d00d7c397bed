// SPDX-License-Identifier: BSD-3-Clause
// region_layer.h: facets of what drives give within their limits.
#ifndef MW_SIM_ANALYZE_REGION_LAYER_H
#define MW_SIM_ANALYZE_REGION_LAYER_H

#include <stdbool.h>

enum { MW_MOST_K = 12 };

// w [k] across columns col [k − 1] of B [k × d], rows over scale [k], k <= MW_MOST_K; false: these
// depend on each other.
bool mw_across(int k, int d, const double *B, const double *scale, const int *col, double *w);
// The next choice of k − 1 of d columns, ascending, in col; false: that was the last one.
bool mw_next_choice(int k, int d, int *col);
// How many there are, at most 1e8.
double mw_choices(int k, int d);

#endif
