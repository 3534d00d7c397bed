// SPDX-License-Identifier: BSD-3-Clause
// seven_axes.h: the arm of seven axes that benches measure.
#ifndef MW_BENCH_SEVEN_AXES_H
#define MW_BENCH_SEVEN_AXES_H

#include "fixture.h"

// Seven links of 0.3 m, axes z and y in turn, the heavier the nearer to the base. False after
// printing what went wrong.
bool seven_axes_open(mw_fixture *out);

#endif
