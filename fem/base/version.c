// SPDX-License-Identifier: BSD-3-Clause
// version.c: the version of the library.
#include "base/api.h"

const char *mw_version(void) { return MW_VERSION; }
