// SPDX-License-Identifier: BSD-3-Clause
// fixture_romfile.h: a reduced model with all that rom.nc can hold, of numbers that mean nothing.
#ifndef MW_TEST_FIXTURE_ROMFILE_H
#define MW_TEST_FIXTURE_ROMFILE_H

#include "reduction/romfile.h"

// eigenanalyses on 4 × 5 points, tables on 7 × 5: the first axis is refined by 2
enum { S = 2, M = 3, N_Y = 4, N_U = 2, N_POINT = 4 * 5, N_KNOT = 9 * 7, N_FREQ = 4, N_CERT = 2 };

// The same every time; released by mw_rom_file_free.
mw_rom_file fixture_romfile(void);

#endif
