// SPDX-License-Identifier: BSD-3-Clause
// test_drive_stability.c: loops of drives that are unstable: growth against the eigenvalue of the
// sampled loop, limits against closed forms.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "drive_run.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "rom_step.h"
#include "run/stability_layer.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

static const char UNSTABLE[] = "the loop of drive m is unstable at the start";

// A mass under PID gains that feed it slowly, and a mass on a spring beside it (a model has modes).
static const char SLOW[] =
    "modeway: 1\n"
    "bodies:\n"
    "  sled: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "  beside: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "joints:\n"
    "  ways: { prismatic: { a: ground, b: sled, axis: [1, 0, 0] }, coordinate: x, drive: m }\n"
    "  rail: { prismatic: { a: ground, b: beside, axis: [0, 1, 0] } }\n"
    "springs: { side: { a: ground, b: beside, stiffness: [0, 1000, 0] } }\n"
    "outputs: { sled: { body: sled } }\n"
    "reduction: { coordinates: { x: { range: [-9, 9], points: 5 } }, modes: { count: 1 },\n"
    "  certificate: { points: 1, samples: 4 } }\n"
    "scenarios: { pid: { duration: 20, step: 1e-3, control_period: 1e-3, store: 0.1,\n"
    "  rigid: { method: rk4 }, start: { x: 0 },\n"
    "  drives: { m: { follow: 1e-3, kp: 200, ki: 460, kd: 4 } } } }\n";

// Map of x, v, ∫e, e of the sample before over a period T: the largest eigenvalue's growth, 1/s
static double growth_of_map(double T)
{
  const double m = 2.0, kp = 200.0, ki = 460.0, kd = 4.0;
  const double u[4] = { -kp - 0.5 * ki * T, -kd, ki, 0.5 * ki * T };
  double Z[16] = { 1.0, T, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -0.5 * T, 0.0, 1.0, 0.5 * T, -1.0 };
  double re[4], im[4], most = 0.0;
  mw_error err = { 0 };
  for (int j = 0; j < 4; j++) {
    Z[j] += 0.5 * T * T / m * u[j];
    Z[4 + j] += T / m * u[j];
  }
  if (!MW_OKAY(mw_eig_any(4, Z, re, im, &err))) return NAN;
  for (int i = 0; i < 4; i++) most = fmax(most, hypot(re[i], im[i]));
  return log(most) / T;
}

// y_k+1 = a y_k − z² y_k−1 of one pair of eigenvalues, by least squares over the second half
static double growth_of_run(const mw_run *r)
{
  double aa = 0.0, ab = 0.0, bb = 0.0, ay = 0.0, by = 0.0;
  for (int k = r->n_t / 2; k + 2 < r->n_t; k++) {
    double b = r->s[k] - 1e-3, a = r->s[k + 1] - 1e-3, y = r->s[k + 2] - 1e-3;
    aa += a * a, ab += a * b, bb += b * b, ay += a * y, by += b * y;
  }
  double zz = -(aa * by - ab * ay) / (aa * bb - ab * ab);
  return 0.5 * log(zz) / (r->t[1] - r->t[0]);
}

