// SPDX-License-Identifier: BSD-3-Clause
#include "beside_full.h"

#include <math.h>

#include "mw_test.h"
#include "sim/dae.h"
#include "sim/romrun.h"

bool beside_full(const mw_fixture *f, const mw_rom_file *rom, const mw_fixture *own, double *apart,
                 double *most)
{
  enum { S = 2, FIELDS = 8192 };
  const mw_scenario *sc = &own->model.scenario[0];
  double value[FIELDS];
  mw_run full = { 0 }, gmp = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  mw_error err = { 0 };
  *apart = *most = 0.0;
  bool good = MW_OKAY(mw_dae_run(&own->mech, sc, "full", &opt, NULL, &full, &err)) &&
              MW_OKAY(mw_rom_run(&f->model, &f->mech, rom, sc, NULL, NULL, &gmp, &err)) &&
              MW_CHECK(full.n_t == gmp.n_t && full.n_out == 1 && rom->rom.s == S &&
                       rom->rom.n_field <= FIELDS);
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&rom->rom));
  for (int t = 0; good && t < full.n_t; t++) {
    good = MW_CHECK(mw_rom_fields(&rom->rom, full.s + S * t, value, NULL, NULL) == MW_ROM_OK);
    for (int i = 0; good && i < 3; i++) {
      *apart = fmax(*apart, fabs(gmp.y[3 * t + i] - full.y[3 * t + i]));
      *most = fmax(*most, fabs(full.y[3 * t + i] - value[L.y + i * (1 + rom->rom.m)]));
    }
  }
  mw_run_free(&full);
  mw_run_free(&gmp);
  return good;
}
