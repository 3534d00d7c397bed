// SPDX-License-Identifier: BSD-3-Clause
// test_inertia.c: published inertias that no body has, taken as they are.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"

// The third link of the Puma 560 (P. Corke's tables): 0.086 > 0.066 + 0.0125. It turns about an axis a through its centre of
// mass under 0.02 N·m: φ = ½ τ t²/(aᵀ I a), a = (1, 2, 3)/√14.
static const char *const link3 =
    "modeway: 1\n"
    "bodies:\n"
    "  link: { rigid: { mass: 4.8, inertia: [0.066, 0.086, 0.0125, 0, 0, 0], unphysical_inertia: %s } }\n"
    "joints:\n"
    "  turn: { revolute: { a: ground, b: link, axis: [1, 2, 3] }, coordinate: phi, drive: m }\n"
    "outputs: { o: { body: link, point: [1, 0, 0] } }\n"
    "scenarios:\n"
    "  go: { duration: 1, step: 1e-3, store: 0.1, initial: undeformed, drives: { m: { force: 0.02 } } }\n";

static void unphysical_inertia_turns_as_published(void)
{
  static const mw_method method[] = { MW_METHOD_CVODE, MW_METHOD_RK4, MW_METHOD_ALPHA,
                                      MW_METHOD_MIDPOINT };
  char text[2048];
  mw_fixture f;
  double J = (0.066 + 4.0 * 0.086 + 9.0 * 0.0125) / 14.0, want = 0.5 * 0.02 / J;
  snprintf(text, sizeof text, link3, "true");
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  const mw_scenario *sc = &f.model.scenario[0];
  for (int i = 0; i < 5; i++) {
    mw_error err = { 0 };
    mw_run r = { 0 };
    mw_dae_opt opt = mw_dae_opt_default();
    mw_rigid_run_opt rigid = mw_rigid_run_opt_default(sc);
    if (i < 4) rigid.rigid.method = method[i];
    rigid.rigid.tolerance = 1e-11;
    mw_code rc = i < 4 ? mw_rigid_run(&f.mech, sc, &rigid, NULL, &r, &err)
                       : mw_dae_run(&f.mech, sc, "full", &opt, NULL, &r, &err);
    // a constant acceleration: exact but for what a fixed step of 1 ms misses of a turn of 0.5 rad/s, (h ω)² = 3e-7 of it, and for
    // some hundred steps of cvode with 1e-11 each
    if (MW_OKAY(rc)) MW_NEAR(r.s[r.n_t - 1], want, 3e-7 * want);
    mw_run_free(&r);
  }
  mw_fixture_free(&f);
}

static void unphysical_inertia_is_refused_unless_asked_for(void)
{
  char text[2048];
  mw_fixture f;
  snprintf(text, sizeof text, link3, "false");
  MW_CHECK(!mw_fixture_text(text, &f));
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "unphysical_inertia_turns_as_published", unphysical_inertia_turns_as_published },
    { "unphysical_inertia_is_refused_unless_asked_for",
      unphysical_inertia_is_refused_unless_asked_for },
  };
  return mw_test_run("inertia", cases, (int)(sizeof cases / sizeof *cases));
}
