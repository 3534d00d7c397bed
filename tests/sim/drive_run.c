// SPDX-License-Identifier: BSD-3-Clause
// drive_run.c: a machine under its controllers in three paths (drive_run.h).
#include "drive_run.h"

#include <string.h>

#include "mw_test.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

bool drive_run(const mw_fixture *f, const mw_rom_file *rom, int path, int scenario, mw_run *r)
{
  const mw_scenario *sc = &f->model.scenario[scenario];
  mw_error err = { 0 };
  if (path == 0) {
    mw_dae_opt opt = mw_dae_opt_default();
    return MW_OKAY(mw_dae_run(&f->mech, sc, "full", &opt, NULL, r, &err));
  }
  if (path == 1) return MW_OKAY(mw_rigid_run(&f->mech, sc, NULL, NULL, r, &err));
  return MW_OKAY(mw_rom_run(&f->model, &f->mech, rom, sc, NULL, NULL, r, &err));
}

const char *drive_run_told(const mw_run *r, const mw_error *err, const char *what)
{
  const char *said = strstr(err->msg, what);
  for (int i = 0; i < r->n_warning && !said; i++) said = strstr(r->warning[i], what);
  return said;
}
