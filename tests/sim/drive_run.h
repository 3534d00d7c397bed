// SPDX-License-Identifier: BSD-3-Clause
// drive_run.h: a machine under its controllers in the full, the rigid and the reduced path.
#ifndef MW_TEST_DRIVE_RUN_H
#define MW_TEST_DRIVE_RUN_H

#include <stdbool.h>

#include "fixture.h"
#include "reduction/romfile.h"
#include "sim/run.h"

// path: 0 full, 1 rigid, 2 reduced; rom may be NULL but for the latter. False after saying why not.
bool drive_run(const mw_fixture *f, const mw_rom_file *rom, int path, int scenario, mw_run *r);
// Where a run says `what`, in a warning or as it ends; NULL: nowhere.
const char *drive_run_told(const mw_run *r, const mw_error *err, const char *what);

#endif
