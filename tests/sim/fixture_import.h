// SPDX-License-Identifier: BSD-3-Clause
// fixture_import.h: a robot's file from its text, imported.
#ifndef MW_TEST_FIXTURE_IMPORT_H
#define MW_TEST_FIXTURE_IMPORT_H

#include <stdbool.h>

#include "import/import_layer.h"

// Imports the text as the file test_import.tmp of this ending; false after noting why not.
bool fixture_import(const char *text, const char *ending, const mw_import_opt *opt, mw_arena *mem,
                    mw_import_result *out, mw_error *err);

#endif
