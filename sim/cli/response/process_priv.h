// SPDX-License-Identifier: BSD-3-Clause
// process_priv.h: what is cut and how, for stability lobes: options over a scenario's process.
#ifndef MW_SIM_CLI_PROCESS_PRIV_H
#define MW_SIM_CLI_PROCESS_PRIV_H

#include "fem/model_scenario.h"
#include "response_priv.h"
#include "sim/lobes.h"

typedef struct mw_process {
  mw_cutting cut;
  double immersion;      // of the diameter; milling
  bool down;             // milling
  double rpm[2];         // of the scenario, 1/min; 0: it has none
  const char *scenario;  // NULL: none was asked for
  mw_cutting_in in;      // of the scenario, {0} without one; texts stay in the response's memory
} mw_process;

// Reads --scenario of the model that the reduced one names, which must be the one that it was made
// from, and the options over it. MW_ERR_INPUT: neither says what is needed, or options exclude
// each other.
MW_MUST_USE mw_code mw_process_read(mw_response *r, mw_process *out, mw_error *err);
// The ends of the process, as mw_response_ends; errors of a scenario's stand at its place.
MW_MUST_USE mw_code mw_process_ends(mw_response *r, const mw_process *p, mw_frf_in *in,
                                    mw_error *err);

#endif
