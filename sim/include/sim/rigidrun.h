// SPDX-License-Identifier: BSD-3-Clause
// rigidrun.h: simulation of a rigid mechanism in natural coordinates, adaptive or with a fixed
// step.
#ifndef MW_SIM_RIGIDRUN_H
#define MW_SIM_RIGIDRUN_H

#include "base/api.h"
#include "base/progress.h"
#include "base/team.h"
#include "fem/mech.h"
#include "sim/run.h"
#include "sim/watch.h"

MW_API_BEGIN

typedef struct mw_rigid_run_opt {
  double step;            // s, of the fixed-step methods; > 0
  mw_rigid_in rigid;      // method, tolerances
  const mw_watch *watch;  // called at stored instants, NULL: none
  // Ranks that make the run together, each called with the same model and options: they share the
  // right-hand sides out, all else is computed by each alike, and each gets the run, with the bits
  // of one process by rigid.threads 1. Borrowed; NULL: this process alone
  const mw_team *team;
} mw_rigid_run_opt;
// What the scenario says; a zero tolerance or projection there takes its default (model.h).
mw_rigid_run_opt mw_rigid_run_opt_default(const mw_scenario *sc);

// Runs a scenario on a mechanism of rigid bodies (opt NULL: the default). The run is named "rigid";
// it ends at the first joint limit it meets, and then says so in out->event. out is initialised
// here (mw_run_free when done). MW_ERR_NUMERIC names the time and what diverged.
MW_MUST_USE mw_code mw_rigid_run(const mw_mech *m, const mw_scenario *sc,
                                 const mw_rigid_run_opt *opt, mw_progress *p, mw_run *out,
                                 mw_error *err);

// Are right-hand sides of m shared out, to threads or ranks? Where not, says why in why [n].
bool mw_rigid_run_shares(const mw_mech *m, char *why, size_t n);
// MW_ERR_INPUT: ranks do not make such a run together; names the method, units of other programs,
// or threads.
MW_MUST_USE mw_code mw_rigid_run_ranks_check(const mw_scenario *sc, const mw_rigid_in *in,
                                             mw_error *err);

MW_API_END

#endif
