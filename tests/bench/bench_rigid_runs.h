// SPDX-License-Identifier: BSD-3-Clause
// bench_rigid_runs.h: runs of the rigid path against the clock; each prints its lines, false when a
// judged one failed.
#ifndef MW_TESTS_BENCH_RIGID_RUNS_H
#define MW_TESTS_BENCH_RIGID_RUNS_H

#include <stdbool.h>

// Forty four-bar windows for 10 s, through all positions where they lie flat.
bool mw_bench_four_bar(void);
// The hexapod for 10 s at 1 ms.
bool mw_bench_real_time(void);

#endif
