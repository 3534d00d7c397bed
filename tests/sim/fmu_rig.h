// SPDX-License-Identifier: BSD-3-Clause
// fmu_rig.h: functional mock-up units in both versions, each of a fixture of its own, loaded, with
// the value references of their variables.
#ifndef MW_FMU_RIG_H
#define MW_FMU_RIG_H

#include "export/export_layer.h"
#include "fixture_export.h"
#include "fmu/fmu_priv.h"
#include "fmu_calls.h"
#include "mw_test.h"

enum { RIG_MAX_X = 2 * (FIX_MAX_S + SYN_MAX_M), RIG_MAX_VAR = 200, RIG_SEEN = 5 };

typedef struct rig {
  export_fixture *x;
  char dir[FIX_PATH], path[2 * FIX_PATH];  // of the archive
  fmu_unit u;
  void *work;  // of the library
  int n, n_x, n_u, n_y;
  // value references, found by name
  mw_export_seen seen;  // one row of each kind
  mw_export_row row[RIG_SEEN];
  uint32_t o[RIG_SEEN], time, step, state[RIG_MAX_X], derivative[RIG_MAX_X], input[SYN_N_U],
      y[SYN_N_Y], y_dot[SYN_N_Y];
} rig;

// Runs a check for both units; made by the first call. Without sanitizers the archives' own
// binaries are taken; with them (MW_TEST_CC names the compiler) the sources inside are compiled the
// same way.
void rig_each(void (*check)(rig *r));
void rig_remove(void);  // the last case of a suite: { RIG_LAST, rig_remove }
#define RIG_LAST "units_can_be_removed"
mw_fmu_job rig_job(const rig *r);

// Calls of malloc and calloc so far, by anyone; -1: they are not counted.
long rig_allocations(void);

// An instance in initialization mode. false: a check failed.
bool rig_start(rig *r, bool cosim, double from);
void rig_drive(const rig *r, int k, double *u);            // inputs of step k
void rig_random(const rig *r, uint64_t *seed, double *x);  // a state inside the model
void rig_steps(rig *r, int from, int n, double *x);        // steps of 1 ms, then the state

#endif
