// SPDX-License-Identifier: BSD-3-Clause
// units_priv.h: units of a reduction as bytes, and lists of them, shared by the files that do units
// and those that ask for them.
#ifndef MW_REDUCTION_UNITS_PRIV_H
#define MW_REDUCTION_UNITS_PRIV_H

#include "offline_layer.h"

// Configurations of a unit at most; `k` of a body's unit that leaves its count to another.
enum { MW_UNIT_CHUNK = 16, MW_UNIT_APART = 1 };

typedef struct mw_unit_args {  // of all kinds
  int n, k, body, n_mac, arpack;
  uint64_t hold;
  mw_band band;
  double hz, rest;
} mw_unit_args;

void mw_unit_put_args(mw_pack *p, const mw_unit_args *a);
mw_unit_args mw_unit_get_args(mw_unpack *u);
// Writes and reads a configuration: kinematics travel with the arguments, q's memory is from mem.
void mw_unit_put_config(mw_pack *p, const mw_mech *m, int s, const mw_config *q);
MW_MUST_USE mw_code mw_unit_get_config(mw_unpack *u, const mw_mech *m, int s, mw_arena *mem,
                                       mw_config *q, mw_error *err);
// Refuses a unit whose bytes are not those of one: MW_ERR_MEMORY.
mw_code mw_unit_bad(mw_error *err);

// ---- lists of them ------------------------------------------------------------------------------

typedef mw_code (*mw_take_fn)(void *ctx, int i, mw_unpack *u, mw_error *err);

typedef struct mw_task {
  int kind, worker;  // of mw_unit
  mw_pack pack;      // its arguments
  mw_take_fn take;   // called with its result
  void *ctx;
  int i;  // for take
} mw_task;

// Runs n units; their arguments are released.
MW_MUST_USE mw_code mw_tasks_run(mw_reduction *r, const char *what, int n, mw_task *t,
                                 mw_error *err);
// Releases arguments of n units that are not run.
void mw_tasks_drop(int n, mw_task *t);

typedef struct mw_taken_samples {
  mw_sample *sample;
  mw_arena *mem;
  int n;
} mw_taken_samples;

// Samples of a certificate that ARPACK solves: every fourth of n, of few the last one too, that
// there are two.
bool mw_unit_by_arpack(int i, int n);
// Samples at theta, the first of them better done by worker `worker`; arpack: some by ARPACK.
MW_MUST_USE mw_code mw_task_samples(mw_reduction *r, mw_band band, bool arpack, const double *theta,
                                    int worker, mw_taken_samples *to, mw_task *t, mw_error *err);

#endif
