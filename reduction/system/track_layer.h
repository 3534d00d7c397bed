// SPDX-License-Identifier: BSD-3-Clause
// track_layer.h: modes followed from one configuration to the next, in the bodies' eigenbases.
#ifndef MW_REDUCTION_TRACK_LAYER_H
#define MW_REDUCTION_TRACK_LAYER_H

#include <stdbool.h>

#include "reduction/system.h"

// Are all elastic bodies in their eigenbases (diagonal K and M)? Only then modes can be tracked.
bool mw_system_is_small(const mw_system *sys);
// The lowest k modes from `start` [all × n], vectors of a neighbour (all > k: more than are wanted
// help): lambda [all] ascending (rad/s)² and X [all × n] M-orthonormal, the first k converged and
// proved complete by an inertia count. false: not to be had this way, nothing is written.
bool mw_system_track(mw_system *sys, int k, int all, const double *start, double *lambda, double *X,
                     mw_error *err);

// Are the modes lambda [all] (ascending) all there are up to the k-th, by an inertia count? all > k
// helps.
bool mw_system_proved(mw_system *sys, int k, int all, const double *lambda);

#endif
