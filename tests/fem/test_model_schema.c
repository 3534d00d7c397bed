// SPDX-License-Identifier: BSD-3-Clause
// test_model_schema.c: cases/modeway.schema.json is what the table of keys gives.
//
// With an argument the program writes the schema there instead: test_model_schema
// cases/modeway.schema.json
#include <stdio.h>
#include <string.h>

#include "fem/model.h"
#include "mw_test.h"

enum { MOST = 1 << 18 };

static void committed_schema_is_that_of_the_table(void)
{
  static char want[MOST], got[MOST];
  FILE *made = tmpfile(), *kept = fopen(MW_CASES_DIR "/modeway.schema.json", "rb");
  if (MW_CHECK(made && kept)) {
    mw_model_print_schema(made);
    rewind(made);
    size_t n = fread(want, 1, MOST, made), k = fread(got, 1, MOST, kept);
    MW_CHECK(n > 1000 && n < MOST && n == k && memcmp(want, got, n) == 0);
  }
  if (made) fclose(made);
  if (kept) fclose(kept);
}

static const mw_test_case cases[] = {
  { "committed_schema_is_that_of_the_table", committed_schema_is_that_of_the_table },
};

int main(int argc, char **argv)
{
  if (argc < 2) return mw_test_run("model_schema", cases, (int)(sizeof cases / sizeof *cases));
  FILE *f = fopen(argv[1], "wb");
  if (!f) return 1;
  mw_model_print_schema(f);
  return fclose(f) != 0;
}
