// SPDX-License-Identifier: BSD-3-Clause
// rigidrun.h: simulation of a rigid mechanism in natural coordinates, adaptive or with a fixed
// step.
#ifndef MW_SIM_RIGIDRUN_H
#define MW_SIM_RIGIDRUN_H

#include "base/api.h"
#include "base/progress.h"
#include "fem/mech.h"
#include "sim/run.h"
#include "sim/watch.h"

MW_API_BEGIN

typedef struct mw_rigid_run_opt {
  double step;            // s, of the fixed-step methods; > 0
  mw_rigid_in rigid;      // method, tolerances
  const mw_watch *watch;  // called at stored instants, NULL: none
} mw_rigid_run_opt;
// What the scenario says; a zero tolerance or projection there takes its default (model.h).
mw_rigid_run_opt mw_rigid_run_opt_default(const mw_scenario *sc);

// Runs a scenario on a mechanism of rigid bodies (opt NULL: the default). The run is named "rigid";
// it ends at the first joint limit it meets, and then says so in out->event. out is initialised
// here (mw_run_free when done). MW_ERR_NUMERIC names the time and what diverged.
MW_MUST_USE mw_code mw_rigid_run(const mw_mech *m, const mw_scenario *sc,
                                 const mw_rigid_run_opt *opt, mw_progress *p, mw_run *out,
                                 mw_error *err);

MW_API_END

#endif
