// SPDX-License-Identifier: BSD-3-Clause
// beside_full.h: a run of a reduced model beside the same run of the full mechanism.
#ifndef MW_TESTS_BESIDE_FULL_H
#define MW_TESTS_BESIDE_FULL_H

#include "fixture.h"
#include "reduction/romfile.h"

// Scenario 0 of `own`, whose parameters rom is set to, by path full there and by rom, which was
// made of f and has two coordinates. apart: largest distance of a component of output 0, most: its
// largest deflection, m. False after a failed check.
bool beside_full(const mw_fixture *f, const mw_rom_file *rom, const mw_fixture *own, double *apart,
                 double *most);

#endif
