// SPDX-License-Identifier: BSD-3-Clause
// fixture_units.h: reductions whose units are remembered, for the suites of units.
#ifndef MW_TESTS_REDUCTION_FIXTURE_UNITS_H
#define MW_TESTS_REDUCTION_FIXTURE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include "../fixture.h"
#include "reduction/reduce.h"
#include "work/offline_layer.h"

enum { MW_UNITS_MOST = 200 };

typedef struct mw_unit_done {  // a unit, copied
  int kind;
  mw_bytes args, result;
} mw_unit_done;

typedef struct mw_units {
  mw_offline *z;
  bool refute;  // proofs of samples say that a mode is missing
  bool differ;  // samples by ARPACK say that they are another one's
  int n;
  mw_unit_done unit[MW_UNITS_MOST];
} mw_units;

// A copy of n bytes; p is freed by the caller.
mw_bytes mw_units_copy(const void *p, size_t n);
// Runs a reduction whose units r remembers; f and folder (a cache, new) are the caller's. r->refute
// and r->differ are set before.
bool mw_units_reduce(const mw_fixture *f, const char *folder, mw_units *r, mw_rom_file *rom);
int mw_units_of(const mw_units *r, int kind);  // remembered ones of one kind
void mw_units_forget(mw_units *r);
// Checks that a unit fails and gives nothing.
void mw_units_fails(mw_offline *z, int kind, const void *args, size_t n);
void mw_units_remove_folder(const char *dir);

#endif
