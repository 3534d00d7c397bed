// SPDX-License-Identifier: BSD-3-Clause
// rigid_onestep_priv.h: what the adaptive Runge-Kutta methods of the rigid path share.
#ifndef MW_SIM_RIGID_ONESTEP_PRIV_H
#define MW_SIM_RIGID_ONESTEP_PRIV_H

#include "rigid_erk_priv.h"
#include "rigid_path_layer.h"

enum { MW_ONESTEP_TERMS = 4 + MW_ERK_DENSE };

struct mw_radau;  // of the implicit method, defined where it is

typedef struct mw_onestep_kind {
  const mw_erk *table;
  // what it needs besides, NULL: nothing
  mw_code (*open)(mw_rigid_adapt *a, mw_error *err);
  // the step from y0 by h into y1 and k_end, its error, 1: beyond that, the step is not taken; uses
  // y. MW_ERR_NUMERIC: it was too long
  mw_code (*attempt)(mw_rigid_adapt *a, double h, double *error);
  // the last attempt was taken; t1 is set
  mw_code (*taken)(mw_rigid_adapt *a, double h);
  // terms of the continuous extension behind the first four
  mw_code (*extend)(mw_rigid_adapt *a);
  void (*close)(mw_rigid_adapt *a);
} mw_onestep_kind;

extern const mw_onestep_kind mw_onestep_dopri5, mw_onestep_dop853, mw_onestep_radau;

struct mw_rigid_adapt {
  mw_rigid_sim *s;           // borrowed
  const mw_rigid_events *e;  // borrowed
  const mw_onestep_kind *kind;
  const mw_erk *m;                   // its table
  int n;                             // length of (1): 2 n_q + 1
  double t;                          // s, reached: the end of the step, or a limit within it
  double t0, t1;                     // s, of the last step; equal: none was made
  double h;                          // s, the next step; 0: none was made yet
  double last;                       // error of the last step, 1
  double *y0, *y1;                   // [n]  start and end of the last step
  double *y;                         // [n]  a stage
  double *scale;                     // [n]  absolute tolerances
  double *k[MW_ERK_STAGES], *k_end;  // [n]  rates (1) of the last step's stages and at its end
  double *term[MW_ONESTEP_TERMS];    // [n]  of the continuous extension
  bool extended;                     // term is of the last step
  double *g0, *g;                    // [2 n_limit]  distances to limits at y0, and elsewhere
  double apart;     // square of the distance of the last stage from the end of the step
  int stiff, mild;  // steps at the border of stability, and others since the last one of these
  struct mw_radau *radau;  // of the implicit method
  double span;  // s, of the step whose extension tells how the motion goes on; 0: of none
  long steps;
  mw_error why;  // last failure of the mechanism
  mw_arena mem;
};

// Rates (1) of rigid_onestep.c at t, y [n] into k [n].
MW_MUST_USE mw_code mw_onestep_eval(mw_rigid_adapt *a, double t, double *y, double *k,
                                    mw_error *err);
// Root of the mean square of x over the tolerances at y and z, all [n].
double mw_onestep_norm(const mw_rigid_adapt *a, const double *x, const double *y, const double *z);
// Terms of the last step's continuous extension, of all methods.
MW_MUST_USE mw_code mw_onestep_extend(mw_rigid_adapt *a);
// The continuous extension at the part x of the step whose terms are at hand, y [n].
void mw_onestep_within(const mw_rigid_adapt *a, double x, double *y);

#endif
