// SPDX-License-Identifier: BSD-3-Clause
// use_rom.h: does with a reduced model what the program does, whatever its numbers are.
#ifndef MW_TEST_USE_ROM_H
#define MW_TEST_USE_ROM_H

#include "reduction/romfile.h"
#include "rom/step.h"

// Evaluates fields, right-hand sides, Jacobians, steps, outputs, energy at the ends and in the
// middle of the box, beyond it and at NaN. Results are not judged: no access beyond the model's
// memory is what is looked for.
void use_rom(const mw_rom *rom);
// The same; and the start table, verdicts, and each parameter set.
void use_rom_file(const mw_rom_file *f);

#endif
