// SPDX-License-Identifier: BSD-3-Clause
// coarse_priv.h: what a run of a reduced model errs by in time, by its steps.
#ifndef MW_SIM_COARSE_PRIV_H
#define MW_SIM_COARSE_PRIV_H

#include "modal_priv.h"
#include "rom/step.h"
#include "sim/run.h"

struct mw_rom_sim;

typedef struct mw_coarse {   // n = s + m unknowns: theta, delta
  struct mw_rom_sim *other;  // the same scenario by other steps; NULL: nothing is looked at
  mw_rom rom;                // its model, without limits of rates, inputs and deflections
  const int *row;            // [3 n_out]  borrowed; fields of the outputs' components
  int n_out;
  bool halves;                  // by steps of half the length, not of twice the length
  bool controlled;              // controllers sample
  double pending;               // s, of a part that it has not taken yet
  double all, twice;            // s, that it has taken; of them by steps of twice the length
  mw_rom_code code;             // what ended it, MW_ROM_OK: nothing
  mw_rom_info info;             // of code
  double t;                     // s, where it is
  double *worst, *peak, *when;  // [n_out]  m, largest difference and deflection; s, of worst
  double *e;                    // [n_out × n]  difference of the unknowns then
  double *x;                    // [n_out × n]  the run's unknowns then
  double turn;                  // rad, largest angle by which a coordinate turns in a part
  int turns;                    // which
} mw_coarse;

// At the start of q, whose fields belong to its state; row: 3 fields an output. q and mem outlive
// q->coarse.
MW_MUST_USE mw_code mw_coarse_init(struct mw_rom_sim *q, int n_out, const int *row, mw_arena *mem,
                                   mw_error *err);
// The part of q from t (s) on has ended, its fields are known. It began where controllers were
// sampled, at a kink of a signal.
// Errors: those of units.
MW_MUST_USE mw_code mw_coarse_end(struct mw_rom_sim *q, double t, bool sampled, bool kink,
                                  mw_error *err);
// What it remembers of the parts before, into part; their number.
int mw_coarse_parts(struct mw_rom_sim *q, mw_part *part);
// r->coarse, and a warning of the output that errs most where that is more than runs may.
MW_MUST_USE mw_code mw_coarse_warn(const struct mw_rom_sim *q, mw_run *r, mw_error *err);

#endif
