// SPDX-License-Identifier: BSD-3-Clause
// bench_energy.c: energy of the undriven, undamped reduced model over 10 s, and its order in the
// step.
//
//   bench_energy [step ...]      s, default 4e-4 2e-4 1e-4 5e-5 2.5e-5
//
// Scenario `release` of cases/carriage-free.yaml: a carriage let go at rest on a deflected beam.
// Printed: largest change of the total energy over the largest kinetic plus potential energy above
// the start's (mw_run.energy_drift), the order log2 of successive ratios, and wall time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "reduction/reduce.h"
#include "rom_step.h"

int main(int argc, char **argv)
{
  double step[16] = { 4e-4, 2e-4, 1e-4, 5e-5, 2.5e-5 }, last = NAN;
  int n = argc > 1 ? 0 : 5;
  for (int i = 1; i < argc && n < 16; i++) step[n++] = strtod(argv[i], NULL);
  mw_error err = { 0 };
  mw_fixture f;
  mw_rom_file rom = { 0 };
  if (!mw_fixture_file(MW_CASES_DIR "/carriage-free.yaml", &f)) return 1;
  int good = mw_fixture_okay(mw_reduce(&f.model, &f.mech, NULL, &rom, &err), &err);
  const mw_scenario *sc = NULL;
  for (int i = 0; i < f.model.n_scenario; i++)
    if (strcmp(f.model.scenario[i].name, "release") == 0) sc = &f.model.scenario[i];
  good = good && sc;
  printf("%10s %12s %7s %9s   (%d elastic coordinates, 10 s)\n", "step s", "drift", "order",
         "wall s", good ? rom.rom.m : 0);
  for (int i = 0; good && i < n; i++) {
    mw_run run = { 0 };
    good = mw_fixture_okay(
        mw_rom_run(&f.model, &f.mech, &rom, sc, MW_ROM_STEP(step[i]), NULL, &run, &err), &err);
    if (good)
      printf("%10.3e %12.3e %7.2f %9.3f\n", step[i], run.energy_drift,
             log2(last / run.energy_drift), run.wall_s);
    last = run.energy_drift;
    mw_run_free(&run);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
  return !good;
}
