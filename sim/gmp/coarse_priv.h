// SPDX-License-Identifier: BSD-3-Clause
// coarse_priv.h: what a run of a reduced model errs by in time, by the mid-point rule.
#ifndef MW_SIM_COARSE_PRIV_H
#define MW_SIM_COARSE_PRIV_H

#include "modal_priv.h"
#include "rom/step.h"
#include "sim/run.h"

typedef struct mw_coarse {  // n = s + m unknowns: theta, delta
  const mw_modal *modal;    // borrowed; NULL: nothing is looked at
  const int *row;           // [3 n_out]  borrowed; fields of the outputs' components
  int n_out;
  mw_rom_opt opt;
  double *eq, *ev;       // [n]  (1) of coarse.c, of coordinates and of rates
  double *dq, *dv;       // [n]  d of (3)
  double *a[2];          // [n]  accelerations of the parts before
  double h[2];           // s, their lengths
  bool kink;             // the part before began at a kink
  int parts;             // so far
  double *J, *J_u, *LU;  // [n × 2n], [n × n_u], [n × n]  of the state that was linearized last
  int *pivot;            // [n]
  double theta[MW_ROM_MAX_S], rate[MW_ROM_MAX_S], h_factored;
  bool factored;
  double *right, *acc;  // [n]  scratch
  double *pair, *pair_rate,
      *ring;                 // [n]  e along each eigenpair, its rate; with what it swings, largest
  double *value, *gradient;  // [n_field], [s × n_field]  scratch
  void *work;                // mw_rom_sens_bytes
  double *worst, *peak, *when;  // [n_out]  m, largest expected error and deflection; s, of worst
  double *hz;   // [n_out]  frequency of the eigenpair with the largest part in worst
  double turn;  // rad, largest angle by which a coordinate turns in a part
  int turns;    // which
} mw_coarse;

// At the start of a run by opt; row: 3 fields an output. modal and mem outlive z.
MW_MUST_USE mw_code mw_coarse_init(mw_coarse *z, const mw_modal *modal, const mw_rom_opt *opt,
                                   int n_out, const int *row, mw_arena *mem, mw_error *err);
// The part of z->modal has ended at t, h (s) later than it began, at a kink or not; u [n_u] acted.
MW_MUST_USE mw_code mw_coarse_end(mw_coarse *z, const double *u, double t, double h, bool kink,
                                  mw_error *err);
// r->coarse, and a warning of the output that errs most where that is more than runs may.
MW_MUST_USE mw_code mw_coarse_warn(const mw_coarse *z, double h, mw_run *r, mw_error *err);

#endif
