// SPDX-License-Identifier: BSD-3-Clause
// rom_step.h: options of a run of the reduced model by steps of h, s, and else the default ones.
#ifndef MW_TESTS_ROM_STEP_H
#define MW_TESTS_ROM_STEP_H

#include "sim/romrun.h"

#define MW_ROM_STEP(h) (&(const mw_rom_run_opt){ .step = (h), .method = MW_ROM_N_METHOD })

#endif
