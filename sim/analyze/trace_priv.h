// SPDX-License-Identifier: BSD-3-Clause
#ifndef MW_SIM_TRACE_PRIV_H
#define MW_SIM_TRACE_PRIV_H

#include "base/arena.h"
#include "fem/rigid.h"
#include "sim/analyze.h"

typedef struct mw_trace {
  const mw_mech *m;
  mw_rigid *r;  // z are held in it
  mw_rigid_work *w;
  mw_rigid_size n;
  double size;                      // m
  double t;                         // s, of forces that depend on time
  int k;                            // of z, as many as there are freedoms
  int *z;                           // [k]              coordinates
  int *row;                         // [k]              rows that hold them
  double *mass;                     // [n_u]           M is diagonal
  double *q;                        // [n_q]            where it is
  double *s;                        // [n_coord]        coordinates there, m or rad
  double *T;                        // [k × n_u]        u = Tᵀ ż: set by mw_trace_basis
  double *J, *gamma, *Js, *bias;    // as evaluated last, mw_rigid_dense
  double *c, *lambda, *gap, *zero;  // scratch
  double *soft, *soft_dot;          // [n_soft]
  mw_arena mem;
} mw_trace;

// At a position; given [n_coord] marks z. MW_ERR_INPUT: they are not as many independent ones as
// there are freedoms, or drives have rotors.
MW_MUST_USE mw_code mw_trace_open(const mw_mech *m, const mw_position *at,
                                  const unsigned char *given, mw_trace *out, mw_error *err);
void mw_trace_close(mw_trace *t);
// Leads z to their values in to [n_coord], along the branch of positions it is on.
MW_MUST_USE mw_code mw_trace_go(mw_trace *t, const double *to, mw_error *err);
// Factors rows at q and sets T, J, Js. MW_ERR_NUMERIC: z depend on each other there.
MW_MUST_USE mw_code mw_trace_basis(mw_trace *t, mw_error *err);
// One step of Newton with z held: move [n_u] closes the rows at q but for second order; *gap the
// largest of them, m or 1. T is set as by mw_trace_basis.
MW_MUST_USE mw_code mw_trace_step(mw_trace *t, double *move, double *gap, mw_error *err);
// q moved by the tangent u [n_u]; s follow, turns counted.
void mw_trace_move(mw_trace *t, const double *u);
// u' [n_u] for z̈ = 0 at rates u [n_u]; sets bias, too. After mw_trace_basis at the same q.
void mw_trace_bias(mw_trace *t, const double *u, double *ud);
// f̂ [n_u] at rates u [n_u] (NULL: at rest): weight, springs, dampers, friction, gyroscopic terms.
void mw_trace_force(mw_trace *t, const double *u, double *f);
// Dry friction of coordinates (drive_friction) as a force that does not depend on the speed:
// MW_ERR_INPUT where one begins to move at another force than it moves at, or where friction goes
// with reactions; names the joint. *any: there is some.
MW_MUST_USE mw_code mw_trace_check_dry(const mw_trace *t, bool *any, mw_error *err);
// Takes dry friction of coordinates at rates u [n_u] (NULL: at rest) out of f [n_u].
void mw_trace_take_dry(const mw_trace *t, const double *u, double *f);
// What dry friction adds to forces along a motion u, u' [n_u] that goes on, f [n_u]: against the
// way of each coordinate; where it reverses, against that in which it goes on; 0 where it stands.
// After mw_trace_bias at u.
void mw_trace_dry(const mw_trace *t, const double *u, const double *ud, double *f);
// What drives on coordinates give to z, A [k × n_drive]; 0 of drives at frames.
void mw_trace_drives(const mw_trace *t, double *A);

#endif
