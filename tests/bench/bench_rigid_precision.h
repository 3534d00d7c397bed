// SPDX-License-Identifier: BSD-3-Clause
// bench_rigid_precision.h: run time over achieved error.
#ifndef MW_BENCH_RIGID_PRECISION_H
#define MW_BENCH_RIGID_PRECISION_H

#include <stdbool.h>

// Six-bar and Andrews' mechanism by all methods, several tolerances or steps each, for four
// projection tolerances: to a netCDF file and a picture. False after printing what went wrong.
bool mw_work_precision(const char *nc, const char *svg);

#endif
