// SPDX-License-Identifier: BSD-3-Clause
// rigid_priv.h: what the files of the rigid path's integration share: the state of a run and the steps of its methods.
#ifndef MW_SIM_RIGID_PRIV_H
#define MW_SIM_RIGID_PRIV_H

#include "base/arena.h"
#include "fem/mech.h"
#include "fem/rigid.h"

struct mw_rigid_scratch;  // of the fixed-step methods, defined where they are

// One run. What survives a step is t, q, v, a, lambda, lambda_s, mu, aux, work, power: copied back, a step is undone (as
// long as mw_rigid_accept was not called since).
typedef struct mw_rigid_sim {
  const mw_mech *m;
  const mw_scenario *sc;
  mw_rigid_in in;  // method, tolerances: after the options of the run
  const mw_rigid *r;
  mw_rigid_work *w;
  mw_rigid_size n;
  double size;       // m, largest distance of a joint from the centre of mass of a body it joins
  bool has_power;    // drives, dampers, friction, prescribed coordinates: else power is always 0
  double t;          // s
  double *q;         // [n_q]
  double *v;         // [n_q]
  double *a;         // [n_q]    at t, q, v
  double *lambda;    // [n_row]  multipliers of implicit methods, N or N·m by row
  double *lambda_s;  // [n_soft] N or N·m by row
  double *mu;        // [n_row]  multipliers of velocity constraints (GGL)
  double *aux;       // [n_u]    auxiliary accelerations of generalized-α
  double work;       // J, integral of power since the start
  double power;      // W, at t, q, v
  int iterations;    // of nonlinear solvers, total
  struct mw_rigid_scratch *scratch;  // set by mw_rigid_step_init, in step_mem
  mw_arena step_mem;
} mw_rigid_sim;

// ---- fixed-step methods (rigid_step.c, rigid_alpha.c, rigid_midpoint.c) ---------------------------------------------

// What the method in s->in.method needs besides t, q, v, a, work, power, which the caller has set.
MW_MUST_USE mw_code mw_rigid_step_init(mw_rigid_sim *s, mw_error *err);
// One step: t, q, v, a, work, power advance (and lambda, lambda_s, mu, aux where the method has them); the state is
// unchanged on failure. The caller calls mw_rigid_accept after each step it keeps.
MW_MUST_USE mw_code mw_rigid_step(mw_rigid_sim *s, double h, mw_error *err);

#endif
