// SPDX-License-Identifier: BSD-3-Clause
// test_scale.c: machines that are similar move alike, whatever their size and the units of their
// model.
//
// Lengths by L, masses by M, times by T: E by M/(L T²), rho by M/L³, gravity by L/T². What has no
// unit stays.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/dae.h"
#include "sim/romrun.h"

// A strip on a hub, hanging, released from 1 rad after a static start: the strip bends and is
// stretched by its swing.
static const char *const pendulum =
    "modeway: 1\n"
    "gravity: [0, 0, %.17g]\n"
    "materials: { alu: { E: %.17g, nu: 0.33, rho: %.17g, unusual: true } }\n"
    "sections: { s: { rectangle: { width: %.17g, height: %.17g }, shear: false, rotary: false } }\n"
    "bodies:\n"
    "  base: { ground: true, rigid: { mass: 0 } }\n"
    "  strip:\n"
    "    axes: { x: [0, 0, -1], y: [0, 1, 0] }\n"
    "    beams:\n"
    "      points: { r: [0, 0, 0], t: [%.17g, 0, 0] }\n"
    "      members: [ { from: r, to: t, section: s, material: alu, elements: 8 } ]\n"
    "    frames:\n"
    "      r: { node: r, mass: %.17g, inertia: [%.17g, %.17g, %.17g, 0, 0, 0] }\n"
    "      t: { node: t, mass: %.17g }\n"
    "joints: { h: { revolute: { a: base, b: strip.r, axis: [0, 1, 0] }, coordinate: phi } }\n"
    "outputs: { tip: { frame: strip.t } }\n"
    "reduction:\n"
    "  coordinates: { phi: { range: [-1.6, 1.6], points: 9, max_rate: %.17g, max_acceleration: "
    "%.17g } }\n"
    "  modes: { count: 4 }\n"
    "  certificate: { points: 2, samples: 8 }\n"
    "scenarios:\n"
    "  fall: { duration: %.17g, step: %.17g, store: %.17g, start: { phi: 1 } }\n";

typedef struct scale {
  double L, M, T;
} scale;

static const scale scales[] = {
  { 1.0, 1.0, 1.0 },      // a metre
  { 1e3, 1e9, 30.0 },     // a kilometre of the same material's density
  { 1e5, 1e12, 1e3 },     // larger and heavier than any
  { 1e3, 1e-3, 1.0 },     // millimetres, tonnes, newtons
  { 1e-4, 1e-12, 1e-4 },  // a tenth of a millimetre
  { 1e-5, 1e-15, 1e-5 },  // ten micrometres
  { 1e-5, 1e-15, 3e-3 },  // in the gravity of the first
};
enum { N_SCALE = sizeof scales / sizeof *scales };

static bool read(const scale *u, mw_fixture *f)
{
  char text[4096];
  double L = u->L, M = u->M, T = u->T, I = 0.5 * M * L * L;
  snprintf(text, sizeof text, pendulum, -9.81 * L / (T * T), 70e9 * M / (L * T * T),
           2700.0 * M / (L * L * L), 0.03 * L, 0.01 * L, L, M, I, I, I, 0.3 * M, 8.0 / T,
           60.0 / (T * T), 0.2 * T, 1e-3 * T, 0.02 * T);
  return mw_fixture_text(text, f);
}

// Largest difference of a run's outputs and coordinates from those of the first scale, over L and
// 1.
static double difference(const mw_run *a, const mw_run *b, double L)
{
  double most = a->n_t == b->n_t ? 0.0 : INFINITY;
  for (int k = 0; k < a->n_t && k < b->n_t; k++) {
    most = fmax(most, fabs(a->s[k] - b->s[k]));
    for (int i = 0; i < 3; i++) most = fmax(most, fabs(a->y[3 * k + i] - b->y[3 * k + i] / L));
  }
  return most;
}

// 200 steps, each converged to 1e-9 of the size (mw_dae_opt_default), errors of which may add up.
static void full_paths_of_similar_machines_are_similar(void)
{
  mw_run first = { 0 };
  mw_fixture f[N_SCALE];
  for (int i = 0; i < N_SCALE; i++) {
    mw_error err = { 0 };
    mw_run r = { 0 };
    mw_dae_opt opt = mw_dae_opt_default();
    if (!MW_CHECK(read(&scales[i], &f[i]))) return;
    if (!MW_OKAY(mw_dae_run(&f[i].mech, &f[i].model.scenario[0], "full", &opt, NULL, &r, &err)))
      continue;
    if (i == 0)
      first = r;
    else
      MW_NEAR(difference(&first, &r, scales[i].L), 0.0, 200.0 * opt.tol);
    if (i > 0) mw_run_free(&r);
  }
  mw_run_free(&first);
  for (int i = 0; i < N_SCALE; i++) mw_fixture_free(&f[i]);
}

// Tables may have other numbers of points (rigid_axes.c measures by metres above one): a reduced
// model's run departs from its full one by about 1e-3 of the deflection, 1.5e-5 of the length, and
// similar ones by no more than a part of that from each other.
static void reduced_models_of_similar_machines_are_similar(void)
{
  mw_run first = { 0 };
  mw_fixture f[N_SCALE];
  for (int i = 0; i < N_SCALE; i++) {
    mw_error err = { 0 };
    mw_run r = { 0 };
    mw_rom_file rom = { 0 };
    if (!MW_CHECK(read(&scales[i], &f[i]))) return;
    if (!MW_OKAY(mw_reduce(&f[i].model, &f[i].mech, NULL, &rom, &err))) continue;
    if (MW_OKAY(mw_rom_run(&f[i].model, &f[i].mech, &rom, &f[i].model.scenario[0], NULL, NULL, &r,
                           &err))) {
      if (i == 0)
        first = r;
      else
        MW_NEAR(difference(&first, &r, scales[i].L), 0.0, 2e-6);
      if (i > 0) mw_run_free(&r);
    }
    mw_rom_file_free(&rom);
  }
  mw_run_free(&first);
  for (int i = 0; i < N_SCALE; i++) mw_fixture_free(&f[i]);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "full_paths_of_similar_machines_are_similar", full_paths_of_similar_machines_are_similar },
    { "reduced_models_of_similar_machines_are_similar",
      reduced_models_of_similar_machines_are_similar },
  };
  return mw_test_run("scale", cases, (int)(sizeof cases / sizeof *cases));
}
