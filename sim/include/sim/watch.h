// SPDX-License-Identifier: BSD-3-Clause
// watch.h: observing a run while it proceeds: the state of its bodies at some stored instants.
#ifndef MW_SIM_WATCH_H
#define MW_SIM_WATCH_H

#include "base/error.h"

typedef struct mw_snapshot {
  double t;  // s
  // paths with bodies: frames p [n_body × 12], and of each body of the path's mechanism u[b] [n_u]
  // (NULL: rigid path)
  const double *p;
  double *const *u;
  // gmp: its state x [2 (s + m)] (rom.h); p and u are NULL
  const double *x;
  // rigid: natural coordinates and their rates [n_q] (fem/rigid.h); NULL: another path
  int n_q;
  const double *q, *v;
} mw_snapshot;

// Called between steps, outside of the time that is measured, at stored instants 0, every, 2 every,
// … An error ends the run.
typedef struct mw_watch {
  int every;
  mw_code (*put)(void *ctx, const mw_snapshot *f, mw_error *err);
  void *ctx;
} mw_watch;

// Says whether the watch is due at stored instant k.
static inline int mw_watch_due(const mw_watch *f, int k) { return f && k % f->every == 0; }

#endif
