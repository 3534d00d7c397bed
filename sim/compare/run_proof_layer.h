// SPDX-License-Identifier: BSD-3-Clause
// run_proof_layer.h: the runs that a certificate judges a reduced model by.
#ifndef MW_SIM_RUN_PROOF_LAYER_H
#define MW_SIM_RUN_PROOF_LAYER_H

#include "sim/case.h"

// Runs the scenarios that the model's certificate names (reduction.certificate.scenario) by the
// reduced path and by the full one with its step, a half and a quarter of it, into
// f->certificate.runs. A run that fails is kept with its reason and is missed; MW_ERR_MEMORY alone
// ends it. Cost: seven runs of the full path by its step, a scenario.
MW_MUST_USE mw_code mw_run_proofs_build(const mw_case *c, mw_rom_file *f, mw_progress *progress,
                                        mw_error *err);

#endif
