// SPDX-License-Identifier: BSD-3-Clause
// analyzer.h: what gcc -fanalyzer is told of functions that it cannot see into (-include).
#ifndef MW_TEST_ANALYZER_H
#define MW_TEST_ANALYZER_H

#include "base/error.h"

// returns its code, which is not MW_OK
#define mw_fail(err, code, ...) ((void)mw_fail(err, code, __VA_ARGS__), (code))

#endif
