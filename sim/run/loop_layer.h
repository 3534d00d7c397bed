// SPDX-License-Identifier: BSD-3-Clause
// loop_layer.h: the run of a scenario, the same for every path (path_layer.h).
#ifndef MW_SIM_LOOP_LAYER_H
#define MW_SIM_LOOP_LAYER_H

#include "base/progress.h"
#include "contact_layer.h"
#include "path_layer.h"

// An instant that steps lead to.
typedef struct mw_instant {
  double t;  // s
  bool tick, kink, sample;
} mw_instant;

typedef struct mw_loop {
  const mw_path *path;
  void *p;  // the path's memory
  mw_path_in in;
  mw_run *r;
  const mw_watch *watch;   // of some stored instants, NULL: none
  mw_progress *progress;   // may be NULL
  double t;                // s, reached
  double h, longest;       // s, step of the grid, 0: none; of the longest ones
  int per_store, n_ticks;  // grid steps in a store interval (1: no grid), ticks of the run
  int ticks, steps;        // ticks passed, steps taken
  double near;             // s: instants closer than that are one
  // kinks of signals, ascending
  int n_kink, i_kink;
  double *kink;  // [n_kink]  s, 0 < kink < duration
  // samples of controllers
  bool controlled, due;  // due: at the start of the next step
  double period;         // s
  long i_sample;         // the next one
  const char *unstable;  // what is to be said of their loop, NULL: nothing
  // the instant that is led to
  mw_instant to;
  int left;       // steps until then, 0: it has been reached
  double length;  // s, of all of them but the last
  double hard;    // s, mw_span
  // limits of coordinates
  mw_limit *limit;  // [n_limit]
  int n_limit, event;
  double *s;             // [n_coord]
  mw_contacts contacts;  // none where the path chooses its steps
  mw_arena mem;
} mw_loop;

// Opens and starts the path; the first instant is stored. What in, watch and progress point to
// outlives l. r is initialised here; released by _close, unless _finish has handed it over.
MW_MUST_USE mw_code mw_loop_open(const mw_path *path, const mw_path_in *in, const mw_watch *watch,
                                 mw_progress *progress, mw_loop *l, mw_error *err);
bool mw_loop_ended(const mw_loop *l);
// Is the last instant one that is stored?
bool mw_loop_stored(const mw_loop *l);
// What it remembers there, into part [MW_LOOP_PARTS]; the number of pieces.
enum { MW_LOOP_PARTS = 8 };
int mw_loop_parts(mw_loop *l, mw_part *part);
// One step, and what is due at its end.
MW_MUST_USE mw_code mw_loop_step(mw_loop *l, mw_error *err);
// Steps to the next instant, which is stored where it is due.
MW_MUST_USE mw_code mw_loop_advance(mw_loop *l, mw_error *err);
// After the last instant: what the run says of itself; *out is the caller's (mw_run_free).
MW_MUST_USE mw_code mw_loop_finish(mw_loop *l, mw_run *out, mw_error *err);
void mw_loop_close(mw_loop *l);
// All of it.
MW_MUST_USE mw_code mw_loop_run(const mw_path *path, const mw_path_in *in, const mw_watch *watch,
                                mw_progress *progress, mw_run *out, mw_error *err);

#endif
