// SPDX-License-Identifier: BSD-3-Clause
// test_cases_moving.c: the cases of machines in motion read, reduce on small grids and run by both
// paths.
//
// How well they follow their references is printed by tests/bench/bench_motion.c; here nothing may
// fail, and both paths must stay together: a reduced model that stood still, or went the other way,
// would err in the first steps by what moves in the full path, or more.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/dae.h"
#include "sim/romrun.h"

enum { STEPS = 20 };

// size: m; points, refine: of every coordinate's grid and table; range: of all coordinates, NULL:
// the model's
static void runs(const char *file, const char *scenario, double size, int points, int refine,
                 const double *range)
{
  char path[512];
  mw_error err = { 0 };
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_run full = { 0 }, gmp = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  mw_scenario *sc = NULL;
  snprintf(path, sizeof path, "%s/%s.yaml", MW_CASES_DIR, file);
  if (!MW_CHECK(mw_fixture_file(path, &f))) return;
  f.model.reduction.grid_auto = false;
  f.model.reduction.n_certificate = 1;
  f.model.reduction.n_sample = 24;
  for (int i = 0; i < f.model.reduction.n_coordinate; i++) {
    f.model.reduction.coordinate[i].n_grid = points;
    f.model.reduction.coordinate[i].refine = refine;
    if (range) f.model.reduction.coordinate[i].lo = range[0];
    if (range) f.model.reduction.coordinate[i].hi = range[1];
  }
  for (int i = 0; i < f.model.n_scenario; i++)
    if (strcmp(f.model.scenario[i].name, scenario) == 0) sc = &f.model.scenario[i];
  if (MW_CHECK(sc != NULL)) {
    sc->duration = STEPS * sc->step;
    sc->store = sc->step;
    bool good = MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) &&
                MW_OKAY(mw_dae_run(&f.mech, sc, "full", &opt, NULL, &full, &err)) &&
                MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, sc, NULL, NULL, &gmp, &err));
    MW_CHECK(rom.rom.m > 0 && full.n_t == STEPS + 1 && gmp.n_t == full.n_t);
    double way = 0.0;  // m, which any output goes
    int n_y = 3 * full.n_out;
    for (int k = n_y; good && k < n_y * full.n_t; k++)
      way = fmax(way, fabs(full.y[k] - full.y[k % n_y]));
    for (int k = 0; good && k < n_y * full.n_t; k++)
      MW_NEAR(gmp.y[k], full.y[k], way + opt.tol * size);
  }
  mw_run_free(&full);
  mw_run_free(&gmp);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void an_arm_spins_up(void) { runs("arm-spin-up", "spin", 8.0, 9, 2, NULL); }
static void a_rotor_whirls(void) { runs("rotor-disk", "whirl", 0.5, 9, 2, NULL); }
static void a_column_sways(void) { runs("column", "sway", 1.5, 5, 2, NULL); }
static void a_boom_is_pushed(void) { runs("boom", "push", 1.6, 49, 1, NULL); }
static void a_two_link_arm_turns(void) { runs("two-link", "turn", 2.0, 13, 1, NULL); }
static void a_polar_positioner_spins(void) { runs("polar", "spin", 1.0, 9, 1, NULL); }
static void a_slider_crank_turns(void) { runs("slider-crank", "turn", 0.45, 49, 4, NULL); }
static void a_beam_slides_through_a_carriage(void)
{
  // the part of the range it comes through in these steps
  runs("flexcell", "pick", 1.5, 7, 1, (const double[2]){ 0.35, 0.5 });
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "an_arm_spins_up", an_arm_spins_up },
    { "a_rotor_whirls", a_rotor_whirls },
    { "a_column_sways", a_column_sways },
    { "a_boom_is_pushed", a_boom_is_pushed },
    { "a_two_link_arm_turns", a_two_link_arm_turns },
    { "a_polar_positioner_spins", a_polar_positioner_spins },
    { "a_slider_crank_turns", a_slider_crank_turns },
    { "a_beam_slides_through_a_carriage", a_beam_slides_through_a_carriage },
  };
  return mw_test_run("cases_moving", cases, (int)(sizeof cases / sizeof *cases));
}
