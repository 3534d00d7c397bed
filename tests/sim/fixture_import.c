// SPDX-License-Identifier: BSD-3-Clause
// fixture_import.c: a robot's file from its text, imported (fixture_import.h).
#include "fixture_import.h"

#include <stdio.h>

#include "mw_test.h"

bool fixture_import(const char *text, const char *ending, const mw_import_opt *opt, mw_arena *mem,
                    mw_import_result *out, mw_error *err)
{
  char path[64];
  snprintf(path, sizeof path, "test_import.tmp%s", ending);
  FILE *f = fopen(path, "w");
  if (!MW_CHECK(f != NULL)) return false;
  fputs(text, f);
  fclose(f);
  mw_code rc = mw_import_read(path, opt, mem, out, err);
  remove(path);
  return rc == MW_OK;
}
