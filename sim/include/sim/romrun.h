// SPDX-License-Identifier: BSD-3-Clause
// romrun.h: simulation of the reduced model by its own fixed step, with the drives of a scenario.
#ifndef MW_SIM_ROMRUN_H
#define MW_SIM_ROMRUN_H

#include "base/api.h"
#include "base/progress.h"
#include "fem/mech.h"
#include "reduction/romfile.h"
#include "sim/run.h"
#include "sim/watch.h"

MW_API_BEGIN

typedef struct mw_rom_run_opt {
  double step;            // s, 0: the scenario's
  mw_rom_method method;   // MW_ROM_N_METHOD (default): MIDPOINT, with friction or stops EXPONENTIAL
  const mw_watch *watch;  // of some stored instants, NULL: none
} mw_rom_run_opt;
mw_rom_run_opt mw_rom_run_opt_default(void);
// Runs a scenario on the reduced model. opt NULL: the default ones. out is initialised here
// (mw_run_free when done).
// MW_ERR_INPUT: the scenario prescribes a coordinate that is not one of the reduction;
// MW_ERR_RANGE: a coordinate left its range; MW_ERR_NUMERIC names the time and what diverged.
MW_MUST_USE mw_code mw_rom_run(const mw_model *model, const mw_mech *mech, const mw_rom_file *rom,
                               const mw_scenario *sc, const mw_rom_run_opt *opt, mw_progress *p,
                               mw_run *out, mw_error *err);
// The state that such a run starts from, x [2 (s + m)].
MW_MUST_USE mw_code mw_rom_run_start(const mw_model *model, const mw_mech *mech,
                                     const mw_rom_file *rom, const mw_scenario *sc, double *x,
                                     mw_error *err);

MW_API_END

#endif
