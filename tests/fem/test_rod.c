// SPDX-License-Identifier: BSD-3-Clause
// test_rod.c: how long a rod (joint `distance`) is.
#include <float.h>
#include <stdio.h>

#include "fixture.h"
#include "mw_test.h"

static bool rod(double drawn, const char *length, mw_fixture *f)
{
  char text[512];
  snprintf(text, sizeof text,
           "modeway: 1\n"
           "bodies:\n"
           "  b: { at: [%.17g, 0, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
           "joints:\n"
           "  j: { distance: { a: ground, b: b%s } }\n",
           drawn, length);
  return mw_fixture_text(text, f);
}

static void rods_are_as_long_as_said_or_else_as_drawn(void)
{
  static const struct {
    const char *length;
    double want;
  } rods[] = { { "", 0.5 }, { ", length: 0.8", 0.8 }, { ", length: 2.5", 2.5 } };
  for (size_t k = 0; k < sizeof rods / sizeof *rods; k++) {
    mw_fixture f;
    if (!MW_CHECK(rod(0.5, rods[k].length, &f))) continue;
    MW_NEAR(f.mech.joint[0].gap[0], rods[k].want, 2.0 * DBL_EPSILON * rods[k].want);
    mw_fixture_free(&f);
  }
}

static void rods_without_any_length_are_refused(void)
{
  mw_fixture f;
  MW_CHECK(!rod(0.0, "", &f));
  if (MW_CHECK(rod(0.0, ", length: 0.8", &f))) mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "rods_are_as_long_as_said_or_else_as_drawn", rods_are_as_long_as_said_or_else_as_drawn },
    { "rods_without_any_length_are_refused", rods_without_any_length_are_refused },
  };
  return mw_test_run("rod", cases, (int)(sizeof cases / sizeof *cases));
}
