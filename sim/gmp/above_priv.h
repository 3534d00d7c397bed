// SPDX-License-Identifier: BSD-3-Clause
// above_priv.h: what a run excites above the modes of a reduced model, where it has static patterns
// alone.
#ifndef MW_SIM_ABOVE_PRIV_H
#define MW_SIM_ABOVE_PRIV_H

#include "modal_priv.h"
#include "sim/run.h"

typedef struct mw_above {
  const mw_modal *modal;  // borrowed; NULL: nothing is looked at
  const int *row;         // [3 n_out]  borrowed; fields of the outputs' components
  int n_out;
  double *Z, *Zd;        // [m]  (2) of above.c, force a unit mass; its rate
  double *e, *off;       // [m]  scratch
  double hz;             // the highest mode's, lowest seen
  double *worst, *peak;  // [n_out]  m, largest expected error and deflection
  double *when;          // [n_out]  s, of worst
  // last stop that a coordinate met: when it did, s, its law, whether it is in there; and those of
  // `when`, [n_out] each
  double met, law, inside;
  double *when_met, *when_law;
} mw_above;

// At the start x [2 (s + m)] of a run; row: 3 fields an output. modal and mem outlive z.
MW_MUST_USE mw_code mw_above_init(mw_above *z, const mw_modal *modal, int n_out, const int *row,
                                  const double *x, mw_arena *mem, mw_error *err);
void mw_above_end(mw_above *z, double t, double h);  // the part of z->modal has ended at t
// What it remembers of the parts before, into part; their number.
int mw_above_parts(mw_above *z, mw_part *part);
// r->above, and a warning of the output that errs most where that is more than runs may.
MW_MUST_USE mw_code mw_above_warn(const mw_above *z, const mw_scenario *sc, mw_run *r,
                                  mw_error *err);

#endif