// Steps shorter than the period, as long and longer: controllers sample as the scenario says, the
// loop is the same. A mass between held forces moves exactly by all methods; the third root, −2.3
// 1/s, is e⁻²³ of the swing at half the time, over what it grows by in 0.1 s.
static void a_loop_grows_as_its_eigenvalue_says(void)
{
  static const double step[] = { 2.5e-4, 1e-3, 5e-3 };
  mw_fixture f = { 0 };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(SLOW, &f)) ||
      !MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)))
    return;
  const mw_scenario *sc = &f.model.scenario[0];
  double want = growth_of_map(sc->control_period);
  for (int k = 0; k < 9; k++) {
    mw_dae_opt dae = mw_dae_opt_default();
    mw_rigid_run_opt rigid = mw_rigid_run_opt_default(sc);
    mw_run r = { 0 };
    dae.step = rigid.step = step[k / 3];
    mw_code rc = k % 3 == 0   ? mw_dae_run(&f.mech, sc, "full", &dae, NULL, &r, &err)
                 : k % 3 == 1 ? mw_rigid_run(&f.mech, sc, &rigid, NULL, &r, &err)
                              : mw_rom_run(&f.model, &f.mech, &rom, sc, MW_ROM_STEP(step[k / 3]),
                                           NULL, &r, &err);
    if (MW_OKAY(rc)) {
      double g = growth_of_run(&r);
      printf("path %d, steps of %g s: doubles in %.6f s, its eigenvalue in %.6f s\n", k % 3,
             step[k / 3], log(2.0) / g, log(2.0) / want);
      MW_NEAR(g / want, 1.0, exp(-23.0) / (0.1 * want));
      MW_CHECK(drive_run_told(&r, &err, UNSTABLE));
    }
    mw_run_free(&r);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// ---- where loops become unstable: closed forms --------------------------------------------------

// A mass of 2 kg on ways, or with a damper that makes it nearly an integrator.
static const char SLED[] =
    "modeway: 1\n"
    "bodies: { sled: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } } }\n"
    "joints: { ways: { prismatic: { a: ground, b: sled, axis: [1, 0, 0] }, coordinate: x,\n"
    "  drive: m, %s } }\n"
    "outputs: { sled: { body: sled } }\n"
    "scenarios: { s: { duration: 100, step: %s, store: 0.1, drives: { m: { follow: 1, %s } } } }\n";

static bool unstable(const char *joint, const char *step, const char *gains)
{
  char text[2048];
  mw_fixture f = { 0 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_stability said = { 0 };
  snprintf(text, sizeof text, SLED, joint, step, gains);
  if (!MW_CHECK(mw_fixture_text(text, &f))) return false;
  const mw_scenario *sc = &f.model.scenario[0];
  MW_OKAY(mw_stability_rigid(&f.mech, sc, sc->control_period, &mem, &said, &err));
  MW_CHECK(!said.unjudged);
  bool is = said.unstable != NULL;
  mw_arena_free(&mem);
  mw_fixture_free(&f);
  return is;
}

// PD on a mass, sampled every T and held: z² + (a/2 + b − 2) z + 1 + a/2 − b with a = kp T²/m, b =
// kd T/m lies within the unit circle for a > 0, a/2 < b and b < 2 (Jury). T = 0.01 s.
static void pd_is_stable_up_to_its_limit(void)
{
  MW_CHECK(!unstable("damping: 0", "0.01", "kp: 100, kd: 399.9"));
  MW_CHECK(unstable("damping: 0", "0.01", "kp: 100, kd: 400.1"));
  MW_CHECK(!unstable("damping: 0", "0.01", "kp: 10000, kd: 50.1"));
  MW_CHECK(unstable("damping: 0", "0.01", "kp: 10000, kd: 49.9"));
}

// A point mass has no place among rigid bodies.
static void a_loop_that_is_not_judged_is_named(void)
{
  mw_fixture f = { 0 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_stability said = { 0 };
  static const char text[] =
      "modeway: 1\n"
      "bodies: { sled: { rigid: { mass: 2, inertia: [0, 0, 0, 0, 0, 0] } } }\n"
      "joints: { ways: { prismatic: { a: ground, b: sled, axis: [1, 0, 0] }, coordinate: x,\n"
      "  drive: m } }\n"
      "scenarios: { s: { duration: 1, step: 1e-2, drives: { m: { follow: 1, kp: 1, kd: 1 } } } }\n";
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  MW_OKAY(mw_stability_rigid(&f.mech, &f.model.scenario[0], 1e-2, &mem, &said, &err));
  MW_CHECK(!said.unstable && said.unjudged && strstr(said.unjudged, "drive m is not judged") &&
           strstr(said.unjudged, "body sled"));
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// PI on the speed of a mass, an integrator, by trapezoids: z² + (a + b − 2) z + 1 − a + b with
// a = kp T/m, b = ki T²/(2m) lies within for b > 0, b < a and a < 2. The position follows freely.
static void pi_on_an_integrator_is_stable_up_to_its_limit(void)
{
  MW_CHECK(!unstable("damping: 0", "0.01", "kp: 0, velocity: { kp: 399.9, ki: 100 }"));
  MW_CHECK(unstable("damping: 0", "0.01", "kp: 0, velocity: { kp: 400.1, ki: 100 }"));
  MW_CHECK(!unstable("damping: 0", "0.01", "kp: 0, velocity: { kp: 10, ki: 1990 }"));
  MW_CHECK(unstable("damping: 0", "0.01", "kp: 0, velocity: { kp: 10, ki: 2010 }"));
}

static const mw_test_case cases[] = {
  { "a_loop_grows_as_its_eigenvalue_says", a_loop_grows_as_its_eigenvalue_says },
  { "pd_is_stable_up_to_its_limit", pd_is_stable_up_to_its_limit },
  { "a_loop_that_is_not_judged_is_named", a_loop_that_is_not_judged_is_named },
  { "pi_on_an_integrator_is_stable_up_to_its_limit",
    pi_on_an_integrator_is_stable_up_to_its_limit },
};

int main(void)
{
  return mw_test_run("drive_stability", cases, (int)(sizeof cases / sizeof *cases));
}
