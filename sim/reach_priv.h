// SPDX-License-Identifier: BSD-3-Clause
// reach_priv.h: where deflections leave what a reduced model is right for (reduction/large.c), on the screen and in runs.
#ifndef MW_SIM_REACH_PRIV_H
#define MW_SIM_REACH_PRIV_H

#include <stdio.h>

#include "reduction/romfile.h"
#include "sim/run.h"

enum { MW_REACH_BEND, MW_REACH_STRETCH, MW_REACH_N };

typedef struct mw_reach_seen {  // the furthest that a run went beyond
  double ratio;                 // of an amplitude to its limit; 0: not looked at
  double t;                     // s
  int column;
} mw_reach_seen;

// A note on the first column that has a limit of that kind; false: none has.
bool mw_reach_note(const mw_rom_file *f, int kind, char *text, size_t n);
// delta [m] at t; seen [MW_REACH_N] starts as zeros.
void mw_reach_look(const mw_rom_file *f, const double *delta, double t, mw_reach_seen *seen);
// r->warning of what was seen beyond its limit, with room for one more.
MW_MUST_USE mw_code mw_reach_warn(const mw_rom_file *f, const mw_reach_seen *seen, mw_run *r,
                                  mw_error *err);

#endif
