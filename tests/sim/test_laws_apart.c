// SPDX-License-Identifier: BSD-3-Clause
// test_laws_apart.c: a reduced model takes damping, friction and end stops of joint coordinates
// from the model as it is: nothing else in it depends on them.
//
// A carriage on a clamped beam, pushed to and fro along it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/case.h"
#include "sim/dae.h"
#include "sim/romrun.h"

static const char *const format =
    "modeway: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { arm: { rectangle: { width: 0.02, height: 0.02 } } }\n"
    "bodies:\n"
    "  arm:\n"
    "    ground: true\n"
    "    beams:\n"
    "      points: { hub: [0,0,0], end: [1,0,0] }\n"
    "      members: [ { from: hub, to: end, section: arm, material: alu, elements: 8,\n"
    "                   up: [0,0,1] } ]\n"
    "    supports: [ { nodes: hub } ]\n"
    "    guides: { rail: { from: hub, to: end } }\n"
    "  car: { at: [0.5, 0, 0], rigid: { mass: %g, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0] } }\n"
    "joints:\n"
    "  r: { slide: { guide: arm.rail, on: car, orientation: fixed }, coordinate: r, drive: mr%s }\n"
    "outputs: { car: { body: car } }\n"
    "reduction: { coordinates: { r: { range: [0.2, 0.9], points: 9 } }, modes: { count: 3 },\n"
    "             certificate: { points: 2, samples: 4 } }\n"
    "scenarios:\n"
    "  push: { duration: 0.8, step: 1e-3, store: 0.02, start: { r: 0.5 },\n"
    "          drives: { mr: { force: { sine: { amplitude: 4, frequency: 1.5,\n"
    "                                           phase: 1.5707963 } } } } }\n";

static const char *const BARE = "", *const RUBS =
                                        ", damping: 3, drive_friction: { coulomb: 0.5 },\n"
                                        "       stops: { range: [0.3, 0.6], stiffness: 2000 }";

static bool read_model(double mass, const char *joint, mw_fixture *f)
{
  char text[4096];
  snprintf(text, sizeof text, format, mass, joint);
  return MW_CHECK(mw_fixture_text(text, f));
}

static void the_hash_leaves_out_damping_friction_and_stops(void)
{
  mw_fixture f[3];
  bool good = read_model(0.5, BARE, &f[0]);
  good = read_model(0.5, RUBS, &f[1]) && good;
  good = read_model(0.6, BARE, &f[2]) && good;
  if (good) {
    MW_CHECK(strcmp(f[0].model.hash, f[1].model.hash) == 0);
    MW_CHECK(strcmp(f[0].model.hash, f[2].model.hash) != 0);
  }
  for (int i = 0; i < 3; i++) mw_fixture_free(&f[i]);
}

static bool run(const mw_fixture *f, const mw_rom_file *rom, mw_run *r)
{
  const mw_scenario *sc = &f->model.scenario[0];
  mw_dae_opt opt = mw_dae_opt_default();
  mw_error err = { 0 };
  if (!rom) return MW_OKAY(mw_dae_run(&f->mech, sc, "full", &opt, NULL, r, &err));
  return MW_OKAY(mw_rom_run(&f->model, &f->mech, rom, sc, NULL, NULL, r, &err));
}

static double apart(const mw_run *a, const mw_run *b)
{
  double worst = 0.0;
  for (int k = 0; k < a->n_t; k++) worst = fmax(worst, fabs(a->s[k] - b->s[k]));
  return worst;
}

// Made without any, it is bit for bit what is made with them, and moves as the full mechanism does.
static void a_reduced_model_takes_them_as_they_are(void)
{
  mw_fixture bare, rubs;
  mw_rom_file a = { 0 }, b = { 0 };
  mw_run ra = { 0 }, rb = { 0 }, full = { 0 }, before = { 0 };
  mw_error err = { 0 };
  bool good = read_model(0.5, BARE, &bare);
  good = read_model(0.5, RUBS, &rubs) && good;
  good = good && MW_OKAY(mw_reduce(&bare.model, &bare.mech, NULL, &a, &err)) &&
         MW_OKAY(mw_reduce(&rubs.model, &rubs.mech, NULL, &b, &err)) && run(&bare, &a, &before) &&
         MW_OKAY(mw_rom_file_laws(&bare.mech, &a, &err)) && MW_CHECK(!a.law_note) &&
         MW_OKAY(mw_rom_file_laws(&rubs.mech, &a, &err)) && MW_CHECK(a.law_note != NULL);
  if (good && run(&rubs, &a, &ra) && run(&rubs, &b, &rb) && run(&rubs, NULL, &full)) {
    MW_CHECK(a.rom.c_theta[0] == 3.0 && a.rom.n_law == 1 && a.rom.law[0].stiffness == 2000.0);
    MW_CHECK(mw_rom_bytes(&a.rom) == mw_rom_bytes(&b.rom));
    MW_SAME_BITS(a.rom.coef, b.rom.coef, mw_rom_bytes(&a.rom) / sizeof(double));
    MW_SAME_BITS(ra.s, rb.s, ra.n_t);
    MW_SAME_BITS(ra.y, rb.y, 3 * ra.n_t);
    printf("friction and stops: %.1e m from the full path, %.1e m from without\n",
           apart(&ra, &full), apart(&ra, &before));
    MW_NEAR(apart(&ra, &full), 0.0, 1e-3 * 0.3);  // the model's tolerance, of the way between stops
    MW_CHECK(apart(&ra, &before) > 0.05);
  }
  mw_run *runs[] = { &ra, &rb, &full, &before };
  for (int i = 0; i < 4; i++) mw_run_free(runs[i]);
  mw_rom_file_free(&a);
  mw_rom_file_free(&b);
  mw_fixture_free(&bare);
  mw_fixture_free(&rubs);
}

// Runs that the certificate was judged by are those of another machine then.
static void runs_of_the_certificate_are_told_apart(void)
{
  mw_fixture bare, rubs;
  mw_rom_file a = { 0 };
  mw_error err = { 0 };
  bool good = read_model(0.5, BARE, &bare);
  good = read_model(0.5, RUBS, &rubs) && good;
  if (good && MW_OKAY(mw_reduce(&bare.model, &bare.mech, NULL, &a, &err))) {
    a.certificate.runs.n = 1;
    MW_CHECK(MW_OKAY(mw_rom_file_laws(&bare.mech, &a, &err)));
    MW_CHECK(a.certificate.runs.n == 1 && !a.law_note);
    MW_CHECK(MW_OKAY(mw_rom_file_laws(&rubs.mech, &a, &err)));
    MW_CHECK(a.certificate.runs.n == 0 && a.law_note);
    // damping of a coordinate that the model has not among its own
    a.coordinate[0] = "other";
    if (MW_FAILS(mw_rom_file_laws(&rubs.mech, &a, &err), MW_ERR_INPUT))
      MW_CHECK(strstr(err.msg, "joint r has damping on a coordinate"));
  }
  mw_rom_file_free(&a);
  mw_fixture_free(&bare);
  mw_fixture_free(&rubs);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "the_hash_leaves_out_damping_friction_and_stops",
      the_hash_leaves_out_damping_friction_and_stops },
    { "a_reduced_model_takes_them_as_they_are", a_reduced_model_takes_them_as_they_are },
    { "runs_of_the_certificate_are_told_apart", runs_of_the_certificate_are_told_apart },
  };
  return mw_test_run("laws_apart", cases, (int)(sizeof cases / sizeof *cases));
}
