// SPDX-License-Identifier: BSD-3-Clause
// damped_priv.h: what the steps of a run of a reduced model take of amplitudes by themselves.
#ifndef MW_SIM_DAMPED_PRIV_H
#define MW_SIM_DAMPED_PRIV_H

#include "modal_priv.h"
#include "sim/run.h"

enum { MW_DAMPED_POINTS = 7 };  // of a sixth difference

typedef struct mw_damped {
  const mw_modal *modal;  // borrowed; NULL: nothing is looked at
  double *last;  // [MW_DAMPED_POINTS × m]  delta at the ends of the last parts, each in its place
  int n;         // of parts of one length up to now
  double h;      // s, that length
  double *d;     // [m]  scratch
  double lost, worst;  // √kg m: of the amplitude up to now, and the largest of the run
  double peak;         // √kg m: largest deflection
  double when;         // s, of worst
} mw_damped;

// Looks at exponential steps; the mid-point rule takes nothing. modal and mem outlive z.
MW_MUST_USE mw_code mw_damped_init(mw_damped *z, const mw_modal *modal, mw_rom_method method,
                                   mw_arena *mem, mw_error *err);
void mw_damped_end(mw_damped *z, const double *x, double t, double h);  // z->modal's part, at t
// What it remembers of the parts before, into part; their number.
int mw_damped_parts(mw_damped *z, mw_part *part);
// A warning where it is more than runs may err by.
MW_MUST_USE mw_code mw_damped_warn(const mw_damped *z, double h, mw_run *r, mw_error *err);

#endif
