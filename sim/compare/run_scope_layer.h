// SPDX-License-Identifier: BSD-3-Clause
// run_scope_layer.h: scenarios of a model that the certificate of its reduced model does not speak
// for.
#ifndef MW_SIM_RUN_SCOPE_LAYER_H
#define MW_SIM_RUN_SCOPE_LAYER_H

#include "sim/case.h"

// Runs every scenario of the model by the reduced path; those that leave what the certificate
// covers, or do not run, into f->certificate.outside, with the reason.
MW_MUST_USE mw_code mw_run_scope_build(const mw_case *c, mw_rom_file *f, mw_error *err);

#endif
