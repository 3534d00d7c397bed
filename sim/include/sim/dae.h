// SPDX-License-Identifier: BSD-3-Clause
// dae.h: simulation of the mechanism as an index-3 DAE in natural coordinates by generalized-α
// (Arnold & Brüls 2007). Full, body-reduced and rigid paths are the same code with different bodies
// (body.h).
#ifndef MW_SIM_DAE_H
#define MW_SIM_DAE_H

#include "base/api.h"
#include "base/progress.h"
#include "fem/mech.h"
#include "sim/controller.h"
#include "sim/run.h"
#include "sim/watch.h"

MW_API_BEGIN

// rho_inf: with values near one a contact that moves can feed modes the step does not resolve.
// Measured on beams of 32 to 128 elements with a mass at 0.9 of the critical speed, 30 step lengths
// each: some unstable at 0.9 and 0.85, none at 0.8.
typedef struct mw_dae_opt {
  double rho_inf;  // 0.8   spectral radius at infinite frequency, in [0, 1]; lower damps more
  double tol;      // 1e-9  Newton tolerance: relative correction of positions and of joint gaps
  // 20    iterations in which a correction must become a tenth, else the step fails
  int newton_max;
  double step;                      // s, 0: the scenario's
  int n_modal;                      // modes that the model's damping.modal damps, 0: none
  const mw_watch *watch;            // called at stored instants, NULL: none
  const mw_controller *controller;  // replaces the scenario's controllers, NULL: does not
} mw_dae_opt;
mw_dae_opt mw_dae_opt_default(void);

// Runs a scenario. out is initialised here (mw_run_free when done). MW_ERR_NUMERIC names the time
// and what diverged.
MW_MUST_USE mw_code mw_dae_run(const mw_mech *m, const mw_scenario *sc, const char *path,
                               const mw_dae_opt *opt, mw_progress *progress, mw_run *out,
                               mw_error *err);

MW_API_END

#endif
