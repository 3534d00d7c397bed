// SPDX-License-Identifier: BSD-3-Clause
// newton_euler.h: drive forces of a tree of rigid bodies by the recursion of Newton and Euler's
// equations, in some hundred nanoseconds a joint (Luh, Walker, Paul, J. Dyn. Syst. Meas. Control
// 102, 1980). Loops and all else: analyze.h.
#ifndef MW_SIM_NEWTON_EULER_H
#define MW_SIM_NEWTON_EULER_H

#include "base/api.h"
#include "base/arena.h"
#include "fem/mech.h"

MW_API_BEGIN

typedef struct mw_newton_euler mw_newton_euler;

// Revolute, prismatic and fixed joints that no loop closes, rigid bodies, weight, dampers of
// coordinates. Memory from mem; borrows the names of m. MW_ERR_INPUT names what else there is:
// another joint, a loop, a body that nothing holds, elastic bodies, components, springs, friction,
// stops, rotors, forces of the model.
MW_MUST_USE mw_code mw_newton_euler_build(const mw_mech *m, mw_arena *mem, mw_newton_euler **out,
                                          mw_error *err);
// Q [n_coord] (N or N·m) that coordinates q with rates v and accelerations a need (m or rad, .. a
// second): nothing is allocated, q is not checked. O(bodies)
void mw_newton_euler_eval(mw_newton_euler *n, const double *q, const double *v, const double *a,
                          double *Q);

MW_API_END

#endif
