// SPDX-License-Identifier: BSD-3-Clause
// harness_empty.c: a suite of which one test checks something and one checks nothing, for
// test_harness.sh: it must fail.
#include "mw_test.h"

static void one_is_one(void)
{
  MW_NEAR(1.0, 1.0, 1e-12);
  MW_NEAR(1.0 + 1e-9, 1.0, 1e-8);
  for (int k = 0; k < 3; k++) MW_WITHIN(1.0 + 1e-13, 1.0, 1e-6, "wide on purpose");
}

static void nothing_is_checked(void) {}

int main(void)
{
  static const mw_test_case cases[] = {
    { "one_is_one", one_is_one },
    { "nothing_is_checked", nothing_is_checked },
  };
  return mw_test_run("harness_empty", cases, (int)(sizeof cases / sizeof *cases));
}
